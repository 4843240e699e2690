"""“May I …?”: asked question by question in the address alone, ruled with reasons and chances."""

from __future__ import annotations

import json
import re
from typing import Any
from urllib.parse import urlencode

import pytest
from flask import Flask
from flask.testing import FlaskClient

from service.games import GAMES
from service.terms import LANGUAGES
from tests.pages.browser import Browser
from tests.pages.screen import Form, Screen
from tests.pages.test_tables import position_of

MOST = 40  # answers


def asks(screen: Screen, base: str) -> Form | None:
    return next((one for one in screen.forms if one.method == "get" and one.action == base), None)


def given(browser: Browser, form: Form, value: Any) -> Screen:
    """Tap the answer that says this."""
    for one in form.buttons:
        if one.name == "answer" and json.loads(one.value) == value:
            return browser.open(f"{form.action}?{urlencode([*form.hidden, ('answer', one.value)])}")
    raise AssertionError((value, form.offers()))


def told(**facts: Any) -> str:
    return urlencode([(name, json.dumps(value)) for name, value in facts.items()])


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("game", list(GAMES))
def test_every_action_is_offered_and_can_be_asked_for(client: FlaskClient, game: str, lang: str) -> None:
    browser = Browser(client, lang)
    screen = browser.open(f"/may/{game}")
    assert screen.status == 200
    offered = {
        (link["href"] or "").rpartition("/")[2]
        for link in screen.links
        if f"/may/{game}/" in (link["href"] or "")
    }
    assert offered == set(GAMES[game].actions)
    for kind in GAMES[game].actions:
        screen = browser.open(f"/may/{game}/{kind}")
        assert screen.status == 200, kind
        assert screen.ids.count("q") == 1
        assert len(screen.ids) == len(set(screen.ids)), kind


def test_a_heading_stands_over_several_actions(browser: Browser) -> None:
    text = browser.open("/may/navajo-wars").text
    groups = re.findall(r'<h2 class="group">(.*?)</h2><div class="answers">(.*?)</div>', text)
    assert all(inside.count("<a ") >= 3 for _, inside in groups)
    assert groups[-1][0] == "Everything else"
    assert 'class="group"' not in browser.open("/may/julian").text


def test_may_i_evade_from_home_to_the_ruling(browser: Browser) -> None:
    assert "/may/navajo-wars" in [link["href"] for link in browser.open("/").links]
    assert "/may/navajo-wars/evade" in [link["href"] for link in browser.open("/may/navajo-wars").links]
    form = asks(browser.open("/may/navajo-wars/evade"), "/may/navajo-wars/evade")
    assert form is not None
    screen = given(browser, form, "C")
    assert "It depends" in screen.words
    screen = browser.open(
        "/may/navajo-wars/evade?"
        + told(
            **{
                "/action/family": "C",
                "/period": "spanish",
                "/families/C/at": "shiprock-4",
                "/families/C/ferocity": 1,
                "/areas": {"shiprock-4": {"raid": 1}},
            }
        )
    )
    assert "Allowed: Evade" in screen.words
    assert "Family C" in screen.words
    assert "The Evasion fails: Family C stays in place.1 of 250.0%" in screen.words, "how likely it is"
    form = asks(screen, "/may/navajo-wars/evade")
    assert form is not None
    screen = given(browser, form, 1)
    assert (
        "The Evasion fails: the die shows 1, and an unmodified 1 always fails. Family C stays in place."
        in screen.words
    )
    assert "input=" in browser.address


def test_may_i_raid_new_mexico_is_answered(browser: Browser) -> None:
    base = "/may/navajo-wars/raid-new-mexico"
    facts: dict[str, Any] = {"/action/family": "C", "/families/C/at": "shiprock-caught"}
    screen = browser.open(f"{base}?{told(**facts)}")
    assert "Not allowed: Raid New Mexico" in screen.words
    assert any("/rules/navajo-wars/" in (link["href"] or "") for link in screen.links)
    assert asks(screen, base) is None, "it stops at the first refusal"


