"""What an address of “May I …?” tells: facts by pointer, readings among them, and answers on the way."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any
from urllib.parse import quote, urlencode

from msgspec import Struct, structs
from werkzeug.datastructures import MultiDict
from werkzeug.exceptions import BadRequest

from engine.catalogue import read_choices
from engine.exceptions import Unreadable
from engine.game import Game
from engine.pointers import escape, unescape
from service.pages import walks

MOST_TOLD = 600
READINGS = "/choices/"  # how a disputed point is read is told like a fact


class Told(Struct, frozen=True):
    """Facts by pointer, answers on the way, and questions nobody can answer."""

    facts: dict[str, Any] = {}
    inputs: tuple[dict[str, Any], ...] = ()
    skipped: tuple[str, ...] = ()
    steps: tuple[Any, ...] = ()  # of the answer that is being given
    asks: str = ""  # a fact the reader wants to tell though nobody asked

    def query(self) -> str:
        """The same as the query of an address."""
        return urlencode(self.fields(), safe="/", quote_via=quote)

    def fields(self) -> list[tuple[str, str]]:
        """The same as hidden fields of a form."""
        said = [(pointer, walks.said(value)) for pointer, value in self.facts.items()]
        said += [("input", walks.said(one)) for one in self.inputs]
        said += [("skip", one) for one in self.skipped]
        said += [("ask", self.asks)] if self.asks else []
        return said + [("step", walks.said(one)) for one in self.steps]

    def without(self, pointers: list[str]) -> Told:
        """The same without some facts."""
        left = {name: one for name, one in self.facts.items() if name not in pointers}
        return structs.replace(self, facts=left, steps=(), asks="")

    def reads(self, issue: str) -> Any:
        """How a disputed point is read; None where the address does not say."""
        return self.facts.get(_reading(issue))

    def reading(self, issue: str, value: str | None) -> Told:
        """The same with another reading of a disputed point, that of the game where it is None."""
        left = self.without([_reading(issue)])
        return left if value is None else structs.replace(left, facts={**left.facts, _reading(issue): value})


def read(game: Game, args: MultiDict[str, str]) -> Told:
    """What an address tells."""
    if len(list(args.items(multi=True))) > MOST_TOLD:
        raise BadRequest
    inputs = tuple(walks.heard(one) for one in args.getlist("input"))
    if not all(isinstance(one, dict) and len(one) == 1 for one in inputs):
        raise BadRequest
    return Told(
        _facts(game, args),
        inputs,
        tuple(args.getlist("skip")),
        tuple(walks.heard(one) for one in args.getlist("step")),
        args.get("ask", ""),
    )


def _facts(game: Game, args: MultiDict[str, str]) -> dict[str, Any]:
    """Each fact once; an address that tells one in two ways cannot be meant."""
    facts: dict[str, Any] = {}
    for name, text in args.items(multi=True):
        if name.startswith("/"):
            value = _value(text)
            for pointer in _places(game, name, value):
                if not walks.same(facts.setdefault(pointer, value), value):
                    raise BadRequest
    return facts


def _places(game: Game, pointer: str, value: Any) -> Iterator[str]:
    """Where a value is told; a disputed point by its name, though the address may have its number."""
    key = unescape(pointer.removeprefix(READINGS))
    if pointer.startswith(READINGS) and isinstance(value, str):
        try:
            yield from map(_reading, read_choices(game.catalogue, {key: value}))
        except Unreadable:  # is said with the ruling, where it can be taken back
            yield pointer
    else:
        yield pointer


def _reading(issue: str) -> str:
    return f"{READINGS}{escape(issue)}"


def _value(text: str) -> Any:
    """A value of an address; a word need not be quoted."""
    try:
        return walks.heard(text)
    except Unreadable:
        return text
