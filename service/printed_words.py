"""What was read off the player's copy, in words: which place of it a pointer names, and what stands there."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from babel.lists import format_list
from msgspec import UNSET, Struct, convert, inspect

from engine.game import Game
from engine.messages import Ref
from engine.shapes import leads_to, members, shape
from service import wordings
from service.languages import Reader
from service.typed_forms import NAMED

Path = tuple[str, ...]


def named(reader: Reader, game: Game, path: Path) -> str:
    """A place of the copy by its name; how a file lays the copy out is nobody's word."""
    return reader.listed(filter(None, _steps(reader, game, path)))


def below(reader: Reader, game: Game, path: Path) -> str:
    """The same where the table or list is said already."""
    return reader.listed(filter(None, list(_steps(reader, game, path))[1:]))


def value(reader: Reader, game: Game, path: Path, told: Any) -> str:
    """What stands at a place of the copy."""
    return wordings.value(reader, game, leads_to(shape(game.components), path), told)


def leaves(told: Any, path: Path) -> Iterator[tuple[Path, Any]]:
    """Everything that is told, thing by thing: each cell of a table, each card."""
    if isinstance(told, dict):
        for key, inner in told.items():
            yield from leaves(inner, (*path, str(key)))
    elif isinstance(told, Struct) and len(path) == 1:
        for name, written in zip(told.__struct_fields__, told.__struct_encode_fields__, strict=True):
            inner = getattr(told, name)
            if inner is not UNSET and inner not in ((), {}):
                yield from leaves(inner, (*path, written))
    elif told is not UNSET:
        yield path, told


def cells(game: Game, path: Path, told: Any) -> Iterator[tuple[Path, Any]]:
    """The same of what a file or an answer tells, each thing as the game reads it."""
    kind = leads_to(shape(game.components), path)
    structs = [one for one in _kinds(kind) if isinstance(one, inspect.StructType)]
    if isinstance(told, dict) and (len(path) == 1 or not structs):
        for key, inner in told.items():
            yield from cells(game, (*path, str(key)), inner)
    elif structs and isinstance(told, dict):
        yield path, convert(told, structs[0].cls)
    else:
        yield path, _changes(kind, told)


def _changes(kind: inspect.Type | None, told: Any) -> Any:
    """A list of changes as such; anything else as it was told."""
    listed = [one.item_type for one in _kinds(kind) if isinstance(one, inspect.CollectionType)]
    items = [one.cls for inner in listed for one in _kinds(inner) if isinstance(one, inspect.StructType)]
    return convert(told, tuple[items[0], ...]) if items and isinstance(told, list) else told  # type: ignore[valid-type]


def _kinds(kind: inspect.Type | None) -> list[inspect.Type]:
    return [] if kind is None else members(kind)


def _steps(reader: Reader, game: Game, path: Path) -> Iterator[str]:
    """What each step of the way is called; nothing for one that has no name."""
    for number, step in enumerate(path):
        owner = leads_to(shape(game.components), path[:number])
        fields = [one for one in _kinds(owner) if isinstance(one, inspect.StructType)]
        listed = game.names.keys.get(path[number - 1]) if number else None
        if fields:
            label = game.names.label(fields[0].cls.__name__, step)
            yield "" if label is None or step in game.names.unsaid else _word(reader, label)
        else:
            words = [_key(reader, game, one, listed) for one in step.split("+")]
            yield format_list(words, locale=reader.lang) if all(words) else ""


def _key(reader: Reader, game: Game, key: str, of: str | None) -> str:
    """What a cell, a card or a place is called; a number by itself."""
    if of is not None and key.isdecimal():
        return next(_word(reader, one.words[int(key)]) for one in game.names.kinds if one.of == of)
    kind = wordings.kind_of(game, key)
    known = kind.words[key] if kind is not None else game.names.labels.get(key)
    return key if known is None else _word(reader, known)


def _word(reader: Reader, ref: Ref) -> str:
    return reader.say(NAMED, {"value": ref})
