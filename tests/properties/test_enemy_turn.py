"""Whole Enemy turns, played at random through check alone: nothing is lost, nothing sticks.

Every turn starts from a whole position and is played to its end with answers that the questions allow,
each pause saved as JSON and gone on with. RULEGLOT_EXPLORE=1 plays other turns each time; otherwise
they are always the same.
"""

from __future__ import annotations

from functools import cache
from itertools import pairwise
from random import Random, SystemRandom
from typing import Any, NamedTuple

import pytest
from msgspec import UNSET

from engine import codec
from engine.at import Event
from engine.chance import Dice
from engine.game import Answer, prepare
from engine.navajo_wars import GAME
from engine.navajo_wars.cubes import COLOURS
from engine.navajo_wars.map import AREAS
from engine.navajo_wars.outposts import DIE_SYMBOL
from engine.navajo_wars.position import AreaId, Count
from engine.navajo_wars.printed import PrintedEffect
from engine.questions import Choose, ChooseSome, Read
from tests.properties.counting import CUBE_BOXES, cubes, in_play, there
from tests.properties.playing import (
    CONTINUE,
    EXPLORE,
    Rules,
    ask,
    comes_to_the_same,
    go_on,
    outcomes,
    survives_json,
    through_json,
)
from tests.shown import components

FIRST = SystemRandom().randrange(10**9) if EXPLORE else 0
SEEDS = range(FIRST, FIRST + (300 if EXPLORE else 60))
MOST_ANSWERS = 300
INSTRUCTIONS = (
    "build",
    "build-subvert",
    "colonize",
    "comanche",
    "defend",
    "expand",
    "peace",
    "raid",
    "slaves",
    "subjugate",
    "subvert",
    "utes",
)
CONNECTIONS = [
    *[["santa-fe", f"{territory}-1"] for territory in DIE_SYMBOL[:3]],
    *[[f"{one}-1", f"{other}-1"] for one, other in pairwise(DIE_SYMBOL)],
    *[[f"{territory}-6", "canyon-de-chelly-1"] for territory in DIE_SYMBOL],
]


# -- positions ---------------------------------------------------------------------------------------


def whole_position(dice: Random) -> dict[str, Any]:
    """A whole board on which much can happen."""
    period = dice.choice(["spanish", "mexican", "american"])
    letters = sorted(dice.sample("ABCDEF", dice.randint(0, 6)))
    boxes = {box: dict.fromkeys(COLOURS, 0) for box in CUBE_BOXES}
    for colour, number in (
        ("black", 3),
        ("blue", 1),
        ("brown", 4),
        ("green", 3),
        ("red", 3),
        ("yellow", 2),
        ("white", 4),
    ):
        for _ in range(number):
            box = "subjugation" if colour == "red" and dice.random() < 0.6 else dice.choice(CUBE_BOXES[:3])
            boxes[box][colour] += 1
    truce = dice.choice([None, None, None, "peace", "defend"])
    counters = [_counter(dice) for _ in range(12)]
    done = dice.sample(range(6), dice.randint(0, 4))
    return {
        "period": period,
        "tracks": {
            "ap": dice.randint(0, 6),
            "culture": dice.randint(0, 12),
            "military": dice.randint(0, 8),
            "enemy_morale": dice.randint(0, 12),
            "enemy_ferocity": dice.randint(0, 6),
            "enemy_ap": dice.randint(0, 8),
        },
        "families": {letter: _family(dice) for letter in letters},
        "areas": _areas(dice, period),
        "santa_fe": {"raid": 0},
        "tribal_raid_box": 0,
        "manuelito": None,
        "resources": {
            "horse": dice.randint(0, 3),
            "sheep": 2,
            "corn": [2, 3],
            "trade_goods": 2,
            "firearms": 1,
        },
        "passage_of_time": {
            "man": 0,
            "woman": 1,
            "child": dice.randint(0, 2),
            "elder": 0,
            "horse": 0,
            "sheep": 0,
        },
        **boxes,
        "raided_box": {"enemy_ap": dice.randint(0, 4) if truce else 0, "instruction": truce},
        "instructions": {
            "active": [None if row in done else counters[row] for row in range(6)],
            "standby": counters[6:],
            "inactive": [counters[row] if row in done[bool(truce) :] else None for row in range(6)],
        },
        "cards": {"current": None, "in_play": [], "hand": []},
        "activation": None,
    }


