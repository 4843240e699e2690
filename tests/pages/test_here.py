"""“You are here”, walking in, odds, audits and what was read off the copy."""

from __future__ import annotations

import io
import json
from types import SimpleNamespace as Said
from typing import Any
from urllib.parse import parse_qs, urlencode

import pytest
from flask import Flask
from msgspec import structs

from service import play_kept, plays
from service.games import GAMES
from service.pages import turns, walks, words
from service.pages.here import between
from service.pages.judging import lines
from service.plays import Sent
from service.terms import LANGUAGES
from tests.pages.browser import Browser
from tests.pages.screen import Screen
from tests.pages.tapping import give
from tests.pages.test_tables import begun, position_of

RAID: dict[str, Any] = {
    "period": "spanish",
    "tracks": {"ap": 3, "military": 2, "culture": 5, "enemy_ferocity": 2, "enemy_morale": 4},
    "families": {"C": {"at": "shiprock-4", "ferocity": 1, "man": True, "woman": True, "child": False, "horse": False}},
    "areas": {"shiprock-4": {"raid": 1}},
    "santa_fe": {"raid": 1},
    "resources": {"horse": 0, "sheep": 0, "corn": [], "trade_goods": 0, "firearms": 0},
    "agenda": [{"procedure": "enemy-raid", "step": "player-reaction", "memory": {"entered": "shiprock-4"}}],
}  # fmt: skip


def rows(screen: Screen, mark: str) -> list[str]:
    """The classes of the rows of a chart that have a mark."""
    found = [fields.get("class") or "" for tag, fields in screen.tags if tag == "li"]
    return [one for one in found if one.startswith("row ") and mark in one.split()]


def moved(app: Flask, play: str, *inputs: Any) -> None:
    served = app.extensions["ruleglot-plays"]
    for one in inputs:
        found = play_kept.find(served.store, play)
        body = plays.move(served.store, found, Sent(None, (one,)), "en", served.bounds)
        assert body["kept"], body["headline"]


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("game", list(GAMES))
def test_every_chart_opens(app: Flask, game: str, lang: str) -> None:
    browser = begun(app, game, lang=lang)
    base = f"/play/{browser.play}/chart"
    assert browser.open(base).status == 200
    for procedure in GAMES[game].procedures:
        screen = browser.open(f"{base}/{procedure}")
        assert screen.status == 200
        assert len(rows(screen, "row")) == len(GAMES[game].procedures[procedure].steps)
        assert not rows(screen, "here")
    assert browser.open(f"{base}/nowhere").status == 404


def test_the_present_row_is_marked_and_those_passed_are_ticked(app: Flask) -> None:
    browser = begun(app, position=RAID)
    play = browser.play
    screen = browser.open(f"/play/{play}/chart")
    (here,) = rows(screen, "here")
    assert "decision" in here
    assert [fields for _, fields in screen.tags if fields.get("aria-current") == "step"]
    assert not rows(screen, "done"), "nobody has seen how it came here"
    assert "Area entered last" in screen.words
    moved(app, play, {"choose": {"kind": "evade", "family": "C"}})
    inside = browser.open(f"/play/{play}/chart")
    tabs = [link["href"] for link in inside.links if "/chart/" in (link["href"] or "")]
    assert f"/play/{play}/chart/enemy-raid" in tabs, "the Raid is the outer one"
    assert not rows(browser.open(f"/play/{play}/chart/enemy-raid"), "done"), "it still stands at its row"
    moved(app, play, {"die": 1})
    after = browser.open(f"/play/{play}/chart/enemy-raid")
    assert rows(after, "done")
    assert len(rows(after, "here")) == 1


