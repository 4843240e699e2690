"""What may be done here: each way of each action, weighed as far as somebody looks.

Legal ways are offered one by one. Ways that may yet be legal become one offer of their kind, with the facts that
are missing. Illegal ways are not offered; `closed` says why, when somebody asks.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from itertools import chain
from typing import Any

from msgspec import Struct

from engine import codec
from engine.actions import Action, Said, is_whole, say
from engine.at import At
from engine.exceptions import Untold
from engine.messages import message
from engine.questions import Choose, Option, one_that_says
from engine.verdict import (
    Caution,
    Check,
    Fact,
    Truth,
    Unknown,
    certain,
    evaluate,
    every,
    once,
    refuted,
    weigh,
)

OPEN = message(
    "offer-open", "%(action)s: something is not known, so it cannot be said whether this is allowed."
)


class Offer(Option, frozen=True, kw_only=True):
    """An action as an answer; where facts are missing it stands for all ways that may yet be legal."""

    action: Action
    do: Any  # None where it stands for several
    missing: tuple[Fact, ...] = ()


Demands = Callable[[Any, Any], Iterable[Check | Caution]]  # of an action, where it is taken


def nothing_more(_: Any, __: Any) -> Iterable[Check | Caution]:
    """No demand besides an action's own."""
    return ()


def offers(at: At[Any], takes: Iterable[Action], demands: Demands = nothing_more) -> Iterator[Offer]:
    """What may be done, kind by kind; looking leaves no trace in what is done."""
    apart = at.apart()
    for action in takes:
        yield from _of_kind(apart, action, demands)


class Offered(Choose):
    """What may be done, and the `other` thing that may be said instead, before or behind it."""

    __slots__ = ("_at", "_demands", "_other", "_takes")

    def __init__(
        self,
        at: At[Any],
        takes: tuple[Action, ...],
        demands: Demands = nothing_more,
        other: Option | None = None,
        *,
        other_first: bool = False,
    ) -> None:
        self._at, self._takes, self._demands = at, takes, demands
        self._other = other
        # None of it knows of this list: no circle to be collected.
        told: Iterator[Option] = offers(at, takes, demands)
        if other is not None:
            told = chain((other,), told) if other_first else chain(told, (other,))
        super().__init__(told)

    def listed(self, value: Any) -> Option | None:
        """The option that says this; an action is worded without weighing what else may be done."""
        if self._other is not None and value == self._other.value:
            return self._other
        if not isinstance(value, dict):
            with_words = [action for action in self._takes if action.word is not None]
            return one_that_says(offers(self._at, with_words, self._demands), value)
        action = next((one for one in self._takes if one.name == value.get("kind")), None)
        if action is None:
            return None
        if value.keys() == {"kind"} and not is_whole(action):  # it stands for several
            return one_that_says(offers(self._at, (action,), self._demands), value)
        apart, do = self._at.apart(), codec.read(value, action.kind, "")
        return _offer(apart, action, do) if is_way(apart, action, do) else None


def _of_kind(at: At[Any], action: Action, demands: Demands) -> Iterator[Offer]:
    undecided: list[tuple[Any, Unknown]] = []
    try:
        for do, truth in weighed(at, action, demands):
            if certain(truth):
                yield _offer(at, action, do)
            elif not refuted(truth):
                undecided.append((do, truth))  # type: ignore[arg-type]
    except Untold as stop:
        undecided.append((None, stop.unknown))
    if action.word is not None:  # each has a word of its own
        yield from (_offer(at, action, do, unknown.facts) for do, unknown in undecided if do is not None)
    elif undecided:
        yield _open(at, action, undecided)


def weighed(at: At[Any], action: Action, demands: Demands = nothing_more) -> Iterator[tuple[Any, Truth]]:
    """Each way of every subject that is not refused by itself, and whether it may be done."""
    if action.ways is None:
        raise TypeError(f"the action {action.name} does not say its ways")
    for subject in action.subjects(at):
        able = weigh(action.may_at_all(at, subject))
        if refuted(able):
            continue
        for do in action.ways(at, subject):
            yield do, weigh_way(at, action, do, able, demands)


def is_way(at: At[Any], action: Action, do: Any) -> bool:
    """Is this, which may be done, one of the ways that are offered? It may leave something out, or say more."""
    if action.ways is None:
        return False
    with suppress(Untold):  # ways that nobody can list are not offered one by one
        subjects = [subject for subject in action.subjects(at) if _is_about(action, subject, do)]
        return any(do == one for subject in subjects for one in action.ways(at, subject))
    return False


def _is_about(action: Action, subject: Any, do: Any) -> bool:
    return all(getattr(do, name) == value for name, value in action.about(subject).items())


def weigh_way(at: At[Any], action: Action, do: Any, able: Truth, demands: Demands) -> Truth:
    """May this be done, by a subject of which it is known already whether it may at all?"""
    if action.may_so is None:
        return weigh(chain(demands(at, do), action.may(at, do)))
    return every((able, weigh(chain(demands(at, do), action.may_so(at, do)))))


def _offer(at: At[Any], action: Action, do: Any, missing: tuple[Fact, ...] = ()) -> Offer:
    said = worded(at, action, do)
    return Offer(action.answered_by(do), said.message, said.params, action=action, do=do, missing=missing)


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


def closed(at: At[Any], takes: Iterable[Action], demands: Demands = nothing_more) -> Shut:
    """What is not offered, and why; whom it concerns must be told before anything can be closed to him."""
    apart = at.apart()
    subjects: list[Closed] = []
    count = 0
    for action in takes:
        with suppress(Untold):
            for subject in action.subjects(apart):
                barred, refused = _refused(apart, action, subject, demands)
                subjects += [Closed(action, subject, barred)] if barred else []
                count += refused
    return Shut(tuple(subjects), count)


def _refused(at: At[Any], action: Action, subject: Any, demands: Demands) -> tuple[tuple[Check, ...], int]:
    """All reasons against a subject that may not at all; else how many of its ways are refused."""
    able = evaluate(action.may_at_all(at, subject))
    if able.reasons or action.ways is None:
        return able.reasons, 0
    found = list(action.ways(at, subject))
    truth: Truth = True if not able.unknowns else Unknown(*able.unknowns)
    refused = [do for do in found if refuted(weigh_way(at, action, do, truth, demands))]
    if len(refused) < len(found):
        return (), len(refused)
    return against_all(refused, lambda do: evaluate(chain(demands(at, do), action.may(at, do))).reasons), 0


def against_all(refused: list[Any], against: Callable[[Any], tuple[Check, ...]]) -> tuple[Check, ...]:
    """What speaks against all ways: against the first, the plainest, and the last alike; else all that is said of any."""
    first = against(refused[0]) if refused else ()
    if len(refused) < 2:
        return first
    last = [_gist(one) for one in against(refused[-1])]
    common = tuple(one for one in first if _gist(one) in last)
    return common or tuple({_gist(one): one for do in refused for one in against(do)}.values())


def _gist(one: Check) -> tuple[str, str, str]:
    """What a reason says; its parameters may be unknown, and those cannot be compared."""
    return one.requirement.name, one.pointer, repr(one.params)
