"""A game that is kept: started, moved on, taken back, corrected and read, on both kinds of database."""

from __future__ import annotations

from typing import Any

import pytest
import sqlalchemy as sa
from flask.testing import FlaskClient

from engine.testing import plain
from service.store import Store, keys, moves, plays
from tests.plays.player import EVADE, EVADING, Player
from tests.service.sent import AMBUSH, CHECK, LANGUAGES
from tests.shown import all_shown

GAMES = ("navajo-wars", "julian")


# -- starting ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", GAMES)
def test_a_play_of_nothing_is_an_empty_position(client: FlaskClient, game: str) -> None:
    response = client.post(f"/v1/games/{game}/plays")
    assert response.status_code == 201
    state = response.get_json()
    assert response.headers["Location"] == f"/v1/plays/{state['id']}"
    assert response.headers["ETag"] == '"1"'
    assert response.headers["Cache-Control"] == "no-store", "the key is in it"
    assert (state["game"], state["version"], state["moves"], state["verified"]) == (game, 1, 0, 0)
    assert (state["pending"], state["unknowns"], state["asked"], state["outcome"]) == (None, [], None, None)
    assert state["position"].get("agenda", []) == []
    seen = client.get(response.headers["Location"]).get_json()
    assert "key" not in seen
    assert seen == {name: value for name, value in state.items() if name not in ("key", "key_number")}


def test_a_scenario_may_be_named_by_its_number(player: Player) -> None:
    assert player.start(scenario=14.1)["scenario"] == "14.1"


def test_ids_and_keys_cannot_be_guessed(player: Player) -> None:
    seen = [player.start() for _ in range(5)]
    assert len({state["id"] for state in seen}) == len({state["key"] for state in seen}) == 5
    assert all(len(state["id"]) == 22 and len(state["key"]) == 43 for state in seen)


def test_a_scenarios_choices_are_asked_until_they_are_told(player: Player) -> None:
    state = player.start(scenario="14.1", name="Tuesday")
    assert (state["scenario"], state["name"]) == ("14.1", "Tuesday")
    asked = {one["pointer"]: one for one in state["unknowns"]}
    assert {"/families/A/at", "/families/A/ferocity", "/cards/developments", "/instructions"} <= set(asked)
    assert [one["value"] for one in asked["/families/A/ferocity"]["form"]["options"]] == [0, 1, 2, 3]
    answer = player.tell(families__A__at="shiprock-2", families__A__ferocity=2)
    assert answer["kept"]
    assert answer["position"]["families"]["A"]["at"] == "shiprock-2"
    changed = {"pointer": "/families/A/ferocity", "to": 2, "text": "Family A, Ferocity", "to_text": "2"}
    assert {**changed, "told": True} in answer["changes"]
    left = {one["pointer"] for one in player.get()["unknowns"]}
    assert left == set(asked) - {"/families/A/at", "/families/A/ferocity"}


@pytest.mark.parametrize("lang", LANGUAGES)
def test_it_is_worded_in_the_readers_language(player: Player, lang: str) -> None:
    state = player.start(scenario="14.1", lang=lang)
    assert state["lang"] == lang
    seen = {one: player.get(lang=one)["unknowns"][0]["text"] for one in LANGUAGES}
    assert len(set(seen.values())) == 4
    assert state["unknowns"][0]["text"] == seen[lang]
    assert player.get(lang="all")["unknowns"][0]["text"] == seen
    response = player.client.get(f"/v1/plays/{player.id}", headers={"Accept-Language": lang})
    assert response.headers["Content-Language"] == lang


@pytest.mark.parametrize(
    ("part", "body"),
    [
        ("corrections", {"tell": {"/tracks/ap": 3}}),
        ("undo", {"moves": 1}),
        ("readings", {"choices": {"C07": "one-ap"}}),
    ],
)
def test_a_change_in_a_language_that_is_not_offered_is_not_carried_out(
    player: Player, part: str, body: dict[str, Any]
) -> None:
    player.start(position=EVADING)
    player.post("corrections", {"tell": {"/tracks/ap": 2}})
    assert player.send(f"{part}?lang=tlh", body).status_code == 422
    assert player.get()["version"] == player.version


def test_what_is_read_is_not_sent_again(player: Player) -> None:
    player.start()
    same = player.client.get(f"/v1/plays/{player.id}", headers={"If-None-Match": '"1"'})
    assert (same.status_code, same.data) == (304, b"")


# -- moving on ---------------------------------------------------------------------------------------


