"""The table of the page's design, line by line: taps, bytes, requests, sizes of targets and letters, contrast."""

from __future__ import annotations

import re
from itertools import combinations
from pathlib import Path

import pytest
from flask import Flask
from playwright.sync_api import Page, Request, expect

from service import search
from service.pages import draw, statics
from tests.browser import test_looks, test_table
from tests.browser.conftest import Opens
from tests.browser.tables import Table
from tests.browser.test_conversation import Hand, raid
from tests.browser.test_table import REACTION
from tests.pages.test_tables import CROWDED, begun

KILOBYTE = 1_000
CSS = Path(statics.HERE / "page.css")


def opened(app: Flask, page: Page, base: str, path: str = "") -> Table:
    """A play in the middle of an Enemy Raid."""
    table = Table(app).play_until(REACTION)
    table.open(page, base, path)
    return table


# -- taps --------------------------------------------------------------------------------------------


def test_the_rule_behind_an_answer_is_one_tap_away_and_focus_returns(
    app: Flask, base: str, phone: Opens
) -> None:
    page = phone()
    opened(app, page, base)
    link = page.locator("#main a.rule").first
    link.click()
    sheet = page.locator("#sheet")
    expect(sheet).to_be_visible()
    expect(sheet.locator("h1")).not_to_be_empty()
    page.keyboard.press("Escape")
    expect(sheet).not_to_be_visible()
    expect(link).to_be_focused()


def test_undo_and_going_on_are_one_tap(app: Flask, base: str, phone: Opens) -> None:
    page = phone()
    table = opened(app, page, base)
    version = table.state["version"]
    page.locator("#dock .undo").click()
    expect(page.locator(f"input[name=after][value='{version + 1}']").first).to_be_attached()
    page.goto("/")
    page.locator("a.card").first.click()
    expect(page).to_have_url(f"{base}/play/{table.id}")
    expect(page.locator("#q")).to_be_visible()


def test_a_number_is_put_right_in_three_taps(app: Flask, base: str, phone: Opens) -> None:
    page = phone()
    opened(app, page, base)
    page.locator("#dock .go-table").click()
    page.locator("#tracks a").first.click()
    page.get_by_role("button", name="9", exact=True).click()
    expect(page.locator("#tracks b").first).to_have_text("9")


def test_a_rule_is_its_words_and_one_tap(phone: Opens) -> None:
    search.warm()  # as a server is before it is asked
    page = phone("it")
    page.goto("/rules/navajo-wars")
    page.get_by_role("searchbox").press_sequentially("imboscata", delay=5)
    hit = page.locator("#hits .hit").first
    expect(hit).to_contain_text("mboscata")
    hit.click()
    expect(page.locator("h1#q")).to_contain_text("mboscata")


def test_a_second_phone_reads_at_once_and_plays_after_one_tap(app: Flask, base: str, phone: Opens) -> None:
    one, two = phone("it"), phone("ja")
    table = opened(app, one, base, "/share")
    looking = one.locator(".address a").first.inner_text()
    two.goto(looking)
    expect(two.locator("#q")).to_be_visible()
    assert not two.locator("#ask button[name=answer]").count()
    one.get_by_role("button", name="Crea un codice").click()
    joining = one.locator("p.address").last.inner_text()
    two.goto(joining)
    two.get_by_role("button", name="参加する").click()
    expect(two.locator("#ask button[name=answer]").first).to_be_visible()
    expect(two).to_have_url(f"{base}/play/{table.id}")


# -- on the wire -------------------------------------------------------------------------------------


@pytest.mark.parametrize(("path", "most"), [("", 90), ("/table", 110), ("/chart", 90)])
def test_the_first_load_is_small(app: Flask, base: str, phone: Opens, path: str, most: int) -> None:
    page = phone("ja")
    table = Table(app).play_until(REACTION)
    table.seat(page.context, base)
    asked: list[tuple[str, int, int]] = []
    page.on(
        "requestfinished",
        lambda one: asked.append((one.url, len(one.response().body()), one.sizes()["responseBodySize"])),  # type: ignore[union-attr]
    )
    page.goto(f"/play/{table.id}{path}", wait_until="networkidle")
    asked = [one for one in asked if not one[0].startswith("data:")]
    assert len(asked) <= 4, asked
    assert all(url.startswith(base) for url, _, _ in asked)
    assert sum(raw for _, raw, _ in asked) <= most * KILOBYTE
    assert sum(packed for _, _, packed in asked) <= 30 * KILOBYTE


