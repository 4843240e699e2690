"""The runner: it follows the rows of the procedures under way until somebody has to answer.

Where a procedure stands is part of the position: `agenda`, a stack of frames, outermost first.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import chain
from typing import Any

from msgspec import UNSET, Struct

from engine import codec, memory
from engine.actions import Action, is_whole
from engine.at import AnAt, At
from engine.chance import Impossible
from engine.costs import cheapest_first
from engine.exceptions import Refused, Unreadable, Untold
from engine.memory import Frame, Memory
from engine.messages import Message, Ref, message, requirement
from engine.offers import Demands, Offer, Offered, nothing_more, offers
from engine.questions import ACTIONS, NOT_OFFERED, Choose, Known, Question, Read, Told
from engine.tables import END, Call, Procedure, Step, Where
from engine.verdict import Fact, Unknown, demand, needs, once

# Between two answers, and far beyond any chart; a table that never ends must not hold a request.
MOST_STEPS = 2_000

NOT_THIS_FORM = requirement(
    "answer-of-another-kind",
    "The question asks for %(need)s; the answer given is %(have)s.",
    met="The answer is of the kind that is asked for.",
)
NOT_ASKED_FOR = requirement(
    "input-not-asked-for",
    "There are more answers than questions: nothing waits for answer number %(number)s. Leave it out.",
    met="Every answer was asked for.",
)

ANSWER_KIND = {
    kind: message(f"answer-kind.{kind}", text)
    for kind, text in (
        ("die", "a die roll"),
        ("dice", "a roll of several dice"),
        ("cube", "a cube that was drawn"),
        ("marker", "a marker that was drawn"),
        ("choose", "a choice"),
        ("read", "what your copy prints"),
    )
}
OTHER_KIND = message("answer-kind.other", "something else")


class AnswerKind(Ref):
    """What sort of answer something is, by its name in a request."""

    __slots__ = ()

    def phrase(self) -> tuple[Message, Mapping[str, Any]]:
        """In words."""
        return ANSWER_KIND.get(str(self), OTHER_KIND), {}


Procedures = Mapping[str, Procedure]
Given = tuple[str, Any]  # an answer: its name and value
Reads = Callable[[Step, Any], Any]  # an action given as an answer, read
Tells = Callable[[Any, Given, int], Any]  # a position with what an input tells, by the number of the input


class Pending(Struct, frozen=True):
    """The question a procedure waits with."""

    step: Step
    name: str
    question: Question
    agenda: tuple[Frame, ...]  # the procedures under way when it is asked, outermost first
    meanwhile: Choose = ACTIONS  # what may be done before it is answered, worked out as far as somebody looks
    fact: Fact | None = None  # that the row needs before it can ask or go on

    @property
    def kind(self) -> str:
        """What is asked for: chance, a decision, a reading, or a fact."""
        return self.step.kind if self.fact is None else "fact"


class Taken(Struct, frozen=True):
    """A question, the answer that was given to it, and how much had happened by then."""

    pending: Pending
    given: Given
    listed: Given  # the answer as the question lists it, also where a saved game wrote it in another form
    before: int  # events


class Run(Struct, frozen=True):
    """How far the answers carried."""

    at: Any
    pending: Pending | None
    used: int  # inputs
    taken: tuple[Taken, ...]
    missing: tuple[Fact, ...] = ()  # facts the next step needs before anything can be asked


# -- from row to row ---------------------------------------------------------------------------------


def go(at: AnAt, where: Where, procedures: Procedures) -> AnAt:
    """Follow a row's word: on, into another procedure, or out of this one."""
    if isinstance(where, str):
        return _leave(at, {}, procedures) if where == END else _turn_to(at, where)
    if isinstance(where, Call):
        return _enter(at, where, procedures)
    return _leave(at, where.facts, procedures)


