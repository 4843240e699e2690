"""Section 4.2: the twelve Enemy Instructions, each with what it is treated as where it cannot be carried out.

Colonize, Slaves and Subjugate stand in instruction_draws.py, Peace and Defend in truces.py.
"""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import UNSET, Struct, UnsetType

from engine.actions import Action
from engine.memory import Memory
from engine.messages import Term, message, requirement
from engine.navajo_wars.board import Board
from engine.navajo_wars.consequences import change_track
from engine.navajo_wars.cubes import red_cubes
from engine.navajo_wars.display import INSTRUCTION_TERM
from engine.navajo_wars.enemy_raid import start_raid
from engine.navajo_wars.instruction_draws import (
    ask_colonize_cube,
    ask_slaves_roll,
    ask_subjugate_draw,
    ask_subjugation_table,
    colonize,
    colonize_cube,
    draw_cube,
    place_drawn,
    slaves,
    subjugate,
    subjugation_table,
    treat_as,
)
from engine.navajo_wars.map import CANYON, PlaceRef, number_of, territory_of, track
from engine.navajo_wars.outposts import (
    DIE_SYMBOL,
    OUTPOST_TERM,
    READ_OUTPOSTS_LEFT,
    corn_goes,
    has_type,
    known_left,
    on_map,
    outpost_type,
    outposts_on_map,
    place_outpost,
)
from engine.navajo_wars.position import Colour, Count, Instruction, InstructionName
from engine.navajo_wars.truces import (
    ASK_OTHER_SIDE,
    FLIPPED,
    FLIPPED_TO_TRUCE,
    TRUCES,
    another_truce,
    defend,
    peace,
)
from engine.questions import Question, Read, ask, known
from engine.tables import Where, automatic, call, chance, decision, end, procedure, reading
from engine.verdict import Caution, Check, Unknown, must_know, needs, unknown


class DoInstruction(Struct, frozen=True, forbid_unknown_fields=True, tag_field="kind", tag="instruction"):
    """The Enemy carries out an Instruction with the APs paid for it."""

    name: InstructionName
    ap: Count
    back: InstructionName | None = None


class InstructionMemory(Memory, frozen=True):
    """Which Instruction is carried out with how many APs, and what its cubes have shown."""

    name: InstructionName | UnsetType = UNSET
    ap: Count | UnsetType = UNSET
    never_subvert: bool = False
    counter: Instruction | UnsetType = UNSET
    became: InstructionName | UnsetType = UNSET
    substitute: bool = False
    left: Count | UnsetType = UNSET
    drawn: tuple[Colour, ...] = ()
    red: Count | UnsetType = UNSET


# -- 4.1: what is paid -------------------------------------------------------------------------------

NOT_PAID = requirement(
    "instruction-not-paid",
    "The Instruction %(instruction)s cannot be paid. APs to be spent: %(need)s; Enemy APs available: %(have)s. It is "
    "not carried out, and the Enemy Instruction Display is reset (step 5).",
    met="Instruction %(instruction)s: APs to be spent: %(need)s; Enemy APs available: %(have)s.",
)
DEFEND_TAKES_ALL = requirement(
    "defend-leaves-ap",
    "Defend spends all available Enemy APs. APs to be spent: %(need)s; APs sent: %(have)s.",
    met="All available Enemy APs are spent on Defend.",
)
TRUCE_WAITS = requirement(
    "truce-in-the-box",
    "Peace or Defend is in the Raided Cubes Box already: the Instruction %(instruction)s cannot be carried out before "
    "that ends (Enemy Operations step 1).",
    met="Neither Peace nor Defend is in the Raided Cubes Box.",
)
DEFEND_NEEDS_AP = requirement(
    "defend-without-ap",
    "Defend spends all available Enemy APs, at least 1; none was paid.",
    met="At least 1 Enemy AP is spent on Defend.",
)


def may_instruct(at: Board, do: DoInstruction) -> Iterator[Check | Caution]:
    """An Instruction must be paid for, where it is told what the Enemy has; Defend takes at least 1 AP."""
    available = at.track("enemy_ap")
    if not isinstance(available, Unknown):
        yield needs(
            available >= do.ap,
            NOT_PAID,
            "nw:4.1.3.short",
            "nw:4.1.2.cost",
            pointer="/tracks/enemy_ap",
            instruction=INSTRUCTION_TERM[do.name],
            need=do.ap,
            have=available,
        )
    if do.name in TRUCES:
        yield from may_make_truce(at, do)


