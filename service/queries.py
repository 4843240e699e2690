"""What stands behind the question mark of an address: declared, read and documented by marshmallow's fields."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import marshmallow as ma
from flask import request
from marshmallow import Schema, fields, validate

from engine.exceptions import Unreadable
from service.languages import ALL
from service.problems import unreadable
from service.rules import MOST_HITS
from service.search import MOST_CHARACTERS
from service.terms import LANGUAGES

DEFAULT_HITS = 10
Codes = dict[str, str | list[Any] | dict[Any, Any]]  # as marshmallow has them
_CODES: Codes = {"required": "missing-field", "null": "wrong-type", "invalid": "wrong-type"}


class LanguageField(fields.String):
    """One of the languages, or all of them."""

    default_error_messages: Codes = {"invalid": "unknown-language"}  # noqa: RUF012  marshmallow has it so

    def _deserialize(self, value: Any, attr: str | None, data: Any, **_: Any) -> Any:  # noqa: ARG002  marshmallow calls it so
        if value not in (*LANGUAGES, ALL):
            raise self.make_error("invalid")
        return value


_QUESTION = {"limit": MOST_CHARACTERS, "allowed": "str"}
_SHORT = validate.Length(max=MOST_CHARACTERS, error="too-long")


def _text(said: str, most: int) -> fields.String:
    return fields.String(
        load_default="",
        validate=validate.Length(max=most, error="too-long"),
        error_messages=_CODES,
        metadata={"description": said, "error_params": {"limit": most, "allowed": "str"}},
    )


class LanguageQuery(Schema):
    """?lang="""

    lang = LanguageField(
        metadata={"description": "The language of the answer; without it, Accept-Language decides."}
    )


class LanguageOfBody(Schema):
    """?lang= beside a body that may say it, too."""

    lang = LanguageField(
        metadata={"description": "The language of the answer, where the body does not name one."}
    )


class SearchQuery(LanguageQuery):
    """?q=&limit=&lang="""

    q = fields.String(
        required=True,
        validate=[_SHORT, validate.Regexp(r"[\s\S]*\S", error="no-question")],
        error_messages={**_CODES, "required": "no-question"},
        metadata={
            "description": "A question in any language, or a section number",
            "error_params": _QUESTION,
        },
    )
    limit = fields.Integer(
        load_default=DEFAULT_HITS,
        validate=validate.Range(min=1, max=MOST_HITS, error="out-of-range"),
        error_messages=_CODES,
        metadata={
            "description": f"At most so many rules; {DEFAULT_HITS} where it is left out",
            "error_params": {"allowed": "int", "least": 1, "most": MOST_HITS},
        },
    )


class ChartQuery(LanguageQuery):
    """?at=&done=&lang="""

    at = _text("The row somebody stands at, by its name", MOST_CHARACTERS)
    done = _text(
        "The rows that were passed, by their names with commas between, as often as they were", 2_000
    )


class TermQuery(Schema):
    """?q="""

    q = fields.String(
        load_default="",
        validate=_SHORT,
        error_messages=_CODES,
        metadata={
            "description": "A word in any language, misprints included",
            "error_params": _QUESTION,
        },
    )


def read(query: Schema) -> dict[str, Any]:
    """The values of the request's query; what nobody asked for is left alone."""
    return loaded(query, request.args.to_dict())


def loaded(query: Schema, given: Mapping[str, Any]) -> dict[str, Any]:
    """The values of a query, read and bounded."""
    try:
        found: dict[str, Any] = query.load(given, unknown=ma.EXCLUDE)
    except ma.ValidationError as error:
        raise unreadable(
            *(
                Unreadable(str(code), f"/{name}", **query.fields[name].metadata.get("error_params", {}))
                for name, codes in error.messages_dict.items()
                for code in codes
            )
        ) from None
    return found


def parameters(query: Schema) -> list[dict[str, Any]]:
    """A query as OpenAPI documents it."""
    return [
        {
            "in": "query",
            "name": name,
            "description": field.metadata["description"],
            "required": field.required,
            "schema": _schema(field),
        }
        for name, field in query.fields.items()
    ]


def _schema(field: fields.Field[Any]) -> dict[str, Any]:
    if isinstance(field, LanguageField):
        return {"type": "string", "enum": [*LANGUAGES, ALL]}
    schema: dict[str, Any] = {"type": "integer" if isinstance(field, fields.Integer) else "string"}
    for bound in field.validators:
        if isinstance(bound, validate.Length):
            schema["maxLength"] = bound.max
        if isinstance(bound, validate.Range):
            schema |= {"minimum": bound.min, "maximum": bound.max}
        if isinstance(bound, validate.Regexp):
            schema["pattern"] = bound.regex.pattern
    return schema