def test_a_legal_move_is_kept_and_answered_as_a_check_is(player: Player) -> None:
    player.start(position=EVADING)
    answer = player.move(EVADE, {"die": 5})
    checked = player.client.post(
        CHECK, json={"position": EVADING, "action": EVADE, "inputs": [{"die": 5}]}
    ).get_json()
    assert {name: answer[name] for name in checked} == checked
    assert (answer["version"], answer["moves"], answer["kept"]) == (2, 1, True)
    state = player.get()
    assert (state["version"], state["moves"], state["verified"]) == (2, 1, 1)
    assert state["position"] == answer["position"]
    assert state["pending"] == answer["pending"]


def test_answer_by_answer_comes_to_the_same(player: Player) -> None:
    player.start(position=EVADING)
    at_once = player.move(EVADE, {"die": 4})
    player.start(position=EVADING)
    asked = player.move(EVADE)
    assert asked["pending"]["name"] == player.get()["pending"]["name"] == "evade-roll"
    answered = player.move(None, {"die": 4})
    assert answered["position"] == at_once["position"]
    assert player.get()["moves"] == 2


def test_an_illegal_move_is_an_answer_and_is_not_kept(player: Player) -> None:
    player.start(position=AMBUSH["position"])
    answer = player.move(AMBUSH["action"])
    assert (answer["ruling"], answer["kept"], answer["version"]) == ("illegal", False, 1)
    assert player.get()["moves"] == 0


def test_looking_again_at_what_is_asked_changes_nothing(player: Player) -> None:
    player.start(position=EVADING)
    player.move(EVADE)
    again = player.move()
    assert again["pending"]["name"] == "evade-roll"
    assert (again["version"], again["moves"]) == (2, 1)


def test_a_refused_answer_keeps_nothing_of_the_request(player: Player) -> None:
    player.start(position=EVADING)
    player.move(EVADE)
    refused = player.move(None, {"tell": {"/tracks/ap": 3}}, {"die": 7})
    assert (refused["ruling"], refused["kept"], refused["version"]) == ("illegal", False, 2)
    assert "tracks" not in player.get()["position"]
    assert player.get()["pending"]["name"] == "evade-roll", "it is asked as before"


def test_facts_are_read_as_a_check_reads_them(player: Player) -> None:
    player.start(position=EVADING)
    for wrong in ({"tell": {}}, {"tell": 5}, {"tell": {"/tracks/ap": 1}, "die": 3}, {"untell": 5}):
        refused = player.send("moves", {"action": {"kind": "continue"}, "inputs": [wrong]})
        asked = {"position": EVADING, "action": {"kind": "continue"}, "inputs": [wrong]}
        checked = player.client.post("/v1/games/navajo-wars/check", json=asked)
        assert refused.status_code == checked.status_code == 422, wrong
        assert refused.get_json()["errors"] == checked.get_json()["errors"]


def test_what_is_told_with_an_illegal_move_is_kept(player: Player) -> None:
    player.start(position=EVADING)
    answer = player.move({"kind": "evade", "family": "B"}, {"tell": {"/tracks/ap": 3}})
    assert (answer["ruling"], answer["kept"]) == ("illegal", True)
    assert answer["position"]["tracks"] == {"ap": 3}
    assert player.get()["position"]["tracks"] == {"ap": 3}
    assert player.get("/moves")["moves"][0]["kind"] == "told"


def test_an_undetermined_action_waits_for_its_facts(player: Player) -> None:
    player.start(position={"period": "mexican"})
    open_ = player.move({"kind": "evade", "family": "A"})
    assert (open_["ruling"], open_["kept"], open_["version"]) == ("undetermined", False, 2)
    state = player.get()
    assert state["asked"] == {"kind": "evade", "family": "A"}
    assert state["pending"] == {"kind": "fact", **state["unknowns"][0]}
    assert player.move({"kind": "evade", "family": "A"})["version"] == 2, "asked already"
    told = player.move(None, {"tell": {"/areas": {"shiprock-3": {"raid": 1}}}})
    assert (told["ruling"], told["kept"]) == ("undetermined", True)
    assert player.get()["asked"]
    settled = player.move(None, {"tell": {"/families": EVADING["families"]}})
    assert (settled["ruling"], settled["kept"]) == ("legal", True)
    assert settled["pending"]["name"] == "evade-roll"
    assert player.get()["asked"] is None
    assert [one["kind"] for one in player.get("/moves")["moves"]] == ["told", "move"]


