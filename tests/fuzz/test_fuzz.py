"""A little of what `make fuzz` does, and that it would notice: a failure becomes a file that the command line takes."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Any

import orjson
import pytest
from click.testing import CliRunner

from ruleglot.cli import main
from service import checks
from tests.fuzz import games, imports, writers
from tests.fuzz.asking import Case, Said, Service
from tests.fuzz.calls import Fuzzer
from tests.fuzz.corpus import Corpus, shown
from tests.fuzz.holding import PROPERTIES, Broken
from tests.fuzz.mutating import CHANGES, made
from tests.service.sent import AMBUSH, EVADE


def test_a_few_hundred_calls_hold(tmp_path: Path) -> None:
    fuzzer = Fuzzer(2026, tmp_path)
    fuzzer.run(600)
    assert not fuzzer.broken, [path.with_suffix(".txt").read_text() for path in fuzzer.broken]
    assert set(fuzzer.held) == {holds.__name__ for holds, _ in PROPERTIES}, "each was held against something"
    assert {"legal", "illegal", "undetermined", "422"} <= set(fuzzer.came)
    assert len(Corpus(tmp_path).kept) == len(fuzzer.corpus.kept) > 50, (
        "the next run begins where this one got"
    )


def test_a_seed_does_the_same_again(tmp_path: Path) -> None:
    one, other = Fuzzer(7, tmp_path / "one"), Fuzzer(7, tmp_path / "other")
    assert one.run(150) == other.run(150)


def test_a_failure_is_a_file_that_the_command_takes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fuzzer = Fuzzer(3, tmp_path)
    answers = checks.answer

    def breaks(game: Any, request: Any, lang: str) -> Any:
        if type(request.action).__name__ == "Evade":
            raise ZeroDivisionError
        return answers(game, request, lang)

    monkeypatch.setattr(checks, "answer", breaks)
    fuzzer._looked_at(Case("navajo-wars", "check", EVADE))
    (path,) = fuzzer.broken
    told = path.with_suffix(".txt").read_text()
    assert shown(tmp_path) == [path.with_suffix(".txt")]
    assert "ZeroDivisionError" in told
    assert f"ruleglot check --game navajo-wars {path}" in told
    monkeypatch.setattr(checks, "answer", answers)
    said = CliRunner().invoke(main, ["check", "--game", "navajo-wars", str(path), "--lang", "en"])
    assert said.exit_code == 0, said.output
    assert "Evade" in said.output


class Wrong(Service):
    """A service whose second answer is another one."""

    def ask(self, case: Case, lang: str | None = None) -> Said:
        said = super().ask(case, lang)
        if self.calls > 1:
            return Said(422, b'{"errors": [], "detail": ""}')
        return said


NOTICES = ("same_again", "can_be_sent_back", "in_every_language", "replays")


@pytest.mark.parametrize("name", NOTICES)
def test_each_property_would_notice(name: str) -> None:
    holds = next(one for one, _ in PROPERTIES if one.__name__ == name)
    case = Case("navajo-wars", "check", EVADE)
    service = Wrong()
    said = service.ask(case)
    with pytest.raises(Broken):
        holds(service, case, said, Random(1))


def test_a_fact_that_turns_a_ruling_is_noticed() -> None:
    holds = next(one for one, _ in PROPERTIES if one.__name__ == "one_fact_less")
    service = Service()
    case = Case("navajo-wars", "check", AMBUSH)
    said = service.ask(case)
    legal = Said(200, said.text.replace(b'"ruling":"illegal"', b'"ruling":"legal"'))
    found = 0
    for seed in range(30):
        try:
            holds(service, case, legal, Random(seed))
        except Broken:
            found += 1
    assert found


def test_a_legal_move_to_what_cannot_be_is_noticed() -> None:
    holds = next(one for one, _ in PROPERTIES if one.__name__ == "stays_possible")
    case = Case("navajo-wars", "check", {"position": {"tracks": {"ap": 3}}, "action": {"kind": "continue"}})

    def led_to(action_points: int, *cautions: Any) -> None:
        body = {"ruling": "legal", "position": {"tracks": {"ap": action_points}}, "cautions": cautions}
        holds(Service(), case, Said(200, orjson.dumps(body)), Random(1))

    led_to(4)
    led_to(99, {"name": "look-at-it"})
    with pytest.raises(Broken, match="value-out-of-range"):
        led_to(99)


def test_every_change_is_made_to_some_request() -> None:
    random = Random(5)
    for _ in range(300):
        made(random, [])
    assert len(CHANGES) >= 10


def test_games_that_are_brought_in() -> None:
    assert 0 < imports.brought_in(101, 12) < 12, "some are kept, some are refused, none fails"


def test_several_writers_and_whole_games() -> None:
    assert writers.written(5) > 0
    games.one(4)  # a turn of Julian
