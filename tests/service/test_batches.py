"""POST …/check/batch: several actions on one position."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from flask.testing import FlaskClient

from tests.bench import full_position
from tests.service.sent import CHECK

BATCH = f"{CHECK}/batch"
Ask = Callable[..., dict[str, Any]]
ACTIONS: list[dict[str, Any]] = [
    {"action": {"kind": "ambush", "family": "A"}},
    {"action": {"kind": "evade", "family": "A"}, "inputs": [{"die": 6}]},
    {"action": {"kind": "evade", "family": "F"}},
    {"action": {"kind": "planning"}},
    {"action": {"kind": "evade", "family": "A"}, "inputs": [{"die": 7}]},
    {"action": {"kind": "continue"}},
]


@pytest.mark.parametrize("lang", ["fr", "ja", "all"])
def test_each_answer_is_that_of_a_check_by_itself(ask: Ask, lang: str) -> None:
    position = full_position()
    answer = ask({"position": position, "actions": ACTIONS, "lang": lang}, BATCH)
    assert answer["results"] == [ask({"position": position, **one, "lang": lang}) for one in ACTIONS]


def test_no_action_sees_what_another_has_done(ask: Ask) -> None:
    twice = [{"action": {"kind": "ambush", "family": "A"}}] * 2
    first, second = ask({"position": full_position(), "actions": twice}, BATCH)["results"]
    assert first == second


def test_an_empty_batch_has_no_results(ask: Ask) -> None:
    assert ask({"position": {}, "actions": []}, BATCH)["results"] == []


@pytest.mark.parametrize(
    ("actions", "pointer", "code"),
    [
        ([{"action": {"kind": "planning"}}] * 51, "/actions", "too-many"),
        ([{"action": {"kind": "planning"}, "inputs": [{"die": 1}] * 200}] * 3, "/actions", "too-many"),
        ([{"action": {"kind": "planning"}}, {}], "/actions/1/action", "missing-field"),
        ([{"action": {"kind": "evade", "family": "Z"}}], "/actions/0/action/family", "unknown-value"),
    ],
)
def test_what_cannot_be_read_says_where(client: FlaskClient, actions: Any, pointer: str, code: str) -> None:
    response = client.post(BATCH, json={"position": {}, "actions": actions})
    assert (response.status_code, response.content_type) == (422, "application/problem+json")
    assert (pointer, code) in [(one["pointer"], one["code"]) for one in response.get_json()["errors"]]


def test_an_action_among_the_answers_that_cannot_be_read_says_where(client: FlaskClient) -> None:
    raid = {"procedure": "enemy-raid", "step": "player-reaction", "memory": {"entered": "shiprock-4"}}
    actions = [
        {"action": {"kind": "continue"}},
        {"action": {"kind": "continue"}, "inputs": [{"choose": {"kind": "evade", "family": "Z"}}]},
    ]
    response = client.post(
        BATCH, json={"position": {**full_position(), "agenda": [raid]}, "actions": actions}
    )
    assert response.status_code == 422
    (error,) = response.get_json()["errors"]
    assert error["pointer"] == "/actions/1/inputs/0/choose/family"
