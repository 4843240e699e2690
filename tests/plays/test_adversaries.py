"""People who mean harm, and programs that do it by mistake: nothing grows without bounds, nobody gets in, nothing lies."""

from __future__ import annotations

import logging
import re
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from html.parser import HTMLParser
from typing import Any

import pytest
import sqlalchemy as sa
from flask import Flask
from flask.testing import FlaskClient

from service import play_access, play_kept, play_records, prices
from service import plays as functions
from service.bodies import MOST_INPUTS
from service.play_problems import OtherVersion, Problem
from service.plays import MOST_LATER
from service.store import Store, codes, keys, plays, readings, repeats
from tests.plays.databases import SQLITE
from tests.plays.player import EVADE, EVADING, Player
from tests.service.sent import LANGUAGES

NO_RULING = {"kind": "evade", "family": "A"}  # while it is not told where the Family is
PLAYS = "/v1/games/navajo-wars/plays"


def kept_of(store: Store, player: Player) -> Any:
    with store.reading() as connection:
        return connection.execute(sa.select(plays).where(plays.c.id == player.id)).one()


# -- what grows has an end ---------------------------------------------------------------------------


def test_places_that_are_put_off_are_bounded(player: Player, store: Store) -> None:
    player.start(position=EVADING)
    for field in ("enemy_ap", "in_play_ap", "minor_event", "population", "type"):
        places = [f"/components/cards/{card}/{field}" for card in range(1, 51)]
        player.move(None, {"tell": dict.fromkeys(places, "unknown")})
    assert len(play_kept.find(store, player.id).waits.later) == MOST_LATER
    assert play_kept.find(store, player.id).waits.later[-1] == max(places)
    for wrong in ("x", "/" + "y" * 200):
        refused = player.send("moves", {"inputs": [{"tell": {wrong: "unknown"}}]})
        assert (refused.status_code, refused.get_json()["code"]) == (422, "unreadable")


def test_answers_sent_ahead_of_facts_are_bounded(player: Player) -> None:
    player.start(position={"period": "mexican"})
    player.move(NO_RULING)
    assert player.move(None, *[{"die": 1}] * MOST_INPUTS)["ruling"] == "undetermined"
    before = player.version
    refused = player.send("moves", {"inputs": [{"die": 1}]})
    assert refused.status_code == 422
    assert [(one["code"], one["pointer"]) for one in refused.get_json()["errors"]] == [
        ("too-many", "/inputs")
    ]
    assert player.get()["version"] == before


def test_copies_that_are_kept_count_to_the_size_of_a_play(serve: Callable[..., Flask]) -> None:
    client = serve(PLAY_BYTES=6_000).test_client()
    player, store = Player(client), client.application.extensions["ruleglot-plays"].store
    values = {f"{place}-{number}": number for place in ("shiprock", "black-mesa") for number in range(1, 7)}
    player.start(position=EVADING, components={"area_values": values})
    statuses = []
    for number in range(60):
        sent = {"inputs": [{"tell": {"/components/area_values/shiprock-1": 1 + number % 5}}]}
        statuses.append(player.send("moves", sent).status_code)
        player.version = player.get()["version"]
    assert statuses[0] == 200
    assert statuses[-1] == 413
    with store.reading() as connection:
        told = sa.select(sa.func.sum(sa.func.length(readings.c.told))).where(readings.c.play == player.id)
        assert kept_of(store, player).size > connection.scalar(told)
    assert player.post("undo", {"moves": 5})["redo"] == 5
    assert player.tell(tracks__ap=1)["kept"], "what was undone makes room"


def test_a_transcript_that_changes_its_copy_all_the_time_is_refused(serve: Callable[..., Flask]) -> None:
    client = serve(PLAY_BYTES=20_000).test_client()
    moves: list[dict[str, Any]] = [
        {"kind": "read", "choices": {"C07": ("free", "one-ap")[number % 2]}} for number in range(900)
    ]
    moves[-1]["position_after"] = {}
    refused = client.post(PLAYS, json={"transcript": {"position": {}, "moves": moves}})
    assert (refused.status_code, refused.get_json()["code"]) == (413, "play-too-large")


