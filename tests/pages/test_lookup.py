"""Rules, disputed points and terms: found, opened in one language or two, under addresses that last."""

from __future__ import annotations

import re
from concurrent.futures import ThreadPoolExecutor

import pytest
from flask import Flask
from flask.testing import FlaskClient
from markupsafe import escape

from service.games import GAMES
from service.languages import reader
from service.pages.lookup import linked
from service.terms import LANGUAGES, Language
from service.tokens import stem
from tests.pages.browser import Browser
from tests.pages.screen import Screen
from tests.pages.test_tables import begun

ADDRESSES = [
    "/rules/navajo-wars",
    "/rules/navajo-wars?q=ambush",
    "/rules/navajo-wars?q=zzzzzz",
    "/rules/navajo-wars/nw:5.2.4",
    "/rules/navajo-wars/nw:enemy-raid.bonus-limit?and=ja",
    "/issues/navajo-wars",
    "/issues/navajo-wars/C12",
    "/terms/navajo-wars?q=raid",
    "/terms/navajo-wars/nw.enemy_raid_counter",
    "/rules/julian?q=dux",
    "/rules/julian/jul:crt.AC.1?and=fr",
    "/issues/julian",
    "/terms/julian/jul.pool",
]


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("address", ADDRESSES)
def test_a_page_is_whole(client: FlaskClient, address: str, lang: str) -> None:
    screen = Browser(client, lang).open(address)
    assert screen.status == 200
    assert screen.ids.count("q") == 1
    assert f'<html lang="{lang}">' in screen.text
    assert "UNSET" not in screen.words, "an example has a name in English only"


@pytest.mark.parametrize(
    "address",
    [
        "/rules/chess",
        "/rules/navajo-wars/nw:99.9",
        "/issues/navajo-wars/C999",
        "/terms/navajo-wars/nw.nothing",
        "/terms/julian/nw.raid",
        "/issues/chess/C12",
        "/terms/chess",
    ],
)
def test_what_is_not_there_is_said_so(client: FlaskClient, address: str) -> None:
    screen = Browser(client).open(address)
    assert screen.status == 404
    assert "There is nothing at this address." in screen.words


def test_a_rule_is_found_by_words_and_opened(browser: Browser) -> None:
    screen = browser.open("/rules/navajo-wars?q=how+much+is+an+ambush%3F")
    hits = [link["href"] or "" for link in screen.links if link.get("class") == "hit"]
    assert any("5.2.1" in hit for hit in hits[:3])
    assert "<mark>Ambush</mark>" in screen.text
    assert browser.open(hits[0]).status == 200


def test_a_question_is_not_taken_for_markup(browser: Browser) -> None:
    screen = browser.open("/rules/navajo-wars?q=%3Cscript%3Ealert(1)%3C/script%3E")
    assert screen.status == 200
    assert "<script>alert" not in screen.text


def test_nothing_found_says_what_helps(browser: Browser) -> None:
    screen = browser.open("/rules/navajo-wars?q=zzzzzz")
    assert "No rule was found" in screen.words


def test_two_languages_side_by_side(browser: Browser) -> None:
    screen = browser.open("/rules/navajo-wars/nw:5.2.4?and=ja")
    sides = [fields.get("lang") for tag, fields in screen.tags if tag == "article"]
    assert sides == ["en", "ja"]
    alone = browser.open("/rules/navajo-wars/nw:5.2.4?and=en")
    assert [fields.get("lang") for tag, fields in alone.tags if tag == "article"] == ["en"]


def test_a_rule_that_was_renamed_is_still_found(client: FlaskClient) -> None:
    for name, game in GAMES.items():
        for old, new in list(game.catalogue.renamed.items())[:3]:
            response = client.get(f"/rules/{name}/{old}")
            assert response.status_code == 308
            assert response.headers["Location"] == f"/rules/{name}/{new}"


@pytest.mark.parametrize("lang", LANGUAGES)
def test_terms_in_a_text_lead_to_their_page(lang: Language) -> None:
    game, speaks = GAMES["navajo-wars"], reader(lang)
    found = 0
    for _, text in list(game.catalogue.texts.values())[:100]:
        words = speaks.say(text, {})
        shown = str(linked(game, f"<{words}", lang))
        assert re.sub(r"<[^>]*>", "", shown) == str(escape(f"<{words}")), "not a letter is lost"
        found += len(re.findall(r'href="/terms/navajo-wars/nw\.[\w.]+"', shown))
    assert found > 100


@pytest.mark.parametrize(
    "address", ["/rules/navajo-wars/nw:5.2.4", "/terms/navajo-wars/nw.enemy_raid_counter"]
)
def test_a_document_is_named_by_more_than_its_number(browser: Browser, address: str) -> None:
    said = browser.open(address).words
    assert "002 · Rulebook of Navajo Wars, living rules of January 2014: all sections. Italiano" in said
    assert "004 · Raid charts of Navajo Wars" in said
    assert "003 ·" not in said, "only documents that are named there"
    assert "000 ·" not in said


def test_every_link_of_a_rule_leads_somewhere(client: FlaskClient) -> None:
    browser = Browser(client)
    screen = browser.open("/rules/navajo-wars/nw:5.2.1")
    for link in {link["href"] or "" for link in screen.links} - {"#q"}:
        assert browser.open(link).status == 200, link


def test_a_dispute_is_read_otherwise_in_a_play(app: Flask) -> None:
    browser = begun(app)
    play = browser.play
    screen = browser.open(f"/issues/navajo-wars/C12?play={play}")
    assert "current reading" in screen.words
    form = screen.form("/readings")
    (other,) = [one for one in form.buttons if one.name == "reading"]
    browser.tap(other)
    again = browser.open(f"/issues/navajo-wars/C12?play={play}")
    assert other.value not in [one.value for one in again.form("/readings").buttons]
    looking_on = Screen(app.test_client().get(f"/issues/navajo-wars/C12?play={play}"))
    assert not [one for form in looking_on.forms for one in form.buttons if one.name == "reading"]


def test_many_may_search_at_once() -> None:
    """Stems are found one at a time: whoever types asks again before the last answer is there."""
    words = [f"imboscat{ending}zione{number}" for number, ending in enumerate("aeiou" * 200)]
    alone = [stem.__wrapped__(word, "it") for word in words]
    with ThreadPoolExecutor(8) as hands:
        together = list(hands.map(lambda word: stem.__wrapped__(word, "it"), words))
    assert together == alone


def test_a_dispute_is_marked_once_however_many_choices_it_has(browser: Browser) -> None:
    split = [one for one in GAMES["navajo-wars"].catalogue.issues.values() if one.id == "C03"]
    assert len(split) == 2
    (rule, *_) = set(split[0].rules) & set(split[1].rules)
    screen = browser.open(f"/rules/navajo-wars/{rule}")
    marks = [link["href"] for link in screen.links if link.get("class") == "issue"]
    assert marks.count("/issues/navajo-wars/C03") == 1
