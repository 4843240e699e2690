"""The Tribal Raid Flowchart (4.2.4 and 4.2.12), with the modifiers of the Kit Carson Campaign (6.2.3)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Literal

from msgspec import UNSET, Struct, UnsetType

from engine.actions import Action
from engine.chance import Die
from engine.codec import Number
from engine.exceptions import Refused
from engine.messages import Message, Term, message, requirement
from engine.navajo_wars import ambush, evade, harass, negotiate
from engine.navajo_wars.battle import ACTION as BATTLE_ACTION
from engine.navajo_wars.battle import AGAINST_CARSON, FOE_TERM
from engine.navajo_wars.board import Board, Family
from engine.navajo_wars.cubes import red_cubes
from engine.navajo_wars.map import AREAS, PlaceRef, TerritoryRef, is_area, territory_of, track
from engine.navajo_wars.outposts import territory_of_die
from engine.navajo_wars.position import FamilyLetter, Sum, Tribe
from engine.navajo_wars.raid_memory import ResolutionMemory
from engine.navajo_wars.raid_placement import is_visible
from engine.navajo_wars.raid_resolution import (
    NOBODY,
    ask_family,
    ask_fight_or_suffer,
    ask_population,
    catch_family,
    fight_or_suffer,
    follow_steps,
    has_adult,
    in_boxes,
    lose_culture,
    lose_population,
    next_return,
    own_caught_box,
    remove_without_adult,
    returning,
    turn_to_family,
)
from engine.navajo_wars.reactions import enemy_raid_only, under_outpost
from engine.navajo_wars.tribal_raid_conduct import ask_conduct, ask_give_up, conduct, give_up, target
from engine.questions import Choose, Option, Question, ask, known
from engine.tables import Where, automatic, call, chance, decision, end, procedure
from engine.verdict import (
    ILLEGAL,
    Caution,
    Check,
    Truth,
    denied,
    evaluate,
    every,
    must_know,
    needs,
    unknown,
    warns,
)


class TribalRaid(Struct, frozen=True, forbid_unknown_fields=True, tag_field="kind", tag="tribal-raid"):
    """A Tribe raids the Diné."""

    tribe: Tribe


Target = Literal[
    "shiprock",
    "san-juan-valley",
    "zuni-mountains",
    "monument-valley",
    "hopi-land",
    "black-mesa",
]  # never Canyon de Chelly


class TribalRaidMemory(ResolutionMemory, frozen=True):
    """Who raids which Territory, who has tried to evade, and how far the Raid reaches."""

    tribe: Tribe | UnsetType = UNSET
    territory: Target | UnsetType = UNSET
    evaded: tuple[FamilyLetter, ...] = ()
    given_up: Sum = 0
    reach: Number | UnsetType = UNSET


TRIBE_SUBJUGATES = message(
    "tribal-raid-would-be-subjugate",
    "Red cubes in the Subjugation of New Mexico Box: %(have)s. With fewer than 3 the Instruction is treated as "
    "Subjugate, and there is no Tribal Raid.",
)


def may_raid(at: Board, do: TribalRaid) -> Iterator[Check | Caution]:
    """The chart can always be followed; a caution says where the Instruction would not lead to it."""
    if at.position.subjugation is not UNSET and red_cubes(at) < 3:
        rule = "nw:4.2.4.subjugate" if do.tribe == "comanche" else "nw:4.2.12.utes"
        yield warns(TRIBE_SUBJUGATES, rule, pointer="/subjugation/red", have=red_cubes(at))


def begin_raid(at: Board, do: TribalRaid) -> tuple[Board, Where]:
    """Follow the chart from its first box."""
    return at, call(TRIBAL_RAID, tribe=do.tribe)


# -- Tribal Raid Initiation --------------------------------------------------------------------------

TRIBAL_RAID_STARTS = message(
    "tribal-raid-starts",
    "Tribal Raid Initiation (%(tribe)s): Tribal Raid counters placed in the Tribal Raid Box: %(count)s.",
)
TRIBAL_COUNTERS_LIMITED = message(
    "tribal-raid-counters-limited",
    "Tribal Raid counters available: %(count)s; the counter mix is the limit.",
)
ASK_TRIBAL_RAID_BOX = message(
    "ask-tribal-raid-box", "How many Tribal Raid counters are in the Tribal Raid Box?"
)


def fill_box(at: Board) -> tuple[Board, Where]:
    """As many counters as Families in play; Families beside a Fort count too, unless read otherwise (C26)."""
    families = list(at.families())
    beside_fort = [family for family in families if at_fort(at, family)]
    counted = len(families)
    if beside_fort and at.choice("tribal-raid-counters") == "without-fort-families":
        counted -= len(beside_fort)
    limit = at.components.counter_limits.get("tribal_raid")
    if limit is not None and limit < counted:
        rules = ("nw:tribal-raid.init", "nw:1.6.1.tribal-raid-counters")
        at = at.tell(TRIBAL_COUNTERS_LIMITED, *rules, count=limit)
        counted = limit
    tribe = FOE_TERM[must_know(at.recall("tribe"))]
    at = at.change(tribal_raid_box=counted)
    rules = ("nw:tribal-raid.init", "nw:1.6.1.tribal-raid-counters")
    return at.tell(TRIBAL_RAID_STARTS, *rules, tribe=tribe, count=counted), "next-counter"


def at_fort(at: Board, family: Family) -> bool:
    """Is this Family in the same Area as a Fort?"""
    return is_area(must_know(family.at)) and bool(at.has_fort(family.at))


def box_count(at: Board) -> int:
    """The counters left in the Tribal Raid Box."""
    count = at.position.tribal_raid_box
    return must_know(unknown("/tribal_raid_box", ASK_TRIBAL_RAID_BOX) if count is UNSET else count)


def next_counter(at: Board) -> tuple[Board, Where]:
    """Each counter brings its own roll for a Territory, until the box is empty."""
    at = at.remember(evaded=(), resolved=(), given_up=0, reach=UNSET)
    return at, ("target-territory" if box_count(at) else "end-clear")


# -- Target Territory and Place a counter ------------------------------------------------------------

TARGET_ROLL = message("tribal-raid-target-roll", "Roll a die for the Target Territory of the Tribal Raid.")
TARGETED = message("tribal-raid-targeted", "The die shows %(die)s: the Target Territory is %(territory)s.")
TRIBAL_PLACED = message("tribal-raid-placed", "A Tribal Raid counter is placed in Area %(area)s.")
TRIBAL_TRACK_FULL = message(
    "tribal-raid-track-full",
    "Every Area of the Territory %(territory)s has a Tribal Raid counter: none is placed, the Raid goes on.",
)
BESIDE_FORT = message(
    "tribal-raid-beside-fort",
    "Family %(family)s is in the same Area as a Fort: the Tribal Raid does not see it.",
)
UNDER_OUTPOST = message(
    "tribal-raid-under-outpost",
    "Family %(family)s is immune to the Tribal Raid: an Outpost or Fort on its Area Track has at least its Area Value.",
)
NO_HELP = message(
    "tribal-raid-no-help",
    "In the Kit Carson Campaign no Outpost or Fort on its Area Track protects Family %(family)s.",
)
NOBODY_TO_RAID = message(
    "tribal-raid-nobody", "The Tribal Raid can affect no Family in the Territory %(territory)s."
)


def ask_target(_: Board) -> Question:
    """The die that picks the Territory."""
    return ask(TARGET_ROLL, Die())


def note_target(at: Board, die: int) -> tuple[Board, Where]:
    """The Territory with that die symbol; Canyon de Chelly has none and is never a target."""
    territory = territory_of_die(die)
    at = at.remember(territory=territory)
    rules = ("nw:tribal-raid.target", "nw:13.canyon.no-tribal-raid")
    return at.tell(TARGETED, *rules, die=die, territory=TerritoryRef(territory)), "placement"


def place_counter(at: Board) -> tuple[Board, Where]:
    """The lowest Area of the Territory without a Tribal Raid counter."""
    territory = target(at)
    left = at.position.tribal_raid_box
    if left is not UNSET and left:
        at = at.change(tribal_raid_box=left - 1)
    free = [area for area in track(territory) if not at.counters(area, "tribal_raid")]
    if free:
        at = at.set_area(free[0], tribal_raid=1)
        at = at.tell(TRIBAL_PLACED, "nw:tribal-raid.place", area=PlaceRef(free[0]))
    else:
        at = at.tell(TRIBAL_TRACK_FULL, "nw:tribal-raid.place", territory=TerritoryRef(territory))
    at = name_the_safe(at)
    return (at, "evade") if exposed(at) else nobody_left(at)


def name_the_safe(at: Board) -> Board:
    """Say which Families of the Target Territory the Raid does not touch, and why."""
    for family in at.families():
        if territory_of(must_know(family.at)) != target(at) or not is_area(family.at):
            continue
        if not is_visible(at, family):
            too = ("nw:6.2.3.s4.fort-area",) if at.kit_carson_campaign is True else ()
            at = at.tell(BESIDE_FORT, "nw:tribal-raid.fort-invisible", *too, family=family.letter)
        elif is_immune(at, family):
            at = at.tell(UNDER_OUTPOST, "nw:tribal-raid.outpost-immune", family=family.letter)
        elif under_outpost(at, family, "fort-protects") is True:
            at = at.tell(NO_HELP, "nw:6.2.3.s4.no-5.1.3", family=family.letter)
    return at


def nobody_left(at: Board) -> tuple[Board, Where]:
    """Nobody in the Target Territory can be affected: the next counter."""
    territory = TerritoryRef(target(at))
    return at.tell(NOBODY_TO_RAID, "nw:tribal-raid.no-family", territory=territory), "next-counter"


def exposed(at: Board) -> list[Family]:
    """The Families of the Target Territory that are neither beside a Fort nor immune."""
    there = [family for family in at.families() if territory_of(must_know(family.at)) == target(at)]
    return [family for family in there if is_visible(at, family) and not is_immune(at, family)]


def is_immune(at: Board, family: Family) -> Truth:
    """Does an Outpost or Fort at or above it on its Area Track protect this Family (5.1.3)?"""
    return every((under_outpost(at, family, "fort-protects"), denied(at.kit_carson_campaign)))


# -- Evade -------------------------------------------------------------------------------------------

TRIBAL_EVADE = message(
    "tribal-raid-evade",
    "The Tribal Raid targets the Territory %(territory)s. Does a Family there attempt an Evasion?",
)
NO_EVASION = message("tribal-raid-no-evasion", "No Evasion")
EVADES = message("tribal-raid-evades", "Family %(family)s: Evade")
NEGOTIATES = message("tribal-raid-negotiates", "Family %(family)s: Negotiate")
NOT_IN_TARGET = requirement(
    "tribal-raid-other-territory",
    "Family %(family)s is not in the Target Territory %(territory)s, or has tried already: it cannot react now.",
    met="Family %(family)s is in the Target Territory %(territory)s.",
)
REACTIONS: dict[type, tuple[Action, Message]] = {
    evade.Evade: (evade.ACTION, EVADES),
    negotiate.Negotiate: (negotiate.ACTION, NEGOTIATES),
}
ENEMY_RAID_REACTIONS: dict[type, Action] = {ambush.Ambush: ambush.ACTION, harass.Harass: harass.ACTION}


def ask_evade(at: Board) -> Question:
    """No Evasion, or one by a Family that can try; Negotiate only if so read (C27)."""
    options = [Option("none", NO_EVASION)]
    apart = at.apart()
    for family in may_try(at):
        letter: Any = family.letter
        for do in (evade.Evade(letter), negotiate.Negotiate(letter)):
            action, said = REACTIONS[type(do)]
            if evaluate(action.may(apart, do)).ruling != ILLEGAL:
                options.append(Option({"kind": action.name, "family": letter}, said, {"family": letter}))
    return ask(TRIBAL_EVADE, Choose(tuple(options)), territory=TerritoryRef(target(at)))


def may_try(at: Board) -> list[Family]:
    """The exposed Families that have not tried yet."""
    return [family for family in exposed(at) if family.letter not in at.recall("evaded")]


def try_to_evade(at: Board, chosen: Any) -> tuple[Board, Where]:
    """Carry out the Evasion of one Family of the Target Territory; no other Reaction answers a Tribal Raid."""
    if chosen == "none":
        return at, "give-up"
    if type(chosen) in ENEMY_RAID_REACTIONS:
        raise Refused(enemy_raid_only(True, ENEMY_RAID_REACTIONS[type(chosen)].term))
    if chosen.family not in [family.letter for family in may_try(at)]:
        territory = TerritoryRef(target(at))
        barred = needs(
            False,
            NOT_IN_TARGET,
            "nw:tribal-raid.evade",
            pointer="/inputs",
            family=chosen.family,
            territory=territory,
        )
        raise Refused(barred)
    at = at.remember(evaded=(*at.recall("evaded"), chosen.family))
    action, _ = REACTIONS[type(chosen)]
    after, begins = action.begin(at, chosen)
    return after, begins or "after-evade"


def after_evade(at: Board) -> tuple[Board, Where]:
    """One Family for each counter; each Family only where the request reads it so (C28)."""
    if may_try(at) and at.choice("tribal-raid-evades") == "each-family":
        return at, "evade"
    return (at, "give-up") if exposed(at) else nobody_left(at)


# -- Raid Resolution ---------------------------------------------------------------------------------

NO_BATTLE_AGAINST_CARSON = message(
    "tribal-raid-no-battle",
    "In the Kit Carson Campaign Family %(family)s cannot fight a Battle in Raid Resolution.",
)


def affected(at: Board) -> list[Family]:
    """Every exposed Family in an Area of at most the modified roll, each once."""
    reach, done = must_know(at.recall("reach")), at.recall("resolved")
    return [
        family
        for family in exposed(at)
        if family.letter not in done and must_know(at.value(family.at)) <= reach
    ]


def ask_affected(at: Board) -> Question:
    """The Families within reach that still have to be dealt with."""
    return ask_family(affected(at))


def turn_to(at: Board, letter: str) -> tuple[Board, Where]:
    """The next Family, or the next counter when all have been dealt with."""
    return (at, "next-counter") if letter == NOBODY else turn_to_family(at, letter)


def ask_resolution(at: Board) -> Question:
    """(A) a Battle or (B) the three steps; against Kit Carson only the steps."""
    return known("suffer") if at.kit_carson_campaign else ask_fight_or_suffer(at)


def resolve(at: Board, chosen: Any) -> tuple[Board, Where]:
    """Fight the Tribe, or go through the three steps; against Kit Carson only the steps."""
    if at.kit_carson_campaign:
        letter, rules = must_know(at.recall("family")), ("nw:tribal-raid.carson", "nw:6.2.3.s4.no-battle")
        if chosen != "suffer":
            raise Refused(needs(False, AGAINST_CARSON, *rules, pointer="/inputs", family=letter))
        return at.tell(NO_BATTLE_AGAINST_CARSON, *rules, family=letter), "population"
    if chosen == "suffer":
        return follow_steps(at)
    tribe = must_know(at.recall("tribe"))
    return fight_or_suffer(at, chosen, tribe, FOE_TERM[tribe])


def after_battle(at: Board) -> tuple[Board, Where]:
    """Whoever fights takes what the Battle brings and nothing more (11.3)."""
    return at, "affected-family"


def step_1(at: Board, kind: str) -> tuple[Board, Where]:
    """A population counter is lost."""
    return lose_population(at, kind, "nw:tribal-raid.hit-step1"), "culture"


def step_2(at: Board) -> tuple[Board, Where]:
    """Culture Points for the empty spaces; Enemy Ferocity and Enemy Morale stay as they are."""
    return lose_culture(at, "nw:tribal-raid.hit-step2"), "caught"


def step_3(at: Board) -> tuple[Board, Where]:
    """Without adults the Family leaves the map, otherwise it is caught."""
    letter, rule = must_know(at.recall("family")), "nw:tribal-raid.hit-step3"
    if has_adult(at.family(letter)):
        return catch_family(at, letter, own_caught_box(at, letter), rule), "affected-family"
    return remove_without_adult(at, letter, rule), "affected-family"


# -- the Raid is over --------------------------------------------------------------------------------

TRIBAL_CLEARED = message(
    "tribal-raid-cleared", "The Tribal Raid is over: all Tribal Raid counters are removed from the map."
)
STAY_CAUGHT = message(
    "tribal-raid-stay-caught", "In the Kit Carson Campaign caught Families stay in their Caught Boxes."
)


def end_clear(at: Board) -> tuple[Board, Where]:
    """Raid Resolution step 1: the counters leave the map."""
    for area in AREAS:
        if at.counters(area, "tribal_raid"):
            at = at.set_area(area, tribal_raid=0)
    return at.tell(TRIBAL_CLEARED, "nw:tribal-raid.end1"), "return"


def end_return(at: Board) -> tuple[Board, Where]:
    """Raid Resolution step 2: Families return from Caught Boxes and Escape Boxes; in the Kit Carson Campaign the caught ones stay."""
    waiting = in_boxes(at)
    if waiting and at.kit_carson_campaign:
        escaped = [family for family in waiting if family.at.endswith("-escape")]
        if not escaped:
            return at.tell(STAY_CAUGHT, "nw:tribal-raid.carson", "nw:6.2.3.s4.stay-caught"), end()
        waiting = escaped
    return next_return(at, waiting, "nw:tribal-raid.end2")


TRIBAL_RAID = procedure(
    "tribal-raid",
    TribalRaidMemory,
    automatic("initiation", "nw:tribal-raid.init", fill_box),
    automatic("next-counter", "nw:tribal-raid.init", next_counter),
    chance("target-territory", "nw:tribal-raid.target", ask_target, note_target),
    automatic("placement", ("nw:tribal-raid.place", "nw:tribal-raid.no-family"), place_counter),
    decision(
        "evade",
        ("nw:tribal-raid.evade", "nw:tribal-raid.reactions"),
        ask_evade,
        try_to_evade,
        takes=(*(action for action, _ in REACTIONS.values()), *ENEMY_RAID_REACTIONS.values()),
    ),
    automatic("after-evade", "nw:tribal-raid.evade", after_evade),
    decision("give-up", "nw:tribal-raid.discard", ask_give_up, give_up),
    chance(
        "conduct",
        ("nw:tribal-raid.conduct-drm", "nw:tribal-raid.conduct-drm-carson"),
        ask_conduct,
        conduct,
    ),
    decision("affected-family", "nw:tribal-raid.hit-who", ask_affected, turn_to),
    decision("resolution", "nw:tribal-raid.option-battle", ask_resolution, resolve, takes=(BATTLE_ACTION,)),
    automatic("after-battle", "nw:tribal-raid.option-battle", after_battle),
    decision("population", ("nw:tribal-raid.hit-step1", "nw:1.5.1.player-chooses"), ask_population, step_1),
    automatic("culture", "nw:tribal-raid.hit-step2", step_2),
    automatic("caught", "nw:tribal-raid.hit-step3", step_3),
    automatic("end-clear", "nw:tribal-raid.end1", end_clear),
    *returning("nw:tribal-raid.end2", "nw:tribal-raid.end2", end_return),
)

ACTION = Action(
    TribalRaid,
    "nw:4.2.4",
    Term("nw.tribal_raid"),
    message("action.tribal-raid", "The Comanche or the Ute raid: follow the Tribal Raid Flowchart."),
    may_raid,
    begin_raid,
)
