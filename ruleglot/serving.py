"""`ruleglot serve`: gunicorn where it runs, a server in pure Python elsewhere."""

from __future__ import annotations

import os
import socket
import sys
from io import StringIO
from pathlib import Path

import segno

from ruleglot.in_process import HOME

SERVERS = GUNICORN, WAITRESS = ("gunicorn", "waitress")
TRIES = 100
EVERYWHERE = ("0.0.0.0", "::", "")  # noqa: S104  what whoever serves for a network has asked for
FAR = ("192.0.2.1", 9)  # reserved for documents: only the way there is looked up, and nothing is sent


def taken(host: str, port: int) -> bool:
    """Does somebody else serve here already?"""
    with socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
        except OSError:
            return True
    return False


def free_port(port: int) -> int:
    """The next port that nobody uses."""
    return next((one for one in range(port + 1, port + TRIES) if not taken("127.0.0.1", one)), port + 1)


def address_here() -> str | None:
    """The address of this computer in its network, if it is in one."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(FAR)
        except OSError:
            return None
        found = str(probe.getsockname()[0])
    return None if found.startswith("127.") or found in EVERYWHERE else found


def page_address(host: str, port: int) -> str:
    """The address to open in a browser."""
    return f"http://[{host}]:{port}/" if ":" in host else f"http://{host}:{port}/"


def qr(address: str) -> str:
    """The address as a code for a phone's camera."""
    drawn = StringIO()
    segno.make(address, error="l", micro=False).terminal(out=drawn, compact=True)
    return drawn.getvalue()


def serve(host: str, port: int, server: str | None = None) -> None:
    """Serve until somebody ends it, with the server named or with that of this computer.

    Python is started so that the current folder is not searched, and gunicorn in the folder that holds our packages,
    because a folder with a `service` of its own must not be served instead.
    """
    if (server or (WAITRESS if sys.platform == "win32" else GUNICORN)) == WAITRESS:
        _serve_in_pure_python(host, port)
        return
    os.environ.update({"HOST": host, "PORT": str(port), **_absolute("RULEGLOT_COMPONENTS", "RULEGLOT_DATA")})
    os.chdir(HOME)  # gunicorn looks at where it is before it reads its settings
    gunicorn = ["-m", "gunicorn", "--config", "python:service.gunicorn_conf", "--chdir", str(HOME)]
    os.execv(sys.executable, [sys.executable, "-P", *gunicorn])  # noqa: S606  our own arguments


def _absolute(*names: str) -> dict[str, str]:
    """Settings that name a place, as seen from where the command was given."""
    return {name: str(Path(os.environ[name]).resolve()) for name in names if os.environ.get(name)}


def _serve_in_pure_python(host: str, port: int) -> None:
    """With waitress, which needs no fork."""
    from waitress import serve as serve_app  # noqa: PLC0415  only where gunicorn does not run

    from service import constants, pages, search  # noqa: PLC0415  so that the other commands start faster
    from service.app import create_app  # noqa: PLC0415
    from service.config import WrongSetting  # noqa: PLC0415

    try:
        app = create_app()
    except WrongSetting as wrong:
        raise SystemExit(str(wrong)) from None
    search.warm()
    constants.warm()
    pages.warm(app)
    serve_app(app, host=host, port=port, threads=16)
