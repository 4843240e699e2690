"""What must hold of Take Actions (3.2) on every position, whole or partial.

Positions are small on purpose: few Areas and few numbers, so that Families, Outposts, Forts and corn meet
often.
"""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from engine import codec
from engine.flow import Pending
from engine.game import prepare
from engine.navajo_wars import GAME, take_actions
from engine.offers import offers
from engine.verdict import certain, refuted, weigh
from tests.properties import counting
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
    partly_told,
    possible,
    survives_json,
    through_json,
    walk,
)

MOST_ANSWERS = 40

# -- the player's copy, invented -----------------------------------------------------------------------

CONNECTIONS = [
    ["santa-fe", "shiprock-1"],
    ["shiprock-2", "hopi-land-2"],
    ["hopi-land-1", "canyon-de-chelly-1"],
]
FILLED_IN: Any = {
    "connections": CONNECTIONS,
    "area_values": {f"canyon-de-chelly-{number}": number + 2 for number in (1, 2, 3)},
    "bracketed_values": {
        f"{territory}-{number}": (number + 1) // 2
        for territory, last in (("shiprock", 6), ("hopi-land", 6), ("canyon-de-chelly", 3))
        for number in range(1, last + 1)
    },
    "counter_limits": {"corn": 3, "trade_goods": 3},
    "raid_table": {
        "new_mexico": {
            "black": {"changes": [{"pointer": "/family/ferocity", "by": 1}]},
            "white": {"battle": True},
            "red": {"cube": "recovery"},
        },
        "outpost": {"black": {"hit": 1}, "white": {"battle": True, "hit": 1}, "red": {"ends": True}},
        "hits": {"defiance": 2},
    },
}
COMPONENTS: list[Any] = [{}, {"connections": CONNECTIONS}, FILLED_IN]

# -- positions -----------------------------------------------------------------------------------------

HERE = ["shiprock-1", "shiprock-2", "shiprock-3", "hopi-land-1", "hopi-land-2", "canyon-de-chelly-1"]
NEXT = {
    "shiprock-1": "shiprock-2",
    "shiprock-2": "shiprock-1",
    "shiprock-3": "shiprock-2",
    "hopi-land-1": "hopi-land-2",
    "hopi-land-2": "hopi-land-1",
    "canyon-de-chelly-1": "canyon-de-chelly-2",
}
PLACES = [*HERE, *HERE, "shiprock-caught", "hopi-land-escape"]
LETTERS = ["A", "B", "C"]

few = st.sampled_from([0, 0, 1, 2])
flag = st.booleans()
often = st.sampled_from([True, True, True, False])
rarely = st.sampled_from([False, False, False, True])
letter = st.sampled_from([*LETTERS, "D"])

families = st.dictionaries(
    st.sampled_from(LETTERS),
    st.fixed_dictionaries(
        {
            "at": st.sampled_from(PLACES),
            "ferocity": st.integers(0, 3),
            "man": often,
            "woman": often,
            "child": flag,
            "horse": flag,
        }
    ),
    min_size=1,
)
areas = st.dictionaries(
    st.sampled_from(HERE),
    st.fixed_dictionaries(
        {
            "intruders": st.sampled_from([0, 0, 0, 1]),
            "corn": flag,
            "mission": rarely,
            "rancho": rarely,
            "fort": st.sampled_from([None, None, "defiance", "fauntleroy"]),
        }
    ),
    max_size=5,
)
cubes = st.fixed_dictionaries(dict.fromkeys(("black", "white", "red"), few))
whole = st.fixed_dictionaries(
    {
        "period": st.sampled_from(["spanish", "american"]),
        "tracks": st.fixed_dictionaries(
            dict.fromkeys(
                ("ap", "culture", "military", "enemy_morale", "enemy_ferocity", "enemy_ap"),
                st.sampled_from([0, 1, 2, 5, 19]),
            )
        ),
        "families": families,
        "areas": areas,
        "territories": st.fixed_dictionaries(
            {
                name: st.fixed_dictionaries({"drought": st.integers(0, 2)})
                for name in ("shiprock", "hopi-land")
            }
        ),
        "elders": st.sampled_from([[0] * 7, [1, 0, 0, 0, 0, 0, 0], [0, 0, 2, 0, 0, 0, 1]]),
        "manuelito": st.sampled_from([None, *LETTERS]),
        "resources": st.fixed_dictionaries(
            {"horse": few, "trade_goods": few, "firearms": few, "corn": st.sampled_from([[], [3]])}
        ),
        "passage_of_time": st.fixed_dictionaries(dict.fromkeys(("man", "woman", "child", "horse"), few)),
        "raid_pool": cubes,
        "raided_cubes": cubes,
        "recovery": cubes,
        "subjugation": cubes,
        "raided_box": st.fixed_dictionaries(
            {"enemy_ap": few, "instruction": st.sampled_from([None, None, "peace", "defend"])}
        ),
        "cards": st.fixed_dictionaries(
            {
                "hand": st.sampled_from([[], [37]]),
                "developments": st.sampled_from([[], [], [{"set": "horsemanship", "level": 1}]]),
            }
        ),
        "activation": st.one_of(
            st.none(),
            st.fixed_dictionaries(
                {"family": st.sampled_from(LETTERS), "mp": st.integers(0, 8), "spent": flag},
                optional={"began_with_fort": flag, "tried_to_leave": rarely, "redrawn": flag},
            ),
        ),
        "operation": st.fixed_dictionaries(
            {
                "kind": st.sampled_from([None, "take-actions", "take-actions", "planning"]),
                "activated": st.lists(st.sampled_from(LETTERS), unique=True, max_size=2),
            }
        ),
    }
)
DROPPABLE = ("tracks", "families", "resources", "passage_of_time", "operation", "raided_box")

