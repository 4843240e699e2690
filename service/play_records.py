"""What a play has seen: its moves page by page, its report, its transcript to take along, and playing it again."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from math import inf
from typing import Any

import msgspec
import orjson
import sqlalchemy as sa
from msgspec import UNSET, Struct, structs
from sqlalchemy.engine import Connection

from engine import transcript
from engine.at import At
from engine.exceptions import Unreadable
from engine.game import Answer, Game, prepare
from engine.messages import requirement
from engine.telling import Table, tell
from engine.transcript import Divergence, Expected, Move, Played, Replay, Transcript
from engine.verdict import ILLEGAL, LEGAL, Verdict, needs
from service import checks, prices, told_facts, transcripts
from service.answers import encode
from service.bodies import MOST_MOVES as MOST_PLAYED_IN
from service.languages import Text, Voice, voice
from service.play_kept import Kept, Play, Reading, newest, position_of, reading_of
from service.play_problems import Damaged, OtherVersion, Problem
from service.play_repeats import Repeatable
from service.report import WRITINGS, Session, Telling
from service.store import Store, moves, packed, plays, readings, unpacked

MOST_ON_A_PAGE = 100
MOST_VERIFIED = 100  # moves in one request
MOST_IN_A_PART = 1_000  # moves that a part of a report tells, however cheap they are
MOST_NOTED = 100_000  # characters of notes in it: they cost nothing to play, but to write
MOST_IMPORTED = transcript.MOST  # moves and answers
MARK_EVERY = 200  # moves, a transcript says the position

# How a report is written, by media type; the first is what is given to whoever wants anything, and the endings are
# those of an address that names its form.
ENDINGS = {"txt": "text/plain", "md": "text/markdown", "html": "text/html"}
REPORTS: dict[str, Callable[[Session], str]] = WRITINGS


DOES_NOT_FIT = requirement(
    "told-does-not-fit",
    "What was said here does not fit the table as it stood then.",
    met="What was said fits the table.",
)


class Row(Struct, frozen=True):
    """A kept move: what was done, how the rules were read, and the position after it where that is known."""

    number: int
    move: Move
    reading: Reading
    position: Any
    made: float


def _rows(connection: Connection, play: Play, after: int, last: int) -> list[Row]:
    """The moves behind one, with that one before them as where they begin."""
    return [_row(play.game, row) for row in _kept_rows(connection, play, after, last)]


def _kept_rows(
    connection: Connection, play: Play, after: int, last: int, position: Any = moves.c.position
) -> Sequence[Any]:
    """The same as they are kept, not read yet; read in one go, so that nobody moves meanwhile."""
    here = sa.and_(moves.c.play == play.id, moves.c.number >= after, moves.c.number <= last)
    same = sa.and_(readings.c.play == moves.c.play, readings.c.number == moves.c.reading)
    columns = (moves.c.number, moves.c.written, position, moves.c.made, readings.c.told)
    chosen = sa.select(*columns).select_from(moves.join(readings, same)).where(here).order_by(moves.c.number)
    found = connection.execute(chosen).all()
    if [row.number for row in found] != list(range(after, last + 1)):
        now = newest(connection, play.id)
        raise Damaged if now == play.version else OtherVersion(now)
    return found


def _row(game: Game, row: Any) -> Row:
    try:
        written = orjson.loads(unpacked(row.written)) if row.written else {}
        move = transcript.read_move(game, written)
        position = None if row.position is None else position_of(game, unpacked(row.position))
    except (orjson.JSONDecodeError, Unreadable):
        raise Damaged from None
    return Row(row.number, move, reading_of(game.name, row.told), position, row.made)


def _played(game: Game, rows: Sequence[Row]) -> Iterator[tuple[Row, Played | None]]:
    """Each move played again from where it began; None where that is not known."""
    at = _at(game, rows[0])
    for row in rows[1:]:
        yield row, None if at is None else _one(game, at, row.move)[1]
        at = _at(game, row)


def _one(game: Game, at: At[Any], move: Move) -> tuple[At[Any], Played]:
    """Where a move begins, and what comes of it; one that tells what cannot be there is refused."""
    try:
        begun = transcript.before(game, at, move)
        return begun, transcript.play(game, begun, move)
    except Unreadable:  # only an imported transcript has such a move
        refused = Answer(Verdict(ILLEGAL, (needs(False, DOES_NOT_FIT),)), (), None, at.position, {})
        return at, Played(move, refused, (), (), Expected(ruling="illegal"))


def _at(game: Game, row: Row) -> At[Any] | None:
    """Where the move behind this one begins."""
    if row.position is None:
        return None
    return prepare(game, row.position, row.reading.choices, row.reading.components)


# -- pages -------------------------------------------------------------------------------------------


def page(store: Store, play: Play, after: int, limit: int, lang: str) -> dict[str, Any]:
    """What was done, answered and happened, move by move."""
    first, last = min(after, play.moves), min(after + limit, play.moves)
    with store.reading() as connection:
        rows = _rows(connection, play, first, last)
    speaks, spent, entries = voice(lang), prices.spent(), []
    for row, played in _played(play.game, rows):
        entries.append(_entry(play.game, row, played, speaks))
        if spent():  # where moves are dear, a page is shorter
            last = row.number
            break
    return {
        "id": play.id,
        "game": play.game.name,
        "lang": lang,
        "version": play.version,
        "moves": entries,
        "next": last if last < play.moves else None,
    }


def _entry(game: Game, row: Row, played: Played | None, speaks: Voice) -> dict[str, Any]:
    if played is None:  # imported, and not played again yet
        headline = transcripts.headline(game, row.move, speaks)
        entry: dict[str, Any] = {
            "number": row.number,
            "headline": headline,
            "ruling": LEGAL,
            "answers": [],
            "events": [],
        }
    else:
        entry = structs.asdict(transcripts.move_entry(game, row.number, played, speaks))
    return {**entry, "kind": row.move.kind, "note": row.move.note, "verified": played is not None}


def last_move(store: Store, play: Play, lang: str) -> dict[str, Any] | None:
    """The last move in words: as on a page, with what it has changed and which disputed points it rests on."""
    if not play.moves:
        return None
    with store.reading() as connection:
        rows = _rows(connection, play, play.moves - 1, play.moves)
    game, speaks = play.game, voice(lang)
    ((row, played),) = _played(game, rows)
    entry = _entry(game, row, played, speaks)
    before, after = _with_its_facts(game, rows[0], row.move), row.position
    known = before is not None and after is not None
    consulted = {} if played is None else played.answer.issues
    return {
        **entry,
        "told": _facts_told(game, row.move, speaks),
        "changes": checks.change_entries(game, before, after, speaks) if known else [],
        "issues": checks.issue_entries(game.catalogue, consulted, row.reading.choices, speaks),
    }


def _with_its_facts(game: Game, before: Row, move: Move) -> Any:
    """The position before a move, with the facts that it tells of the table: they are nothing that it has changed."""
    at = _at(game, before) if move.kind == "move" and move.told else None
    try:
        return before.position if at is None else transcript.before(game, at, move).position
    except Unreadable:  # only an imported transcript has such a move
        return before.position


def _facts_told(game: Game, move: Move, speaks: Voice) -> Text:
    """The facts that a move has told, in words."""
    told = [fact for key, facts in move.inputs if key == "tell" for fact in facts.items()]
    return speaks.each(lambda reader: told_facts.listed(reader, game, [*move.told, *told]))


# -- the report and the transcript -------------------------------------------------------------------


def told(store: Store, play: Play, lang: str) -> Session:
    """The whole session of a play, however long that takes."""
    return _told(store, play, lang, 0, play.moves, lambda: False, inf)[0]


def part(store: Store, play: Play, lang: str, after: int) -> tuple[Session, int | None]:
    """The session behind a move, as much of it as one request may cost, and behind which move it goes on."""
    last = min(after + MOST_IN_A_PART, play.moves)
    return _told(store, play, lang, min(after, play.moves), last, prices.spent(prices.MOST_TOLD))


def _told(
    store: Store,
    play: Play,
    lang: str,
    first: int,
    last: int,
    spent: Callable[[], bool],
    most_noted: float = MOST_NOTED,
) -> tuple[Session, int | None]:
    with store.reading() as connection:
        kept = _kept_rows(connection, play, first, last)
    start = _at(play.game, _row(play.game, kept[0]))
    if start is None:
        raise Problem("not-verified") if first else Damaged()
    at, played, telling, noted = start, [], Telling(play.game, start.position, lang), 0
    for row in (_row(play.game, one) for one in kept[1:]):
        begun, done = _one(play.game, at, row.move)
        played.append(done)
        telling.tell(done)
        at = _at(play.game, row) or transcript.after(play.game, begun, done)
        noted += len(row.move.note)
        if spent() or noted > most_noted:  # where moves are dear, a part is shorter
            last = row.number
            break
    further = last if last < play.moves else None
    return telling.ended(Replay(start, tuple(played)), further), further


def exported(store: Store, play: Play) -> dict[str, Any]:
    """Everything, portable: what `replay` and a new play take. Moves are given as they were kept."""
    number = moves.c.number
    marked = sa.or_(number % MARK_EVERY == 0, number == play.moves)
    position = sa.case((marked, moves.c.position)).label("position")
    with store.reading() as connection:
        kept = _kept_rows(connection, play, 0, play.moves, position)
    first = _row(play.game, kept[0])
    start = Transcript(first.position, (), first.reading.choices, first.reading.components)
    return {
        "game": play.game.name,
        **transcript.write(start),
        "moves": [_written(play.game, one) for one in kept[1:]],
    }


def _written(game: Game, row: Any) -> dict[str, Any]:
    """A move as it was kept, if it can be read, with the position after it where that is to be said."""
    try:
        written = orjson.loads(unpacked(row.written))
        transcript.read_move(game, written)
        after = {} if row.position is None else {"position_after": orjson.loads(unpacked(row.position))}
    except (orjson.JSONDecodeError, Unreadable):
        raise Damaged from None
    return {**written, **after}


# -- bringing one in ---------------------------------------------------------------------------------


class Imported(Struct, frozen=True):
    """A transcript as the beginning of a play."""

    position: Any
    reading: Reading
    kept: tuple[Kept, ...]
    verified: int


def imported(game: Game, read: Transcript, spent: Callable[[], bool]) -> Imported:
    """A transcript that was sent; where it says its end position that is taken, otherwise it is played."""
    start = prepare(game, read.position, read.choices, read.components)
    reading = Reading(start.rules.chosen, start.rules.components)
    if sum(map(transcript.work, read.moves)) > MOST_IMPORTED:
        raise Unreadable("replay-too-long", "/moves", limit=MOST_IMPORTED)
    if not read.moves:
        return Imported(start.position, reading, (), 0)
    if read.moves[-1].position_after is UNSET:
        return _played_in(game, read, start, reading)
    kept, now = [], reading
    for place, move in enumerate(read.moves):
        if spent():
            raise Unreadable("import-too-long", "/moves", limit=place)
        changed = _read_since(game, now, move, f"/moves/{place}")
        after = None if move.position_after is UNSET else msgspec.json.encode(move.position_after)
        kept.append(Kept(_bare(move), after, None if changed == now else changed))
        now = changed
    return Imported(start.position, reading, tuple(kept), 0)


def _played_in(game: Game, read: Transcript, start: At[Any], reading: Reading) -> Imported:
    """A transcript that does not say where it ends, played from its start."""
    went = transcript.replay(game, read, MOST_PLAYED_IN, prices.spent(prices.MOST_PLAYED_IN))
    if went.diverged is not None:
        raise Unreadable(_otherwise(went.diverged), f"/moves/{went.diverged.number - 1}")
    if len(went.played) < len(read.moves):  # dear ones; who says where they lead need not have them played
        raise Unreadable("import-too-dear", "/moves", limit=len(went.played))
    kept, now = [], reading
    for move, one in zip(read.moves, went.played, strict=True):
        changed = _read_since(game, now, move, "/moves")
        after = msgspec.json.encode(one.answer.position)
        kept.append(Kept(_bare(move), after, None if changed == now else changed))
        now = changed
    return Imported(start.position, reading, tuple(kept), len(kept))


def _otherwise(diverged: Divergence) -> str:
    """How a move came out that is not as it was recorded."""
    if "position" in diverged.differs:
        return "after-differs"
    is_legal = diverged.played.answer.verdict.ruling == LEGAL
    return "outcome-differs" if is_legal or "ruling" not in diverged.differs else "not-legal"


def _bare(move: Move) -> Move:
    """A move without the position after it, which is kept beside it."""
    return structs.replace(move, position_after=UNSET)


def _read_since(game: Game, reading: Reading, move: Move, pointer: str) -> Reading:
    """How the rules are read after a move."""
    facts = transcript.read_since(move)
    if not facts:
        return reading
    table = tell(game, Table(None, reading.choices, reading.components), facts, pointer)
    return Reading(table.choices, table.components)


# -- playing it again --------------------------------------------------------------------------------


def verify(
    store: Store, play: Play, after: int | None, lang: str, repeat: Repeatable | None = None
) -> dict[str, Any]:
    """Play at most a hundred moves again, and say how far the play is known to follow from its start."""
    first = play.verified if after is None else after
    first = min(first, play.last)
    last = min(first + MOST_VERIFIED, play.last)
    with store.reading() as connection:
        rows = _rows(connection, play, first, last)
    if rows[0].position is None:
        raise Problem("not-verified")
    reached, found, stop = _again(play.game, rows)
    with store.writing() as connection:
        same = sa.and_(plays.c.id == play.id, plays.c.version == play.version)
        now = connection.execute(sa.select(plays.c.verified).where(same).with_for_update()).first()
        if now is None:
            raise OtherVersion(newest(connection, play.id))
        for number, position in found.items():
            here = sa.and_(moves.c.play == play.id, moves.c.number == number, moves.c.position.is_(None))
            connection.execute(sa.update(moves).where(here).values(position=packed(position)))
        verified = reached if first <= now.verified < reached else now.verified
        connection.execute(sa.update(plays).where(same).values(verified=verified))
        body = {
            "id": play.id,
            "game": play.game.name,
            "lang": lang,
            "version": play.version,
            "moves": play.moves,
            "from": first,
            "verified": min(verified, play.moves),
            "next": reached if stop is None and reached < play.last else None,
            "diverged": None if stop is None else transcripts.diverged_entry(play.game, stop, voice(lang)),
        }
        if repeat is not None:
            repeat.note(connection, play.id, {"body": orjson.loads(encode(body))})
    return body


def _again(game: Game, rows: Sequence[Row]) -> tuple[int, dict[int, bytes], Divergence | None]:
    """How far moves come out as they were kept, and the positions that were not known."""
    at, spent = _at(game, rows[0]), prices.spent()
    found: dict[int, bytes] = {}
    for row in rows[1:]:
        if at is None:
            break
        wanted = (
            row.move if row.position is None else structs.replace(row.move, position_after=_ready(game, row))
        )
        begun, played = _one(game, at, wanted)
        differs = tuple(transcript.differences(wanted, played))
        if differs:
            return row.number - 1, found, Divergence(row.number, played, differs)
        if row.position is None:
            found[row.number] = msgspec.json.encode(played.answer.position)
        at = transcript.after(game, begun, played)
        if spent():  # where moves are dear, fewer are played in one request
            return row.number, found, None
    return rows[-1].number, found, None


def _ready(game: Game, row: Row) -> Any:
    """The position kept with a move, as the engine gives it."""
    return prepare(game, row.position, {}, game.components()).position
