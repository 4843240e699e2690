"""What a server for everybody must not do: repeat a host's name, be framed, take half a request, start wrongly set."""

from __future__ import annotations

import base64
import hashlib
import re
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import orjson
import pytest
from flask.testing import FlaskClient

from service import config
from service.app import create_app
from tests.service.sent import AMBUSH, CHECK
from tests.service.server import ROOT, SECONDS, Server, serving

EVIL = "evil.example"
GAME = "/v1/games/navajo-wars"
ADDRESSES = (
    "/",
    "/docs",
    "/docs/",
    "/openapi.json",
    "/healthz",
    "/v1/games",
    f"{GAME}/rules/nw:5.2.1",
    f"{GAME}/terms.tbx",
    f"{GAME}/no-such-thing",
    "/v1/plays/nothing",
)

SAYS_OF_ITS_ADDRESS = {
    "/": "same-origin",
    "/v1/games": None,
}  # a page says its own, and an answer leads nowhere

# -- headers -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("address", ADDRESSES)
def test_every_answer_says_what_a_browser_may_make_of_it(client: FlaskClient, address: str) -> None:
    headers = client.get(address).headers
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert headers.get("Referrer-Policy") == SAYS_OF_ITS_ADDRESS.get(address, "no-referrer")
    assert "frame-ancestors 'none'" in headers["Content-Security-Policy"]
    assert "default-src 'none'" in headers["Content-Security-Policy"]
    assert len(headers.getlist("X-Content-Type-Options")) == 1


def test_a_check_does_too_and_is_open_to_every_page(client: FlaskClient) -> None:
    headers = client.post(CHECK, json=AMBUSH).headers
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert "default-src 'none'" in headers["Content-Security-Policy"]
    assert headers["Access-Control-Allow-Origin"] == "*"
    refused = client.post(CHECK, json=[]).headers
    assert refused["X-Content-Type-Options"] == "nosniff"


def test_the_docs_run_their_own_script_and_no_other(client: FlaskClient) -> None:
    page = client.get("/docs/")
    policy = page.headers["Content-Security-Policy"]
    scripts = re.findall(r"<script>(.*?)</script>", page.text, re.DOTALL)
    assert len(scripts) == 1
    hashed = base64.b64encode(hashlib.sha256(scripts[0].encode()).digest()).decode()
    assert f"script-src 'self' 'sha256-{hashed}';" in policy
    assert "unsafe-inline" not in policy.partition("script-src")[2].partition(";")[0]
    assert not re.search(r"\son\w+=", page.text), "what a policy would stop"


# -- the host ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("address", ADDRESSES)
def test_nothing_of_the_host_comes_back(client: FlaskClient, address: str) -> None:
    answer = client.get(address, headers={"Host": EVIL, "X-Forwarded-Host": EVIL})
    assert EVIL not in answer.text
    assert EVIL not in str(answer.headers)
    if 300 <= answer.status_code < 400:
        assert re.match(r"/[^/\\]", answer.headers["Location"])


def test_a_redirect_keeps_the_query_and_leads_nowhere_else(client: FlaskClient) -> None:
    assert client.get("/docs?lang=fr").headers["Location"] == "/docs/?lang=fr"
    for sent in ("//evil.example//docs", "/%5Cevil.example/docs", "///docs"):
        there = client.get(sent).headers.get("Location", "/x")
        assert re.match(r"/($|[^/\\])", there), there


def test_only_the_names_that_are_set_are_answered_to() -> None:
    client = create_app({"TRUSTED_HOSTS": ["ruleglot.example", ".below.example"]}).test_client()
    for host, status in (
        ("ruleglot.example", 200),
        ("ruleglot.example:8000", 200),
        ("a.below.example", 200),
        (EVIL, 400),
        ("ruleglot.example.evil.example", 400),
    ):
        answer = client.post(CHECK, json=AMBUSH, headers={"Host": host, "Accept-Language": "it"})
        assert answer.status_code == status, host
        if status == 400:
            assert answer.content_type == "application/problem+json"
            assert answer.get_json()["code"] == "bad-request"
            assert answer.headers["Content-Language"] == "it"


