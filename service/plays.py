"""A game that is kept: started, moved on answer by answer, taken back, corrected and read otherwise.

Plain functions over a store, for the API, the command line and the page. A move is tried by the engine outside
of any transaction; it is written only if the play is still at the version it was tried at. Each kept move has
the position after it, so that the cost of a move does not grow with the game and undoing is a step back.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import msgspec
import orjson
import sqlalchemy as sa
from msgspec import Raw, Struct, structs
from sqlalchemy.engine import Connection

from engine import codec, transcript
from engine.exceptions import Unreadable
from engine.game import Answer, Continue, Game, asking_later, check, prepare
from engine.messages import Message, message
from engine.pointers import escape, unescape
from engine.scenarios import OpenChoice
from engine.telling import ACTION, AGENDA, LATER, Fact, Given, Table, tell
from engine.transcript import Move
from engine.verdict import ILLEGAL, LEGAL, UNDETERMINED, Verdict
from service import checks, problems
from service.answers import CheckAnswer, encode
from service.bodies import MOST_INPUTS
from service.languages import voice
from service.play_kept import (
    ADD_MOVE,
    ADD_READING,
    Asked,
    Bounds,
    Kept,
    Play,
    Reading,
    Waits,
    kept_reading,
    move_row,
    step,
)
from service.play_problems import Problem
from service.play_repeats import Repeatable
from service.play_set_up import doubts, is_as_set_up, not_offered, refusals, told_as_set_up
from service.play_standing import asked_action, open_choices, scenario_of
from service.requests import MOST_ERRORS
from service.sentences import warnings
from service.store import OF_A_PLAY, Store, moves, plays, readings

MOST_TOLD = 200  # facts in one request
MOST_LATER = 200  # places of facts that are put off
MOST_WAITED = 20  # actions that are remembered to have waited
LONGEST_PLACE = 200  # characters of one of them
NO_ANSWER = {"choose": "none"}

TOLD = message("play.told", "Noted.")
ASKED_LATER = message("play.asked-later", "It is asked again later.")
DROPPED = message("play.dropped", "The question is dropped; nothing was done.")


# -- moving it on ------------------------------------------------------------------------------------


class Sent(Struct, frozen=True):
    """A move as it is sent: an action, or the answer to what is asked."""

    action: Any = None
    inputs: tuple[Any, ...] = ()
    closed: bool = False  # say what is not open at the question that follows, and why
    assume: bool | None = None  # take for granted that now is the time for it; None: as the action that waits


class Tried(Struct, frozen=True):
    """What comes of a move: the answer, and what is to be kept of it."""

    body: CheckAnswer[Any]
    kept: Kept | None
    waits: Waits
    changed: bool = True  # the play is another afterwards


def move(
    store: Store,
    play: Play,
    sent: Sent,
    lang: str,
    bounds: Bounds,
    repeat: Repeatable | None = None,
) -> dict[str, Any]:
    """Try a move, keep it if it is legal, and answer as `check` does; what is not open is said where it is asked for."""
    tried = attempt(play, sent, lang)
    version = play.version + 1 if tried.changed else play.version
    number = play.moves + 1 if tried.kept is not None else play.moves
    body = {**structs.asdict(tried.body), "version": version, "moves": number, "kept": tried.kept is not None}
    if tried.changed or repeat is not None:
        with store.writing() as connection:
            if tried.changed:
                _write(connection, play, tried.kept, tried.waits, bounds)
            if repeat is not None:
                repeat.note(connection, play.id, {"body": orjson.loads(encode(body))})
    return body


def attempt(play: Play, sent: Sent, lang: str) -> Tried:
    """What a move would come to; nothing is written."""
    facts, answers = transcript.told_apart(list(sent.inputs))
    if len(facts) > MOST_TOLD:
        raise Unreadable("too-many", "/inputs", limit=MOST_TOLD)
    if sent.action is None and play.asked is not None and answers == [NO_ANSWER] and not facts:
        return Tried(_said(play, play.position, lang, DROPPED), None, structs.replace(play.waits, asked=None))
    where = dict(zip((place for place, _ in facts), _told_where(sent.inputs), strict=True))
    _must_be_places(play, sent, facts, where)
    waits, facts = _told_now(play, facts), tuple(one for one in facts if one[1] != LATER)
    if waits.later != play.waits.later and sent.action is None and not facts and not answers:
        return Tried(_said(play, play.position, lang, ASKED_LATER), None, waits)
    asked, facts = _meant(play, sent, facts, where)
    told = _told(play, facts, where)
    if told.strange and is_as_set_up(scenario_of(play), play.position):  # type: ignore[arg-type]  # it has one
        return _refused_choice(play, told, lang)
    if asked is None and not answers and facts and not told.table.position.agenda:
        body = _with_told(play.game, _said(play, told.table.position, lang, TOLD), told)
        return Tried(body, told.noted(play), waits)
    return _played(play, sent, asked, answers, told, waits, lang)


def _played(
    play: Play, sent: Sent, asked: Meant | None, answers: list[Any], told: Told, waits: Waits, lang: str
) -> Tried:
    """What an action or an answer comes to on the table as it is told to be."""
    do, before = (Continue(), []) if asked is None else (asked.action, asked.inputs)
    table, assume = told.table, _assumes(play, sent)
    at = prepare(play.game, table.position, table.choices, table.components, assume=assume)
    given = codec.read_inputs([*before, *answers])
    found = asking_later(check(play.game, at, do, given), waits.later)
    question = checks.at_question(play.game, at, do, given, found) if sent.closed else None
    body = checks.worded(
        play.game, at, do, given, found, lambda: Raw(told.written(play)), voice(lang), question
    )
    body = _with_told(play.game, body, told)
    if found.verdict.ruling == LEGAL:
        changed = bool(asked or given or told.facts) or found.position != at.position
        kept = _made(play, do, given, told, found) if changed else None
        return Tried(body, kept, structs.replace(waits, asked=None), changed)
    waited = asked is not None and sent.action is None
    if found.refused == "answer" and (answers or not waited):
        return Tried(body, None, play.waits, False)
    if found.verdict.ruling == UNDETERMINED and asked is not None:
        waits = structs.replace(waits, asked=_waits_for_facts(do, [*before, *answers], assume))
    elif waited:
        waits = structs.replace(waits, asked=None)  # facts that refuse it are not told to be told again
    kept = told.noted(play)
    return Tried(body, kept, waits, kept is not None or waits != play.waits)


def _made(play: Play, do: Any, given: list[Given], told: Told, found: Answer) -> Kept:
    """A move as it is kept, with what it read off the player's copy."""
    known, after = _with_read_off(play.game, told.reading, found)
    made = Move(do, tuple(given), told=told.facts, remembered=known)
    return Kept(made, _json(found.position), after if after != play.reading else None)


