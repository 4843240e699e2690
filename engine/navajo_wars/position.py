"""The Navajo Wars position: what a player can see on the table, whole or in part.

A field that is left out is not told (UNSET); None says that there is none; a collection that is
given is complete.
"""

from __future__ import annotations

from typing import Annotated, Literal, get_args

from msgspec import UNSET, Meta, Struct, UnsetType

from engine.codec import LARGEST
from engine.memory import Agenda
from engine.saved import Format, Saved

Count = Annotated[int, Meta(ge=0, le=99)]
Sum = Annotated[int, Meta(ge=0, le=LARGEST)]  # of counts, as procedures note it
Track = Annotated[int, Meta(ge=0, le=19)]
CornValue = Annotated[int, Meta(ge=0, le=20)]
FamilyLetter = Literal["A", "B", "C", "D", "E", "F"]
LETTERS: tuple[FamilyLetter, ...] = get_args(FamilyLetter)
Period = Literal["spanish", "mexican", "american"]
Tribe = Literal["comanche", "ute"]
FortName = Literal["defiance", "fauntleroy"]
Territory = Literal[
    "shiprock",
    "san-juan-valley",
    "zuni-mountains",
    "monument-valley",
    "hopi-land",
    "black-mesa",
    "canyon-de-chelly",
]
# fmt: off
AreaId = Literal[
    "shiprock-1", "shiprock-2", "shiprock-3", "shiprock-4", "shiprock-5", "shiprock-6",
    "san-juan-valley-1", "san-juan-valley-2", "san-juan-valley-3",
    "san-juan-valley-4", "san-juan-valley-5", "san-juan-valley-6",
    "zuni-mountains-1", "zuni-mountains-2", "zuni-mountains-3",
    "zuni-mountains-4", "zuni-mountains-5", "zuni-mountains-6",
    "monument-valley-1", "monument-valley-2", "monument-valley-3",
    "monument-valley-4", "monument-valley-5", "monument-valley-6",
    "hopi-land-1", "hopi-land-2", "hopi-land-3", "hopi-land-4", "hopi-land-5", "hopi-land-6",
    "black-mesa-1", "black-mesa-2", "black-mesa-3", "black-mesa-4", "black-mesa-5", "black-mesa-6",
    "canyon-de-chelly-1", "canyon-de-chelly-2", "canyon-de-chelly-3",
]
BoxId = Literal[
    "shiprock-caught", "san-juan-valley-caught", "zuni-mountains-caught", "monument-valley-caught",
    "hopi-land-caught", "black-mesa-caught", "canyon-de-chelly-caught",
    "shiprock-escape", "san-juan-valley-escape", "zuni-mountains-escape", "monument-valley-escape",
    "hopi-land-escape", "black-mesa-escape", "canyon-de-chelly-escape",
]
# fmt: on
Colour = Literal["black", "blue", "brown", "green", "red", "yellow", "white"]
InstructionName = Literal[
    "build",
    "build-subvert",
    "colonize",
    "comanche",
    "defend",
    "expand",
    "peace",
    "raid",
    "slaves",
    "subjugate",
    "subvert",
    "utes",
]
ScenarioId = Literal["14.1", "14.2", "14.3", "14.4", "14.5", "14.6"]
CardNumber = Annotated[int, Meta(ge=1, le=80)]


class Tracks(Struct, frozen=True, forbid_unknown_fields=True):
    """The General Record Track."""

    ap: Track | UnsetType = UNSET
    culture: Track | UnsetType = UNSET
    military: Track | UnsetType = UNSET
    enemy_morale: Track | UnsetType = UNSET
    enemy_ferocity: Track | UnsetType = UNSET
    enemy_ap: Count | UnsetType = UNSET


class FamilyState(Struct, frozen=True, forbid_unknown_fields=True):
    """A Family: where its counter is, which face shows, and what its box holds."""

    at: AreaId | BoxId | UnsetType = UNSET
    ferocity: Annotated[int, Meta(ge=0, le=3)] | UnsetType = UNSET
    evasion: Annotated[int, Meta(ge=-9, le=9)] | UnsetType = UNSET
    man: bool | UnsetType = UNSET
    woman: bool | UnsetType = UNSET
    child: bool | UnsetType = UNSET
    horse: bool | UnsetType = UNSET


