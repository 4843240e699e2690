"""Section 6.2.3: card #55, Kit Carson, which ends the game. His raids follow the chart in tribal_raid.py."""

from __future__ import annotations

from typing import Literal

from engine.memory import Memory
from engine.messages import act, message
from engine.navajo_wars.board import Board, Family
from engine.navajo_wars.cards import VP_OF_TRANSITION, set_cards
from engine.navajo_wars.consequences import change_track, dissolve_without_adult
from engine.navajo_wars.counters import ANIMALS, MEMBERS, POPULATION, in_passage_box
from engine.navajo_wars.endings import Result, game_over, show_scenario_table, without_points
from engine.navajo_wars.map import TerritoryRef, is_area, territory_of
from engine.navajo_wars.outposts import DIE_SYMBOL, forts_on_map, outposts_on_map
from engine.navajo_wars.raid_memory import Target
from engine.navajo_wars.transitions import CHECKS, NOTHING_LEFT, pass_time
from engine.questions import Choose, Option, Question, ask
from engine.tables import OVER, Where, automatic, call, decision, part, procedure
from engine.verdict import must_know, total

CARD = 55
CHECK_VP = VP_OF_TRANSITION[CARD]


class KitCarsonMemory(Memory, frozen=True):
    """Which Territories have been raided."""

    raided: tuple[Target, ...] = ()


def ends(at: Board, result: Result, *rules: str) -> Board:
    """The game is over; the scenario's own table is shown beside the result (C60)."""
    return game_over(show_scenario_table(at), result, *rules)


# -- steps 1 and 2: Passage of Time, Victory Check ---------------------------------------------------


def passage_of_time(at: Board, _noted: KitCarsonMemory) -> tuple[Board, Where]:
    """The last time that passes."""
    return pass_time(at, CARD, "nw:6.2.3.s1.passage")


def victory_check(at: Board, _noted: KitCarsonMemory) -> tuple[Board, Where]:
    """8.2 with a VP value of 15."""
    at = at.tell(CHECKS, "nw:6.2.3.s2.victory-check-15", card=CARD, vp=CHECK_VP)
    return at, call("victory-check", vp=CHECK_VP, card=CARD)


def defeat(at: Board, _noted: KitCarsonMemory) -> Board:
    """With nothing left after the Victory Check the game is lost."""
    rule = "nw:6.2.3.s2.defeat"
    if not must_know(without_points(at)):
        return at
    return ends(at.tell(NOTHING_LEFT, rule, card=CARD), "major-defeat", rule)


# -- step 3: victory, or the ultimatum ---------------------------------------------------------------

STRONGER = message(
    "kit-carson-stronger",
    "Card #55 step 3: Military Points (%(military)s) are greater than Enemy Morale (%(morale)s).",
)
NOT_STRONGER = message(
    "kit-carson-not-stronger",
    "Card #55 step 3: Military Points (%(military)s) are not greater than Enemy Morale (%(morale)s), so the United States sends its ultimatum.",
    whole=True,
)
ULTIMATUM = message(
    "kit-carson-ultimatum",
    "The ultimatum: do the Diné (1) strike first in an open war or (2) withdraw to their strongholds?",
)
WAR = message(
    "kit-carson-option-war",
    "(1) War: one Take Actions Operation; it is won if no Fort and no Outpost is then left on the map.",
)
STRONGHOLDS = message("kit-carson-option-strongholds", "(2) Strongholds: the Kit Carson Campaign follows.")
AT_WAR = message(
    "kit-carson-war", "The Diné strike first: one Take Actions Operation, and the game ends after it."
)
WITHDRAWN = message("kit-carson-strongholds", "The Diné withdraw to their strongholds.")
ENEMY_GONE = message(
    "kit-carson-enemy-gone", "The war is won: neither a Fort nor an Outpost is left on the map."
)
ENEMY_STAYS = message(
    "kit-carson-enemy-stays",
    "The war is lost. Number of Forts left on the map: %(forts)s; of Outposts: %(outposts)s.",
)


