"""The committed OpenAPI document is what the code generates, and its examples are worked examples."""

from __future__ import annotations

import json
import re
from functools import cache
from pathlib import Path
from typing import Any

import jsonschema_rs
import pytest
import yaml

from engine.codec import Input
from engine.testing import plain
from service import openapi, shown_answers, table
from service.app import create_app
from service.bodies import MOST_CHECKS, MOST_INPUTS, MOST_MOVES, MOST_SENT, schema_prefix
from service.config import MOST_REPLAY_BYTES, version
from service.conventions import TOLD
from service.games import GAMES
from service.openapi import as_yaml
from tests.shown import all_shown

COMMITTED = Path(__file__).parents[2] / "openapi" / "openapi.yaml"


@cache
def generated() -> dict[str, Any]:
    return openapi.document(table.operations())


def first_difference(one: Any, other: Any, place: str = "") -> str:
    if isinstance(one, dict) and isinstance(other, dict):
        for key in [*one, *other]:
            if key not in one or key not in other:
                return f"{place}/{key} is only in {'the code' if key in one else 'the file'}"
            if one[key] != other[key]:
                return first_difference(one[key], other[key], f"{place}/{key}")
    return f"{place}: the code says {str(one)[:200]}, the file {str(other)[:200]}"


def test_the_committed_document_is_what_the_code_generates() -> None:
    assert COMMITTED.exists(), "there is no openapi/openapi.yaml: run `make openapi`"
    committed = yaml.safe_load(COMMITTED.read_text(encoding="utf-8"))
    if committed != generated():
        where = first_difference(generated(), committed)
        pytest.fail(f"openapi/openapi.yaml is out of date, run `make openapi`. {where}", pytrace=False)
    assert COMMITTED.read_text(encoding="utf-8") == as_yaml(generated()), (
        "written otherwise: run `make openapi`"
    )


def test_it_is_generated_the_same_every_time() -> None:
    assert as_yaml(openapi.document(table.operations())) == as_yaml(generated())


def shown_examples(game: str) -> dict[str, dict[str, Any]]:
    body = generated()["paths"][f"/v1/games/{game}/check"]["post"]["requestBody"]
    found: dict[str, dict[str, Any]] = body["content"]["application/json"]["examples"]
    return found


@pytest.mark.parametrize("game", GAMES)
def test_every_example_in_it_is_a_worked_example(game: str) -> None:
    worked = {one.example.name: one.example for one in all_shown() if one.game == game}
    shown = shown_examples(game)
    assert shown
    for name, example in shown.items():
        origin = worked[example["summary"]]
        sent = example["value"]
        assert name.rpartition("-")[0] == sent["action"]["kind"]
        assert sent["position"] == plain(origin.position)
        assert sent["action"] == plain(origin.action)
        assert sent.get("inputs", []) == plain(origin.inputs)
        assert sent.get("choices", {}) == origin.choices


@pytest.mark.parametrize("game", GAMES)
def test_every_action_kind_is_shown(game: str) -> None:
    kinds = {example["value"]["action"]["kind"] for example in shown_examples(game).values()}
    assert set(GAMES[game].actions) <= kinds


# -- what other programs need ------------------------------------------------------------------------


def described_operations() -> dict[str, dict[str, Any]]:
    return {one["operationId"]: one for path in generated()["paths"].values() for one in path.values()}


OPERATIONS = sorted(described_operations())
# There is no set-up of Julian, so nobody can show one.
NOTHING_TO_SHOW = {"julianScenario"}


def answered(operation: dict[str, Any]) -> dict[str, Any]:
    """What an operation answers where nothing is wrong."""
    return next(said for status, said in operation["responses"].items() if status < "300")


@pytest.mark.parametrize("name", OPERATIONS)
def test_every_operation_says_what_it_does_and_shows_a_real_answer(name: str) -> None:
    operation = described_operations()[name]
    assert all(operation[part] for part in ("tags", "summary", "description"))
    for media, content in answered(operation).get("content", {}).items():
        if media == "image/svg+xml" or name in NOTHING_TO_SHOW:
            continue
        (example,) = content["examples"].values()
        whole = {**content["schema"], "components": generated()["components"]}
        wrong = [
            error.message for error in jsonschema_rs.Draft202012Validator(whole).iter_errors(example["value"])
        ]
        assert not wrong, wrong[:3]


