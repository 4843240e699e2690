"""`make bench`: what a kept move costs beside a check and a durable insert; `make bench-large`: among a million plays.

All figures of a line are measured in turns in one run. Only their ratios mean something on a shared machine.
"""

from __future__ import annotations

import os
import secrets
import sqlite3
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from http.client import HTTPConnection
from itertools import cycle
from pathlib import Path
from statistics import median
from typing import Any

import msgspec
import orjson
import sqlalchemy as sa

from engine import codec
from engine.game import prepare
from engine.navajo_wars import GAME
from engine.transcript import Move
from service.app import create_app
from service.play_kept import Bounds, Kept, Reading, kept_reading
from service.play_keys import Entered, hashed
from service.play_starts import Start, create
from service.store import Store, keys, moves, packed, plays, readings
from tests.bench import body, full_position
from tests.plays.databases import POSTGRESQL, SQLITE, Databases
from tests.service.sent import CHECK
from tests.service.server import Server, serving

ROUNDS = 150
MANY = 1_000_000
AT_ONCE = 10_000
AS_BEFORE = {"tell": {**{f"/{name}": told for name, told in full_position().items()}, "/agenda": []}}
AMBUSH = {"action": {"kind": "ambush", "family": "A"}, "lang": "fr"}


class Table:
    """Plays on a server that are moved in turns, and how long a kept move on one of them takes."""

    def __init__(self, server: Server, *begun: Entered) -> None:
        self.http = HTTPConnection("127.0.0.1", server.port, timeout=30)
        self.plays = cycle([{"id": play.id, "key": play.key, "version": 1} for play in begun])

    def ask(self, path: str, sent: Any, **headers: str) -> dict[str, Any]:
        """One request on a connection that stays open."""
        text = sent if isinstance(sent, bytes) else orjson.dumps(sent)
        self.http.request("POST", path, text, {"Content-Type": "application/json", **headers})
        response = self.http.getresponse()
        answer: dict[str, Any] = orjson.loads(response.read())
        if response.status != 200:
            raise RuntimeError(answer)
        return answer

    def move(self) -> float:
        """Milliseconds of a move that is kept; then the table is set up as before, which is a move too."""
        play = next(self.plays)
        path, key = f"/v1/plays/{play['id']}", {"Authorization": f"Bearer {play['key']}"}
        start = time.perf_counter()
        answer = self.ask(f"{path}/moves", AMBUSH, **key, **{"If-Match": str(play["version"])})
        taken = (time.perf_counter() - start) * 1e3
        if not answer["kept"]:
            raise RuntimeError(answer["headline"])
        again = self.ask(f"{path}/corrections", AS_BEFORE, **key, **{"If-Match": str(answer["version"])})
        play["version"] = again["version"]
        return taken

    def check(self) -> float:
        """Milliseconds of the same question, asked without a play."""
        sent = body()
        start = time.perf_counter()
        self.ask(CHECK, sent)
        return (time.perf_counter() - start) * 1e3


class Inserts:
    """A bare SQLite file with the settings of the store, and one row for each move."""

    def __init__(self, folder: Path, size: int) -> None:
        self.connection = sqlite3.connect(folder / "bare.sqlite3", isolation_level=None)
        for pragma in ("journal_mode=WAL", "synchronous=FULL"):
            self.connection.execute(f"PRAGMA {pragma}")
        self.connection.execute("CREATE TABLE kept (number INTEGER PRIMARY KEY, told BLOB)")
        self.told = secrets.token_bytes(size)

    def one(self) -> float:
        """Milliseconds until a row of the same size is on the disk."""
        start = time.perf_counter()
        self.connection.execute("INSERT INTO kept (told) VALUES (?)", (self.told,))
        return (time.perf_counter() - start) * 1e3


def position() -> Any:
    """The whole table that `make bench` checks, about 5 KB."""
    read = codec.read(full_position(), GAME.position, "")
    return prepare(GAME, read, {}, GAME.components()).position


def played(store: Store, count: int) -> Entered:
    """A play of so many moves, each with its position."""
    at = position()
    told = Kept(Move(told=(("/tracks/ap", 4),), kind="told"), msgspec.json.encode(at))
    start = Start(GAME, at, Reading({}, GAME.components()), imported=(told,) * count, verified=count)
    return create(store, start, "bench", Bounds(plays=MANY * 2, moves=10_000))


def in_turns(*works: Callable[[], float], rounds: int = ROUNDS) -> list[float]:
    """The median of each, measured in turns."""
    for work in works:
        for _ in range(5):
            work()
    taken = [[work() for work in works] for _ in range(rounds)]
    return [median(column) for column in zip(*taken, strict=True)]