def may_make_truce(at: Board, do: DoInstruction) -> Iterator[Check]:
    """Only one of Peace and Defend at a time; with one Inactive the other side counts; Defend takes every AP."""
    waiting = at.position.raided_box
    if waiting is not UNSET and waiting.instruction is not UNSET:
        yield needs(
            waiting.instruction is None,
            TRUCE_WAITS,
            f"nw:4.s1.{waiting.instruction or do.name}",
            pointer="/raided_box/instruction",
            instruction=INSTRUCTION_TERM[do.name],
        )
    if another_truce(at):
        must_know(unknown("/action/back", ASK_OTHER_SIDE) if do.back is None else do.back)
    elif do.name == "defend":
        rule, available = "nw:4.2.5.execute", at.track("enemy_ap")
        yield needs(do.ap > 0, DEFEND_NEEDS_AP, rule, pointer="/action/ap")
        if not isinstance(available, Unknown):
            params = {"need": available, "have": do.ap}
            yield needs(do.ap >= available, DEFEND_TAKES_ALL, rule, pointer="/action/ap", **params)


def begin_instruction(at: Board, do: DoInstruction) -> tuple[Board, Where | None]:
    """Turn Peace or Defend over if one of them is Inactive, then pay and carry out."""
    if do.name not in TRUCES or not another_truce(at):
        return at, call(INSTRUCTION, name=do.name, ap=do.ap)
    rule = f"nw:4.2.{'7' if do.name == 'peace' else '5'}.flip"
    at = at.tell(FLIPPED, rule, instruction=INSTRUCTION_TERM[do.name])
    if do.back in TRUCES:
        return at.tell(FLIPPED_TO_TRUCE, rule, instruction=INSTRUCTION_TERM[do.back]), None
    return at, call(INSTRUCTION, name=do.back, ap=do.ap)


INSTRUCTION_PAID = message(
    "instruction-paid", "The Enemy carries out the Instruction %(instruction)s; APs spent: %(ap)s."
)


def pay(at: Board) -> tuple[Board, Where]:
    """The APs leave the Enemy APs Available Box; then the Instruction itself."""
    name, ap = must_know(at.recall("name")), must_know(at.recall("ap"))
    build_cost = ("nw:4.2.1.cost",) if name == "build" else ()
    at = at.tell(INSTRUCTION_PAID, "nw:4.1.2.cost", *build_cost, instruction=INSTRUCTION_TERM[name], ap=ap)
    if ap and not isinstance(at.track("enemy_ap"), Unknown):
        at = change_track(at, "enemy_ap", -ap, "nw:4.1.2.cost")
    return at, name


def done(at: Board) -> tuple[Board, Where]:
    """The Instruction has been carried out; who called for it may ask what it became."""
    name = at.recall("name")
    return at, (end() if isinstance(name, Unknown) else end(became=name))


# -- 4.2.1: Build ------------------------------------------------------------------------------------

BUILD_AS_SUBVERT = message(
    "build-as-subvert", "All Outposts of the current Period are in play: treat Build as Subvert."
)
BUILD_NO_SITE_AS_SUBVERT = message(
    "build-without-site-as-subvert", "No Territory is left for another Outpost: treat Build as Subvert."
)
BUILD_NONE_LEFT = message(
    "build-none-left",
    "No Outpost of the current Period is left: no effect, and it is not treated as Subvert.",
)
BUILD_NO_SITE = message(
    "build-without-site", "Every Territory has an Outpost of that type already: no effect."
)


def ask_build(at: Board) -> Question:
    """How many Outposts are left; as long as none is on the map there is one."""
    kind = outpost_type(at)
    left = known_left(at, kind)
    if left is not None:
        return known(left)
    if not on_map(at, kind):
        return known(1)
    return ask(READ_OUTPOSTS_LEFT, Read(Count), outpost=OUTPOST_TERM[kind])


def build(at: Board, left: int) -> tuple[Board, Where]:
    """An Outpost in Area #1 of the first Territory without one; if all are in play it is Subvert."""
    kind = outpost_type(at)
    if not left:
        if at.recall("never_subvert"):
            return done(at.tell(BUILD_NONE_LEFT, "nw:enemy-raid.end1-no-subvert"))
        if not on_map(at, kind):
            return done(at.tell(BUILD_NONE_LEFT, "nw:4.2.chain"))
        return treat_as(at, "subvert", BUILD_AS_SUBVERT, "nw:4.2.1.all-out")
    territory = site(at, kind)
    if territory is not None:
        return done(place_outpost(at, territory, "nw:4.2.1.place", "nw:4.2.1.corn"))
    if not at.recall("never_subvert") and at.choice("build-without-site") == "subvert":
        return treat_as(at, "subvert", BUILD_NO_SITE_AS_SUBVERT, "nw:4.2.1.no-site")
    return done(at.tell(BUILD_NO_SITE, "nw:4.2.1.no-site", "nw:13.canyon.no-outpost"))


