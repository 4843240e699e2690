"""The OpenAPI document, generated from the code: positions and actions from the engine's types.

`python -m service.openapi` rewrites openapi/openapi.yaml; a test compares the two.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any, Literal, get_args, get_origin

import msgspec
from apispec.ext.marshmallow import OpenAPIConverter
from flask_smorest import Api
from marshmallow import fields
from msgspec import UNSET

from engine import testing
from engine.codec import Input
from engine.game import Continue, Game
from service import schemas
from service.games import GAMES
from service.languages import LANGUAGES, Voice

REF = "#/components/schemas/{name}"
TEXT = {
    "anyOf": [
        {"type": "string"},
        {
            "type": "object",
            "properties": {lang: {"type": "string"} for lang in LANGUAGES},
            "required": list(LANGUAGES),
        },
    ],
    "description": "A sentence; with lang=all an object with one sentence for each language.",
}
EXAMPLES_PER_KIND = 3


def describe(api: Api) -> None:
    """Teach the document the engine's types before any path is registered."""
    for name, schema in engine_schemas().items():
        api.spec.components.schema(name, schema)
    plugin: Any = api.ma_plugin
    converter: OpenAPIConverter = plugin.converter
    converter.add_attribute_function(_engine_value)
    api.spec.options["info"] = {
        "description": "Rules assistant and move validator for board wargames, in English, French, Italian "
        "and Japanese. A described position and a proposed action go in; a ruling with every reason and rule "
        "number, the resulting position and what is asked next come out.",
        "license": {"name": "MIT", "identifier": "MIT"},
    }


def _engine_value(_converter: Any, field: fields.Field, **_options: Any) -> dict[str, Any]:
    """How the fields of schemas.py that the engine reads are documented."""
    if isinstance(field, schemas.Inputs):
        return {"$ref": REF.format(name="Inputs")}
    if isinstance(field, schemas.EngineValue):
        return {"$ref": REF.format(name=field.metadata["engine_schema"])}
    if isinstance(field, schemas.Choices):
        return {"type": "object", "additionalProperties": {"type": "string"}}
    if isinstance(field, schemas.LanguageField):
        return {"type": "string", "enum": [*LANGUAGES, "all"]}
    return TEXT if isinstance(field, schemas.Text) else {}


def finish(api: Api) -> None:
    """What flask-smorest cannot know: failures are problem+json, and which ones there are."""
    spec = api.spec
    problem = {"$ref": REF.format(name="ProblemBody")}
    spec.components.response(
        "Problem",
        {
            "description": "The request cannot be read: a stable code, a pointer and a sentence.",
            "content": {"application/problem+json": {"schema": problem}},
        },
    )
    for path in spec._paths.values():
        for method, operation in path.items():
            if method in ("get", "post"):
                operation["responses"].pop("default", None)
                operation["responses"].pop("422", None)
                operation["responses"]["default"] = {"$ref": "#/components/responses/Problem"}


def engine_schemas() -> dict[str, Any]:
    """JSON Schemas of every engine type that requests and answers carry."""
    found: dict[str, Any] = {}
    for game in GAMES.values():
        prefix = schemas.schema_prefix(game)
        roots = {"Position": game.position, "Components": game.components}
        roots |= {action.kind.__name__: action.kind for action in game.actions.values()}
        kinds = list(roots.values())
        _, components = msgspec.json.schema_components(
            kinds, ref_template=f"#/components/schemas/{prefix}{{name}}"
        )
        found |= {f"{prefix}{name}": _tidied(schema) for name, schema in components.items()}
        for kind in kinds:
            _name_the_keys(found, prefix, kind)
        found[f"{prefix}Action"] = _action(game, prefix)
    (_, of_kernel) = msgspec.json.schema_components([Continue, Input], ref_template=REF)
    found |= {name: _tidied(schema) for name, schema in of_kernel.items()}
    found["Input"] |= {"minProperties": 1, "maxProperties": 1}
    found["Inputs"] = {
        "type": "array",
        "maxItems": schemas.MOST_INPUTS,
        "items": {"$ref": REF.format(name="Input")},
    }
    return found


