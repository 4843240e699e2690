"""`make pages`: golden games played in a real Chromium by tapping only, with script and without.

Its name keeps it out of `make test`, which plays their ends (`test_games.py`).
"""

from __future__ import annotations

import pytest
from flask import Flask

from tests.browser.conftest import Opens
from tests.browser.test_games import play_on_by_tapping
from tests.games import golden


@pytest.mark.usefixtures("unhurried")
@pytest.mark.parametrize("script", [True, False])
@pytest.mark.parametrize("name", [one.name for one in golden.GAMES])
def test_a_golden_game(app: Flask, base: str, phone: Opens, name: str, script: bool) -> None:
    play_on_by_tapping(app, base, phone(java_script_enabled=script), name, script=script)
