"""What is answered at once is what Flask's way answers, to the byte; where something looks at every request, nothing is."""

from __future__ import annotations

from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient

from service import at_once
from service.app import create_app
from tests.bench import body, full_position
from tests.service.sent import AMBUSH, CHECK

JULIAN = "/v1/games/julian/check"
PHASE = {"position": {"phase": "return"}, "action": {"kind": "next-phase"}}
RAID = {
    **full_position(),
    "agenda": [{"procedure": "enemy-raid", "step": "player-reaction", "memory": {"entered": "shiprock-4"}}],
}
LONG = {"position": RAID, "action": {"kind": "continue"}, "closed": True, "lang": "all"}


class Ways:
    """An application by both ways, and which of them answered."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, **settings: Any) -> None:
        self.app = create_app({"LIMITS": "off", **settings})
        self.through_flask = 0
        inside = Flask.full_dispatch_request

        def counted(app: Flask) -> Any:
            self.through_flask += 1
            return inside(app)

        monkeypatch.setattr(Flask, "full_dispatch_request", counted)

    @property
    def client(self) -> FlaskClient:
        return self.app.test_client()

    def by_flask(self) -> FlaskClient:
        """The same without what answers at once."""
        outer: Any = self.app.wsgi_app
        assert isinstance(outer, at_once.AtOnce)
        plain = create_app({"LIMITS": "off"})
        plain.wsgi_app = plain.wsgi_app._otherwise  # type: ignore[attr-defined, method-assign]
        return plain.test_client()


@pytest.fixture
def ways(monkeypatch: pytest.MonkeyPatch) -> Ways:
    return Ways(monkeypatch)


RIGHT = (
    (CHECK, AMBUSH, {}),
    (CHECK, AMBUSH, {"Accept-Language": "ja"}),
    (CHECK, {**AMBUSH, "lang": "it"}, {"Accept-Language": "ja"}),
    (CHECK, LONG, {}),
    (CHECK, LONG, {"Accept-Encoding": "gzip"}),
    (JULIAN, PHASE, {"Accept-Language": "fr-CH, en;q=0.5"}),
)


@pytest.mark.parametrize(("path", "asked", "headers"), RIGHT)
def test_a_right_check_is_answered_at_once(
    ways: Ways, path: str, asked: dict[str, Any], headers: dict[str, str]
) -> None:
    answer = ways.client.post(path, json=asked, headers=headers)
    assert (answer.status_code, ways.through_flask) == (200, 0)
    other = ways.by_flask().post(path, json=asked, headers=headers)
    assert ways.through_flask == 1
    assert (answer.status, answer.data) == (other.status, other.data)
    assert list(answer.headers) == list(other.headers)


WRONG: tuple[tuple[str, dict[str, Any]], ...] = (
    (CHECK, {"json": {"position": {"tracks": {"ap": "x"}}, "action": {"kind": "ambush", "family": "A"}}}),
    (CHECK, {"json": {**AMBUSH, "lang": "xx"}}),
    (CHECK, {"data": b"{", "content_type": "application/json"}),
    (CHECK, {"data": body(), "content_type": "text/plain"}),
    (f"{CHECK}?lang=fr", {"json": AMBUSH}),
    (f"{CHECK}?lang=xx", {"json": AMBUSH}),
    (f"{CHECK}/", {"json": AMBUSH}),
)


@pytest.mark.parametrize(("path", "sent"), WRONG)
def test_anything_else_goes_the_way_of_flask(ways: Ways, path: str, sent: dict[str, Any]) -> None:
    answer = ways.client.post(path, headers={"Accept-Language": "it"}, **sent)
    assert ways.through_flask == 1
    other = ways.by_flask().post(path, headers={"Accept-Language": "it"}, **sent)
    assert (answer.status, answer.data) == (other.status, other.data)
    assert list(answer.headers) == list(other.headers)


def test_other_methods_do_too(ways: Ways) -> None:
    assert ways.client.get(CHECK).status_code == 405
    assert ways.client.options(CHECK).status_code == 200
    assert ways.through_flask == 2


@pytest.mark.parametrize(
    "settings",
    [
        {"LIMITS": {"everything": "100 per minute"}},
        {"METRICS": "on"},
        {"LOG": "json"},
        {"TRUSTED_HOSTS": ["localhost"]},
    ],
)
def test_nothing_is_answered_at_once_where_every_request_is_looked_at(
    monkeypatch: pytest.MonkeyPatch, settings: dict[str, Any]
) -> None:
    ways = Ways(monkeypatch, **settings)
    answer = ways.client.post(CHECK, json=AMBUSH)
    assert (answer.status_code, ways.through_flask) == (200, 1)


def test_a_fault_is_a_problem_in_words_and_not_hidden(ways: Ways, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: Any, **__: Any) -> Any:
        raise RuntimeError("broken")

    monkeypatch.setattr("service.checks.answer", broken)
    answer = ways.client.post(CHECK, json=AMBUSH)
    assert (answer.status_code, answer.mimetype) == (500, "application/problem+json")
