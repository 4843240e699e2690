"""Section 4.2: the twelve Enemy Instructions, each with what it is treated as where it cannot be carried out.

Colonize, Slaves and Subjugate stand in instruction_draws.py, Peace and Defend in truces.py.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, get_args

from msgspec import Struct

from engine.actions import Action, Said, say
from engine.messages import Term, message, requirement
from engine.navajo_wars.board import Board
from engine.navajo_wars.consequences import change_track
from engine.navajo_wars.cubes import red_cubes
from engine.navajo_wars.display import (
    ASK_COST,
    ASK_F,
    INSTRUCTION_RULE,
    INSTRUCTION_TERM,
    costs_otherwise,
    face,
    places_told,
    put,
    space,
    told_of_face,
    top_row,
    turned_over,
)
from engine.navajo_wars.enemy_raid import enemy_ap_not_told, start_raid
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
)
from engine.navajo_wars.instruction_memory import InstructionMemory, treat_as
from engine.navajo_wars.map import CANYON, PlaceRef, number_of, territory_of, track
from engine.navajo_wars.outposts import (
    DIE_SYMBOL,
    OUTPOST_TERM,
    corn_goes,
    has_type,
    known_left,
    left_question,
    on_map,
    outpost_type,
    outposts_on_map,
    place_outpost,
)
from engine.navajo_wars.position import Count, Instruction, InstructionName
from engine.navajo_wars.truces import (
    ASK_OTHER_SIDE,
    ASK_RAIDED_INSTRUCTION,
    FLIPPED,
    FLIPPED_TO_TRUCE,
    TRUCES,
    another_truce,
    defend,
    inactive_truce,
    peace,
)
from engine.questions import Question, known
from engine.tables import (
    END,
    Does,
    Where,
    automatic,
    call,
    chance,
    decision,
    end,
    part,
    procedure,
    reading,
)
from engine.verdict import (
    Caution,
    Check,
    Unknown,
    certain,
    is_told,
    must_know,
    needs,
    total,
    unknown,
    warns,
)


class DoInstruction(Struct, frozen=True, forbid_unknown_fields=True, tag_field="kind", tag="instruction"):
    """The Enemy carries out an Instruction with the APs paid for it."""

    name: InstructionName
    ap: Count
    back: InstructionName | None = None


# -- 4.1: what is paid -------------------------------------------------------------------------------

NOT_PAID = requirement(
    "instruction-not-paid",
    "The Instruction %(instruction)s cannot be paid for. APs to be spent: %(need)s; Enemy APs available: %(have)s. It is "
    "not carried out, and the Enemy Instruction Display is reset (step 5).",
    met="The Instruction %(instruction)s can be paid for. APs to be spent: %(need)s; Enemy APs available: %(have)s.",
)
DEFEND_TAKES_ALL = requirement(
    "defend-leaves-ap",
    "Defend spends all available Enemy APs. APs to be spent: %(need)s; APs named: %(have)s.",
    met="All available Enemy APs are spent on Defend.",
)
TRUCE_WAITS = requirement(
    "truce-in-the-box",
    "%(there)s is in the Raided Cubes Box already: the Instruction %(instruction)s cannot be carried out until that ends (Enemy Operations step 1).",
    met="Neither Peace nor Defend is in the Raided Cubes Box.",
)
TRUCE_NOT_TOLD = message(
    "truce-not-told",
    "The position does not say whether Peace or Defend is in the Raided Cubes Box already. If one is, this Instruction cannot be carried out.",
)
DEFEND_NEEDS_AP = requirement(
    "defend-without-ap",
    "Defend spends all available Enemy APs, at least 1; none was paid.",
    met="At least 1 Enemy AP is spent on Defend.",
)


def may_instruct(at: Board, do: DoInstruction) -> Iterator[Check | Caution]:
    """An Instruction must be paid for, where it is told what the Enemy has; Defend takes at least 1 AP."""
    available = at.track("enemy_ap")
    if is_told(available):
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
    else:
        yield from enemy_ap_not_told(do.ap)
    if do.name != "defend":
        yield from costs_otherwise(at, do.name, do.ap)
    if do.name in TRUCES:
        yield from may_make_truce(at, do)


def may_make_truce(at: Board, do: DoInstruction) -> Iterator[Check | Caution]:
    """Only one of Peace and Defend at a time; with one Inactive the other side counts; Defend takes every AP."""
    waiting = at.told("raided_box", "instruction", ask=ASK_RAIDED_INSTRUCTION)
    if is_told(waiting):
        yield needs(
            waiting is None,
            TRUCE_WAITS,
            f"nw:4.s1.{waiting or do.name}",
            pointer="/raided_box/instruction",
            instruction=INSTRUCTION_TERM[do.name],
            **({"there": INSTRUCTION_TERM[waiting]} if waiting else {}),
        )
    else:
        rules = ("nw:4.s1.peace", "nw:4.s1.defend")
        yield warns(TRUCE_NOT_TOLD, *rules, pointer="/raided_box/instruction")
    if another_truce(at):
        must_know(unknown("/action/back", ASK_OTHER_SIDE) if do.back is None else do.back)
    elif do.name == "defend":
        rule, available = "nw:4.2.5.execute", at.track("enemy_ap")
        yield needs(do.ap > 0, DEFEND_NEEDS_AP, rule, pointer="/action/ap")
        if is_told(available):
            params = {"need": available, "have": do.ap}
            yield needs(do.ap >= available, DEFEND_TAKES_ALL, rule, pointer="/action/ap", **params)


def begin_instruction(at: Board, do: DoInstruction) -> tuple[Board, Where | None]:
    """Turn Peace or Defend over if one of them is Inactive, then pay and carry out."""
    if do.name not in TRUCES:
        return at, call(INSTRUCTION, name=do.name, ap=do.ap)
    if not another_truce(at):
        return begin_truce(at, do)
    rule = f"nw:4.2.{'7' if do.name == 'peace' else '5'}.flip"
    at = at.tell(
        FLIPPED, rule, instruction=INSTRUCTION_TERM[do.name], truce=INSTRUCTION_TERM[inactive_truce(at)]
    )
    if do.back in TRUCES:
        return at.tell(FLIPPED_TO_TRUCE, rule, instruction=INSTRUCTION_TERM[do.back]), None
    return at, call(INSTRUCTION, name=do.back, ap=do.ap)


def begin_truce(at: Board, do: DoInstruction) -> tuple[Board, Where]:
    """The counter leaves the Active column, where that was told, for the Raided Cubes Box."""
    rows = enumerate(places_told(at, "active"))
    found = [(row, one) for row, one in rows if isinstance(one, Instruction) and one.name == do.name]
    if not found:
        return at, call(INSTRUCTION, name=do.name, ap=do.ap)
    row, counter = found[0]
    return put(at, "active", row, None), call(INSTRUCTION, name=do.name, ap=do.ap, counter=counter)


ASK_AP_PAID = message("ask-instruction-ap-paid", "How many Enemy APs are spent on the Instruction?")

# -- 4.1.1: which Instruction comes next ------------------------------------------------------------

OFFER = message(
    "instruction-offer", "The Enemy carries out the Instruction %(instruction)s with APs: %(ap)s."
)


def instructions_next(at: Board) -> Iterator[InstructionName]:
    """The Instruction of the topmost counter in the Active column; none if the column is empty."""
    row = top_row(at)
    top = None if row is None else space(at, "active", row)
    return iter(() if top is None else (top.name,))


def ways(at: Board, name: InstructionName) -> Iterator[DoInstruction]:
    """That counter with what it costs; Peace or Defend with its other side, where that is what counts."""
    row = top_row(at) or 0
    counter: Any = space(at, "active", row)
    if name not in TRUCES or not another_truce(at):
        yield DoInstruction(name, cost_of(at, counter, row))
        return
    turned = turned_over(counter, row)
    ap = 0 if turned.name in TRUCES else cost_of(at, turned, row)
    yield DoInstruction(name, ap, turned.name)


def offer(_at: Board, do: DoInstruction) -> Said:
    """The Instruction, and what is spent on it."""
    return say(OFFER, instruction=INSTRUCTION_TERM[do.name], ap=do.ap)


# -- 4.1.2: what it costs, and paying it -------------------------------------------------------------


def cost_of(at: Board, counter: Instruction, row: int) -> int:
    """The AP cost: as printed, but all available APs for Defend, and by Ferocity for Slaves with an F."""
    available = must_know(at.track("enemy_ap"))
    if counter.name == "defend":
        return max(1, available)
    printed: int = face(counter, row, "cost", ASK_COST)
    if counter.name == "peace" and available > printed and at.choice("peace-cost") == "all-available":
        return available
    if counter.name != "slaves":
        return printed
    together = total_ferocity(at)
    if certain(together <= printed) or (
        printed > available and not is_told(by_ferocity(counter, row, together))
    ):
        return printed
    return max(printed, must_know(together)) if face(counter, row, "ferocity", ASK_F) else printed


def total_ferocity(at: Board) -> int | Unknown:
    """That of all Families: the price of a Slaves counter with an F, if it is more than the number there."""
    everybody = at.all_families
    return everybody if isinstance(everybody, Unknown) else total(family.ferocity for family in at.families())


def by_ferocity(counter: Instruction, row: int, together: int | Unknown) -> int | Unknown:
    """The price by Ferocity, as far as the F was told."""
    marked = told_of_face(counter, row, "ferocity", ASK_F)
    return marked if isinstance(marked, Unknown) else together


INSTRUCTION_PAID = message(
    "instruction-paid",
    "The Instruction %(instruction)s is carried out.",
    tells="detail",
)


def pay(at: Board, noted: InstructionMemory) -> tuple[Board, Where]:
    """The APs leave the Enemy APs Available Box; then the Instruction itself."""
    name, ap = must_know(noted.name), must_know(noted.ap)
    build_cost = ("nw:4.2.1.cost",) if name == "build" else ()
    at = at.tell(INSTRUCTION_PAID, "nw:4.1.2.cost", *build_cost, instruction=INSTRUCTION_TERM[name], ap=ap)
    if ap and is_told(at.track("enemy_ap")):
        at = change_track(at, "enemy_ap", -ap, "nw:4.1.2.cost")
    return at, name


def done(at: Board, noted: InstructionMemory) -> tuple[Board, Where]:
    """The Instruction has been carried out; who called for it may ask what it became."""
    return at, (end(became=noted.name) if is_told(noted.name) else end())


# -- 4.2.1: Build ------------------------------------------------------------------------------------

BUILD_AS_SUBVERT = message(
    "build-as-subvert", "All Outposts of the current Period are in play: treat Build as Subvert."
)
BUILD_NO_SITE_AS_SUBVERT = message(
    "build-without-site-as-subvert", "No Territory is left for another Outpost: treat Build as Subvert."
)
BUILD_NONE_LEFT = message(
    "build-none-left",
    "No Outpost of the current Period is left to be placed: Build has no effect. At the end of a Raid it is not treated as Subvert.",
)
BUILD_NONE_ANYWHERE = message(
    "build-none-anywhere",
    "No Outpost of the current Period is left to be placed, and none is on the map: neither Build nor Subvert has any effect.",
    whole=True,
)
BUILD_NO_SITE = message(
    "build-without-site", "No Territory is left where Build can place an Outpost: no effect."
)


def ask_build(at: Board, _noted: InstructionMemory) -> Question:
    """How many Outposts are left; as long as none is on the map there is one."""
    kind = outpost_type(at)
    left = known_left(at, kind)
    if left is not None:
        return known(left)
    if not on_map(at, kind):
        return known(1)
    return left_question(at, kind)


def build(at: Board, noted: InstructionMemory, left: int) -> tuple[Board, Where]:
    """An Outpost in Area #1 of the first Territory without one; if all are in play it is Subvert."""
    kind = outpost_type(at)
    if not left:
        if noted.never_subvert:
            return at.tell(BUILD_NONE_LEFT, "nw:enemy-raid.end1-no-subvert"), "done"
        if not on_map(at, kind):
            return at.tell(BUILD_NONE_ANYWHERE, "nw:4.2.chain"), "done"
        return treat_as(at, noted, "subvert", BUILD_AS_SUBVERT, "nw:4.2.1.all-out")
    territory = site(at, kind)
    if territory is not None:
        return place_outpost(at, territory, "nw:4.2.1.place", "nw:4.2.1.corn"), "done"
    if not noted.never_subvert and at.choice("build-without-site") == "subvert":
        return treat_as(at, noted, "subvert", BUILD_NO_SITE_AS_SUBVERT, "nw:4.2.1.no-site")
    return at.tell(BUILD_NO_SITE, "nw:4.2.1.no-site", "nw:13.canyon.no-outpost"), "done"


