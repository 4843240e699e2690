"""Outposts: Missions and Ranchos, which of them the Period builds, where they are and how many are left."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cache

from engine.messages import Term, message
from engine.navajo_wars.board import ASK_PERIOD, Board
from engine.navajo_wars.map import PlaceRef, territory_of, track
from engine.navajo_wars.position import Count
from engine.questions import Question, Read, ask
from engine.verdict import must_know

OUTPOST_TERM = {"mission": Term("nw.outpost.mission"), "rancho": Term("nw.outpost.rancho")}
OUTPOST_PLACED = message("outpost-placed", "A new Outpost (%(outpost)s) is placed in Area %(area)s.")
CORN_TAKEN = message(
    "corn-taken", "The Corn counter in Area %(area)s goes back to its Draw Cup.", tells="detail"
)
READ_OUTPOSTS_LEFT = message(
    "read-outposts-left",
    "How many Outposts of the current Period (%(outpost)s) are left in the Enemy Out of Play Box?",
)

DIE_SYMBOL = (
    "shiprock",
    "san-juan-valley",
    "zuni-mountains",
    "monument-valley",
    "hopi-land",
    "black-mesa",
)


def territory_of_die(die: int) -> str:
    """The Territory whose die symbol was rolled; Canyon de Chelly has none."""
    return DIE_SYMBOL[die - 1]


def outpost_type(at: Board) -> str:
    """Missions in the Spanish Period, Ranchos in the other two."""
    return "mission" if must_know(at.told("period", ask=ASK_PERIOD)) == "spanish" else "rancho"


def on_map(at: Board, kind: str) -> list[str]:
    """The Areas with an Outpost of this kind, or with a Fort."""
    return list(at.areas_with(kind))


def outposts_on_map(at: Board) -> int:
    """How many Outposts are on the map; Forts are not Outposts."""
    return len(on_map(at, "mission")) + len(on_map(at, "rancho"))


def forts_on_map(at: Board) -> int:
    """How many Forts are on the map."""
    return len(on_map(at, "fort"))


def has_type(at: Board, territory: str, *kinds: str) -> bool:
    """Is an Outpost of one of these kinds anywhere on a Territory's Area Track?"""
    return bool(at.on_one_of(track(territory), *kinds))


def known_left(at: Board, kind: str) -> int | None:
    """How many counters of this kind are off the map; None where the counter mix was not told."""
    limit: int | None = at.components.counter_limits.get(kind)
    return None if limit is None else max(0, limit - len(on_map(at, kind)))


def left_question(at: Board, kind: str) -> Question:
    """How many of them are left, read off the table: with those on the map it is how many there are."""
    place, states = f"/components/counter_limits/{kind}", together_with(len(on_map(at, kind)))
    return ask(READ_OUTPOSTS_LEFT, Read(Count, place=place, states=states), outpost=OUTPOST_TERM[kind])


@cache  # the same question asked again is the same question
def together_with(on_map: int) -> Callable[[int], int]:
    """How many counters there are, of which so many are on the map."""
    return lambda left: left + on_map


def place_outpost(at: Board, territory: str, rule: str, corn_rule: str, *more: str) -> Board:
    """An Outpost of the Period goes to Area #1; corn there goes back to its Draw Cup."""
    kind, area = outpost_type(at), PlaceRef(f"{territory}-1")
    at = at.set_area(area, **{kind: True}).tell(
        OUTPOST_PLACED, rule, "nw:4.2.1.outpost-type", *more, outpost=OUTPOST_TERM[kind], area=area
    )
    return corn_goes(at, area, corn_rule)


def corn_goes(at: Board, area: PlaceRef, rule: str) -> Board:
    """An Outpost has come into this Area: a Corn counter there goes back to its Draw Cup."""
    if not at.counters(area, "corn"):
        return at
    return at.set_area(area, corn=False).tell(CORN_TAKEN, rule, area=area)


def territories_of(places: Iterable[str]) -> set[str]:
    """The Territories these Areas or boxes belong to."""
    return {territory_of(place) for place in places}
