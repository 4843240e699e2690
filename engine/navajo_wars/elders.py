"""Section 3.1 step 3: Elder Actions."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Annotated, ClassVar, Literal

from msgspec import Meta, Struct

from engine.actions import Action, Said, say
from engine.chance import Die
from engine.memory import NOT_NOTED, Memory, Noted
from engine.messages import Message, Term, message, requirement
from engine.navajo_wars.battle import in_play
from engine.navajo_wars.board import Board, Family
from engine.navajo_wars.consequences import change_track, set_ferocity, signed
from engine.navajo_wars.operation import has_done, in_planning, note_done
from engine.navajo_wars.points import gain
from engine.navajo_wars.position import LETTERS, Count, FamilyLetter
from engine.questions import Question, ask
from engine.tables import END, Where, call, chance, procedure
from engine.verdict import (
    Caution,
    Check,
    Truth,
    certain,
    denied,
    every,
    is_told,
    must_know,
    needs,
    refuted,
    some,
    warns,
)

Space = Annotated[int, Meta(ge=1, le=7)]
ElderChoice = Literal["culture-to-military", "military-to-culture", "ferocity", "ap"]
SPACES = range(1, 8)


class ElderAction(Struct, frozen=True, forbid_unknown_fields=True, tag_field="kind", tag="elder-action"):
    """An Elder attempts an Elder Action; `family` and `change` belong to the choice “ferocity”."""

    elder: Space
    choice: ElderChoice
    family: FamilyLetter | None = None
    change: Literal[1, -1] | None = None


class PlanningMemory(Memory, frozen=True):
    """How many Elders of each space have attempted an Elder Action."""

    acted: tuple[Count, Count, Count, Count, Count, Count, Count] = (0, 0, 0, 0, 0, 0, 0)


# -- who may attempt what ----------------------------------------------------------------------------

NO_LEVEL = requirement(
    "elder-without-level",
    "There is no Elder level under space %(space)s of the Elder Display: an Elder there cannot attempt an Elder Action.",
    met="Space %(space)s of the Elder Display has an Elder level.",
)
NO_ELDER = requirement(
    "no-elder-there",
    "There is no Elder in space %(space)s of the Elder Display.",
    met="There is an Elder in space %(space)s of the Elder Display.",
)
ALL_HAVE_ACTED = requirement(
    "elders-have-acted",
    "Every Elder in space %(space)s of the Elder Display has attempted an Elder Action in this Planning already.",
    met="An Elder in space %(space)s of the Elder Display has not attempted an Elder Action yet.",
)
CULTURE_NOT_HIGHER = requirement(
    "culture-not-higher",
    "Culture Points become Military Points only while they are the higher of the two: Culture Points "
    "%(culture)s, Military Points %(military)s.",
    met="Culture Points %(culture)s, Military Points %(military)s: the Elder may exchange 1 Culture Point for 1 Military Point.",
)
MILITARY_NOT_HIGHER = requirement(
    "military-not-higher",
    "Military Points become Culture Points only while they are the higher of the two: Military Points "
    "%(military)s, Culture Points %(culture)s.",
    met="Military Points %(military)s, Culture Points %(culture)s: the Elder may exchange 1 Military Point for 1 Culture Point.",
)
NOTHING_TO_EXCHANGE = requirement(
    "nothing-to-exchange",
    "The points to be exchanged are at 0. Culture Points: %(culture)s; Military Points: %(military)s.",
    met="There is at least 1 point that can be exchanged.",
)
FAMILY_AND_CHANGE = requirement(
    "elder-ferocity-incomplete",
    "To change a Family's Ferocity, both the Family and the change (+1 or -1) must be named: at least one of them is missing.",
    met="The Family and the change (+1 or -1) are named.",
)
NO_FURTHER = requirement(
    "ferocity-at-its-end",
    "The Ferocity of Family %(family)s is %(have)s and cannot be changed by %(change)s: Ferocity ranges from 0 to 3.",
    met="The Ferocity of Family %(family)s is %(have)s and can be changed by %(change)s.",
)
FEROCITY_NEEDS_MAN = requirement(
    "ferocity-without-man",
    "Family %(family)s has no man in its Family Box: its Ferocity cannot be greater than 0.",
    met="Family %(family)s has a man, so its Ferocity can be greater than 0.",
)
ELDERS_NEED_MAN = requirement(
    "elders-without-man",
    "Family %(family)s has no man in its Family Box: by the reading chosen here, Elders do not change its "
    "Ferocity at all.",
    met="Family %(family)s has a man, as a change of its Ferocity by Elders requires.",
)
ONCE_PER_CARD = requirement(
    "elder-ferocity-once",
    "Elders have changed the Ferocity of Family %(family)s with this card already; they may do so once with each card.",
    met="Elders have not changed the Ferocity of Family %(family)s with this card.",
)
LEVELS_PUBLISHED = message(
    "elder-levels-published",
    "The Elder levels of the spaces 2 to 7 are those that public sources state: %(levels)s. Check them against your Elder Display.",
)
WITHOUT_PLANNING = message(
    "elder-action-alone",
    "Each Elder may attempt one Elder Action in a Planning: make sure that this one has not attempted one yet.",
)


def may_elder_action(at: Board, do: ElderAction) -> Iterator[Check | Caution]:
    """Everything that decides whether an Elder may attempt this, in rulebook order."""
    yield from may_attempt(at, do.elder)
    yield from may_choose(at, do)


def may_attempt(at: Board, space: Space) -> Iterator[Check | Caution]:
    """In Planning, an Elder in this space with a level who has not made his attempt."""
    rule = "nw:3.1.s3.elder-action"
    yield in_planning(at, rule)
    yield needs(
        at.elder_level(space) > 0, NO_LEVEL, "nw:3.1.s3.no-level", pointer="/action/elder", space=space
    )
    yield needs(at.elders_in(space) > 0, NO_ELDER, rule, pointer=f"/elders/{space - 1}", space=space)
    planning = at.noted(PlanningMemory)
    if planning is None:
        yield warns(WITHOUT_PLANNING, rule, pointer="/agenda")
    else:
        left = some((at.elders_in(space) == 0, planning.acted[space - 1] < at.elders_in(space)))
        yield needs(left, ALL_HAVE_ACTED, rule, pointer="/action/elder", space=space)


def may_choose(at: Board, do: ElderAction) -> Iterator[Check | Caution]:
    """What is attempted can be done."""
    yield from MAY_CHOOSE[do.choice](at, do)
    yield from levels_published(at)


def levels_published(at: Board) -> Iterator[Caution]:
    """The Elder levels are printed on the map: what public sources state should be looked up once."""
    if not at.knows_elder_levels:
        yield at.once(_published)


def _published(at: Board) -> Caution:
    levels = tuple(str(at.elder_level(space)) for space in SPACES[1:])  # the first has none
    return warns(
        LEVELS_PUBLISHED, "nw:1.7.5.elder-display", pointer="/components/elder_levels", levels=levels
    )


def may_exchange_culture(at: Board, _: ElderAction) -> Iterator[Check]:
    """From the higher to the lower of the two (C65)."""
    points = {"culture": at.culture, "military": at.military}
    rule, pointer = "nw:3.1.s3.cul-to-mil", "/tracks/culture"
    if at.choice("elder-exchange") == "higher-to-lower":
        yield needs(at.culture > at.military, CULTURE_NOT_HIGHER, rule, pointer=pointer, **points)
    else:
        yield needs(at.culture > 0, NOTHING_TO_EXCHANGE, rule, pointer=pointer, **points)


def may_exchange_military(at: Board, _: ElderAction) -> Iterator[Check]:
    """From the higher to the lower of the two (C65)."""
    points = {"culture": at.culture, "military": at.military}
    rule, pointer = "nw:3.1.s3.mil-to-cul", "/tracks/military"
    if at.choice("elder-exchange") == "higher-to-lower":
        yield needs(at.military > at.culture, MILITARY_NOT_HIGHER, rule, pointer=pointer, **points)
    else:
        yield needs(at.military > 0, NOTHING_TO_EXCHANGE, rule, pointer=pointer, **points)


def may_change_ferocity(at: Board, do: ElderAction) -> Iterator[Check]:
    """A Family in play, once per card, within its faces, and above 0 only with a man."""
    rule, letter, change = "nw:3.1.s3.ferocity", do.family, do.change
    named = letter is not None and change is not None
    yield needs(named, FAMILY_AND_CHANGE, rule, pointer="/action")
    if letter is None or change is None:
        return
    family = at.family(letter)
    yield in_play(family)
    if refuted(family.in_play):
        return
    yield needs(
        within_faces(family, change),
        NO_FURTHER,
        rule,
        "nw:1.6.1.family-counters",
        pointer=f"{family.pointer}/ferocity",
        family=letter,
        have=family.ferocity,
        change=signed(change),
    )
    yield from may_with_man(at, family, change)
    yield at.occasion(
        denied(has_done(at, "elder_ferocity", letter)),
        ONCE_PER_CARD,
        "nw:3.1.s3.ferocity-once",
        pointer="/operation/elder_ferocity",
        takes=(),
        family=letter,
    )


def within_faces(family: Family, change: int) -> Truth:
    """Does one of its counters show this Ferocity?"""
    return every((family.ferocity + change >= 0, family.ferocity + change <= 3))


def may_with_man(at: Board, family: Family, change: int) -> Iterator[Check]:
    """Without a man the Ferocity can only fall, or not even that, as chosen (C65)."""
    params = {"pointer": f"{family.pointer}/man", "family": family.letter}
    if change > 0:
        yield needs(family.man, FEROCITY_NEEDS_MAN, "nw:3.1.ferocity-needs-man", **params)
    elif not certain(family.man) and at.choice("elders-and-no-man") == "not-at-all":
        yield needs(family.man, ELDERS_NEED_MAN, "nw:3.1.ferocity-needs-man", **params)


def may_gain_ap(_at: Board, _do: ElderAction) -> Iterator[Check]:
    """Always open."""
    yield from ()


MAY_CHOOSE: dict[str, Callable[[Board, ElderAction], Iterator[Check]]] = {
    "culture-to-military": may_exchange_culture,
    "military-to-culture": may_exchange_military,
    "ferocity": may_change_ferocity,
    "ap": may_gain_ap,
}


def attempts(at: Board, space: Space) -> Iterator[ElderAction]:
    """Everything an Elder in this space can attempt."""
    yield ElderAction(space, "ap")
    yield ElderAction(space, "culture-to-military")
    yield ElderAction(space, "military-to-culture")
    for letter in LETTERS:
        if refuted(at.family(letter).in_play):
            continue
        yield ElderAction(space, "ferocity", letter, 1)
        yield ElderAction(space, "ferocity", letter, -1)


ELDER_DOES = {
    "culture-to-military": message(
        "elder-option-culture", "Elder in space %(elder)s: exchange 1 Culture Point for 1 Military Point."
    ),
    "military-to-culture": message(
        "elder-option-military", "Elder in space %(elder)s: exchange 1 Military Point for 1 Culture Point."
    ),
    "ferocity": message(
        "elder-option-ferocity",
        "Elder in space %(elder)s: change the Ferocity of Family %(family)s by %(change)s.",
    ),
    "ap": message("elder-option-ap", "Elder in space %(elder)s: gain 1 AP."),
}


def offer_attempt(_: Board, do: ElderAction) -> Said:
    """How the offer of an Elder Action reads."""
    return say(ELDER_DOES[do.choice], elder=do.elder, family=do.family, change=f"{do.change or 0:+d}")


# -- the attempt -------------------------------------------------------------------------------------

ELDER_ROLL = message(
    "elder-roll",
    "Elder Action of the Elder in space %(space)s: roll a die; a result up to the Elder level (%(level)s) is a success.",
)
SUCCEEDS = message(
    "outcome.elder-action-succeeds", "The Elder Action of the Elder in space %(space)s succeeds."
)
FAILS = message(
    "outcome.elder-action-fails", "The Elder Action of the Elder in space %(space)s fails: nothing changes."
)
ELDER_SUCCEEDS = message(
    "elder-action-succeeds",
    "The Elder in space %(space)s rolls %(die)s against Elder level %(level)s: success.",
    outcome=SUCCEEDS,
)
ELDER_FAILS = message(
    "elder-action-fails",
    "The Elder in space %(space)s rolls %(die)s against Elder level %(level)s: failure, nothing changes.",
    outcome=FAILS,
    whole=True,
)


class ElderMemory(Memory, frozen=True):
    """Which Elder attempts what."""

    questions: ClassVar[dict[str, Message]] = {
        "elder": message(
            "ask-elder-space", "Which space of the Elder Display is the Elder in who attempts it?"
        ),
        "choice": message("ask-elder-choice", "Which of the four Elder Actions is attempted?"),
        "family": message("ask-elder-family", "Which Family's Ferocity do the Elders change?"),
        "change": message("ask-elder-change", "Does the Family's Ferocity rise by 1 or fall by 1?"),
    }

    elder: Noted[Space] = NOT_NOTED
    choice: Noted[ElderChoice] = NOT_NOTED
    family: Noted[FamilyLetter] = NOT_NOTED
    change: Noted[Literal[1, -1]] = NOT_NOTED


def begin_elder_action(at: Board, do: ElderAction) -> tuple[Board, Where]:
    """The action is declared, then the die is rolled (C65)."""
    family = NOT_NOTED if do.family is None else do.family
    change = NOT_NOTED if do.change is None else do.change
    attempt = call(ELDER_ACTION, elder=do.elder, choice=do.choice, family=family, change=change)
    return note_attempt(at, do.elder), attempt


def note_attempt(at: Board, space: Space) -> Board:
    """An Elder of this space has made his attempt in the Planning under way, if one is."""
    planning = at.noted(PlanningMemory)
    if planning is None:
        return at
    acted = list(planning.acted)
    acted[space - 1] += 1
    return at.remember(acted=tuple(acted))


def ask_elder_roll(at: Board, noted: ElderMemory) -> Question:
    """The attempt waits for its die."""
    space = must_know(noted.elder)
    return ask(ELDER_ROLL, Die(), space=space, level=at.elder_level(space))


def elder_roll(at: Board, noted: ElderMemory, die: int) -> Board:
    """The Elder level or less succeeds."""
    space = must_know(noted.elder)
    level = at.elder_level(space)
    rolled = {"space": space, "die": die, "level": level}
    if die > level:
        return at.tell(ELDER_FAILS, "nw:3.1.s3.elder-action", **rolled)
    at = at.tell(ELDER_SUCCEEDS, "nw:3.1.s3.elder-action", **rolled)
    return DOES[must_know(noted.choice)](at, noted)


def exchange_culture(at: Board, _: ElderMemory) -> Board:
    """1 Culture Point becomes 1 Military Point."""
    at = change_track(at, "culture", -1, "nw:3.1.s3.cul-to-mil")
    return gain(at, "military", +1, "nw:3.1.s3.cul-to-mil")


def exchange_military(at: Board, _: ElderMemory) -> Board:
    """1 Military Point becomes 1 Culture Point."""
    at = change_track(at, "military", -1, "nw:3.1.s3.mil-to-cul")
    return gain(at, "culture", +1, "nw:3.1.s3.mil-to-cul")


def change_ferocity(at: Board, noted: ElderMemory) -> Board:
    """The Ferocity changes by 1; with fewer than 5 Military or Culture Points it brings one more."""
    letter, change = must_know(noted.family), must_know(noted.change)
    now = must_know(at.family(letter).ferocity)
    at = set_ferocity(at, letter, min(3, max(0, now + change)), "nw:3.1.s3.ferocity")
    if is_told(has_done(at, "elder_ferocity", letter)):
        at = note_done(at, "elder_ferocity", letter)
    if change > 0 and must_know(at.military) < 5:
        return gain(at, "military", +1, "nw:3.1.s3.ferocity-up-bonus")
    if change < 0 and must_know(at.culture) < 5:
        return gain(at, "culture", +1, "nw:3.1.s3.ferocity-down-bonus")
    return at


def gain_ap(at: Board, _: ElderMemory) -> Board:
    """1 AP."""
    return gain(at, "ap", +1, "nw:3.1.s3.ap")


DOES: dict[ElderChoice, Callable[[Board, ElderMemory], Board]] = {
    "culture-to-military": exchange_culture,
    "military-to-culture": exchange_military,
    "ferocity": change_ferocity,
    "ap": gain_ap,
}

ELDER_ACTION = procedure(
    "elder-action",
    ElderMemory,
    chance(
        "roll",
        ("nw:3.1.s3.elder-action", "nw:13.free"),
        ask_elder_roll,
        elder_roll,
        then=END,
        title="Roll against the Elder level",
    ),
    title="Elder Action",
)

ACTION = Action(
    ElderAction,
    "nw:3.1.s3.elder-action",
    Term("nw.planning.elder_action"),
    message("action.elder-action", "An Elder attempts one of the four Elder Actions."),
    may_elder_action,
    begin_elder_action,
    offer=offer_attempt,
    ways=attempts,
    subjects=lambda _: SPACES,
    may_at_all=may_attempt,
    may_so=may_choose,
    subject="elder",
)
