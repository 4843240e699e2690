"""The table of a play, and each thing on it: to look at, to answer with, and to put right by hand."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from flask import request
from msgspec import Struct
from werkzeug.exceptions import BadRequest, NotFound

from engine.game import Game
from service import forms, play_standing, plays
from service.forms import FormOption
from service.languages import reader
from service.pages import (
    draw,
    facts,
    julian_table,
    looking,
    names,
    navajo_wars_table,
    pads,
    seats,
    shell,
    walks,
    words,
)
from service.pages.table import Board, Marks
from service.pages.walks import Pad
from service.play_kept import Play
from service.play_routes import served

screen = shell.screens("table")
MOST_NAME = 60

# The table of each game: what it shows of a position.
TABLES: dict[str, Any] = {"navajo-wars": navajo_wars_table.Table, "julian": julian_table.Table}
TEMPLATES = {"navajo-wars": "table.html", "julian": "table_julian.html"}

words.sentences(
    {
        "table.title": "Table",
        "table.key": "What the signs mean",
        "table.marks": "Dashed: an answer to the present question. Thick: the chart stands here. Corner: just changed.",
        "table.audit": "Is my table right?",
        "table.odds": "Chances",
        "table.tap": "Tap anything that is different on your table.",
        "table.correct": "Put it right",
        "table.answers-here": "Answers that concern it",
        "table.read-only": "This browser may only look. Ask for a join code to play along.",
        "table.other-number": "Another number",
        "table.set": "Set",
        "table.back": "Back to the table",
        "table.is": "%(label)s: %(value)s",
        "table.absent": "Not in play",
        "table.below": "Boxes and displays",
        "track.ap": "AP",
        "track.culture": "Culture",
        "track.military": "Military",
        "track.enemy_morale": "Morale",
        "track.enemy_ferocity": "Ferocity",
        "track.enemy_ap": "Enemy AP",
    }
)


def table_of(play: Play, marks: Marks | None = None) -> Any:
    """What a play's table shows in the reader's language."""

    def to(thing: str) -> str:
        return shell.kept(f"/play/{play.id}/{thing}")

    return TABLES[play.game.name](play.game, play.at(), reader(shell.lang()), to, marks)


def board_of(game: Game, at: Any) -> Board:
    """The map as far as a position tells it, where a game has one."""
    made: Board = TABLES[game.name](game, at, reader(shell.lang()), lambda _: "").board()
    return made


@screen.get("/play/<play>/table")
def table(play: str) -> Any:
    """The whole table."""
    found = seats.look(play)
    state = play_standing.state(found, shell.lang())
    marks = looking.marks(served().store, found, state["pending"])
    return shell.page(
        TEMPLATES[found.game.name],
        play=state,
        title=names.title(found, shell.lang()),
        table=table_of(found, marks),
        draw=draw,
        letters=lambda text: pads.letters(text, shell.lang()),
        short=_short_tracks(),
        menu=menu(found),
    )


def _short_tracks() -> dict[str, str]:
    say = words.sayer(shell.lang())
    return {name: say(f"track.{name}") for name in navajo_wars_table.TRACKS}


def menu(play: Play) -> list[tuple[str, str]]:
    """Where else to go from a play."""
    say = words.sayer(shell.lang())
    return [*names.menu(play, say), (say("table.odds"), shell.kept(f"/play/{play.id}/odds"))]


@screen.get("/play/<play>/<any(areas, families, boxes, tracks):kind>/<name>")
def thing(play: str, kind: str, name: str) -> Any:
    """One thing on the table: the answers that concern it, what is told of it, and what it can be instead."""
    found = seats.look(play)
    shown = table_of(found)
    pointers = shown.pointers_of(kind, name)
    if pointers is None:
        raise NotFound
    state = play_standing.state(found, shell.lang())
    return shell.page(
        "thing.html",
        play=state,
        title=shown.title_of(kind, name),
        rows=shown.rows(*pointers),
        also=shown.also(kind, name),
        answers=list(_ways(state["pending"], name)),
        menu=menu(found),
    )


class Way(Struct, frozen=True):
    """An answer to the present question, and the steps of its pads that lead there."""

    text: str
    steps: list[str]
    answer: str


def _ways(pending: Any, name: str) -> Iterator[Way]:
    """The options of the present question that name this thing."""
    form = getattr(pending, "form", None)
    if not isinstance(form, forms.One):
        return
    for one in form.options:
        if name in looking.named(one.value):
            steps = [walks.said(step) for step in _steps_to(form, one)]
            yield Way(str(one.text), steps, walks.said(one.value))


def _steps_to(form: forms.One, one: FormOption) -> list[Any]:
    """What has to be opened before an option can be chosen."""
    steps: list[Any] = []
    while True:
        pad = walks.walk(form, steps)
        if not isinstance(pad, Pad) or pad.kind != "groups" or one in pad.options:
            return steps
        mine = {group.key for group in one.groups or ()}
        steps.append({walks.OPEN: next(group.key for group in pad.groups if group.key in mine)})


@screen.post("/play/<play>/<any(areas, families, boxes, tracks):kind>/<name>")
def correct(play: str, kind: str, name: str) -> Any:
    """The table says otherwise: told by hand, and undone like any other move."""
    found = seats.opened(play, request.form.get("after"))
    told = _told(found, table_of(found).pointers_of(kind, name) or [])
    if told:
        plays.correct(served().store, found, told, "", served().bounds)
    return shell.see(shell.kept(f"/play/{play}/table" if kind == "tracks" else f"/play/{play}/{kind}/{name}"))


def _told(play: Play, pointers: list[str]) -> dict[str, Any]:
    """What a form tells: a button's value, a number that was typed, or something new with a name."""
    form = request.form
    if "tell" in form:
        return _facts(form["tell"])
    pointer = form.get("pointer", "")
    if not any(pointer == one or pointer.startswith(f"{one}/") for one in pointers):
        raise BadRequest
    if "number" in form:
        typed = form["number"].strip()
        if not typed.isascii() or not typed.isdigit() or len(typed) > 9:
            raise BadRequest
        return {pointer: int(typed)}
    typed = form.get("name", "").strip()[:MOST_NAME]
    if typed and "with" in form:
        return _added(play, pointer, typed, _facts(form["with"]))
    return {}


def _facts(written: str) -> dict[str, Any]:
    """Facts as a button writes them."""
    told = facts.heard(written)
    if told is None:
        raise BadRequest
    return told


def _added(play: Play, pointer: str, name: str, more: dict[str, Any]) -> dict[str, Any]:
    """A list with something new at its end."""
    shown = table_of(play)
    (row,) = shown.rows(pointer)
    if row.typed is None or row.typed.kind != "name":
        raise BadRequest
    have: Any = play.position
    for part in pointer.split("/")[1:]:
        have = getattr(have, part)
    return {pointer: [*(have or ()), {row.typed.key: name, **more}]}
