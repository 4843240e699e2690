"""Section 10: Trade Goods, had by barter and spent at the right moment, whatever else is under way."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from typing import Annotated, Any, Literal

from msgspec import Meta, Struct
from msgspec.structs import replace

from engine.actions import Action, Said, say
from engine.chance import Dice, Die, Draw
from engine.exceptions import Refused
from engine.flow import question_under_way
from engine.memory import NOT_NOTED
from engine.messages import Message, act, message, requirement
from engine.navajo_wars.board import LAST_SPACE, Board
from engine.navajo_wars.counters import COUNTER_TERM, available
from engine.navajo_wars.cubes import POOL_NOT_TOLD, any_in
from engine.navajo_wars.enemy import EnemyMemory
from engine.navajo_wars.negotiate import TRADE_GOODS_SPENT
from engine.navajo_wars.planning import trade_goods_available
from engine.navajo_wars.points import gain
from engine.navajo_wars.position import Count
from engine.tables import Where, end
from engine.verdict import (
    Caution,
    Check,
    Truth,
    Unknown,
    certain,
    every,
    is_told,
    must_know,
    needs,
    refuted,
    some,
    total,
    warns,
)

Animal = Literal["horse", "sheep"]
ANIMALS: tuple[Animal, ...] = ("horse", "sheep")
CornValue = Annotated[int, Meta(ge=0, le=20)]

# -- 10.1: barter ------------------------------------------------------------------------------------

ONE_PRICE = requirement(
    "barter-one-price",
    "You barter either Animals or corn: name one of the two.",
    met="You barter either Animals or corn, not both.",
)
THREE_ANIMALS = requirement(
    "barter-three-animals",
    "A Trade Goods counter costs exactly 3 Animals in any mix; named: %(have)s.",
    met="3 Animals are given for a Trade Goods counter.",
)
SIX_OF_CORN = requirement(
    "barter-six-of-corn",
    "A Trade Goods counter costs Corn counters worth at least 6; those named are worth %(have)s.",
    met="Corn counters worth %(have)s are given for a Trade Goods counter.",
)
NOT_IN_RESOURCES = requirement(
    "barter-not-in-resources",
    "Not enough %(counter)s counters are in the Resources Box: %(need)s named, only %(have)s there.",
    met="Enough %(counter)s counters are in the Resources Box: %(need)s named, %(have)s there.",
)
CORN_NOT_THERE = requirement(
    "barter-corn-not-there",
    "Not all of the Corn counters named are in the Resources Box.",
    met="The Corn counters named are in the Resources Box.",
)
BARTER_NO_CULTURE = requirement(
    "barter-without-culture",
    "By the reading chosen here, Trade Goods can be obtained only while Culture Points are greater than 0; they "
    "are at %(have)s.",
    met="Culture Points are greater than 0 (%(have)s), as obtaining Trade Goods requires.",
)
NO_CHANGE = message(
    "barter-no-change",
    "No change is given: the Corn counters named are worth %(have)s, and fewer of them would be enough.",
)
ANIMALS_BARTERED = message(
    "animals-bartered",
    "A Trade Goods counter comes into the Resources Box; 3 Animals go to the Out of Play Box (%(terms)s).",
    outcome=True,
    terms={"horse": "horses: %(horse)s", "sheep": "sheep: %(sheep)s"},
)
CORN_BARTERED = message(
    "corn-bartered",
    "A Trade Goods counter comes into the Resources Box; Corn counters worth %(value)s go back to their Draw "
    "Cup.",
    outcome=True,
)


class Barter(Struct, frozen=True, forbid_unknown_fields=True, tag_field="kind", tag="barter"):
    """Animals or corn are exchanged for a Trade Goods counter."""

    animals: dict[Animal, Count] | None = None
    corn: Annotated[tuple[CornValue, ...], Meta(max_length=40)] | None = None


def may_barter(at: Board, do: Barter) -> Iterator[Check | Caution]:
    """3 Animals or corn worth 6, and a Trade Goods counter that is available."""
    one = (do.animals is None) != (do.corn is None)
    yield needs(one, ONE_PRICE, "nw:10.1.animals", "nw:10.1.corn", pointer="/action")
    if not one:
        return
    yield from may_give_corn(at, do.corn) if do.animals is None else may_give_animals(at, do.animals)
    yield from gate_at_culture_zero(at)
    yield from trade_goods_available(at)


def gate_at_culture_zero(at: Board) -> Iterator[Check]:
    """At 0 Culture Points barter stays open, unless chosen otherwise (C66)."""
    culture = at.culture
    if not refuted(culture == 0) and at.choice("barter-at-culture-zero") == "barred":
        pointer = "/tracks/culture"
        yield needs(culture > 0, BARTER_NO_CULTURE, "nw:10.1.culture-gate", pointer=pointer, have=culture)


def may_give_animals(at: Board, animals: Any) -> Iterator[Check]:
    """Exactly 3, all of them in the Resources Box."""
    number = sum(animals.values())
    yield needs(number == 3, THREE_ANIMALS, "nw:10.1.animals", pointer="/action/animals", have=number)
    for kind, count in ((kind, count) for kind, count in animals.items() if count):
        yield needs(
            at.resource(kind) >= count,
            NOT_IN_RESOURCES,
            "nw:10.1.animals",
            "nw:13.animals",
            pointer=f"/resources/{kind}",
            counter=COUNTER_TERM[kind],
            need=count,
            have=at.resource(kind),
        )


def may_give_corn(at: Board, corn: Any) -> Iterator[Check | Caution]:
    """Worth at least 6, all of it in the Resources Box."""
    rule, worth = "nw:10.1.corn", sum(corn)
    yield needs(worth >= 6, SIX_OF_CORN, rule, pointer="/action/corn", have=worth)
    yield needs(has_corn(at, corn), CORN_NOT_THERE, rule, pointer="/resources/corn")
    if corn and worth - min(corn) >= 6:
        yield warns(NO_CHANGE, rule, pointer="/action/corn", have=worth)


def has_corn(at: Board, corn: tuple[int, ...]) -> Truth:
    """Are all these Corn counters in the Resources Box?"""
    there = at.resource("corn")
    return there if isinstance(there, Unknown) else not Counter(corn) - Counter(there)


BARTER_ANIMALS = message(
    "passage-barter",
    "Barter for a Trade Goods counter (10.1)%(terms)s",
    terms={"horse": "horses: %(horse)s", "sheep": "sheep: %(sheep)s"},
)
BARTER_CORN = message(
    "barter-corn-option", "Barter for a Trade Goods counter (10.1): Corn counters %(corn)s."
)


NOTHING_TO_BARTER = message(
    "nothing-to-barter",
    "There is nothing to barter with: neither 3 Animals nor corn worth 6 is in the Resources Box.",
)


def anything_to_barter(at: Board) -> Iterator[None]:
    """A barter is about nobody; without the goods for one there is none."""
    animals, corn = total(at.resource(kind) for kind in ANIMALS), at.resource("corn")
    if not refuted(some((animals >= 3, corn if isinstance(corn, Unknown) else sum(corn) >= 6))):
        yield None


def barters(at: Board, _: None) -> Iterator[Barter]:
    """Every mix of 3 Animals that are there, and every smallest set of Corn counters worth 6."""
    yield from mixes_of_animals(at, None)
    for corn in sets_worth(Counter(must_know(at.resource("corn"))), 6):
        yield Barter(corn=corn)


def mixes_of_animals(at: Board, _: None) -> Iterator[Barter]:
    """Every mix of 3 Animals, as far as they may be there."""
    for horses in range(4):
        there = every((at.resource("horse") >= horses, at.resource("sheep") >= 3 - horses))
        if not refuted(there):
            yield Barter({"horse": horses, "sheep": 3 - horses})


def sets_worth(corn: Counter[int], need: int, largest: int = 20) -> Iterator[tuple[int, ...]]:
    """The sets of counters worth at least this of which none can be left out, the largest counters first."""
    for value in sorted((one for one in corn if 0 < one <= largest), reverse=True):
        if value >= need:
            yield (value,)
        else:
            for rest in sets_worth(corn - Counter((value,)), need - value, value):
                yield (value, *rest)


def offer_barter(_: Board, do: Barter) -> Said:
    """How the offer of a barter reads."""
    if do.animals is None:
        return say(BARTER_CORN, corn=tuple(map(str, do.corn or ())))
    return say(BARTER_ANIMALS, **do.animals)


def begin_barter(at: Board, do: Barter) -> tuple[Board, None]:
    """The price goes, the counter comes."""
    gate = ("nw:10.1.culture-gate",) if certain(at.culture == 0) else ()
    if do.animals is not None:
        for kind, count in do.animals.items():
            at = at.spend_resource(kind, count) if count else at
        shown = {"horse": do.animals.get("horse", 0), "sheep": do.animals.get("sheep", 0)}
        at = at.tell(ANIMALS_BARTERED, "nw:10.1.animals", *gate, **shown)
    else:
        given: tuple[int, ...] = do.corn or ()
        left = Counter(at.resource("corn")) - Counter(given)
        at = at.set_corn(tuple(sorted(left.elements())))
        at = at.tell(CORN_BARTERED, "nw:10.1.corn", *gate, value=sum(given))
    return at.gain_resource("trade_goods", 1), None


# -- 10.2: what Trade Goods are spent on, and when ---------------------------------------------------

Use = Literal["ap", "cancel-flip", "animal", "reroll", "redraw", "cancel-minor-event", "cancel-enemy-way"]
FLIP_ROLL = ("enemy-operations", "flip-roll")
PRICE: dict[Use, int] = {
    "ap": 2,
    "cancel-flip": 2,
    "animal": 3,
    "reroll": 3,
    "redraw": 3,
    "cancel-minor-event": 3,
    "cancel-enemy-way": 3,
}
RULE = {
    "ap": "nw:10.2.ap",
    "cancel-flip": "nw:10.2.cancel-flip",
    "animal": "nw:10.2.animal",
    "reroll": "nw:10.2.reroll-all",
    "redraw": "nw:10.2.redraw-cube",
    "cancel-minor-event": "nw:10.2.cancel-event",
    "cancel-enemy-way": "nw:10.2.cancel-event",
}

TOO_FEW = requirement(
    "too-few-trade-goods",
    "This use of Trade Goods costs %(need)s; in the Resources Box: %(have)s.",
    met="Trade Goods: %(have)s in the Resources Box, and this costs %(need)s.",
)
AP_WASTED = message(
    "trade-goods-ap-wasted", "AP are at 19 already: the AP bought with Trade Goods would be lost."
)
WHICH_ANIMAL = requirement(
    "which-animal",
    "You have not said which Animal the Trade Goods are spent on: horse or sheep.",
    met="An Animal is named.",
)
NO_ROLL = requirement(
    "nothing-to-reroll",
    "A re-roll must follow the roll at once, before the result is named here. No roll is being made now.",
    met="A roll has just been made.",
)
ENEMY_HAS_ROLLED = requirement(
    "reroll-after-enemy",
    "In a Battle only the die of the Diné can be rolled again, and only before the die of the opponent is rolled.",
    met="The die of the opponent has not been rolled yet.",
)
NO_DRAW = requirement(
    "nothing-to-redraw",
    "A cube can be put back only right after it was drawn, before its colour is named here. No cube is being drawn now.",
    met="A cube has just been drawn.",
)
NO_FLIP = requirement(
    "no-flip-to-cancel",
    "The flip of an Instruction counter can be cancelled only in Enemy Operations step 3, once for each of the two rows the dice show. After rolling, name the row whose flip you cancel, and only then the two dice.",
    met="An Instruction counter is about to be flipped.",
)
NO_MINOR_EVENT = requirement(
    "no-minor-event-now",
    "Something else is under way: a Minor Event can only be cancelled while it is being carried out.",
    met="Nothing else is under way that would keep the Minor Event from being cancelled.",
)
IS_IT_TIME = message(
    "trade-goods-is-it-time",
    "The position does not say what is being carried out: make sure that it is the effect you want to cancel.",
)


USE: dict[Use, Message] = {
    "ap": message("trade-goods-use-ap", "Spend %(need)s Trade Goods: gain 1 AP."),
    "cancel-flip": message(
        "trade-goods-use-cancel-flip", "Spend %(need)s Trade Goods: cancel the flip in row %(row)s."
    ),
    "animal": message("trade-goods-use-animal", "Spend %(need)s Trade Goods: get a %(animal)s."),
    "reroll": message("trade-goods-use-reroll", "Spend %(need)s Trade Goods: roll again."),
    "redraw": message("trade-goods-use-redraw", "Spend %(need)s Trade Goods: draw another cube."),
    "cancel-minor-event": message(
        "trade-goods-use-cancel-minor-event", "Spend %(need)s Trade Goods: cancel the Minor Event."
    ),
    "cancel-enemy-way": message(
        "trade-goods-use-cancel-enemy-way", "Spend %(need)s Trade Goods: cancel the effect “Enemy Way”."
    ),
}


class SpendTradeGoods(
    Struct, frozen=True, forbid_unknown_fields=True, tag_field="kind", tag="spend-trade-goods"
):
    """Trade Goods are spent on one of their uses; `animal` belongs to that use, `row` to “cancel-flip”."""

    use: Use
    animal: Animal | None = None
    row: Annotated[int, Meta(ge=1, le=6)] | None = None


def may_spend(at: Board, do: SpendTradeGoods) -> Iterator[Check | Caution]:
    """The price, and the moment."""
    yield from may_pay(at, do.use)
    yield from MOMENT[do.use](at, do)


def may_pay(at: Board, use: Use) -> Iterator[Check]:
    """As many Trade Goods as the use costs."""
    need, have = PRICE[use], at.resource("trade_goods")
    rules = (RULE[use], "nw:13.spend")
    yield needs(have >= need, TOO_FEW, *rules, pointer="/resources/trade_goods", need=need, have=have)


def uses(_: Board, use: Use) -> Iterator[SpendTradeGoods]:
    """Each Animal, each row of Enemy Operations step 3; any other use has one way."""
    if use == "animal":
        yield from (SpendTradeGoods(use, animal=animal) for animal in ANIMALS)
    elif use == "cancel-flip":
        yield from (SpendTradeGoods(use, row=row) for row in range(1, 7))
    else:
        yield SpendTradeGoods(use)


def offer_use(_: Board, do: SpendTradeGoods) -> Said:
    """How the offer of a use reads."""
    animal = COUNTER_TERM[do.animal] if do.animal else None
    return say(USE[do.use], need=PRICE[do.use], animal=animal, row=do.row)


def for_ap(at: Board, _: SpendTradeGoods) -> Iterator[Caution]:
    """Any time; a caution where the AP would be lost."""
    if certain(at.ap >= LAST_SPACE):
        yield warns(AP_WASTED, "nw:1.7.4.ap-cap", pointer="/tracks/ap")


def for_animal(at: Board, do: SpendTradeGoods) -> Iterator[Check | Caution]:
    """Any time, if one is available."""
    yield needs(do.animal is not None, WHICH_ANIMAL, RULE[do.use], pointer="/action/animal")
    if do.animal is not None:
        yield from available(at, do.animal, RULE[do.use])


def for_reroll(at: Board, do: SpendTradeGoods) -> Iterator[Check]:
    """Right after the roll; in a Battle the die of the Diné, before the opponent's."""
    if at.agenda and at.agenda[-1].procedure == "battle":
        step = at.agenda[-1].step
        rules = ("nw:11.2.1.reroll-before-enemy", RULE[do.use])
        yield needs(step in ("dine-roll", "enemy-roll"), ENEMY_HAS_ROLLED, *rules, pointer="/agenda")
        return
    yield needs(waits_for(at, Die, Dice), NO_ROLL, RULE[do.use], pointer="/agenda")


