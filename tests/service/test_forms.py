"""The question a procedure waits with says the form of its answer, and what the form says is taken."""

from __future__ import annotations

from functools import cache
from typing import Any

import jsonschema_rs
from flask.testing import FlaskClient

from engine.testing import plain
from service.app import create_app
from tests.service.sent import LANGUAGES
from tests.shown import all_shown

# The input under which each form is answered.
ANSWERED_BY = {
    "die": {"die"},
    "dice": {"dice"},
    "draw": {"cube", "marker"},
    "one": {"choose", "read"},
    "some": {"choose"},
    "yes-no": {"read"},
    "number": {"read"},
    "json": {"read"},
}


@cache
def waiting() -> list[tuple[str, dict[str, Any], dict[str, Any]]]:
    """Every question of a single-request example: the game, the request that leads to it, and the question."""
    client = create_app().test_client()
    found = []
    for one in all_shown():
        example = one.example
        if example.steps or example.components_file or example.ruling != "legal":
            continue
        sent = {
            name: plain(getattr(example, name))
            for name in ("position", "action", "inputs", "choices", "components")
        }
        answer = client.post(f"/v1/games/{one.game}/check", json={**sent, "lang": "all"}).get_json()
        if answer.get("pending"):
            found.append((one.game, sent, answer["pending"]))
    return found


def test_every_question_has_a_form_that_is_answered_under_its_input() -> None:
    seen = set()
    for _, _, pending in waiting():
        form = pending["form"]
        assert pending["input"] in ANSWERED_BY[form["type"]], pending["name"]
        seen.add(form["type"])
    assert seen >= {"die", "draw", "one", "some", "number", "json"}


def test_the_options_of_a_form_are_those_of_the_question_in_four_languages() -> None:
    for _, _, pending in waiting():
        form = pending["form"]
        if form["type"] in ("one", "some"):
            assert form["options"] == pending["options"]
        for option in form.get("options", ()):
            assert set(option["text"]) == set(LANGUAGES)


def test_what_can_be_drawn_is_listed_with_how_many_are_left() -> None:
    drawn = [pending["form"] for _, _, pending in waiting() if pending["form"]["type"] == "draw"]
    assert drawn
    for form in drawn:
        assert form["of"] in ("cube", "marker")
        assert all(option["left"] > 0 for option in form["options"])


def test_a_form_of_another_kind_states_a_schema() -> None:
    for _, _, pending in waiting():
        if pending["form"]["type"] == "json":
            assert jsonschema_rs.meta.is_valid(pending["form"]["schema"]), pending["name"]


def test_a_number_below_and_above_its_bounds_is_refused(client: FlaskClient) -> None:
    numbers = [entry for entry in waiting() if entry[2]["form"]["type"] == "number"]
    assert numbers
    for game, sent, pending in numbers[:20]:
        form = pending["form"]
        for value, fits in ((form["least"], True), (form["least"] - 1, False), (form["most"] + 1, False)):
            again = {**sent, "inputs": [*sent["inputs"], {"read": value}]}
            answer = client.post(f"/v1/games/{game}/check", json=again).get_json()
            refused = [reason["name"] for reason in answer["reasons"]]
            assert ("reading-not-possible" in refused) is not fits, pending["name"]
