"""An address that asks too much is told to wait, in its own language; everybody else is not."""

from __future__ import annotations

import gzip
import hashlib
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor, as_completed
from http.client import HTTPConnection
from itertools import islice
from pathlib import Path
from threading import Event
from typing import Any

import orjson
import pytest
from click.testing import CliRunner
from flask.testing import FlaskClient

from ruleglot import serving as serving_command
from ruleglot.cli import main
from service import problems
from service.app import create_app
from service.compression import LEAST_BYTES
from service.languages import reader
from service.limits import HELD, MOMENT, address_of
from tests.service.sent import AMBUSH, CHECK, LANGUAGES
from tests.service.server import ROOT, serving

REPLAY = "/v1/games/navajo-wars/replay"
GAME = {"position": AMBUSH["position"], "moves": []}
NOT_OFF = {"everything": "5 per minute", "dear": "2 per minute"}


@pytest.fixture
def limited() -> Callable[..., FlaskClient]:
    def client(**limits: str) -> FlaskClient:
        return create_app({"LIMITS": {**NOT_OFF, **limits}}).test_client()

    return client


def asked(client: FlaskClient, times: int, path: str = CHECK, body: Any = AMBUSH, **how: Any) -> list[int]:
    return [client.post(path, json=body, **how).status_code for _ in range(times)]


def test_the_sixth_of_five_requests_a_minute_is_refused(limited: Callable[..., FlaskClient]) -> None:
    client = limited()
    assert asked(client, 6) == [200] * 5 + [429]
    assert client.get("/v1/games").status_code == 429


def test_a_dear_request_has_a_smaller_budget_of_its_own(limited: Callable[..., FlaskClient]) -> None:
    client = limited()
    assert asked(client, 3, REPLAY, GAME) == [200, 200, 429]
    assert asked(client, 2) == [200, 200], "cheap ones go on"
    julian = "/v1/games/julian/replay"
    assert asked(client, 1, julian, {"position": {}, "moves": []}) == [429], "one budget for both games"


def refused_for(client: FlaskClient, **environment: Any) -> float:
    """How long a request takes that is refused."""
    began = time.perf_counter()
    assert client.get("/v1/games", environ_overrides=environment).status_code == 429
    return time.perf_counter() - began


def test_whoever_asks_on_without_waiting_is_held_for_a_moment(limited: Callable[..., FlaskClient]) -> None:
    client = limited()
    asked(client, 6)
    assert refused_for(client, **{"wsgi.multithread": True}) >= MOMENT
    assert refused_for(client, **{"wsgi.multithread": False}) < MOMENT, "a worker with one thread goes on"


def test_only_a_few_are_held_at_once(
    limited: Callable[..., FlaskClient], monkeypatch: pytest.MonkeyPatch
) -> None:
    app, more, go_on = limited().application, 3, Event()
    asked(app.test_client(), 6)
    monkeypatch.setattr("service.limits.time.sleep", lambda _: go_on.wait(20))
    with ThreadPoolExecutor(HELD + more) as many:
        held = {"wsgi.multithread": True}
        waiting = [many.submit(refused_for, app.test_client(), **held) for _ in range(HELD + more)]
        answered = list(islice(as_completed(waiting, 20), more))
        assert sum(one.done() for one in waiting) == more == len(answered)
        go_on.set()


@pytest.mark.parametrize("lang", LANGUAGES)
def test_it_says_when_to_come_back_in_the_readers_language(
    limited: Callable[..., FlaskClient], lang: str
) -> None:
    client = limited(everything="1 per minute")
    first = client.post(CHECK, json={**AMBUSH, "lang": lang})
    assert "Retry-After" not in first.headers
    assert (first.headers["RateLimit-Limit"], first.headers["RateLimit-Remaining"]) == ("1", "0")
    refused = client.post(CHECK, json={**AMBUSH, "lang": lang})
    assert refused.status_code == 429
    assert refused.content_type == "application/problem+json"
    assert refused.headers["Content-Language"] == refused.get_json()["lang"] == lang
    assert refused.get_json()["code"] == "too-many-requests"
    assert 1 <= int(refused.headers["Retry-After"]) <= 60
    assert refused.headers["RateLimit-Reset"] == refused.headers["Retry-After"]
    assert refused.headers["RateLimit-Remaining"] == "0"
    assert refused.headers["Access-Control-Allow-Origin"] == "*", "a page has to see why"


