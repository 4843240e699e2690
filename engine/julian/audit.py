"""Is this position possible? What the aid rules out; the map and the units are not modelled."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any, get_args

from msgspec import UNSET

from engine.audit import finding
from engine.julian.agentes import can_be_cancelled
from engine.julian.board import MARKER, MARKER_OF, PHASE, RESULT, USE, USES, Board, PlayMade, opponent
from engine.julian.forces import OTHER, ROLE
from engine.julian.playing import ONE_USE, the_player
from engine.julian.position import (
    Combat,
    Combatant,
    Command,
    Marker,
    Phase,
    Play,
    Result,
    Role,
    Subphase,
    Use,
)
from engine.julian.stratagems import CANCELS
from engine.messages import Requirement
from engine.verdict import Check, Truth, every, needs, refuted


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
    "%(marker)s markers in both hands and in the pool together: %(have)s. Your copy has only %(limit)s.",
)


MORE_NAMED_THAN_THERE = finding(
    "more-markers-named-than-counted",
    "Stratagem markers named here: %(have)s. By the number given there are only %(limit)s.",
)


def marker_counts(at: Board) -> Iterator[Check]:
    """No more of a kind than the player has counted."""
    hands: Any = at.position.hands
    places = [at.position.pool, *(() if hands is UNSET else (hands.roman, hands.barbarian))]
    for where, place in zip(("/pool", "/hands/roman", "/hands/barbarian"), places, strict=False):
        if place is not UNSET and place.count is not UNSET:
            have = sum(place.named.values())
            fits = have <= place.count
            yield needs(
                fits,
                MORE_NAMED_THAN_THERE,
                "jul:stratagem",
                pointer=f"{where}/count",
                have=have,
                limit=place.count,
            )
    pointer = "/hands" if at.position.pool is UNSET else "/pool"
    for marker, limit in at.components.julian.marker_counts.items():
        have = sum(place.named[marker] for place in places if place is not UNSET)
        shown = {"marker": MARKER[marker], "have": have, "limit": limit}
        yield needs(have <= limit, TOO_MANY_MARKERS, "jul:stratagem", pointer=pointer, **shown)


# -- what was played ---------------------------------------------------------------------------------

USE_OF_ANOTHER_MARKER = finding(
    "use-of-another-marker", "The %(marker)s marker was played for a use that it does not have: %(use)s."
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
LEADER_TWICE = finding(
    "leader-dux-played-twice",
    "More than one Dux has brought in a leader unit in this Operations Phase, and one is the limit.",
)
MILITARY_TWICE_FOR_STACK = finding(
    "military-twice-for-one-stack",
    "More than one Military was played for the stack %(stack)s, and one is the limit for a movement.",
)
MILITARY_TWICE_IN_COMBAT = finding(
    "military-twice-in-one-combat",
    "More than one Military was played in the combat %(combat)s, and one is the limit for a combat.",
)
ACTIVATED_TWICE = finding(
    "command-activated-twice", "The command %(command)s was activated twice; each Dux activates another one."
)
CANCELS_NOTHING = finding(
    "cancels-no-marker-before-it",
    "This Agentes was played to cancel, and the marker played right before it is not one of the opponent's that it can cancel: %(use)s.",
)
LAST_PLAY_NOT_PLAYED = finding(
    "last-play-not-played",
    "The marker given as just played is not the last of those played in this phase.",
)
CREDO_TWICE = finding(
    "credo-played-twice",
    "More than one Credo was played by one player in this Stratagem Marker Phase, and one is the limit as chosen here.",
)
DECLARED_WRONGLY = finding(
    "declared-to-be-no-other-marker",
    "Only an Imperium is declared to be another marker, and never to be an Imperium; here the %(marker)s marker is declared to be: %(declared)s.",
)
IN_THE_WRONG_PHASE = finding(
    "played-in-the-wrong-phase",
    "This use is not possible in the present phase (%(phase)s): %(use)s.",
)
IN_THE_OPPONENTS_PHASE = finding(
    "played-in-the-opponents-phase",
    "This use is possible only in one's own Operations Phase, and it is the opponent's: %(use)s.",
)
BEFORE_ITS_SUBPHASE = finding(
    "played-before-its-sub-phase",
    "This use is possible only in a Sub-Phase that this Operations Phase has not reached yet: %(use)s.",
)
AFTER_THE_START = finding(
    "dux-after-the-start",
    "A Dux activates a force at the start of an Operations Phase; here a marker of a later Sub-Phase was played before it: "
    "%(use)s.",
)
USE_PHASE: dict[Use, Phase] = {
    "look": "operations",
    "draw": "stratagem",
    "steal": "operations",
    "activate": "operations",
    "leader": "operations",
    "march": "operations",
    "fight": "operations",
}
OWN_PHASE_ONLY: dict[Use, str] = {
    "look": "jul:agentes.look",
    "steal": "jul:credo.steal-two",
    "activate": "jul:dux.second-force",
    "leader": "jul:dux.free-leader",
    "march": "jul:military.move",
}
SUBPHASES: tuple[Subphase, ...] = get_args(Subphase)  # in their order
USE_SUBPHASE: dict[Use, Subphase] = {
    "steal": "reinforcement",
    "leader": "reinforcement",
    "march": "movement",
}
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
    if isinstance(play.as_, str) and isinstance(play.marker, str):
        fits = play.marker == "imperium" and play.as_ != "imperium"
        shown = {"marker": MARKER[play.marker], "declared": MARKER[play.as_]}
        yield needs(fits, DECLARED_WRONGLY, "jul:imperium.as-any", pointer=f"{pointer}/as", **shown)
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
    for marker, issue, wrong, rule in ONE_A_PHASE:
        players = [play.by for play in all_played(at) if counts_as(at, play, marker)]
        if len(players) > 1:
            by_player = Counter(player for player in players if player is not UNSET)
            together = at.choice(issue) != "per-player"
            most = len(players) if together else max(by_player.values(), default=0)
            yield needs(most <= 1, wrong, rule, pointer="/played")
    yield from once_for_one_thing(at)
    yield from one_credo(at)
    yield from last_is_last(at)
    yield from each_cancels_something(at)
    yield from activated_at_the_start(at)
    for place, play in enumerate(all_played(at)):
        yield from in_its_time(at, play, f"/played/{place}/use")


def all_played(at: Board) -> tuple[Play, ...]:
    """The plays of this phase, as far as they are told."""
    played: Any = at.position.played
    return () if played is UNSET else played


def counts_as(at: Board, play: Play, marker: Marker) -> bool:
    """Does a play use up this marker's limit? An Imperium also that of the marker it was declared to be (C73)."""
    if play.marker == marker:
        return True
    copies = play.marker == "imperium" and play.as_ == marker
    return copies and at.choice("imperium-copied-limits") == "counts-for-both"


