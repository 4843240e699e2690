"""What happens where the first try does not work: the Makefile cleans up and says what to do."""

from __future__ import annotations

import shutil
import socket
import subprocess
from pathlib import Path

ROOT = Path(__file__).parents[2]
# Debian without python3-venv: the folder is made, its Python too, and then it fails.
WITHOUT_VENV = """#!/bin/sh
case "$*" in
*venv*) mkdir -p .venv/bin && touch .venv/bin/python && chmod +x .venv/bin/python && exit 1 ;;
esac
"""


def made(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        ["make", *arguments], cwd=folder, capture_output=True, text=True, timeout=120, check=False
    )


def test_a_failed_environment_is_removed_and_the_package_named(tmp_path: Path) -> None:
    shutil.copy(ROOT / "Makefile", tmp_path)
    for file in ("pyproject.toml", "hatch_build.py", "requirements.lock"):
        (tmp_path / file).touch()
    python = tmp_path / "python-without-venv"
    python.write_text(WITHOUT_VENV)
    python.chmod(0o755)
    done = made(tmp_path, "run", f"PYTHON={python}")
    assert done.returncode != 0
    assert "python3-venv" in done.stderr
    assert not (tmp_path / ".venv").exists()


def test_a_busy_port_names_another() -> None:
    with socket.socket() as busy:
        busy.bind(("127.0.0.1", 0))
        busy.listen()
        port = busy.getsockname()[1]
        done = made(ROOT, "--assume-old=.venv/.runs", "run", f"PORT={port}", "ARGS=")
    assert done.returncode != 0
    assert f"Port {port} is taken on this computer." in done.stderr
    assert "PORT=" in done.stderr.partition("is taken")[2]
