"""The language of whoever sits at this computer."""

from __future__ import annotations

import locale
import os
from collections.abc import Sequence

from service.languages import english_name
from service.terms import LANGUAGES, Language


def language_here(arguments: Sequence[str]) -> Language:
    """The one named by --lang among the arguments, else that of the locale, else English."""
    for place, argument in enumerate(arguments):
        if argument == "--lang" and arguments[place + 1 : place + 2]:
            named = arguments[place + 1]
        else:
            named = argument.removeprefix("--lang=") if argument.startswith("--lang=") else ""
        if named in LANGUAGES:
            return named
    return _of_the_locale()


def _of_the_locale() -> Language:
    for name in ("LC_ALL", "LC_MESSAGES", "LANG"):
        told = os.environ.get(name)
        if told:
            return _ours(told)
    return _ours(locale.getlocale()[0] or "")


def _ours(name: str) -> Language:
    """fr_CA.UTF-8 as fr; Windows says “French_France”."""
    base = name.replace("-", "_").partition("_")[0].partition(".")[0].lower()
    spelled = {english_name(lang).lower(): lang for lang in LANGUAGES}
    found = spelled.get(base, base)
    return found if found in LANGUAGES else "en"