def for_redraw(at: Board, do: SpendTradeGoods) -> Iterator[Check | Caution]:
    """Right after the draw; that the Raid Pool was not empty may have been left out."""
    drawn = waits_for(at, Draw)
    yield needs(drawn, NO_DRAW, RULE[do.use], pointer="/agenda")
    if drawn and not is_told(any_in(at, "raid_pool")):
        yield warns(POOL_NOT_TOLD, "nw:1.9.bag", pointer="/raid_pool")


def waits_for(at: Board, *kinds: type) -> bool:
    """Does the procedure under way wait for such a chance?"""
    try:
        question = question_under_way(at)
    except Refused:  # the procedure itself cannot go on here
        return False
    return question is not None and isinstance(question.answers, kinds)


NONE_CANCELLED = message(
    "no-flip-cancelled-yet",
    "The position does not say whether the flip in another row has already been cancelled for these two dice: it counts as not cancelled.",
)


def for_flip(at: Board, do: SpendTradeGoods) -> Iterator[Check | Caution]:
    """Right after the two dice of Enemy Operations step 3, for one of the two rows they show."""
    yield needs(can_cancel(at, do.row), NO_FLIP, RULE[do.use], pointer="/agenda")
    noted = at.noted(EnemyMemory)
    if noted is not None and isinstance(noted.kept, Unknown):
        yield warns(NONE_CANCELLED, RULE[do.use], pointer=noted.kept.facts[0].pointer)


