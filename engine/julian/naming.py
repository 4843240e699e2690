"""How Julian names its values and facts, in the terms of the player aid."""

from __future__ import annotations

from typing import get_args

from engine.actions import Said, say
from engine.julian.board import MARKER, PHASE, PLAYER, USE
from engine.julian.forces import ROLE
from engine.julian.position import Position, Result
from engine.julian.sequence import SUBPHASE_TERM
from engine.messages import Message, Ref, Term, act, message
from engine.naming import Given, Kind, Names

HAND_OF = message("changed.hand", "%(player)s, hand")
IN_HAND = message("changed.in-hand", "%(player)s, hand: %(marker)s")
IN_POOL = message("changed.in-pool", "Pool: %(marker)s")
HAS_PLAYED = message("changed.has-played", "%(player)s, played in this phase: %(marker)s")

KINDS = (
    Kind("side", PLAYER),
    Kind("phase", PHASE),
    Kind("subphase", {"start": act("subphase.start", "its start"), **SUBPHASE_TERM}),
    Kind("marker", MARKER),
    Kind("use", USE),
    Kind(
        "roll",
        {
            "combat": Term("jul.combat_roll"),
            "rout": act("roll.rout", "die roll for a rout"),
            "other": act("roll.other", "another die roll"),
        },
    ),
    Kind("result", {result: Term(f"jul.result.{result.lower()}") for result in get_args(Result)}),
    Kind(
        "source",
        {
            "pool": Term("jul.pool"),
            "opponent": act("source.opponent", "opponent's hand"),
            "hand": act("source.own-hand", "own hand"),
        },
    ),
    Kind(
        "why",
        {
            "combat": Term("jul.combat"),
            "draw": Term("jul.use.credo_draw_pool"),
            "steal": Term("jul.use.credo_draw_hand"),
        },
    ),
)

LABELS: dict[str, Ref] = {
    **{str(marker): term for marker, term in MARKER.items()},
    **PLAYER,
    "turn": Term("jul.game_turn"),
    "phase": act("label.phase", "phase of the turn"),
    "operations_phase": Term("jul.phase.operations"),
    "subphase": act("label.subphase", "where the Operations Phase stands"),
    "hands": Term("jul.hand"),
    "pool": Term("jul.pool"),
    "treasury": Term("jul.tp"),
    "commands": Term("jul.command"),
    "played": act("label.played", "markers played"),
    "has_played": act("label.played", "markers played"),
    "last_play": act("label.last-play", "marker just played"),
    "combat": Term("jul.combat"),
    "last_roll": act("label.last-roll", "last die roll"),
    "agenda": act("label.agenda", "the step under way"),
    "side": Term("jul.side"),
    "drawn": act("label.chit-drawn", "command chit drawn"),
    "active": act("label.active", "active now"),
    "name": act("label.name", "name"),
    "Unit.id": act("label.name", "name"),
    "Combat.id": act("label.name", "name"),
    "Unit.combat": Term("jul.combat_factor"),
    "movement": Term("jul.movement_factor"),
    "parenthesised": act("label.in-brackets", "movement factor in brackets"),
    "by": act("label.player", "player"),
    "player": act("label.player", "player"),
    "marker": Term("jul.stratagem_marker"),
    "as": act("label.declared-as", "declared to be"),
    "use": act("label.use", "use"),
    "command": Term("jul.command"),
    "stack": Term("jul.stack"),
    "attacker": ROLE["attacker"],
    "defender": ROLE["defender"],
    "attackers": Term("jul.unit.attacking"),
    "defenders": Term("jul.unit.defending"),
    "doubled_by_terrain": act("label.doubled-by-terrain", "doubled by terrain"),
    "source": act("label.drawn-from", "drawn from"),
    "left": act("label.left", "still to come"),
    "doubled_by_military": act("label.doubled-by-military", "doubled by a Military"),
    "plays": act("label.plays", "markers under way"),
    "lost": act("label.lost", "units given up"),
    "result": act("label.result", "result"),
    "julian": act("label.own-copy", "your copy"),
    "options": act("label.optional-phases", "optional phases in use"),
}

PARAMETERS: dict[str, Message] = {
    "by": message("param.who-plays", "Who plays the Stratagem marker?"),
    "marker": message("param.marker", "Which Stratagem marker is played?"),
    "use": message("param.marker-use", "For which of its uses is the Stratagem marker played?"),
    "as": message("ask-imperium-as", "Which Stratagem marker is the Imperium declared to be?"),
    "as_use": message("param.as-use", "For which use of that marker is the Imperium declared?"),
    "command": message("ask-which-command", "Which command does the Dux activate?"),
    "next-phase.command": message(
        "param.command-chit", "Which command chit is drawn for the next Operations Phase?"
    ),
    "stack": message("param.stack", "Which stack does the Military help?"),
    "roll": message("param.roll", "Which die roll is made again?"),
    "options": message("param.optional-phases", "Which phases of the optional rules are in use?"),
    "result": message("param.combat-result", "Which combat result is it?"),
    "attackers": message(
        "ask-attacking-units", "Which units attack in this combat, with which printed factors?"
    ),
    "leader": message("param.leader", "Which leader does the Dux bring in?"),
    "id": message("param.combat-id", "Under which name is this combat noted?"),
    "attacker": message("param.attacker", "Which player attacks in this combat?"),
    "defender": message("param.defender", "Which player defends in this combat?"),
    "doubled_by_terrain": message("param.doubled", "Whose combat factors does the terrain double?"),
    "defenders": message(
        "ask-defending-units", "Which units defend in this combat, with which printed factors?"
    ),
}


def fact(path: list[str]) -> Said | None:
    """What stands at a pointer: in whose hand or in the pool, and which marker."""
    match path:
        case ["hands", side] | ["hands", side, "count"]:
            return say(HAND_OF, player=PLAYER[side])
        case ["hands", side, marker]:
            return say(IN_HAND, player=PLAYER[side], marker=MARKER[marker])  # type: ignore[index]  # pointers are texts
        case ["has_played", side, marker]:
            return say(HAS_PLAYED, player=PLAYER[side], marker=MARKER[marker])  # type: ignore[index]
        case ["pool", marker]:
            return say(IN_POOL, marker=MARKER[marker])  # type: ignore[index]
    return None


def given(position: Position, path: list[str]) -> Given | None:
    """The commands that are told, where one of them is asked for."""
    if path[-1] != "command" or not position.commands:
        return None
    return Given("command", tuple(command.name for command in position.commands))


NAMES = Names(
    KINDS, LABELS, PARAMETERS, fact, given=given, always=("/active", "/subphase", "ask-which-command")
)
