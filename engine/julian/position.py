"""The Julian position: what the players can see on the table, whole or in part.

A field that is left out is not told (UNSET); None says that there is none; a collection that is
given is complete. The map is not modelled.
"""

from __future__ import annotations

from typing import Annotated, Literal, get_args

from msgspec import UNSET, Meta, Struct, UnsetType, field

from engine.codec import LARGEST
from engine.memory import Agenda
from engine.saved import Format, Saved

Side = Literal["roman", "barbarian"]
Marker = Literal["agentes", "credo", "dux", "federate", "imperium", "military"]
Phase = Literal["stratagem", "operations", "return", "taxation", "supply", "crisis", "advance"]
OptionalPhase = Literal["supply", "crisis"]
Subphase = Literal["start", "reinforcement", "movement", "combat"]
Roll = Literal["combat", "rout", "other"]
Role = Literal["attacker", "defender"]
Result = Literal["AC", "AD", "AR", "BB", "DC", "DD", "DR"]
Use = Literal[
    "look",
    "cancel-agentes",
    "cancel-federate",
    "draw",
    "steal",
    "activate",
    "leader",
    "ally",
    "as",
    "reroll",
    "march",
    "fight",
]
Count = Annotated[int, Meta(ge=0, le=LARGEST)]
Number = Annotated[int, Meta(ge=1, le=LARGEST)]
Name = Annotated[str, Meta(min_length=1, max_length=60)]
Factor = Annotated[int, Meta(ge=0, le=99)]

MARKERS: tuple[Marker, ...] = get_args(Marker)


class Markers(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """Stratagem markers by name; one left out counts 0. Where `count` is told, the others of so many are hidden."""

    agentes: Count = 0
    credo: Count = 0
    dux: Count = 0
    federate: Count = 0
    imperium: Count = 0
    military: Count = 0
    count: Count | UnsetType = UNSET


class Hands(Struct, frozen=True, forbid_unknown_fields=True):
    """The two hands; the opponent's may well be hidden."""

    roman: Markers | UnsetType = UNSET
    barbarian: Markers | UnsetType = UNSET


class Command(Struct, frozen=True, forbid_unknown_fields=True):
    """A command: whose it is, whether its chit has been drawn this game turn, whether it is active now."""

    name: Name
    side: Side | UnsetType = UNSET
    drawn: bool | UnsetType = UNSET
    active: bool | UnsetType = UNSET


class Play(Struct, frozen=True, forbid_unknown_fields=True):
    """A Stratagem marker that was played: by whom, as which marker, for which use, on what."""

    by: Side | UnsetType = UNSET
    marker: Marker | UnsetType = UNSET
    as_: Marker | UnsetType | None = field(default=UNSET, name="as")
    use: Use | UnsetType = UNSET
    command: Name | UnsetType | None = UNSET
    leader: Name | UnsetType | None = UNSET
    stack: Name | UnsetType | None = UNSET
    combat: Name | UnsetType | None = UNSET


class Combatant(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A unit of a combat with its printed factors, and what its result has made of it so far."""

    id: Name
    role: Role | UnsetType = UNSET
    combat: Factor | UnsetType = UNSET
    movement: Factor | UnsetType = UNSET
    parenthesised: bool | UnsetType = UNSET
    eliminated: bool = False
    retreats: Count = 0
    pursues: Count = 0


class Combat(Struct, frozen=True, forbid_unknown_fields=True):
    """The combat being resolved, or resolved once its result is told: sides, terrain, Military, units."""

    id: Name | UnsetType = UNSET
    attacker: Side | UnsetType = UNSET
    defender: Side | UnsetType = UNSET
    doubled_by_terrain: tuple[Side, ...] | UnsetType = UNSET
    doubled_by_military: tuple[Side, ...] | UnsetType = UNSET
    result: Result | UnsetType = UNSET
    units: tuple[Combatant, ...] | UnsetType = UNSET


class Position(Saved, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """Everything that can be told of a Julian table."""

    turn: Number | UnsetType = UNSET
    active: Side | UnsetType | None = UNSET
    phase: Phase | UnsetType = UNSET
    operations_phase: Number | UnsetType | None = UNSET
    subphase: Subphase | UnsetType | None = UNSET
    hands: Hands | UnsetType = UNSET
    pool: Markers | UnsetType = UNSET
    treasury: Count | UnsetType = UNSET
    commands: tuple[Command, ...] | UnsetType = UNSET
    played: tuple[Play, ...] | UnsetType = UNSET
    last_play: Play | UnsetType | None = UNSET
    combat: Combat | UnsetType | None = UNSET
    last_roll: Roll | UnsetType | None = UNSET
    options: tuple[OptionalPhase, ...] | UnsetType = UNSET
    agenda: Agenda = ()
    format: Format | UnsetType = UNSET


def stock(position: Position) -> dict[str, int]:
    """What a player has to pay with, as far as it is told: the Roman's Treasury."""
    return {"treasury": position.treasury} if isinstance(position.treasury, int) else {}
