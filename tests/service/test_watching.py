"""Whoever watches over a server learns what it can do, and nothing of what it is asked."""

from __future__ import annotations

import logging
import re
import socket
from pathlib import Path
from typing import Any

import orjson
import psutil
import pytest
import requests
from flask.testing import FlaskClient
from prometheus_client.parser import text_string_to_metric_families

from service import search, watching
from service.app import create_app
from service.logs import REQUEST_ID, JsonLines, NothingSent
from service.watching import SANE
from tests.plays.player import EVADE, EVADING
from tests.service.sent import AMBUSH, CHECK
from tests.service.server import SECONDS, serving, wait_for

ALL_ON = {"METRICS": "on", "ACCESS_LOG": "on", "LOG": "json"}
SECRET = "whom may the fox ambush"  # a question that nobody but the asker should know


def test_ready_with_rules_and_without_any_play(client: FlaskClient) -> None:
    search.warm()
    answer = client.get("/readyz")
    assert (answer.status_code, answer.get_json()["status"]) == (200, "ready")


def test_whoever_asks_first_finds_the_index_made(client: FlaskClient) -> None:
    search.index.cache_clear()
    assert client.get("/healthz").status_code == 200
    assert not search.is_warm()
    assert client.get("/readyz").status_code == 200
    assert search.is_warm()


def test_not_ready_while_the_database_cannot_be_read(tmp_path: Path) -> None:
    search.warm()
    broken = tmp_path / "plays.sqlite3"
    broken.write_bytes(b"this is no database " * 100)
    client = create_app({"STORE": f"sqlite:///{broken}"}).test_client()
    answer = client.get("/readyz")
    assert answer.status_code in (500, 503)
    assert answer.get_json()["code"].startswith("store-")
    away = create_app({"STORE": "postgresql://nobody@127.0.0.1:9/plays"}).test_client()
    assert away.get("/readyz").status_code == 503


def test_a_server_is_ready_from_its_first_request(tmp_path: Path) -> None:
    with serving(tmp_path / "log", WEB_CONCURRENCY="1", RULEGLOT_DATA=str(tmp_path)) as server:
        assert requests.get(f"{server.address}/readyz", timeout=SECONDS).json()["status"] == "ready"


# -- request ids --------------------------------------------------------------------------------------


@pytest.fixture
def watched() -> FlaskClient:
    return create_app({"METRICS": "on", "LOG": "json"}).test_client()


@pytest.mark.parametrize("sent", ["a", "0123-abc.DEF_9", "x" * 64])
def test_a_sane_id_comes_back(watched: FlaskClient, sent: str) -> None:
    for answer in (
        watched.get("/healthz", headers={"X-Request-Id": sent}),
        watched.post(CHECK, json=AMBUSH, headers={"X-Request-Id": sent}),
        watched.post(CHECK, data="{", headers={"X-Request-Id": sent}),
        watched.get("/nowhere", headers={"X-Request-Id": sent}),
    ):
        assert answer.headers.getlist("X-Request-Id") == [sent]


@pytest.mark.parametrize("sent", [None, "", "x" * 65, "a b", "<script>", "é", "a;b", "a/b"])
def test_any_other_is_replaced(watched: FlaskClient, sent: str | None) -> None:
    headers = {} if sent is None else {"X-Request-Id": sent}
    first, second = (watched.get("/healthz", headers=headers).headers["X-Request-Id"] for _ in range(2))
    assert first != second
    assert first != sent
    assert SANE.fullmatch(first)


def test_without_watching_there_is_neither_id_nor_metrics(client: FlaskClient) -> None:
    answer = client.get("/healthz", headers={"X-Request-Id": "a"})
    assert "X-Request-Id" not in answer.headers
    assert client.get("/metrics").status_code == 404
    assert not isinstance(client.application.wsgi_app, watching.Watched), "and nobody stands between"


# -- numbers ------------------------------------------------------------------------------------------


def counted(client: FlaskClient | str) -> dict[str, float]:
    """What Prometheus would read, by name and labels."""
    if isinstance(client, str):
        text = requests.get(f"{client}/metrics", timeout=SECONDS).text
    else:
        text = client.get("/metrics").text
    samples = [sample for family in text_string_to_metric_families(text) for sample in family.samples]
    return {
        f"{one.name}{{{','.join(f'{name}={value}' for name, value in sorted(one.labels.items()))}}}": one.value
        for one in samples
    }


