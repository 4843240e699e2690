"""The table: phases, hands, pool and commands as the rules speak of them, told or not told."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Self, get_args

from msgspec import UNSET, UnsetType, structs

from engine.at import At
from engine.julian.position import (
    MARKERS,
    Came,
    Combat,
    Combatant,
    Command,
    Hands,
    Marker,
    Markers,
    Play,
    Position,
    Result,
    Role,
    Side,
    Use,
)
from engine.messages import Term, message, question
from engine.pointers import escape
from engine.verdict import Truth, Unknown, certain, every, is_told, refuted, some, unknown

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
RESULT: dict[Result, Term] = {one: Term(f"jul.result.{one.lower()}") for one in get_args(Result)}
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
    "How far has the Operations Phase got: is it at its start, in the Reinforcement Sub-Phase, in the Movement Sub-Phase or in its combats?",
)
ASK_MARKER_COUNT = message(
    "ask-marker-count", "How many Stratagem markers named %(marker)s does the %(player)s hold?"
)
ASK_HAND = question(
    "ask-hand", "Which Stratagem markers does the %(player)s hold?", hint="One that is left out counts 0."
)
ASK_POOL = question(
    "ask-pool", "Which Stratagem markers are in the pool?", hint="One that is left out counts 0."
)
ASK_HAND_SIZE = message(
    "ask-hand-size", "How many Stratagem markers does the %(player)s hold, face up or face down?"
)
ASK_POOL_SIZE = message("ask-pool-size", "How many Stratagem markers are in the pool?")
ASK_MARKERS_IN_POOL = message(
    "ask-markers-in-pool", "How many Stratagem markers named %(marker)s are in the pool?"
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
ASK_HAS_PLAYED = message(
    "ask-has-played",
    "Has the %(player)s played the %(marker)s marker in this phase, or an Imperium as one?",
)
ASK_IMPERIUM_PLAYED = message("ask-imperium-played", "Has the %(player)s played an Imperium in this phase?")
ASK_PLAYED = message("ask-played", "Which Stratagem markers have been played in this phase?")
ASK_PLAY = {
    "by": message(
        "ask-play-by",
        "The %(marker)s marker already played: who played it?",
        untold="A Stratagem marker has already been played: who played it?",
    ),
    "marker": message("ask-play-marker", "Which Stratagem marker was played here?"),
    "as_": message("ask-play-as", "The Imperium already played: as which Stratagem marker was it played?"),
    "use": message(
        "ask-play-use",
        "The %(marker)s marker already played: for which of its uses was it played?",
        untold="A Stratagem marker has already been played: for which of its uses was it played?",
    ),
    "command": message(
        "ask-play-command",
        "The %(marker)s marker already played: which command did it activate?",
        untold="A Stratagem marker has already been played: which command did it activate?",
    ),
    "stack": message(
        "ask-play-stack",
        "The %(marker)s marker already played: for which stack was it played?",
        untold="A Stratagem marker has already been played: for which stack was it played?",
    ),
    "combat": message(
        "ask-play-combat",
        "The %(marker)s marker already played: in which combat was it played?",
        untold="A Stratagem marker has already been played: in which combat was it played?",
    ),
}
ASK_LAST_PLAY = message("ask-last-play", "Which Stratagem marker, if any, has just been played?")
ASK_COMBAT = message("ask-combat", "Which combat, if any, is being resolved?")
ASK_IN_COMBAT = {
    "id": message("ask-combat-id", "What is the combat being resolved called?"),
    "attacker": message("ask-combat-attacker", "Which side is the attacker in this combat?"),
    "defender": message("ask-combat-defender", "Which side is the defender in this combat?"),
    "doubled_by_terrain": message(
        "ask-doubled-by-terrain", "For which sides does the terrain already double the combat factors?"
    ),
}
ASK_UNITS = message(
    "ask-combat-units", "Which units take part in this combat, on which side, with which printed factors?"
)
ASK_ROLE = message("ask-unit-role", "Does unit %(unit)s attack or defend in this combat?")
ASK_OPERATIONS_PHASE = message(
    "ask-operations-phase",
    "Which Operations Phase of the game turn is it: the first, the second, a later one?",
)
ASK_TURN = message("ask-turn", "Which game turn is it?")
ASK_OPTIONS = message("ask-optional-rules", "Which of the optional rules are in use?")
ASK_LAST_ROLL = message("ask-last-roll", "Which die roll, if any, has just been made?")


DECIDES_A_PLAY = ("by", "marker", "as", "use")  # what it helped, no other play asks of it


class PlayMade:
    """A play as the rules ask about it; each answer may be unknown."""

    __slots__ = ("play", "pointer")

    def __init__(self, play: Play, pointer: str) -> None:
        self.play = play
        self.pointer = pointer

    def _fact(self, name: str) -> Any:
        value, marker = getattr(self.play, name), self.play.marker
        if value is not UNSET:
            return value
        shown: dict[str, Any] = {} if marker is UNSET else {"marker": MARKER[marker]}  # type: ignore[index]
        return unknown(f"{self.pointer}/{name.rstrip('_')}", ASK_PLAY[name], **shown)

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

    @property
    def operations_phase(self) -> Any:
        """Which Operations Phase of the game turn it is; none outside of them."""
        return self.told("operations_phase", ask=ASK_OPERATIONS_PHASE)

    @property
    def turn(self) -> Any:
        """The game turn."""
        return self.told("turn", ask=ASK_TURN)

    @property
    def options(self) -> Any:
        """The optional phases in use."""
        return self.told("options", ask=ASK_OPTIONS)

    def begin_operations(self, side: Side) -> Self:
        """A new Operations Phase of this player, at its start; its number follows, where it was told."""
        number = self.operations_phase
        further = number + 1 if isinstance(number, int) else UNSET
        now = 1 if self.position.phase == "stratagem" else further
        return self.change(phase="operations", active=side, operations_phase=now, subphase="start")

    def nothing_played(self) -> Self:
        """Nothing has been played or rolled, and no combat is under way."""
        over = {"last_play": None, "combat": None, "last_roll": None, "has_played": UNSET}
        return self.made_whole("played").change(played=(), **over)

    # -- hands and pool --

    def hand(self, side: Side) -> Markers | Unknown:
        """A player's Stratagem markers."""
        hand: Markers | Unknown = self.told("hands", side, ask=ASK_HAND, player=PLAYER[side])
        return hand

    @property
    def pool(self) -> Markers | Unknown:
        """The markers nobody holds: as told, or what the hands leave of the markers that exist."""
        if self.position.pool is not UNSET:
            return self.position.pool
        exist = self.components.julian.marker_counts
        held = [self.size(side) for side in PLAYER]
        if len(exist) < len(MARKERS) or not all(isinstance(many, int) for many in held):
            return unknown("/pool", ASK_POOL)
        seen = {one: [self.lying(side, one) for side in PLAYER] for one in MARKERS}
        if not all(is_told(many) for each in seen.values() for many in each):
            return Markers(count=max(0, sum(exist.values()) - sum(held)))
        left = {one: exist[one] - sum(each) for one, each in seen.items()}
        return Markers(**{one: many for one, many in left.items() if many > 0})

    def markers(self, place: str) -> Markers | Unknown:
        """The markers in the pool or in a player's hand."""
        return self.pool if place == "pool" else self.hand(place)  # type: ignore[arg-type]

    def _in_part(self, place: str) -> bool:
        """Is only a part of these markers told?"""
        return self.is_partial("pool" if place == "pool" else f"hands.{place}")

    def lying(self, place: str, marker: Marker) -> int | Unknown:
        """How many of one marker are in the pool or in a hand; of hidden ones, between which numbers that lies."""
        found, unseen = self.markers(place), self._not_seen(marker)
        if isinstance(found, Unknown):
            return 0 if unseen == 0 else self._so_many(place, marker)
        told, hidden = found.told(marker), found.hidden
        if self._in_part(place):
            if told is not None or unseen == 0:
                return told or 0
            return self._so_many(place, marker, 0, hidden if found.is_counted else None)
        sure = told or 0
        more = hidden if unseen is None else min(hidden, unseen)
        return self._so_many(place, marker, sure, sure + more) if more else sure

    def _not_seen(self, marker: Marker) -> int | None:
        """How many of one marker are told to be nowhere, where the player has counted them."""
        exist: int | None = self.components.julian.marker_counts.get(marker)
        if exist is None:
            return None
        hands = Hands() if self.position.hands is UNSET else self.position.hands
        places = (self.position.pool, hands.roman, hands.barbarian)
        return max(0, exist - sum(place.named[marker] for place in places if place is not UNSET))

    def _so_many(
        self, place: str, marker: Marker, least: int | None = None, most: int | None = None
    ) -> Unknown:
        """The question for the number of one marker."""
        if place == "pool":
            shown: dict[str, Any] = {"marker": MARKER[marker]}
            ask = ASK_MARKERS_IN_POOL
        else:
            ask, shown = ASK_MARKER_COUNT, {"player": PLAYER[place], "marker": MARKER[marker]}
        return unknown(f"{_lies_at(place)}/{marker}", ask, at_least=least, at_most=most, **shown)

    def seen(self, place: str, marker: Marker) -> int | Unknown:
        """How many of one marker lie there open to see, or are known to be there."""
        many = self.lying(place, marker)
        return many.least if isinstance(many, Unknown) and many.least and not self._in_part(place) else many

    def holds(self, side: Side, marker: Marker) -> int | Unknown:
        """How many of one marker a player holds."""
        return self.lying(side, marker)

    def may_hold(self, side: Side, marker: Marker, but: int = 0) -> Truth:
        """Does a player hold such a marker, but for so many? Whoever plays one out of a hidden hand holds it."""
        held = self.holds(side, marker)
        if isinstance(held, Unknown) and held.most is not None:
            return held.most > but
        return held > but

    def content_of(self, place: str) -> Unknown:
        """The question which markers are in the pool or in a hand, for where only their number is told."""
        if place == "pool":
            return unknown("/pool", ASK_POOL)
        return unknown(f"/hands/{place}", ASK_HAND, player=PLAYER[place])

    def can_come(self, place: str) -> dict[str, int]:
        """What can be drawn from there: of hidden markers any, as many as are hidden."""
        counts = {one: self.lying(place, one) for one in MARKERS}
        return {one: (many.most or 0) if isinstance(many, Unknown) else many for one, many in counts.items()}

    def face_down(self, place: str) -> int:
        """How many markers there nobody has named."""
        found = self.markers(place)
        return 0 if isinstance(found, Unknown) else found.hidden

    def told_by_number(self, place: str) -> bool:
        """Is it told only how many markers there are?"""
        found = self.markers(place)
        return not isinstance(found, Unknown) and found.is_counted

    def size(self, place: str) -> int | Unknown:
        """How many markers are in the pool or in a hand; of a part of them, at least how many."""
        found = self.markers(place)
        if not isinstance(found, Unknown) and (found.is_counted or not self._in_part(place)):
            return found.size
        least = 0 if isinstance(found, Unknown) else found.size
        if place == "pool":
            return unknown("/pool/count", ASK_POOL_SIZE, at_least=least)
        return unknown(f"/hands/{place}/count", ASK_HAND_SIZE, at_least=least, player=PLAYER[place])

    def shift(self, place: str, marker: Came, by: int) -> Self:
        """Put a marker into the pool or a hand, or take it out; what was not told stays untold."""
        if place == "pool":
            pool = self.position.pool
            return self if pool is UNSET else self.change(pool=self._shifted(place, pool, marker, by))
        hands = Hands() if self.position.hands is UNSET else self.position.hands
        hand = getattr(hands, place)
        if hand is UNSET:
            return self
        return self.change(hands=structs.replace(hands, **{place: self._shifted(place, hand, marker, by)}))

    def _shifted(self, place: str, markers: Markers, came: Came, by: int) -> Markers:
        if self._in_part(place):
            return markers.part_with(came, by)
        return markers.with_one_more(came) if by > 0 else markers.with_one_less(came)

    # -- what was played --

    def any_played(
        self, test: Callable[[PlayMade], Truth], by: Side, marker: Marker, *, alone: bool = True
    ) -> Truth:
        """Has this side played such a marker in this phase? `alone`: nothing else is asked of that play."""
        plays = self.position.played
        listed = () if isinstance(plays, UnsetType) else plays
        found = some(test(PlayMade(play, f"/played/{n}")) for n, play in enumerate(listed))
        if certain(found) or not (isinstance(plays, UnsetType) or self.is_partial("played")):
            return found
        said = self.has_played(by, marker)
        if refuted(said):
            return found
        return some((found, said if alone or not is_told(said) else unknown("/played", ASK_PLAYED)))

    def has_played(self, by: Side, marker: Marker) -> Truth:
        """Has this side played such a marker in this phase, or an Imperium as one?"""
        told = self.position.has_played
        said = None if isinstance(told, UnsetType) else told.get(by, {}).get(marker)
        if said is not None:
            return said
        asked = ASK_IMPERIUM_PLAYED if marker == "imperium" else ASK_HAS_PLAYED
        return unknown(f"/has_played/{by}/{marker}", asked, player=PLAYER[by], marker=MARKER[marker])

    @property
    def played(self) -> tuple[Play, ...] | Unknown:
        """The plays of this phase, in their order."""
        plays: tuple[Play, ...] | Unknown = self.told("played", ask=ASK_PLAYED)
        return plays

    @property
    def last_play(self) -> Any:
        """What has just been played, None if nothing was; where that was not told, the last play of this phase."""
        play: Any = self.position.last_play
        if play is UNSET:
            play = unknown("/last_play", ASK_LAST_PLAY, among=DECIDES_A_PLAY)
        if isinstance(play, Play):
            return PlayMade(play, "/last_play")
        played = self.played
        if play is None or isinstance(played, Unknown) or self.is_partial("played"):
            return play
        return PlayMade(played[-1], f"/played/{len(played) - 1}") if played else play

    @property
    def just_played(self) -> Truth:
        """Has a marker just been played? The last one of this phase may have been played a while ago."""
        told: Any = self.position.last_play
        return (
            unknown("/last_play", ASK_LAST_PLAY, among=DECIDES_A_PLAY) if told is UNSET else told is not None
        )

    def note_play(self, play: Play) -> Self:
        """Write a play down: among this phase's plays, and as the last one."""
        played, at = self.played, self._has_played_now(play)
        if isinstance(played, Unknown):
            return at.change(last_play=play, played=(play,)).made_partial("played")
        return at.change(last_play=play, played=(*played, play))

    def _has_played_now(self, play: Play) -> Self:
        """What was said of single markers is not so any more of those that are played now."""
        told: Any = self.position.has_played
        if told is UNSET:
            return self
        left = {
            name: said for name, said in told.get(play.by, {}).items() if name not in (play.marker, play.as_)
        }
        return self.change(has_played={**told, play.by: left})

    # -- commands --

    def command(self, name: str) -> Command | None:
        """A command by its name, None if there is none of that name.

        Where not all commands are told, whoever names one says that it is in the game.
        """
        known = self.commands_known
        found = next((one for one in known if one.name == name), None)
        return Command(name) if found is None and not self.all_commands_told else found

    @property
    def commands(self) -> tuple[Command, ...] | Unknown:
        """The commands in the game."""
        commands: tuple[Command, ...] | Unknown = self.told("commands", ask=ASK_COMMANDS)
        return commands

    @property
    def commands_known(self) -> tuple[Command, ...]:
        """Those of them that are told."""
        commands = self.commands
        return () if isinstance(commands, Unknown) else commands

    @property
    def all_commands_told(self) -> bool:
        """Is there no other command than those that are told?"""
        return is_told(self.commands) and not self.is_partial("commands")

    def command_fact(self, command: Command, name: str) -> Any:
        """A fact about a command."""
        value, where = getattr(command, name), self.command_pointer(command.name)
        if value is not UNSET:
            return value
        if where == "/commands":  # nothing can be told under its name
            return unknown(where, ASK_COMMANDS)
        return unknown(f"{where}/{name}", ASK_COMMAND[name], command=command.name)

    def command_pointer(self, name: str) -> str:
        """Where the position tells of a command: by its place in the list, or by its name where not all are listed."""
        if not self.all_commands_told and not name.isdigit():
            return f"/commands/{escape(name)}"
        places = [place for place, one in enumerate(self.commands_known) if one.name == name]
        return f"/commands/{places[0]}" if places else "/commands"

    def set_command(self, name: str, **facts: bool) -> Self:
        """A command with these facts changed; one that was not listed is listed now."""
        known, found = self.commands_known, self.command(name)
        if found is None:
            return self
        if found not in known:
            at = self.change(commands=(*known, structs.replace(found, **facts)))
            return at.made_partial("commands")
        return self.change(
            commands=tuple(structs.replace(one, **facts) if one.name == name else one for one in known)
        )

    def set_commands(self, **facts: bool) -> Self:
        """Every command that is told with these facts changed."""
        known = self.commands_known
        return self.change(commands=tuple(structs.replace(one, **facts) for one in known)) if known else self

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
            told = self._side(name)  # type: ignore[arg-type]  # one of the two
        if told is not UNSET:
            return told
        asked = "attacker" if name == "defender" else name  # there are two sides: one tells the other
        return unknown(f"/combat/{asked}", ASK_IN_COMBAT[asked])

    def _side(self, role: Role) -> Side | UnsetType:
        """A side that was not told: not the other one, and the attacker is the player whose phase it is."""
        fought, active = self.position.combat, self.position.active
        other = getattr(fought, "attacker" if role == "defender" else "defender", UNSET)
        if isinstance(other, str):
            return opponent(other)  # type: ignore[arg-type]  # it is one
        if not isinstance(active, str):
            return UNSET
        return active if role == "attacker" else opponent(active)

    @property
    def combat_open(self) -> Truth:
        """Is a combat being resolved that has no result yet?"""
        fought = self.combat
        return every((is_there(fought), not isinstance(fought, Combat) or fought.result is UNSET))

    @property
    def result_by_name(self) -> Any:
        """The result of the combat, for a sentence; nothing where there is none yet."""
        fought = self.position.combat
        told = fought.result if isinstance(fought, Combat) else UNSET
        return "" if told is UNSET else RESULT[told]

    @property
    def combat_name(self) -> str | None:
        """What the combat is called; None where it is called nothing, or there is none."""
        fought = self.position.combat
        return None if not isinstance(fought, Combat) or fought.id is UNSET else fought.id

    def doubled(self, side: Side) -> bool:
        """Has this side played a Military in this combat, as far as it is noted?"""
        fought = self.position.combat
        noted = fought.doubled_by_military if isinstance(fought, Combat) else UNSET
        return noted is not UNSET and side in noted

    def note_military(self, side: Side) -> Self:
        """The combat keeps who has played a Military in it."""
        fought = self.position.combat
        if not isinstance(fought, Combat):
            return self
        before = () if fought.doubled_by_military is UNSET else fought.doubled_by_military
        return self.change(combat=structs.replace(fought, doubled_by_military=(*before, side)))

    def note_combat(self, **facts: Any) -> Self:
        """The combat with these facts; one that was not told is told now."""
        fought = self.position.combat if isinstance(self.position.combat, Combat) else Combat()
        return self.change(combat=structs.replace(fought, **facts))

    def units(self, role: Role) -> tuple[Combatant, ...] | Unknown:
        """The units of one side, as the combat keeps them."""
        fought = self.position.combat
        told = fought.units if isinstance(fought, Combat) else UNSET
        units = () if isinstance(told, UnsetType) else told
        for place, unit in enumerate(units):
            if unit.role is UNSET:
                return unknown(f"/combat/units/{place}/role", ASK_ROLE, unit=unit.id)
        return tuple(unit for unit in units if unit.role == role) or unknown("/combat/units", ASK_UNITS)

    def mark_unit(self, name: str, **fate: Any) -> Self:
        """Write down what has become of a unit of the combat."""
        fought = self.position.combat
        if not isinstance(fought, Combat) or fought.units is UNSET:
            return self
        units = tuple(structs.replace(unit, **fate) if unit.id == name else unit for unit in fought.units)
        return self.change(combat=structs.replace(fought, units=units))


def _lies_at(place: str) -> str:
    """Where the position tells of the pool or a hand."""
    return "/pool" if place == "pool" else f"/hands/{place}"
