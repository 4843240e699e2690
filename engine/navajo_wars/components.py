"""What the player reads off his own copy: printed tables, the map, counter numbers. All optional.

Values that public sources state ship as defaults (components.toml, map.toml), each with its source
and certainty; everything else is asked for where a rule needs it.
"""

from __future__ import annotations

from typing import Annotated, Any, Generic, Literal, TypeVar

from msgspec import UNSET, Meta, Struct, UnsetType

from engine.catalogue import read_toml
from engine.codec import Number
from engine.exceptions import Unreadable
from engine.memory import NOT_NOTED
from engine.navajo_wars.map import FAR, NUMBERED, distances, neighbours, price_of_way
from engine.navajo_wars.position import (
    AreaId,
    CardKey,
    Colour,
    Count,
    InstructionFace,
    Period,
    Territory,
)
from engine.navajo_wars.sourced import Sourced

BattleResult = Literal["MFV", "FV", "RGD", "TTD", "EV", "MEV"]
BattleColumn = Literal["1", "2", "3", "4", "5", "6", "tribal"]
Spaces = Literal[
    "man", "woman", "child", "man+woman", "man+child", "woman+child", "man+woman+child"
]  # population spaces that were looked at together
DieTerritory = Literal[
    "shiprock", "san-juan-valley", "zuni-mountains", "monument-valley", "hopi-land", "black-mesa"
]
DieKey = Literal["1", "2", "3", "4", "5", "6"]
CardsKey = Annotated[str, Meta(pattern=r"^[1-9][0-9]?(\+[1-9][0-9]?)+$", max_length=60)]  # several, "12+41"
Difference = Annotated[int, Meta(ge=-20, le=20)]
DifferenceKey = Annotated[str, Meta(pattern="^(0|-?([1-9]|1[0-9]|20))$")]


class Change(Struct, frozen=True, forbid_unknown_fields=True):
    """One change a printed result makes: `by` an amount, or `to` a value."""

    pointer: Annotated[str, Meta(min_length=2, max_length=80)]
    by: Annotated[int, Meta(ge=-20, le=20)] | UnsetType = UNSET
    to: Number | bool | str | UnsetType = UNSET


class Changes(Struct, frozen=True, forbid_unknown_fields=True):
    """Everything a printed result does; `by_hand` names what the player changes himself, not told afterwards."""

    changes: Annotated[tuple[Change, ...], Meta(max_length=30)] = ()
    by_hand: Annotated[tuple[Annotated[str, Meta(max_length=80)], ...], Meta(max_length=30)] = ()


class BattleRow(Struct, frozen=True, forbid_unknown_fields=True):
    """A row of the Battle Table: from this difference to that one, an end left out is open."""

    results: dict[BattleColumn, BattleResult]
    at_least: Difference | UnsetType = UNSET
    at_most: Difference | UnsetType = UNSET

    def covers(self, difference: int) -> bool:
        """Does this row hold the difference?"""
        above = self.at_least is UNSET or difference >= self.at_least
        return above and (self.at_most is UNSET or difference <= self.at_most)


class BattleTable(Struct, frozen=True, forbid_unknown_fields=True):
    """The Battle Table, and what each result does to the Family that fought (`/family/…`) and the tracks."""

    rows: Annotated[tuple[BattleRow, ...], Meta(max_length=45)] = ()
    effects: dict[BattleResult, tuple[Change, ...]] = {}
    besides: dict[BattleResult, tuple[Change, ...]] = {}  # beside what public sources say of a result
    cells: dict[DifferenceKey, dict[BattleColumn, BattleResult]] = {}  # single ones, where no row holds them
    in_areas: dict[
        DifferenceKey, dict[AreaId, BattleResult]
    ] = {}  # and in the column of an Area's untold value

    def result(self, difference: int, column: str) -> BattleResult | None:
        """The printed result, if the player has filled that cell in."""
        row = next((row.results for row in self.rows if row.covers(difference)), {})
        return {**self.cells.get(str(difference), {}), **row}.get(column)  # type: ignore[call-overload, no-any-return]


