"""Each check matters: count it as met, and something that an example refuses is let through."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from functools import cache
from types import ModuleType
from typing import Any

import msgspec
import pytest
from msgspec import UNSET

from engine import game as kernel
from engine.messages import Requirement
from engine.navajo_wars import GAME as NAVAJO_WARS
from engine.verdict import ILLEGAL, Caution, Check, Verdict, evaluate
from tests.shown import Shown, all_shown, game, played

LET_THROUGH = "let-through"
# Kinds of answers that no chapter may ask for yet; the toy game of test_kernel shows them.
SHOWN_BY_THE_TOY_GAME = {"not-in-the-bag", "wrong-number-chosen", "wrong-number-of-dice"}

# What a set-up states is asked before any action; tests/plays/test_set_up.py shows what it takes and refuses.
SHOWN_BY_SET_UPS = {
    choice.limit.says.name
    for scenario in NAVAJO_WARS.scenarios
    for choice in scenario.choices
    if choice.limit is not None
}


def _in_module(module: ModuleType) -> Iterator[Requirement]:
    for value in vars(module).values():
        values = value.values() if isinstance(value, dict) else [value]
        yield from (one for one in values if isinstance(one, Requirement))


@cache
def requirements() -> tuple[str, ...]:
    """Every requirement of the kernel and of the games that have examples; test_audit.py has those of audits."""
    packages = {"engine." + game(one.game).at.__module__.split(".")[1] for one in all_shown()}
    modules = [
        module
        for name, module in sys.modules.items()
        if name.startswith("engine.") and (name.count(".") == 1 or name.rpartition(".")[0] in packages)
        if not name.rpartition(".")[2].startswith("audit")
    ]
    return tuple(sorted({one.name for module in modules for one in _in_module(module)}))


def mentioning(name: str) -> list[Shown]:
    """The examples that are refused for this reason."""
    return [
        one
        for one in all_shown()
        if any(
            request.reasons is not UNSET and name in request.reasons
            for request in (one.example, *one.example.steps)
        )
    ]


def _count_as_met(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    """Every check of this name holds, in what decides an action and in what refuses an answer."""

    def met(checks: Iterable[Check | Caution]) -> Iterator[Check | Caution]:
        for check in checks:
            forced = isinstance(check, Check) and check.requirement.name == name
            yield msgspec.structs.replace(check, holds=True) if forced else check

    stopped = kernel._stopped

    def not_for_this(at: Any, verdict: Verdict) -> Any:
        if verdict.reasons and all(check.requirement.name == name for check in verdict.reasons):
            verdict = Verdict(LET_THROUGH)
        return stopped(at, verdict)

    monkeypatch.setattr(kernel, "evaluate", lambda checks: evaluate(met(checks)))
    monkeypatch.setattr(kernel, "_stopped", not_for_this)


def _still_refused(one: Shown, name: str) -> bool:
    """Does every request of an example that this reason refuses stay refused?"""
    try:
        outcomes = played(one)
    except Exception:  # noqa: BLE001  # what the check kept out has broken something: it was let through
        return False
    return all(
        outcome.answer is not None and outcome.answer.verdict.ruling == ILLEGAL
        for outcome in outcomes
        if outcome.expected.reasons is not UNSET and name in outcome.expected.reasons
    )


def test_there_are_requirements() -> None:
    assert {"ambush-without-military", "die-out-of-range", "input-not-asked-for"} <= set(requirements())


@pytest.mark.parametrize("name", requirements())
def test_each_check_matters(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    shown = mentioning(name)
    if not shown and name in SHOWN_BY_THE_TOY_GAME | SHOWN_BY_SET_UPS:
        return
    assert shown, f"no example is refused for {name}"
    assert all(_still_refused(one, name) for one in shown), "the examples do not come out as written"
    _count_as_met(monkeypatch, name)
    assert not all(_still_refused(one, name) for one in shown), f"{name} decides nothing by itself"
