"""Section 7: Minor Events, which Operations cards name. Where Droughts come and end stands in droughts.py."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, ClassVar

from msgspec import Struct
from msgspec.structs import replace

from engine.actions import NOT_NAMED, Action, Said, is_named, say
from engine.chance import Die
from engine.memory import NOT_NOTED, Noted
from engine.messages import Message, Term, message, question
from engine.navajo_wars.board import Board
from engine.navajo_wars.cards import TYPE_TERM, current_card, printed, type_of
from engine.navajo_wars.components import MinorEventName, PrintedCard
from engine.navajo_wars.cubes import cube_reset
from engine.navajo_wars.droughts import (
    RolledMemory,
    ask_highest_neighbour,
    ask_lowest_neighbour,
    begin_drought,
    begin_drought_instead,
    end_drought,
    end_drought_instead,
    rolled,
)
from engine.navajo_wars.enemy import swap_row
from engine.navajo_wars.trade import SPEND, SpendTradeGoods
from engine.questions import Question, ask, known
from engine.tables import (
    END,
    Where,
    automatic,
    call,
    chance,
    decision,
    end,
    instead,
    part,
    procedure,
    reading,
)
from engine.verdict import Caution, Check, Unknown, is_told, must_know, warns

MINOR_EVENT_TERM: dict[MinorEventName, Term] = {
    "drought": Term("nw.minor_event.drought"),
    "drought-recovery": Term("nw.minor_event.recovery"),
    "swap": Term("nw.minor_event.swap"),
    "cube-reset": Term("nw.minor_event.cube_reset"),
}
MINOR_EVENT_RULE: dict[MinorEventName, str] = {
    "drought": "nw:7.2.1",
    "drought-recovery": "nw:7.2.2",
    "swap": "nw:7.2.3",
    "cube-reset": "nw:7.2.4",
}
FIRST_STEP: dict[MinorEventName, str] = {
    "drought": "drought-roll",
    "drought-recovery": "recovery-roll",
    "swap": "swap-roll",
    "cube-reset": "cube-reset",
}


class MinorEvent(Struct, frozen=True, forbid_unknown_fields=True, tag_field="kind", tag="minor-event"):
    """The Minor Event of an Operations card is carried out."""

    event: MinorEventName


ASK_EVENT = message("ask-minor-event", "Which Minor Event is it?")


class MinorEventMemory(RolledMemory, frozen=True):
    """Which Minor Event it is, and the Territory rolled."""

    questions: ClassVar[dict[str, Message]] = {**RolledMemory.questions, "event": ASK_EVENT}

    event: Noted[MinorEventName] = NOT_NOTED


# -- 7.1: Operations cards name one ------------------------------------------------------------------

NOT_ON_THIS_CARD = message(
    "minor-event-not-on-card",
    "Card #%(card)s is a %(type)s: only Operations cards have a Minor Event.",
)
ANOTHER_ON_THIS_CARD = message(
    "minor-event-another-on-card",
    "According to your copy, card #%(card)s has a different Minor Event: %(event)s.",
)


OFFER = message("minor-event-offer", "Minor Event: %(event)s")


def may_carry_out(at: Board, do: MinorEvent) -> Iterator[Check | Caution]:
    """Nothing stands in the way of an event; a caution where the card names none, or another one."""
    card = current_card(at)
    if isinstance(card, Unknown) or card is None:
        return
    copy = printed(at, card)
    kind = type_of(card) or copy.type
    if is_named(kind) and kind != "operations":
        rule = "nw:7.1.only-operations"
        yield warns(NOT_ON_THIS_CARD, rule, pointer="/cards/current", card=card, type=TYPE_TERM[kind])
    elif copy.minor_event not in (NOT_NAMED, do.event):
        named = MINOR_EVENT_TERM[copy.minor_event]
        yield warns(ANOTHER_ON_THIS_CARD, "nw:7", pointer="/action/event", card=card, event=named)


def ways(at: Board, _: None) -> Iterator[MinorEvent]:
    """The Minor Event that the components state for the card, or else each of the four."""
    card = current_card(at)
    on_file = PrintedCard() if isinstance(card, Unknown) or card is None else printed(at, card)
    named = on_file.minor_event
    return (MinorEvent(event) for event in MINOR_EVENT_TERM if named in (NOT_NAMED, event))


def variants(_: Board, __: None) -> Iterator[MinorEvent]:
    """Each of the four: what the components state is a caution, and no bar."""
    return (MinorEvent(event) for event in MINOR_EVENT_TERM)


def offer(_: Board, do: MinorEvent) -> Said:
    """Its name."""
    return say(OFFER, event=MINOR_EVENT_TERM[do.event])


def begin_minor_event(at: Board, do: MinorEvent) -> tuple[Board, Where]:
    """Who sends it has decided to carry it out; the sequence of play asks first."""
    return at, call(MINOR_EVENT, step=FIRST_STEP[do.event], event=do.event)


# -- 10.2: it can be bought off ----------------------------------------------------------------------

CANCEL = question(
    "minor-event-cancel",
    "Is the Minor Event carried out, or cancelled with 3 Trade Goods?",
    lead="Minor Event: %(event)s.",
)
CARRY_OUT = message("minor-event-carry-out", "The Minor Event is carried out.")
BUY_OFF = message("minor-event-buy-off", "3 Trade Goods are spent, and the Minor Event does not happen.")


TO_CANCEL = SpendTradeGoods("cancel-minor-event")


def ask_cancel(at: Board, noted: MinorEventMemory) -> Question:
    """Where Trade Goods were not told it is asked only if no roll waits, at which it can be cancelled too."""
    event: MinorEventName = must_know(noted.event)
    if event != "cube-reset" and not is_told(at.resource("trade_goods")):
        return known("none")
    return ask(CANCEL, event=MINOR_EVENT_TERM[event])


def cancelling_once_written(_: Board, _noted: MinorEventMemory, value: Any) -> SpendTradeGoods | None:
    """Saved games say “trade-goods” for it."""
    return TO_CANCEL if value == "trade-goods" else None


def carry_out(at: Board, noted: MinorEventMemory) -> tuple[Board, Where]:
    """Each Minor Event has its own steps."""
    return at, FIRST_STEP[must_know(noted.event)]


# -- 7.2.1: Drought ----------------------------------------------------------------------------------

DROUGHT_ROLL = message(
    "drought-roll", "Minor Event, Drought: roll a die for the Territory that gets a Drought counter."
)


def ask_drought_roll(_: Board, _noted: MinorEventMemory) -> Question:
    """The die that names the Territory."""
    return ask(DROUGHT_ROLL, Die())


def drought_roll(at: Board, _noted: MinorEventMemory, die: int) -> tuple[Board, Where]:
    """A Drought counter in an empty Drought space; if there is none, a neighbour's."""
    at, placed = begin_drought(at, die, "nw:7.2.1.drought")
    return (at, end()) if placed else (at.remember(die=die), "drought-neighbour")


