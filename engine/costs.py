"""In which order facts are asked for: what is told with one tap first, a list or a record last."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import Any

from msgspec import inspect

from engine.at import At
from engine.pointers import parts
from engine.shapes import leads_to, members, shape
from engine.verdict import Fact

YES_NO, NUMBER, ONE, SOME, RECORD, LIST = range(6)
ACTION = "action"  # what is asked of the action itself comes first


def cheapest_first(at: At[Any], facts: Iterable[Fact]) -> tuple[Fact, ...]:
    """Facts in the order they are asked for; of those that cost the same, the one that is needed first."""
    found = tuple(facts)
    if len(found) < 2:
        return found
    position: Any = type(at.position)
    printed: Any = type(at.components)
    return tuple(sorted(found, key=lambda fact: _cost(position, printed, fact.pointer, bool(fact.pointers))))


@lru_cache(maxsize=4096)  # a pointer may name what somebody chose
def _cost(position: Any, components: Any, pointer: str, several: bool) -> int:
    """How much it takes to tell a fact."""
    if several:
        return SOME
    path = tuple(parts(pointer))
    if path[0] == ACTION:
        return YES_NO
    printed = path[0] == "components"
    found = leads_to(shape(components if printed else position), path[1:] if printed else path)
    return ONE if found is None else max(_cost_of(one) for one in members(found))


def _cost_of(kind: inspect.Type) -> int:
    if isinstance(kind, inspect.BoolType | inspect.NoneType):
        return YES_NO
    if isinstance(kind, inspect.IntType):
        return NUMBER
    if isinstance(kind, inspect.LiteralType | inspect.StrType):
        return ONE
    return RECORD if isinstance(kind, inspect.StructType) else LIST
