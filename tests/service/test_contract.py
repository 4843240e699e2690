"""The service does what its own OpenAPI document says, and the document says what the service does."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from typing import Any

import jsonschema_rs
import pytest
import schemathesis
from flask.testing import FlaskClient
from hypothesis import HealthCheck, Phase, given, seed, settings
from msgspec import UNSET
from schemathesis import GenerationMode
from schemathesis.checks import not_a_server_error
from schemathesis.core.errors import InvalidSchema
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    negative_data_rejection,
    positive_data_acceptance,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from engine.codec import Input
from engine.testing import merge, plain
from service import openapi, shown_plays, table
from service.app import create_app
from service.config import version
from service.games import GAMES
from service.limits import FREE
from service.operations import RATE_LIMIT, Operation
from tests.service.sent import CHECK, EVADE, LANGUAGES
from tests.shown import Shown, all_shown, components

CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
]
EXAMPLES = {"get": 10, "post": 100, "patch": 10, "delete": 10}
SEED = 2013
TRIES = 5

Ask = Callable[..., dict[str, Any]]


# -- schemathesis ------------------------------------------------------------------------------------

SCHEMA = schemathesis.openapi.from_wsgi("/openapi.json", create_app())
OPERATIONS = {result.ok().label: result.ok() for result in SCHEMA.get_all_operations()}
WITH_ARGUMENTS = [label for label, operation in OPERATIONS.items() if [*operation.query, *operation.body]]


def generated(label: str, mode: GenerationMode, judge: Callable[[Any, Any], None]) -> None:
    """Put generated requests to one operation, the same ones in every run."""
    operation = OPERATIONS[label]
    wanted = 10 if "/plays" in operation.path else EXAMPLES[operation.method]
    judged = 0
    for number in range(TRIES):
        judged += _put(operation, mode, judge, SEED + number, wanted - judged)
        if judged >= wanted:
            return
    assert judged >= wanted // 2, f"only {judged} requests could be generated"


def _put(
    operation: Any, mode: GenerationMode, judge: Callable[[Any, Any], None], number: int, wanted: int
) -> int:
    """How many requests were judged: schemathesis may turn a schema into one that nothing fits, and stops there."""
    judged = 0

    @seed(number)
    @settings(
        max_examples=wanted,
        database=None,
        deadline=None,
        phases=[Phase.generate],
        suppress_health_check=[
            HealthCheck.data_too_large,
            HealthCheck.filter_too_much,
            HealthCheck.large_base_example,
            HealthCheck.too_slow,
        ],
    )
    @given(case=operation.as_strategy(generation_mode=mode))
    def put_to_it(case: Any) -> None:
        nonlocal judged
        judge(case, case.call(headers={"Accept-Encoding": "identity"}))
        judged += 1

    try:
        put_to_it()
    except InvalidSchema as error:
        if "Cannot generate an array" not in str(error):
            raise
        return judged
    return max(judged, wanted)


def _beyond_a_document(sent: Any, answer: bytes) -> bool:
    """A document can neither forbid an illegal move, nor a fact at a place that is none or against another, nor a page behind the end."""
    told_nowhere = (b"/inputs/" in answer and "tell" in repr(sent)) or b"/remembered/" in answer
    contradicts = b'"code":"against-connections"' in answer
    return told_nowhere or contradicts or b"/transcript/moves" in answer or b'"pointer":"/from"' in answer


@pytest.mark.parametrize("label", OPERATIONS)
def test_what_the_document_allows_is_answered_as_it_says(label: str) -> None:
    def judge(case: Any, response: Any) -> None:
        checks = [*CHECKS, positive_data_acceptance]
        # A document cannot bound a body's length, nor say which parameters one of the actions has.
        beyond = response.status_code == 422 and _beyond_a_document(case.body, response.content)
        if beyond or response.status_code == 413 or _varied_in_vain(response):
            checks.remove(positive_data_acceptance)
        case.validate_response(response, checks=checks)

    generated(label, GenerationMode.POSITIVE, judge)


def _varied_in_vain(response: Any) -> bool:
    """A table of odds varies what its action does not have, or cannot be."""
    return response.status_code == 422 and all(
        error["pointer"].startswith("/vary/") for error in response.json()["errors"]
    )


@pytest.mark.parametrize("label", WITH_ARGUMENTS)
def test_what_the_document_forbids_is_refused_as_it_says(label: str) -> None:
    def judge(case: Any, response: Any) -> None:
        checks = [*CHECKS, negative_data_rejection]
        if response.status_code == 413 or _found_impossible(
            response
        ):  # schemathesis does not count it as a refusal
            checks.remove(negative_data_rejection)
        case.validate_response(response, checks=checks)

    generated(label, GenerationMode.NEGATIVE, judge)


def _found_impossible(response: Any) -> bool:
    """An audit says that a number out of its range cannot be, and does not refuse it."""
    return response.status_code == 200 and response.json().get("possible") is False


# -- the worked examples over HTTP -------------------------------------------------------------------


@cache
def described() -> dict[str, Any]:
    return openapi.document(table.operations())


@cache
def validator(name: str) -> jsonschema_rs.Draft202012Validator:
    whole = {"$ref": f"#/components/schemas/{name}", "components": described()["components"]}
    return jsonschema_rs.Draft202012Validator(whole)


def conforms(name: str, value: Any) -> None:
    wrong = [f"{error.instance_path}: {error.message}" for error in validator(name).iter_errors(value)]
    assert not wrong, f"not a {name}: {wrong[:3]}"


def requests_of(one: Shown) -> Iterator[tuple[Any, dict[str, Any]]]:
    """An example's requests with what each expects; whoever sends them puts in the position reached."""
    example = one.example
    file = example.components_file
    printed = merge(components(file) if file else {}, example.components)
    for expected in (example, *example.steps):
        yield (
            expected,
            {
                "action": plain(expected.action),
                "inputs": plain(expected.inputs),
                "choices": example.choices,
                "components": plain(printed),
            },
        )


