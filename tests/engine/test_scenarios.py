"""The six set-ups are positions that can be, whatever the player chooses, and fit together."""

from __future__ import annotations

import random
from typing import Any

import msgspec
import pytest

from engine import codec
from engine.audit import audit
from engine.game import check, prepare
from engine.navajo_wars import GAME
from engine.navajo_wars.components import SHIPPED
from engine.navajo_wars.endings import LAST_CARD, result_of, result_of_american_scenario
from engine.navajo_wars.scenarios import DIFFERENCES, FILE
from engine.scenarios import Scenario

SCENARIOS = {one.id: one for one in GAME.scenarios}
EVERY = pytest.mark.parametrize("scenario", GAME.scenarios, ids=lambda one: one.id)
SAMPLES = 40


def told(scenario: Scenario) -> Any:
    """The position as a program gets it."""
    return msgspec.json.decode(msgspec.json.encode(scenario.position))


def put(position: Any, pointer: str, value: Any) -> None:
    """Put a value where a pointer says."""
    *way, last = pointer.split("/")[1:]
    for step in way:
        position = position[step]
    position[last] = msgspec.to_builtins(value)


def findings(position: Any) -> list[str]:
    return [found.requirement.name for found in audit(GAME, position, {}, {}).findings]


def cubes(scenario: Scenario) -> dict[str, int]:
    """All cubes that are in play."""
    boxes = told(scenario)
    return {
        colour: boxes["raid_pool"].get(colour, 0) + boxes["subjugation"].get(colour, 0)
        for colour in SHIPPED.cubes.value
    }


# -- positions ---------------------------------------------------------------------------------------


def test_there_are_six() -> None:
    assert list(SCENARIOS) == ["14.1", "14.2", "14.3", "14.4", "14.5", "14.6"] == list(LAST_CARD)


@EVERY
def test_it_reads_as_a_position_and_is_possible(scenario: Scenario) -> None:
    assert codec.read(told(scenario), GAME.position, "") == scenario.position
    assert findings(told(scenario)) == []


@EVERY
def test_each_option_of_each_choice_is_possible(scenario: Scenario) -> None:
    for choice in scenario.choices:
        for option in choice.options:
            position = told(scenario)
            put(position, choice.pointer, option.value)
            assert findings(position) == [], (choice.pointer, option.value)


@EVERY
def test_all_choices_together_are_possible_and_leave_only_the_players_copy_open(scenario: Scenario) -> None:
    pick = random.Random(scenario.id)
    for _ in range(SAMPLES):
        position = told(scenario)
        for choice in scenario.choices:
            if choice.options:
                put(position, choice.pointer, pick.choice(choice.options).value)
        assert findings(position) == []
        for family in position["families"].values():
            assert family.keys() == {"at", "ferocity", "man", "woman", "child", "horse"}
    untold = set(GAME.position.__struct_fields__) - position.keys() - {"agenda", "partial"}
    assert untold <= {choice.pointer.split("/")[1] for choice in scenario.choices}


@EVERY
def test_what_is_not_told_is_a_choice(scenario: Scenario) -> None:
    position, pointers = told(scenario), [choice.pointer for choice in scenario.choices]
    assert len(set(pointers)) == len(pointers)
    assert "developments" not in position["cards"]
    assert "/cards/developments" in pointers
    for box in set(GAME.position.__struct_fields__) - position.keys() - {"agenda", "partial"}:
        assert f"/{box}" in pointers


@EVERY
def test_the_game_can_begin(scenario: Scenario) -> None:
    """Nothing is under way and no card has been drawn: the first card can be."""
    position = told(scenario)
    position["cards"].setdefault("hand", [])  # 14.5: a Ceremony card may have been kept
    at = prepare(GAME, position, {}, {})
    do = codec.read({"kind": "draw-card", "number": 1}, GAME.action_types, "/action")
    assert check(GAME, at, do).verdict.ruling == "legal"


# -- figures -----------------------------------------------------------------------------------------


