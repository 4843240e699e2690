"""What the player reads off his own copy of Julian. All optional; nothing is filled in by us."""

from __future__ import annotations

from msgspec import UNSET, Struct, UnsetType

from engine.julian.position import Count, Marker, Name, Number, Result


class OwnCopy(Struct, frozen=True, forbid_unknown_fields=True):
    """The combat table (column, then die), how many of each marker exist, and the hand limit."""

    combat_table: dict[Name, dict[Name, Result]] = {}
    marker_counts: dict[Marker, Count] = {}
    hand_limit: Number | UnsetType = UNSET

    @property
    def limit(self) -> int | None:
        """The hand limit, where the player has named one."""
        return None if self.hand_limit is UNSET else self.hand_limit


class Components(Struct, frozen=True, forbid_unknown_fields=True):
    """The player's own copy, as far as he has filled it in."""

    julian: OwnCopy = OwnCopy()
