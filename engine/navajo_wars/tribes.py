"""Section 3.1 step 5: Tribal Warfare and Tribal Diplomacy."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, ClassVar

from msgspec import Meta, Struct

from engine.actions import Action, Said, say
from engine.chance import Die
from engine.exceptions import Refused
from engine.memory import NOT_NOTED, Memory, Noted
from engine.messages import Message, Term, message, question, requirement
from engine.navajo_wars.battle import BATTLE, VICTORY, in_play, means, means_said, mixes_of_means
from engine.navajo_wars.board import Board, Family
from engine.navajo_wars.components import BattleResult
from engine.navajo_wars.consequences import change_track, modifier_shown, roll_shown
from engine.navajo_wars.display import INSTRUCTION_OF, INSTRUCTION_TERM, holds, places_told, put, space
from engine.navajo_wars.horses import put_horse
from engine.navajo_wars.negotiate import (
    NATURAL,
    NOT_ENOUGH_TRADE_GOODS,
    TRADE_GOODS_SPENT,
    counts_of,
    talks_succeed,
)
from engine.navajo_wars.operation import has_done, in_planning, letters_in_play, note_done
from engine.navajo_wars.position import NOT_TOLD, Count, FamilyLetter, Instruction, Tribe
from engine.questions import Choose, Option, Question, ask
from engine.tables import END, Where, automatic, call, chance, decision, end, procedure
from engine.verdict import Caution, Check, Unknown, denied, must_know, needs, refuted, total


class TribalWarfare(Struct, frozen=True, forbid_unknown_fields=True, tag_field="kind", tag="tribal-warfare"):
    """A Family goes to war with a Tribe."""

    family: FamilyLetter
    tribe: Tribe
    horse: bool = False
    firearms: bool = False


class TribalDiplomacy(
    Struct, frozen=True, forbid_unknown_fields=True, tag_field="kind", tag="tribal-diplomacy"
):
    """A Family treats with a Tribe."""

    family: FamilyLetter
    tribe: Tribe
    trade_goods: Count = 0


# -- who may, and against whom -----------------------------------------------------------------------

TRIBE_TERM: dict[Tribe, Term] = {"comanche": Term("nw.tribe.comanche"), "ute": Term("nw.tribe.ute")}

NO_MAN = requirement(
    "tribe-without-man",
    "Tribal Warfare and Tribal Diplomacy need a Family with a man; there is no man in the Family Box of "
    "Family %(family)s.",
    met="Family %(family)s has a man, as Tribal Warfare and Tribal Diplomacy require.",
)
NO_AP = requirement(
    "tribe-without-ap",
    "Tribal Warfare or Tribal Diplomacy costs 1 AP; you have %(have)s.",
    met="AP: %(have)s, and Tribal Warfare or Tribal Diplomacy costs 1.",
)
ONCE = requirement(
    "tribe-once",
    "Family %(family)s has attempted Tribal Warfare or Tribal Diplomacy in this Planning already; each Family may "
    "do so once.",
    met="Family %(family)s has not attempted Tribal Warfare or Tribal Diplomacy in this Planning.",
)
NO_TARGET = requirement(
    "tribe-not-active",
    "There is no face-up %(instruction)s Instruction counter in the Active column, so this Tribe cannot be a target now.",
    met="An Instruction counter %(instruction)s is face up in the Active column.",
)
WARFARE_NO_MILITARY = requirement(
    "tribal-warfare-without-military",
    "Tribal Warfare needs at least 1 Military Point; your Military Points are at %(have)s.",
    met="Military Points: %(have)s, and Tribal Warfare needs at least 1.",
)
AT_LEAST_ONE_GOOD = requirement(
    "diplomacy-without-trade-goods",
    "By the reading chosen here, Tribal Diplomacy needs at least 1 Trade Goods counter.",
    met="Trade Goods are spent on Tribal Diplomacy.",
)


def is_target(at: Board, tribe: Tribe) -> Check:
    """The Tribe's counter is face up in the Active column."""
    name = INSTRUCTION_OF[tribe]
    shown, pointer = INSTRUCTION_TERM[name], "/instructions/active"
    return needs(holds(at, "active", name), NO_TARGET, "nw:3.1.s5.target", pointer=pointer, instruction=shown)


