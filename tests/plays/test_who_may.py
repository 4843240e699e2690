"""Reading needs the id, changing needs the key and the version; what is refused says why, in four languages."""

from __future__ import annotations

import logging
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
import sqlalchemy as sa
from flask import Flask
from flask.testing import FlaskClient

from service.play_keys import ALPHABET, MOST_CODES, hashed
from service.store import Store, codes, keys, plays
from tests.plays.player import EVADE, EVADING, Player
from tests.service.sent import LANGUAGES

CHANGES = (
    ("post", "/moves", {"inputs": []}),
    ("post", "/corrections", {"tell": {"/tracks/ap": 1}}),
    ("post", "/readings", {"choices": {}}),
    ("post", "/undo", {}),
    ("post", "/redo", {}),
    ("patch", "", {"name": "x"}),
    ("delete", "", None),
)
KEYED = (*CHANGES, ("post", "/verify", None), ("post", "/codes", None), ("get", "/keys", None))


def code_of(response: Any) -> tuple[int, str]:
    body = response.get_json()
    assert response.content_type == "application/problem+json", response.get_data(as_text=True)
    assert body["status"] == response.status_code
    return response.status_code, body["code"]


@pytest.mark.parametrize(("method", "path", "body"), KEYED)
def test_without_its_key_nothing_changes(player: Player, method: str, path: str, body: Any) -> None:
    player.start(position=EVADING)
    other = Player(player.client)
    other.start()
    at = f"/v1/plays/{player.id}{path}"
    for authorization, code in (
        (None, "no-key"),
        ("", "no-key"),
        ("Basic eDp5", "no-key"),
        ("Bearer", "no-key"),
        (f"Bearer {other.key}", "wrong-key"),
        (f"Bearer {player.key}x", "wrong-key"),
        (f"Bearer {hashed(player.key)}", "wrong-key"),
    ):
        sent = {"If-Match": '"1"'} | ({} if authorization is None else {"Authorization": authorization})
        refused = player.client.open(at, method=method, json=body, headers=sent)
        assert code_of(refused) == (401, code)
        assert refused.headers["WWW-Authenticate"] == "Bearer"
    assert player.get()["version"] == 1


@pytest.mark.parametrize(("method", "path", "body"), CHANGES)
def test_a_change_says_which_version_it_means(player: Player, method: str, path: str, body: Any) -> None:
    player.start(position=EVADING)
    player.move(EVADE)
    at, key = f"/v1/plays/{player.id}{path}", {"Authorization": f"Bearer {player.key}"}
    missing = player.client.open(at, method=method, json=body, headers=key)
    assert code_of(missing) == (428, "version-missing")
    for version in ('"1"', '"3"', "1", '""', '"x"', '"-1"', "9" * 99, '"２"'):
        refused = player.client.open(at, method=method, json=body, headers={**key, "If-Match": version})
        assert code_of(refused) == (412, "other-version")
        assert refused.get_json()["version"] == 2
        assert refused.headers["ETag"] == '"2"'
    assert player.get()["version"] == 2


@pytest.mark.parametrize("play", ["x" * 22, "nothing", "a" * 5000, "%00", "%F0%9F%8E%B2", "..", "' OR 1=1--"])
def test_an_unknown_play_is_not_there(client: FlaskClient, play: str) -> None:
    for path in ("", "/moves", "/report", "/transcript", "/components"):
        assert client.get(f"/v1/plays/{play}{path}").status_code == 404
    sent = {"Authorization": "Bearer x", "If-Match": '"1"'}
    assert client.post(f"/v1/plays/{play}/moves", json={}, headers=sent).status_code == 404


@pytest.mark.parametrize("lang", LANGUAGES)
def test_refusals_are_worded_in_the_readers_language(player: Player, lang: str) -> None:
    player.start(position=EVADING)
    player.move(EVADE)
    key = {"Authorization": f"Bearer {player.key}", "Accept-Language": lang}
    at = f"/v1/plays/{player.id}"
    for response in (
        player.client.get("/v1/plays/nothing", headers=key),
        player.client.post(f"{at}/undo", headers={"Accept-Language": lang}),
        player.client.post(f"{at}/undo", headers=key),
        player.client.post(f"{at}/undo", headers={**key, "If-Match": '"7"'}),
        player.client.post(f"{at}/undo", json={"moves": 9}, headers={**key, "If-Match": '"2"'}),
        player.client.post(f"{at}/undo", json={"moves": 0}, headers={**key, "If-Match": '"2"'}),
    ):
        assert response.get_json()["lang"] == response.headers["Content-Language"] == lang
        assert response.get_json()["detail"]


