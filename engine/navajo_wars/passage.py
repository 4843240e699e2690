"""Section 3.3: Passage of Time, its eleven steps.

Steps 2 to 6 and 9 stand in passage_food.py, steps 7, 8 and 10 in passage_years.py.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Literal

from msgspec import UNSET, Struct, UnsetType

from engine.actions import Action, say
from engine.exceptions import Refused
from engine.memory import Memory
from engine.messages import Term, message, requirement
from engine.navajo_wars.board import Board, Family
from engine.navajo_wars.consequences import change_track, dissolve_without_adult, to_passage
from engine.navajo_wars.counters import (
    ADULTS,
    ANIMALS,
    COUNTER_TERM,
    NONE_LEFT,
    POPULATION,
    in_family_boxes,
    is_left,
    stated,
)
from engine.navajo_wars.cubes import cube_reset
from engine.navajo_wars.droughts import ask_lowest_neighbour
from engine.navajo_wars.elders import levels_published
from engine.navajo_wars.horses import ACTION as PLACE_HORSE
from engine.navajo_wars.intruders import INTRUDERS
from engine.navajo_wars.map import CANYON_AREAS, PlaceRef
from engine.navajo_wars.operation import begin_operation, not_chosen_yet
from engine.navajo_wars.passage_food import (
    ask_corn_value,
    ask_feed,
    ask_graze,
    ask_harvest,
    ask_hunger,
    breed,
    feed,
    graze,
    harvest,
    pick_corn,
    return_animals,
    return_corn,
    starve,
)
from engine.navajo_wars.passage_years import (
    ask_death_roll,
    ask_recovery_roll,
    card_41,
    death_roll,
    neighbour_recovers,
    recovery_roll,
)
from engine.navajo_wars.points import gain
from engine.navajo_wars.position import LETTERS, AreaId, Count, FamilyLetter, Sum
from engine.navajo_wars.trade import BARTER
from engine.questions import Choose, ChooseSome, Option, Question, ask, known
from engine.tables import Where, automatic, call, chance, decision, end, procedure, reading
from engine.verdict import Caution, Check, Unknown, as_number, denied, must_know, needs, total

Member = Literal["man", "woman", "child"]
MEMBERS: tuple[Member, ...] = ("man", "woman", "child")


class PassageOfTime(Struct, frozen=True, forbid_unknown_fields=True, tag_field="kind", tag="passage-of-time"):
    """Time passes."""


class PassageMemory(Memory, frozen=True):
    """What later steps have to know: new Elders, the new Family, corn picked, the hungry, Elders checked, a die."""

    new_elders: Sum = 0
    family: FamilyLetter | UnsetType = UNSET
    members: tuple[Member, ...] | UnsetType = UNSET
    picked: tuple[AreaId, ...] = ()
    unfed: Sum | UnsetType = UNSET
    checked: tuple[Count, Count, Count, Count, Count, Count, Count] = (0, 0, 0, 0, 0, 0, 0)
    die: Literal[1, 2, 3, 4, 5, 6] | UnsetType = UNSET


def may_pass_time(at: Board, _: PassageOfTime) -> Iterator[Check | Caution]:
    """The Passage of Time is open while no Operation has been chosen."""
    yield not_chosen_yet(at)
    yield from levels_published(at)


def begin_passage(at: Board, _: PassageOfTime) -> tuple[Board, Where]:
    """Everything the first step looks at is asked for at once, where it was not told."""
    boxes = [number for kind in MEMBERS for number in in_family_boxes(at, kind)]
    must_know(total([*boxes, *(at.in_passage(kind) for kind in (*POPULATION, *ANIMALS))]))
    at = begin_operation(at, "passage-of-time")
    return at.tell(PASSAGE_BEGINS, "nw:3.3", "nw:3.3.order"), call(PASSAGE_OF_TIME)


CHOOSE_PASSAGE = message("operation-passage-of-time", "Passage of Time")
PASSAGE_BEGINS = message("passage-begins", "Passage of Time: eleven steps in their order.")


# -- step 1A: who grows up ---------------------------------------------------------------------------

WHO_GROWS = message(
    "passage-grow-up",
    "Passage of Time step 1: who grows up? Children become adults or Elders, adults Elders.",
)
NO_MORE = message("passage-no-more", "Nobody else.")
GROWS_IN_FAMILY = message("passage-grows-in-family", "Family %(family)s: %(counter)s becomes %(new)s.")
LAST_ADULT_GROWS = message(
    "passage-last-adult-grows",
    "Family %(family)s: %(counter)s becomes %(new)s. This is its last adult: the Family leaves the map.",
)
GROWS_IN_BOX = message("passage-grows-in-box", "Passage of Time Box: %(counter)s becomes %(new)s.")
GREW = message(
    "passage-grew",
    "%(counter)s becomes %(new)s: the old counter goes to the Out of Play Box, the new one comes into the Passage of "
    "Time Box.",
)
BECOMES = {"child": ("man", "woman", "elder"), "man": ("elder",), "woman": ("elder",)}
BOX = "box"


def ask_who_grows(at: Board) -> Question:
    """Every child and adult in a Family Box or the Passage of Time Box, with all they can become."""
    options, closed = [Option("none", NO_MORE)], []
    for source, kind in growers(at):
        for new in BECOMES[kind]:
            value = f"{source}-{kind}-to-{new}"
            if is_left(at, new):
                options.append(grow_option(at, value, source, kind, new))
            else:
                closed.append((value, no_counter(at, new)))
    return ask(WHO_GROWS, Choose(tuple(options), tuple(closed)))


def growers(at: Board) -> Iterator[tuple[str, str]]:
    """Where children and adults are: a Family's letter or the box, and who."""
    for family in at.families():
        yield from ((family.letter, kind) for kind in MEMBERS if must_know(getattr(family, kind)))
    yield from ((BOX, kind) for kind in MEMBERS if must_know(at.in_passage(kind)))


