"""Possible positions, 1.10, 2 and 9: where cards can be, what a card can have seen, and what has ended."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import get_args

from msgspec import UNSET

from engine.audit import finding
from engine.navajo_wars.audit_counters import families_told, told
from engine.navajo_wars.board import Board
from engine.navajo_wars.cards import FIRST_EVENT, LAST_CARD, PERIOD_TERM, TRANSITIONS, period_of, printed
from engine.navajo_wars.developments import GROUPS
from engine.navajo_wars.operation import Seen
from engine.navajo_wars.position import Activation, Cards, Outcome, Period
from engine.verdict import Check, is_told, needs

PERIODS: tuple[str, ...] = get_args(Period)

# -- 1.10: cards -------------------------------------------------------------------------------------

CARD_IN_TWO_PLACES = finding(
    "card-in-two-places", "Card #%(card)s is listed twice, and there is only one such card."
)
CARD_NEVER_DRAWN = finding(
    "card-never-drawn",
    "Card #%(card)s cannot be here: cards #1 to #40 are Operations cards and Ceremony cards, #41 to #55 event cards, and "
    "Cultural Development cards are listed apart.",
)
NOT_FOR_THE_HAND = finding(
    "hand-of-other-cards",
    "In this position card #%(card)s is in your hand. Only Ceremony cards are kept there, and this is not one.",
)
CARD_OF_LATER_PERIOD = finding(
    "card-of-later-period",
    "Card #%(card)s cannot have been drawn yet: it belongs to a later Period (%(period)s).",
)
CARD_OF_EARLIER_PERIOD = finding(
    "card-of-earlier-period",
    "Card #%(card)s cannot be the card that is being resolved: it belongs to an earlier Period (%(period)s), and the "
    "deck has been rebuilt since.",
)
ROWS = ("in_play", "discarded", "hand", "removed")


def cards(at: Board) -> Iterator[Check]:
    """Each card is in one place, and of the kind and the Period that this place asks for."""
    told_of = at.position.cards
    if told_of is UNSET:
        return
    yield from each_once(told_of)
    if told_of.current is not UNSET and told_of.current is not None:
        yield from drawn(at, told_of.current, "/cards/current")
        yield from not_of_earlier_period(at, told_of.current)
    for row in ("in_play", "discarded"):
        for place, card in enumerate(_row(told_of, row)):
            yield from drawn(at, card, f"/cards/{row}/{place}")
    for place, card in enumerate(_row(told_of, "hand")):
        ceremony = card < FIRST_EVENT and printed(at, card).type in (UNSET, "ceremony")
        yield needs(ceremony, NOT_FOR_THE_HAND, "nw:13.hand", pointer=f"/cards/hand/{place}", card=card)


def _row(told_of: Cards, row: str) -> tuple[int, ...]:
    held = getattr(told_of, row)
    return () if held is UNSET else held


def each_once(told_of: Cards) -> Iterator[Check]:
    """The card that is being resolved may lie where it goes already, so it does not count."""
    found: dict[int, list[str]] = {}
    for row in ROWS:
        for place, card in enumerate(_row(told_of, row)):
            found.setdefault(card, []).append(f"/cards/{row}/{place}")
    for card, places in sorted(found.items()):
        rule, once = "nw:1.10.card-types", len(places) == 1
        yield needs(once, CARD_IN_TWO_PLACES, rule, pointer=places[-1], card=card)


def drawn(at: Board, card: int, pointer: str) -> Iterator[Check]:
    """It comes from the deck, and from no later one."""
    yield needs(card <= LAST_CARD, CARD_NEVER_DRAWN, "nw:1.10.card-types", pointer=pointer, card=card)
    its_own = period_of(card)
    if its_own is not None:
        rule, shown = "nw:13.event-cards", {"card": card, "period": PERIOD_TERM[its_own]}
        yield needs(_periods_after(at, its_own) <= 0, CARD_OF_LATER_PERIOD, rule, pointer=pointer, **shown)


def not_of_earlier_period(at: Board, card: int) -> Iterator[Check]:
    """With a new Period comes a new deck; only the Transitional Event that brings it is still being resolved."""
    its_own = period_of(card)
    if its_own is None:
        return
    ahead = _periods_after(at, its_own)
    rules, shown = ("nw:13.event-cards", "nw:6.2"), {"card": card, "period": PERIOD_TERM[its_own]}
    in_time = ahead >= 0 or (ahead == -1 and card in TRANSITIONS)
    yield needs(in_time, CARD_OF_EARLIER_PERIOD, *rules, pointer="/cards/current", **shown)


def _periods_after(at: Board, period: str) -> int:
    """How many Periods after the one that is being played; 0 where that was not told."""
    now = at.position.period
    return 0 if now is UNSET else PERIODS.index(period) - PERIODS.index(now)


# -- 3: what this card has seen ----------------------------------------------------------------------

NOTED_TWICE = finding(
    "family-noted-twice", "Family %(family)s is noted twice for what it can do once with each card."
)
MORE_ACTIVATED = finding(
    "more-families-activated",
    "Families activated with this card: %(have)s. When Take Actions began, %(limit)s were allowed.",
)
ONCE: dict[Seen, str] = {
    "activated": "nw:3.2.once-each",
    "elder_ferocity": "nw:3.1.s3.ferocity-once",
    "traded": "nw:3.1.s4.buy-trade-goods",
    "tribal": "nw:3.1.s5.entitlement",
}


def operation(at: Board) -> Iterator[Check]:
    """Each Family does each thing once, and no more Families act than may."""
    seen = at.position.operation
    for what, rule in ONCE.items():
        letters = told(seen, what)
        for letter, times in Counter(() if letters is UNSET else letters).items():
            pointer = f"/operation/{what}"
            yield needs(times == 1, NOTED_TWICE, rule, pointer=pointer, family=letter)
    activated, limit = told(seen, "activated"), told(seen, "limit")
    if told(seen, "kind") == "take-actions" and activated is not UNSET and limit is not UNSET:
        have, rule, pointer = len(set(activated)), "nw:3.2.activation-count", "/operation/activated"
        yield needs(have <= limit, MORE_ACTIVATED, rule, pointer=pointer, have=have, limit=limit)


NOT_THERE_TO_ACT = finding(
    "acting-family-not-in-play",
    "Family %(family)s is acting in this position, and it is not in play; its activation ends when it leaves the map.",
)


ACTS_BEFORE_OPERATION = finding(
    "acting-before-operation",
    "Family %(family)s is acting in this position, and no Operation has been chosen with this card; Families act in Take Actions.",
)


def activation(at: Board) -> Iterator[Check]:
    """The Family that is acting is in play; while something is under way it may just have left the map."""
    acting = at.position.activation
    letter = acting.family if isinstance(acting, Activation) else None
    if isinstance(letter, str) and told(at.position.operation, "kind") is None:
        yield needs(
            False, ACTS_BEFORE_OPERATION, "nw:3.choose-one", pointer="/activation/family", family=letter
        )
    if isinstance(letter, str) and is_told(at.family(letter).in_play) and not at.agenda:
        rules, there = ("nw:3.2.dissolved", "nw:13.in-play.family"), letter in families_told(at)
        yield needs(there, NOT_THERE_TO_ACT, *rules, pointer="/activation/family", family=letter)


# -- 9: Cultural Development cards ---------------------------------------------------------------------

DEVELOPMENT_TWICE = finding(
    "development-twice",
    "The Cultural Development card %(set)s, level %(level)s, is listed several times, and there is only one such card.",
)
LOWER_LEVEL_LACKING = finding(
    "development-without-lower-level",
    "The Cultural Development card %(set)s, level %(level)s, is in play, and level %(missing)s of that group is not.",
)
TOO_MANY_GROUPS = finding(
    "too-many-development-groups",
    "Groups of the Cultural Development cards in play: %(have)s. There are only %(limit)s groups.",
)


def developments(at: Board) -> Iterator[Check]:
    """Eight groups of three cards, each bought after the level below it."""
    owned = told(at.position.cards, "developments")
    if owned is UNSET:
        return
    counts = Counter((one.set, one.level) for one in owned)
    pointer = "/cards/developments"
    for (group, level), count in counts.items():
        shown = {"set": group, "level": level}
        yield needs(count == 1, DEVELOPMENT_TWICE, "nw:9.1.1", pointer=pointer, **shown)
        if level > 1:
            rule, missing = "nw:9.1.1.prerequisite", level - 1
            below = (group, missing) in counts
            yield needs(below, LOWER_LEVEL_LACKING, rule, pointer=pointer, missing=missing, **shown)
    have = len({group for group, _ in counts})
    yield needs(have <= GROUPS, TOO_MANY_GROUPS, "nw:9.1.1", pointer=pointer, have=have, limit=GROUPS)


# -- 12: the end of the game -------------------------------------------------------------------------

UNDER_WAY_AFTER_THE_END = finding(
    "agenda-after-the-end", "The game is over, and still something is under way."
)


def end_of_the_game(at: Board) -> Iterator[Check]:
    """Nothing is under way after the end."""
    if isinstance(at.position.outcome, Outcome):
        yield needs(not at.agenda, UNDER_WAY_AFTER_THE_END, "nw:2.loop", pointer="/agenda")
