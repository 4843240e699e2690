"""A game that is kept: started, moved on answer by answer, taken back, corrected and read otherwise.

Plain functions over a store, for the API, the command line and the page. A move is tried by the engine outside
of any transaction; it is written only if the play is still at the version it was tried at. Each kept move has
the position after it, so that the cost of a move does not grow with the game and undoing is a step back.
"""

from __future__ import annotations

import re
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from functools import lru_cache
from typing import Any

import msgspec
import orjson
import sqlalchemy as sa
from msgspec import UNSET, Raw, Struct, structs
from sqlalchemy.engine import Connection

from engine import codec, transcript
from engine.at import At
from engine.catalogue import read_choices
from engine.exceptions import Unreadable
from engine.flow import read_agenda
from engine.game import Answer, Continue, Game, asking_later, check, prepare
from engine.messages import Message, message
from engine.pointers import escape, unescape
from engine.saved import FORMAT
from engine.scenarios import OpenChoice, Scenario
from engine.telling import ACTION, AGENDA, LATER, Fact, Given, Table, tell
from engine.transcript import Move
from engine.verdict import ILLEGAL, LEGAL, UNDETERMINED, Verdict, later_last
from service import checks, play_keys, problems, questions
from service.answers import CheckAnswer, encode
from service.bodies import MOST_INPUTS
from service.games import GAMES
from service.languages import voice
from service.play_problems import Damaged, OtherVersion, Problem
from service.play_repeats import Repeatable
from service.play_set_up import doubts, is_as_set_up, is_open, not_offered, refusals, told_as_set_up
from service.requests import MOST_ERRORS
from service.sentences import warnings
from service.settling import with_settles
from service.store import OF_A_PLAY, Prepared, Store, keys, moves, packed, plays, readings, unpacked

MOST_TOLD = 200  # facts in one request
MOST_LATER = 200  # places of facts that are put off
LONGEST_PLACE = 200  # characters of one of them
DAY = 24 * 60 * 60
NO_ANSWER = {"choose": "none"}
ID = re.compile(r"[A-Za-z0-9_-]{22}")  # what secrets.token_urlsafe(16) makes

TOLD = message("play.told", "Noted.")
ASKED_LATER = message("play.asked-later", "It is asked again later.")
DROPPED = message("play.dropped", "The question is dropped; nothing was done.")


class Bounds(Struct, frozen=True):
    """How much is kept."""

    plays: int = 500  # of one address
    moves: int = 5_000  # of one play
    size: int = 32 * 1024 * 1024  # bytes of one play


class Reading(Struct, frozen=True):
    """How the rules are read: which side of each dispute, and from which copy."""

    choices: Mapping[str, str]
    components: Any


class Asked(Struct, frozen=True):
    """An action that waits for facts that were not told."""

    action: dict[str, Any]
    inputs: list[Any] = []
    assume: bool = True  # take for granted that now is the time for it


class Waits(Struct, frozen=True):
    """What a play waits for: an action that needs facts, and what was said of the questions for facts."""

    asked: Asked | None = None
    later: tuple[str, ...] = ()  # places of facts that will be told later, the last one last
    set_up: dict[str, int] = {}  # a scenario's choices told to be as the set-up has them, and by which move


class Play(Struct, frozen=True):
    """A play as it stands."""

    id: str
    game: Game
    name: str
    scenario: str | None
    version: int
    moves: int
    last: int
    verified: int
    size: int
    waits: Waits
    created: float
    changed: float
    expires: float | None
    written: bytes  # the position as JSON
    reading_since: int  # the move that last changed how the rules are read
    reading: Reading

    @property
    def asked(self) -> Asked | None:
        """The action that waits for facts."""
        return self.waits.asked

    @property
    def position(self) -> Any:
        """The position as a value of the engine."""
        return position_of(self.game, self.written)

    def at(self, *, assume: bool = True) -> At[Any]:
        """Where the next move begins."""
        reading = self.reading
        return prepare(self.game, self.position, reading.choices, reading.components, assume=assume)


# -- reading -----------------------------------------------------------------------------------------

