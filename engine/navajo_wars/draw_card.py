"""Section 2.1: whether a card can be drawn. What follows it stands in sequence.py."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from msgspec import UnsetType

from engine.actions import is_named
from engine.messages import message, requirement
from engine.navajo_wars.board import Board
from engine.navajo_wars.cards import (
    DRAWN_IS_THERE,
    LAST_CARD,
    TYPE_TERM,
    current_card,
    lie_in,
    of_this_period,
    still_in_the_game,
    type_of,
)
from engine.navajo_wars.components import CardType, NamedOnCard
from engine.navajo_wars.consequences import ferocious_without_man
from engine.navajo_wars.position import CardNumber
from engine.verdict import Caution, Check, Unknown, is_told, needs, warns

CARD_UNDER_WAY = requirement(
    "card-not-discarded",
    "Card #%(current)s is still being resolved; carry out its Discard Phase before you draw another card.",
    met="No other card is being resolved.",
)
NOT_IN_THE_DECK = requirement(
    "card-not-in-the-deck",
    "The deck has no card #%(card)s: cards #1 to #40 are Operations cards and Ceremony cards, #41 to #55 event cards.",
    met="Card #%(card)s can be drawn from the deck.",
)
ANOTHER_TYPE = requirement(
    "card-of-another-type",
    "Card #%(card)s is not of the type named here (%(type)s).",
    met="Card #%(card)s can be of the type named here (%(type)s).",
)
LIES_IN_PLAY = requirement(
    "card-in-play-already",
    "Card #%(card)s is in play at the upper edge of the map and cannot be drawn.",
    met="Card #%(card)s is not in play.",
)
HELD_IN_HAND = requirement(
    "card-in-hand-already",
    "Card #%(card)s is in your hand and cannot be drawn.",
    met="Card #%(card)s is not in your hand.",
)
DRAWN_BEFORE = message(
    "card-drawn-before",
    "Card #%(card)s is among the discarded cards: if the deck has been rebuilt since, take it off the list of discarded cards.",
)


FEROCITY_STILL_TO_SET = message(
    "draw-card-ferocity-still-to-set",
    "Family %(family)s has no man, yet its Ferocity is %(have)s: the Discard Phase of the previous card should have brought it to 0, and this is done now.",
)
FEROCITY_RULES = ("nw:2.3.4.adjust-ferocity", "nw:3.1.ferocity-needs-man")


class DrawCard(
    NamedOnCard[UnsetType], frozen=True, forbid_unknown_fields=True, tag_field="kind", tag="draw-card"
):
    """A card is drawn; what it prints can be named here, is looked up in the components, or is asked for."""

    number: CardNumber


def may_draw(at: Board, do: DrawCard) -> Iterator[Check | Caution]:
    """The last card is done with, and this one can be in the deck."""
    yield from last_card_done(at)
    rules = ("nw:2.1.draw", "nw:1.10.card-types")
    number, pointer = do.number, "/action/number"
    yield needs(number <= LAST_CARD, NOT_IN_THE_DECK, *rules, pointer=pointer, card=number)
    if number > LAST_CARD:
        return
    if is_named(do.type):
        fits = do.type in ((type_of(number),) if type_of(number) else PLAIN_TYPES)
        shown = {"card": number, "type": TYPE_TERM[do.type]}
        yield needs(fits, ANOTHER_TYPE, "nw:13.event-cards", pointer="/action/type", **shown)
    yield from of_this_period(at, number)
    yield from lies_elsewhere(at, number)
    for family in ferocious_without_man(at):
        shown = {"family": family.letter, "have": family.ferocity}
        yield warns(FEROCITY_STILL_TO_SET, *FEROCITY_RULES, pointer=f"{family.pointer}/ferocity", **shown)


def last_card_done(at: Board, _: None = None) -> Iterator[Check]:
    """What can be said before it is known which card was drawn."""
    current = current_card(at)
    shown: dict[str, Any] = {"current": current} if isinstance(current, int) else {}
    free = current if isinstance(current, Unknown) else current is None
    rules, pointer = ("nw:2.3.3.discard", "nw:2.1.draw"), "/cards/current"
    yield at.occasion(free, CARD_UNDER_WAY, *rules, pointer=pointer, takes=None, **shown)


PLAIN_TYPES: tuple[CardType, ...] = ("operations", "ceremony")


def lies_elsewhere(at: Board, number: int) -> Iterator[Check | Caution]:
    """A card that lies anywhere else is not in the deck."""
    yield from still_in_the_game(at, number)
    for where, refused, rules in (
        ("in_play", LIES_IN_PLAY, ("nw:6.1.1.lasting-card", "nw:13.in-play.card")),
        ("hand", HELD_IN_HAND, ("nw:13.hand",)),
    ):
        held = lie_in(at, where)
        if not isinstance(held, Unknown):
            yield needs(number not in held, refused, *rules, pointer=f"/cards/{where}", card=number)
    if not all(is_told(lie_in(at, where)) for where in ("removed", "in_play", "hand")):
        yield warns(DRAWN_IS_THERE, "nw:2.1.draw", pointer="/cards", card=number)
    discarded = lie_in(at, "discarded")
    if is_told(discarded) and number in discarded:
        yield warns(DRAWN_BEFORE, "nw:2.3.3.discard", pointer="/cards/discarded", card=number)