def site(at: Board, kind: str) -> str | None:
    """The Territory with the lowest die symbol without an Outpost of that type, or without any (C37)."""
    free = [territory for territory in DIE_SYMBOL if not has_type(at, territory, kind)]
    empty = [territory for territory in DIE_SYMBOL if not has_type(at, territory, "mission", "rancho")]
    if free[:1] != empty[:1] and at.choice("build-site") == "no-outpost-at-all":
        free = empty
    return free[0] if free else None


# -- 4.2.2: Build + Subvert --------------------------------------------------------------------------


BUILD_THEN_SUBVERT = message(
    "build-then-subvert",
    "Build + Subvert: first Build, then Subvert, both covered by the APs spent.",
    tells="detail",
)


def first_build(at: Board, noted: InstructionMemory) -> tuple[Board, Where]:
    """One payment for both; Build comes first."""
    at = at.tell(BUILD_THEN_SUBVERT, "nw:4.2.2.both")
    return at, call(INSTRUCTION, step="build", name="build", ap=must_know(noted.ap))


def then_subvert(at: Board, noted: InstructionMemory) -> tuple[Board, Where]:
    """Subvert follows, even if Build was treated as Subvert, unless read otherwise (C38)."""
    if noted.became != "build" and at.choice("build-and-subvert-twice") == "once":
        return at, "done"
    return at, call(INSTRUCTION, step="subvert", name="subvert", ap=must_know(noted.ap))


