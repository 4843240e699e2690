"""Section 2.3: the Discard Phase, with Automatic Defeat (12.1) and Automatic Victory (12.2)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from msgspec import Struct

from engine.actions import Action, say
from engine.chance import Die, with_every_die
from engine.memory import NOT_NOTED, Memory, Noted
from engine.messages import Message, Term, act, message, question, requirement
from engine.navajo_wars.battle import in_play
from engine.navajo_wars.board import ASK_CARD, ASK_PERIOD, NO_LONGER_TOLD, Board
from engine.navajo_wars.cards import lie_in, set_cards, this_card, type_of
from engine.navajo_wars.consequences import change_track, set_ferocity
from engine.navajo_wars.counters import in_boxes_of
from engine.navajo_wars.endings import (
    ENDS,
    GOES_ON,
    LAST_CARD,
    ask_whether_it_ends,
    end_scenario,
    game_over,
    without_points,
)
from engine.navajo_wars.map import AREAS
from engine.navajo_wars.operation import letters_in_play, nothing_done_yet
from engine.navajo_wars.outposts import forts_on_map, outposts_on_map
from engine.navajo_wars.position import LETTERS, CardNumber, FamilyLetter, Ferocity
from engine.navajo_wars.printed import move_card
from engine.questions import Choose, Option, Question, ask, known
from engine.tables import (
    END,
    OVER,
    Where,
    automatic,
    call,
    chance,
    decision,
    end,
    instead,
    once_written,
    part,
    procedure,
)
from engine.verdict import (
    Caution,
    Check,
    Truth,
    Unknown,
    as_number,
    certain,
    denied,
    every,
    is_told,
    must_know,
    needs,
    refuted,
    some,
    total,
    warns,
)


class DiscardPhase(Struct, frozen=True, forbid_unknown_fields=True, tag_field="kind", tag="discard-phase"):
    """The card has been resolved: its Discard Phase."""


class DiscardMemory(Memory, frozen=True):
    """The card that is discarded, and the Families whose Ferocity the player has set."""

    questions: ClassVar[dict[str, Message]] = {"card": ASK_CARD}

    card: Noted[CardNumber | None] = NOT_NOTED
    ferocity_set: tuple[FamilyLetter, ...] = ()


STILL_ACTING = message(
    "discard-activation-not-ended",
    "Family %(family)s has not ended its activation: end it first, since a Family may have to disband then.",
)


def may_discard(at: Board, _: DiscardPhase) -> Iterator[Check | Caution]:
    """Every card ends with it; a caution where a Family is still acting."""
    acting = at.acting
    if acting is not None and isinstance(acting.family, str):
        yield warns(STILL_ACTING, "nw:3.2.end-hook", pointer="/activation", family=acting.family)


def begin_phase(at: Board, _: DiscardPhase) -> tuple[Board, Where]:
    """The steps follow one another."""
    return at, call(DISCARD_PHASE)


# -- 2.3.1: Families with a Fort ---------------------------------------------------------------------

PHASE_BEGINS = message("discard-begins", "Discard Phase: five steps in their order.", tells="ritual")
FORT_ROLL = message(
    "discard-fort-roll",
    "Discard Phase: roll a die; 1 Culture Point or 1 Military Point is lost if the result is not greater than the number of Families in the Area of a Fort (%(count)s).",
)
FORT_SPARES = message(
    "discard-fort-spares",
    "The die shows %(die)s, more than the number of Families in the Area of a Fort (%(count)s): no Culture Point and no Military Point is lost.",
)
FORT_LOSS = question(
    "discard-fort-loss",
    "Which is lost because of the Fort: 1 Culture Point or 1 Military Point?",
    lead="Discard Phase: at least one Family is in the same Area as a Fort.",
)
LOSE = {
    "culture": message("discard-lose-culture", "Lose 1 Culture Point"),
    "military": message("discard-lose-military", "Lose 1 Military Point"),
}
FORT_COSTS = message(
    "discard-fort-costs",
    "At least one Family is in the same Area as a Fort: 1 Culture Point or 1 Military Point is lost in total, however many Families there are.",
    whole=True,
)
NOTHING_TO_LOSE = message(
    "discard-nothing-to-lose",
    "At least one Family is in the same Area as a Fort, but Culture Points and Military Points are both at 0: nothing "
    "is lost.",
)
FORT_RULES = ("nw:2.3.1.fort-penalty", "nw:13.forts.discard-loss")


def begin_steps(at: Board, _noted: DiscardMemory) -> tuple[Board, Where]:
    """First, is a Family in the Area of a Fort?"""
    at = at.tell(PHASE_BEGINS, "nw:2.3", "nw:2.3.order")
    return at, ("fort-roll" if must_know(with_fort(at)) else "automatic-defeat")


def with_fort(at: Board) -> Truth:
    """Is at least one Family in the Area of a Fort? There are none before the American Period.

    Of two or three Forts it is soon told where they are; where the Families are matters only if there is one.
    """
    places = [family.at for family in at.families_told()]
    if certain(at.all_families) and all(is_told(place) for place in places):
        period = at.told("period", ask=ASK_PERIOD)
        there = at.on_one_of(sorted(set(places)), "fort")
        return period if isinstance(there, Unknown) and isinstance(period, Unknown) else there
    forts = at.on_one_of(AREAS, "fort")
    if isinstance(forts, Unknown):
        period = at.told("period", ask=ASK_PERIOD)
        return period if isinstance(period, Unknown) else forts
    if not forts:
        return False
    everybody = at.all_families
    if isinstance(everybody, Unknown):
        return everybody
    return some(at.has_fort(family.at) for family in at.families())


def ask_fort_roll(at: Board, _noted: DiscardMemory) -> Question:
    """No die is rolled, unless read otherwise (C49)."""
    if not must_know(with_fort(at)) or at.choice("fort-discard-loss") == "no-die":
        return known(None)
    count = families_with_fort(at)
    rolled = with_every_die(lambda die: spares(die, count)) is None
    return ask(FORT_ROLL, Die(), count=count) if rolled else known(None)


def spares(die: int, count: int) -> bool:
    """Is the point spared? The die must be greater than the number of Families with a Fort."""
    return die > count


def families_with_fort(at: Board) -> int:
    """How many Families are in the Area of a Fort."""
    return must_know(total(as_number(at.has_fort(family.at)) for family in at.families()))


def fort_roll(at: Board, _noted: DiscardMemory, die: int | None) -> tuple[Board, Where]:
    """A die that spares the point, or the loss."""
    if die is None or not spares(die, families_with_fort(at)):
        return at, "fort-loss"
    shown = {"die": die, "count": families_with_fort(at)}
    return at.tell(FORT_SPARES, *FORT_RULES, **shown), "automatic-defeat"


def ask_fort_loss(at: Board, _noted: DiscardMemory) -> Question:
    """The player's choice, as long as it makes a difference: of a last point nothing remains either way."""
    if not must_know(with_fort(at)):
        return known(None)
    culture, military = at.culture, at.military
    if must_know(some((culture > 1, military > 1, culture + military > 1))):
        return ask(FORT_LOSS, Choose(tuple(Option(track, said) for track, said in LOSE.items())))
    return known("culture" if must_know(culture) else "military")


