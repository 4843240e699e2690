"""POST …/replay and `ruleglot replay`: a session is told in four languages, up to where it comes out otherwise."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from click.testing import CliRunner, Result
from flask.testing import FlaskClient
from msgspec import UNSET

from engine.exceptions import Unreadable
from engine.flow import Taken
from engine.offers import Offered
from engine.questions import SETTLED, Choose, Read, ask, one_that_says
from engine.transcript import merge, read, replay
from ruleglot import cli
from service.bodies import MOST_MOVES, MOST_SENT
from service.config import MOST_BYTES, MOST_REPLAY_BYTES
from service.games import GAMES
from service.languages import reader
from service.report import session
from service.transcripts import given
from tests.games import golden
from tests.service.reports import lines, told_as
from tests.service.sent import AMBUSH, EVADE, LANGUAGES, put, without
from tests.service.sessions import RAID, RETURN, readable, shown, written
from tests.service.test_story import answers
from tests.shown import game

REPLAY = "/v1/games/navajo-wars/replay"
pytestmark = pytest.mark.usefixtures("unhurried")
FIELDS = ["game", "lang", "moves", "diverged", "pending", "unknowns", "position", "issues", "next"]
FLIGHT: dict[str, Any] = {
    "position": EVADE["position"],
    "moves": [{"action": EVADE["action"]}, {"inputs": [{"die": 4}]}],
}

Ask = Callable[..., dict[str, Any]]


def told(name: str = RAID, *, expecting: bool = True) -> dict[str, Any]:
    """A playthrough as a request."""
    return written(shown(name), expecting=expecting)


def texts(entries: list[dict[str, Any]]) -> list[Any]:
    return [entry["text"] for entry in entries]


# -- the answer --------------------------------------------------------------------------------------


def test_a_session_is_told_move_by_move(ask: Ask) -> None:
    answer = ask(told(), path=REPLAY)
    assert list(answer) == FIELDS
    assert (answer["game"], answer["lang"], answer["diverged"]) == ("navajo-wars", "en", None)
    moves = answer["moves"]
    assert all(list(move) == ["number", "headline", "ruling", "answers", "events"] for move in moves)
    assert [(move["number"], move["headline"]) for move in moves] == [
        (1, "Enemy Raid (4.2.8), AP: 1"),
        (2, "No Reaction"),
        (3, "Ambush (5.2.1), Family A, with a horse, with Firearms"),
        (4, "die 5"),
    ]
    assert [texts(move["answers"]) for move in moves] == [
        [],
        ["No Reaction"],
        ["Ambush (5.2.1), Family A, with a horse, with Firearms"],
        ["die 5", "die 2"],
    ]
    first = moves[1]["answers"][0]
    assert list(first) == ["name", "question", "text", "input"]
    assert (first["name"], first["input"]) == ("enemy-raid-player-reaction", {"choose": "none"})
    assert first["question"].startswith(
        "Which single Family, if any, reacts to the Raid that is now in Area "
    )
    event = moves[3]["events"][0]
    assert list(event) == ["name", "text", "rules", "params"]
    assert event["name"] == "battle-dine-rolled"
    assert {"nw:11.2.1.roll", "nw:11.2.1.firearms"} <= set(event["rules"])


@pytest.mark.parametrize("name", [RAID, RETURN, "A whole game turn", "Take Actions with three Families"])
def test_a_replay_says_what_the_checks_said(ask: Ask, name: str) -> None:
    one = shown(name)
    request = told(name)
    answer = ask(request, path=f"/v1/games/{one.game}/replay")
    position = request["position"]
    for move, played in zip(request["moves"], answer["moves"], strict=True):
        sent = {key: request[key] for key in ("choices", "components")}
        position = merge(position, move.get("position", {}))
        checked = ask(
            {**sent, "position": position, "action": move["action"], "inputs": move["inputs"]},
            path=f"/v1/games/{one.game}/check",
        )
        assert played["ruling"] == checked["ruling"]
        assert played["events"] == checked["events"]
        position = checked["position"]
    assert answer["position"] == position


def test_the_question_that_is_open_comes_with_its_options(ask: Ask) -> None:
    request = told()
    answer = ask({**request, "moves": request["moves"][:2]}, path=REPLAY)
    pending = answer["pending"]
    assert pending["name"] == "enemy-raid-player-reaction"
    assert "none" in [option["value"] for option in pending["options"]]
    refused = {"action": {"kind": "ambush", "family": "B"}, "expected": {"ruling": "illegal"}}
    again = ask({**request, "moves": [*request["moves"][:2], refused]}, path=REPLAY)
    assert again["moves"][2]["ruling"] == "illegal"
    assert again["pending"] == pending
    assert ask(request, path=REPLAY)["pending"] is None


def test_every_issue_that_a_move_rests_on_is_named(ask: Ask) -> None:
    request = told()
    whole = {issue["name"] for issue in ask(request, path=REPLAY)["issues"]}
    first = {
        issue["name"] for issue in ask({**request, "moves": request["moves"][:1]}, path=REPLAY)["issues"]
    }
    assert "ambush-ap-cost" in whole - first


def test_a_fact_that_is_missing_on_the_way_is_asked_for(ask: Ask) -> None:
    one = next(
        one for one in readable() if one.example.ruling == "legal" and one.example.unknowns not in (UNSET, [])
    )
    request = {**written(one), "moves": written(one)["moves"][:1]}
    answer = ask(request, path=f"/v1/games/{one.game}/replay")
    assert answer["diverged"] is None
    assert [fact["pointer"] for fact in answer["unknowns"]] == one.example.unknowns
    went = replay(game(one.game), read(game(one.game), request))
    open_facts = [line.text for line in lines(session(game(one.game), went, "en")) if line.kind == "unknown"]
    assert open_facts[0] == answer["unknowns"][0]["text"]


# -- a record ----------------------------------------------------------------------------------------


def test_a_transcript_is_given_back_with_what_came_of_each_move(ask: Ask) -> None:
    answer = ask({**told(expecting=False), "record": True}, path=REPLAY)
    assert list(answer) == [*FIELDS, "transcript"]
    kept = answer["transcript"]
    assert [move["expected"]["pending"] for move in kept["moves"]] == [
        "enemy-raid-player-reaction",
        "enemy-raid-player-reaction",
        "battle-dine-roll",
        None,
    ]
    again = ask({**kept, "record": True}, path=REPLAY)
    assert again == answer
    assert "transcript" not in ask({**kept, "record": False}, path=REPLAY)


def test_a_record_ends_where_the_game_came_out_otherwise(ask: Ask) -> None:
    request = {**told(expecting=False), "record": True}
    request["moves"][2] = {"action": {"kind": "ambush", "family": "B"}}
    assert len(ask(request, path=REPLAY)["transcript"]["moves"]) == 2


def test_a_record_names_its_game_and_is_read_by_that_alone(client: FlaskClient) -> None:
    kept = client.post(REPLAY, json={**FLIGHT, "record": True}).get_json()["transcript"]
    assert kept["game"] == "navajo-wars"
    assert client.post(REPLAY, json=kept).get_json()["diverged"] is None
    assert read(game("navajo-wars"), kept) == read(game("navajo-wars"), without(kept, ("game",)))
    long = {**kept, "moves": [*kept["moves"], {"note": "x" * MOST_BYTES}]}
    for sent in (kept, long):
        refused = client.post("/v1/games/julian/replay", json=sent)
        (error,) = refused.get_json()["errors"]
        assert (refused.status_code, error["code"], error["pointer"]) == (422, "other-game", "/game")
    begun = client.post("/v1/games/julian/plays", json={"transcript": kept})
    assert [one["pointer"] for one in begun.get_json()["errors"]] == ["/transcript/game"]
    with pytest.raises(Unreadable, match="other-game"):
        read(game("julian"), kept)


def test_the_servers_own_components_are_used_and_not_given_back(tmp_path: Path) -> None:
    from service.app import create_app

    request = told(expecting=False)
    file = tmp_path / "components.json"
    file.write_text(json.dumps(request.pop("components")), encoding="utf-8")
    answer = (
        create_app({"COMPONENTS": str(file)}).test_client().post(REPLAY, json={**request, "record": True})
    )
    assert answer.get_json()["diverged"] is None
    assert "components" not in answer.get_json()["transcript"]


# -- divergence --------------------------------------------------------------------------------------


def test_a_divergence_says_what_was_recorded_and_what_came_out(ask: Ask) -> None:
    request = told()
    request["moves"][3]["inputs"][0] = {"die": 1}
    request["moves"][3]["expected"]["changes"].append({"pointer": "/agenda", "to": []})
    answer = ask(request, path=REPLAY)
    assert len(answer["moves"]) == 3
    found = answer["diverged"]
    assert (found["number"], found["ruling"]) == (4, "legal")
    assert found["text"] == "The replay stops at move 4: its outcome differs from the record."
    assert texts(found["differences"]) == [
        "Event 5 differs from the record: The Firearms counter goes to the Out of Play Box.",
        "Question: recorded “no question”, now “(A) a Battle or (B) the three steps”.",
        "Area Shiprock\N{NO-BREAK SPACE}#1, Enemy Raid counter: recorded 0, now unchanged.",
        "Area Shiprock\N{NO-BREAK SPACE}#2, Enemy Raid counter: recorded 0, now unchanged.",
        "Family A, Ferocity: recorded 3, now 0.",
        "Santa Fé, Enemy Raid counter: recorded 0, now unchanged.",
        "Enemy Morale: recorded 3, now unchanged.",
    ]
    assert [one["name"] for one in found["differences"]] == ["events", "pending", *["changes"] * 5]
    assert found["expected"]["ruling"] == found["found"]["ruling"] == "legal"
    assert found["expected"]["pending"] is None
    assert found["found"]["pending"] == "enemy-raid-resolution"
    assert found["found"]["events"] == [event["name"] for event in found["events"]]
    before = ask({**request, "moves": request["moves"][:3]}, path=REPLAY)
    assert answer["position"] == before["position"]
    assert answer["pending"] == before["pending"]


def test_a_move_that_is_not_allowed_says_why(ask: Ask) -> None:
    request = told(expecting=False)
    request["moves"][2] = {"action": {"kind": "ambush", "family": "B"}}
    found = ask(request, path=REPLAY)["diverged"]
    assert found["number"] == 3
    assert found["headline"] == "Ambush (5.2.1), Family B"
    assert found["text"] == "The replay stops at move 3: it is not allowed."
    assert "family-not-in-play" in [reason["name"] for reason in found["reasons"]]
    assert texts(found["differences"]) == ["Ruling: recorded allowed, now not allowed."]
    assert found["events"] == []


def test_a_recorded_move_that_is_not_allowed_any_more_comes_out_otherwise(ask: Ask) -> None:
    request = put(told(), ("position", "tracks", "military"), 0)
    for move in request["moves"][:2]:
        del move["expected"]
    found = ask(request, path=REPLAY)["diverged"]
    assert (found["number"], found["ruling"]) == (3, "illegal")
    assert found["text"] == "The replay stops at move 3: its outcome differs from the record."
    assert [one["name"] for one in found["differences"]] == ["ruling"]
    assert "ambush-without-military" in [reason["name"] for reason in found["reasons"]]


def test_a_move_that_cannot_be_decided_asks_for_the_fact(ask: Ask) -> None:
    request = {"position": {"period": "spanish"}, "moves": [{"action": {"kind": "evade", "family": "A"}}]}
    found = ask(request, path=REPLAY)["diverged"]
    assert (
        found["text"]
        == "The replay stops at move 1: something is not known, so it cannot be said whether it is allowed."
    )
    assert found["unknowns"]


# -- languages ---------------------------------------------------------------------------------------


def sentences(value: Any, key: str = "") -> list[Any]:
    """Everything in an answer that is worded for the reader."""
    if key in ("text", "headline", "question"):
        return [value]
    if isinstance(value, dict):
        return [found for name, inner in value.items() for found in sentences(inner, name)]
    if isinstance(value, list):
        return [found for inner in value for found in sentences(inner)]
    return []


def test_all_languages_side_by_side(ask: Ask) -> None:
    request = told()
    request["moves"][3]["inputs"][0] = {"die": 1}
    side_by_side = ask({**request, "lang": "all"}, path=REPLAY)
    found = sentences(side_by_side)
    assert all(list(sentence) == list(LANGUAGES) for sentence in found)
    for lang in LANGUAGES:
        alone = sentences(ask({**request, "lang": lang}, path=REPLAY))
        assert [sentence[lang] for sentence in found] == alone
    assert len({json.dumps(sentence) for sentence in found}) > 20


def test_what_is_told_of_the_action_is_part_of_it_as_in_a_check(ask: Ask) -> None:
    """The fuzzer found it: `check` took what a replay of the same move refused."""
    inputs: list[dict[str, Any]] = [{"tell": {"/action/family": "A", "/tracks/ap": "unknown"}}, {"die": 4}]
    move = {"action": {**EVADE["action"], "family": "B"}, "inputs": inputs}
    checked = ask({**EVADE, **move}, path="/v1/games/navajo-wars/check")
    answer = ask({"position": EVADE["position"], "moves": [move], "record": True}, path=REPLAY)
    assert (answer["moves"][0]["ruling"], answer["position"]) == ("legal", checked["position"])
    (kept,) = answer["transcript"]["moves"]
    assert (kept["action"], kept["inputs"]) == (EVADE["action"], [{"die": 4}])


def test_what_cannot_be_told_of_the_action_is_refused_at_its_place(client: FlaskClient) -> None:
    move = {**FLIGHT["moves"][0], "inputs": [{"tell": {"/action/family": "Z"}}]}
    refused = client.post(REPLAY, json={**FLIGHT, "moves": [FLIGHT["moves"][0], move]})
    assert refused.status_code == 422
    assert [error["pointer"] for error in refused.get_json()["errors"]] == [
        "/moves/1/inputs/0/tell/~1action~1family"
    ]


@pytest.mark.parametrize(
    ("lang", "headline"),
    [
        ("en", "Enemy Raid (4.2.8)"),
        ("fr", "Raid Ennemi (4.2.8)"),
        ("it", "Raid Nemico (4.2.8)"),
        ("ja", "敵襲撃"),
    ],
)
def test_the_reader_is_told_in_his_own_language(client: FlaskClient, lang: str, headline: str) -> None:
    response = client.post(REPLAY, json=told(), headers={"Accept-Language": lang})
    assert response.headers["Content-Language"] == response.get_json()["lang"] == lang
    assert response.headers["Vary"] == "Accept-Language"
    assert response.get_json()["moves"][0]["headline"].startswith(headline)
    every = client.post(REPLAY, json={**told(), "lang": "all"})
    assert every.headers["Content-Language"] == "en, fr, it, ja"


# -- bad input ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("path", "value", "code", "pointer"),
    [
        (("moves",), {}, "wrong-type", "/moves"),
        (("moves",), None, "wrong-type", "/moves"),
        (("moves", 1), "continue", "wrong-type", "/moves/1"),
        (("moves", 1, "spam"), 1, "unknown-field", "/moves/1/spam"),
        (("moves", 0, "action", "kind"), "fly", "unknown-value", "/moves/0/action/kind"),
        (("moves", 1, "inputs"), [{"die": 4, "read": 1}], "not-one-answer", "/moves/1/inputs/0"),
        (("moves", 1, "inputs"), [{"die": 4.5}], "wrong-type", "/moves/1/inputs/0/die"),
        (("moves", 1, "expected"), None, "wrong-type", "/moves/1/expected"),
        (("moves", 1, "expected"), {"pending": 3}, "wrong-type", "/moves/1/expected/pending"),
        (("moves", 1, "position"), {"tracks": {"ap": 99}}, "out-of-range", "/moves/1/position/tracks/ap"),
        (("moves", 1, "position"), {"families": {"Z": {}}}, "unknown-name", "/moves/1/position/families/Z"),
        (("position", "period"), "roman", "unknown-value", "/position/period"),
        (("choices",), {"spam": "x"}, "unknown-issue", "/choices/spam"),
        (("components",), {"spam": 1}, "unknown-field", "/components/spam"),
        (("record",), 1, "wrong-type", "/record"),
        (("record",), "true", "wrong-type", "/record"),
        (("lang",), "de", "unknown-language", "/lang"),
        (("action",), {"kind": "continue"}, "unknown-field", "/action"),
    ],
)
def test_what_cannot_be_read_is_refused_with_its_place(
    client: FlaskClient, path: tuple[str | int, ...], value: Any, code: str, pointer: str
) -> None:
    response = client.post(REPLAY, json=put(FLIGHT, path, value))
    problem = response.get_json()
    assert (response.status_code, response.content_type) == (422, "application/problem+json")
    assert [(error["code"], error["pointer"]) for error in problem["errors"]] == [(code, pointer)]
    assert "%(" not in problem["detail"]
    assert "Expected: ." not in problem["detail"]


@pytest.mark.parametrize("field", ["position", "moves"])
def test_a_field_that_is_needed(client: FlaskClient, field: str) -> None:
    response = client.post(REPLAY, json={key: value for key, value in FLIGHT.items() if key != field})
    assert response.status_code == 422
    assert [(error["code"], error["pointer"]) for error in response.get_json()["errors"]] == [
        ("missing-field", f"/{field}")
    ]


WAITS = {"expected": {"ruling": "illegal"}}


@pytest.mark.parametrize(
    ("moves", "status"),
    [
        ([WAITS] * MOST_SENT, 200),
        ([WAITS] * (MOST_SENT + 1), 422),
        ([{**WAITS, "inputs": [{"die": 4}]}] * (MOST_SENT // 2 + 1), 422),
        ([{**WAITS, "inputs": [{"die": 4}] * (MOST_MOVES - 1)}], 200),
        ([{**WAITS, "inputs": [{"die": 4}] * MOST_MOVES}], 422),
    ],
    ids=["as many moves as are sent", "one more", "more with answers", "as many answers", "one more answer"],
)
def test_a_replay_is_bounded(client: FlaskClient, moves: list[Any], status: int) -> None:
    response = client.post(REPLAY, json={"position": {}, "moves": moves})
    assert response.status_code == status
    if status == 422:
        (error,) = response.get_json()["errors"]
        assert (error["code"], error["pointer"]) == ("replay-too-long", "/moves")
        assert re.search(f"{MOST_MOVES}|{MOST_SENT}", error["detail"].replace(",", ""))


def walked(client: FlaskClient, game: dict[str, Any], **asked: Any) -> Iterator[dict[str, Any]]:
    """The pages of a game, one after the other; each that is reached is marked in the transcript."""
    begins: Any = 0
    while begins is not None:
        page = client.post(REPLAY, json={**game, "from": begins, **asked})
        assert page.status_code == 200, page.get_data(as_text=True)
        yield page.get_json()
        begins = page.get_json()["next"]
        if begins is not None:
            game["moves"][begins - 1] = {
                **game["moves"][begins - 1],
                "position_after": page.get_json()["position"],
            }


def test_a_replay_is_walked_page_by_page(client: FlaskClient) -> None:
    game = told()
    whole = client.post(REPLAY, json=game).get_json()
    assert whole["next"] is None
    pages = list(walked(client, game, limit=1))
    assert len(pages) == len(whole["moves"]) > 1
    assert [one for page in pages for one in page["moves"]] == whole["moves"]
    assert pages[-1]["position"] == whole["position"]
    assert [page["next"] for page in pages] == [*range(1, len(pages)), None]


def test_a_page_begins_at_the_last_position_that_is_said(client: FlaskClient) -> None:
    """A false position is believed behind it, and found out on the way to it."""
    fact = {"kind": "told", "inputs": [{"tell": {"/tracks/ap": 1}}]}
    moves: list[dict[str, Any]] = [dict(fact) for _ in range(4)]
    moves[1] = {**fact, "position_after": {"tracks": {"ap": 1, "military": 3}}, "choices": {"C07": "free"}}
    moves[3] = {
        "inputs": [],
        "action": {"kind": "evade", "family": "A"},
        "expected": {"ruling": "undetermined"},
    }
    game = {"position": {"tracks": {"ap": 0}}, "moves": moves}
    found = client.post(REPLAY, json=game).get_json()
    assert (found["diverged"]["number"], found["next"]) == (2, None)
    behind = client.post(REPLAY, json={**game, "from": 3}).get_json()
    assert [one["number"] for one in behind["moves"]] == [4]
    assert behind["position"]["tracks"] == {"ap": 1, "military": 3}
    assert client.post(REPLAY, json={**game, "from": 4}).get_json()["moves"] == []


@pytest.mark.parametrize(
    ("asked", "pointer"),
    [({"from": -1}, "/from"), ({"from": 3}, "/from"), ({"limit": 0}, "/limit"), ({"limit": 501}, "/limit")],
)
def test_a_page_that_is_not_there(client: FlaskClient, asked: dict[str, Any], pointer: str) -> None:
    refused = client.post(REPLAY, json={"position": {}, "moves": [WAITS] * 2, **asked})
    assert refused.status_code == 422
    assert [one["pointer"] for one in refused.get_json()["errors"]] == [pointer]


def test_what_one_request_does_not_play_is_on_the_next_page(client: FlaskClient) -> None:
    pages = list(walked(client, {"position": {}, "moves": [WAITS] * (MOST_MOVES + 1)}, limit=MOST_MOVES))
    assert [(len(page["moves"]), page["next"]) for page in pages] == [(MOST_MOVES, MOST_MOVES), (1, None)]


def test_a_replay_may_be_larger_than_a_check_but_not_of_any_size(client: FlaskClient) -> None:
    def padded(size: int) -> bytes:
        body = json.dumps(FLIGHT).encode()
        return body + b" " * (size - len(body))

    def status(path: str, size: int) -> int:
        return client.post(path, data=padded(size), content_type="application/json").status_code

    assert status(REPLAY, MOST_REPLAY_BYTES) == 200
    assert status(REPLAY, MOST_REPLAY_BYTES + 1) == 413
    assert status(REPLAY.replace("replay", "check"), MOST_BYTES + 1) == 413


@pytest.mark.parametrize(
    ("body", "code"),
    [
        ("[", "not-json"),
        (json.dumps(FLIGHT)[:-1], "not-json"),
        (json.dumps(put(FLIGHT, ("moves",), "RAW")).replace('"RAW"', "[" * 30 + "]" * 30), "too-deep"),
        (
            json.dumps(put(FLIGHT, ("moves", 1, "inputs"), [{"choose": "RAW"}])).replace(
                '"RAW"', "[" * 900 + "]" * 900
            ),
            "too-deep",
        ),
    ],
)
def test_what_is_not_json_or_too_deep(client: FlaskClient, body: str, code: str) -> None:
    response = client.post(REPLAY, data=body, content_type="application/json")
    assert (response.status_code, response.get_json()["code"]) == (400, code)


# -- the command line --------------------------------------------------------------------------------


def run(tmp_path: Path, content: str, *options: str, name: str = "game.json") -> Result:
    file = tmp_path / name
    file.write_text(content, encoding="utf-8")
    return CliRunner().invoke(cli.main, ["replay", str(file), *options])


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_command_line_prints_the_report(tmp_path: Path, lang: str) -> None:
    done = run(tmp_path, json.dumps(told()), "--lang", lang)
    assert (done.exit_code, done.stdout) == (0, told_as(RAID, lang) + "\n")


def test_the_language_of_the_file_counts_where_none_is_asked_for(tmp_path: Path) -> None:
    done = run(tmp_path, json.dumps({**told(), "lang": "it"}))
    assert done.stdout == told_as(RAID, "it") + "\n"


def test_another_game(tmp_path: Path) -> None:
    done = run(tmp_path, json.dumps(told("A whole game turn")), "--game", "julian")
    assert (done.exit_code, done.stdout) == (0, told_as("A whole game turn") + "\n")


TOML = """
position.period = "spanish"
position.manuelito = "null"
position.families.A = { at = "shiprock-3", ferocity = 1 }
position.areas.shiprock-3 = { raid = 1 }

