"""Reading requests: the bytes of a body as values of the engine, or everything that is wrong with it.

A right request is decoded in one go. Only what could not be decoded is looked at again: mended where it is clear what
is meant, and otherwise explained by the schema of its type, all errors at once and in the order they stand in.
"""

from __future__ import annotations

from collections.abc import Callable
from copy import copy
from functools import cache
from io import BytesIO
from itertools import islice
from typing import Any, Generic, TypeVar

import msgspec
import orjson
from flask import request
from msgspec import UNSET, Raw, Struct, UnsetType, structs
from werkzeug.exceptions import ClientDisconnected

from engine import codec, policy, transcript
from engine.exceptions import Unreadable
from engine.game import Game
from engine.pointers import parts
from engine.policy import Policy
from service import bodies, components, mending, shapes
from service.bodies import MOST_CHECKS, MOST_INPUTS, MOST_MOVES, MOST_SENT
from service.config import MOST_BYTES, MOST_COPY_BYTES
from service.plain_json import MOST_NESTED, UNREADABLE, bounded, from_json, nests, parts_but
from service.problems import Problem, unreadable

MOST_ERRORS = 100  # of those that are said at once
MOST_PARTS_OF_A_MOVE = 10_000  # lists and objects in a move; a whole copy with every card has some hundred
FAILS = (*UNREADABLE, Unreadable)  # how decoding ends where something does not fit

A = TypeVar("A")
R = TypeVar("R", bound="Asked")


class Asked(Struct, frozen=True, kw_only=True):
    """What every request about a position tells."""

    position: Any
    choices: dict[str, str]
    components: Any
    lang: str | None
    assume: bool = True  # take for granted that now is the time for it
    text: bytes = b""  # the whole request, where one was sent

    def sent(self) -> Raw:
        """The position as it was sent, looked up where it is sent back."""
        told: Raw = _POSITION.decode(self.text).position
        return told


class _Position(Struct):
    position: Raw


_POSITION = msgspec.json.Decoder(_Position)


class AskedCheck(Asked, frozen=True, kw_only=True):
    """What a check asks about."""

    action: Any
    inputs: list[tuple[str, Any]]
    closed: bool = False  # say what is not open now, and why


class AskedBatch(Asked, frozen=True, kw_only=True):
    """What a batch of checks asks about, each with its answers."""

    actions: list[tuple[Any, list[tuple[str, Any]]]]


class AskedOptions(Asked, frozen=True, kw_only=True):
    """Of which action kinds the options are asked, all where none is named."""

    kinds: list[str]
    illegal: bool


class AskedOdds(AskedCheck, frozen=True, kw_only=True):
    """What odds ask about: an action, who decides inside it, and the values of a table's rows."""

    policy: Policy
    vary: dict[str, list[Any]]
    image: bool


class AskedAudit(Asked, frozen=True, kw_only=True):
    """A position to be looked at, without the values that cannot be."""

    impossible: list[Unreadable]


class AskedReplay(Asked, frozen=True, kw_only=True):
    """A game to be replayed; `told` is what the request itself tells of the components."""

    moves: tuple[transcript.Move, ...]
    record: bool
    told: Any
    begins: int  # behind this move
    limit: int