def may_address_tribes(at: Board, letter: FamilyLetter) -> tuple[Check, ...]:
    """A Family with a man, 1 AP, once each: the same whichever Tribe it addresses."""
    return at.once(_may_address_tribes, letter)


def _may_address_tribes(at: Board, letter: FamilyLetter) -> tuple[Check, ...]:
    return tuple(_asked_of_family(at, letter))


def _asked_of_family(at: Board, letter: FamilyLetter) -> Iterator[Check]:
    rule, family = "nw:3.1.s5.entitlement", at.family(letter)
    yield in_planning(at, rule)
    yield in_play(family)
    if refuted(family.in_play):
        return
    yield needs(family.man, NO_MAN, rule, pointer=f"{family.pointer}/man", family=letter)
    yield needs(at.ap >= 1, NO_AP, rule, pointer="/tracks/ap", have=at.ap)
    tried = has_done(at, "tribal", letter)
    yield at.occasion(denied(tried), ONCE, rule, pointer="/operation/tribal", takes=(), family=letter)


def may_war(at: Board, do: TribalWarfare) -> Iterator[Check | Caution]:
    """Tribal Warfare also needs Military Points; they are not spent (C35)."""
    yield from may_address_tribes(at, do.family)
    if not refuted(at.family(do.family).in_play):
        yield from may_war_so(at, do)


def may_war_so(at: Board, do: TribalWarfare) -> Iterator[Check | Caution]:
    """The Tribe as a target, Military Points, and what is used in the Battle."""
    yield is_target(at, do.tribe)
    yield needs(
        at.military > 0,
        WARFARE_NO_MILITARY,
        "nw:3.1.s5.warfare-pre",
        "nw:1.7.4.military-zero-bars",
        pointer="/tracks/military",
        have=at.military,
    )
    yield from means(at, at.family(do.family), horse=do.horse, firearms=do.firearms)


def may_treat(at: Board, do: TribalDiplomacy) -> Iterator[Check | Caution]:
    """Tribal Diplomacy takes any number of Trade Goods, none included (C34)."""
    yield from may_address_tribes(at, do.family)
    if not refuted(at.family(do.family).in_play):
        yield is_target(at, do.tribe)
    yield from can_spend(at, do)


def may_treat_so(at: Board, do: TribalDiplomacy) -> Iterator[Check | Caution]:
    """The Tribe as a target, and the Trade Goods."""
    yield is_target(at, do.tribe)
    yield from can_spend(at, do)


def can_spend(at: Board, do: TribalDiplomacy) -> Iterator[Check]:
    """The Trade Goods are there."""
    rule = "nw:3.1.s5.diplomacy-roll"
    if do.trade_goods:
        yield needs(
            at.resource("trade_goods") >= do.trade_goods,
            NOT_ENOUGH_TRADE_GOODS,
            rule,
            "nw:10.2.diplomacy-negotiate",
            pointer="/resources/trade_goods",
            need=do.trade_goods,
            have=at.resource("trade_goods"),
        )
    elif least_trade_goods(at):
        yield needs(False, AT_LEAST_ONE_GOOD, rule, pointer="/action/trade_goods")


def least_trade_goods(at: Board) -> int:
    """How many Trade Goods a Tribal Diplomacy takes at least: none, unless chosen otherwise (C34)."""
    return 1 if at.choice("diplomacy-trade-goods") == "at-least-one" else 0