@pytest.mark.parametrize(
    ("seconds", "said"),
    [
        (1, ("1 second", "1 seconde", "1 secondo", "1秒")),
        (90, ("90 seconds", "90 secondes", "90 secondi", "90秒")),
        (91, ("2 minutes", "2 minutes", "2 minuti", "2分")),
        (3_541, ("60 minutes", "60 minutes", "60 minuti", "60分")),
        (5_401, ("2 hours", "2 heures", "2 ore", "2時間")),
    ],
)
def test_how_long_to_wait_is_said_in_words_and_never_too_short(seconds: int, said: tuple[str, ...]) -> None:
    problem = problems.Problem("too-many-requests", wait=problems.Wait(seconds))
    for lang, words in zip(("en", "fr", "it", "ja"), said, strict=True):
        assert words in problems.told(problem, reader(lang)).title.replace("\N{NO-BREAK SPACE}", " ")


def test_every_answer_says_how_the_tightest_budget_stands(limited: Callable[..., FlaskClient]) -> None:
    client = limited()
    cheap = client.post(CHECK, json=AMBUSH).headers
    assert (cheap["RateLimit-Limit"], cheap["RateLimit-Remaining"]) == ("5", "4")
    dear = client.post(REPLAY, json=GAME).headers
    assert (dear["RateLimit-Limit"], dear["RateLimit-Remaining"]) == ("2", "1")
    assert client.get("/nowhere").headers["RateLimit-Remaining"] == "2"
    assert 1 <= int(cheap["RateLimit-Reset"]) <= 60
    assert cheap["Access-Control-Expose-Headers"] == "*"
    assert "RateLimit-Limit" not in client.get("/healthz").headers


def test_each_address_has_its_own(limited: Callable[..., FlaskClient]) -> None:
    client = limited(everything="1 per minute")
    for number in range(3):
        assert asked(client, 2, environ_base={"REMOTE_ADDR": f"10.0.0.{number}"}) == [200, 429]


def test_a_household_is_one_address() -> None:
    assert address_of("10.0.0.1") != address_of("10.0.0.2")
    assert address_of("2001:db8::1") == address_of("2001:db8::ffff")
    assert address_of("2001:db8::1") != address_of("2001:db8:0:1::1")
    assert address_of("") == ""


def test_behind_a_proxy_the_proxy_tells_the_address() -> None:
    limits = {"everything": "1 per minute"}
    for proxies, second in ((1, 200), (0, 429)):
        client = create_app({"LIMITS": limits, "PROXIES": proxies}).test_client()
        told = [
            client.post(CHECK, json=AMBUSH, headers={"X-Forwarded-For": address}).status_code
            for address in ("10.0.0.1", "10.0.0.2")
        ]
        assert told == [200, second]


def test_health_and_preflights_are_free(limited: Callable[..., FlaskClient]) -> None:
    client = limited(everything="1 per minute")
    assert asked(client, 2) == [200, 429]
    assert client.get("/healthz").status_code == 200
    assert client.options(CHECK).status_code == 200


def test_a_key_has_a_larger_budget_of_its_own(tmp_path: Path) -> None:
    keys = tmp_path / "keys.toml"
    keys.write_text(f'[club]\nsha256 = "{hashlib.sha256(b"opensesame").hexdigest()}"\ntimes = 3\n')
    client = create_app({"LIMITS": {"everything": "2 per minute"}, "KEYS": str(keys)}).test_client()
    with_key = {"X-Api-Key": "opensesame"}
    assert asked(client, 3) == [200, 200, 429]
    first = client.post(CHECK, json=AMBUSH, headers=with_key).headers
    assert (first["RateLimit-Limit"], first["RateLimit-Remaining"]) == ("6", "5")
    elsewhere = {"REMOTE_ADDR": "10.0.0.9"}
    assert asked(client, 6, headers=with_key, environ_base=elsewhere) == [200] * 5 + [429]
    assert asked(client, 1, environ_base=elsewhere) == [200], "its address has a budget besides"


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_key_that_is_not_known_is_refused_in_words(tmp_path: Path, lang: str) -> None:
    keys = tmp_path / "keys.toml"
    keys.write_text(f'[club]\nsha256 = "{hashlib.sha256(b"opensesame").hexdigest()}"\ntimes = 3\n')
    client = create_app({"LIMITS": NOT_OFF, "KEYS": str(keys)}).test_client()
    refused = client.post(CHECK, json={**AMBUSH, "lang": lang}, headers={"X-Api-Key": "guessed"})
    assert (refused.status_code, refused.get_json()["code"]) == (401, "unknown-api-key")
    assert refused.get_json()["lang"] == lang
    assert "guessed" not in refused.text
    without = create_app({"LIMITS": NOT_OFF}).test_client()
    assert asked(without, 1, headers={"X-Api-Key": "guessed"}) == [200], "nobody has given out keys here"


