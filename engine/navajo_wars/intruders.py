"""Glossary: Intruders, turned over the moment a Family and one of them are in the same Area."""

from __future__ import annotations

from typing import ClassVar, Protocol

from engine.memory import NOT_NOTED, Memory, Noted
from engine.messages import Message, message, question
from engine.navajo_wars.board import Board
from engine.navajo_wars.map import is_area
from engine.navajo_wars.position import FamilyLetter
from engine.navajo_wars.printed import PrintedEffect, apply_printed
from engine.questions import Question, Read, ask
from engine.tables import END, Where, call, end, procedure, reading
from engine.verdict import Unknown, certain, must_know

INTRUDER_REVEALED = question(
    "intruder-revealed",
    "What does the Intruder table print for the Intruder counter now turned over?",
    lead="Family %(family)s meets an Intruder counter in Area %(area)s. Everything stops: turn it over, the topmost first if there are several.",
)
INTRUDER_DONE = message("intruder-resolved", "The Intruder counter in Area %(area)s is resolved.")


ASK_WHO_MET = message("ask-who-met-intruders", "Which Family has met the Intruders?")


class IntruderMemory(Memory, frozen=True):
    """Who met the Intruders, and whether they were placed with the Family."""

    questions: ClassVar[dict[str, Message]] = {"family": ASK_WHO_MET}

    family: Noted[FamilyLetter] = NOT_NOTED
    placed: bool = False


def ask_intruder(at: Board, noted: IntruderMemory) -> Question:
    """What the counter turned over does."""
    family = must_know(noted.family)
    area = must_know(at.family(family).at)
    return ask(INTRUDER_REVEALED, Read(PrintedEffect), family=family, area=area)


def resolve_intruder(at: Board, noted: IntruderMemory, read: PrintedEffect) -> tuple[Board, Where]:
    """Apply it, count the counter off, and turn over the next one below it."""
    letter = must_know(noted.family)
    area = must_know(at.family(letter).at)
    there = must_know(at.counters(area, "intruders"))
    at = at.set_area(area, intruders=there - 1) if there else at
    met = "nw:13.outsiders.reveal-on-placed" if noted.placed else "nw:13.outsiders.reveal-on-enter"
    at = at.tell(INTRUDER_DONE, "nw:13.outsiders.interrupt", met, area=area)
    at = apply_printed(at, read, "nw:13.outsiders.interrupt", letter)
    still_there = certain(at.family(letter).in_play) and at.family(letter).at == area
    more = still_there and at.counters(area, "intruders") > 0
    return at, ("reveal" if more else end())


INTRUDERS = procedure(
    "intruders",
    IntruderMemory,
    reading(
        "reveal",
        ("nw:13.outsiders.interrupt", "nw:13.outsiders.stack"),
        ask_intruder,
        resolve_intruder,
        goes=("reveal", END),
        title="An Intruder is turned over",
    ),
    title="Intruders",
)


class AboutFamily(Protocol):
    """What a procedure notes that is about a Family."""

    @property
    def family(self) -> FamilyLetter | Unknown:
        """The Family it is about."""


def meet_intruders(at: Board, noted: AboutFamily) -> tuple[Board, Where | None]:
    """A Family has entered an Area: Intruders there are revealed before anything else goes on."""
    letter = must_know(noted.family)
    area = must_know(at.family(letter).at)
    if is_area(area) and at.counters(area, "intruders") > 0:
        return at, call(INTRUDERS, family=letter)
    return at, None
