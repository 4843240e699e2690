"""How plays are documented: their addresses, what they take and what they answer."""

from __future__ import annotations

from typing import Any

from engine.game import Game
from engine.saved import FORMAT
from service import play_questions, play_records, shapes
from service.bodies import MOST_INPUTS, schema_prefix
from service.games import GAMES
from service.headers import ACCEPT, IN_A_LANGUAGE, SAME, SEEN, sent
from service.operations import RATE_LIMIT
from service.play_keys import CODE_LENGTH, MOST_CODES
from service.play_routes import LARGEST, LONGEST_CODE, LONGEST_NOTE, MOST_STEPS
from service.play_starts import LONGEST_NAME, MOST_DAYS
from service.shapes import REF
from service.terms import LANGUAGES

TAG = "plays"


def _ref(name: str) -> dict[str, Any]:
    return {"$ref": REF.format(name=name)}


def _list(name: str) -> dict[str, Any]:
    return {"type": "array", "items": _ref(name)}


def _object(
    description: str, properties: dict[str, Any], *required: str, closed: bool = True
) -> dict[str, Any]:
    made = {"type": "object", "description": description, "properties": properties}
    if required:
        made["required"] = list(required)
    return {**made, "additionalProperties": False} if closed else made


def _any_game(suffix: str) -> dict[str, Any]:
    return {"anyOf": [_ref(f"{schema_prefix(game)}{suffix}") for game in GAMES.values()]}


def _text(limit: int) -> dict[str, Any]:
    return {"type": "string", "maxLength": limit, "pattern": r"^[^\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]*$"}


STRING = {"type": "string"}
CLOSED = {"type": "boolean", "description": "Say what is not open at the question, and why"}
NUMBER = {"type": "integer", "minimum": 0, "maximum": LARGEST}
MOMENT = {"type": "string", "format": "date-time"}
COUNT = {"type": "integer", "minimum": 0}
LANG = {"type": "string", "enum": [*LANGUAGES, "all"]}
NOTHING = {"type": "null"}
ANYTHING = {"type": "object", "additionalProperties": True}
INPUTS = {
    "type": "array",
    "maxItems": MOST_INPUTS,
    "items": _ref("Input"),
}


def _state() -> dict[str, Any]:
    """What everybody who has a play's id sees."""
    properties = {
        "format": {"type": "integer", "minimum": FORMAT, "maximum": FORMAT},
        "id": STRING,
        "game": {"type": "string", "enum": list(GAMES)},
        "lang": LANG,
        "name": STRING,
        "version": {
            "type": "integer",
            "minimum": 1,
            "description": "Rises with every change, never used twice",
        },
        "created": MOMENT,
        "changed": MOMENT,
        "expires": {"anyOf": [MOMENT, NOTHING]},
        "moves": {**COUNT, "description": "How many moves have been made"},
        "redo": {**COUNT, "description": "How many moves that were undone can be made again"},
        "position": _any_game("Position"),
        "pending": {
            "anyOf": [_ref("PendingQuestion"), _ref("Question"), NOTHING],
            "description": "What is asked now",
        },
        "unknowns": {
            **_list("Question"),
            "description": "Facts that are not told yet",
        },
        "asked": {"anyOf": [ANYTHING, NOTHING], "description": "An action that waits for facts"},
        "outcome": {"anyOf": [ANYTHING, NOTHING]},
        "choices": {"type": "object", "additionalProperties": STRING},
        "scenario": {"anyOf": [STRING, NOTHING]},
        "verified": {**COUNT, "description": "Up to this move the play is known to follow from its start"},
    }
    return _object("A play as it stands.", properties, *properties, closed=False)


def _with(name: str, description: str, **properties: Any) -> dict[str, Any]:
    more = {"type": "object", "properties": properties, "required": list(properties)}
    return {"description": description, "allOf": [_ref(name), more]}


