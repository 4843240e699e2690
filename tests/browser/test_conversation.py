"""The conversation in a real Chromium: a whole Raid by tapping, back and forth, two phones, no connection, keys."""

from __future__ import annotations

import json
from pathlib import Path
from threading import Thread
from typing import Any

import pytest
from flask import Flask
from playwright.sync_api import Browser, Locator, Page, expect
from werkzeug.serving import make_server

from service.app import create_app
from tests.browser.conftest import PHONE, Opens
from tests.browser.tables import Table, before_raid
from tests.pages.tapping import bare
from tests.pages.test_here import RAID
from tests.pages.test_tables import begun

ANSWERS = 8


class Hand:
    """A hand that taps what it sees, and counts."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.taps = 0

    def tap(self, button: Locator) -> None:
        """Tap something that is in view: between the bar and the dock, without scrolling."""
        box = button.bounding_box()
        bar = self.page.locator("#bar").bounding_box()
        dock = self.page.locator("#dock").bounding_box()
        assert box, "it is not shown"
        assert bar
        assert dock
        inside = bar["y"] + bar["height"] <= box["y"] + 1 and box["y"] + box["height"] <= dock["y"] + 1
        assert inside, f"{button.inner_text()!r} has to be scrolled to: {box}"
        assert box["height"] >= 48
        version = self.version
        at = self.page.url
        button.tap() if self.page.evaluate("'ontouchstart' in window") else button.click()
        self.taps += 1
        self.page.wait_for_function(
            "([version, at]) => document.querySelector('input[name=after]')?.value !== version || location.href !== at",
            arg=[version, at],
        )

    @property
    def version(self) -> str:
        """The version of the play that is looked at."""
        return str(self.page.locator("input[name=after]").first.input_value())

    def give(self, value: Any) -> None:
        """Answer with as many taps as it takes."""
        if isinstance(value, list):
            for place, face in enumerate(value[:-1]):
                self.page.locator(f"input[name=die-{place}][value='{face}']").check(force=True)
                self.taps += 1
            version = self.version
            self.page.locator(f"input[name=die-{len(value) - 1}][value='{value[-1]}']").click(force=True)
            self.taps += 1
            if not self.scripted:
                self.page.locator("#ask .main").click()
                self.taps += 1
            self.page.wait_for_function(
                "v => document.querySelector('input[name=after]')?.value !== v", arg=version
            )
            return
        for button in self.page.locator("#ask button[name=answer]").all():
            if bare(json.loads(button.get_attribute("value") or "null")) == bare(value):
                self.tap(button)
                return
        raise AssertionError(f"{value} is not offered")

    scripted = True


def raid(app: Flask) -> tuple[Table, list[Any]]:
    """A Raid of the golden game, and the eight answers to it."""
    table = Table(app).play_on(before_raid(ANSWERS))
    return table, [next(iter(one.values())) for one in table.rest()[:ANSWERS]]


@pytest.mark.parametrize("script", [True, False])
def test_a_raid_of_eight_answers(app: Flask, base: str, phone: Opens, script: bool) -> None:
    table, answers = raid(app)
    page = phone(java_script_enabled=script)
    table.open(page, base)
    hand = Hand(page)
    hand.scripted = script
    if not script:
        _without_script(page, table, answers)
        return
    for one in answers:
        hand.give(one)
        expect(page.locator("#q")).to_be_focused()
    assert hand.taps <= 12
    under_way = [frame.procedure for frame in table.state["pending"].frames]
    assert "enemy-raid" not in under_way, "the Raid is over"


def _without_script(page: Page, table: Table, answers: list[Any]) -> None:
    """The same with plain forms: every answer is a new page."""
    for one in answers:
        before = table.state["version"]
        for button in page.locator("#ask button[name=answer]").all():
            if bare(json.loads(button.get_attribute("value") or "null")) == bare(one):
                button.click()
                break
        else:
            raise AssertionError(f"{one} is not offered")
        page.wait_for_load_state()
        assert table.state["version"] == before + 1


def test_each_answer_is_said(app: Flask, base: str, phone: Opens) -> None:
    table, answers = raid(app)
    page = phone()
    table.open(page, base)
    before = page.locator("#live").text_content()
    Hand(page).give(answers[0])
    assert page.locator("#live").text_content() != before


def test_undo_redo_and_reload(app: Flask, base: str, phone: Opens) -> None:
    table, answers = raid(app)
    page = phone()
    table.open(page, base)
    first = page.locator("#q").inner_text()
    Hand(page).give(answers[0])
    second = page.locator("#main").inner_text()
    page.locator("#dock .undo").click()
    expect(page.locator("#dock .redo")).to_be_visible()
    assert page.locator("#q").inner_text() == first
    page.locator("#dock .redo").click()
    expect(page.locator("#dock .redo")).to_have_count(0)
    assert page.locator("#main").inner_text() == second
    page.reload()
    assert page.locator("#main").inner_text() == second


def seen_first(page: Page) -> bool:
    """Is what was said last in view, from its first word?"""
    bar, said = page.locator("#bar").bounding_box(), page.locator("#main > .said").last.bounding_box()
    assert bar
    assert said
    return said["y"] >= bar["y"] + bar["height"] - 1


def test_what_came_of_an_answer_is_seen_above_a_long_question(app: Flask, base: str, phone: Opens) -> None:
    table, answers = raid(app)
    page = phone(viewport={"width": 390, "height": 480})
    table.open(page, base)
    for one in answers:
        for button in page.locator("#ask button[name=answer]").all():
            if bare(json.loads(button.get_attribute("value") or "null")) == bare(one):
                version = Hand(page).version
                button.click()
                expect(page.locator(f"input[name=after][value='{version}']")).to_have_count(0)
                break
        expect(page.locator("#q")).to_be_focused()
        assert seen_first(page), page.locator("#main").inner_text()
        page.reload()
        assert seen_first(page)


def test_two_phones_on_one_play(app: Flask, base: str, phone: Opens) -> None:
    table, answers = raid(app)
    one, two = phone("en"), phone("ja")
    table.open(one, base)
    table.open(two, base)
    stale = two.locator("#ask button[name=answer]").nth(1)
    Hand(one).give(answers[0])
    stale.click()
    expect(two.locator(".said.open")).to_be_visible()
    two.goto(f"/play/{table.id}")
    assert Hand(one).version == Hand(two).version
    Hand(one).give(answers[1])
    expect(two.locator(f"input[name=after][value='{table.state['version']}']").first).to_be_attached()


def test_the_language_changes_and_the_place_stays(app: Flask, base: str, phone: Opens) -> None:
    table, _ = raid(app)
    page = phone()
    table.open(page, base)
    page.locator("#bar summary").first.click()
    page.locator("button[value=ja]").click()
    expect(page.locator("html")).to_have_attribute("lang", "ja")
    assert page.url == f"{base}/play/{table.id}"
    assert Hand(page).version == str(table.state["version"])


def test_without_a_connection_nothing_is_lost(app: Flask, base: str, phone: Opens) -> None:
    table, _ = raid(app)
    page = phone()
    table.open(page, base)
    button = page.locator("#ask button[name=answer]").first
    page.context.set_offline(True)
    button.click()
    expect(page.locator("#failed")).to_contain_text("not sent")
    expect(button).to_be_enabled()
    page.context.set_offline(False)
    button.click()
    expect(page.locator("#failed")).to_have_count(0)


def pressed(page: Page, value: Any) -> None:
    """Answer with keys alone: the number of the answer, or Tab as far as it takes and Enter."""
    version = Hand(page).version
    if isinstance(value, list):  # dice
        for place, face in enumerate(value):
            first = page.locator(f"input[name=die-{place}]").first
            first.focus()
            page.keyboard.press("Space")
            for _ in range(face - 1):
                page.keyboard.press("ArrowRight")
        if page.locator("#ask .main").is_visible():
            page.locator("#ask .main").press("Enter")
    else:
        offered = [
            bare(json.loads(one.get_attribute("value") or "null"))
            for one in page.locator("#ask button[name=answer]").all()
        ]
        number = offered.index(bare(value)) + 1
        if number <= 9:
            page.keyboard.press(str(number))
        else:
            for _ in range(60):
                page.keyboard.press("Tab")
                if bare(json.loads(page.evaluate("document.activeElement.value") or "null")) == bare(value):
                    break
            page.keyboard.press("Enter")
    expect(page.locator(f"input[name=after][value='{version}']")).to_have_count(0)


def test_a_raid_by_keyboard_alone(app: Flask, base: str, phone: Opens) -> None:
    table, answers = raid(app)
    page = phone()
    table.open(page, base)
    for one in answers:
        pressed(page, one)
        expect(page.locator("#q")).to_be_focused()
    under_way = [frame.procedure for frame in table.state["pending"].frames]
    assert "enemy-raid" not in under_way, "the Raid is over"
    page.keyboard.press("u")
    expect(page.locator("#dock .redo")).to_be_visible()
    page.keyboard.press("?")
    expect(page.locator("#sheet")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.locator("#sheet")).not_to_be_visible()


def test_a_slow_answer_shows_that_it_is_under_way(app: Flask, base: str, phone: Opens) -> None:
    table, _ = raid(app)
    page = phone()
    table.open(page, base)
    page.route("**/answers", lambda route: (page.wait_for_timeout(900), route.continue_())[1])  # type: ignore[func-returns-value]
    button = page.locator("#ask button[name=answer]").first
    version = Hand(page).version
    page.evaluate(
        "new MutationObserver((all) => all.forEach(() => { if (document.body.className.includes('slow')) window.wasSlow = true; })).observe(document.body, { attributes: true })"
    )
    button.click()
    expect(page.locator(f"input[name=after][value='{version}']")).to_have_count(0)
    assert page.evaluate("window.wasSlow") is True
    expect(page.locator("body")).not_to_contain_class("slow")


def test_a_server_that_starts_again_loses_nothing(window: Browser, tmp_path: Path) -> None:
    """Reload and restart in the middle of a Raid, on the same address."""
    settings = {"STORE": f"sqlite:///{tmp_path}/plays.db", "PLAYS_PER_ADDRESS": 100_000}
    app = create_app(settings)
    server = make_server("127.0.0.1", 0, app, threaded=True)
    port = server.server_port
    thread = Thread(target=server.serve_forever, daemon=True)
    thread.start()
    table, answers = raid(app)
    context = window.new_context(base_url=f"http://127.0.0.1:{port}", locale="en", viewport=PHONE)
    page = context.new_page()
    table.open(page, f"http://127.0.0.1:{port}")
    Hand(page).give(answers[0])
    asked = page.locator("#q").inner_text()
    server.shutdown()
    server.server_close()
    thread.join()
    app.extensions["ruleglot-plays"].store.close()
    page.locator("#ask button[name=answer]").first.click()
    expect(page.locator("#failed")).to_contain_text("not sent")
    again = create_app(settings)
    server = make_server("127.0.0.1", port, again, threaded=True)
    Thread(target=server.serve_forever, daemon=True).start()
    page.reload()
    assert page.locator("#q").inner_text() == asked
    Hand(page).give(answers[1])
    expect(page.locator("#failed")).to_have_count(0)
    context.close()
    server.shutdown()
    again.extensions["ruleglot-plays"].store.close()


def test_an_option_that_chance_decides_has_its_chances(app: Flask, base: str, phone: Opens) -> None:
    table = Table(app).play_until("enemy-raid-player-reaction")
    page = phone()
    table.open(page, base)
    assert not page.locator(".chancy").count(), "to harass needs no die"
    browser = begun(app, position=RAID)
    page.context.add_cookies(
        [{"name": "plays", "value": browser.client.get_cookie("plays").value, "url": base}]
    )  # type: ignore[union-attr]
    page.goto(f"/play/{browser.play}")
    row = page.locator(".chancy", has_text="Evade")
    row.locator("a").click()
    expect(page.locator("#sheet .odds").first).to_contain_text("%")
    page.keyboard.press("Escape")
    expect(row.locator("a")).to_be_focused()


def test_a_wide_screen_has_the_table_beside_the_conversation(app: Flask, base: str, phone: Opens) -> None:
    table, answers = raid(app)
    page = phone(viewport={"width": 1280, "height": 800})
    table.open(page, base)
    beside = page.locator("#beside .strip")
    expect(beside.first).to_be_visible()
    assert beside.count() == 7
    Hand(page).give(answers[0])
    expect(beside.first).to_be_visible()
    page.set_viewport_size(PHONE)
    expect(page.locator("#beside")).not_to_be_visible()


def test_print_has_no_dock(app: Flask, base: str, phone: Opens) -> None:
    table, _ = raid(app)
    page = phone()
    table.open(page, base, "/report")
    page.emulate_media(media="print")
    expect(page.locator("#dock")).not_to_be_visible()
    expect(page.locator("article")).to_be_visible()


def test_what_another_phone_did_is_seen_above_a_long_question(app: Flask, base: str, phone: Opens) -> None:
    table = Table(app).play_until("enemy-raid-player-reaction")
    page, other = phone(viewport={"width": 320, "height": 640}), phone()
    page.route("**/news?*", lambda route: route.fulfill(status=204))
    table.open(page, base)
    table.open(other, base)
    for name in ("undo", "redo"):
        with other.expect_response(lambda response, name=name: response.url.endswith(f"/{name}")):
            other.locator(f"#dock .{name}").click()
        expect(other.locator("#dock .redo")).to_have_count(1 if name == "undo" else 0)
    with page.expect_response(lambda response: response.status == 409):
        page.locator("#ask button").first.click()
    notice = page.locator("#main > .said.open")
    expect(notice).to_contain_text("another device")
    assert seen_first(page)