def test_whoever_tries_keys_spends_the_budget_of_his_address(tmp_path: Path) -> None:
    keys = tmp_path / "keys.toml"
    keys.write_text(f'[club]\nsha256 = "{hashlib.sha256(b"opensesame").hexdigest()}"\ntimes = 3\n')
    client = create_app({"LIMITS": {"everything": "2 per minute"}, "KEYS": str(keys)}).test_client()
    guesses = [
        client.post(CHECK, json=AMBUSH, headers={"X-Api-Key": f"guess {number}"}) for number in range(3)
    ]
    assert [one.status_code for one in guesses] == [401, 401, 429]
    assert guesses[0].headers["RateLimit-Remaining"] == "1"
    assert asked(client, 1, headers={"X-Api-Key": "opensesame"}) == [200], "who has one goes on"


def test_one_budget_can_be_off_and_so_can_all() -> None:
    client = create_app({"LIMITS": {"everything": "off", "dear": "1 per minute"}}).test_client()
    assert asked(client, 20) == [200] * 20
    assert asked(client, 2, REPLAY, GAME) == [200, 429]
    assert asked(create_app({"LIMITS": "off"}).test_client(), 2, REPLAY, GAME) == [200, 200]


# -- compression and keep-alive ----------------------------------------------------------------------


def test_large_answers_are_compressed_for_whoever_can_read_that(client: FlaskClient) -> None:
    plain = client.get("/openapi.json")
    assert "Content-Encoding" not in plain.headers
    packed = client.get("/openapi.json", headers={"Accept-Encoding": "gzip, deflate, br"})
    assert packed.headers["Content-Encoding"] == "gzip"
    assert "Accept-Encoding" in packed.headers["Vary"]
    assert gzip.decompress(packed.data) == plain.data
    assert len(packed.data) < len(plain.data) / 4
    assert int(packed.headers["Content-Length"]) == len(packed.data)


@pytest.mark.parametrize("accepted", ["identity", "br", "gzip;q=0"])
def test_not_for_those_who_cannot(client: FlaskClient, accepted: str) -> None:
    answer = client.get("/openapi.json", headers={"Accept-Encoding": accepted})
    assert "Content-Encoding" not in answer.headers


def test_a_check_is_not_worth_it(client: FlaskClient) -> None:
    answer = client.post(CHECK, json=AMBUSH, headers={"Accept-Encoding": "gzip"})
    assert len(answer.data) < LEAST_BYTES
    assert "Content-Encoding" not in answer.headers
    assert orjson.loads(answer.data)["ruling"] == "illegal"


def test_one_connection_carries_many_requests(tmp_path: Path) -> None:
    with serving(tmp_path / "log") as server:
        connection = HTTPConnection("127.0.0.1", server.port, timeout=10)
        connection.connect()
        through = connection.sock.getsockname()
        for _ in range(3):
            connection.request("POST", CHECK, orjson.dumps(AMBUSH), {"Content-Type": "application/json"})
            assert orjson.loads(connection.getresponse().read())["ruling"] == "illegal"
            assert connection.sock.getsockname() == through
        connection.close()


def test_serve_and_make_run_are_one_configuration(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    made: list[list[str]] = []
    monkeypatch.setattr("os.execv", lambda *given: made.append(given[1]))
    monkeypatch.setattr("sys.platform", "linux")
    monkeypatch.setenv("HOST", "127.0.0.1")  # both are set by the command, and put back afterwards
    monkeypatch.setenv("PORT", "8000")
    monkeypatch.chdir(tmp_path)
    serving_command.serve("127.0.0.1", 8000)
    assert made[0][3:6] == ["gunicorn", "--config", "python:service.gunicorn_conf"]
    assert "$(BIN)/python -m ruleglot.cli serve" in (ROOT / "Makefile").read_text()


def test_serving_for_a_network_says_the_address_a_code_and_what_it_means(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    served: list[tuple[str, int]] = []
    monkeypatch.setattr(serving_command, "address_here", lambda: "192.168.1.20")
    monkeypatch.setattr(serving_command, "taken", lambda host, port: False)
    monkeypatch.setattr(serving_command, "serve", lambda host, port, _server: served.append((host, port)))
    said = (
        CliRunner()
        .invoke(main, ["serve", "--lan", "--port", "8123", "--lang", "en"], env={"HOST": ""})
        .stderr
    )
    assert served == [("0.0.0.0", 8123)]
    assert "Open http://127.0.0.1:8123/ in a browser." in said
    assert "On a phone on the same network: http://192.168.1.20:8123/" in said
    assert serving_command.qr("http://192.168.1.20:8123/") in said
    assert "nothing is encrypted" in said


def test_a_taken_port_names_one_that_is_free(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(serving_command, "taken", lambda _, port: port < 8002)
    said = CliRunner().invoke(main, ["serve", "--port", "8000", "--lang", "en"])
    assert said.exit_code == 2
    assert "PORT=8002 make run" in said.stderr
