"""A play as it is kept: read from its rows as values, and written as the next version of itself."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import lru_cache
from typing import Any

import msgspec
import sqlalchemy as sa
from msgspec import Struct, structs
from sqlalchemy.engine import Connection

from engine import codec, transcript
from engine.at import At
from engine.catalogue import read_choices
from engine.exceptions import Unreadable
from engine.flow import read_agenda
from engine.game import Game, prepare
from engine.transcript import Move
from service import play_keys
from service.games import GAMES
from service.play_problems import Damaged, OtherVersion, Problem
from service.store import Prepared, Store, keys, moves, packed, plays, readings, unpacked

DAY = 24 * 60 * 60
ID = re.compile(r"[A-Za-z0-9_-]{22}")  # what secrets.token_urlsafe(16) makes


class Bounds(Struct, frozen=True):
    """How much is kept."""

    plays: int = 500  # of one address
    moves: int = 5_000  # of one play
    size: int = 32 * 1024 * 1024  # bytes of one play


class Reading(Struct, frozen=True):
    """How the rules are read: which side of each dispute, and from which copy."""

    choices: Mapping[str, str]
    components: Any


class Asked(Struct, frozen=True):
    """An action that waits for facts that were not told."""

    action: dict[str, Any]
    inputs: list[Any] = []
    assume: bool = True  # take for granted that now is the time for it


class Waits(Struct, frozen=True):
    """What a play waits for: an action that needs facts, and what was said of the questions for facts."""

    asked: Asked | None = None
    later: tuple[str, ...] = ()  # places of facts that will be told later, the last one last
    set_up: dict[str, int] = {}  # a scenario's choices told to be as the set-up has them, and by which move
    waited: dict[int, Asked] = {}  # what waited behind a move when the next one was made


class Play(Struct, frozen=True):
    """A play as it stands."""

    id: str
    game: Game
    name: str
    scenario: str | None
    version: int
    moves: int
    last: int
    verified: int
    size: int
    waits: Waits
    created: float
    changed: float
    expires: float | None
    written: bytes  # the position as JSON
    reading_since: int  # the move that last changed how the rules are read
    reading: Reading

    @property
    def asked(self) -> Asked | None:
        """The action that waits for facts."""
        return self.waits.asked

    @property
    def position(self) -> Any:
        """The position as a value of the engine."""
        return position_of(self.game, self.written)

    def at(self, *, assume: bool = True) -> At[Any]:
        """Where the next move begins."""
        reading = self.reading
        return prepare(self.game, self.position, reading.choices, reading.components, assume=assume)


class Kept(Struct, frozen=True):
    """A move as it is kept: what was done, the position after it if that is known, and a new reading if it has one."""

    move: Move
    position: bytes | None
    reading: Reading | None = None


# -- reading it ------------------------------------------------------------------------------------

EXISTS = sa.select(plays.c.expires).where(plays.c.id == sa.bindparam("play"))
_PARTS = plays.join(moves, sa.and_(moves.c.play == plays.c.id, moves.c.number == plays.c.moves)).join(
    readings, sa.and_(readings.c.play == plays.c.id, readings.c.number == moves.c.reading)
)
_STANDS = (*plays.c, moves.c.position, moves.c.reading, readings.c.told)
_NAMES = [column.name for column in _STANDS]
_THIS = plays.c.id == sa.bindparam("play")
READ = Prepared(sa.select(*_STANDS).select_from(_PARTS).where(_THIS), *_NAMES)
OPEN = Prepared(  # once for each of its keys
    sa.select(*_STANDS, keys.c.hash).select_from(_PARTS.join(keys, keys.c.play == plays.c.id)).where(_THIS),
    *(*_NAMES, "hash"),
)


def find(store: Store, play: str) -> Play:
    """A play as it stands."""
    with store.reading() as connection:
        return read(connection, play)


def open_for(connection: Connection, play: str, key: str | None) -> Play:
    """A play as it stands, for somebody whose key may change it."""
    rows = OPEN.rows(connection, {"play": play}) if ID.fullmatch(play) else []
    found = _found(connection, play, rows[0] if rows else None)
    play_keys.demand([row.hash for row in rows], key)
    return found


def must_exist(connection: Connection, play: str) -> None:
    """A problem unless there is such a play."""
    found = connection.execute(EXISTS, {"play": play}).first() if ID.fullmatch(play) else None
    if found is None or _expired(found.expires):
        raise Problem("unknown-play")


def read(connection: Connection, play: str) -> Play:
    """A play as it stands."""
    rows = READ.rows(connection, {"play": play}) if ID.fullmatch(play) else []
    return _found(connection, play, rows[0] if rows else None)


def _found(connection: Connection, play: str, row: Any) -> Play:
    if row is None:
        must_exist(connection, play)
        raise Damaged  # there is the play, but not where it stands
    if _expired(row.expires):
        raise Problem("unknown-play")
    return _play(row)


def _expired(expires: float | None) -> bool:
    return expires is not None and expires < time.time()


def _play(row: Any) -> Play:
    if row.position is None or row.game not in GAMES:
        raise Damaged
    game = GAMES[row.game]
    return Play(
        row.id,
        game,
        row.name,
        row.scenario,
        row.version,
        row.moves,
        row.last,
        row.verified,
        row.size,
        Waits() if row.asked is None else _kept(unpacked(row.asked), Waits),
        row.created,
        row.changed,
        row.expires,
        unpacked(row.position),
        row.reading,
        reading_of(game.name, row.told),
    )


def _kept(text: bytes, kind: Any) -> Any:
    """What was kept, read again; where it cannot be, it is damaged."""
    try:
        return msgspec.json.decode(text, type=kind)
    except (msgspec.MsgspecError, UnicodeDecodeError, Unreadable):
        raise Damaged from None


def position_of(game: Game, written: bytes) -> Any:
    """A position that was kept; what is under way in it must be a step of the game."""
    position = _kept(written, game.position)
    if position.agenda:
        with damaged():
            read_agenda(position.agenda, game.procedures)
    return position


@contextmanager
def damaged() -> Iterator[None]:
    """What cannot be read here was kept, not sent."""
    try:
        yield
    except Unreadable:
        raise Damaged from None


class _KeptReading(Struct):
    choices: dict[str, str]
    components: dict[str, Any]


@lru_cache(maxsize=64)  # a whole copy takes longer to read than a move to check
def reading_of(game: str, kept: bytes) -> Reading:
    """How the rules are read, as it was kept."""
    found, of = _kept(unpacked(kept), _KeptReading), GAMES[game]
    with damaged():
        read_choices(of.catalogue, found.choices)
        return Reading(found.choices, codec.read(found.components, of.components, ""))


# -- writing it ------------------------------------------------------------------------------------

STEPPED = ("name", "moves", "last", "verified", "size", "version", "changed")
STEP = Prepared(
    sa.update(plays)
    .where(_THIS, plays.c.version == sa.bindparam("before"))
    .values({name: sa.bindparam(f"new_{name}") for name in (*STEPPED, "asked")})
)
ADD_MOVE = Prepared(sa.insert(moves))
ADD_READING = sa.insert(readings)


def kept_reading(reading: Reading) -> bytes:
    """How the rules are read, as it is kept."""
    components = transcript.told_components(reading.components)
    return packed(msgspec.json.encode({"choices": dict(reading.choices), "components": components}))


def kept_waits(waits: Waits) -> bytes | None:
    """What a play waits for, as it is kept."""
    return None if waits == Waits() else packed(msgspec.json.encode(waits))


def move_row(play: str, number: int, kept: Kept, since: int, now: float) -> dict[str, Any]:
    """A move as a row of its table."""
    return {
        "play": play,
        "number": number,
        "written": packed(msgspec.json.encode(transcript.write_move(kept.move))),
        "position": None if kept.position is None else packed(kept.position),
        "reading": since,
        "made": now,
    }


def step(connection: Connection, play: Play, now: float, **values: Any) -> None:
    """The next version of a play, if it is still the one that was looked at."""
    after = structs.replace(play, version=play.version + 1, changed=now, **values)
    new = {f"new_{name}": getattr(after, name) for name in STEPPED}
    new["new_asked"] = kept_waits(after.waits)
    if STEP.count(connection, {"play": play.id, "before": play.version, **new}) == 1:
        return
    raise OtherVersion(newest(connection, play.id))


def newest(connection: Connection, play: str) -> int:
    """The version of a play by now."""
    found = connection.scalar(sa.select(plays.c.version).where(plays.c.id == play))
    if found is None:
        raise Problem("unknown-play")
    return int(found)
