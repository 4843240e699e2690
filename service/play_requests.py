"""What a request about a play says in its body, its query and its headers."""

from __future__ import annotations

from typing import Any

from flask import request

from engine.exceptions import Unreadable
from service import problems
from service.languages import ALL, negotiate
from service.plain_json import from_json, from_json_but
from service.play_fields import Fields
from service.play_problems import Problem
from service.requests import body_of_request
from service.terms import LANGUAGES

# -- what a body says --------------------------------------------------------------------------------


class Body(Fields):
    """The fields of a request's body, and its bytes."""

    def __init__(self, most: int, *names: str) -> None:
        self.bytes = _optional_body(most)
        sent = self._plain()
        if not isinstance(sent, dict):
            raise problems.unreadable(Unreadable("wrong-type", "", allowed="object"))
        super().__init__(sent, *names)

    def _plain(self) -> Any:
        return from_json(self.bytes)


class BodyWithTranscript(Body):
    """The same, where a whole game may be sent: it is read once, when it is known what it is."""

    def _plain(self) -> Any:
        return from_json_but(self.bytes, "transcript")


def _optional_body(most: int) -> bytes:
    """The body; one that is left out says nothing."""
    if not request.content_length and "Transfer-Encoding" not in request.headers:
        return b"{}"
    return body_of_request(most)


# -- what the query and the headers say --------------------------------------------------------------


def language(asked: str | None = None) -> str:
    """The language of the answer: the body's, the query's, or the one that the header asks for."""
    asked = asked or request.args.get("lang")
    if asked is None:
        return negotiate(request.headers.get("Accept-Language", ""))
    if asked not in (*LANGUAGES, ALL):
        raise problems.unreadable(Unreadable("unknown-language", "/lang"))
    return asked


def query_number(name: str, otherwise: int | None, least: int, most: int) -> int | None:
    """A whole number of the query, or what holds without it."""
    sent = request.args.get(name)
    if sent is None:
        return otherwise
    if not (sent.isascii() and sent.isdigit()) or len(sent) > 9 or not least <= int(sent) <= most:
        raise problems.unreadable(Unreadable("out-of-range", f"/{name}", least=least, most=most))
    return int(sent)


def bearer_key() -> str | None:
    """The key of the header `Authorization: Bearer …`."""
    scheme, _, key = request.headers.get("Authorization", "").partition(" ")
    return key.strip() if scheme.lower() == "bearer" else None


def means(newest: int) -> bool:
    """Is this the version that a request means to change?"""
    sent = request.headers.get("If-Match", "").strip()
    if not sent:
        raise Problem("version-missing")
    return names(sent, newest)


def names(sent: str, version: int) -> bool:
    """Does a header name this version: one tag or several, or any? Proxies that compress make tags weak."""
    tags = [one.strip().removeprefix("W/").strip('"') for one in sent.split(",")]
    return "*" in tags or str(version) in tags
