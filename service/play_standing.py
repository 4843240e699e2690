"""How a play stands: what it waits for and what its scenario leaves open, in words."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from msgspec import UNSET, Raw

from engine import codec
from engine.game import Answer, Continue, Game, check
from engine.saved import FORMAT
from engine.scenarios import OpenChoice, Scenario
from engine.telling import Given
from engine.verdict import later_last
from service import checks, questions
from service.languages import voice
from service.play_kept import Asked, Play, damaged
from service.play_set_up import is_open
from service.settling import with_settles


def state(play: Play, lang: str, *, closed: bool = False) -> dict[str, Any]:
    """A play as anybody who has its id sees it; what is not open now is worked out only where it is `closed`."""
    position = play.position
    return {
        "format": FORMAT,
        "id": play.id,
        "game": play.game.name,
        "lang": lang,
        "name": play.name,
        "version": play.version,
        "created": moment(play.created),
        "changed": moment(play.changed),
        "expires": None if play.expires is None else moment(play.expires),
        "moves": play.moves,
        "redo": play.last - play.moves,
        "position": Raw(play.written),
        **_waiting(play, lang, closed),
        "asked": None if play.asked is None else play.asked.action,
        "outcome": _told_or_none(getattr(position, "outcome", None)),
        "choices": dict(play.reading.choices),
        "scenario": play.scenario,
        "verified": min(play.verified, play.moves),
    }


def moment(seconds: float) -> str:
    """A moment as answers write it."""
    return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def _told_or_none(value: Any) -> Any:
    return None if value is UNSET else value


def _waiting(play: Play, lang: str, closed: bool) -> dict[str, Any]:
    """What is asked now, and which facts are missing."""
    at, speaks = play.at(assume=play.asked is None or play.asked.assume), voice(lang)
    found: Answer | None = None
    do: Any = Continue()
    given: list[Given] = []
    if play.asked is not None:
        do, given = asked_action(play.game, play.asked)
        found = check(play.game, at, do, given)
    elif at.agenda:
        found = check(play.game, at, do)
    if found is None:
        return {
            "pending": None,
            "unknowns": [questions.chosen(play.game, one, speaks) for one in open_choices(play)],
        }
    missing = later_last(found.verdict.unknowns, play.waits.later)
    unknowns = [checks.unknown(play.game, fact, found, do, speaks) for fact in missing]
    if play.asked is not None:
        unknowns = with_settles(play.game, at, do, given, found, unknowns, speaks)
    if found.pending is not None and found.pending.fact is None and play.asked is None:
        there = at.on(found.position) if closed else None
        question = questions.pending_question(play.game, found, speaks, there)
        return {"pending": question, "unknowns": unknowns}
    return {"pending": unknowns[0] if unknowns else None, "unknowns": unknowns}


def asked_action(game: Game, asked: Asked) -> tuple[Any, list[Given]]:
    """The action that waits, and the answers it was given."""
    with damaged():
        return codec.read(asked.action, game.action_types, "/action"), codec.read_inputs(asked.inputs)


def scenario_of(play: Play) -> Scenario | None:
    """The scenario that a play began with."""
    return scenario_named(play.game, play.scenario)


def scenario_named(game: Game, name: str | None) -> Scenario | None:
    """A scenario of a game."""
    return next((one for one in game.scenarios if one.id == name), None)


def open_choices(play: Play) -> list[OpenChoice]:
    """What the scenario leaves to the player and he has not told yet; what he will tell later comes last."""
    scenario = scenario_of(play)
    if scenario is None:
        return []
    now, first = codec.write(play.position), codec.write(scenario.position)
    as_set_up = {pointer for pointer, number in play.waits.set_up.items() if number <= play.moves}
    left = [one for one in scenario.choices if one.pointer not in as_set_up]
    return later_last([one for one in left if is_open(one, now, first)], play.waits.later)
