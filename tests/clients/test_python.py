"""Clients in Python: the one that is shipped, and one that openapi-python-client generates with its defaults."""

from __future__ import annotations

import importlib.util
import py_compile
import sys
from pathlib import Path

from service.app import create_app
from tests.clients.raid import held_against_the_engine, on_the_page
from tests.clients.tools import missing, run
from tests.package.serving import running

HERE = Path(__file__).parent
# The two files of terms are no JSON; the generator takes no TBX and says so.
NOT_GENERATED = {
    "GET /v1/games/navajo-wars/terms.tbx within navajo_wars.",
    "GET /v1/games/julian/terms.tbx within julian.",
}


def test_the_raid_on_the_page_for_programs(tmp_path: Path) -> None:
    script = tmp_path / "raid.py"
    script.write_text(on_the_page("python"), encoding="utf-8")
    with running(create_app()) as address:
        done = run([sys.executable, str(script), address], tmp_path, PYTHONUTF8="1")
    assert done.returncode == 0, done.stderr
    held_against_the_engine(done.stdout, "legal None shiprock-5")


def test_the_raid_on_the_page_is_typed(tmp_path: Path) -> None:
    script = tmp_path / "raid.py"
    script.write_text(on_the_page("python"), encoding="utf-8")
    root = str(HERE.parents[1])
    done = run(
        [sys.executable, "-m", "mypy", "--strict", "--follow-imports=silent", str(script)],
        tmp_path,
        MYPYPATH=root,
    )
    assert done.returncode == 0, done.stdout


def test_a_generated_client_plays_the_raid(contract: Path, tmp_path: Path) -> None:
    if importlib.util.find_spec("openapi_python_client") is None:
        missing("python", "there is no openapi-python-client", "Install it with `make lint`.")
    client = tmp_path / "generated_client"
    generate = ["-m", "openapi_python_client", "generate", "--meta", "none", "--path", str(contract)]
    made = run([sys.executable, *generate, "--output-path", str(client)], tmp_path, COLUMNS="400")
    said = (made.stdout + made.stderr).splitlines()
    warned = {line.partition("parsing ")[2] for line in said if line.startswith("WARNING")}
    assert made.returncode == 0, made.stderr
    assert warned == NOT_GENERATED
    for module in client.rglob("*.py"):
        py_compile.compile(str(module), doraise=True)
    with running(create_app()) as address:
        done = run(
            [sys.executable, str(HERE / "generated_raid.py"), address],
            tmp_path,
            PYTHONPATH=str(tmp_path),
            PYTHONUTF8="1",
        )
    assert done.returncode == 0, done.stderr
    held_against_the_engine(done.stdout, "legal None shiprock-5")
