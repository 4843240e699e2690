"""Sections 6.2.1 and 6.2.2: the Transitional Event cards #45 and #50, each of which begins a new Period.

Card #55 (6.2.3) stands in kit_carson.py.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, ClassVar, Literal, get_args

from msgspec import Meta, Struct

from engine.actions import Action, Said, say
from engine.exceptions import Refused
from engine.memory import NOT_NOTED, Memory, Noted
from engine.messages import Message, act, message, question, requirement
from engine.navajo_wars.board import Board
from engine.navajo_wars.cards import (
    DRAWN_IS_THERE,
    PERIOD_TERM,
    VP_OF_TRANSITION,
    lie_in,
    of_this_period,
    set_cards,
    still_in_the_game,
)
from engine.navajo_wars.components import SHIPPED, InstructionCounter
from engine.navajo_wars.consequences import way
from engine.navajo_wars.cubes import CUBE_TERM, cubes_of, empty_into, not_in_a_box, shift_cubes
from engine.navajo_wars.display import INSTRUCTION_TERM, SPACES
from engine.navajo_wars.elders import levels_published
from engine.navajo_wars.endings import GOES_ON, ask_whether_it_ends, end_scenario, game_over, without_points
from engine.navajo_wars.map import AREAS
from engine.navajo_wars.passage import PassageOfTime, begin_passage
from engine.navajo_wars.position import Colour, Count, Instruction, Instructions, Period, RaidedBox
from engine.navajo_wars.printed import (
    BY_HAND,
    DONE_BY_HAND,
    EFFECT_ENDS,
    CardRef,
    move_card,
    take_card,
)
from engine.navajo_wars.truces import ASK_RAIDED_INSTRUCTION
from engine.questions import Option, Question, Read, ask, known
from engine.tables import END, OVER, Where, automatic, call, decision, part, procedure, reading
from engine.verdict import Caution, Check, Unknown, certain, is_told, must_know, needs, total, warns

ALL_COUNTERS = 14  # Enemy Instruction counters of a Period
TransitionalCard = Literal[45, 50, 55]


class Transition(Struct, frozen=True, forbid_unknown_fields=True, tag_field="kind", tag="transition"):
    """A Transitional Event card is carried out."""

    card: TransitionalCard


ASK_WHICH = message("ask-transition-card", "Which Transitional Event card is being resolved, #45 or #50?")


class TransitionMemory(Memory, frozen=True):
    """Which card it is."""

    questions: ClassVar[dict[str, Message]] = {"card": ASK_WHICH}

    card: Noted[Literal[45, 50]] = NOT_NOTED


class NewPeriod(Struct, frozen=True):
    """What a card brings: its Period, the cards that leave, those of the new deck, cubes that come and that leave."""

    period: Period
    cards_out: tuple[int, ...]
    events: tuple[int, int]
    cubes_in: dict[Colour, int]
    green_out: int


BRINGS = {
    45: NewPeriod("mexican", (44,), (46, 50), {"brown": 1, "white": 1, "green": 2}, green_out=0),
    50: NewPeriod("american", (45, 48, 49), (51, 55), {"blue": 1}, green_out=2),
}
RULES = {
    45: {
        "passage": "nw:6.2.1.s1.passage",
        "victory-check": "nw:6.2.1.s2.victory-check-14",
        "defeat": "nw:6.2.1.s2.defeat",
        "scenario-end": "nw:6.2.1.s2.scenario-end",
        "morale": "nw:6.2.1.s3.morale",
        "ferocity": "nw:6.2.1.s3.ferocity-kept",
        "instructions-out": "nw:6.2.1.s4.orders-out",
        "instructions-drawn": "nw:6.2.1.s4.orders-draw-2",
        "instructions-placed": "nw:6.2.1.s4.orders-place",
        "cards": "nw:6.2.1.s5.cards",
        "ceremonies": "nw:6.2.1.s6.ceremonies",
        "deck": "nw:6.2.1.s7.deck",
        "cubes-back": "nw:6.2.1.s8.cubes-back",
        "cubes-changed": "nw:6.2.1.s8.cubes-add",
        "intruders": "nw:6.2.1.s9.outsiders",
        "untouched": "nw:6.2.1.neg",
    },
    50: {
        "passage": "nw:6.2.2.s1.passage",
        "victory-check": "nw:6.2.2.s2.victory-check-14",
        "defeat": "nw:6.2.2.s2.defeat",
        "scenario-end": "nw:6.2.2.s2.scenario-end",
        "morale": "nw:6.2.2.s3.morale",
        "ferocity": "nw:6.2.2.s3.morale",
        "instructions-out": "nw:6.2.2.s4.orders",
        "instructions-drawn": "nw:6.2.2.s4.orders",
        "instructions-placed": "nw:6.2.2.s4.orders",
        "cards": "nw:6.2.2.s5.cards",
        "ceremonies": "nw:6.2.2.s6.ceremonies",
        "deck": "nw:6.2.2.s7.deck",
        "cubes-back": "nw:6.2.2.s8.cubes",
        "cubes-changed": "nw:6.2.2.s8.cubes",
        "intruders": "nw:6.2.2.s9.outsiders",
        "untouched": "nw:6.2.2",
    },
}


def card(noted: TransitionMemory) -> int:
    """The card that is being carried out."""
    return must_know(noted.card)


def rule(noted: TransitionMemory, about: str) -> str:
    """Where the rules of this card say so."""
    return RULES[card(noted)][about]


def of_both(about: str) -> tuple[str, ...]:
    """Where the rules of the two cards say so."""
    return RULES[45][about], RULES[50][about]


# -- may the card be carried out? --------------------------------------------------------------------


OFFER = message("transition-offer", "Card #%(card)s is carried out")


def may_transition(at: Board, do: Transition) -> Iterator[Check | Caution]:
    """The card belongs to the Period that is being played, and it is still in the game."""
    yield from of_this_period(at, do.card)
    yield from still_in_the_game(at, do.card)
    if not is_told(at.is_removed(do.card)):
        yield warns(DRAWN_IS_THERE, "nw:6.1.2.removed-card", pointer="/cards/removed", card=do.card)
    yield from levels_published(at)


def ways(_: Board, __: None) -> Iterator[Transition]:
    """Each of the three cards."""
    return (Transition(card) for card in get_args(TransitionalCard))


def offer(_: Board, do: Transition) -> Said:
    """The number of the card."""
    return say(OFFER, card=do.card)


def begin_transition(at: Board, do: Transition) -> tuple[Board, Where]:
    """It is the card being resolved now; card #55 has a procedure of its own."""
    at = set_cards(at, current=do.card)
    return at, (call(TRANSITION, card=do.card) if do.card in BRINGS else call("kit-carson"))


