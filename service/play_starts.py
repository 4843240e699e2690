"""Starting a play: from a scenario, a position, a transcript, or nothing."""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from hashlib import sha256
from typing import Any

import msgspec
import orjson
import sqlalchemy as sa
from msgspec import Raw, Struct
from sqlalchemy.engine import Connection

from engine.exceptions import Unreadable
from engine.game import Game, prepare
from engine.telling import Table
from engine.transcript import Transcript
from service import components, play_keys, play_records, problems
from service.games import GAMES
from service.play_fields import Fields, on_table, text, whole_number
from service.play_kept import DAY, Bounds, Kept, Reading, Waits, kept_reading, kept_waits, move_row
from service.play_keys import Entered
from service.play_problems import Problem
from service.play_repeats import Repeatable
from service.play_set_up import told_as_set_up
from service.play_standing import scenario_named
from service.plays import forget
from service.requests import ReplayReader, never
from service.store import Store, moves, one_at_a_time, packed, plays, readings

FIELDS = ("name", "scenario", "position", "transcript", "choices", "components", "expires_in")
STARTS = ("scenario", "position", "transcript")
LONGEST_NAME = 200
MOST_DAYS = 3_650


class Start(Struct, frozen=True):
    """What a play begins with."""

    game: Game
    position: Any
    reading: Reading
    name: str = ""
    scenario: str | None = None
    imported: tuple[Kept, ...] = ()
    verified: int = 0
    days: int | None = None  # until it expires
    spent: Callable[[], bool] = never  # has the request taken as long as it may?


def begin(
    store: Store,
    game: Game,
    told: Mapping[str, Any],
    printed: Any = None,
    address: str = "",
    bounds: Bounds | None = None,
) -> Entered:
    """A new play from what is told as plain values; `printed` is what a components file tells of the game."""
    start = read_start(game, Fields(told, *FIELDS), printed or game.components())
    return create(store, start, owner(store, address), bounds or Bounds())


# -- what it begins with -----------------------------------------------------------------------------


def read_start(game: Game, fields: Fields, printed: Any, spent: Callable[[], bool] = never) -> Start:
    """What a play begins with, or a problem with everything that is wrong with it."""
    name = fields.get("name", text(LONGEST_NAME), "")
    days = fields.get("expires_in", whole_number(1, MOST_DAYS))
    given = [one for one in STARTS if one in fields]
    if len(given) > 1:
        fields.refuse(Unreadable("one-start", f"/{given[1]}"))
    scenario = fields.get("scenario", lambda sent: _scenario(game, sent))
    table = fields.together(("position", "choices", "components"), lambda told: _table(game, told, printed))
    came = None
    if table is not None:
        came = fields.get("transcript", lambda sent: _imported(game, sent, table, spent))
    fields.done()
    if came is not None:
        scenario_id = getattr(came.position, "scenario", None)
        named = scenario_id if isinstance(scenario_id, str) else None
        return Start(game, came.position, came.reading, name, named, came.kept, came.verified, days, spent)
    reading = Reading(table.choices, table.components)
    if scenario is not None:
        return Start(game, scenario.position, reading, name, scenario.id, days=days)
    return Start(game, table.position, reading, name, days=days)


def _scenario(game: Game, sent: Any) -> Any:
    named = str(sent) if isinstance(sent, float) else sent  # a number as it is printed: 14.1
    found = next((one for one in game.scenarios if one.id == named), None)
    if found is None:
        raise Unreadable("no-such-scenario", "", given=str(sent))
    return found


def _table(game: Game, told: dict[str, Any], printed: Any) -> Table:
    """A position, or an empty one, and how the rules are read."""
    asked = on_table(game, told)
    at = prepare(game, asked.position, asked.choices, components.over(printed, asked.components))
    return Table(at.position, at.rules.chosen, at.rules.components)


def _imported(game: Game, sent: Any, table: Table, spent: Callable[[], bool]) -> play_records.Imported:
    """A transcript; what it does not say of the readings and the copy is as it is told beside it."""
    written = bytes(sent) if isinstance(sent, Raw) else orjson.dumps(sent)
    if not written.lstrip().startswith(b"{"):
        raise Unreadable("wrong-type", "", allowed="object")
    asked = _transcripts(game.name).within(spent).read(written)
    read = Transcript(
        asked.position,
        asked.moves,
        {**table.choices, **asked.choices},
        components.over(table.components, asked.components),
    )
    return play_records.imported(game, read, spent)


