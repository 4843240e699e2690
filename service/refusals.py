"""What gunicorn refuses before the application sees it, as the same kind of problem as everything else.

Nothing of such a request can be relied on, its languages neither: these are in English.
"""

from __future__ import annotations

from typing import Any

from service import problems
from service.answers import encode
from service.languages import reader
from service.operations import SAFE

# By the status that gunicorn answers with; whatever else it finds wrong is no HTTP.
CODES = {414: "address-too-long", 417: "expectation-failed", 431: "headers-too-large", 500: "server-error"}


def instead_of_pages() -> None:
    """Let gunicorn answer with problems; it has no setting for that, only this one function."""
    from gunicorn import util  # noqa: PLC0415  where another server serves there is none

    util.write_error = write


def write(sock: Any, status: int, _reason: str, _message: str) -> None:
    """Refuse what was sent on this connection; what was wrong with it is not repeated."""
    try:
        sock.sendall(refusal(status))
    except OSError:
        return  # nobody is there any more


def refusal(status: int) -> bytes:
    """The whole answer, its head included."""
    body = problems.told(problems.Problem(CODES.get(status, "bad-request")), reader("en"))
    content = encode(body)
    headers = (
        ("Connection", "close"),
        ("Content-Type", "application/problem+json"),
        ("Content-Language", "en"),
        ("Content-Length", str(len(content))),
        *SAFE,
    )
    lines = [
        f"HTTP/1.1 {body.status} {_REASONS[body.status]}",
        *(f"{name}: {value}" for name, value in headers),
    ]
    return "\r\n".join([*lines, "", ""]).encode() + content


_REASONS = {
    400: "Bad Request",
    414: "URI Too Long",
    417: "Expectation Failed",
    431: "Request Header Fields Too Large",
    500: "Internal Server Error",
}