def fort_loss(at: Board, _noted: DiscardMemory, track: str | None) -> Board:
    """One point in total; one that cannot be paid is converted (1.7.4)."""
    if track is None:
        return at
    if certain(without_points(at)):
        return at.tell(NOTHING_TO_LOSE, *FORT_RULES)
    return change_track(at.tell(FORT_COSTS, *FORT_RULES), track, -1, *FORT_RULES)


# -- 2.3.2: Automatic Defeat -------------------------------------------------------------------------

DEFEATED = message(
    "automatic-defeat",
    "Culture Points and Military Points are both at 0 in the Discard Phase: Automatic Defeat.",
)


def automatic_defeat(at: Board, _noted: DiscardMemory) -> tuple[Board, Where]:
    """Both at 0 lose the game, and before Automatic Victory is tested, unless read otherwise (C59)."""
    if not must_know(without_points(at)):
        return at, "victory-roll"
    victory = every((at.track("enemy_morale") == 0, denied(with_fort(at))))
    if not refuted(victory) and at.choice("automatic-end-order") == "victory-first":
        return at, "victory-roll"
    return defeated(at, *(("nw:12.1.before-12.2",) if certain(victory) else ())), end()


def defeat_after_all(at: Board, _noted: DiscardMemory) -> tuple[Board, Where]:
    """Where Automatic Victory was tested first and has failed, both at 0 lose the game now."""
    return (defeated(at), end()) if must_know(without_points(at)) else (at, "discard")


