"""Part of `make bench`: what an answer on the page costs beside the same move and look over the API.

A golden game is played twice in one process, on the page and over the API, answer by answer in turns. The time is
that of the processor: on a machine that has other work to do, no other says what the page is to blame for.
"""

from __future__ import annotations

import gc
import json
import tempfile
import time
from statistics import median, quantiles
from typing import Any

import orjson
from flask import Flask

from engine import codec
from engine.navajo_wars import GAME
from service.app import create_app
from service.pages import walks
from service.pages.walks import Given
from service.play_kept import Bounds, Reading, find
from service.play_keys import Entered
from service.play_standing import state
from service.play_starts import Start, create
from service.plays import Sent
from service.store import Store
from tests.browser.tables import moves
from tests.games import golden
from tests.plays.bench import ratio

GAMES = ("the-rope-thrower",)
TIMES = 3  # that each game is played
WARM = 5  # answers that are not counted
MOST_RATIO, MOST_MILLISECONDS, MOST_BYTES = 3.0, 60, 5_000


class Hand:
    """A play, and a browser that may answer."""

    def __init__(self, app: Flask, made: Entered) -> None:
        self.client = app.test_client()
        self.id, self.key = made.id, made.key
        self.client.set_cookie("plays", f"{made.id}.{made.key}")

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
        start = time.process_time()
        moved = self.client.post(f"/v1/plays/{self.id}/moves", data=orjson.dumps(told), headers=key)
        looked = self.client.get(f"/v1/plays/{self.id}", headers={"Accept-Language": "en"})
        taken = (time.process_time() - start) * 1e3
        if moved.status_code != 200 or looked.status_code != 200:
            raise RuntimeError(moved.text)
        return taken

    def answer(self, value: Any, version: int) -> tuple[float, int]:
        """Milliseconds of an answer on the page up to the next question, and its bytes on the wire."""
        sent = {"after": version, "answer": json.dumps(value)}
        asks = {"Accept-Encoding": "gzip", "Accept-Language": "en"}
        start = time.process_time()
        answered = self.client.post(f"/play/{self.id}/answers", data=sent, headers=asks)
        if answered.status_code != 303:
            raise RuntimeError(answered.status)
        looked = self.client.get(answered.headers["Location"], headers=asks)
        taken = (time.process_time() - start) * 1e3
        if looked.status_code != 200:
            raise RuntimeError(looked.status)
        return taken, len(looked.data)


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
        app = create_app({"STORE": f"sqlite:///{made}/plays.sqlite3"})
        store: Store = app.extensions["ruleglot-plays"].store
        gc.freeze()  # as the server does before its workers fork
        for name in GAMES * TIMES:
            game = golden.read(name)
            start = Start(GAME, game.position, Reading({}, game.components))
            on_page, over_api = (Hand(app, create(store, start, "bench", Bounds())) for _ in range(2))
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
