"""Section 2: the Sequence of Play around one card. Whether it can be drawn stands in draw_card.py, preempting in
preempt.py, the Discard Phase in discard.py.
"""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct
from msgspec.structs import replace

from engine.actions import Action, is_named, say
from engine.exceptions import Refused
from engine.memory import NOT_NOTED
from engine.messages import Term, message, question, requirement
from engine.navajo_wars import passage, planning
from engine.navajo_wars.activation import ACTION as ACTIVATE
from engine.navajo_wars.activation import Activate, begin_activation
from engine.navajo_wars.board import NO_LONGER_TOLD, Board
from engine.navajo_wars.cards import (
    TRANSITIONS,
    TYPE_TERM,
    VP_OF_TRANSITION,
    CardMemory,
    card,
    card_type,
    filed,
    lie_in,
    named,
    on_card,
    on_file,
    set_cards,
    under_way,
)
from engine.navajo_wars.components import CardType, MinorEventName, NamedOnCard
from engine.navajo_wars.consequences import ferocious_without_man, set_ferocity
from engine.navajo_wars.draw_card import ANOTHER_TYPE, PLAIN_TYPES, DrawCard, last_card_done, may_draw
from engine.navajo_wars.elders import levels_published
from engine.navajo_wars.good_medicine import ACTION as GOOD_MEDICINE_ACTION
from engine.navajo_wars.good_medicine import GoodMedicine
from engine.navajo_wars.intruders import INTRUDERS
from engine.navajo_wars.minor_events import MINOR_EVENT_TERM
from engine.navajo_wars.operation import begin_operation, not_chosen_yet, nothing_done_yet, operating
from engine.navajo_wars.passage import PassageOfTime
from engine.navajo_wars.planning import Planning
from engine.navajo_wars.preempt import ACTION as PREEMPT
from engine.navajo_wars.preempt import (
    BUYS_AP,
    DOES_NOT_PREEMPT,
    ap_for_preempting,
    ask_preempt,
    ask_preempt_cost,
    note_preempt_cost,
    operate_first,
    operate_second,
)
from engine.navajo_wars.printed import BY_HAND, PrintedEffect, apply_printed, as_on_file, by_hand
from engine.navajo_wars.trade import SPEND
from engine.navajo_wars.victory_check import ACTION as VICTORY_CHECK_ACTION
from engine.navajo_wars.victory_check import VictoryCheck
from engine.questions import Option, Question, Read, ask, known
from engine.tables import (
    END,
    Where,
    automatic,
    call,
    decision,
    instead,
    once_written,
    part,
    procedure,
    reading,
)
from engine.verdict import Check, certain, demand, is_told, must_know, needs

# -- 2.1: draw a card --------------------------------------------------------------------------------


def begin_card(at: Board, do: DrawCard) -> tuple[Board, Where]:
    """The card lies face up; nothing has been done with it yet, and what the last one has left undone is made up for."""
    for family in ferocious_without_man(at):
        at = set_ferocity(at, family.letter, 0, "nw:2.3.4.adjust-ferocity")
    at = set_cards(at, current=do.number)
    named = {fact: getattr(do, fact) for fact in NamedOnCard.__struct_fields__}
    at = nothing_done_yet(at).tell(CARD_DRAWN, "nw:2.1.draw", card=do.number)
    return at, call(DRAW_CARD, card=do.number, **named)


CARD_DRAWN = message("card-drawn", "Card #%(card)s is drawn.")
READ_TYPE = message("card-read-type", "Which type of card is card #%(card)s?")
THIS_TYPE = message("card-this-type", "%(type)s")
FLOW = {
    "operations": message(
        "card-flow-operations",
        "It is an Operations card: both sides operate, then come its Major Event and its Minor Event.",
        tells="ritual",
    ),
    "ceremony": message(
        "card-flow-ceremony", "It is a Ceremony card: only its Major Event is carried out.", tells="ritual"
    ),
    "historical": message(
        "card-flow-historical",
        "It is a Historical Event card: its Major Event, then Good Medicine or a Victory Check.",
        tells="ritual",
    ),
    "transition": message(
        "card-flow-transition",
        "It is a Transitional Event card: its Major Event contains the Victory Check.",
        tells="ritual",
    ),
}


