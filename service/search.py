"""Finding the rule that answers a question, whatever language it is asked in.

The rules of each game are ranked in each language (`ranking.py`) over tokens of our own (`tokens.py`): word stems
and 4-letter pieces where a language writes words, pairs of characters and single kanji where it does not, the meanings
of words, and the concepts a text names, which are the same in every language. The languages that know a question's
words are searched and merged by rule.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache, lru_cache

import msgspec
from msgspec import Struct

from engine.game import Game
from service import terms
from service.games import GAMES, prefix
from service.languages import reader
from service.ranking import Document, Ranking
from service.terms import LANGUAGES, Language, locales
from service.tokens import (
    asked_tokens,
    concept_token,
    concepts,
    in_terms,
    known_share,
    meanings,
    tokens,
)

MOST_CHARACTERS = 200
OWN = 0.1  # how much more the reader's own language is trusted
ENOUGH = (
    0.7  # a language that knows fewer of the question's words than this share of the best is not searched
)
_SECTION = re.compile(rf"(?:(?:{'|'.join(map(prefix, GAMES))}):)?([0-9][\w.-]*|[a-z][\w-]*\.[\w.-]+)")


class Hit(Struct, frozen=True):
    """A rule that may answer the question."""

    rule: str
    score: float


class Index:
    """The rules of one game in all languages."""

    def __init__(self, game: Game) -> None:
        self._game = game
        self._rankings = {lang: Ranking(_documents(game, lang)) for lang in LANGUAGES}

    def search(self, question: str, lang: Language, limit: int) -> list[Hit]:
        """The rules that answer a question, best first."""
        scores = {rule: 1000.0 - number for number, rule in enumerate(self.by_section(question))}
        named = _concepts(question, self._game.name)
        told = in_terms(question, self._game.name)
        for tongue, weight in self._spoken(question, lang).items():
            ranking = self._rankings[tongue]
            found = ranking.best([*asked_tokens(told, tongue, ranking.known), *named], limit * 4)
            share = weight / found[0][1] if found else 0.0
            for rule, score in found:  # scores of different languages compare only as shares of the best
                scores[rule] = max(scores.get(rule, 0.0), score * share)
        best = sorted(scores.items(), key=lambda item: (-item[1], item[0]))[:limit]
        return [Hit(rule, round(score, 4)) for rule, score in best]

    def _spoken(self, question: str, lang: Language) -> dict[Language, float]:
        """The languages worth searching, each with its weight: how well its rules know the question's words."""
        knows = {
            tongue: known_share(question, tongue, ranking.known) for tongue, ranking in self._rankings.items()
        }
        knows[lang] += OWN
        best = max(knows.values())
        return {tongue: known / best for tongue, known in knows.items() if known >= ENOUGH * best}

    def by_section(self, question: str) -> list[str]:
        """The rules under a section number or id: nw:5.2.4, 5.2.4, 5.2.4.natural-1."""
        asked = _SECTION.fullmatch(question.strip().strip("§ ").rstrip("."))
        if asked is None:
            return []
        rules = self._game.catalogue.rules
        wanted = asked[1]
        exact = [rule for rule in rules if rule.partition(":")[2] == wanted]
        below = [rule for rule in rules if rule.partition(":")[2].startswith(f"{wanted}.")]
        return exact + below


def _documents(game: Game, lang: Language) -> Iterable[Document]:
    """The rules of a game as a reader of one language finds them."""
    speaks, asked = reader(lang), everyday(lang)
    for rule, (title, text) in game.catalogue.texts.items():
        yield Document(
            rule,
            frozenset(tokens(speaks.say(title, {}), lang)),
            frozenset(tokens(speaks.say(text, {}), lang)),
            tuple(frozenset(tokens(phrase, lang)) for phrase in asked.get(rule, ()))
            + _meant_elsewhere(rule, lang),
            _named(f"{title.text} {text.text}", game.name),
            _named(title.text, game.name),
        )


def _meant_elsewhere(rule: str, lang: Language) -> tuple[frozenset[str], ...]:
    """What players of the other languages mean when they ask for a rule: meanings have the same names in all."""
    return tuple(meant for other in LANGUAGES if other != lang for meant in _meant(other).get(rule, ()))


@cache
def _meant(lang: Language) -> dict[str, list[frozenset[str]]]:
    """What players mean with each of their phrases for a rule."""
    return {
        rule: [frozenset(meanings(phrase, lang)) for phrase in phrases]
        for rule, phrases in everyday(lang).items()
    }


@lru_cache(maxsize=4096)
def _named(text: str, game: str) -> frozenset[str]:
    """The concepts of a rule: the same in every language, so they are looked for once."""
    return frozenset(_concepts(text, game))


def _concepts(text: str, game: str) -> list[str]:
    return [concept_token(concept) for concept in concepts(text, game)]


@cache
def everyday(lang: Language) -> dict[str, list[str]]:
    """How players ask for a rule in their own words."""
    path = locales() / lang / "asked.toml"
    return msgspec.toml.decode(path.read_bytes(), type=dict[str, list[str]]) if path.exists() else {}


@cache
def index(game_name: str) -> Index:
    """The index of a game."""
    return Index(GAMES[game_name])


def warm() -> None:
    """Make all indexes, so that no question has to wait for them; they may be made before workers are forked."""
    for game in GAMES:
        index(game)


def is_warm() -> bool:
    """Whether every index is made."""
    return index.cache_info().currsize == len(GAMES)


def nearest_terms(question: str, game: str, lang: Language, limit: int = 5) -> list[str]:
    """Terms that look most like what was asked, for a question that found nothing."""
    asked = set(tokens(question, lang))
    mine = prefix(game)
    ranked = []
    for concept in terms.load().values():
        if concept.game == mine:
            shared = len(asked & set(tokens(concept.term(lang), lang)))
            ranked.append((-shared, len(concept.term(lang)), concept.term(lang)))
    return [term for shared, _, term in sorted(ranked)[:limit] if shared]
