"""Every worked example and playthrough, with the game it belongs to."""

from __future__ import annotations

import importlib
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from engine.game import Game
from engine.testing import Example, Outcome, load, play

TESTS = Path(__file__).parent


class Shown(NamedTuple):
    """An example in its file."""

    file: str
    game: str
    example: Example

    def __str__(self) -> str:
        return f"{self.file}: {self.example.name}"


@cache
def game(name: str) -> Game:
    """A game by the name its folder has."""
    found: Game = importlib.import_module(f"engine.{name.replace('-', '_')}").GAME
    return found


@cache
def components(name: str) -> Any:
    """A components file of the tests."""
    return msgspec.toml.decode((TESTS / "components" / name).read_bytes())


@cache
def all_shown() -> tuple[Shown, ...]:
    """All examples, then all playthroughs."""
    return tuple(_from_files())


def _from_files() -> Iterator[Shown]:
    for path in sorted((TESTS / "examples").glob("*/*.toml")):
        for example in load(path):
            yield Shown(f"{path.parent.name}/{path.stem}", path.parent.name, example)
    for path in sorted((TESTS / "playthroughs").glob("**/*.toml")):
        for example in load(path):
            yield Shown(f"playthroughs/{path.stem}", example.game, example)


def played(one: Shown) -> list[Outcome]:
    """What every request of an example came to."""
    file = one.example.components_file
    return list(play(game(one.game), one.example, components(file) if file else None))
