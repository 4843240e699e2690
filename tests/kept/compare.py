"""What came out otherwise than it was kept, place by place.

Tolerant only where README.md says so: the mark of the format, renamed rows and fields, options in another
form or order, undetermined options that have become one offer, and the question that a refused answer repeats.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from msgspec import Struct

from engine.game import Game
from tests.kept.names_today import (
    is_of,
    is_open,
    pending_today,
    pointer_today,
    position_today,
    same_option,
    stands_for,
)

Plain = dict[str, Any]

NOTHING = "(nothing)"


class Difference(Struct, frozen=True):
    """One place of an answer that came out otherwise."""

    place: str  # a field of the answer, and from there on a pointer
    was: Any
    now: Any

    def __str__(self) -> str:
        return f"  {self.place}\n    was {_short(self.was)}\n    now {_short(self.now)}"


def differences(game: Game, was: Plain, now: Plain, agenda: list[Plain]) -> list[Difference]:
    """Two answers to one request; `agenda` is what the request was put to."""
    if _answer_kept(was, now):
        return []
    now = {**now, "unknowns": asked_as(was["unknowns"], now["unknowns"])}
    if was["ruling"] == now["ruling"] == "illegal":
        was, now = {**was, "pending": None}, {**now, "pending": None}
    return [
        *_apart(_today(game, was, agenda), _today(game, now, agenda)),
        *_other_question(pending_today(game, was["pending"]), pending_today(game, now["pending"])),
    ]


def _answer_kept(was: Plain, now: Plain) -> bool:
    """What was undetermined still asks for something: other facts than before, or with its answers kept."""
    asks = bool(was["unknowns"]) and bool(now["unknowns"]) and now.get("pending") is None
    return asks and was["ruling"] == "undetermined" and now["ruling"] in ("undetermined", "legal")


def asked_as(was: list[str], now: list[str]) -> list[str]:
    """What is asked for today, by the collections that were asked for as a whole."""
    return list(dict.fromkeys(next((of for of in was if is_of(one, of)), one) for one in now))


def move_differences(game: Game, was: Plain, now: Plain) -> list[Difference]:
    """What a replay says of one move, twice."""
    if _answer_kept(was, now):
        return []
    now = {**now, "unknowns": asked_as(was["unknowns"], now["unknowns"])}
    return list(_apart(_today(game, was, []), _today(game, now, [])))


def position_differences(game: Game, was: Plain, now: Plain) -> list[Difference]:
    """Two positions."""
    return list(_apart(position_today(game, was), position_today(game, now), "position"))


def _today(game: Game, came: Plain, agenda: list[Plain]) -> Plain:
    """An answer by today's names, without the question it ends with."""
    told = {key: value for key, value in came.items() if key != "pending"}
    after = came.get("position", {}).get("agenda", agenda)
    if "position" in told:
        told["position"] = position_today(game, came["position"])
    told["unknowns"] = sorted(pointer_today(game, one, after) for one in came["unknowns"])
    for name in ("reasons", "cautions"):
        told[name] = [{**one, "pointer": pointer_today(game, one["pointer"], agenda)} for one in came[name]]
    if "asked" in told:
        told["asked"] = [{**one, "pending": pending_today(game, one["pending"])} for one in came["asked"]]
    return told


def _apart(was: Any, now: Any, place: str = "") -> Iterator[Difference]:
    """Where two JSON values differ; the order of a table's fields does not count, that of a list does."""
    if isinstance(was, dict) and isinstance(now, dict):
        for key in sorted(was.keys() | now.keys()):
            yield from _apart(was.get(key, NOTHING), now.get(key, NOTHING), f"{place}/{key}".lstrip("/"))
    elif isinstance(was, list) and isinstance(now, list) and len(was) == len(now):
        for number, (old, new) in enumerate(zip(was, now, strict=True)):
            yield from _apart(old, new, f"{place}/{number}")
    elif type(was) is not type(now) or was != now:
        yield Difference(place, was, now)


ABOUT_OPTIONS = ("options", "undetermined", "illegal")


def _other_question(was: Plain | None, now: Plain | None) -> Iterator[Difference]:
    if was is None or now is None:
        if was is not now:
            yield Difference("pending", was and was["name"], now and now["name"])
        return
    old, new = ({key: value for key, value in one.items() if key not in ABOUT_OPTIONS} for one in (was, now))
    yield from _apart(old, new, "pending")
    yield from _other_options(was, now["options"])


def _other_options(was: Plain, now: list[Any]) -> Iterator[Difference]:
    """Options that are gone or new; several undetermined ones of a kind may have become one offer."""
    left, open_places = list(now), was.get("undetermined", ())
    gone = []
    for place, old in enumerate(was["options"]):
        found = next((number for number, new in enumerate(left) if same_option(old, new)), None)
        if found is None:
            gone.append((place, old))
        else:
            del left[found]
    joint = [new for new in left if any(stands_for(new, old) for place, old in gone if place in open_places)]
    for place, old in gone:
        if place not in open_places or not any(stands_for(new, old) for new in joint):
            yield Difference("pending/options", old, NOTHING)
    for new in left:
        if new not in joint and not is_open(new):
            yield Difference("pending/options", NOTHING, new)


def _short(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 400 else f"{text[:400]}…"
