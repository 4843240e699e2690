"""Agentes: examine the opponent's hand, or cancel his Agentes or his Federate."""

from __future__ import annotations

from engine import codec
from engine.julian.board import MARKER, PLAYER, Board, PlayMade, is_there, opponent
from engine.julian.playing import Checks, in_own_operations, the_player
from engine.julian.position import MARKERS, Play, Side
from engine.messages import Term, message, requirement
from engine.verdict import Truth, Unknown, certain, must_know, needs, refuted, some, warns

NOTHING_JUST_PLAYED = requirement(
    "nothing-just-played",
    "No Stratagem marker has just been played, so there is nothing to cancel.",
    met="A Stratagem marker has just been played.",
)
OWN_MARKER = requirement(
    "cancels-own-marker",
    "The marker just played (%(marker)s) is your own; only the opponent's markers can be cancelled.",
    met="The marker just played is the opponent's.",
)
NOT_AN_AGENTES = requirement(
    "last-play-not-agentes",
    "The marker just played (%(marker)s) is not an Agentes. Used this way, an Agentes cancels only an Agentes of the opponent.",
    met="The marker just played is an Agentes.",
)
NOT_A_LOOK = requirement(
    "last-play-not-a-look",
    "The Agentes just played was itself played to cancel, and by the reading chosen here it cannot be cancelled.",
    met="The Agentes just played can be cancelled.",
)
NOT_A_FEDERATE = requirement(
    "last-play-not-federate",
    "The marker just played (%(marker)s) is not a Federate. Used this way, an Agentes cancels only a Federate of the opponent.",
    met="The marker just played is a Federate.",
)
FEDERATE_AS_IN_7_11 = message(
    "cancelled-federate-not-in-the-aid",
    "An Agentes cancels a Federate played as in rule 7.11, which is not in the player aid: check in your rulebook whether this one was.",
)
NOTHING_TO_SEE = message("nothing-to-examine", "The opponent's hand is empty: there is nothing to examine.")


def may_look(at: Board, play: Play) -> Checks:
    """Use 1, at any time in one's own Operations Phases; any number of Agentes."""
    by = the_player(play)
    yield from in_own_operations(at, play, "jul:agentes.look", "jul:agentes.who")
    have = at.size(opponent(by))
    if isinstance(have, int) and have == 0:
        yield warns(NOTHING_TO_SEE, "jul:agentes.look", pointer=f"/hands/{opponent(by)}")


def may_cancel_agentes(at: Board, play: Play) -> Checks:
    """Use 2, at once after the opponent's Agentes, in either player's phase."""
    rule = "jul:agentes.cancel-agentes"
    yield from answers_opponent(at, play, rule)
    last = at.last_play
    if last is None:
        return
    last = must_know(last)
    yield needs(last.kind == "agentes", NOT_AN_AGENTES, rule, pointer="/last_play", marker=by_name(last))
    if not refuted(last.kind == "agentes"):
        yield needs(can_be_cancelled(at, last), NOT_A_LOOK, rule, pointer="/last_play/use")


def may_cancel_federate(at: Board, play: Play) -> Checks:
    """Use 3, at once after the opponent's Federate, in either player's phase."""
    rule = "jul:agentes.cancel-federate"
    yield from answers_opponent(at, play, rule, "jul:federate.cancelled")
    last = at.last_play
    if last is None:
        return
    last = must_know(last)
    kind, rules = last.kind, (rule, "jul:federate.cancelled")
    yield needs(kind == "federate", NOT_A_FEDERATE, *rules, pointer="/last_play", marker=by_name(last))
    if not refuted(kind == "federate"):
        yield warns(FEDERATE_AS_IN_7_11, rule, pointer="/last_play")


def answers_opponent(at: Board, play: Play, *rules: str) -> Checks:
    """The opponent has just played a marker."""
    last = at.last_play
    if not isinstance(last, PlayMade):
        yield needs(is_there(last), NOTHING_JUST_PLAYED, *rules, pointer="/last_play")
    else:
        taken = codec.write(last.play)
        yield at.occasion(at.just_played, NOTHING_JUST_PLAYED, *rules, pointer="/last_play", takes=taken)
        theirs, marker = last.by == opponent(the_player(play)), by_name(last)
        yield needs(theirs, OWN_MARKER, *rules, pointer="/last_play/by", marker=marker)


def by_name(play: PlayMade) -> Term:
    """The marker a play counts as, for a sentence; just a Stratagem where that was not told."""
    kind = play.kind
    return Term("jul.stratagem") if isinstance(kind, Unknown) else MARKER[kind]


def can_be_cancelled(at: Board, last: PlayMade) -> Truth:
    """A Federate always, an Agentes that looks, and one that cancels as the reading chosen has it (C74)."""
    kind = last.kind
    if isinstance(kind, Unknown):
        return kind
    if kind != "agentes":
        return kind == "federate"  # type: ignore[no-any-return]
    look = last.use == "look"
    if certain(look):
        return True
    chosen = at.choice("cancelling-agentes")
    if chosen == "imperium-only":
        return some((look, last.marker == "imperium"))
    return True if chosen == "always" else look


LOOKED = message(
    "hand-examined",
    "The %(player)s examines all Stratagem markers now in the opponent's hand.",
    outcome=True,
)
SEEN = message("marker-seen", "%(marker)s markers seen in the opponent's hand: %(count)s.")


def not_the_first(at: Board, by: Side) -> bool:
    """Has this player played more than one Agentes in this phase, as far as told?"""
    if isinstance(at.played, Unknown):
        return False
    return [(one.by, one.marker) for one in at.played].count((by, "agentes")) > 1


def look(at: Board, play: PlayMade) -> Board:
    """See the opponent's whole hand, as far as it is told."""
    by = must_know(play.by)
    again = ("jul:agentes.no-limit",) if not_the_first(at, by) else ()
    at = at.tell(LOOKED, "jul:agentes.look", *again, player=PLAYER[by])
    for marker in MARKERS:
        count = at.holds(opponent(by), marker)
        if isinstance(count, int) and count:
            at = at.tell(SEEN, "jul:agentes.look", marker=MARKER[marker], count=count)
    return at
