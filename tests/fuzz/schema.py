"""Requests that schemathesis makes from the contract, put to a real server; the configuration says what is no failure."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tempfile
from collections import Counter, defaultdict
from pathlib import Path
from typing import NamedTuple

import requests

from tests.plays.player import EVADING, GAME
from tests.service.server import ROOT, Server, serving

HERE = Path(__file__).parent
ALL = "examples,coverage,fuzzing,stateful"


class Put(NamedTuple):
    """How many cases were put, how schemathesis ended, and what it and the server's log say."""

    cases: int
    ended: int
    said: str
    log: str


def run(seed: int, cases: int, *options: str) -> Put:
    """Put the cases of one seed after the other until there are enough, or a check has failed."""
    put, ended, said = 0, 0, ""
    with tempfile.TemporaryDirectory() as folder:
        log = Path(folder) / "log"
        with serving(
            log, RULEGLOT_DATA=folder, RULEGLOT_PLAYS_PER_ADDRESS="1000000", RULEGLOT_ACCESS_LOG="on"
        ) as server:
            play = _play(server)
            while put < cases and not ended:
                done = _put(server, seed, play, options or ("--phases", ALL))
                ended, said = done.returncode, done.stdout + done.stderr
                found = re.search(r"([\d,]+) generated", said)
                if not found:
                    ended = ended or 1
                    break
                put += int(found[1].replace(",", ""))
                print(f"seed {seed}: {put} cases by now", flush=True)
                seed += 1
        return Put(put, ended, said, log.read_text())


def _play(server: Server) -> str:
    """A play to be asked about and changed: its id and its key."""
    made = requests.post(f"{server.address}/v1/games/{GAME}/plays", json={"position": EVADING}, timeout=60)
    state = made.json()
    return f"{state['id']} {state['key']}"


def _put(server: Server, seed: int, play: str, options: tuple[str, ...]) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "schemathesis.cli", "--config-file", str(HERE / "schemathesis.toml")]
    return subprocess.run(
        [*command, "run", f"{server.address}/openapi.json", "--seed", str(seed), *options, "--no-color"],
        cwd=ROOT,
        env={**os.environ, "RULEGLOT_FUZZ_SEED": str(seed), "RULEGLOT_FUZZ_PLAY": play},
        capture_output=True,
        text=True,
        check=False,
    )


def answered(log: str) -> dict[str, Counter[int]]:
    """Of each operation, how often it was answered with which status, by the server's own log."""
    found: dict[str, Counter[int]] = defaultdict(Counter)
    for line in log.splitlines():
        if line.startswith('{"time"'):
            told = json.loads(line)
            found[told["operation"]][told["status"]] += 1
    return found


def wrong(put: Put) -> bool:
    """Did a check fail, was anything answered with 500, or did the server tell of an error?"""
    statuses = {status for counts in answered(put.log).values() for status in counts}
    return bool(put.ended) or 500 in statuses or "unexpected error" in put.log or "Traceback" in put.log


def main() -> None:
    """`python -m tests.fuzz.schema CASES SEED`."""
    cases = int(sys.argv[1]) if len(sys.argv) > 1 else 20_000
    seed = int(sys.argv[2]) if len(sys.argv) > 2 else 1
    put = run(seed, cases)
    for operation, counts in sorted(answered(put.log).items()):
        statuses = ", ".join(f"{count} × {status}" for status, count in sorted(counts.items()))
        print(f"{operation:30} {counts.total():6}: {statuses}")
    failed = wrong(put)
    print(f"{put.said}\n{put.log[-4000:]}" if failed else "\n".join(put.said.splitlines()[-20:]))
    print(f"schemathesis: {put.cases} cases, seed {seed}, {'failures above' if failed else 'no failure'}")
    sys.exit(failed)


if __name__ == "__main__":
    main()