EXISTS = sa.select(plays.c.expires).where(plays.c.id == sa.bindparam("play"))
_PARTS = plays.join(moves, sa.and_(moves.c.play == plays.c.id, moves.c.number == plays.c.moves)).join(
    readings, sa.and_(readings.c.play == plays.c.id, readings.c.number == moves.c.reading)
)
_STANDS = (*plays.c, moves.c.position, moves.c.reading, readings.c.told)
_NAMES = [column.name for column in _STANDS]
_THIS = plays.c.id == sa.bindparam("play")
READ = Prepared(sa.select(*_STANDS).select_from(_PARTS).where(_THIS), *_NAMES)
OPEN = Prepared(  # once for each of its keys
    sa.select(*_STANDS, keys.c.hash).select_from(_PARTS.join(keys, keys.c.play == plays.c.id)).where(_THIS),
    *(*_NAMES, "hash"),
)
STEPPED = ("name", "moves", "last", "verified", "size", "version", "changed")
STEP = Prepared(
    sa.update(plays)
    .where(_THIS, plays.c.version == sa.bindparam("before"))
    .values({name: sa.bindparam(f"new_{name}") for name in (*STEPPED, "asked")})
)
ADD_MOVE = Prepared(sa.insert(moves))
ADD_READING = sa.insert(readings)


def find(store: Store, play: str) -> Play:
    """A play as it stands."""
    with store.reading() as connection:
        return read(connection, play)


def open_for(connection: Connection, play: str, key: str | None) -> Play:
    """A play as it stands, for somebody whose key may change it."""
    rows = OPEN.rows(connection, {"play": play}) if ID.fullmatch(play) else []
    found = _found(connection, play, rows[0] if rows else None)
    play_keys.demand([row.hash for row in rows], key)
    return found


def must_exist(connection: Connection, play: str) -> None:
    """A problem unless there is such a play."""
    found = connection.execute(EXISTS, {"play": play}).first() if ID.fullmatch(play) else None
    if found is None or _expired(found.expires):
        raise Problem("unknown-play")


def read(connection: Connection, play: str) -> Play:
    """A play as it stands."""
    rows = READ.rows(connection, {"play": play}) if ID.fullmatch(play) else []
    return _found(connection, play, rows[0] if rows else None)


def _found(connection: Connection, play: str, row: Any) -> Play:
    if row is None:
        must_exist(connection, play)
        raise Damaged  # there is the play, but not where it stands
    if _expired(row.expires):
        raise Problem("unknown-play")
    return _play(row)


def _expired(expires: float | None) -> bool:
    return expires is not None and expires < time.time()


def _play(row: Any) -> Play:
    if row.position is None or row.game not in GAMES:
        raise Damaged
    game = GAMES[row.game]
    return Play(
        row.id,
        game,
        row.name,
        row.scenario,
        row.version,
        row.moves,
        row.last,
        row.verified,
        row.size,
        Waits() if row.asked is None else _kept(unpacked(row.asked), Waits),
        row.created,
        row.changed,
        row.expires,
        unpacked(row.position),
        row.reading,
        reading_of(game.name, row.told),
    )


def _kept(text: bytes, kind: Any) -> Any:
    """What was kept, read again; where it cannot be, it is damaged."""
    try:
        return msgspec.json.decode(text, type=kind)
    except (msgspec.MsgspecError, UnicodeDecodeError, Unreadable):
        raise Damaged from None


def position_of(game: Game, written: bytes) -> Any:
    """A position that was kept; what is under way in it must be a step of the game."""
    position = _kept(written, game.position)
    if position.agenda:
        with _damaged():
            read_agenda(position.agenda, game.procedures)
    return position


@contextmanager
def _damaged() -> Iterator[None]:
    """What cannot be read here was kept, not sent."""
    try:
        yield
    except Unreadable:
        raise Damaged from None


class _KeptReading(Struct):
    choices: dict[str, str]
    components: dict[str, Any]


@lru_cache(maxsize=64)  # a whole copy takes longer to read than a move to check
def reading_of(game: str, kept: bytes) -> Reading:
    """How the rules are read, as it was kept."""
    found, of = _kept(unpacked(kept), _KeptReading), GAMES[game]
    with _damaged():
        read_choices(of.catalogue, found.choices)
        return Reading(found.choices, codec.read(found.components, of.components, ""))


def kept_reading(reading: Reading) -> bytes:
    """How the rules are read, as it is kept."""
    components = transcript.told_components(reading.components)
    return packed(msgspec.json.encode({"choices": dict(reading.choices), "components": components}))


def kept_waits(waits: Waits) -> bytes | None:
    """What a play waits for, as it is kept."""
    return None if waits == Waits() else packed(msgspec.json.encode(waits))


# -- how it stands, in words -------------------------------------------------------------------------


def state(play: Play, lang: str, *, closed: bool = False) -> dict[str, Any]:
    """A play as anybody who has its id sees it; what is not open now is worked out only where it is `closed`."""
    position = play.position
    return {
        "format": FORMAT,
        "id": play.id,
        "game": play.game.name,
        "lang": lang,
        "name": play.name,
        "version": play.version,
        "created": moment(play.created),
        "changed": moment(play.changed),
        "expires": None if play.expires is None else moment(play.expires),
        "moves": play.moves,
        "redo": play.last - play.moves,
        "position": Raw(play.written),
        **_waiting(play, lang, closed),
        "asked": None if play.asked is None else play.asked.action,
        "outcome": _told_or_none(getattr(position, "outcome", None)),
        "choices": dict(play.reading.choices),
        "scenario": play.scenario,
        "verified": min(play.verified, play.moves),
    }


