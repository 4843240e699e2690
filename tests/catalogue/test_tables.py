"""Every row of every table: what it is called, and where it can lead.

Which rows follow each other is declared (`goes`, `then`). Over all examples, playthroughs, kept positions and golden
games each step that happens must be declared, and each declared one must happen.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from engine.tables import END, OVER, Procedure
from tests.catalogue.walked import transitions
from tests.shown import game

TABLES = [
    table for name in ("navajo-wars", "julian") for table in game(name).procedures.values() if table.title
]


@pytest.mark.parametrize("table", TABLES, ids=lambda table: table.name)
def test_every_row_has_a_title(table: Procedure) -> None:
    untitled = [step.name for step in table.steps.values() if not step.title]
    assert untitled == []


@pytest.mark.parametrize("table", TABLES, ids=lambda table: table.name)
def test_what_follows_is_what_is_declared(table: Procedure) -> None:
    declared = {(step.name, row) for step in table.steps.values() for row in step.goes}
    seen = {(row, follows) for name, row, follows in transitions() if name == table.name}
    assert seen - declared == set(), "these happen and are not declared"
    assert declared - seen == set(), (
        "these are declared and never happen: an example is missing, or they cannot be"
    )


CHAPTERS = [
    (name, path)
    for name in ("navajo-wars", "julian")
    for path in sorted((Path(__file__).parents[2] / "engine" / name.replace("-", "_")).glob("*.py"))
]


def rows_named(path: Path) -> Iterator[tuple[int, str]]:
    """Each row that a function gives back beside the position, with its line."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Return) and isinstance(node.value, ast.Tuple) and len(node.value.elts) == 2:
            yield from _words(node.value.elts[1])


def _words(where: ast.expr) -> Iterator[tuple[int, str]]:
    if isinstance(where, ast.IfExp):
        yield from (*_words(where.body), *_words(where.orelse))
    elif isinstance(where, ast.Constant) and isinstance(where.value, str) and ":" not in where.value:
        yield where.lineno, where.value  # no rule, as in a pair of rules


def test_rows_that_are_named_are_found() -> None:
    assert sum(len(list(rows_named(path))) for _, path in CHAPTERS) > 100


@pytest.mark.parametrize(
    ("name", "path"), CHAPTERS, ids=lambda one: one if isinstance(one, str) else one.name
)
def test_every_row_that_is_named_exists(name: str, path: Path) -> None:
    rows = {row for table in game(name).procedures.values() for row in table.steps} | {END, OVER}
    lost = [f"{path.name}:{line} {row}" for line, row in rows_named(path) if row not in rows]
    assert lost == []
