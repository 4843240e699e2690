"""The OpenAPI document, made from the table of operations and the types of what they take and give.

`python -m service.openapi` rewrites openapi/openapi.yaml; a test compares the two.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from service import queries, shapes, table
from service.config import MOST_BYTES, version
from service.operations import JSON, Operation
from service.plain_json import MOST_NESTED
from service.problems import PROBLEMS

ABOUT = (
    "Rules assistant and move validator for board wargames, in English, French, Italian and Japanese. A described "
    "position and a proposed action go in; a ruling with every reason and rule number, the resulting position and "
    "what is asked next come out. Nothing is kept, and nobody has to sign in. Answers may get more fields in later "
    "versions; requests with a field that is not known are refused."
)
IN_A_LANGUAGE = {
    "Content-Language": {
        "description": "The language of the answer, or all four.",
        "required": True,
        "schema": {"type": "string"},
    },
    "Vary": {
        "description": "Accept-Language",
        "required": True,
        "schema": {"type": "string", "const": "Accept-Language"},
    },
}
ACCEPT_LANGUAGE = {
    "name": "Accept-Language",
    "in": "header",
    "description": "The reader's languages in his order; decides where the request names no language.",
    "required": False,
    "schema": {"type": "string"},
}
# How each kind of request can fail, by HTTP status.
FAILURES = {"get": (422,), "post": (400, 411, 413, 415, 422)}


def document(operations: list[Operation]) -> dict[str, Any]:
    """The document of these operations."""
    failing = sorted({status for operation in operations for status in _failures(operation)})
    paths: dict[str, Any] = {}
    for operation in operations:
        paths.setdefault(operation.path, {})[operation.method] = _described(operation)
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Ruleglot",
            "version": version(),
            "description": ABOUT,
            "license": {"name": "MIT", "identifier": "MIT"},
        },
        "servers": [{"url": "/", "description": "The server this document comes from"}],
        "security": [],
        "tags": [_tag(name) for name in dict.fromkeys(operation.tag for operation in operations)],
        "paths": paths,
        "components": {
            "schemas": shapes.everything(),
            "parameters": {"AcceptLanguage": ACCEPT_LANGUAGE},
            "responses": {f"Problem{status}": _failure(status) for status in failing},
        },
    }


def _tag(name: str) -> dict[str, str]:
    about = "What is not about one game" if name == "general" else f"What is asked and looked up about {name}"
    return {"name": name, "description": about}


def _described(operation: Operation) -> dict[str, Any]:
    failures = _failures(operation)
    described: dict[str, Any] = {
        "operationId": operation.id,
        "tags": [operation.tag],
        "summary": operation.summary,
        "description": operation.description,
        "parameters": _parameters(operation, worded=bool(failures)),
    }
    if operation.body is not None:
        described["requestBody"] = _request(operation)
    described["responses"] = {
        "200": _answer(operation),
        **{str(status): {"$ref": f"#/components/responses/Problem{status}"} for status in failures},
    }
    return described


def _parameters(operation: Operation, *, worded: bool) -> list[dict[str, Any]]:
    """What stands in the path and in the query; whatever can fail is worded in the reader's language."""
    in_path = [part.strip("{}") for part in operation.path.split("/") if part.startswith("{")]
    found: list[dict[str, Any]] = [
        {"in": "path", "name": name, "required": True, "schema": {"type": "string", "minLength": 1}}
        for name in in_path
    ]
    if operation.query is not None:
        found += queries.parameters(operation.query)
    return [*found, {"$ref": "#/components/parameters/AcceptLanguage"}] if worded else found


def _request(operation: Operation) -> dict[str, Any]:
    name = operation.body.__name__ if operation.body else ""
    content: dict[str, Any] = {"schema": {"$ref": shapes.REF.format(name=name)}}
    if operation.examples is not None:
        content["examples"] = operation.examples()
    return {"required": True, "content": {JSON: content}}


def _answer(operation: Operation) -> dict[str, Any]:
    schema = {} if operation.answer is None else {"$ref": shapes.REF.format(name=operation.answer)}
    content = {operation.media: {"schema": schema or {"type": "string"}}}
    if operation.picture:
        content[operation.picture] = {"schema": {"type": "string"}}
    said: dict[str, Any] = {"description": operation.summary}
    return said | ({"headers": _headers(operation)} if operation.worded else {}) | {"content": content}


def _headers(operation: Operation) -> dict[str, Any]:
    """In which language the answer is, and what of the request it depends on."""
    if not operation.picture:
        return IN_A_LANGUAGE
    varies = "Accept, Accept-Language"
    schema = {"type": "string", "const": varies}
    return {**IN_A_LANGUAGE, "Vary": {"description": varies, "required": True, "schema": schema}}


def _failures(operation: Operation) -> tuple[int, ...]:
    """The statuses that an operation can fail with."""
    named = "{" in operation.path  # and there may be nothing of that name
    if operation.method == "post" or operation.query is not None:
        return (404, *FAILURES[operation.method]) if named else FAILURES[operation.method]
    return (404,) if named else ()


def _failure(status: int) -> dict[str, Any]:
    """A failed request: every sentence that goes with its status."""
    limits = {"too-deep": MOST_NESTED, "too-large": MOST_BYTES}
    said = [
        said.text % {"limit": limits.get(name), "given": "…"}
        for name, (code, said) in PROBLEMS.items()
        if code == status
    ]
    return {
        "description": " ".join(said),
        "headers": IN_A_LANGUAGE,
        "content": {"application/problem+json": {"schema": {"$ref": shapes.REF.format(name="ProblemBody")}}},
    }


def main() -> None:
    """Rewrite the committed document."""
    path = Path(__file__).parent.parent / "openapi" / "openapi.yaml"
    path.parent.mkdir(exist_ok=True)
    path.write_text(as_yaml(document(table.operations())), encoding="utf-8")


def as_yaml(spec: dict[str, Any]) -> str:
    """The document as committed."""
    import yaml  # noqa: PLC0415  only who rewrites the document needs PyYAML

    return str(yaml.dump(spec, Dumper=_plain_dumper(yaml), sort_keys=False, allow_unicode=True, width=110))


def _plain_dumper(yaml: Any) -> Any:
    """A dumper that writes what stands in two places twice, instead of pointing from one to the other."""

    class Dumper(yaml.SafeDumper):  # type: ignore[misc]  # the module is handed in
        def ignore_aliases(self, _data: Any) -> bool:
            return True

    return Dumper


if __name__ == "__main__":
    main()