def once_for_one_thing(at: Board) -> Iterator[Check]:
    """One Dux for a leader unit; one Military for a stack and in a combat; each Dux for another command."""
    counted = [play for play in all_played(at) if counts_as(at, play, MARKER_OF.get(play.use, "imperium"))]  # type: ignore[arg-type]
    leaders = [play for play in counted if play.use == "leader"]
    yield needs(len(leaders) <= 1, LEADER_TWICE, "jul:dux.free-leader-limit", pointer="/played")
    by_player = at.choice("military-limit") == "per-player"
    named = (
        ("march", "stack", MILITARY_TWICE_FOR_STACK, "jul:military.limit", True),
        ("fight", "combat", MILITARY_TWICE_IN_COMBAT, "jul:military.limit", by_player),
        ("activate", "command", ACTIVATED_TWICE, "jul:dux.second-force", False),
    )
    for use, field, wrong, rule, apart in named:
        told = [(play.by if apart else "", getattr(play, field)) for play in counted if play.use == use]
        for (by, name), count in Counter(told).items():
            if isinstance(name, str) and by is not UNSET:
                yield needs(count == 1, wrong, rule, pointer="/played", **{field: name})


def one_credo(at: Board) -> Iterator[Check]:
    """One Credo for each player in a Stratagem Marker Phase, where it is read so (C76)."""
    draws = [play for play in all_played(at) if play.use == "draw" and counts_as(at, play, "credo")]
    if len(draws) > 1 and at.choice("credo-limit") == "one-per-phase":
        most = max(Counter(play.by for play in draws if play.by is not UNSET).values(), default=0)
        yield needs(most <= 1, CREDO_TWICE, "jul:credo.draw-two", pointer="/played")


