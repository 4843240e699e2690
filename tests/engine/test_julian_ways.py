"""What Julian's actions offer: markers that can be played, and where the Sequence of Play can go on."""

from __future__ import annotations

from typing import Any

from engine import codec
from engine.actions import Action, written
from engine.codec import LARGEST
from engine.game import Continue, check, prepare
from engine.julian import GAME, sequence, stratagems
from engine.julian.position import Markers
from engine.offers import Offer, offers
from engine.options import options

COMMANDS = [
    {"name": "Oriens", "side": "roman", "drawn": True, "active": True},
    {"name": "Caesar", "side": "roman", "drawn": True, "active": False},
    {"name": "Goths", "side": "barbarian", "drawn": True, "active": False},
]
START = {
    "phase": "operations",
    "active": "roman",
    "operations_phase": 2,
    "subphase": "start",
    "hands": {"roman": {}, "barbarian": {}},
    "pool": {"credo": 2},
    "commands": COMMANDS,
    "played": [],
    "last_play": None,
    "last_roll": None,
    "combat": None,
}


def offered(action: Action, *, assume: bool = True, **position: Any) -> list[Offer]:
    return list(offers(prepare(GAME, position, {}, {}, assume=assume), (action,)))


def plays(**position: Any) -> list[dict[str, Any]]:
    return [{**offer.value} for offer in offered(stratagems.ACTION, **{**START, **position})]


def roman(marker: str, use: str, **more: str) -> dict[str, Any]:
    return {"kind": "play-stratagem", "by": "roman", "marker": marker, "use": use, **more}


def test_a_player_is_offered_what_he_holds_and_may_play() -> None:
    held = {"roman": {"agentes": 1, "credo": 1, "dux": 2}, "barbarian": {"agentes": 1}}
    assert plays(hands=held) == [roman("agentes", "look"), roman("dux", "activate", command="Caesar")]


def test_a_dux_is_closed_in_the_first_operations_phase_though_not_all_commands_are_told() -> None:
    held = {"roman": {"dux": 1}, "barbarian": {}}
    told = {"commands": COMMANDS[:1], "partial": {"commands": True}, "hands": held}
    at = prepare(GAME, {**START, **told, "operations_phase": 1}, {}, {})
    (found,) = options(GAME, at, ["play-stratagem"])
    assert not found.ways
    closed = {one.subject: [why.requirement.name for why in one.reasons] for one in found.closed}
    assert closed["roman", "dux", "activate"] == ["no-dux-in-first-operations-phase"]


def test_an_imperium_is_offered_as_every_marker_it_can_be_now() -> None:
    offers_now = plays(hands={"roman": {"imperium": 1}, "barbarian": {}}, last_roll="other")
    assert [(one["use"], one.get("as"), one.get("as_use")) for one in offers_now] == [
        ("as", "agentes", "look"),
        ("as", "dux", "activate"),
        ("as", "federate", "ally"),
        ("reroll", None, None),
    ]


ANSWERED = {"roman": {"agentes": 1}, "barbarian": {"agentes": 1, "imperium": 1}}
LOOK = {"kind": "play-stratagem", "by": "roman", "marker": "agentes", "use": "look"}


def test_the_answer_window_takes_actions_and_lists_a_word_for_each() -> None:
    at = prepare(GAME, {**START, "hands": ANSWERED}, {}, {})
    asked = check(GAME, at, codec.read(LOOK, GAME.action_types, "")).pending
    assert asked is not None
    assert [one.value for one in asked.question.answers.options] == ["agentes", "imperium", "none"]  # type: ignore[union-attr]
    there = prepare(GAME, check(GAME, at, codec.read(LOOK, GAME.action_types, "")).position, {}, {})
    for offer in offers(there, asked.step.takes):
        words, action = ([("choose", given)] for given in (offer.value, written(offer.do)))
        by_word, by_action = (check(GAME, there, Continue(), given) for given in (words, action))
        assert by_word.position == by_action.position
        assert [one.message.name for one in by_word.events][-1] == "marker-cancelled"


def test_what_is_offered_can_be_sent_back() -> None:
    held = {"roman": {"imperium": 1, "dux": 1}, "barbarian": {"federate": 1}}
    found = offered(stratagems.ACTION, **{**START, "hands": held})
    assert len(found) > 3
    assert [codec.read(offer.value, GAME.action_types, "/action") for offer in found] == [
        one.do for one in found
    ]


def test_the_stack_that_a_military_helps_is_asked_for() -> None:
    held = {"roman": {"military": 1}, "barbarian": {}}
    (offer,) = offered(stratagems.ACTION, **{**START, "hands": held, "subphase": "movement"})
    assert [fact.pointer for fact in offer.missing] == ["/action/stack"]


def test_hands_that_were_not_told_leave_one_offer_with_what_is_missing() -> None:
    position = {name: value for name, value in START.items() if name != "hands"}
    (offer,) = offered(stratagems.ACTION, assume=False, **position)
    pointers = {fact.pointer for fact in offer.missing}
    assert {"/hands/roman/agentes", "/hands/barbarian/federate"} <= pointers
    assert "/hands/barbarian/credo" not in pointers  # it is no Stratagem Marker Phase, and not his phase


def next_steps(**position: Any) -> list[tuple[dict[str, Any], str]]:
    found = offered(sequence.ACTION, **{**START, **position})
    return [({**offer.value}, offer.message.name) for offer in found]


def test_sub_phases_follow_each_other() -> None:
    assert next_steps() == [({"kind": "next-phase"}, "next-subphase-offer")]


def test_after_the_combats_any_chit_or_the_return_phase() -> None:
    assert next_steps(subphase="combat") == [
        ({"kind": "next-phase", "command": "Oriens"}, "next-phase-offer-chit"),
        ({"kind": "next-phase", "command": "Caesar"}, "next-phase-offer-chit"),
        ({"kind": "next-phase", "command": "Goths"}, "next-phase-offer-chit"),
        ({"kind": "next-phase", "command": None}, "next-phase-offer"),
    ]


def test_after_the_stratagem_marker_phase_a_chit_is_drawn() -> None:
    found = next_steps(phase="stratagem", active=None, subphase=None, operations_phase=None)
    assert [value["command"] for value, _ in found] == ["Oriens", "Caesar", "Goths"]


def test_after_the_taxation_phase_the_optional_phases_or_neither() -> None:
    found = offered(sequence.ACTION, phase="taxation")
    assert [(offer.do.options, str(offer.params["phase"])) for offer in found] == [
        (("supply",), "jul.phase.supply_attrition"),
        (("crisis",), "jul.phase.crisis"),
        ((), "jul.phase.turn_advance"),
    ]


def test_without_the_phase_it_is_asked_for() -> None:
    (offer,) = offered(sequence.ACTION)
    assert [fact.pointer for fact in offer.missing] == ["/phase"]


def test_a_pool_never_counts_further_than_programs_agree_on() -> None:
    pool = Markers(dux=LARGEST, credo=LARGEST)
    assert pool.with_one_less("hidden").count == LARGEST
    assert pool.with_one_more("hidden").count == LARGEST
