"""Positions, actions and inputs in and out of plain JSON values, with a pointer for whatever is wrong."""

from __future__ import annotations

import ast
import re
from bisect import bisect_left
from collections.abc import Iterator
from typing import Annotated, Any

import msgspec
from msgspec import UNSET, Meta, Struct, UnsetType

from engine.exceptions import Unreadable

LARGEST = 2**53  # beyond this JSON programs no longer agree on a number's value
Number = Annotated[int, Meta(ge=-LARGEST, le=LARGEST)]  # a die of 7 is an answer, if a wrong one


class Input(Struct, frozen=True, forbid_unknown_fields=True):
    """One answer to a procedure's question, under exactly one of these names."""

    die: Number | UnsetType = UNSET
    dice: list[Number] | UnsetType = UNSET
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
        answers.append((named[0], _whole_numbers(getattr(found, named[0]))))
    return answers


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


def escape(key: str) -> str:
    """A key as one part of a JSON pointer."""
    return key.replace("~", "~0").replace("/", "~1")


def unescape(part: str) -> str:
    """The key that a part of a JSON pointer stands for."""
    return part.replace("~1", "/").replace("~0", "~")


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
    (re.compile(r"Object contains unknown field `(?P<given>.*)`", re.DOTALL), "unknown-field"),
    (re.compile(r"Object missing required field `(?P<given>.*)`"), "missing-field"),
    (re.compile(r"Invalid (?:enum )?value (?P<given>.*)", re.DOTALL), "unknown-value"),
    (re.compile(r"Expected `array` of length (?P<allowed>\d+)(?:, got \d+)?"), "out-of-range"),
    (re.compile(r"Expected `(?P<kind>array|object|str)` of length (?P<allowed>[<>]= \d+)"), "out-of-range"),
    (re.compile(r"Expected `int` (?P<allowed>[<>]=? -?\d+)"), "out-of-range"),
    (re.compile(r"Expected `str` matching regex .*", re.DOTALL), "unknown-value"),
    (re.compile(r"Expected `(?P<allowed>.*)`, got `.*`"), "wrong-type"),
)

Steps = list[Any]  # the keys and indexes that lead to a value
Said = tuple[str, Steps, bool]  # a sentence of msgspec, where, and whether it means a mapping's key


def _located(error: msgspec.ValidationError, given: Any, kind: Any, pointer: str) -> Unreadable:
    said = sentence, steps, in_key = _parts(error)
    code, params = _explained(sentence)
    if in_key:  # msgspec means the key itself, and its path ends at the mapping
        steps = [*steps, ...]
        code = "unknown-name" if code == "unknown-value" else code
    steps = _with_keys(said, steps, given, kind)
    if code in ("unknown-value", "unknown-name"):  # msgspec does not repeat a text that has another form
        params.setdefault("given", str(steps[-1] if in_key else _at(given, steps)))
    if code in ("unknown-field", "missing-field"):
        steps = [*steps, params["given"]]
    return Unreadable(code, pointer + "".join(f"/{escape(str(step))}" for step in steps), **params)


def _parts(error: msgspec.ValidationError) -> Said:
    """What msgspec says, where, and whether it means a mapping's key; `...` stands for a key it does not tell."""
    sentence, _, path = str(error).rpartition(" - at ")
    if not re.fullmatch(
        r"(`key` in )?`\$[^`]*`", path
    ):  # the outermost value has none, the sentence may quote one
        sentence, path = str(error), ""
    in_key = path.startswith("`key` in ")
    found = re.findall(r"\.([^.\[`]+)|\[(\d+|\.\.\.)\]", path.removeprefix("`key` in "))
    return sentence, [name or (... if index == "..." else int(index)) for name, index in found], in_key


def _explained(sentence: str) -> tuple[str, dict[str, Any]]:
    """A sentence of msgspec as a stable code and its parameters."""
    for pattern, code in _ERRORS:
        found = pattern.fullmatch(sentence)
        if found:
            params: dict[str, Any] = found.groupdict()
            if "given" in params and code == "unknown-value":
                params["given"] = str(ast.literal_eval(params["given"]))
            if params.get("allowed", "").isdigit():
                params |= {"kind": "array", "allowed": f"= {params['allowed']}"}
            return code, params
    return "wrong-type", {}


def _with_keys(said: Said, steps: Steps, given: Any, kind: Any) -> Steps:
    """msgspec does not tell the key of a mapping: it is the last of the fewest entries that it complains about."""
    while ... in steps:
        place = steps.index(...)
        before, keys = steps[:place], list(_at(given, steps[:place]))
        fewest = _fewest(given, before, keys, kind, said)
        if not 0 < fewest <= len(keys):
            return before
        key = keys[fewest - 1]
        given, steps = _only(given, before, [key]), [*before, key, *steps[place + 1 :]]
    return steps


def _fewest(given: Any, steps: Steps, keys: list[str], kind: Any, said: Said) -> int:
    """How many entries it takes until msgspec says this; one more than there are where it never does."""
    return bisect_left(
        range(len(keys) + 1),
        True,
        key=lambda count: _complaint(_only(given, steps, keys[:count]), kind) == said,
    )


def _complaint(given: Any, kind: Any) -> Said | None:
    """What msgspec says about a value, None if it can be read."""
    try:
        msgspec.convert(_whole_numbers(given), kind)
    except msgspec.ValidationError as error:
        return _parts(error)
    return None


def _at(value: Any, steps: Steps) -> Any:
    for step in steps:
        value = value[step]
    return value


def _only(value: Any, steps: Steps, keys: list[str]) -> Any:
    """The value with the mapping at the end of these steps cut down to some of its entries."""
    if not steps:
        return {key: value[key] for key in keys}
    first, *rest = steps
    inner = _only(value[first], rest, keys)
    if isinstance(value, list):
        return [*value[:first], inner, *value[first + 1 :]]
    return {**value, first: inner}
