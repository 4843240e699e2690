"""Possible positions, 4: the Enemy Instruction Display and what lies in the Raided Cubes Box."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from msgspec import UNSET

from engine import codec
from engine.audit import finding
from engine.memory import Frame
from engine.messages import Term
from engine.navajo_wars.audit_counters import count_told, told
from engine.navajo_wars.board import Board
from engine.navajo_wars.display import INSTRUCTION_OF, INSTRUCTION_TERM, holds
from engine.navajo_wars.position import Instruction, InstructionName
from engine.verdict import Check, needs, refuted

# -- the Instruction counters ------------------------------------------------------------------------

TOO_MANY_INSTRUCTIONS = finding(
    "too-many-instruction-counters",
    "Instruction counters in the Enemy Instruction Display and in the Raided Cubes Box: %(have)s. A Period has only "
    "%(limit)s.",
)
FACE_TOO_OFTEN = finding(
    "instruction-face-too-often",
    "Instruction counters that show %(instruction)s: %(have)s. In your copy, counters of this Period that have it on either side: %(limit)s.",
)
COUNTERS_OF_A_PERIOD = 14
COLUMNS = ("active", "standby", "inactive")


def instructions(at: Board) -> Iterator[Check]:
    """No more counters than a Period has; where the player has listed them, no more of a face."""
    faces = faces_shown(at)
    have, limit, rule, pointer = (
        len(faces),
        COUNTERS_OF_A_PERIOD,
        "nw:6.2.instruction-counters",
        "/instructions",
    )
    yield needs(have <= limit, TOO_MANY_INSTRUCTIONS, rule, pointer=pointer, have=have, limit=limit)
    listed = at.components.instruction_counters.get(at.position.period)
    if listed is None or any(counter.back is UNSET for counter in listed):
        return
    for name, have in Counter(faces).items():
        limit = sum(name in (counter.face.name, counter.back.name) for counter in listed)
        shown = {
            "instruction": Term(f"nw.instruction.{name.replace('-', '_')}"),
            "have": have,
            "limit": limit,
        }
        yield needs(have <= limit, FACE_TOO_OFTEN, rule, pointer=pointer, **shown)


def faces_shown(at: Board) -> list[str]:
    """What every counter told of shows, the one in the Raided Cubes Box included."""
    columns = [told(at.position.instructions, column) for column in COLUMNS]
    placed = [place for column in columns if column is not UNSET for place in column]
    found: list[str] = [counter.name for counter in placed if isinstance(counter, Instruction)]
    resting = told(at.position.raided_box, "instruction")
    return found if resting is UNSET or resting is None else [*found, resting]


# -- the Tribe that is addressed -----------------------------------------------------------------------

TRIBE_NOT_SHOWN = finding(
    "addressed-tribe-not-active",
    "A Family addresses a Tribe whose Instruction counter is not face up in the Active column: %(instruction)s. It has to stay "
    "there until it is swapped, and that ends the Tribal Warfare or Tribal Diplomacy.",
)
ADDRESSING = ("tribal-warfare", "tribal-diplomacy")


def addressed_tribe(at: Board) -> Iterator[Check]:
    """The counter of the Tribe that a Family fights or treats with is where it has to be from the first step to the last."""
    for number, frame in enumerate(at.agenda):
        named = tribes_instruction(frame)
        if named is not None:
            shown, pointer = INSTRUCTION_TERM[named], f"/agenda/{number}/memory/tribe"
            there = not refuted(holds(at, "active", named))
            yield needs(there, TRIBE_NOT_SHOWN, "nw:3.1.s5.target", pointer=pointer, instruction=shown)


def tribes_instruction(frame: Frame) -> InstructionName | None:
    """What the counter of the Tribe shows that is noted as addressed, if it is one; anything may be noted."""
    if frame.procedure not in ADDRESSING or frame.memory is UNSET:
        return None
    noted = codec.write(frame.memory)
    tribe = noted.get("tribe") if isinstance(noted, dict) else None
    return next((shown for named, shown in INSTRUCTION_OF.items() if named == tribe), None)


# -- the Raided Cubes Box ----------------------------------------------------------------------------

AP_WITHOUT_INSTRUCTION = finding(
    "enemy-ap-without-instruction",
    "Enemy AP counters in the Raided Cubes Box: %(have)s. They are there only as long as Peace or Defend is, and neither "
    "is.",
)


def raided_box(at: Board) -> Iterator[Check]:
    """Enemy APs wait there with Peace or Defend, and leave with it."""
    box = at.position.raided_box
    if told(box, "instruction") is None:
        have, rules = count_told(box, "enemy_ap"), ("nw:4.2.5.check-end", "nw:4.2.7.check-end")
        yield needs(have == 0, AP_WITHOUT_INSTRUCTION, *rules, pointer="/raided_box/enemy_ap", have=have)