def military_against_morale(at: Board, _noted: KitCarsonMemory) -> Board:
    """More Military Points than Enemy Morale win at once."""
    military, morale = must_know(at.military), must_know(at.track("enemy_morale"))
    shown = {"military": military, "morale": morale}
    if military > morale:
        rule = "nw:6.2.3.s3.major-victory"
        return ends(at.tell(STRONGER, rule, **shown), "major-victory", rule)
    return at.tell(NOT_STRONGER, "nw:6.2.3.s3.ultimatum", **shown)


def ask_ultimatum(_: Board, _noted: KitCarsonMemory) -> Question:
    """Option 1 or option 2."""
    return ask(ULTIMATUM, Choose((Option("war", WAR), Option("strongholds", STRONGHOLDS))))


def answer_ultimatum(
    at: Board, _noted: KitCarsonMemory, chosen: Literal["war", "strongholds"]
) -> tuple[Board, Where]:
    """All or nothing, or steps 4 to 9."""
    if chosen == "war":
        return at, "war"
    return at.tell(WITHDRAWN, "nw:6.2.3.s3.strongholds"), "campaign"


def war(at: Board, _noted: KitCarsonMemory) -> tuple[Board, Where]:
    """One Take Actions Operation."""
    return at.tell(AT_WAR, "nw:6.2.3.s3.war"), call("take-actions")


def war_over(at: Board, _noted: KitCarsonMemory) -> Board:
    """Whoever has driven out the Enemy wins everything, anybody else loses everything."""
    rule = "nw:6.2.3.s3.war"
    forts, outposts = forts_on_map(at), outposts_on_map(at)
    if not forts + outposts:
        return ends(at.tell(ENEMY_GONE, rule), "major-victory", rule)
    return ends(at.tell(ENEMY_STAYS, rule, forts=forts, outposts=outposts), "major-defeat", rule)


# -- step 4: the Kit Carson Campaign -----------------------------------------------------------------

RAIDS = message(
    "kit-carson-raids",
    "Kit Carson Campaign: a Tribal Raid with one counter against the Territory %(territory)s.",
)
NO_MORE_RAIDS = message(
    "kit-carson-raids-over",
    "Kit Carson Campaign: no Territory with Families is left to raid.",
    tells="ritual",
)


def campaign(at: Board, noted: KitCarsonMemory) -> tuple[Board, Where]:
    """One Tribal Raid against each Territory with Families, from the lowest die symbol to the highest."""
    territory = next_target(at, noted.raided)
    if territory is None:
        return at.tell(NO_MORE_RAIDS, "nw:6.2.3.s4.targets"), "military-lost"
    at = set_cards(at, current=CARD).change(tribal_raid_box=0)
    at = at.remember(raided=(*noted.raided, territory))
    rules = "nw:6.2.3.s4.targets", "nw:6.2.3.s4.counters"
    at = at.tell(RAIDS, *rules, territory=TerritoryRef(territory))
    return at, call("tribal-raid", step="placement", territory=territory)


def next_target(at: Board, raided: tuple[Target, ...]) -> str | None:
    """The next Territory after those raided with a Family in an Area; Canyon de Chelly has no die symbol."""
    last = max((DIE_SYMBOL.index(territory) for territory in raided), default=-1)
    there = {territory_of(place) for place in (must_know(one.at) for one in at.families()) if is_area(place)}
    return next((territory for territory in DIE_SYMBOL[last + 1 :] if territory in there), None)


# -- step 5: Military Points -------------------------------------------------------------------------

COUNTERS_THERE = message(
    "kit-carson-counters",
    "Card #55 step 5: lose 1 Military Point for each counter in the Passage of Time Box (%(count)s).",
)
FIGHTING_ON = message(
    "kit-carson-fighting-on", "Card #55 step 5: Military Points are at %(have)s; go on with step 6."
)
FIGHTING_OVER = message(
    "kit-carson-fighting-over",
    "Card #55 step 5: no Military Points are left, and Culture Points are at %(culture)s.",
    whole=True,
)


