"""What each game concept is called in every language, and which concepts a sentence names.

A language is a folder in locales/, and the folders there are the languages.
"""

import re
import unicodedata
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import msgspec


def locales() -> Path:
    """The languages' folders: inside an installed wheel, or beside the packages in a checkout."""
    here = Path(__file__).parent
    installed = here / "locales"
    return installed if installed.is_dir() else here.parent / "locales"


def _languages() -> tuple[str, ...]:
    """English, the language of the code, and then the others in the order of their names."""
    folders = (folder.name for folder in locales().iterdir() if (folder / "terms.toml").exists())
    return tuple(sorted(folders, key=lambda lang: (lang != "en", lang)))


LANGUAGES = _languages()
if TYPE_CHECKING:
    Language = str
else:
    Language = Literal[LANGUAGES]  # the contract lists them

_PLACEHOLDER = re.compile(r"%\(\w+\)[a-z]")
_TYPOGRAPHY = str.maketrans({"’": "'", "‘": "'", "“": '"', "”": '"'})
_LETTER = "A-Za-zÀ-ÖØ-öø-ɏ"


class Wording(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How one language names a concept."""

    term: str
    forms: tuple[str, ...] = ()
    search: tuple[str, ...] = ()
    wrong: tuple[str, ...] = ()
    source: str | None = None
    translated: bool = False
    certainty: Literal["published", "inferred"] | None = None
    keep_english: bool = False

    @property
    def accepted(self) -> tuple[str, ...]:
        """Every form that a printed sentence may use."""
        return (self.term, *self.forms)


class Concept(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One thing of a game that has a fixed name in each language."""

    id: str
    game: str  # what the ids of its rules and terms begin with
    kind: str
    sense: str | None = None
    note: str | None = None

    def wording(self, lang: Language) -> Wording:
        """How this language names the concept."""
        return wordings(lang)[self.id]

    def term(self, lang: Language) -> str:
        """The preferred term in this language."""
        return self.wording(lang).term


class _File(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    concept: tuple[Concept, ...]


@cache
def load() -> dict[str, Concept]:
    """All concepts by id, in the order of the file."""
    concepts = msgspec.toml.decode((locales() / "concepts.toml").read_bytes(), type=_File).concept
    by_id = {concept.id: concept for concept in concepts}
    if len(by_id) != len(concepts):
        raise ValueError("concepts.toml names a concept twice")
    return by_id


@cache
def wordings(lang: Language) -> dict[str, Wording]:
    """How a language names each concept."""
    path = locales() / lang / "terms.toml"
    named = msgspec.toml.decode(path.read_bytes(), type=dict[str, Wording])
    if amiss := sorted(named.keys() ^ load().keys()):
        raise ValueError(
            f"{lang}/terms.toml and concepts.toml do not name the same concepts: {', '.join(amiss)}"
        )
    return named


def find(text: str, lang: Language = "en", game: str | None = None) -> list[str]:
    """The ids of the concepts that a text names, longest match first and without overlaps.

    Concepts that share a name are all returned.
    """
    text = _plain(text)
    matches = [
        (match.start(), match.end(), ids)
        for form, pattern, ids in _forms(lang, game)
        if form in text
        for match in pattern.finditer(text)
    ]
    matches.sort(key=lambda match: (match[0] - match[1], match[0]))
    taken: list[tuple[int, int]] = []
    found: dict[str, None] = {}
    for start, end, ids in matches:
        span = (start, end)
        if span in taken or all(end <= first or last <= start for first, last in taken):
            taken.append(span)
            found.update(dict.fromkeys(ids))
    return list(found)


def uses(text: str, concept: Concept, lang: Language) -> bool:
    """Whether a text contains the preferred term or another accepted form of a concept."""
    return any(contains(text, form) for form in concept.wording(lang).accepted)


def contains(text: str, form: str) -> bool:
    """Whether a form stands in a text, and not inside a longer word."""
    return _pattern(_plain(form)).search(_plain(text)) is not None


@cache
def _forms(lang: Language, game: str | None) -> list[tuple[str, re.Pattern[str], list[str]]]:
    """Every accepted form with a part that must stand in the text, its pattern and its concepts."""
    owners: dict[str, list[str]] = {}
    for concept in load().values():
        if game in (None, concept.game):
            for form in map(_plain, concept.wording(lang).accepted):
                owners.setdefault(form, []).append(concept.id)
    return [(form[1:], _pattern(form), ids) for form, ids in owners.items()]


@cache
def _pattern(form: str) -> re.Pattern[str]:
    """A form as a pattern: a small first letter may be a capital, and Latin words are whole words."""
    first = form[0]
    head = f"[{first}{first.upper()}]" if first.islower() else re.escape(first)
    before = f"(?<![{_LETTER}])" if re.match(f"[{_LETTER}]", first) else ""
    after = ""
    if re.match(f"[{_LETTER}]", form[-1]):
        after = f"(?![{_LETTER}])"
    elif form[-1].isdigit():
        after = r"(?!\d)"
    return re.compile(before + head + re.escape(form[1:]) + after)


def _plain(text: str) -> str:
    """A text in one spelling: NFKC, straight quotes, single spaces, no placeholders."""
    text = _PLACEHOLDER.sub("\N{OBJECT REPLACEMENT CHARACTER}", text)
    text = unicodedata.normalize("NFKC", text.translate(_TYPOGRAPHY))
    return " ".join(text.split())
