"""The shapes of all answers: the same type is filled, encoded and documented; a field is added here and nowhere else."""

from __future__ import annotations

from typing import Annotated, Any, Generic, Literal, TypeVar

import msgspec
from msgspec import UNSET, Meta, Struct, UnsetType

from engine.messages import Ref
from engine.transcript import Expected
from engine.verdict import Unknown
from service.forms import OptionEntry, PendingQuestion, Question
from service.languages import Spoken, Text
from service.sentences import EventEntry, Pointer, Reason
from service.terms import Language

Ruling = Literal["legal", "illegal", "undetermined"]

P = TypeVar("P")  # the game's own position
T = TypeVar("T")  # the game's own transcript


def _plain(value: Any) -> Any:
    """What msgspec does not know: a thing of the game travels as its id, and what is not known has no value."""
    if isinstance(value, Ref):
        return str(value)
    if isinstance(value, Unknown):
        return None
    raise TypeError(type(value))


_encoder = msgspec.json.Encoder(enc_hook=_plain)


def encode(answer: Any) -> bytes:
    """An answer as JSON."""
    return _encoder.encode(answer)


# -- changes and issues ------------------------------------------------------------------------------


class ChangeEntry(Struct, frozen=True):
    """One place where the position after differs from the one before; a side that was not told is left out."""

    pointer: Pointer
    before: Any = msgspec.field(default=UNSET, name="from")
    to: Any = UNSET
    text: Annotated[Text, Meta(description="What has changed")] | UnsetType = UNSET
    from_text: Text | UnsetType = UNSET
    to_text: Text | UnsetType = UNSET


class IssueEntry(Struct, frozen=True, kw_only=True):
    """A point where the documents disagree, and how it was read."""

    id: str
    name: str
    chosen: str
    preferred: str
    text: Text


# -- check, audit, replay ----------------------------------------------------------------------------


class CheckAnswer(Struct, Generic[P], frozen=True, kw_only=True):
    """The ruling with every reason, what happened, what is asked next, and the position after it."""

    game: str
    lang: Spoken
    ruling: Ruling
    refused: Annotated[
        Literal["answer", "action"] | None,
        Meta(
            description="What does not fit: only an answer, which `pending` asks again, or the action itself"
        ),
    ]
    accepted: Annotated[int, Meta(description="How many inputs were good")]
    headline: Text
    reasons: list[Reason]
    unknowns: list[Question]
    cautions: list[Reason]
    passed: list[Reason]
    events: list[EventEntry]
    pending: PendingQuestion | None
    position: P
    changes: list[ChangeEntry]
    issues: list[IssueEntry]


class AuditAnswer(Struct, frozen=True, kw_only=True):
    """Whether a position is possible, and everything that speaks against it."""

    game: str
    lang: Spoken
    possible: bool
    headline: Text
    findings: list[Reason]
    issues: list[IssueEntry]


class AnswerEntry(Struct, frozen=True, kw_only=True):
    """A question of a move and the answer given to it."""

    name: Annotated[str, Meta(description="Stable name of the question")]
    question: Text
    text: Annotated[Text, Meta(description="The answer")]
    input: dict[str, Any]


class MoveEntry(Struct, frozen=True, kw_only=True):
    """A move that was replayed: what was done, what was answered and what happened."""

    number: int
    headline: Text
    ruling: Ruling
    answers: list[AnswerEntry]
    events: list[EventEntry]


class DifferenceEntry(Struct, frozen=True, kw_only=True):
    """One way in which a move came out otherwise than recorded."""

    name: Literal["ruling", "events", "pending", "changes"]
    text: Text


class DivergenceEntry(MoveEntry, frozen=True, kw_only=True):
    """The first move that came out otherwise than recorded; it was not applied."""

    text: Text
    differences: list[DifferenceEntry]
    expected: Expected
    found: Expected
    reasons: list[Reason]
    unknowns: list[Question]


class ReplayAnswer(Struct, Generic[P, T], frozen=True, kw_only=True):
    """The session: its moves, where it came out otherwise, and how the game stands."""

    game: str
    lang: Spoken
    moves: list[MoveEntry]
    diverged: DivergenceEntry | None
    pending: PendingQuestion | None
    unknowns: list[Question]
    position: P
    issues: list[IssueEntry]
    transcript: T | UnsetType = UNSET


# -- games and actions -------------------------------------------------------------------------------


class DisputedRule(Struct, frozen=True, kw_only=True):
    """A point where the documents disagree, and every reading a request may choose."""

    id: str
    name: str
    preferred: str
    text: Text
    choices: dict[str, Text]


class GameEntry(Struct, frozen=True, kw_only=True):
    """A game, and how much of it is known."""

    name: str
    title: Text
    languages: tuple[Language, ...]
    actions: list[str]
    rules: Annotated[dict[str, int], Meta(description="How many rules are enforced, asked, explained")]
    issues: list[DisputedRule]


class GamesAnswer(Struct, frozen=True, kw_only=True):
    """All games."""

    games: list[GameEntry]


