"""JSON texts as plain values: what is no JSON, too deep or beyond all bounds is a problem that says where."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from typing import Any

import msgspec
import orjson

from engine.exceptions import Unreadable
from engine.pointers import escape
from service.problems import Problem

MOST_NESTED = 24
LARGEST = sys.float_info.max  # of the numbers that JSON programs agree on
UNREADABLE = (msgspec.MsgspecError, UnicodeDecodeError, RecursionError)  # what msgspec raises


def from_json(text: bytes) -> Any:
    """JSON as plain values, or a problem."""
    try:
        value = orjson.loads(text)
    except orjson.JSONDecodeError:
        raise _not_read(text) from None
    return bounded(value)


def bounded(value: Any) -> Any:
    """Plain values that are not nested too deeply."""
    layer = [value] if value.__class__ in _NESTS else []
    for _ in range(MOST_NESTED - 1):
        if not layer:
            return value
        layer = [
            inner
            for outer in layer
            for inner in (outer.values() if outer.__class__ is dict else outer)
            if inner.__class__ in _NESTS  # of a whole game there are a hundred thousand that are not
        ]
    if any(layer):
        raise Problem("too-deep", limit=MOST_NESTED)
    return value


_NESTS = (dict, list)


def _not_read(text: bytes) -> Problem:
    """Why a JSON text is refused: Python's own reader says where, and lets pass, and so can find, what is no number."""
    try:
        value = json.loads(text.decode(), parse_int=float, parse_constant=_NotANumber)
    except json.JSONDecodeError as error:
        return _not_json(error.lineno, error.colno)
    except UnicodeDecodeError as error:
        before = text[: error.start]
        return _not_json(before.count(b"\n") + 1, error.start - before.rfind(b"\n"))
    except RecursionError:
        return Problem("too-deep", limit=MOST_NESTED)
    try:
        found = next(_strange_values(value, ""), None)
    except RecursionError:
        return Problem("too-deep", limit=MOST_NESTED)
    if found is None:
        return Problem("not-json")
    return Problem(
        "not-json" if isinstance(found.params.get("given"), _NotANumber) else "unreadable", (found,)
    )


def _not_json(line: int, column: int) -> Problem:
    return Problem("not-json", (Unreadable("not-json", "", line=line, column=column),))


class _NotANumber(str):
    """NaN or Infinity, which Python writes and JSON does not know."""

    __slots__ = ()


def _strange_values(value: Any, pointer: str) -> Iterator[Unreadable]:
    """Every NaN, lone surrogate and number beyond all bounds in a value."""
    if isinstance(value, str) and (isinstance(value, _NotANumber) or _has_lone_surrogate(value)):
        yield Unreadable("unknown-value", pointer, given=value)
    elif value in (LARGEST * 10, -LARGEST * 10):
        yield Unreadable("out-of-range", pointer, most=f"{LARGEST:.2g}")
    elif isinstance(value, dict):
        for key, inner in value.items():
            place = f"{pointer}/{escape(key)}"
            if _has_lone_surrogate(key):
                yield Unreadable("unknown-name", place, given=key)
            yield from _strange_values(inner, place)
    elif isinstance(value, list):
        for number, inner in enumerate(value):
            yield from _strange_values(inner, f"{pointer}/{number}")


def _has_lone_surrogate(text: str) -> bool:
    return any("\ud800" <= letter <= "\udfff" for letter in text)
