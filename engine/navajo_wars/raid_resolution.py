"""Raid Resolution and the return of Families: what the Enemy Raid and the Tribal Raid Flowchart share.

Both tables have rows named affected-family, resolution, after-battle, population, culture and caught,
and end with the rows of `returning`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

from engine.memory import NOT_NOTED
from engine.messages import Term, message, question, requirement
from engine.navajo_wars.battle import FOE_TERM, Battle, Foe, can_fight, why_no_battle
from engine.navajo_wars.board import Board, Family
from engine.navajo_wars.consequences import (
    change_track,
    dissolve,
    move_family,
    on_chart,
    set_ferocity,
    to_passage,
)
from engine.navajo_wars.counters import MEMBERS
from engine.navajo_wars.intruders import meet_intruders
from engine.navajo_wars.map import PlaceRef, is_area, territory_of, track
from engine.navajo_wars.raid_memory import ResolutionMemory
from engine.questions import Choose, Option, Question, ask, known
from engine.tables import END, Step, Where, automatic, decision, end
from engine.verdict import Check, Unknown, must_know, needs, refuted

POPULATION_TERM: dict[str, Term] = {kind: Term(f"nw.{kind}") for kind in MEMBERS}

# -- which Family is next ----------------------------------------------------------------------------

WHICH_FAMILY = question(
    "raid-which-family",
    "Raid Resolution: which of the affected Families is dealt with now?",
    lead="Several Families are affected.",
)
THIS_FAMILY = message("raid-this-family", "Family %(family)s")
NOBODY = "none"


def ask_family(families: Iterable[Family]) -> Question:
    """Which affected Family is dealt with next; the order is the player's."""
    options = tuple(Option(family.letter, THIS_FAMILY, {"family": family.letter}) for family in families)
    return ask(WHICH_FAMILY, Choose(options)) if options else known(NOBODY)


def turn_to_family(at: Board, noted: ResolutionMemory, letter: str) -> tuple[Board, Where]:
    """This Family is dealt with now, and only once."""
    done = (*noted.resolved, letter)
    return at.remember(family=letter, resolved=done, empty=NOT_NOTED), "resolution"


# -- (A) a Battle or (B) the three steps -------------------------------------------------------------

FIGHT_OR_SUFFER = question(
    "raid-fight-or-suffer",
    "Raid Resolution: does Family %(family)s fight a Battle or suffer the Raid?",
    hint="A horse or Firearms may be used in the Battle.",
)
SUFFER = message(
    "raid-suffer",
    "Suffer the Raid: lose population counters and Culture Points by steps 1 to 3 of Raid Resolution",
)
CANNOT_FIGHT = message(
    "raid-cannot-fight",
    "Family %(family)s cannot fight a Battle and suffers the Raid: %(why)s.",
)
ANOTHER_BATTLE = requirement(
    "raid-another-battle",
    "The only Battle possible now is that of Family %(family)s against its opponent (%(foe)s), not as an Ambush.",
    met="This is the Battle of the Raid Resolution.",
)


def this_battle(foe: Foe) -> Callable[[Board, ResolutionMemory, Battle], Iterator[Check]]:
    """What a Raid Resolution demands of a Battle: it is that of the Family dealt with, against this opponent."""

    def demands(_: Board, noted: ResolutionMemory, do: Battle) -> Iterator[Check]:
        letter = must_know(noted.family)
        yield needs(
            do.family == letter and do.enemy == foe and not do.ambush,
            ANOTHER_BATTLE,
            "nw:11.1.option-in-raid",
            pointer="/inputs",
            family=letter,
            foe=FOE_TERM[foe],
        )

    return demands


def dealt_with(at: Board, noted: ResolutionMemory) -> Board:
    """Whichever of the two is chosen, the Family is dealt with: also where somebody has walked in here."""
    letter = must_know(noted.family)
    return at if letter in noted.resolved else at.remember(resolved=(*noted.resolved, letter))