@pytest.mark.parametrize(
    ("path", "body", "pointers"),
    [
        ("moves", {"action": {"kind": "fly"}, "inputs": 3, "spam": 1}, {"/action/kind", "/inputs", "/spam"}),
        ("moves", {"inputs": [{"tell": {"/families/Z/at": "x"}}]}, {"/inputs/0/tell/~1families~1Z~1at"}),
        ("moves", {"inputs": [{"tell": {"families": 1}}]}, {"/inputs/0/tell/families"}),
        ("moves", {"inputs": [{"tell": 3}]}, {"/inputs/0/tell"}),
        ("moves", {"inputs": [{"tell": {"/elders/9": 3}}]}, {"/inputs/0/tell/~1elders~19"}),
        ("moves", {"inputs": [{"die": 1, "read": 2}]}, {"/inputs/0"}),
        ("moves", {"lang": "de"}, {"/lang"}),
        ("moves", [], {""}),
        ("corrections", {}, {"/tell"}),
        ("corrections", {"tell": {"/tracks/ap": 99}}, {"/tell/~1tracks~1ap"}),
        ("corrections", {"tell": {"/": 1}}, {"/tell/~1"}),
        ("corrections", {"tell": {"/a" * 50: 1}}, {"/tell/" + "~1a" * 50}),
        ("corrections", {"tell": {"/tracks": None, "/tracks/ap/x": 1}}, {"/tell/~1tracks~1ap~1x"}),
        ("corrections", {"tell": {"/agenda": [{"procedure": "x", "step": "y"}]}}, None),
        ("corrections", {"tell": {"/tracks/ap": 1}, "note": "x" * 1001}, {"/note"}),
        ("readings", {"choices": {"who-wins": "me"}}, {"/choices/who-wins"}),
        ("readings", {"components": {"area_values": {"nowhere": 1}}}, {"/components/area_values/nowhere"}),
        ("undo", {"moves": 0}, {"/moves"}),
        ("undo", {"moves": "1"}, {"/moves"}),
        ("redo", {"moves": 10**30}, {"/moves"}),
    ],
)
def test_what_cannot_be_read_is_said_where_it_stands(
    player: Player, path: str, body: Any, pointers: set[str] | None
) -> None:
    player.start(position={**EVADING, "tracks": {"ap": 2}, "elders": [0] * 7})
    refused = player.send(path, body)
    assert code_of(refused) == (422, "unreadable")
    found = {error["pointer"] for error in refused.get_json()["errors"]}
    assert pointers is None or found == pointers
    assert player.get()["version"] == 1


@pytest.mark.parametrize(
    ("body", "pointer"),
    [
        ({"scenario": "14.9"}, "/scenario"),
        ({"scenario": ["14.1"]}, "/scenario"),
        ({"scenario": "14.1", "position": {}}, "/position"),
        ({"position": {"tracks": {"ap": -1}}}, "/position/tracks/ap"),
        ({"transcript": {"position": {}}}, "/transcript/moves"),
        ({"transcript": 3}, "/transcript"),
        (
            {"transcript": {"position": {}, "moves": [{"action": {"kind": "fly"}}]}},
            "/transcript/moves/0/action/kind",
        ),
        ({"transcript": {"position": {}, "moves": [{}]}}, "/transcript/moves/0"),
        ({"transcript": {"position": {}, "moves": [], "format": 2}}, "/transcript/format"),
        (
            {
                "transcript": {
                    "position": {},
                    "moves": [{"position_after": {"agenda": [{"procedure": "x", "step": "y"}]}}],
                }
            },
            "/transcript/moves/0/position_after/agenda/0/procedure",
        ),
        ({"name": "x" * 201}, "/name"),
        ({"name": "a\0b"}, "/name"),
        ({"expires_in": 0}, "/expires_in"),
        ({"lang": "de"}, "/lang"),
        ({"spam": 1}, "/spam"),
    ],
)
def test_a_play_that_cannot_be_started_says_why(client: FlaskClient, body: Any, pointer: str) -> None:
    refused = client.post("/v1/games/navajo-wars/plays", json=body)
    assert code_of(refused) == (422, "unreadable")
    assert [error["pointer"] for error in refused.get_json()["errors"]] == [pointer]


