"""Section 3.3, steps 2 to 6 and 9: Animals return and breed, corn is harvested, everyone is fed, corn is returned."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Any

from msgspec import Meta

from engine.messages import message, question
from engine.navajo_wars.board import Board
from engine.navajo_wars.counters import (
    ANIMALS,
    COUNTER_TERM,
    MEMBERS,
    in_family_boxes,
    in_passage_box,
    is_left,
    tell_none_left,
)
from engine.navajo_wars.horses import PlaceHorse, placings
from engine.navajo_wars.map import AREAS, CANYON, PlaceRef, is_area, territory_of, track
from engine.navajo_wars.passage_memory import PassageMemory
from engine.navajo_wars.position import FamilyLetter
from engine.questions import Choose, ChooseSome, Option, Question, Read, ask, known
from engine.tables import Where
from engine.verdict import Unknown, ask_at_once, is_told, must_know, total

CornValue = Annotated[int, Meta(ge=0, le=20)]

# -- steps 2 and 3: Animals --------------------------------------------------------------------------

ANIMALS_BACK = message(
    "passage-animals-back",
    "Animals return to the Resources Box (%(terms)s).",
    terms={"horse": "horses: %(horse)s", "sheep": "sheep: %(sheep)s"},
)
BRED = message("passage-bred", "Breed Animals: one more %(animal)s comes into the Resources Box.")


def return_animals(at: Board, _noted: PassageMemory) -> Board:
    """All Animals of the Passage of Time Box and all horses of the Family Boxes return to the Resources Box."""
    ask_at_once([*in_passage_box(at, *ANIMALS), *in_family_boxes(at, "horse"), *map(at.resource, ANIMALS)])
    horses = must_know(total([at.in_passage("horse"), *in_family_boxes(at, "horse")]))
    sheep = must_know(at.in_passage("sheep"))
    if horses + sheep:
        at = at.set_passage("horse", 0).set_passage("sheep", 0)
        ridden = [family.letter for family in at.families() if family.horse]
        for letter in ridden:
            at = at.set_family(letter, horse=False)
        at = at.gain_resource("horse", horses).gain_resource("sheep", sheep)
        rules = ("nw:3.3.s2.animals-back", *(("nw:1.6.1.horse-stays",) if ridden else ()))
        at = at.tell(ANIMALS_BACK, *rules, horse=horses, sheep=sheep)
    return at


def breed(at: Board, _noted: PassageMemory) -> Board:
    """One more of each kind of which there is at least one, if a counter is left."""
    rule = "nw:3.3.s3.breed"
    for kind in ANIMALS:
        if not must_know(at.resource(kind)):
            continue
        if is_left(at, kind):
            at = at.gain_resource(kind, 1).tell(BRED, rule, animal=COUNTER_TERM[kind])
        else:
            at = tell_none_left(at, kind, rule)
    return at


# -- step 4: harvest corn ----------------------------------------------------------------------------

WHICH_CORN = question(
    "passage-harvest",
    "Passage of Time step 4: which Corn counters are harvested?",
    hint="Name all of them before any is turned over.",
)
CORN_HERE = message("passage-corn-here", "The Corn counter in Area %(area)s.")
READ_CORN = message("passage-read-corn", "Which number is on the Corn counter harvested in Area %(area)s?")
HARVESTED = message(
    "passage-harvested", "The Corn counter in Area %(area)s, worth %(value)s, comes into the Resources Box."
)


def ripe(at: Board) -> list[str]:
    """The Areas with both corn and a Family."""
    places = {must_know(family.at) for family in at.families()}
    held = [area for area in AREAS if area in places]
    return [area for area in held if at.counters(area, "corn")] if at.on_one_of(held, "corn") else []


def ask_harvest(at: Board, _noted: PassageMemory) -> Question:
    """Any of the corn where a Family is, all named at once."""
    options = tuple(Option(area, CORN_HERE, {"area": PlaceRef(area)}) for area in ripe(at))
    return ask(WHICH_CORN, ChooseSome(options, 0, len(options)))


def pick_corn(at: Board, _noted: PassageMemory, chosen: list[str]) -> Board:
    """What was named is turned over next, one by one; nothing is rolled for."""
    return at.remember(picked=tuple(chosen))


def ask_corn_value(_: Board, noted: PassageMemory) -> Question:
    """The number on the next Corn counter."""
    picked = noted.picked
    return ask(READ_CORN, Read(CornValue), area=PlaceRef(picked[0])) if picked else known(None)


def harvest(at: Board, noted: PassageMemory, value: int | None) -> tuple[Board, Where]:
    """One Corn counter leaves the map for the Resources Box."""
    if value is None:
        return at, "feed"
    area, corn = PlaceRef(noted.picked[0]), at.resource("corn")
    at = at.remember(picked=noted.picked[1:]).set_area(area, corn=False)
    if is_told(corn):
        at = at.set_corn((*corn, value))
    return at.tell(HARVESTED, "nw:3.3.s4.harvest", area=area, value=value), "corn-value"


# -- step 5: feed the population ---------------------------------------------------------------------

HOW_MANY_SHEEP = question(
    "passage-feed",
    "How many sheep are spent as food?",
    lead="Passage of Time step 5: population %(need)s, Arability feeds %(land)s, Corn counters are worth %(corn)s.",
    hint="Each sheep feeds up to 4 population counters, corn as many as its counters are worth; all corn in the Resources Box goes back to its Draw Cup.",
)
THIS_MANY = message("passage-this-many-sheep", "Sheep spent: %(count)s.")
FED = message(
    "passage-fed",
    "Population to be fed: %(need)s (%(terms)s).",
    terms={
        "land": "Arability feeds %(land)s",
        "sheep": "sheep feed %(sheep)s",
        "corn": "corn feeds %(corn)s",
    },
    whole=True,
)
SHEEP_SPENT = message("passage-sheep-spent", "Sheep spent and put into the Out of Play Box: %(count)s.")
CORN_USED_UP = message(
    "passage-corn-used-up",
    "All Corn counters in the Resources Box go back to their Draw Cup.",
    tells="detail",
)
SHEEP_FEEDS = 4


def arability(at: Board, territory: str) -> int | Unknown:
    """3, less Drought counters and Ranchos in the Territory; always 3 in Canyon de Chelly."""
    if territory == CANYON:
        return 3
    ranchos = total(_one(at.counters(area, "rancho")) for area in track(territory))
    left = 3 - total((at.drought(territory), ranchos))
    return left if isinstance(left, Unknown) else max(0, left)


def _one(here: Any) -> int | Unknown:
    return here if isinstance(here, Unknown) else int(here)


def occupied(at: Board) -> list[str]:
    """The Territories with a Family in one of their Areas or boxes."""
    return sorted({territory_of(must_know(family.at)) for family in at.families()})


def population(at: Board) -> int:
    """Everyone in the Family Boxes and the Elder Display."""
    boxes, elders = total(in_family_boxes(at, *MEMBERS)), at.elders
    ask_at_once((boxes, elders))
    return must_know(boxes) + sum(must_know(elders))


def fed_by_land(at: Board) -> int:
    """What the Arability of all occupied Territories feeds together."""
    return must_know(total(arability(at, territory) for territory in occupied(at)))


def ask_feed(at: Board, _noted: PassageMemory) -> Question:
    """How many sheep, where corn leaves a choice; as many as possible must be fed."""
    need, land = population(at), fed_by_land(at)
    hungry = max(0, need - land)
    if not hungry:
        return known(0)
    corn, sheep = sum(must_know(at.resource("corn"))), must_know(at.resource("sheep"))
    fewest, most = (min(sheep, -(-max(0, left) // SHEEP_FEEDS)) for left in (hungry - corn, hungry))
    options = tuple(Option(count, THIS_MANY, {"count": count}) for count in range(fewest, most + 1))
    return ask(HOW_MANY_SHEEP, Choose(options), need=need, land=land, corn=corn)


def feed(at: Board, _noted: PassageMemory, sheep: int) -> Board:
    """Land first, then sheep and corn; surplus is lost and all corn is gone."""
    need, land = population(at), fed_by_land(at)
    by_land = min(need, land)
    by_sheep = min(need - by_land, SHEEP_FEEDS * sheep)
    hungry = need - by_land - by_sheep
    corn = must_know(at.resource("corn")) if hungry else at.resource("corn")
    by_corn = min(hungry, sum(corn)) if hungry else 0
    food = land + SHEEP_FEEDS * sheep + (sum(corn) if is_told(corn) else 0)
    fed = {"need": need, "land": by_land, "sheep": by_sheep, "corn": by_corn}
    at = at.tell(FED, *rules_of_feeding(at, surplus=food > need), **fed)
    if sheep:
        at = at.spend_resource("sheep", sheep).tell(
            SHEEP_SPENT, "nw:3.3.s5.sheep", "nw:13.round-up", count=sheep
        )
    if is_told(corn) and corn:
        at = at.set_corn(()).tell(CORN_USED_UP, "nw:3.3.s5.corn")
    return at.remember(unfed=hungry - by_corn)


def rules_of_feeding(at: Board, *, surplus: bool) -> Iterator[str]:
    """What the food of this position rests on."""
    yield from ("nw:3.3.s5.need", "nw:3.3.s5.arability", "nw:13.agriculture")
    if CANYON in occupied(at):
        yield "nw:13.agriculture.canyon"
    if not all(is_area(family.at) for family in at.families()):
        yield "nw:13.territory"
    if surplus:
        yield "nw:3.3.s5.no-carry"


# -- step 6: feed the Animals ------------------------------------------------------------------------

NOT_FED = question(
    "passage-unfed-animals",
    "Put a horse into a Family Box, barter 3 Animals, or let the unfed Animals go?",
    lead="Passage of Time step 6: each occupied Territory feeds 1 sheep and 1 horse. Animals that would be "
    "lost: horses %(horse)s, sheep %(sheep)s.",
)
LET_THEM_GO = message("passage-animals-lost", "No; the Animals that are not fed are lost.")
GRAZED = message(
    "passage-not-fed",
    "Every %(animal)s that is not fed goes to the Out of Play Box: %(count)s in all. Each occupied Territory feeds 1 sheep and 1 horse.",
    whole=True,
)


def unfed_animals(at: Board) -> dict[str, int]:
    """The horses and sheep in the Resources Box beyond the number of occupied Territories."""
    must_know(total(at.resource(kind) for kind in ANIMALS))
    land = len(occupied(at))
    return {kind: max(0, at.resource(kind) - land) for kind in ANIMALS}


def ask_graze(at: Board, _noted: PassageMemory) -> Question:
    """Animals that will not be fed may still be put into Family Boxes (1.6.1) or bartered (10.1)."""
    lost = unfed_animals(at)
    if not any(lost.values()):
        return known("none")
    return ask(NOT_FED, horse=lost["horse"], sheep=lost["sheep"])


def horses_saved(at: Board, letter: FamilyLetter) -> Iterator[PlaceHorse]:
    """A horse for this Family, where one would be lost."""
    if unfed_animals(at)["horse"]:
        yield from placings(at, letter)


def lose_animals(at: Board, _noted: PassageMemory) -> Board:
    """Sheep and horses in the Resources Box beyond the number of occupied Territories are lost."""
    for kind, lost in unfed_animals(at).items():
        if lost:
            at = at.spend_resource(kind, lost)
            sheep = ("nw:1.6.1.sheep-never-in-family",) if kind == "sheep" else ()
            at = at.tell(GRAZED, "nw:3.3.s6.graze", *sheep, animal=COUNTER_TERM[kind], count=lost)
    return at


# -- step 9: return corn -----------------------------------------------------------------------------


def return_corn(at: Board, _noted: PassageMemory) -> Board:
    """Corn still in the Resources Box goes back; corn on the map stays."""
    corn = at.resource("corn")
    if is_told(corn) and corn:
        at = at.set_corn(()).tell(CORN_USED_UP, "nw:3.3.s9.return-corn")
    return at
