"""Stratagem markers: what may be played, how the opponent answers it, and what follows.

Each marker's own conditions and effects stand in the module of its name.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any

from msgspec import UNSET, Meta, UnsetType

from engine.actions import Action
from engine.exceptions import Refused
from engine.julian import agentes, credo, dux, federate, imperium, military
from engine.julian.board import MARKER, PLAYER, USES, Board, PlayMade, opponent
from engine.julian.playing import Checks, PlayStratagem, has_use, is_held, noted, the_play, the_player
from engine.julian.position import Marker, Play, Side, Use
from engine.memory import Memory
from engine.messages import Term, message, requirement
from engine.questions import Choose, Option, Question, ask, known
from engine.tables import Where, automatic, call, decision, procedure
from engine.verdict import Check, must_know, needs

# -- what may be played ----------------------------------------------------------------------------

NOT_AN_ANSWER = requirement(
    "not-an-answer",
    "The opponent is being asked whether he cancels the marker just played. Until he has answered, "
    "nothing else is played.",
    met="This answers the marker just played.",
)


def may_play(at: Board, do: PlayStratagem) -> Checks:
    """Everything that decides whether this marker may be played now for this use."""
    yield from answers_only(at, do)
    fits = do.use in USES[do.marker]
    yield has_use(do.marker, do.use, fits)
    if not fits:
        return
    yield is_held(at, do.by, do.marker)
    if do.marker == "imperium":
        yield from imperium.may_play_imperium(at, do)
    else:
        yield from imperium.MAY[do.use](at, the_play(at, do, do.use))


def answers_only(at: Board, do: PlayStratagem) -> Checks:
    """While the opponent is being asked, only his own cancelling marker may be played."""
    if at.agenda and (at.agenda[-1].procedure, at.agenda[-1].step) == ("stratagem", "answer"):
        use = do.use if do.use != "as" else do.as_use
        fits = use in ("cancel-agentes", "cancel-federate") or (do.as_ == "agentes" and use in (UNSET, None))
        yield needs(fits, NOT_AN_ANSWER, "jul:agentes.cancel-agentes", "jul:agentes.cancel-federate")


# -- the play --------------------------------------------------------------------------------------

PLAYED = message("marker-played", "%(player)s: the marker %(marker)s is played.")
PLAYED_AS = message(
    "imperium-played-as", "%(player)s: the marker Imperium is played as the marker %(marker)s."
)
BACK_TO_POOL = message("played-marker-to-pool", "The marker %(marker)s returns to the pool.")
OUT_OF_GAME = message("played-marker-out", "The marker %(marker)s leaves the game.")

CANCELS = ("cancel-agentes", "cancel-federate")


class StratagemMemory(Memory, frozen=True):
    """The play under way, then each Agentes that cancels the one before it."""

    plays: Annotated[tuple[Play, ...], Meta(min_length=1)] | UnsetType = UNSET


def begin_play(at: Board, do: PlayStratagem) -> tuple[Board, Where]:
    """Announce the marker; a cancelling one goes on top of the marker it answers."""
    use = imperium.uses_open(at, do)[0] if do.use == "as" else do.use
    play = the_play(at, do, use)
    under = answered(at) if use in CANCELS else ()
    return announce(at, play), call(STRATAGEM, plays=(*under, play))


def answered(at: Board) -> tuple[Play, ...]:
    """The marker just played; where it cancels, below it the one it answers, as far as it is told."""
    last, played = at.position.last_play, at.position.played
    if not isinstance(last, Play):
        return ()
    plays: tuple[Play, ...] = (last,)
    before = list(played[:-1]) if played is not UNSET and played[-1:] == plays else []
    while before and answers(plays[0], before[-1]):
        plays = (before.pop(), *plays)
    return plays


def answers(upper: Play, lower: Play) -> bool:
    """Is the upper marker one that cancels the lower one of the other player?"""
    kind = "federate" if upper.use == "cancel-federate" else "agentes"
    return upper.use in CANCELS and lower.by != upper.by and (PlayMade(lower, "").kind == kind) is True


def announce(at: Board, play: Play) -> Board:
    """Say what is played, note it, and lay the marker down."""
    by, marker = the_player(play), the_marker(play)
    if isinstance(play.as_, str):
        at = at.tell(PLAYED_AS, "jul:imperium.as-any", player=PLAYER[by], marker=MARKER[play.as_])
    else:
        at = at.tell(PLAYED, "jul:stratagem", player=PLAYER[by], marker=MARKER[marker])
    at = at.note_play(play)
    return at if play.use in ("draw", "steal") else lay_down(at, by, marker)


def the_marker(play: Play) -> Marker:
    """The marker that leaves the hand."""
    return play.marker  # type: ignore[return-value]


def lay_down(at: Board, by: Side, marker: Marker) -> Board:
    """A marker that was played goes back to the pool, or out of the game where it is read so (C75)."""
    at = at.shift(by, marker, -1)
    if at.choice("played-marker") == "out-of-the-game":
        return at.tell(OUT_OF_GAME, "jul:stratagem", marker=MARKER[marker])
    return at.shift("pool", marker, +1).tell(BACK_TO_POOL, "jul:stratagem", marker=MARKER[marker])


# -- the opponent's answer -------------------------------------------------------------------------

ASK_ANSWER = message(
    "ask-answer",
    "%(player)s: the opponent has just played the marker %(marker)s. Do you cancel it with an Agentes?",
)
WITH_AGENTES = message("answer-agentes", "Play an Agentes and cancel it.")
WITH_IMPERIUM = message("answer-imperium", "Declare an Imperium to be an Agentes and cancel it.")
LET_IT_PASS = message("answer-none", "Let it pass.")
ANSWERS = (("agentes", WITH_AGENTES), ("imperium", WITH_IMPERIUM))


def ask_answer(at: Board) -> Question:
    """The opponent is asked only if he holds a marker he can answer with."""
    last = on_top(at)
    if not must_know(agentes.can_be_cancelled(at, last)):
        return known(None)
    asked = opponent(must_know(last.by))
    options, closed = [], []
    for marker, said in ANSWERS:
        barred = barred_answer(at, asked, marker)  # type: ignore[arg-type]
        if barred is None:
            options.append(Option(marker, said))
        else:
            closed.append((marker, barred))
    if not options:
        return known(None)
    options.append(Option("none", LET_IT_PASS))
    return ask(
        ASK_ANSWER,
        Choose(tuple(options), tuple(closed)),
        player=PLAYER[asked],
        marker=MARKER[must_know(last.kind)],
    )


def on_top(at: Board) -> PlayMade:
    """The play that could be answered now."""
    return noted(at, len(must_know(at.recall("plays"))) - 1)


def barred_answer(at: Board, asked: Side, marker: Marker) -> Check | None:
    """Why he cannot answer with this marker; a hand that was not told bars nothing."""
    held = is_held(at, asked, marker)
    if held.holds is False:
        return held
    limit = imperium.imperium_left(at, asked) if marker == "imperium" else held
    return limit if limit.holds is False else None


def answer(at: Board, given: Any) -> tuple[Board, Where]:
    """Note the opponent's answer; one that cancels may be answered in its turn."""
    if given is None:
        return at, "effect"
    if given == "none":
        return at.change(last_play=None), "effect"
    last = on_top(at)
    asked = opponent(must_know(last.by))
    use: Use = "cancel-federate" if must_know(last.kind) == "federate" else "cancel-agentes"
    if isinstance(given, PlayStratagem):
        if given.by != asked:
            raise Refused(needs(False, agentes.OWN_MARKER, f"jul:agentes.{use}", pointer="/action/by"))
        given = given.marker
    if given == "imperium":
        must_know(imperium.imperium_left(at, asked).holds)
    play = Play(by=asked, marker=given, as_="agentes" if given == "imperium" else UNSET, use=use)
    at = announce(at, play)
    return at.remember(plays=(*at.recall("plays"), play)), "answer"