@pytest.mark.parametrize(
    ("lang", "said"),
    [
        ("en", "Military Points: allowed if at least 1."),
        ("fr", "autorisé si la réponse est au moins 1."),
        ("it", "permesso se almeno 1."),
        ("ja", "1以上なら実施できる。"),
    ],
)
def test_the_answers_that_allow_it_are_said(client: FlaskClient, lang: str, said: str) -> None:
    facts = {
        "/action/family": "C",
        "/tracks/ap": 1,
        "/families/C": {"at": "shiprock-4", "ferocity": 2, "man": True},
        "/areas": {"shiprock-4": {"raid": 1}},
    }
    browser = Browser(client, lang)
    screen = browser.open(f"/may/navajo-wars/ambush?{told(**facts)}")
    assert said in screen.words
    facts["/tracks/military"] = 1
    assert said not in browser.open(f"/may/navajo-wars/ambush?{told(**facts)}").words


def test_what_changes_is_said_once(browser: Browser) -> None:
    """What happens is told in sentences; what is noted beside the table is nothing to a player."""
    dux = {"/action/by": "roman", "/action/marker": "dux", "/action/use": "leader"}
    words = browser.open(f"/may/julian/play-stratagem?{told(**dux)}").words
    assert "The Roman player plays the Dux marker." in words
    assert "→" not in words
    facts = {"/action/family": "C", "/tracks/ap": 3, "/tracks/military": 1}
    facts |= {"/families/C": {"at": "shiprock-4", "ferocity": 2, "man": True}}
    facts |= {"/areas": {"shiprock-4": {"raid": 1}}}
    assert "AP 3 → 2" in browser.open(f"/may/navajo-wars/ambush?{told(**facts)}").words


def test_every_answer_can_be_taken_back(browser: Browser) -> None:
    facts = {"/action/family": "C", "/families/C/at": "shiprock-4"}
    screen = browser.open(f"/may/navajo-wars/evade?{told(**facts)}")
    chips = [link["href"] or "" for link in screen.links if link.get("class") == "chip"]
    assert len(chips) == 2
    assert not any("families" in chip and "action" in chip for chip in chips)
    assert "shiprock-4" not in browser.open(chips[1]).text.partition("<form")[0]


def test_i_do_not_know_leaves_a_question_open(browser: Browser) -> None:
    address = f"/may/navajo-wars/evade?{told(**{'/action/family': 'C'})}"
    seen = set()
    for _ in range(MOST):
        screen = browser.open(address)
        skip = [link["href"] or "" for link in screen.links if link.get("class") == "button decline"]
        skip = [one for one in skip if "skip=" in one]
        if not skip:
            break
        assert skip[0] not in seen
        seen.add(skip[0])
        address = skip[0]
    assert "It depends on what is not known" in screen.words


@pytest.mark.parametrize(
    "query",
    [
        "/action/family=Z",
        "/action/hat=1",
        "/nowhere=1",
        "/tracks/ap=99",
        "/action/family=C&input=4",
        "/action/family=C&input={}",
        "/action/family=C&step=x",
        "/action/family=C&said=1",
        "/action/family=C&said=1&answer=nonsense",
        "/action/family=C&input={%22die%22:7}",
        "/action/family=C&skip=/nowhere&ask=/action/nothing",
        "&".join(f"/families/C/x{number}=1" for number in range(300)),
    ],
)
def test_any_address_gets_a_clear_answer(browser: Browser, query: str) -> None:
    screen = browser.open(f"/may/navajo-wars/evade?{query}")
    assert screen.status < 500
    assert screen.words.strip()


def test_unknown_actions_are_not_found(browser: Browser) -> None:
    assert browser.open("/may/navajo-wars/dance").status == 404
    assert browser.open("/may/chess").status == 404


def test_it_goes_on_as_a_game(app: Flask, browser: Browser) -> None:
    facts = {"/action/family": "C", "/families/C/at": "shiprock-4", "/tracks/ap": 3}
    screen = browser.open(f"/may/navajo-wars/evade?{told(**facts)}")
    form = next(one for one in screen.forms if one.method == "post" and one.action.startswith("/may/"))
    browser.tap(form.buttons[0])
    assert browser.address.startswith("/play/")
    position = position_of(app, browser.play).position
    assert position.tracks.ap == 3
    assert position.families["C"].at == "shiprock-4"