@EVERY
def test_cubes_are_those_of_the_game(scenario: Scenario) -> None:
    assert all(count <= SHIPPED.cubes.value[colour] for colour, count in cubes(scenario).items())


@pytest.mark.parametrize(
    ("before", "after", "change"),
    [
        ("14.2", "14.3", {"brown": 1, "white": 1, "green": 2}),  # 6.2.1 step 8
        ("14.3", "14.4", {"green": -2, "blue": 1}),  # 6.2.2 step 8
        ("14.4", "14.5", {}),
        ("14.1", "14.2", {}),
        ("14.2", "14.6", {}),
    ],
)
def test_the_cubes_of_a_period_are_those_its_transition_leaves(
    before: str, after: str, change: dict[str, int]
) -> None:
    old, new = cubes(SCENARIOS[before]), cubes(SCENARIOS[after])
    assert {colour: new[colour] - old[colour] for colour in new if new[colour] != old[colour]} == change


@pytest.mark.parametrize(
    ("name", "deck", "in_play", "removed"),
    [
        ("14.1", 18, [], [43, 44, 45]),
        ("14.2", 45, [], []),
        ("14.3", 45, [45], [41, 42, 43, 44]),
        ("14.4", 45, [50], [41, 42, 43, 44, 45, 46, 47, 48, 49]),
        ("14.5", 9, [50, 51, 53, 54], [41, 42, 43, 44, 45, 46, 47, 48, 49, 52]),
        ("14.6", 45, [], []),
    ],
)
def test_every_event_card_up_to_the_period_is_somewhere(
    name: str, deck: int, in_play: list[int], removed: list[int]
) -> None:
    cards = told(SCENARIOS[name])["cards"]
    assert cards["in_play"] == in_play
    assert cards["removed"] == removed
    sentences = [said.message.text % said.params for said in SCENARIOS[name].deck]
    assert any(f"Cards in the deck: {deck}." in sentence for sentence in sentences)


def test_forts_and_ranchos_are_chosen_together() -> None:
    (choice,) = [one for one in SCENARIOS["14.4"].choices if one.pointer == "/areas"]
    first, second = (codec.write(option.value) for option in choice.options)
    assert first["hopi-land-1"] == second["zuni-mountains-1"] == {"fort": "defiance"}
    assert first["zuni-mountains-1"] == second["hopi-land-1"] == {"fort": "fauntleroy"}
    assert first["shiprock-3"] == second["san-juan-valley-2"] == {"rancho": True}


def test_the_last_scenario_of_the_period_leaves_more_to_chance() -> None:
    position = told(SCENARIOS["14.5"])
    assert not {"manuelito", "passage_of_time", "instructions", "areas"} & position.keys()
    assert "hand" not in position["cards"]
    assert position["families"]["A"] == {"ferocity": 0, "horse": False}
    missing = next(one for one in SCENARIOS["14.5"].choices if one.pointer == "/families/B")
    for option in missing.options:
        there = codec.write(option.value)
        assert sum(there[kind] for kind in ("man", "woman", "child")) == 2


def test_the_tables_are_those_that_end_the_game() -> None:
    ranges = {"3 or more": (3, 9), "1 or 2": (1, 2), "0, -1 or -2": (-2, 0), "-3 or less": (-9, -3)}
    for result, difference in DIFFERENCES.items():
        said, _ = difference.phrase()
        assert {result_of(one) for one in ranges[said.text]} == {result}
    american = [said.params.get("result") for said in SCENARIOS["14.4"].victory]
    cases = [(2, 1), (1, 1), (1, 2), (0, 0), (0, 1)]
    worded = [f"nw.{result_of_american_scenario(*case).replace('-', '_')}" for case in cases]
    assert american[-5:] == worded


def test_every_value_has_its_source() -> None:
    assert all(entry.source and entry.certainty for entry in (FILE.every, FILE.enemy_ap, *FILE.scenario))
    assert [(one.id, doubt.pointer, doubt.certainty) for one in GAME.scenarios for doubt in one.doubts] == [
        ("14.4", "/tracks", "medium")
    ]