def test_requests_are_counted_by_operation_method_and_status(watched: FlaskClient) -> None:
    for _ in range(3):
        watched.post(CHECK, json=AMBUSH)
    watched.post(CHECK, data="{", content_type="application/json")
    watched.get("/v1/games/navajo-wars/rules/nw:5.2.1")
    watched.get("/v1/games/navajo-wars/rules/nw:9.9.9")
    watched.get("/nowhere")
    found = counted(watched)
    check = next(rule.endpoint for rule in watched.application.url_map.iter_rules() if rule.rule == CHECK)
    assert found[f"ruleglot_requests_total{{method=POST,operation={check},status=200}}"] == 3
    assert found[f"ruleglot_requests_total{{method=POST,operation={check},status=400}}"] == 1
    assert found[f"ruleglot_request_seconds_count{{operation={check}}}"] == 4
    assert found["ruleglot_requests_total{method=GET,operation=none,status=404}"] == 1
    assert found["ruleglot_problems_total{code=not-json}"] == 1
    assert found["ruleglot_problems_total{code=unknown-rule}"] == 1
    assert found["ruleglot_requests_under_way{}"] == 1, "this one"


def test_labels_are_a_closed_list(watched: FlaskClient) -> None:
    for number in range(200):
        watched.get(f"/nowhere/{number}")
        watched.get(f"/v1/plays/{number}")
        watched.get(f"/v1/games/navajo-wars/rules?q={SECRET}{number}")
        watched.open("/healthz", method=f"WONDER{number}")
    text = watched.get("/metrics").text
    assert "WONDER" not in text
    assert SECRET.rsplit(maxsplit=1)[-1] not in text
    operations = {label for line in text.splitlines() for label in re.findall(r'operation="([^"]*)"', line)}
    assert operations <= {rule.endpoint for rule in watched.application.url_map.iter_rules()} | {"none"}


def test_two_workers_give_one_sum_and_an_ended_one_leaves_it(tmp_path: Path) -> None:
    on = {"RULEGLOT_METRICS": "on", "RULEGLOT_DATA": str(tmp_path)}
    with serving(tmp_path / "log", WEB_CONCURRENCY="2", **on) as server:
        for _ in range(40):
            requests.post(server.address + CHECK, json=AMBUSH, timeout=SECONDS)

        def checks() -> float:
            found = counted(server.address)
            return sum(n for name, n in found.items() if "requests_total" in name and "POST" in name)

        assert checks() == 40
        workers = psutil.Process(server.process.pid).children()
        folder = next(
            Path(one.path).parent for one in workers[0].memory_maps() if "ruleglot-metrics-" in one.path
        )
        assert len({name.stem.rpartition("_")[2] for name in folder.glob("counter_*.db")}) > 1, (
            "both have counted"
        )
        workers[0].terminate()
        workers[0].wait(SECONDS)
        wait_for(server)
        assert checks() == 40, "what it counted is not forgotten"
        assert counted(server.address)["ruleglot_requests_under_way{}"] == 1
    assert not folder.exists()


# -- logs ---------------------------------------------------------------------------------------------


def lines(log: Path) -> list[dict[str, Any]]:
    return [orjson.loads(line) for line in log.read_text().splitlines()]


def test_every_line_is_json_and_none_says_what_was_asked(tmp_path: Path) -> None:
    on = {"RULEGLOT_LOG": "json", "RULEGLOT_ACCESS_LOG": "on", "RULEGLOT_DATA": str(tmp_path)}
    with serving(tmp_path / "log", WEB_CONCURRENCY="1", **on) as server:
        games = f"{server.address}/v1/games"
        asked = {"X-Request-Id": "request-1"}
        requests.get(f"{games}/navajo-wars/rules", params={"q": SECRET}, headers=asked, timeout=SECONDS)
        play = requests.post(
            f"{games}/navajo-wars/plays", json={"position": EVADING, "name": SECRET}, timeout=SECONDS
        ).json()
        at = f"{server.address}/v1/plays/{play['id']}"
        bearer = {"Authorization": f"Bearer {play['key']}", "If-Match": '"1"'}
        moved = requests.post(f"{at}/moves", json={"action": EVADE}, headers=bearer, timeout=SECONDS)
        assert moved.status_code == 200
        requests.post(f"{at}/moves", json={"action": EVADE}, timeout=SECONDS)
    told = (tmp_path / "log").read_text()
    for hidden in (SECRET, SECRET.rsplit(maxsplit=1)[-1], play["id"], play["key"], "127.0.0.1:", "shiprock"):
        assert hidden not in told.replace(f"http://127.0.0.1:{server.port}", ""), hidden
    seen = [line for line in lines(tmp_path / "log") if "operation" in line]
    assert next(line for line in seen if line["request"] == "request-1")["operation"] == "navajoWarsFindRules"
    moves = [line for line in seen if line["operation"] == "plays.play_move"]
    assert [line["status"] for line in moves] == [200, 401]
    assert moves[1]["problem"] == "no-key"
    assert all(line["ms"] > 0 and line["method"] in watching.METHODS for line in seen)


