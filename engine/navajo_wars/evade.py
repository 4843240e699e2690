"""Section 5.2.4: Evade."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, ClassVar, Literal

from msgspec import Struct

from engine.actions import Action, Said, say
from engine.chance import Die
from engine.codec import Number
from engine.exceptions import Untold
from engine.memory import NOT_NOTED, Memory, Noted
from engine.messages import Message, Requirement, Term, message, question, requirement
from engine.navajo_wars.battle import BLESSING_WAY, tribal_raid_near
from engine.navajo_wars.board import Board, Family
from engine.navajo_wars.consequences import modifier_shown, move_family, on_chart, roll_shown
from engine.navajo_wars.intruders import meet_intruders
from engine.navajo_wars.map import CANYON, CANYON_AREAS, PlaceRef, is_area, territory_of, track
from engine.navajo_wars.position import FamilyLetter
from engine.navajo_wars.reactions import (
    NO_RAID_TO_EVADE,
    RAID_GOES_ON,
    area_pointer,
    families_in_play,
    is_in_area,
    outposts_allow,
    raid_entered,
    reacts_at_all,
    standing_in,
)
from engine.questions import Choose, Option, Question, ask, known
from engine.tables import END, Where, automatic, call, chance, decision, procedure
from engine.verdict import (
    Caution,
    Check,
    Truth,
    Unknown,
    as_number,
    certain,
    every,
    is_told,
    must_know,
    needs,
    refuted,
    some,
    total,
    warns,
)


class Evade(Struct, frozen=True, forbid_unknown_fields=True, tag_field="kind", tag="evade"):
    "A Family evades the Raid."

    family: FamilyLetter


EVADE_ROLL = question(
    "evade-roll", "Roll a die for the Evasion of Family %(family)s.", hint="Modifier: %(modifier)s."
)
EVADE_ROLLED = message(
    "evade-rolled",
    "Family %(family)s attempts an Evasion from Area %(area)s: die roll %(die)s%(terms)s, modified die roll %(total)s.",
    terms={"modifier": "Evasion modifier %(modifier)s"},
    untold="Family %(family)s attempts an Evasion from Area %(area)s: die roll %(die)s.",
)
EVASION_FAILS = message("outcome.evade-failed", "The Evasion fails: Family %(family)s stays in place.")
EVADE_NATURAL_1 = message(
    "evade-natural-1",
    "The Evasion fails: the die shows 1, and an unmodified 1 always fails. Family %(family)s stays in place.",
    outcome=EVASION_FAILS,
    whole=True,
)
EVADE_NATURAL_6 = message(
    "evade-natural-6", "An unmodified 6 is rolled: the Evasion of Family %(family)s succeeds."
)
EVADE_FAILED = message(
    "evade-failed",
    "The Evasion fails: the modified die roll %(total)s is not greater than the Area Value %(value)s. Family "
    "%(family)s stays in place.",
    outcome=EVASION_FAILS,
    untold="The Evasion fails: whatever its modifier is, the modified die roll is not greater than the Area Value. "
    "Family %(family)s stays in place.",
)
EVADE_BLOCKED = message(
    "evade-blocked",
    "The Evasion fails: a Raid counter is already in Area %(area)s, and Family %(family)s cannot be placed "
    "there.",
    outcome=EVASION_FAILS,
    whole=True,
)
EVADED = message(
    "evade-succeeded",
    "The Evasion succeeds: Family %(family)s is placed in Area %(area)s.",
    outcome=True,
    whole=True,
)
EVADE_WHERE = message(
    "evade-where",
    "To which Area does Family %(family)s go?",
)
GO_THERE = message("evade-go-there", "Area %(area)s")
STAY = message("evade-stay", "Stay in place")
NOWHERE = "nowhere"  # every refuge holds a Raid counter
STAYED = message("evade-stayed", "Family %(family)s stays in place, as chosen.", outcome=True)
AREA_HAS_RAID = requirement(
    "evade-onto-raid-counter",
    "Family %(family)s cannot go to Area %(area)s: a Raid counter is already there.",
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
    "Only an unmodified 6 can help Family %(family)s here: with any other roll it does not get away.",
)


def may_evade(at: Board, do: Evade) -> Iterator[Check | Caution]:
    """Everything that decides whether this Family may evade the Raid, in rulebook order."""
    yield from may_evade_at_all(at, do.family)
    if not refuted(at.family(do.family).in_play):
        yield from may_evade_here(at, do)


def may_evade_here(at: Board, do: Evade) -> Iterator[Check | Caution]:
    """What is asked of the Raid; a caution where the attempt can hardly help."""
    family = at.family(do.family)
    yield outposts_allow(at, family)
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
    if at.holds_a_card:
        rules = ("nw:5.2.4.blessing-way", "nw:13.blessing-way")
        yield warns(BLESSING_WAY, *rules, pointer="/cards/hand")


def may_evade_at_all(at: Board, letter: FamilyLetter) -> tuple[Check, ...]:
    """What is asked of the Family before anything else."""
    return reacts_at_all(at, at.family(letter))


def ways(_: Board, letter: FamilyLetter) -> Iterator[Evade]:
    """There is only one."""
    yield Evade(letter)


def offer(_: Board, do: Evade) -> Said:
    """An Evasion as an answer."""
    return say(OFFER, family=do.family)


OFFER = message("raid-react-evade", "Family %(family)s: Evade")


def pointless(at: Board, family: Family) -> Iterator[Caution]:
    """A caution where no roll but a 6 can succeed; what is only looked at is not what the ruling rests on."""
    area = family.at
    if not is_told(area) or not is_area(area):
        return
    if territory_of(area) == CANYON or not at.knows_counters(area):
        return
    if refuted(gets_away_without_6(at.apart(), family.letter)):
        yield warns(ONLY_A_6, "nw:5.2.4.already-in-6", pointer=f"{family.pointer}/at", family=family.letter)


def gets_away_without_6(at: Board, letter: FamilyLetter) -> Truth:
    """Is there a roll below 6 with which the Family gets away?"""
    try:
        return any(outcome_of(at, at.family(letter), die).gets_away for die in range(2, 6))
    except Untold as stop:
        return stop.unknown


# -- the roll ----------------------------------------------------------------------------------------


class Flight(Struct, frozen=True):
    """What an Evasion roll leads to, with the modified roll and the Area it names, where these decide."""

    how: Literal["natural-1", "natural-6", "not-higher", "chooses", "blocked", "goes"]
    total: int | Unknown = 0
    goal: PlaceRef | None = None

    @property
    def gets_away(self) -> bool:
        """Does the Family leave its Area, or may it?"""
        return self.how in ("natural-6", "chooses", "goes")


def outcome_of(at: Board, family: Family, die: int) -> Flight:
    """1 fails, 6 or a modified 7 gives the choice, otherwise the modified roll names the Area."""
    if die == 1 and at.choice("evade-natural-1") == "always-fails":
        return Flight("natural-1")
    if die == 6:
        return Flight("natural-6")
    modified = die + evade_modifier(family)
    area = standing_in(family)
    if not modified > at.value(area):
        return Flight("not-higher", modified)
    if modified >= 7 and chooses_refuge(at, family, modified):
        return Flight("chooses", modified)
    goal = area_worth(at, territory_of(area), sixth_at_most(modified))
    return Flight("blocked" if closed_by_raid(at, goal, area) else "goes", modified, goal)


def sixth_at_most(modified: int | Unknown) -> int:
    """The Area Value that a modified roll names: no track goes beyond 6."""
    return 6 if certain(modified >= 6) else must_know(modified)


def chooses_refuge(at: Board, family: Family, modified: int | Unknown) -> bool:
    """Does a modified 7 or more let the player choose where to flee (C13)?"""
    return at.choice("evade-seven-plus") == "choice" or kit_carson_canyon_only(at, family, modified)


def area_worth(at: Board, territory: str, value: int) -> PlaceRef:
    """The Area of a track with this Area Value."""
    areas = [area for area in track(territory) if certain(at.value(area) == value)]
    return PlaceRef(areas[0] if areas else f"{territory}-{value}")


def evade_modifier(family: Family) -> int | Unknown:
    """The Family's Evasion modifier, and 1 for Manuelito's Family."""
    return total((family.evasion, as_number(family.is_manuelitos)))


ASK_WHO_FLEES = message("ask-who-flees", "Which Family attempts the Evasion?")
ASK_MODIFIED_ROLL = message("ask-evasion-total", "What was the modified die roll of the Evasion?")


class EvadeMemory(Memory, frozen=True):
    """Who flees, and the modified roll, or what it is at least."""

    questions: ClassVar[dict[str, Message]] = {"family": ASK_WHO_FLEES, "total": ASK_MODIFIED_ROLL}

    family: Noted[FamilyLetter] = NOT_NOTED
    total: Noted[Number] = NOT_NOTED
    natural_6: bool = False


def begin_evade(at: Board, do: Evade) -> tuple[Board, Where]:
    """Evading costs nothing (5.1.1)."""
    return at, call(EVADE, family=do.family)


def ask_evade_roll(at: Board, noted: EvadeMemory) -> Question:
    """The Evasion waits for its die."""
    modifier = evade_modifier(at.family(noted.family))
    return ask(EVADE_ROLL, Die(), family=noted.family, modifier=modifier_shown(modifier))


def evade_roll(at: Board, noted: EvadeMemory, die: int) -> tuple[Board, Where]:
    """What the roll leads to, and how it came about."""
    family = at.family(noted.family)
    letter, flight = family.letter, outcome_of(at, family, die)
    if flight.how == "natural-1":
        rules = ("nw:5.2.4.natural-1", *on_chart(at, "nw:enemy-raid.evade-one"))
        return back_to_chart(at.tell(EVADE_NATURAL_1, *rules, family=letter))
    if flight.how == "natural-6":
        rules = ("nw:5.2.4.natural-6", *on_chart(at, "nw:enemy-raid.evade-high"))
        return at.tell(EVADE_NATURAL_6, *rules, family=letter).remember(natural_6=True), "where"
    at = tell_roll(at, family, die)
    if flight.how == "not-higher":
        shown = {"total": flight.total, "value": at.value(family.at)}
        told = shown if all(map(is_told, shown.values())) else {}
        return back_to_chart(at.tell(EVADE_FAILED, "nw:5.2.4.fail-not-higher", **told, family=letter))
    if flight.total >= 7:
        at = at.remember(total=surely(flight.total))
    if flight.goal is None:
        return at, "where"
    if flight.how == "blocked":
        return back_to_chart(at.tell(EVADE_BLOCKED, *closed_rules(at), area=flight.goal, family=letter))
    return flee(at, letter, flight.goal, "nw:5.2.4.success-higher-area")


def surely(modified: int | Unknown) -> int | None:
    """The modified roll; where not all of its modifier was told, what it is at least."""
    return modified.least if isinstance(modified, Unknown) else modified


def tell_roll(at: Board, family: Family, die: int) -> Board:
    """Say how the modified roll came about."""
    return at.tell(
        EVADE_ROLLED,
        "nw:5.2.4.roll",
        *on_chart(at, "nw:enemy-raid.evade-roll"),
        *(("nw:13.manuelito.evade", "nw:1.6.1.manuelito") if certain(family.is_manuelitos) else ()),
        family=family.letter,
        area=standing_in(family),
        **roll_shown(die, evade_modifier(family)),
    )


def closed_by_raid(at: Board, area: str, here: str) -> bool:
    """May no evader be placed in this Area because of a Raid counter there (C14)? One just placed is here."""
    if not at.counters(area, "raid"):
        return False
    return at.choice("evade-onto-raid-counter") == "any-raid-counter" or area == here


def closed_rules(at: Board) -> tuple[str, ...]:
    """The rules that close an Area with a Raid counter to the evader."""
    return ("nw:5.2.4.not-onto-raid-counter", *on_chart(at, "nw:enemy-raid.evade-blocked"))


def back_to_chart(at: Board) -> tuple[Board, Where]:
    """The Evasion is over, whatever came of it; the chart of the Raid goes on."""
    return at.tell(RAID_GOES_ON, "nw:5.2.4.continue"), END


def flee(at: Board, letter: str, goal: PlaceRef, *rules: str) -> tuple[Board, Where]:
    """The Family is placed elsewhere; corn is left behind and Intruders are met."""
    charted = on_chart(at, "nw:enemy-raid.evade-after")
    at = move_family(at, letter, goal, "nw:5.2.4.corn-lost", *charted)
    met = ("nw:5.2.4.reveals-outsider", *charted) if at.counters(goal, "intruders") else ()
    canyon = ("nw:13.canyon.evade-6",) if goal in CANYON_AREAS else ()
    return at.tell(EVADED, *rules, *canyon, *met, family=letter, area=goal), "arrive"


def ask_where(at: Board, noted: EvadeMemory) -> Question:
    """Area #6 of the track or any Area of the Canyon, unless a Raid counter is there."""
    family = at.family(noted.family)
    here = standing_in(family)
    six = area_worth(at, territory_of(here), 6)
    places = (six, *map(PlaceRef, CANYON_AREAS))
    shut: list[tuple[Any, Check]] = [
        (str(place), _closed(AREA_HAS_RAID, family.letter, place, *closed_rules(at)))
        for place in places
        if closed_by_raid(at, place, here)
    ]
    if kit_carson_canyon_only(at, family, rolled(family, noted)):
        shut.append((str(six), _closed(CANYON_ONLY, family.letter, six, *CANYON_RULES)))
    barred = {value for value, _ in shut}
    options = [Option(str(place), GO_THERE, {"area": place}) for place in places if place not in barred]
    if noted.natural_6 and at.choice("evade-on-6") == "may":
        options.append(Option("none", STAY))
    return ask(EVADE_WHERE, Choose(options, shut), family=family.letter) if options else known(NOWHERE)