# -- step 1: Passage of Time -------------------------------------------------------------------------

TIME_PASSES = message("transition-passage", "Card #%(card)s step 1: a whole Passage of Time.", tells="ritual")


def passage_of_time(at: Board, noted: TransitionMemory) -> tuple[Board, Where]:
    """Before anything else time passes."""
    return pass_time(at, card(noted), rule(noted, "passage"))


def pass_time(at: Board, number: int, step: str) -> tuple[Board, Where]:
    """A whole Passage of Time; it is no Operation that the player has chosen, so none is noted."""
    at = at.tell(TIME_PASSES, step, card=number)
    passing, begins = begin_passage(at, PassageOfTime())
    return passing.as_before(at, "operation"), begins


# -- step 2: Victory Check ---------------------------------------------------------------------------

CHECKS = message(
    "transition-victory-check",
    "Card #%(card)s step 2: a Victory Check in which the card is worth %(vp)s VP.",
    tells="ritual",
)
NOTHING_LEFT = message(
    "transition-nothing-left", "Card #%(card)s step 2: Military Points and Culture Points are both at 0."
)
SCENARIO_OVER = message(
    "transition-scenario-over",
    "Card #%(card)s step 2: the scenario ends here; its own victory table decides between victory and defeat.",
)


def victory_check(at: Board, noted: TransitionMemory) -> tuple[Board, Where]:
    """8.2 with a VP value of 14."""
    at = at.tell(CHECKS, rule(noted, "victory-check"), card=card(noted), vp=VP_OF_TRANSITION[card(noted)])
    return at, call("victory-check", vp=VP_OF_TRANSITION[card(noted)], card=card(noted))


def defeat(at: Board, noted: TransitionMemory) -> Board:
    """With nothing left after the Victory Check the game is lost."""
    if not must_know(without_points(at)):
        return at
    at = at.tell(NOTHING_LEFT, rule(noted, "defeat"), card=card(noted))
    return game_over(at, "major-defeat", rule(noted, "defeat"))


def ask_scenario_end(at: Board, noted: TransitionMemory) -> Question:
    """Which scenario is played decides."""
    return ask_whether_it_ends(at, card(noted))


