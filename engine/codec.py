"""Positions, actions and inputs in and out of plain JSON values, with a pointer for whatever is wrong."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import msgspec
from msgspec import UNSET, Struct, UnsetType

from engine.exceptions import Unreadable


class Input(Struct, frozen=True, forbid_unknown_fields=True):
    """One answer to a procedure's question, under exactly one of these names."""

    die: int | UnsetType = UNSET
    dice: list[int] | UnsetType = UNSET
    cube: str | UnsetType = UNSET
    marker: str | UnsetType = UNSET
    choose: Any = UNSET
    read: Any = UNSET


def read(given: Any, kind: Any, pointer: str) -> Any:
    """A JSON value as a value of the engine; what does not fit is named with its pointer."""
    try:
        return msgspec.convert(given, kind)
    except msgspec.ValidationError:
        pass
    try:
        return msgspec.convert(_whole_numbers(given), kind)
    except msgspec.ValidationError as error:
        raise _located(error, given, kind, pointer) from None


def read_inputs(given: list[Any], pointer: str = "/inputs") -> list[tuple[str, Any]]:
    """The answers in order, each as its name and value."""
    answers = []
    for number, one in enumerate(given):
        found = read(one, Input, f"{pointer}/{number}")
        named = [name for name in Input.__struct_fields__ if getattr(found, name) is not UNSET]
        if len(named) != 1:
            raise Unreadable("not-one-answer", f"{pointer}/{number}", allowed=list(Input.__struct_fields__))
        answers.append((named[0], getattr(found, named[0])))
    return answers


def write(value: Any) -> Any:
    """An engine value as plain JSON values; what was not told is left out."""
    return msgspec.to_builtins(value)


def changes(before: Any, after: Any, pointer: str = "") -> Iterator[tuple[str, Any, Any]]:
    """Every place where two positions differ; parts they share are not looked into."""
    if before is after:
        return
    if isinstance(before, Struct) and type(before) is type(after):
        for name, key in zip(before.__struct_fields__, before.__struct_encode_fields__, strict=True):
            old, new = getattr(before, name), getattr(after, name)
            if old is not new:
                yield from changes(old, new, f"{pointer}/{key}")
    elif isinstance(before, dict) and isinstance(after, dict):
        for key in before.keys() | after.keys():
            old, new = before.get(key, UNSET), after.get(key, UNSET)
            if old is not new:
                yield from changes(old, new, f"{pointer}/{escape(key)}")
    elif type(before) is not type(after) or before != after:
        yield pointer, before, after


def escape(key: str) -> str:
    """A key as one part of a JSON pointer."""
    return key.replace("~", "~0").replace("/", "~1")


def _whole_numbers(value: Any) -> Any:
    """JSON knows one kind of number: 2.0 is the whole number 2."""
    if isinstance(value, dict):
        return {key: _whole_numbers(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_whole_numbers(item) for item in value]
    if isinstance(value, float) and value.is_integer():
        return int(value)
    return value


# msgspec reports the first error as an English sentence; these are all the sentences it has.
_ERRORS = (
    (re.compile(r"Object contains unknown field `(?P<given>.*)`"), "unknown-field"),
    (re.compile(r"Object missing required field `(?P<given>.*)`"), "missing-field"),
    (re.compile(r"Invalid enum value (?P<given>.*)"), "unknown-value"),
    (re.compile(r"Invalid value (?P<given>.*)"), "unknown-value"),
    (re.compile(r"Expected `(?:int|array)` (?:of length )?(?P<allowed>[<>]=? ?\d+)"), "out-of-range"),
    (re.compile(r"Expected `array` of (?:at most )?length (?P<allowed>.*)"), "out-of-range"),
    (re.compile(r"Expected `(?P<allowed>.*)`, got `(?P<given>.*)`"), "wrong-type"),
)


def _located(error: msgspec.ValidationError, given: Any, kind: Any, pointer: str) -> Unreadable:
    sentence, _, path = str(error).partition(" - at ")
    path = _with_keys(sentence, path, given, kind)
    params: dict[str, Any] = {}
    code = "wrong-type"
    for pattern, name in _ERRORS:
        found = pattern.fullmatch(sentence)
        if found:
            code, params = name, {key: text.strip("'") for key, text in found.groupdict().items()}
            break
    in_key = path.startswith("`key` in ")
    steps = re.findall(r"\.([^.\[`]+)|\[([^\]]*)\]", path.removeprefix("`key` in ").strip("`"))
    place = pointer + "".join(f"/{escape(name or index)}" for name, index in steps)
    if code == "unknown-field" or (in_key and code == "unknown-value"):
        place = f"{place}/{escape(params['given'])}"
        code = "unknown-field" if code == "unknown-field" else "unknown-name"
    return Unreadable(code, place, **params)


def _with_keys(sentence: str, path: str, given: Any, kind: Any) -> str:
    """msgspec writes [...] for the key of a mapping: find it by reading the mapping's entries one by one."""
    while "[...]" in path:
        head = path.partition("[...]")[0].removeprefix("`key` in ").strip("`")
        names = re.findall(r"\.([^.\[`]+)|\[([^\]]*)\]", head)
        keys = [int(index) if index.isdigit() else name or index for name, index in names]
        for key in _at(given, keys):
            try:
                msgspec.convert(_only(given, keys, key), kind)
            except msgspec.ValidationError as error:
                if str(error).partition(" - at ")[0] == sentence:
                    path = path.replace("[...]", f"[{key}]", 1)
                    given = _only(given, keys, key)
                    break
        else:
            return path.partition("[...]")[0]
    return path


def _at(value: Any, keys: list[Any]) -> Any:
    for key in keys:
        value = value[key]
    return value


def _only(value: Any, keys: list[Any], key: str) -> Any:
    """The value with the mapping at `keys` cut down to one entry."""
    if not keys:
        return {key: value[key]}
    first, *rest = keys
    inner = _only(value[first], rest, key)
    if isinstance(value, list):
        return [*value[:first], inner, *value[first + 1 :]]
    return {**value, first: inner}
