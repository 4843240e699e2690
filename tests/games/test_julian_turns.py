"""Random play of whole game turns of Julian: no dead end, no exception, every returned position passes audit.

TURNS=1000 plays so many (`make fuzz`); FIRST=… begins with another seed.
"""

from __future__ import annotations

import os

from tests.games.julian_turns import RESULTS_SEEN, play

TURNS = int(os.environ.get("TURNS", "100"))
FIRST = int(os.environ.get("FIRST", "0"))


def test_a_game_turn_comes_to_its_end() -> None:
    seen: set[str] = set()
    pauses = 0
    for seed in range(FIRST, FIRST + TURNS):
        table = play(seed)
        seen |= table.results
        pauses += table.pauses
    print(f"{TURNS} game turns, {pauses} pauses, results: {sorted(seen)}")
    if TURNS >= 100:
        assert seen == RESULTS_SEEN, "a result never came: the turns do not reach their combats"
