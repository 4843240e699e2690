"""Dux: activate a further force, or bring in a leader unit for nothing."""

from __future__ import annotations

from itertools import chain

from engine.julian.board import Board, PlayMade, is_there
from engine.julian.playing import (
    Checks,
    in_operations,
    in_own_operations,
    in_subphase,
    played_before,
    the_player,
)
from engine.julian.position import Play, Side
from engine.messages import message, requirement
from engine.verdict import (
    certain,
    denied,
    evaluate,
    every,
    is_told,
    must_know,
    needs,
    refuted,
    unknown,
    warns,
)

NO_SUCH_COMMAND = requirement(
    "no-such-command",
    "The position has no command named %(command)s.",
    met="The command %(command)s is in the game.",
)
NOT_OWN_COMMAND = requirement(
    "command-of-other-side",
    "The command %(command)s belongs to the other side. A Dux activates a friendly force only; "
    "a Federate activation is not allowed with it.",
    met="The command %(command)s is your own.",
)
CHIT_NOT_DRAWN = requirement(
    "chit-not-drawn",
    "The command chit of the command %(command)s has not been drawn this game turn.",
    met="The command chit of the command %(command)s has been drawn this game turn.",
)
FIRST_PHASE = requirement(
    "no-dux-in-first-operations-phase",
    "It is the First Operations Phase of the game turn: no other command chit has been drawn yet, so a Dux can activate "
    "no further command.",
    met="It is not the First Operations Phase of the game turn.",
)
A_LATER_PHASE = message(
    "dux-in-a-later-operations-phase",
    "The command chit of the command %(command)s has been drawn already, so this is assumed to be a later Operations Phase: in the First, a Dux cannot activate another command.",
)
ALREADY_ACTIVE = requirement(
    "command-already-active",
    "The command %(command)s is already active; a Dux activates another one.",
    met="The command %(command)s is not active yet.",
)
ROMAN_ONLY = requirement(
    "leader-for-roman-only",
    "Only the Roman player may bring in a leader unit with a Dux.",
    met="The Roman player brings in the leader unit.",
)
ONE_LEADER = requirement(
    "leader-dux-already-played",
    "A Dux has already brought in a leader unit in this Operations Phase; a second Dux may not bring in another.",
    met="No Dux has brought in a leader unit in this Operations Phase.",
)
ASK_WHICH_COMMAND = message("ask-which-command", "Which command does the Dux activate?")


def may_activate(at: Board, play: Play) -> Checks:
    """At the start of an Operations Phase: another own command whose chit was drawn this game turn."""
    by, rule = the_player(play), "jul:dux.second-force"
    if at.choice("dux-phase") == "own-phase":
        yield from in_own_operations(at, play, rule, subphase="start")
    else:
        yield in_operations(at, play, rule)
        if not refuted(at.phase == "operations"):
            yield in_subphase(at, play, "start", rule)
    if not isinstance(play.command, str):
        yield from none_activable(at, by)
        must_know(unknown("/action/command", ASK_WHICH_COMMAND))
        return
    yield from activable(at, by, play.command)


def none_activable(at: Board, by: Side) -> Checks:
    """What refuses every command, so that nobody is asked which one."""
    if certain(at.operations_phase == 1):
        yield needs(False, FIRST_PHASE, "jul:dux.already-drawn", pointer="/operations_phase")
    elif at.all_commands_told:
        apart = at.apart()  # a command that is only looked at decides nothing
        refused = [evaluate(activable(apart, by, command.name)).reasons for command in at.commands_known]
        if all(refused):
            yield from chain.from_iterable(refused)


def activable(at: Board, by: Side, name: str) -> Checks:
    """An own command, drawn earlier this game turn (C77), not yet active."""
    found = at.command(name)
    where = at.command_pointer(name)
    yield needs(is_there(found), NO_SUCH_COMMAND, "jul:dux.already-drawn", pointer=where, command=name)
    if found is None:
        return
    own = at.command_fact(found, "side") == by
    yield needs(
        own,
        NOT_OWN_COMMAND,
        "jul:dux.own-side",
        "jul:dux.no-federate",
        pointer=f"{where}/side",
        command=name,
    )
    drawn, active = at.command_fact(found, "drawn"), at.command_fact(found, "active")
    if certain(at.operations_phase == 1) and not refuted(drawn):
        yield needs(False, FIRST_PHASE, "jul:dux.already-drawn", pointer="/operations_phase")
    else:
        yield needs(drawn, CHIT_NOT_DRAWN, "jul:dux.already-drawn", pointer=f"{where}/drawn", command=name)
    if certain(drawn) and not is_told(at.operations_phase) and not refuted(every((own, denied(active)))):
        yield warns(A_LATER_PHASE, "jul:dux.already-drawn", pointer="/operations_phase", command=name)
    rule, pointer = "jul:dux.second-force", f"{where}/active"
    yield at.occasion(denied(active), ALREADY_ACTIVE, rule, pointer=pointer, takes=False, command=name)


def may_bring_leader(at: Board, play: Play) -> Checks:
    """The Roman player, in his own Reinforcement Sub-Phase, once per Operations Phase."""
    by = the_player(play)
    yield needs(by == "roman", ROMAN_ONLY, "jul:dux.free-leader")
    yield from in_own_operations(at, play, "jul:dux.free-leader", subphase="reinforcement")
    before = played_before(at, play, lambda one: one.use == "leader")
    yield at.occasion(denied(before), ONE_LEADER, "jul:dux.free-leader-limit", pointer="/played", takes=())


FORCE_ACTIVE = message(
    "force-activated",
    "The command %(command)s is activated as well: at once, and together with the active command.",
    outcome=True,
)
LEADER_FREE = message(
    "leader-free",
    "The Roman player brings in a leader unit at no TP cost. The player aid does not say which leader unit it is or where it comes in.",
    outcome=True,
)

THIS_LEADER_FREE = message(
    "named-leader-free",
    "The Roman player brings in the leader unit %(leader)s at no TP cost. The player aid does not say where it comes in.",
    outcome=True,
)


def activate(at: Board, play: PlayMade) -> Board:
    """A further force is active in this Operations Phase, if the play names one."""
    command = must_know(play.command)
    if command is None:
        return at
    at = at.set_command(command, active=True)
    return at.tell(FORCE_ACTIVE, "jul:dux.second-force", "jul:dux.several", command=command)


def bring_leader(at: Board, play: PlayMade) -> Board:
    """A leader unit comes in; the Treasury stays as it is."""
    if isinstance(play.play.leader, str):
        return at.tell(THIS_LEADER_FREE, "jul:dux.free-leader", leader=play.play.leader)
    return at.tell(LEADER_FREE, "jul:dux.free-leader")