def last_is_last(at: Board) -> Iterator[Check]:
    """What has just been played is the last of this phase's plays."""
    last, played = at.position.last_play, at.position.played
    if isinstance(last, Play) and played is not UNSET and not at.is_partial("played"):
        fits = played[-1:] == (last,)
        yield needs(fits, LAST_PLAY_NOT_PLAYED, "jul:stratagem", pointer="/last_play")


def activated_at_the_start(at: Board) -> Iterator[Check]:
    """Nothing that belongs in a Sub-Phase was played before a Dux that activates a force."""
    later: Use | None = None
    for place, play in enumerate(all_played(at)):
        if play.use == "activate" and later is not None:
            rule, pointer = "jul:dux.second-force", f"/played/{place}/use"
            yield needs(False, AFTER_THE_START, rule, pointer=pointer, use=USE[later])
        if play.use in (*USE_SUBPHASE, "fight"):
            later = play.use


def each_cancels_something(at: Board) -> Iterator[Check]:
    """A marker that cancels is played at once after one of the opponent's that can be cancelled (C74)."""
    played = all_played(at)
    for place, play in enumerate(played):
        if play.use not in CANCELS or play.by is UNSET:
            continue
        if not place and at.is_partial("played"):
            continue
        before = PlayMade(played[place - 1], f"/played/{place - 1}") if place else None
        fits = before is not None and not refuted(cancelled_by(at, play, before))
        rule, shown = f"jul:agentes.{play.use}", {"use": USE[play.use]}
        yield needs(fits, CANCELS_NOTHING, rule, pointer=f"/played/{place}/use", **shown)


def cancelled_by(at: Board, play: Play, before: PlayMade) -> Truth:
    """Could this play cancel the one before it?"""
    kind = "federate" if play.use == "cancel-federate" else "agentes"
    return every((before.by == opponent(the_player(play)), before.kind == kind, can_be_cancelled(at, before)))


def in_its_time(at: Board, play: Play, pointer: str) -> Iterator[Check]:
    """In the phase of its use, in one's own where the use asks for it, and not before its Sub-Phase."""
    use, phase = play.use, at.position.phase
    if use is UNSET or use not in USE_PHASE or phase is UNSET:
        return
    shown = {"use": USE[use], "phase": PHASE[phase]}
    fits = phase == USE_PHASE[use]
    yield needs(fits, IN_THE_WRONG_PHASE, "jul:seq", pointer=pointer, **shown)
    if not fits:
        return
    active, subphase = at.position.active, at.position.subphase
    own = use in OWN_PHASE_ONLY and (use != "activate" or at.choice("dux-phase") == "own-phase")
    if own and play.by is not UNSET and isinstance(active, str):
        yield needs(
            play.by == active, IN_THE_OPPONENTS_PHASE, OWN_PHASE_ONLY[use], pointer=pointer, use=USE[use]
        )
    if use in USE_SUBPHASE and isinstance(subphase, str):
        reached = SUBPHASES.index(subphase) >= SUBPHASES.index(USE_SUBPHASE[use])
        yield needs(reached, BEFORE_ITS_SUBPHASE, OWN_PHASE_ONLY[use], pointer=pointer, use=USE[use])


