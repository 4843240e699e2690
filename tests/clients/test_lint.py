"""Two linters find nothing in the contract that is not answered in their committed settings."""

from __future__ import annotations

import json
from pathlib import Path

from tests.clients.tools import node_program, run

SETTINGS = Path(__file__).parents[2] / "openapi"
BAD = """
openapi: 3.1.0
info: {title: A document with an operation that has no name, version: "1"}
paths: {/: {get: {responses: {"200": {description: something}}}}}
"""


def redocly(contract: Path) -> list[str]:
    settings = ["--config", str(SETTINGS / "redocly.yaml"), "--format", "json"]
    command = [*node_program("redocly"), "lint", str(contract), *settings]
    said = run(command, contract.parent, REDOCLY_TELEMETRY="off").stdout
    found = json.loads(said[said.index("{") :])
    return [f"{one['ruleId']}: {one['message']}" for one in found["problems"]]


def spectral(contract: Path) -> list[str]:
    settings = ["--ruleset", str(SETTINGS / "spectral.yaml"), "--format", "json", "--quiet"]
    found = run([*node_program("spectral"), "lint", str(contract), *settings], contract.parent)
    return [f"{one['code']} at {'/'.join(map(str, one['path']))}" for one in json.loads(found.stdout)]


def test_redocly_finds_nothing(contract: Path) -> None:
    assert redocly(contract) == []


def test_spectral_finds_nothing(contract: Path) -> None:
    assert spectral(contract) == []


def test_they_would_find_something(tmp_path: Path) -> None:
    bad = tmp_path / "bad.yaml"
    bad.write_text(BAD, encoding="utf-8")
    assert any("operationId" in one for one in redocly(bad))
    assert any("operationId" in one for one in spectral(bad))