class RequestReader(Generic[R]):
    """Reads one kind of request about one game."""

    def __init__(self, game: Game, body: type[Struct], printed: Any = None) -> None:
        self.body = body
        self._game = game
        self._printed = printed or game.components()  # what the server's components file tells
        self._decoder: msgspec.json.Decoder[Any] = msgspec.json.Decoder(_as_read(body))
        self._untold = next(one.default for one in structs.fields(body) if one.name == "components")

    def answer(self, text: bytes, respond: Callable[[R], A]) -> A:
        """What is responded to a request; whatever of it cannot be read is said as a whole."""
        asked = self.read(text)
        try:
            return respond(asked)
        except Unreadable as error:
            raise self._explained(text, error) from None

    def read(self, text: bytes) -> R:
        """The request, read in one go or once it is mended."""
        try:
            return self._decoded(text)
        except FAILS:
            return self._decoded_again(text)

    def _decoded(self, text: bytes) -> R:
        told = self._decoder.decode(text)
        _not_too_deep(told.position)
        return self._asked(text, told)

    def _asked(self, text: bytes, told: Any) -> R:
        raise NotImplementedError

    def _common(self, text: bytes, told: Any) -> dict[str, Any]:
        return {
            "text": text,
            "position": told.position,
            "choices": told.choices,
            "components": self._components(told.components),
            "lang": None if told.lang is UNSET else told.lang,
            "assume": getattr(told, "assume", True),  # an audit and a replay do not say
        }

    def _components(self, told: Any) -> Any:
        """What the request tells of the components, before what the server's file tells."""
        if told is self._untold:
            return self._printed
        return components.over(self._printed, _not_too_deep(told))

    def _answers(self, inputs: list[codec.Input]) -> list[tuple[str, Any]]:
        found = codec.answers(inputs)
        bounded([value for _, value in found])
        return [(key, mending.answered_places(value, self._game.name)) for key, value in found]

    def _decoded_again(self, text: bytes) -> R:
        sent = from_json(text)
        given = mending.plainly_mended(sent)
        try:
            asked = self._decoded(_as_text(given))
        except FAILS:
            return self._decoded_with_places(given)
        if given["position"] != sent["position"]:
            return asked
        return structs.replace(asked, text=text)  # 2.0 is sent back as 2.0

    def _decoded_with_places(self, given: Any) -> R:
        given = self._with_places(given)
        try:
            return self._decoded(_as_text(given))
        except FAILS as error:
            return self._refused(given, error)

    def _with_places(self, given: Any) -> Any:
        return mending.with_places(given, self.errors(given), self._game.name)

    def _refused(self, given: Any, error: Exception) -> R:
        found = self.errors(given)[:MOST_ERRORS]
        raise unreadable(*found) if found or not isinstance(error, Unreadable) else error

    def errors(self, given: Any) -> list[Unreadable]:
        """Everything that is wrong with a request, by the schema of its body."""
        explained = shapes.explainer(self.body.__name__).errors
        found = explained(_cut(given)) or explained(given)
        return [_recoded(error) for error in found if not self._named_earlier(error, given)]

    def _named_earlier(self, error: Unreadable, given: Any) -> bool:
        """Is this only a field of a memory by the name that it had in positions saved earlier?"""
        match parts(error.pointer):
            case ["position", "agenda", number, "memory", field]:
                table = self._game.procedures.get(given["position"]["agenda"][int(number)].get("procedure"))
                return table is not None and field in table.renamed_fields
        return False

    def _explained(self, text: bytes, error: Unreadable) -> Problem:
        """What is wrong with a request that decoded well, but that the engine could not read."""
        found = self.errors(self._with_places(mending.plainly_mended(from_json(text))))
        if error.pointer not in [one.pointer for one in found]:
            found.append(error)
        return unreadable(*found[:MOST_ERRORS])


class CheckReader(RequestReader[AskedCheck]):
    """Reads checks."""

    def __init__(self, game: Game, printed: Any = None) -> None:
        super().__init__(game, bodies.of_game(game).check, printed)

    def _asked(self, text: bytes, told: Any) -> AskedCheck:
        inputs = self._answers(told.inputs) if told.inputs else []
        return AskedCheck(action=told.action, inputs=inputs, closed=told.closed, **self._common(text, told))


class BatchReader(RequestReader[AskedBatch]):
    """Reads batches of checks."""

    def __init__(self, game: Game, printed: Any = None) -> None:
        super().__init__(game, bodies.of_game(game).batch, printed)

    def _asked(self, text: bytes, told: Any) -> AskedBatch:
        if sum(len(one.inputs) for one in told.actions) > MOST_INPUTS:
            raise Unreadable("too-many", "/actions", limit=MOST_INPUTS)
        checks = [(one.action, self._answers(one.inputs) if one.inputs else []) for one in told.actions]
        return AskedBatch(actions=checks, **self._common(text, told))


