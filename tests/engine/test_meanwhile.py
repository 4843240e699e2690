"""10.2: wherever a roll or a draw is waited for, Trade Goods are offered beside it; told too few, they are not."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from engine import codec
from engine.chance import Dice, Die, Draw
from engine.game import Continue, check, prepare
from engine.testing import merge, plain
from tests.shown import Shown, all_shown, components, game, played

NAVAJO = [one for one in all_shown() if one.game == "navajo-wars"]
ENOUGH = 3


def chances(one: Shown) -> Iterator[tuple[Any, type]]:
    """The positions of an example that wait for a roll or a draw, and which."""
    for outcome in played(one):
        answer = outcome.answer
        if answer is None or answer.pending is None or answer.refused:
            continue
        kind = type(answer.pending.question.answers)
        if kind in (Die, Dice, Draw):
            yield codec.write(answer.position), kind


def offered(one: Shown, position: Any, trade_goods: int) -> set[str]:
    """The uses offered beside the question of a position with so many Trade Goods."""
    file = one.example.components_file
    printed = plain(merge(components(file) if file else {}, one.example.components))
    told = merge(position, {"resources": {"trade_goods": trade_goods}})
    found = check(game(one.game), prepare(game(one.game), told, one.example.choices, printed), Continue())
    assert found.pending is not None
    return {offer.value["use"] for offer in found.pending.meanwhile}


@pytest.mark.parametrize("one", [one for one in NAVAJO if any(chances(one))], ids=str)
def test_every_roll_and_every_draw_offers_it(one: Shown) -> None:
    for position, kind in chances(one):
        use = "redraw" if kind is Draw else "reroll"
        assert use in offered(one, position, ENOUGH)
        assert use not in offered(one, position, ENOUGH - 1)
