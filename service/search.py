"""Finding the rule that answers a question, whatever language it is asked in.

SQLite's full text search over tokens of our own: word stems and 4-letter pieces for English, French and
Italian, pairs of characters and single kanji for Japanese, and the ids of the concepts a text names, which
are the same in every language. All four languages are searched and merged by rule.
"""

from __future__ import annotations

import re
import sqlite3
import unicodedata
from collections.abc import Iterable
from functools import cache, lru_cache

import msgspec
from msgspec import Struct
from snowballstemmer import stemmer

from engine.game import Game
from service import terms
from service.games import GAMES, prefix
from service.languages import locales, reader
from service.terms import LANGUAGES, Language

MOST_CHARACTERS = 200
STEMMERS = {"en": "english", "fr": "french", "it": "italian"}
TITLE, CONCEPTS, BODY, ASKED = 3.0, 4.0, 1.0, 2.0  # how much a hit counts, by where it is
COMMON = 0.5  # a token that more of the rules than this have is not looked for
OWN = 0.1  # how much more the reader's own language is trusted
ENOUGH = (
    0.7  # a language that knows fewer of the question's words than this share of the best is not searched
)
_WORD = re.compile(r"[^\W_]+")
_KANJI = re.compile(r"[\u3400-\u9fff]")
_JAPANESE = re.compile(r"[\u3040-\u30ff\u3400-\u9fff々ー]+")
_SECTION = re.compile(rf"(?:(?:{'|'.join(map(prefix, GAMES))}):)?([0-9][\w.-]*|[a-z][\w-]*\.[\w.-]+)")


class Hit(Struct, frozen=True):
    """A rule that may answer the question."""

    rule: str
    score: float


def plain(text: str) -> str:
    """A text without accents, capitals and typographic variants."""
    folded = unicodedata.normalize("NFKD", unicodedata.normalize("NFKC", text).casefold())
    return "".join(sign for sign in folded if not unicodedata.combining(sign) or sign in "\u3099\u309a")


@lru_cache(maxsize=20_000)
def _stem(word: str, lang: str) -> str:
    return str(_stemmer(lang).stemWord(word))


@cache
def _stemmer(lang: str):  # type: ignore[no-untyped-def]  # the library has no types
    return stemmer(STEMMERS[lang])


def tokens(text: str, lang: Language) -> list[str]:
    """The search tokens of a text in a language; their prefix keeps stems, pieces and pairs apart."""
    folded = unicodedata.normalize("NFC", plain(text))
    found = []
    if lang == "ja":
        for run in _JAPANESE.findall(folded):
            found += [f"j{run[i : i + 2]}" for i in range(len(run) - 1)]
            found += [f"k{kanji}" for kanji in _KANJI.findall(run)]
        found += [
            f"w{word}"
            for word in _WORD.findall(_JAPANESE.sub(" ", folded))
            if len(word) > 1 or word.isdigit()
        ]
        return found
    for word in _WORD.findall(_JAPANESE.sub(" ", folded)):
        found.append(f"s{_stem(word, lang)}")
        found += pieces(word)
    return found


def pieces(word: str) -> list[str]:
    """The 4-letter pieces of a word, which find it in spite of endings and slips."""
    return [f"g{word[i : i + 4]}" for i in range(len(word) - 3)]


def asked_tokens(question: str, lang: Language, known: frozenset[str]) -> list[str]:
    """The tokens to look for: pieces only of words that no rule has as they are."""
    if lang == "ja":
        return [token for token in tokens(question, lang) if token in known]
    found = []
    for word in _WORD.findall(_JAPANESE.sub(" ", unicodedata.normalize("NFC", plain(question)))):
        stem = f"s{_stem(word, lang)}"
        found += [stem] if stem in known else [piece for piece in pieces(word) if piece in known]
    return found


class Forms(Struct, frozen=True):
    """Every form under which a concept may be asked for, misprints included."""

    latin: dict[str, list[tuple[tuple[str, ...], str]]]  # by first word: the words, the concept's token
    japanese: list[tuple[str, str]]


@cache
def _forms(game: str) -> Forms:
    mine = prefix(game)
    latin: dict[str, list[tuple[tuple[str, ...], str]]] = {}
    japanese = set()
    for concept in terms.load().values():
        if concept.game != mine:
            continue
        token = "c" + concept.id.replace(".", "x").replace("_", "y")
        for form in {form for lang in LANGUAGES for form in _all_forms(concept, lang)}:
            folded = plain(form)
            words = tuple(_WORD.findall(folded))
            if _JAPANESE.search(folded):
                japanese.add((folded, token))
            elif words:
                latin.setdefault(words[0], []).append((words, token))
    return Forms(latin, sorted(japanese))


def _all_forms(concept: terms.Concept, lang: Language) -> tuple[str, ...]:
    wording = concept.wording(lang)
    return (wording.term, *wording.forms, *wording.search, *wording.wrong)


def concepts(text: str, game: str) -> list[str]:
    """The concepts a text names in any language, as tokens."""
    folded, forms = plain(text), _forms(game)
    words = tuple(_WORD.findall(_JAPANESE.sub(" ", folded)))
    found: dict[str, None] = {}
    for place, word in enumerate(words):
        for form, token in forms.latin.get(word, ()):
            if words[place : place + len(form)] == form:
                found[token] = None
    for written, token in forms.japanese if _JAPANESE.search(folded) else ():
        if written in folded:
            found[token] = None
    return list(found)


