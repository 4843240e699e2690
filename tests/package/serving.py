"""Servers for a test: the real application, and one that answers what it is told to."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer
from typing import Any, ClassVar

from werkzeug.serving import make_server
from werkzeug.test import run_wsgi_app
from werkzeug.wrappers import Response


@contextmanager
def running(app: Any) -> Iterator[str]:
    """The address at which an application answers."""
    server = make_server("127.0.0.1", 0, app, threaded=True)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.port}"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


class Forgetful:
    """An application behind a proxy that loses the first answer to each request, once it was carried out."""

    def __init__(self, app: Any) -> None:
        self._app = app
        self._asked: set[tuple[str, str]] = set()

    def __call__(self, environ: dict[str, Any], start_response: Any) -> Any:
        body, status, headers = run_wsgi_app(self._app, environ, buffered=True)
        asked = (environ["REQUEST_METHOD"], environ["PATH_INFO"])
        if asked not in self._asked:
            self._asked.add(asked)
            return Response(status=502)(environ, start_response)
        start_response(status, list(headers))
        return body


class Scripted(BaseHTTPRequestHandler):
    """Answers with the next of its answers, each a status, headers and a body, and notes what it was asked."""

    answers: ClassVar[list[tuple[int, dict[str, str], bytes]]] = []
    asked: ClassVar[list[dict[str, str]]] = []

    def _next(self) -> None:
        self.rfile.read(int(self.headers.get("Content-Length", 0)))
        self.asked.append({"method": self.command, "path": self.path, **dict(self.headers)})
        status, headers, body = self.answers.pop(0)
        self.send_response(status)
        for name, value in {"Content-Length": str(len(body)), **headers}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    do_GET = do_POST = do_DELETE = _next  # noqa: N815  as the library calls them

    def log_message(self, *_: Any) -> None:
        """Say nothing."""


@contextmanager
def answering(*answers: tuple[int, dict[str, str], Any]) -> Iterator[tuple[str, list[dict[str, str]]]]:
    """The address of a server with these answers, and what it was asked."""
    plain = {"Content-Type": "application/json"}
    written = [(status, {**plain, **headers}, json.dumps(body).encode()) for status, headers, body in answers]
    handler = type("Told", (Scripted,), {"answers": written, "asked": []})
    server = HTTPServer(("127.0.0.1", 0), handler)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}", handler.asked
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
