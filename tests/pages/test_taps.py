"""How many taps it takes from the home page, counted on the pages themselves: “May I …?” and a scenario's set-up."""

from __future__ import annotations

import json
import re
from typing import Any
from urllib.parse import urlencode

import pytest
from flask import Flask

from tests.pages.browser import Browser
from tests.pages.screen import Form, Screen

MOST = 30  # answers
HERE = {
    "Which Family": "C",
    "Where is Family C": "shiprock-4",
    "Is there a man": True,
    "How many AP": 3,
    "How many MP": 9,
}
RAID = [{"/areas/shiprock-3/raid": 1}]  # an Enemy Raid counter in Shiprock #3

# What is asked for, its answers by how their questions begin, and the most taps from the home page to the ruling.
ASKED: dict[str, tuple[str, str, dict[str, Any], int]] = {
    "evade": ("navajo-wars", "evade", {**HERE, "How many Enemy Raid": 1}, 6),
    "plant corn": ("navajo-wars", "plant-corn", {**HERE, "Is there a Corn": False}, 7),
    "tribal diplomacy": (
        "navajo-wars",
        "tribal-diplomacy",
        {**HERE, "Which Tribe": "ute", "Is there an Instruction counter": True},
        9,
    ),
    "dux": (
        "julian",
        "play-stratagem",
        {"Who plays": "roman", "Which Stratagem": "dux", "For which": "leader"},
        9,
    ),
    "harass": ("navajo-wars", "harass", {**HERE, "Is there any Enemy Raid": RAID}, 7),
    "raid an outpost": (
        "navajo-wars",
        "raid-outpost",
        {
            **HERE,
            "Which Area": "shiprock-4",
            "Which counter is": "rancho",
            "How many Military": 3,
        },
        9,
    ),
}


class Asking:
    """Somebody who taps his way from the home page to a ruling, and answers what he is asked."""

    def __init__(self, app: Flask, game: str, kind: str, answers: dict[str, Any]) -> None:
        self.browser = Browser(app.test_client())
        self.base = f"/may/{game}/{kind}"
        self.answers = answers
        self.taps = 0
        self.screen = self.follow(self.browser.open("/"), f"/may/{game}")
        self.screen = self.follow(self.screen, self.base)

    def follow(self, screen: Screen, address: str) -> Screen:
        """Tap a link."""
        assert address in [link["href"] for link in screen.links]
        self.taps += 1
        return self.browser.open(address)

    @property
    def ruling(self) -> str:
        """What is ruled; nothing as long as it depends."""
        found = re.search(r"[✓✗] (Allowed|Not allowed)", self.screen.words)
        return found[1] if found else ""

    @property
    def form(self) -> Form:
        """What is asked."""
        return next(one for one in self.screen.forms if one.method == "get" and one.action == self.base)

    @property
    def question(self) -> str:
        """The words of it."""
        found = re.search(r'<h1 id="q"[^>]*>(.*?)<', self.screen.text, re.DOTALL)
        assert found
        return found[1].strip()

    def until_ruled(self) -> str:
        """Answer until there is a ruling."""
        for _ in range(MOST):
            if self.ruling:
                return self.ruling
            self.answer()
        raise AssertionError("no ruling")

    def answer(self) -> None:
        """Answer what is asked."""
        key = next((one for one in self.answers if self.question.startswith(one)), None)
        assert key is not None, self.question
        self.give(self.answers[key])

    def give(self, value: Any) -> None:
        """Tap an answer."""
        form = self.form
        (button,) = [one for one in form.buttons if one.name == "answer" and json.loads(one.value) == value]
        self.taps += 1
        sent = [*form.hidden, ("answer", button.value)]
        self.screen = self.browser.open(f"{form.action}?{urlencode(sent)}")


@pytest.mark.parametrize("what", ASKED)
def test_a_ruling_takes_few_taps_and_no_typing(app: Flask, what: str) -> None:
    game, kind, answers, most = ASKED[what]
    asking = Asking(app, game, kind, answers)
    ruling = asking.until_ruled()
    assert ruling == "Allowed", asking.screen.words
    assert asking.taps <= most


def test_what_is_refused_stands_behind_what_is_not(app: Flask) -> None:
    asking = Asking(app, "navajo-wars", "grow-up", {"Which population": "man", "How many": 2})
    asking.until_ruled()
    open_ones, _, refused = asking.screen.text.partition("<summary>Not allowed (")
    assert 'value="&#34;elder&#34;"' in open_ones
    assert 'value="&#34;woman&#34;"' not in open_ones
    assert 'value="&#34;woman&#34;"' in refused
    assert refused.count('class="pale"') == int(refused.partition(")")[0])


