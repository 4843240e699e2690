"""What a check or a step has said: a sentence under its stable name, with the rules it rests on."""

from __future__ import annotations

from collections.abc import Iterable
from operator import attrgetter
from typing import Annotated, Any, TypeVar

from msgspec import Meta, Struct

from engine.at import Event
from engine.messages import Message
from engine.verdict import Caution, Check
from service.languages import Text, Voice

Pointer = Annotated[str, Meta(description="JSON pointer into the position")]
RuleIds = Annotated[tuple[str, ...], Meta(description="Ids of the rules it rests on")]
Params = Annotated[dict[str, Any], Meta(description="What the sentence was made of, as plain values")]


class Reason(Struct, frozen=True):
    """One check, with its sentence and the rules it rests on."""

    name: Annotated[str, Meta(description="Stable name of the check")]
    text: Text
    rules: RuleIds
    params: Params
    pointer: Pointer


class EventEntry(Struct, frozen=True):
    """Something that happened."""

    name: Annotated[str, Meta(description="Stable name of the event")]
    text: Text
    rules: RuleIds
    params: Params


E = TypeVar("E", Reason, EventEntry)
_TOLD = {Reason: attrgetter("rules", "params", "pointer"), EventEntry: attrgetter("rules", "params")}


def entry(kind: type[E], name: str, said: Message, about: Check | Caution | Event, speaks: Voice) -> E:
    """Something a check or a step has said, under its name, in words."""
    return kind(name, speaks.say(said, about.params), *_TOLD[kind](about))


def refusals(checks: Iterable[Check], speaks: Voice) -> list[Reason]:
    """Checks that failed, each with its reason."""
    return [entry(Reason, one.requirement.name, one.requirement.refusal, one, speaks) for one in checks]


def happenings(events: Iterable[Event], speaks: Voice) -> list[EventEntry]:
    """What happened, in order."""
    return [entry(EventEntry, one.message.name, one.message, one, speaks) for one in events]
