"""Requests that schemathesis makes from the contract, put to a real server; the configuration says what is no failure."""

from __future__ import annotations

import re
import subprocess
import sys
import tempfile
from pathlib import Path

from tests.service.server import serving

HERE = Path(__file__).parent


def run(seed: int, cases: int, phases: str = "examples,coverage") -> tuple[int, int, str]:
    """How many cases were put, how schemathesis ended, and what it said; more seeds until there are enough."""
    put, ended, said = 0, 0, ""
    with tempfile.TemporaryDirectory() as folder:
        with serving(
            Path(folder) / "log", RULEGLOT_DATA=folder, RULEGLOT_PLAYS_PER_ADDRESS="1000000"
        ) as server:
            while put < cases and not ended:
                command = [sys.executable, "-m", "schemathesis.cli"]
                options = ["run", f"{server.address}/openapi.json", "--seed", str(seed), "--phases", phases]
                done = subprocess.run(
                    [*command, "--config-file", str(HERE / "schemathesis.toml"), *options, "--no-color"],
                    capture_output=True,
                    text=True,
                    check=False,
                )
                ended, said = done.returncode, done.stdout + done.stderr
                found = re.search(r"([\d,]+) generated", said)
                put += int(found[1].replace(",", "")) if found else 0
                print(f"{phases}, seed {seed}: {put} cases by now", flush=True)
                seed += 1
                phases = "fuzzing"
                if not found:
                    break
        log = (Path(folder) / "log").read_text()
    if "unexpected error" in log or "Traceback" in log:
        ended, said = ended or 1, f"{said}\n{log[-4000:]}"
    return put, ended, said


def main() -> None:
    """`python -m tests.fuzz.schema CASES SEED`."""
    cases = int(sys.argv[1]) if len(sys.argv) > 1 else 20_000
    seed = int(sys.argv[2]) if len(sys.argv) > 2 else 1
    put, ended, said = run(seed, cases)
    print(said if ended else "\n".join(said.splitlines()[-20:]))
    print(f"schemathesis: {put} cases, seed {seed}, {'failures above' if ended else 'no failure'}")
    sys.exit(bool(ended))


if __name__ == "__main__":
    main()