class OptionsReader(RequestReader[AskedOptions]):
    """Reads questions for what may be done."""

    def __init__(self, game: Game, printed: Any = None) -> None:
        super().__init__(game, bodies.of_game(game).options, printed)

    def _asked(self, text: bytes, told: Any) -> AskedOptions:
        return AskedOptions(kinds=told.kinds, illegal=told.illegal, **self._common(text, told))


class OddsReader(RequestReader[AskedOdds]):
    """Reads requests for odds."""

    def __init__(self, game: Game, printed: Any = None) -> None:
        super().__init__(game, bodies.of_game(game).odds, printed)

    def _asked(self, text: bytes, told: Any) -> AskedOdds:
        answers = codec.answers(told.inputs)
        bounded([value for _, value in answers])
        bounded([told.policy, told.vary])
        return AskedOdds(
            action=told.action,
            inputs=[(key, mending.answered_places(value, self._game.name)) for key, value in answers],
            policy=policy.read(
                {key: mending.answered_places(value, self._game.name) for key, value in told.policy.items()},
                self._game.procedures,
                self._game.aims,
            ),
            vary=codec.whole_numbers(told.vary),
            image=told.image,
            **self._common(text, told),
        )


def never() -> bool:
    """In one's own process a game may be as long as it likes."""
    return False


class ReplayReader(RequestReader[AskedReplay]):
    """Reads replays; `spent` tells whether reading one has taken as long as it may."""

    def __init__(
        self, game: Game, printed: Any = None, spent: Callable[[], Callable[[], bool]] = lambda: never
    ) -> None:
        super().__init__(game, bodies.of_game(game).replay, printed)
        self._spent = spent

    def within(self, spent: Callable[[], bool]) -> ReplayReader:
        """The same for one request, some of whose work is done already."""
        one = copy(self)
        one._spent = lambda: spent
        return one

    def read(self, text: bytes) -> AskedReplay:
        """A whole game may be long: it is read move by move, and only the first move that is wrong is explained."""
        transcript.must_be_of(self._game, _game_named(text))
        if len(text) <= MOST_BYTES:
            return super().read(text)
        spent = self._spent()
        told = parts_but(text, "moves")
        try:
            moves = _apart(told.pop("moves", Raw(b"[]")))
            asked = super().read(msgspec.json.encode({**told, "moves": []}))
            return structs.replace(asked, moves=self._moves(moves, spent, self._right_or_mended))
        except Unreadable as error:
            raise unreadable(error) from None

    def _moves(
        self, given: list[Raw], spent: Callable[[], bool], read: Callable[[Raw, int], transcript.Move]
    ) -> tuple[transcript.Move, ...]:
        """The moves, each read only when those before it have left time for it."""
        moves = []
        for place, move in enumerate(_not_too_many(given)):
            if spent():
                raise Unreadable("replay-too-long", "/moves", limit=place)
            moves.append(read(move, place))
        return tuple(moves)

    def _right_or_mended(self, move: Raw, place: int) -> transcript.Move:
        """A move of a long game; what is wrong with it is said at its place."""
        _must_be_one_move(bytes(move), place)
        try:
            return self._right(move, place)
        except FAILS:
            return self._mended(bytes(move), place)

    def _right(self, move: Raw, place: int) -> transcript.Move:
        try:
            read = transcript.read_move(self._game, move, f"/moves/{place}")
        except (*FAILS, ValueError):  # so its reader says that it cannot follow
            from_json(bytes(move))  # what is nested too deeply is that before all
            raise
        return read if nests(bytes(move)) < MOST_NESTED else _with_bounded_parts(read)

    def _mended(self, move: bytes, place: int) -> transcript.Move:
        """A move by itself, as any request is read."""
        if len(move) > MOST_BYTES:
            raise Problem("too-large", limit=MOST_BYTES)
        try:
            return super().read(b'{"position":{},"moves":[' + move + b"]}").moves[0]
        except Problem as problem:
            for error in problem.errors:
                error.pointer = error.pointer.replace("/moves/0", f"/moves/{place}", 1)
            raise

    def _explained(self, text: bytes, error: Unreadable) -> Problem:
        return super()._explained(text, error) if len(text) <= MOST_BYTES else unreadable(error)

    def _asked(self, text: bytes, told: Any) -> AskedReplay:
        return AskedReplay(
            moves=self._moves(told.moves, self._spent(), self._right),
            record=told.record,
            told=told.components,
            begins=getattr(told, "from"),
            limit=told.limit,
            **self._common(text, told),
        )


