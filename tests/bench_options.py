"""What options and a batch of checks cost, as ratios to a simple check in the same run; `make bench` may call it.

Everything is measured in process, from JSON in to JSON out; a batch is compared with single requests through Flask.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from statistics import median
from typing import Any

import orjson

from engine.navajo_wars import GAME
from service import checks, options
from service.answers import encode
from service.app import create_app
from service.requests import CheckReader, OptionsReader
from tests.bench import full_position

MOST_OPTIONS = 60  # simple checks that the options of a full position may cost
MOST_BATCH = 1 / 3  # of as many single requests
ROUNDS = 7
CHECK = "/v1/games/navajo-wars/check"
PLANNING = {"kind": "planning", "activated": [], "elder_ferocity": [], "traded": [], "tribal": []}
TAKE_ACTIONS = {**PLANNING, "kind": "take-actions", "activated": ["A"]}
POSITIONS: dict[str, dict[str, Any]] = {
    "between two Operations": {},
    "in Planning": {"operation": PLANNING},
    "in Take Actions": {"operation": TAKE_ACTIONS, "activation": {"family": "A", "mp": 5, "spent": False}},
}


def seconds(work: Callable[[], object], times: int) -> float:
    """How long it takes once, on average."""
    start = time.perf_counter()
    for _ in range(times):
        work()
    return (time.perf_counter() - start) / times


def options_to_check(told: dict[str, Any]) -> float:
    """How many simple checks the options of a full mid-game position cost, both read, worded in French and written."""
    position = {**full_position(), **told}
    ambush = orjson.dumps({"position": position, "action": {"kind": "ambush", "family": "A"}, "lang": "fr"})
    asked = orjson.dumps({"position": position, "lang": "fr"})
    single, every = CheckReader(GAME), OptionsReader(GAME)

    def one() -> bytes:
        return encode(single.answer(ambush, lambda read: checks.answer(GAME, read, "fr")))

    def all_kinds() -> bytes:
        return encode(every.answer(asked, lambda read: options.answer(GAME, read, "fr")))

    one(), all_kinds()
    return median(seconds(all_kinds, 5) / seconds(one, 100) for _ in range(ROUNDS))


def batch_to_singles() -> float:
    """A batch of 50 checks, as a part of what 50 single requests cost."""
    client = create_app().test_client()
    position, action = full_position(), {"kind": "ambush", "family": "A"}
    single = {"position": position, "action": action, "lang": "fr"}
    batch = {"position": position, "actions": [{"action": action}] * 50, "lang": "fr"}

    def one() -> Any:
        return client.post(CHECK, json=single)

    def together() -> Any:
        return client.post(f"{CHECK}/batch", json=batch)

    one(), together()
    return median(seconds(together, 3) / (seconds(one, 50) * 50) for _ in range(ROUNDS))


def report() -> None:
    """Print every ratio beside what it may be."""
    for name, told in POSITIONS.items():
        ratio = options_to_check(told)
        print(f"options {name}: {ratio:5.1f} simple checks (at most {MOST_OPTIONS})")
    print(f"a batch of 50: {batch_to_singles():5.2f} of 50 single requests (at most {MOST_BATCH:.2f})")


if __name__ == "__main__":
    report()
