"""Procedures: tables of named steps, and the runner that follows them.

Where a procedure stands is part of the position: `agenda`, a stack of frames, outermost first.
A step is automatic, a chance, a decision or a reading; the last three ask a question and wait for
the player's answer. A step's function gives the position after it and where to go:

    return at, "resolution"              another step of this procedure
    return at, call(BATTLE, family="C")  another procedure; when it ends, the row below follows
    return at, end(result="FV")          the end; the caller's memory takes what is handed back
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Annotated, Any, Generic, Literal, Self, TypeVar

import msgspec
from msgspec import UNSET, Meta, Struct

from engine import codec
from engine.catalogue import Ruleset
from engine.chance import Impossible
from engine.exceptions import Refused, Unreadable, Untold
from engine.messages import Message, message, requirement
from engine.questions import Question
from engine.verdict import Caution, Fact, needs, once, unknown

# Between two answers, and far beyond any chart; a table that never ends must not hold a request.
MOST_STEPS = 2_000
MOST_FRAMES = 24  # procedures in each other; a Battle in a Raid in an Enemy turn is the fifth

NOT_THIS_FORM = requirement(
    "answer-of-another-kind",
    "This step waits for an answer of the form {%(need)s: …}, but {%(have)s: …} was sent.",
    met="The answer has the form the step asks for.",
)
NOT_ASKED_FOR = requirement(
    "input-not-asked-for",
    "More answers were sent than anything asked for: nothing waits for answer number %(number)s. "
    "Leave it out and send the request again.",
    met="Every answer was asked for.",
)
MEMORY_FACT = message(
    "memory-fact",
    "What does the step under way have noted under “%(field)s”? Add it to the agenda's memory.",
)

P = TypeVar("P", bound=Struct)


class Memory(Struct, frozen=True, forbid_unknown_fields=True):
    """What a procedure has to remember between its steps; each field may be untold."""


class Frame(Struct, frozen=True, forbid_unknown_fields=True):
    """One procedure under way: which, at which step, remembering what."""

    procedure: str
    step: str
    memory: Any = UNSET


Agenda = Annotated[tuple[Frame, ...], Meta(max_length=MOST_FRAMES)]


class Event(Struct, frozen=True):
    """Something that happened."""

    message: Message
    rules: tuple[str, ...]
    params: dict[str, Any]


class At(Generic[P]):
    """A position under the rules in force: what every rule is asked about and what every step changes."""

    __slots__ = ("cautions", "events", "position", "rules")

    def __init__(
        self,
        position: P,
        rules: Ruleset,
        events: tuple[Event, ...] = (),
        cautions: tuple[Caution, ...] = (),
    ) -> None:
        self.position = position
        self.rules = rules
        self.events = events
        self.cautions = cautions

    def on(self, position: P) -> Self:
        """The same rules, events and cautions on another position."""
        return self.__class__(position, self.rules, self.events, self.cautions)

    def change(self, **facts: Any) -> Self:
        """The position with these facts replaced; everything else is shared."""
        return self.on(msgspec.structs.replace(self.position, **facts))

    def tell(self, said: Message, *rules: str, **params: Any) -> Self:
        """Note that something happened."""
        events = (*self.events, Event(said, rules, params))
        return self.__class__(self.position, self.rules, events, self.cautions)

    def warn(self, said: Message, *rules: str, pointer: str = "", **params: Any) -> Self:
        """Note that an answer was legal but perhaps not what the player wanted."""
        cautions = (*self.cautions, Caution(said, rules, pointer, params))
        return self.__class__(self.position, self.rules, self.events, cautions)

    def doubt(self, cautions: Iterable[Caution]) -> Self:
        """Note cautions that checks have brought."""
        return self.__class__(self.position, self.rules, self.events, (*self.cautions, *cautions))

    def choice(self, issue: str) -> str:
        """How this request reads a point on which the documents disagree."""
        return self.rules.choice(issue)

    @property
    def components(self) -> Any:
        """What is known of the printed tables and the map."""
        return self.rules.components

    @property
    def agenda(self) -> tuple[Frame, ...]:
        """The procedures under way, outermost first."""
        frames: tuple[Frame, ...] = self.position.agenda  # type: ignore[attr-defined]
        return frames

    @property
    def waiting(self) -> Step | None:
        """The step the innermost procedure stands at, None where nothing is under way."""
        if not self.agenda:
            return None
        top = self.agenda[-1]
        step: Step = self.rules.procedures[top.procedure].steps[top.step]
        return step

    def recall(self, field: str) -> Any:
        """A fact the procedure under way has noted, or that it still has to be told."""
        noted = getattr(self.agenda[-1].memory, field)
        if noted is UNSET:
            return unknown(f"/agenda/{len(self.agenda) - 1}/memory/{field}", MEMORY_FACT, field=field)
        return noted

    def remember(self, **facts: Any) -> Self:
        """Note facts for the later steps of the procedure under way."""
        *outer, top = self.agenda
        noted = msgspec.structs.replace(top.memory, **facts)
        return self.change(agenda=(*outer, Frame(top.procedure, top.step, noted)))


AnAt = TypeVar("AnAt", bound=At[Any])


class Call(Struct, frozen=True):
    """Go through another procedure, then on with the row below."""

    procedure: str
    facts: dict[str, Any]
    step: str = ""


class End(Struct, frozen=True):
    """The procedure is over; the caller's memory takes what is handed back."""

    facts: dict[str, Any]


