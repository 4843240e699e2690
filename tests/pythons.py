"""Run the tests on every Python that is there, each in an environment of its own: `make test-all`."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
# Run once in make test: they try what is built and generated, which is the same on every Python.
ONCE = ("tests/clients", "tests/service/test_wheel.py", "tests/kept")


def found(version: str) -> str | None:
    """Where this Python is: on the path, or among those of pyenv."""
    pyenv = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv")) / "versions"
    installed = sorted(pyenv.glob(f"{version}.*/bin/python{version}"))
    # Those of pyenv come first: its command of that name may be there and yet start nothing.
    return str(installed[-1]) if installed else shutil.which(f"python{version}")


def tested(version: str, python: str, arguments: list[str]) -> bool:
    """Do the tests pass with this Python?"""
    home = ROOT / ".venv" / f"python{version}"
    pip = [str(home / "bin" / "pip"), "--disable-pip-version-check", "install", "--quiet"]
    left_out = [f"--ignore={place}" for place in ONCE]
    steps = [
        [python, "-m", "venv", "--clear", str(home)],
        [*pip, "--require-hashes", "-r", "requirements-dev.lock"],
        [*pip, "--no-deps", "--no-build-isolation", "-e", "."],
        [str(home / "bin" / "python"), "-m", "pytest", "-n", "auto", *left_out, *arguments],
    ]
    return all(subprocess.run(step, cwd=ROOT, check=False).returncode == 0 for step in steps)


def main(versions: list[str], arguments: list[str]) -> int:
    """Say of each version how it went; fail where a test did, or where no version is there."""
    results: dict[str, str] = {}
    for version in versions:
        python = found(version)
        if python is None:
            results[version] = "is not there: skipped. Get it with `pyenv install` or from your distribution."
            continue
        print(f"== Python {version}: {python}", flush=True)
        results[version] = "passed" if tested(version, python, arguments) else "FAILED"
    for version, said in results.items():
        print(f"Python {version}: {said}")
    return 0 if "passed" in results.values() and "FAILED" not in results.values() else 1


if __name__ == "__main__":
    given = sys.argv[1:]
    cut = given.index("--") if "--" in given else len(given)
    sys.exit(main(given[:cut], given[cut + 1 :]))
