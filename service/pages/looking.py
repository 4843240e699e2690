"""What a play shows beyond its state: what the last move has changed, and which places its question is about."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import sqlalchemy as sa
from msgspec import UNSET, to_builtins

from engine import codec
from service import forms
from service.pages.table import Marks
from service.play_kept import Play, position_of
from service.store import Store, moves, unpacked


def before(store: Store, play: Play) -> Any:
    """The position before the last move; None where there is none."""
    if not play.moves:
        return None
    there = sa.and_(moves.c.play == play.id, moves.c.number == play.moves - 1)
    with store.reading() as connection:
        kept = connection.scalar(sa.select(moves.c.position).where(there))
    return None if kept is None else position_of(play.game, unpacked(kept))


def changed(store: Store, play: Play) -> frozenset[str]:
    """The pointers of what the last move has changed."""
    was = before(store, play)
    if was is None:
        return frozenset()
    return frozenset(pointer for pointer, _, _ in codec.changes(was, play.position))


def marks(store: Store, play: Play, pending: Any) -> Marks:
    """Places to be marked on the table."""
    options = getattr(getattr(pending, "form", UNSET), "options", UNSET)
    asks = isinstance(getattr(pending, "form", None), forms.One | forms.Some)
    answers = {place for one in options for place in named(one.value)} if asks and options else set()
    return Marks(frozenset(answers), frozenset(_here(play.position.agenda)), changed(store, play))


def _here(agenda: Any) -> Iterator[str]:
    """Where the innermost chart that has noted a single place stands."""
    for frame in reversed(agenda):
        noted = to_builtins(frame.memory)
        places = (
            [value for value in noted.values() if isinstance(value, str)] if isinstance(noted, dict) else []
        )
        if places:
            yield from places
            return


def named(value: Any) -> Iterator[str]:
    """Everything that an answer names."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for one in value.values():
            yield from named(one)
    elif isinstance(value, list | tuple):
        for one in value:
            yield from named(one)
