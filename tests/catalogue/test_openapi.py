"""The committed OpenAPI document is what the code generates, and its examples are worked examples."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import pytest
import yaml

from engine.testing import plain
from service import openapi, table
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
