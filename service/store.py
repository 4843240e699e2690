"""Where plays are kept: SQLite in a folder of the server, or PostgreSQL by its URL.

A process makes its own connections, after it was forked. The tables are made and changed by the steps in
migrations/, the first time a database is used. Whatever goes wrong with a database is a problem with a code.
"""

from __future__ import annotations

import os
import secrets
import sqlite3
import threading
import zlib
from collections import namedtuple
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import psycopg
import sqlalchemy as sa
from platformdirs import user_data_path
from sqlalchemy import event
from sqlalchemy.engine import URL, Connection, Engine, make_url
from sqlalchemy.exc import DBAPIError, IntegrityError, SQLAlchemyError
from sqlalchemy.exc import TimeoutError as PoolTimeout

from service.play_problems import Damaged, Problem

NEWEST = "0002"  # the last step in migrations/versions
SHORT = 200  # bytes; compressing them saves next to nothing
WAIT = 5  # seconds for another writer
LOCK = 0x52554C45474C4F54  # any number, as long as it is ours: one process changes the tables of PostgreSQL

meta = sa.MetaData()
plays = sa.Table(
    "plays",
    meta,
    sa.Column("id", sa.String(22), primary_key=True),
    sa.Column("game", sa.String(40)),
    sa.Column("name", sa.Text),
    sa.Column("scenario", sa.String(40)),
    sa.Column("version", sa.BigInteger),
    sa.Column("moves", sa.Integer),  # up to here the game has got; those behind were undone
    sa.Column("last", sa.Integer),
    sa.Column("verified", sa.Integer),
    sa.Column("size", sa.BigInteger),
    sa.Column("asked", sa.LargeBinary),
    sa.Column("owner", sa.String(64)),
    sa.Column("created", sa.Float(53)),
    sa.Column("changed", sa.Float(53)),
    sa.Column("expires", sa.Float(53)),
)
moves = sa.Table(  # number 0 is the start
    "moves",
    meta,
    sa.Column("play", sa.String(22), primary_key=True),
    sa.Column("number", sa.Integer, primary_key=True),
    sa.Column("written", sa.LargeBinary),
    sa.Column("position", sa.LargeBinary),  # after it; not known of an imported move before it is verified
    sa.Column("reading", sa.Integer),  # the last move that read the rules otherwise
    sa.Column("made", sa.Float(53)),
)
readings = sa.Table(
    "readings",
    meta,
    sa.Column("play", sa.String(22), primary_key=True),
    sa.Column("number", sa.Integer, primary_key=True),
    sa.Column("told", sa.LargeBinary),
)
keys = sa.Table(
    "keys",
    meta,
    sa.Column("play", sa.String(22), primary_key=True),
    sa.Column("number", sa.Integer, primary_key=True),
    sa.Column("hash", sa.String(64)),
    sa.Column("made", sa.Float(53)),
)
codes = sa.Table(
    "codes",
    meta,
    sa.Column("hash", sa.String(64), primary_key=True),
    sa.Column("play", sa.String(22)),
    sa.Column("expires", sa.Float(53)),
)
repeats = sa.Table(
    "repeats",
    meta,
    sa.Column("scope", sa.String(80), primary_key=True),
    sa.Column("key", sa.String(64), primary_key=True),
    sa.Column("body", sa.String(64)),
    sa.Column("play", sa.String(22)),
    sa.Column("answer", sa.LargeBinary),
    sa.Column("made", sa.Float(53)),
)
tries = sa.Table(  # with join codes, by whom and when, as a hash
    "tries",
    meta,
    sa.Column("key", sa.String(64), primary_key=True),
    sa.Column("count", sa.Integer),
    sa.Column("expires", sa.Float(53)),
)
salts = sa.Table(
    "salts", meta, sa.Column("name", sa.String(40), primary_key=True), sa.Column("value", sa.String(64))
)
OF_A_PLAY = (moves, readings, keys, codes, repeats)


def packed(text: bytes) -> bytes:
    """A text as it is kept: with a checksum, and compressed where that is worth it."""
    return zlib.compress(text, 1) if len(text) > SHORT else _as_it_is(text)