actions = st.one_of(
    st.fixed_dictionaries({"kind": st.just("activate"), "family": letter}),
    st.just({"kind": "end-activation"}),
    *(
        st.fixed_dictionaries({"kind": st.just(kind), "family": letter})
        for kind in ("find-water", "plant-corn", "harvest-corn", "tribal-council")
    ),
    st.fixed_dictionaries(
        {"kind": st.just("move"), "family": letter, "to": st.sampled_from([*HERE, "shiprock-4", "santa-fe"])}
    ),
    st.fixed_dictionaries(
        {
            "kind": st.just("move-to-canyon"),
            "family": letter,
            "to": st.sampled_from(["canyon-de-chelly-1", "canyon-de-chelly-3", "shiprock-1"]),
        }
    ),
    st.fixed_dictionaries(
        {"kind": st.just("move-from-canyon"), "family": letter, "to": st.sampled_from([*HERE, "santa-fe"])}
    ),
    st.fixed_dictionaries({"kind": st.just("raid-new-mexico"), "family": letter, "long_range": flag}),
    st.fixed_dictionaries(
        {
            "kind": st.just("raid-outpost"),
            "family": letter,
            "area": st.sampled_from(HERE),
            "target": st.sampled_from(["mission", "rancho", "fort"]),
        }
    ),
    st.fixed_dictionaries({"kind": st.just("trade-at-fort"), "family": letter, "trade_goods": few}),
)
ISSUES = (
    "fort-disband",
    "leave-fort-cost",
    "leave-fort-later",
    "fort-trade-price",
    "water-hole-horse",
    "outpost-surcharge",
    "move-surcharges",
    "canyon-move-mp",
    "santa-fe-counted",
    "outpost-hit",
    "fort-raid-position",
    "manuelito-redraw-fort",
    "corn-when-one-leaves",
)
choices = chosen_among(GAME, ISSUES)
rules_in_force = st.builds(Rules, st.just(GAME), choices, st.sampled_from(COMPONENTS))


def consistent(position: Any) -> Any:
    """Whoever is acting has been activated, and nobody acts or has acted in another Operation."""
    acting, operation = position["activation"], position["operation"]
    if acting is not None:
        activated = [one for one in operation["activated"] if one != acting["family"]]
        return {
            **position,
            "operation": {"kind": "take-actions", "activated": [*activated, acting["family"]]},
        }
    if operation["kind"] != "take-actions":
        return {**position, "operation": {**operation, "activated": []}}
    return position


