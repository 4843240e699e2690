"""A fact that is taken back is no longer told; what nobody had told stays as it was."""

from __future__ import annotations

from typing import Any

import pytest
from flask.testing import FlaskClient
from msgspec import UNSET

from engine import codec
from engine.catalogue import read_choices
from engine.telling import Table, tell
from service.games import GAMES
from tests.service.sent import CHECK, EVADE

JULIAN = CHECK.replace("navajo-wars", "julian")


def asked(client: FlaskClient, inputs: list[Any], position: dict[str, Any], path: str = CHECK) -> Any:
    action = EVADE["action"] if path == CHECK else {"kind": "continue"}
    return client.post(path, json={"position": position, "action": action, "inputs": inputs})


@pytest.mark.parametrize(
    "place",
    [
        "/families/C",
        "/families/C/at",
        "/areas/shiprock-4",
        "/areas/shiprock-4/raid",
        "/territories/shiprock/drought",
        "/raid_pool/black",
        "/santa_fe/raid",
        "/tracks/ap",
        "/elders/2",
        "/instructions/active/1/name",
        "/operation/activated",
        "/cards/hand/1",
        "/partial/families",
        "/choices/C07",
        "/components/area_values/shiprock-4",
    ],
)
def test_what_nobody_told_is_not_told_when_it_is_taken_back(client: FlaskClient, place: str) -> None:
    before = asked(client, [], {}).get_json()
    answer = asked(client, [{"untell": place}], {}).get_json()
    assert answer["position"] in ({}, {"format": 1})
    assert (answer["ruling"], answer["unknowns"]) == (before["ruling"], before["unknowns"])


@pytest.mark.parametrize("place", ["/commands/Caesar/side", "/hands/roman/dux", "/last_play/as", "/played/0"])
def test_nor_in_julian(client: FlaskClient, place: str) -> None:
    answer = asked(client, [{"untell": place}], {}, JULIAN).get_json()
    assert answer["position"] == {"format": 1}


@pytest.mark.parametrize("place", ["/pool", "/hands/roman"])
def test_of_a_marker_that_is_taken_back_nothing_is_known_but_of_the_others(place: str) -> None:
    game = GAMES["julian"]
    collection, *path = place.removeprefix("/").split("/")

    def left(told: dict[str, int], taken_back: str) -> Any:
        position = tell(game, Table(game.position(), {}, game.components()), [(place, told)]).position
        found = tell(
            game, Table(position, {}, game.components()), [(f"{place}/{taken_back}", UNSET)]
        ).position
        plain = codec.write(found)
        held = plain[collection][path[0]] if path else plain[collection]
        return held, plain.get("partial", {}).get(".".join([collection, *path]), False)

    others = {"agentes": 0, "federate": 0, "imperium": 0, "military": 0}
    assert left({"dux": 2}, "credo") == ({"dux": 2, **others}, True)
    assert left({"dux": 2}, "dux") == ({"credo": 0, **others}, True)
    assert left({"dux": 2, "count": 5}, "dux") == ({"count": 5}, False), "it may be one of those face down"
    assert left({"dux": 2, "count": 5}, "count") == ({}, True)


def test_that_nobody_is_activated_stays_told(client: FlaskClient) -> None:
    answer = asked(client, [{"untell": "/activation/family"}], {"activation": None}).get_json()
    assert answer["position"]["activation"] is None


@pytest.mark.parametrize("named", ["C07", "ambush-ap-cost"])
def test_a_reading_is_taken_back_by_its_name_or_its_id(named: str) -> None:
    game = GAMES["navajo-wars"]
    table = Table(game.position(), read_choices(game.catalogue, {"C07": "free"}), game.components())
    assert tell(game, table, [(f"/choices/{named}", UNSET)]).choices == {}


@pytest.mark.parametrize(
    ("place", "code"),
    [
        ("/foo", "unknown-field"),
        ("/families/Z", "unknown-name"),
        ("/families/Z/at", "unknown-name"),
        ("/families/C/foo", "unknown-field"),
        ("/santa_fe/foo", "unknown-field"),
        ("/partial/foo", "unknown-name"),
        ("/choices/foo", "unknown-issue"),
        ("/components/foo", "unknown-field"),
        ("/action/foo", "unknown-field"),
        ("foo", "not-a-pointer"),
    ],
)
@pytest.mark.parametrize("key", ["tell", "untell"])
def test_a_name_that_does_not_exist_is_refused_told_or_taken_back(
    client: FlaskClient, key: str, place: str, code: str
) -> None:
    given = {key: {place: "x"} if key == "tell" else place}
    refused = asked(client, [{"tell": {"/tracks/ap": 3}}, given], {})
    (error,) = refused.get_json()["errors"]
    escaped = place.replace("/", "~1")
    assert (refused.status_code, error["code"]) == (422, code)
    assert error["pointer"] == f"/inputs/1/{key}/{escaped}"


@pytest.mark.parametrize(
    ("place", "wrong"),
    [
        ("/familys/C", "familys"),
        ("/families/C/foo/bar", "foo"),
        ("/position/tracks/ap", "position"),
        ("/components/foo/x", "foo"),
        ("/action/foo/x", "foo"),
        ("/areas/shiprock-9/raid", "shiprock-9"),
    ],
)
def test_the_part_of_a_pointer_that_is_wrong_is_named(client: FlaskClient, place: str, wrong: str) -> None:
    (error,) = asked(client, [{"tell": {place: 1}}], {}).get_json()["errors"]
    assert f"“{wrong}”" in error["detail"]


def test_what_is_no_pointer_is_told_how_one_begins(client: FlaskClient) -> None:
    (error,) = asked(client, [{"tell": {"tracks/ap": 3}}], {}).get_json()["errors"]
    assert "“tracks/ap” does not begin with “/”" in error["detail"]


def test_an_entry_told_by_its_name_is_named_where_it_was_sent(client: FlaskClient) -> None:
    told = {"/active": "roman", "/commands/Caesar/foo": 1}
    (error,) = asked(client, [{"tell": told}], {}, JULIAN).get_json()["errors"]
    assert (error["code"], error["pointer"]) == ("unknown-field", "/inputs/0/tell/~1commands~1Caesar~1foo")
    assert "“foo”" in error["detail"]
