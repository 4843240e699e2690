"""Section 2: the Sequence of Play around one card, and preempting (2.2.1). The Discard Phase stands in discard.py."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from msgspec import UNSET, Struct, UnsetType

from engine.actions import Action
from engine.exceptions import Refused
from engine.memory import Memory
from engine.messages import Term, message, requirement
from engine.navajo_wars import passage, planning
from engine.navajo_wars.activation import ACTION as ACTIVATE
from engine.navajo_wars.activation import Activate, begin_activation
from engine.navajo_wars.board import ASK_OPERATION, Board
from engine.navajo_wars.cards import (
    LAST_CARD,
    TRANSITIONS,
    TYPE_TERM,
    VP_OF_TRANSITION,
    current_card,
    lie_in,
    of_this_period,
    printed,
    resolved_card,
    set_cards,
    still_in_the_game,
    type_of,
)
from engine.navajo_wars.components import CardType, MinorEventName
from engine.navajo_wars.consequences import change_track
from engine.navajo_wars.elders import levels_published
from engine.navajo_wars.good_medicine import ACTION as GOOD_MEDICINE_ACTION
from engine.navajo_wars.good_medicine import GoodMedicine
from engine.navajo_wars.intruders import INTRUDERS
from engine.navajo_wars.map import is_area
from engine.navajo_wars.minor_events import MINOR_EVENT_TERM
from engine.navajo_wars.operation import begin_operation, nothing_done_yet, operating
from engine.navajo_wars.passage import PassageOfTime
from engine.navajo_wars.planning import Planning, PopulationKind
from engine.navajo_wars.position import CardNumber, Count
from engine.navajo_wars.printed import BY_HAND, PrintedEffect, apply_printed, as_on_file, by_hand
from engine.navajo_wars.trade import PRICE, SPEND, SpendTradeGoods, begin_spending
from engine.navajo_wars.victory_check import ACTION as VICTORY_CHECK_ACTION
from engine.navajo_wars.victory_check import VictoryCheck
from engine.questions import Choose, Option, Question, Read, ask, known
from engine.tables import Where, automatic, call, decision, end, procedure, reading
from engine.verdict import ILLEGAL, Caution, Check, Truth, Unknown, evaluate, must_know, needs, unknown, warns

# -- 2.1: draw a card --------------------------------------------------------------------------------

CARD_UNDER_WAY = requirement(
    "card-not-discarded",
    "Card #%(current)s is still being resolved; carry out its Discard Phase before you draw another card.",
    met="No other card is being resolved.",
)
NOT_IN_THE_DECK = requirement(
    "card-not-in-the-deck",
    "Card #%(card)s is not drawn from the deck: cards #1 to #40 are Operations cards and Ceremony cards, #41 to #55 event "
    "cards.",
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
    "Card #%(card)s is in the hand and cannot be drawn.",
    met="Card #%(card)s is not in the hand.",
)
DRAWN_BEFORE = message(
    "card-drawn-before",
    "Card #%(card)s is among the discarded cards: if the deck has been rebuilt since, take it off that list.",
)


class DrawCard(Struct, frozen=True, forbid_unknown_fields=True, tag_field="kind", tag="draw-card"):
    """A card is drawn; what it prints can be named here, is looked up in the components, or is asked for."""

    number: CardNumber
    type: CardType | UnsetType = UNSET
    preempt_cost: Count | UnsetType = UNSET
    enemy_ap: Count | UnsetType = UNSET
    enemy_ap_preempted: Count | UnsetType = UNSET
    population: PopulationKind | UnsetType = UNSET
    minor_event: MinorEventName | UnsetType = UNSET
    vp: Count | UnsetType = UNSET


class CardMemory(Memory, frozen=True):
    """The card, what it prints as far as it was named, and whether the Diné have preempted."""

    card: CardNumber | UnsetType = UNSET
    type: CardType | UnsetType = UNSET
    preempt_cost: Count | UnsetType = UNSET
    enemy_ap: Count | UnsetType = UNSET
    enemy_ap_preempted: Count | UnsetType = UNSET
    population: PopulationKind | UnsetType = UNSET
    minor_event: MinorEventName | UnsetType = UNSET
    vp: Count | UnsetType = UNSET
    preempted: bool | UnsetType = UNSET


def may_draw(at: Board, do: DrawCard) -> Iterator[Check | Caution]:
    """The last card is done with, and this one can be in the deck."""
    current = current_card(at)
    shown: dict[str, Any] = {"current": current} if isinstance(current, int) else {}
    free = current if isinstance(current, Unknown) else current is None
    yield needs(free, CARD_UNDER_WAY, "nw:2.3.3.discard", "nw:2.1.draw", pointer="/cards/current", **shown)
    rules = ("nw:2.1.draw", "nw:1.10.card-types")
    number, pointer = do.number, "/action/number"
    yield needs(number <= LAST_CARD, NOT_IN_THE_DECK, *rules, pointer=pointer, card=number)
    if number > LAST_CARD:
        return
    if do.type is not UNSET:
        fits = do.type in ((type_of(number),) if type_of(number) else PLAIN_TYPES)
        shown = {"card": number, "type": TYPE_TERM[do.type]}
        yield needs(fits, ANOTHER_TYPE, "nw:13.event-cards", pointer="/action/type", **shown)
    yield from of_this_period(at, number)
    yield from lies_elsewhere(at, number)


PLAIN_TYPES: tuple[CardType, ...] = ("operations", "ceremony")


def lies_elsewhere(at: Board, number: int) -> Iterator[Check | Caution]:
    """A card that lies anywhere else is not in the deck."""
    yield still_in_the_game(at, number)
    for where, refused, rules in (
        ("in_play", LIES_IN_PLAY, ("nw:6.1.1.lasting-card", "nw:13.in-play.card")),
        ("hand", HELD_IN_HAND, ("nw:13.hand",)),
    ):
        held = lie_in(at, where)
        absent = held if isinstance(held, Unknown) else number not in held
        yield needs(absent, refused, *rules, pointer=f"/cards/{where}", card=number)
    discarded = lie_in(at, "discarded")
    if not isinstance(discarded, Unknown) and number in discarded:
        yield warns(DRAWN_BEFORE, "nw:2.3.3.discard", pointer="/cards/discarded", card=number)


def begin_card(at: Board, do: DrawCard) -> tuple[Board, Where]:
    """The card lies face up; nothing has been done with it yet."""
    at = set_cards(at, current=do.number)
    return nothing_done_yet(at).tell(CARD_DRAWN, "nw:2.1.draw", card=do.number), call(
        DRAW_CARD,
        card=do.number,
        type=do.type,
        preempt_cost=do.preempt_cost,
        enemy_ap=do.enemy_ap,
        enemy_ap_preempted=do.enemy_ap_preempted,
        population=do.population,
        minor_event=do.minor_event,
        vp=do.vp,
    )


CARD_DRAWN = message("card-drawn", "Card #%(card)s is drawn.")
READ_TYPE = message("card-read-type", "Which type of card is card #%(card)s?")
THIS_TYPE = message("card-this-type", "%(type)s")
FLOW = {
    "operations": message(
        "card-flow-operations",
        "It is an Operations card: both sides operate, then come its Major Event and its Minor Event.",
    ),
    "ceremony": message("card-flow-ceremony", "It is a Ceremony card: only its Major Event is carried out."),
    "historical": message(
        "card-flow-historical",
        "It is a Historical Event card: its Major Event, then Good Medicine or a Victory Check.",
    ),
    "transition": message(
        "card-flow-transition",
        "It is a Transitional Event card: its Major Event contains the Victory Check.",
    ),
}


def card(at: Board) -> int:
    """The card that is being resolved: the one noted, or the one the position tells of; none is no answer here."""
    found = resolved_card(at)
    number: int = must_know(at.recall("card") if found is None else found)
    return number


def named(at: Board, what: str) -> Any:
    """What was named of the card when it was drawn, or what the components print; UNSET if neither."""
    told = at.recall(what)
    return getattr(printed(at, card(at)), what) if isinstance(told, Unknown) else told


def card_type(at: Board) -> CardType | UnsetType:
    """The type of the card: by its number if it is an event card, as named, or as the components print it."""
    found: CardType | UnsetType = type_of(card(at)) or named(at, "type")
    return found


def ask_type(at: Board) -> Question:
    """The number says it of event cards; of the others the player."""
    found = card_type(at)
    if found is not UNSET:
        return known(found)
    options = tuple(Option(one, THIS_TYPE, {"type": TYPE_TERM[one]}) for one in PLAIN_TYPES)
    return ask(READ_TYPE, Read(CardType, options), card=card(at))


def note_type(at: Board, kind: CardType) -> tuple[Board, Where]:
    """The parts of the card are resolved from top to bottom; which there are depends on its type."""
    at = at.remember(card=card(at), type=kind)
    at_once = ("nw:6.2.immediate",) if kind == "transition" else ()
    at = at.tell(FLOW[kind], "nw:2.2.top-down", f"nw:2.2.flow-{kind}", *at_once)
    return at, {"operations": "preempt-cost", "transition": "transition"}.get(kind, "major-event")


# -- 2.2.1: who goes first ---------------------------------------------------------------------------

READ_PREEMPT_COST = message(
    "preempt-read-cost", "How many AP does preempting cost, as card #%(card)s prints it?"
)
PREEMPT_OR_NOT = message(
    "preempt-or-not",
    "Do the Diné preempt, for %(cost)s AP? Otherwise the Enemy operates first. AP available: %(have)s.",
)
PREEMPTS = message("preempt-yes", "Preempt: the Diné operate first.")
DOES_NOT_PREEMPT = message("preempt-no", "The Enemy operates first.")
PREEMPTED = message("preempted", "The Diné preempt and operate before the Enemy.")
ENEMY_FIRST = message("enemy-operates-first", "The Enemy operates first, then the Diné.")
ASK_PREEMPT_COST = message("ask-preempt-cost", "How many AP does preempting cost, as the card prints it?")
BUYS_AP = message("preempt-buy-ap", "First spend 2 Trade Goods to gain 1 AP.")
ANOTHER_PREEMPT_COST = requirement(
    "preempt-cost-differs",
    "Preempting costs the AP that the card prints: %(need)s and not %(given)s.",
    met="Preempting costs the AP that the card prints: %(need)s.",
)
TOO_FEW_AP = requirement(
    "preempt-too-dear",
    "Preempting costs %(need)s AP, all at once; there are %(have)s.",
    met="Preempting costs %(need)s AP, and there are %(have)s.",
)
NOTHING_TO_PREEMPT = requirement(
    "nothing-to-preempt",
    "Only an Operations card lets the Diné preempt, before either side has operated.",
    met="The Diné may preempt now.",
)


class Preempt(Struct, frozen=True, forbid_unknown_fields=True, tag_field="kind", tag="preempt"):
    """The Diné operate before the Enemy; `cost` as the card prints it, where nothing else tells it."""

    cost: Count | UnsetType = UNSET


def may_preempt(at: Board, do: Preempt) -> Iterator[Check | Caution]:
    """An Operations card nobody has operated with yet, and its full cost."""
    rules = ("nw:2.2.1.preempt", "nw:13.preempt")
    yield needs(is_open_to_preempt(at), NOTHING_TO_PREEMPT, *rules, pointer="/cards/current")
    noted = noted_cost(at)
    if noted is not UNSET and do.cost is not UNSET:
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
    current, operation = current_card(at), at.position.operation
    if isinstance(current, Unknown):
        return current
    if current is None or (type_of(current) or printed(at, current).type) not in (UNSET, "operations"):
        return False
    chosen = UNSET if operation is UNSET else operation.kind
    return unknown("/operation/kind", ASK_OPERATION) if chosen is UNSET else chosen is None


def noted_cost(at: Board) -> int | Unknown | UnsetType:
    """What preempting costs, as noted of the card under way; nothing (UNSET) where none is under way."""
    under_way = at.agenda and isinstance(at.agenda[-1].memory, CardMemory)
    return at.recall("preempt_cost") if under_way else UNSET


def preempt_cost(at: Board, do: Preempt) -> int | Unknown:
    """As noted of the card drawn, as named, or as the components print it."""
    current = current_card(at)
    on_file = UNSET if not isinstance(current, int) else printed(at, current).preempt_cost
    found = [cost for cost in (noted_cost(at), do.cost, on_file) if cost is not UNSET]
    return found[0] if found else unknown("/action/cost", ASK_PREEMPT_COST)


def ask_preempt_cost(at: Board) -> Question:
    """The number on the card."""
    cost = named(at, "preempt_cost")
    return ask(READ_PREEMPT_COST, Read(Count), card=card(at)) if cost is UNSET else known(cost)


def note_preempt_cost(at: Board, cost: int) -> tuple[Board, Where]:
    """Then the player decides."""
    return at.remember(preempt_cost=cost), "preempt"


def ask_preempt(at: Board) -> Question:
    """Offered where the AP are there or can be had for Trade Goods; without them the Enemy goes first."""
    cost, have = must_know(at.recall("preempt_cost")), must_know(at.ap)
    options = [Option("none", DOES_NOT_PREEMPT)]
    if have >= cost:
        options.append(Option({"kind": "preempt"}, PREEMPTS))
    elif have + ap_for_trade_goods(at) >= cost:
        options.append(Option({"kind": "spend-trade-goods", "use": "ap"}, BUYS_AP))
    return ask(PREEMPT_OR_NOT, Choose(tuple(options)), cost=cost, have=have)


def ap_for_trade_goods(at: Board) -> int:
    """How many AP the Trade Goods in the Resources Box would bring (10.2); none where they were not told."""
    goods = at.resource("trade_goods")
    return 0 if isinstance(goods, Unknown) else int(goods) // PRICE["ap"]


def decide_order(at: Board, chosen: Any) -> tuple[Board, Where]:
    """The Enemy first, or the Diné for the full cost."""
    if chosen == "none":
        at = at.tell(ENEMY_FIRST, "nw:2.2.1.enemy-first", "nw:2.2.1.both-operate")
        return at.remember(preempted=False), "enemy-operations"
    if isinstance(chosen, SpendTradeGoods):
        return begin_spending(at, chosen)[0], "preempt"
    at, _ = pay_to_preempt(at, chosen)
    return at.remember(preempted=True), "operation"


def pay_to_preempt(at: Board, do: Preempt) -> tuple[Board, None]:
    """All AP at once."""
    cost = must_know(preempt_cost(at, do))
    at = change_track(at, "ap", -cost, "nw:2.2.1.preempt") if cost else at
    return at.tell(PREEMPTED, "nw:2.2.1.preempt", "nw:13.preempt"), None


# -- 2.2.1: both sides operate -----------------------------------------------------------------------


def enemy_operates(at: Board) -> tuple[Board, Where]:
    """Section 4, with the Enemy APs the card prints; another number after preempting only if the card has one (C46)."""
    ap, after_preempting = named(at, "enemy_ap"), named(at, "enemy_ap_preempted")
    if after_preempting is not UNSET and must_know(at.recall("preempted")):
        ap = after_preempting
    return at, call("enemy-operations", printed_ap=ap)


def enemy_has_operated(at: Board) -> tuple[Board, Where]:
    """Then the Diné, unless they went first."""
    return at, ("major-event" if must_know(at.recall("preempted")) else "operation")


WHICH_OPERATION = message(
    "which-operation", "Diné Operations: which one of the three Operations do you carry out with this card?"
)
THIS_OPERATION = {
    "planning": message("operation-planning", "Planning"),
    "take-actions": message("operation-take-actions", "Take Actions"),
    "passage-of-time": message("operation-passage-of-time", "Passage of Time"),
}
OPERATION_CHOSEN = message("operation-take-actions-chosen", "The Diné choose the Operation Take Actions.")


def ask_operation(_: Board) -> Question:
    """One of three, and one only."""
    return ask(WHICH_OPERATION, Choose(tuple(Option(name, said) for name, said in THIS_OPERATION.items())))


def dine_operate(at: Board, chosen: Any) -> tuple[Board, Where]:
    """Section 3: the Operation chosen; activating a Family chooses Take Actions."""
    if chosen == "planning" or isinstance(chosen, Planning):
        return planning.begin_planning(at, Planning())
    if chosen == "passage-of-time":
        return passage.begin_passage(doubt_levels(at), PassageOfTime())
    if isinstance(chosen, PassageOfTime):  # its own checks have said what is to be doubted
        return passage.begin_passage(at, chosen)
    at = at.tell(OPERATION_CHOSEN, "nw:3.choose-one", "nw:2.2.1.both-operate")
    if isinstance(chosen, Activate):
        return begin_activation(begin_operation(at, "take-actions"), chosen)
    return begin_operation(at, "take-actions"), "take-actions"


def doubt_levels(at: Board) -> Board:
    """Before time passes: Elder levels that only public sources state should be looked up once."""
    return at.doubt(levels_published(at))


def go_on_taking_actions(at: Board) -> tuple[Board, Where]:
    """Take Actions goes on until the player finishes it; the other two Operations are over by now."""
    if must_know(operating(at, "take-actions")):
        return at, call("take-actions", step="action")
    return at, "dine-have-operated"


def dine_have_operated(at: Board) -> tuple[Board, Where]:
    """Then the Enemy, unless he went first."""
    return at, ("enemy-operations" if must_know(at.recall("preempted")) else "major-event")


# -- 2.2.2: the Major Event --------------------------------------------------------------------------

READ_MAJOR_EVENT = message(
    "major-event-read",
    "Major Event of card #%(card)s: what does it change, as the card prints it? Send the changes (a card that stays in "
    "play is a change too), “none”, or “by-hand”.",
)
READ_CEREMONY = message(
    "major-event-read-ceremony",
    "Ceremony card #%(card)s: follow the procedure of its Major Event, an Enemy Way it sets off included. What does it "
    "change, and is the card taken into the hand? Send the changes, “none”, or “by-hand”.",
)
MAJOR_EVENT_DONE = message("major-event-done", "The Major Event of card #%(card)s has been carried out.")


def ask_major_event(at: Board) -> Question:
    """The text of the card is the player's to read; what is done by hand takes a pause, so it is asked for too."""
    on_file = printed(at, card(at)).major_event
    if on_file is not UNSET and not by_hand(on_file):
        return known(on_file)
    said = READ_CEREMONY if card_type(at) == "ceremony" else READ_MAJOR_EVENT
    return ask(said, Read(PrintedEffect, as_on_file(on_file)), card=card(at))


