"""The schemas as other programs get them: each structure under a name of its own, and by what several are told apart."""

from __future__ import annotations

from typing import Any

from engine.schemas import Schema
from service.shapes import REF


def published(named: dict[str, Schema]) -> dict[str, Schema]:
    """All schemas; generators give what stands inside another a name that nobody can remember."""
    found: dict[str, Schema] = {}
    for name, schema in named.items():
        found |= _apart(name, schema)
    return found


def _apart(name: str, schema: Schema) -> dict[str, Schema]:
    """A schema and, beside it, the structures that it is one of."""
    inside = schema.get("oneOf", [])
    if not inside or not all("title" in one for one in inside):
        return {name: schema}
    called = {f"{name}{_camel(one['title'])}": _described(one, schema) for one in inside}
    refs = [REF.format(name=one) for one in called]
    whole = {**schema, "oneOf": [{"$ref": ref} for ref in refs]}
    tag = _common_tag(inside)
    if tag:
        values = [one["properties"][tag]["const"] for one in inside]
        whole["discriminator"] = {"propertyName": tag, "mapping": dict(zip(values, refs, strict=True))}
    return {name: whole, **called}


def _described(one: Schema, whole: Schema) -> Schema:
    said = one.get("description", f"{whole['description']} This one: {one['title']}.")
    return {"description": said, **{key: part for key, part in one.items() if key != "title"}}


def _common_tag(inside: list[Schema]) -> str | None:
    """The field that has a single value in each of these structures."""
    constants = [{key for key, part in one["properties"].items() if "const" in part} for one in inside]
    return next(iter(set.intersection(*constants)), None)


def _camel(title: Any) -> str:
    return str(title).title().replace("-", "").replace("_", "")
