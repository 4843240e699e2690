"""Verdicts: one evaluation gives the ruling together with all its reasons.

A rule is a generator of checks. A check holds, fails, or cannot be decided because a fact was
not told. Unknown facts travel through comparisons and sums by themselves.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NoReturn, TypeVar

from msgspec import Struct

from engine.exceptions import Refused, Untold
from engine.messages import Message, Requirement

T = TypeVar("T")

LEGAL, ILLEGAL, UNDETERMINED = "legal", "illegal", "undetermined"


class Fact(Struct, frozen=True):
    """Something the position may tell: where it belongs, and how to ask for it."""

    pointer: str
    question: Message
    params: dict[str, Any]


class Unknown:
    """The value of a fact that was not told; whatever is computed from it is unknown too."""

    __slots__ = ("facts",)

    def __init__(self, *facts: Fact) -> None:
        self.facts = facts

    def _with(self, other: object) -> Unknown:
        return Unknown(*self.facts, *other.facts) if isinstance(other, Unknown) else self

    __add__ = __radd__ = __sub__ = __rsub__ = __mul__ = __rmul__ = _with
    __lt__ = __le__ = __gt__ = __ge__ = _with

    def __eq__(self, other: object) -> Unknown:  # type: ignore[override]
        return self._with(other)

    def __ne__(self, other: object) -> Unknown:  # type: ignore[override]
        return self._with(other)

    def __neg__(self) -> Unknown:
        return self

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


Truth = bool | Unknown


def unknown(pointer: str, question: Message, **params: Any) -> Unknown:
    """A fact that was not told, with the question that asks for it."""
    return Unknown(Fact(pointer, question, params))


def must_know(value: T | Unknown) -> T:
    """The value, where a rule cannot go on without it."""
    if isinstance(value, Unknown):
        raise Untold(value)
    return value


def as_number(truth: Truth) -> int | Unknown:
    """1 where it is so, 0 where it is not: for modifiers that count one."""
    return truth if isinstance(truth, Unknown) else int(truth)


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
            undecided = truth if undecided is None else undecided._with(truth)
        elif bool(truth) is decisive:
            return decisive
    return (not decisive) if undecided is None else undecided


def total(numbers: Iterable[int | Unknown]) -> int | Unknown:
    """The sum, unknown as soon as one part is."""
    result: int | Unknown = 0
    for number in numbers:
        result = result + number
    return result


class Check(Struct, frozen=True):
    """One demand of the rules, and whether the position meets it."""

    holds: Truth
    requirement: Requirement
    rules: tuple[str, ...]
    pointer: str
    params: dict[str, Any]


class Caution(Struct, frozen=True):
    """Something legal that the player may not want, or that rests on an assumption."""

    message: Message
    rules: tuple[str, ...]
    pointer: str
    params: dict[str, Any]


def needs(holds: Truth, requirement: Requirement, *rules: str, pointer: str = "", **params: Any) -> Check:
    """The rules demand this."""
    return Check(holds, requirement, rules, pointer, params)


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


def evaluate(checks: Iterable[Check | Caution]) -> Verdict:
    """Go through all checks in rulebook order and give the ruling with every reason."""
    reasons: list[Check] = []
    passed: list[Check] = []
    cautions: list[Caution] = []
    missing: list[Fact] = []
    try:
        for check in checks:
            if isinstance(check, Caution):
                cautions.append(check)
                continue
            holds = check.holds
            if holds is True:
                passed.append(check)
            elif holds is False:
                reasons.append(check)
            elif isinstance(holds, Unknown):
                missing.extend(holds.facts)
            else:
                raise TypeError(f"{check.requirement.name} is neither true nor false: {holds!r}")
    except Untold as stop:
        missing.extend(stop.unknown.facts)
    ruling = ILLEGAL if reasons else UNDETERMINED if missing else LEGAL
    return Verdict(ruling, tuple(reasons), once(missing), tuple(cautions), tuple(passed))


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
    """Each fact a single time, in the order of first need."""
    first: dict[str, Fact] = {}
    for fact in facts:
        first.setdefault(fact.pointer, fact)
    return tuple(first.values())
