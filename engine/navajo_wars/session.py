"""How the report of a Navajo Wars session is parted: a heading for each card, and the tracks as they stand."""

from __future__ import annotations

from collections.abc import Iterator

from engine.actions import Said, say
from engine.messages import Message, Ref, message
from engine.navajo_wars.endings import GAME_OVER, RESULT_TERM
from engine.navajo_wars.position import Outcome, Position
from engine.navajo_wars.printed import TRACK_TERM
from engine.navajo_wars.sequence import CARD_DRAWN

CHAPTERS: dict[str, Message] = {CARD_DRAWN.name: message("chapter.card", "Card #%(card)s")}


def standing(position: Position) -> Iterator[tuple[Ref, int]]:
    """The markers on the General Record Track, as far as they are told."""
    for name, term in TRACK_TERM.items():
        value = getattr(position.tracks, name, None)
        if isinstance(value, int):
            yield term, value


def over(position: Position) -> Said | None:
    """How the game has ended, whether by the rules or because the players said so; None while it goes on."""
    outcome = position.outcome
    return say(GAME_OVER, result=RESULT_TERM[outcome.result]) if isinstance(outcome, Outcome) else None
