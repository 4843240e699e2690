"""Transcripts: a game as the list of its moves from a set-up, to be replayed, compared and taken back.

A move is an action with the answers to its questions. It may say what came of it when it was recorded
(`expected`); a replay stops at the first move that comes out otherwise, with both side by side. A move
that says nothing is expected to be legal. What players tell or change by hand before a move is its
`position`, laid over the position reached. Taking back is the transcript without its last move.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Literal

import msgspec
from msgspec import UNSET, Struct, UnsetType, structs

from engine import codec
from engine.at import At, Event
from engine.exceptions import Unreadable
from engine.flow import Pending
from engine.game import Answer, Continue, Game, check, prepare
from engine.saved import FORMAT, Format
from engine.verdict import LEGAL

MOST = 4_000  # moves and answers together; a whole game has between one and two thousand answers

Given = tuple[str, Any]  # an answer: its name and value


class Change(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """One place where the position changed; a side that is left out was not told.

    What was there before is what the moves before it left, and is not compared.
    """

    pointer: str
    before: Any = msgspec.field(default=UNSET, name="from")
    to: Any = UNSET


class Expected(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """What came of a move when it was recorded; what is left out is not looked at."""

    ruling: Literal["legal", "illegal", "undetermined"] = LEGAL  # type: ignore[assignment]
    events: tuple[str, ...] | UnsetType = UNSET  # names, all, in order
    pending: str | UnsetType | None = UNSET  # the name of the question that a legal move ends with
    changes: tuple[Change, ...] | UnsetType = UNSET  # all; the agenda is left out


class Move(Struct, frozen=True):
    """An action with the answers to its questions, and what is expected of it."""

    action: Any = Continue()
    inputs: tuple[Given, ...] = ()
    position: dict[str, Any] = {}
    expected: Expected = Expected()


class Transcript(Struct, frozen=True):
    """A game from a set-up: its moves, how disputed rules are read, and the players' printed components."""

    position: Any
    moves: tuple[Move, ...] = ()
    choices: Mapping[str, str] = {}
    components: Any = {}


def undo(transcript: Transcript) -> Transcript:
    """The game without its last move."""
    return structs.replace(transcript, moves=transcript.moves[:-1])


# -- replaying ---------------------------------------------------------------------------------------


class Asked(Struct, frozen=True):
    """A question, the answer given to it, and what happened thereupon."""

    pending: Pending
    given: Given
    events: tuple[Event, ...]
    listed: Given  # the answer as the question lists it, also where a saved game wrote it in another form


class Played(Struct, frozen=True):
    """A move and what came of it; where it was refused no question was answered."""

    move: Move
    answer: Answer
    begins: tuple[Event, ...]  # what happened before anything was asked
    asked: tuple[Asked, ...]
    found: Expected


class Divergence(Struct, frozen=True):
    """The first move that came out otherwise than expected, and in what."""

    number: int
    played: Played
    differs: tuple[str, ...]  # fields of Expected


class Replay(Struct, frozen=True):
    """How far a game was played, and where it came out otherwise."""

    start: At[Any]
    played: tuple[Played, ...] = ()
    diverged: Divergence | None = None

    @property
    def position(self) -> Any:
        """The position after the last move that came out as expected."""
        return self.played[-1].answer.position if self.played else self.start.position


def replay(game: Game, transcript: Transcript, most: int = MOST) -> Replay:
    """Play all moves, up to the first that comes out otherwise than expected."""
    if sum(map(_work, transcript.moves)) > most:
        raise Unreadable("replay-too-long", "/moves", limit=most)
    went = Replay(prepare(game, transcript.position, transcript.choices, transcript.components))
    for place, move in enumerate(transcript.moves):
        try:
            went = go_on(game, went, move)
        except Unreadable as error:
            error.pointer = f"/moves/{place}{error.pointer}"
            raise
        if went.diverged:
            break
    return went


def _work(move: Move) -> int:
    """A move and its answers, each as much work as another; so is each procedure told by hand to be under way."""
    return 1 + len(move.inputs) + len(move.position.get("agenda", ()))


def go_on(game: Game, so_far: Replay, move: Move) -> Replay:
    """One more move from where the game stands; one that comes out otherwise changes nothing."""
    played = play(game, _before(game, so_far, move), move)
    differs = tuple(_differs(move.expected, played.found))
    if differs:
        return Replay(so_far.start, so_far.played, Divergence(len(so_far.played) + 1, played, differs))
    return Replay(so_far.start, (*so_far.played, played))


def recorded(went: Replay) -> Transcript:
    """The game as far as it was played, each move with what came of it."""
    moves = tuple(structs.replace(one.move, expected=one.found) for one in went.played)
    rules = went.start.rules
    return Transcript(went.start.position, moves, rules.chosen, rules.components)


def _before(game: Game, so_far: Replay, move: Move) -> At[Any]:
    """The position reached, with what the players told or changed by hand."""
    position, rules = so_far.position, so_far.start.rules
    if move.position:
        told = merge(codec.write(position), move.position)
        return prepare(game, told, rules.chosen, rules.components)
    return game.at(position, rules)


def play(game: Game, at: At[Any], move: Move) -> Played:
    """Play a move; each of its answers stands with the question it was given to and what happened thereupon."""
    came = check(game, at, move.action, move.inputs)
    taken = came.taken
    ends = [*(one.before for one in taken[1:]), len(came.events)]
    asked = tuple(
        Asked(one.pending, one.given, came.events[one.before : end], one.listed)
        for one, end in zip(taken, ends, strict=bool(taken))
    )
    begins = came.events[: taken[0].before] if taken else came.events
    return Played(move, came, begins, asked, _found(at.position, came))


