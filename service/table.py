"""The table of all operations: what the application serves and the document describes."""

from __future__ import annotations

from pathlib import Path

from service import components, general
from service.asking import Asking
from service.games import GAMES
from service.operations import Operation
from service.reference import Reference


def operations(file: Path | None = None) -> list[Operation]:
    """Every operation there is; `file` is the server's components file."""
    found = general.operations()
    for game in GAMES.values():
        found += Asking(game, components.load(file, game)).operations()
        found += Reference(game).operations()
    return found