# -- 4.2.4 and 4.2.12: Comanche! and Utes! -----------------------------------------------------------

TRIBE_AS_SUBJUGATE = message(
    "tribe-as-subjugate",
    "Fewer than 3 red cubes are in the Subjugation of New Mexico Box (%(have)s): treat the Instruction "
    "%(instruction)s as Subjugate.",
    whole=True,
)
TRIBE_RAIDS = message(
    "tribe-raids",
    "3 red cubes are in the Subjugation of New Mexico Box: the Instruction %(instruction)s leads to a Tribal Raid.",
)
TRIBE_BY_INSTRUCTION = {"comanche": "comanche", "utes": "ute"}
ASK_TRIBE = message(
    "ask-tribe-instruction", "Which of the two Instructions Comanche! and Utes! is carried out?"
)


def tribe_raids(name: InstructionName) -> Does:
    """A row by which a Tribe raids with 3 red cubes; with fewer it is Subjugate."""
    rule = "nw:4.2.4.subjugate" if name == "comanche" else "nw:4.2.12.utes"

    def do(at: Board, noted: InstructionMemory) -> tuple[Board, Where]:
        red = red_cubes(at)
        at = at.remember(name=name)
        if red < 3:
            shown = INSTRUCTION_TERM[name]
            return treat_as(at, noted, "subjugate", TRIBE_AS_SUBJUGATE, rule, have=red, instruction=shown)
        return at, "tribal-raid"

    return do


