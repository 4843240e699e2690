"""The question a procedure waits with says the form of its answer, and what the form says is taken."""

from __future__ import annotations

import json
from functools import cache
from typing import Any

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
    "some": {"choose", "read"},
    "yes-no": {"read"},
    "number": {"read"},
    "changes": {"read"},
    "record": {"read"},
    "counters": {"read"},
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
        if pending["kind"] == "fact":
            assert (pending["input"], pending["pointer"][:1]) == ("tell", "/"), pending["name"]
            continue
        assert pending["input"] in ANSWERED_BY[form["type"]], pending["name"]
        seen.add(form["type"])
    assert seen >= {"die", "draw", "one", "some", "number", "changes", "record"}


def test_the_options_of_a_form_are_those_of_the_question_in_four_languages() -> None:
    for _, _, pending in waiting():
        form = pending["form"]
        if form["type"] in ("one", "some") and pending["options"]:
            assert [one["value"] for one in form["options"]] == [one["value"] for one in pending["options"]]
        for option in form.get("options", ()):
            assert set(option["text"]) == set(LANGUAGES)


def test_what_can_be_drawn_is_listed_with_how_many_are_left() -> None:
    drawn = [pending["form"] for _, _, pending in waiting() if pending["form"]["type"] == "draw"]
    counted = [form for form in drawn if all("left" in option for option in form["options"])]
    assert counted
    assert len(counted) < len(drawn), "what was not told has no number"
    for form in drawn:
        assert form["of"] in ("cube", "marker")
        assert {"left" in option for option in form["options"]} in ({True}, {False})
        assert all(option.get("left", 1) > 0 for option in form["options"])


def reactions(client: FlaskClient, **more: Any) -> Any:
    """A Reaction window of an Enemy Raid in which Family B is too weak for most."""
    family = {"ferocity": 2, "man": True, "woman": True, "child": False, "horse": False}
    position = {
        "period": "mexican",
        "tracks": {"ap": 2, "military": 3, "culture": 6, "enemy_morale": 5, "enemy_ferocity": 3},
        "families": {"B": {**family, "at": "hopi-land-4", "man": False}, "C": {**family, "at": "shiprock-4"}},
        "areas": {"shiprock-4": {"raid": 1}},
        "santa_fe": {"raid": 3},
        "resources": {"horse": 0, "sheep": 0, "corn": [], "trade_goods": 2, "firearms": 1},
        "manuelito": None,
        "agenda": [
            {
                "procedure": "enemy-raid",
                "step": "player-reaction",
                "memory": {"entered": "shiprock-4", "found_a_family": True},
            }
        ],
    }
    sent = {"position": position, "action": {"kind": "continue"}, "lang": "en", **more}
    return client.post("/v1/games/navajo-wars/check", json=sent).get_json()["pending"]


def test_what_is_not_open_is_said_with_its_reasons_when_asked_for(client: FlaskClient) -> None:
    assert "closed" not in reactions(client)["form"]
    form = reactions(client, closed=True)["form"]
    assert form["closed_ways"] >= 0
    harass = [one for one in form["closed"] if one["value"] == {"kind": "harass", "family": "B"}]
    assert [one["text"] for one in harass] == ["Family B: Harass"]
    for one in form["closed"]:
        assert one["reasons"]
        assert all(reason["text"] and reason["rules"] for reason in one["reasons"])
    open_now = [one["value"] for one in form["options"]]
    assert not [one for one in form["closed"] if one["value"] in open_now]


def test_options_are_short_in_their_groups(client: FlaskClient) -> None:
    options = {json.dumps(one["value"]): one for one in reactions(client)["form"]["options"]}
    harass = options['{"kind": "harass", "family": "C", "area": "shiprock-2"}']
    assert [group["text"] for group in harass["groups"]] == ["Family C", "Harass"]
    assert harass["short"] == "Shiprock\N{NO-BREAK SPACE}#2"
    negotiate = options['{"kind": "negotiate", "family": "C"}']
    assert (negotiate["short"], negotiate["groups"][0]["key"]) == ("Negotiate", "C")


