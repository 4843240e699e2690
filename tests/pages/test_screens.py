"""Every screen, without a browser: what it says, offers and refuses, and what it sends along."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient

from engine.messages import REGISTRY
from service.app import create_app
from service.pages import words
from service.pages.walks import said
from tests.pages.browser import Browser
from tests.pages.screen import Screen
from tests.pages.test_tables import position_of

PLAIN = ["/", "/play/new", "/play/import", "/join", "/keys"]
OF_A_PLAY = ["", "/share", "/report", "/copy"]


def started(browser: Browser) -> str:
    browser.begin()
    return browser.play


@pytest.mark.parametrize("lang", ["en", "fr", "it", "ja"])
@pytest.mark.parametrize("address", [*PLAIN, *(f"PLAY{one}" for one in OF_A_PLAY)])
def test_a_screen_is_whole(app: Flask, address: str, lang: str) -> None:
    browser = Browser(app.test_client(), lang)
    if "PLAY" in address:
        address = address.replace("PLAY", f"/play/{started(browser)}")
    screen = browser.open(address)
    assert screen.status == 200
    assert f'<html lang="{lang}">' in screen.text
    assert screen.ids.count("q") == 1, "something to look at first"
    assert len(screen.ids) == len(set(screen.ids))
    for tag, fields in screen.tags:
        assert "style" not in fields, (tag, fields)
        assert not [name for name in fields if name.startswith("on")], (tag, fields)
        assert tag != "script" or fields.get("src"), "no script of its own"
        for name in ("href", "src", "action"):
            assert not re.match(r"https?:|//", fields.get(name) or "") or "localhost" in (fields[name] or "")
    assert re.search(r"<meta name=\"viewport\"", screen.text)


def test_headers_keep_the_page_to_itself(client: FlaskClient) -> None:
    response = client.get("/")
    policy = response.headers["Content-Security-Policy"]
    assert "default-src 'none'" in policy
    assert "'unsafe" not in policy
    assert "frame-ancestors 'none'" in policy
    assert response.headers["Referrer-Policy"] == "same-origin"
    assert response.headers["Cache-Control"] == "no-store"
    assert "Access-Control-Allow-Origin" not in response.headers
    assert client.get("/v1/games").headers["Access-Control-Allow-Origin"] == "*"


def test_files_are_kept_for_a_year_under_addresses_of_their_content(client: FlaskClient) -> None:
    page = Screen(client.get("/"))
    files = [
        fields[name]
        for _, fields in page.tags
        for name in ("href", "src")
        if "/static/" in (fields.get(name) or "")
    ]
    assert len(files) == 2
    for file in files:
        response = client.get(file or "")
        assert response.status_code == 200
        assert "immutable" in response.headers["Cache-Control"]
    assert client.get("/static/page.0000000000.css").status_code == 404


def test_first_load_is_small(client: FlaskClient, browser: Browser) -> None:
    started(browser)
    page = browser.client.get(browser.address)
    files = re.findall(r'(?:href|src)="(/static/[^"]+)"', page.get_data(as_text=True))
    raw = len(page.data) + sum(len(client.get(one).data) for one in files)
    packed = sum(
        len(browser.client.get(one, headers={"Accept-Encoding": "gzip"}).data)
        for one in (browser.address, *files)
    )
    assert raw <= 90_000
    assert packed <= 30_000
    assert 1 + len(files) <= 4


# -- language ----------------------------------------------------------------------------------------


def test_a_language_is_kept_and_the_place_too(browser: Browser) -> None:
    started(browser)
    there = browser.address
    form = browser.screen.form("/language")
    browser.tap(next(one for one in form.buttons if one.value == "ja"))
    assert browser.address == there
    assert '<html lang="ja">' in browser.screen.text
    assert '<html lang="ja">' in browser.open("/").text


def test_the_address_may_name_a_language(browser: Browser) -> None:
    assert '<html lang="it">' in browser.open("/?lang=it").text
    assert '<html lang="it">' in browser.open("/").text
    assert '<html lang="it">' in browser.open("/?lang=xx").text


@pytest.mark.parametrize(
    "back", ["https://elsewhere.example/", "//elsewhere.example", "/\\elsewhere.example", "x"]
)
def test_choosing_a_language_leads_nowhere_else(client: FlaskClient, back: str) -> None:
    response = client.post("/language", data={"lang": "fr", "back": back})
    assert response.headers["Location"] == "/"


def test_every_sentence_of_the_page_is_a_message() -> None:
    for name, message in words.PAGE.items():
        assert REGISTRY[f"page.{name}"] is message


# -- who may, and what goes wrong --------------------------------------------------------------------


def test_a_form_of_another_site_is_refused(browser: Browser) -> None:
    started(browser)
    data = dict(browser.screen.ask.hidden)
    for origin in ("https://elsewhere.example", "null"):
        response = browser.client.post(browser.screen.ask.action, data=data, headers={"Origin": origin})
        assert response.status_code == 403
        assert "another site" in Screen(response).words


def test_a_form_of_this_site_is_taken(browser: Browser) -> None:
    response = browser.client.post(
        "/play/new", data={"game": "julian"}, headers={"Origin": "http://localhost"}
    )
    assert response.status_code == 303


def test_without_a_key_one_looks_on(app: Flask, browser: Browser) -> None:
    play = started(browser)
    other = Browser(app.test_client())
    screen = other.open(f"/play/{play}")
    assert "You are watching" in screen.words
    assert not screen.ask.offers()
    mine = browser.screen.ask
    response = other.client.post(mine.action, data=dict([*mine.hidden, ("answer", mine.offers()[0])]))
    assert response.status_code == 401
    refused = Screen(response)
    assert "To answer from this device, join with a code." in refused.words
    assert "/join" in [one["href"] for one in refused.links]
    assert "header" not in refused.words


@pytest.mark.parametrize("path", ["", "/table", "/areas/shiprock-4", "/tracks/ap", "/chart", "/copy"])
def test_who_looks_on_is_offered_nothing_that_changes_the_play(
    app: Flask, browser: Browser, path: str
) -> None:
    play = started(browser)
    browser.answer(json.loads(browser.screen.ask.offers()[0]))
    screen = Browser(app.test_client()).open(f"/play/{play}{path}")
    assert screen.status == 200
    assert not [one.words for form in screen.forms if "/play/" in form.action for one in form.buttons]
    if path not in ("/chart", "/copy"):
        assert "/join" in [one["href"] for one in screen.links]


def test_a_code_gives_a_second_hand(app: Flask, browser: Browser) -> None:
    play = started(browser)
    browser.open(f"/play/{play}/share")
    shown = browser.tap(browser.screen.form("/share").buttons[0])
    code = re.search(r'class="code">([^<]+)<', shown.text)
    assert code
    other = Browser(app.test_client())
    asked = other.open(f"/join?code={code[1]}")
    other.tap(asked.form("/join").buttons[0], ("code", code[1]))
    assert other.play == play
    assert other.screen.ask.offers()
    again = Browser(app.test_client())
    again.open("/join")
    refused = again.tap(again.screen.form("/join").buttons[0], ("code", code[1]))
    assert refused.status == 404
    assert "join code is not valid" in refused.words


def test_looking_at_a_join_address_uses_nothing_up(app: Flask, browser: Browser) -> None:
    play = started(browser)
    browser.open(f"/play/{play}/share")
    shown = browser.tap(browser.screen.form("/share").buttons[0])
    code = re.search(r'class="code">([^<]+)<', shown.text)
    assert code
    other = Browser(app.test_client())
    for _ in range(2):
        other.open(f"/join?code={code[1]}")
    other.tap(other.screen.form("/join").buttons[0], ("code", code[1]))
    assert other.play == play


@pytest.mark.parametrize(
    "address",
    ["/play/nowhere", "/play/AAAAAAAAAAAAAAAAAAAAAA", "/play/nowhere/share", "/play/nowhere/report.txt"],
)
def test_an_unknown_play_is_said_in_words(browser: Browser, address: str) -> None:
    screen = browser.open(address)
    assert screen.status == 404
    assert "no such play" in screen.words
    assert any(one.get("href") == "/" for one in screen.links)


@pytest.mark.parametrize(
    "answer", ["", "{", "17", '{"open":"x"}', '"\\ud800"', "[" * 3000, "null", '{"kind":"nix"}']
)
def test_an_answer_that_nobody_offered_is_no_5xx(browser: Browser, answer: str) -> None:
    browser.begin(scenario="14.1")
    screen = browser.send(browser.screen.ask, ("answer", answer))
    assert 400 <= screen.status < 500, screen.words


@pytest.mark.parametrize("step", ["", "{", "[]", '{"done":true}', "9" * 5000])
def test_steps_in_an_address_are_no_5xx(browser: Browser, step: str) -> None:
    browser.begin(scenario="14.1")
    response = browser.client.get(
        browser.address, query_string={"step": step, "skip": step, "mode": step, "earlier": step}
    )
    assert response.status_code < 500


@pytest.mark.parametrize(
    "body", [b"", b"{", b"[]", b"{}", b'{"moves": 1}', b'{"position": {"period": "x"}}', b"\xff\xfe"]
)
def test_a_file_that_is_none_is_said_in_words(client: FlaskClient, body: bytes) -> None:
    import io

    data = {"game": "navajo-wars", "file": (io.BytesIO(body), "game.json")}
    response = client.post("/play/import", data=data, content_type="multipart/form-data")
    assert response.status_code in (303, 422)
    if response.status_code == 422:
        assert "could not be read" in Screen(response).words


def test_a_saved_file_goes_on_elsewhere(app: Flask, browser: Browser) -> None:
    import io

    browser.begin(scenario="14.1")
    browser.answer("shiprock-2")
    saved = browser.client.get(f"/play/{browser.play}/transcript")
    assert "attachment" in saved.headers["Content-Disposition"]
    other = app.test_client()
    data = {"game": "navajo-wars", "file": (io.BytesIO(saved.data), "game.json")}
    response = other.post("/play/import", data=data, content_type="multipart/form-data")
    assert response.status_code == 303
    assert "Family A" in other.get(response.headers["Location"]).get_data(as_text=True)


# -- undo, twice, meanwhile --------------------------------------------------------------------------


def test_undo_and_redo(browser: Browser) -> None:
    before = browser.begin(scenario="14.1").words
    browser.answer("shiprock-2")
    after = browser.screen.words
    assert "Shiprock" in after
    assert after != before
    browser.tap(browser.screen.form("/undo").buttons[0])
    assert "In which Area of the Territory Shiprock" in browser.screen.words
    browser.tap(browser.screen.form("/redo").buttons[0])
    assert "In which Area of the Territory Shiprock" not in browser.screen.words
    assert not [one for one in browser.screen.forms if one.action.endswith("/redo")]


def test_what_was_noted_is_said_even_where_no_single_value_changed(browser: Browser) -> None:
    browser.begin(scenario="14.1")
    for answer in ("shiprock-2", 1, "san-juan-valley-2", 1, "canyon-de-chelly-2", 1, {"done": True}):
        browser.answer(answer)
    assert "Cultural Development card: none" in browser.screen.words
    browser.open(f"/play/{browser.play}?earlier=10")
    assert "Told by hand: Family A: Shiprock\u00a0#2" in browser.screen.words


def test_what_stands_already_is_in_the_fields_that_ask_for_it(app: Flask, browser: Browser) -> None:
    browser.begin(scenario="14.1")
    for answer in ("shiprock-2", 1, "san-juan-valley-2", 1, "canyon-de-chelly-2", 1, {"done": True}):
        browser.answer(answer)
    assert "Trade Goods and Harass counters are still set aside" in browser.screen.words
    held = [(one["name"] or "", one["value"] or "") for one in browser.screen.ask.controls if one.get("name")]
    assert held == [("is-trade_goods", "6"), ("is-harass", "2")]
    browser.send(browser.screen.ask, *held)
    aside = position_of(app, browser.play).position.set_aside
    assert (aside.trade_goods, aside.harass) == (6, 2)
    assert "Noted:" not in browser.screen.words, "and nothing behind it"


def test_the_same_answer_sent_twice_counts_once(browser: Browser) -> None:
    browser.begin(scenario="14.1")
    ask = browser.screen.ask
    data = dict([*ask.hidden, ("answer", said("shiprock-2"))])
    first = browser.client.post(ask.action, data=data)
    second = browser.client.post(ask.action, data=data)
    assert (first.status_code, second.status_code) == (303, 303)
    assert "2 of 9" in browser.open(f"/play/{browser.play}").words


def test_who_is_slower_is_told(browser: Browser) -> None:
    browser.begin(scenario="14.1")
    ask = browser.screen.ask
    browser.answer("shiprock-2")
    response = browser.client.post(ask.action, data=dict([*ask.hidden, ("answer", said("shiprock-3"))]))
    assert response.status_code == 409
    screen = Screen(response)
    assert "Meanwhile another device answered" in screen.words
    assert screen.ask.offers()


def test_news_come_only_when_there_are_some(browser: Browser) -> None:
    browser.begin(scenario="14.1")
    version = dict(browser.screen.ask.hidden)["after"]
    at = f"/play/{browser.play}/news"
    assert browser.client.get(at, query_string={"after": version}).status_code == 204
    browser.answer("shiprock-2")
    assert browser.client.get(at, query_string={"after": version}).status_code == 200


def test_home_lists_what_was_opened(browser: Browser) -> None:
    browser.begin(scenario="14.5")
    home = browser.open("/")
    assert "The Rope Thrower" in home.words
    assert " ago" in home.words, "and not in 0 seconds"
    assert any(one.get("href") == f"/play/{browser.play}" for one in home.links) or browser.play in home.text


def test_a_browser_remembers_twenty_plays(browser: Browser) -> None:
    for _ in range(23):
        browser.begin("julian")
    home = browser.open("/")
    assert len([one for one in home.links if (one.get("class") or "") == "card"]) == 20


def test_a_point_is_read_otherwise_and_undone(browser: Browser) -> None:
    play = started(browser)
    copy = browser.open(f"/play/{play}/copy")
    form = next(one for one in copy.forms if one.action.endswith("/readings") and one.buttons)
    browser.tap(form.buttons[0])
    assert "Read otherwise" in browser.screen.words
    browser.tap(browser.screen.form("/undo").buttons[0])
    assert "Read otherwise" not in browser.screen.words


def test_keys_are_switched_off(browser: Browser) -> None:
    assert "data-keys" in browser.open("/").text
    browser.open("/keys")
    browser.tap(browser.screen.form("/keys").buttons[0])
    assert "data-keys" not in browser.open("/").text


def test_the_list_of_addresses_stays_for_programs(client: FlaskClient) -> None:
    assert client.get("/docs/").status_code == 200
    response: Any = client.get("/v1/nowhere")
    assert response.content_type == "application/problem+json"


def test_an_address_that_nothing_is_at_is_said_to_readers_and_programs(client: FlaskClient) -> None:
    page = client.get("/nowhere", headers={"Accept": "text/html"})
    assert page.status_code == 404
    assert "nothing at this address" in Screen(page).words
    assert "Content-Security-Policy" in page.headers
    assert client.get("/nowhere").content_type == "application/problem+json"


def test_whoever_asks_too_much_is_told_in_words(tmp_path: Path) -> None:
    limits = {"everything": "100 per minute", "join": "2 per minute"}
    client = create_app({"STORE": f"sqlite:///{tmp_path}/plays.db", "LIMITS": limits}).test_client()
    found = [client.post("/join", data={"code": "NOTHING"}) for _ in range(3)]
    assert [one.status_code for one in found] == [404, 404, 429]
    assert "Too many requests" in Screen(found[-1]).words
    assert found[-1].headers["Retry-After"]


def test_what_was_told_is_repeated_in_words_and_cards_stand_close_together(app: Flask) -> None:
    browser = Browser(app.test_client())
    browser.begin(scenario="14.1")
    while "What do you do?" not in browser.screen.words:
        browser.tap(next(one for one in browser.screen.ask.buttons if one.name == "later"))
    browser.answer({"kind": "draw-card"})
    browser.answer(2)
    browser.answer("ceremony")
    assert "asked anew where it matters: General Record" in browser.screen.words, "before the tap"
    browser.answer("by-hand")
    assert "You: done by hand" in browser.screen.words
    browser.answer(3)
    assert "Noted: Culture Points: 3" in browser.screen.words
    browser.answer(3)
    boxes = [one for one in browser.screen.ask.controls if one.get("name") == "some"]
    assert [one.get("aria-label") for one in boxes[:2]] == ["Card\u00a0#1", "Card\u00a0#2"]
    assert 'class="checks dense"' in browser.screen.text
