"""What a play was told of the printed tables and the map: to be seen, and to be asked again where it was misread."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from flask import request
from msgspec import Struct
from werkzeug.exceptions import BadRequest

from engine import transcript
from engine.pointers import escape
from service import plays, printed_words
from service.languages import capital, reader
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
    say, told = words.sayer(shell.lang()), play.reading.components
    for name in transcript.told_components(told):
        entries = [_entry(play, *one) for one in printed_words.leaves(getattr(told, name), (name,))]
        yield Section(capital(say(f"copy.{name}")), entries)


def _entry(play: Play, path: tuple[str, ...], value: Any) -> Entry:
    speaks = reader(shell.lang())
    pointer = "/components/" + "/".join(escape(part) for part in path)
    said = printed_words.value(speaks, play.game, path, value)
    label = capital(printed_words.below(speaks, play.game, path))
    return Entry(label, said, facts.written({pointer: None}))


@screen.post("/play/<play>/copy")
def forget(play: str) -> Any:
    """What was misread is asked again when it matters."""
    found = seats.opened(play, request.form.get("after"))
    told = facts.heard(request.form.get("tell", ""))
    if told is None or not all(pointer.startswith("/components/") for pointer in told):
        raise BadRequest
    plays.correct(served().store, found, told, "", served().bounds)
    return shell.see(f"/play/{play}/copy")
