"""What was not told does not leave the board of a game: rules read facts, and a fact that is missing asks for itself."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

JULIAN = Path(__file__).parents[2] / "engine" / "julian"
# Where positions and components are made of what is told, and the audit, which looks at them as they are.
GROUND = {"position.py", "components.py", "board.py", "audit.py"}
# What is said about a position as a whole, and names that are looked up in it for a form.
OF_POSITIONS = {"naming.py", "session.py"}
RULES = sorted(path for path in JULIAN.glob("*.py") if path.name not in GROUND)


def test_there_is_something_to_look_at() -> None:
    assert {"opening.py", "playing.py", "sequence.py", "forces.py", "stratagems.py"} <= {
        one.name for one in RULES
    }
    assert "UNSET" in (JULIAN / "board.py").read_text(encoding="utf-8")


@pytest.mark.parametrize("path", RULES, ids=lambda path: path.name)
def test_a_rule_does_not_know_how_not_told_is_written(path: Path) -> None:
    nodes = list(ast.walk(ast.parse(path.read_text(encoding="utf-8"))))
    imported = {name.name for node in nodes if isinstance(node, ast.ImportFrom) for name in node.names}
    assert "UNSET" not in imported
    assert "UNSET" not in {node.id for node in nodes if isinstance(node, ast.Name)}


@pytest.mark.parametrize("path", RULES, ids=lambda path: path.name)
def test_a_rule_reads_the_position_through_the_board(path: Path) -> None:
    """`at.position` is the board's own; a rule asks the board."""
    if path.name in OF_POSITIONS:
        return
    tree = ast.parse(path.read_text(encoding="utf-8"))
    read = [
        node.lineno for node in ast.walk(tree) if isinstance(node, ast.Attribute) and node.attr == "position"
    ]
    assert not read
