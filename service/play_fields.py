"""The fields of what is told about a play, read one by one; everything that is wrong with them is said at once."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from functools import cache
from typing import Any

import msgspec
import orjson

from engine import codec
from engine.catalogue import read_choices
from engine.exceptions import Unreadable
from engine.game import Game
from engine.pointers import escape
from service import problems
from service.bodies import MOST_INPUTS
from service.games import GAMES
from service.languages import ALL
from service.requests import AskedOptions, CheckReader, OptionsReader
from service.terms import LANGUAGES

# What a terminal obeys and no text needs, and what PostgreSQL does not keep.
CONTROLS = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]")


class Fields:
    """Fields by name; what is wrong with them is noted, and is a problem in the end."""

    def __init__(self, told: Mapping[str, Any], *names: str) -> None:
        self._fields = told
        self._errors = [
            Unreadable("unknown-field", f"/{escape(name)}", allowed=[*names, "lang"])
            for name in told
            if name not in (*names, "lang")
        ]
        self.lang: str | None = self.get("lang", _language_named)

    def __contains__(self, name: str) -> bool:
        return name in self._fields

    def get(self, name: str, read: Callable[[Any], Any], otherwise: Any = None) -> Any:
        """A field as it is read, or what holds without it; what is wrong with it is noted."""
        if name not in self._fields:
            return otherwise
        found = self._noting(f"/{name}", lambda: read(self._fields[name]))
        return otherwise if found is None else found

    def together(self, names: Iterable[str], read: Callable[[dict[str, Any]], Any]) -> Any:
        """Several fields that are read as one, as far as they are told; None where something is wrong with them."""
        return self._noting("", lambda: read({name: self._fields[name] for name in names if name in self}))

    def _noting(self, pointer: str, read: Callable[[], Any]) -> Any:
        try:
            return read()
        except Unreadable as error:
            wrong: tuple[Unreadable, ...] = (error,)
        except problems.Problem as problem:
            if not problem.errors:
                raise
            wrong = problem.errors
        for one in wrong:
            one.pointer = f"{pointer}{one.pointer}"
        self._errors += wrong
        return None

    def need(self, name: str) -> None:
        """Note that a field is missing."""
        if name not in self._fields:
            self._errors.append(Unreadable("missing-field", f"/{name}"))

    def refuse(self, error: Unreadable) -> None:
        """Note what is wrong with several fields together."""
        self._errors.append(error)

    def done(self) -> None:
        """A problem with everything that is wrong."""
        if self._errors:
            raise problems.unreadable(*self._errors[:100])


def _language_named(sent: Any) -> Any:
    if not isinstance(sent, str) or sent not in (*LANGUAGES, ALL):
        raise Unreadable("unknown-language", "")
    return sent


def text(limit: int) -> Callable[[Any], str]:
    """Reads a text of so many characters at most."""

    def read(sent: Any) -> str:
        found: str = codec.read(sent, str, "")
        if len(found) > limit:
            raise Unreadable("too-long", "", limit=limit)
        if CONTROLS.search(found):
            raise Unreadable("unknown-value", "", given=CONTROLS.sub("�", found))
        return found

    return read


def whole_number(least: int, most: int) -> Callable[[Any], int]:
    """Reads a whole number within bounds."""

    def read(sent: Any) -> int:
        number: int = codec.read(sent, int, "")
        if not least <= number <= most:
            raise Unreadable("out-of-range", "", least=least, most=most)
        return number

    return read


def value(kind: Any) -> Callable[[Any], Any]:
    """Reads a value of the engine."""
    return lambda sent: codec.read(sent, kind, "")


def action(game: Game) -> Callable[[dict[str, Any]], Any]:
    """Reads an action as a check does: mended where it is clear what is meant, with all that is wrong otherwise."""

    def read(told: dict[str, Any]) -> Any:
        if "action" not in told:
            return None
        try:
            return _actions(game.name).decode(orjson.dumps(told["action"]))
        except msgspec.ValidationError:
            return _checks(game.name).read(orjson.dumps({"position": {}, **told})).action

    return read


def on_table(game: Game, told: dict[str, Any]) -> AskedOptions:
    """Reads a position, or an empty one, and how the rules are read, as every request does."""
    return _positions(game.name).read(orjson.dumps({"position": {}, **told}))


def readings(game: Game) -> Callable[[dict[str, Any]], tuple[dict[str, str], dict[str, Any]]]:
    """Reads how the rules are read from now on, and what is told of the copy."""

    def read(told: dict[str, Any]) -> tuple[dict[str, str], dict[str, Any]]:
        asked = on_table(game, told)
        copy = codec.write(asked.components)
        return read_choices(game.catalogue, asked.choices), {
            name: copy[name] for name in told.get("components", ())
        }

    return read


@cache
def _positions(game: str) -> OptionsReader:
    return OptionsReader(GAMES[game])


@cache
def _actions(game: str) -> msgspec.json.Decoder[Any]:
    """Made once: for so many kinds that takes longer than to check one of them."""
    return msgspec.json.Decoder(GAMES[game].action_types)


@cache
def _checks(game: str) -> CheckReader:
    return CheckReader(GAMES[game])


def inputs_list(sent: Any) -> list[Any]:
    """Reads answers and told facts, each of them readable by itself."""
    found: list[Any] = codec.read(sent, list[Any], "")
    if len(found) > MOST_INPUTS:
        raise Unreadable("too-many", "", limit=MOST_INPUTS)
    codec.read_inputs(found, "")
    return found