def tribal_raid(at: Board, noted: InstructionMemory) -> tuple[Board, Where]:
    """Follow the Tribal Raid Flowchart."""
    noted_tribe = is_told(noted.name) and noted.name in TRIBE_BY_INSTRUCTION
    name = must_know(noted.name if noted_tribe else which_tribe(at))
    rule = "nw:4.2.4.tribal-raid" if name == "comanche" else "nw:4.2.12.utes"
    at = at.tell(TRIBE_RAIDS, rule, instruction=INSTRUCTION_TERM[name])
    return at, call("tribal-raid", tribe=TRIBE_BY_INSTRUCTION[name])


def which_tribe(at: Board) -> Unknown:
    """Asked where the Instruction noted is none by which a Tribe raids."""
    place = f"/agenda/{len(at.agenda) - 1}/memory/name"
    return unknown(place, ASK_TRIBE, among=tuple(TRIBE_BY_INSTRUCTION))


# -- 4.2.6: Expand -----------------------------------------------------------------------------------

EXPAND_AS_BUILD = message("expand-as-build", "There is no Outpost on the map: treat Expand as Build.")
OUTPOST_ADVANCES = message(
    "expand-advances", "The Outpost (%(outpost)s) in Area %(start)s moves to Area %(area)s."
)
OUTPOST_STUCK = message("expand-stuck", "The Outpost (%(outpost)s) in Area %(area)s cannot move any higher.")


