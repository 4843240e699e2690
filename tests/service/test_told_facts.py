"""Facts that were told stand in a report in words: no pointer, no field name, no JSON."""

from __future__ import annotations

import re
from typing import Any

import pytest
from flask.testing import FlaskClient
from msgspec import UNSET

from service import wordings
from service.games import GAMES
from service.languages import reader
from service.told_facts import listed
from service.typed_forms import NONE
from tests.service.sent import CHECK, EVADE, LANGUAGES

FAMILY = {"at": "shiprock-2", "ferocity": 1, "man": True, "woman": True, "child": False}
NAVAJO_WARS = [
    ("/families/A/ferocity", 2, "Family A, Ferocity: 2"),
    ("/families/A", FAMILY, "Family A: Area or box: Shiprock #2; Ferocity: 1; man; woman"),
    ("/families/C", None, "Family C: none"),
    ("/areas", {"shiprock-4": {"raid": 1}, "hopi-land-1": {"fort": "defiance"}}, None),
    ("/outcome", {"result": "major-victory", "rule": "nw:11.1"}, None),
    ("/manuelito", UNSET, "Manuelito counter: no longer told"),
    ("/elders/2", 1, "Elder Display, space 3: 1"),
    ("/period", "mexican", "Period: Mexican Period"),
    ("/partial/families", False, "Families in play: there are no others"),
    ("/choices/C07", "free", "An Ambush costs nothing."),
    ("/components/area_values/shiprock-4", 4, "Area Value, Shiprock #4: 4"),
    ("/components/battle_table/cells/2/3", "FV", "Battle Table, 2, 3: FV"),
    ("/components/raid_table", {"hits": {"mission": 2}}, "Raid Table, damage needed, Mission: 2"),
    ("/components/cards", {"12": {"preempt_cost": 4}}, "Card #12: AP for preempting: 4"),
    ("/components/cards/12", None, "Card #12: no longer told"),
    (
        "/components/subjugation_table",
        {"1": [{"pointer": "/tracks/military", "by": 1}]},
        "Subjugation of New Mexico table, 1: Military Points +1",
    ),
]
JULIAN = [
    ("/turn", 3, "game turn: 3"),
    ("/hands/roman", {"dux": 1, "credo": 2}, None),
    ("/options", ["supply"], None),
    ("/combat", None, None),
    ("/components/julian/combat_table/2-1/6", "BB", None),
]
TOLD = [*(("navajo-wars", *one) for one in NAVAJO_WARS), *(("julian", *one) for one in JULIAN)]


@pytest.mark.parametrize(("game", "pointer", "value", "said"), TOLD)
@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_fact_is_said(game: str, pointer: str, value: Any, said: str | None, lang: str) -> None:
    found = listed(reader(lang), GAMES[game], [(pointer, value)])
    if lang == "en" and said is not None:
        assert found.replace("\N{NO-BREAK SPACE}", " ") == said
    assert found
    assert not re.search(r"[{}\[\]\"_/]|\bnull\b|\btrue\b|\bfalse\b", found), found


IN_PLAY = {
    "en": "Families in play: Family A and Family C; there are no others",
    "fr": "Familles en jeu : Famille A et Famille C ; il n'y en a pas d'autres",
}


@pytest.mark.parametrize("lang", LANGUAGES)
def test_families_in_play_are_said_to_be_in_play(lang: str) -> None:
    told = [("/partial/families", False), ("/families/A", {}), ("/families/C", {})]
    none = reader(lang).say(NONE, {})
    for facts in (told, told[1:]):
        found = listed(reader(lang), GAMES["navajo-wars"], facts).replace("\N{NO-BREAK SPACE}", " ")
        assert none not in found
        assert "A" in found
        assert "C" in found
        if len(facts) == len(told):
            assert found.count("A") == 1
            assert found == IN_PLAY.get(lang, found)


CALLED = [
    ("navajo-wars", "/operation/kind", "Operation"),
    ("navajo-wars", "/cards/current", "card being resolved"),
    ("navajo-wars", "/cards/discarded", "cards discarded"),
    ("navajo-wars", "/cards", "cards"),
    ("julian", "/hands/roman/count", "Roman player, hand"),
    ("julian", "/hands/roman", "Roman player, hand"),
    ("julian", "/last_roll", "last die roll"),
]


@pytest.mark.parametrize(("game", "pointer", "name"), CALLED)
def test_a_fact_is_called_by_one_name(game: str, pointer: str, name: str) -> None:
    assert wordings.named(reader("en"), GAMES[game], pointer) == name


def test_a_field_is_told_by_the_name_it_is_written_with() -> None:
    assert listed(reader("en"), GAMES["julian"], [("/last_play/as", "dux")]) == "declared to be: Dux"


TOLD_SINGLY = [
    ("/areas/shiprock-4/raid", 2, "/areas", "Shiprock #4: Enemy Raid counter: 2"),
    ("/areas/shiprock-4/fort", "defiance", "/areas", "Shiprock #4: Fort Defiance"),
    ("/families/C/at", "shiprock-3", "/families", "Family C: Area or box: Shiprock #3"),
    ("/territories/shiprock/drought", 2, "/territories", "Shiprock: Drought counter: 2"),
]


@pytest.mark.parametrize(("pointer", "value", "changed", "said"), TOLD_SINGLY)
def test_a_fact_told_singly_is_said_with_its_value(
    client: FlaskClient, pointer: str, value: Any, changed: str, said: str
) -> None:
    changes = _changes(client, {}, {pointer: value})
    assert changes[changed]["to_text"].replace("\N{NO-BREAK SPACE}", " ") == said


@pytest.mark.parametrize("lang", LANGUAGES)
def test_that_only_a_part_is_told_is_said_in_words(client: FlaskClient, lang: str) -> None:
    change = _changes(client, {}, {"/areas/shiprock-4/raid": 2}, lang)["/partial/areas"]
    assert (change["to"], change["told"]) == (True, True)
    assert change.keys() == {"pointer", "to", "told", "text"}
    if lang == "en":
        assert change["text"] == "map: only a part of this is told"


def test_what_programs_keep_has_no_line_for_people(client: FlaskClient) -> None:
    agenda = [{"procedure": "evade", "step": "roll", "memory": {"family": "C"}}]
    part = {"areas": {}, "partial": {"areas": True}}
    changes = _changes(client, part, {"/agenda": agenda, "/partial/areas": False})
    for pointer in ("/agenda", "/partial/areas"):
        assert changes[pointer].keys() <= {"pointer", "from", "to", "told"}


def _changes(client: FlaskClient, position: Any, told: dict[str, Any], lang: str = "en") -> dict[str, Any]:
    body = {"position": position, "action": EVADE["action"], "inputs": [{"tell": told}], "lang": lang}
    answer = client.post(CHECK, json=body).get_json()
    return {one["pointer"]: one for one in answer["changes"]}