# -- the Sequence of Play ----------------------------------------------------------------------------

OUTSIDE_OPERATIONS = finding(
    "not-outside-operations", "This belongs to an Operations Phase, and it is another phase: %(phase)s."
)


OPTION_NOT_IN_USE = finding(
    "optional-phase-not-in-use",
    "This phase belongs to an optional rule that is not in use: %(phase)s.",
)
OPTIONAL_RULE: dict[Any, str] = {"supply": "jul:seq.3c", "crisis": "jul:seq.3d"}


def sequence(at: Board) -> Iterator[Check]:
    """A player, a number, a Sub-Phase, an active command and a combat belong to an Operations Phase."""
    phase, used = at.position.phase, at.position.options
    if phase is UNSET or phase == "operations":
        return
    if phase in OPTIONAL_RULE and used is not UNSET:
        rule = OPTIONAL_RULE[phase]
        yield needs(phase in used, OPTION_NOT_IN_USE, rule, pointer="/phase", phase=PHASE[phase])
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
DRAWN_IN_FIRST_PHASE = finding(
    "chits-drawn-in-first-phase",
    "Command chits that have been drawn: %(have)s. In the First Operations Phase of a game turn it is one.",
)
DRAWN_BEFORE_OPERATIONS = finding(
    "chits-drawn-before-operations",
    "Command chits that have been drawn: %(have)s. In the Stratagem Marker Phase of a game turn none has been drawn yet.",
)
DUX_FOR_OTHER_SIDE = finding(
    "dux-for-other-side",
    "The command %(command)s was activated with a Dux by the other side; a Dux activates a friendly force only.",
)
DUX_FOR_UNKNOWN = finding(
    "dux-for-no-command",
    "The command %(command)s was activated with a Dux, and it is not among the commands listed.",
)
DUX_FOR_UNDRAWN = finding(
    "dux-for-undrawn-chit",
    "The command %(command)s was activated with a Dux, and its command chit has not been drawn this game turn.",
)
DUX_IN_FIRST_PHASE = finding(
    "dux-in-first-phase",
    "The command %(command)s was activated with a Dux in the First Operations Phase of the game turn, when no other command "
    "chit has been drawn.",
)
DUX_WITHOUT_EFFECT = finding(
    "dux-without-effect",
    "A Dux was played in this phase to activate the command %(command)s, and this command is not active.",
)
TOO_MANY_ACTIVE = finding(
    "too-many-commands-active",
    "Commands that are active: %(have)s. There can be at most %(limit)s (one, and one more for each Stratagem marker played to activate a command).",
)
ACTIVATING = ("dux", "federate", "imperium")  # what a Federate does is not in the player aid


def commands(at: Board) -> Iterator[Check]:
    """Each is listed once; the one whose command chit was drawn is active, others only through markers."""
    told: Any = at.position.commands
    if told is UNSET:
        return
    yield from listed_and_drawn(at, told)
    for place, play in enumerate(all_played(at)):
        if play.use == "activate" and isinstance(play.command, str):
            yield from activated(at, play, told, f"/played/{place}/command")
    yield from active_at_once(at, told)


def listed_and_drawn(at: Board, told: tuple[Command, ...]) -> Iterator[Check]:
    """Each command is listed once; no command chit is drawn in the Stratagem Phase, and one in the first Operations Phase."""
    for name, count in Counter(command.name for command in told).items():
        yield needs(count == 1, COMMAND_TWICE, "jul:seq.2a", pointer="/commands", command=name)
    drawn = sum(command.drawn is True for command in told)
    if at.position.phase == "stratagem":
        yield needs(not drawn, DRAWN_BEFORE_OPERATIONS, "jul:seq.2a", pointer="/commands", have=drawn)
    if at.position.operations_phase == 1:
        yield needs(drawn <= 1, DRAWN_IN_FIRST_PHASE, "jul:seq.2a", pointer="/commands", have=drawn)


