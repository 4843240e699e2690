"""JSON texts as plain values: what is no JSON, too deep or beyond all bounds is a problem that says where."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterator
from functools import cache
from typing import Any

import msgspec
import orjson
from msgspec import Raw

from engine.exceptions import Unreadable
from engine.pointers import escape
from service.config import MOST_BYTES, MOST_COPY_BYTES
from service.problems import Problem

MOST_NESTED = 24
MOST_PARTS = 200_000  # lists and objects of a long text; 4 MB of whole tables have 60,000
MOST_FOLLOWED = 500  # brackets of what is no JSON; every Python reads so many, and some hardly more
LARGEST = sys.float_info.max  # of the numbers that JSON programs agree on
UNREADABLE = (msgspec.MsgspecError, UnicodeDecodeError, RecursionError)  # what msgspec raises


def from_json(text: bytes) -> Any:
    """JSON as plain values, or a problem."""
    try:
        value = orjson.loads(text)
    except orjson.JSONDecodeError as error:
        raise _not_read(text, error) from None
    return bounded(value)


def from_json_but(text: bytes, name: str) -> Any:
    """JSON as plain values, but one field of it, which may be long, as it is written."""
    parts = parts_but(text, name)
    written = {name: parts.pop(name)} if name in parts else {}
    return {**from_json(msgspec.json.encode(parts)), **written}


def parts_but(text: bytes, name: str) -> dict[str, Raw]:
    """The fields of a JSON object, each as it is written, or a problem; only the one that is named may be long."""
    if nests(text) > MOST_PARTS:
        raise Problem("unreadable", (Unreadable("too-many", "", limit=MOST_PARTS),))
    try:
        text.decode()  # what is left as it is written is not looked at
        long = bytes(getattr(_one_part(name).decode(text), name))
        if len(text.strip()) - len(long) > MOST_COPY_BYTES:  # known before anything is made of it
            raise Problem("too-large", limit=MOST_COPY_BYTES)
        parts: dict[str, Raw] = _PARTS.decode(text)
    except UNREADABLE as error:
        if len(text) <= MOST_BYTES:
            from_json(text)
        raise _no_object(text, error) from None
    return parts


def nests(text: bytes) -> int:
    """The lists and objects that a text has at most, and so the levels."""
    return text.count(b"[") + text.count(b"{")


@cache
def _one_part(name: str) -> msgspec.json.Decoder[Any]:
    """Takes one field as it is written, and passes over all others."""
    return msgspec.json.Decoder(msgspec.defstruct("Part", [(name, Raw, Raw())]))


_PARTS = msgspec.json.Decoder(dict[str, Raw])


def _no_object(text: bytes, error: Exception) -> Problem:
    """Why a text is refused, known from where its reader stopped: a long one is not read again."""
    if isinstance(error, msgspec.ValidationError):
        return Problem("unreadable", (Unreadable("wrong-type", "", allowed="object"),))
    if isinstance(error, RecursionError):
        return Problem("too-deep", limit=MOST_NESTED)
    if isinstance(error, UnicodeDecodeError):
        return _not_json_at(text, error.start)
    named = _BYTE.search(str(error))
    return _not_json_at(text, int(named[1]) if named else len(text))


_BYTE = re.compile(r"\(byte (\d+)\)")


def bounded(value: Any) -> Any:
    """Plain values that are not nested too deeply."""
    if is_too_deep(value):
        raise Problem("too-deep", limit=MOST_NESTED)
    return value


def is_too_deep(value: Any) -> bool:
    """Are these plain values nested more deeply than anything that is meant?"""
    layer = [value] if value.__class__ in _NESTS else []
    for _ in range(MOST_NESTED - 1):
        if not layer:
            return False
        layer = [
            inner
            for outer in layer
            for inner in (outer.values() if outer.__class__ is dict else outer)
            if inner.__class__ in _NESTS  # of a whole game there are a hundred thousand that are not
        ]
    return any(layer)


_NESTS = (dict, list)


def _not_read(text: bytes, error: orjson.JSONDecodeError) -> Problem:
    """Why a JSON text is refused: Python's own reader lets pass, and so can find, what is no number."""
    if _nesting(text) > MOST_FOLLOWED:
        return Problem("too-deep", limit=MOST_NESTED)
    try:
        value = json.loads(text.decode(), parse_int=float, parse_constant=_NotANumber)
    except json.JSONDecodeError:
        return _not_json(error.lineno, error.colno)  # every Python names another place
    except UnicodeDecodeError as undecoded:
        return _not_json_at(text, undecoded.start)
    found = next(_strange_values(value, ""), None)
    if found is None:
        return Problem("not-json")
    return Problem(
        "not-json" if isinstance(found.params.get("given"), _NotANumber) else "unreadable", (found,)
    )


def _nesting(text: bytes) -> int:
    """How deeply brackets are nested in a text that may be no JSON, those in strings left out."""
    depth = most = 0
    for bracket in _BRACKETS.findall(_STRINGS.sub(b"", text)):
        depth += 1 if bracket in b"[{" else -1
        most = max(most, depth)
    return most


_STRINGS = re.compile(rb'"(?:[^"\\]|\\.)*+"?', re.DOTALL)
_BRACKETS = re.compile(rb"[\[\]{}]")


def _not_json_at(text: bytes, place: int) -> Problem:
    before = text[:place]
    return _not_json(before.count(b"\n") + 1, place - before.rfind(b"\n"))


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
