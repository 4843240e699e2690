"""Every way to win or lose has an example that ends that way."""

from __future__ import annotations

import pytest

from engine.navajo_wars.position import Outcome
from tests.shown import all_shown, played

MAJOR_VICTORY, MINOR_VICTORY = "major-victory", "minor-victory"
MINOR_DEFEAT, MAJOR_DEFEAT = "minor-defeat", "major-defeat"
ENDINGS = [
    ("nw:8.2.s3.major-defeat", MAJOR_DEFEAT),
    ("nw:12.1.when", MAJOR_DEFEAT),
    ("nw:12.2.roll", MAJOR_VICTORY),
    *(("nw:12.3.scenario", result) for result in (MAJOR_VICTORY, MINOR_VICTORY, MINOR_DEFEAT, MAJOR_DEFEAT)),
    ("nw:6.2.1.s2.defeat", MAJOR_DEFEAT),
    ("nw:6.2.2.s2.defeat", MAJOR_DEFEAT),
    ("nw:6.2.3.s2.defeat", MAJOR_DEFEAT),
    ("nw:6.2.3.s3.major-victory", MAJOR_VICTORY),
    ("nw:6.2.3.s3.war", MAJOR_VICTORY),
    ("nw:6.2.3.s3.war", MAJOR_DEFEAT),
    ("nw:6.2.3.s5.minor-defeat", MINOR_DEFEAT),
    ("nw:6.2.3.s5.major-defeat", MAJOR_DEFEAT),
    ("nw:6.2.3.s6.minor-victory", MINOR_VICTORY),
    ("nw:6.2.3.s7.compare", MINOR_VICTORY),
    ("nw:6.2.3.s9.final", MINOR_VICTORY),
    ("nw:6.2.3.s9.final", MINOR_DEFEAT),
]


def _reached() -> set[tuple[str, str]]:
    """Every end an example or playthrough comes to."""
    answers = [outcome.answer for one in all_shown() for outcome in played(one) if outcome.answer]
    ends = [
        answer.position.outcome for answer in answers if answer.events and hasattr(answer.position, "outcome")
    ]
    return {(end.rule, end.result) for end in ends if isinstance(end, Outcome)}


def test_every_way_to_win_or_lose_has_an_example() -> None:
    reached = _reached()
    assert not set(ENDINGS) - reached
    assert not reached - set(ENDINGS), "a new way to end the game: add it to the list"


@pytest.mark.parametrize("rule", sorted({rule for rule, _ in ENDINGS}))
def test_a_rule_that_ends_the_game_is_enforced(rule: str) -> None:
    from engine.navajo_wars import GAME

    assert GAME.catalogue.rules[rule].status == "enforced"
