"""The cubes: the Raid Pool and the three boxes they go to."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from msgspec import Struct, structs

from engine.actions import Action
from engine.chance import Draw
from engine.messages import Term, message
from engine.navajo_wars.board import MOST_COUNTERS, Board
from engine.navajo_wars.components import SHIPPED
from engine.navajo_wars.position import Cubes
from engine.verdict import (
    Caution,
    Check,
    Fact,
    Truth,
    Unknown,
    is_told,
    must_know,
    no_less_than,
    total,
    unknown,
)

COLOURS = Cubes.__struct_fields__
CUBE_TERM = {colour: Term(f"nw.cube.{colour}") for colour in COLOURS}

ASK_CUBES = {
    "raid_pool": message("ask-raid-pool", "Which cubes are in the Raid Pool?"),
    "raided_cubes": message("ask-raided-cubes", "Which cubes are in the Raided Cubes Box?"),
    "recovery": message("ask-recovery", "Which cubes are in the Recovery Box?"),
    "subjugation": message(
        "ask-subjugation",
        "Which cubes are in the Subjugation of New Mexico Box, and how many of each colour?",
    ),
}


ASK_CUBES_OF = {
    "raid_pool": message("ask-cubes-in-raid-pool", "How many %(cube)ss are in the Raid Pool?"),
    "raided_cubes": message("ask-cubes-in-raided-box", "How many %(cube)ss are in the Raided Cubes Box?"),
    "recovery": message("ask-cubes-in-recovery", "How many %(cube)ss are in the Recovery Box?"),
    "subjugation": message(
        "ask-cubes-in-subjugation",
        "How many %(cube)ss are in the Subjugation of New Mexico Box?",
    ),
}
POOL_NOT_TOLD = message(
    "raid-pool-not-told",
    "The position does not say which cubes are in the Raid Pool: a cube that was drawn counts as having been there.",
)


def cubes_of(at: Board, box: str, colour: str) -> int | Unknown:
    """The cubes of one colour in a box."""
    if at.is_whole(box):  # what is left out of it is not there
        return at.cubes_told(box, colour)
    return no_less_than(0, at.told(box, colour, ask=ASK_CUBES_OF[box], cube=CUBE_TERM[colour]))


def cubes_in(at: Board, box: str) -> Cubes | Unknown:
    """The cubes of a box, each colour with its number."""
    held: list[Any] = [cubes_of(at, box, colour) for colour in COLOURS]
    if any(isinstance(number, Unknown) for number in held):
        return unknown(f"/{box}", ASK_CUBES[box])
    return Cubes(*held)


def any_in(at: Board, box: str) -> Truth:
    """Is there a cube in this box, of whatever colour?"""
    return total(cubes_of(at, box, colour) for colour in COLOURS) > 0


def count(cubes: Cubes) -> int:
    """How many cubes these are, whatever their colour."""
    return sum(getattr(cubes, colour) or 0 for colour in COLOURS)


def colours_of(cubes: Cubes) -> dict[str, int]:
    """How many there are of each colour that occurs."""
    counted = zip(COLOURS, structs.astuple(cubes), strict=True)
    return {colour: number for colour, number in counted if number}


def drawn_blind(at: Board) -> Draw | None:
    """A cube out of the Raid Pool, None if that is empty; where its content was not told, any cube that may be there."""
    held: dict[str, Any] = {colour: cubes_of(at, "raid_pool", colour) for colour in COLOURS}
    missing = [number for number in held.values() if isinstance(number, Unknown)]
    if not missing:
        pool = {colour: number for colour, number in held.items() if number}
        return Draw(pool, "cube") if pool else None
    there = {colour: 1 for colour, number in held.items() if isinstance(number, Unknown) or number}
    return Draw(there, "cube", untold=Fact("/raid_pool", ASK_CUBES["raid_pool"], {}))


def doubt_pool(at: Board, colour: str) -> Board:
    """A cube that was drawn was in the Raid Pool, even where nobody told so."""
    if is_told(cubes_of(at, "raid_pool", colour)):
        return at
    return at.warn(POOL_NOT_TOLD, "nw:1.9.bag", pointer="/raid_pool")


def red_cubes(at: Board) -> int:
    """The red cubes in the Subjugation of New Mexico Box; no others count there (C45)."""
    return must_know(cubes_of(at, "subjugation", "red"))


def not_in_a_box(at: Board, colour: str) -> int:
    """How many cubes of a colour are in none of the boxes that are told."""
    held = (cubes_of(at, box, colour) for box in ASK_CUBES)
    there = sum(number for number in held if not isinstance(number, Unknown))
    return max(0, int(SHIPPED.cubes.value[colour]) - there)


def shift_cubes(at: Board, box: str, colour: str, by: int) -> Board:
    """Add or take cubes of one colour; a number that was not told stays untold."""
    now = cubes_of(at, box, colour)
    if isinstance(now, Unknown):
        return at
    return at.set_cubes(box, colour, min(MOST_COUNTERS, max(0, now + by)))


def move_cube(at: Board, colour: str, start: str, goal: str) -> Board:
    """One cube goes from one box to another."""
    return shift_cubes(shift_cubes(at, start, colour, -1), goal, colour, +1)


def empty_into(at: Board, start: str, goal: str) -> Board:
    """All cubes of a box go to another; of a colour that was not told, the other's number is not told any more."""
    if not at.tells(start):
        return at.change(**{start: Cubes()}).forget(goal)
    held = {colour: cubes_of(at, start, colour) for colour in COLOURS}
    for colour, number in held.items():
        if isinstance(number, Unknown):
            at = _untold(at, goal, colour)
        elif number:
            at = shift_cubes(at, goal, colour, number)
    return at.change(**{start: Cubes()}).made_whole(start)


def _untold(at: Board, box: str, colour: str) -> Board:
    """The same box, of which the number of one colour is not told any more."""
    if not at.tells(box):
        return at
    known = {one: number for one in COLOURS if is_told(number := cubes_of(at, box, one)) and one != colour}
    return at.made_partial(box).change(**{box: Cubes(**known)})  # type: ignore[arg-type]  # they are told


CUBE_RESET = message(
    "cube-reset",
    "Cube Reset: the cubes of the Recovery Box return to the Raid Pool, then those of the Raided Cubes Box go "
    "to the Recovery Box.",
)


def cube_reset(at: Board, rule: str) -> Board:
    """Recovery Box to Raid Pool, then Raided Cubes Box to Recovery Box; counters lying there stay."""
    at = empty_into(at, "recovery", "raid_pool")
    return empty_into(at, "raided_cubes", "recovery").tell(CUBE_RESET, rule)


class CubeReset(Struct, frozen=True, forbid_unknown_fields=True, tag_field="kind", tag="cube-reset"):
    """A Cube Reset that a rule or a card calls for."""


def may_reset(_at: Board, _do: CubeReset) -> Iterator[Check | Caution]:
    """Whenever a rule or a card calls for it."""
    yield from ()


def begin_reset(at: Board, _: CubeReset) -> tuple[Board, None]:
    """Both moves, in their order."""
    return cube_reset(at, "nw:13.cube-reset"), None


ACTION = Action(
    CubeReset,
    "nw:13.cube-reset",
    Term("nw.cube_reset"),
    message(
        "action.cube-reset", "A Cube Reset: Recovery Box to Raid Pool, then Raided Cubes Box to Recovery Box."
    ),
    may_reset,
    begin_reset,
    ways=lambda _, __: (CubeReset(),),
)
