"""The sentences of the page itself; everything else it says comes from the engine's answers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from engine.messages import Message, message
from service.languages import own_name, reader
from service.terms import LANGUAGES, Language

PAGE: dict[str, Message] = {}
OWN_NAMES: dict[Language, str] = {lang: own_name(lang) for lang in LANGUAGES}

Say = Callable[..., str]


def sentences(said: dict[str, str]) -> None:
    """Register sentences of a screen: `undo` is the message `page.undo`, and `say("undo")` in a template."""
    for name, text in said.items():
        PAGE[name] = message(f"page.{name}", text)


def sayer(lang: Language) -> Say:
    """Words the page's sentences in one language."""
    speaks = reader(lang)

    def say(name: str, **params: Any) -> str:
        return speaks.say(PAGE[name], params)

    return say


sentences(
    {
        "title": "Ruleglot",
        "language": "Language",
        "home": "Home",
        "menu": "Menu",
        "undo": "Undo",
        "redo": "Redo",
        "play": "Play",
        "table": "Table",
        "chart": "Chart",
        "rules": "Rules",
        "report": "Report",
        "share": "Share",
        "close": "Close",
        "skip": "To the question",
        "offline": "No connection to the table's server. Your answer was not sent.",
        "went-wrong": "Something went wrong. Nothing was changed.",
        "try-again": "Try again",
        "not-read": "This could not be read.",
        "not-found": "There is nothing at this address.",
        "from-elsewhere": "This was sent by another site and was not carried out.",
    }
)
