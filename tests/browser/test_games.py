"""The ends of golden games in a real Chromium, by tapping only; their reports are the golden ones."""

from __future__ import annotations

import pytest
from flask import Flask
from playwright.sync_api import Page

from tests.browser.conftest import Opens
from tests.browser.tables import ROPE, Table
from tests.browser.tapping import Tapped
from tests.games import golden
from tests.pages.tapping import give
from tests.pages.test_golden_games import answers, bare, golden_report

LAST = 25  # answers that make test taps; the whole game is played by make pages


def play_on_by_tapping(
    app: Flask, base: str, page: Page, name: str, *, script: bool, last: int | None = None
) -> Tapped:
    """Play a golden game to its end, its last answers or all of them by tapping; its report is the golden one."""
    todo = list(answers(name))
    before = 0 if last is None else len(todo) - last
    table = Table(app, name, scenario=None).play_on(before)
    table.open(page, base)
    tapped = Tapped(page, scripted=script)
    for how, value in todo[before:]:
        if how == "do":
            tapped.do_something()
        give(tapped, value)
    found = page.request.get(f"/play/{table.id}/report.txt", headers={"Accept-Language": "en"})
    assert bare(found.text()) == bare(golden_report(name))
    return tapped


@pytest.mark.usefixtures("unhurried")
@pytest.mark.parametrize(
    ("name", "script"), [(ROPE, True), (golden.GAMES[0].name, True), (golden.GAMES[0].name, False)]
)
def test_the_end_of_a_golden_game(app: Flask, base: str, phone: Opens, name: str, script: bool) -> None:
    page = phone(java_script_enabled=script)
    tapped = play_on_by_tapping(app, base, page, name, script=script, last=LAST)
    assert tapped.taps >= LAST