def ask_type(at: Board, noted: CardMemory) -> Question:
    """The number says it of event cards; of the others the player."""
    found = card_type(at, noted)
    if found is not None:
        return known(found)
    options = tuple(Option(one, THIS_TYPE, {"type": TYPE_TERM[one]}) for one in PLAIN_TYPES)
    number = card(at, noted)
    return ask(READ_TYPE, Read(CardType, options, place=on_card(number, "type")), card=number)


def note_type(at: Board, noted: CardMemory, kind: CardType) -> tuple[Board, Where]:
    """The parts of the card are resolved from top to bottom; which there are depends on its type."""
    at = at.remember(card=card(at, noted), type=kind)
    at_once = ("nw:6.2.immediate",) if kind == "transition" else ()
    at = at.tell(FLOW[kind], "nw:2.2.top-down", f"nw:2.2.flow-{kind}", *at_once)
    return at, {"operations": "preempt-cost", "transition": "transition"}.get(kind, "major-event")


# -- 2.2.1: both sides operate -----------------------------------------------------------------------


def enemy_operates(at: Board, noted: CardMemory) -> tuple[Board, Where]:
    """Section 4, with the Enemy APs the card prints; another number after preempting only if the card has one (C46)."""
    ap = named(noted.enemy_ap, on_file(at, noted).enemy_ap)
    after_preempting = named(noted.enemy_ap_preempted, on_file(at, noted).enemy_ap_preempted)
    if after_preempting is not None and must_know(noted.preempted):
        ap = after_preempting
    return at, call("enemy-operations", printed_ap=NOT_NOTED if ap is None else ap)


def enemy_has_operated(at: Board, noted: CardMemory) -> tuple[Board, Where]:
    """Then the Diné, unless they went first."""
    return at, ("major-event" if must_know(noted.preempted) else "operation")


WHICH_OPERATION = message(
    "which-operation", "Diné Operations: which one of the three Operations do you carry out with this card?"
)


def ask_operation(at: Board, _noted: CardMemory) -> Question:
    """One of three, and one only: where one has been chosen with this card, no other follows."""
    demand([not_chosen_yet(at)])
    return ask(WHICH_OPERATION)


CHOOSE_TAKE_ACTIONS = message("operation-take-actions", "Take Actions")
OPERATION_CHOSEN = message("operation-take-actions-chosen", "The Diné choose the Operation Take Actions.")


class TakeActions(Struct, frozen=True, forbid_unknown_fields=True, tag_field="kind", tag="take-actions"):
    """The Diné take Actions, Family by Family."""


def may_take_actions(at: Board, _: TakeActions) -> Iterator[Check]:
    """Take Actions is open while no Operation has been chosen; each Action has its own conditions."""
    yield not_chosen_yet(at)


def begin_taking_actions(at: Board, do: TakeActions) -> tuple[Board, Where]:
    """Family by Family, until the player finishes it."""
    return choose_take_actions(at, do)[0], call("take-actions")


def choose_take_actions(at: Board, _: TakeActions | Activate) -> tuple[Board, None]:
    """The Operation is chosen; the card goes on with it."""
    at = at.tell(OPERATION_CHOSEN, "nw:3.choose-one", "nw:2.2.1.both-operate")
    return begin_operation(at, "take-actions"), None


def activate_first(at: Board, do: Activate) -> tuple[Board, Where | None]:
    """Activating a Family chooses Take Actions."""
    return begin_activation(choose_take_actions(at, do)[0], do)


OPERATIONS = {
    "planning": Planning(),
    "take-actions": TakeActions(),
    "passage-of-time": PassageOfTime(),
}


def go_on_taking_actions(at: Board, _noted: CardMemory) -> tuple[Board, Where]:
    """Take Actions goes on until the player finishes it; the other two Operations are over by now."""
    if must_know(operating(at, "take-actions")):
        return at, call("take-actions", step="action")
    return at, "dine-have-operated"


def dine_have_operated(at: Board, noted: CardMemory) -> tuple[Board, Where]:
    """Then the Enemy, unless he went first."""
    return at, ("enemy-operations" if must_know(noted.preempted) else "major-event")


