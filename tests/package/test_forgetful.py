"""Whoever has forgotten facts of his table types through to what comes of his answer on the whole table.

FORGETFUL_PLAYS=600 plays so many (`make fuzz`), FIRST=… others; PLAY=… a single one, named by a failure.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

from service.terms import LANGUAGES
from tests.games.forgetting import Fault, Went, forgotten, moment, summed_up
from tests.package.forgetful import Player

PLAYS = int(os.environ.get("FORGETFUL_PLAYS", "40"))
FIRST = int(os.environ.get("FIRST", "0"))


def played(folder: Path, number: int) -> tuple[Went, str]:
    """One play, always the same for its number, and what was wrong with it."""
    random = Random(number)
    found = moment(random, FIRST)
    while found.table.choices:  # the companion reads no rule otherwise
        found = moment(random, FIRST)
    gone = forgotten(found, random)
    lang = LANGUAGES[number % len(LANGUAGES)]
    player = Player(found, gone, random, lang, folder / f"{number}.json")
    try:
        return player.run(), ""
    except Fault as fault:
        return player.went, "\n".join([f"PLAY={number}: {fault}", *player.log])


def test_what_was_forgotten_is_asked_for_and_nothing_is_lost(
    tmp_path: Path, record_property: Callable[[str, Any], None]
) -> None:
    only = os.environ.get("PLAY")
    numbers = [int(only)] if only else range(FIRST, FIRST + PLAYS)
    went = [played(tmp_path, number) for number in numbers]
    record_property("figures", f"in the terminal: {summed_up([one for one, _ in went])}")
    faults = [fault for _, fault in went if fault]
    assert not faults, "\n\n".join(faults)
