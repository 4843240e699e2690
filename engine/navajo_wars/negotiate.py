"""Section 5.2.2: Negotiate."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, ClassVar

from msgspec import Meta, Struct, structs

from engine.actions import Action, Said, say
from engine.chance import Die
from engine.memory import NOT_NOTED, Memory, Noted
from engine.messages import Message, Term, message, question, requirement
from engine.navajo_wars.board import Board
from engine.navajo_wars.consequences import modifier_shown, move_family, on_chart, roll_shown
from engine.navajo_wars.map import PlaceRef, territory_of
from engine.navajo_wars.position import Count, FamilyLetter
from engine.navajo_wars.reactions import (
    RAID_GOES_ON,
    can_pay,
    enemy_raid_only,
    families_in_play,
    free_of_outposts,
    not_immune,
    pay,
    placed_here,
    reacts_at_all,
    standing_in,
    tribal_raid,
)
from engine.questions import Question, ask
from engine.tables import END, Where, call, chance, procedure
from engine.verdict import Caution, Check, Truth, Unknown, as_number, certain, needs, refuted, some, total


class Negotiate(Struct, frozen=True, forbid_unknown_fields=True, tag_field="kind", tag="negotiate"):
    """A Family negotiates with the Enemy Raid that has entered its Area."""

    family: FamilyLetter
    trade_goods: Count = 0


NOT_ENOUGH_TRADE_GOODS = requirement(
    "not-enough-trade-goods",
    "You named %(need)s Trade Goods to be spent; in the Resources Box there are only %(have)s.",
    met="Trade Goods: %(have)s in the Resources Box, %(need)s to be spent.",
    one=("have", "You named %(need)s Trade Goods to be spent; in the Resources Box there is only %(have)s."),
)
TRADE_GOODS_SPENT = message(
    "trade-goods-spent", "Trade Goods spent and put into the Out of Play Box: %(count)s.", tells="detail"
)
NEGOTIATE_ROLL = question(
    "negotiate-roll",
    "Roll a die for the Negotiation of Family %(family)s.",
    hint="Modifier: %(modifier)s. A modified 6 or more succeeds; an unmodified 1 always fails, an unmodified 6 always succeeds.",
)
NEGOTIATE_ROLLED = message(
    "negotiate-rolled",
    "Family %(family)s negotiates: die roll %(die)s%(terms)s, modified die roll %(total)s.",
    tells="detail",
    terms={"modifier": "modifier %(modifier)s"},
    untold="Family %(family)s negotiates: die roll %(die)s.",
)
NEGOTIATE_SUCCEEDS = message(
    "negotiate-succeeds",
    "The Negotiation succeeds: all Families in Area %(area)s go to the %(box)s, and the Raid does not affect them.",
    outcome=True,
)
NEGOTIATE_FAILS = message(
    "negotiate-fails", "The Negotiation fails: the Families stay in Area %(area)s.", outcome=True
)
NATURAL_1 = message("natural-1", "An unmodified 1 always fails.", tells="detail")
NATURAL_6 = message("natural-6", "An unmodified 6 always succeeds.", tells="detail")


def may_negotiate(at: Board, do: Negotiate) -> Iterator[Check | Caution]:
    """Everything that decides whether this Family may negotiate, in rulebook order."""
    yield from may_negotiate_at_all(at, do.family)
    if not refuted(at.family(do.family).in_play):
        yield from may_negotiate_here(at, do)


def may_negotiate_here(at: Board, do: Negotiate) -> Iterator[Check | Caution]:
    """What is asked of the Raid, and of what is to be spent."""
    family = at.family(do.family)
    tribal = tribal_raid(at, family)
    if certain(tribal) and at.choice("tribal-raid-reactions") == "negotiate-too":
        yield not_immune(at, family)
    else:
        yield free_of_outposts(at, family)
        yield enemy_raid_only(tribal, Term("nw.reaction.negotiate"))
    if not certain(tribal):
        placed = placed_here(at, family, "nw:5.2.2", "nw:5.2.2.choose-family")
        open_yet = refuted(placed.holds) and not refuted(tribal)
        either = open_yet and at.choice("tribal-raid-reactions") == "negotiate-too"
        yield structs.replace(placed, holds=some((tribal, placed.holds))) if either else placed
    yield can_pay(at, 1, "nw:5.2.2.cost")
    if do.trade_goods:
        yield needs(
            at.resource("trade_goods") >= do.trade_goods,
            NOT_ENOUGH_TRADE_GOODS,
            "nw:5.2.2.spend-trade-goods",
            pointer="/resources/trade_goods",
            need=do.trade_goods,
            have=at.resource("trade_goods"),
        )


def may_negotiate_at_all(at: Board, letter: FamilyLetter) -> tuple[Check, ...]:
    """What is asked of the Family before anything else."""
    return reacts_at_all(at, at.family(letter))


def ways(_: Board, letter: FamilyLetter) -> Iterator[Negotiate]:
    """The plain negotiation; Trade Goods are added by whoever wants to spend them."""
    yield Negotiate(letter)


def variants(at: Board, letter: FamilyLetter) -> Iterator[Negotiate]:
    """With no Trade Goods, or with as many as there are."""
    return (Negotiate(letter, count) for count in counts_of(at.resource("trade_goods")))


def counts_of(held: int | Unknown, least: int = 0) -> range:
    """Every number that can be spent; where it was not told what there is, none and one stand for all."""
    return range(least, 2 if isinstance(held, Unknown) else held + 1)


def offer(_: Board, do: Negotiate) -> Said:
    """A negotiation as an answer."""
    if not do.trade_goods:
        return say(OFFER, family=do.family)
    return say(OFFER_WITH, family=do.family, trade_goods=do.trade_goods)


OFFER = message("raid-react-negotiate", "Family %(family)s: Negotiate")
OFFER_WITH = message(
    "raid-react-negotiate-with", "Family %(family)s: Negotiate. Trade Goods spent: %(trade_goods)s."
)
ASK_NEGOTIATOR = message("ask-negotiator", "Which Family negotiates?")


class NegotiateMemory(Memory, frozen=True):
    """Who negotiates, with how many Trade Goods."""

    questions: ClassVar[dict[str, Message]] = {"family": ASK_NEGOTIATOR}

    family: Noted[FamilyLetter] = NOT_NOTED
    trade_goods: Annotated[int, Meta(ge=0, le=99)] = 0


def begin_negotiate(at: Board, do: Negotiate) -> tuple[Board, Where]:
    """Pay the AP and the Trade Goods, whether it works or not."""
    at = pay(at, 1, "nw:5.2.2.cost")
    if do.trade_goods:
        at = at.spend_resource("trade_goods", do.trade_goods)
        at = at.tell(TRADE_GOODS_SPENT, "nw:5.2.2.spend-trade-goods", count=do.trade_goods)
    return at, call(NEGOTIATE, family=do.family, trade_goods=do.trade_goods)


def manuelito_counts(at: Board) -> bool:
    """Does Manuelito add 1 to a negotiation? 5.2.2 does not name him (C10)."""
    return at.choice("negotiate-manuelito") == "added"


def negotiate_modifier(at: Board, noted: NegotiateMemory) -> int | Unknown:
    """The Family's Evasion modifier and 1 for each Trade Good; Manuelito only if so chosen (C10)."""
    family = at.family(noted.family)
    manuelito = family.is_manuelitos if manuelito_counts(at) else False
    return total((family.evasion, noted.trade_goods, as_number(manuelito)))


