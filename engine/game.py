"""A game as the kernel sees it, and the one question everything is asked through: check."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from itertools import chain
from typing import Any, Literal

from msgspec import Struct, structs

from engine import codec
from engine.actions import Action, Said
from engine.at import At, Event
from engine.catalogue import Catalogue, Ruleset, read_choices
from engine.costs import cheapest_first
from engine.exceptions import Refused, Unreadable, Untold
from engine.flow import (
    NO_INPUTS,
    NOT_ASKED_FOR,
    Inputs,
    Pending,
    Run,
    Taken,
    answered,
    asking,
    begin,
    demanded,
    read_agenda,
    run,
    waiting,
)
from engine.messages import Message, Ref, requirement
from engine.naming import Names
from engine.saved import FORMAT
from engine.scenarios import Scenario
from engine.sources import Source
from engine.tables import Procedure, Step
from engine.telling import Given, all_told, put_off, told_action, told_by_input, told_elsewhere
from engine.verdict import (
    ILLEGAL,
    LEGAL,
    UNDETERMINED,
    Caution,
    Check,
    Verdict,
    evaluate,
    joined,
    later_last,
    needs,
    once,
)

NOTHING_UNDER_WAY = requirement(
    "nothing-under-way",
    "Nothing is under way that could be continued. Choose what you want to do.",
    met="Something is under way.",
)
SOMETHING_UNDER_WAY = requirement(
    "something-under-way",
    "Another step is not finished yet. Answer its open question first.",
    met="What is under way waits for this.",
)


class Continue(Struct, frozen=True, forbid_unknown_fields=True, tag_field="kind", tag="continue"):
    """Go on with the procedure under way."""


class Game(Struct, frozen=True):
    """Everything the kernel and the service know of a game."""

    name: str
    title: Message
    catalogue: Catalogue
    position: type[Struct]
    at: type[At[Any]]
    components: type[Struct]
    actions: dict[str, Action]
    procedures: dict[str, Procedure]
    sequence_rule: str
    always: Callable[[Any], Iterable[Check]] = lambda _: ()  # what everything needs, `continue` too
    audit: Callable[[Any], Iterable[Check | Caution]] = lambda _: ()  # what makes a position possible
    scenarios: tuple[Scenario, ...] = ()
    stock: Callable[[Any], dict[str, int]] = (
        lambda _: {}
    )  # what a position has to pay with, as far as it is told
    subjects: Callable[[str | tuple[str, ...], Any], Said | None] = lambda _, __: (
        None
    )  # whom or what an action is about, in words, by the parameters that name it
    aims: dict[str, Callable[[Any], Any]] = {}  # what a player may want more of: a number of the position
    meanwhile: tuple[
        Action, ...
    ] = ()  # what may be done before a question is answered, and is offered beside it
    groups: dict[str, Callable[[Any], bool]] = {}  # words for several answers at once, in a policy
    names: Names = Names()  # its values and facts in words
    places: tuple[Ref, ...] = ()  # what answers print by a name where requests have an id
    sources: tuple[Source, ...] = ()  # the documents it rests on
    listed: int = 99  # where it stands among the games
    assumes: tuple[str, ...] = ()  # pointers of the facts that an occasion may take for granted
    opens: str = ""  # the action kind that opens the next part of the sequence of play
    chapters: dict[str, Message] = {}  # the events that open a part of a session's report, and its heading
    standing: Callable[[Any], Iterable[tuple[Ref, Any]]] = (
        lambda _: ()
    )  # what a player looks at between two parts: names and numbers
    over: Callable[[Any], Said | None] = lambda _: None  # how a game that is over has ended
    action_types: Any = Continue  # the union of all action kinds, `continue` included
    action_by_type: dict[type, Action] = {}

    def __post_init__(self) -> None:
        for action in self.actions.values():
            structs.force_setattr(self, "action_types", self.action_types | action.kind)
            self.action_by_type[action.kind] = action

    def action_of(self, do: Struct) -> Action:
        """The action kind of an action."""
        return self.action_by_type[type(do)]


class Answer(Struct, frozen=True):
    """What a check found: the verdict, what happened, what is asked next and the position after it."""

    verdict: Verdict
    events: tuple[Event, ...]
    pending: Pending | None
    position: Any
    issues: Mapping[str, str]
    refused: Literal["answer", "action"] | None = None
    accepted: int = 0  # how many inputs were good
    table: Any = None  # the position that was asked about, with everything that was told
    taken: tuple[Taken, ...] = ()  # the questions that were answered, each with its answer
    told: dict[str, Any] = {}  # of the components and the readings, which no position keeps
    begun: Any = None  # the position once the action is begun and paid for, before anything follows from it


def prepare(
    game: Game, position: Any, choices: Mapping[str, str], components: Any, *, assume: bool = True
) -> At[Any]:
    """A request's position and components, read already or still plain values, under the rules in force.

    Who does not want to `assume` is asked whether now is the time for what he does.
    """
    if not isinstance(position, game.position):
        position = codec.read(position, game.position, "/position")
    if not isinstance(components, game.components):
        components = codec.read(components, game.components, "/components")
    position = structs.replace(position, agenda=_agenda(game, position), format=FORMAT)
    chosen = read_choices(game.catalogue, dict(choices))
    assumes = game.assumes if assume else ()
    rules = Ruleset(game.catalogue, chosen, components, game.procedures, game.meanwhile, assumes)
    return game.at(position, rules)


def _agenda(game: Game, position: Any) -> Any:
    if not position.agenda:
        return ()
    try:
        return read_agenda(position.agenda, game.procedures)
    except Unreadable as error:
        error.pointer = f"/position{error.pointer}"
        raise


def check(game: Game, at: At[Any], do: Any, inputs: Sequence[Given] = ()) -> Answer:
    """May this be done here, why or why not, and what does it lead to?"""
    goes_on = isinstance(do, Continue)
    asked = Inputs(inputs, partial(told_by_input, game), goes_on=goes_on) if inputs or goes_on else NO_INPUTS
    here = at.again()  # what is consulted from here on belongs to this answer
    if not asked.to_tell:
        return _checked(game, here, do, asked, at.position)
    do, table = told_action(game, do, inputs), all_told(game, at, inputs)
    found = asking_later(_checked(game, here, do, asked, table), put_off(inputs))
    return structs.replace(found, told=told_elsewhere(inputs))


def asking_later(found: Answer, later: Sequence[str]) -> Answer:
    """The same answer; a fact that will be told later is asked for last."""
    unknowns = found.verdict.unknowns
    if not later or not unknowns:
        return found
    asked, pending = tuple(later_last(unknowns, later)), found.pending
    if pending is not None and pending.fact is not None:
        pending = asking(pending, asked[0])
    return structs.replace(found, verdict=structs.replace(found.verdict, unknowns=asked), pending=pending)


def _checked(game: Game, at: At[Any], do: Any, asked: Inputs, table: Any) -> Answer:
    """The ruling on an action and what it leads to; `table` is the position with everything that is told."""
    at, verdict = ruled(game, at, do, asked)
    if verdict.ruling != LEGAL:
        verdict = structs.replace(verdict, unknowns=cheapest_first(at, verdict.unknowns))
        return _stopped(at, table, verdict, refused="action" if verdict.reasons else None)
    return carried_out(game, at, do, verdict, asked, table)


def ruled(game: Game, at: At[Any], do: Any, asked: Inputs) -> tuple[At[Any], Verdict]:
    """Whether an action may be done now; where a fact leaves that open, it may be told after the answers, too."""
    if asked.to_tell:
        at = asked.tell_due(at)
    action = action_of(game, do)
    verdict = evaluate(may(game, at, action, do))
    while verdict.ruling == UNDETERMINED and asked.to_tell:
        at = asked.tell(at)
        verdict = evaluate(may(game, at, action, do))
    return at, verdict


def carried_out(
    game: Game, at: At[Any], do: Any, verdict: Verdict, asked: Inputs = NO_INPUTS, table: Any = None
) -> Answer:
    """What an action leads to that nothing refuses; its own beginning may still refuse it or need a fact.

    `table` is the position that was asked about, with everything that is told.
    """
    action = action_of(game, do)
    table = at.position if table is None else table
    try:
        started = set_out(game, at, action, do, asked)
        went = run(started, asked, game.procedures, partial(read_action, game))
        if went.used < asked.count:
            raise extra(game, action, went)
    except Refused as error:
        refused = structs.replace(verdict, ruling=ILLEGAL, reasons=tuple(error.reasons))
        if error.accepted is None:
            return _stopped(at, table, refused, error.issues, refused="action")
        return _stopped(
            at, table, refused, error.issues, error.pending, refused="answer", accepted=error.accepted
        )
    except Untold as error:
        open_yet = structs.replace(
            verdict, ruling=UNDETERMINED, unknowns=cheapest_first(at, once(error.unknown.facts))
        )
        return _stopped(at, table, open_yet, error.issues, error.pending, accepted=error.accepted)
    after: At[Any] = went.at
    if went.missing:
        verdict = structs.replace(verdict, unknowns=went.missing)
    if after.assumed:
        verdict = structs.replace(verdict, assumed=joined(verdict.assumed, after.assumed))
    if after.cautions:
        verdict = structs.replace(verdict, cautions=(*verdict.cautions, *after.cautions))
    return Answer(
        verdict,
        after.events,
        went.pending,
        after.position,
        read_by(after),
        accepted=asked.count,
        table=table,
        taken=went.taken,
        begun=started.position,
    )


def action_of(game: Game, do: Any) -> Action | None:
    """The action kind of an action; None where the procedure under way goes on."""
    return game.action_by_type.get(type(do))


def _stopped(
    at: At[Any],
    table: Any,
    verdict: Verdict,
    consulted: tuple[str, ...] = (),
    pending: Pending | None = None,
    *,
    refused: Literal["answer", "action"] | None = None,
    accepted: int = 0,
) -> Answer:
    """Nothing is done; where only an answer does not fit, or a fact is missing for it, that is asked."""
    issues = read_by(at, consulted)
    return Answer(verdict, (), pending, table, issues, refused, accepted, table)


def read_by(at: At[Any], consulted: tuple[str, ...] = ()) -> dict[str, str]:
    """The issues that were consulted on the way here, and how each was read."""
    return {issue: at.rules.reading(issue) for issue in (*at.issues, *consulted)}


def may(game: Game, at: At[Any], action: Action | None, do: Any) -> Iterable[Check | Caution]:
    """Everything that decides whether an action may be done now."""
    if action is None:
        under_way = needs(bool(at.agenda), NOTHING_UNDER_WAY, game.sequence_rule, pointer="/agenda")
        return chain(game.always(at), [under_way])
    if not at.agenda or action.any_time:
        return chain(game.always(at), action.may(at, do))
    step = waiting(at, game.procedures)
    taken = step.action_of(do) is not None
    waits = needs(taken, SOMETHING_UNDER_WAY, game.sequence_rule, pointer="/agenda")
    demands = demanded(at, step)(at, do) if taken else ()
    return chain(game.always(at), [waits], demands, action.may(at, do))


def set_out(game: Game, at: At[Any], action: Action | None, do: Any, asked: Inputs) -> At[Any]:
    """The position once the action is begun; a fact that it needs may be told after the answers."""
    while True:
        try:
            return begun(game, at, action, do)
        except Untold:
            if not asked.to_tell:
                raise
            at = asked.tell(at)


def begun(game: Game, at: At[Any], action: Action | None, do: Any) -> At[Any]:
    """The position once the action is carried out, as far as nothing is asked."""
    if action is None:
        return at
    if at.agenda and not action.any_time:
        return answered(at, waiting(at, game.procedures), do, game.procedures)
    return begin(at, action, do, game.procedures)


def read_action(game: Game, step: Step, given: Any) -> Any:
    """An action given as the answer to a decision, if the row takes it."""
    do = read_do(game, given, "/inputs")
    if step.action_of(do) is None:
        raise Refused(needs(False, SOMETHING_UNDER_WAY, *step.rules, pointer="/inputs"))
    return do


def read_do(game: Game, given: dict[str, Any], pointer: str) -> Any:
    """An action as a request writes it; by its own kind, as a union of all kinds is taken apart anew every time."""
    kind = given.get("kind")
    action = game.actions.get(kind) if isinstance(kind, str) else None
    return codec.read(given, game.action_types if action is None else action.kind, pointer)


def extra(game: Game, action: Action | None, went: Run) -> Refused:
    """An answer that nothing has asked for."""
    rule = game.sequence_rule if action is None else action.rule
    pointer, number = f"/inputs/{went.used}", went.used + 1
    refused = Refused(needs(False, NOT_ASKED_FOR, rule, pointer=pointer, number=number))
    refused.issues, refused.accepted = went.at.issues, went.used
    return refused
