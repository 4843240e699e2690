"""What the fuzzer has found: each case holds every property now."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from tests.fuzz.asking import Case, Service
from tests.fuzz.holding import PROPERTIES

CASES: dict[str, tuple[str, dict[str, Any]]] = {
    # Forts and Ranchos of a Period that has none are nowhere, though no Area was told: this was a failure.
    "no areas told": (
        "navajo-wars",
        {
            "position": {
                "period": "spanish",
                "tracks": {"culture": 2, "military": 3, "enemy_morale": 10},
                "cards": {"current": 55},
                "agenda": [
                    {"procedure": "kit-carson", "step": "war", "memory": {"raided": []}},
                    {"procedure": "take-actions", "step": "action", "memory": {}},
                ],
            },
            "action": {"kind": "continue"},
            "inputs": [{"choose": "none"}],
        },
    ),
    # What was told of the action itself was refused in a replay of it.
    "told of the action": (
        "julian",
        {
            "position": {"phase": "operations", "active": "roman", "subphase": "combat"},
            "action": {"kind": "open-combat"},
            "inputs": [
                {
                    "tell": {
                        "/action/attackers": [{"id": "a1", "combat": 2}],
                        "/action/defenders": [{"id": "d1", "combat": 2}],
                    }
                }
            ],
        },
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_it_holds_now(name: str) -> None:
    game, body = CASES[name]
    service, case = Service(), Case(game, "check", body)
    said = service.ask(case)
    assert said.status == 200
    for holds, _ in PROPERTIES:
        holds(service, case, said, Random(1))
