"""Positions and transcripts of commit 738d919 are read, and come out as they did."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any

import pytest
from msgspec import structs

from engine import codec, transcript
from engine.exceptions import Unreadable
from tests.kept import files
from tests.kept.came import ask, came_of, came_of_move, through_json
from tests.kept.compare import Difference, differences, move_differences, position_differences
from tests.kept.exceptions import Report, named
from tests.kept.files import HERE, PAUSES, TRANSCRIPTS, Given, Pause, Session
from tests.shown import game

CHANGED = named(HERE / "changed.toml")
MOST_SHOWN = 12  # a broken row breaks hundreds of cases


@pytest.mark.parametrize("name", files.names(PAUSES))
def test_a_saved_position_goes_on_as_it_did(name: str) -> None:
    report = Report(f"pauses/{name}", CHANGED)
    for pause in files.pauses(name):
        for given in pause.given:
            report.add(f"{pause.id}:{given.label}", otherwise(pause, given))
    fail_with(report)


@pytest.mark.parametrize("name", files.names(TRANSCRIPTS))
def test_a_transcript_replays_as_it_did(name: str) -> None:
    report = Report(f"transcripts/{name}", CHANGED)
    for session in files.sessions(name):
        report.add(session.id, list(replayed_otherwise(session)))
    fail_with(report)


def fail_with(report: Report) -> None:
    """Say which cases came out otherwise, and in what."""
    lines = report.lines()
    more = f"\nand {len(lines) - MOST_SHOWN} more" if len(lines) > MOST_SHOWN else ""
    assert not lines, f"{len(lines)} came out otherwise\n" + "\n".join(lines[:MOST_SHOWN]) + more


@cache
def printed(name: str, number: int) -> Any:
    """Components that were kept, read once."""
    return codec.read(files.components()[number], game(name).components, "/components")


def otherwise(pause: Pause, given: Given) -> list[Difference]:
    """A request put to a saved position: what comes out otherwise today."""
    rules = game(pause.game)
    try:
        answer = ask(
            rules,
            pause.position,
            pause.choices,
            printed(pause.game, pause.components),
            given.action,
            given.inputs,
        )
    except Unreadable as error:
        return [Difference("unreadable", None, f"{error.code} at {error.pointer}")]
    agenda = pause.position.get("agenda", [])
    return differences(rules, given.came, came_of(answer), agenda)


def replayed_otherwise(session: Session) -> Iterator[Difference]:
    """A saved transcript replayed: what comes out otherwise today, move by move."""
    rules = game(session.game)
    try:
        whole = {**session.transcript, "components": files.components()[session.components]}
        went = transcript.replay(rules, transcript.read(rules, whole))
    except Unreadable as error:
        yield Difference("unreadable", None, f"{error.code} at {error.pointer}")
        return
    if went.diverged:
        yield Difference(f"moves/{went.diverged.number - 1}/diverged", (), went.diverged.differs)
        return
    for number, (was, played) in enumerate(zip(session.moved, went.played, strict=True)):
        for one in move_differences(rules, was, came_of_move(played)):
            yield structs.replace(one, place=f"moves/{number}/{one.place}")
    yield from position_differences(rules, session.position, through_json(codec.write(went.position)))


def test_nothing_that_was_kept_is_gone() -> None:
    kept = [(name, pause) for name in files.names(PAUSES) for pause in files.pauses(name)]
    ids = [f"{name} {pause.id}:{given.label}" for name, pause in kept for given in pause.given]
    assert len(kept) == 1_714
    assert len(set(ids)) == len(ids) == 9_022
    assert sum(len(files.sessions(name)) for name in files.names(TRANSCRIPTS)) == 1_466


def test_exceptions_name_files_that_exist() -> None:
    known = {f"{folder.name}/{name}" for folder in (PAUSES, TRANSCRIPTS) for name in files.names(folder)}
    assert {file for one in CHANGED for file in one.files} <= known
