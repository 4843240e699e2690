"""The engine stands alone: it imports the standard library and msgspec, and its kernel no game.

What explains an unreadable value, and nothing else, asks a validator of JSON Schemas.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ENGINE = Path(__file__).parents[2] / "engine"
SERVICE = ENGINE.parent / "service"
FILES = sorted(ENGINE.rglob("*.py"))
KERNEL = sorted(ENGINE.glob("*.py"))
GAMES = sorted(path.parent.name for path in ENGINE.glob("*/__init__.py"))
# A rule never looks at a clock, never rolls by itself and never talks to the world.
FORBIDDEN = {
    "random",
    "secrets",
    "time",
    "datetime",
    "socket",
    "http",
    "urllib",
    "os",
    "subprocess",
    "locale",
    "gettext",
}


def imported(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (name.name for name in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path} imports relatively"
            yield node.module or ""
            yield from (f"{node.module}.{name.name}" for name in node.names)


def test_there_is_something_to_look_at() -> None:
    assert "navajo_wars" in GAMES
    assert {"verdict.py", "flow.py", "game.py", "codec.py", "testing.py"} <= {path.name for path in KERNEL}
    assert "engine.verdict" in set(imported(ENGINE / "game.py"))


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(ENGINE)))
def test_engine_imports_only_the_standard_library_and_msgspec(path: Path) -> None:
    roots = {name.partition(".")[0] for name in imported(path)}
    explains = {"jsonschema_rs"} if path == ENGINE / "explain.py" else set()
    assert not roots - sys.stdlib_module_names - {"engine", "msgspec"} - explains
    assert not roots & FORBIDDEN


@pytest.mark.parametrize("path", KERNEL, ids=lambda path: path.name)
def test_the_kernel_imports_no_game(path: Path) -> None:
    games = {f"engine.{name}" for name in GAMES}
    assert not [
        name for name in imported(path) if any(name == one or name.startswith(f"{one}.") for one in games)
    ]
    assert "importlib.import_module" not in set(imported(path))


SERVED = sorted([*SERVICE.glob("*.py"), *(SERVICE / "pages").glob("*.py")])
# What the table of each shows, and which table is whose.
NAME_GAMES = {"navajo_wars_table.py", "julian_table.py", "tables.py"}


@pytest.mark.parametrize("path", SERVED, ids=lambda path: path.name)
def test_the_service_knows_no_game_by_name(path: Path) -> None:
    """All but the tables of the games; a sentence about a game is not the game's name."""
    if path.name in NAME_GAMES:
        return
    games = {f"engine.{name}" for name in GAMES}
    assert not [name for name in imported(path) if name in games or name.startswith(tuple(games))]
    named = {name for game in GAMES for name in (game, game.replace("_", "-"))} | {"nw", "jul"}
    told = {
        node.value
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Constant)
    }
    assert not told & named


@pytest.mark.parametrize("name", GAMES)
def test_no_game_imports_another(name: str) -> None:
    others = tuple(f"engine.{other}" for other in GAMES if other != name)
    for path in (ENGINE / name).rglob("*.py"):
        assert not [found for found in imported(path) if others and found.startswith(others)], path
