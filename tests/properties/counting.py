"""What the properties of Navajo Wars count, to see that no piece is lost and none is made."""

from __future__ import annotations

from typing import Any

from engine.navajo_wars.cubes import COLOURS

CUBE_BOXES = ("raid_pool", "raided_cubes", "recovery", "subjugation")


def in_play(position: Any, kind: str) -> int:
    """How many counters of a kind of person or animal lie anywhere but in the Out of Play Box."""
    families = sum(bool(getattr(family, kind, False)) for family in position.families.values())
    elders = sum(position.elders) if kind == "elder" else 0
    boxes = getattr(position.passage_of_time, kind) + getattr(position.resources, kind, 0)
    return int(families + elders + boxes)


def cubes(position: Any) -> dict[str, int]:
    """All cubes by colour, those drawn and set aside included."""
    boxes = [getattr(position, box) for box in CUBE_BOXES]
    aside = [colour for frame in position.agenda for colour in getattr(frame.memory, "drawn", ())]
    return {colour: sum(getattr(box, colour) for box in boxes) + aside.count(colour) for colour in COLOURS}
