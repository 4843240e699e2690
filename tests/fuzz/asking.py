"""The service's own functions, asked without HTTP: bytes in, bytes out, or a refusal."""

from __future__ import annotations

import json
from functools import cache, cached_property
from typing import Any, NamedTuple

import jsonschema_rs
import orjson

from engine.exceptions import Unreadable
from engine.game import Game
from service import audits, checks, openapi, problems, table, transcripts
from service.answers import encode
from service.games import GAMES
from service.languages import reader
from service.requests import AuditReader, CheckReader, ReplayReader

NAVAJO, JULIAN = "navajo-wars", "julian"


class Case(NamedTuple):
    """One request and the operation it is put to."""

    game: str
    operation: str  # as `ruleglot` calls it: check, audit, replay
    body: dict[str, Any]


class Said:
    """What was answered."""

    def __init__(self, status: int, text: bytes) -> None:
        self.status, self.text = status, text

    @cached_property
    def body(self) -> dict[str, Any]:
        """The answer, read."""
        found: dict[str, Any] = orjson.loads(self.text)
        return found


def written(body: dict[str, Any]) -> bytes:
    """As a client writes it, numbers beyond 64 bits included."""
    try:
        return orjson.dumps(body)
    except TypeError:
        return json.dumps(body).encode()


class Service:
    """All that can be asked, and how often it was."""

    def __init__(self) -> None:
        self.calls = 0
        self._readers = {
            (name, operation): reads(game)
            for name, game in GAMES.items()
            for operation, reads in (("check", CheckReader), ("audit", AuditReader), ("replay", ReplayReader))
        }

    def ask(self, case: Case, lang: str | None = None) -> Said:
        """One call; an exception that is no refusal is a failure, and is not caught."""
        self.calls += 1
        body = case.body if lang is None else {**case.body, "lang": lang}
        game, reads = GAMES[case.game], self._readers[case.game, case.operation]
        try:
            found = reads.answer(
                written(body),
                lambda asked: encode(_answer(game, case.operation, asked, asked.lang or "en")),
            )
        except (problems.Problem, Unreadable) as error:
            problem = problems.unreadable(error) if isinstance(error, Unreadable) else error
            return Said(problems.PROBLEMS[problem.code][0], encode(problems.told(problem, reader("en"))))
        return Said(200, found)


def _answer(game: Game, operation: str, asked: Any, lang: str) -> Any:
    if operation == "check":
        return checks.answer(game, asked, lang)
    if operation == "audit":
        return audits.answer(game, asked, lang)
    return transcripts.answer(game, asked, lang)


@cache
def _described() -> dict[str, Any]:
    found: dict[str, Any] = openapi.document(table.operations())["components"]
    return found


@cache
def validator(name: str) -> jsonschema_rs.Draft202012Validator:
    """Of a schema that the contract shows."""
    return jsonschema_rs.Draft202012Validator(
        {"$ref": f"#/components/schemas/{name}", "components": _described()}
    )


def schema_of(case: Case, status: int) -> str:
    """The name of the schema of an answer."""
    if status != 200:
        return "ProblemBody"
    return f"{case.game.title().replace('-', '')}{case.operation.title()}Answer"
