"""Section 3.2.4: Plant or Harvest Corn."""

from __future__ import annotations

from collections.abc import Generator, Iterator
from typing import ClassVar

from msgspec import Struct

from engine.actions import Action, say
from engine.chance import Die
from engine.memory import NOT_NOTED, Memory, Noted
from engine.messages import Message, Requirement, Term, message, requirement
from engine.navajo_wars.activation import (
    NOBODY_ACTIVATED,
    can_pay,
    may_act,
    spend_mp,
    standing_in,
    the_acting_family,
)
from engine.navajo_wars.board import Board, Family
from engine.navajo_wars.map import PlaceRef, TerritoryRef, territory_of, track
from engine.navajo_wars.position import CornValue, FamilyLetter
from engine.questions import Question, Read, ask
from engine.tables import END, Where, call, chance, procedure, reading
from engine.verdict import (
    Caution,
    Check,
    Truth,
    Unknown,
    as_number,
    certain,
    denied,
    is_told,
    must_know,
    needs,
    refuted,
    total,
    warns,
)


class PlantCorn(Struct, frozen=True, forbid_unknown_fields=True, tag_field="kind", tag="plant-corn"):
    """The activated Family plants corn in its Area."""

    family: FamilyLetter


class HarvestCorn(Struct, frozen=True, forbid_unknown_fields=True, tag_field="kind", tag="harvest-corn"):
    """The activated Family harvests the corn in its Area."""

    family: FamilyLetter


# -- what both need ----------------------------------------------------------------------------------

CORN_TOO_DEAR = requirement(
    "corn-too-dear",
    "Planting corn costs the Area Value (%(value)s) + 4 = %(total)s MP; you have %(have)s.",
    met="Planting corn costs the Area Value (%(value)s) + 4 = %(total)s MP; you have %(have)s.",
)
HARVEST_TOO_DEAR = requirement(
    "harvest-too-dear",
    "Harvesting corn costs the Area Value (%(value)s) + 4 = %(total)s MP; you have %(have)s.",
    met="Harvesting corn costs the Area Value (%(value)s) + 4 = %(total)s MP; you have %(have)s.",
)
HARVEST_HOPELESS = message(
    "harvest-hopeless",
    "Drought counters and Ranchos in the Territory %(territory)s: %(count)s. No die roll is greater, so corn cannot be "
    "harvested there now.",
)


def corn_cost(at: Board, family: Family) -> int | Unknown:
    """The plain value of the Family's Area and 4, horse or not."""
    return at.value(family.at) + 4


def where_it_is(at: Board, family: Family, too_dear: Requirement) -> Generator[Check, None, PlaceRef]:
    """The Family's Area; before anybody asks for it, whether any Area is cheap enough."""
    if not is_told(family.at):
        yield payable(at, family, too_dear)
    place: PlaceRef = must_know(family.at)
    return place


def payable(at: Board, family: Family, too_dear: Requirement) -> Check:
    """The cost, shown as a sum."""
    cost = corn_cost(at, family)
    rules = ("nw:3.2.4.cost", "nw:1.7.2.area-value")
    return can_pay(at, cost, too_dear, *rules, value=at.value(family.at))


def hindrances(at: Board, family: Family) -> int | Unknown:
    """The Drought counters and Ranchos in the Family's Territory; Missions do not count."""
    if isinstance(family.at, Unknown):
        return family.at
    territory = territory_of(family.at)
    ranchos = [at.counters(area, "rancho") for area in track(territory)]
    return total((at.drought(territory), *(as_number(there) for there in ranchos)))


def comes_in(die: int, count: int | Unknown) -> Truth:
    """Is the corn harvested with this die? It must be greater than the Drought counters and Ranchos."""
    return die > count


def hopeless(at: Board, family: Family, rule: str) -> Iterator[Caution]:
    """A caution where not even a 6 brings the corn in."""
    count = hindrances(at, family)
    if refuted(comes_in(6, count)):
        territory = TerritoryRef(territory_of(family.at))
        yield warns(HARVEST_HOPELESS, rule, pointer=f"{family.pointer}/at", territory=territory, count=count)


# -- plant corn --------------------------------------------------------------------------------------

