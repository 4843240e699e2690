"""The README shows real requests and real answers."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from service.app import create_app

README = (Path(__file__).parents[2] / "README.md").read_text(encoding="utf-8")
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
