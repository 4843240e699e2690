"""Random play of whole games reaches an end without a dead end, an exception or a lost piece.

GAMES=200 plays so many games (`make fuzz`); FIRST=… begins with another seed.
"""

from __future__ import annotations

import os
from collections import Counter
from functools import cache
from typing import Any

import pytest

from engine import codec, transcript
from engine.navajo_wars import GAME
from tests.games.playing import COPY, Whole, play
from tests.games.watching import Watch
from tests.shown import components

GAMES = int(os.environ.get("GAMES", "20"))
FIRST = int(os.environ.get("FIRST", "0"))
SCENARIOS = ("14.5", "14.1", "14.2", "14.5", "14.3", "14.1", "14.4", "14.6")
CASES = [(SCENARIOS[number % len(SCENARIOS)], FIRST + number) for number in range(GAMES)]


@cache
def copy() -> Any:
    """The invented copy, read once."""
    return codec.read(components(COPY), GAME.components, "/components")


def played(scenario: str, seed: int) -> Whole:
    """One game; every third player looks a little ahead."""
    return play(scenario, seed, careful=0 if seed % 3 else 3, watch=Watch(copy()))


@pytest.mark.parametrize(("scenario", "seed"), CASES)
def test_a_game_comes_to_its_end(scenario: str, seed: int) -> None:
    whole = played(scenario, seed)
    outcome = whole.position.outcome
    assert outcome.rule in GAME.catalogue.rules
    assert whole.position.agenda == ()
    last = whole.transcript.moves[-1].expected.events
    assert "game-over" in last, last
    print(f"{scenario}, seed {seed}: {outcome.result} by {outcome.rule} after {whole.pauses} answers")


def test_a_game_is_the_same_for_the_same_seed() -> None:
    one, other = (play("14.5", 7) for _ in range(2))
    assert transcript.write(one.transcript) == transcript.write(other.transcript)


def test_games_end_in_different_ways() -> None:
    ends = Counter(play("14.5", seed, careful=2).position.outcome.rule for seed in range(6))
    assert len(ends) > 1, "every game ends the same way: the player never gets anywhere"
