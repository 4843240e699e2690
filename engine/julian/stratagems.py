"""Stratagem markers: what may be played, how the opponent answers it, and what follows.

Each marker's own conditions and effects stand in the module of its name.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, get_args

from msgspec import UnsetType, structs

from engine.actions import NOT_NAMED, Action, Said, is_named, say
from engine.exceptions import Refused
from engine.julian import agentes, credo, dux, federate, imperium, military
from engine.julian.board import MARKER, PLAYER, USE, USES, Board, PlayMade, opponent
from engine.julian.playing import (
    Checks,
    PlayStratagem,
    StratagemMemory,
    has_use,
    is_held,
    meant,
    play_noted,
    the_play,
    the_player,
)
from engine.julian.position import MARKERS, Marker, Name, Play, Side, Use
from engine.messages import Message, Ref, Term, message, question, requirement
from engine.questions import Question, ask, known
from engine.tables import END, Does, Where, automatic, call, decision, instead, procedure
from engine.verdict import Unknown, certain, must_know, needs, refuted, unknown

# -- what may be played ----------------------------------------------------------------------------

NOT_AN_ANSWER = requirement(
    "not-an-answer",
    "The opponent is being asked whether he cancels the marker just played (%(marker)s). Until he has answered, "
    "nothing else is played.",
    met="This answers the marker just played.",
)


ASK_USE = message("param.marker-use", "For which of its uses is the Stratagem marker played?")


def may_play(at: Board, do: PlayStratagem) -> Checks:
    """Everything that decides whether this marker may be played now for this use."""
    do, uses = meant(do), USES[do.marker]
    if not is_named(do.use):
        must_know(unknown("/action/use", ASK_USE, among=uses))
    use: Use = do.use  # type: ignore[assignment]  # it is named
    yield from answers_only(at, do)
    fits = use in uses
    yield has_use(do.marker, use, fits)
    if not fits:
        return
    yield from may_play_at_all(at, (do.by, do.marker, use))
    if do.marker == "imperium":
        yield from imperium.may_play_imperium(at, do)
    else:
        yield from imperium.MAY[use](at, the_play(at, do, use))


Played = tuple[Side, Marker, Use]  # a player's marker, for one of its uses


def may_play_at_all(at: Board, one: Played) -> Checks:
    """What a marker needs whatever it is to do: it is held; of Imperiums, one is the limit."""
    by, marker, _use = one
    yield is_held(at, by, marker)
    if marker == "imperium":
        yield imperium.imperium_left(at, by)


def answers_only(at: Board, do: PlayStratagem) -> Checks:
    """While the opponent is being asked, only his own cancelling marker may be played."""
    if waits_for_answer(at):
        use = do.use if do.use != "as" else do.as_use
        fits = use in ("cancel-agentes", "cancel-federate") or (
            do.as_ == "agentes" and not isinstance(use, str)
        )
        rules = ("jul:agentes.cancel-agentes", "jul:agentes.cancel-federate")
        yield needs(fits, NOT_AN_ANSWER, *rules, marker=to_be_answered(at))


def waits_for_answer(at: Board) -> bool:
    """Is the opponent being asked whether he cancels the marker just played?"""
    return bool(at.agenda) and (at.agenda[-1].procedure, at.agenda[-1].step) == ("stratagem", "answer")


def to_be_answered(at: Board) -> Term:
    """The marker that the opponent may cancel, by name as far as it is told."""
    plays = must_know(at.noted(StratagemMemory)).plays  # type: ignore[union-attr]  # that one waits
    return Term("jul.stratagem") if isinstance(plays, Unknown) else agentes.by_name(PlayMade(plays[-1], ""))


# -- what could be played --------------------------------------------------------------------------

OFFER = message("play-stratagem-offer", "%(player)s: play the %(marker)s marker. Use: %(use)s.")
OFFER_COMMAND = message(
    "play-stratagem-offer-command",
    "%(player)s: play the %(marker)s marker. Use: %(use)s. Command: %(command)s.",
)
OFFER_AS = message(
    "play-stratagem-offer-as",
    "%(player)s: declare an Imperium to be the %(marker)s marker. Use: %(use)s.",
)
OFFER_AS_COMMAND = message(
    "play-stratagem-offer-as-command",
    "%(player)s: declare an Imperium to be the %(marker)s marker. Use: %(use)s. Command: %(command)s.",
)


def in_hands(at: Board) -> Iterator[Played]:
    """Every use of every marker that each player may hold."""
    for by in get_args(Side):
        yield from in_hand(at, by)


def in_hand(at: Board, by: Side) -> Iterator[Played]:
    """Every use of every marker that this player may hold."""
    for marker in MARKERS:
        if not refuted(is_held(at, by, marker).holds):
            yield from ((by, marker, use) for use in USES[marker])


def ways(at: Board, one: Played) -> Iterator[PlayStratagem]:
    """Every way to put a marker to this use; the stack a Military helps has any name, so it is asked."""
    by, marker, use = one
    if use == "as":
        yield from ways_as(at, by)
    else:
        yield from (PlayStratagem(by, marker, use, command=command) for command in commands_for(at, use))


def ways_as(at: Board, by: Side) -> Iterator[PlayStratagem]:
    """An Imperium declared to be each other marker, for each of its uses."""
    for marker in MARKERS:
        for use in USES[marker] if marker != "imperium" else ():
            for command in commands_for(at, use):
                yield PlayStratagem(by, "imperium", "as", as_=marker, as_use=use, command=command)


def commands_for(at: Board, use: Use) -> list[Name | UnsetType]:
    """The commands a use can name; none for those that name none, and where they were not told."""
    if use != "activate":
        return [NOT_NAMED]
    other = [] if at.all_commands_told else [NOT_NAMED]
    return [*(command.name for command in at.commands_known), *other]


def offer(_at: Board, do: PlayStratagem) -> Said:
    """Who plays what, and for what."""
    copies = do.use == "as"
    marker, use = (do.as_, do.as_use) if copies else (do.marker, do.use)
    shown = {"player": PLAYER[do.by], "marker": MARKER[marker], "use": USE[use]}  # type: ignore[index]
    if isinstance(do.command, str):
        return say(OFFER_AS_COMMAND if copies else OFFER_COMMAND, **shown, command=do.command)
    return say(OFFER_AS if copies else OFFER, **shown)


def named(parameters: str | tuple[str, ...], subject: Any) -> Said | None:
    """Whose marker an action is about, and the use it is put to where there are several."""
    if parameters != SUBJECT:
        return None
    by, marker, use = subject
    if len(USES[marker]) == 1:
        return say(WHOSE_MARKER, player=PLAYER[by], marker=MARKER[marker])
    return say(MARKER_FOR_USE, player=PLAYER[by], marker=MARKER[marker], use=USE[use])


SUBJECT = ("by", "marker", "use")
WHOSE_MARKER = message("subject.marker", "%(player)s: %(marker)s")
MARKER_FOR_USE = message("subject.marker-for-use", "%(player)s: %(marker)s (%(use)s)")
NO_MARKER_HELD = message(
    "no-marker-held", "Neither player holds a Stratagem marker, so there is none to be played."
)


class ImperiumAs(Ref):
    """An Imperium by the marker it is declared to be."""

    __slots__ = ()

    def phrase(self) -> tuple[Message, dict[str, Any]]:
        """Both markers by name."""
        return IMPERIUM_AS, {"imperium": MARKER["imperium"], "marker": Term(self)}


IMPERIUM_AS = message("imperium-as-marker", "%(imperium)s as %(marker)s")


def by_its_marker(do: PlayStratagem) -> Ref:
    """What is played, for a headline."""
    if do.use == "as" and isinstance(do.as_, str):
        return ImperiumAs(MARKER[do.as_])
    return MARKER[do.marker]


# -- the play --------------------------------------------------------------------------------------

PLAYED = message("marker-played", "The %(player)s plays the %(marker)s marker.")
PLAYED_AS = message(
    "imperium-played-as", "The %(player)s plays the Imperium marker as the %(marker)s marker."
)
BACK_TO_POOL = message("played-marker-to-pool", "The %(marker)s marker returns to the pool.", tells="detail")
OUT_OF_GAME = message("played-marker-out", "The %(marker)s marker leaves the game.", tells="detail")

CANCELS = ("cancel-agentes", "cancel-federate")


def begin_play(at: Board, do: PlayStratagem) -> tuple[Board, Where]:
    """Announce the marker; a cancelling one goes on top of the marker it answers."""
    do = meant(do)
    if waits_for_answer(at):
        return answer(at, at.noted(StratagemMemory), do)  # type: ignore[arg-type]  # that one waits
    use: Use = imperium.uses_open(at, do)[0] if do.use == "as" else do.use  # type: ignore[assignment]  # it is named
    play = the_play(at, do, use)
    under = answered(at) if use in CANCELS else ()
    return announce(at, play), call(STRATAGEM, plays=(*under, play))


def answered(at: Board) -> tuple[Play, ...]:
    """The marker just played; where it cancels, below it the one it answers, as far as it is told."""
    last, played = at.last_play, at.played
    if not isinstance(last, PlayMade):
        return ()
    plays: tuple[Play, ...] = (last.play,)
    before = [] if isinstance(played, Unknown) or played[-1:] != plays else list(played[:-1])
    while before and answers(plays[0], before[-1]):
        plays = (before.pop(), *plays)
    return plays


def answers(upper: Play, lower: Play) -> bool:
    """Is the upper marker one that cancels the lower one of the other player?"""
    kind = "federate" if upper.use == "cancel-federate" else "agentes"
    return upper.use in CANCELS and lower.by != upper.by and certain(PlayMade(lower, "").kind == kind)


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

ASK_ANSWER = question(
    "ask-answer",
    "%(player)s: do you cancel the %(marker)s marker with an Agentes?",
    lead="The opponent has just played the %(marker)s marker.",
)
WITH_AGENTES = message("answer-agentes", "Play an Agentes to cancel that marker.")
WITH_IMPERIUM = message("answer-imperium", "Declare an Imperium to be an Agentes, and cancel that marker.")
LET_IT_PASS = message("answer-none", "Let it pass.")
ANSWERS: dict[Marker, Message] = {"agentes": WITH_AGENTES, "imperium": WITH_IMPERIUM}


def ask_answer(at: Board, noted: StratagemMemory) -> Question:
    """The opponent is asked only if he holds a marker he can answer with."""
    last = on_top(at, noted)
    if not must_know(agentes.can_be_cancelled(at, last)):
        return known(None)
    player, marker = opponent(must_know(last.by)), must_know(last.kind)
    return ask(ASK_ANSWER, player=PLAYER[player], marker=MARKER[marker])


def on_top(at: Board, noted: StratagemMemory) -> PlayMade:
    """The play that could be answered now."""
    return play_noted(at, noted, len(must_know(noted.plays)) - 1)


def cancelling(last: PlayMade, marker: Marker) -> PlayStratagem:
    """The opponent's play that cancels this one: an Agentes, or an Imperium declared to be one."""
    by, use = opponent(must_know(last.by)), cancelling_use(last)
    if marker == "imperium":
        return PlayStratagem(by, "imperium", "as", as_="agentes", as_use=use)
    return PlayStratagem(by, "agentes", use)


