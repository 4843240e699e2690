"""Requests that the document shows: worked examples of the tests, so that what is shown is always true."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from engine.game import Game
from engine.testing import Example
from engine.verdict import LEGAL
from service import worked_examples

EXAMPLES_PER_KIND = 3


def of_checks(game: Game) -> dict[str, Any]:
    """A few worked examples of each action kind as named OpenAPI examples."""
    return {
        f"{kind}-{number}": {"summary": example.name, "value": worked_examples.as_request(example)}
        for kind, examples in worked_examples.by_kind(game.name).items()
        for number, example in enumerate(examples[:EXAMPLES_PER_KIND], start=1)
    }


def of_odds(game: Game) -> dict[str, Any]:
    """A worked example that waits for a die or a draw, before it came."""
    chance = ("die", "cube", "marker")
    example = _first_legal(game, lambda one: bool(one.inputs) and set(one.inputs[0]) <= set(chance))
    sent = worked_examples.as_request(example)
    return {"before-it-comes": {"summary": example.name, "value": {**sent, "inputs": []}}}


def of_replays(game: Game) -> dict[str, Any]:
    """A worked example with answers as a game of one move."""
    example = _first_legal(game, lambda one: bool(one.inputs))
    sent = worked_examples.as_request(example)
    move = {name: sent.pop(name) for name in ("action", "inputs") if name in sent}
    return {"one-move": {"summary": example.name, "value": {**sent, "moves": [move]}}}


def of_audits(game: Game) -> dict[str, Any]:
    """The position of a worked example."""
    position = worked_examples.as_request(worked_examples.of_game(game.name)[0])["position"]
    return {"possible": {"summary": "A position that is possible", "value": {"position": position}}}


def of_batches(game: Game) -> dict[str, Any]:
    """One worked example as a batch."""
    example = worked_examples.of_game(game.name)[0]
    sent = worked_examples.as_request(example)
    one = {name: sent.pop(name) for name in ("action", "inputs") if name in sent}
    return {"one-action": {"summary": example.name, "value": {**sent, "actions": [one]}}}


def of_options(game: Game) -> dict[str, Any]:
    """The position of a worked example."""
    sent = worked_examples.as_request(worked_examples.of_game(game.name)[0])
    left = {name: part for name, part in sent.items() if name not in ("action", "inputs")}
    return {"all-kinds": {"summary": "What may be done on a position", "value": left}}


def _first_legal(game: Game, fits: Callable[[Example], bool]) -> Example:
    """A worked example of something allowed, one that fits if the game has any."""
    legal = [one for one in worked_examples.of_game(game.name) if one.ruling == LEGAL]
    return next(filter(fits, legal), legal[0])
