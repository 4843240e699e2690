"""The scenarios 14.1 to 14.6: the position after the set-up, what the player still chooses, the deck, how it is won.

scenarios.toml holds what is known of them; a value that no source states is left out and listed as a choice.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import permutations
from typing import Literal, get_args

from msgspec import UNSET, Struct, UnsetType
from msgspec.structs import asdict, replace

from engine.catalogue import read_toml
from engine.messages import Act, act, message, question, requirement
from engine.navajo_wars.audit_map import FORT_TERM, MANUELITOS_WAR
from engine.navajo_wars.cards import FIRST_EVENT, PERIOD_TERM
from engine.navajo_wars.counters import COUNTER_TERM, MEMBERS
from engine.navajo_wars.endings import LAST_CARD, RESULT_TERM, Result
from engine.navajo_wars.map import PlaceRef, TerritoryRef, track
from engine.navajo_wars.outposts import DIE_SYMBOL
from engine.navajo_wars.position import (
    AreaId,
    AreaState,
    Cards,
    Count,
    Cubes,
    FamilyLetter,
    FamilyState,
    FortName,
    Instructions,
    Operation,
    PassageBox,
    Period,
    Position,
    RaidedBox,
    Resources,
    SantaFe,
    ScenarioId,
    SetAside,
    Territory,
    TerritoryState,
    Tracks,
)
from engine.navajo_wars.raid_resolution import AT_FEROCITY, RETURN_HERE, THIS_FAMILY
from engine.navajo_wars.sourced import Sourced
from engine.questions import Option
from engine.saved import FORMAT
from engine.scenarios import Doubt, Limit, OpenChoice, Said, Scenario

Purchase = Literal["one-free", "up-to-four", "eight-free", "four-groups"]


class SourcedPlace(Struct, frozen=True, forbid_unknown_fields=True):
    """A value of a set-up that is less certain than the rest."""

    pointer: str
    source: str
    certainty: Literal["high", "medium", "low"]


class ScenarioEntry(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A set-up as scenarios.toml states it.

    `ferocity` left out is the player's choice; `one_missing`: a die says who is missing in each Family; `at_random`: all
    Instructions in random order, Ceremony cards drawn for the Passage of Time Box, a deck of Operations cards.
    """

    id: ScenarioId
    title: str
    period: Period
    source: str
    certainty: Literal["high", "medium", "low"]
    tracks: Tracks
    families: dict[FamilyLetter, Territory]
    ferocity: Literal[0] | None = None
    one_missing: bool = False
    at_random: bool = False
    drought: Literal[0, 1] = 0
    raid_pool: Cubes
    subjugation: Cubes = Cubes()
    resources: dict[Literal["horse", "sheep", "firearms"], Count] = {}
    ranchos: tuple[AreaId, ...] = ()
    forts: tuple[AreaId, ...] = ()
    developments: Purchase
    events: tuple[int, ...]
    in_play: tuple[int, ...] = ()
    doubts: tuple[SourcedPlace, ...] = ()


class EveryScenario(Struct, frozen=True, forbid_unknown_fields=True):
    """What all set-ups have in common."""

    source: str
    certainty: str
    elders: tuple[Count, ...]
    set_aside: SetAside


class _File(Struct, frozen=True, forbid_unknown_fields=True):
    every: EveryScenario
    enemy_ap: Sourced
    scenario: tuple[ScenarioEntry, ...]


FILE: _File = read_toml(__package__, "scenarios.toml", _File)
CAMPAIGN = "14.6"


# -- the position ------------------------------------------------------------------------------------