def major_event(at: Board, read: PrintedEffect) -> tuple[Board, Where]:
    """Every card drawn has one, and it must be carried out."""
    at = apply_printed(at, read, "nw:2.2.2.major-event")
    if read == BY_HAND:
        at = untold_rows(at)
    ceremony = card_type(at) == "ceremony"
    kind = ("nw:2.2.2.ceremony-procedure", "nw:13.ceremony-drawn") if ceremony else ()
    return at.tell(MAJOR_EVENT_DONE, "nw:6.1.must-execute", *kind, card=card(at)), "intruders"


def untold_rows(at: Board) -> Board:
    """An event done by hand may have put cards into play, into the hand or out of the game."""
    told = [row for row in ("in_play", "hand", "removed") if not isinstance(lie_in(at, row), Unknown)]
    return set_cards(at, **dict.fromkeys(told, UNSET)) if told else at


def reveal_intruders(at: Board) -> tuple[Board, Where]:
    """An Intruder placed with a Family is turned over at once; of several Families the first letter meets it."""
    if at.position.families is UNSET or at.position.areas is UNSET:
        return at, "after-major-event"
    for family in at.families():
        here = family.at
        if isinstance(here, str) and is_area(here) and at.counters(here, "intruders"):
            return at, call(INTRUDERS, family=family.letter, placed=True)
    return at, "after-major-event"