def cancelling_use(last: PlayMade) -> Use:
    """The use of an Agentes that cancels this play."""
    return "cancel-federate" if must_know(last.kind) == "federate" else "cancel-agentes"


def could_cancel(at: Board) -> Iterator[Played]:
    """The markers that the opponent could answer with."""
    for do in (cancelling(last_of_all(at), marker) for marker in ANSWERS):
        yield do.by, do.marker, do.use  # type: ignore[misc]  # it is named


def ways_to_cancel(at: Board, one: Played) -> Iterator[PlayStratagem]:
    """A marker answers in one way only."""
    yield cancelling(last_of_all(at), one[1])


def last_of_all(at: Board) -> PlayMade:
    """The play that the opponent is asked about."""
    return on_top(at, at.noted(StratagemMemory))  # type: ignore[arg-type]  # that one waits


def by_word(at: Board, noted: StratagemMemory, given: Any) -> PlayStratagem | None:
    """The play that a marker's name stands for as an answer."""
    return cancelling(on_top(at, noted), given) if given in ANSWERS else None


def answer(at: Board, noted: StratagemMemory, given: Any) -> tuple[Board, Where]:
    """Note the opponent's answer; one that cancels may be answered in its turn."""
    if given is None:
        return at, "effect"
    if given == "none":
        return at.change(last_play=None), "effect"
    last = on_top(at, noted)
    does, use = cancelling(last, given.marker), cancelling_use(last)
    if given.by != does.by:
        rule, shown = f"jul:agentes.{use}", agentes.by_name(last)
        raise Refused(needs(False, agentes.OWN_MARKER, rule, pointer="/action/by", marker=shown))
    play = the_play(at, does, use)
    return announce(at, play).remember(plays=(*must_know(noted.plays), play)), "answer"