def test_what_is_dear_is_done_in_smaller_pieces(player: Player, monkeypatch: pytest.MonkeyPatch) -> None:
    moves: list[dict[str, Any]] = [
        {"kind": "told", "inputs": [{"tell": {"/tracks/ap": 1}}]} for _ in range(5)
    ]
    moves[-1]["position_after"] = {"tracks": {"ap": 1}}
    player.start(transcript={"position": {}, "moves": moves})
    monkeypatch.setattr(prices, "spent", lambda: lambda: True)
    assert [player.post("verify")["verified"] for _ in range(5)] == [1, 2, 3, 4, 5]
    page = player.get("/moves", after=1, limit=3)
    assert ([one["number"] for one in page["moves"]], page["next"]) == ([2], 2)


# -- at the same moment ------------------------------------------------------------------------------


def at_once(count: int, work: Callable[[int], Any]) -> list[Any]:
    with ThreadPoolExecutor(count) as pool:
        return list(pool.map(work, range(count)))


def test_nobody_gets_more_plays_by_asking_for_them_at_once(serve: Callable[..., Flask]) -> None:
    app = serve(PLAYS_PER_ADDRESS=3)
    app.test_client().post(PLAYS)
    statuses = at_once(8, lambda _: app.test_client().post(PLAYS).status_code)
    assert sorted(statuses) == [201] * 2 + [429] * 6


def test_nor_more_join_codes(player: Player) -> None:
    player.start()
    for _ in range(17):
        player.send("codes")
    assert sorted(at_once(8, lambda _: player.send("codes").status_code)) == [201] * 3 + [413] * 5


def test_a_creation_sent_again_eight_times_at_once_leaves_one_key(player: Player, store: Store) -> None:
    sent = {"headers": {"Idempotency-Key": f"hurry-{time.time_ns()}"}}
    made = [one.get_json() for one in at_once(8, lambda _: player.client.post(PLAYS, **sent))]
    (play,) = {one["id"] for one in made}
    fits = [
        player.client.get(f"/v1/plays/{play}/keys", headers={"Authorization": f"Bearer {one['key']}"})
        for one in made
    ]
    assert [one.status_code for one in fits].count(200) == 1


def test_a_code_sent_for_again_eight_times_at_once_leaves_one(player: Player, store: Store) -> None:
    player.start()
    headers = player.headers(Idempotency_Key="c")
    made = at_once(8, lambda _: player.send("codes", None, headers).status_code)
    assert made == [201] * 8
    with store.reading() as connection:
        count = sa.select(sa.func.count()).where(codes.c.play == player.id)
        assert connection.scalar(count) == 1


def test_a_play_that_was_deleted_meanwhile_gets_no_code_and_no_key(player: Player, store: Store) -> None:
    player.start()
    functions.delete(store, play_kept.find(store, player.id))
    with pytest.raises(Problem, match="unknown-play"):
        play_access.invite(store, player.id)
    with store.reading() as connection:
        for table in (codes, keys, repeats):
            assert not connection.execute(sa.select(table).where(table.c.play == player.id)).all()


def test_verifying_does_not_vouch_for_moves_that_were_made_meanwhile(player: Player, store: Store) -> None:
    moves = [
        {"kind": "told", "inputs": [{"tell": {"/tracks/ap": 1}}], "position_after": {"tracks": {"ap": 1}}}
        for _ in range(3)
    ]
    player.start(transcript={"position": {}, "moves": moves})
    before = play_kept.find(store, player.id)
    player.post("undo", {"moves": 2})
    player.tell(tracks__ap=4)
    with pytest.raises(OtherVersion):
        play_records.verify(store, before, None, "en")
    assert player.get()["verified"] == 0


