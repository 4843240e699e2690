"""The OpenAPI document, made from the table of operations and the types of what they take and give.

`python -m service.openapi` rewrites openapi/openapi.yaml; a test compares the two.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import msgspec
from babel.lists import format_list

from service import headers, play_openapi, queries, shapes, shown_answers, table
from service.config import MOST_BYTES, MOST_REPLAY_BYTES, version
from service.conventions import CONVENTIONS
from service.languages import english_name
from service.limits import FREE
from service.operations import JSON, RATE_LIMIT, Operation
from service.plain_json import MOST_NESTED
from service.problems import PROBLEMS
from service.published import published
from service.shown_answers import in_form
from service.terms import LANGUAGES

_LANGUAGES = format_list([english_name(lang) for lang in LANGUAGES], locale="en")
ABOUT = (
    f"Rules assistant and move validator for board wargames, in {_LANGUAGES}. A described "
    "position and a proposed action go in; a ruling with every reason and rule number, the resulting position and "
    "what is asked next come out. Nothing is kept but plays that somebody starts, and nobody has to sign in. Answers may get more fields in later "
    "versions; a body with a field that is not known is refused, a name that is not known in a query is passed over."
)
IN_PATH = {
    "rule_id": "The id of a rule, as answers name it in `rules`",
    "issue_id": "The number or the name of a disputed point",
    "term_id": "The id of a concept",
    "scenario_id": "The number of a set-up in the rulebook",
    "procedure": "The name of a procedure",
}
ANSWER = "A real answer; of long lists the first entries"
# How each kind of request can fail, by HTTP status, beside that too much is asked.
FAILURES = {"get": (422,), "post": (400, 411, 413, 415, 422)}


def document(operations: list[Operation]) -> dict[str, Any]:
    """The document of these operations."""
    shown = shown_answers.kept()
    paths: dict[str, Any] = {}
    for operation in operations:
        described = _described(operation, shown.get(operation.id))
        paths.setdefault(operation.path, {})[operation.method] = described
    paths |= _with_answers(play_openapi.paths(), shown)
    answered = {status for path in paths.values() for one in path.values() for status in one["responses"]}
    failing = sorted(status for status in map(int, answered) if status >= 400)
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Ruleglot",
            "version": version(),
            "description": ABOUT + "\n" + CONVENTIONS,
            "license": {"name": "MIT", "identifier": "MIT"},
        },
        "servers": [{"url": "/", "description": "The server this document comes from"}],
        "security": [],
        "tags": [_tag(name) for name in dict.fromkeys([*(one.tag for one in operations), play_openapi.TAG])],
        "paths": paths,
        "components": {
            "schemas": published(shapes.everything() | play_openapi.schemas()),
            "parameters": headers.PARAMETERS,
            "headers": headers.everything(),
            "responses": {f"Problem{status}": _failure(status) for status in failing},
            "securitySchemes": {"playKey": play_openapi.KEY},
        },
    }


def _with_answers(paths: dict[str, Any], shown: dict[str, Any]) -> dict[str, Any]:
    """What plays answer, as far as they answer with more than that it is done, each in its form."""
    for operation in (one for path in paths.values() for one in path.values()):
        done = next(said for status, said in operation["responses"].items() if status < "300")
        for media, content in done.get("content", {}).items():
            name = operation["operationId"]
            value = shown.get(in_form(name, media), shown.get(name))
            content["examples"] = {"answer": {"summary": ANSWER, "value": value}}
    return paths


@cache
def as_json() -> bytes:
    """The document as it is served, made once."""
    return msgspec.json.encode(document(table.operations()))


def _tag(name: str) -> dict[str, str]:
    about = {"general": "What is not about one game", play_openapi.TAG: "Games that are kept"}
    return {"name": name, "description": about.get(name, f"What is asked and looked up about {name}")}


def _described(operation: Operation, shown: Any) -> dict[str, Any]:
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
        "200": _answer(operation, shown),
        **operation.elsewhere,
        **(headers.SAME if operation.lasting else {}),
        **{str(status): {"$ref": f"#/components/responses/Problem{status}"} for status in failures},
    }
    return described


def _parameters(operation: Operation, *, worded: bool) -> list[dict[str, Any]]:
    """What stands in the path and in the query; whatever can fail is worded in the reader's language."""
    in_path = [part.strip("{}") for part in operation.path.split("/") if part.startswith("{")]
    shown = dict(zip(operation.path.split("/"), operation.shown.split("/"), strict=False))
    found: list[dict[str, Any]] = [
        {
            "in": "path",
            "name": name,
            "description": IN_PATH[name],
            "required": True,
            "schema": {"type": "string", "minLength": 1},
            "example": shown[f"{{{name}}}"],
        }
        for name in in_path
    ]
    if operation.query is not None:
        found += queries.parameters(operation.query)
    found += [headers.SEEN] if operation.lasting else []
    return [*found, headers.ACCEPT] if worded else found


