"""The request envelope, queries and answers: what marshmallow declares, checks and documents.

Positions, actions and components inside the envelope are the engine's own types; they are read by the
engine and documented from its types. Every marshmallow error is a stable code, worded in problems.py.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from functools import cache
from typing import Any, ClassVar, Literal

import marshmallow as ma
import msgspec
import orjson
from flask import request
from marshmallow import Schema, fields
from webargs.flaskparser import FlaskParser

from engine import codec, transcript
from engine.exceptions import Unreadable
from engine.game import Game
from service import components
from service.config import MOST_BYTES, MOST_REPLAY_BYTES
from service.languages import ALL, LANGUAGES
from service.problems import Problem, unreadable

MOST_INPUTS = 400
# Moves and answers of a replay together. Each costs about a millisecond, and five where every Reaction is weighed:
# a replay takes half a second, four at the worst. A longer game is replayed in parts.
MOST_MOVES = 500
MOST_NESTED = 24
MOST_ERRORS = 100  # of those that are said at once
LARGEST = sys.float_info.max  # of the numbers that JSON programs agree on
_CODES = {
    "required": "missing-field",
    "null": "wrong-type",
    "invalid": "wrong-type",
    "type": "wrong-type",
    "unknown": "unknown-field",
}


UNREADABLE_JSON = (msgspec.MsgspecError, UnicodeDecodeError, RecursionError)


class EngineValue(fields.Field):
    """A JSON object that becomes a value of the engine in one go, documented by the schema of its type."""

    default_error_messages = _CODES

    def __init__(self, schema: str, kind: Any, **options: Any) -> None:
        super().__init__(metadata={"engine_schema": schema}, **options)
        self._kind = kind
        self._decoder = msgspec.json.Decoder(kind)

    def _deserialize(self, value: Any, attr: str | None, data: Any, **kwargs: Any) -> Any:
        try:
            return _not_too_deep(self._decoder.decode(value))
        except UNREADABLE_JSON:
            return codec.read(from_json(value, f"/{attr}"), self._kind, f"/{attr}")


def _not_too_deep(read: Any) -> Any:
    """A value of the engine; what its types leave open must be no deeper than JSON that is read field by field."""
    for frame in getattr(read, "agenda", ()):
        _bounded(frame.memory)
    for name in _open_fields(type(read)):
        _bounded(getattr(read, name))
    return read


@cache
def _open_fields(kind: type) -> tuple[str, ...]:
    """The fields of a type of the engine that take any JSON."""
    return tuple(field.name for field in msgspec.structs.fields(kind) if field.type is Any)


class Inputs(fields.Field):
    """The answers in the order they are asked for."""

    default_error_messages = _CODES

    def _deserialize(self, value: Any, attr: str | None, data: Any, **kwargs: Any) -> Any:
        if not isinstance(value, list):
            raise self.make_error("invalid")
        if len(value) > MOST_INPUTS:
            raise ma.ValidationError("too-many")
        return value


class Moves(fields.Field):
    """The moves of a game, each an action with its answers."""

    default_error_messages = _CODES

    def __init__(self, schema: str, game: Game, **options: Any) -> None:
        super().__init__(metadata={"engine_schema": schema}, **options)
        self._game = game

    def _deserialize(self, value: Any, attr: str | None, data: Any, **kwargs: Any) -> Any:
        if not isinstance(value, list):
            raise self.make_error("invalid")
        return transcript.read_moves(self._game, value)


class Flag(fields.Boolean):
    """True or false, and nothing that only looks like it."""

    default_error_messages = _CODES

    def _deserialize(self, value: Any, attr: str | None, data: Any, **kwargs: Any) -> Any:
        if not isinstance(value, bool):
            raise self.make_error("invalid")
        return value


class Choices(fields.Field):
    """Issue by issue, the reading the player wants."""

    default_error_messages = _CODES

    def __init__(self, schema: str, **options: Any) -> None:
        super().__init__(metadata={"engine_schema": schema}, **options)

    def _deserialize(self, value: Any, attr: str | None, data: Any, **kwargs: Any) -> Any:
        if not isinstance(value, dict):
            raise self.make_error("invalid")
        for issue, chosen in value.items():
            if not isinstance(chosen, str):
                raise Unreadable("wrong-type", f"/{attr}/{codec.escape(issue)}", allowed="str")
        return value


class LanguageField(fields.String):
    """One of the four languages, or all of them."""

    default_error_messages: ClassVar[dict[str, str]] = {
        **_CODES,
        "invalid": "unknown-language",
        "null": "unknown-language",
    }

    def _deserialize(self, value: Any, attr: str | None, data: Any, **kwargs: Any) -> Any:
        if value not in (*LANGUAGES, ALL):
            raise self.make_error("invalid")
        return value


class Strict(Schema):
    """Unknown fields are refused, and every error is a code."""

    error_messages = _CODES

    class Meta:
        unknown = ma.RAISE


class LanguageQuery(Strict):
    """?lang="""

    lang = LanguageField(
        metadata={"description": "The language of the answer; without it, Accept-Language decides."}
    )


def check_request(game: Game) -> type[Schema]:
    """The body of POST …/check for a game."""
    prefix = schema_prefix(game)
    return Strict.from_dict(
        {
            "position": EngineValue(f"{prefix}Position", game.position, required=True),
            "action": EngineValue(f"{prefix}Action", game.action_types, required=True),
            "inputs": Inputs(load_default=list),
            "choices": Choices(f"{prefix}Choices", load_default=dict),
            "components": EngineValue(f"{prefix}Components", game.components, load_default=game.components),
            "lang": LanguageField(),
        },
        name=f"{prefix}CheckRequest",
    )


def replay_request(game: Game) -> type[Schema]:
    """The body of POST …/replay for a game."""
    prefix = schema_prefix(game)
    made = Strict.from_dict(
        {
            "position": EngineValue(f"{prefix}Position", game.position, required=True),
            "moves": Moves(f"{prefix}GameMove", game, required=True),
            "choices": Choices(f"{prefix}Choices", load_default=dict),
            "components": EngineValue(f"{prefix}Components", game.components, load_default=game.components),
            "record": Flag(
                load_default=False,
                metadata={
                    "description": "Give the moves back with what came of each, to be kept",
                    "error_params": {"allowed": "bool"},
                },
            ),
            "lang": LanguageField(),
        },
        name=f"{prefix}ReplayRequest",
    )
    made.__doc__ = (
        f"A game from a set-up: its moves in order, at most {MOST_MOVES} moves and answers together, "
        f"in at most {MOST_REPLAY_BYTES} bytes. A longer game is sent in parts, each from the position reached."
    )
    return made


def audit_request(game: Game) -> type[Schema]:
    """The body of POST …/audit for a game."""
    prefix = schema_prefix(game)
    made = Strict.from_dict(
        {
            "position": EngineValue(f"{prefix}AuditedPosition", game.position, required=True),
            "choices": Choices(f"{prefix}Choices", load_default=dict),
            "components": EngineValue(f"{prefix}Components", game.components, load_default=game.components),
            "lang": LanguageField(),
        },
        name=f"{prefix}AuditRequest",
    )
    made.__doc__ = "A position, whole or in part, that may be impossible."
    return made


def schema_prefix(game: Game) -> str:
    """navajo-wars as NavajoWars."""
    return game.name.title().replace("-", "")


class Text(fields.Field):
    """A sentence, or with lang=all one sentence in each of the four languages."""


class Reason(Schema):
    """One check, with its sentence and the rules it rests on."""

    name = fields.String(required=True, metadata={"description": "Stable name of the check"})
    text = Text(required=True)
    rules = fields.List(fields.String(), required=True)
    params = fields.Dict(required=True)
    pointer = fields.String(required=True, metadata={"description": "JSON pointer into the position"})


class UnknownFact(Schema):
    """A fact that was needed and not told, as a question."""

    name = fields.String(required=True)
    text = Text(required=True)
    params = fields.Dict(required=True)
    pointer = fields.String(required=True)


class EventEntry(Schema):
    """Something that happened."""

    name = fields.String(required=True)
    text = Text(required=True)
    rules = fields.List(fields.String(), required=True)
    params = fields.Dict(required=True)


class OptionEntry(Schema):
    """One answer a decision or reading offers."""

    value = fields.Raw(required=True, allow_none=True)
    text = Text(required=True)


class PendingEntry(Schema):
    """The question a procedure waits with."""

    kind = fields.String(required=True, validate=ma.validate.OneOf(["chance", "decision", "reading"]))
    name = fields.String(required=True)
    text = Text(required=True)
    input = fields.String(required=True, metadata={"description": "The name to answer under, e.g. die"})
    procedure = fields.String(required=True)
    step = fields.String(required=True)
    rules = fields.List(fields.String(), required=True)
    params = fields.Dict(required=True)
    options = fields.List(fields.Nested(OptionEntry), required=True)


class ChangeEntry(Schema):
    """One place where the position after differs from the one before; a side that was not told is left out."""

    pointer = fields.String(required=True)
    to = fields.Raw(allow_none=True)


ChangeEntry._declared_fields["from"] = fields.Raw(allow_none=True)  # `from` is a keyword of Python


class IssueEntry(Schema):
    """A point where the documents disagree, and how it was read."""

    id = fields.String(required=True)
    name = fields.String(required=True)
    chosen = fields.String(required=True)
    preferred = fields.String(required=True)
    text = Text(required=True)


def check_answer(game: Game) -> type[Schema]:
    """The body of the answer to a check."""
    prefix = schema_prefix(game)
    return Schema.from_dict(
        {
            "game": fields.String(required=True),
            "lang": fields.String(required=True, validate=ma.validate.OneOf([*LANGUAGES, ALL])),
            "ruling": fields.String(
                required=True, validate=ma.validate.OneOf(["legal", "illegal", "undetermined"])
            ),
            "headline": Text(required=True),
            "reasons": fields.List(fields.Nested(Reason), required=True),
            "unknowns": fields.List(fields.Nested(UnknownFact), required=True),
            "cautions": fields.List(fields.Nested(Reason), required=True),
            "passed": fields.List(fields.Nested(Reason), required=True),
            "events": fields.List(fields.Nested(EventEntry), required=True),
            "pending": fields.Nested(PendingEntry, required=True, allow_none=True),
            "position": EngineValue(f"{prefix}Position", game.position, required=True),
            "changes": fields.List(fields.Nested(ChangeEntry), required=True),
            "issues": fields.List(fields.Nested(IssueEntry), required=True),
        },
        name=f"{prefix}CheckAnswer",
    )


class AnswerEntry(Schema):
    """A question of a move and the answer given to it."""

    name = fields.String(required=True, metadata={"description": "Stable name of the question"})
    question = Text(required=True)
    text = Text(required=True, metadata={"description": "The answer"})
    input = fields.Dict(required=True)


class MoveEntry(Schema):
    """A move that was replayed: what was done, what was answered and what happened."""

    number = fields.Integer(required=True)
    headline = Text(required=True)
    ruling = fields.String(required=True, validate=ma.validate.OneOf(["legal", "illegal", "undetermined"]))
    answers = fields.List(fields.Nested(AnswerEntry), required=True)
    events = fields.List(fields.Nested(EventEntry), required=True)


class DifferenceEntry(Schema):
    """One way in which a move came out otherwise than recorded."""

    name = fields.String(
        required=True, validate=ma.validate.OneOf(["ruling", "events", "pending", "changes"])
    )
    text = Text(required=True)


class DivergenceEntry(MoveEntry):
    """The first move that came out otherwise than recorded; it was not applied."""

    text = Text(required=True)
    differences = fields.List(fields.Nested(DifferenceEntry), required=True)
    expected = EngineValue("Expected", transcript.Expected, required=True)
    found = EngineValue("Expected", transcript.Expected, required=True)
    reasons = fields.List(fields.Nested(Reason), required=True)
    unknowns = fields.List(fields.Nested(UnknownFact), required=True)


def replay_answer(game: Game) -> type[Schema]:
    """The body of the answer to a replay."""
    prefix = schema_prefix(game)
    made = Schema.from_dict(
        {
            "game": fields.String(required=True),
            "lang": fields.String(required=True, validate=ma.validate.OneOf([*LANGUAGES, ALL])),
            "moves": fields.List(fields.Nested(MoveEntry), required=True),
            "diverged": fields.Nested(DivergenceEntry, required=True, allow_none=True),
            "pending": fields.Nested(PendingEntry, required=True, allow_none=True),
            "unknowns": fields.List(fields.Nested(UnknownFact), required=True),
            "position": EngineValue(f"{prefix}Position", game.position, required=True),
            "issues": fields.List(fields.Nested(IssueEntry), required=True),
            "transcript": EngineValue(f"{prefix}Transcript", dict),
        },
        name=f"{prefix}ReplayAnswer",
    )
    made.__doc__ = "The session: its moves, where it came out otherwise, and how the game stands."
    return made


class AuditAnswer(Schema):
    """Whether a position is possible, and everything that speaks against it."""

    game = fields.String(required=True)
    lang = fields.String(required=True, validate=ma.validate.OneOf([*LANGUAGES, ALL]))
    possible = fields.Boolean(required=True)
    headline = Text(required=True)
    findings = fields.List(fields.Nested(Reason), required=True)
    issues = fields.List(fields.Nested(IssueEntry), required=True)


class DisputedRule(Schema):
    """A point where the documents disagree, and every reading a request may choose."""

    id = fields.String(required=True)
    name = fields.String(required=True)
    preferred = fields.String(required=True)
    text = Text(required=True)
    choices = fields.Dict(keys=fields.String(), values=Text(), required=True)


class GameEntry(Schema):
    """A game, and how much of it is known."""

    name = fields.String(required=True)
    title = Text(required=True)
    languages = fields.List(fields.String(), required=True)
    actions = fields.List(fields.String(), required=True)
    rules = fields.Dict(
        keys=fields.String(),
        values=fields.Integer(),
        required=True,
        metadata={"description": "How many rules are enforced, asked, explained"},
    )
    issues = fields.List(fields.Nested(DisputedRule), required=True)


class Games(Schema):
    """All games."""

    games = fields.List(fields.Nested(GameEntry), required=True)


class ActionEntry(Schema):
    """An action kind with its parameters and an example request."""

    kind = fields.String(required=True)
    rule = fields.String(required=True)
    text = Text(required=True)
    parameters = fields.Dict(required=True, metadata={"description": "JSON Schema of the action"})
    example = fields.Dict(required=True, allow_none=True)


class Actions(Schema):
    """All action kinds of a game."""

    game = fields.String(required=True)
    lang = fields.String(required=True)
    actions = fields.List(fields.Nested(ActionEntry), required=True)


class Health(Schema):
    """The service answers."""

    status = fields.String(required=True)
    version = fields.String(required=True)


class ProblemError(Schema):
    """What is wrong at one place of the request."""

    pointer = fields.String(required=True)
    code = fields.String(required=True)
    detail = fields.String(required=True)


class ProblemBody(Schema):
    """An RFC 9457 problem."""

    type = fields.String(required=True)
    title = fields.String(required=True)
    status = fields.Integer(required=True)
    detail = fields.String(required=True)
    code = fields.String(required=True)
    errors = fields.List(fields.Nested(ProblemError), required=True)
    lang = fields.String(required=True)


def body_of_request(most: int = MOST_BYTES) -> bytes:
    """The bytes of the body, or a problem that says why they are not read."""
    req = request._get_current_object()  # type: ignore[attr-defined]
    environ = req.environ
    length = environ.get("CONTENT_LENGTH") or ""
    if not length.isdigit():  # a chunked body would be cut silently at the limit
        raise Problem("length-required")
    if int(length) > most:
        raise Problem("too-large", limit=most)
    if environ.get("CONTENT_TYPE", "").partition(";")[0].strip().lower() != "application/json":
        raise Problem("unsupported-media-type")
    if most > MOST_BYTES:
        req.max_content_length = most
    return req.get_data()  # type: ignore[no-any-return]


class Parser(FlaskParser):
    """Reads queries."""

    def handle_error(self, error: ma.ValidationError, req: Any, schema: Schema, **options: Any) -> Any:
        """What is wrong with a query, as one problem."""
        found = next(iter(error.messages_dict.values()))
        raise unreadable(*_errors(found, "", schema))


class PositionEnvelope:
    """The body of a question about a position: declared by its schema, and read field by field."""

    def __init__(self, schema: type[Schema], game: Game, printed: Any = None) -> None:
        self.schema = schema()
        self._printed = printed or game.components()  # what the server's components file tells

    def read(self, body: bytes) -> dict[str, Any]:
        """The fields of a request; what it tells of the components goes before what the server's file tells."""
        read = read_envelope(self.schema, body)
        return {**read, "components": components.over(self._printed, read["components"])}


