"""The runner: it follows the rows of the procedures under way until somebody has to answer.

Where a procedure stands is part of the position: `agenda`, a stack of frames, outermost first.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import chain
from typing import Any

from msgspec import UNSET, Struct

from engine import codec, memory
from engine.actions import Action, written
from engine.at import AnAt, At
from engine.chance import Impossible
from engine.exceptions import Refused, Unreadable, Untold
from engine.memory import Frame, Memory
from engine.messages import requirement
from engine.offers import Demands, Offer, nothing_more, offers
from engine.questions import ACTIONS, Choose, Option, Question
from engine.tables import END, Call, End, Procedure, Step, Where
from engine.verdict import Fact, Unknown, demand, needs, once

# Between two answers, and far beyond any chart; a table that never ends must not hold a request.
MOST_STEPS = 2_000

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

Procedures = Mapping[str, Procedure]
Given = tuple[str, Any]  # an answer: its name and value
Reads = Callable[[Step, Any], Any]  # an action given as an answer, read


class Pending(Struct, frozen=True):
    """The question a procedure waits with."""

    step: Step
    name: str
    question: Question
    agenda: tuple[Frame, ...]  # the procedures under way when it is asked, outermost first


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
    taken: tuple[Taken, ...]
    missing: tuple[Fact, ...] = ()  # facts the next step needs before anything can be asked

    @property
    def used(self) -> int:
        """How many of the answers were asked for."""
        return len(self.taken)


# -- from row to row ---------------------------------------------------------------------------------


def go(at: AnAt, where: Where, procedures: Procedures) -> AnAt:
    """Follow a row's word: on, into another procedure, or out of this one."""
    if isinstance(where, Call):
        return _enter(at, where, procedures)
    if isinstance(where, End):
        return _leave(at, where.facts, procedures)
    return _leave(at, {}, procedures) if where == END else _turn_to(at, where)


def _enter(at: AnAt, where: Call, procedures: Procedures) -> AnAt:
    """Put a called procedure on the agenda."""
    table = procedures[where.procedure]
    frame = Frame(table.name, where.step or next(iter(table.steps)), table.memory(**where.facts))
    return at.change(agenda=(*at.agenda, frame))


def _turn_to(at: AnAt, where: str) -> AnAt:
    """Go to another row of the procedure under way."""
    *outer, top = at.agenda
    return at.change(agenda=(*outer, Frame(top.procedure, where, top.memory)))


def _leave(at: AnAt, facts: dict[str, Any], procedures: Procedures) -> AnAt:
    """Take the finished procedure off the agenda; its caller notes the result and goes on."""
    at = at.change(agenda=at.agenda[:-1])
    if not at.agenda:
        return at
    caller = at.agenda[-1]
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
    noted, went = _noted(at), at
    if step.do is None:
        went = step.notes(at, noted, answer) if step.notes else at
        return _on(_carried_out(went, step, answer), step, procedures)  # type: ignore[no-any-return]
    return _on(step.do(at, noted, answer), step, procedures)  # type: ignore[no-any-return]


def _carried_out(at: AnAt, step: Step, answer: Any) -> tuple[AnAt, Where | None]:
    """What a row without a function of its own does: the action it was answered with, or nothing."""
    action = step.action_of(answer)
    if action is not None:
        return action.begin(at, answer)
    return at, step.or_else.goes if step.or_else else None


def _on(went: Any, step: Step, procedures: Procedures) -> Any:
    """Where a row's function leads: as it says itself, else as the table says."""
    after, where = went if isinstance(went, tuple) else (went, None)
    if not after.agenda:  # the game is over, and nothing is under way any more
        return after
    if where is None:
        where = procedures[after.agenda[-1].procedure].after(step.name)
    return go(after, where, procedures)


# -- the run -----------------------------------------------------------------------------------------


def run(at: AnAt, inputs: Sequence[Given], procedures: Procedures, reads: Reads) -> Run:
    """Follow the agenda until it is empty or a question has no answer yet."""
    taken: list[Taken] = []
    steps = 0
    while steps < MOST_STEPS:
        steps += 1
        used = len(taken)
        if not at.agenda:
            return Run(at, None, tuple(taken))
        step = waiting(at, procedures)
        try:
            question = _question(at, step)
            if question is None:
                at = _by_itself(at, step, procedures)
                continue
        except Untold as stop:
            if 0 < used == len(inputs):  # what was answered so far counts; the fact can be told now
                return Run(at, None, tuple(taken), once(stop.unknown.facts))
            stop.issues = at.issues
            raise
        given = inputs[used] if used < len(inputs) else None
        try:
            found = _answer(at, step, question, given, used, reads)
            if found is None:
                return Run(at, _pending(at, step, question), tuple(taken))
            went, answer, took = found
            if took and given is not None:
                pending = _pending(at, step, question)
                taken.append(Taken(pending, given, _as_listed(at, step, question, given), len(at.events)))
                steps = 0
            at = answered(went, step, answer, procedures)
        except (Refused, Untold) as stop:
            stop.issues = (*at.issues, *stop.issues)
            if isinstance(stop, Refused) and given is not None:
                stop.accepted, stop.pending = used, _pending(at, step, question)
            raise
    raise RuntimeError(f"the procedure {at.agenda[-1].procedure} does not come to an end")


