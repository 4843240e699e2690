"""The worked examples: the tests' own, shown to readers, so that what is shown is always true."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

from msgspec import UNSET

from engine import testing
from engine.testing import Example


def folder() -> Path:
    """Inside an installed wheel, or beside the packages in a checkout."""
    here = Path(__file__).parent
    installed = here / "examples"
    return installed if installed.is_dir() else here.parent / "tests" / "examples"


@cache
def of_game(game: str) -> list[Example]:
    """The examples of a game that are one readable request without a file of invented tables."""
    return [
        example
        for path in sorted((folder() / game).glob("*.toml"))
        for example in testing.load(path)
        if not example.steps and not example.components_file and example.unreadable is UNSET
    ]


@cache
def by_kind(game: str) -> dict[str, list[Example]]:
    """The examples of a game by action kind."""
    found: dict[str, list[Example]] = {}
    for example in of_game(game):
        found.setdefault(example.action["kind"], []).append(example)
    return found


@cache
def _by_rule(game: str) -> dict[str, list[Example]]:
    found: dict[str, list[Example]] = {}
    for example in of_game(game):
        for rule in (*example.rules, *example.without):
            found.setdefault(rule, []).append(example)
    return found


def showing(game: str, rule: str) -> list[Example]:
    """The examples that show a rule."""
    return _by_rule(game).get(rule, [])


def as_request(example: Example) -> dict[str, Any]:
    """An example as the body of a request."""
    parts = ("position", "action", "inputs", "choices", "components")
    sent = {name: testing.plain(getattr(example, name)) for name in parts}
    return {name: value for name, value in sent.items() if value or name in ("position", "action")}
