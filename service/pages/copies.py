"""What a play was told of the printed tables and the map: to be seen, and to be asked again where it was misread."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from flask import request
from msgspec import Struct
from werkzeug.exceptions import BadRequest

from engine import transcript
from engine.pointers import escape
from engine.shapes import leads_to, shape
from service import plays, wordings
from service.languages import Reader, capital, reader
from service.pages import facts, seats, shell, words
from service.play_kept import Play
from service.play_routes import served

screen = shell.screens("copies")

words.sentences(
    {
        "copy.nothing": "Nothing was read off your copy yet. What a printed table or the map says is asked when it matters, "
        "and kept here.",
        "copy.forget": "Forget: ask again",
        "copy.area_values": "Area Values",
        "copy.bracketed_values": "parenthesized Area Values",
        "copy.territory_vp": "VP of the Territories",
        "copy.elder_levels": "Elder levels",
        "copy.population_ranges": "population ranges",
        "copy.population_dice": "numbers in the population ranges",
        "copy.adjacent_territories": "adjacent Territories",
        "copy.in_play_ap": "Enemy APs of cards in play",
        "copy.battle_table": "Battle Table",
        "copy.counter_limits": "how many counters there are",
        "copy.raid_table": "Raid Table",
        "copy.subjugation_table": "Subjugation of New Mexico",
        "copy.good_medicine": "Good Medicine",
        "copy.intruders": "Intruder counters",
        "copy.instruction_counters": "Enemy Instruction counters",
        "copy.cards": "cards",
        "copy.developments": "Cultural Development cards",
        "copy.connections": "connected Areas",
        "copy.adjacent": "adjacent Areas",
        "copy.areas_apart": "distance in Areas",
        "copy.mp_to_santa_fe": "MP of the Areas before Santa Fé, on foot",
        "copy.mounted_mp_to_santa_fe": "MP of the Areas before Santa Fé, with a horse",
        "copy.julian": "tables and markers",
    }
)


class Entry(Struct, frozen=True):
    """Something that was read off the copy."""

    label: str
    value: str
    forget: str


class Section(Struct, frozen=True):
    """A printed table, or a part of the map."""

    title: str
    entries: list[Entry]


def sections(play: Play) -> Iterator[Section]:
    """Each printed table or part of the map of which something is told, in words."""
    say = words.sayer(shell.lang())
    for name, told in transcript.told_components(play.reading.components).items():
        yield Section(capital(say(f"copy.{name}")), list(_entries(play, (name,), told)))


def _entries(play: Play, path: tuple[str, ...], told: Any) -> Iterator[Entry]:
    speaks = reader(shell.lang())
    if isinstance(told, dict):
        for key, value in told.items():
            yield from _below(play, (*path, key), value, speaks, _key(play, key, speaks))
    else:
        yield _entry(play, path, told, speaks, "")


def _below(play: Play, path: tuple[str, ...], told: Any, speaks: Reader, label: str) -> Iterator[Entry]:
    """What is told of one thing; of two that are told of together, as neighbours are, each pair apart."""
    if isinstance(told, dict) and told and all(isinstance(one, int) for one in told.values()):
        for key, value in told.items():
            yield _entry(play, (*path, key), value, speaks, f"{label} – {_key(play, key, speaks)}")
    else:
        yield _entry(play, path, told, speaks, label)


def _key(play: Play, key: str, speaks: Reader) -> str:
    kind = wordings.kind_of(play.game, key)
    return key if kind is None else facts.thing(speaks, kind.words[key])


def _entry(play: Play, path: tuple[str, ...], value: Any, speaks: Reader, label: str) -> Entry:
    kind = leads_to(shape(play.game.components), path)
    pointer = "/components/" + "/".join(escape(part) for part in path)
    return Entry(label, wordings.value(speaks, play.game, kind, value), facts.written({pointer: None}))


@screen.post("/play/<play>/copy")
def forget(play: str) -> Any:
    """What was misread is asked again when it matters."""
    found = seats.opened(play, request.form.get("after"))
    told = facts.heard(request.form.get("tell", ""))
    if told is None or not all(pointer.startswith("/components/") for pointer in told):
        raise BadRequest
    plays.correct(served().store, found, told, "", served().bounds)
    return shell.see(f"/play/{play}/copy")