@cache
def _transcripts(game: str) -> ReplayReader:
    return ReplayReader(GAMES[game])


# -- keeping it --------------------------------------------------------------------------------------


def owner(store: Store, address: str) -> str:
    """An address as it is kept: not to be guessed from a copy of the database."""
    return sha256(f"{store.salt()}{address}".encode()).hexdigest()


def create(
    store: Store, start: Start, whose: str, bounds: Bounds, repeat: Repeatable | None = None
) -> Entered:
    """A new play, with the one key that is told only now."""
    play, now = secrets.token_urlsafe(16), time.time()
    if len(start.imported) > bounds.moves:
        raise Problem("play-too-long", limit=bounds.moves)
    rows, read = list(_rows(play, start, now)), list(_reading_rows(play, start, bounds))
    size = sum(len(row["written"]) + len(row["position"] or b"") for row in rows)
    size += sum(len(row["told"]) for row in read)
    if size > bounds.size:
        raise Problem("play-too-large", limit=bounds.size)
    made = {
        "id": play,
        "game": start.game.name,
        "name": start.name,
        "scenario": start.scenario,
        "version": 1,
        "moves": len(start.imported),
        "last": len(start.imported),
        "verified": start.verified,
        "size": size,
        "asked": kept_waits(_waits(start)),
        "owner": whose,
        "created": now,
        "changed": now,
        "expires": None if start.days is None else now + start.days * DAY,
    }
    with store.writing() as connection:
        one_at_a_time(connection, whose)
        _forget_expired(connection, now)
        count = connection.scalar(sa.select(sa.func.count()).where(plays.c.owner == whose))
        if (count or 0) >= bounds.plays:
            raise Problem("too-many-plays", limit=bounds.plays)
        connection.execute(sa.insert(plays).values(made))
        connection.execute(sa.insert(moves), rows)
        connection.execute(sa.insert(readings), read)
        entered = play_keys.enter(connection, play)
        if repeat is not None:
            repeat.note(connection, play, entered.noted())
    return entered


def _rows(play: str, start: Start, now: float) -> Iterator[dict[str, Any]]:
    """The start as move 0, and the moves that were imported."""
    position = prepare(start.game, start.position, {}, start.game.components()).position
    first = packed(msgspec.json.encode(position))
    yield {"play": play, "number": 0, "written": b"", "position": first, "reading": 0, "made": now}
    since = 0
    for number, kept in enumerate(start.imported, start=1):
        _must_go_on(start, number)
        since = since if kept.reading is None else number
        yield move_row(play, number, kept, since, now)


def _must_go_on(start: Start, number: int) -> None:
    """A problem where bringing in the moves before this one has taken as long as a request may."""
    if start.spent():
        raise problems.unreadable(
            Unreadable("import-too-long", "/transcript/moves", limit=max(0, number - 1))
        )


def _reading_rows(play: str, start: Start, bounds: Bounds) -> Iterator[dict[str, Any]]:
    """Every way in which the rules were read; each is a whole copy, and too many of them are refused before the end."""
    read = [(0, start.reading)]
    read += [(number, one.reading) for number, one in enumerate(start.imported, 1) if one.reading is not None]
    size = 0
    for number, reading in read:
        _must_go_on(start, number)
        told = kept_reading(reading)
        size += len(told)
        if size > bounds.size:
            raise Problem("play-too-large", limit=bounds.size)
        yield {"play": play, "number": number, "told": told}


def _waits(start: Start) -> Waits:
    """What a scenario leaves open and an imported game has told already, as the set-up has it."""
    scenario = scenario_named(start.game, start.scenario)
    told: dict[str, int] = {}
    for number, kept in enumerate(start.imported, start=1):
        for pointer in told_as_set_up(start.game, scenario, kept.move.told):
            told.setdefault(pointer, number)
    return Waits(set_up=told)


def _forget_expired(connection: Connection, now: float) -> None:
    """Delete some of the plays whose time is over: never so many that somebody has to wait for it."""
    over = sa.select(plays.c.id).where(plays.c.expires < now).limit(20).with_for_update(skip_locked=True)
    for play in list(connection.scalars(over)):
        forget(connection, play)
