"""The golden games: whole games as transcripts and as session reports in all four languages.

`python -m tests.games.golden` writes the reports anew; the test compares.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from engine import transcript
from engine.navajo_wars import GAME
from engine.transcript import Transcript
from service.report import as_text, session
from tests.games.playing import COPY
from tests.shown import components

HERE = Path(__file__).parent / "golden"
LANGUAGES = ("en", "fr", "it", "ja")


class Golden(NamedTuple):
    """A game worth keeping: which scenario, by which seed, how carefully played."""

    name: str
    scenario: str
    seed: int
    careful: int


GAMES = (
    Golden("rise-of-the-people", "14.1", 5, 4),
    Golden("the-rope-thrower", "14.5", 1, 4),
)


def file(name: str, ending: str) -> Path:
    """Where a part of a golden game stands."""
    return HERE / f"{name}.{ending}"


def written(game: Transcript) -> bytes:
    """A transcript as a file, without the copy it was played with: that has a file of its own."""
    plain: dict[str, Any] = transcript.write(game)
    del plain["components"]
    return msgspec.json.format(msgspec.json.encode(plain), indent=1) + b"\n"


def read(name: str) -> Transcript:
    """A golden game from its file."""
    plain = msgspec.json.decode(file(name, "json").read_bytes())
    return transcript.read(GAME, {**plain, "components": components(COPY)})


def told(game: Transcript, lang: str) -> str:
    """The session report."""
    return as_text(session(GAME, transcript.replay(GAME, game), lang)) + "\n"


def main() -> None:
    """Write every report anew; the games themselves stay as they were recorded."""
    for golden in GAMES:
        for lang in LANGUAGES:
            file(golden.name, f"{lang}.txt").write_text(told(read(golden.name), lang), encoding="utf-8")


if __name__ == "__main__":
    main()
