"""The OpenAPI document, generated from the code: positions and actions from the engine's types.

`python -m service.openapi` rewrites openapi/openapi.yaml; a test compares the two.
"""

from __future__ import annotations

from functools import cache
from itertools import product
from pathlib import Path
from typing import Any

import msgspec
from apispec.ext.marshmallow import OpenAPIConverter
from flask_smorest import Api
from marshmallow import fields
from msgspec import inspect

from engine.codec import Input
from engine.game import Continue, Game
from engine.memory import Frame
from engine.transcript import Expected
from engine.verdict import LEGAL
from service import schemas, worked_examples
from service.config import MOST_BYTES
from service.games import GAMES
from service.languages import LANGUAGES, Voice
from service.problems import PROBLEMS

REF = "#/components/schemas/{name}"
TEXT = {
    "anyOf": [
        {"type": "string"},
        {
            "type": "object",
            "properties": {lang: {"type": "string"} for lang in LANGUAGES},
            "required": list(LANGUAGES),
            "additionalProperties": False,
        },
    ],
    "description": "A sentence; with lang=all an object with one sentence for each language.",
}
EXAMPLES_PER_KIND = 3
IN_A_LANGUAGE = {
    "Content-Language": {
        "description": "The language of the answer, or all four.",
        "required": True,
        "schema": {"type": "string"},
    },
    "Vary": {"description": "Accept-Language", "required": True, "schema": {"const": "Accept-Language"}},
}
ACCEPT_LANGUAGE = {
    "description": "The reader's languages in his order; decides where the request names no language.",
    "schema": {"type": "string"},
    "example": "fr-FR,en-US;q=0.7",
}
# How each kind of request can fail, by HTTP status.
FAILURES = {"get": (422,), "post": (400, 411, 413, 415, 422)}


def describe(api: Api) -> None:
    """Teach the document the engine's types before any path is registered."""
    for name, schema in {"Text": TEXT, **engine_schemas()}.items():
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
    if isinstance(field, schemas.Moves):
        return _moves(field.metadata["engine_schema"])
    if isinstance(field, schemas.EngineValue | schemas.Choices):
        return {"$ref": REF.format(name=field.metadata["engine_schema"])}
    if isinstance(field, schemas.LanguageField):
        return {"type": "string", "enum": [*LANGUAGES, "all"]}
    return {"$ref": REF.format(name="Text")} if isinstance(field, schemas.Text) else {}


def finish(api: Api) -> None:
    """What flask-smorest cannot know: how requests fail, and that answers are worded in a language."""
    components = api.spec.components
    for unused in ("DEFAULT_ERROR", "UNPROCESSABLE_ENTITY"):
        components.responses.pop(unused, None)
    components.schemas.pop("PaginationMetadata", None)
    components.parameter("AcceptLanguage", "header", {"name": "Accept-Language", **ACCEPT_LANGUAGE})
    failing = {
        status
        for path, operations in api.spec._paths.items()
        for method, operation in operations.items()
        if method in FAILURES
        for status in _finish_operation(path, method, operation)
    }
    for status in sorted(failing):
        components.response(f"Problem{status}", _failure(status))
    plugin: Any = api.ma_plugin
    for (declared, *_), name in plugin.converter.refs.items():
        if declared.__doc__ and name in components.schemas:
            components.schemas[name].setdefault("description", declared.__doc__)


def _finish_operation(path: str, method: str, operation: dict[str, Any]) -> tuple[int, ...]:
    """Say how an operation fails, and that its answer has a language; the statuses it fails with."""
    responses = operation["responses"]
    for undocumented in ("default", "422"):
        responses.pop(undocumented, None)
    named = "{" in path  # and there may be nothing of that name
    if not (named or method == "post" or operation.get("parameters")):
        return ()
    asked = [parameter.get("name") for parameter in operation.get("parameters", [])]
    if method == "post" or "lang" in asked:
        responses["200"]["headers"] = IN_A_LANGUAGE
    operation.setdefault("parameters", []).append({"$ref": "#/components/parameters/AcceptLanguage"})
    failures = (404, *FAILURES[method]) if named else FAILURES[method]
    for status in failures:
        responses[str(status)] = {"$ref": f"#/components/responses/Problem{status}"}
    return failures


