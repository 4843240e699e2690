"""Section 5.2.3: Harass."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import UNSET, Struct

from engine.actions import Action
from engine.messages import Term, message, requirement
from engine.navajo_wars.battle import tribal_raid_near
from engine.navajo_wars.board import Board, Family
from engine.navajo_wars.consequences import on_chart
from engine.navajo_wars.map import AREAS, PlaceRef, number_of, territory_of, track
from engine.navajo_wars.position import AreaId, FamilyLetter
from engine.navajo_wars.reactions import (
    NO_RAID_ANYWHERE,
    RAID_GOES_ON,
    can_pay,
    enemy_raid_only,
    free_of_outposts,
    in_play,
    is_in_area,
    may_react,
    pay,
)
from engine.verdict import Caution, Check, Truth, Unknown, denied, every, needs, some, warns


class Harass(Struct, frozen=True, forbid_unknown_fields=True, tag_field="kind", tag="harass"):
    """A Family slows the Enemy Raid down with a Harass counter."""

    family: FamilyLetter
    area: AreaId


HARASS_NO_MAN = requirement(
    "harass-without-man",
    "Harass needs a Family with a man; there is none in the Family Box of Family %(family)s.",
    met="Family %(family)s has a man, as Harass demands.",
)
NOT_EMPTY = requirement(
    "harass-area-not-empty",
    "A Harass counter can only be placed in an empty Area; Area %(area)s is not empty.",
    met="Area %(area)s is empty.",
)
TOO_FAR = requirement(
    "harass-too-far",
    "Area %(area)s is %(have)s Areas away from Family %(family)s; a Harass counter can be placed no more than "
    "3 Areas away.",
    met="Area %(area)s is %(have)s Areas away from Family %(family)s, no more than 3.",
)
BELOW_OUTPOST = requirement(
    "harass-below-outpost",
    "No Harass counter can be placed in Area %(area)s: its Area Track has an Outpost in an Area with the same or a "
    "greater Area Value.",
    met="No Outpost on its Area Track closes Area %(area)s to a Harass counter.",
)
NO_HARASS_LEFT = requirement(
    "no-harass-counter",
    "No Harass counter is available: all %(limit)s are on the map.",
    met="A Harass counter is available.",
)
HARASS_LIMIT_UNKNOWN = message(
    "harass-limit-unknown",
    "The documents do not say how many Harass counters there are: make sure that one is available.",
)
TRACK_ONLY = message(
    "connections-assumed",
    "The distance was counted along the Area Track only; name the map's connections in the components for "
    "others.",
)
HARASSED = message(
    "harass-placed",
    "A Harass counter is placed in Area %(area)s: to enter it, the Enemy must place two Raid counters.",
)


def may_harass(at: Board, do: Harass) -> Iterator[Check | Caution]:
    """Everything that decides whether this Family may put a Harass counter there, in rulebook order."""
    family, area = at.family(do.family), PlaceRef(do.area)
    yield from may_harass_at_all(at, family)
    if family.in_play is not False:
        yield is_free(at, area)
        yield from within_three(at, family, area)
        yield above_outposts(at, area)
        yield from counter_left(at)


def may_harass_at_all(at: Board, family: Family) -> Iterator[Check]:
    """What is asked of the Family, wherever the counter goes."""
    yield in_play(family)
    if family.in_play is False:
        return
    yield from may_react(at, family)
    yield free_of_outposts(at, family)
    tribal = every((tribal_raid_near(at, family), denied(raid_anywhere(at))))
    yield enemy_raid_only(tribal, Term("nw.reaction.harass"))
    if tribal is not True:
        rules = ("nw:5.2.3", "nw:5.1.2", "nw:1.6.1.harass-counter")
        yield needs(raid_anywhere(at), NO_RAID_ANYWHERE, *rules, pointer="/areas")
    yield can_pay(at, 1, "nw:5.2.3.cost")
    yield needs(
        family.man, HARASS_NO_MAN, "nw:5.2.3.family", pointer=f"{family.pointer}/man", family=family.letter
    )


def may_be_placed(at: Board, area: PlaceRef) -> Iterator[Check | Caution]:
    """What is asked of the Area, whichever Family places the counter."""
    yield is_free(at, area)
    yield above_outposts(at, area)
    yield from counter_left(at)


def is_free(at: Board, area: PlaceRef) -> Check:
    """The counter goes to an empty Area."""
    return needs(
        is_empty(at, area),
        NOT_EMPTY,
        "nw:5.2.3.place-within-3",
        "nw:5.2.3.stack-limit",
        *on_chart(at, "nw:enemy-raid.harass-limit"),
        pointer=f"/areas/{area}",
        area=area,
    )


def above_outposts(at: Board, area: PlaceRef) -> Check:
    """No Outpost stands at or above that Area on its track."""
    return needs(
        denied(some(at.has_outpost(above) for above in track(territory_of(area))[number_of(area) - 1 :])),
        BELOW_OUTPOST,
        "nw:5.2.3.not-below-outpost",
        "nw:1.6.1.outposts",
        *on_chart(at, "nw:enemy-raid.harass-limit"),
        pointer=f"/areas/{area}",
        area=area,
    )


def raid_anywhere(at: Board) -> Truth:
    """Has a Raid counter been placed in any Area?"""
    areas = at.position.areas
    if areas is UNSET:
        return at.counters(AREAS[0], "raid")  # type: ignore[no-any-return]
    return any(state.raid for state in areas.values())


def is_empty(at: Board, area: str) -> Truth:
    """An empty Area: no counter of any kind, or no Family and no Raid counter, as chosen (C12)."""
    if at.choice("harass-empty-area") == "no-counter":
        state = at.area(area)
        bare: Truth = (
            state
            if isinstance(state, Unknown)
            else not any(getattr(state, name) for name in state.__struct_fields__)
        )
    else:
        bare = every((at.counters(area, "raid") == 0, denied(at.counters(area, "harass"))))
    return every((bare, nobody_in(at, area)))


def nobody_in(at: Board, area: str) -> Truth:
    """Is no Family in this Area?"""
    return every(family.at != area for family in at.families())


def within_three(at: Board, family: Family, area: PlaceRef) -> Iterator[Check | Caution]:
    """At most 3 Areas from the Family's counter, counting the Areas entered (C11)."""
    if is_in_area(family.at) is False:
        return
    if at.choice("harass-distance") == "any-distance":
        return
    away = at.distance(family.at, area)
    yield needs(
        away <= 3,
        TOO_FAR,
        "nw:5.2.3.place-within-3",
        *on_chart(at, "nw:enemy-raid.harass"),
        pointer="/action/area",
        area=area,
        family=family.letter,
        have=away,
    )
    if at.components.connections is UNSET and not isinstance(away, Unknown):
        yield warns(TRACK_ONLY, "nw:13.adjacent.area", pointer="/components/connections")


