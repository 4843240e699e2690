"""Every screen in a real Chromium: axe finds nothing, nothing scrolls sideways, targets are large, kanji are kanji."""

from __future__ import annotations

import pytest
from axe_playwright_python.sync_playwright import Axe
from flask import Flask
from playwright.sync_api import Page

from tests.browser.conftest import Opens
from tests.browser.tables import Combat, Table, seat

RULES = {"runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]}
PLAIN = ("/", "/play/new", "/play/import", "/join", "/keys")
OF_A_PLAY = ("", "?mode=do", "?earlier=10", "/share", "/report", "/copy")
OF_A_COMBAT = ("", "?mode=do", "/report", "/copy")  # of Julian
WIDE = """() => [...document.querySelectorAll('body *')]
  .filter((one) => one.getBoundingClientRect().right > innerWidth + 1 && getComputedStyle(one).position !== 'absolute')
  .map((one) => one.outerHTML.slice(0, 200))"""
SMALL = """() => [...document.querySelectorAll('a, button, summary, input:not([type=hidden])')]
  .filter((one) => one.offsetParent && !one.matches('.skip, p > .term'))
  .map((one) => [one.outerHTML.slice(0, 120), one.getBoundingClientRect()])
  .filter(([_, box]) => box.height < 24 || box.width < 24).map(([text]) => text)"""
LOW = """() => [...document.querySelectorAll('#ask button, .ask button')]
  .filter((one) => one.offsetParent && one.getBoundingClientRect().height < 48).map((one) => one.outerHTML.slice(0, 120))"""


def screens(app: Flask, base: str, page: Page) -> list[str]:
    """What both games share, of a play of each that this browser may answer."""
    table, combat = Table(app).play_until("enemy-raid-player-reaction"), Combat(app)
    seat(page.context, base, table, combat)
    of_a_play = [f"/play/{table.id}{path}" for path in OF_A_PLAY]
    return [*PLAIN, *of_a_play, *(f"/play/{combat.id}{path}" for path in OF_A_COMBAT)]


def check_sideways(page: Page, address: str, width: int) -> None:
    """Nothing is wider than the screen."""
    assert page.evaluate("document.documentElement.scrollWidth") <= width, (address, page.evaluate(WIDE))


def enlarge(page: Page) -> None:
    """Letters of twice their size, as somebody sets them who sees badly."""
    page.add_style_tag(content="html { font-size: 200% !important }")


def check_targets(page: Page, address: str) -> None:
    """Everything but words within a sentence can be tapped, and answers are higher than the rest."""
    assert not (small := page.evaluate(SMALL)), (address, small)
    assert not (low := page.evaluate(LOW)), (address, low)


@pytest.mark.parametrize(
    ("lang", "scheme"), [("en", "light"), ("fr", "dark"), ("it", "light"), ("ja", "dark")]
)
def test_axe_finds_nothing(app: Flask, base: str, phone: Opens, lang: str, scheme: str) -> None:
    page = phone(lang, color_scheme=scheme, bypass_csp=True)
    for address in screens(app, base, page):
        page.goto(address)
        page.evaluate("scrollTo(0, 0)")  # what lies half under the bar is no small target
        found = Axe().run(page, options=RULES)
        assert found.violations_count == 0, f"{address}: {found.generate_report()}"


@pytest.mark.parametrize("lang", ["en", "fr", "it", "ja"])
def test_nothing_scrolls_sideways_on_the_smallest_phone(
    app: Flask, base: str, phone: Opens, lang: str
) -> None:
    page = phone(lang, viewport={"width": 320, "height": 640})
    for address in screens(app, base, page):
        page.goto(address)
        check_sideways(page, address, 320)


@pytest.mark.parametrize("lang", ["en", "it"])
def test_nothing_scrolls_sideways_with_large_letters(app: Flask, base: str, phone: Opens, lang: str) -> None:
    page = phone(lang, bypass_csp=True)
    for address in screens(app, base, page):
        page.goto(address)
        enlarge(page)
        check_sideways(page, address, 390)


def test_targets_are_large_enough(app: Flask, base: str, phone: Opens) -> None:
    page = phone()
    for address in screens(app, base, page):
        page.goto(address)
        check_targets(page, address)


def _drawn(page: Page, sign: str) -> bytes:
    page.set_content(f"<p id=sign style='font: 48px system-ui; width: 60px'>{sign}</p>")
    return page.locator("#sign").screenshot()


def test_kanji_are_no_empty_boxes(phone: Opens) -> None:
    page = phone("ja")
    assert _drawn(page, "襲") != _drawn(page, "撃")
