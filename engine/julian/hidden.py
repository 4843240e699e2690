"""Markers told by their number alone: hands and the pool lie face down at a real table."""

from __future__ import annotations

from typing import Literal

from msgspec import UNSET, structs

from engine.codec import LARGEST
from engine.julian.position import MARKERS, Marker, Markers

Came = Marker | Literal["hidden"]  # what came out, or only that something did
HIDDEN: Literal["hidden"] = "hidden"


def named(markers: Markers) -> dict[Marker, int]:
    """How many of each marker are known to be there."""
    return {one: getattr(markers, one) for one in MARKERS}


def size(markers: Markers) -> int:
    """How many markers there are, seen or hidden."""
    seen = sum(named(markers).values())
    return seen if markers.count is UNSET else max(seen, markers.count)


def hidden(markers: Markers) -> int:
    """How many of them nobody has named."""
    return size(markers) - sum(named(markers).values())


def with_one_more(markers: Markers, came: Came) -> Markers:
    """One marker more, by its name or face down."""
    count = markers.count if came != HIDDEN else size(markers)
    more = markers if came == HIDDEN else _changed(markers, came, +1)
    return structs.replace(more, count=UNSET if count is UNSET else min(LARGEST, count + 1))


def with_one_less(markers: Markers, came: Came) -> Markers:
    """One marker less; one that is not named may have been any of those that are."""
    if came == HIDDEN:
        return _one_of_them_less(markers)
    count = UNSET if markers.count is UNSET else max(0, size(markers) - 1)
    less = _changed(markers, came, -1) if getattr(markers, came) else markers
    return structs.replace(less, count=count)


def _one_of_them_less(markers: Markers) -> Markers:
    sure = {one: max(0, count - 1) for one, count in named(markers).items()}
    return Markers(**sure, count=max(0, size(markers) - 1))


def _changed(markers: Markers, marker: Marker, by: int) -> Markers:
    return structs.replace(markers, **{marker: min(LARGEST, getattr(markers, marker) + by)})
