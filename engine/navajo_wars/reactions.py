"""Section 5.1: the player's Reactions to a Raid: who may react, when, and at what cost.

The four Reactions of 5.2 stand in ambush.py, negotiate.py, harass.py and evade.py.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from msgspec import structs

from engine.exceptions import Refused
from engine.messages import Ref, Term, message, requirement
from engine.navajo_wars.battle import in_play, raided_here, tribal_raid_near
from engine.navajo_wars.board import Board, Family
from engine.navajo_wars.consequences import change_track, on_chart
from engine.navajo_wars.map import CANYON, PlaceRef, is_area, number_of, territory_of, track
from engine.navajo_wars.outposts import OUTPOST_TERM
from engine.navajo_wars.position import FamilyLetter
from engine.navajo_wars.raid_memory import EnemyRaidMemory
from engine.verdict import Check, Truth, Unknown, certain, denied, every, is_told, must_know, needs, refuted

# -- 5.1: who may react, and when --------------------------------------------------------------------

NOT_IN_AN_AREA = requirement(
    "family-not-in-an-area",
    "Family %(family)s is in the %(box)s, not in an Area: it cannot react.",
    met="Family %(family)s is in an Area.",
)
IN_CANYON = requirement(
    "canyon-no-reaction",
    "Family %(family)s is in Canyon de Chelly: Families there can never take a Reaction.",
    met="Family %(family)s is not in Canyon de Chelly.",
)
WITH_FORT = requirement(
    "family-with-fort",
    "Family %(family)s is in the same Area as a Fort: for the whole Raid the Family is treated as if it did not exist.",
    met="There is no Fort in the Area of Family %(family)s.",
)
UNDER_OUTPOST = requirement(
    "reaction-under-outpost",
    "Family %(family)s may not react because of the %(counter)s in Area %(area)s: the Area Value there is not lower than that of the Family's own Area (%(value)s).",
    met="No Outpost or Fort keeps Family %(family)s from reacting.",
)
IMMUNE = requirement(
    "immune-to-tribal-raid",
    "Family %(family)s is immune to Tribal Raids because of the %(counter)s in Area %(area)s: it has nothing to react to.",
    met="No Outpost or Fort protects Family %(family)s from the Tribal Raid.",
)
NO_RAID_HERE = requirement(
    "no-raid-counter-here",
    "No Enemy Raid counter has just been placed in the Area of Family %(family)s.",
    met="An Enemy Raid counter has just been placed in the Area of Family %(family)s.",
)
NO_RAID_ANYWHERE = requirement(
    "no-raid-counter-placed",
    "No Enemy Raid counter has been placed in an Area: there is no Raid to harass.",
    met="An Enemy Raid counter has been placed.",
)
NO_RAID_TO_EVADE = requirement(
    "no-raid-to-evade",
    "Family %(family)s has nothing to evade: no Enemy Raid counter has just entered its Area, and no Tribal Raid counter is on its Area Track.",
    met="A Raid has reached Family %(family)s.",
)
ENEMY_RAIDS_ONLY = requirement(
    "reaction-not-in-tribal-raid",
    "%(reaction)s answers Enemy Raids only, and this is a Tribal Raid.",
    met="This is an Enemy Raid.",
)
NO_AP = requirement(
    "reaction-without-ap",
    "This Reaction costs %(need)s AP; you have %(have)s.",
    met="AP: %(have)s, and this Reaction costs %(need)s.",
)


def may_react(at: Board, family: Family) -> Iterator[Check]:
    """Whether this Family may take a Reaction at all (5.1.3, 5.1.4 and the Fort rule)."""
    letter, place = family.letter, family.at
    yield needs(
        is_in_area(place),
        NOT_IN_AN_AREA,
        "nw:5.1.2",
        pointer=f"{family.pointer}/at",
        family=letter,
        **the_box(place),
    )
    if refuted(is_in_area(place)):
        return
    yield needs(
        denied(at.in_canyon(place)),
        IN_CANYON,
        "nw:5.1.4",
        "nw:13.canyon.no-reaction",
        *on_chart(at, "nw:enemy-raid.canyon-no-react"),
        pointer=f"{family.pointer}/at",
        family=letter,
    )
    yield needs(
        denied(at.has_fort(place)),
        WITH_FORT,
        "nw:5.1.fort-family-outside",
        pointer=f"{family.pointer}/at",
        family=letter,
    )


def families_in_play(at: Board) -> list[FamilyLetter]:
    """Whoever could react: every Family in play, by its letter."""
    return at.once(_letters)


def _letters(at: Board) -> list[FamilyLetter]:
    return [family.letter for family in at.families()]


def reacts_at_all(at: Board, family: Family) -> tuple[Check, ...]:
    """What every Reaction asks of a Family first: it is in play, and may react at all."""
    return at.once(_reacts_at_all, family.letter)


def _reacts_at_all(at: Board, letter: FamilyLetter) -> tuple[Check, ...]:
    family = at.family(letter)
    return (in_play(family), *(() if refuted(family.in_play) else may_react(at, family)))


def is_in_area(place: Any) -> Truth:
    """Is this an Area rather than a box?"""
    return place if isinstance(place, Unknown) else is_area(place)


def the_box(place: Any) -> dict[str, PlaceRef]:
    """The Caught Box or Escape Box that somebody is in, where it is one."""
    return {"box": PlaceRef(place)} if is_told(place) and not is_area(place) else {}


def standing_in(family: Family) -> PlaceRef:
    """The Area a Family reacts in, once a Reaction is under way; in a box or the Canyon there is none."""
    if refuted(family.in_play):
        raise Refused(in_play(family))
    place: PlaceRef = must_know(family.at)
    pointer = f"{family.pointer}/at"
    if not is_area(place):
        named = {"family": family.letter, "box": place}
        raise Refused(needs(False, NOT_IN_AN_AREA, "nw:5.1.2", pointer=pointer, **named))
    if territory_of(place) == CANYON:
        raise Refused(needs(False, IN_CANYON, "nw:5.1.4", pointer=pointer, family=family.letter))
    return place


def free_of_outposts(at: Board, family: Family) -> Check:
    """No Outpost or Fort at or above the Family on its Area Track (5.1.3), in an Enemy Raid."""
    return at.once(_free_of_outposts, family.letter)


def _free_of_outposts(at: Board, letter: FamilyLetter) -> Check:
    family = at.family(letter)
    place = family.at
    value = at.value(place) if certain(is_in_area(place)) else None
    barred = under_outpost(at, family, "fort-bars-reactions")
    return needs(
        denied(barred),
        UNDER_OUTPOST,
        "nw:5.1.3.no-react-under-outpost",
        "nw:5.1.3.fort-counts",
        "nw:1.6.1.forts",
        *on_chart(at, "nw:enemy-raid.outpost-no-react"),
        pointer=f"{family.pointer}/at",
        family=family.letter,
        **({"value": value} if isinstance(value, int) else {}),
        **(what_bars(at, family) if certain(barred) else {}),
    )


def not_immune(at: Board, family: Family) -> Check:
    """In a Tribal Raid a Family under an Outpost has nothing to fear, except in Kit Carson's campaign."""
    immune = every((under_outpost(at, family, "fort-protects"), denied(at.kit_carson_campaign)))
    return needs(
        denied(immune),
        IMMUNE,
        "nw:5.1.3.tribal-immunity",
        "nw:5.1.3.fort-counts",
        "nw:5.1.3.kit-carson-exception",
        pointer=f"{family.pointer}/at",
        family=family.letter,
        **(what_bars(at, family) if certain(immune) else {}),
    )


