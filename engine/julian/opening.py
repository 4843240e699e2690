"""Opening a combat: the Military of both sides in turn, the sums, and the result, read off or looked up."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, ClassVar, get_args

from msgspec import Meta, Struct, UnsetType, structs

from engine.actions import NOT_NAMED, Action, is_named
from engine.chance import Die
from engine.julian import stratagems
from engine.julian.board import PLAYER, RESULT, Board, opponent
from engine.julian.combat import combat_units, resolve
from engine.julian.forces import (
    ASK_UNITS,
    ROLE,
    Force,
    Forces,
    as_unit,
    combat_factor,
    combatants,
    forces,
)
from engine.julian.imperium import uses_named
from engine.julian.playing import PlayStratagem, meant, phase_now
from engine.julian.position import Combat, Name, Result, Role, Side
from engine.memory import NOT_NOTED, Memory, Noted
from engine.messages import Message, Term, message, requirement
from engine.pointers import escape
from engine.questions import Choose, Option, Question, Read, ask, known
from engine.tables import Step, Where, automatic, call, chance, decision, instead, procedure, reading
from engine.verdict import Caution, Check, Unknown, denied, is_told, must_know, needs, total


class OpenCombat(Struct, frozen=True, forbid_unknown_fields=True, tag_field="kind", tag="open-combat"):
    """A combat is opened: who attacks whom, with which units, and whom the terrain doubles."""

    attackers: Force | UnsetType = NOT_NAMED
    defenders: Force | UnsetType = NOT_NAMED
    id: Name | UnsetType = NOT_NAMED
    attacker: Side | UnsetType = NOT_NAMED
    defender: Side | UnsetType = NOT_NAMED
    doubled_by_terrain: tuple[Side, ...] | UnsetType = NOT_NAMED


# -- what may be opened ------------------------------------------------------------------------------

ATTACKER_IS_ACTIVE = requirement(
    "attacker-not-the-active-player",
    "The attacker is the player whose Operations Phase it is; the other player does not attack now.",
    met="The attacker is the player whose Operations Phase it is.",
)
COMBAT_ELSEWHEN = requirement(
    "combat-not-in-operations-phase",
    "Combats take place in an Operations Phase; it is now the %(phase)s.",
    met="It is an Operations Phase.",
)
COMBAT_OPEN = requirement(
    "another-combat-open",
    "Another combat is being resolved and has no result yet; one combat is resolved after the other.",
    met="No other combat is being resolved.",
)
SAME_SIDE = requirement(
    "combat-of-one-side",
    "Attacker and defender must be two different sides; here they are the same.",
    met="Attacker and defender are two different sides.",
)


def may_open(at: Board, do: OpenCombat) -> Iterator[Check | Caution]:
    """In an Operations Phase, by its player, with units on both sides, and not before the last one has its result."""
    rule = "jul:seq.subphases"
    yield in_operations(at)
    attacker = attacking(do)
    if attacker is None:
        must_know(at.active)
    else:
        acts = at.active == attacker
        where = "/active" if isinstance(acts, Unknown) else "/action/attacker"
        yield at.occasion(acts, ATTACKER_IS_ACTIVE, rule, pointer=where, takes=attacker)
        yield needs(attacker != do.defender, SAME_SIDE, rule, pointer="/action/defender")
    yield no_combat_open(at)
    brought = named_forces(at, do)
    yield from combat_units(brought.attackers, brought.defenders, rule)


def may_open_any(at: Board, _: None) -> Iterator[Check]:
    """What every combat needs, whoever fights in it."""
    yield in_operations(at)
    yield no_combat_open(at)


def in_operations(at: Board) -> Check:
    """It is an Operations Phase."""
    rule, fits, shown = "jul:seq.subphases", at.phase == "operations", {"phase": phase_now(at.phase)}
    return at.occasion(fits, COMBAT_ELSEWHEN, rule, pointer="/phase", takes="operations", **shown)


def no_combat_open(at: Board) -> Check:
    """The last combat has its result."""
    ended = denied(at.combat_open)
    return at.occasion(ended, COMBAT_OPEN, "jul:seq.subphases", pointer="/combat", takes=None)


def attacking(do: OpenCombat) -> Side | None:
    """The attacker as he is named, or as the player who does not defend; None where neither is named."""
    if is_named(do.attacker):
        return do.attacker  # type: ignore[return-value]  # it is a side
    return opponent(do.defender) if is_named(do.defender) else None  # type: ignore[arg-type]


def named_forces(at: Board, do: OpenCombat) -> Forces:
    """The units of the new combat: those of one before it are not its own."""
    return forces(at.change(combat=None), do.attackers, do.defenders)


COMBAT_OPENED = message("combat-opened", "A combat begins. Attacker: %(attacker)s. Defender: %(defender)s.")


def begin_combat(at: Board, do: OpenCombat) -> tuple[Board, Where]:
    """The combat stands in the position, with its units, and both sides are asked for a Military."""
    attacker: Side = attacking(do) or must_know(at.active)  # type: ignore[assignment]
    defender: Side = do.defender if is_named(do.defender) else opponent(attacker)  # type: ignore[assignment]
    brought = named_forces(at, do)
    fought = Combat(
        id=do.id if is_named(do.id) else free_name(at),
        attacker=attacker,
        defender=defender,
        doubled_by_terrain=do.doubled_by_terrain,
        units=combatants(brought.attackers, brought.defenders),
    )
    at = at.change(combat=fought, last_play=None, last_roll=None)
    shown = {"attacker": PLAYER[attacker], "defender": PLAYER[defender]}
    return at.tell(COMBAT_OPENED, "jul:seq.subphases", **shown), call(OPEN_COMBAT)


def free_name(at: Board) -> str:
    """A name for a combat that was given none: the first number that no combat of this phase has."""
    plays = () if isinstance(at.played, Unknown) else at.played
    taken = {play.combat for play in plays} | {at.combat_name}
    return next(str(number) for number in range(1, len(taken) + 2) if str(number) not in taken)


# -- the Military of both sides ----------------------------------------------------------------------

ASK_MILITARY = message("ask-play-military", "%(player)s (%(role)s): do you play a Military in this combat?")
NO_MILITARY = message("no-military", "Play no Military.")
NOT_A_MILITARY = requirement(
    "not-a-military-now",
    "The only question now is whether the %(role)s plays a Military in this combat.",
    met="This is the Military that is asked for.",
)
TITLES: dict[Role, Message] = {
    "attacker": message("row.open-combat.attacker-military", "Does the attacker play a Military?"),
    "defender": message("row.open-combat.defender-military", "Does the defender play a Military?"),
}

ASK_COMBAT_DIE = message("ask-combat-die", "The attacker rolls the combat resolution die. What does it show?")


class OpeningMemory(Memory, frozen=True):
    """The column of the combat table that was read, and the result."""

    column: Noted[Name] = NOT_NOTED
    die: Noted[Annotated[int, Meta(ge=1, le=6)]] = NOT_NOTED
    result: Noted[Result] = NOT_NOTED

    questions: ClassVar[dict[str, Message]] = {
        "column": message("ask-table-column", "Which column of your combat table is used?"),
        "die": ASK_COMBAT_DIE,
        "result": message("ask-result-read", "Which result does your combat table give?"),
    }


def military(role: Role, then: str) -> Step:
    """One side's window, open until it declines or may play none any more."""

    def asks(at: Board, _noted: OpeningMemory) -> Question:
        return ask(ASK_MILITARY, player=PLAYER[must_know(at.combat_fact(role))], role=ROLE[role])

    def demands(at: Board, _noted: OpeningMemory, do: PlayStratagem) -> Iterator[Check]:
        do = meant(do)
        uses = uses_named(do) if do.use == "as" and isinstance(do.as_, str) else (do.use,)
        fits = "fight" in uses and do.by == must_know(at.combat_fact(role))
        yield needs(fits, NOT_A_MILITARY, "jul:military.combat", pointer="/inputs", role=ROLE[role])

    def could_help(at: Board) -> Iterator[stratagems.Played]:
        held = stratagems.in_hand(at, must_know(at.combat_fact(role)))
        return (one for one in held if one[2] in ("fight", "as"))

    return decision(
        f"{role}-military",
        ("jul:military.combat", "jul:military.limit"),
        asks,
        takes=(structs.replace(stratagems.ACTION, subjects=could_help),),
        demands=demands,
        or_else=instead(NO_MILITARY, then),
        then=then,
        title=TITLES[role],
    )