def position(entry: ScenarioEntry) -> Position:
    """Everything the set-up fixes; what is left out is listed among the choices."""
    return Position(
        format=FORMAT,
        scenario=entry.id,
        period=entry.period,
        tracks=replace(entry.tracks, enemy_ap=FILE.enemy_ap.value),
        families={letter: family(entry) for letter in entry.families},
        areas=UNSET if entry.forts else {},
        territories={territory: TerritoryState(entry.drought) for territory in DIE_SYMBOL},  # type: ignore[misc]
        santa_fe=SantaFe(0),
        tribal_raid_box=0,
        manuelito=UNSET if MANUELITOS_WAR in entry.in_play else None,
        elders=FILE.every.elders,
        resources=Resources(
            **{"horse": 0, "sheep": 0, "firearms": 0, **entry.resources}, corn=(), trade_goods=0
        ),
        passage_of_time=UNSET if entry.at_random else PassageBox(0, 0, 0, 0, 0, 0),
        raid_pool=entry.raid_pool,
        raided_cubes=Cubes(),
        recovery=Cubes(),
        subjugation=entry.subjugation,
        raided_box=RaidedBox(0, None),
        instructions=UNSET if entry.at_random else Instructions(inactive=(None,) * 6),
        activation=None,
        operation=Operation(None, (), (), (), ()),
        cards=cards(entry),
        set_aside=FILE.every.set_aside,
        outcome=None,
    )


def family(entry: ScenarioEntry) -> FamilyState:
    """A whole Family without a horse, unless a die says who is missing."""
    there = UNSET if entry.one_missing else True
    ferocity = UNSET if entry.ferocity is None else entry.ferocity
    return FamilyState(ferocity=ferocity, man=there, woman=there, child=there, horse=False)


def cards(entry: ScenarioEntry) -> Cards:
    """Event cards up to this Period that are neither in the deck nor in play are removed from the game (3.3 step 10)."""
    last = LAST_OF_PERIOD[entry.period]
    gone = [card for card in range(FIRST_EVENT, last + 1) if card not in (*entry.events, *entry.in_play)]
    hand = UNSET if entry.at_random else ()
    return Cards(current=None, in_play=entry.in_play, hand=hand, removed=tuple(gone), discarded=())


LAST_OF_PERIOD: dict[Period, int] = {"spanish": 45, "mexican": 50, "american": 55}


# -- what the player still chooses -------------------------------------------------------------------

FAMILIES_RULE = ("nw:14.families",)
COUNTERS_RULE = ("nw:14.counters",)
CARDS_RULE = ("nw:14.cards",)
DISPLAY_RULE = ("nw:14.instructions",)
CHOOSE_MISSING = question(
    "scenario-choose-missing",
    "Which population space of Family %(family)s stays empty?",
    lead="Roll a die for Family %(family)s: the population space with that number in its printed range stays empty.",
)
STAYS_EMPTY = message("scenario-stays-empty", "Empty population space: %(counter)s")
CHOOSE_AREA = message(
    "scenario-choose-area", "In which Area of the Territory %(territory)s does Family %(family)s begin?"
)
CHOOSE_FEROCITY = message("scenario-choose-ferocity", "At which Ferocity does Family %(family)s begin?")
CHOOSE_FORTS = question(
    "scenario-choose-forts",
    "Which Fort is in which Area?",
    hint="The sources do not say it: see your Playbook. The answer names the Ranchos of the set-up beside them.",
)
FORTS_PLACED = message(
    "scenario-forts-placed", "%(first)s: Area %(first_area)s; %(second)s: Area %(second_area)s"
)
CHOOSE_MANUELITO = message("scenario-choose-manuelito", "With which Family does the Manuelito counter begin?")
FILL_PASSAGE = question(
    "scenario-fill-passage",
    "Which population counters are in the Passage of Time Box?",
    lead="Draw Ceremony cards, and for each of them put a population counter of the kind it shows into the "
    "Passage of Time Box, until 3 are there; Enemy Way is ignored.",
)
CHOOSE_HAND = question(
    "scenario-choose-hand",
    "Which of the Ceremony cards is taken into your hand, if any?",
    lead="One of the Ceremony cards drawn may be taken into your hand.",
)
LAY_OUT_INSTRUCTIONS = question(
    "scenario-lay-out-instructions",
    "Which Instruction counter is where?",
    lead="Draw 2 of the Instruction counters of this Period at random and remove them from the game. The other"
    " 12 are laid out with the capital letter face up, in alphabetical order: the Active column from top "
    "to bottom, then the Standby column.",
)
LAY_OUT_AT_RANDOM = question(
    "scenario-lay-out-at-random",
    "Which Instruction counter is where?",
    lead="No Instruction counter of this Period is removed from the game; they are laid out in random order, "
    "as your Playbook says.",
)
PURCHASE: dict[Purchase, Said] = {
    "one-free": Said(
        question(
            "scenario-developments-one",
            "Which Cultural Development card do you take?",
            lead="Take one level 1 Cultural Development card free of charge.",
        )
    ),
    "up-to-four": Said(
        question(
            "scenario-developments-four",
            "Which Cultural Development cards do you buy?",
            lead="Buy up to 4 Cultural Development cards, one after the other, and take what they cost off Culture "
            "Points and Military Points.",
        )
    ),
    "eight-free": Said(
        question(
            "scenario-developments-eight",
            "Which Cultural Development cards do you take?",
            lead="Take 8 Cultural Development cards free of charge; each level needs the lower levels of its group.",
        )
    ),
    "four-groups": Said(
        question(
            "scenario-developments-groups",
            "Which groups of Cultural Development cards do you take?",
            lead="Take all three levels of 4 of the 5 groups of Cultural Development cards; the fifth is removed from "
            "the game.",
        )
    ),
}
OFFERS_THESE = "The set-up of this scenario offers these Cultural Development cards."
ONE_OF_LEVEL_1 = requirement(
    "scenario-one-development",
    "This scenario begins with one Cultural Development card, and it is of level 1.",
    met=OFFERS_THESE,
)
FOUR_AT_MOST = requirement(
    "scenario-four-developments",
    "This scenario begins with at most 4 Cultural Development cards, each of them once and after the lower levels of its group.",
    met=OFFERS_THESE,
)
EIGHT_OF_THEM = requirement(
    "scenario-eight-developments",
    "This scenario begins with 8 Cultural Development cards, each of them once and after the lower levels of its group.",
    met=OFFERS_THESE,
)
FOUR_GROUPS = requirement(
    "scenario-four-groups",
    "This scenario begins with 4 groups of Cultural Development cards, each group with its three levels, each level once.",
    met=OFFERS_THESE,
)
STILL_SET_ASIDE = question(
    "scenario-still-set-aside",
    "How many Trade Goods and Harass counters are still set aside when the game begins?",
    lead="%(trade_goods)s Trade Goods and %(harass)s Harass counters are set aside until a Cultural Development card brings them into the game.",
    hint="If none of the cards you begin with does, these are the numbers.",
)
FORTS: tuple[FortName, ...] = get_args(FortName)