def _counter(dice: Random) -> dict[str, Any]:
    def one() -> dict[str, Any]:
        return {
            "name": dice.choice(INSTRUCTIONS),
            "cost": dice.randint(1, 4),
            "stripe": dice.random() < 0.3,
            "ferocity": dice.random() < 0.5,
        }

    return {**one(), "back": one()}


def _family(dice: Random) -> dict[str, Any]:
    man, woman = dice.choice([(True, True), (True, False), (False, True)])
    return {
        "at": dice.choice(AREAS),
        "ferocity": dice.randint(0, 3) if man else 0,
        "man": man,
        "woman": woman,
        "child": dice.random() < 0.5,
        "horse": dice.random() < 0.3,
    }


def _areas(dice: Random, period: str) -> dict[str, Any]:
    areas = {}
    for area in dice.sample(AREAS, dice.randint(0, 14)):
        fort = "defiance" if period == "american" and dice.random() < 0.2 else None
        areas[area] = {
            "corn": dice.random() < 0.5,
            "mission": period == "spanish" and dice.random() < 0.4,
            "rancho": period != "spanish" and dice.random() < 0.4,
            "fort": fort,
            "intruders": dice.choice([0, 0, 0, 1]),
        }
    return areas


# -- answers -----------------------------------------------------------------------------------------


def an_answer(dice: Random, answer: Answer, printed: Any) -> dict[str, Any]:
    """One answer that the question allows, each as likely as the other."""
    assert answer.pending is not None
    listed = outcomes(answer.pending)
    match answer.pending.question.answers:
        case Dice(count):
            return {"dice": [dice.randint(1, 6) for _ in range(count)]}
        case ChooseSome(options, least):
            return {"choose": [option.value for option in options[:least]]}
        case Choose():
            assert len(listed) > 1, f"{answer.pending.name} asks, but leaves no choice"
            return dice.choice([one for one in listed if _is_known(one["choose"], printed)])
        case Read(form) if not listed:
            return {"read": _a_reading(dice, form, answer.position)}
    return dice.choice(listed)


def _is_known(value: Any, printed: Any) -> bool:
    """Without the map's connections nobody knows how far a Harass counter on another track would be."""
    return "connections" in printed or not (isinstance(value, dict) and value["kind"] == "harass")


def _a_reading(dice: Random, form: Any, position: Any) -> Any:
    if form is bool:
        return dice.random() < 0.5
    if form is Count:
        return dice.randint(0, 3)
    if form is AreaId:
        raided = {area for area, state in position.areas.items() if state.raid}
        return dice.choice([area for area in AREAS if area not in raided])
    assert form == PrintedEffect
    change = {"pointer": "/tracks/enemy_morale", "by": dice.randint(-2, 2)}
    return dice.choice(["none", {"changes": [change]}])


# -- play --------------------------------------------------------------------------------------------


class Turn(NamedTuple):
    """A turn that was played: what it started from, every answer given, and every pause."""

    rules: Rules
    position: Any
    action: Any
    inputs: list[dict[str, Any]]
    pauses: list[Answer]

    @property
    def last(self) -> Answer:
        return self.pauses[-1]

    @property
    def events(self) -> list[Event]:
        return [event for answer in self.pauses for event in answer.events]


def play(dice: Random, rules: Rules, position: Any, action: Any) -> Turn:
    """Play to the end, going on from each pause as a stranger would: from its JSON."""
    pauses = []
    for inputs, answer in go_on(
        rules,
        position,
        action,
        lambda asked: an_answer(dice, asked, rules.printed),
        most=MOST_ANSWERS,
    ):
        assert answer.verdict.ruling == "legal", (inputs[-1:], answer.verdict)
        pauses.append(answer)
    return Turn(rules, position, action, inputs, pauses)


