"""No legal request is more work than 400 simple checks: counted in calls of functions, not in time."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import orjson
import pytest
from flask.testing import FlaskClient

from service import constants, pages, plain_json, play_kept, play_records, prices, search
from service.app import create_app
from service.store import Store
from tests.bench import full_position
from tests.service import dearest
from tests.service.dear_plays import NAVAJO, no_games, of_plays, whole_game
from tests.service.sent import AMBUSH, CHECK
from tests.service.test_prices import AGAIN, MOST, RAID, posting
from tests.service.work import Work


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Iterator[FlaskClient]:
    """A worker as it is once it has served for a while."""
    folder: Path = tmp_path_factory.mktemp("plays")
    app = create_app({"LIMITS": "off", "STORE": f"sqlite:///{folder / 'plays.sqlite3'}"})
    search.warm()
    constants.warm()
    pages.warm(app)
    yield app.test_client()
    store: Store = app.extensions["ruleglot-plays"].store
    store.close()


@pytest.fixture
def work(monkeypatch: pytest.MonkeyPatch) -> Iterator[Work]:
    """The clock of the prices counts calls; a check costs as many as it does."""
    work = Work()
    monkeypatch.setattr(prices, "clock", work)
    prices.of_a_check.cache_clear()
    with work.counted():
        prices.of_a_check()
    yield work
    prices.of_a_check.cache_clear()


@pytest.mark.parametrize("asked", [dearest.about_positions, dearest.looked_up, of_plays])
def test_the_dearest_requests(kept: FlaskClient, work: Work, asked: Any) -> None:
    simple = posting(kept, CHECK, AMBUSH)
    simple()
    most, found = MOST * work.of(simple), {}
    for dear in asked(kept):
        answers: list[Any] = []
        found[dear.name] = work.of(lambda: answers.append(dear.send()))  # noqa: B023  called at once
        assert answers[0].status_code < 500, dear.name
    assert len(found) >= 15
    assert {name: calls for name, calls in found.items() if calls > most} == {}


@pytest.mark.parametrize("path", ["plays", "replay"])
@pytest.mark.parametrize("body", [body for _, body in no_games()], ids=[name for name, _ in no_games()])
def test_a_long_body_that_is_no_game_is_refused_before_values_are_made_of_it(
    kept: FlaskClient, monkeypatch: pytest.MonkeyPatch, path: str, body: bytes
) -> None:
    made: list[int] = []

    def loads(text: bytes) -> Any:
        made.append(len(text))
        return orjson.loads(text)

    monkeypatch.setattr(plain_json, "orjson", SimpleNamespace(**{**vars(orjson), "loads": loads}))
    monkeypatch.setattr(plain_json, "is_too_deep", lambda value: made.append(len(str(value))) or False)
    sent = b'{"transcript":' + body + b"}" if path == "plays" else body
    refused = kept.post(f"{NAVAJO}/{path}", data=sent, content_type="application/json")
    assert refused.status_code in (400, 413, 422)
    assert sum(made) < 10_000


def test_a_long_text_that_is_no_json_names_its_place(kept: FlaskClient) -> None:
    sent = b'{"position":{},\n"moves":[' + b'{"note":"x"},' * 6_000 + b"?]}"
    refused = kept.post(f"{NAVAJO}/replay", data=sent, content_type="application/json").get_json()
    (error,) = refused["errors"]
    assert (refused["code"], error["code"]) == ("not-json", "not-json")
    assert re.findall(r"\d+", error["detail"].replace(",", "")) == ["2", str(len(sent) - 2 - 16)]


def test_whole_tables_are_read_once(kept: FlaskClient, work: Work) -> None:
    """Each is read from its text: a game of as many as may be sent is brought in within its time."""
    table = {**full_position(), "agenda": []}
    moves = [{"kind": "corrected", "position_after": table}] * 600
    with work.counted():
        taken = kept.post(f"{NAVAJO}/plays", json={"transcript": {"position": table, "moves": moves}})
    assert taken.status_code == 201


def test_dear_moves_that_do_not_say_where_they_lead_are_not_brought_in(kept: FlaskClient, work: Work) -> None:
    sent = {"position": RAID, "moves": [AGAIN] * 400}
    with work.counted():
        refused = kept.post(f"{NAVAJO}/plays", json={"transcript": sent, "lang": "fr"})
    (error,) = refused.get_json()["errors"]
    assert (refused.status_code, error["code"]) == (422, "import-too-dear")
    few = int(re.search(r"\d+", error["detail"])[0])  # type: ignore[index]
    assert 0 < few < 400
    with work.counted():
        taken = kept.post(f"{NAVAJO}/plays", json={"transcript": {**sent, "moves": [AGAIN] * few}})
    assert taken.status_code == 201, "as many as it says can be sent"


def test_the_parts_of_a_report_are_the_whole_of_it(kept: FlaskClient, work: Work) -> None:
    """By the API and on the page: whoever follows the links has read every line, and none twice."""
    sent = {"transcript": whole_game()}
    play = kept.post(f"{NAVAJO}/plays", json=sent).get_json()["id"]
    store = kept.application.extensions["ruleglot-plays"].store
    whole = play_records.told(store, play_kept.find(store, play), "en")
    wanted = [line.text for chapter in whole.chapters[:-1] for line in chapter.lines]
    prices_of_a_check = prices.of_a_check() // 8  # so that even an ordinary game has parts
    with pytest.MonkeyPatch.context() as patch, work.counted():
        patch.setattr(prices, "of_a_check", lambda: prices_of_a_check)
        texts = list(_followed(kept, f"/v1/plays/{play}/report?lang=en"))
        pages = list(_followed(kept, f"/play/{play}/report.txt"))
        read, after = [], 0
        while True:
            told, further = play_records.part(store, play_kept.find(store, play), "en", after)
            read += [line.text for chapter in told.chapters[:-1] for line in chapter.lines]
            if further is None:
                break
            after = further
    assert len(texts) > 2
    assert texts == pages
    assert read == wanted


def _followed(client: FlaskClient, address: str) -> Iterator[str]:
    """Every part, by the links to the next."""
    while address:
        answer = client.get(address, headers={"Accept-Language": "en"})
        assert answer.status_code == 200
        yield answer.get_data(as_text=True)
        further = re.match(r'<([^>]+)>; rel="next"', answer.headers.get("Link", ""))
        address = further[1] if further else ""


def test_a_game_with_too_many_readings_is_not_brought_in(kept: FlaskClient, work: Work) -> None:
    """Each is a whole copy to be kept; half of what it says is taken."""
    sides = [{"kind": "read", "choices": {"ambush-clears": one}} for one in ("all-tracks", "that-track")]
    end = {"kind": "read", "position_after": RAID}
    sent = {"position": RAID, "moves": [*sides * 1_900, end]}
    with work.counted():
        refused = kept.post(f"{NAVAJO}/plays", json={"transcript": sent})
    (error,) = refused.get_json()["errors"]
    assert (refused.status_code, error["code"]) == (422, "import-too-long")
    assert error["pointer"] == "/transcript/moves"
    few = int(re.search(r"\d+", error["detail"])[0])  # type: ignore[index]
    assert 0 < few < 3_800
    with work.counted():
        taken = kept.post(
            f"{NAVAJO}/plays", json={"transcript": {**sent, "moves": [*sides * (few // 4), end]}}
        )
    assert taken.status_code == 201
