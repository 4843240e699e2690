"""Whoever has forgotten facts of his table taps through to what comes of his answer on the whole table.

FORGETFUL_PLAYS=600 plays so many (`make fuzz`), FIRST=… others; PLAY=… a single one, named by a failure.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from random import Random
from typing import Any

import pytest
from flask import Flask

from service.terms import LANGUAGES
from tests.games.forgetting import Fault, Went, forgotten, moment, summed_up
from tests.pages.forgetful import Player

PLAYS = int(os.environ.get("FORGETFUL_PLAYS", "20"))
FIRST = int(os.environ.get("FIRST", "0"))
PARTS = 2  # in which they are played side by side


def played(app: Flask, number: int) -> tuple[Went, str]:
    """One play, always the same for its number, and what was wrong with it."""
    random = Random(number)
    found = moment(random, FIRST)
    gone = forgotten(found, random)
    player = Player(app, found, gone, random, LANGUAGES[number % len(LANGUAGES)])
    try:
        return player.run(), ""
    except Fault as fault:
        return player.went, "\n".join([f"PLAY={number}: {fault}", *player.lines])


@pytest.mark.parametrize("part", range(PARTS))
def test_what_was_forgotten_is_asked_for_and_nothing_is_lost(
    app: Flask, part: int, record_property: Callable[[str, Any], None]
) -> None:
    only = os.environ.get("PLAY")
    numbers = [int(only)] if only else range(FIRST + part, FIRST + PLAYS, PARTS)
    went = [played(app, number) for number in numbers]
    record_property("figures", f"on the page: {summed_up([one for one, _ in went])}")
    faults = [fault for _, fault in went if fault]
    assert not faults, "\n\n".join(faults)
