"""Plays by plain calls, as the command line and the page make them: nothing here is a request."""

from __future__ import annotations

import ast
from pathlib import Path
from typing import Any

import pytest

from engine.navajo_wars import GAME
from service import play_access, play_kept, play_questions, play_records, play_starts, plays
from service.play_kept import Bounds
from service.play_problems import Problem
from service.plays import Sent
from service.store import Store
from tests.plays.player import EVADE, EVADING

SERVICE = Path(plays.__file__).parent
# What the API, the command line and the page share, and what only the API has.
PLAIN = ("plays", "play_records", "play_starts", "play_questions", "play_access", "play_keys", "play_repeats")
PLAIN += (
    "play_kept",
    "play_standing",
    "play_set_up",
    "play_tries",
    "play_problems",
    "play_fields",
    "plays_here",
    "store",
    "told_facts",
    "report",
)
HTTP = {
    "flask",
    "werkzeug",
    "http",
    "requests",
    "service.play_routes",
    "service.play_requests",
    "service.limits",
}


def imported(module: str) -> set[str]:
    tree = ast.parse((SERVICE / f"{module}.py").read_text(encoding="utf-8"))
    named = [(one.module or "", one.names) for one in ast.walk(tree) if isinstance(one, ast.ImportFrom)]
    whole = {name.name for one in ast.walk(tree) if isinstance(one, ast.Import) for name in one.names}
    return (
        whole
        | {f"{source}.{name.name}" for source, names in named for name in names}
        | {source for source, _ in named}
    )


@pytest.mark.parametrize("module", PLAIN)
def test_the_functions_behind_plays_know_no_http(module: str) -> None:
    found = imported(module)
    assert not {one for one in found if one in HTTP or one.partition(".")[0] in HTTP}
    assert not [one for one in found if one.startswith("service.pages")]


def test_only_these_know_it() -> None:
    """A new module of plays stands on one side or the other."""
    named = {path.stem for path in SERVICE.glob("play*.py")}
    assert named - set(PLAIN) == {"play_routes", "play_requests", "play_openapi"}
    assert "flask" in imported("play_routes")


@pytest.fixture
def kept(tmp_path: Path) -> Store:
    return Store(f"sqlite:///{tmp_path}/plays.sqlite3")


def moved(store: Store, play: Any, action: Any, *inputs: Any) -> dict[str, Any]:
    do = None if action is None else GAME.actions[action["kind"]].kind(action["family"])
    return plays.move(store, play, Sent(do, inputs), "en", Bounds())


def test_a_play_is_started_opened_joined_and_read(kept: Store) -> None:
    mine = play_starts.begin(kept, GAME, {"position": EVADING, "name": "Tuesday"})
    opened = play_access.opened(kept, mine.id, mine.key)
    assert (opened.name, opened.version) == ("Tuesday", 1)
    assert moved(kept, opened, EVADE)["pending"].name == "evade-roll"
    theirs = play_access.join(kept, play_access.invite(kept, mine.id))
    joined = play_access.opened(kept, theirs.id, theirs.key)
    assert moved(kept, joined, None, {"die": 6})["moves"] == 2
    seen = play_kept.find(kept, mine.id)
    assert play_records.told(kept, seen, "en")
    assert play_questions.may_be_done(seen, b"{}", "en").options
    assert len(play_access.keys_of(kept, mine.id, mine.key)) == 2
    play_access.end_key(kept, mine.id, mine.key, theirs.number)
    with pytest.raises(Problem, match="wrong-key"):
        play_access.opened(kept, theirs.id, theirs.key)


def test_it_starts_from_a_scenario_or_a_transcript(kept: Store) -> None:
    told = play_kept.find(kept, play_starts.begin(kept, GAME, {"scenario": "14.1"}).id)
    assert (told.scenario, told.position.scenario) == ("14.1", "14.1")
    mine = play_starts.begin(kept, GAME, {"position": EVADING})
    moved(kept, play_access.opened(kept, mine.id, mine.key), EVADE, {"die": 6})
    taken = play_records.exported(kept, play_kept.find(kept, mine.id))
    copied = play_kept.find(kept, play_starts.begin(kept, GAME, {"transcript": taken}).id)
    assert copied.position == play_kept.find(kept, mine.id).position


def test_what_cannot_be_read_is_said(kept: Store) -> None:
    with pytest.raises(Problem) as found:
        play_starts.begin(kept, GAME, {"scenario": "99", "position": {"tracks": {"ap": 99}}, "spam": 1})
    assert {one.pointer for one in found.value.errors} == {
        "/spam",
        "/position",
        "/scenario",
        "/position/tracks/ap",
    }
