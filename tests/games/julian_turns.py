"""A whole game turn of Julian by chance: markers, chits, combats and their results, hands hidden now and then."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from random import Random
from typing import Any

from engine import codec
from engine.audit import audit
from engine.chance import Dice, Die, Draw
from engine.game import Answer, Continue, check, prepare
from engine.julian import GAME
from engine.julian.position import MARKERS
from engine.offers import offers
from engine.questions import ChooseSome
from tests.properties.playing import through_json

EACH = 4  # markers of a kind: invented, the aid names no number
MOST_ANSWERS = 60  # to one action
MOST_ACTIONS = 120  # in one game turn
COMBAT_TABLE = {  # invented
    "1-2": {"1": "AC", "2": "AR", "3": "AD", "4": "BB", "5": "DD"},
    "2-1": {"1": "AD", "2": "BB", "3": "DD", "4": "DR", "5": "DC", "6": "DC"},
}
READINGS = {"rout-dice": "other-rolls", "cancelling-agentes": "always", "retreat-not-possible": "eliminated"}
RESULTS_SEEN = {f"jul.result.{one}" for one in ("ac", "ad", "ar", "bb", "dc", "dd", "dr")}


class Stuck(AssertionError):
    """A turn that cannot go on."""


class Table:
    """One table: what lies on it, how its players read the aid, and the dice that decide for them."""

    def __init__(self, seed: int, watch: Callable[[Any], None] | None = None) -> None:
        self.random = Random(seed)
        self.watch = watch
        self.choices = {issue: READINGS[issue] for issue in READINGS if self.random.random() < 0.3}
        self.components = {"julian": {"combat_table": COMBAT_TABLE if seed % 2 else {}}}
        self.position: Any = set_up(self.random, hidden=seed % 3 == 0)
        self.markers = count_markers(self.position)
        self.results: set[str] = set()
        self.pauses = 0

    def at(self, position: Any) -> Any:
        return prepare(GAME, position, self.choices, self.components)

    def put(self, action: Any, inputs: list[Any]) -> Answer:
        """One request, as a stranger sends it."""
        do = Continue() if action is None else codec.read(action, GAME.action_types, "/action")
        return check(GAME, self.at(self.position), do, codec.read_inputs(inputs))

    def act(self, action: Any) -> None:
        """An action that is offered, and answers until nothing is asked; now and then a marker comes between."""
        self.went_on(self.put(action, []), action)
        for _ in range(MOST_ANSWERS):
            if not self.pending:
                return
            self.answer()
        raise Stuck(f"{action} does not come to an end")

    def answer(self) -> None:
        """One answer; one that is refused is given otherwise."""
        if self.random.random() < 0.15:
            between = self.plays()
            if between and self.pending.step.name != "answer":
                chosen = self.random.choice(between)
                return self.went_on(self.put(chosen, []), chosen)
        for _ in range(20):
            given = an_answer(self.pending, self.random)
            found = self.put(None, [given])
            if found.verdict.ruling == "legal":
                return self.went_on(found, given)
        raise Stuck(f"no answer is accepted at {self.pending.name}")

    def went_on(self, answer: Answer, sent: Any) -> None:
        """Take the position on, and look at it."""
        verdict = answer.verdict
        if verdict.ruling != "legal" or verdict.unknowns:
            said = [one.requirement.name for one in verdict.reasons] + [
                one.pointer for one in verdict.unknowns
            ]
            raise Stuck(f"{sent}: {verdict.ruling} {said}")
        self.position, self.pending = through_json(answer.position), answer.pending
        self.pauses += 1
        if self.watch:
            self.watch(self.position)
        self.results |= {
            str(event.params["result"]) for event in answer.events if event.message.name == "combat-over"
        }
        found = audit(GAME, self.position, self.choices, self.components).findings
        assert not found, f"after {sent}: {[(one.requirement.name, one.pointer) for one in found]}"
        if not self.choices.get("played-marker"):
            assert count_markers(self.position) == self.markers, f"markers were lost or made by {sent}"

    def plays(self) -> list[Any]:
        """Every marker that may be played now; a stack that marches is named."""
        found = offers(self.at(self.position), (GAME.actions["play-stratagem"],))
        return [offer.value for offer in found if not offer.missing]


def play(seed: int, watch: Callable[[Any], None] | None = None) -> Table:
    """One game turn from its Stratagem Marker Phase to the next one; `watch` looks at every position on the way."""
    table = Table(seed, watch)
    turn = table.position["turn"]
    for _ in range(MOST_ACTIONS):
        for action in actions(table):
            table.act(action)
        if table.position["turn"] != turn:
            return table
    raise Stuck(f"seed {seed}: the game turn does not end")


def actions(table: Table) -> Iterator[Any]:
    """What is done at one place of the Sequence of Play, then on to the next."""
    random = table.random
    while random.random() < 0.6 and (plays := table.plays()):
        yield random.choice(plays)
    position = table.position
    if position.get("subphase") == "movement" and random.random() < 0.5:
        march = {"kind": "play-stratagem", "by": position["active"], "marker": "military", "use": "march"}
        march["stack"] = random.choice(("north", "south"))
        if table.put(march, []).verdict.ruling == "legal":
            yield march
    while table.position.get("subphase") == "combat" and random.random() < 0.6:
        yield a_combat(random)
    nexts = [offer.value for offer in offers(table.at(table.position), (GAME.actions["next-phase"],))]
    undrawn = [one["name"] for one in table.position["commands"] if not one["drawn"]]
    fresh = [one for one in nexts if one.get("command", "") in ("", None, *undrawn)]
    yield random.choice(fresh)


def a_combat(random: Random) -> Any:
    """A combat between a few units; every third one has a printed 3."""

    def force(letter: str) -> list[Any]:
        number = random.randint(1, 4)
        return [
            {"id": f"{letter}{n}", "combat": random.randint(0, 9), "movement": random.choice((0, 3, 5, 6))}
            for n in range(number)
        ]

    doubled = random.choice(([], ["roman"], ["roman", "barbarian"]))
    return {
        "kind": "open-combat",
        "attackers": force("a"),
        "defenders": force("d"),
        "doubled_by_terrain": doubled,
    }


def an_answer(pending: Any, random: Random) -> Any:
    """Some answer to the question."""
    answers = pending.question.answers
    if isinstance(answers, ChooseSome):
        values = [option.value for option in answers.options]
        return {"choose": random.sample(values, random.randint(answers.least, len(values)))}
    if isinstance(answers, Die | Dice | Draw):
        values = [value for value, _ in answers.outcomes()]
        values += [answers.unseen] if isinstance(answers, Draw) and answers.unseen else []
        return {answers.key: random.choice(values)}
    return {answers.key: random.choice([option.value for option in answers.options])}


def set_up(random: Random, *, hidden: bool) -> dict[str, Any]:
    """A table before its Stratagem Marker Phase; hidden hands and pools are told by their number."""
    bag = [marker for marker in MARKERS for _ in range(EACH)]
    random.shuffle(bag)
    piles = {"roman": bag[:4], "barbarian": bag[4:8], "pool": bag[8:]}
    told = {
        name: {"count": len(pile)}
        if hidden and name != "roman"
        else {one: pile.count(one) for one in MARKERS}
        for name, pile in piles.items()
    }
    names = (("Oriens", "roman"), ("Caesar", "roman"), ("Goths", "barbarian"), ("Franks", "barbarian"))
    return {
        "turn": 1,
        "phase": "stratagem",
        "hands": {"roman": told["roman"], "barbarian": told["barbarian"]},
        "pool": told["pool"],
        "commands": [{"name": name, "side": side, "drawn": False, "active": False} for name, side in names],
        "played": [],
        "last_play": None,
        "last_roll": None,
        "combat": None,
    }


def count_markers(position: Any) -> int:
    """How many markers lie on the table, face up or down."""
    piles = (position["pool"], position["hands"]["roman"], position["hands"]["barbarian"])
    return sum(pile.get("count", sum(pile.get(one, 0) for one in MARKERS)) for pile in piles)
