"""Section 3.3, step 5: there is not enough food, and the player says who is not fed."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from engine.actions import Action, Said, say
from engine.messages import act, message, question, requirement
from engine.navajo_wars.battle import in_play
from engine.navajo_wars.board import Board
from engine.navajo_wars.consequences import dissolve_without_adult
from engine.navajo_wars.counters import COUNTER_TERM, MEMBERS, Member
from engine.navajo_wars.elders import Space
from engine.navajo_wars.operation import letters_in_play
from engine.navajo_wars.passage_food import SHEEP_FEEDS, population
from engine.navajo_wars.passage_memory import PassageMemory
from engine.navajo_wars.position import LETTERS, FamilyLetter
from engine.questions import Question, ask, known
from engine.tables import Where
from engine.verdict import Check, Truth, is_told, must_know, needs, refuted

RULES = ("nw:3.3.s5.starve", "nw:3.3.s5.must-feed")
EVERYONE = "everyone"
NEW_SHEEP = "sheep"
ELDER_SPACES = range(1, 8)

WHO_STARVES = question(
    "passage-hunger",
    "Which population counter is given up now for lack of food?",
    lead="There is not enough food. Population counters still to be given up: %(count)s.",
)
MEMBER_STARVES = message("passage-member-starves", "Family %(family)s: %(counter)s")
ELDER_STARVES = message("passage-elder-starves", "An Elder in space %(space)s of the Elder Display")
STARVED = message(
    "passage-starved", "A population counter (%(counter)s) is not fed and goes to the Out of Play Box."
)
ALL_STARVED = message(
    "passage-all-starved", "Nobody can be fed: all population counters go to the Out of Play Box."
)
SPENT_AT_ONCE = message(
    "passage-sheep-spent-at-once",
    "The sheep is spent as food at once and goes to the Out of Play Box.",
    outcome=True,
    was="passage-sheep-spent",
)
NOBODY_HUNGRY = requirement(
    "nobody-is-hungry",
    "Nobody is given up for want of food now: that is done in step 5 of the Passage of Time, as long as somebody is not fed.",
    met="Somebody is not fed.",
)
NOT_AMONG_THEM = requirement(
    "nobody-to-give-up",
    "There is no %(counter)s counter to be given up.",
    met="At least 1 %(counter)s counter can be given up.",
)


class GiveUp(Struct, frozen=True, forbid_unknown_fields=True, tag_field="kind", tag="give-up"):
    """A population counter in a Family Box is not fed and leaves play."""

    who: Member
    family: FamilyLetter


class GiveUpElder(Struct, frozen=True, forbid_unknown_fields=True, tag_field="kind", tag="give-up-elder"):
    """An Elder in the Elder Display is not fed and leaves play."""

    elder: Space


# -- who may be given up -----------------------------------------------------------------------------


def may_give_up(at: Board, do: GiveUp) -> Iterator[Check]:
    """Somebody is not fed, and such a counter is in the Family Box."""
    yield from may_lose_somebody(at, do.family)
    if not refuted(at.family(do.family).in_play):
        yield from is_in_family_box(at, do)


def may_lose_somebody(at: Board, letter: FamilyLetter) -> Iterator[Check]:
    """What is asked of the Family, whoever it gives up."""
    yield somebody_is_hungry(at)
    yield in_play(at.family(letter))


def is_in_family_box(at: Board, do: GiveUp) -> Iterator[Check]:
    """Such a counter is in the Family Box."""
    family = at.family(do.family)
    there, pointer = getattr(family, do.who), f"{family.pointer}/{do.who}"
    yield needs(there, NOT_AMONG_THEM, *RULES, pointer=pointer, counter=COUNTER_TERM[do.who])


def may_give_up_elder(at: Board, do: GiveUpElder) -> Iterator[Check]:
    """Somebody is not fed, and an Elder is in that space."""
    yield somebody_is_hungry(at)
    there: Truth = at.elders_in(do.elder) > 0
    yield needs(there, NOT_AMONG_THEM, *RULES, pointer="/elders", counter=COUNTER_TERM["elder"])


def somebody_is_hungry(at: Board) -> Check:
    """Food is missing, in step 5."""
    noted = at.noted(PassageMemory)
    hungry: Truth = False if noted is None else noted.unfed > 0
    return needs(hungry, NOBODY_HUNGRY, *RULES, pointer="/agenda")


# -- what is asked, and what comes of it -------------------------------------------------------------


def ask_hunger(at: Board, noted: PassageMemory) -> Question:
    """Whom to give up, as long as somebody is not fed and no sheep has been had meanwhile (10.2)."""
    unfed, sheep = must_know(noted.unfed), at.resource("sheep")
    if not unfed:
        return known("none")
    if is_told(sheep) and sheep:
        return known(NEW_SHEEP)
    if unfed >= population(at):
        return known(EVERYONE)
    return ask(WHO_STARVES, count=unfed)


def starve(at: Board, noted: PassageMemory, chosen: GiveUp | GiveUpElder | str) -> tuple[Board, Where]:
    """The hungry leave play; when all have, Families without adults are gone too."""
    if chosen == "none":
        return _families_without_adults(at), "graze"
    unfed = must_know(noted.unfed)
    if chosen == NEW_SHEEP:
        return feed_one_sheep(at, unfed), "hunger"
    if chosen == EVERYONE:
        return give_up_all(at), "hunger"
    at, _ = give_up_elder(at, chosen) if isinstance(chosen, GiveUpElder) else give_up(at, chosen)  # type: ignore[arg-type]
    return at.remember(unfed=unfed - 1), "hunger"


def feed_one_sheep(at: Board, unfed: int) -> Board:
    """As many as possible must be fed: a sheep that came late is spent too."""
    at = at.spend_resource("sheep", 1).remember(unfed=max(0, unfed - SHEEP_FEEDS))
    return at.tell(SPENT_AT_ONCE, "nw:3.3.s5.sheep", "nw:3.3.s5.must-feed")


def give_up_all(at: Board) -> Board:
    """Nobody is left in the Family Boxes and the Elder Display."""
    at = at.change(elders=(0, 0, 0, 0, 0, 0, 0)).remember(unfed=0)
    for letter in [family.letter for family in at.families()]:
        at = at.set_family(letter, man=False, woman=False, child=False)
    return at.tell(ALL_STARVED, "nw:3.3.s5.starve")


def give_up(at: Board, do: GiveUp) -> tuple[Board, None]:
    """One population counter of a Family leaves play."""
    at = at.set_family(do.family, **{do.who: False})
    return at.tell(STARVED, *RULES, counter=COUNTER_TERM[do.who]), None


def give_up_elder(at: Board, do: GiveUpElder) -> tuple[Board, None]:
    """One Elder leaves play."""
    at = at.set_elders_in(do.elder, must_know(at.elders_in(do.elder)) - 1)
    return at.tell(STARVED, *RULES, counter=COUNTER_TERM["elder"]), None


def _families_without_adults(at: Board) -> Board:
    for letter in [family.letter for family in at.families()]:
        at = dissolve_without_adult(at, letter)
    return at


# -- how it is offered -------------------------------------------------------------------------------


def members_of(_: Board, letter: FamilyLetter) -> Iterator[GiveUp]:
    """Everyone who can be in the Family Box."""
    return (GiveUp(who, letter) for who in MEMBERS)


def offer_member(_: Board, do: GiveUp) -> Said:
    """A population counter of a Family as an answer."""
    return say(MEMBER_STARVES, family=do.family, counter=COUNTER_TERM[do.who])


KNOWN_AS: dict[str, GiveUp | GiveUpElder] = {  # “C-child”, “elder-3”: who is given up
    **{f"{letter}-{who}": GiveUp(who, letter) for letter in LETTERS for who in MEMBERS},
    **{f"elder-{space}": GiveUpElder(space) for space in ELDER_SPACES},
}

GIVE_UP = Action(
    GiveUp,
    "nw:3.3.s5.starve",
    act("act.give-up", "Giving up a population counter"),
    message("action.give-up", "A population counter in a Family Box is not fed and leaves play."),
    may_give_up,
    give_up,
    offer=offer_member,
    ways=members_of,
    subjects=letters_in_play,
    may_at_all=may_lose_somebody,
    may_so=is_in_family_box,
    subject="family",
)
GIVE_UP_ELDER = Action(
    GiveUpElder,
    "nw:3.3.s5.starve",
    act("act.give-up-elder", "Giving up an Elder"),
    message("action.give-up-elder", "An Elder in the Elder Display is not fed and leaves play."),
    may_give_up_elder,
    give_up_elder,
    offer=lambda _, do: say(ELDER_STARVES, space=do.elder),
    ways=lambda _, space: (GiveUpElder(space),),
    subjects=lambda _: ELDER_SPACES,
    subject="elder",
)