def scenario_end(at: Board, noted: TransitionMemory, answer: str) -> Board:
    """The scenario of the old Period is over; other games go on."""
    if answer == GOES_ON:
        return at
    at = at.tell(SCENARIO_OVER, rule(noted, "scenario-end"), card=card(noted))
    return end_scenario(at, card(noted))


# -- step 3: Enemy Morale ----------------------------------------------------------------------------

MORALE_SET = message(
    "transition-morale",
    "Card #%(card)s step 3: Enemy Morale goes from %(from)s to %(to)s, the number of Military Points.",
    untold="Card #%(card)s step 3: Enemy Morale is set to the number of Military Points (%(value)s).",
)
NEW_PERIOD = message(
    "transition-new-period",
    "A new Period begins: %(period)s. Enemy Ferocity stays; its counter and that of Enemy Morale are exchanged for "
    "those of the new Period.",
)


def enemy_morale(at: Board, noted: TransitionMemory) -> Board:
    """Enemy Morale becomes Military Points, Enemy Ferocity stays; with the counters the Period changes."""
    military, period = must_know(at.military), BRINGS[card(noted)].period
    moved = way(at.track("enemy_morale"), military)
    at = at.set_track("enemy_morale", military)
    at = at.tell(MORALE_SET, rule(noted, "morale"), card=card(noted), value=military, **moved)
    return at.change(period=period).tell(NEW_PERIOD, rule(noted, "ferocity"), period=PERIOD_TERM[period])


# -- step 4: Enemy Instruction counters --------------------------------------------------------------

OLD_LEAVE = message(
    "transition-instructions-out",
    "Card #%(card)s step 4: all Enemy Instruction counters of the old Period leave the game.",
)
TRUCE_LEAVES = message(
    "transition-truce-out",
    "The %(instruction)s counter in the Raided Cubes Box leaves the game; Enemy AP counters lying there go to the Enemy Out of Play Box.",
    untold="Any Peace or Defend counter in the Raided Cubes Box leaves the game; Enemy AP counters lying there go to the Enemy Out of Play Box.",
)
WHICH_TWO = question(
    "transition-which-two",
    "Which letters are on the 2 Instruction counters drawn at random from those of the new Period?",
    lead="Card #%(card)s step 4: draw 2 Enemy Instruction counters of the new Period (%(period)s) at random; "
    "they leave the game.",
    hint="Letters of this Period: %(letters)s.",
)
THIS_LETTER = message("transition-letter", "%(letter)s")
READ_DISPLAY = question(
    "transition-read-display",
    "Which Instruction counters of the new Period (%(period)s) are now in the Active column and in the Standby column?",
    lead="Card #%(card)s step 4: remove 2 Enemy Instruction counters of the new Period (%(period)s) at random "
    "and lay out the other 12, capital letter up, in alphabetical order: first the Active column from the"
    " top, then the Standby column.",
)
NOT_TWO_OF_THEM = requirement(
    "transition-letters-not-there",
    "Two different letters out of %(letters)s are asked for. Name the capital letters of the counters drawn.",
    met="The two letters are on counters of this Period.",
)
NEW_PLACED = message(
    "transition-instructions-placed",
    "Card #%(card)s step 4: the 12 Enemy Instruction counters left are in the Active column and the Standby column; the "
    "Inactive column is empty.",
    whole=True,
)
EMPTY = (None,) * SPACES
SixCounters = Annotated[tuple[Instruction, ...], Meta(min_length=SPACES, max_length=SPACES)]


class NewDisplay(Struct, frozen=True, forbid_unknown_fields=True):
    """The Enemy Instruction Display as it was laid out, each column from the top."""

    active: SixCounters
    standby: SixCounters


def old_instructions(at: Board, noted: TransitionMemory) -> Board:
    """They leave from every column, and from the Raided Cubes Box; what lies with them there does not stay."""
    at = at.change(instructions=Instructions(EMPTY, EMPTY, EMPTY))
    at = at.tell(OLD_LEAVE, rule(noted, "instructions-out"), card=card(noted))
    truce = at.told("raided_box", "instruction", ask=ASK_RAIDED_INSTRUCTION)
    if truce is None:
        return at
    named = {"instruction": INSTRUCTION_TERM[truce]} if is_told(truce) else {}
    at = at.change(raided_box=RaidedBox(0, None))
    return at.tell(TRUCE_LEAVES, rule(noted, "instructions-out"), **named)