def moment(seconds: float) -> str:
    """A moment as answers write it."""
    return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def _told_or_none(value: Any) -> Any:
    return None if value is UNSET else value


def _waiting(play: Play, lang: str, closed: bool) -> dict[str, Any]:
    """What is asked now, and which facts are missing."""
    at, speaks = play.at(assume=play.asked is None or play.asked.assume), voice(lang)
    found: Answer | None = None
    do: Any = Continue()
    given: list[Given] = []
    if play.asked is not None:
        do, given = _asked(play.game, play.asked)
        found = check(play.game, at, do, given)
    elif at.agenda:
        found = check(play.game, at, do)
    if found is None:
        return {
            "pending": None,
            "unknowns": [questions.chosen(play.game, one, speaks) for one in open_choices(play)],
        }
    missing = later_last(found.verdict.unknowns, play.waits.later)
    unknowns = [checks.unknown(play.game, fact, found, do, speaks) for fact in missing]
    if play.asked is not None:
        unknowns = with_settles(play.game, at, do, given, found, unknowns, speaks)
    if found.pending is not None and found.pending.fact is None and play.asked is None:
        there = at.on(found.position) if closed else None
        question = questions.pending_question(play.game, found, speaks, there)
        return {"pending": question, "unknowns": unknowns}
    return {"pending": unknowns[0] if unknowns else None, "unknowns": unknowns}


def _asked(game: Game, asked: Asked) -> tuple[Any, list[Given]]:
    """The action that waits, and the answers it was given."""
    with _damaged():
        return codec.read(asked.action, game.action_types, "/action"), codec.read_inputs(asked.inputs)


def scenario_of(play: Play) -> Scenario | None:
    """The scenario that a play began with."""
    return scenario_named(play.game, play.scenario)


def scenario_named(game: Game, name: str | None) -> Scenario | None:
    """A scenario of a game."""
    return next((one for one in game.scenarios if one.id == name), None)


def open_choices(play: Play) -> list[OpenChoice]:
    """What the scenario leaves to the player and he has not told yet; what he will tell later comes last."""
    scenario = scenario_of(play)
    if scenario is None:
        return []
    now, first = codec.write(play.position), codec.write(scenario.position)
    as_set_up = {pointer for pointer, number in play.waits.set_up.items() if number <= play.moves}
    left = [one for one in scenario.choices if one.pointer not in as_set_up]
    return later_last([one for one in left if is_open(one, now, first)], play.waits.later)


def _not_offered(play: Play, position: Any, told: Iterable[Fact]) -> dict[str, OpenChoice]:
    """What was told otherwise than the scenario of this play offers it."""
    scenario = scenario_of(play)
    return {} if scenario is None else not_offered(scenario, open_choices(play), position, told)


def _refused_choice(
    play: Play, strange: Mapping[str, OpenChoice], where: Mapping[str, str], lang: str
) -> Tried:
    """What the set-up does not offer is not taken; nothing is told."""
    reasons = refusals(strange, where)
    at = play.at()
    found = Answer(Verdict(ILLEGAL, reasons), (), None, at.position, {}, "answer", table=at.position)
    body = checks.worded(play.game, at, Continue(), [], found, Raw(play.written), voice(lang))
    return Tried(body, None, play.waits, False)


def _with_cautions(
    body: CheckAnswer[Any], strange: Mapping[str, OpenChoice], where: Mapping[str, str]
) -> CheckAnswer[Any]:
    """The answer, with what the set-up does not offer among its cautions."""
    if not strange:
        return body
    said = warnings(doubts(strange, where), voice(body.lang))
    return structs.replace(body, cautions=[*body.cautions, *said])


# -- moving it on ------------------------------------------------------------------------------------


