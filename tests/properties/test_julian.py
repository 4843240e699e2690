"""Julian under any position, any play and any answer: nothing breaks, nothing is lost, nothing flips."""

from __future__ import annotations

from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from engine.flow import Pending
from engine.julian import GAME
from engine.julian.position import MARKERS
from engine.questions import ChooseSome
from tests.properties.playing import (
    CONTINUE,
    Pause,
    Rules,
    ask,
    drawn,
    goes_on_the_same,
    is_sound,
    never_flips,
    possible,
    through_json,
    walk,
)

RULES = Rules(GAME)
SIDES = ("roman", "barbarian")
NAMES = ("Oriens", "Caesar", "Goths")
PHASES = ("stratagem", "operations", "return", "taxation", "supply", "crisis", "advance")
SUBPHASES = ("start", "reinforcement", "movement", "combat")
USES = (
    ("agentes", "look"),
    ("agentes", "cancel-agentes"),
    ("agentes", "cancel-federate"),
    ("credo", "draw"),
    ("credo", "steal"),
    ("dux", "activate"),
    ("dux", "leader"),
    ("federate", "ally"),
    ("imperium", "as"),
    ("imperium", "reroll"),
    ("military", "march"),
    ("military", "fight"),
)
ROLLS = ("combat", "rout", "other")

sides = st.sampled_from(SIDES)
markers = st.fixed_dictionaries({}, optional=dict.fromkeys(MARKERS, st.integers(0, 3)))
plays = st.fixed_dictionaries(
    {},
    optional={
        "by": sides,
        "marker": st.sampled_from(MARKERS),
        "as": st.sampled_from((*MARKERS, None)),
        "use": st.sampled_from([use for _, use in USES]),
        "command": st.sampled_from((*NAMES, None)),
        "stack": st.sampled_from(("east", "west", None)),
        "combat": st.sampled_from(("1", "2", None)),
    },
)
commands = st.lists(
    st.fixed_dictionaries(
        {"name": st.sampled_from(NAMES)},
        optional={"side": sides, "drawn": st.booleans(), "active": st.booleans()},
    ),
    max_size=3,
)
combats = st.fixed_dictionaries(
    {},
    optional={
        "id": st.sampled_from(("1", "2")),
        "attacker": sides,
        "defender": sides,
        "doubled_by_terrain": st.lists(sides, max_size=2),
    },
)
FACTS = {
    "turn": st.integers(1, 9),
    "active": st.sampled_from((*SIDES, None)),
    "phase": st.sampled_from(PHASES),
    "operations_phase": st.sampled_from((1, 2, 3, None)),
    "subphase": st.sampled_from((*SUBPHASES, None)),
    "hands": st.fixed_dictionaries({}, optional={"roman": markers, "barbarian": markers}),
    "pool": markers,
    "treasury": st.integers(0, 20),
    "commands": commands,
    "played": st.lists(plays, max_size=3),
    "last_play": st.none() | plays,
    "combat": st.none() | combats,
    "last_roll": st.sampled_from((*ROLLS, None)),
}
positions = st.fixed_dictionaries({}, optional=FACTS)


def at_one_table(position: dict[str, Any]) -> dict[str, Any]:
    """The attacker is the player whose phase it is: two facts that cannot contradict each other."""
    combat, active = position.get("combat"), position.get("active")
    if combat is not None and active is not None:
        other = "barbarian" if active == "roman" else "roman"
        position = {**position, "combat": {**combat, "attacker": active, "defender": other}}
    return position


whole_hands = st.fixed_dictionaries({"roman": markers, "barbarian": markers})
whole_plays = st.sampled_from(
    [
        {"by": by, "marker": marker, "use": use, "stack": "east", "combat": "1", "command": "Caesar"}
        for by in SIDES
        for marker, use in USES
        if use != "as"
    ]
)
likely = st.fixed_dictionaries(
    {
        **FACTS,
        "hands": whole_hands,
        "phase": st.sampled_from(("operations", "operations", "operations", "stratagem")),
        "operations_phase": st.sampled_from((2, 3)),  # three command chits have been drawn
        "played": st.lists(whole_plays, max_size=2),
        "last_play": st.none() | whole_plays,
        "commands": st.just(
            [
                {"name": "Oriens", "side": "roman", "drawn": True, "active": True},
                {"name": "Caesar", "side": "roman", "drawn": True, "active": False},
                {"name": "Goths", "side": "barbarian", "drawn": True, "active": False},
            ]
        ),
        "combat": st.none()
        | st.just({"id": "1", "attacker": "roman", "defender": "barbarian", "doubled_by_terrain": ["roman"]}),
    }
).map(at_one_table)

