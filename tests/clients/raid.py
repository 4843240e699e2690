"""What every client does: an Enemy Raid, led through box by box, against a real server."""

from __future__ import annotations

import re
from pathlib import Path

from ruleglot import Engine

PAGE = Path(__file__).parents[2] / "docs" / "for-programs.md"

# Invented, as in the page for programs.
TABLE = {
    "period": "mexican",
    "tracks": {"ap": 3, "military": 2, "culture": 6, "enemy_morale": 3, "enemy_ferocity": 2, "enemy_ap": 6},
    "families": {"C": {"at": "shiprock-3", "ferocity": 1, "man": True, "woman": True, "child": True}},
    "areas": {},
    "santa_fe": {"raid": 0},
    "manuelito": None,
}
ANSWERS = [
    {"read": "shiprock-3"},
    {"choose": {"kind": "evade", "family": "C"}},
    {"die": 4},
    {"read": "shiprock-4"},
    {"choose": "none"},
]


def headlines() -> list[str]:
    """What the engine itself says at each box of this raid."""
    engine = Engine(lang="en")
    answer = engine.check("navajo-wars", TABLE, {"kind": "enemy-raid", "ap": 1})
    said = [answer["headline"]]
    for given in ANSWERS:
        answer = engine.check("navajo-wars", answer["position"], {"kind": "continue"}, [given])
        said.append(answer["headline"])
    assert answer["ruling"] == "legal"
    assert answer["pending"] is None
    assert answer["position"]["families"]["C"]["at"] == "shiprock-5"
    return said


def on_the_page(language: str) -> str:
    """The raid as the page for programs shows it."""
    found = re.findall(rf"```{language}\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    (code,) = [block for block in found if "Enemy Raid" in block]
    return code


def held_against_the_engine(printed: str, end: str) -> None:
    """A client prints what the engine says, then how it ended."""
    *said, last = printed.strip().splitlines()
    assert said == headlines()
    assert last == end
