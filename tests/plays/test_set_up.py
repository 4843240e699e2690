"""A scenario's choices are asked until they are told; "I'll tell later" is an answer."""

from __future__ import annotations

from typing import Any

import pytest

from engine import codec
from engine.navajo_wars import GAME
from tests.plays.player import Player
from tests.service.sent import LANGUAGES

LATER = "unknown"


def asked(player: Player) -> list[str]:
    return [one["pointer"] for one in player.get()["unknowns"]]


def answered(choice: Any, position: dict[str, Any]) -> Any:
    """Any answer that the question takes; what only the copy shows, as the set-up has it, or empty."""
    if choice.options:
        return codec.write(choice.options[0].value)
    if choice.pointer == "/instructions":
        counter = {"name": "build", "cost": 2, "back": {"name": "raid", "cost": 3}}
        return {"active": [counter] * 6, "standby": [counter] * 6, "inactive": [None] * 6}
    empty: dict[str, Any] = {"/cards/developments": [], "/cards/hand": [], "/passage_of_time": {}}
    return empty[choice.pointer] if choice.pointer in empty else position["set_aside"]


@pytest.mark.parametrize("scenario", GAME.scenarios, ids=lambda one: one.id)
def test_every_choice_is_asked_with_a_form_and_no_longer_once_it_is_told(
    player: Player, scenario: Any
) -> None:
    state = player.start(scenario=scenario.id)
    assert [one["pointer"] for one in state["unknowns"]] == [one.pointer for one in scenario.choices]
    assert all(one["form"]["type"] != "json" for one in state["unknowns"])
    left = [one.pointer for one in scenario.choices]
    for choice in scenario.choices:
        answer = player.move(None, {"tell": {choice.pointer: answered(choice, state["position"])}})
        assert (answer["ruling"], answer["kept"]) == ("legal", True)
        left.remove(choice.pointer)
        assert asked(player) == left


def test_what_is_told_later_is_asked_last(player: Player) -> None:
    state = player.start(scenario="14.1")
    first, second, *others = (one["pointer"] for one in state["unknowns"])
    answer = player.move(None, {"tell": {first: LATER}})
    assert (answer["ruling"], answer["kept"], answer["version"], answer["moves"]) == ("legal", False, 2, 0)
    assert first not in answer["position"].get("families", {}).get("A", {})
    assert asked(player) == [second, *others, first]
    player.move(None, {"tell": {second: LATER}})
    player.move(None, {"tell": {first: LATER}})
    assert asked(player) == [*others, second, first]
    player.move(None, {"tell": {second: 2, others[0]: LATER}})
    assert asked(player) == [*others[1:], first, others[0]]
    player.move(None, {"tell": {first: "shiprock-2"}})
    assert asked(player) == [*others[1:], others[0]]
    player.post("undo", {"moves": 2})
    assert set(asked(player)) == {first, second, *others}


def test_what_an_action_needs_may_be_told_later_too(player: Player) -> None:
    player.start(position={"period": "mexican"})
    open_ = player.move({"kind": "negotiate", "family": "A", "trade_goods": 1})
    assert open_["ruling"] == "undetermined"
    first, second, *others = asked(player)
    player.move(None, {"tell": {first: LATER}})
    assert asked(player) == [second, *others, first]
    assert player.get()["pending"]["pointer"] == second


def test_a_family_that_is_gone_is_not_asked_for_again(player: Player) -> None:
    player.start(scenario="14.1")
    player.tell(families__A__at="shiprock-2", families__A__ferocity=1)
    player.move(None, {"tell": {"/families/A": None}})
    assert not [one for one in asked(player) if one.startswith("/families/A")]


@pytest.mark.parametrize("lang", LANGUAGES)
def test_it_says_so_in_the_readers_language(player: Player, lang: str) -> None:
    player.start(scenario="14.1")
    body = {"inputs": [{"tell": {"/families/A/at": LATER}}], "lang": lang}
    assert player.post("moves", body)["headline"]


def test_what_the_set_up_does_not_offer_is_refused_with_its_rule(player: Player) -> None:
    player.start(scenario="14.1")
    version = player.version
    for lang in LANGUAGES:
        body = {"inputs": [{"tell": {"/families/A/at": "black-mesa-3"}}], "lang": lang}
        refused = player.post("moves", body)
        assert (refused["ruling"], refused["refused"], refused["kept"]) == ("illegal", "answer", False)
        (reason,) = refused["reasons"]
        assert reason["rules"] == ["nw:14.families"]
        assert reason["pointer"] == "/inputs/0/tell/~1families~1A~1at"
    assert player.version == version
    assert "at" not in player.get()["position"]["families"]["A"]
    whole = {**player.get()["position"]["families"]["A"], "at": "hopi-land-1"}
    assert player.move(None, {"tell": {"/families/A": whole}})["ruling"] == "illegal"
    assert player.move(None, {"tell": {"/families/A": {**whole, "at": "shiprock-1"}}})["kept"]
    player.post("corrections", {"tell": {"/families/A/at": "black-mesa-3"}})