class Envelope(PositionEnvelope):
    """The body of a check of one game, read in one go where it is plain."""

    def __init__(self, game: Game, printed: Any = None) -> None:
        super().__init__(check_request(game), game, printed)
        self._position = msgspec.json.Decoder(game.position)
        self._plain = msgspec.json.Decoder(
            msgspec.defstruct(
                "Plain",
                [
                    ("position", msgspec.Raw),
                    ("action", game.action_types),
                    ("inputs", msgspec.Raw, msgspec.Raw(b"[]")),
                    ("lang", Literal["en", "fr", "it", "ja", "all"], None),
                ],
                forbid_unknown_fields=True,
            )
        )

    def read(self, body: bytes) -> dict[str, Any]:
        """Most requests are a position, an action, inputs and a language, and right; whatever is not goes
        through the schema, field by field, which alone decides and words what is wrong."""
        try:
            plain: Any = self._plain.decode(body)
            position = _not_too_deep(self._position.decode(plain.position))
        except UNREADABLE_JSON:
            return super().read(body)
        inputs = [] if bytes(plain.inputs) == b"[]" else from_json(plain.inputs, "/inputs")
        if not isinstance(inputs, list) or len(inputs) > MOST_INPUTS:
            return super().read(body)
        return {
            "position": position,
            "action": plain.action,
            "inputs": inputs,
            "choices": {},
            "components": self._printed,
            "lang": plain.lang,
            "sent": bytes(plain.position),
        }