def outposts_allow(at: Board, family: Family) -> Check:
    """What an Outpost on its track means to a Family that flees from either Raid; which one it is may decide."""
    tribal = tribal_raid(at, family)
    if certain(tribal):
        return not_immune(at, family)
    bars = free_of_outposts(at, family)
    if refuted(tribal) or not refuted(bars.holds) or refuted(not_immune(at, family).holds):
        return bars
    return structs.replace(bars, holds=tribal)


OUTPOSTS_AND_FORTS = ("mission", "rancho", "fort")
BARRING = {**OUTPOST_TERM, "fort": Term("nw.fort")}


def what_bars(at: Board, family: Family) -> dict[str, Ref]:
    """The Outpost, else the Fort, at or above a Family on its Area Track, as far as it is told."""
    place = family.at
    if not is_told(place) or not is_area(place):
        return {}
    apart, above = at.apart(), track(territory_of(place))[number_of(place) - 1 :]
    found = (
        (kind, area)
        for kind in OUTPOSTS_AND_FORTS
        for area in above
        if certain(apart.on_one_of((area,), kind))
    )
    return next(({"counter": BARRING[kind], "area": PlaceRef(area)} for kind, area in found), {})


def under_outpost(at: Board, family: Family, issue: str) -> Truth:
    """Is there an Outpost on the Family's track in an Area of at least its own value? Forts as chosen."""
    place = family.at
    if isinstance(place, Unknown):
        return place
    if not is_area(place) or territory_of(place) == CANYON:
        return False
    above = track(territory_of(place))[number_of(place) - 1 :]
    there = at.on_one_of(above, *OUTPOSTS_AND_FORTS)
    if not certain(there):
        return there
    outpost = at.on_one_of(above, "mission", "rancho")
    return outpost if certain(outpost) or at.choice(issue) != "like-an-outpost" else True