def expand(at: Board, noted: InstructionMemory) -> tuple[Board, Where]:
    """Every Outpost moves up one Area; -1 Culture Point for each, -2 for each that is in Area #6 already."""
    if not outposts_on_map(at):
        return treat_as(at, noted, "build", EXPAND_AS_BUILD, "nw:4.2.6.no-outpost")
    lost = 0
    for kind in ("mission", "rancho"):
        for area in reversed(on_map(at, kind)):
            at, points = advance(at, kind, PlaceRef(area))
            lost += points
    return (change_track(at, "culture", -lost, "nw:4.2.6.culture") if lost else at), "done"


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


def raid(at: Board, noted: InstructionMemory) -> tuple[Board, Where]:
    """The APs spent become Raid counters; follow the Enemy Raid Flowchart."""
    return start_raid(at, must_know(noted.ap))


# -- 4.2.11: Subvert ---------------------------------------------------------------------------------

SUBVERT_AS_SUBJUGATE = message(
    "subvert-as-subjugate",
    "Fewer than 3 red cubes are in the Subjugation of New Mexico Box (%(have)s): treat Subvert as Subjugate.",
)
SUBVERT_AS_BUILD = message(
    "subvert-as-build",
    "3 red cubes are in the Subjugation of New Mexico Box, but there is no Outpost on the map: treat "
    "Subvert as Build.",
)
SUBVERTED = message(
    "subverted",
    "Subvert takes away 1 Culture Point per AP spent (%(ap)s), up to the number of Outposts on the map (%(outposts)s).",
    whole=True,
)


def subvert(at: Board, noted: InstructionMemory) -> tuple[Board, Where]:
    """With fewer than 3 red cubes Subjugate, without Outposts Build; otherwise Culture Points, capped."""
    ap, red = must_know(noted.ap), red_cubes(at)
    if red < 3:
        return treat_as(at, noted, "subjugate", SUBVERT_AS_SUBJUGATE, "nw:4.2.11.subjugate", have=red)
    outposts = outposts_on_map(at)
    if not outposts:
        return treat_as(at, noted, "build", SUBVERT_AS_BUILD, "nw:4.2.11.build")
    rule, loss = "nw:4.2.11.subvert-cap", min(ap, outposts)
    at = at.tell(SUBVERTED, rule, "nw:1.6.1.outposts", ap=ap, outposts=outposts, loss=loss)
    return (change_track(at, "culture", -loss, rule) if loss else at), "done"


