"""A sentence that counts says one thing of one and another of several, as each language does."""

from __future__ import annotations

import pytest

from engine.messages import REGISTRY, Message
from service import catalogs
from service.languages import Reader, reader
from service.terms import LANGUAGES

COUNTED = [one for one in REGISTRY.values() if one.one is not None]


def test_english_says_one_and_several() -> None:
    said = REGISTRY["military-converted"]
    assert reader("en").say(said, {"missing": 1}).startswith("1 Military Point cannot ")
    assert reader("en").say(said, {"missing": 2}).startswith("2 Military Points cannot ")
    assert reader("en").say(said, {"missing": 1}).startswith("1 Military Point cannot "), "nothing is kept"


@pytest.mark.parametrize("one", COUNTED, ids=lambda one: one.name)
def test_both_forms_have_the_same_places(one: Message) -> None:
    assert one.one is not None
    count, singular = one.one
    assert count in one.places
    assert Message(one.name, singular).places == one.places
    assert singular != one.text


@pytest.mark.parametrize("lang", LANGUAGES[1:])
def test_the_catalogs_have_as_many_forms_as_the_language(lang: str) -> None:
    forms = 1 if lang == "ja" else 2
    entries = {entry.context: entry for entry in catalogs.updated(lang) if entry.id}
    assert COUNTED
    for one in COUNTED:
        assert one.one is not None
        assert entries[one.name].id == (one.one[1], one.text)
        assert len(entries[one.name].string or ()) == forms


def test_what_was_translated_before_is_kept_for_each_form() -> None:
    old = catalogs.updated("fr")
    whole = old.add("One sentence.", "Une phrase.", context="x")
    counted = old.add(("One.", "Several."), ("Une.", "Des."), context="y")
    assert catalogs.in_form("Une.", counted, 2) == ("Une.", "Une.")
    assert catalogs.in_form(("Une.", "Des."), counted, 2) == ("Une.", "Des.")
    assert catalogs.in_form(("Une.", "Des."), whole, 2) == "Des."
    assert catalogs.in_form("Une phrase.", whole, 2) == "Une phrase."


def test_a_count_that_is_not_known_is_several() -> None:
    said = Message("test.counted", "%(count)s things", one=("count", "%(count)s thing"))
    assert Reader("en").say(said, {"count": "?"}) == "? things"
