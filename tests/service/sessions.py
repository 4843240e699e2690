"""Transcripts made of the playthroughs: every example with steps is a game that can be replayed."""

from __future__ import annotations

from functools import cache
from typing import Any

from msgspec import UNSET

from engine import codec, transcript
from engine.exceptions import Unreadable
from engine.testing import NOT_TOLD, NULL, Request, merge, plain
from engine.transcript import Transcript
from tests.shown import Shown, all_shown, components, game

RAID = "Family A ambushes the Raid in Shiprock and drives it away"
RETURN = "Two Families escape: one by negotiation, one by flight, and return where they like"


@cache
def shown(name: str) -> Shown:
    """An example by its name."""
    return next(one for one in all_shown() if one.example.name == name)


@cache
def readable() -> tuple[Shown, ...]:
    """Every example that is a request throughout, whatever is changed by hand being a position by itself."""
    return tuple(
        one
        for one in all_shown()
        if all(request.unreadable is UNSET for request in (one.example, *one.example.steps))
        and all(_is_position(one.game, plain(step.position)) for step in one.example.steps)
    )


def _is_position(name: str, given: Any) -> bool:
    try:
        codec.read(given, game(name).position, "")
    except Unreadable:
        return False
    return True


def written(one: Shown, *, expecting: bool = True) -> dict[str, Any]:
    """An example as a transcript, with what its file expects of each step or with nothing expected."""
    example = one.example
    file = example.components_file
    moves = [_move(request, expecting) for request in (example, *example.steps)]
    del moves[0]["position"]
    return {
        "position": plain(example.position),
        "moves": moves,
        "choices": example.choices,
        "components": plain(merge(components(file) if file else {}, example.components)),
    }


def _move(request: Request, expecting: bool) -> dict[str, Any]:
    move = {name: plain(getattr(request, name)) for name in ("action", "inputs", "position")}
    return {**move, "expected": _expected(request)} if expecting else move


def _expected(request: Request) -> dict[str, Any]:
    expected: dict[str, Any] = {"ruling": request.ruling}
    if request.events is not UNSET:
        expected["events"] = request.events
    asks_step = request.ruling == "legal" and not request.unknowns  # not an answer again, not a fact
    if request.pending is not UNSET and asks_step:
        expected["pending"] = None if request.pending == NULL else request.pending
    if request.changes is not UNSET:
        expected["changes"] = [_change(pointer, value) for pointer, value in request.changes.items()]
    return expected


def _change(pointer: str, value: Any) -> dict[str, Any]:
    return {"pointer": pointer} if value == NOT_TOLD else {"pointer": pointer, "to": plain(value)}


def session(name: str, *, expecting: bool = True) -> Transcript:
    """An example by its name, as a transcript."""
    one = shown(name)
    return transcript.read(game(one.game), written(one, expecting=expecting))


def table(position: Any) -> Any:
    """A position as plain values."""
    return codec.write(position)