def test_what_is_taken_for_granted_is_said_and_can_be_told_otherwise(app: Flask) -> None:
    game, kind, answers, _ = ASKED["evade"]
    asking = Asking(app, game, kind, answers)
    asking.until_ruled()
    screen = asking.screen
    assert "Mission, Rancho, Fort · Shiprock: none" in screen.words
    taken = [link["href"] or "" for link in screen.links if link.get("class") == "chip taken"]
    asking.screen = asking.browser.open(next(one for one in taken if "ask=/areas" in one))
    assert asking.question.startswith("Is there any Mission, Rancho or Fort on the Area Track Shiprock?")
    assert not asking.ruling
    boxes = [one.get("value") or "" for one in asking.form.controls if one.get("name") == "some"]
    sent = [*asking.form.hidden, ("some", boxes[0])]
    asking.screen = asking.browser.open(f"{asking.base}?{urlencode(sent)}")
    assert "Is there any Mission, Rancho or Fort on the Area Track Shiprock?" not in asking.screen.words
    assert "Nothing else there" in asking.screen.words, "one chip for all that is not there"


def test_what_the_game_takes_for_granted_can_be_told_otherwise(app: Flask) -> None:
    game, kind, answers, _ = ASKED["evade"]
    asking = Asking(app, game, kind, answers)
    asking.until_ruled()
    taken = [link["href"] or "" for link in asking.screen.links if link.get("class") == "chip taken"]
    over = next(one for one in taken if "ask=/outcome" in one)
    asking.screen = asking.browser.open(over)
    assert asking.form.buttons, asking.screen.words
    assert not asking.ruling


def test_the_first_card_of_scenario_14_1_takes_twenty_taps(app: Flask) -> None:
    """What lies on the table by chance or by the players' choice is told; what is a long list may wait."""
    browser = Browser(app.test_client())
    browser.open("/")
    assert "/play/new" in [link["href"] for link in browser.screen.links]
    browser.open("/play/new")
    browser.taps = 1  # the link to it
    form = next(one for one in browser.screen.forms if ("game", "navajo-wars") in one.hidden)
    browser.tap(next(one for one in form.buttons if one.value == "14.1"))
    told = 0
    while "Set-up:" in browser.screen.words and "What do you do?" not in browser.screen.words:
        buttons = browser.screen.ask.buttons
        is_short = re.search(r">(In|At) which ", browser.screen.text) is not None
        told += is_short
        browser.tap(next(one for one in buttons if one.name == ("answer" if is_short else "later")))
        assert browser.taps <= 20
    assert told >= 6
    browser.tap(next(one for one in browser.screen.ask.buttons if "draw-card" in one.value))
    browser.tap(next(one for one in browser.screen.ask.buttons if one.name == "answer"))
    assert "is drawn" in browser.screen.words, browser.screen.words
    assert browser.taps <= 20


# -- before the last parameter is named ---------------------------------------------------------------


def harassing(app: Flask, **otherwise: Any) -> Asking:
    """Somebody who asks whether Family C may harass, and has answered what matters wherever the counter goes."""
    game, kind, answers, _ = ASKED["harass"]
    answers = {**answers, **{question.replace("_", " "): value for question, value in otherwise.items()}}
    asking = Asking(app, game, kind, answers)
    asking.until_ruled()
    return asking


def test_what_no_answer_mends_is_refused_before_it_is_asked_for(app: Flask) -> None:
    asking = harassing(app, Is_there_a_man=False)
    assert asking.ruling == "Not allowed"
    assert "Harass needs a Family with a man" in asking.screen.words
    assert "Which Area is it?" not in asking.screen.words


def test_impossible_places_are_pale_and_a_tap_says_why(app: Flask) -> None:
    asking = harassing(app)
    assert asking.question.startswith("Which Area is it?")
    shown = dict(
        re.findall(r'value="&#34;([a-z-]+-\d)&#34;" aria-label="[^"]*" class="([^"]*)"', asking.screen.text)
    )
    assert len(shown) == 39
    assert shown["shiprock-5"].strip() == "likely", "empty and near"
    assert shown["shiprock-3"].strip() == "pale", "the Raid counter is there"
    assert shown["hopi-land-2"].strip() == "", "how far it is depends on the map"
    asking.give("shiprock-3")
    assert asking.ruling == "Not allowed"
    assert "Area Shiprock\u00a0#3 is not empty" in asking.screen.words


@pytest.mark.parametrize("place", ["shiprock-1", "shiprock-6"])
def test_what_was_marked_as_allowed_is_allowed(app: Flask, place: str) -> None:
    asking = harassing(app)
    asking.give(place)
    assert asking.ruling == "Allowed", asking.screen.words


def test_what_the_question_names_is_taken_to_be_there(app: Flask) -> None:
    game, kind, answers, _ = ASKED["raid an outpost"]
    asking = Asking(app, game, kind, answers)
    asking.until_ruled()
    taken = [link["href"] or "" for link in asking.screen.links if link.get("class") == "chip taken"]
    assert "Area Shiprock\u00a0#4, Rancho: yes" in asking.screen.words
    asking.screen = asking.browser.open(next(one for one in taken if "ask=/areas/shiprock-4/rancho" in one))
    assert asking.question.startswith("Is there a Rancho in Area Shiprock")
    asking.give(False)
    assert asking.ruling == "Not allowed"