def _failure(status: int) -> dict[str, Any]:
    """A failed request: every sentence that goes with its status."""
    problem = {"$ref": REF.format(name="ProblemBody")}
    limits = {"too-deep": schemas.MOST_NESTED, "too-large": MOST_BYTES}
    said = [
        said.text % {"limit": limits.get(name), "given": "…"}
        for name, (code, said) in PROBLEMS.items()
        if code == status
    ]
    return {
        "description": " ".join(said),
        "headers": IN_A_LANGUAGE,
        "content": {"application/problem+json": {"schema": problem}},
    }


@cache
def engine_schemas() -> dict[str, Any]:
    """JSON Schemas of every engine type that requests and answers carry."""
    found: dict[str, Any] = {}
    for game in GAMES.values():
        prefix = schemas.schema_prefix(game)
        memories = {procedure.memory for procedure in game.procedures.values()}
        actions = [action.kind for action in game.actions.values()]
        found |= _of_types([game.position, game.components, *actions, *memories], prefix)
        found[f"{prefix}Action"] = _action(game, prefix)
        found[f"{prefix}Choices"] = _choices(game)
        found[f"{prefix}Frame"] = _frame(game, prefix)
        found[f"{prefix}AuditedPosition"] = _audited(found[f"{prefix}Position"])
        found[f"{prefix}GameMove"] = _move(prefix)
        found[f"{prefix}Transcript"] = _transcript(prefix)
    found |= _of_types([Continue, Expected, Frame, Input], "")
    found["Input"] |= {"minProperties": 1, "maxProperties": 1}
    found["Inputs"] = {
        "type": "array",
        "maxItems": schemas.MOST_INPUTS,
        "items": {"$ref": REF.format(name="Input")},
    }
    return found


def _of_types(kinds: list[Any], prefix: str) -> dict[str, Any]:
    """The schemas of these types and of every type inside them, by name."""
    kinds = sorted(kinds, key=lambda kind: str(kind.__name__))
    ref = REF.replace("{name}", f"{prefix}{{name}}")
    _, written = msgspec.json.schema_components(kinds, ref_template=ref)
    named = {f"{prefix}{name}": _tidied(schema) for name, schema in written.items()}
    for schema in named.values():
        del schema["title"]  # it repeats the name
        if not schema.get("required", True):
            del schema["required"]
    for kind in inspect.multi_type_info(kinds):
        _name_the_keys(kind, {"$ref": ref.format(name=kind.cls.__name__)}, named)  # type: ignore[attr-defined]
    return named


def _choices(game: Game) -> dict[str, Any]:
    """The disputed rules by name and by id, each with its readings; several rules may share an id."""
    readings: dict[str, list[str]] = {}
    for issue in game.catalogue.issues.values():
        for key in (issue.name, issue.id):
            known = readings.setdefault(key, [])
            known += [choice for choice in issue.choices if choice not in known]
    said = "Readings of rules that the documents dispute, by name or id; the others are read as preferred."
    return {
        "type": "object",
        "description": said,
        "properties": {key: {"enum": choices} for key, choices in readings.items()},
        "additionalProperties": False,
    }


def _frame(game: Game, prefix: str) -> dict[str, Any]:
    """A frame of the agenda: each procedure has its own steps and its own memory."""
    return {
        "description": str(Frame.__doc__),
        "oneOf": [
            {
                "type": "object",
                "title": procedure.name,
                "properties": {
                    "procedure": {"const": procedure.name},
                    "step": {"enum": list(procedure.steps)},
                    "memory": {"$ref": REF.format(name=f"{prefix}{procedure.memory.__name__}")},
                },
                "required": ["procedure", "step"],
                "additionalProperties": False,
            }
            for procedure in game.procedures.values()
        ],
    }


def _moves(name: str) -> dict[str, Any]:
    return {"type": "array", "maxItems": schemas.MOST_MOVES, "items": {"$ref": REF.format(name=name)}}


def _move(prefix: str) -> dict[str, Any]:
    return {
        "type": "object",
        "description": "An action with the answers to its questions; without an action, `continue`. What was told "
        "or changed by hand before it is `position`, laid over the position reached.",
        "properties": {
            "action": {"$ref": REF.format(name=f"{prefix}Action")},
            "inputs": {
                "type": "array",
                "maxItems": schemas.MOST_MOVES - 1,
                "items": {"$ref": REF.format(name="Input")},
            },
            "position": {"$ref": REF.format(name=f"{prefix}Position")},
            "expected": {"$ref": REF.format(name="Expected")},
        },
        "additionalProperties": False,
    }


