"""What must hold of Reactions and Battles on every position, whole or partial.

Positions are small on purpose: few Areas and few numbers, so that Families, Raids, Outposts and Forts
meet often.
"""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine import codec
from engine.chance import Die
from engine.flow import Pending
from engine.navajo_wars import GAME
from engine.navajo_wars.map import AREAS
from engine.questions import Choose
from tests.properties.counting import in_play, there
from tests.properties.playing import (
    CONTINUE,
    Rules,
    ask,
    chosen_among,
    drawn,
    frames,
    goes_on_the_same,
    is_sound,
    looked_at,
    never_flips,
    outcomes,
    partly_told,
    possible,
    survives_json,
    walk,
)
from tests.shown import components

COMPONENTS: list[Any] = [{}, components("invented-for-tests.toml")]
MOST_ANSWERS = 12


# -- positions ---------------------------------------------------------------------------------------

HERE = ["shiprock-1", "shiprock-3", "shiprock-6", "zuni-mountains-2", "canyon-de-chelly-2"]
REFUGES = ["shiprock-4", "shiprock-5", "shiprock-6", "canyon-de-chelly-1", "canyon-de-chelly-2"]
PLACES = [*HERE, "shiprock-caught", "zuni-mountains-escape"]
LETTERS = ["A", "B", "C"]

few = st.sampled_from([0, 0, 1, 2])
flag = st.booleans()
rarely = st.sampled_from([False, False, False, True])

families = st.dictionaries(
    st.sampled_from(LETTERS),
    st.fixed_dictionaries(
        {
            "at": st.sampled_from(PLACES),
            "ferocity": st.integers(0, 3),
            "man": flag,
            "woman": flag,
            "child": flag,
            "horse": flag,
        },
        optional={"evasion": st.integers(-2, 3)},
    ),
    min_size=1,
)
areas = st.dictionaries(
    st.sampled_from([*HERE, "shiprock-4", "canyon-de-chelly-1", "canyon-de-chelly-3"]),
    st.fixed_dictionaries(
        {
            "raid": few,
            "tribal_raid": few,
            "intruders": few,
            "corn": flag,
            "harass": rarely,
            "mission": rarely,
            "rancho": rarely,
            "fort": st.sampled_from([None, None, None, "defiance"]),
        }
    ),
    max_size=5,
)
track = st.sampled_from([0, 1, 2, 5, 19])
whole = st.fixed_dictionaries(
    {
        "period": st.sampled_from(["spanish", "mexican", "american"]),
        "tracks": st.fixed_dictionaries(
            dict.fromkeys(("ap", "culture", "military", "enemy_morale", "enemy_ferocity"), track)
        ),
        "families": families,
        "areas": areas,
        "manuelito": st.sampled_from([None, *LETTERS]),
        "resources": st.fixed_dictionaries(dict.fromkeys(("horse", "trade_goods", "firearms"), few)),
        "passage_of_time": st.fixed_dictionaries(dict.fromkeys(("man", "woman", "child", "horse"), few)),
        "cards": st.fixed_dictionaries(
            {"current": st.sampled_from([None, 12, 55]), "hand": st.sampled_from([[], [37]])}
        ),
        "activation": st.sampled_from([None, {"family": "A"}]),
        "operation": st.fixed_dictionaries({"kind": st.sampled_from([None, "planning", "take-actions"])}),
    }
)
DROPPABLE = ("tracks", "families", "resources", "passage_of_time", "cards", "operation")

letter = st.sampled_from([*LETTERS, "D"])
actions = st.one_of(
    st.fixed_dictionaries({"kind": st.just("ambush"), "family": letter, "horse": flag, "firearms": rarely}),
    st.fixed_dictionaries({"kind": st.just("negotiate"), "family": letter, "trade_goods": few}),
    st.fixed_dictionaries(
        {
            "kind": st.just("harass"),
            "family": letter,
            "area": st.sampled_from([*HERE, "shiprock-2", "shiprock-5"]),
        }
    ),
    st.fixed_dictionaries({"kind": st.just("evade"), "family": letter}),
    st.fixed_dictionaries({"kind": st.just("evade"), "family": letter}),
    st.fixed_dictionaries(
        {
            "kind": st.just("battle"),
            "family": letter,
            "enemy": st.sampled_from(["enemy", "comanche", "ute"]),
            "horse": flag,
            "firearms": flag,
            "ambush": rarely,
        }
    ),
)
choices = chosen_among(
    GAME,
    (
        "fort-bars-reactions",
        "ambush-ap-cost",
        "ambush-clears",
        "ambush-needs-man",
        "negotiate-manuelito",
        "harass-distance",
        "harass-empty-area",
        "evade-seven-plus",
        "evade-on-6",
        "evade-natural-1",
        "evade-onto-raid-counter",
        "tribal-raid-reactions",
        "kit-carson-evade",
        "fort-protects",
        "tribal-warfare-column",
        "corn-when-one-leaves",
    ),
)
rules_in_force = st.builds(Rules, st.just(GAME), choices, st.sampled_from(COMPONENTS))
rules_without_copy = st.builds(Rules, st.just(GAME), choices, st.just({}))


