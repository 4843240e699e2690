"""Messages worded in the reader's language, in the terms of that language's own player aids."""

from __future__ import annotations

import gettext
from collections.abc import Callable, Mapping
from functools import cache, lru_cache
from pathlib import Path
from typing import Any, Literal

from babel.lists import format_list
from werkzeug.datastructures import LanguageAccept
from werkzeug.http import parse_accept_header

from engine.messages import Message, Ref, Term
from engine.verdict import Unknown
from service import terms
from service.terms import LANGUAGES, Language

ALL: Literal["all"] = "all"
Spoken = Literal["en", "fr", "it", "ja", "all"]  # the languages of an answer
PLAIN = (int, str)


def locales() -> Path:
    """The catalogs: inside an installed wheel, or beside the packages in a checkout."""
    here = Path(__file__).parent
    installed = here / "locales"
    return installed if installed.is_dir() else here.parent / "locales"


class Reader:
    """Words messages in one language."""

    def __init__(self, lang: Language) -> None:
        self.lang: Language = lang
        self._templates: dict[str, str] = {}
        self._catalog: gettext.NullTranslations = (
            gettext.NullTranslations()
            if lang == "en"
            else gettext.translation("messages", locales(), languages=[lang])
        )
        if lang != "en":
            rules = gettext.translation("rules", locales(), languages=[lang], fallback=True)
            self._catalog.add_fallback(rules)
        self._refs: dict[tuple[type, str], str] = {}

    def say(self, message: Message, params: Mapping[str, Any]) -> str:
        """A message with its parameters worded."""
        template = self._templates.get(message.name)
        if template is None:
            template = self._templates[message.name] = self._catalog.pgettext(message.name, message.text)
        for value in params.values():
            if type(value) not in PLAIN:
                return template % {name: self._word(value) for name, value in params.items()}
        return template % params

    def each(self, words: Callable[[Reader], str]) -> str:
        """Words in this language."""
        return words(self)

    def _word(self, value: Any) -> Any:
        kind = type(value)
        if kind is int or kind is str:
            return value
        if isinstance(value, Ref):
            return self._refs.get((kind, value)) or self._word_ref(value)
        if isinstance(value, list | tuple):
            return format_list([str(self._word(item)) for item in value], locale=self.lang)
        return "?" if isinstance(value, Unknown) else str(value)

    def _word_ref(self, ref: Ref) -> str:
        words = terms.load()[ref].term(self.lang) if isinstance(ref, Term) else self.say(*ref.phrase())
        words = words.replace(" #", "\N{NO-BREAK SPACE}#")  # a number stays with the name it belongs to
        self._refs[type(ref), str(ref)] = words
        return words


class Chorus:
    """Words messages in all four languages side by side."""

    lang: Literal["all"] = ALL

    def say(self, message: Message, params: Mapping[str, Any]) -> dict[str, str]:
        """A message once in each language."""
        return {lang: reader(lang).say(message, params) for lang in LANGUAGES}

    def each(self, words: Callable[[Reader], str]) -> dict[str, str]:
        """Words once in each language."""
        return {lang: words(reader(lang)) for lang in LANGUAGES}


Voice = Reader | Chorus
Text = str | dict[str, str]  # a sentence, or with lang=all one in each language


def beside(one: str, two: str, lang: str) -> str:
    """Two sentences one after the other, as the language sets them."""
    return one + two if lang == "ja" else f"{one} {two}"


@cache
def reader(lang: Language) -> Reader:
    """The reader of one language; its catalog is loaded once."""
    return Reader(lang)


_CHORUS = Chorus()


def voice(lang: str) -> Voice:
    """Who words an answer: one reader, or all of them."""
    return _CHORUS if lang == ALL else reader(lang)


@lru_cache(maxsize=512)
def negotiate(accept_language: str) -> Language:
    """The best of our languages for an Accept-Language header; English where none is wanted.

    Werkzeug's best_match prefers en to fr for "fr-FR,en-US;q=0.7", so the reader's own order decides:
    the first of his languages, by quality, that is one of ours.
    """
    wanted = parse_accept_header(accept_language, LanguageAccept)
    refused = {tag.lower() for tag, quality in wanted if quality <= 0}
    for tag, quality in wanted:
        base = tag.lower().partition("-")[0]
        if quality > 0 and base in LANGUAGES and base not in refused:
            return base
        if quality > 0 and tag == "*":
            return next((lang for lang in LANGUAGES if lang not in refused), "en")
    return "en"
