"""Every action of a kind that can be written at all, from the types of its parameters: no rule has a say in it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import combinations, product
from typing import Any

import msgspec
from msgspec import UNSET, inspect

from engine.actions import Action

MOST_COUNTED = 7  # counts are tried from 0 to this


def every_action(action: Action, position: Any) -> Iterator[Any]:
    """All of them; free names are those the position has, and what is a list or an object is one of its own."""
    if action.name == "barter":
        yield from _barters(action.kind, position)
        return
    commands = getattr(position, "commands", UNSET)
    names = [] if commands is UNSET else [command.name for command in commands]
    info: Any = inspect.type_info(action.kind)
    fields = [field.name for field in info.fields]
    values = [list(dict.fromkeys(_values(field, names))) for field in info.fields]
    for one in product(*values):
        told = dict(zip(fields, one, strict=True))
        if not TO_THE_POINT.get(action.name, lambda _: True)(told):
            continue
        yield action.kind(**told)


def _play(told: dict[str, Any]) -> bool:
    """What a use has no place for is left out, or there would be a hundred thousand plays."""
    copies = told["use"] == "as"
    if copies != isinstance(told["as_"], str) or (not copies and told["as_use"] is not UNSET):
        return False
    if told["use"] != "reroll" and told["roll"] is not UNSET:
        return False
    return "activate" in (told["use"], told["as_use"]) or told["command"] is UNSET


def _elder_action(told: dict[str, Any]) -> bool:
    """Only a change of Ferocity has a Family and a direction."""
    return told["choice"] == "ferocity" or (told["family"], told["change"]) == (None, None)


TO_THE_POINT: dict[str, Callable[[dict[str, Any]], bool]] = {
    "play-stratagem": _play,
    "elder-action": _elder_action,
}


def _values(field: Any, names: list[str]) -> Iterator[Any]:
    if not field.required:  # what msgspec names no default for is left out
        told = field.default if field.default_factory is msgspec.NODEFAULT else field.default_factory()
        yield UNSET if told is msgspec.NODEFAULT else told
    yield from _of_type(field.type, names)


def _of_type(kind: Any, names: list[str]) -> Iterator[Any]:  # noqa: C901  # one branch for each kind of type
    if isinstance(kind, inspect.Metadata):
        yield from _of_type(kind.type, names)
    elif isinstance(kind, inspect.LiteralType):
        yield from kind.values
    elif isinstance(kind, inspect.BoolType):
        yield from (False, True)
    elif isinstance(kind, inspect.IntType):
        yield from range(kind.ge or 0, min(MOST_COUNTED if kind.le is None else kind.le, MOST_COUNTED) + 1)
    elif isinstance(kind, inspect.NoneType):
        yield None
    elif isinstance(kind, inspect.StrType):
        yield from names
    elif isinstance(kind, inspect.UnionType):
        for one in kind.types:
            yield from _of_type(one, names)
    elif isinstance(kind, inspect.VarTupleType):
        inner = list(_of_type(kind.item_type, names))
        for size in range(len(inner) + 1):
            yield from combinations(inner, size)
    elif not isinstance(kind, inspect.CustomType | inspect.AnyType) and "Unset" not in type(kind).__name__:
        raise TypeError(f"no way to list {kind}")


def _barters(kind: Any, position: Any) -> Iterator[Any]:
    """Every mix of three Animals, and every set of the Corn counters that are there from which none can be spared."""
    for horses in range(4):
        yield kind(animals={"horse": horses, "sheep": 3 - horses})
    there = getattr(position.resources, "corn", UNSET)
    corn = () if there is UNSET else there
    for size in range(1, len(corn) + 1):
        for chosen in set(combinations(sorted(corn), size)):
            if sum(chosen) >= 6 and sum(chosen) - min(chosen) < 6:
                yield kind(corn=chosen)


def effect(position: Any) -> bytes:
    """A position so that two can be compared; the order of Corn counters means nothing."""
    return msgspec.json.encode(position, order="sorted")
