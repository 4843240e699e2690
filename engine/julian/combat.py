"""The Combat Results: seven codes, each a numbered list that is done in its order.

The combat table, the terrain and the map are the player's own: the result comes in with the action,
and retreats and pursuits are said, not moved.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from msgspec import Struct, UnsetType, structs

from engine.actions import NOT_NAMED, Action
from engine.chance import Die
from engine.julian import stratagems
from engine.julian.board import PHASE, PLAYER, RESULT, Board, is_there
from engine.julian.forces import (
    ASK_UNITS,
    OTHER,
    ROLE,
    UNITS,
    CombatMemory,
    Force,
    Forces,
    Unit,
    by_name,
    can_move,
    combat_factor,
    combatants,
    forces,
    involved,
    markers_change,
    side_of,
    survivors,
    under_way,
)
from engine.julian.losses import (
    AS_MUCH,
    FEWER,
    UNIT_LOST,
    all_eliminated,
    ask_matching_losses,
    fewer_eliminated,
    half_lost,
    lose_as_much,
)
from engine.julian.markers import Source, draws, mind_hand_limit
from engine.julian.playing import PlayStratagem, meant
from engine.julian.position import Result, Role
from engine.messages import Message, Term, message, question, requirement
from engine.questions import ChooseSome, Option, Question, ask, known
from engine.tables import (
    END,
    Does,
    Procedure,
    Step,
    Where,
    automatic,
    call,
    chance,
    decision,
    instead,
    procedure,
)
from engine.verdict import Caution, Check, ask_at_once, certain, is_told, must_know, needs, refuted, warns


class CombatResult(Struct, frozen=True, forbid_unknown_fields=True, tag_field="kind", tag="combat-result"):
    """A combat has been resolved; its result is carried out."""

    result: Result
    attackers: Force | UnsetType = NOT_NAMED
    defenders: Force | UnsetType = NOT_NAMED


# -- what must be known ------------------------------------------------------------------------------

NO_UNITS = requirement(
    "combat-without-units",
    "A combat needs attacking units and defending units; here one side has none.",
    met="Both sides have units in this combat.",
)
UNIT_TWICE = requirement(
    "unit-named-twice",
    "Unit %(unit)s is listed twice; each unit needs a name of its own.",
    met="Each unit has a name of its own.",
)
NO_COMBAT_TOLD = message(
    "no-combat-told",
    "In this position no combat is being resolved; the result is carried out all the same: %(result)s.",
)


RESULT_IS = message("combat-result-is", "The result of the combat is %(result)s.")
OUTSIDE_OPERATIONS = message(
    "combat-outside-operations",
    "Combats take place in an Operations Phase, and it is now the %(phase)s. The result is carried out all the "
    "same: %(result)s.",
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
    brought = forces(at, do.attackers, do.defenders)
    yield from combat_units(brought.attackers, brought.defenders, first_line(do.result))
    if at.combat is None:
        yield warns(NO_COMBAT_TOLD, "jul:crt.order", pointer="/combat", result=RESULT[do.result])
    if refuted(at.phase == "operations"):
        shown = {"phase": PHASE[at.phase], "result": RESULT[do.result]}
        yield warns(OUTSIDE_OPERATIONS, "jul:seq.subphases", pointer="/phase", **shown)
    ask_at_once(facts_needed(at, do.result, brought))


def combat_units(attackers: Force, defenders: Force, rule: str) -> Iterator[Check]:
    """Both sides have units, and each unit has a name of its own."""
    yield needs(bool(attackers and defenders), NO_UNITS, rule, pointer="/action")
    names = [unit.id for unit in (*attackers, *defenders)]
    twice = sorted({name for name in names if names.count(name) > 1})
    yield needs(not twice, UNIT_TWICE, rule, pointer="/action", unit=", ".join(twice))


def facts_needed(at: Board, result: Result, brought: Forces) -> Iterator[Any]:
    """Every fact this result cannot do without."""
    units: dict[Role, Force] = {"attacker": brought.attackers, "defender": brought.defenders}
    for role in FACTORS_NEEDED.get(result, ()):
        for place, unit in enumerate(units[role]):
            yield combat_factor(unit, f"/action/{UNITS[role]}/{place}")
    if result == "BB":
        return
    won = markers_change(at, brought.attackers, brought.defenders, "/action")
    yield won
    if certain(won):
        loser: Role = "attacker" if result[0] == "A" else "defender"
        yield at.size("pool")
        yield at.combat_fact(OTHER[loser])
        side = at.combat_fact(loser)
        yield at.size(side) if is_told(side) else side


def begin_result(at: Board, do: CombatResult) -> tuple[Board, Where]:
    """The result's own list, from its first line; a marker played before it was not just played any more."""
    at = at.change(last_roll="combat")
    at = at.change(last_play=None) if is_told(at.last_play) else at
    brought = forces(at, do.attackers, do.defenders)
    return resolve(at, do.result, brought.attackers, brought.defenders)