def _transcript(prefix: str) -> dict[str, Any]:
    return {
        "type": "object",
        "description": "The moves that were replayed, each with what came of it: a request of its own.",
        "properties": {
            "position": {"$ref": REF.format(name=f"{prefix}Position")},
            "moves": _moves(f"{prefix}GameMove"),
            "choices": {"$ref": REF.format(name=f"{prefix}Choices")},
            "components": {"$ref": REF.format(name=f"{prefix}Components")},
        },
        "required": ["position", "moves"],
        "additionalProperties": False,
    }


def _audited(position: dict[str, Any]) -> dict[str, Any]:
    """A position whose agenda may name what no procedure has: an audit says so."""
    agenda = {**position["properties"]["agenda"], "items": {"$ref": REF.format(name="Frame")}}
    return {**position, "properties": {**position["properties"], "agenda": agenda}}


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


def _tidied(schema: Any) -> Any:
    """A pair is a list of two alike: many programs that read schemas do not know `prefixItems`."""
    if isinstance(schema, list):
        return [_tidied(part) for part in schema]
    if not isinstance(schema, dict):
        return schema
    alike = schema.get("prefixItems", [])
    if alike and all(place == alike[0] for place in alike):
        schema = {key: part for key, part in schema.items() if key != "prefixItems"} | {"items": alike[0]}
    return {key: _tidied(part) for key, part in schema.items()}


def _name_the_keys(kind: Any, schema: dict[str, Any], named: dict[str, Any]) -> None:
    """msgspec leaves out which keys a mapping may have: say it, wherever one stands inside a type."""
    if isinstance(kind, inspect.StructType) and "$ref" in schema:
        properties = named[schema["$ref"].rpartition("/")[2]].get("properties", {})
        for field in kind.fields:
            _name_the_keys(field.type, properties[field.encode_name], named)
    elif isinstance(kind, inspect.UnionType):
        for one, place in product(kind.types, schema.get("anyOf", [schema])):
            _name_the_keys(one, place, named)
    elif isinstance(kind, inspect.DictType) and schema.get("type") == "object":
        if isinstance(kind.key_type, inspect.LiteralType):
            schema["propertyNames"] = {"enum": list(kind.key_type.values)}
        _name_the_keys(kind.value_type, schema.get("additionalProperties", {}), named)
    elif isinstance(kind, inspect.CollectionType) and "items" in schema:
        _name_the_keys(kind.item_type, schema["items"], named)


def request_examples(game: Game) -> dict[str, Any]:
    """A few worked examples of each action kind as named OpenAPI examples."""
    named = {}
    for kind, examples in worked_examples.by_kind(game.name).items():
        for number, example in enumerate(examples[:EXAMPLES_PER_KIND], start=1):
            named[f"{kind}-{number}"] = {
                "summary": example.name,
                "value": worked_examples.as_request(example),
            }
    return named


def replay_examples(game: Game) -> dict[str, Any]:
    """A worked example with answers as a game of one move."""
    example = next(one for one in worked_examples.of_game(game.name) if one.inputs and one.ruling == LEGAL)
    sent = worked_examples.as_request(example)
    move = {name: sent.pop(name) for name in ("action", "inputs")}
    return {"one-move": {"summary": example.name, "value": {**sent, "moves": [move]}}}


def audit_examples(game: Game) -> dict[str, Any]:
    """The position of a worked example, and one whose agenda names no step."""
    position = worked_examples.as_request(worked_examples.of_game(game.name)[0])["position"]
    astray = {"agenda": [{"procedure": next(iter(game.procedures)), "step": "nowhere"}]}
    return {
        "possible": {"summary": "A position that is possible", "value": {"position": position}},
        "impossible": {"summary": "An agenda that names no step", "value": {"position": astray}},
    }


def action_entries(game: Game, speaks: Voice) -> list[dict[str, Any]]:
    """Every action kind with its parameters and an example request."""
    entries = []
    documented = engine_schemas()
    for name, action in game.actions.items():
        examples = worked_examples.by_kind(game.name).get(name)
        entries.append(
            {
                "kind": name,
                "rule": action.rule,
                "text": speaks.say(action.says, {}),
                "parameters": documented[f"{schemas.schema_prefix(game)}{action.kind.__name__}"],
                "example": worked_examples.as_request(examples[0]) if examples else None,
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
