"""The rules assistant over HTTP: rules, issues, terms and sources, in the reader's language."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import pytest
from flask.testing import FlaskClient

from engine.catalogue import Catalogue
from service import search
from service.app import create_app
from service.games import GAMES
from service.terms import LANGUAGES

PUBLISHED = Path(__file__).parents[1] / "catalogue" / "published-rule-ids.txt"
NAVAJO = "/v1/games/navajo-wars"
GAME_NAMES = sorted(GAMES)


@pytest.fixture(scope="module")
def client() -> Iterator[FlaskClient]:
    with create_app().test_client() as asking:
        yield asking


def get(client: FlaskClient, path: str, **query: Any) -> dict[str, Any]:
    answer = client.get(path, query_string=query)
    assert answer.status_code == 200, answer.get_data(as_text=True)
    body: dict[str, Any] = answer.get_json()
    return body


# -- every rule has a text in every language -----------------------------------------------------------


@pytest.mark.parametrize("game", GAME_NAMES)
def test_every_rule_has_a_text_and_every_text_a_rule(game: str) -> None:
    catalogue: Catalogue = GAMES[game].catalogue
    assert set(catalogue.texts) == set(catalogue.rules)


@pytest.mark.parametrize("game", GAME_NAMES)
def test_no_rule_is_shown_in_english_to_another_reader(client: FlaskClient, game: str) -> None:
    for rule in get(client, f"/v1/games/{game}/everything.json")["rules"]:
        for lang in ("fr", "it", "ja"):
            assert rule["text"][lang] != rule["text"]["en"], (rule["id"], lang)


def test_a_rule_tells_everything_that_is_known_of_it(client: FlaskClient) -> None:
    rule = get(client, f"{NAVAJO}/rules/nw:5.2.4.natural-6", lang="ja")
    assert rule["section"] == "5.2.4"
    assert "回避" in rule["title"] + rule["text"]
    assert "evade-on-6" in rule["issues"]
    assert rule["sources"]
    assert rule["actions"] == ["evade"] or "evade" in rule["actions"]
    request = rule["example"]["request"]
    assert client.post(f"{NAVAJO}/check", json=request).status_code == 200


def test_four_languages_side_by_side(client: FlaskClient) -> None:
    rule = get(client, f"{NAVAJO}/rules/nw:5.2.1", lang="all")
    assert set(rule["text"]) == set(LANGUAGES)
    assert len(set(rule["text"].values())) == 4


def test_a_section_lists_its_parts_and_relations_go_both_ways(client: FlaskClient) -> None:
    rule = get(client, f"{NAVAJO}/rules/nw:5.2.4")
    assert "nw:5.2.4.natural-1" in rule["parts"]
    catalogue = GAMES["navajo-wars"].catalogue
    one = next(issue for issue in catalogue.issues.values() if len(issue.rules) > 1)
    first, second = one.rules[:2]
    assert second in get(client, f"{NAVAJO}/rules/{first}")["related"]
    assert first in get(client, f"{NAVAJO}/rules/{second}")["related"]


# -- addresses that last -------------------------------------------------------------------------------


def test_no_published_rule_id_ever_dies(client: FlaskClient) -> None:
    known = {rule for game in GAMES.values() for rule in (*game.catalogue.rules, *game.catalogue.renamed)}
    lost = [rule for rule in PUBLISHED.read_text().split() if rule not in known]
    assert not lost, "add them to `renamed` in rules.toml"


def test_every_rule_id_is_published() -> None:
    published = set(PUBLISHED.read_text().split())
    new = sorted({rule for game in GAMES.values() for rule in game.catalogue.rules} - published)
    assert not new, f"add to {PUBLISHED.name}: {new}"


def test_a_rule_is_found_by_the_number_it_is_printed_under(client: FlaskClient) -> None:
    answer = client.get("/v1/games/navajo-wars/rules/5.2.4?lang=ja", follow_redirects=True)
    assert answer.status_code == 200
    assert answer.get_json()["id"] == "nw:5.2.4"
    assert answer.headers["Content-Language"] == "ja"
    assert client.get("/v1/games/navajo-wars/rules/99.9").status_code == 404


def test_a_renamed_rule_answers_with_its_new_address(
    client: FlaskClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(GAMES["navajo-wars"].catalogue.renamed, "nw:5.2.4.old", "nw:5.2.4.natural-1")
    answer = client.get(f"{NAVAJO}/rules/nw:5.2.4.old?lang=it")
    assert answer.status_code == 308
    assert answer.headers["Location"].endswith("/rules/nw:5.2.4.natural-1?lang=it")


def test_what_does_not_exist_is_a_404_in_the_readers_language(client: FlaskClient) -> None:
    for path, code in (
        ("rules/nw:9.9", "unknown-rule"),
        ("issues/C99", "unknown-dispute"),
        ("terms/x", "unknown-term"),
    ):
        answer = client.get(f"{NAVAJO}/{path}", headers={"Accept-Language": "it"})
        assert answer.status_code == 404
        assert answer.get_json()["code"] == code
        assert answer.get_json()["lang"] == "it"


@pytest.mark.parametrize(
    "path", ["rules?q=fuga", "rules/nw:5.2.4", "terms", "issues", "sources", "everything.json"]
)
def test_the_second_request_is_a_304(client: FlaskClient, path: str) -> None:
    first = client.get(f"{NAVAJO}/{path}")
    assert "max-age" in first.headers["Cache-Control"]
    second = client.get(f"{NAVAJO}/{path}", headers={"If-None-Match": first.headers["ETag"]})
    assert (second.status_code, second.data) == (304, b"")


# -- finding -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("question", "rule"),
    [
        ("5.2.4", "nw:5.2.4"),
        ("nw:5.2.4.natural-1", "nw:5.2.4.natural-1"),
        ("§ 4.2.11", "nw:4.2.11"),
    ],
)
def test_a_section_number_goes_straight_there(client: FlaskClient, question: str, rule: str) -> None:
    assert get(client, f"{NAVAJO}/rules", q=question)["hits"][0]["id"] == rule


@pytest.mark.parametrize(
    ("word", "concept"),
    [
        ("獐猛度", "Ferocity"),
        ("Buid", "Build"),
        ("agguato", "Ambush"),
        ("Estraneo", "Intruder"),
        ("s'évader", "Evade"),
    ],
)
def test_misprints_and_synonyms_find_their_rule(client: FlaskClient, word: str, concept: str) -> None:
    found = get(client, f"{NAVAJO}/rules", q=word, lang="en")["hits"][:3]
    assert any(concept in hit["title"] + hit["text"] for hit in found), [hit["title"] for hit in found]


def test_a_question_in_one_language_is_answered_in_another(client: FlaskClient) -> None:
    hits = get(client, f"{NAVAJO}/rules", q="quanto costa muovere con un fortino?", lang="ja")["hits"]
    assert "nw:3.2.2.fort-surcharge" in [hit["id"] for hit in hits[:3]]
    assert "砦" in hits[0]["title"] + hits[0]["text"]


def test_the_hit_is_marked(client: FlaskClient) -> None:
    hit = get(client, f"{NAVAJO}/rules", q="unmodified 1 evade", lang="en", limit=1)["hits"][0]
    assert "‹" in hit["snippet"]
    assert hit["snippet"].replace("‹", "").replace("›", "") == hit["text"]


def test_the_hit_is_marked_in_every_language(client: FlaskClient) -> None:
    hit = get(client, f"{NAVAJO}/rules", q="unmodified 1 evade", lang="all", limit=1)["hits"][0]
    assert set(hit["snippet"]) == {"en", "fr", "it", "ja"}
    for lang, text in hit["snippet"].items():
        assert text.replace("‹", "").replace("›", "") == hit["text"][lang]


def test_nothing_found_says_what_was_searched(client: FlaskClient) -> None:
    body = get(client, f"{NAVAJO}/rules", q="zzzzqqq", lang="en")
    assert body["hits"] == []
    assert "zzzzqqq" in body["text"]


@pytest.mark.parametrize("path", ["rules", "rules?q=", "rules?q=%20%E3%80%80"])
def test_an_empty_question_is_asked_for_in_the_readers_language(client: FlaskClient, path: str) -> None:
    said = set()
    for lang in LANGUAGES:
        answer = client.get(f"{NAVAJO}/{path}", headers={"Accept-Language": lang})
        assert answer.status_code == 422
        (error,) = answer.get_json()["errors"]
        assert (error["pointer"], error["code"]) == ("/q", "no-question")
        assert "5.2.4" in error["detail"]
        said.add(error["detail"])
    assert len(said) == len(LANGUAGES)


@pytest.mark.parametrize(
    "question", ["l'attaque", '"', "(", "a OR b NOT", "*", "NEAR(a b)", "title:x", "\x00", "🐎", "%_"]
)
def test_no_question_breaks_the_search(client: FlaskClient, question: str) -> None:
    for lang in LANGUAGES:
        get(client, f"{NAVAJO}/rules", q=question, lang=lang)


def test_a_long_question_is_refused(client: FlaskClient) -> None:
    get(client, f"{NAVAJO}/rules", q="a" * search.MOST_CHARACTERS)
    answer = client.get(
        f"{NAVAJO}/rules", query_string={"q": "a" * (search.MOST_CHARACTERS + 1), "lang": "fr"}
    )
    assert answer.status_code == 422
    assert answer.get_json()["errors"][0] | {"detail": ""} == {
        "pointer": "/q",
        "code": "too-long",
        "detail": "",
    }


# -- issues, terms, sources ----------------------------------------------------------------------------


def test_issues_by_number_and_by_name(client: FlaskClient) -> None:
    under = get(client, f"{NAVAJO}/issues/C14", lang="fr")["issues"]
    assert {issue["name"] for issue in under} == {"evade-on-6", "evade-natural-1", "evade-onto-raid-counter"}
    (one,) = get(client, f"{NAVAJO}/issues/ambush-ap-cost", lang="fr")["issues"]
    assert one["preferred"] in [choice["value"] for choice in one["choices"]]


def test_what_becomes_of_a_retreat_that_is_not_possible_is_an_issue_of_julian(client: FlaskClient) -> None:
    (one,) = get(client, "/v1/games/julian/issues/C80", lang="en")["issues"]
    assert one["name"] == "retreat-not-possible"


def test_terms_are_found_by_any_form(client: FlaskClient) -> None:
    for word in ("Fuga", "回避", "Évasion", "Evade"):
        assert "nw.reaction.evade" in [term["id"] for term in get(client, f"{NAVAJO}/terms", q=word)["terms"]]
    (term,) = get(client, f"{NAVAJO}/terms/nw.reaction.evade")["terms"]
    assert term["it"]["source"].startswith("002")
    assert "nw:5.2.4" in term["rules"]


@pytest.mark.parametrize("word", ["まちぶせ", "マチブセ", "ﾏﾁﾌﾞｾ", "アンブッシュ"])
def test_a_japanese_term_is_found_by_its_reading(client: FlaskClient, word: str) -> None:
    found = [term["id"] for term in get(client, f"{NAVAJO}/terms", q=word)["terms"]]
    assert "nw.reaction.ambush" in found


def test_terms_we_translated_say_so(client: FlaskClient) -> None:
    found = get(client, "/v1/games/julian/terms")["terms"]
    assert any(term["ja"]["translated_by_us"] for term in found)
    assert any(term["fr"]["source"] for term in found)


def test_the_termbase_as_csv_and_tbx(client: FlaskClient) -> None:
    rows = list(csv.DictReader(io.StringIO(client.get(f"{NAVAJO}/terms.csv").get_data(as_text=True))))
    tree = ET.fromstring(client.get(f"{NAVAJO}/terms.tbx").data)
    entries = tree.findall(".//{*}conceptEntry")
    assert len(rows) == len(entries) == 373
    assert rows[0]["fr"]
    assert rows[0]["ja"]


def test_sources_name_all_documents(client: FlaskClient) -> None:
    found = {source["id"] for source in get(client, f"{NAVAJO}/sources", lang="it")["sources"]}
    assert found == {"000", "001", "002", "004", "errata", "facts"}
    julian = get(client, f"{NAVAJO.replace('navajo-wars', 'julian')}/sources", lang="it")
    assert {source["id"] for source in julian["sources"]} == {"003", "facts"}
