"""Section 8.1: Good Medicine, which replaces the Victory Check of a Historical Event card for a price."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar, Literal

from msgspec import Struct, UnsetType

from engine.actions import NOT_NAMED, Action, is_named, say
from engine.memory import NOT_NOTED, Memory, Noted
from engine.messages import Message, Ref, Term, message, question, requirement
from engine.navajo_wars.board import ASK_CARD, Board
from engine.navajo_wars.cards import TRANSITIONS, CardMemory, current_card, this_card, type_of
from engine.navajo_wars.components import Changes
from engine.navajo_wars.cubes import cubes_of
from engine.navajo_wars.position import CardNumber
from engine.navajo_wars.printed import (
    COLOURS,
    CUBE_BOXES,
    ChangedRef,
    PrintedEffect,
    always_so,
    apply_printed,
    as_on_file,
    by_hand,
)
from engine.questions import Option, Question, Read, ask, known
from engine.tables import Where, call, procedure, reading
from engine.verdict import Caution, Check, Unknown, certain, demand, is_told, must_know, needs

ON_TRANSITION = requirement(
    "good-medicine-on-transition",
    "Good Medicine is not allowed with a Transitional Event card (#45, #50 or #55): the Victory Check must be made.",
    met="The card being resolved is not a Transitional Event card, so Good Medicine is not ruled out.",
)
NOT_HISTORICAL = requirement(
    "good-medicine-without-historical-event",
    "Good Medicine replaces the Victory Check of a Historical Event card, and no such card is being resolved.",
    met="A Historical Event card is being resolved: Good Medicine may replace its Victory Check.",
)
CANNOT_PAY = requirement(
    "good-medicine-cannot-be-paid",
    "Good Medicine cannot be paid for (%(piece)s: needed %(need)s, available %(have)s). Make the Victory Check.",
    met="Good Medicine can be paid for (%(piece)s: needed %(need)s, available %(have)s).",
)
READ_PRICE = question(
    "good-medicine-price",
    "Good Medicine: what does the Good Medicine table print for card #%(card)s?",
    hint="Include the black cubes that leave the Raid Pool.",
)
CHECK_AFTER_ALL = message(
    "good-medicine-check-after-all", "Good Medicine is not paid: the Victory Check is made instead."
)
MEDICINE_USED = message(
    "good-medicine-used",
    "Good Medicine replaces the Victory Check of card #%(card)s: none of its ten steps is carried out.",
    outcome=True,
)
GOOD_MEDICINE_OFFERED = message(
    "victory-segment-good-medicine", "Good Medicine, at the cost the table prints"
)
POINTS_TERM = {
    "ap": Term("nw.ap"),
    "culture": Term("nw.culture_points"),
    "military": Term("nw.military_points"),
}


class GoodMedicine(Struct, frozen=True, forbid_unknown_fields=True, tag_field="kind", tag="good-medicine"):
    """Good Medicine instead of the Victory Check of a Historical Event card."""

    card: CardNumber | UnsetType = NOT_NAMED


class MedicineMemory(Memory, frozen=True):
    """The Historical Event card."""

    questions: ClassVar[dict[str, Message]] = {"card": ASK_CARD}

    card: Noted[CardNumber] = NOT_NOTED


def may_use(at: Board, do: GoodMedicine) -> Iterator[Check | Caution]:
    """A Historical Event card, no Transitional Event card, and a price that can be paid."""
    card = do.card if is_named(do.card) else current_card(at)
    pointer = "/action/card" if is_named(do.card) else "/cards/current"
    allowed = card if isinstance(card, Unknown) else card not in TRANSITIONS
    yield needs(allowed, ON_TRANSITION, "nw:8.1.not-transition", "nw:8.transition-check", pointer=pointer)
    if not certain(allowed):
        return
    historical = isinstance(card, int) and type_of(card) == "historical"
    yield needs(historical, NOT_HISTORICAL, "nw:8.historical-choice", "nw:13.good-medicine", pointer=pointer)
    price = at.components.good_medicine.get(str(card))
    if price is not None:
        yield from can_pay(at, price)


def can_pay(at: Board, price: Changes) -> Iterator[Check]:
    """Whatever the price takes away must be there; points are not converted for it."""
    owed: dict[str, int] = {}
    for change in price.changes:
        if isinstance(change.by, int):
            owed[change.pointer] = owed.get(change.pointer, 0) - change.by
    for pointer, need in owed.items():
        have = held(at, pointer)
        if need > 0 and have is not None:
            shown = {"need": need, "have": have, "piece": piece(pointer)}
            rules = ("nw:8.1.afford", "nw:8.1.cost-table")
            yield needs(have >= need, CANNOT_PAY, *rules, pointer=pointer, **shown)


def held(at: Board, pointer: str) -> int | Unknown | None:
    """How much is there of what a price can take: points, cubes, or what the Resources Box holds."""
    match pointer.split("/")[1:]:
        case ["tracks", name] if name in POINTS_TERM:
            return at.track(name)
        case [box, colour] if box in CUBE_BOXES and colour in COLOURS:
            return cubes_of(at, box, colour)
        case ["resources", kind] if kind in ("horse", "sheep", "trade_goods", "firearms"):
            return at.resource(kind)  # type: ignore[no-any-return]
    return None


def piece(pointer: str) -> Ref:
    """What is taken, in words."""
    _, box, name = pointer.split("/")
    return POINTS_TERM[name] if box == "tracks" else ChangedRef(pointer)


def begin_medicine(at: Board, do: GoodMedicine) -> tuple[Board, Where]:
    """The price comes first."""
    return at, call(GOOD_MEDICINE, card=do.card)


CHECK: Literal["victory-check"] = "victory-check"
Price = PrintedEffect | Literal["victory-check"]


def ask_price(at: Board, noted: MedicineMemory) -> Question:
    """The row of the card, looked up where the components state it; one that cannot be paid leaves the Victory Check."""
    card = must_know(this_card(at, noted.card))
    demand(may_use(at, GoodMedicine(NOT_NAMED if card is None else card)))
    price = at.components.good_medicine.get(str(card))
    if price is not None and not by_hand(price):
        return known(price)
    options = (Option(CHECK, CHECK_AFTER_ALL), *as_on_file(price))
    row = Read(Price, options, place=f"/components/good_medicine/{card}", states=of_the_row)
    return ask(READ_PRICE, row, card=card)


def of_the_row(read: Price) -> Changes | None:
    """What the card's row prints every time; None where something was done by hand, or nothing was paid."""
    changes = None if read == CHECK else always_so(read)
    return None if changes is None else Changes(changes)