def test_only_rows_that_every_way_passes_are_ticked() -> None:
    table = GAMES["navajo-wars"].procedures["enemy-raid"]
    assert between(table, "culture", "morale-range") == ["morale-roll"]
    assert between(table, "player-reaction", "resolution") == ["after-reaction", "affected-family"]
    assert not between(table, "initiation", "next-placement")
    assert not between(table, "end-outposts", "placement"), "no way leads back"


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("game", list(GAMES))
def test_walking_in_asks_what_the_row_needs(app: Flask, game: str, lang: str) -> None:
    browser = Browser(app.test_client(), lang)
    screen = browser.open(f"/walk/{game}")
    assert screen.status == 200
    between_cards = screen.forms[-1]
    browser.tap(between_cards.buttons[0])
    assert browser.screen.status == 200
    assert browser.address.startswith("/play/")
    name, table = next(iter(GAMES[game].procedures.items()))
    screen = browser.open(f"/walk/{game}?chart={name}")
    form = screen.form(f"/walk/{game}")
    assert [one.value for one in form.buttons] == list(table.steps)
    browser.tap(form.buttons[0])
    assert browser.screen.status == 200


def test_every_row_of_every_chart_can_be_walked_in_at(app: Flask) -> None:
    for game in GAMES.values():
        for name, table in game.procedures.items():
            browser = Browser(app.test_client())
            for row in table.steps:
                response = browser.client.post(f"/walk/{game.name}", data={"chart": name, "row": row})
                assert response.status_code == 303
                assert browser.open(response.headers["Location"]).status == 200, (name, row)
                assert browser.open(f"{response.headers['Location']}/chart").status == 200, (name, row)


@pytest.mark.parametrize("sent", [{"chart": "x", "row": "y"}, {"chart": "enemy-raid"}])
def test_a_row_that_is_none_is_refused(app: Flask, sent: dict[str, str]) -> None:
    assert app.test_client().post("/walk/navajo-wars", data=sent).status_code == 400
    assert app.test_client().get("/walk/navajo-wars?chart=x").status_code == 404


# -- odds and audits ---------------------------------------------------------------------------------


@pytest.mark.parametrize("lang", LANGUAGES)
def test_odds_are_a_table_with_numbers(app: Flask, lang: str) -> None:
    browser = begun(app, position={**RAID, "agenda": []}, lang=lang)
    base = f"/play/{browser.play}/odds"
    assert browser.open(base).status == 200
    action = json.dumps({"kind": "evade", "family": "C"})
    screen = browser.open(f"{base}?action={action}")
    assert screen.status == 200
    assert [tag for tag, _ in screen.tags].count("table") >= 1
    assert "%" in screen.words
    if lang == "en":
        assert "1 of 2" in screen.words
    assert browser.open(f"{base}?action=nonsense").status == 400
    assert 400 <= browser.open(base + '?action={"kind":"dance"}').status < 500


def test_a_choice_behind_which_something_is_asked_is_not_called_certain(app: Flask) -> None:
    browser = begun(app, position=RAID)
    said = " ".join(browser.open(f"/play/{browser.play}/odds").words.split())
    assert "does Family C fight a Battle or suffer the Raid? This is asked next." in said
    assert "That is certain." not in said


def test_choices_that_come_to_the_same_stand_together_without_full_stops() -> None:
    certain = [Said(text="Done.", probability=Said(percent="100.0%"))]
    choices = [Said(text=text, outcomes=certain) for text in ("一族Aを置く。", "Family A moves.", "None")]
    assert lines(Said(by_choice=choices)) == [(["一族Aを置く", "Family A moves", "None"], certain)]


