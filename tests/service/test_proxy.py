"""The nginx configuration that we ship, run by a real nginx before real servers."""

from __future__ import annotations

import gzip
import re
import socket
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import orjson
import psutil
import pytest
import requests

from service.config import MOST_REPLAY_BYTES
from service.problems import PROBLEMS
from tests.plays.crash import Client, holds
from tests.plays.databases import POSTGRESQL, Databases
from tests.plays.player import EVADE, EVADING
from tests.service.proxies import NAME, SHIPPED, Proxy, hello, in_front_of
from tests.service.redises import running
from tests.service.sent import AMBUSH, CHECK
from tests.service.server import SECONDS, free_port, serving, start, wait_for
from tests.service.test_slow_clients import CLIENTS, HONEST, SLOW, honest_answers, slow_clients

FAST = {"RULEGLOT_PROXIES": "1", "WEB_CONCURRENCY": "1", "RULEGLOT_ACCESS_LOG": "on"}


@pytest.fixture(scope="module")
def proxy(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Proxy]:
    """One server with the fast workers, and the proxy in front."""
    folder = tmp_path_factory.mktemp("proxied")
    data = {"RULEGLOT_DATA": str(folder), "RULEGLOT_LIMITS": "on", "RULEGLOT_HOSTS": f"{NAME} 127.0.0.1"}
    with serving(folder / "log", **FAST, **data) as server, in_front_of(folder, [server.port]) as made:
        yield made
    assert "Traceback" not in (folder / "log").read_text()


def test_a_check_by_tls(proxy: Proxy) -> None:
    answer = proxy.ask(
        "POST", CHECK, json=AMBUSH, headers={"X-Request-Id": "mine-1", "Accept-Language": "fr"}
    )
    assert (answer.status, answer.json()["ruling"], answer.headers["Content-Language"]) == (
        200,
        "illegal",
        "fr",
    )
    assert answer.headers["Strict-Transport-Security"] == "max-age=63072000"
    assert answer.headers["X-Request-Id"] == "mine-1"
    assert answer.headers["Server"] == "nginx", "without its version"
    assert answer.headers["RateLimit-Limit"] == "3000", "counted by the address that nginx tells"


def test_old_tls_other_names_and_no_tls(proxy: Proxy) -> None:
    assert hello(proxy.tls, NAME) == "TLSv1.3"
    assert "UNRECOGNIZED_NAME" in hello(proxy.tls, "evil.example")
    there = requests.get(
        f"http://127.0.0.1:{proxy.plain}/docs/?a=b",
        headers={"Host": "evil.example"},
        allow_redirects=False,
        timeout=SECONDS,
    )
    assert (there.status_code, there.headers["Location"]) == (301, f"https://{NAME}/docs/?a=b")


def test_a_form_of_the_page_works_on_any_port(proxy: Proxy) -> None:
    start_page = proxy.ask("GET", "/")
    assert start_page.status == 200
    own = {"Origin": f"https://{NAME}:{proxy.tls}"}
    assert proxy.ask("POST", "/join", fields={"code": "x"}, headers=own).status != 403
    foreign = {"Origin": "https://evil.example"}
    assert proxy.ask("POST", "/join", fields={"code": "x"}, headers=foreign).status == 403


def test_a_play_through_it(proxy: Proxy) -> None:
    """With gzip a tag becomes weak on its way; a move is taken all the same."""
    made = proxy.ask("POST", "/v1/games/navajo-wars/plays", json={"position": EVADING})
    assert made.status == 201
    play = made.json()
    seen = proxy.ask("GET", f"/v1/plays/{play['id']}", headers={"Accept-Encoding": "gzip"})
    sent = {"Authorization": f"Bearer {play['key']}", "If-Match": seen.headers["ETag"]}
    moved = proxy.ask("POST", f"/v1/plays/{play['id']}/moves", json={"action": EVADE}, headers=sent)
    assert (moved.status, moved.json()["version"]) == (200, 2)


def test_small_answers_are_compressed_too_and_none_twice(proxy: Proxy) -> None:
    for path in ("/v1/games", "/openapi.json"):
        plain = requests.get(proxy.address + path, headers={"Accept-Encoding": "identity"}, timeout=SECONDS)
        assert "Content-Encoding" not in plain.headers
        packed = requests.get(
            proxy.address + path, headers={"Accept-Encoding": "gzip"}, stream=True, timeout=SECONDS
        )
        assert packed.headers["Content-Encoding"] == "gzip"
        assert "Accept-Encoding" in packed.headers["Vary"]
        assert gzip.decompress(packed.raw.read()) == plain.content


@pytest.mark.parametrize("path", ["/metrics", "/readyz"])
def test_what_only_the_keeper_may_see(proxy: Proxy, path: str) -> None:
    answer = proxy.ask("GET", path)
    assert (answer.status, answer.json()["code"]) == (404, "not-found")


def test_what_nginx_refuses_is_a_problem(proxy: Proxy) -> None:
    large = proxy.ask("POST", CHECK, body=b" " * (MOST_REPLAY_BYTES + 200_000))
    assert (large.status, large.json()["code"]) == (413, "too-large")
    header = proxy.ask("GET", "/v1/games", headers={"X-Long": "x" * 9_000})
    assert (header.status, header.json()["code"]) == (400, "bad-request")
    assert header.headers["Content-Type"] == "application/problem+json"