def listed(at: Board, noted: TransitionMemory) -> dict[str, InstructionCounter]:
    """The counters of the new Period by their letters in alphabetical order; none unless all 14 are filled in."""
    told = at.components.instruction_counters.get(BRINGS[card(noted)].period, ())
    by_letter = {counter.letter: counter for counter in sorted(told, key=lambda one: one.letter)}
    return by_letter if len(by_letter) == len(told) == ALL_COUNTERS else {}


def ask_instructions(at: Board, noted: TransitionMemory) -> Question:
    """Only which two were drawn, where all are known; otherwise the display as it was laid out."""
    shown = {"card": card(noted), "period": PERIOD_TERM[BRINGS[card(noted)].period]}
    letters = tuple(listed(at, noted))
    if letters:
        options = tuple(Option(letter, THIS_LETTER, {"letter": letter}) for letter in letters)
        return ask(WHICH_TWO, Read(tuple[str, str], options), letters=letters, **shown)
    return ask(READ_DISPLAY, Read(NewDisplay | Literal["by-hand"]), **shown)


def new_instructions(
    at: Board, noted: TransitionMemory, read: tuple[str, str] | NewDisplay | Literal["by-hand"]
) -> Board:
    """Twelve counters, the Active column first, the Standby column after it."""
    if read == BY_HAND:
        return at.forget("instructions").tell(DONE_BY_HAND, rule(noted, "instructions-placed"))
    laid_out = read if isinstance(read, NewDisplay) else in_order(at, noted, read)
    at = at.change(instructions=Instructions(laid_out.active, laid_out.standby, EMPTY))
    rules = rule(noted, "instructions-placed"), "nw:6.2.instruction-counters"
    return at.tell(NEW_PLACED, *rules, card=card(noted))


def in_order(at: Board, noted: TransitionMemory, drawn: tuple[str, str]) -> NewDisplay:
    """The counters that were not drawn, capital letter up, in alphabetical order."""
    counters, (one, other) = listed(at, noted), drawn
    if one == other or not {one, other} <= counters.keys():
        rules = rule(noted, "instructions-drawn"), "nw:6.2.instruction-counters"
        raise Refused(needs(False, NOT_TWO_OF_THEM, *rules, pointer="/inputs", letters=tuple(counters)))
    left = tuple(capital_up(counter) for letter, counter in counters.items() if letter not in drawn)
    return NewDisplay(left[:SPACES], left[SPACES:])


def capital_up(counter: InstructionCounter) -> Instruction:
    """A counter as it lies in the display when the Period begins."""
    face = counter.face
    return Instruction(face.name, face.cost, counter.back, face.stripe, face.ferocity)


# -- steps 5 to 7: the cards -------------------------------------------------------------------------

CARD_LEAVES = message("transition-card-out", "Card #%(out)s is removed from the game.", tells="detail")
CARD_STAYS = message(
    "transition-card-stays",
    "Card #%(card)s step 5: the card is placed face up at the upper edge of the map; its lasting effect is printed on it.",
    tells="detail",
)
HAND_DISCARDED = message(
    "transition-hand-discarded",
    "Card #%(card)s step 6: all Ceremony cards in your hand are discarded; no Enemy Way happens.",
    tells="detail",
)
NEW_DECK = message(
    "transition-new-deck",
    "Card #%(card)s step 7: build the deck of the new Period as in the set-up of its scenario. Shuffle all Operations cards "
    "and Ceremony cards and make five stacks of 8, shuffle one of the cards #%(first)s to #%(last)s into each, and "
    "stack them with the lowest number on top.",
    tells="detail",
)


def cards(at: Board, noted: TransitionMemory) -> Board:
    """Cards of the old Period leave the game, this one stays."""
    in_play, removed = lie_in(at, "in_play"), lie_in(at, "removed")
    gone = () if isinstance(removed, Unknown) else removed
    for out in (out for out in BRINGS[card(noted)].cards_out if out not in gone):
        at = move_card(at, out, "removed").tell(CARD_LEAVES, rule(noted, "cards"), out=out)
        if not isinstance(in_play, Unknown) and out in in_play:
            at = at.tell(EFFECT_ENDS, "nw:6.1.2.removed-card", card=out)
    at = move_card(take_card(at, card(noted), "removed"), card(noted), "in_play")
    return at.tell(CARD_STAYS, rule(noted, "cards"), card=card(noted))


