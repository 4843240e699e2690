"""Marking in a text what was asked for: the words, others of their meaning, and the game's terms."""

from __future__ import annotations

import re
from functools import lru_cache

from service import terms
from service.terms import Language
from service.tokens import (
    concepts,
    in_characters,
    latin_words,
    meanings,
    pairs,
    plain,
    same_meaning,
    stem,
    words,
)

_LETTER = r"[^\W\d_\u3040-\u30ff\u3400-\u9fff]"
_LATIN = re.compile(f"{_LETTER}+")
_GRAMMAR = re.compile(r"[\u3040-\u309f\W\d]+")  # what is marked has a kanji, a katakana or a letter
_PARTICLES = "はがをのにでともへや"

Span = tuple[int, int]


def mark(text: str, question: str, lang: Language, game: str) -> str:
    """A text with what was asked for between ‹ and ›."""
    found = _terms_in(text, concepts(question, game), lang)
    found += _words_in(text, question, lang)
    if in_characters(lang):
        found += _pairs_in(text, question, lang) + _meanings_in(text, question, lang)
    return _marked(text, sorted(span for span in found if not _GRAMMAR.fullmatch(text, *span)))


def _terms_in(text: str, named: list[str], lang: Language) -> list[Span]:
    """Where the terms of concepts stand in a text."""
    forms = [form for concept in named for form in terms.load()[concept].wording(lang).accepted]
    return [found.span() for form in forms for found in _term(form).finditer(text)]


@lru_cache(maxsize=4_000)
def _term(form: str) -> re.Pattern[str]:
    """A form that begins and ends with whole words; a Japanese sign beside a Latin letter is another word."""
    before = f"(?<!{_LETTER})" if _LATIN.match(form[0]) else ""
    after = f"(?!{_LETTER})" if _LATIN.match(form[-1]) else ""
    return re.compile(before + re.escape(form) + after, re.IGNORECASE)


def _words_in(text: str, question: str, lang: Language) -> list[Span]:
    """Where the words of a question, or others of the same meaning, stand in a text."""
    meant = set(meanings(question, lang))
    asked = {own for word in latin_words(question) if len(word) > 1 and (own := stem(word, lang))[0] == "s"}
    found = []
    for word in _LATIN.finditer(text):
        own = stem(word[0].casefold(), lang)
        same = own[0] == "s" and any(
            len(form) == 1 and meaning in meant for form, meaning in same_meaning(lang).get(own, ())
        )
        if own in asked or same:
            found.append(word.span())
    return found


def _pairs_in(text: str, question: str, lang: Language) -> list[Span]:
    """Where two neighbouring characters of a question stand in a text, but for grammar and words in Latin letters."""
    asked = set(pairs(words(lang).cut.sub(" ", plain(question))))
    signs = [_plain_sign(sign) for sign in text]
    return [
        _without_particles(text, (i, i + 2))
        for i in range(len(text) - 1)
        if signs[i] + signs[i + 1] in asked
        and not _GRAMMAR.fullmatch(text, i, i + 2)
        and not _LATIN.search(text, i, i + 2)
    ]


@lru_cache(maxsize=4_000)
def _plain_sign(sign: str) -> str:
    return plain(sign)


def _without_particles(text: str, span: Span) -> Span:
    """A pair of characters without a particle at its ends."""
    start, stop = span
    return start + (text[start] in _PARTICLES), stop - (text[stop - 1] in _PARTICLES)


def _meanings_in(text: str, question: str, lang: Language) -> list[Span]:
    """Where words of the meanings asked for stand in a text."""
    meant = set(meanings(question, lang))
    folded = "".join(_plain_sign(sign) for sign in text)
    if len(folded) != len(text):
        return []
    return [
        (found.start(), found.end())
        for form, meaning in words(lang).japanese
        if meaning in meant and form in folded
        for found in re.finditer(re.escape(form), folded)
    ]


def _marked(text: str, spans: list[Span]) -> str:
    merged: list[Span] = []
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
