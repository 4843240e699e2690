"""The wheel, installed where there is no checkout, speaks four languages and has all its files."""

from __future__ import annotations

import ast
import email
import json
import re
import shutil
import subprocess
import sys
import sysconfig
import venv
import zipfile
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from tests.service.sent import AMBUSH, LANGUAGES

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[2]
# All that a build needs; what is not copied cannot be missed.
SOURCES = (
    "pyproject.toml",
    "hatch_build.py",
    "README.md",
    "LICENSE",
    "engine",
    "service",
    "ruleglot",
    "locales",
    "openapi",
    "tests/examples",
)
SECONDS = 120


class Installed(NamedTuple):
    """A wheel and an environment it is installed in."""

    wheel: Path
    python: Path
    elsewhere: Path

    def run(self, *command: str, sent: Any = None, ends: int = 0) -> str:
        """What a command of the environment prints, far from any checkout."""
        done = subprocess.run(
            [str(self.python.with_name(command[0])), *command[1:]],
            input=None if sent is None else json.dumps(sent),
            capture_output=True,
            text=True,
            cwd=self.elsewhere,
            timeout=SECONDS,
            check=False,
        )
        assert done.returncode == ends, done.stderr
        return done.stdout


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Installed:
    work = tmp_path_factory.mktemp("wheel")
    wheel = build(work)
    home = work / "venv"
    venv.create(home, with_pip=False, symlinks=True)
    python = home / "bin" / "python"
    pip = [sys.executable, "-m", "pip", "--python", str(python), "--disable-pip-version-check"]
    run([*pip, "install", "--quiet", "--no-deps", "--no-index", str(wheel)], work)
    site = next((home / "lib").glob("python*/site-packages"))
    # The dependencies are those of the tests; the checkout that is installed there is not.
    (site / "dependencies.pth").write_text(sysconfig.get_path("purelib"))
    elsewhere = work / "elsewhere"
    elsewhere.mkdir()
    return Installed(wheel, python, elsewhere)


def build(work: Path) -> Path:
    """A wheel of a copy, so that nothing else in the checkout can get into it or is written to."""
    source = work / "source"
    for name in SOURCES:
        if (ROOT / name).is_dir():
            shutil.copytree(ROOT / name, source / name, ignore=shutil.ignore_patterns("__pycache__", "*.mo"))
        elif (ROOT / name).exists():
            source.mkdir(exist_ok=True)
            shutil.copy(ROOT / name, source / name)
    run(
        [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", str(work), str(source)], work
    )
    (wheel,) = work.glob("*.whl")
    return wheel


def run(command: list[str], cwd: Path) -> None:
    done = subprocess.run(command, capture_output=True, text=True, cwd=cwd, timeout=SECONDS, check=False)
    assert done.returncode == 0, f"{command}:\n{done.stdout}\n{done.stderr}"


def test_everything_is_in_it(installed: Installed) -> None:
    names = set(zipfile.ZipFile(installed.wheel).namelist())
    for lang in LANGUAGES[1:]:
        assert f"service/locales/{lang}/LC_MESSAGES/messages.mo" in names
    for lang in ("en", "fr", "it", "ja"):
        own = {f"service/locales/{lang}/{file}.toml" for file in ("terms", "language", "synonyms", "asked")}
        assert own <= names
    assert {"service/locales/concepts.toml", "service/openapi.yaml", "service/answers.json"} <= names
    assert {"ruleglot/py.typed", "service/gunicorn_conf.py"} <= names
    data = {path.relative_to(ROOT).as_posix() for path in (ROOT / "engine").rglob("*.toml")}
    assert {"engine/navajo_wars/rules.toml", "engine/navajo_wars/map.toml"} <= data <= names
    code = {
        path.relative_to(ROOT).as_posix()
        for name in ("service", "ruleglot")
        for path in (ROOT / name).rglob("*.py")
    }
    assert code <= names
    examples = {
        path.relative_to(ROOT / "tests").as_posix() for path in (ROOT / "tests/examples").rglob("*.toml")
    }
    assert examples
    assert {f"service/{name}" for name in examples} <= names


def test_nothing_else_is_in_it(installed: Installed) -> None:
    for name in zipfile.ZipFile(installed.wheel).namelist():
        assert name.startswith(("engine/", "service/", "ruleglot/", "ruleglot-")), name
        assert not name.endswith((".po", ".pyc")), name
        assert "tests/" not in name


def test_it_is_the_wheel_that_answers(installed: Installed) -> None:
    script = "import engine, service, ruleglot\nfor one in (engine, service, ruleglot): print(one.__file__)"
    for path in installed.run("python", "-c", script).splitlines():
        assert Path(path).is_relative_to(installed.python.parents[1])


@pytest.mark.parametrize(
    ("lang", "begins", "term"),
    [
        ("fr", "Embuscade (5.2.1)", "Military Points"),
        ("it", "Imboscata (5.2.1)", "Punti Militari"),
        ("ja", "不可(5.2.1)", "軍事ポイント"),
    ],
)
def test_it_checks_in_every_language(installed: Installed, lang: str, begins: str, term: str) -> None:
    said = installed.run("ruleglot", "check", "-", "--lang", lang, sent=AMBUSH, ends=1)
    assert begins in said.splitlines()[0]
    assert term in said


def test_every_command_works_there(installed: Installed) -> None:
    asked = {"position": AMBUSH["position"], "moves": []}
    for command, sent, ends in (
        (("options", "-"), asked["position"], 0),
        (("odds", "-"), AMBUSH, 1),
        (("audit", "-"), asked["position"], 0),
        (("replay", "-"), asked, 0),
        (("ask", "harass"), None, 0),
        (("rule", "5.2.1"), None, 0),
        (("term", "Ambush"), None, 0),
        (("scenario", "14.1"), None, 0),
        (("chart", "enemy-raid"), None, 0),
        (("play", "game.json"), [], 0),  # what is typed: nothing anybody understands, and then the end
    ):
        assert installed.run("ruleglot", *command, "--lang", "fr", sent=sent, ends=ends).strip()


@pytest.mark.parametrize(
    ("lang", "term"), [("en", "Evade"), ("fr", "Évasion"), ("it", "Fuga"), ("ja", "回避")]
)
def test_the_rules_are_there_in_four_languages(installed: Installed, lang: str, term: str) -> None:
    assert term in installed.run("ruleglot", "rule", "5.2.4", "--lang", lang)


def test_another_program_imports_it(installed: Installed) -> None:
    script = (
        "import ruleglot; print(ruleglot.check('navajo-wars', {'tracks': {'military': 0}},"
        " {'kind': 'ambush', 'family': 'C'}, lang='ja')['headline'])"
    )
    assert installed.run("python", "-c", script).startswith("不可(5.2.1)")


def imported(package: str) -> set[str]:
    """The packages that a package's modules import, anywhere in them."""
    found: set[str] = set()
    for path in (ROOT / package).rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Import):
                found |= {name.name.partition(".")[0] for name in node.names}
            elif isinstance(node, ast.ImportFrom) and not node.level:
                found.add((node.module or "").partition(".")[0])
    return found - sys.stdlib_module_names - {"engine", "service", "ruleglot"}


