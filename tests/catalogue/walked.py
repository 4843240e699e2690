"""Which row follows which, over all examples, playthroughs and golden games."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import cache
from typing import Any

from engine import flow, transcript
from engine.tables import END, OVER, Call, End, Procedure, Step
from tests.games.golden import GAMES, read
from tests.kept import files
from tests.kept.came import ask
from tests.shown import all_shown, game, played

Transition = tuple[str, str, str]  # procedure, row, the row that follows


@contextmanager
def watched(seen: set[Transition]) -> Iterator[None]:
    """Note every step from row to row while this lasts."""
    go, on = flow.go, flow._on

    def ending(went: Any, step: Step, procedures: Mapping[str, Procedure]) -> Any:
        after = went[0] if isinstance(went, tuple) else went
        if not after.agenda:
            seen.add((_table_of(step, procedures), step.name, OVER))
        return on(went, step, procedures)

    def going(at: Any, where: Any, procedures: Any) -> Any:
        if not isinstance(where, Call):
            top = at.agenda[-1]
            row = procedures[top.procedure].steps[top.step]
            if (
                where == top.step and where not in row.goes
            ):  # asked again: an interruption ends where it began
                return go(at, where, procedures)
            seen.add((top.procedure, top.step, END if isinstance(where, End) else where))
        return go(at, where, procedures)

    flow.go, flow._on = going, ending
    try:
        yield
    finally:
        flow.go, flow._on = go, on


def _table_of(step: Step, procedures: Mapping[str, Procedure]) -> str:
    """The table a row stands in, for when no agenda says it any more."""
    return next(table.name for table in procedures.values() if table.steps.get(step.name) is step)


@cache
def transitions() -> frozenset[Transition]:
    """Every step from row to row that happens in an example, a playthrough, a kept position or a golden game."""
    seen: set[Transition] = set()
    with watched(seen):
        for one in all_shown():
            played(one)
        for name in files.names(files.PAUSES):
            for pause in files.pauses(name):
                _go_on(pause)
        for golden in GAMES:
            transcript.replay(game("navajo-wars"), read(golden.name))
    return frozenset(seen)


def _go_on(pause: files.Pause) -> None:
    """Give a kept position every answer that is kept with it."""
    printed = files.components()[pause.components]
    for given in pause.given:
        ask(game(pause.game), pause.position, pause.choices, printed, given.action, given.inputs)
