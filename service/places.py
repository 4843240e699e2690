"""Places as answers print them ("Shiprock #2"), in any language, understood where a request needs their id."""

from __future__ import annotations

import unicodedata
from functools import cache

from service.games import named
from service.languages import reader
from service.terms import LANGUAGES


def meant(printed: str, game_name: str) -> str | None:
    """The id of the place that is printed so, if there is one."""
    return _ids(game_name).get(_plain(printed))


@cache
def _ids(game_name: str) -> dict[str, str]:
    return {
        _plain(reader(lang).say(*place.phrase())): str(place)
        for place in named(game_name)
        for lang in LANGUAGES
    }


def _plain(text: str) -> str:
    """A name without what differs from hand to hand: capitals, accents, spaces and the sign before a number."""
    folded = unicodedata.normalize("NFKD", text.casefold())
    return "".join(sign for sign in folded if sign.isalnum())
