"""A game as the kernel sees it, and the one question everything is asked through: check."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from itertools import chain
from typing import Any, Literal

import msgspec
from msgspec import Struct

from engine import codec
from engine.actions import Action, Said
from engine.at import At, Event
from engine.catalogue import Catalogue, Ruleset, read_choices
from engine.exceptions import Refused, Unreadable, Untold
from engine.flow import (
    NOT_ASKED_FOR,
    Pending,
    Run,
    Taken,
    answered,
    begin,
    demanded,
    read_agenda,
    run,
    waiting,
)
from engine.messages import Message, requirement
from engine.naming import Names
from engine.saved import FORMAT
from engine.scenarios import Scenario
from engine.tables import Procedure, Step
from engine.verdict import (
    ILLEGAL,
    LEGAL,
    UNDETERMINED,
    Caution,
    Check,
    Verdict,
    evaluate,
    needs,
    once,
)

NOTHING_UNDER_WAY = requirement(
    "nothing-under-way",
    "There is nothing to continue: the position's agenda is empty. Send the action you want to check.",
    met="A procedure is under way.",
)
SOMETHING_UNDER_WAY = requirement(
    "something-under-way",
    "A procedure is under way and does not wait for this. Answer its question first, with the action “continue”.",
    met="The procedure under way waits for this.",
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
    audit: Callable[[Any], Iterable[Check]] = lambda _: ()  # what makes a position possible
    scenarios: tuple[Scenario, ...] = ()
    stock: Callable[[Any], dict[str, int]] = (
        lambda _: {}
    )  # what a position has to pay with, as far as it is told
    subjects: Callable[[str, Any], Said | None] = lambda _, __: (
        None
    )  # whom or what an action is about, in words
    aims: dict[str, Callable[[Any], Any]] = {}  # what a player may want more of: a number of the position
    groups: dict[str, Callable[[Any], bool]] = {}  # words for several answers at once, in a policy
    names: Names = Names()  # its values and facts in words
    action_types: Any = Continue  # the union of all action kinds, `continue` included
    action_by_type: dict[type, Action] = {}

    def __post_init__(self) -> None:
        for action in self.actions.values():
            msgspec.structs.force_setattr(self, "action_types", self.action_types | action.kind)
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
    taken: tuple[Taken, ...] = ()  # the questions that were answered, each with its answer
    begun: Any = None  # the position once the action is begun and paid for, before anything follows from it


def prepare(game: Game, position: Any, choices: Mapping[str, str], components: Any) -> At[Any]:
    """A request's position and components, read already or still plain values, under the rules in force."""
    if not isinstance(position, game.position):
        position = codec.read(position, game.position, "/position")
    if not isinstance(components, game.components):
        components = codec.read(components, game.components, "/components")
    position = msgspec.structs.replace(position, agenda=_agenda(game, position), format=FORMAT)
    chosen = read_choices(game.catalogue, dict(choices))
    return game.at(position, Ruleset(game.catalogue, chosen, components, game.procedures))


def _agenda(game: Game, position: Any) -> Any:
    if not position.agenda:
        return ()
    try:
        return read_agenda(position.agenda, game.procedures)
    except Unreadable as error:
        error.pointer = f"/position{error.pointer}"
        raise


def check(game: Game, at: At[Any], do: Any, inputs: Sequence[tuple[str, Any]] = ()) -> Answer:
    """May this be done here, why or why not, and what does it lead to?"""
    action = None if isinstance(do, Continue) else game.action_of(do)
    at = at.on(at.position)  # what is consulted from here on belongs to this answer
    verdict = evaluate(may(game, at, action, do))
    if verdict.ruling != LEGAL:
        return _stopped(at, verdict, refused="action" if verdict.reasons else None)
    return carried_out(game, at, do, verdict, inputs)


def carried_out(
    game: Game, at: At[Any], do: Any, verdict: Verdict, inputs: Sequence[tuple[str, Any]] = ()
) -> Answer:
    """What an action leads to that nothing refuses; its own beginning may still refuse it or need a fact."""
    action = None if isinstance(do, Continue) else game.action_of(do)
    try:
        started = begun(game, at, action, do)
        went = run(started, inputs, game.procedures, partial(read_action, game))
        if went.used < len(inputs):
            raise extra(game, action, went)
    except Refused as error:
        refused = Verdict(ILLEGAL, tuple(error.reasons), (), verdict.cautions, verdict.passed)
        if error.accepted is None:
            return _stopped(at, refused, error.issues, refused="action")
        return _stopped(at, refused, error.issues, error.pending, refused="answer", accepted=error.accepted)
    except Untold as error:
        facts = once(error.unknown.facts)
        open_yet = Verdict(UNDETERMINED, (), facts, verdict.cautions, verdict.passed)
        return _stopped(at, open_yet, error.issues)
    after: At[Any] = went.at
    if went.missing:
        verdict = msgspec.structs.replace(verdict, unknowns=went.missing)
    if after.cautions:
        verdict = msgspec.structs.replace(verdict, cautions=(*verdict.cautions, *after.cautions))
    return Answer(
        verdict,
        after.events,
        went.pending,
        after.position,
        read_by(after),
        accepted=len(inputs),
        taken=went.taken,
        begun=started.position,
    )


def _stopped(
    at: At[Any],
    verdict: Verdict,
    consulted: tuple[str, ...] = (),
    pending: Pending | None = None,
    *,
    refused: Literal["answer", "action"] | None = None,
    accepted: int = 0,
) -> Answer:
    """Nothing is done; where only an answer does not fit, its question is asked again."""
    return Answer(verdict, (), pending, at.position, read_by(at, consulted), refused, accepted)


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
    return chain(game.always(at), demands, action.may(at, do), [waits])


def begun(game: Game, at: At[Any], action: Action | None, do: Any) -> At[Any]:
    """The position once the action is carried out, as far as nothing is asked."""
    if action is None:
        return at
    if at.agenda and not action.any_time:
        return answered(at, waiting(at, game.procedures), do, game.procedures)
    return begin(at, action, do, game.procedures)


def read_action(game: Game, step: Step, given: Any) -> Any:
    """An action given as the answer to a decision, if the row takes it."""
    do = codec.read(given, game.action_types, "/inputs")
    if step.action_of(do) is None:
        raise Refused(needs(False, SOMETHING_UNDER_WAY, *step.rules, pointer="/inputs"))
    return do


def extra(game: Game, action: Action | None, went: Run) -> Refused:
    """An answer that nothing has asked for."""
    rule = game.sequence_rule if action is None else action.rule
    pointer, number = f"/inputs/{went.used}", went.used + 1
    refused = Refused(needs(False, NOT_ASKED_FOR, rule, pointer=pointer, number=number))
    refused.issues, refused.accepted = went.at.issues, went.used
    return refused
