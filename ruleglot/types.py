"""What is sent and answered, as types: the fields that programs look at most; the contract has them all."""

from collections.abc import Mapping
from typing import Any, Literal, NotRequired, TypedDict

Ruling = Literal["legal", "illegal", "undetermined"]
Position = Mapping[str, Any]
Action = Mapping[str, Any]
Input = Mapping[str, Any]


class Reason(TypedDict):
    """One check, with its sentence and the rules it rests on."""

    name: str
    text: str
    rules: list[str]
    params: dict[str, Any]
    pointer: str


class Assumption(Reason):
    """A check that counts as met because nothing was told, and the value taken for granted."""

    value: Any


class EventEntry(TypedDict):
    """Something that happened."""

    name: str
    text: str
    rules: list[str]
    params: dict[str, Any]


class OptionEntry(TypedDict):
    """One answer that is offered."""

    value: Any
    text: str


class Settles(TypedDict):
    """What an answer, or each number from one to another, would lead to."""

    when: Any
    when_text: str
    ruling: Ruling
    text: str


class Question(TypedDict):
    """A question, where its answer belongs, and the form it takes."""

    name: str
    kind: Literal["chance", "decision", "reading", "fact"]
    text: str
    params: dict[str, Any]
    lead: NotRequired[str]
    hint: NotRequired[str]
    rules: NotRequired[list[str]]
    pointer: NotRequired[str]
    pointers: NotRequired[list[str]]
    form: NotRequired[dict[str, Any]]
    later: NotRequired[OptionEntry]
    settles: NotRequired[list[Settles]]


class Group(TypedDict):
    """What several options have in common."""

    key: str
    text: str


class FormOption(OptionEntry):
    """An option as a form shows it: with a short text, and in groups, outermost first."""

    short: NotRequired[str]
    groups: NotRequired[list[Group]]
    counts: NotRequired[dict[str, int]]
    unknowns: NotRequired[list[Question]]


class PendingQuestion(Question):
    """The question a procedure waits with."""

    input: str
    procedure: str
    step: str
    options: list[FormOption]
    frames: list[dict[str, Any]]
    meanwhile: NotRequired[list[FormOption]]


class IssueEntry(TypedDict):
    """A point where the documents disagree, and how it was read."""

    id: str
    name: str
    chosen: str
    preferred: str
    text: str
    reading: str
    chosen_by: Literal["default", "player"]


class CheckAnswer(TypedDict):
    """The ruling with every reason, what happened, what is asked next, and the position after it."""

    game: str
    lang: str
    ruling: Ruling
    refused: Literal["answer", "action"] | None
    accepted: int
    headline: str
    outcome: str | None
    reasons: list[Reason]
    unknowns: list[Question]
    cautions: list[Reason]
    passed: list[Reason]
    assumed: list[Assumption]
    events: list[EventEntry]
    pending: PendingQuestion | None
    position: dict[str, Any]
    changes: list[dict[str, Any]]
    told: dict[str, Any]
    issues: list[IssueEntry]


class BatchAnswer(TypedDict):
    """The answer to each of several checks, in the order they were asked."""

    game: str
    lang: str
    results: list[CheckAnswer]


class AuditAnswer(TypedDict):
    """Whether a position is possible, everything that speaks against it, and what only the player's copy can tell."""

    game: str
    lang: str
    possible: bool
    headline: str
    findings: list[Reason]
    cautions: list[Reason]
    issues: list[IssueEntry]


class WayEntry(TypedDict):
    """An action that may be done, and what it costs."""

    action: dict[str, Any]
    ruling: Literal["legal"]
    text: str
    cost: dict[str, int]
    asks: NotRequired[list[str]]


class OptionsEntry(TypedDict):
    """What may be done of one action kind, and what may not."""

    kind: str
    term: str
    section: str
    ruling: Ruling
    headline: str
    actions: list[WayEntry]
    assumed: list[Assumption]
    reasons: list[Reason]
    unknowns: list[Question]
    asks: list[Question]
    closed: list[dict[str, Any]]
    closed_ways: int
    complete: bool
    left_out: NotRequired[int]


class OptionsAnswer(TypedDict):
    """Everything that may be done, kind by kind, and what the procedure under way waits for."""

    game: str
    lang: str
    options: list[OptionsEntry]
    pending: PendingQuestion | None
    unknowns: list[Question]


class OddsAnswer(TypedDict):
    """How likely it comes to what."""

    game: str
    lang: str
    ruling: Ruling
    refused: Literal["answer", "action"] | None
    headline: str
    reasons: list[Reason]
    unknowns: list[Question]
    assumed: list[Assumption]
    outcomes: list[dict[str, Any]]
    changes: dict[str, list[dict[str, Any]]]
    exact: bool
    checks: int
    issues: list[IssueEntry]
    at_least: NotRequired[list[dict[str, Any]]]
    sampled: NotRequired[dict[str, int]]
    by_choice: NotRequired[list[dict[str, Any]]]
    complete: NotRequired[bool]
    table: NotRequired[list[dict[str, Any]]]
    svg: NotRequired[str]


class RuleEntry(TypedDict):
    """A rule in words of our own, with where it stands and what touches it."""

    id: str
    section: str
    title: str
    text: str
    status: Literal["enforced", "asked", "explained"]
    reading: str | None
    sources: list[str]
    parts: list[str]
    related: list[str]
    issues: list[str]
    actions: list[str]
    example: dict[str, Any] | None


class RuleHit(RuleEntry):
    """A rule that may answer the question."""

    snippet: str
    score: float


class RuleHits(TypedDict):
    """The rules found, best first."""

    game: str
    lang: str
    question: str
    hits: list[RuleHit]
    text: NotRequired[str]
    suggestions: NotRequired[list[str]]


class ReplayAnswer(TypedDict):
    """A session: its moves, where it came out otherwise, and how the game stands."""

    game: str
    lang: str
    moves: list[dict[str, Any]]
    diverged: dict[str, Any] | None
    pending: PendingQuestion | None
    next: int | None
    unknowns: list[Question]
    position: dict[str, Any]
    issues: list[IssueEntry]
    transcript: NotRequired[dict[str, Any]]


class PlayState(TypedDict):
    """A play as it stands."""

    format: int
    id: str
    game: str
    lang: str
    name: str
    version: int
    created: str
    changed: str
    expires: str | None
    moves: int
    redo: int
    position: dict[str, Any]
    pending: PendingQuestion | Question | None
    unknowns: list[Question]
    asked: dict[str, Any] | None
    outcome: dict[str, Any] | None
    choices: dict[str, str]
    scenario: str | None
    verified: int


class MoveAnswer(CheckAnswer):
    """The answer of a check, and what the play kept of it."""

    version: int
    moves: int
    kept: bool


class MovePage(TypedDict):
    """What was done, answered and happened; `next` is what `after` has to be for the following page."""

    id: str
    game: str
    lang: str
    version: int
    moves: list[dict[str, Any]]
    next: int | None
