"""The headers of requests and answers, as the document describes them."""

from __future__ import annotations

from typing import Any

from service.operations import RATE_LIMIT

IN_A_LANGUAGE = {
    "Content-Language": {
        "description": "The language of the answer, or all of them.",
        "required": True,
        "schema": {"type": "string"},
    },
    "Vary": {
        "description": "Accept-Language, and Accept-Encoding where the answer is large.",
        "required": True,
        "schema": {"type": "string"},
    },
}
ACCEPT_LANGUAGE = {
    "name": "Accept-Language",
    "in": "header",
    "description": "The reader's languages in his order; decides where the request names no language.",
    "required": False,
    "schema": {"type": "string"},
}
IF_NONE_MATCH = {
    "name": "If-None-Match",
    "in": "header",
    "description": "The ETag of what was seen last; where nothing has changed since, the answer is 304.",
    "required": False,
    "schema": {"type": "string"},
}
PARAMETERS = {"AcceptLanguage": ACCEPT_LANGUAGE, "IfNoneMatch": IF_NONE_MATCH}
ACCEPT = {"$ref": "#/components/parameters/AcceptLanguage"}
SEEN = {"$ref": "#/components/parameters/IfNoneMatch"}

_SAID = {
    "ETag": "What the answer is known by, for `If-None-Match`; that of a play is its version, for `If-Match`.",
    "Location": "Where it is.",
    "Link": 'Where the next part is, with `rel="next"`; the last part has none.',
    "Retry-After": "So many seconds to wait.",
    "WWW-Authenticate": "How a key is sent.",
    "RateLimit-Limit": "How many requests the tightest budget has; only where a server limits them.",
    "RateLimit-Remaining": "How many of them are left.",
    "RateLimit-Reset": "In how many seconds the budget is whole again.",
}
_NUMBERS = ("Retry-After", *RATE_LIMIT)
_OF_FAILURES = {401: ("WWW-Authenticate",), 412: ("ETag",), 429: ("Retry-After",), 503: ("Retry-After",)}


def everything() -> dict[str, Any]:
    """Every header that not all answers have, by its name."""
    return {
        name: {"description": said, "schema": {"type": "integer" if name in _NUMBERS else "string"}}
        for name, said in _SAID.items()
    }


def sent(*names: str) -> dict[str, Any]:
    """The headers of these names in an answer."""
    return {name: {"$ref": f"#/components/headers/{name}"} for name in names}


def of_failure(status: int) -> dict[str, Any]:
    """The headers of a problem."""
    return IN_A_LANGUAGE | sent(*_OF_FAILURES.get(status, ()), *RATE_LIMIT)


SAME = {"304": {"description": "As it was seen last.", "headers": sent("ETag", *RATE_LIMIT)}}
