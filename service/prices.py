"""How much work one request may be: as much as so many checks, measured on the machine that serves.

Moves and answers can be counted beforehand, but what they cost depends on the position: where hardly anything is
allowed, everything is tried before a question is asked. So a page of a replay also ends where it has computed for long.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import cache

import orjson

from service import checks, worked_examples
from service.answers import encode
from service.games import GAMES
from service.requests import CheckReader

MOST = 250  # checks; wording the answer and sending it come to it
MOST_BROUGHT_IN = 320  # of a game that is brought in: reading it, playing it, and making what is kept of it
MOST_PLAYED_IN = 250  # of it for playing
MOST_TOLD = 400  # of a report, whose words are counted with its moves: an ordinary game is told in one piece
ROUNDS = 5

clock: Callable[[], float] = (
    time.thread_time
)  # what this thread has computed; whatever else runs is not counted


@cache
def of_a_check() -> float:
    """The seconds that a simple check computes: the worked example in the middle, of one of each kind."""
    game = next(iter(GAMES.values()))
    reads = CheckReader(game)
    firsts = [examples[0] for examples in worked_examples.by_kind(game.name).values()]
    texts = [orjson.dumps(worked_examples.as_request(example)) for example in firsts]
    taken = sorted(min(_seconds(lambda: _check(reads, text)) for _ in range(ROUNDS)) for text in texts)  # noqa: B023  called at once
    return taken[len(taken) // 2]


def _check(reads: CheckReader, text: bytes) -> bytes:
    return encode(checks.answer(next(iter(GAMES.values())), reads.read(text), "en"))


def _seconds(work: Callable[[], object]) -> float:
    before = clock()
    work()
    return clock() - before


def spent(most: int = MOST) -> Callable[[], bool]:
    """Asked later: has this thread computed as much as so many checks since now?"""
    allowed = most * of_a_check()  # the first time this computes, too, and that is not the request's
    end = clock() + allowed
    return lambda: clock() > end
