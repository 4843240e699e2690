"""Ends of branches counted: how likely each outcome is, and what becomes of each place of the position."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from functools import cache
from math import sqrt
from typing import Any

import msgspec
from msgspec import UNSET, Struct

from engine import codec
from engine.messages import Message

WITH_95_PERCENT = 1.96  # standard deviations on either side
NOT_COUNTED = ("agenda", "format")  # how it is kept, not what stands on the table
_encode = msgspec.msgpack.Encoder(order="deterministic").encode


class Outcome(Struct, frozen=True):
    """What a branch came to: an event marked as outcome, or what it waits for after such an event."""

    name: str
    message: Message
    params: dict[str, Any]
    pointer: str = ""
    so_far: Outcome | None = None
    key: tuple[Any, ...] = ()  # what tells outcomes apart: their words, and nothing that is not said

    def __post_init__(self) -> None:
        said = tuple(str(self.params.get(place)) for place in places(self.message))
        key = (self.name, self.message.name, said, self.so_far and self.so_far.key)
        msgspec.structs.force_setattr(self, "key", key)


@cache
def places(said: Message) -> tuple[str, ...]:
    """The parameters that a sentence has places for, what is said before it included."""
    told = [one for one in (said, said.lead) if one is not None]
    return tuple(dict.fromkeys(place for one in told for place in one.places))


class Probability(Struct, frozen=True):
    """How likely something is; where a part was sampled, between which bounds it lies with 95 %."""

    value: Fraction
    low: float | None = None
    high: float | None = None
    exact_part: Fraction | None = None


class Line(Struct, frozen=True):
    """One line of play: how likely it comes to what, and what becomes of each place of the position."""

    outcomes: list[tuple[Outcome, Probability]]
    changes: dict[str, list[tuple[Any, Probability]]]
    at_least: list[tuple[Outcome, Probability]] = []  # that what has to be read is read at so much or better
    sampled: int = 0  # runs
    worth: Fraction | None = None  # what is to be expected for the aim


class End(Struct, frozen=True):
    """The end of a branch: what it came to, and the parts of the position that it changed."""

    outcome: Outcome
    parts: tuple[tuple[str, bytes, Any], ...]  # the name of each, what it is written as, and itself
    worth: int  # for the aim


class Before:
    """The position that everything began with, and what of it each end has changed."""

    def __init__(self, position: Any) -> None:
        self._position = position
        self._names = position.__struct_encode_fields__
        self._parts = msgspec.structs.astuple(position)
        self._looked_into: dict[tuple[str, bytes], list[tuple[str, bytes, Any, Any]]] = {}

    def end(self, outcome: Outcome, after: Any, worth: int) -> End:
        """The end of a branch that left this position."""
        both = zip(self._names, self._parts, msgspec.structs.astuple(after), strict=True)
        changed = [(name, new) for name, old, new in both if new is not old and name not in NOT_COUNTED]
        return End(outcome, tuple((name, _written(new), new) for name, new in changed), worth)

    def changes(self, name: str, key: bytes, part: Any) -> list[tuple[str, bytes, Any, Any]]:
        """Every place of one part that is not as it was: pointer, the new value as it is written, old and new value."""
        if (name, key) not in self._looked_into:
            found = codec.changes(getattr(self._position, name), part, f"/{name}")
            self._looked_into[name, key] = [
                (place, _written(new), old, new) for place, old, new in found if not _still_empty(old, new)
            ]
        return self._looked_into[name, key]


def _still_empty(old: Any, new: Any) -> bool:
    """Was nothing told of it, and is nothing there now?"""
    return old is UNSET and isinstance(new, Struct) and new == type(new)()


def _written(value: Any) -> bytes:
    """A value so that equal ones are the same."""
    return _encode(None if value is UNSET else (value,))


Counted = dict[Any, tuple[Any, int]]  # what it is and its weight, by what tells it apart
NONE = (None, 0)


class Tally:
    """Ends counted by their weight: their outcomes, and what became of each part of the position."""

    def __init__(self) -> None:
        self.count = 0
        self.worth = 0
        self.outcomes: Counted = {}
        self.parts: dict[str, Counted] = {}

    def add(self, end: End, weight: int) -> None:
        """Count an end."""
        self.count += weight
        self.worth += weight * end.worth
        _count(self.outcomes, end.outcome.key, end.outcome, weight)
        for name, key, part in end.parts:
            _count(self.parts.setdefault(name, {}), key, part, weight)

    def values(self, before: Before) -> dict[str, Values]:
        """What became of each place that changed at some end; a part is looked into once, whatever came with it."""
        found: dict[str, Values] = {}
        for name, parts in self.parts.items():
            for key, (part, weight) in parts.items():
                for pointer, value, old, new in before.changes(name, key, part):
                    _count(found.setdefault(pointer, Values(old, {})).seen, value, new, weight)
        return found


def _count(counted: Counted, key: Any, what: Any, weight: int) -> None:
    counted[key] = (what, weight + counted.get(key, NONE)[1])


class Values(Struct, frozen=True):
    """What became of one place: the value it had, and each other one that it got, with its weight."""

    before: Any
    seen: Counted

    def of(self, count: int) -> Counted:
        """Each value it had in the end, the one it had before included."""
        same = count - sum(weight for _, weight in self.seen.values())
        return {**self.seen, "=": (self.before, same)} if same else self.seen


class Both(Struct, frozen=True):
    """The ends that were followed, of this whole; and samples of those that were left."""

    followed: Tally
    whole: int
    samples: Tally
    left: int
    before: Before

    def line(self, *, judged: bool) -> Line:
        """Both together as one line of play."""
        outcomes = self._ranked(self.followed.outcomes, self.samples.outcomes)
        worth = self._worth() if judged else None
        return Line(outcomes, self._changes(), self._at_least(), self.samples.count, worth)

    def _ranked(self, followed: Counted, samples: Counted) -> list[tuple[Any, Probability]]:
        """What was counted, the likeliest first."""
        found = [
            ((followed.get(key) or samples[key])[0], followed.get(key, NONE)[1], samples.get(key, NONE)[1])
            for key in dict.fromkeys((*followed, *samples))
        ]
        runs = self.samples.count or 1
        found.sort(key=lambda one: -(one[1] * runs + one[2] * self.left))
        return [(one, self._likely(weight, count)) for one, weight, count in found]

    def _at_least(self) -> list[tuple[Outcome, Probability]]:
        """How likely it comes to be read at so much or better, from the best down."""
        followed, samples = self.followed.outcomes, self.samples.outcomes
        found: dict[tuple[Message, int], tuple[Outcome, int, int]] = {}
        for key in dict.fromkeys((*followed, *samples)):
            outcome = (followed.get(key) or samples[key])[0]
            if outcome.message.at_least is None:
                continue
            place, said = outcome.message.at_least
            shown = outcome.params[place]
            _, weight, count = found.get((said, int(shown)), (None, 0, 0))
            weight, count = weight + followed.get(key, NONE)[1], count + samples.get(key, NONE)[1]
            found[said, int(shown)] = (Outcome(said.name, said, {place: shown}), weight, count)
        return self._summed(found)

    def _summed(
        self, found: dict[tuple[Message, int], tuple[Outcome, int, int]]
    ) -> list[tuple[Outcome, Probability]]:
        """Each with all that are better; a single one says nothing that its outcome does not say."""
        summed, weights, counts = [], Counter[Message](), Counter[Message]()
        for said, number in sorted(found, key=lambda one: (one[0].name, -one[1])):
            outcome, weight, count = found[said, number]
            weights[said] += weight
            counts[said] += count
            summed.append((outcome, self._likely(weights[said], counts[said])))
        return summed if len(summed) > len(weights) else []

    def _changes(self) -> dict[str, list[tuple[Any, Probability]]]:
        followed, samples = self.followed.values(self.before), self.samples.values(self.before)
        found = {}
        for pointer in sorted({*followed, *samples}):
            same = Values((followed.get(pointer) or samples[pointer]).before, {})
            each = followed.get(pointer, same).of(self.followed.count)
            found[pointer] = self._ranked(each, samples.get(pointer, same).of(self.samples.count))
        return found

    def _likely(self, weight: int, count: int) -> Probability:
        part = Fraction(weight, self.whole)
        if not self.samples.count:
            return Probability(part)
        rest = Fraction(self.left, self.whole)
        low, high = interval(count, self.samples.count)
        value = part + rest * Fraction(count, self.samples.count)
        below, above = (float(part) + float(rest) * bound for bound in (low, high))
        return Probability(value, min(below, float(value)), max(above, float(value)), part)  # rounded apart

    def _worth(self) -> Fraction:
        worth = Fraction(self.followed.worth, self.whole)
        if self.samples.count:
            worth += Fraction(self.left * self.samples.worth, self.whole * self.samples.count)
        return worth


def interval(count: int, runs: int) -> tuple[float, float]:
    """Between which shares the true one lies with 95 %, by Wilson's score.

    >>> [round(bound, 2) for bound in interval(50, 100)]
    [0.4, 0.6]
    """
    z, share = WITH_95_PERCENT, count / runs
    middle = (share + z * z / (2 * runs)) / (1 + z * z / runs)
    half = z * sqrt(share * (1 - share) / runs + z * z / (4 * runs * runs)) / (1 + z * z / runs)
    return max(0.0, middle - half), min(1.0, middle + half)
