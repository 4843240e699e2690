"""`python -m tests.fuzz CALLS SEED`, or with MINUTES= until the time is up; ends with 1 if anything did not hold."""

from __future__ import annotations

import os
import sys
import time
from collections import Counter

from tests.fuzz import games, imports, writers
from tests.fuzz.calls import Fuzzer
from tests.fuzz.corpus import write
from tests.fuzz.holding import Broken

TURN = 20_000  # calls between two whole games, two plays with several writers, and two lines that say how it goes
BROUGHT_IN = 60  # mutated games in each turn


class Run:
    """Requests, whole games and plays with several writers, in turn."""

    def __init__(self, seed: int) -> None:
        self.seed, self.turns = seed, 0
        self.fuzzer = Fuzzer(seed)
        self.seen: Counter[str] = Counter()

    def turn(self, calls: int) -> None:
        """So many calls more, a game, and a play."""
        said = self.fuzzer.run(self.fuzzer.service.calls + calls)
        self.turns += 1
        try:
            games.one(self.seed + self.turns)
            self.seen["games"] += 1
            self.seen["changes by several writers"] += writers.written(self.seed + self.turns)
            self.seen["games brought in"] += imports.brought_in(self.seed + self.turns, BROUGHT_IN)
        except Broken as broken:
            self.fuzzer.broken.append(write(broken, self.seed + self.turns))
        print(f"{said}; {dict(self.seen)}", flush=True)


def main() -> None:
    """As many calls as are asked for, or as long."""
    calls = int(sys.argv[1]) if len(sys.argv) > 1 else 100_000
    run = Run(int(sys.argv[2]) if len(sys.argv) > 2 else int(time.time()))
    minutes = float(os.environ.get("MINUTES") or 0)
    end = time.monotonic() + minutes * 60
    while time.monotonic() < end if minutes else run.fuzzer.service.calls < calls:
        run.turn(TURN if minutes else min(TURN, calls))
    for path in run.fuzzer.broken:
        print(path.with_suffix(".txt").read_text(encoding="utf-8"))
    sys.exit(bool(run.fuzzer.broken))


if __name__ == "__main__":
    main()
