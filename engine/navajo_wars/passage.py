"""Section 3.3: Passage of Time, its eleven steps.

Step 1 stands in passage_families.py, steps 2 to 6 and 9 in passage_food.py, steps 7, 8 and 10 in
passage_years.py.
"""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct
from msgspec.structs import replace

from engine.actions import Action, say
from engine.messages import Term, message
from engine.navajo_wars.board import Board
from engine.navajo_wars.counters import MEMBERS, POPULATION, in_family_boxes, in_passage_box
from engine.navajo_wars.cubes import cube_reset
from engine.navajo_wars.droughts import ask_lowest_neighbour
from engine.navajo_wars.elders import levels_published
from engine.navajo_wars.horses import ACTION as PLACE_HORSE
from engine.navajo_wars.hunger import GIVE_UP, GIVE_UP_ELDER, ask_hunger, starve
from engine.navajo_wars.hunger import KNOWN_AS as HUNGRY_KNOWN_AS
from engine.navajo_wars.operation import begin_operation, not_chosen_yet
from engine.navajo_wars.passage_families import (
    ENTER_DISPLAY,
    GROW_UP,
    GROWING_KNOWN_AS,
    JOIN_FAMILY,
    JOINING_KNOWN_AS,
    NO_MORE,
    WHO_GROWS,
    WHO_JOINS,
    adjust_culture,
    arrive,
    ask_members,
    ask_new_family,
    ask_where,
    choose_members,
    discard,
    new_family,
    place_family,
)
from engine.navajo_wars.passage_food import (
    LET_THEM_GO,
    ask_corn_value,
    ask_feed,
    ask_graze,
    ask_harvest,
    breed,
    feed,
    harvest,
    horses_saved,
    lose_animals,
    pick_corn,
    return_animals,
    return_corn,
)
from engine.navajo_wars.passage_memory import PassageMemory
from engine.navajo_wars.passage_years import (
    ask_death_roll,
    ask_recovery_roll,
    card_41,
    death_roll,
    neighbour_recovers,
    recovery_roll,
)
from engine.navajo_wars.trade import BARTER, mixes_of_animals
from engine.tables import (
    Where,
    automatic,
    call,
    chance,
    decision,
    instead,
    once_written,
    part,
    procedure,
    reading,
)
from engine.verdict import Caution, Check, must_know, total


class PassageOfTime(Struct, frozen=True, forbid_unknown_fields=True, tag_field="kind", tag="passage-of-time"):
    """Time passes."""


def may_pass_time(at: Board, _: PassageOfTime) -> Iterator[Check | Caution]:
    """The Passage of Time is open while no Operation has been chosen."""
    yield not_chosen_yet(at)
    yield from levels_published(at)


def begin_passage(at: Board, _: PassageOfTime) -> tuple[Board, Where]:
    """Everybody the first step looks at is asked for at once, box by box, where that was not told."""
    must_know(total([*in_family_boxes(at, *MEMBERS), *in_passage_box(at, *POPULATION)]))
    at = begin_operation(at, "passage-of-time")
    return at.tell(PASSAGE_BEGINS, "nw:3.3", "nw:3.3.order"), call(PASSAGE_OF_TIME)


CHOOSE_PASSAGE = message("operation-passage-of-time", "Passage of Time")
PASSAGE_BEGINS = message("passage-begins", "Passage of Time: eleven steps in their order.", tells="ritual")


# -- step 11 -----------------------------------------------------------------------------------------


def reset_cubes(at: Board, _noted: PassageMemory) -> Board:
    """Cube Reset, and the Passage of Time is over."""
    return cube_reset(at, "nw:3.3.s11.cube-reset")