def more_intruders(at: Board) -> tuple[Board, Where]:
    """Another Family may have met one."""
    return at, "intruders"


def after_major_event(at: Board) -> tuple[Board, Where]:
    """What follows depends on the type of the card."""
    following = {"operations": "minor-event", "historical": "victory-segment"}
    kind = card_type(at)
    return at, following.get(must_know(at.recall("type")) if kind is UNSET else kind, "discard-phase")


# -- 2.2.3: the Minor Event --------------------------------------------------------------------------

READ_MINOR_EVENT = message("minor-event-read", "Which Minor Event does card #%(card)s name?")
THIS_MINOR_EVENT = message("minor-event-this", "%(event)s")


def ask_minor_event(at: Board) -> Question:
    """One of four, named on the Operations card."""
    name = named(at, "minor_event")
    if name is not UNSET:
        return known(name)
    options = tuple(Option(one, THIS_MINOR_EVENT, {"event": term}) for one, term in MINOR_EVENT_TERM.items())
    return ask(READ_MINOR_EVENT, Read(MinorEventName, options), card=card(at))


def minor_event(at: Board, name: MinorEventName) -> tuple[Board, Where]:
    """Section 7."""
    return at.remember(minor_event=name), call("minor-event", event=name)


def minor_event_over(at: Board) -> tuple[Board, Where]:
    """Then the Discard Phase."""
    return at, "discard-phase"