RaidTarget = Literal["mission", "rancho", "defiance", "fauntleroy"]


class RaidResult(Struct, frozen=True, forbid_unknown_fields=True):
    """What the Raid Table prints for a cube: changes, damage, a Battle, the end of the Raid, where the cube goes."""

    changes: Annotated[tuple[Change, ...], Meta(max_length=30)] = ()
    hit: Annotated[int, Meta(ge=0, le=9)] = 0
    battle: bool = False
    ends: bool = False
    cube: Literal["raided_cubes", "recovery", "subjugation", "out_of_play"] = "raided_cubes"


class RaidTable(Struct, frozen=True, forbid_unknown_fields=True):
    """The Raid Table: each cube in New Mexico and at an Outpost or Fort, the damage these bear, what their end brings."""

    new_mexico: dict[Colour, RaidResult] = {}
    outpost: dict[Colour, RaidResult] = {}
    hits: dict[RaidTarget, Annotated[int, Meta(ge=1, le=20)]] = {}
    destroyed: dict[RaidTarget, tuple[Change, ...]] = {}


CardType = Literal["operations", "ceremony", "historical", "transition"]
MinorEventName = Literal["drought", "drought-recovery", "swap", "cube-reset"]
PopulationKind = Literal["man", "woman", "child", "elder"]
NotNamed = TypeVar("NotNamed")  # what is not named: not set in a request, unknown in what is noted


class NamedOnCard(Struct, Generic[NotNamed], frozen=True, kw_only=True):
    """What a card prints and can be named when it is drawn."""

    type: CardType | NotNamed = NOT_NOTED
    preempt_cost: Count | NotNamed = NOT_NOTED
    enemy_ap: Count | NotNamed = NOT_NOTED
    enemy_ap_preempted: Count | NotNamed = NOT_NOTED
    population: PopulationKind | NotNamed = NOT_NOTED
    minor_event: MinorEventName | NotNamed = NOT_NOTED
    vp: Count | NotNamed = NOT_NOTED


class PrintedCard(NamedOnCard[UnsetType], frozen=True, forbid_unknown_fields=True):
    """What a card prints, as far as the player has filled it in.

    `enemy_ap_preempted`: the Enemy APs after preempting, where the card prints another number. `in_play_ap`: what the
    card adds to the Enemy APs while it is in play; `replaces_instructions`: whether it then orders another Instruction.
    """

    major_event: Changes | Literal["by-hand", "none"] | UnsetType = UNSET
    in_play_ap: Annotated[int, Meta(ge=-20, le=20)] | UnsetType = UNSET
    replaces_instructions: bool | UnsetType = UNSET


class InstructionCounter(Struct, frozen=True, forbid_unknown_fields=True):
    """An Enemy Instruction counter: its letter, and the two faces, the capital letter's first."""

    letter: Annotated[str, Meta(pattern="^[A-Z]$")]
    face: InstructionFace
    back: InstructionFace | UnsetType = UNSET


class DevelopmentCost(Struct, frozen=True, forbid_unknown_fields=True):
    """What a Cultural Development card costs."""

    culture: Count = 0
    military: Count = 0


Place = AreaId | Literal["santa-fe"]
Away = Annotated[int, Meta(ge=0, le=99)]