class ReplayEnvelope:
    """The body of a replay of one game, read field by field."""

    def __init__(self, game: Game, printed: Any = None) -> None:
        self.schema = replay_request(game)()
        self._printed = printed or game.components()

    def read(self, body: bytes) -> dict[str, Any]:
        """The fields; `told` is what the request itself told of the components."""
        read = read_envelope(self.schema, body)
        told = read["components"]
        return {**read, "components": components.over(self._printed, told), "told": told}


def read_envelope(schema: Schema, body: bytes) -> dict[str, Any]:
    """A request's fields, each read by its own field of the schema; the position's text is kept as sent."""
    try:
        parts: Any = msgspec.json.decode(body, type=dict[str, msgspec.Raw])
    except UNREADABLE_JSON:
        parts = from_json(body)
        if isinstance(parts, dict):
            raise Problem("not-json") from None
    if isinstance(parts, dict):
        for name, field in schema.fields.items():
            if name in parts and not isinstance(field, EngineValue):
                parts[name] = from_json(parts[name], f"/{name}")
    try:
        loaded: dict[str, Any] = schema.load(parts)
    except ma.ValidationError as error:
        raise unreadable(*_errors(error.messages_dict, "", schema)[:MOST_ERRORS]) from None
    return {"lang": None, **loaded, "sent": bytes(parts["position"])}