def test_what_is_read_while_somebody_moves_is_read_again(
    player: Player, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    player.start(position=EVADING)
    for number in range(3):
        player.tell(tracks__ap=number)
    before = play_kept.find(store, player.id)
    player.post("undo", {"moves": 2})
    player.tell(tracks__ap=9)
    find = play_kept.find
    for path in ("/moves", "/transcript", "/report"):
        seen = iter([before])
        monkeypatch.setattr(play_kept, "find", lambda *told: next(seen, None) or find(*told))  # noqa: B023
        response = player.client.get(f"/v1/plays/{player.id}{path}")
        assert (response.status_code, response.headers["ETag"]) == (200, f'"{player.version}"')
    monkeypatch.setattr(play_kept, "find", lambda *_: before)
    busy = player.client.get(f"/v1/plays/{player.id}/moves")
    assert (busy.status_code, busy.get_json()["code"]) == (503, "store-busy")


# -- the same key again ------------------------------------------------------------------------------


def test_a_move_that_was_not_kept_is_answered_again_too(player: Player) -> None:
    player.start(position=EVADING)
    headers = player.headers(Idempotency_Key="k")
    sent = {"action": {"kind": "evade", "family": "B"}}
    first = player.send("moves", sent, headers)
    assert first.get_json()["ruling"] == "illegal"
    player.move(EVADE)
    again = player.send("moves", sent, headers)
    assert again.get_json() == first.get_json(), "though the version is another by now"
    other = player.send("moves", {"action": EVADE}, headers)
    assert (other.status_code, other.get_json()["code"]) == (422, "idempotency-key-reused")


def test_after_a_day_a_key_is_new(player: Player, store: Store) -> None:
    player.start(position=EVADING)
    player.move(EVADE, Idempotency_Key="day")
    with store.writing() as connection:
        old = sa.update(repeats).where(repeats.c.play == player.id)
        connection.execute(old.values(made=time.time() - 24 * 60 * 60 - 1))
    assert player.move(None, {"die": 2}, Idempotency_Key="day")["moves"] == 2


def test_a_key_of_another_address_is_another_key(client: FlaskClient) -> None:
    sent = {"headers": {"Idempotency-Key": f"shared-{time.time_ns()}"}}
    here = client.post(PLAYS, **sent).get_json()
    there = client.post(PLAYS, **sent, environ_base={"REMOTE_ADDR": "10.9.8.7"}).get_json()
    assert here["id"] != there["id"]
    other = client.post(PLAYS, **sent, json={"name": "x"})
    assert (other.status_code, other.get_json()["code"]) == (422, "idempotency-key-reused")


def test_several_versions_may_be_named(player: Player) -> None:
    player.start(position=EVADING)
    player.move(EVADE)
    for named in ('"7", "2"', 'W/"2"', "2", '"1",W/"2"'):
        refused = player.send("undo", {"moves": 9}, {**player.headers(), "If-Match": named})
        assert refused.get_json()["code"] == "nothing-to-undo", "the version is right"
        seen = player.client.get(f"/v1/plays/{player.id}", headers={"If-None-Match": named})
        assert (seen.status_code, seen.headers["Vary"]) == (304, "Accept-Language")


# -- transcripts that lie ----------------------------------------------------------------------------

TOLD = {
    "kind": "told",
    "inputs": [{"tell": {"/tracks/ap": 1}}],
    "position_after": {"tracks": {"ap": 1}},
}


@pytest.mark.parametrize(
    "lie",
    [
        {"kind": "told", "inputs": [{"tell": {"/elders/9": 1}}]},
        {"kind": "told", "inputs": [{"tell": {"/nothing/<b>x": "<script>"}}]},
        {"kind": "told", "inputs": [{"untell": "/nothing"}]},
        {"position": {"elders": [1] * 7}, "inputs": [{"tell": {"/agenda/0/memory/x": 1}}]},
        {"kind": "read", "inputs": [{"tell": {"/choices/who-wins": "me"}}]},
        {"action": EVADE, "inputs": [{"die": 3}, {"die": 3}, {"choose": "x"}]},
        {"action": EVADE, "inputs": [{"die": 3}], "expected": {"ruling": "illegal"}},
    ],
)
def test_a_move_that_cannot_be_is_refused_or_shown_and_found_out(player: Player, lie: Any) -> None:
    begun = {"position": {"tracks": {"ap": 0}}, "moves": [lie, TOLD]}
    made = player.client.post(PLAYS, json={"transcript": begun})
    if made.status_code != 201:
        assert (made.status_code, made.get_json()["code"]) == (422, "unreadable")
        return
    state = made.get_json()
    player.id, player.key, player.version = state["id"], state["key"], 1
    for path in ("/moves", "/transcript", ""):
        assert player.get(path)
    for lang in LANGUAGES:
        for ending in ("txt", "md", "html"):
            assert player.text(f"/report.{ending}", lang=lang)
        found = player.client.post(
            f"/v1/plays/{player.id}/verify", query_string={"lang": lang}, headers=player.headers()
        ).get_json()
        assert (found["verified"], found["diverged"]["number"]) == (0, 1)
        assert found["diverged"]["text"]
    assert player.client.get(f"/play/{player.id}").status_code == 200
    assert player.move(None, {"tell": {"/tracks/ap": 2}})["kept"], "it can be played on"


def test_what_was_told_as_the_set_up_has_it_is_not_asked_again_after_an_import(player: Player) -> None:
    state = player.start(scenario="14.1")
    asked = [one["pointer"] for one in state["unknowns"]]
    assert "/set_aside" in asked
    player.move(None, {"tell": {"/set_aside": state["position"]["set_aside"]}})
    left = [one["pointer"] for one in player.get()["unknowns"]]
    assert left == [one for one in asked if one != "/set_aside"]
    other = Player(player.client)
    other.start(transcript=player.get("/transcript"))
    assert [one["pointer"] for one in other.get()["unknowns"]] == left
    assert [one["pointer"] for one in player.post("undo")["unknowns"]] == asked, "undone is not told"
    assert [one["pointer"] for one in player.post("redo")["unknowns"]] == left
    player.post("undo")
    player.tell(families__A__ferocity=2)
    assert "/set_aside" in [one["pointer"] for one in player.get()["unknowns"]]


# -- texts are texts ---------------------------------------------------------------------------------

NASTY = (
    "<script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    "\"><svg/onload=alert(1)>'",
    "[x](javascript:alert(1)) ![y](https://evil.example/t.png)",
    "**bold** `code` https://evil.example www.evil.example <https://evil.example> me@evil.example",
    "{{ 7 * 7 }} {% raw %} %(x)s ${x}",
    "&lt;script&gt; &#60;script&#62;",
    "\u202eevil\u202c \u2028new line\u2029 ﷺ 𝒳 👩‍👩‍👧 é",
)
TAGS = {"html", "head", "meta", "title", "body", "main", "h1", "h2", "h3", "section", "p", "ul", "li"}
TAGS |= {"strong", "small"}


class Tags(HTMLParser):
    """The tags of a document, and the names of their attributes."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.attributes: set[str] = set()
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self.attributes |= {name for name, _ in attrs}


@pytest.mark.parametrize("nasty", NASTY)
def test_what_players_write_is_never_markup(player: Player, nasty: str) -> None:
    player.start(position=EVADING, name=nasty)
    player.post("corrections", {"tell": {"/tracks/ap": 1}, "note": nasty})
    assert player.get()["name"] == nasty
    assert player.get("/moves")["moves"][0]["note"] == nasty
    for lang in LANGUAGES:
        report = player.client.get(f"/v1/plays/{player.id}/report.html", query_string={"lang": lang})
        found = Tags(report.text)
        assert found.tags <= TAGS
        assert found.attributes <= {"lang", "charset", "name", "content"}
        assert report.headers["X-Content-Type-Options"] == "nosniff"
        assert "script-src" not in report.headers["Content-Security-Policy"]
        written = player.text("/report.md", lang=lang)
        for mark in (
            r"(?<!\\)<[a-z/!]",
            r"(?<!\\)\]\(",
            r"(?<!\\)!\[",
            r"\bhttps?://",
            r"\bwww\.",
            r"(?<!\\)@",
        ):
            assert not re.search(mark, written), written
    page = player.client.get(f"/play/{player.id}")
    seen = Tags(page.text)
    assert page.status_code == 200
    assert not {one for one in seen.attributes if one.startswith("on")}
    assert "img" not in seen.tags
    assert "alert(1)</script>" not in page.text


def test_the_names_of_julians_stacks_and_units_are_texts_too(player: Player) -> None:
    nasty = "<script>alert(1)</script>"
    position = {
        "turn": 1,
        "phase": "operations",
        "subphase": "movement",
        "active": "roman",
        "hands": {"roman": {"military": 1}, "barbarian": {}},
        "commands": [{"name": nasty, "side": "roman", "drawn": True, "active": True}],
        "last_play": None,
        "played": [],
        "combat": None,
    }
    player.start("julian", position=position)
    march = {"kind": "play-stratagem", "by": "roman", "marker": "military", "use": "march", "stack": nasty}
    answer = player.move(march)
    assert answer["kept"], answer["headline"]
    for lang in LANGUAGES:
        assert Tags(player.text("/report.html", lang=lang)).tags <= TAGS
        assert not re.search(r"(?<!\\)<script", player.text("/report.md", lang=lang))
        for path in ("", "/table", "/report"):
            page = player.client.get(f"/play/{player.id}{path}", headers={"Accept-Language": lang})
            assert page.status_code == 200
            assert nasty not in page.text


@pytest.mark.parametrize("sign", ["\0", "\x1b[31m", "\x07", "\x7f", "\x9b"])
def test_what_a_terminal_would_obey_is_refused(player: Player, sign: str) -> None:
    player.start(position=EVADING)
    named = player.client.patch(
        f"/v1/plays/{player.id}", json={"name": f"a{sign}b"}, headers=player.headers()
    )
    noted = player.send("corrections", {"tell": {"/tracks/ap": 1}, "note": f"a{sign}b"})
    for refused in (named, noted):
        assert (refused.status_code, refused.get_json()["code"]) == (422, "unreadable")
        assert sign not in refused.get_data(as_text=True)
    assert player.post("corrections", {"tell": {"/tracks/ap": 1}, "note": "two\nlines\tand a tab"})["moves"]


# -- whatever else is sent ---------------------------------------------------------------------------

PATHS = (
    "",
    "/moves",
    "/corrections",
    "/readings",
    "/undo",
    "/redo",
    "/report",
    "/report.html",
    "/transcript",
)
PATHS += ("/components", "/verify", "/options", "/odds", "/codes", "/keys", "/keys/1")
BODIES = (
    b"",
    b"{",
    b"[]",
    b"null",
    b"7",
    b'"x"',
    b"\xff\xfe",
    b"\xef\xbb\xbf{}",
    b'{"inputs": NaN}',
    b'{"inputs": [{"tell": {"/tracks/ap": 1e999}}]}',
    b'{"inputs": [{"tell": {"\\ud800": "\\ud800"}}]}',
    b'{"inputs": [{"tell": {"/\\u0000": "\\u0000"}}], "note": "\\u0000", "name": "\\u0000"}',
    b'{"inputs": [{"choose": {"kind": {"kind": []}}}], "action": {"kind": []}}',
    b'{"tell": {"/agenda": [{"procedure": "enemy-raid", "step": "placement", "memory": {"x": 1}}]}}',
    b'{"tell": {"": {}, "/": {}, "//": {}, "/~2": {}, "/tracks/~1": 1}}',
    b'{"moves": -1, "choices": {"": ""}, "components": {"": ""}, "name": {}}',
    b'{"a":' * 3000 + b"1" + b"}" * 3000,
    b"[" * 60_000,
)


METHODS = ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS")


@pytest.mark.parametrize("kind", [SQLITE], indirect=True)
@pytest.mark.parametrize("path", PATHS)
def test_any_method_with_any_body_has_a_clear_answer(player: Player, path: str) -> None:
    player.start(position=EVADING)
    headers = {"Authorization": f"Bearer {player.key}", "If-Match": '"99"', "Idempotency-Key": "é" * 9}
    sent = [(method, body, "application/json") for method in METHODS for body in BODIES]
    for method, body, media in (*sent, *((method, b"{}", "text/html") for method in METHODS)):
        if (method, path) == ("DELETE", "/keys/1"):
            continue
        response = player.client.open(
            f"/v1/plays/{player.id}{path}", method=method, data=body, content_type=media, headers=headers
        )
        assert response.status_code < 500, (body[:60], response.text)
        if method == "HEAD":
            assert response.data == b""
        elif response.status_code >= 400:
            assert response.content_type == "application/problem+json"
            assert response.get_json()["detail"]
    assert player.get()["version"] == 1
    assert functions_opened(player)


def functions_opened(player: Player) -> bool:
    """Does his key still open it?"""
    response = player.client.get(f"/v1/plays/{player.id}/keys", headers=player.headers())
    return bool(response.status_code == 200)


def test_keys_and_codes_are_in_no_log(player: Player, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    player.start(position=EVADING)
    code = player.send("codes").get_json()["code"]
    joined = player.client.post("/v1/plays/join", json={"code": code}).get_json()
    for key in (player.key, joined["key"]):
        player.client.post(f"/v1/plays/{player.id}/moves", headers={"Authorization": f"Bearer {key}"})
    player.client.post("/v1/plays/join", json={"code": "0" * 10})
    said = "".join(f"{record.getMessage()}{record.exc_text or ''}" for record in caplog.records)
    assert not [secret for secret in (player.key, joined["key"], code) if secret in said]


def test_ids_are_not_to_be_enumerated(player: Player) -> None:
    """An id is 128 random bits, and nothing lists them."""
    ids = [player.start()["id"] for _ in range(20)]
    assert len({one[0] for one in ids}) > 3
    for path in ("/v1/plays", "/v1/plays/", "/v1/games/navajo-wars/plays"):
        assert player.client.get(path).status_code in (404, 405)