MAKES_WAR = message("planning-makes-war", "Family %(family)s: Tribal Warfare against the Tribe %(tribe)s.")
MAKES_DIPLOMACY = message(
    "planning-makes-diplomacy", "Family %(family)s: Tribal Diplomacy with the Tribe %(tribe)s."
)

MAKES_WAR_WITH = message(
    "planning-makes-war-with",
    "Family %(family)s: Tribal Warfare against the Tribe %(tribe)s, with %(means)s.",
)
MAKES_DIPLOMACY_WITH = message(
    "planning-makes-diplomacy-with",
    "Family %(family)s: Tribal Diplomacy with the Tribe %(tribe)s. Trade Goods spent: %(trade_goods)s.",
)


def wars(_: Board, letter: FamilyLetter) -> Iterator[TribalWarfare]:
    """Against each Tribe; a horse and Firearms are added to the action by the player."""
    return (TribalWarfare(letter, tribe) for tribe in TRIBE_TERM)


def all_wars(at: Board, letter: FamilyLetter) -> Iterator[TribalWarfare]:
    """Against each Tribe, with a horse, with Firearms, with both or with neither."""
    for tribe in TRIBE_TERM:
        for horse, firearms in mixes_of_means(at, letter):
            yield TribalWarfare(letter, tribe, horse, firearms)


def offer_war(_: Board, do: TribalWarfare) -> Said:
    """How the offer of Tribal Warfare reads."""
    shown = {"family": do.family, "tribe": TRIBE_TERM[do.tribe]}
    used = means_said(horse=do.horse, firearms=do.firearms)
    return say(MAKES_WAR_WITH, **shown, means=used) if used else say(MAKES_WAR, **shown)


def talks(at: Board, letter: FamilyLetter) -> Iterator[TribalDiplomacy]:
    """With each Tribe, for as few Trade Goods as it takes; more are added to the action by the player."""
    return (TribalDiplomacy(letter, tribe, least_trade_goods(at)) for tribe in TRIBE_TERM)


def all_talks(at: Board, letter: FamilyLetter) -> Iterator[TribalDiplomacy]:
    """With each Tribe, for as many Trade Goods as there are."""
    for tribe in TRIBE_TERM:
        for count in counts_of(at.resource("trade_goods"), least_trade_goods(at)):
            yield TribalDiplomacy(letter, tribe, count)


def offer_talks(_: Board, do: TribalDiplomacy) -> Said:
    """How the offer of Tribal Diplomacy reads."""
    shown = {"family": do.family, "tribe": TRIBE_TERM[do.tribe]}
    if not do.trade_goods:
        return say(MAKES_DIPLOMACY, **shown)
    return say(MAKES_DIPLOMACY_WITH, **shown, trade_goods=do.trade_goods)


def pay_for_tribe(at: Board, letter: str) -> Board:
    """1 AP, and the Family has had its turn with the Tribes."""
    at = change_track(at, "ap", -1, "nw:3.1.s5.entitlement")
    return note_done(at, "tribal", letter)


# -- Tribal Warfare ----------------------------------------------------------------------------------

WAR_WON = message(
    "tribal-warfare-won",
    "Tribal Warfare is won.",
    outcome=True,
)
WAR_NOT_WON = message(
    "tribal-warfare-not-won",
    "Tribal Warfare is not won: nothing happens but what the Battle Table says.",
    outcome=True,
)


class TribeMemory(Memory, frozen=True):
    """Who addresses which Tribe over which row."""

    questions: ClassVar[dict[str, Message]] = {
        "family": message("ask-tribe-family", "Which Family addresses the Tribe?"),
        "tribe": message("ask-tribe", "Which Tribe does the Family address?"),
        "result": message("ask-tribe-battle-result", "What was the result of the Battle with the Tribe?"),
        "row": message(
            "ask-tribe-row", "In which row of the Active column is the Instruction counter of the Tribe?"
        ),
    }

    family: Noted[FamilyLetter] = NOT_NOTED
    tribe: Noted[Tribe] = NOT_NOTED
    row: Noted[Annotated[int, Meta(ge=1, le=6)]] = NOT_NOTED