def military_lost(at: Board, _noted: KitCarsonMemory) -> Board:
    """1 Military Point for each counter in the Passage of Time Box; at 0 the game is lost."""
    rule = "nw:6.2.3.s5.mil-loss"
    count = must_know(total(in_passage_box(at, *POPULATION, *ANIMALS)))
    at = at.tell(COUNTERS_THERE, rule, count=count)
    at = change_track(at, "military", -count, rule) if count else at
    have = must_know(at.military)
    if have:
        return at.tell(FIGHTING_ON, "nw:6.2.3.s5.go-on", have=have)
    result: Result = "minor-defeat" if must_know(at.culture) else "major-defeat"
    rule = f"nw:6.2.3.s5.{result}"
    return ends(at.tell(FIGHTING_OVER, rule, culture=at.culture), result, rule)


# -- steps 6 and 7: the Families at large ------------------------------------------------------------

AT_LARGE = message(
    "kit-carson-at-large",
    "Card #55 step 6: Enemy Morale falls by 1 for each Family outside Canyon de Chelly that is not in a Caught Box (%(count)s).",
)
MORALE_GONE = message("kit-carson-morale-gone", "Card #55 step 6: Enemy Morale is at 0.")
COMPARED = message(
    "kit-carson-compared",
    "Card #55 step 7: the number of Families in Areas outside Canyon de Chelly is %(count)s, Enemy Morale is %(morale)s. %(so)s",
)
MORE_FAMILIES = act("kit-carson.more-families", "The Families outnumber it.")
NOT_MORE_FAMILIES = act(
    "kit-carson.not-more-families", "The Families do not outnumber it: go on with step 8."
)


def outside_canyon(at: Board) -> list[Family]:
    """The Families outside Canyon de Chelly that are not in a Caught Box; an Escape Box is no prison."""
    places = {family.letter: must_know(family.at) for family in at.families()}
    free = [letter for letter, place in places.items() if not place.endswith("-caught")]
    return [at.family(letter) for letter in free if not at.in_canyon(places[letter])]


def morale_lost(at: Board, _noted: KitCarsonMemory) -> Board:
    """1 Enemy Morale for each Family at large; at 0 the Enemy gives up."""
    rule, count = "nw:6.2.3.s6.morale-loss", len(outside_canyon(at))
    must_know(at.track("enemy_morale"))
    at = at.tell(AT_LARGE, rule, count=count)
    at = change_track(at, "enemy_morale", -count, rule) if count else at
    if at.track("enemy_morale") == 0:
        rule = "nw:6.2.3.s6.minor-victory"
        return ends(at.tell(MORALE_GONE, rule), "minor-victory", rule)
    return at


def families_against_morale(at: Board, _noted: KitCarsonMemory) -> Board:
    """More Families in Areas than Enemy Morale win."""
    rule, morale = "nw:6.2.3.s7.compare", must_know(at.track("enemy_morale"))
    count = sum(is_area(family.at) for family in outside_canyon(at))
    more = morale < count
    at = at.tell(COMPARED, rule, count=count, morale=morale, so=MORE_FAMILIES if more else NOT_MORE_FAMILIES)
    return ends(at, "minor-victory", rule) if more else at


# -- steps 8 and 9: into the Canyon, and the end -----------------------------------------------------

NOBODY_IN_CANYON = message(
    "kit-carson-nobody-in-canyon", "Card #55 step 8: there is no Family in Canyon de Chelly."
)
CANYON_FAMILY_LOST = message(
    "kit-carson-canyon-family",
    "Card #55 step 8: the population counters of Family %(family)s in Canyon de Chelly (%(count)s) go to the Out of Play Box.",
)
LAST_COUNT = message(
    "kit-carson-last-count",
    "Card #55 step 9: Culture Points are at %(culture)s, Military Points at %(military)s. %(so)s",
)
SOMETHING_LEFT = act(
    "kit-carson.something-left", "Something is left, and that is enough for a Minor Victory."
)
NO_POINT_LEFT = act("kit-carson.nothing-left", "Nothing is left.")
AUTOMATIC_DEFEAT = act(
    "kit-carson.automatic-defeat", "Nothing is left, and by the reading chosen here 12.1 applies."
)


