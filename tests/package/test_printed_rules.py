"""What the command line shows of rules: numbers as they are printed, and what is found when one is pasted back."""

from __future__ import annotations

import pytest

from ruleglot.cli import _named_or_numbered
from ruleglot.talking import sections
from ruleglot.words import rule_words
from service.games import GAMES, prefix
from service.rules import section
from service.terms import LANGUAGES, Language

RULES = (
    "nw:5.1.2.one-per-placement",
    "nw:5.1.2",
    "nw:enemy-raid.one-reaction",
    "nw:enemy-raid.direction",
    "nw:3.1.s3",
)


@pytest.mark.parametrize(
    ("lang", "shown"),
    [
        ("en", " [5.1.2, chart, 3.1 step 3]"),
        ("fr", " [5.1.2, schéma, 3.1 étape 3]"),
        ("it", " [5.1.2, diagramma, 3.1 Passo 3]"),
        ("ja", " [5.1.2, チャート, 3.1・ステップ3]"),
    ],
)
def test_numbers_of_rules_are_shown_once_and_as_they_are_printed(lang: Language, shown: str) -> None:
    assert sections(RULES, lang) == shown
    assert not sections((), lang)


@pytest.mark.parametrize("game", GAMES)
def test_what_is_shown_or_the_id_leads_to_the_rule_or_its_section(game: str) -> None:
    known = GAMES[game].catalogue.rules
    for rule in known:
        assert _named_or_numbered(game, rule) == [rule]
        assert _named_or_numbered(game, rule.partition(":")[2]) == [rule]
        for lang in LANGUAGES if section(rule)[:1].isdigit() else ():
            found = _named_or_numbered(game, rule_words(rule, lang))
            assert rule in found or found == [f"{prefix(game)}:{section(rule)}"]


def test_a_number_within_the_name_of_a_rule_is_not_its_section() -> None:
    assert section("nw:6.2.3.s4.no-5.1.3") == "6.2.3.s4"
    assert section("nw:12.1.before-12.2") == "12.1"