def _closed(why: Requirement, letter: str, place: PlaceRef, *rules: str) -> Check:
    return needs(False, why, *rules, pointer="/inputs", family=letter, area=place)


def rolled(family: Family, noted: EvadeMemory) -> int | Unknown:
    """The modified roll: as noted, or that of an unmodified 6."""
    return 6 + evade_modifier(family) if noted.natural_6 else noted.total


def kit_carson_canyon_only(at: Board, family: Family, modified: int | Unknown) -> bool:
    """In Kit Carson's campaign a modified 7 or more leaves only the Canyon (6.2.3 step 4)."""
    obliged = every((tribal_raid_near(at, family), at.kit_carson_campaign, modified >= 7))
    return bool(obliged) and at.choice("kit-carson-evade") == "canyon-only"


def go_where(at: Board, noted: EvadeMemory, chosen: str) -> tuple[Board, Where]:
    """The player has chosen his refuge."""
    family = at.family(noted.family)
    letter = family.letter
    if chosen == "none":
        return back_to_chart(at.tell(STAYED, "nw:5.2.4.natural-6", family=letter))
    if chosen == NOWHERE:
        six = area_worth(at, territory_of(standing_in(family)), 6)
        return back_to_chart(at.tell(EVADE_BLOCKED, *closed_rules(at), area=six, family=letter))
    if kit_carson_canyon_only(at, family, rolled(family, noted)):
        return flee(at, letter, PlaceRef(chosen), *CANYON_RULES)
    rule = "nw:5.2.4.natural-6" if noted.natural_6 else "nw:5.2.4.seven-plus-choice"
    return flee(at, letter, PlaceRef(chosen), rule, *on_chart(at, "nw:enemy-raid.evade-high"))


