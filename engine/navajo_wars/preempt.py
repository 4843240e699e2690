"""Section 2.2.1: who goes first, and what preempting costs."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct, UnsetType

from engine.actions import NOT_NAMED, Action, is_named, say
from engine.messages import Term, message, question, requirement
from engine.navajo_wars.board import Board
from engine.navajo_wars.cards import (
    ASK_PREEMPT_COST,
    CardMemory,
    card,
    current_card,
    named,
    on_card,
    on_file,
    printed,
    type_of,
)
from engine.navajo_wars.consequences import change_track
from engine.navajo_wars.operation import nothing_chosen
from engine.navajo_wars.position import Count
from engine.navajo_wars.trade import PRICE, SpendTradeGoods, Use
from engine.questions import Question, Read, ask, known
from engine.tables import Where
from engine.verdict import (
    Caution,
    Check,
    Truth,
    Unknown,
    certain,
    is_told,
    must_know,
    needs,
    refuted,
    unknown,
    weigh,
)

READ_PREEMPT_COST = message(
    "preempt-read-cost", "How many AP does preempting cost, according to card #%(card)s?"
)
PREEMPT_OR_NOT = question(
    "preempt-or-not",
    "Do the Diné preempt, for %(cost)s AP?",
    hint="If not, the Enemy operates first. The Diné have %(have)s AP.",
)
PREEMPTS = message("preempt-yes", "Preempt: the Diné operate first.")
DOES_NOT_PREEMPT = message("preempt-no", "Do not preempt: the Enemy operates first.")
PREEMPTED = message("preempted", "The Diné preempt and operate before the Enemy.", outcome=True)
ENEMY_FIRST = message("enemy-operates-first", "The Enemy operates first, then the Diné.", tells="ritual")
NO_AP_TO_PREEMPT = message(
    "enemy-operates-first-unpreempted",
    "Preempting costs %(cost)s AP, and the Diné have %(have)s: the Enemy operates first, then the Diné.",
    tells="detail",
    was="enemy-operates-first",
)
BUYS_AP = message("preempt-buy-ap", "First spend 2 Trade Goods to gain 1 AP.")
ANOTHER_PREEMPT_COST = requirement(
    "preempt-cost-differs",
    "Preempting costs the AP that the card prints: %(need)s, not %(given)s.",
    met="Preempting costs the AP that the card prints: %(need)s.",
)
TOO_FEW_AP = requirement(
    "preempt-too-dear",
    "Preempting costs %(need)s AP, all at once; you have %(have)s.",
    met="Preempting costs %(need)s AP, and you have %(have)s.",
)
NOTHING_TO_PREEMPT = requirement(
    "nothing-to-preempt",
    "Only an Operations card lets the Diné preempt, before either side has operated.",
    met="An Operations card is being resolved and neither side has operated yet: this is the moment to preempt.",
)


class Preempt(Struct, frozen=True, forbid_unknown_fields=True, tag_field="kind", tag="preempt"):
    """The Diné operate before the Enemy; `cost` as the card prints it, where nothing else tells it."""

    cost: Count | UnsetType = NOT_NAMED


def may_preempt(at: Board, do: Preempt) -> Iterator[Check | Caution]:
    """An Operations card nobody has operated with yet, and its full cost."""
    rules = ("nw:2.2.1.preempt", "nw:13.preempt")
    open_yet = is_open_to_preempt(at)
    yield needs(open_yet, NOTHING_TO_PREEMPT, *rules, pointer="/cards/current")
    if not is_named(do.cost) and not is_told(open_yet):
        return  # what the card prints is not asked for before the card
    noted = noted_cost(at)
    if noted is not None and is_named(do.cost):
        shown = {"need": noted, "given": do.cost}
        yield needs(do.cost == noted, ANOTHER_PREEMPT_COST, *rules, pointer="/action/cost", **shown)
    need = preempt_cost(at, do)
    yield needs(at.ap >= need, TOO_FEW_AP, *rules, pointer="/tracks/ap", need=need, have=at.ap)


def is_open_to_preempt(at: Board) -> Truth:
    """Is a card below #41 being resolved with which no Operation has been chosen yet?

    A Ceremony card prints no cost: naming one says that it is an Operations card, where nothing else tells it.
    """
    if at.agenda:
        return (at.agenda[-1].procedure, at.agenda[-1].step) == ("draw-card", "preempt")
    current = current_card(at)
    if isinstance(current, Unknown):
        return current
    if current is None or (type_of(current) or printed(at, current).type) not in (NOT_NAMED, "operations"):
        return False
    return nothing_chosen(at)


def noted_cost(at: Board) -> int | Unknown | None:
    """What preempting costs, as noted of the card under way; None where none is under way."""
    drawn = at.noted(CardMemory)
    return None if drawn is None else drawn.preempt_cost


def preempt_cost(at: Board, do: Preempt) -> int | Unknown:
    """As noted of the card drawn, as named, or as the components print it."""
    noted, current = noted_cost(at), current_card(at)
    if noted is not None:
        return noted
    filed = printed(at, current).preempt_cost if isinstance(current, int) else NOT_NAMED
    cost = do.cost if is_named(do.cost) else filed
    return cost if is_named(cost) else unknown("/action/cost", ASK_PREEMPT_COST)


def ask_preempt_cost(at: Board, noted: CardMemory) -> Question:
    """The number on the card."""
    cost = named(noted.preempt_cost, on_file(at, noted).preempt_cost)
    if cost is not None:
        return known(cost)
    number = card(at, noted)
    return ask(READ_PREEMPT_COST, Read(Count, place=on_card(number, "preempt_cost")), card=number)


def note_preempt_cost(at: Board, _noted: CardMemory, cost: int) -> Board:
    """Then the player decides."""
    return at.remember(preempt_cost=cost)


def ask_preempt(at: Board, noted: CardMemory) -> Question:
    """For the AP the card prints; without them the Enemy goes first."""
    return ask(PREEMPT_OR_NOT, cost=must_know(noted.preempt_cost), have=must_know(at.ap))


def ap_for_preempting(at: Board, use: Use) -> Iterator[SpendTradeGoods]:
    """1 AP for Trade Goods (10.2), where the AP there are do not suffice and those that can be had would."""
    if use != "ap" or not refuted(weigh(may_preempt(at, Preempt()))):
        return
    if certain(weigh(may_preempt(with_all_ap(at), Preempt()))):
        yield SpendTradeGoods(use)


def with_all_ap(at: Board) -> Board:
    """The position with all AP that the Trade Goods in the Resources Box would bring; enough where they were not told."""
    goods, cost = at.resource("trade_goods"), noted_cost(at)
    more = goods // PRICE["ap"] if is_told(goods) else cost if isinstance(cost, int) else 0
    return at.set_track("ap", must_know(at.ap) + more)


def operate_first(at: Board, do: Preempt) -> tuple[Board, Where]:
    """The Diné pay and operate before the Enemy."""
    at, _ = pay_to_preempt(at, do)
    return at.remember(preempted=True), "operation"


def operate_second(at: Board, noted: CardMemory) -> Board:
    """The Enemy operates before the Diné; they were not asked where they could not have paid."""
    rules = ("nw:2.2.1.enemy-first", "nw:2.2.1.both-operate")
    if certain(noted.preempt_cost > at.ap) and noted.preempt_cost > with_all_ap(at).ap:
        shown = {"cost": noted.preempt_cost, "have": at.ap}
        at = at.tell(NO_AP_TO_PREEMPT, *rules, "nw:2.2.1.preempt", **shown)
    else:
        at = at.tell(ENEMY_FIRST, *rules)
    return at.remember(preempted=False)


def pay_to_preempt(at: Board, do: Preempt) -> tuple[Board, None]:
    """All AP at once."""
    cost = must_know(preempt_cost(at, do))
    at = change_track(at, "ap", -cost, "nw:2.2.1.preempt") if cost else at
    return at.tell(PREEMPTED, "nw:2.2.1.preempt", "nw:13.preempt"), None


ACTION = Action(
    Preempt,
    "nw:2.2.1",
    Term("nw.preempt"),
    message("action.preempt", "The Diné pay the AP on the Operations card to operate before the Enemy."),
    may_preempt,
    pay_to_preempt,
    offer=lambda _, __: say(PREEMPTS),
    ways=lambda _, __: (Preempt(),),
)