@pytest.mark.parametrize("inputs", [[], [{"die": 6}, {"die": 6}]], ids=["alone", "with an answer too many"])
def test_an_action_that_its_facts_refuse_waits_no_longer(player: Player, inputs: list[Any]) -> None:
    player.start(position={**EVADING, "families": {}, "partial": {"families": True}})
    player.move({"kind": "evade", "family": "A"}, *inputs)
    assert player.get()["asked"]
    answer = player.tell(families__A__at=None)
    assert (answer["ruling"], answer["kept"]) == ("illegal", True)
    state = player.get()
    assert (state["asked"], state["pending"]) == (None, None)
    assert state["position"]["families"] == {"A": {"at": None}}
    player.post("undo")
    assert player.get()["asked"] == {"kind": "evade", "family": "A"}


def test_undoing_leads_back_to_the_fact_that_was_asked_for(player: Player) -> None:
    player.start(position={"period": "mexican"})
    player.move({"kind": "evade", "family": "A"})
    player.tell(areas={"shiprock-3": {"raid": 1}})
    asked = player.get()["pending"]
    player.tell(families=EVADING["families"])
    assert player.get()["asked"] is None
    player.post("undo")
    assert player.get()["pending"] == asked
    player.post("undo")
    assert player.get()["asked"] == {"kind": "evade", "family": "A"}
    player.post("redo")
    assert player.get()["pending"] == asked
    player.post("redo")
    assert player.get()["asked"] is None


def test_an_action_that_waits_keeps_what_it_takes_for_granted(player: Player) -> None:
    """Who wants to be asked whether now is the time for it is asked until he has told that, too."""
    family = {**EVADING["families"]["A"], "man": True, "woman": True, "child": False, "horse": False}
    tracks = {"ap": 3, "culture": 5, "enemy_morale": 4}
    player.start(position={**EVADING, "families": {"A": family}, "tracks": tracks, "manuelito": None})
    activate = {"kind": "activate", "family": "A"}
    open_ = player.post("moves", {"action": activate, "assume": False})
    assert open_["ruling"] == "undetermined"
    state = player.get()
    assert state["asked"] == activate
    assert state["unknowns"] == open_["unknowns"] != []
    assert state["pending"] == {"kind": "fact", **state["unknowns"][0]}
    told = player.tell(tracks__military=1)
    assert (told["ruling"], told["assumed"]) == ("undetermined", [])
    assert player.get()["asked"] == activate
    allowed = player.post("moves", {"inputs": [{"tell": {"/tracks/culture": 4}}], "assume": True})
    assert (allowed["ruling"], allowed["kept"]) == ("legal", True)
    assert allowed["assumed"]


def test_what_is_asked_can_be_dropped(player: Player) -> None:
    player.start(position={"period": "mexican"})
    player.move({"kind": "evade", "family": "A"})
    dropped = player.move(None, {"choose": "none"})
    assert (dropped["kept"], dropped["version"]) == (False, 3)
    assert player.get()["asked"] is None


def test_a_fact_may_be_about_the_action_itself(player: Player) -> None:
    player.start(position={"period": "mexican"})
    player.move({"kind": "evade", "family": "A"})
    answer = player.move(None, {"tell": {"/action/family": "B"}})
    assert player.get()["asked"] == {"kind": "evade", "family": "B"}
    assert answer["ruling"] == "undetermined"


def refused_at(player: Player, to: str, body: Any) -> dict[str, str]:
    """What is wrong with a request, by the place it names."""
    refused = player.send(to, body)
    assert refused.status_code == 422, refused.get_data(as_text=True)
    assert player.get()["version"] == player.version, "nothing is kept of it"
    return {one["pointer"]: one["code"] for one in refused.get_json()["errors"]}


def test_everything_that_is_wrong_with_told_facts_is_said_where_it_was_sent(player: Player) -> None:
    player.start(position=EVADING)
    sent = [{"die": 3}, {"tell": {"/families/A/ferocity": 7, "/tracks/ap": 2}}, {"untell": "/x/y"}]
    sent.append({"tell": {"/tracks/military": "much"}})
    assert refused_at(player, "moves", {"inputs": sent}) == {
        "/inputs/1/tell/~1families~1A~1ferocity": "out-of-range",
        "/inputs/2/untell/~1x~1y": "unknown-field",
        "/inputs/3/tell/~1tracks~1military": "wrong-type",
    }
    wrong = {"/tracks/ap": 99, "/x/y": 1, "/tracks/culture": 3}
    assert refused_at(player, "corrections", {"tell": wrong}) == {
        "/tell/~1tracks~1ap": "out-of-range",
        "/tell/~1x~1y": "unknown-field",
    }
    asked = {"action": {"kind": "evade", "family": "A"}, "inputs": [{"tell": {"/action/family": "Z"}}]}
    assert refused_at(player, "moves", asked) == {"/inputs/0/tell/~1action~1family": "unknown-value"}


