"""What a check or a step has said: a sentence under its stable name, with the rules it rests on."""

from __future__ import annotations

from typing import Annotated, Any

from msgspec import Meta, Struct

from service.languages import Text

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
