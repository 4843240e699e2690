"""What is asked most needs nothing of Flask: a right check is answered at once, anything else goes Flask's way.

Contexts, routes and hooks cost as much as the check itself, although they do little: each request finds them cold.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any

from flask import Flask

from service import compression
from service.operations import Operation, Reply

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIApplication, WSGIEnvironment

Answers = Callable[[Any], Reply]  # the answer to a request, told by its environment


def register(app: Flask, operations: Iterable[Operation]) -> None:
    """Answer at once what can be, unless something looks at every request: a budget, a log, the host's name."""
    looked_at = app.before_request_funcs.get(None) or len(app.after_request_funcs[None]) > 1
    if looked_at or app.config["TRUSTED_HOSTS"] is not None:
        return
    answers = {one.path: one.at_once for one in operations if one.at_once is not None}
    app.wsgi_app = AtOnce(app, app.wsgi_app, answers)  # type: ignore[method-assign]


class AtOnce:
    """An application that is asked only for what has no answer at once."""

    def __init__(self, app: Flask, otherwise: WSGIApplication, answers: Mapping[str, Answers]) -> None:
        self._app, self._otherwise, self._answers = app, otherwise, answers

    def __call__(self, environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        """One request."""
        answer = self._answers.get(environ["PATH_INFO"])
        if answer is None or environ["REQUEST_METHOD"] != "POST" or environ.get("QUERY_STRING"):
            return self._otherwise(environ, start_response)
        try:
            reply = answer(environ)
        except Exception:  # noqa: BLE001  whatever it is, it is found again and put into words there
            return self._otherwise(environ, start_response)
        if len(reply.content) >= compression.LEAST_BYTES:
            with self._app.request_context(environ):
                reply = compression.compressed(reply)
        start_response(reply.status, [*reply.headers])
        return [reply.content]
