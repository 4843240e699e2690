"""`make bench`, first part: what the engine's answers cost, as multiples of a simple check in the same run.

A simple check is the bench's Ambush, 5 KB, in French, JSON in to JSON out without HTTP. The cases take turns, and each
ratio is the median over the rounds: only ratios mean something on a shared machine.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from statistics import median
from typing import Any

import orjson

from engine import codec
from engine.flow import demanded, waiting
from engine.game import check, prepare
from engine.navajo_wars import GAME
from engine.offers import closed
from service import checks
from service.answers import encode
from service.requests import CheckReader
from tests.bench import body, full_position

ROUNDS = 11
TIMES = 60
AGENDA = {"procedure": "enemy-raid", "step": "player-reaction", "memory": {"entered": "shiprock-4"}}
EVADE = {"kind": "evade", "family": "A"}

Work = Callable[[], object]


def in_a_raid() -> dict[str, Any]:
    """The bench's table while an Enemy Raid waits for a Reaction, with six Families in play."""
    return {**full_position(), "agenda": [AGENDA]}


def answers(position: dict[str, Any], action: dict[str, Any], *inputs: dict[str, Any]) -> Work:
    """JSON in to JSON out, in French."""
    reads = CheckReader(GAME)
    sent = orjson.dumps({"position": position, "action": action, "inputs": list(inputs), "lang": "fr"})
    return lambda: encode(reads.answer(sent, lambda asked: checks.answer(GAME, asked, "fr")))


def simple() -> Work:
    """The simple check."""
    reads, sent = CheckReader(GAME), body()
    return lambda: encode(reads.answer(sent, lambda asked: checks.answer(GAME, asked, "fr")))


def engine_only(action: dict[str, Any], *inputs: dict[str, Any]) -> Work:
    """The engine alone, from a position that is read already."""
    at = prepare(GAME, in_a_raid(), {}, {})
    do, given = codec.read(action, GAME.action_types, "/action"), codec.read_inputs(list(inputs))
    return lambda: check(GAME, at, do, given)


def pause_with_closed() -> Work:
    """The worded pause, and everything that is closed at it with its reasons."""
    pause, at = answers(in_a_raid(), {"kind": "continue"}), prepare(GAME, in_a_raid(), {}, {})
    step = waiting(at, GAME.procedures)
    return lambda: (pause(), closed(at, step.takes, demanded(at, step)))


CASES: dict[str, tuple[Work, Work, float]] = {
    "Evade in a Raid: as an answer / as an action": (
        engine_only({"kind": "continue"}, {"choose": EVADE}, {"die": 4}),
        engine_only(EVADE, {"die": 4}),
        2.5,
    ),
    "pause at a Reaction, six Families / simple check": (
        answers(in_a_raid(), {"kind": "continue"}),
        simple(),
        10,
    ),
    "the same with what is closed / simple check": (pause_with_closed(), simple(), 25),
}


def main() -> None:
    """Each case and what it is held against, in turns."""
    ratios: dict[str, list[float]] = {name: [] for name in CASES}
    for number in range(ROUNDS):
        print(f"round {number + 1} of {ROUNDS}", end="\r", flush=True)
        for name, (work, against, _) in CASES.items():
            ratios[name].append(_seconds(work) / _seconds(against))
    print(f"The engine's answers, {ROUNDS} rounds of {TIMES} each in turns, ratios (median)")
    for name, (_, _, most) in CASES.items():
        print(f"{name:52} {median(ratios[name]):6.2f}   at most {most:g}")


def _seconds(work: Work) -> float:
    start = time.process_time()
    for _ in range(TIMES):
        work()
    return time.process_time() - start


if __name__ == "__main__":
    main()