def resolve(at: Board, result: Result, attackers: Force, defenders: Force) -> tuple[Board, Where]:
    """Name the result, keep it and the units with the combat, and go to the first line."""
    at = at.note_combat(result=result, units=combatants(attackers, defenders))
    at = at.tell(RESULT_IS, "jul:crt.order", result=RESULT[result])
    return at, call(RESULTS[result], attackers=attackers, defenders=defenders)


# -- retreats ----------------------------------------------------------------------------------------

RETREATS = message(
    "unit-retreats",
    "Unit %(unit)s must retreat %(hexes)s hexes; the %(role)s chooses the path.",
    outcome=True,
    one=("hexes", "Unit %(unit)s must retreat %(hexes)s hex; the %(role)s chooses the path."),
)
RETREAT_ELSEWHERE = message(
    "retreat-not-in-the-aid",
    "The player aid does not say which hexes are open to a retreat, nor what happens if none is or a unit cannot move.",
    tells="detail",
)
RETREAT_HEXES_ELSEWHERE = message(
    "retreat-hexes-not-in-the-aid",
    "The player aid does not say which hexes are open to a retreat, nor what happens if none is.",
    tells="detail",
)
ASK_ROUT_AGAIN = question(
    "ask-rout-again",
    "Is the die for the rout of unit %(unit)s rolled again at once with an Imperium?",
    lead="Unit %(unit)s has rolled %(die)s for its rout.",
)
KEEP_THE_DIE = message("keep-the-die", "Keep the die as it is.")
NOT_A_REROLL = requirement(
    "not-a-reroll",
    "The only question here is whether the die just rolled is rolled again with an Imperium.",
    met="This rolls the die just rolled again.",
)
CANNOT_RETREAT = message(
    "unit-cannot-retreat",
    "Unit %(unit)s has a printed movement factor of 0: it cannot retreat and, by the reading chosen here, is eliminated.",
    outcome=UNIT_LOST,
    whole=True,
)
ASK_ROUT = question(
    "ask-rout-die",
    "Unit %(unit)s routs: its owner rolls a die for the number of hexes it retreats.",
    hint="The player aid does not say which die; a six-sided die is assumed.",
)


RETREAT: dict[Role, Message] = {
    "attacker": message("row.combat-result.attackers-retreat", "The attacking units retreat"),
    "defender": message("row.combat-result.defenders-retreat", "The defending units retreat"),
}
ROUT: dict[Role, Message] = {
    "attacker": message("row.combat-result.attackers-rout", "The attacking units rout"),
    "defender": message("row.combat-result.defenders-rout", "The defending units rout"),
}
ROUT_AGAIN: dict[Role, Message] = {
    "attacker": message(
        "row.combat-result.attackers-rout-again", "Is a die of the attacking units rolled again?"
    ),
    "defender": message(
        "row.combat-result.defenders-rout-again", "Is a die of the defending units rolled again?"
    ),
}


def retreat(rule: str, role: Role) -> Step:
    """A line by which the survivors of a side retreat one hex, the owner choosing."""

    def do(at: Board, noted: CombatMemory) -> Board:
        at = lose_immobile(at, noted, role, rule)
        left = survivors(under_way(at), role)
        for unit in left:
            at = at.tell(RETREATS, rule, unit=unit.id, hexes=1, role=ROLE[role])
            at = at.mark_unit(unit.id, retreats=1)
        return at.tell(not_in_the_aid(at), rule) if left else at

    return automatic(f"{UNITS[role]}-retreat", rule, do, title=RETREAT[role])