class ActionEntry(Struct, frozen=True, kw_only=True):
    """An action kind with its parameters and an example request."""

    kind: str
    rule: str
    text: Text
    title: Annotated[Text, Meta(description="Its name")]
    parameters: Annotated[dict[str, Any], Meta(description="JSON Schema of the action")]
    asks: Annotated[list[Question], Meta(description="Its parameters as questions")]
    example: dict[str, Any] | None


class ActionsAnswer(Struct, frozen=True, kw_only=True):
    """All action kinds of a game."""

    game: str
    lang: Spoken
    actions: list[ActionEntry]


class Health(Struct, frozen=True, kw_only=True):
    """The service answers."""

    status: str
    version: str


# -- rules, issues, terms, sources -------------------------------------------------------------------


class ShownExample(Struct, frozen=True, kw_only=True):
    """A worked example that shows a rule: a request that can be sent."""

    name: str
    request: dict[str, Any]


class RuleEntry(Struct, frozen=True, kw_only=True):
    """A rule in our own words, with where it stands and what touches it."""

    id: str
    section: str
    title: Text
    text: Text
    status: Literal["enforced", "asked", "explained"]
    reading: str | None
    sources: tuple[str, ...]
    parts: tuple[str, ...]
    related: list[str]
    issues: list[str]
    actions: list[str]
    example: ShownExample | None


class RuleHit(RuleEntry, frozen=True, kw_only=True):
    """A rule that may answer the question."""

    snippet: Annotated[Text, Meta(description="The rule's text with the words that were asked for marked")]
    score: float


class RuleHits(Struct, frozen=True, kw_only=True):
    """The rules found, best first; where none was, what was searched and the nearest terms."""

    game: str
    lang: Spoken
    question: str
    hits: list[RuleHit]
    text: Text | UnsetType = UNSET
    suggestions: list[str] | UnsetType = UNSET


class DisputeEntry(Struct, frozen=True, kw_only=True):
    """A point where the documents disagree: what they say, how it is read, what a request may choose instead."""

    id: str
    name: str
    text: Text
    preferred: str
    confidence: str
    choices: list[OptionEntry]
    rules: tuple[str, ...]


class IssuesAnswer(Struct, frozen=True, kw_only=True):
    """Points where the documents disagree."""

    game: str
    lang: Spoken
    issues: list[DisputeEntry]


class WordingEntry(Struct, frozen=True, kw_only=True):
    """How one language names a concept, and where that stands."""

    term: str
    variants: tuple[str, ...]
    misprints: tuple[str, ...]
    source: str | None
    translated_by_us: bool


class TermEntry(Struct, frozen=True, kw_only=True):
    """A concept in the four languages, with the rules that name it."""

    id: str
    kind: str
    sense: str | None
    en: WordingEntry
    fr: WordingEntry
    it: WordingEntry
    ja: WordingEntry
    rules: list[str]


class TermsAnswer(Struct, frozen=True, kw_only=True):
    """Concepts in the four languages."""

    game: str
    terms: list[TermEntry]


class SourceEntry(Struct, frozen=True, kw_only=True):
    """A document, the language it is in, and what it covers."""

    id: str
    language: Language
    text: Text


class SourcesAnswer(Struct, frozen=True, kw_only=True):
    """The documents everything rests on."""

    game: str
    lang: Spoken
    sources: list[SourceEntry]


class Everything(Struct, frozen=True, kw_only=True):
    """All rules, disputed points and terms of a game in four languages."""

    game: str
    lang: Spoken
    rules: list[RuleEntry]
    issues: list[DisputeEntry]
    terms: list[TermEntry]
    sources: list[SourceEntry]


# -- scenarios ---------------------------------------------------------------------------------------


class ChoiceEntry(Question, frozen=True, kw_only=True):
    """What the set-up leaves open: put a value at the pointer. Where no options are listed, your copy shows them."""

    options: list[OptionEntry] | UnsetType = UNSET


class DoubtEntry(Struct, frozen=True, kw_only=True):
    """A value that rests on a source that may be wrong."""

    pointer: Pointer
    certainty: Literal["high", "medium", "low"]
    source: str
    text: Text


class Scenario(Struct, Generic[P], frozen=True, kw_only=True):
    """A set-up as a position, and what the player still chooses."""

    id: str
    title: Text
    period: str
    text: Text
    position: P
    choices: list[ChoiceEntry]
    deck: list[Text]
    victory: list[Text]
    doubts: list[DoubtEntry]


class ScenariosAnswer(Struct, Generic[P], frozen=True, kw_only=True):
    """All set-ups of a game; a game of which none is known has an empty list."""

    game: str
    lang: Spoken
    scenarios: list[Scenario[P]]


# -- problems ----------------------------------------------------------------------------------------


class ProblemError(Struct, frozen=True, kw_only=True):
    """What is wrong at one place of the request."""

    pointer: Annotated[str, Meta(description="JSON pointer into the request")]
    code: str
    detail: str


class ProblemBody(Struct, frozen=True, kw_only=True):
    """An RFC 9457 problem."""

    type: str
    title: str
    status: int
    detail: str
    code: Annotated[str, Meta(description="Stable name of the problem")]
    errors: list[ProblemError]
    lang: Language
