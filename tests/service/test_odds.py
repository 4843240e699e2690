"""POST …/odds: every useful question in one call, numbers by language, pictures, limits, and bad requests."""

from __future__ import annotations

import time
import tomllib
from fractions import Fraction
from math import comb
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import pytest
from flask.testing import FlaskClient

from engine.odds import MOST_SECONDS
from service.bars import COLUMNS, wrapped
from service.languages import reader
from service.odds import percent
from tests.bench import full_position
from tests.engine.test_odds import SUFFERED, example, outpost_raid, raid_in

AT = "/v1/games/navajo-wars/odds"
WHOLE_COPY = Path(__file__).parents[1] / "components" / "invented-whole-copy.toml"
EVADE = {"kind": "evade", "family": "A"}


def odds(client: FlaskClient, body: dict[str, Any], game: str = "navajo-wars") -> dict[str, Any]:
    response = client.post(f"/v1/games/{game}/odds", json=body)
    assert response.status_code == 200, response.get_json()
    answer: dict[str, Any] = response.get_json()
    _whole(answer)
    for one in (*answer.get("by_choice", []), *answer.get("table", [])):
        _whole(one)
    return answer


def _whole(line: dict[str, Any]) -> None:
    """All outcomes together, and all values of each place, are certain."""
    for group in ([*line["outcomes"]], *line["changes"].values()):
        if group:
            assert sum(Fraction(int(p["numerator"]), int(p["denominator"])) for p in map(_of, group)) == 1


def _of(entry: dict[str, Any]) -> dict[str, Any]:
    probability: dict[str, Any] = entry["probability"]
    return probability


def test_an_evasion_in_french(client: FlaskClient) -> None:
    answer = odds(
        client, {"position": raid_in(2), "action": EVADE, "policy": {"evade-where": ["canyon"]}, "lang": "fr"}
    )
    assert (answer["ruling"], answer["exact"], answer["checks"]) == ("legal", True, 8)
    failed = next(one for one in answer["outcomes"] if one["name"] == "evade-failed")
    assert failed["probability"] == {"numerator": 1, "denominator": 3, "percent": "33,3\N{NO-BREAK SPACE}%"}
    assert "33,3\N{NO-BREAK SPACE}%" in answer["headline"]
    assert "by_choice" not in answer


def test_all_languages_at_once(client: FlaskClient) -> None:
    answer = odds(client, {"position": raid_in(2), "action": EVADE, "lang": "all", "image": True})
    shown = answer["outcomes"][0]["probability"]["percent"]
    assert shown["en"] == shown["ja"] == shown["it"].replace(",", ".")
    assert set(answer["svg"]) == set(answer["headline"]) == {"en", "fr", "it", "ja"}
    assert next(one["choice"] for one in answer["by_choice"]) == "shiprock-6"
    assert answer["by_choice"][0]["name"] == "evade-where"
    assert answer["complete"] is True


@pytest.mark.parametrize("lang", ["en", "fr", "it", "ja"])
def test_the_picture_is_one_and_says_in_words_what_it_shows(client: FlaskClient, lang: str) -> None:
    vary = {"trade_goods": [0, 1, 2, 9]}
    action = {"kind": "negotiate", "family": "A"}
    answer = odds(
        client, {"position": raid_in(4), "action": action, "vary": vary, "lang": lang, "image": True}
    )
    picture = ET.fromstring(answer["svg"])
    words = "".join(picture.itertext())
    assert picture.get("width") == "390"
    for row in answer["table"]:
        for outcome in row["outcomes"]:
            assert outcome["probability"]["percent"] in words
    assert [row["ruling"] for row in answer["table"]] == ["legal", "legal", "legal", "illegal"]
    assert answer["table"][3]["reasons"][0]["name"] == "not-enough-trade-goods"
    successes = [
        one["probability"]["numerator"] / one["probability"]["denominator"]
        for row in answer["table"]
        for one in row["outcomes"]
        if one["name"] == "negotiate-succeeds"
    ]
    assert successes == sorted(successes)