# -- 2.2.4: Good Medicine or Victory Check -----------------------------------------------------------

MEDICINE_OR_CHECK = message(
    "victory-segment", "Historical Event card #%(card)s: Good Medicine (8.1) or a Victory Check (8.2)?"
)
OF_ANOTHER_CARD = requirement(
    "victory-segment-of-another-card",
    "Card #%(card)s is being resolved and not card #%(given)s: its own Good Medicine or Victory Check is carried out.",
    met="Card #%(card)s is the one that is being resolved.",
)
GOOD_MEDICINE = message("victory-segment-good-medicine", "Good Medicine, at the cost the table prints")
VICTORY_CHECK = message("victory-segment-check", "Victory Check")


def ask_segment(at: Board) -> Question:
    """One of the two must be carried out."""
    number: Any = card(at)
    options = [Option({"kind": "victory-check", "card": number}, VICTORY_CHECK)]
    if evaluate(GOOD_MEDICINE_ACTION.may(at.apart(), GoodMedicine(number))).ruling != ILLEGAL:
        options.append(Option({"kind": "good-medicine", "card": number}, GOOD_MEDICINE))
    return ask(MEDICINE_OR_CHECK, Choose(tuple(options)), card=number)


def carry_out_segment(at: Board, chosen: Any) -> tuple[Board, Where]:
    """Section 8; the VP named when the card was drawn are its VP."""
    number: Any = card(at)
    if chosen.card not in (UNSET, number):
        shown, rule = {"card": number, "given": chosen.card}, "nw:2.2.4.victory-segment"
        raise Refused(needs(False, OF_ANOTHER_CARD, rule, pointer="/inputs", **shown))
    if isinstance(chosen, GoodMedicine):
        return GOOD_MEDICINE_ACTION.begin(at, GoodMedicine(number))  # type: ignore[return-value]
    vp = named(at, "vp") if chosen.vp is UNSET else chosen.vp
    return VICTORY_CHECK_ACTION.begin(at, VictoryCheck(vp=vp, card=number))  # type: ignore[return-value]


