"""A whole game from its set-up to its end: cards are drawn from the scenario's deck until the game is over."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any, NamedTuple

from engine import codec, transcript
from engine.exceptions import Unreadable
from engine.game import Answer, Continue, check
from engine.navajo_wars import GAME
from engine.transcript import Move, Replay, Transcript
from tests.games.player import Player, deck
from tests.games.set_up import set_up
from tests.shown import components

COPY = "invented-whole-copy.toml"
MOST_ANSWERS = 3_000  # to one card; a card has some dozens
ANY_TIME = 0.05  # how often the player does something at any time instead of answering


class Stuck(AssertionError):
    """A game that cannot go on."""


class Whole(NamedTuple):
    """A game that was played to its end."""

    transcript: Transcript
    position: Any
    pauses: int


def play(scenario: str, seed: int, *, careful: int = 0, watch: Any = None) -> Whole:
    """A scenario played by a seed; `watch` looks at every position on the way."""
    player = Player(seed, careful)
    start = set_up(scenario, player.random)
    opened = Transcript(start, (), {}, components(COPY))
    went, pauses = transcript.replay(GAME, opened), 0
    cards = fresh_deck(went.position, player.random)
    while went.position.outcome is None:
        if not cards:
            raise Stuck(f"{scenario}, seed {seed}: the deck is empty and the game is not over")
        before = went.position.period
        for move, seen in moves_of_card(went, cards.pop(0), player):
            for position in seen:
                pauses += 1
                if watch:
                    watch(position, cards)
            went = transcript.go_on(GAME, went, move)
            if went.diverged:
                raise Stuck(f"{scenario}, seed {seed}: playing card by card came out otherwise")
        if went.position.period != before and went.position.outcome is None:
            cards = fresh_deck(went.position, player.random)
    return Whole(transcript.recorded(went), went.position, pauses)


def fresh_deck(position: Any, random: Random) -> list[int]:
    """The deck of the scenario, or of the Period that has begun, without the cards that lie elsewhere."""
    cards = position.cards
    held_back = {*cards.hand, *cards.removed, *cards.in_play}
    return deck(position.scenario, position.period, held_back, random)


def moves_of_card(went: Replay, number: int, player: Player) -> Iterator[tuple[Move, list[Any]]]:
    """One card from the draw to the end of its Discard Phase, in as many moves as it takes."""
    action: Any = {"kind": "draw-card", "number": number}
    position: Any = went.position
    while action is not None:
        do = codec.read(action, GAME.action_types, "/action")
        inputs, seen, answer = answered(went, position, do, player)
        yield Move(do, tuple(inputs)), seen
        position = answer.position
        action = next_action(went, answer, player)


def answered(went: Replay, position: Any, do: Any, player: Player) -> tuple[list[Any], list[Any], Answer]:
    """Answer what is asked until the card is over or something else comes between."""
    answer = legal(went, position, do, [])
    inputs: list[Any] = []
    seen = [answer.position]
    while answer.pending is not None and player.random.random() > ANY_TIME:
        here = answer.position
        chosen = player.accepted(answer.pending, lambda given, here=here: tried(went, here, given))
        given = codec.read_inputs([chosen])
        answer = gone_on(went, here, chosen)
        inputs += given
        seen.append(answer.position)
        if len(inputs) > MOST_ANSWERS:
            raise Stuck(f"card {position.cards.current} does not come to an end")
    return inputs, seen, answer


def gone_on(went: Replay, position: Any, given: dict[str, Any]) -> Answer:
    """What one more answer comes to."""
    return legal(went, position, Continue(), codec.read_inputs([given]))


def tried(went: Replay, position: Any, given: dict[str, Any]) -> Any:
    """The position after an answer, None if it is refused."""
    answer = check(GAME, at(went, position), Continue(), codec.read_inputs([given]))
    return answer.position if answer.verdict.ruling == "legal" else None


def next_action(went: Replay, answer: Answer, player: Player) -> Any:
    """Nothing more with this card; or something that may be done at any time, and then on."""
    if answer.position.outcome is not None:
        return None
    if answer.pending is None:
        return {"kind": "continue"} if answer.position.agenda else None
    for action in at_any_time(answer.position, player.random):
        try:
            do = codec.read(action, GAME.action_types, "/action")
        except Unreadable as error:  # pragma: no cover  # the list below would be wrong
            raise Stuck(str(action)) from error
        if check(GAME, at(went, answer.position), do).verdict.ruling == "legal":
            return action
    return {"kind": "continue"}


def at_any_time(position: Any, random: Random) -> list[Any]:
    """What a player may do whatever is under way, in any order."""
    family = random.choice(sorted(position.families)) if position.families else "A"
    actions: list[Any] = [
        {"kind": "place-horse", "family": family},
        {"kind": "barter", "animals": {"horse": 1, "sheep": 2}},
        {"kind": "barter", "animals": {"horse": 3}},
        {"kind": "spend-trade-goods", "use": "ap"},
        {"kind": "spend-trade-goods", "use": "reroll"},
        {"kind": "spend-trade-goods", "use": "redraw"},
        {"kind": "spend-trade-goods", "use": "cancel-minor-event"},
        {"kind": "spend-trade-goods", "use": "animal", "animal": "sheep"},
    ]
    random.shuffle(actions)
    return actions


def legal(went: Replay, position: Any, do: Any, inputs: list[Any]) -> Answer:
    """What the engine answers; a player who only answers what is asked is never refused."""
    answer = check(GAME, at(went, position), do, inputs)
    verdict = answer.verdict
    if verdict.ruling != "legal" or verdict.unknowns:
        said = [check.requirement.name for check in verdict.reasons]
        missing = [fact.pointer for fact in verdict.unknowns]
        where = [(frame.procedure, frame.step) for frame in position.agenda]
        raise Stuck(f"{do} with {inputs} at {where}: {verdict.ruling} {said} {missing}")
    return answer


def at(went: Replay, position: Any) -> Any:
    """A position under the rules of this game."""
    return GAME.at(position, went.start.rules)