# -- what follows ----------------------------------------------------------------------------------

CANCELLED = message(
    "marker-cancelled",
    "The %(marker)s marker of the %(player)s is cancelled and has no effect.",
    outcome=True,
)
CANCEL_CANCELLED = message(
    "cancelling-cancelled",
    "The %(marker)s marker of the %(player)s, played to cancel, is itself cancelled.",
    outcome=True,
)


def effect(at: Board, noted: StratagemMemory) -> Any:
    """The marker does what it does, unless the last word was that it is cancelled."""
    plays = must_know(noted.plays)
    at = name_cancelled(at, noted)
    if len(plays) % 2 == 0 or plays[0].use in CANCELS:
        return at
    play = play_noted(at, noted, 0)
    return EFFECT[must_know(play.use)](at, play)


def name_cancelled(at: Board, noted: StratagemMemory) -> Board:
    """Say of each marker that a standing one cancels that it is cancelled; the topmost always stands."""
    plays = must_know(noted.plays)
    for place in range(len(plays) - 2, -1, -2):
        lower, upper = plays[place], plays[place + 1]
        cancels = lower.use in CANCELS
        rule = (
            "jul:agentes.cancel-federate" if upper.use == "cancel-federate" else "jul:agentes.cancel-agentes"
        )
        also = ("jul:federate.cancelled",) if upper.use == "cancel-federate" else ()
        one = play_noted(at, noted, place)
        at = at.tell(
            CANCEL_CANCELLED if cancels else CANCELLED,
            rule,
            *also,
            marker=MARKER[must_know(one.marker)],
            player=PLAYER[must_know(one.by)],
        )
    return at