def can_cancel(at: Board, row: int | None) -> bool:
    """Do Enemy Operations wait for the dice of step 3, with a flip in this row not cancelled yet?"""
    if row is None or not at.agenda or not waits_for_flips(at):
        return False
    kept = kept_rows(at)
    return row not in kept and len(kept) < 2


def kept_rows(at: Board) -> tuple[int, ...]:
    """The rows whose flips have been cancelled for the dice that Enemy Operations wait for."""
    noted = at.noted(EnemyMemory)
    return () if noted is None or isinstance(noted.kept, Unknown) else noted.kept


def for_minor_event(at: Board, do: SpendTradeGoods) -> Iterator[Check | Caution]:
    """While the Minor Event is under way, or just before it begins."""
    if not at.agenda:
        yield warns(IS_IT_TIME, RULE[do.use], pointer="/agenda")
        return
    minor = at.agenda[-1].procedure == "minor-event" or reads_minor_event(at)
    yield needs(minor, NO_MINOR_EVENT, RULE[do.use], pointer="/agenda")


def reads_minor_event(at: Board) -> bool:
    """Is the Minor Event of the card about to be read and carried out?"""
    return (at.agenda[-1].procedure, at.agenda[-1].step) == ("draw-card", "minor-event")


def for_enemy_way(_: Board, do: SpendTradeGoods) -> Iterator[Caution]:
    """When a Ceremony card sets off an Enemy Way; the cards are the player's to read."""
    yield warns(IS_IT_TIME, RULE[do.use], pointer="/agenda")


