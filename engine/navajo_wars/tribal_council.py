"""Section 3.2.8: Tribal Council."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, ClassVar

from msgspec import Meta, Struct

from engine.actions import Action, say
from engine.chance import Die
from engine.memory import NOT_NOTED, Memory, Noted
from engine.messages import Message, Term, message, question
from engine.navajo_wars.activation import (
    NOBODY_ACTIVATED,
    may_act,
    nothing_spent,
    spend_all_mp,
    standing_in,
    the_acting_family,
)
from engine.navajo_wars.board import LAST_SPACE, Board
from engine.navajo_wars.points import gain
from engine.navajo_wars.position import FamilyLetter
from engine.navajo_wars.printed_map import LEAST_VALUE
from engine.questions import Question, Read, ask, known
from engine.tables import Where, call, chance, procedure, reading
from engine.verdict import Caution, Check, Unknown, certain, must_know, warns


class TribalCouncil(Struct, frozen=True, forbid_unknown_fields=True, tag_field="kind", tag="tribal-council"):
    """The activated Family holds a Tribal Council."""

    family: FamilyLetter


COUNCIL_WASTED = message("council-ap-full", "AP are at 19 already: the AP of a Tribal Council would be lost.")
COUNCIL_ROLL = question(
    "council-roll",
    "Tribal Council of Family %(family)s: roll a die.",
    hint="A result greater than or equal to the Area Value %(value)s gains 1 AP.",
)
COUNCIL_ROLL_IN = question(
    "council-roll-in",
    "Tribal Council of Family %(family)s: roll a die.",
    hint="A result greater than or equal to the Area Value printed in Area %(area)s gains 1 AP.",
)
SUCCEEDS = message("outcome.council-succeeds", "The Tribal Council succeeds.")
FAILS = message("outcome.council-fails", "The Tribal Council has no effect.")
COUNCIL_SUCCEEDS = message(
    "council-succeeds",
    "The Tribal Council succeeds: the die shows %(die)s, greater than or equal to the Area Value %(value)s.",
    outcome=SUCCEEDS,
)
COUNCIL_FAILS = message(
    "council-fails",
    "The Tribal Council has no effect: the die shows %(die)s, less than the Area Value %(value)s.",
    outcome=FAILS,
)


def may_hold_council(at: Board, do: TribalCouncil) -> Iterator[Check | Caution]:
    """All MP, none of them spent before."""
    if not (yield from may_act(at, do.family)):
        return
    yield nothing_spent(at, do.family, "nw:3.2.8.council")
    if certain(at.ap >= LAST_SPACE):
        yield warns(COUNCIL_WASTED, "nw:1.7.4.ap-cap", pointer="/tracks/ap")


WHO_HOLDS_IT = message("council-who", "Which Family holds the Tribal Council?")
WHAT_DIE = message("council-die", "What did the die for the Tribal Council show?")
READ_VALUE = message("council-read-value", "Which Area Value is printed in Area %(area)s?")

AreaValue = Annotated[int, Meta(ge=LEAST_VALUE, le=9)]


class CouncilMemory(Memory, frozen=True):
    """Who holds the council, and what the die has shown."""

    questions: ClassVar[dict[str, Message]] = {"family": WHO_HOLDS_IT, "die": WHAT_DIE}

    family: Noted[FamilyLetter] = NOT_NOTED
    die: Noted[Annotated[int, Meta(ge=1, le=6)]] = NOT_NOTED


def begin_council(at: Board, do: TribalCouncil) -> tuple[Board, Where]:
    """All MP go."""
    return spend_all_mp(at, "nw:3.2.8.council"), call(COUNCIL, family=do.family)


def ask_council_roll(at: Board, noted: CouncilMemory) -> Question:
    """The council waits for its die; the value of the Area matters only once that is rolled."""
    letter = must_know(noted.family)
    area = standing_in(at.family(letter))
    value = at.value(area)
    if isinstance(value, Unknown):
        return ask(COUNCIL_ROLL_IN, Die(), family=letter, area=area)
    return ask(COUNCIL_ROLL, Die(), family=letter, value=value)


def note_council_roll(at: Board, _noted: CouncilMemory, die: int) -> Board:
    """What the die means depends on the Area."""
    return at.remember(die=die)


def ask_value(at: Board, noted: CouncilMemory) -> Question:
    """The Canyon's values are read off the map, unless they were told."""
    area = standing_in(at.family(noted.family))
    value = at.value(area)
    printed = Read(AreaValue, place=f"/components/area_values/{area}")
    return ask(READ_VALUE, printed, area=area) if isinstance(value, Unknown) else known(value)


def hold_council(at: Board, noted: CouncilMemory, value: int) -> Board:
    """1 AP if the die is not less than the value of the Area."""
    die, rule = must_know(noted.die), "nw:3.2.8.council"
    if die < value:
        return at.tell(COUNCIL_FAILS, rule, die=die, value=value)
    at = at.tell(COUNCIL_SUCCEEDS, rule, die=die, value=value)
    return gain(at, "ap", 1, rule)


COUNCIL = procedure(
    "tribal-council",
    CouncilMemory,
    chance(
        "roll",
        "nw:3.2.8.council",
        ask_council_roll,
        note_council_roll,
        title="Roll for the Tribal Council",
    ),
    reading("value", "nw:3.2.8.council", ask_value, hold_council, title="Does the Tribal Council succeed?"),
    title="Tribal Council",
)

OFFER = message("take-actions.tribal-council", "Hold a Tribal Council.")

ACTION = Action(
    TribalCouncil,
    "nw:3.2.8",
    Term("nw.action.tribal_council"),
    message("action.tribal-council", "The activated Family holds a Tribal Council, to gain 1 AP."),
    may_hold_council,
    begin_council,
    offer=lambda _, __: say(OFFER),
    ways=lambda _, letter: (TribalCouncil(letter),),
    subjects=the_acting_family,
    if_nobody=NOBODY_ACTIVATED,
    subject="family",
)
