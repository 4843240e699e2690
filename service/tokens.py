"""What a question and a rule have in common: stems, pieces of words, meanings and the game's concepts, as tokens."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable
from functools import cache, lru_cache
from threading import Lock

import msgspec
from msgspec import Struct
from snowballstemmer import stemmer

from service import terms
from service.games import prefix
from service.languages import manners
from service.terms import LANGUAGES, Language, locales

SHORT = 3  # a reading of so few kana may also be a part of another word
_ONE_AT_A_TIME = Lock()  # a stemmer writes on itself while it works
_WORD = re.compile(r"[^\W\d_]+|\d+")
_KANJI = re.compile(r"[\u3400-\u9fff]")
_JAPANESE = re.compile(r"[\u3040-\u30ff\u3400-\u9fff々ー]+")
_KANA = re.compile(r"[\u3040-\u30ff]+")
_HIRAGANA = {sign: sign + 0x60 for sign in range(0x3041, 0x3097)}
_PARTICLES = "ハガヲノニデトモヘヤ"
_VU = (("ヴァ", "バ"), ("ヴィ", "ビ"), ("ヴェ", "ベ"), ("ヴォ", "ボ"), ("ヴ", "ブ"), ("・", ""))


# -- spelling ------------------------------------------------------------------------------------------


def plain(text: str) -> str:
    """A text without accents, capitals and typographic variants, all kana as katakana."""
    folded = unicodedata.normalize("NFKD", unicodedata.normalize("NFKC", text).casefold())
    bare = "".join(sign for sign in folded if not unicodedata.combining(sign) or sign in "\u3099\u309a")
    if bare.isascii():
        return bare
    composed = unicodedata.normalize("NFC", bare).translate(_HIRAGANA)
    for old, new in _VU:
        composed = composed.replace(old, new)
    return composed


def latin_words(text: str) -> list[str]:
    """The words in Latin letters and the numbers of a text, without capitals."""
    return _WORD.findall(_JAPANESE.sub(" ", unicodedata.normalize("NFKC", text).casefold()))


@lru_cache(maxsize=20_000)
def stem(word: str, lang: Language) -> str:
    """A word as it is looked for: a stop word as it stands, any other without its ending and then its accents."""
    if word in words(lang).stop:
        return f"t{plain(word)}"
    with _ONE_AT_A_TIME:
        bare = _without_ending(lang)(word)
    return f"s{plain(bare)}"


@cache
def _without_ending(lang: Language) -> Callable[[str], str]:
    """What takes a word of this language to its stem."""
    named = manners(lang).stemmer
    return str if named is None else stemmer(named).stemWord


@cache
def in_characters(lang: Language) -> bool:
    """Is this language written without spaces between its words?"""
    return manners(lang).writes == "characters"


# -- a language's own words ----------------------------------------------------------------------------


class _File(Struct, frozen=True, forbid_unknown_fields=True):
    """locales/<lang>/synonyms.toml"""

    stop: tuple[str, ...]
    same: dict[str, tuple[str, ...]]


class Words(Struct, frozen=True):
    """The words of a language that mean the same, and those that mean nothing to a search."""

    stop: frozenset[str]
    cut: re.Pattern[str]  # Japanese: the turns of speech that are left out
    latin: tuple[tuple[str, str], ...]  # a word or words, the meaning's token
    japanese: tuple[tuple[str, str], ...]


@cache
def words(lang: Language) -> Words:
    """The synonyms and stop words of a language."""
    read = msgspec.toml.decode((locales() / lang / "synonyms.toml").read_bytes(), type=_File)
    latin = []
    japanese = set()
    stop = frozenset(form for word in read.stop for form in (word, plain(word)))
    for meaning, same in read.same.items():
        token = "y" + meaning.replace("_", "x")
        for form in same:
            if _JAPANESE.search(form):
                japanese.add((plain(form), token))
            else:
                latin.append((form, token))
    cut = "|".join(sorted(map(re.escape, stop), key=len, reverse=True))
    return Words(stop, re.compile(cut), tuple(latin), tuple(sorted(japanese)))


@cache
def same_meaning(lang: Language) -> dict[str, list[tuple[tuple[str, ...], str]]]:
    """The words in Latin letters that have a meaning, by their first stem: all stems, the meaning's token."""
    found: dict[str, list[tuple[tuple[str, ...], str]]] = {}
    for form, token in words(lang).latin:
        stems = tuple(stem(word, lang) for word in latin_words(form))
        found.setdefault(stems[0], []).append((stems, token))
    return found


def meanings(text: str, lang: Language) -> list[str]:
    """The meanings a text has words for, as tokens that are the same for all of these words."""
    spoken = [stem(word, lang) for word in latin_words(text)]
    found = dict.fromkeys(_named(spoken, same_meaning(lang)))
    if in_characters(lang):
        folded = plain(text)
        found |= dict.fromkeys(token for form, token in words(lang).japanese if form in folded)
    return list(found)


def _named(spoken: list[str], forms: dict[str, list[tuple[tuple[str, ...], str]]]) -> list[str]:
    """What is named by a form that stands in a list of words."""
    return [
        named
        for place, word in enumerate(spoken)
        for form, named in forms.get(word, ())
        if tuple(spoken[place : place + len(form)]) == form
    ]


# -- tokens of texts and questions ---------------------------------------------------------------------


def tokens(text: str, lang: Language) -> list[str]:
    """The search tokens of a text; their prefix keeps stems, pieces, pairs and meanings apart."""
    found = meanings(text, lang)
    if in_characters(lang):
        for run in _JAPANESE.findall(plain(text)):
            found += [f"j{pair}" for pair in pairs(run)]
            found += [f"k{kanji}" for kanji in _KANJI.findall(run)]
        return found + [stem(word, lang) for word in latin_words(text) if len(word) > 1 or word.isdigit()]
    for word in latin_words(text):
        found.append(stem(word, lang))
        if found[-1][0] == "s":
            found += pieces(word)
    return found


