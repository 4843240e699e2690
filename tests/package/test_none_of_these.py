"""Where an empty line leaves a fact out, “none of these” is said by a mark of its own."""

from __future__ import annotations

from typing import Any

import pytest

from ruleglot.talking import Talk
from ruleglot.typed_answers import LEFT_OUT, answer

SOME: dict[str, Any] = {
    "type": "some",
    "least": 0,
    "most": 2,
    "options": [{"value": "a", "text": "Raid"}, {"value": "b", "text": "Fort"}],
}


@pytest.mark.parametrize(
    ("typed", "optional", "value"),
    [
        ([""], False, []),
        ([""], True, LEFT_OUT),
        (["-"], True, []),
        (["－"], True, []),  # as a Japanese keyboard types it
        (["- 1", "2"], True, ["b"]),
        (["1 2"], True, ["a", "b"]),
        (["-", ""], False, []),
    ],
)
def test_none_of_these(typed: list[str], optional: bool, value: Any) -> None:
    said: list[str] = []
    lines = iter(typed)
    talk = Talk("en", lambda _: next(lines), said.append)
    found = answer(SOME, talk, optional=optional)
    assert found is value or found == value
    assert not list(lines)
    assert any("none of these" in line for line in said) == optional
