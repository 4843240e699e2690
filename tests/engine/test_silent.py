"""An answer that is legal although something was not told names it: told otherwise, it would be refused."""

from __future__ import annotations

from typing import Any

import pytest

from engine import codec
from engine.game import Answer, check, prepare
from tests.shown import game

NO_COUNTERS = [None] * 6
HELD = {"phase": "operations", "active": "roman", "hands": {"roman": {"agentes": 1}}}
LOOK = {"kind": "play-stratagem", "by": "roman", "marker": "agentes", "use": "look"}
RAID = {"kind": "enemy-raid", "ap": 2}
FAMILY = {"B": {"at": "black-mesa-6", "ferocity": 2}}


def ask(name: str, position: Any, action: Any, inputs: list[Any], *told: Any) -> Answer:
    rules = game(name)
    at = prepare(rules, position, {}, {})
    do = codec.read(action, rules.action_types, "/action")
    return check(rules, at, do, codec.read_inputs([*told, *inputs]))


def named(answer: Answer) -> set[str]:
    """Every fact that an answer says it rests on without having been told."""
    asked = {answer.pending.fact.pointer} if answer.pending and answer.pending.fact else set()
    verdict = answer.verdict
    return asked | {one.pointer for one in (*verdict.assumed, *verdict.cautions, *verdict.unknowns)}


@pytest.mark.parametrize(
    ("name", "position", "action", "inputs", "pointer", "otherwise", "reason"),
    [
        (
            "navajo-wars",
            {"families": {}, "areas": {}},
            {"kind": "tribal-raid", "tribe": "comanche"},
            [],
            "/outcome",
            {"result": "minor-victory", "rule": "8.3"},
            "game-is-over",
        ),
        (
            "navajo-wars",
            {"instructions": {"inactive": NO_COUNTERS}},
            {"kind": "instruction", "name": "defend", "ap": 3},
            [],
            "/tracks/enemy_ap",
            5,
            "defend-leaves-ap",
        ),
        (
            "navajo-wars",
            {"period": "mexican", "families": FAMILY, "areas": {}},
            RAID,
            [],
            "/tracks/enemy_ap",
            1,
            "enemy-raid-not-paid",
        ),
        (
            "navajo-wars",
            {"period": "mexican", "areas": {}, "raided_cubes": {}},
            {"kind": "instruction", "name": "colonize", "ap": 2},
            [],
            "/tracks/enemy_ap",
            0,
            "instruction-not-paid",
        ),
        (
            "navajo-wars",
            {"families": {}, "instructions": {"inactive": NO_COUNTERS}},
            {"kind": "instruction", "name": "peace", "ap": 2},
            [],
            "/raided_box/instruction",
            "defend",
            "truce-in-the-box",
        ),
        (
            "julian",
            HELD,
            LOOK,
            [{"choose": "agentes"}],
            "/hands/barbarian/agentes",
            {"imperium": 1},
            "marker-not-held",
        ),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_what_could_turn_it_is_named(
    name: str, position: Any, action: Any, inputs: list[Any], pointer: str, otherwise: Any, reason: str
) -> None:
    untold = ask(name, position, action, inputs)
    assert untold.verdict.ruling == "legal"
    assert pointer in named(untold)
    place = "/hands/barbarian" if isinstance(otherwise, dict) and "imperium" in otherwise else pointer
    told = ask(name, position, action, inputs, {"tell": {place: otherwise}})
    assert [one.requirement.name for one in told.verdict.reasons] == [reason]
