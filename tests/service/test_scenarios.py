"""GET …/scenarios over HTTP."""

from __future__ import annotations

from typing import Any

import pytest
from flask.testing import FlaskClient

from engine.navajo_wars import GAME
from tests.service.sent import LANGUAGES

SCENARIOS = "/v1/games/navajo-wars/scenarios"
FIELDS = {"id", "title", "period", "text", "position", "choices", "deck", "victory", "doubts"}


def get(client: FlaskClient, path: str) -> Any:
    response = client.get(path)
    assert response.status_code == 200, response.get_data(as_text=True)
    return response.get_json()


@pytest.mark.parametrize("lang", [*LANGUAGES, "all"])
def test_all_scenarios_and_each_alone(client: FlaskClient, lang: str) -> None:
    answer = get(client, f"{SCENARIOS}?lang={lang}")
    assert (answer["game"], answer["lang"]) == ("navajo-wars", lang)
    assert [one["id"] for one in answer["scenarios"]] == [one.id for one in GAME.scenarios]
    for one in answer["scenarios"]:
        assert set(one) == FIELDS
        assert get(client, f"{SCENARIOS}/{one['id']}?lang={lang}") == one


def test_every_sentence_is_there_in_four_languages(client: FlaskClient) -> None:
    for one in get(client, f"{SCENARIOS}?lang=all")["scenarios"]:
        texts = [
            one["title"],
            one["text"],
            *one["deck"],
            *one["victory"],
            *(doubt["text"] for doubt in one["doubts"]),
        ]
        for choice in one["choices"]:
            texts += [choice["text"], *(option["text"] for option in choice.get("options", ()))]
        for text in texts:
            assert set(text) == set(LANGUAGES)
            assert not [said for said in text.values() if not said or "%(" in said]


def test_the_position_can_be_sent_back(client: FlaskClient) -> None:
    for one in get(client, SCENARIOS)["scenarios"]:
        sent = {"position": one["position"]}
        assert client.post("/v1/games/navajo-wars/audit", json=sent).get_json()["possible"] is True
        sent["position"]["cards"].setdefault("hand", [])
        sent["action"] = {"kind": "draw-card", "number": 1}
        assert client.post("/v1/games/navajo-wars/check", json=sent).get_json()["ruling"] == "legal"


def test_a_choice_lists_its_options_where_they_are_known(client: FlaskClient) -> None:
    choices = {choice["pointer"]: choice for choice in get(client, f"{SCENARIOS}/14.1")["choices"]}
    assert [option["value"] for option in choices["/families/C/at"]["options"]] == [
        "canyon-de-chelly-1",
        "canyon-de-chelly-2",
        "canyon-de-chelly-3",
    ]
    assert [option["value"] for option in choices["/families/A/ferocity"]["options"]] == [0, 1, 2, 3]
    assert "options" not in choices["/instructions"]


def test_julian_has_none(client: FlaskClient) -> None:
    assert get(client, "/v1/games/julian/scenarios")["scenarios"] == []
    assert client.get("/v1/games/julian/scenarios/14.1").status_code == 404


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_number_that_is_none(client: FlaskClient, lang: str) -> None:
    response = client.get(f"{SCENARIOS}/14.7?lang={lang}")
    assert response.status_code == 404
    assert response.get_json()["code"] == "unknown-scenario"
    assert response.get_json()["lang"] == lang


def test_it_can_be_kept_and_asked_for_again_cheaply(client: FlaskClient) -> None:
    first = client.get(f"{SCENARIOS}/14.2")
    assert "max-age" in first.headers["Cache-Control"]
    again = client.get(f"{SCENARIOS}/14.2", headers={"If-None-Match": first.headers["ETag"]})
    assert again.status_code == 304
    assert client.get(f"{SCENARIOS}/14.2?lang=fr").headers["Content-Language"] == "fr"
