"""What a server says of itself: lines of text, or of JSON, each with the id of the request it is about.

A line never holds a body, a key, an id of a play or a question. So an error that nobody expected is told by its kind
and the places it went through, without its own sentence, which often repeats what was sent.
"""

from __future__ import annotations

import logging
import traceback
from contextvars import ContextVar
from datetime import UTC, datetime
from typing import Any

import orjson
from flask import request

LOG = logging.getLogger("ruleglot")
REQUEST_ID: ContextVar[str] = ContextVar("request_id", default="")


class JsonLines(logging.Formatter):
    """One JSON object for each record."""

    def format(self, record: logging.LogRecord) -> str:
        """The record as a line."""
        said: dict[str, Any] = {
            "time": moment(record.created),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": record.getMessage(),
        }
        if REQUEST_ID.get():
            said["request"] = REQUEST_ID.get()
        if record.exc_info and record.exc_info[1] is not None:
            said["error"] = kinds_and_places(record.exc_info[1])
        return orjson.dumps(said).decode()


# For gunicorn's `logconfig_dict`: everything that anybody logs goes to standard error, as JSON.
AS_JSON: dict[str, Any] = {
    "root": {"level": "INFO", "handlers": ["error_console"]},
    "loggers": {"gunicorn.error": {"level": "INFO", "handlers": [], "propagate": True}},
    "handlers": {
        "error_console": {
            "class": "logging.StreamHandler",
            "formatter": "lines",
            "stream": "ext://sys.stderr",
        }
    },
    "formatters": {"lines": {"()": JsonLines}},
}


class NothingSent(logging.Filter):
    """Takes out of gunicorn's own lines what somebody sent, and from where: it writes both of what it cannot read."""

    def filter(self, record: logging.LogRecord) -> bool:
        """Every line stays, some of them in other words."""
        said = str(record.msg)
        if said.startswith("Invalid request from ip="):
            record.msg, record.args = "a request that could not be read as HTTP was refused", ()
        elif said.startswith("Error handling request"):
            error = record.exc_info[1] if record.exc_info else None
            lines = ["a request could not be answered", *(kinds_and_places(error) if error else ())]
            record.msg, record.args, record.exc_info = "\n  ".join(lines), (), None
        return True


def leave_out_what_was_sent() -> None:
    """Of gunicorn's lines, from now on."""
    logging.getLogger("gunicorn.error").addFilter(NothingSent())


def moment(seconds: float) -> str:
    """A point in time as logs write it."""
    return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="milliseconds")


def unexpected(error: BaseException) -> None:
    """An error that nobody expected, with the operation it happened in."""
    lines = [f"unexpected error in {request.method} {request.endpoint}", *kinds_and_places(error)]
    LOG.error("\n  ".join(lines))


def kinds_and_places(error: BaseException) -> list[str]:
    """The kind of an error and the lines of code it went through; of what caused it, too."""
    found: list[str] = []
    seen: set[int] = set()
    at: BaseException | None = error
    while at is not None and id(at) not in seen:
        seen.add(id(at))
        frames = traceback.extract_tb(at.__traceback__)
        found += [f"{frame.filename}:{frame.lineno} in {frame.name}" for frame in frames]
        found.append(type(at).__qualname__)
        at = at.__cause__ or at.__context__
    return found