# What a package is called that is imported by another name, and what is needed without being imported.
CALLED = {
    "flask_swagger_ui": "flask-swagger-ui",
    "jsonschema_rs": "jsonschema-rs",
    "prometheus_client": "prometheus-client",
}
NEEDED = {"gunicorn": "started as a program", "psycopg": "loaded by SQLAlchemy for PostgreSQL"}
WRITERS = {"yaml", "_typeshed"}  # only who rewrites the document, or checks types, needs it


def test_it_declares_what_it_imports_and_no_more(installed: Installed) -> None:
    (name,) = (one for one in zipfile.ZipFile(installed.wheel).namelist() if one.endswith("/METADATA"))
    metadata = email.message_from_bytes(zipfile.ZipFile(installed.wheel).read(name))
    declared = {re.split(r"[\[ ;<>=!~]", one)[0].lower() for one in metadata.get_all("Requires-Dist", [])}
    used = set().union(*map(imported, ("engine", "service", "ruleglot"))) - WRITERS
    assert declared == {CALLED.get(one, one) for one in used} | set(NEEDED)


def test_its_page_says_what_it_is(installed: Installed) -> None:
    (name,) = (one for one in zipfile.ZipFile(installed.wheel).namelist() if one.endswith("/METADATA"))
    metadata = email.message_from_bytes(zipfile.ZipFile(installed.wheel).read(name))
    assert metadata["Description-Content-Type"] == "text/markdown"
    assert str(metadata.get_payload()).startswith("# Ruleglot")
    for version in ("3.11", "3.12", "3.13", "3.14"):
        assert f"Programming Language :: Python :: {version}" in metadata.get_all("Classifier", [])
    assert metadata["License-Expression"] == "MIT"


SERVED = """
import json
from service.app import create_app
client = create_app().test_client()
games = [game["name"] for game in client.get("/v1/games").get_json()["games"]]
print(json.dumps({
    "version": client.get("/healthz").get_json()["version"],
    "document": client.get("/openapi.json").get_json(),
    "actions": {game: client.get(f"/v1/games/{game}/actions").get_json()["actions"] for game in games},
}))
"""


def test_it_serves_an_example_of_each_kind_and_the_same_document(installed: Installed) -> None:
    from service.app import create_app

    served = json.loads(installed.run("python", "-c", SERVED))
    assert served["version"] != "0"
    client = create_app().test_client()
    for game, entries in served["actions"].items():
        here = client.get(f"/v1/games/{game}/actions").get_json()["actions"]
        assert entries == here
        assert any(entry["example"] for entry in entries)
    assert served["document"] == client.get("/openapi.json").get_json()
