"""What rows note and hand over has a name that exists: no field of a memory is reached by a wrong word."""

from __future__ import annotations

import ast
import importlib
import pkgutil
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

import pytest
from msgspec import UNSET, structs

from engine import memory
from engine.game import Game
from engine.memory import Memory
from engine.tables import Procedure
from tests.shown import game

GAMES = ("navajo-wars", "julian")


class Word(NamedTuple):
    """A name given to `call`, `remember` or `end`, or read off `noted`."""

    module: str
    line: int
    verb: str
    field: str
    fields: frozenset[str]  # what the name may be

    def __str__(self) -> str:
        return f"{self.module}:{self.line} {self.verb}({self.field})"


def modules(name: str) -> Iterator[ModuleType]:
    package = importlib.import_module(f"engine.{name.replace('-', '_')}")
    for found in pkgutil.iter_modules(package.__path__):
        yield importlib.import_module(f"{package.__name__}.{found.name}")


def words(rules: Game, module: ModuleType) -> Iterator[Word]:
    """Every name of a memory field in a module."""
    assert module.__file__
    tree = ast.parse(Path(module.__file__).read_text(encoding="utf-8"))
    for function in ast.walk(tree):
        if isinstance(function, ast.FunctionDef):
            own = noted_by(module, function)
            for node in ast.walk(function):
                yield from _called(rules, module, node, own)
                yield from _read(module, node, own)


def noted_by(module: ModuleType, function: ast.FunctionDef) -> type[Memory] | None:
    """The memory a row reads, by the annotation of its `noted`."""
    for one in function.args.args:
        if one.arg in ("noted", "_noted") and isinstance(one.annotation, ast.Name):
            kind = getattr(module, one.annotation.id, None)
            return kind if isinstance(kind, type) and issubclass(kind, Memory) else None
    return None


def _called(rules: Game, module: ModuleType, node: ast.AST, own: type[Memory] | None) -> Iterator[Word]:
    if not isinstance(node, ast.Call):
        return
    verb = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
    if verb == "call":
        fields = frozenset().union(*(fields_of(one.memory) for one in _targets(rules, module, node.args[0])))
    elif verb == "remember" and own is not None and own in all_memories(rules):
        fields = fields_of(own)
    elif verb in ("remember", "end"):
        fields = frozenset().union(*map(fields_of, all_memories(rules)))
    else:
        return
    for keyword in node.keywords:
        if keyword.arg not in (None, "step"):
            yield Word(module.__name__, node.lineno, verb, str(keyword.arg), fields)


def _read(module: ModuleType, node: ast.AST, own: type[Memory] | None) -> Iterator[Word]:
    named = isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "noted"
    if named and own is not None:
        yield Word(module.__name__, node.lineno, "noted", node.attr, fields_of(own))  # type: ignore[attr-defined]


def _targets(rules: Game, module: ModuleType, node: ast.expr) -> list[Procedure]:
    """The procedure that is called: by its name, by the table itself, or out of several."""
    if isinstance(node, ast.Constant):
        return [rules.procedures[node.value]]
    if isinstance(node, ast.Subscript):
        return list(_named(module, node.value).values())
    return [_named(module, node)]


def _named(module: ModuleType, node: ast.expr) -> Any:
    """What a name in a module stands for, such as BATTLE or battle.BATTLE."""
    if isinstance(node, ast.Attribute):
        return getattr(_named(module, node.value), node.attr)
    assert isinstance(node, ast.Name)
    return getattr(module, node.id)


def all_memories(rules: Game) -> set[type[Memory]]:
    return {table.memory for table in rules.procedures.values()}


def fields_of(kind: type[Memory]) -> frozenset[str]:
    return frozenset(kind.__struct_fields__)


@pytest.mark.parametrize("name", GAMES)
def test_every_field_that_is_named_exists(name: str) -> None:
    found = [word for module in modules(name) for word in words(game(name), module)]
    assert len(found) > 20, "the walk finds what it is made for"
    wrong = [str(word) for word in found if word.field not in word.fields]
    assert wrong == []


@pytest.mark.parametrize("name", GAMES)
def test_every_field_that_may_be_untold_is_asked_for_in_a_players_words(name: str) -> None:
    jargon = [
        f"{table.name}: {field.name}"
        for table in game(name).procedures.values()
        for field in _optional(table.memory)
        if field.name not in table.memory.questions
    ]
    assert jargon == []


def _optional(kind: type[Memory]) -> list[Any]:
    return [field for field in structs.fields(kind) if field.default is UNSET]


def test_a_field_that_was_not_told_reads_as_unknown_with_its_place() -> None:
    table = game("navajo-wars").procedures["evade"]
    frame = memory.Frame("evade", "roll", table.memory())
    seen = memory.read((frame, frame), 1, table.memory)
    unknown: Any = seen.family  # type: ignore[attr-defined]
    (fact,) = unknown.facts
    assert fact.pointer == "/agenda/1/memory/family"
    assert fact.question == table.memory.questions["family"]
    with pytest.raises(AttributeError):
        _ = seen.nobody  # type: ignore[attr-defined]
