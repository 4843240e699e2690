"""Every row of every table: what it is called, and where it can lead.

Which rows follow each other is declared (`goes`, `then`). Over all examples, playthroughs, kept positions and golden
games each step that happens must be declared, and each declared one must happen.
"""

from __future__ import annotations

import pytest

from engine.tables import Procedure
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