def neighbour_dries_out(at: Board, noted: MinorEventMemory, neighbour: str | None) -> Board:
    """The one with the highest die symbol, if it has an empty Drought space."""
    return begin_drought_instead(at, rolled(noted), neighbour, "nw:7.2.1.drought-overflow")


# -- 7.2.2: a Drought ends ---------------------------------------------------------------------------

RECOVERY_ROLL = message(
    "minor-event-recovery-roll",
    "Minor Event, Recovery: roll a die for the Territory that loses a Drought counter.",
)


def ask_recovery_roll(_: Board, _noted: MinorEventMemory) -> Question:
    """The die that names the Territory."""
    return ask(RECOVERY_ROLL, Die())


def recovery_roll(at: Board, _noted: MinorEventMemory, die: int) -> tuple[Board, Where]:
    """A Drought counter there is removed; if there is none, a neighbour's."""
    at, recovered = end_drought(at, die, "nw:7.2.2.drought-ends")
    return (at, end()) if recovered else (at.remember(die=die), "recovery-neighbour")


def neighbour_recovers(at: Board, noted: MinorEventMemory, neighbour: str | None) -> Board:
    """The one with the lowest die symbol, if it has a Drought counter."""
    return end_drought_instead(at, rolled(noted), neighbour, "nw:7.2.2.fallback")


