"""The Tribal Raid Flowchart (4.2.4 and 4.2.12), with the modifiers of the Kit Carson Campaign (6.2.3)."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain
from typing import Any, get_args

from msgspec import Struct, structs

from engine.actions import Action, Said, say
from engine.chance import Die
from engine.memory import NOT_NOTED, Frame
from engine.messages import Term, message, question, requirement
from engine.navajo_wars import ambush, evade, harass, negotiate
from engine.navajo_wars.battle import ACTION as BATTLE_ACTION
from engine.navajo_wars.battle import AGAINST_CARSON, FOE_TERM, Battle, hunted_by_carson
from engine.navajo_wars.board import Board, Family
from engine.navajo_wars.consequences import is_without_adult
from engine.navajo_wars.cubes import cubes_of
from engine.navajo_wars.map import PlaceRef, TerritoryRef, is_area, territory_of, track
from engine.navajo_wars.outposts import territory_of_die
from engine.navajo_wars.position import LETTERS, Tribe
from engine.navajo_wars.raid_memory import TribalRaidMemory
from engine.navajo_wars.raid_placement import is_visible
from engine.navajo_wars.raid_resolution import (
    FIGHT_OR_SUFFER,
    NOBODY,
    RETURN_ROWS,
    SUFFER,
    ask_family,
    ask_population,
    catch_family,
    dealt_with,
    has_adult,
    in_boxes,
    lose_culture,
    lose_population,
    next_return,
    own_caught_box,
    remove_without_adult,
    returning,
    this_battle,
    told_why_not,
    turn_to_family,
)
from engine.navajo_wars.reactions import enemy_raid_only, under_outpost, what_bars
from engine.navajo_wars.tribal_raid_conduct import ask_conduct, ask_give_up, conduct, give_up
from engine.questions import Question, ask, known
from engine.tables import END, Where, automatic, call, chance, decision, instead, part, procedure
from engine.verdict import (
    ILLEGAL,
    Caution,
    Check,
    Truth,
    Unknown,
    certain,
    denied,
    evaluate,
    every,
    is_told,
    must_know,
    needs,
    warns,
)


class TribalRaid(Struct, frozen=True, forbid_unknown_fields=True, tag_field="kind", tag="tribal-raid"):
    """A Tribe raids the Diné."""

    tribe: Tribe


TRIBE_SUBJUGATES = message(
    "tribal-raid-would-be-subjugate",
    "Red cubes in the Subjugation of New Mexico Box: %(have)s. With fewer than 3 the Instruction is treated as "
    "Subjugate, and there is no Tribal Raid.",
)

OFFER = message("tribal-raid-offer", "Tribal Raid: %(tribe)s")


def may_raid(at: Board, do: TribalRaid) -> Iterator[Check | Caution]:
    """The chart can always be followed; a caution says where the Instruction would not lead to it."""
    red = cubes_of(at, "subjugation", "red")
    if certain(red < 3):
        rule = "nw:4.2.4.subjugate" if do.tribe == "comanche" else "nw:4.2.12.utes"
        yield warns(TRIBE_SUBJUGATES, rule, pointer="/subjugation/red", have=red)


def ways(_: Board, __: None) -> Iterator[TribalRaid]:
    """One of each Tribe."""
    return (TribalRaid(tribe) for tribe in get_args(Tribe))


def offer(_: Board, do: TribalRaid) -> Said:
    """Who raids."""
    return say(OFFER, tribe=FOE_TERM[do.tribe])


def begin_raid(at: Board, do: TribalRaid) -> tuple[Board, Where]:
    """Follow the chart from its first box."""
    return at, call(TRIBAL_RAID, tribe=do.tribe)


# -- Tribal Raid Initiation --------------------------------------------------------------------------

TRIBAL_RAID_STARTS = message(
    "tribal-raid-starts",
    "Number of Tribal Raid counters (%(tribe)s) placed in the Tribal Raid Box: %(count)s.",
    whole=True,
)
TRIBAL_COUNTERS_LIMITED = message(
    "tribal-raid-counters-limited",
    "Tribal Raid counters left to be taken: %(count)s; all others are in play already.",
)
ASK_TRIBAL_RAID_BOX = message(
    "ask-tribal-raid-box", "How many Tribal Raid counters are in the Tribal Raid Box?"
)


MOST_FAMILIES = len(LETTERS)  # and a Tribal Raid counter for each


def as_told(count: int | Unknown) -> int:
    """How many there are, as far as they are told."""
    return 0 if isinstance(count, Unknown) else count


def fill_box(at: Board, noted: TribalRaidMemory) -> Board:
    """As many counters as Families in play; Families beside a Fort count too, unless read otherwise (C26)."""
    families = list(at.families())
    beside_fort = [family for family in families if at_fort(at, family)]
    counted = len(families)
    if beside_fort and at.choice("tribal-raid-counters") == "without-fort-families":
        counted -= len(beside_fort)
    limit = at.components.counter_limits.get("tribal_raid")
    rules = ("nw:tribal-raid.init", "nw:1.6.1.tribal-raid-counters")
    left = (MOST_FAMILIES if limit is None else limit) - as_told(at.on_map("tribal_raid"))
    if left < counted:
        counted = max(0, left)
        at = at.tell(TRIBAL_COUNTERS_LIMITED, *rules, count=counted)
    tribe = FOE_TERM[must_know(noted.tribe)]
    at = at.change(tribal_raid_box=counted)
    return at.tell(TRIBAL_RAID_STARTS, *rules, tribe=tribe, count=counted)


def at_fort(at: Board, family: Family) -> bool:
    """Is this Family in the same Area as a Fort?"""
    return is_area(must_know(family.at)) and bool(at.has_fort(family.at))


def left_in_box(at: Board) -> int | Unknown:
    """The counters left in the Tribal Raid Box."""
    count: int | Unknown = at.told("tribal_raid_box", ask=ASK_TRIBAL_RAID_BOX)
    return count


def next_counter(at: Board, _noted: TribalRaidMemory) -> tuple[Board, Where]:
    """Each counter brings its own roll for a Territory, until the box is empty."""
    at = at.remember(evaded=(), resolved=(), given_up=0, reach=NOT_NOTED)
    return at, ("target-territory" if left_in_box(at) else "end-clear")


# -- Target Territory and Place a counter ------------------------------------------------------------

TARGET_ROLL = message(
    "tribal-raid-target-roll", "Roll a die for the Target Territory of the next Tribal Raid counter."
)
TARGETED = message("tribal-raid-targeted", "The die shows %(die)s: the Target Territory is %(territory)s.")
TRIBAL_PLACED = message("tribal-raid-placed", "A Tribal Raid counter is placed in Area %(area)s.")
TRIBAL_TRACK_FULL = message(
    "tribal-raid-track-full",
    "Every Area of the Territory %(territory)s has a Tribal Raid counter: none is placed, and the Raid goes on.",
)
BESIDE_FORT = message(
    "tribal-raid-beside-fort",
    "Family %(family)s is in the same Area as a Fort: for the whole Tribal Raid it counts as absent.",
    tells="detail",
)
UNDER_OUTPOST = message(
    "tribal-raid-under-outpost",
    "Family %(family)s is immune to the Tribal Raid because of the %(counter)s in Area %(area)s.",
)
NO_HELP = message(
    "tribal-raid-no-help",
    "In the Kit Carson Campaign the %(counter)s in Area %(area)s does not protect Family %(family)s.",
)
NOBODY_TO_RAID = message(
    "tribal-raid-nobody", "No Family in the Territory %(territory)s can be affected by the Tribal Raid."
)


def ask_target(_: Board, _noted: TribalRaidMemory) -> Question:
    """The die that picks the Territory."""
    return ask(TARGET_ROLL, Die())


def note_target(at: Board, _noted: TribalRaidMemory, die: int) -> Board:
    """The Territory with that die symbol; Canyon de Chelly has none and is never a target."""
    territory = territory_of_die(die)
    at = at.remember(territory=territory)
    rules = ("nw:tribal-raid.target", "nw:13.canyon.no-tribal-raid")
    return at.tell(TARGETED, *rules, die=die, territory=TerritoryRef(territory))


def place_counter(at: Board, noted: TribalRaidMemory) -> tuple[Board, Where]:
    """The lowest Area of the Territory without a Tribal Raid counter."""
    territory = must_know(noted.territory)
    left = left_in_box(at)
    if certain(left > 0):
        at = at.change(tribal_raid_box=left - 1)
    free = [area for area in track(territory) if not at.counters(area, "tribal_raid")]
    if free:
        at = at.set_area(free[0], tribal_raid=1)
        at = at.tell(TRIBAL_PLACED, "nw:tribal-raid.place", area=PlaceRef(free[0]))
    else:
        at = at.tell(TRIBAL_TRACK_FULL, "nw:tribal-raid.place", territory=TerritoryRef(territory))
    at = name_the_safe(at, territory)
    return (at, "evade") if exposed(at, noted) else nobody_left(at, noted)


def name_the_safe(at: Board, territory: str) -> Board:
    """Say which Families of the Target Territory the Raid does not touch, and why."""
    for family in at.families():
        if territory_of(must_know(family.at)) != territory or not is_area(family.at):
            continue
        if not is_visible(at, family):
            too = ("nw:6.2.3.s4.fort-area",) if certain(at.kit_carson_campaign) else ()
            at = at.tell(BESIDE_FORT, "nw:tribal-raid.fort-invisible", *too, family=family.letter)
        elif is_immune(at, family):
            shown = {"family": family.letter, **what_bars(at, family)}
            at = at.tell(UNDER_OUTPOST, "nw:tribal-raid.outpost-immune", **shown)
        elif certain(under_outpost(at, family, "fort-protects")):
            shown = {"family": family.letter, **what_bars(at, family)}
            at = at.tell(NO_HELP, "nw:6.2.3.s4.no-5.1.3", **shown)
    return at


def nobody_left(at: Board, noted: TribalRaidMemory) -> tuple[Board, Where]:
    """Nobody in the Target Territory can be affected: the next counter."""
    territory = TerritoryRef(must_know(noted.territory))
    return at.tell(NOBODY_TO_RAID, "nw:tribal-raid.no-family", territory=territory), "next-counter"


def exposed(at: Board, noted: TribalRaidMemory) -> list[Family]:
    """The Families of the Target Territory that are neither beside a Fort nor immune."""
    target = must_know(noted.territory)
    there = [family for family in at.families() if territory_of(must_know(family.at)) == target]
    return [family for family in there if is_visible(at, family) and not is_immune(at, family)]


def is_immune(at: Board, family: Family) -> Truth:
    """Does an Outpost or Fort at or above it on its Area Track protect this Family (5.1.3)?"""
    return every((under_outpost(at, family, "fort-protects"), denied(at.kit_carson_campaign)))


# -- Evade -------------------------------------------------------------------------------------------

TRIBAL_EVADE = question(
    "tribal-raid-evade",
    "Tribal Raid on the Target Territory %(territory)s: does a Family there react?",
    lead="The Tribal Raid targets the Territory %(territory)s.",
)
NO_EVASION = message("tribal-raid-no-evasion", "No Reaction")
NOT_IN_TARGET = requirement(
    "tribal-raid-other-territory",
    "Family %(family)s cannot react now: it is not one of the Families that the Tribal Raid threatens in the Target Territory %(territory)s.",
    met="Family %(family)s is in the Target Territory %(territory)s.",
)
TRIED_ALREADY = requirement(
    "tribal-raid-tried-already",
    "Family %(family)s has reacted to this Tribal Raid counter already and cannot react to it again.",
    met="Family %(family)s has not reacted to this Tribal Raid counter yet.",
)
REACTIONS = (evade.ACTION, negotiate.ACTION)  # Negotiate only if so read (C27)
ENEMY_RAID_REACTIONS = (ambush.ACTION, harass.ACTION)


def ask_evade(at: Board, noted: TribalRaidMemory) -> Question:
    """Does one of the Families that can try attempt an Evasion?"""
    territory = TerritoryRef(must_know(noted.territory))
    return ask(TRIBAL_EVADE, territory=territory) if may_try(at, noted) else known("none")


def may_try(at: Board, noted: TribalRaidMemory) -> list[Family]:
    """The exposed Families that have not tried yet."""
    return [family for family in exposed(at, noted) if family.letter not in noted.evaded]


def in_target_territory(at: Board, noted: TribalRaidMemory, do: Any) -> Iterator[Check]:
    """A Family of the Target Territory reacts; a Reaction that answers Enemy Raids only says so itself, or else here."""
    for action in ENEMY_RAID_REACTIONS:
        if isinstance(do, action.kind):
            if evaluate(action.may(at.apart(), do)).ruling != ILLEGAL:
                yield enemy_raid_only(True, action.term)
            return
    yield needs(
        do.family in [family.letter for family in may_try(at, noted)],
        TRIED_ALREADY if do.family in noted.evaded else NOT_IN_TARGET,
        "nw:tribal-raid.evade",
        pointer="/inputs",
        family=do.family,
        territory=TerritoryRef(must_know(noted.territory)),
    )


def note_attempt(at: Board, noted: TribalRaidMemory, chosen: Any) -> Board:
    """Who has tried does not try again."""
    return at if chosen == "none" else at.remember(evaded=(*noted.evaded, chosen.family))


def after_evade(at: Board, noted: TribalRaidMemory) -> tuple[Board, Where]:
    """One Family for each counter; each Family only where the request reads it so (C28)."""
    if may_try(at, noted) and at.choice("tribal-raid-evades") == "each-family":
        return at, "evade"
    return (at, "give-up") if exposed(at, noted) else nobody_left(at, noted)


# -- Raid Resolution ---------------------------------------------------------------------------------

NO_BATTLE_AGAINST_CARSON = message(
    "tribal-raid-no-battle",
    "In the Kit Carson Campaign Family %(family)s cannot fight a Battle in Raid Resolution.",
)


def affected(at: Board, noted: TribalRaidMemory) -> list[Family]:
    """Every exposed Family in an Area of at most the modified roll, each once."""
    reach = must_know(noted.reach)
    return [
        family
        for family in exposed(at, noted)
        if family.letter not in noted.resolved and must_know(at.value(family.at)) <= reach
    ]


def ask_affected(at: Board, noted: TribalRaidMemory) -> Question:
    """The Families within reach that still have to be dealt with."""
    return ask_family(affected(at, noted))


def turn_to(at: Board, noted: TribalRaidMemory, letter: str) -> tuple[Board, Where]:
    """The next Family, or the next counter when all have been dealt with."""
    return (at, "next-counter") if letter == NOBODY else turn_to_family(at, noted, letter)


AGAINST_HIM = ("nw:tribal-raid.carson", "nw:6.2.3.s4.no-battle")


def ask_resolution(at: Board, noted: TribalRaidMemory) -> Question:
    """(A) a Battle or (B) the three steps; against Kit Carson only the steps."""
    return known("suffer") if at.kit_carson_campaign else ask(FIGHT_OR_SUFFER, family=must_know(noted.family))


def battle_in_resolution(at: Board, noted: TribalRaidMemory, do: Battle) -> Iterator[Check]:
    """The Battle of the Family dealt with, against the Tribe that raids; none against Kit Carson."""
    letter = must_know(noted.family)
    if not at.kit_carson_campaign:
        yield from this_battle(must_know(noted.tribe))(at, noted, do)
    elif not certain(hunted_by_carson(at, at.family(do.family))):  # which the Battle says itself
        yield needs(False, AGAINST_CARSON, *AGAINST_HIM, pointer="/inputs", family=letter)


def tell_why_not(at: Board, noted: TribalRaidMemory, chosen: Any) -> Board:
    """Whoever follows the three steps and could not have fought is told why."""
    if at.kit_carson_campaign:
        at = dealt_with(at, noted)
        return at.tell(NO_BATTLE_AGAINST_CARSON, *AGAINST_HIM, family=must_know(noted.family))
    return told_why_not(at, noted, chosen)


def battle_once_written(_: Board, noted: TribalRaidMemory, value: Any) -> Battle | None:
    """Saved games say “battle” for the plain Battle."""
    return Battle(must_know(noted.family), must_know(noted.tribe)) if value == "battle" else None


def step_1(at: Board, noted: TribalRaidMemory, kind: str) -> Board:
    """A population counter is lost."""
    return lose_population(at, noted, kind, "nw:tribal-raid.hit-step1")


def step_2(at: Board, noted: TribalRaidMemory) -> Board:
    """Culture Points for the empty spaces; Enemy Ferocity and Enemy Morale stay as they are."""
    return lose_culture(at, noted, "nw:tribal-raid.hit-step2")


def step_3(at: Board, noted: TribalRaidMemory) -> Board:
    """Without adults the Family leaves the map, otherwise it is caught."""
    letter, rule = must_know(noted.family), "nw:tribal-raid.hit-step3"
    if has_adult(at.family(letter)):
        return catch_family(at, letter, own_caught_box(at, letter), rule)
    return remove_without_adult(at, letter, rule)


# -- the Raid is over --------------------------------------------------------------------------------

TRIBAL_RAID_OVER = message(
    "outcome.tribal-raid-over", "The Tribal Raid is over. Families in Caught Boxes: %(caught)s."
)
TRIBAL_CLEARED = message(
    "tribal-raid-cleared",
    "The Tribal Raid on the Territory %(territory)s is over: all Tribal Raid counters are removed from the map.",
    untold="The Tribal Raid is over: all Tribal Raid counters are removed from the map.",
    outcome=TRIBAL_RAID_OVER,
    tells="detail",
)
STAY_CAUGHT = message(
    "tribal-raid-stay-caught", "In the Kit Carson Campaign caught Families stay in their Caught Boxes."
)


def end_clear(at: Board, noted: TribalRaidMemory) -> Board:
    """Raid Resolution step 1: the counters leave the map; the Kit Carson Campaign has a Raid for each Territory."""
    for area in at.areas_with("tribal_raid"):
        at = at.set_area(area, tribal_raid=0)
    on = {"territory": TerritoryRef(must_know(noted.territory))} if at.kit_carson_campaign else {}
    return at.tell(TRIBAL_CLEARED, "nw:tribal-raid.end1", caught=caught(at), **on)


def caught(at: Board) -> int:
    """How many Families are known to be in Caught Boxes."""
    families = at.families() if is_told(at.all_families) else ()
    return sum(is_told(family.at) and family.at.endswith("-caught") for family in families)


def end_return(at: Board, _noted: TribalRaidMemory) -> tuple[Board, Where]:
    """Raid Resolution step 2: Families return from Caught Boxes and Escape Boxes; in the Kit Carson Campaign the caught ones stay."""
    waiting = in_boxes(at)
    if waiting and at.kit_carson_campaign:
        escaped = [family for family in waiting if family.at.endswith("-escape")]
        if not escaped:
            return at.tell(STAY_CAUGHT, "nw:tribal-raid.carson", "nw:6.2.3.s4.stay-caught"), END
        waiting = escaped
    after, where = next_return(at, waiting, "nw:tribal-raid.end2")
    if where == "return-area":
        return after, where
    for family in after.families():
        if is_without_adult(family):
            after = remove_without_adult(after, family.letter, "nw:tribal-raid.end2")
    return after, where


# -- what is noted and still matters -----------------------------------------------------------------


def still_matters(at: Board, frame: Frame) -> TribalRaidMemory:
    """Nothing of a counter that is dealt with, the reach only as far as Families can be reached, of the return who returns."""
    noted: TribalRaidMemory = frame.memory
    if frame.step == "target-territory":
        return TribalRaidMemory(tribe=noted.tribe)
    if frame.step in RETURN_ROWS:
        return TribalRaidMemory(tribe=noted.tribe, family=noted.family)
    if noted.reach is NOT_NOTED:
        return noted
    return structs.replace(noted, reach=farthest_reached(at, noted), given_up=0, evaded=())


def farthest_reached(at: Board, noted: TribalRaidMemory) -> int | Unknown:
    """The highest Area Value within reach where a Family is not dealt with yet; if a Battle may move Families, the reach."""
    moved = chain.from_iterable(at.components.battle_table.effects.values())
    if not is_told(at.all_families) or any(change.pointer.endswith("/at") for change in moved):
        return noted.reach
    places = [family.at for family in at.families() if family.letter not in noted.resolved]
    if not all(is_told(place) for place in places):
        return noted.reach
    here = [place for place in places if territory_of(place) == noted.territory]
    values = [0, *(at.value(place) for place in here if is_area(place))]
    return max(value for value in values if value <= noted.reach)


TRIBAL_RAID = procedure(
    "tribal-raid",
    TribalRaidMemory,
    part("initiation", "Tribal Raid Initiation"),
    automatic(
        "initiation", "nw:tribal-raid.init", fill_box, title="Counters are placed in the Tribal Raid Box"
    ),
    automatic(
        "next-counter",
        "nw:tribal-raid.init",
        next_counter,
        goes=("target-territory", "end-clear"),
        title="Are counters left in the Tribal Raid Box?",
    ),
    part("target", "Target Territory"),
    chance(
        "target-territory",
        "nw:tribal-raid.target",
        ask_target,
        note_target,
        title="Roll for the Target Territory",
    ),
    part("placement", "Place a counter"),
    automatic(
        "placement",
        ("nw:tribal-raid.place", "nw:tribal-raid.no-family"),
        place_counter,
        goes=("evade", "next-counter"),
        title="A counter is placed",
    ),
    part("evade", "Evade"),
    decision(
        "evade",
        ("nw:tribal-raid.evade", "nw:tribal-raid.reactions"),
        ask_evade,
        takes=(*REACTIONS, *ENEMY_RAID_REACTIONS),
        or_else=instead(NO_EVASION, "give-up"),
        demands=in_target_territory,
        notes=note_attempt,
        then="after-evade",
        title="Does a Family attempt an Evasion?",
    ),
    automatic(
        "after-evade",
        "nw:tribal-raid.evade",
        after_evade,
        goes=("evade", "give-up", "next-counter"),
        title="One Evasion for each counter",
    ),
    part("conduct", "Conduct a Raid"),
    decision(
        "give-up",
        "nw:tribal-raid.discard",
        ask_give_up,
        give_up,
        goes=("give-up", "conduct"),
        title="Resources removed for a modifier of -1",
    ),
    chance(
        "conduct",
        ("nw:tribal-raid.conduct-drm", "nw:tribal-raid.conduct-drm-carson"),
        ask_conduct,
        conduct,
        title="Roll for the reach of the Raid",
    ),
    part("resolution", "Raid Resolution"),
    decision(
        "affected-family",
        "nw:tribal-raid.hit-who",
        ask_affected,
        turn_to,
        goes=("resolution", "next-counter"),
        title="The next Family affected",
    ),
    decision(
        "resolution",
        "nw:tribal-raid.option-battle",
        ask_resolution,
        takes=(BATTLE_ACTION,),
        or_else=instead(SUFFER, "population", "suffer"),
        demands=battle_in_resolution,
        notes=tell_why_not,
        reads=battle_once_written,
        then="affected-family",
        title="(A) a Battle or (B) the three steps",
    ),
    decision(
        "population",
        ("nw:tribal-raid.hit-step1", "nw:1.5.1.player-chooses"),
        ask_population,
        step_1,
        title="Step 1: a population counter is lost",
    ),
    automatic("culture", "nw:tribal-raid.hit-step2", step_2, title="Step 2: Culture Points are lost"),
    automatic(
        "caught",
        "nw:tribal-raid.hit-step3",
        step_3,
        then="affected-family",
        title="Step 3: the Caught Box",
    ),
    part("end", "Raid Ends"),
    automatic(
        "end-clear", "nw:tribal-raid.end1", end_clear, then="return", title="Step 1: counters leave the map"
    ),
    *returning("nw:tribal-raid.end2", "nw:tribal-raid.end2", end_return),
    title="Tribal Raid Flowchart",
    renamed={"after-battle": "affected-family"},
    matters=still_matters,
)

ACTION = Action(
    TribalRaid,
    "nw:4.2.4",
    Term("nw.tribal_raid"),
    message("action.tribal-raid", "The Comanche or the Ute raid: follow the Tribal Raid Flowchart."),
    may_raid,
    begin_raid,
    offer=offer,
    ways=ways,
)
