"""What may be done is listed by an action's `ways` and weighed by the kernel: no row lists and weighs by itself."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from service.games import GAMES

ENGINE = Path(__file__).parents[2] / "engine"
CHAPTERS = sorted(path for game in ("navajo_wars", "julian") for path in (ENGINE / game).glob("*.py"))
WEIGHING = {"weigh", "evaluate"}  # whether something may be done, asked without doing it
LISTS = {"offers", "weighed", "Offer", "closed"}  # of engine.offers


def _id(path: Path) -> str:
    return f"{path.parent.name}/{path.name}"


def _functions(path: Path) -> dict[str, ast.FunctionDef]:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    return {node.name: node for node in tree.body if isinstance(node, ast.FunctionDef)}


def _called(function: ast.FunctionDef) -> set[str]:
    return {
        node.func.id
        for node in ast.walk(function)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
    }


def _reached(functions: dict[str, ast.FunctionDef], name: str) -> set[str]:
    """What a function calls, by itself and through the functions beside it."""
    seen: set[str] = set()
    waiting = [name]
    while waiting:
        for called in _called(functions[waiting.pop()]) - seen:
            seen.add(called)
            if called in functions:
                waiting.append(called)
    return seen


def _rows(path: Path) -> Iterator[tuple[str, set[str]]]:
    """Each function that asks, with all that it calls."""
    functions = _functions(path)
    for name in functions:
        if name.startswith("ask_"):
            yield name, _reached(functions, name)


def test_there_is_something_to_look_at() -> None:
    asked = {(path.name, name) for path in CHAPTERS for name, _ in _rows(path)}
    assert len(asked) > 80
    assert {
        ("enemy_raid.py", "ask_reaction"),
        ("preempt.py", "ask_preempt"),
        ("stratagems.py", "ask_answer"),
    } <= asked


@pytest.mark.parametrize("path", CHAPTERS, ids=_id)
def test_a_row_that_asks_does_not_weigh_what_may_be_done(path: Path) -> None:
    weighing = [name for name, called in _rows(path) if called & WEIGHING]
    assert weighing == []


@pytest.mark.parametrize("path", CHAPTERS, ids=_id)
def test_offers_are_made_by_the_kernel_alone(path: Path) -> None:
    nodes = ast.walk(ast.parse(path.read_text(encoding="utf-8")))
    taken = {name.name for node in nodes if isinstance(node, ast.ImportFrom) for name in node.names}
    assert not taken & LISTS


@pytest.mark.parametrize("game", GAMES)
def test_what_is_asked_of_an_action_can_be_said_of_it(game: str) -> None:
    for action in GAMES[game].actions.values():
        assert {*action.asks} <= {*action.kind.__struct_encode_fields__}, action.name
