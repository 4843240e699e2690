"""POST …/replay and `ruleglot replay`: a game as a list of moves in, the report of its session out."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec
from msgspec import inspect, structs

from engine import codec, transcript
from engine.exceptions import Unreadable
from engine.game import Continue, Game
from engine.messages import Message, act, message
from engine.pointers import escape, parts
from engine.questions import option_of
from engine.shapes import members, shape
from engine.transcript import (
    Asked,
    Divergence,
    Move,
    Page,
    Played,
    Replay,
    Transcript,
)
from engine.verdict import LEGAL
from service import checks, prices, printed_words, told_facts, wordings
from service.answers import AnswerEntry, DifferenceEntry, DivergenceEntry, MoveEntry, ReplayAnswer
from service.bodies import MOST_MOVES
from service.divergences import differences, stops
from service.headlines import SectionRef
from service.headlines import headline as headline_of
from service.languages import Reader, Text, Voice, beside, capital, voice
from service.questions import asked, drawn, pending_question
from service.requests import AskedReplay
from service.rules import section
from service.sentences import happenings, refusals
from service.typed_forms import NAMED, NO, YES

DEED = message("deed", "%(action)s (%(section)s)")
DEED_PLAIN = message("deed.plain", "%(action)s")
DEED_WITH = message("deed.with", "%(deed)s, %(details)s")
# Parameters of actions that can be said without knowing the game; the rest is told by what happens.
DETAILS = {
    name: message(f"deed.{name}", text)
    for name, text in (
        ("family", "Family %(value)s"),
        ("elder", "Elder in space %(value)s"),
        ("ap", "AP: %(value)s"),
        ("trade_goods", "Trade Goods: %(value)s"),
        ("horse", "with a horse"),
        ("firearms", "with Firearms"),
    )
}

ANSWERED = message("deed.answered", "answers given: %(count)s")
DIE = message("answer.die", "die %(value)s")
DICE = message("answer.dice", "dice %(value)s")
DRAWN = message("answer.drawn", "drawn: %(value)s")
READ = message("answer.read", "read: %(value)s")
READ_OFF = message("answer.read-off", "read off the copy")  # the events that follow say what
TOLD = message("answer.told", "told by hand: %(value)s")
CORRECTED = message("answer.corrected", "corrected, as the table shows: %(value)s")
READ_OTHERWISE = message("answer.read-otherwise", "read otherwise from here on: %(value)s")
NOTED = message("answer.noted", "note: %(value)s")
NOTHING = act("answer.nothing", "nothing")

Phrase = tuple[Message, dict[str, Any]]


# -- the answer of the service -----------------------------------------------------------------------


def answer(game: Game, request: AskedReplay, lang: str) -> ReplayAnswer[Any, Any]:
    """The whole answer to one replay request, worded in the reader's language: a page of the game."""
    page = transcript.page(game, _sent(request), request.begins, request.limit, MOST_MOVES)
    return _paged(game, request, lang, page, transcript.replay(game, page.part, spent=prices.spent()))


def answer_at_any_length(game: Game, request: AskedReplay, lang: str) -> ReplayAnswer[Any, Any]:
    """The same in one's own process, where a game may be as long as it likes: without a lower limit it is one page."""
    limit = request.limit if request.limit < MOST_MOVES else transcript.MOST
    page = transcript.page(game, _sent(request), request.begins, limit, transcript.MOST)
    return _paged(game, request, lang, page, transcript.replay(game, page.part))


def _paged(game: Game, request: AskedReplay, lang: str, page: Page, went: Replay) -> ReplayAnswer[Any, Any]:
    body = worded(game, went, lang, _played(page, went, request.begins), request.begins)
    return structs.replace(body, transcript=recorded(game, went, request)) if request.record else body


def _played(page: Page, went: Replay, begins: int) -> Page:
    """The page as far as it was played: where moves are dear, the next begins earlier."""
    if went.diverged or len(went.played) == len(page.part.moves):
        return page
    last = page.behind + len(went.played)
    if last <= begins:
        raise Unreadable("replay-too-long", "/moves", limit=last - page.behind)
    return structs.replace(page, next=last)


def _sent(request: AskedReplay) -> Transcript:
    return Transcript(request.position, request.moves, request.choices, request.components)


def replay(game: Game, request: AskedReplay, most: int) -> Replay:
    """The game that a request tells, as far as it can be replayed."""
    return transcript.replay(game, _sent(request), most)


