"""What a player of the Diné may want more of, and words that name several answers at once."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from engine.navajo_wars.board import Board
from engine.navajo_wars.map import CANYON_AREAS, is_area
from engine.verdict import Unknown, as_number, total


def population(at: Board) -> int | Unknown:
    """The population counters in the Family Boxes of the Families in play."""
    return total(
        as_number(one) for family in at.families() for one in (family.man, family.woman, family.child)
    )


def culture(at: Board) -> int | Unknown:
    """Culture Points."""
    return at.culture


def military(at: Board) -> int | Unknown:
    """Military Points."""
    return at.military


def morale(at: Board) -> int | Unknown:
    """Enemy Morale, which is wanted low."""
    return -at.track("enemy_morale")


AIMS: dict[str, Callable[[Any], Any]] = {
    "keep-population": population,
    "culture": culture,
    "morale": morale,
    "military": military,
}


def names_an_area(value: Any) -> bool:
    """Is this answer an Area?"""
    return isinstance(value, str) and is_area(value)


def names_the_canyon(value: Any) -> bool:
    """Is this answer an Area of Canyon de Chelly?"""
    return value in CANYON_AREAS


GROUPS: dict[str, Callable[[Any], bool]] = {"any-area": names_an_area, "canyon": names_the_canyon}
