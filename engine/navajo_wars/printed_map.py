"""The map of the player's own copy: Area Values, Elder levels, and which Areas are joined."""

from __future__ import annotations

from functools import cache
from typing import Any

from msgspec import UNSET

from engine.at import At
from engine.messages import message
from engine.navajo_wars.components import SHIPPED
from engine.navajo_wars.map import (
    AREAS,
    CANYON,
    PlaceRef,
    distances,
    is_area,
    neighbours,
    number_of,
    territory_of,
    track,
)
from engine.navajo_wars.position import AreaId, Position
from engine.verdict import Truth, Unknown, certain, no_less_than, unknown

LEAST_VALUE = 1  # of an Area; a parenthesized value may be 0

ASK_CONNECTIONS = message("ask-connections", "Which Areas are connected on the map?")
ASK_ADJACENT = message("ask-adjacent", "Are the Areas %(area)s and %(other)s adjacent on the map?")
ASK_AREAS_APART = message(
    "ask-areas-apart", "How many Areas have to be entered to get from Area %(area)s to Area %(other)s?"
)
ASK_AREA_VALUE = message("ask-area-value", "Which Area Value is printed in Area %(area)s?")
ASK_BRACKETED_VALUE = message(
    "ask-bracketed-value", "Which parenthesized Area Value is printed in Area %(area)s?"
)

the_place = cache(PlaceRef)  # a Family is asked where it is more often than anything else


class OnTheMap(At[Position]):
    """A position under the rules in force, and what the player's map prints around it, told or not told."""

    # -- Area Values and Elder levels --

    def value(self, area: Any) -> int | Unknown:
        """The plain value of an Area: its number on a six-Area track; the Canyon's are read off the map."""
        if isinstance(area, Unknown):
            return no_less_than(LEAST_VALUE, area)
        printed = self.components.area_values.get(area)
        if printed is not None:
            return printed  # type: ignore[no-any-return]
        if territory_of(area) == CANYON:
            pointer = f"/components/area_values/{area}"
            return unknown(pointer, ASK_AREA_VALUE, at_least=LEAST_VALUE, area=PlaceRef(area))
        return number_of(area)

    def bracketed_value(self, area: Any) -> int | Unknown:
        """The parenthesized value of an Area, for Families with a horse; it is read off the map."""
        if isinstance(area, Unknown):
            return no_less_than(0, area)
        printed: int | None = self.components.bracketed_values.get(area)
        if printed is None:
            pointer = f"/components/bracketed_values/{area}"
            return unknown(pointer, ASK_BRACKETED_VALUE, at_least=0, area=PlaceRef(area))
        return printed

    @property
    def knows_elder_levels(self) -> bool:
        """Are the Elder levels those of the player's copy?"""
        return self.components.elder_levels is not UNSET

    def elder_level(self, space: int) -> int:
        """The Elder level under a space, 0 for none: as the player's copy has it, or as public sources do."""
        printed = self.components.elder_levels
        levels: tuple[int, ...] = SHIPPED.elder_levels.value if printed is UNSET else printed
        return levels[space - 1]

    # -- where things are --

    def in_canyon(self, place: Any) -> Truth:
        """Is this place in Canyon de Chelly?"""
        return place if isinstance(place, Unknown) else territory_of(place) == CANYON

    @property
    def knows_the_map(self) -> bool:
        """Are the map's connections told?"""
        return self.components.connections is not UNSET

    @property
    def connections(self) -> tuple[tuple[str, str], ...] | Unknown:
        """Which Areas are joined on the player's map."""
        joined = self.components.connections
        return unknown("/components/connections", ASK_CONNECTIONS) if joined is UNSET else joined

    def neighbours_of(self, start: str) -> list[str]:
        """The Areas that are known to be adjacent; without connections those on the same track."""
        joined = self.connections
        if isinstance(joined, Unknown):
            return [area for area in AREAS if certain(self.adjacent(start, area))]
        touching = neighbours(joined).get(str(start), ())
        return [area for area in AREAS if area in touching]

    def adjacent(self, start: Any, goal: str) -> Truth:
        """Are two Areas joined? Without connections, neighbours on one track are; between tracks it is not known."""
        if isinstance(start, Unknown):
            return start
        if not is_area(start):  # a Caught Box or an Escape Box
            return False
        joined = self.components.connections
        if joined is not UNSET:
            return goal in neighbours(joined).get(str(start), ())
        told = self._said_adjacent(str(start), str(goal))
        if told is not None:
            return told
        if territory_of(start) == territory_of(goal):
            return abs(number_of(start) - number_of(goal)) == 1
        pointer = f"/components/adjacent/{start}/{goal}"
        return unknown(pointer, ASK_ADJACENT, area=the_place(str(start)), other=the_place(str(goal)))

    def _said_adjacent(self, start: str, goal: str) -> bool | None:
        """Whether the player has said of these two that they are joined, in either order."""
        told = self.components.adjacent
        if not told:
            return None
        found = told.get(start, {}).get(goal)
        return told.get(goal, {}).get(start) if found is None else found  # type: ignore[no-any-return]

    def distance(self, start: Any, goal: str) -> int | Unknown | None:
        """How many Areas have to be entered to get from one Area to another; None if there is no way."""
        if isinstance(start, Unknown):
            return start
        joined = self.components.connections
        if joined is UNSET:
            told: int | None = self.components.areas_apart.get(str(start), {}).get(str(goal))
            if told is not None:
                return told
            if territory_of(start) == territory_of(goal):
                return abs(number_of(start) - number_of(goal))
            pointer = f"/components/areas_apart/{start}/{goal}"
            shown = {"area": the_place(str(start)), "other": the_place(str(goal))}
            return unknown(pointer, ASK_AREAS_APART, at_least=1, **shown)  # type: ignore[arg-type]
        return distances(joined, str(start)).get(goal)

    def is_counted(self, start: Any, goal: str) -> bool:
        """Is the distance between two Areas counted along their Area Track, for want of anything better?"""
        if self.knows_the_map or isinstance(start, Unknown) or not is_area(start):
            return False
        apart = self.components.areas_apart.get(str(start), {})
        return str(goal) not in apart and territory_of(start) == territory_of(goal)

    def at_a_told_distance(self, start: Any) -> tuple[AreaId, ...]:
        """The Areas of which it is known how far they are from another; without connections, those of its track."""
        if isinstance(start, Unknown):
            return ()
        return AREAS if self.knows_the_map else track(territory_of(start))