def into_the_canyon(at: Board, _noted: KitCarsonMemory) -> Board:
    """Every population counter in Canyon de Chelly is lost, and 1 Culture Point for each."""
    rule = "nw:6.2.3.s8.canyon"
    there = [family for family in at.families() if at.in_canyon(must_know(family.at))]
    members = {
        family.letter: [kind for kind in MEMBERS if must_know(getattr(family, kind))] for family in there
    }
    if not members:
        return at.tell(NOBODY_IN_CANYON, rule)
    for letter, lost in members.items():
        at = at.set_family(letter, **dict.fromkeys(lost, False))
        at = at.tell(CANYON_FAMILY_LOST, rule, family=letter, count=len(lost))
    lost_in_all = sum(map(len, members.values()))
    at = change_track(at, "culture", -lost_in_all, rule) if lost_in_all else at
    for letter in members:
        at = dissolve_without_adult(at, letter)
    return at


def last_count(at: Board, _noted: KitCarsonMemory) -> Board:
    """Anything left is a Minor Victory; nothing is a Minor Defeat, unless 12.1 is read to apply here too (C60)."""
    rule = "nw:6.2.3.s9.final"
    points = {"culture": must_know(at.culture), "military": must_know(at.military)}
    if not must_know(without_points(at)):
        return ends(at.tell(LAST_COUNT, rule, **points, so=SOMETHING_LEFT), "minor-victory", rule)
    if at.choice("kit-carson-nothing-left") == "major-defeat":
        return ends(at.tell(LAST_COUNT, rule, **points, so=AUTOMATIC_DEFEAT), "major-defeat", "nw:12.1.when")
    return ends(at.tell(LAST_COUNT, rule, **points, so=NO_POINT_LEFT), "minor-defeat", rule)


KIT_CARSON = procedure(
    "kit-carson",
    KitCarsonMemory,
    part("s1", "1. Passage of Time"),
    automatic("passage-of-time", "nw:6.2.3.s1.passage", passage_of_time, title="Time passes"),
    part("s2", "2. Victory Check"),
    automatic(
        "victory-check", "nw:6.2.3.s2.victory-check-15", victory_check, title="A Victory Check with 15 VP"
    ),
    automatic(
        "defeat",
        "nw:6.2.3.s2.defeat",
        defeat,
        goes=("military-against-morale", OVER),
        title="Is nothing left?",
    ),
    part("s3", "3. Victory or ultimatum"),
    automatic(
        "military-against-morale",
        "nw:6.2.3.s3.major-victory",
        military_against_morale,
        goes=("ultimatum", OVER),
        title="Military Points against Enemy Morale",
    ),
    decision(
        "ultimatum",
        "nw:6.2.3.s3.ultimatum",
        ask_ultimatum,
        answer_ultimatum,
        goes=("war", "campaign"),
        title="War or strongholds",
    ),
    automatic("war", "nw:6.2.3.s3.war", war, title="War: one Take Actions Operation"),
    automatic("war-over", "nw:6.2.3.s3.war", war_over, goes=(OVER,), title="Has the Enemy been driven out?"),
    part("s4", "4. Kit Carson Campaign"),
    automatic(
        "campaign",
        "nw:6.2.3.s4.targets",
        campaign,
        then="campaign",
        goes=("campaign", "military-lost"),
        title="A Tribal Raid on the next Territory",
    ),
    part("s5", "5. Military Points"),
    automatic(
        "military-lost",
        "nw:6.2.3.s5.mil-loss",
        military_lost,
        goes=("morale-lost", OVER),
        title="Military Points are lost",
    ),
    part("s6", "6. Enemy Morale"),
    automatic(
        "morale-lost",
        "nw:6.2.3.s6.morale-loss",
        morale_lost,
        goes=("families-against-morale", OVER),
        title="Families at large lower Enemy Morale",
    ),
    part("s7", "7. Families against Enemy Morale"),
    automatic(
        "families-against-morale",
        "nw:6.2.3.s7.compare",
        families_against_morale,
        goes=("into-the-canyon", OVER),
        title="Families in Areas against Enemy Morale",
    ),
    part("s8", "8. Canyon de Chelly"),
    automatic(
        "into-the-canyon",
        "nw:6.2.3.s8.canyon",
        into_the_canyon,
        title="Families in Canyon de Chelly are lost",
    ),
    part("s9", "9. The end"),
    automatic("last-count", "nw:6.2.3.s9.final", last_count, goes=(OVER,), title="The last count"),
    title="Kit Carson, card #55",
    renamed={"next-territory": "campaign"},
)
