"""The files of the page, under addresses that change with their content and may be kept for a year."""

from __future__ import annotations

import gzip
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

from flask import Blueprint, Response, abort, request

HERE = Path(__file__).parent / "static"
TYPES = {".css": "text/css; charset=utf-8", ".js": "text/javascript; charset=utf-8"}

screen = Blueprint("page_static", __name__)


class File(NamedTuple):
    """A file as it is sent."""

    address: str
    media: str
    plain: bytes
    packed: bytes


@cache
def files() -> dict[str, File]:
    """Every file by its name, read once."""
    return {path.name: _file(path) for path in sorted(HERE.iterdir()) if path.suffix in TYPES}


def _file(path: Path) -> File:
    plain = path.read_bytes()
    mark = sha256(plain).hexdigest()[:10]
    packed = gzip.compress(plain, 9, mtime=0)
    return File(f"/static/{path.stem}.{mark}{path.suffix}", TYPES[path.suffix], plain, packed)


@cache
def _by_address() -> dict[str, File]:
    return {file.address: file for file in files().values()}


def address(name: str) -> str:
    """Where a file is served."""
    return files()[name].address


@screen.get("/static/<name>")
def static_file(name: str) -> Response:
    """A file of the page."""
    file = _by_address().get(f"/static/{name}")
    if file is None:
        abort(404)
    kept = {"Cache-Control": "public, max-age=31536000, immutable", "Vary": "Accept-Encoding"}
    if request.accept_encodings["gzip"] > 0:
        return Response(file.packed, headers={**kept, "Content-Encoding": "gzip"}, content_type=file.media)
    return Response(file.plain, headers=kept, content_type=file.media)
