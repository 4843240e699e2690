"""What each answer to the one fact that is missing would lead to: the same check again, with the fact told."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from engine.at import At
from engine.exceptions import Unreadable
from engine.game import Answer, Game, check
from engine.telling import Given
from engine.verdict import UNDETERMINED

MOST_VALUES = 20  # that are looked at: a track has so many spaces, a map has more


def is_settled_by_one(found: Answer) -> bool:
    """Is a single fact all that is missing for a ruling?"""
    return found.verdict.ruling == UNDETERMINED and len(found.verdict.unknowns) == 1


def settled(
    game: Game, at: At[Any], do: Any, inputs: Sequence[Given], pointer: str, values: Iterable[Any]
) -> Iterator[tuple[Any, Answer]]:
    """Each of these values with what is found once it is told; one that cannot be told here is left out."""
    for value in values:
        try:
            yield value, check(game, at.apart(), do, (*inputs, ("tell", {pointer: value})))
        except Unreadable:
            continue