class _Game(Struct):
    game: str | UnsetType = UNSET


_GAME = msgspec.json.Decoder(_Game)  # passes over everything else


def _game_named(text: bytes) -> str | UnsetType:
    """The game that a transcript names; what cannot be read is explained where it is read."""
    try:
        return _GAME.decode(text).game
    except FAILS:
        return UNSET


def _apart(moves: Raw) -> list[Raw]:
    """The moves of a long game, each as it is written."""
    try:
        sent = structs.astuple(_MOVES.decode(moves))
    except msgspec.ValidationError:
        raise Unreadable("wrong-type", "/moves", allowed="array") from None
    return _not_too_many([move for move in sent if move is not UNSET])


# A list of which as many entries are read as show that there are too many, and no more.
_MOVES = msgspec.json.Decoder(
    msgspec.defstruct(
        "Moves",
        [(f"move{number}", Raw | UnsetType, UNSET) for number in range(MOST_SENT + 1)],
        array_like=True,
    )
)


def _not_too_many(moves: list[Raw]) -> list[Raw]:
    if len(moves) > MOST_SENT:
        raise Unreadable("replay-too-long", "/moves", limit=MOST_SENT)
    return moves


def _must_be_one_move(move: bytes, place: int) -> None:
    """What a move costs to read goes by its length and by how many values stand in others."""
    if len(move) > MOST_COPY_BYTES:
        raise Problem("too-large", limit=MOST_COPY_BYTES)
    if nests(move) > MOST_PARTS_OF_A_MOVE:
        raise Unreadable("too-many", f"/moves/{place}", limit=MOST_PARTS_OF_A_MOVE)


def _with_bounded_parts(move: transcript.Move) -> transcript.Move:
    """A move; what its fields leave open must be no deeper than JSON that is read field by field."""
    given = [value for _, value in (*move.inputs, *move.told)]
    changes = [] if move.expected.changes is UNSET else move.expected.changes
    recorded = [side for change in changes for side in (change.before, change.to)]
    bounded([*given, *recorded, move.position, move.components, move.remembered])
    if move.position_after is not UNSET:
        _not_too_deep(move.position_after)
    return move


class AuditReader(RequestReader[AskedAudit]):
    """Reads audits: a value out of its range is no reason to refuse the rest."""

    def __init__(self, game: Game, printed: Any = None) -> None:
        super().__init__(game, bodies.of_game(game).audit, printed)

    def _asked(self, text: bytes, told: Any) -> AskedAudit:
        return AskedAudit(impossible=[], **self._common(text, told))

    def _refused(self, given: Any, error: Exception) -> AskedAudit:
        found = self._decisive(given)
        if not all(map(_out_of_range, found)):
            return super()._refused(given, error)
        try:
            asked = self._decoded(_as_text(self._without(given, found)))
        except FAILS:
            return super()._refused(given, error)
        return structs.replace(asked, impossible=found[:MOST_ERRORS])

    def _decisive(self, given: Any) -> list[Unreadable]:
        """All errors but those of the agenda, which are findings where it can be decoded."""
        return [error for error in self.errors(given) if not error.pointer.startswith("/position/agenda/")]

    def _without(self, given: Any, errors: list[Unreadable]) -> Any:
        """The request without what cannot be, and without what cannot be read without it."""
        while errors:
            before = given
            for error in errors:
                path = parts(error.pointer)
                given = mending.without(given, path[:-1] if error.code == "missing-field" else path)
            if given == before:
                return given
            errors = self._decisive(given)
        return given


def _out_of_range(error: Unreadable) -> bool:
    return error.code == "out-of-range" and error.pointer.startswith("/position/")


