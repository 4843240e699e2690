"""Transcripts: a game as the list of its moves from a set-up, to be replayed, compared and taken back.

A move is an action with the answers to its questions. It may say what came of it when it was recorded
(`expected`); a replay stops at the first move that comes out otherwise, with both side by side. A move
that says nothing is expected to be legal. What players tell or change by hand before a move is its
`position`, laid over the position reached; single facts are told by the input `tell`. A move may read
disputed rules otherwise from there on (`choices`) or from another copy (`components`); what was read off the
copy with it may be known from the next move on (`remembered`). What was only told,
corrected or read otherwise is a move of that kind: nothing is checked. Taking back is the transcript without
its last move.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, Literal

import msgspec
from msgspec import UNSET, Raw, Struct, UnsetType, structs

from engine import codec
from engine.at import At, Event
from engine.catalogue import Ruleset, read_choices
from engine.exceptions import Unreadable
from engine.flow import Pending
from engine.game import Answer, Continue, Game, check, prepare
from engine.pointers import escape
from engine.questions import Read
from engine.saved import FORMAT, Format
from engine.telling import ACTION, LATER, Fact, Table, tell, told_action
from engine.verdict import LEGAL, Verdict

MOST = 4_000  # moves and answers together; a whole game has between one and two thousand answers

Given = tuple[str, Any]  # an answer: its name and value
Kind = Literal["move", "told", "corrected", "read"]


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
    told: tuple[Fact, ...] = ()
    choices: Mapping[str, str] = {}
    components: Mapping[str, Any] = {}
    position_after: Any = UNSET
    kind: Kind = "move"
    note: str = ""
    remembered: Mapping[str, Any] = {}  # what was read off the copy and is known after it, by pointer


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
    differs: tuple[str, ...]  # fields of Expected, or `position`


class Replay(Struct, frozen=True):
    """How far a game was played, and where it came out otherwise."""

    start: At[Any]
    played: tuple[Played, ...] = ()
    diverged: Divergence | None = None
    reads: Ruleset | None = None  # the rules since a move read them otherwise

    @property
    def rules(self) -> Ruleset:
        """The rules as the next move reads them."""
        return self.reads or self.start.rules

    @property
    def position(self) -> Any:
        """The position after the last move that came out as expected."""
        return self.played[-1].answer.position if self.played else self.start.position


def replay(
    game: Game, transcript: Transcript, most: int = MOST, spent: Callable[[], bool] = lambda: False
) -> Replay:
    """Play all moves, up to the first that comes out otherwise than expected.

    It ends earlier, behind any move, once `spent` says so: the engine has no clock.
    """
    if sum(map(work, transcript.moves)) > most:
        raise Unreadable("replay-too-long", "/moves", limit=most)
    went = Replay(prepare(game, transcript.position, transcript.choices, transcript.components))
    for place, move in enumerate(transcript.moves):
        try:
            went = go_on(game, went, move)
        except Unreadable as error:
            error.pointer = f"/moves/{place}{error.pointer}"
            raise
        if went.diverged or spent():
            break
    return went


class Page(Struct, frozen=True):
    """A part of a game: from the last move before it whose position is known, as far as one request plays."""

    part: Transcript
    behind: int  # the move that the part begins behind
    next: int | None  # the move that the next page begins behind


def page(game: Game, whole: Transcript, begins: int, limit: int, most: int) -> Page:
    """The moves behind one; those before it are played from the last position that the transcript says."""
    moves = whole.moves
    if begins > len(moves):
        raise Unreadable("out-of-range", "/from", least=0, most=len(moves))
    if sum(map(work, moves)) > MOST:
        raise Unreadable("replay-too-long", "/moves", limit=MOST)
    behind = next((at for at in range(begins, 0, -1) if moves[at - 1].position_after is not UNSET), 0)
    last, done = behind, 0
    while last < min(len(moves), begins + limit) and done + work(moves[last]) <= most:
        done, last = done + work(moves[last]), last + 1
    if last <= begins < len(moves):
        raise Unreadable("replay-too-long", "/moves", limit=most)
    part = structs.replace(begun_behind(game, whole, behind), moves=moves[behind:last])
    return Page(part, behind, last if last < len(moves) else None)


def begun_behind(game: Game, whole: Transcript, number: int) -> Transcript:
    """A game from a move on whose position is known: as the rules are read since then."""
    if not number:
        return whole
    start = prepare(game, whole.position, whole.choices, whole.components)
    facts = [fact for move in whole.moves[:number] for fact in read_since(move)]
    table = tell(game, Table(None, start.rules.chosen, start.rules.components), facts, "/moves")
    after = whole.moves[number - 1].position_after
    return Transcript(after, whole.moves[number:], table.choices, table.components)


def read_since(move: Move) -> list[Fact]:
    """What a move says of how the rules are read from it on, and of the copy."""
    told = [one for one in move.told if one[0].startswith(("/choices/", "/components/"))]
    return [*reading_facts(move), *told, *move.remembered.items()]


def work(move: Move) -> int:
    """A move and its answers, each as much work as another; so is each procedure told by hand to be under way."""
    return 1 + len(move.inputs) + len(move.told) + len(move.position.get("agenda", ()))


def go_on(game: Game, so_far: Replay, move: Move) -> Replay:
    """One more move from where the game stands; one that comes out otherwise changes nothing."""
    at = before(game, game.at(so_far.position, so_far.rules), move)
    played = play(game, at, move)
    differs = tuple(differences(move, played))
    if differs:
        stop = Divergence(len(so_far.played) + 1, played, differs)
        return Replay(so_far.start, so_far.played, stop, so_far.reads)
    return Replay(so_far.start, (*so_far.played, played), None, after(game, at, played).rules)


def recorded(went: Replay) -> Transcript:
    """The game as far as it was played, each move with what came of it."""
    moves = tuple(structs.replace(one.move, expected=one.found) for one in went.played)
    rules = went.start.rules
    return Transcript(went.start.position, moves, rules.chosen, rules.components)


def before(game: Game, at: At[Any], move: Move) -> At[Any]:
    """Where a move begins: the position reached, with what the players told, changed or read otherwise."""
    position, rules = at.position, at.rules
    if not (move.position or move.told or move.choices or move.components):
        return game.at(position, rules)
    if move.position:
        position = prepare(game, merge(codec.write(position), move.position), {}, game.components()).position
    table = tell(game, Table(position, rules.chosen, rules.components), reading_facts(move), "")
    table = tell(game, table, move.told, "/inputs")
    return prepare(game, table.position, table.choices, table.components)


def after(game: Game, at: At[Any], played: Played) -> At[Any]:
    """Where the next move begins: the position that a move led to, with what was read off the copy meanwhile."""
    rules, known = at.rules, tuple(played.move.remembered.items())
    if not known:
        return game.at(played.answer.position, rules)
    table = tell(game, Table(None, rules.chosen, rules.components), known, "/remembered")
    return prepare(game, played.answer.position, rules.chosen, table.components)


def read_off(answer: Answer) -> dict[str, Any]:
    """What the answers of a move say of the printed copy that is the same every time, by pointer."""
    asked = ((one.pending.question.answers, one.given) for one in answer.taken)
    found = (
        answers.printed(given)
        for answers, (key, given) in asked
        if isinstance(answers, Read) and (key == Read.key or given == "none")  # an action is no reading
    )
    return {place: printed for facts in found for place, printed in facts.items()}


def reading_facts(move: Move) -> list[Fact]:
    """How the rules are read from a move on, as facts."""
    choices = [(f"/choices/{escape(name)}", chosen) for name, chosen in move.choices.items()]
    return [*choices, *((f"/components/{escape(name)}", told) for name, told in move.components.items())]


def play(game: Game, at: At[Any], move: Move) -> Played:
    """Play a move; each of its answers stands with the question it was given to and what happened thereupon."""
    if move.kind != "move":
        return _noted(game, at, move)
    came = check(game, at, move.action, move.inputs)
    taken = came.taken
    ends = [*(one.before for one in taken[1:]), len(came.events)]
    asked = tuple(
        Asked(one.pending, one.given, came.events[one.before : end], one.listed)
        for one, end in zip(taken, ends, strict=bool(taken))
    )
    begins = came.events[: taken[0].before] if taken else came.events
    return Played(move, came, begins, asked, _found(at.position, came))


def _noted(game: Game, at: At[Any], move: Move) -> Played:
    """What was only told, corrected or read otherwise: nothing happens, and the question under way stays."""
    waits = check(game, at, Continue()).pending if at.agenda else None
    came = Answer(Verdict(LEGAL), (), waits, at.position, {})
    return Played(move, came, (), (), _found(at.position, came))


# -- comparing ---------------------------------------------------------------------------------------


def _found(before: Any, answer: Answer) -> Expected:
    """What came out, in the form in which it is recorded."""
    changes = (
        Change(pointer, _plain(old), _plain(new)) for pointer, old, new in changed(before, answer.position)
    )
    pending = answer.pending if answer.verdict.ruling == LEGAL else None
    return Expected(
        ruling=answer.verdict.ruling,  # type: ignore[arg-type]
        events=tuple(event.message.name for event in answer.events),
        pending=pending.name if pending and pending.fact is None else None,
        changes=tuple(changes),
    )


def changed(before: Any, after: Any) -> Iterator[tuple[str, Any, Any]]:
    """Where two positions differ, by pointer; where a procedure stands is told by its question."""
    before = structs.replace(before, agenda=after.agenda)
    return iter(sorted(codec.changes(before, after), key=lambda change: change[0]))


def _on_the_table(pointer: str) -> bool:
    return not pointer.startswith("/agenda")


def _plain(value: Any) -> Any:
    """A value as a JSON file holds it."""
    return value if type(value) in AS_IT_IS else msgspec.json.decode(msgspec.json.encode(value))


AS_IT_IS = frozenset({UnsetType, type(None), bool, int, str})  # a file holds these as they are


def differences(move: Move, played: Played) -> Iterator[str]:
    """In what a move came out otherwise than recorded."""
    wanted, found = move.expected, played.found
    if move.position_after is not UNSET and move.position_after != played.answer.position:
        yield "position"
    if wanted.ruling not in (UNSET, found.ruling):
        yield "ruling"
    if wanted.events is not UNSET and not _are_recorded(played.answer.events, wanted.events):
        yield "events"
    if wanted.pending not in (UNSET, found.pending):
        yield "pending"
    if any(other_changes(wanted, found)):
        yield "changes"


def _are_recorded(events: tuple[Event, ...], names: tuple[str, ...]) -> bool:
    return len(events) == len(names) and all(
        is_recorded_as(event, name) for event, name in zip(events, names, strict=True)
    )


def is_recorded_as(event: Event, name: str) -> bool:
    """Is an event known by this name, today or in a record of the time when another sentence was said in its place?"""
    return name in (event.message.name, event.message.was)


def other_changes(wanted: Expected, found: Expected) -> Iterator[tuple[str, Change | None, Change | None]]:
    """Every place that changed otherwise than recorded; None where it did not change."""
    if wanted.changes is UNSET or found.changes is UNSET or wanted.changes == found.changes:
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
    kind: Kind = "move"
    inputs: list[Any] = []
    position: dict[str, Any] = {}
    choices: dict[str, str] = {}
    components: dict[str, Any] = {}
    remembered: dict[str, Any] = {}
    note: str = ""
    expected: Expected = Expected()
    position_after: Raw | UnsetType = UNSET  # a whole table: read once, as what it is


class WrittenTranscript(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True, kw_only=True):
    """A transcript as a file or a request writes it."""

    position: Any
    moves: list[Any]
    choices: dict[str, str] = {}
    components: Any = {}
    game: str | UnsetType = UNSET  # those written earlier do not say
    format: Format | UnsetType = UNSET


def read(game: Game, given: Any) -> Transcript:
    """A transcript from plain JSON values; what does not fit is named with its pointer."""
    written = codec.read(given, WrittenTranscript, "")
    must_be_of(game, written.game)
    position = codec.read(written.position, game.position, "/position")
    components = codec.read(written.components, game.components, "/components")
    return Transcript(position, read_moves(game, written.moves), written.choices, components)


def must_be_of(game: Game, named: str | UnsetType) -> None:
    """Refuse a transcript of another game before anything of it is found not to fit."""
    if named not in (game.name, UNSET):
        raise Unreadable("other-game", "/game", given=named, game=game.name)


def read_moves(game: Game, given: list[Any]) -> tuple[Move, ...]:
    """The moves of a transcript from plain JSON values."""
    return tuple(read_move(game, one, f"/moves/{place}") for place, one in enumerate(given))


def read_move(game: Game, given: Any, pointer: str = "") -> Move:
    """A move from plain JSON values, or from its text."""
    written = codec.read(given, WrittenMove, pointer)
    action = Continue()
    if written.action is not UNSET:
        action = codec.read(written.action, game.action_types, f"{pointer}/action")
    told, answers = told_apart(written.inputs, f"{pointer}/inputs")
    inputs = codec.read_inputs(answers, f"{pointer}/inputs")
    action = _told_of_the_action(game, action, written.inputs, pointer)
    told = tuple(one for one in told if one[1] != LATER and not one[0].startswith(ACTION))
    if written.position:
        _must_fit(game, written.position, pointer, "position")
    if written.choices or written.components:
        _must_be_readings(game, written, pointer)
    if written.remembered:
        _must_be_of_the_copy(game, written.remembered, f"{pointer}/remembered")
    after: Any = written.position_after
    if after is not UNSET:
        after = _must_fit(game, after, pointer, "position_after")
    return Move(
        action,
        tuple(inputs),
        written.position,
        _by_todays_names(game, written.expected),
        told,
        written.choices,
        written.components,
        after,
        written.kind,
        written.note,
        written.remembered,
    )


def _told_of_the_action(game: Game, action: Any, inputs: list[Any], pointer: str) -> Any:
    """The action with what inputs tell of it; answers keep their places and tell nothing."""
    given = [
        (*one, *one.values()) if isinstance(one, dict) and len(one) == 1 else ("", None) for one in inputs
    ]
    try:
        return told_action(game, action, given)
    except Unreadable as error:
        error.pointer = f"{pointer}{error.pointer}"
        raise


def told_apart(inputs: list[Any], pointer: str = "/inputs") -> tuple[tuple[Fact, ...], list[Any]]:
    """The facts that inputs tell or take back, and the answers beside them."""
    told: list[Fact] = []
    answers: list[Any] = []
    for place, one in enumerate(inputs):
        if isinstance(one, dict) and one.keys() == {"tell"}:
            told += codec.read(one["tell"], codec.Facts, f"{pointer}/{place}/tell").items()
        elif isinstance(one, dict) and one.keys() == {"untell"}:
            told.append((codec.read(one["untell"], str, f"{pointer}/{place}/untell"), UNSET))
        else:
            answers.append(one)
    return tuple(told), answers


def _must_be_readings(game: Game, written: WrittenMove, pointer: str) -> None:
    codec.read(written.components, game.components, f"{pointer}/components")
    try:
        read_choices(game.catalogue, written.choices)
    except Unreadable as error:
        error.pointer = f"{pointer}{error.pointer}"
        raise


def _must_be_of_the_copy(game: Game, remembered: dict[str, Any], pointer: str) -> None:
    for place in remembered:
        if not place.startswith("/components/"):
            raise Unreadable("unknown-name", f"{pointer}/{escape(place)}", given=place)
    tell(game, Table(None, {}, game.components()), tuple(remembered.items()), pointer)


def _by_todays_names(game: Game, expected: Expected) -> Expected:
    """What was recorded, with the question by the name its row has now."""
    if not expected.pending:
        return expected
    for table in game.procedures.values():
        for old, new in table.renamed.items():
            if expected.pending == f"{table.name}-{old}":
                return structs.replace(expected, pending=f"{table.name}-{new}")
    return expected


def _must_fit(game: Game, position: Any, pointer: str, field: str) -> Any:
    """What was told by hand or recorded has to be readable by itself, whether the game gets there or not."""
    try:
        return prepare(game, position, {}, {}).position
    except Unreadable as error:
        error.pointer = f"{pointer}/{field}{error.pointer.removeprefix('/position')}"
        raise


def write(transcript: Transcript) -> dict[str, Any]:
    """A transcript as plain JSON values, as `read` takes them."""
    written = WrittenTranscript(
        position=codec.write(transcript.position),
        moves=[write_move(move) for move in transcript.moves],
        choices=dict(transcript.choices),
        components=told_components(transcript.components),
        format=FORMAT,
    )
    plain: dict[str, Any] = _plain(written)
    return plain


def told_components(components: Any) -> dict[str, Any]:
    """What is known of the printed components, without what is left open."""
    told, untold = codec.write(components), codec.write(type(components)())
    return {name: value for name, value in told.items() if value != untold.get(name, UNSET)}


def write_move(move: Move) -> WrittenMove:
    """A move as a file writes it."""
    return WrittenMove(
        action=UNSET if isinstance(move.action, Continue) else codec.write(move.action),
        kind=move.kind,
        inputs=[*_write_told(move.told), *({key: value} for key, value in move.inputs)],
        position=move.position,
        choices=dict(move.choices),
        components=dict(move.components),
        remembered=dict(move.remembered),
        note=move.note,
        expected=move.expected,
        position_after=UNSET if move.position_after is UNSET else codec.write(move.position_after),
    )


def _write_told(told: tuple[Fact, ...]) -> Iterator[dict[str, Any]]:
    for fact in told:
        key, value = _as_input(fact)
        yield {key: value}


def _as_input(fact: Fact) -> Given:
    pointer, value = fact
    return ("untell", pointer) if value is UNSET else ("tell", {pointer: value})
