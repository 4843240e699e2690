"""Requests that cannot be read: RFC 9457 problems with a stable code, a pointer and a sentence."""

from __future__ import annotations

import json
from math import ceil
from typing import Any

import msgspec
from flask import Flask, Response, current_app, request
from werkzeug.exceptions import HTTPException

from engine.exceptions import Unreadable
from engine.messages import Message, Ref, message
from service import logs, watching
from service.answers import ProblemBody, ProblemError, encode
from service.config import MOST_BYTES
from service.errors import detail, shortened
from service.games import GAMES
from service.languages import Reader, negotiate, reader
from service.terms import LANGUAGES

# What is wrong as a whole, by its stable code: the HTTP status and the sentence.
PROBLEMS: dict[str, tuple[int, Message]] = {
    code: (status, message(f"problem.{code}", text))
    for code, status, text in (
        ("not-json", 400, "The request's body is not valid JSON. Check brackets, quotes and commas."),
        ("too-deep", 400, "The request's body is nested too deeply: at most %(limit)s levels are read."),
        (
            "unknown-api-key",
            401,
            "The key in the header “X-Api-Key” is not known here. Send one that is, or none.",
        ),
        ("not-found", 404, "There is nothing at this address. The list of addresses is at /docs."),
        ("unknown-game", 404, "This game is not known. The games are listed at /v1/games."),
        ("unknown-rule", 404, "There is no rule “%(given)s”. Look for it in your own words."),
        (
            "unknown-dispute",
            404,
            "There is no disputed point “%(given)s”. The numbers and names are in the list of disputed points.",
        ),
        (
            "unknown-scenario",
            404,
            "There is no scenario “%(given)s”. The numbers are in the list of scenarios.",
        ),
        ("unknown-chart", 404, "There is no chart “%(given)s”. The names are in the list of charts."),
        ("unknown-term", 404, "There is no term “%(given)s”. Look for it by a word in any language."),
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
        ("address-too-long", 414, "The address with its query is too long. Send less in the query."),
        ("expectation-failed", 417, "The header “Expect” asks for something that this server does not do."),
        ("headers-too-large", 431, "The request has too many headers, or too long ones. Send fewer."),
        ("unreadable", 422, "The request could not be read. Each error says where and what to do."),
        ("too-many-requests", 429, "Too many requests. Wait %(wait)s and send it again."),
        ("bad-request", 400, "The request could not be read as HTTP. Check its headers and its address."),
        (
            "server-error",
            500,
            "Something went wrong on our side; your request was not carried out. Please report it.",
        ),
        (  # said by the proxy, deploy/nginx.conf
            "server-away",
            503,
            "The server does not answer at the moment. Send the request again in a few seconds.",
        ),
    )
}

SECONDS = message("wait.seconds", "%(count)s seconds", one=("count", "%(count)s second"))
MINUTES = message("wait.minutes", "%(count)s minutes", one=("count", "%(count)s minute"))
HOURS = message("wait.hours", "%(count)s hours", one=("count", "%(count)s hour"))
MOST_COUNTED = 90  # seconds or minutes, before they are counted in the next larger unit


class Wait(Ref):
    """So many seconds to wait, in the unit that people count them in; never said to be shorter than it is."""

    __slots__ = ()

    def phrase(self) -> tuple[Message, dict[str, Any]]:
        """In words."""
        seconds = int(self)
        minutes = ceil(seconds / 60)
        if seconds <= MOST_COUNTED:
            return SECONDS, {"count": seconds}
        return (
            (MINUTES, {"count": minutes})
            if minutes <= MOST_COUNTED
            else (HOURS, {"count": ceil(minutes / 60)})
        )


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
    watching.note_problem(problem.code)
    speaks = reader(lang if lang in LANGUAGES else negotiate(_accepted()))
    body = told(problem, speaks)
    response = Response(_encoded(body), body.status, content_type="application/problem+json")
    response.headers["Content-Language"] = speaks.lang
    response.headers["Vary"] = "Accept-Language"
    return response


def told(problem: Problem, speaks: Reader) -> ProblemBody:
    """The problem in one language."""
    status, said = PROBLEMS[problem.code]
    title = speaks.say(said, _short(problem.params))
    errors = [
        ProblemError(pointer=error.pointer, code=error.code, detail=detail(error, speaks))
        for error in problem.errors
    ]
    if not errors and problem.code in _OF_THE_BODY:
        errors = [ProblemError(pointer="", code=problem.code, detail=title)]
    return ProblemBody(
        type=f"urn:ruleglot:problem:{problem.code}",
        title=title,
        status=status,
        detail=sentences(problem, speaks),
        code=problem.code,
        errors=errors,
        lang=speaks.lang,
    )


def sentences(problem: Problem, speaks: Reader) -> str:
    """What is wrong and what to do, in one language."""
    _, said = PROBLEMS[problem.code]
    return speaks.manners.space.join(
        [detail(error, speaks) for error in problem.errors] or [speaks.say(said, _short(problem.params))]
    )


def placed(problem: Problem, speaks: Reader) -> str:
    """What is wrong and what to do, a line for each place."""
    said = [(error.pointer, detail(error, speaks)) for error in problem.errors]
    lines = [f"{pointer}: {detail}" if pointer else detail for pointer, detail in said]
    return "\n".join(lines) or sentences(problem, speaks)


def _accepted() -> str:
    return request.headers.get("Accept-Language", "")


def _short(params: dict[str, Any]) -> dict[str, Any]:
    return {name: shortened(value) for name, value in params.items()}


def _encoded(body: ProblemBody) -> bytes:
    """JSON; a lone surrogate that was sent comes back as a question mark."""
    try:
        return encode(body)
    except UnicodeEncodeError:
        return encode(_printable(msgspec.to_builtins(body)))


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
    500: "server-error",
}


def register(app: Flask) -> None:
    """Answer every failure with a problem, never with a page."""
    app.register_error_handler(Problem, lambda problem: answer(problem, asked_language()))
    app.register_error_handler(Unreadable, lambda error: answer(unreadable(error), asked_language()))
    app.register_error_handler(HTTPException, of_http)
    app.register_error_handler(Exception, _unexpected)


def of_http(error: HTTPException) -> Response:
    """What the framework refuses, as a problem."""
    if error.code is not None and error.code < 400:
        return error.get_response()  # type: ignore[return-value]
    problem = Problem(_CODES.get(error.code or 500, "bad-request"))
    if problem.code == "not-found" and _unknown_game(request.path):
        problem.code = "unknown-game"
    if problem.code == "method-not-allowed":
        allowed = sorted(getattr(error, "valid_methods", None) or ())
        problem.params = {"method": request.method, "allowed": allowed}
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
    logs.unexpected(error)
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
        sent = request.get_data()
        return _language_in(sent)
    except (ValueError, RecursionError, HTTPException, msgspec.MsgspecError):
        return None


def _language_in(sent: bytes) -> Any:
    """The language of a body; a short one is read by Python's own reader where it is hardly JSON."""
    try:
        return _LANGUAGE.decode(sent).lang
    except msgspec.MsgspecError:
        if len(sent) > MOST_BYTES:
            raise
    body = json.loads(sent, parse_int=float)
    lang = body.get("lang") if isinstance(body, dict) else None
    return lang if isinstance(lang, str) else None


class _Body(msgspec.Struct):
    lang: str | None = None


_LANGUAGE = msgspec.json.Decoder(_Body)  # passes over everything else
