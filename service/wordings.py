"""Facts and their values in words: what changed, what a chart has noted, what an action names."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache, lru_cache
from typing import Any

from babel.lists import format_list
from msgspec import NODEFAULT, UNSET, Struct, inspect, structs

from engine.actions import Said, say
from engine.game import Game
from engine.messages import Ref, message
from engine.naming import Kind
from engine.pointers import parts
from engine.shapes import leads_to, members, shape
from engine.verdict import Unknown
from service.games import GAMES
from service.languages import Reader
from service.languages import reader as reader_of
from service.terms import Language
from service.typed_forms import NAMED, NO, NONE, NONE_OF_SEVERAL, YES

BY = message("value.changed-by", "%(label)s %(by)s")
OF_FIELD = message("value.of-field", "%(label)s: %(value)s")
MOST_SAID_WHOLE = 2  # entries of a collection whose values are said, too
MOST_LISTED = 12  # values in one sentence; longer lists are told by their number
NAME_AND_NUMBER = message("value.name-and-number", "%(name)s %(number)s")
PART_TOLD = message("value.part-told", "%(fact)s: only a part of this is told")
SO_MANY = message("value.so-many", "%(count)s in all")


def kind_of(game: Game, *values: Any) -> Kind | None:
    """The sort that values are of."""
    return _kind_of(game.name, values)


@lru_cache(maxsize=4096)  # values may be names that a player gives
def _kind_of(game_name: str, values: tuple[Any, ...]) -> Kind | None:
    return GAMES[game_name].names.kind_of(values)


@lru_cache(maxsize=4096)  # a path may have numbers and names that somebody chose
def type_at(game_name: str, path: tuple[str, ...]) -> inspect.Type | None:
    """The type of what stands at a place of the position."""
    return leads_to(shape(GAMES[game_name].position), path)


@cache
def type_in(owner: type[Struct], field: str) -> inspect.Type:
    """The type of a field."""
    found = shape(owner)
    assert isinstance(found, inspect.StructType)  # noqa: S101  the callers have structures
    return next(one.type for one in found.fields if field in (one.name, one.encode_name))


@lru_cache(maxsize=4096)
def fact(game_name: str, path: tuple[str, ...]) -> Said | None:
    """What stands at a place of the position: by the game's own words for it, else by the field nearest to it."""
    names = GAMES[game_name].names
    try:
        found = names.fact(list(path))
    except KeyError:  # a place that the game does not name in particular
        found = None
    if found is not None:
        return found
    label = next((names.labels[part] for part in reversed(path) if part in names.labels), None)
    return None if label is None else say(NAMED, value=label)


def told_in_part(reader: Reader, game_name: str, collection: str) -> str:
    """That only a part of a collection is told, by its name in `partial`."""
    path = tuple(collection.split("."))
    found = fact(game_name, path)
    named = reader.listed(path) if found is None else reader.say(found.message, found.params)
    return reader.say(PART_TOLD, {"fact": named})


def value(reader: Reader, game: Game, kind: inspect.Type | None, told: Any) -> str:
    """A value in words, by its type."""
    if told is None:
        return reader.say(NONE, {})
    if isinstance(told, bool):
        return reader.say(YES if told else NO, {})
    if isinstance(told, Unknown):
        return "?"
    if is_change(told):
        return _change(reader, game, told)
    if isinstance(told, Struct):
        return _counted(reader, game, told)
    if isinstance(told, tuple | list):
        return _together(reader, [value(reader, game, _item(kind), one) for one in told])
    if isinstance(told, dict):
        return _entries(reader, game, kind, told)
    return _plain(reader, game, kind, told)


def is_change(told: Any) -> bool:
    """Is this one change that a printed result makes?"""
    return isinstance(told, Struct) and told.__struct_encode_fields__ == ("pointer", "by", "to")


def _change(reader: Reader, game: Game, told: Any) -> str:
    """A change that a printed result makes: what is counted up or down, or what it becomes."""
    path, label = tuple(parts(told.pointer)), named(reader, game, told.pointer)
    if told.by is not UNSET:
        return reader.say(BY, {"label": label, "by": signed(told.by)})
    return reader.say(
        OF_FIELD, {"label": label, "value": value(reader, game, type_at(game.name, path), told.to)}
    )


def named(reader: Reader, game: Game, pointer: str) -> str:
    """What stands at a place of the position, by its name."""
    path = tuple(parts(pointer))
    said = fact(game.name, path)
    return reader.listed(path) if said is None else reader.say(said.message, said.params)


def signed(amount: int) -> str:
    """An amount as it is added or taken away."""
    return f"{amount:+}".replace("-", "\N{MINUS SIGN}")


def _entries(reader: Reader, game: Game, kind: inspect.Type | None, told: dict[Any, Any]) -> str:
    """A few entries with what stands in each; of more, only which there are."""
    names = {key: _plain(reader, game, kind, key) for key in told}
    if not 0 < len(told) <= MOST_SAID_WHOLE:
        return _together(reader, list(names.values()))
    return reader.manners.semicolon.join(_entry(reader, game, names[key], one) for key, one in told.items())