CORN_HERE = requirement(
    "corn-here-already",
    "There is a Corn counter in Area %(area)s already; an Area has room for only one.",
    met="There is no Corn counter in Area %(area)s yet.",
)
NO_CORN_LEFT = requirement(
    "no-corn-counter",
    "The Draw Cup is empty: all Corn counters (%(limit)s) are in play.",
    met="There is a Corn counter left in its Draw Cup.",
)
CORN_SOON_LOST = message(
    "corn-soon-lost",
    "Family %(family)s is in the same Area as a Fort. If its Ferocity is still %(have)s when its activation ends, it must disband, and the corn is lost with it.",
)
PLANTED = message(
    "corn-planted",
    "Family %(family)s plants corn: a Corn counter is placed face down in Area %(area)s.",
    outcome=True,
)


def may_plant(at: Board, do: PlantCorn) -> Iterator[Check | Caution]:
    """An Area without corn, and the MP."""
    if not (yield from may_act(at, do.family)):
        return
    family = at.family(do.family)
    area = yield from where_it_is(at, family, CORN_TOO_DEAR)
    yield needs(
        denied(at.counters(area, "corn")),
        CORN_HERE,
        "nw:3.2.4.plant",
        "nw:1.7.2.stacking",
        pointer=f"/areas/{area}/corn",
        area=area,
    )
    yield from counter_left(at)
    yield payable(at, family, CORN_TOO_DEAR)
    yield from soon_lost(at, family)
    yield from hopeless(at, family, "nw:3.2.4.plant")


def counter_left(at: Board) -> Iterator[Check]:
    """Where the player has counted his Corn counters, one must be left."""
    limit = at.components.counter_limits.get("corn")
    if limit is None:
        return
    in_box = at.resource("corn")
    found = total((in_box if isinstance(in_box, Unknown) else len(in_box), at.on_map("corn")))
    yield needs(found < limit, NO_CORN_LEFT, "nw:3.2.4.plant", pointer="/areas", limit=limit)


def soon_lost(at: Board, family: Family) -> Iterator[Caution]:
    """A caution where the Family disbands at the end of its activation and nobody else stays."""
    if not certain(family.ferocity > 1) or not certain(at.has_fort(family.at)):
        return
    if is_told(at.all_families) and len(at.families_in(family.at)) == 1:
        yield warns(
            CORN_SOON_LOST,
            "nw:3.2.2.fort-disband",
            "nw:3.2.4.corn-lost",
            pointer=f"{family.pointer}/at",
            family=family.letter,
            have=family.ferocity,
        )


def plant(at: Board, do: PlantCorn) -> tuple[Board, None]:
    """A Corn counter, its number unseen."""
    family = at.family(do.family)
    at = spend_mp(at, must_know(corn_cost(at, family)), "nw:3.2.4.cost").set_area(family.at, corn=True)
    return at.tell(PLANTED, "nw:3.2.4.plant", family=do.family, area=family.at), None


# -- harvest corn ------------------------------------------------------------------------------------

NO_CORN_HERE = requirement(
    "no-corn-here",
    "There is no Corn counter in Area %(area)s to be harvested.",
    met="There is a Corn counter in Area %(area)s.",
)
HARVEST_ROLL = message(
    "harvest-roll",
    "Roll a die for the harvest in Area %(area)s: it must be greater than the number of Drought counters and "
    "Ranchos in the Territory (%(count)s).",
)
HARVEST_COMES_IN = message("outcome.harvest-succeeds", "The corn is harvested.")
HARVEST_STAYS = message(
    "outcome.harvest-fails", "The harvest fails: the Corn counter stays face down in Area %(area)s."
)
HARVEST_FREE = message(
    "harvest-free",
    "There is no Drought counter and no Rancho in the Territory: the corn is harvested without a roll.",
    outcome=HARVEST_COMES_IN,
    whole=True,
)
HARVEST_SUCCEEDS = message(
    "harvest-succeeds",
    "The corn is harvested: the die shows %(die)s, greater than the number of Drought counters and Ranchos (%(count)s).",
    outcome=HARVEST_COMES_IN,
)
HARVEST_FAILS = message(
    "harvest-fails",
    "The corn is not harvested: the die shows %(die)s, which is not greater than the number of Drought counters and Ranchos (%(count)s). The Corn counter stays face down in Area %(area)s.",
    outcome=HARVEST_STAYS,
)
READ_CORN = message("harvest-read-corn", "Reveal the Corn counter of Area %(area)s: which number is on it?")
HARVESTED = message(
    "corn-harvested",
    "The Corn counter of Area %(area)s goes face up to the Resources Box. Its number: %(value)s.",
    outcome=True,
)