units = st.fixed_dictionaries(
    {},
    optional={"combat": st.integers(0, 9), "movement": st.integers(0, 6), "parenthesised": st.booleans()},
)


@st.composite
def stratagem_plays(draw: Any) -> dict[str, Any]:
    marker, use = draw(st.sampled_from(USES))
    extra = {
        "as": st.sampled_from(MARKERS),
        "as_use": st.sampled_from([one for _, one in USES]),
        "command": st.sampled_from(NAMES),
        "stack": st.just("east"),
        "roll": st.sampled_from(ROLLS),
    }
    given = draw(st.fixed_dictionaries({}, optional=extra))
    return {"kind": "play-stratagem", "by": draw(sides), "marker": marker, "use": use, **given}


@st.composite
def combat_results(draw: Any) -> dict[str, Any]:
    def force(letter: str) -> list[dict[str, Any]]:
        found = draw(st.lists(units, max_size=4))
        return [{"id": f"{letter}{number}", **unit} for number, unit in enumerate(found)]

    result = draw(st.sampled_from(("AC", "AD", "AR", "BB", "DC", "DD", "DR")))
    return {"kind": "combat-result", "result": result, "attackers": force("a"), "defenders": force("d")}


next_phases = st.fixed_dictionaries(
    {"kind": st.just("next-phase")},
    optional={
        "command": st.sampled_from((*NAMES, None)),
        "options": st.lists(st.sampled_from(("supply", "crisis")), max_size=2),
    },
)
actions = stratagem_plays() | combat_results() | next_phases

WHEN = {
    "look": ("operations", "start"),
    "draw": ("stratagem", None),
    "steal": ("operations", "reinforcement"),
    "activate": ("operations", "start"),
    "leader": ("operations", "reinforcement"),
    "march": ("operations", "movement"),
    "fight": ("operations", "combat"),
}
ANSWERED = {
    "cancel-agentes": [
        {"marker": "agentes", "use": "look"},
        {"marker": "imperium", "use": "as", "as": "agentes"},
    ],
    "cancel-federate": [{"marker": "federate", "use": "ally"}],
}
full_hands = st.fixed_dictionaries({marker: st.integers(1, 2) for marker in MARKERS})
some_hands = st.sampled_from(({"agentes": 1}, {"imperium": 1}, {"dux": 2, "imperium": 1}, {"credo": 1}))


@st.composite
def moments(draw: Any) -> tuple[dict[str, Any], dict[str, Any]]:
    """A position told in full, and an action that is mostly allowed in it."""
    if draw(st.integers(0, 3)) == 0:
        return draw(fights())
    marker, use = draw(st.sampled_from(USES))
    by = draw(sides)
    action = {"kind": "play-stratagem", "by": by, "marker": marker, "use": use}
    action |= {"command": "Caesar" if by == "roman" else "Goths", "stack": "east", "roll": "other"}
    if use == "as":
        copied, use = draw(st.sampled_from([pair for pair in USES if pair[0] != "imperium"]))
        action |= {"as": copied, "as_use": use}
    phase, subphase = WHEN.get(use, ("operations", "movement"))
    other = "barbarian" if by == "roman" else "roman"
    position = draw(likely) | {
        "phase": phase,
        "subphase": subphase,
        "active": by,
        "hands": {by: draw(full_hands), other: draw(full_hands | some_hands)},
        "played": [],
        "last_roll": "other",
        "combat": {"id": "1", "attacker": "roman", "defender": "barbarian", "doubled_by_terrain": [by]},
        "last_play": {"by": other, **draw(st.sampled_from(ANSWERED.get(use, [{"marker": "dux"}])))},
    }
    return at_one_table(position), action


whole_units = st.fixed_dictionaries(
    {
        "combat": st.integers(0, 9),
        "movement": st.sampled_from((0, 3, 3, 5, 6)),
        "parenthesised": st.booleans(),
    }
)


@st.composite
def fights(draw: Any) -> tuple[dict[str, Any], dict[str, Any]]:
    """A combat told in full."""
    action = draw(combat_results())
    for letter, name in (("a", "attackers"), ("d", "defenders")):
        found = draw(st.lists(whole_units, min_size=1, max_size=4))
        action[name] = [{"id": f"{letter}{number}", **unit} for number, unit in enumerate(found)]
    combat = {"id": "1", "attacker": "roman", "defender": draw(sides), "doubled_by_terrain": []}
    return at_one_table(draw(likely) | {"combat": combat}), action


thorough = settings(
    max_examples=300,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much],
)