def test_an_offer_with_missing_facts_carries_their_questions(client: FlaskClient) -> None:
    (open_yet,) = (one for one in reactions(client)["form"]["options"] if one["value"] == {"kind": "harass"})
    assert open_yet["unknowns"]
    assert all(one["text"] and one["form"] and one["pointer"] for one in open_yet["unknowns"])


def test_a_lead_and_a_hint_stand_beside_the_question(client: FlaskClient) -> None:
    pending = reactions(client)
    assert (
        pending["text"]
        == "Which single Family, if any, reacts to the Raid that is now in Area Shiprock\N{NO-BREAK SPACE}#4, and how?"
    )
    assert pending["lead"] == "Player Reaction."
    assert pending["hint"]


def test_frames_say_what_each_procedure_has_noted(client: FlaskClient) -> None:
    (frame,) = reactions(client)["frames"]
    assert (frame["procedure"], frame["row"]) == ("enemy-raid", "player-reaction")
    said = {one["name"]: one["text"] for one in frame["noted"]}
    assert said["entered"] == "Area entered last: Shiprock\N{NO-BREAK SPACE}#4"
    assert said["found_a_family"] == "the Raid has found a Family"


def test_a_raid_of_which_the_map_is_not_told_has_likely_areas() -> None:
    asked = [pending for _, _, pending in waiting() if pending["name"] == "enemy-raid-placement"]
    likely = [pending["form"]["likely"] for pending in asked if "likely" in pending["form"]]
    assert likely
    for areas, form in ((one["form"].get("likely", []), one["form"]) for one in asked):
        assert set(areas) <= {option["value"] for option in form["options"]}


def test_a_command_is_one_of_those_that_are_told(client: FlaskClient) -> None:
    commands = [
        {"name": name, "side": "roman", "drawn": False, "active": False} for name in ("Gaul", "Italy")
    ]
    position = {
        "phase": "operations",
        "subphase": "start",
        "active": "roman",
        "hands": {"roman": {"dux": 1}},
        "played": [],
        "commands": commands,
    }
    action = {"kind": "play-stratagem", "by": "roman", "marker": "dux", "use": "activate"}
    sent = {"position": position, "action": action, "lang": "en"}
    unknowns = client.post("/v1/games/julian/check", json=sent).get_json()["unknowns"]
    (form,) = (one["form"] for one in unknowns if one["pointer"] == "/action/command")
    assert (form["type"], form["of"]) == ("one", "command")
    assert [one["value"] for one in form["options"]] == ["Gaul", "Italy"]  # a Dux always names one


def test_actions_ask_for_their_parameters(client: FlaskClient) -> None:
    listed = client.get("/v1/games/navajo-wars/actions?lang=all").get_json()["actions"]
    harass = next(one for one in listed if one["kind"] == "harass")
    assert [(one["pointer"], one["form"]["of"]) for one in harass["asks"]] == [
        ("/action/family", "family"),
        ("/action/area", "place"),
    ]
    assert set(harass["title"]) == set(LANGUAGES)


def test_choices_of_a_scenario_are_questions(client: FlaskClient) -> None:
    for scenario in client.get("/v1/games/navajo-wars/scenarios").get_json()["scenarios"]:
        for choice in scenario["choices"]:
            assert choice["kind"] == "fact"
            assert choice["form"]["type"] != "json"
            assert choice["text"].count("?") == 1


def test_a_number_below_and_above_its_bounds_is_refused(client: FlaskClient) -> None:
    numbers = [
        entry for entry in waiting() if entry[2]["form"]["type"] == "number" and entry[2]["kind"] != "fact"
    ]
    assert numbers
    for game, sent, pending in numbers[:20]:
        form = pending["form"]
        for value, fits in ((form["least"], True), (form["least"] - 1, False), (form["most"] + 1, False)):
            again = {**sent, "inputs": [*sent["inputs"], {"read": value}]}
            answer = client.post(f"/v1/games/{game}/check", json=again).get_json()
            refused = [reason["name"] for reason in answer["reasons"]]
            assert ("reading-not-possible" in refused) is not fits, pending["name"]
