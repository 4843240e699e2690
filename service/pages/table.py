"""What a table page shows, whatever the game: boxes of cells, each with what is told, and where it is put right."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from msgspec import UNSET, Struct

from engine.pointers import parts
from engine.verdict import Unknown
from service.pages.draw import Counter, Mark

UNTOLD = "?"  # what was not told, and never 0


To = Callable[[str], str]  # the address of a thing on the table, by its kind and name


class BoxCell(Struct, frozen=True):
    """A number or a word on the table, under its label."""

    label: str
    value: str
    told: bool = True
    changed: bool = False
    look: str = ""  # a class of the style sheet: the pattern of a cube


class Box(Struct, frozen=True):
    """A box of the table with its cells; it leads to where they are put right."""

    title: str
    href: str
    cells: list[BoxCell]
    layout: str = "numbers"  # or lines, where values are words


class Spot(Struct, frozen=True, kw_only=True):
    """A place of the map as an answer pad shows it: what is known to stand there is written into it."""

    place: str
    label: str
    name: str
    href: str = ""
    is_box: bool = False
    families: str = ""  # their letters
    counters: tuple[Counter, ...] = ()
    things: str = ""  # all of it in words

    @property
    def says(self) -> str:
        """The place and what stands there."""
        return f"{self.name} · {self.things}" if self.things else self.name


Board = list[tuple[str, list[Spot]]]  # the whole map, row by row


class Marks(Struct, frozen=True):
    """What there is to see: places that answer the present question, where the chart is, facts that were just changed."""

    answers: frozenset[str] = frozenset()
    here: frozenset[str] = frozenset()
    changed: frozenset[str] = frozenset()  # pointers

    def of(self, place: str) -> frozenset[Mark]:
        """The marks of a place."""
        found: list[Mark] = ["answer"] if place in self.answers else []
        found += ["here"] if place in self.here else []
        found += ["changed"] if any(place in parts(pointer) for pointer in self.changed) else []
        return frozenset(found)


def known(value: Any) -> Any:
    """What is told; UNSET for what is not."""
    return UNSET if isinstance(value, Unknown) else value


def shown(value: Any) -> str:
    """A number as a cell shows it."""
    return UNTOLD if value is UNSET or isinstance(value, Unknown) else str(value)
