"""Sections 4.2.5 and 4.2.7: Defend and Peace, which end the Enemy's turn and wait in the Raided Cubes Box."""

from __future__ import annotations

from typing import Any

from engine.chance import with_every_die
from engine.messages import Message, message, question
from engine.navajo_wars.board import MOST_ENEMY_AP, Board
from engine.navajo_wars.consequences import change_track, set_ferocity
from engine.navajo_wars.cubes import count, cube_reset, cubes_in, empty_into
from engine.navajo_wars.display import column, holds, to_top_inactive
from engine.navajo_wars.instruction_memory import InstructionMemory
from engine.navajo_wars.position import Instruction, InstructionName, RaidedBox
from engine.navajo_wars.santa_fe import as_many_as_left
from engine.tables import Where, end
from engine.verdict import Unknown, is_told, must_know, some

TRUCES: tuple[InstructionName, ...] = ("peace", "defend")

FLIPPED = message(
    "truce-flipped",
    "%(truce)s is in the Inactive column already: the Instruction counter that is being carried out, %(instruction)s, "
    "is flipped, and its other side is carried out.",
)
FLIPPED_TO_TRUCE = message(
    "truce-flipped-to-truce",
    "The other side shows the Instruction %(instruction)s, which cannot be carried out either: no effect.",
)
ASK_OTHER_SIDE = question(
    "ask-other-side",
    "What is on the other side of the Instruction counter?",
    lead="Peace or Defend is in the Inactive column, so this Instruction counter is flipped.",
)
ASK_RAIDED_INSTRUCTION = message(
    "ask-raided-instruction",
    "Is there an Instruction counter in the Raided Cubes Box? If so, is it Peace or Defend?",
)


def another_truce(at: Board) -> bool:
    """Is Peace or Defend face up in the Inactive column (C39)?"""
    return must_know(some(holds(at, "inactive", name) for name in TRUCES))


def inactive_truce(at: Board) -> InstructionName:
    """Which of the two it is; the upper one where both are there."""
    there = [name for name in TRUCES if must_know(holds(at, "inactive", name))]
    if len(there) == 1:
        return there[0]
    return next(one.name for one in column(at, "inactive") if one is not None and one.name in TRUCES)


def truce(at: Board) -> str | None:
    """Peace or Defend in the Raided Cubes Box, None if neither is there."""
    held: str | Unknown | None = at.told("raided_box", "instruction", ask=ASK_RAIDED_INSTRUCTION)
    return must_know(held)


def raided_ap(at: Board) -> int:
    """The Enemy AP counters in the Raided Cubes Box; they are not cubes."""
    return must_know(at.raided_ap)


def wait_in_box(at: Board, noted: InstructionMemory, name: Any, ap: int) -> Board:
    """The counter and the APs that lie with it wait in the Raided Cubes Box."""
    lying = min(MOST_ENEMY_AP, ap)
    return at.alter("raided_box", RaidedBox, enemy_ap=lying, instruction=name, counter=noted.counter)


# -- 4.2.5: Defend -----------------------------------------------------------------------------------

DEFENDING = message(
    "defend-begins",
    "Defend: all available Enemy APs are spent (%(ap)s), and the Defend counter goes to the Raided Cubes Box. The Enemy "
    "Operations Segment ends at once, without resetting the Enemy Instruction Display.",
    whole=True,
)


def defend(at: Board, noted: InstructionMemory) -> tuple[Board, Where]:
    """Everything is spent, and the segment is over."""
    ap = must_know(noted.ap)
    held = ap if ap and at.choice("defend-paid-ap") == "raided-cubes-box" else 0
    at = wait_in_box(at, noted, "defend", held)
    return at.tell(DEFENDING, "nw:4.2.5.execute", ap=ap), end(segment_over=True)


