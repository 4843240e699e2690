"""What a play has seen can be read as a report, taken along, brought in again, and played again."""

from __future__ import annotations

import copy
import json
from pathlib import Path
from typing import Any

import msgspec
import pytest
from flask.testing import FlaskClient

from engine import codec, transcript
from engine.game import prepare
from engine.julian import GAME as JULIAN
from engine.navajo_wars import GAME
from engine.testing import plain
from service.play_records import ENDINGS, REPORTS
from service.report import as_text, session
from tests.games.golden import GAMES as GOLDEN
from tests.games.golden import file, told
from tests.games.playing import COPY
from tests.plays.player import EVADE, EVADING, Player
from tests.service.test_transcripts import walked
from tests.shown import all_shown, components

REPLAY = "/v1/games/navajo-wars/replay"


def golden(name: str) -> dict[str, Any]:
    plain: dict[str, Any] = msgspec.json.decode(file(name, "json").read_bytes())
    return plain


# -- a whole game ------------------------------------------------------------------------------------


@pytest.mark.usefixtures("unhurried")
@pytest.mark.parametrize("one", GOLDEN, ids=lambda one: one.name)
def test_a_golden_game_played_as_a_play_has_the_report_of_its_replay(player: Player, one: Any) -> None:
    """Each card is one move with all its answers, as the transcript has it."""
    game = golden(one.name)
    game["moves"] = [move for move in game["moves"] if move.keys() & {"action", "inputs"}]  # others only look
    player.start(position=game["position"], components=components(COPY))
    for move in game["moves"]:
        answer = player.post("moves", {name: move[name] for name in ("action", "inputs") if name in move})
        assert (answer["ruling"], answer["kept"]) == ("legal", True)
    state = player.get()
    assert state["outcome"]
    assert (state["moves"], state["verified"]) == (len(game["moves"]),) * 2
    same = transcript.read(GAME, {**game, "components": components(COPY)})
    for lang in ("en", "it"):
        assert player.text("/report", lang=lang) == told(same, lang)
    *_, last = pages = list(
        walked(player.client, player.get("/transcript"))
    )  # on a busy machine there are several
    assert {page["diverged"] for page in pages} == {None}
    assert last["position"] == state["position"]


def told_facts(scenario: Any, position: dict[str, Any]) -> dict[str, Any]:
    """What a player tells who sets a scenario up as this position shows it."""
    from service.play_set_up import value_at

    first = codec.write(scenario.position)
    return {
        f"/{name}": value
        for name, value in position.items()
        if value_at(first, f"/{name}") != value and name != "agenda"
    }


@pytest.mark.usefixtures("unhurried")
def test_a_golden_game_from_its_scenario_to_its_end_answer_by_answer(player: Player) -> None:
    """The scenario is set up by telling, then every die, draw, choice and reading is a move of its own."""
    game = golden("the-rope-thrower")
    scenario = next(one for one in GAME.scenarios if one.id == "14.5")
    state = player.start(scenario="14.5", components=components(COPY))
    assert state["unknowns"]
    player.move(None, {"tell": told_facts(scenario, game["position"])})
    reached, recorded = player.get()["position"], game["position"]
    assert prepare(GAME, reached, {}, {}).position == prepare(GAME, recorded, {}, {}).position
    for move in game["moves"]:
        inputs = move.get("inputs", [])
        answer = player.move(move["action"]) if "action" in move else None
        for given in inputs:
            assert answer is None or answer["pending"], "something is asked"
            answer = player.move(None, given)
            assert answer["ruling"] == "legal", answer["headline"]
    state = player.get()
    assert state["outcome"]
    assert state["moves"] > 100
    taken = player.get("/transcript")
    assert [number for number, one in enumerate(taken["moves"], start=1) if "position_after" in one] == [
        *range(200, state["moves"], 200),
        state["moves"],
    ]
    other = Player(player.client)
    other.start(transcript=taken)
    assert other.get()["position"] == state["position"]
    assert other.text("/report", lang="it") == player.text("/report", lang="it")
    same = transcript.read(GAME, taken)
    for lang in ("en", "fr", "it", "ja"):
        assert player.text("/report", lang=lang) == told(same, lang)
    begins: Any = 0
    while begins is not None:
        page = player.client.post(REPLAY, json={**taken, "from": begins}).get_json()
        assert page["diverged"] is None, page
        begins = page["next"]
        if begins is not None:  # a page ends by its work; the next one starts from where it has got
            taken["moves"][begins - 1]["position_after"] = page["position"]
    assert page["position"] == state["position"]


