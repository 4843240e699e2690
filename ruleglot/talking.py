"""A dialogue in a terminal: lines out, lines in, and what can be said at every question."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from engine.messages import Message
from ruleglot.words import rule_words, speaker
from service.terms import LANGUAGES, Language

COMMANDS = ("?", "why", "undo", "lang", "ask", "report", "quit")


class Said(Exception):
    """Something was said that is no answer: one of the commands, and what stood behind it."""

    def __init__(self, command: str, rest: str = "") -> None:
        super().__init__(command)
        self.command = command
        self.rest = rest


class Talk:
    """Words lines in the reader's language, and reads what he types."""

    def __init__(self, lang: Language, read: Callable[[str], str], write: Callable[[str], None]) -> None:
        self.lang = lang
        self._read = read
        self.write = write

    def words(self, said: Message, **params: Any) -> str:
        """A sentence of our own in the reader's language."""
        return speaker(self.lang).say(said, params)

    def say(self, said: Message, **params: Any) -> None:
        """Print a sentence of our own."""
        self.write(self.words(said, **params))

    def line(self, prompt: str = "> ") -> str:
        """What was typed, with full-width characters as plain ones; the end of the input ends the dialogue."""
        try:
            typed = self._read(prompt)
        except EOFError:
            raise Said("quit") from None
        typed = unicodedata.normalize("NFKC", typed).strip()
        first, _, rest = typed.partition(" ")
        if first.lower() in COMMANDS and (not rest or first.lower() in ("lang", "ask")):
            raise Said(first.lower(), rest.strip())
        return typed

    def speak(self, lang: str) -> bool:
        """Go on in another language, if it is one of ours."""
        if lang in LANGUAGES:
            self.lang = lang
        return lang in LANGUAGES


def sentences(question: Mapping[str, Any]) -> str:
    """A question with what comes before it and after it."""
    parts = [str(question[part]) for part in ("lead", "text", "hint") if question.get(part)]
    return " ".join(parts).replace("。 ", "。")  # Japanese sets no space between sentences


def sections(rules: Iterable[str] | None, lang: Language) -> str:
    """The numbers of rules as they are printed, each once: [5.2.1]."""
    numbers = ", ".join(dict.fromkeys(rule_words(rule, lang) for rule in rules or ()))
    return f" [{numbers}]" if numbers else ""