class Components(Struct, frozen=True, forbid_unknown_fields=True):
    """The player's own copy, as far as he has filled it in."""

    connections: Annotated[tuple[tuple[Place, Place], ...], Meta(max_length=200)] | UnsetType = UNSET
    # single facts of the map, for who has not named its connections
    adjacent: dict[AreaId, dict[Place, bool]] = {}
    # of the Territories that touch one, those with the lowest and the highest die symbol
    adjacent_territories: dict[DieTerritory, dict[Literal["lowest", "highest"], DieTerritory]] = {}
    areas_apart: dict[AreaId, dict[AreaId, Away]] = {}  # how many Areas have to be entered to get there
    mp_to_santa_fe: dict[AreaId, Away] = {}  # what the Areas in between cost on foot
    mounted_mp_to_santa_fe: dict[AreaId, Away] = {}  # and on horseback
    area_values: dict[AreaId, Annotated[int, Meta(ge=1, le=9)]] = {}
    bracketed_values: dict[AreaId, Annotated[int, Meta(ge=0, le=9)]] = {}
    territory_vp: dict[Territory, Count] = {}
    elder_levels: Annotated[tuple[Count, ...], Meta(min_length=7, max_length=7)] | UnsetType = UNSET
    population_ranges: dict[Literal["man", "woman", "child"], tuple[Count, Count]] = {}
    population_dice: dict[Spaces, dict[DieKey, bool]] = {}  # is a die in the range under one of these spaces?
    battle_table: BattleTable = BattleTable()
    counter_limits: dict[Annotated[str, Meta(max_length=40)], Count] = {}
    raid_table: RaidTable = RaidTable()
    subjugation_table: dict[Literal["1", "2", "3"], tuple[Change, ...]] = {}
    good_medicine: dict[CardKey, Changes] = {}
    intruders: Any = UNSET
    instruction_counters: dict[Period, Annotated[tuple[InstructionCounter, ...], Meta(max_length=20)]] = {}
    cards: dict[CardKey, PrintedCard] = {}
    in_play_ap: dict[CardsKey, Annotated[int, Meta(ge=-99, le=99)]] = {}  # what cards in play add together
    developments: dict[
        Annotated[str, Meta(min_length=1, max_length=60)], dict[Literal["1", "2", "3"], DevelopmentCost]
    ] = {}

    def __post_init__(self) -> None:
        """Single facts of the map must fit the connections, where these are named."""
        if self.connections is UNSET:
            return
        touching = neighbours(self.connections)
        for area, others in self.adjacent.items():
            for other, is_so in others.items():
                if is_so != (other in touching.get(area, ())):
                    raise Unreadable("against-connections", f"/components/adjacent/{area}/{other}")
        for area, far in self.areas_apart.items():
            away = distances(self.connections, area)
            for other, number in far.items():
                if away.get(other) != number:
                    raise Unreadable("against-connections", f"/components/areas_apart/{area}/{other}")
        self._priced("mp_to_santa_fe", dict(NUMBERED, **self.area_values))
        self._priced("mounted_mp_to_santa_fe", self.bracketed_values)

    def _priced(self, name: str, values: Any) -> None:
        """A way to Santa Fé costs what the connections allow, as far as the Area Values are known."""
        for area, told in getattr(self, name).items():
            least, most = (price_of_way(self.connections, values, area, untold) for untold in (0, FAR))  # type: ignore[arg-type]
            if least is None or told < least or told > (most or 0):
                raise Unreadable("against-connections", f"/components/{name}/{area}")


class BattleEffect(Struct, frozen=True, forbid_unknown_fields=True):
    """What public sources say a Battle result does to the tracks."""

    source: str
    certainty: Literal["high", "medium", "low"]
    ferocity: int = 0
    ferocity_to: int | None = None
    enemy_morale: int = 0
    culture_against_tribe: int = 0


class DestroyedEffect(Struct, frozen=True, forbid_unknown_fields=True):
    """What public sources say the end of an Outpost or Fort does to the tracks."""

    source: str
    certainty: Literal["high", "medium", "low"]
    culture: int = 0
    enemy_morale: int = 0


class Shipped(Struct, frozen=True, forbid_unknown_fields=True):
    """The values this project ships."""

    evasion: Sourced
    elder_levels: Sourced
    cubes: Sourced
    counters: dict[str, Sourced]
    battle_effects: dict[BattleResult, BattleEffect]
    destroyed: dict[Literal["outpost", "fort"], DestroyedEffect]
    card_vp: dict[CardKey, Sourced]


SHIPPED: Shipped = read_toml(__package__, "components.toml", Shipped)
EVASION: dict[int, int] = {int(ferocity): modifier for ferocity, modifier in SHIPPED.evasion.value.items()}
EVASIONS = min(EVASION.values()), max(EVASION.values())