def counter_left(at: Board) -> Iterator[Check | Caution]:
    """A Harass counter must be available; how many there are is read off the player's copy."""
    limit = at.components.counter_limits.get("harass")
    if limit is None:
        yield warns(HARASS_LIMIT_UNKNOWN, "nw:5.2.3.available-limit", pointer="/components/counter_limits")
        return
    areas = at.position.areas
    placed = (
        at.counters(AREAS[0], "harass") if areas is UNSET else sum(state.harass for state in areas.values())
    )
    yield needs(placed < limit, NO_HARASS_LEFT, "nw:5.2.3.available-limit", pointer="/areas", limit=limit)


def begin_harass(at: Board, do: Harass) -> tuple[Board, None]:
    """Pay and place the counter."""
    at = pay(at, 1, "nw:5.2.3.cost").set_area(do.area, harass=True)
    rules = ("nw:5.2.3.effect-two-counters", *on_chart(at, "nw:enemy-raid.harass"))
    at = at.tell(HARASSED, *rules, area=PlaceRef(do.area))
    return at.tell(RAID_GOES_ON, "nw:5.2.3.continue"), None


ACTION = Action(
    Harass,
    "nw:5.2.3",
    Term("nw.reaction.harass"),
    message("action.harass", "A Family slows an Enemy Raid down by placing a Harass counter."),
    may_harass,
    begin_harass,
)
