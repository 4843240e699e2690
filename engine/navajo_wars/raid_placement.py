"""The Enemy Raid Flowchart, boxes Placement and Direction: which Area the next Raid counters enter."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache
from heapq import heappop, heappush
from typing import Any

from engine.exceptions import Refused
from engine.messages import message, question, requirement
from engine.navajo_wars.board import Board, Family
from engine.navajo_wars.components import Components
from engine.navajo_wars.map import (
    AREAS,
    CANYON_AREAS,
    FAR,
    NUMBERED,
    PlaceRef,
    is_area,
    neighbours,
    territory_of,
)
from engine.navajo_wars.position import AreaId, FamilyLetter
from engine.navajo_wars.printed_map import ASK_AREA_VALUE
from engine.navajo_wars.raid_memory import EnemyRaidMemory
from engine.navajo_wars.santa_fe import raid_counters
from engine.questions import Choose, Option, Question, Read, ask, known
from engine.tables import Where
from engine.verdict import Truth, Unknown, certain, denied, every, must_know, needs, refuted, some, unknown

# -- whom a Raid sees --------------------------------------------------------------------------------


def is_visible(at: Board, family: Family) -> Truth:
    """Is this Family in an Area without a Fort? Beside a Fort it does not exist for Raids."""
    place = must_know(family.at)
    return denied(at.has_fort(place)) if is_area(place) else False


def visible_in(at: Board, area: str) -> list[Family]:
    """The Families in an Area that a Raid sees, in alphabetical order."""
    return [family for family in at.families_in(area) if is_visible(at, family)]


def heads_for(at: Board, noted: EnemyRaidMemory) -> list[Family]:
    """The Families the Raid heads for: those in Canyon de Chelly only when nobody shields them (C04)."""
    seen = [family for family in at.families() if is_visible(at, family)]
    sheltered = [family for family in seen if at.in_canyon(family.at)]
    if not sheltered:
        return seen
    outside = [family for family in seen if not at.in_canyon(family.at)]
    return SHIELDED[at.choice("canyon-target")](at, noted, outside, sheltered)


Sought = Callable[[Board, EnemyRaidMemory, list[Family], list[Family]], list[Family]]


def _unless_seen(
    _: Board, _noted: EnemyRaidMemory, outside: list[Family], sheltered: list[Family]
) -> list[Family]:
    """The Canyon only when the Raid sees nobody elsewhere."""
    return outside or sheltered


def _unless_on_map(
    at: Board, _noted: EnemyRaidMemory, outside: list[Family], sheltered: list[Family]
) -> list[Family]:
    """The Canyon only when nobody at all is elsewhere, beside a Fort or in a box included."""
    elsewhere = any(not at.in_canyon(family.at) for family in at.families())
    return outside if elsewhere else sheltered


def _unless_on_that_track(
    _: Board, noted: EnemyRaidMemory, outside: list[Family], sheltered: list[Family]
) -> list[Family]:
    """The Canyon as soon as nobody is on the track the Raid has entered; before its first Area, nobody elsewhere."""
    entered = must_know(noted.entered)
    if entered is None:
        return outside or sheltered
    shields = any(territory_of(must_know(family.at)) == territory_of(entered) for family in outside)
    return outside if shields else in_order((*outside, *sheltered))


def in_order(families: Iterable[Family]) -> list[Family]:
    """Families in alphabetical order."""
    return sorted(families, key=lambda family: family.letter)


SHIELDED: dict[str, Sought] = {
    "nobody-on-tracks": _unless_seen,
    "nobody-on-map": _unless_on_map,
    "nobody-on-that-track": _unless_on_that_track,
}


# -- Placement ---------------------------------------------------------------------------------------

READ_AREA = question(
    "raid-read-area",
    "Raid counter placement: which Area is entered next?",
    hint="It is an Area without a Raid counter, adjacent to a Raid counter already placed or to Santa Fé. Ignore Families in the same Area as a Fort. Unless you have chosen other readings, ignore Families in Canyon de Chelly, too, while another Family is on another Area Track, and of several Areas take the one closest in Movement Points to a Family; Alphabetic Priority breaks ties.",
)
READ_AREA_APART = question(
    "raid-read-area-apart",
    "Raid counter placement: which Area is entered next?",
    hint="By the reading chosen here, it is an Area without a Raid counter and not adjacent to one already placed. Ignore Families in the same Area as a Fort. Unless you have chosen other readings, ignore Families in Canyon de Chelly, too, while another Family is on another Area Track, and of several Areas take the one closest in Movement Points to a Family; Alphabetic Priority breaks ties.",
)
RAIDED_ALREADY = requirement(
    "raid-area-already-entered",
    "The Raid cannot enter Area %(area)s: it holds a Raid counter already. Name another Area.",
    met="There is no Raid counter in Area %(area)s yet.",
)
NOT_JOINED = requirement(
    "raid-area-not-adjacent",
    "The Raid cannot enter Area %(area)s: it is adjacent neither to a Raid counter already placed nor to Santa Fé. Name another Area.",
    met="Area %(area)s is adjacent to a Raid counter already placed or to Santa Fé.",
)
PERHAPS_NOT_JOINED = message(
    "raid-area-perhaps-not-adjacent",
    "There is no Raid counter beside Area %(area)s on its Area Track: go on only if on your map it is adjacent to Santa Fé or to a Raid counter already placed.",
)
NO_WAY = message(
    "raid-no-way",
    "No Area is left that the Raid can enter: go to Raid Ends. Raid counters left in Santa Fé: %(count)s.",
)
CHOOSE_AREA = question(
    "raid-choose-area",
    "Which Area does the Raid enter now?",
    lead="Direction: several Areas are possible and nothing decides between them.",
)
ENTER_HERE = message("raid-enter-here", "Area %(area)s")


def ask_area(at: Board, _noted: EnemyRaidMemory) -> Question:
    """The Areas the map allows, worked out where its connections are told, read off the map otherwise."""
    areas = possible_areas(at)
    if areas or knows_santa_fe(at):
        return known(list(areas))
    apart = at.choice("raid-placement") == "not-adjacent"
    likely = () if apart else beside_the_raid(at)
    return ask(READ_AREA_APART if apart else READ_AREA, Read(AreaId, likely=likely))


def beside_the_raid(at: Board) -> tuple[str, ...]:
    """The Areas beside a Raid counter on its own track, which most maps join: only a hint where the map is not told."""
    raided = {area for area in AREAS if certain(at.counters(area, "raid") > 0)}
    near = {area for place in raided for area in neighbours(()).get(place, ())}
    return tuple(area for area in AREAS if area in near and area not in raided)


def note_areas(at: Board, _noted: EnemyRaidMemory, found: Any) -> tuple[Board, Where]:
    """Note the Areas between which the direction decides; one read off the map is checked."""
    areas = found if isinstance(found, list) else [found]
    if not areas:
        return at.tell(NO_WAY, "nw:enemy-raid.no-target", count=raid_counters(at)), "end-outposts"
    for area in areas:
        if at.counters(area, "raid"):
            why = needs(
                False,
                RAIDED_ALREADY,
                "nw:enemy-raid.place-area",
                pointer="/inputs",
                area=PlaceRef(area),
            )
            raise Refused(why)
    if not isinstance(found, list):
        at = held_to_the_map(at, found)
    return at.remember(candidates=tuple(areas)), "direction"


def held_to_the_map(at: Board, area: AreaId) -> Board:
    """An Area that was read off the map must be joined to the Raid or to Santa Fé; where that is not told, it is said."""
    if at.knows_the_map or at.choice("raid-placement") != "adjacent":
        return at
    raided = (every((at.counters(place, "raid") > 0, at.adjacent(area, place))) for place in AREAS)
    joined = some((*raided, at.adjacent(area, "santa-fe")))
    rule, shown = "nw:enemy-raid.place-area", {"area": PlaceRef(area)}
    if refuted(joined):
        raise Refused(needs(False, NOT_JOINED, rule, pointer="/inputs", **shown))
    if certain(joined):
        return at
    return at.warn(PERHAPS_NOT_JOINED, rule, pointer=f"/components/adjacent/{area}/santa-fe", **shown)


def knows_santa_fe(at: Board) -> bool:
    """Are the connections told, those of Santa Fé among them?"""
    return at.knows_the_map and "santa-fe" in neighbours(at.components.connections)


def possible_areas(at: Board) -> tuple[str, ...]:
    """The Areas without a Raid counter that the Raid can enter next; none where the map is not told."""
    if not at.knows_the_map:
        return ()
    touching = neighbours(at.components.connections)
    raided = set(at.areas_with("raid"))
    near = {area for place in raided for area in touching.get(place, ())}
    if at.choice("raid-placement") == "adjacent":
        reached = near | touching.get("santa-fe", set())
        return tuple(area for area in AREAS if area in reached and area not in raided)
    return tuple(area for area in AREAS if area not in near and area not in raided)


# -- Direction ---------------------------------------------------------------------------------------


def ask_direction(at: Board, noted: EnemyRaidMemory) -> Question:
    """Of several Areas the closest to a Family; where that leaves several, the player's choice."""
    areas = closest(at, noted, must_know(noted.candidates))
    options = tuple(Option(area, ENTER_HERE, {"area": PlaceRef(area)}) for area in areas)
    return ask(CHOOSE_AREA, Choose(options))