MOMENT: dict[str, Callable[[Board, SpendTradeGoods], Iterator[Any]]] = {
    "ap": for_ap,
    "cancel-flip": for_flip,
    "animal": for_animal,
    "reroll": for_reroll,
    "redraw": for_redraw,
    "cancel-minor-event": for_minor_event,
    "cancel-enemy-way": for_enemy_way,
}


# -- what they bring ---------------------------------------------------------------------------------

ANIMAL_COMES = message(
    "trade-goods-animal",
    "A %(animal)s goes from the Out of Play Box to the Resources Box.",
    outcome=True,
)
ROLL_AGAIN = message(
    "trade-goods-reroll",
    "The whole roll is re-rolled. The new roll counts, unless 3 more Trade Goods are spent at once.",
)
DRAW_AGAIN = message(
    "trade-goods-redraw",
    "The cube goes back to the Raid Pool, and another one is drawn in its place. The new cube counts, unless 3 more Trade Goods are spent at once.",
)
FLIP_CANCELLED = message(
    "trade-goods-flip-cancelled", "The flip of the Instruction counter in row %(row)s is cancelled."
)
MINOR_EVENT_CANCELLED = message(
    "trade-goods-minor-event-cancelled", "The Minor Event is cancelled.", outcome=True
)
ENEMY_WAY_CANCELLED = message(
    "trade-goods-enemy-way-cancelled", "The effect “Enemy Way” is cancelled.", outcome=True
)