# -- the facts it tells ------------------------------------------------------------------------------


class Told(Struct, frozen=True):
    """The facts that a move tells: the table before and with them, and what of them the set-up does not offer."""

    facts: tuple[Fact, ...]
    where: Mapping[str, str]  # each stands in the request
    before: Table
    table: Table
    strange: Mapping[str, OpenChoice] = {}

    @property
    def reading(self) -> Reading:
        """How the rules are read then."""
        return Reading(self.table.choices, self.table.components)

    def written(self, play: Play) -> bytes:
        """The position with them."""
        return _json(self.table.position) if self.facts else play.written

    def noted(self, play: Play) -> Kept | None:
        """A move that only tells them; None where nothing is told."""
        new = self.reading if self.reading != play.reading else None
        return Kept(Move(told=self.facts, kind="told"), self.written(play), new) if self.facts else None


def _told(play: Play, facts: tuple[Fact, ...], where: Mapping[str, str]) -> Told:
    """The table of a play with facts that are told."""
    before = Table(play.position, play.reading.choices, play.reading.components)
    if not facts:
        return Told(facts, where, before, before)
    table, scenario = _all_told(play.game, before, facts, where), scenario_of(play)
    if scenario is None:
        return Told(facts, where, before, table)
    as_set_up = is_as_set_up(scenario, play.position)
    choices = scenario.choices if as_set_up else open_choices(play)
    strange = not_offered(scenario, choices, table.position, facts)
    return Told(facts, where, before, table, strange)


def _refused_choice(play: Play, told: Told, lang: str) -> Tried:
    """What the set-up does not offer is not taken; nothing is told."""
    reasons, at = refusals(told.strange, told.where), play.at()
    found = Answer(Verdict(ILLEGAL, reasons), (), None, at.position, {}, "answer", table=at.position)
    body = checks.worded(play.game, at, Continue(), [], found, lambda: Raw(play.written), voice(lang))
    return Tried(body, None, play.waits, False)


