"""What a check or a step has said: a sentence under its stable name, with the rules it rests on."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Annotated, Any

from msgspec import Meta, Struct

from engine.at import Event
from engine.messages import Message
from engine.verdict import Caution, Check
from service.languages import Text, Voice

Pointer = Annotated[str, Meta(description="JSON pointer into the position")]
RuleId = Annotated[str, Meta(pattern=r"^[a-z]+:[A-Za-z0-9.-]+$")]
RuleIds = Annotated[tuple[RuleId, ...], Meta(description="Ids of the rules it rests on")]
Params = Annotated[dict[str, Any], Meta(description="What the sentence was made of, as plain values")]


class Reason(Struct, frozen=True):
    """One check, with its sentence and the rules it rests on."""

    name: Annotated[str, Meta(description="Stable name of the check")]
    text: Text
    rules: RuleIds
    params: Params
    pointer: Pointer


class Assumption(Reason, frozen=True):
    """A check that counts as met because nothing was told: its sentence, and the value taken for granted."""

    value: Annotated[Any, Meta(description="The value that was taken for granted")]


class EventEntry(Struct, frozen=True):
    """Something that happened."""

    name: Annotated[str, Meta(description="Stable name of the event")]
    text: Text
    rules: RuleIds
    params: Params


def entry(name: str, said: Message, about: Check | Caution, speaks: Voice) -> Reason:
    """Something a check has said, under its name, in words."""
    return Reason(name, speaks.tell(said, about.params), about.rules, about.params, about.pointer)


def refusals(checks: Iterable[Check], speaks: Voice) -> list[Reason]:
    """Checks that failed, each with its reason."""
    return [entry(one.requirement.name, one.requirement.refusal, one, speaks) for one in checks]


def warnings(cautions: Iterable[Caution], speaks: Voice) -> list[Reason]:
    """What forbids nothing, and should be known."""
    return [entry(one.message.name, one.message, one, speaks) for one in cautions]


def happenings(events: Sequence[Event], speaks: Voice) -> list[EventEntry]:
    """What happened, in order."""
    return [
        EventEntry(one.message.name, speaks.tell(one.message, one.params), one.rules, one.params)
        for one in not_again(events)
    ]


def assumptions(checks: Iterable[Check], speaks: Voice) -> list[Assumption]:
    """Checks that count as met because nothing was told, each with the value taken."""
    return [
        Assumption(
            one.requirement.name,
            speaks.tell(one.requirement.met, one.params),
            one.rules,
            one.params,
            one.pointer,
            one.takes,
        )
        for one in checks
    ]


def not_again(events: Sequence[Event]) -> Iterator[Event]:
    """Events without a detail that was said just before in the same words, as two lines of one result may do."""
    before: Event | None = None
    for one in events:
        same = before is not None and one.message is before.message and one.params == before.params
        if not same or one.message.tells != "detail":
            yield one
        before = one
