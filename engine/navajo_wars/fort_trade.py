"""Section 3.2.7: Trade at Fort."""

from __future__ import annotations

from collections.abc import Generator, Iterator

from msgspec import Struct

from engine.actions import Action, Said, say
from engine.messages import Term, message, requirement
from engine.navajo_wars.activation import (
    NOBODY_ACTIVATED,
    may_act,
    something_left,
    spend_all_mp,
    the_acting_family,
)
from engine.navajo_wars.board import Board
from engine.navajo_wars.consequences import change_track, set_ferocity
from engine.navajo_wars.counters import in_play, perhaps_none_left, stated
from engine.navajo_wars.planning import SET_ASIDE
from engine.navajo_wars.position import Count, FamilyLetter
from engine.verdict import Caution, Check, Truth, certain, needs, warns, weigh


class TradeAtFort(Struct, frozen=True, forbid_unknown_fields=True, tag_field="kind", tag="trade-at-fort"):
    """The activated Family trades at a Fort."""

    family: FamilyLetter
    trade_goods: Count


NO_FORT_HERE = requirement(
    "no-fort-here",
    "Family %(family)s is not in the same Area as a Fort; it can trade only there.",
    met="Family %(family)s is in the same Area as a Fort.",
)
FORT_TRADE_TOO_DEAR = requirement(
    "fort-trade-too-dear",
    "The Trade Goods asked for (%(count)s) cost %(need)s Culture Points; you have %(have)s.",
    met="The Trade Goods taken (%(count)s) cost %(need)s Culture Points; you have %(have)s.",
    one=("need", "The Trade Goods asked for (%(count)s) cost %(need)s Culture Point; you have %(have)s."),
    met_one=("need", "The Trade Goods taken (%(count)s) cost %(need)s Culture Point; you have %(have)s."),
)
NOT_SO_MANY = requirement(
    "fort-trade-not-available",
    "There are not enough Trade Goods. In the game: %(limit)s; in play: %(have)s; asked for: %(count)s.",
    met="Enough Trade Goods are available. In the game: %(limit)s; in play: %(have)s; taken: %(count)s.",
)
FORT_TRADED = message(
    "fort-traded",
    "Family %(family)s trades at the Fort. Trade Goods that come from the Out of Play Box into the Resources "
    "Box: %(count)s.",
    outcome=True,
)


RULES = ("nw:3.2.7.trade", "nw:10.1.fort")


def may_trade(at: Board, do: TradeAtFort) -> Iterator[Check | Caution]:
    """In the Fort's Area, with 1 MP left, and Culture Points for the goods."""
    if (yield from may_trade_at_all(at, do.family)):
        yield from can_have_goods(at, do)


def may_trade_at_all(at: Board, letter: str) -> Generator[Check, None, Truth]:
    """What concerns the Family alone, however much it wants to take."""
    acts = yield from may_act(at, letter)
    if acts:
        family = at.family(letter)
        pointer = f"{family.pointer}/at"
        yield needs(at.has_fort(family.at), NO_FORT_HERE, *RULES, pointer=pointer, family=letter)
        yield something_left(at, letter, *RULES)
    return acts


def can_have_goods(at: Board, do: TradeAtFort) -> Iterator[Check | Caution]:
    """Culture Points for the goods, and enough of them."""
    if not do.trade_goods:
        return
    need = price(at, do.trade_goods)
    yield needs(
        at.culture >= need,
        FORT_TRADE_TOO_DEAR,
        *RULES,
        pointer="/tracks/culture",
        count=do.trade_goods,
        need=need,
        have=at.culture,
    )
    yield from enough_available(at, do.trade_goods)


def price(at: Board, count: int) -> int:
    """1 Culture Point for each counter; digests say 1 for all of them (C52)."""
    if count <= 1 or at.choice("fort-trade-price") == "each":
        return count
    return 1


def enough_available(at: Board, count: int) -> Iterator[Check | Caution]:
    """Where the player has counted his Trade Goods, there must be enough; otherwise he is reminded."""
    limit = stated(at, "trade_goods")
    if limit is None:
        pointer = "/components/counter_limits/trade_goods"
        yield from perhaps_none_left(at, "trade_goods", count)
        yield warns(SET_ASIDE, "nw:3.2.7.trade", pointer=pointer)
        return
    have = in_play(at, "trade_goods")
    yield needs(
        have + count <= limit,
        NOT_SO_MANY,
        "nw:3.2.7.trade",
        pointer="/resources/trade_goods",
        have=have,
        limit=limit,
        count=count,
    )


def trade(at: Board, do: TradeAtFort) -> tuple[Board, None]:
    """All MP, the goods and their price; the Family's Ferocity falls to 0."""
    rule = "nw:3.2.7.trade"
    at = spend_all_mp(at, rule).gain_resource("trade_goods", do.trade_goods)
    at = at.tell(
        FORT_TRADED, rule, "nw:10.1.fort", "nw:3.2.7.reminder", family=do.family, count=do.trade_goods
    )
    if do.trade_goods:
        at = change_track(at, "culture", -price(at, do.trade_goods), rule)
    return set_ferocity(at, do.family, 0, rule), None


# -- as an answer ------------------------------------------------------------------------------------

MOST_GOODS = 9  # Trade Goods that are offered; more can be named in the action
MOST_NAMED = 99  # that an action can name
OFFER = message("take-actions.trade-at-fort", "Trade at the Fort. Trade Goods taken: %(trade_goods)s.")


def ways(_: Board, letter: FamilyLetter) -> Iterator[TradeAtFort]:
    """With no Trade Goods taken, or with some."""
    return (TradeAtFort(letter, goods) for goods in range(MOST_GOODS + 1))


def variants(at: Board, letter: FamilyLetter) -> Iterator[TradeAtFort]:
    """Every number of Trade Goods up to the first that is too many."""
    for goods in range(MOST_NAMED + 1):
        yield TradeAtFort(letter, goods)
        if not certain(weigh(can_have_goods(at, TradeAtFort(letter, goods)))):
            return


def offer(_: Board, do: TradeAtFort) -> Said:
    """How many."""
    return say(OFFER, trade_goods=do.trade_goods)


ACTION = Action(
    TradeAtFort,
    "nw:3.2.7",
    Term("nw.action.trade_at_fort"),
    message("action.trade-at-fort", "The activated Family takes Trade Goods at a Fort."),
    may_trade,
    trade,
    offer=offer,
    ways=ways,
    variants=variants,
    subjects=the_acting_family,
    if_nobody=NOBODY_ACTIVATED,
    may_at_all=may_trade_at_all,
    may_so=can_have_goods,
    subject="family",
)
