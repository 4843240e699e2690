"""The plays in the database of this computer, for whoever sits at it: he needs no key for what is his."""

from __future__ import annotations

from typing import Any

import sqlalchemy as sa

from service import play_kept, play_records, play_standing, play_starts, plays
from service import store as tables
from service.games import GAMES
from service.play_kept import Bounds
from service.play_problems import Problem
from service.report import as_text
from service.store import Store

OWNER = "this computer"


def listed(store: Store) -> list[dict[str, Any]]:
    """All plays, the one that was last changed first."""
    table = tables.plays
    asked = sa.select(table.c.id, table.c.game, table.c.name, table.c.moves, table.c.changed)
    with store.reading() as connection:
        rows = connection.execute(asked.order_by(table.c.changed.desc())).all()
    return [{**row._mapping, "changed": play_standing.moment(row.changed)} for row in rows]


def shown(store: Store, play: str, lang: str) -> tuple[dict[str, Any], str]:
    """How a play stands, and its report."""
    found = play_kept.find(store, play)
    return play_standing.state(found, lang), as_text(play_records.told(store, found, lang))


def exported(store: Store, play: str) -> dict[str, Any]:
    """A play to be taken along."""
    return play_records.exported(store, play_kept.find(store, play))


def imported(store: Store, game_name: str, transcript: Any, name: str) -> str:
    """The id of a play that is kept from now on."""
    if game_name not in GAMES:
        raise Problem("unknown-game")
    told = {"transcript": transcript, "name": name}
    return play_starts.begin(store, GAMES[game_name], told, address=OWNER, bounds=_bounds()).id


def deleted(store: Store, play: str) -> None:
    """Forget a play."""
    plays.delete(store, play_kept.find(store, play))


def _bounds() -> Bounds:
    """On one's own computer nobody counts the plays."""
    return Bounds(plays=10**9, moves=10**9, size=10**12)
