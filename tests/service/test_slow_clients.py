"""Clients that say nothing, or half of something, leave an honest client its answers.

`make slow-clients` prints the whole table; here is the part of it that a release stands on.
"""

from __future__ import annotations

import socket
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
import requests

from tests.service.sent import AMBUSH, CHECK
from tests.service.server import Server, serving

HALF_A_HEADER = b"POST /v1/games/navajo-wars/check HTTP/1.1\r\nHost: localhost\r\nContent-Ty"
HALF_A_BODY = (
    b"POST /v1/games/navajo-wars/check HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
    b'Content-Length: 2000\r\n\r\n{"position": {'
)
SLOW = {"silent": b"", "half a header": HALF_A_HEADER, "half a body": HALF_A_BODY}
CLIENTS = 50
HONEST = 10
PATIENCE = 2  # seconds


@contextmanager
def slow_clients(port: int, sent: bytes, clients: int = CLIENTS) -> Iterator[None]:
    """Connections that are opened, say so much, and nothing more."""
    opened = []
    try:
        for _ in range(clients):
            connection = socket.create_connection(("127.0.0.1", port), timeout=PATIENCE)
            connection.sendall(sent)
            opened.append(connection)
        yield
    finally:
        for connection in opened:
            connection.close()


def honest_answers(server: Server) -> int:
    """How many of an honest client's requests are answered in time, each on a connection of its own."""
    answered = 0
    for _ in range(HONEST):
        try:
            answer = requests.post(server.address + CHECK, json=AMBUSH, timeout=PATIENCE)
        except requests.RequestException:
            continue
        answered += answer.status_code == 200 and answer.json()["ruling"] == "illegal"
    return answered


@pytest.mark.parametrize("kind", SLOW)
def test_fifty_of_them_leave_an_honest_client_its_answers(kind: str, tmp_path: Path) -> None:
    with serving(tmp_path / "log") as server, slow_clients(server.port, SLOW[kind]):
        time.sleep(0.2)
        assert honest_answers(server) == HONEST


def test_the_test_would_notice(tmp_path: Path) -> None:
    with serving(tmp_path / "log", RULEGLOT_PROXIES="1") as server, slow_clients(server.port, b"", 2):
        time.sleep(0.2)
        with pytest.raises(requests.RequestException):
            requests.get(f"{server.address}/healthz", timeout=0.5)


def main() -> None:
    """The table: honest answers of ten, by server and by what the others do."""
    here = Path(sys.argv[1] if len(sys.argv) > 1 else "build") / "slow-clients.log"
    here.parent.mkdir(exist_ok=True)
    print(f"honest answers within {PATIENCE} s of {HONEST}, with {CLIENTS} slow clients")
    for name, proxies in (("default", "0"), ("behind a proxy (without one)", "1")):
        for kind, sent in SLOW.items():
            with serving(here, RULEGLOT_PROXIES=proxies) as server, slow_clients(server.port, sent):
                time.sleep(0.2)
                print(f"{name:30} {kind:15} {honest_answers(server):3}")


if __name__ == "__main__":
    main()
