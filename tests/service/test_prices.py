"""No legal request costs more than 400 simple checks, by process time; constant answers are made once."""

from __future__ import annotations

import gzip
import re
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import orjson
import pytest
from flask.testing import FlaskClient

from engine import explain
from service import constants, pages, prices, search, shapes, table
from service.bodies import MOST_MOVES
from service.terms import LANGUAGES
from tests.service.sent import AMBUSH, CHECK

MOST = 400
GAME = "/v1/games/navajo-wars"
REPLAY = f"{GAME}/replay"
GZIP = {"Accept-Encoding": "gzip"}
CONSTANT = ("/openapi.json", f"{GAME}/terms.tbx", f"{GAME}/terms.csv", f"{GAME}/everything.json")


@pytest.fixture(scope="module")
def warm(client: FlaskClient) -> FlaskClient:
    """The application as a worker has it: gunicorn makes all this before it forks."""
    search.warm()
    constants.warm()
    return client


def least(send: Callable[[], Any], times: int) -> float:
    """The least process time of several tries: whatever else the machine does is not counted."""
    best = float("inf")
    for _ in range(times):
        before = time.process_time()
        send()
        best = min(best, time.process_time() - before)
    return best


def price(send: Callable[[], Any], times: int) -> float:
    """The same of something that is answered."""
    assert send().status_code == 200
    return least(send, times)


def posting(client: FlaskClient, path: str, body: Any) -> Callable[[], Any]:
    text = orjson.dumps(body)
    return lambda: client.post(path, data=text, content_type="application/json", headers=GZIP)


def in_checks(client: FlaskClient, send: Callable[[], Any]) -> float:
    simple = price(posting(client, CHECK, AMBUSH), 200)
    return price(send, 3) / simple


RAID = {
    "period": "mexican",
    "tracks": {"ap": 1, "culture": 6, "military": 3, "enemy_morale": 5, "enemy_ferocity": 1, "enemy_ap": 3},
    "families": {
        letter: {
            "ferocity": 1,
            "evasion": 0,
            "man": True,
            "woman": True,
            "child": True,
            "horse": False,
            "at": "shiprock-2",
        }
        for letter in "ABCDE"
    },
    "agenda": [
        {"procedure": "enemy-raid", "step": "player-reaction", "memory": {"entered": "shiprock-4"}},
    ],
}
AGAIN = {"action": {"kind": "continue"}}


DEAR = [{**AGAIN, **told} for told in ({}, {"position": {"tracks": {"ap": 1}}})]


@pytest.mark.parametrize("move", DEAR, ids=["asked again", "told again"])
def test_a_page_of_a_dear_replay_is_shorter(warm: FlaskClient, move: dict[str, Any]) -> None:
    """Five Families who hardly may do anything: before it asks, the Raid tries all that they could."""
    body = {"position": RAID, "moves": [move] * MOST_MOVES, "lang": "all", "record": True}
    send = posting(warm, REPLAY, body)
    page = warm.post(REPLAY, json=body).get_json()
    assert 0 < len(page["moves"]) == page["next"] < MOST_MOVES
    assert in_checks(warm, send) < MOST


EXPENSIVE = Path(__file__).parent.parent / "requests" / "expensive-replay-500-continue.json"


