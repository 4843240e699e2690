"""Imperium: any other marker that could be played now, or a die rolled again."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from msgspec import structs

from engine.chance import Die
from engine.julian import agentes, credo, dux, federate, military
from engine.julian.board import MARKER, USES, Board, PlayMade, is_there, opponent
from engine.julian.forces import CombatMemory
from engine.julian.playing import NAMES_IT, Checks, PlayStratagem, has_use, the_play
from engine.julian.position import Play, Side, Use
from engine.memory import Frame, Memory
from engine.messages import Requirement, message, question, requirement
from engine.questions import Question, ask
from engine.tables import Where, call, chance, procedure
from engine.verdict import (
    Check,
    Truth,
    Unknown,
    certain,
    denied,
    evaluate,
    every,
    is_told,
    must_know,
    needs,
    refuted,
    some,
    unknown,
    weigh,
)

MAY: dict[Use, Callable[[Board, Play], Checks]] = {
    "look": agentes.may_look,
    "cancel-agentes": agentes.may_cancel_agentes,
    "cancel-federate": agentes.may_cancel_federate,
    "draw": credo.may_draw,
    "steal": credo.may_steal,
    "activate": dux.may_activate,
    "leader": dux.may_bring_leader,
    "ally": federate.may_ally,
    "march": military.may_march,
    "fight": military.may_fight,
}

ONE_IMPERIUM = requirement(
    "imperium-already-played",
    "You have already played an Imperium in this phase; you may play only one in each phase, your own or the opponent's.",
    met="You have not played an Imperium in this phase.",
)
ONE_IMPERIUM_FOR_BOTH = requirement(
    "imperium-already-played-by-either",
    "An Imperium has already been played in this phase; by the reading chosen here one is the limit for both players.",
    met="No Imperium has been played in this phase.",
)
AS_ITSELF = requirement(
    "imperium-as-itself",
    "An Imperium can only be declared to be another Stratagem marker, not to be an Imperium.",
    met="The Imperium is declared to be another Stratagem marker.",
)
NO_ROLL = requirement(
    "no-roll-to-repeat",
    "No die has just been rolled, so there is nothing to re-roll.",
    met="A die has just been rolled.",
)
ANOTHER_ROLL = requirement(
    "not-the-last-roll",
    "The roll named is not the one just made; a re-roll must follow its roll at once.",
    met="The roll named is the one just made.",
)
COMBAT_ROLL = requirement(
    "combat-roll-never-repeated",
    "A combat resolution die roll can never be re-rolled with an Imperium.",
    met="It is not a combat resolution die roll.",
)
ROUT_ROLL = requirement(
    "rout-roll-not-repeated",
    "By the reading chosen here the die roll for a rout is part of the combat resolution, so it cannot be re-rolled with an Imperium.",
    met="It is not a die roll for a rout.",
)
ASK_AS = message("ask-imperium-as", "Which Stratagem marker is the Imperium declared to be?")
ASK_AS_USE = question(
    "ask-imperium-as-use",
    "For which use of the %(marker)s marker is the Imperium declared?",
    hint="Several are open.",
)


def may_play_imperium(at: Board, do: PlayStratagem) -> Checks:
    """As another marker, or to roll a die again."""
    yield from (may_reroll(at, do) if do.use == "reroll" else may_copy(at, do))


def imperium_left(at: Board, by: Side) -> Check:
    """No Imperium of this player has been played in this phase (C72)."""
    per_player = at.choice("imperium-limit") == "per-player"
    before = some(imperium_played(at, side) for side in ((by,) if per_player else (by, opponent(by))))
    said = ONE_IMPERIUM if per_player else ONE_IMPERIUM_FOR_BOTH
    rules = ("jul:imperium.limit", "jul:imperium.who")
    return at.occasion(denied(before), said, *rules, pointer="/played", takes=())


def imperium_played(at: Board, by: Side) -> Truth:
    """Has this player played an Imperium in this phase?"""
    return at.any_played(lambda one: every((one.marker == "imperium", one.by == by)), by, "imperium")


def may_copy(at: Board, do: PlayStratagem) -> Checks:
    """Use 1: as a marker that could be played now, with that marker's own conditions."""
    if not isinstance(do.as_, str):
        must_know(unknown("/action/as", ASK_AS, among=tuple(one for one in USES if one != "imperium")))
        return
    yield needs(do.as_ != "imperium", AS_ITSELF, "jul:imperium.as-any")
    if do.as_ == "imperium":
        return
    if isinstance(do.as_use, str):
        fits = do.as_use in USES[do.as_]
        yield has_use(do.as_, do.as_use, fits)
        if not fits:
            return
    uses = uses_open(at, do)
    checks = (check for use in uses for check in MAY[use](at, the_play(at, do, use)))
    decided = True
    for check in checks if uses else closing(at, do):
        decided = decided and is_told(check.holds)
        yield structs.replace(check, rules=("jul:imperium.as-any", *check.rules))
    if len(uses) > 1 and decided:  # what is open yet may leave only one of them
        must_know(unknown("/action/as_use", ASK_AS_USE, marker=MARKER[do.as_]))