def test_bodies_are_bounded(player: Player) -> None:
    player.start()
    large = player.client.post(
        "/v1/games/navajo-wars/plays",
        data=b'{"name": "' + b"x" * (4 * 1024 * 1024) + b'"}',
        content_type="application/json",
    )
    assert code_of(large) == (413, "too-large")
    long = player.client.post(
        f"/v1/plays/{player.id}/moves",
        data=b" " * 70_000,
        content_type="application/json",
        headers=player.headers(),
    )
    assert code_of(long) == (413, "too-large")
    assert code_of(player.client.post("/v1/games/chess/plays")) == (404, "unknown-game")


def test_how_much_is_kept_is_bounded(serve: Callable[..., Flask]) -> None:
    client = serve(PLAYS_PER_ADDRESS=2, PLAY_MOVES=3, PLAY_BYTES=2_000).test_client()
    player = Player(client)
    player.start()
    player.start(position=EVADING)
    assert code_of(client.post("/v1/games/navajo-wars/plays")) == (429, "too-many-plays")
    elsewhere = client.post("/v1/games/navajo-wars/plays", environ_base={"REMOTE_ADDR": "10.1.1.1"})
    assert elsewhere.status_code == 201
    for number in range(3):
        player.tell(tracks__ap=number)
    assert code_of(player.send("moves", {"inputs": [{"tell": {"/tracks/ap": 9}}]})) == (413, "play-too-long")
    assert player.get()["moves"] == 3
    player.post("undo")
    letters = [f"shiprock-{number}" for number in range(1, 7)]
    large = {"/areas": {area: {"raid": len(area), "corn": True} for area in letters}}
    many = {"tell": large, "note": "".join(hashed(str(number)) for number in range(15))}
    for _ in range(3):
        refused = player.send("corrections", many)
        if refused.status_code != 200:
            break
        player.version = refused.get_json()["version"]
    assert code_of(refused)[0] == 413


# -- keys and codes ----------------------------------------------------------------------------------