def from_json(text: bytes, pointer: str = "") -> Any:
    """JSON as plain values, or a problem; `pointer` is where in the request it stands."""
    try:
        value = orjson.loads(bytes(text))
    except orjson.JSONDecodeError:
        raise _not_read(bytes(text), pointer) from None
    return _bounded(value)


def _bounded(value: Any) -> Any:
    """Plain values that are not nested too deeply."""
    layer = [value]
    for _ in range(MOST_NESTED):
        layer = [inner for outer in layer for inner in _inside(outer)]
        if not layer:
            return value
    raise Problem("too-deep", limit=MOST_NESTED)


def _not_read(text: bytes, pointer: str) -> Problem:
    """Why a JSON text is refused: Python's own reader lets pass, and so can find, what orjson does not."""
    try:
        value = json.loads(text, parse_int=float, parse_constant=_NotANumber)
        found = next(_not_json_values(value, pointer), None)
    except (ValueError, RecursionError):
        return Problem("not-json")
    if found is None:
        return Problem("not-json")
    return Problem(
        "not-json" if isinstance(found.params.get("given"), _NotANumber) else "unreadable", (found,)
    )


class _NotANumber(str):
    """NaN or Infinity, which Python writes and JSON does not know."""

    __slots__ = ()


def _not_json_values(value: Any, pointer: str) -> Iterator[Unreadable]:
    """Every NaN, lone surrogate and number beyond all bounds in a value."""
    if isinstance(value, str) and (isinstance(value, _NotANumber) or _has_lone_surrogate(value)):
        yield Unreadable("unknown-value", pointer, given=value)
    elif value in (LARGEST * 10, -LARGEST * 10):
        yield Unreadable("out-of-range", pointer, most=f"{LARGEST:.2g}")
    elif isinstance(value, dict):
        for key, inner in value.items():
            place = f"{pointer}/{codec.escape(key)}"
            if _has_lone_surrogate(key):
                yield Unreadable("unknown-name", place, given=key)
            yield from _not_json_values(inner, place)
    elif isinstance(value, list):
        for number, inner in enumerate(value):
            yield from _not_json_values(inner, f"{pointer}/{number}")


def _has_lone_surrogate(text: str) -> bool:
    return any("\ud800" <= letter <= "\udfff" for letter in text)


def _inside(value: Any) -> Any:
    if isinstance(value, dict):
        return value.values()
    return value if isinstance(value, list) else ()


def _errors(found: Any, pointer: str, schema: Schema) -> list[Unreadable]:
    if isinstance(found, dict):
        return [
            error
            for key, inner in found.items()
            for error in _errors(
                inner, pointer if key == "_schema" else f"{pointer}/{codec.escape(key)}", schema
            )
        ]
    return [Unreadable(str(code), pointer, **_params(pointer, schema)) for code in found]


def _params(pointer: str, schema: Schema) -> dict[str, Any]:
    field = schema.fields.get(pointer.rpartition("/")[2])
    if field is not None and "error_params" in field.metadata:
        params: dict[str, Any] = field.metadata["error_params"]
        return params
    return {"allowed": "array" if isinstance(field, Inputs | Moves) else "object", "limit": MOST_INPUTS}