def defeated(at: Board, *rules: str) -> Board:
    """Automatic Defeat is a Major Defeat."""
    at = at.tell(DEFEATED, "nw:2.3.2.auto-end", "nw:12.1.when", *rules)
    return game_over(at, "major-defeat", "nw:12.1.when", *rules)


# -- 2.3.2: Automatic Victory ------------------------------------------------------------------------

VICTORY_ROLL = question(
    "victory-roll",
    "Roll a die: a result greater than the number of Outposts and Forts in play (%(count)s) is an Automatic "
    "Victory.",
    lead="Discard Phase: Enemy Morale is 0, and no Family is in the same Area as a Fort.",
)
VICTORIOUS = message(
    "automatic-victory",
    "The die shows %(die)s, more than the number of Outposts and Forts in play (%(count)s): Automatic Victory.",
)
VICTORIOUS_ANYWAY = message(
    "automatic-victory-certain",
    "Enemy Morale is 0, and no Outpost or Fort is in play: whatever the die shows, this is an Automatic Victory.",
)
NO_VICTORY = message(
    "automatic-victory-failed",
    "The die shows %(die)s, which is not more than the number of Outposts and Forts in play (%(count)s): no Automatic Victory.",
)
NO_VICTORY_ANYWAY = message(
    "automatic-victory-impossible",
    "Enemy Morale is 0, but no die roll can be greater than the number of Outposts and Forts in play (%(count)s): no Automatic Victory.",
)
VICTORY_BARRED = message(
    "automatic-victory-barred",
    "Enemy Morale is 0, but a Family is in the same Area as a Fort: no Automatic Victory is possible, and Enemy Morale "
    "is set to the number of Outposts and Forts in play (%(count)s).",
)


def ask_victory_roll(at: Board, _noted: DiscardMemory) -> Question:
    """A die, unless it is all the same what it shows."""
    if must_know(at.track("enemy_morale")) or must_know(with_fort(at)):
        return known(None)
    count = outposts_and_forts(at)
    sure = with_every_die(lambda die: is_victory(die, count))
    if sure or (sure is False and at.choice("automatic-victory-failed") == "morale-to-count"):
        return known(None)
    return ask(VICTORY_ROLL, Die(), count=count)


def is_victory(die: int, count: int) -> bool:
    """Is this die an Automatic Victory? It must be greater than the number of Outposts and Forts in play."""
    return die > count


def outposts_and_forts(at: Board) -> int:
    """How many Outposts and Forts are in play."""
    at.areas_with("mission", "rancho", "fort")  # asked for at once
    return outposts_on_map(at) + forts_on_map(at)


def victory_roll(at: Board, _noted: DiscardMemory, die: int | None) -> tuple[Board, Where]:
    """An Automatic Victory is a Major Victory; otherwise Enemy Morale rises."""
    if must_know(at.track("enemy_morale")):
        return at, "defeat-after-all"
    count = outposts_and_forts(at)
    if must_know(with_fort(at)):
        return barred(at, count), "defeat-after-all"
    rules = ("nw:2.3.2.auto-end", "nw:12.2.pre", "nw:12.2.roll")
    if with_every_die(lambda one: is_victory(one, count)):
        return game_over(at.tell(VICTORIOUS_ANYWAY, *rules), "major-victory", "nw:12.2.roll"), end()
    if die is not None and is_victory(die, count):
        at = at.tell(VICTORIOUS, *rules, die=die, count=count)
        return game_over(at, "major-victory", "nw:12.2.roll"), end()
    return not_victorious(at, die, count), "defeat-after-all"