def _enter(at: AnAt, where: Call, procedures: Procedures) -> AnAt:
    """Put a called procedure on the agenda."""
    table = procedures[where.procedure]
    frame = Frame(table.name, where.step or next(iter(table.steps)), table.memory(**where.facts))
    return at.with_agenda((*at.agenda, frame))


def _turn_to(at: AnAt, where: str) -> AnAt:
    """Go to another row of the procedure under way."""
    agenda = at.position.agenda
    top = agenda[-1]
    return at.with_agenda((*agenda[:-1], Frame(top.procedure, where, top.memory)))


def _leave(at: AnAt, facts: dict[str, Any], procedures: Procedures) -> AnAt:
    """Take the finished procedure off the agenda; its caller notes the result and goes on."""
    agenda = at.agenda[:-1]
    at = at.with_agenda(agenda)
    if not agenda:
        return at
    caller = agenda[-1]
    table = procedures[caller.procedure]
    wanted = {name: value for name, value in facts.items() if name in table.memory.__struct_fields__}
    return go(at.remember(**wanted) if wanted else at, table.after(caller.step), procedures)


def begin(at: AnAt, action: Action, do: Any, procedures: Procedures) -> AnAt:
    """Carry out an action that no row waits for."""
    after: AnAt
    after, begins = action.begin(at, do)
    return after if begins is None else go(after, begins, procedures)


def answered(at: AnAt, step: Step, answer: Any, procedures: Procedures) -> AnAt:
    """Do what a row does with its answer, and go where it says."""
    if step.do is not None:
        return _on(step.do(at, _noted(at), answer), step, procedures)  # type: ignore[no-any-return]
    went = step.notes(at, _noted(at), answer) if step.notes else at
    return _on(_carried_out(went, step, answer), step, procedures)  # type: ignore[no-any-return]


def _carried_out(at: AnAt, step: Step, answer: Any) -> tuple[AnAt, Where | None]:
    """What a row without a function of its own does: the action it was answered with, or nothing."""
    action = step.action_of(answer)
    if action is not None:
        return action.begin(at, answer)
    return at, step.or_else.goes if step.or_else else None


def _on(went: Any, step: Step, procedures: Procedures) -> Any:
    """Where a row's function leads: as it says itself, else as the table says."""
    after, where = went if type(went) is tuple else (went, None)
    if not after.position.agenda:  # the game is over, and nothing is under way any more
        return after
    return go(after, where or step.then, procedures)


# -- the run -----------------------------------------------------------------------------------------


class Inputs:
    """The inputs of a request as a run uses them.

    Answers are used one by one. A fact that is told between them is told when those before it are used, or as soon
    as something needs a fact.
    """

    __slots__ = ("_left", "_tells", "accepted", "count", "given", "goes_on", "taken", "to_tell")

    def __init__(
        self, inputs: Sequence[Given] = (), tells: Tells | None = None, *, goes_on: bool = False
    ) -> None:
        self.count = len(inputs)
        self._tells = tells
        self.goes_on = goes_on  # with what earlier answers have led to
        self.taken: list[Taken] = []  # the answers that were used
        self.to_tell: list[tuple[int, Given]] = []  # facts that were not told yet
        self.accepted = self.count  # how many inputs come before the next answer
        self.given: Given | None = None  # the next answer
        if inputs:
            self._left = self._answers(inputs)
            self._next()

    def _answers(self, inputs: Sequence[Given]) -> Iterator[tuple[int, Given]]:
        """The answers with their numbers; the facts among them are put aside."""
        answers: list[tuple[int, Given]] = []
        for number, one in enumerate(inputs):
            (self.to_tell if one[0] in codec.TELLS else answers).append((number, one))
        return iter(answers)

    def _next(self) -> None:
        self.accepted, self.given = next(self._left, (self.count, None))

    def take(self, used: Taken) -> None:
        """The next answer was used."""
        self.taken.append(used)
        self._next()

    def tell_due(self, at: AnAt) -> AnAt:
        """Everything told that comes before the next answer."""
        while self.to_tell and self.to_tell[0][0] < self.accepted:
            at = self.tell(at)
        return at

    def tell(self, at: AnAt) -> AnAt:
        """The next fact."""
        number, given = self.to_tell.pop(0)
        told: AnAt = self._tells(at, given, number)  # type: ignore[misc]  # whoever tells says how
        return told