def test_where_a_table_has_to_be_read_it_says_how_likely_each_number_or_better_is(
    client: FlaskClient,
) -> None:
    """Two dice against each other: their difference is 0 or better with 21 of 36 throws, 2 or better with 10."""
    ambush = {"kind": "ambush", "family": "A"}
    answer = odds(client, {"position": raid_in(4), "action": ambush, "image": True})
    summed = {one["params"]["row"]: one["probability"]["percent"] for one in answer["at_least"]}
    assert (summed["0"], summed["+2"], summed["-5"]) == ("58.3%", "27.8%", "100.0%")
    assert answer["at_least"][0]["text"] == "The difference is +5 or better."
    assert answer["headline"].endswith("With 58.3%: The difference is 0 or better.")
    assert "row 0, column 4" in answer["outcomes"][0]["text"]
    words = "".join(ET.fromstring(answer["svg"]).itertext())
    assert "or better" in words
    assert "Which result" not in words


def test_a_headline_says_what_came_before_the_question_and_what_is_equally_likely(
    client: FlaskClient,
) -> None:
    _, harvest = _useful()["harvest"]
    assert "The corn is harvested. Reveal the Corn counter" in odds(client, harvest)["headline"]
    game, rout = _useful()["rout"]
    assert odds(client, rout, game)["headline"] == "All outcomes (6) are equally likely: each with 16.7%."


def test_a_headline_says_who_has_to_answer_first(client: FlaskClient) -> None:
    game, pool = _useful()["pool"]
    hidden = {**pool, "position": {**pool["position"], "pool": {"count": 4}}}
    assert odds(client, hidden, game)["headline"] == (
        "This has to be known first (100.0%): Which Stratagem markers are in the pool?"
    )
    raid = {"kind": "enemy-raid", "ap": 2}
    body = {"position": {**raid_in(4, areas={}), "santa_fe": {"raid": 0}, "subjugation": {}}, "action": raid}
    assert odds(client, body)["headline"].startswith("This has to be read off your copy first (100.0%):")
    give_up = {"kind": "tribal-raid", "tribe": "ute"}
    body = {"position": {**raid_in(4, areas={}), "subjugation": {"red": 3}}, "action": give_up}
    assert "Tribal Raid on the Target Territory Shiprock: does a Family there react?" in str(
        odds(client, body)["outcomes"]
    )


def test_lines_of_a_picture_are_no_longer_than_it_is_wide() -> None:
    for text in ("word " * 60, "襲" * 90 + "。", "x" * 130):
        assert all(len(line) <= COLUMNS for line in wrapped(text))
        assert "".join(wrapped(text)).replace(" ", "") == text.replace(" ", "")
    assert wrapped("襲撃。", 4) == ["襲", "撃。"]


@pytest.mark.parametrize(
    ("share", "said"),
    [
        (Fraction(1, 3), "33.3%"),
        (Fraction(0), "0.0%"),
        (Fraction(1), "100.0%"),
        (Fraction(1, 46656), "< 0.1%"),
        (Fraction(46655, 46656), "> 99.9%"),
    ],
)
def test_what_can_happen_is_never_shown_as_nothing(share: Fraction, said: str) -> None:
    assert percent(share, reader("en")) == said


def _useful() -> dict[str, tuple[str, dict[str, Any]]]:
    """The questions of a player at the table."""
    treats = example("A Family treats with the Utes", "tribes.toml")
    harvests = example("A harvest without Drought counters and Ranchos needs no roll", "corn.toml")
    routs = example("A player may walk in at a line of a result", "combat.toml", "julian")
    harvests["position"]["territories"]["hopi-land"]["drought"] = 2
    war = {**treats, "action": {"kind": "tribal-warfare", "family": "A", "tribe": "ute"}}
    draws = {"player": "roman", "source": "pool", "left": 1, "why": "combat"}
    peace = {"enemy_ap": 3, "instruction": "peace"}
    return {
        "evade": ("navajo-wars", {"position": raid_in(4), "action": EVADE}),
        "negotiate": (
            "navajo-wars",
            {
                "position": raid_in(4),
                "action": {"kind": "negotiate", "family": "A"},
                "vary": {"trade_goods": [0, 1, 2, 3, 4]},
            },
        ),
        "ambush": ("navajo-wars", {"position": raid_in(4), "action": {"kind": "ambush", "family": "A"}}),
        "harvest": ("navajo-wars", harvests),
        "diplomacy": ("navajo-wars", treats),
        "warfare": ("navajo-wars", war),
        "elder": (
            "navajo-wars",
            {
                "position": {**full_position(), "operation": {"kind": "planning", "tribal": []}},
                "action": {"kind": "elder-action", "elder": 4, "choice": "culture-to-military"},
            },
        ),
        "outpost": ("navajo-wars", outpost_raid()),
        "tribal-raid": (
            "navajo-wars",
            {
                "position": {**raid_in(4, areas={}), "subjugation": {"red": 3}},
                "action": {"kind": "tribal-raid", "tribe": "comanche"},
                "policy": SUFFERED.answers,
            },
        ),
        "peace": (
            "navajo-wars",
            {"position": {**full_position(), "raided_box": peace}, "action": {"kind": "enemy-operations"}},
        ),
        "rout": ("julian", routs),
        "pool": (
            "julian",
            {
                "position": {
                    "pool": {"credo": 3, "dux": 1},
                    "hands": {"roman": {}, "barbarian": {}},
                    "agenda": [{"procedure": "draw-markers", "step": "draw", "memory": draws}],
                },
                "action": {"kind": "continue"},
            },
        ),
    }