# -- what follows ----------------------------------------------------------------------------------

CANCELLED = message("marker-cancelled", "The marker %(marker)s is cancelled and has no effect.")
CANCEL_CANCELLED = message(
    "cancelling-cancelled", "The marker %(marker)s that should cancel is itself cancelled."
)


def effect(at: Board) -> tuple[Board, Where]:
    """The marker does what it does, unless the last word was that it is cancelled."""
    plays = must_know(at.recall("plays"))
    at = name_cancelled(at, plays)
    if len(plays) % 2 == 0 or plays[0].use in CANCELS:
        return at, "fate"
    play = noted(at, 0)
    return EFFECT[must_know(play.use)](at, play)


def name_cancelled(at: Board, plays: tuple[Play, ...]) -> Board:
    """Say of each marker that a standing one cancels that it is cancelled; the topmost always stands."""
    for place in range(len(plays) - 2, -1, -2):
        lower, upper = plays[place], plays[place + 1]
        cancels = lower.use in CANCELS
        rule = (
            "jul:agentes.cancel-federate" if upper.use == "cancel-federate" else "jul:agentes.cancel-agentes"
        )
        also = ("jul:federate.cancelled",) if upper.use == "cancel-federate" else ()
        named = must_know(noted(at, place).marker)
        at = at.tell(CANCEL_CANCELLED if cancels else CANCELLED, rule, *also, marker=MARKER[named])
    return at


def nothing_more(at: Board, _play: PlayMade) -> tuple[Board, Where]:
    """A marker that only cancels has done its work."""
    return at, "fate"


EFFECT: dict[Use, Callable[[Board, PlayMade], tuple[Board, Where]]] = {
    "look": agentes.look,
    "cancel-agentes": nothing_more,
    "cancel-federate": nothing_more,
    "draw": credo.draw_two,
    "steal": credo.steal_two,
    "activate": dux.activate,
    "leader": dux.bring_leader,
    "ally": federate.ally,
    "reroll": imperium.reroll,
    "march": military.march,
    "fight": military.fight,
}


ACTION = Action(
    PlayStratagem,
    "jul:stratagem",
    Term("jul.stratagem"),
    message("action.play-stratagem", "A player plays a Stratagem marker from his hand."),
    may_play,
    begin_play,
)

STRATAGEM = procedure(
    "stratagem",
    StratagemMemory,
    decision(
        "answer",
        ("jul:agentes.cancel-agentes", "jul:agentes.cancel-federate"),
        ask_answer,
        answer,
        takes=(ACTION,),
    ),
    automatic("effect", "jul:stratagem", effect),
    automatic("fate", ("jul:credo.return-after", "jul:credo.give-over"), credo.fate),
)