def go_on(at: Board, _noted: EvadeMemory) -> tuple[Board, Where]:
    """Back to the chart of the Raid."""
    return back_to_chart(at)


EVADE = procedure(
    "evade",
    EvadeMemory,
    chance(
        "roll",
        ("nw:5.2.4.roll", "nw:5.2.4.cost-free"),
        ask_evade_roll,
        evade_roll,
        goes=("where", "arrive", END),
        title="The Evasion roll",
    ),
    decision(
        "where",
        ("nw:5.2.4.natural-6", "nw:5.2.4.seven-plus-choice"),
        ask_where,
        go_where,
        goes=("arrive", END),
        title="Where is the Family placed?",
    ),
    automatic(
        "arrive", "nw:5.2.4.reveals-outsider", meet_intruders, then="go-on", title="Intruders in the new Area"
    ),
    automatic("go-on", "nw:5.2.4.continue", go_on, goes=(END,), title="Back to the chart of the Raid"),
    title="Evade",
)

ACTION = Action(
    Evade,
    "nw:5.2.4",
    Term("nw.reaction.evade"),
    message("action.evade", "A Family evades the Raid."),
    may_evade,
    begin_evade,
    offer=offer,
    ways=ways,
    subjects=families_in_play,
    may_at_all=may_evade_at_all,
    may_so=may_evade_here,
    subject="family",
)
