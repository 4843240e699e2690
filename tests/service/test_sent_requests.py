"""The requests of tests/requests that are written as commands: each line is sent as it stands."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from flask.testing import FlaskClient

REQUESTS = Path(__file__).parent.parent / "requests"
LINE = re.compile(r"^curl .*\$\{1:-8000\}(?P<path>/\S+) .* -d '(?P<body>.*)'$", re.MULTILINE)
SENT = [
    pytest.param(line["path"], line["body"], id=f"{path.stem}-{number}")
    for path in sorted(REQUESTS.glob("*.sh"))
    for number, line in enumerate(LINE.finditer(path.read_text()))
]


def strange(plain: Any, pointer: str = "") -> list[tuple[str, str]]:
    """Where a body has a name or a value that looks like another program's sentence, and which."""
    if isinstance(plain, list):
        return [found for number, one in enumerate(plain) for found in strange(one, f"{pointer}/{number}")]
    if isinstance(plain, dict):
        here = [(f"{pointer}/{key}", key) for key in plain if " - at " in key]
        return here + [found for key, one in plain.items() for found in strange(one, f"{pointer}/{key}")]
    return [(pointer, plain)] if isinstance(plain, str) and " - at " in plain else []


@pytest.mark.parametrize(("path", "body"), SENT)
def test_what_is_wrong_is_named_at_its_place(client: FlaskClient, path: str, body: str) -> None:
    ((pointer, name),) = strange(json.loads(body))
    answer = client.post(path, data=body, content_type="application/json")
    assert answer.status_code == 422
    (error,) = answer.get_json()["errors"]
    assert error["pointer"] == pointer
    assert f"“{name}”" in error["detail"]


def test_every_line_is_sent() -> None:
    lines = [line for path in REQUESTS.glob("*.sh") for line in path.read_text().splitlines()]
    assert len(SENT) == sum(line.startswith("curl") for line in lines) == 9