def _entry(reader: Reader, game: Game, name: str, told: Any) -> str:
    if isinstance(told, Struct):
        words = reader.manners.semicolon.join(_fields(reader, game, told))
    else:
        words = value(reader, game, None, told)
    return reader.say(OF_FIELD, {"label": name, "value": words}) if words else name


def _together(reader: Reader, words: list[str]) -> str:
    if not words:
        return reader.say(NONE_OF_SEVERAL, {})
    if len(words) == 1:
        return words[0]
    if len(words) > MOST_LISTED:
        return reader.say(SO_MANY, {"count": len(words)})
    return format_list(words, locale=reader.lang)


def _item(kind: inspect.Type | None) -> inspect.Type | None:
    for one in [] if kind is None else members(kind):
        if isinstance(one, inspect.CollectionType):
            return one.item_type
        if isinstance(one, inspect.TupleType):
            return one.item_types[0]
    return None


def _plain(reader: Reader, game: Game, kind: inspect.Type | None, told: Any) -> str:
    for one in [] if kind is None else members(kind):
        if isinstance(one, inspect.DictType):
            return _plain(reader, game, one.key_type, told)
        named = None
        if isinstance(one, inspect.LiteralType) and told in one.values:
            named = kind_of(game, *one.values)
        elif isinstance(one, inspect.IntType):
            named = game.names.numbered(one.ge, one.le)
        if named is not None and told in named.words:
            return reader.say(NAMED, {"value": named.words[told]})
    return str(told)


def _counted(reader: Reader, game: Game, told: Struct) -> str:
    """What a structure holds, without what is not told or not there; a name with its number by these alone."""
    if _is_numbered(type(told)):
        name, number = structs.astuple(told)
        return reader.say(NAME_AND_NUMBER, {"name": name, "number": number})
    return reader.manners.semicolon.join(_fields(reader, game, told)) or _together(reader, [])


@cache
def _is_numbered(kind: type[Struct]) -> bool:
    """Is this a free name and a number, as a card has them?"""
    found = shape(kind)
    assert isinstance(found, inspect.StructType)  # noqa: S101  it is one
    return [type(field.type) for field in found.fields] == [inspect.StrType, inspect.IntType]


def _fields(reader: Reader, game: Game, told: Struct) -> Iterator[str]:
    found = shape(type(told))
    assert isinstance(found, inspect.StructType)  # noqa: S101  it is one
    for field in found.fields:
        one = getattr(told, field.name)
        if one is UNSET or one is False or (field.default is not NODEFAULT and one == field.default):
            continue
        said = with_label(reader, game, type(told), field.name, one)
        if said is not None:
            yield said


def with_label(reader: Reader, game: Game, owner: type[Struct], field: str, told: Any) -> str | None:
    """A field and its value; what is simply so is said by the field alone."""
    if isinstance(told, str | int):
        return _with_label(reader.lang, game.name, owner, field, told)
    return _labelled(reader, game, owner, field, told)


@lru_cache(maxsize=4096, typed=True)  # the same values are noted again and again
def _with_label(lang: Language, game_name: str, owner: Any, field: str, told: str | int) -> str | None:
    return _labelled(reader_of(lang), GAMES[game_name], owner, field, told)


def _labelled(reader: Reader, game: Game, owner: type[Struct], field: str, told: Any) -> str | None:
    label = game.names.label(owner.__name__, field)
    if label is None:
        changes = isinstance(told, tuple) and all(map(is_change, told))
        return value(reader, game, None, told) if changes else None
    if told is True:
        return reader.say(NAMED, {"value": label})
    if field == "by_hand":
        words = _together(reader, [named(reader, game, pointer) for pointer in told])
    else:
        words = value(reader, game, type_in(owner, field), told)
    if _names_itself(game, field, told):
        return words
    shown = {"label": label, "value": words}
    return reader.say(OF_FIELD, shown)


def _names_itself(game: Game, field: str, told: Any) -> bool:
    """Does the value say by itself what it is, as “Family C” does?"""
    kind = kind_of(game, told) if isinstance(told, str) else None
    return kind is not None and kind.of == field


def parameter(reader: Reader, game: Game, owner: type[Struct], field: str, told: Any) -> str:
    """A parameter of an action as an answer names it: a number with what it counts, anything else by itself."""
    if isinstance(told, int):
        return with_label(reader, game, owner, field, told) or str(told)
    if isinstance(told, str):
        return _named(reader.lang, game.name, owner, field, told)
    return value(reader, game, type_in(owner, field), told)


@lru_cache(maxsize=4096)  # the same Families and Areas are offered again and again
def _named(lang: Language, game_name: str, owner: Any, field: str, told: str) -> str:
    return value(reader_of(lang), GAMES[game_name], type_in(owner, field), told)


def thing(reader: Reader, ref: Ref) -> str:
    """A thing of the game in words."""
    return reader.say(NAMED, {"value": ref})
