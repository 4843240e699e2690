"""The programs that these tests need beside Python; who misses one is told how to get it."""

from __future__ import annotations

import fcntl
import os
import shutil
import subprocess
from pathlib import Path
from typing import NoReturn

import pytest

HERE = Path(__file__).parent
SECONDS = 300


def missing(client: str, what: str, how: str) -> NoReturn:
    """Skip, or fail where this client is demanded: RULEGLOT_DEMAND="python typescript"."""
    said = f"{client}: {what}. {how}"
    if client in os.environ.get("RULEGLOT_DEMAND", "").split():
        pytest.fail(said, pytrace=False)
    pytest.skip(said)


def node() -> str:
    """Where Node is."""
    found = shutil.which("node") or shutil.which("nodejs")
    if found is None:
        missing("typescript", "there is no Node", "Install it (Debian: apt-get install nodejs npm).")
    return found


def node_program(name: str) -> list[str]:
    """A program of package.json, installed on first use."""
    program = HERE / "node_modules" / ".bin" / name
    run = node()
    with (HERE / "package.json").open() as one_at_a_time:
        fcntl.flock(one_at_a_time, fcntl.LOCK_EX)
        if not program.exists():
            _install()
    return [run, str(program.resolve())]


def _install() -> None:
    npm = shutil.which("npm")
    if npm is None:
        missing("typescript", "there is no npm", "Install it (Debian: apt-get install nodejs npm).")
    done = subprocess.run([npm, "ci"], cwd=HERE, capture_output=True, text=True, timeout=SECONDS, check=False)
    if done.returncode:
        missing(
            "typescript", f"`npm ci` in tests/clients failed: {done.stderr[-300:]}", "It needs a registry."
        )


def run(command: list[str], cwd: Path, **env: str) -> subprocess.CompletedProcess[str]:
    """A finished program, whatever came of it."""
    return subprocess.run(
        command,
        cwd=cwd,
        env={**os.environ, **env},
        capture_output=True,
        text=True,
        timeout=SECONDS,
        check=False,
    )