def test_what_is_bartered_can_be_told(browser: Browser) -> None:
    """Neither parameter must be named, but one of the two has to be."""
    screen = browser.open("/may/navajo-wars/barter")
    assert "name one of the two" in screen.words
    chips = [link for link in screen.links if link.get("class") == "chip taken"]
    animals = next(one["href"] or "" for one in chips if "animals" in (one["href"] or ""))
    assert "Which Animals are given?" in browser.open(animals).words
    facts = {"/action/animals": {"horse": 3}, "/resources": {"horse": 3}, "/tracks/culture": 5}
    assert "Allowed: Barter" in browser.open(f"/may/navajo-wars/barter?{told(**facts)}").words


def test_who_is_in_play_goes_without_saying_only_beside_a_family(browser: Browser) -> None:
    """A Victory Check of nobody would end the game."""
    words = browser.open(f"/may/navajo-wars/victory-check?{told(**{'/cards/current': 41})}").words
    assert "Which Families are in play?" in words
    assert "Which Families are in play? None." not in words


def test_a_question_is_about_its_own_action(browser: Browser) -> None:
    words = browser.open(f"/may/navajo-wars/trade-at-fort?{told(**{'/action/family': 'C'})}").words
    assert "How many Trade Goods does the Family take?" in words


EVADE = "/may/navajo-wars/evade"
NATURAL_1 = {
    "/action/family": "C",
    "/period": "spanish",
    "/families/C/at": "shiprock-1",
    "/families/C/ferocity": 1,
    "/areas": {"shiprock-1": {"raid": 1}},
    "/tracks/ap": 3,
}
A_ONE = urlencode({"input": json.dumps({"die": 1})})
READ_SO = {"en": "Use this reading", "fr": "Adopter cette lecture", "it": "Adotta questa lettura"}
READ_SO["ja"] = "この解釈をとる"


def marks(screen: Screen) -> list[str]:
    return [link["href"] or "" for link in screen.links if link.get("class") == "issue"]


def other_readings(screen: Screen) -> list[str]:
    return [link["href"] or "" for link in screen.links if (link["href"] or "").startswith("/may/")][1:]


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_disputed_point_can_be_read_otherwise(client: FlaskClient, lang: str) -> None:
    browser = Browser(client, lang)
    ruling = browser.open(f"{EVADE}?{told(**NATURAL_1)}&{A_ONE}")
    issue = browser.open(next(one for one in marks(ruling) if "/C14?" in one))
    assert READ_SO[lang] in issue.words
    back = next(link["href"] for link in issue.links if link.get("class") == "back")
    assert browser.open(back or "").words == ruling.words
    other = next(one for one in other_readings(issue) if "/choices/evade-natural-1=" in one)
    assert other.startswith(f"{EVADE}?")
    read_otherwise = browser.open(other)
    chip = next(link for link in read_otherwise.links if "≠ C14 ·" in (link.get("aria-label") or ""))
    assert read_otherwise.words != ruling.words
    assert browser.open(chip["href"] or "").words == ruling.words
    issue = browser.open(next(one for one in marks(read_otherwise) if "/C14?" in one))
    usual = next(one for one in other_readings(issue) if "/choices/" not in one)
    assert browser.open(usual).words == ruling.words, "the reading of the game needs no chip"


def test_the_ruling_the_foresight_and_the_chances_follow_the_reading(browser: Browser) -> None:
    fails = "an unmodified 1 always fails"
    otherwise = {"/choices/evade-natural-1": "counts-as-rolled"}
    assert fails in browser.open(f"{EVADE}?{told(**NATURAL_1)}&{A_ONE}").words
    assert fails not in browser.open(f"{EVADE}?{told(**NATURAL_1, **otherwise)}&{A_ONE}").words
    chances = [
        browser.open(f"{EVADE}?{told(**{**NATURAL_1, **one})}").words.partition("Chances")[2]
        for one in ({}, otherwise)
    ]
    assert chances[0] != chances[1]