def rout(rule: str, role: Role, then: str) -> tuple[Step, Step]:
    """A line by which each surviving unit rolls for its retreat, the enemy choosing the path."""
    name, again = f"{UNITS[role]}-rout", f"{UNITS[role]}-rout-again"

    def asks(at: Board, noted: CombatMemory) -> Question:
        left = able_to_retreat(at, noted, role)[noted.routed :]
        return ask(ASK_ROUT, Die(), unit=left[0].id) if left else known(None)

    def do(at: Board, noted: CombatMemory, die: int | None) -> tuple[Board, Where]:
        left = able_to_retreat(at, noted, role)[noted.routed :]
        if die is None or not left:
            at = at.tell(not_in_the_aid(at), rule) if noted.routed else at
            return lose_immobile(too_late_to_reroll(at), noted, role, rule), then
        at = at.change(last_roll="rout").remember(routed=noted.routed + 1, rolled_by=left[0].id, rolled=die)
        at = at.tell(RETREATS, rule, unit=left[0].id, hexes=die, role=ROLE[OTHER[role]])
        return at.mark_unit(left[0].id, retreats=die), again

    def asks_again(at: Board, noted: CombatMemory) -> Question:
        if at.rules.reading("rout-dice") == "combat-rolls":  # never rolled again: nothing to ask
            return known(None)
        return ask(ASK_ROUT_AGAIN, unit=must_know(noted.rolled_by), die=must_know(noted.rolled))

    return (
        chance(name, rule, asks, do, goes=(again, then), title=ROUT[role]),
        decision(
            again,
            (rule, "jul:imperium.reroll"),
            asks_again,
            takes=(REROLL_IT,),
            demands=only_a_reroll,
            or_else=instead(KEEP_THE_DIE, name),
            then=name,
            title=ROUT_AGAIN[role],
        ),
    )


def could_reroll(at: Board) -> Iterator[stratagems.Played]:
    """An Imperium of either player, for the die."""
    return (one for one in stratagems.in_hands(at) if one[2] == "reroll")


REROLL_IT = structs.replace(stratagems.ACTION, subjects=could_reroll)


def too_late_to_reroll(at: Board) -> Board:
    """Each die had its moment to be rolled again; where none has one, the last stays what has just been rolled."""
    never = at.rules.reading("rout-dice") == "combat-rolls"
    return at if never or not certain(at.last_roll == "rout") else at.change(last_roll=None)


def only_a_reroll(_at: Board, _noted: CombatMemory, do: PlayStratagem) -> Iterator[Check]:
    """Right after a die the window is open for an Imperium that rolls it again."""
    yield needs(meant(do).use == "reroll", NOT_A_REROLL, "jul:imperium.reroll", pointer="/inputs")


def able_to_retreat(at: Board, noted: CombatMemory, role: Role) -> list[Unit]:
    """The survivors that retreat: all, or where it is read so all that can move (C80)."""
    units = survivors(noted, role)
    if at.choice("retreat-not-possible") == "players-see-their-rulebook":
        return list(units)
    places = [unit.id for unit in involved(noted, role)]
    where = f"/agenda/{len(at.agenda) - 1}/memory/{UNITS[role]}"
    return [unit for unit in units if must_know(can_move(unit, f"{where}/{places.index(unit.id)}"))]


def not_in_the_aid(at: Board) -> Message:
    """What the players look up in their rulebook (C80)."""
    eliminated = at.choice("retreat-not-possible") == "eliminated"
    return RETREAT_HEXES_ELSEWHERE if eliminated else RETREAT_ELSEWHERE


def lose_immobile(at: Board, noted: CombatMemory, role: Role, rule: str) -> Board:
    """Survivors that cannot retreat are eliminated, where it is read so (C80)."""
    able = [unit.id for unit in able_to_retreat(at, noted, role)]
    stuck = [unit.id for unit in survivors(noted, role) if unit.id not in able]
    for name in stuck:
        at = at.tell(CANNOT_RETREAT, rule, unit=name).mark_unit(name, eliminated=True)
    return at.remember(lost=(*noted.lost, *stuck)) if stuck else at


# -- pursuit -----------------------------------------------------------------------------------------

ASK_PURSUIT = question(
    "ask-pursuit",
    "Which units, if any, pursue?",
    lead="Surviving attacking units may pursue. Number of hexes: %(hexes)s.",
)
PURSUES = message(
    "unit-pursues",
    "Unit %(unit)s may pursue %(hexes)s hexes.",
    outcome=True,
    one=("hexes", "Unit %(unit)s may pursue %(hexes)s hex."),
)
NO_PURSUIT = message("no-pursuit", "No unit pursues.", tells="detail")
PURSUIT_UNIT = message("pursuit-option", "Unit %(unit)s.")


PURSUIT = message("row.combat-result.pursuit", "Pursuit")