def _with_told(game: Game, body: CheckAnswer[Any], told: Told) -> CheckAnswer[Any]:
    """The answer, with what was told among the changes, and what the set-up does not offer among the cautions."""
    before, now, speaks = told.before.position, told.table.position, voice(body.lang)
    if now is not before:
        changes = [
            structs.replace(one, told=True) for one in checks.change_entries(game, before, now, speaks)
        ]
        body = structs.replace(body, changes=[*changes, *body.changes])
    if told.strange:
        said = warnings(doubts(told.strange, told.where), speaks)
        body = structs.replace(body, cautions=[*body.cautions, *said])
    return body


def _told_where(inputs: Iterable[Any]) -> Iterator[str]:
    """Where a request has each of the facts that it tells or takes back."""
    for number, one in enumerate(inputs):
        if isinstance(one, dict) and one.keys() in ({"tell"}, {"untell"}):
            (key,) = one
            yield from [f"/inputs/{number}/{key}"] * (len(one[key]) if key == "tell" else 1)


def _must_be_places(play: Play, sent: Sent, told: Iterable[Fact], where: Mapping[str, str]) -> None:
    """A problem unless there is such a fact wherever one is put off."""
    acts = sent.action is not None or play.asked is not None
    errors = [
        error
        for pointer, value in told
        if value == LATER and not (acts and pointer.startswith(ACTION))
        for error in _no_place(play.game, pointer, where[pointer])
    ]
    if errors:
        raise problems.unreadable(*errors[:MOST_ERRORS])


NO_PLACE = ("unknown-field", "unknown-name", "unknown-issue", "not-a-pointer")


def _no_place(game: Game, pointer: str, where: str) -> Iterator[Unreadable]:
    """What is wrong where no fact can stand; that this one does not fit a place is how one knows that it is one."""
    if len(pointer) > LONGEST_PLACE:
        yield Unreadable("unknown-name", f"{where}/{escape(pointer)}", given=pointer)
        return
    try:
        tell(game, Table(game.position(), {}, game.components()), [(pointer, LATER)], where)
    except Unreadable as error:
        if error.code in NO_PLACE and not pointer.startswith(AGENDA):
            yield error


def _all_told(game: Game, table: Table, facts: Sequence[Fact], where: Mapping[str, str]) -> Table:
    """The table with these facts told; everything that is wrong with them is said at once, where it was sent."""
    try:
        return tell(game, table, facts, "")
    except Unreadable as error:
        together = error
    wrong = list(facts)
    for _ in range(2):  # what needs another fact fits once that is told
        errors, left = [], []
        for fact in wrong:
            try:
                table = tell(game, table, [fact], where[fact[0]])
            except Unreadable as error:
                errors.append(error)
                left.append(fact)
        wrong = left
    raise problems.unreadable(*(errors[:MOST_ERRORS] or [_sent_so(together, where)])) from None


def _sent_so(error: Unreadable, where: Mapping[str, str]) -> Unreadable:
    """What is wrong with facts together, at the one that it is about."""
    near = [place for place in where if error.pointer.startswith(place)]
    place = max(near, key=len, default="")
    behind = error.pointer.removeprefix(place)
    error.pointer = f"{where[place]}/{escape(place)}{behind}" if place else error.pointer
    return error


def _with_read_off(game: Game, reading: Reading, found: Answer) -> tuple[dict[str, Any], Reading]:
    """What was read off the copy and is the same every time, and the copy with it: it is not asked for again."""
    known = transcript.read_off(found)
    if not known:
        return known, reading
    try:
        table = tell(game, Table(None, reading.choices, reading.components), tuple(known.items()))
    except Unreadable:  # beyond what a components file takes
        return {}, reading
    return known, Reading(reading.choices, table.components)


def _assumes(play: Play, sent: Sent) -> bool:
    """Is it taken for granted that now is the time for it? An action that waits keeps what was said of it."""
    if sent.assume is not None:
        return sent.assume
    return sent.action is not None or play.asked is None or play.asked.assume


