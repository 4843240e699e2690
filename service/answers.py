"""The shapes of all answers: the same type is filled, encoded and documented; a field is added here and nowhere else."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, Generic, Literal, TypeVar

import msgspec
from msgspec import UNSET, Meta, Struct, UnsetType

from engine.messages import Ref
from engine.transcript import Expected
from engine.verdict import Unknown
from service.forms import ClosedOption, OptionEntry, PendingQuestion, Question
from service.languages import Spoken, Text
from service.sentences import Assumption, EventEntry, Params, Pointer, Reason, RuleId
from service.terms import LANGUAGES, Language

Ruling = Literal["legal", "illegal", "undetermined"]
Assumed = Annotated[
    list[Assumption], Meta(description="What was taken for granted; tell it if it is otherwise at your table")
]

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
    told: (
        Annotated[bool, Meta(description="The players told it, the rules did not lead to it")] | UnsetType
    ) = UNSET


class IssueEntry(Struct, frozen=True, kw_only=True):
    """A point where the documents disagree, and how it was read; `…/issues/{id}` says why, and what else can be chosen."""

    id: str
    name: str
    chosen: str
    preferred: str
    text: Annotated[Text, Meta(description="What the documents say")]
    reading: Annotated[Text, Meta(description="How it is read now")]
    chosen_by: Literal["default", "player"]


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
    outcome: Annotated[
        str | None, Meta(description="Name of the event that is the outcome; null where nothing is decided")
    ]
    reasons: list[Reason]
    unknowns: list[Question]
    cautions: list[Reason]
    passed: list[Reason]
    assumed: Assumed
    events: list[EventEntry]
    pending: PendingQuestion | None
    position: P
    changes: list[ChangeEntry]
    told: Annotated[
        dict[str, Any],
        Meta(description="What inputs told of the components and choices, to be sent again with `continue`"),
    ]
    issues: list[IssueEntry]


class AuditAnswer(Struct, frozen=True, kw_only=True):
    """Whether a position is possible, everything that speaks against it, and what only the player's copy can tell."""

    game: str
    lang: Spoken
    possible: bool
    headline: Text
    findings: list[Reason]
    cautions: list[Reason]
    issues: list[IssueEntry]


# -- odds --------------------------------------------------------------------------------------------

Whole = Annotated[
    int | str, Meta(description="A whole number; as text where it is too large for JSON programs")
]
Bound = Annotated[
    float, Meta(description="With 95 % the true probability is on this side of it; from 0 to 1")
]


class Share(Struct, frozen=True, kw_only=True):
    """A probability as an exact fraction, and as a percentage in the reader's language."""

    numerator: Whole
    denominator: Whole
    percent: Text


class ProbabilityEntry(Share, frozen=True, kw_only=True):
    """How likely something is; where a part was sampled, its bounds and the part that was followed exactly."""

    low: Bound | UnsetType = UNSET
    high: Bound | UnsetType = UNSET
    exact_part: Share | UnsetType = UNSET
    sampled_part: Share | UnsetType = UNSET


class SoFar(Struct, frozen=True, kw_only=True):
    """What had come of it before it waited."""

    name: str
    text: Text


class OutcomeEntry(Struct, frozen=True, kw_only=True):
    """What can come of it; what it waits for is named `reading-needed`, `decision-open` or `fact-needed`."""

    name: Annotated[str, Meta(description="Stable name of the outcome")]
    text: Text
    params: Params
    probability: ProbabilityEntry
    pointer: Pointer | UnsetType = UNSET
    so_far: SoFar | UnsetType = UNSET


class LikelyValue(Struct, frozen=True, kw_only=True):
    """What a place of the position becomes; left out where it is not told any more."""

    to: Any = UNSET
    probability: ProbabilityEntry


class _Chances(Struct, frozen=True, kw_only=True):
    """How likely it comes to what; the probabilities of all outcomes, and of all values of a place, add up to 1."""

    outcomes: list[OutcomeEntry]
    at_least: (
        Annotated[
            list[OutcomeEntry],
            Meta(description="Where a table has to be read: how likely it is read at so much or better"),
        ]
        | UnsetType
    ) = UNSET
    changes: Annotated[
        dict[str, list[LikelyValue]], Meta(description="By pointer, the value it has now included")
    ]


class ChoiceOdds(_Chances, frozen=True, kw_only=True):
    """The chances with one answer to the first open decision; `best` where it serves the aim best."""

    name: Annotated[str, Meta(description="Stable name of the question")]
    choice: Any
    text: Text
    best: bool | UnsetType = UNSET


class Sampled(Struct, frozen=True, kw_only=True):
    """How what was too much to be followed was sampled."""

    runs: int
    seed: int


class _OddsOfOne(_Chances, frozen=True, kw_only=True):
    """The chances of one action; nothing but the reasons where it may not be done."""

    ruling: Ruling
    refused: Annotated[
        Literal["answer", "action"] | None,
        Meta(description="What does not fit: only an answer, or the action itself"),
    ]
    headline: Text
    reasons: list[Reason]
    unknowns: list[Question]
    assumed: Assumed
    exact: Annotated[bool, Meta(description="Everything was followed to its end")]
    checks: Annotated[int, Meta(description="How many positions were looked at")]
    sampled: Sampled | UnsetType = UNSET
    by_choice: list[ChoiceOdds] | UnsetType = UNSET
    complete: Annotated[bool, Meta(description="Every answer is listed")] | UnsetType = UNSET


class OddsRow(_OddsOfOne, frozen=True, kw_only=True):
    """A row of a table: an action with one of the values asked about, and its chances; `best` as with choices."""

    action: dict[str, Any]
    best: bool | UnsetType = UNSET


