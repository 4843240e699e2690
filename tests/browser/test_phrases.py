"""Lines of Japanese in a real Chromium: none ends inside a word of Katakana or Latin letters, none is too long."""

from __future__ import annotations

import pytest
from flask import Flask
from playwright.sync_api import Page

from tests.browser.conftest import Opens
from tests.browser.test_looks import check_sideways, screens

LOOKED_UP = (
    "/may/navajo-wars",
    "/may/navajo-wars/evade?/action/family=C&/families/C/at=shiprock-1&/areas/shiprock-1/raid=1",
    "/may/navajo-wars/harass?/action/family=A&/families/A/at=zuni-mountains-6&/families/A/man=true",
    "/rules/navajo-wars?q=Raidカウンター",
    "/rules/navajo-wars/nw:5.2.4",
    "/issues/navajo-wars/C14?may=evade",
    "/issues/julian",
    "/terms/navajo-wars",
)
PARTED = r"""() => {
  const found = [], texts = document.createTreeWalker(document.querySelector("main"), NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const text = texts.currentNode;
    if (!text.parentElement.closest(":lang(ja)") || text.parentElement.closest("svg, .address")) continue;
    for (const word of text.data.matchAll(/[ァ-ヺー]{2,}(?:#\d+)?|[A-Za-z]{2,}|\d+個/g)) {
      const range = document.createRange();
      range.setStart(text, word.index);
      range.setEnd(text, word.index + word[0].length);
      const lines = new Set([...range.getClientRects()].map((one) => Math.round(one.bottom)));
      if (lines.size > 1) found.push(text.data);
    }
  }
  return found;
}"""
IN_BOXES = """() => [...document.querySelectorAll("wbr, .whole")]
  .filter((one) => getComputedStyle(one).display !== "none" && /flex|grid/.test(getComputedStyle(one.parentElement).display))
  .map((one) => one.parentElement.outerHTML.slice(0, 200))"""
COPIED = """() => { getSelection().selectAllChildren(document.querySelector("main")); return getSelection().toString(); }"""


def open_folds(page: Page) -> None:
    page.evaluate("document.querySelectorAll('details').forEach((one) => { one.open = true; })")


@pytest.mark.parametrize("width", [320, 390])
def test_no_word_is_parted_and_nothing_is_too_wide(app: Flask, base: str, phone: Opens, width: int) -> None:
    page = phone("ja", viewport={"width": width, "height": 640})
    for address in (*screens(app, base, page), *LOOKED_UP):
        page.goto(address)
        open_folds(page)
        assert page.evaluate(PARTED) == [], address
        assert page.evaluate(IN_BOXES) == [], (address, "a text that is a box itself falls into pieces")
        check_sideways(page, address, width)


def names(page: Page) -> list[tuple[str, str]]:
    """What a screen reader is told of headings, answers and links."""
    nodes = page.context.new_cdp_session(page).send("Accessibility.getFullAXTree")["nodes"]
    told = [
        (one["role"]["value"], one["name"]["value"]) for one in nodes if "name" in one and not one["ignored"]
    ]
    return [one for one in told if one[0] in ("heading", "button", "link", "cell", "DisclosureTriangle")]


def test_what_is_copied_and_named_is_the_same(phone: Opens) -> None:
    page = phone("ja")
    for address in LOOKED_UP:
        page.goto(address)
        open_folds(page)
        before = page.evaluate(COPIED), names(page)
        assert "\u200b" not in before[0]
        page.evaluate("document.querySelectorAll('wbr').forEach((one) => one.remove())")
        page.evaluate("document.body.normalize()")
        assert (page.evaluate(COPIED), names(page)) == before, address
