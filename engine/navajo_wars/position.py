"""The Navajo Wars position: what a player can see on the table, whole or in part.

A field that is left out is not told (UNSET); None says that there is none; a collection that is
given is complete, unless `partial` names it.
"""

from __future__ import annotations

from typing import Annotated, Any, ClassVar, Literal, get_args

from msgspec import UNSET, Meta, Struct, UnsetType, field

from engine.codec import LARGEST
from engine.memory import Agenda
from engine.saved import Format, Saved

Count = Annotated[int, Meta(ge=0, le=99)]
Sum = Annotated[int, Meta(ge=0, le=LARGEST)]  # of counts, as procedures note it
Track = Annotated[int, Meta(ge=0, le=19)]
CornValue = Annotated[int, Meta(ge=0, le=20)]
FamilyLetter = Literal["A", "B", "C", "D", "E", "F"]
FamilyId = FamilyLetter  # so other programs call it, like an AreaId
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
CubeColour = Colour
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
CardKey = Annotated[str, Meta(pattern="^([1-9]|[1-4][0-9]|5[0-5])$")]


class Tracks(Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """The General Record Track."""

    ap: Track | UnsetType = UNSET
    culture: Track | UnsetType = UNSET
    military: Track | UnsetType = UNSET
    enemy_morale: Track | UnsetType = UNSET
    enemy_ferocity: Track | UnsetType = UNSET
    enemy_ap: Count | UnsetType = UNSET


Ferocity = Annotated[int, Meta(ge=0, le=3)]  # of a Family


class FamilyState(Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """A Family: where its counter is, which face shows, and what its box holds."""

    at: AreaId | BoxId | UnsetType | None = UNSET  # null: it is not in play
    ferocity: Ferocity | UnsetType = UNSET
    evasion: Annotated[int, Meta(ge=-9, le=9)] | UnsetType = UNSET
    man: bool | UnsetType = UNSET
    woman: bool | UnsetType = UNSET
    child: bool | UnsetType = UNSET
    horse: bool | UnsetType = UNSET


class AreaState(Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """The counters in an Area; a field left out means none there, or not told where only some `areas` are told."""

    left_out: ClassVar[dict[str, Any]] = {
        **dict.fromkeys(("corn", "mission", "rancho", "harass"), False),
        "fort": None,
        **dict.fromkeys(("raid", "tribal_raid", "intruders"), 0),
    }

    corn: bool | UnsetType = UNSET
    mission: bool | UnsetType = UNSET
    rancho: bool | UnsetType = UNSET
    harass: bool | UnsetType = UNSET
    fort: FortName | UnsetType | None = UNSET
    raid: Count | UnsetType = UNSET
    tribal_raid: Count | UnsetType = UNSET
    intruders: Count | UnsetType = UNSET


class TerritoryState(Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """The drought spaces of a Territory."""

    drought: Annotated[int, Meta(ge=0, le=2)] | UnsetType = UNSET


class SantaFe(Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """Santa Fé, where an Enemy Raid starts."""

    raid: Count | UnsetType = UNSET


class Resources(Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """The Resources Box."""

    horse: Count | UnsetType = UNSET
    sheep: Count | UnsetType = UNSET
    corn: tuple[CornValue, ...] | UnsetType = UNSET
    trade_goods: Count | UnsetType = UNSET
    firearms: Count | UnsetType = UNSET


class PassageBox(Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """The Passage of Time Box."""

    man: Count | UnsetType = UNSET
    woman: Count | UnsetType = UNSET
    child: Count | UnsetType = UNSET
    elder: Count | UnsetType = UNSET
    horse: Count | UnsetType = UNSET
    sheep: Count | UnsetType = UNSET


class Cubes(Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """Cubes by colour; a colour left out counts 0, or is not told where only a part of the box is."""

    left_out: ClassVar[dict[str, Any]] = dict.fromkeys(
        ("black", "blue", "brown", "green", "red", "yellow", "white"), 0
    )

    black: Count | UnsetType = UNSET
    blue: Count | UnsetType = UNSET
    brown: Count | UnsetType = UNSET
    green: Count | UnsetType = UNSET
    red: Count | UnsetType = UNSET
    yellow: Count | UnsetType = UNSET
    white: Count | UnsetType = UNSET


class InstructionFace(Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """One face of an Enemy Instruction counter."""

    name: InstructionName
    cost: Count | UnsetType = UNSET
    stripe: bool | UnsetType = UNSET
    ferocity: bool | UnsetType = UNSET


class Instruction(Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """An Enemy Instruction counter, its visible face first."""

    name: InstructionName
    cost: Count | UnsetType = UNSET
    back: InstructionFace | UnsetType | None = UNSET
    stripe: bool | UnsetType = UNSET
    ferocity: bool | UnsetType = UNSET


class RaidedBox(Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """What lies in the Raided Cubes Box beside the cubes; `counter` keeps the Peace or Defend counter's faces."""

    enemy_ap: Count | UnsetType = UNSET
    instruction: Literal["peace", "defend"] | UnsetType | None = UNSET
    counter: Instruction | UnsetType = UNSET


NotTold = Literal["?"]  # a place of a fixed list that was not told
NOT_TOLD: NotTold = "?"
Column = Annotated[tuple[Instruction | NotTold | None, ...], Meta(min_length=6, max_length=6)]


ColumnName = Literal["active", "standby", "inactive"]


class Instructions(Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """The Enemy Instruction Display, each column from the top.

    `holds` tells whether a counter that shows an Instruction is in a column, where nobody tells in which row.
    """

    active: Column | UnsetType = UNSET
    standby: Column | UnsetType = UNSET
    inactive: Column | UnsetType = UNSET
    holds: dict[ColumnName, dict[InstructionName, bool]] | UnsetType = UNSET


class Activation(Struct, frozen=True, gc=False, forbid_unknown_fields=True, omit_defaults=True):
    """The Family that is acting, null if none is; `mp` are those left, `spent` says whether it has spent any.

    `began_with_fort`: it has been in the Area of a Fort since its activation began. Left out, the other
    two mean no: `tried_to_leave` that Fort in vain, `redrawn` a cube as Manuelito's Family may once.
    """

    family: FamilyLetter | UnsetType | None = UNSET
    mp: Annotated[int, Meta(ge=0, le=20)] | UnsetType = UNSET
    spent: bool | UnsetType = UNSET
    began_with_fort: bool | UnsetType = UNSET
    tried_to_leave: bool = False
    redrawn: bool = False


class Operation(Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """What this card has seen so far.

    `limit`: how many Families may be activated, counted when Take Actions began; left out: as counted now.
    """

    kind: Literal["planning", "take-actions", "passage-of-time"] | UnsetType | None = UNSET
    activated: tuple[FamilyLetter, ...] | UnsetType = UNSET
    elder_ferocity: tuple[FamilyLetter, ...] | UnsetType = UNSET
    traded: tuple[FamilyLetter, ...] | UnsetType = UNSET
    tribal: tuple[FamilyLetter, ...] | UnsetType = UNSET
    limit: Count | UnsetType = UNSET


class Development(Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """A Cultural Development card that is owned."""

    set: Annotated[str, Meta(min_length=1, max_length=60)]
    level: Annotated[int, Meta(ge=1, le=3)]


class Cards(Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """The cards that lie open or are held, and those that will not be drawn from this deck any more.

    `is_removed` tells of single cards whether they were removed from the game, where nobody lists all that were.
    """

    current: CardNumber | UnsetType | None = UNSET
    in_play: tuple[CardNumber, ...] | UnsetType = UNSET
    hand: tuple[CardNumber, ...] | UnsetType = UNSET
    removed: tuple[CardNumber, ...] | UnsetType = UNSET
    discarded: tuple[CardNumber, ...] | UnsetType = UNSET
    developments: tuple[Development, ...] | UnsetType = UNSET
    is_removed: dict[CardKey, bool] | UnsetType = UNSET


class SetAside(Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """Counters that are not available until a card brings them into the game."""

    trade_goods: Count = 0
    harass: Count = 0


class Outcome(Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """How the game ended."""

    result: Literal["major-victory", "minor-victory", "minor-defeat", "major-defeat"]
    rule: Annotated[str, Meta(min_length=1, max_length=60)]


# Collections of which only a part may be told; nothing that is left out of one is known.
Collection = Literal[
    "areas",
    "families",
    "territories",
    "raid_pool",
    "raided_cubes",
    "recovery",
    "subjugation",
    "resources",
    "passage_of_time",
    "instructions.active",
    "instructions.standby",
    "instructions.inactive",
    "cards.in_play",
    "cards.hand",
    "cards.removed",
    "cards.discarded",
    "cards.developments",
    "operation.activated",
    "operation.elder_ferocity",
    "operation.traded",
    "operation.tribal",
]


class Position(Saved, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """Everything that can be told of a Navajo Wars table."""

    # What stands where nothing is, in a collection that is told in part; and lists of which each place may be untold.
    nothing: ClassVar[dict[str, Any]] = {
        "families": {"at": None},
        "areas": AreaState.left_out,
        "territories": {"drought": 0},
    }
    everything: ClassVar[dict[str, Any]] = {
        "families": {letter: {"at": None} for letter in LETTERS},
        "areas": dict.fromkeys(get_args(AreaId), AreaState.left_out),
        "territories": {territory: {"drought": 0} for territory in get_args(Territory)},
        **dict.fromkeys(("raid_pool", "raided_cubes", "recovery", "subjugation"), Cubes.left_out),
    }
    with_fields: ClassVar[tuple[str, ...]] = ("areas",)  # what is left out of an entry is not there
    by_field: ClassVar[tuple[str, ...]] = (
        "resources",
        "passage_of_time",
    )  # what is left out of them is never told
    places: ClassVar[dict[str, int]] = {
        "elders": 7,
        "instructions.active": 6,
        "instructions.standby": 6,
        "instructions.inactive": 6,
    }

    scenario: ScenarioId | UnsetType | None = UNSET
    period: Period | UnsetType = UNSET
    tracks: Tracks | UnsetType = UNSET
    families: dict[FamilyLetter, FamilyState] | UnsetType = UNSET
    areas: dict[AreaId, AreaState] | UnsetType = UNSET
    territories: dict[Territory, TerritoryState] | UnsetType = UNSET
    santa_fe: SantaFe | UnsetType = UNSET
    tribal_raid_box: Count | UnsetType = UNSET
    manuelito: FamilyLetter | UnsetType | None = UNSET
    elders: Annotated[tuple[Count | NotTold, ...], Meta(min_length=7, max_length=7)] | UnsetType = UNSET
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
    partial: dict[Collection, bool] = field(default_factory=dict)
    format: Format | UnsetType = UNSET
