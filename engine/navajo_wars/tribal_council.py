"""Section 3.2.8: Tribal Council."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import UNSET, Struct, UnsetType

from engine.actions import Action
from engine.chance import Die
from engine.memory import Memory
from engine.messages import Term, message
from engine.navajo_wars.activation import can_go_on, may_act, nothing_spent, spend_all_mp, standing_in
from engine.navajo_wars.board import LAST_SPACE, Board
from engine.navajo_wars.points import gain
from engine.navajo_wars.position import FamilyLetter
from engine.questions import Question, ask
from engine.tables import Where, call, chance, end, procedure
from engine.verdict import Caution, Check, Unknown, must_know, warns


class TribalCouncil(Struct, frozen=True, forbid_unknown_fields=True, tag_field="kind", tag="tribal-council"):
    """The activated Family holds a Tribal Council."""

    family: FamilyLetter


COUNCIL_WASTED = message("council-ap-full", "AP are at 19 already: the AP of a Tribal Council would be lost.")
COUNCIL_ROLL = message(
    "council-roll",
    "Tribal Council of Family %(family)s: roll a die. Greater than or equal to the Area Value %(value)s gains 1 AP.",
)
COUNCIL_SUCCEEDS = message(
    "council-succeeds",
    "The die shows %(die)s, greater than or equal to the Area Value %(value)s: the Tribal Council succeeds.",
)
COUNCIL_FAILS = message(
    "council-fails",
    "The die shows %(die)s, less than the Area Value %(value)s: the Tribal Council has no effect.",
)


def may_hold_council(at: Board, do: TribalCouncil) -> Iterator[Check | Caution]:
    """All MP, none of them spent before."""
    yield from may_act(at, do.family)
    if not can_go_on(at, do.family):
        return
    yield nothing_spent(at, do.family, "nw:3.2.8.council")
    ap = at.ap
    if not isinstance(ap, Unknown) and ap >= LAST_SPACE:
        yield warns(COUNCIL_WASTED, "nw:1.7.4.ap-cap", pointer="/tracks/ap")


class CouncilMemory(Memory, frozen=True):
    """Who holds the council."""

    family: FamilyLetter | UnsetType = UNSET


def begin_council(at: Board, do: TribalCouncil) -> tuple[Board, Where]:
    """All MP go."""
    return spend_all_mp(at, "nw:3.2.8.council"), call(COUNCIL, family=do.family)


def area_value(at: Board) -> int:
    """The value of the Family's Area."""
    return must_know(at.value(standing_in(at.family(at.recall("family")))))


def ask_council_roll(at: Board) -> Question:
    """The council waits for its die."""
    return ask(COUNCIL_ROLL, Die(), family=must_know(at.recall("family")), value=area_value(at))


def council_roll(at: Board, die: int) -> tuple[Board, Where]:
    """1 AP if the die is not less than the value of the Area."""
    value, rule = area_value(at), "nw:3.2.8.council"
    if die < value:
        return at.tell(COUNCIL_FAILS, rule, die=die, value=value), end()
    at = at.tell(COUNCIL_SUCCEEDS, rule, die=die, value=value)
    return gain(at, "ap", 1, rule), end()


COUNCIL = procedure(
    "tribal-council",
    CouncilMemory,
    chance("roll", "nw:3.2.8.council", ask_council_roll, council_roll),
)

ACTION = Action(
    TribalCouncil,
    "nw:3.2.8",
    Term("nw.action.tribal_council"),
    message("action.tribal-council", "The activated Family holds a Tribal Council, to gain 1 AP."),
    may_hold_council,
    begin_council,
)