def some_choices(dice: Random) -> dict[str, str]:
    """Now and then the other reading of an issue."""
    return {
        name: dice.choice(list(issue.choices))
        for name, issue in GAME.catalogue.issues.items()
        if dice.random() < 0.2
    }


def some_components(dice: Random) -> dict[str, Any]:
    """Nothing, or a map and tables filled in for the tests."""
    if dice.random() < 0.4:
        return {}
    filled = dict(components("invented-for-tests.toml"))
    ranges = {"man": [1, 2], "woman": [3, 4], "child": [5, 6]}
    limits = {"harass": 2, "mission": 6, "rancho": 6, "enemy_ap": 20, "tribal_raid": 6}
    return {**filled, "connections": CONNECTIONS, "population_ranges": ranges, "counter_limits": limits}


ACTIONS: tuple[dict[str, Any], ...] = (
    {"kind": "enemy-operations", "printed_ap": 4},
    {"kind": "enemy-operations"},
    {"kind": "enemy-raid", "ap": 3},
    {"kind": "tribal-raid", "tribe": "ute"},
    {"kind": "tribal-raid", "tribe": "comanche"},
    *({"kind": "instruction", "name": name, "ap": 2} for name in INSTRUCTIONS),
)


@cache
def turn(seed: int) -> Turn:
    """One turn for each seed; the kinds of turn take turns."""
    dice = Random(seed)
    position = whole_position(dice)
    action = ACTIONS[seed % len(ACTIONS)]
    if action["kind"] != "enemy-operations":
        position["tracks"]["enemy_ap"] += 3
        if action.get("name") == "defend":  # which takes every AP there is
            position["tracks"]["enemy_ap"] = action["ap"]
        position["raided_box"] = {"enemy_ap": 0, "instruction": None}
        position["instructions"]["inactive"] = [None] * 6
    printed = some_components(dice)
    return play(dice, Rules(GAME, some_choices(dice), printed), position, action)


# -- what must hold ----------------------------------------------------------------------------------

each_turn = pytest.mark.parametrize("seed", SEEDS)


def start(played: Turn) -> Any:
    return prepare(GAME, played.position, {}, {}).position


@each_turn
def test_no_cube_is_lost(seed: int) -> None:
    played = turn(seed)
    before = cubes(start(played))
    assert sum(before.values()) == 20
    for answer in played.pauses:
        assert cubes(answer.position) == before


@each_turn
def test_no_marker_leaves_its_track(seed: int) -> None:
    for answer in turn(seed).pauses:
        tracks = answer.position.tracks
        for name in ("ap", "culture", "military", "enemy_morale", "enemy_ferocity"):
            assert 0 <= getattr(tracks, name) <= 19, name
        assert tracks.enemy_ap >= 0


@each_turn
def test_the_map_is_tidy_afterwards(seed: int) -> None:
    after = turn(seed).last.position
    assert after.agenda == ()
    assert (after.santa_fe.raid, after.tribal_raid_box) == (0, 0)
    for area, state in after.areas.items():
        assert not any((state.raid, state.harass, state.tribal_raid)), area
    for letter, family in after.families.items():
        assert family.at in AREAS, f"Family {letter} is still in a box"
        assert family.man or family.woman, f"Family {letter} has no adult"


@each_turn
def test_population_leaves_play_only_as_told(seed: int) -> None:
    played = turn(seed)
    before, after = start(played), played.last.position
    taken = [
        str(event.params["population"]).removeprefix("nw.")
        for event in played.events
        if event.message.name.startswith("slaves-captive")
    ]
    for kind in ("man", "woman", "child"):
        assert in_play(after, kind) == in_play(before, kind) - taken.count(kind), kind
    horses_before, horses_after = (in_play(one, "horse") - one.resources.horse for one in (before, after))
    assert horses_after == horses_before


