"""What a player has to pay with: AP, the MP of the activated Family, and what the Resources Box holds."""

from __future__ import annotations

from engine.navajo_wars.position import Position

GOODS = ("horse", "sheep", "trade_goods", "firearms")
MEANS = ("ap", "mp", *GOODS, "corn")


def stock(position: Position) -> dict[str, int]:
    """How much there is of each, as far as it is told; Corn counters by their number."""
    box = position.resources
    corn = getattr(box, "corn", None)
    told = (
        getattr(position.tracks, "ap", None),
        getattr(position.activation, "mp", None),
        *[getattr(box, kind, None) for kind in GOODS],
        len(corn) if isinstance(corn, tuple) else None,
    )
    return {name: number for name, number in zip(MEANS, told, strict=True) if isinstance(number, int)}
