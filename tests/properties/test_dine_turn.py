"""What must hold of Planning, Passage of Time and Trade Goods on every position, whole or partial.

RULEGLOT_EXPLORE=1 looks at other positions each time; otherwise they are always the same.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import Any

import msgspec
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from engine import codec
from engine.chance import Dice, Die, Draw
from engine.flow import Choose, ChooseSome, Pending, Read
from engine.game import Answer, check, prepare
from engine.navajo_wars import GAME
from tests.shown import components

EXPLORE = bool(os.environ.get("RULEGLOT_EXPLORE"))
COMPONENTS: list[Any] = [{}, components("invented-for-tests.toml")]
PROCEDURES = ("planning", "elder-action", "tribal-warfare", "tribal-diplomacy", "passage-of-time")
ISSUES = (
    "diplomacy-trade-goods",
    "warfare-military-cost",
    "swap-across-rows",
    "card-41-cubes",
    "recovery-neighbour",
    "elder-exchange",
    "elders-and-no-man",
    "barter-at-culture-zero",
)


def looked_at(count: int) -> settings:
    return settings(
        max_examples=count * 20 if EXPLORE else count,
        derandomize=not EXPLORE,
        database=None,
        deadline=None,
        suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
    )


# -- positions ---------------------------------------------------------------------------------------

LETTERS = ["A", "B", "C", "D"]
PLACES = ["shiprock-1", "shiprock-4", "zuni-mountains-2", "canyon-de-chelly-2", "hopi-land-escape"]
flag = st.booleans()
few = st.sampled_from([0, 0, 1, 2, 3])
track = st.sampled_from([0, 1, 4, 5, 10, 19])
instruction = st.sampled_from([None, {"name": "utes"}, {"name": "comanche"}, {"name": "build"}])
column = st.lists(instruction, min_size=6, max_size=6)
families = st.dictionaries(
    st.sampled_from(LETTERS),
    st.fixed_dictionaries(
        {
            "at": st.sampled_from(PLACES),
            "ferocity": st.integers(0, 3),
            "man": st.just(True),
            "woman": flag,
            "child": flag,
            "horse": flag,
        }
    ),
)
cubes = st.fixed_dictionaries({"red": few, "white": few, "black": few})
whole = st.fixed_dictionaries(
    {
        "period": st.sampled_from(["spanish", "mexican", "american"]),
        "tracks": st.fixed_dictionaries(
            dict.fromkeys(("ap", "culture", "military", "enemy_morale", "enemy_ferocity"), track)
        ),
        "families": families,
        "areas": st.dictionaries(
            st.sampled_from([*PLACES[:4], "shiprock-2", "canyon-de-chelly-1"]),
            st.fixed_dictionaries({"corn": flag, "rancho": flag, "intruders": st.sampled_from([0, 0, 0, 1])}),
        ),
        "territories": st.dictionaries(
            st.sampled_from(["shiprock", "zuni-mountains", "hopi-land", "san-juan-valley"]),
            st.fixed_dictionaries({"drought": st.integers(0, 2)}),
        ),
        "manuelito": st.sampled_from([None, "A"]),
        "elders": st.lists(few, min_size=7, max_size=7),
        "resources": st.fixed_dictionaries(
            {
                "horse": few,
                "sheep": few,
                "corn": st.lists(st.integers(1, 6), max_size=3),
                "trade_goods": st.sampled_from([0, 1, 3, 6]),
                "firearms": few,
            }
        ),
        "passage_of_time": st.fixed_dictionaries(
            dict.fromkeys(("man", "woman", "child", "elder", "horse", "sheep"), few)
        ),
        "raid_pool": cubes,
        "raided_cubes": cubes,
        "recovery": cubes,
        "subjugation": cubes,
        "instructions": st.fixed_dictionaries({"active": column, "standby": column, "inactive": column}),
        "operation": st.fixed_dictionaries(
            {
                "kind": st.sampled_from(["planning", "planning", "take-actions", None]),
                "elder_ferocity": st.sampled_from([[], ["A"]]),
                "traded": st.sampled_from([[], ["A"]]),
                "tribal": st.sampled_from([[], ["A"]]),
            }
        ),
        "cards": st.fixed_dictionaries(
            {"current": st.just(12), "removed": st.sampled_from([[], [41]]), "hand": st.just([])}
        ),
    }
)
letter = st.sampled_from([*LETTERS, "F"])
tribe = st.sampled_from(["ute", "comanche"])
parts = st.one_of(
    st.fixed_dictionaries(
        {
            "kind": st.just("elder-action"),
            "elder": st.integers(1, 7),
            "choice": st.sampled_from(["culture-to-military", "military-to-culture", "ferocity", "ap"]),
        },
        optional={"family": letter, "change": st.sampled_from([1, -1])},
    ),
    st.fixed_dictionaries({"kind": st.just("buy-trade-goods"), "family": letter}),
    st.fixed_dictionaries(
        {"kind": st.just("tribal-warfare"), "family": letter, "tribe": tribe, "horse": flag, "firearms": flag}
    ),
    st.fixed_dictionaries(
        {"kind": st.just("tribal-diplomacy"), "family": letter, "tribe": tribe, "trade_goods": few}
    ),
)
at_any_time = st.one_of(
    st.fixed_dictionaries({"kind": st.just("place-horse"), "family": letter}),
    st.fixed_dictionaries(
        {"kind": st.just("barter"), "animals": st.fixed_dictionaries({"horse": few, "sheep": few})}
    ),
    st.fixed_dictionaries({"kind": st.just("barter"), "corn": st.lists(st.integers(1, 6), max_size=3)}),
    st.fixed_dictionaries(
        {
            "kind": st.just("spend-trade-goods"),
            "use": st.sampled_from(
                ["ap", "cancel-flip", "animal", "reroll", "redraw", "cancel-minor-event", "cancel-enemy-way"]
            ),
        },
        optional={"animal": st.sampled_from(["horse", "sheep"]), "row": st.integers(1, 6)},
    ),
)
operations = st.sampled_from([{"kind": "planning"}, {"kind": "passage-of-time"}, {"kind": "cube-reset"}])
choices = st.fixed_dictionaries(
    {}, optional={name: st.sampled_from(sorted(GAME.catalogue.issues[name].choices)) for name in ISSUES}
)


@st.composite
def partly_told(draw: st.DrawFn, position: Any) -> Any:
    """The position with facts left out; a collection that is given stays complete."""
    dropped = draw(st.sets(st.sampled_from(sorted(position)), max_size=4))
    told = {key: value for key, value in position.items() if key not in dropped}
    for key in ("tracks", "resources", "passage_of_time", "instructions", "operation", "cards"):
        if key in told:
            told[key] = draw(some_of(told[key]))
    if "families" in told:
        told["families"] = {name: draw(some_of(state)) for name, state in told["families"].items()}
    return told


def some_of(table: Any) -> st.SearchStrategy[Any]:
    return st.sets(st.sampled_from(sorted(table)), max_size=2).map(
        lambda dropped: {key: value for key, value in table.items() if key not in dropped}
    )


# -- putting requests --------------------------------------------------------------------------------


def put(position: Any, do: Any, inputs: list[Any], chosen: Any, printed: Any) -> Answer:
    at = prepare(GAME, position, chosen, printed)
    return check(GAME, at, codec.read(do, GAME.action_types, "/action"), codec.read_inputs(inputs))


def through_json(position: Any) -> Any:
    return msgspec.json.decode(msgspec.json.encode(codec.write(position)))


def an_answer(pending: Pending) -> st.SearchStrategy[Any]:
    """Something possible to answer a question with."""
    answers = pending.question.answers
    if isinstance(answers, Die):
        return st.integers(1, 6).map(lambda face: {"die": face})
    if isinstance(answers, Dice):
        return st.lists(st.integers(1, 6), min_size=answers.count, max_size=answers.count).map(
            lambda faces: {"dice": faces}
        )
    if isinstance(answers, Draw):
        return st.sampled_from([{answers.key: kind} for kind, _ in answers.outcomes()])
    if isinstance(answers, Choose):
        return st.sampled_from([{"choose": option.value} for option in answers.options])
    if isinstance(answers, ChooseSome):
        values = [option.value for option in answers.options]
        return st.lists(
            st.sampled_from(values), min_size=answers.least, max_size=answers.most, unique=True
        ).map(lambda some: {"choose": some})
    assert isinstance(answers, Read)
    if answers.options:
        return st.sampled_from([{"read": option.value} for option in answers.options])
    number = pending.name.endswith("corn-value")
    return st.integers(0, 6).map(lambda value: {"read": value}) if number else st.just({"read": "none"})


def walk(
    data: st.DataObject, position: Any, do: Any, chosen: Any, printed: Any
) -> Iterator[tuple[list[Any], Answer]]:
    """Every pause on the way of an action to its end, with the answers given so far."""
    inputs: list[Any] = []
    for _ in range(60):
        answer = put(position, do, inputs, chosen, printed)
        yield inputs, answer
        if answer.pending is None:
            return
        inputs = [*inputs, data.draw(an_answer(answer.pending))]


def go_on(data: st.DataObject, position: Any, do: Any, chosen: Any, printed: Any) -> Iterator[Answer]:
    """Every pause on the way of an action to its end, each from the position of the one before."""
    answer = put(position, do, [], chosen, printed)
    yield answer
    for _ in range(60):
        if answer.pending is None:
            return
        given_answer = data.draw(an_answer(answer.pending))
        answer = put(through_json(answer.position), {"kind": "continue"}, [given_answer], chosen, printed)
        yield answer


def is_sound(answer: Answer, before: Any) -> None:
    verdict = answer.verdict
    assert bool(verdict.reasons) == (verdict.ruling == "illegal")
    assert verdict.ruling != "undetermined" or verdict.unknowns
    if verdict.ruling != "legal":
        assert answer.events == ()
        assert answer.position == prepare(GAME, before, {}, {}).position
    for one in (*verdict.reasons, *verdict.passed, *verdict.cautions, *answer.events):
        assert not set(one.rules) - GAME.catalogue.rules.keys()
    assert all(reason.rules for reason in verdict.reasons)


# -- the properties ----------------------------------------------------------------------------------


@looked_at(50)
@given(data=st.data(), position=whole, do=st.one_of(operations, parts), chosen=choices, part=flag)
def test_every_pause_goes_through_json_and_goes_on_the_same(
    data: st.DataObject, position: Any, do: Any, chosen: Any, part: bool
) -> None:
    position = data.draw(partly_told(position)) if part else position
    printed = data.draw(st.sampled_from(COMPONENTS))
    paused: Any = None
    said = 0
    for inputs, answer in walk(data, position, do, chosen, printed):
        is_sound(answer, position)
        if paused is not None:
            went_on = put(paused, {"kind": "continue"}, inputs[-1:], chosen, printed)
            assert went_on.verdict.ruling == answer.verdict.ruling
            if answer.verdict.ruling == "legal":
                assert went_on.position == answer.position
                assert [one.message.name for one in went_on.events] == [
                    one.message.name for one in answer.events[said:]
                ]
        paused, said = through_json(answer.position), len(answer.events)
        assert through_json(codec.read(paused, GAME.position, "")) == paused


@looked_at(120)
@given(data=st.data(), position=whole, do=st.one_of(parts, at_any_time), chosen=choices)
def test_filling_in_a_fact_never_flips_a_ruling(
    data: st.DataObject, position: Any, do: Any, chosen: Any
) -> None:
    full = put(position, do, [], chosen, {})
    with_less = put(data.draw(partly_told(position)), do, [], chosen, {})
    assert with_less.verdict.ruling in ("undetermined", full.verdict.ruling)


POPULATION = ("man", "woman", "child")


def in_play(position: Any, kind: str) -> int:
    """How many counters of a kind lie anywhere but in the Out of Play Box."""
    boxes = sum(bool(getattr(family, kind, False)) for family in position.families.values())
    elders = sum(position.elders) if kind == "elder" else 0
    return int(
        boxes + elders + getattr(position.passage_of_time, kind) + getattr(position.resources, kind, 0)
    )


def no_negative_number(position: Any) -> None:
    for table in (position.tracks, position.resources, position.passage_of_time):
        for name in table.__struct_fields__:
            value = getattr(table, name)
            assert not isinstance(value, int) or value >= 0, name
    assert min(position.elders) >= 0
    assert all(0 <= one.drought <= 2 for one in position.territories.values())


@looked_at(60)
@given(data=st.data(), position=whole, chosen=choices)
def test_the_passage_of_time_loses_nothing_and_makes_nothing(
    data: st.DataObject, position: Any, chosen: Any
) -> None:
    """Animals come only by breeding, one of a kind; people only change into each other or leave play."""
    before = codec.read(position, GAME.position, "")
    dissolved: set[str] = set()
    for answer in go_on(data, position, {"kind": "passage-of-time"}, chosen, {}):
        if answer.verdict.ruling != "legal":
            continue
        after = answer.position
        no_negative_number(after)
        for kind in ("horse", "sheep"):
            assert in_play(after, kind) <= in_play(before, kind) + 1
        people = (*POPULATION, "elder")
        assert sum(in_play(after, kind) for kind in people) <= sum(in_play(before, kind) for kind in people)
        dissolved |= {
            event.params["family"] for event in answer.events if event.message.name == "family-dissolved"
        }
        assert {*before.families} <= {*after.families} | dissolved


@looked_at(60)
@given(data=st.data(), position=whole, chosen=choices)
def test_planning_brings_one_counter_and_spends_only_what_there_is(
    data: st.DataObject, position: Any, chosen: Any
) -> None:
    before = codec.read(position, GAME.position, "")
    for answer in go_on(data, position, {"kind": "planning"}, chosen, {}):
        if answer.verdict.ruling != "legal":
            continue
        after = answer.position
        no_negative_number(after)
        assert sum(after.elders) == sum(before.elders)
        assert counters_on_display(after) == counters_on_display(before)
        assert after.resources.trade_goods <= before.resources.trade_goods + len(before.families)


def counters_on_display(position: Any) -> list[str]:
    columns = (position.instructions.active, position.instructions.standby, position.instructions.inactive)
    return sorted(counter.name for one in columns for counter in one if counter is not None)


@looked_at(150)
@given(position=whole, do=at_any_time, chosen=choices)
def test_trade_is_paid_in_full(position: Any, do: Any, chosen: Any) -> None:
    answer = put(position, do, [], chosen, {})
    is_sound(answer, position)
    if answer.verdict.ruling != "legal":
        return
    no_negative_number(answer.position)
    before, after = position["resources"]["trade_goods"], answer.position.resources.trade_goods
    if do["kind"] == "barter":
        assert after == before + 1
    elif do["kind"] == "spend-trade-goods":
        assert before - after == (2 if do["use"] in ("ap", "cancel-flip") else 3)


@st.composite
def frames(draw: st.DrawFn) -> Any:
    """A procedure of these sections under way at any of its steps, with any part of its memory."""
    table = GAME.procedures[draw(st.sampled_from(PROCEDURES))]
    memory = {
        "elder": draw(st.integers(1, 7)),
        "choice": draw(st.sampled_from(["culture-to-military", "military-to-culture", "ferocity", "ap"])),
        "family": draw(letter),
        "change": draw(st.sampled_from([1, -1])),
        "tribe": draw(tribe),
        "row": draw(st.integers(1, 6)),
        "result": draw(st.sampled_from(["FV", "TTD"])),
        "members": draw(st.sampled_from([["man"], ["man", "woman"], []])),
        "unfed": draw(few),
        "die": draw(st.integers(1, 6)),
        "picked": draw(st.sampled_from([[], ["shiprock-2"]])),
    }
    known = [name for name in memory if name in table.memory.__struct_fields__]
    told = draw(st.sets(st.sampled_from(known))) if known else set()
    return {
        "procedure": table.name,
        "step": draw(st.sampled_from(sorted(table.steps))),
        "memory": {name: memory[name] for name in sorted(told)},
    }


@looked_at(150)
@given(data=st.data(), position=whole, frame=frames(), chosen=choices, part=flag)
def test_whoever_walks_in_anywhere_gets_an_answer(
    data: st.DataObject, position: Any, frame: Any, chosen: Any, part: bool
) -> None:
    position = {**(data.draw(partly_told(position)) if part else position), "agenda": [frame]}
    is_sound(put(position, {"kind": "continue"}, [], chosen, {}), position)
    for _ in go_on(data, position, {"kind": "continue"}, chosen, {}):
        pass
    is_sound(put(position, data.draw(at_any_time), [], chosen, {}), position)


# -- every step is reached ---------------------------------------------------------------------------


def test_every_step_that_asks_is_reached() -> None:
    """Many Plannings and Passages of Time together stop at every step that asks something."""
    seen: set[tuple[str, str]] = set()

    @looked_at(200)
    @given(data=st.data(), position=whole, do=operations, chosen=choices)
    def look(data: st.DataObject, position: Any, do: Any, chosen: Any) -> None:
        for answer in go_on(data, position, do, chosen, {}):
            if answer.pending is not None:
                seen.update((frame.procedure, frame.step) for frame in answer.position.agenda)

    look()
    asking = {
        (name, step.name)
        for name in PROCEDURES
        for step in GAME.procedures[name].steps.values()
        if step.asks is not None
    }
    assert not asking - seen
