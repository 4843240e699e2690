"""The package stands alone where it says so, is typed as the contract is, and shows what is true."""

from __future__ import annotations

import doctest
import importlib
import os
import subprocess
import sys
from pathlib import Path
from typing import get_type_hints, is_typeddict

import pytest

import ruleglot
from ruleglot import types
from service import play_openapi, shapes

ROOT = Path(__file__).parents[2]
ASKED = "import ruleglot; print(ruleglot.check('navajo-wars', {'tracks': {'military': 0}}, {'kind': 'ambush', 'family': 'C'})['ruling'])"


def python(*arguments: str, cwd: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, *arguments],
        cwd=cwd,
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


def test_it_is_typed() -> None:
    assert (Path(ruleglot.__file__).parent / "py.typed").exists()


@pytest.mark.parametrize("module", ["ruleglot", "ruleglot.errors", "ruleglot.client", "ruleglot.in_process"])
def test_its_examples_are_true(module: str) -> None:
    found = doctest.testmod(importlib.import_module(module))
    assert found.attempted
    assert not found.failed


def test_the_client_needs_neither_engine_nor_service(tmp_path: Path) -> None:
    said = "import sys, ruleglot; ruleglot.Client('http://x'); print(sorted({'engine', 'service', 'flask'} & set(sys.modules)))"
    assert python("-c", said, cwd=tmp_path).stdout.strip() == "[]"


def test_in_process_it_works_from_any_folder(tmp_path: Path) -> None:
    assert python("-c", ASKED, cwd=tmp_path).stdout.strip() == "illegal"


@pytest.mark.parametrize("name", ["engine", "service"])
def test_another_package_of_that_name_is_named_and_not_asked(tmp_path: Path, name: str) -> None:
    (tmp_path / name).mkdir()
    (tmp_path / name / "__init__.py").write_text("raise SystemExit('the wrong one was imported')")
    found = python("-c", ASKED, cwd=tmp_path)
    last = found.stderr.strip().splitlines()[-1]
    assert last.startswith("ImportError")
    assert str(tmp_path / name) in last
    assert "ruleglot.Client" in last
    assert python("-P", "-c", ASKED, cwd=tmp_path).stdout.strip() == "illegal"


def test_a_folder_that_is_no_package_is_in_nobodys_way(tmp_path: Path) -> None:
    (tmp_path / "engine").mkdir()
    assert python("-c", ASKED, cwd=tmp_path).stdout.strip() == "illegal"


TYPED = sorted(name for name, kind in vars(types).items() if is_typeddict(kind))
OF_A_GAME = {"BatchAnswer", "CheckAnswer", "ReplayAnswer"}


def fields(name: str) -> tuple[set[str], set[str]]:
    """The fields that the contract has in something, and those of them that are always there."""
    known = {**shapes.everything(), **play_openapi.schemas()}
    schema = known[f"NavajoWars{name}" if name in OF_A_GAME else name]
    if "allOf" in schema:
        checked, more = fields("CheckAnswer"), schema["allOf"][1]
        return checked[0] | set(more["properties"]), checked[1] | set(more["required"])
    return set(schema["properties"]), set(schema["required"])


@pytest.mark.parametrize("name", TYPED)
def test_the_types_are_those_of_the_contract(name: str) -> None:
    kind = getattr(types, name)
    assert (set(get_type_hints(kind)), set(kind.__required_keys__)) == fields(name)


MISTYPED = """
import ruleglot
ruleglot.check("navajo-wars", {}, {"kind": "planning"}, assume=False)
ruleglot.check("navajo-wars", {}, {"kind": "planning"}, foo=1)
ruleglot.options("navajo-wars", {}, assume=False, foo=1)
ruleglot.odds("navajo-wars", {}, {"kind": "planning"}, assume=False, foo=1)
ruleglot.audit("navajo-wars", {}, assume=False)
def moved(play: ruleglot.Play) -> str:
    print(play.state["nmae"])
    return play.move(assume=False)["ruling"] + play.state["name"]
"""


def test_what_is_mistyped_is_found_before_it_is_run(tmp_path: Path) -> None:
    (tmp_path / "mistyped.py").write_text(MISTYPED)
    arguments = ("-m", "mypy", "--strict", "--follow-imports=silent", "mistyped.py")
    found = python(*arguments, cwd=tmp_path, MYPYPATH=str(ROOT)).stdout
    lines = [line for line in MISTYPED.splitlines() if "foo" in line or "audit" in line or "nmae" in line]
    places = [int(line.split(":")[1]) for line in found.splitlines() if ": error: " in line]
    assert places == [MISTYPED.splitlines().index(line) + 1 for line in lines], found
