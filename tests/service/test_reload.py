"""Reload and stop in the middle of work, as docs/operation.md says: what was begun is answered."""

from __future__ import annotations

import signal
import threading
import time
from pathlib import Path
from typing import Any

import orjson
import psutil
import pytest
import requests

from tests.plays.player import EVADE, EVADING
from tests.service.sent import AMBUSH, CHECK
from tests.service.server import SECONDS, Server, serving
from tests.service.test_prices import AGAIN, RAID

CLIENTS = 6
DEAR = {"position": RAID, "moves": [AGAIN] * 400}


class Asks(threading.Thread):
    """Somebody who asks again and again, each time on a connection of his own."""

    def __init__(self, server: Server) -> None:
        super().__init__()
        self.server, self.done = server, threading.Event()
        self.answered, self.lost = 0, 0

    def run(self) -> None:
        """Until told to stop."""
        expected: Any = None
        while not self.done.is_set():
            try:
                answer = requests.post(self.server.address + CHECK, json=AMBUSH, timeout=SECONDS)
            except requests.RequestException:
                self.lost += 1
                continue
            expected = expected or answer.content
            self.lost += answer.status_code != 200 or answer.content != expected
            self.answered += 1


@pytest.mark.parametrize("proxies", ["0", "1"])
def test_a_reload_loses_nothing_and_brings_new_workers(tmp_path: Path, proxies: str) -> None:
    with serving(tmp_path / "log", RULEGLOT_PROXIES=proxies, RULEGLOT_DATA=str(tmp_path)) as server:
        master = psutil.Process(server.process.pid)
        before = {child.pid for child in master.children()}
        clients = [Asks(server) for _ in range(CLIENTS)]
        for one in clients:
            one.start()
        for _ in range(2):
            time.sleep(0.5)
            master.send_signal(signal.SIGHUP)
        late = time.monotonic() + SECONDS
        while before & {child.pid for child in master.children()} and time.monotonic() < late:
            time.sleep(0.1)
        time.sleep(0.5)
        after = {child.pid for child in master.children()}
        for one in clients:
            one.done.set()
        for one in clients:
            one.join()
        assert not before & after, "the workers are new"
        assert sum(one.answered for one in clients) > 10 * CLIENTS
        assert sum(one.lost for one in clients) == 0


def test_a_stop_answers_what_was_begun_and_keeps_what_was_answered(tmp_path: Path) -> None:
    data = {"RULEGLOT_DATA": str(tmp_path), "WEB_CONCURRENCY": "1"}
    answers: list[requests.Response] = []
    with serving(tmp_path / "log", **data) as server:
        made = requests.post(
            f"{server.address}/v1/games/navajo-wars/plays", json={"position": EVADING}, timeout=SECONDS
        ).json()
        headers = {"Authorization": f"Bearer {made['key']}", "If-Match": '"1"'}
        at = f"/v1/plays/{made['id']}"
        moved = requests.post(
            f"{server.address}{at}/moves", json={"action": EVADE}, headers=headers, timeout=SECONDS
        )
        assert moved.json()["version"] == 2
        dear = threading.Thread(
            target=lambda: answers.append(
                requests.post(
                    f"{server.address}/v1/games/navajo-wars/replay",
                    data=orjson.dumps(DEAR),
                    timeout=SECONDS,
                    headers={"Content-Type": "application/json"},
                )
            )
        )
        dear.start()
        time.sleep(0.03)
        server.process.terminate()
        dear.join()
        server.process.wait(SECONDS)
    assert server.process.returncode == 0
    assert answers[0].status_code == 200
    assert answers[0].json()["next"]
    with serving(tmp_path / "log", **data) as again:
        state = requests.get(again.address + at, timeout=SECONDS).json()
        assert (state["version"], state["moves"]) == (2, 1)
