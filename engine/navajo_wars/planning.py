"""Section 3.1: Planning, its six steps. Elder Actions (step 3) stand in elders.py, step 5 in tribes.py."""

from __future__ import annotations

from collections.abc import Iterator
from typing import get_args

from msgspec import Struct

from engine.actions import Action, Said, say
from engine.messages import Term, message, question, requirement
from engine.navajo_wars.battle import in_play
from engine.navajo_wars.board import Board
from engine.navajo_wars.cards import CardMemory, current_card, filed, printed
from engine.navajo_wars.components import PopulationKind
from engine.navajo_wars.consequences import change_track, to_passage
from engine.navajo_wars.counters import COUNTER_TERM, available, is_left, tell_none_left
from engine.navajo_wars.cubes import cube_reset
from engine.navajo_wars.elders import ACTION as ELDER_ACTION
from engine.navajo_wars.elders import PlanningMemory
from engine.navajo_wars.operation import (
    begin_operation,
    has_done,
    in_planning,
    letters_in_play,
    not_chosen_yet,
    note_done,
)
from engine.navajo_wars.points import gain
from engine.navajo_wars.position import FamilyLetter
from engine.navajo_wars.tribes import DIPLOMACY_ACTION, WARFARE_ACTION
from engine.offers import nothing_more
from engine.questions import Option, Question, Read, ask, known
from engine.tables import Where, automatic, call, decision, instead, part, procedure, reading
from engine.verdict import Caution, Check, denied, is_told, must_know, needs, refuted, warns


class Planning(Struct, frozen=True, forbid_unknown_fields=True, tag_field="kind", tag="planning"):
    """The Diné plan."""


class BuyTradeGoods(Struct, frozen=True, forbid_unknown_fields=True, tag_field="kind", tag="buy-trade-goods"):
    """A Family with a woman buys a Trade Goods counter."""

    family: FamilyLetter


def may_plan(at: Board, _: Planning) -> Iterator[Check | Caution]:
    """Planning is open while no Operation has been chosen; its parts have their own conditions."""
    yield not_chosen_yet(at)


def begin_planning(at: Board, _: Planning) -> tuple[Board, Where]:
    """The steps follow one another, each once."""
    return begin_operation(at, "planning").tell(PLANNING_BEGINS, "nw:3.1", "nw:3.1.order"), call(PLANNING)


CHOOSE_PLANNING = message("operation-planning", "Planning")
PLANNING_BEGINS = message("planning-begins", "Planning: six steps in their order, each once.", tells="ritual")


# -- step 1: a population counter --------------------------------------------------------------------

READ_SYMBOL = message(
    "planning-read-population",
    "Planning step 1: which population symbol does the Operations card show: man, woman, child or Elder?",
)
THIS_SYMBOL = message("planning-this-population", "%(counter)s")
POPULATION_COMES = message(
    "planning-population-comes",
    "Planning step 1: a population counter (%(counter)s) is placed in the Passage of Time Box.",
    whole=True,
)


def ask_symbol(at: Board, _noted: PlanningMemory) -> Question:
    """The symbol on the card, looked up where the components state it."""
    symbol = printed_symbol(at)
    if symbol is not None:
        return known(symbol)
    options = tuple(
        Option(kind, THIS_SYMBOL, {"counter": COUNTER_TERM[kind]}) for kind in get_args(PopulationKind)
    )
    current = current_card(at)
    place = f"/components/cards/{current}/population" if isinstance(current, int) else ""
    return ask(READ_SYMBOL, Read(PopulationKind, options, place=place))


def printed_symbol(at: Board) -> str | None:
    """The population symbol of the current card, if it was named with the card or is in the components."""
    drawn, current = at.noted(CardMemory), current_card(at)
    if drawn is not None and is_told(drawn.population):
        return must_know(drawn.population)
    return filed(printed(at, current).population) if isinstance(current, int) else None


def population_comes(at: Board, _noted: PlanningMemory, kind: str) -> Board:
    """One counter of that kind comes into the Passage of Time Box, if one is left."""
    rule = "nw:3.1.s1.population"
    if not is_left(at, kind):
        return tell_none_left(at, kind, rule)
    return to_passage(at, kind).tell(POPULATION_COMES, rule, counter=COUNTER_TERM[kind])


# -- step 2: AP, and the Elders advance --------------------------------------------------------------