def ceremonies(at: Board, noted: TransitionMemory) -> Board:
    """The hand is emptied."""
    hand = lie_in(at, "hand")
    if not isinstance(hand, Unknown) and not hand:
        return at
    for number in () if isinstance(hand, Unknown) else hand:
        at = move_card(at, number, "discarded")
    return set_cards(at, hand=()).tell(HAND_DISCARDED, rule(noted, "ceremonies"), card=card(noted))


def deck(at: Board, noted: TransitionMemory) -> Board:
    """Every Operations and Ceremony card is in the new deck, so nothing is left among the discarded cards."""
    first, last = BRINGS[card(noted)].events
    at = set_cards(at, discarded=())
    return at.tell(NEW_DECK, rule(noted, "deck"), card=card(noted), first=first, last=last)


# -- step 8: the Raid Pool ---------------------------------------------------------------------------

CUBES_BACK = message(
    "transition-cubes-back",
    "Card #%(card)s step 8: all cubes in the Raided Cubes Box and the Recovery Box return to the Raid Pool.",
    tells="detail",
)
CUBES_ADDED = message(
    "transition-cubes-added", "Number of %(cube)ss added to the Raid Pool: %(count)s.", tells="detail"
)
CUBES_THERE = message(
    "transition-cubes-there-already",
    "There are only %(limit)s %(cube)ss, and in this position too many of them were in the boxes before this card. Not added: %(missing)s.",
)
GREEN_LEAVES = message(
    "transition-green-out",
    "Number of %(cube)ss of the Raid Pool that leave the game: %(count)s.",
    tells="detail",
)
GREEN_MISSING = message(
    "transition-green-missing",
    "The Raid Pool does not hold enough %(cube)ss; missing: %(count)s.",
    tells="detail",
)


def cubes(at: Board, noted: TransitionMemory) -> Board:
    """The Raid Pool is filled again; cubes in the Subjugation of New Mexico Box stay there."""
    for box in ("raided_cubes", "recovery"):
        at = empty_into(at, box, "raid_pool")
    at = at.tell(CUBES_BACK, rule(noted, "cubes-back"), card=card(noted))
    at = green_leaves(at, noted, BRINGS[card(noted)].green_out)
    for colour, count in BRINGS[card(noted)].cubes_in.items():
        at = cubes_come(at, noted, colour, count)
    return at


def cubes_come(at: Board, noted: TransitionMemory, colour: str, wanted: int) -> Board:
    """Cubes come into the Raid Pool, as many as are not in a box already (1.8)."""
    step, cube = rule(noted, "cubes-changed"), CUBE_TERM[colour]
    count = min(wanted, not_in_a_box(at, colour))
    if count < wanted:
        shown = {"cube": cube, "limit": SHIPPED.cubes.value[colour], "missing": wanted - count}
        at = at.warn(CUBES_THERE, step, "nw:1.8.cubes", pointer=f"/raid_pool/{colour}", **shown)
    if not count:
        return at
    return shift_cubes(at, "raid_pool", colour, count).tell(CUBES_ADDED, step, cube=cube, count=count)


def green_leaves(at: Board, noted: TransitionMemory, wanted: int) -> Board:
    """Green cubes leave the game, as far as the Raid Pool holds them."""
    if not wanted:
        return at
    green = cubes_of(at, "raid_pool", "green")
    count = wanted if isinstance(green, Unknown) else min(wanted, green)
    if count:
        at = shift_cubes(at, "raid_pool", "green", -count)
        at = at.tell(GREEN_LEAVES, rule(noted, "cubes-changed"), cube=CUBE_TERM["green"], count=count)
    if count == wanted:
        return at
    missing = {"cube": CUBE_TERM["green"], "count": wanted - count}
    return at.tell(GREEN_MISSING, rule(noted, "cubes-changed"), **missing)


# -- step 9: the Intruder counters -------------------------------------------------------------------

READ_INTRUDERS = question(
    "transition-read-intruders",
    "Card #%(card)s step 9: how many of the Trade Goods (%(trade_goods)s) and Firearms (%(firearms)s) in "
    "the Resources Box are Intruder counters?",
    hint="They return to the Intruder Draw Cup.",
)
NOT_SO_MANY = requirement(
    "transition-not-so-many-intruders",
    "In the Resources Box at most %(trade_goods)s Trade Goods and %(firearms)s Firearms can be Intruder counters.",
    met="The Resources Box holds that many Trade Goods and Firearms.",
)
INTRUDERS_BACK = message(
    "transition-intruders-back",
    "Card #%(card)s step 9: all Intruder counters, whether on the map, removed from play or in the Resources Box, return to the Intruder Draw Cup%(terms)s.",
    tells="detail",
    terms={
        "trade_goods": "Trade Goods among them: %(trade_goods)s",
        "firearms": "Firearms among them: %(firearms)s",
    },
)
UNTOUCHED = message(
    "transition-untouched",
    "Card #%(card)s is carried out. Everything else stays as it is: Outposts and Drought counters, corn, Animals, "
    "Families, Enemy APs and Cultural Development cards.",
)


