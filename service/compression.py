"""Large answers are compressed for whoever can read that, as every browser can."""

from __future__ import annotations

import gzip
from typing import TypeVar

from flask import Response, request

from service.operations import Reply

R = TypeVar("R", bound=Response)

# A check answers with less, and compressing it would cost more than it saves on most connections.
LEAST_BYTES = 16 * 1024
LEVEL = 5
TEXTS = ("application/", "text/", "image/svg")


def compressed(response: R, least: int = LEAST_BYTES) -> R:
    """The answer, in less bytes where it is a large text and its reader says he can read that."""
    if isinstance(response, Reply) and len(response.content) < least:
        return response
    if response.is_streamed or response.status_code != 200 or (response.content_length or 0) < least:
        return response
    if not response.content_type.startswith(TEXTS) or "Content-Encoding" in response.headers:
        return response
    response.vary.add("Accept-Encoding")
    if request.accept_encodings["gzip"] > 0:
        response.set_data(gzip.compress(response.get_data(), LEVEL, mtime=0))
        response.headers["Content-Encoding"] = "gzip"
    return response
