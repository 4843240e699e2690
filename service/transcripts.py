"""POST …/replay and `ruleglot replay`: a game as a list of moves in, the report of its session out."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import reduce
from itertools import zip_longest
from typing import Any, Literal

import msgspec
from msgspec import UNSET, structs

from engine import codec, transcript
from engine.at import Event
from engine.game import Continue, Game
from engine.messages import Message, act, message
from engine.pointers import escape
from engine.transcript import Asked, Change, Divergence, Expected, Move, Played, Replay, Transcript
from engine.verdict import ILLEGAL, LEGAL, UNDETERMINED, Verdict
from service import checks
from service.answers import AnswerEntry, DifferenceEntry, DivergenceEntry, MoveEntry, ReplayAnswer
from service.bodies import MOST_MOVES
from service.checks import GOES_ON, SectionRef, capital
from service.games import prefix
from service.languages import Reader, Voice, beside, reader, voice
from service.questions import asked, drawn, pending_question
from service.requests import AskedReplay
from service.rules import section
from service.sentences import happenings, refusals

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

DIE = message("answer.die", "die %(value)s")
DICE = message("answer.dice", "dice %(value)s")
DRAWN = message("answer.drawn", "drawn: %(value)s")
READ = message("answer.read", "read: %(value)s")
READ_OFF = message("answer.read-off", "read off the copy")  # the events that follow say what
TOLD = message("answer.told", "told by hand: %(value)s")
NOTHING = act("answer.nothing", "nothing")

STOPS = {
    LEGAL: message(
        "replay.diverged", "The replay stops at move %(number)s: it comes out otherwise than recorded."
    ),
    ILLEGAL: message("replay.refused", "The replay stops at move %(number)s: it is not allowed."),
    UNDETERMINED: message(
        "replay.open",
        "The replay stops at move %(number)s: whether it is allowed depends on what was not told.",
    ),
}
RULING = {
    LEGAL: act("ruling.legal", "allowed"),
    ILLEGAL: act("ruling.illegal", "not allowed"),
    UNDETERMINED: act("ruling.undetermined", "undetermined"),
}
OTHER_RULING = message("replay.other-ruling", "Ruling: recorded %(recorded)s, now %(found)s.")
OTHER_EVENT = message("replay.other-event", "Event %(number)s: recorded %(recorded)s, now %(found)s.")
OTHER_QUESTION = message("replay.other-question", "Question: recorded %(recorded)s, now %(found)s.")
OTHER_CHANGE = message(
    "replay.other-change", "Position at %(pointer)s: recorded %(recorded)s, now %(found)s."
)
UNCHANGED = act("replay.unchanged", "unchanged")
NOT_TOLD = act("replay.not-told", "not told")

Phrase = tuple[Message, dict[str, Any]]
Differs = Literal["ruling", "events", "pending", "changes"]


# -- the answer of the service -----------------------------------------------------------------------


def answer(game: Game, request: AskedReplay, lang: str) -> ReplayAnswer[Any, Any]:
    """The whole answer to one replay request, worded in the reader's language."""
    went = replay(game, request, MOST_MOVES)
    body = worded(game, went, lang)
    return structs.replace(body, transcript=recorded(went, request)) if request.record else body


def replay(game: Game, request: AskedReplay, most: int) -> Replay:
    """The game that a request tells, as far as it can be replayed."""
    sent = Transcript(request.position, request.moves, request.choices, request.components)
    return transcript.replay(game, sent, most)


def recorded(went: Replay, request: AskedReplay) -> dict[str, Any]:
    """The game as far as it was replayed, to be kept; what the server's own file tells is not part of it."""
    return transcript.write(structs.replace(transcript.recorded(went), components=request.told))


def worded(game: Game, went: Replay, lang: str) -> ReplayAnswer[Any, Any]:
    """A replay in the reader's language: its moves, where it stopped and why, and how the game stands."""
    speaks, last = voice(lang), _last(went)
    return ReplayAnswer(
        game=game.name,
        lang=speaks.lang,
        moves=[_move_entry(game, number, one, speaks) for number, one in enumerate(went.played, start=1)],
        diverged=None if went.diverged is None else _diverged_entry(game, went.diverged, speaks),
        pending=None if last is None else pending_question(game, last.answer, speaks),
        unknowns=[
            asked(game, fact, went.position, speaks)
            for fact in (last.answer.verdict.unknowns if last else ())
        ],
        position=went.position,
        issues=checks.issue_entries(game.catalogue, _consulted(went).items(), speaks),
    )


def _last(went: Replay) -> Played | None:
    """The move that left the game where it stands."""
    return next((one for one in reversed(went.played) if one.answer.verdict.ruling == LEGAL), None)


def _consulted(went: Replay) -> dict[str, str]:
    """The disputed points that any move rests on; one reading holds for the whole game."""
    stop = () if went.diverged is None else (went.diverged.played,)
    return {name: chosen for one in (*went.played, *stop) for name, chosen in one.answer.issues.items()}


def _move_entry(game: Game, number: int, played: Played, speaks: Voice) -> MoveEntry:
    return MoveEntry(**_told_of(game, number, played, speaks))


