"""What is saved and read again: positions, by the format they are written in."""

from __future__ import annotations

from typing import Literal

import msgspec
from msgspec import Struct

Format = Literal[1]
FORMAT: Format = 1  # what is written from now on; what says nothing was written before there were formats


class Saved(Struct, frozen=True, gc=False):
    """A position: a value that can be compared, and looked up among others."""

    def __hash__(self) -> int:
        return hash(msgspec.msgpack.encode(self, order="sorted"))
