"""N12: an issue is listed with the answers that rest on it, and with no others (5.2.4, C14)."""

from __future__ import annotations

from typing import Any

import pytest

from engine.game import check, prepare
from engine.navajo_wars import GAME
from engine.navajo_wars.evade import Evade

ONTO_RAID_COUNTER = "evade-onto-raid-counter"


@pytest.mark.parametrize(("die", "rests_on_it"), [(1, False), (2, False), (4, True)])
def test_where_a_family_flees_is_read_only_where_it_flees(die: int, rests_on_it: bool) -> None:
    position: dict[str, Any] = {
        "period": "spanish",
        "families": {"A": {"at": "shiprock-3", "ferocity": 1}},
        "areas": {"shiprock-3": {"raid": 1}, "shiprock-5": {"raid": 1}},
    }
    answer = check(GAME, prepare(GAME, position, {}, {}), Evade("A"), [("die", die)])
    assert answer.verdict.ruling == "legal"
    assert (ONTO_RAID_COUNTER in answer.issues) is rests_on_it
