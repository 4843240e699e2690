"""The rules assistant: rules, issues, terms and sources, each with its own lasting address."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable
from functools import cache
from itertools import dropwhile, takewhile
from typing import Any
from xml.etree import ElementTree as ET

from msgspec import UNSET, structs

from engine.catalogue import Issue
from engine.game import Game
from engine.messages import message
from engine.testing import Example
from service import search, terms, worked_examples
from service.answers import (
    DisputeEntry,
    Everything,
    RuleEntry,
    RuleHit,
    RuleHits,
    ShownExample,
    SourceEntry,
    TermEntry,
    WordingEntry,
)
from service.forms import OptionEntry
from service.games import GAMES, prefix
from service.languages import Voice, voice
from service.marks import mark
from service.terms import LANGUAGES, Concept, Language
from service.tokens import plain, readings

MOST_HITS = 50


def rule_entry(game: Game, rule_id: str, speaks: Voice) -> RuleEntry:
    """Everything known of one rule."""
    return RuleEntry(**_told(game, rule_id, speaks))


def _told(game: Game, rule_id: str, speaks: Voice) -> dict[str, Any]:
    catalogue = game.catalogue
    rule = catalogue.rules[rule_id]
    title, text = catalogue.texts[rule_id]
    shown = worked_examples.showing(game.name, rule_id)
    return {
        "id": rule.id,
        "section": section(rule.id),
        "title": speaks.say(title, {}),
        "text": speaks.say(text, {}),
        "status": rule.status,
        "reading": rule.reading or None,
        "sources": rule.sources,
        "parts": rule.parts,
        "related": sorted(_related(game)[rule_id]),
        "issues": [issue.name for issue in catalogue.issues.values() if rule_id in issue.rules],
        "actions": sorted({example.action["kind"] for example in shown}),
        "example": _example(shown[0], speaks) if shown else None,
    }


def _example(shown: Example, speaks: Voice) -> ShownExample:
    """An example; its name is written in English and shown to those who read it."""
    name = shown.name if speaks.lang == "en" else UNSET
    return ShownExample(name=name, request=worked_examples.as_request(shown))


@cache
def section(rule_id: str) -> str:
    """The printed number a rule stands under: 5.2.4 for nw:5.2.4.natural-1."""
    parts = rule_id.partition(":")[2].split(".")
    from_number = dropwhile(lambda part: not _is_number(part), parts)
    return ".".join(takewhile(_is_number, from_number)) or parts[0]


def _is_number(part: str) -> bool:
    """Is this a number of a section, or that of a step?"""
    return part[:1].isdigit() or (part[:1] == "s" and part[1:2].isdigit())


@cache
def _relations(game_name: str) -> dict[str, set[str]]:
    catalogue = GAMES[game_name].catalogue
    found: dict[str, set[str]] = {rule: set() for rule in catalogue.rules}
    for rule in catalogue.rules.values():
        for other in rule.related:
            found[rule.id].add(other)
            found[other].add(rule.id)
    for issue in catalogue.issues.values():
        for one in issue.rules:
            found[one] |= {other for other in issue.rules if other != one}
    return found


def _related(game: Game) -> dict[str, set[str]]:
    """The rules that belong together, both ways."""
    return _relations(game.name)


NOTHING_FOUND = message(
    "search-found-nothing",
    "No rule was found for “%(question)s”. Titles, terms and texts of all rules were searched in every language. "
    "Try other words, or a section number such as 5.2.4.",
)


def find(game: Game, question: str, speaks: Voice, limit: int) -> RuleHits:
    """The rules that answer a question, in the reader's language."""
    lang: Language = "en" if speaks.lang == "all" else speaks.lang
    hits = search.index(game.name).search(question, lang, limit)
    found = RuleHits(
        game=game.name,
        lang=speaks.lang,
        question=question,
        hits=[_hit(game, hit, question, speaks) for hit in hits],
    )
    if hits:
        return found
    text = speaks.say(NOTHING_FOUND, {"question": question})
    return structs.replace(found, text=text, suggestions=search.nearest_terms(question, game.name, lang))


def _hit(game: Game, hit: search.Hit, question: str, speaks: Voice) -> RuleHit:
    _, text = game.catalogue.texts[hit.rule]
    marked = speaks.each(lambda reader: mark(reader.say(text, {}), question, reader.lang, game.name))
    return RuleHit(**_told(game, hit.rule, speaks), snippet=marked, score=hit.score)


