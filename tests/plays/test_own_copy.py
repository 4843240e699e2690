"""The player's own copy: what was read off it once is kept with the play, and not asked again."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from service.app import create_app
from tests.games.playing import COPY
from tests.plays.player import Player
from tests.shown import components

# Invented for these tests: a Family in the Canyon that may hold a Tribal Council again and again.
COUNCIL: dict[str, Any] = {
    "period": "spanish",
    "tracks": {"ap": 3},
    "families": {"A": {"at": "canyon-de-chelly-1", "ferocity": 1, "man": True, "woman": True, "child": True}},
    "activation": {"family": "A", "mp": 6, "spent": False},
    "areas": {},
    "territories": {},
    "resources": {"horse": 0, "sheep": 0, "corn": [], "trade_goods": 0, "firearms": 0},
    "operation": {
        "kind": "take-actions",
        "activated": ["A"],
        "elder_ferocity": [],
        "traded": [],
        "tribal": [],
    },
}
HOLD = {"kind": "tribal-council", "family": "A"}


def act_again(player: Player) -> None:
    """The table is set up as before."""
    player.post("corrections", {"tell": {"/activation": COUNCIL["activation"]}})


def test_an_area_value_is_asked_once(player: Player) -> None:
    player.start(position=COUNCIL)
    asked = player.move(HOLD, {"die": 3})
    assert asked["pending"]["name"] == "tribal-council-value"
    assert player.move(None, {"read": 2})["pending"] is None
    assert player.get("/components") == {"area_values": {"canyon-de-chelly-1": 2}}
    act_again(player)
    again = player.move(HOLD, {"die": 3})
    assert (again["ruling"], again["pending"]) == ("legal", None)
    player.post("undo", {"moves": 3})
    assert player.get("/components") == {}, "what was taken back is not known"
    assert player.move(None, {"read": 5})["kept"]
    assert player.get("/components") == {"area_values": {"canyon-de-chelly-1": 5}}


def test_it_goes_along_and_comes_in_again(player: Player) -> None:
    player.start(position=COUNCIL)
    player.move(HOLD, {"die": 3}, {"read": 2})
    act_again(player)
    player.move(HOLD, {"die": 1})
    taken = player.get("/transcript")
    assert [one.get("remembered") for one in taken["moves"]] == [
        {"/components/area_values/canyon-de-chelly-1": 2},
        None,
        None,
    ]
    replayed = player.client.post("/v1/games/navajo-wars/replay", json=taken).get_json()
    assert replayed["diverged"] is None
    assert replayed["position"] == player.get()["position"]
    for known_end in (True, False):
        if not known_end:
            del taken["moves"][-1]["position_after"]
        other = Player(player.client)
        other.start(transcript=taken)
        assert other.get("/components") == player.get("/components")
        assert other.text("/report") == player.text("/report")
        verified = other.post("verify")
        assert (verified["verified"], verified["diverged"]) == (3, None)


def test_what_is_exported_is_a_components_file(player: Player) -> None:
    player.start(position=COUNCIL)
    player.move(HOLD, {"die": 3}, {"read": 2})
    other = Player(player.client)
    other.start(position=COUNCIL, components=player.get("/components"))
    assert other.move(HOLD, {"die": 3})["pending"] is None


def test_a_server_reads_what_a_play_exports(player: Player, tmp_path: Path) -> None:
    """The whole invented copy of the golden games, told to a play, exported, and named to another server."""
    player.start(position=COUNCIL, components=components(COPY))
    exported = player.get("/components")
    assert exported["area_values"]
    file = tmp_path / "copy.json"
    file.write_text(json.dumps(exported), encoding="utf-8")
    app = create_app({"COMPONENTS": str(file), "STORE": f"sqlite:///{tmp_path}/plays.sqlite3"})
    other = Player(app.test_client())
    other.start(position=COUNCIL)
    assert other.get("/components") == exported, "kept with the play by value"
    app.extensions["ruleglot-plays"].store.close()


def test_what_is_remembered_is_only_of_the_copy(player: Player) -> None:
    moves = [{"action": HOLD, "inputs": [{"die": 3}, {"read": 2}], "remembered": {"/tracks/ap": 9}}]
    sent = {"transcript": {"position": COUNCIL, "moves": moves}}
    refused = player.client.post("/v1/games/navajo-wars/plays", json=sent)
    assert refused.status_code == 422
    assert refused.get_json()["errors"][0]["pointer"] == "/transcript/moves/0/remembered/~1tracks~1ap"
    moves[0]["remembered"] = {"/components/area_values/nowhere": 2}
    refused = player.client.post("/v1/games/navajo-wars/plays", json=sent)
    assert refused.status_code == 422


# Invented for these tests: a combat table of one column with a single cell.
COMBAT = {
    "turn": 1,
    "phase": "operations",
    "active": "roman",
    "subphase": "combat",
    "combat": None,
    "hands": {"roman": {}, "barbarian": {}},
    "last_play": None,
    "last_roll": None,
    "played": [],
}


def test_a_cell_of_julians_combat_table_is_asked_once(player: Player) -> None:
    player.start("julian", position=COMBAT, components={"julian": {"combat_table": {"2-1": {"1": "AR"}}}})
    units = {"combat": 4, "movement": 5}
    fight = {
        "kind": "open-combat",
        "attackers": [{"id": "a1", **units}],
        "defenders": [{"id": "d1", **units}],
        "doubled_by_terrain": [],
    }
    asked = player.move(fight, {"die": 6})
    assert asked["pending"]["name"] == "open-combat-result", asked["headline"]
    read = player.move(None, {"read": "BB"})
    assert read["kept"], read["headline"]
    assert player.get("/components")["julian"]["combat_table"] == {"2-1": {"1": "AR", "6": "BB"}}
    player.post("corrections", {"tell": {"/combat": None}})
    again = player.move(fight, {"die": 6})
    assert again["pending"] is None or again["pending"]["name"] != "open-combat-result"
