"""What may be done here: every action kind with each way of doing it and what that costs, or the reason why not.

Each way is weighed by the checks that decide about it in `check`; what none refuses is carried out as far as `check`
carries it out, so that it is listed with the ruling that `check` gives. Inside a procedure only what the waiting row takes is looked at, and what may be
done at any time.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain, islice
from typing import Any

from msgspec import Struct, field, structs

from engine.actions import Action, Said, written
from engine.at import At
from engine.exceptions import Untold
from engine.flow import demanded, waiting
from engine.game import SOMETHING_UNDER_WAY, Game, carried_out, check, may
from engine.messages import message
from engine.offers import Closed, Demands, against_all, nothing_more, weigh_way, worded
from engine.verdict import (
    ILLEGAL,
    LEGAL,
    UNDETERMINED,
    Caution,
    Check,
    Fact,
    Truth,
    Unknown,
    Verdict,
    certain,
    evaluate,
    joined,
    needs,
    once,
    refuted,
    warns,
)

MOST_LISTED = 200  # actions of a kind, and facts that are missing for others
MOST_WEIGHED = 600  # ways of a kind; no real table has as many
ALLOWED = Verdict(LEGAL)

NO_WAY = message("no-way-to-do-it", "There is nothing here that it could be done with.")


class Way(Struct, frozen=True):
    """An action that may be done, as far as it can be said; what else it needs is asked for."""

    action: dict[str, Any]
    said: Said | None
    cost: dict[str, int]
    asks: tuple[Fact, ...] = ()


class Options(Struct, frozen=True):
    """What may be done of one kind."""

    action: Action
    ruling: str
    ways: tuple[Way, ...] = ()
    reasons: tuple[Check | Caution, ...] = ()  # why nothing may be done
    unknowns: tuple[Fact, ...] = ()  # what decides about further ways
    asks: tuple[Fact, ...] = ()  # what has to be said of the action itself, and cannot be listed
    assumed: tuple[Check, ...] = ()  # what the listed ways take for granted
    closed: tuple[Closed, ...] = ()
    closed_ways: int = 0
    left_out: int = 0
    complete: bool = True


class _Found(Struct):
    """What was found of one kind so far."""

    ways: list[Way] = field(default_factory=list)
    missing: list[Fact] = field(default_factory=list)
    closed: list[Closed] = field(default_factory=list)
    subjects: int = 0
    refused: Any = None  # the first way that is refused by itself
    closed_ways: int = 0
    weighed: int = 0
    left_out: int = 0
    assumed: tuple[Check, ...] = ()


class _Here(Struct, frozen=True):
    """Where the question is asked."""

    game: Game
    at: Any
    stock: dict[str, int]


def options(game: Game, at: At[Any], kinds: Iterable[str] = ()) -> Iterator[Options]:
    """Every action kind of the game, or those named, with what may be done of it; looking leaves no trace."""
    here = _Here(game, at.apart(), game.stock(at.position))
    goes_on = evaluate(game.always(here.at))
    for name in kinds or game.actions:
        action = game.actions[name]
        barred = goes_on.reasons or _not_taken(here, action)
        found = Options(action, ILLEGAL, reasons=barred) if barred else _of_kind(here, action)
        yield _held_back(found, goes_on.unknowns) if goes_on.unknowns else found


def _held_back(found: Options, facts: tuple[Fact, ...]) -> Options:
    """What may be done once it is told that the game goes on."""
    if found.ruling == ILLEGAL:
        return found
    unknowns = once((*facts, *found.unknowns))[:MOST_LISTED]
    return structs.replace(found, ruling=UNDETERMINED, ways=(), unknowns=unknowns, complete=False)


def _not_taken(here: _Here, action: Action) -> tuple[Check, ...]:
    """Why an action must wait until the procedure under way is done with."""
    if not here.at.agenda or action.any_time or _in_row(here, action):
        return ()
    return (needs(False, SOMETHING_UNDER_WAY, here.game.sequence_rule, pointer="/agenda"),)


def _in_row(here: _Here, action: Action) -> Action | None:
    """The action as the row under way takes it: it may be worded otherwise there."""
    takes = waiting(here.at, here.game.procedures).takes if here.at.agenda else ()
    return next((one for one in takes if one.kind is action.kind), None)


def _demands(here: _Here, action: Action) -> Demands:
    if not here.at.agenda or action.any_time:
        return nothing_more
    return demanded(here.at, waiting(here.at, here.game.procedures))


def _of_kind(here: _Here, action: Action) -> Options:
    found = _Found()
    try:
        for subject in action.subjects(here.at):
            found.subjects += 1
            _look_at_subject(here, action, subject, found)
    except Untold as stop:
        found.missing.extend(stop.unknown.facts)
    return _summed_up(here, action, found)


def _look_at_subject(here: _Here, action: Action, subject: Any, found: _Found) -> None:
    able = evaluate(action.may_at_all(here.at, subject))
    if able.reasons:
        found.closed.append(Closed(action, subject, able.reasons))
    elif action.ways is None:
        found.assumed = joined(found.assumed, able.assumed)
        found.missing.extend(able.unknowns)
        found.ways.append(Way({"kind": action.name}, None, {}, _asked(action)))
    else:
        truth: Truth = Unknown(*able.unknowns) if able.unknowns else True
        _look_at_ways(here, action, subject, truth, found)


def _look_at_ways(here: _Here, action: Action, subject: Any, able: Truth, found: _Found) -> None:
    """Each way of a subject; one whose ways are all refused is closed itself."""
    demands, each = _demands(here, action), action.variants or action.ways
    refused, before = [], found.weighed
    try:
        for do in islice(each(here.at, subject), MOST_WEIGHED - before):  # type: ignore[misc]
            found.weighed += 1
            truth = weigh_way(here.at, action, do, able, demands)
            if refuted(truth):
                refused.append(do)
            elif certain(truth):
                _list(here, action, do, found)
            else:
                _leave_open(here, action, do, truth.facts, found)  # type: ignore[union-attr]
    except Untold as stop:
        found.missing.extend(stop.unknown.facts)
    barred = len(refused) == found.weighed - before
    if barred and action.instead:
        asked = Fact(f"/action/{action.instead}", action.asks[action.instead], {})
        found.ways.append(Way({"kind": action.name}, None, {}, (asked,)))
    reasons = against_all(refused, lambda do: _against(here, action, do)) if barred else ()
    if reasons:
        found.closed.append(Closed(action, subject, reasons))
        return
    found.closed_ways += len(refused)
    if refused and found.refused is None:
        found.refused = refused[0]


def _against(here: _Here, action: Action, do: Any) -> tuple[Check, ...]:
    """All reasons against an action, as `check` gives them."""
    return evaluate(may(here.game, here.at, action, do)).reasons


def _list(here: _Here, action: Action, do: Any, found: _Found) -> None:
    """What nothing refuses, with what beginning it costs; what follows at once may still refuse it or ask."""
    if len(found.ways) >= MOST_LISTED:
        found.left_out += 1
        return
    answer = carried_out(here.game, here.at, do, ALLOWED)
    if answer.verdict.ruling == LEGAL:
        if not found.ways:  # whether now is the time for it is the same for all ways
            found.assumed = evaluate(may(here.game, here.at, action, do)).assumed
        found.ways.append(Way(written(do), _said(here, action, do), _cost(here, answer.begun)))
    elif answer.verdict.ruling == UNDETERMINED:
        _leave_open(here, action, do, answer.verdict.unknowns, found)
    else:
        found.closed_ways += 1
        found.refused = found.refused or do


def _leave_open(here: _Here, action: Action, do: Any, facts: tuple[Fact, ...], found: _Found) -> None:
    """What hangs on facts of the table is open; what only has to be said of the action is asked for."""
    table = [fact for fact in facts if not fact.pointer.startswith("/action/")]
    found.missing.extend(table)
    if not table and len(found.ways) < MOST_LISTED:
        found.ways.append(Way(written(do), _said(here, action, do), {}, once(facts)))
    elif not table:
        found.left_out += 1


def _said(here: _Here, action: Action, do: Any) -> Said:
    return worded(here.at, _in_row(here, action) or action, do)


def _cost(here: _Here, begun: Any) -> dict[str, int]:
    """What there is less of once the action is begun."""
    left = here.game.stock(begun)
    return {name: had - left.get(name, had) for name, had in here.stock.items() if left.get(name, had) < had}


def _asked(action: Action) -> tuple[Fact, ...]:
    return tuple(Fact(f"/action/{name}", question, {}) for name, question in action.asks.items())


def _summed_up(here: _Here, action: Action, found: _Found) -> Options:
    unknowns = once(found.missing)[:MOST_LISTED]
    asks = once(chain(_asked(action), *(way.asks for way in found.ways)))
    ruling = LEGAL if found.ways else UNDETERMINED if unknowns else ILLEGAL
    if action.ways is None and unknowns:
        ruling = UNDETERMINED
    return Options(
        action,
        ruling,
        tuple(found.ways),
        _why_not(here, action, found) if ruling == ILLEGAL else (),
        unknowns,
        asks,
        found.assumed,
        tuple(found.closed),
        found.closed_ways,
        found.left_out,
        complete=not (unknowns or asks or found.left_out or found.weighed >= MOST_WEIGHED),
    )


def _why_not(here: _Here, action: Action, found: _Found) -> tuple[Check | Caution, ...]:
    """What speaks against all of it: what bars every subject, else the first; or the first way that is refused."""
    if found.closed and not found.closed_ways:
        first, *others = (closed.reasons for closed in found.closed)
        common = [
            one
            for one in first
            if all(one.requirement in [its.requirement for its in every] for every in others)
        ]
        return tuple(common) or first
    if found.refused is not None:
        return check(here.game, here.at, found.refused).verdict.reasons
    nobody = action.if_nobody if not found.subjects else None
    return (warns(nobody or NO_WAY, action.rule),)