def grow_option(at: Board, value: str, source: str, kind: str, new: str) -> Option:
    """How the offer reads; that a Family would be gone is said."""
    shown = {"family": source, "counter": COUNTER_TERM[kind], "new": COUNTER_TERM[new]}
    if source == BOX:
        return Option(value, GROWS_IN_BOX, shown)
    return Option(value, LAST_ADULT_GROWS if is_last_adult(at, source, kind) else GROWS_IN_FAMILY, shown)


def is_last_adult(at: Board, letter: str, kind: str) -> bool:
    """Is this the only adult of the Family?"""
    return kind in ADULTS and [kind] == [one for one in ADULTS if getattr(at.family(letter), one) is True]


def no_counter(at: Board, kind: str) -> Check:
    """The counter mix has no more of this kind."""
    shown = {"counter": COUNTER_TERM[kind], "limit": stated(at, kind)}
    return needs(False, NONE_LEFT, "nw:1.6.1.counter-limit", pointer="/inputs", **shown)


def grow_up(at: Board, chosen: str) -> tuple[Board, Where]:
    """One counter is exchanged for another in the Passage of Time Box; a Family without adults dissolves."""
    if chosen == "none":
        return at, "join"
    source, kind, _, new = chosen.split("-")
    rules = ["nw:3.3.s1a.child-up" if kind == "child" else "nw:3.3.s1a.adult-up"]
    if source == BOX:
        at = at.set_passage(kind, must_know(at.in_passage(kind)) - 1)
    else:
        rules += ["nw:3.3.s1a.last-adult"] if is_last_adult(at, source, kind) else []
        at = at.set_family(source, **{kind: False})
    at = to_passage(at, new).tell(GREW, *rules, counter=COUNTER_TERM[kind], new=COUNTER_TERM[new])
    return (at if source == BOX else dissolve_without_adult(at, source)), "grow-up"


# -- step 1B: who joins a Family in play -------------------------------------------------------------

WHO_JOINS = message(
    "passage-join",
    "Passage of Time step 1: who leaves the Passage of Time Box for a Family in play or the Elder Display?",
)
JOINS_FAMILY = message("passage-joins-family", "%(counter)s joins Family %(family)s.")
JOINS_DISPLAY = message("passage-joins-display", "An Elder enters the first space of the Elder Display.")
JOINED = message("passage-joined", "%(counter)s joins Family %(family)s.")
ELDER_PLACED = message("passage-elder-placed", "An Elder is placed in the first space of the Elder Display.")
TO_DISPLAY = "elder-to-display"
WAITS = "nw:1.7.3.pot-box"  # what waited in the Passage of Time Box leaves it


def ask_who_joins(at: Board) -> Question:
    """Every counter in the box with every empty population space it fits, and the Elders."""
    options = [Option("none", NO_MORE)]
    for kind in MEMBERS:
        if must_know(at.in_passage(kind)):
            shown = COUNTER_TERM[kind]
            options += [
                Option(
                    f"{kind}-to-{family.letter}", JOINS_FAMILY, {"counter": shown, "family": family.letter}
                )
                for family in at.families()
                if not must_know(getattr(family, kind))
            ]
    if must_know(at.in_passage("elder")):
        options.append(Option(TO_DISPLAY, JOINS_DISPLAY))
    return ask(WHO_JOINS, Choose(tuple(options)))


