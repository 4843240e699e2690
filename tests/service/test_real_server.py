"""A real gunicorn as `make run` starts it, the command line, and the page at /docs."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import requests

from tests.service.sent import AMBUSH, CHECK, EVADE, put
from tests.service.server import ROOT, SECONDS, serving


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Where a gunicorn with the project's own settings answers."""
    log = tmp_path_factory.mktemp("gunicorn") / "log"
    with serving(log) as server:
        yield server.address
    assert "Traceback" not in log.read_text(), log.read_text()


def test_it_is_well(address: str) -> None:
    response = requests.get(f"{address}/healthz", timeout=SECONDS)
    assert response.status_code == 200
    assert response.json()["status"] == "ok"


def test_a_check_is_answered_in_french_and_japanese(address: str) -> None:
    french = requests.post(address + CHECK, json={**AMBUSH, "lang": "fr"}, timeout=SECONDS)
    assert french.status_code == 200
    assert french.headers["Content-Language"] == "fr"
    assert french.json()["ruling"] == "illegal"
    assert french.json()["headline"].startswith("Embuscade")
    japanese = requests.post(
        address + CHECK, json=AMBUSH, headers={"Accept-Language": "ja-JP,ja;q=0.9"}, timeout=SECONDS
    )
    assert japanese.encoding in (None, "utf-8")
    assert "軍事ポイント" in japanese.json()["headline"]


def test_an_evade_goes_on_at_another_worker(address: str) -> None:
    paused = requests.post(address + CHECK, json=EVADE, timeout=SECONDS).json()
    for _ in range(4):  # whichever worker answers: nothing is kept on the server
        body = {"position": paused["position"], "action": {"kind": "continue"}, "inputs": [{"die": 4}]}
        went_on = requests.post(address + CHECK, json=body, timeout=SECONDS).json()
        assert went_on["position"]["families"]["A"]["at"] == "shiprock-5"


def test_failures_are_problems_here_too(address: str) -> None:
    for body, status, code in (
        (json.dumps(AMBUSH)[:-1], 400, "not-json"),
        ("", 400, "not-json"),
        (json.dumps(put(AMBUSH, ("position", "tracks", "ap"), 99)), 422, "unreadable"),
        (json.dumps(AMBUSH) + " " * 70_000, 413, "too-large"),
    ):
        headers = {"Content-Type": "application/json", "Accept-Language": "it"}
        response = requests.post(address + CHECK, data=body, headers=headers, timeout=SECONDS)
        assert (response.status_code, response.json()["code"]) == (status, code)
        assert response.headers["Content-Type"] == "application/problem+json"
        assert response.headers["Content-Language"] == "it"
    in_chunks = requests.post(
        address + CHECK,
        data=iter([json.dumps(AMBUSH).encode(), b" " * 200_000]),
        headers={"Content-Type": "application/json"},
        timeout=SECONDS,
    )
    assert (in_chunks.status_code, in_chunks.json()["code"]) == (411, "length-required")


# -- the page at /docs -------------------------------------------------------------------------------


def test_the_page_comes_from_here_with_everything_it_needs(address: str) -> None:
    page = requests.get(f"{address}/docs", timeout=SECONDS)
    assert page.status_code == 200
    assert page.headers["Content-Type"].startswith("text/html")
    at_the_table = requests.get(address, timeout=SECONDS).text
    assert 'href="/docs/"' in at_the_table, "the page at the table leads programs there"
    elsewhere = [url for url in re.findall(r"""(?:https?:)?//[^\s"'<>)]+""", page.text) if address not in url]
    assert not [url for url in elsewhere if "." in url], "the page needs nothing from anywhere else"
    assets = re.findall(r'(?:src|href)="([^"]+)"', page.text)
    assert len(assets) >= 4
    for asset in assets:
        assert asset.startswith("/docs/")
        found = requests.get(address + asset, timeout=SECONDS)
        assert found.status_code == 200
        assert found.content
    assert '"validatorUrl": null' in page.text, "or the page asks validator.swagger.io"


def test_the_page_shows_the_document_of_this_service(address: str) -> None:
    page = requests.get(f"{address}/docs/", timeout=SECONDS).text
    assert '"url": "/openapi.json"' in page
    document = requests.get(f"{address}/openapi.json", timeout=SECONDS).json()
    assert document["openapi"].startswith("3.1")
    assert CHECK in document["paths"]


# -- the command line --------------------------------------------------------------------------------


def ruleglot(*arguments: str, sent: Any = None, cwd: Path = ROOT) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [str(Path(sys.executable).with_name("ruleglot")), *arguments],
        input=None if sent is None else json.dumps(sent),
        capture_output=True,
        text=True,
        cwd=cwd,
        timeout=SECONDS,
        check=False,
    )


def test_check_from_standard_input_in_french() -> None:
    said = ruleglot("check", "-", "--lang", "fr", sent=AMBUSH)
    assert said.returncode == 1, said.stderr
    first, *more = said.stdout.splitlines()
    assert first.startswith("Embuscade (5.2.1)")
    assert any(line.startswith("  ✗") and "Military Points" in line and "[5.2.1]" in line for line in more)
    assert any(line.startswith("  ✓") for line in more)


def test_check_from_a_file_as_json(tmp_path: Path) -> None:
    (tmp_path / "request.json").write_text(json.dumps({**EVADE, "inputs": [{"die": 6}], "lang": "ja"}))
    said = ruleglot("check", "request.json", "--json", cwd=tmp_path)
    assert said.returncode == 0, said.stderr
    answer = json.loads(said.stdout)
    assert answer["lang"] == "ja"
    assert answer["pending"]["name"] == "evade-where"


@pytest.mark.parametrize(
    ("sent", "said_in_italian"),
    [
        ({**AMBUSH, "spam": 1}, "spam"),
        (put(AMBUSH, ("position", "families", "Z"), {}), "Z"),
        ({**AMBUSH, "choices": {"who-wins": "me"}}, "who-wins"),
        ([], "{…}"),
    ],
)
def test_check_says_what_is_wrong_in_the_readers_language(sent: Any, said_in_italian: str) -> None:
    english, italian = (ruleglot("check", "-", "--lang", lang, sent=sent) for lang in ("en", "it"))
    for said in (english, italian):
        assert said.returncode == 2
        assert "Traceback" not in said.stderr
        assert said_in_italian in said.stderr
    assert english.stderr != italian.stderr
