"""The kept files: one JSON object a line, compressed; components, which repeat, stand once in a file of their own."""

from __future__ import annotations

import lzma
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

HERE = Path(__file__).parent
PAUSES, TRANSCRIPTS, COMPONENTS = HERE / "pauses", HERE / "transcripts", HERE / "components.jsonl.xz"
ENDING = ".jsonl.xz"


class Given(Struct, frozen=True):
    """A request at a pause, and what came of it."""

    label: str  # whose: the example's own, or one that every pause of its kind was given
    action: dict[str, Any]
    inputs: list[dict[str, Any]]
    came: dict[str, Any]


class Pause(Struct, frozen=True):
    """A position under way, and the requests that were put to it."""

    id: str
    game: str
    position: dict[str, Any]
    choices: dict[str, str]
    components: int
    given: list[Given]


class Session(Struct, frozen=True):
    """A transcript as it was written, and what a replay made of each move."""

    id: str
    game: str
    transcript: dict[str, Any]  # without components
    components: int
    moved: list[dict[str, Any]]
    position: dict[str, Any]  # at the end


def pauses(name: str) -> list[Pause]:
    """The pauses of a kept file."""
    return [msgspec.json.decode(line, type=Pause) for line in _lines(PAUSES / f"{name}{ENDING}")]


def sessions(name: str) -> list[Session]:
    """The transcripts of a kept file."""
    return [msgspec.json.decode(line, type=Session) for line in _lines(TRANSCRIPTS / f"{name}{ENDING}")]


def names(folder: Path) -> list[str]:
    """The kept files of a folder."""
    return sorted(path.name.removesuffix(ENDING) for path in folder.glob(f"*{ENDING}"))


@cache
def components() -> list[Any]:
    """All components met, by number."""
    return [msgspec.json.decode(line) for line in _lines(COMPONENTS)]


def write(path: Path, lines: Iterable[Any]) -> None:
    """One file, which must not exist: what is kept is not written over."""
    path.parent.mkdir(exist_ok=True)
    text = b"".join(msgspec.json.encode(line) + b"\n" for line in lines)
    with path.open("xb") as file:
        file.write(lzma.compress(text, preset=9 | lzma.PRESET_EXTREME))


def _lines(path: Path) -> Iterator[bytes]:
    return iter(lzma.decompress(path.read_bytes()).splitlines())