class WarfareMemory(TribeMemory, frozen=True):
    """Who fights which Tribe over which row, and how it ended."""

    firearms: bool = False
    result: Noted[BattleResult] = NOT_NOTED


def begin_war(at: Board, do: TribalWarfare) -> tuple[Board, Where]:
    """Pay, put the horse in the box, and fight."""
    at = pay_for_tribe(at, do.family)
    if at.choice("warfare-military-cost") == "one-is-spent":
        at = change_track(at, "military", -1, "nw:3.1.s5.warfare-pre")
    at = put_horse(at, do.family, "nw:3.1.s5.warfare-horse") if do.horse else at
    return at, call(TRIBAL_WARFARE, family=do.family, tribe=do.tribe, firearms=do.firearms)


def fight_tribe(at: Board, noted: WarfareMemory) -> tuple[Board, Where]:
    """The Battle of 11.2 with the Tribe."""
    return at, call(
        BATTLE,
        family=must_know(noted.family),
        enemy=must_know(noted.tribe),
        firearms=noted.firearms,
        tribal_warfare=True,
    )


def war_outcome(at: Board, noted: WarfareMemory) -> tuple[Board, Where]:
    """Only FV or MFV brings the swap."""
    result = must_know(noted.result)
    if result in VICTORY:
        return at.tell(WAR_WON, "nw:3.1.s5.warfare-win", "nw:3.1.s5.warfare-battle", result=result), "target"
    return at.tell(WAR_NOT_WON, "nw:3.1.s5.warfare-loss", "nw:3.1.s5.warfare-battle", result=result), end()


# -- Tribal Diplomacy --------------------------------------------------------------------------------

DIPLOMACY_ROLL = question(
    "tribal-diplomacy-roll",
    "Tribal Diplomacy: roll a die for Family %(family)s.",
    hint="Modifier: %(modifier)s. A modified 6 or more succeeds; an unmodified 1 always fails, an unmodified 6 always succeeds.",
)
DIPLOMACY_ROLLED = message(
    "tribal-diplomacy-rolled",
    "Family %(family)s treats with the Tribe: die roll %(die)s%(terms)s, modified die roll %(total)s.",
    tells="detail",
    terms={"modifier": "modifier %(modifier)s"},
    untold="Family %(family)s treats with the Tribe: die roll %(die)s.",
)
DIPLOMACY_SUCCEEDS = message(
    "tribal-diplomacy-succeeds",
    "Tribal Diplomacy succeeds.",
    outcome=True,
)
DIPLOMACY_FAILS = message(
    "tribal-diplomacy-fails",
    "Tribal Diplomacy fails: the AP and any Trade Goods stay spent.",
    outcome=True,
)


class DiplomacyMemory(TribeMemory, frozen=True):
    """Who treats with which Tribe over which row, with how many Trade Goods."""

    trade_goods: Count = 0


def begin_diplomacy(at: Board, do: TribalDiplomacy) -> tuple[Board, Where]:
    """Pay the AP and the Trade Goods, whether it works or not."""
    at = pay_for_tribe(at, do.family)
    if do.trade_goods:
        at = at.spend_resource("trade_goods", do.trade_goods)
        at = at.tell(TRADE_GOODS_SPENT, "nw:10.2.diplomacy-negotiate", count=do.trade_goods)
    return at, call(TRIBAL_DIPLOMACY, family=do.family, tribe=do.tribe, trade_goods=do.trade_goods)


def diplomacy_modifier(family: Family, trade_goods: int) -> int | Unknown:
    """The Family's Evasion modifier and 1 for each Trade Goods counter; Manuelito adds nothing (C34)."""
    return total((family.evasion, trade_goods))