def kept_moves() -> None:
    """What a kept move costs, early and late in a game, and beside its parts."""
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made)
        url = f"sqlite:///{folder}/plays.sqlite3"
        store = Store(url)
        early, late = [played(store, 10) for _ in range(ROUNDS)], played(store, 2_000)
        store.close()
        bare = Inserts(folder, len(packed(msgspec.json.encode(position()))) + 60)
        with serving(folder / "log", DATABASE_URL=url) as server:
            at_10, at_2000 = Table(server, *early), Table(server, late)
            short, long, check, insert = in_turns(at_10.move, at_2000.move, at_10.check, bare.one)
    ratio(f"a kept move at 2,000 moves ({long:.2f} ms) to one at 10 ({short:.2f} ms)", long / short, 1.2)
    parts = f"a check over HTTP ({check:.2f} ms) and a durable insert ({insert:.2f} ms)"
    ratio(f"a kept move ({short:.2f} ms) to {parts}", short / (check + insert), 1.5)


def limits() -> None:
    """What the limits cost of a check, without HTTP."""
    clients = [
        create_app({"LIMITS": given}).test_client()
        for given in ("off", {"everything": "100000000 per minute", "dear": "30 per minute"})
    ]

    def asked(client: Any) -> Callable[[], float]:
        sent = body()

        def once() -> float:
            start = time.perf_counter()
            client.post(CHECK, data=sent, content_type="application/json")
            return (time.perf_counter() - start) * 1e3

        return once

    without, within = in_turns(*map(asked, clients), rounds=1_000)
    ratio(
        f"a check within limits ({within:.3f} ms) to one without ({without:.3f} ms)", within / without, 1.15
    )


def ratio(what: str, found: float, most: float) -> None:
    """A line of the table."""
    print(f"{found:5.2f} (at most {most:.2f}{'' if found <= most else ', MISSED'})  {what}")


# -- among a million ---------------------------------------------------------------------------------


def fill(store: Store, count: int) -> None:
    """So many plays of strangers, straight into the tables."""
    at, reading = packed(msgspec.json.encode(position())), kept_reading(Reading({}, GAME.components()))
    now = time.time()
    with store.writing() as connection:
        for _ in range(count // AT_ONCE):
            ids = [secrets.token_urlsafe(16) for _ in range(AT_ONCE)]
            for table, rows in _rows(ids, at, reading, now):
                connection.execute(sa.insert(table), rows)


def _rows(
    ids: list[str], at: bytes, reading: bytes, now: float
) -> Iterator[tuple[sa.Table, list[dict[str, Any]]]]:
    play = {
        "game": GAME.name,
        "name": "",
        "scenario": None,
        "version": 1,
        "moves": 0,
        "last": 0,
        "verified": 0,
    }
    play |= {"size": len(at), "asked": None, "created": now, "changed": now, "expires": None}
    yield plays, [{**play, "id": one, "owner": hashed(one)} for one in ids]
    first = {"number": 0, "written": b"", "position": at, "reading": 0, "made": now}
    yield moves, [{**first, "play": one} for one in ids]
    yield readings, [{"play": one, "number": 0, "told": reading} for one in ids]
    yield keys, [{"play": one, "number": 1, "hash": hashed(one), "made": now} for one in ids]


def among_a_million(count: int) -> None:
    """A kept move in a small table and in a large one, on both kinds of database, in turns."""
    with tempfile.TemporaryDirectory() as made, Databases(Path(made)) as databases:
        for kind in (SQLITE, POSTGRESQL):
            small, large = databases.new(kind), databases.new(kind)
            begun = []
            for url, others in ((small, 0), (large, count)):
                store = Store(url)
                fill(store, others)
                begun.append(played(store, 10))
                store.close()
            os.sync()  # a gigabyte that is still on its way to the disk would be paid for by the moves
            log = Path(made) / "log"
            with serving(log, DATABASE_URL=small) as few, serving(log, DATABASE_URL=large) as many:
                alone, among = in_turns(Table(few, begun[0]).move, Table(many, begun[1]).move)
            what = f"{kind}: a kept move among {count:,} plays ({among:.2f} ms) to one in a small table ({alone:.2f} ms)"
            ratio(what, among / alone, 1.3)


if __name__ == "__main__":
    if sys.argv[1:2] == ["large"]:
        among_a_million(int(sys.argv[2]) if len(sys.argv) > 2 else MANY)
    else:
        limits()
        kept_moves()