def _waits_for_facts(do: Any, inputs: list[Any], assume: bool) -> Asked:
    """An action that waits, with the answers it was given meanwhile."""
    if len(inputs) > MOST_INPUTS:
        raise Unreadable("too-many", "/inputs", limit=MOST_INPUTS)
    return Asked(codec.write(do), inputs, assume)


def _told_now(play: Play, told: Iterable[Fact]) -> Waits:
    """What a play waits for once facts are told, or put off."""
    later = list(play.waits.later)
    for pointer, value in told:
        later = [one for one in later if one != pointer]
        if value == LATER:
            later.append(pointer)
    return structs.replace(play.waits, later=tuple(later[-MOST_LATER:]))


def _set_up(play: Play, move: Move, waits: Waits) -> dict[str, int]:
    """What was told to be as the set-up has it, once a move is made; with what was undone it is forgotten."""
    before = {pointer: number for pointer, number in waits.set_up.items() if number <= play.moves}
    now = told_as_set_up(play.game, scenario_of(play), move.told) if move.told else ()
    return {**dict.fromkeys(now, play.moves + 1), **before}


def _waited(play: Play) -> dict[int, Asked]:
    """Which actions waited for facts, and behind which move, once the play goes on from where it stands."""
    before = {number: one for number, one in play.waits.waited.items() if number < play.moves}
    now = {} if play.asked is None else {play.moves: play.asked}
    return dict([*before.items(), *now.items()][-MOST_WAITED:])


class Meant(Struct, frozen=True):
    """The action that is meant, and the answers it was given before."""

    action: Any
    inputs: list[Any] = []


def _meant(
    play: Play, sent: Sent, told: tuple[Fact, ...], where: Mapping[str, str]
) -> tuple[Meant | None, tuple[Fact, ...]]:
    """The action that is sent or waits, with what the facts tell of the action itself, and the other facts."""
    about = {pointer: value for pointer, value in told if pointer.startswith("/action/")}
    waits = play.asked
    if sent.action is not None and not about:
        return Meant(sent.action), told
    if sent.action is None and waits is None:
        return None, told
    if sent.action is None and waits is not None:
        asked_action(play.game, waits)
    action = dict(waits.action if sent.action is None and waits is not None else codec.write(sent.action))
    for pointer, value in about.items():
        action[unescape(pointer.removeprefix("/action/"))] = value
    try:
        do = codec.read(action, play.game.action_types, "/action")
    except Unreadable as error:
        raise _sent_so(error, {one: where[one] for one in about}) from None
    before = waits.inputs if sent.action is None and waits is not None else []
    return Meant(do, before), tuple(one for one in told if one[0] not in about)


def _json(position: Any) -> bytes:
    return msgspec.json.encode(position)


def _said(play: Play, position: Any, lang: str, said: Message) -> CheckAnswer[Any]:
    """An answer in the form of a check where nothing had to be checked."""
    return CheckAnswer(
        game=play.game.name,
        lang=lang,
        ruling="legal",
        refused=None,
        accepted=0,
        headline=voice(lang).say(said, {}),
        outcome=None,
        reasons=[],
        unknowns=[],
        cautions=[],
        passed=[],
        assumed=[],
        events=[],
        pending=None,
        position=position,
        changes=[],
        told={},
        issues=[],
    )


# -- correcting it, and reading the rules otherwise ---------------------------------------------------


def correct(
    store: Store,
    play: Play,
    facts: Mapping[str, Any],
    note: str,
    bounds: Bounds,
    repeat: Repeatable | None = None,
) -> None:
    """The table says otherwise: what is told holds, whatever the rules led to."""
    if len(facts) > MOST_TOLD:
        raise Unreadable("too-many", "/tell", limit=MOST_TOLD)
    told = tuple(facts.items())
    before = Table(play.position, play.reading.choices, play.reading.components)
    table = _all_told(play.game, before, told, dict.fromkeys(facts, "/tell"))
    reading = Reading(table.choices, table.components)
    made = Move(told=told, kind="corrected", note=note)
    kept = Kept(made, _json(table.position), reading if reading != play.reading else None)
    _change(store, play, kept, bounds, repeat)


def read_otherwise(
    store: Store,
    play: Play,
    choices: Mapping[str, str],
    components: Mapping[str, Any],
    bounds: Bounds,
    repeat: Repeatable | None = None,
) -> None:
    """Read the rules otherwise from now on, or from another copy."""
    made = Move(choices=choices, components=components, kind="read")
    at = transcript.before(play.game, play.at(), made)
    _change(
        store, play, Kept(made, play.written, Reading(at.rules.chosen, at.rules.components)), bounds, repeat
    )


