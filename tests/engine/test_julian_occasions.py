"""Whatever Julian allows without having been told when it is: what would refuse it is named in the answer."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from engine import codec
from engine.exceptions import Unreadable
from engine.game import Answer, check, prepare
from engine.julian import GAME

Told = tuple[str, Any]

ATTACK = [{"id": "a1", "combat": 4, "movement": 4}]
DEFEND = [{"id": "d1", "combat": 3, "movement": 4}]


def marker(name: str, use: str, **more: Any) -> dict[str, Any]:
    return {"kind": "play-stratagem", "by": "roman", "marker": name, "use": use, **more}


ACTIONS = [
    marker("military", "fight"),
    marker("military", "march", stack="east"),
    marker("agentes", "look"),
    marker("agentes", "cancel-agentes"),
    marker("agentes", "cancel-federate"),
    marker("credo", "draw"),
    marker("dux", "activate", command="Oriens"),
    marker("dux", "leader"),
    marker("federate", "ally"),
    marker("imperium", "reroll", roll="other"),
    marker("imperium", "as", **{"as": "military", "as_use": "fight"}),
    marker("imperium", "as", **{"as": "dux", "as_use": "leader"}),
    {"kind": "open-combat", "attacker": "roman", "attackers": ATTACK, "defenders": DEFEND},
    {"kind": "combat-result", "result": "DR", "attackers": ATTACK, "defenders": DEFEND},
    {"kind": "next-phase"},
]
FACTS: list[Told] = [
    *(("/phase", phase) for phase in ("operations", "taxation", "stratagem")),
    *(("/subphase", subphase) for subphase in ("start", "reinforcement", "movement", "combat")),
    *(("/active", side) for side in ("roman", "barbarian")),
    *(("/operations_phase", number) for number in (1, 2)),
    *(("/combat", combat) for combat in (None, {"id": "1", "attacker": "roman", "result": "AC"})),
    *(("/last_roll", roll) for roll in (None, "combat", "other")),
    ("/last_play", None),
    ("/last_play", {"by": "roman", "marker": "federate", "use": "ally"}),
    ("/played", [{"by": "roman", "marker": "military", "use": "fight", "combat": "1"}]),
    ("/played", [{"by": "roman", "marker": "imperium", "as": "dux", "use": "leader"}]),
    ("/commands", [{"name": "Oriens", "side": "roman", "drawn": True, "active": False}]),
    ("/hands/roman", {"count": 0}),
    ("/pool", {"count": 5}),
]


def ask(action: Any, *told: Told) -> Answer | None:
    """One question; None where what is told cannot be."""
    do = codec.read(action, GAME.action_types, "/action")
    inputs = codec.read_inputs([{"tell": {pointer: value}} for pointer, value in told])
    try:
        return check(GAME, prepare(GAME, {}, {}, {}), do, inputs)
    except Unreadable:
        return None


def named(answer: Answer) -> set[str]:
    """Every fact that an answer says it rests on without having been told."""
    verdict = answer.verdict
    asked = {answer.pending.fact.pointer} if answer.pending and answer.pending.fact else set()
    return asked | {one.pointer for one in (*verdict.assumed, *verdict.cautions, *verdict.unknowns)}


def allowed(action: Any) -> Iterator[tuple[tuple[Told, ...], Answer]]:
    """What is told where this is allowed: nothing, or a single fact."""
    for told in ((), *((fact,) for fact in FACTS)):
        answer = ask(action, *told)
        if answer is not None and answer.verdict.ruling == "legal":
            yield told, answer


@pytest.mark.parametrize("action", ACTIONS, ids=lambda one: "-".join(str(x) for x in one.values())[:50])
def test_nothing_that_would_refuse_it_is_passed_over(action: Any) -> None:
    for told, answer in allowed(action):
        known = {*named(answer), *(pointer for pointer, _ in told)}
        for pointer, value in FACTS:
            if any(pointer == one or one.startswith(f"{pointer}/") for one in known):
                continue
            otherwise = ask(action, *told, (pointer, value))
            reasons = otherwise and [one.requirement.name for one in otherwise.verdict.reasons]
            assert not reasons, (told, pointer, value)


def test_most_of_them_are_allowed_somewhere() -> None:
    assert sum(any(True for _ in allowed(action)) for action in ACTIONS) >= len(ACTIONS) - 5


def test_which_use_an_imperium_copies_is_asked_when_the_table_leaves_more_than_one() -> None:
    """A Credo draws in one phase and steals in another: where the phase is asked for, it decides."""
    do = codec.read(marker("imperium", "as", **{"as": "credo"}), GAME.action_types, "/action")
    told = {
        "has_played": {"roman": {"imperium": False}},
        "hands": {"roman": {"imperium": 1}},
        "pool": {"count": 5},
    }
    asks = check(GAME, prepare(GAME, told, {}, {}, assume=False), do, []).verdict.unknowns
    pointers = [fact.pointer for fact in asks]
    assert "/phase" in pointers
    assert "/action/as_use" not in pointers
