"""What no effect can bring about: more counters or cubes than there are, a Fort twice, Manuelito before his card."""

from __future__ import annotations

from collections.abc import Iterator

from engine.navajo_wars.audit_counters import counter_mix, cubes, published_mix, told
from engine.navajo_wars.audit_map import forts, manuelito, tribal_raid_counters
from engine.navajo_wars.board import Board
from engine.navajo_wars.position import Position
from engine.verdict import Check, refuted

HOLDS = tuple(
    part
    for part in Position.__struct_fields__
    if part not in ("tracks", "activation", "operation", "agenda", "outcome", "format")
)
USED_UP = ("too-many-counters", "more-counters-than-published", "too-many-cubes")


def made_impossible(before: Board, after: Board) -> tuple[Check, ...]:
    """What cannot be afterwards and was not so bad before; what was told wrongly is not the effect's fault."""
    if nothing_came_or_went(before.position, after.position):
        return ()
    wrong = tuple(_wrong(after))
    already = {_what(check): _how_many(check) for check in _wrong(before)} if wrong else {}
    return tuple(check for check in wrong if _how_many(check) > already.get(_what(check), -1))


def nothing_came_or_went(before: Position, after: Position) -> bool:
    """Is no counter and no cube anywhere else than before? Where markers stand on the tracks does not matter."""
    same = all(getattr(before, part) is getattr(after, part) for part in HOLDS)
    return same and told(before.tracks, "enemy_ap") == told(after.tracks, "enemy_ap")


def used_up(wrong: tuple[Check, ...]) -> bool:
    """Is it only that there are not so many counters or cubes?"""
    return all(check.requirement.name in USED_UP for check in wrong)


def _wrong(at: Board) -> Iterator[Check]:
    apart = at.apart()
    for part in (counter_mix, published_mix, forts, tribal_raid_counters, manuelito, cubes):
        yield from (check for check in part(apart) if refuted(check.holds))


def _what(check: Check) -> tuple[str, ...]:
    """Which finding about which piece; how many there are and where is left out."""
    named = [check.params.get(name, "") for name in ("counter", "cube", "fort", "area", "family")]
    return check.requirement.name, *map(str, named)


def _how_many(check: Check) -> int:
    have = check.params.get("have", 0)
    return have if isinstance(have, int) else 0
