"""What was chosen of an answer and not sent yet is a part of the address, and comes back from wherever one looks."""

from __future__ import annotations

import pytest
from flask import Flask

from service.pages import walks
from tests.pages.browser import Browser
from tests.pages.test_here import RAID
from tests.pages.test_tables import begun

PLACES = ("shiprock-2", 1, "san-juan-valley-2", 1, "canyon-de-chelly-2", 1)
MORE = {"more": True}


def at_the_list(app: Flask, lang: str = "en") -> Browser:
    """Scenario 14.1, where a list is asked for item by item."""
    browser = Browser(app.test_client(), lang)
    browser.begin(scenario="14.1")
    for answer in PLACES:
        browser.answer(answer)
    browser.answer(MORE)
    return browser


@pytest.mark.parametrize("ways", [("table",), ("chart",), ("table", "chart", "table")])
def test_half_an_answer_survives_a_look_elsewhere(app: Flask, ways: tuple[str, ...]) -> None:
    browser = at_the_list(app)
    asked = browser.screen.ask.hidden
    assert ("step", walks.said(MORE)) in asked
    for way in ways:
        assert browser.look(way).status == 200
    browser.look("play")
    assert browser.screen.ask.hidden == asked
    (done,) = [one for one in browser.screen.ask.buttons if one.name is None]
    browser.tap(done, ("name", "Horses"))
    assert [name for name, _ in browser.screen.ask.hidden].count("step") > 1, "it goes on from there"


def test_a_thing_on_the_table_leads_back_with_it(app: Flask) -> None:
    browser = at_the_list(app)
    asked = browser.screen.ask.hidden
    browser.look("table")
    cell = next(link["href"] or "" for link in browser.screen.links if "/areas/" in (link["href"] or ""))
    browser.open(cell)
    (back,) = [link["href"] or "" for link in browser.screen.links if link.get("class") == "button"]
    browser.open(back)
    browser.look("play")
    assert browser.screen.ask.hidden == asked


def test_what_is_ticked_is_ticked_again(app: Flask) -> None:
    browser = set_up_until(app, "some")
    boxes = [one["value"] or "" for one in browser.screen.ask.controls if one.get("name") == "some"]
    browser.look("table", ("some", boxes[1]))
    browser.look("play")
    ticked = [one["value"] for one in browser.screen.ask.controls if "checked" in one]
    assert ticked == [boxes[1]]


def test_what_was_typed_and_set_is_there_again(app: Flask) -> None:
    browser = at_the_list(app)
    browser.look("table", ("name", "Horses"))
    browser.look("play")
    assert [one["value"] for one in browser.screen.ask.controls] == ["Horses"]
    browser = set_up_until(app, "is-man")
    browser.look("chart", ("is-man", "2"), ("is-woman", "1"))
    browser.look("play")
    values = {one["name"]: one["value"] for one in browser.screen.ask.controls}
    assert (values["is-man"], values["is-woman"]) == ("2", "1")


def set_up_until(app: Flask, control: str) -> Browser:
    """A set-up that asks with such a control."""
    browser = Browser(app.test_client())
    browser.begin(scenario="14.5")
    while all(one.get("name") != control for one in browser.screen.ask.controls):
        browser.tap(next(one for one in browser.screen.ask.buttons if one.name == "later"))
    return browser


def test_what_the_player_turned_to_is_kept(app: Flask) -> None:
    browser = at_the_list(app)
    browser.open(f"/play/{browser.play}?mode=do")
    asked = browser.screen.ask.offers()
    browser.look("table")
    browser.look("play")
    assert browser.screen.ask.offers() == asked


def test_nothing_old_is_held(app: Flask) -> None:
    browser = at_the_list(app)
    browser.look("table")
    other = Browser(browser.client)
    other.open(f"/play/{browser.play}")
    other.tap(next(one for one in other.screen.ask.buttons if one.name == "later"))
    browser.look("play")
    assert not [name for name, _ in browser.screen.ask.hidden if name == "step"]


def test_where_nothing_is_chosen_the_dock_has_links(app: Flask) -> None:
    browser = begun(app, position=RAID)
    assert not browser.screen.looks
    assert [link["href"] for link in browser.screen.links if link.get("class") == "go-table"] == [
        f"/play/{browser.play}/table"
    ]