def test_only_hashes_are_kept(player: Player, store: Store, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    player.start(position=EVADING)
    code = player.send("codes").get_json()["code"]
    player.move(EVADE, Idempotency_Key="once")
    with store.reading() as connection:
        kept = connection.scalars(sa.select(keys.c.hash).where(keys.c.play == player.id)).all()
        coded = connection.scalars(sa.select(codes.c.hash).where(codes.c.play == player.id)).all()
        owner = connection.scalar(sa.select(plays.c.owner).where(plays.c.id == player.id))
    assert kept == [hashed(player.key)]
    assert coded == [hashed(code)]
    assert owner is not None
    assert "127.0.0.1" not in owner
    said = "".join(record.getMessage() for record in caplog.records)
    assert player.key not in said
    assert code not in said


def test_a_code_gives_another_device_a_key_of_its_own(player: Player) -> None:
    player.start(position=EVADING)
    made = player.send("codes")
    code = made.get_json()["code"]
    assert (made.status_code, made.headers["Cache-Control"]) == (201, "no-store")
    assert len(code) == 10
    assert set(code) <= set(ALPHABET)
    typed = f"{code[:5].lower()}-{code[5:]}".replace("0", "o").replace("1", "l")
    joined = player.client.post("/v1/plays/join", json={"code": typed})
    assert joined.status_code == 200
    other = Player(player.client)
    other.id, other.key, other.version = player.id, joined.get_json()["key"], joined.get_json()["version"]
    assert other.key != player.key
    other.move(EVADE)
    assert code_of(player.client.post("/v1/plays/join", json={"code": code})) == (404, "unknown-code")
    listed = player.client.get(f"/v1/plays/{player.id}/keys", headers=player.headers()).get_json()["keys"]
    assert [one["number"] for one in listed] == [1, 2]
    assert "hash" not in listed[0]
    ended = player.client.delete(f"/v1/plays/{player.id}/keys/2", headers=player.headers())
    assert ended.status_code == 204
    assert code_of(other.send("undo")) == (401, "wrong-key")
    again = player.client.delete(f"/v1/plays/{player.id}/keys/2", headers=player.headers())
    assert code_of(again) == (404, "unknown-key")


def test_a_code_is_good_for_ten_minutes(player: Player, store: Store) -> None:
    player.start()
    code = player.send("codes").get_json()["code"]
    with store.writing() as connection:
        connection.execute(sa.update(codes).where(codes.c.hash == hashed(code)).values(expires=1.0))
    assert code_of(player.client.post("/v1/plays/join", json={"code": code})) == (404, "unknown-code")
    for body in ({}, {"code": 3}, {"code": "x" * 41}):
        assert code_of(player.client.post("/v1/plays/join", json=body)) == (422, "unreadable")
    assert code_of(player.client.post("/v1/plays/join", json={"code": ""})) == (404, "unknown-code")


def test_a_play_has_so_many_open_codes(player: Player) -> None:
    player.start()
    made = [player.send("codes").status_code for _ in range(MOST_CODES + 1)]
    assert made == [201] * MOST_CODES + [413]


def test_five_tries_a_minute_to_join(serve: Callable[..., Flask]) -> None:
    client = serve(LIMITS={"join": "5 per minute"}).test_client()
    tried = [client.post("/v1/plays/join", json={"code": "0000000000"}).status_code for _ in range(6)]
    assert tried == [404] * 5 + [429]


# -- the same request again --------------------------------------------------------------------------


def test_a_move_sent_twice_is_made_once(player: Player) -> None:
    player.start(position=EVADING)
    first = player.send("moves", {"action": EVADE}, player.headers(Idempotency_Key="a"))
    again = player.send("moves", {"action": EVADE}, player.headers(Idempotency_Key="a"))
    assert again.get_json() == first.get_json()
    assert again.headers["ETag"] == '"2"'
    assert player.get()["moves"] == 1
    other = player.send("moves", {"inputs": [{"die": 3}]}, player.headers(Idempotency_Key="a"))
    assert code_of(other) == (422, "idempotency-key-reused")
    player.version = 2
    assert player.move(None, {"die": 3}, Idempotency_Key="b")["moves"] == 2
    elsewhere = Player(player.client)
    elsewhere.start(position=EVADING)
    assert elsewhere.move(EVADE, Idempotency_Key="a")["moves"] == 1, "of another play"


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("undo", {}),
        ("corrections", {"tell": {"/tracks/ap": 1}}),
        ("readings", {"choices": {"C07": "free"}}),
    ],
)
def test_so_is_every_other_change(player: Player, path: str, body: Any) -> None:
    player.start(position=EVADING)
    player.move(EVADE)
    for _ in range(3):
        made = player.send(path, body, player.headers(Idempotency_Key="once"))
        assert made.get_json()["version"] == 3


def test_a_creation_sent_twice_gives_the_same_play_with_a_new_key(player: Player) -> None:
    sent = {"headers": {"Idempotency-Key": f"start-{id(player)}"}, "json": {"position": EVADING}}
    first, again = (player.client.post("/v1/games/navajo-wars/plays", **sent).get_json() for _ in range(2))
    assert first["id"] == again["id"]
    assert first["key"] != again["key"]
    player.id, player.version, player.key = first["id"], 1, first["key"]
    assert code_of(player.send("moves", {"action": EVADE})) == (401, "wrong-key")
    player.key = again["key"]
    assert player.move(EVADE)["kept"]


# -- at the same moment ------------------------------------------------------------------------------


