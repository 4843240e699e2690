"""Military: double a stack's movement factor, or the combat factors of one's units in a combat."""

from __future__ import annotations

from msgspec import structs

from engine.julian.board import PLAYER, Board, PlayMade, is_there, opponent
from engine.julian.playing import (
    Checks,
    in_operations,
    in_own_operations,
    in_subphase,
    played_before,
    the_player,
)
from engine.julian.position import Play
from engine.messages import message, question, requirement
from engine.verdict import (
    Check,
    Unknown,
    certain,
    denied,
    every,
    is_told,
    must_know,
    needs,
    refuted,
    some,
    unknown,
    warns,
)

ONE_FOR_THIS_MOVE = requirement(
    "military-already-in-this-move",
    "You have already played a Military for the stack %(stack)s; one is the limit for a movement.",
    met="No Military has been played for the stack %(stack)s.",
)
NO_COMBAT = requirement(
    "no-combat-being-resolved",
    "No combat is being resolved, so there are no combat factors to double.",
    met="A combat is being resolved.",
)
RESULT_IS_THERE = requirement(
    "combat-result-is-there",
    "A Military is played at the start of the combat resolution; this combat already has its result: %(result)s.",
    met="This combat has no result yet.",
)
NOT_IN_THIS_COMBAT = requirement(
    "not-in-this-combat",
    "You are neither the attacker nor the defender in this combat.",
    met="You are the attacker or the defender in this combat.",
)
ONE_FOR_THIS_COMBAT = requirement(
    "military-already-in-this-combat",
    "You have already played a Military in this combat; one is the limit for a combat.",
    met="You have not played a Military in this combat.",
)
ONE_FOR_ALL_IN_THIS_COMBAT = requirement(
    "military-already-in-this-combat-by-either",
    "A Military has already been played in this combat, and by the reading chosen here that is the limit for both sides together.",
    met="No Military has been played in this combat.",
)
DIE_ALREADY_ROLLED = message(
    "military-after-the-die",
    "The last roll was a combat resolution die roll. A Military is played at the start of the combat resolution: go on only if that roll belonged to an earlier combat.",
)
ASK_STACK = question("ask-which-stack", "Which stack does the Military help?", hint="Give it any name.")
ATTACKER_FIRST = requirement(
    "attacker-declares-first",
    "The defender has already played a Military in this combat, and by the reading chosen here the attacker declares before him: it is too late for the attacker.",
    met="By the reading chosen here the attacker declares before the defender, and that order is kept.",
)
ATTACKER_ASKED = requirement(
    "attacker-being-asked",
    "The attacker is being asked whether he plays a Military in this combat, and by the reading chosen here he declares before the defender.",
    met="It is for the attacker to declare now, and he plays.",
)


def may_march(at: Board, play: Play) -> Checks:
    """In one's own Movement Sub-Phase, one for each moving stack."""
    yield from in_own_operations(at, play, "jul:military.move", subphase="movement")
    if not isinstance(play.stack, str):
        must_know(unknown("/action/stack", ASK_STACK))
        return
    before = played_before(at, play, lambda one: one.use == "march", lambda one: one.stack == play.stack)
    limit = "jul:military.limit"
    yield at.occasion(denied(before), ONE_FOR_THIS_MOVE, limit, pointer="/played", takes=(), stack=play.stack)


def may_fight(at: Board, play: Play) -> Checks:
    """At the start of a combat's resolution, as its attacker or its defender."""
    by, rule, combat = the_player(play), "jul:military.combat", at.combat
    yield in_operations(at, play, rule)
    # A combat that is told is being resolved, wherever the Operations Phase stands.
    if not certain(is_there(combat)) and not refuted(at.phase == "operations"):
        yield in_subphase(at, play, "combat", rule)
        if not is_told(combat) and refuted(at.subphase == "combat"):
            return
    yield at.occasion(is_there(combat), NO_COMBAT, rule, pointer="/combat", takes={})
    if combat is None:
        return
    if is_told(combat):
        yield needs(at.combat_open, RESULT_IS_THERE, rule, pointer="/combat/result", result=at.result_by_name)
    sides = (at.combat_fact("attacker"), at.combat_fact("defender"))
    elsewhere = every(is_told(side) and side != by for side in sides)  # there are two sides: each is in it
    yield needs(denied(elsewhere), NOT_IN_THIS_COMBAT, rule, pointer="/combat")
    yield one_in_this_combat(at, play)
    if at.choice("military-order") == "attacker-first":
        yield from attacker_first(at, play)
    if is_told(at.last_roll) and at.last_roll in ("combat", "rout"):
        yield warns(DIE_ALREADY_ROLLED, rule, pointer="/last_roll")