def _change(store: Store, play: Play, kept: Kept, bounds: Bounds, repeat: Repeatable | None) -> None:
    with store.writing() as connection:
        _write(connection, play, kept, _told_now(play, kept.move.told), bounds)
        if repeat is not None:
            repeat.note(connection, play.id, {})


def _write(connection: Connection, play: Play, kept: Kept | None, waits: Waits, bounds: Bounds) -> None:
    """Put a play one version on; somebody who was faster is a problem, and nothing is written."""
    now, number = time.time(), play.moves + 1
    if kept is None:
        step(connection, play, now, waits=waits)
        return
    if number > bounds.moves:
        raise Problem("play-too-long", limit=bounds.moves)
    row = move_row(play.id, number, kept, play.reading_since if kept.reading is None else number, now)
    told = b"" if kept.reading is None else kept_reading(kept.reading)
    size = max(0, play.size - _undone(connection, play)) + sum(
        map(len, (row["written"], row["position"], told))
    )
    if size > bounds.size:
        raise Problem("play-too-large", limit=bounds.size)
    verified = number if play.verified >= play.moves else play.verified
    waits = structs.replace(waits, set_up=_set_up(play, kept.move, waits), waited=_waited(play))
    step(connection, play, now, moves=number, last=number, verified=verified, size=size, waits=waits)
    if play.last > play.moves:
        for table in (moves, readings):
            connection.execute(sa.delete(table).where(table.c.play == play.id, table.c.number >= number))
    ADD_MOVE.count(connection, row)
    if told:
        connection.execute(ADD_READING, {"play": play.id, "number": number, "told": told})


def _undone(connection: Connection, play: Play) -> int:
    """The bytes of what was undone, and goes when another move is made."""
    if play.last == play.moves:
        return 0
    length = sa.func.length
    of_move = length(moves.c.written) + sa.func.coalesce(length(moves.c.position), 0)
    sums = (
        sa.select(sa.func.sum(bytes_)).where(table.c.play == play.id, table.c.number > play.moves)
        for table, bytes_ in ((moves, of_move), (readings, length(readings.c.told)))
    )
    return sum(int(connection.scalar(one) or 0) for one in sums)


# -- taking back, naming, deleting -------------------------------------------------------------------


def undo(store: Store, play: Play, count: int, repeat: Repeatable | None = None) -> None:
    """Go back so many moves; they stay until another move is made."""
    if count > play.moves:
        raise Problem("nothing-to-undo", moves=play.moves)
    _go_to(store, play, play.moves - count, repeat)


def redo(store: Store, play: Play, count: int, repeat: Repeatable | None = None) -> None:
    """Make moves again that were undone."""
    if count > play.last - play.moves:
        raise Problem("nothing-to-redo", moves=play.last - play.moves)
    _go_to(store, play, play.moves + count, repeat)


def _go_to(store: Store, play: Play, number: int, repeat: Repeatable | None) -> None:
    with store.writing() as connection:
        there = sa.and_(moves.c.play == play.id, moves.c.number == number)
        known = connection.scalar(sa.select(moves.c.position.is_not(None)).where(there))
        if not known:
            raise Problem("not-verified")
        waits = structs.replace(play.waits, asked=play.waits.waited.get(number))
        step(connection, play, time.time(), moves=number, waits=waits)
        if repeat is not None:
            repeat.note(connection, play.id, {})


def rename(store: Store, play: Play, name: str, repeat: Repeatable | None = None) -> None:
    """Give a play another name."""
    with store.writing() as connection:
        step(connection, play, time.time(), name=name)
        if repeat is not None:
            repeat.note(connection, play.id, {})


def delete(store: Store, play: Play) -> None:
    """Forget a play and everything about it."""
    with store.writing() as connection:
        step(connection, play, time.time())
        forget(connection, play.id)


def forget(connection: Connection, play: str) -> None:
    """Take a play and everything about it out of the database."""
    for table in OF_A_PLAY:
        connection.execute(sa.delete(table).where(table.c.play == play))
    connection.execute(sa.delete(plays).where(plays.c.id == play))