ELDERS_ADVANCE = message(
    "elders-advance",
    "Planning step 2: every Elder advances one space to the right; those in the last space stay.",
    whole=True,
)


def elders_advance(at: Board, _noted: PlanningMemory) -> Board:
    """1 AP for each Elder; then each moves one space to the right."""
    elders = must_know(at.elders)
    if not sum(elders):
        return at
    at = gain(at, "ap", sum(elders), "nw:3.1.s2.elder-ap")
    at = at.change(elders=(0, *elders[:5], 0)).set_elders_in(7, elders[5] + elders[6])
    return at.tell(ELDERS_ADVANCE, "nw:3.1.s2.advance")


# -- step 3: Elder Actions ---------------------------------------------------------------------------

WHICH_ELDER = question(
    "planning-elder-action",
    "Planning step 3: which Elder attempts which Elder Action?",
    hint="Each may attempt one.",
)
NO_MORE = message("planning-no-more", "No more; go on with the next step.")


# -- step 4: buy Trade Goods -------------------------------------------------------------------------

NO_CULTURE = requirement(
    "trade-goods-without-culture",
    "Trade Goods can be bought only while Culture Points are greater than 0; they are at %(have)s.",
    met="Culture Points are greater than 0 (%(have)s), as buying Trade Goods requires.",
)
NO_WOMAN = requirement(
    "trade-goods-without-woman",
    "Only a Family with a woman can buy Trade Goods; there is no woman in the Family Box of Family %(family)s.",
    met="Family %(family)s has a woman, as buying Trade Goods requires.",
)
TRADE_NO_AP = requirement(
    "trade-goods-without-ap",
    "A Trade Goods counter costs 1 AP; you have %(have)s.",
    met="AP: %(have)s, and a Trade Goods counter costs 1.",
)
TRADED = requirement(
    "trade-goods-once",
    "Family %(family)s has bought Trade Goods in this Planning already; each Family may do so once.",
    met="Family %(family)s has not bought Trade Goods in this Planning.",
)
SET_ASIDE = message(
    "trade-goods-set-aside",
    "Some Trade Goods are set aside until a card makes them available: make sure that enough are in the Out of Play Box.",
)
WHO_BUYS = question(
    "planning-buy-trade-goods",
    "Planning step 4: which Family buys a Trade Goods counter for 1 AP?",
    hint="AP available: %(have)s.",
)
THIS_FAMILY_BUYS = message("planning-family-buys", "Family %(family)s: buy a Trade Goods counter.")
BOUGHT = message(
    "trade-goods-bought",
    "Family %(family)s buys a Trade Goods counter; it goes from the Out of Play Box to the Resources Box.",
    outcome=True,
)


def may_buy(at: Board, do: BuyTradeGoods) -> Iterator[Check | Caution]:
    """Everything that decides whether this Family may buy."""
    yield from may_buy_at_all(at, do.family)


def may_buy_at_all(at: Board, letter: FamilyLetter) -> Iterator[Check | Caution]:
    """In rulebook order: a Family with a woman, Culture Points, 1 AP, once, and a counter that is available."""
    rules, family = ("nw:3.1.s4.buy-trade-goods", "nw:10.1.planning"), at.family(letter)
    yield in_planning(at, rules[0])
    yield in_play(family)
    if refuted(family.in_play):
        return
    yield needs(
        at.culture > 0,
        NO_CULTURE,
        "nw:1.7.4.culture-zero-bars",
        *rules,
        pointer="/tracks/culture",
        have=at.culture,
    )
    yield needs(family.woman, NO_WOMAN, *rules, pointer=f"{family.pointer}/woman", family=letter)
    yield needs(at.ap >= 1, TRADE_NO_AP, *rules, pointer="/tracks/ap", have=at.ap)
    traded = has_done(at, "traded", letter)
    yield at.occasion(denied(traded), TRADED, *rules, pointer="/operation/traded", takes=(), family=letter)
    yield from trade_goods_available(at)


def trade_goods_available(at: Board) -> Iterator[Check | Caution]:
    """One must be available; how many are set aside at the moment only the player sees."""
    yield from available(at, "trade_goods", "nw:10.1.available")
    if "trade_goods" not in at.components.counter_limits:
        yield warns(SET_ASIDE, "nw:10.1.available", pointer="/components/counter_limits/trade_goods")