# -- the sums ----------------------------------------------------------------------------------------

SUM = message(
    "combat-sum",
    "%(role)s: %(printed)s printed combat factors, multiplied by %(factor)s, make %(total)s.",
    whole=True,
    one=(
        "printed",
        "%(role)s: %(printed)s printed combat factor, multiplied by %(factor)s, makes %(total)s.",
    ),
)
SUM_BY_TERRAIN = message(
    "combat-sum-by-terrain",
    "%(role)s: %(printed)s printed combat factors. A Military doubles them to %(doubled)s, or triples them to %(tripled)s if the terrain doubles them already.",
    one=(
        "printed",
        "%(role)s: %(printed)s printed combat factor. A Military doubles it to %(doubled)s, or triples it to %(tripled)s if the terrain doubles it already.",
    ),
)
SUM_PRINTED = message(
    "combat-sum-printed",
    "%(role)s: %(printed)s printed combat factors.",
    whole=True,
    one=("printed", "%(role)s: %(printed)s printed combat factor."),
)


def say_sums(at: Board, _noted: OpeningMemory) -> Board:
    """What each side brings, as far as its printed factors are told."""
    for role in get_args(Role):
        at = say_sum(at, role)
    return at


def say_sum(at: Board, role: Role) -> Board:
    """One side's printed combat factors, and what Military and terrain make of them."""
    units = at.units(role)
    if isinstance(units, Unknown):
        return at
    printed = total(combat_factor(as_unit(unit), "") for unit in units)
    if isinstance(printed, Unknown):
        return at
    side, by_terrain = must_know(at.combat_fact(role)), at.combat_fact("doubled_by_terrain")
    helped = at.doubled(side)
    if isinstance(by_terrain, Unknown):
        if not helped:
            return at.tell(SUM_PRINTED, "jul:military.combat", role=ROLE[role], printed=printed)
        shown = {"printed": printed, "doubled": 2 * printed, "tripled": 3 * printed}
        return at.tell(SUM_BY_TERRAIN, "jul:military.combat", "jul:military.triple", role=ROLE[role], **shown)
    factor = 1 + (side in by_terrain) + helped
    rules = ("jul:military.combat", "jul:military.triple") if factor == 3 else ("jul:military.combat",)
    return at.tell(SUM, *rules, role=ROLE[role], printed=printed, factor=factor, total=factor * printed)