def test_of_eight_writers_at_one_version_one_wins(player: Player) -> None:
    player.start(position=EVADING)
    for number in range(4):
        with ThreadPoolExecutor(8) as pool:
            made = [
                pool.submit(
                    player.send, "moves", {"inputs": [{"tell": {"/tracks/ap": number}}]}, player.headers()
                )
                for _ in range(8)
            ]
        statuses = [one.result().status_code for one in made]
        assert sorted(statuses) == [200] + [412] * 7
        player.version = player.get()["version"]
    assert (player.get()["version"], player.get()["moves"]) == (5, 4)


def test_one_request_sent_eight_times_at_once_is_carried_out_once(player: Player) -> None:
    player.start(position=EVADING)
    headers = player.headers(Idempotency_Key="hurry")
    with ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(lambda _: player.send("moves", {"action": EVADE}, headers), range(8)))
    assert {answer.status_code for answer in answers} == {200}
    assert {answer.get_json()["version"] for answer in answers} == {2}
    assert player.get()["moves"] == 1


def test_eight_devices_join_at_once(player: Player) -> None:
    player.start()
    given = [player.send("codes").get_json()["code"] for _ in range(8)]
    with ThreadPoolExecutor(8) as pool:
        made = [pool.submit(player.client.post, "/v1/plays/join", json={"code": code}) for code in given]
    joined = [one.result() for one in made]
    assert [one.status_code for one in joined] == [200] * 8
    assert {one.get_json()["key_number"] for one in joined} == set(range(2, 10))


def test_one_code_lets_only_one_of_eight_join(player: Player) -> None:
    player.start()
    code = player.send("codes").get_json()["code"]
    with ThreadPoolExecutor(8) as pool:
        made = [pool.submit(player.client.post, "/v1/plays/join", json={"code": code}) for _ in range(8)]
    assert sorted(one.result().status_code for one in made) == [200] + [404] * 7


# -- pages of others ---------------------------------------------------------------------------------


def test_a_web_page_may_ask(player: Player) -> None:
    player.start()
    asked = player.client.options(f"/v1/plays/{player.id}/moves")
    allowed = asked.headers["Access-Control-Allow-Headers"]
    for header in ("Authorization", "If-Match", "Idempotency-Key", "Content-Type"):
        assert header in allowed
    for method in ("PATCH", "DELETE", "POST"):
        assert method in asked.headers["Access-Control-Allow-Methods"]
    assert player.client.get(f"/v1/plays/{player.id}").headers["Access-Control-Expose-Headers"] == "*"


# -- sent again, whatever it is ----------------------------------------------------------------------


def test_a_rename_sent_again_is_carried_out_once(player: Player) -> None:
    player.start()
    path, sent = f"/v1/plays/{player.id}", player.headers(Idempotency_Key="n")
    named = [player.client.patch(path, json={"name": "x"}, headers=sent) for _ in range(2)]
    assert [one.status_code for one in named] == [200, 200]
    assert player.get()["version"] == 2
    other = player.client.patch(path, json={"name": "y"}, headers=sent)
    assert code_of(other) == (422, "idempotency-key-reused")


def test_verifying_sent_again_is_answered_the_same(player: Player) -> None:
    moves: list[dict[str, Any]] = [
        {"kind": "told", "inputs": [{"tell": {"/tracks/ap": 1}}]} for _ in range(150)
    ]
    moves[-1]["position_after"] = {"tracks": {"ap": 1}}
    player.start(transcript={"position": {"tracks": {"ap": 0}}, "moves": moves})
    first, again = (player.post("verify", Idempotency_Key="v") for _ in range(2))
    assert first == again
    assert player.get()["verified"] == 100
    further = player.client.post(
        f"/v1/plays/{player.id}/verify?from=100", headers=player.headers(Idempotency_Key="v")
    )
    assert code_of(further) == (422, "idempotency-key-reused")


def test_a_code_sent_for_again_replaces_the_one_that_got_lost(player: Player, store: Store) -> None:
    player.start()
    first, again = (player.send("codes", None, player.headers(Idempotency_Key="c")) for _ in range(2))
    assert (first.status_code, again.status_code) == (201, 201)
    with store.reading() as connection:
        kept = list(connection.scalars(sa.select(codes.c.hash).where(codes.c.play == player.id)))
    assert kept == [hashed(again.get_json()["code"])]


