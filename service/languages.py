"""Messages worded in the reader's language, in the terms of that language's own player aids."""

from __future__ import annotations

import gettext
from collections.abc import Callable, Iterable, Mapping
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Any, Literal

import msgspec
from babel import Locale
from babel.lists import format_list
from werkzeug.datastructures import LanguageAccept
from werkzeug.http import parse_accept_header

from engine.messages import Either, Message, Ref, Term
from engine.verdict import Unknown
from service import terms
from service.terms import LANGUAGES, Language, locales

ALL: Literal["all"] = "all"
if TYPE_CHECKING:
    Spoken = str
else:
    Spoken = Literal[(*LANGUAGES, ALL)]  # the languages of an answer
PLAIN = frozenset((int, str))
UNKNOWN = Unknown()
NO_TERM = (0, "0", "+0", "-0", None)  # what adds nothing to a sum
IN_BRACKETS = " (%(terms)s)"  # a sum that a language puts in brackets; else its terms follow after a comma


class Manners(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """locales/<lang>/language.toml: how a language is written, as far as its catalogs do not say it."""

    comma: str  # between the things of a list
    semicolon: str  # between things that hold commas themselves
    space: str  # between two sentences
    writes: Literal["words", "characters"]  # what is looked for when rules are searched
    cube_word: Literal["first", "last"]  # where “red cube” names the colour
    cube_letters: int  # how many letters of it fit on a cube
    lists: str | None = None  # the locale whose lists it writes, where it is not its own
    stemmer: str | None = None  # the Snowball stemmer that knows the endings of its words


@cache
def manners(lang: Language) -> Manners:
    """How a language is written."""
    return msgspec.toml.decode((locales() / lang / "language.toml").read_bytes(), type=Manners)


def own_name(lang: Language) -> str:
    """How those who speak a language call it."""
    return capital(str(Locale(lang).get_language_name(lang)))


def english_name(lang: Language) -> str:
    """How a language is called in English."""
    return str(Locale(lang).get_language_name("en"))


def lacks(message: Message, params: Mapping[str, Any]) -> bool:
    """Is a parameter of this message not known?"""
    return any(isinstance(params.get(place, UNKNOWN), Unknown) for place in message.places)


class Reader:
    """Words messages in one language."""

    def __init__(self, lang: Language) -> None:
        self.lang: Language = lang
        self.manners = manners(lang)
        self._templates: dict[str, str] = {}
        self._told: dict[str, str] = {}  # those that open with a word of their own, with its capital
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
        if template is None or message.terms:
            return self._say_in_full(message, params)
        said = _plainly(template, params)
        return self._say_in_full(message, params) if said is None else said

    def _say_in_full(self, message: Message, params: Mapping[str, Any]) -> str:
        """The same where a sentence is said for the first time, lacks something, or holds more than plain values."""
        if message.untold is not None and lacks(message, params):
            return self.say(message.untold, params)
        template = self._templates.get(message.name) or self._template(message, params)
        if message.terms:
            summed = self._sum(message, params)
            if IN_BRACKETS in template:
                template = template if summed else template.replace(IN_BRACKETS, "")
                summed = summed.removeprefix(self.manners.comma)
            params = {**params, "terms": summed}
        return template % {name: self._word(value) for name, value in params.items()}

    def _template(self, message: Message, params: Mapping[str, Any]) -> str:
        """A sentence of the catalog with its places, in the form that a count asks for."""
        if message.one is None:
            found = self._templates[message.name] = self._catalog.pgettext(message.name, message.text)
            if not message.terms and not found.startswith("%"):
                self._told[message.name] = capital(found)
            return found
        count, singular = message.one
        number = params.get(count)
        so_many = number if isinstance(number, int) else 2
        return self._catalog.npgettext(message.name, singular, message.text, so_many)

    def each(self, words: Callable[[Reader], str]) -> str:
        """Words in this language."""
        return words(self)

    def tell(self, message: Message, params: Mapping[str, Any]) -> str:
        """A message as a sentence of its own, whatever word it is opened by."""
        template = self._told.get(message.name)
        if template is not None and "%" not in template:
            return template
        told = None if template is None else _plainly(template, params)
        return capital(self.say(message, params)) if told is None else told

    def word(self, ref: Ref) -> str:
        """A thing of the game by its name."""
        return str(self._word(ref))

    def _sum(self, message: Message, params: Mapping[str, Any]) -> str:
        """The terms of a sum one after the other, without those that are 0."""
        counted = [said for name, said in message.terms if params.get(name) not in NO_TERM]
        return "".join(f"{self.manners.comma}{self.say(said, params)}" for said in counted)

    def listed(self, words: Iterable[str]) -> str:
        """Words one after the other."""
        return self.manners.comma.join(words)

    def _word(self, value: Any) -> Any:
        kind = type(value)
        if kind is int or kind is str:
            return value
        if isinstance(value, Ref):
            return self._refs.get((kind, value)) or self._word_ref(value)
        if isinstance(value, list | tuple):
            words = [str(self._word(item)) for item in value]
            listed = self.manners.lists or self.lang
            return format_list(words, style="or" if kind is Either else "standard", locale=listed)
        return "?" if isinstance(value, Unknown) else str(value)

    def _word_ref(self, ref: Ref) -> str:
        words = terms.load()[ref].term(self.lang) if isinstance(ref, Term) else self.say(*ref.phrase())
        words = words.replace(" #", "\N{NO-BREAK SPACE}#")  # a number stays with the name it belongs to
        self._refs[type(ref), str(ref)] = words
        return words


class Chorus:
    """Words messages in all languages side by side."""

    lang: Literal["all"] = ALL

    def say(self, message: Message, params: Mapping[str, Any]) -> dict[str, str]:
        """A message once in each language."""
        return {lang: reader(lang).say(message, params) for lang in LANGUAGES}

    def tell(self, message: Message, params: Mapping[str, Any]) -> dict[str, str]:
        """A message once in each language, as a sentence of its own."""
        return {lang: reader(lang).tell(message, params) for lang in LANGUAGES}

    def each(self, words: Callable[[Reader], str]) -> dict[str, str]:
        """Words once in each language."""
        return {lang: words(reader(lang)) for lang in LANGUAGES}


Voice = Reader | Chorus
Text = str | dict[str, str]  # a sentence, or with lang=all one in each language


def _plainly(template: str, params: Mapping[str, Any]) -> str | None:
    """A sentence of plain values; None where one of them has to be worded first, or is not known."""
    for value in params.values():
        if type(value) not in PLAIN:
            return None
    try:
        return template % params
    except KeyError:
        return None


def capital(said: str) -> str:
    """A sentence opened by a term, with its first letter in upper case."""
    first = said[:1]
    return said if first.isupper() else first.upper() + said[1:]


def beside(one: str, two: str, lang: str) -> str:
    """Two sentences one after the other, as the language sets them."""
    return f"{one}{manners(lang).space}{two}"


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
