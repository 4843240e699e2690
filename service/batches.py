"""POST …/check/batch: several actions on one position, which is read once."""

from __future__ import annotations

from typing import Any

from engine.exceptions import Unreadable
from engine.game import Game, prepare
from service import checks, prices
from service.answers import BatchAnswer, CheckAnswer
from service.languages import voice
from service.requests import AskedBatch


def answer(game: Game, request: AskedBatch, lang: str) -> BatchAnswer[Any]:
    """Each action checked by itself on the position that was sent."""
    at = prepare(game, request.position, request.choices, request.components, assume=request.assume)
    speaks = voice(lang)
    results: list[CheckAnswer[Any]] = []
    spent = prices.spent()
    for number, (do, inputs) in enumerate(request.actions):
        if number and spent():
            raise Unreadable("batch-too-dear", "/actions", limit=number)
        try:
            results.append(checks.ruling_on(game, at.apart(), request.sent, do, inputs, speaks))
        except Unreadable as error:
            error.pointer = f"/actions/{number}{error.pointer}"
            raise
    return BatchAnswer(game=game.name, lang=speaks.lang, results=results)
