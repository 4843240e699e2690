"""What the page asks of an action that is not listed way by way: the Family that is acting is not asked for."""

from __future__ import annotations

import re
from typing import Any

from flask import Flask

from tests.pages.test_tables import begun

ACTING: dict[str, Any] = {
    "period": "spanish",
    "tracks": {"ap": 3, "military": 2, "culture": 5},
    "families": {
        "A": {"at": "shiprock-2", "ferocity": 0, "man": True, "woman": True, "child": True, "horse": False},
        "B": {"at": "hopi-land-2", "ferocity": 0, "man": True, "woman": True, "child": True, "horse": False},
    },
    "areas": {},
    "territories": {},
    "activation": {"family": "A", "mp": 6, "spent": False, "began_with_fort": False},
    "operation": {"kind": "take-actions", "activated": ["A"], "limit": 3},
    "agenda": [{"procedure": "take-actions", "step": "action"}],
}


def test_a_move_is_about_the_family_that_acts_and_only_where_it_may_go(app: Flask) -> None:
    browser = begun(app, position=ACTING)
    browser.open(f"/play/{browser.play}")
    screen = browser.answer({"kind": "move"})
    assert "Which Family" not in screen.words
    values = dict(re.findall(r'value="&#34;([a-z-]+)&#34;" aria-label="[^"]*" class="([^"]*)"', screen.text))
    areas = dict(
        re.findall(r'value="&#34;([a-z-]+-\d)&#34;" aria-label="[^"]*" class="([^"]*)"', screen.text)
    )
    assert not [area for area in ("shiprock-1", "shiprock-3") if "pale" in areas[area]]
    assert "pale" in areas["shiprock-2"], "it is there already"
    assert "santa-fe" not in values
