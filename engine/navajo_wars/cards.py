"""The cards: which number is which kind of card, what a card prints, and where it goes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, ClassVar, TypeVar

from msgspec import UnsetType

from engine.actions import is_named
from engine.memory import NOT_NOTED, Memory, Noted, NotNoted
from engine.messages import Message, Term, message, requirement
from engine.navajo_wars.board import ASK_CARD, ASK_PERIOD, ASK_REMOVED, Board
from engine.navajo_wars.components import SHIPPED, CardType, NamedOnCard, PrintedCard
from engine.navajo_wars.position import CardNumber, Cards
from engine.verdict import Check, Unknown, denied, is_told, must_know, needs, unknown

T = TypeVar("T")

TYPE_TERM: dict[str, Term] = {
    "operations": Term("nw.card.operations"),
    "ceremony": Term("nw.card.ceremony"),
    "historical": Term("nw.card.historical_event"),
    "transition": Term("nw.card.transitional_event"),
}
PERIOD_TERM = {period: Term(f"nw.period.{period}") for period in ("spanish", "mexican", "american")}
VP_OF_TRANSITION = {45: 14, 50: 14, 55: 15}  # 6.2.1 to 6.2.3, step 2
TRANSITIONS = tuple(VP_OF_TRANSITION)
FIRST_EVENT, LAST_CARD = 41, 55

ASK_ROW_OF_CARDS = {
    "in_play": message(
        "ask-cards-in-play", "Which cards are in play, not counting Cultural Development cards?"
    ),
    "hand": message("ask-cards-in-hand", "Which cards are in your hand?"),
    "removed": ASK_REMOVED,
    "discarded": message("ask-cards-discarded", "Which cards have been discarded?"),
}
ASK_TYPE = message("ask-card-type", "Of which type is the card being resolved?")
ASK_PREEMPT_COST = message("ask-preempt-cost", "How many AP does preempting cost, according to the card?")
ASK_ENEMY_AP = message("param.enemy-ap", "How many Enemy APs does the card grant?")
ASK_ENEMY_AP_PREEMPTED = message(
    "param.enemy-ap-preempted", "How many Enemy APs does the card grant after preempting?"
)
ASK_POPULATION = message("param.population-symbol", "Which population symbol does the card show?")
ASK_MINOR_EVENT = message("param.minor-event-named", "Which Minor Event does the card name?")
ASK_VP = message("param.vp", "How many VP does the card show?")
ASK_PREEMPTED = message("ask-preempted", "Have the Diné preempted, so that they operate before the Enemy?")


class CardMemory(NamedOnCard[NotNoted], Memory, frozen=True):
    """The card that was drawn, what it prints as far as it was named, and whether the Diné have preempted."""

    questions: ClassVar[dict[str, Message]] = {
        "card": ASK_CARD,
        "type": ASK_TYPE,
        "preempt_cost": ASK_PREEMPT_COST,
        "preempted": ASK_PREEMPTED,
        "enemy_ap": ASK_ENEMY_AP,
        "enemy_ap_preempted": ASK_ENEMY_AP_PREEMPTED,
        "population": ASK_POPULATION,
        "minor_event": ASK_MINOR_EVENT,
        "vp": ASK_VP,
    }

    card: Noted[CardNumber] = NOT_NOTED
    preempted: Noted[bool] = NOT_NOTED


def type_of(number: int) -> CardType | None:
    """The kind of a card by its number; cards 1 to 40 are Operations or Ceremony cards, which only they say."""
    if number in TRANSITIONS:
        return "transition"
    return "historical" if FIRST_EVENT <= number <= LAST_CARD else None


def period_of(number: int) -> str | None:
    """The Period an event card belongs to: 41-45 Spanish, 46-50 Mexican, 51-55 American."""
    if not FIRST_EVENT <= number <= LAST_CARD:
        return None
    return ("spanish", "mexican", "american")[(number - FIRST_EVENT) // 5]


def printed(at: Board, number: int) -> PrintedCard:
    """What the player has filled in of a card."""
    found: PrintedCard = at.components.cards.get(str(number), PrintedCard())
    return found


def card_vp(at: Board, number: int) -> int | None:
    """The VP of an event card: the player's, or else what public sources state."""
    told = printed(at, number).vp
    if is_named(told):
        return told
    sourced = SHIPPED.card_vp.get(str(number))
    return None if sourced is None else int(sourced.value)


