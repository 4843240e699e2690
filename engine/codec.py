"""Positions, actions and inputs in and out of plain JSON values, with a pointer for whatever is wrong."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache
from itertools import compress
from operator import is_not
from typing import Annotated, Any, ClassVar

import msgspec
from msgspec import UNSET, Meta, Raw, Struct, UnsetType

from engine import pointers
from engine.exceptions import Unreadable
from engine.explain import explainer

escape = pointers.escape  # the catalogue takes it from here
LARGEST = 2**53  # beyond this JSON programs no longer agree on a number's value
Number = Annotated[int, Meta(ge=-LARGEST, le=LARGEST)]  # a die of 7 is an answer, if a wrong one


Facts = Annotated[dict[str, Any], Meta(min_length=1)]  # by their places


class Input(Struct, frozen=True, forbid_unknown_fields=True):
    """One answer, facts told by their JSON pointers (null takes an entry away), or a fact that is no longer told."""

    exactly_one: ClassVar[bool] = True  # as its schema says

    die: Number | UnsetType = UNSET
    dice: list[Number] | UnsetType = UNSET
    cube: str | UnsetType = UNSET
    marker: str | UnsetType = UNSET
    choose: Any = UNSET
    read: Any = UNSET
    tell: Facts | UnsetType = UNSET
    untell: str | UnsetType = UNSET


TELLS = ("tell", "untell")


def read(given: Any, kind: Any, pointer: str) -> Any:
    """A JSON value, or its text, as a value of the engine; the first place that does not fit is named with its pointer."""
    try:
        return _converted(given, kind)
    except msgspec.ValidationError:
        pass
    whole = whole_numbers(msgspec.json.decode(given) if given.__class__ is Raw else given)
    try:
        return _converted(whole, kind)
    except msgspec.ValidationError:
        found = explainer(kind).errors(whole, pointer)
        raise found[0] if found else Unreadable("unknown-value", pointer, given=str(given)) from None


INSIDE_JSON = (dict, list)  # what JSON looks into


def _converted(given: Any, kind: Any) -> Any:
    """A JSON object or list goes through its text: `convert` looks at the type anew each time, a decoder once."""
    if given.__class__ is Raw:
        return _decoder(kind).decode(given)
    if given.__class__ not in INSIDE_JSON:
        return msgspec.convert(given, kind)
    try:
        text = msgspec.json.encode(given)
    except (OverflowError, TypeError, ValueError):  # a number or a letter that JSON cannot have
        return msgspec.convert(given, kind)
    return _decoder(kind).decode(text)


@cache
def _decoder(kind: Any) -> msgspec.json.Decoder[Any]:
    return msgspec.json.Decoder(kind)


def read_inputs(given: list[Any], pointer: str = "/inputs") -> list[tuple[str, Any]]:
    """The answers in order, each as its name and value."""
    return answers(read(given, list[Input], pointer), pointer)


def answers(given: Iterable[Input], pointer: str = "/inputs") -> list[tuple[str, Any]]:
    """The answers that inputs hold, in order, each as its name and value."""
    found = []
    for number, one in enumerate(given):
        said = zip(Input.__struct_fields__, msgspec.structs.astuple(one), strict=True)
        told = [named for named in said if named[1] is not UNSET]
        if len(told) != 1:
            raise Unreadable("not-one-answer", f"{pointer}/{number}", allowed=list(Input.__struct_fields__))
        name, value = told[0]
        found.append((name, whole_numbers(value)))
    return found


def write(value: Any) -> Any:
    """An engine value as plain JSON values; what was not told is left out."""
    return msgspec.to_builtins(value)


INSIDE = (Struct, dict)  # what is looked into


def changes(
    before: Any, after: Any, pointer: str = "", *, whole: bool = True
) -> Iterator[tuple[str, Any, Any]]:
    """Every place where two positions differ; parts they share are not looked into.

    What is left out of a `whole` collection is not there; a type says by `left_out` what that is for its fields.
    """
    parts = _parts(before, after, whole)
    if parts is None:
        if type(before) is not type(after) or before != after:
            yield pointer, before, after
        return
    partial = {} if pointer else getattr(after, "partial", {})
    for key, old, new in parts:
        if isinstance(new, INSIDE):
            yield from changes(old, new, f"{pointer}/{key}", whole=whole and not partial.get(key))
        elif type(old) is not type(new) or old != new:
            yield f"{pointer}/{key}", old, new


def _parts(before: Any, after: Any, whole: bool) -> Iterable[tuple[str, Any, Any]] | None:
    """What both consist of and do not share, by name; None where they are not of one kind or have no parts."""
    if isinstance(before, Struct) and type(before) is type(after):
        was, now = msgspec.structs.astuple(before), msgspec.structs.astuple(after)
        fields = compress(zip(before.__struct_encode_fields__, was, now, strict=True), map(is_not, was, now))
        left_out = getattr(before, "left_out", None) if whole else None
        if left_out is None:
            return fields
        return (
            (name, left_out[name] if old is UNSET else old, left_out[name] if new is UNSET else new)
            for name, old, new in fields
        )
    if isinstance(before, dict) and isinstance(after, dict):
        both = ((key, before.get(key, UNSET), after.get(key, UNSET)) for key in before.keys() | after.keys())
        return ((escape(key), old, new) for key, old, new in both if old is not new)
    return None


def whole_numbers(value: Any) -> Any:
    """JSON knows one kind of number: 2.0 is the whole number 2."""
    if isinstance(value, dict):
        return {key: whole_numbers(item) for key, item in value.items()}
    if isinstance(value, list):
        return [whole_numbers(item) for item in value]
    if isinstance(value, float) and value.is_integer() and abs(value) <= LARGEST:
        return int(value)
    return value