def choices(entry: ScenarioEntry) -> Iterator[OpenChoice]:
    """What belongs into the position and is not fixed, in the order in which it is put there."""
    for letter, territory in entry.families.items():
        yield from family_choices(entry, letter, territory)
    if entry.forts:
        yield OpenChoice("/areas", Said(CHOOSE_FORTS), tuple(fort_options(entry)), COUNTERS_RULE)
    if MANUELITOS_WAR in entry.in_play:
        with_whom = tuple(Option(letter, THIS_FAMILY, {"family": letter}) for letter in entry.families)
        yield OpenChoice("/manuelito", Said(CHOOSE_MANUELITO), with_whom, COUNTERS_RULE)
    purchase, limit = PURCHASE[entry.developments], LIMIT[entry.developments]
    yield OpenChoice("/cards/developments", purchase, rules=CARDS_RULE, limit=limit)
    aside = Said(STILL_SET_ASIDE, asdict(FILE.every.set_aside))
    yield OpenChoice("/set_aside", aside, rules=COUNTERS_RULE)
    if not entry.at_random:
        yield OpenChoice("/instructions", Said(LAY_OUT_INSTRUCTIONS), rules=DISPLAY_RULE)
        return
    yield OpenChoice("/instructions", Said(LAY_OUT_AT_RANDOM), rules=DISPLAY_RULE)
    yield OpenChoice("/passage_of_time", Said(FILL_PASSAGE), rules=COUNTERS_RULE)
    yield OpenChoice("/cards/hand", Said(CHOOSE_HAND), rules=CARDS_RULE)


def one_of_level_1(position: Position) -> bool:
    """One card of level 1 (14.1, 14.2, 14.6)."""
    cards = begun_with(position)
    return len(cards) <= 1 and all(level == 1 for _, level in cards)


def at_most(count: int) -> Callable[[Position], bool]:
    """So many cards, each after the lower levels of its group (14.3, 14.4)."""
    return lambda position: len(begun_with(position)) <= count and after_lower_levels(position)


