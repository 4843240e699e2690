"""Credo: draw two markers from the pool, or two from the opponent's hand."""

from __future__ import annotations

from engine.julian.board import MARKER, Board, PlayMade, opponent
from engine.julian.markers import draws, mind_hand_limit
from engine.julian.playing import (
    Checks,
    StratagemMemory,
    in_own_operations,
    phase_now,
    play_noted,
    played_before,
    played_for,
    the_player,
)
from engine.julian.position import Play
from engine.messages import message, requirement
from engine.tables import Where
from engine.verdict import denied, must_know, needs, refuted, warns

NOT_IN_STRATAGEM_PHASE = requirement(
    "not-in-stratagem-phase",
    "%(marker)s (%(use)s) can be played only in a Stratagem Marker Phase; it is now the %(phase)s.",
    met="It is the Stratagem Marker Phase.",
    whole=True,
)
ONE_CREDO = requirement(
    "credo-already-played",
    "You have already played a Credo in this Stratagem Marker Phase, and by the reading chosen here one is the limit.",
    met="You have not played a Credo in this Stratagem Marker Phase.",
)
NOTHING_TO_STEAL = requirement(
    "no-marker-to-take",
    "The opponent's hand holds no Stratagem marker that a Credo could draw.",
    met="Stratagem markers in the opponent's hand: %(have)s.",
)
TOO_FEW_TO_STEAL = requirement(
    "too-few-markers-to-take",
    "The opponent's hand holds too few Stratagem markers (%(have)s): by the reading chosen here, a Credo that draws from it "
    "needs two.",
    met="The opponent's hand holds enough Stratagem markers: %(have)s.",
    whole=True,
)
POOL_EMPTY = message("pool-empty", "The pool is empty: this Credo brings no marker.")


def may_draw(at: Board, play: Play) -> Checks:
    """In a Stratagem Marker Phase: two other markers from the pool."""
    phase = at.phase
    yield at.occasion(
        phase == "stratagem",
        NOT_IN_STRATAGEM_PHASE,
        "jul:credo.draw-two",
        pointer="/phase",
        takes="stratagem",
        phase=phase_now(phase),
        **played_for(play),
    )
    if at.choice("credo-limit") == "one-per-phase":
        before = played_before(at, play)
        yield at.occasion(denied(before), ONE_CREDO, "jul:credo.draw-two", pointer="/played", takes=())
    if must_know(at.size("pool")) == 0:
        yield warns(POOL_EMPTY, "jul:credo.draw-two", pointer="/pool")


def may_steal(at: Board, play: Play) -> Checks:
    """In one's own Reinforcement Sub-Phase: two markers out of the opponent's hand."""
    by = the_player(play)
    rule = "jul:credo.steal-two"
    yield from in_own_operations(at, play, rule, "jul:credo.who", subphase="reinforcement")
    both = at.choice("credo-small-hand") == "two-needed"
    have, too_few = at.size(opponent(by)), TOO_FEW_TO_STEAL if both else NOTHING_TO_STEAL
    yield needs(have >= 1 + both, too_few, rule, pointer=f"/hands/{opponent(by)}", have=have)


CREDO_FREE = message("credo-free", "This draw costs the Roman player no TP.", tells="detail")
CREDO_BACK = message(
    "credo-to-pool", "After the draw the %(marker)s marker returns to the pool.", tells="detail"
)
CREDO_GIVEN = message(
    "credo-to-opponent",
    "After the draw the %(marker)s marker goes into the opponent's hand.",
    tells="detail",
)


def draw_two(at: Board, play: PlayMade) -> tuple[Board, Where | None]:
    """Two markers at random from the pool, free of charge."""
    by = must_know(play.by)
    if by == "roman":
        at = at.tell(CREDO_FREE, "jul:credo.free-for-roman")
    return draws(at, by, "pool", 2, "draw")


def steal_two(at: Board, play: PlayMade) -> tuple[Board, Where | None]:
    """Two markers at random out of the opponent's hand."""
    return draws(at, must_know(play.by), "opponent", 2, "steal")


def fate(at: Board, noted: StratagemMemory) -> Board:
    """A Credo leaves the hand only now: to the pool, or to the player it took from."""
    play = play_noted(at, noted, 0)
    if play.play.use not in ("draw", "steal"):
        return at
    by, marker = must_know(play.by), must_know(play.marker)
    given = play.use == "steal" and (marker != "imperium" or at.choice("imperium-copied-fate") == "as-copied")
    if not refuted(at.may_hold(by, marker)):  # whoever plays it holds it, unless the position tells otherwise
        at = at.shift(by, marker, -1).shift(opponent(by) if given else "pool", marker, +1)
    if given:
        at = at.tell(CREDO_GIVEN, "jul:credo.give-over", marker=MARKER[marker])
    else:
        at = at.tell(CREDO_BACK, "jul:credo.return-after", marker=MARKER[marker])
    return mind_hand_limit(mind_hand_limit(at, by), opponent(by))