UNREADABLE = (
    f"GET /v1/games?q={SECRET} HTTP/1.1\r\nHost: localhost\r\n\r\n",  # spaces: no request line
    f"GET /v1/games HTTP/1.1\r\nHost: localhost\r\n{SECRET}: 1\r\n\r\n",
    f"GET /v1/games HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: {SECRET}\r\n\r\n",
    f"GET /v1/games HTTP/1.1\r\nHost: localhost\r\nExpect: {SECRET}\r\n\r\n",
)


@pytest.mark.parametrize("form", ["text", "json"])
def test_what_is_no_http_is_not_repeated_in_the_log_nor_who_sent_it(tmp_path: Path, form: str) -> None:
    on = {"RULEGLOT_LOG": form, "RULEGLOT_DATA": str(tmp_path)}
    with serving(tmp_path / "log", WEB_CONCURRENCY="1", **on) as server:
        for sent in UNREADABLE:
            with socket.create_connection(("127.0.0.1", server.port), timeout=SECONDS) as connection:
                connection.sendall(sent.encode())
                assert connection.recv(100).startswith(b"HTTP/1.1 4")
    told = (tmp_path / "log").read_text().replace(f"http://127.0.0.1:{server.port}", "")
    assert told.count("a request that could not be read as HTTP was refused") == len(UNREADABLE)
    for hidden in ("fox", "ip=", "127.0.0.1"):
        assert hidden not in told, hidden


def test_what_gunicorn_says_of_an_error_has_neither_address_nor_sentence(
    caplog: pytest.LogCaptureFixture,
) -> None:
    gunicorn = logging.getLogger("gunicorn.error")
    leaves_out = NothingSent()
    gunicorn.addFilter(leaves_out)
    try:
        raise RuntimeError(SECRET)
    except RuntimeError:
        gunicorn.exception("Error handling request %s %s", "GET", f"/v1/games?q={SECRET}")
    finally:
        gunicorn.removeFilter(leaves_out)
    assert "a request could not be answered" in caplog.text
    assert "RuntimeError" in caplog.text
    assert "fox" not in caplog.text


def test_an_error_that_nobody_expected_is_told_without_what_was_sent(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    client = create_app(ALL_ON | {"ACCESS_LOG": "off"}).test_client()

    def breaks(*_: Any, **__: Any) -> Any:
        raise KeyError(SECRET)

    view = next(rule.endpoint for rule in client.application.url_map.iter_rules() if rule.rule == "/v1/games")
    monkeypatch.setitem(client.application.view_functions, view, breaks)
    answer = client.get(f"/v1/games?lang=fr&q={SECRET}")
    assert (answer.status_code, answer.get_json()["code"]) == (500, "server-error")
    (record,) = caplog.records
    line = orjson.loads(JsonLines().format(record))
    assert SECRET not in str(line)
    assert f"unexpected error in GET {view}" in line["message"]
    assert "KeyError" in line["message"]
    assert f"{Path(__file__).name}:" in line["message"], "the place is what helps"


def test_another_errors_own_sentence_is_left_out(caplog: pytest.LogCaptureFixture) -> None:
    token = REQUEST_ID.set("request-7")
    try:
        try:
            raise ValueError(SECRET)
        except ValueError as error:
            raise RuntimeError(SECRET) from error
    except RuntimeError as error:
        logging.getLogger("gunicorn.error").error("worker said", exc_info=error)
        line = orjson.loads(JsonLines().format(caplog.records[-1]))
    finally:
        REQUEST_ID.reset(token)
    assert (line["level"], line["logger"], line["request"]) == ("error", "gunicorn.error", "request-7")
    assert SECRET not in str(line)
    assert [part for part in line["error"] if part.endswith("Error")] == ["RuntimeError", "ValueError"]


def test_an_access_log_that_nobody_reads_costs_no_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    client = create_app({"ACCESS_LOG": "on"}).test_client()

    def full(*_: Any) -> int:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.write", full)
    assert client.get("/healthz").status_code == 200
