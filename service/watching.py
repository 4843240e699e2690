"""What whoever runs a server sees of it: an id for each request, numbers, and a line for each request.

All of it is off unless it is asked for, and costs nothing then. Requests are told apart by the operation they were put
to, never by their address: that may hold a play's id or a question.
"""

from __future__ import annotations

import os
import re
import sys
import time
from collections.abc import Callable, Iterable
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import orjson
from flask import Flask, Response, request

from service import logs
from service.config import ON, version

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIApplication, WSGIEnvironment
    from prometheus_client import CollectorRegistry

HEADER = "X-Request-Id"
SANE = re.compile(r"[A-Za-z0-9._-]{1,64}")
METHODS = frozenset({"GET", "HEAD", "POST", "PATCH", "DELETE", "OPTIONS", "PUT"})
BUCKETS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10)
OPERATION, PROBLEM, ALONE = "ruleglot.operation", "ruleglot.problem", "ruleglot.limits_alone"
NONE = "none"


def register(app: Flask) -> None:
    """Watch over every request, as far as the settings ask for it."""
    metrics, access = app.config["METRICS"] == ON, app.config["ACCESS_LOG"] == ON
    if not metrics and not access and app.config["LOG"] != "json":
        return
    numbers = Numbers() if metrics else None
    if numbers is not None:
        app.add_url_rule("/metrics", "metrics", lambda: Response(numbers.text(), content_type=numbers.TYPE))
    app.after_request(_note_operation)
    app.wsgi_app = Watched(app.wsgi_app, numbers, access=access)  # type: ignore[method-assign]


def _note_operation(response: Response) -> Response:
    request.environ[OPERATION] = request.endpoint or NONE
    return response


def note_problem(code: str) -> None:
    """What a request was refused with."""
    request.environ[PROBLEM] = code


class Watched:
    """An application whose every request has an id, is counted and written down."""

    def __init__(self, app: WSGIApplication, numbers: Numbers | None, *, access: bool) -> None:
        self._app = app
        self._numbers = numbers
        self._access = access

    def __call__(self, environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        """One request."""
        asked = environ.get("HTTP_X_REQUEST_ID")
        name = asked if asked and SANE.fullmatch(asked) else os.urandom(16).hex()
        begun = time.perf_counter()
        status = "500"

        def begin(given: str, headers: list[tuple[str, str]], *error: Any) -> Callable[[bytes], object]:
            nonlocal status
            status = given[:3]
            headers.append((HEADER, name))
            return start_response(given, headers, *error)

        before = logs.REQUEST_ID.set(name)
        if self._numbers:
            self._numbers.under_way.inc()
        try:
            return self._app(environ, begin)
        finally:
            seconds = time.perf_counter() - begun
            if self._numbers:
                self._numbers.under_way.dec()
                self._numbers.count(environ, status, seconds)
            if self._access:
                _write_down(environ, name, status, seconds)
            logs.REQUEST_ID.reset(before)


def _write_down(environ: WSGIEnvironment, name: str, status: str, seconds: float) -> None:
    """A line on standard output, in one piece."""
    said = {
        "time": logs.moment(time.time()),
        "request": name,
        "method": _method(environ),
        "operation": environ.get(OPERATION, NONE),
        "status": int(status),
        "ms": round(seconds * 1000, 2),
    }
    if PROBLEM in environ:
        said["problem"] = environ[PROBLEM]
    try:
        os.write(sys.__stdout__.fileno() if sys.__stdout__ else 1, orjson.dumps(said) + b"\n")
    except OSError:
        return  # nobody reads it any more, or the disk is full: no reason to answer less


def _method(environ: WSGIEnvironment) -> str:
    method = str(environ["REQUEST_METHOD"])
    return method if method in METHODS else "OTHER"


class Numbers:
    """What is counted, for Prometheus; under gunicorn the workers' numbers are put together."""

    def __init__(self) -> None:
        # Imported late: how it counts is settled by PROMETHEUS_MULTIPROC_DIR when it is imported.
        from prometheus_client import (  # noqa: PLC0415
            CONTENT_TYPE_LATEST,
            CollectorRegistry,
            Counter,
            Gauge,
            Histogram,
        )

        self.TYPE = CONTENT_TYPE_LATEST
        self._here: CollectorRegistry = CollectorRegistry()
        self._requests = Counter(
            "ruleglot_requests",
            "Requests answered, by operation, method and status",
            ("operation", "method", "status"),
            registry=self._here,
        )
        self._seconds = Histogram(
            "ruleglot_request_seconds",
            "Time until the answer was ready, by operation",
            ("operation",),
            buckets=BUCKETS,
            registry=self._here,
        )
        self._problems = Counter(
            "ruleglot_problems",
            "Requests refused or failed, by the code of the problem",
            ("code",),
            registry=self._here,
        )
        self._alone = Counter(
            "ruleglot_limits_alone",
            "Requests counted by their process alone, because the shared store of the limits was away",
            registry=self._here,
        )
        self.under_way = Gauge(
            "ruleglot_requests_under_way",
            "Requests that are being answered now",
            multiprocess_mode="livesum",
            registry=self._here,
        )
        Gauge(
            "ruleglot_version",
            "1, with the version that is served",
            ("version",),
            multiprocess_mode="max",
            registry=self._here,
        ).labels(version()).set(1)
        self._of_request = lru_cache(maxsize=4096)(self._requests.labels)
        self._of_operation = lru_cache(maxsize=1024)(self._seconds.labels)

    def count(self, environ: WSGIEnvironment, status: str, seconds: float) -> None:
        """One request."""
        operation = environ.get(OPERATION, NONE)
        self._of_request(operation, _method(environ), status).inc()
        self._of_operation(operation).observe(seconds)
        if PROBLEM in environ:
            self._problems.labels(environ[PROBLEM]).inc()
        if ALONE in environ:
            self._alone.inc()

    def text(self) -> bytes:
        """All numbers, in the form that Prometheus reads."""
        from prometheus_client import CollectorRegistry, generate_latest, multiprocess  # noqa: PLC0415

        if "PROMETHEUS_MULTIPROC_DIR" not in os.environ:
            return generate_latest(self._here)
        everybody = CollectorRegistry()
        multiprocess.MultiProcessCollector(everybody)  # type: ignore[no-untyped-call]
        return generate_latest(everybody)
