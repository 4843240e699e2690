"""A database of each kind, and an application that keeps plays in it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient

from service import prices
from service.app import create_app
from service.store import Store
from tests.plays.databases import POSTGRESQL, SQLITE, Databases
from tests.plays.player import Player


@pytest.fixture(scope="session")
def databases(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Databases]:
    with Databases(tmp_path_factory.mktemp("databases")) as made:
        yield made


@pytest.fixture(params=[SQLITE, POSTGRESQL])
def kind(request: pytest.FixtureRequest) -> str:
    found: str = request.param
    return found


@pytest.fixture
def url(kind: str, databases: Databases) -> str:
    """A database of its own for one test."""
    return databases.new(kind)


@pytest.fixture
def serve(url: str) -> Iterator[Callable[..., Flask]]:
    """Makes applications that keep plays in the test's database."""
    made: list[Flask] = []

    def application(**settings: Any) -> Flask:
        made.append(create_app({"STORE": url, **settings}))
        return made[-1]

    yield application
    for one in made:
        one.extensions["ruleglot-plays"].store.close()


@pytest.fixture(scope="session")
def shared(databases: Databases) -> Iterator[Callable[[str], FlaskClient]]:
    """One application for each kind of database: nobody can get into the play of another test."""
    made: dict[str, Flask] = {}

    def client(kind: str) -> FlaskClient:
        if kind not in made:
            made[kind] = create_app({"STORE": databases.new(kind), "PLAYS_PER_ADDRESS": 100_000})
        return made[kind].test_client()

    yield client
    for one in made.values():
        one.extensions["ruleglot-plays"].store.close()


@pytest.fixture(autouse=True)
def unhurried(monkeypatch: pytest.MonkeyPatch) -> None:
    """No page and no report ends earlier because this machine is busy; what requests may cost has tests of its own."""
    monkeypatch.setattr(prices, "of_a_check", lambda: 1.0)


@pytest.fixture
def client(kind: str, shared: Callable[[str], FlaskClient]) -> FlaskClient:
    return shared(kind)


@pytest.fixture
def player(client: FlaskClient) -> Player:
    return Player(client)


@pytest.fixture
def store(client: FlaskClient) -> Store:
    """The store behind the client."""
    found: Store = client.application.extensions["ruleglot-plays"].store
    return found
