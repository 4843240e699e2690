"""What was not told does not leave the board of a game: rules read facts, and a fact that is missing asks for itself."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

ENGINE = Path(__file__).parents[2] / "engine"
# Where positions and components are made of what is told, and the audit, which looks at them as they are.
GROUND = {
    "julian": {"position.py", "components.py", "board.py", "audit.py"},
    "navajo_wars": {
        "position.py",
        "components.py",
        "printed_map.py",
        "board.py",
        "scenarios.py",
        "audit.py",
        "audit_cards.py",
        "audit_counters.py",
        "audit_display.py",
        "audit_map.py",
    },
}
# What is said about a position as a whole, and names that are looked up in it for a form.
OF_POSITIONS = {"naming.py", "session.py", "stock.py", "mix.py"}
RULES = sorted(
    path
    for game, ground in GROUND.items()
    for path in (ENGINE / game).glob("*.py")
    if path.name not in ground
)
EXAMPLES = {
    "julian": {"opening.py", "playing.py", "sequence.py", "forces.py", "stratagems.py"},
    "navajo_wars": {"sequence.py", "consequences.py", "cubes.py", "display.py", "printed.py", "truces.py"},
}


def _id(path: Path) -> str:
    return f"{path.parent.name}/{path.name}"


@pytest.mark.parametrize("game", GROUND)
def test_there_is_something_to_look_at(game: str) -> None:
    assert EXAMPLES[game] <= {one.name for one in RULES if one.parent.name == game}
    assert "UNSET" in (ENGINE / game / "board.py").read_text(encoding="utf-8")
    assert GROUND[game] <= {one.name for one in (ENGINE / game).glob("*.py")}, "the ground is there"


@pytest.mark.parametrize("path", RULES, ids=_id)
def test_a_rule_does_not_know_how_not_told_is_written(path: Path) -> None:
    nodes = list(ast.walk(ast.parse(path.read_text(encoding="utf-8"))))
    imported = {name.name for node in nodes if isinstance(node, ast.ImportFrom) for name in node.names}
    assert "UNSET" not in imported
    assert "UNSET" not in {node.id for node in nodes if isinstance(node, ast.Name)}
    assert "UNSET" not in {node.attr for node in nodes if isinstance(node, ast.Attribute)}


@pytest.mark.parametrize("path", RULES, ids=_id)
def test_a_rule_does_not_ask_whether_a_value_is_the_one_that_says_not_told(path: Path) -> None:
    asked = [
        node.lineno
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "isinstance"
        if any(getattr(one, "id", "") == "UnsetType" for one in ast.walk(node.args[1]))
    ]
    assert not asked


@pytest.mark.parametrize("path", RULES, ids=_id)
def test_a_rule_reads_the_position_through_the_board(path: Path) -> None:
    """`at.position` is the board's own; a rule asks the board."""
    if path.name in OF_POSITIONS:
        return
    tree = ast.parse(path.read_text(encoding="utf-8"))
    read = [
        node.lineno for node in ast.walk(tree) if isinstance(node, ast.Attribute) and node.attr == "position"
    ]
    assert not read
