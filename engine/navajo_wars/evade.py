"""Section 5.2.4: Evade."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from msgspec import UNSET, Struct, UnsetType

from engine.actions import Action
from engine.chance import Die
from engine.codec import Number
from engine.memory import Memory
from engine.messages import Requirement, Term, message, requirement
from engine.navajo_wars.battle import BLESSING_WAY, tribal_raid_near
from engine.navajo_wars.board import Board, Family
from engine.navajo_wars.consequences import move_family, on_chart, signed
from engine.navajo_wars.intruders import meet_intruders
from engine.navajo_wars.map import CANYON, CANYON_AREAS, PlaceRef, is_area, number_of, territory_of
from engine.navajo_wars.position import FamilyLetter
from engine.navajo_wars.reactions import (
    NO_RAID_TO_EVADE,
    RAID_GOES_ON,
    area_pointer,
    free_of_outposts,
    in_play,
    is_in_area,
    may_react,
    not_immune,
    raid_entered,
    standing_in,
    tribal_raid,
)
from engine.questions import Choose, Option, Question, ask, known
from engine.tables import Where, automatic, call, chance, decision, end, procedure
from engine.verdict import (
    Caution,
    Check,
    Unknown,
    as_number,
    every,
    must_know,
    needs,
    some,
    total,
    warns,
)


class Evade(Struct, frozen=True, forbid_unknown_fields=True, tag_field="kind", tag="evade"):
    """A Family flees from the Raid."""

    family: FamilyLetter


EVADE_ROLL = message("evade-roll", "Roll a die for the Evasion of Family %(family)s. Modifier: %(modifier)s.")
EVADE_ROLLED = message(
    "evade-rolled",
    "Family %(family)s attempts an Evasion from Area %(area)s: die roll %(die)s, Evasion modifier %(modifier)s, "
    "modified die roll %(total)s.",
)
EVADE_NATURAL_1 = message(
    "evade-natural-1", "The die shows 1: an unmodified 1 always fails. Family %(family)s stays in place."
)
EVADE_NATURAL_6 = message(
    "evade-natural-6", "The die shows 6: an unmodified 6 always lets Family %(family)s get away."
)
EVADE_FAILED = message(
    "evade-failed",
    "%(total)s is not greater than the Area Value %(value)s: the Evasion fails and Family %(family)s stays in place.",
)
EVADE_BLOCKED = message(
    "evade-blocked",
    "A Raid counter is already in Area %(area)s: Family %(family)s cannot be placed there, the Evasion fails.",
)
EVADED = message("evade-succeeded", "The Evasion succeeds: Family %(family)s is placed in Area %(area)s.")
EVADE_WHERE = message(
    "evade-where",
    "To which Area does Family %(family)s flee?",
)
GO_THERE = message("evade-go-there", "Area %(area)s")
STAY = message("evade-stay", "Stay in place")
NOWHERE = "nowhere"  # every refuge holds a Raid counter
STAYED = message("evade-stayed", "Family %(family)s stays in place.")
AREA_HAS_RAID = requirement(
    "evade-onto-raid-counter",
    "Family %(family)s cannot flee to Area %(area)s: a Raid counter is already there.",
    met="There is no Raid counter in Area %(area)s.",
)
CANYON_ONLY = requirement(
    "evade-canyon-only",
    "In the Kit Carson Campaign a modified 7 or more leads to Canyon de Chelly; Area %(area)s is not open to "
    "Family %(family)s.",
    met="Area %(area)s is open to Family %(family)s.",
)
CANYON_RULES = ("nw:5.2.4.kit-carson-must-canyon", "nw:6.2.3.s4.evade-canyon")
ONLY_A_6 = message(
    "evade-only-a-6",
    "Only an unmodified 6 can help Family %(family)s here: no other roll gets it away.",
)


def may_evade(at: Board, do: Evade) -> Iterator[Check | Caution]:
    """Everything that decides whether this Family may evade the Raid, in rulebook order."""
    family = at.family(do.family)
    yield in_play(family)
    if family.in_play is False:
        return
    yield from may_react(at, family)
    if tribal_raid(at, family) is True:
        yield not_immune(at, family)
    else:
        yield free_of_outposts(at, family)
    yield needs(
        every((is_in_area(family.at), some((raid_entered(at, family), tribal_raid_near(at, family))))),
        NO_RAID_TO_EVADE,
        "nw:5.2.4",
        "nw:5.2.4.pre-tribal",
        "nw:5.1.2",
        pointer=area_pointer(family.at),
        family=do.family,
    )
    yield from pointless(at, family)
    cards = at.position.cards
    if cards is not UNSET and cards.hand is not UNSET and cards.hand:
        rules = ("nw:5.2.4.blessing-way", "nw:13.blessing-way")
        yield warns(BLESSING_WAY, *rules, pointer="/cards/hand")


def pointless(at: Board, family: Family) -> Iterator[Caution]:
    """A caution where no roll but a 6 can succeed."""
    modifier, area = evade_modifier(family), family.at
    if isinstance(modifier, Unknown) or isinstance(area, Unknown) or not is_area(area):
        return
    if territory_of(area) == CANYON or isinstance(at.area(area), Unknown):
        return
    if not any(_gets_away(at, area, die + modifier) for die in range(2, 6)):
        yield warns(ONLY_A_6, "nw:5.2.4.already-in-6", pointer=f"{family.pointer}/at", family=family.letter)


def _gets_away(at: Board, area: str, modified: int) -> bool:
    if modified >= 7:
        return True
    return modified > number_of(area) and not closed_by_raid(at, f"{territory_of(area)}-{modified}", area)


def evade_modifier(family: Family) -> int | Unknown:
    """The Family's Evasion modifier, and 1 for Manuelito's Family."""
    return total((family.evasion, as_number(family.is_manuelitos)))


class EvadeMemory(Memory, frozen=True):
    """Who flees, and the modified roll."""

    family: FamilyLetter | UnsetType = UNSET
    total: Number | UnsetType = UNSET
    natural_6: bool = False


def begin_evade(at: Board, do: Evade) -> tuple[Board, Where]:
    """Evading costs nothing (5.1.1)."""
    return at, call(EVADE, family=do.family)


def ask_evade_roll(at: Board) -> Question:
    """The Evasion waits for its die."""
    letter = at.recall("family")
    modifier = evade_modifier(at.family(letter))
    shown = modifier if isinstance(modifier, Unknown) else signed(modifier)
    return ask(EVADE_ROLL, Die(), family=letter, modifier=shown)


def evade_roll(at: Board, die: int) -> tuple[Board, Where]:
    """1 fails, 6 or a modified 7 gives the choice, otherwise the modified roll names the Area."""
    letter = at.recall("family")
    family = at.family(letter)
    if die == 1 and at.choice("evade-natural-1") == "always-fails":
        rules = ("nw:5.2.4.natural-1", *on_chart(at, "nw:enemy-raid.evade-one"))
        return failed(at.tell(EVADE_NATURAL_1, *rules, family=letter))
    if die == 6:
        rules = ("nw:5.2.4.natural-6", *on_chart(at, "nw:enemy-raid.evade-high"))
        at = at.tell(EVADE_NATURAL_6, *rules, family=letter)
        return at.remember(natural_6=True), "where"
    return by_modified_roll(at, family, die, must_know(evade_modifier(family)))


def by_modified_roll(at: Board, family: Family, die: int, modifier: int) -> tuple[Board, Where]:
    """The modified roll against the value of the Area the Family stands in."""
    modified, letter, area = die + modifier, family.letter, standing_in(family)
    at = at.tell(
        EVADE_ROLLED,
        "nw:5.2.4.roll",
        *on_chart(at, "nw:enemy-raid.evade-roll"),
        *(("nw:13.manuelito.evade", "nw:1.6.1.manuelito") if family.is_manuelitos is True else ()),
        family=letter,
        area=area,
        die=die,
        modifier=signed(modifier),
        total=modified,
    )
    value = at.value(area)
    if not modified > value:
        return failed(
            at.tell(EVADE_FAILED, "nw:5.2.4.fail-not-higher", total=modified, value=value, family=letter)
        )
    if modified >= 7:
        at = at.remember(total=modified)
        if at.choice("evade-seven-plus") == "choice" or kit_carson_canyon_only(at):
            return at, "where"
        modified = 6
    goal = PlaceRef(f"{territory_of(area)}-{modified}")
    if closed_by_raid(at, goal, area):
        return failed(at.tell(EVADE_BLOCKED, *closed_rules(at), area=goal, family=letter))
    return flee(at, letter, goal, "nw:5.2.4.success-higher-area")


def closed_by_raid(at: Board, area: str, here: str) -> bool:
    """May no evader be placed in this Area because of a Raid counter there (C14)? One just placed is here."""
    if not at.counters(area, "raid"):
        return False
    return at.choice("evade-onto-raid-counter") == "any-raid-counter" or area == here


def closed_rules(at: Board) -> tuple[str, ...]:
    """The rules that close an Area with a Raid counter to the evader."""
    return ("nw:5.2.4.not-onto-raid-counter", *on_chart(at, "nw:enemy-raid.evade-blocked"))


def failed(at: Board) -> tuple[Board, Where]:
    """The Family stays; the chart goes on."""
    return at.tell(RAID_GOES_ON, "nw:5.2.4.continue"), end()


def flee(at: Board, letter: str, goal: PlaceRef, *rules: str) -> tuple[Board, Where]:
    """The Family is placed elsewhere; corn is left behind and Intruders are met."""
    charted = on_chart(at, "nw:enemy-raid.evade-after")
    at = move_family(at, letter, goal, "nw:5.2.4.corn-lost", *charted)
    met = ("nw:5.2.4.reveals-outsider", *charted) if at.counters(goal, "intruders") else ()
    canyon = ("nw:13.canyon.evade-6",) if goal in CANYON_AREAS else ()
    return at.tell(EVADED, *rules, *canyon, *met, family=letter, area=goal), "arrive"


def ask_where(at: Board) -> Question:
    """Area #6 of the track or any Area of the Canyon, unless a Raid counter is there."""
    letter = at.recall("family")
    here = standing_in(at.family(letter))
    six = PlaceRef(f"{territory_of(here)}-6")
    places = [PlaceRef(area) for area in CANYON_AREAS]
    closed: list[tuple[Any, Check]] = [
        (str(place), _closed(AREA_HAS_RAID, letter, place, *closed_rules(at)))
        for place in (six, *places)
        if closed_by_raid(at, place, here)
    ]
    if kit_carson_canyon_only(at):
        closed.append((str(six), _closed(CANYON_ONLY, letter, six, *CANYON_RULES)))
    barred = {value for value, _ in closed}
    options = [
        Option(str(place), GO_THERE, {"area": place}) for place in (six, *places) if place not in barred
    ]
    if at.recall("natural_6") and at.choice("evade-on-6") == "may":
        options.append(Option("none", STAY))
    if not options:
        return known(NOWHERE)
    return ask(EVADE_WHERE, Choose(tuple(options), tuple(closed)), family=letter)


