"""The golden games play as they were recorded, and their reports read as they were written."""

from __future__ import annotations

import pytest
from msgspec import structs

from engine import transcript
from engine.navajo_wars import GAME
from engine.transcript import undo
from tests.games.golden import GAMES, LANGUAGES, Golden, file, read, told


@pytest.mark.parametrize("golden", GAMES, ids=lambda golden: golden.name)
def test_it_plays_as_it_was_recorded(golden: Golden) -> None:
    game = read(golden.name)
    went = transcript.replay(GAME, game)
    assert went.diverged is None
    assert went.position.scenario == golden.scenario
    assert went.position.outcome is not None


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("golden", GAMES, ids=lambda golden: golden.name)
def test_its_report_reads_as_it_was_written(golden: Golden, lang: str) -> None:
    assert told(read(golden.name), lang) == file(golden.name, f"{lang}.txt").read_text(encoding="utf-8")


@pytest.mark.parametrize("golden", GAMES, ids=lambda golden: golden.name)
def test_taking_back_the_last_move_leaves_the_game_before_it(golden: Golden) -> None:
    game = read(golden.name)
    before = transcript.replay(GAME, undo(game))
    assert before.position.outcome is None
    assert transcript.go_on(GAME, before, game.moves[-1]).position.outcome is not None


@pytest.mark.parametrize("golden", GAMES, ids=lambda golden: golden.name)
def test_another_die_diverges_at_its_own_move(golden: Golden) -> None:
    game = read(golden.name)
    place, move = next(
        (place, move) for place, move in enumerate(game.moves) if any(key == "die" for key, _ in move.inputs)
    )
    number = next(number for number, (key, _) in enumerate(move.inputs) if key == "die")
    die = move.inputs[number][1]
    other = [*move.inputs[:number], ("die", die % 6 + 1), *move.inputs[number + 1 :]]
    changed = structs.replace(move, inputs=tuple(other))
    moves = (*game.moves[:place], changed, *game.moves[place + 1 :])
    went = transcript.replay(GAME, structs.replace(game, moves=moves))
    assert went.diverged is not None
    assert went.diverged.number == place + 1
    assert len(went.played) == place
