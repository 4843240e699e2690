"""What the properties of Navajo Wars count, to see that no piece is lost and none is made."""

from __future__ import annotations

from typing import Any

from msgspec import UNSET

from engine.navajo_wars.cubes import COLOURS
from engine.navajo_wars.position import AreaState

CUBE_BOXES = ("raid_pool", "raided_cubes", "recovery", "subjugation")
PEOPLE = ("man", "woman", "child", "elder")
CARD_ROWS = ("in_play", "hand", "removed", "discarded")


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
    return {
        colour: sum(getattr(box, colour) or 0 for box in boxes) + aside.count(colour) for colour in COLOURS
    }


def people(position: Any) -> int:
    """All population counters in play."""
    return sum(in_play(position, kind) for kind in PEOPLE)


def cards(position: Any) -> list[int]:
    """Every card that lies somewhere, once for each place; the one being resolved may lie where it goes already."""
    return [number for row in CARD_ROWS for number in getattr(position.cards, row)]


def instruction_counters(position: Any) -> list[str]:
    """Every Instruction counter by its two faces, one in the Raided Cubes Box included."""
    display, box = position.instructions, position.raided_box
    held = [*display.active, *display.standby, *display.inactive]
    held += [box.counter] if box.instruction and box.counter is not UNSET else []
    return sorted("/".join(sorted((one.name, one.back.name))) for one in held if one is not None)


def there(state: Any, kind: str) -> Any:
    """How many counters of a kind are in an Area, or whether one is; one that is left out is not there."""
    value = getattr(state, kind)
    return AreaState.left_out[kind] if value is UNSET else value
