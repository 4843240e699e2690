"""Positions, actions and inputs in and out of plain JSON values, with a pointer for whatever is wrong."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Annotated, Any, ClassVar

import msgspec
from msgspec import UNSET, Meta, Struct, UnsetType

from engine import pointers
from engine.exceptions import Unreadable
from engine.explain import explainer

escape = pointers.escape  # the catalogue takes it from here
LARGEST = 2**53  # beyond this JSON programs no longer agree on a number's value
Number = Annotated[int, Meta(ge=-LARGEST, le=LARGEST)]  # a die of 7 is an answer, if a wrong one


class Input(Struct, frozen=True, forbid_unknown_fields=True):
    """One answer to a procedure's question, under exactly one of these names."""

    exactly_one: ClassVar[bool] = True  # as its schema says

    die: Number | UnsetType = UNSET
    dice: list[Number] | UnsetType = UNSET
    cube: str | UnsetType = UNSET
    marker: str | UnsetType = UNSET
    choose: Any = UNSET
    read: Any = UNSET


def read(given: Any, kind: Any, pointer: str) -> Any:
    """A JSON value as a value of the engine; the first place that does not fit is named with its pointer."""
    try:
        return msgspec.convert(given, kind)
    except msgspec.ValidationError:
        pass
    whole = whole_numbers(given)
    try:
        return msgspec.convert(whole, kind)
    except msgspec.ValidationError:
        found = explainer(kind).errors(whole, pointer)
        raise found[0] if found else Unreadable("unknown-value", pointer, given=str(given)) from None


def read_inputs(given: list[Any], pointer: str = "/inputs") -> list[tuple[str, Any]]:
    """The answers in order, each as its name and value."""
    return answers([read(one, Input, f"{pointer}/{number}") for number, one in enumerate(given)], pointer)


def answers(given: Iterable[Input], pointer: str = "/inputs") -> list[tuple[str, Any]]:
    """The answers that inputs hold, in order, each as its name and value."""
    found = []
    for number, one in enumerate(given):
        named = [name for name in Input.__struct_fields__ if getattr(one, name) is not UNSET]
        if len(named) != 1:
            raise Unreadable("not-one-answer", f"{pointer}/{number}", allowed=list(Input.__struct_fields__))
        found.append((named[0], whole_numbers(getattr(one, named[0]))))
    return found


def write(value: Any) -> Any:
    """An engine value as plain JSON values; what was not told is left out."""
    return msgspec.to_builtins(value)


def changes(before: Any, after: Any, pointer: str = "") -> Iterator[tuple[str, Any, Any]]:
    """Every place where two positions differ; parts they share are not looked into."""
    if before is after:
        return
    if isinstance(before, Struct) and type(before) is type(after):
        fields = zip(
            before.__struct_encode_fields__,
            msgspec.structs.astuple(before),
            msgspec.structs.astuple(after),
            strict=True,
        )
        for key, old, new in fields:
            if old is not new:
                yield from changes(old, new, f"{pointer}/{key}")
    elif isinstance(before, dict) and isinstance(after, dict):
        for key in before.keys() | after.keys():
            old, new = before.get(key, UNSET), after.get(key, UNSET)
            if old is not new:
                yield from changes(old, new, f"{pointer}/{escape(key)}")
    elif type(before) is not type(after) or before != after:
        yield pointer, before, after


def whole_numbers(value: Any) -> Any:
    """JSON knows one kind of number: 2.0 is the whole number 2."""
    if isinstance(value, dict):
        return {key: whole_numbers(item) for key, item in value.items()}
    if isinstance(value, list):
        return [whole_numbers(item) for item in value]
    if isinstance(value, float) and value.is_integer() and abs(value) <= LARGEST:
        return int(value)
    return value