def active_at_once(at: Board, told: tuple[Command, ...]) -> Iterator[Check]:
    """One command is active, and another for each marker that was played to activate it."""
    played: Any = at.position.played
    if played is UNSET or at.is_partial("played"):
        return
    have = sum(command.active is True for command in told)
    limit = 1 + sum(play.marker is UNSET or play.marker in ACTIVATING for play in played)
    rules = ("jul:dux.second-force", "jul:dux.several")
    yield needs(have <= limit, TOO_MANY_ACTIVE, *rules, pointer="/commands", have=have, limit=limit)


def activated(at: Board, play: Play, told: tuple[Command, ...], pointer: str) -> Iterator[Check]:
    """A friendly force of the list whose command chit was drawn before this Operations Phase (C77)."""
    shown, rule = {"command": play.command}, "jul:dux.already-drawn"
    found = next((command for command in told if command.name == play.command), None)
    if found is None and at.is_partial("commands"):
        return
    yield needs(found is not None, DUX_FOR_UNKNOWN, rule, pointer=pointer, **shown)
    if found is None:
        return
    own = UNSET in (found.side, play.by) or found.side == play.by
    yield needs(own, DUX_FOR_OTHER_SIDE, "jul:dux.own-side", pointer=pointer, **shown)
    yield needs(found.drawn is not False, DUX_FOR_UNDRAWN, rule, pointer=pointer, **shown)
    if play.marker == "dux":  # which nothing cancels
        active = found.active is not False
        yield needs(active, DUX_WITHOUT_EFFECT, "jul:dux.second-force", pointer=pointer, **shown)
    if found.drawn is not False:
        later = at.position.operations_phase != 1
        yield needs(later, DUX_IN_FIRST_PHASE, rule, pointer="/operations_phase", **shown)


# -- the combat --------------------------------------------------------------------------------------

ATTACKER_NOT_ACTIVE = finding(
    "attacker-not-active",
    "The attacker in this combat is not the player whose Operations Phase it is.",
)
COMBAT_WITH_ITSELF = finding(
    "combat-with-itself", "The same side is both attacker and defender in this combat."
)


MILITARY_TWICE_NOTED = finding(
    "military-noted-twice",
    "In this combat more than one Military is noted to double combat factors, and one is the limit for a combat.",
)
UNIT_BEYOND_RESULT = finding(
    "unit-beyond-its-result",
    "Unit %(unit)s has done what the result of the combat (%(result)s) does not bring about.",
)
RETREAT_OF: dict[Result, tuple[Role, int]] = {  # who retreats, and how far at the most
    "AD": ("attacker", 1),
    "AR": ("attacker", 6),
    "DD": ("defender", 1),
    "DR": ("defender", 6),
}
ELIMINATED_BY: dict[Result, tuple[Role, ...]] = {
    "AC": ("attacker",),
    "AD": ("attacker",),
    "AR": ("attacker",),
    "BB": ("attacker", "defender"),
    "DC": ("defender",),
    "DD": ("defender",),
    "DR": ("defender",),
}
PURSUIT_AFTER: dict[Result, int] = {"BB": 1, "DC": 2, "DD": 1, "DR": 1}
WIPED_OUT: dict[Result, Role] = {"AC": "attacker", "DC": "defender"}


def fates(at: Board, fought: Combat) -> Iterator[Check]:
    """What became of each unit is what its result brings about; a whole side that is eliminated once it is over."""
    result, units = fought.result, () if fought.units is UNSET else fought.units
    if result is UNSET:
        return
    for place, unit in enumerate(units):
        shown = {"unit": unit.id, "result": RESULT[result]}
        fits = can_have_come(unit, result) and (bool(at.agenda) or not should_be_gone(unit, result))
        yield needs(fits, UNIT_BEYOND_RESULT, f"jul:crt.{result}", pointer=f"/combat/units/{place}", **shown)


