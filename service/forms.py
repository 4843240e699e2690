"""The one shape of every question, and the forms its answer can take; a page, a terminal or a bot needs no more."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from msgspec import UNSET, Meta, Struct, UnsetType, field

from service.languages import Text
from service.sentences import Params, Pointer, Reason, RuleIds


class OptionEntry(Struct, frozen=True, kw_only=True):
    """One answer that is offered, or one value that is possible."""

    value: Any
    text: Text


class Group(Struct, frozen=True, kw_only=True):
    """What several options have in common."""

    key: str
    text: Text


class FormOption(OptionEntry, frozen=True, kw_only=True):
    """An option as a form shows it: with a short text, and in groups, outermost first."""

    short: Text | UnsetType = UNSET
    groups: list[Group] | UnsetType = UNSET
    counts: Annotated[dict[str, int], Meta(description="What it adds to a sum, by its field")] | UnsetType = (
        UNSET
    )
    unknowns: (
        Annotated[list[Question], Meta(description="Facts not told that decide whether it may be chosen")]
        | UnsetType
    ) = UNSET


class ClosedOption(OptionEntry, frozen=True, kw_only=True):
    """What may not be chosen now, with its reasons."""

    reasons: list[Reason]


class YesNo(Struct, frozen=True, tag_field="type", tag="yes-no"):
    """Answered by true or false."""


class _OrInstead(Struct, frozen=True, kw_only=True):
    options: (
        Annotated[list[FormOption], Meta(description="What can be said instead, such as that there is none")]
        | UnsetType
    ) = UNSET


class Number(_OrInstead, frozen=True, kw_only=True, tag_field="type", tag="number"):
    """Answered by a whole number."""

    least: int | UnsetType = UNSET
    most: int | UnsetType = UNSET


class Name(_OrInstead, frozen=True, kw_only=True, tag_field="type", tag="name"):
    """Answered by a name that the player gives, such as that of a stack."""

    most: Annotated[int, Meta(description="Its longest length")] | UnsetType = UNSET


class _Options(Struct, frozen=True, kw_only=True):
    options: list[FormOption]
    of: (
        Annotated[str, Meta(description="What the options are: family, place, colour, action …")] | UnsetType
    ) = UNSET
    closed: list[ClosedOption] | UnsetType = UNSET
    closed_ways: int | UnsetType = UNSET
    likely: list[Any] | UnsetType = UNSET
    decline: Annotated[Any, Meta(description="The value that declines, if there is one")] = UNSET


class One(_Options, frozen=True, kw_only=True, tag_field="type", tag="one"):
    """Answered by one of the options' values."""


class Sum(Struct, frozen=True, kw_only=True):
    """What the options that are chosen must come to together."""

    field: str
    least: int


Otherwise = Annotated[
    dict[str, Any],
    Meta(
        description="Of a question with `pointers`: what is told, by pointer, and replaced by what is answered: the "
        "values of the options that are chosen, or the fields"
    ),
]


class Some(_Options, frozen=True, kw_only=True, tag_field="type", tag="some"):
    """Answered by a list of the options' values."""

    least: int
    most: int
    sum: Sum | UnsetType = UNSET
    otherwise: Otherwise | UnsetType = UNSET


class Die(Struct, frozen=True, tag_field="type", tag="die"):
    """Answered by the number that one die shows."""


class Dice(Struct, frozen=True, kw_only=True, tag_field="type", tag="dice"):
    """Answered by a list of what the dice show, in the order of their labels."""

    count: int
    labels: list[Text] | UnsetType = UNSET


class DrawOption(OptionEntry, frozen=True, kw_only=True):
    """What can be drawn, and how many of it are left; hidden content tells no number."""

    left: int | UnsetType = UNSET


class Draw(Struct, frozen=True, kw_only=True, tag_field="type", tag="draw"):
    """Answered by what was drawn."""

    of: Literal["cube", "marker"]
    options: list[DrawOption]


class FactField(Struct, frozen=True, kw_only=True):
    """A fact that a form asks for, under its name."""

    key: str
    text: Text
    form: Form
    optional: Annotated[bool, Meta(description="May it be left out?")] | UnsetType = UNSET