def pairs(run: str) -> list[str]:
    """Every two neighbouring characters."""
    return [run[i : i + 2] for i in range(len(run) - 1)]


@lru_cache(maxsize=20_000)
def pieces(word: str) -> tuple[str, ...]:
    """The 4-letter pieces of a word, which find it in spite of accents, endings and slips."""
    bare = plain(word)
    return tuple(f"g{bare[i : i + 4]}" for i in range(len(bare) - 3))


def asked_tokens(question: str, lang: Language, known: frozenset[str]) -> list[str]:
    """The tokens to look for: pieces only of words that neither a rule has as they are nor a meaning."""
    found = [token for token in meanings(question, lang) if token in known]
    if in_characters(lang):
        spoken = words(lang).cut.sub(" ", plain(question))
        return found + [token for token in tokens(spoken, lang) if token in known and token[0] != "y"]
    for word in latin_words(question):
        own = stem(word, lang)
        if own in known or own in same_meaning(lang):
            found.append(own)
        else:
            found += pieces(word)
    return [token for token in found if token in known]


def known_share(question: str, lang: Language, known: frozenset[str]) -> float:
    """How much of a question is made of words that this language has."""
    if in_characters(lang):
        told = [token in known for token in tokens(question, lang) if token[0] in "js"]
    else:
        spoken = [stem(word, lang) for word in latin_words(question) if not word.isdigit()]
        told = [own[0] == "t" or own in known or own in same_meaning(lang) for own in spoken]
        told += [False for run in _JAPANESE.findall(question) for _ in run]
    return sum(told) / len(told) if told else 0.0


# -- the game's concepts -------------------------------------------------------------------------------


class Forms(Struct, frozen=True):
    """Every form under which a concept may be asked for, misprints included."""

    latin: dict[str, list[tuple[tuple[str, ...], str]]]  # by first word: the words, the concept
    japanese: tuple[tuple[re.Pattern[str], str], ...]


@cache
def forms(game: str) -> Forms:
    """The forms of all concepts of a game."""
    latin: dict[str, list[tuple[tuple[str, ...], str]]] = {}
    japanese = set()
    for concept in terms.load().values():
        if concept.game != prefix(game):
            continue
        for form in {form for lang in LANGUAGES for form in _all_forms(concept, lang)}:
            spoken = tuple(map(_plain_word, latin_words(form)))
            if _JAPANESE.search(form):
                japanese.add((plain(form), concept.id))
            elif not set(spoken) <= _stop_words() and not all(map(str.isdigit, spoken)):
                latin.setdefault(spoken[0], []).append((spoken, concept.id))
    return Forms(latin, tuple((_japanese_pattern(form), named) for form, named in sorted(japanese)))


@cache
def _stop_words() -> frozenset[str]:
    """The stop words of all languages."""
    return frozenset().union(*(words(lang).stop for lang in LANGUAGES))


@lru_cache(maxsize=20_000)
def _plain_word(word: str) -> str:
    """A word without accents, but for one that makes it another word than a stop word (dé, not de)."""
    bare = plain(word)
    return word if bare in _stop_words() and word not in _stop_words() else bare


def _japanese_pattern(form: str) -> re.Pattern[str]:
    """A form in a Japanese text; a short one in kana alone must stand by itself or before a particle."""
    if len(form) > SHORT or not _KANA.fullmatch(form):
        return re.compile(re.escape(form))
    return re.compile(
        f"(?:(?<![ァ-ヶー])|(?<=[{_PARTICLES}])){re.escape(form)}(?:(?![ァ-ヶー])|(?=[{_PARTICLES}]))"
    )


def _all_forms(concept: terms.Concept, lang: Language) -> tuple[str, ...]:
    wording = concept.wording(lang)
    read = readings(lang).get(concept.id, ())
    return (wording.term, *wording.forms, *wording.search, *wording.wrong, *read)


@cache
def readings(lang: Language) -> dict[str, tuple[str, ...]]:
    """How the terms of a language are read, by concept, where they are not written as they sound."""
    path = locales() / lang / "readings.toml"
    return msgspec.toml.decode(path.read_bytes(), type=dict[str, tuple[str, ...]]) if path.exists() else {}


def concepts(text: str, game: str) -> list[str]:
    """The concepts a text names in any language."""
    folded, known = plain(text), forms(game)
    found = dict.fromkeys(_named([_plain_word(word) for word in latin_words(text)], known.latin))
    if _JAPANESE.search(folded):
        found |= dict.fromkeys(concept for form, concept in known.japanese if form.search(folded))
    return list(found)


def in_terms(question: str, game: str) -> str:
    """A question with the terms for what it spells in kana."""
    folded = plain(question)
    said = [term for reading, term in _read(game) if reading.search(folded)] if _KANA.search(folded) else []
    return " ".join([question, *dict.fromkeys(said)])


@cache
def _read(game: str) -> tuple[tuple[re.Pattern[str], str], ...]:
    """Every reading of a game's terms, with the term."""
    mine = [concept for concept in terms.load().values() if concept.game == prefix(game)]
    return tuple(
        (_japanese_pattern(plain(reading)), concept.term(lang))
        for lang in LANGUAGES
        for concept in mine
        for reading in readings(lang).get(concept.id, ())
    )


def concept_token(concept: str) -> str:
    """A concept as a token."""
    return "c" + concept.replace(".", "x").replace("_", "y")