def site(at: Board, kind: str) -> str | None:
    """The Territory with the lowest die symbol without an Outpost of that type, or without any (C37)."""
    free = [territory for territory in DIE_SYMBOL if not has_type(at, territory, kind)]
    empty = [territory for territory in DIE_SYMBOL if not has_type(at, territory, "mission", "rancho")]
    if free[:1] != empty[:1] and at.choice("build-site") == "no-outpost-at-all":
        free = empty
    return free[0] if free else None


# -- 4.2.2: Build + Subvert --------------------------------------------------------------------------


BUILD_THEN_SUBVERT = message(
    "build-then-subvert", "Build + Subvert: first Build, then Subvert, both covered by the APs spent."
)


def first_build(at: Board) -> tuple[Board, Where]:
    """One payment for both; Build comes first."""
    return at.tell(BUILD_THEN_SUBVERT, "nw:4.2.2.both"), call(
        INSTRUCTION, step="build", name="build", ap=must_know(at.recall("ap"))
    )


def then_subvert(at: Board) -> tuple[Board, Where]:
    """Subvert follows, even if Build was treated as Subvert, unless read otherwise (C38)."""
    if at.recall("became") != "build" and at.choice("build-and-subvert-twice") == "once":
        return at, "done"
    return at, call(INSTRUCTION, step="subvert", name="subvert", ap=must_know(at.recall("ap")))


# -- 4.2.4 and 4.2.12: Comanche! and Utes! -----------------------------------------------------------

TRIBE_AS_SUBJUGATE = message(
    "tribe-as-subjugate",
    "Fewer than 3 red cubes are in the Subjugation of New Mexico Box (%(have)s): treat the Instruction %(instruction)s as Subjugate.",
)
TRIBE_RAIDS = message(
    "tribe-raids",
    "3 red cubes are in the Subjugation of New Mexico Box: the Instruction %(instruction)s leads to a Tribal Raid.",
)
TRIBE_BY_INSTRUCTION = {"comanche": "comanche", "utes": "ute"}
ASK_TRIBE = message(
    "ask-tribe-instruction", "Which of the two Instructions Comanche! and Utes! is carried out?"
)


def tribe_raids(at: Board) -> tuple[Board, Where]:
    """With 3 red cubes a Tribal Raid, with fewer Subjugate."""
    name, red = at.agenda[-1].step, red_cubes(at)
    at = at.remember(name=name)
    rule = "nw:4.2.4.subjugate" if name == "comanche" else "nw:4.2.12.utes"
    if red < 3:
        shown = INSTRUCTION_TERM[name]
        return treat_as(at, "subjugate", TRIBE_AS_SUBJUGATE, rule, have=red, instruction=shown)
    return at, "tribal-raid"


def tribal_raid(at: Board) -> tuple[Board, Where]:
    """Follow the Tribal Raid Flowchart."""
    name = at.recall("name")
    if name not in TRIBE_BY_INSTRUCTION:
        name = must_know(unknown(f"/agenda/{len(at.agenda) - 1}/memory/name", ASK_TRIBE))
    rule = "nw:4.2.4.tribal-raid" if name == "comanche" else "nw:4.2.12.utes"
    at = at.tell(TRIBE_RAIDS, rule, instruction=INSTRUCTION_TERM[name])
    return at, call("tribal-raid", tribe=TRIBE_BY_INSTRUCTION[name])


# -- 4.2.6: Expand -----------------------------------------------------------------------------------

EXPAND_AS_BUILD = message("expand-as-build", "There is no Outpost on the map: treat Expand as Build.")
OUTPOST_ADVANCES = message(
    "expand-advances", "The Outpost (%(outpost)s) in Area %(start)s moves to Area %(area)s."
)
OUTPOST_STUCK = message("expand-stuck", "The Outpost (%(outpost)s) in Area %(area)s cannot move any higher.")


def expand(at: Board) -> tuple[Board, Where]:
    """Every Outpost moves up one Area; -1 Culture Point for each, -2 for each that is in Area #6 already."""
    if not outposts_on_map(at):
        return treat_as(at, "build", EXPAND_AS_BUILD, "nw:4.2.6.no-outpost")
    lost = 0
    for kind in ("mission", "rancho"):
        for area in reversed(on_map(at, kind)):
            at, points = advance(at, kind, PlaceRef(area))
            lost += points
    return done(change_track(at, "culture", -lost, "nw:4.2.6.culture") if lost else at)


