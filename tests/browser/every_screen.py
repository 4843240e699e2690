"""`make pages`: every screen in every language, size and scheme, checked and drawn into build/pages.

Its name keeps it out of `make test`, which looks at each screen once in each language.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from flask import Flask

from service import search
from service.terms import LANGUAGES
from tests.browser import test_looks, test_table
from tests.browser.conftest import Opens
from tests.browser.tables import Combat, Table, seat
from tests.browser.test_looks import RULES, WIDE

DRAWN = Path(__file__).parents[2] / "build" / "pages"
SIZES = {
    "phone": {"width": 390, "height": 844},
    "small": {"width": 320, "height": 640},
    "wide": {"width": 1280, "height": 800},
}
ANY_SIGN = str.maketrans(dict.fromkeys('/?&=#:{}"', "-"))


def addresses(table: Table, combat: Combat) -> dict[str, str]:
    """Where each screen is, by the name of its picture."""
    plain = {address: address for address in (*test_looks.PLAIN, *test_table.PLAIN)}
    of_a_play = {
        f"play{path}": f"/play/{table.id}{path}" for path in (*test_looks.OF_A_PLAY, *test_table.OF_A_PLAY)
    }
    of_a_combat = {
        f"combat{path}": f"/play/{combat.id}{path}"
        for path in (*test_looks.OF_A_COMBAT, *test_table.OF_A_COMBAT)
    }
    return {_named(name): address for name, address in (plain | of_a_play | of_a_combat).items()}


def _named(address: str) -> str:
    return address.translate(ANY_SIGN).strip("-")[:60] or "home"


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_screen(app: Flask, base: str, phone: Opens, lang: str, size: str, scheme: str) -> None:
    search.warm()
    folder = DRAWN / f"{lang}-{size}-{scheme}"
    folder.mkdir(parents=True, exist_ok=True)
    table = Table(app).play_until("enemy-raid-player-reaction")
    page = phone(lang, viewport=SIZES[size], color_scheme=scheme, bypass_csp=True)
    combat = Combat(app)
    seat(page.context, base, table, combat)
    wrong: list[object] = []
    for name, address in addresses(table, combat).items():
        # a wide screen fetches the table beside the conversation
        page.goto(address, wait_until="networkidle" if size == "wide" else "load")
        page.screenshot(path=folder / f"{name}.png", full_page=True)
        if page.evaluate("document.documentElement.scrollWidth") > SIZES[size]["width"]:
            wrong.append((address, "scrolls sideways", page.evaluate(WIDE)))
        page.evaluate("scrollTo(0, 0)")  # what lies half under the bar is no small target
        found = Axe().run(page, options=RULES)
        if found.violations_count:
            wrong.append((address, found.generate_report()))
    assert not wrong
