"""Section 5.2.3: Harass."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from msgspec import Struct

from engine.actions import Action, Said, say
from engine.messages import Term, message, requirement
from engine.navajo_wars.battle import tribal_raid_near
from engine.navajo_wars.board import NO_COUNTER, Board, Family
from engine.navajo_wars.consequences import on_chart
from engine.navajo_wars.map import AREAS, PlaceRef, number_of, territory_of, track
from engine.navajo_wars.position import AreaId, FamilyLetter
from engine.navajo_wars.reactions import (
    NO_RAID_ANYWHERE,
    RAID_GOES_ON,
    can_pay,
    enemy_raid_only,
    families_in_play,
    free_of_outposts,
    is_in_area,
    pay,
    reacts_at_all,
)
from engine.verdict import (
    Caution,
    Check,
    Truth,
    Unknown,
    certain,
    denied,
    every,
    needs,
    refuted,
    warns,
)


class Harass(Struct, frozen=True, forbid_unknown_fields=True, tag_field="kind", tag="harass"):
    """A Family slows the Enemy Raid down with a Harass counter."""

    family: FamilyLetter
    area: AreaId


HARASS_NO_MAN = requirement(
    "harass-without-man",
    "Harass needs a Family with a man; there is no man in the Family Box of Family %(family)s.",
    met="Family %(family)s has a man, as Harass requires.",
)
NOT_EMPTY = requirement(
    "harass-area-not-empty",
    "A Harass counter can only be placed in an empty Area; Area %(area)s is not empty.",
    met="Area %(area)s counts as empty.",
)
TOO_FAR = requirement(
    "harass-too-far",
    "Area %(area)s is %(have)s Areas away from Family %(family)s; a Harass counter can be placed no more than "
    "3 Areas away.",
    met="Area %(area)s is %(have)s Areas away from Family %(family)s, no more than 3.",
    met_one=("have", "Area %(area)s is %(have)s Area away from Family %(family)s, no more than 3."),
)
OUT_OF_REACH = requirement(
    "harass-out-of-reach",
    "The connections of the map do not lead from the Area of Family %(family)s to Area %(area)s; a Harass counter can be placed no more than 3 Areas away.",
    met="There is a way along the connections from the Area of Family %(family)s to Area %(area)s.",
)
BELOW_OUTPOST = requirement(
    "harass-below-outpost",
    "No Harass counter can be placed in Area %(area)s: an Outpost is in the same or a higher Area of that Area Track.",
    met="No Outpost closes Area %(area)s to a Harass counter.",
)
NO_HARASS_LEFT = requirement(
    "no-harass-counter",
    "No Harass counter is available: all of them (%(limit)s) are on the map.",
    met="A Harass counter is available.",
)
HARASS_LIMIT_UNKNOWN = message(
    "harass-limit-unknown",
    "The rules used here do not say how many Harass counters there are: make sure that one is available.",
)
TRACK_ONLY = message(
    "connections-assumed",
    "The distance was counted along the Area Track only; if your map has other connections, name them.",
)
HARASSED = message(
    "harass-placed",
    "A Harass counter is placed in Area %(area)s.",
    outcome=True,
)


def may_harass(at: Board, do: Harass) -> Iterator[Check | Caution]:
    """Everything that decides whether this Family may put a Harass counter there, in rulebook order."""
    yield from may_harass_at_all(at, do.family)
    if not refuted(at.family(do.family).in_play):
        yield from may_be_placed(at, do)


def may_harass_at_all(at: Board, letter: FamilyLetter) -> Iterator[Check]:
    """What is asked of the Family, wherever the counter goes."""
    family = at.family(letter)
    yield from reacts_at_all(at, family)
    if refuted(family.in_play):
        return
    yield free_of_outposts(at, family)
    tribal = every((tribal_raid_near(at, family), denied(raid_anywhere(at))))
    yield enemy_raid_only(tribal, Term("nw.reaction.harass"))
    if not certain(tribal):
        rules = ("nw:5.2.3", "nw:5.1.2", "nw:1.6.1.harass-counter")
        yield needs(raid_anywhere(at), NO_RAID_ANYWHERE, *rules, pointer="/areas")
    yield can_pay(at, 1, "nw:5.2.3.cost")
    yield needs(
        family.man, HARASS_NO_MAN, "nw:5.2.3.family", pointer=f"{family.pointer}/man", family=family.letter
    )


def may_be_placed(at: Board, do: Harass) -> Iterator[Check | Caution]:
    """What is asked of the Area, and of a counter to put there."""
    family, area = at.family(do.family), PlaceRef(do.area)
    yield is_free(at, area)
    yield from within_three(at, family, area)
    yield above_outposts(at, area)
    yield from counter_left(at)


def ways(at: Board, letter: FamilyLetter) -> Iterator[Harass]:
    """Every Area within reach; of those whose distance is not told, the first two that are free stand for all."""
    family, anywhere = at.family(letter), at.choice("harass-distance") == "any-distance"
    decided = list(AREAS if anywhere else at.at_a_told_distance(family.at))
    yield from (
        Harass(letter, area) for area in decided if anywhere or certain(is_near(at.distance(family.at, area)))
    )
    if len(decided) < len(AREAS):
        free = (area for area in AREAS if area not in decided and not refuted(is_empty(at, area)))
        yield from (Harass(letter, area) for area in islice(free, 2))


def offer(_: Board, do: Harass) -> Said:
    """A Harass counter as an answer."""
    return say(OFFER, family=do.family, area=PlaceRef(do.area))


OFFER = message("raid-react-harass", "Family %(family)s: Harass in Area %(area)s")


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
        denied(at.on_one_of(track(territory_of(area))[number_of(area) - 1 :], "mission", "rancho")),
        BELOW_OUTPOST,
        "nw:5.2.3.not-below-outpost",
        "nw:1.6.1.outposts",
        *on_chart(at, "nw:enemy-raid.harass-limit"),
        pointer=f"/areas/{area}",
        area=area,
    )


def raid_anywhere(at: Board) -> Truth:
    """Has a Raid counter been placed in any Area?"""
    return at.once(_raid_anywhere)


def _raid_anywhere(at: Board) -> Truth:
    return at.on_map("raid") > 0


def is_empty(at: Board, area: str) -> Truth:
    """An empty Area: no counter of any kind, or no Family and no Raid counter, as chosen (C12)."""
    return at.once(_is_empty, area)


def _is_empty(at: Board, area: str) -> Truth:
    if at.choice("harass-empty-area") == "no-counter":
        bare: Truth = denied(at.on_one_of((area,), *NO_COUNTER))
    else:
        bare = every((at.counters(area, "raid") == 0, denied(at.counters(area, "harass"))))
    return every((bare, denied(at.is_occupied(area))))


def is_near(away: int | Unknown | None) -> Truth:
    """Is an Area so far away near enough: at most 3 Areas, counting those entered (C11)?"""
    return False if away is None else away <= 3


def within_three(at: Board, family: Family, area: PlaceRef) -> Iterator[Check | Caution]:
    """At most 3 Areas from the Family's counter, where it stands in an Area."""
    if refuted(is_in_area(family.at)) or at.choice("harass-distance") == "any-distance":
        return
    away = at.distance(family.at, area)
    rules = ("nw:5.2.3.place-within-3", *on_chart(at, "nw:enemy-raid.harass"))
    shown = {"area": area, "family": family.letter}
    if away is None:
        yield needs(False, OUT_OF_REACH, *rules, pointer="/action/area", **shown)
        return
    yield needs(is_near(away), TOO_FAR, *rules, pointer="/action/area", **shown, have=away)
    if at.is_counted(family.at, area):
        yield warns(TRACK_ONLY, "nw:13.adjacent.area", pointer="/components/connections")


def counter_left(at: Board) -> Iterator[Check | Caution]:
    """A Harass counter must be available; how many there are is read off the player's copy."""
    limit = at.components.counter_limits.get("harass")
    if limit is None:
        yield warns(HARASS_LIMIT_UNKNOWN, "nw:5.2.3.available-limit", pointer="/components/counter_limits")
        return
    placed = at.on_map("harass")
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
    offer=offer,
    ways=ways,
    subjects=families_in_play,
    may_at_all=may_harass_at_all,
    may_so=may_be_placed,
    subject="family",
)
