"""Julian: the marker that is played and the result that is carried out stand by name in what is said of them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from engine import codec
from engine.game import Answer
from engine.julian import combat
from engine.julian.playing import NOT_YOUR_PHASE, PlayStratagem
from engine.testing import plain
from service.headlines import headline
from service.languages import voice
from tests.shown import all_shown, game, played

NAMES = ("Agentes", "Credo", "Dux", "Federate", "Imperium", "Military")
UNNAMED = ("This use ", "this use ", "cancel it", "Which one is it", "Do you cancel it")


def asked_and_answered() -> Iterator[tuple[str, Any, Answer]]:
    for one in all_shown():
        for outcome in played(one) if one.game == "julian" else ():
            if outcome.answer is not None:
                do = codec.read(plain(outcome.expected.action), game("julian").action_types, "/action")
                yield str(one), do, outcome.answer


ALL = list(asked_and_answered())


@pytest.mark.parametrize(("name", "do", "answer"), ALL, ids=[f"{n}-{one[0]}" for n, one in enumerate(ALL)])
def test_the_headline_names_what_it_is_about(name: str, do: Any, answer: Answer) -> None:
    said = str(headline(game("julian"), do, answer, voice("en")))
    assert not [words for words in UNNAMED if words in said], name
    if answer.refused == "answer":
        return
    if isinstance(do, PlayStratagem):
        copies = do.use == "as" and isinstance(do.as_, str)
        assert do.marker.capitalize() in said
        assert not copies or str(do.as_).capitalize() in said
    if isinstance(do, combat.CombatResult):
        assert do.result in said


def test_every_marker_and_every_result_was_looked_at() -> None:
    deeds = [do for _, do, _ in ALL]
    assert {do.marker for do in deeds if isinstance(do, PlayStratagem)} == {one.lower() for one in NAMES}
    assert {do.result for do in deeds if isinstance(do, combat.CombatResult)} == set(combat.RESULTS)


def test_a_marker_played_in_the_opponents_phase_is_told_the_part_of_the_turn_it_belongs_in() -> None:
    told = {
        do.use: str(headline(game("julian"), do, answer, voice("en")))
        for _, do, answer in ALL
        if answer.verdict.reasons and answer.verdict.reasons[0].requirement is NOT_YOUR_PHASE
    }
    assert "one of your own Reinforcement Sub-Phases" in told["steal"]
    assert "one of your own Operations Phases" in told["look"]