def an_answer(pending: Pending) -> st.SearchStrategy[Any]:
    """Some answer to the question; of several things perhaps more than may be chosen, which is refused."""
    answers = pending.question.answers
    if isinstance(answers, ChooseSome):
        values = st.sampled_from([option.value for option in answers.options])
        return st.lists(values, unique=True, min_size=answers.least).map(lambda some: {"choose": some})
    return possible(pending)


def follow(data: Any, position: Any, action: Any) -> list[Pause]:
    """An action with answers until nothing is asked or an answer is refused."""
    return list(walk(RULES, position, action, drawn(data, an_answer), most=20))


def marker_count(position: Any) -> dict[str, int] | None:
    """How many of each marker pool and hands hold together; None where they are not all told."""
    hands = position.get("hands", {})
    places = [position.get("pool"), hands.get("roman"), hands.get("barbarian")]
    if any(place is None for place in places):
        return None
    return {marker: sum(place.get(marker, 0) for place in places) for marker in MARKERS}


@thorough
@given(positions | likely, actions, st.lists(st.sampled_from(sorted(GAME.catalogue.issues)), max_size=4))
def test_no_position_and_no_reading_breaks_anything(position: Any, action: Any, issues: list[str]) -> None:
    choices = {name: max(GAME.catalogue.issues[name].choices) for name in issues}
    rules = Rules(GAME, choices)
    is_sound(rules, position, ask(rules, position, action))


@thorough
@given(
    st.data(),
    positions | likely,
    st.sampled_from([(name, s) for name, p in GAME.procedures.items() for s in p.steps]),
)
def test_a_player_may_walk_in_at_any_step(data: Any, position: Any, place: tuple[str, str]) -> None:
    forces = st.lists(units, max_size=3)
    memory: dict[str, Any] = {}
    if place[0] == "stratagem":
        memory = data.draw(
            st.fixed_dictionaries(
                {}, optional={"plays": st.lists(plays | whole_plays, min_size=1, max_size=3)}
            )
        )
    elif place[0] == "draw-markers":
        facts = {"player": sides, "source": st.sampled_from(("pool", "opponent", "hand"))}
        more = {"left": st.integers(0, 2), "why": st.sampled_from(("draw", "steal", "combat"))}
        memory = data.draw(st.fixed_dictionaries({}, optional={**facts, **more}))
    elif place[0].startswith("combat-"):
        for name in ("attackers", "defenders"):
            if data.draw(st.booleans()):
                memory[name] = [{"id": f"{name}{n}", **unit} for n, unit in enumerate(data.draw(forces))]
    agenda = [{"procedure": place[0], "step": place[1], "memory": memory}]
    follow(data, {**position, "agenda": agenda}, CONTINUE)


@thorough
@given(st.data(), moments())
def test_markers_are_conserved_at_every_pause(data: Any, moment: tuple[Any, Any]) -> None:
    position, action = moment
    before = marker_count(position)
    for _, answer in follow(data, position, action):
        assert marker_count(through_json(answer.position)) == before


@thorough
@given(st.data(), moments(), st.lists(moments() | st.tuples(st.just({}), next_phases), max_size=5))
def test_markers_are_conserved_over_random_play(data: Any, first: Any, later: list[Any]) -> None:
    position, _ = first
    before = marker_count(position)
    for at_the_table, action in [first, *later]:
        moved_on = {key: value for key, value in at_the_table.items() if key not in ("hands", "pool")}
        position = {**position, **moved_on}
        _, answer = follow(data, position, action)[-1]
        position = through_json(answer.position)
        assert marker_count(position) == before
        if answer.pending:
            break


@thorough
@given(st.data(), moments())
def test_every_pause_survives_json_and_goes_on_the_same(data: Any, moment: tuple[Any, Any]) -> None:
    position, action = moment
    goes_on_the_same(RULES, position, follow(data, position, action))


def told_less(data: Any, position: Any) -> Any:
    """The same position with some facts left out."""
    less = {key: value for key, value in position.items() if data.draw(st.booleans())}
    for key in ("hands", "combat", "last_play"):
        if isinstance(less.get(key), dict):
            less[key] = {part: value for part, value in less[key].items() if data.draw(st.booleans())}
    for key in ("played", "commands"):
        less_of = [
            {part: value for part, value in one.items() if part == "name" or data.draw(st.booleans())}
            for one in less.get(key, [])
        ]
        if key in less:
            less[key] = less_of
    return less


@thorough
@given(st.data(), moments() | st.tuples(likely, actions))
def test_telling_more_never_turns_a_ruling_round(data: Any, moment: tuple[Any, Any]) -> None:
    position, action = moment
    never_flips(ask(RULES, told_less(data, position), action), ask(RULES, position, action))
