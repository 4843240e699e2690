"""The table: phases, hands, pool and commands as the rules speak of them, told or not told."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Self

from msgspec import UNSET, UnsetType, structs

from engine.at import At
from engine.julian import hidden as face_down
from engine.julian.hidden import Came
from engine.julian.position import MARKERS, Combat, Command, Hands, Marker, Markers, Play, Position, Side, Use
from engine.messages import Term, message, question
from engine.verdict import Truth, Unknown, certain, every, some, unknown

# -- the words of the game ---------------------------------------------------------------------------

USES: dict[Marker, tuple[Use, ...]] = {
    "agentes": ("look", "cancel-agentes", "cancel-federate"),
    "credo": ("draw", "steal"),
    "dux": ("activate", "leader"),
    "federate": ("ally",),
    "imperium": ("as", "reroll"),
    "military": ("march", "fight"),
}
MARKER_OF: dict[Use, Marker] = {use: marker for marker, uses in USES.items() for use in uses}

PLAYER = {"roman": Term("jul.player.roman"), "barbarian": Term("jul.player.barbarian")}
MARKER = {marker: Term(f"jul.stratagem.{marker}") for marker in MARKERS}
USE: dict[Use, Term] = {
    "look": Term("jul.use.agentes_examine"),
    "cancel-agentes": Term("jul.use.agentes_cancel_agentes"),
    "cancel-federate": Term("jul.use.agentes_cancel_federate"),
    "draw": Term("jul.use.credo_draw_pool"),
    "steal": Term("jul.use.credo_draw_hand"),
    "activate": Term("jul.use.dux_second_force"),
    "leader": Term("jul.use.dux_free_leader"),
    "ally": Term("jul.stratagem.federate"),
    "as": Term("jul.use.imperium_wild"),
    "reroll": Term("jul.use.imperium_reroll"),
    "march": Term("jul.use.military_double_movement"),
    "fight": Term("jul.use.military_double_combat"),
}
PHASE = {
    "stratagem": Term("jul.phase.stratagem_marker"),
    "operations": Term("jul.phase.operations"),
    "return": Term("jul.phase.return"),
    "taxation": Term("jul.phase.taxation"),
    "supply": Term("jul.phase.supply_attrition"),
    "crisis": Term("jul.phase.crisis"),
    "advance": Term("jul.phase.turn_advance"),
}


def is_there(thing: Any) -> Truth:
    """Is there one? None says that there is none."""
    return thing if isinstance(thing, Unknown) else thing is not None


def opponent(side: Side) -> Side:
    """The other player."""
    return "barbarian" if side == "roman" else "roman"


# -- the questions for what was not told -------------------------------------------------------------

ASK_PHASE = message("ask-phase", "Which phase of the Sequence of Play is it?")
ASK_ACTIVE = message("ask-active", "Whose Operations Phase is it?")
ASK_SUBPHASE = message(
    "ask-subphase",
    "Where does the Operations Phase stand: at its start, in the Reinforcement Sub-Phase, in the "
    "Movement Sub-Phase or in its combats?",
)
ASK_MARKER_COUNT = message(
    "ask-marker-count", "%(player)s: how many Stratagem markers named %(marker)s are in the hand?"
)
ASK_HAND = question(
    "ask-hand", "%(player)s: which Stratagem markers are in the hand?", hint="One that is left out counts 0."
)
ASK_POOL = question(
    "ask-pool", "Which Stratagem markers are in the pool?", hint="One that is left out counts 0."
)
ASK_COMMANDS = message(
    "ask-commands", "Which commands are in the game, whose are they, and which command chits have been drawn?"
)
ASK_COMMAND = {
    "side": message("ask-command-side", "To which side does the command %(command)s belong?"),
    "drawn": message(
        "ask-command-drawn", "Has the command chit of the command %(command)s been drawn this game turn?"
    ),
    "active": message("ask-command-active", "Is the command %(command)s active now?"),
}
ASK_PLAYED = message("ask-played", "Which Stratagem markers have been played in this phase?")
ASK_PLAY = {
    "by": message("ask-play-by", "Who played this Stratagem marker?"),
    "marker": message("ask-play-marker", "Which Stratagem marker was played here?"),
    "as_": message("ask-play-as", "As which Stratagem marker was this Imperium played?"),
    "use": message("ask-play-use", "For which of its uses was this Stratagem marker played?"),
    "command": message("ask-play-command", "Which command did this Stratagem marker activate?"),
    "stack": message("ask-play-stack", "For which stack was this Stratagem marker played?"),
    "combat": message("ask-play-combat", "In which combat was this Stratagem marker played?"),
}
ASK_LAST_PLAY = message("ask-last-play", "Which Stratagem marker has just been played?")
ASK_COMBAT = message("ask-combat", "Which combat is being resolved?")
ASK_IN_COMBAT = {
    "id": message("ask-combat-id", "What is the combat called that is being resolved?"),
    "attacker": message("ask-combat-attacker", "Which side is the attacker in this combat?"),
    "defender": message("ask-combat-defender", "Which side is the defender in this combat?"),
    "doubled_by_terrain": message(
        "ask-doubled-by-terrain", "For which sides does the terrain already double the combat factors?"
    ),
}
ASK_LAST_ROLL = message("ask-last-roll", "Which die roll has just been made?")


class PlayMade:
    """A play as the rules ask about it; each answer may be unknown."""

    __slots__ = ("play", "pointer")

    def __init__(self, play: Play, pointer: str) -> None:
        self.play = play
        self.pointer = pointer

    def _fact(self, name: str) -> Any:
        value = getattr(self.play, name)
        return unknown(f"{self.pointer}/{name.rstrip('_')}", ASK_PLAY[name]) if value is UNSET else value

    @property
    def by(self) -> Any:
        """Who played it."""
        return self._fact("by")

    @property
    def marker(self) -> Any:
        """The marker itself, whatever it was declared to be."""
        return self._fact("marker")

    @property
    def kind(self) -> Any:
        """The marker it counts as: an Imperium is the marker it was declared to be."""
        if self.play.marker != "imperium":
            return self.marker
        if self.play.as_ is UNSET and self.play.use is not UNSET and self.play.use != "as":
            return MARKER_OF[self.play.use]
        return "imperium" if self.play.as_ is None else self._fact("as_")

    @property
    def use(self) -> Any:
        """What it was played for; an Imperium's is the use of the marker it was declared to be."""
        if self.play.use is not UNSET and self.play.use != "as":
            return self.play.use
        kind = self.kind
        if not isinstance(kind, Unknown) and len(USES[kind]) == 1:
            return USES[kind][0]
        return unknown(f"{self.pointer}/use", ASK_PLAY["use"])

    @property
    def command(self) -> Any:
        """The command it activated."""
        return self._fact("command")

    @property
    def stack(self) -> Any:
        """The stack it helped."""
        return self._fact("stack")

    @property
    def combat(self) -> Any:
        """The combat it helped in."""
        return self._fact("combat")


