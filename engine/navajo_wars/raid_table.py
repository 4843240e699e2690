"""The Raid Table: what 3.2.5 and 3.2.6 have in common. Who may raid, the cubes, their results, a forced Battle."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar, Literal

from engine.exceptions import Refused
from engine.memory import NOT_NOTED, Memory, Noted
from engine.messages import Message, Term, message, question, requirement
from engine.navajo_wars.battle import BATTLE, can_fight, why_no_battle
from engine.navajo_wars.board import Board, Family
from engine.navajo_wars.components import Changes, RaidResult
from engine.navajo_wars.consequences import still_in_play
from engine.navajo_wars.cubes import CUBE_TERM, cubes_of, doubt_pool, drawn_blind, move_cube, shift_cubes
from engine.navajo_wars.position import Colour, FamilyLetter
from engine.navajo_wars.printed import BY_HAND, NONE, always_so, apply_printed
from engine.questions import Choose, Option, Question, Read, ask, known
from engine.tables import Call, call
from engine.verdict import Check, every, must_know, needs, refuted

ReadResult = RaidResult | Literal["by-hand", "none"]

# -- who may raid ------------------------------------------------------------------------------------

RAID_NO_MAN = requirement(
    "raid-without-man",
    "Only a Family with a man can raid; there is no man in the Family Box of Family %(family)s.",
    met="Family %(family)s has a man, as a Raid requires.",
)
RAID_NO_MILITARY = requirement(
    "raid-without-military",
    "A Raid needs at least 1 Military Point; your Military Points are at %(have)s.",
    met="Military Points: %(have)s, and a Raid needs at least 1.",
)


def may_raid(at: Board, family: Family, rule: str) -> Iterator[Check]:
    """A man in the Family, and at least 1 Military Point."""
    yield needs(family.man, RAID_NO_MAN, rule, pointer=f"{family.pointer}/man", family=family.letter)
    yield needs(
        at.military > 0,
        RAID_NO_MILITARY,
        rule,
        "nw:1.7.4.military-zero-bars",
        pointer="/tracks/military",
        have=at.military,
    )


# -- a cube ------------------------------------------------------------------------------------------

RAID_DRAW = message("raid-draw", "The Raid of Family %(family)s: draw a cube from the Raid Pool.")
RAID_CUBE = message("raid-cube-drawn", "A %(cube)s is drawn; it goes to the Raided Cubes Box.")
RAID_POOL_EMPTY = message(
    "raid-pool-empty", "The Raid Pool is empty: no cube is drawn, and the Raid is over."
)
CUBE_NOT_THERE = requirement(
    "raid-cube-not-there",
    "The %(cube)s drawn last is not in the Raided Cubes Box: correct the position.",
    met="The %(cube)s drawn last is in the Raided Cubes Box.",
)
WHO_RAIDS = message("raid-who", "Which Family is raiding?")
WHICH_CUBE = message("raid-which-cube", "Which cube has been drawn last from the Raid Pool?")

NO_CUBE = "none"


class RaidMemory(Memory, frozen=True):
    """Who raids, and the cube drawn last."""

    questions: ClassVar[dict[str, Message]] = {"family": WHO_RAIDS, "colour": WHICH_CUBE}

    family: Noted[FamilyLetter] = NOT_NOTED
    colour: Noted[Colour] = NOT_NOTED


def ask_cube(at: Board, noted: RaidMemory) -> Question:
    """A blind draw; nothing is asked of an empty Raid Pool."""
    draw, letter = drawn_blind(at), must_know(noted.family)
    return known(NO_CUBE) if draw is None else ask(RAID_DRAW, draw, family=letter)


def take_cube(at: Board, colour: str, rule: str) -> Board:
    """The cube goes to the Raided Cubes Box, unless the Raid Table sends it elsewhere."""
    at = move_cube(doubt_pool(at, colour), colour, "raid_pool", "raided_cubes").remember(colour=colour)
    return at.tell(RAID_CUBE, rule, "nw:1.7.3.raided-box", cube=CUBE_TERM[colour])


def take_back_cube(at: Board, colour: Colour, rule: str) -> Board:
    """The cube drawn last, taken out of the Raided Cubes Box again."""
    if refuted(cubes_of(at, "raided_cubes", colour) > 0):
        missing = needs(False, CUBE_NOT_THERE, rule, pointer="/raided_cubes", cube=CUBE_TERM[colour])
        raise Refused(missing)
    return shift_cubes(at, "raided_cubes", colour, -1)


# -- what it brings ----------------------------------------------------------------------------------

READ_NEW_MEXICO = question(
    "raid-read-new-mexico",
    "What does the Raid Table print in the New Mexico column for the %(cube)s drawn?",
    lead="Look at the Raid Table, column New Mexico, for the %(cube)s drawn.",
)
READ_OUTPOST = question(
    "raid-read-outpost",
    "What does the Raid Table print in the Outpost or Fort column for the %(cube)s drawn?",
    lead="Look at the Raid Table, column Outpost or Fort, for the %(cube)s drawn.",
)
RAID_NOTHING = message("raid-nothing", "The Raid Table prints no effect for this cube.")
RAID_BY_HAND = message("raid-by-hand", "The rest of the Raid was played by hand; with that it is over.")
CUBE_ELSEWHERE = message(
    "raid-cube-elsewhere",
    "According to the Raid Table, the %(cube)s goes from the Raided Cubes Box to the %(box)s.",
    tells="detail",
)
CUBE_OUT_OF_PLAY = message(
    "raid-cube-out-of-play",
    "According to the Raid Table, the %(cube)s goes from the Raided Cubes Box out of play.",
    tells="detail",
)


def ask_raid_result(at: Board, noted: RaidMemory, column: Literal["new_mexico", "outpost"]) -> Question:
    """The cell of the Raid Table, looked up where the table is given, read off otherwise."""
    colour = must_know(noted.colour)
    printed = getattr(at.components.raid_table, column).get(colour)
    if printed is not None:
        return known(printed)
    said = READ_NEW_MEXICO if column == "new_mexico" else READ_OUTPOST
    place = f"/components/raid_table/{column}/{colour}"
    return ask(said, Read(ReadResult, place=place, states=cell), cube=CUBE_TERM[colour])


def cell(read: ReadResult) -> RaidResult | None:
    """What the table prints for a cube every time; None where it was done by hand, or to what was there."""
    if read == NONE:
        return RaidResult()
    if not isinstance(read, RaidResult) or always_so(Changes(read.changes)) is None:
        return None
    return read


def apply_raid_result(
    at: Board, noted: RaidMemory, read: ReadResult, rule: str
) -> tuple[Board, RaidResult | None]:
    """Carry out what is printed but damage, Battle and end; None if the player did everything by hand."""
    letter = must_know(noted.family)
    if read == NONE:
        return at.tell(RAID_NOTHING, rule), RaidResult()
    if not isinstance(read, RaidResult):
        at = apply_printed(at, BY_HAND, rule, letter).forget("passage_of_time")
        return at.tell(RAID_BY_HAND, rule), None
    at = apply_printed(at, Changes(read.changes), rule, letter)
    return (at if read.cube == "raided_cubes" else _place_cube(at, noted, read.cube, rule)), read


def _place_cube(at: Board, noted: RaidMemory, goal: str, rule: str) -> Board:
    colour: Colour = must_know(noted.colour)
    at = take_back_cube(at, colour, rule)
    if goal == "out_of_play":
        return at.tell(CUBE_OUT_OF_PLAY, rule, cube=CUBE_TERM[colour])
    at = shift_cubes(at, goal, colour, +1)
    return at.tell(CUBE_ELSEWHERE, rule, cube=CUBE_TERM[colour], box=Term(f"nw.box.{goal}"))


# -- a forced Battle, and the end --------------------------------------------------------------------

RAID_BATTLE = question(
    "raid-battle",
    "Does Family %(family)s use a Firearms counter in the Battle?",
    lead="The Raid Table forces Family %(family)s into a Battle.",
    hint="If the Resources Box holds a horse and Family %(family)s has none, it can be put into its Family Box before you answer.",
)
WITHOUT_FIREARMS = message("raid-battle-plain", "Fight without Firearms")
WITH_FIREARMS = message("raid-battle-firearms", "Fight with Firearms")
FORCED = message("raid-battle-forced", "Family %(family)s is forced into a Battle.")
NO_BATTLE = message(
    "raid-battle-not-possible",
    "Family %(family)s cannot fight a Battle any more: %(why)s.",
)
RAID_OVER = message("raid-over", "The Raid of Family %(family)s is over.")


def ask_forced_battle(at: Board, noted: RaidMemory) -> Question:
    """With or without Firearms; not asked where there are none, or where no Battle is possible."""
    family = at.family(noted.family)
    if refuted(family.in_play) or refuted(every(check.holds for check in can_fight(at, family))):
        return known("none")
    if at.resource("firearms") == 0:
        return known("battle")
    options = (Option("battle", WITHOUT_FIREARMS), Option("firearms", WITH_FIREARMS))
    return ask(RAID_BATTLE, Choose(options), family=family.letter)


def fight_forced_battle(at: Board, noted: RaidMemory, chosen: str) -> tuple[Board, Call | None]:
    """The Battle of section 11 against the Enemy; with it the Raid is over."""
    letter = must_know(noted.family)
    if chosen == "none":
        why = why_no_battle(at, letter)
        return at.tell(NO_BATTLE, "nw:11.1.man", "nw:11.1.military", family=letter, why=why), None
    for check in can_fight(at, at.family(letter)):
        must_know(check.holds)
    if chosen == "firearms":
        must_know(at.resource("firearms"))
    at = at.tell(FORCED, "nw:11.1.forced-by-raid", family=letter)
    return at, call(BATTLE, family=letter, enemy="enemy", firearms=chosen == "firearms")


def raid_over(at: Board, noted: RaidMemory, *rules: str) -> Board:
    """Back to the Family's activation, if it is still in play."""
    letter = must_know(noted.family)
    return still_in_play(at.tell(RAID_OVER, "nw:3.2.any-mix", *rules, family=letter), letter)
