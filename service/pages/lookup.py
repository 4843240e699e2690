"""Looking things up: rules by words or section, disputed points, terms; each under an address that lasts."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import Any

from flask import redirect, request
from markupsafe import Markup, escape
from msgspec import Struct
from werkzeug.exceptions import NotFound

from engine.game import Game
from service import rules, terms
from service.answers import DisputeEntry, SourceEntry
from service.games import GAMES, prefix
from service.languages import reader
from service.pages import seats, shell, words
from service.pages.told import Told, read
from service.search import MOST_CHARACTERS
from service.terms import LANGUAGES, Language

screen = shell.screens("lookup")
HITS = 12

words.sentences(
    {
        "rules.title": "Look up a rule",
        "rules.ask": "Ask in your own words, or give a section number",
        "rules.search": "Search",
        "rules.found": "Rules found: %(count)s",
        "rules.near": "Perhaps one of these terms helps:",
        "rules.browse": "Browse by section",
        "rules.parts": "Parts",
        "rules.related": "Related",
        "rules.terms": "Terms in it",
        "rules.sources": "Where it stands",
        "rules.beside": "Side by side with",
        "rules.alone": "In one language only",
        "rules.about": "Rule %(section)s",
        "rules.example": "An example",
        "rules.enforced": "Ruleglot checks this rule.",
        "rules.asked": "Ruleglot asks for what only your copy or the players can say.",
        "rules.explained": "This rule is explained and not checked.",
        "rules.may": "May I …?",
        "issues.title": "Disputed point %(id)s",
        "issues.all": "Where the documents disagree",
        "issues.says": "What the documents say",
        "issues.read": "How it is read",
        "issues.now": "current reading",
        "issues.usual": "default reading",
        "issues.otherwise": "Use this reading in this game",
        "issues.rules": "Rules it concerns",
        "terms.title": "Term",
        "terms.all": "Terms",
        "terms.variants": "also: %(forms)s",
        "terms.ours": "our translation",
        "terms.source": "stands in: %(source)s",
        "terms.rules": "Rules that name it",
    }
)


def game_of(name: str) -> Game:
    """A game by its name in an address."""
    if name not in GAMES:
        raise NotFound
    return GAMES[name]


def titles() -> list[tuple[str, str]]:
    """The games by name and title."""
    speaks = reader(shell.lang())
    return [(name, speaks.say(game.title, {})) for name, game in GAMES.items()]


# -- rules -------------------------------------------------------------------------------------------


class Named(Struct, frozen=True):
    """A rule by its id and title."""

    id: str
    title: str


@screen.get("/rules/<game>")
def find(game: str) -> Any:
    """The rules that answer a question; without one, all sections."""
    played = game_of(game)
    asked = request.args.get("q", "").strip()[:MOST_CHARACTERS]
    speaks = reader(shell.lang())
    found = rules.find(played, asked, speaks, HITS) if asked else None
    return shell.page(
        "rules.html",
        game=game,
        games=titles(),
        asked=asked,
        found=found,
        marked=marked,
        sections=_sections(played),
    )


def _sections(game: Game) -> list[Named]:
    """The rules that are part of no other, in the order of the book."""
    inside = {part for rule in game.catalogue.rules.values() for part in rule.parts}
    tops = [rule for rule in game.catalogue.rules if rule not in inside]
    return [_named(game, rule) for rule in sorted(tops, key=_place)]


def _place(rule: str) -> tuple[bool, int, str]:
    last = rule.partition(":")[2]
    return not last.isdigit(), int(last) if last.isdigit() else 0, last


def _named(game: Game, rule: str, lang: Language | None = None) -> Named:
    title, _ = game.catalogue.texts[rule]
    return Named(rule, reader(lang or shell.lang()).say(title, {}))


def marked(snippet: str) -> Markup:
    """A text whose marks ‹…› are shown as such."""
    shown = str(escape(snippet)).replace("‹", "<mark>").replace("›", "</mark>")
    return Markup(shown)  # noqa: S704  what is not ours was escaped


class Side(Struct, frozen=True):
    """A rule in one language."""

    lang: Language
    title: str
    text: Markup


@screen.get("/rules/<game>/<rule>")
def one_rule(game: str, rule: str) -> Any:
    """Everything known of one rule, in one language or two."""
    played = game_of(game)
    if rule in played.catalogue.renamed:
        return redirect(f"/rules/{game}/{played.catalogue.renamed[rule]}", 308)
    if rule not in played.catalogue.texts:
        raise NotFound
    spoken = shell.lang()
    other = request.args.get("and")
    known = rules.rule_entry(played, rule, reader(spoken))
    sides = [_side(played, rule, spoken)]
    if other in LANGUAGES and other != spoken:
        sides.append(_side(played, rule, other))
    return shell.page(
        "rule.html",
        game=game,
        rule=known,
        sides=sides,
        beside=other if len(sides) > 1 else "",
        parts=[_named(played, one) for one in known.parts],
        related=[_named(played, one) for one in known.related],
        disputed=[issue for name in known.issues for issue in rules.issues(played, name)],
        concepts=[(one, terms.load()[one].term(spoken)) for one in _named_in(played, rule)],
        above=_above(played, rule),
        kinds=[kind for kind, action in played.actions.items() if action.rule == rule],
        documents=_documents(played, known.sources),
    )


def _documents(game: Game, references: Iterable[str]) -> list[SourceEntry]:
    """The documents that these references name by their number, with what each of them is."""
    named = {word for one in references for word in re.findall(r"\w+", one)}
    return [one for one in rules.source_entries(game, reader(shell.lang())) if one.id in named]


def _side(game: Game, rule: str, lang: Language) -> Side:
    title, text = game.catalogue.texts[rule]
    speaks = reader(lang)
    return Side(lang, speaks.say(title, {}), linked(game, speaks.say(text, {}), lang))


def _named_in(game: Game, rule: str) -> list[str]:
    title, text = game.catalogue.texts[rule]
    return terms.find(f"{title.text} {text.text}", "en", prefix(game.name))


def _above(game: Game, rule: str) -> Named | None:
    """The rule that this one is a part of."""
    found = next((one.id for one in game.catalogue.rules.values() if rule in one.parts), None)
    return None if found is None else _named(game, found)


def linked(game: Game, text: str, lang: Language) -> Markup:
    """A text whose terms lead to what they are called elsewhere, each at its first place."""
    shown, here = "", 0
    for start, end, concept in sorted(_places(text, lang, game.name)):
        if start >= here:
            address = f"/terms/{game.name}/{concept}"
            shown += str(escape(text[here:start]))
            shown += f'<a class="term" href="{escape(address)}" data-sheet>{escape(text[start:end])}</a>'
            here = end
    return Markup(shown + str(escape(text[here:])))  # noqa: S704  every part was escaped


@lru_cache(maxsize=4_000)
def _places(text: str, lang: Language, game_name: str) -> tuple[tuple[int, int, str], ...]:
    """Where terms stand in a text: the longest first, none inside another, each once."""
    taken: list[tuple[int, int, str]] = []
    for concept in terms.find(text, lang, prefix(game_name)):
        forms = terms.load()[concept].wording(lang).accepted
        for form in sorted(forms, key=len, reverse=True):
            found = next(_free(form, text, taken), None)
            if found is not None:
                taken.append((*found, concept))
                break
    return tuple(taken)


def _free(form: str, text: str, taken: list[tuple[int, int, str]]) -> Iterator[tuple[int, int]]:
    edge = r"\b" if form[0].isascii() and form[-1].isascii() else ""
    for match in re.finditer(edge + re.escape(form) + edge, text):
        if all(match.end() <= start or end <= match.start() for start, end, _ in taken):
            yield match.span()


# -- disputed points and terms -----------------------------------------------------------------------


@screen.get("/issues/<game>")
def issues(game: str) -> Any:
    """Every point where the documents disagree."""
    played, speaks = game_of(game), reader(shell.lang())
    listed = [rules.issue_entry(one, speaks) for one in rules.issues(played)]
    return shell.page("issues.html", game=game, listed=listed)


@screen.get("/issues/<game>/<issue>")
def one_issue(game: str, issue: str) -> Any:
    """What the documents say, how it is read, and in a play or beside “May I …?” the other readings to choose."""
    played, speaks = game_of(game), reader(shell.lang())
    found = [rules.issue_entry(one, speaks) for one in rules.issues(played, issue)]
    if not found:
        raise NotFound
    play = request.args.get("play")
    seen = seats.look(play) if play else None
    asked = _asked(played) if seen is None else None
    chosen = dict(seen.reading.choices) if seen is not None else {}
    return shell.page(
        "issue.html",
        game=game,
        listed=found,
        play=seen,
        chosen=chosen if asked is None else asked.chosen(found),
        asked=asked,
        named={rule: _named(played, rule).title for one in found for rule in one.rules},
    )


class Asked(Struct, frozen=True):
    """A ruling of “May I …?”, to which a chosen reading leads back."""

    address: str
    told: Told

    def chosen(self, issues: Iterable[DisputeEntry]) -> dict[str, Any]:
        """How it reads these points, where it says so."""
        said = {one.name: self.told.reads(one.name) for one in issues}
        return {name: value for name, value in said.items() if value is not None}

    def back(self) -> str:
        """To the ruling as it is."""
        return f"{self.address}?{self.told.query()}"

    def reading(self, issue: DisputeEntry, value: str) -> str:
        """To the ruling with this reading; that of the game need not be told."""
        told = self.told.reading(issue.name, None if value == issue.preferred else value)
        return f"{self.address}?{told.query()}"


def _asked(game: Game) -> Asked | None:
    kind = request.args.get("may")
    if kind is None:
        return None
    if kind not in game.actions:
        raise NotFound
    return Asked(f"/may/{game.name}/{kind}", read(game, request.args))


@screen.get("/terms/<game>")
def all_terms(game: str) -> Any:
    """Every concept in the reader's language."""
    played = game_of(game)
    asked = request.args.get("q", "").strip()[:MOST_CHARACTERS]
    spoken = shell.lang()
    found = sorted((one.term(spoken), one.id) for one in rules.concepts_of(played, asked))
    return shell.page("terms.html", game=game, found=found, asked=asked)


@screen.get("/terms/<game>/<term>")
def one_term(game: str, term: str) -> Any:
    """A concept in every language, with where each term stands."""
    played = game_of(game)
    found = next((one for one in rules.concepts_of(played) if one.id == term), None)
    if found is None:
        raise NotFound
    entry = rules.term_entry(found, played)
    wordings = [(lang, getattr(entry, lang)) for lang in LANGUAGES]
    return shell.page(
        "term.html",
        game=game,
        term=entry,
        wordings=wordings,
        documents=_documents(played, [one.source for _, one in wordings if one.source]),
        named=[_named(played, rule) for rule in entry.rules[:30]],
    )