def schemas() -> dict[str, Any]:
    """The schemas of what plays answer."""
    version = {"version": {"type": "integer"}, "moves": COUNT, "kept": {"type": "boolean"}}
    page = {
        "id": STRING,
        "game": STRING,
        "lang": LANG,
        "version": {"type": "integer"},
        "moves": _list("MoveEntry"),
        "next": {"anyOf": [COUNT, NOTHING], "description": "What `after` has to be for the next page"},
    }
    verified = {
        "id": STRING,
        "game": STRING,
        "lang": LANG,
        "version": {"type": "integer"},
        "moves": COUNT,
        "from": COUNT,
        "verified": COUNT,
        "next": {"anyOf": [COUNT, NOTHING]},
        "diverged": {"anyOf": [_ref("DivergenceEntry"), NOTHING]},
    }
    key = _object("A key.", {"number": {"type": "integer"}, "made": MOMENT}, "number", "made")
    return {
        "PlayState": _state(),
        "PlayEntered": _with(
            "PlayState",
            "A play, and a key of one's own that is shown only now.",
            key=STRING,
            key_number={"type": "integer"},
        ),
        "MoveAnswer": {
            "description": "The answer of a check, and what was kept.",
            "allOf": [
                _any_game("CheckAnswer"),
                {"type": "object", "properties": version, "required": list(version)},
            ],
        },
        "MovePage": _object("What was done, answered and happened.", page, *page),
        "Verified": _object("How far a play follows from its start.", verified, *verified),
        "JoinCode": _object(
            f"A join code of {CODE_LENGTH} characters; a play has at most {MOST_CODES} open ones.",
            {"code": STRING, "seconds": {"type": "integer"}},
            "code",
            "seconds",
        ),
        "Keys": _object("The keys that open a play.", {"keys": {"type": "array", "items": key}}, "keys"),
    }


def _starts(prefix: str, scenarios: list[str]) -> dict[str, Any]:
    """The bodies a play can be started with."""
    every = {
        "name": _text(LONGEST_NAME),
        "expires_in": {"type": "integer", "minimum": 1, "maximum": MOST_DAYS, "description": "Days"},
        "lang": LANG,
    }
    read = {"choices": _ref(f"{prefix}Choices"), "components": _ref(f"{prefix}Components")}
    ways = [
        _object("From nothing.", {**every, **read}),
        _object("From a position.", {"position": _ref(f"{prefix}Position"), **every, **read}, "position"),
        _object(
            "From a transcript.", {"transcript": _ref(f"{prefix}Transcript"), **every, **read}, "transcript"
        ),
    ]
    if scenarios:
        chosen = {"type": "string", "enum": scenarios}
        ways.append(_object("From a scenario.", {"scenario": chosen, **every, **read}, "scenario"))
    return {"anyOf": ways}


# -- addresses ---------------------------------------------------------------------------------------

ID = {"name": "play", "in": "path", "required": True, "schema": STRING, "description": "The play's id"}
IF_MATCH = {
    "name": "If-Match",
    "in": "header",
    "schema": STRING,
    "description": "The version that is meant to be changed, as its ETag; without it the answer is 428.",
}
ONCE = {
    "name": "Idempotency-Key",
    "in": "header",
    "schema": STRING,
    "description": "A request sent again under the same key within a day is carried out once.",
}
WHEN_READ = (500, 503)  # what a database can answer with
WHEN_WRITTEN = (*WHEN_READ, 507)
KEY = {"type": "http", "scheme": "bearer", "description": "A key of the play"}
BEARER: list[dict[str, list[str]]] = [{"playKey": []}]


def _query(name: str, schema: dict[str, Any]) -> dict[str, Any]:
    return {"name": name, "in": "query", "schema": schema}


ONE_LANG = _query("lang", {"type": "string", "enum": list(LANGUAGES)})


def _fails(*statuses: int) -> dict[str, Any]:
    return {str(status): {"$ref": f"#/components/responses/Problem{status}"} for status in statuses}


def _answers(schema: str, *headers: str, status: int = 200) -> dict[str, Any]:
    """An answer in a language, with what its headers say beside that."""
    said = {"description": "The answer.", "headers": IN_A_LANGUAGE | sent(*headers, *RATE_LIMIT)}
    return {str(status): {**said, "content": {"application/json": {"schema": _ref(schema)}}}}


def _file(suffix: str) -> dict[str, Any]:
    """What a play can be taken along as."""
    said = {"description": "The answer.", "headers": sent("ETag", *RATE_LIMIT)}
    return {"200": {**said, "content": {"application/json": {"schema": _any_game(suffix)}}}}


def _reports() -> dict[str, Any]:
    forms = {media: {"schema": STRING} for media in play_records.REPORTS}
    said = {"description": "The report.", "headers": IN_A_LANGUAGE | sent("ETag", "Link", *RATE_LIMIT)}
    return {"200": {**said, "content": forms}}


