"""The server's components file: the operator's own printed tables and map, read once at the start."""

from __future__ import annotations

from codecs import BOM_UTF8
from pathlib import Path
from typing import Any

import msgspec

from engine import codec
from engine.exceptions import Unreadable
from engine.game import Game
from service.games import GAMES
from service.plain_json import MOST_NESTED, is_too_deep


def load(path: Path | None, game: Game) -> Any:
    """What a TOML or JSON file tells of a game; without a file, nothing."""
    if path is None:
        return game.components()
    text = path.read_bytes().removeprefix(BOM_UTF8)
    told = msgspec.json.decode(text) if path.suffix == ".json" else msgspec.toml.decode(text)
    if is_too_deep(told):
        raise ValueError(f"nested more than {MOST_NESTED} deep")
    if isinstance(told, dict):
        told = {key: value for key, value in told.items() if _belongs(key, game)}
    try:
        return codec.read(told, game.components, "")
    except Unreadable as error:
        raise Unreadable(error.code, f"{path}#{error.pointer}", **error.params) from None


def _belongs(key: str, game: Game) -> bool:
    """A game reads the section of its name, if it has one; the others read what is no game's section."""
    if game.name in game.components.__struct_fields__:
        return key == game.name
    return key not in GAMES


def over(file: Any, sent: Any) -> Any:
    """The file's values, with whatever a request tells in their place."""
    plain = type(sent)()
    if sent == plain:
        return file
    told = {
        name: getattr(sent, name)
        for name in sent.__struct_fields__
        if getattr(sent, name) != getattr(plain, name)
    }
    return msgspec.structs.replace(file, **told) if told else file