@pytest.mark.parametrize("question", _useful())
def test_each_useful_question_is_one_call(client: FlaskClient, question: str) -> None:
    game, body = _useful()[question]
    answer = odds(client, body, game)
    assert answer["ruling"] == "legal", answer["headline"]
    assert answer["exact"] is True
    assert answer["outcomes"] or answer["table"]


def test_a_whole_enemy_raid_with_a_policy(client: FlaskClient) -> None:
    """With what a copy prints (invented for the tests) everything is followed; without it the map has to be read."""
    position = full_position()
    position["areas"] = {area: {**counters, "raid": 0} for area, counters in position["areas"].items()}
    position["families"] = {"A": position["families"]["A"]}
    policy = {
        "enemy-raid-direction": ["any-area"],
        "enemy-raid-player-reaction": ["none"],
        "enemy-raid-affected-family": list("ABCDEF"),
        "enemy-raid-resolution": ["suffer"],
        "enemy-raid-population": ["child", "woman", "man"],
        "enemy-raid-return-area": ["any-area"],
        "enemy-raid-return-ferocity": [0],
    }
    body = {"position": position, "action": {"kind": "enemy-raid", "ap": 2}, "policy": policy}
    assert {one["name"] for one in odds(client, body)["outcomes"]} == {"reading-needed"}
    answer = odds(client, {**body, "components": tomllib.loads(WHOLE_COPY.read_text())})
    assert answer["exact"] is True
    # Nobody reacts, so the only Family is caught; counters left in Santa Fé draw two cubes of fourteen, two of them
    # red, and with both on the table the copy says nothing of what that brings.
    assert [
        (one["name"], one["probability"]["numerator"], one["probability"]["denominator"])
        for one in answer["outcomes"]
    ] == [
        ("raid-end-caught", 90, 91),
        ("reading-needed", 1, comb(14, 2)),
    ]


def test_peace_lasts_while_the_die_is_less_than_the_counters(client: FlaskClient) -> None:
    _, body = _useful()["peace"]
    answer = odds(client, body)
    assert [
        (
            one["name"],
            one.get("so_far", one)["name"],
            one["probability"]["numerator"],
            one["probability"]["denominator"],
        )
        for one in answer["outcomes"]
    ] == [("reading-needed", "peace-ends", 2, 3), ("peace-holds", "peace-holds", 1, 3)]


def test_beyond_the_budget_it_says_what_was_sampled(client: FlaskClient) -> None:
    policy = dict(SUFFERED.answers.items())
    body = {
        "position": full_position(),
        "action": {"kind": "tribal-raid", "tribe": "comanche"},
        "policy": policy,
    }
    began = time.thread_time()
    answer = odds(client, body)
    assert time.thread_time() - began < 4 * MOST_SECONDS
    assert answer["exact"] is False
    assert answer["sampled"]["runs"] > 0
    assert answer["sampled"]["seed"] == 1
    assert f"sampled (runs: {answer['sampled']['runs']})" in answer["headline"]
    for one in answer["outcomes"]:
        probability = one["probability"]
        value = int(probability["numerator"]) / int(probability["denominator"])
        assert 0 <= probability["low"] <= value <= probability["high"] <= 1
        assert {"exact_part", "sampled_part"} <= probability.keys()


