"""Losses in combat: a whole side, half of it rounded up, or as much as the other side lost."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from engine.exceptions import Refused
from engine.julian.board import Board
from engine.julian.forces import (
    OTHER,
    ROLE,
    UNITS,
    UNITS_NAMED,
    CombatMemory,
    by_name,
    strength,
    survivors,
    with_factors,
)
from engine.julian.position import Role
from engine.messages import Message, message, question, requirement
from engine.questions import ChooseSome, Option, Question, ask, known
from engine.tables import Step, automatic, decision
from engine.verdict import must_know, needs

ALL_ELIMINATED = message("all-eliminated", "All %(units)s are eliminated.", outcome=True)
MAY_BE_DELAYED = message(
    "return-may-be-delayed",
    "The return of the eliminated units as reinforcements may be delayed. How long is not in the player aid: see rule 15.10.",
    tells="detail",
)
UNIT_LOST = message("unit-eliminated", "Unit %(unit)s is eliminated.", outcome=True)
NOTHING_LOST = message("nothing-lost", "No strength point has to be given up.")
ASK_HALF = question(
    "ask-half-lost",
    "Which units does the %(role)s lose?",
    lead="%(role)s: half of %(have)s strength points, rounded up, is %(need)s.",
    hint="The owner gives up whole units with at least that many printed combat factors in all.",
)
ASK_LOSSES = question(
    "ask-losses",
    "Which units does the %(role)s lose?",
    lead="Losses of the %(role)s: the owner gives up whole units with at least %(need)s printed combat factors in "
    "all.",
)
HALF_OF = message(
    "half-of-strength",
    "%(role)s: half of %(have)s strength points, rounded up, is %(need)s; at least that many are eliminated.",
)
AS_MUCH_AS = message(
    "as-much-as-the-other-side",
    "%(role)s: the other side has lost %(need)s printed combat factors; at least as many must be eliminated on this side.",
)
UNIT_OPTION = message("unit-option", "Unit %(unit)s, printed combat factor %(combat)s.")
TOO_LITTLE = requirement(
    "losses-too-small",
    "The units named have %(have)s printed combat factors; at least %(need)s must be eliminated.",
    met="Enough units are eliminated.",
)
NOT_THE_LEAST = requirement(
    "losses-not-the-least",
    "The units named have %(have)s printed combat factors; %(least)s would be enough, and by the reading chosen here you may not give up more than that.",
    met="No more than necessary is eliminated.",
)
MORE_THAN_NEEDED = message(
    "losses-larger-than-needed",
    "The units named have %(have)s printed combat factors; units with a total of %(least)s would be enough.",
)
TIE = message("bloodbath-tie", "Both sides have the same total of printed combat factors: %(have)s.")
TIE_NOBODY = message(
    "bloodbath-tie-nobody",
    "Neither side has fewer printed combat factors, so by the reading chosen here no unit is eliminated.",
)


ELIMINATED: dict[Role, Message] = {
    "attacker": message("row.combat-result.attackers-eliminated", "All attacking units are eliminated"),
    "defender": message("row.combat-result.defenders-eliminated", "All defending units are eliminated"),
}
HALF_LOST: dict[Role, Message] = {
    "attacker": message("row.combat-result.attacker-losses", "The attacker gives up half"),
    "defender": message("row.combat-result.defender-losses", "The defender gives up half"),
}


def all_eliminated(rule: str, role: Role) -> Step:
    """A line that eliminates a whole side."""

    def do(at: Board, noted: CombatMemory) -> Board:
        at = wipe_out(at, noted, rule, role)
        return at.tell(MAY_BE_DELAYED, rule) if role == "attacker" else at

    return automatic(f"{UNITS[role]}-eliminated", rule, do, title=ELIMINATED[role])


def wipe_out(at: Board, noted: CombatMemory, rule: str, *roles: Role) -> Board:
    """Every unit of a side, or of both, is eliminated."""
    gone = [unit.id for role in roles for unit in survivors(noted, role)]
    at = at.remember(lost=(*noted.lost, *gone))
    for name in gone:
        at = at.mark_unit(name, eliminated=True)
    for role in roles:
        at = at.tell(ALL_ELIMINATED, rule, role=ROLE[role], units=UNITS_NAMED[role])
    return at


class Due(NamedTuple):
    """What a side has to give up: so many strength points, and the total they are half of, if they are."""

    role: Role
    need: int
    half_of: int | None = None


def half(at: Board, noted: CombatMemory, role: Role) -> Due:
    """Half of a side's strength points, rounded up."""
    have = strength(at, noted, role)
    return Due(role, -(-have // 2), have)


def half_lost(rule: str, role: Role) -> Step:
    """A line by which a side loses half its strength points, the owner choosing the units."""

    def asks(at: Board, noted: CombatMemory) -> Question:
        return ask_losses(at, noted, half(at, noted, role))

    def do(at: Board, noted: CombatMemory, given: list[str]) -> Board:
        return lose(at, noted, half(at, noted, role), given, rule)

    return decision(f"{role}-losses", rule, asks, do, title=HALF_LOST[role])


def ask_losses(at: Board, noted: CombatMemory, due: Due) -> Question:
    """Which units go; nothing is asked where only all or none will do."""
    factors = told_factors(at, noted, due.role)
    if not due.need:
        return known([])
    if fewest_units(list(factors.values()), due.need) == len(factors):
        return known(list(factors))
    at.choice("losses")  # who picks, and how much, is read so: whoever is asked should see it
    units = tuple(
        Option(name, UNIT_OPTION, {"unit": name, "combat": combat}) for name, combat in factors.items()
    )
    chosen = ChooseSome(
        units, 1, len(units), ("combat", due.need)
    )  # too little is refused by its points, not by how many units
    if due.half_of is None:
        return ask(ASK_LOSSES, chosen, result=by_name(at), role=ROLE[due.role], need=due.need)
    shown = {"result": by_name(at), "role": ROLE[due.role]}
    return ask(ASK_HALF, chosen, **shown, have=due.half_of, need=due.need)


def told_factors(at: Board, noted: CombatMemory, role: Role) -> dict[str, int]:
    """The printed combat factors of a side by the names of its units."""
    return {unit.id: must_know(factor) for unit, factor in with_factors(at, noted, role)}


def fewest_units(factors: list[int], need: int) -> int:
    """How few units can make up the losses."""
    made = 0
    for count, factor in enumerate(sorted(factors, reverse=True), start=1):
        made += factor
        if made >= need:
            return count
    return len(factors)


def least_sum(factors: Iterable[int], need: int) -> int:
    """The smallest sum of whole units that is enough."""
    sums = {0}
    for factor in factors:
        sums |= {one + factor for one in sums}
    return min(one for one in sums if one >= need)


def lose(at: Board, noted: CombatMemory, due: Due, given: list[str], rule: str) -> Board:
    """Check that the units given up are enough, and eliminate them."""
    factors, need = told_factors(at, noted, due.role), due.need
    have = sum(factors[name] for name in given)
    if have < need:
        raise Refused(needs(False, TOO_LITTLE, rule, pointer="/inputs", have=have, need=need))
    at = mind_the_least(tell_due(at, due, rule), factors, given, need, rule)
    if not given:
        at = at.tell(NOTHING_LOST, rule)
    for name in given:
        at = at.tell(UNIT_LOST, rule, unit=name).mark_unit(name, eliminated=True)
    return at.remember(lost=(*noted.lost, *given))


def tell_due(at: Board, due: Due, rule: str) -> Board:
    """Say the sum behind the number."""
    if due.half_of is None:
        return at.tell(AS_MUCH_AS, rule, role=ROLE[due.role], need=due.need)
    return at.tell(HALF_OF, rule, role=ROLE[due.role], have=due.half_of, need=due.need)


def mind_the_least(at: Board, factors: dict[str, int], given: list[str], need: int, rule: str) -> Board:
    """More than the least possible is the owner's right, or forbidden where it is read so (C78)."""
    have, least = sum(factors[name] for name in given), least_sum(factors.values(), need)
    if have == least and (least == 0 or all(have - factors[name] < need for name in given)):
        return at
    if at.choice("losses") == "as-little-as-possible":
        raise Refused(needs(False, NOT_THE_LEAST, rule, pointer="/inputs", have=have, least=least))
    return at.warn(MORE_THAN_NEEDED, rule, pointer="/inputs", have=have, need=need, least=least)


# -- BB: the side with less is wiped out ---------------------------------------------------------------


FEWER, AS_MUCH = "jul:crt.BB.1", "jul:crt.BB.2"


def fewer_eliminated(at: Board, noted: CombatMemory) -> Board:
    """BB 1: all units of the side with fewer printed combat factors; on a tie as chosen (C79)."""
    attack, defence = strength(at, noted, "attacker"), strength(at, noted, "defender")
    if attack != defence:
        return wipe_out(at, noted, FEWER, "attacker" if attack < defence else "defender")
    at = at.tell(TIE, FEWER, have=attack)
    if at.choice("bloodbath-tie") == "both-eliminated":
        return wipe_out(at, noted, FEWER, "attacker", "defender")
    return at.tell(TIE_NOBODY, FEWER)


def stronger_side(at: Board, noted: CombatMemory) -> Role | None:
    """The side that lives on after BB 1, None on a tie."""
    attack, defence = strength(at, noted, "attacker"), strength(at, noted, "defender")
    return None if attack == defence else "attacker" if attack > defence else "defender"


def ask_matching_losses(at: Board, noted: CombatMemory) -> Question:
    """BB 2: the other side gives up at least as much."""
    role = stronger_side(at, noted)
    return known(None) if role is None else ask_losses(at, noted, as_much(at, noted, role))


def as_much(at: Board, noted: CombatMemory, role: Role) -> Due:
    """As many printed combat factors as the other side had."""
    return Due(role, strength(at, noted, OTHER[role]))


def lose_as_much(at: Board, noted: CombatMemory, given: list[str] | None) -> Board:
    """BB 2: whole units of its own choice."""
    role = stronger_side(at, noted)
    if role is None or given is None:
        return at
    return lose(at, noted, as_much(at, noted, role), given, AS_MUCH)