def not_victorious(at: Board, die: int | None, count: int) -> Board:
    """Enemy Morale rises to the number of Outposts and Forts, or by the rulebook's option to the die."""
    rule = "nw:12.2.fail"
    if die is None:
        return change_track(at.tell(NO_VICTORY_ANYWAY, rule, count=count), "enemy_morale", count, rule)
    at = at.tell(NO_VICTORY, rule, die=die, count=count)
    if at.choice("automatic-victory-failed") == "morale-to-die":
        return change_track(at, "enemy_morale", die, "nw:12.2.optional")
    return change_track(at, "enemy_morale", count, rule)


def barred(at: Board, count: int) -> Board:
    """A Family with a Fort: no die is rolled, and Enemy Morale rises."""
    rule = "nw:12.2.1.fort-family"
    return change_track(at.tell(VICTORY_BARRED, rule, count=count), "enemy_morale", count, rule)


# -- 2.3.3: the card ---------------------------------------------------------------------------------

DISCARDED = message("card-discarded", "Card #%(card)s is discarded.")
CARD_GOES = message(
    "card-goes",
    "The card that has been resolved is discarded, unless it is in play, in your hand or removed from the "
    "game.",
)
NOT_DISCARDED = {
    "in_play": message("card-stays-in-play", "Card #%(card)s is in play and is not discarded."),
    "hand": message("card-stays-in-hand", "Card #%(card)s is in your hand and is not discarded."),
    "removed": message(
        "card-stays-removed", "Card #%(card)s has been removed from the game and is not discarded."
    ),
}


def discard(at: Board, noted: DiscardMemory) -> Board:
    """The card goes, unless it lies in play, has gone to the hand or has been removed from the game."""
    number = this_card(at, noted.card)
    if number is None:
        return at.remember(card=None)
    rule = "nw:2.3.3.discard"
    if isinstance(number, Unknown):
        return whatever_it_is(at).tell(CARD_GOES, rule)
    kept = row_it_lies_in(at, number)
    if kept is None:
        at = move_card(at, number, "discarded").tell(DISCARDED, rule, card=number)
    else:
        at = at.tell(NOT_DISCARDED[kept], rule, card=number)
    return set_cards(at, current=None).remember(card=number)


def whatever_it_is(at: Board) -> Board:
    """A card that was not told is discarded all the same; then it is not told any more which cards have been."""
    pile = lie_in(at, "discarded")
    return set_cards(at, current=None, **({} if isinstance(pile, Unknown) else {"discarded": NO_LONGER_TOLD}))


def row_it_lies_in(at: Board, number: int) -> str | None:
    """The row the card lies in, if not in the discard pile: only Ceremony cards come to the hand."""
    rows = ("in_play", "removed") if type_of(number) else ("in_play", "hand", "removed")
    held = {row: lie_in(at, row) for row in rows}
    there = {row: cards if isinstance(cards, Unknown) else number in cards for row, cards in held.items()}
    if not must_know(some(there.values())):
        return None
    return next(row for row in rows if certain(there[row]))


# -- 2.3.4: Ferocity ---------------------------------------------------------------------------------

WHOSE_FEROCITY = question(
    "discard-whose-ferocity",
    "Discard Phase: which Family with a man is set to which Ferocity?",
    hint="Each Family may be named once.",
)
NO_MORE = message("discard-ferocity-stays", "No more changes: the other Families keep their Ferocity.")
SET_TO = message("discard-ferocity-to", "Family %(family)s: Ferocity %(value)s.")
FEROCITY_RULE = "nw:2.3.4.adjust-ferocity"
FEROCITY_NOT_SET_NOW = requirement(
    "ferocity-not-set-now",
    "You do not set Ferocity by 2.3.4 now: that is done in step 4 of the Discard Phase, and only if you read the step as it is printed.",
    met="In this step you set the Ferocity of Families with a man.",
)
NO_MAN_NO_FEROCITY = requirement(
    "ferocity-needs-man-to-be-set",
    "Family %(family)s has no man: you cannot set its Ferocity. Step 4 of the Discard Phase sets it to 0.",
    met="Family %(family)s has a man.",
)
FEROCITY_SET_BEFORE = requirement(
    "ferocity-set-before",
    "The Ferocity of Family %(family)s has been set in this step already; each Family may be named once.",
    met="The Ferocity of Family %(family)s has not been set in this step yet.",
)
HAS_THIS_FEROCITY = requirement(
    "ferocity-is-so-already",
    "Family %(family)s has Ferocity %(value)s already.",
    met="Family %(family)s does not have Ferocity %(value)s yet.",
)