# -- the result --------------------------------------------------------------------------------------

ASK_COLUMN = message(
    "ask-combat-column", "Which column of your combat table do these sums and the terrain give?"
)
COLUMN = message("combat-column", "The column %(column)s.")
ASK_RESULT = message(
    "ask-combat-result", "Which result does your combat table give for the combat resolution die roll?"
)
RESULT_OPTION = message("combat-result-option", "%(result)s")
LOOKED_UP = message(
    "combat-result-looked-up", "In your combat table, column %(column)s, die %(die)s: %(result)s."
)
NOT_IN_TABLE = message(
    "combat-result-not-in-table",
    "The combat table you have given has no result for column %(column)s and die %(die)s.",
)


def ask_column(at: Board, _noted: OpeningMemory) -> Question:
    """Which column, if the player has told his combat table."""
    columns = at.components.julian.combat_table
    if not columns:
        return known(None)
    return ask(ASK_COLUMN, Choose(tuple(Option(name, COLUMN, {"column": name}) for name in columns)))


def note_column(at: Board, _noted: OpeningMemory, column: str | None) -> tuple[Board, str]:
    """Without a table the result is read off the player's copy."""
    return (at, "result") if column is None else (at.remember(column=column), "die")


def ask_die(_at: Board, _noted: OpeningMemory) -> Question:
    """The combat resolution die."""
    return ask(ASK_COMBAT_DIE, Die())


def look_up(at: Board, noted: OpeningMemory, die: int) -> tuple[Board, str]:
    """The result that stands in the player's own table."""
    column = must_know(noted.column)
    found = at.components.julian.combat_table.get(column, {}).get(str(die))
    shown = {"column": column, "die": die}
    at = at.change(last_roll="combat")
    if found is None:
        return at.remember(die=die).tell(NOT_IN_TABLE, "jul:crt.order", **shown), "result"
    at = at.tell(LOOKED_UP, "jul:crt.order", **shown, result=RESULT[found])
    return at.remember(result=found), "carry-out"


def ask_result(_at: Board, noted: OpeningMemory) -> Question:
    """The result as the player reads it."""
    cell = is_told(noted.column) and is_told(noted.die)
    place = f"/components/julian/combat_table/{escape(str(noted.column))}/{noted.die}" if cell else ""
    options = tuple(Option(code, RESULT_OPTION, {"result": RESULT[code]}) for code in get_args(Result))
    return ask(ASK_RESULT, Read(Result, options, place=place))


def note_result(at: Board, _noted: OpeningMemory, result: Result) -> Board:
    """What was read."""
    return at.remember(result=result)


def carry_out(at: Board, noted: OpeningMemory) -> tuple[Board, Where]:
    """The result's own list; a marker played before it was not just played any more."""
    attackers, defenders = must_know(at.units("attacker")), must_know(at.units("defender"))
    at = at.change(last_roll="combat", last_play=None)
    return resolve(
        at, must_know(noted.result), tuple(map(as_unit, attackers)), tuple(map(as_unit, defenders))
    )


OPEN_COMBAT = procedure(
    "open-combat",
    OpeningMemory,
    military("attacker", "defender-military"),
    military("defender", "sums"),
    automatic("sums", "jul:military.combat", say_sums, title="The sums of both sides"),
    reading(
        "column",
        "jul:crt.order",
        ask_column,
        note_column,
        goes=("die", "result"),
        title="The column of your table",
    ),
    chance(
        "die",
        "jul:crt.order",
        ask_die,
        look_up,
        goes=("carry-out", "result"),
        title="The combat resolution die",
    ),
    reading(
        "result", "jul:crt.order", ask_result, note_result, then="carry-out", title="The result of your table"
    ),
    automatic("carry-out", "jul:crt.order", carry_out, title="The result is carried out"),
    title="Opening a combat",
)

# Which units stand where only the players' map says: the ways cannot be listed.
ACTION = Action(
    OpenCombat,
    "jul:crt",
    Term("jul.combat"),
    message("action.open-combat", "A combat is opened: both sides may play a Military, then it is resolved."),
    may_open,
    begin_combat,
    may_at_all=may_open_any,
    asks=ASK_UNITS,
)