NO_INPUTS = Inputs()


def run(at: AnAt, inputs: Inputs, procedures: Procedures, reads: Reads, depth: int = 1) -> Run:
    """Follow the agenda until a question has no answer yet, or fewer than so many procedures are under way."""
    steps = 0
    while steps < MOST_STEPS:
        steps += 1
        if inputs.to_tell:
            at = inputs.tell_due(at)
        agenda = at.position.agenda
        if len(agenda) < depth:
            return Run(at, None, inputs.accepted, tuple(inputs.taken))
        top = agenda[-1]
        step = procedures[top.procedure].steps[top.step]
        try:
            if step.asks is None:
                at = _on(step.do(at, _noted(at)), step, procedures)  # type: ignore[misc]
                continue
            used, went = len(inputs.taken), _row(at, step, inputs, procedures, reads)
        except Untold as stop:
            if not inputs.to_tell:
                return _stopped(at, step, stop, inputs)
            if stop.keeps is not None and _kept(at) is None:  # as where the fact is told after a pause
                at, used_now = stop.keeps
                inputs.take(used_now)
            at = inputs.tell(at)
            continue
        if isinstance(went, Run):
            return went
        at, steps = went, 0 if len(inputs.taken) > used else steps
    raise RuntimeError(f"the procedure {at.agenda[-1].procedure} does not come to an end")


def _row(at: AnAt, step: Step, inputs: Inputs, procedures: Procedures, reads: Reads) -> AnAt | Run:
    """One row that asks: what comes of its answer, or the pause with its question."""
    kept = None if at.position.agenda[-1].answered is UNSET else _kept(at)
    here = at if kept is None else _without_kept(at)
    question = _question(here, step)
    given = kept or inputs.given
    try:
        found = _after(here, step, question, given, inputs.accepted, procedures, reads)
    except Refused as stop:
        if kept and inputs.given is not None:  # another answer instead
            return here
        stop.issues = (*at.issues, *stop.issues)
        if given is not None and question.answers.settled() is None:  # it is the answer that is refused
            stop.accepted, stop.pending = inputs.accepted, _pending(here, step, question)
        raise
    except Untold as stop:
        stop.doubts = given is not None and stop.keeps is None
        raise
    if found is None:
        return Run(here, _pending(here, step, question), inputs.accepted, tuple(inputs.taken))
    after, took = found
    if took and given and not kept:
        inputs.take(_taken(here, step, question, given))
    return after


def _taken(at: At[Any], step: Step, question: Question, given: Given) -> Taken:
    """An answer with the question it was given to."""
    listed = _as_listed(at, step, question, given)
    return Taken(_pending(at, step, question), given, listed, len(at.events))


def _stopped(at: AnAt, step: Step, stop: Untold, inputs: Inputs) -> Run:
    """A fact is missing: what was answered counts, unless answers are left that need the fact first."""
    facts = cheapest_first(at, once(stop.unknown.facts))
    if stop.keeps is not None and _kept(at) is None:
        inputs.take(stop.keeps[1])
    if (inputs.taken or inputs.goes_on) and inputs.given is None and not stop.doubts:
        at = at if stop.keeps is None else stop.keeps[0]
        pending = _fact_pending(at, step, facts[0])
        return Run(at, pending, inputs.accepted, tuple(inputs.taken), facts)
    stop.issues = (*at.issues, *stop.issues)
    stop.accepted, stop.pending = inputs.accepted, _fact_pending(at, step, facts[0])
    raise stop


def _kept(at: At[Any]) -> Given | None:
    """The answer that waits for a fact."""
    answered = at.position.agenda[-1].answered
    return None if answered is UNSET else next(iter(answered.items()))