def ask_diplomacy_roll(at: Board, noted: DiplomacyMemory) -> Question:
    """The diplomacy waits for its die."""
    letter = must_know(noted.family)
    modifier = diplomacy_modifier(at.family(letter), noted.trade_goods)
    return ask(DIPLOMACY_ROLL, Die(), family=letter, modifier=modifier_shown(modifier))


def diplomacy_roll(at: Board, noted: DiplomacyMemory, die: int) -> tuple[Board, Where]:
    """A success brings the swap; the roll is that of a negotiation."""
    letter = must_know(noted.family)
    modifier = diplomacy_modifier(at.family(letter), noted.trade_goods)
    succeeds = bool(talks_succeed(die, modifier))
    if die in NATURAL:
        at = at.tell(NATURAL[die], "nw:3.1.s5.diplomacy-naturals")
    else:
        rolled = roll_shown(die, modifier)
        at = at.tell(DIPLOMACY_ROLLED, "nw:3.1.s5.diplomacy-roll", family=letter, **rolled)
    if succeeds:
        return at.tell(DIPLOMACY_SUCCEEDS, "nw:3.1.s5.diplomacy-win"), "target"
    return at.tell(DIPLOMACY_FAILS, "nw:3.1.s5.diplomacy-roll"), end()


# -- the swap with the Standby column ----------------------------------------------------------------

WHICH_TARGET = question(
    "tribe-which-counter",
    "Which of the Instruction counters with %(instruction)s face up is the target?",
    lead="Several Instruction counters in the Active column have %(instruction)s face up.",
)
THIS_ROW = message("tribe-this-row", "The one in row %(row)s.")
ROW_ROLL = message(
    "tribe-row-roll",
    "Roll a die for the row of the Standby column: the Instruction counter there and %(instruction)s change "
    "places.",
)
SWAPPED = message(
    "tribe-swapped",
    "The Instruction counter %(active)s goes from row %(row)s of the Active column to row %(other)s of the Standby column, and %(standby)s takes its place.",
)
NO_COUNTER_THERE = message(
    "tribe-standby-empty",
    "Row %(row)s of the Standby column is empty: nothing is swapped, and what was paid stays paid.",
)
NOT_THE_SAME_ROW = message(
    "tribe-other-row",
    "By the reading chosen here, counters change places only in the same row: nothing is swapped, and what was "
    "paid stays paid.",
)


def target_rows(at: Board, tribe: Tribe) -> list[int]:
    """Where the Tribe's counter may be now, as far as rows are told; a swap that has none to move is refused."""
    name = INSTRUCTION_OF[tribe]
    spaces = places_told(at, "active")
    rows = [row for row, one in enumerate(spaces) if isinstance(one, Instruction) and one.name == name]
    rows = rows or [row for row, one in enumerate(spaces) if one == NOT_TOLD]
    if not rows:
        instruction, pointer = INSTRUCTION_TERM[INSTRUCTION_OF[tribe]], "/instructions/active"
        raise Refused(needs(False, NO_TARGET, "nw:3.1.s5.target", pointer=pointer, instruction=instruction))
    return rows


def ask_target(at: Board, noted: TribeMemory) -> Question:
    """Which of the Tribe's counters; not asked where there is one."""
    tribe: Tribe = must_know(noted.tribe)
    options = tuple(Option(row + 1, THIS_ROW, {"row": row + 1}) for row in target_rows(at, tribe))
    return ask(WHICH_TARGET, Choose(options), instruction=INSTRUCTION_TERM[INSTRUCTION_OF[tribe]])


def note_target(at: Board, _noted: TribeMemory, row: int) -> Board:
    """Then the die for the other row."""
    return at.remember(row=row)


def ask_standby_row(_: Board, noted: TribeMemory) -> Question:
    """The die that names the row of the Standby column."""
    return ask(ROW_ROLL, Die(), instruction=INSTRUCTION_TERM[INSTRUCTION_OF[must_know(noted.tribe)]])


