"""The Combat Results: seven codes, each a numbered list that is done in its order.

The combat table, the terrain and the map are the player's own: the result comes in with the action,
and retreats and pursuits are said, not moved.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from msgspec import UNSET, Struct

from engine.actions import Action
from engine.chance import Die
from engine.julian.board import PLAYER, Board
from engine.julian.components import Result
from engine.julian.forces import (
    OTHER,
    ROLE,
    TABLES,
    UNITS,
    CombatMemory,
    Force,
    Role,
    Unit,
    combat_factor,
    involved,
    markers_change,
    onward,
    side_of,
    step_here,
    survivors,
)
from engine.julian.losses import (
    ask_matching_losses,
    eliminate_all,
    fewer_eliminated,
    lose_as_much,
    loses_half,
)
from engine.julian.markers import draws, mind_hand_limit
from engine.messages import Term, message, requirement
from engine.questions import ChooseSome, Option, Question, ask, known
from engine.tables import Procedure, Step, Where, automatic, call, chance, decision, end, procedure
from engine.verdict import Caution, Check, Unknown, must_know, needs, warns


class CombatResult(Struct, frozen=True, forbid_unknown_fields=True, tag_field="kind", tag="combat-result"):
    """A combat has been resolved; its result is carried out."""

    result: Result
    attackers: Force
    defenders: Force


# -- what must be known ------------------------------------------------------------------------------

NO_UNITS = requirement(
    "combat-without-units",
    "A combat has attacking units and defending units; one of the two lists is empty.",
    met="Both sides have units in this combat.",
)
UNIT_TWICE = requirement(
    "unit-named-twice",
    "The unit %(unit)s is listed twice; each unit needs a name of its own.",
    met="Each unit has a name of its own.",
)
NO_COMBAT_TOLD = message(
    "no-combat-told",
    "The position says that no combat is being resolved; the result is carried out all the same.",
)


def first_line(result: Result) -> str:
    """The rule of a result's first line."""
    return next(iter(RESULTS[result].steps.values())).rules[0]


FACTORS_NEEDED: dict[Result, tuple[Role, ...]] = {
    "AD": ("attacker",),
    "AR": ("attacker",),
    "BB": ("attacker", "defender"),
    "DD": ("defender",),
    "DR": ("defender",),
}


def may_carry_out(at: Board, do: CombatResult) -> Iterator[Check | Caution]:
    """A result is never refused; but the units must be there, and what it touches be told."""
    rule = first_line(do.result)
    yield needs(bool(do.attackers and do.defenders), NO_UNITS, rule, pointer="/action")
    names = [unit.id for unit in (*do.attackers, *do.defenders)]
    twice = sorted({name for name in names if names.count(name) > 1})
    yield needs(not twice, UNIT_TWICE, rule, pointer="/action", unit=", ".join(twice))
    if at.position.combat is None:
        yield warns(NO_COMBAT_TOLD, "jul:crt.order", pointer="/combat")
    untold = [found for found in facts_needed(at, do) if isinstance(found, Unknown)]
    if untold:
        must_know(Unknown(*(fact for found in untold for fact in found.facts)))


def facts_needed(at: Board, do: CombatResult) -> Iterator[Any]:
    """Every fact this result cannot do without."""
    units: dict[Role, tuple[Unit, ...]] = {"attacker": do.attackers, "defender": do.defenders}
    for role in FACTORS_NEEDED.get(do.result, ()):
        for place, unit in enumerate(units[role]):
            yield combat_factor(unit, f"/action/{UNITS[role]}/{place}")
    if do.result == "BB":
        return
    won = markers_change(at, do.attackers, do.defenders, "/action")
    yield won
    if won is True:
        loser: Role = "attacker" if do.result[0] == "A" else "defender"
        yield at.size("pool")
        yield at.combat_fact(OTHER[loser])
        side = at.combat_fact(loser)
        yield side if isinstance(side, Unknown) else at.size(side)


def begin_result(at: Board, do: CombatResult) -> tuple[Board, Where]:
    """The result's own list, from its first line; a marker played before it was not just played any more."""
    at = at.change(last_roll="combat")
    at = at if at.position.last_play is UNSET else at.change(last_play=None)
    return at, call(RESULTS[do.result], attackers=do.attackers, defenders=do.defenders)


# -- retreats ----------------------------------------------------------------------------------------

