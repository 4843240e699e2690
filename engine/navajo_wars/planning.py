"""Section 3.1: Planning, its six steps. Elder Actions (step 3) stand in elders.py, step 5 in tribes.py."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any, Literal, get_args

from msgspec import UNSET, Struct, structs

from engine.actions import Action
from engine.memory import Memory
from engine.messages import Message, Term, message, requirement
from engine.navajo_wars.battle import NOT_IN_PLAY
from engine.navajo_wars.board import Board
from engine.navajo_wars.consequences import change_track, to_passage
from engine.navajo_wars.counters import COUNTER_TERM, available, is_left, tell_none_left
from engine.navajo_wars.cubes import cube_reset
from engine.navajo_wars.elders import ACTION as ELDER_ACTION
from engine.navajo_wars.elders import SPACES, ElderAction
from engine.navajo_wars.operation import begin_operation, has_done, in_planning, not_chosen_yet, note_done
from engine.navajo_wars.points import gain
from engine.navajo_wars.position import LETTERS, Count, FamilyLetter
from engine.navajo_wars.tribes import (
    DIPLOMACY_ACTION,
    TRIBE_TERM,
    WARFARE_ACTION,
    TribalDiplomacy,
    TribalWarfare,
    least_trade_goods,
)
from engine.questions import Choose, Option, Question, Read, ask, known
from engine.tables import Where, automatic, call, decision, end, procedure, reading
from engine.verdict import ILLEGAL, Caution, Check, denied, evaluate, must_know, needs, warns

PopulationKind = Literal["man", "woman", "child", "elder"]


class Planning(Struct, frozen=True, forbid_unknown_fields=True, tag_field="kind", tag="planning"):
    """The Diné plan."""


class BuyTradeGoods(Struct, frozen=True, forbid_unknown_fields=True, tag_field="kind", tag="buy-trade-goods"):
    """A Family with a woman buys a Trade Goods counter."""

    family: FamilyLetter


class PlanningMemory(Memory, frozen=True):
    """How many Elders of each space have attempted an Elder Action."""

    acted: tuple[Count, Count, Count, Count, Count, Count, Count] = (0, 0, 0, 0, 0, 0, 0)


def may_plan(at: Board, _: Planning) -> Iterator[Check | Caution]:
    """Planning is open while no Operation has been chosen; its parts have their own conditions."""
    yield not_chosen_yet(at)


def begin_planning(at: Board, _: Planning) -> tuple[Board, Where]:
    """The steps follow one another, each once."""
    return begin_operation(at, "planning").tell(PLANNING_BEGINS, "nw:3.1", "nw:3.1.order"), call(PLANNING)


PLANNING_BEGINS = message("planning-begins", "Planning: six steps in their order, each once.")


# -- step 1: a population counter --------------------------------------------------------------------

READ_SYMBOL = message(
    "planning-read-population",
    "Planning step 1: which population symbol does the Operations card show: man, woman, child or Elder?",
)
THIS_SYMBOL = message("planning-this-population", "%(counter)s")
POPULATION_COMES = message(
    "planning-population-comes",
    "Planning step 1: a population counter (%(counter)s) is placed in the Passage of Time Box.",
)


def ask_symbol(at: Board) -> Question:
    """The symbol on the card, looked up where the components state it."""
    printed = printed_symbol(at)
    if printed is not None:
        return known(printed)
    options = tuple(
        Option(kind, THIS_SYMBOL, {"counter": COUNTER_TERM[kind]}) for kind in get_args(PopulationKind)
    )
    return ask(READ_SYMBOL, Read(PopulationKind, options))


def printed_symbol(at: Board) -> str | None:
    """The population symbol of the current card, if it was named with the card or is in the components."""
    for frame in at.agenda:
        named = getattr(frame.memory, "population", UNSET)
        if named is not UNSET:
            return str(named)
    current = at.position.cards.current if at.position.cards is not UNSET else UNSET
    card = at.components.cards.get(str(current))
    return None if card is None or card.population is UNSET else str(card.population)


def population_comes(at: Board, kind: str) -> tuple[Board, Where]:
    """One counter of that kind comes into the Passage of Time Box, if one is left."""
    rule = "nw:3.1.s1.population"
    if not is_left(at, kind):
        return tell_none_left(at, kind, rule), "elders"
    return to_passage(at, kind).tell(POPULATION_COMES, rule, counter=COUNTER_TERM[kind]), "elders"


# -- step 2: AP, and the Elders advance --------------------------------------------------------------

ELDERS_ADVANCE = message(
    "elders-advance",
    "Planning step 2: every Elder advances one space to the right; those in the last space stay.",
)


def elders_advance(at: Board) -> tuple[Board, Where]:
    """1 AP for each Elder; then each moves one space to the right."""
    elders = must_know(at.elders)
    if not sum(elders):
        return at, "elder-actions"
    at = gain(at, "ap", sum(elders), "nw:3.1.s2.elder-ap")
    at = at.change(elders=(0, *elders[:5], 0)).set_elders_in(7, elders[5] + elders[6])
    return at.tell(ELDERS_ADVANCE, "nw:3.1.s2.advance"), "elder-actions"


# -- step 3: Elder Actions ---------------------------------------------------------------------------

WHICH_ELDER = message(
    "planning-elder-action", "Planning step 3: which Elder attempts which Elder Action? Each may attempt one."
)
NO_MORE = message("planning-no-more", "No more; go on with the next step.")
ELDER_DOES = {
    "culture-to-military": message(
        "elder-option-culture", "Elder in space %(elder)s: 1 Culture Point becomes 1 Military Point."
    ),
    "military-to-culture": message(
        "elder-option-military", "Elder in space %(elder)s: 1 Military Point becomes 1 Culture Point."
    ),
    "ferocity": message(
        "elder-option-ferocity", "Elder in space %(elder)s: Ferocity of Family %(family)s %(change)s."
    ),
    "ap": message("elder-option-ap", "Elder in space %(elder)s: 1 AP."),
}


def ask_elder_action(at: Board) -> Question:
    """Every Elder Action that the position does not forbid."""
    return offer(at, WHICH_ELDER, not_forbidden(at, ELDER_ACTION.may, elder_actions()), elder_option)


def elder_actions() -> Iterator[ElderAction]:
    """Everything an Elder can attempt at all."""
    for space in SPACES:
        yield ElderAction(space, "ap")
        yield ElderAction(space, "culture-to-military")
        yield ElderAction(space, "military-to-culture")
        for letter in LETTERS:
            yield ElderAction(space, "ferocity", letter, 1)
            yield ElderAction(space, "ferocity", letter, -1)


def elder_option(do: ElderAction) -> Option:
    """How the offer of an Elder Action reads."""
    shown = {"elder": do.elder, "family": do.family, "change": f"{do.change or 0:+d}"}
    return Option(written(do), ELDER_DOES[do.choice], shown)


def elder_acts(at: Board, chosen: Any) -> tuple[Board, Where]:
    """Carry out the attempt, and note that this Elder has made it."""
    if chosen == "none":
        return at, "buy-trade-goods"
    acted: list[int] = list(at.recall("acted"))
    acted[chosen.elder - 1] += 1
    return ELDER_ACTION.begin(at.remember(acted=tuple(acted)), chosen)  # type: ignore[return-value]


def next_elder(at: Board) -> tuple[Board, Where]:
    """Another Elder may follow."""
    return at, "elder-actions"


def not_forbidden(at: Board, may: Callable[..., Any], actions: Iterable[Any]) -> Iterator[Any]:
    """Those of these actions that the position does not forbid; what was not told forbids nothing."""
    apart = at.apart()
    return (do for do in actions if evaluate(may(apart, do)).ruling != ILLEGAL)


def offer(at: Board, said: Message, actions: Iterable[Any], option: Callable[[Any], Option]) -> Question:
    """A decision between these actions and going on; not asked where nothing is open."""
    return ask(said, Choose((Option("none", NO_MORE), *map(option, actions))), have=at.ap)


def written(do: Any) -> dict[str, Any]:
    """An action as a request writes it, without what is left out."""
    given = {
        name: value for name, value in structs.asdict(do).items() if value is not None and value is not False
    }
    return {"kind": do.__struct_config__.tag, **given}


# -- step 4: buy Trade Goods -------------------------------------------------------------------------

NO_CULTURE = requirement(
    "trade-goods-without-culture",
    "Trade Goods can be bought only while Culture Points are greater than 0; they are at %(have)s.",
    met="Culture Points: %(have)s, so Trade Goods can be bought.",
)
NO_WOMAN = requirement(
    "trade-goods-without-woman",
    "Only a Family with a woman buys Trade Goods; there is none in the Family Box of Family %(family)s.",
    met="Family %(family)s has a woman, so it can buy Trade Goods.",
)
TRADE_NO_AP = requirement(
    "trade-goods-without-ap",
    "A Trade Goods counter costs 1 AP; there are %(have)s.",
    met="AP: %(have)s, and a Trade Goods counter costs 1.",
)
TRADED = requirement(
    "trade-goods-once",
    "Family %(family)s has bought Trade Goods in this Planning already; each Family may do so once.",
    met="Family %(family)s has not bought Trade Goods in this Planning.",
)
SET_ASIDE = message(
    "trade-goods-set-aside",
    "Some Trade Goods are set aside until a card makes them available: make sure that one is in the Out of Play Box.",
)
WHO_BUYS = message(
    "planning-buy-trade-goods",
    "Planning step 4: which Family buys a Trade Goods counter for 1 AP? AP available: %(have)s.",
)
THIS_FAMILY_BUYS = message("planning-family-buys", "Family %(family)s buys a Trade Goods counter.")
BOUGHT = message(
    "trade-goods-bought",
    "Family %(family)s buys a Trade Goods counter; it goes from the Out of Play Box to the Resources Box.",
)


def may_buy(at: Board, do: BuyTradeGoods) -> Iterator[Check | Caution]:
    """Everything that decides whether this Family may buy, in rulebook order."""
    rules, letter, family = ("nw:3.1.s4.buy-trade-goods", "nw:10.1.planning"), do.family, at.family(do.family)
    yield in_planning(at, rules[0])
    yield needs(family.in_play, NOT_IN_PLAY, "nw:13.in-play.family", pointer=family.pointer, family=letter)
    if family.in_play is False:
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
    yield needs(
        denied(has_done(at, "traded", letter)), TRADED, *rules, pointer="/operation/traded", family=letter
    )
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


def ask_buyer(at: Board) -> Question:
    """Every Family that may buy."""
    return offer(at, WHO_BUYS, not_forbidden(at, may_buy, map(BuyTradeGoods, LETTERS)), buy_option)


def buy_option(do: BuyTradeGoods) -> Option:
    """How the offer of a purchase reads."""
    return Option(written(do), THIS_FAMILY_BUYS, {"family": do.family})


def buys(at: Board, chosen: Any) -> tuple[Board, Where]:
    """One Family buys; others may follow."""
    if chosen == "none":
        return at, "tribes"
    return begin_buying(at, chosen)[0], "buy-trade-goods"


# -- step 5: the Tribes ------------------------------------------------------------------------------

WHO_ADDRESSES = message(
    "planning-tribes",
    "Planning step 5: which Family attempts Tribal Warfare or Tribal Diplomacy for 1 AP? AP available: %(have)s.",
)
MAKES_WAR = message("planning-makes-war", "Family %(family)s: Tribal Warfare against the Tribe %(tribe)s.")
MAKES_DIPLOMACY = message(
    "planning-makes-diplomacy", "Family %(family)s: Tribal Diplomacy with the Tribe %(tribe)s."
)


def ask_tribes(at: Board) -> Question:
    """Every Family that may, with every Tribe in the Active column."""
    pairs: list[tuple[Any, Any]] = [(letter, tribe) for letter in LETTERS for tribe in TRIBE_TERM]
    wars = not_forbidden(at, WARFARE_ACTION.may, (TribalWarfare(*pair) for pair in pairs))
    goods = least_trade_goods(at.apart())
    talks = not_forbidden(at, DIPLOMACY_ACTION.may, (TribalDiplomacy(*pair, goods) for pair in pairs))
    return offer(at, WHO_ADDRESSES, [*wars, *talks], tribe_option)


def tribe_option(do: TribalWarfare | TribalDiplomacy) -> Option:
    """How the offer reads; a horse, Firearms or more Trade Goods are added to the action by the player."""
    said = MAKES_WAR if isinstance(do, TribalWarfare) else MAKES_DIPLOMACY
    goods = do.trade_goods if isinstance(do, TribalDiplomacy) else 0
    value = {"kind": str(do.__struct_config__.tag), "family": do.family, "tribe": do.tribe}
    return Option(
        {**value, "trade_goods": goods} if goods else value,
        said,
        {"family": do.family, "tribe": TRIBE_TERM[do.tribe]},
    )


def address_tribe(at: Board, chosen: Any) -> tuple[Board, Where]:
    """One Family addresses a Tribe; others may follow."""
    if chosen == "none":
        return at, "cube-reset"
    action = WARFARE_ACTION if isinstance(chosen, TribalWarfare) else DIPLOMACY_ACTION
    return action.begin(at, chosen)  # type: ignore[return-value]


def next_family(at: Board) -> tuple[Board, Where]:
    """Another Family may follow."""
    return at, "tribes"


# -- step 6 ------------------------------------------------------------------------------------------


def reset_cubes(at: Board) -> tuple[Board, Where]:
    """Cube Reset, and Planning is over."""
    return cube_reset(at, "nw:3.1.s6.cube-reset"), end()


BUY_ACTION = Action(
    BuyTradeGoods,
    "nw:3.1.s4.buy-trade-goods",
    Term("nw.planning.buy_trade_goods"),
    message("action.buy-trade-goods", "A Family with a woman buys a Trade Goods counter in Planning."),
    may_buy,
    begin_buying,
)

PLANNING = procedure(
    "planning",
    PlanningMemory,
    reading("population", "nw:3.1.s1.population", ask_symbol, population_comes),
    automatic("elders", ("nw:3.1.s2.elder-ap", "nw:3.1.s2.advance"), elders_advance),
    decision("elder-actions", "nw:3.1.s3.elder-action", ask_elder_action, elder_acts, takes=(ELDER_ACTION,)),
    automatic("next-elder", "nw:3.1.s3.elder-action", next_elder),
    decision("buy-trade-goods", "nw:3.1.s4.buy-trade-goods", ask_buyer, buys, takes=(BUY_ACTION,)),
    decision(
        "tribes",
        ("nw:3.1.s5.entitlement", "nw:3.1.s5.target"),
        ask_tribes,
        address_tribe,
        takes=(WARFARE_ACTION, DIPLOMACY_ACTION),
    ),
    automatic("next-family", "nw:3.1.s5.entitlement", next_family),
    automatic("cube-reset", "nw:3.1.s6.cube-reset", reset_cubes),
)

ACTION = Action(
    Planning,
    "nw:3.1",
    Term("nw.op.planning"),
    message("action.planning", "The Operation Planning, in six steps."),
    may_plan,
    begin_planning,
)
