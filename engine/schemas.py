"""JSON Schemas of typed values, as msgspec makes them, with what it leaves out: the keys of mappings, types of enums."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache
from inspect import cleandoc
from itertools import product
from typing import Any

import msgspec
from msgspec import inspect

REF = "#/$defs/{name}"
_JSON_TYPES = {str: "string", bool: "boolean", int: "integer", type(None): "null"}

Schema = dict[str, Any]


@cache
def of(kind: Any) -> Schema:
    """The schema of one type, with everything inside it."""
    (schema,), _ = msgspec.json.schema_components([kind], ref_template=REF)
    return {**tidied(schema), "$defs": components([kind])}


def components(kinds: Iterable[Any], ref: str = REF) -> dict[str, Schema]:
    """The schemas of these types and of every structure inside them, by name."""
    _, written = msgspec.json.schema_components(kinds, ref_template=ref)
    named: dict[str, Schema] = {name: tidied(schema) for name, schema in written.items()}
    for name, kind in structures(kinds).items():
        properties: Schema = named[name]["properties"]
        for field in kind.fields:
            _name_the_keys(field.type, properties[field.encode_name])
        if "description" in named[name]:  # a docstring, which Python takes the indentation from since 3.13
            named[name]["description"] = cleandoc(named[name]["description"])
        if getattr(kind.cls, "exactly_one", False):
            named[name] = _exactly_one(named[name])
    return named


def structures(kinds: Iterable[Any]) -> dict[str, inspect.StructType]:
    """Every structure inside these types, by the name that its schema has among theirs."""
    kinds = list(kinds)
    found: dict[Any, inspect.StructType] = {}
    for kind in inspect.multi_type_info(kinds):
        _gather(kind, found)
    refs, _ = msgspec.json.schema_components([*kinds, *found], ref_template="{name}")
    names = [ref["$ref"] for ref in refs[len(kinds) :]]
    return dict(zip(names, found.values(), strict=True))


def _gather(kind: Any, found: dict[Any, inspect.StructType]) -> None:
    if isinstance(kind, inspect.StructType):
        if kind.cls in found:
            return
        found[kind.cls] = kind
    for part in _parts(kind):
        _gather(part, found)


def _parts(kind: Any) -> Iterator[Any]:
    if isinstance(kind, inspect.StructType):
        yield from (field.type for field in kind.fields)
    elif isinstance(kind, inspect.UnionType):
        yield from kind.types
    elif isinstance(kind, inspect.DictType):
        yield kind.value_type
    elif isinstance(kind, inspect.TupleType):
        yield from kind.item_types
    elif isinstance(kind, inspect.CollectionType):
        yield kind.item_type
    elif isinstance(kind, inspect.Metadata):
        yield kind.type


def tidied(schema: Any) -> Any:
    """A schema that other programs read more easily.

    A pair is a list of two alike, an enum has a type, a single word is a constant, what is told apart by a tag is
    one of several, a list says what it lists, an object of any kind says that it is one, and a default, which would
    make a field look required, is not told.
    """
    if isinstance(schema, list):
        return [tidied(part) for part in schema]
    if not isinstance(schema, dict):
        return schema
    for mended in (_list_of_alike, _one_of_several, _with_type, _of_anything, _nothing_required):
        schema = mended(schema)
    return {
        key: _tidied_each(part) if key == "properties" else tidied(part)
        for key, part in schema.items()
        if key != "default"
    }


def _list_of_alike(schema: Schema) -> Schema:
    alike = schema.get("prefixItems", [])
    if not alike or any(place != alike[0] for place in alike):
        return schema
    return {key: part for key, part in schema.items() if key != "prefixItems"} | {"items": alike[0]}


def _one_of_several(schema: Schema) -> Schema:
    if "discriminator" not in schema:
        return schema
    return {("oneOf" if key == "anyOf" else key): part for key, part in schema.items()}


def _of_anything(schema: Schema) -> Schema:
    """A list or an object of which nothing more is said."""
    if schema.get("type") == "array" and not schema.keys() & {"items", "prefixItems"}:
        return {**schema, "items": {}}
    if schema.get("type") == "object" and not schema.keys() & {"properties", "additionalProperties"}:
        return {**schema, "additionalProperties": True}
    return schema


def _nothing_required(schema: Schema) -> Schema:
    if schema.get("required", True):
        return schema
    return {key: part for key, part in schema.items() if key != "required"}


def _tidied_each(properties: Schema) -> Schema:
    """Properties by their names, any of which may be a word of JSON Schema."""
    return {name: tidied(schema) for name, schema in properties.items()}


def _with_type(schema: Schema) -> Schema:
    values = schema.get("enum")
    if not isinstance(values, list):
        return schema
    kinds = list(dict.fromkeys(_JSON_TYPES[type(value)] for value in values))
    plain = {key: part for key, part in schema.items() if key != "enum"}
    # Not a number: generated Python would have `!= 1and` in it.
    said = {"const": values[0]} if len(values) == 1 and isinstance(values[0], str) else {"enum": values}
    return {"type": kinds[0] if len(kinds) == 1 else kinds, **plain, **said}


def _name_the_keys(kind: Any, schema: Schema) -> None:
    """msgspec leaves out which keys a mapping may have: say it, wherever one stands in the type of a field."""
    if isinstance(kind, inspect.Metadata):
        _name_the_keys(kind.type, schema)
    elif isinstance(kind, inspect.UnionType):
        for one, place in product(kind.types, schema.get("anyOf", [schema])):
            _name_the_keys(one, place)
    elif isinstance(kind, inspect.DictType) and schema.get("type") == "object":
        keys = _keys(kind.key_type)
        if keys:
            schema["propertyNames"] = tidied({"enum": keys})
        _name_the_keys(kind.value_type, schema.get("additionalProperties", {}))
    elif isinstance(kind, inspect.CollectionType) and "items" in schema:
        _name_the_keys(kind.item_type, schema["items"])


def _keys(kind: inspect.Type) -> list[Any]:
    """The keys a mapping may have, where they are listed."""
    if isinstance(kind, inspect.LiteralType):
        return list(kind.values)
    parts = [_keys(one) for one in kind.types] if isinstance(kind, inspect.UnionType) else []
    return [key for part in parts for key in part] if all(parts) else []


def _exactly_one(schema: Schema) -> Schema:
    """A structure that has exactly one of its fields, as one of several structures with one field each."""
    one_by_one = [
        {
            "type": "object",
            "title": name,
            "properties": {name: field},
            "required": [name],
            "additionalProperties": False,
        }
        for name, field in schema["properties"].items()
    ]
    said: Schema = {key: part for key, part in schema.items() if key in ("title", "description")}
    return {**said, "oneOf": one_by_one}
