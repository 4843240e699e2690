"""Every worked example and playthrough comes out as its file says."""

from __future__ import annotations

import pytest
from msgspec import UNSET

from engine.testing import Expected, differences
from tests.shown import Shown, all_shown, played


@pytest.mark.parametrize("one", all_shown(), ids=str)
def test_comes_out_as_written(one: Shown) -> None:
    for number, outcome in enumerate(played(one)):
        wrong = differences(outcome)
        assert not wrong, f"{one}, request {number + 1}:\n" + "\n".join(wrong)


@pytest.mark.parametrize("one", all_shown(), ids=str)
def test_expects_something(one: Shown) -> None:
    for request in (one.example, *one.example.steps):
        stated = {name for name in Expected.__struct_fields__ if getattr(request, name) is not UNSET}
        assert stated & {"ruling", "unreadable"}, f"{one} does not say what the ruling is"
        if request.ruling == "illegal":
            assert request.reasons, f"{one} is refused without saying why"
        if request.ruling == "undetermined":
            assert request.unknowns, f"{one} is undetermined without saying which fact is missing"
