"""Sentences, written once beside the rule that says them and rendered later in the reader's language.

A message has a readable name that is never reused; the name is also its context in the catalogs.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec import Struct

REGISTRY: dict[str, Message] = {}
RULE_TEXTS: dict[str, Message] = {}  # the titles and texts of rules: a catalog of their own


class Message(Struct, frozen=True):
    """One English sentence with %(name)s placeholders, under the name programs know it by.

    An event that answers “what happened?” is an outcome: in its own words, or in those of the message it amounts to.
    A question stands alone; what has happened before it and what helps to answer it are sentences beside it.
    """

    name: str
    text: str
    outcome: bool | Message = False
    lead: Message | None = None
    hint: Message | None = None

    def __hash__(self) -> int:
        return hash(self.name)

    @property
    def amounts_to(self) -> Message | None:
        """What an event of this message means for the player; None where it is only on the way."""
        if isinstance(self.outcome, Message):
            return self.outcome
        return self if self.outcome else None


class Requirement(Struct, frozen=True):
    """What a check demands: how a refusal is worded, and how it is worded that the demand is met."""

    name: str
    refusal: Message
    met: Message

    def __hash__(self) -> int:
        return hash(self.name)


def message(name: str, text: str, outcome: bool | Message = False) -> Message:
    """Register a sentence under a name of its own; `outcome` marks an event that answers “what happened?”."""
    known = REGISTRY.get(name)
    if known is not None and known.text != text:
        raise ValueError(f"the message name {name!r} is taken")
    return REGISTRY.setdefault(name, Message(name, text, outcome))


def question(name: str, text: str, *, lead: str = "", hint: str = "") -> Message:
    """Register a question, with what is said before it and what helps to answer it."""
    if name in REGISTRY:
        raise ValueError(f"the message name {name!r} is taken")
    before = message(f"{name}.lead", lead) if lead else None
    help_with_it = message(f"{name}.hint", hint) if hint else None
    return REGISTRY.setdefault(name, Message(name, text, lead=before, hint=help_with_it))


def rule_text(name: str, text: str) -> Message:
    """Register the title or the text of a rule."""
    return RULE_TEXTS.setdefault(name, Message(name, text))


def requirement(name: str, refusal: str, met: str) -> Requirement:
    """Register the two wordings of a check."""
    return Requirement(name, message(name, refusal), message(f"{name}.met", met))


class Ref(str):
    """A parameter that names a thing of the game; it travels as its id and is worded for the reader."""

    __slots__ = ()

    def phrase(self) -> tuple[Message, Mapping[str, Any]]:
        """The message that words this thing."""
        raise NotImplementedError


class Term(Ref):
    """A concept of the termbase, by its id."""

    __slots__ = ()


class Act(Ref):
    """What a player does, where the termbase has no name for it: the name of the message that names it."""

    __slots__ = ()

    def phrase(self) -> tuple[Message, Mapping[str, Any]]:
        """The message of that name."""
        return REGISTRY[self], {}


def act(name: str, text: str) -> Act:
    """Register the name of an act: a noun that can open a sentence."""
    return Act(message(name, text).name)