def closing(at: Board, do: PlayStratagem) -> Iterator[Check]:
    """Where no use is open: what closes each of them, said once; nothing is asked for it."""
    found: dict[str, Check] = {}
    for use in uses_named(do):
        for check in evaluate(MAY[use](at, the_play(at, do, use))).reasons:
            name = check.requirement.name
            before = found[name].rules if name in found else ()
            found[name] = structs.replace(check, rules=tuple(dict.fromkeys((*before, *check.rules))))
    return iter(found.values())


def uses_named(do: PlayStratagem) -> tuple[Use, ...]:
    """The uses of the copied marker that the player may mean: whoever names a stack means its march."""
    if isinstance(do.as_use, str):
        return (do.as_use,)
    uses = USES[do.as_]  # type: ignore[index]  # it was declared
    meant = [use for field, use in NAMES_IT.items() if isinstance(getattr(do, field), str) and use in uses]
    return tuple(meant[:1]) or uses


def uses_open(at: Board, do: PlayStratagem) -> list[Use]:
    """Those of them that nothing forbids now."""
    apart = at.apart()  # a use that is only looked at decides nothing
    return [use for use in uses_named(do) if not refuted(weigh(MAY[use](apart, the_play(at, do, use))))]


def may_reroll(at: Board, do: PlayStratagem) -> Checks:
    """Use 2: the die just rolled, whoever rolled it, but never in combat resolution (C73)."""
    last = at.last_roll
    named = do.roll if isinstance(do.roll, str) else last
    if named is None:
        yield needs(False, NO_ROLL, "jul:imperium.reroll", pointer="/last_roll")
        return
    yield needs(named != "combat", COMBAT_ROLL, "jul:imperium.not-combat", pointer="/last_roll")
    if not certain(named == "combat") and at.choice("rout-dice") == "combat-rolls":
        yield needs(named != "rout", ROUT_ROLL, "jul:imperium.not-combat", pointer="/last_roll")
    yield just_rolled(at, is_there(last), NO_ROLL, named)
    if last is not None:
        yield just_rolled(at, last == named, ANOTHER_ROLL, named)


def just_rolled(at: Board, holds: Truth, said: Requirement, roll: Any) -> Check:
    """Whoever names the die roll says that it has just been made, unless the position tells otherwise."""
    rule, pointer = "jul:imperium.reroll", "/last_roll"
    if isinstance(roll, Unknown):
        return needs(holds, said, rule, pointer=pointer)
    return at.occasion(holds, said, rule, pointer=pointer, takes=roll)


ROLL_AGAIN = message("die-rolled-again", "Roll the die just rolled again at once; the second result stands.")
ASK_NEW_DIE = message("ask-new-die", "What does the die show now?")
NEW_DIE = message("new-die", "The die now shows %(die)s; this second result stands.")
ROUT_REPLACED = message(
    "rout-die-replaced",
    "Unit %(unit)s now retreats %(hexes)s hexes: the die shows %(die)s instead of %(was)s.",
    outcome=True,
    one=("hexes", "Unit %(unit)s now retreats %(hexes)s hex: the die shows %(die)s instead of %(was)s."),
)


def reroll(at: Board, _play: PlayMade) -> tuple[Board, Where]:
    """The die is rolled again, and what it shows takes the place of the first result."""
    return at.tell(ROLL_AGAIN, "jul:imperium.reroll"), call(REROLL)


def ask_new_die(_at: Board, _noted: Memory) -> Question:
    """What the die shows now."""
    return ask(ASK_NEW_DIE, Die())


def take_new_die(at: Board, _noted: Memory, die: int) -> Board:
    """The second result stands; in a rout it takes the place of the first."""
    fought = at.noted(CombatMemory)
    if not certain(at.last_roll == "rout") or fought is None or not is_told(fought.rolled_by):
        return at.tell(NEW_DIE, "jul:imperium.reroll", die=die)
    unit = must_know(fought.rolled_by)
    shown = {"unit": unit, "die": die, "was": must_know(fought.rolled), "hexes": die}
    at = at.tell(ROUT_REPLACED, "jul:imperium.reroll", **shown)
    return note_rolled(at.mark_unit(unit, retreats=die), die)


def note_rolled(at: Board, die: int) -> Board:
    """Write the new die down where the rout is being carried out."""
    frames = tuple(
        Frame(one.procedure, one.step, structs.replace(one.memory, rolled=die))
        if isinstance(one.memory, CombatMemory)
        else one
        for one in at.agenda
    )
    return at.with_agenda(frames)


class RerollMemory(Memory, frozen=True):
    """Nothing: the die that is rolled again is noted where it was rolled."""


REROLL = procedure(
    "reroll",
    RerollMemory,
    chance("die", "jul:imperium.reroll", ask_new_die, take_new_die, title="The die is rolled again"),
    title="A die is rolled again",
)
