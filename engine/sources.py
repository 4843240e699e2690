"""The documents that a game rests on."""

from __future__ import annotations

from msgspec import Struct

from engine.messages import Message, message


class Source(Struct, frozen=True):
    """A document: the id that rules name it by, the language it is in, and what it covers."""

    id: str
    language: str
    covers: Message


def source(name: str, language: str, covers: str) -> Source:
    """A document and its sentence."""
    return Source(name, language, message(f"source.{name}", covers))


FACTS = source("facts", "en", "Public facts of both games: reviews, play reports and companion programs.")
