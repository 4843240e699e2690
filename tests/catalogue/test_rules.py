"""The rule catalogues and the code hold together: what is claimed is cited, shown and counted."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from engine.testing import cited
from tests.catalogue.tally import ENGINE, GAMES, catalogued, missing, published, tally
from tests.shown import Shown, all_shown, game, played

RULE_ID = re.compile(r"(nw|jul):[A-Za-z0-9][A-Za-z0-9.\-]*")
ANY_PART = "\0"


# -- what the code cites -----------------------------------------------------------------------------


@cache
def strings_in_code(name: str) -> frozenset[str]:
    """Every string a game's code writes; in an f-string each part that is computed is one ANY_PART."""
    package = ENGINE / name.replace("-", "_")
    return frozenset(text for path in package.rglob("*.py") for text in _strings(path))


def _strings(path: Path) -> Iterator[str]:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    within = {id(part) for node in ast.walk(tree) if isinstance(node, ast.JoinedStr) for part in node.values}
    for node in ast.walk(tree):
        if isinstance(node, ast.JoinedStr):
            yield "".join(
                str(part.value) if isinstance(part, ast.Constant) else ANY_PART for part in node.values
            )
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in within:
            yield node.value


def literal_ids(name: str) -> set[str]:
    return {text for text in strings_in_code(name) if RULE_ID.fullmatch(text)}


def computed_ids(name: str) -> set[str]:
    return {
        text
        for text in strings_in_code(name)
        if ANY_PART in text and RULE_ID.fullmatch(text.replace(ANY_PART, "x"))
    }


def _pattern(computed: str) -> re.Pattern[str]:
    return re.compile(re.escape(computed).replace(re.escape(ANY_PART), r"[a-z0-9\-]+"))


@cache
def cited_in_code(name: str) -> frozenset[str]:
    """The rules that code names, outright or by an f-string that an example has seen filled in."""
    patterns = [_pattern(text) for text in computed_ids(name)]
    filled_in = {
        rule for rule in shown_anywhere(name) if any(pattern.fullmatch(rule) for pattern in patterns)
    }
    return frozenset(literal_ids(name) | filled_in)


# -- what the examples show --------------------------------------------------------------------------


def _of(name: str) -> list[Shown]:
    return [one for one in all_shown() if one.game == name]


@cache
def shown_anywhere(name: str) -> frozenset[str]:
    return frozenset(
        rule
        for one in _of(name)
        for outcome in played(one)
        if outcome.answer
        for rule in cited(outcome.answer)
    )


@cache
def shown_to_hold(name: str) -> frozenset[str]:
    """Rules that a legal example cites: a check that was met, something that happened, a step that waits."""
    return frozenset(
        rule
        for one in _of(name)
        for outcome in played(one)
        if outcome.answer and outcome.answer.verdict.ruling == "legal"
        for rule in cited(outcome.answer)
    )


@cache
def shown_to_bite(name: str) -> frozenset[str]:
    """Rules that refuse something in an example, or that an example is the counterexample of."""
    found: set[str] = set()
    for one in _of(name):
        for outcome in played(one):
            found |= set(outcome.expected.without)
            if outcome.answer:
                found |= {rule for check in outcome.answer.verdict.reasons for rule in check.rules}
    return frozenset(found)


@cache
def choices_shown(name: str) -> frozenset[tuple[str, str]]:
    return frozenset(
        (issue, chosen)
        for one in _of(name)
        for outcome in played(one)
        if outcome.answer
        for issue, chosen in outcome.answer.issues.items()
    )


def _rules(status: str) -> list[tuple[str, str]]:
    """The rules that are stated to have a status; a section that only heads its parts has theirs."""
    return [
        (name, rule.id)
        for name in GAMES
        for rule in game(name).catalogue.rules.values()
        if rule.stated and rule.status == status
    ]


def _issues() -> list[tuple[str, str]]:
    return [(name, issue) for name in GAMES for issue in game(name).catalogue.issues]


