"""POST …/audit over HTTP, and `ruleglot audit`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from flask.testing import FlaskClient

from ruleglot.cli import main
from service.app import create_app
from tests.impossible import CASES, DOUBTS, Case
from tests.service.sent import FULL, LANGUAGES

AUDIT = "/v1/games/navajo-wars/audit"
TOO_RED = {"raid_pool": {"red": 4}}
PLACEHOLDER = "%("


def ask(client: FlaskClient, case: Case, position: Any, lang: str = "en") -> dict[str, Any]:
    sent = {"position": position, "lang": lang}
    sent |= {"components": case.components} if case.components else {}
    sent |= {"choices": case.choices} if case.choices else {}
    response = client.post(f"/v1/games/{case.game}/audit", json=sent)
    assert response.status_code == 200, response.get_data(as_text=True)
    answer: dict[str, Any] = response.get_json()
    return answer


# -- answers -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("case", CASES, ids=str)
def test_what_is_impossible_and_what_is_possible(client: FlaskClient, case: Case) -> None:
    wrong, right = ask(client, case, case.impossible), ask(client, case, case.possible)
    assert wrong["possible"] is False
    assert [found["name"] for found in wrong["findings"]] == [case.finding]
    assert right["possible"] is True
    assert right["findings"] == []
    assert right["headline"] != wrong["headline"]


@pytest.mark.parametrize("case", CASES, ids=str)
def test_a_finding_has_the_shape_of_a_reason(client: FlaskClient, case: Case) -> None:
    (found,) = ask(client, case, case.impossible, "all")["findings"]
    assert set(found) == {"name", "text", "rules", "params", "pointer"}
    assert found["pointer"] == case.pointer
    assert set(found["text"]) == set(LANGUAGES)
    for text in found["text"].values():
        assert text
        assert PLACEHOLDER not in text


@pytest.mark.parametrize("lang", [*LANGUAGES, "all"])
@pytest.mark.parametrize("case", DOUBTS, ids=str)
def test_what_only_the_copy_can_tell_is_a_caution(client: FlaskClient, case: Case, lang: str) -> None:
    doubtful, plain = (ask(client, case, told, lang) for told in (case.impossible, case.possible))
    (caution,) = doubtful["cautions"]
    assert (caution["name"], caution["pointer"]) == (case.finding, case.pointer)
    assert (doubtful["possible"], doubtful["findings"]) == (True, [])
    assert (plain["possible"], plain["cautions"]) == (True, [])
    assert doubtful["headline"] != plain["headline"]


def test_an_audit_needs_no_action(client: FlaskClient) -> None:
    response = client.post(AUDIT, json={"position": {}})
    answer = response.get_json()
    assert (answer["game"], answer["lang"], answer["possible"]) == ("navajo-wars", "en", True)
    refused = client.post(AUDIT, json={"position": {}, "action": {"kind": "continue"}})
    assert refused.status_code == 422
    assert refused.get_json()["errors"][0]["code"] == "unknown-field"


def test_a_full_request_is_read(client: FlaskClient) -> None:
    sent = {name: FULL[name] for name in ("position", "choices", "components", "lang")}
    answer = client.post(AUDIT, json=sent).get_json()
    assert [found["name"] for found in answer["findings"]] == [
        "fort-outside-american-period",
        "manuelito-outside-american-period",
        "manuelito-without-family",
        "acting-family-not-noted",
        "agenda-after-the-end",
    ]


def test_the_reading_of_a_disputed_rule_is_said(client: FlaskClient) -> None:
    position = {
        "families": {"C": {"at": "shiprock-4", "man": False, "woman": False}},
        "areas": {"shiprock-4": {"raid": 1}},
    }
    sent = {"position": position, "choices": {"family-without-adults": "at-once"}}
    answer = client.post(AUDIT, json=sent).get_json()
    assert answer["possible"] is False
    assert [(issue["id"], issue["chosen"]) for issue in answer["issues"]] == [("C15", "at-once")]


# -- languages and failures --------------------------------------------------------------------------


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_answer_says_its_language(client: FlaskClient, lang: str) -> None:
    by_header = client.post(AUDIT, json={"position": TOO_RED}, headers={"Accept-Language": lang})
    by_body = client.post(AUDIT, json={"position": TOO_RED, "lang": lang})
    for response in (by_header, by_body):
        assert response.headers["Content-Language"] == response.get_json()["lang"] == lang
        assert response.headers["Vary"] == "Accept-Language"
    assert by_header.get_json() == by_body.get_json()


OUT_OF_RANGE: list[tuple[dict[str, Any], str, dict[str, int]]] = [
    ({"tracks": {"military": 20, "ap": 3}}, "/tracks/military", {"most": 19}),
    ({"tracks": {"military": -1}}, "/tracks/military", {"least": 0}),
    ({"elders": [0] * 6 + [100]}, "/elders/6", {"most": 99}),
    ({"elders": [0] * 6}, "/elders", {"least": 7}),
    ({"cards": {"developments": [{"set": "x", "level": 4}]}}, "/cards/developments/0/level", {"most": 3}),
    ({"instructions": {"active": [None] * 7}}, "/instructions/active", {"most": 6}),
    ({"areas": {"shiprock-1": {"raid": 100}}}, "/areas/shiprock-1/raid", {"most": 99}),
]


@pytest.mark.parametrize(("position", "pointer", "bounds"), OUT_OF_RANGE)
def test_a_value_out_of_its_range_is_a_finding_beside_all_others(
    client: FlaskClient, position: dict[str, Any], pointer: str, bounds: dict[str, int]
) -> None:
    answer = client.post(AUDIT, json={"position": {**position, **TOO_RED}, "lang": "all"}).get_json()
    assert answer["possible"] is False
    found, other = answer["findings"]
    assert (found["name"], found["pointer"], found["params"]) == ("value-out-of-range", pointer, bounds)
    assert len(set(found["text"].values())) == len(LANGUAGES)
    assert other["pointer"] == "/raid_pool/red"


@pytest.mark.parametrize(
    ("position", "said"),
    [
        ({"tracks": {"ap": 40}}, "Action Points: the number must be at most 19."),
        ({"families": {"C": {"ferocity": -1}}}, "Family C, Ferocity: the number must be at least 0."),
        ({"raid_pool": {"red": 100}}, "Raid Pool, red cube: the number must be at most 99."),
        (
            {"elders": [1, 2]},
            "Elder Display: something is left out; there must be at least 7 entries, empty ones included.",
        ),
        (
            {"instructions": {"active": [None] * 7}},
            "Enemy Instruction Display, Active column: there are too many entries; at most 6 are possible.",
        ),
        (
            {"cards": {"developments": [{"set": "", "level": 1}]}},
            "Group: nothing is written here.",
        ),
    ],
)
def test_a_value_out_of_its_range_is_named_in_words(
    client: FlaskClient, position: dict[str, Any], said: str
) -> None:
    (found,) = client.post(AUDIT, json={"position": position}).get_json()["findings"]
    assert found["text"] == said


def test_several_values_out_of_their_ranges_are_found_in_their_order(client: FlaskClient) -> None:
    position = {"raid_pool": {"red": 100}, "tracks": {"military": 20, "ap": -1}, "elders": [0, 100, 100]}
    body = json.dumps({"position": position})
    answer = client.post(AUDIT, data=body, content_type="application/json").get_json()
    pointers = [found["pointer"] for found in answer["findings"]]
    assert pointers == [
        "/raid_pool/red",
        "/tracks/military",
        "/tracks/ap",
        "/elders",
        "/elders/1",
        "/elders/2",
    ]


def test_an_agenda_that_names_no_step_is_found_beside_a_value_out_of_its_range(client: FlaskClient) -> None:
    position = {"agenda": [{"procedure": "evade", "step": "x"}], "tracks": {"ap": 20}}
    answer = client.post(AUDIT, json={"position": position}).get_json()
    assert [found["name"] for found in answer["findings"]] == ["value-out-of-range", "agenda-unknown-step"]


@pytest.mark.parametrize("agenda", [[{}], [3], {}, [{"procedure": 3, "step": "x"}]])
def test_an_agenda_that_is_none_is_unreadable(client: FlaskClient, agenda: Any) -> None:
    response = client.post(AUDIT, json={"position": {"agenda": agenda, "tracks": {"ap": 20}}})
    assert response.status_code == 422


def test_what_is_no_number_at_all_is_still_unreadable(client: FlaskClient) -> None:
    sent = {"position": {"tracks": {"military": 20, "ap": "x"}}}
    response = client.post(AUDIT, data=json.dumps(sent), content_type="application/json")
    assert response.status_code == 422
    errors = [(error["code"], error["pointer"]) for error in response.get_json()["errors"]]
    assert errors == [("out-of-range", "/position/tracks/military"), ("wrong-type", "/position/tracks/ap")]


def test_an_agenda_is_a_finding_here_and_unreadable_in_a_check(client: FlaskClient) -> None:
    position = {"agenda": [{"procedure": "evade", "step": "x" * 70}]}
    (found,) = client.post(AUDIT, json={"position": position}).get_json()["findings"]
    assert found["params"] == {"given": "x" * 57 + "…"}
    sent = {"position": position, "action": {"kind": "continue"}}
    assert client.post("/v1/games/navajo-wars/check", json=sent).status_code == 422


@pytest.mark.parametrize("memory", [5, "x", [[[]]], {"family": {"A": None}}, None])
def test_whatever_an_agenda_notes_is_answered(client: FlaskClient, memory: Any) -> None:
    position = {"agenda": [{"procedure": "evade", "step": "roll", "memory": memory}]}
    response = client.post(AUDIT, json={"position": position})
    assert response.status_code == 200
    assert [found["name"] for found in response.get_json()["findings"]] == ["agenda-unfit-memory"]


def test_the_servers_own_counts_are_used_and_can_be_replaced(tmp_path: Path) -> None:
    file = tmp_path / "components.toml"
    file.write_text("[counter_limits]\nmission = 1\n")
    client = create_app({"COMPONENTS": str(file)}).test_client()
    sent: dict[str, Any] = {
        "position": {"areas": {"shiprock-1": {"mission": True}, "hopi-land-1": {"mission": True}}}
    }
    assert client.post(AUDIT, json=sent).get_json()["possible"] is False
    sent["components"] = {"counter_limits": {"mission": 2}}
    assert client.post(AUDIT, json=sent).get_json()["possible"] is True


# -- the command line --------------------------------------------------------------------------------


def run(path: Path, *options: str) -> Any:
    return CliRunner().invoke(main, ["audit", str(path), *options])


@pytest.mark.parametrize("sent", [TOO_RED, {"position": TOO_RED, "lang": "en"}])
def test_a_file_with_a_position_or_a_request(tmp_path: Path, sent: Any) -> None:
    file = tmp_path / "position.json"
    file.write_text(json.dumps(sent))
    done = run(file)
    assert done.exit_code == 1
    assert done.output.splitlines()[0] == "This position is not possible."
    assert "[1.8]" in done.output


def test_a_possible_position_ends_with_0(tmp_path: Path) -> None:
    file = tmp_path / "position.json"
    file.write_text("{}")
    assert run(file).exit_code == 0
    done = run(file, "--json", "--game", "julian")
    assert json.loads(done.output)["possible"] is True


@pytest.mark.parametrize("text", ["{", "[]", '{"tracks": {"ap": "x"}}'])
def test_what_cannot_be_read_is_said(tmp_path: Path, text: str) -> None:
    file = tmp_path / "position.json"
    file.write_text(text)
    done = run(file, "--lang", "fr")
    assert done.exit_code == 2
    assert "Traceback" not in done.output
