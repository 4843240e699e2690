"""The Enemy Raid Flowchart (4.2.8), box Raid Ends: its five steps in order."""

from __future__ import annotations

from engine.messages import message
from engine.navajo_wars.board import Board, Family
from engine.navajo_wars.consequences import change_track, is_without_adult
from engine.navajo_wars.map import CANYON, is_area, track
from engine.navajo_wars.outposts import (
    DIE_SYMBOL,
    has_type,
    known_left,
    left_question,
    outpost_type,
    place_outpost,
    territories_of,
)
from engine.navajo_wars.raid_memory import EnemyRaidMemory
from engine.navajo_wars.raid_placement import is_visible
from engine.navajo_wars.raid_resolution import in_boxes, next_return, remove_without_adult
from engine.navajo_wars.santa_fe import in_santa_fe, raid_counters
from engine.questions import Question, known
from engine.tables import Where, call
from engine.verdict import must_know

END_NO_OUTPOST_LEFT = message(
    "raid-end-no-outpost-left",
    "Raid Ends, step 1: no Outpost of the current Period is left to be placed. Number of Territories that get none: %(count)s.",
)
END_BUILD = message(
    "raid-end-build",
    "Raid Ends, step 1: no Raid counter was ever placed in an Area with a Family, so Build is carried out.",
)
END_BUILD_NOBODY_NOW = message(
    "raid-end-build-nobody-there-now",
    "Raid Ends, step 1: no Raid counter is now in an Area with a Family, so by the reading chosen here Build is carried out.",
    was="raid-end-build",
)
END_SUBVERT = message(
    "raid-end-subvert",
    "Raid Ends, step 2: the Raid counters left in Santa Fé (%(count)s) are flipped and spent on Subvert.",
)
END_CLEARED = message(
    "raid-end-cleared",
    "Raid Ends, step 3: all Raid counters go to the Enemy Out of Play Box, all Harass counters to the Out of "
    "Play Box.",
    tells="detail",
)
END_NOBODY_CAUGHT = message(
    "raid-end-nobody-caught",
    "Raid Ends, step 4: no Family is in a Caught Box (Enemy Morale -1, not below 0).",
    outcome=True,
)
END_CAUGHT = message(
    "raid-end-caught",
    "Raid Ends, step 4: %(count)s Families are in Caught Boxes (Enemy Morale +%(count)s).",
    outcome=True,
    one=("count", "Raid Ends, step 4: %(count)s Family is in a Caught Box (Enemy Morale +%(count)s)."),
)


def ask_outposts_left(at: Board, _noted: EnemyRaidMemory) -> Question:
    """How many Outposts are left, if a Territory gets one at all."""
    kind = outpost_type(at)
    if not entitled(at):
        return known(0)
    left = known_left(at, kind)
    return left_question(at, kind) if left is None else known(left)


def entitled(at: Board) -> list[str]:
    """The Territories that get an Outpost: raided, without a Family and without an Outpost of that type."""
    seen = [must_know(family.at) for family in at.families() if not at_fort(at, family)]
    held, kind = territories_of(seen), outpost_type(at)
    raided = territories_of(at.areas_with("raid"))
    empty = [one for one in (*DIE_SYMBOL, CANYON) if one in raided and one not in held]
    return [one for one in empty if not has_type(at, one, kind) and is_raided(at, one)]


def at_fort(at: Board, family: Family) -> bool:
    """Is this Family in the same Area as a Fort, and so not there for the Raid?"""
    return is_area(must_know(family.at)) and not must_know(is_visible(at, family))


def is_raided(at: Board, territory: str) -> bool:
    """Is a Raid counter on this Territory's Area Track, or in its Area #1 only (C20)?"""
    raided = [area for area in track(territory) if at.counters(area, "raid")]
    if not raided or f"{territory}-1" in raided:
        return bool(raided)
    return at.choice("raid-end-outposts") == "anywhere-in-territory"


def end_outposts(at: Board, _noted: EnemyRaidMemory, left: int) -> Board:
    """Step 1: Outposts, by die symbol and Canyon de Chelly last, as long as there are any (C22)."""
    territories = entitled(at)
    for territory in territories[:left]:
        rule = "nw:enemy-raid.end1-outposts"
        canyon = ("nw:13.canyon.no-outpost",) if territory == CANYON else ()
        at = place_outpost(at, territory, rule, rule, *canyon)
    if territories[left:]:
        at = at.tell(END_NO_OUTPOST_LEFT, "nw:enemy-raid.end1-no-subvert", count=len(territories[left:]))
    return at


def end_build(at: Board, noted: EnemyRaidMemory) -> tuple[Board, Where | None]:
    """Step 1: a Raid that found nobody builds (C21)."""
    if not missed_everyone(at, noted):
        return at, None
    said = END_BUILD_NOBODY_NOW if must_know(noted.found_a_family) else END_BUILD
    at = at.tell(said, "nw:enemy-raid.end1-build")
    return at, call("instruction", step="build", name="build", ap=0, never_subvert=True)


def missed_everyone(at: Board, noted: EnemyRaidMemory) -> bool:
    """Was no Raid counter ever placed in an Area with a Family?"""
    if not must_know(noted.found_a_family):
        return True
    if any(at.counters(family.at, "raid") for family in at.families() if is_visible(at, family)):
        return False
    return at.choice("raid-end-build") == "none-there-now"


def end_subvert(at: Board, _noted: EnemyRaidMemory) -> tuple[Board, Where | None]:
    """Step 2: what is left in Santa Fé is spent on Subvert."""
    left = raid_counters(at)
    if not left:
        return at, None
    at = in_santa_fe(at, 0).tell(END_SUBVERT, "nw:enemy-raid.end2-subvert", count=left)
    return at, call("instruction", step="subvert", name="subvert", ap=left)


def end_clear(at: Board, _noted: EnemyRaidMemory) -> Board:
    """Step 3: Raid and Harass counters leave all Areas."""
    for area in at.areas_with("raid", "harass"):
        at = at.set_area(area, raid=0, harass=False)
    rules = (
        "nw:enemy-raid.end3-clear",
        "nw:4.2.8.return",
        "nw:1.6.1.harass-counter",
        "nw:13.remove-from-play",
    )
    return at.tell(END_CLEARED, *rules)


def end_morale(at: Board, _noted: EnemyRaidMemory) -> Board:
    """Step 4: Enemy Morale by the Families in Caught Boxes."""
    rule = "nw:enemy-raid.end4-morale"
    caught = sum(must_know(family.at).endswith("-caught") for family in at.families())
    at = at.tell(END_CAUGHT, rule, count=caught) if caught else at.tell(END_NOBODY_CAUGHT, rule)
    return change_track(at, "enemy_morale", caught or -1, rule)


def end_return(at: Board, _noted: EnemyRaidMemory) -> tuple[Board, Where]:
    """Step 5: caught and escaped Families return, and Families left without adults leave the map (C24)."""
    after, where = next_return(at, in_boxes(at), "nw:enemy-raid.end5-remove")
    if where == "return-area":
        return after, where
    for family in after.families():
        if is_without_adult(family):
            after = remove_without_adult(after, family.letter, "nw:enemy-raid.end5-remove")
    return after, where
