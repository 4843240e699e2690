"""The map: Territories, their Areas and boxes, and what touches what."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache, lru_cache
from heapq import heappop, heappush
from itertools import pairwise
from typing import Any, Literal, get_args

from msgspec import Struct

from engine.catalogue import read_toml
from engine.messages import Message, Ref, message
from engine.navajo_wars.position import AreaId, BoxId
from engine.navajo_wars.sourced import Sourced


class TerritoryEntry(Struct, frozen=True):
    """A Territory as map.toml states it."""

    id: str
    name: str
    areas: Sourced
    die: Sourced | None = None
    vp: Sourced | None = None


class _Map(Struct, frozen=True):
    territory: tuple[TerritoryEntry, ...]


TERRITORIES = {entry.id: entry for entry in read_toml(__package__, "map.toml", _Map).territory}


CANYON = "canyon-de-chelly"


CANYON_AREAS = tuple(f"{CANYON}-{number}" for number in (1, 2, 3))


AREAS: tuple[AreaId, ...] = get_args(AreaId)


PLACES: tuple[str, ...] = AREAS + get_args(BoxId)


Box = Literal["caught", "escape"]


@cache
def territory_of(place: str) -> str:
    """The Territory an Area or a box belongs to."""
    return place.rpartition("-")[0]


@cache
def number_of(area: str) -> int:
    """The number printed in an Area."""
    return int(area.rpartition("-")[2])


@cache
def is_area(place: str) -> bool:
    """Is this an Area, rather than a Caught or Escape Box?"""
    return place[-1].isdigit()


@cache
def track(territory: str) -> tuple[AreaId, ...]:
    """The Areas of a Territory, from #1 up."""
    return tuple(area for area in AREAS if area.rpartition("-")[0] == territory)


AREA_NAME = message("place.area", "%(territory)s #%(number)s")


CAUGHT_NAME = message("place.caught", "%(territory)s Caught Box")


ESCAPE_NAME = message("place.escape", "%(territory)s Escape Box")


class PlaceRef(Ref):
    """An Area or a box, worded as the aids name it."""

    __slots__ = ()

    def phrase(self) -> tuple[Message, dict[str, Any]]:
        """Its Territory and number, or its Territory and box."""
        territory, _, last = self.rpartition("-")
        name = TERRITORIES[territory].name
        if last.isdigit():
            return AREA_NAME, {"territory": name, "number": last}
        return (CAUGHT_NAME if last == "caught" else ESCAPE_NAME), {"territory": name}


TERRITORY_NAME = message("place.territory", "%(territory)s")


class TerritoryRef(Ref):
    """A Territory, worded as the map names it."""

    __slots__ = ()

    def phrase(self) -> tuple[Message, dict[str, Any]]:
        """Its name, the same in every language."""
        return TERRITORY_NAME, {"territory": TERRITORIES[self].name}


@lru_cache(maxsize=8)  # the same map for a whole game
def neighbours(joined: tuple[tuple[str, str], ...]) -> dict[str, set[str]]:
    """Who touches whom: the connections named, and the plain order of each track none of whose pairs is."""
    described = {territory_of(a) for a, b in joined if territory_of(a) == territory_of(b)}
    pairs = [*joined]
    for territory in TERRITORIES:
        if territory not in described:
            areas = track(territory)
            pairs += pairwise(areas)
    touching: dict[str, set[str]] = {}
    for one, other in pairs:
        touching.setdefault(one, set()).add(other)
        touching.setdefault(other, set()).add(one)
    return touching


@lru_cache(maxsize=64)
def distances(joined: tuple[tuple[str, str], ...], start: str) -> dict[str, int]:
    """How many Areas have to be entered to get to each Area that can be reached, never through Santa Fé."""
    touching = neighbours(joined)
    found, edge, steps = {start: 0}, {start}, 0
    while edge:
        steps += 1
        edge = {area for place in edge for area in touching.get(place, ())} - found.keys() - {"santa-fe"}
        found |= dict.fromkeys(edge, steps)
    return found


def price_of_way(
    joined: tuple[tuple[str, str], ...], values: Mapping[str, int], start: str, untold: int
) -> int | None:
    """What the Areas on the cheapest way to Santa Fé cost; one whose value is not known costs `untold`."""
    touching, settled = neighbours(joined), set[str]()
    edge = [(0, start)]
    while edge:
        cost, place = heappop(edge)
        if place == SANTA_FE:
            return cost
        if place in settled:
            continue
        settled.add(place)
        for area in touching.get(place, set()) - settled:
            heappush(edge, (cost + (0 if area == SANTA_FE else values.get(area, untold)), area))
    return None


SANTA_FE = "santa-fe"
FAR = 1_000  # beyond any way on the map
NUMBERED: dict[str, int] = {
    area: number_of(area) for area in AREAS if area not in CANYON_AREAS
}  # an Area's value is its number