def _told_of(game: Game, number: int, played: Played, speaks: Voice) -> dict[str, Any]:
    return {
        "number": number,
        "headline": speaks.each(lambda reader: _done(reader, game, played.move)),
        "ruling": played.answer.verdict.ruling,
        "answers": [_answer_entry(game, one, speaks) for one in played.asked],
        "events": happenings(played.answer.events, speaks),
    }


def _answer_entry(game: Game, one: Asked, speaks: Voice) -> AnswerEntry:
    key, value = one.given
    question = one.pending.question
    return AnswerEntry(
        name=one.pending.name,
        question=speaks.say(question.message, question.params),
        text=speaks.each(lambda reader: _given(reader, game, one)),
        input={key: value},
    )


def _diverged_entry(game: Game, stop: Divergence, speaks: Voice) -> DivergenceEntry:
    verdict = stop.played.answer.verdict
    return DivergenceEntry(
        **_told_of(game, stop.number, stop.played, speaks),
        text=speaks.say(*_stops(stop)),
        differences=[DifferenceEntry(name=name, text=speaks.say(*said)) for name, said in _differences(stop)],
        expected=stop.played.move.expected,
        found=stop.played.found,
        reasons=refusals(verdict.reasons, speaks),
        unknowns=[
            asked(game, fact, stop.played.answer.position, speaks, stop.played.move.action)
            for fact in verdict.unknowns
        ],
    )


# -- what was done, in words -------------------------------------------------------------------------


def _done(speaks: Reader, game: Game, move: Move) -> str:
    return speaks.say(GOES_ON, {}) if isinstance(move.action, Continue) else _deed(speaks, game, move.action)


def _deed(speaks: Reader, game: Game, do: Any) -> str:
    """An action by its name and section, with as many of its parameters as can be said."""
    action = game.action_of(do)
    printed = section(action.rule)
    said = DEED if printed[0].isdigit() else DEED_PLAIN
    deed = capital(speaks.say(said, {"action": action.term, "section": SectionRef(printed)}))
    told = structs.asdict(do)
    details = [speaks.say(said, {"value": told[name]}) for name, said in DETAILS.items() if told.get(name)]
    return speaks.say(DEED_WITH, {"deed": deed, "details": _listed(speaks, details)}) if details else deed


def _given(speaks: Reader, game: Game, one: Asked) -> str:
    """An answer in words: an option by its text, an action by its name, dice by their faces."""
    key, value = one.listed
    if key == "choose":
        chosen = value if isinstance(value, list) else [value]
        words = [_chosen(speaks, game, one, each) for each in chosen]
        return _listed(speaks, words) if words else speaks.say(*NOTHING.phrase())
    return speaks.say(*_told(game, one))


def _chosen(speaks: Reader, game: Game, one: Asked, value: Any) -> str:
    said = _option(one, value)
    if said is not None:
        return speaks.say(*said)
    if isinstance(value, dict):
        return _deed(speaks, game, codec.read(value, game.action_types, ""))
    return speaks.say(*NOTHING.phrase()) if value == "none" else str(value)


def _told(game: Game, one: Asked) -> Phrase:
    key, value = one.given
    if key in ("cube", "marker"):
        _, named = drawn(game, key, value)
        return DRAWN, named
    if key == "read":
        return _option(one, value) or _read(value)
    return (DIE, {"value": value}) if key == "die" else (DICE, {"value": tuple(map(str, value))})


def _read(value: Any) -> Phrase:
    if isinstance(value, dict | list):
        return READ_OFF, {}
    return READ, {"value": NOTHING if value == "none" else _json(value)}


def _option(one: Asked, value: Any) -> Phrase | None:
    """How the question words this answer, if it lists it."""
    for option in getattr(one.pending.question.answers, "options", ()):
        if option.value == value and type(option.value) is type(value):
            return option.message, option.params
    return None


def _listed(speaks: Reader, words: Iterable[str]) -> str:
    return ("、" if speaks.lang == "ja" else ", ").join(words)


def _json(value: Any) -> str:
    return value if isinstance(value, str) else msgspec.json.encode(value).decode()


# -- where it came out otherwise ---------------------------------------------------------------------


def _stops(stop: Divergence) -> Phrase:
    """That the replay stops here: at a difference to what was recorded, or at a move nobody had tried."""
    untried = stop.played.move.expected == Expected()
    return STOPS[stop.played.found.ruling if untried else LEGAL], {"number": stop.number}


def _differences(stop: Divergence) -> Iterator[tuple[Differs, Phrase]]:
    """What was recorded beside what came out; under another ruling nothing else can be the same."""
    wanted, found = stop.played.move.expected, stop.played.found
    if "ruling" in stop.differs:
        yield "ruling", (OTHER_RULING, {"recorded": RULING[wanted.ruling], "found": RULING[found.ruling]})
        return
    if "events" in stop.differs:
        yield "events", _first_other(wanted.events, found.events)
    if "pending" in stop.differs:
        asked = {"recorded": wanted.pending or NOTHING, "found": found.pending or NOTHING}
        yield "pending", (OTHER_QUESTION, asked)
    if "changes" in stop.differs:
        for pointer, one, other in transcript.other_changes(wanted, found):
            sides = {"pointer": pointer, "recorded": _to(one), "found": _to(other)}
            yield "changes", (OTHER_CHANGE, sides)