# -- 2.2.2: the Major Event --------------------------------------------------------------------------

READ_MAJOR_EVENT = question(
    "major-event-read",
    "Major Event of card #%(card)s: what does it change, according to the card?",
    hint="If the card stays in play, say that as well.",
)
READ_CEREMONY = question(
    "major-event-read-ceremony",
    "What does the Major Event of card #%(card)s change, and is the card taken into your hand?",
    lead="Ceremony card #%(card)s: carry out its Major Event as the card says, including any Enemy Way it triggers.",
)
MAJOR_EVENT_DONE = message(
    "major-event-done", "The Major Event of card #%(card)s has been carried out.", tells="detail"
)


def ask_major_event(at: Board, noted: CardMemory) -> Question:
    """The text of the card is the player's to read; what is done by hand takes a pause, so it is asked for too."""
    effect: PrintedEffect | None = filed(on_file(at, noted).major_event)
    if effect is not None and not by_hand(effect):
        return known(effect)
    said = READ_CEREMONY if card_type(at, noted) == "ceremony" else READ_MAJOR_EVENT
    return ask(said, Read(PrintedEffect, as_on_file(effect)), card=card(at, noted))


def major_event(at: Board, noted: CardMemory, read: PrintedEffect) -> Board:
    """Every card drawn has one, and it must be carried out."""
    at = apply_printed(at, read, "nw:2.2.2.major-event")
    if read == BY_HAND:
        at = untold_rows(at)
    ceremony = card_type(at, noted) == "ceremony"
    kind = ("nw:2.2.2.ceremony-procedure", "nw:13.ceremony-drawn") if ceremony else ()
    return at.tell(MAJOR_EVENT_DONE, "nw:6.1.must-execute", *kind, card=card(at, noted))


def untold_rows(at: Board) -> Board:
    """An event done by hand may have put cards into play, into the hand or out of the game."""
    told = [row for row in ("in_play", "hand", "removed") if is_told(lie_in(at, row))]
    return set_cards(at, **dict.fromkeys(told, NO_LONGER_TOLD)) if told else at


def reveal_intruders(at: Board, noted: CardMemory) -> tuple[Board, Where]:
    """Intruders placed with Families are turned over at once; what follows then depends on the type of the card."""
    meets = who_meets_intruders(at)
    if meets is not None:
        return at, call(INTRUDERS, family=meets, placed=True)
    kind = card_type(at, noted)
    following = {"operations": "minor-event", "historical": "victory-segment"}
    return at, following.get(must_know(noted.type) if kind is None else kind, "discard-phase")


def who_meets_intruders(at: Board) -> str | None:
    """A Family in an Area with Intruders; of several the one with the first letter."""
    for family in at.families_told():
        if certain(at.counters(family.at, "intruders") > 0):
            return family.letter
    return None


# -- 2.2.3: the Minor Event --------------------------------------------------------------------------

READ_MINOR_EVENT = message("minor-event-read", "Which Minor Event does card #%(card)s name?")
THIS_MINOR_EVENT = message("minor-event-this", "%(event)s")


def ask_minor_event(at: Board, noted: CardMemory) -> Question:
    """One of four, named on the Operations card."""
    name = named(noted.minor_event, on_file(at, noted).minor_event)
    if name is not None:
        return known(name)
    options = tuple(Option(one, THIS_MINOR_EVENT, {"event": term}) for one, term in MINOR_EVENT_TERM.items())
    number = card(at, noted)
    return ask(
        READ_MINOR_EVENT, Read(MinorEventName, options, place=on_card(number, "minor_event")), card=number
    )


def minor_event(at: Board, _noted: CardMemory, name: MinorEventName) -> tuple[Board, Where]:
    """Section 7."""
    return at.remember(minor_event=name), call("minor-event", event=name)


# -- 2.2.4: Good Medicine or Victory Check -----------------------------------------------------------

MEDICINE_OR_CHECK = message(
    "victory-segment", "Historical Event card #%(card)s: Good Medicine (8.1) or a Victory Check (8.2)?"
)
OF_ANOTHER_CARD = requirement(
    "victory-segment-of-another-card",
    "Card #%(card)s is being resolved, not card #%(given)s: only the Good Medicine or Victory "
    "Check of card #%(card)s can be carried out.",
    met="Card #%(card)s is the one that is being resolved.",
)
VICTORY_CHECK = message("victory-segment-check", "Victory Check")