@pytest.mark.parametrize("lang", LANGUAGES)
def test_findings_lead_to_what_can_be_put_right(app: Flask, lang: str) -> None:
    wrong = {"period": "spanish", "areas": {"shiprock-4": {"fort": "defiance"}}, "families": {}}
    browser = begun(app, position=wrong, lang=lang)
    screen = browser.open(f"/play/{browser.play}/audit")
    assert screen.status == 200
    assert "✗" in screen.words
    links = [link["href"] or "" for link in screen.links if link.get("class") == "button"]
    assert links
    for link in links:
        assert browser.open(link).status == 200, link
    assert "✓" in begun(app, position={}, lang=lang).open(f"/play/{begun(app).play}/audit").words


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("game", list(GAMES))
def test_a_table_is_laid_out_or_read_from_a_file(app: Flask, game: str, lang: str) -> None:
    browser = Browser(app.test_client(), lang)
    screen = browser.open(f"/audit/{game}")
    assert screen.status == 200
    browser.tap(screen.form(f"/audit/{game}").buttons[0])
    assert browser.address.endswith("/table")
    assert browser.screen.status == 200
    assert any("/audit" in (link["href"] or "") for link in browser.open(f"/audit/{game}").links)
    written = json.dumps({"position": {}}).encode()
    data = {"file": (io.BytesIO(written), "table.json")}
    found = browser.client.post(f"/audit/{game}", data=data, headers=browser.headers)
    assert found.status_code == 200
    assert "✓" in Screen(found).words
    for bad in (b"{", b"[]", b'{"position": {"hats": 3}}'):
        data = {"file": (io.BytesIO(bad), "table.json")}
        answer = browser.client.post(f"/audit/{game}", data=data, headers=browser.headers)
        assert 400 <= answer.status_code < 500


# -- the copy ----------------------------------------------------------------------------------------


def test_what_was_read_off_the_copy_is_shown_and_forgotten(app: Flask) -> None:
    browser = begun(app)
    play = browser.play
    served = app.extensions["ruleglot-plays"]
    found = play_kept.find(served.store, play)
    plays.correct(served.store, found, {"/components/area_values/canyon-de-chelly-2": 4}, "", served.bounds)
    found = play_kept.find(served.store, play)
    plays.correct(served.store, found, {"/components/counter_limits/corn": 6}, "", served.bounds)
    screen = browser.open(f"/play/{play}/copy")
    assert "How many counters there are" in screen.words, "a heading begins with a capital"
    assert "Canyon de Chelly\u00a0#2" in screen.words
    form = next(form for form in screen.forms if form.action.endswith("/copy"))
    browser.tap(form.buttons[0])
    assert "canyon-de-chelly-2" not in position_of(app, play).reading.components.area_values
    bad = {"after": str(position_of(app, play).version), "tell": '{"/tracks/ap": 1}'}
    assert browser.client.post(f"/play/{play}/copy", data=bad).status_code == 400


def test_every_part_of_the_copy_has_a_title() -> None:
    parts = {name for game in GAMES.values() for name in game.components.__struct_encode_fields__}
    assert {f"copy.{name}" for name in parts} <= set(words.PAGE)


def test_whether_two_areas_are_neighbours_is_shown_and_forgotten_pair_by_pair(app: Flask) -> None:
    browser = begun(app)
    play, served = browser.play, app.extensions["ruleglot-plays"]
    told = {
        "/components/adjacent/black-mesa-6/santa-fe": False,
        "/components/adjacent/black-mesa-6/hopi-land-6": True,
        "/components/areas_apart/black-mesa-6/hopi-land-3": 2,
        "/components/mp_to_santa_fe/shiprock-2": 3,
        "/components/mounted_mp_to_santa_fe/shiprock-2": 1,
    }
    plays.correct(served.store, play_kept.find(served.store, play), told, "", served.bounds)
    screen = browser.open(f"/play/{play}/copy")
    assert "Black Mesa\u00a0#6, Santa Fé: no" in screen.words
    assert "Shiprock\u00a0#2: 3" in screen.words
    form = next(
        form for form in screen.forms if "santa-fe" in str((form.hidden, [one.value for one in form.buttons]))
    )
    browser.tap(form.buttons[0])
    assert position_of(app, play).reading.components.adjacent == {"black-mesa-6": {"hopi-land-6": True}}


ON_THE_COPY: dict[str, Any] = {
    "/components/cards/12": {
        "type": "operations",
        "preempt_cost": 4,
        "enemy_ap": 3,
        "minor_event": "drought",
    },
    "/components/raid_table/new_mexico/brown": {
        "changes": [{"pointer": "/tracks/enemy_ap", "by": -1}],
        "hit": 0,
    },
    "/components/raid_table/hits/mission": 2,
    "/components/population_dice": {"man+woman": {"1": True, "2": False, "3": False}},
    "/components/subjugation_table/1": [{"pointer": "/tracks/military", "by": 1}],
}


