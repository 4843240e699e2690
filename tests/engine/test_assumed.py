"""What was not told of an occasion is taken for granted and said; a fact of the board never is."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from engine import codec
from engine.game import Answer, check, prepare
from engine.testing import Request, merge, plain
from engine.verdict import Check
from tests.shown import Shown, all_shown, components, game

CLOSED_LIST = {
    "navajo-wars": (
        "/outcome",
        "/scenario",
        "/cards/current",
        "/operation/*",
        "/activation/family",
        "/activation/spent",
    ),
    "julian": (
        "/last_play",
        "/last_roll",
        "/combat",
        "/played",
        "/has_played/*",  # the same, told marker by marker
        "/phase",
        "/subphase",
        "/active",
        "/commands/*/active",
        "/hands/*",
    ),
}


def test_the_list_is_told_to_programs() -> None:
    page = (Path(__file__).parents[2] / "docs" / "for-programs.md").read_text()
    for named in CLOSED_LIST.values():
        assert f"| {', '.join(f'`{pointer}`' for pointer in named)} |" in page


class Case(NamedTuple):
    """A request of an example, and something that was taken for granted in its answer."""

    shown: Shown
    taken: Check

    def ask(self, *told: Any, assume: bool = True) -> Answer:
        return asked(self.shown, *told, assume=assume)


def asked(shown: Shown, *told: Any, assume: bool = True) -> Answer:
    example: Request = shown.example
    rules = game(shown.game)
    file = shown.example.components_file
    printed = merge(components(file) if file else {}, shown.example.components)
    at = prepare(rules, plain(example.position), shown.example.choices, plain(printed), assume=assume)
    do = codec.read(plain(example.action), rules.action_types, "/action")
    return check(rules, at, do, codec.read_inputs([*told, *plain(example.inputs)]))


@cache
def cases() -> tuple[Case, ...]:
    return tuple(_cases())


def _cases() -> Iterator[Case]:
    for shown in all_shown():
        if shown.example.unreadable:
            continue
        for taken in asked(shown).verdict.assumed:
            yield Case(shown, taken)


def said(answer: Answer) -> Any:
    """What telling a fact as it was assumed must leave alone."""
    verdict = answer.verdict
    reasons = [one.requirement.name for one in verdict.reasons]  # the tell moves the other inputs on
    unknowns = [one.pointer for one in verdict.unknowns]
    events = [one.message.name for one in answer.events]
    return verdict.ruling, reasons, unknowns, answer.pending and answer.pending.name, events


def test_only_the_closed_list_may_be_assumed() -> None:
    assert {name: game(name).assumes for name in CLOSED_LIST} == CLOSED_LIST


def test_each_kind_of_occasion_is_met_in_some_example() -> None:
    pointers = {(one.shown.game, one.taken.pointer) for one in cases()}
    assert {
        ("navajo-wars", "/outcome"),
        ("navajo-wars", "/operation/kind"),
        ("navajo-wars", "/operation/traded"),
        ("julian", "/active"),
        ("julian", "/last_roll"),
    } <= pointers


def test_told_as_it_was_assumed_nothing_else_changes() -> None:
    seen = set()
    for one in cases():
        if one.taken.pointer.startswith(
            ("/hands", "/played")
        ):  # a count or a list of its own, told as a whole
            continue
        as_assumed = one.ask({"tell": {one.taken.pointer: one.taken.takes}})
        assert said(as_assumed) == said(one.ask()), f"{one.shown}: {one.taken.pointer}"
        assert one.taken not in as_assumed.verdict.assumed
        seen.add(one.taken.requirement.name)
    assert len(seen) >= 5


def test_who_does_not_want_to_assume_is_asked() -> None:
    for one in cases():
        answer = one.ask(assume=False)
        assert not answer.verdict.assumed
        asks = [fact.pointer for fact in answer.verdict.unknowns]
        assert answer.verdict.ruling != "legal", f"{one.shown}: {one.taken.pointer} {asks}"


@pytest.mark.parametrize(
    ("name", "told", "reason"),
    [
        ("That Planning is under way is taken for granted", {"/operation/kind": None}, "not-in-planning"),
        ("That it has not bought yet is taken for granted", {"/operation/traded": ["A"]}, "trade-goods-once"),
        (
            "That no Operation has been chosen is taken for granted",
            {"/operation/kind": "planning"},
            "operation-chosen-before",
        ),
        (
            "That it is his own phase is taken for granted",
            {"/active": "barbarian"},
            "not-your-operations-phase",
        ),
        (
            "That the die he names was just rolled is taken for granted",
            {"/last_roll": None},
            "no-roll-to-repeat",
        ),
    ],
)
def test_told_otherwise_it_is_refused_with_that_reason(name: str, told: Any, reason: str) -> None:
    (shown,) = [one for one in all_shown() if one.example.name == name]
    answer = asked(shown, {"tell": told})
    assert [one.requirement.name for one in answer.verdict.reasons] == [reason]
    assert answer.refused == "action"


def test_what_was_only_assumed_is_not_written() -> None:
    name = "That it has not bought yet is taken for granted"
    (shown,) = [one for one in all_shown() if one.example.name == name]
    position = codec.write(asked(shown).position)
    assert position["operation"]["traded"] == ("A",)
    assert position["partial"] == {"operation.traded": True}  # who else has traded stays untold
