"""Verdicts: one evaluation gives the ruling together with all its reasons.

A rule is a generator of checks. A check holds, fails, or cannot be decided because a fact was
not told. Unknown facts travel through comparisons and sums by themselves.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, ClassVar, NoReturn, TypeVar

from msgspec import UNSET, Struct

from engine.exceptions import Refused, Untold
from engine.messages import Message, Requirement

T = TypeVar("T")

LEGAL, ILLEGAL, UNDETERMINED = "legal", "illegal", "undetermined"


class Fact(Struct, frozen=True, gc=False):
    """Something the position may tell: where it belongs, and how to ask for it."""

    pointer: str
    question: Message
    params: dict[str, Any]
    rules: tuple[str, ...] = ()  # why it is asked: those of the check that it leaves open
    pointers: tuple[str, ...] = ()  # all places that the answer tells, where one question is about several
    among: tuple[Any, ...] = ()  # what it can be, where its place could hold other things, too


class Unknown:
    """The value of a fact that was not told; whatever is computed from it is unknown too.

    A number may be known to be at least or at most something, so that comparisons decide where they can:

    >>> price = Unknown(least=1)
    >>> price > 0, price + 2 >= 3, price == 0
    (True, True, False)
    >>> isinstance(price > 1, Unknown)
    True
    """

    __slots__ = ("facts", "least", "most")

    def __init__(self, *facts: Fact, least: int | None = None, most: int | None = None) -> None:
        self.facts = facts
        self.least = least
        self.most = most

    def _with(self, other: object) -> Unknown:
        """Open because of this, and of the other where that is unknown, too; how large it is does not go on."""
        if isinstance(other, Unknown):
            return Unknown(*self.facts, *other.facts)
        return self if self.least is self.most is None else Unknown(*self.facts)

    def __add__(self, other: int | Unknown) -> Unknown:
        if self.least is self.most is None:
            return self._with(other)
        least, most = _bounds(other)
        facts = (*self.facts, *other.facts) if isinstance(other, Unknown) else self.facts
        return Unknown(*facts, least=_sum(self.least, least), most=_sum(self.most, most))

    __radd__ = __add__

    def __neg__(self) -> Unknown:
        least = None if self.most is None else -self.most
        return Unknown(*self.facts, least=least, most=None if self.least is None else -self.least)

    def __sub__(self, other: int | Unknown) -> Unknown:
        return self + (-other)

    def __rsub__(self, other: int | Unknown) -> Unknown:
        return -self + other

    def __mul__(self, other: Any) -> Unknown:
        return self._with(other)

    __rmul__ = __mul__

    def __lt__(self, other: Any) -> Truth:
        if self.least is self.most is None:  # nothing is known of it: nothing to compare
            return self._with(other)
        least, most = _bounds(other)
        if self.most is not None and least is not None and self.most < least:
            return True
        if self.least is not None and most is not None and self.least >= most:
            return False
        return self._with(other)

    def __ge__(self, other: Any) -> Truth:
        return denied(self < other)

    def __gt__(self, other: int | Unknown) -> Truth:
        if self.least is self.most is None:
            return self._with(other)
        return -self < -other

    def __le__(self, other: Any) -> Truth:
        return denied(self > other)

    def __eq__(self, other: object) -> Truth:  # type: ignore[override]
        least, most = _bounds(other)
        apart = (self.most is not None and least is not None and self.most < least) or (
            self.least is not None and most is not None and self.least > most
        )
        return False if apart else self._with(other)

    def __ne__(self, other: object) -> Truth:  # type: ignore[override]
        return denied(self == other)

    def __hash__(self) -> int:
        return id(self)

    def __bool__(self) -> NoReturn:
        raise Untold(self)

    def __iter__(self) -> NoReturn:
        raise Untold(self)

    def __index__(self) -> NoReturn:
        raise Untold(self)

    def __repr__(self) -> str:
        return f"Unknown({', '.join(fact.pointer for fact in self.facts)})"


def _bounds(value: object) -> tuple[int | None, int | None]:
    """Between which numbers a value lies, as far as that is known."""
    if isinstance(value, Unknown):
        return value.least, value.most
    return (value, value) if isinstance(value, int) else (None, None)


def _sum(one: int | None, other: int | None) -> int | None:
    return None if one is None or other is None else one + other


Truth = bool | Unknown


def unknown(
    pointer: str,
    question: Message,
    *,
    at_least: int | None = None,
    at_most: int | None = None,
    among: tuple[Any, ...] = (),
    **params: Any,
) -> Unknown:
    """A fact that was not told, with the question that asks for it and what is known of it all the same."""
    return Unknown(Fact(pointer, question, params, among=among), least=at_least, most=at_most)


def unknowns(
    pointers: Sequence[str], question: Message, *, at_least: int | None = None, **params: Any
) -> Unknown:
    """Several facts that were not told, asked for by one question."""
    return Unknown(Fact(pointers[0], question, params, pointers=tuple(pointers)), least=at_least)


def is_told(value: object) -> bool:
    """Is this known, whatever it is?"""
    return not isinstance(value, Unknown)


def certain(truth: Truth) -> bool:
    """Is it so, and told?

    >>> certain(True), certain(False), certain(Unknown())
    (True, False, False)
    """
    return truth is True


def refuted(truth: Truth) -> bool:
    """Is it not so, and told?

    >>> refuted(True), refuted(False), refuted(Unknown())
    (False, True, False)
    """
    return truth is False


def must_know(value: T | Unknown) -> T:
    """The value, where a rule cannot go on without it."""
    if isinstance(value, Unknown):
        raise Untold(value)
    return value


def as_number(truth: Truth) -> int | Unknown:
    """1 where it is so, 0 where it is not: for modifiers that count one."""
    return between(0, 1, truth) if isinstance(truth, Unknown) else int(truth)


def between(least: int, most: int, number: int | Unknown) -> int | Unknown:
    """The number; where it was not told, it lies between these two all the same.

    >>> between(0, 1, Unknown()) + 2 < 4
    True
    """
    return Unknown(*number.facts, least=least, most=most) if isinstance(number, Unknown) else number


def no_less_than(least: int, number: int | Unknown) -> int | Unknown:
    """The number; where it was not told, it is at least so much all the same.

    >>> no_less_than(1, Unknown()) + 4 > 4
    True
    """
    return Unknown(*number.facts, least=least, most=number.most) if isinstance(number, Unknown) else number


def denied(truth: Truth) -> Truth:
    """Not, where the operand may be unknown."""
    return truth if isinstance(truth, Unknown) else not truth


def every(truths: Iterable[Truth]) -> Truth:
    """And over all: one False decides, otherwise one unknown leaves it open."""
    return _settle(truths, decisive=False)


def some(truths: Iterable[Truth]) -> Truth:
    """Or over all: one True decides, otherwise one unknown leaves it open."""
    return _settle(truths, decisive=True)


def _settle(truths: Iterable[Truth], *, decisive: bool) -> Truth:
    undecided: Unknown | None = None
    for truth in truths:
        if isinstance(truth, Unknown):
            undecided = _joined(undecided, truth)
        elif bool(truth) is decisive:
            return decisive
    return (not decisive) if undecided is None else undecided


def total(numbers: Iterable[int | Unknown]) -> int | Unknown:
    """The sum, unknown as soon as one part is."""
    result: int | Unknown = 0
    for number in numbers:
        result = result + number
    return result


class Check(Struct, frozen=True, gc=False):
    """One demand of the rules, and whether the position meets it."""

    holds: Truth
    requirement: Requirement
    rules: tuple[str, ...]
    pointer: str
    params: dict[str, Any]
    takes: Any = UNSET  # the value taken for granted, where it counts as met although nothing was told


class Caution(Struct, frozen=True, gc=False):
    """Something legal that the player may not want, or that rests on an assumption."""

    holds: ClassVar[bool] = True  # it forbids nothing

    message: Message
    rules: tuple[str, ...]
    pointer: str
    params: dict[str, Any]


def needs(holds: Truth, requirement: Requirement, *rules: str, pointer: str = "", **params: Any) -> Check:
    """The rules demand this."""
    return Check(holds, requirement, rules, pointer, params)


def occasion(check: Check, takes: Any, assumes: Callable[[str], bool]) -> Check:
    """A demand that only asks whether now is the time: where that was not told, it is taken for granted.

    Every fact that is missing must be one that may be assumed; a fact of the board never is.
    """
    open_yet = check.holds
    if not isinstance(open_yet, Unknown) or not all(assumes(fact.pointer) for fact in open_yet.facts):
        return check
    said = {name: value for name, value in check.params.items() if is_told(value)}
    pointer = check.pointer if assumes(check.pointer) else open_yet.facts[0].pointer
    return Check(True, check.requirement, check.rules, pointer, said, takes)


def warns(message: Message, *rules: str, pointer: str = "", **params: Any) -> Caution:
    """The rules allow this, but the player should know."""
    return Caution(message, rules, pointer, params)


class Verdict(Struct, frozen=True):
    """The ruling with everything it rests on."""

    ruling: str
    reasons: tuple[Check, ...] = ()
    unknowns: tuple[Fact, ...] = ()
    cautions: tuple[Caution, ...] = ()
    passed: tuple[Check, ...] = ()
    assumed: tuple[Check, ...] = ()  # checks that count as met, since nothing was told


def evaluate(checks: Iterable[Check | Caution]) -> Verdict:
    """Go through all checks in rulebook order and give the ruling with every reason."""
    reasons: list[Check] = []
    passed: list[Check] = []
    assumed: list[Check] = []
    cautions: list[Caution] = []
    missing: list[Fact] = []
    try:
        for check in checks:
            if isinstance(check, Caution):
                cautions.append(check)
                continue
            if check.holds is True:
                (passed if check.takes is UNSET else assumed).append(check)
            elif check.holds is False:
                reasons.append(check)
            else:
                missing.extend(_asked_by(check))
    except Untold as stop:
        missing.extend(stop.unknown.facts)
    ruling = ILLEGAL if reasons else UNDETERMINED if missing else LEGAL
    asked = once(missing) if missing else ()
    return Verdict(ruling, tuple(reasons), asked, tuple(cautions), tuple(passed), tuple(assumed))


def joined(some_taken: tuple[Check, ...], others: Iterable[Check]) -> tuple[Check, ...]:
    """What was taken for granted here and there, each a single time."""
    known = {(one.requirement.name, one.pointer) for one in some_taken}
    return (*some_taken, *(one for one in others if (one.requirement.name, one.pointer) not in known))


def _asked_by(check: Check) -> Iterable[Fact]:
    """The facts that leave a check open, each with the rules of the check."""
    return [
        Fact(fact.pointer, fact.question, fact.params, check.rules, fact.pointers, fact.among)
        for fact in must_be_open(check).facts
    ]


def weigh(checks: Iterable[Check | Caution]) -> Truth:
    """Do all checks hold? The first that fails decides; what was not told leaves it open."""
    undecided: Unknown | None = None
    try:
        for check in checks:
            if check.holds is True:
                continue
            if check.holds is False:
                return False
            undecided = _joined(undecided, must_be_open(check))
    except Untold as stop:
        undecided = _joined(undecided, stop.unknown)
    return True if undecided is None else undecided


def must_be_open(check: Check | Caution) -> Unknown:
    """What leaves a check open that neither holds nor fails."""
    if isinstance(check.holds, Unknown):
        return check.holds
    raise TypeError(f"{check} is neither true nor false")


def _joined(one: Unknown | None, other: Unknown) -> Unknown:
    return other if one is None else Unknown(*one.facts, *other.facts)


def demand(checks: Iterable[Check | Caution]) -> Verdict:
    """Hold an answer to a step to the checks: refuse it with all that fail, or ask for the facts that leave one open."""
    verdict = evaluate(checks)
    if verdict.reasons:
        raise Refused(*verdict.reasons)
    if verdict.unknowns:
        raise Untold(Unknown(*verdict.unknowns))
    return verdict


def ask_at_once(facts: Iterable[object]) -> None:
    """Ask for all of these facts that were not told, instead of one after the other."""
    must_know(total(fact for fact in facts if isinstance(fact, Unknown)))


def once(facts: Iterable[Fact]) -> tuple[Fact, ...]:
    """Each fact a single time, in the order of first need; what a question about several tells is not asked apart."""
    first: dict[Any, Fact] = {}
    for fact in facts:
        first.setdefault(fact.pointers or fact.pointer, fact)
    several = [set(fact.pointers) for fact in first.values() if fact.pointers]
    if not several:
        return tuple(first.values())
    return tuple(fact for fact in first.values() if not any(_told_by(fact, told) for told in several))


def _told_by(fact: Fact, told: set[str]) -> bool:
    """Does the answer to a question about several facts tell this one, and more?"""
    asked = set(fact.pointers or (fact.pointer,))
    return asked < told


def later_last(facts: Iterable[T], later: Sequence[str]) -> list[T]:
    """Facts that are asked for, those that will be told later behind the others."""
    order = {pointer: place for place, pointer in enumerate(later)}
    return sorted(facts, key=lambda fact: order.get(fact.pointer, -1))  # type: ignore[attr-defined]
