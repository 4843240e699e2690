"""Requests that cannot be read: RFC 9457 problems with a stable code, a pointer and a sentence."""

from __future__ import annotations

import json
from typing import Any

import orjson
from flask import Flask, Response, current_app, request
from werkzeug.exceptions import HTTPException

from engine.codec import unescape
from engine.exceptions import Unreadable
from engine.messages import Message, message
from service.games import GAMES
from service.languages import LANGUAGES, Reader, negotiate, reader

# What is wrong as a whole, by its stable code: the HTTP status and the sentence.
PROBLEMS: dict[str, tuple[int, Message]] = {
    code: (status, message(f"problem.{code}", text))
    for code, status, text in (
        ("not-json", 400, "The request's body is not valid JSON. Check brackets, quotes and commas."),
        ("too-deep", 400, "The request's body is nested too deeply: at most %(limit)s levels are read."),
        ("not-found", 404, "There is nothing at this address. The list of addresses is at /docs."),
        ("unknown-game", 404, "This game is not known. The games are listed at /v1/games."),
        ("unknown-rule", 404, "There is no rule “%(given)s”. Search for it with ?q= under /rules."),
        ("unknown-dispute", 404, "There is no disputed point “%(given)s”. They are listed under /issues."),
        ("unknown-scenario", 404, "There is no scenario “%(given)s”. They are listed under /scenarios."),
        ("unknown-term", 404, "There is no term “%(given)s”. They are listed under /terms."),
        ("method-not-allowed", 405, "This address does not take %(method)s requests. It takes: %(allowed)s."),
        (
            "not-acceptable",
            406,
            "Answers are JSON; the request accepts none. Send the header “Accept: application/json”.",
        ),
        ("length-required", 411, "The request must say how long its body is: send a Content-Length header."),
        ("too-large", 413, "The request's body is too large: at most %(limit)s bytes are read."),
        (
            "unsupported-media-type",
            415,
            "The body must be JSON: send the header “Content-Type: application/json”.",
        ),
        ("unreadable", 422, "The request could not be read. Each error says where and what to do."),
        ("too-many-requests", 429, "Too many requests. Wait a moment and send it again."),
        ("bad-request", 400, "The request could not be read as HTTP. Check its headers and its address."),
        (
            "server-error",
            500,
            "Something went wrong on our side; your request was not carried out. Please report it.",
        ),
    )
}

# What is wrong at one place of a request, by its stable code.
ERRORS: dict[str, Message] = {
    code: message(f"error.{code}", text)
    for code, text in (
        ("missing-field", "The field “%(field)s” is missing. Add it."),
        ("unknown-field", "There is no field “%(field)s” here. Check its spelling or leave it out."),
        ("wrong-type", "This value has the wrong type. Expected: %(allowed)s."),
        ("unknown-value", "“%(given)s” is not a possible value here. Check its spelling."),
        ("unknown-name", "“%(given)s” is not a name the game knows here. Check its spelling."),
        ("out-of-range", "This value is out of range. It must be: %(allowed)s."),
        (
            "unknown-language",
            "This language is not offered. The languages are en, fr, it and ja, or all for all four.",
        ),
        ("not-one-answer", "An input is one answer under exactly one of these names: %(allowed)s."),
        ("no-question", "Ask a question, or give a section number such as 5.2.4."),
        ("too-long", "This text is too long: at most %(limit)s characters are read."),
        ("too-many", "There are too many entries here; at most %(limit)s are read."),
        (
            "replay-too-long",
            "A replay plays at most %(limit)s moves and answers together. Send the rest with the position it reaches.",
        ),
        ("unknown-issue", "There is no disputed rule named “%(given)s”. They are listed at /v1/games."),
        (
            "unknown-choice",
            "“%(given)s” is not one of the readings of this rule. Choose one of: %(allowed)s.",
        ),
        (
            "unknown-procedure",
            "There is no procedure “%(given)s”. Send the agenda as the last answer gave it.",
        ),
        (
            "unknown-step",
            "This procedure has no step “%(given)s”. Send the agenda as the last answer gave it.",
        ),
    )
}

TYPES = {
    "int": message("type.int", "a whole number"),
    "str": message("type.str", "a text"),
    "bool": message("type.bool", "true or false"),
    "object": message("type.object", "an object {…}"),
    "array": message("type.array", "a list […]"),
    "null": message("type.null", "null"),
}

# What is wrong with the body as a whole is wrong at the pointer "".
_OF_THE_BODY = ("not-json", "too-deep", "length-required", "too-large", "unsupported-media-type")


class Problem(Exception):
    """A request that gets a 4xx answer."""

    def __init__(self, code: str, errors: tuple[Unreadable, ...] = (), **params: Any) -> None:
        super().__init__(code)
        self.code = code
        self.errors = errors
        self.params = params


def unreadable(*errors: Unreadable) -> Problem:
    """What the engine or the envelope could not read, as one problem."""
    return Problem("unreadable", errors)