def test_joining_again_gives_another_key_in_place_of_the_lost_one(player: Player) -> None:
    player.start(position=EVADING)
    code = player.send("codes").get_json()["code"]
    joined = [
        player.client.post(
            "/v1/plays/join", json={"code": code}, headers={"Idempotency-Key": f"j{player.id}"}
        )
        for _ in range(2)
    ]
    assert [one.status_code for one in joined] == [200, 200]
    lost, key = (one.get_json()["key"] for one in joined)
    assert code_of(player.client.post("/v1/plays/join", json={"code": code})) == (404, "unknown-code")
    other = Player(player.client)
    other.id, other.version = player.id, player.version
    other.key = lost
    assert code_of(other.send("moves", {"action": EVADE})) == (401, "wrong-key")
    other.key = key
    assert other.move(EVADE)["kept"]


# -- everything that is wrong, at once ---------------------------------------------------------------


def test_a_position_that_cannot_be_read_says_everything(client: FlaskClient) -> None:
    sent = {
        "position": {"tracks": {"ap": 99, "culture": "x"}, "families": {"Z": {}}},
        "choices": {"who-wins": "me"},
        "components": {"area_values": {"shiprock-3": 77}},
        "name": 3,
    }
    refused = client.post("/v1/games/navajo-wars/plays", json=sent)
    assert code_of(refused) == (422, "unreadable")
    assert {one["pointer"] for one in refused.get_json()["errors"]} == {
        "/position/tracks/ap",
        "/position/tracks/culture",
        "/position/families/Z",
        "/choices/who-wins",
        "/components/area_values/shiprock-3",
        "/name",
    }


def test_a_transcript_that_cannot_be_read_says_everything(client: FlaskClient) -> None:
    moves = [{"action": {"kind": "fly"}}, {"inputs": [{"die": "x"}]}, {"kind": "dreamt"}]
    sent = {"transcript": {"position": {"tracks": {"ap": 99}}, "moves": moves}}
    refused = client.post("/v1/games/navajo-wars/plays", json=sent)
    assert code_of(refused) == (422, "unreadable")
    assert {one["pointer"] for one in refused.get_json()["errors"]} == {
        "/transcript/position/tracks/ap",
        "/transcript/moves/0/action/kind",
        "/transcript/moves/1/inputs/0/die",
        "/transcript/moves/2/kind",
    }


def test_an_action_that_cannot_be_read_says_everything_and_is_mended_where_it_can_be(player: Player) -> None:
    player.start(position=EVADING)
    refused = player.send("moves", {"action": {"kind": "harass", "family": "Z", "area": "nowhere"}})
    assert {one["pointer"] for one in refused.get_json()["errors"]} == {"/action/family", "/action/area"}
    mended = player.move({"kind": "harass", "family": "A", "area": "Shiprock #4"})
    assert mended["ruling"] in ("legal", "illegal", "undetermined")


def test_the_closed_ways_are_said_where_they_are_asked_for(player: Player) -> None:
    player.start(position=EVADING)
    body = {"action": {"kind": "enemy-raid", "ap": 1}, "inputs": []}
    plain = player.send("moves", body).get_json()
    player.version = plain["version"]
    asked = player.post("moves", {"closed": True})
    sent = {"position": player.get()["position"], "action": {"kind": "continue"}, "closed": True}
    checked = player.client.post("/v1/games/navajo-wars/check", json=sent).get_json()
    assert asked["pending"] == checked["pending"]
    assert code_of(player.send("moves", {"closed": 3}))[0] == 422


def test_the_only_key_cannot_be_ended(player: Player) -> None:
    player.start()
    for _ in range(2):
        refused = player.client.delete(f"/v1/plays/{player.id}/keys/1", headers=player.headers())
        assert (refused.status_code, refused.get_json()["code"]) == (409, "last-key")
    assert player.move(None, {"tell": {"/tracks/ap": 1}})["kept"], "it opens the play as before"
    player.client.post(f"/v1/plays/{player.id}/codes", headers=player.headers())
    ended = player.client.delete(f"/v1/plays/{player.id}/keys/1", headers=player.headers())
    assert ended.status_code == 204, "an open join code still gives a key"