@pytest.mark.parametrize("lang", LANGUAGES)
def test_what_was_read_off_the_copy_is_said_in_words(app: Flask, lang: str) -> None:
    browser = begun(app)
    play, served = browser.play, app.extensions["ruleglot-plays"]
    plays.correct(served.store, play_kept.find(served.store, play), ON_THE_COPY, "", served.bounds)
    screen = Browser(browser.client, lang).open(f"/play/{play}/copy")
    for raw in ("preempt_cost", "minor_event", "new_mexico", "hits", "pointer", "man+woman"):
        assert raw not in screen.words, raw
    if lang == "en":
        assert "Card\u00a0#12: type of card: Operations card; AP for preempting: 4" in screen.words
        assert "New Mexico, brown cube: Enemy APs \u22121" in screen.words
        assert "Man and woman, 2: no" in screen.words
    forms = [form for form in screen.forms if form.action.endswith("/copy")]
    assert len(forms) == 7
    cell = next(form for form in forms if "new_mexico" in form.buttons[0].value)
    browser.tap(cell.buttons[0])
    kept = position_of(app, play).reading.components
    assert kept.raid_table.new_mexico == {}
    assert kept.raid_table.hits == {"mission": 2}


def walked_in(app: Flask) -> Browser:
    """In the Reaction of an Enemy Raid of which nothing is told but where it is."""
    browser = Browser(app.test_client())
    rows = browser.open("/walk/navajo-wars?chart=enemy-raid").forms
    browser.tap(next(one for form in rows for one in form.buttons if one.value == "player-reaction"))
    browser.answer("shiprock-2")
    return browser


def test_a_place_that_was_told_is_noted_by_its_name(app: Flask) -> None:
    words = walked_in(app).screen.words
    assert "Noted: Area entered last: Shiprock\u00a0#2" in words
    assert "shiprock-2" not in words


def test_an_answer_that_needs_a_fact_asks_for_it_as_long_as_it_can_be_given(app: Flask) -> None:
    browser = walked_in(app)
    question = browser.address
    browser.answer({"kind": "ambush"})
    assert "Which Family is it?" in browser.screen.words, "nobody else's facts matter"
    browser.answer("C")
    assert "Ambush: something has to be known before it goes on." in browser.screen.words
    assert question in [link["href"] for link in browser.screen.links], "the way back"


def evading(app: Flask, place: str) -> Browser:
    """The same, once Family C evades from there and every fact but the last is told."""
    browser = walked_in(app)
    browser.answer({"kind": "evade"})
    browser.answer("C")
    browser.answer(place)
    while "Tribal Raid counter" not in browser.screen.words and "mode=first" in browser.address:
        browser.answer([])
    return browser


def test_an_answer_is_given_once_the_fact_it_needs_is_told(app: Flask) -> None:
    browser = evading(app, "shiprock-2")
    assert "You: Evade (5.2.4), Family C" in browser.screen.words
    assert "Roll a die for the Evasion of Family C." in browser.screen.words
    browser.tap(browser.screen.form("/undo").buttons[0])
    assert {"kind": "evade"} in map(json.loads, browser.screen.ask.offers())
    assert position_of(app, browser.play).position.areas["shiprock-2"].mission is False, "what was told stays"


def test_an_answer_that_a_fact_makes_impossible_is_refused_in_words(app: Flask) -> None:
    browser = evading(app, "hopi-land-1")
    assert "mode=first" in browser.address
    screen = browser.answer([])
    assert screen.status == 422
    assert "✗ This answer does not fit. Family C has nothing to evade" in " ".join(screen.words.split())
    assert "Does one Family react" in screen.words
    assert position_of(app, browser.play).position.areas["hopi-land-1"].tribal_raid == 0, "the fact is told"
    assert {"kind": "ambush"} in map(json.loads, screen.ask.offers())


