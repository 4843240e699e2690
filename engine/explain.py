"""Why a value cannot be read: every place where it does not fit its JSON Schema, in the order it was written in.

Only a value that could not be read is looked at here, so nothing of this costs a right request.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache
from typing import Any

import jsonschema_rs

from engine import schemas
from engine.exceptions import Unreadable
from engine.pointers import pointer_to

_TYPES = {"integer": "int", "string": "str", "boolean": "bool"}
# Keywords that bound a value from below, from above, and what of it they count.
_LEAST = {"minimum": None, "minItems": "array", "minLength": "str", "minProperties": "object"}
_MOST = {"maximum": None, "maxItems": "array", "maxLength": "str", "maxProperties": "object"}

Path = tuple[str | int, ...]
Found = jsonschema_rs.ValidationError


class Explainer:
    """Finds everything that is wrong with a value, by the schema it should fit."""

    def __init__(self, schema: schemas.Schema) -> None:
        self._schema = schema
        self._validator = jsonschema_rs.Draft202012Validator(schema)

    def errors(self, given: Any, pointer: str = "") -> list[Unreadable]:
        """Each place that does not fit, once, in the order of the value; `pointer` is where the value stands."""
        first: dict[Path, Unreadable] = {}
        for path, error in _explained(self._validator.iter_errors(given), self._schema):
            known = first.get(path)
            if known is None or _goes_before(error, known):
                first[path] = error
        strange = {path for path, error in first.items() if error.code == "unknown-name"}
        for path in [path[:-1] for path in strange if path[-1] == ""]:
            first.pop(path, None)  # the validator leaves an empty name out of its paths
        told = [path for path in first if not any(path[:steps] in strange for steps in range(len(path)))]
        for path in told:
            first[path].pointer = pointer + pointer_to(path)
        return [first[path] for path in sorted(told, key=_Orders(given).place)]


def _goes_before(error: Unreadable, known: Unreadable) -> bool:
    """Of several errors at one place: an unknown name has no value, and what is of another type no size."""
    ranks = {"unknown-name": 2, "wrong-type": 1}
    return ranks.get(error.code, 0) > ranks.get(known.code, 0)


@cache
def explainer(kind: Any) -> Explainer:
    """The explainer of a type."""
    return Explainer(schemas.of(kind))


class _Orders:
    """Where each place of a value stands in it; what is missing stands before what is there."""

    def __init__(self, value: Any) -> None:
        self._value = value
        self._keys: dict[int, dict[str, int]] = {}

    def place(self, path: Path) -> list[int]:
        """The place of a path, to be compared with others."""
        found, at = [], self._value
        for step in path:
            if isinstance(at, dict):
                keys = self._keys.setdefault(id(at), {})
                if not keys:
                    keys.update({key: number for number, key in enumerate(at)})
                found.append(keys.get(str(step), -1))
                at = at.get(step)
            elif isinstance(at, list) and isinstance(step, int):
                found.append(step)
                at = at[step]
        return found


def _explained(found: Iterable[Found], schema: schemas.Schema) -> Iterator[tuple[Path, Unreadable]]:
    """Each error of the validator as a place and a stable code with its parameters."""
    for error in found:
        path: Path = tuple(error.instance_path)
        kind = _kind(error)
        if kind.name in ("anyOf", "oneOf"):
            yield from _of_several(kind.context, path, schema)
        elif kind.name == "additionalProperties":
            known = _fields(error, schema)
            yield from (
                ((*path, name), Unreadable("unknown-field", "", given=name, allowed=known))
                for name in kind.unexpected
            )
        elif kind.name == "required":
            yield (*path, kind.property), Unreadable("missing-field", "", given=kind.property)
        elif kind.name == "propertyNames":
            yield (*path, kind.error.instance), _of_a_name(kind.error)
        else:
            yield path, _of_a_value(error)


def _of_a_value(error: Found) -> Unreadable:
    kind = _kind(error)
    if kind.name == "type":
        return Unreadable("wrong-type", "", allowed=[_TYPES.get(name, name) for name in kind.types])
    if kind.name in ("enum", "const"):
        options = kind.options if kind.name == "enum" else [kind.expected_value]
        return Unreadable("unknown-value", "", given=_shown(error.instance), allowed=options)
    if kind.name in _LEAST:
        return Unreadable("out-of-range", "", **_counted(_LEAST[kind.name]), least=kind.limit)
    if kind.name in _MOST:
        return Unreadable("out-of-range", "", **_counted(_MOST[kind.name]), most=kind.limit)
    return Unreadable("unknown-value", "", given=_shown(error.instance))


def _of_a_name(error: Found) -> Unreadable:
    found = _of_a_value(error)
    return Unreadable("unknown-name", "", **found.params) if found.code == "unknown-value" else found


def _counted(kind: str | None) -> dict[str, str]:
    return {} if kind is None else {"kind": kind}


def _shown(value: Any) -> str:
    return value if isinstance(value, str) else str(value)


def _fields(error: Found, schema: schemas.Schema) -> list[str]:
    """The fields there are, where one is not known: the error says where in the schema it was missed."""
    at: Any = schema
    for step in error.schema_path[:-1]:
        at = at[step]
    return list(at.get("properties", ()))


def _of_several(
    branches: list[list[Found]], path: Path, schema: schemas.Schema
) -> Iterator[tuple[Path, Unreadable]]:
    """What is wrong where one of several schemas had to fit: that of the one that was meant."""
    of_this_type = [branch for branch in branches if not _other_type(branch, path)]
    if not of_this_type:
        kinds = dict.fromkeys(name for branch in branches for one in branch for name in _types(one, path))
        yield path, Unreadable("wrong-type", "", allowed=[_TYPES.get(name, name) for name in kinds])
        return
    meant = [branch for branch in of_this_type if not _other_tag(branch, path)]
    if not meant:
        yield from _tags(of_this_type, path)
        return
    fewest = min(_misfits(branch, path) for branch in meant)
    nearest = [branch for branch in meant if _misfits(branch, path) == fewest]
    if len(nearest) == 1:
        yield from _explained(nearest[0], schema)
    elif all(_is_value(branch, path) for branch in nearest):
        yield from _one_of_all(nearest, path, schema)
    else:
        yield from _of_none(nearest, path)


def _of_none(branches: list[list[Found]], path: Path) -> Iterator[tuple[Path, Unreadable]]:
    """What is wrong where several structures are equally near: what all of them miss, or do not know."""
    missing = [_names(branch, path, "required") for branch in branches]
    spare = [_names(branch, path, "additionalProperties") for branch in branches]
    names = list(dict.fromkeys(name for branch in missing for name in branch))
    for name in _in_all(spare):
        yield (*path, name), Unreadable("unknown-field", "", given=name, allowed=names)
    for name in _in_all(missing):
        yield (*path, name), Unreadable("missing-field", "", given=name)
    if not _in_all(spare) and not _in_all(missing):
        yield path, Unreadable("not-one-answer", "", allowed=names)


def _in_all(lists: list[list[str]]) -> list[str]:
    return [name for name in lists[0] if all(name in one for one in lists)]


def _names(branch: list[Found], path: Path, keyword: str) -> list[str]:
    """The fields of the structure at this place that a branch misses, or that it does not know."""
    here = [_kind(error) for error in branch if _is(error, keyword) and _at(error, path)]
    return [name for kind in here for name in ([kind.property] if keyword == "required" else kind.unexpected)]


def _kind(error: Found) -> Any:
    """What kind of error it is, with its parameters, which the library's types do not tell."""
    return error.kind