def pursuit(rule: str, hexes: int, then: str) -> Step:
    """A line by which the attackers still there may pursue; the last of all where it was put off."""

    def asks(at: Board, noted: CombatMemory) -> Question:
        if postponed(at, noted):
            return known(None)
        units = survivors(noted, "attacker")
        options = tuple(Option(unit.id, PURSUIT_UNIT, {"unit": unit.id}) for unit in units)
        return ask(ASK_PURSUIT, ChooseSome(options, 0, len(options)), hexes=hexes, result=by_name(at))

    def do(at: Board, noted: CombatMemory, given: list[str] | None) -> tuple[Board, Where]:
        if given is None:
            return at, then
        for unit in given:
            at = at.tell(PURSUES, rule, unit=unit, hexes=hexes).mark_unit(unit, pursues=hexes)
        at = at if given else at.tell(NO_PURSUIT, rule)
        return at, "over" if noted.last else then

    goes = (then,) if then == "over" else (then, "over")
    return decision("pursuit", rule, asks, do, goes=goes, title=PURSUIT)


def postponed(at: Board, noted: CombatMemory) -> bool:
    """Does the pursuit wait until the markers have changed their place (C81)?"""
    return at.choice("pursuit-order") == "after-the-markers" and not noted.last


# -- markers won and lost ----------------------------------------------------------------------------

WINS_MARKERS = message(
    "draws-markers",
    "The %(player)s must draw %(count)s Stratagem markers from the pool, at random and at no cost.",
    one=(
        "count",
        "The %(player)s must draw %(count)s Stratagem marker from the pool, at random and at no cost.",
    ),
)
LOSES_MARKERS = message(
    "returns-markers",
    "The %(player)s must return %(count)s Stratagem markers from his hand to the pool, at random.",
    one=(
        "count",
        "The %(player)s must return %(count)s Stratagem marker from his hand to the pool, at random.",
    ),
)
NO_MARKERS = message(
    "no-markers-change",
    'No involved unit has a printed movement factor that counts as a "3": no Stratagem marker is gained or lost.',
    tells="detail",
)


DRAWS: dict[Role, Message] = {
    "attacker": message("row.combat-result.attacker-draws", "The attacker draws Stratagem markers"),
    "defender": message("row.combat-result.defender-draws", "The defender draws Stratagem markers"),
}
RETURNS: dict[Role, Message] = {
    "attacker": message("row.combat-result.attacker-returns", "The attacker returns Stratagem markers"),
    "defender": message("row.combat-result.defender-returns", "The defender returns Stratagem markers"),
}


def draws_markers(rule: str, role: Role, count: int) -> Step:
    """A line by which a side draws markers from the pool, if an involved unit allows it."""
    do = moves_markers(rule, role, count, "pool", WINS_MARKERS)
    return automatic(f"{role}-draws", rule, do, title=DRAWS[role])


def returns_markers(rule: str, role: Role, count: int) -> Step:
    """A line by which a side returns markers to the pool, if an involved unit allows it."""
    do = moves_markers(rule, role, count, "hand", LOSES_MARKERS)
    return automatic(f"{role}-returns", rule, do, title=RETURNS[role])


def moves_markers(rule: str, role: Role, count: int, source: Source, said: Message) -> Does:
    """What such a line does."""

    def do(at: Board, noted: CombatMemory) -> tuple[Board, Where | None]:
        where = f"/agenda/{len(at.agenda) - 1}/memory"
        if not must_know(markers_change(at, involved(noted, "attacker"), involved(noted, "defender"), where)):
            return at.tell(NO_MARKERS, rule, "jul:crt.marker-condition"), None
        side = side_of(at, role)
        at = at.tell(said, rule, "jul:crt.marker-condition", player=PLAYER[side], count=count)
        return draws(at, side, source, count, "combat")

    return do


# -- the seven results -------------------------------------------------------------------------------

COMBAT_OVER = message(
    "combat-over", "The combat is over: every line of %(result)s is done, in order.", tells="ritual"
)


def over(at: Board, _noted: CombatMemory) -> tuple[Board, Where]:
    """The combat is resolved."""
    roles: tuple[Role, ...] = ("attacker", "defender")
    for side in [at.combat_fact(role) for role in roles]:
        at = mind_hand_limit(at, side) if is_told(side) else at
    result = carried_out(at)
    if certain(is_there(at.combat)):
        at = at.note_combat(result=result)
    return at.tell(COMBAT_OVER, "jul:crt.order", result=RESULT[result]), END


