"""Large answers that are the same for everybody: made once, compressed once, and kept."""

from __future__ import annotations

import gzip
import hashlib
from collections.abc import Callable
from functools import cached_property

from flask import Response, request

from service.operations import lasting_as

_KEPT: dict[str, Constant] = {}  # by address: applications in one process share them


class Constant:
    """One such answer, made when it is first asked for or before the workers are forked."""

    def __init__(self, make: Callable[[], bytes], content_type: str, lang: str | None = None) -> None:
        self._make = make
        self._type = content_type
        self._lang = lang

    @cached_property
    def content(self) -> bytes:
        """As it is."""
        return self._make()

    @cached_property
    def packed(self) -> bytes:
        """Compressed as well as it can be, because it is done once."""
        return gzip.compress(self.content, 9, mtime=0)

    @cached_property
    def etag(self) -> str:
        """What it is known by."""
        return hashlib.sha256(self.content).hexdigest()[:32]

    def answer(self) -> Response:
        """The answer to one request, in the form its reader can read."""
        packed = request.accept_encodings["gzip"] > 0
        response = Response(self.packed if packed else self.content, content_type=self._type)
        if packed:
            response.headers["Content-Encoding"] = "gzip"
        response.vary.add("Accept-Encoding")
        return lasting_as(response, f"{self.etag}-gzip" if packed else self.etag, self._lang)


def kept(
    address: str, make: Callable[[], bytes], content_type: str, lang: str | None = None
) -> Callable[[], Response]:
    """What answers at this address."""
    return _KEPT.setdefault(address, Constant(make, content_type, lang)).answer


def warm() -> None:
    """Make them all, so that nobody has to wait and the workers share them."""
    for one in _KEPT.values():
        assert one.packed  # noqa: S101  made by being looked at
        assert one.etag  # noqa: S101