def recorded(game: Game, went: Replay, request: AskedReplay) -> dict[str, Any]:
    """The game as far as it was replayed, to be kept; what the server's own file tells is not part of it."""
    kept = structs.replace(transcript.recorded(went), components=request.told)
    return {"game": game.name, **transcript.write(kept)}


def worded(
    game: Game, went: Replay, lang: str, page: Page | None = None, begins: int = 0
) -> ReplayAnswer[Any, Any]:
    """A replay in the reader's language: its moves, where it stopped and why, and how the game stands.

    Of a page, the moves behind the one it begins behind.
    """
    speaks, last = voice(lang), last_move(went)
    behind = 0 if page is None else page.behind
    moves = [(number, one) for number, one in enumerate(went.played, start=behind + 1) if number > begins]
    stop = went.diverged
    if stop is not None:
        stop = structs.replace(stop, number=stop.number + behind)
    return ReplayAnswer(
        game=game.name,
        lang=speaks.lang,
        moves=[move_entry(game, number, one, speaks) for number, one in moves],
        diverged=None if stop is None else diverged_entry(game, stop, speaks),
        pending=None if last is None else pending_question(game, last.answer, speaks),
        unknowns=[
            asked(game, fact, went.position, speaks)
            for fact in (last.answer.verdict.unknowns if last else ())
        ],
        position=went.position,
        issues=checks.issue_entries(game.catalogue, _consulted(went), went.start.rules.chosen, speaks),
        next=None if page is None or stop is not None else page.next,
    )


def last_move(went: Replay) -> Played | None:
    """The move that left the game where it stands."""
    return next((one for one in reversed(went.played) if one.answer.verdict.ruling == LEGAL), None)


def _consulted(went: Replay) -> dict[str, str]:
    """The disputed points that any move rests on; one reading holds for the whole game."""
    stop = () if went.diverged is None else (went.diverged.played,)
    return {name: chosen for one in (*went.played, *stop) for name, chosen in one.answer.issues.items()}


def move_entry(game: Game, number: int, played: Played, speaks: Voice) -> MoveEntry:
    """A move that was played, in words."""
    return MoveEntry(**_told_of(game, number, played, speaks))


def _told_of(game: Game, number: int, played: Played, speaks: Voice) -> dict[str, Any]:
    return {
        "number": number,
        "headline": headline(game, played.move, speaks, played),
        "ruling": played.answer.verdict.ruling,
        "answers": [_answer_entry(game, one, speaks) for one in played.asked],
        "events": happenings(played.answer.events, speaks),
    }


def headline(game: Game, move: Move, speaks: Voice, played: Played | None = None) -> Text:
    """What was done."""
    return speaks.each(lambda reader: _done(reader, game, move, played))


def _answer_entry(game: Game, one: Asked, speaks: Voice) -> AnswerEntry:
    key, value = one.given
    question = one.pending.question
    return AnswerEntry(
        name=one.pending.name,
        question=speaks.say(question.message, question.params),
        text=speaks.each(lambda reader: given(reader, game, one)),
        input={key: value},
    )


def diverged_entry(game: Game, stop: Divergence, speaks: Voice) -> DivergenceEntry:
    """A move that came out otherwise than recorded, with both side by side."""
    verdict = stop.played.answer.verdict
    return DivergenceEntry(
        **_told_of(game, stop.number, stop.played, speaks),
        text=speaks.say(*stops(stop)),
        differences=[
            DifferenceEntry(name=name, text=speaks.each(said)) for name, said in differences(game, stop)
        ],
        expected=stop.played.move.expected,
        found=stop.played.found,
        reasons=refusals(verdict.reasons, speaks),
        unknowns=[
            asked(game, fact, stop.played.answer.position, speaks, stop.played.move.action)
            for fact in verdict.unknowns
        ],
    )


# -- what was done, in words -------------------------------------------------------------------------


def _done(speaks: Reader, game: Game, move: Move, played: Played | None) -> str:
    """What a move is called: the action, or the first answer that goes on with one."""
    if move.kind != "move":
        return next(told_lines(speaks, game, move), "")
    if not isinstance(move.action, Continue):
        return deed(speaks, game, move.action)
    if played is None:
        return speaks.say(ANSWERED, {"count": len(move.inputs)})
    return given(speaks, game, played.asked[0]) if played.asked else _went_on(speaks, game, played)


def _went_on(speaks: Reader, game: Game, played: Played) -> str:
    """A move without an answer: what a check says of it."""
    said = headline_of(game, played.move.action, played.answer, speaks)
    assert isinstance(said, str)  # noqa: S101  one reader gives one sentence
    return said