def _closed(why: Requirement, letter: str, place: PlaceRef, *rules: str) -> Check:
    return needs(False, why, *rules, pointer="/inputs", family=letter, area=place)


def kit_carson_canyon_only(at: Board) -> bool:
    """In Kit Carson's campaign a modified 7 or more leaves only the Canyon (6.2.3 step 4)."""
    family = at.family(at.recall("family"))
    modified = 6 + evade_modifier(family) if at.recall("natural_6") else at.recall("total")
    obliged = every((tribal_raid_near(at, family), at.kit_carson_campaign, modified >= 7))
    return bool(obliged) and at.choice("kit-carson-evade") == "canyon-only"


def go_where(at: Board, chosen: str) -> tuple[Board, Where]:
    """The player has chosen his refuge."""
    letter = at.recall("family")
    if chosen == "none":
        return failed(at.tell(STAYED, "nw:5.2.4.natural-6", family=letter))
    if chosen == NOWHERE:
        six = PlaceRef(f"{territory_of(standing_in(at.family(letter)))}-6")
        return failed(at.tell(EVADE_BLOCKED, *closed_rules(at), area=six, family=letter))
    if kit_carson_canyon_only(at):
        return flee(at, letter, PlaceRef(chosen), *CANYON_RULES)
    rule = "nw:5.2.4.natural-6" if at.recall("natural_6") else "nw:5.2.4.seven-plus-choice"
    return flee(at, letter, PlaceRef(chosen), rule, *on_chart(at, "nw:enemy-raid.evade-high"))


def go_on(at: Board) -> tuple[Board, Where]:
    """Back to the chart of the Raid."""
    return failed(at)


EVADE = procedure(
    "evade",
    EvadeMemory,
    chance("roll", ("nw:5.2.4.roll", "nw:5.2.4.cost-free"), ask_evade_roll, evade_roll),
    decision("where", ("nw:5.2.4.natural-6", "nw:5.2.4.seven-plus-choice"), ask_where, go_where),
    automatic("arrive", "nw:5.2.4.reveals-outsider", meet_intruders),
    automatic("go-on", "nw:5.2.4.continue", go_on),
)

ACTION = Action(
    Evade,
    "nw:5.2.4",
    Term("nw.reaction.evade"),
    message("action.evade", "A Family flees from the Raid."),
    may_evade,
    begin_evade,
)