DEFEND_HOLDS = message(
    "defend-holds",
    "Defend holds. Cubes in the Raided Cubes Box: %(cubes)s; Enemy AP counters there: %(have)s. Enemy AP counters are added until there are as many, and the Enemy Operations Segment ends.",
)
DEFEND_ENDS = message(
    "defend-ends",
    "Defend ends: the Enemy AP counters in the Raided Cubes Box (%(have)s) are not fewer than the cubes (%(cubes)s). The Enemy AP counters go to the Enemy APs Available Box, and Defend goes to the topmost empty space of the Inactive column.",
    outcome=True,
)
DEFEND_ENDS_ALONE = message(
    "defend-ends-alone",
    "Defend ends: there is neither a cube nor an Enemy AP counter in the Raided Cubes Box. Defend goes to the topmost empty space of the Inactive column.",
    outcome=True,
    was="defend-ends",
)


def check_defend(at: Board) -> tuple[Board, bool]:
    """Does Defend hold? Only while fewer Enemy AP counters than cubes lie in the box (C40)."""
    cubes, have = count(must_know(cubes_in(at, "raided_cubes"))), raided_ap(at)
    if have < cubes:
        at = at.tell(DEFEND_HOLDS, "nw:4.s1.defend", "nw:4.2.5.check-hold", cubes=cubes, have=have)
        at, added = as_many_as_left(at, cubes - have, "nw:4.2.5.check-hold")
        lying = min(MOST_ENEMY_AP, have + added)
        return at.alter("raided_box", RaidedBox, enemy_ap=lying), True
    said, counted = (DEFEND_ENDS, {"cubes": cubes, "have": have}) if have else (DEFEND_ENDS_ALONE, {})
    at = at.tell(said, "nw:4.s1.defend", "nw:4.2.5.check-end", **counted)
    return cube_reset(leave_box(at, "nw:4.2.5.check-end"), "nw:13.cube-reset"), False


def leave_box(at: Board, rule: str) -> Board:
    """The APs become available, the counter goes to the topmost empty space of the Inactive column."""
    have = raided_ap(at)
    kept = at.told("raided_box", "counter", ask=ASK_RAIDED_INSTRUCTION)
    counter = Instruction(must_know(truce(at))) if isinstance(kept, Unknown) else kept  # type: ignore[arg-type]
    at = to_top_inactive(at.change(raided_box=RaidedBox(0, None)), counter)
    return change_track(at, "enemy_ap", have, rule) if have else at


# -- 4.2.7: Peace ------------------------------------------------------------------------------------

PEACE_BEGINS = message(
    "peace-begins",
    "Peace: the Enemy AP counters spent (%(ap)s) and the Peace counter go to the Raided Cubes Box. The Enemy "
    "Operations Segment ends at once.",
    whole=True,
)
PEACE_CUBES = message(
    "peace-cubes",
    "Peace: all cubes in the Raided Cubes Box and the Recovery Box return to the Raid Pool.",
    tells="detail",
)
PEACE_ZERO = message(
    "peace-zero",
    "Peace: Enemy APs, the AP of the Diné and the Ferocity of all Families are set to 0 (%(terms)s).",
    tells="detail",
    terms={"enemy_ap": "Enemy APs %(enemy_ap)s → 0", "ap": "AP of the Diné %(ap)s → 0"},
)


def peace(at: Board, noted: InstructionMemory) -> tuple[Board, Where]:
    """The APs lie in the Raided Cubes Box; cubes return, both sides' APs and all Ferocity go to 0."""
    ap = must_know(noted.ap)
    at = wait_in_box(at, noted, "peace", ap).tell(PEACE_BEGINS, "nw:4.2.7.execute", "nw:4.2.7.end", ap=ap)
    at = empty_into(at, "raided_cubes", "raid_pool")
    at = empty_into(at, "recovery", "raid_pool").tell(PEACE_CUBES, "nw:4.2.7.clear-cubes")
    before = {name: now for name in ("enemy_ap", "ap") if is_told(now := at.track(name))}
    at = at.set_track("enemy_ap", 0).set_track("ap", 0).tell(PEACE_ZERO, "nw:4.2.7.zero", **before)
    for family in at.families():
        at = set_ferocity(at, family.letter, 0, "nw:4.2.7.zero")
    return at, end(segment_over=True)