def ask_segment(at: Board, noted: CardMemory) -> Question:
    """One of the two must be carried out; a card without a Victory Check has neither."""
    number = card(at, noted)
    demand(VICTORY_CHECK_ACTION.may(at, VictoryCheck(card=number)))
    return ask(MEDICINE_OR_CHECK, card=number)


def checks_of_card(at: Board, _: None) -> Iterator[VictoryCheck]:
    """The Victory Check of the card under way."""
    yield VictoryCheck(card=card(at, under_way(at)))


def medicines_of_card(at: Board, _: None) -> Iterator[GoodMedicine]:
    """Good Medicine with the card under way."""
    yield GoodMedicine(card(at, under_way(at)))


def check_of_card(at: Board, do: VictoryCheck) -> tuple[Board, Where | None]:
    """Section 8.2; the VP named when the card was drawn are its VP."""
    noted = under_way(at)
    vp = named(noted.vp, on_file(at, noted).vp)
    check = VictoryCheck(vp=do.vp, card=card(at, noted))
    return VICTORY_CHECK_ACTION.begin(at, check if vp is None or is_named(do.vp) else replace(check, vp=vp))


def medicine_of_card(at: Board, _: GoodMedicine) -> tuple[Board, Where | None]:
    """Section 8.1."""
    return GOOD_MEDICINE_ACTION.begin(at, GoodMedicine(card(at, under_way(at))))


def of_this_card(at: Board, noted: CardMemory, do: VictoryCheck | GoodMedicine) -> Iterator[Check]:
    """Good Medicine and the Victory Check belong to the card under way, and to no other."""
    number = card(at, noted)
    if is_named(do.card):
        shown, rule = {"card": number, "given": do.card}, "nw:2.2.4.victory-segment"
        yield needs(do.card == number, OF_ANOTHER_CARD, rule, pointer="/inputs", **shown)


# -- 6.2: Transitional Event cards -------------------------------------------------------------------

CHECKED_ONCE = message(
    "transition-checked-once",
    "The Victory Check was a part of the Major Event; it is not made a second time.",
    tells="ritual",
)


def transition(at: Board, noted: CardMemory) -> tuple[Board, Where]:
    """The whole card is its Major Event; Elder levels that only public sources state should be looked up once."""
    number = transition_card(at, noted)
    event = call("kit-carson") if number == TRANSITIONS[-1] else call("transition", card=number)
    return at.doubt(levels_published(at)), event


def transition_card(at: Board, noted: CardMemory) -> int:
    """The card, which must be a Transitional Event card here."""
    number = card(at, noted)
    if number not in TRANSITIONS:
        shown = {"card": number, "type": TYPE_TERM["transition"]}
        raise Refused(needs(False, ANOTHER_TYPE, "nw:13.event-cards", pointer="/cards/current", **shown))
    return number


def second_check(at: Board, noted: CardMemory) -> tuple[Board, Where | None]:
    """2.2.4 names a Victory Check too; it is the one inside the event, unless read otherwise (C58)."""
    number = transition_card(at, noted)
    if at.choice("transition-victory-check") == "twice":
        return at, call("victory-check", card=number, vp=VP_OF_TRANSITION[number])
    return at.tell(CHECKED_ONCE, "nw:6.2.transition-once", "nw:8.transition-check"), None


# -- 2.3: the Discard Phase --------------------------------------------------------------------------


def discard(at: Board, noted: CardMemory) -> tuple[Board, Where]:
    """Every card ends with it."""
    return at, call("discard-phase", card=card(at, noted))


TAKE_ACTIONS = Action(
    TakeActions,
    "nw:3.2",
    Term("nw.op.take_actions"),
    message("action.take-actions", "The Operation Take Actions: Families are activated one after the other."),
    may_take_actions,
    begin_taking_actions,
    offer=lambda _, __: say(CHOOSE_TAKE_ACTIONS),
    ways=lambda _, __: (TakeActions(),),
)