def prefix(one: Shown) -> str:
    return one.game.title().replace("-", "")


@pytest.mark.parametrize("one", all_shown(), ids=str)
def test_every_worked_example_over_http(client: FlaskClient, one: Shown) -> None:
    position: dict[str, Any] = {}
    for expected, request in requests_of(one):
        position = merge(position, expected.position)
        request["position"] = plain(position)
        response = client.post(f"/v1/games/{one.game}/check", json={**request, "lang": "all"})
        answer = response.get_json()
        if expected.unreadable is not UNSET:
            assert response.status_code == 422
            conforms("ProblemBody", answer)
            assert expected.unreadable in {
                f"{error['code']} at {error['pointer']}" for error in answer["errors"]
            }
            continue
        assert response.status_code == 200, answer
        conforms(f"{prefix(one)}CheckRequest", request)
        conforms(f"{prefix(one)}CheckAnswer", answer)
        assert answer["ruling"] == expected.ruling
        if expected.ruling != "legal":
            told = any({"tell", "untell"} & set(given) for given in request["inputs"])
            assert answer["position"] == request["position"] or told
            assert answer["events"] == []
            assert all(change.get("told") for change in answer["changes"])
        position = answer["position"]


@pytest.mark.parametrize("lang", LANGUAGES)
def test_an_answer_in_one_language_conforms_too(client: FlaskClient, lang: str) -> None:
    seen = set()
    for one in all_shown():
        if one.example.ruling not in seen and one.example.unreadable is UNSET:
            seen.add(one.example.ruling)
            _, request = next(requests_of(one))
            request |= {"position": plain(one.example.position), "lang": lang}
            conforms(
                f"{prefix(one)}CheckAnswer",
                client.post(f"/v1/games/{one.game}/check", json=request).get_json(),
            )
    assert seen == {"legal", "illegal", "undetermined"}


@pytest.mark.parametrize("lang", [*LANGUAGES, "all"])
def test_the_lists_conform(client: FlaskClient, lang: str) -> None:
    games = client.get(f"/v1/games?lang={lang}").get_json()
    conforms("GamesAnswer", games)
    for game in games["games"]:
        conforms("ActionsAnswer", client.get(f"/v1/games/{game['name']}/actions?lang={lang}").get_json())


# -- the document itself -----------------------------------------------------------------------------


def test_it_is_a_valid_document() -> None:
    assert described()["openapi"] == "3.1.0"
    assert described()["info"]["title"] == "Ruleglot"
    for name, schema in described()["components"]["schemas"].items():
        assert jsonschema_rs.meta.is_valid(schema), name
        assert schema.get("description") or name.endswith("Action") or set(schema) == {"type", "enum"}, (
            name
        )  # a list of values is told by its name


