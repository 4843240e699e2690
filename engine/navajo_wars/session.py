"""How the report of a Navajo Wars session is parted: a heading for each card, and the tracks as they stand."""

from __future__ import annotations

from collections.abc import Iterator

from engine.messages import Message, Ref, message
from engine.navajo_wars.position import Position
from engine.navajo_wars.printed import TRACK_TERM
from engine.navajo_wars.sequence import CARD_DRAWN

CHAPTERS: dict[str, Message] = {CARD_DRAWN.name: message("chapter.card", "Card #%(card)s")}


def standing(position: Position) -> Iterator[tuple[Ref, int]]:
    """The markers on the General Record Track, as far as they are told."""
    for name, term in TRACK_TERM.items():
        value = getattr(position.tracks, name, None)
        if isinstance(value, int):
            yield term, value