DRAW_CARD = procedure(
    "draw-card",
    CardMemory,
    reading(
        "card-type",
        ("nw:2.1.draw", "nw:2.2.top-down"),
        ask_type,
        note_type,
        goes=("preempt-cost", "major-event", "transition"),
        title="Which type of card is it?",
    ),
    part("operations", "Operations"),
    reading(
        "preempt-cost", "nw:2.2.1.preempt", ask_preempt_cost, note_preempt_cost, title="What preempting costs"
    ),
    decision(
        "preempt",
        "nw:2.2.1.preempt",
        ask_preempt,
        takes=(
            replace(PREEMPT, begin=operate_first),
            replace(SPEND, offer=lambda _, __: say(BUYS_AP), ways=ap_for_preempting),
        ),
        or_else=instead(DOES_NOT_PREEMPT, "enemy-first"),
        then="preempt",
        goes=("operation", "preempt", "enemy-first"),
        title="Do the Diné preempt?",
    ),
    automatic("enemy-first", "nw:2.2.1.enemy-first", operate_second, title="The Enemy operates first"),
    automatic("enemy-operations", "nw:2.2.1.both-operate", enemy_operates, title="Enemy Operations"),
    automatic(
        "enemy-has-operated",
        "nw:2.2.1.both-operate",
        enemy_has_operated,
        goes=("operation", "major-event"),
        title="Have the Diné operated already?",
    ),
    decision(
        "operation",
        ("nw:3.choose-one", "nw:2.2.1.both-operate"),
        ask_operation,
        takes=(
            planning.ACTION,
            replace(TAKE_ACTIONS, begin=choose_take_actions),
            passage.ACTION,
            # taken, not offered: Take Actions stands for it
            replace(ACTIVATE, begin=activate_first, ways=lambda _, __: ()),
        ),
        reads=once_written(OPERATIONS),
        title="Diné Operations",
    ),
    automatic(
        "take-actions",
        "nw:3.choose-one",
        go_on_taking_actions,
        title="Take Actions, Family by Family",
    ),
    automatic(
        "dine-have-operated",
        "nw:2.2.1.both-operate",
        dine_have_operated,
        goes=("enemy-operations", "major-event"),
        title="Has the Enemy operated already?",
    ),
    part("events", "Events"),
    reading(
        "major-event",
        ("nw:2.2.2.major-event", "nw:6.1.must-execute"),
        ask_major_event,
        major_event,
        title="Major Event",
    ),
    automatic(
        "intruders",
        "nw:13.outsiders.reveal-on-placed",
        reveal_intruders,
        then="intruders",
        goes=("intruders", "minor-event", "victory-segment", "discard-phase"),
        title="Intruders placed with a Family",
    ),
    reading(
        "minor-event",
        "nw:2.2.3.minor-event",
        ask_minor_event,
        minor_event,
        then="discard-phase",
        title="Minor Event",
    ),
    decision(
        "victory-segment",
        ("nw:2.2.4.victory-segment", "nw:8.historical-choice"),
        ask_segment,
        takes=(
            replace(
                VICTORY_CHECK_ACTION,
                begin=check_of_card,
                offer=lambda _, __: say(VICTORY_CHECK),
                ways=checks_of_card,
            ),
            replace(GOOD_MEDICINE_ACTION, begin=medicine_of_card, ways=medicines_of_card),
        ),
        demands=of_this_card,
        then="discard-phase",
        title="Good Medicine or Victory Check",
    ),
    part("transition", "Transitional Event"),
    automatic("transition", "nw:6.2.immediate", transition, title="Major Event with its Victory Check"),
    automatic("second-check", "nw:6.2.transition-once", second_check, title="A second Victory Check?"),
    part("discard", "Discard Phase"),
    automatic("discard-phase", "nw:2.3.order", discard, then=END, title="Discard Phase"),
    title="Resolving a card",
    renamed={
        "more-intruders": "intruders",
        "after-major-event": "intruders",
        "minor-event-over": "discard-phase",
        "segment-over": "discard-phase",
    },
)

ASK_DRAWN = message("ask-card-drawn", "Which number does the card drawn have?")

# No ways: which card it is only the deck shows.
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
    may_at_all=last_card_done,
    asks={"number": ASK_DRAWN},
)
