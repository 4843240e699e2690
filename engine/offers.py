"""What may be done here: each way of each action, weighed as far as somebody looks.

Legal ways are offered one by one. Ways that may yet be legal become one offer of their kind, with the facts that
are missing. Illegal ways are not offered; `closed` says why, when somebody asks.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from msgspec import Struct

from engine.actions import Action, Said, is_whole, say, written
from engine.at import At
from engine.exceptions import Untold
from engine.messages import message
from engine.questions import Option
from engine.verdict import Check, Fact, Unknown, certain, evaluate, once, refuted, weigh

OPEN = message("offer-open", "%(action)s: whether this is allowed depends on what was not told.")


class Offer(Option, frozen=True, kw_only=True):
    """An action as an answer; where facts are missing it stands for all ways that may yet be legal."""

    action: Action
    do: Any  # None where it stands for several
    missing: tuple[Fact, ...] = ()


def offers(at: At[Any], takes: Iterable[Action]) -> Iterator[Offer]:
    """What may be done, kind by kind; looking leaves no trace in what is done."""
    apart = at.apart()
    for action in takes:
        yield from _of_kind(apart, action)


def _of_kind(at: At[Any], action: Action) -> Iterator[Offer]:
    undecided: list[tuple[Any, Unknown]] = []
    try:
        for do in ways(at, action):
            truth = weigh(action.may(at, do))
            if certain(truth):
                yield _offer(at, action, do)
            elif not refuted(truth):
                undecided.append((do, truth))  # type: ignore[arg-type]
    except Untold as stop:
        undecided.append((None, stop.unknown))
    if undecided:
        yield _open(at, action, undecided)


def ways(at: At[Any], action: Action) -> Iterator[Any]:
    """Each way worth weighing: those of every subject that is not refused by itself."""
    if action.ways is None:
        raise TypeError(f"the action {action.name} does not say its ways")
    for subject in action.subjects(at):
        if not refuted(weigh(action.may_at_all(at, subject))):
            yield from action.ways(at, subject)


def _offer(at: At[Any], action: Action, do: Any, missing: tuple[Fact, ...] = ()) -> Offer:
    said = worded(at, action, do)
    return Offer(written(do), said.message, said.params, action=action, do=do, missing=missing)


def worded(at: At[Any], action: Action, do: Any) -> Said:
    """How an action reads as an answer."""
    return say(action.says) if action.offer is None else action.offer(at, do)


def _open(at: At[Any], action: Action, undecided: list[tuple[Any, Unknown]]) -> Offer:
    facts = once(fact for _, unknown in undecided for fact in unknown.facts)
    only = undecided[0][0] if len(undecided) == 1 else None
    if only is not None:
        return _offer(at, action, only, facts)
    shown: dict[str, Any] = {"action": action.term}
    do = action.kind() if is_whole(action) else None
    return Offer({"kind": action.name}, OPEN, shown, action=action, do=do, missing=facts)


class Closed(Struct, frozen=True):
    """A subject that may not at all, with all reasons."""

    action: Action
    subject: Any
    reasons: tuple[Check, ...]


class Shut(Struct, frozen=True):
    """What may not be done: who may not at all, and how many ways of the others are refused one by one."""

    subjects: tuple[Closed, ...]
    ways: int


def closed(at: At[Any], takes: Iterable[Action]) -> Shut:
    """What is not offered, and why."""
    apart = at.apart()
    subjects: list[Closed] = []
    count = 0
    for action in takes:
        try:
            for subject in action.subjects(apart):
                barred = evaluate(action.may_at_all(apart, subject)).reasons
                if barred:
                    subjects.append(Closed(action, subject, barred))
                    continue
                refused = [do for do in action.ways(apart, subject) if refuted(weigh(action.may(apart, do)))]  # type: ignore[misc]
                count += len(refused)
        except Untold:  # whom it concerns was not told: nothing is refused yet
            continue
    return Shut(tuple(subjects), count)
