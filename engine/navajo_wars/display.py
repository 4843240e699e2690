"""The Enemy Instruction Display: its three columns, flips, swaps and the reset of step 5."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, get_args

from engine.messages import Message, Term, message
from engine.navajo_wars.board import NO_LONGER_TOLD, Board, fact_of
from engine.navajo_wars.position import (
    NOT_TOLD,
    Instruction,
    InstructionFace,
    InstructionName,
    Instructions,
    NotTold,
    Tribe,
)
from engine.verdict import Caution, Truth, Unknown, must_know, unknown, warns

INSTRUCTION_TERM = {
    name: Term(f"nw.instruction.{name.replace('-', '_')}") for name in get_args(InstructionName)
}
INSTRUCTION_OF: dict[Tribe, InstructionName] = {"comanche": "comanche", "ute": "utes"}
# The Instructions stand in the rulebook in this order.
INSTRUCTION_RULE = {
    name: f"nw:4.2.{number}" for number, name in enumerate(get_args(InstructionName), start=1)
}
ASK_COLUMN = {
    "active": message(
        "ask-active-column", "Which Enemy Instruction counters are in the Active column, from the top?"
    ),
    "standby": message(
        "ask-standby-column", "Which Enemy Instruction counters are in the Standby column, from the top?"
    ),
    "inactive": message(
        "ask-inactive-column", "Which Enemy Instruction counters are in the Inactive column, from the top?"
    ),
}
ASK_SPACE = {
    "active": message(
        "ask-active-space",
        "Which Instruction counter, if any, is in row %(row)s of the Active column, counted from the top?",
    ),
    "standby": message(
        "ask-standby-space",
        "Which Instruction counter, if any, is in row %(row)s of the Standby column, counted from the top?",
    ),
    "inactive": message(
        "ask-inactive-space",
        "Which Instruction counter, if any, is in row %(row)s of the Inactive column, counted from the top?",
    ),
}
ASK_HOLDS = {
    "active": message(
        "ask-active-holds",
        "Is there an Instruction counter in the Active column with %(instruction)s face up?",
    ),
    "standby": message(
        "ask-standby-holds",
        "Is there an Instruction counter in the Standby column with %(instruction)s face up?",
    ),
    "inactive": message(
        "ask-inactive-holds",
        "Is there an Instruction counter in the Inactive column with %(instruction)s face up?",
    ),
}
ASK_COST = message("ask-instruction-cost", "How many APs does the Instruction counter %(instruction)s cost?")
ASK_STRIPE = message(
    "ask-instruction-stripe", "Does the Instruction counter %(instruction)s have a stripe along its bottom?"
)
ASK_BACK = message(
    "ask-instruction-back", "Which Instruction does the counter %(instruction)s have on its other side?"
)
ASK_F = message("ask-instruction-f", "Is there an F on the Instruction counter %(instruction)s?")

Column = tuple[Instruction | None, ...]
SPACES = 6


def column(at: Board, name: str) -> Column:
    """A column of the display, from the top."""
    spaces: Any = at.told("instructions", name, ask=ASK_COLUMN[name])
    if isinstance(spaces, tuple) and NOT_TOLD in spaces:
        spaces = unknown(f"/instructions/{name}", ASK_COLUMN[name])
    whole: Column = must_know(spaces)
    return whole


def places_told(at: Board, name: str) -> tuple[Instruction | NotTold | None, ...]:
    """A column from the top, as far as it is told."""
    spaces: Any = at.told("instructions", name, ask=ASK_COLUMN[name])
    return (NOT_TOLD,) * SPACES if isinstance(spaces, Unknown) else spaces


def space(at: Board, name: str, row: int) -> Instruction | None:
    """What is in one space of a column; rows count from 0."""
    there: Any = places_told(at, name)[row]
    if there == NOT_TOLD:
        there = unknown(f"/instructions/{name}/{row}", ASK_SPACE[name], row=row + 1)
    counter: Instruction | None = must_know(there)
    return counter


def holds(at: Board, name: str, instruction: InstructionName) -> Truth:
    """Is a counter that shows this Instruction in a column?"""
    spaces = places_told(at, name)
    if any(isinstance(one, Instruction) and one.name == instruction for one in spaces):
        return True
    if NOT_TOLD not in spaces:
        return False
    said: Truth = at.told(
        "instructions",
        "holds",
        name,
        instruction,
        ask=ASK_HOLDS[name],
        instruction=INSTRUCTION_TERM[instruction],
    )
    return said


def set_column(at: Board, name: str, spaces: tuple[Instruction | NotTold | None, ...]) -> Board:
    """The display with one column changed; what was told of it without its rows is not known any more."""
    said = at.told("instructions", "holds", ask=ASK_COLUMN[name])
    kept = {} if isinstance(said, Unknown) else {other: so for other, so in said.items() if other != name}
    return at.alter("instructions", Instructions, **{name: spaces}, holds=kept or NO_LONGER_TOLD)


def put(at: Board, name: str, row: int, counter: Instruction | None) -> Board:
    """One space of a column filled or emptied; rows count from 0."""
    spaces = places_told(at, name)
    return set_column(at, name, (*spaces[:row], counter, *spaces[row + 1 :]))


def face(counter: Instruction, row: int, fact: str, question: Message) -> Any:
    """A fact of the visible face of a counter in the Active column."""
    return must_know(told_of_face(counter, row, fact, question))


def told_of_face(counter: Instruction, row: int, fact: str, question: Message) -> Any:
    """The same, unknown where it was not told."""
    pointer = f"/instructions/active/{row}/{fact}"
    return fact_of(counter, fact, pointer, question, instruction=INSTRUCTION_TERM[counter.name])


def turned_over(counter: Instruction, row: int) -> Instruction:
    """The counter with its other side up."""
    back = face(counter, row, "back", ASK_BACK)
    if back is None:
        return counter
    hidden = InstructionFace(counter.name, counter.cost, counter.stripe, counter.ferocity)
    return Instruction(back.name, back.cost, hidden, back.stripe, back.ferocity)


def top_row(at: Board) -> int | None:
    """The row of the topmost counter in the Active column, None if it is empty."""
    return next((row for row in range(SPACES) if space(at, "active", row) is not None), None)


def to_top_inactive(at: Board, counter: Instruction) -> Board:
    """Put a counter in the highest empty space of the Inactive column, if it is told which that is."""
    spaces = places_told(at, "inactive")
    empty = next((row for row, held in enumerate(spaces) if held is None), None)
    if empty is None:
        return at
    if NOT_TOLD not in spaces[:empty]:
        return put(at, "inactive", empty, counter)
    return set_column(at, "inactive", (*spaces[:empty], NOT_TOLD, *spaces[empty + 1 :]))


def reset(active: Column, inactive: Column) -> tuple[Column, Column]:
    """Active counters slide up; then the Inactive ones, the lowest first, fill the highest empty spaces."""
    kept = [counter for counter in active if counter is not None]
    coming = [counter for counter in reversed(inactive) if counter is not None]
    fits = SPACES - len(kept)
    return _padded([*kept, *coming[:fits]]), _padded(coming[fits:])


def _padded(counters: list[Instruction]) -> Column:
    return (*counters, *[None] * (SPACES - len(counters)))


# -- 4.1.2: what a counter costs -----------------------------------------------------------------------

OTHER_COST = message(
    "instruction-other-cost",
    "AP cost of the Instruction counter %(instruction)s in the Active column: %(cost)s; APs spent here: %(ap)s.",
)


def costs_otherwise(at: Board, name: InstructionName, ap: int) -> Iterator[Caution]:
    """A caution where every such counter that is Active has another price; an event may carry one out at its own."""
    costs = [
        one.cost for one in places_told(at, "active") if isinstance(one, Instruction) and one.name == name
    ]
    told = [cost for cost in costs if isinstance(cost, int)]
    if not told or len(told) < len(costs) or ap in told or (ap > min(told) and may_cost_more(at, name)):
        return
    shown = {"instruction": INSTRUCTION_TERM[name], "cost": min(told), "ap": ap}
    yield warns(OTHER_COST, "nw:4.1.2.cost", pointer="/action/ap", **shown)


def may_cost_more(at: Board, name: InstructionName) -> bool:
    """Slaves by the total Ferocity, where it shows an F; Peace all available APs, where it is read so."""
    return name == "slaves" or (name == "peace" and at.rules.reading("peace-cost") == "all-available")
