"""Section 1.7.4: points gained; what goes beyond the last space of the General Record Track is lost."""

from __future__ import annotations

from engine.messages import message
from engine.navajo_wars.board import LAST_SPACE, Board
from engine.navajo_wars.consequences import change_track
from engine.verdict import Unknown

TRACK_FULL = {
    "ap": message("ap-full", "AP never exceed 19: the excess is lost (%(lost)s).", tells="detail"),
    "culture": message(
        "culture-full", "Culture Points never exceed 19: the excess is lost (%(lost)s).", tells="detail"
    ),
    "military": message(
        "military-full", "Military Points never exceed 19: the excess is lost (%(lost)s).", tells="detail"
    ),
}


def gain(at: Board, name: str, by: int, *rules: str) -> Board:
    """Add points and say so; those beyond 19 are lost."""
    now = at.track(name)
    if isinstance(now, Unknown) or now + by <= LAST_SPACE:
        return change_track(at, name, by, *rules)
    cap, lost = f"nw:1.7.4.{name}-cap", now + by - LAST_SPACE
    if now == LAST_SPACE:
        return at.tell(TRACK_FULL[name], cap, *rules, lost=lost)
    return change_track(at, name, by, *rules).tell(TRACK_FULL[name], cap, lost=lost)