def _action(game: Game, prefix: str) -> dict[str, Any]:
    refs = {name: f"{prefix}{action.kind.__name__}" for name, action in game.actions.items()}
    refs["continue"] = "Continue"
    return {
        "oneOf": [{"$ref": REF.format(name=name)} for name in refs.values()],
        "discriminator": {
            "propertyName": "kind",
            "mapping": {kind: REF.format(name=name) for kind, name in refs.items()},
        },
    }


def _tidied(schema: dict[str, Any]) -> dict[str, Any]:
    """A docstring is a description; msgspec's titles repeat the name."""
    return {key: value for key, value in schema.items() if key != "title" and value != []}


def _name_the_keys(found: dict[str, Any], prefix: str, kind: Any) -> None:
    """msgspec leaves out which keys a mapping may have: say it."""
    for name in (kind.__name__,):
        properties = found[f"{prefix}{name}"].get("properties", {})
        for field in msgspec.structs.fields(kind):
            keys = _literal_keys(field.type)
            place = properties.get(field.encode_name)
            if keys and isinstance(place, dict):
                place["propertyNames"] = {"enum": list(keys)}


def _literal_keys(kind: Any) -> tuple[str, ...]:
    for one in (kind, *get_args(kind)):
        if get_origin(one) is dict and get_origin(get_args(one)[0]) is Literal:
            return get_args(get_args(one)[0])
    return ()


def _examples_folder() -> Path:
    """Worked examples: inside an installed wheel, or beside the packages in a checkout."""
    here = Path(__file__).parent
    installed = here / "examples"
    return installed if installed.is_dir() else here.parent / "tests" / "examples"


@cache
def _examples(game: str) -> dict[str, list[Any]]:
    """The worked examples of a game by action kind."""
    found: dict[str, list[Any]] = {}
    for path in sorted((_examples_folder() / game).glob("*.toml")):
        for example in testing.load(path):
            if not example.steps and not example.components_file and example.unreadable is UNSET:
                found.setdefault(example.action["kind"], []).append(example)
    return found


def request_examples(game: Game) -> dict[str, Any]:
    """A few worked examples of each action kind as named OpenAPI examples."""
    named = {}
    for kind, examples in _examples(game.name).items():
        for number, example in enumerate(examples[:EXAMPLES_PER_KIND], start=1):
            named[f"{kind}-{number}"] = {"summary": example.name, "value": _as_request(example)}
    return named


def _as_request(example: Any) -> dict[str, Any]:
    parts = ("position", "action", "inputs", "choices", "components")
    sent = {name: testing.plain(getattr(example, name)) for name in parts}
    return {name: value for name, value in sent.items() if value or name in ("position", "action")}


def action_entries(game: Game, speaks: Voice) -> list[dict[str, Any]]:
    """Every action kind with its parameters and an example request."""
    entries = []
    documented = engine_schemas()
    for name, action in game.actions.items():
        examples = _examples(game.name).get(name)
        entries.append(
            {
                "kind": name,
                "rule": action.rule,
                "text": speaks.say(action.says, {}),
                "parameters": documented[f"{schemas.schema_prefix(game)}{action.kind.__name__}"],
                "example": _as_request(examples[0]) if examples else None,
            }
        )
    return entries


def document() -> dict[str, Any]:
    """The document as the service serves it."""
    from service.app import create_app  # noqa: PLC0415  the application itself imports this module

    app = create_app()
    spec: dict[str, Any] = app.test_client().get("/openapi.json").get_json()
    return spec


def main() -> None:
    """Rewrite the committed document."""
    path = Path(__file__).parent.parent / "openapi" / "openapi.yaml"
    path.parent.mkdir(exist_ok=True)
    path.write_text(as_yaml(document()), encoding="utf-8")


def as_yaml(spec: dict[str, Any]) -> str:
    """The document as committed."""
    import yaml  # noqa: PLC0415  only who rewrites the document needs PyYAML

    return str(yaml.safe_dump(spec, sort_keys=False, allow_unicode=True, width=110))


if __name__ == "__main__":
    main()
