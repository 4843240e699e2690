"""Mutated games brought in as plays and looked at in every way: each is refused or kept, and nothing fails."""

from __future__ import annotations

import tempfile
from pathlib import Path
from random import Random
from typing import Any

import orjson

from service.app import create_app
from service.store import Store
from tests.fuzz.asking import Case, written
from tests.fuzz.holding import Broken
from tests.fuzz.mutating import HOSTILE, made

LOOKS = ("", "/moves?lang=all", "/report.md?lang=it", "/report.html?lang=ja", "/transcript", "/components")
SCREENS = ("", "/table", "/chart", "/report", "/copy")


def brought_in(seed: int, games: int, url: str = "") -> int:
    """So many games; how many were taken. What fails is raised."""
    random, taken = Random(seed), 0
    with tempfile.TemporaryDirectory() as folder:
        app = create_app({"STORE": url or f"sqlite:///{Path(folder) / 'plays.sqlite3'}", "LIMITS": "off"})
        client = app.test_client()
        for _ in range(games):
            case = made(random, [])
            game = _as_game(case, random)
            taken += _one(client, Case(case.game, "replay", game), random)
        store: Store = app.extensions["ruleglot-plays"].store
        store.close()
    return taken


def _as_game(case: Case, random: Random) -> dict[str, Any]:
    """A request as the game of one move; one that is a game already stays so."""
    if case.operation == "replay":
        return case.body
    move = {name: case.body[name] for name in ("action", "inputs") if name in case.body}
    shared = {name: case.body[name] for name in ("choices", "components") if name in case.body}
    position = case.body.get("position", {})
    move |= random.choice(
        (
            {},
            {"position_after": position},
            {"kind": random.choice(("told", "corrected", "read"))},
            {"note": random.choice(HOSTILE)},
            {"remembered": {random.choice(HOSTILE): 1}},
        )
    )
    return {**shared, "position": position, "moves": [move] * random.randint(1, 3)}


def _one(client: Any, case: Case, random: Random) -> bool:
    sent = written({"transcript": case.body, "name": random.choice(HOSTILE)[:80]})
    start = _held(
        case, client.post(f"/v1/games/{case.game}/plays", data=sent, content_type="application/json")
    )
    if start.status_code != 201:
        return False
    play = start.get_json()
    key = {"Authorization": f"Bearer {play['key']}", "If-Match": '"1"'}
    for path in LOOKS:
        _held(case, client.get(f"/v1/plays/{play['id']}{path}"))
    for path in SCREENS:
        _held(case, client.get(f"/play/{play['id']}{path}", headers={"Accept": "text/html"}))
    _held(case, client.post(f"/v1/plays/{play['id']}/verify", headers=key))
    _held(case, client.post(f"/v1/plays/{play['id']}/options", json={"illegal": True}))
    body = {"inputs": case.body["moves"][-1].get("inputs", [])}
    move = {"data": written(body), "content_type": "application/json", "headers": key}
    _held(case, client.post(f"/v1/plays/{play['id']}/moves", **move))
    return True


def _held(case: Case, answer: Any) -> Any:
    if answer.status_code >= 500:
        told = answer.get_data(as_text=True)[:300]
        raise Broken(
            "brought-in", case, f"{answer.request.path}: {answer.status_code} {orjson.dumps(told)!r}"
        )
    return answer