def four_groups(position: Position) -> bool:
    """Whole groups, told card by card in any order (14.5)."""
    cards = begun_with(position)
    return len(set(cards)) == len(cards) and len({group for group, _ in cards}) <= 4


def begun_with(position: Position) -> list[tuple[str, int]]:
    """The Cultural Development cards told, by group and level, however the group is spelled."""
    told = position.cards.developments if isinstance(position.cards, Cards) else UNSET
    return [] if isinstance(told, UnsetType) else [(one.set.strip().casefold(), one.level) for one in told]


def after_lower_levels(position: Position) -> bool:
    """Is each card there once, and each lower level of its group (9.1.1)?"""
    cards = begun_with(position)
    below = {(group, lower) for group, level in cards for lower in range(1, level)}
    return len(set(cards)) == len(cards) and below <= set(cards)


LIMIT: dict[Purchase, Limit] = {
    "one-free": Limit(ONE_OF_LEVEL_1, one_of_level_1),
    "up-to-four": Limit(FOUR_AT_MOST, at_most(4)),
    "eight-free": Limit(EIGHT_OF_THEM, at_most(8)),
    "four-groups": Limit(FOUR_GROUPS, four_groups),
}


def family_choices(entry: ScenarioEntry, letter: FamilyLetter, territory: Territory) -> Iterator[OpenChoice]:
    """Who is missing, where the Family begins and how ferocious it is."""
    pointer, named = f"/families/{letter}", {"family": letter}
    if entry.one_missing:
        options = tuple(
            Option(without(family(entry), kind), STAYS_EMPTY, {"counter": COUNTER_TERM[kind]})
            for kind in MEMBERS
        )
        yield OpenChoice(pointer, Said(CHOOSE_MISSING, named), options, FAMILIES_RULE)
    where = Said(CHOOSE_AREA, {**named, "territory": TerritoryRef(territory)})
    areas = tuple(Option(area, RETURN_HERE, {"area": PlaceRef(area)}) for area in track(territory))
    yield OpenChoice(f"{pointer}/at", where, areas, FAMILIES_RULE)
    if entry.ferocity is None:
        faces = tuple(Option(value, AT_FEROCITY, {"value": value}) for value in range(4))
        yield OpenChoice(f"{pointer}/ferocity", Said(CHOOSE_FEROCITY, named), faces, FAMILIES_RULE)


def without(state: FamilyState, missing: str) -> FamilyState:
    """A Family in which one population space is empty."""
    return replace(state, **{kind: kind != missing for kind in MEMBERS})


def fort_options(entry: ScenarioEntry) -> Iterator[Option]:
    """Both ways to place the two Forts, with the Ranchos that are on the map."""
    for first, second in permutations(FORTS):
        placed = {area: AreaState(rancho=True) for area in entry.ranchos}
        placed |= {
            area: AreaState(fort=fort) for area, fort in zip(entry.forts, (first, second), strict=True)
        }
        areas = [PlaceRef(area) for area in entry.forts]
        shown = {"first": FORT_TERM[first], "second": FORT_TERM[second]}
        yield Option(placed, FORTS_PLACED, {**shown, "first_area": areas[0], "second_area": areas[1]})


# -- the deck ----------------------------------------------------------------------------------------

DECK_STACKS = message(
    "scenario-deck-stacks",
    "Shuffle the Operations cards and Ceremony cards and deal stacks of 8 cards; number of stacks: %(count)s.",
)
DECK_EVENTS = message(
    "scenario-deck-events", "Shuffle one of these event cards into each of the stacks: %(cards)s."
)
DECK_ORDER = message(
    "scenario-deck-order",
    "Lay the stacks on each other, in the order of the numbers of their event cards, the lowest on top. Cards in the "
    "deck: %(count)s.",
)
DECK_LATER = message(
    "scenario-deck-later",
    "The decks of the Mexican Period and of the American Period are made when cards #45 and #50 are resolved.",
)
DECK_OF_OPERATIONS = message(
    "scenario-deck-operations",
    "Use Operations cards only: shuffle 3 of them together with card #55, and lay 5 more on top. Cards in"
    " the deck: 9.",
)
GROUPS_LEFT = message(
    "scenario-groups-left",
    "Choose one group of Cultural Development cards. Shuffle the level 1 cards of the other 7 groups and remove 3 of "
    "these groups at random from the game; 5 groups are left.",
)
STACK = 8