# -- 7.2.3: Instructions are swapped -----------------------------------------------------------------

SWAP_ROLL = message(
    "swap-roll",
    "Minor Event, Roll to swap Instructions: roll a die for the row in which the counters of the Active column and the Standby "
    "column are swapped.",
)
SWAPPED = message(
    "row-swapped",
    "Row %(row)s: the Instruction counter %(active)s goes to the Standby column, %(standby)s to the "
    "Active column.",
    outcome=True,
    whole=True,
)
NOT_SWAPPED = message(
    "row-not-swapped",
    "Row %(row)s is empty in the %(empty)s: no swap.",
    outcome=True,
)


def ask_swap_roll(_: Board, _noted: MinorEventMemory) -> Question:
    """The die that names the row."""
    return ask(SWAP_ROLL, Die())


def swap_roll(at: Board, _noted: MinorEventMemory, die: int) -> Board:
    """Active and Standby change places in that row, if both have a counter there."""
    return swap_row(at, die, "nw:7.2.3.swap-roll", swapped=SWAPPED, not_swapped=NOT_SWAPPED)


# -- 7.2.4: Cube Reset -------------------------------------------------------------------------------


def reset_cubes(at: Board, _noted: MinorEventMemory) -> Board:
    """As in every Cube Reset."""
    return cube_reset(at, "nw:7.2.4.cube-reset")


MINOR_EVENT = procedure(
    "minor-event",
    MinorEventMemory,
    decision(
        "cancel",
        ("nw:7.1.cancel", "nw:10.2.cancel-event"),
        ask_cancel,
        takes=(
            replace(
                SPEND,
                offer=lambda _, __: say(BUY_OFF),
                ways=lambda _, use: (SpendTradeGoods(use),),
                subjects=lambda _: (TO_CANCEL.use,),
            ),
        ),
        or_else=instead(CARRY_OUT, "event"),
        reads=cancelling_once_written,
        then="cancel",
        goes=("cancel", "event", END),
        title="Cancelled with 3 Trade Goods, or carried out",
    ),
    automatic("event", "nw:7", carry_out, goes=tuple(FIRST_STEP.values()), title="Which Minor Event it is"),
    part("drought", "Drought"),
    chance(
        "drought-roll",
        "nw:7.2.1.drought",
        ask_drought_roll,
        drought_roll,
        goes=("drought-neighbour", END),
        title="Roll for the Territory that dries out",
    ),
    reading(
        "drought-neighbour",
        ("nw:7.2.1.drought-overflow", "nw:7.2.1.canyon-never", "nw:13.adjacent.territory"),
        ask_highest_neighbour,
        neighbour_dries_out,
        then=END,
        title="A neighbour dries out instead",
    ),
    part("recovery", "Recovery"),
    chance(
        "recovery-roll",
        "nw:7.2.2.drought-ends",
        ask_recovery_roll,
        recovery_roll,
        goes=("recovery-neighbour", END),
        title="Roll for the Territory that recovers",
    ),
    reading(
        "recovery-neighbour",
        ("nw:7.2.2.fallback", "nw:13.adjacent.territory"),
        ask_lowest_neighbour,
        neighbour_recovers,
        then=END,
        title="A neighbour recovers instead",
    ),
    part("swap", "Roll to swap Instructions"),
    chance(
        "swap-roll",
        "nw:7.2.3.swap-roll",
        ask_swap_roll,
        swap_roll,
        then=END,
        title="Roll for the row that is swapped",
    ),
    part("cube-reset", "Cube Reset"),
    automatic("cube-reset", "nw:7.2.4.cube-reset", reset_cubes, then=END, title="Cubes change boxes"),
    title="Minor Event",
)

ACTION = Action(
    MinorEvent,
    "nw:7",
    Term("nw.minor_event"),
    message("action.minor-event", "The Minor Event that an Operations card names is carried out."),
    may_carry_out,
    begin_minor_event,
    called=lambda do: (MINOR_EVENT_TERM[do.event], MINOR_EVENT_RULE[do.event]),
    offer=offer,
    ways=ways,
    variants=variants,
)