def can_have_come(unit: Combatant, result: Result) -> bool:
    """Is it gone only if its side loses units by this result, and has it retreated and pursued no farther than it does?"""
    if unit.eliminated and (
        unit.retreats or unit.pursues or unit.role not in (UNSET, *ELIMINATED_BY[result])
    ):
        return False
    side, far = RETREAT_OF.get(result, (None, 0))
    retreat = far if unit.role in (UNSET, side) else 0
    pursuit = PURSUIT_AFTER.get(result, 0) if unit.role in (UNSET, "attacker") else 0
    return unit.retreats <= retreat and unit.pursues <= pursuit


def should_be_gone(unit: Combatant, result: Result) -> bool:
    """Is it one of a side that this result eliminates whole?"""
    return unit.role == WIPED_OUT.get(result) and not unit.eliminated


LOSSES_TOO_SMALL = finding(
    "losses-below-the-result",
    "Strength points that the %(role)s loses: %(have)s. The result of the combat (%(result)s) asks for at least %(need)s.",
)
LOSSES_RULE: dict[Result, str] = {
    "AD": "jul:crt.AD.1",
    "AR": "jul:crt.AR.1",
    "BB": "jul:crt.BB.2",
    "DD": "jul:crt.DD.1",
    "DR": "jul:crt.DR.1",
}


def losses(at: Board, fought: Combat) -> Iterator[Check]:
    """Once it is over each side has given up what the result asks for, where all printed factors are told."""
    result, units = fought.result, () if fought.units is UNSET else fought.units
    if result is UNSET or at.agenda or any(UNSET in (unit.role, unit.combat) for unit in units):
        return
    for role, need in due(at, result, strengths(units)).items():
        have = strengths(unit for unit in units if unit.eliminated)[role]
        shown = {"role": ROLE[role], "result": RESULT[result], "have": have, "need": need}
        yield needs(have >= need, LOSSES_TOO_SMALL, LOSSES_RULE[result], pointer="/combat/units", **shown)


def strengths(units: Iterable[Combatant]) -> Counter[Role]:
    """The printed combat factors of each side."""
    found: Counter[Role] = Counter()
    for unit in units:
        found[unit.role] += unit.combat  # type: ignore[index,operator]  # both are told
    return found


def due(at: Board, result: Result, have: Counter[Role]) -> dict[Role, int]:
    """How many strength points a result takes from each side: half, rounded up; in a bloodbath all of the weaker side's."""
    if result in RETREAT_OF:
        role, _ = RETREAT_OF[result]
        return {role: -(-have[role] // 2)}
    tie = have["attacker"] == have["defender"]
    if result != "BB" or (tie and at.choice("bloodbath-tie") != "both-eliminated"):
        return {}
    return dict.fromkeys(OTHER, min(have["attacker"], have["defender"]))


def one_military(at: Board, fought: Combat) -> Iterator[Check]:
    """One Military of each side in a combat, or one in all where it is read so (C82)."""
    noted = () if fought.doubled_by_military is UNSET else fought.doubled_by_military
    if len(noted) > 1:
        once = len(set(noted)) == len(noted) and at.choice("military-limit") == "per-player"
        rule, pointer = "jul:military.limit", "/combat/doubled_by_military"
        yield needs(once, MILITARY_TWICE_NOTED, rule, pointer=pointer)


def combat(at: Board) -> Iterator[Check]:
    """Two sides fight, each with one Military, and the units fare as the result says."""
    fought = at.position.combat
    if isinstance(fought, Combat):
        yield from one_military(at, fought)
        yield from fates(at, fought)
        yield from losses(at, fought)
    if isinstance(fought, Combat) and fought.attacker is not UNSET:
        apart = fought.attacker != fought.defender
        yield needs(apart, COMBAT_WITH_ITSELF, "jul:crt", pointer="/combat/defender")
        active = at.position.active
        own = not isinstance(active, str) or fought.attacker == active
        yield needs(own, ATTACKER_NOT_ACTIVE, "jul:seq.subphases", pointer="/combat/attacker")