def placed_here(at: Board, family: Family, *rules: str) -> Check:
    """An Enemy Raid counter has just been placed in the Family's own Area."""
    return needs(
        every((is_in_area(family.at), raid_entered(at, family))),
        NO_RAID_HERE,
        *rules,
        "nw:5.1.2",
        pointer=area_pointer(family.at),
        family=family.letter,
    )


def raid_entered(at: Board, family: Family) -> Truth:
    """Did the Raid enter this Family's Area last? Without a chart under way, a Raid counter there says so."""
    chart = at.noted(EnemyRaidMemory)
    if chart is None or not is_told(chart.entered):
        return raided_here(at, family)
    entered: Truth = family.at == chart.entered
    return entered


def area_pointer(place: Any) -> str:
    return "/areas" if isinstance(place, Unknown) or not is_area(place) else f"/areas/{place}/raid"


def enemy_raid_only(tribal: Truth, reaction: Ref) -> Check:
    """This Reaction is not for Tribal Raids (5.1.2 and the glossary)."""
    return needs(
        denied(tribal),
        ENEMY_RAIDS_ONLY,
        "nw:5.1.2.which-raid",
        pointer="/areas",
        reaction=reaction,
    )


def tribal_raid(at: Board, family: Family) -> Truth:
    """Is it a Tribal Raid that has reached the Family, and not an Enemy Raid?"""
    return at.once(_tribal_raid, family.letter)


def _tribal_raid(at: Board, letter: FamilyLetter) -> Truth:
    family = at.family(letter)
    return every((tribal_raid_near(at, family), denied(raid_entered(at, family))))


def can_pay(at: Board, cost: int, *rules: str) -> Check:
    """Every Reaction but Evade costs AP (5.1.1)."""
    return needs(
        at.ap >= cost, NO_AP, *rules, "nw:5.1.1.ap-cost", pointer="/tracks/ap", need=cost, have=at.ap
    )


def pay(at: Board, cost: int, rule: str) -> Board:
    """Spend the AP a Reaction costs."""
    return change_track(at, "ap", -cost, rule) if cost else at


RAID_GOES_ON = message(  # with Raid Resolution, or in a Tribal Raid with Conduct a Raid
    "raid-goes-on", "The Raid goes on: continue with the next box of its Flowchart.", tells="next"
)