class AreaState(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """The counters in an Area; in a given Area a field left out means none there."""

    corn: bool = False
    mission: bool = False
    rancho: bool = False
    harass: bool = False
    fort: FortName | None = None
    raid: Count = 0
    tribal_raid: Count = 0
    intruders: Count = 0


class TerritoryState(Struct, frozen=True, forbid_unknown_fields=True):
    """The drought spaces of a Territory."""

    drought: Annotated[int, Meta(ge=0, le=2)] | UnsetType = UNSET


class SantaFe(Struct, frozen=True, forbid_unknown_fields=True):
    """Santa Fé, where an Enemy Raid starts."""

    raid: Count | UnsetType = UNSET


class Resources(Struct, frozen=True, forbid_unknown_fields=True):
    """The Resources Box."""

    horse: Count | UnsetType = UNSET
    sheep: Count | UnsetType = UNSET
    corn: tuple[CornValue, ...] | UnsetType = UNSET
    trade_goods: Count | UnsetType = UNSET
    firearms: Count | UnsetType = UNSET


class PassageBox(Struct, frozen=True, forbid_unknown_fields=True):
    """The Passage of Time Box."""

    man: Count | UnsetType = UNSET
    woman: Count | UnsetType = UNSET
    child: Count | UnsetType = UNSET
    elder: Count | UnsetType = UNSET
    horse: Count | UnsetType = UNSET
    sheep: Count | UnsetType = UNSET


class Cubes(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """Cubes by colour; a colour left out counts 0."""

    black: Count = 0
    blue: Count = 0
    brown: Count = 0
    green: Count = 0
    red: Count = 0
    yellow: Count = 0
    white: Count = 0


class InstructionFace(Struct, frozen=True, forbid_unknown_fields=True):
    """One face of an Enemy Instruction counter."""

    name: InstructionName
    cost: Count | UnsetType = UNSET
    stripe: bool | UnsetType = UNSET
    ferocity: bool | UnsetType = UNSET


class Instruction(Struct, frozen=True, forbid_unknown_fields=True):
    """An Enemy Instruction counter, its visible face first."""

    name: InstructionName
    cost: Count | UnsetType = UNSET
    back: InstructionFace | UnsetType | None = UNSET
    stripe: bool | UnsetType = UNSET
    ferocity: bool | UnsetType = UNSET


class RaidedBox(Struct, frozen=True, forbid_unknown_fields=True):
    """What lies in the Raided Cubes Box beside the cubes; `counter` keeps the Peace or Defend counter's faces."""

    enemy_ap: Count | UnsetType = UNSET
    instruction: Literal["peace", "defend"] | UnsetType | None = UNSET
    counter: Instruction | UnsetType = UNSET


Column = Annotated[tuple[Instruction | None, ...], Meta(min_length=6, max_length=6)]


class Instructions(Struct, frozen=True, forbid_unknown_fields=True):
    """The Enemy Instruction Display, each column from the top."""

    active: Column | UnsetType = UNSET
    standby: Column | UnsetType = UNSET
    inactive: Column | UnsetType = UNSET


class Activation(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """The Family that is acting; `mp` are those left, `spent` says whether it has spent any.

    `began_with_fort`: it has been in the Area of a Fort since its activation began. Left out, the other
    two mean no: `tried_to_leave` that Fort in vain, `redrawn` a cube as Manuelito's Family may once.
    """

    family: FamilyLetter
    mp: Annotated[int, Meta(ge=0, le=20)] | UnsetType = UNSET
    spent: bool | UnsetType = UNSET
    began_with_fort: bool | UnsetType = UNSET
    tried_to_leave: bool = False
    redrawn: bool = False


class Operation(Struct, frozen=True, forbid_unknown_fields=True):
    """What this card has seen so far.

    `limit`: how many Families may be activated, counted when Take Actions began; left out: as counted now.
    """

    kind: Literal["planning", "take-actions", "passage-of-time"] | UnsetType | None = UNSET
    activated: tuple[FamilyLetter, ...] | UnsetType = UNSET
    elder_ferocity: tuple[FamilyLetter, ...] | UnsetType = UNSET
    traded: tuple[FamilyLetter, ...] | UnsetType = UNSET
    tribal: tuple[FamilyLetter, ...] | UnsetType = UNSET
    limit: Count | UnsetType = UNSET


class Development(Struct, frozen=True, forbid_unknown_fields=True):
    """A Cultural Development card that is owned."""

    set: Annotated[str, Meta(min_length=1, max_length=60)]
    level: Annotated[int, Meta(ge=1, le=3)]


class Cards(Struct, frozen=True, forbid_unknown_fields=True):
    """The cards that lie open or are held, and those that will not be drawn from this deck any more."""

    current: CardNumber | UnsetType | None = UNSET
    in_play: tuple[CardNumber, ...] | UnsetType = UNSET
    hand: tuple[CardNumber, ...] | UnsetType = UNSET
    removed: tuple[CardNumber, ...] | UnsetType = UNSET
    discarded: tuple[CardNumber, ...] | UnsetType = UNSET
    developments: tuple[Development, ...] | UnsetType = UNSET


class SetAside(Struct, frozen=True, forbid_unknown_fields=True):
    """Counters that are not available until a card brings them into the game."""

    trade_goods: Count = 0
    harass: Count = 0


class Outcome(Struct, frozen=True, forbid_unknown_fields=True):
    """How the game ended."""

    result: Literal["major-victory", "minor-victory", "minor-defeat", "major-defeat"]
    rule: Annotated[str, Meta(min_length=1, max_length=60)]


class Position(Saved, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """Everything that can be told of a Navajo Wars table."""

    scenario: ScenarioId | UnsetType | None = UNSET
    period: Period | UnsetType = UNSET
    tracks: Tracks | UnsetType = UNSET
    families: dict[FamilyLetter, FamilyState] | UnsetType = UNSET
    areas: dict[AreaId, AreaState] | UnsetType = UNSET
    territories: dict[Territory, TerritoryState] | UnsetType = UNSET
    santa_fe: SantaFe | UnsetType = UNSET
    tribal_raid_box: Count | UnsetType = UNSET
    manuelito: FamilyLetter | UnsetType | None = UNSET
    elders: Annotated[tuple[Count, ...], Meta(min_length=7, max_length=7)] | UnsetType = UNSET
    resources: Resources | UnsetType = UNSET
    passage_of_time: PassageBox | UnsetType = UNSET
    raid_pool: Cubes | UnsetType = UNSET
    raided_cubes: Cubes | UnsetType = UNSET
    recovery: Cubes | UnsetType = UNSET
    subjugation: Cubes | UnsetType = UNSET
    raided_box: RaidedBox | UnsetType = UNSET
    instructions: Instructions | UnsetType = UNSET
    activation: Activation | UnsetType | None = UNSET
    operation: Operation | UnsetType = UNSET
    cards: Cards | UnsetType = UNSET
    set_aside: SetAside | UnsetType = UNSET
    agenda: Agenda = ()
    outcome: Outcome | UnsetType | None = UNSET
    format: Format | UnsetType = UNSET