def swap_after_warfare(at: Board, noted: TribeMemory, die: int) -> Board:
    """The swap that a Battle has won."""
    return swap_with_standby(at, must_know(noted.row), die, "nw:3.1.s5.warfare-win")


def swap_after_diplomacy(at: Board, noted: TribeMemory, die: int) -> Board:
    """The swap that Diplomacy has won."""
    return swap_with_standby(at, must_know(noted.row), die, "nw:3.1.s5.diplomacy-win")


def swap_with_standby(at: Board, row: int, die: int, rule: str) -> Board:
    """The two counters change places and keep their faces; an empty row changes nothing (C36)."""
    if row != die and at.choice("swap-across-rows") == "same-row-only":
        return at.tell(NOT_THE_SAME_ROW, "nw:13.swap")
    active, standby = space(at, "active", row - 1), space(at, "standby", die - 1)
    if active is None or standby is None:
        return at.tell(NO_COUNTER_THERE, "nw:13.swap", row=die)
    at = put(put(at, "active", row - 1, standby), "standby", die - 1, active)
    shown = {"active": INSTRUCTION_TERM[active.name], "standby": INSTRUCTION_TERM[standby.name]}
    return at.tell(SWAPPED, rule, row=row, other=die, **shown)


TRIBAL_WARFARE = procedure(
    "tribal-warfare",
    WarfareMemory,
    automatic("battle", "nw:3.1.s5.warfare-battle", fight_tribe, title="Battle with the Tribe"),
    automatic(
        "outcome",
        ("nw:3.1.s5.warfare-win", "nw:3.1.s5.warfare-loss"),
        war_outcome,
        goes=("target", END),
        title="Is the Tribal Warfare won?",
    ),
    decision("target", "nw:3.1.s5.target", ask_target, note_target, title="Which counter of the Tribe"),
    chance(
        "standby-row",
        "nw:3.1.s5.warfare-win",
        ask_standby_row,
        swap_after_warfare,
        title="Swap with the Standby column",
    ),
    title="Tribal Warfare",
)
TRIBAL_DIPLOMACY = procedure(
    "tribal-diplomacy",
    DiplomacyMemory,
    chance(
        "roll",
        ("nw:3.1.s5.diplomacy-roll", "nw:3.1.s5.diplomacy-naturals"),
        ask_diplomacy_roll,
        diplomacy_roll,
        goes=("target", END),
        title="Roll for Tribal Diplomacy",
    ),
    decision("target", "nw:3.1.s5.target", ask_target, note_target, title="Which counter of the Tribe"),
    chance(
        "standby-row",
        "nw:3.1.s5.diplomacy-win",
        ask_standby_row,
        swap_after_diplomacy,
        title="Swap with the Standby column",
    ),
    title="Tribal Diplomacy",
)

WARFARE_ACTION = Action(
    TribalWarfare,
    "nw:3.1.s5.warfare-battle",
    Term("nw.tribal_warfare"),
    message(
        "action.tribal-warfare",
        "A Family fights a Tribe to move its Instruction counter to the Standby column.",
    ),
    may_war,
    begin_war,
    offer=offer_war,
    ways=wars,
    variants=all_wars,
    may_so=may_war_so,
    subjects=letters_in_play,
    may_at_all=may_address_tribes,
    subject="family",
)
DIPLOMACY_ACTION = Action(
    TribalDiplomacy,
    "nw:3.1.s5.diplomacy-roll",
    Term("nw.tribal_diplomacy"),
    message(
        "action.tribal-diplomacy",
        "A Family treats with a Tribe to move its Instruction counter to the Standby column.",
    ),
    may_treat,
    begin_diplomacy,
    offer=offer_talks,
    ways=talks,
    variants=all_talks,
    may_so=may_treat_so,
    subjects=letters_in_play,
    may_at_all=may_address_tribes,
    subject="family",
)
