"""How the report of a Julian session is parted: a heading for each game turn and Operations Phase."""

from __future__ import annotations

from collections.abc import Iterator

from engine.julian.position import Position, stock
from engine.julian.sequence import NEW_TURN, OPERATIONS_BEGIN, TURN_NOW
from engine.messages import Message, Ref, Term, message

STOCK: dict[str, Ref] = {"treasury": Term("jul.tp")}
CHAPTERS: dict[str, Message] = {
    TURN_NOW.name: message("chapter.game-turn", "Game turn %(turn)s"),
    NEW_TURN.name: message("chapter.new-game-turn", "A new game turn"),
    OPERATIONS_BEGIN.name: message(
        "chapter.operations-phase", "Operations Phase: command %(command)s (%(player)s)"
    ),
}


def standing(position: Position) -> Iterator[tuple[Ref, int]]:
    """The Roman's Treasury, if it is told."""
    for name, have in stock(position).items():
        yield STOCK[name], have
