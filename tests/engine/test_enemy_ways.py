"""What the Enemy's own actions offer: his turn, and the Instruction of the topmost Active counter."""

from __future__ import annotations

from typing import Any

import pytest

from engine.actions import Action
from engine.game import prepare
from engine.navajo_wars import GAME, enemy, instructions
from engine.offers import Offer, offers

NOTHING = [None] * 6
PEACE_INACTIVE = [{"name": "peace"}, *NOTHING[1:]]


def offered(action: Action, **position: Any) -> list[Offer]:
    return list(offers(prepare(GAME, position, {}, {}), (action,)))


def column(*counters: dict[str, Any]) -> list[Any]:
    return [*counters, *NOTHING[len(counters) :]]


def test_the_enemy_may_always_have_his_turn() -> None:
    assert [offer.value for offer in offered(enemy.ACTION)] == [{"kind": "enemy-operations"}]


@pytest.mark.parametrize(
    ("active", "inactive", "name", "ap", "back"),
    [
        (column({"name": "build", "cost": 2}, {"name": "raid", "cost": 3}), NOTHING, "build", 2, None),
        (column({"name": "defend", "cost": 1}), NOTHING, "defend", 4, None),
        (
            column({"name": "defend", "cost": 1, "back": {"name": "raid", "cost": 3}}),
            PEACE_INACTIVE,
            "defend",
            3,
            "raid",
        ),
        (column({"name": "slaves", "cost": 1, "ferocity": True}), NOTHING, "slaves", 3, None),
    ],
    ids=["the topmost at its cost", "Defend takes all", "Defend turned over", "Slaves by Ferocity"],
)
def test_the_topmost_counter_is_offered_with_what_it_costs(
    active: list[Any], inactive: list[Any], name: str, ap: int, back: str | None
) -> None:
    offer = offered(
        instructions.ACTION,
        tracks={"enemy_ap": 4},
        raided_box={"instruction": None},
        families={"A": {"at": "shiprock-2", "ferocity": 1}, "B": {"at": "shiprock-3", "ferocity": 2}},
        instructions={"active": active, "inactive": inactive},
    )
    assert [one.do for one in offer] == [instructions.DoInstruction(name, ap, back)]  # type: ignore[arg-type]
    assert offer[0].params["ap"] == ap


def test_what_cannot_be_paid_is_not_offered() -> None:
    display = {"active": column({"name": "raid", "cost": 3}), "inactive": NOTHING}
    assert offered(instructions.ACTION, tracks={"enemy_ap": 2}, instructions=display) == []


def test_without_the_display_its_active_column_is_asked_for_space_by_space() -> None:
    (offer,) = offered(instructions.ACTION)
    assert [fact.pointer for fact in offer.missing] == ["/instructions/active/0"]
