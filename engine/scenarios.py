"""A scenario as the kernel sees it: the position its set-up leads to, and what the player still has to choose."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from msgspec import Struct

from engine.messages import Message, Requirement
from engine.questions import Option


class Said(Struct, frozen=True):
    """A sentence with its parameters."""

    message: Message
    params: dict[str, Any] = {}


class Limit(Struct, frozen=True):
    """What the set-up states of a choice whose values nobody can list; a part of it may stand on the table already."""

    says: Requirement
    holds: Callable[[Any], bool]  # of a position in which it is told


class OpenChoice(Struct, frozen=True):
    """What the set-up leaves to the player, to dice or to a draw: where it belongs, and the values it can have.

    Where no options are listed, only the player's own copy shows them.
    """

    pointer: str
    says: Said
    options: tuple[Option, ...] = ()
    rules: tuple[str, ...] = ()  # why it is asked
    limit: Limit | None = None


class Doubt(Struct, frozen=True):
    """A value that rests on a source that may be wrong."""

    pointer: str
    source: str
    certainty: str
    says: Said


class Scenario(Struct, frozen=True):
    """A set-up: what it fixes, what it leaves open, how the deck is built and how the game is won."""

    id: str
    title: str  # as it is printed, the same in every language
    period: str
    says: Said
    position: Any
    choices: tuple[OpenChoice, ...]
    deck: tuple[Said, ...]
    victory: tuple[Said, ...]
    doubts: tuple[Doubt, ...] = ()