Where = str | Call | End
Asks = Callable[[Any], Question]


class Step(Struct, frozen=True):
    """One row of a procedure's table."""

    name: str
    kind: Literal["automatic", "chance", "decision", "reading"]
    rules: tuple[str, ...]
    do: Callable[..., tuple[Any, Where]]
    asks: Asks | None = None
    takes: tuple[type, ...] = ()


class Procedure(Struct, frozen=True):
    """A chart or a numbered list of the rules as a table of steps."""

    name: str
    memory: type[Memory]
    steps: dict[str, Step]

    def below(self, step: str) -> str | None:
        """The row under a step, None under the last."""
        names = list(self.steps)
        place = names.index(step) + 1
        return names[place] if place < len(names) else None


def procedure(name: str, memory: type[Memory], *steps: Step) -> Procedure:
    """A table of steps in the order of the printed chart."""
    return Procedure(name, memory, {step.name: step for step in steps})


def automatic(name: str, rule: str | tuple[str, ...], do: Callable[..., tuple[Any, Where]]) -> Step:
    """A step that needs nobody."""
    return Step(name, "automatic", _rules(rule), do)


def chance(name: str, rule: str | tuple[str, ...], asks: Asks, do: Callable[..., tuple[Any, Where]]) -> Step:
    """A step that waits for dice or a draw."""
    return Step(name, "chance", _rules(rule), do, asks)


def decision(
    name: str,
    rule: str | tuple[str, ...],
    asks: Asks,
    do: Callable[..., tuple[Any, Where]],
    takes: tuple[type, ...] = (),
) -> Step:
    """A step that waits for the player's choice; `takes` names the action kinds that answer it too."""
    return Step(name, "decision", _rules(rule), do, asks, takes)


def reading(name: str, rule: str | tuple[str, ...], asks: Asks, do: Callable[..., tuple[Any, Where]]) -> Step:
    """A step that waits for something the player reads off his own copy."""
    return Step(name, "reading", _rules(rule), do, asks)


def _rules(rule: str | tuple[str, ...]) -> tuple[str, ...]:
    return (rule,) if isinstance(rule, str) else rule


def call(target: Procedure | str, step: str = "", **facts: Any) -> Call:
    """Go through another procedure now, from its first step or from the one named.

    Charts that call each other name the other one; the rest name the table itself.
    """
    return Call(target if isinstance(target, str) else target.name, facts, step)


def end(**facts: Any) -> End:
    """This procedure is over."""
    return End(facts)


class Pending(Struct, frozen=True):
    """The question a procedure waits with."""

    step: Step
    name: str
    question: Question


class Run(Struct, frozen=True):
    """How far the answers carried."""

    at: Any
    pending: Pending | None
    used: int
    missing: tuple[Fact, ...] = ()  # facts the next step needs before anything can be asked


def _enter(at: AnAt, where: Call, procedures: dict[str, Procedure]) -> AnAt:
    """Put a called procedure on the agenda."""
    table = procedures[where.procedure]
    frame = Frame(table.name, where.step or next(iter(table.steps)), table.memory(**where.facts))
    return at.change(agenda=(*at.agenda, frame))


def _turn_to(at: AnAt, where: str) -> AnAt:
    """Go to another step of the procedure under way."""
    *outer, top = at.agenda
    return at.change(agenda=(*outer, Frame(top.procedure, where, top.memory)))


def _hand_back(at: AnAt, facts: dict[str, Any], procedures: dict[str, Procedure]) -> AnAt:
    """A call has ended: the caller notes the result and goes to the row below."""
    *outer, caller = at.agenda
    table = procedures[caller.procedure]
    wanted = {name: value for name, value in facts.items() if name in table.memory.__struct_fields__}
    noted = msgspec.structs.replace(caller.memory, **wanted)
    below = table.below(caller.step)
    if below is None:
        return over(at.change(agenda=(*outer, Frame(caller.procedure, caller.step, noted))), {}, procedures)
    return at.change(agenda=(*outer, Frame(caller.procedure, below, noted)))