def ask_negotiate_roll(at: Board, noted: NegotiateMemory) -> Question:
    """The negotiation waits for its die."""
    modifier = negotiate_modifier(at, noted)
    return ask(NEGOTIATE_ROLL, Die(), family=noted.family, modifier=modifier_shown(modifier))


NATURAL = {1: NATURAL_1, 6: NATURAL_6}  # dice that decide by themselves


def talks_succeed(die: int, modifier: int | Unknown) -> Truth:
    """An unmodified 1 fails, an unmodified 6 succeeds, otherwise a modified 6 or more; with a Tribe just so (3.1)."""
    return die == 6 if die in NATURAL else die + modifier >= 6


def negotiate_roll(at: Board, noted: NegotiateMemory, die: int) -> Board:
    """All Families of the Area escape, or none; the Raid goes on."""
    area = standing_in(at.family(noted.family))
    modifier = negotiate_modifier(at, noted)
    succeeds = bool(talks_succeed(die, modifier))
    at = tell_natural(at, die) if die in NATURAL else tell_roll(at, noted, die, modifier)
    at = escape(at, area) if succeeds else stay(at, area)
    return at.tell(RAID_GOES_ON, "nw:5.2.2.continue")


def tell_natural(at: Board, die: int) -> Board:
    """Say that the die alone decides."""
    rules = (f"nw:5.2.2.natural-{die}", *on_chart(at, "nw:enemy-raid.negotiate-naturals"))
    return at.tell(NATURAL[die], *rules)


def tell_roll(at: Board, noted: NegotiateMemory, die: int, modifier: int | Unknown) -> Board:
    """Say how the modified roll came about."""
    left_out = certain(at.family(noted.family).is_manuelitos) and not manuelito_counts(at)
    return at.tell(
        NEGOTIATE_ROLLED,
        "nw:5.2.2.roll",
        *on_chart(at, "nw:enemy-raid.negotiate-roll"),
        *(("nw:5.2.2.no-manuelito",) if left_out else ()),
        family=noted.family,
        **roll_shown(die, modifier),
    )


def escape(at: Board, area: PlaceRef) -> Board:
    """All Families of the Area go to the Escape Box."""
    charted, box = on_chart(at, "nw:enemy-raid.negotiate-success"), PlaceRef(f"{territory_of(area)}-escape")
    for family in at.families_in(area):
        at = move_family(at, family.letter, box)
    return at.tell(NEGOTIATE_SUCCEEDS, "nw:5.2.2.success-escape-box", *charted, area=area, box=box)


def stay(at: Board, area: PlaceRef) -> Board:
    """The Families stay, and nothing shields them."""
    charted = on_chart(at, "nw:enemy-raid.negotiate-success")
    return at.tell(NEGOTIATE_FAILS, "nw:5.2.2.failure-no-shield", *charted, area=area)


NEGOTIATE = procedure(
    "negotiate",
    NegotiateMemory,
    chance(
        "roll", "nw:5.2.2.roll", ask_negotiate_roll, negotiate_roll, then=END, title="The Negotiation roll"
    ),
    title="Negotiate",
)

ACTION = Action(
    Negotiate,
    "nw:5.2.2",
    Term("nw.reaction.negotiate"),
    message("action.negotiate", "A Family negotiates with the Enemy Raid that has just entered its Area."),
    may_negotiate,
    begin_negotiate,
    offer=offer,
    ways=ways,
    variants=variants,
    subjects=families_in_play,
    may_at_all=may_negotiate_at_all,
    may_so=may_negotiate_here,
    subject="family",
)