def _request(operation: Operation) -> dict[str, Any]:
    name = operation.body.__name__ if operation.body else ""
    content: dict[str, Any] = {"schema": {"$ref": shapes.REF.format(name=name)}}
    if operation.examples is not None:
        content["examples"] = operation.examples()
    most = MOST_REPLAY_BYTES if operation.id.endswith("Replay") else MOST_BYTES
    return {"description": f"At most {most} bytes.", "required": True, "content": {JSON: content}}


def _answer(operation: Operation, shown: Any) -> dict[str, Any]:
    schema = {} if operation.answer is None else {"$ref": shapes.REF.format(name=operation.answer)}
    content: dict[str, Any] = {operation.media: {"schema": schema or {"type": "string"}}}
    if shown is not None:
        content[operation.media]["examples"] = {"answer": {"summary": ANSWER, "value": shown}}
    if operation.picture:
        content[operation.picture] = {"schema": {"type": "string"}}
    said: dict[str, Any] = {"description": operation.summary}
    told = _headers(operation)
    links = {"links": operation.links} if operation.links else {}
    return said | ({"headers": told} if told else {}) | {"content": content} | links


def _headers(operation: Operation) -> dict[str, Any]:
    """What is said of an answer beside it."""
    lasting = ("ETag",) if operation.lasting else ()
    budget = () if operation.id in FREE else RATE_LIMIT
    return _language(operation) | headers.sent(*lasting, *budget)


def _language(operation: Operation) -> dict[str, Any]:
    """In which language the answer is, and what of the request it depends on."""
    if not operation.worded:
        return {}
    if not operation.picture:
        return headers.IN_A_LANGUAGE
    varies = "Accept, Accept-Language, and Accept-Encoding where the answer is large."
    schema = {"type": "string"}
    return {**headers.IN_A_LANGUAGE, "Vary": {"description": varies, "required": True, "schema": schema}}


def _failures(operation: Operation) -> tuple[int, ...]:
    """The statuses that an operation can fail with."""
    named = (404,) if "{" in operation.path else ()  # there may be nothing of that name
    read = FAILURES[operation.method] if operation.method == "post" or operation.query is not None else ()
    spent = () if operation.id in FREE else (429,)
    return (*named, *read, *spent, *operation.fails)


SOMETHING = dict.fromkeys(("given", "moves", "version", "wait", "formats"), "…")


def _failure(status: int) -> dict[str, Any]:
    """A failed request: every sentence that goes with its status."""
    limits = {"too-deep": MOST_NESTED, "too-large": MOST_BYTES}
    said = [
        f"- `{name}`: " + said.text % {**SOMETHING, "limit": limits.get(name, "…")}
        for name, (code, said) in PROBLEMS.items()
        if code == status
    ]
    return {
        "description": "\n".join(["One of these codes:", "", *said]),
        "headers": headers.of_failure(status),
        "content": {"application/problem+json": {"schema": {"$ref": shapes.REF.format(name="ProblemBody")}}},
    }


def main() -> None:
    """Rewrite the committed document, and the answers that it shows."""
    operations = table.operations()
    shown_answers.keep(operations)
    path = Path(__file__).parent.parent / "openapi" / "openapi.yaml"
    path.parent.mkdir(exist_ok=True)
    path.write_text(as_yaml(document(operations)), encoding="utf-8")


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