def over(at: AnAt, facts: dict[str, Any], procedures: dict[str, Procedure]) -> AnAt:
    """Take the finished procedure off the agenda."""
    at = at.change(agenda=at.agenda[:-1])
    return _hand_back(at, facts, procedures) if at.agenda else at


def go(at: AnAt, where: Where, procedures: dict[str, Procedure]) -> AnAt:
    """Follow a step's word: on, into another procedure, or out of this one."""
    if isinstance(where, End):
        return over(at, where.facts, procedures)
    return _enter(at, where, procedures) if isinstance(where, Call) else _turn_to(at, where)


def run(
    at: AnAt,
    inputs: Sequence[tuple[str, Any]],
    procedures: dict[str, Procedure],
    act: Callable[[AnAt, Step, Any], tuple[AnAt, Any]],
    asked: Question | None = None,
) -> Run:
    """Follow the agenda until it is empty or a question has no answer yet.

    `act` reads an action given as the answer to a decision that takes actions; `asked` is the question the
    agenda waits with, where it has been asked already.
    """
    used = steps = 0
    while steps < MOST_STEPS:
        steps += 1
        if not at.agenda:
            return Run(at, None, used)
        top = at.agenda[-1]
        step = procedures[top.procedure].steps[top.step]
        try:
            if step.asks is None:
                after, where = step.do(at)
                at = go(after, where, procedures)
                continue
            question, asked = asked or step.asks(at), None
        except Untold as stop:
            if 0 < used == len(inputs):  # what was answered so far counts; the fact can be told now
                return Run(at, None, used, once(stop.unknown.facts))
            raise
        outcomes = question.answers.outcomes()
        if len(outcomes) == 1:
            answer = outcomes[0][0]
            if step.takes and isinstance(answer, dict):
                at, answer = act(at, step, answer)
        elif used == len(inputs):
            return Run(at, Pending(step, f"{top.procedure}-{top.step}", question), used)
        else:
            at, answer = _answer(at, step, question, inputs[used], used, act)
            used, steps = used + 1, 0
        after, where = step.do(at, answer)
        at = go(after, where, procedures)
    raise RuntimeError(f"the procedure {at.agenda[-1].procedure} does not come to an end")


def _answer(
    at: AnAt,
    step: Step,
    question: Question,
    given: tuple[str, Any],
    number: int,
    act: Callable[[AnAt, Step, Any], tuple[AnAt, Any]],
) -> tuple[AnAt, Any]:
    key, value = given
    pointer = f"/inputs/{number}"
    need = question.answers.key
    if key != need:
        raise Refused(needs(False, NOT_THIS_FORM, *step.rules, pointer=pointer, need=need, have=key))
    if step.takes and isinstance(value, dict):
        return _acted(at, step, value, f"{pointer}/{key}", act)
    try:
        return at, question.answers.accept(value)
    except Impossible as error:
        raise Refused(needs(False, error.requirement, *step.rules, pointer=pointer, **error.params)) from None


def _acted(
    at: AnAt, step: Step, given: Any, pointer: str, act: Callable[[AnAt, Step, Any], tuple[AnAt, Any]]
) -> tuple[AnAt, Any]:
    """An action given as the answer; what cannot be read of it is named with its place among the inputs."""
    try:
        return act(at, step, given)
    except Unreadable as error:
        error.pointer = error.pointer.replace("/inputs", pointer, 1)
        raise


def read_agenda(frames: Iterable[Frame], procedures: dict[str, Procedure]) -> tuple[Frame, ...]:
    """The agenda of a position that was sent, each memory in its procedure's own form."""
    read = []
    for number, frame in enumerate(frames):
        table = procedures.get(frame.procedure)
        if table is None:
            raise Unreadable("unknown-procedure", f"/agenda/{number}/procedure", given=frame.procedure)
        if frame.step not in table.steps:
            raise Unreadable("unknown-step", f"/agenda/{number}/step", given=frame.step)
        memory = {} if frame.memory is UNSET else frame.memory
        read.append(Frame(frame.procedure, frame.step, _read_memory(memory, table, number)))
    return tuple(read)


def _read_memory(memory: Any, table: Procedure, number: int) -> Memory:
    read: Memory = codec.read(memory, table.memory, f"/agenda/{number}/memory")
    return read
