"""`make bench`, second part: what options, odds and a batch cost, as multiples of a simple check in the same run.

A simple check is the bench's Ambush, 5 KB, in French. Options and odds are measured like it from JSON in to JSON out
without HTTP, by processor time and in turns; a batch is compared with single requests through Flask.
"""

from __future__ import annotations

import gc
import time
from collections.abc import Callable
from statistics import median
from typing import Any

import orjson

from engine.navajo_wars import GAME
from service import checks, odds, options
from service.answers import encode
from service.app import create_app
from service.requests import CheckReader, OddsReader, OptionsReader
from tests.bench import body, full_position

ROUNDS = 9
CHECK = "/v1/games/navajo-wars/check"
PLANNING = {"kind": "planning", "activated": [], "elder_ferocity": [], "traded": [], "tribal": []}
TAKE_ACTIONS = {**PLANNING, "kind": "take-actions", "activated": ["A"]}
POSITIONS: dict[str, dict[str, Any]] = {
    "between two Operations": {},
    "in Planning": {"operation": PLANNING},
    "in Take Actions": {"operation": TAKE_ACTIONS, "activation": {"family": "A", "mp": 5, "spent": False}},
}
EIGHT_CUBES = {"black": 2, "white": 1, "brown": 1, "red": 1, "yellow": 1, "green": 1, "blue": 1}
INVENTED_TABLE = {  # for this measurement: what a copy prints is the player's to say
    "outpost": {
        "black": {"hit": 1},
        "white": {"ends": True},
        **{colour: {} for colour in ("brown", "red", "yellow", "green", "blue")},
    },
    "hits": {"mission": 2},
}
SUFFERED = {
    "tribal-raid-evade": ["none"],
    "tribal-raid-give-up": ["none"],
    "tribal-raid-resolution": ["suffer"],
    "tribal-raid-population": ["child", "woman", "man"],
    "tribal-raid-affected-family": ["A", "B"],
    "tribal-raid-return-area": ["any-area"],
    "tribal-raid-return-ferocity": [0],
}

Work = Callable[[], object]


def simple() -> Work:
    """The simple check."""
    reads, sent = CheckReader(GAME), body()
    return lambda: encode(reads.answer(sent, lambda read: checks.answer(GAME, read, "fr")))


def all_options(told: dict[str, Any]) -> Work:
    """Everything that may be done on a full mid-game position."""
    reads, sent = OptionsReader(GAME), orjson.dumps({"position": {**full_position(), **told}, "lang": "fr"})
    return lambda: encode(reads.answer(sent, lambda read: options.answer(GAME, read, "fr")))


def chances(asked: dict[str, Any]) -> Work:
    """The odds of an action, which must be exact."""
    reads, sent = OddsReader(GAME), orjson.dumps({**asked, "lang": "fr"})

    def work() -> bytes:
        found = reads.answer(sent, lambda read: odds.answer(GAME, read, "fr"))
        if not found.exact:
            raise RuntimeError("the odds were not followed to their end")
        return encode(found)

    return work


def evasion() -> dict[str, Any]:
    """An Evasion with the places to flee to listed apart."""
    return {"position": full_position(), "action": {"kind": "evade", "family": "A"}}


def outpost_raid() -> dict[str, Any]:
    """A Raid on a Mission with eight cubes of seven colours in the bag."""
    position = full_position()
    position["activation"] = {"family": "B", "mp": 6, "spent": False}
    position["raid_pool"] = EIGHT_CUBES
    position["areas"]["san-juan-valley-3"] = {"mission": True}
    action = {"kind": "raid-outpost", "family": "B", "area": "san-juan-valley-3", "target": "mission"}
    return {"position": position, "action": action, "components": {"raid_table": INVENTED_TABLE}}


def tribal_raid() -> dict[str, Any]:
    """A whole Tribal Raid against two Families that let it happen."""
    position = full_position()
    position["families"] = {letter: position["families"][letter] for letter in "AB"}
    return {"position": position, "action": {"kind": "tribal-raid", "tribe": "comanche"}, "policy": SUFFERED}


def cases() -> dict[str, tuple[Work, int, float]]:
    """Each case, how often it is done in a round, and how many simple checks it may cost."""
    return {
        **{f"options {name}": (all_options(told), 5, 60) for name, told in POSITIONS.items()},
        "odds of an Evasion": (chances(evasion()), 20, 8),
        "odds of a Raid on an Outpost, 8 cubes": (chances(outpost_raid()), 3, 200),
        "odds of a Tribal Raid, 2 Families": (chances(tribal_raid()), 3, 400),
    }


def seconds(work: Work, times: int) -> float:
    """How much processor time it takes once, on average."""
    start = time.process_time()
    for _ in range(times):
        work()
    return (time.process_time() - start) / times


def ratios() -> dict[str, float]:
    """Each case in simple checks, in turns with it."""
    one, measured = simple(), cases()
    gc.freeze()  # as a server does when it is ready
    gc.set_threshold(20_000, 20, 20)
    found: dict[str, list[float]] = {name: [] for name in measured}
    for work in (one, *(work for work, _, _ in measured.values())):
        work()
    for _ in range(ROUNDS):
        for name, (work, times, _) in measured.items():
            found[name].append(seconds(work, times) / seconds(one, 100))
    return {name: median(rounds) for name, rounds in found.items()}


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
    print(f"Options and odds in simple checks, {ROUNDS} rounds in turns (median)")
    limits = {name: most for name, (_, _, most) in cases().items()}
    for name, ratio in ratios().items():
        print(f"{name:52} {ratio:6.1f}   at most {limits[name]:g}")
    print(f"{'a batch of 50, of 50 single requests':52} {batch_to_singles():6.2f}   at most {1 / 3:.2f}")


if __name__ == "__main__":
    report()
