"""An operation of the API: its address, what it takes and gives, how it is described, and what carries it out.

Every operation stands in one table; the application serves what it lists, and the document describes it.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable
from functools import cache
from typing import Any, Literal

from flask import Flask, Response, request
from marshmallow import Schema
from msgspec import Struct
from werkzeug.datastructures import Headers
from werkzeug.wrappers import Response as AnyResponse

from service import queries
from service.answers import encode
from service.languages import ALL, negotiate
from service.terms import LANGUAGES

JSON = "application/json"
RATE_LIMIT = ("RateLimit-Limit", "RateLimit-Remaining", "RateLimit-Reset")
_IN_PATH = re.compile(r"{(\w+)}")


class Operation(Struct, frozen=True, kw_only=True):
    """One operation; its view is called with the query, if it takes one, and with what stands in its path."""

    id: str
    path: str
    tag: str
    summary: str
    description: str
    view: Callable[..., AnyResponse]
    at_once: Callable[[Any], Reply] | None = (
        None  # its answer without Flask, where nothing else looks at the request
    )
    method: Literal["get", "post"] = "get"
    query: Schema | None = None
    body: type[Struct] | None = None
    examples: Callable[[], dict[str, Any]] | None = None  # of the body
    shown: str = (
        ""  # its address with a path and a query, to show an answer by; without it, the address as it is
    )
    links: dict[str, Any] = {}  # what can be asked next, with what this answered
    answer: Any = None  # the name of its schema; None where it is no JSON
    media: str = JSON
    picture: str = ""  # the media type of the picture it can answer with instead, if the request prefers that
    budget: str = ""  # of an address that it draws on beside the one for everything
    worded: bool = True  # the answer is in a language, and says in which
    lasting: bool = False  # the answer has an ETag, and changes only with a new version
    elsewhere: dict[str, Any] = {}  # answers that send the request on, by their status
    fails: tuple[int, ...] = ()  # statuses that it can fail with beside those of its kind


def link(operation_id: str, description: str, **parameters: str) -> dict[str, Any]:
    """Another operation, and what of this answer it takes.

    What its body takes is said in words: the Java generator refuses a document with a body here.
    """
    found: dict[str, Any] = {"operationId": operation_id, "description": description}
    return {**found, "parameters": parameters} if parameters else found


def serve(app: Flask, operations: list[Operation]) -> None:
    """Let the application carry out every operation of the table."""
    for operation in operations:
        path = _IN_PATH.sub(r"<string:\1>", operation.path)
        app.add_url_rule(path, operation.id, _called(operation), methods=[operation.method.upper()])


def _called(operation: Operation) -> Callable[..., AnyResponse]:
    query, view = operation.query, operation.view
    if query is None:
        return view
    return lambda **path: view(queries.read(query), **path)


# Any web page may ask, and read every header: a key is sent by who knows it, never by a browser of itself.
# (Flask-Cors is dear. The server looks at each header again: none is longer than it has to be.)
OPEN_TO_PAGES = (("Access-Control-Allow-Origin", "*"), ("Access-Control-Expose-Headers", "*"))
# A browser takes no answer for something else, and shows none inside another page.
SAFE = (
    ("X-Content-Type-Options", "nosniff"),
    ("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'"),
)


class Complete(Headers):
    """Headers that need no correction: they are ours, and nothing of a request is in them."""

    def __init__(self, pairs: list[tuple[str, str]]) -> None:
        self._list = pairs


class Reply(Response):
    """An answer whose headers are complete as they are; nothing of it has to be worked out."""

    _status, _status_code = "200 OK", 200
    direct_passthrough = False

    def __init__(self, content: bytes, headers: Complete) -> None:
        self.response, self.headers = [content], headers
        self._on_close: list[Callable[[], Any]] = []

    def get_wsgi_headers(self, environ: Any) -> Headers:  # noqa: ARG002  werkzeug calls it so
        """What was set: there is no redirect or empty body to correct."""
        return self.headers

    @property
    def content(self) -> bytes:
        """Its bytes."""
        (content,) = self.response  # they are one piece
        return content if isinstance(content, bytes) else content.encode()

    def get_app_iter(self, environ: Any) -> Any:
        """Its bytes: nothing is left to be closed behind them."""
        return () if environ["REQUEST_METHOD"] == "HEAD" else self.response


def reply(answer: Any, lang: str) -> Reply:
    """An answer that says its language."""
    content = encode(answer)
    headers = Complete([("Content-Length", str(len(content))), *_headers(lang)])
    return Reply(content, headers)


@cache
def _headers(lang: str) -> tuple[tuple[str, str], ...]:
    """What every answer in a language says of itself."""
    return (
        ("Content-Type", JSON),
        ("Content-Language", _said(lang)),
        ("Vary", "Accept-Language"),
        *OPEN_TO_PAGES,
        *SAFE,
    )


def lasting(content: bytes, content_type: str, lang: str | None) -> Response:
    """An answer that changes only with a new version: it can be kept, and asked for again cheaply."""
    response = Response(content, content_type=content_type)
    return lasting_as(response, hashlib.sha256(content).hexdigest()[:32], lang)


def lasting_as(response: Response, etag: str, lang: str | None) -> Response:
    """The same for an answer whose tag is known."""
    if lang is not None:
        response.headers["Content-Language"] = _said(lang)
        response.vary.add("Accept-Language")
    response.headers["Cache-Control"] = "public, max-age=3600"
    response.set_etag(etag)
    # Nothing can be changed here, so nobody needs to ask for If-Match.
    asked = {name: value for name, value in request.environ.items() if name != "HTTP_IF_MATCH"}
    response.make_conditional(asked)
    return response


def lasting_reply(answer: Any, lang: str) -> Response:
    """The same for an answer in a language."""
    return lasting(encode(answer), JSON, lang)


def _said(lang: str) -> str:
    return ", ".join(LANGUAGES) if lang == ALL else lang


def language(asked: str | None) -> str:
    """The language of an answer: the one asked for, that of the query, or the first of the reader's that is one of ours."""
    environ = request.environ
    named = queries.read(queries.LanguageOfBody()).get("lang") if environ.get("QUERY_STRING") else None
    return asked or named or language_of(environ)


def language_of(environ: Any) -> str:
    """The first of the reader's languages that is one of ours."""
    return negotiate(environ.get("HTTP_ACCEPT_LANGUAGE", ""))
