"""Section 3.3, step 1: who grows up, who joins a Family, new Families, and what that does to Culture Points."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Literal

from msgspec import Struct

from engine.actions import Action, Said, say
from engine.exceptions import Refused
from engine.messages import act, message, question, requirement
from engine.navajo_wars.battle import in_play
from engine.navajo_wars.board import NO_LONGER_TOLD, Board, Family
from engine.navajo_wars.consequences import change_track, dissolve_without_adult, to_passage
from engine.navajo_wars.counters import (
    ADULTS,
    COUNTER_TERM,
    MEMBERS,
    NONE_LEFT,
    POPULATION,
    Member,
    in_passage_box,
    is_left,
    published,
    stated,
)
from engine.navajo_wars.intruders import INTRUDERS
from engine.navajo_wars.map import CANYON_AREAS, PlaceRef
from engine.navajo_wars.operation import in_passage_of_time, letters_in_play
from engine.navajo_wars.passage_memory import PassageMemory
from engine.navajo_wars.points import gain
from engine.navajo_wars.position import LETTERS, FamilyLetter
from engine.questions import Choose, ChooseSome, Option, Question, ask, known
from engine.tables import Where, call
from engine.verdict import Check, Truth, Unknown, as_number, certain, denied, must_know, needs, refuted, total

Grown = Literal["man", "woman", "elder"]


class GrowUp(Struct, frozen=True, forbid_unknown_fields=True, tag_field="kind", tag="grow-up"):
    """A child becomes an adult or an Elder, an adult an Elder; without a Family, in the Passage of Time Box."""

    who: Member
    into: Grown
    family: FamilyLetter | None = None


class JoinFamily(Struct, frozen=True, forbid_unknown_fields=True, tag_field="kind", tag="join-family"):
    """A population counter leaves the Passage of Time Box for a Family in play."""

    who: Member
    family: FamilyLetter


class EnterElderDisplay(
    Struct, frozen=True, forbid_unknown_fields=True, tag_field="kind", tag="enter-elder-display"
):
    """An Elder leaves the Passage of Time Box for the Elder Display."""


# -- step 1A: who grows up ---------------------------------------------------------------------------

WHO_GROWS = question(
    "passage-grow-up",
    "Passage of Time step 1: which children grow up, and which adults become Elders?",
    hint="Children become adults or Elders, adults become Elders.",
)
NO_MORE = message("passage-no-more", "Nobody else.")
GROWS_IN_FAMILY = message("passage-grows-in-family", "Family %(family)s: %(counter)s becomes %(new)s.")
LAST_ADULT_GROWS = message(
    "passage-last-adult-grows",
    "Family %(family)s: %(counter)s becomes %(new)s. This was its last adult: the Family leaves the map.",
)
GROWS_IN_BOX = message("passage-grows-in-box", "Passage of Time Box: %(counter)s becomes %(new)s.")
GREW = message(
    "passage-grew",
    "1 %(counter)s counter of Family %(family)s becomes 1 %(new)s counter in the Passage of Time Box. The old one goes to the Out of Play Box.",
    untold="In the Passage of Time Box, 1 %(counter)s counter is exchanged for 1 %(new)s counter. The old one goes to the Out of Play Box.",
)
BECOMES: dict[Member, tuple[Grown, ...]] = {
    "child": ("man", "woman", "elder"),
    "man": ("elder",),
    "woman": ("elder",),
}
BOX = "box"
NOBODY_THERE = requirement(
    "nobody-to-grow-up",
    "There is no %(counter)s counter in the box you named.",
    met="At least 1 %(counter)s counter is in the box you named.",
)
CANNOT_BECOME = requirement(
    "cannot-grow-into",
    "Nobody grows up from %(counter)s to %(new)s: children become adults or Elders, and adults become Elders.",
    met="Growing up from %(counter)s to %(new)s is possible.",
)


def may_grow(at: Board, do: GrowUp) -> Iterator[Check]:
    """Everything that decides whether somebody may grow up."""
    yield from may_grow_there(at, do.family)
    yield from may_grow_so(at, do)


def may_grow_so(at: Board, do: GrowUp) -> Iterator[Check]:
    """Somebody is there, can become that, and a counter for it is left."""
    if do.family is not None and refuted(at.family(do.family).in_play):
        return
    rule, who, new = rule_of_growing(do.who), COUNTER_TERM[do.who], COUNTER_TERM[do.into]
    there = is_there(at, do.who, do.family)
    yield needs(there, NOBODY_THERE, rule, pointer="/action/who", counter=who)
    fits = do.into in BECOMES[do.who]
    yield needs(fits, CANNOT_BECOME, rule, pointer="/action/into", counter=who, new=new)
    limit = stated(at, do.into)
    shown = {"counter": new, "limit": published(do.into) if limit is None else limit}
    yield needs(is_left(at, do.into), NONE_LEFT, "nw:1.6.1.counter-limit", pointer="/action/into", **shown)


def may_grow_there(at: Board, letter: FamilyLetter | None) -> Iterator[Check]:
    """In the Passage of Time, in a Family in play or in the Passage of Time Box."""
    yield in_passage_of_time(at, "nw:3.3.s1a.child-up")
    if letter is not None:
        yield in_play(at.family(letter))


def rule_of_growing(who: Member) -> str:
    """Children and adults grow up by rules of their own."""
    return "nw:3.3.s1a.child-up" if who == "child" else "nw:3.3.s1a.adult-up"


def is_there(at: Board, who: Member, letter: FamilyLetter | None) -> Truth:
    """Is such a counter in the Family Box, or in the Passage of Time Box?"""
    there: Truth = at.in_passage(who) > 0 if letter is None else getattr(at.family(letter), who)
    return there


def places(at: Board) -> list[FamilyLetter | None]:
    """Where children and adults can be: with each Family in play, and in the Passage of Time Box (None)."""
    return [*letters_in_play(at), None]


def growings(at: Board, letter: FamilyLetter | None) -> Iterator[GrowUp]:
    """Every child and adult there, with all they can become."""
    for who in MEMBERS:
        if not refuted(is_there(at, who, letter)):
            yield from (GrowUp(who, into, letter) for into in BECOMES[who])


def offer_growing(at: Board, do: GrowUp) -> Said:
    """How the offer reads; that a Family would be gone is said."""
    shown = {"counter": COUNTER_TERM[do.who], "new": COUNTER_TERM[do.into]}
    if do.family is None:
        return say(GROWS_IN_BOX, **shown)
    last = is_last_adult(at, do.family, do.who)
    return say(LAST_ADULT_GROWS if last else GROWS_IN_FAMILY, family=do.family, **shown)


def is_last_adult(at: Board, letter: FamilyLetter, who: Member) -> bool:
    """Is this the only adult of the Family?"""
    adults = [one for one in ADULTS if certain(getattr(at.family(letter), one))]
    return adults == [who]


GROWING_KNOWN_AS = {  # “C-child-to-man”, “box-man-to-elder”: who grows up
    f"{letter or BOX}-{who}-to-{into}": GrowUp(who, into, letter)
    for letter in (*LETTERS, None)
    for who in MEMBERS
    for into in BECOMES[who]
}


def grow_up(at: Board, do: GrowUp) -> tuple[Board, None]:
    """One counter is exchanged for another in the Passage of Time Box; a Family without adults dissolves."""
    rules = [rule_of_growing(do.who)]
    if do.family is None:
        at = at.set_passage(do.who, must_know(at.in_passage(do.who)) - 1)
    else:
        rules += ["nw:3.3.s1a.last-adult"] if is_last_adult(at, do.family, do.who) else []
        at = at.set_family(do.family, **{do.who: False})
    shown = {"counter": COUNTER_TERM[do.who], "new": COUNTER_TERM[do.into]}
    at = to_passage(at, do.into)
    if do.family is None:
        return at.tell(GREW, *rules, **shown), None
    return dissolve_without_adult(at.tell(GREW, *rules, family=do.family, **shown), do.family), None


# -- step 1B: who joins a Family in play -------------------------------------------------------------

WHO_JOINS = message(
    "passage-join",
    "Passage of Time step 1: who leaves the Passage of Time Box for a Family in play or the Elder Display?",
)
JOINS_FAMILY = message("passage-joins-family", "A %(counter)s joins Family %(family)s.")
JOINS_DISPLAY = message("passage-joins-display", "An Elder enters the first space of the Elder Display.")
JOINED = message("passage-joined", "A %(counter)s joins Family %(family)s.")
ELDER_PLACED = message("passage-elder-placed", "An Elder is placed in the first space of the Elder Display.")
TO_DISPLAY = "elder-to-display"
WAITS = "nw:1.7.3.pot-box"  # what waited in the Passage of Time Box leaves it
NOBODY_WAITS = requirement(
    "nobody-in-passage-box",
    "There is no %(counter)s counter in the Passage of Time Box.",
    met="At least 1 %(counter)s counter is in the Passage of Time Box.",
)
SPACE_TAKEN = requirement(
    "population-space-taken",
    "There is a %(counter)s in the Family Box of Family %(family)s already; there is room for only one.",
    met="There is room for a %(counter)s in the Family Box of Family %(family)s.",
)


def may_join(at: Board, do: JoinFamily) -> Iterator[Check]:
    """Everything that decides whether somebody may join a Family."""
    yield from may_be_joined(at, do.family)
    yield from may_join_so(at, do)


def may_join_so(at: Board, do: JoinFamily) -> Iterator[Check]:
    """Somebody in the box, and an empty space he fits."""
    family = at.family(do.family)
    if refuted(family.in_play):
        return
    rule, who = "nw:3.3.s1b.fill", COUNTER_TERM[do.who]
    yield needs(at.in_passage(do.who) > 0, NOBODY_WAITS, rule, pointer="/action/who", counter=who)
    room = denied(getattr(family, do.who))
    pointer = f"{family.pointer}/{do.who}"
    yield needs(room, SPACE_TAKEN, rule, pointer=pointer, counter=who, family=do.family)


def may_be_joined(at: Board, letter: FamilyLetter) -> Iterator[Check]:
    """In the Passage of Time, a Family in play."""
    yield in_passage_of_time(at, "nw:3.3.s1b.fill")
    yield in_play(at.family(letter))


def joinings(_: Board, letter: FamilyLetter) -> Iterator[JoinFamily]:
    """Each of the three population spaces."""
    return (JoinFamily(who, letter) for who in MEMBERS)


def offer_joining(_: Board, do: JoinFamily) -> Said:
    """How the offer reads."""
    return say(JOINS_FAMILY, counter=COUNTER_TERM[do.who], family=do.family)


def join(at: Board, do: JoinFamily) -> tuple[Board, None]:
    """One counter leaves the box for a Family Box."""
    at = at.set_passage(do.who, must_know(at.in_passage(do.who)) - 1)
    at = at.set_family(do.family, **{do.who: True})
    shown = {"counter": COUNTER_TERM[do.who], "family": do.family}
    return at.tell(JOINED, "nw:3.3.s1b.fill", WAITS, **shown), None


def may_enter_display(at: Board, _: EnterElderDisplay) -> Iterator[Check]:
    """In the Passage of Time, an Elder in the box."""
    rule = "nw:3.3.s1b.elders"
    yield in_passage_of_time(at, rule)
    there, pointer = at.in_passage("elder") > 0, "/passage_of_time/elder"
    yield needs(there, NOBODY_WAITS, rule, pointer=pointer, counter=COUNTER_TERM["elder"])


def enter_display(at: Board, _: EnterElderDisplay) -> tuple[Board, None]:
    """An Elder leaves the box; each new one will bring a Culture Point."""
    at = at.set_passage("elder", must_know(at.in_passage("elder")) - 1)
    at = at.set_elders_in(1, must_know(at.elders_in(1)) + 1)
    noted = at.noted(PassageMemory)
    if noted is not None:
        at = at.remember(new_elders=noted.new_elders + 1)
    return at.tell(ELDER_PLACED, "nw:3.3.s1b.elders", WAITS), None


JOINING_KNOWN_AS: dict[str, JoinFamily | EnterElderDisplay] = {  # “man-to-C”, “elder-to-display”
    **{f"{who}-to-{letter}": JoinFamily(who, letter) for who in MEMBERS for letter in LETTERS},
    TO_DISPLAY: EnterElderDisplay(),
}


# -- step 1C: new Families ---------------------------------------------------------------------------

NEW_FAMILY = message(
    "passage-new-family", "Passage of Time step 1: does a new Family come into play, and if so, which?"
)
NO_NEW_FAMILY = message("passage-no-new-family", "No new Family.")
THIS_FAMILY = message("passage-this-family", "Family %(family)s.")
CULTURE_BARS = message(
    "passage-culture-bars-family", "No new Family comes into play while Culture Points are at 0."
)
WHO_FOUNDS = question(
    "passage-members",
    "Which population counters form Family %(family)s?",
    hint="At least one of them must be an adult.",
)
THIS_MEMBER = message("passage-this-member", "%(counter)s")
NEEDS_ADULT = requirement(
    "new-family-without-adult",
    "A Family comes into play only with at least one adult in its Family Box.",
    met="There is an adult in the new Family.",
)
FAMILY_WHERE = message("passage-where", "In which Area of Canyon de Chelly is Family %(family)s placed?")
THIS_AREA = message("passage-this-area", "Area %(area)s")
FAMILY_FOUNDED = message(
    "passage-family-founded", "Family %(family)s comes into play in Area %(area)s, with Ferocity 0."
)
BARRED = "barred"


def ask_new_family(at: Board, _noted: PassageMemory) -> Question:
    """A Family out of play, if there is an adult for it and Culture Points are greater than 0."""
    in_play = {family.letter for family in at.families()}
    letters = [letter for letter in LETTERS if letter not in in_play]
    if not letters or not any(must_know(at.in_passage(kind)) for kind in ADULTS):
        return known("none")
    if must_know(at.culture) == 0:
        return known(BARRED)
    options = [Option(letter, THIS_FAMILY, {"family": letter}) for letter in letters]
    return ask(NEW_FAMILY, Choose((Option("none", NO_NEW_FAMILY), *options)))


def new_family(at: Board, _noted: PassageMemory, chosen: str) -> tuple[Board, Where]:
    """Its members and its place come next."""
    if chosen == BARRED:
        return at.tell(CULTURE_BARS, "nw:1.7.4.culture-zero-bars"), "culture"
    if chosen == "none":
        return at, "culture"
    return at.remember(family=chosen), "members"


def ask_members(at: Board, noted: PassageMemory) -> Question:
    """One man, one woman and one child at most, as far as the box holds them."""
    kinds = [kind for kind in MEMBERS if must_know(at.in_passage(kind))]
    options = tuple(Option(kind, THIS_MEMBER, {"counter": COUNTER_TERM[kind]}) for kind in kinds)
    letter = must_know(noted.family)
    return ask(WHO_FOUNDS, ChooseSome(options, min(1, len(kinds)), len(kinds)), family=letter)


def choose_members(at: Board, _noted: PassageMemory, chosen: list[str]) -> Board:
    """At least one of them is an adult."""
    must_have_adult(chosen)
    return at.remember(members=tuple(chosen))


def must_have_adult(members: Iterable[str]) -> None:
    """A Family counter comes into play only with an adult in its Family Box (1.7.5)."""
    adult = any(kind in ADULTS for kind in members)
    if not adult:
        rules = ("nw:1.7.5.family-needs-adult", "nw:13.adult", "nw:1.6.1.population")
        raise Refused(needs(adult, NEEDS_ADULT, *rules, pointer="/inputs"))


def ask_where(_: Board, noted: PassageMemory) -> Question:
    """Any Area of the Canyon."""
    options = tuple(Option(area, THIS_AREA, {"area": PlaceRef(area)}) for area in CANYON_AREAS)
    return ask(FAMILY_WHERE, Choose(options), family=must_know(noted.family))


def place_family(at: Board, noted: PassageMemory, area: str) -> Board:
    """The members leave the box, the counter comes to the Canyon."""
    letter, members = must_know(noted.family), must_know(noted.members)
    must_have_adult(members)
    for kind in members:
        at = at.set_passage(kind, max(0, must_know(at.in_passage(kind)) - 1))
    inside = {kind: kind in members for kind in MEMBERS}
    at = at.set_family(letter, at=area, ferocity=0, evasion=NO_LONGER_TOLD, horse=False, **inside)
    rules = (
        "nw:3.3.s1c.new-family",
        "nw:13.canyon.new-family",
        "nw:1.7.5.family-needs-adult",
        "nw:13.adult",
        "nw:1.6.1.population",
    )
    return at.tell(FAMILY_FOUNDED, *rules, family=letter, area=PlaceRef(area))


def arrive(at: Board, noted: PassageMemory) -> tuple[Board, Where | None]:
    """Intruders in that Area are met at once; then another Family may follow."""
    family = at.family(must_know(noted.family))
    if certain(family.in_play) and at.counters(family.at, "intruders") > 0:
        return at, call(INTRUDERS, family=family.letter)
    return at, None


# -- steps 1D and 1E: Culture Points, and who is left ------------------------------------------------

EMPTY_SPACES = message("passage-empty-spaces", "Empty population spaces of the Families in play: %(count)s.")
NEW_ELDERS = message("passage-new-elders", "New Elders in the Elder Display: %(count)s.")
DISCARDED = message(
    "passage-discarded",
    "Population counters left in the Passage of Time Box go to the Out of Play Box: %(count)s.",
)


def empty_spaces(family: Family) -> int | Unknown:
    """How many of its three population spaces are empty."""
    return total(as_number(denied(getattr(family, kind))) for kind in MEMBERS)


def adjust_culture(at: Board, noted: PassageMemory) -> Board:
    """-1 Culture Point for each empty population space, then +1 for each new Elder."""
    empty = must_know(total(empty_spaces(family) for family in at.families()))
    new = noted.new_elders
    if empty:
        at = at.tell(EMPTY_SPACES, "nw:3.3.s1d.culture-minus", count=empty)
        at = change_track(at, "culture", -empty, "nw:3.3.s1d.culture-minus")
    if new:
        at = at.tell(NEW_ELDERS, "nw:3.3.s1d.culture-plus", count=new)
        at = gain(at, "culture", new, "nw:3.3.s1d.culture-plus")
    return at


def discard(at: Board, _noted: PassageMemory) -> Board:
    """Whoever is left in the box leaves play."""
    left = must_know(total(in_passage_box(at, *POPULATION)))
    if left:
        for kind in POPULATION:
            at = at.set_passage(kind, 0)
        at = at.tell(DISCARDED, "nw:3.3.s1e.discard", WAITS, count=left)
    return at


GROW_UP = Action(
    GrowUp,
    "nw:3.3.s1a.child-up",
    act("act.grow-up", "Growing up"),
    message("action.grow-up", "A child becomes an adult or an Elder, an adult an Elder, as time passes."),
    may_grow,
    grow_up,
    offer=offer_growing,
    ways=growings,
    subjects=places,
    may_at_all=may_grow_there,
    may_so=may_grow_so,
    subject="family",
)
JOIN_FAMILY = Action(
    JoinFamily,
    "nw:3.3.s1b.fill",
    act("act.join-family", "Joining a Family"),
    message(
        "action.join-family", "A population counter leaves the Passage of Time Box for a Family in play."
    ),
    may_join,
    join,
    offer=offer_joining,
    ways=joinings,
    subjects=letters_in_play,
    may_at_all=may_be_joined,
    may_so=may_join_so,
    subject="family",
)
ENTER_DISPLAY = Action(
    EnterElderDisplay,
    "nw:3.3.s1b.elders",
    act("act.enter-elder-display", "Entering the Elder Display"),
    message("action.enter-elder-display", "An Elder leaves the Passage of Time Box for the Elder Display."),
    may_enter_display,
    enter_display,
    offer=lambda _, __: say(JOINS_DISPLAY),
    ways=lambda _, __: (EnterElderDisplay(),),
)