def test_only_what_does_not_exist_is_not_shown() -> None:
    for name in NOTHING_TO_SHOW:
        assert (
            "examples" not in described_operations()[name]["responses"]["200"]["content"]["application/json"]
        )


def test_the_answers_that_are_kept_are_what_is_answered_today() -> None:
    assert shown_answers.kept() == shown_answers.asked_today(table.operations()), "run `make openapi`"


def test_an_answer_is_shown_as_it_is() -> None:
    client = create_app().test_client()
    shown = described_operations()["navajoWarsCheck"]
    request = next(iter(shown_examples("navajo-wars").values()))["value"]
    answer = client.post("/v1/games/navajo-wars/check", json=request).get_json()
    content = shown["responses"]["200"]["content"]["application/json"]
    assert content["examples"]["answer"]["value"] == shown_answers.shortened(answer)


def test_links_lead_to_operations_with_what_these_take() -> None:
    known = described_operations()
    links = [link for one in known.values() for link in answered(one).get("links", {}).values()]
    assert links
    for link in links:
        there = known[link["operationId"]]
        assert set(link.get("parameters", ())) <= {
            one["name"] for one in there["parameters"] if "name" in one
        }
        assert ("send " in link["description"]) == ("requestBody" in there)  # a body is told in words


@pytest.mark.parametrize("name", ["AreaId", "BoxId", "FamilyId", "CubeColour"])
def test_the_things_of_the_table_have_names_and_are_listed_once(name: str) -> None:
    schemas = generated()["components"]["schemas"]
    values = schemas[f"NavajoWars{name}"]["enum"]
    again = [
        where for where, schema in schemas.items() if f'"enum": {json.dumps(values)}' in json.dumps(schema)
    ]
    assert again == [f"NavajoWars{name}"]


def test_the_id_of_a_rule_has_a_name_and_fits_every_rule() -> None:
    schema = generated()["components"]["schemas"]["RuleId"]
    for game in GAMES.values():
        for rule in game.catalogue.rules:
            assert re.search(schema["pattern"], rule)


@pytest.mark.parametrize(
    "name", ["NavajoWarsAction", "NavajoWarsFrame", "JulianAction", "JulianFrame", "Form"]
)
def test_what_is_told_apart_says_by_what(name: str) -> None:
    schema = generated()["components"]["schemas"][name]
    by = schema["discriminator"]["propertyName"]
    assert {f'{{"$ref": "{ref}"}}' for ref in schema["discriminator"]["mapping"].values()} == {
        json.dumps(one) for one in schema["oneOf"]
    }
    for value, ref in schema["discriminator"]["mapping"].items():
        meant = generated()["components"]["schemas"][ref.rpartition("/")[2]]
        assert meant["properties"][by]["const"] == value


def test_a_question_names_the_input_that_answers_it() -> None:
    inputs = generated()["components"]["schemas"]["PendingQuestion"]["properties"]["input"]["enum"]
    assert set(inputs) == set(Input.__struct_fields__)


def test_limits_are_in_the_document() -> None:
    schemas = generated()["components"]["schemas"]
    replayed = schemas["NavajoWarsReplayRequest"]["properties"]
    assert replayed["moves"]["maxItems"] == MOST_SENT
    assert replayed["limit"]["maximum"] == MOST_MOVES
    assert schemas["NavajoWarsCheckRequest"]["properties"]["inputs"]["maxItems"] == MOST_INPUTS
    assert schemas["NavajoWarsBatchRequest"]["properties"]["actions"]["maxItems"] == MOST_CHECKS
    replay = described_operations()["navajoWarsReplay"]["requestBody"]["description"]
    assert str(MOST_REPLAY_BYTES) in replay


def test_nobody_has_to_sign_in_and_it_says_so() -> None:
    assert generated()["security"] == []
    assert generated()["servers"]
    assert generated()["info"]["version"] == version()


@pytest.mark.parametrize("game", GAMES)
def test_left_out_null_and_complete_are_explained_where_a_position_is(game: str) -> None:
    schema = generated()["components"]["schemas"][f"{schema_prefix(GAMES[game])}Position"]
    assert TOLD in schema["description"]
    assert TOLD in generated()["info"]["description"]
