"""Headers that every answer carries, so that a browser makes nothing else of it than what it is."""

from __future__ import annotations

import base64
import hashlib
import re
from functools import lru_cache

from flask import Blueprint, Response

from service.operations import SAFE

# Swagger UI sets styles of its own; its one script that stands in the page is known by its hash.
OF_DOCS = (
    "default-src 'none'; script-src 'self' {scripts}; style-src 'self' 'unsafe-inline'; img-src 'self' data:; "
    "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
_SCRIPT = re.compile(r"<script>(.*?)</script>", re.DOTALL)


def guard_docs(docs: Blueprint) -> Blueprint:
    """The page that shows the API, with a policy of its own."""
    docs.after_request(_docs)
    return docs


TELLS_NOBODY = ("Referrer-Policy", "no-referrer")  # its address; what a check answers leads nowhere


def guarded(response: Response) -> Response:
    """An answer with its headers; what says more of itself keeps that."""
    for name, value in (*SAFE, TELLS_NOBODY):
        response.headers.setdefault(name, value)
    return response


def _docs(response: Response) -> Response:
    if response.mimetype == "text/html" and not response.is_streamed:
        response.headers["Content-Security-Policy"] = _policy(response.get_data(as_text=True))
    return response


@lru_cache(maxsize=4)
def _policy(page: str) -> str:
    """What the page may load: the scripts that stand in it, and what comes from here."""
    scripts = [script.replace("\r\n", "\n").encode() for script in _SCRIPT.findall(page)]
    hashes = [base64.b64encode(hashlib.sha256(script).digest()).decode() for script in scripts]
    return OF_DOCS.format(scripts=" ".join(f"'sha256-{one}'" for one in hashes))