class SetFerocity(Struct, frozen=True, forbid_unknown_fields=True, tag_field="kind", tag="set-ferocity"):
    """The player sets the Ferocity of a Family with a man."""

    family: FamilyLetter
    value: Ferocity


def adjust_ferocity(at: Board, _noted: DiscardMemory) -> Board:
    """Every Family in play without a man falls to Ferocity 0 (C57)."""
    ferocious = [family for family in at.families() if not certain(family.ferocity == 0)]
    must_know(total(in_boxes_of(ferocious, "man")))
    for family in ferocious:
        if not family.man:
            at = set_ferocity(at, family.letter, 0, FEROCITY_RULE)
    return at


def ask_ferocity(at: Board, _noted: DiscardMemory) -> Question:
    """Families with a man keep theirs, unless read as it is printed: then the player sets it."""
    men = [family for family in at.families() if not refuted(family.man)]
    if not men or not is_set_by_player(at):
        return known("none")
    return ask(WHOSE_FEROCITY)


def is_set_by_player(at: Board) -> bool:
    """Is the step read as it is printed (C57)?"""
    return at.choice("discard-ferocity") != "without-man-to-zero"


def may_set_ferocity(at: Board, do: SetFerocity) -> Iterator[Check]:
    """Everything that decides whether the player may set the Ferocity of this Family so."""
    yield from may_be_set(at, do.family)
    if not refuted(at.family(do.family).in_play):
        yield from may_be_set_so(at, do)


def may_be_set(at: Board, letter: FamilyLetter) -> Iterator[Check]:
    """What is asked of the Family, whichever Ferocity is set."""
    family, noted = at.family(letter), at.noted(DiscardMemory)
    now = noted is not None and is_set_by_player(at)
    yield needs(now, FEROCITY_NOT_SET_NOW, FEROCITY_RULE, pointer="/agenda")
    yield in_play(family)
    if refuted(family.in_play):
        return
    pointer = f"{family.pointer}/man"
    yield needs(family.man, NO_MAN_NO_FEROCITY, FEROCITY_RULE, pointer=pointer, family=letter)
    unset = noted is None or letter not in noted.ferocity_set
    yield needs(unset, FEROCITY_SET_BEFORE, FEROCITY_RULE, pointer="/action/family", family=letter)


def may_be_set_so(at: Board, do: SetFerocity) -> Iterator[Check]:
    """It is another one than before."""
    other = denied(at.family(do.family).ferocity == do.value)
    shown = {"family": do.family, "value": do.value}
    yield needs(other, HAS_THIS_FEROCITY, FEROCITY_RULE, pointer="/action/value", **shown)


def each_ferocity(_: Board, letter: FamilyLetter) -> Iterator[SetFerocity]:
    """From 0 to 3."""
    return (SetFerocity(letter, value) for value in range(4))


FEROCITY_KNOWN_AS = {  # “A-2”: whose Ferocity is set to what
    f"{letter}-{value}": SetFerocity(letter, value) for letter in LETTERS for value in range(4)
}


def choose_ferocity(at: Board, noted: DiscardMemory, do: SetFerocity | str) -> tuple[Board, Where]:
    """One Family after another."""
    if not isinstance(do, SetFerocity):
        return at, "next-card"
    at, _ = begin_setting(at, do)
    return at.remember(ferocity_set=(*noted.ferocity_set, do.family)), "set-ferocity"


def begin_setting(at: Board, do: SetFerocity) -> tuple[Board, None]:
    """The Family counter is turned to that side."""
    return set_ferocity(at, do.family, do.value, FEROCITY_RULE), None


# -- 2.3.5: the end, or the next card ----------------------------------------------------------------

NEXT_CARD = message("next-card", "The scenario is not over: draw the next card.", tells="next")
ENDS_HERE = LAST_CARD["14.1"]  # the last cards of the other scenarios end them in their own events


def ask_next_card(at: Board, noted: DiscardMemory) -> Question:
    """Which card it was and which scenario is played decide; in a later Period neither is asked."""
    period = at.told("period", ask=ASK_PERIOD)
    if is_told(period) and period in ("mexican", "american"):
        return known(GOES_ON)
    return ask_whether_it_ends(at, ENDS_HERE, is_this=card_was(at, noted, ENDS_HERE))