@st.composite
def reachable(draw: st.DrawFn) -> tuple[Any, Any]:
    """A whole position with an action; more often than not the Family is acting and has what it needs."""
    do, position = draw(actions), draw(whole)
    if "family" in do and draw(often):
        do = {**do, "family": min(position["families"])}
    family = position["families"].get(do.get("family"))
    if family is not None and do["kind"] != "activate" and draw(often):
        acting = position["activation"] or {"spent": False}
        enough = {"family": do["family"], "mp": draw(st.sampled_from([4, 6, 9]))}
        position["activation"] = {**acting, **enough, **draw(st.sampled_from([{}, {"spent": False}]))}
        position["tracks"] |= {"military": 3, "culture": 2}
        family |= {"man": True, "at": draw(st.sampled_from(HERE)), "horse": draw(rarely)}
        do = what_it_needs(draw, position, family, do)
    return consistent(position), do


def what_it_needs(draw: st.DrawFn, position: Any, family: Any, do: Any) -> Any:
    """An Area with corn, a Fort, an Outpost or an Intruder, as the action wants it."""
    kind = do["kind"]
    if kind == "move-from-canyon":
        family["at"] = "canyon-de-chelly-1"
    here = position["areas"].setdefault(family["at"], {})
    if kind in ("find-water", "harvest-corn"):
        position["territories"] = {name: {"drought": 1} for name in ("shiprock", "hopi-land")}
        here["corn"] = True
    if kind in ("move", "trade-at-fort"):
        here["fort"] = "fauntleroy" if draw(flag) or kind == "trade-at-fort" else None
    if kind in ("raid-new-mexico", "move-to-canyon"):
        here["fort"] = "defiance" if draw(rarely) else None
    if kind == "move":
        do = {**do, "to": NEXT[family["at"]]}
        position["areas"].setdefault(do["to"], {})["intruders"] = draw(few)
    if kind.startswith("raid"):
        position["resources"]["firearms"] = 1
        position["raid_pool"] = {"black": 1, "white": 2, "red": 1} if draw(often) else {}
    if kind == "raid-outpost":
        do = {**do, "area": family["at"]}
        here[do["target"]] = "defiance" if do["target"] == "fort" else True
    return do


@st.composite
def told_less(draw: st.DrawFn, position: Any) -> Any:
    """The position with facts left out; cards stay, for untold ones are only cautioned about (3.2)."""
    rest = {key: value for key, value in position.items() if key != "cards"}
    told = draw(partly_told(rest, DROPPABLE, most=2))
    if told.get("activation"):
        left_out = draw(st.sets(st.sampled_from(["mp", "spent", "began_with_fort"])))
        told["activation"] = {key: item for key, item in told["activation"].items() if key not in left_out}
    return {**told, "cards": position["cards"]}


# -- answers -------------------------------------------------------------------------------------------

READ_OFF = {
    "activation-modifier": [0, 2, -6],
    "harvest-value": [1, 4],
    "raid-outpost-damage": [1, 3],
    "raid-outpost-result": [
        {"hit": 1},
        {"hit": 2, "battle": True},
        {"ends": True},
        "none",
        {"changes": [{"pointer": "/family/ferocity", "by": 1}], "cube": "out_of_play"},
        {"changes": [{"pointer": "/family/man", "to": False}, {"pointer": "/family/woman", "to": False}]},
        "by-hand",
    ],
    "raid-new-mexico-result": [
        {"changes": [{"pointer": "/tracks/enemy_morale", "by": -1}]},
        {"battle": True, "cube": "recovery"},
        {"battle": True, "changes": [{"pointer": "/family/man", "to": False}]},
        {"changes": [{"pointer": "/family/man", "to": False}, {"pointer": "/family/woman", "to": False}]},
        "none",
        "by-hand",
    ],
}
QUIET = {"raid-outpost-result": [{"hit": 1}, "none", {"ends": True}, {"battle": True}]}
LOSSES = ["none", {"changes": [{"pointer": "/family/man", "to": False}]}]


def an_answer(pending: Pending) -> st.SearchStrategy[Any]:
    """Something possible to answer a question with."""
    return possible(pending, READ_OFF.get(pending.name, LOSSES))


def an_answer_that_moves_nothing(pending: Pending) -> st.SearchStrategy[Any]:
    """The same, but nothing printed moves a person or a cube."""
    readings = READ_OFF.get(pending.name, ["none"])
    if pending.name.startswith("raid-"):
        readings = QUIET.get(pending.name, readings[:1])
    return possible(pending, readings)


# -- the properties ------------------------------------------------------------------------------------