class Board(At[Position]):
    """A Julian position under the rules in force."""

    __slots__ = ()

    # -- where the game stands --

    @property
    def phase(self) -> Any:
        """The phase of the Sequence of Play."""
        return self.told("phase", ask=ASK_PHASE)

    @property
    def active(self) -> Any:
        """Whose Operations Phase it is; null tells nothing, since each belongs to a player."""
        side = self.told("active", ask=ASK_ACTIVE)
        return unknown("/active", ASK_ACTIVE) if side is None else side

    @property
    def subphase(self) -> Any:
        """Where the Operations Phase stands; null tells nothing, since it stands somewhere."""
        subphase = self.told("subphase", ask=ASK_SUBPHASE)
        return unknown("/subphase", ASK_SUBPHASE) if subphase is None else subphase

    @property
    def last_roll(self) -> Any:
        """Which die roll has just been made."""
        return self.told("last_roll", ask=ASK_LAST_ROLL)

    def begin_operations(self, side: Side) -> Self:
        """A new Operations Phase of this player, at its start; its number follows, where it was told."""
        number = self.position.operations_phase
        further = number + 1 if isinstance(number, int) else UNSET
        now = 1 if self.position.phase == "stratagem" else further
        return self.change(phase="operations", active=side, operations_phase=now, subphase="start")

    # -- hands and pool --

    def hand(self, side: Side) -> Markers | Unknown:
        """A player's Stratagem markers."""
        hand: Markers | Unknown = self.told("hands", side, ask=ASK_HAND, player=PLAYER[side])
        return hand

    def holds(self, side: Side, marker: Marker) -> int | Unknown:
        """How many of one marker a player holds; of hidden ones, between which numbers that lies."""
        shown = {"player": PLAYER[side], "marker": MARKER[marker]}
        held: int | Unknown = self.told("hands", side, marker, ask=ASK_MARKER_COUNT, **shown)
        hand = self.hand(side)
        unseen = 0 if isinstance(hand, Unknown) else face_down.hidden(hand)
        if isinstance(held, Unknown) or not unseen:
            return held
        where, most = f"/hands/{side}/{marker}", held + unseen
        return unknown(where, ASK_MARKER_COUNT, at_least=held, at_most=most, **shown)

    def may_hold(self, side: Side, marker: Marker, but: int = 0) -> Truth:
        """Does a player hold such a marker, but for so many? Whoever plays one out of a hidden hand holds it."""
        hand = self.hand(side)
        if isinstance(hand, Unknown):
            return self.holds(side, marker) > but
        return getattr(hand, marker) + face_down.hidden(hand) > but  # type: ignore[no-any-return]

    @property
    def pool(self) -> Markers | Unknown:
        """The markers nobody holds: as told, or what the hands leave of the markers that exist."""
        if self.position.pool is not UNSET:
            return self.position.pool
        exist = self.components.julian.marker_counts
        roman, barbarian = self.hand("roman"), self.hand("barbarian")
        if len(exist) < len(MARKERS) or isinstance(roman, Unknown) or isinstance(barbarian, Unknown):
            return unknown("/pool", ASK_POOL)
        if face_down.hidden(roman) or face_down.hidden(barbarian):
            held = face_down.size(roman) + face_down.size(barbarian)
            return Markers(count=max(0, sum(exist.values()) - held))
        left = {one: exist[one] - getattr(roman, one) - getattr(barbarian, one) for one in MARKERS}
        return Markers(**{one: max(0, count) for one, count in left.items()})

    def markers(self, place: str) -> Markers | Unknown:
        """The markers in the pool or in a player's hand."""
        return self.pool if place == "pool" else self.hand(place)  # type: ignore[arg-type]

    def size(self, place: str) -> int | Unknown:
        """How many markers are in the pool or in a hand."""
        found = self.markers(place)
        return found if isinstance(found, Unknown) else face_down.size(found)

    def shift(self, place: str, marker: Came, by: int) -> Self:
        """Put a marker into the pool or a hand, or take it out; what was not told stays untold."""
        counted = face_down.with_one_more if by > 0 else face_down.with_one_less
        if place == "pool":
            pool = self.position.pool
            return self if pool is UNSET else self.change(pool=counted(pool, marker))
        hands = Hands() if self.position.hands is UNSET else self.position.hands
        hand = getattr(hands, place)
        if hand is UNSET:
            return self
        return self.change(hands=structs.replace(hands, **{place: counted(hand, marker)}))

    # -- what was played --

    def any_played(self, test: Callable[[PlayMade], Truth]) -> Truth:
        """Is there such a play among those of this phase?"""
        played = self.played
        if isinstance(played, Unknown):
            return played
        return some(test(PlayMade(play, f"/played/{n}")) for n, play in enumerate(played))

    @property
    def played(self) -> tuple[Play, ...] | Unknown:
        """The plays of this phase, in their order."""
        plays: tuple[Play, ...] | Unknown = self.told("played", ask=ASK_PLAYED)
        return plays

    @property
    def last_play(self) -> Any:
        """What has just been played, None if nothing was."""
        play = self.told("last_play", ask=ASK_LAST_PLAY)
        return PlayMade(play, "/last_play") if isinstance(play, Play) else play

    def note_play(self, play: Play) -> Self:
        """Write a play down: among this phase's plays, and as the last one."""
        played = self.played
        at = self.change(last_play=play)
        return at if isinstance(played, Unknown) else at.change(played=(*played, play))

    # -- commands --

    def command(self, name: str) -> Command | Unknown | None:
        """A command by its name, None if there is none of that name."""
        commands = self.commands
        if isinstance(commands, Unknown):
            return commands
        return next((one for one in commands if one.name == name), None)

    @property
    def commands(self) -> tuple[Command, ...] | Unknown:
        """The commands in the game."""
        commands: tuple[Command, ...] | Unknown = self.told("commands", ask=ASK_COMMANDS)
        return commands

    def command_fact(self, command: Command, name: str) -> Any:
        """A fact about a command."""
        value = getattr(command, name)
        if value is UNSET:
            return unknown(
                f"{self.command_pointer(command.name)}/{name}", ASK_COMMAND[name], command=command.name
            )
        return value

    def command_pointer(self, name: str) -> str:
        """Where the position tells of a command."""
        commands = () if self.position.commands is UNSET else self.position.commands
        places = [place for place, one in enumerate(commands) if one.name == name]
        return f"/commands/{places[0]}" if places else "/commands"

    def set_command(self, name: str, **facts: bool) -> Self:
        """A command with these facts changed."""
        commands = self.position.commands
        if commands is UNSET:
            return self
        return self.change(
            commands=tuple(structs.replace(one, **facts) if one.name == name else one for one in commands)
        )

    def set_commands(self, **facts: bool) -> Self:
        """Every command with these facts changed."""
        commands = self.position.commands
        if commands is UNSET:
            return self
        return self.change(commands=tuple(structs.replace(one, **facts) for one in commands))

    # -- the combat being resolved --

    @property
    def combat(self) -> Any:
        """The combat being resolved, None if there is none."""
        return self.told("combat", ask=ASK_COMBAT)

    def combat_fact(self, name: str) -> Any:
        """A fact about the combat being resolved; the attacker is the player whose Operations Phase it is."""
        fought = self.position.combat
        told = getattr(fought, name) if isinstance(fought, Combat) else UNSET
        if told is UNSET and name in ("attacker", "defender"):
            told = self._side_by_phase(name)
        if told is not UNSET:
            return told
        if not certain(is_there(self.combat)):
            return unknown("/combat", ASK_COMBAT)
        return unknown(f"/combat/{name}", ASK_IN_COMBAT[name])

    def _side_by_phase(self, role: str) -> Side | UnsetType:
        active = self.position.active
        if not isinstance(active, str):
            return UNSET
        return active if role == "attacker" else opponent(active)

    @property
    def combat_open(self) -> Truth:
        """Is a combat being resolved that has no result yet?"""
        fought = self.combat
        return every((is_there(fought), not isinstance(fought, Combat) or fought.result is UNSET))

    def mark_unit(self, name: str, **fate: Any) -> Self:
        """Write down what has become of a unit of the combat."""
        fought = self.position.combat
        if not isinstance(fought, Combat) or fought.units is UNSET:
            return self
        units = tuple(structs.replace(unit, **fate) if unit.id == name else unit for unit in fought.units)
        return self.change(combat=structs.replace(fought, units=units))
