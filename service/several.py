"""One question about several facts: what can be so, and what is told of all the others."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import Any

from msgspec import inspect

from engine.game import Game
from engine.messages import message
from engine.pointers import parts
from engine.shapes import members
from service import forms, wordings
from service.forms import FactField, FormOption, Group, Question
from service.games import GAMES
from service.languages import voice
from service.typed_forms import of_fact

MOST_COUNTED = 4  # counters of a kind in one place that get an option each
PARTIAL = "partial"

SO_MANY_OF = message("several.so-many", "%(thing)s: %(count)s")


def tells(question: Question, answer: Any) -> dict[str, Any]:
    """What an answer to a question for facts tells, by pointer."""
    if not question.pointers:
        return {str(question.pointer): answer}
    form: Any = question.form
    chosen = answer if isinstance(answer, list) else [answer] if isinstance(answer, dict) else []
    return {**form.otherwise, **{pointer: value for one in chosen for pointer, value in one.items()}}


@lru_cache(maxsize=512)
def of_facts(game_name: str, pointers: tuple[str, ...], lang: str) -> forms.Some | forms.Counters:
    """Everything that can be at these places, to be counted or chosen; what is not named is not there."""
    game = GAMES[game_name]
    paths = [tuple(parts(pointer)) for pointer in pointers]
    numbers = _numbers(game, paths, lang)
    if numbers:
        return _counted(game, pointers, numbers, lang)
    options = [
        one
        for path, pointer in zip(paths, pointers, strict=True)
        for one in _options(game, path, pointer, lang)
    ]
    otherwise = {pointer: none for pointer in pointers for none in _none(game, tuple(parts(pointer)))}
    return forms.Some(options=options, least=0, most=len(options), decline=[], otherwise=otherwise)


def _numbers(game: Game, paths: list[tuple[str, ...]], lang: str) -> list[forms.Number]:
    """The number each of these is, where it is asked how many of each kind there are in one box or display."""
    if len({path[:-1] for path in paths}) > 1:
        return []
    found = [of_fact(game.name, game.position, path, lang) for path in paths]
    numbers = [one for one in found if isinstance(one, forms.Number)]
    return numbers if len(numbers) == len(paths) else []


def _counted(game: Game, pointers: tuple[str, ...], numbers: list[forms.Number], lang: str) -> forms.Counters:
    """How many of each kind, one number beside another."""
    fields = [
        FactField(key=pointer, text=voice(lang).each(_named(game, tuple(parts(pointer)))), form=number)
        for pointer, number in zip(pointers, numbers, strict=True)
    ]
    return forms.Counters(fields=fields, otherwise=dict.fromkeys(pointers, 0))


def _named(game: Game, path: tuple[str, ...]) -> Callable[[Any], str]:
    """What is at a place; in a box, its own name."""
    label = game.names.labels.get(path[-1])
    said = wordings.fact(game.name, path)

    def worded(reader: Any) -> str:
        if label is not None:
            return wordings.thing(reader, label)
        return "" if said is None else str(reader.say(said.message, said.params))

    return worded


def _none(game: Game, path: tuple[str, ...]) -> Iterator[Any]:
    """What is told of a place where nothing is; nothing where that is told elsewhere."""
    kinds = _kinds(game, path)
    if any(isinstance(kind, inspect.BoolType) for kind in kinds):
        yield False
    elif any(isinstance(kind, inspect.IntType) for kind in kinds):
        yield 0
    elif any(isinstance(kind, inspect.NoneType) for kind in kinds):
        yield None


def _kinds(game: Game, path: tuple[str, ...]) -> list[inspect.Type]:
    kind = wordings.type_at(game.name, path)
    return [] if kind is None else members(kind)


def _options(game: Game, path: tuple[str, ...], pointer: str, lang: str) -> Iterator[FormOption]:
    if path[0] == PARTIAL:
        return
    for kind in _kinds(game, path):
        if isinstance(kind, inspect.BoolType):
            yield _option(game, path, pointer, True, lang)
        elif isinstance(kind, inspect.IntType):
            yield from (_option(game, path, pointer, many, lang) for many in range(1, MOST_COUNTED + 1))
        elif isinstance(kind, inspect.LiteralType):
            yield from (_option(game, path, pointer, value, lang) for value in kind.values)
        elif isinstance(kind, inspect.StructType):
            yield _option(game, path, pointer, {}, lang)


def _option(game: Game, path: tuple[str, ...], pointer: str, value: Any, lang: str) -> FormOption:
    """One thing that can be there, under the place it is in."""
    speaks = voice(lang)
    said = wordings.fact(game.name, path)
    kind = wordings.type_at(game.name, path)

    def worded(reader: Any, thing: str) -> str:
        if value is True or isinstance(value, dict):
            return thing
        if isinstance(value, int):
            return str(reader.say(SO_MANY_OF, {"thing": thing, "count": value}))
        return wordings.value(reader, game, kind, value)

    def whole(reader: Any) -> str:
        return worded(reader, "" if said is None else reader.say(said.message, said.params))

    if len(path) < 3:
        return FormOption(value={pointer: value}, text=speaks.each(whole))
    where = wordings.fact(game.name, path[:-1])
    label = game.names.labels[path[-1]]

    def short(reader: Any) -> str:
        return worded(reader, wordings.thing(reader, label))

    def placed(reader: Any) -> str:
        return "" if where is None else reader.say(where.message, where.params)

    def full(reader: Any) -> str:
        return whole(reader) if not isinstance(value, str) else f"{placed(reader)}: {short(reader)}"

    group = Group(key="/".join(path[:-1]), text=speaks.each(placed))
    return FormOption(
        value={pointer: value}, text=speaks.each(full), short=speaks.each(short), groups=[group]
    )
