"""A game of stones, invented for a test: take one to three from the pile."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Any

from msgspec import UNSET, Meta, Struct, UnsetType

from engine import catalogue
from engine.actions import Action
from engine.at import At
from engine.game import Game
from engine.memory import Agenda
from engine.messages import act, message, question, requirement
from engine.naming import Names
from engine.saved import Format, Saved
from engine.sources import source
from engine.verdict import Check, must_know, needs

Number = Annotated[int, Meta(ge=0, le=99)]


class Position(Saved, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """Everything that can be told of a table with stones."""

    pile: Number | UnsetType = UNSET
    agenda: Agenda = ()
    format: Format | UnsetType = UNSET


class Components(Struct, frozen=True, forbid_unknown_fields=True):
    """The player's own stones: nothing has to be told of them."""


class Take(Struct, frozen=True, forbid_unknown_fields=True, tag_field="kind", tag="take"):
    """A player takes stones."""

    stones: Number


class Table(At[Position]):
    """The pile."""


ASK_PILE = question("ask-pile", "How many stones are in the pile?")
ASK_STONES = question("ask-stones", "How many stones are taken?")
TOO_FEW = requirement("stones-too-few", "There are not that many stones.", met="There are enough stones.")


def may_take(at: Table, do: Take) -> Iterator[Check]:
    """Whether there are that many."""
    pile = must_know(at.told("pile", ask=ASK_PILE))
    yield needs(pile >= do.stones, TOO_FEW, "toy:take", pointer="/pile")


def take(at: Table, do: Take) -> tuple[Table, None]:
    """The pile shrinks."""
    pile = must_know(at.told("pile", ask=ASK_PILE))
    return at.change(pile=pile - do.stones).tell(TAKEN, "toy:take", stones=do.stones), None


TAKEN = message("stones-taken", "%(stones)s stones are taken.", True)
ACTION: Action = Action(
    kind=Take,
    rule="toy:take",
    term=act("act.take", "Taking stones"),
    says=message("action.take", "Take stones from the pile."),
    asks={"stones": ASK_STONES},
    may=may_take,
    begin=take,
)
GAME: Any = Game(
    name="stones",
    title=message("game.stones", "Stones"),
    catalogue=catalogue.load(__name__, "rules.toml", "issues.toml"),
    position=Position,
    at=Table,
    components=Components,
    actions={"take": ACTION},
    procedures={},
    sequence_rule="toy:take",
    names=Names(parameters={"stones": ASK_STONES}),
    sources=(source("toy", "en", "Invented for a test."),),
)
