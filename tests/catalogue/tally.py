"""How many rules of a game are enforced, asked for or only explained, and which published ones are missing."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

from service.games import prefix
from tests.shown import game

ENGINE = Path(__file__).parents[2] / "engine"
GAMES = sorted(
    path.parent.name.replace("_", "-")
    for path in ENGINE.glob("*/rules.toml")
    if "GAME" in (path.parent / "__init__.py").read_text(encoding="utf-8")
)
PUBLISHED = Path(__file__).with_name("published-rule-ids.txt")
CATALOGUED = Path(__file__).with_name("catalogued-rules.txt")


def published(name: str) -> set[str]:
    """Every rule id of a game that was ever published."""
    return {rule for rule in PUBLISHED.read_text().split() if rule.startswith(f"{prefix(name)}:")}


def catalogued(name: str) -> dict[str, str]:
    """Every rule that was drawn up from the documents, and the id it has here."""
    lines = [line.split() for line in CATALOGUED.read_text().splitlines() if not line.startswith("#")]
    return {rule: here for rule, here in lines if here.startswith(f"{prefix(name)}:")}


def missing(name: str) -> set[str]:
    """Rules published or drawn up from the documents that the catalogue does not have, also under no new id."""
    catalogue = game(name).catalogue
    wanted = published(name) | set(catalogued(name).values())
    return wanted - catalogue.rules.keys() - catalogue.renamed.keys()


def tally(name: str) -> str:
    """One line: the rules by status, the sections that have the status of their parts, and what is missing."""
    rules = game(name).catalogue.rules.values()
    count = Counter(rule.status for rule in rules if rule.stated)
    sections = Counter(rule.status for rule in rules if not rule.stated)
    return (
        f"{name}: {count['enforced']} enforced, {count['asked']} asked, {count['explained']} explained, "
        f"{len(missing(name))} missing; {sections.total()} sections, {sections['explained']} of them with a part "
        "that is only explained"
    )
