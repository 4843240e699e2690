"""What is noted of an Instruction while it is carried out, and how one is treated as another."""

from __future__ import annotations

from typing import Any, ClassVar

from engine.memory import NOT_NOTED, Memory, Noted
from engine.messages import Message, message
from engine.navajo_wars.board import Board
from engine.navajo_wars.position import Colour, Count, Instruction, InstructionName
from engine.tables import Where


class InstructionMemory(Memory, frozen=True):
    """Which Instruction is carried out with how many APs, and what its cubes have shown."""

    name: Noted[InstructionName] = NOT_NOTED
    ap: Noted[Count] = NOT_NOTED
    never_subvert: bool = False
    counter: Noted[Instruction] = NOT_NOTED
    became: Noted[InstructionName] = NOT_NOTED
    substitute: bool = False
    left: Noted[Count] = NOT_NOTED
    drawn: tuple[Colour, ...] = ()
    red: Noted[Count] = NOT_NOTED

    questions: ClassVar[dict[str, Message]] = {
        "name": message("ask-instruction-under-way", "Which Instruction is being carried out?"),
        "counter": message("ask-instruction-counter", "Which Instruction counter is being carried out?"),
        "ap": message("ask-instruction-ap", "How many APs were spent on the Instruction being carried out?"),
        "became": message(
            "ask-build-became", "Build + Subvert: was Build carried out, or another Instruction in its place?"
        ),
        "left": message(
            "ask-cubes-left", "How many cubes are still to be moved or drawn for this Instruction?"
        ),
        "red": message("ask-red-placed", "Subjugate: how many red cubes have just been placed?"),
    }


def treat_as(
    at: Board, noted: InstructionMemory, name: InstructionName, said: Message, *rules: str, **shown: Any
) -> tuple[Board, Where]:
    """Another Instruction in its place, with the APs already spent; one substitute may lead to the next."""
    chain = ("nw:4.2.chain",) if noted.substitute else ()
    at = at.remember(name=name, substitute=True)
    return at.tell(said, *rules, "nw:4.treat-as.ap", *chain, **shown), name
