"""A real Chromium and a server of the page for the tests of this folder; without Chromium they are left out."""

from __future__ import annotations

import os
import shutil
import threading
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from flask import Flask
from playwright.sync_api import Browser, BrowserContext, Page, expect, sync_playwright
from werkzeug.serving import make_server

from service.app import create_app

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
HOW = "no Chromium: install it (Debian: apt-get install chromium fonts-noto-cjk) or name it in $CHROMIUM"
EXPECTED = (  # a refused answer, and the connection that a test has cut
    "Failed to load resource: the server responded with a status of 4",
    "Failed to load resource: net::ERR_INTERNET_DISCONNECTED",
)
PHONE = {"width": 390, "height": 844}


expect.set_options(timeout=20_000)  # a busy machine is slow, and no test waits in vain


def chromium() -> str | None:
    """An installed Chromium."""
    named = os.environ.get("CHROMIUM")
    return named or next((found for name in NAMES if (found := shutil.which(name))), None)


@pytest.fixture(scope="session")
def app(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Flask]:
    file = tmp_path_factory.mktemp("browser") / "plays.db"
    made = create_app({"STORE": f"sqlite:///{file}", "PLAYS_PER_ADDRESS": 100_000})
    yield made
    made.extensions["ruleglot-plays"].store.close()


@pytest.fixture(scope="session")
def base(app: Flask) -> Iterator[str]:
    """Where the page is served."""
    server = make_server("127.0.0.1", 0, app, threaded=True)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    thread.join()


@pytest.fixture(scope="session")
def window() -> Iterator[Browser]:
    """A real browser."""
    path = chromium()
    if path is None:
        (pytest.fail if os.environ.get("RULEGLOT_BROWSER") == "needed" else pytest.skip)(HOW)
    with sync_playwright() as playwright:
        made = playwright.chromium.launch(executable_path=path, args=["--no-sandbox"])
        yield made
        made.close()


class Watched:
    """What a page asked for and complained about."""

    def __init__(self, context: BrowserContext, base: str) -> None:
        self.requests: list[str] = []
        self.complaints: list[str] = []
        self._base = base
        context.on("request", lambda one: self.requests.append(one.url))
        context.on("console", lambda one: self._note(one.type, one.text))
        context.on("weberror", lambda one: self.complaints.append(str(one.error)))

    def _note(self, kind: str, text: str) -> None:
        if kind in ("error", "warning") and not text.startswith(EXPECTED):
            self.complaints.append(text)

    def check(self) -> None:
        """Nothing was complained about, and nobody else was asked."""
        outside = [one for one in self.requests if not one.startswith((self._base, "data:"))]
        assert not self.complaints
        assert not outside


Opens = Callable[..., Page]


@pytest.fixture
def phone(window: Browser, base: str) -> Iterator[Opens]:
    """Opens a page on a phone; at the end nothing was complained about, and nobody else was asked."""
    made: list[tuple[BrowserContext, Watched]] = []

    def opened(lang: str = "en", **settings: Any) -> Page:
        context = window.new_context(
            base_url=base, locale=lang, **{"viewport": PHONE, "reduced_motion": "reduce", **settings}
        )
        made.append((context, Watched(context, base)))
        context.set_default_timeout(20_000)
        return context.new_page()

    yield opened
    for context, watched in made:
        context.close()
        watched.check()