def _first_other(wanted: Any, found: Any) -> Phrase:
    """The first event that differs; those behind it follow from it."""
    pairs = enumerate(zip_longest(wanted, found), start=1)
    number, (recorded, now) = next((number, pair) for number, pair in pairs if pair[0] != pair[1])
    return OTHER_EVENT, {"number": number, "recorded": recorded or NOTHING, "found": now or NOTHING}


def _to(change: Change | None) -> Any:
    if change is None:
        return UNCHANGED
    return NOT_TOLD if change.to is UNSET else _json(change.to)


# -- the report --------------------------------------------------------------------------------------


def report(game: Game, went: Replay, lang: str) -> str:
    """A replay as the report of a session: each move, what was answered, and what happened under which rule."""
    speaks = reader(lang)
    lines = [speaks.say(game.title, {})]
    for number, played in enumerate(went.played, start=1):
        lines += _move_lines(speaks, game, number, played)
    if went.diverged is not None:
        lines += _move_lines(speaks, game, went.diverged.number, went.diverged.played)
        lines += ["", *_stop_lines(speaks, went.diverged)]
    elif (last := _last(went)) is not None:
        lines += _open_lines(speaks, last)
    return "\n".join(lines)


def _move_lines(speaks: Reader, game: Game, number: int, played: Played) -> Iterator[str]:
    """A move under its number: what was done, then what happened; an answer that goes on opens no paragraph."""
    happened = [*_told_lines(speaks, played.move), *_event_lines(speaks, game, played.begins)]
    for one in played.asked:
        happened += [f"• {_given(speaks, game, one)}", *_event_lines(speaks, game, one.events)]
    happened += _verdict_lines(speaks, game, played.answer.verdict)
    heading = _done(speaks, game, played.move)
    if not isinstance(played.move.action, Continue):
        yield ""
    elif happened and happened[0].startswith("• "):
        heading = happened.pop(0).removeprefix("• ")
    yield f"{number}. {heading}"
    yield from (f"   {line}" for line in happened)


def _told_lines(speaks: Reader, move: Move) -> Iterator[str]:
    if move.position:
        facts = [f"{pointer} {_json(value)}" for pointer, value in _facts(move.position)]
        yield f"• {speaks.say(TOLD, {'value': '; '.join(facts)})}"


def _facts(told: Any, pointer: str = "") -> Iterator[tuple[str, Any]]:
    """Every fact of a table, by its pointer."""
    if not isinstance(told, dict) or not told:
        yield pointer, told
        return
    for key, value in told.items():
        yield from _facts(value, f"{pointer}/{escape(key)}")


def _event_lines(speaks: Reader, game: Game, events: Iterable[Event]) -> Iterator[str]:
    for event in events:
        yield f"→ {speaks.say(event.message, event.params)}{_numbers(speaks, game, event.rules)}"


def _verdict_lines(speaks: Reader, game: Game, verdict: Verdict) -> Iterator[str]:
    for one in verdict.reasons:
        yield f"✗ {speaks.say(one.requirement.refusal, one.params)}{_numbers(speaks, game, one.rules)}"
    for fact in verdict.unknowns:
        yield f"? {speaks.say(fact.question, fact.params)}"


def _numbers(speaks: Reader, game: Game, rules: Iterable[str]) -> str:
    """The sections that rules stand in, each once, as they are printed."""
    printed = dict.fromkeys(map(section, rules))
    said = [_printed(speaks, game, number) for number in printed]
    return f" [{_listed(speaks, said)}]" if said else ""


def _printed(speaks: Reader, game: Game, number: str) -> str:
    """A section by its number; a chart, which has none, by the name that opens its title."""
    if number[0].isdigit():
        return speaks.say(*SectionRef(number).phrase())
    title, _ = game.catalogue.texts[f"{prefix(game.name)}:{number}"]
    return re.split(r"\s*[:：]", speaks.say(title, {}))[0]


def _stop_lines(speaks: Reader, stop: Divergence) -> Iterator[str]:
    """Where and why the replay stops."""
    yield speaks.say(*_stops(stop))
    if stop.played.move.expected != Expected():
        yield from (f"≠ {speaks.say(*said)}" for _, said in _differences(stop))


def _open_lines(speaks: Reader, last: Played) -> Iterator[str]:
    """What the game waits for."""
    pending = last.answer.pending
    if pending is not None:
        yield ""
        asks = pending.question.message
        said = [speaks.say(one, pending.question.params) for one in (asks.lead, asks, asks.hint) if one]
        yield f"… {reduce(lambda one, two: beside(one, two, speaks.lang), said)}"
        for option in getattr(pending.question.answers, "options", ()):
            yield f"   {_json(option.value)}: {speaks.say(option.message, option.params)}"
