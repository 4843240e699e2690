"""Several people write into one play at once, with versions they may have overtaken: no game is ever mixed of two."""

from __future__ import annotations

import tempfile
import threading
from pathlib import Path
from random import Random
from typing import Any

from engine import codec, transcript
from engine.game import prepare
from engine.navajo_wars import GAME
from service.app import create_app
from service.store import Store
from tests.fuzz.asking import Case
from tests.fuzz.holding import Broken
from tests.fuzz.mutating import HOSTILE
from tests.plays.player import EVADE, EVADING

WRITERS = 4
CHANGES = 30  # tried by each of them


class Writer(threading.Thread):
    """Somebody who changes a play at the version he saw last, or at another one."""

    def __init__(self, app: Any, play: dict[str, Any], seed: int) -> None:
        super().__init__()
        self.client, self.play, self.random = app.test_client(), play, Random(seed)
        self.answered: list[int] = []  # the versions that his moves made
        self.failed: str = ""

    def run(self) -> None:
        """Try so many changes."""
        version = 1
        for _ in range(CHANGES):
            path, body = self._change()
            meant = version if self.random.random() < 0.9 else self.random.randint(0, 99)
            headers = {"Authorization": f"Bearer {self.play['key']}", "If-Match": f'"{meant}"'}
            answer = self.client.open(
                f"/v1/plays/{self.play['id']}{path}",
                method="PATCH" if not path else "POST",
                json=body,
                headers=headers,
            )
            told = answer.get_json()
            if answer.status_code >= 500 and not told["code"].startswith("store-busy"):
                self.failed = answer.text
                return
            # An undo, a correction or a new name is answered with how the play stands, which may be further on already.
            if answer.status_code == 200 and told.get("ruling") == "legal":
                self.answered.append(told["version"])
            version = told.get("version") or version

    def _change(self) -> tuple[str, Any]:
        told = {
            "/families/A/at": "shiprock-3",
            "/areas/shiprock-3/raid": 1,
            "/tracks/ap": self.random.randint(0, 19),
        }
        return self.random.choice(
            (
                ("/moves", {"action": EVADE, "inputs": [{"die": self.random.randint(0, 7)}]}),
                ("/corrections", {"tell": told, "note": self.random.choice(HOSTILE)[:500]}),
                ("/corrections", {"tell": told}),
                ("/undo", {"moves": self.random.randint(1, 3)}),
                ("/redo", {}),
                ("", {"name": self.random.choice(HOSTILE)[:80]}),
            )
        )


def written(seed: int, url: str = "") -> int:
    """One play and its writers; how many changes were answered. What does not hold is raised."""
    with tempfile.TemporaryDirectory() as folder:
        app = create_app({"STORE": url or f"sqlite:///{Path(folder) / 'plays.sqlite3'}", "LIMITS": "off"})
        play = app.test_client().post("/v1/games/navajo-wars/plays", json={"position": EVADING}).get_json()
        writers = [Writer(app, play, seed * 100 + number) for number in range(WRITERS)]
        for one in writers:
            one.start()
        for one in writers:
            one.join()
        _holds(app, play, writers)
        store: Store = app.extensions["ruleglot-plays"].store
        store.close()
        return sum(len(one.answered) for one in writers)


def _holds(app: Any, play: dict[str, Any], writers: list[Writer]) -> None:
    client = app.test_client()
    taken = client.get(f"/v1/plays/{play['id']}/transcript").get_json()
    case = Case("navajo-wars", "replay", taken)
    if failed := [one.failed for one in writers if one.failed]:
        raise Broken("writers", case, failed[0])
    versions = [version for one in writers for version in one.answered]
    if len(versions) != len(set(versions)):
        raise Broken("writers", case, "two were told the same version")
    state = client.get(f"/v1/plays/{play['id']}").get_json()
    if versions and max(versions) > state["version"]:
        raise Broken("writers", case, "a version that was answered is not there")
    went = transcript.replay(GAME, transcript.read(GAME, taken))
    if went.diverged is not None:
        raise Broken("writers", case, f"the game does not replay: {went.diverged}")
    stands = prepare(GAME, codec.read(state["position"], GAME.position, ""), {}, GAME.components()).position
    if went.position != stands:
        raise Broken("writers", case, "the game leads elsewhere than where the play stands")
