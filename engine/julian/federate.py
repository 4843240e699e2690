"""Federate: the limit the aid states; its effect stands in rules the aid only points to."""

from __future__ import annotations

from typing import Any

from msgspec import structs

from engine.julian.board import Board, PlayMade, opponent
from engine.julian.playing import Checks, played_before, the_player
from engine.julian.position import Play
from engine.messages import Message, Ref, message, requirement
from engine.verdict import Check, denied, some, warns

ONE_FEDERATE = requirement(
    "federate-already-played",
    "You have already played a Federate in this Operations Phase; no player may play more than one.",
    met="You have not played a Federate in this Operations Phase.",
)
ONE_FEDERATE_FOR_BOTH = requirement(
    "federate-already-played-by-either",
    "A Federate has already been played in this Operations Phase, and by the reading chosen here that is the limit for both players together.",
    met="No Federate has been played in this Operations Phase.",
)
FEDERATE_ELSEWHERE = message(
    "federate-not-in-the-aid",
    "When a Federate may be played, and on whom, is not in the player aid: see rules %(rules)s of your rulebook.",
)
RULE_NUMBERS = message("rule-numbers", "%(numbers)s")


class RuleNumbers(Ref):
    """Numbers of the rulebook's rules: they travel as one text, and each language lists them in its own manner."""

    __slots__ = ()

    def phrase(self) -> tuple[Message, dict[str, Any]]:
        """The numbers one by one."""
        return RULE_NUMBERS, {"numbers": self.split(", ")}


FEDERATE_RULES = RuleNumbers("5.8(3), 5.9(2), 5.9(3), 5.9(4), 6.0, 7.9(3)")


def may_ally(at: Board, play: Play) -> Checks:
    """One per player per Operations Phase; the rest is in rules the aid only points to."""
    yield one_federate(at, play)
    yield warns(FEDERATE_ELSEWHERE, "jul:federate.effect", rules=FEDERATE_RULES)


def one_federate(at: Board, play: Play) -> Check:
    """One for each player, or one for both together where it is read so (C83)."""
    before, said = played_before(at, play), ONE_FEDERATE
    if at.choice("federate-limit") == "both-together":
        theirs = played_before(at, structs.replace(play, by=opponent(the_player(play))))
        before, said = some((before, theirs)), ONE_FEDERATE_FOR_BOTH
    return at.occasion(denied(before), said, "jul:federate.limit", pointer="/played", takes=())


FEDERATE_PLAYED = message(
    "federate-takes-effect",
    "The Federate takes effect. What it does is not in the player aid: follow rules %(rules)s of your rulebook.",
    outcome=True,
)


def ally(at: Board, _play: PlayMade) -> Board:
    """The aid only points to the rules."""
    return at.tell(FEDERATE_PLAYED, "jul:federate.effect", rules=FEDERATE_RULES)