def segment_over(at: Board) -> tuple[Board, Where]:
    """Then the Discard Phase."""
    return at, "discard-phase"


# -- 6.2: Transitional Event cards -------------------------------------------------------------------

CHECKED_ONCE = message(
    "transition-checked-once",
    "The Victory Check was a part of the Major Event; it is not made a second time.",
)


def transition(at: Board) -> tuple[Board, Where]:
    """The whole card is its Major Event."""
    number = transition_card(at)
    return doubt_levels(at), (
        call("kit-carson") if number == TRANSITIONS[-1] else call("transition", card=number)
    )


def transition_card(at: Board) -> int:
    """The card, which must be a Transitional Event card here."""
    number = card(at)
    if number not in TRANSITIONS:
        shown = {"card": number, "type": TYPE_TERM["transition"]}
        raise Refused(needs(False, ANOTHER_TYPE, "nw:13.event-cards", pointer="/cards/current", **shown))
    return number


def second_check(at: Board) -> tuple[Board, Where]:
    """2.2.4 names a Victory Check too; it is the one inside the event, unless read otherwise (C58)."""
    number = transition_card(at)
    if at.choice("transition-victory-check") == "twice":
        return at, call("victory-check", card=number, vp=VP_OF_TRANSITION[number])
    return at.tell(CHECKED_ONCE, "nw:6.2.transition-once", "nw:8.transition-check"), "discard-phase"


