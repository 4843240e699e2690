"""Answers that the document shows: what the operations really answer, with long lists cut to their first entries.

They are kept in openapi/answers.json, because a server need not answer forty questions before it starts.
"""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

from flask import Flask
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from service import problems, search
from service.operations import JSON, Operation, serve

OK = 200
ENTRIES = 2  # of a list that are shown
CHARACTERS = 400  # of what is no JSON
# What is shown as it is: a position of which a part was cut would be another one.
WHOLE = ("position", "example", "request", "action", "parameters", "agenda", "svg")


def file() -> Path:
    """Inside an installed wheel, or beside the packages in a checkout."""
    here = Path(__file__).parent
    installed = here / "answers.json"
    return installed if installed.exists() else here.parent / "openapi" / "answers.json"


@cache
def kept() -> dict[str, Any]:
    """The answers by the ids of their operations, as they were when the document was last made."""
    found: dict[str, Any] = json.loads(file().read_bytes()) if file().exists() else {}
    return found


def keep(operations: list[Operation]) -> None:
    """Ask everything, and keep the answers."""
    written = json.dumps(asked_today(operations), ensure_ascii=False, indent=1)
    file().write_text(f"{written}\n", encoding="utf-8")
    kept.cache_clear()


def asked_today(operations: list[Operation]) -> dict[str, Any]:
    """What is answered today, a play included."""
    from service import shown_plays  # noqa: PLC0415  it needs the application, which needs this

    played = shown_plays.of()
    shown = {name: _shown(answer) for name, answer in played.items()}
    same: dict[str, Any] = json.loads(
        shown_plays.always_the_same(json.dumps(shown, ensure_ascii=False), played)
    )
    return of(operations) | same


def of(operations: list[Operation]) -> dict[str, Any]:
    """By the id of its operation, what an answer looks like; one that there is no example of is left out."""
    app = Flask("shown", static_folder=None)
    problems.register(app)
    serve(app, operations)
    search.warm()  # or it would not be ready
    client = app.test_client()
    answered = {operation.id: _answer(client, operation) for operation in operations}
    return {name: _shown(answer) for name, answer in answered.items() if answer.status_code == OK}


def in_form(name: str, media: str) -> str:
    """Under which name an answer is kept that an operation gives in several forms."""
    return f"{name} {media}"


def _answer(client: FlaskClient, operation: Operation) -> TestResponse:
    if operation.examples is None:
        return client.get(operation.shown or operation.path)
    request = next(iter(operation.examples().values()))["value"]
    return client.post(operation.path, json=request)


def _shown(answer: TestResponse) -> Any:
    if answer.mimetype == JSON:
        return shortened(answer.get_json())
    text = answer.get_data(as_text=True)
    return text if len(text) <= CHARACTERS else f"{text[:CHARACTERS]}…"


def shortened(value: Any) -> Any:
    """A value with the first entries of its lists."""
    if isinstance(value, list):
        return [shortened(one) for one in value[:ENTRIES]]
    if isinstance(value, dict):
        return {key: part if key in WHOLE else shortened(part) for key, part in value.items()}
    return value
