"""A game is one folder, a language is one folder: another one is served as soon as it is there, and nothing else is touched."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from hatch_build import compile_catalog

ROOT = Path(__file__).parents[2]
TOYS = ROOT / "tests" / "toys"
NOT_COPIED = shutil.ignore_patterns("__pycache__")


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A copy of all that the service is made of."""
    for folder in ("engine", "service", "ruleglot", "locales", "openapi", "tests/examples"):
        shutil.copytree(ROOT / folder, tmp_path / folder, ignore=NOT_COPIED)
    return tmp_path


def asked(script: Path, checkout: Path) -> str:
    """What a script prints that finds the packages of this checkout only."""
    done = subprocess.run(
        [sys.executable, "-P", str(script)],
        cwd=checkout,
        env={**os.environ, "PYTHONPATH": str(checkout)},
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-3000:]
    return done.stdout


def test_a_game_is_one_folder(checkout: Path) -> None:
    shutil.copytree(TOYS / "stones", checkout / "engine" / "stones", ignore=NOT_COPIED)
    shutil.copytree(TOYS / "examples", checkout / "tests" / "examples" / "stones")
    assert asked(TOYS / "asked.py", checkout) == "everything answered\n"


def test_a_language_is_one_folder(checkout: Path) -> None:
    asked(TOYS / "language.py", checkout)
    for catalog in (checkout / "locales" / "eo" / "LC_MESSAGES").glob("*.po"):
        compile_catalog(catalog)
    assert asked(TOYS / "asked_in_esperanto.py", checkout) == "everything answered\n"
