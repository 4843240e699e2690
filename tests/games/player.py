"""A player of seeded dice and choices: he answers whatever is asked, through the engine's public functions only."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from random import Random
from typing import Any

from engine.chance import Dice, Die, Draw
from engine.flow import Pending
from engine.questions import Choose, ChooseSome, Read

# What a real copy would answer and the invented one does not: a range of plain numbers, or fixed readings.
NUMBERS = {
    "activation-modifier": (0, 1),
    "passage-of-time-corn-value": (1, 3),
    "harvest-value": (1, 3),
}
READINGS: dict[str, tuple[Any, ...]] = {
    "transition-intruders": ({"trade_goods": 0, "firearms": 0},),
    "instruction-subjugation-table": ({"changes": [{"pointer": "/tracks/enemy_morale", "by": 1}]},),
    "enemy-operations-event-instruction": ("none", {"name": "subjugate", "ap": 1}),
    "victory-check-development": (
        "none",
        *({"set": group, "level": level} for group in ("Weaving", "Religion") for level in (1, 2, 3)),
    ),
    "intruders-reveal": (
        "none",
        {"changes": [{"pointer": "/resources/trade_goods", "by": 1}]},
        {"changes": [{"pointer": "/resources/firearms", "by": 1}]},
        {"changes": [{"pointer": "/family/ferocity", "by": 1}]},
    ),
}


MOST_TRIES = 60


class Unanswered(Exception):
    """A question came up that the player has no answer to."""


class Player:
    """Answers at random, always the same for the same seed; a careful one compares some choices first."""

    def __init__(self, seed: int, careful: int = 0) -> None:
        self.random = Random(seed)
        self.careful = careful  # so many choices are tried out

    def best(self, pending: Pending, try_out: Callable[[Any], Any]) -> dict[str, Any]:
        """The best of some answers by what comes of them; dice and cubes are nobody's choice."""
        if pending.step.kind != "decision" or not self.careful:
            return self.answer(pending)
        tried = [self.answer(pending) for _ in range(self.careful)]
        return max(tried, key=lambda given: standing(try_out(given)))

    def accepted(self, pending: Pending, try_out: Callable[[Any], Any]) -> dict[str, Any]:
        """An answer that is not refused: counters chosen at once may not go together, a card may be too dear."""
        answers = pending.question.answers
        if not isinstance(answers, ChooseSome) and not (isinstance(answers, Read) and not answers.options):
            return self.best(pending, try_out)
        for _ in range(MOST_TRIES):
            given = self.answer(pending)
            if try_out(given) is not None:
                return given
        raise Unanswered(f"{pending.name}: nothing is accepted")

    def answer(self, pending: Pending) -> dict[str, Any]:
        """Any answer the question takes."""
        answers = pending.question.answers
        match answers:
            case Die():
                value: Any = self.random.randint(1, 6)
            case Dice():
                value = [self.random.randint(1, 6) for _ in range(answers.count)]
            case Draw():
                kinds, weights = zip(*answers.outcomes(), strict=True)
                value = self.random.choices(kinds, weights)[0]
            case ChooseSome():
                value = self.some(answers)
            case Choose():
                value = self.random.choice(answers.options).value
            case Read(options=(_, *_) as letters) if pending.name == "transition-new-instructions":
                value = [one.value for one in self.random.sample(letters, 2)]
            case Read(options=(_, *_)):
                value = self.random.choice(answers.options).value
            case _:
                value = self.reading(pending)
        return {answers.key: value}

    def some(self, answers: ChooseSome) -> list[Any]:
        """As many as may be chosen, any of them."""
        count = self.random.randint(answers.least, min(answers.most, len(answers.options)))
        return [option.value for option in self.random.sample(answers.options, count)]

    def reading(self, pending: Pending) -> Any:
        """What the invented copy does not tell."""
        if pending.name == "transition-new-instructions":
            return self.random.sample("ABCDEFGHIJKLMN", 2)
        if pending.name in NUMBERS:
            return self.random.randint(*NUMBERS[pending.name])
        if pending.name in READINGS:
            return self.random.choice(READINGS[pending.name])
        raise Unanswered(f"{pending.name}: {pending.question.message.text}")


def standing(position: Any) -> float:
    """How well the Diné stand, roughly."""
    tracks = position.tracks
    people = sum(family.man + family.woman + family.child for family in position.families.values())
    places = {family.at.rpartition("-")[0] for family in position.families.values()}
    points = tracks.culture + tracks.military - tracks.enemy_morale
    return points + 0.3 * tracks.ap + 0.4 * people + 0.5 * len(places) + 0.2 * sum(position.elders)


# -- the decks ---------------------------------------------------------------------------------------

OPERATIONS, CEREMONIES = range(1, 29), range(29, 41)  # as the invented copy numbers them
FIRST_EVENT = {"spanish": 41, "mexican": 46, "american": 51}


def deck(scenario: str, period: str, held_back: set[int], random: Random) -> list[int]:
    """The cards of a scenario or of a Period of the campaign, the top one first."""
    if scenario == "14.5":
        return _rope_thrower(random)
    plain = [card for card in (*OPERATIONS, *CEREMONIES) if card not in held_back]
    random.shuffle(plain)
    events = [41, 42] if scenario == "14.1" else [FIRST_EVENT[period] + number for number in range(5)]
    stacks: list[int] = []
    for event, stack in zip(events, _stacks(plain), strict=False):
        shuffled = [event, *stack]
        random.shuffle(shuffled)
        stacks += shuffled
    return stacks


def _stacks(cards: list[int]) -> Iterator[list[int]]:
    for start in range(0, len(cards), 8):
        yield cards[start : start + 8]


def _rope_thrower(random: Random) -> list[int]:
    """Five Operations cards on top of three more with #55 among them."""
    drawn = random.sample(list(OPERATIONS), 8)
    bottom = [55, *drawn[:3]]
    random.shuffle(bottom)
    return [*drawn[3:], *bottom]