def carried_out(at: Board) -> Result:
    """The result whose lines are being done."""
    return next(result for result, table in RESULTS.items() if table.name == at.agenda[-1].procedure)


def over_after_pursuit(at: Board, noted: CombatMemory) -> tuple[Board, Where]:
    """The combat is resolved, once a pursuit that was put off is done."""
    if postponed(at, noted):
        return at.remember(last=True), "pursuit"
    return over(at, noted)


LAST_LINE = message("row.combat-result.over", "The combat is over")
OVER = automatic("over", "jul:crt.order", over, title=LAST_LINE)
OVER_AFTER_PURSUIT = automatic(
    "over", "jul:crt.order", over_after_pursuit, goes=(END, "pursuit"), title=LAST_LINE
)

AC = procedure(
    "combat-ac",
    CombatMemory,
    all_eliminated("jul:crt.AC.1", "attacker"),
    draws_markers("jul:crt.AC.2", "defender", 2),
    returns_markers("jul:crt.AC.3", "attacker", 2),
    OVER,
    title="AC (Attacker Catastrophe)",
)
AD = procedure(
    "combat-ad",
    CombatMemory,
    half_lost("jul:crt.AD.1", "attacker"),
    retreat("jul:crt.AD.2", "attacker"),
    draws_markers("jul:crt.AD.3", "defender", 1),
    returns_markers("jul:crt.AD.4", "attacker", 1),
    OVER,
    title="AD (Attacker Defeated)",
)
AR = procedure(
    "combat-ar",
    CombatMemory,
    half_lost("jul:crt.AR.1", "attacker"),
    *rout("jul:crt.AR.2", "attacker", then="defender-draws"),
    draws_markers("jul:crt.AR.3", "defender", 1),
    returns_markers("jul:crt.AR.4", "attacker", 1),
    OVER,
    title="AR (Attacker Routed)",
)
BB = procedure(
    "combat-bb",
    CombatMemory,
    automatic(
        "fewer-eliminated", FEWER, fewer_eliminated, title="The side with fewer combat factors is eliminated"
    ),
    decision(
        "other-side-losses", AS_MUCH, ask_matching_losses, lose_as_much, title="The other side loses as much"
    ),
    pursuit("jul:crt.BB.3", 1, then="over"),
    OVER_AFTER_PURSUIT,
    title="BB (Blood Bath)",
)
DC = procedure(
    "combat-dc",
    CombatMemory,
    all_eliminated("jul:crt.DC.1", "defender"),
    pursuit("jul:crt.DC.2", 2, then="attacker-draws"),
    draws_markers("jul:crt.DC.3", "attacker", 2),
    returns_markers("jul:crt.DC.4", "defender", 2),
    OVER_AFTER_PURSUIT,
    title="DC (Defender Catastrophe)",
)
DD = procedure(
    "combat-dd",
    CombatMemory,
    half_lost("jul:crt.DD.1", "defender"),
    retreat("jul:crt.DD.2", "defender"),
    pursuit("jul:crt.DD.3", 1, then="attacker-draws"),
    draws_markers("jul:crt.DD.4", "attacker", 1),
    returns_markers("jul:crt.DD.5", "defender", 1),
    OVER_AFTER_PURSUIT,
    title="DD (Defender Defeated)",
)
DR = procedure(
    "combat-dr",
    CombatMemory,
    half_lost("jul:crt.DR.1", "defender"),
    *rout("jul:crt.DR.2", "defender", then="pursuit"),
    pursuit("jul:crt.DR.3", 1, then="attacker-draws"),
    draws_markers("jul:crt.DR.4", "attacker", 1),
    returns_markers("jul:crt.DR.5", "defender", 1),
    OVER_AFTER_PURSUIT,
    title="DR (Defender Routed)",
)

RESULTS: dict[Result, Procedure] = {"AC": AC, "AD": AD, "AR": AR, "BB": BB, "DC": DC, "DD": DD, "DR": DR}

ASK_RESULT = message("ask-result-of-combat", "Which result does the combat table show?")

# Which result came, and with which units, only the players' own table and map say: the ways cannot be listed.
ACTION = Action(
    CombatResult,
    "jul:crt",
    Term("jul.combat_resolution"),
    message("action.combat-result", "A combat has been resolved, and its result is carried out."),
    may_carry_out,
    begin_result,
    called=lambda do: (RESULT[do.result], "jul:crt"),
    asks={"result": ASK_RESULT, **ASK_UNITS},
)
