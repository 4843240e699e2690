"""The table and everything around it in a real Chromium: looked at, put right, looked up, and asked about."""

from __future__ import annotations

import pytest
from axe_playwright_python.sync_playwright import Axe
from flask import Flask
from playwright.sync_api import Page, expect

from service import search
from tests.browser.conftest import Opens
from tests.browser.tables import Combat, Table, seat
from tests.browser.test_looks import RULES, check_sideways, check_targets, enlarge

ASKED = (
    "/may/navajo-wars/evade?/action/family=C&/families/C/at=shiprock-4&/period=spanish"
    '&/areas={"shiprock-4":{"raid":1}}&/families/C/ferocity=1'
)
PLAIN = (
    "/rules/navajo-wars",
    "/rules/navajo-wars?q=ambush",
    "/rules/navajo-wars/nw:5.2.4?and=ja",
    "/issues/navajo-wars/C12",
    "/terms/navajo-wars/nw.enemy_raid_counter",
    "/may/navajo-wars",
    "/may/navajo-wars/evade",
    ASKED,
    "/may/julian",
    "/may/julian/play-stratagem",
    "/may/julian/play-stratagem?/action/by=roman&/action/marker=dux&/action/use=leader",
    "/walk/navajo-wars?chart=enemy-raid",
    "/audit/navajo-wars",
)
OF_A_PLAY = (
    "/table",
    "/areas/hopi-land-4",
    "/families/C",
    "/boxes/active",
    "/boxes/raid_pool",
    "/boxes/cards",
    "/tracks/ap",
    "/chart",
    "/odds",
    "/audit",
)
OF_A_COMBAT = ("/table", "/boxes/roman", "/boxes/commands", "/boxes/combat", "/chart", "/odds", "/audit")
REACTION = "enemy-raid-player-reaction"
BROKEN = """() => [...document.querySelectorAll('.box-cell *, .member, .button, #dock a, #dock button')].flatMap((one) =>
  [...one.childNodes].filter((node) => node.nodeType === 3).flatMap((node) =>
    [...node.data.matchAll(/[ァ-ヺー]{2,}|[A-Za-zÀ-ÿ]{2,}/g)].filter((word) => {
      const range = document.createRange();
      range.setStart(node, word.index);
      range.setEnd(node, word.index + word[0].length);
      return new Set([...range.getClientRects()].map((box) => Math.round(box.top / 4))).size > 1;
    }).map((word) => word[0])))"""


@pytest.fixture(scope="module", autouse=True)
def _warm() -> None:
    """The indexes of the search, which a server makes before it is asked."""
    search.warm()


def screens(app: Flask, base: str, page: Page) -> list[str]:
    """Every address of the two games, of a play of each that this browser may answer."""
    table, combat = Table(app).play_until(REACTION), Combat(app)
    seat(page.context, base, table, combat)
    of_a_play = [f"/play/{table.id}{path}" for path in OF_A_PLAY]
    return [*PLAIN, *of_a_play, *(f"/play/{combat.id}{path}" for path in OF_A_COMBAT)]


@pytest.mark.parametrize(("lang", "scheme"), [("en", "dark"), ("ja", "light")])  # make pages: all of them
def test_axe_finds_nothing(app: Flask, base: str, phone: Opens, lang: str, scheme: str) -> None:
    page = phone(lang, color_scheme=scheme, bypass_csp=True)
    for address in screens(app, base, page):
        page.goto(address)
        found = Axe().run(page, options=RULES)
        assert found.violations_count == 0, f"{address}: {found.generate_report()}"


@pytest.mark.parametrize("lang", ["en", "fr", "it", "ja"])
def test_nothing_scrolls_sideways(app: Flask, base: str, phone: Opens, lang: str) -> None:
    page = phone(lang, viewport={"width": 320, "height": 640})
    for address in screens(app, base, page):
        page.goto(address)
        check_sideways(page, address, 320)


@pytest.mark.parametrize("lang", ["en", "ja"])
def test_nothing_scrolls_sideways_with_large_letters(app: Flask, base: str, phone: Opens, lang: str) -> None:
    page = phone(lang, bypass_csp=True)
    for address in screens(app, base, page):
        page.goto(address)
        enlarge(page)
        check_sideways(page, address, 390)