@pytest.mark.usefixtures("unhurried")
def test_a_whole_turn_of_julian_from_its_position_to_its_end(player: Player) -> None:
    """The playthrough with hidden hands and a combat of each result, request by request."""
    (shown,) = [one.example for one in all_shown() if one.file == "playthroughs/table"]
    player.start("julian", position=plain(shown.position), choices=shown.choices)
    outcomes = 0
    for step in (shown, *shown.steps):
        if step.position and step is not shown:
            player.post(
                "corrections", {"tell": {f"/{key}": one for key, one in plain(step.position).items()}}
            )
        sent = plain(step.action) if step.action else None
        body = {
            "inputs": plain(step.inputs),
            **({"action": sent} if sent and sent != {"kind": "continue"} else {}),
        }
        answer = player.post("moves", body)
        assert answer["ruling"] == step.ruling, answer["headline"]
        outcomes += answer["kept"]
    state, taken = player.get(), player.get("/transcript")
    assert state["moves"] >= outcomes > 20
    went = transcript.replay(JULIAN, transcript.read(JULIAN, taken))
    assert went.diverged is None
    for lang in ("en", "fr", "it", "ja"):
        assert player.text("/report", lang=lang) == as_text(session(JULIAN, went, lang)) + "\n"
    replayed = player.client.post("/v1/games/julian/replay", json=taken).get_json()
    assert replayed["position"] == state["position"]


# -- taking along and bringing in --------------------------------------------------------------------


def played(player: Player) -> dict[str, Any]:
    """A play with a move of every kind, and its transcript."""
    player.start(position=EVADING)
    player.tell(tracks__ap=3)
    player.move(EVADE, {"die": 6})
    player.post("corrections", {"tell": {"/tracks/ap": 2}, "note": "spilled coffee"})
    player.post("readings", {"choices": {"C07": "free"}, "components": {"area_values": {"shiprock-3": 3}}})
    player.move(None, {"untell": "/tracks/ap"}, {"tell": {"/territories": {}}})
    return player.get("/transcript")


def test_a_transcript_is_what_replay_takes(player: Player) -> None:
    taken = played(player)
    assert taken["format"] == 1
    replayed = player.client.post(REPLAY, json=taken)
    assert replayed.status_code == 200, replayed.get_data(as_text=True)
    assert replayed.get_json()["diverged"] is None
    assert replayed.get_json()["position"] == player.get()["position"]
    recorded = player.client.post(REPLAY, json={**taken, "record": True}).get_json()["transcript"]
    assert player.client.post(REPLAY, json=recorded).get_json()["diverged"] is None


def test_a_transcript_is_what_a_new_play_takes(player: Player) -> None:
    taken = played(player)
    before = player.get()
    other = Player(player.client)
    state = other.start(transcript=taken, name="copy")
    for name in ("position", "moves", "pending", "choices"):
        assert state[name] == before[name]
    assert state["verified"] == 0
    assert other.get("/transcript") == taken
    assert other.get("/components") == player.get("/components")
    assert other.text("/report") == player.text("/report")
    assert [one["verified"] for one in other.get("/moves")["moves"]] == [True, False, False, False, False]
    assert other.send("undo").get_json()["code"] == "not-verified"
    checked = other.post("verify")
    assert (checked["verified"], checked["diverged"], checked["next"]) == (5, None, None)
    assert other.get("/moves")["moves"] == player.get("/moves")["moves"]
    assert other.post("undo", {"moves": 3})["position"] == player.post("undo", {"moves": 3})["position"]