PASSAGE_OF_TIME = procedure(
    "passage-of-time",
    PassageMemory,
    part("step-1", "Step 1: Population"),
    decision(
        "grow-up",
        ("nw:3.3.s1a.child-up", "nw:3.3.s1a.adult-up"),
        WHO_GROWS,
        takes=(GROW_UP,),
        or_else=instead(NO_MORE, "join"),
        reads=once_written(GROWING_KNOWN_AS),
        then="grow-up",
        goes=("grow-up", "join"),
        title="Who grows up?",
    ),
    decision(
        "join",
        ("nw:3.3.s1b.fill", "nw:3.3.s1b.elders"),
        WHO_JOINS,
        takes=(JOIN_FAMILY, ENTER_DISPLAY),
        or_else=instead(NO_MORE, "new-family"),
        reads=once_written(JOINING_KNOWN_AS),
        then="join",
        goes=("join", "new-family"),
        title="Who leaves the Passage of Time Box?",
    ),
    decision(
        "new-family",
        "nw:3.3.s1c.new-family",
        ask_new_family,
        new_family,
        goes=("members", "culture"),
        title="Does a new Family come into play?",
    ),
    decision(
        "members",
        ("nw:3.3.s1c.new-family", "nw:1.7.5.family-needs-adult"),
        ask_members,
        choose_members,
        title="Who forms the new Family?",
    ),
    decision(
        "where",
        ("nw:3.3.s1c.new-family", "nw:13.canyon.new-family"),
        ask_where,
        place_family,
        title="Where is the new Family placed?",
    ),
    automatic(
        "arrive",
        "nw:13.outsiders.interrupt",
        arrive,
        then="new-family",
        title="The new Family meets Intruders",
    ),
    automatic(
        "culture",
        ("nw:3.3.s1d.culture-minus", "nw:3.3.s1d.culture-plus"),
        adjust_culture,
        title="Culture Points are adjusted",
    ),
    automatic("discard", "nw:3.3.s1e.discard", discard, title="The Passage of Time Box is emptied"),
    part("step-2", "Step 2: Animals return"),
    automatic("return-animals", "nw:3.3.s2.animals-back", return_animals, title="Animals return"),
    part("step-3", "Step 3: Breed Animals"),
    automatic("breed", "nw:3.3.s3.breed", breed, title="Animals breed"),
    part("step-4", "Step 4: Harvest corn"),
    decision("harvest", "nw:3.3.s4.harvest", ask_harvest, pick_corn, title="Which corn is harvested?"),
    reading(
        "corn-value",
        "nw:1.6.1.corn-facedown",
        ask_corn_value,
        harvest,
        goes=("corn-value", "feed"),
        title="The number on a Corn counter",
    ),
    part("step-5", "Step 5: Feed the population"),
    decision(
        "feed",
        ("nw:3.3.s5.must-feed", "nw:3.3.s5.sheep", "nw:3.3.s5.corn"),
        ask_feed,
        feed,
        title="How many sheep are spent?",
    ),
    decision(
        "hunger",
        ("nw:3.3.s5.starve", "nw:3.3.s5.must-feed"),
        ask_hunger,
        starve,
        takes=(GIVE_UP, GIVE_UP_ELDER),
        reads=once_written(HUNGRY_KNOWN_AS),
        goes=("hunger", "graze"),
        title="Who is not fed?",
    ),
    part("step-6", "Step 6: Feed the Animals"),
    decision(
        "graze",
        ("nw:3.3.s6.graze", "nw:1.6.1.horse-place", "nw:10.1.animals"),
        ask_graze,
        takes=(replace(PLACE_HORSE, ways=horses_saved), replace(BARTER, ways=mixes_of_animals)),
        or_else=instead(LET_THEM_GO, "animals-lost"),
        then="graze",
        goes=("graze", "animals-lost"),
        title="What becomes of Animals not fed?",
    ),
    automatic("animals-lost", "nw:3.3.s6.graze", lose_animals, title="Animals that are not fed are lost"),
    part("step-7", "Step 7: Elder death check"),
    chance(
        "elder-death",
        "nw:3.3.s7.elder-death",
        ask_death_roll,
        death_roll,
        goes=("elder-death", "recovery-roll"),
        title="Roll for each Elder",
    ),
    part("step-8", "Step 8: Territory Recovery"),
    chance(
        "recovery-roll",
        "nw:3.3.s8.recovery",
        ask_recovery_roll,
        recovery_roll,
        goes=("recovery-neighbour", "return-corn"),
        title="Which Territory recovers?",
    ),
    reading(
        "recovery-neighbour",
        "nw:13.adjacent.territory",
        ask_lowest_neighbour,
        neighbour_recovers,
        title="A neighbouring Territory recovers",
    ),
    part("step-9", "Step 9: Return corn"),
    automatic("return-corn", "nw:3.3.s9.return-corn", return_corn, title="Corn goes back to its Draw Cup"),
    part("step-10", "Step 10: Card #41"),
    automatic("card-41", "nw:3.3.s10.card41", card_41, title="Is card #41 removed from the game?"),
    part("step-11", "Step 11: Cube Reset"),
    automatic("cube-reset", "nw:3.3.s11.cube-reset", reset_cubes, title="Cube Reset"),
    title="Passage of Time",
    renamed={"next-family": "new-family"},
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