# -- a real server -----------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    log = tmp_path_factory.mktemp("hard") / "log"
    with serving(log, WEB_CONCURRENCY="1") as running:
        yield running
    assert "Traceback" not in log.read_text(), log.read_text()


def raw(server: Server, sent: bytes, *, half: bool = False) -> tuple[int, str, bytes]:
    """Status, head and body of what is answered to these bytes."""
    with socket.create_connection(("127.0.0.1", server.port), timeout=SECONDS) as connection:
        connection.sendall(sent)
        if half:
            connection.shutdown(socket.SHUT_WR)
        got = b""
        while chunk := connection.recv(65_536):
            got += chunk
    head, _, body = got.partition(b"\r\n\r\n")
    return int(head.split()[1]), head.decode(), body


def asking(line: str, *headers: str) -> bytes:
    return "\r\n".join([line, "Host: localhost", "Connection: close", *headers, "", ""]).encode()


@pytest.mark.parametrize(
    ("sent", "status", "code"),
    [
        (asking(f"GET /v1/games?q={'x' * 5_000} HTTP/1.1"), 414, "address-too-long"),
        (asking("GET /v1/games HTTP/1.1", f"X-Long: {'x' * 9_000}"), 431, "headers-too-large"),
        (asking("GET /v1/games HTTP/1.1", *[f"X-{one}: 1" for one in range(80)]), 431, "headers-too-large"),
        (asking("GET /v1/games HTTP/1.1", "Expect: miracles"), 417, "expectation-failed"),
        (asking("GET /v1/games HTTP/9"), 400, "bad-request"),
        (asking("<script> HTTP/1.1"), 400, "bad-request"),
        (asking("POST /v1/games HTTP/1.1", "Transfer-Encoding: nonsense"), 400, "bad-request"),
        (asking("GET /v1/games HTTP/1.1", "Bad Header: 1"), 400, "bad-request"),
    ],
)
def test_what_is_no_http_gets_a_problem(server: Server, sent: bytes, status: int, code: str) -> None:
    got, head, body = raw(server, sent)
    problem = orjson.loads(body)
    assert (got, problem["status"], problem["code"]) == (status, status, code)
    assert "application/problem+json" in head
    assert f"Content-Length: {len(body)}" in head
    assert b"script" not in body, "nothing of what was sent is repeated"


def test_a_script_name_changes_nothing(server: Server) -> None:
    for header in ("SCRIPT_NAME: /elsewhere", "SCRIPT_NAME: /v1", "PATH_INFO: /docs/", "Script-Name: /v1"):
        status, _, body = raw(server, asking("GET /healthz HTTP/1.1", header))
        assert (status, orjson.loads(body)["status"]) == (200, "ok"), header


def test_half_a_body_is_not_taken_for_a_whole_one(server: Server) -> None:
    body = orjson.dumps(AMBUSH)  # valid by itself
    head = asking(
        f"POST {CHECK} HTTP/1.1", "Content-Type: application/json", f"Content-Length: {len(body) + 10}"
    )
    status, _, answer = raw(server, head + body, half=True)
    assert (status, orjson.loads(answer)["code"]) == (400, "bad-request")


# -- settings ----------------------------------------------------------------------------------------