def _as_read(body: type[Struct]) -> type[Struct]:
    """The same body to be decoded: moves are read one by one."""
    apart = {"moves": list[Raw]}
    fields = [(one.name, apart.get(one.name, one.type), *_default(one)) for one in structs.fields(body)]
    return msgspec.defstruct(body.__name__, fields, kw_only=True, forbid_unknown_fields=True)


def _default(field: structs.FieldInfo) -> tuple[Any, ...]:
    if field.required:
        return ()
    return (field.default_factory() if field.default is msgspec.NODEFAULT else field.default,)


def _cut(given: Any) -> Any:
    """A value whose lists are long enough to be found too long, and no longer: each entry may have many errors.

    Of more fields than any object has, the first are wrong often enough.
    """
    if isinstance(given, list):
        return [_cut(inner) for inner in given[: MOST_SENT + 1]]
    if isinstance(given, dict):
        return {key: _cut(inner) for key, inner in islice(given.items(), MOST_MOVES + 1)}
    return given


def _as_text(given: Any) -> bytes:
    return orjson.dumps(given)


def _not_too_deep(read: Any) -> Any:
    """A value of the engine; what its types leave open must be no deeper than JSON that is read field by field."""
    for frame in getattr(read, "agenda", ()):
        bounded(frame.memory)
        bounded(frame.answered)
    for name in _open_fields(read.__class__):
        bounded(getattr(read, name))
    return read


@cache
def _open_fields(kind: Any) -> tuple[str, ...]:
    """The fields of a type of the engine that take any JSON."""
    return tuple(field.name for field in structs.fields(kind) if field.type is Any)


def _recoded(error: Unreadable) -> Unreadable:
    """An error under the code that its place has: a disputed rule is more than a field, a language than a value."""
    path = parts(error.pointer)
    if path == ["lang"]:
        return Unreadable("unknown-language", error.pointer)
    if path == ["actions"] and error.code == "out-of-range":
        return Unreadable("too-many", error.pointer, limit=MOST_CHECKS)
    if path[-1:] == ["inputs"] and path[0] in ("inputs", "actions") and error.code == "out-of-range":
        return Unreadable("too-many", error.pointer, limit=MOST_INPUTS)
    if path == ["moves"] and error.code == "out-of-range":
        return Unreadable("replay-too-long", "/moves", limit=MOST_SENT)
    if path[:1] == ["moves"] and path[-1] == "inputs" and error.code == "out-of-range":
        return Unreadable("replay-too-long", "/moves", limit=MOST_MOVES)
    if path == ["policy", policy.AIM] and error.code == "unknown-field":
        return Unreadable("no-aims", error.pointer)
    if path[:1] == ["choices"]:
        code = {"unknown-field": "unknown-issue", "unknown-value": "unknown-choice"}.get(
            error.code, error.code
        )
        return Unreadable(code, error.pointer, **error.params)
    if error.code == "unknown-value" and path[-3:-2] == ["agenda"] and path[-1] in ("procedure", "step"):
        return Unreadable(f"unknown-{path[-1]}", error.pointer, **error.params)
    return error


def body_of_request(most: int = MOST_BYTES) -> bytes:
    """The bytes of the body, or a problem that says why they are not read."""
    text = body_of(request.environ, most)
    if most != MOST_BYTES:
        request.max_content_length = most
    return text


def body_of(environ: Any, most: int = MOST_BYTES) -> bytes:
    """The same of a request that is told by its environment; it can be read again."""
    length = environ.get("CONTENT_LENGTH") or ""
    if not length.isdigit():  # a chunked body would be cut silently at the limit
        raise Problem("length-required")
    if int(length) > most:
        raise Problem("too-large", limit=most)
    if environ.get("CONTENT_TYPE", "").partition(";")[0].strip().lower() != "application/json":
        raise Problem("unsupported-media-type")
    text: bytes = environ["wsgi.input"].read(int(length))  # werkzeug's own way costs a tenth of a check
    if len(text) < int(length):
        raise ClientDisconnected
    environ["wsgi.input"] = BytesIO(text)  # a failure is told in the language that the body names
    return text
