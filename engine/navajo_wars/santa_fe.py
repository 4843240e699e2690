"""Santa Fé: the Raid counters an Enemy Raid still has, and how many counters are out of play."""

from __future__ import annotations

from msgspec import structs

from engine.messages import Message, message
from engine.navajo_wars.board import MOST_COUNTERS, Board
from engine.navajo_wars.position import SantaFe
from engine.verdict import Unknown, must_know

ASK_SANTA_FE = message("ask-santa-fe", "How many Raid counters are in Santa Fé?")
AP_LIMITED = message(
    "enemy-ap-limited",
    "Enemy AP counters left to be taken: %(count)s; all others are in play already.",
    tells="detail",
)


def raid_counters(at: Board) -> int:
    """The Raid counters in Santa Fé."""
    return must_know(at.told("santa_fe", "raid", ask=ASK_SANTA_FE))  # type: ignore[no-any-return]


def told_in_santa_fe(at: Board) -> int:
    """Outside a Raid nothing is in Santa Fé, as Raid Ends, step 2, spends what is left there; what is told goes before."""
    told: int | Unknown = at.told("santa_fe", "raid", ask=ASK_SANTA_FE)
    return 0 if isinstance(told, Unknown) else told


def in_santa_fe(at: Board, count: int) -> Board:
    """Santa Fé with this many Raid counters."""
    return at.change(santa_fe=structs.replace(at.part("santa_fe", SantaFe), raid=min(MOST_COUNTERS, count)))


def counters_left(at: Board) -> int | None:
    """How many Enemy AP counters, whose backs are the Raid counters, are out of play; None if not told."""
    limit: int | None = at.components.counter_limits.get("enemy_ap")
    if limit is None:
        return None
    on_map = must_know(at.on_map("raid"))
    elsewhere = (number for number in (at.raided_ap, at.track("enemy_ap")) if not isinstance(number, Unknown))
    return max(0, limit - on_map - told_in_santa_fe(at) - sum(elsewhere))


def as_many_as_left(at: Board, wanted: int, rule: str, said: Message = AP_LIMITED) -> tuple[Board, int]:
    """How many of the counters wanted there are to take; what is missing is not taken (1.6.1)."""
    left = counters_left(at)
    if left is None or left >= wanted:
        return at, wanted
    return at.tell(said, rule, "nw:1.6.1.counter-limit", "nw:1.6.1.raid-is-ap-back", count=left), left
