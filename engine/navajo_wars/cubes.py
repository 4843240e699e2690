"""The cubes: the Raid Pool and the three boxes they go to."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import UNSET, Struct, structs

from engine.actions import Action
from engine.messages import Term, message
from engine.navajo_wars.board import MOST_COUNTERS, Board
from engine.navajo_wars.components import SHIPPED
from engine.navajo_wars.position import Cubes
from engine.verdict import Caution, Check, Unknown, must_know

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


def cubes_in(at: Board, box: str) -> Cubes | Unknown:
    """The cubes of a box."""
    cubes: Cubes | Unknown = at.told(box, ask=ASK_CUBES[box])
    return cubes


def count(cubes: Cubes) -> int:
    """How many cubes these are, whatever their colour."""
    return sum(getattr(cubes, colour) for colour in COLOURS)


def colours_of(cubes: Cubes) -> dict[str, int]:
    """How many there are of each colour that occurs."""
    return {colour: getattr(cubes, colour) for colour in COLOURS if getattr(cubes, colour)}


def red_cubes(at: Board) -> int:
    """The red cubes in the Subjugation of New Mexico Box; no others count there (C45)."""
    return must_know(cubes_in(at, "subjugation")).red


def not_in_a_box(at: Board, colour: str) -> int:
    """How many cubes of a colour are in none of the boxes that are told."""
    boxes = (getattr(at.position, box) for box in ("raid_pool", "raided_cubes", "recovery", "subjugation"))
    there = sum(int(getattr(cubes, colour)) for cubes in boxes if cubes is not UNSET)
    return max(0, int(SHIPPED.cubes.value[colour]) - there)


def shift_cubes(at: Board, box: str, colour: str, by: int) -> Board:
    """Add or take cubes of one colour; a box that was not told stays untold."""
    cubes = getattr(at.position, box)
    if cubes is UNSET:
        return at
    number = min(MOST_COUNTERS, max(0, getattr(cubes, colour) + by))
    return at.change(**{box: structs.replace(cubes, **{colour: number})})


def move_cube(at: Board, colour: str, start: str, goal: str) -> Board:
    """One cube goes from one box to another."""
    return shift_cubes(shift_cubes(at, start, colour, -1), goal, colour, +1)


def empty_into(at: Board, start: str, goal: str) -> Board:
    """All cubes of a box go to another; if it was not told which they are, the other is not told any more."""
    cubes = getattr(at.position, start)
    if cubes is UNSET:
        return at.change(**{start: Cubes(), goal: UNSET})
    for colour, number in colours_of(cubes).items():
        at = shift_cubes(at, goal, colour, number)
    return at.change(**{start: Cubes()})


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
