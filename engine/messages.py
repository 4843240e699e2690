"""Sentences, written once beside the rule that says them and rendered later in the reader's language.

A message has a readable name that is never reused; the name is also its context in the catalogs.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from typing import Any, Literal

from msgspec import Struct, structs

REGISTRY: dict[str, Message] = {}
RULE_TEXTS: dict[str, Message] = {}  # the titles and texts of rules: a catalog of their own

# What an event is to a reader: news, a detail that goes with it, what is the same each time, or what comes next.
Tells = Literal["news", "detail", "ritual", "next"]
_PLACES = re.compile(r"%\((\w+)\)s")
# Before its colon such a sentence only names somebody, the step it belongs to, or what the number after it counts.
_OPENS_WITH_A_NAME = re.compile(
    r"%\(\w+\)s:|[^:.]* step (?:\d+|%\(\w+\)s):|[^:.;]*: %\((?:count|have|need)\)s(?:[.;]|$)"
)


class Message(Struct, frozen=True):
    """One English sentence with %(name)s placeholders, under the name programs know it by.

    An event that answers “what happened?” is an outcome: in its own words, or in those of the message it amounts to.
    A question stands alone; what has happened before it and what helps to answer it are sentences beside it.
    Where a parameter is not known, the sentence `untold` does without it. A sum names its `terms` one by one, and
    those that are 0 not at all. Where the parameter `one` names is 1, the sentence beside it is said. What stands
    before its colon may be said alone where there is little room, unless that would say nothing: then it is `whole`.
    Records written when another sentence was said in its place know it as what it `was`.
    """

    name: str
    text: str
    outcome: bool | Message = False
    lead: Message | None = None
    hint: Message | None = None
    at_least: tuple[str, Message] | None = (
        None  # the parameter that ranks it, and how “so much or better” is said
    )
    tells: Tells = "news"
    untold: Message | None = None
    terms: tuple[tuple[str, Message], ...] = ()
    one: tuple[str, str] | None = None
    whole: bool = False
    was: str = ""

    def __hash__(self) -> int:
        return hash(self.name)

    @property
    def amounts_to(self) -> Message | None:
        """What an event of this message means for the player; None where it is only on the way."""
        if isinstance(self.outcome, Message):
            return self.outcome
        return self if self.outcome else None

    @property
    def places(self) -> tuple[str, ...]:
        """The parameters it has places for, each once; for a sum those of its terms."""
        return _places((self.text, *(said.text for _, said in self.terms)))


@cache
def _places(texts: tuple[str, ...]) -> tuple[str, ...]:
    named = dict.fromkeys(place for text in texts for place in _PLACES.findall(text))
    return tuple(place for place in named if place != "terms")


class Requirement(Struct, frozen=True):
    """What a check demands: how a refusal is worded, and how it is worded that the demand is met."""

    name: str
    refusal: Message
    met: Message

    def __hash__(self) -> int:
        return hash(self.name)


def message(
    name: str,
    text: str,
    outcome: bool | Message = False,
    *,
    tells: Tells = "news",
    untold: str = "",
    terms: Mapping[str, str] | None = None,
    one: tuple[str, str] | None = None,
    whole: bool = False,
    was: str = "",
) -> Message:
    """Register a sentence under a name of its own; `outcome` marks an event that answers “what happened?”.

    `untold` is said where a parameter is not known; `terms` are those of the sum that `%(terms)s` stands for; `one`
    is a parameter that counts, and the sentence for 1 of them; `whole` is what says nothing before its colon; `was` is
    the name of the sentence that was said in its place once.
    """
    known = REGISTRY.get(name)
    if known is not None and known.text != text:
        raise ValueError(f"the message name {name!r} is taken")
    without = message(f"{name}.untold", untold) if untold else None
    summed = tuple((term, message(f"{name}.{term}", said)) for term, said in (terms or {}).items())
    whole = whole or _OPENS_WITH_A_NAME.match(text) is not None
    made = Message(
        name, text, outcome, tells=tells, untold=without, terms=summed, one=one, whole=whole, was=was
    )
    return REGISTRY.setdefault(name, made)


def question(
    name: str, text: str, *, lead: str = "", hint: str = "", at_least: tuple[str, Message] | None = None
) -> Message:
    """Register a question, with what is said before it and what helps to answer it.

    One that is asked about a number which is the better the higher it is says so with `at_least`.
    """
    if name in REGISTRY:
        raise ValueError(f"the message name {name!r} is taken")
    before = message(f"{name}.lead", lead) if lead else None
    help_with_it = message(f"{name}.hint", hint) if hint else None
    return REGISTRY.setdefault(name, Message(name, text, lead=before, hint=help_with_it, at_least=at_least))


def rule_text(name: str, text: str) -> Message:
    """Register the title or the text of a rule."""
    return RULE_TEXTS.setdefault(name, Message(name, text))


def requirement(
    name: str,
    refusal: str,
    met: str,
    terms: Mapping[str, str] | None = None,
    *,
    one: tuple[str, str] | None = None,
    met_one: tuple[str, str] | None = None,
    whole: bool = False,
) -> Requirement:
    """Register the two wordings of a check; `terms` are those of the sum that both name."""
    refused = message(name, refusal, terms=terms, one=one, whole=whole)
    met_too = message(f"{name}.met", met, one=met_one)
    if refused.terms:
        met_too = REGISTRY[met_too.name] = structs.replace(met_too, terms=refused.terms)
    return Requirement(name, refused, met_too)


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


class Either(tuple[Ref, ...]):
    """Several things of the game, of which one is meant: worded with “or”."""

    __slots__ = ()


def act(name: str, text: str) -> Act:
    """Register the name of an act: a noun that can open a sentence."""
    return Act(message(name, text).name)