@st.composite
def reachable(draw: st.DrawFn) -> tuple[Any, Any]:
    """A whole position with an action; more often than not a Raid has reached the Family, AP are left."""
    position, do = draw(whole), draw(actions)
    family = position["families"].get(do["family"])
    if family is None or family["at"] not in HERE or draw(rarely):
        return position, do
    family["man"] = True
    position["tracks"] |= {"ap": 2, "military": 3}
    for state in position["areas"].values():
        if draw(st.sampled_from([True, True, False])):
            state |= {"mission": False, "rancho": False, "fort": None}
    raid = draw(st.sampled_from(["raid", "raid", "tribal_raid"]))
    position["areas"].setdefault(family["at"], {})[raid] = 1
    for area in draw(st.sets(st.sampled_from(REFUGES), min_size=2)):
        position["areas"].setdefault(area, {})["intruders"] = 1
    return position, do


def told_less(position: Any) -> st.SearchStrategy[Any]:
    """The position with facts left out; a collection that is given stays complete."""
    return partly_told(position, DROPPABLE, most=7)


# -- answers -----------------------------------------------------------------------------------------

READ_OFF = [
    "none",
    "by-hand",
    {"changes": [{"pointer": "/family/man", "to": False}, {"pointer": "/passage_of_time/man", "by": 1}]},
    {"changes": [{"pointer": "/family/man", "to": False}, {"pointer": "/family/woman", "to": False}]},
    {"changes": [{"pointer": "/tracks/culture", "by": -7}, {"pointer": "/tracks/enemy_ap", "by": 20}]},
    {"changes": [{"pointer": "/tracks/military", "by": -20}, {"pointer": "/family/ferocity", "by": 9}]},
    {
        "changes": [
            {"pointer": "/family/at", "to": "shiprock-4"},
            {"pointer": "/areas/shiprock-4/corn", "to": True},
        ]
    },
    {"changes": [{"pointer": "/resources/firearms", "by": -1}]},
    {"changes": [{"pointer": "/santa_fe/raid", "by": 20}, {"pointer": "/areas/shiprock-3/raid", "by": -1}]},
    {"changes": [{"pointer": "/family/at", "to": "shiprock"}]},
    {"changes": [{"pointer": "/nowhere", "by": 1}]},
]


def an_answer(pending: Pending) -> st.SearchStrategy[Any]:
    """Something to answer a question with, nearly always something possible; a 6 is as likely as two faces."""
    if isinstance(pending.question.answers, Die):
        return st.sampled_from([1, 2, 3, 4, 5, 6, 6]).map(lambda face: {"die": face})
    return possible(pending, READ_OFF)


def an_answer_that_moves_nothing(pending: Pending) -> st.SearchStrategy[Any]:
    """The same, but nothing printed moves a piece."""
    return an_answer(pending) if outcomes(pending) else st.just({"read": "none"})


# -- the properties ----------------------------------------------------------------------------------


@looked_at(150)
@given(data=st.data(), case=reachable(), rules=rules_in_force)
def test_filling_in_a_fact_never_flips_a_ruling(data: st.DataObject, case: Any, rules: Rules) -> None:
    position, do = case
    partial = data.draw(told_less(position))
    for inputs, answer in walk(rules, position, do, drawn(data, an_answer), most=MOST_ANSWERS):
        missing = [fact.pointer for fact in answer.verdict.unknowns]
        moved_by_hand = {"read": "by-hand"} in inputs
        assert moved_by_hand or all(pointer.startswith("/components") for pointer in missing), missing
        with_less = ask(rules, partial, do, inputs)
        is_sound(rules, partial, with_less)
        never_flips(with_less, answer)


@looked_at(150)
@given(data=st.data(), case=reachable(), rules=rules_in_force, part=flag)
def test_every_pause_goes_through_json_and_goes_on_the_same(
    data: st.DataObject, case: Any, rules: Rules, part: bool
) -> None:
    position, do = case
    position = data.draw(told_less(position)) if part else position
    trail = list(walk(rules, position, do, drawn(data, an_answer), most=MOST_ANSWERS))
    goes_on_the_same(rules, position, trail)


@looked_at(100)
@given(data=st.data(), case=reachable(), rules=rules_without_copy)
def test_pieces_are_conserved_where_nothing_printed_moves_them(
    data: st.DataObject, case: Any, rules: Rules
) -> None:
    position, do = case
    before = codec.read(position, GAME.position, "")
    reply = drawn(data, an_answer_that_moves_nothing)
    for _, answer in walk(rules, position, do, reply, most=MOST_ANSWERS):
        if answer.verdict.ruling == "legal":
            after = answer.position
            assert in_play(after, "horse") == in_play(before, "horse")
            assert people(after) == people(before)
            _points_and_goods(before, after, do)
            _counters(before, after, do)