class Kept(Struct, frozen=True):
    """A move as it is kept: what was done, the position after it if that is known, and a new reading if it has one."""

    move: Move
    position: bytes | None
    reading: Reading | None = None


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
    told, answers = transcript.told_apart(list(sent.inputs))
    if len(told) > MOST_TOLD:
        raise Unreadable("too-many", "/inputs", limit=MOST_TOLD)
    if sent.action is None and play.asked is not None and answers == [NO_ANSWER] and not told:
        return Tried(_said(play, play.position, lang, DROPPED), None, structs.replace(play.waits, asked=None))
    where = dict(zip((place for place, _ in told), _told_where(sent.inputs), strict=True))
    _must_be_places(play, sent, told, where)
    waits, told = _told_now(play, told), tuple(one for one in told if one[1] != LATER)
    if waits.later != play.waits.later and sent.action is None and not told and not answers:
        return Tried(_said(play, play.position, lang, ASKED_LATER), None, waits)
    asked, told = _meant(play, sent, told, where)
    before = Table(play.position, play.reading.choices, play.reading.components)
    table = _all_told(play.game, before, told, where) if told else before
    strange = _not_offered(play, table.position, told) if told else {}
    if strange and is_as_set_up(scenario_of(play), play.position):  # type: ignore[arg-type]  # it has one
        return _refused_choice(play, strange, where, lang)
    reading = Reading(table.choices, table.components)
    noted = Move(told=told, kind="told") if told else None
    new_reading = reading if reading != play.reading else None
    if asked is None and not answers and not table.position.agenda and noted is not None:
        body = _with_told(play.game, _said(play, table.position, lang, TOLD), before, table)
        body = _with_cautions(body, strange, where)
        return Tried(body, Kept(noted, _json(table.position), new_reading), waits)
    assume = _assumes(play, sent)
    at = prepare(play.game, table.position, reading.choices, reading.components, assume=assume)
    do = Continue() if asked is None else asked.action
    given = codec.read_inputs([*(asked.inputs if asked else ()), *answers])
    found = asking_later(check(play.game, at, do, given), waits.later)
    question = checks.at_question(play.game, at, do, given, found) if sent.closed else None
    written = _json(table.position) if told else play.written
    body = checks.worded(play.game, at, do, given, found, Raw(written), voice(lang), question)
    body = _with_cautions(_with_told(play.game, body, before, table), strange, where)
    ruling = found.verdict.ruling
    if ruling == LEGAL:
        changed = bool(asked or given or told) or found.position != at.position
        known, after = _with_read_off(play.game, reading, found)
        made = Move(do, tuple(given), told=told, remembered=known)
        kept = (
            Kept(made, _json(found.position), after if after != play.reading else None) if changed else None
        )
        return Tried(body, kept, structs.replace(waits, asked=None), changed)
    if found.refused == "answer":
        return Tried(body, None, play.waits, False)
    if ruling == UNDETERMINED and asked is not None:
        waits = structs.replace(waits, asked=_waits_for_facts(do, [*asked.inputs, *answers], assume))
    kept = None if noted is None else Kept(noted, written, new_reading)
    return Tried(body, kept, waits, kept is not None or waits != play.waits)


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


NO_PLACE = ("unknown-field", "unknown-name", "unknown-issue")


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
        _asked(play.game, waits)
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


def _with_told(game: Game, body: CheckAnswer[Any], before: Table, table: Table) -> CheckAnswer[Any]:
    """The answer, with what was told among the changes."""
    if table.position is before.position:
        return body
    changes = checks.change_entries(game, before.position, table.position, voice(body.lang))
    told = [structs.replace(one, told=True) for one in changes]
    return structs.replace(body, changes=[*told, *body.changes])


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
    waits = structs.replace(waits, set_up=_set_up(play, kept.move, waits))
    step(connection, play, now, moves=number, last=number, verified=verified, size=size, waits=waits)
    if play.last > play.moves:
        for table in (moves, readings):
            connection.execute(sa.delete(table).where(table.c.play == play.id, table.c.number >= number))
    ADD_MOVE.count(connection, row)
    if told:
        connection.execute(ADD_READING, {"play": play.id, "number": number, "told": told})


def move_row(play: str, number: int, kept: Kept, since: int, now: float) -> dict[str, Any]:
    """A move as a row of its table."""
    return {
        "play": play,
        "number": number,
        "written": packed(msgspec.json.encode(transcript.write_move(kept.move))),
        "position": None if kept.position is None else packed(kept.position),
        "reading": since,
        "made": now,
    }


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


def step(connection: Connection, play: Play, now: float, **values: Any) -> None:
    """The next version of a play, if it is still the one that was looked at."""
    after = structs.replace(play, version=play.version + 1, changed=now, **values)
    new = {f"new_{name}": getattr(after, name) for name in STEPPED}
    new["new_asked"] = kept_waits(after.waits)
    if STEP.count(connection, {"play": play.id, "before": play.version, **new}) == 1:
        return
    raise OtherVersion(newest(connection, play.id))


def newest(connection: Connection, play: str) -> int:
    """The version of a play by now."""
    found = connection.scalar(sa.select(plays.c.version).where(plays.c.id == play))
    if found is None:
        raise Problem("unknown-play")
    return int(found)


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
        step(connection, play, time.time(), moves=number, waits=structs.replace(play.waits, asked=None))
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
