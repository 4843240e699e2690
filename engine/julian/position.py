"""The Julian position: what the players can see on the table, whole or in part.

A field that is left out is not told (UNSET); None says that there is none; a collection that is
given is complete, unless `partial` names it. The map is not modelled.
"""

from __future__ import annotations

from typing import Annotated, Any, ClassVar, Literal, get_args

from msgspec import UNSET, Meta, Struct, UnsetType, field, structs

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

Came = Marker | Literal["hidden"]  # what came out, or only that something did
HIDDEN: Literal["hidden"] = "hidden"


class Markers(Struct, frozen=True, gc=False, forbid_unknown_fields=True, omit_defaults=True):
    """Stratagem markers by name; one left out counts 0. Where `count` is told, the others of so many are hidden.

    Of hands or a pool told in part nothing that is left out is known, and what is told of a marker is all there are.
    """

    agentes: Count | UnsetType = UNSET
    credo: Count | UnsetType = UNSET
    dux: Count | UnsetType = UNSET
    federate: Count | UnsetType = UNSET
    imperium: Count | UnsetType = UNSET
    military: Count | UnsetType = UNSET
    count: Count | UnsetType = UNSET

    left_out: ClassVar[dict[str, Any]] = {**dict.fromkeys(MARKERS, 0), "count": UNSET}

    def told(self, marker: Marker) -> int | None:
        """How many of a marker are told; None where nothing is."""
        found = getattr(self, marker)
        return None if found is UNSET else found

    @property
    def named(self) -> dict[Marker, int]:
        """How many of each marker are known to be there."""
        return {one: self.told(one) or 0 for one in MARKERS}

    @property
    def is_counted(self) -> bool:
        """Is it told how many there are in all?"""
        return self.count is not UNSET

    @property
    def size(self) -> int:
        """How many markers there are, seen or hidden, as far as it is told."""
        seen = sum(self.named.values())
        return seen if self.count is UNSET else max(seen, self.count)

    @property
    def hidden(self) -> int:
        """How many of them nobody has named."""
        return self.size - sum(self.named.values())

    def with_one_more(self, came: Came) -> Markers:
        """All of them and one marker more, by its name or face down."""
        count = self.count if came != HIDDEN else self.size
        more = self if came == HIDDEN else self._with(came, self.named[came] + 1)
        return structs.replace(more, count=UNSET if count is UNSET else min(LARGEST, count + 1))

    def with_one_less(self, came: Came) -> Markers:
        """All of them but one; one that is not named may have been any of those that are."""
        if came == HIDDEN:
            sure = {one: left - 1 for one, left in self.named.items() if left > 1}
            return Markers(**sure, count=self._fewer())
        count = UNSET if self.count is UNSET else self._fewer()
        return structs.replace(self._with(came, self.named[came] - 1), count=count)

    def _fewer(self) -> int:
        """How many there are without one of them, as far as a number can be told."""
        return min(LARGEST, max(0, self.size - 1))

    def _with(self, marker: Marker, many: int) -> Markers:
        return structs.replace(self, **{marker: UNSET if many < 1 else min(LARGEST, many)})

    def part_with(self, came: Came, by: int) -> Markers:
        """Those that are told with one marker more or less: what was not told of it is not known now either."""
        count = self.count if self.count is UNSET else min(LARGEST, max(0, self.count + by))
        if came == HIDDEN:  # it may be any of them
            return Markers(count=count)
        told = self.told(came)
        many = UNSET if told is None else min(LARGEST, max(0, told + by))
        return structs.replace(self, **{came: many}, count=count)


class Hands(Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """The two hands; the opponent's may well be hidden."""

    roman: Markers | UnsetType = UNSET
    barbarian: Markers | UnsetType = UNSET


class Command(Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """A command: whose it is, whether its chit has been drawn this game turn, whether it is active now."""

    name: Name
    side: Side | UnsetType = UNSET
    drawn: bool | UnsetType = UNSET
    active: bool | UnsetType = UNSET


class Play(Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """A Stratagem marker that was played: by whom, as which marker, for which use, on what."""

    by: Side | UnsetType = UNSET
    marker: Marker | UnsetType = UNSET
    as_: Marker | UnsetType | None = field(default=UNSET, name="as")
    use: Use | UnsetType = UNSET
    command: Name | UnsetType | None = UNSET
    leader: Name | UnsetType | None = UNSET
    stack: Name | UnsetType | None = UNSET
    combat: Name | UnsetType | None = UNSET


class Combatant(Struct, frozen=True, gc=False, forbid_unknown_fields=True, omit_defaults=True):
    """A unit of a combat with its printed factors, and what its result has made of it so far."""

    id: Name
    role: Role | UnsetType = UNSET
    combat: Factor | UnsetType = UNSET
    movement: Factor | UnsetType = UNSET
    parenthesised: bool | UnsetType = UNSET
    eliminated: bool = False
    retreats: Count = 0
    pursues: Count = 0


class Combat(Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """The combat being resolved, or resolved once its result is told: sides, terrain, Military, units."""

    id: Name | UnsetType = UNSET
    attacker: Side | UnsetType = UNSET
    defender: Side | UnsetType = UNSET
    doubled_by_terrain: tuple[Side, ...] | UnsetType = UNSET
    doubled_by_military: tuple[Side, ...] | UnsetType = UNSET
    result: Result | UnsetType = UNSET
    units: tuple[Combatant, ...] | UnsetType = UNSET


# Collections of which only a part may be told; nothing that is left out of one is known.
Collection = Literal["hands.roman", "hands.barbarian", "pool", "commands", "played"]


class Position(Saved, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """Everything that can be told of a Julian table."""

    # Collections that are lists, each with the field by which one of its entries is told, where it has one.
    lists: ClassVar[dict[str, str | None]] = {"commands": "name", "played": None}
    everything: ClassVar[dict[str, Any]] = dict.fromkeys(
        ("hands.roman", "hands.barbarian", "pool"), dict.fromkeys(MARKERS, 0)
    )

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
    has_played: dict[Side, dict[Marker, bool]] | UnsetType = UNSET  # where nobody lists what was played
    last_play: Play | UnsetType | None = UNSET
    combat: Combat | UnsetType | None = UNSET
    last_roll: Roll | UnsetType | None = UNSET
    options: tuple[OptionalPhase, ...] | UnsetType = UNSET
    agenda: Agenda = ()
    partial: dict[Collection, bool] = field(default_factory=dict)
    format: Format | UnsetType = UNSET


def stock(position: Position) -> dict[str, int]:
    """What a player has to pay with, as far as it is told: the Roman's Treasury."""
    return {"treasury": position.treasury} if isinstance(position.treasury, int) else {}