@pytest.mark.parametrize(
    "pointer", ["/nonsense/x", "/families/Z/at", "/choices/none", "no-place", "/action/x"]
)
def test_only_a_fact_can_be_put_off(player: Player, pointer: str) -> None:
    player.start(position=EVADING)
    place = pointer.replace("/", "~1")
    found = refused_at(player, "moves", {"inputs": [{"tell": {pointer: "unknown"}}]})
    assert set(found) == {f"/inputs/0/tell/{place}"}


@pytest.mark.parametrize(
    ("to", "body", "pointer"),
    [
        ("corrections", {"tell": {}}, "/tell"),
        ("readings", {}, ""),
        ("readings", {"choices": {}, "components": {}}, ""),
    ],
)
def test_nothing_is_no_move(player: Player, to: str, body: Any, pointer: str) -> None:
    player.start(position=EVADING)
    player.tell(tracks__ap=3)
    player.post("undo")
    assert refused_at(player, to, body) == {pointer: "nothing-told"}
    assert player.get()["redo"] == 1, "what was undone is still there"


def test_facts_are_taken_back(player: Player) -> None:
    player.start(position=EVADING)
    player.tell(tracks__ap=3, manuelito=None)
    assert player.get()["position"]["manuelito"] is None, "there is none"
    player.move(None, {"untell": "/manuelito"}, {"tell": {"/families/A": None, "/tracks/ap": None}})
    position = player.get()["position"]
    assert "manuelito" not in position
    assert position["families"] == {}
    assert position["tracks"] == {}


# -- taking back -------------------------------------------------------------------------------------


def test_undo_and_redo_step_back_and_forth(player: Player) -> None:
    player.start(position=EVADING)
    seen = [player.get()["position"]]
    seen += [player.move(EVADE)["position"], player.move(None, {"die": 6})["position"]]
    back = player.post("undo")
    assert (back["moves"], back["redo"], back["position"]) == (1, 1, seen[1])
    assert back["pending"]["name"] == "evade-roll"
    assert player.post("redo")["position"] == seen[2]
    assert player.post("undo", {"moves": 2})["position"] == seen[0]
    assert player.post("redo", {"moves": 2})["position"] == seen[2]
    assert player.get()["version"] == 7, "every step is a version of its own"


def test_another_move_forgets_what_was_undone(player: Player) -> None:
    player.start(position=EVADING)
    player.move(EVADE)
    player.move(None, {"die": 1})
    player.post("undo")
    other = player.move(None, {"die": 6})
    assert player.get()["redo"] == 0
    assert player.send("redo").status_code == 409
    assert player.get()["position"] == other["position"]
    assert player.get("/moves")["moves"][1]["answers"][0]["input"] == {"die": 6}


def test_no_further_than_there_are_moves(player: Player) -> None:
    player.start(position=EVADING)
    player.move(EVADE)
    for to, body in (("undo", {"moves": 2}), ("redo", {})):
        refused = player.send(to, body)
        assert (refused.status_code, refused.get_json()["code"]) == (409, f"nothing-to-{to}")
    assert player.get()["version"] == 2


# -- corrections and readings ------------------------------------------------------------------------


def test_the_table_says_otherwise(player: Player) -> None:
    player.start(position=EVADING)
    player.move(EVADE)
    player.post("undo")
    state = player.post("corrections", {"tell": {"/tracks/ap": 5}, "note": "miscounted <b>twice</b>"})
    assert state["position"]["tracks"] == {"ap": 5}
    assert (state["moves"], state["redo"]) == (1, 0)
    (entry,) = player.get("/moves")["moves"]
    assert (entry["kind"], entry["note"]) == ("corrected", "miscounted <b>twice</b>")
    assert "miscounted" in player.text("/report")
    assert player.post("undo")["position"] == {**EVADING, **player.get()["position"]}


def test_a_game_whose_end_the_players_told_has_a_report(player: Player) -> None:
    player.start(position={"outcome": {"result": "minor-victory", "rule": "nw:12.2"}, "tracks": {"ap": 2}})
    player.post("corrections", {"tell": {"/tracks/ap": 3}})
    assert player.text("/report").endswith(
        "The game is over: Minor Victory.\n\nAt the end: Action Points 3.\n"
    )


def test_an_end_that_is_told_after_moves_is_the_end(player: Player) -> None:
    player.start(position={**EVADING, "tracks": {"ap": 2, "military": 1, "culture": 1}})
    for lang in LANGUAGES:
        assert "The game is over" not in player.text("/report", lang=lang)
    player.post("corrections", {"tell": {"/outcome": {"result": "major-defeat", "rule": "nw:12.1"}}})
    said = {lang: player.text("/report", lang=lang).splitlines()[-3] for lang in LANGUAGES}
    assert said["en"] == "The game is over: Major Defeat."
    assert len(set(said.values())) == len(LANGUAGES)