def answer(problem: Problem, lang: str) -> Response:
    """The problem as an answer in the reader's language."""
    status, said = PROBLEMS[problem.code]
    speaks = reader(lang if lang in LANGUAGES else negotiate(_accepted()))  # type: ignore[arg-type]
    title = speaks.say(said, _short_params(problem.params))
    errors = [
        {"pointer": error.pointer, "code": error.code, "detail": _detail(error, speaks)}
        for error in problem.errors
    ]
    if not errors and problem.code in _OF_THE_BODY:
        errors = [{"pointer": "", "code": problem.code, "detail": title}]
    body = {
        "type": f"{request.host_url.rstrip('/')}/docs#{problem.code}",
        "title": title,
        "status": status,
        "detail": sentences(problem, speaks),
        "code": problem.code,
        "errors": errors,
        "lang": speaks.lang,
    }
    response = Response(_dumps(body), status, content_type="application/problem+json")
    response.headers["Content-Language"] = speaks.lang
    response.headers["Vary"] = "Accept-Language"
    return response


def sentences(problem: Problem, speaks: Reader) -> str:
    """What is wrong and what to do, in one language."""
    _, said = PROBLEMS[problem.code]
    return " ".join(
        [_detail(error, speaks) for error in problem.errors]
        or [speaks.say(said, _short_params(problem.params))]
    )


def placed(problem: Problem, speaks: Reader) -> str:
    """What is wrong and what to do, a line for each place."""
    said = [(error.pointer, _detail(error, speaks)) for error in problem.errors]
    lines = [f"{pointer}: {detail}" if pointer else detail for pointer, detail in said]
    return "\n".join(lines) or sentences(problem, speaks)


def _accepted() -> str:
    return request.headers.get("Accept-Language", "")


def _detail(error: Unreadable, speaks: Reader) -> str:
    params = dict(error.params)
    params.setdefault("field", unescape(error.pointer.rpartition("/")[2]))
    if error.code == "wrong-type":
        wanted = [part.strip() for part in str(params.get("allowed", "")).split("|")]
        params["allowed"] = [speaks.say(TYPES[kind], {}) if kind in TYPES else kind for kind in wanted]
    if error.code == "out-of-range" and "kind" in params:  # of a list or a text the length is meant
        params["allowed"] = f"{speaks.say(TYPES[params['kind']], {})} {params['allowed']}"
    return speaks.say(ERRORS[error.code], _short_params(params))


def _short_params(params: dict[str, Any]) -> dict[str, Any]:
    return {name: _short(value) for name, value in params.items()}


def _short(value: Any) -> Any:
    """What was sent, short enough to be repeated."""
    return f"{value[:57]}…" if isinstance(value, str) and len(value) > 60 else value


def _dumps(body: Any) -> bytes:
    """JSON; a lone surrogate that was sent comes back as a question mark."""
    try:
        return orjson.dumps(body)
    except TypeError:
        return orjson.dumps(_printable(body))


def _printable(value: Any) -> Any:
    if isinstance(value, dict):
        return {_printable(key): _printable(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_printable(item) for item in value]
    return value.encode("utf-8", "replace").decode() if isinstance(value, str) else value


_CODES = {
    404: "not-found",
    405: "method-not-allowed",
    406: "not-acceptable",
    411: "length-required",
    413: "too-large",
    415: "unsupported-media-type",
    429: "too-many-requests",
    500: "server-error",
}


def register(app: Flask) -> None:
    """Answer every failure with a problem, never with a page."""
    app.register_error_handler(Problem, lambda problem: answer(problem, asked_language()))
    app.register_error_handler(Unreadable, lambda error: answer(unreadable(error), asked_language()))
    app.register_error_handler(HTTPException, _http)
    app.register_error_handler(Exception, _unexpected)


def _http(error: HTTPException) -> Response:
    if error.code is not None and error.code < 400:
        return error.get_response()  # type: ignore[return-value]
    problem = Problem(_CODES.get(error.code or 500, "bad-request"))
    if problem.code == "not-found" and _unknown_game(request.path):
        problem.code = "unknown-game"
    if problem.code == "method-not-allowed":
        allowed = sorted(getattr(error, "valid_methods", None) or ())
        problem.params = {"method": request.method, "allowed": ", ".join(allowed)}
        response = answer(problem, asked_language())
        response.headers["Allow"] = ", ".join(allowed)
        return response
    if problem.code == "too-large":
        problem.params = {"limit": current_app.config["MAX_CONTENT_LENGTH"]}
    return answer(problem, asked_language())


def _unknown_game(path: str) -> bool:
    _, _, below = path.partition("/v1/games/")
    return bool(below) and below.partition("/")[0] not in GAMES


def _unexpected(error: Exception) -> Response:
    current_app.logger.error("unexpected error on %s %s", request.method, request.path, exc_info=error)
    return answer(Problem("server-error"), asked_language())


def asked_language() -> str:
    """The language a failed request asked for, as far as it could be read: body, query, or header."""
    sent = _language_in_body() or request.args.get("lang")
    return sent if sent in LANGUAGES else negotiate(_accepted())


def _language_in_body() -> Any:
    """The body's `lang`, even where something else in it is the reason for the failure."""
    if request.content_length is None:  # chunks may never come to an end
        return None
    try:
        body = json.loads(request.get_data(), parse_int=float)
    except (ValueError, RecursionError, HTTPException):
        return None
    sent = body.get("lang") if isinstance(body, dict) else None
    return sent if isinstance(sent, str) else None