INSTRUCTION = procedure(
    "instruction",
    InstructionMemory,
    automatic("pay", "nw:4.1.2.cost", pay, goes=get_args(InstructionName), title="The APs are spent"),
    part("build", "4.2.1 Build"),
    reading(
        "build",
        ("nw:4.2.1.outposts-left", "nw:4.2.1.all-out", "nw:4.2.1.place"),
        ask_build,
        build,
        goes=("done", "subvert"),
        title="An Outpost is placed",
    ),
    part("build-subvert", "4.2.2 Build + Subvert"),
    automatic("build-subvert", "nw:4.2.2.both", first_build, title="First Build"),
    automatic("then-subvert", "nw:4.2.2.both", then_subvert, then="done", title="Then Subvert"),
    part("colonize", "4.2.3 Colonize"),
    automatic(
        "colonize",
        ("nw:4.2.3.no-cubes", "nw:4.2.3.no-outpost"),
        colonize,
        goes=("colonize-cube", "expand", "build"),
        title="Cubes to slide and Outposts on the map?",
    ),
    decision(
        "colonize-cube",
        "nw:4.2.3.shift",
        ask_colonize_cube,
        colonize_cube,
        goes=("colonize-cube", "done"),
        title="A cube slides to the Recovery Box",
    ),
    part("tribes", "4.2.4 Comanche! and 4.2.12 Utes!"),
    automatic(
        "comanche",
        "nw:4.2.4.subjugate",
        tribe_raids("comanche"),
        goes=("tribal-raid", "subjugate"),
        title="Comanche!: 3 red cubes?",
    ),
    automatic(
        "utes",
        "nw:4.2.12.utes",
        tribe_raids("utes"),
        goes=("tribal-raid", "subjugate"),
        title="Utes!: 3 red cubes?",
    ),
    automatic("tribal-raid", "nw:4.2.4.tribal-raid", tribal_raid, then="done", title="Tribal Raid"),
    part("defend", "4.2.5 Defend"),
    automatic("defend", "nw:4.2.5.execute", defend, then=END, title="Defend goes to the Raided Cubes Box"),
    part("expand", "4.2.6 Expand"),
    automatic(
        "expand",
        ("nw:4.2.6.no-outpost", "nw:4.2.6.advance"),
        expand,
        goes=("done", "build"),
        title="Every Outpost moves up one Area",
    ),
    part("peace", "4.2.7 Peace"),
    automatic("peace", "nw:4.2.7.execute", peace, then=END, title="Peace goes to the Raided Cubes Box"),
    part("raid", "4.2.8 Raid!"),
    automatic("raid", "nw:4.2.8.start", raid, then="done", title="Enemy Raid"),
    part("slaves", "4.2.9 Slaves"),
    chance(
        "slaves", "nw:4.2.9.child", ask_slaves_roll, slaves, then="done", title="Somebody is taken captive"
    ),
    part("subjugate", "4.2.10 Subjugate"),
    automatic(
        "subjugate",
        "nw:4.2.10.draw",
        subjugate,
        goes=("subjugate-draw", "done"),
        title="One cube for each AP",
    ),
    chance(
        "subjugate-draw",
        ("nw:4.2.10.draw", "nw:1.9.bag"),
        ask_subjugate_draw,
        draw_cube,
        goes=("subjugate-draw", "subjugate-place"),
        title="A cube is drawn from the Raid Pool",
    ),
    automatic(
        "subjugate-place",
        "nw:4.2.10.place",
        place_drawn,
        goes=("subjugation-table", "done"),
        title="The cubes drawn are placed",
    ),
    reading(
        "subjugation-table",
        "nw:4.2.10.table",
        ask_subjugation_table,
        subjugation_table,
        then="done",
        title="Subjugation of New Mexico table",
    ),
    part("subvert", "4.2.11 Subvert"),
    automatic(
        "subvert",
        ("nw:4.2.11.subjugate", "nw:4.2.11.build", "nw:4.2.11.subvert-cap"),
        subvert,
        goes=("done", "subjugate", "build"),
        title="Culture Points are lost",
    ),
    part("done", "4.1.5 Afterwards"),
    automatic("done", "nw:4.1.5.to-inactive", done, title="The Instruction has been carried out"),
    title="Enemy Instruction",
    renamed={"tribal-raid-over": "done", "raid-over": "done"},
)

ACTION = Action(
    DoInstruction,
    "nw:4.2",
    Term("nw.eops.4"),
    message("action.instruction", "The Enemy carries out one Instruction."),
    may_instruct,
    begin_instruction,
    called=lambda do: (INSTRUCTION_TERM[do.name], INSTRUCTION_RULE[do.name]),
    offer=offer,
    ways=ways,
    asks={"ap": ASK_AP_PAID},
    subjects=instructions_next,
    subject="name",
)