def test_rules_are_read_otherwise_from_now_on(player: Player) -> None:
    ambush = {**AMBUSH["position"], "tracks": {"ap": 0, "military": 3, "culture": 6}}
    player.start(position=ambush)
    assert player.move(AMBUSH["action"])["ruling"] == "illegal"
    state = player.post("readings", {"choices": {"C07": "free"}})
    assert state["choices"] == {"ambush-ap-cost": "free"}
    assert player.move(AMBUSH["action"])["ruling"] == "legal"
    player.post("undo", {"moves": 2})
    assert player.get()["choices"] == {}
    assert player.move(AMBUSH["action"])["ruling"] == "illegal"
    assert player.post("redo")["choices"] == {"ambush-ap-cost": "free"}


def test_components_told_once_are_kept_with_the_play(player: Player) -> None:
    player.start(position=EVADING, components={"area_values": {"shiprock-3": 3}})
    player.post("readings", {"components": {"counter_limits": {"harass": 2}}})
    player.move(None, {"tell": {"/components/area_values/shiprock-4": 4}})
    file = player.get("/components")
    assert file["area_values"] == {"shiprock-3": 3, "shiprock-4": 4}
    assert file["counter_limits"] == {"harass": 2}
    player.post("undo", {"moves": 2})
    assert "counter_limits" not in player.get("/components")


# -- pages -------------------------------------------------------------------------------------------


def test_moves_come_page_by_page(player: Player) -> None:
    player.start(position=EVADING)
    for number in range(5):
        player.tell(tracks__ap=number)
    numbers: list[int] = []
    after: Any = 0
    while after is not None:
        page = player.get("/moves", after=after, limit=2)
        numbers += [one["number"] for one in page["moves"]]
        after = page["next"]
    assert numbers == [1, 2, 3, 4, 5]
    assert player.get("/moves", after=99)["moves"] == []
    player.post("undo", {"moves": 3})
    assert len(player.get("/moves")["moves"]) == 2, "what was undone is not shown"


def test_a_page_says_what_was_answered_and_happened(player: Player) -> None:
    player.start(position=EVADING)
    player.move(EVADE, {"die": 2})
    (entry,) = player.get("/moves", lang="it")["moves"]
    assert entry["answers"][0]["input"] == {"die": 2}
    assert entry["events"][0]["rules"]
    assert entry["headline"].startswith("Fuga (5.2.4)")


# -- naming and deleting -----------------------------------------------------------------------------


def test_a_play_is_renamed_and_deleted(player: Player) -> None:
    player.start()
    path = f"/v1/plays/{player.id}"
    named = player.client.patch(path, json={"name": "<i>Thursday</i> 木曜日"}, headers=player.headers())
    assert (named.status_code, named.get_json()["version"]) == (200, 2)
    assert player.get()["name"] == "<i>Thursday</i> 木曜日"
    player.version = 2
    assert player.client.delete(path, headers=player.headers()).status_code == 204
    assert player.client.get(path).get_json()["code"] == "unknown-play"
    assert player.client.delete(path, headers=player.headers()).status_code == 404


def test_a_play_expires(player: Player, store: Store) -> None:
    state = player.start(expires_in=1)
    assert state["expires"] > state["created"]
    with store.writing() as connection:
        connection.execute(sa.update(plays).where(plays.c.id == player.id).values(expires=1.0))
    assert player.client.get(f"/v1/plays/{player.id}").status_code == 404
    assert player.send("moves", {}).status_code == 404
    Player(player.client).start()
    with store.reading() as connection:
        for table, column in ((plays, plays.c.id), (moves, moves.c.play), (keys, keys.c.play)):
            assert connection.execute(sa.select(table).where(column == player.id)).all() == []


# -- the other game ----------------------------------------------------------------------------------


def test_a_play_of_julian_is_kept_too(player: Player) -> None:
    examples = (one.example for one in all_shown() if one.game == "julian")
    shown = next(one for one in examples if one.ruling == "legal" and one.inputs and not one.components)
    player.start("julian", position=plain(shown.position), choices=shown.choices)
    answer = player.move(plain(shown.action), *plain(shown.inputs))
    assert (answer["game"], answer["ruling"], answer["kept"]) == ("julian", "legal", True)
    assert player.get()["position"] == answer["position"]
    assert player.text("/report", lang="ja").startswith("Julian")