# -- 2.3: the Discard Phase --------------------------------------------------------------------------


def discard(at: Board) -> tuple[Board, Where]:
    """Every card ends with it."""
    return at, call("discard-phase", card=card(at))


def card_over(at: Board) -> tuple[Board, Where]:
    """The next card can be drawn."""
    return at, end()


PREEMPT_ACTION = Action(
    Preempt,
    "nw:2.2.1",
    Term("nw.preempt"),
    message("action.preempt", "The Diné pay the AP on the Operations card to operate before the Enemy."),
    may_preempt,
    pay_to_preempt,
)

DRAW_CARD = procedure(
    "draw-card",
    CardMemory,
    reading("card-type", ("nw:2.1.draw", "nw:2.2.top-down"), ask_type, note_type),
    reading("preempt-cost", "nw:2.2.1.preempt", ask_preempt_cost, note_preempt_cost),
    decision("preempt", "nw:2.2.1.preempt", ask_preempt, decide_order, takes=(PREEMPT_ACTION, SPEND)),
    automatic("enemy-operations", "nw:2.2.1.both-operate", enemy_operates),
    automatic("enemy-has-operated", "nw:2.2.1.both-operate", enemy_has_operated),
    decision(
        "operation",
        ("nw:3.choose-one", "nw:2.2.1.both-operate"),
        ask_operation,
        dine_operate,
        takes=(planning.ACTION, passage.ACTION, ACTIVATE),
    ),
    automatic("take-actions", "nw:3.choose-one", go_on_taking_actions),
    automatic("dine-have-operated", "nw:2.2.1.both-operate", dine_have_operated),
    reading("major-event", ("nw:2.2.2.major-event", "nw:6.1.must-execute"), ask_major_event, major_event),
    automatic("intruders", "nw:13.outsiders.reveal-on-placed", reveal_intruders),
    automatic("more-intruders", "nw:13.outsiders.reveal-on-placed", more_intruders),
    automatic("after-major-event", "nw:2.2.top-down", after_major_event),
    reading("minor-event", "nw:2.2.3.minor-event", ask_minor_event, minor_event),
    automatic("minor-event-over", "nw:2.2.3.minor-event", minor_event_over),
    decision(
        "victory-segment",
        ("nw:2.2.4.victory-segment", "nw:8.historical-choice"),
        ask_segment,
        carry_out_segment,
        takes=(VICTORY_CHECK_ACTION, GOOD_MEDICINE_ACTION),
    ),
    automatic("segment-over", "nw:2.2.4.victory-segment", segment_over),
    automatic("transition", "nw:6.2.immediate", transition),
    automatic("second-check", "nw:6.2.transition-once", second_check),
    automatic("discard-phase", "nw:2.3.order", discard),
    automatic("card-over", "nw:2.3.5.repeat", card_over),
)

ACTION = Action(
    DrawCard,
    "nw:2.1",
    Term("nw.phase.card_draw"),
    message(
        "action.draw-card",
        "A card is drawn and resolved from top to bottom, to the end of its Discard Phase.",
    ),
    may_draw,
    begin_card,
)