def deed(speaks: Reader, game: Game, do: Any) -> str:
    """An action by its name and section, with as many of its parameters as can be said."""
    action = game.action_of(do)
    printed = section(action.rule)
    said = DEED if printed[0].isdigit() else DEED_PLAIN
    deed = capital(speaks.say(said, {"action": action.term, "section": SectionRef(printed)}))
    told = structs.asdict(do)
    details = [speaks.say(said, {"value": told[name]}) for name, said in DETAILS.items() if told.get(name)]
    return speaks.say(DEED_WITH, {"deed": deed, "details": speaks.listed(details)}) if details else deed


def given(speaks: Reader, game: Game, one: Asked) -> str:
    """An answer in words: an option by its text, an action by its name, dice by their faces."""
    key, value = one.listed
    if key == "choose":
        chosen = value if isinstance(value, list) else [value]
        words = [_chosen(speaks, game, one, each) for each in chosen]
        return speaks.listed(words) if words else speaks.say(*NOTHING.phrase())
    if key == "read" and type(one.given[1]) is int and _option(one, one.given[1]) is None:
        return _number_read(speaks, game, one)
    return speaks.say(*_told(game, one))


def _number_read(speaks: Reader, game: Game, one: Asked) -> str:
    """A number with what it is: by the place of the copy where it is printed, or else behind its question."""
    question, number = one.pending.question, one.given[1]
    place = getattr(question.answers, "place", "").removeprefix("/components/")
    if not place:
        return beside(speaks.say(question.message, question.params), str(number), speaks.lang)
    label = printed_words.named(speaks, game, tuple(parts(f"/{place}")))
    return speaks.say(wordings.OF_FIELD, {"label": label, "value": number})


def _chosen(speaks: Reader, game: Game, one: Asked, value: Any) -> str:
    said = _option(one, value)
    if said is not None:
        return speaks.say(*said)
    if isinstance(value, dict):
        return deed(speaks, game, codec.read(value, game.action_types, ""))
    return speaks.say(*NOTHING.phrase()) if value == "none" else str(value)


def _told(game: Game, one: Asked) -> Phrase:
    key, value = one.given
    if key in ("cube", "marker"):
        _, named = drawn(game, key, value)
        return DRAWN, named
    if key == "read":
        return _option(one, value) or _read(game, one, value)
    return (DIE, {"value": value}) if key == "die" else (DICE, {"value": tuple(map(str, value))})


def _read(game: Game, one: Asked, value: Any) -> Phrase:
    if isinstance(value, dict | list):
        return READ_OFF, {}
    if isinstance(value, bool):
        return (YES if value else NO), {}
    if value == "none":
        return READ, {"value": NOTHING}
    named = _named(game, one, value)
    return (READ, {"value": _json(value)}) if named is None else (NAMED, {"value": named})


def _named(game: Game, one: Asked, value: Any) -> Any:
    """How the game calls a value that a reading can have, if it is one of a few."""
    form = getattr(one.pending.question.answers, "form", None)
    kinds = members(shape(form)) if form is not None else ()
    few = [each for kind in kinds if isinstance(kind, inspect.LiteralType) for each in kind.values]
    kind = wordings.kind_of(game, *few) if value in few else None
    return None if kind is None else kind.words[value]


def _option(one: Asked, value: Any) -> Phrase | None:
    """How the question words this answer, if it lists it."""
    for answers in (one.pending.question.answers, one.pending.meanwhile):
        option = option_of(answers, value)
        if option is not None:
            return option.message, option.params
    return None


def _json(value: Any) -> str:
    return value if isinstance(value, str) else msgspec.json.encode(value).decode()


def told_lines(speaks: Reader, game: Game, move: Move) -> Iterator[str]:
    """What was told, corrected or read otherwise before a move, and why."""
    facts = [*_facts(move.position), *move.told] if move.position else list(move.told)
    if facts:
        said = CORRECTED if move.kind == "corrected" else TOLD
        yield speaks.say(said, {"value": told_facts.listed(speaks, game, facts)})
    read = transcript.reading_facts(move)
    if read:
        yield speaks.say(READ_OTHERWISE, {"value": told_facts.listed(speaks, game, read)})
    if move.note:
        yield speaks.say(NOTED, {"value": move.note})


def _facts(told: Any, pointer: str = "") -> Iterator[tuple[str, Any]]:
    """Every fact of a table, by its pointer."""
    if not isinstance(told, dict) or not told:
        yield pointer, told
        return
    for key, value in told.items():
        yield from _facts(value, f"{pointer}/{escape(key)}")
