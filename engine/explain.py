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

EXACTLY_ONE = "exactlyOne"  # marks a schema for us; no validator looks at it

Path = tuple[str | int, ...]
Found = jsonschema_rs.ValidationError


class Explainer:
    """Finds everything that is wrong with a value, by the decided schema it should fit."""

    def __init__(self, schema: schemas.Schema) -> None:
        self._schema = schema
        self._validator = jsonschema_rs.Draft202012Validator(self._schema)

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


def decided(schema: Any) -> Any:
    """A schema that decides by its tag which of several structures was meant.

    Validated one after the other, each of forty actions would say what is wrong with a value that was meant as another.
    """
    if isinstance(schema, list):
        return [decided(part) for part in schema]
    if not isinstance(schema, dict):
        return schema
    branches = schema.get("oneOf")
    if isinstance(branches, list) and "discriminator" in schema:
        named = schema["discriminator"]
        meant = {tag: {"$ref": ref} for tag, ref in named["mapping"].items()}
        inside = {key: decided(part) for key, part in schema.items() if key == "$defs"}
        return _by_tag(named["propertyName"], meant) | inside
    if isinstance(branches, list) and (tag := _common_tag(branches)):
        return _by_tag(tag, {one["properties"][tag]["const"]: decided(one) for one in branches})
    if isinstance(branches, list) and all(len(one.get("properties", ())) == 1 for one in branches):
        return _exactly_one(branches)
    return {key: decided(part) for key, part in schema.items()}


def _common_tag(branches: list[schemas.Schema]) -> str | None:
    """The field that has a single value in each of these structures."""
    fields = [
        {name for name, field in one.get("properties", {}).items() if "const" in field} for one in branches
    ]
    return next(iter(set.intersection(*fields)), None)


def _by_tag(tag: str, meant: dict[str, schemas.Schema]) -> schemas.Schema:
    return {
        "type": "object",
        "required": [tag],
        "properties": {tag: {"type": "string", "enum": list(meant)}},
        "allOf": [
            {
                "if": {"type": "object", "required": [tag], "properties": {tag: {"const": value}}},
                "then": schema,
            }
            for value, schema in meant.items()
        ],
    }


def _exactly_one(branches: list[schemas.Schema]) -> schemas.Schema:
    return {
        "type": "object",
        "properties": {name: field for one in branches for name, field in one["properties"].items()},
        "additionalProperties": False,
        "minProperties": 1,
        "maxProperties": 1,
        EXACTLY_ONE: True,
    }


@cache
def explainer(kind: Any) -> Explainer:
    """The explainer of a type."""
    return Explainer(decided(schemas.of(kind)))


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
        elif kind.name in ("minProperties", "maxProperties") and _node(error, schema).get(EXACTLY_ONE):
            yield from _not_one(error, path, schema)
        elif kind.name == "required":
            yield (*path, kind.property), Unreadable("missing-field", "", given=kind.property)
        elif kind.name == "propertyNames":
            yield (*path, kind.error.instance), _of_a_name(kind.error)
        else:
            yield path, _of_a_value(error)


def _kind(error: Found) -> Any:
    """What kind of error it is, with its parameters, which the library's types do not tell."""
    return error.kind


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
    """The fields that there are where one is not known."""
    return list(_node(error, schema).get("properties", ()))


def _node(error: Found, schema: schemas.Schema) -> schemas.Schema:
    """The part of the schema that a value did not fit."""
    at: Any = schema
    for step in error.schema_path[:-1]:
        at = at[step]
    part: schemas.Schema = at
    return part


def _not_one(error: Found, path: Path, schema: schemas.Schema) -> Iterator[tuple[Path, Unreadable]]:
    """None or several of the fields of which exactly one must be there; one beside an unknown one is one."""
    names = _fields(error, schema)
    given: Any = error.instance
    if sum(name in given for name in names) != 1:
        yield path, Unreadable("not-one-answer", "", allowed=names)


def _of_several(
    branches: list[list[Found]], path: Path, schema: schemas.Schema
) -> Iterator[tuple[Path, Unreadable]]:
    """What is wrong where one of several schemas had to fit: that of the one that was meant."""
    of_this_type = [branch for branch in branches if not _other_type(branch, path)]
    if not of_this_type:
        kinds = dict.fromkeys(name for branch in branches for one in branch for name in _types(one, path))
        yield path, Unreadable("wrong-type", "", allowed=[_TYPES.get(name, name) for name in kinds])
        return
    if all(_is_value(branch, path) for branch in of_this_type):
        yield from _one_of_all(of_this_type, path, schema)
    else:
        fewest = min(len(branch) for branch in of_this_type)
        yield from _explained(next(branch for branch in of_this_type if len(branch) == fewest), schema)


def _is(error: Found, *names: str) -> bool:
    return error.kind.name in names


def _at(error: Found, path: Path) -> bool:
    return tuple(error.instance_path) == path


def _types(error: Found, path: Path) -> list[str]:
    return list(_kind(error).types) if _is(error, "type") and _at(error, path) else []


def _other_type(branch: list[Found], path: Path) -> bool:
    return any(_types(error, path) for error in branch)


def _is_value(branch: list[Found], path: Path) -> bool:
    return all(_is(error, "enum", "const") and _at(error, path) for error in branch)


def _one_of_all(
    branches: list[list[Found]], path: Path, schema: schemas.Schema
) -> Iterator[tuple[Path, Unreadable]]:
    """A value of none of several lists."""
    found = [error for branch in branches for _, error in _explained(branch, schema)]
    allowed = [value for error in found for value in error.params["allowed"]]
    yield path, Unreadable("unknown-value", "", given=found[0].params["given"], allowed=allowed)