def may_harvest(at: Board, do: HarvestCorn) -> Iterator[Check | Caution]:
    """Corn in the Family's Area, and the MP."""
    if not (yield from may_act(at, do.family)):
        return
    family = at.family(do.family)
    area = yield from where_it_is(at, family, HARVEST_TOO_DEAR)
    yield needs(
        there(at, area),
        NO_CORN_HERE,
        "nw:3.2.4.harvest-free",
        "nw:3.2.4.harvest-roll",
        pointer=f"/areas/{area}/corn",
        area=area,
    )
    yield payable(at, family, HARVEST_TOO_DEAR)
    yield from hopeless(at, family, "nw:3.2.4.harvest-roll")


def there(at: Board, area: str) -> Truth:
    """Is a Corn counter in this Area?"""
    corn: Truth = at.counters(area, "corn")
    return corn


WHO_HARVESTS = message("harvest-who", "Which Family is harvesting corn?")


class HarvestMemory(Memory, frozen=True):
    """Who harvests."""

    questions: ClassVar[dict[str, Message]] = {"family": WHO_HARVESTS}

    family: Noted[FamilyLetter] = NOT_NOTED


def begin_harvest(at: Board, do: HarvestCorn) -> tuple[Board, Where]:
    """Pay; without Drought counters and Ranchos no die is rolled."""
    family = at.family(do.family)
    free = must_know(hindrances(at, family)) == 0
    at = spend_mp(at, must_know(corn_cost(at, family)), "nw:3.2.4.cost")
    if free:
        return at.tell(HARVEST_FREE, "nw:3.2.4.harvest-free"), call(HARVEST, "value", family=do.family)
    return at, call(HARVEST, family=do.family)


def ask_harvest_roll(at: Board, noted: HarvestMemory) -> Question:
    """The harvest waits for its die."""
    family = at.family(noted.family)
    count = must_know(hindrances(at, family))
    return ask(HARVEST_ROLL, Die(), area=standing_in(family), count=count)


def harvest_roll(at: Board, noted: HarvestMemory, die: int) -> tuple[Board, Where]:
    """Greater than the Drought counters and Ranchos, or the corn stays where it is."""
    family = at.family(noted.family)
    count = must_know(hindrances(at, family))
    if comes_in(die, count):
        return at.tell(HARVEST_SUCCEEDS, "nw:3.2.4.harvest-roll", die=die, count=count), "value"
    area = standing_in(family)
    return at.tell(HARVEST_FAILS, "nw:3.2.4.harvest-roll", die=die, count=count, area=area), END


def ask_corn_value(at: Board, noted: HarvestMemory) -> Question:
    """The number on the counter that is revealed."""
    return ask(READ_CORN, Read(CornValue), area=standing_in(at.family(noted.family)))


def bring_in(at: Board, noted: HarvestMemory, value: int) -> Board:
    """Face up into the Resources Box."""
    area = standing_in(at.family(noted.family))
    held = at.resource("corn")
    at = at.set_area(area, corn=False) if certain(there(at, area)) else at
    at = at.set_corn((*held, value)) if is_told(held) else at
    return at.tell(HARVESTED, "nw:3.2.4", "nw:1.6.1.corn-facedown", area=area, value=value)


HARVEST = procedure(
    "harvest",
    HarvestMemory,
    chance(
        "roll",
        "nw:3.2.4.harvest-roll",
        ask_harvest_roll,
        harvest_roll,
        goes=("value", END),
        title="Roll for the harvest",
    ),
    reading(
        "value", "nw:1.6.1.corn-facedown", ask_corn_value, bring_in, title="The Corn counter is revealed"
    ),
    title="Harvest Corn",
)

# -- as answers --------------------------------------------------------------------------------------

OFFER_PLANT = message("take-actions.plant-corn", "Plant corn.")
OFFER_HARVEST = message("take-actions.harvest-corn", "Harvest the corn.")

PLANT_ACTION = Action(
    PlantCorn,
    "nw:3.2.4",
    Term("nw.action.plant_corn"),
    message("action.plant-corn", "The activated Family plants corn in its Area."),
    may_plant,
    plant,
    offer=lambda _, __: say(OFFER_PLANT),
    ways=lambda _, letter: (PlantCorn(letter),),
    subjects=the_acting_family,
    if_nobody=NOBODY_ACTIVATED,
    subject="family",
)
HARVEST_ACTION = Action(
    HarvestCorn,
    "nw:3.2.4",
    Term("nw.action.harvest_corn"),
    message("action.harvest-corn", "The activated Family harvests the corn in its Area."),
    may_harvest,
    begin_harvest,
    offer=lambda _, __: say(OFFER_HARVEST),
    ways=lambda _, letter: (HarvestCorn(letter),),
    subjects=the_acting_family,
    if_nobody=NOBODY_ACTIVATED,
    subject="family",
)
