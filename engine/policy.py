"""Who decides inside a procedure that nobody is asked about: answers in order of preference, or an aim."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import combinations
from typing import Any

from msgspec import Struct

from engine import codec
from engine.exceptions import Unreadable
from engine.questions import Choose, ChooseSome, Option

AIM = "aim"
NONE = "none"  # declines, where that is offered


class Policy(Struct, frozen=True):
    """Answers by the name of their question, in order of preference, and what the player wants more of."""

    answers: dict[str, list[Any]] = {}
    aim: str = ""


def read(given: Mapping[str, Any], procedures: Mapping[str, Any], aims: Iterable[str]) -> Policy:
    """A policy as requests write it."""
    asked = questions(procedures)
    answers = {
        _known(name, asked, name, "unknown-name"): _listed(wanted, name)
        for name, wanted in given.items()
        if name != AIM
    }
    return Policy(answers, _aim(given[AIM], set(aims)) if AIM in given else "")


def _aim(given: Any, aims: set[str]) -> str:
    if not aims:
        raise Unreadable("no-aims", f"/policy/{AIM}")
    return _known(given, aims, AIM, "unknown-value")


def _listed(wanted: Any, name: str) -> list[Any]:
    if isinstance(wanted, list):
        return wanted
    raise Unreadable("wrong-type", f"/policy/{codec.escape(name)}", allowed="array")


def questions(procedures: Mapping[str, Any]) -> set[str]:
    """The names of all questions that a decision asks."""
    return {
        f"{name}-{step}"
        for name, procedure in procedures.items()
        for step, row in procedure.steps.items()
        if row.kind == "decision"
    }


def _known(given: Any, allowed: set[str], place: str, code: str) -> str:
    if isinstance(given, str) and given in allowed:
        return given
    raise Unreadable(code, f"/policy/{codec.escape(place)}", given=str(given)[:60], allowed=sorted(allowed))


def possible(answers: Choose | ChooseSome) -> Iterator[tuple[Any, tuple[Option, ...]]]:
    """Each answer to a decision, with the options it takes."""
    if isinstance(answers, Choose):
        for option in answers:
            yield option.value, (option,)
        return
    field, need = answers.sum or ("", 0)
    for size in range(answers.least, answers.most + 1):
        for some in _that_come_to(answers.options, size, field, need):
            yield [option.value for option in some], some


def _that_come_to(
    options: tuple[Option, ...], size: int, field: str, need: int
) -> Iterator[tuple[Option, ...]]:
    """So many options that come to so much together; where they cannot, nothing further is tried."""
    if need <= 0:
        yield from combinations(options, size)
        return
    if not size:
        return
    for number, option in enumerate(options):
        others, counts = options[number + 1 :], option.params[field]
        most = sum(sorted((one.params[field] for one in others), reverse=True)[: size - 1])
        if counts + most >= need:
            yield from ((option, *some) for some in _that_come_to(others, size - 1, field, need - counts))


def preferred(
    wanted: Iterable[Any], offered: Callable[[], Iterable[tuple[Any, Any]]], groups: Mapping[str, Any]
) -> tuple[Any] | None:
    """The first answer wanted that is offered; None where none is. No more is looked at than that takes."""
    for one in wanted:
        for value, _ in offered():
            if _fits(one, value, groups):
                return (value,)
    return None


def _fits(wanted: Any, value: Any, groups: Mapping[str, Any]) -> bool:
    """Is this the answer wanted, one of the group named, or an action that has all that was said of it?"""
    if isinstance(wanted, dict) and isinstance(value, dict):
        return wanted.items() <= value.items()
    if isinstance(wanted, str) and wanted in groups:
        return bool(groups[wanted](value))
    if isinstance(value, list):
        return bool(value == (wanted if isinstance(wanted, list) else [] if wanted == NONE else [wanted]))
    return bool(wanted == value)
