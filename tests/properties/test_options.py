"""What options list: the ruling of each is that of check, and where they say so, nothing that is allowed is missing."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from functools import cache
from itertools import product
from typing import Any, NamedTuple

import pytest
from msgspec import UNSET

from engine import codec
from engine.exceptions import Untold
from engine.game import Game, check, prepare
from engine.navajo_wars import GAME as NAVAJO_WARS
from engine.offers import offers
from engine.options import Options, Way, options
from engine.testing import plain
from engine.transcript import merge
from engine.verdict import ILLEGAL, LEGAL, UNDETERMINED, evaluate
from tests.bench import full_position
from tests.properties.brute_force import effect, every_action
from tests.shown import Shown, all_shown, components, game, played

EVERY, MANY = 6, 25  # each so-manieth example: for the rulings, and for all actions that can be written


class Looked(NamedTuple):
    """A position of an example, and what may be done there."""

    at: Any
    found: list[Options]


class Case(NamedTuple):
    """A position: the one an example begins with, or the one it ends at in the middle of a procedure."""

    name: str
    shown: Shown
    reached: bool

    @property
    def game(self) -> Game:
        return game(self.shown.game)

    def __str__(self) -> str:
        return f"{self.name}{' (reached)' if self.reached else ''}"


@cache
def by_name() -> dict[str, Shown]:
    return {str(one): one for one in all_shown()}


def looked(case: Case) -> Looked:
    return _looked(case.name, case.reached)


@cache
def _looked(name: str, reached: bool) -> Looked:
    shown = by_name()[name]
    example = shown.example
    copy = components(example.components_file) if example.components_file else {}
    position = played(shown)[-1].answer.position if reached else plain(example.position)  # type: ignore[union-attr]
    at = prepare(game(shown.game), position, example.choices, plain(merge(copy, example.components)))
    return Looked(at, list(options(game(shown.game), at)))


def cases(game_name: str, step: int) -> list[Case]:
    chosen = [one for one in all_shown() if one.game == game_name][::step]
    return [case for one in chosen for case in _positions(one)]


def _positions(one: Shown) -> Iterator[Case]:
    if one.example.unreadable is UNSET:
        yield Case(str(one), one, reached=False)
    if one.example.pending not in (UNSET, "null") and not one.example.steps:
        yield Case(str(one), one, reached=True)


SOME = cases("navajo-wars", EVERY) + cases("julian", 2)
FEW = cases("navajo-wars", MANY) + cases("julian", 9)


def read(one: Case, written: dict[str, Any]) -> Any:
    return codec.read(written, one.game.action_types, "/action")


ATTACKER, DEFENDER = ([{"id": name, "combat": 4, "movement": 6}] for name in ("Legio I", "Franci"))
SAID: dict[str, list[Any]] = {  # invented: what a player may say of an action that asks for it
    "attackers": [ATTACKER],
    "defenders": [DEFENDER],
    "result": ["AC", "BB"],
    "number": [*range(1, 56)],
    "stack": ["a stack"],
    "command": ["a command"],
    "vp": [3],
}


def completed(game: Game, way: Way) -> Iterator[Any]:
    """The action with all that it asks for, said in every way that is known here."""
    kind = game.actions[way.action["kind"]].kind
    asked = [fact.pointer.removeprefix("/action/") for fact in way.asks]
    names = [name for name in asked if name in SAID and name in kind.__struct_fields__]
    for values in product(*(SAID[name] for name in names)):
        yield codec.read(
            {**way.action, **dict(zip(names, values, strict=True))}, game.action_types, "/action"
        )


def _refused(game: Game, at: Any, do: Any) -> bool:
    return check(game, at, do).verdict.ruling == ILLEGAL


IN_STRATAGEM_PHASE = {"phase": "stratagem"}
IN_A_COMBAT = {"phase": "operations", "combat": {"id": "1", "attacker": "roman", "defender": "barbarian"}}


@pytest.mark.parametrize("position", [IN_STRATAGEM_PHASE, IN_A_COMBAT])
def test_what_asks_for_its_parameters_is_held_to_what_needs_none(position: dict[str, Any]) -> None:
    julian = game("julian")
    at = prepare(julian, position, {}, {})
    (entry,) = options(julian, at, ["open-combat"])
    fought = {"kind": "open-combat", "attackers": ATTACKER, "defenders": DEFENDER, "attacker": "roman"}
    answer = check(julian, at, codec.read(fought, julian.action_types, "/action"))
    assert (entry.ruling, entry.ways, answer.verdict.ruling) == (ILLEGAL, (), ILLEGAL)
    said = [one.requirement.name for one in answer.verdict.reasons]
    assert [one.requirement.name for one in entry.reasons] == said  # type: ignore[union-attr]  # it is refused


def test_a_victory_check_is_open_to_whoever_names_the_vp_of_its_card() -> None:
    """The position has another card as the one being resolved; check only warns of that once the VP are named."""
    at = prepare(NAVAJO_WARS, {"cards": {"current": 12}}, {}, {})
    (entry,) = options(NAVAJO_WARS, at, ["victory-check"])
    (way,) = entry.ways
    assert (entry.ruling, [fact.pointer for fact in way.asks]) == (LEGAL, ["/action/vp"])
    (do,) = completed(NAVAJO_WARS, way)
    answer = check(NAVAJO_WARS, at, do)
    assert answer.verdict.ruling == UNDETERMINED
    assert [one.message.name for one in answer.verdict.cautions] == ["victory-check-not-of-this-card"]


@pytest.mark.parametrize("one", SOME, ids=str)
def test_each_action_listed_gets_the_same_ruling_from_check(one: Case) -> None:
    at, found = looked(one)
    assert [entry.action.name for entry in found] == list(one.game.actions)
    for entry in found:
        for way in entry.ways:
            if not way.asks:
                assert check(one.game, at, read(one, way.action)).verdict.ruling == LEGAL, way.action
            else:
                assert any(not _refused(one.game, at, do) for do in completed(one.game, way)), way.action
        assert entry.ruling == (LEGAL if entry.ways and entry.action.ways else entry.ruling)
        assert bool(entry.reasons) is (entry.ruling == ILLEGAL)
        assert entry.unknowns or entry.ruling != UNDETERMINED


COMANCHE = {"name": "comanche", "cost": 2, "stripe": False, "ferocity": False}
OPERATION = {"activated": [], "elder_ferocity": [], "traded": [], "tribal": []}
BOARDS: dict[str, dict[str, Any]] = {  # invented, each with what the variants of some actions need
    "a raid": {},
    "planning": {
        "operation": {**OPERATION, "kind": "planning"},
        "instructions": {"active": [COMANCHE, *[None] * 5], "standby": [None] * 6, "inactive": [None] * 6},
    },
    "take actions": {
        "operation": {**OPERATION, "kind": "take-actions", "activated": ["B"]},
        "activation": {"family": "B", "mp": 5, "spent": False},
        "areas": {"san-juan-valley-2": {"fort": "defiance"}, "shiprock-1": {"mission": True}},
    },
    "passage": {"operation": {**OPERATION, "kind": "passage-of-time"}},
}
COMPARED = {
    "a raid": {"ambush", "negotiate", "evade", "enemy-raid", "minor-event", "barter"},
    "planning": {"elder-action", "buy-trade-goods", "tribal-warfare", "tribal-diplomacy", "battle"},
    "take actions": {"trade-at-fort", "end-activation"},
    "passage": {"cube-reset", "place-horse"},
}


@pytest.mark.parametrize("name", BOARDS)
def test_nothing_that_is_allowed_is_missing_on_whole_boards(name: str) -> None:
    position = {**full_position(), **BOARDS[name]}
    for family in "AB":
        position["families"][family]["horse"] = False
    at = prepare(NAVAJO_WARS, position, {}, {})
    compared = set()
    for entry in options(NAVAJO_WARS, at):
        if not entry.complete or entry.action.asks:
            continue
        ways = [codec.read(way.action, NAVAJO_WARS.action_types, "/action") for way in entry.ways]
        brought = {effect(check(NAVAJO_WARS, at, do).position) for do in ways}
        assert len(brought) == len(ways), f"{entry.action.name} lists the same thing twice"
        compared |= {entry.action.name} if ways else set()
        for do in every_action(entry.action, at.position):
            answer = check(NAVAJO_WARS, at, do)
            assert answer.verdict.ruling != LEGAL or effect(answer.position) in brought, do
    assert compared >= COMPARED[name], compared


def test_what_an_action_costs_is_what_there_is_less_of_once_it_is_begun() -> None:
    at = prepare(NAVAJO_WARS, {**full_position(), **BOARDS["planning"]}, {}, {})
    found = {entry.action.name: entry for entry in options(NAVAJO_WARS, at)}
    talks = [way.cost for way in found["tribal-diplomacy"].ways if way.action["family"] == "A"]
    assert talks == [{"ap": 1}, {"ap": 1, "trade_goods": 1}, {"ap": 1, "trade_goods": 2}]
    assert [way.cost for way in found["buy-trade-goods"].ways] == [{"ap": 1}] * 6
    assert {"sheep": 3} in [way.cost for way in found["barter"].ways]
    assert all(way.cost == {} for way in found["elder-action"].ways)


@pytest.mark.parametrize("one", SOME, ids=str)
def test_whoever_is_closed_may_not_at_all(one: Case) -> None:
    """Check refuses each way of a subject that is closed; its ways are named only where nothing bars it by itself."""
    at, found = looked(one).at.apart(), looked(one).found
    for entry in found:
        for shut in entry.closed:
            assert shut.reasons, (entry.action.name, shut.subject)
            ways = entry.action.variants or entry.action.ways
            if ways is None or evaluate(entry.action.may_at_all(at, shut.subject)).reasons:
                continue
            with suppress(Untold):
                for do in ways(at, shut.subject):
                    assert _refused(one.game, at, do), do


@pytest.mark.parametrize("one", FEW, ids=str)
def test_nothing_that_is_allowed_is_missing_where_the_list_is_complete(one: Case) -> None:
    """Compared by what comes of it: an action written otherwise that does the same need not be listed twice."""
    at, found = looked(one)
    for entry in found:
        if not entry.complete or entry.action.asks:
            continue
        brought = {effect(check(one.game, at, read(one, way.action)).position) for way in entry.ways}
        for do in every_action(entry.action, at.position):
            answer = check(one.game, at, do)
            if answer.verdict.ruling == LEGAL:
                assert effect(answer.position) in brought, do


def test_most_kinds_are_somewhere_listed_completely_and_compared() -> None:
    compared = {
        (one.game.name, entry.action.name)
        for one in FEW
        for entry in looked(one).found
        if entry.complete and entry.ways
    }
    assert len(compared) >= 15, sorted(compared)


@pytest.mark.parametrize("one", SOME, ids=str)
def test_pauses_offer_no_more_than_before_and_options_at_least_as_much(one: Case) -> None:
    """Variants are for whoever asks: what a pause offers is the plain form, and options list that, too."""
    at, found = looked(one)
    if at.agenda or any(entry.reasons for entry in found if entry.action.any_time):
        return
    for entry in found:
        if entry.action.ways is None or entry.left_out:
            continue
        listed = [way.action for way in entry.ways]
        for offer in offers(at, (entry.action,)):
            if not offer.missing and check(one.game, at, offer.do).verdict.ruling == LEGAL:
                assert offer.value in listed


@pytest.mark.parametrize("one", SOME, ids=str)
def test_looking_leaves_no_trace(one: Case) -> None:
    at = looked(one).at
    assert (at.events, at.cautions, at.issues) == ((), (), ())


def test_the_game_knows_its_own_kinds() -> None:
    at = prepare(NAVAJO_WARS, {}, {}, {})
    assert [entry.action.name for entry in options(NAVAJO_WARS, at, ["evade", "barter"])] == [
        "evade",
        "barter",
    ]


def test_what_has_no_ways_asks_for_all_it_cannot_do_without() -> None:
    for one in (NAVAJO_WARS, game("julian")):
        for action in one.actions.values():
            fields = action.kind.__struct_fields__
            needed = fields[: len(fields) - len(action.kind.__struct_defaults__)]
            assert action.ways is not None or set(needed) <= set(action.asks), action.name