def _as_it_is(text: bytes) -> bytes:
    """A short text as a zlib stream of one stored block (RFC 1950 and 1951), which takes a thirtieth of the time."""
    length = len(text)
    return (
        b"\x78\x01\x01"
        + length.to_bytes(2, "little")
        + (length ^ 0xFFFF).to_bytes(2, "little")
        + text
        + zlib.adler32(text).to_bytes(4, "big")
    )


def unpacked(kept: bytes) -> bytes:
    """A text that was kept, or a problem where what was kept is damaged."""
    try:
        return zlib.decompress(kept)
    except zlib.error:
        raise Damaged from None


def default_url() -> str:
    """DATABASE_URL, or a file in the data folder: RULEGLOT_DATA, or the user's own."""
    told = os.environ.get("DATABASE_URL")
    if told:
        return told
    folder = os.environ.get("RULEGLOT_DATA")
    return f"sqlite:///{(Path(folder) if folder else user_data_path('ruleglot')) / 'plays.sqlite3'}"


class Engines(NamedTuple):
    """One pool of connections, to read and to write with."""

    reads: Engine
    writes: Engine


class Store:
    """A database of plays; each process has connections of its own."""

    def __init__(self, url: str | None = None) -> None:
        self.url = _with_driver(url or default_url())
        self._lock = threading.Lock()
        self._line = threading.Lock()
        self._engines: Engines | None = None
        self._process = 0
        self._file: tuple[int, int] | None = None
        self._salt = ""

    @contextmanager
    def reading(self) -> Iterator[Connection]:
        """A connection to read with."""
        with _worded_failures(), self._ready().reads.connect() as connection:
            yield connection

    @contextmanager
    def writing(self) -> Iterator[Connection]:
        """A transaction: all that is written in it, or nothing, and on the disk when it ends."""
        with _worded_failures(), self._turn(), self._ready().writes.begin() as connection:
            yield connection

    @contextmanager
    def _turn(self) -> Iterator[None]:
        """SQLite has one writer at a time, and lets those who wait sleep: inside a process they stand in line."""
        if not self.url.drivername.startswith("sqlite"):
            yield
        elif not self._line.acquire(timeout=WAIT):
            raise Problem("store-busy")
        else:
            try:
                yield
            finally:
                self._line.release()

    def salt(self) -> str:
        """What addresses are hashed with, so that a copy of the database does not tell them."""
        if not self._salt:
            with self.writing() as connection:
                self._salt = _salt(connection)
        return self._salt

    def upgrade(self) -> None:
        """Make or change the tables where this program needs others."""
        with _worded_failures():
            self._ready()

    def exists(self) -> bool:
        """Whether there is anything yet: a server, or a file."""
        return not self.url.drivername.startswith("sqlite") or Path(self.url.database or "").exists()

    def close(self) -> None:
        """Let go of all connections."""
        if self._engines is not None and self._process == os.getpid():
            self._engines.reads.dispose()
        self._engines = None

    def _ready(self) -> Engines:
        """The engines of this process, with the tables that this program needs."""
        engines = self._engines
        if engines is not None and self._process == os.getpid() and self._file_is_there():
            return engines
        with self._lock:
            if self._engines is None or self._process != os.getpid():
                made = _engines(self.url)
                _bring_up_to_date(made)
                self._engines, self._process, self._file = made, os.getpid(), self._identity()
            return self._engines

    def _file_is_there(self) -> bool:
        """SQLite goes on writing into a file that was deleted, and all of it would be lost."""
        if self._file is None:
            return True
        found = self._identity()
        if found is None:
            raise Problem("store-gone")
        if found != self._file:  # another file was put in its place
            self.close()
            return False
        return True

    def _identity(self) -> tuple[int, int] | None:
        if not self.url.drivername.startswith("sqlite"):
            return None
        try:
            found = os.stat(self.url.database or "")  # noqa: PTH116  on the path of every request
        except OSError:
            return None
        return found.st_dev, found.st_ino


