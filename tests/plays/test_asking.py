"""What may be done in a play and with what chances: as for a position, without sending it."""

from __future__ import annotations

from typing import Any

import pytest

from engine.testing import plain
from tests.plays.player import EVADE, EVADING, Player
from tests.service.sent import AMBUSH
from tests.shown import all_shown

GAME = "/v1/games/navajo-wars"


def asked(player: Player, to: str, body: Any = None) -> dict[str, Any]:
    """Asked by somebody who has the id and no key."""
    response = player.client.post(f"/v1/plays/{player.id}/{to}", json=body)
    assert response.status_code == 200, response.get_data(as_text=True)
    assert response.headers["ETag"] == f'"{player.version}"'
    found: dict[str, Any] = response.get_json()
    return found


def test_what_may_be_done_is_that_of_its_position(player: Player) -> None:
    player.start(position=EVADING)
    found = asked(player, "options", {"lang": "it"})
    sent = {"position": EVADING, "lang": "it"}
    assert found == player.client.post(f"{GAME}/options", json=sent).get_json()
    (only,) = asked(player, "options", {"kinds": ["evade"], "illegal": False})["options"]
    assert only["actions"][0]["action"] == EVADE
    assert player.get()["version"] == 1, "asking changes nothing"


def test_inside_a_procedure_it_is_what_the_step_takes(player: Player) -> None:
    player.start(position=EVADING)
    player.move(EVADE)
    assert asked(player, "options")["pending"]["name"] == "evade-roll"


def test_chances_are_those_of_its_position(player: Player) -> None:
    player.start(position=EVADING)
    found = asked(player, "odds", {"action": EVADE, "lang": "fr", "image": True})
    sent = {"position": EVADING, "action": EVADE, "lang": "fr", "image": True}
    assert found == player.client.post(f"{GAME}/odds", json=sent).get_json()
    assert found["svg"].startswith("<svg")
    player.move(EVADE)
    waiting = asked(player, "odds", {"action": {"kind": "continue"}})
    assert {one["name"] for one in waiting["outcomes"]} == {one["name"] for one in found["outcomes"]}


def test_they_are_read_as_the_play_reads_the_rules(player: Player) -> None:
    player.start(position={**AMBUSH["position"], "tracks": {"ap": 0, "military": 3, "culture": 6}})

    def ruling() -> tuple[str, str]:
        (kind,) = asked(player, "options", {"kinds": ["ambush"]})["options"]
        return kind["ruling"], asked(player, "odds", {"action": AMBUSH["action"]})["ruling"]

    assert ruling() == ("illegal", "illegal")
    player.post("readings", {"choices": {"C07": "free"}})
    assert ruling() == ("legal", "legal")


def test_nothing_need_be_taken_for_granted(player: Player) -> None:
    activate = {"kind": "activate", "family": "A"}
    player.start(position=EVADING)
    for to, body in (("options", {"kinds": ["activate"]}), ("odds", {"action": activate})):
        found = asked(player, to, {**body, "assume": False})
        sent = {"position": EVADING, **body, "assume": False}
        assert found == player.client.post(f"{GAME}/{to}", json=sent).get_json()
        assert found != asked(player, to, body)


def test_in_the_other_game_too(player: Player) -> None:
    examples = (one.example for one in all_shown() if one.game == "julian")
    shown = next(one for one in examples if one.ruling == "legal" and not one.components)
    player.start("julian", position=plain(shown.position), choices=shown.choices)
    action = plain(shown.action)
    kinds = asked(player, "options", {"lang": "ja"})["options"]
    assert action["kind"] in {one["kind"] for one in kinds if one["ruling"] == "legal"}
    assert asked(player, "odds", {"action": action})["ruling"] == "legal"


@pytest.mark.parametrize(
    ("to", "body", "pointers"),
    [
        ("options", {"kinds": ["fly"]}, {"/kinds/0"}),
        (
            "options",
            {"position": {}, "choices": {}, "components": {}},
            {"/position", "/choices", "/components"},
        ),
        ("options", [], {""}),
        ("options", {"lang": "de"}, {"/lang"}),
        ("odds", None, {"/action"}),
        ("odds", {"action": {"kind": "fly"}}, {"/action/kind"}),
        ("odds", {"action": EVADE, "policy": {"who": []}, "image": 3}, {"/policy/who", "/image"}),
    ],
)
def test_what_cannot_be_asked_is_said(player: Player, to: str, body: Any, pointers: set[str]) -> None:
    player.start(position=EVADING)
    refused = player.client.post(f"/v1/plays/{player.id}/{to}", json=body)
    assert refused.status_code == 422
    assert {one["pointer"] for one in refused.get_json()["errors"]} == pointers
    assert player.client.post(f"/v1/plays/{'x' * 22}/{to}", json={"action": EVADE}).status_code in (404, 422)
