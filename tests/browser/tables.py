"""Plays to look at in a browser: golden games on the copy that was invented for the tests, and a combat of Julian."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import Any

from flask import Flask
from playwright.sync_api import BrowserContext, Page

from engine import codec, transcript
from engine.game import Continue, prepare
from engine.julian import GAME as JULIAN
from engine.navajo_wars import GAME
from service import play_kept, play_standing, plays
from service.play_kept import Bounds, Reading
from service.play_starts import Start, create
from service.plays import Sent
from tests.games import golden

ROPE = "the-rope-thrower"
UNIT = {"combat": 4, "movement": 5}
FIGHTING = {
    "turn": 4,
    "phase": "operations",
    "active": "roman",
    "operations_phase": 2,
    "subphase": "combat",
    "combat": None,
    "hands": {"roman": {"dux": 1, "credo": 2}, "barbarian": {"count": 5}},
    "commands": [
        {"name": "Caesar", "side": "roman", "drawn": True, "active": True},
        {"name": "Alamanni", "side": "barbarian", "drawn": True},
    ],
    "last_play": None,
    "last_roll": None,
    "played": [{"by": "roman", "marker": "federate"}],
}
FIGHT = {
    "kind": "open-combat",
    "attackers": [{"id": "a1", **UNIT}, {"id": "a2", **UNIT}],
    "defenders": [{"id": "d1", **UNIT}],
    "doubled_by_terrain": [],
}


class Kept:
    """A play with its key."""

    def __init__(self, app: Flask, start: Start) -> None:
        self._store = app.extensions["ruleglot-plays"].store
        made = create(self._store, start, "tests", Bounds(plays=100_000))
        self.id, self.key = made.id, made.key

    @property
    def state(self) -> dict[str, Any]:
        """How it stands."""
        return play_standing.state(play_kept.find(self._store, self.id), "en")

    def _move(self, sent: Sent) -> None:
        plays.move(self._store, play_kept.find(self._store, self.id), sent, "en", Bounds())

    def seat(self, context: BrowserContext, base: str) -> None:
        """Give a browser the key."""
        seat(context, base, self)

    def open(self, page: Page, base: str, path: str = "") -> None:
        """Look at it in a browser that may answer."""
        self.seat(page.context, base)
        page.goto(f"/play/{self.id}{path}")


def seat(context: BrowserContext, base: str, *kept: Kept) -> None:
    """Give a browser the keys of these plays, and of no other."""
    value = "~".join(f"{one.id}.{one.key}" for one in kept)
    context.add_cookies([{"name": "plays", "value": value, "url": base}])


class Combat(Kept):
    """A play of Julian: a combat in which the defender is asked for a Military."""

    def __init__(self, app: Flask) -> None:
        start = prepare(JULIAN, FIGHTING, {}, JULIAN.components())
        super().__init__(app, Start(JULIAN, start.position, Reading({}, JULIAN.components())))
        self._move(Sent(codec.read(FIGHT, JULIAN.action_types, "/action")))


class Table(Kept):
    """A play of a golden game of Navajo Wars."""

    def __init__(self, app: Flask, name: str = ROPE, scenario: str | None = "14.5") -> None:
        self._game = golden.read(name)
        start = Start(GAME, self._game.position, Reading({}, self._game.components), scenario=scenario)
        super().__init__(app, start)

    def play_until(self, question: str) -> Table:
        """Play the golden game on until something is asked."""
        for sent in moves(self._game):
            pending = self.state["pending"]
            if pending is not None and pending.name == question:
                return self
            self._move(sent)
        raise AssertionError(f"{question} is never asked")

    def play_on(self, answers: int) -> Table:
        """Play so much of the golden game."""
        for sent in islice(moves(self._game), answers):
            self._move(sent)
        return self

    def rest(self) -> list[Any]:
        """The answers that the golden game gives from here on."""
        done = play_kept.find(self._store, self.id).moves
        return [one.inputs[0] if one.inputs else one.action for one in list(moves(self._game))[done:]]


def before_raid(answers: int, name: str = ROPE) -> int:
    """How much of a golden game lies before the last so many answers of one of its Enemy Raids."""
    inside: list[bool] = []
    for played in transcript.replay(GAME, golden.read(name)).played:
        if not isinstance(played.move.action, Continue):
            inside.append(False)
        inside += ["enemy-raid" in [frame.procedure for frame in one.pending.agenda] for one in played.asked]
    ends = [place for place in range(answers, len(inside)) if all(inside[place - answers : place])]
    return next(place - answers for place in ends if not inside[place])


def moves(game: transcript.Transcript) -> Iterator[Sent]:
    """A golden game, one answer at a time, as the questions list it."""
    for played in transcript.replay(GAME, game).played:
        if not isinstance(played.move.action, Continue):
            yield Sent(played.move.action)
        for one in played.asked:
            key, value = one.listed
            yield Sent(None, ({key: codec.write(value)},))