def _with_driver(url: str) -> URL:
    """A URL as hosts give it (postgres://, postgresql://), for the driver that is installed."""
    made = make_url(url)
    if made.drivername in ("postgres", "postgresql"):
        return made.set(drivername="postgresql+psycopg")
    return made


def _engines(url: URL) -> Engines:
    if not url.drivername.startswith("sqlite"):
        # A server has a hundred connections, and a worker as many threads as it needs for slow clients.
        engine = sa.create_engine(
            url,
            pool_size=8,
            max_overflow=8,
            pool_timeout=WAIT,
            pool_pre_ping=True,
            connect_args={"connect_timeout": WAIT, **_NOTICES_SILENCE},
        )
        event.listen(engine, "connect", _set_up_postgresql)
        return Engines(engine.execution_options(isolation_level="AUTOCOMMIT"), engine)
    file = Path(url.database or "")
    file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    engine = sa.create_engine(url, pool_size=16, max_overflow=48, pool_timeout=WAIT)
    event.listen(engine, "connect", _set_up_sqlite)
    event.listen(engine, "begin", _begin_in_sqlite)
    return Engines(engine, engine.execution_options(writes=True))


# A server whose network is gone says nothing any more: after about ten seconds that is a failure.
_NOTICES_SILENCE = {
    "keepalives_idle": WAIT,
    "keepalives_interval": 2,
    "keepalives_count": 2,
    "tcp_user_timeout": 2 * WAIT * 1000,
}


def _set_up_postgresql(connection: Any, _record: Any) -> None:
    """Whoever waits for another writer does so for a while, not for ever."""
    with connection.cursor() as cursor:
        cursor.execute(f"SET lock_timeout = {int(WAIT * 1000)}")
    connection.commit()


def _set_up_sqlite(connection: Any, _record: Any) -> None:
    """Readers beside one writer, and what is answered is on the disk."""
    connection.isolation_level = None  # transactions begin as _begin_in_sqlite says
    for pragma in (f"busy_timeout={WAIT * 1000}", "journal_mode=WAL", "synchronous=FULL"):
        connection.execute(f"PRAGMA {pragma}").close()


def _begin_in_sqlite(connection: Connection) -> None:
    """A writer takes its turn at once, before it has read anything; each reading stands by itself."""
    if connection.get_execution_options().get("writes"):
        driver: Any = connection.connection.dbapi_connection
        driver.execute("BEGIN IMMEDIATE").close()  # by SQLAlchemy it takes as long as a row to read


# -- the tables --------------------------------------------------------------------------------------


def _bring_up_to_date(engines: Engines) -> None:
    with engines.reads.connect() as connection:
        if _step(connection) == NEWEST:
            return
    with engines.writes.begin() as connection:
        if connection.dialect.name == "postgresql":
            connection.execute(sa.select(sa.func.pg_advisory_xact_lock(LOCK)))
        if _step(connection) != NEWEST:  # no other process was faster
            _migrate(connection)


def _step(connection: Connection) -> str | None:
    """The step the tables are at; None where there are no tables."""
    if not sa.inspect(connection).has_table("alembic_version"):
        return None
    step: str | None = connection.scalar(sa.text("SELECT version_num FROM alembic_version"))
    return step


def _migrate(connection: Connection) -> None:
    from alembic import command  # noqa: PLC0415  a database is changed once, and this costs a tenth of a second
    from alembic.config import Config  # noqa: PLC0415
    from alembic.script import ScriptDirectory  # noqa: PLC0415

    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent / "migrations"))
    config.attributes["connection"] = connection
    known = {script.revision for script in ScriptDirectory.from_config(config).walk_revisions()}
    if _step(connection) not in {None, *known}:
        raise Problem("store-newer")
    command.upgrade(config, "head")


def one_at_a_time(connection: Connection, what: str) -> None:
    """Nobody else who asks for the same goes on before this transaction ends; SQLite has one writer anyway."""
    if connection.dialect.name == "postgresql":
        connection.execute(sa.select(sa.func.pg_advisory_xact_lock(sa.func.hashtextextended(what, LOCK))))


