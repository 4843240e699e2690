"""The units of a combat: printed factors, who is still there, and where its result stands."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated, ClassVar

from msgspec import Meta, Struct, UnsetType

from engine.actions import NOT_NAMED, is_named
from engine.julian.board import RESULT, Board
from engine.julian.position import Combatant, Count, Factor, Name, Role, Side
from engine.memory import NOT_NOTED, Memory, Noted
from engine.messages import Message, Term, message
from engine.verdict import Truth, Unknown, ask_at_once, must_know, some, total, unknown

UNITS: dict[Role, str] = {"attacker": "attackers", "defender": "defenders"}
UNITS_NAMED: dict[Role, Term] = {
    "attacker": Term("jul.unit.attacking"),
    "defender": Term("jul.unit.defending"),
}
ROLE: dict[Role, Term] = {"attacker": Term("jul.attacker"), "defender": Term("jul.defender")}
OTHER: dict[Role, Role] = {"attacker": "defender", "defender": "attacker"}


class Unit(Struct, frozen=True, forbid_unknown_fields=True):
    """An involved unit with its printed factors; a movement factor may stand in brackets."""

    id: Name
    combat: Factor | UnsetType = NOT_NAMED
    movement: Factor | UnsetType = NOT_NAMED
    parenthesised: bool | UnsetType = NOT_NAMED


Force = Annotated[tuple[Unit, ...], Meta(max_length=60)]


class Forces(Struct, frozen=True):
    """The units of both sides."""

    attackers: Force
    defenders: Force


def forces(at: Board, attackers: Force | UnsetType, defenders: Force | UnsetType) -> Forces:
    """The units that an action names; those it does not name are the combat's own, or they are asked for."""
    named: dict[Role, Force | Unknown] = {
        "attacker": _force(at, "attacker", attackers),
        "defender": _force(at, "defender", defenders),
    }
    ask_at_once(named.values())
    return Forces(must_know(named["attacker"]), must_know(named["defender"]))


def _force(at: Board, role: Role, named: Force | UnsetType) -> Force | Unknown:
    if is_named(named):
        return named
    kept = at.units(role)
    if not isinstance(kept, Unknown):
        return tuple(map(as_unit, kept))
    return unknown(f"/action/{UNITS[role]}", ASK_UNITS[UNITS[role]])


def as_unit(unit: Combatant) -> Unit:
    """A unit of a combat as a result is carried out on it."""
    return Unit(unit.id, unit.combat, unit.movement, unit.parenthesised)


def combatants(attackers: Force, defenders: Force) -> tuple[Combatant, ...]:
    """The units of a combat as the position keeps them."""
    roles: tuple[tuple[Role, Force], ...] = (("attacker", attackers), ("defender", defenders))
    return tuple(
        Combatant(unit.id, role, unit.combat, unit.movement, unit.parenthesised)
        for role, units in roles
        for unit in units
    )


# -- printed factors -------------------------------------------------------------------------------

ASK_UNIT_COMBAT = message("ask-unit-combat", "What is the printed combat factor of unit %(unit)s?")
ASK_UNIT_MOVEMENT = message("ask-unit-movement", "What is the printed movement factor of unit %(unit)s?")
ASK_UNIT_BRACKETS = message(
    "ask-unit-brackets", "Does the printed movement factor of unit %(unit)s stand in brackets?"
)


def combat_factor(unit: Unit, where: str) -> int | Unknown:
    """A unit's printed combat factor: its strength points (C78)."""
    if is_named(unit.combat):
        return unit.combat
    return unknown(f"{where}/combat", ASK_UNIT_COMBAT, unit=unit.id)


def can_move(unit: Unit, where: str) -> Truth:
    """Has the unit a printed movement factor above 0?"""
    if not is_named(unit.movement):
        return unknown(f"{where}/movement", ASK_UNIT_MOVEMENT, unit=unit.id)
    return unit.movement > 0


def markers_change(at: Board, attackers: Iterable[Unit], defenders: Iterable[Unit], where: str) -> Truth:
    """Has an involved unit of either side a printed movement factor of 3 (C70)?"""
    listed = (("attackers", attackers), ("defenders", defenders))
    return some(
        has_three(at, unit, f"{where}/{name}/{place}")
        for name, units in listed
        for place, unit in enumerate(units)
    )


def has_three(at: Board, unit: Unit, where: str) -> Truth:
    """Is this unit's printed movement factor a 3, brackets and higher factors as chosen?"""
    if not is_named(unit.movement):
        return unknown(f"{where}/movement", ASK_UNIT_MOVEMENT, unit=unit.id)
    more = at.choice("printed-three") == "three-or-more"
    if not (unit.movement >= 3 if more else unit.movement == 3):
        return False
    if at.choice("bracketed-three") == "counts":
        return True
    if not is_named(unit.parenthesised):
        return unknown(f"{where}/parenthesised", ASK_UNIT_BRACKETS, unit=unit.id)
    return not unit.parenthesised


# -- a result being carried out --------------------------------------------------------------------


ASK_UNITS: dict[str, Message] = {
    "attackers": message(
        "ask-attacking-units", "Which units attack in this combat, with which printed factors?"
    ),
    "defenders": message(
        "ask-defending-units", "Which units defend in this combat, with which printed factors?"
    ),
}


class CombatMemory(Memory, frozen=True):
    """The units as they went in, those lost, how many routed ones have rolled, who rolled last and what, and if only pursuit is left."""

    attackers: Noted[Force] = NOT_NOTED
    defenders: Noted[Force] = NOT_NOTED
    lost: tuple[Name, ...] = ()
    routed: Count = 0
    rolled_by: Noted[Name] = NOT_NOTED
    rolled: Noted[Annotated[int, Meta(ge=1, le=6)]] = NOT_NOTED
    last: bool = False

    questions: ClassVar[dict[str, Message]] = {
        **ASK_UNITS,
        "rolled_by": message("ask-rolled-by", "Which unit has rolled last for its rout?"),
        "rolled": message("ask-rolled", "What did the last die rolled for a rout show?"),
    }


def under_way(at: Board) -> CombatMemory:
    """What the result being carried out has noted by now."""
    return must_know(at.noted(CombatMemory))  # type: ignore[return-value]  # a line of a result asks


def by_name(at: Board) -> Term:
    """The result whose lines are being done, for a sentence."""
    return RESULT[at.agenda[-1].procedure.removeprefix("combat-").upper()]  # type: ignore[index]  # one of its tables


def involved(noted: CombatMemory, role: Role) -> tuple[Unit, ...]:
    """All units of one side, as they went into the combat."""
    return must_know(noted.attackers if role == "attacker" else noted.defenders)


def survivors(noted: CombatMemory, role: Role) -> tuple[Unit, ...]:
    """Those of them that are still there."""
    return tuple(unit for unit in involved(noted, role) if unit.id not in noted.lost)


def strength(at: Board, noted: CombatMemory, role: Role) -> int:
    """A side's printed combat factors, doubled by nothing."""
    return must_know(total(factor for _, factor in with_factors(at, noted, role)))


def with_factors(at: Board, noted: CombatMemory, role: Role) -> list[tuple[Unit, int | Unknown]]:
    """Each unit of a side in the combat under way with its printed combat factor."""
    where = f"/agenda/{len(at.agenda) - 1}/memory/{UNITS[role]}"
    units = involved(noted, role)
    return [(unit, combat_factor(unit, f"{where}/{place}")) for place, unit in enumerate(units)]


def side_of(at: Board, role: Role) -> Side:
    """The player who attacks or defends."""
    return must_know(at.combat_fact(role))
