"""The requests that the service tests send, and how they are varied."""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator
from typing import Any

CHECK = "/v1/games/navajo-wars/check"
LANGUAGES = ("en", "fr", "it", "ja")

# The request of api.md: an Ambush with Military Points at 0.
AMBUSH: dict[str, Any] = {
    "position": {
        "period": "mexican",
        "tracks": {"ap": 1, "military": 0, "culture": 6},
        "families": {"C": {"at": "shiprock-4", "ferocity": 2, "man": True, "woman": True, "child": False}},
        "areas": {"shiprock-4": {"raid": 1}},
    },
    "action": {"kind": "ambush", "family": "C"},
}

# An Evade from Area 3 with modifier +1: Ferocity 1 shows Evasion +1.
EVADE: dict[str, Any] = {
    "position": {
        "period": "spanish",
        "families": {"A": {"at": "shiprock-3", "ferocity": 1}},
        "areas": {"shiprock-3": {"raid": 1}},
    },
    "action": {"kind": "evade", "family": "A"},
}

# A request with something in every place where something can be.
FULL: dict[str, Any] = {
    "position": {
        "period": "mexican",
        "tracks": {"ap": 1},
        "families": {"C": {"at": "shiprock-4", "ferocity": 2, "man": True}},
        "areas": {"shiprock-4": {"fort": "defiance", "raid": 1}},
        "territories": {"hopi-land": {"drought": 1}},
        "santa_fe": {"raid": 1},
        "manuelito": "A",
        "elders": [1, 1, 0, 0, 0, 0, 0],
        "resources": {"corn": [2]},
        "raid_pool": {"red": 1},
        "instructions": {
            "active": [None, None, None, None, None, {"name": "raid", "back": {"name": "build"}}]
        },
        "activation": {"family": "C"},
        "operation": {"kind": "planning", "activated": ["A"]},
        "cards": {"current": 3, "developments": [{"set": "x", "level": 1}]},
        "agenda": [{"procedure": "evade", "step": "roll", "memory": {"family": "C"}}],
        "outcome": {"result": "major-victory", "rule": "x"},
    },
    "action": {"kind": "harass", "family": "C", "area": "shiprock-4"},
    "inputs": [
        {"die": 1},
        {"dice": [1]},
        {"cube": "red"},
        {"marker": "x"},
        {"choose": ["x"]},
        {"read": {"changes": [{"pointer": "/tracks/ap", "by": 1}]}},
    ],
    "choices": {"ambush-ap-cost": "one-ap"},
    "components": {
        "connections": [["shiprock-1", "shiprock-2"]],
        "area_values": {"shiprock-1": 1},
        "counter_limits": {"harass": 1},
        "battle_table": {
            "rows": [{"results": {"1": "FV"}}],
            "effects": {"FV": [{"pointer": "/tracks/ap", "to": 1}]},
        },
    },
    "lang": "en",
}

Path = tuple[str | int, ...]


def places(value: Any, path: Path = ()) -> Iterator[tuple[Path, Any]]:
    """Every place of a request, the whole of it first."""
    yield path, value
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from places(inner, (*path, key))
    elif isinstance(value, list):
        for number, inner in enumerate(value):
            yield from places(inner, (*path, number))


def put(request: dict[str, Any], path: Path, value: Any) -> dict[str, Any]:
    """The request with another value at a place, which may be new."""
    changed: Any = copy.deepcopy(request)
    at = changed
    for step in path[:-1]:
        at = at.setdefault(step, {}) if isinstance(at, dict) else at[step]
    at[path[-1]] = value
    return changed  # type: ignore[no-any-return]


def without(request: dict[str, Any], path: Path) -> dict[str, Any]:
    """The request with nothing at a place."""
    changed: Any = copy.deepcopy(request)
    at = changed
    for step in path[:-1]:
        at = at[step]
    del at[path[-1]]
    return changed  # type: ignore[no-any-return]


def written(request: Any, text: str) -> bytes:
    """The request as JSON, with a raw text where it says RAW, as a value or as a key."""
    return json.dumps(request).replace('"RAW"', text).encode("utf-8", "surrogatepass")


def pointer(path: Path) -> str:
    return "".join(f"/{str(step).replace('~', '~0').replace('/', '~1')}" for step in path)
