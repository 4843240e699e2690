"""Where lines of Japanese may break: between phrases; what is read out or copied is as it was."""

from __future__ import annotations

import re
from html import escape, unescape

import pytest
from babel.messages.pofile import read_po
from flask.testing import FlaskClient

from service import terms
from service.catalogs import path
from service.pages import phrases, shell
from tests.pages.browser import Browser
from tests.pages.screen import Screen

EVADE = "/may/navajo-wars/evade?/action/family=C&/period=spanish&/families/C/at=shiprock-1&/areas/shiprock-1/raid=1"
PAGES = (
    "/",
    "/play/new",
    "/may/navajo-wars",
    "/may/julian/play-stratagem",
    EVADE,
    "/rules/navajo-wars",
    "/rules/navajo-wars?q=回避",
    "/rules/navajo-wars/nw:5.2.4",
    "/rules/julian",
    "/issues/navajo-wars/C14",
    "/terms/julian",
    "/terms/navajo-wars/nw.reaction.evade",
)


def sentences() -> list[str]:
    """Every sentence of the catalog, with a number for whatever is put in."""
    with path("ja").open("rb") as lines:
        said = [str(one.string) for one in read_po(lines, locale="ja") if one.id]
    return [re.sub(r"%\(\w+\)s", "3", one) for one in said if one]


def shown(text: str) -> str:
    return "|".join(
        text[start:end]
        for start, end in zip((0, *phrases.breaks(text)), (*phrases.breaks(text), len(text)), strict=True)
    )


@pytest.mark.parametrize(
    "line",
    [
        "Canyon de Chelly #3の|エリア",
        "敵Morale",
        "一族Cの|回避の|ため、|ダイスを|1個振る。",
        "Shiprockの|エリア#6に|Raidカウンターは|何個あるか。",
        "Subjugation of New Mexico Boxに|赤キューブが|3個ある。",
        '"Subvert"指令(4.2.11)は|"Build"指令(4.2.1)に|変わる。',
        "1個の|一族による|リアクションを|実施するか。",
        "修正前の|ダイスの|結果が|「6」の|ため、|回避は|成功する。",
    ],
)
def test_lines_break_between_phrases(line: str) -> None:
    assert shown(line.replace("|", "")) == line


def test_what_is_read_is_the_same() -> None:
    for said in sentences():
        found = phrases.marked(f"<p>{escape(said)}</p>")
        assert unescape(re.sub("<[^>]*>", "", found)) == said


def test_no_term_is_parted() -> None:
    """One in katakana and kanji, with what stands in Latin letters beside it."""
    forms = {form for concept in terms.load().values() for form in concept.wording("ja").accepted}
    whole = sorted(
        one for one in forms if re.search("[ァ-ヺ一-鿿]", one) and not re.search(r"[ぁ-ゖ\s]", one)
    )
    assert len(whole) > 200
    all_of_them = re.compile("|".join(map(re.escape, sorted(whole, key=len, reverse=True))))
    for said in [*sentences(), *(f"この{one}を数える。" for one in whole)]:
        places = set(phrases.breaks(said))
        for found in all_of_them.finditer(said):
            assert not places & set(range(found.start() + 1, found.end())), shown(said)


def test_no_word_of_one_script_and_no_number_is_parted_and_no_line_begins_with_a_stop() -> None:
    for said in sentences():
        for one in phrases.breaks(said):
            here = said[one - 1 : one + 1]
            assert not re.fullmatch("[ァ-ヺー]{2}|[!-~]{2}", here), shown(said)
            assert not re.fullmatch("[「『（(].|.[」』）)、。：；！？ーっゃゅょ]", here), shown(said)


@pytest.mark.parametrize(
    ("html", "marked"),
    [
        (
            '<p><a class="term">一族</a>のいる<a class="term">エリア</a>へ</p>',
            '<p><a class="term">一族</a>の<wbr>いる<wbr><a class="term">エリア</a>へ</p>',
        ),
        (
            '<p title="一族のエリア">1 &lt; 2のとき、置く。</p>',
            '<p title="一族のエリア">1 &lt; 2の<wbr>とき、<wbr>置く。</p>',
        ),
        ("<title>一族のいるエリア</title>", "<title>一族のいるエリア</title>"),
        ("<svg><text>一族のいるエリア</text></svg>", "<svg><text>一族のいるエリア</text></svg>"),
        ("<p>La Famille évite la Zone.</p>", "<p>La Famille évite la Zone.</p>"),
        ("<p>一族のエリア#6へ</p>", '<p>一族の<wbr><span class="whole">エリア#6</span>へ</p>'),
    ],
)
def test_only_what_is_read_is_marked(html: str, marked: str) -> None:
    assert phrases.marked(html).replace(phrases.MARK, "<wbr>") == marked


@pytest.mark.parametrize("address", PAGES)
def test_a_page_says_the_same_with_and_without(
    client: FlaskClient, monkeypatch: pytest.MonkeyPatch, address: str
) -> None:
    browser = Browser(client, "ja")
    marked = browser.open(address)
    monkeypatch.setattr(shell.phrases, "marked", lambda page: page)
    plain = browser.open(address)
    assert phrases.MARK in marked.text
    assert phrases.MARK not in plain.text
    assert marked.words == plain.words
    assert without_marks(marked) == without_marks(plain)
    assert "\u200b" not in marked.text


def without_marks(screen: Screen) -> list[tuple[str, dict[str, str | None]]]:
    return [one for one in screen.tags if one[0] != "wbr" and one != ("span", {"class": "whole"})]


def test_only_japanese_is_looked_at(client: FlaskClient) -> None:
    browser = Browser(client, "fr")
    assert phrases.MARK not in browser.open("/rules/navajo-wars/nw:5.2.4").text
    beside = browser.open("/rules/navajo-wars/nw:5.2.4?and=ja").text
    assert phrases.MARK in beside.partition('lang="ja"')[2]
