"""Playing a Stratagem marker: the action, and what the six markers have in common."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Annotated, Any, ClassVar

from msgspec import Meta, Struct, UnsetType, field, structs

from engine import memory
from engine.actions import NOT_NAMED, is_named
from engine.julian.board import MARKER, MARKER_OF, PHASE, USE, USES, Board, PlayMade
from engine.julian.position import Marker, Name, Play, Roll, Side, Use
from engine.memory import NOT_NOTED, Memory, Noted
from engine.messages import Act, Either, Message, Ref, Term, act, message, requirement
from engine.verdict import Caution, Check, Truth, Unknown, every, must_know, needs, refuted

Checks = Iterator[Check | Caution]


class PlayStratagem(Struct, frozen=True, forbid_unknown_fields=True, tag_field="kind", tag="play-stratagem"):
    """A player plays a Stratagem marker from his hand."""

    by: Side
    marker: Marker
    use: Use | UnsetType = NOT_NAMED
    as_: Marker | UnsetType | None = field(default=NOT_NAMED, name="as")
    as_use: Use | UnsetType | None = NOT_NAMED
    command: Name | UnsetType | None = NOT_NAMED
    leader: Name | UnsetType | None = NOT_NAMED
    stack: Name | UnsetType | None = NOT_NAMED
    roll: Roll | UnsetType | None = NOT_NAMED


AIM = message("use-as-aim", "to %(use)s")
NOT_ITS_USE = requirement(
    "not-a-use-of-this-marker",
    "The %(marker)s marker has no such use. It can be played %(uses)s.",
    met="The %(marker)s marker has this use.",
)
NOT_HELD = requirement(
    "marker-not-held",
    "The %(marker)s marker is not in your hand, so you cannot play it.",
    met="The %(marker)s marker is in your hand.",
)

ONE_USE: dict[Marker, tuple[str, ...]] = {
    "agentes": ("jul:agentes.one-use",),
    "credo": ("jul:credo.who",),
    "dux": ("jul:dux.second-force", "jul:dux.free-leader"),
    "federate": ("jul:federate.effect",),
    "imperium": ("jul:imperium.who",),
    "military": ("jul:military.move", "jul:military.combat"),
}


# What an action names says which use is meant.
NAMES_IT: dict[str, Use] = {
    "command": "activate",
    "leader": "leader",
    "stack": "march",
    "as_": "as",
    "roll": "reroll",
}


def meant(do: PlayStratagem) -> PlayStratagem:
    """The same with its use, where that was left out and only one can be meant."""
    if is_named(do.use):
        return do
    uses = USES[do.marker]
    told = [use for field, use in NAMES_IT.items() if isinstance(getattr(do, field), str) and use in uses]
    only = uses if len(uses) == 1 else told
    return structs.replace(do, use=only[0]) if len(only) == 1 else do


class AimRef(Ref):
    """What a marker can be played for, by the concept of its use."""

    __slots__ = ()

    def phrase(self) -> tuple[Message, dict[str, Any]]:
        """As an aim, so that several can be told apart."""
        return AIM, {"use": Term(self)}


def has_use(marker: Marker, use: Use, fits: bool) -> Check:
    """The marker has this use."""
    uses = Either(AimRef(USE[one]) for one in USES[marker])
    return needs(fits, NOT_ITS_USE, *ONE_USE[marker], marker=MARKER[marker], use=use, uses=uses)


def is_held(at: Board, by: Side, marker: Marker) -> Check:
    """The marker is in the player's hand."""
    return at.occasion(
        at.may_hold(by, marker, but=being_played(at, by, marker)),
        NOT_HELD,
        "jul:stratagem",
        pointer=f"/hands/{by}/{marker}",
        takes=1,
        marker=MARKER[marker],
    )


def being_played(at: Board, by: Side, marker: Marker) -> int:
    """How many of these markers are in the hand only because a Credo leaves it after its draw."""
    noted = (
        memory.read(at.agenda, number, StratagemMemory)
        for number, frame in enumerate(at.agenda)
        if isinstance(frame.memory, StratagemMemory)
    )
    plays = [one.plays[0] for one in noted if not isinstance(one.plays, Unknown)]
    return sum((play.by, play.marker) == (by, marker) and play.use in ("draw", "steal") for play in plays)


def the_play(at: Board, do: PlayStratagem, use: Use) -> Play:
    """The play this action makes, as it will be written down."""
    fought = at.combat_name
    named = {"fight": "combat", "activate": "command", "leader": "leader", "march": "stack"}.get(use)
    about: dict[str, Any] = {"as_": do.as_} if do.use == "as" else {}
    if named == "combat":
        about |= {} if fought is None else {named: fought}
    elif named is not None:
        about[named] = getattr(do, named)
    return Play(by=do.by, marker=do.marker, use=use, **about)


def the_player(play: Play) -> Side:
    """Who makes this play."""
    return play.by  # type: ignore[return-value]


class StratagemMemory(Memory, frozen=True):
    """The play under way, then each Agentes that cancels the one before it."""

    plays: Noted[Annotated[tuple[Play, ...], Meta(min_length=1)]] = NOT_NOTED

    questions: ClassVar[dict[str, Message]] = {
        "plays": message(
            "ask-plays-under-way",
            "Which Stratagem marker is being played, and which ones answer it, each cancelling the one before it?",
        )
    }


