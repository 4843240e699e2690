"""POST …/options: what may be done here, with the reason where it may not."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from flask.testing import FlaskClient

from service.games import GAMES
from service.terms import LANGUAGES
from tests.bench import full_position

NAVAJO_WARS = "/v1/games/navajo-wars/options"
JULIAN = "/v1/games/julian/options"
Ask = Callable[..., dict[str, Any]]
# An invented table in the Roman's Movement Sub-Phase.
ROMAN_MOVES = {
    "turn": 2,
    "active": "roman",
    "phase": "operations",
    "operations_phase": 1,
    "subphase": "movement",
    "hands": {"roman": {"imperium": 1, "military": 1, "agentes": 1}, "barbarian": {"agentes": 1}},
    "pool": {"credo": 2},
    "treasury": 5,
    "commands": [{"name": "Julian", "side": "roman", "drawn": True, "active": True}],
    "played": [],
    "last_play": None,
    "combat": None,
    "last_roll": None,
}
IN_A_RAID = {"procedure": "enemy-raid", "step": "player-reaction", "memory": {"entered": "shiprock-4"}}


def by_kind(answer: dict[str, Any]) -> dict[str, Any]:
    return {entry["kind"]: entry for entry in answer["options"]}


@pytest.mark.parametrize("game", GAMES)
def test_every_kind_is_there_even_where_nothing_is_told(ask: Ask, game: str) -> None:
    answer = ask({"position": {}}, f"/v1/games/{game}/options")
    assert [entry["kind"] for entry in answer["options"]] == list(GAMES[game].actions)
    assert answer["pending"] is None


def test_allowed_ones_come_with_each_action_its_cost_and_its_words(ask: Ask) -> None:
    found = by_kind(ask({"position": full_position(), "lang": "en"}, NAVAJO_WARS))
    negotiate = found["negotiate"]
    assert (negotiate["ruling"], negotiate["complete"], negotiate["section"]) == ("legal", True, "5.2.2")
    assert [(one["action"].get("trade_goods", 0), one["cost"]) for one in negotiate["actions"]] == [
        (0, {"ap": 1}),
        (1, {"ap": 1, "trade_goods": 1}),
        (2, {"ap": 1, "trade_goods": 2}),
    ]
    for entry in found.values():
        texts = [one["text"] for one in entry["actions"]]
        assert len(texts) == len(set(texts)), entry["kind"]


def test_others_come_with_their_reason_or_with_what_decides(ask: Ask) -> None:
    found = by_kind(ask({"position": full_position(), "lang": "en", "assume": False}, NAVAJO_WARS))
    assert found["find-water"]["ruling"] == "illegal"
    assert [one["name"] for one in found["find-water"]["reasons"]] == ["nobody-activated"]
    assert found["planning"]["ruling"] == "undetermined"
    assert [one["pointer"] for one in found["planning"]["unknowns"]] == ["/operation/kind"]
    closed = {one["value"]: one for one in found["evade"]["closed"]}
    assert closed["B"]["text"] == "Family B"
    assert [one["name"] for one in closed["B"]["reasons"]] == ["no-raid-to-evade"]


def test_whether_the_game_goes_on_is_asked_where_nothing_is_taken_for_granted(ask: Ask) -> None:
    evading = {"families": {"C": {"at": "shiprock-3", "ferocity": 1}}, "areas": {"shiprock-3": {"raid": 1}}}
    told = {"position": {"period": "mexican", **evading}, "kinds": ["evade"]}
    (granted,) = ask(told, NAVAJO_WARS)["options"]
    assert (granted["ruling"], [one["pointer"] for one in granted["assumed"]]) == ("legal", ["/outcome"])
    (asked,) = ask({**told, "assume": False}, NAVAJO_WARS)["options"]
    assert (asked["ruling"], asked["actions"]) == ("undetermined", [])
    assert [one["pointer"] for one in asked["unknowns"]] == ["/outcome"]


def test_horse_and_firearms_are_listed_where_they_make_a_difference(ask: Ask) -> None:
    position = full_position()
    position["families"]["A"]["horse"] = False
    found = by_kind(ask({"position": position, "kinds": ["ambush"]}, NAVAJO_WARS))
    used = [(one["action"].get("horse"), one["action"].get("firearms")) for one in found["ambush"]["actions"]]
    assert used == [(None, None), (None, True), (True, None), (True, True)]


def test_as_many_goods_as_the_culture_points_pay_for(ask: Ask) -> None:
    position = {
        "tracks": {"culture": 12},
        "families": {"A": {"at": "shiprock-4", "ferocity": 1}},
        "areas": {"shiprock-4": {"fort": "defiance"}},
        "activation": {"family": "A", "mp": 4, "spent": False},
    }
    found = by_kind(ask({"position": position, "kinds": ["trade-at-fort"]}, NAVAJO_WARS))["trade-at-fort"]
    assert [one["action"]["trade_goods"] for one in found["actions"]] == list(range(13))
    assert found["complete"] is True


def test_a_minor_event_that_the_copy_does_not_print_is_allowed_and_listed(ask: Ask) -> None:
    asked = {
        "position": {"cards": {"current": 12}},
        "components": {"cards": {"12": {"type": "operations", "minor_event": "drought"}}},
        "kinds": ["minor-event"],
    }
    found = by_kind(ask(asked, NAVAJO_WARS))["minor-event"]
    assert len(found["actions"]) == 4


def test_what_is_read_off_the_copy_is_asked_for(ask: Ask) -> None:
    found = by_kind(ask({"position": {"cards": {"current": None}}}, NAVAJO_WARS))
    card = found["draw-card"]
    assert (card["ruling"], card["complete"]) == ("legal", False)
    assert card["actions"][0]["action"] == {"kind": "draw-card"}
    assert card["actions"][0]["asks"] == ["/action/number"] == [one["pointer"] for one in card["asks"]]
    assert found["enemy-operations"]["asks"][0]["pointer"] == "/action/printed_ap"


def test_inside_a_procedure_only_what_the_step_takes_and_what_may_be_done_at_any_time(ask: Ask) -> None:
    answer = ask({"position": {**full_position(), "agenda": [IN_A_RAID]}, "lang": "en"}, NAVAJO_WARS)
    found = by_kind(answer)
    open_now = {kind for kind, entry in found.items() if entry["ruling"] == "legal"}
    assert open_now == {"ambush", "negotiate", "harass", "evade", "barter", "spend-trade-goods"}
    assert [one["name"] for one in found["activate"]["reasons"]] == ["something-under-way"]
    assert answer["pending"]["name"] == "enemy-raid-player-reaction"


def test_in_julian_each_player_sees_what_he_may_play(ask: Ask) -> None:
    plays = by_kind(ask({"position": ROMAN_MOVES}, JULIAN))["play-stratagem"]
    listed = [one["action"] for one in plays["actions"]]
    assert {"kind": "play-stratagem", "by": "roman", "marker": "agentes", "use": "look"} in listed
    marches = [one for one in plays["actions"] if one["action"]["use"] == "march"]
    assert [one["asks"] for one in marches] == [["/action/stack"]]
    assert plays["complete"] is False


def test_in_julian_each_marker_says_for_each_use_why_it_is_closed(ask: Ask) -> None:
    plays = by_kind(ask({"position": ROMAN_MOVES, "lang": "en"}, JULIAN))["play-stratagem"]
    closed = {tuple(one["value"].values()): one for one in plays["closed"]}
    fight = closed["roman", "military", "fight"]
    assert fight["value"] == {"by": "roman", "marker": "military", "use": "fight"}
    assert fight["text"].startswith("Roman player: Military (")
    assert [one["name"] for one in fight["reasons"]] == ["not-in-combats", "no-combat-being-resolved"]
    assert ("roman", "agentes", "look") not in closed
    assert [one["name"] for one in closed["barbarian", "agentes", "look"]["reasons"]] == [
        "not-your-operations-phase"
    ]
    assert not [one for one in closed if one[1] == "dux"]  # nobody holds one


@pytest.mark.parametrize("lang", LANGUAGES)
def test_who_has_nothing_is_told_that_he_has_nothing(ask: Ask, lang: str) -> None:
    """Nobody has named a number of goods or a marker, and none is spoken of."""
    empty = {**ROMAN_MOVES, "hands": {"roman": {}, "barbarian": {}}}
    plays = by_kind(ask({"position": empty, "lang": lang}, JULIAN))["play-stratagem"]
    assert (plays["ruling"], plays["closed"]) == ("illegal", [])
    assert [one["name"] for one in plays["reasons"]] == ["no-marker-held"]
    poor = {"horse": 1, "sheep": 1, "corn": [2, 3], "trade_goods": 0, "firearms": 0}
    asked = {"position": {**full_position(), "resources": poor}, "kinds": ["barter"], "lang": lang}
    barter = by_kind(ask(asked, NAVAJO_WARS))["barter"]
    assert (barter["ruling"], barter["closed"], barter["closed_ways"]) == ("illegal", [], 0)
    assert [one["name"] for one in barter["reasons"]] == ["nothing-to-barter"]
    assert barter["reasons"][0]["text"] in barter["headline"]


def test_kinds_and_refused_ones_can_be_left_out(ask: Ask) -> None:
    asked = {"position": full_position(), "kinds": ["evade", "find-water"]}
    assert list(by_kind(ask(asked, NAVAJO_WARS))) == ["evade", "find-water"]
    assert list(by_kind(ask({**asked, "illegal": False}, NAVAJO_WARS))) == ["evade"]


def test_a_game_that_is_over_allows_nothing(ask: Ask) -> None:
    over = {**full_position(), "outcome": {"result": "major-victory", "rule": "nw:8.2.s3"}}
    assert {entry["ruling"] for entry in ask({"position": over}, NAVAJO_WARS)["options"]} == {"illegal"}


def test_no_list_is_longer_than_two_hundred(ask: Ask) -> None:
    """An invented table with more command chits than any game has."""
    commands = [{"name": f"c{number}", "side": "roman", "drawn": False} for number in range(300)]
    position = {**ROMAN_MOVES, "phase": "stratagem", "commands": commands}
    entry = by_kind(ask({"position": position, "kinds": ["next-phase"]}, JULIAN))["next-phase"]
    assert (len(entry["actions"]), entry["left_out"], entry["complete"]) == (200, 100, False)


def test_all_four_languages_at_once(ask: Ask) -> None:
    answer = ask({"position": full_position(), "lang": "all", "kinds": ["negotiate", "evade"]}, NAVAJO_WARS)
    for entry in answer["options"]:
        for text in (
            entry["term"],
            entry["headline"],
            entry["actions"][0]["text"],
            entry["closed"][0]["text"],
        ):
            assert list(text) == list(LANGUAGES)


def test_a_kind_that_does_not_exist_is_a_problem(client: FlaskClient) -> None:
    response = client.post(NAVAJO_WARS, json={"position": {}, "kinds": ["dance"], "lang": "fr"})
    assert (response.status_code, response.content_type) == (422, "application/problem+json")
    assert response.get_json()["errors"][0]["pointer"] == "/kinds/0"
