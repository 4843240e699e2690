"""What the steps of the Passage of Time note for each other; they stand in three modules."""

from __future__ import annotations

from typing import ClassVar

from engine.memory import NOT_NOTED, Noted
from engine.messages import Message, message
from engine.navajo_wars.counters import Member
from engine.navajo_wars.droughts import RolledMemory
from engine.navajo_wars.position import AreaId, Count, FamilyLetter, Sum


class PassageMemory(RolledMemory, frozen=True):
    """What later steps have to know: new Elders, the new Family, corn picked, the hungry, Elders checked, a die."""

    questions: ClassVar[dict[str, Message]] = {
        "family": message("ask-new-family", "Which Family comes into play?"),
        "members": message("ask-new-family-members", "Which population counters form the new Family?"),
        "unfed": message("ask-unfed", "How many population counters are not fed?"),
        "die": message(
            "ask-recovery-die",
            "Which number does the die show for the Territory that loses a Drought counter?",
        ),
    }

    new_elders: Sum = 0
    family: Noted[FamilyLetter] = NOT_NOTED
    members: Noted[tuple[Member, ...]] = NOT_NOTED
    picked: tuple[AreaId, ...] = ()
    unfed: Noted[Sum] = NOT_NOTED
    checked: tuple[Count, Count, Count, Count, Count, Count, Count] = (0, 0, 0, 0, 0, 0, 0)
