"""How the report of a Navajo Wars session is parted: a heading for each card, and the tracks as they stand."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import UNSET

from engine.messages import Message, Ref, message
from engine.navajo_wars.position import Position
from engine.navajo_wars.printed import TRACK_TERM
from engine.navajo_wars.sequence import CARD_DRAWN

CHAPTERS: dict[str, Message] = {CARD_DRAWN.name: message("chapter.card", "Card #%(card)s")}


def standing(position: Position) -> Iterator[tuple[Ref, int]]:
    """The markers on the General Record Track, as far as they are told."""
    if position.tracks is UNSET:
        return
    for name, term in TRACK_TERM.items():
        value = getattr(position.tracks, name)
        if value is not UNSET:
            yield term, value
