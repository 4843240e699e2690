"""Whole games of Navajo Wars and whole turns of Julian by chance; of a game that gets stuck, the moves so far are kept."""

from __future__ import annotations

from typing import Any
from unittest.mock import patch

from engine import codec, transcript
from engine.navajo_wars import GAME
from tests.fuzz.asking import JULIAN, NAVAJO, Case
from tests.fuzz.holding import Broken
from tests.games import julian_turns
from tests.games.playing import COPY, play
from tests.games.watching import Watch
from tests.properties.playing import through_json
from tests.shown import components

SCENARIOS = ("14.1", "14.2", "14.3", "14.4", "14.5", "14.6")


def one(seed: int) -> str:
    """A game, or a turn of the other one; how it ended."""
    return _turn(seed) if seed % 4 == 0 else _game(seed)


def _game(seed: int) -> str:
    reached: list[Any] = []
    goes_on = transcript.go_on

    def remembering(*given: Any) -> Any:
        reached[:] = [goes_on(*given)]
        return reached[0]

    scenario = SCENARIOS[seed % len(SCENARIOS)]
    watch = Watch(codec.read(components(COPY), GAME.components, "/components"))
    try:
        with patch.object(transcript, "go_on", remembering):
            whole = play(scenario, seed, watch=watch)
    except Exception as error:
        so_far = (
            transcript.write(transcript.recorded(reached[0])) if reached else {"position": {}, "moves": []}
        )
        raise Broken(
            "whole-game", Case(NAVAJO, "replay", so_far), f"{scenario}, seed {seed}: {error!r}"
        ) from error
    return str(whole.position.outcome.rule)


def _turn(seed: int) -> str:
    tables: list[Any] = []
    made = julian_turns.Table.__init__

    def remembering(table: Any, *given: Any) -> None:
        tables[:] = [table]
        made(table, *given)

    try:
        with patch.object(julian_turns.Table, "__init__", remembering):
            julian_turns.play(seed)
    except Exception as error:
        table = tables[0]
        here = {
            "position": through_json(table.position),
            "choices": table.choices,
            "components": table.components,
        }
        case = Case(JULIAN, "check", {**here, "action": {"kind": "continue"}})
        raise Broken("whole-turn", case, f"seed {seed}: {error!r}") from error
    return "turn"