def _keep(at: AnAt, given: Given) -> AnAt:
    """Put an answer aside until the fact is told that it needs."""
    *outer, top = at.agenda
    key, value = given
    return at.with_agenda((*outer, Frame(top.procedure, top.step, top.memory, {key: value})))


def _without_kept(at: AnAt) -> AnAt:
    """The same with nothing put aside."""
    *outer, top = at.agenda
    return at.with_agenda((*outer, Frame(top.procedure, top.step, top.memory)))


def _fact_pending(at: At[Any], step: Step, fact: Fact) -> Pending:
    """The question for a fact that a row needs."""
    question = Question(fact.question, Told(fact), fact.params)
    return Pending(step, fact.question.name, question, at.agenda, fact=fact)


def asking(pending: Pending, fact: Fact) -> Pending:
    """The same pause, with the question for another fact."""
    question = Question(fact.question, Told(fact), fact.params)
    return Pending(pending.step, fact.question.name, question, pending.agenda, fact=fact)


def _as_listed(at: At[Any], step: Step, question: Question, given: Given) -> Given:
    """An answer as the question lists it."""
    key, value = given
    do = (
        once_written(at, step, value) if key == question.answers.key and not isinstance(value, dict) else None
    )
    action = step.action_of(do)
    return given if action is None else (key, action.answered_by(do))


def _pending(at: At[Any], step: Step, question: Question) -> Pending:
    """The question of a row, under the name of its procedure and its own."""
    agenda, meanwhile = at.agenda, Offered(at, at.rules.meanwhile)
    return Pending(step, f"{agenda[-1].procedure}-{step.name}", question, agenda, meanwhile)


def waiting(at: At[Any], procedures: Procedures) -> Step:
    """The row the innermost procedure stands at."""
    top = at.agenda[-1]
    return procedures[top.procedure].steps[top.step]


def question_under_way(at: At[Any]) -> Question | None:
    """What the innermost procedure waits with; None where nothing is under way or nobody is asked."""
    step = waiting(at, at.rules.procedures) if at.agenda else None
    return None if step is None or step.asks is None else _question(at, step)


def _question(at: At[Any], step: Step) -> Question:
    """What a row asks; one that takes actions offers what may be done and what may be said instead."""
    question: Question = step.asks(at, _noted(at))  # type: ignore[misc]  # it is no automatic row
    if question.answers is not ACTIONS:
        return question
    return Question(question.message, _answers(at, step), question.params)


def _answers(at: At[Any], step: Step) -> Offered | Known:
    """The actions a row takes, and what may be said instead."""
    demands, other = demanded(at, step), step.or_else
    if other and other.beside and not any(True for _ in offers(at, step.takes, demands)):
        return Known(None)
    if other is None or not (other.beside or may_decline(at, step)):
        return Offered(at, step.takes, demands)
    return Offered(at, step.takes, demands, other.option, other_first=other.comes_first)


def may_decline(at: At[Any], step: Step) -> bool:
    """May something else be said here than one of the actions the row takes?"""
    if step.or_else is None:
        return False
    return step.or_else.when is None or step.or_else.when(at, _noted(at))


def demanded(at: At[Any], step: Step) -> Demands:
    """What the row under way demands of an action, besides the action's own checks."""
    noted, demands = _noted(at), step.demands
    return nothing_more if demands is None else lambda at, do: demands(at, noted, do)


def _noted(at: At[Any]) -> Memory:
    """What the innermost procedure has noted, as its rows read it."""
    agenda = at.position.agenda
    return memory.read(agenda, len(agenda) - 1, Memory)


# -- an answer ---------------------------------------------------------------------------------------


