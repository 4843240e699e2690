"""The conversation: one question at a time, its answer, undo and redo, and what is new for another phone."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from itertools import compress
from operator import not_
from typing import Any
from urllib.parse import urlencode

from flask import Response, request
from msgspec import Struct
from werkzeug.datastructures import MultiDict

from engine.messages import REGISTRY
from engine.verdict import ILLEGAL, UNDETERMINED
from service import play_kept, play_records, play_repeats, plays
from service.pages import pads, seats, shell, turns, walks, words
from service.pages.names import menu, title
from service.pages.tables import table_of
from service.pages.turns import Turn
from service.pages.walks import Given
from service.play_kept import Play
from service.play_problems import OtherVersion
from service.play_repeats import Repeatable, repeatable
from service.play_routes import served
from service.plays import Sent

screen = shell.screens("conversation")
DROP = {"choose": "none"}
MOST_EARLIER = 50
LONGEST_ADDRESS = 2_000  # servers and proxies take no address of any length
EARLIER = 10  # moves that are shown at once
EVENTS = 4  # of the last move that are all shown
NEWEST = 3  # of the news that are shown where there are more: the question below has to be in sight, too
CHANGES = 3
ISSUES = 3
COUNTED = "/tracks/"  # where the numbers of the position stand that are shown above
LONGEST_CHANGE = 60  # characters; what is longer is told by an event, or shown on the table


# -- looking ------------------------------------------------------------------------------------------


@screen.get("/play/<play>")
def conversation(play: str) -> Any:
    """What happened, where we are, and what is asked."""
    found = seats.look(play)
    steps = [walks.heard(one) for one in request.args.getlist("step")]
    fresh = request.args.get("after", str(found.version)) == str(found.version)
    asked = turns.turn(found, shell.lang(), _turned_to(request.args))
    response = shown(asked, steps if fresh else (), held=request.args if fresh else MultiDict())
    seats.keep(response, play)
    return response


@screen.get("/play/<play>/news")
def news(play: str) -> Any:
    """The conversation, if it has gone on since a version; nothing otherwise."""
    found = seats.look(play)
    if request.args.get("after") == str(found.version):
        return Response(status=204)
    return shown(turns.turn(found, shell.lang()), ())


def shown(
    asked: Turn,
    steps: Sequence[Any],
    status: int = 200,
    refusal: Any = None,
    notice: str = "",
    held: MultiDict[str, str] | None = None,
) -> Response:
    """The conversation as a page."""
    lang, play = shell.lang(), asked.play
    pad = asked.follow(steps)
    if isinstance(pad, Given):  # the steps in an address answer nothing by themselves
        steps, pad = (), asked.follow(())
    say = words.sayer(lang)
    earlier = min(MOST_EARLIER, _number(request.args.get("earlier")))
    return shell.page(
        "play.html",
        status,
        turn=asked,
        play=asked.state,
        game=play.game.name,
        title=title(play, lang),
        tracks=list(tracks(asked)),
        pad=pad,
        steps=steps,
        refusal=refusal,
        notice=notice,
        earlier=_earlier(play, lang, earlier),
        more_earlier=min(MOST_EARLIER, earlier + EARLIER) if play.moves > earlier + 1 else 0,
        happened=happened(asked.last),
        menu=menu(play, say),
        holds=_is_half_given(asked, pad, steps),
        back_address=address(play, asked, steps[:-1]) if steps else "",
        **pads.helpers(
            lang,
            say,
            lambda: table_of(play).board(),
            partial(_odds_at, asked),
            asked.refused(pad),
            held=held.to_dict(flat=False) if held else {},
            forgets=asked.forgets,
        ),
    )


def _is_half_given(asked: Turn, pad: Any, steps: Sequence[Any]) -> bool:
    """Would something be lost of an answer if its address were left, that an address has room for?"""
    begun = bool(steps or asked.mode) or pads.holds(pad)
    return begun and len(address(asked.play, asked, steps)) < LONGEST_ADDRESS


def _odds_at(asked: Turn, value: Any) -> str:
    """Where the chances of an option are, if chance decides what comes of it."""
    if not asked.is_chancy(value):
        return ""
    return f"/play/{asked.play.id}/odds?{urlencode({'choose': walks.said(value)})}"


def happened(last: dict[str, Any] | None) -> dict[str, Any]:
    """What came of the last move: what matters most, and the rest of it apart."""
    if last is None:
        return {}
    short = [one for one in last["changes"] if is_short(one)]
    short.sort(key=lambda one: not one.pointer.startswith(COUNTED))
    shown, folded = apart(last["events"])
    issues = list({one.id: one for one in last["issues"]}.values())
    return {
        "changes": short[:CHANGES],
        "events": shown,
        "issues": issues[:ISSUES],
        "other_issues": issues[ISSUES:],
        "rest": len(short[CHANGES:]) + len(folded) + len(issues[ISSUES:]),
        "other_changes": short[CHANGES:],
        "other_events": folded,
    }


def apart(events: Sequence[Any]) -> tuple[list[Any], list[Any]]:
    """Events to be shown and to be folded, both in their order; of many the newest news and what came last are shown."""
    if len(events) <= EVENTS:
        return list(events), []
    last = len(events) - 1
    news = [place for place, one in enumerate(events) if place == last or REGISTRY[one.name].tells == "news"]
    is_shown = [place in news[-NEWEST:] for place in range(len(events))]
    return list(compress(events, is_shown)), list(compress(events, map(not_, is_shown)))


def is_short(change: Any) -> bool:
    """Is this one fact with a value, and neither a whole box nor what is noted beside the table?"""
    plain = all(not isinstance(one, Struct | list | tuple | dict) for one in (change.before, change.to))
    said = f"{change.text or ''}{change.from_text or ''}{change.to_text or ''}"
    noted = change.pointer.startswith(turns.NOTED)
    return plain and not noted and bool(change.text and change.to_text) and len(said) <= LONGEST_CHANGE


def tracks(asked: Turn) -> Any:
    """The numbers above: every fact of the position that a printed result may count up or down by itself."""
    position, names = asked.play.position, asked.play.game.names
    changed = {one.pointer for one in (asked.last or {}).get("changes", ())}
    held = getattr(position, "tracks", None)
    say = words.sayer(shell.lang())
    for one in names.changeable:
        field = one.key.removeprefix(COUNTED)
        if one.key.startswith(COUNTED):
            value = getattr(held, field, None)
            told = value if isinstance(value, int) else "?"
            yield {
                "text": say(f"track.{field}"),
                "value": told,
                "changed": one.key in changed,
                "theirs": field.startswith("enemy"),
            }


def _earlier(play: Play, lang: str, count: int) -> list[dict[str, Any]]:
    """So many moves before the last one."""
    if not count or play.moves < 2:
        return []
    last = play.moves - 1
    first = max(0, last - count)
    found: list[dict[str, Any]] = play_records.page(served().store, play, first, last - first, lang)["moves"]
    return found


def _number(text: str | None) -> int:
    return int(text) if text and text.isascii() and text.isdigit() and len(text) < 6 else 0


def _turned_to(sent: Any) -> str:
    """What the player turned to."""
    mode = sent.get("mode", turns.ASKED)
    return mode if turns.is_mode(mode) else turns.ASKED


def address(play: Play, asked: Turn, steps: Sequence[Any]) -> str:
    """Where the conversation stands after some steps of an answer."""
    query: list[tuple[str, str]] = []
    if asked.mode:
        query.append(("mode", asked.mode))
    if steps:
        query += [("after", str(play.version)), *(("step", walks.said(step)) for step in steps)]
    return f"/play/{play.id}?{urlencode(query)}" if query else f"/play/{play.id}"


# -- answering ----------------------------------------------------------------------------------------


@screen.post("/play/<play>/answers")
def answer(play: str) -> Any:
    """One more step of an answer; the last one is a move."""
    sent = request.form
    lang = shell.lang()

    def work(found: Play, repeat: Repeatable | None) -> Any:
        asked = turns.turn(found, lang, _turned_to(sent), closed=False)
        steps = [walks.heard(one) for one in sent.getlist("step")]
        if sent.get("drop"):
            return _moved(asked, Sent(None, (DROP,)), repeat, steps)
        if sent.get("later") and asked.is_fact:
            return _moved(asked, asked.put_off(), repeat, steps)
        pad = asked.follow(steps)
        if isinstance(pad, Given):
            raise walks.unreadable()
        steps.append(walks.step_of(pad, sent))
        went = asked.follow(steps)
        if isinstance(went, Given):
            return _moved(asked, asked.sent(went.value), repeat, steps[:-1])
        there = address(found, asked, steps)
        return {"see": there} if len(there) < LONGEST_ADDRESS else _again(asked, steps, 200)

    return _once(play, work)


def _moved(asked: Turn, sent: Sent, repeat: Repeatable | None, steps: Sequence[Any]) -> Any:
    """Make a move; one that is refused is answered by the same question."""
    store, bounds, _ = served()
    body = plays.move(store, asked.play, sent, shell.lang(), bounds, repeat)
    if body["version"] != asked.play.version:
        if body["ruling"] == ILLEGAL:  # the action that waited for this fact
            return _again(turns.turn(seats.look(asked.play.id), shell.lang()), (), 422, refusal=body)
        if asked.mode.startswith(turns.FIRST):
            return _gone_on(asked)
        goes_on = asked.asks == "set-up" and asked.mode == turns.SET_UP
        return {"see": address(asked.play, asked, ()) if goes_on else f"/play/{asked.play.id}"}
    if body["ruling"] == UNDETERMINED and asked.mode == turns.ASKED and asked.play.asked is None:
        needs = turns.turn(asked.play, shell.lang(), turns.first_of(sent), closed=False)
        if needs.mode:
            return {"see": address(asked.play, needs, ())}
    return _again(asked, steps, 422, refusal=body)


def _gone_on(asked: Turn) -> Any:
    """Give the answer that waited for a fact, now that this is told; where another is missing, that is asked for."""
    now = turns.turn(seats.look(asked.play.id), shell.lang(), asked.mode, closed=False)
    if now.mode:
        return {"see": address(now.play, now, ())}
    waited = turns.waited(asked, now)
    return {"see": f"/play/{now.play.id}"} if waited is None else _moved(now, waited, None, ())


def _again(asked: Turn, steps: Sequence[Any], status: int, refusal: Any = None) -> Response:
    """The same question once more, with everything about it that is shown."""
    return shown(turns.turn(asked.play, shell.lang(), asked.mode), steps, status, refusal)


def _once(play: str, work: Callable[[Play, Repeatable | None], Any]) -> Any:
    """Carry a form out once, however often it is sent, if the play is still where its sender saw it."""
    body = request.get_data() or repr(sorted(request.form.items(multi=True))).encode()
    after = request.form.get("after", "")
    key = f"page {after} {request.path} {sorted(request.form.items(multi=True))}"
    repeat = repeatable(play, key, request.path, body)
    store = served().store

    def meant(found: Play) -> None:
        if after != str(found.version):
            raise OtherVersion(found.version)

    try:
        done, again = play_repeats.once(
            store,
            repeat,
            lambda connection: play_kept.open_for(connection, play, seats.kept().get(play)),
            meant,
            lambda found: work(found, repeat),
        )
    except OtherVersion:
        return _conflict(play)
    if isinstance(done, Response):
        return done
    return shell.see(done["see"] if not again and "see" in done else f"/play/{play}")


def _conflict(play: str) -> Response:
    """Somebody else was faster: what he answered, and what is asked now."""
    asked = turns.turn(seats.look(play), shell.lang())
    say = words.sayer(shell.lang())
    if asked.last is None:
        return shown(asked, (), 409, notice=say("conflict-undone"))
    answers = [str(one.text) for one in asked.last["answers"]]
    what = answers[-1] if answers else asked.last["headline"]
    return shown(asked, (), 409, notice=say("conflict", answer=what))


@screen.post("/play/<play>/undo")
def undo(play: str) -> Any:
    """Take the last move back."""
    return _once(play, lambda found, repeat: _gone(plays.undo, found, repeat))


@screen.post("/play/<play>/redo")
def redo(play: str) -> Any:
    """Make the last undone move again."""
    return _once(play, lambda found, repeat: _gone(plays.redo, found, repeat))


def _gone(go: Callable[..., None], found: Play, repeat: Repeatable | None) -> dict[str, str]:
    go(served().store, found, 1, repeat)
    return {"see": f"/play/{found.id}"}


words.sentences(
    {
        "you": "You: %(answer)s",
        "more-events": "+%(count)s more",
        "earlier": "Earlier",
        "not-now": "Not now (%(count)s)",
        "other-ways-closed": "Other ways that are not open now: %(count)s",
        "do-something-else": "Do something else",
        "back-to-question": "Back to the question",
        "one-step-back": "One step back",
        "later": "Later",
        "set-up-of": "Set-up: %(done)s of %(all)s",
        "set-up-open": "Set-up: still open (%(count)s)",
        "never-mind": "Never mind",
        "asked-for": "%(action)s: something has to be known before it goes on.",
        "on-your-copy": "on your copy",
        "watching": "You are watching. To answer from this device, join with a code.",
        "join": "Join with a code",
        "game-over": "The game is over.",
        "conflict": "Meanwhile another device answered: %(answer)s. This is how it stands now.",
        "conflict-undone": "Meanwhile another device went back to the beginning. This is how it stands now.",
        "note": "Note: %(note)s",
        "tracks": "How it stands",
        "kind-told": "Noted:",
        "kind-corrected": "Corrected by hand:",
    }
)
