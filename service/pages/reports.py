"""What a play has seen: its report to read, share and print, its file, and what was read off the copy."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import groupby
from typing import Any

from flask import Response, request

from engine.catalogue import read_choices
from service import play_records, play_standing, plays
from service.answers import encode
from service.languages import reader
from service.pages import copies, seats, shell, words
from service.pages.names import menu, title
from service.play_kept import Play
from service.play_routes import served
from service.report import Line, Session, as_text
from service.rules import issue_entry, issues

screen = shell.screens("reports")
ALONE = ("deed", "end")  # kinds of lines that stand in no list


@screen.get("/play/<play>/report")
def report(play: str) -> Any:
    """The session, from its beginning; a long one in parts, each with a link to the next."""
    found, after = seats.look(play), _after()
    told, further = _part(found, after)
    return _page("report.html", found, told=told, after=after, further=further, runs=_runs)


def _after() -> int:
    """The move behind which a part begins."""
    after = request.args.get("after", "")
    return int(after) if after.isascii() and after.isdigit() and len(after) < 10 else 0


def _part(play: Play, after: int) -> tuple[Session, int | None]:
    return play_records.part(served().store, play, shell.lang(), after)


def _runs(lines: Iterable[Line]) -> list[tuple[bool, list[Line]]]:
    """Lines that stand in one list, apart from those that stand alone: what was done, and how it ended."""
    return [(listed, list(run)) for listed, run in groupby(lines, lambda one: one.kind not in ALONE)]


@screen.get("/play/<play>/report.txt")
def report_text(play: str) -> Any:
    """The report as a text, to share; a long one in parts, as on the page."""
    told, further = _part(seats.look(play), _after())
    response = Response(as_text(told) + "\n", content_type="text/plain; charset=utf-8")
    if further is not None:
        response.headers["Link"] = f'<{request.path}?after={further}>; rel="next"'
    return response


@screen.get("/play/<play>/transcript")
def saved(play: str) -> Any:
    """Everything as a file, to go on elsewhere."""
    found = seats.look(play)
    response = Response(encode(play_records.exported(served().store, found)), content_type="application/json")
    response.headers["Content-Disposition"] = f'attachment; filename="ruleglot-{found.game.name}.json"'
    return response


@screen.get("/play/<play>/copy")
def copy(play: str) -> Any:
    """What was read off the copy and how disputed points are read in this play."""
    found, speaks = seats.look(play), reader(shell.lang())
    disputes = [issue_entry(one, speaks) for one in issues(found.game)]
    sections = list(copies.sections(found))
    return _page("copy.html", found, disputes=disputes, choices=found.reading.choices, sections=sections)


@screen.post("/play/<play>/readings")
def read_otherwise(play: str) -> Any:
    """Read a disputed point otherwise from now on."""
    found = seats.opened(play, request.form.get("after"))
    store, bounds, _ = served()
    wanted = {request.form.get("choice", ""): request.form.get("reading", "")}
    plays.read_otherwise(store, found, read_choices(found.game.catalogue, wanted), {}, bounds)
    return shell.see(f"/play/{play}")


def _page(template: str, play: Play, **shown: Any) -> Response:
    lang = shell.lang()
    return shell.page(
        template,
        play=play_standing.state(play, lang),
        game=play.game.name,
        title=title(play, lang),
        menu=menu(play, words.sayer(lang)),
        **shown,
    )


words.sentences(
    {
        "as-text": "As a text",
        "report-further": "Read on",
        "nothing-yet": "Nothing has happened yet.",
        "copy-hint": "How this game reads the points on which the documents disagree. A change holds from now on and can be undone.",
        "read-now": "current reading",
        "read-so": "Use this reading",
    }
)
