"""GET …/charts: each procedure as rows, and as a picture."""

from __future__ import annotations

from typing import Any
from xml.etree import ElementTree as ET

import pytest
from flask.testing import FlaskClient

from engine.tables import END, OVER
from service.chart_picture import WIDTH
from service.games import GAMES
from service.lettering import width, wrapped
from service.terms import LANGUAGES

SVG = "{http://www.w3.org/2000/svg}"
RAID = "/v1/games/navajo-wars/charts/enemy-raid"
EVERY = [(game.name, procedure) for game in GAMES.values() for procedure in game.procedures]
PICTURE = {"Accept": "image/svg+xml"}


def drawn(client: FlaskClient, path: str) -> ET.Element:
    response = client.get(path, headers=PICTURE)
    assert (response.status_code, response.mimetype) == (200, "image/svg+xml")
    return ET.fromstring(response.get_data())


@pytest.mark.parametrize("game", GAMES)
def test_all_charts_are_listed(client: FlaskClient, game: str) -> None:
    listed = client.get(f"/v1/games/{game}/charts?lang=ja").get_json()["charts"]
    assert [one["procedure"] for one in listed] == list(GAMES[game].procedures)


@pytest.mark.parametrize(("game", "procedure"), EVERY)
def test_rows_are_those_of_the_table_in_four_languages(
    client: FlaskClient, game: str, procedure: str
) -> None:
    chart = client.get(f"/v1/games/{game}/charts/{procedure}?lang=all").get_json()
    table = GAMES[game].procedures[procedure]
    assert [row["name"] for row in chart["rows"]] == list(table.steps)
    assert [row["number"] for row in chart["rows"]] == list(range(1, len(table.steps) + 1))
    for row in chart["rows"]:
        step = table.steps[row["name"]]
        assert (row["kind"], row["rules"], row["goes"]) == (step.kind, [*step.rules], [*step.goes])
        assert set(row["goes"]) <= {*table.steps, END, OVER}
        assert list(row["title"]) == list(LANGUAGES)
        assert (row["part"] is None) is (step.part is None)


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize(("game", "procedure"), EVERY)
def test_pictures_say_every_title_and_keep_to_their_width(
    client: FlaskClient, game: str, procedure: str, lang: str
) -> None:
    path = f"/v1/games/{game}/charts/{procedure}?lang={lang}"
    picture, chart = drawn(client, path), client.get(path).get_json()
    words = [(text, text.text or "") for text in picture.iter(f"{SVG}text")]
    said = "".join(one for _, one in words).replace(" ", "")
    for row in chart["rows"]:
        assert row["title"].replace(" ", "") in said
    for text, one in words:
        bold, size = text.get("font-weight") == "bold", float(text.get("font-size", 0))
        assert size >= 14
        if text.get("text-anchor") is None:
            assert float(text.get("x", 0)) + width(one, size, bold=bold) <= WIDTH
    assert picture.get("viewBox", "").startswith(f"0 0 {WIDTH} ")
    assert picture.get("lang") == lang


def test_where_one_is_and_what_is_done_is_told_apart_without_colour(client: FlaskClient) -> None:
    path = f"{RAID}?lang=en&at=player-reaction&done=initiation,placement,placement"
    rows = {row["name"]: row for row in client.get(path).get_json()["rows"]}
    assert [name for name, row in rows.items() if row["here"]] == ["player-reaction"]
    assert {name: row["done"] for name, row in rows.items() if row["done"]} == {
        "initiation": 1,
        "placement": 2,
    }
    picture, plain = drawn(client, path), drawn(client, f"{RAID}?lang=en")
    said = [text.text for text in picture.iter(f"{SVG}text")]
    assert said.count("You are here") == 1
    assert any("done 2 times" in (one or "") for one in said)
    assert len(list(picture.iter(f"{SVG}path"))) == 2, "a tick for each row that is done"
    assert not list(plain.iter(f"{SVG}path"))
    kinds = [row["kind"] == "automatic" for row in rows.values()]
    assert len(list(plain.iter(f"{SVG}circle"))) == sum(kinds)
    assert len(list(plain.iter(f"{SVG}rect"))) == len(kinds) - sum(kinds) + 1, "and the paper"


