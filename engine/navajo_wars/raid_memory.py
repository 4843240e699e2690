"""What the two Raid charts note, for their own rows and for the Reactions and Battles inside them."""

from __future__ import annotations

from typing import Annotated, ClassVar, Literal

from msgspec import Meta

from engine.codec import Number
from engine.memory import NOT_NOTED, Memory, Noted
from engine.messages import Message, message
from engine.navajo_wars.map import AREAS
from engine.navajo_wars.position import AreaId, FamilyLetter, Sum, Tribe

Population = Literal["man", "woman", "child"]

Target = Literal[
    "shiprock",
    "san-juan-valley",
    "zuni-mountains",
    "monument-valley",
    "hopi-land",
    "black-mesa",
]  # never Canyon de Chelly

ASK_FAMILY_DEALT_WITH = message(
    "ask-family-dealt-with", "Which Family does Raid Resolution deal with at the moment?"
)
ASK_EMPTY = message(
    "ask-empty-spaces", "Which population spaces of the Family are empty after its loss in Raid Resolution?"
)
ASK_CANDIDATES = message("ask-candidates", "Which Areas can the Raid enter next?")
ASK_ENTERED = message("ask-entered", "Which Area did the Raid enter last?")
ASK_FOUND = message(
    "ask-found-a-family", "Has a Raid counter been placed in an Area with a Family during this Raid?"
)
ASK_MORALE_DIE = message("ask-morale-die", "What did the die for Enemy Morale show?")
ASK_TRIBE = message("ask-raiding-tribe", "Which Tribe raids, the Comanche or the Ute?")
ASK_TARGET = message("ask-target-territory", "Which Territory is the Target Territory of the Tribal Raid?")
ASK_REACH = message(
    "ask-tribal-raid-reach", "Conduct a Raid: what was the modified die roll of the Tribal Raid?"
)


class ResolutionMemory(Memory, frozen=True):
    """What both charts note of the Families that are dealt with."""

    questions: ClassVar[dict[str, Message]] = {"family": ASK_FAMILY_DEALT_WITH, "empty": ASK_EMPTY}

    family: Noted[FamilyLetter] = NOT_NOTED
    resolved: tuple[FamilyLetter, ...] = ()
    empty: Noted[tuple[Population, ...]] = NOT_NOTED


class EnemyRaidMemory(ResolutionMemory, frozen=True):
    """Where the Raid has come to: the Areas it can enter, the one entered last, and whether it has found a Family."""

    questions: ClassVar[dict[str, Message]] = {
        **ResolutionMemory.questions,
        "candidates": ASK_CANDIDATES,
        "entered": ASK_ENTERED,
        "found_a_family": ASK_FOUND,
        "die": ASK_MORALE_DIE,
    }

    candidates: Noted[Annotated[tuple[AreaId, ...], Meta(min_length=1, max_length=len(AREAS))]] = NOT_NOTED
    entered: Noted[AreaId | None] = NOT_NOTED
    found_a_family: Noted[bool] = NOT_NOTED
    turned_to_canyon: bool = False
    reacted: bool = False
    ambusher: FamilyLetter | None = None
    die: Noted[Annotated[int, Meta(ge=1, le=6)]] = NOT_NOTED


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