class IntruderGoods(Struct, frozen=True, forbid_unknown_fields=True):
    """How many counters in the Resources Box are Intruder counters."""

    trade_goods: Count = 0
    firearms: Count = 0


def ask_intruders(at: Board, noted: TransitionMemory) -> Question:
    """The position does not tell which Trade Goods and Firearms are on the backs of Intruder counters."""
    trade_goods, firearms = at.resource("trade_goods"), at.resource("firearms")
    if not must_know(total((trade_goods, firearms))):
        return known(IntruderGoods())
    shown = {"card": card(noted), "trade_goods": trade_goods, "firearms": firearms}
    return ask(READ_INTRUDERS, Read(IntruderGoods), **shown)


def intruders(at: Board, noted: TransitionMemory, read: IntruderGoods) -> Board:
    """All Intruder counters return to their cup, and the card is done."""
    held = {name: must_know(at.resource(name)) for name in ("trade_goods", "firearms")}
    if read.trade_goods > held["trade_goods"] or read.firearms > held["firearms"]:
        raise Refused(needs(False, NOT_SO_MANY, rule(noted, "intruders"), pointer="/inputs", **held))
    goods = {"trade_goods": read.trade_goods, "firearms": read.firearms}
    for name, count in goods.items():
        at = at.spend_resource(name, count) if count else at
    for area in AREAS:
        at = at.set_area(area, intruders=0) if certain(at.counters(area, "intruders") > 0) else at
    at = at.tell(INTRUDERS_BACK, rule(noted, "intruders"), card=card(noted), **goods)
    return at.tell(UNTOUCHED, rule(noted, "untouched"), card=card(noted))


TRANSITION = procedure(
    "transition",
    TransitionMemory,
    part("s1", "1. Passage of Time"),
    automatic("passage-of-time", of_both("passage"), passage_of_time, title="Time passes"),
    part("s2", "2. Victory Check"),
    automatic("victory-check", of_both("victory-check"), victory_check, title="A Victory Check with 14 VP"),
    automatic("defeat", of_both("defeat"), defeat, goes=("scenario-end", OVER), title="Is nothing left?"),
    decision(
        "scenario-end",
        of_both("scenario-end"),
        ask_scenario_end,
        scenario_end,
        goes=("enemy-morale", OVER),
        title="Does the scenario end?",
    ),
    part("s3", "3. Enemy Morale and Enemy Ferocity"),
    automatic(
        "enemy-morale", of_both("morale"), enemy_morale, title="Enemy Morale is set to Military Points"
    ),
    part("s4", "4. Enemy Instruction counters"),
    automatic(
        "old-instructions", of_both("instructions-out"), old_instructions, title="The old counters leave"
    ),
    reading(
        "new-instructions",
        of_both("instructions-drawn"),
        ask_instructions,
        new_instructions,
        title="The new counters are laid out",
    ),
    part("s5", "5. Cards in play"),
    automatic("cards", of_both("cards"), cards, title="Cards leave the game, this one stays"),
    part("s6", "6. Ceremony cards"),
    automatic("ceremonies", of_both("ceremonies"), ceremonies, title="The hand is discarded"),
    part("s7", "7. The deck"),
    automatic("deck", of_both("deck"), deck, title="A new deck is made"),
    part("s8", "8. The Raid Pool"),
    automatic("cubes", of_both("cubes-changed"), cubes, title="Cubes return, come and leave"),
    part("s9", "9. Intruder counters"),
    reading(
        "intruders",
        of_both("intruders"),
        ask_intruders,
        intruders,
        then=END,
        title="Intruder counters return to their Draw Cup",
    ),
    title="Transitional Event",
)

ACTION = Action(
    Transition,
    "nw:6.2",
    act("act.transition", "Resolving a Transitional Event card"),
    message("action.transition", "A Transitional Event card (#45, #50 or #55) is carried out step by step."),
    may_transition,
    begin_transition,
    called=lambda do: (CardRef(do.card), "nw:6.2"),
    offer=offer,
    ways=ways,
)