def test_rows_by_the_names_of_saved_games_are_found(client: FlaskClient) -> None:
    path = "/v1/games/navajo-wars/charts/draw-card?at=segment-over"
    assert [row["name"] for row in client.get(path).get_json()["rows"] if row["here"]] == ["discard-phase"]


@pytest.mark.parametrize(
    ("accept", "media"),
    [
        ("*/*", "application/json"),
        ("application/json", "application/json"),
        ("image/avif,image/webp,image/svg+xml,image/*;q=0.8,*/*;q=0.5", "image/svg+xml"),
        ("application/json;q=0.5,image/svg+xml", "image/svg+xml"),
    ],
)
def test_the_picture_is_for_those_who_prefer_it(client: FlaskClient, accept: str, media: str) -> None:
    response = client.get(RAID, headers={"Accept": accept})
    assert response.mimetype == media
    assert response.headers["Vary"] == "Accept, Accept-Language"
    assert response.headers["ETag"]


@pytest.mark.parametrize(
    ("path", "status", "where"),
    [
        ("/v1/games/navajo-wars/charts/nowhere", 404, []),
        (f"{RAID}?at=nowhere", 422, ["/at"]),
        (f"{RAID}?done=placement,nowhere", 422, ["/done"]),
        (f"{RAID}?lang=de", 422, ["/lang"]),
        (f"{RAID}?lang=all", 422, ["/lang"]),  # a picture is in one language
        (f"{RAID}?done={'placement,' * 300}", 422, ["/done"]),
    ],
)
def test_what_there_is_none_of_is_a_problem(client: FlaskClient, path: str, status: int, where: Any) -> None:
    response = client.get(path, headers=PICTURE)
    assert (response.status_code, response.content_type) == (status, "application/problem+json")
    assert [one["pointer"] for one in response.get_json()["errors"]] == where


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("", []),
        ("one", ["one"]),
        ("one two three four", ["one two", "three four"]),
        ("カウンターを置く。", ["カウンター", "を置く。"]),
        ("（甲）乙丙丁、戊己庚辛壬癸", ["（甲）乙丙", "丁、戊己庚", "辛壬癸"]),
        ("Santa\N{NO-BREAK SPACE}Fé is far", ["Santa\N{NO-BREAK SPACE}Fé", "is far"]),
        ("Donaudampfschiff", ["Donaudam", "pfschiff"]),
    ],
)
def test_text_is_broken_where_it_may_be(text: str, lines: list[str]) -> None:
    found = wrapped(text, 16, 90)
    assert found == lines
    assert all(width(line, 16) <= 90 for line in found)


def test_a_row_that_does_not_exist_is_told_with_those_that_do(client: FlaskClient) -> None:
    hinted = {"enemy-raid": "Did you mean return", "evade": "Possible here: roll, where, arrive, or go-on."}
    for chart, told in hinted.items():
        response = client.get(f"/v1/games/navajo-wars/charts/{chart}?at=retur&lang=en")
        (error,) = response.get_json()["errors"]
        assert (response.status_code, error["pointer"]) == (422, "/at")
        assert told in error["detail"]


@pytest.mark.parametrize("procedure", GAMES["navajo-wars"].procedures)
def test_all_rows_of_a_chart_are_told_to_whom_names_one_that_it_has_not(
    client: FlaskClient, procedure: str
) -> None:
    (error,) = client.get(f"/v1/games/navajo-wars/charts/{procedure}?at=qqq").get_json()["errors"]
    assert error["code"] == "unknown-value"
    assert all(row in error["detail"] for row in GAMES["navajo-wars"].procedures[procedure].steps)