def _salt(connection: Connection) -> str:
    kept = connection.scalar(sa.select(salts.c.value).where(salts.c.name == "owner"))
    if kept is None:
        try:
            with connection.begin_nested():
                connection.execute(sa.insert(salts).values(name="owner", value=secrets.token_hex(32)))
        except IntegrityError:  # another process was faster
            pass
        kept = connection.scalar(sa.select(salts.c.value).where(salts.c.name == "owner"))
    return str(kept)


# -- on the path of every move ------------------------------------------------------------------------


class Prepared:
    """A statement that every move makes: worded by SQLAlchemy once for each kind of database, run by its driver.

    Run by SQLAlchemy, the three statements of a move take as long as the engine takes to check it.
    """

    def __init__(self, statement: sa.Select[Any] | sa.Insert | sa.Update, *columns: str) -> None:
        self._statement = statement
        self._row = namedtuple("Row", columns) if columns else None
        self._worded: dict[str, tuple[str, list[str] | None]] = {}

    def rows(self, connection: Connection, values: dict[str, Any]) -> list[Any]:
        """What is found."""
        cursor = self._run(connection, values)
        try:
            return [self._row(*row) for row in cursor.fetchall()] if self._row is not None else []
        finally:
            cursor.close()

    def count(self, connection: Connection, values: dict[str, Any]) -> int:
        """How many rows it was carried out on."""
        cursor = self._run(connection, values)
        try:
            return int(cursor.rowcount)
        finally:
            cursor.close()

    def _run(self, connection: Connection, values: dict[str, Any]) -> Any:
        dialect = connection.dialect
        if dialect.name not in self._worded:
            compiled: Any = self._statement.compile(dialect=dialect, column_keys=list(values))
            self._worded[dialect.name] = (str(compiled), compiled.positiontup)
        text, order = self._worded[dialect.name]
        cursor = connection.connection.cursor()
        cursor.execute(text, values if order is None else [values[name] for name in order])
        return cursor


# -- what can go wrong -------------------------------------------------------------------------------

# By SQLite's result codes and by PostgreSQL's SQLSTATE classes; anything else means that it is not there.
_SQLITE = {
    sqlite3.SQLITE_FULL: "store-full",
    sqlite3.SQLITE_BUSY: "store-busy",
    sqlite3.SQLITE_LOCKED: "store-busy",
    sqlite3.SQLITE_CORRUPT: "store-damaged",
    sqlite3.SQLITE_NOTADB: "store-damaged",
    sqlite3.SQLITE_IOERR: "store-refused",
    sqlite3.SQLITE_READONLY: "store-refused",
    sqlite3.SQLITE_CANTOPEN: "store-refused",
    sqlite3.SQLITE_PERM: "store-refused",
}
_POSTGRESQL = {
    "53100": "store-full",
    "58030": "store-refused",  # an error of the disk
    "25006": "store-refused",  # only to be read
    "42501": "store-refused",  # not allowed to
    "53300": "store-busy",
    "55P03": "store-busy",
    "40P01": "store-busy",
    "XX001": "store-damaged",
    "XX002": "store-damaged",
}


@contextmanager
def _worded_failures() -> Iterator[None]:
    """Whatever fails in a database as a problem that says what to do."""
    try:
        yield
    except PoolTimeout as error:
        raise Problem("store-busy") from error
    except DBAPIError as error:
        raise Problem(_code(error.orig)) from error
    except (sqlite3.Error, psycopg.Error) as error:
        raise Problem(_code(error)) from error
    except OSError as error:  # the folder cannot be made
        raise Problem("store-refused") from error
    except SQLAlchemyError as error:
        raise Problem("store-away") from error


def _code(error: BaseException | None) -> str:
    if isinstance(error, sqlite3.Error):
        return _SQLITE.get(getattr(error, "sqlite_errorcode", 0) & 0xFF, "store-away")
    return _POSTGRESQL.get(getattr(error, "sqlstate", None) or "", "store-away")