def join(at: Board, chosen: str) -> tuple[Board, Where]:
    """One counter leaves the box."""
    if chosen == "none":
        return at, "new-family"
    kind, _, goal = chosen.split("-")
    at = at.set_passage(kind, must_know(at.in_passage(kind)) - 1)
    if chosen == TO_DISPLAY:
        at = at.set_elders_in(1, must_know(at.elders_in(1)) + 1)
        at = at.remember(new_elders=at.recall("new_elders") + 1)
        return at.tell(ELDER_PLACED, "nw:3.3.s1b.elders", WAITS), "join"
    at = at.set_family(goal, **{kind: True})
    return at.tell(JOINED, "nw:3.3.s1b.fill", WAITS, counter=COUNTER_TERM[kind], family=goal), "join"


# -- step 1C: new Families ---------------------------------------------------------------------------

NEW_FAMILY = message(
    "passage-new-family", "Passage of Time step 1: does a new Family come into play, and which one?"
)
NO_NEW_FAMILY = message("passage-no-new-family", "No new Family.")
THIS_FAMILY = message("passage-this-family", "Family %(family)s.")
CULTURE_BARS = message(
    "passage-culture-bars-family", "No new Family comes into play while Culture Points are at 0."
)
WHO_FOUNDS = message(
    "passage-members",
    "Which population counters form Family %(family)s? At least one of them must be an adult.",
)
THIS_MEMBER = message("passage-this-member", "%(counter)s")
NEEDS_ADULT = requirement(
    "new-family-without-adult",
    "A Family comes into play only with at least one adult in its Family Box.",
    met="There is an adult in the new Family.",
)
FAMILY_WHERE = message("passage-where", "In which Area of Canyon de Chelly is Family %(family)s placed?")
THIS_AREA = message("passage-this-area", "Area %(area)s.")
FAMILY_FOUNDED = message(
    "passage-family-founded", "Family %(family)s comes into play in Area %(area)s, with Ferocity 0."
)
BARRED = "barred"


def ask_new_family(at: Board) -> Question:
    """A Family out of play, if there is an adult for it and Culture Points are greater than 0."""
    in_play = {family.letter for family in at.families()}
    letters = [letter for letter in LETTERS if letter not in in_play]
    if not letters or not any(must_know(at.in_passage(kind)) for kind in ADULTS):
        return known("none")
    if must_know(at.culture) == 0:
        return known(BARRED)
    options = [Option(letter, THIS_FAMILY, {"family": letter}) for letter in letters]
    return ask(NEW_FAMILY, Choose((Option("none", NO_NEW_FAMILY), *options)))


def new_family(at: Board, chosen: str) -> tuple[Board, Where]:
    """Its members and its place come next."""
    if chosen == BARRED:
        return at.tell(CULTURE_BARS, "nw:1.7.4.culture-zero-bars"), "culture"
    if chosen == "none":
        return at, "culture"
    return at.remember(family=chosen), "members"


def ask_members(at: Board) -> Question:
    """One man, one woman and one child at most, as far as the box holds them."""
    kinds = [kind for kind in MEMBERS if must_know(at.in_passage(kind))]
    options = tuple(Option(kind, THIS_MEMBER, {"counter": COUNTER_TERM[kind]}) for kind in kinds)
    letter = must_know(at.recall("family"))
    return ask(WHO_FOUNDS, ChooseSome(options, min(1, len(kinds)), len(kinds)), family=letter)


def choose_members(at: Board, chosen: list[str]) -> tuple[Board, Where]:
    """At least one of them is an adult."""
    must_have_adult(chosen)
    return at.remember(members=tuple(chosen)), "where"


def must_have_adult(members: Iterable[str]) -> None:
    """A Family counter comes into play only with an adult in its Family Box (1.7.5)."""
    adult = any(kind in ADULTS for kind in members)
    if not adult:
        rules = ("nw:1.7.5.family-needs-adult", "nw:13.adult", "nw:1.6.1.population")
        raise Refused(needs(adult, NEEDS_ADULT, *rules, pointer="/inputs"))


def ask_where(at: Board) -> Question:
    """Any Area of the Canyon."""
    options = tuple(Option(area, THIS_AREA, {"area": PlaceRef(area)}) for area in CANYON_AREAS)
    return ask(FAMILY_WHERE, Choose(options), family=must_know(at.recall("family")))


def place_family(at: Board, area: str) -> tuple[Board, Where]:
    """The members leave the box, the counter comes to the Canyon."""
    letter, members = must_know(at.recall("family")), must_know(at.recall("members"))
    must_have_adult(members)
    for kind in members:
        at = at.set_passage(kind, max(0, must_know(at.in_passage(kind)) - 1))
    inside = {kind: kind in members for kind in MEMBERS}
    at = at.set_family(letter, at=area, ferocity=0, evasion=UNSET, horse=False, **inside)
    rules = (
        "nw:3.3.s1c.new-family",
        "nw:13.canyon.new-family",
        "nw:1.7.5.family-needs-adult",
        "nw:13.adult",
        "nw:1.6.1.population",
    )
    return at.tell(FAMILY_FOUNDED, *rules, family=letter, area=PlaceRef(area)), "arrive"