def current_card(at: Board) -> int | Unknown | None:
    """The card that is being resolved, None if there is none."""
    current: int | Unknown | None = at.told("cards", "current", ask=ASK_CARD)
    return current


def this_card(at: Board, noted: int | Unknown | None) -> int | Unknown | None:
    """The card a step is about: the one its procedure has noted, or the one that is being resolved."""
    return noted if is_told(noted) else current_card(at)


def lie_in(at: Board, where: str) -> tuple[int, ...] | Unknown:
    """The cards of a row: in_play, hand, removed or discarded."""
    ask = ASK_ROW_OF_CARDS[where]
    if at.is_partial(f"cards.{where}"):
        return unknown(f"/cards/{where}", ask)
    held: tuple[int, ...] | Unknown = at.told("cards", where, ask=ask)
    return held


ANOTHER_PERIOD = requirement(
    "card-of-another-period",
    "Card #%(card)s belongs to another Period (%(period)s).",
    met="Card #%(card)s belongs to the Period that is being played (%(period)s).",
)
REMOVED = requirement(
    "card-removed-from-game",
    "Card #%(card)s has been removed from the game and never comes back.",
    met="Card #%(card)s has not been removed from the game.",
)


DRAWN_IS_THERE = message(
    "card-drawn-is-there",
    "The position does not say where all the other cards are: card #%(card)s was drawn, so it counts as coming from the deck.",
)


def of_this_period(at: Board, number: int) -> Iterator[Check]:
    """An event card belongs to the Period that is being played; other cards belong to all of them."""
    period = period_of(number)
    if period is not None:
        fits = at.told("period", ask=ASK_PERIOD) == period
        shown = {"card": number, "period": PERIOD_TERM[period]}
        yield needs(fits, ANOTHER_PERIOD, "nw:13.event-cards", pointer="/period", **shown)


def still_in_the_game(at: Board, number: int) -> Iterator[Check]:
    """A card that was removed from the game never comes back; one that was drawn was not, even if nobody told so."""
    removed = at.is_removed(number)
    if is_told(removed):
        yield needs(denied(removed), REMOVED, "nw:6.1.2.removed-card", pointer="/cards/removed", card=number)


def set_cards(at: Board, **facts: Any) -> Board:
    """The cards with these facts changed."""
    return at.alter("cards", Cards, **facts)


# -- the card under way ------------------------------------------------------------------------------


def under_way(at: Board) -> CardMemory:
    """What is noted of the card under way."""
    return at.noted(CardMemory) or CardMemory()


def card(at: Board, noted: CardMemory) -> int:
    """The card that is being resolved: the one noted, or the one the position tells of; none is no answer here."""
    found = this_card(at, noted.card)
    return must_know(noted.card if found is None else found)


def on_file(at: Board, noted: CardMemory) -> PrintedCard:
    """What the components print of the card."""
    return printed(at, card(at, noted))


def on_card(number: int, field: str) -> str:
    """Where the components keep what a card prints."""
    return f"/components/cards/{number}/{field}"


def filed(printed: T | UnsetType) -> T | None:
    """What the components print; None where nobody has filled it in."""
    return printed if is_named(printed) else None


def named(told: T | Unknown, printed: T | UnsetType) -> T | None:
    """What was named of the card when it was drawn, or what the components print; None if neither."""
    return filed(printed) if isinstance(told, Unknown) else told


def card_type(at: Board, noted: CardMemory) -> CardType | None:
    """The type of the card: by its number if it is an event card, as named, or as the components print it."""
    by_number = type_of(card(at, noted))
    return named(noted.type, on_file(at, noted).type) if by_number is None else by_number