def _is(error: Found, *names: str) -> bool:
    return error.kind.name in names


def _at(error: Found, path: Path) -> bool:
    return tuple(error.instance_path) == path


def _types(error: Found, path: Path) -> list[str]:
    return list(_kind(error).types) if _is(error, "type") and _at(error, path) else []


def _other_type(branch: list[Found], path: Path) -> bool:
    return any(_types(error, path) for error in branch)


def _tag(error: Found, path: Path) -> bool:
    """Is this about the field that tells structures apart? No other field has a single value."""
    return _is(error, "const") and len(error.instance_path) == len(path) + 1


def _other_tag(branch: list[Found], path: Path) -> bool:
    return any(_tag(error, path) for error in branch)


def _tags(branches: list[list[Found]], path: Path) -> Iterator[tuple[Path, Unreadable]]:
    tags = [error for branch in branches for error in branch if _tag(error, path)]
    place: Path = tuple(tags[0].instance_path)
    given = tags[0].instance
    if not isinstance(given, str):
        yield place, Unreadable("wrong-type", "", allowed=["str"])
        return
    allowed = list(dict.fromkeys(_kind(error).expected_value for error in tags))
    yield place, Unreadable("unknown-value", "", given=given, allowed=allowed)


def _misfits(branch: list[Found], path: Path) -> int:
    """How many fields are missing or too many for a branch to be the one that was meant."""
    return len(_names(branch, path, "required")) + len(_names(branch, path, "additionalProperties"))


def _is_value(branch: list[Found], path: Path) -> bool:
    return all(_is(error, "enum", "const") and _at(error, path) for error in branch)


def _one_of_all(
    branches: list[list[Found]], path: Path, schema: schemas.Schema
) -> Iterator[tuple[Path, Unreadable]]:
    """A value of none of several lists."""
    found = [error for branch in branches for _, error in _explained(branch, schema)]
    allowed = [value for error in found for value in error.params["allowed"]]
    yield path, Unreadable("unknown-value", "", given=found[0].params["given"], allowed=allowed)