EFFECT: dict[Use, Does] = {  # one that only cancels has none of its own
    "look": agentes.look,
    "draw": credo.draw_two,
    "steal": credo.steal_two,
    "activate": dux.activate,
    "leader": dux.bring_leader,
    "ally": federate.ally,
    "reroll": imperium.reroll,
    "march": military.march,
    "fight": military.fight,
}


def back(at: Board, _noted: StratagemMemory) -> tuple[Board, Where]:
    """What was interrupted goes on where it stood: its question is asked again."""
    outer = at.agenda[:-1]
    return (at.with_agenda(outer), outer[-1].step) if outer else (at, END)


ACTION = Action(
    PlayStratagem,
    "jul:stratagem",
    Term("jul.stratagem"),
    message("action.play-stratagem", "A player plays a Stratagem marker from his hand."),
    may_play,
    begin_play,
    called=lambda do: (by_its_marker(do), "jul:stratagem"),
    any_time=True,  # each use says itself when; an Agentes looks “at any time”, in the middle of a result too
    offer=offer,
    ways=ways,
    subjects=in_hands,
    may_at_all=may_play_at_all,
    subject=SUBJECT,
    if_nobody=NO_MARKER_HELD,
)
CANCELLING = structs.replace(
    ACTION,
    offer=lambda _at, do: say(ANSWERS[do.marker]),
    ways=ways_to_cancel,
    subjects=could_cancel,
    word=lambda do: do.marker,
)

STRATAGEM = procedure(
    "stratagem",
    StratagemMemory,
    decision(
        "answer",
        ("jul:agentes.cancel-agentes", "jul:agentes.cancel-federate"),
        ask_answer,
        answer,
        takes=(CANCELLING,),
        or_else=instead(LET_IT_PASS, "effect", beside=True),
        reads=by_word,
        goes=("answer", "effect"),
        title="Does the opponent cancel it?",
    ),
    automatic("effect", "jul:stratagem", effect, title="The marker takes effect"),
    automatic(
        "fate", ("jul:credo.return-after", "jul:credo.give-over"), credo.fate, title="A Credo leaves the hand"
    ),
    automatic("back", "jul:stratagem", back, goes=(END,), title="What was interrupted goes on"),
    title="Playing a Stratagem marker",
)
