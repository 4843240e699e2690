"""Section 4.2: the Instructions that move cubes or roll for captives: Colonize, Slaves, Subjugate."""

from __future__ import annotations

from typing import Any

from engine.chance import Die
from engine.messages import message, question
from engine.navajo_wars.board import Board, Family
from engine.navajo_wars.components import Changes
from engine.navajo_wars.consequences import dissolve_without_adult
from engine.navajo_wars.cubes import (
    CUBE_TERM,
    colours_of,
    count,
    cubes_in,
    doubt_pool,
    drawn_blind,
    move_cube,
    red_cubes,
    shift_cubes,
)
from engine.navajo_wars.instruction_memory import InstructionMemory, treat_as
from engine.navajo_wars.map import TerritoryRef, is_area, territory_of
from engine.navajo_wars.outposts import outposts_on_map, territory_of_die
from engine.navajo_wars.printed import PrintedEffect, always_so, apply_printed
from engine.navajo_wars.raid_resolution import POPULATION_TERM
from engine.questions import Choose, Option, Question, Read, ask, known
from engine.tables import Where
from engine.verdict import certain, must_know

# -- 4.2.3: Colonize ---------------------------------------------------------------------------------

COLONIZE_AS_EXPAND = message(
    "colonize-as-expand", "There is no cube in the Raided Cubes Box: treat Colonize as Expand."
)
COLONIZE_AS_BUILD = message(
    "colonize-as-build",
    "There are cubes in the Raided Cubes Box but no Outpost on the map: treat Colonize as Build.",
)
COLONIZE_CUBE = question(
    "colonize-which-cube",
    "Colonize: which cube slides from the Raided Cubes Box to the Recovery Box?",
    hint="Cubes still to slide: %(left)s.",
)
THIS_CUBE = message("this-cube", "%(cube)s")
CUBE_SLIDES = message(
    "colonize-cube-slides", "A %(cube)s slides from the Raided Cubes Box to the Recovery Box."
)


def colonize(at: Board, noted: InstructionMemory) -> tuple[Board, Where]:
    """Without cubes it is Expand, without Outposts Build; otherwise a cube slides for each AP."""
    cubes = must_know(cubes_in(at, "raided_cubes"))
    if not count(cubes):
        return treat_as(at, noted, "expand", COLONIZE_AS_EXPAND, "nw:4.2.3.no-cubes")
    if not outposts_on_map(at):
        return treat_as(at, noted, "build", COLONIZE_AS_BUILD, "nw:4.2.3.no-outpost")
    return at.remember(left=min(must_know(noted.ap), count(cubes))), "colonize-cube"


def ask_colonize_cube(at: Board, noted: InstructionMemory) -> Question:
    """Which cube is next, while some stay; nobody says who chooses, so the player does."""
    left, cubes = must_know(noted.left), must_know(cubes_in(at, "raided_cubes"))
    colours = tuple(colours_of(cubes))
    if not left or not colours:
        return known("none")
    if left >= count(cubes):
        return known(colours[0])
    options = tuple(Option(colour, THIS_CUBE, {"cube": CUBE_TERM[colour]}) for colour in colours)
    return ask(COLONIZE_CUBE, Choose(options), left=left)


def colonize_cube(at: Board, noted: InstructionMemory, colour: str) -> tuple[Board, Where]:
    """One cube slides to the Recovery Box; this is no Cube Reset."""
    if colour == "none":
        return at, "done"
    at = move_cube(at, colour, "raided_cubes", "recovery").remember(left=must_know(noted.left) - 1)
    return at.tell(CUBE_SLIDES, "nw:4.2.3.shift", cube=CUBE_TERM[colour]), "colonize-cube"


# -- 4.2.9: Slaves -----------------------------------------------------------------------------------

SLAVES_ROLL = message("slaves-roll", "Slaves: roll a die for the Territory.")
SLAVES_TERRITORY = message(
    "slaves-territory", "Slaves: the die shows %(die)s, the Territory %(territory)s.", tells="detail"
)
CAPTIVE = message(
    "slaves-captive",
    "Slaves: Family %(family)s loses a population counter (%(population)s) to the Out of Play Box.",
)
CAPTIVE_FROM_BOX = message(
    "slaves-captive-from-box",
    "Slaves: a population counter (%(population)s) goes from the Passage of Time Box to the Out of Play Box.",
)
SLAVES_NOBODY = message(
    "slaves-nobody", "Slaves: there is no child and no woman to take, so nothing happens."
)
FORT_PROTECTS_FAMILY = message(
    "slaves-fort-protects",
    "Family %(family)s is in the same Area as a Fort and is therefore immune to Slaves.",
)


def ask_slaves_roll(_at: Board, _noted: InstructionMemory) -> Question:
    """The die that picks the Territory."""
    return ask(SLAVES_ROLL, Die())


def slaves(at: Board, _noted: InstructionMemory, die: int) -> Board:
    """A child, or else a woman, of a Family in the Territory; or else from the Passage of Time Box."""
    territory = territory_of_die(die)
    rule = "nw:4.2.9.child"
    at = at.tell(SLAVES_TERRITORY, rule, die=die, territory=TerritoryRef(territory))
    there: list[Family] = []
    for family in at.families():
        if territory_of(must_know(family.at)) != territory:
            continue
        if is_area(family.at) and at.has_fort(family.at):
            at = at.tell(FORT_PROTECTS_FAMILY, "nw:13.forts.immunity", family=family.letter)
        else:
            there.append(family)
    for kind, cites in (("child", "nw:4.2.9.child"), ("woman", "nw:4.2.9.woman")):
        for place, family in enumerate(there):
            if must_know(getattr(family, kind)):
                others = any(certain(getattr(other, kind)) for other in there[place + 1 :])
                first = ("nw:1.5.1.alphabetical", "nw:13.alphabetic") if others else ()
                return take_captive(at, family.letter, kind, cites, *first)
    return take_from_box(at)


