"""The player's own copy: what was read off it once is kept with the play, and not asked again."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from service.app import create_app
from tests.bench import full_position
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


# Invented for these tests: a Family in a Raid, strong enough to fight it again and again.
FIGHTING: dict[str, Any] = {
    "period": "mexican",
    "tracks": {"ap": 3, "military": 2, "culture": 5, "enemy_morale": 4, "enemy_ferocity": 2},
    "families": {
        "A": {
            "at": "shiprock-4",
            "ferocity": 1,
            "evasion": 0,
            "man": True,
            "woman": True,
            "child": False,
            "horse": False,
        }
    },
    "areas": {"shiprock-4": {"raid": 1}},
    "manuelito": None,
    "resources": {"trade_goods": 4, "firearms": 0},
    "cards": {"hand": []},
}
AMBUSH = {"kind": "ambush", "family": "A"}


def questions_until_it_ends(player: Player, answers: dict[str, Any]) -> list[str]:
    """What is asked, each question answered by its name."""
    asked = []
    while pending := player.get()["pending"]:
        asked.append(pending["name"])
        given = player.move(None, answers[pending["name"]])
        assert given["ruling"] == "legal", given["headline"]
    return asked


def test_what_a_battle_result_does_is_asked_once(player: Player) -> None:
    answers = {
        "battle-dine-roll": {"die": 4},
        "battle-enemy-roll": {"die": 4},
        "battle-result": {"read": "RGD"},
        "battle-effects": {"read": "none"},
    }
    player.start(position=FIGHTING)
    player.move(AMBUSH)
    first = questions_until_it_ends(player, answers)
    told = {f"/{name}": FIGHTING[name] for name in ("tracks", "families", "areas")}
    after = player.get()["position"]["families"]["A"]
    player.post("corrections", {"tell": told})
    player.move(AMBUSH)
    again = questions_until_it_ends(player, answers)
    assert first == list(answers)
    assert again == ["battle-dine-roll", "battle-enemy-roll"]
    assert player.get()["position"]["families"]["A"] == after, "Ferocity is adjusted as before"


def test_the_enemy_aps_of_cards_are_asked_once(player: Player) -> None:
    full = full_position()
    operation = {"kind": None, "activated": [], "elder_ferocity": [], "traded": [], "tribal": []}
    calm = {
        "cards": {**full["cards"], "current": None, "in_play": [41]},
        "areas": {name: {**area, "raid": 0} for name, area in full["areas"].items()},
        "operation": operation,
    }
    draw = {"kind": "draw-card", "number": 12}
    player.start(position={**full, **calm})
    player.move(draw, {"read": "operations"}, {"read": 2}, {"choose": "none"})
    assert player.get()["pending"]["name"] == "enemy-operations-printed-ap"
    assert player.move(None, {"read": 3})["pending"]["name"] == "enemy-operations-event-ap"
    assert player.move(None, {"read": -1})["pending"]["name"] == "enemy-operations-flip-roll"
    assert player.get("/components")["cards"] == {
        "12": {"type": "operations", "preempt_cost": 2, "enemy_ap": 3},
        "41": {"in_play_ap": -1},
    }
    as_before = {f"/{name}": full[name] for name in ("tracks", "instructions")}
    told = {**as_before, **{f"/{name}": fact for name, fact in calm.items()}, "/agenda": []}
    player.post("corrections", {"tell": told})
    again = player.move(draw, {"choose": "none"})
    assert again["pending"]["name"] == "enemy-operations-flip-roll"


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


# Invented for these tests: what the Population Display, the map and the cards in play print.
def test_the_range_on_the_population_display_is_asked_once_for_each_die(player: Player) -> None:
    raid = {"procedure": "enemy-raid", "step": "morale-range"}
    told = {
        **FIGHTING,
        "agenda": [{**raid, "memory": {"family": "A", "die": 3, "empty": ["woman", "child"]}}],
    }
    player.start(position=told)
    assert player.get()["pending"]["name"] == "enemy-raid-morale-range"
    answer = player.move(None, {"read": False})
    assert answer["kept"], answer["headline"]
    assert player.get("/components")["population_dice"] == {"woman+child": {"3": False}}
    again = [{**raid, "memory": {"family": "A", "die": 3, "empty": ["child"]}}]
    player.post("corrections", {"tell": {"/agenda": again}})
    pending = player.get()["pending"]
    assert pending is None or pending["name"] != "enemy-raid-morale-range", "a space of those ruled out"