@looked_at(120)
@given(data=st.data(), case=reachable(), rules=rules_in_force)
def test_filling_in_a_fact_never_flips_a_ruling(data: st.DataObject, case: Any, rules: Rules) -> None:
    position, do = case
    partial = data.draw(told_less(position))
    for inputs, answer in walk(rules, position, do, drawn(data, an_answer), most=MOST_ANSWERS):
        is_sound(rules, position, answer)
        with_less = ask(rules, partial, do, inputs)
        is_sound(rules, partial, with_less)
        never_flips(with_less, answer)


@looked_at(150)
@given(data=st.data(), case=reachable(), chosen=choices)
def test_filling_in_the_components_never_flips_a_ruling(data: st.DataObject, case: Any, chosen: Any) -> None:
    position, do = case
    known_map = {key: FILLED_IN[key] for key in ("connections", "area_values", "bracketed_values")}
    rules = Rules(GAME, chosen, known_map)
    for inputs, answer in walk(rules, position, do, drawn(data, an_answer), most=MOST_ANSWERS):
        left_out = data.draw(st.sets(st.sampled_from(sorted(known_map))))
        fewer = {key: value for key, value in known_map.items() if key not in left_out}
        with_less = ask(Rules(GAME, chosen, fewer), position, do, inputs)
        if "connections" in left_out and do["kind"] == "move" and with_less.verdict.ruling == "legal":
            assert "adjacency-assumed" in [one.message.name for one in with_less.verdict.cautions]
        else:
            never_flips(with_less, answer)


@looked_at(120)
@given(data=st.data(), case=reachable(), rules=rules_in_force, part=flag)
def test_every_pause_goes_through_json_and_goes_on_the_same(
    data: st.DataObject, case: Any, rules: Rules, part: bool
) -> None:
    position, do = case
    position = data.draw(told_less(position)) if part else position
    trail = list(walk(rules, position, do, drawn(data, an_answer), most=MOST_ANSWERS))
    goes_on_the_same(rules, position, trail)


@looked_at(400)
@given(data=st.data(), case=reachable(), rules=rules_in_force, part=flag)
def test_what_is_offered_is_what_may_be_done(
    data: st.DataObject, case: Any, rules: Rules, part: bool
) -> None:
    """An action is offered if it is legal, stands in the open offer of its kind if that is not told, else not at all."""
    position, do = case
    position = data.draw(told_less(position)) if part else position
    assume("activation" in position)  # who is acting can be concluded where nobody was activated yet
    under_way = {**position, "agenda": [{"procedure": "take-actions", "step": "action"}]}
    at = prepare(GAME, under_way, rules.chosen, rules.printed)
    sent = codec.read(do, GAME.action_types, "/action")
    action = GAME.action_of(sent)
    truth = weigh(action.may(at.apart(), sent))
    of_its_kind = list(offers(at, (action,)))
    listed = sent in [offer.do for offer in of_its_kind if not offer.missing]
    assert listed == certain(truth)
    if not listed and not refuted(truth):
        assert any(offer.missing for offer in of_its_kind)
    assert at.issues == ()


@looked_at(150)
@given(data=st.data(), case=reachable(), rules=rules_in_force)
def test_mp_are_never_overspent(data: st.DataObject, case: Any, rules: Rules) -> None:
    position, do = case
    before = codec.read(position, GAME.position, "").activation
    for _, answer in walk(rules, position, do, drawn(data, an_answer), most=MOST_ANSWERS):
        after = answer.position.activation
        if answer.verdict.ruling != "legal" or do["kind"] in ("activate", "end-activation") or after is None:
            continue
        paid = [event.params["cost"] for event in answer.events if event.message.name == "mp-paid"]
        assert 0 <= after.mp == before.mp - sum(paid)
        assert after.spent or (not sum(paid) and not before.spent)
        if do["kind"] in ("move-to-canyon", "move-from-canyon", "tribal-council", "trade-at-fort"):
            assert after.mp == 0


