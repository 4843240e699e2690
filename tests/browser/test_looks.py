"""Every screen in a real Chromium: axe finds nothing, nothing scrolls sideways, targets are large, kanji are kanji."""

from __future__ import annotations

import pytest
from axe_playwright_python.sync_playwright import Axe
from flask import Flask
from playwright.sync_api import Page

from tests.browser.conftest import Opens
from tests.browser.tables import Table

RULES = {"runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]}
PLAIN = ("/", "/play/new", "/play/import", "/join", "/keys")
OF_A_PLAY = ("", "?mode=do", "?earlier=10", "/share", "/report", "/copy")
WIDE = """() => [...document.querySelectorAll('body *')]
  .filter((one) => one.getBoundingClientRect().right > innerWidth + 1 && getComputedStyle(one).position !== 'absolute')
  .map((one) => one.outerHTML.slice(0, 200))"""


def screens(table: Table) -> list[str]:
    return [*PLAIN, *(f"/play/{table.id}{path}" for path in OF_A_PLAY)]


@pytest.mark.parametrize(
    ("lang", "scheme"), [("en", "light"), ("fr", "dark"), ("it", "light"), ("ja", "dark")]
)
def test_axe_finds_nothing(app: Flask, base: str, phone: Opens, lang: str, scheme: str) -> None:
    table = Table(app).play_until("enemy-raid-player-reaction")
    page = phone(lang, color_scheme=scheme, bypass_csp=True)
    table.seat(page.context, base)
    for address in screens(table):
        page.goto(address)
        page.evaluate("scrollTo(0, 0)")  # what lies half under the bar is no small target
        found = Axe().run(page, options=RULES)
        assert found.violations_count == 0, f"{address}: {found.generate_report()}"


@pytest.mark.parametrize("lang", ["en", "fr", "it", "ja"])
def test_nothing_scrolls_sideways_on_the_smallest_phone(
    app: Flask, base: str, phone: Opens, lang: str
) -> None:
    table = Table(app).play_until("enemy-raid-player-reaction")
    page = phone(lang, viewport={"width": 320, "height": 640})
    table.seat(page.context, base)
    for address in screens(table):
        page.goto(address)
        assert page.evaluate("document.documentElement.scrollWidth") <= 320, (address, page.evaluate(WIDE))


def test_nothing_scrolls_sideways_with_large_letters(app: Flask, base: str, phone: Opens) -> None:
    table = Table(app).play_until("enemy-raid-player-reaction")
    page = phone(viewport={"width": 390, "height": 844}, bypass_csp=True)
    table.seat(page.context, base)
    for address in screens(table):
        page.goto(address)
        page.add_style_tag(content="html { font-size: 200% !important }")
        assert page.evaluate("document.documentElement.scrollWidth") <= 390, (address, page.evaluate(WIDE))


def test_targets_are_large_enough(app: Flask, base: str, phone: Opens) -> None:
    table = Table(app).play_until("enemy-raid-player-reaction")
    page = phone()
    table.seat(page.context, base)
    for address in screens(table):
        page.goto(address)
        small = page.evaluate(
            """() => [...document.querySelectorAll('a, button, summary, input:not([type=hidden])')]
            .filter((one) => one.offsetParent && !one.classList.contains('skip'))
            .map((one) => [one.outerHTML.slice(0, 120), one.getBoundingClientRect()])
            .filter(([_, box]) => box.height < 24 || box.width < 24).map(([text]) => text)"""
        )
        assert not small, (address, small)
        answers = page.evaluate(
            "() => [...document.querySelectorAll('#ask button')].map((one) => one.getBoundingClientRect().height)"
        )
        assert all(height >= 48 for height in answers)


def _drawn(page: Page, sign: str) -> bytes:
    page.set_content(f"<p id=sign style='font: 48px system-ui; width: 60px'>{sign}</p>")
    return page.locator("#sign").screenshot()


def test_kanji_are_no_empty_boxes(phone: Opens) -> None:
    page = phone("ja")
    assert _drawn(page, "襲") != _drawn(page, "撃")