WRONG = {
    "PORT": ("eighty", "0", "65536", "-1", "8000.0", "٣"),
    "HOST": ("a b", "http://here"),
    "WEB_CONCURRENCY": ("0", "two", "9999"),
    "RULEGLOT_PROXIES": ("yes", "-1", "10"),
    "RULEGLOT_HOSTS": ("https://ruleglot.example", "a,b", "*"),
    "RULEGLOT_COMPONENTS": ("/no/such/file.toml",),
    "RULEGLOT_LIMITS": ("no", "OFF", "0"),
    "RULEGLOT_LIMIT": ("many", "10", "10 per fortnight"),
    "RULEGLOT_LIMIT_DEAR": ("-1 per minute",),
    "RULEGLOT_LIMIT_PLAYS": ("ten per hour",),
    "RULEGLOT_LIMIT_JOIN": ("0ff",),
    "RULEGLOT_LIMITS_STORE": ("redis", "http://here", "memcached://here"),
    "RULEGLOT_KEYS": ("/no/such/keys.toml", str(Path(__file__))),
    "RULEGLOT_METRICS": ("yes", "9090"),
    "RULEGLOT_ACCESS_LOG": ("-", "true"),
    "RULEGLOT_LOG": ("xml", "JSON"),
    "DATABASE_URL": ("mysql://here/plays", "plays.sqlite3"),
    "RULEGLOT_PLAYS_PER_ADDRESS": ("0", "all"),
    "RULEGLOT_PLAY_MOVES": ("0",),
    "RULEGLOT_PLAY_BYTES": ("32MB",),
}


@pytest.mark.parametrize(("variable", "value"), [(name, one) for name, all_ in WRONG.items() for one in all_])
def test_a_value_that_cannot_be_is_named_with_what_could_be(variable: str, value: str) -> None:
    allowed = next(one.allowed for one in config.SETTINGS if one.variable == variable)
    with pytest.raises(config.WrongSetting) as wrong:
        config.read({variable: value})
    assert str(wrong.value) == f"{variable} is “{value}”, but has to be {allowed}."


def test_every_setting_that_can_be_wrong_was_tried() -> None:
    anything = {"RULEGLOT_DATA"}  # a folder that is made
    assert {one.variable for one in config.SETTINGS} - anything == set(WRONG)


def test_every_default_is_allowed_and_empty_is_not_set() -> None:
    without = config.read({})
    assert config.read({one.variable: " " for one in config.SETTINGS}) == without
    assert without["PORT"] == 8000
    assert config.of_application({})["LIMITS"]["everything"] == "3000 per minute"
    assert config.of_application({"RULEGLOT_LIMITS": "off"})["LIMITS"] == "off"
    assert config.of_application({"RULEGLOT_HOSTS": "a.example .b.example"})["TRUSTED_HOSTS"] == [
        "a.example",
        ".b.example",
    ]


def test_a_password_does_not_get_into_the_log() -> None:
    for variable in ("DATABASE_URL", "RULEGLOT_LIMITS_STORE"):
        with pytest.raises(config.WrongSetting) as wrong:
            config.read({variable: "ftp://user:secret@host/plays"})
        assert "secret" not in str(wrong.value)


def test_a_wrong_setting_stops_the_start_with_one_sentence() -> None:
    started = subprocess.run(
        [sys.executable, "-m", "gunicorn", "--config", "python:service.gunicorn_conf"],
        cwd=ROOT,
        env={"PORT": "eighty", "PATH": ""},
        capture_output=True,
        text=True,
        timeout=SECONDS * 3,
        check=False,
    )
    assert started.returncode != 0
    assert started.stderr.strip() == "PORT is “eighty”, but has to be a whole number from 1 to 65535."


def test_the_document_shows_the_table_of_settings() -> None:
    shown = (Path(ROOT) / "docs" / "operation.md").read_text(encoding="utf-8")
    assert config.as_table() in shown
    rows = re.findall(r"^\| `([A-Z_]+)` \|", shown, re.MULTILINE)
    assert rows == [one.variable for one in config.SETTINGS], (
        "none is shown twice, and none that there is not"
    )


def test_no_part_reads_a_setting_that_the_table_does_not_have() -> None:
    read = re.compile(r"os\.environ(?:\.get\(|\[)\s*\"([A-Z_]+)\"")
    files = [*Path(ROOT, "service").rglob("*.py"), *Path(ROOT, "ruleglot").rglob("*.py")]
    found = {name for file in files for name in read.findall(file.read_text(encoding="utf-8"))}
    assert {"DATABASE_URL"} <= found <= {one.variable for one in config.SETTINGS}
