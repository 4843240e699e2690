"""What must hold of Reactions and Battles on every position, whole or partial.

Positions are small on purpose: few Areas and few numbers, so that Families, Raids, Outposts and Forts
meet often. RULEGLOT_EXPLORE=1 looks at other positions each time; otherwise they are always the same.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import Any

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from engine import codec
from engine.chance import Die
from engine.flow import Choose, Pending, Read
from engine.game import Answer, check, prepare
from engine.navajo_wars import GAME
from engine.navajo_wars.board import AREAS
from engine.verdict import Unknown
from tests.shown import components

EXPLORE = bool(os.environ.get("RULEGLOT_EXPLORE"))
COMPONENTS: list[Any] = [{}, components("invented-for-tests.toml")]


def looked_at(count: int) -> settings:
    return settings(
        max_examples=count * 20 if EXPLORE else count,
        derandomize=not EXPLORE,
        database=None,
        deadline=None,
        suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
    )


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
choices = st.fixed_dictionaries(
    {},
    optional={
        name: st.sampled_from(sorted(GAME.catalogue.issues[name].choices))
        for name in (
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
        )
    },
)


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


@st.composite
def partly_told(draw: st.DrawFn, position: Any) -> Any:
    """The position with facts left out; a collection that is given stays complete."""
    dropped = draw(st.sets(st.sampled_from(sorted(position)), max_size=4))
    told = {key: value for key, value in position.items() if key not in dropped}
    for key in DROPPABLE:
        if key == "families" and key in told:
            told[key] = {name: draw(_some_of(state)) for name, state in told[key].items()}
        elif key in told:
            told[key] = draw(_some_of(told[key]))
    return told


def _some_of(table: Any) -> st.SearchStrategy[Any]:
    return st.sets(st.sampled_from(sorted(table))).map(
        lambda dropped: {key: value for key, value in table.items() if key not in dropped}
    )


# -- putting requests --------------------------------------------------------------------------------


def put(position: Any, do: Any, inputs: list[Any], chosen: Any, printed: Any) -> Answer:
    at = prepare(GAME, position, chosen, printed)
    return check(GAME, at, codec.read(do, GAME.action_types, "/action"), codec.read_inputs(inputs))


def through_json(position: Any) -> Any:
    return msgspec.json.decode(msgspec.json.encode(codec.write(position)))


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


def an_answer(pending: Pending, quiet: bool) -> st.SearchStrategy[Any]:
    """Something to answer a question with, nearly always something possible."""
    answers = pending.question.answers
    if isinstance(answers, Die):
        return st.sampled_from([1, 2, 3, 4, 5, 6, 6]).map(lambda face: {"die": face})
    if isinstance(answers, Choose):
        return st.sampled_from([{"choose": option.value} for option in answers.options])
    assert isinstance(answers, Read)
    if answers.options:
        return st.sampled_from([{"read": option.value} for option in answers.options])
    return st.sampled_from([{"read": read} for read in (READ_OFF[:1] if quiet else READ_OFF)])


def walk(
    data: st.DataObject, position: Any, do: Any, chosen: Any, printed: Any, *, quiet: bool = False
) -> Iterator[tuple[list[Any], Answer]]:
    """Every pause on the way of an action to its end, with the answers given so far."""
    inputs: list[Any] = []
    for _ in range(12):
        answer = put(position, do, inputs, chosen, printed)
        yield inputs, answer
        if answer.pending is None:
            return
        inputs = [*inputs, data.draw(an_answer(answer.pending, quiet))]
    raise AssertionError("a Reaction does not come to an end")


def all_params(answer: Answer) -> Iterator[Any]:
    verdict = answer.verdict
    for one in (*verdict.reasons, *verdict.passed, *verdict.cautions, *answer.events):
        yield from one.params.values()


def is_sound(answer: Answer, before: Any) -> None:
    """What holds of every answer."""
    verdict = answer.verdict
    assert verdict.ruling in ("legal", "illegal", "undetermined")
    assert bool(verdict.reasons) == (verdict.ruling == "illegal")
    if verdict.ruling == "undetermined":
        assert verdict.unknowns
    if verdict.ruling != "legal":
        assert answer.events == ()
        assert answer.pending is None
        assert answer.position == prepare(GAME, before, {}, {}).position
    assert all(check.holds is True for check in verdict.passed)
    for reason in verdict.reasons:
        assert reason.holds is False
        assert reason.rules, f"{reason.requirement.name} cites no rule"
    for one in (*verdict.reasons, *verdict.passed, *verdict.cautions, *answer.events):
        assert not set(one.rules) - GAME.catalogue.rules.keys()
    assert not [value for value in all_params(answer) if isinstance(value, Unknown)]


# -- the properties ----------------------------------------------------------------------------------


@looked_at(150)
@given(data=st.data(), case=reachable(), chosen=choices, printed=st.sampled_from(COMPONENTS))
def test_filling_in_a_fact_never_flips_a_ruling(
    data: st.DataObject, case: Any, chosen: Any, printed: Any
) -> None:
    position, do = case
    partial = data.draw(partly_told(position))
    for inputs, answer in walk(data, position, do, chosen, printed):
        missing = [fact.pointer for fact in answer.verdict.unknowns]
        moved_by_hand = {"read": "by-hand"} in inputs
        assert moved_by_hand or all(pointer.startswith("/components") for pointer in missing), missing
        with_less = put(partial, do, inputs, chosen, printed)
        is_sound(with_less, partial)
        assert with_less.verdict.ruling in ("undetermined", answer.verdict.ruling)


@looked_at(150)
@given(data=st.data(), case=reachable(), chosen=choices, printed=st.sampled_from(COMPONENTS), part=flag)
def test_every_pause_goes_through_json_and_goes_on_the_same(
    data: st.DataObject, case: Any, chosen: Any, printed: Any, part: bool
) -> None:
    position, do = case
    position = data.draw(partly_told(position)) if part else position
    paused: Any = None
    said: list[str] = []
    for inputs, answer in walk(data, position, do, chosen, printed):
        is_sound(answer, position)
        if paused is not None:
            went_on = put(paused, {"kind": "continue"}, inputs[-1:], chosen, printed)
            assert went_on.verdict.ruling == answer.verdict.ruling
            assert [one.requirement.name for one in went_on.verdict.reasons] == [
                one.requirement.name for one in answer.verdict.reasons
            ]
            if answer.verdict.ruling == "legal":
                assert went_on.position == answer.position
                assert said + [one.message.name for one in went_on.events] == [
                    one.message.name for one in answer.events
                ]
                assert (went_on.pending is None) == (answer.pending is None)
        paused = through_json(answer.position)
        said = [one.message.name for one in answer.events]
        assert through_json(codec.read(paused, GAME.position, "")) == paused


@looked_at(100)
@given(data=st.data(), case=reachable(), chosen=choices)
def test_pieces_are_conserved_where_nothing_printed_moves_them(
    data: st.DataObject, case: Any, chosen: Any
) -> None:
    position, do = case
    before = codec.read(position, GAME.position, "")
    for _, answer in walk(data, position, do, chosen, {}, quiet=True):
        if answer.verdict.ruling == "legal":
            after = answer.position
            assert horses(after) == horses(before)
            assert people(after) == people(before)
            _points_and_goods(before, after, do)
            _counters(before, after, do)


def horses(position: Any) -> int:
    in_boxes = sum(family.horse for family in position.families.values())
    return int(position.resources.horse + in_boxes + position.passage_of_time.horse)


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
        assert new.raid == old.raid or (new.raid == 0 and do["kind"] == "ambush")
        assert (new.tribal_raid, new.mission, new.rancho, new.fort) == (
            old.tribal_raid,
            old.mission,
            old.rancho,
            old.fort,
        )
        assert old.intruders - new.intruders in range(old.intruders + 1)
        assert new.corn <= old.corn
        assert new.harass == old.harass or (do["kind"] == "harass" and area == do["area"])


@looked_at(120)
@given(data=st.data(), case=reachable(), chosen=choices)
def test_what_a_decision_offers_is_accepted_and_nothing_else(
    data: st.DataObject, case: Any, chosen: Any
) -> None:
    position, do = case
    for inputs, answer in walk(data, position, do, chosen, {}):
        if answer.pending is None or not isinstance(answer.pending.question.answers, Choose):
            continue
        offered = [option.value for option in answer.pending.question.answers.options]
        assert len(offered) > 1
        for value in offered:
            taken = put(position, do, [*inputs, {"choose": value}], chosen, {})
            assert taken.verdict.ruling == "legal", value
        for value in {*AREAS, "none", "nowhere", "shiprock-caught", ""} - set(offered):
            refused = put(position, do, [*inputs, {"choose": value}], chosen, {})
            assert refused.verdict.ruling == "illegal", value
            is_sound(refused, position)


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


@st.composite
def frames(draw: st.DrawFn) -> Any:
    """A procedure under way at any of its steps, with any part of its memory."""
    table = GAME.procedures[draw(st.sampled_from(SECTIONS_5_AND_11))]
    memory = {name: value for name, value in draw(memories).items() if name in table.memory.__struct_fields__}
    return {"procedure": table.name, "step": draw(st.sampled_from(sorted(table.steps))), "memory": memory}


@looked_at(300)
@given(
    data=st.data(),
    position=whole,
    agenda=st.lists(frames(), min_size=1, max_size=3),
    chosen=choices,
    printed=st.sampled_from(COMPONENTS),
    part=flag,
)
def test_whatever_is_under_way_gets_a_sound_answer(
    data: st.DataObject, position: Any, agenda: Any, chosen: Any, printed: Any, part: bool
) -> None:
    position = data.draw(partly_told(position)) if part else position
    position = {**position, "agenda": agenda}
    for _, answer in walk(data, position, {"kind": "continue"}, chosen, printed):
        is_sound(answer, position)
        after = through_json(answer.position)
        assert through_json(codec.read(after, GAME.position, "")) == after
        prepare(GAME, after, chosen, printed)


def test_the_generated_cases_reach_every_ruling_and_every_question() -> None:
    """The properties above would hold of nothing at all if no case ever came so far."""
    seen: set[Any] = set()

    @looked_at(250)
    @given(data=st.data(), case=reachable())
    def look(data: st.DataObject, case: Any) -> None:
        position, do = case
        for _, answer in walk(data, position, do, {}, {}):
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
    assert put({}, do, [], {}, {}).verdict.ruling == "undetermined"
