"""Values that this project ships, each with where it comes from."""

from __future__ import annotations

from typing import Any, Literal

from msgspec import Struct


class Sourced(Struct, frozen=True):
    """A shipped value with where it comes from and how certain it is."""

    value: Any
    source: str
    certainty: Literal["high", "medium", "low"]