def people(position: Any) -> dict[str, tuple[bool, bool, bool]]:
    return {name: (one.man, one.woman, one.child) for name, one in position.families.items()}


def _points_and_goods(before: Any, after: Any, do: Any) -> None:
    paid = before.tracks.ap - after.tracks.ap
    assert paid == 0 if do["kind"] in ("evade", "battle") else paid in (0, 1)
    assert before.tracks.military - after.tracks.military in (0, 2)
    assert before.resources.trade_goods - after.resources.trade_goods == do.get("trade_goods", 0)
    assert before.resources.firearms - after.resources.firearms in ((0, 1) if do.get("firearms") else (0,))


def _counters(before: Any, after: Any, do: Any) -> None:
    for area in AREAS:
        old, new = (position.areas.get(area) for position in (before, after))
        if old is None:
            assert new is None or (do["kind"] == "harass" and area == do["area"])
            continue
        assert there(new, "raid") == there(old, "raid") or (not new.raid and do["kind"] == "ambush")
        for kind in ("tribal_raid", "mission", "rancho", "fort"):
            assert there(new, kind) == there(old, kind)
        assert 0 <= there(new, "intruders") <= there(old, "intruders")
        assert there(new, "corn") <= there(old, "corn")
        assert there(new, "harass") == there(old, "harass") or (do["kind"] == "harass" and area == do["area"])


@looked_at(120)
@given(data=st.data(), case=reachable(), rules=rules_without_copy)
def test_what_a_decision_offers_is_accepted_and_nothing_else(
    data: st.DataObject, case: Any, rules: Rules
) -> None:
    position, do = case
    for inputs, answer in walk(rules, position, do, drawn(data, an_answer), most=MOST_ANSWERS):
        if answer.pending is None or not isinstance(answer.pending.question.answers, Choose):
            continue
        offered = [option.value for option in answer.pending.question.answers.options]
        assert len(offered) > 1
        for value in offered:
            taken = ask(rules, position, do, [*inputs, {"choose": value}])
            assert taken.verdict.ruling == "legal", value
        for value in {*AREAS, "none", "nowhere", "shiprock-caught", ""} - set(offered):
            refused = ask(rules, position, do, [*inputs, {"choose": value}])
            assert refused.verdict.ruling == "illegal", value
            is_sound(rules, position, refused)


memories = st.fixed_dictionaries(
    {},
    optional={
        "family": letter,
        "enemy": st.sampled_from(["enemy", "comanche", "ute"]),
        "firearms": flag,
        "ambush": flag,
        "tribal_warfare": flag,
        "dine": st.integers(-3, 15),
        "foe": st.integers(-3, 15),
        "result": st.sampled_from(["MFV", "FV", "RGD", "TTD", "EV", "MEV"]),
        "area": st.sampled_from(HERE),
        "trade_goods": few,
        "total": st.integers(-2, 12),
        "natural_6": flag,
    },
)
SECTIONS_5_AND_11 = ("ambush", "negotiate", "evade", "battle", "intruders")


@looked_at(300)
@given(
    data=st.data(),
    position=whole,
    agenda=st.lists(frames(GAME, SECTIONS_5_AND_11, memories), min_size=1, max_size=3),
    rules=rules_in_force,
    part=flag,
)
def test_whatever_is_under_way_gets_a_sound_answer(
    data: st.DataObject, position: Any, agenda: Any, rules: Rules, part: bool
) -> None:
    position = data.draw(told_less(position)) if part else position
    position = {**position, "agenda": agenda}
    for _, answer in walk(rules, position, CONTINUE, drawn(data, an_answer), most=MOST_ANSWERS):
        is_sound(rules, position, answer)
        survives_json(rules, answer.position)


def test_the_generated_cases_reach_every_ruling_and_every_question() -> None:
    """The properties above would hold of nothing at all if no case ever came so far."""
    seen: set[Any] = set()

    @looked_at(700)
    @given(data=st.data(), case=reachable())
    def look(data: st.DataObject, case: Any) -> None:
        position, do = case
        for _, answer in walk(Rules(GAME), position, do, drawn(data, an_answer), most=MOST_ANSWERS):
            seen.add((do["kind"], answer.verdict.ruling))
            seen.add(answer.pending.name if answer.pending else None)

    look()
    kinds = ("ambush", "negotiate", "harass", "evade", "battle")
    legal = {(kind, ruling) for kind in kinds for ruling in ("legal", "illegal")}
    questions = {"battle-dine-roll", "battle-enemy-roll", "battle-result", "battle-effects"}
    missing = (legal | questions | {"evade-roll", "evade-where", "negotiate-roll", "intruders-reveal"}) - seen
    assert not missing


@pytest.mark.parametrize("kind", ["ambush", "negotiate", "evade", "battle"])
def test_an_empty_position_is_never_decided(kind: str) -> None:
    do = {"kind": kind, "family": "A", **({"enemy": "ute"} if kind == "battle" else {})}
    assert ask(Rules(GAME), {}, do).verdict.ruling == "undetermined"
