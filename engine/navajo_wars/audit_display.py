"""Possible positions, 4: the Enemy Instruction Display and what lies in the Raided Cubes Box."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from msgspec import UNSET

from engine.audit import finding
from engine.messages import Term
from engine.navajo_wars.audit_counters import count_told, told
from engine.navajo_wars.board import Board
from engine.navajo_wars.position import Instruction
from engine.verdict import Check, needs

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