def _after(
    at: AnAt,
    step: Step,
    question: Question,
    given: Given | None,
    number: int,
    procedures: Procedures,
    reads: Reads,
) -> tuple[AnAt, bool] | None:
    """The position after an answer, and whether it was the one given; None where somebody has to answer."""
    if isinstance(question.answers, Known) and not step.takes:  # nothing is asked
        return answered(at, step, question.answers.value, procedures), False
    meanwhile = _meanwhile(at, step, question, given)
    if meanwhile is not None:
        return _done_meanwhile(at, meanwhile, given[1], number, procedures), True  # type: ignore[index]
    found = _answer(at, step, question, given, number, reads)
    if found is None:
        return None
    went, answer, took = found
    try:
        return answered(went, step, answer, procedures), took
    except Untold as stop:  # what comes of it needs a fact: the answer that was given is kept
        if took and given:
            stop.keeps = _keep(at, given), _taken(at, step, question, given)
        raise


def _answer(
    at: AnAt, step: Step, question: Question, given: Given | None, number: int, reads: Reads
) -> tuple[AnAt, Any, bool] | None:
    """The answer to a question, and whether it was the one given; None where somebody has to answer."""
    fits = given is not None and given[0] == question.answers.key
    acts = fits and step.takes and is_action(at, step, given[1])  # type: ignore[index]
    if acts and may_decline(at, step):  # if it may be done there is a choice: nothing else is looked at
        try:
            return *_acted(at, step, given[1], number, reads), True  # type: ignore[index]
        except (Refused, Untold):
            if question.answers.settled() is None:
                raise
    settled = question.answers.settled()
    if settled is not None:
        return *_settled(at, settled.option, settled.value, step, reads), False
    if given is None:
        return None
    if acts:
        return *_acted(at, step, given[1], number, reads), True
    return at, _accepted(step, question, given, f"/inputs/{number}"), True


def _meanwhile(at: At[Any], step: Step, question: Question, given: Given | None) -> Action | None:
    """What is to be done before the question is answered, if that was given where somebody is asked."""
    if given is None or given[0] != "choose" or not isinstance(given[1], dict):
        return None
    kind = given[1].get("kind")
    if any(action.name == kind for action in step.takes):
        return None
    found = next((action for action in at.rules.meanwhile if action.name == kind), None)
    return None if found is None or question.answers.settled() is not None else found


def _done_meanwhile(at: AnAt, action: Action, value: Any, number: int, procedures: Procedures) -> AnAt:
    """It is carried out by its own checks; the question is asked again, unless it leads elsewhere."""
    do = codec.read(value, action.kind, f"/inputs/{number}/choose")
    return begin(at.doubt(demand(action.may(at, do)).cautions), action, do, procedures)


def _settled(at: AnAt, option: Any, value: Any, step: Step, reads: Reads) -> tuple[AnAt, Any]:
    """The only answer there is; an action is held to its checks like any other."""
    if isinstance(option, Offer):
        return _held(at, step, option.do, option.missing)
    if step.takes and isinstance(value, dict):
        return _held(at, step, reads(step, value))
    return at, value


def is_action(at: At[Any], step: Step, value: Any) -> bool:
    """Is this answer an action, or a word for one?"""
    return isinstance(value, dict) or once_written(at, step, value) is not None


def once_written(at: At[Any], step: Step, value: Any) -> Any:
    """The action that a word means, as saved games and rows with words of their own write it; None where it means none."""
    return step.reads(at, _noted(at), value) if step.reads is not None and isinstance(value, str) else None


def _acted(at: AnAt, step: Step, value: Any, number: int, reads: Reads) -> tuple[AnAt, Any]:
    """An action given as the answer; what cannot be read of it is named with its place among the inputs."""
    if not isinstance(value, dict):
        return _held(at, step, once_written(at, step, value))
    open_yet = _offered_open(at, step, value)
    if open_yet is not None:
        raise Untold(Unknown(*open_yet.missing))
    if _stood_for_many(step, value):
        pointer = f"/inputs/{number}/choose"
        raise Refused(needs(False, NOT_OFFERED, *step.rules, pointer=pointer, given=value["kind"]))
    try:
        return _held(at, step, reads(step, value))
    except Unreadable as error:
        error.pointer = error.pointer.replace("/inputs", f"/inputs/{number}/choose", 1)
        raise


