"""Bad input to check, audit and replay alike, to the scenarios, and to the files of the command line."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from flask.testing import FlaskClient

from engine.memory import MOST_FRAMES
from engine.navajo_wars.map import AREAS
from ruleglot.cli import main
from service.bodies import MOST_MOVES, MOST_SENT
from service.plain_json import MOST_NESTED
from service.requests import MOST_ERRORS
from tests.service.sent import CHECK, EVADE, LANGUAGES, put

AUDIT, REPLAY = CHECK.replace("check", "audit"), CHECK.replace("check", "replay")
MORE: dict[str, dict[str, Any]] = {
    CHECK: {"action": {"kind": "continue"}},
    AUDIT: {},
    REPLAY: {"moves": [{}], "record": True},
}
EVERYWHERE = pytest.mark.parametrize("path", MORE)


def nested(depth: int) -> Any:
    """A list in a list in a list …"""
    value: list[Any] = []
    for _ in range(depth - 1):
        value = [value]
    return value


def with_memory(memory: Any, procedure: str = "evade", step: str = "roll") -> dict[str, Any]:
    return {"agenda": [{"procedure": procedure, "step": step, "memory": memory}]}


def errors(client: FlaskClient, path: str, body: Any, status: int = 422) -> list[tuple[str, str]]:
    """Code and pointer of everything that is wrong, which is said in four languages."""
    said = set()
    for lang in LANGUAGES:
        response = client.post(path, json={**body, "lang": lang})
        found = response.get_json()
        assert (response.status_code, found.get("lang")) == (status, lang), found
        assert "%(" not in found["detail"]
        said.add(found["detail"])
    assert len(said) == len(LANGUAGES)
    return [(error["code"], error["pointer"]) for error in found["errors"]]


def answered(client: FlaskClient, path: str, body: Any) -> dict[str, Any]:
    response = client.post(path, json=body)
    assert response.status_code == 200, response.get_data(as_text=True)
    answer: dict[str, Any] = response.get_json()
    return answer


# -- deep, long and large ----------------------------------------------------------------------------


@EVERYWHERE
@pytest.mark.parametrize("depth", [MOST_NESTED + 1, 300, 500, 900])
@pytest.mark.parametrize("position", [with_memory("DEEP"), with_memory({"family": "DEEP"})])
def test_a_memory_that_is_nested_deeply(client: FlaskClient, path: str, depth: int, position: Any) -> None:
    deep = json.loads(json.dumps(position).replace('"DEEP"', json.dumps(nested(depth))))
    assert errors(client, path, {"position": deep, **MORE[path]}, 400) == [("too-deep", "")]


@EVERYWHERE
def test_components_of_any_form_that_are_nested_deeply(client: FlaskClient, path: str) -> None:
    body = {"position": {}, **MORE[path], "components": {"intruders": nested(MOST_NESTED)}}
    assert answered(client, path, body)
    body["components"] = {"intruders": nested(300)}
    assert errors(client, path, body, 400) == [("too-deep", "")]


@EVERYWHERE
@pytest.mark.parametrize("text", ["NaN", '"\\ud800"', "1e999"])
def test_what_is_no_json_at_any_depth(client: FlaskClient, path: str, text: str) -> None:
    for depth in (MOST_NESTED, *range(700, 1_030, 3)):
        body = '{"a":' * depth + text + "}" * depth
        response = client.post(path, data=body, content_type="application/json")
        assert 400 <= response.status_code < 500, depth


@EVERYWHERE
def test_an_agenda_of_more_procedures_than_can_be_in_each_other(client: FlaskClient, path: str) -> None:
    over = {"procedure": "evade", "step": "go-on"}
    body = {"position": {"agenda": [over] * MOST_FRAMES}, **MORE[path]}
    assert answered(client, path, body)
    body["position"] = {"agenda": [over] * (MOST_FRAMES + 1)}
    if path == AUDIT:
        assert answered(client, path, body)["possible"] is False
        return
    assert errors(client, path, body) == [("out-of-range", "/position/agenda")]


def test_as_many_procedures_as_can_be_in_each_other_come_to_an_end(client: FlaskClient) -> None:
    phase = {"procedure": "discard-phase", "step": "families-with-fort"}
    position = client.get(f"{CHECK.replace('check', 'scenarios')}/14.1").get_json()["position"]
    position["cards"] = {**position["cards"], "current": None, "hand": []}
    body = {"position": {**position, "agenda": [phase] * MOST_FRAMES}, "action": {"kind": "continue"}}
    answer = answered(client, CHECK, body)
    assert (answer["ruling"], answer["position"].get("agenda", [])) == ("legal", [])


@EVERYWHERE
def test_areas_that_a_raid_cannot_all_turn_to(client: FlaskClient, path: str) -> None:
    if path == AUDIT:
        return  # there it is a finding
    memory = {"candidates": [AREAS[0]] * (len(AREAS) + 1)}
    body = {"position": with_memory(memory, "enemy-raid", "direction"), **MORE[path]}
    assert errors(client, path, body) == [("out-of-range", "/position/agenda/0/memory/candidates")]


@pytest.mark.parametrize("number", [2**53 + 1, 2**64, 10**30])
@pytest.mark.parametrize("game", ["navajo-wars", "julian"])
@EVERYWHERE
def test_a_number_that_programs_do_not_agree_on(
    client: FlaskClient, path: str, game: str, number: int
) -> None:
    places: dict[str, Any] = {
        "navajo-wars": (
            with_memory({"family": "C", "total": number}, step="where"),
            "/agenda/0/memory/total",
        ),
        "julian": ({"turn": number}, "/turn"),
    }
    position, where = places[game]
    body = {"position": position, **MORE[path]}
    if path == AUDIT:
        assert answered(client, path.replace("navajo-wars", game), body)["possible"] is False
        return
    found = errors(client, path.replace("navajo-wars", game), body)
    assert found == [("out-of-range", f"/position{where}")]


@EVERYWHERE
def test_the_largest_number_that_programs_agree_on(client: FlaskClient, path: str) -> None:
    position = {"turn": 2**53, "treasury": 2**53, "pool": {"dux": 2**53}}
    assert answered(client, path.replace("navajo-wars", "julian"), {"position": position, **MORE[path]})


@EVERYWHERE
def test_one_wrong_entry_among_thousands_is_found_soon(client: FlaskClient, path: str) -> None:
    many = {f"{number:x}": 1 for number in range(3_000)}
    costs = {f"{number:x}": {} for number in range(3_000)}
    body = {
        "position": {},
        **MORE[path],
        "components": {"counter_limits": {**many, "zz": 100}, "developments": costs},
    }
    began = time.process_time()
    assert errors(client, path, body) == [("out-of-range", "/components/counter_limits/zz")]
    assert time.process_time() - began < 5  # a search entry by entry takes half a minute


@EVERYWHERE
def test_of_very_many_errors_the_first_are_said(client: FlaskClient, path: str) -> None:
    spam = {f"spam-{number}": 1 for number in range(4_000)}
    body = {"position": {}, **MORE[path], **spam}
    assert len(errors(client, path, body)) == MOST_ERRORS


@pytest.mark.parametrize(
    ("path", "body"),
    [
        (CHECK, {"action": {"kind": "continue"}, "position": {}, "inputs": [{}] * 15_000}),
        (CHECK, {"action": {"kind": "continue"}, "position": {"agenda": [{}] * 15_000}}),
        (CHECK, {"action": {"kind": "continue"}, "position": {"cards": {"hand": [{}] * 15_000}}}),
        (REPLAY, {"position": {}, "moves": [{"action": {}}] * 14_000}),
        (REPLAY, {"position": {}, "moves": [{"action": {"kind": "x"}}] * 8_000}),
        (AUDIT, {"position": {"cards": {"developments": [{"set": "x", "level": 9}] * 2_000}}}),
    ],
)
def test_thousands_of_errors_do_not_hold_the_service(client: FlaskClient, path: str, body: Any) -> None:
    began = time.process_time()
    response = client.post(path, json=body)
    assert response.status_code == (200 if path == AUDIT else 422)
    assert len(response.get_json().get("errors", ())) <= MOST_ERRORS
    assert time.process_time() - began < 4  # under a tenth of this on an idle machine


def test_the_same_unit_thousands_of_times(client: FlaskClient) -> None:
    units = [{"id": f"a{number}", "combat": 2, "movement": 4} for number in range(4)]
    defenders = [{"id": "d", "combat": 1, "movement": 4}]
    action = {"kind": "combat-result", "result": "AD", "attackers": units, "defenders": defenders}
    body = {"position": {}, "action": action, "inputs": [{"choose": ["a1"] * 8_000}]}
    answer = answered(client, CHECK.replace("navajo-wars", "julian"), body)
    assert [reason["name"] for reason in answer["reasons"]] == ["wrong-number-chosen"]


# -- where it is wrong, and what was sent ------------------------------------------------------------


@EVERYWHERE
@pytest.mark.parametrize(
    ("components", "code", "where", "given"),
    [
        ({"cards": {"1": {}, "56": {}}}, "unknown-name", "/cards/56", "56"),
        ({"good_medicine": {"01": {}}}, "unknown-name", "/good_medicine/01", "01"),
        (
            {"instruction_counters": {"spanish": [{"letter": "ab", "face": {"name": "raid"}}]}},
            "unknown-value",
            "/instruction_counters/spanish/0/letter",
            "ab",
        ),
    ],
)
def test_a_text_of_another_form_is_repeated(
    client: FlaskClient, path: str, components: Any, code: str, where: str, given: str
) -> None:
    body = {"position": {}, **MORE[path], "components": components}
    assert errors(client, path, body) == [(code, f"/components{where}")]
    assert f"“{given}”" in client.post(path, json=body).get_json()["detail"]


def test_an_action_given_as_an_answer_is_named_with_its_place(client: FlaskClient) -> None:
    raid = with_memory({"entered": "shiprock-3"}, "enemy-raid", "player-reaction")
    body = {
        "position": {**EVADE["position"], **raid},
        "action": {"kind": "continue"},
        "inputs": [{"choose": {"kind": "evade", "family": "Z"}}],
    }
    assert errors(client, CHECK, body) == [("unknown-value", "/inputs/0/choose/family")]


# -- replay ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("lang", [*LANGUAGES, "all"])
@pytest.mark.parametrize("event", ["answer.nothing", "replay.unchanged", ""])
def test_an_event_was_recorded_under_the_name_of_another_sentence(
    client: FlaskClient, event: str, lang: str
) -> None:
    expected = {"ruling": "illegal", "events": [event]}
    body = {"position": {}, "moves": [{"expected": expected}], "lang": lang}
    diverged = answered(client, REPLAY, body)["diverged"]
    assert diverged["number"] == 1
    assert [difference["name"] for difference in diverged["differences"]] == ["events"]


def test_a_procedure_told_by_hand_counts_like_a_move(client: FlaskClient) -> None:
    move = {
        "position": {"agenda": [{"procedure": "evade", "step": "go-on"}] * 4},
        "expected": {"ruling": "legal"},
    }
    answered(client, REPLAY, {"position": {}, "moves": [move] * (MOST_MOVES // 5)})
    body = {"position": {}, "moves": [move] * (MOST_MOVES // 5 + 1)}
    assert answered(client, REPLAY, body)["next"] == MOST_MOVES // 5
    body = {"position": {}, "moves": [move] * (MOST_SENT // 5 + 1)}
    assert errors(client, REPLAY, body) == [("replay-too-long", "/moves")]


# -- positions that cannot be, but can be sent -------------------------------------------------------


@pytest.mark.parametrize("box", ["shiprock-caught", "shiprock-escape"])
def test_an_activated_family_in_a_box_has_no_move(client: FlaskClient, box: str) -> None:
    family = {"at": box, "ferocity": 1, "man": True, "woman": True, "child": True, "horse": False}
    position = {
        "families": {"A": family},
        "activation": {"family": "A", "mp": 6, "spent": False, "began_with_fort": False},
        "operation": {"kind": "take-actions", "activated": ["A"]},
        "agenda": [{"procedure": "take-actions", "step": "action"}],
    }
    answer = answered(client, CHECK, {"position": position, "action": {"kind": "continue"}})
    assert "move" not in json.dumps(answer["pending"])


@pytest.mark.parametrize("connections", [None, [["shiprock-3", "hopi-land-2"], ["shiprock-3", "shiprock-4"]]])
def test_the_reactions_offered_are_those_allowed(client: FlaskClient, connections: Any) -> None:
    family = {"ferocity": 1, "man": True, "woman": True, "child": False, "horse": False}
    position = {
        "period": "mexican",
        "tracks": {"ap": 3, "military": 2, "culture": 2, "enemy_ferocity": 1},
        "families": {"A": {**family, "at": "shiprock-3"}, "B": {**family, "at": "hopi-land-2"}},
        "areas": {"shiprock-3": {"raid": 1}, "hopi-land-4": {"mission": True}, "shiprock-5": {"corn": True}},
        "resources": {"trade_goods": 1},
        **with_memory({"entered": "shiprock-3"}, "enemy-raid", "player-reaction"),
    }
    more = {"position": position, "components": {"connections": connections} if connections else {}}
    pending = answered(client, CHECK, {**more, "action": {"kind": "continue"}})["pending"]
    offered = [option["value"] for option in pending["options"] if option["value"] != "none"]
    plain = [{"kind": kind, "family": name} for name in "AB" for kind in ("ambush", "negotiate", "evade")]
    harass = [{"kind": "harass", "family": name, "area": area} for name in "AB" for area in AREAS]
    rulings = {
        json.dumps(action): answered(client, CHECK, {**more, "action": action})["ruling"]
        for action in (*plain, *harass)
    }
    allowed = {action for action, ruling in rulings.items() if ruling == "legal"}
    open_yet = [{"kind": "harass"}] if any(ruling == "undetermined" for ruling in rulings.values()) else []
    assert {json.dumps(action) for action in offered if action not in open_yet} == allowed
    assert [action for action in offered if set(action) == {"kind"}] == open_yet
    assert any('"harass"' in action for action in allowed)


def test_what_is_full_stays_readable(client: FlaskClient) -> None:
    position = {
        "families": {},
        "areas": {"shiprock-1": {"raid": 99}},
        "santa_fe": {"raid": 99},
        **with_memory({"candidates": ["shiprock-1"]}, "enemy-raid", "direction"),
    }
    answer = answered(client, CHECK, {"position": position, "action": {"kind": "continue"}})
    assert answered(client, AUDIT, {"position": answer["position"]})


@pytest.mark.parametrize(
    ("procedure", "step", "more"),
    [
        (
            "passage-of-time",
            "feed",
            {"elders": [99] * 7, "families": {}, "resources": {"corn": [], "sheep": 1}},
        ),
        ("enemy-operations", "special-conditions", {"raided_box": {"enemy_ap": 90, "instruction": "defend"}}),
    ],
)
def test_what_comes_of_a_full_board_can_be_sent_again(
    client: FlaskClient, procedure: str, step: str, more: Any
) -> None:
    position = client.get(f"{CHECK.replace('check', 'scenarios')}/14.4").get_json()["position"]
    position |= {"raided_cubes": {"red": 99, "white": 99}, **more}
    position["agenda"] = [{"procedure": procedure, "step": step}]
    body = {"position": position, "action": {"kind": "continue"}}
    answer = answered(client, CHECK, body)
    assert answer["ruling"] == "legal", answer["headline"]
    assert answered(client, CHECK, {**body, "position": answer["position"]})


# -- HTTP --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("tag", ['"x"', "*", "garbage"])
def test_if_match_is_for_those_who_change_things(client: FlaskClient, tag: str) -> None:
    path = CHECK.replace("check", "scenarios")
    response = client.get(path, headers={"If-Match": tag})
    assert (response.status_code, response.get_json()["game"]) == (200, "navajo-wars")


def test_a_long_address_is_not_repeated_in_full(client: FlaskClient) -> None:
    response = client.get(f"{CHECK.replace('check', 'scenarios')}/{'x' * 3_000}")
    assert response.get_json()["code"] == "unknown-scenario"
    assert f"“{'x' * 57}…”" in response.get_json()["detail"]


class Endless:
    """A body whose next chunk never comes."""

    def read(self, *_: Any) -> bytes:
        raise AssertionError("somebody waits for it")

    readline = readlines = read

    def __iter__(self) -> Iterator[bytes]:
        raise AssertionError("somebody waits for it")


@EVERYWHERE
def test_a_body_in_chunks_is_not_waited_for(client: FlaskClient, path: str) -> None:
    response = client.open(
        path,
        method="POST",
        content_type="application/json",
        headers={"Accept-Language": "it"},
        environ_overrides={
            "wsgi.input": Endless(),
            "wsgi.input_terminated": True,
            "HTTP_TRANSFER_ENCODING": "chunked",
            "CONTENT_LENGTH": "",
        },
    )
    assert (response.status_code, response.get_json()["lang"]) == (411, "it")


# -- the command line --------------------------------------------------------------------------------

BOM = b"\xef\xbb\xbf"
COMMANDS = pytest.mark.parametrize("command", ["audit", "replay"])


def run(*arguments: str | Path) -> Any:
    return CliRunner().invoke(main, [str(argument) for argument in arguments])


def file(folder: Path, name: str, content: bytes) -> Path:
    path = folder / name
    path.write_bytes(content)
    return path


@COMMANDS
@pytest.mark.parametrize(
    "content",
    [b"[tracks", bytes(range(256)), "[tracks]".encode("utf-16"), b"a = " + b"[" * 3_000 + b"]" * 3_000],
    ids=["cut off", "binary", "UTF-16", "deep"],
)
def test_a_file_that_is_no_toml(tmp_path: Path, command: str, content: bytes) -> None:
    path = file(tmp_path, "sent.toml", content)
    done = run(command, path)
    assert done.exit_code == 2
    assert done.output.startswith(f"{path}: ")


@pytest.mark.parametrize(
    ("name", "content"),
    [("sent.json", b'{"raid_pool": {"red": 4}}'), ("sent.toml", b"[raid_pool]\nred = 4\n")],
)
def test_a_byte_order_mark_before_a_file(tmp_path: Path, name: str, content: bytes) -> None:
    plain, marked = (run("audit", file(tmp_path, name, mark + content)) for mark in (b"", BOM))
    assert (marked.exit_code, marked.output) == (plain.exit_code, plain.output)
    assert "[1.8]" in marked.output


@pytest.mark.parametrize("number", ["nan", "inf", "-inf"])
def test_what_is_no_number_does_not_become_none(tmp_path: Path, number: str) -> None:
    done = run("audit", file(tmp_path, "sent.toml", f"manuelito = {number}\n".encode()))
    assert done.exit_code == 2
    assert done.output.startswith("/manuelito: ")


def test_each_error_is_said_with_its_place(tmp_path: Path) -> None:
    done = run("replay", file(tmp_path, "sent.json", b'{"spam": 1}'), "--lang", "fr")
    assert done.exit_code == 2
    assert [line.partition(": ")[0] for line in done.output.splitlines()] == [
        "/position",
        "/moves",
        "/spam",
    ]


@pytest.mark.parametrize("command", ["audit", "replay", "check"])
@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("mine.toml", b"[x", "mine.toml: "),
        ("mine.toml", bytes(range(256)), "mine.toml: "),
        ("mine.json", b"", "mine.json: "),
        ("mine.json", b'{"intruders": ' + b"[" * 3_000 + b"]" * 3_000 + b"}", "mine.json: "),
        ("mine.json", b"[]", "mine.json#: "),
        ("mine.toml", b"spam = 1", "mine.toml#/spam: "),
        ("mine.toml", b'[area_values]\n"shiprock-1" = 99', "mine.toml#/area_values/shiprock-1: "),
    ],
)
def test_a_components_file_that_cannot_be_read(
    tmp_path: Path, command: str, name: str, content: bytes, said: str
) -> None:
    mine = file(tmp_path, name, content)
    sent = file(tmp_path, "sent.json", b"{}")
    done = run(command, sent, "--components", mine)
    assert done.exit_code == 2
    assert said in done.output


def test_a_folder_is_no_components_file(tmp_path: Path) -> None:
    done = run("audit", file(tmp_path, "sent.json", b"{}"), "--components", tmp_path)
    assert done.exit_code == 2
    assert "directory" in done.output


def test_put_in_the_middle_of_a_replay_it_is_named_there(client: FlaskClient) -> None:
    body = {"position": {}, "moves": [{}, {"position": with_memory({"family": "Z"})}]}
    where = "/moves/1/position/agenda/0/memory/family"
    assert errors(client, REPLAY, body) == [("unknown-value", where)]
    deep = put(body, ("moves", 1, "position", "agenda", 0, "memory"), nested(300))
    assert errors(client, REPLAY, deep, 400) == [("too-deep", "")]