RETREATS = message(
    "unit-retreats",
    "The unit %(unit)s has to retreat; hexes: %(hexes)s. The path of the retreat is chosen by: %(role)s.",
)
RETREAT_ELSEWHERE = message(
    "retreat-not-in-the-aid",
    "Which hexes are open to a retreat, and what happens where none is or a unit cannot move, is not in the aid.",
)
ASK_ROUT = message(
    "ask-rout-die",
    "The unit %(unit)s routs: its owner rolls a die for the hexes of its retreat. The aid does not say which "
    "die; a six-sided one is taken.",
)


def retreat(role: Role) -> Callable[[Board], tuple[Board, Where]]:
    """A line by which the survivors of a side retreat one hex, the owner choosing."""

    def do(at: Board) -> tuple[Board, Where]:
        rule = step_here(at)[0]
        for unit in survivors(at, role):
            at = at.tell(RETREATS, rule, unit=unit.id, hexes=1, role=ROLE[role])
        return onward(at.tell(RETREAT_ELSEWHERE, rule) if survivors(at, role) else at)

    return do


def routs(name: str, rule: str, role: Role) -> Step:
    """A line by which each surviving unit rolls for its retreat, the enemy choosing the path."""

    def asks(at: Board) -> Question:
        left = survivors(at, role)[at.recall("routed") :]
        return ask(ASK_ROUT, Die(), unit=left[0].id) if left else known(None)

    def do(at: Board, die: int | None) -> tuple[Board, Where]:
        done = at.recall("routed")
        left = survivors(at, role)[done:]
        if die is None or not left:
            return onward(at)
        at = at.change(last_roll="rout").remember(routed=done + 1)
        at = at.tell(RETREATS, rule, unit=left[0].id, hexes=die, role=ROLE[OTHER[role]])
        return (at, name) if left[1:] else onward(at.tell(RETREAT_ELSEWHERE, rule))

    return chance(name, rule, asks, do)


# -- pursuit -----------------------------------------------------------------------------------------

ASK_PURSUIT = message(
    "ask-pursuit",
    "Surviving attacking units may pursue; hexes: %(hexes)s. Which units pursue? “none” is possible.",
)
PURSUES = message("unit-pursues", "The unit %(unit)s may pursue; hexes: %(hexes)s.")
NO_PURSUIT = message("no-pursuit", "No unit pursues.")
PURSUIT_UNIT = message("pursuit-option", "The unit %(unit)s.")


def pursuit(name: str, rule: str, hexes: int) -> Step:
    """A line by which the attackers still there may pursue."""

    def asks(at: Board) -> Question:
        if postponed(at):
            return known(None)
        units = survivors(at, "attacker")
        options = tuple(Option(unit.id, PURSUIT_UNIT, {"unit": unit.id}) for unit in units)
        return ask(ASK_PURSUIT, ChooseSome(options, 0, len(options)), hexes=hexes)

    def do(at: Board, given: list[str] | None) -> tuple[Board, Where]:
        if given is None:
            return onward(at)
        for unit in given:
            at = at.tell(PURSUES, rule, unit=unit, hexes=hexes)
        at = at if given else at.tell(NO_PURSUIT, rule)
        return (at, "over") if at.recall("last") else onward(at)

    return decision(name, rule, asks, do)


def postponed(at: Board) -> bool:
    """Does the pursuit wait until the markers have changed their place (C81)?"""
    return at.choice("pursuit-order") == "after-the-markers" and not at.recall("last")


# -- markers won and lost ----------------------------------------------------------------------------

WINS_MARKERS = message(
    "draws-markers", "%(player)s: draw at random and at no cost from the pool; Stratagem markers: %(count)s."
)
LOSES_MARKERS = message(
    "returns-markers", "%(player)s: return at random from the hand to the pool; Stratagem markers: %(count)s."
)
NO_MARKERS = message(
    "no-markers-change",
    'No involved unit has a printed movement factor of "3": no Stratagem marker is gained or lost.',
)


def changes_markers(name: str, rule: str, role: Role, count: int) -> Step:
    """A line by which a side draws or returns markers, if an involved unit allows it."""
    draws_them = name.endswith("draws")

    def do(at: Board) -> tuple[Board, Where]:
        where = f"/agenda/{len(at.agenda) - 1}/memory"
        if not must_know(markers_change(at, involved(at, "attacker"), involved(at, "defender"), where)):
            return onward(at.tell(NO_MARKERS, rule, "jul:crt.marker-condition"))
        side = side_of(at, role)
        said = WINS_MARKERS if draws_them else LOSES_MARKERS
        at = at.tell(said, rule, "jul:crt.marker-condition", player=PLAYER[side], count=count)
        at, goes = draws(at, side, "pool" if draws_them else "hand", count, "combat")
        return (at, goes) if goes else onward(at)

    return automatic(name, rule, do)