def test_going_on_500_times_with_nothing_costs_no_more_than_anything_else(
    warm: FlaskClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It cost 4,533 checks: now a page of it is answered, and where a page cannot be reached that is said."""
    # A worker learns the price once, and it may do so in a bustle.
    quietest = min(prices.of_a_check.__wrapped__() for _ in range(9))
    monkeypatch.setattr(prices, "of_a_check", lambda: quietest)
    body = orjson.loads(EXPENSIVE.read_bytes())
    assert len(body["moves"]) == 500
    page = warm.post(REPLAY, json=body).get_json()
    assert 0 < len(page["moves"]) == page["next"] < 500
    assert in_checks(warm, posting(warm, REPLAY, body)) < MOST
    for lang in LANGUAGES:
        asked = {**body, "from": 499, "lang": lang}
        beyond = warm.post(REPLAY, json=asked).get_json()
        (error,) = beyond["errors"]  # and none about a position that an earlier version has saved
        assert (beyond["status"], error["code"], error["pointer"]) == (422, "replay-too-long", "/moves")
        assert re.search(r"\d", error["detail"]), "it says how many moves can be sent"
    assert least(posting(warm, REPLAY, asked), 3) / price(posting(warm, CHECK, AMBUSH), 200) < MOST


def test_the_first_request_does_not_pay_for_learning_what_a_check_costs() -> None:
    prices.of_a_check.cache_clear()
    assert not prices.spent()()


@pytest.mark.usefixtures("unhurried")
def test_the_pages_of_a_dear_replay_are_the_whole(warm: FlaskClient, monkeypatch: pytest.MonkeyPatch) -> None:
    from service import prices

    body = {"position": RAID, "moves": [AGAIN] * 7}
    whole = warm.post(REPLAY, json=body).get_json()["moves"]
    assert len(whole) == 7

    def after_three() -> Callable[[], bool]:
        times = iter([False, False, True])
        return lambda: next(times)

    monkeypatch.setattr(prices, "spent", after_three)
    first = warm.post(REPLAY, json=body).get_json()
    assert (first["moves"], first["next"]) == (whole[:3], 3)
    rest = warm.post(REPLAY, json={**body, "from": 2}).get_json()
    assert (rest["moves"], rest["next"]) == (whole[2:3], 3), "what comes before is played first"
    stuck = warm.post(REPLAY, json={**body, "from": 3})
    assert (stuck.status_code, stuck.get_json()["errors"][0]["code"]) == (422, "replay-too-long")


def test_a_whole_game_is_one_page(warm: FlaskClient) -> None:
    from engine import transcript
    from engine.navajo_wars import GAME as NAVAJO_WARS
    from service import prices
    from tests.games.golden import GAMES, read

    for golden in GAMES:
        game = read(golden.name)
        tries = (
            transcript.replay(NAVAJO_WARS, game, spent=prices.spent()) for _ in range(9)
        )  # one is undisturbed
        assert any(len(one.played) == len(game.moves) for one in tries)


def test_everything_that_can_be_looked_up(warm: FlaskClient) -> None:
    simple = price(posting(warm, CHECK, AMBUSH), 200)
    for one in table.operations():
        if one.method == "get":
            address = one.shown or one.path
            if address.endswith("/none"):
                continue  # a game without set-ups shows none
            if one.query is not None:
                address += f"{'&' if '?' in address else '?'}lang=all"
            assert price(lambda: warm.get(address, headers=GZIP), 2) / simple < MOST, address  # noqa: B023  called at once


@pytest.mark.parametrize(
    ("path", "body", "status"),
    [
        (CHECK, {**AMBUSH, **{f"{number:x}": 1 for number in range(6_500)}}, 422),
        (
            f"{GAME}/check/batch",
            {"position": AMBUSH["position"], "actions": [{"action": AMBUSH["action"]}] * 50},
            200,
        ),
        (f"{GAME}/options", {"position": RAID | {"agenda": []}, "lang": "all", "illegal": True}, 200),
        (f"{GAME}/audit", {"position": RAID, "lang": "all"}, 200),
    ],
)
def test_what_can_be_asked_about_a_position(warm: FlaskClient, path: str, body: Any, status: int) -> None:
    send = posting(warm, path, body)
    assert send().status_code == status
    assert least(send, 3) / price(posting(warm, CHECK, AMBUSH), 200) < MOST


@pytest.mark.parametrize(
    "moves",
    [
        [{"x": "y" * 90}] * 39_000,
        [{f"f{number}": 1 for number in range(90)}] * 3_990,
        [{"action": {"kind": "continue"}, "inputs": [[1] * 200]}] * 3_000,
        [*[{"action": {"kind": "continue"}, "position": {"elders": [2.0] * 100}}] * 3_990, {"x": 1}],
    ],
    ids=["too many", "strange fields", "strange answers", "wrong at the end"],
)
def test_a_long_body_that_is_no_game_is_refused_cheaply(warm: FlaskClient, moves: list[Any]) -> None:
    send = posting(warm, REPLAY, {"position": {}, "moves": moves})
    refused = send()
    assert refused.status_code == 422
    assert all(error["pointer"].startswith("/moves") for error in refused.get_json()["errors"])
    assert least(send, 2) / price(posting(warm, CHECK, AMBUSH), 200) < MOST


@pytest.mark.usefixtures("unhurried")
def test_of_a_long_game_the_first_wrong_move_is_named(warm: FlaskClient) -> None:
    right = {"action": {"kind": "evade", "family": "A"}, "inputs": [{"die": 1}], "note": "x" * 100}
    wrong = {"action": {"kind": "evade", "family": "Z"}}
    body = {"position": {}, "moves": [*[right] * 900, wrong, *[right] * 50, wrong]}
    refused = warm.post(REPLAY, json=body).get_json()
    assert [error["pointer"] for error in refused["errors"]] == ["/moves/900/action/family"]
    mended = {"position": {}, "moves": [*[right] * 900, {**right, "inputs": [{"die": 1.0}]}]}
    assert warm.post(REPLAY, json=mended).status_code == 200, "what is clear is mended here, too"


def test_a_batch_that_is_too_dear_says_how_many_may_be_sent(
    warm: FlaskClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    from service import prices

    times = iter([False, False, True])
    monkeypatch.setattr(prices, "spent", lambda: lambda: next(times))
    body = {"position": AMBUSH["position"], "actions": [{"action": AMBUSH["action"]}] * 9, "lang": "fr"}
    refused = warm.post(f"{GAME}/check/batch", json=body)
    error = refused.get_json()["errors"][0]
    assert (refused.status_code, error["code"], error["pointer"]) == (422, "batch-too-dear", "/actions")
    assert "3" in error["detail"]


# -- made once ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("address", CONSTANT)
def test_a_constant_answer_is_not_made_again(warm: FlaskClient, address: str) -> None:
    assert in_checks(warm, lambda: warm.get(address, headers=GZIP)) < 12
    packed, plain = warm.get(address, headers=GZIP), warm.get(address)
    assert packed.headers["Content-Encoding"] == "gzip"
    assert "Content-Encoding" not in plain.headers
    assert gzip.decompress(packed.data) == plain.data
    assert "Accept-Encoding" in packed.headers["Vary"]
    assert "Accept-Encoding" in plain.headers["Vary"]
    assert packed.headers["ETag"] != plain.headers["ETag"], "two forms, two tags"
    for answer in (packed, plain):
        again = warm.get(
            address, headers={**(GZIP if answer is packed else {}), "If-None-Match": answer.headers["ETag"]}
        )
        assert again.status_code == 304


def test_both_games_have_their_own(warm: FlaskClient) -> None:
    assert warm.get("/v1/games/julian/terms.tbx").data != warm.get(f"{GAME}/terms.tbx").data


def test_a_worker_is_forked_with_everything_made(monkeypatch: pytest.MonkeyPatch) -> None:
    from types import SimpleNamespace

    from service import gunicorn_conf

    done = []
    monkeypatch.setattr(search, "warm", lambda: done.append("index"))
    monkeypatch.setattr(constants, "warm", lambda: done.append("answers"))
    monkeypatch.setattr(shapes, "warm", lambda: done.append("schemas"))
    monkeypatch.setattr(pages, "warm", lambda _app: done.append("templates"))
    monkeypatch.setattr(gunicorn_conf.gc, "freeze", lambda: done.append("frozen"))
    monkeypatch.setattr(gunicorn_conf.gc, "set_threshold", lambda *_: None)
    from service import logs, refusals

    monkeypatch.setattr(refusals, "instead_of_pages", lambda: None)
    monkeypatch.setattr(logs, "leave_out_what_was_sent", lambda: None)
    gunicorn_conf.when_ready(SimpleNamespace(LISTENERS=[], app=SimpleNamespace(wsgi=lambda: None)))
    assert done == ["index", "answers", "schemas", "templates", "frozen"]
    assert gunicorn_conf.preload_app


def test_the_first_wrong_request_makes_no_schema(client: FlaskClient) -> None:
    shapes.explainer.cache_clear()
    explain.explainer.cache_clear()
    shapes.warm()
    made = [shapes.explainer.cache_info(), explain.explainer.cache_info()]
    asked = 0
    for operation in table.operations():
        if operation.body is not None:
            sent = {"position": {"tracks": {"ap": "many"}}, "action": {"kind": "none"}}
            assert client.post(operation.path, json=sent).status_code in (
                200,
                422,
            )  # audits take what cannot be
            asked += 1
    now = [shapes.explainer.cache_info(), explain.explainer.cache_info()]
    assert [one.misses for one in now] == [one.misses for one in made]
    assert now[0].hits - made[0].hits >= asked, "each was explained"
    assert made[0].currsize == asked, "and no other is made"
