"""A browser without script: it follows redirects and keeps cookies, and sends only what a page offers."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient

from service.app import create_app
from tests.pages.browser import Browser


@pytest.fixture(scope="session")
def app(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Flask]:
    file = tmp_path_factory.mktemp("pages") / "plays.db"
    made = create_app({"STORE": f"sqlite:///{file}", "PLAYS_PER_ADDRESS": 100_000})
    yield made
    made.extensions["ruleglot-plays"].store.close()


@pytest.fixture
def client(app: Flask) -> FlaskClient:
    return app.test_client()


@pytest.fixture
def browser(app: Flask) -> Any:
    return Browser(app.test_client())
