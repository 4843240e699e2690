"""GET …/charts: the rows of each procedure, as data and as a picture with “you are here”."""

from __future__ import annotations

from collections import Counter

from engine.exceptions import Unreadable
from engine.game import Game
from engine.messages import Message
from engine.tables import Procedure, Step
from service.answers import ChartAnswer, ChartEntry, ChartsAnswer, RowEntry
from service.languages import Text, Voice
from service.problems import Problem, unreadable


def listed(game: Game, speaks: Voice) -> ChartsAnswer:
    """Every chart of a game."""
    charts = [
        ChartEntry(procedure=one.name, title=_title(one, speaks), rows=len(one.steps))
        for one in game.procedures.values()
    ]
    return ChartsAnswer(game=game.name, lang=speaks.lang, charts=charts)


def answer(game: Game, name: str, at: str, done: str, speaks: Voice) -> ChartAnswer:
    """One chart; `at` is the row somebody stands at, `done` names the rows he has passed, as often as he did."""
    table = game.procedures.get(name)
    if table is None:
        raise Problem("unknown-chart", given=name)
    here = _row(table, at, "/at") if at else ""
    passed = Counter(_row(table, one.strip(), "/done") for one in done.split(",") if one.strip())
    rows = [
        _entry(step, number, speaks, here=step.name == here, done=passed[step.name])
        for number, step in enumerate(table.steps.values(), start=1)
    ]
    return ChartAnswer(
        game=game.name, lang=speaks.lang, procedure=table.name, title=_title(table, speaks), rows=rows
    )


def _row(table: Procedure, named: str, pointer: str) -> str:
    """A row by its name, or by the one it had earlier."""
    row = table.renamed.get(named, named)
    if row not in table.steps:
        raise unreadable(Unreadable("unknown-value", pointer, given=named, allowed=list(table.steps)))
    return row


def _title(table: Procedure, speaks: Voice) -> Text:
    if table.title is None:
        raise ValueError(f"the procedure {table.name} has no title")
    return speaks.say(table.title, {})


def _entry(step: Step, number: int, speaks: Voice, *, here: bool, done: int) -> RowEntry:
    if not isinstance(step.title, Message):
        raise TypeError(f"the row {step.name} has no title")
    return RowEntry(
        number=number,
        name=step.name,
        title=speaks.say(step.title, {}),
        part=None if step.part is None else speaks.say(step.part, {}),
        kind=step.kind,
        rules=step.rules,
        goes=step.goes,
        here=here,
        done=done,
    )