class Index:
    """The rules of one game, indexed in memory."""

    def __init__(self, game: Game) -> None:
        self._game = game
        self._database = sqlite3.connect(":memory:", check_same_thread=False)
        for lang in LANGUAGES:
            self._database.execute(
                f"CREATE VIRTUAL TABLE {lang} USING fts5("
                "rule UNINDEXED, title, concepts, body, asked, tokenize = 'unicode61 remove_diacritics 0')"
            )
            self._database.executemany(
                f"INSERT INTO {lang} VALUES (?, ?, ?, ?, ?)",  # noqa: S608  the name is one of ours
                self._rows(lang),
            )
            self._database.execute(f"CREATE VIRTUAL TABLE {lang}_words USING fts5vocab({lang}, row)")
        often = COMMON * len(game.catalogue.texts)
        self._known = {lang: self._words(lang, often) for lang in LANGUAGES}

    def _words(self, lang: Language, often: float) -> frozenset[str]:
        """The tokens worth looking for; what stands in every third rule tells nothing apart."""
        rows = self._database.execute(
            f"SELECT term FROM {lang}_words WHERE doc < ?",  # noqa: S608  the name is one of ours
            (often,),
        )
        return frozenset(term for (term,) in rows)

    def _rows(self, lang: Language) -> Iterable[tuple[str, str, str, str, str]]:
        speaks = reader(lang)
        asked = everyday(lang)
        for rule, (title, text) in self._game.catalogue.texts.items():
            named = concepts(f"{title.text} {text.text}", self._game.name)
            yield (
                rule,
                " ".join(tokens(speaks.say(title, {}), lang)),
                " ".join(named),
                " ".join(tokens(speaks.say(text, {}), lang)),
                " ".join(tokens(" ".join(asked.get(rule, ())), lang)),
            )

    def search(self, question: str, lang: Language, limit: int) -> list[Hit]:
        """The rules that answer a question, best first, with the hit marked in the reader's language."""
        straight = self.by_section(question)
        named = concepts(question, self._game.name)
        scores: dict[str, float] = {rule: 1000.0 - number for number, rule in enumerate(straight)}
        for tongue, weight in self._spoken(question, lang).items():
            found = self._in_language(question, tongue, named, limit * 4)
            share = weight / found[0][1] if found else 0.0
            for rule, score in found:  # scores of different indexes compare only as shares of the best
                scores[rule] = max(scores.get(rule, 0.0), score * share)
        best = sorted(scores.items(), key=lambda item: (-item[1], item[0]))[:limit]
        return [Hit(rule, round(score, 4)) for rule, score in best]

    def _spoken(self, question: str, lang: Language) -> dict[Language, float]:
        """The languages worth searching, each with its weight: how well its rules know the question's words."""
        knows = {tongue: self._coverage(question, tongue) for tongue in LANGUAGES}
        knows[lang] += OWN
        best = max(knows.values())
        return {tongue: known / best for tongue, known in knows.items() if known >= ENOUGH * best}

    def _coverage(self, question: str, lang: Language) -> float:
        """How much of a question is made of words that this language's rules have."""
        wanted = [token for token in tokens(question, lang) if token[0] in "sjw" and not token[1:].isdigit()]
        return sum(token in self._known[lang] for token in wanted) / len(wanted) if wanted else 0.0

    def _in_language(
        self, question: str, lang: Language, named: list[str], limit: int
    ) -> list[tuple[str, float]]:
        wanted = list(dict.fromkeys([*asked_tokens(question, lang, self._known[lang]), *named]))
        if not wanted:
            return []
        match = " OR ".join(f'"{token}"' for token in wanted)  # our own tokens: letters and digits only
        rows = self._database.execute(
            f"SELECT rule, -bm25({lang}, 0, {TITLE}, {CONCEPTS}, {BODY}, {ASKED}) AS score FROM {lang} "  # noqa: S608
            f"WHERE {lang} MATCH ? ORDER BY score DESC LIMIT ?",
            (match, limit),
        )
        return list(rows)

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


def mark(text: str, question: str, lang: Language) -> str:
    """A text with the asked words between ‹ and ›."""
    asked = set(tokens(question, lang))
    if lang == "ja":
        pairs = {token[1:] for token in asked if token[0] == "j"}
        spans = [
            (i, i + 2)
            for i in range(len(text) - 1)
            if unicodedata.normalize("NFC", plain(text[i : i + 2])) in pairs
        ]
    else:
        stems = {token for token in asked if token[0] == "s"}
        spans = [
            word.span()
            for word in _WORD.finditer(text)
            if len(word[0]) > 2 and f"s{_stem(unicodedata.normalize('NFC', plain(word[0])), lang)}" in stems
        ]
    return _marked(text, spans)


def _marked(text: str, spans: list[tuple[int, int]]) -> str:
    merged: list[tuple[int, int]] = []
    for start, stop in spans:
        if merged and start <= merged[-1][1]:
            merged[-1] = (merged[-1][0], max(stop, merged[-1][1]))
        else:
            merged.append((start, stop))
    parts, at = [], 0
    for start, stop in merged:
        parts += [text[at:start], "‹", text[start:stop], "›"]
        at = stop
    return "".join([*parts, text[at:]])


@cache
def everyday(lang: Language) -> dict[str, list[str]]:
    """How players ask for a rule in their own words."""
    path = locales() / lang / "asked.toml"
    return msgspec.toml.decode(path.read_bytes(), type=dict[str, list[str]]) if path.exists() else {}


@cache
def index(game_name: str) -> Index:
    """The index of a game, made when the first question comes (a database does not survive a fork)."""
    return Index(GAMES[game_name])


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
