"""What is understood although it is written otherwise: 2.0, printed place names, a saved answer for a position."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from engine import codec
from engine.exceptions import Unreadable
from engine.pointers import parts
from service import places


def plainly_mended(given: Any) -> Any:
    """A request whose numbers are whole where they can be, and whose saved answer gives way to its position."""
    whole = codec.whole_numbers(given)
    saved = whole.get("position") if isinstance(whole, dict) else None
    if isinstance(saved, dict) and isinstance(saved.get("position"), dict):
        return {**whole, "position": saved["position"]}
    return whole


def with_places(given: Any, errors: Iterable[Unreadable], game_name: str) -> Any:
    """A request with the ids of the places that its errors name as they are printed."""
    for error in errors:
        if error.code not in ("unknown-value", "unknown-name"):
            continue
        place = places.meant(str(error.params["given"]), game_name)
        if place in error.params.get("allowed", ()):
            given = _put(given, parts(error.pointer), place, as_name=error.code == "unknown-name")
    return given


def answered_places(value: Any, game_name: str) -> Any:
    """An answer with the ids of the places in it that are written as they are printed: with a sign or a space."""
    if isinstance(value, str):
        printed = "#" in value or not value.isascii() or any(map(str.isspace, value))
        return (places.meant(value, game_name) if printed else None) or value
    if isinstance(value, list):
        return [answered_places(inner, game_name) for inner in value]
    if isinstance(value, dict):
        return {key: answered_places(inner, game_name) for key, inner in value.items()}
    return value


def _put(value: Any, path: list[str], place: str | None, *, as_name: bool) -> Any:
    """A value with a place at the end of a path, as its value or as its name."""
    if not path:
        return place
    first, *rest = path
    if isinstance(value, list):
        at = int(first)
        return [*value[:at], _put(value[at], rest, place, as_name=as_name), *value[at + 1 :]]
    if as_name and not rest:
        return {(place if key == first else key): inner for key, inner in value.items()}
    return {**value, first: _put(value[first], rest, place, as_name=as_name)}


def without(value: Any, path: list[str]) -> Any:
    """A value without the field at the end of a path; of a list, a fixed one perhaps, all is left out."""
    first, *rest = path
    if isinstance(value, list):
        at = int(first)
        return [*value[:at], without(value[at], rest), *value[at + 1 :]]
    if not isinstance(value, dict) or first not in value:
        return value  # left out already, with what it stood in
    inner = value[first]
    if not rest or (isinstance(inner, list) and len(rest) == 1):
        return {key: part for key, part in value.items() if key != first}
    return {**value, first: without(inner, rest)}
