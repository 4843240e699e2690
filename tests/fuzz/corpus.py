"""What earlier runs found worth keeping, and where failures are written."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

from tests.fuzz.asking import Case, Said, written
from tests.fuzz.holding import Broken

HERE = Path("build") / "fuzz"
MOST = 20_000


class Corpus:
    """Requests that led somewhere no request had led before; they are where the next run begins."""

    def __init__(self, folder: Path = HERE) -> None:
        self.folder = folder
        self._file = folder / "corpus.jsonl"
        self.kept: list[Case] = []
        self._seen: set[str] = set()
        folder.mkdir(parents=True, exist_ok=True)
        if self._file.exists():
            for line in self._file.read_bytes().splitlines()[-MOST:]:
                told = json.loads(line)
                self.kept.append(Case(told["game"], told["operation"], told["body"]))
                self._seen.add(told["where"])

    def look(self, case: Case, said: Said) -> None:
        """Keep it if it is the first to get there."""
        where = _where(case, said)
        if where in self._seen or len(self.kept) >= MOST:
            return
        self._seen.add(where)
        self.kept.append(case)
        line = written({"where": where, "game": case.game, "operation": case.operation, "body": case.body})
        with self._file.open("ab") as file:
            file.write(line + b"\n")


def _where(case: Case, said: Said) -> str:
    """What a request came to, without the details: action, ruling, reasons, question, outcome."""
    body = said.body
    if said.status != 200:
        return f"{case.game} {said.status} {sorted({one['code'] for one in body['errors']})}"
    action = case.body.get("action")
    kind = action.get("kind") if isinstance(action, dict) else ""
    reasons = sorted({one["name"] for one in body.get("reasons", [])})
    events = sorted({one["name"] for one in body.get("events", [])})
    pending = body.get("pending")
    return f"{case.game} {kind} {body.get('ruling')} {reasons} {pending and pending['name']} {events}"


def write(broken: Broken, seed: int, folder: Path = HERE) -> Path:
    """A failure as a file that `ruleglot` takes: `ruleglot check --game … FILE`, or replay."""
    name = hashlib.sha256(written(broken.case.body)).hexdigest()[:12]
    failures = folder / "failures"
    failures.mkdir(parents=True, exist_ok=True)
    path = failures / f"{broken.rule}-{broken.case.game}-{name}.json"
    path.write_bytes(written(broken.case.body))
    command = f"ruleglot {broken.case.operation} --game {broken.case.game} {path}"
    path.with_suffix(".txt").write_text(f"{broken}\nseed {seed}\n{command}\n", encoding="utf-8")
    return path


def shown(folder: Path = HERE) -> list[Any]:
    """The failures that are there."""
    return sorted((folder / "failures").glob("*.txt")) if (folder / "failures").is_dir() else []