PEACE_LASTS = message("outcome.peace-holds", "Peace holds.")
PEACE_IS_OVER = message("outcome.peace-ends", "Peace ends.")
PEACE_HOLDS = message(
    "peace-holds",
    "Peace holds: the die shows %(die)s, less than the number of Enemy AP counters in the Raided Cubes Box "
    "(%(have)s). One of them is removed, Build is carried out and the Enemy Operations Segment ends.",
    outcome=PEACE_LASTS,
)
PEACE_ENDS = message(
    "peace-ends",
    "Peace ends: the die shows %(die)s, which is not less than the number of Enemy AP counters in the Raided Cubes Box (%(have)s). They go to the Enemy APs Available Box, and Peace goes to the topmost empty space of the Inactive column.",
    outcome=PEACE_IS_OVER,
)
PEACE_BROKEN = message(
    "peace-broken",
    "Peace ends at once, because a Family raids: the Enemy AP counters in the Raided Cubes Box go to the Enemy APs "
    "Available Box, and Peace goes to the topmost empty space of the Inactive column.",
)


PEACE_SURELY_HOLDS = message(
    "peace-surely-holds",
    "Peace holds: every die roll is less than the number of Enemy AP counters in the Raided Cubes Box (%(have)s). One of them is removed, Build is carried out and the Enemy Operations Segment ends.",
)
PEACE_SURELY_ENDS = message(
    "peace-surely-ends",
    "Peace ends: no die roll can be less than the number of Enemy AP counters in the Raided Cubes Box (%(have)s). What lies there goes to the Enemy APs Available Box, and Peace goes to the topmost empty space of the Inactive column.",
)
PEACE_ENDS_ALONE = message(
    "peace-ends-alone",
    "Peace ends: there is no Enemy AP counter in the Raided Cubes Box. Peace goes to the topmost empty space of the Inactive column.",
    was="peace-surely-ends",
)


def peace_holds(die: int, have: int) -> bool:
    """Does Peace hold? The die must be less than the Enemy AP counters in the box (C42)."""
    return die < have


def sure_of_peace(have: int) -> bool | None:
    """Whether Peace holds, where every die says the same."""
    return with_every_die(lambda die: peace_holds(die, have))


def check_peace(at: Board, die: int) -> tuple[Board, bool]:
    """What the die makes of Peace, and whether it holds."""
    if peace_holds(die, raided_ap(at)):
        return hold_peace(at, PEACE_HOLDS, die=die), True
    return end_peace(at, PEACE_ENDS, die=die, have=raided_ap(at)), False


def peace_unrolled(at: Board) -> tuple[Board, bool]:
    """The same where every die says the same."""
    if sure_of_peace(raided_ap(at)):
        return hold_peace(at, PEACE_SURELY_HOLDS), True
    if not raided_ap(at):
        return end_peace(at, PEACE_ENDS_ALONE), False
    return end_peace(at, PEACE_SURELY_ENDS, have=raided_ap(at)), False


def hold_peace(at: Board, said: Message, **shown: int) -> Board:
    """One Enemy AP counter is removed."""
    have = raided_ap(at)
    at = at.alter("raided_box", RaidedBox, enemy_ap=have - 1, instruction="peace")
    return at.tell(said, "nw:4.s1.peace", "nw:4.2.7.check-hold", **shown, have=have)


def end_peace(at: Board, said: Message, **shown: int) -> Board:
    """The Enemy AP counters become available, and Peace is Inactive."""
    at = at.tell(said, "nw:4.s1.peace", "nw:4.2.7.check-end", **shown)
    return leave_box(at, "nw:4.2.7.check-end")


def break_peace(at: Board) -> Board:
    """A Family raids New Mexico, an Outpost or a Fort: Peace, if it holds, ends at once."""
    if truce(at) != "peace":
        return at
    return leave_box(at.tell(PEACE_BROKEN, "nw:4.2.7.broken-by-raid"), "nw:4.2.7.broken-by-raid")
