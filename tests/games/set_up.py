"""A scenario's set-up, with everything it leaves to the player filled in by a seed."""

from __future__ import annotations

from random import Random
from typing import Any

from engine import codec
from engine.navajo_wars import GAME
from engine.navajo_wars.scenarios import SCENARIOS
from tests.shown import components

COPY = "invented-whole-copy.toml"
GROUPS = ("Weaving", "Horsemanship", "Masters of the Mesas", "Religion", "Sharp Traders")
LEVELS = {
    "14.4": (3, 3, 2),
    "14.5": (3, 3, 3, 3),
    "14.3": (1,),
}  # of the groups that are owned; otherwise one card
POPULATION = ("man", "woman", "child", "elder")


def set_up(scenario: str, random: Random) -> Any:
    """The position a game of this scenario begins with."""
    found = next(one for one in SCENARIOS if one.id == scenario)
    position: Any = codec.write(found.position)
    for choice in found.choices:
        if choice.options:
            put(position, choice.pointer, codec.write(random.choice(choice.options).value))
    put(position, "/instructions", laid_out(found.period, random, at_random=scenario == "14.5"))
    put(position, "/cards/developments", developments(scenario, random))
    if scenario == "14.5":
        drawn = [random.choice(POPULATION) for _ in range(3)]
        put(
            position,
            "/passage_of_time",
            {"horse": 0, "sheep": 0, **{kind: drawn.count(kind) for kind in POPULATION}},
        )
        put(position, "/cards/hand", [])
    return codec.read(position, GAME.position, "/position")


def put(position: Any, pointer: str, value: Any) -> None:
    """Fill in what a pointer names; a table keeps what was filled in before."""
    *way, last = pointer.split("/")[1:]
    for key in way:
        position = position.setdefault(key, {})
    told = position.get(last)
    both = isinstance(told, dict) and isinstance(value, dict)
    position[last] = {**told, **value} if both else value


def laid_out(period: str, random: Random, *, at_random: bool) -> Any:
    """Twelve of the fourteen counters: in the order of their letters, or as they come."""
    counters = random.sample(components(COPY)["instruction_counters"][period], 12)
    if not at_random:
        counters.sort(key=lambda counter: counter["letter"])
    shown = [{**counter["face"], "back": counter["back"]} for counter in counters]
    return {"active": shown[:6], "standby": shown[6:], "inactive": [None] * 6}


def developments(scenario: str, random: Random) -> list[Any]:
    """The Cultural Development cards the set-up gives, every level with those below it."""
    owned = LEVELS.get(scenario, (1,))
    groups = random.sample(GROUPS, len(owned))
    return [
        {"set": group, "level": level}
        for group, highest in zip(groups, owned, strict=True)
        for level in range(1, highest + 1)
    ]
