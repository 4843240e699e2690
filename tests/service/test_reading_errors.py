"""What is wrong with a request is said whole, in its order, with what could stand there; what is clear is understood."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from flask.testing import FlaskClient

from engine.navajo_wars.map import AREAS, PLACES, TERRITORIES, PlaceRef
from ruleglot.cli import main
from service.languages import reader
from tests.service.sent import AMBUSH, CHECK, EVADE, LANGUAGES, put

AUDIT, REPLAY = CHECK.replace("check", "audit"), CHECK.replace("check", "replay")
JULIAN = CHECK.replace("navajo-wars", "julian")


def sent(client: FlaskClient, path: str, body: Any, lang: str = "en") -> Any:
    """The answer to a body whose keys stay in their order."""
    text = body if isinstance(body, str | bytes) else json.dumps(body)
    return client.post(path, data=text, content_type="application/json", headers={"Accept-Language": lang})


def errors(client: FlaskClient, path: str, body: Any, status: int = 422) -> list[tuple[str, str]]:
    response = sent(client, path, body)
    assert response.status_code == status, response.get_data(as_text=True)
    return [(error["code"], error["pointer"]) for error in response.get_json()["errors"]]


def detail(client: FlaskClient, body: Any, lang: str = "en") -> str:
    (error,) = sent(client, CHECK, body, lang).get_json()["errors"]
    return str(error["detail"])


def answered(client: FlaskClient, path: str, body: Any) -> dict[str, Any]:
    response = sent(client, path, body)
    assert response.status_code == 200, response.get_data(as_text=True)
    answer: dict[str, Any] = response.get_json()
    return answer


# -- everything at once, in the order of the request -------------------------------------------------

WRONG = {
    "lang": "de",
    "inputs": [{"die": "4"}, {}, {"coin": 1}],
    "action": {"kind": "harass", "area": "mars-1"},
    "position": {
        "agenda": [
            {"procedure": "evade", "step": "rol", "memory": {"family": "Z"}},
            {"procedure": "war", "step": "x"},
        ],
        "tracks": {"military": "x", "ap": 77, "mourning": 1},
        "families": {"Z": {}, "C": {"at": 3}},
    },
    "choices": {"who-wins": "me", "C07": "two-ap"},
    "components": {"connections": [["shiprock-1"]], "area_values": {"shiprock-1": 10}},
    "spam": 1,
}
FOUND = [
    ("unknown-language", "/lang"),
    ("wrong-type", "/inputs/0/die"),
    ("not-one-answer", "/inputs/1"),
    ("unknown-field", "/inputs/2/coin"),
    ("missing-field", "/action/family"),
    ("unknown-value", "/action/area"),
    ("unknown-step", "/position/agenda/0/step"),
    ("unknown-value", "/position/agenda/0/memory/family"),
    ("unknown-procedure", "/position/agenda/1/procedure"),
    ("wrong-type", "/position/tracks/military"),
    ("out-of-range", "/position/tracks/ap"),
    ("unknown-field", "/position/tracks/mourning"),
    ("unknown-name", "/position/families/Z"),
    ("wrong-type", "/position/families/C/at"),
    ("unknown-issue", "/choices/who-wins"),
    ("unknown-choice", "/choices/C07"),
    ("out-of-range", "/components/connections/0"),
    ("out-of-range", "/components/area_values/shiprock-1"),
    ("unknown-field", "/spam"),
]


def test_everything_wrong_is_said_at_once_in_the_order_of_the_request(client: FlaskClient) -> None:
    assert errors(client, CHECK, WRONG) == FOUND


@pytest.mark.parametrize("first", ["position", "action", "choices", "spam"])
def test_the_order_is_that_of_the_request_and_not_of_the_schema(client: FlaskClient, first: str) -> None:
    turned = {first: WRONG[first], **WRONG}
    begins = [error for error in FOUND if error[1].startswith(f"/{first}")]
    assert errors(client, CHECK, turned)[: len(begins)] == begins


def test_all_that_only_the_engine_looks_at_is_said_too(client: FlaskClient) -> None:
    body = put(EVADE, ("choices",), {"C07": "two-ap", "x": "y"})
    body = put(
        body, ("position", "agenda"), [{"procedure": "evade", "step": "roll", "memory": {"family": "Z"}}]
    )
    assert errors(client, CHECK, body) == [
        ("unknown-value", "/position/agenda/0/memory/family"),
        ("unknown-choice", "/choices/C07"),
        ("unknown-issue", "/choices/x"),
    ]


def test_all_moves_of_a_replay_are_looked_at(client: FlaskClient) -> None:
    moves = [
        {"action": {"kind": "evade", "family": "Z"}},
        {},
        {"inputs": [{"die": "x"}], "position": {"tracks": {"ap": 20}}, "expected": {"ruling": "maybe"}},
    ]
    assert errors(client, REPLAY, {"position": {}, "moves": moves}) == [
        ("unknown-value", "/moves/0/action/family"),
        ("wrong-type", "/moves/2/inputs/0/die"),
        ("out-of-range", "/moves/2/position/tracks/ap"),
        ("unknown-value", "/moves/2/expected/ruling"),
    ]


# -- where it is no JSON -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "line", "column"),
    [
        ('{"position": {}, }', 1, 16),
        ('{\n  "position": {},\n  "action": oops\n}', 3, 13),
        ('{\n  "position": {}\n', 3, 1),
        (b'{\n  "position": \xff}', 2, 15),
        (b"\xef\xbb\xbf{}", 1, 1),
        (" ", 1, 1),
    ],
)
def test_line_and_character_are_said(client: FlaskClient, text: str | bytes, line: int, column: int) -> None:
    said = set()
    for lang in LANGUAGES:
        problem = sent(client, CHECK, text, lang).get_json()
        assert (problem["status"], problem["code"]) == (400, "not-json")
        (error,) = problem["errors"]
        assert (error["code"], error["pointer"]) == ("not-json", "")
        assert str(line) in error["detail"]
        assert str(column) in error["detail"]
        said.add(error["detail"])
    assert len(said) == len(LANGUAGES)


# -- what could stand there --------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("path", "value", "hint"),
    [
        (("position", "period"), "mexico", "american, mexican, or spanish"),
        (("position", "familys"), {}, "families"),
        (("position", "families", "G"), {}, "A, B, C, D, E, or F"),
        (("position", "families", "C", "at"), "shiprok-4", "shiprock-4"),
        (("action", "kind"), "ambusch", "ambush"),
        (("position", "agenda"), [{"procedure": "evade", "step": "rol"}], "roll"),
        (("choices",), {"ambush-ap-costs": "free"}, "ambush-ap-cost"),
        (("choices",), {"C07": "two"}, "one-ap or free"),
    ],
)
def test_possible_or_nearest_values_are_said(client: FlaskClient, path: Any, value: Any, hint: str) -> None:
    body = put(AMBUSH, path, value)
    assert hint in detail(client, body)
    assert len({detail(client, body, lang) for lang in LANGUAGES}) == len(LANGUAGES)


@pytest.mark.parametrize("lang", LANGUAGES)
def test_nothing_is_guessed_where_nothing_is_near(client: FlaskClient, lang: str) -> None:
    said = detail(client, put(AMBUSH, ("position", "families", "C", "at"), "qqqqqqqq"), lang)
    assert not [area for area in AREAS if area in said]


@pytest.mark.parametrize(
    ("path", "value", "words"),
    [
        (("position", "tracks", "ap"), 20, "at most 19"),
        (("position", "tracks", "ap"), -1, "at least 0"),
        (("position", "elders"), [0] * 8, "a list […], number of entries at most 7"),
        (
            ("components",),
            {"counter_limits": {"x" * 41: 1}},
            "a text, number of characters at most 40",
        ),
        (("position", "activation"), "B", "an object {…} or nothing"),
    ],
)
def test_ranges_and_types_read_as_words(client: FlaskClient, path: Any, value: Any, words: str) -> None:
    assert words in detail(client, put(AMBUSH, path, value))


# -- names that look like another program's sentences ------------------------------------------------

HOSTILE = [
    "a - at `$.x[...]",
    "a - at `$[0][...]",
    "a - at `$.x",
    "`key` in `$`",
    "%(given)s",
    "$ref",
    "default",
]


@pytest.mark.parametrize("name", HOSTILE)
@pytest.mark.parametrize(
    ("path", "body"),
    [
        (CHECK, {"position": {"NAME": 1}, "action": {"kind": "cube-reset"}}),
        (AUDIT, {"position": {"NAME": 1}}),
        (JULIAN, {"position": {}, "action": {"kind": "next-phase", "NAME": 1}}),
        (CHECK, {"position": {}, "action": {"kind": "cube-reset"}, "components": {"NAME": 1}}),
        (CHECK, {"position": {}, "action": {"kind": "cube-reset"}, "inputs": [{"NAME": 1}]}),
        (REPLAY, {"position": {}, "moves": [{"action": {"kind": "cube-reset", "NAME": 1}}]}),
    ],
)
def test_a_field_of_any_name_is_a_field(client: FlaskClient, path: str, body: Any, name: str) -> None:
    text = json.dumps(body).replace('"NAME"', json.dumps(name))
    ((code, pointer),) = errors(client, path, text)
    assert code == "unknown-field"
    assert pointer.endswith("/" + name.replace("~", "~0").replace("/", "~1"))
    assert f"“{name}”" in sent(client, path, text).get_json()["detail"]


@pytest.mark.parametrize("name", HOSTILE)
def test_a_value_of_any_name_is_a_value(client: FlaskClient, name: str) -> None:
    assert f"“{name}”" in detail(client, put(AMBUSH, ("position", "period"), name))


# -- places as answers print them --------------------------------------------------------------------


def printed(place: str, lang: Any) -> str:
    return reader(lang).say(*PlaceRef(place).phrase())


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_place_is_understood_as_it_is_printed(client: FlaskClient, lang: str) -> None:
    for place in PLACES:
        body = put(EVADE, ("position", "families", "A", "at"), printed(place, lang))
        known = put(EVADE, ("position", "families", "A", "at"), place)
        mine, plain = answered(client, CHECK, body), answered(client, CHECK, known)
        assert mine == plain, place


@pytest.mark.parametrize(
    "name", ["Shiprock #3", "Shiprock\u00a0#3", "shiprock 3", "SHIPROCK#3", " Shiprock  # 3 "]
)
def test_a_place_may_be_written_in_several_ways(client: FlaskClient, name: str) -> None:
    position = {
        "families": {"A": {"at": name, "ferocity": 1}},
        "areas": {name: {"raid": 1}},
        "period": "spanish",
    }
    answer = answered(client, CHECK, {**EVADE, "position": position})
    assert answer["position"]["families"]["A"]["at"] == "shiprock-3"
    assert list(answer["position"]["areas"]) == ["shiprock-3"]


def test_a_place_is_understood_in_actions_answers_components_and_moves(client: FlaskClient) -> None:
    harass = {"kind": "harass", "family": "A", "area": "Shiprock #3"}
    known = {"kind": "harass", "family": "A", "area": "shiprock-3"}
    asked = {"position": EVADE["position"], "action": harass}
    assert answered(client, CHECK, asked) == answered(client, CHECK, {**asked, "action": known})
    asked |= {"components": {"connections": [["Shiprock #3", "shiprock-4"]]}}
    assert answered(client, CHECK, asked)
    agenda = [{"procedure": "enemy-raid", "step": "player-reaction", "memory": {"entered": "shiprock-3"}}]
    raid = {"position": {**EVADE["position"], "agenda": agenda}, "action": {"kind": "continue"}}
    mine = answered(client, CHECK, {**raid, "inputs": [{"choose": harass}]})
    assert mine == answered(client, CHECK, {**raid, "inputs": [{"choose": known}]})
    move = {"action": {"kind": "evade", "family": "A"}, "position": {"areas": {"Shiprock #3": {"raid": 1}}}}
    answer = answered(client, REPLAY, {"position": EVADE["position"], "moves": [move], "record": True})
    assert list(answer["transcript"]["moves"][0]["position"]["areas"]) == ["shiprock-3"]


def test_territories_are_understood_by_their_names(client: FlaskClient) -> None:
    by_name = {entry.name: {"drought": 1} for entry in TERRITORIES.values()}
    by_id = {name: {"drought": 1} for name in TERRITORIES}
    mine = answered(client, AUDIT, {"position": {"territories": by_name}})
    assert mine == answered(client, AUDIT, {"position": {"territories": by_id}})


def test_a_free_text_stays_as_it_is(client: FlaskClient) -> None:
    position = {
        "cards": {"developments": [{"set": "Shiprock #3", "level": 1.0}]},
        "families": {"A": {"at": "Shiprock #3"}},
    }
    answer = answered(client, CHECK, {"position": position, "action": {"kind": "ambush", "family": "A"}})
    (development,) = answer["position"]["cards"]["developments"]
    assert development["set"] == "Shiprock #3"


# -- a saved answer ----------------------------------------------------------------------------------


@pytest.mark.parametrize("path", [CHECK, AUDIT, REPLAY])
def test_a_saved_answer_is_taken_for_its_position(client: FlaskClient, path: str) -> None:
    saved = answered(client, CHECK, EVADE)
    more: dict[str, Any] = {
        CHECK: {"action": {"kind": "continue"}, "inputs": [{"die": 1}]},
        AUDIT: {},
        REPLAY: {"moves": [{"inputs": [{"die": 1}]}]},
    }[path]
    mine = answered(client, path, {"position": saved, **more})
    assert mine == answered(client, path, {"position": saved["position"], **more})


def test_an_error_in_a_saved_answer_is_named_where_its_position_would_be(client: FlaskClient) -> None:
    saved = put(answered(client, CHECK, EVADE), ("position", "period"), "roman")
    body = {"position": saved, "action": {"kind": "continue"}}
    assert errors(client, CHECK, body) == [("unknown-value", "/position/period")]


def test_the_command_line_audits_a_saved_answer(client: FlaskClient, tmp_path: Path) -> None:
    file = tmp_path / "saved.json"
    file.write_text(json.dumps(answered(client, CHECK, EVADE)))
    done = CliRunner().invoke(main, ["audit", str(file)])
    assert done.exit_code == 0, done.output