@pytest.mark.parametrize(
    ("more", "pointer", "code"),
    [
        ({"policy": {"evade-were": ["none"]}}, "/policy/evade-were", "unknown-field"),
        ({"policy": {"aim": "glory"}}, "/policy/aim", "unknown-value"),
        ({"policy": []}, "/policy", "wrong-type"),
        ({"vary": {"famly": ["A"]}}, "/vary/famly", "unknown-field"),
        ({"vary": {"family": ["A", "Z"]}}, "/vary/family/1", "unknown-value"),
        ({"vary": {"family": ["A"] * 51}}, "/vary", "too-many"),
        ({"vary": {"family": "A"}}, "/vary/family", "wrong-type"),
        ({"image": 3}, "/image", "wrong-type"),
        ({"what": 3}, "/what", "unknown-field"),
    ],
)
def test_what_cannot_be_read_is_named(
    client: FlaskClient, more: dict[str, Any], pointer: str, code: str
) -> None:
    response = client.post(AT, json={"position": raid_in(4), "action": EVADE, **more})
    assert response.status_code == 422
    assert (pointer, code) in [(one["pointer"], one["code"]) for one in response.get_json()["errors"]]


def test_an_answer_that_does_not_fit_is_blamed_and_not_the_action(client: FlaskClient) -> None:
    body = {"position": raid_in(4), "action": EVADE, "inputs": [{"die": 7}]}
    answer = odds(client, body)
    checked = client.post("/v1/games/navajo-wars/check", json=body).get_json()
    assert (answer["ruling"], answer["refused"]) == ("illegal", "answer")
    assert answer["headline"] == checked["headline"]
    assert odds(client, {**body, "position": raid_in(4, areas={})})["refused"] == "action"
    assert odds(client, {**body, "inputs": []})["refused"] is None


NO_AIMS = {
    "en": "This game has no aims. Leave the aim out, and say what you answer to each question instead.",
    "fr": "Ce jeu n'a pas d'objectifs. Supprimez l'objectif et indiquez plutôt votre réponse à chaque question.",
    "it": "Questo gioco non ha obiettivi. Togliete l'obiettivo e indicate invece la vostra risposta a ogni domanda.",
    "ja": "このゲームに目的はない。目的を削除し、代わりに各質問への答えを指定すること。",
}


@pytest.mark.parametrize("lang", NO_AIMS)
def test_a_game_without_aims_says_so(client: FlaskClient, lang: str) -> None:
    played = {"kind": "play-stratagem", "by": "roman", "marker": "dux", "use": "leader"}
    body = {"position": {}, "action": played, "policy": {"aim": "morale"}, "lang": lang}
    response = client.post("/v1/games/julian/odds", json=body)
    (error,) = response.get_json()["errors"]
    assert (response.status_code, error["code"], error["pointer"]) == (422, "no-aims", "/policy/aim")
    assert error["detail"] == NO_AIMS[lang]


NOT_COMPARED = {
    "en": "No choice is called the best: not everything that follows from these choices is known.",
    "fr": "Aucun choix n'est dit le meilleur\N{NO-BREAK SPACE}: on ne connaît pas tout ce qui s'ensuit.",
    "it": "Nessuna scelta è detta la migliore: non si sa tutto ciò che ne segue.",
    "ja": "選択の結果が全て分かるわけではないため、最善の選択は示さない。",
}


def test_an_aim_that_cannot_tell_the_choices_apart_says_so(client: FlaskClient) -> None:
    raid = {"kind": "tribal-raid", "tribe": "ute"}
    body = {"position": full_position(), "action": raid, "policy": {"aim": "military"}, "lang": "all"}
    answer = odds(client, body)
    assert all("best" not in choice for choice in answer["by_choice"])
    for lang, said in NOT_COMPARED.items():
        assert answer["headline"][lang].endswith(said)


def test_what_may_not_be_done_says_why(client: FlaskClient) -> None:
    answer = odds(client, {"position": raid_in(4, areas={}), "action": EVADE})
    assert (answer["ruling"], answer["outcomes"], answer["changes"]) == ("illegal", [], {})
    assert answer["reasons"][0]["name"] == "no-raid-to-evade"
    told = {"position": {"families": raid_in(4)["families"]}, "action": EVADE}
    assert odds(client, told)["unknowns"]