def play_noted(at: Board, noted: StratagemMemory, place: int) -> PlayMade:
    """One of the plays under way, the first at the bottom."""
    return PlayMade(must_know(noted.plays)[place], f"/agenda/{len(at.agenda) - 1}/memory/plays/{place}")


# -- when: phases and Sub-Phases ---------------------------------------------------------------------

NOT_IN_OPERATIONS = requirement(
    "not-in-operations-phase",
    "%(marker)s (%(use)s) can be played only %(when)s; it is now the %(phase)s.",
    met="It is an Operations Phase.",
    whole=True,
)
ANY_PHASE = act("operations-phase-of-either", "in an Operations Phase")
OWN_PHASE = {
    "": act("operations-phase-of-your-own", "in one of your own Operations Phases"),
    "start": act(
        "start-of-your-own-operations",
        "at the start of one of your own Operations Phases, by the reading chosen here",
    ),
    "reinforcement": act("reinforcement-of-your-own", "in one of your own Reinforcement Sub-Phases"),
    "movement": act("movement-of-your-own", "in one of your own Movement Sub-Phases"),
}
NOT_YOUR_PHASE = requirement(
    "not-your-operations-phase",
    "%(marker)s (%(use)s) can be played only %(when)s; this Operations Phase is the opponent's.",
    met="It is your own Operations Phase.",
    whole=True,
)
NOT_AT_START = requirement(
    "not-at-start-of-operations",
    "%(marker)s (%(use)s) can be played only at the start of the Operations Phase; that moment has passed.",
    met="The Operations Phase is at its start.",
    whole=True,
)
NOT_IN_REINFORCEMENT = requirement(
    "not-in-reinforcement",
    "%(marker)s (%(use)s) can be played only in one of your own Reinforcement Sub-Phases; it is now another part of the Operations Phase.",
    met="It is the Reinforcement Sub-Phase.",
    whole=True,
)
NOT_IN_MOVEMENT = requirement(
    "not-in-movement",
    "%(marker)s (%(use)s) can be played only in one of your own Movement Sub-Phases; it is now another part of the Operations Phase.",
    met="It is the Movement Sub-Phase.",
    whole=True,
)
NOT_IN_COMBATS = requirement(
    "not-in-combats",
    "%(marker)s (%(use)s) can be played only in a combat of an Operations Phase; it is now another part of the Operations Phase.",
    met="The Operations Phase has reached its combats.",
    whole=True,
)
SUBPHASE_NEEDED = {
    "start": NOT_AT_START,
    "reinforcement": NOT_IN_REINFORCEMENT,
    "movement": NOT_IN_MOVEMENT,
    "combat": NOT_IN_COMBATS,
}


def played_for(play: Play) -> dict[str, Any]:
    """The marker and its use by name, for a sentence; an Imperium is what it is declared to be."""
    use: Use = play.use  # type: ignore[assignment]
    return {"marker": MARKER[MARKER_OF[use]], "use": USE[use]}


def in_operations(at: Board, play: Play, *rules: str, when: Act = ANY_PHASE) -> Check:
    """It is an Operations Phase, whosever it is."""
    phase, shown = at.phase, {**played_for(play), "when": when, "phase": phase_now(at.phase)}
    return at.occasion(
        phase == "operations", NOT_IN_OPERATIONS, *rules, pointer="/phase", takes="operations", **shown
    )


def phase_now(phase: Any) -> Any:
    """The phase by its name, for a sentence."""
    return phase if isinstance(phase, Unknown) else PHASE[phase]


def in_own_operations(at: Board, play: Play, *rules: str, subphase: str = "") -> Checks:
    """It is the player's own Operations Phase, and the Sub-Phase asked for."""
    when = OWN_PHASE[subphase]
    yield in_operations(at, play, *rules, when=when)
    if refuted(at.phase == "operations"):
        return
    by, shown = the_player(play), {**played_for(play), "when": when}
    yield at.occasion(at.active == by, NOT_YOUR_PHASE, *rules, pointer="/active", takes=by, **shown)
    if subphase:
        yield in_subphase(at, play, subphase, *rules)


def in_subphase(at: Board, play: Play, subphase: str, *rules: str) -> Check:
    """The Operations Phase stands there."""
    there, wrong = at.subphase == subphase, SUBPHASE_NEEDED[subphase]
    return at.occasion(there, wrong, *rules, pointer="/subphase", takes=subphase, **played_for(play))


# -- limits: what was played already -----------------------------------------------------------------


def played_before(at: Board, play: Play, *tests: Callable[[PlayMade], Truth]) -> Truth:
    """Did this player already play such a marker in this phase? An Imperium counts as what it was declared."""
    both = at.choice("imperium-copied-limits") == "counts-for-both"
    if play.marker == "imperium" and not both:
        return False
    kind = MARKER_OF[play.use]  # type: ignore[index]
    return at.any_played(
        lambda one: every(
            (one.by == play.by, (one.kind if both else one.marker) == kind, *(test(one) for test in tests))
        ),
        the_player(play),
        kind,
        alone=both and not tests,
    )
