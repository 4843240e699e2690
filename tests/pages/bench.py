"""Part of `make bench`: what an answer on the page costs beside the same move and look over the API.

A golden game is played twice on one server, on the page and over the API, answer by answer in turns.
"""

from __future__ import annotations

import gzip
import json
import tempfile
import time
from http.client import HTTPConnection
from pathlib import Path
from statistics import median, quantiles
from typing import Any
from urllib.parse import urlencode

import orjson

from engine import codec
from engine.navajo_wars import GAME
from service.pages import walks
from service.pages.walks import Given
from service.play_keys import Entered
from service.play_starts import Start, create
from service.plays import Bounds, Reading, Sent, find, state
from service.store import Store
from tests.browser.tables import moves
from tests.games import golden
from tests.plays.bench import ratio
from tests.service.server import serving

GAMES = ("the-rope-thrower",)
TIMES = 3  # that each game is played
WARM = 5  # answers that are not counted
MOST_RATIO, MOST_MILLISECONDS, MOST_BYTES = 3.0, 60, 5_000


class Hand:
    """A play on the server, and a connection that stays open."""

    def __init__(self, port: int, made: Entered) -> None:
        self.http = HTTPConnection("127.0.0.1", port, timeout=30)
        self.id, self.key = made.id, made.key

    def ask(
        self, method: str, path: str, body: bytes | None = None, **headers: str
    ) -> tuple[int, Any, bytes]:
        """One request."""
        self.http.request(method, path, body, headers)
        response = self.http.getresponse()
        return response.status, response.headers, response.read()

    def move(self, sent: Sent, version: int) -> float:
        """Milliseconds of a move over the API, and of a look at the play after it."""
        told: dict[str, Any] = {"lang": "en"}
        if sent.action is not None:
            told["action"] = codec.write(sent.action)
        told["inputs"] = list(sent.inputs)
        key = {
            "Authorization": f"Bearer {self.key}",
            "If-Match": str(version),
            "Content-Type": "application/json",
        }
        start = time.perf_counter()
        status, _, body = self.ask("POST", f"/v1/plays/{self.id}/moves", orjson.dumps(told), **key)
        looked, _, _ = self.ask("GET", f"/v1/plays/{self.id}", **{"Accept-Language": "en"})
        taken = (time.perf_counter() - start) * 1e3
        if status != 200 or looked != 200:
            raise RuntimeError(body)
        return taken

    def answer(self, value: Any, version: int) -> tuple[float, int]:
        """Milliseconds of an answer on the page up to the next question, and its bytes on the wire."""
        sent = urlencode({"after": version, "answer": json.dumps(value)}).encode()
        cookie = {"Cookie": f"plays={self.id}.{self.key}", "Accept-Encoding": "gzip", "Accept-Language": "en"}
        form = {"Content-Type": "application/x-www-form-urlencoded"}
        start = time.perf_counter()
        status, headers, body = self.ask("POST", f"/play/{self.id}/answers", sent, **cookie, **form)
        if status != 303:
            raise RuntimeError(gzip.decompress(body))
        looked, _, page = self.ask("GET", headers["Location"], **cookie)
        taken = (time.perf_counter() - start) * 1e3
        if looked != 200:
            raise RuntimeError(page)
        return taken, len(page)


def by_one_tap(store: Store, play: str, sent: Sent) -> Any:
    """The answer that one tap gives; None where it takes several."""
    if sent.action is not None:
        return None
    pending = state(find(store, play), "en")["pending"]
    (value,) = sent.inputs[0].values()
    try:
        went = walks.walk(pending.form, [codec.write(value)])
    except Exception:  # noqa: BLE001  it is answered step by step
        return None
    return value if isinstance(went, Given) else None


def answers() -> None:
    """What an answer costs on the page and over the API."""
    page_ms: list[float] = []
    api_ms: list[float] = []
    sizes: list[int] = []
    with tempfile.TemporaryDirectory() as made:
        url = f"sqlite:///{made}/plays.sqlite3"
        store = Store(url)
        with serving(Path(made) / "log", DATABASE_URL=url) as server:
            for name in GAMES * TIMES:
                game = golden.read(name)
                start = Start(GAME, game.position, Reading({}, game.components))
                on_page, over_api = (
                    Hand(server.port, create(store, start, "bench", Bounds())) for _ in range(2)
                )
                for sent in moves(game):
                    version = find(store, on_page.id).version
                    value = by_one_tap(store, on_page.id, sent)
                    if value is None:
                        on_page.move(sent, version)
                        over_api.move(sent, version)
                        continue
                    taken, size = on_page.answer(value, version)
                    page_ms.append(taken)
                    api_ms.append(over_api.move(sent, version))
                    sizes.append(size)
        store.close()
    page_ms, api_ms = page_ms[WARM:], api_ms[WARM:]
    page, api = median(page_ms), median(api_ms)
    ratio(
        f"an answer on the page ({page:.2f} ms) to the same move and look over the API ({api:.2f} ms)",
        page / api,
        MOST_RATIO,
    )
    late = quantiles(page_ms, n=20)[-1]
    ratio(
        f"95 of 100 answers on the page within {late:.1f} ms, to {MOST_MILLISECONDS} ms",
        late / MOST_MILLISECONDS,
        1,
    )
    ratio(f"the largest answer on the wire ({max(sizes)} bytes) to {MOST_BYTES}", max(sizes) / MOST_BYTES, 1)


if __name__ == "__main__":
    answers()
