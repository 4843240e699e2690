"""Is this position possible? What the aid rules out; the map and the units are not modelled."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

from msgspec import UNSET

from engine.audit import finding
from engine.julian.board import MARKER, PHASE, USE, USES, Board
from engine.julian.playing import ONE_USE
from engine.julian.position import Combat, Marker, Play
from engine.messages import Requirement
from engine.verdict import Check, needs


def audit(at: Board) -> Iterator[Check]:
    """Everything that can be seen to be impossible: markers, plays, the Sequence of Play, commands, the combat."""
    yield from marker_counts(at)
    for pointer, play in plays_told(at):
        yield from play_stands(play, pointer)
    yield from limits(at)
    yield from sequence(at)
    yield from commands(at)
    yield from combat(at)


# -- Stratagem markers -------------------------------------------------------------------------------

TOO_MANY_MARKERS = finding(
    "too-many-markers",
    "Stratagem markers of one kind in both hands and in the pool: %(have)s (%(marker)s). By your components there are "
    "only %(limit)s.",
)


def marker_counts(at: Board) -> Iterator[Check]:
    """No more of a kind than the player has counted."""
    hands: Any = at.position.hands
    places = [at.position.pool, *(() if hands is UNSET else (hands.roman, hands.barbarian))]
    pointer = "/hands" if at.position.pool is UNSET else "/pool"
    for marker, limit in at.components.julian.marker_counts.items():
        have = sum(getattr(place, marker) for place in places if place is not UNSET)
        shown = {"marker": MARKER[marker], "have": have, "limit": limit}
        yield needs(have <= limit, TOO_MANY_MARKERS, "jul:stratagem", pointer=pointer, **shown)


# -- what was played ---------------------------------------------------------------------------------

USE_OF_ANOTHER_MARKER = finding(
    "use-of-another-marker", "The marker %(marker)s was played for a use that it does not have: %(use)s."
)
LEADER_NOT_ROMAN = finding(
    "leader-brought-by-barbarian",
    "Only the Roman player brings in a leader unit with a Dux; here the Barbarian player did.",
)
TWO_IMPERIUM = finding(
    "imperium-played-twice", "More than one Imperium was played in this phase, and one is the limit."
)
TWO_FEDERATE = finding(
    "federate-played-twice",
    "More than one Federate was played in this Operations Phase, and one is the limit.",
)
ONE_A_PHASE: tuple[tuple[Marker, str, Requirement, str], ...] = (
    ("imperium", "imperium-limit", TWO_IMPERIUM, "jul:imperium.limit"),
    ("federate", "federate-limit", TWO_FEDERATE, "jul:federate.limit"),
)


def plays_told(at: Board) -> Iterator[tuple[str, Play]]:
    """Every play of this phase, and the last one."""
    played: Any = at.position.played
    for place, play in enumerate(() if played is UNSET else played):
        yield f"/played/{place}", play
    if isinstance(at.position.last_play, Play):
        yield "/last_play", at.position.last_play


def play_stands(play: Play, pointer: str) -> Iterator[Check]:
    """The marker has the use it was played for; an Imperium has those of the marker it was declared to be."""
    use, declared = play.use, play.as_ if play.marker == "imperium" else play.marker
    if use is UNSET or declared is UNSET or declared is None:
        return
    fits, pointer = use in USES[declared] or (use == "as" and play.marker == "imperium"), f"{pointer}/use"
    shown = {"marker": MARKER[declared], "use": USE[use]}
    yield needs(fits, USE_OF_ANOTHER_MARKER, *ONE_USE[declared], pointer=pointer, **shown)
    if use == "leader":
        yield needs(play.by != "barbarian", LEADER_NOT_ROMAN, "jul:dux.free-leader", pointer=pointer)


def limits(at: Board) -> Iterator[Check]:
    """One Imperium and one Federate in a phase, of each player or of both together (C72, C83)."""
    played: Any = at.position.played
    for marker, issue, wrong, rule in ONE_A_PHASE:
        players = [play.by for play in (() if played is UNSET else played) if play.marker == marker]
        if len(players) > 1:
            by_player = Counter(player for player in players if player is not UNSET)
            together = at.choice(issue) != "per-player"
            most = len(players) if together else max(by_player.values(), default=0)
            yield needs(most <= 1, wrong, rule, pointer="/played")


# -- the Sequence of Play ----------------------------------------------------------------------------

OUTSIDE_OPERATIONS = finding(
    "not-outside-operations", "This belongs to an Operations Phase, and it is another phase: %(phase)s."
)


def sequence(at: Board) -> Iterator[Check]:
    """A player, a number, a Sub-Phase, an active command and a combat belong to an Operations Phase."""
    phase = at.position.phase
    if phase is UNSET or phase == "operations":
        return
    told = {
        f"/{name}": getattr(at.position, name)
        for name in ("active", "operations_phase", "subphase", "combat")
    }
    all_commands: Any = at.position.commands
    for place, command in enumerate(() if all_commands is UNSET else all_commands):
        told[f"/commands/{place}/active"] = command.active
    for pointer, value in told.items():
        nothing = value is UNSET or value is None or value is False
        yield needs(nothing, OUTSIDE_OPERATIONS, "jul:seq.subphases", pointer=pointer, phase=PHASE[phase])


# -- commands ----------------------------------------------------------------------------------------

COMMAND_TWICE = finding("command-listed-twice", "The command %(command)s is listed more than once.")
TOO_MANY_ACTIVE = finding(
    "too-many-commands-active",
    "Commands that are active: %(have)s. One is, and another for each Stratagem marker that was played to activate it: "
    "%(limit)s at the most.",
)
ACTIVATING = ("dux", "federate", "imperium")  # what a Federate does is not in the aid


def commands(at: Board) -> Iterator[Check]:
    """Each is listed once; the one whose command chit was drawn is active, others only through markers."""
    told: Any = at.position.commands
    if told is UNSET:
        return
    for name, count in Counter(command.name for command in told).items():
        yield needs(count == 1, COMMAND_TWICE, "jul:seq.2a", pointer="/commands", command=name)
    played: Any = at.position.played
    if played is UNSET:
        return
    have = sum(command.active is True for command in told)
    limit = 1 + sum(play.marker is UNSET or play.marker in ACTIVATING for play in played)
    rules = ("jul:dux.second-force", "jul:dux.several")
    yield needs(have <= limit, TOO_MANY_ACTIVE, *rules, pointer="/commands", have=have, limit=limit)


# -- the combat --------------------------------------------------------------------------------------

COMBAT_WITH_ITSELF = finding(
    "combat-with-itself", "The same side is told to be the attacker and the defender in this combat."
)


def combat(at: Board) -> Iterator[Check]:
    """Two sides fight."""
    fought = at.position.combat
    if isinstance(fought, Combat) and fought.attacker is not UNSET:
        apart = fought.attacker != fought.defender
        yield needs(apart, COMBAT_WITH_ITSELF, "jul:crt", pointer="/combat/defender")