def _operation(
    name: str, summary: str, responses: dict[str, Any], *parameters: Any, **more: Any
) -> dict[str, Any]:
    return {
        "operationId": name,
        "tags": [TAG],
        "summary": summary,
        "description": f"{summary}.",
        "parameters": [*parameters, ACCEPT],
        "responses": responses,
        **more,
    }


def _changes(name: str, summary: str, answer: dict[str, Any], body: dict[str, Any] | None) -> dict[str, Any]:
    """An operation that changes a play."""
    fails = _fails(400, 401, 404, 409, 411, 412, 413, 415, 422, 428, 429, *WHEN_WRITTEN)
    more: dict[str, Any] = {"security": BEARER}
    if body is not None:
        more["requestBody"] = {"required": False, "content": {"application/json": {"schema": body}}}
    return _operation(name, summary, {**answer, **fails}, ID, IF_MATCH, ONCE, **more)


def _asks(name: str, summary: str, answer: str, request: str, fields: tuple[str, ...]) -> dict[str, Any]:
    """A question about where a play stands: the request about a position, without what the play has of its own."""
    asked = [_part_of(f"{schema_prefix(game)}{request}", fields) for game in GAMES.values()]
    body = {"content": {"application/json": {"schema": {"anyOf": asked}}}}
    fails = _fails(400, 404, 411, 413, 415, 422, 429, *WHEN_READ)
    return _operation(name, summary, {**_answers(answer, "ETag"), **fails}, ID, requestBody=body)


def _part_of(name: str, fields: tuple[str, ...]) -> dict[str, Any]:
    whole = shapes.everything()[name]
    properties = {field: whole["properties"][field] for field in fields}
    required = [field for field in whole.get("required", ()) if field in fields]
    return _object("What is asked.", {**properties, "lang": LANG}, *required)