def test_a_transcript_without_its_end_is_played_when_it_comes_in(player: Player) -> None:
    taken = played(player)
    for move in taken["moves"]:
        move.pop("position_after", None)
    other = Player(player.client)
    state = other.start(transcript=taken)
    assert state["verified"] == state["moves"] == 5
    assert state["position"] == player.get()["position"]
    taken["moves"][1]["inputs"][0] = {"die": 1}
    taken["moves"][1]["inputs"].append({"die": 1})
    refused = player.client.post("/v1/games/navajo-wars/plays", json={"transcript": taken})
    assert refused.status_code == 422
    (error,) = refused.get_json()["errors"]
    assert (error["pointer"], error["code"]) == ("/transcript/moves/1", "not-legal")


def test_a_move_that_came_out_otherwise_is_not_called_forbidden(player: Player) -> None:
    taken = played(player)
    for move in taken["moves"]:
        move.pop("position_after", None)
    taken["moves"][1]["expected"] = {"events": ["evade-fails"]}
    refused = player.client.post("/v1/games/navajo-wars/plays", json={"transcript": taken})
    (error,) = refused.get_json()["errors"]
    assert (error["pointer"], error["code"]) == ("/transcript/moves/1", "outcome-differs")


def test_a_false_transcript_is_found_out_by_verifying(player: Player) -> None:
    taken = played(player)
    taken["moves"][-1]["position_after"]["families"]["A"]["at"] = "black-mesa-1"
    other = Player(player.client)
    other.start(transcript=taken)
    found = other.post("verify")
    assert found["verified"] == 4
    assert found["diverged"]["number"] == 5
    assert found["diverged"]["differences"][0]["name"] == "position"
    assert "Black Mesa\N{NO-BREAK SPACE}#1" in found["diverged"]["differences"][0]["text"]
    assert other.get()["verified"] == 4
    replayed = player.client.post(REPLAY, json=taken).get_json()
    assert replayed["diverged"]["number"] == 5


def test_a_long_play_is_verified_a_hundred_moves_at_a_time(player: Player) -> None:
    moves: list[dict[str, Any]] = [
        {"kind": "told", "inputs": [{"tell": {"/tracks/ap": number % 7}}]} for number in range(250)
    ]
    moves[-1]["position_after"] = {"tracks": {"ap": 249 % 7}}
    player.start(transcript={"position": {"tracks": {"ap": 0}}, "moves": moves})
    assert [player.post("verify")["verified"] for _ in range(3)] == [100, 200, 250]
    again = player.client.post(
        f"/v1/plays/{player.id}/verify", query_string={"from": 30}, headers=player.headers()
    ).get_json()
    assert (again["from"], again["verified"], again["next"]) == (30, 250, 130)
    marked = [
        number for number, one in enumerate(player.get("/transcript")["moves"], 1) if "position_after" in one
    ]
    assert marked == [200, 250]


def test_too_long_a_transcript_is_refused(client: FlaskClient) -> None:
    told = {"kind": "told", "inputs": [{"tell": {"/tracks/ap": 1}}]}
    moves = [copy.deepcopy(told) for _ in range(2_001)]
    moves[-1]["position_after"] = {}
    refused = client.post(
        "/v1/games/navajo-wars/plays", json={"transcript": {"position": {"tracks": {}}, "moves": moves}}
    )
    assert refused.status_code == 422
    assert refused.get_json()["errors"][0]["code"] == "replay-too-long"


# -- reports -----------------------------------------------------------------------------------------