def told_why_not(at: Board, noted: ResolutionMemory, chosen: Any) -> Board:
    """Whoever follows the three steps and could not have fought is told why."""
    at = dealt_with(at, noted)
    if isinstance(chosen, Battle):
        return at
    letter = must_know(noted.family)
    failed = [check for check in can_fight(at, at.family(letter)) if refuted(check.holds)]
    rules = [rule for check in failed for rule in check.rules]
    return at.tell(CANNOT_FIGHT, *rules, family=letter, why=why_no_battle(at, letter)) if rules else at


# -- (B) step 1: a population counter ----------------------------------------------------------------

WHICH_POPULATION = message(
    "raid-which-population", "Raid Resolution step 1: which population counter does Family %(family)s lose?"
)
THIS_POPULATION = message("raid-this-population", "%(population)s")
POPULATION_LOST = message(
    "raid-population-lost",
    "Raid Resolution step 1: Family %(family)s loses a population counter (%(population)s); it goes to "
    "the Passage of Time Box.",
)


def ask_population(at: Board, noted: ResolutionMemory) -> Question:
    """Which population counter is lost; nobody says who chooses, so the player does."""
    letter = must_know(noted.family)
    family = at.family(letter)
    options = tuple(
        Option(kind, THIS_POPULATION, {"population": POPULATION_TERM[kind]})
        for kind in MEMBERS
        if must_know(getattr(family, kind))
    )
    return ask(WHICH_POPULATION, Choose(options), family=letter) if options else known(NOBODY)


def lose_population(at: Board, noted: ResolutionMemory, kind: str, rule: str) -> Board:
    """The counter goes to the Passage of Time Box."""
    letter = must_know(noted.family)
    if kind == NOBODY:
        return at
    at = to_passage(at.set_family(letter, **{kind: False}), kind)
    return at.tell(POPULATION_LOST, rule, family=letter, population=POPULATION_TERM[kind])


def empty_spaces(at: Board, noted: ResolutionMemory) -> tuple[str, ...]:
    """The population spaces without a counter in the box of the Family dealt with, as noted or as they are."""
    if not isinstance(noted.empty, Unknown):
        return noted.empty
    family = at.family(noted.family)
    return tuple(kind for kind in MEMBERS if not must_know(getattr(family, kind)))


# -- (B) step 2: Culture Points ----------------------------------------------------------------------

CULTURE_FOR_SPACES = message(
    "raid-culture-for-spaces",
    "Raid Resolution step 2: lose 1 Culture Point for each empty population space in the Family Box of Family %(family)s (%(count)s).",
    whole=True,
)


def lose_culture(at: Board, noted: ResolutionMemory, rule: str) -> Board:
    """1 Culture Point for each empty population space, the one just emptied included."""
    letter, count = must_know(noted.family), len(empty_spaces(at, noted))
    at = at.tell(CULTURE_FOR_SPACES, rule, family=letter, count=count)
    return change_track(at, "culture", -count, rule)


# -- (B) step 3: the Caught Box ----------------------------------------------------------------------

CAUGHT = message(
    "raid-caught", "Raid Resolution step 3: Family %(family)s is placed in the %(box)s.", whole=True
)


def catch_family(at: Board, letter: str, box: str, rule: str) -> Board:
    """The Family's counter goes to a Caught Box; corn it leaves behind goes back to its Draw Cup."""
    at = move_family(at, letter, box, rule, *on_chart(at, "nw:enemy-raid.hit-corn"))
    return at.tell(CAUGHT, rule, family=letter, box=PlaceRef(box))


def own_caught_box(at: Board, letter: str) -> str:
    """The Caught Box of the Territory a Family is in."""
    return f"{territory_of(must_know(at.family(letter).at))}-caught"


# -- the return of Families from Caught Boxes and Escape Boxes -----------------------------------------