def test_an_answer_that_waited_is_not_given_to_another_question(app: Flask) -> None:
    browser = walked_in(app)
    asked, now = (turns.turn(position_of(app, browser.play), "en") for _ in range(2))
    asked = structs.replace(asked, mode='first {"choose":{"kind":"evade","family":"C"}}')
    assert turns.waited(asked, now) == Sent(None, ({"choose": {"kind": "evade", "family": "C"}},))
    now.state["pending"] = structs.replace(now.state["pending"], step="affected-family")
    assert turns.waited(asked, now) is None
    now.state["pending"] = None
    assert turns.waited(asked, now) is None


@pytest.mark.parametrize(
    "mode", ["first ", "first {", "first 1", 'first {"choose":{"kind":"x"}}', "first []"]
)
def test_an_answer_in_an_address_that_is_none_shows_the_question(app: Flask, mode: str) -> None:
    browser = walked_in(app)
    screen = browser.open(f"{browser.address}?{urlencode({'mode': mode})}")
    assert screen.status == 200
    assert "Does one Family react" in screen.words


# -- an action that waits for facts --------------------------------------------------------------------


def test_an_action_that_a_fact_refuses_is_refused_in_words_and_waits_no_longer(app: Flask) -> None:
    browser = begun(app, position={**RAID, "agenda": [], "tracks": {"military": 2}})
    play = browser.play
    browser.open(f"/play/{play}?mode=do")
    give(browser, {"kind": "ambush", "family": "C"})
    assert "How many AP" in browser.screen.words, browser.screen.words
    screen = browser.answer(0)
    assert screen.status == 422
    assert "✗" in screen.words
    assert "AP" in screen.text.partition('class="said illegal"')[2].partition("</section>")[0]
    assert "What do you do?" in screen.words
    assert position_of(app, play).asked is None
    assert position_of(app, play).position.tracks.ap == 0, "the fact is told"


def test_undo_leads_back_to_the_question_for_a_fact(app: Flask) -> None:
    browser = begun(app, position={**RAID, "agenda": [], "tracks": {"military": 2}})
    browser.open(f"/play/{browser.play}?mode=do")
    give(browser, {"kind": "ambush", "family": "C"})
    assert "How many AP" in browser.screen.words
    browser.answer(3)
    assert "How many AP" not in browser.screen.words
    browser.tap(browser.screen.form("/undo").buttons[0])
    assert "How many AP" in browser.screen.words


# What is asked of an action of which not all is known: whose it is, and what it would be refused without.
WITH_ALL_ITS_PARTS = {
    "who grows up may be with a Family": (
        {"procedure": "passage-of-time", "step": "grow-up"},
        ({"kind": "grow-up"}, "child", "man", "A"),
        {"kind": "grow-up", "who": "child", "into": "man", "family": "A"},
    ),
    "an Elder changes the Ferocity of a Family": (
        {"procedure": "planning", "step": "elder-actions"},
        ({"kind": "elder-action"}, 2, "ferocity", "A", 1),
        {"kind": "elder-action", "elder": 2, "choice": "ferocity", "family": "A", "change": 1},
    ),
}


@pytest.mark.parametrize("what", WITH_ALL_ITS_PARTS)
def test_an_answer_of_which_not_all_is_known_can_be_given_with_all_its_parts(app: Flask, what: str) -> None:
    frame, taps, value = WITH_ALL_ITS_PARTS[what]
    browser = begun(app, position={"period": "spanish", "agenda": [frame]})
    while {"kind": value["kind"]} not in map(json.loads, browser.screen.ask.offers()):
        browser.answer([])
    for one in taps:
        browser.answer(one)
    assert "mode=first" in browser.address, browser.screen.words
    assert walks.same(
        json.loads(parse_qs(browser.address.partition("?")[2])["mode"][0].removeprefix("first "))["choose"],
        value,
    )
