"""What the Tribal Raid Flowchart notes."""

from __future__ import annotations

from typing import ClassVar, Literal

from engine.codec import Number
from engine.memory import NOT_NOTED, Noted
from engine.messages import Message, message
from engine.navajo_wars.position import FamilyLetter, Sum, Tribe
from engine.navajo_wars.raid_resolution import ResolutionMemory

Target = Literal[
    "shiprock",
    "san-juan-valley",
    "zuni-mountains",
    "monument-valley",
    "hopi-land",
    "black-mesa",
]  # never Canyon de Chelly

ASK_TRIBE = message("ask-raiding-tribe", "Which Tribe raids, the Comanche or the Ute?")
ASK_TARGET = message("ask-target-territory", "Which Territory is the Target Territory of the Tribal Raid?")
ASK_REACH = message(
    "ask-tribal-raid-reach", "Conduct a Raid: what was the modified die roll of the Tribal Raid?"
)


class TribalRaidMemory(ResolutionMemory, frozen=True):
    """Who raids which Territory, who has tried to evade, and how far the Raid reaches."""

    questions: ClassVar[dict[str, Message]] = {
        **ResolutionMemory.questions,
        "tribe": ASK_TRIBE,
        "territory": ASK_TARGET,
        "reach": ASK_REACH,
    }

    tribe: Noted[Tribe] = NOT_NOTED
    territory: Noted[Target] = NOT_NOTED
    evaded: tuple[FamilyLetter, ...] = ()
    given_up: Sum = 0
    reach: Noted[Number] = NOT_NOTED
