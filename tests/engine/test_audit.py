"""An audit finds what cannot be, and nothing in what can be."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import Any

import pytest

from engine import codec
from engine.audit import audit
from engine.exceptions import Unreadable
from engine.messages import Requirement
from engine.testing import merge, plain
from tests.impossible import CASES, DOUBTS, JULIAN, NAVAJO, NO_ADULT, Case, Tables
from tests.shown import Shown, all_shown, components, game, played

# Findings in examples that are not possible on purpose, by file: what the example wants to show needs them.
ON_PURPOSE = {
    ("julian/combat", "not-outside-operations"): "a result out of its time is carried out with a caution",
    ("navajo-wars/activation", "acting-family-not-in-play"): "an activation that was not ended can be ended",
    ("navajo-wars/ambush", "fort-outside-american-period"): "a Fort is laid over an older Period's example",
    ("navajo-wars/developments", "family-without-adult"): "a Family that brings a Victory Check nothing",
    ("navajo-wars/enemy-operations", "too-many-cubes"): "however many cubes there are",
    ("navajo-wars/enemy-raid", "enemy-ap-without-instruction"): "counters anywhere count for the mix",
    (
        "navajo-wars/enemy-raid",
        "fort-outside-american-period",
    ): "a Fort is laid over an older Period's example",
    ("navajo-wars/enemy-raid", "too-many-cubes"): "a pool of white cubes makes every draw the same",
    ("navajo-wars/evade", "fort-outside-american-period"): "a Fort is laid over an older Period's example",
    ("navajo-wars/instructions", "rancho-in-spanish-period"): "an Outpost of the other type is no obstacle",
    ("navajo-wars/passage-of-time", "rancho-in-spanish-period"): "a Rancho is laid over a Spanish example",
    ("navajo-wars/transitions", "scenario-of-another-period"): "the defeat comes before the scenario matters",
    (
        "navajo-wars/tribal-raid",
        "more-tribal-raid-counters-than-families",
    ): "the only way to fill all Areas of a Territory",
    ("navajo-wars/tribes", "fort-outside-american-period"): "a Fort is laid over an older Period's example",
    ("navajo-wars/victory-check", "family-without-adult"): "Families that bring a Victory Check nothing",
    ("playthroughs/enemy-turns", "too-many-cubes"): "a pool that is drawn from for long",
    ("playthroughs/passage-of-time", "rancho-in-spanish-period"): "a Rancho lowers the Arability",
}


def found(name: str, position: Any, choices: Any = None, printed: Any = None) -> list[str]:
    looked_at = audit(game(name), position, choices or {}, printed or {})
    assert looked_at.possible is not bool(looked_at.findings)
    return [check.requirement.name for check in looked_at.findings]


def of(case: Case, position: Tables) -> list[str]:
    return found(case.game, position, case.choices, case.components)


# -- each finding ------------------------------------------------------------------------------------


@pytest.mark.parametrize("case", CASES, ids=str)
def test_it_is_found_where_it_is_and_only_there(case: Case) -> None:
    assert of(case, case.impossible) == [case.finding]
    assert of(case, case.possible) == []


@pytest.mark.parametrize("case", CASES, ids=str)
def test_it_says_where_and_by_which_rule(case: Case) -> None:
    (check,) = audit(game(case.game), case.impossible, case.choices or {}, case.components or {}).findings
    assert check.pointer == case.pointer
    assert check.rules
    assert set(check.rules) <= game(case.game).catalogue.rules.keys()
    assert check.requirement.refusal.text % check.params


def test_every_finding_is_shown() -> None:
    for name in (NAVAJO, JULIAN):
        found(name, {})
    modules = [
        module
        for name, module in sys.modules.items()
        if name.startswith("engine.") and name.rpartition(".")[2].startswith("audit")
    ]
    named = {one.name for module in modules for one in vars(module).values() if isinstance(one, Requirement)}
    assert len(modules) > 4
    assert named == {case.finding for case in (*CASES, *DOUBTS)}


# -- what only the player's copy can tell ------------------------------------------------------------


def doubted(position: Any, printed: Any = None) -> list[str]:
    looked_at = audit(game(NAVAJO), position, {}, printed or {})
    assert looked_at.possible
    return [caution.message.name for caution in looked_at.cautions]


@pytest.mark.parametrize("case", DOUBTS, ids=str)
def test_a_doubt_rules_nothing_out_and_says_where(case: Case) -> None:
    (caution,) = audit(game(case.game), case.impossible, {}, {}).cautions
    assert (caution.message.name, caution.pointer) == (case.finding, case.pointer)
    assert set(caution.rules) <= game(case.game).catalogue.rules.keys()
    assert of(case, case.impossible) == []
    assert doubted(case.possible) == []


# -- the whole ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", [NAVAJO, JULIAN])
def test_nothing_told_is_possible(name: str) -> None:
    assert found(name, {}) == []


def test_everything_is_found_at_once_in_the_order_of_the_rulebook() -> None:
    position = {
        "period": "spanish",
        "scenario": "14.4",
        "areas": {"shiprock-1": {"rancho": True, "fort": "defiance"}},
        "families": NO_ADULT,
        "raid_pool": {"blue": 2},
        "cards": {"hand": [45], "current": 51},
        "agenda": [{"procedure": "picnic", "step": "begin"}],
    }
    assert found(NAVAJO, position) == [
        "scenario-of-another-period",
        "fort-outside-american-period",
        "rancho-in-spanish-period",
        "family-without-adult",
        "too-many-cubes",
        "card-of-later-period",
        "hand-of-other-cards",
        "agenda-unknown-procedure",
    ]


def test_a_position_that_was_read_already_is_looked_at_too() -> None:
    read = codec.read({"raid_pool": {"red": 4}}, game(NAVAJO).position, "")
    assert found(NAVAJO, read) == ["too-many-cubes"]


@pytest.mark.parametrize(
    ("position", "where"),
    [
        ({"tracks": {"culture": 20}}, "out-of-range at /position/tracks/culture"),
        (
            {"territories": {"hopi-land": {"drought": 3}}},
            "out-of-range at /position/territories/hopi-land/drought",
        ),
        ({"areas": {"shiprock-7": {}}}, "unknown-name at /position/areas/shiprock-7"),
    ],
)
def test_what_cannot_even_be_written_is_not_looked_at(position: Tables, where: str) -> None:
    with pytest.raises(Unreadable) as refused:
        found(NAVAJO, position)
    assert f"{refused.value.code} at {refused.value.pointer}" == where


# -- counters ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("kind", "position"),
    [
        ("woman", {"families": {"A": {"woman": True}}, "passage_of_time": {"woman": 1}}),
        ("child", {"families": {"A": {"child": True}, "B": {"child": True}}}),
        ("elder", {"elders": [1, 0, 0, 0, 0, 0, 0], "passage_of_time": {"elder": 1}}),
        ("horse", {"families": {"A": {"horse": True}}, "resources": {"horse": 1}}),
        ("sheep", {"passage_of_time": {"sheep": 1}, "resources": {"sheep": 1}}),
        ("corn", {"areas": {"shiprock-1": {"corn": True}}, "resources": {"corn": [4]}}),
        ("trade_goods", {"resources": {"trade_goods": 2}}),
        ("firearms", {"resources": {"firearms": 2}}),
        ("drought", {"territories": {"shiprock": {"drought": 1}, "hopi-land": {"drought": 1}}}),
        ("mission", {"areas": {"shiprock-1": {"mission": True}, "hopi-land-1": {"mission": True}}}),
        ("rancho", {"areas": {"shiprock-1": {"rancho": True}, "hopi-land-1": {"rancho": True}}}),
        ("harass", {"areas": {"shiprock-1": {"harass": True}, "hopi-land-1": {"harass": True}}}),
        ("intruders", {"areas": {"shiprock-1": {"intruders": 2}}}),
        ("tribal_raid", {"areas": {"shiprock-1": {"tribal_raid": 1}}, "tribal_raid_box": 1}),
        ("enemy_ap", {"areas": {"shiprock-1": {"raid": 1}}, "santa_fe": {"raid": 1}}),
    ],
)
def test_every_kind_of_counter_is_counted_wherever_it_is(kind: str, position: Tables) -> None:
    assert found(NAVAJO, position, printed={"counter_limits": {kind: 1}}) == ["too-many-counters"]
    assert found(NAVAJO, position, printed={"counter_limits": {kind: 2}}) == []


def test_the_players_own_count_goes_before_the_public_one() -> None:
    assert doubted({"resources": {"sheep": 9}}) == ["more-counters-than-published"]
    assert doubted({"resources": {"sheep": 9}}, {"counter_limits": {"sheep": 10}}) == []
    assert found(NAVAJO, {"resources": {"sheep": 9}}, printed={"counter_limits": {"sheep": 8}}) == [
        "too-many-counters"
    ]


def test_trade_goods_set_aside_exist_too() -> None:
    position: Tables = {"resources": {"trade_goods": 6}, "set_aside": {"trade_goods": 6}}
    assert doubted(position) == ["more-counters-than-published"]
    position["set_aside"]["trade_goods"] = 5
    assert doubted(position) == []


def test_enemy_aps_on_the_track_are_no_counters_as_far_as_it_goes() -> None:
    limit = {"counter_limits": {"enemy_ap": 10}}
    assert found(NAVAJO, {"tracks": {"enemy_ap": 19}}, printed=limit) == []
    assert found(NAVAJO, {"tracks": {"enemy_ap": 20}}, printed=limit) == ["too-many-counters"]


# -- a Family without adults -------------------------------------------------------------------------


@pytest.mark.parametrize(
    "meanwhile",
    [
        {"agenda": [{"procedure": "enemy-raid", "step": "resolution"}]},
        {"agenda": [{"procedure": "tribal-raid", "step": "culture"}]},
        {"agenda": [{"procedure": "passage-of-time", "step": "hunger"}]},
        {"areas": {"hopi-land-1": {"tribal_raid": 1}}},
        {"families": {"C": {**NO_ADULT["C"], "at": "shiprock-caught"}}},
    ],
)
def test_a_raid_or_hunger_may_keep_it_on_the_map_for_a_while(meanwhile: Tables) -> None:
    assert found(NAVAJO, {"families": NO_ADULT, **meanwhile}) == []


def test_read_otherwise_an_enemy_raid_does_not_keep_it() -> None:
    position = {"families": NO_ADULT, "areas": {"shiprock-4": {"raid": 1}}}
    looked_at = audit(game(NAVAJO), position, {"family-without-adults": "at-once"}, {})
    assert [check.requirement.name for check in looked_at.findings] == ["family-without-adult"]
    assert looked_at.issues == {"family-without-adults": "at-once"}


def test_one_whose_adults_are_not_told_may_have_some() -> None:
    assert found(NAVAJO, {"families": {"C": {"man": False}}}) == []


# -- what happened in the examples was possible --------------------------------------------------------


def legal_answers(one: Shown) -> Iterator[tuple[list[str], list[str]]]:
    """What is found in the positions of an example's legal requests, before and after each of them."""
    file = one.example.components_file
    printed = plain(merge(components(file) if file else {}, one.example.components))
    position: Tables = {}
    for outcome in played(one):
        position = plain(merge(position, outcome.expected.position))
        if outcome.answer is None:
            continue
        after = codec.write(outcome.answer.position)
        if outcome.answer.verdict.ruling == "legal":
            before, now = (found(one.game, told, one.example.choices, printed) for told in (position, after))
            yield before, now
        position = after


def findings_of(one: Shown) -> Iterator[tuple[str, str]]:
    """Everything that is found there, by its file."""
    for before, after in legal_answers(one):
        yield from ((one.file, name) for name in (*before, *after))


@pytest.mark.parametrize("one", all_shown(), ids=str)
def test_what_is_legal_is_possible(one: Shown) -> None:
    assert not set(findings_of(one)) - ON_PURPOSE.keys()


@pytest.mark.parametrize("one", all_shown(), ids=str)
def test_a_legal_answer_makes_nothing_impossible(one: Shown) -> None:
    """Whatever is returned passes audit, if what was sent passed it: no exceptions here."""
    for before, after in legal_answers(one):
        assert set(after) <= set(before)


def test_every_exception_is_needed() -> None:
    needed = {found for one in all_shown() for found in findings_of(one)}
    assert ON_PURPOSE.keys() <= needed