@pytest.mark.parametrize("width", [320, 390])
@pytest.mark.parametrize("lang", ["it", "ja"])
def test_no_word_of_a_cell_or_a_button_is_broken(
    app: Flask, base: str, phone: Opens, lang: str, width: int
) -> None:
    table, combat = Table(app).play_until(REACTION), Combat(app)
    page = phone(lang, viewport={"width": width, "height": 640})
    seat(page.context, base, table, combat)
    tables = [f"/play/{one.id}/table" for one in (table, combat)]
    for address in (*tables, "/may/navajo-wars", "/may/julian", "/"):
        page.goto(address)
        assert page.evaluate(BROKEN) == [], address


def test_targets_are_large_enough(app: Flask, base: str, phone: Opens) -> None:
    page = phone()
    for address in screens(app, base, page):
        page.goto(address)
        check_targets(page, address)


def test_a_number_is_put_right_and_taken_back(app: Flask, base: str, phone: Opens) -> None:
    table = Table(app).play_until(REACTION)
    page = phone()
    table.open(page, base, "/table")
    before = page.locator("#tracks b").first.inner_text()
    page.locator("#tracks a").first.click()
    page.get_by_role("button", name="17", exact=True).click()
    expect(page.locator("#tracks b").first).to_have_text("17")
    expect(page.locator("#tracks li").first).to_contain_class("changed")
    with page.expect_response(lambda response: response.url.endswith("/undo")):
        page.locator("#dock .undo").click()
    page.goto(f"/play/{table.id}/table")
    expect(page.locator("#tracks b").first).to_have_text(before)


def test_a_cell_is_opened_and_put_right(app: Flask, base: str, phone: Opens) -> None:
    table = Table(app).play_until(REACTION)
    page = phone()
    table.open(page, base, "/table")
    page.get_by_role("link", name="Black Mesa\u00a0#6").click()
    expect(page.locator("h1#q")).to_have_text("Black Mesa\u00a0#6")
    corn = page.locator(".fact", has=page.get_by_role("heading", name="Corn counter"))
    corn.get_by_role("button", name="yes").click()
    expect(corn.get_by_role("heading")).to_have_text("Corn counter: yes")
    page.locator("#dock .go-table").click()
    expect(page.get_by_role("link", name="Black Mesa\u00a0#6: Corn counter")).to_be_visible()


def test_rules_are_suggested_while_typing(phone: Opens) -> None:
    page = phone()
    page.goto("/rules/navajo-wars")
    page.get_by_role("searchbox").press_sequentially("how much is an ambush", delay=5)
    expect(page.locator("#hits .hit").first).to_contain_text("Ambush")
    page.locator("#hits .hit").first.click()
    expect(page.locator("h1#q")).to_contain_text("Ambush")


@pytest.mark.parametrize("script", [True, False])
def test_a_rule_is_found_and_opened(phone: Opens, script: bool) -> None:
    page = phone(java_script_enabled=script)
    page.goto("/rules/navajo-wars")
    page.get_by_role("searchbox").fill("5.2.4")
    page.get_by_role("button", name="Search").click()
    page.locator("#hits .hit").first.click()
    assert "/rules/navajo-wars/nw%3A5.2.4" in page.url
    expect(page.locator("h1#q")).to_contain_text("Evade")


@pytest.mark.parametrize("script", [True, False])
def test_may_i_raid_new_mexico(phone: Opens, script: bool) -> None:
    page = phone(java_script_enabled=script)
    page.goto("/may/navajo-wars")
    page.get_by_role("link", name="Raid New Mexico").click()
    page.get_by_role("button", name="Family C").click()
    expect(page.locator(".said")).to_contain_text("It depends")
    expect(page.locator("#q")).to_contain_text("Military Points")  # which decide wherever the Family is
    page.locator("button[name=answer][value='0']").click()
    expect(page.locator(".said")).to_contain_text("✗ Not allowed: Raid New Mexico")
    expect(page.locator(".said a.rule").first).to_be_visible()
    page.go_back()
    expect(page.locator(".said")).to_contain_text("It depends")


def test_the_chart_shows_where_one_is(app: Flask, base: str, phone: Opens) -> None:
    table = Table(app).play_until(REACTION)
    page = phone()
    table.open(page, base, "/chart")
    expect(page.locator("[aria-current=step]")).to_contain_text("Does one Family react?")
    assert page.locator(".row.done").count() > 0


def test_a_table_is_walked_into(phone: Opens) -> None:
    page = phone()
    page.goto("/walk/navajo-wars?chart=enemy-raid")
    page.get_by_role("button", name="Does one Family react?").click()
    page.wait_for_url("**/play/*")
    expect(page.locator("#q")).not_to_be_empty()