def begin_buying(at: Board, do: BuyTradeGoods) -> tuple[Board, None]:
    """1 AP for one counter."""
    at = change_track(at, "ap", -1, "nw:3.1.s4.buy-trade-goods")
    at = note_done(at, "traded", do.family).gain_resource("trade_goods", 1)
    return at.tell(BOUGHT, "nw:3.1.s4.buy-trade-goods", "nw:10.1.planning", family=do.family), None


def ask_buyer(at: Board, _noted: PlanningMemory) -> Question:
    """Which Family buys, for the AP there are."""
    return ask(WHO_BUYS, have=at.ap)


def purchases(_: Board, letter: FamilyLetter) -> Iterator[BuyTradeGoods]:
    """The one counter a Family can buy."""
    yield BuyTradeGoods(letter)


def offer_purchase(_: Board, do: BuyTradeGoods) -> Said:
    """How the offer of a purchase reads."""
    return say(THIS_FAMILY_BUYS, family=do.family)


# -- step 5: the Tribes ------------------------------------------------------------------------------

WHO_ADDRESSES = question(
    "planning-tribes",
    "Planning step 5: which Family attempts Tribal Warfare or Tribal Diplomacy for 1 AP?",
    hint="AP available: %(have)s.",
)


def ask_tribes(at: Board, _noted: PlanningMemory) -> Question:
    """Which Family addresses a Tribe, for the AP there are."""
    return ask(WHO_ADDRESSES, have=at.ap)


# -- step 6 ------------------------------------------------------------------------------------------


def reset_cubes(at: Board, _noted: PlanningMemory) -> Board:
    """Cube Reset, and Planning is over."""
    return cube_reset(at, "nw:3.1.s6.cube-reset")


BUY_ACTION = Action(
    BuyTradeGoods,
    "nw:3.1.s4.buy-trade-goods",
    Term("nw.planning.buy_trade_goods"),
    message("action.buy-trade-goods", "A Family with a woman buys a Trade Goods counter in Planning."),
    may_buy,
    begin_buying,
    offer=offer_purchase,
    ways=purchases,
    subjects=letters_in_play,
    may_at_all=may_buy_at_all,
    may_so=nothing_more,
    subject="family",
)

PLANNING = procedure(
    "planning",
    PlanningMemory,
    part("step-1", "Step 1: Population"),
    reading(
        "population",
        "nw:3.1.s1.population",
        ask_symbol,
        population_comes,
        title="A population counter comes",
    ),
    part("step-2", "Step 2: Elders advance"),
    automatic(
        "elders",
        ("nw:3.1.s2.elder-ap", "nw:3.1.s2.advance"),
        elders_advance,
        title="AP for the Elders, who advance",
    ),
    part("step-3", "Step 3: Elder Actions"),
    decision(
        "elder-actions",
        "nw:3.1.s3.elder-action",
        WHICH_ELDER,
        takes=(ELDER_ACTION,),
        or_else=instead(NO_MORE, "buy-trade-goods"),
        then="elder-actions",
        goes=("elder-actions", "buy-trade-goods"),
        title="An Elder attempts an Elder Action",
    ),
    part("step-4", "Step 4: Trade Goods"),
    decision(
        "buy-trade-goods",
        "nw:3.1.s4.buy-trade-goods",
        ask_buyer,
        takes=(BUY_ACTION,),
        or_else=instead(NO_MORE, "tribes"),
        then="buy-trade-goods",
        goes=("buy-trade-goods", "tribes"),
        title="A Family buys Trade Goods",
    ),
    part("step-5", "Step 5: Tribal Warfare and Diplomacy"),
    decision(
        "tribes",
        ("nw:3.1.s5.entitlement", "nw:3.1.s5.target"),
        ask_tribes,
        takes=(WARFARE_ACTION, DIPLOMACY_ACTION),
        or_else=instead(NO_MORE, "cube-reset"),
        then="tribes",
        goes=("tribes", "cube-reset"),
        title="A Family addresses a Tribe",
    ),
    part("step-6", "Step 6: Cube Reset"),
    automatic("cube-reset", "nw:3.1.s6.cube-reset", reset_cubes, title="Cube Reset"),
    title="Planning",
    renamed={"next-elder": "elder-actions", "next-family": "tribes"},
)

ACTION = Action(
    Planning,
    "nw:3.1",
    Term("nw.op.planning"),
    message("action.planning", "The Operation Planning, in six steps."),
    may_plan,
    begin_planning,
    offer=lambda _, __: say(CHOOSE_PLANNING),
    ways=lambda _, __: (Planning(),),
)