def advance(at: Board, kind: str, area: PlaceRef) -> tuple[Board, int]:
    """One Outpost moves to the next higher Area; gives the Culture Points that costs (C43)."""
    territory, rule = territory_of(area), "nw:4.2.6.advance"
    higher = track(territory)[number_of(area) :]
    if higher and not at.counters(higher[0], kind):
        goal = PlaceRef(higher[0])
        at = at.set_area(area, **{kind: False}).set_area(goal, **{kind: True})
        at = at.tell(OUTPOST_ADVANCES, rule, outpost=OUTPOST_TERM[kind], start=area, area=goal)
        return corn_goes(at, goal, rule), 1
    end_of_canyon = ("nw:13.canyon.three-areas",) if territory == CANYON and not higher else ()
    at = at.tell(OUTPOST_STUCK, rule, *end_of_canyon, outpost=OUTPOST_TERM[kind], area=area)
    if end_of_canyon:
        return at, 2 if at.choice("expand-in-canyon") == "two-points" else 0
    return at, 0 if higher else 2


# -- 4.2.8: Raid! ------------------------------------------------------------------------------------


def raid(at: Board) -> tuple[Board, Where]:
    """The APs spent become Raid counters; follow the Enemy Raid Flowchart."""
    return start_raid(at, must_know(at.recall("ap")))


# -- 4.2.11: Subvert ---------------------------------------------------------------------------------

SUBVERT_AS_SUBJUGATE = message(
    "subvert-as-subjugate",
    "Fewer than 3 red cubes are in the Subjugation of New Mexico Box (%(have)s): treat Subvert as Subjugate.",
)
SUBVERT_AS_BUILD = message(
    "subvert-as-build",
    "3 red cubes are in the Subjugation of New Mexico Box, but there is no Outpost on the map: treat Subvert as Build.",
)
SUBVERTED = message(
    "subverted",
    "Subvert: APs spent: %(ap)s, Outposts on the map: %(outposts)s; Culture Points lost: %(loss)s.",
)


def subvert(at: Board) -> tuple[Board, Where]:
    """With fewer than 3 red cubes Subjugate, without Outposts Build; otherwise Culture Points, capped."""
    ap, red = must_know(at.recall("ap")), red_cubes(at)
    if red < 3:
        return treat_as(at, "subjugate", SUBVERT_AS_SUBJUGATE, "nw:4.2.11.subjugate", have=red)
    outposts = outposts_on_map(at)
    if not outposts:
        return treat_as(at, "build", SUBVERT_AS_BUILD, "nw:4.2.11.build")
    rule, loss = "nw:4.2.11.subvert-cap", min(ap, outposts)
    at = at.tell(SUBVERTED, rule, "nw:1.6.1.outposts", ap=ap, outposts=outposts, loss=loss)
    return done(change_track(at, "culture", -loss, rule) if loss else at)


INSTRUCTION = procedure(
    "instruction",
    InstructionMemory,
    automatic("pay", "nw:4.1.2.cost", pay),
    reading("build", ("nw:4.2.1.outposts-left", "nw:4.2.1.all-out", "nw:4.2.1.place"), ask_build, build),
    automatic("build-subvert", "nw:4.2.2.both", first_build),
    automatic("then-subvert", "nw:4.2.2.both", then_subvert),
    automatic("done", "nw:4.1.5.to-inactive", done),
    automatic("colonize", ("nw:4.2.3.no-cubes", "nw:4.2.3.no-outpost"), colonize),
    decision("colonize-cube", "nw:4.2.3.shift", ask_colonize_cube, colonize_cube),
    automatic("comanche", "nw:4.2.4.subjugate", tribe_raids),
    automatic("utes", "nw:4.2.12.utes", tribe_raids),
    automatic("tribal-raid", "nw:4.2.4.tribal-raid", tribal_raid),
    automatic("tribal-raid-over", "nw:4.1.5.to-inactive", done),
    automatic("defend", "nw:4.2.5.execute", defend),
    automatic("expand", ("nw:4.2.6.no-outpost", "nw:4.2.6.advance"), expand),
    automatic("peace", "nw:4.2.7.execute", peace),
    automatic("raid", "nw:4.2.8.start", raid),
    automatic("raid-over", "nw:4.1.5.to-inactive", done),
    chance("slaves", "nw:4.2.9.child", ask_slaves_roll, slaves),
    automatic("subjugate", "nw:4.2.10.draw", subjugate),
    chance("subjugate-draw", ("nw:4.2.10.draw", "nw:1.9.bag"), ask_subjugate_draw, draw_cube),
    automatic("subjugate-place", "nw:4.2.10.place", place_drawn),
    reading("subjugation-table", "nw:4.2.10.table", ask_subjugation_table, subjugation_table),
    automatic("subvert", ("nw:4.2.11.subjugate", "nw:4.2.11.build", "nw:4.2.11.subvert-cap"), subvert),
)

ACTION = Action(
    DoInstruction,
    "nw:4.2",
    Term("nw.eops.4"),
    message("action.instruction", "The Enemy carries out one Instruction."),
    may_instruct,
    begin_instruction,
)
