"""Mutated requests put to the engine and its words, walked on from answer to answer; every property is held against them."""

from __future__ import annotations

import copy
import time
import traceback
from collections import Counter
from pathlib import Path
from random import Random
from typing import Any

from tests.fuzz.asking import Case, Said, Service
from tests.fuzz.corpus import HERE, Corpus, write
from tests.fuzz.holding import CONTINUE, PROPERTIES, Broken
from tests.fuzz.mutating import made

LONGEST_WALK = 12


class Fuzzer:
    """One run: by its seed it does the same again, from the same corpus."""

    def __init__(self, seed: int, folder: Path = HERE) -> None:
        self.seed, self.folder = seed, folder
        self.random = Random(seed)
        self.service, self.corpus = Service(), Corpus(folder)
        self.held: Counter[str] = Counter()
        self.came: Counter[str] = Counter()
        self.broken: list[Path] = []

    def one(self) -> None:
        """One request and what it leads to; what does not hold is written down."""
        case = made(self.random, self.corpus.kept)
        for _ in range(LONGEST_WALK):
            said = self._looked_at(case)
            if said is None or said.status != 200:
                return
            further = walked(case, said, self.random)
            if further is None or self.random.random() < 0.3:
                return
            case = further

    def _looked_at(self, case: Case) -> Said | None:
        try:
            said = self._asked(case)
            self.came[
                str(said.body.get("ruling", said.status)) if said.status == 200 else str(said.status)
            ] += 1
            self.corpus.look(case, said)
            for holds, often in PROPERTIES:
                if self.random.random() < often:
                    self.held[holds.__name__] += 1
                    holds(self.service, case, said, self.random)
        except Broken as broken:
            self.broken.append(write(broken, self.seed, self.folder))
            return None
        return said

    def _asked(self, case: Case) -> Said:
        try:
            return self.service.ask(case)
        except Exception as error:
            why = "".join(traceback.format_exception(error)[-3:])
            raise Broken("no-failure", case, why) from error

    def run(self, calls: int = 0, until: float = 0.0) -> str:
        """So many calls, or until then; what was seen, in a few lines."""
        while self.service.calls < calls or time.monotonic() < until:
            try:
                self.one()
            except Exception as error:
                case = Case("navajo-wars", "check", {"position": {}, "action": CONTINUE})
                self.broken.append(
                    write(Broken("fuzzer", case, traceback.format_exc()), self.seed, self.folder)
                )
                if not isinstance(error, AssertionError | KeyError | TypeError | ValueError):
                    raise
        return (
            f"{self.service.calls} calls, seed {self.seed}: {dict(self.came)}; held {dict(self.held)}; "
            f"corpus {len(self.corpus.kept)}; violated {len(self.broken)}"
        )


def walked(case: Case, said: Said, random: Random) -> Case | None:
    """The next request of somebody who goes on: one of the options, some number, or something else."""
    body = said.body
    pending = body.get("pending")
    if case.operation != "check" or body.get("ruling") != "legal" or pending is None:
        return None
    shared = {key: case.body[key] for key in ("choices", "components") if key in case.body}
    going_on: dict[str, Any] = {**shared, "position": copy.deepcopy(body["position"]), "action": CONTINUE}
    return Case(case.game, "check", {**going_on, "inputs": [answered(pending, random)]})


def answered(pending: dict[str, Any], random: Random) -> dict[str, Any]:
    """An answer of the right form, mostly a possible one."""
    name, form = pending.get("input") or "choose", pending.get("form", {})
    options = [one["value"] for one in form.get("options", [])] or ["none"]
    if name == "die":
        return {"die": random.randint(1, 6) if random.random() < 0.95 else random.choice((0, 7, 2.0, "1"))}
    if name == "dice":
        return {"dice": [random.randint(1, 6) for _ in range(form.get("most", form.get("count", 2)) or 2)]}
    kind = form.get("type")
    if name == "tell":
        return {"tell": {pending.get("pointer", ""): _value(form, options, random)}}
    if kind == "some":
        count = random.randint(0, min(len(options), form.get("most") or len(options)))
        return {name: random.sample(options, count)}
    return {name: _value(form, options, random)}


def _value(form: dict[str, Any], options: list[Any], random: Random) -> Any:
    if form.get("type") == "yes-no":
        return random.random() < 0.5
    if form.get("type") == "number":
        return random.randint(form.get("least", 0), form.get("most", 9))
    return random.choice(options)