def refs(value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        for key, inner in value.items():
            if key == "$ref":
                yield inner
            else:
                yield from refs(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from refs(inner)


def test_every_part_is_there_and_used() -> None:
    named = {
        f"#/components/{kind}/{name}" for kind, parts in described()["components"].items() for name in parts
    }
    mapped = {
        target
        for schema in described()["components"]["schemas"].values()
        for target in schema.get("discriminator", {}).get("mapping", {}).values()
    }
    used = set(refs(described()))
    operations = [
        one for path in described()["paths"].values() for one in path.values() if isinstance(one, dict)
    ]
    used |= {
        f"#/components/securitySchemes/{scheme}"
        for operation in operations
        for needs in operation.get("security", ())
        for scheme in needs
    }
    assert used | mapped <= named
    assert named <= used


def test_how_a_check_is_documented() -> None:
    operation = described()["paths"]["/v1/games/navajo-wars/check"]["post"]
    assert operation["requestBody"]["required"] is True
    assert set(operation["responses"]) == {"200", "400", "411", "413", "415", "422", "429"}
    for status, response in operation["responses"].items():
        if status != "200":
            name = response["$ref"].rpartition("/")[2]
            documented = described()["components"]["responses"][name]
            assert list(documented["content"]) == ["application/problem+json"]
            waits = {"Retry-After"} if status == "429" else set()
            assert set(documented["headers"]) == {"Content-Language", "Vary", *RATE_LIMIT} | waits
            assert documented["description"]
            assert "%(" not in documented["description"]
    assert set(operation["responses"]["200"]["headers"]) == {"Content-Language", "Vary", *RATE_LIMIT}


# -- headers -----------------------------------------------------------------------------------------

DECLARED = {"ETag", "Location", "Link", "Retry-After", "WWW-Authenticate", *RATE_LIMIT}
FRUGAL = {"LIMITS": {"everything": "2/hour"}, "LIMITS_STORE": "memory://"}
LOOKED_UP = [one for one in table.operations() if one.method == "get" and one.id != "julianScenario"]


def told(operation: Operation, status: int) -> dict[str, Any]:
    """What the document says of an answer."""
    responses = described()["paths"][operation.path]["get"]["responses"]
    found = responses[str(status)]
    if "$ref" in found:
        found = described()["components"]["responses"][found["$ref"].rpartition("/")[2]]
    assert isinstance(found, dict)
    return found


@pytest.mark.parametrize("operation", LOOKED_UP, ids=lambda one: one.id)
def test_an_answer_has_the_headers_that_the_document_says(operation: Operation) -> None:
    client = create_app(FRUGAL).test_client()
    seen = client.get(operation.shown or operation.path)
    again = client.get(
        operation.shown or operation.path, headers={"If-None-Match": seen.headers.get("ETag", "")}
    )
    spent = client.get(operation.shown or operation.path)
    assert again.status_code == (304 if operation.lasting else 200)
    assert spent.status_code == (200 if operation.id in FREE else 429)
    for answer in (seen, again, spent):
        assert set(told(operation, answer.status_code).get("headers", ())) & DECLARED == (
            set(answer.headers.keys()) & DECLARED
        )


def test_a_rule_that_is_elsewhere_says_where() -> None:
    client = create_app(FRUGAL).test_client()
    (operation,) = (one for one in LOOKED_UP if one.id == "navajoWarsRule")
    moved = client.get("/v1/games/navajo-wars/rules/5.2.1")
    assert set(told(operation, moved.status_code)["headers"]) == set(moved.headers.keys()) & DECLARED


def test_an_answer_about_a_play_has_the_headers_that_the_document_says() -> None:
    operations = {one["operationId"]: one for path in described()["paths"].values() for one in path.values()}
    always = DECLARED - {"Link", *RATE_LIMIT}  # there are no limits here, and no long report
    for name, answer in shown_plays.of().items():
        said = operations[name.partition(" ")[0]]["responses"][str(answer.status_code)]["headers"]
        assert set(said) & always == set(answer.headers.keys()) & always, name
        assert ("Content-Language" in said) == ("Content-Language" in answer.headers), name


def test_the_report_is_shown_in_each_of_its_forms() -> None:
    for name in ("report", "report.{ending}"):
        content = described()["paths"][f"/v1/plays/{{play}}/{name}"]["get"]["responses"]["200"]["content"]
        shown = {media: one["examples"]["answer"]["value"] for media, one in content.items()}
        assert shown["text/markdown"].startswith("# ")
        assert shown["text/html"].startswith("<!")
        assert len(set(shown.values())) == len(shown) == 3


def test_an_option_of_a_question_is_described_as_forms_show_it() -> None:
    options = described()["components"]["schemas"]["PendingQuestion"]["properties"]["options"]
    assert options["items"] == {"$ref": "#/components/schemas/FormOption"}


@pytest.mark.parametrize(
    ("schema", "keys"),
    [
        (("NavajoWarsPosition", "families"), {"A", "B", "C", "D", "E", "F"}),
        (("NavajoWarsBattleRow", "results"), {"1", "2", "3", "4", "5", "6", "tribal"}),
        (("NavajoWarsBattleTable", "effects"), {"MFV", "FV", "RGD", "TTD", "EV", "MEV"}),
    ],
)
def test_the_keys_of_mappings_are_named(schema: tuple[str, str], keys: set[str]) -> None:
    name, field = schema
    described_field = described()["components"]["schemas"][name]["properties"][field]
    named = described_field["propertyNames"]["$ref"].rpartition("/")[2]
    assert set(described()["components"]["schemas"][named]["enum"]) == keys


def test_every_reading_of_a_disputed_rule_can_be_chosen_by_name_and_by_id(client: FlaskClient) -> None:
    readings = described()["components"]["schemas"]["NavajoWarsChoices"]["properties"]
    for issue in GAMES["navajo-wars"].catalogue.issues.values():
        for key in (issue.name, issue.id):
            assert set(issue.choices) <= set(readings[key]["enum"])
            for choice in issue.choices:
                sent = {**EVADE, "choices": {key: choice}}
                assert client.post(CHECK, json=sent).status_code == 200


def schemas_in(value: Any) -> Iterator[dict[str, Any]]:
    if isinstance(value, dict):
        yield value
        for inner in value.values():
            yield from schemas_in(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from schemas_in(inner)


def test_the_document_is_easy_for_programs_that_generate_clients() -> None:
    for schema in schemas_in(described()["components"]["schemas"]):
        if isinstance(schema.get("enum"), list):
            assert schema["type"]
        if "const" in schema and not isinstance(schema["const"], dict):
            assert schema["type"] == "string"  # generated Python stumbles over a number
        assert "default" not in schema
        if isinstance(schema.get("discriminator"), dict) and "propertyName" in schema["discriminator"]:
            assert len(schema["oneOf"]) == len(schema["discriminator"]["mapping"])
    named = described()["components"]["schemas"]
    inputs = [named[one["$ref"].rpartition("/")[2]] for one in named["Input"]["oneOf"]]
    assert [one["required"] for one in inputs] == [[name] for name in Input.__struct_fields__]


def test_every_operation_is_named_and_described() -> None:
    operations = [
        one for path in described()["paths"].values() for method, one in path.items() if method in EXAMPLES
    ]
    assert len({one["operationId"] for one in operations}) == len(operations)
    tags = {tag["name"] for tag in described()["tags"]}
    for one in operations:
        assert one["summary"]
        assert one["description"] not in ("", one["summary"])
        assert set(one["tags"]) <= tags
    assert described()["info"]["version"] == version()
    assert described()["servers"]
    assert described()["security"] == []


def test_a_change_may_have_both_sides_and_a_sentence_four_languages() -> None:
    schemas = described()["components"]["schemas"]
    assert set(schemas["ChangeEntry"]["properties"]) == {
        "pointer",
        "from",
        "to",
        "text",
        "from_text",
        "to_text",
        "told",
    }
    assert schemas["ChangeEntry"]["required"] == ["pointer"]
    conforms("Text", "One sentence.")
    conforms("Text", dict.fromkeys(LANGUAGES, "One sentence."))
    for wrong in (dict.fromkeys(LANGUAGES[1:], "x"), {**dict.fromkeys(LANGUAGES, "x"), "de": "x"}, None, 3):
        assert not validator("Text").is_valid(wrong)