@looked_at(120)
@given(data=st.data(), case=reachable(), rules=rules_in_force)
def test_pieces_are_conserved_where_nothing_printed_moves_them(
    data: st.DataObject, case: Any, rules: Rules
) -> None:
    position, do = case
    before = codec.read(position, GAME.position, "")
    reply = drawn(data, an_answer_that_moves_nothing)
    for _, answer in walk(rules, position, do, reply, most=MOST_ANSWERS):
        if answer.verdict.ruling == "legal":
            after, said = answer.position, [event.message.name for event in answer.events]
            for kind in ("man", "woman", "child", "horse"):
                assert counting.in_play(after, kind) == counting.in_play(before, kind), kind
            assert counting.cubes(after) == counting.cubes(before)
            for kind in ("mission", "rancho"):
                gone = _on_map(before, kind) - _on_map(after, kind)
                assert gone == (said.count("raid-destroyed") if do.get("target") == kind else 0)
            assert _corn(after) - _corn(before) == said.count("corn-planted") - said.count("corn-lost")
            assert after.tracks.enemy_ap + (after.raided_box.enemy_ap or 0) == (
                before.tracks.enemy_ap + before.raided_box.enemy_ap
            )


def _on_map(position: Any, kind: str) -> int:
    return sum(bool(getattr(area, kind)) for area in position.areas.values())


def _corn(position: Any) -> int:
    return _on_map(position, "corn") + len(position.resources.corn)


memories = st.fixed_dictionaries(
    {},
    optional={
        "family": letter,
        "to": st.sampled_from(HERE),
        "colour": st.sampled_from(["black", "white", "red", "blue"]),
        "area": st.sampled_from(HERE),
        "counter": st.sampled_from(["mission", "rancho", "fort"]),
        "hits": few,
        "hit": few,
        "battle": flag,
        "ends": flag,
        "needed": st.integers(1, 3),
    },
)
SECTION_3_2 = ("activation", "move", "harvest", "raid-new-mexico", "raid-outpost", "tribal-council")


@looked_at(250)
@given(
    data=st.data(),
    position=whole,
    agenda=st.lists(frames(GAME, SECTION_3_2, memories), min_size=1, max_size=2),
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


@looked_at(120)
@given(data=st.data(), position=whole, chosen=choices)
def test_a_whole_operation_activates_nobody_twice(data: st.DataObject, position: Any, chosen: Any) -> None:
    """Any Actions in any order: each Family acts once, and never more Families than were counted."""
    position = {**position, "activation": None, "operation": {"kind": None, "activated": []}}
    rules, reply = Rules(GAME, chosen, FILLED_IN), drawn(data, an_answer_that_moves_nothing)
    acted: list[str] = []
    for _ in range(8):
        do = data.draw(actions)
        *_, (_, last) = walk(rules, position, do, reply, most=MOST_ANSWERS)
        if last.verdict.ruling == "legal":
            acted += [do["family"]] if do["kind"] == "activate" else []
            position = through_json(last.position)
    assert len(acted) == len(set(acted))
    if acted:
        assert position["operation"]["activated"] == acted
        assert len(acted) <= position["operation"]["limit"]


def test_the_generated_cases_reach_every_ruling_and_every_question() -> None:
    """The properties above would hold of nothing at all if no case ever came so far."""
    seen: set[Any] = set()

    @looked_at(1500)
    @given(data=st.data(), case=reachable(), rules=rules_in_force)
    def look(data: st.DataObject, case: Any, rules: Rules) -> None:
        position, do = case
        for _, answer in walk(rules, position, do, drawn(data, an_answer), most=MOST_ANSWERS):
            seen.add((do["kind"], answer.verdict.ruling))
            seen.add(answer.pending.name if answer.pending else None)

    look()
    kinds = {action.name for action in take_actions.ACTIONS}
    rulings = {(kind, ruling) for kind in kinds for ruling in ("legal", "illegal")}
    questions = {
        "activation-modifier",
        "move-leave-fort",
        "harvest-roll",
        "harvest-value",
        "raid-new-mexico-draw",
        "raid-new-mexico-result",
        "raid-new-mexico-battle",
        "raid-outpost-draw",
        "raid-outpost-manuelito",
        "raid-outpost-result",
        "raid-outpost-damage",
        "raid-outpost-battle",
        "tribal-council-roll",
        "intruders-reveal",
        "battle-dine-roll",
    }
    assert len(kinds) == 12
    missing = (rulings | questions) - seen
    assert not missing, sorted(map(str, missing))


@pytest.mark.parametrize(
    "kind", ["activate", "find-water", "plant-corn", "harvest-corn", "tribal-council", "raid-new-mexico"]
)
def test_an_empty_position_is_never_decided(kind: str) -> None:
    assert ask(Rules(GAME), {}, {"kind": kind, "family": "A"}).verdict.ruling == "undetermined"
