"""“May I …?” in a real Chromium: how many taps it takes from the home page to the ruling, and what is pale on the pad."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from flask import Flask
from playwright.sync_api import Locator, Page, expect

from service.terms import LANGUAGES
from tests.browser.conftest import PHONE, Opens
from tests.pages.test_here import RAID
from tests.pages.test_tables import begun
from tests.pages.test_taps import ASKED, MOST, Asking

ENTERING = {
    **RAID,
    "families": {"C": {**RAID["families"]["C"], "at": "hopi-land-2"}},
    "santa_fe": {"raid": 3},
    "agenda": [{"procedure": "enemy-raid", "step": "placement", "memory": {"entered": "shiprock-4"}}],
}


class Finger:
    """Taps what is in view or can be scrolled to, and counts."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.taps = 0

    def tap(self, what: Locator) -> None:
        """Tap something that leads to another page."""
        before = self.page.url
        what.click()
        self.taps += 1
        self.page.wait_for_function("before => location.href !== before", arg=before)
        self.page.wait_for_load_state()

    def give(self, value: Any) -> None:
        """Tap the answer that says this."""
        buttons = self.page.locator("form.ask button[name=answer]")
        values = buttons.evaluate_all("all => all.map((one) => one.value)")
        self.tap(buttons.nth([json.loads(one) for one in values].index(value)))


def ruled(page: Page, game: str, kind: str, answers: dict[str, Any]) -> Finger:
    """From the home page to a ruling, by what is asked on the way."""
    finger = Finger(page)
    page.goto("/")
    finger.tap(page.locator(f"main a[href='/may/{game}']"))
    finger.tap(page.locator(f"main a[href='/may/{game}/{kind}']"))
    for _ in range(MOST):
        if page.locator(".said.legal, .said.illegal").count():
            return finger
        question = page.locator("#q").inner_text()
        finger.give(next(value for begins, value in answers.items() if question.startswith(begins)))
    raise AssertionError("no ruling")


@pytest.mark.parametrize("what", ASKED)
def test_a_ruling_takes_few_taps_and_no_typing(phone: Opens, what: str) -> None:
    game, kind, answers, most = ASKED[what]
    page = phone(has_touch=True)
    finger = ruled(page, game, kind, answers)
    expect(page.locator(".said.legal").first).to_contain_text("✓ Allowed")
    assert finger.taps <= most


@pytest.fixture(scope="module")
def questions(app: Flask) -> list[str]:
    """The address of every question on the way to these rulings."""
    found = []
    for game, kind, answers, _ in ASKED.values():
        asking = Asking(app, game, kind, answers)
        found.append(asking.base)
        while not asking.ruling:
            asking.answer()
            found.append(asking.browser.address)
    return found


BOTTOM = "[...document.querySelectorAll('form.ask')].map((one) => one.getBoundingClientRect().bottom)"


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_question_is_seen_with_its_answers(phone: Opens, questions: list[str], lang: str) -> None:
    """However much was told before; without script, which could scroll to it."""
    page = phone(lang, java_script_enabled=False)
    seen = 0
    for address in questions:
        page.goto(address)
        for bottom in page.evaluate(BOTTOM):
            assert bottom <= PHONE["height"], address
            seen += 1
    assert seen > 30, "one for each question"


def look_of(page: Page, name: str) -> Any:
    return page.get_by_role("button", name=name, exact=True).evaluate(
        "one => (({borderStyle, borderWidth, color}) => [borderStyle, borderWidth, color])(getComputedStyle(one))"
    )


def test_an_impossible_place_is_pale_and_a_tap_says_why(phone: Opens) -> None:
    game, kind, answers, _ = ASKED["harass"]
    page = phone()
    finger = ruled(page, game, kind, answers)
    expect(page.locator("#q")).to_contain_text("Which Area is it?")
    pale, plain = (
        look_of(page, "Shiprock\u00a0#3 · Enemy Raid counter × 1 (Not allowed)"),
        look_of(page, "Hopi Land\u00a0#2"),
    )
    assert pale[0] != plain[0], "told by its border, not only by its colour"
    assert look_of(page, "Shiprock\u00a0#5")[1] != plain[1]
    finger.give("shiprock-3")
    expect(page.locator(".said.illegal")).to_contain_text("Area Shiprock\u00a0#3 is not empty")
    page.go_back()
    finger.give("shiprock-5")
    expect(page.locator(".said.legal")).to_contain_text("A Harass counter is placed in Area Shiprock\u00a0#5")


@pytest.mark.parametrize("script", [True, False])
def test_in_a_play_too(app: Flask, base: str, phone: Opens, script: bool) -> None:
    browser = begun(app, position=ENTERING)
    cookie = browser.client.get_cookie("plays")
    assert cookie
    page = phone(java_script_enabled=script)
    page.context.add_cookies([{"name": "plays", "value": cookie.value, "url": base}])
    page.goto(f"/play/{browser.play}")
    asked = page.locator("#q").inner_text()
    assert page.locator("#ask .pale").count() == 1
    page.get_by_role("button", name=re.compile(r"^Shiprock.#4 · .*Not allowed")).click()
    expect(page.locator(".said.illegal")).to_contain_text("it holds a Raid counter already")
    expect(page.locator("#q")).to_have_text(asked)
    page.get_by_role("button", name="Shiprock\u00a0#3", exact=True).click()
    expect(page.locator(".said.legal")).to_contain_text("Shiprock\u00a0#3")
