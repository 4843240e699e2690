"""Servers for a test: the real application, and one that answers what it is told to."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer
from typing import Any, ClassVar

from werkzeug.serving import make_server


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

    do_GET = do_POST = _next  # noqa: N815  as the library calls them

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