def test_a_report_is_a_text_in_one_language(player: Player) -> None:
    player.start(position=EVADING)
    path = f"/v1/plays/{player.id}/report"
    plain = player.client.get(path, headers={"Accept-Language": "ja"})
    assert plain.content_type == "text/plain; charset=utf-8"
    assert plain.headers["Content-Language"] == "ja"
    assert player.client.get(path, headers={"Accept": "text/*"}).status_code == 200
    page = player.client.get(path, headers={"Accept": "text/html"})
    assert page.content_type == "text/html; charset=utf-8"
    assert page.text.startswith("<!doctype html>")
    assert player.client.get(path, headers={"Accept": "text/markdown"}).text.startswith("# ")
    refused = player.client.get(path, headers={"Accept": "image/png"})
    assert refused.status_code == 406
    assert all(media in refused.get_json()["detail"] for media in REPORTS), "which formats there are"
    assert player.client.get(path, query_string={"lang": "all"}).status_code == 422
    assert player.client.get(path, query_string={"lang": "de"}).status_code == 422


def test_a_report_can_be_asked_for_by_its_ending(player: Player) -> None:
    player.start(position=EVADING)
    path = f"/v1/plays/{player.id}/report"
    for ending, media in ENDINGS.items():
        by_ending = player.client.get(f"{path}.{ending}", headers={"Accept": "image/png"})
        by_header = player.client.get(path, headers={"Accept": media})
        assert by_ending.status_code == by_header.status_code == (200 if media in REPORTS else 406)
        assert by_ending.status_code != 200 or by_ending.data == by_header.data
    assert player.client.get(f"{path}.pdf").status_code == 404


def test_a_long_report_comes_in_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    from service import prices
    from service.app import create_app

    player = Player(create_app().test_client())
    player.start(position=EVADING)
    for _ in range(3):
        player.move(EVADE, {"die": 1})
        player.post("corrections", {"tell": {"/families/A/at": "shiprock-3", "/areas/shiprock-3/raid": 1}})
    whole = player.client.get(f"/v1/plays/{player.id}/report?lang=en")
    assert "Link" not in whole.headers

    def after_two(_most: int) -> Any:
        times = iter([False, True])
        return lambda: next(times, True)

    monkeypatch.setattr(prices, "spent", after_two)
    first = player.client.get(f"/v1/plays/{player.id}/report?lang=en")
    assert first.headers["Link"] == f'</v1/plays/{player.id}/report?after=2&lang=en>; rel="next"'
    assert "The report goes on after move 2" in first.text
    page = player.client.get(f"/play/{player.id}/report?lang=fr").text
    assert f'href="/play/{player.id}/report?after=2"' in page
    second = player.client.get(f"/v1/plays/{player.id}/report?lang=en&after=2")
    assert "after=4" in second.headers["Link"]
    last = player.client.get(f"/v1/plays/{player.id}/report?lang=en&after=4")
    assert "Link" not in last.headers


@pytest.mark.parametrize("way", ["api", "page"])
def test_the_first_game_of_all_is_not_charged_for_the_tables(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, way: str
) -> None:
    """They are made then, by a program that is read then: longer than a short game may take."""
    from service import prices
    from service.app import create_app

    file, there = tmp_path / "first.sqlite3", []

    def begun(_most: int = 0) -> Any:
        there.append(file.exists())
        return lambda: False

    monkeypatch.setattr(prices, "spent", begun)
    client = create_app({"LIMITS": "off", "STORE": f"sqlite:///{file}"}).test_client()
    sent = {"position": EVADING, "moves": [{"action": EVADE, "inputs": [{"die": 1}]}]}
    if way == "api":
        answer = client.post("/v1/games/navajo-wars/plays", json={"transcript": sent})
    else:
        answer = client.post("/play/import", data={"game": "navajo-wars", "text": json.dumps(sent)})
    assert answer.status_code == (201 if way == "api" else 303)
    assert there
    assert all(there)
