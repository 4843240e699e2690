"""Back-up and restore of plays, done as docs/operation.md says."""

from __future__ import annotations

import sqlite3
from pathlib import Path

from service.app import create_app
from tests.plays.player import EVADE, Player


def test_a_copy_taken_while_the_server_runs_is_whole_and_can_be_gone_back_to(tmp_path: Path) -> None:
    file, copy = tmp_path / "plays.sqlite3", tmp_path / "copy.sqlite3"
    player = Player(create_app({"STORE": f"sqlite:///{file}"}).test_client())
    player.start(
        position={
            "period": "spanish",
            "families": {"A": {"at": "shiprock-3", "ferocity": 1}},
            "areas": {"shiprock-3": {"raid": 1}},
        }
    )
    player.move(EVADE)
    before = player.get()
    with sqlite3.connect(file) as here, sqlite3.connect(copy) as there:  # what “.backup” does
        here.backup(there)
    here.close()
    there.close()
    player.move(None, {"die": 1})
    assert player.get()["version"] == before["version"] + 1
    # the server is stopped, the copy put in the place of the file, and what belongs to the old file deleted
    player.client.application.extensions["ruleglot-plays"].store.close()
    for beside in ("-wal", "-shm"):
        file.with_name(file.name + beside).unlink(missing_ok=True)
    copy.replace(file)
    again = create_app({"STORE": f"sqlite:///{file}"}).test_client()
    assert again.get("/readyz").status_code == 200
    assert again.get(f"/v1/plays/{player.id}").get_json() == before
    player.client, player.version = again, before["version"]
    assert player.move(None, {"die": 1})["version"] == before["version"] + 1, "and goes on, with the same key"
