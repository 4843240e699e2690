"""POST …/check keeps the contract of api.md, field by field, in four languages."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from flask.testing import FlaskClient

from engine import codec
from service import table, terms
from tests.service.sent import AMBUSH, CHECK, EVADE, LANGUAGES, put, without
from tests.shown import components

Ask = Callable[..., dict[str, Any]]

FIELDS = [
    "game",
    "lang",
    "ruling",
    "refused",
    "accepted",
    "headline",
    "outcome",
    "reasons",
    "unknowns",
    "cautions",
    "passed",
    "assumed",
    "events",
    "pending",
    "position",
    "changes",
    "told",
    "issues",
]
# An Ambush that may be tried; its Battle asks for dice, then for the result off the printed table.
ALLOWED_AMBUSH = put(
    put(AMBUSH, ("position", "tracks"), {"ap": 2, "military": 3, "culture": 6, "enemy_ferocity": 1}),
    ("position", "families", "C", "horse"),
    False,
)


# -- the request of api.md ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("lang", "term"),
    [
        ("en", "Military Points"),
        ("fr", "Military Points"),
        ("it", "Punti Militari"),
        ("ja", "軍事ポイント"),
    ],
)
def test_an_ambush_without_military_points_is_refused_in_each_languages_own_words(
    ask: Ask, lang: str, term: str
) -> None:
    answer = ask({**AMBUSH, "lang": lang})
    (reason,) = answer["reasons"]
    assert answer["ruling"] == "illegal"
    assert answer["lang"] == lang
    assert reason["name"] == "ambush-without-military"
    assert reason["rules"] == ["nw:5.2.1"]
    assert reason["pointer"] == "/tracks/military"
    assert reason["params"] == {"have": 0}
    assert term in reason["text"]
    assert "0" in reason["text"]
    assert reason["text"] in answer["headline"]
    assert "5.2.1" in answer["headline"]


def test_the_four_refusals_are_four_sentences_with_each_languages_word_for_ambush(ask: Ask) -> None:
    headlines = {lang: ask({**AMBUSH, "lang": lang})["headline"] for lang in LANGUAGES}
    assert len(set(headlines.values())) == 4
    ambush = terms.load()["nw.reaction.ambush"]
    for lang, headline in headlines.items():
        assert terms.uses(headline, ambush, lang), headline  # type: ignore[arg-type]


def test_every_field_of_the_answer(ask: Ask) -> None:
    answer = ask(AMBUSH)
    assert list(answer) == FIELDS
    assert answer["game"] == "navajo-wars"
    assert answer["unknowns"] == answer["cautions"] == answer["events"] == answer["changes"] == []
    assert answer["pending"] is None
    assert answer["position"] == AMBUSH["position"]
    for reason in [*answer["reasons"], *answer["passed"]]:
        assert list(reason) == ["name", "text", "rules", "params", "pointer"]
        assert all(rule.startswith("nw:") for rule in reason["rules"])
        assert reason["pointer"].startswith("/")
    passed = {one["name"]: one for one in answer["passed"]}
    assert passed["ambush-without-ferocity"]["params"] == {"family": "C", "have": 2}
    assert (
        passed["ambush-without-ferocity"]["text"]
        == "Family C has Ferocity 2, and an Ambush needs at least 1."
    )
    issue = next(one for one in answer["issues"] if one["name"] == "ambush-ap-cost")
    assert list(issue) == ["id", "name", "chosen", "preferred", "text", "reading", "chosen_by"]
    assert (issue["id"], issue["chosen"], issue["preferred"]) == ("C07", "one-ap", "one-ap")
    assert issue["text"]


def test_all_reasons_are_told_in_rulebook_order_and_the_first_is_the_headline(ask: Ask) -> None:
    poor = put(put(AMBUSH, ("position", "tracks", "ap"), 0), ("position", "families", "C", "ferocity"), 0)
    answer = ask(poor)
    assert [reason["name"] for reason in answer["reasons"]] == [
        "ambush-without-military",
        "ambush-without-ferocity",
        "reaction-without-ap",
    ]
    assert answer["headline"].endswith(answer["reasons"][0]["text"])


# -- an Evade, as issue 2 wants it shown -------------------------------------------------------------


def test_an_evade_with_a_4_ends_in_area_5(ask: Ask) -> None:
    answer = ask({**EVADE, "inputs": [{"die": 4}]})
    assert answer["ruling"] == "legal"
    assert answer["position"]["families"]["A"]["at"] == "shiprock-5"
    assert answer["changes"] == [
        {
            "pointer": "/families/A/at",
            "from": "shiprock-3",
            "to": "shiprock-5",
            "text": "Family A",
            "from_text": "Shiprock\N{NO-BREAK SPACE}#3",
            "to_text": "Shiprock\N{NO-BREAK SPACE}#5",
        }
    ]
    assert [event["name"] for event in answer["events"]] == [
        "evade-rolled",
        "evade-succeeded",
        "raid-goes-on",
    ]
    rolled = answer["events"][0]
    assert list(rolled) == ["name", "text", "rules", "params"]
    assert rolled["rules"] == ["nw:5.2.4.roll"]
    assert rolled["params"] == {"family": "A", "area": "shiprock-3", "die": 4, "modifier": "+1", "total": 5}
    assert answer["pending"] is None


def test_an_evade_with_a_1_fails(ask: Ask) -> None:
    answer = ask({**EVADE, "inputs": [{"die": 1}]})
    assert answer["ruling"] == "legal"
    assert answer["position"]["families"]["A"]["at"] == "shiprock-3"
    assert answer["changes"] == []
    assert answer["events"][0]["name"] == "evade-natural-1"


def test_an_evade_with_a_6_asks_where(ask: Ask) -> None:
    pending = ask({**EVADE, "inputs": [{"die": 6}]})["pending"]
    assert pending["kind"] == "decision"
    assert pending["name"] == "evade-where"
    assert pending["input"] == "choose"
    assert [option["value"] for option in pending["options"]] == [
        "shiprock-6",
        "canyon-de-chelly-1",
        "canyon-de-chelly-2",
        "canyon-de-chelly-3",
    ]
    assert all(option["text"] for option in pending["options"])


def test_an_evade_without_a_die_is_pending(ask: Ask) -> None:
    answer = ask(EVADE)
    assert answer["ruling"] == "legal"
    assert answer["events"] == []
    pending = answer["pending"]
    assert list(pending) == [
        "name",
        "kind",
        "text",
        "hint",
        "rules",
        "params",
        "form",
        "input",
        "procedure",
        "step",
        "options",
        "frames",
    ]
    assert pending["text"] in answer["headline"]
    del pending["text"]
    assert pending == {
        "kind": "chance",
        "name": "evade-roll",
        "hint": "Modifier: +1.",
        "input": "die",
        "procedure": "evade",
        "step": "roll",
        "rules": ["nw:5.2.4.roll", "nw:5.2.4.cost-free"],
        "params": {"family": "A", "modifier": "+1"},
        "form": {"type": "die"},
        "options": [],
        "frames": [
            {
                "procedure": "evade",
                "title": "Evade",
                "row": "roll",
                "row_title": "The Evasion roll",
                "noted": [{"name": "family", "text": "Family A"}],
            }
        ],
    }
    (frame,) = answer["position"]["agenda"]
    assert (frame["procedure"], frame["step"]) == ("evade", "roll")


@pytest.mark.parametrize("lang", LANGUAGES)
def test_an_evade_from_nowhere_asks_for_the_area(ask: Ask, lang: str) -> None:
    answer = ask({**without(EVADE, ("position", "families", "A", "at")), "lang": lang})
    assert answer["ruling"] == "undetermined"
    (unknown,) = answer["unknowns"]
    assert list(unknown) == ["name", "kind", "text", "rules", "params", "pointer", "form", "later"]
    assert unknown["rules"]
    assert (unknown["form"]["type"], unknown["form"]["of"]) == ("one", "place")
    assert unknown["kind"] == "fact"
    assert unknown["pointer"] == "/families/A/at"
    assert unknown["text"] in answer["headline"]
    assert answer["reasons"] == answer["events"] == answer["changes"] == []


# -- pending, and the two ways to go on --------------------------------------------------------------


@pytest.mark.parametrize(
    ("request_sent", "inputs"),
    [
        (EVADE, [{"die": 4}]),
        (EVADE, [{"die": 6}, {"choose": "canyon-de-chelly-2"}]),
        (ALLOWED_AMBUSH, [{"die": 5}, {"die": 2}, {"read": "FV"}]),
    ],
    ids=["evade", "evade to the Canyon", "ambush"],
)
def test_continuing_comes_to_the_same_as_sending_everything_again(
    ask: Ask, request_sent: dict[str, Any], inputs: list[dict[str, Any]]
) -> None:
    step_by_step = ask(request_sent)
    told = list(step_by_step["events"])
    for number, one in enumerate(inputs):
        again = ask({**request_sent, "inputs": inputs[: number + 1]})
        continued = {"position": step_by_step["position"], "action": {"kind": "continue"}, "inputs": [one]}
        step_by_step = ask(continued)
        told += step_by_step["events"]
        assert step_by_step["ruling"] == again["ruling"] == "legal"
        assert step_by_step["position"] == again["position"]
        assert step_by_step["pending"] == again["pending"]
        assert told == again["events"]


def test_a_reading_names_what_to_look_up_and_a_given_table_is_not_asked_for(ask: Ask) -> None:
    rolled = {**ALLOWED_AMBUSH, "inputs": [{"die": 5}, {"die": 2}]}
    pending = ask(rolled)["pending"]
    assert pending["kind"] == "reading"
    assert pending["input"] == "read"
    assert {"FV", "MFV"} <= {option["value"] for option in pending["options"]}
    with_table = ask({**rolled, "components": components("invented-for-tests.toml")})
    assert with_table["pending"] is None or with_table["pending"]["name"] != pending["name"]
    assert len(with_table["events"]) > len(ask(rolled)["events"])


def test_components_in_the_request_settle_what_was_unknown(ask: Ask) -> None:
    harass = put(
        put(AMBUSH, ("action",), {"kind": "harass", "family": "C", "area": "canyon-de-chelly-1"}),
        ("position", "tracks", "military"),
        3,
    )
    asked = {one["pointer"] for one in ask(harass)["unknowns"]}
    assert "/components/areas_apart/shiprock-4/canyon-de-chelly-1" in asked
    told = ask({**harass, "components": components("invented-for-tests.toml")})
    assert "/components/areas_apart/shiprock-4/canyon-de-chelly-1" not in {
        one["pointer"] for one in told["unknowns"]
    }


# -- answers that are not possible -------------------------------------------------------------------


@pytest.mark.parametrize(
    ("inputs", "name", "pointer"),
    [
        ([{"die": 7}], "die-out-of-range", "/inputs/0"),
        ([{"die": 0}], "die-out-of-range", "/inputs/0"),
        ([{"die": -1}], "die-out-of-range", "/inputs/0"),
        ([{"cube": "red"}], "answer-of-another-kind", "/inputs/0"),
        ([{"dice": [4]}], "answer-of-another-kind", "/inputs/0"),
        ([{"die": 6}, {"choose": "hopi-land-1"}], "choice-not-offered", "/inputs/1"),
        ([{"die": 6}, {"choose": None}], "choice-not-offered", "/inputs/1"),
        ([{"die": 6}, {"choose": 6}], "choice-not-offered", "/inputs/1"),
        ([{"die": 4}, {"die": 4}], "input-not-asked-for", "/inputs/1"),
        ([{"die": 6}, {"choose": "shiprock-6"}, {"read": "FV"}], "input-not-asked-for", "/inputs/2"),
    ],
)
def test_an_impossible_answer_is_illegal_and_nothing_is_applied(
    ask: Ask, inputs: list[dict[str, Any]], name: str, pointer: str
) -> None:
    for lang in LANGUAGES:
        answer = ask({**EVADE, "inputs": inputs, "lang": lang})
        assert answer["ruling"] == "illegal"
        (reason,) = answer["reasons"]
        assert (reason["name"], reason["pointer"]) == (name, pointer)
        assert reason["rules"], "every illegal verdict cites a rule"
        assert answer["position"] == EVADE["position"]
        assert answer["events"] == answer["changes"] == []
        good = int(pointer.removeprefix("/inputs/"))
        assert (answer["refused"], answer["accepted"]) == ("answer", good)
        before = ask({**EVADE, "inputs": inputs[:good], "lang": lang})
        assert answer["pending"] == before["pending"]
        assert answer["headline"] not in (before["headline"], reason["text"])
        assert answer["headline"].endswith(reason["text"])


def test_a_fact_that_the_outcome_of_a_die_needs_is_asked_and_told(ask: Ask) -> None:
    family = {key: value for key, value in EVADE["position"]["families"]["A"].items() if key != "ferocity"}
    position = put(put(EVADE, ("position", "families", "A"), family), ("position", "manuelito"), None)
    asked = ask({**position, "inputs": [{"die": 3}]})
    pending = asked["pending"]
    assert (asked["ruling"], pending["kind"], pending["input"]) == ("legal", "fact", "tell")
    assert pending["pointer"] == "/families/A/ferocity"
    assert pending["text"] in asked["headline"]
    told = {"tell": {pending["pointer"]: 2}}
    resent = ask({**position, "inputs": [{"die": 3}, told]})
    went_on = ask({"position": asked["position"], "action": {"kind": "continue"}, "inputs": [told]})
    whole = ask({**put(position, ("position", "families", "A", "ferocity"), 2), "inputs": [{"die": 3}]})
    assert resent["position"] == went_on["position"] == whole["position"]
    assert resent["events"] == went_on["events"] == whole["events"]
    first = {"pointer": "/families/A/ferocity", "to": 2, "told": True}
    assert resent["changes"][0] == {**first, "text": "Family A, Ferocity", "to_text": "2"}
    assert resent["changes"][1:] == whole["changes"]


def test_told_components_and_choices_come_back(ask: Ask) -> None:
    told = {"/choices/ambush-ap-cost": "one-ap", "/components/counter_limits": {"mission": 6}}
    answer = ask({**AMBUSH, "inputs": [{"tell": {**told, "/tracks/military": 3}}]})
    assert answer["told"] == told
    assert answer["position"]["tracks"]["military"] == 3
    (change,) = [change for change in answer["changes"] if change.get("told")]
    assert (change["pointer"], change["from"], change["to"]) == ("/tracks/military", 0, 3)


def test_an_input_for_an_action_that_asks_nothing_is_refused(ask: Ask) -> None:
    answer = ask({**AMBUSH, "action": {"kind": "continue"}, "inputs": [{"die": 3}]})
    assert [reason["name"] for reason in answer["reasons"]] == ["nothing-under-way"]


def test_2_0_is_the_whole_number_2(ask: Ask) -> None:
    assert ask({**EVADE, "inputs": [{"die": 4.0}]}) == ask({**EVADE, "inputs": [{"die": 4}]})
    assert codec.read_inputs([{"choose": [2.0]}, {"read": {"by": -1.0}}]) == codec.read_inputs(
        [{"choose": [2]}, {"read": {"by": -1}}]
    )
    assert [type(value) for _, value in codec.read_inputs([{"choose": 2.0}, {"choose": 2.5}])] == [int, float]
    floats = json.loads(json.dumps(AMBUSH), parse_int=float)
    assert ask(floats)["reasons"] == ask(AMBUSH)["reasons"]


# -- illegal and undetermined give back what was sent ------------------------------------------------


@pytest.mark.parametrize(
    ("position", "action", "ruling"),
    [
        ('{"tracks":{ "military":0 , "ap":2.0},\n "families":{"C":{}}}', '{"kind":"ambush","family":"C"}', "illegal"),
        ('{ "areas" : {}, "period":"spanish" }', '{"kind":"evade","family":"A"}', "undetermined"),
        ("{}", '{"kind":"continue"}', "illegal"),
    ],
)  # fmt: skip
def test_the_position_comes_back_to_the_byte_as_sent(
    client: FlaskClient, position: str, action: str, ruling: str
) -> None:
    body = f'{{"position":{position},"action":{action}}}'
    response = client.post(CHECK, data=body, content_type="application/json")
    assert response.get_json()["ruling"] == ruling
    assert f'"position":{position},"changes":[]' in response.get_data(as_text=True)


def test_what_was_not_told_is_not_told_afterwards_and_null_stays_null(ask: Ask) -> None:
    sent = put(EVADE, ("position", "manuelito"), None)
    after = ask({**sent, "inputs": [{"die": 4}]})["position"]
    assert after["manuelito"] is None
    assert set(after) == {"period", "families", "areas", "manuelito", "format"}


# -- the documents' disagreements --------------------------------------------------------------------


@pytest.mark.parametrize("key", ["ambush-ap-cost", "C07"])
def test_a_reading_is_chosen_by_name_or_by_id(ask: Ask, key: str) -> None:
    poor = put(ALLOWED_AMBUSH, ("position", "tracks", "ap"), 0)
    assert [one["name"] for one in ask(poor)["reasons"]] == ["reaction-without-ap"]
    free = ask({**poor, "choices": {key: "free"}})
    assert free["ruling"] == "legal"
    issue = next(one for one in free["issues"] if one["id"] == "C07")
    assert (issue["name"], issue["chosen"], issue["preferred"]) == ("ambush-ap-cost", "free", "one-ap")
    assert (issue["reading"], issue["chosen_by"]) == ("An Ambush costs nothing.", "player")
    assert "Read here" not in issue["text"]


def test_only_the_issues_that_were_consulted_are_named(ask: Ask) -> None:
    assert {one["name"] for one in ask({**EVADE, "inputs": [{"die": 6}]})["issues"]} == {"evade-on-6"}


# -- languages ---------------------------------------------------------------------------------------


def worded(value: Any, key: str = "") -> Iterator[Any]:
    """Everything in an answer that is a sentence for the reader."""
    if key in ("text", "headline", "title"):
        yield value
    elif isinstance(value, dict):
        for name, inner in value.items():
            yield from worded(inner, name)
    elif isinstance(value, list):
        for inner in value:
            yield from worded(inner)


@pytest.mark.parametrize(
    "request_sent",
    [
        AMBUSH,
        {**EVADE, "inputs": [{"die": 6}]},
        {**ALLOWED_AMBUSH, "inputs": [{"die": 5}, {"die": 2}]},
        without(EVADE, ("position", "areas")),
    ],
    ids=["illegal", "pending", "reading", "undetermined"],
)
def test_all_languages_side_by_side(ask: Ask, request_sent: dict[str, Any]) -> None:
    side_by_side = ask({**request_sent, "lang": "all"})
    assert side_by_side["lang"] == "all"
    sentences = list(worded(side_by_side))
    assert len(sentences) > 1
    for sentence in sentences:
        assert list(sentence) == list(LANGUAGES)
        assert all(isinstance(text, str) and text for text in sentence.values())
    for lang in LANGUAGES:
        alone = list(worded(ask({**request_sent, "lang": lang})))
        assert [sentence[lang] for sentence in sentences] == alone


def test_all_languages_are_named_in_the_header(client: FlaskClient) -> None:
    response = client.post(CHECK, json={**AMBUSH, "lang": "all"})
    assert response.headers["Content-Language"] == "en, fr, it, ja"


@pytest.mark.parametrize(
    ("accepted", "lang"),
    [
        ("fr-FR,en-US;q=0.7", "fr"),
        ("fr-FR,en-US;q=0.7,en;q=0.3", "fr"),
        ("en-US,fr;q=0.9", "en"),
        ("FR-ca", "fr"),
        ("fr;q=0.3,it;q=0.8", "it"),
        ("de,nl;q=0.9,ja;q=0.1", "ja"),
        ("fr;q=0,it;q=0.1", "it"),
        ("fr-CA;q=0,it;q=0.1", "it"),
        ("fr-CA;q=0", "en"),
        ("en;q=0,*", "fr"),
        ("*;q=0", "en"),
        ("fr;q=0", "en"),
        ("*", "en"),
        ("de,*;q=0.5", "en"),
        ("de", "en"),
        ("", "en"),
        ("fr;q=high", "en"),
        (";;q=,,=;%$§", "en"),
        ("x" * 4000, "en"),
    ],
)
def test_accept_language_decides_where_the_request_does_not(
    client: FlaskClient, accepted: str, lang: str
) -> None:
    response = client.post(CHECK, json=AMBUSH, headers={"Accept-Language": accepted})
    assert response.get_json()["lang"] == lang
    assert response.headers["Content-Language"] == lang
    assert response.headers["Vary"] == "Accept-Language"


def test_without_any_wish_the_answer_is_english(client: FlaskClient) -> None:
    response = client.post(CHECK, json=AMBUSH)
    assert response.get_json()["lang"] == response.headers["Content-Language"] == "en"


@pytest.mark.parametrize("operation", ["check", "check/batch", "options", "odds", "audit", "replay"])
def test_the_language_of_the_query_counts_where_the_body_names_none(
    client: FlaskClient, operation: str
) -> None:
    (asking,) = (one for one in table.operations() if one.path == f"/v1/games/navajo-wars/{operation}")
    assert asking.examples is not None
    sent = {**next(iter(asking.examples().values()))["value"]}
    sent.pop("lang", None)
    address = f"/v1/games/navajo-wars/{operation}?lang=fr"
    by_query = client.post(address, json=sent, headers={"Accept-Language": "it"})
    assert by_query.headers["Content-Language"] == by_query.get_json()["lang"] == "fr"
    assert client.post(address, json={**sent, "lang": "ja"}).get_json()["lang"] == "ja"
    refused = client.post(address.replace("fr", "tlh"), json=sent)
    assert [one["code"] for one in refused.get_json()["errors"]] == ["unknown-language"]


def test_a_name_of_the_query_that_is_not_known_is_passed_over(client: FlaskClient) -> None:
    assert client.get("/v1/games/navajo-wars/rules?q=ambush&limt=1").status_code == 200
    assert client.post(f"{CHECK}?limt=1", json=EVADE).status_code == 200


@pytest.mark.parametrize("lang", [*LANGUAGES, "all"])
def test_the_language_in_the_body_wins(client: FlaskClient, lang: str) -> None:
    response = client.post(CHECK, json={**AMBUSH, "lang": lang}, headers={"Accept-Language": "it,fr;q=0.5"})
    assert response.get_json()["lang"] == lang


# -- the lists ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("lang", LANGUAGES)
def test_games_are_listed(client: FlaskClient, lang: str) -> None:
    response = client.get("/v1/games", query_string={"lang": lang})
    assert response.headers["Content-Language"] == lang
    assert "Accept-Language" in response.headers["Vary"]
    game = next(one for one in response.get_json()["games"] if one["name"] == "navajo-wars")
    assert game["languages"] == list(LANGUAGES)
    assert {"ambush", "negotiate", "harass", "evade", "battle", "continue"} <= set(game["actions"])
    assert set(game["rules"]) <= {"enforced", "explained", "asked"}
    assert sum(game["rules"].values()) > 50
    cost = next(one for one in game["issues"] if one["name"] == "ambush-ap-cost")
    assert cost["id"] == "C07"
    assert cost["preferred"] in cost["choices"]


def test_every_action_kind_has_its_parameters_a_sentence_and_an_example(
    client: FlaskClient, ask: Ask
) -> None:
    for game in client.get("/v1/games").get_json()["games"]:
        listed = client.get(f"/v1/games/{game['name']}/actions?lang=all").get_json()
        assert [*(entry["kind"] for entry in listed["actions"]), "continue"] == game["actions"]
        for entry in listed["actions"]:
            assert list(entry["text"]) == list(LANGUAGES)
            assert entry["parameters"]["properties"]["kind"] == {"type": "string", "const": entry["kind"]}
            assert entry["example"], f"no worked example of {entry['kind']} can be shown"
            assert ask(entry["example"], path=f"/v1/games/{game['name']}/check")["ruling"]


def test_health(client: FlaskClient) -> None:
    health = client.get("/healthz").get_json()
    assert health["status"] == "ok"
    assert health["version"]


def test_any_web_page_may_ask(client: FlaskClient) -> None:
    assert client.post(CHECK, json=AMBUSH).headers["Access-Control-Allow-Origin"] == "*"
    before = client.options(CHECK, headers={"Origin": "https://example.org"})
    assert before.status_code == 200
    assert "POST" in before.headers["Access-Control-Allow-Methods"]
    assert "Content-Type" in before.headers["Access-Control-Allow-Headers"]
