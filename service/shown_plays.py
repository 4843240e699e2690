"""Answers about a play that the document shows: one is really played, and what is random in it is written the same."""

from __future__ import annotations

import re
import tempfile
from typing import Any

from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from service import examples
from service.app import create_app
from service.bodies import schema_prefix
from service.games import GAMES
from service.play_records import ENDINGS, REPORTS
from service.shown_answers import in_form

MOMENT = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d[^\"]*")
SHOWN_MOMENT = "2026-01-01T20:00:00Z"


def of() -> dict[str, TestResponse]:
    """By the id of its operation, what each answers in one session."""
    with tempfile.TemporaryDirectory() as folder:
        app = create_app({"LIMITS": "off", "STORE": f"sqlite:///{folder}/plays.sqlite"})
        client = app.test_client()
        started = {f"start{schema_prefix(game)}Play": _started(client, name) for name, game in GAMES.items()}
        return {**started, **_Session(client).answers()}


def always_the_same(text: str, answers: dict[str, TestResponse]) -> str:
    """A text without what is random in it: ids, keys, codes and moments."""
    for answer in answers.values():
        told = answer.get_json(silent=True) or {}
        for name, shown in (
            ("id", "the-id-of-the-play"),
            ("key", "the-key-of-the-play"),
            ("code", "A1B2C3D4E5"),
        ):
            if isinstance(told.get(name), str):
                text = text.replace(told[name], shown)
    return MOMENT.sub(SHOWN_MOMENT, text)


def _started(client: FlaskClient, name: str) -> TestResponse:
    request = next(iter(examples.of_replays(GAMES[name]).values()))["value"]
    return client.post(f"/v1/games/{name}/plays", json={"position": request["position"], "name": "Tuesday"})


class _Session:
    """One play from its start to its end."""

    def __init__(self, client: FlaskClient) -> None:
        self._client = client
        name = next(iter(GAMES))
        self._game = GAMES[name]
        self._request = next(iter(examples.of_replays(self._game).values()))["value"]
        started = _started(client, name).get_json()
        self._at = f"/v1/plays/{started['id']}"
        self._signed = {"Authorization": f"Bearer {started['key']}"}
        self._version = started["version"]

    def answers(self) -> dict[str, TestResponse]:
        """What is answered, in the order in which it is asked."""
        issue = next(iter(self._game.catalogue.issues.values()))
        pointer, value = _a_fact(self._request["position"], "")
        found = {"makeMove": self._change("/moves", self._request["moves"][0])}
        found["undoMoves"] = self._change("/undo", {"moves": 1})
        found["redoMoves"] = self._change("/redo", {"moves": 1})
        found["correctPlay"] = self._change(
            "/corrections", {"tell": {pointer: value}, "note": "Counted again"}
        )
        found["readOtherwise"] = self._change("/readings", {"choices": {issue.name: issue.preferred}})
        found["renamePlay"] = self._change("", {"name": "Wednesday"}, "patch")
        for name, part in (
            ("getPlay", ""),
            ("listMoves", "/moves?limit=1"),  # how many more fit on a page depends on what they cost
            *((in_form("getReportFile", media), f"/report.{ending}") for ending, media in ENDINGS.items()),
            ("getTranscript", "/transcript"),
            ("getComponents", "/components"),
        ):
            found[name] = self._client.get(f"{self._at}{part}")
        for media in REPORTS:
            preferred = {"Accept": media}
            found[in_form("getReport", media)] = self._client.get(f"{self._at}/report", headers=preferred)
        act = self._request["moves"][0]["action"]
        found["listPlayOptions"] = self._client.post(f"{self._at}/options", json={"kinds": [act["kind"]]})
        found["getPlayOdds"] = self._client.post(f"{self._at}/odds", json={"action": act})
        found["verifyPlay"] = self._client.post(f"{self._at}/verify", headers=self._signed)
        found["makeCode"] = self._client.post(f"{self._at}/codes", headers=self._signed)
        code = found["makeCode"].get_json()["code"]
        found["joinPlay"] = self._client.post("/v1/plays/join", json={"code": code})
        found["listKeys"] = self._client.get(f"{self._at}/keys", headers=self._signed)
        return found

    def _change(self, part: str, body: Any, method: str = "post") -> TestResponse:
        meant = {**self._signed, "If-Match": f'"{self._version}"'}
        answer = self._client.open(f"{self._at}{part}", method=method.upper(), json=body, headers=meant)
        self._version = answer.get_json()["version"]
        return answer


def _a_fact(told: Any, pointer: str) -> tuple[str, Any]:
    """The first fact of a position, and where it stands."""
    if isinstance(told, dict) and told:
        name, inside = next(iter(told.items()))
        return _a_fact(inside, f"{pointer}/{name}")
    return pointer, told
