"""What must hold from the draw of a card to the end of its Discard Phase, and once the game is over.

Cards are played at random through check alone, each pause saved as JSON and gone on with, from tables on which much
can happen. RULEGLOT_EXPLORE=1 plays others each time; otherwise they are always the same.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import cache, partial
from random import Random, SystemRandom
from typing import Any, NamedTuple, get_args

import pytest
from msgspec import UNSET, structs

from engine import codec
from engine.actions import written
from engine.at import Event
from engine.audit import audit
from engine.chance import Dice
from engine.game import Answer, Game, prepare
from engine.messages import Message
from engine.navajo_wars import GAME
from engine.navajo_wars.cards import PERIOD_TERM
from engine.navajo_wars.components import MinorEventName
from engine.navajo_wars.endings import RESULT_TERM
from engine.navajo_wars.map import AREAS, territory_of, track
from engine.navajo_wars.outposts import DIE_SYMBOL
from engine.navajo_wars.position import FamilyLetter
from engine.questions import Choose, ChooseSome, Read
from engine.tables import Procedure, Step
from engine.testing import plain
from engine.verdict import Unknown
from service.languages import voice
from tests.properties import counting
from tests.properties.playing import (
    CONTINUE,
    EXPLORE,
    Rules,
    ask,
    comes_to_the_same,
    go_on,
    is_over,
    is_sound,
    never_flips,
    outcomes,
    survives_json,
    through_json,
)
from tests.shown import all_shown, components

FIRST = SystemRandom().randrange(10**9) if EXPLORE else 0
SEEDS = range(FIRST, FIRST + (1500 if EXPLORE else 198))
MOST_CARDS = 2_000  # some steps come up once in hundreds of cards
MOST_ANSWERS = 400
MOST_TRIES = 60
COPY: Any = components("invented-whole-copy.toml")
MINE = (
    "draw-card",
    "take-actions",
    "discard-phase",
    "minor-event",
    "victory-check",
    "good-medicine",
    "transition",
    "kit-carson",
)
PLACES = [(name, step) for name in MINE for step in GAME.procedures[name].steps]
PERIODS = tuple(PERIOD_TERM)
FIRST_EVENT = {"spanish": 41, "mexican": 46, "american": 51}
OPERATIONS, CEREMONIES = range(1, 29), range(29, 41)  # as the invented copy numbers them
LAST_OF_FIRST = 42  # the last card of scenario 14.1
MINOR_EVENTS = get_args(MinorEventName)
LETTERS = get_args(FamilyLetter)

# -- tables --------------------------------------------------------------------------------------------

SCENARIOS = {
    "spanish": ("14.1", "14.2", "14.6", None),
    "mexican": ("14.3", "14.6", None),
    "american": ("14.4", "14.5", "14.6", None),
}
CUBES = {
    "spanish": {"black": 3, "brown": 3, "green": 1, "red": 3, "white": 3, "yellow": 2},
    "mexican": {"black": 3, "brown": 4, "green": 3, "red": 3, "white": 4, "yellow": 2},
    "american": {"black": 3, "blue": 1, "brown": 4, "green": 1, "red": 3, "white": 4, "yellow": 2},
}


def a_table(dice: Random, period: str) -> dict[str, Any]:
    """A whole table between two cards, or while one is being resolved, that breaks no rule."""
    families = {letter: a_family(dice) for letter in sorted(dice.sample(LETTERS, dice.randint(0, 5)))}
    return {
        "scenario": dice.choice(SCENARIOS[period]),
        "period": period,
        "tracks": {
            "ap": dice.choice((0, 1, 3, 6, 19)),
            "culture": dice.choice((0, 1, 4, 9, 13)),
            "military": dice.choice((0, 1, 5, 9, 19)),
            "enemy_morale": dice.choice((0, 0, 1, 4, 12)),
            "enemy_ferocity": dice.randint(0, 6),
            "enemy_ap": dice.randint(0, 2),
        },
        "families": families,
        "areas": areas(dice, period, {family["at"] for family in families.values()}),
        "territories": {name: {"drought": dice.choice((0, 1, 2, 2))} for name in dice.sample(DIE_SYMBOL, 5)},
        "santa_fe": {"raid": 0},
        "tribal_raid_box": 0,
        "manuelito": None,
        "elders": [dice.choice((0, 0, 1)) for _ in range(7)],
        "resources": {
            "horse": dice.randint(0, 1),
            "sheep": dice.randint(0, 2),
            "corn": dice.choice(([], [2], [1, 3])),
            "trade_goods": dice.randint(0, 4),
            "firearms": dice.randint(0, 2),
        },
        "passage_of_time": {kind: dice.choice((0, 0, 1, 2)) for kind in (*counting.PEOPLE, "horse", "sheep")},
        **cubes(dice, period),
        **display(dice, period),
        "activation": None,
        "operation": {"kind": None, "activated": [], "elder_ferocity": [], "traded": [], "tribal": []},
        "cards": cards(dice, period),
        "outcome": None,
    }


def a_family(dice: Random) -> dict[str, Any]:
    man, woman = dice.choice(((True, True), (True, False), (False, True)))
    return {
        "at": dice.choice(AREAS),
        "ferocity": dice.randint(0, 3) if man else 0,
        "man": man,
        "woman": woman,
        "child": dice.random() < 0.5,
        "horse": dice.random() < 0.3,
    }


def areas(dice: Random, period: str, lived_in: set[str]) -> dict[str, Any]:
    """Outposts of the Period, corn, Intruders where nobody lives, and in the American Period a Fort or two."""
    outpost = "mission" if period == "spanish" else "rancho"
    found: dict[str, dict[str, Any]] = {
        area: {
            "corn": dice.random() < 0.4,
            outpost: number < 5 and dice.random() < 0.6,
            "intruders": 0 if area in lived_in else dice.choice((0, 0, 1)),
        }
        for number, area in enumerate(dice.sample(AREAS, dice.randint(0, 10)))
    }
    for fort in ("defiance", "fauntleroy") if period == "american" else ():
        area = dice.choice((*AREAS, *sorted(lived_in) * 5))
        if dice.random() < 0.5 and not found.get(area, {}).get("fort"):
            found.setdefault(area, {})["fort"] = fort
    return found


def cubes(dice: Random, period: str) -> dict[str, Any]:
    boxes: dict[str, Counter[str]] = {box: Counter() for box in counting.CUBE_BOXES}
    for colour in Counter(CUBES[period]).elements():
        there = "subjugation" if colour in ("red", "black") and dice.random() < 0.4 else None
        boxes[there or dice.choice(counting.CUBE_BOXES[:3])][colour] += 1
    return {box: dict(held) for box, held in boxes.items()}


def display(dice: Random, period: str) -> dict[str, Any]:
    """Twelve counters of the Period; now and then Peace or Defend waits in the Raided Cubes Box."""
    counters = [a_counter(one) for one in dice.sample(COPY["instruction_counters"][period], 12)]
    truces = [row for row in range(6) if truce(counters[row])]
    away = dice.choice(truces) if truces and dice.random() < 0.6 else None
    done = dice.sample(range(6), dice.randint(0, 3))
    waiting = None if away is None else truce(counters[away])
    box: dict[str, Any] = {"enemy_ap": 0, "instruction": None}
    if waiting is not None:
        box = {"enemy_ap": dice.randint(0, 3), "instruction": waiting["name"], "counter": waiting}
    return {
        "raided_box": box,
        "instructions": {
            "active": [None if row in (away, *done) else counters[row] for row in range(6)],
            "standby": counters[6:],
            "inactive": [counters[row] if row in done and row != away else None for row in range(6)],
        },
    }


def a_counter(listed: Any) -> dict[str, Any]:
    return {**listed["face"], "back": listed["back"]}


def truce(counter: Any) -> dict[str, Any] | None:
    """The counter with Peace or Defend up, if it has such a face."""
    face = {name: value for name, value in counter.items() if name != "back"}
    turned = {**counter["back"], "back": face}
    return next((one for one in (counter, turned) if one["name"] in ("peace", "defend")), None)


def cards(dice: Random, period: str) -> dict[str, Any]:
    """The event cards of earlier Periods are gone, but the one that began this Period."""
    first = FIRST_EVENT[period]
    *held, discarded = dice.sample(CEREMONIES, 3)
    return {
        "current": None,
        "in_play": [first - 1] if first > 41 else [],
        "hand": held[: dice.randint(0, 2)],
        "removed": [number for number in range(41, first - 1) if dice.random() < 0.5],
        "discarded": [discarded, OPERATIONS[-1]],
        "developments": dice.choice(([], [{"set": "Weaving", "level": 1}])),
    }


# -- cards to play ---------------------------------------------------------------------------------------


def an_action(dice: Random, seed: int, first: int) -> dict[str, Any]:
    """The kinds of action take turns; `first` is the first event card of the Period."""
    historical, transition = first + dice.randrange(4), first + 4
    actions: tuple[dict[str, Any], ...] = (
        {"kind": "draw-card", "number": dice.choice(OPERATIONS)},
        {"kind": "draw-card", "number": historical},
        {"kind": "draw-card", "number": transition},
        CONTINUE,  # with Take Actions
        {"kind": "draw-card", "number": dice.choice(OPERATIONS)},
        {"kind": "draw-card", "number": dice.choice(CEREMONIES)},
        {"kind": "transition", "card": transition},
        {"kind": "discard-phase"},
        {"kind": "minor-event", "event": MINOR_EVENTS[seed // KINDS % 4]},
        {"kind": "victory-check", "card": dice.choice((historical, transition))},
        {"kind": "good-medicine", "card": historical},
    )
    return actions[seed % KINDS]


KINDS = 11
READ_ALOUD = {
    "type": "operations",
    "preempt_cost": 1,
    "enemy_ap": 2,
    "enemy_ap_preempted": 0,
    "minor_event": "swap",
}


def a_start(dice: Random, seed: int) -> tuple[Rules, Any, Any]:
    """The rules in force, a table, and what is done with it."""
    period = PERIODS[seed // KINDS % 3]
    table, action = a_table(dice, period), an_action(dice, seed, FIRST_EVENT[period])
    event = action.get("number") or action.get("card") or dice.choice((*OPERATIONS[:3], FIRST_EVENT[period]))
    if action["kind"] != "draw-card":
        table["cards"]["current"] = event
        drop_ferocity(dice, table)
    elif event in table["cards"]["hand"]:
        table["cards"]["hand"] = []
    if action == CONTINUE:
        table["agenda"] = [{"procedure": "take-actions", "step": "begin", "memory": {}}]
    if event > LAST_OF_FIRST and table["scenario"] == "14.1":
        table["scenario"] = "14.2"
    if event in (45, 50, 55):  # so that the game is not lost at once
        table["tracks"] |= {
            "culture": 13,
            "military": dice.choice((9, 19)),
            "enemy_morale": dice.choice((0, 2)),
        }
    printed = dice.choice((COPY, COPY, {}))
    if event in OPERATIONS and action["kind"] == "draw-card" and not printed and dice.random() < 0.5:
        action |= READ_ALOUD
    return Rules(GAME, some_choices(dice), printed), table, action


def drop_ferocity(dice: Random, table: Any) -> None:
    """While a card is being resolved, a Family whose man has just left may still be ferocious."""
    for family in table["families"].values():
        if not family["man"]:
            family["ferocity"] = dice.randint(0, 2)


def some_choices(dice: Random) -> dict[str, str]:
    """Now and then the other reading of an issue."""
    return {
        name: dice.choice(sorted(issue.choices))
        for name, issue in GAME.catalogue.issues.items()
        if dice.random() < 0.2
    }


# -- answers ---------------------------------------------------------------------------------------------

PLUS_ONE = {"changes": [{"pointer": "/resources/trade_goods", "by": 1}]}
FIGHT = {"changes": [{"pointer": "/family/man", "to": False}, {"pointer": "/passage_of_time/man", "by": 1}]}
READINGS: dict[str, tuple[Any, ...]] = {
    "draw-card-preempt-cost": (0, 1, 3),
    "draw-card-major-event": (
        "none",
        {"changes": [{"pointer": "/tracks/enemy_morale", "by": -1}]},
        {"changes": [{"pointer": "/raid_pool/black", "by": -1}]},
    ),
    "victory-check-card-vp": (0, 5, 12),
    "victory-check-territory-vp": (0, 2, 5),
    "victory-check-development": (
        "none",
        {"set": "Religion", "level": 1},
        {"set": "Religion", "level": 1, "culture": 1},
        {"set": "Weaving", "level": 2, "culture": 0, "military": 1},
    ),
    "good-medicine-price": ("none", {"changes": [{"pointer": "/raid_pool/black", "by": -1}]}, PLUS_ONE),
    "transition-intruders": ({}, {"trade_goods": 1}, {"firearms": 1}),
    "activation-modifier": (0, 2, -6),
    "harvest-value": (1, 4),
    "passage-of-time-corn-value": (0, 1, 4),
    "raid-outpost-damage": (1, 3),
    "raid-outpost-result": ({"hit": 1}, {"ends": True}, {"battle": True}, "none"),
    "raid-new-mexico-result": ({"battle": True, "cube": "recovery"}, PLUS_ONE, "none"),
    "battle-effects": ("none", FIGHT),
    "intruders-reveal": ("none", PLUS_ONE, {"changes": [{"pointer": "/family/ferocity", "by": 1}]}),
    "enemy-operations-printed-ap": (0, 2, 5),
    "enemy-operations-event-ap": (0, 1),
    "enemy-operations-event-instruction": ("none", {"name": "subjugate", "ap": 1}),
    "enemy-raid-placement": AREAS,
    "enemy-raid-morale-range": (True, False),
    "enemy-raid-end-outposts": (0, 1, 3),
    "instruction-build": (0, 1, 3),
    "instruction-subjugation-table": ("none", {"changes": [{"pointer": "/tracks/enemy_morale", "by": 1}]}),
}


def guesses(dice: Random, asked: Answer) -> Iterator[dict[str, Any]]:
    """Answers of the form that is asked for, in any order; some may still be refused."""
    assert asked.pending is not None
    match asked.pending.question.answers:
        case Dice(count):
            yield {"dice": [dice.randint(1, 6) for _ in range(count)]}
        case ChooseSome(options, least, most):
            for _ in range(MOST_TRIES):
                chosen = dice.sample(options, dice.randint(least, min(most, len(options))))
                yield {"choose": [option.value for option in chosen]}
        case Read(_, options) if len(options) < 2 or asked.pending.name == "transition-new-instructions":
            possible = readings(dice, asked)
            yield from ({"read": reading} for reading in dice.sample(possible, len(possible)))
        case _:
            listed = outcomes(asked.pending)
            yield from dice.sample(listed, len(listed))


def readings(dice: Random, asked: Answer) -> tuple[Any, ...]:
    """What may be printed on a copy that nobody has filled in."""
    assert asked.pending is not None
    name, params = asked.pending.name, asked.pending.question.params
    if name == "draw-card-major-event" and asked.position.families:
        here = asked.position.families[dice.choice([*asked.position.families])].at
        intruders = {"changes": [{"pointer": f"/areas/{here}/intruders", "by": 1}]}
        return (*READINGS[name], intruders)
    if name != "transition-new-instructions":
        return READINGS[name]
    listed = COPY["instruction_counters"][params["period"].split(".")[-1]]
    if "letters" in params:
        return ([one["letter"] for one in dice.sample(listed, 2)],)
    counters = [a_counter(one) for one in dice.sample(listed, 12)]
    return ({"active": counters[:6], "standby": counters[6:]},)


def an_answer(dice: Random, rules: Rules, asked: Answer) -> dict[str, Any]:
    """An answer that is not refused: several counters may not go together, a printed change may not be possible."""
    here = through_json(asked.position)
    for guess in guesses(dice, asked):
        if ask(rules, here, CONTINUE, [guess]).verdict.ruling == "legal":
            return guess
    raise AssertionError(f"nothing is accepted: {asked.pending.name}")


# -- play ------------------------------------------------------------------------------------------------


class Card(NamedTuple):
    """A card, or a part of one, that was played: from what, with which answers, and every pause."""

    rules: Rules
    table: Any
    action: Any
    inputs: list[dict[str, Any]]
    pauses: list[Answer]

    @property
    def whole_copy(self) -> bool:
        return bool(self.rules.printed)

    @property
    def last(self) -> Any:
        return self.pauses[-1].position

    def turns(self) -> Iterator[tuple[Any, Answer]]:
        """Each pause with the position before it."""
        before = prepare(GAME, self.table, {}, {}).position
        for answer in self.pauses:
            yield before, answer
            before = answer.position

    def decisions(self) -> Iterator[Answer]:
        """The pauses in which a procedure of this file lets the player choose one of several options."""
        for answer in self.pauses:
            asked = answer.pending
            if asked and asked.step.kind == "decision" and answer.position.agenda[-1].procedure in MINE:
                assert isinstance(asked.question.answers, Choose)
                yield answer


def play(seed: int, game: Game = GAME) -> Card:
    """Play to the end, going on from each pause as a stranger would: from its JSON."""
    dice = Random(seed)
    rules, table, action = a_start(dice, seed)
    rules = rules._replace(game=game)
    reply = partial(an_answer, dice, rules)
    trail = list(go_on(rules, table, action, reply, most=MOST_ANSWERS))
    return Card(rules, table, action, trail[-1][0], [answer for _, answer in trail])


played = cache(play)
each_card = pytest.mark.parametrize("seed", SEEDS)


def test_every_step_of_every_table_is_reached() -> None:
    """The properties below would hold of nothing at all if no card ever came so far."""
    missing = {*PLACES}
    game = watched(missing)
    for seed in range(SEEDS.start, SEEDS.start + MOST_CARDS):
        play(seed, game)
        if not missing:
            return
    raise AssertionError(f"never reached: {sorted(missing)}")


def watched(missing: set[tuple[str, str]]) -> Game:
    """The same game, which ticks off every step that is carried out."""

    def watch(table: Procedure, step: Step) -> Step:
        def do(*given: Any) -> Any:
            missing.discard((table.name, step.name))
            return step.do(*given)

        def notes(at: Any, noted: Any, answer: Any) -> Any:
            missing.discard((table.name, step.name))
            return at if step.notes is None else step.notes(at, noted, answer)

        return structs.replace(step, notes=notes) if step.do is None else structs.replace(step, do=do)

    tables = {
        table.name: Procedure(
            table.name, table.memory, {name: watch(table, step) for name, step in table.steps.items()}
        )
        for table in GAME.procedures.values()
    }
    return structs.replace(GAME, procedures=tables)


# -- pauses ------------------------------------------------------------------------------------------------


@each_card
def test_every_answer_is_sound_and_goes_through_json(seed: int) -> None:
    card = played(seed)
    for before, answer in card.turns():
        is_sound(card.rules, through_json(before), answer)
        survives_json(card.rules, answer.position)


@each_card
def test_going_on_equals_sending_everything_again(seed: int) -> None:
    card = played(seed)
    for number in {1, len(card.inputs) // 3, len(card.inputs) // 2, len(card.inputs)}:
        if number <= len(card.inputs):
            again = ask(card.rules, card.table, card.action, card.inputs[:number])
            told = [event for answer in card.pauses[:number] for event in answer.events]
            comes_to_the_same(told, card.pauses[number], again)


@each_card
def test_a_card_comes_to_its_end(seed: int) -> None:
    card = played(seed)
    last = card.pauses[-1]
    if last.verdict.ruling != "legal" or last.verdict.unknowns:
        assert card.action["kind"] == "good-medicine" or not card.whole_copy
        return
    assert last.position.agenda == ()
    if last.position.outcome is None and card.action["kind"] in ("draw-card", "discard-phase"):
        assert last.position.cards.current is None
        assert last.position.activation is None
        assert last.position.operation.kind is None


# -- pieces ------------------------------------------------------------------------------------------------

NEW_CUBES = {45: {"brown": 1, "white": 1, "green": 2}, 50: {"blue": 1, "green": -2}}


def printed_changes(events: tuple[Event, ...]) -> Iterator[tuple[list[str], str]]:
    """What cards, tables and counters of the copy have changed: where, and by how much or to what."""
    for event in events:
        if event.message.name == "printed-change":
            yield event.params["at"].split("/")[1:], event.params["value"]


@each_card
def test_cubes_come_and_go_only_as_a_rule_or_the_copy_says(seed: int) -> None:
    for before, answer in played(seed).turns():
        expected = Counter(counting.cubes(before))
        for place, by in printed_changes(answer.events):
            if place[0] in counting.CUBE_BOXES:
                expected[place[1]] += int(by)
        for event in answer.events:
            if event.message.name == "transition-cubes-back":
                expected.update(NEW_CUBES[event.params["card"]])
        assert counting.cubes(answer.position) == expected


@each_card
def test_every_card_is_in_one_place(seed: int) -> None:
    card = played(seed)
    for before, answer in card.turns():
        lying = Counter(counting.cards(answer.position))
        assert set(lying.values()) <= {1}
        lost = {*counting.cards(before)} - {*lying}
        if "transition-new-deck" in said(answer):
            lost -= {*before.cards.hand, *before.cards.discarded}  # they are in the new deck
        assert not lost
    drawn = card.action.get("number")
    if drawn and card.last.outcome is None and not card.last.agenda:
        assert drawn in counting.cards(card.last)


def said(answer: Answer) -> list[str]:
    """The names of the events."""
    return [event.message.name for event in answer.events]


@each_card
def test_no_instruction_counter_is_lost(seed: int) -> None:
    for before, answer in played(seed).turns():
        after = counting.instruction_counters(answer.position)
        if "transition-instructions-placed" in said(answer):
            assert len(after) == 12
        elif "transition-instructions-out" in said(answer):
            assert not after
        else:
            assert after == counting.instruction_counters(before)


@each_card
def test_no_marker_leaves_its_track(seed: int) -> None:
    for answer in played(seed).pauses:
        tracks = answer.position.tracks
        for name in ("ap", "culture", "military", "enemy_morale", "enemy_ferocity"):
            assert 0 <= getattr(tracks, name) <= 19, name
        assert 0 <= tracks.enemy_ap <= 99


COME_AND_GO = {
    "planning-population-comes": 1,
    "passage-starved": -1,
    "elder-dies": -1,
    "slaves-captive": -1,
    "slaves-captive-from-box": -1,
    "victory-check-population-lost": -1,
}
GO_ALL = ("passage-discarded", "kit-carson-canyon-family")  # as many as they say


@each_card
def test_people_come_and_go_only_as_a_rule_or_the_copy_says(seed: int) -> None:
    for before, answer in played(seed).turns():
        change = counting.people(answer.position) - counting.people(before)
        if "passage-all-starved" in said(answer):
            assert change < 0
            continue
        expected = sum(COME_AND_GO.get(name, 0) for name in said(answer))
        expected -= sum(event.params["count"] for event in answer.events if event.message.name in GO_ALL)
        for place, value in printed_changes(answer.events):
            if place[-1] in counting.PEOPLE:
                expected += {"true": 1, "false": -1}[value] if place[0] == "families" else int(value)
        assert change == expected, said(answer)


@each_card
def test_a_table_that_can_be_stays_possible(seed: int) -> None:
    """Nothing that a card does leads to a position in which the audit finds something impossible."""
    card = played(seed)
    for before, answer in card.turns():
        for position in (before, answer.position):
            found = audit(GAME, position, card.rules.chosen, card.rules.printed).findings
            assert not [(one.requirement.name, one.params) for one in found], said(answer)


# -- what is offered ---------------------------------------------------------------------------------------


@each_card
def test_every_option_is_accepted(seed: int) -> None:
    """An option that is offered is not refused; where the whole copy is known nothing is missing for it."""
    card = played(seed)
    for answer in card.decisions():
        here = through_json(answer.position)
        for given in outcomes(answer.pending):
            ruling = ask(card.rules, here, CONTINUE, [given]).verdict.ruling
            assert ruling == "legal" or (ruling == "undetermined" and not card.whole_copy), given


@each_card
def test_take_actions_offers_what_is_legal_and_nothing_else(seed: int) -> None:
    """Sent as an action, whatever is offered is legal, and whatever is legal is offered."""
    card, dice = played(seed), Random(seed)
    if not card.whole_copy:
        return
    for answer in card.decisions():
        if answer.position.agenda[-1].procedure != "take-actions":
            continue
        here = through_json(answer.position)
        offered = [one["choose"] for one in outcomes(answer.pending) if one["choose"] != "none"]
        for do in offered:
            assert ask(card.rules, here, do).verdict.ruling == "legal", do
        for do in some_actions(dice, answer.position):
            legal = ask(card.rules, here, do).verdict.ruling == "legal"
            assert legal == (written(codec.read(do, GAME.action_types, "/action")) in offered), do


def some_actions(dice: Random, position: Any) -> Iterator[dict[str, Any]]:
    """Everything of Take Actions that names no Area, and some of what names one."""
    acting = position.activation
    family = dice.choice(LETTERS) if acting is None else acting.family
    yield from ({"kind": "activate", "family": letter} for letter in LETTERS)
    yield {"kind": "end-activation"}
    for kind in ("find-water", "plant-corn", "harvest-corn", "tribal-council"):
        yield {"kind": kind, "family": family}
    for long_range in (False, True):
        yield {"kind": "raid-new-mexico", "family": family, "long_range": long_range}
    for goods in range(4):
        yield {"kind": "trade-at-fort", "family": family, "trade_goods": goods}
    here = track(territory_of(position.families[family].at)) if family in position.families else ()
    for area in (*here, *dice.sample(AREAS, 4)):
        for kind in ("move", "move-to-canyon", "move-from-canyon"):
            yield {"kind": kind, "family": family, "to": area}
    for area in {*here} & {*position.areas} if acting else ():
        for target in ("mission", "rancho", "fort"):
            yield {"kind": "raid-outpost", "family": family, "area": area, "target": target}


# -- facts left out ----------------------------------------------------------------------------------------

TABLES = ("tracks", "resources", "passage_of_time", "raided_box", "instructions", "operation", "cards")
MEANS_SOMETHING = ("limit",)  # left out, it counts as something


def with_less_told(dice: Random, position: Any) -> dict[str, Any]:
    """The same position with some facts, also some that a step has noted, left out."""
    less: dict[str, Any] = through_json(position)
    facts = [name for name in less if name not in ("agenda", "outcome")]
    leave_out(dice, less, facts, dice.choice((0, 1, 3)))
    tables = [less[name] for name in TABLES if name in less]
    for table in (*tables, *less.get("families", {}).values(), *less.get("territories", {}).values()):
        facts = [name for name in table if name not in MEANS_SOMETHING]
        leave_out(dice, table, facts, dice.choice((0, 0, 1)))
    if less.get("activation"):
        leave_out(dice, less["activation"], ["mp", "spent", "began_with_fort"], dice.choice((0, 1)))
    for frame in less.get("agenda", ()):
        fields = structs.fields(GAME.procedures[frame["procedure"]].memory)
        noted = [field.name for field in fields if field.default is UNSET]
        leave_out(dice, frame["memory"], noted, dice.choice((0, 0, 0, 1)))
    return less


def leave_out(dice: Random, table: dict[str, Any], names: list[str], count: int) -> None:
    for name in dice.sample(names, min(count, len(names))):
        table.pop(name, None)


@each_card
def test_with_less_told_a_pause_never_flips(seed: int) -> None:
    """What was answered is accepted with less told too, or left open, as long as the same is asked."""
    card, dice = played(seed), Random(seed)
    for answer, given, after in zip(card.pauses, card.inputs, card.pauses[1:], strict=False):
        less = with_less_told(dice, answer.position)
        asked = ask(card.rules, less, CONTINUE)
        is_sound(card.rules, less, asked)
        never_flips(asked, answer)
        if asks_the_same(asked, answer, given):
            went = ask(card.rules, less, CONTINUE, [given])
            is_sound(card.rules, less, went)
            never_flips(went, after)


def asks_the_same(asked: Answer, answer: Answer, given: Any) -> bool:
    """Is the same asked? In other procedures than those of this file an option may be worded by what is told."""
    if asked.pending is None or answer.pending is None:
        return False
    if asked.pending.question.message != answer.pending.question.message:
        return False
    elsewhere = answer.position.agenda[-1].procedure not in MINE
    return not (elsewhere and asked.pending.step.kind == "decision" and given not in outcomes(asked.pending))


ACTIONS = (
    "draw-card",
    "preempt",
    "discard-phase",
    "minor-event",
    "victory-check",
    "good-medicine",
    "transition",
)
NEVER = {"discard-phase": {"illegal"}, "minor-event": {"illegal", "undetermined"}}
MAY_BE_LEFT_OUT = ("type", "cost", "vp")


def any_action(dice: Random, kind: str) -> dict[str, Any]:
    """An action of this kind, whether it fits or not."""
    card = dice.choice((dice.randint(41, 55), dice.randint(1, 60)))
    facts: dict[str, Any] = {
        "draw-card": {"number": card, "type": dice.choice(("operations", "historical"))},
        "preempt": {"cost": dice.randint(0, 4)},
        "discard-phase": {},
        "minor-event": {"event": dice.choice(MINOR_EVENTS)},
        "victory-check": {"card": card, "vp": dice.randint(3, 6)},
        "good-medicine": {"card": card},
        "transition": {"card": dice.choice((45, 50, 55))},
    }[kind]
    told = {name: fact for name, fact in facts.items() if name not in MAY_BE_LEFT_OUT or dice.random() < 0.5}
    if kind in ("victory-check", "good-medicine") and dice.random() < 0.5:
        del told["card"]
    return {"kind": kind, **told}


def any_table(dice: Random) -> dict[str, Any]:
    """A table with any card being resolved and any event card removed, also at the moment of preempting."""
    table = a_table(dice, dice.choice(PERIODS))
    cards = table["cards"]
    cards["current"] = dice.choice((None, dice.choice(OPERATIONS), dice.randint(41, 55)))
    cards["removed"] = sorted({*cards["removed"], dice.randint(41, 55)})
    table["operation"]["kind"] = dice.choice((None, None, "planning", "take-actions"))
    return table


def waiting(dice: Random, kind: str, table: Any) -> Any:
    """The same table; for the action `preempt` now and then while the card waits for that decision."""
    if kind != "preempt" or dice.random() < 0.5:
        return table
    memory = {"card": dice.choice(OPERATIONS), "type": "operations", "preempt_cost": dice.randint(0, 4)}
    return {**table, "agenda": [{"procedure": "draw-card", "step": "preempt", "memory": memory}]}


@pytest.mark.parametrize("kind", ACTIONS)
def test_filling_in_a_fact_never_flips_a_ruling(kind: str) -> None:
    seen: set[str] = set()
    for seed in SEEDS:
        dice = Random(seed)
        table, do = waiting(dice, kind, any_table(dice)), any_action(dice, kind)
        rules = Rules(GAME, some_choices(dice), dice.choice((COPY, {})))
        answer, less = ask(rules, table, do), with_less_told(dice, table)
        with_less = ask(rules, less, do)
        for position, one in ((table, answer), (less, with_less)):
            is_sound(rules, position, one)
            reads_well(one)
        never_flips(with_less, answer)
        seen |= {answer.verdict.ruling, with_less.verdict.ruling}
    assert seen == {"legal", "illegal", "undetermined"} - NEVER.get(kind, set())


# -- walking in --------------------------------------------------------------------------------------------


def a_memory(dice: Random, name: str) -> dict[str, Any]:
    """Any part of what a procedure may have noted."""
    number = dice.choice((dice.randint(1, 40), dice.randint(41, 55)))
    noted: dict[str, Any] = {
        "card": dice.choice((45, 50)) if name == "transition" else number,
        "type": dice.choice(("operations", "ceremony", "historical", "transition")),
        "preempt_cost": dice.randint(0, 3),
        "enemy_ap": dice.randint(0, 3),
        "enemy_ap_preempted": dice.randint(0, 3),
        "population": dice.choice(counting.PEOPLE),
        "minor_event": dice.choice(MINOR_EVENTS),
        "vp": dice.randint(0, 15),
        "preempted": dice.random() < 0.5,
        "enemy_done": dice.random() < 0.5,
        "dine_done": dice.random() < 0.5,
        "event": dice.choice(MINOR_EVENTS),
        "die": dice.randint(1, 6),
        "ferocity_set": dice.sample(LETTERS, 2),
        "territory_vp": {dice.choice(DIE_SYMBOL): dice.randint(0, 5)},
        "leaving": dice.randint(0, 3),
        "raided": dice.sample(DIE_SYMBOL, dice.randint(0, 2)),
    }
    fields = GAME.procedures[name].memory.__struct_fields__
    assert {*fields} <= {*noted}
    return {field: noted[field] for field in fields if dice.random() < 0.6}


@pytest.mark.parametrize(("name", "step"), PLACES)
def test_whoever_walks_in_at_any_step_gets_an_answer(name: str, step: str) -> None:
    """Whatever is under way and whatever was told of it: a sound answer, and then a way on or something to tell."""
    for seed in range(SEEDS.start, SEEDS.start + (100 if EXPLORE else 16)):
        dice = Random(seed)
        rules = Rules(GAME, some_choices(dice), dice.choice((COPY, {})))
        table = any_table(dice)
        table["agenda"] = [{"procedure": name, "step": step, "memory": a_memory(dice, name)}]
        position = with_less_told(dice, table) if seed % 2 else table
        for before, answer in wander(dice, rules, position):
            is_sound(rules, before, answer)
            survives_json(rules, answer.position)
            reads_well(answer)


def wander(dice: Random, rules: Rules, position: Any) -> Iterator[tuple[Any, Answer]]:
    """Go on with any answers, refused ones too, until nothing is asked any more; what was asked stays asked."""
    given: list[Any] = []
    for _ in range(MOST_ANSWERS):
        answer = ask(rules, position, CONTINUE, given)
        yield position, answer
        if answer.verdict.ruling == "legal":
            if is_over(answer):
                return
            position, asked = through_json(answer.position), answer
        elif not given or dice.random() < 0.2:
            return
        given = [next(guesses(dice, asked))]
    raise AssertionError("does not come to an end")


# -- what is said ------------------------------------------------------------------------------------------


def reads_well(answer: Answer) -> None:
    """Every sentence of an answer has all that its English wording shows."""
    for said, params in sentences(answer):
        text = voice("en").say(said, params)
        assert isinstance(text, str)
        assert text.strip()
        assert "%(" not in text


def sentences(answer: Answer) -> Iterator[tuple[Message, Any]]:
    """Everything that is said to the player."""
    verdict = answer.verdict
    yield from ((event.message, event.params) for event in answer.events)
    yield from ((one.message, one.params) for one in verdict.cautions)
    yield from ((one.requirement.refusal, one.params) for one in verdict.reasons)
    yield from ((one.requirement.met, one.params) for one in verdict.passed)
    yield from ((fact.question, fact.params) for fact in verdict.unknowns)
    if answer.pending is not None:
        question = answer.pending.question
        yield question.message, question.params
        yield from ((one.message, one.params) for one in getattr(question.answers, "options", ()))


@each_card
def test_every_sentence_reads_well(seed: int) -> None:
    for answer in played(seed).pauses:
        reads_well(answer)
        for _, params in sentences(answer):
            assert not [value for value in params.values() if isinstance(value, Unknown)]


# -- once the game is over ---------------------------------------------------------------------------------


def an_example(kind: str) -> Any:
    """An action of this kind as a worked example sends it, or answers with it."""
    examples = [one.example for one in all_shown() if one.game == GAME.name]
    answers = [
        given.get("choose") for one in examples for request in (one, *one.steps) for given in request.inputs
    ]
    legal = (one.action for one in examples if one.ruling == "legal")
    sent = [*legal, *(one for one in answers if isinstance(one, dict))]
    return plain(next(one for one in sent if one.get("kind") == kind))


OVER = [{"result": result, "rule": "nw:12.3.scenario"} for result in RESULT_TERM]


@each_card
def test_a_card_that_ends_the_game_leaves_nothing_to_do(seed: int) -> None:
    card = played(seed)
    if card.last.outcome is None:
        return
    assert card.last.agenda == ()
    for do in (CONTINUE, card.action, {"kind": "draw-card", "number": 1}):
        assert "game-is-over" in refusals(ask(card.rules, through_json(card.last), do))


def refusals(answer: Answer) -> list[str]:
    """The names of the reasons."""
    return [reason.requirement.name for reason in answer.verdict.reasons]


@pytest.mark.parametrize("kind", sorted(GAME.actions))
def test_once_the_game_is_over_every_action_is_refused(kind: str) -> None:
    for seed in range(4):
        dice = Random(seed)
        table = {**with_less_told(dice, any_table(dice)), "outcome": OVER[seed]}
        answer = ask(Rules(GAME), table, an_example(kind))
        assert answer.verdict.ruling == "illegal"
        assert "game-is-over" in refusals(answer)
        reads_well(answer)


@pytest.mark.parametrize(("name", "step"), PLACES)
def test_once_the_game_is_over_nothing_goes_on(name: str, step: str) -> None:
    dice = Random(step)
    agenda = [{"procedure": name, "step": step, "memory": a_memory(dice, name)}]
    position = {**any_table(dice), "agenda": agenda, "outcome": dice.choice(OVER)}
    answer = ask(Rules(GAME), position, CONTINUE)
    assert refusals(answer) == ["game-is-over"]
    is_sound(Rules(GAME), position, answer)