def deck(entry: ScenarioEntry) -> Iterator[Said]:
    """How the cards are prepared."""
    if entry.at_random:
        yield Said(DECK_OF_OPERATIONS)
    else:
        count = len(entry.events)
        yield Said(DECK_STACKS, {"count": count})
        yield Said(DECK_EVENTS, {"cards": tuple(f"#{card}" for card in entry.events)})
        yield Said(DECK_ORDER, {"count": count * (STACK + 1)})
    if entry.id == CAMPAIGN:
        yield Said(DECK_LATER)
    yield Said(GROUPS_LEFT)


# -- how it is won -----------------------------------------------------------------------------------

ENDS_WITH = message(
    "scenario-ends-with",
    "The scenario ends with card #%(card)s. First each black cube in the Subjugation of New Mexico Box raises Enemy "
    "Morale by 1.",
)
BY_DIFFERENCE = message(
    "scenario-by-difference", "Military Points minus Enemy Morale: %(difference)s. Result: %(result)s."
)
CARD_55_DECIDES = message(
    "scenario-card-55-decides",
    "Card #55 itself decides step by step (6.2.3); the scenario's own table stands beside it.",
)
HIGHER = message("scenario-military-higher", "Military Points higher than Enemy Morale: %(result)s.")
EQUAL = message("scenario-military-equal", "Military Points 1 or more, equal to Enemy Morale: %(result)s.")
LOWER = message("scenario-military-lower", "Military Points 1 or more, lower than Enemy Morale: %(result)s.")
BOTH_ZERO = message("scenario-both-zero", "Military Points 0, Enemy Morale 0: %(result)s.")
NO_MILITARY = message("scenario-military-zero", "Military Points 0, Enemy Morale 1 or more: %(result)s.")
DIFFERENCES: dict[Result, Act] = {
    "major-victory": act("scenario-difference.at-least-3", "3 or more"),
    "minor-victory": act("scenario-difference.1-or-2", "1 or 2"),
    "minor-defeat": act("scenario-difference.0-to-minus-2", "0, -1 or -2"),
    "major-defeat": act("scenario-difference.at-most-minus-3", "-3 or less"),
}


def victory(entry: ScenarioEntry) -> Iterator[Said]:
    """What the end of the scenario compares, as endings.py does it."""
    yield Said(ENDS_WITH, {"card": LAST_CARD[entry.id]})
    if LAST_CARD[entry.id] != LAST_OF_PERIOD["american"]:
        for result, difference in DIFFERENCES.items():
            yield Said(BY_DIFFERENCE, {"difference": difference, "result": RESULT_TERM[result]})
        return
    yield Said(CARD_55_DECIDES)
    yield Said(HIGHER, {"result": RESULT_TERM["major-victory"]})
    yield Said(EQUAL, {"result": RESULT_TERM["minor-victory"]})
    yield Said(LOWER, {"result": RESULT_TERM["minor-defeat"]})
    yield Said(BOTH_ZERO, {"result": RESULT_TERM["minor-defeat"]})
    yield Said(NO_MILITARY, {"result": RESULT_TERM["major-defeat"]})


# -- all of them -------------------------------------------------------------------------------------

SUMMARY = message(
    "scenario-summary",
    "Period at the beginning: %(period)s. Last card: #%(card)s.",
)
DOUBTFUL = message(
    "scenario-doubtful",
    "Only one public source states this, and it contradicts itself: compare it with your Playbook.",
)


def scenario(entry: ScenarioEntry) -> Scenario:
    """A set-up with everything that is known of it."""
    return Scenario(
        entry.id,
        entry.title,
        entry.period,
        Said(SUMMARY, {"period": PERIOD_TERM[entry.period], "card": LAST_CARD[entry.id]}),
        position(entry),
        tuple(choices(entry)),
        tuple(deck(entry)),
        tuple(victory(entry)),
        tuple(Doubt(one.pointer, one.source, one.certainty, Said(DOUBTFUL)) for one in entry.doubts),
    )


SCENARIOS: tuple[Scenario, ...] = tuple(map(scenario, FILE.scenario))
