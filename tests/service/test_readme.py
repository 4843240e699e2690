"""The README shows real requests and real answers, and its commands run as they are printed."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from service.app import create_app
from tests.package.serving import running

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")
COMMANDS = re.findall(r"```console\n(.*?)```", README, re.DOTALL)
REQUESTS = [json.loads(body) for body in re.findall(r"-d '\n(.*?)'\n", README, re.DOTALL)]
ANSWERS = [json.loads(body) for body in re.findall(r"```json\n(.*?)```", README, re.DOTALL)]


def test_there_are_two_requests_and_three_answers() -> None:
    assert len(REQUESTS) == 2
    assert len(ANSWERS) == 3


@pytest.mark.parametrize(
    ("request_sent", "shown"),
    [
        (REQUESTS[0], ANSWERS[0]),
        ({**REQUESTS[0], "lang": "ja"}, ANSWERS[1]),
        (REQUESTS[1], ANSWERS[2]),
    ],
    ids=["ambush in French", "ambush in Japanese", "evade"],
)
def test_the_answer_shown_is_the_real_one(request_sent: dict[str, Any], shown: dict[str, Any]) -> None:
    path = re.search(r"http://127\.0\.0\.1:8000(/v1/\S+)", README)
    assert path
    answer = create_app().test_client().post(path[1], json=request_sent).get_json()
    assert {name: answer[name] for name in shown} == shown


def test_the_pictures_of_the_page_are_there_and_small() -> None:
    shown = re.findall(r'<img src="([^"]+)"', README)
    assert len(shown) == 3
    for picture in shown:
        file = Path(__file__).parents[2] / picture
        assert file.read_bytes()[:8] == b"\x89PNG\r\n\x1a\n"
        assert file.stat().st_size < 100_000


@pytest.mark.parametrize("commands", COMMANDS)
def test_the_commands_run_as_they_are_printed(commands: str) -> None:
    """Only the port is another one, as somebody may use that of the README."""
    beside_python = str(Path(sys.executable).parent)
    with running(create_app()) as address:
        done = subprocess.run(
            ["bash", "-euo", "pipefail", "-c", commands.replace("http://127.0.0.1:8000", address)],
            cwd=ROOT,
            env={**os.environ, "PATH": f"{beside_python}:{os.environ['PATH']}", "PYTHONUTF8": "1"},
            capture_output=True,
            text=True,
            timeout=300,
            check=False,
        )
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip()
    assert "urn:ruleglot:problem" not in done.stdout


def test_there_are_commands_to_run() -> None:
    assert len(COMMANDS) == 4
    assert "ruleglot ask" in COMMANDS[0]


def test_what_the_readme_points_to_is_there() -> None:
    pages = [*ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md"), *(ROOT / "docs" / "releases").glob("*.md")]
    assert len(pages) > 10
    for page in pages:
        for target in re.findall(r"\]\((?!https?:)([^)#\s]+)", page.read_text(encoding="utf-8")):
            assert (page.parent / target).exists(), (page.name, target)


def test_the_targets_of_make_are_there() -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    pages = README + (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    for target in re.findall(r"^(?:\$ )?make ([a-z-]+)", pages, re.MULTILINE):
        assert f"\n{target}:" in makefile, target


def test_serving_installs_only_what_it_needs() -> None:
    planned = subprocess.run(
        ["make", "--always-make", "--dry-run", "run"], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout
    assert "requirements.lock" in planned
    assert "requirements-dev.lock" not in planned
