"""Everything that was found wrong in the rules has an example where it holds and one where it bites, and its place."""

from __future__ import annotations

import re
from typing import Any

import msgspec
import pytest

from engine.testing import Example
from tests.impossible import CASES
from tests.shown import TESTS, all_shown

REVIEWED: dict[str, Any] = msgspec.toml.decode((TESTS / "engine" / "reviewed.toml").read_bytes())
SHOWN: dict[str, Example] = {str(one): one.example for one in all_shown()}
FOUND = [f"N{number}" for number in range(1, 18)] + [f"J{number}" for number in range(1, 12)]
PLACE = re.compile(r"(00[1-4]) \S|(00[1-4]), (00[1-4]) \S")


def test_nothing_is_left_out() -> None:
    assert list(REVIEWED) == FOUND


@pytest.mark.parametrize("name", FOUND)
def test_it_holds_and_it_bites_by_a_place_in_the_documents(name: str) -> None:
    about = REVIEWED[name]
    assert PLACE.match(about["place"])
    if "audits" in about:  # each of these has a position with it and one without
        assert set(about["audits"]) <= {case.finding for case in CASES}
        return
    assert about["holds"] != about["bites"]
    holds, bites = SHOWN[about["holds"]], SHOWN[about["bites"]]
    assert _outcome(holds) != _outcome(bites)


def _outcome(example: Example) -> Any:
    """What an example expects, put in and steps left out."""
    said = ("ruling", "reasons", "unknowns", "events", "pending", "options", "issues", "cautions", "changes")
    return [getattr(example, name) for name in said] + [
        [getattr(step, name) for name in said] for step in example.steps
    ]