def test_what_is_seen_before_the_last_answer_follows_the_reading(browser: Browser) -> None:
    """A Harass counter further away: pale as the rulebook is read, open as the Japanese chart is."""
    base = "/may/navajo-wars/harass"
    facts = {
        "/action/family": "A",
        "/families/A": {"at": "zuni-mountains-6", "man": True},
        "/tracks/ap": 3,
        "/areas": {"zuni-mountains-6": {"raid": 1}},
    }
    screen = browser.open(f"{base}?{told(**facts)}")
    assert any("/C11?" in one for one in marks(screen))
    far = 'value="&#34;zuni-mountains-2&#34;"'
    read = ({}, {"/choices/harass-distance": "any-distance"})
    screens = [browser.open(f"{base}?{told(**{**facts, **one})}").text for one in read]
    before, after = (next(one for one in re.findall("<button[^>]*>", text) if far in one) for text in screens)
    assert before != after


def test_a_game_begun_from_a_ruling_reads_the_rule_so(app: Flask, browser: Browser) -> None:
    screen = browser.open(f"{EVADE}?{told(**NATURAL_1)}&/choices/C14=counts-as-rolled")
    browser.tap(screen.form("counts-as-rolled%22").buttons[0])
    chosen = position_of(app, browser.play).reading.choices
    assert chosen == {"evade-natural-1": "counts-as-rolled"}


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize(
    ("query", "status"),
    [
        ("/choices/evade-natural-1=nonsense", 200),
        ("/choices/evade-natural-1=1", 200),
        ("/choices/evade-natural-1={}", 200),
        ("/choices/evade-natural-1/x=y", 200),
        ("/choices/nonsense=always-fails", 200),
        ("/choices/=x", 200),
        ("/choices=x", 200),
        ("/choices/C14=always-fails&/choices/evade-natural-1=counts-as-rolled", 400),
        ("/choices/evade-natural-1=always-fails&/choices/evade-natural-1=counts-as-rolled", 400),
    ],
)
def test_a_reading_that_cannot_be_meant_is_said(
    client: FlaskClient, lang: str, query: str, status: int
) -> None:
    browser = Browser(client, lang)
    for before in ("", f"{told(**NATURAL_1)}&"):
        screen = browser.open(f"{EVADE}?{before}{query}")
        assert screen.status == status
        assert 'class="said illegal"' in screen.text or status == 400
        assert status == 400 or any(link.get("class") == "chip" for link in screen.links)
        assert browser.open(f"/issues/navajo-wars/C14?may=evade&{before}{query}").status == status
        assert 400 <= browser.client.post(f"{EVADE}?{before}{query}").status_code < 500, "no game begins"


def test_a_ruling_that_is_none_has_no_readings(browser: Browser) -> None:
    assert browser.open("/issues/navajo-wars/C14?may=dance").status == 404
    assert browser.open("/issues/navajo-wars/C14?may=evade&input=4").status == 400


@pytest.mark.parametrize(
    ("lang", "kind", "facts", "said"),
    [
        ("fr", "navajo-wars/give-up", {"/action/who": "child"}, "Enfant\u00a0✕"),
        ("ja", "navajo-wars/spend-trade-goods", {"/action/use": "animal"}, "動物を得る\u00a0✕"),
        (
            "it",
            "julian/open-combat",
            {"/action/attackers": []},
            "con quali fattori stampati? Non ce ne sono.\u00a0✕",
        ),
    ],
)
def test_what_was_answered_is_called_as_it_was_offered(
    client: FlaskClient, lang: str, kind: str, facts: dict[str, Any], said: str
) -> None:
    assert said in Browser(client, lang).open(f"/may/{kind}?{told(**facts)}").words


def test_nothing_is_said_of_what_nobody_told_and_what_is_not_there(browser: Browser) -> None:
    screen = browser.open(f"/may/julian/next-phase?{told(**{'/phase': 'return'})}")
    assert "phase of the turn Return Phase\u00a0→\u00a0Taxation Phase" in screen.words
    assert "→\u00a0none" not in screen.words
