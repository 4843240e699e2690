"""The shape of a type: what stands at the end of a path inside it."""

from __future__ import annotations

from functools import cache
from typing import Any

from msgspec import inspect


@cache
def shape(kind: Any) -> inspect.Type:
    """What a type is made of; looking at it anew costs more than a whole check."""
    return inspect.type_info(kind)


def leads_to(kind: inspect.Type, path: tuple[str, ...]) -> inspect.Type | None:
    """The type at the end of a path inside another; None where there is no such place."""
    if not path:
        return kind
    for one in members(kind):
        inner = _inside(one, path[0])
        found = None if inner is None else leads_to(inner, path[1:])
        if found is not None:
            return found
    return None


def _inside(kind: inspect.Type, key: str) -> inspect.Type | None:
    if isinstance(kind, inspect.StructType):
        return next((field.type for field in kind.fields if field.encode_name == key), None)
    if isinstance(kind, inspect.DictType):
        return kind.value_type if _can_be(kind.key_type, key) else None
    if isinstance(kind, inspect.TupleType):
        return kind.item_types[0]
    return kind.item_type if isinstance(kind, inspect.CollectionType) else None


def _can_be(kind: inspect.Type, key: str) -> bool:
    """Can a key of this type be so called?"""
    return any(not isinstance(one, inspect.LiteralType) or key in one.values for one in members(kind))


def members(kind: inspect.Type) -> list[inspect.Type]:
    """The types that a type is one of; that it may be left out is none of them."""
    if isinstance(kind, inspect.Metadata):
        return members(kind.type)
    if isinstance(kind, inspect.UnionType):
        return [inner for one in kind.types for inner in members(one)]
    return [kind]