def begin_spending(at: Board, do: SpendTradeGoods) -> tuple[Board, Where | None]:
    """The Trade Goods go to the Out of Play Box; then the benefit."""
    at = at.spend_resource("trade_goods", PRICE[do.use])
    at = at.tell(TRADE_GOODS_SPENT, RULE[do.use], "nw:10.2.any-time", count=PRICE[do.use])
    return BENEFIT[do.use](at, do)


def gain_ap(at: Board, _: SpendTradeGoods) -> tuple[Board, None]:
    """1 AP."""
    return gain(at, "ap", +1, "nw:10.2.ap"), None


def gain_animal(at: Board, do: SpendTradeGoods) -> tuple[Board, None]:
    """One Animal of the kind named."""
    kind = do.animal or "horse"
    at = at.gain_resource(kind, 1)
    return at.tell(ANIMAL_COMES, "nw:10.2.animal", animal=COUNTER_TERM[kind]), None


def roll_again(at: Board, _: SpendTradeGoods) -> tuple[Board, Where | None]:
    """The throw that was not told yet is forgotten; a Diné's die that was told is taken back."""
    elder = ("nw:3.1.s3.reroll-hook",) if at.agenda[-1].procedure == "elder-action" else ()
    at = at.tell(ROLL_AGAIN, "nw:10.2.reroll-all", "nw:10.2.reroll-binding", *elder)
    if at.agenda[-1].step == "enemy-roll" and at.agenda[-1].procedure == "battle":
        if at.choice("reroll-in-battle") == "opponents-die-too":
            return at, None
        return at.remember(dine=NOT_NOTED), "dine-roll"
    if waits_for_flips(at):
        at = at.remember(kept=())  # cancelled for the dice that no longer count
    return at, None


