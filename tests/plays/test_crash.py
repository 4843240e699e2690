"""Five kills on each kind of database; `make crash` makes it a hundred."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.plays.crash import crash
from tests.plays.databases import POSTGRESQL, SQLITE


@pytest.mark.slow
@pytest.mark.parametrize("kind", [SQLITE, POSTGRESQL])
def test_nothing_that_was_answered_is_lost(kind: str, tmp_path: Path) -> None:
    print(crash(kind, 5, tmp_path))
