"""Several servers count in one real Redis; while it is away each counts alone, says so, and answers."""

from __future__ import annotations

import logging
import socket
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
import redis
import requests

from service import limits
from service.app import create_app
from service.limits import Limits
from tests.service.redises import Redis, running
from tests.service.sent import AMBUSH, CHECK
from tests.service.server import SECONDS, free_port, serving

WHO = "10.0.0.1"
EVERYTHING = ("everything",)


@pytest.fixture
def shared(tmp_path: Path) -> Iterator[Redis]:
    with running(tmp_path) as one:
        yield one


def left(counts: Limits, who: str = WHO) -> int:
    standing = counts.take(EVERYTHING, who)
    assert standing is not None
    return standing.left


def test_two_count_together_and_a_window_is_forgotten(shared: Redis) -> None:
    one, other = (Limits({"everything": "3 per minute"}, shared.url) for _ in range(2))
    assert [left(one), left(other), left(one), left(other)] == [2, 1, 0, -1]
    assert left(other, "10.0.0.2") == 2
    kept = redis.Redis(port=shared.port)
    names = list(kept.scan_iter())
    assert names
    assert all(0 < kept.ttl(name) <= 60 for name in names), "nothing stays for ever"


def test_a_new_window_is_a_whole_budget(shared: Redis, monkeypatch: pytest.MonkeyPatch) -> None:
    counts = Limits({"everything": "1 per minute"}, shared.url)
    now = time.time() // 60 * 60 + 30
    monkeypatch.setattr("service.limits.time.time", lambda: now)
    first, second = counts.take(EVERYTHING, WHO), counts.take(EVERYTHING, WHO)
    assert first is not None
    assert second is not None
    assert (first.left, second.left, second.seconds) == (0, -1, 30)
    now += 30
    assert left(counts) == 0


def test_while_redis_is_away_each_counts_alone_and_says_so_once(
    shared: Redis, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    counts = Limits({"everything": "3 per minute"}, shared.url)
    assert left(counts) == 2
    shared.stop()
    with caplog.at_level(logging.WARNING):
        assert [left(counts) for _ in range(4)] == [2, 1, 0, -1], "its own count, from the beginning"
    assert [record.getMessage() for record in caplog.records] == [
        "limits are counted by each process alone for 5 s: ConnectionError"
    ]
    shared.start()
    late = time.monotonic() + limits.PAUSE
    monkeypatch.setattr("service.limits.time.monotonic", lambda: late)
    assert left(counts) == 2, "Redis is asked again, and knows nothing yet"


def test_a_redis_that_says_nothing_costs_a_moment_once(monkeypatch: pytest.MonkeyPatch) -> None:
    with socket.socket() as silent:
        silent.bind(("127.0.0.1", 0))
        silent.listen()
        counts = Limits({"everything": "9 per minute"}, f"redis://127.0.0.1:{silent.getsockname()[1]}/0")
        began = time.monotonic()
        for _ in range(5):
            standing = counts.take(EVERYTHING, WHO)
            assert standing is not None
            assert standing.alone
        assert time.monotonic() - began < limits.WAIT * 8


def test_a_server_without_its_redis_answers_and_counts_that(caplog: pytest.LogCaptureFixture) -> None:
    away = f"redis://127.0.0.1:{free_port()}/0"
    settings = {"LIMITS": {"everything": "2 per minute"}, "LIMITS_STORE": away, "METRICS": "on"}
    client = create_app(settings).test_client()
    assert [client.post(CHECK, json=AMBUSH).status_code for _ in range(3)] == [200, 200, 429]
    assert "ruleglot_limits_alone_total 3.0" in client.get("/metrics").text


def test_two_servers_share_one_budget(shared: Redis, tmp_path: Path) -> None:
    told = {
        "RULEGLOT_LIMITS": "on",
        "RULEGLOT_LIMIT": "10 per hour",
        "RULEGLOT_LIMITS_STORE": shared.url,
        "RULEGLOT_DATA": str(tmp_path),
        "WEB_CONCURRENCY": "1",
    }
    with serving(tmp_path / "one", **told) as one, serving(tmp_path / "other", **told) as other:
        answers = [
            requests.post(server.address + CHECK, json=AMBUSH, timeout=SECONDS)
            for _ in range(6)
            for server in (one, other)
        ]
    assert [answer.status_code for answer in answers] == [200] * 10 + [429] * 2
    assert [int(answer.headers["RateLimit-Remaining"]) for answer in answers] == [*range(9, -1, -1), 0, 0]


@pytest.mark.parametrize("budget", ["memory://", "redis"])
def test_five_tries_of_a_code_are_five_whatever_the_workers(
    shared: Redis, tmp_path: Path, budget: str
) -> None:
    told = {
        "RULEGLOT_LIMITS": "on",
        "RULEGLOT_LIMIT_JOIN": "5 per hour",
        "RULEGLOT_LIMITS_STORE": shared.url if budget == "redis" else budget,
        "RULEGLOT_DATA": str(tmp_path),
        "WEB_CONCURRENCY": "2",
    }
    tried = []
    with serving(tmp_path / "log", **told) as server:
        for number in range(12):  # each on a connection of its own, so that both workers are asked
            if number % 3:
                tried.append(requests.post(f"{server.address}/join", data={"code": "no"}, timeout=SECONDS))
            else:
                join = f"{server.address}/v1/plays/join"
                tried.append(requests.post(join, json={"code": "no"}, timeout=SECONDS))
    assert [answer.status_code for answer in tried] == [404] * 5 + [429] * 7
    assert [int(answer.headers["RateLimit-Remaining"]) for answer in tried[:6]] == [4, 3, 2, 1, 0, 0]
    assert int(tried[5].headers["Retry-After"]) > 0
