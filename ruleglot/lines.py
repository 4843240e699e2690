"""Lines that fit a terminal: broken between words, and set in below what they begin with."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator

from service.lettering import pieces

LEAST = 30  # columns for the text itself; a terminal that is narrower breaks lines as it likes
_BEGINS = re.compile(r"\s*(?:(?:[→✗✓!?·•≠…►]|\d+\.?)\s+)?")  # what the lines below are set in by


def fitted(text: str, columns: int) -> Iterator[str]:
    """A text in lines of at most so many columns."""
    for line in text.split("\n"):
        begins = _BEGINS.match(line)
        below = " " * columns_of(begins[0] if begins else "")
        if columns - len(below) < LEAST:
            yield line
        else:
            yield from _broken(line, below, columns)


def _broken(line: str, below: str, columns: int) -> Iterator[str]:
    so_far = ""
    for piece in pieces(line):
        if so_far.strip() and columns_of((so_far + piece).rstrip()) > columns:
            yield so_far.rstrip()
            so_far = below + piece.lstrip(" ")
        else:
            so_far += piece
    yield so_far.rstrip()


def columns_of(text: str) -> int:
    """A Japanese character fills two columns."""
    return sum(2 if unicodedata.east_asian_width(sign) in "WF" else 1 for sign in text)