def test_its_sentences_are_ours() -> None:
    said = re.findall(r"return (\d+) '({.*})';", SHIPPED.read_text())
    assert len(said) == 5
    for status, text in said:
        problem = orjson.loads(text.replace("\\'", "'"))
        expected, sentence = PROBLEMS[problem["code"]]
        assert expected == problem["status"] == int(status)
        assert problem["type"] == f"urn:ruleglot:problem:{problem['code']}"
        told = sentence.text % {"limit": MOST_REPLAY_BYTES, "wait": "1 second"}
        assert problem["title"] == problem["detail"] == told


def test_one_address_that_asks_too_fast_waits_and_the_others_do_not(proxy: Proxy) -> None:
    def one(address: str) -> int:
        text = f"GET /healthz HTTP/1.0\r\nHost: {NAME}\r\n\r\n".encode()
        with socket.create_connection(("127.0.0.1", proxy.clear), SECONDS, (address, 0)) as connection:
            connection.sendall(text)
            return int(connection.recv(65_536).split()[1])

    began = time.monotonic()
    with ThreadPoolExecutor(16) as hurried:
        answers = list(hurried.map(one, ["127.0.0.2"] * 900))
    allowed = 200 + 100 * (time.monotonic() - began) + 10
    assert answers.count(200) <= allowed
    assert set(answers) <= {200, 429}
    if allowed < 800:  # on a machine that is fast enough to hurry
        assert 429 in answers
    assert one("127.0.0.3") == 200


def test_neither_log_says_what_was_asked(proxy: Proxy) -> None:
    secret = "whomaythefoxambush"
    proxy.ask("GET", f"/v1/games/navajo-wars/rules?q={secret}", headers={"X-Request-Id": "told-1"})
    time.sleep(0.2)
    passed, answered = (proxy.folder / "access.log").read_text(), (proxy.folder / "log").read_text()
    assert secret not in passed + answered
    assert "told-1" in passed, "one id finds the line in both"
    assert '"told-1"' in answered


@pytest.mark.parametrize("kind", SLOW)
def test_fifty_slow_clients_leave_an_honest_one_every_answer(proxy: Proxy, kind: str) -> None:
    with slow_clients(proxy.port, SLOW[kind], CLIENTS):
        time.sleep(0.2)
        assert honest_answers(proxy) == HONEST


def test_fifty_who_read_slowly_do_too(proxy: Proxy) -> None:
    everything = b"GET /v1/games/navajo-wars/everything.json HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"
    with slow_clients(proxy.port, everything, CLIENTS):
        time.sleep(0.2)
        assert honest_answers(proxy) == HONEST


# -- two instances, one database, one Redis ---------------------------------------------------------------


@pytest.mark.slow
def test_one_of_two_instances_is_killed_and_nothing_is_lost(tmp_path: Path) -> None:
    with running(tmp_path) as redis, Databases(tmp_path) as databases:
        shared = {
            "DATABASE_URL": databases.new(POSTGRESQL),
            "RULEGLOT_LIMITS": "on",
            "RULEGLOT_LIMIT": "1000000 per hour",
            "RULEGLOT_LIMITS_STORE": redis.url,
        }
        ports = [free_port(), free_port()]
        servers = [start(tmp_path / f"log{port}", port, **(FAST | shared)) for port in ports]
        try:
            for server in servers:
                wait_for(server)
            with in_front_of(tmp_path, ports, rate="100000r/s") as proxy:
                clients = [Client(proxy.address, number) for number in range(4)]
                checks = Checks(proxy)
                for one in (*clients, checks):
                    one.start()
                let_them_write(clients, 20)
                for child in (*processes(servers[0].process.pid),):
                    child.kill()
                servers[0].process.wait(SECONDS)
                let_them_write(clients, 20)
                servers[0] = start(tmp_path / f"log{ports[0]}", ports[0], **(FAST | shared))
                wait_for(servers[0])
                time.sleep(2)  # nginx asks it again
                let_them_write(clients, 20)
                for one in (*clients, checks):
                    one.done.set()
                for one in (*clients, checks):
                    one.join(SECONDS * 3)
                    assert one.failure is None, one.failure
                for client in clients:
                    holds(client)
                assert checks.answered > 20
            worked = [(tmp_path / f"log{port}").read_text().count('"operation"') for port in ports]
            assert min(worked) > 10, "both have answered"
        finally:
            for server in servers:
                server.process.terminate()
                server.process.wait(SECONDS)


class Checks(threading.Thread):
    """Somebody who only asks, and would notice any answer that is missing or wrong."""

    def __init__(self, proxy: Proxy) -> None:
        super().__init__(daemon=True)
        self.proxy, self.answered = proxy, 0
        self.failure: BaseException | None = None
        self.done = threading.Event()

    def run(self) -> None:
        """Ask until told to stop."""
        try:
            with requests.Session() as session:
                while not self.done.is_set():
                    answer = session.post(self.proxy.address + CHECK, json=AMBUSH, timeout=SECONDS)
                    assert (answer.status_code, answer.json().get("ruling")) == (200, "illegal"), answer.text
                    self.answered += 1
        except BaseException as error:  # noqa: BLE001  told by whoever started this thread
            self.failure = error


def processes(pid: int) -> list[psutil.Process]:
    parent = psutil.Process(pid)
    return [parent, *parent.children(recursive=True)]


def let_them_write(clients: list[Client], moves: int) -> None:
    """Until they have been answered so many times more."""
    enough = sum(client.answered for client in clients) + moves
    late = time.monotonic() + 60
    while sum(client.answered for client in clients) < enough:
        assert time.monotonic() < late, "nobody is answered any more"
        assert not any(client.failure for client in clients), [client.failure for client in clients]
        time.sleep(0.02)