def test_once_the_table_has_changed_it_may_show_anything(player: Player) -> None:
    player.start(scenario="14.1")
    player.post("corrections", {"tell": {"/tracks/ap": 1}})
    taken = player.move(None, {"tell": {"/families/A/at": "black-mesa-3"}})
    assert (taken["ruling"], taken["kept"]) == ("legal", True)
    assert [one["name"] for one in taken["cautions"]] == ["scenario-choice-otherwise"]
    assert taken["cautions"][0]["rules"] == ["nw:14.families"]


@pytest.mark.parametrize("scenario", GAME.scenarios, ids=lambda one: one.id)
def test_every_choice_says_which_rule_asks_for_it(player: Player, scenario: Any) -> None:
    for one in player.start(scenario=scenario.id)["unknowns"]:
        (rule,) = one["rules"]
        assert rule in GAME.catalogue.rules


FORTS = "/areas/{}-1/fort"


@pytest.mark.parametrize(
    ("told", "kept"),
    [
        ({"/manuelito": None}, False),
        ({"/manuelito": "F"}, False),
        ({"/manuelito": "A"}, True),
        ({"/families/A": {"man": False, "woman": False, "child": True}}, False),
        ({"/families/A/man": False}, True),
        ({"/families/A/man": False, "/families/A/woman": False}, False),
        ({"/areas": {}}, False),
        ({FORTS.format("hopi-land"): "defiance"}, True),
        ({FORTS.format("hopi-land"): "defiance", FORTS.format("zuni-mountains"): "defiance"}, False),
    ],
)
def test_a_choice_may_be_told_in_part_but_not_against_the_set_up(
    player: Player, told: dict[str, Any], kept: bool
) -> None:
    player.start(scenario="14.5")
    answer = player.move(None, {"tell": told})
    assert (answer["kept"], answer["ruling"]) == (kept, "legal" if kept else "illegal"), answer["headline"]


def cards(*names: str) -> list[dict[str, Any]]:
    """Cultural Development cards, each by the first letters of its group and its level."""
    return [{"set": name[:-1], "level": int(name[-1])} for name in names]


STATED = {
    "14.1": "scenario-one-development",
    "14.3": "scenario-four-developments",
    "14.4": "scenario-eight-developments",
    "14.5": "scenario-four-groups",
}


@pytest.mark.parametrize(
    ("scenario", "told", "kept"),
    [
        ("14.1", ["Weaving1"], True),
        ("14.1", ["Weaving2"], False),
        ("14.1", ["Weaving1", "Horsemanship1"], False),
        ("14.3", ["Weaving1", "Weaving2", "Horsemanship1", "Weaving3"], True),
        ("14.3", ["Weaving2"], False),
        ("14.3", ["A1", "B1", "C1", "D1", "E1"], False),
        ("14.4", ["A1", "A2", "A3", "B1", "B2", "B3", "C1", "C2"], True),
        ("14.4", ["A1", "A1"], False),
        ("14.4", ["A1", "A2", "A3", "B1", "B2", "B3", "C1", "C2", "C3"], False),
        ("14.5", [f"{group}{level}" for group in "ABCD" for level in (1, 2, 3)], True),
        ("14.5", [f"{group}1" for group in "ABCDE"], False),
    ],
)
def test_the_development_cards_are_those_that_the_scenario_states(
    player: Player, scenario: str, told: list[str], kept: bool
) -> None:
    player.start(scenario=scenario)
    answer = player.move(None, {"tell": {"/cards/developments": cards(*told)}})
    assert (answer["kept"], answer["ruling"]) == (kept, "legal" if kept else "illegal"), answer["headline"]
    assert [one["name"] for one in answer["reasons"]] == ([] if kept else [STATED[scenario]])


def test_no_other_development_card_is_added_before_the_game_begins(player: Player) -> None:
    player.start(scenario="14.1")
    player.move(None, {"tell": {"/cards/developments": cards("Weaving1")}})
    more = player.move(None, {"tell": {"/cards/developments": cards("Weaving1", "Horsemanship1")}})
    assert [one["name"] for one in more["reasons"]] == ["scenario-one-development"]
    assert player.move(None, {"tell": {"/cards/developments": cards("Horsemanship1")}})["kept"]


def test_a_choice_told_in_part_is_still_asked_and_still_weighed(player: Player) -> None:
    player.start(scenario="14.5")
    player.move(None, {"tell": {FORTS.format("hopi-land"): "defiance"}})
    assert "/areas" in asked(player)
    second = {"tell": {FORTS.format("zuni-mountains"): "defiance"}}
    assert player.move(None, second)["ruling"] == "illegal"


def test_a_family_that_is_taken_off_the_table_leaves_the_other_choices(player: Player) -> None:
    player.start(scenario="14.1")
    player.move(None, {"tell": {"/families/A": None}})
    assert player.move(None, {"tell": {"/families/B/at": "black-mesa-1"}})["ruling"] == "legal"
