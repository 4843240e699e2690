"""Facts that were told stand in a report in words: no pointer, no field name, no JSON."""

from __future__ import annotations

import re
from typing import Any

import pytest
from msgspec import UNSET

from service.games import GAMES
from service.languages import reader
from service.told_facts import listed
from tests.service.sent import LANGUAGES

FAMILY = {"at": "shiprock-2", "ferocity": 1, "man": True, "woman": True, "child": False}
NAVAJO_WARS = [
    ("/families/A/ferocity", 2, "Family A, Ferocity: 2"),
    ("/families/A", FAMILY, "Family A: Area or box: Shiprock #2; Ferocity: 1; man; woman"),
    ("/families/C", None, "Family C: none"),
    ("/areas", {"shiprock-4": {"raid": 1}, "hopi-land-1": {"fort": "defiance"}}, None),
    ("/manuelito", UNSET, "Manuelito counter: no longer told"),
    ("/elders/2", 1, "Elder Display, space 3: 1"),
    ("/period", "mexican", "Period: Mexican Period"),
    ("/partial/families", False, "Families in play: there are no others"),
    ("/choices/C07", "free", "An Ambush costs nothing."),
    ("/components/area_values/shiprock-4", 4, "Area Value, Shiprock #4: 4"),
    ("/components/battle_table/cells/2/3", "FV", "Battle Table, 2, 3: FV"),
    ("/components/raid_table", {"hits": {"mission": 2}}, "Raid Table"),
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


def test_a_field_is_told_by_the_name_it_is_written_with() -> None:
    assert listed(reader("en"), GAMES["julian"], [("/last_play/as", "dux")]) == "declared to be: Dux"