def test_an_answer_is_small_on_the_wire(app: Flask, base: str, phone: Opens) -> None:
    table, answers = raid(app)
    page = phone("ja")
    table.open(page, base)
    hand = Hand(page)
    # Looking for news every five seconds is no part of an answer: it brings the page to a phone that has been asleep.
    sizes: dict[str, list[int]] = {"POST": [], "GET": []}
    began: set[Request] = set()  # what belongs to the first load may be said to be over only now

    def begins(one: Request) -> None:
        began.add(one)

    def ends(one: Request) -> None:
        if one in began and "/news" not in one.url:
            sizes[one.method].append(one.sizes()["responseBodySize"])

    page.on("request", begins)
    page.on("requestfinished", ends)
    for one in answers:
        hand.give(one)
    while min(map(len, sizes.values())) < len(answers):  # the last may be over after its page is shown
        page.wait_for_timeout(50)
    sent, shown = sizes.values()
    assert len(sent) == len(shown) == len(answers), str(sizes)
    assert min(shown) > 0, str(sizes)
    assert max(sent) + max(shown) <= 5 * KILOBYTE, str(sizes)


# -- sizes -------------------------------------------------------------------------------------------

SMALL_LETTERS = """() => {
  const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT), found = [];
  while (walk.nextNode()) {
    const one = walk.currentNode.parentElement, box = one.getBoundingClientRect();
    if (!walk.currentNode.textContent.trim() || !box.width || one.closest('.unseen, .skip, script, details:not([open]) > :not(summary)')) continue;
    const strip = one.closest('svg.strip'), scale = strip ? strip.getBoundingClientRect().width / 366 : 1;
    const size = parseFloat(getComputedStyle(one).fontSize) * scale;
    const least = one.closest('svg.strip, .places') ? 12 : 14;
    if (size < least - .05) found.push([size, one.outerHTML.slice(0, 100)]);
  }
  return found;
}"""


def test_letters_are_large_enough(app: Flask, base: str, phone: Opens) -> None:
    search.warm()  # as a server is before it is asked
    page = phone()
    shared, others = test_looks.screens(app, base, page), test_table.screens(app, base, page)
    for address in (*shared, *others):
        page.goto(address)
        assert not (small := page.evaluate(SMALL_LETTERS)), (address, small)
        if page.locator("#ask").count():
            size = page.evaluate("parseFloat(getComputedStyle(document.querySelector('#q')).fontSize)")
            assert 19 <= size <= 20


def test_cells_of_the_table_are_targets(app: Flask, base: str, phone: Opens) -> None:
    page = phone()
    opened(app, page, base, "/table")
    sizes = page.evaluate(
        "[...document.querySelectorAll('.strip a.cell')].map((one) => one.getBoundingClientRect()).map((box) => [box.width, box.height])"
    )
    assert len(sizes) == 54
    assert all(width >= 44 and height >= 44 for width, height in sizes), sizes


def test_places_to_answer_with_are_targets(base: str, phone: Opens) -> None:
    page = phone()
    page.goto("/may/navajo-wars/evade?/action/family=C")
    cells = page.evaluate(
        "[...document.querySelectorAll('.places button')].map((one) => one.getBoundingClientRect()).map((box) => [box.width, box.height])"
    )
    assert len(cells) == 53
    assert all(width >= 44 and height >= 44 for width, height in cells)
    bottom = page.locator(".places").last.bounding_box()
    assert bottom
    assert bottom["y"] + bottom["height"] <= 844, "all of them on one screen"


