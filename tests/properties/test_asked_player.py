"""A player with a whole table who tells only what he is asked comes to the ruling that the whole table gets.

ASKED_GAMES=30 asks at the tables of so many games (`make fuzz`); FIRST=… begins with another seed.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from statistics import median
from typing import Any

import pytest

from tests.games.asked_player import Talk, summed_up, talks
from tests.games.tables import Table, cases, julian, navajo_wars

ASKED_GAMES = int(os.environ.get("ASKED_GAMES", "5"))
FIRST = int(os.environ.get("FIRST", "0"))
MOST_IN_THE_MIDDLE = 4  # questions until a ruling
ONE_COLLECTION_IN = 50  # questions at most


def tables(game: str) -> tuple[Table, ...]:
    """Whole tables of a game."""
    return navajo_wars(ASKED_GAMES, FIRST, 2) if game == "navajo-wars" else julian(4 * ASKED_GAMES, FIRST, 5)


@pytest.mark.parametrize("assume", [True, False], ids=["assumed", "asked"])
@pytest.mark.parametrize("game", ["navajo-wars", "julian"])
def test_he_comes_to_the_same_rulings(
    game: str, assume: bool, record_property: Callable[[str, Any], None]
) -> None:
    went = list(talks(cases(tables(game)), assume=assume))
    record_property("figures", f"{game}{'' if assume else ', nothing assumed'}\n{summed_up(went)}")
    assert {one.case.kind for one in went} == set(tables(game)[0].game.actions)
    for fault in ("wrong", "dead_end", "strayed"):
        found = {f"{one.case} {one.questions}": getattr(one, fault) for one in went if getattr(one, fault)}
        assert not found, fault
    if assume:
        is_asked_little(went)


def is_asked_little(went: list[Talk]) -> None:
    """Few questions, and almost none for a whole collection; what is refused at once is not all that keeps them few."""
    assert median(len(one.questions) for one in went) <= MOST_IN_THE_MIDDLE
    assert median(len(one.questions) for one in went if one.is_legal) <= MOST_IN_THE_MIDDLE
    whole = sum(len(one.whole_collections) for one in went)
    assert ONE_COLLECTION_IN * whole <= sum(len(one.questions) for one in went)