def arrive(at: Board) -> tuple[Board, Where]:
    """Intruders in that Area are met at once."""
    family = at.family(at.recall("family"))
    if family.in_play is True and at.counters(family.at, "intruders") > 0:
        return at, call(INTRUDERS, family=family.letter)
    return at, "next-family"


def next_family(at: Board) -> tuple[Board, Where]:
    """Another Family may follow."""
    return at, "new-family"


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


def adjust_culture(at: Board) -> tuple[Board, Where]:
    """-1 Culture Point for each empty population space, then +1 for each new Elder."""
    empty = must_know(total(empty_spaces(family) for family in at.families()))
    new = must_know(at.recall("new_elders"))
    if empty:
        at = at.tell(EMPTY_SPACES, "nw:3.3.s1d.culture-minus", count=empty)
        at = change_track(at, "culture", -empty, "nw:3.3.s1d.culture-minus")
    if new:
        at = at.tell(NEW_ELDERS, "nw:3.3.s1d.culture-plus", count=new)
        at = gain(at, "culture", new, "nw:3.3.s1d.culture-plus")
    return at, "discard"


def discard(at: Board) -> tuple[Board, Where]:
    """Whoever is left in the box leaves play."""
    left = must_know(total(at.in_passage(kind) for kind in POPULATION))
    if left:
        for kind in POPULATION:
            at = at.set_passage(kind, 0)
        at = at.tell(DISCARDED, "nw:3.3.s1e.discard", WAITS, count=left)
    return at, "return-animals"


# -- step 11 -----------------------------------------------------------------------------------------


def reset_cubes(at: Board) -> tuple[Board, Where]:
    """Cube Reset, and the Passage of Time is over."""
    return cube_reset(at, "nw:3.3.s11.cube-reset"), end()


PASSAGE_OF_TIME = procedure(
    "passage-of-time",
    PassageMemory,
    decision("grow-up", ("nw:3.3.s1a.child-up", "nw:3.3.s1a.adult-up"), ask_who_grows, grow_up),
    decision("join", ("nw:3.3.s1b.fill", "nw:3.3.s1b.elders"), ask_who_joins, join),
    decision("new-family", "nw:3.3.s1c.new-family", ask_new_family, new_family),
    decision(
        "members", ("nw:3.3.s1c.new-family", "nw:1.7.5.family-needs-adult"), ask_members, choose_members
    ),
    decision("where", ("nw:3.3.s1c.new-family", "nw:13.canyon.new-family"), ask_where, place_family),
    automatic("arrive", "nw:13.outsiders.interrupt", arrive),
    automatic("next-family", "nw:3.3.s1c.new-family", next_family),
    automatic("culture", ("nw:3.3.s1d.culture-minus", "nw:3.3.s1d.culture-plus"), adjust_culture),
    automatic("discard", "nw:3.3.s1e.discard", discard),
    automatic("return-animals", "nw:3.3.s2.animals-back", return_animals),
    automatic("breed", "nw:3.3.s3.breed", breed),
    decision("harvest", "nw:3.3.s4.harvest", ask_harvest, pick_corn),
    reading("corn-value", "nw:1.6.1.corn-facedown", ask_corn_value, harvest),
    decision("feed", ("nw:3.3.s5.must-feed", "nw:3.3.s5.sheep", "nw:3.3.s5.corn"), ask_feed, feed),
    decision("hunger", ("nw:3.3.s5.starve", "nw:3.3.s5.must-feed"), ask_hunger, starve),
    decision(
        "graze",
        ("nw:3.3.s6.graze", "nw:1.6.1.horse-place", "nw:10.1.animals"),
        ask_graze,
        graze,
        takes=(PLACE_HORSE, BARTER),
    ),
    chance("elder-death", "nw:3.3.s7.elder-death", ask_death_roll, death_roll),
    chance("recovery-roll", "nw:3.3.s8.recovery", ask_recovery_roll, recovery_roll),
    reading("recovery-neighbour", "nw:13.adjacent.territory", ask_lowest_neighbour, neighbour_recovers),
    automatic("return-corn", "nw:3.3.s9.return-corn", return_corn),
    automatic("card-41", "nw:3.3.s10.card41", card_41),
    automatic("cube-reset", "nw:3.3.s11.cube-reset", reset_cubes),
)

ACTION = Action(
    PassageOfTime,
    "nw:3.3",
    Term("nw.op.passage_of_time"),
    message("action.passage-of-time", "The Operation Passage of Time, in eleven steps."),
    may_pass_time,
    begin_passage,
    offer=lambda _, __: say(CHOOSE_PASSAGE),
    ways=lambda _, __: (PassageOfTime(),),
)