def _stood_for_many(step: Step, value: dict[str, Any]) -> bool:
    """Is this an offer that was open, and is not any more? What was told since offers each way by itself."""
    takes = [action for action in step.takes if action.name == value.get("kind")]
    return set(value) == {"kind"} and any(action.ways and not is_whole(action) for action in takes)


def _offered_open(at: At[Any], step: Step, value: dict[str, Any]) -> Offer | None:
    """The offer that stands for all ways of a kind, where it was sent back: it asks for its missing facts."""
    if set(value) != {"kind"}:
        return None
    takes = [action for action in step.takes if action.name == value["kind"] and action.ways is not None]
    found = [offer for offer in offers(at, takes, demanded(at, step)) if offer.missing and offer.do is None]
    return found[0] if found else None


def _held(at: AnAt, step: Step, do: Any, missing: tuple[Fact, ...] = ()) -> tuple[AnAt, Any]:
    """An action held to its own checks, with its cautions."""
    if do is None:
        raise Untold(Unknown(*missing))
    action = step.action_of(do)
    if action is None:
        return at, do
    held = at.again()  # if it is refused and not needed, nothing of it is left
    try:
        checks = chain(demanded(held, step)(held, do), action.may(held, do))
        verdict = demand(checks)
        return held.doubt(verdict.cautions).assume(verdict.assumed), do
    except (Refused, Untold) as stop:
        stop.issues = held.issues
        raise


def _accepted(step: Step, question: Question, given: Given, pointer: str) -> Any:
    """An answer that is not an action, if it is one of those the question takes."""
    key, value = given
    need = question.answers.key
    if key != need and not _declines_reading(question, given):
        kinds = {"need": AnswerKind(need), "have": AnswerKind(key)}
        raise Refused(needs(False, NOT_THIS_FORM, *step.rules, pointer=pointer, **kinds))
    try:
        return question.answers.accept(value)
    except Impossible as error:
        raise Refused(needs(False, error.requirement, *step.rules, pointer=pointer, **error.params)) from None


def _declines_reading(question: Question, given: Given) -> bool:
    """Declining is said in one way everywhere: {"choose": "none"} is “none” for what is read, too."""
    return isinstance(question.answers, Read) and given == ("choose", "none")


# -- reading a saved agenda --------------------------------------------------------------------------


def read_agenda(frames: Iterable[Frame], procedures: Procedures) -> tuple[Frame, ...]:
    """The agenda of a position that was sent, each memory in its procedure's own form, by today's names."""
    read = []
    for number, frame in enumerate(frames):
        table = procedures.get(frame.procedure)
        if table is None:
            raise Unreadable("unknown-procedure", f"/agenda/{number}/procedure", given=frame.procedure)
        step = table.renamed.get(frame.step, frame.step)
        if step not in table.steps:
            raise Unreadable("unknown-step", f"/agenda/{number}/step", given=frame.step)
        kept = frame.answered
        if kept is not UNSET:
            kept = _read_kept(kept, f"/agenda/{number}/answered")
        read.append(Frame(frame.procedure, step, _read_memory(frame.memory, table, number), kept))
    return tuple(read)


def _read_kept(answered: dict[str, Any], pointer: str) -> dict[str, Any]:
    """An answer that was put aside, read as any other."""
    try:
        return dict(codec.read_inputs([answered], pointer))
    except Unreadable as error:
        error.pointer = error.pointer.replace(f"{pointer}/0", pointer, 1)
        raise


def _read_memory(noted: Any, table: Procedure, number: int) -> Memory:
    if isinstance(noted, dict) and table.renamed_fields:
        noted = {table.renamed_fields.get(field, field): value for field, value in noted.items()}
    read: Memory = codec.read({} if noted is UNSET else noted, table.memory, f"/agenda/{number}/memory")
    return read
