"""Ends of branches counted: how likely each outcome is, and what becomes of each place of the position."""

from __future__ import annotations

import re
from fractions import Fraction
from functools import cache
from math import sqrt
from typing import Any

import msgspec
from msgspec import UNSET, Struct

from engine import codec
from engine.messages import Message

WITH_95_PERCENT = 1.96  # standard deviations on either side
NOT_COUNTED = ("/agenda", "/format")  # how it is kept, not what stands on the table
_PLACES = re.compile(r"%\((\w+)\)s")


class Outcome(Struct, frozen=True):
    """What a branch came to: an event marked as outcome, or what it waits for after such an event."""

    name: str
    message: Message
    params: dict[str, Any]
    pointer: str = ""
    so_far: Outcome | None = None

    @property
    def key(self) -> tuple[Any, ...]:
        """What tells outcomes apart: their words, and nothing that is not said."""
        said = tuple(str(self.params.get(place)) for place in places(self.message))
        return self.name, self.message.name, said, self.so_far and self.so_far.key


@cache
def places(said: Message) -> tuple[str, ...]:
    """The parameters that a sentence has places for, those beside it included."""
    told = [one.text for one in (said, said.lead, said.hint) if one is not None]
    return tuple(dict.fromkeys(place for text in told for place in _PLACES.findall(text)))


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
    sampled: int = 0  # runs
    worth: Fraction | None = None  # what is to be expected for the aim


class End(Struct, frozen=True):
    """The end of a branch: what it came to, and every place of the position that it changed."""

    outcome: Outcome
    key: Any
    changes: tuple[tuple[str, str, Any, Any], ...]  # pointer, new value as text, old and new value
    worth: int  # for the aim

    @classmethod
    def of(cls, outcome: Any, before: Any, after: Any, worth: int) -> End:
        """The end of a branch that left this position."""
        changes = tuple(
            (pointer, "" if new is UNSET else msgspec.json.encode(new).decode(), old, new)
            for pointer, old, new in codec.changes(before, after)
            if not pointer.startswith(NOT_COUNTED)
        )
        return cls(outcome, outcome.key, changes, worth)


class Tally:
    """Ends counted by their weight: their outcomes, and what became of each place of the position."""

    def __init__(self) -> None:
        self.count = 0
        self.worth = 0
        self.outcomes: dict[Any, tuple[Outcome, int]] = {}
        self.changes: dict[str, dict[str, tuple[Any, int]]] = {}  # by pointer and value
        self.before: dict[str, Any] = {}  # the values these places had

    def add(self, end: End, weight: int) -> None:
        """Count an end."""
        self.count += weight
        self.worth += weight * end.worth
        self.outcomes[end.key] = (end.outcome, weight + self.weight_of(end.key))
        for pointer, key, old, new in end.changes:
            self.before.setdefault(pointer, old)
            seen = self.changes.setdefault(pointer, {})
            seen[key] = (new, weight + (seen[key][1] if key in seen else 0))

    def weight_of(self, key: Any) -> int:
        """How often an outcome was counted."""
        return self.outcomes[key][1] if key in self.outcomes else 0

    def values(self, pointer: str, before: Any) -> dict[str, tuple[Any, int]]:
        """Each value that a place had in the end, the one it had before included."""
        seen = self.changes.get(pointer, {})
        same = self.count - sum(weight for _, weight in seen.values())
        return {**seen, "=": (before, same)} if same else seen


Counted = dict[Any, tuple[Any, int]]  # what it is and its weight, by what tells it apart
NONE = (None, 0)


class Both(Struct, frozen=True):
    """The ends that were followed, of this whole; and samples of those that were left."""

    followed: Tally
    whole: int
    samples: Tally
    left: int

    def line(self, *, judged: bool) -> Line:
        """Both together as one line of play."""
        outcomes = self._ranked(self.followed.outcomes, self.samples.outcomes)
        return Line(outcomes, self._changes(), self.samples.count, self._worth() if judged else None)

    def _ranked(self, followed: Counted, samples: Counted) -> list[tuple[Any, Probability]]:
        """What was counted, the likeliest first."""
        found = [
            ((followed.get(key) or samples[key])[0], followed.get(key, NONE)[1], samples.get(key, NONE)[1])
            for key in dict.fromkeys((*followed, *samples))
        ]
        runs = self.samples.count or 1
        found.sort(key=lambda one: -(one[1] * runs + one[2] * self.left))
        return [(one, self._likely(weight, count)) for one, weight, count in found]

    def _changes(self) -> dict[str, list[tuple[Any, Probability]]]:
        before = self.samples.before | self.followed.before
        return {
            pointer: self._ranked(self.followed.values(pointer, old), self.samples.values(pointer, old))
            for pointer, old in sorted(before.items(), key=lambda one: one[0])
        }

    def _likely(self, weight: int, count: int) -> Probability:
        part = Fraction(weight, self.whole)
        if not self.samples.count:
            return Probability(part)
        rest = Fraction(self.left, self.whole)
        low, high = interval(count, self.samples.count)
        value = part + rest * Fraction(count, self.samples.count)
        return Probability(value, float(part) + float(rest) * low, float(part) + float(rest) * high, part)

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
