"""Whom or what an action is about, in words: for lists of who may not."""

from __future__ import annotations

from typing import Any

from engine.actions import Said, say
from engine.messages import message
from engine.navajo_wars.display import INSTRUCTION_TERM
from engine.navajo_wars.trade import PRICE, USE

FAMILY = message("subject.family", "Family %(family)s")
ELDER = message("subject.elder", "Elder in space %(space)s")
INSTRUCTION = message("subject.instruction", "Instruction %(instruction)s")
OUTSIDE = message("subject.passage-box", "Passage of Time Box")
USES = {
    **USE,
    "animal": message("subject.use-animal", "Spend %(need)s Trade Goods: an Animal."),
    "cancel-flip": message(
        "subject.use-cancel-flip",
        "Spend %(need)s Trade Goods: the flip of an Instruction counter is cancelled.",
    ),
}


def named(parameter: str | tuple[str, ...], subject: Any) -> Said | None:
    """The subject that stands in this parameter of an action."""
    if parameter == "family":
        return say(OUTSIDE) if subject is None else say(FAMILY, family=subject)
    if parameter == "elder":
        return say(ELDER, space=subject)
    if parameter == "name":
        return say(INSTRUCTION, instruction=INSTRUCTION_TERM[subject])
    return say(USES[subject], need=PRICE[subject]) if parameter == "use" else None