def test_every_counter_in_one_area_overflows_nothing(app: Flask, base: str, phone: Opens) -> None:
    browser = begun(app, position=CROWDED)
    page = phone()
    page.goto(f"/play/{browser.play}/table")
    outside = page.evaluate(
        """() => [...document.querySelectorAll('.strip a.cell')].flatMap((cell) => {
            const frame = cell.querySelector('.touch, .frame').getBoundingClientRect();
            return [...cell.querySelectorAll('text, path, rect, circle, ellipse')].filter((one) => {
              const box = one.getBoundingClientRect();
              return box.left < frame.left - 1.5 || box.right > frame.right + 1.5 || box.bottom > frame.bottom + 1.5 || box.top < frame.top - 1.5;
            }).map((one) => one.outerHTML.slice(0, 120));
        })"""
    )
    assert not outside


# -- contrast ----------------------------------------------------------------------------------------


def tokens(scheme: str) -> dict[str, tuple[int, int, int]]:
    """The colours of a scheme, as the style sheet sets them."""
    light, dark = re.findall(r":root \{(.*?)\}", CSS.read_text(encoding="utf-8"), re.DOTALL)[:2]
    text = light if scheme == "light" else light + dark
    found = {}
    for name, value in re.findall(r"--(\w[\w-]*): #([0-9a-f]{3,6});", text):
        digits = value if len(value) == 6 else "".join(one * 2 for one in value)
        found[name] = tuple(int(digits[place : place + 2], 16) for place in (0, 2, 4))
    return found  # type: ignore[return-value]  # three each


def contrast(one: tuple[int, int, int], other: tuple[int, int, int]) -> float:
    """As WCAG counts it."""

    def light(colour: tuple[int, int, int]) -> float:
        parts = [part / 255 for part in colour]
        linear = [part / 12.92 if part <= 0.03928 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]

    high, low = sorted((light(one), light(other)), reverse=True)
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_words_and_signs_stand_out(scheme: str) -> None:
    colour = tokens(scheme)
    for ground in ("ground", "paper", "pale"):
        for word in ("ink", "soft", "ours", "bad", "good", "open"):
            assert contrast(colour[word], colour[ground]) >= 4.5, (word, ground)
        for sign in ("ours", "theirs", "open", "soft"):
            assert contrast(colour[sign], colour[ground]) >= 3, (sign, ground)
    assert contrast(colour["mark-ink"], colour["mark"]) >= 4.5
    assert contrast(colour["paper"], colour["ours"]) >= 4.5
    assert contrast(colour["paper"], colour["theirs"]) >= 4.5


GREY = """(signs) => Promise.all(signs.map(async (svg) => {
  const picture = new Image(22, 20);
  picture.src = 'data:image/svg+xml,' + encodeURIComponent(svg.replace('<svg', '<svg xmlns="http://www.w3.org/2000/svg"'));
  await picture.decode();
  const canvas = Object.assign(document.createElement('canvas'), { width: 66, height: 60 }), ink = canvas.getContext('2d');
  ink.filter = 'grayscale(1)';
  ink.fillStyle = '#fff'; ink.fillRect(0, 0, 66, 60); ink.drawImage(picture, 0, 0, 66, 60);
  return [...ink.getImageData(0, 0, 66, 60).data].filter((_, place) => place % 4 === 0);
}))"""
STYLE = (
    "<style>.theirs-filled{fill:#777}.theirs-open,.theirs-line,.ours-open,.ours-line{fill:none;stroke:#777;stroke-width:2}"
    ".theirs-dashed{fill:none;stroke:#777;stroke-width:1.5;stroke-dasharray:3 2}</style>"
)


def test_signs_are_told_apart_in_grey(phone: Opens) -> None:
    """Drawn in one grey: any two differ in at least one of twenty pixels of the larger one."""
    page = phone(bypass_csp=True)
    page.goto("/")
    drawn = [str(draw.sign(one)).replace(">", f">{STYLE}", 1) for one in draw.SIGNS]
    pixels = dict(zip(draw.SIGNS, page.evaluate(GREY, drawn), strict=True))
    for (one, first), (other, second) in combinations(pixels.items(), 2):
        inked = max(sum(value < 200 for value in picture) for picture in (first, second))
        apart = sum(abs(a - b) > 60 for a, b in zip(first, second, strict=True))
        assert inked > 100, "something is drawn"
        assert apart > inked * 0.2, (one, other, apart, inked)