def _as_listed(at: At[Any], step: Step, question: Question, given: Given) -> Given:
    """An answer as the question lists it."""
    key, value = given
    do = (
        once_written(at, step, value) if key == question.answers.key and not isinstance(value, dict) else None
    )
    return given if do is None else (key, written(do))


def _pending(at: At[Any], step: Step, question: Question) -> Pending:
    """The question of a row, under the name of its procedure and its own."""
    return Pending(step, f"{at.agenda[-1].procedure}-{step.name}", question, at.agenda)


def waiting(at: At[Any], procedures: Procedures) -> Step:
    """The row the innermost procedure stands at."""
    top = at.agenda[-1]
    return procedures[top.procedure].steps[top.step]


def _by_itself(at: AnAt, step: Step, procedures: Procedures) -> AnAt:
    """What happens without anybody."""
    went: AnAt = _on(step.do(at, _noted(at)), step, procedures)  # type: ignore[misc]
    return went


def question_under_way(at: At[Any]) -> Question | None:
    """What the innermost procedure waits with; None where nothing is under way or nobody is asked."""
    return _question(at, waiting(at, at.rules.procedures)) if at.agenda else None


def _question(at: At[Any], step: Step) -> Question | None:
    """What a row asks; one that takes actions offers what may be done and what may be said instead."""
    if step.asks is None:
        return None
    question = step.asks(at, _noted(at))
    if question.answers is not ACTIONS:
        return question
    offered: Iterable[Option] = offers(at, step.takes, demanded(at, step))
    if step.or_else and may_decline(at, step):
        other = [step.or_else.option]
        offered = chain(other, offered) if step.or_else.declines else chain(offered, other)
    return Question(question.message, Choose(offered), question.params)


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
    return memory.read(at.agenda, len(at.agenda) - 1, Memory)


# -- an answer ---------------------------------------------------------------------------------------


def _answer(
    at: AnAt, step: Step, question: Question, given: Given | None, number: int, reads: Reads
) -> tuple[AnAt, Any, bool] | None:
    """The answer to a question, and whether it was the one given; None where somebody has to answer."""
    fits = given is not None and given[0] == question.answers.key
    acts = fits and step.takes and _is_action(at, step, given[1])  # type: ignore[index]
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


def _settled(at: AnAt, option: Any, value: Any, step: Step, reads: Reads) -> tuple[AnAt, Any]:
    """The only answer there is; an action is held to its checks like any other."""
    if isinstance(option, Offer):
        return _held(at, step, option.do, option.missing)
    if step.takes and isinstance(value, dict):
        return _held(at, step, reads(step, value))
    return at, value


def _is_action(at: At[Any], step: Step, value: Any) -> bool:
    return isinstance(value, dict) or once_written(at, step, value) is not None


def once_written(at: At[Any], step: Step, value: Any) -> Any:
    """The action that an answer of a saved game means; None where it means none."""
    return None if step.reads is None else step.reads(at, _noted(at), value)


def _acted(at: AnAt, step: Step, value: Any, number: int, reads: Reads) -> tuple[AnAt, Any]:
    """An action given as the answer; what cannot be read of it is named with its place among the inputs."""
    if not isinstance(value, dict):
        return _held(at, step, once_written(at, step, value))
    open_yet = _offered_open(at, step, value)
    if open_yet is not None:
        raise Untold(Unknown(*open_yet.missing))
    try:
        return _held(at, step, reads(step, value))
    except Unreadable as error:
        error.pointer = error.pointer.replace("/inputs", f"/inputs/{number}/choose", 1)
        raise


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
    held = at.on(at.position)  # if it is refused and not needed, nothing of it is left
    try:
        checks = chain(demanded(held, step)(held, do), action.may(held, do))
        return held.doubt(demand(checks).cautions), do
    except (Refused, Untold) as stop:
        stop.issues = held.issues
        raise


def _accepted(step: Step, question: Question, given: Given, pointer: str) -> Any:
    """An answer that is not an action, if it is one of those the question takes."""
    key, value = given
    need = question.answers.key
    if key != need:
        raise Refused(needs(False, NOT_THIS_FORM, *step.rules, pointer=pointer, need=need, have=key))
    try:
        return question.answers.accept(value)
    except Impossible as error:
        raise Refused(needs(False, error.requirement, *step.rules, pointer=pointer, **error.params)) from None


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
        read.append(Frame(frame.procedure, step, _read_memory(frame.memory, table, number)))
    return tuple(read)


def _read_memory(noted: Any, table: Procedure, number: int) -> Memory:
    if isinstance(noted, dict) and table.renamed_fields:
        noted = {table.renamed_fields.get(field, field): value for field, value in noted.items()}
    read: Memory = codec.read({} if noted is UNSET else noted, table.memory, f"/agenda/{number}/memory")
    return read
