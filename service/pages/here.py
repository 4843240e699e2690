"""“You are here”: the chart of the procedure under way with its present row, and walking in at any row of any chart."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any

import sqlalchemy as sa
from flask import request
from msgspec import Struct
from werkzeug.exceptions import BadRequest, NotFound

from engine.game import Game
from engine.memory import Frame
from engine.tables import END, OVER, Procedure
from service import charts, play_standing
from service.answers import RowEntry
from service.chart_picture import ENDS, KIND, TIMES
from service.languages import reader
from service.pages import seats, shell, words
from service.pages.lookup import game_of
from service.pages.names import title
from service.pages.start import begun_from
from service.pages.tables import menu
from service.play_kept import Play, Reading, position_of
from service.play_routes import served
from service.play_starts import Start
from service.store import Store, moves, unpacked

screen = shell.screens("here")
FARTHEST = 80  # moves that are looked back over

words.sentences(
    {
        "chart.nothing": "Nothing is under way. These are the charts of the game.",
        "chart.all": "All charts",
        "chart.legend": "✓ passed · square: asks you · round: by itself · ↳ number: may go on at that row",
        "chart.noted": "Noted",
        "chart.goes-to": "may go on at %(number)s",
        "walk.title": "Walk in mid-game",
        "walk.which": "Which chart is being followed?",
        "walk.between": "Between two cards: nothing is under way",
        "walk.row": "Which row are you at?",
    }
)


# -- the chart of a play ------------------------------------------------------------------------------


class Tab(Struct, frozen=True):
    """A procedure under way."""

    title: str
    href: str
    now: bool


class Row(Struct, frozen=True):
    """A row of a chart as it is shown."""

    entry: RowEntry
    under: str  # who does it
    jumps: list[tuple[str, int]]  # arrows to other rows
    rules: tuple[str, ...]


@screen.get("/play/<play>/chart")
@screen.get("/play/<play>/chart/<procedure>")
def chart(play: str, procedure: str = "") -> Any:
    """The innermost chart under way, or the one that is named."""
    found = seats.look(play)
    agenda = found.position.agenda
    named = procedure or (agenda[-1].procedure if agenda else "")
    if named and named not in found.game.procedures:
        raise NotFound
    spoken = shell.lang()
    depth = _depth(agenda, named)
    return shell.page(
        "chart.html",
        play=play_standing.state(found, spoken),
        game=found.game.name,
        title=title(found, spoken),
        tabs=_tabs(found, agenda, named),
        parts=_parts(found, named, depth) if named else [],
        chart_title=_title(found.game, named) if named else "",
        noted=_noted(found, depth),
        all_charts=[(one, _title(found.game, one)) for one in found.game.procedures],
        menu=menu(found),
    )


def _depth(agenda: Sequence[Frame], named: str) -> int | None:
    """Where a procedure stands on the agenda, the innermost if it is there twice."""
    places = [place for place, frame in enumerate(agenda) if frame.procedure == named]
    return places[-1] if places else None


def _title(game: Game, procedure: str) -> str:
    said = game.procedures[procedure].title
    return procedure if said is None else reader(shell.lang()).say(said, {})


def _tabs(play: Play, agenda: Sequence[Frame], named: str) -> list[Tab]:
    base = f"/play/{play.id}/chart"
    return [
        Tab(_title(play.game, frame.procedure), f"{base}/{frame.procedure}", frame.procedure == named)
        for frame in agenda
    ]


def _noted(play: Play, depth: int | None) -> list[str]:
    """What the chart remembers, in words."""
    if depth is None:
        return []
    pending = play_standing.state(play, shell.lang())["pending"]
    frames = getattr(pending, "frames", [])
    return [str(one.text) for one in frames[depth].noted] if depth < len(frames) else []


def _parts(play: Play, named: str, depth: int | None) -> list[tuple[str, list[Row]]]:
    """The rows of a chart under their headings, with those that were passed in this run."""
    if depth is None:
        return rows_of(play.game, named)
    done = passed(served().store, play, depth)
    return rows_of(play.game, named, play.position.agenda[depth].step, done)


def rows_of(game: Game, named: str, at: str = "", done: Sequence[str] = ()) -> list[tuple[str, list[Row]]]:
    """The rows of a chart under their headings."""
    speaks = reader(shell.lang())
    entries = charts.answer(game, named, at, ",".join(done), speaks).rows
    numbers = {row.name: row.number for row in entries}
    found: list[tuple[str, list[Row]]] = []
    for entry in entries:
        part = str(entry.part or "")
        if not found or found[-1][0] != part:
            found.append((part, []))
        found[-1][1].append(_row(entry, numbers))
    return found


def _row(entry: RowEntry, numbers: dict[str, int]) -> Row:
    speaks = reader(shell.lang())
    said = [speaks.say(KIND[entry.kind], {})]
    said += [speaks.say(TIMES, {"count": entry.done})] if entry.done > 1 else []
    said += [speaks.say(words_of, {}) for name, words_of in ENDS.items() if name in entry.goes]
    there = [numbers[name] for name in entry.goes if name in numbers]
    jumps = [("↰" if to <= entry.number else "↳", to) for to in there if to != entry.number + 1]
    return Row(entry, " · ".join(said), jumps, entry.rules)


# -- what was passed ----------------------------------------------------------------------------------


def passed(store: Store, play: Play, depth: int) -> list[str]:
    """The rows that this run of a procedure has certainly passed, each as often as it did."""
    frame = play.position.agenda[depth]
    table = play.game.procedures[frame.procedure]
    stood, began = _stood(store, play, depth)
    first = next(iter(table.steps))
    if began and [*stood, frame.step][0] != first:
        stood = [first, *stood]
    found: list[str] = []
    for row, following in pairwise([*stood, frame.step]):
        found += [row, *between(table, row, following)]
    return found


def _stood(store: Store, play: Play, depth: int) -> tuple[list[str], bool]:
    """The rows at which this run has stood before, in order, and whether it began in this play."""
    now = play.position.agenda
    rows: list[str] = []
    began, inside = False, len(now) > depth + 1
    for position in _earlier(store, play):
        agenda = position.agenda
        if len(agenda) <= depth or agenda[depth].procedure != now[depth].procedure:
            began = True
            break
        if not (inside and (rows or [now[depth].step])[-1] == agenda[depth].step):
            rows.append(agenda[depth].step)
        inside = (
            len(agenda) > depth + 1
        )  # while another procedure runs inside it, it stays where it called it
    return rows[::-1], began


def _earlier(store: Store, play: Play) -> Iterator[Any]:
    """The positions before this one, the last first."""
    here = sa.and_(
        moves.c.play == play.id, moves.c.number < play.moves, moves.c.number >= play.moves - FARTHEST
    )
    chosen = sa.select(moves.c.position).where(here).order_by(moves.c.number.desc())
    with store.reading() as connection:
        kept = list(connection.scalars(chosen))
    for one in kept:
        if one is None:
            return
        yield position_of(play.game, unpacked(one))


def between(table: Procedure, start: str, goal: str) -> list[str]:
    """The rows that every way from one row to another passes."""
    return [
        row
        for row in table.steps
        if row not in (start, goal) and _leads(table, start, goal) and not _leads(table, start, goal, row)
    ]


def _leads(table: Procedure, start: str, goal: str, without: str = "") -> bool:
    """Is there a way from one row to another that does not pass a third?"""
    seen, edge = set(), [*table.steps[start].goes]
    while edge:
        row = edge.pop()
        if row == goal:
            return True
        if row in seen or row in (END, OVER, without):
            continue
        seen.add(row)
        edge += table.steps[row].goes
    return False


# -- walking in ---------------------------------------------------------------------------------------


@screen.get("/walk/<game>")
def walk(game: str) -> Any:
    """Which chart, and at which row of it?"""
    played = game_of(game)
    named = request.args.get("chart", "")
    if named and named not in played.procedures:
        raise NotFound
    return shell.page(
        "walk.html",
        game=game,
        chart=named,
        chart_title=_title(played, named) if named else "",
        parts=rows_of(played, named) if named else [],
        all_charts=[(one, _title(played, one)) for one in played.procedures],
    )


@screen.post("/walk/<game>")
def walk_in(game: str) -> Any:
    """A play that stands at a row; whatever the row needs to know is asked there."""
    played = game_of(game)
    reading = Reading({}, served().printed[game])
    named, row = request.form.get("chart", ""), request.form.get("row", "")
    if not named:
        return begun_from(Start(played, played.position(), reading))
    table = played.procedures.get(named)
    if table is None or row not in table.steps:
        raise BadRequest
    position = played.position(agenda=(Frame(named, row, table.memory()),))
    return begun_from(Start(played, position, reading))