RETURN_AREA = message(
    "raid-return-area",
    "At the end of the Raid, Family %(family)s returns from the %(box)s: in which Area of that Territory is it placed?",
)
RETURN_HERE = message("raid-return-here", "Area %(area)s")
RETURN_FEROCITY = question(
    "raid-return-ferocity",
    "At which Ferocity does Family %(family)s return?",
    hint="Without a man only 0 is possible.",
)
AT_FEROCITY = message("raid-at-ferocity", "Ferocity %(value)s")
RETURNED = message("raid-returned", "Family %(family)s returns to Area %(area)s.")


def has_adult(family: Family) -> bool:
    """Is a man or a woman left in the Family Box?"""
    return bool(must_know(family.man)) or bool(must_know(family.woman))


NO_ADULT = message(
    "raid-no-adult", "No adult is left in the Family Box of Family %(family)s.", tells="detail"
)


def remove_without_adult(at: Board, letter: str, rule: str) -> Board:
    """A Family without adults leaves the map."""
    return dissolve(at.tell(NO_ADULT, rule, family=letter), letter)


def next_return(at: Board, families: Iterable[Family], rule: str) -> tuple[Board, Where]:
    """The next of these Families comes back; one without adults leaves the map instead."""
    for family in families:
        if has_adult(family):
            return at.remember(family=family.letter), "return-area"
        at = remove_without_adult(at, family.letter, rule)
    return at, end()


def in_boxes(at: Board) -> list[Family]:
    """The Families in Caught Boxes and Escape Boxes, in alphabetical order."""
    return [family for family in at.families() if not is_area(must_know(family.at))]


def ask_return_area(at: Board, noted: ResolutionMemory) -> Question:
    """Any Area of the Territory whose box the Family is in."""
    letter = must_know(noted.family)
    box = must_know(at.family(letter).at)
    options = tuple(Option(area, RETURN_HERE, {"area": PlaceRef(area)}) for area in track(territory_of(box)))
    return ask(RETURN_AREA, Choose(options), family=letter, box=box)


def return_to_area(at: Board, letter: str, area: str, rule: str) -> Board:
    """The Family's counter is placed on the map again."""
    return at.leave(letter, area).tell(RETURNED, rule, family=letter, area=PlaceRef(area))


def ask_return_ferocity(at: Board, noted: ResolutionMemory) -> Question:
    """Any Ferocity with a man, 0 without."""
    letter = must_know(noted.family)
    highest = 3 if must_know(at.family(letter).man) else 0
    options = tuple(Option(value, AT_FEROCITY, {"value": value}) for value in range(highest + 1))
    return ask(RETURN_FEROCITY, Choose(options), family=letter)


RETURN_AREA_TITLE = message("row.return-area", "The Area a Family returns to")
RETURN_FEROCITY_TITLE = message("row.return-ferocity", "The Ferocity it returns at")
RETURN_ARRIVAL_TITLE = message("row.return-arrival", "Intruders where it returns")
RETURN_TITLE = message("row.return", "The next Family returns")


RETURN_ROWS = ("return-area", "return-ferocity", "return-arrival", "return")


def returning(rule: str, ferocity_rule: str, next_one: Any) -> tuple[Step, ...]:
    """The last rows of a chart: Families come back one after the other, under the chart's own rules."""

    def to_area(at: Board, noted: ResolutionMemory, area: str) -> Board:
        return return_to_area(at, must_know(noted.family), area, rule)

    def at_ferocity(at: Board, noted: ResolutionMemory, value: int) -> Board:
        return set_ferocity(at, must_know(noted.family), value, ferocity_rule)

    return (
        decision("return-area", rule, ask_return_area, to_area, title=RETURN_AREA_TITLE),
        decision(
            "return-ferocity", ferocity_rule, ask_return_ferocity, at_ferocity, title=RETURN_FEROCITY_TITLE
        ),
        automatic("return-arrival", "nw:13.outsiders.interrupt", meet_intruders, title=RETURN_ARRIVAL_TITLE),
        automatic("return", rule, next_one, goes=("return-area", END), title=RETURN_TITLE),
    )
