"""Possible positions, 1.7: what can be in an Area, a Territory and a Family Box."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from msgspec import UNSET

from engine.audit import finding
from engine.messages import Term
from engine.navajo_wars.audit_counters import areas_told, count_told, families_told, on_map, told
from engine.navajo_wars.audit_counters import tribal_raid_counters as count_tribal_raid
from engine.navajo_wars.board import Board
from engine.navajo_wars.consequences import in_enemy_raid
from engine.navajo_wars.map import CANYON, PlaceRef, is_area, territory_of
from engine.navajo_wars.position import FamilyLetter, FortName
from engine.verdict import Check, is_told, needs, refuted

# -- Forts and Outposts ------------------------------------------------------------------------------

FORT_TWICE = finding(
    "fort-twice",
    "In this position %(fort)s is in several Areas: %(areas)s. There is only one such Fort.",
)
FORT_OUTSIDE_PERIOD = finding(
    "fort-outside-american-period",
    "A Fort is in Area %(area)s. Forts come into play in the American Period and not before.",
)
RANCHO_IN_SPANISH_PERIOD = finding(
    "rancho-in-spanish-period",
    "A Rancho is in Area %(area)s. The Outposts of the Spanish Period are Missions; Ranchos come later.",
)
FORT_TERM: dict[FortName, Term] = {
    "defiance": Term("nw.fort.defiance"),
    "fauntleroy": Term("nw.fort.fauntleroy"),
}


def forts(at: Board) -> Iterator[Check]:
    """There are two, each of them once, and both belong to the American Period."""
    found: dict[FortName, list[PlaceRef]] = {}
    for area, state in sorted(areas_told(at).items()):
        if state.fort is not None:
            found.setdefault(state.fort, []).append(PlaceRef(area))
    for fort, areas in found.items():
        pointer, term = f"/areas/{areas[-1]}/fort", FORT_TERM[fort]
        yield needs(
            len(areas) == 1, FORT_TWICE, "nw:1.6.1.forts", pointer=pointer, fort=term, areas=tuple(areas)
        )
    in_time = at.position.period in (UNSET, "american")
    for area in (area for areas in found.values() for area in areas):
        rules, pointer = ("nw:1.6.1.forts", "nw:13.forts.enter"), f"/areas/{area}/fort"
        yield needs(in_time, FORT_OUTSIDE_PERIOD, *rules, pointer=pointer, area=area)


def outposts(at: Board) -> Iterator[Check]:
    """Missions can stay through all Periods; Ranchos begin with the Mexican one."""
    for area, state in areas_told(at).items():
        if state.rancho:
            rule, pointer = "nw:4.2.1.outpost-type", f"/areas/{area}/rancho"
            in_time = at.position.period != "spanish"
            yield needs(in_time, RANCHO_IN_SPANISH_PERIOD, rule, pointer=pointer, area=PlaceRef(area))


# -- Drought counters --------------------------------------------------------------------------------

DROUGHT_IN_CANYON = finding(
    "drought-in-canyon", "Canyon de Chelly has no Drought spaces: no Drought counter can be there."
)


def droughts(at: Board) -> Iterator[Check]:
    """Two spaces in each Territory, which a position cannot exceed, and none in the Canyon."""
    territories: Any = at.position.territories
    if territories is not UNSET and CANYON in territories:
        rules, pointer = ("nw:1.6.1.drought-spaces", "nw:13.drought-spaces"), f"/territories/{CANYON}/drought"
        yield needs(
            count_told(territories[CANYON], "drought") == 0, DROUGHT_IN_CANYON, *rules, pointer=pointer
        )


# -- Tribal Raid counters ----------------------------------------------------------------------------

TOO_MANY_TRIBAL_RAID = finding(
    "more-tribal-raid-counters-than-families",
    "Tribal Raid counters in the Areas and in the Tribal Raid Box: %(have)s. There is one for each Family in play, so "
    "%(limit)s at the most.",
)
TRIBAL_RAID_IN_CANYON = finding(
    "tribal-raid-in-canyon",
    "A Tribal Raid counter is in Area %(area)s. A Tribal Raid never comes to Canyon de Chelly.",
)
MOST_FAMILIES = 6


def tribal_raid_counters(at: Board) -> Iterator[Check]:
    """One for each Family at the most; a Family may have left the map since they were counted."""
    have, limit, rule = count_tribal_raid(at), MOST_FAMILIES, "nw:tribal-raid.init"
    pointer = "/tribal_raid_box"
    yield needs(have <= limit, TOO_MANY_TRIBAL_RAID, rule, pointer=pointer, have=have, limit=limit)
    for area, state in areas_told(at).items():
        if state.tribal_raid:
            rule, pointer = "nw:13.canyon.no-tribal-raid", f"/areas/{area}/tribal_raid"
            outside = territory_of(area) != CANYON
            yield needs(outside, TRIBAL_RAID_IN_CANYON, rule, pointer=pointer, area=PlaceRef(area))


# -- Intruders -----------------------------------------------------------------------------------------

INTRUDER_NOT_REVEALED = finding(
    "intruder-not-revealed",
    "Family %(family)s and an Intruder counter are in Area %(area)s, and nothing is under way. An Intruder counter is turned over and resolved before anything else goes on.",
)


def intruders(at: Board) -> Iterator[Check]:
    """They are turned over the moment a Family is with them."""
    for letter, state in families_told(at).items():
        here = areas_told(at).get(state.at)
        if here is not None and here.intruders:
            rule, pointer = "nw:13.outsiders.interrupt", f"/areas/{state.at}/intruders"
            shown = {"family": letter, "area": PlaceRef(state.at)}
            yield needs(bool(at.agenda), INTRUDER_NOT_REVEALED, rule, pointer=pointer, **shown)


# -- 1.7.5: Families ---------------------------------------------------------------------------------

NO_ADULT = finding(
    "family-without-adult",
    "Family %(family)s has neither a man nor a woman. It leaves the map at once, and any child or horse in its Family Box "
    "goes to the Passage of Time Box.",
)
FEROCITY_WITHOUT_MAN = finding(
    "ferocity-kept-without-man",
    "Family %(family)s has no man but Ferocity %(have)s, and a card has just been drawn. The Discard Phase of the previous card sets it to 0.",
)


def families(at: Board) -> Iterator[Check]:
    """Each has an adult; when a card has just been drawn none is ferocious without a man."""
    for letter, state in families_told(at).items():
        if not refuted(state.man):
            continue
        pointer = f"/families/{letter}"
        if refuted(state.woman):
            rules = ("nw:1.7.5.family-needs-adult", "nw:1.7.5.family-dissolves")
            yield needs(may_wait(at, state.at), NO_ADULT, *rules, pointer=pointer, family=letter)
        if state.ferocity is not UNSET and card_just_drawn(at):
            rules = ("nw:3.1.ferocity-needs-man", "nw:2.3.4.adjust-ferocity")
            have, pointer = state.ferocity, f"{pointer}/ferocity"
            yield needs(have == 0, FEROCITY_WITHOUT_MAN, *rules, pointer=pointer, family=letter, have=have)


def may_wait(at: Board, place: Any) -> bool:
    """An Enemy Raid keeps a Family without adults to its end (C15), a Tribal Raid until its third step, hunger to its end."""
    starving = any((frame.procedure, frame.step) == ("passage-of-time", "hunger") for frame in at.agenda)
    tribal_raid = any(frame.procedure == "tribal-raid" for frame in at.agenda)
    if starving or tribal_raid or on_map("tribal_raid")(at):
        return True
    raided = in_enemy_raid(at) or (place is not UNSET and not is_area(place))
    return raided and at.choice("family-without-adults") == "until-raid-ends"


BEFORE_ANYTHING = ("card-type", "preempt-cost", "preempt")


def card_just_drawn(at: Board) -> bool:
    """Is the card drawn, and nothing done with it yet?

    That no card is being resolved is not enough: it is put away (2.3.3) before Ferocity is set (2.3.4).
    """
    frames = [(frame.procedure, frame.step) for frame in at.agenda]
    return frames in ([("draw-card", step)] for step in BEFORE_ANYTHING)


# -- Manuelito ---------------------------------------------------------------------------------------

MANUELITO_OUTSIDE_PERIOD = finding(
    "manuelito-outside-american-period",
    "The Manuelito counter comes into play with card #53, in the American Period and not before.",
)
MANUELITO_BEFORE_CARD = finding(
    "manuelito-before-card",
    "The Manuelito counter comes into play with card #53, and that card is not among those that have been drawn.",
)
MANUELITO_WITHOUT_FAMILY = finding(
    "manuelito-without-family",
    "The Manuelito counter is with Family %(family)s, and that Family is not in play.",
)
MANUELITOS_WAR = 53


def manuelito(at: Board) -> Iterator[Check]:
    """He comes with his card, and is always with a Family in play."""
    letter, rule, pointer = at.position.manuelito, "nw:13.manuelito.enters", "/manuelito"
    if letter is UNSET or letter is None:
        return
    in_time = at.position.period in (UNSET, "american")
    yield needs(in_time, MANUELITO_OUTSIDE_PERIOD, rule, pointer=pointer)
    if in_time:
        yield needs(may_have_come(at, MANUELITOS_WAR), MANUELITO_BEFORE_CARD, rule, pointer=pointer)
    if is_told(at.family(letter).in_play):
        yield with_family_in_play(at, letter)


def may_have_come(at: Board, card: int) -> bool:
    """Is this card among those drawn, or has not everything been told of them?"""
    rows = [told(at.position.cards, row) for row in ("in_play", "removed", "discarded")]
    current = told(at.position.cards, "current")
    if UNSET in (current, *rows):
        return True
    return card == current or any(card in row for row in rows)


def with_family_in_play(at: Board, letter: FamilyLetter) -> Check:
    """The Family he is with is one of those in play."""
    there, rule = letter in families_told(at), "nw:1.6.1.manuelito"
    return needs(there, MANUELITO_WITHOUT_FAMILY, rule, pointer="/manuelito", family=letter)