def _paths() -> dict[str, dict[str, Any]]:
    seen, found = _query("lang", LANG), _fails(404, 422, 429, *WHEN_READ)
    state = _answers("PlayState", "ETag")
    steps = _object(
        "How many.", {"moves": {"type": "integer", "minimum": 1, "maximum": MOST_STEPS}, "lang": LANG}
    )
    told = {**ANYTHING, "minProperties": 1, "description": "Values by JSON pointer"}
    page = (
        _query("after", NUMBER),
        _query("limit", {**COUNT, "maximum": play_records.MOST_ON_A_PAGE, "minimum": 1}),
    )
    keyed = _fails(401, 404, 413, 422, 429, *WHEN_WRITTEN)
    gone = {"204": {"description": "Done.", "headers": sent(*RATE_LIMIT)}}
    return {
        "/v1/plays/join": {
            "post": _operation(
                "joinPlay",
                "Get a key of one's own by a join code",
                {
                    **_answers("PlayEntered", "ETag", "Location"),
                    **_fails(400, 404, 411, 413, 415, 422, 429, *WHEN_WRITTEN),
                },
                ONCE,
                requestBody={
                    "required": True,
                    "content": {
                        "application/json": {
                            "schema": _object(
                                "A join code.",
                                {"code": _text(LONGEST_CODE), "lang": LANG},
                                "code",
                            )
                        }
                    },
                },
            )
        },
        "/v1/plays/{play}": {
            "get": _operation("getPlay", "How a play stands", {**state, **SAME, **found}, ID, SEEN, seen),
            "patch": _changes(
                "renamePlay",
                "Give a play another name",
                state,
                _object("Its name.", {"name": _text(LONGEST_NAME), "lang": LANG}, "name"),
            ),
            "delete": _operation(
                "deletePlay",
                "Forget a play",
                {**gone, **_fails(401, 404, 412, 428, 429, *WHEN_WRITTEN)},
                ID,
                IF_MATCH,
                security=BEARER,
            ),
        },
        "/v1/plays/{play}/moves": {
            "get": _operation(
                "listMoves",
                "What was done, answered and happened, page by page",
                {**_answers("MovePage", "ETag"), **found},
                ID,
                *page,
                seen,
            ),
            "post": _changes(
                "makeMove",
                "Make a move, or answer what is asked; it is kept if it is legal",
                _answers("MoveAnswer", "ETag"),
                _object(
                    "A move.",
                    {
                        "action": _any_game("Action"),
                        "inputs": INPUTS,
                        "closed": CLOSED,
                        "assume": {"type": "boolean"},
                        "lang": LANG,
                    },
                ),
            ),
        },
        "/v1/plays/{play}/corrections": {
            "post": _changes(
                "correctPlay",
                "The table says otherwise",
                state,
                _object(
                    "What the table shows.",
                    {"tell": told, "note": _text(LONGEST_NOTE), "lang": LANG},
                    "tell",
                ),
            )
        },
        "/v1/plays/{play}/readings": {
            "post": _changes(
                "readOtherwise",
                "Read disputed rules otherwise from now on, or from another copy",
                state,
                _object(
                    "How to read.",
                    {"choices": _any_game("Choices"), "components": _any_game("Components"), "lang": LANG},
                ),
            )
        },
        "/v1/plays/{play}/undo": {"post": _changes("undoMoves", "Take moves back", state, steps)},
        "/v1/plays/{play}/redo": {"post": _changes("redoMoves", "Make undone moves again", state, steps)},
        "/v1/plays/{play}/report": {
            "get": _operation(
                "getReport",
                "The session report, in the form that the header prefers; a long one in parts, by the header Link",
                {**_reports(), **found, **_fails(406, 409)},
                ID,
                _query("after", NUMBER),
                ONE_LANG,
            )
        },
        "/v1/plays/{play}/report.{ending}": {
            "get": _operation(
                "getReportFile",
                "The session report, in the form that the address names; a long one in parts, by the header Link",
                {**_reports(), **found, **_fails(406, 409)},
                ID,
                _query("after", NUMBER),
                {
                    "name": "ending",
                    "in": "path",
                    "required": True,
                    "schema": {"type": "string", "enum": list(play_records.ENDINGS)},
                },
                ONE_LANG,
            )
        },
        "/v1/plays/{play}/transcript": {
            "get": _operation("getTranscript", "Everything, portable", {**_file("Transcript"), **found}, ID)
        },
        "/v1/plays/{play}/components": {
            "get": _operation(
                "getComponents",
                "What the play knows of the printed copy, as a components file",
                {**_file("Components"), **found},
                ID,
            )
        },
        "/v1/plays/{play}/options": {
            "post": _asks(
                "listPlayOptions",
                "What may be done where the play stands",
                "OptionsAnswer",
                "OptionsRequest",
                play_questions.OF_OPTIONS,
            )
        },
        "/v1/plays/{play}/odds": {
            "post": _asks(
                "getPlayOdds",
                "With what chances an action comes to what, where the play stands",
                "OddsAnswer",
                "OddsRequest",
                play_questions.OF_ODDS,
            )
        },
        "/v1/plays/{play}/verify": {
            "post": _operation(
                "verifyPlay",
                f"Play at most {play_records.MOST_VERIFIED} moves again",
                {**_answers("Verified", "ETag"), **keyed, **_fails(409, 412)},
                ID,
                ONCE,
                _query("from", NUMBER),
                seen,
                security=BEARER,
            )
        },
        "/v1/plays/{play}/codes": {
            "post": _operation(
                "makeCode",
                "A code that gives another device a key of its own",
                {**_answers("JoinCode", status=201), **keyed},
                ID,
                ONCE,
                seen,
                security=BEARER,
            )
        },
        "/v1/plays/{play}/keys": {
            "get": _operation(
                "listKeys",
                "The keys that open a play",
                {**_answers("Keys"), **keyed},
                ID,
                seen,
                security=BEARER,
            )
        },
        "/v1/plays/{play}/keys/{number}": {
            "delete": _operation(
                "endKey",
                "Let a lost key open nothing any more",
                {**gone, **keyed, **_fails(409)},
                ID,
                {
                    "name": "number",
                    "in": "path",
                    "required": True,
                    "schema": {**COUNT, "maximum": 2**31 - 1},
                },
                security=BEARER,
            )
        },
    }


def paths() -> dict[str, dict[str, Any]]:
    """Every address of plays."""
    return {f"/v1/games/{game.name}/plays": {"post": _start(game)} for game in GAMES.values()} | _paths()


def _start(game: Game) -> dict[str, Any]:
    prefix = schema_prefix(game)
    body = _starts(prefix, [one.id for one in game.scenarios])
    return _operation(
        f"start{prefix}Play",
        "Start a play: from a scenario, a position, a transcript, or nothing",
        {
            **_answers("PlayEntered", "ETag", "Location", status=201),
            **_fails(400, 411, 413, 415, 422, 429, *WHEN_WRITTEN),
        },
        ONCE,
        requestBody={"required": False, "content": {"application/json": {"schema": body}}},
    )