def one_in_this_combat(at: Board, play: Play) -> Check:
    """Never more than one Military for one combat: for each player, or for both together (C82)."""
    here = at.combat_fact("id")
    tests = (lambda one: one.use == "fight", lambda one: one.combat == here)
    before, said = played_before(at, play, *tests), ONE_FOR_THIS_COMBAT
    if at.choice("military-limit") == "one-in-all":
        theirs = played_before(at, structs.replace(play, by=opponent(the_player(play))), *tests)
        before, said = some((before, theirs)), ONE_FOR_ALL_IN_THIS_COMBAT
    return at.occasion(denied(before), said, "jul:military.limit", pointer="/played", takes=())


def attacker_first(at: Board, play: Play) -> Checks:
    """Both sides may play one, the attacker before the defender (C82)."""
    by, here = the_player(play), at.combat_fact("id")
    if attacker_is_asked(at):
        mine = at.combat_fact("attacker") == by
        yield needs(mine, ATTACKER_ASKED, "jul:military.limit", pointer="/agenda")
    answered = played_before(
        at,
        structs.replace(play, by=opponent(by)),
        lambda one: one.use == "fight",
        lambda one: one.combat == here,
    )
    attacks = every((at.combat_fact("attacker") == by, at.combat_fact("defender") != by))
    if certain(attacks) or certain(answered):  # otherwise it does not matter yet who attacks
        too_late, rule = every((attacks, answered)), "jul:military.limit"
        yield at.occasion(denied(too_late), ATTACKER_FIRST, rule, pointer="/played", takes=())


def attacker_is_asked(at: Board) -> bool:
    """Is a combat being opened whose attacker has yet to say whether he plays a Military?"""
    return [(frame.procedure, frame.step) for frame in at.agenda[-1:]] == [
        ("open-combat", "attacker-military")
    ]


MOVEMENT_DOUBLED = message(
    "movement-doubled",
    "The movement factor of the stack %(stack)s is multiplied by %(factor)s.",
    outcome=True,
)
STAY_TOGETHER = message(
    "stack-stays-together",
    "All units of the stack %(stack)s stay together for this movement.",
    tells="detail",
)
COMBAT_MULTIPLIED = message(
    "combat-factors-multiplied",
    "In this combat the combat factors of all the %(player)s's units are multiplied by %(factor)s in total.",
    outcome=True,
    whole=True,
)

COMBAT_DOUBLED = message(
    "combat-factors-doubled-or-tripled",
    "In this combat the combat factors of all the %(player)s's units are doubled; tripled if the terrain doubles them already.",
)


def march(at: Board, play: PlayMade) -> Board:
    """A stack moves twice as far, and all of it."""
    stack = must_know(play.stack)
    at = at.tell(MOVEMENT_DOUBLED, "jul:military.move", stack=stack, factor=2)
    return at.tell(STAY_TOGETHER, "jul:military.stay-together", stack=stack)


def fight(at: Board, play: PlayMade) -> Board:
    """Twice the combat factors, three times where the terrain already doubles them."""
    by, doubled = must_know(play.by), at.combat_fact("doubled_by_terrain")
    at = at.note_military(by)
    if isinstance(doubled, Unknown):
        return at.tell(COMBAT_DOUBLED, "jul:military.combat", "jul:military.triple", player=PLAYER[by])
    tripled = by in doubled
    rules = ("jul:military.combat", "jul:military.triple") if tripled else ("jul:military.combat",)
    return at.tell(COMBAT_MULTIPLIED, *rules, player=PLAYER[by], factor=3 if tripled else 2)