def issue_entry(issue: Issue, speaks: Voice) -> DisputeEntry:
    """What the documents say, how it is read, and what a request may choose instead."""
    return DisputeEntry(
        id=issue.id,
        name=issue.name,
        text=speaks.say(issue.text, {}),
        reading=speaks.say(issue.read, {}),
        preferred=issue.preferred,
        confidence=issue.confidence,
        choices=[OptionEntry(value=key, text=speaks.say(said, {})) for key, said in issue.choices.items()],
        rules=issue.rules,
    )


def issues(game: Game, wanted: str | None = None) -> list[Issue]:
    """All issues, or those with an id or name."""
    found = game.catalogue.issues.values()
    return [issue for issue in found if wanted is None or wanted in (issue.id, issue.name)]


def term_entry(concept: Concept, game: Game) -> TermEntry:
    """A concept in every language, with the place where each term stands."""
    return TermEntry(
        id=concept.id,
        kind=concept.kind,
        sense=concept.sense,
        rules=_rules_naming(game)[concept.id],
        **{lang: _wording(concept, lang) for lang in LANGUAGES},
    )


def _wording(concept: Concept, lang: Language) -> WordingEntry:
    wording = concept.wording(lang)
    return WordingEntry(
        term=wording.term,
        variants=wording.forms,
        misprints=wording.wrong,
        source=wording.source,
        translated_by_us=wording.translated,
    )


@cache
def _naming(game_name: str) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {concept: [] for concept in terms.load()}
    for rule, (title, text) in GAMES[game_name].catalogue.texts.items():
        for concept in terms.find(f"{title.text} {text.text}", "en", prefix(game_name)):
            found[concept].append(rule)
    return found


def _rules_naming(game: Game) -> dict[str, list[str]]:
    return _naming(game.name)


def concepts_of(game: Game, question: str = "") -> list[Concept]:
    """The game's concepts, all or those that a question names in any language."""
    mine = [concept for concept in terms.load().values() if concept.game == prefix(game.name)]
    if not question.strip():
        return mine
    asked = plain(question)
    return [concept for concept in mine if any(asked in plain(form) for form in _all_forms(concept))]


def _all_forms(concept: Concept) -> Iterable[str]:
    yield concept.id
    for lang in LANGUAGES:
        wording = concept.wording(lang)
        yield from (wording.term, *wording.forms, *wording.search, *wording.wrong)
        yield from readings(lang).get(concept.id, ())


def source_entries(game: Game, speaks: Voice) -> list[SourceEntry]:
    """The documents that a game rests on."""
    return [
        SourceEntry(id=one.id, language=one.language, text=speaks.say(one.covers, {})) for one in game.sources
    ]


def everything(game: Game) -> Everything:
    """All rules, issues and terms of a game in every language, as one document."""
    chorus = voice("all")
    return Everything(
        game=game.name,
        lang="all",
        rules=[rule_entry(game, rule, chorus) for rule in game.catalogue.texts],
        issues=[issue_entry(issue, chorus) for issue in issues(game)],
        terms=[term_entry(concept, game) for concept in concepts_of(game)],
        sources=source_entries(game, chorus),
    )


def terms_csv(game: Game) -> str:
    """The termbase as CSV."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\r\n")
    writer.writerow(["id", "kind", *(f"{lang}{part}" for lang in LANGUAGES for part in ("", "_source"))])
    for concept in concepts_of(game):
        row = [concept.id, concept.kind]
        for lang in LANGUAGES:
            wording = concept.wording(lang)
            row += [wording.term, wording.source or ("translated" if wording.translated else "")]
        writer.writerow(row)
    return out.getvalue()


def terms_tbx(game: Game) -> bytes:
    """The termbase as TBX-Basic (ISO 30042)."""
    root = ET.Element(
        "tbx", {"style": "dca", "type": "TBX-Basic", "xml:lang": "en", "xmlns": "urn:iso:std:iso:30042:ed-2"}
    )
    header = ET.SubElement(ET.SubElement(root, "tbxHeader"), "fileDesc")
    ET.SubElement(ET.SubElement(header, "sourceDesc"), "p").text = f"Ruleglot, {game.title.text}"
    body = ET.SubElement(ET.SubElement(root, "text"), "body")
    for concept in concepts_of(game):
        entry = ET.SubElement(body, "conceptEntry", {"id": concept.id})
        for lang in LANGUAGES:
            wording = concept.wording(lang)
            section = ET.SubElement(entry, "langSec", {"xml:lang": lang})
            for number, form in enumerate((wording.term, *wording.forms)):
                term = ET.SubElement(section, "termSec")
                ET.SubElement(term, "term").text = form
                status = "preferredTerm-admn-sts" if number == 0 else "admittedTerm-admn-sts"
                ET.SubElement(term, "termNote", {"type": "administrativeStatus"}).text = status
    return bytes(ET.tostring(root, encoding="utf-8", xml_declaration=True))
