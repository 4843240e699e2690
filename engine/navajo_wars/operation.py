"""What this card has seen: which Operation is being carried out, and who has done what only once allowed."""

from __future__ import annotations

from typing import Any, Literal

from msgspec import structs

from engine.messages import message, requirement
from engine.navajo_wars.board import ASK_OPERATION, Board
from engine.navajo_wars.position import LETTERS, FamilyLetter, Operation
from engine.verdict import Check, Truth, Unknown, unknown

Kind = Literal["planning", "take-actions", "passage-of-time"]
Seen = Literal["activated", "elder_ferocity", "traded", "tribal"]

ASK_SEEN = {
    "activated": message("ask-activated", "Which Families have been activated with this card?"),
    "elder_ferocity": message(
        "ask-elder-ferocity", "Of which Families have Elders changed the Ferocity with this card?"
    ),
    "traded": message("ask-traded", "Which Families have bought Trade Goods with this card?"),
    "tribal": message(
        "ask-tribal", "Which Families have attempted Tribal Warfare or Tribal Diplomacy with this card?"
    ),
}
NOT_PLANNING = requirement(
    "not-in-planning",
    "This is a part of Planning (3.1), and Planning is not being carried out with this card.",
    met="Planning is being carried out with this card.",
)
NO_TIME_PASSES = requirement(
    "not-in-passage-of-time",
    "This is a part of the Passage of Time (3.3), and the Passage of Time is not being carried out.",
    met="The Passage of Time is being carried out.",
)
CHOSEN_BEFORE = requirement(
    "operation-chosen-before",
    "Only one Operation is carried out with each card, and one has been chosen for this card already. With a new card, "
    "say that none has been chosen yet.",
    met="No Operation has been chosen for this card yet.",
)


def not_chosen_yet(at: Board) -> Check:
    """With each card the player chooses one Operation, and only one."""
    return at.occasion(
        nothing_chosen(at), CHOSEN_BEFORE, "nw:3.choose-one", pointer="/operation/kind", takes=None
    )


def nothing_chosen(at: Board) -> Truth:
    """Has no Operation been chosen for this card yet?"""
    kind = at.told("operation", "kind", ask=ASK_OPERATION)
    return kind if isinstance(kind, Unknown) else kind is None


def operating(at: Board, kind: Kind) -> Truth:
    """Is this Operation being carried out? Its procedure is under way, or the position says so."""
    for frame in at.agenda:
        if frame.procedure == kind:
            return True
    chosen: Truth = at.told("operation", "kind", ask=ASK_OPERATION) == kind
    return chosen


def in_planning(at: Board, rule: str) -> Check:
    """Only Planning lets a Family or an Elder do this."""
    return at.occasion(
        operating(at, "planning"), NOT_PLANNING, rule, pointer="/operation/kind", takes="planning"
    )


def in_passage_of_time(at: Board, rule: str) -> Check:
    """Only the Passage of Time lets population counters do this."""
    time_passes = operating(at, "passage-of-time")
    return at.occasion(time_passes, NO_TIME_PASSES, rule, pointer="/operation/kind", takes="passage-of-time")


def seen(at: Board, what: Seen) -> tuple[str, ...] | Unknown:
    """The Families that have done this with this card."""
    letters: tuple[str, ...] | Unknown = at.told("operation", what, ask=ASK_SEEN[what])
    return letters


def has_done(at: Board, what: Seen, letter: str) -> Truth:
    """Has this Family done it with this card?"""
    letters = seen(at, what)
    if isinstance(letters, Unknown):
        return letters
    if letter in letters or not at.is_partial(f"operation.{what}"):
        return letter in letters
    return unknown(f"/operation/{what}", ASK_SEEN[what])


def letters_in_play(at: Board) -> list[FamilyLetter]:
    """The letters of the Families in play; where these were not told, that is asked for."""
    in_play = {family.letter for family in at.families()}
    return [letter for letter in LETTERS if letter in in_play]


def note_done(at: Board, what: Seen, letter: str) -> Board:
    """This Family has done it; where nobody told who else has, that stays untold."""
    operation = at.part("operation", Operation)
    letters = seen(at, what)
    if isinstance(letters, Unknown):
        letters, at = (), at.made_partial(f"operation.{what}")
    return at.change(operation=structs.replace(operation, **{what: (*letters, letter)}))


def nothing_done_yet(at: Board) -> Board:
    """With a new card nobody has done anything."""
    fresh = Operation(kind=None, activated=(), elder_ferocity=(), traded=(), tribal=())
    return at.change(operation=fresh, activation=None)


def begin_operation(at: Board, kind: Kind) -> Board:
    """The player has chosen this Operation: whatever is told of an earlier card's Planning is over."""
    told = at.part("operation", Operation)
    fresh: dict[str, Any] = dict.fromkeys(("elder_ferocity", "traded", "tribal"), ())
    return at.change(operation=structs.replace(told, kind=kind, **(fresh if kind == "planning" else {})))