def enemy_ap_counters(position: Any) -> int:
    """Every Enemy AP counter in play: available, in the Raided Cubes Box, or on the map as a Raid counter."""
    placed = sum(there(state, "raid") for state in position.areas.values()) + position.santa_fe.raid
    return int(position.tracks.enemy_ap + position.raided_box.enemy_ap + placed)


@each_turn
def test_the_counter_mix_is_a_limit(seed: int) -> None:
    played = turn(seed)
    limits = played.rules.printed.get("counter_limits")
    if limits is None:
        return
    most = max(limits["enemy_ap"], enemy_ap_counters(start(played)))
    for answer in played.pauses:
        assert enemy_ap_counters(answer.position) <= most
        areas = answer.position.areas.values()
        assert sum(there(state, "tribal_raid") for state in areas) + answer.position.tribal_raid_box <= 6
        assert sum(there(state, "harass") for state in areas) <= limits["harass"]


def counters_of(position: Any) -> list[str]:
    """Every Instruction counter by its two faces; the one in the Raided Cubes Box included."""
    display, box = position.instructions, position.raided_box
    held = [counter for name in ("active", "standby", "inactive") for counter in getattr(display, name)]
    waiting = [box.counter] if box.instruction and box.counter is not UNSET else []
    faces = [sorted((counter.name, counter.back.name)) for counter in (*held, *waiting) if counter]
    return sorted("/".join(pair) for pair in faces)


@each_turn
def test_no_instruction_counter_is_lost(seed: int) -> None:
    played = turn(seed)
    if played.action["kind"] != "enemy-operations" or start(played).raided_box.instruction:
        return
    assert counters_of(played.last.position) == counters_of(start(played))


@each_turn
def test_going_on_equals_sending_everything_again(seed: int) -> None:
    played = turn(seed)
    for number in {len(played.inputs), len(played.inputs) // 2}:
        again = ask(played.rules, played.position, played.action, played.inputs[:number])
        told = [event for answer in played.pauses[:number] for event in answer.events]
        comes_to_the_same(told, played.pauses[number], again)


@each_turn
def test_a_pause_is_the_same_after_json(seed: int) -> None:
    played = turn(seed)
    for answer in played.pauses:
        survives_json(played.rules, answer.position)


def with_less_told(dice: Random, position: dict[str, Any]) -> dict[str, Any]:
    """The same position with some facts, also some that a step has noted, left out."""
    less: dict[str, Any] = through_json(position)
    for _ in range(dice.randint(1, 4)):
        place: Any = less
        while isinstance(place, dict) and place:
            key = dice.choice(sorted(place))
            if not isinstance(place[key], dict) or dice.random() < 0.4:
                if key not in ("agenda", "procedure", "step"):
                    del place[key]
                break
            place = place[key]
    for frame in less.get("agenda", []):
        noted = frame.get("memory") or {}
        for key in [key for key in sorted(noted) if dice.random() < 0.2]:
            del noted[key]
    return less


@each_turn
def test_with_less_told_a_pause_is_undetermined_at_worst(seed: int) -> None:
    played, dice = turn(seed), Random(seed)
    for number, answer in enumerate(played.pauses[:-1]):
        less = with_less_told(dice, codec.write(answer.position))
        went = ask(played.rules, less, CONTINUE, played.inputs[number : number + 1])
        if went.verdict.ruling == "undetermined":
            assert went.verdict.unknowns
        for fact in went.verdict.unknowns:
            assert fact.pointer.startswith("/"), fact


MINE = ("enemy-operations", "instruction", "enemy-raid", "tribal-raid")
PLACES = [(name, step) for name in MINE for step in GAME.procedures[name].steps]


@pytest.mark.parametrize(("name", "step"), PLACES)
def test_one_can_walk_in_at_any_step(name: str, step: str) -> None:
    for seed in range(5):
        position = whole_position(Random(seed))
        position["agenda"] = [{"procedure": name, "step": step}]
        went = ask(Rules(GAME), position, CONTINUE)
        assert went.verdict.ruling in ("legal", "undetermined")
