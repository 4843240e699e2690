"""Stratagem markers on their way between pool and hands: blind draws, the hand limit, a marker's fate."""

from __future__ import annotations

from typing import Annotated, ClassVar, Literal

from msgspec import Meta

from engine.chance import Draw
from engine.julian.board import MARKER, PLAYER, Board, opponent
from engine.julian.position import HIDDEN, Came, Side
from engine.memory import NOT_NOTED, Memory, Noted
from engine.messages import Message, message, question
from engine.questions import Question, ask, known
from engine.tables import END, Where, call, chance, procedure
from engine.verdict import must_know

Place = Literal["pool", "roman", "barbarian"]
Source = Literal["pool", "opponent", "hand"]
Why = Literal["draw", "steal", "combat"]
RULE = {"draw": "jul:credo.draw-two", "steal": "jul:credo.steal-two", "combat": "jul:crt.random-draw"}

ASK_WHICH = {
    "pool": question(
        "draw-from-pool",
        "Which Stratagem marker does the %(player)s draw at random from the pool?",
        lead="The %(player)s draws a Stratagem marker at random from the pool.",
    ),
    "opponent": question(
        "draw-from-opponent",
        "Which Stratagem marker does the %(player)s draw at random from the opponent's hand?",
        lead="The %(player)s draws a Stratagem marker at random from the opponent's hand.",
    ),
    "hand": question(
        "draw-from-own-hand",
        "Which Stratagem marker does the %(player)s, drawing at random from his own hand, return to the pool?",
        lead="The %(player)s draws a Stratagem marker at random from his own hand; it returns to the pool.",
    ),
}
MOVED = {
    "pool": message(
        "marker-drawn",
        "The %(player)s draws the %(marker)s marker from the pool.",
        outcome=True,
    ),
    "opponent": message(
        "marker-stolen",
        "The %(player)s draws the %(marker)s marker from the opponent's hand.",
        outcome=True,
    ),
    "hand": message(
        "marker-returned",
        "The %(player)s returns the %(marker)s marker from his hand to the pool.",
        outcome=True,
    ),
}
MOVED_HIDDEN = {
    "pool": message("hidden-marker-drawn", "The %(player)s draws a marker from the pool, face down."),
    "opponent": message(
        "hidden-marker-stolen",
        "The %(player)s draws a marker from the opponent's hand, face down.",
    ),
    "hand": message(
        "hidden-marker-returned", "The %(player)s returns a marker from his hand to the pool, face down."
    ),
}
TOO_FEW_MARKERS = message(
    "too-few-markers",
    "Stratagem markers due from the hand of the %(player)s: %(need)s; available: %(have)s. No more are owed.",
    tells="detail",
    untold="Stratagem markers due from the pool: %(need)s; available: %(have)s. No more are owed.",
)
DRAW_LAPSES = message(
    "marker-draw-lapses",
    "By the reading chosen here, the %(player)s draws no Stratagem marker from the pool. Due: %(need)s; available: %(have)s.",
    outcome=True,
    was="marker-effect-lapses",
)
RETURN_LAPSES = message(
    "marker-return-lapses",
    "By the reading chosen here, the %(player)s returns no Stratagem marker from his hand to the pool. Due: %(need)s; available: %(have)s.",
    outcome=True,
    was="marker-effect-lapses",
)
OVER_HAND_LIMIT = message(
    "over-hand-limit",
    "Markers in the hand of the %(player)s: %(have)s. The hand limit is %(limit)s; what happens beyond it is "
    "not in the player aid.",
    tells="detail",
)


class DrawMemory(Memory, frozen=True):
    """Who draws from where, how many markers are still owed, and why."""

    player: Noted[Side] = NOT_NOTED
    source: Noted[Source] = NOT_NOTED
    left: Noted[Annotated[int, Meta(ge=0, le=2)]] = NOT_NOTED
    why: Why = "combat"

    questions: ClassVar[dict[str, Message]] = {
        "player": message("ask-who-draws", "Which player is drawing Stratagem markers?"),
        "source": message(
            "ask-drawn-from",
            "Where are the Stratagem markers drawn from: from the pool, from the opponent's hand or from the "
            "player's own hand?",
        ),
        "left": message("ask-markers-left", "How many Stratagem markers are still to be drawn?"),
    }


def draws(at: Board, player: Side, source: Source, count: int, why: Why) -> tuple[Board, Where | None]:
    """Begin to draw so many markers blindly; None where there is nothing to draw."""
    place = _from(player, source)
    have = must_know(at.size(place))
    if have < count:
        if why == "combat" and at.choice("marker-shortage") == "all-or-nothing":
            lapses = DRAW_LAPSES if place == "pool" else RETURN_LAPSES
            return at.tell(lapses, RULE[why], need=count, have=have, player=PLAYER[player]), None
        whose = {} if place == "pool" else {"player": PLAYER[place]}
        at = at.tell(TOO_FEW_MARKERS, RULE[why], need=count, have=have, **whose)
        count = have
    if not count:
        return at, None
    return at, call(DRAW_MARKERS, player=player, source=source, left=count, why=why)


def _from(player: Side, source: Source) -> Place:
    return "pool" if source == "pool" else player if source == "hand" else opponent(player)


def ask_marker(at: Board, noted: DrawMemory) -> Question:
    """Which marker comes out; nothing is asked where none is left."""
    player: Side = must_know(noted.player)
    source: Source = must_know(noted.source)
    place = _from(player, source)
    if must_know(noted.left) < 1 or not must_know(at.size(place)):
        return known(None)
    goes = "pool" if source == "hand" else player
    return ask(ASK_WHICH[source], a_draw(at, place, goes), player=PLAYER[player])


def a_draw(at: Board, place: Place, goes: Place) -> Draw:
    """What can come out: of hidden markers any; only that one came, where only the other player sees it."""
    if at.face_down(place):
        return Draw(at.can_come(place), "marker", HIDDEN, at.content_of(place).facts[0])
    return Draw(at.can_come(place), "marker", HIDDEN if at.told_by_number(goes) else "")


def take_marker(at: Board, noted: DrawMemory, marker: Came | None) -> tuple[Board, Where]:
    """Move the marker that came out, and draw on while some are owed."""
    if marker is None:
        return at, END
    player: Side = must_know(noted.player)
    source: Source = must_know(noted.source)
    left = must_know(noted.left)
    goes_to = "pool" if source == "hand" else player
    at = at.shift(_from(player, source), marker, -1).shift(goes_to, marker, +1)
    if marker == HIDDEN:
        at = at.tell(MOVED_HIDDEN[source], RULE[noted.why], player=PLAYER[player])
    else:
        at = at.tell(MOVED[source], RULE[noted.why], player=PLAYER[player], marker=MARKER[marker])
    return (at.remember(left=left - 1), "draw") if left > 1 else (at, END)


def mind_hand_limit(at: Board, side: Side) -> Board:
    """Say so where a hand has grown past the limit the player named; the aid states none."""
    limit, have = at.components.julian.limit, at.size(side)
    if limit is not None and isinstance(have, int) and have > limit:
        return at.tell(OVER_HAND_LIMIT, "jul:stratagem", player=PLAYER[side], have=have, limit=limit)
    return at


DRAW_MARKERS = procedure(
    "draw-markers",
    DrawMemory,
    chance(
        "draw",
        "jul:crt.random-draw",
        ask_marker,
        take_marker,
        goes=("draw", END),
        title="A Stratagem marker is drawn at random",
    ),
    title="Drawing Stratagem markers",
)