[[moves]]
action = { kind = "evade", family = "A" }
expected = { pending = "evade-roll" }

[[moves]]
inputs = [{ die = 4 }]
expected = { pending = "null", changes = [{ pointer = "/families/A/at", to = "shiprock-5" }] }
"""


def test_a_toml_file_is_taken_too(tmp_path: Path) -> None:
    done = run(tmp_path, TOML, name="game.toml")
    assert done.exit_code == 0
    assert "\nEvade (5.2.4), Family A\n" in done.stdout
    otherwise = run(tmp_path, TOML.replace("shiprock-5", "shiprock-4"), name="game.toml")
    assert otherwise.exit_code == 1
    assert otherwise.stdout.endswith(
        "\n\nThe replay stops at move 2: its outcome differs from the record.\n\n"
        "Family A: recorded Shiprock\N{NO-BREAK SPACE}#4, now Shiprock\N{NO-BREAK SPACE}#5.\n"
    )
    broken = run(tmp_path, TOML + "[", name="game.toml")
    assert broken.exit_code == 2
    assert "game.toml" in broken.stderr
    assert not isinstance(broken.exception, ValueError)


def test_where_it_comes_out_otherwise_the_command_ends_with_1(tmp_path: Path) -> None:
    request = told(expecting=False)
    request["moves"][2] = {"action": {"kind": "ambush", "family": "B"}}
    done = run(tmp_path, json.dumps(request))
    assert done.exit_code == 1
    assert "\nAmbush (5.2.1), Family B\n    ✗ Family B is not in play" in done.stdout
    assert "\n\nThe replay stops at move 3: it is not allowed.\n" in done.stdout


def test_the_command_line_records(tmp_path: Path) -> None:
    kept = tmp_path / "kept.json"
    done = run(tmp_path, json.dumps(told(expecting=False)), "--record", str(kept))
    again = run(tmp_path, kept.read_text(encoding="utf-8"))
    assert (again.exit_code, again.stdout) == (0, done.stdout)
    changed = json.loads(kept.read_text(encoding="utf-8"))
    assert changed["moves"][3]["expected"]["events"]
    changed["moves"][3]["inputs"][0] = {"die": 1}
    assert run(tmp_path, json.dumps(changed)).exit_code == 1


def test_the_command_line_answers_in_json(tmp_path: Path, ask: Ask) -> None:
    done = run(tmp_path, json.dumps(told()), "--json")
    answer = ask(told(), path=REPLAY)
    assert json.loads(done.stdout) == answer


def test_the_command_line_plays_more_than_the_service(tmp_path: Path) -> None:
    longer = {"position": {}, "moves": [WAITS] * (MOST_MOVES + 1)}
    assert run(tmp_path, json.dumps(longer)).exit_code == 0


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("{", "not valid JSON"),
        (json.dumps(AMBUSH), "“action”"),
        (json.dumps({**FLIGHT, "moves": [{"action": {"kind": "fly"}}]}), "“fly”"),
        (json.dumps({**FLIGHT, "choices": {"spam": "x"}}), "“spam”"),
    ],
)
def test_the_command_line_says_what_it_cannot_read(tmp_path: Path, content: str, said: str) -> None:
    done = run(tmp_path, content)
    assert done.exit_code == 2
    assert said in done.stderr
    assert done.stdout == ""


NO_PLACE = {
    "en": "A place of the table that this version does not know: recorded",
    "fr": "Un endroit de la table que cette version ne connaît pas, enregistré",
    "it": "Un punto del tavolo che questa versione non conosce: registrato",
    "ja": "このバージョンにない項目",
}


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize(
    ("game", "pointer", "to", "is_place"),
    [
        ("julian", "/partial/pool", None, True),
        ("julian", "/has_played/roman/dux", None, True),
        ("navajo-wars", "/partial/families", False, True),
        ("navajo-wars", "/areas/shiprock-1/raid", [], True),
        ("navajo-wars", "/areas/A/active", [], False),
        ("navajo-wars", "/elders/99/x", 1, False),
        ("julian", "/xyz", "hello", False),
        ("julian", "nonsense", 7, False),
        ("julian", "", {}, False),
    ],
)
def test_a_record_may_say_that_anything_changed(
    ask: Ask, game: str, pointer: str, to: Any, is_place: bool, lang: str
) -> None:
    returned: dict[str, Any] = {"position": {"phase": "return"}, "action": {"kind": "next-phase"}}
    begun = returned if game == "julian" else EVADE
    move = {"action": begun["action"], "expected": {"changes": [{"pointer": pointer, "to": to}]}}
    sent = {"position": begun["position"], "moves": [move], "lang": lang}
    told = [one["text"] for one in ask(sent, path=f"/v1/games/{game}/replay")["diverged"]["differences"]]
    assert any(one.startswith(NO_PLACE[lang]) for one in told) is not is_place, told
    assert not any(one.startswith((":", "：")) for one in told)


def taken() -> Iterator[tuple[str, Taken]]:
    """Every question that is answered in an example, a playthrough or a golden game, with its answer."""
    for one in answers():
        yield from ((one.name, each) for each in one.answer.taken)
    for golden_game in golden.GAMES:
        went = replay(game("navajo-wars"), golden.read(golden_game.name))
        for played in went.played:
            yield from ((golden_game.name, each) for each in played.answer.taken)


def test_an_answer_is_worded_as_the_question_lists_it() -> None:
    directly = []
    for name, one in taken():
        question, (_, value) = one.pending.question.answers, one.listed
        if isinstance(question, Offered):
            for each in (question, one.pending.meanwhile):
                found, listed = one_that_says(each, value), each.listed(value)
                assert (found and (found.message, found.params)) == (
                    listed and (listed.message, listed.params)
                ), (name, value)
                directly += [found] if found and isinstance(value, dict) else []
    assert len(directly) > 150


READ = [
    (ask(SETTLED, Read(bool)), False, "no"),
    (ask(SETTLED, Read(int, place="/components/cards/12/preempt_cost")), 4, "Card #12, AP for preempting: 4"),
    (ask(SETTLED, Read(int)), 4, "Already settled. 4"),
]


@pytest.mark.parametrize(("question", "value", "said"), READ)
@pytest.mark.parametrize("lang", LANGUAGES)
def test_what_was_read_is_said_with_what_it_is(question: Any, value: Any, said: str, lang: Any) -> None:
    one = SimpleNamespace(
        pending=SimpleNamespace(question=question, meanwhile=Choose(())),
        given=("read", value),
        listed=("read", value),
    )
    found = given(reader(lang), GAMES["navajo-wars"], one)
    assert not re.search(r"\bfalse\b|preempt_cost", found)
    if lang == "en":
        assert found.replace("\N{NO-BREAK SPACE}", " ") == said
