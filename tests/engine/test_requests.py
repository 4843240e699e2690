"""Requests that once led from a possible position to an impossible one, or passed over a fact in silence."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from engine import codec
from engine.audit import audit
from engine.game import Answer, check, prepare
from engine.navajo_wars import GAME
from tests.shown import game

REQUESTS = Path(__file__).parent.parent / "requests"
LED_ASTRAY = sorted(path.stem for sort in ("impossible-", "play-") for path in REQUESTS.glob(f"{sort}*.json"))
SENT_TO_THE_SERVICE = {  # tests/service: test_prices.py, test_reading_errors.py
    "expensive-replay-500-continue.json",
    "500-unknown-field-name.sh",
    "wrong-error-unknown-field-name.sh",
}
SILENT = sorted(path.stem for path in REQUESTS.glob("silent-*.json"))
FLIPS = sorted(path.stem for path in REQUESTS.glob("flip-*.json"))
BEYOND_PUBLIC_COUNT = (  # what public sources count refuses nothing: his copy may have more
    "impossible-more-counters-than-published-buy-trade-goods",
    "impossible-more-counters-than-published-trade-at-fort",
)


def test_every_request_is_a_test() -> None:
    here = {f"{name}.json" for name in (*LED_ASTRAY, *SILENT, *FLIPS)}
    assert here | SENT_TO_THE_SERVICE == {path.name for path in REQUESTS.iterdir()}


def sent(name: str, part: str = "request") -> dict[str, Any]:
    found: dict[str, Any] = json.loads((REQUESTS / f"{name}.json").read_text())[part]
    return found


def answered(request: dict[str, Any], of: str = GAME.name) -> Answer:
    rules = game(of)
    at = prepare(rules, request["position"], request.get("choices", {}), request.get("components", {}))
    do = codec.read(request["action"], rules.action_types, "/action")
    return check(rules, at, do, codec.read_inputs(request.get("inputs", [])))


def whose(name: str) -> str:
    return str(json.loads((REQUESTS / f"{name}.json").read_text())["game"])


def findings(request: dict[str, Any], position: Any) -> list[str]:
    found = audit(GAME, position, request.get("choices", {}), request.get("components", {})).findings
    return [one.requirement.name for one in found]


@pytest.mark.parametrize("name", LED_ASTRAY)
def test_a_legal_answer_leaves_a_possible_position(name: str) -> None:
    request = sent(name)
    answer = answered(request)
    before, left = findings(request, request["position"]), findings(request, answer.position)
    assert answer.verdict.ruling != "legal" or set(left) <= set(before)


@pytest.mark.parametrize("name", BEYOND_PUBLIC_COUNT)
def test_more_than_public_sources_count_is_a_doubt_before_and_afterwards(name: str) -> None:
    request = sent(name)
    answer = answered(request)
    assert "counter-perhaps-none-left" in [one.message.name for one in answer.verdict.cautions]
    looked_at = audit(GAME, answer.position, {}, request.get("components", {}))
    assert [one.message.name for one in looked_at.cautions] == ["more-counters-than-published"]


@pytest.mark.parametrize("name", BEYOND_PUBLIC_COUNT)
def test_more_than_the_player_has_counted_is_refused(name: str) -> None:
    request = sent(name)
    printed = {**request.get("components", {}), "counter_limits": {"trade_goods": 11}}
    answer = answered({**request, "components": printed})
    assert answer.verdict.ruling == "illegal"
    assert not audit(GAME, answer.position, {}, printed).findings


@pytest.mark.parametrize("woman", [True, False])
def test_a_man_lost_in_an_ambush_leaves_a_possible_position(woman: bool) -> None:
    """The request stops at a question about the woman; answered either way the Raid goes to its end."""
    request = sent("impossible-ferocity-kept-without-man-enemy-raid")
    request["position"]["families"]["A"]["woman"] = woman
    answer = answered(request)
    names = [event.message.name for event in answer.events]
    assert (answer.verdict.ruling, answer.verdict.unknowns) == ("legal", ())
    assert "raid-end-cleared" in names
    assert findings(request, answer.position) == []


@pytest.mark.parametrize("name", SILENT)
def test_a_fact_that_matters_is_not_passed_over(name: str) -> None:
    """Untold, it is asked for, or nothing happens that telling it takes back."""
    untold, told = (answered(sent(name, part), whose(name)) for part in ("untold_request", "told_request"))
    facts = [fact.pointer for fact in untold.verdict.unknowns]
    said = [event.message.name for event in told.events]
    assert facts or [event.message.name for event in untold.events] == said


def named(answer: Answer) -> set[str]:
    """Every fact that an answer says it rests on without having been told."""
    verdict = answer.verdict
    return {one.pointer for one in (*verdict.assumed, *verdict.cautions, *verdict.unknowns)}


@pytest.mark.parametrize("name", FLIPS)
def test_no_ruling_rests_in_silence_on_a_fact_that_would_turn_it(name: str) -> None:
    """What was not told is asked for or announced, or it is an answer that does not fit, and not the action."""
    untold, told = (answered(sent(name, part), whose(name)) for part in ("untold_request", "told_request"))
    assert (untold.verdict.ruling, told.verdict.ruling) != ("legal", "legal"), "it was chosen since it flips"
    field: Any = sent(name, "untold_field")[0]
    rests_on = [
        pointer for pointer in named(untold) if pointer.startswith(field) or field.startswith(f"{pointer}/")
    ]
    assert rests_on or untold.refused == "answer"