def draw_again(at: Board, _: SpendTradeGoods) -> tuple[Board, None]:
    """The cube that was not named yet is back in the Raid Pool."""
    return at.tell(DRAW_AGAIN, "nw:10.2.redraw-cube", "nw:10.2.redraw-binding"), None


def cancel_flip(at: Board, do: SpendTradeGoods) -> tuple[Board, None]:
    """The flip in that row does not happen."""
    at = at.remember(kept=(*kept_rows(at), do.row))
    return at.tell(FLIP_CANCELLED, "nw:10.2.cancel-flip", row=do.row), None


def cancel_minor_event(at: Board, _: SpendTradeGoods) -> tuple[Board, Where | None]:
    """The Minor Event is over."""
    at = at.tell(MINOR_EVENT_CANCELLED, "nw:10.2.cancel-event", "nw:7.1.cancel")
    if not at.agenda:
        return at, None
    return at, "discard-phase" if reads_minor_event(at) else end()


def cancel_enemy_way(at: Board, _: SpendTradeGoods) -> tuple[Board, None]:
    """The effect does not happen."""
    return at.tell(ENEMY_WAY_CANCELLED, "nw:10.2.cancel-event"), None


BENEFIT: dict[str, Callable[[Board, SpendTradeGoods], tuple[Board, Where | None]]] = {
    "ap": gain_ap,
    "cancel-flip": cancel_flip,
    "animal": gain_animal,
    "reroll": roll_again,
    "redraw": draw_again,
    "cancel-minor-event": cancel_minor_event,
    "cancel-enemy-way": cancel_enemy_way,
}

BARTER = Action(
    Barter,
    "nw:10.1",
    act("act.barter", "Barter"),
    message("action.barter", "3 Animals, or corn worth 6, are exchanged for a Trade Goods counter."),
    may_barter,
    begin_barter,
    any_time=True,
    offer=offer_barter,
    ways=barters,
    subjects=anything_to_barter,
    if_nobody=NOTHING_TO_BARTER,
)
SPEND = Action(
    SpendTradeGoods,
    "nw:10.2",
    act("act.spend-trade-goods", "Spending Trade Goods"),
    message("action.spend-trade-goods", "Trade Goods are spent on one of their uses."),
    may_spend,
    begin_spending,
    any_time=True,
    offer=offer_use,
    ways=uses,
    subjects=lambda _: PRICE,
    may_at_all=may_pay,
    subject="use",
)


# -- what is offered beside a question: its moment passes with the answer ------------------------------

OF_THE_MOMENT: tuple[Use, ...] = ("cancel-flip", "reroll", "redraw", "cancel-minor-event")


def affordable(at: Board) -> Iterator[Use]:
    """The uses of this moment that the Trade Goods told are enough for."""
    have, flips = at.resource("trade_goods"), waits_for_flips(at)
    return (use for use in OF_THE_MOMENT if certain(have >= PRICE[use]) and (flips or use != "cancel-flip"))


def waits_for_flips(at: Board) -> bool:
    """Do Enemy Operations wait for the dice of step 3?"""
    return (at.agenda[-1].procedure, at.agenda[-1].step) == FLIP_ROLL


MEANWHILE = replace(SPEND, subjects=affordable)