def pay(at: Board, noted: MedicineMemory, price: Price) -> tuple[Board, Where | None]:
    """The price is paid, and nothing of the Victory Check happens."""
    card = must_know(this_card(at, noted.card))
    if price == CHECK:
        at = at.tell(CHECK_AFTER_ALL, "nw:8.historical-choice")
        drawn = at.noted(CardMemory)
        vp = drawn.vp if drawn is not None and is_told(drawn.vp) else NOT_NOTED
        return at, call("victory-check", card=card, vp=vp)
    if isinstance(price, Changes):
        demand(can_pay(at, price))
    at = apply_printed(at, price, "nw:8.1.cost-table")
    return at.tell(MEDICINE_USED, "nw:8.1.skip", "nw:13.good-medicine", card=card), None


GOOD_MEDICINE = procedure(
    "good-medicine",
    MedicineMemory,
    reading(
        "price",
        ("nw:8.1.cost-table", "nw:13.good-medicine"),
        ask_price,
        pay,
        title="The price of the Good Medicine table",
    ),
    title="Good Medicine",
)

ACTION = Action(
    GoodMedicine,
    "nw:8.1",
    Term("nw.good_medicine"),
    message(
        "action.good-medicine",
        "Good Medicine instead of the Victory Check of a Historical Event card, at the cost the table prints.",
    ),
    may_use,
    begin_medicine,
    offer=lambda _, __: say(GOOD_MEDICINE_OFFERED),
    ways=lambda _, __: (GoodMedicine(),),
    asks={"card": ASK_CARD},
)
