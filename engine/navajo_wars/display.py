"""The Enemy Instruction Display: its three columns, flips, swaps and the reset of step 5."""

from __future__ import annotations

from typing import Any, get_args

from msgspec import UNSET, structs

from engine.messages import Term, message
from engine.navajo_wars.board import Board
from engine.navajo_wars.position import Instruction, InstructionFace, InstructionName, Instructions
from engine.verdict import must_know, unknown

INSTRUCTION_TERM = {
    name: Term(f"nw.instruction.{name.replace('-', '_')}") for name in get_args(InstructionName)
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
ASK_COST = message("ask-instruction-cost", "What is the AP cost on the Instruction counter %(instruction)s?")
ASK_STRIPE = message(
    "ask-instruction-stripe", "Is there a stripe along the bottom of the Instruction counter %(instruction)s?"
)
ASK_BACK = message(
    "ask-instruction-back", "What is on the other side of the Instruction counter %(instruction)s?"
)
ASK_F = message("ask-instruction-f", "Is there an F on the Instruction counter %(instruction)s?")

Column = tuple[Instruction | None, ...]
SPACES = 6


def column(at: Board, name: str) -> Column:
    """A column of the display, from the top."""
    spaces: Column = must_know(at.told("instructions", name, ask=ASK_COLUMN[name]))
    return spaces


def set_column(at: Board, name: str, spaces: Column) -> Board:
    """The display with one column changed."""
    display = Instructions() if at.position.instructions is UNSET else at.position.instructions
    return at.change(instructions=structs.replace(display, **{name: spaces}))


def put(at: Board, name: str, row: int, counter: Instruction | None) -> Board:
    """One space of a column filled or emptied; rows count from 0."""
    spaces = column(at, name)
    return set_column(at, name, (*spaces[:row], counter, *spaces[row + 1 :]))


def face(counter: Instruction, row: int, fact: str, question: Any) -> Any:
    """A fact of the visible face of a counter in the Active column."""
    value = getattr(counter, fact)
    if value is UNSET:
        pointer = f"/instructions/active/{row}/{fact}"
        return must_know(unknown(pointer, question, instruction=INSTRUCTION_TERM[counter.name]))
    return value


def turned_over(counter: Instruction, row: int) -> Instruction:
    """The counter with its other side up."""
    back = face(counter, row, "back", ASK_BACK)
    if back is None:
        return counter
    hidden = InstructionFace(counter.name, counter.cost, counter.stripe, counter.ferocity)
    return Instruction(back.name, back.cost, hidden, back.stripe, back.ferocity)


def top_row(at: Board) -> int | None:
    """The row of the topmost counter in the Active column, None if it is empty."""
    return next((row for row, counter in enumerate(column(at, "active")) if counter is not None), None)


def to_top_inactive(at: Board, counter: Instruction) -> Board:
    """Put a counter in the highest empty space of the Inactive column, if that column was told."""
    display = at.position.instructions
    if display is UNSET or display.inactive is UNSET:
        return at
    empty = [row for row, held in enumerate(display.inactive) if held is None]
    return put(at, "inactive", empty[0], counter) if empty else at


def reset(active: Column, inactive: Column) -> tuple[Column, Column]:
    """Active counters slide up; then the Inactive ones, the lowest first, fill the highest empty spaces."""
    kept = [counter for counter in active if counter is not None]
    coming = [counter for counter in reversed(inactive) if counter is not None]
    fits = SPACES - len(kept)
    return _padded([*kept, *coming[:fits]]), _padded(coming[fits:])


def _padded(counters: list[Instruction]) -> Column:
    return (*counters, *[None] * (SPACES - len(counters)))