def card_was(at: Board, noted: DiscardMemory, card: int) -> Truth:
    """Was it this card? One that was discarded untold cannot be told any more."""
    number = this_card(at, noted.card)
    if number is None and not is_told(noted.card):
        return noted.card  # type: ignore[return-value]
    return number == card


def next_card(at: Board, _noted: DiscardMemory, answer: str) -> Board:
    """The last card ends the scenario; after any other one nothing has been done yet with the next."""
    if answer == ENDS:
        return end_scenario(at, ENDS_HERE)
    return nothing_done_yet(at).tell(NEXT_CARD, "nw:2.3.5.repeat", "nw:2.loop")


SET_FEROCITY = Action(
    SetFerocity,
    FEROCITY_RULE,
    act("act.set-ferocity", "Setting Ferocity"),
    message(
        "action.set-ferocity", "The player sets the Ferocity of a Family with a man in the Discard Phase."
    ),
    may_set_ferocity,
    begin_setting,
    offer=lambda _, do: say(SET_TO, family=do.family, value=do.value),
    ways=each_ferocity,
    subjects=letters_in_play,
    may_at_all=may_be_set,
    may_so=may_be_set_so,
    subject="family",
)

DISCARD_PHASE = procedure(
    "discard-phase",
    DiscardMemory,
    part("step-1", "Step 1: Families with a Fort"),
    automatic(
        "families-with-fort",
        ("nw:2.3.order", *FORT_RULES),
        begin_steps,
        goes=("fort-roll", "automatic-defeat"),
        title="Is a Family in the Area of a Fort?",
    ),
    chance(
        "fort-roll",
        FORT_RULES,
        ask_fort_roll,
        fort_roll,
        goes=("fort-loss", "automatic-defeat"),
        title="Is the point spared?",
    ),
    decision("fort-loss", FORT_RULES, ask_fort_loss, fort_loss, title="Which point is lost?"),
    part("step-2", "Step 2: Automatic Defeat or Victory"),
    automatic(
        "automatic-defeat",
        ("nw:2.3.2.auto-end", "nw:12.1.when"),
        automatic_defeat,
        goes=("victory-roll", OVER),
        title="Automatic Defeat?",
    ),
    chance(
        "victory-roll",
        ("nw:2.3.2.auto-end", "nw:12.2.pre", "nw:12.2.roll"),
        ask_victory_roll,
        victory_roll,
        goes=("defeat-after-all", OVER),
        title="Automatic Victory?",
    ),
    automatic(
        "defeat-after-all",
        ("nw:2.3.2.auto-end", "nw:12.1.when"),
        defeat_after_all,
        goes=("discard", OVER),
        title="Automatic Defeat, tested second",
    ),
    part("step-3", "Step 3: Discard"),
    automatic("discard", "nw:2.3.3.discard", discard, title="The card is discarded"),
    part("step-4", "Step 4: Adjust Ferocity"),
    automatic("ferocity", FEROCITY_RULE, adjust_ferocity, title="Families without a man: Ferocity 0"),
    decision(
        "set-ferocity",
        FEROCITY_RULE,
        ask_ferocity,
        choose_ferocity,
        takes=(SET_FEROCITY,),
        or_else=instead(NO_MORE, "next-card"),
        reads=once_written(FEROCITY_KNOWN_AS),
        goes=("set-ferocity", "next-card"),
        title="Which Ferocity is set?",
    ),
    part("step-5", "Step 5: End or next card"),
    decision(
        "next-card",
        ("nw:2.3.5.repeat", "nw:12.3.scenario"),
        ask_next_card,
        next_card,
        goes=(END, OVER),
        title="Is the scenario over?",
    ),
    title="Discard Phase",
)

ACTION = Action(
    DiscardPhase,
    "nw:2.3",
    Term("nw.phase.discard"),
    message("action.discard-phase", "The Discard Phase of the card that has been resolved, in five steps."),
    may_discard,
    begin_phase,
    ways=lambda _, __: (DiscardPhase(),),
)