class OddsAnswer(_OddsOfOne, frozen=True, kw_only=True):
    """The chances of an action, or of each row of a table."""

    game: str
    lang: Spoken
    issues: list[IssueEntry]
    table: list[OddsRow] | UnsetType = UNSET
    svg: Annotated[Text, Meta(description="A picture of the chances as bars")] | UnsetType = UNSET


# -- replay ------------------------------------------------------------------------------------------


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

    name: Literal["ruling", "events", "pending", "position", "changes"]
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
    next: Annotated[int | None, Meta(description="What `from` has to be for the next page; null at the end")]
    transcript: T | UnsetType = UNSET


# -- options, batches --------------------------------------------------------------------------------


class WayEntry(Struct, frozen=True, kw_only=True):
    """An action that may be done; where something has to be said of it yet, `asks` points there."""

    action: Annotated[dict[str, Any], Meta(description="As a check takes it")]
    ruling: Annotated[
        Literal["legal"],
        Meta(description="Where something is asked: that of the checks which do not need it"),
    ]
    text: Text
    cost: Annotated[
        dict[str, int], Meta(description="What beginning it takes: ap, mp, horse, sheep, corn, trade_goods …")
    ]
    asks: list[Pointer] | UnsetType = UNSET


class OptionsEntry(Struct, frozen=True, kw_only=True):
    """What may be done of one action kind, and what may not."""

    kind: str
    term: Text
    section: str
    ruling: Ruling
    headline: Text
    actions: list[WayEntry]
    assumed: Assumed
    reasons: list[Reason]
    unknowns: Annotated[list[Question], Meta(description="What decides about further actions of this kind")]
    asks: Annotated[
        list[Question], Meta(description="What is described or read off the copy, and cannot be listed")
    ]
    closed: Annotated[list[ClosedOption], Meta(description="Who or what may not at all, with all reasons")]
    closed_ways: Annotated[int, Meta(description="How many actions of the others are refused one by one")]
    complete: Annotated[bool, Meta(description="Every action of this kind that is allowed is listed")]
    left_out: (
        Annotated[int, Meta(description="How many allowed ones are not listed, at least")] | UnsetType
    ) = UNSET


class OptionsAnswer(Struct, frozen=True, kw_only=True):
    """Everything that may be done, kind by kind, and what the procedure under way waits for."""

    game: str
    lang: Spoken
    options: list[OptionsEntry]
    pending: PendingQuestion | None
    unknowns: list[Question]


class BatchAnswer(Struct, Generic[P], frozen=True, kw_only=True):
    """The answer to each check, in order."""

    game: str
    lang: Spoken
    results: list[CheckAnswer[P]]


# -- charts ------------------------------------------------------------------------------------------


class RowEntry(Struct, frozen=True, kw_only=True):
    """A row of a chart, and the rows it can lead to; “end” and “over” are the ends of chart and game."""

    number: int
    name: str
    title: Text
    part: Text | None
    kind: Literal["automatic", "chance", "decision", "reading"]
    rules: tuple[RuleId, ...]
    goes: tuple[str, ...]
    here: bool
    done: Annotated[int, Meta(description="How often it was passed, as the request says")]


class ChartEntry(Struct, frozen=True, kw_only=True):
    """A procedure, and how many rows its chart has."""

    procedure: str
    title: Text
    rows: int


class ChartsAnswer(Struct, frozen=True, kw_only=True):
    """All charts of a game."""

    game: str
    lang: Spoken
    charts: list[ChartEntry]


class ChartAnswer(Struct, frozen=True, kw_only=True):
    """The rows of one chart, in order."""

    game: str
    lang: Spoken
    procedure: str
    title: Text
    rows: list[RowEntry]


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
    rule: RuleId
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

    name: Annotated[str, Meta(description="What it shows, for readers of English")] | UnsetType = UNSET
    request: dict[str, Any]


class RuleEntry(Struct, frozen=True, kw_only=True):
    """A rule in our own words, with where it stands and what touches it."""

    id: RuleId
    section: str
    title: Text
    text: Text
    status: Literal["enforced", "asked", "explained"]
    reading: str | None
    sources: tuple[str, ...]
    parts: tuple[RuleId, ...]
    related: list[RuleId]
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
    text: Annotated[Text, Meta(description="What the documents say")]
    reading: Annotated[Text, Meta(description="How it is read unless another choice is made, and why")]
    preferred: str
    confidence: str
    choices: list[OptionEntry]
    rules: tuple[RuleId, ...]


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


class _Concept(Struct, frozen=True, kw_only=True):
    """A concept and the rules that name it."""

    id: str
    kind: str
    sense: str | None
    rules: list[RuleId]


if TYPE_CHECKING:
    TermEntry = _Concept
else:  # with a wording in each language
    TermEntry = msgspec.defstruct(
        "TermEntry",
        [(lang, WordingEntry) for lang in LANGUAGES],
        bases=(_Concept,),
        namespace={"__doc__": "A concept in every language, with the rules that name it."},
        module=__name__,
        frozen=True,
        kw_only=True,
    )


class TermsAnswer(Struct, frozen=True, kw_only=True):
    """Concepts in every language."""

    game: str
    terms: list[TermEntry]


class SourceEntry(Struct, frozen=True, kw_only=True):
    """A document, the language it is in, and what it covers."""

    id: str
    language: str
    text: Text


class SourcesAnswer(Struct, frozen=True, kw_only=True):
    """The documents everything rests on."""

    game: str
    lang: Spoken
    sources: list[SourceEntry]


class Everything(Struct, frozen=True, kw_only=True):
    """All rules, disputed points and terms of a game in every language."""

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