# -- the loops ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", GAMES)
def test_every_rule_cited_in_code_exists(name: str) -> None:
    known = game(name).catalogue.rules
    assert literal_ids(name), "no rule id was found in the code: the search is broken"
    assert not literal_ids(name) - known.keys()
    nowhere = [
        text for text in computed_ids(name) if not any(_pattern(text).fullmatch(rule) for rule in known)
    ]
    assert not nowhere
    assert not shown_anywhere(name) - known.keys()


@pytest.mark.parametrize("name", GAMES)
def test_every_rule_named_by_an_example_exists(name: str) -> None:
    known = game(name).catalogue.rules
    for one in _of(name):
        for request in (one.example, *one.example.steps):
            assert not {*request.rules, *request.without} - known.keys(), str(one)


@pytest.mark.parametrize(("name", "rule"), _rules("enforced"))
def test_every_enforced_rule_is_cited_in_code(name: str, rule: str) -> None:
    assert rule in cited_in_code(name)


@pytest.mark.parametrize(("name", "rule"), _rules("enforced"))
def test_every_enforced_rule_is_shown_where_it_holds_and_where_it_bites(name: str, rule: str) -> None:
    assert rule in shown_to_hold(name), "no legal example cites it"
    assert rule in shown_to_bite(name), "no example is refused by it, or is its counterexample (`without`)"


@pytest.mark.parametrize(("name", "rule"), _rules("asked"))
def test_every_asked_rule_names_its_reading_and_is_cited(name: str, rule: str) -> None:
    assert game(name).catalogue.rules[rule].reading
    assert rule in cited_in_code(name)


@pytest.mark.parametrize(("name", "issue"), _issues())
def test_every_choice_of_an_issue_is_exercised(name: str, issue: str) -> None:
    found = game(name).catalogue.issues[issue]
    assert issue in strings_in_code(name), "no code asks how it is read"
    assert len(found.choices) > 1
    missing = [choice for choice in found.choices if (issue, choice) not in choices_shown(name)]
    assert not missing, f"no example reads it as {missing}"


@pytest.mark.parametrize("name", GAMES)
def test_the_catalogue_names_only_what_there_is(name: str) -> None:
    catalogue = game(name).catalogue
    for issue in catalogue.issues.values():
        assert not set(issue.rules) - catalogue.rules.keys(), issue.name
    for rule in catalogue.rules.values():
        assert not set(rule.related) - catalogue.rules.keys(), rule.id
        assert rule.sources, rule.id


@pytest.mark.parametrize(("name", "rule"), _rules("explained"))
def test_every_rule_that_is_only_explained_says_why(name: str, rule: str) -> None:
    assert game(name).catalogue.rules[rule].why, "why can code neither enforce it nor ask for it?"


@pytest.mark.parametrize("name", GAMES)
def test_no_other_rule_says_why(name: str) -> None:
    rules = game(name).catalogue.rules.values()
    assert not [rule.id for rule in rules if rule.why and not (rule.stated and rule.status == "explained")]


@pytest.mark.parametrize("name", GAMES)
def test_a_section_has_the_status_of_its_parts(name: str) -> None:
    rules = game(name).catalogue.rules
    assert not [
        rule.id for rule in rules.values() if rule.parts and rule.stated and rule.status == "explained"
    ]
    for rule in rules.values():
        if not rule.stated:
            explained = [part for part in rule.parts if rules[part].status == "explained"]
            assert rule.status == ("explained" if explained else "enforced"), rule.id


@pytest.mark.parametrize("name", GAMES)
def test_no_published_rule_is_missing(name: str) -> None:
    assert published(name), "no published rule id was found: the search is broken"
    assert not missing(name)


def test_the_counts_are_said() -> None:
    said = [tally(name) for name in GAMES]
    assert all(" 0 missing;" in line for line in said)


def test_every_rule_drawn_up_from_the_documents_has_its_place() -> None:
    found = catalogued("navajo-wars")
    assert len(found) > 600
    assert not set(found.values()) - game("navajo-wars").catalogue.rules.keys()
