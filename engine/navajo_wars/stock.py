"""What a player has to pay with: AP, the MP of the activated Family, and what the Resources Box holds."""

from __future__ import annotations

from engine.navajo_wars.position import Position

GOODS = ("horse", "sheep", "trade_goods", "firearms")


def stock(position: Position) -> dict[str, int]:
    """How much there is of each, as far as it is told; Corn counters by their number."""
    found: dict[str, object] = {"ap": getattr(position.tracks, "ap", None)}
    found["mp"] = getattr(position.activation, "mp", None)
    found |= {kind: getattr(position.resources, kind, None) for kind in GOODS}
    corn = getattr(position.resources, "corn", None)
    found["corn"] = len(corn) if isinstance(corn, tuple) else None
    return {name: number for name, number in found.items() if isinstance(number, int)}