# -- comparing ---------------------------------------------------------------------------------------


def _found(before: Any, answer: Answer) -> Expected:
    """What came out, in the form in which it is recorded."""
    changes = (
        Change(pointer, _plain(old), _plain(new)) for pointer, old, new in changed(before, answer.position)
    )
    return Expected(
        ruling=answer.verdict.ruling,  # type: ignore[arg-type]
        events=tuple(event.message.name for event in answer.events),
        pending=answer.pending.name if answer.pending and answer.refused is None else None,
        changes=tuple(changes),
    )


def changed(before: Any, after: Any) -> Iterator[tuple[str, Any, Any]]:
    """Where two positions differ, by pointer; where a procedure stands is told by its question."""
    found = sorted(codec.changes(before, after), key=lambda change: change[0])
    return (change for change in found if _on_the_table(change[0]))


def _on_the_table(pointer: str) -> bool:
    return not pointer.startswith("/agenda")


def _plain(value: Any) -> Any:
    """A value as a JSON file holds it."""
    return UNSET if value is UNSET else msgspec.json.decode(msgspec.json.encode(value))


def _differs(wanted: Expected, found: Expected) -> Iterator[str]:
    for name in ("ruling", "events", "pending"):
        if getattr(wanted, name) not in (UNSET, getattr(found, name)):
            yield name
    if any(other_changes(wanted, found)):
        yield "changes"


def other_changes(wanted: Expected, found: Expected) -> Iterator[tuple[str, Change | None, Change | None]]:
    """Every place that changed otherwise than recorded; None where it did not change."""
    if wanted.changes is UNSET or found.changes is UNSET:
        return
    told = {one.pointer: one for one in wanted.changes if _on_the_table(one.pointer)}
    came = {one.pointer: one for one in found.changes}
    for pointer in sorted(told.keys() | came.keys()):
        recorded, now = told.get(pointer), came.get(pointer)
        if recorded is None or now is None or recorded.to != now.to:
            yield pointer, recorded, now


# -- reading and writing -----------------------------------------------------------------------------


def merge(under: dict[str, Any], over: dict[str, Any]) -> dict[str, Any]:
    """Tables laid over tables; anything else replaces what was there."""
    merged = dict(under)
    for key, value in over.items():
        below = merged.get(key)
        both = isinstance(below, dict) and isinstance(value, dict)
        merged[key] = merge(below, value) if both and below is not None else value
    return merged


class WrittenMove(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True, kw_only=True):
    """A move as a file or a request writes it; without an action it goes on with the procedure under way."""

    action: Any = UNSET
    inputs: list[Any] = []
    position: dict[str, Any] = {}
    expected: Expected = Expected()


class WrittenTranscript(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True, kw_only=True):
    """A transcript as a file or a request writes it."""

    position: Any
    moves: list[Any]
    choices: dict[str, str] = {}
    components: Any = {}
    format: Format | UnsetType = UNSET


def read(game: Game, given: Any) -> Transcript:
    """A transcript from plain JSON values; what does not fit is named with its pointer."""
    written = codec.read(given, WrittenTranscript, "")
    position = codec.read(written.position, game.position, "/position")
    components = codec.read(written.components, game.components, "/components")
    return Transcript(position, read_moves(game, written.moves), written.choices, components)


def read_moves(game: Game, given: list[Any]) -> tuple[Move, ...]:
    """The moves of a transcript from plain JSON values."""
    return tuple(_read_move(game, one, f"/moves/{place}") for place, one in enumerate(given))


def _read_move(game: Game, given: Any, pointer: str) -> Move:
    written = codec.read(given, WrittenMove, pointer)
    action = Continue()
    if written.action is not UNSET:
        action = codec.read(written.action, game.action_types, f"{pointer}/action")
    inputs = codec.read_inputs(written.inputs, f"{pointer}/inputs")
    if written.position:
        _must_fit(game, written.position, pointer)
    return Move(action, tuple(inputs), written.position, _by_todays_names(game, written.expected))


def _by_todays_names(game: Game, expected: Expected) -> Expected:
    """What was recorded, with the question by the name its row has now."""
    for table in game.procedures.values():
        for old, new in table.renamed.items():
            if expected.pending == f"{table.name}-{old}":
                return structs.replace(expected, pending=f"{table.name}-{new}")
    return expected


def _must_fit(game: Game, position: dict[str, Any], pointer: str) -> None:
    """What was told by hand has to be readable by itself, whether the game gets there or not."""
    try:
        prepare(game, position, {}, {})
    except Unreadable as error:
        error.pointer = f"{pointer}{error.pointer}"
        raise


def write(transcript: Transcript) -> dict[str, Any]:
    """A transcript as plain JSON values, as `read` takes them."""
    written = WrittenTranscript(
        position=codec.write(transcript.position),
        moves=[_write_move(move) for move in transcript.moves],
        choices=dict(transcript.choices),
        components=_told(transcript.components),
        format=FORMAT,
    )
    plain: dict[str, Any] = _plain(written)
    return plain


def _told(components: Any) -> dict[str, Any]:
    """What is known of the printed components, without what is left open."""
    told, untold = codec.write(components), codec.write(type(components)())
    return {name: value for name, value in told.items() if value != untold.get(name, UNSET)}


def _write_move(move: Move) -> WrittenMove:
    return WrittenMove(
        action=UNSET if isinstance(move.action, Continue) else codec.write(move.action),
        inputs=[{key: value} for key, value in move.inputs],
        position=move.position,
        expected=move.expected,
    )