# -- the seven results -------------------------------------------------------------------------------

COMBAT_OVER = message("combat-over", "The combat is over: every line of its result is done, in order.")


def over(at: Board) -> tuple[Board, Where]:
    """The combat is resolved, once a pursuit that was put off is done."""
    if at.agenda[-1].procedure in PURSUITS and postponed(at):
        return at.remember(last=True), "pursuit"
    combat = at.position.combat
    if combat is not UNSET and combat is not None:
        for side in (combat.attacker, combat.defender):
            at = at if side is UNSET else mind_hand_limit(at, side)
    at = at if combat is UNSET else at.change(combat=None)
    return at.tell(COMBAT_OVER, "jul:crt.order"), end()


OVER = automatic("over", "jul:crt.order", over)

AC = procedure(
    "combat-ac",
    CombatMemory,
    automatic("attackers-eliminated", "jul:crt.AC.1", eliminate_all("attacker")),
    changes_markers("defender-draws", "jul:crt.AC.2", "defender", 2),
    changes_markers("attacker-returns", "jul:crt.AC.3", "attacker", 2),
    OVER,
)
AD = procedure(
    "combat-ad",
    CombatMemory,
    loses_half("attacker-losses", "jul:crt.AD.1", "attacker"),
    automatic("attackers-retreat", "jul:crt.AD.2", retreat("attacker")),
    changes_markers("defender-draws", "jul:crt.AD.3", "defender", 1),
    changes_markers("attacker-returns", "jul:crt.AD.4", "attacker", 1),
    OVER,
)
AR = procedure(
    "combat-ar",
    CombatMemory,
    loses_half("attacker-losses", "jul:crt.AR.1", "attacker"),
    routs("attackers-rout", "jul:crt.AR.2", "attacker"),
    changes_markers("defender-draws", "jul:crt.AR.3", "defender", 1),
    changes_markers("attacker-returns", "jul:crt.AR.4", "attacker", 1),
    OVER,
)
BB = procedure(
    "combat-bb",
    CombatMemory,
    automatic("fewer-eliminated", "jul:crt.BB.1", fewer_eliminated),
    decision("other-side-losses", "jul:crt.BB.2", ask_matching_losses, lose_as_much),
    pursuit("pursuit", "jul:crt.BB.3", 1),
    OVER,
)
DC = procedure(
    "combat-dc",
    CombatMemory,
    automatic("defenders-eliminated", "jul:crt.DC.1", eliminate_all("defender")),
    pursuit("pursuit", "jul:crt.DC.2", 2),
    changes_markers("attacker-draws", "jul:crt.DC.3", "attacker", 2),
    changes_markers("defender-returns", "jul:crt.DC.4", "defender", 2),
    OVER,
)
DD = procedure(
    "combat-dd",
    CombatMemory,
    loses_half("defender-losses", "jul:crt.DD.1", "defender"),
    automatic("defenders-retreat", "jul:crt.DD.2", retreat("defender")),
    pursuit("pursuit", "jul:crt.DD.3", 1),
    changes_markers("attacker-draws", "jul:crt.DD.4", "attacker", 1),
    changes_markers("defender-returns", "jul:crt.DD.5", "defender", 1),
    OVER,
)
DR = procedure(
    "combat-dr",
    CombatMemory,
    loses_half("defender-losses", "jul:crt.DR.1", "defender"),
    routs("defenders-rout", "jul:crt.DR.2", "defender"),
    pursuit("pursuit", "jul:crt.DR.3", 1),
    changes_markers("attacker-draws", "jul:crt.DR.4", "attacker", 1),
    changes_markers("defender-returns", "jul:crt.DR.5", "defender", 1),
    OVER,
)

RESULTS: dict[Result, Procedure] = {"AC": AC, "AD": AD, "AR": AR, "BB": BB, "DC": DC, "DD": DD, "DR": DR}
PURSUITS = tuple(table.name for table in RESULTS.values() if "pursuit" in table.steps)
TABLES.update({table.name: table for table in RESULTS.values()})

ACTION = Action(
    CombatResult,
    "jul:crt",
    Term("jul.combat_resolution"),
    message("action.combat-result", "A combat has been resolved, and its result is carried out."),
    may_carry_out,
    begin_result,
)