def take_captive(at: Board, letter: str, kind: str, *rules: str) -> Board:
    """The captive leaves play; a Family without adults dissolves."""
    if kind == "woman":
        must_know(at.family(letter).man)
    at = at.set_family(letter, **{kind: False})
    at = at.tell(CAPTIVE, *rules, family=letter, population=POPULATION_TERM[kind])
    return dissolve_without_adult(at, letter)


def take_from_box(at: Board) -> Board:
    """A child, or else a woman, from the Passage of Time Box."""
    for kind in ("child", "woman"):
        held = must_know(at.in_passage(kind))
        if held:
            at = at.set_passage(kind, held - 1)
            return at.tell(CAPTIVE_FROM_BOX, "nw:4.2.9.pot", population=POPULATION_TERM[kind])
    return at.tell(SLAVES_NOBODY, "nw:4.2.9.pot")


# -- 4.2.10: Subjugate -------------------------------------------------------------------------------

SUBJUGATE_NO_AP = message("subjugate-no-ap", "Subjugate with 0 APs: no cube is drawn; no effect.")
SUBJUGATE_DRAW = question(
    "subjugate-draw",
    "Subjugate: draw a cube from the Raid Pool.",
    hint="Cubes to draw, this one included: %(left)s.",
)
POOL_EMPTY = message("subjugate-pool-empty", "The Raid Pool is empty: no more cubes are drawn.")
CUBE_DRAWN = message("subjugate-cube-drawn", "A %(cube)s is drawn and set aside.", tells="detail")
CUBES_PLACED = message(
    "subjugate-cubes-placed",
    "The red cubes drawn for Subjugate (%(red)s) go to the Subjugation of New Mexico Box, the others (%(other)s) to the Recovery Box.",
)
READ_SUBJUGATION = question(
    "subjugation-table",
    "What does the Subjugation of New Mexico table print?",
    lead="Look at the Subjugation of New Mexico table. Red cubes placed now: %(placed)s; red cubes in the box: %(red)s.",
)


def subjugate(at: Board, noted: InstructionMemory) -> tuple[Board, Where]:
    """One draw for each AP spent."""
    ap = must_know(noted.ap)
    if not ap:
        return at.tell(SUBJUGATE_NO_AP, "nw:4.treat-as.ap"), "done"
    return at.remember(left=ap, drawn=()), "subjugate-draw"


def ask_subjugate_draw(at: Board, noted: InstructionMemory) -> Question:
    """The next cube, drawn blind; nothing is asked of an empty Raid Pool."""
    left = must_know(noted.left)
    draw = drawn_blind(at) if left else None
    return known("none") if draw is None else ask(SUBJUGATE_DRAW, draw, left=left)


def draw_cube(at: Board, noted: InstructionMemory, colour: str) -> tuple[Board, Where]:
    """Set the cube aside until the last one is drawn."""
    if colour == "none":
        stopped = must_know(noted.left)
        return (at.tell(POOL_EMPTY, "nw:1.9.bag-empty") if stopped else at), "subjugate-place"
    at = shift_cubes(doubt_pool(at, colour), "raid_pool", colour, -1)
    at = at.remember(drawn=(*noted.drawn, colour), left=must_know(noted.left) - 1)
    return at.tell(CUBE_DRAWN, "nw:4.2.10.draw", cube=CUBE_TERM[colour]), "subjugate-draw"


def place_drawn(at: Board, noted: InstructionMemory) -> tuple[Board, Where]:
    """Red cubes to the Subjugation of New Mexico Box, all others to the Recovery Box, green and blue too."""
    drawn = noted.drawn
    for colour in drawn:
        at = shift_cubes(at, "subjugation" if colour == "red" else "recovery", colour, +1)
    red = drawn.count("red")
    rules = ("nw:4.2.10.place", *(("nw:1.7.3.subj-box",) if red else ()))
    at = at.remember(red=red, drawn=()).tell(CUBES_PLACED, *rules, red=red, other=len(drawn) - red)
    return at, ("subjugation-table" if red else "done")


LAST_ROW = 3  # of the table that the components state


def ask_subjugation_table(at: Board, noted: InstructionMemory) -> Question:
    """What the table prints: as the components state it for one cube, otherwise as the player reads it."""
    placed, red = must_know(noted.red), red_cubes(at)
    printed = at.components.subjugation_table.get(str(red))
    if placed == 1 and printed is not None:
        return known(Changes(printed))
    place = f"/components/subjugation_table/{red}" if placed == 1 and red <= LAST_ROW else ""
    effect = Read(PrintedEffect, place=place, states=always_so)
    return ask(READ_SUBJUGATION, effect, placed=placed, red=red)


def subjugation_table(at: Board, _noted: InstructionMemory, read: Any) -> Board:
    """Apply what the table prints."""
    return apply_printed(at, read, "nw:4.2.10.table")