class ChangeField(FactField, frozen=True, kw_only=True):
    """A fact that may change: `by` an amount or `to` a value; {} in its pointer stands for an answer to `among`."""

    writes: Literal["by", "to"]
    among: Form | UnsetType = UNSET


class Counters(_OrInstead, frozen=True, kw_only=True, tag_field="type", tag="counters"):
    """Answered by an object: the counters of one place; one that is left out is not there."""

    fields: list[FactField]
    otherwise: Otherwise | UnsetType = UNSET


class Changes(Struct, frozen=True, kw_only=True, tag_field="type", tag="changes"):
    """Answered by what a printed result changes: {"changes": [{"pointer", "by" or "to"}, …]}.

    The options are what can be said instead, such as nothing; `also` are further fields of the answer.
    """

    fields: list[ChangeField]
    options: list[FormOption]
    also: list[FactField] | UnsetType = UNSET


class Record(_OrInstead, frozen=True, kw_only=True, tag_field="type", tag="record"):
    """Answered by an object, asked for field by field."""

    fields: list[FactField]


class Several(_OrInstead, frozen=True, kw_only=True, tag_field="type", tag="list"):
    """Answered by a list, asked for one by one; where there is a `key`, by an object with such names."""

    of: Form
    key: Form | UnsetType = UNSET
    least: int | UnsetType = UNSET
    most: int | UnsetType = UNSET


class Json(Struct, frozen=True, kw_only=True, tag_field="type", tag="json"):
    """Answered by whatever fits the schema; only where nothing simpler does."""

    schema: dict[str, Any]
    example: Any = UNSET


Form = YesNo | Number | Name | One | Some | Die | Dice | Draw | Counters | Changes | Record | Several | Json


class Range(Struct, frozen=True):
    """Each number from one to another."""

    first: int = field(name="from")
    to: int


class Settles(Struct, frozen=True, kw_only=True):
    """What an answer, or each of these numbers, would lead to."""

    when: bool | int | str | Range | None
    when_text: Annotated[Text, Meta(description="The answer in words, such as “at least 1”")]
    ruling: Literal["legal", "illegal", "undetermined"]
    text: Annotated[Text, Meta(description="The first reason, the outcome, or what is asked then")]


class Question(Struct, frozen=True, kw_only=True):
    """A question in the reader's language, where its answer belongs, and the form it takes."""

    name: Annotated[str, Meta(description="Stable name of the question")]
    kind: Literal["chance", "decision", "reading", "fact"]
    lead: Annotated[Text, Meta(description="What has happened, or where we are")] | UnsetType = UNSET
    text: Text
    hint: Text | UnsetType = UNSET
    rules: RuleIds | UnsetType = UNSET
    params: Params
    pointer: Pointer | UnsetType = UNSET
    pointers: list[Pointer] | UnsetType = UNSET
    form: Form | UnsetType = UNSET
    later: (
        Annotated[
            OptionEntry,
            Meta(
                description="What is told instead where the fact is not known yet: it is asked for last then"
            ),
        ]
        | UnsetType
    ) = UNSET
    settles: (
        Annotated[
            list[Settles],
            Meta(description="What each answer would lead to, where this fact alone is missing and has few"),
        ]
        | UnsetType
    ) = UNSET


class NotedEntry(Struct, frozen=True, kw_only=True):
    """Something that a procedure under way has noted."""

    name: str
    text: Text


class FrameEntry(Struct, frozen=True, kw_only=True):
    """A procedure under way, the row it stands at, and what it has noted."""

    procedure: str
    title: Text
    row: str
    row_title: Text
    noted: list[NotedEntry]


InputName = Literal["die", "dice", "cube", "marker", "choose", "read", "tell", "untell"]


class PendingQuestion(Question, frozen=True, kw_only=True):
    """The question a procedure waits with."""

    input: Annotated[InputName, Meta(description="The name to answer under, e.g. die")]
    procedure: Annotated[str, Meta(description="The chart the player follows")]
    step: Annotated[str, Meta(description="Its box")]
    options: list[FormOption]
    meanwhile: (
        Annotated[
            list[FormOption],
            Meta(
                description="What may be done before it is answered and not afterwards, such as rolling again; "
                "sent as an answer, under the name choose"
            ),
        ]
        | UnsetType
    ) = UNSET
    frames: Annotated[list[FrameEntry], Meta(description="The procedures under way, innermost last")]