def closest(at: Board, noted: EnemyRaidMemory, areas: tuple[AreaId, ...]) -> tuple[AreaId, ...]:
    """The Areas among these that are closest to a Family (C02, C03)."""
    families = heads_for(at, noted)
    if len(areas) == 1 or not families or at.choice("raid-direction") == "player-chooses":
        return areas
    away = {family.letter: distances(at, areas, family) for family in families}
    first, near = families[0].letter, nearest(away)
    if near != [first] and at.choice("raid-nearest-family") == "alphabet-first":
        return least_away(away[first])
    return least_away(away[near[0]])


Away = dict[AreaId, int]  # how far each Area is from a Family


def nearest(away: dict[FamilyLetter, Away]) -> list[FamilyLetter]:
    """The Families that are nearest to one of the Areas, in alphabetical order."""
    least = min(min(far.values()) for far in away.values())
    return [letter for letter in sorted(away) if min(away[letter].values()) == least]


def least_away(far: Away) -> tuple[AreaId, ...]:
    """The Areas that are least away from a Family."""
    least = min(far.values())
    return tuple(area for area in far if far[area] == least)


def distances(at: Board, areas: tuple[AreaId, ...], family: Family) -> Away:
    """How far it is from each of these Areas to a Family: the Area Values entered on the way, or the Areas (C03)."""
    goal = str(must_know(family.at))
    if at.choice("raid-distance") == "number-of-areas":
        ways = at.rules.once(_ways, goal, 1, 1)
        return {area: ways.get(area, FAR) for area in areas}
    ways, around = (at.rules.once(_ways, goal, 0, canyon) for canyon in (1, FAR))
    if any(ways.get(area, FAR) != around.get(area, FAR) for area in areas):
        # A way through Canyon de Chelly decides, and its Area Values are on the player's map only.
        untold = next(place for place in CANYON_AREAS if isinstance(at.value(place), Unknown))
        must_know(unknown(f"/components/area_values/{untold}", ASK_AREA_VALUE, area=PlaceRef(untold)))
    return {area: ways.get(area, FAR) for area in areas}


def _ways(copy: Components, goal: str, each: int, canyon: int) -> Mapping[str, int]:
    """The cheapest way to an Area from every other on the player's map, or on what is assumed of it."""
    return _ways_on(copy.connections or (), tuple(copy.area_values.items()), goal, each, canyon)


@lru_cache(maxsize=1024)
def _ways_on(
    joined: tuple[tuple[str, str], ...],
    values: tuple[tuple[AreaId, int], ...],
    goal: str,
    each: int,
    canyon: int,
) -> Mapping[str, int]:
    """The cheapest way from every Area there is one from, each Area entered costing `each` or its value.

    `canyon` stands for a value that was not told. The ways are followed backwards: whoever comes from an Area next
    to `place` enters `place`.
    """
    touching, worth = neighbours(joined), NUMBERED | dict[str, int](values)
    settled: dict[str, int] = {}
    edge = [(0, goal)]
    while edge:
        cost, place = heappop(edge)
        if place in settled:
            continue
        settled[place] = cost
        before = touching.get(place, set()) - settled.keys() - {"santa-fe"}
        if before:
            entered = cost + (each or worth.get(place, canyon))
            for area in before:
                heappush(edge, (entered, area))
    return settled
