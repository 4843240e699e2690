"""Starting: a scenario, an empty table, or a game that was saved as a file."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from flask import request
from msgspec import Raw

from engine.exceptions import Unreadable
from engine.game import Game
from service import play_starts, prices, problems, scenarios
from service.games import GAMES
from service.languages import reader
from service.limits import address_of
from service.pages import seats, shell, words
from service.play_fields import Fields
from service.play_problems import Problem
from service.play_routes import served
from service.play_starts import Start
from service.requests import never

screen = shell.screens("start")
MOST_IMPORTED_BYTES = 4 * 1024 * 1024


@screen.get("/play/new")
def new() -> Any:
    """Which scenario?"""
    speaks = reader(shell.lang())
    games = [
        (name, speaks.say(game.title, {}), [scenarios.entry(game, one, speaks) for one in game.scenarios])
        for name, game in GAMES.items()
    ]
    return shell.page("new.html", games=games)


@screen.post("/play/new")
def create() -> Any:
    """Begin a play; what the set-up leaves open is asked there, one question at a time."""
    game = GAMES.get(request.form.get("game", ""))
    if game is None:
        raise Problem("unknown-game")
    wanted = request.form.get("scenario", "")
    return begun(game, {"scenario": wanted} if wanted else {})


def begun(game: Game, told: dict[str, Any], spent: Callable[[], bool] = never) -> Any:
    """A new play from what is told, with its key in this browser."""
    printed = served().printed[game.name]
    return begun_from(play_starts.read_start(game, Fields(told, *play_starts.FIELDS), printed, spent))


def begun_from(start: Start) -> Any:
    """A new play, with its key in this browser."""
    store, bounds, _ = served()
    owner = play_starts.owner(store, address_of(request.remote_addr or ""))
    made = play_starts.create(store, start, owner, bounds)
    response = shell.see(f"/play/{made.id}")
    seats.keep(response, made.id, made.key)
    return response


@screen.get("/play/import")
def ask_file() -> Any:
    """Which file?"""
    return shell.page("import.html", games=_titles())


@screen.post("/play/import")
def bring_in() -> Any:
    """Go on with a game that was saved as a file."""
    served().store.upgrade()  # the first play of all makes the tables, and is not charged for them
    spent = prices.spent(prices.MOST_BROUGHT_IN)
    request.max_content_length = MOST_IMPORTED_BYTES
    request.max_form_memory_size = MOST_IMPORTED_BYTES
    game = GAMES.get(request.form.get("game", ""))
    if game is None:
        raise Problem("unknown-game")
    file = request.files.get("file")
    sent = file.read() if file else request.form.get("text", "").encode()
    try:
        return begun(game, {"transcript": Raw(sent)}, spent)
    except (Unreadable, Problem) as error:
        problem = problems.unreadable(error) if isinstance(error, Unreadable) else error
        said = problems.placed(problem, reader(shell.lang()))
        return shell.page("import.html", 422, games=_titles(), wrong=said)


def _titles() -> list[tuple[str, str]]:
    speaks = reader(shell.lang())
    return [(name, speaks.say(game.title, {})) for name, game in GAMES.items()]


words.sentences(
    {
        "which-scenario": "Which scenario?",
        "empty-table": "Without a scenario",
        "empty-table-hint": "Nothing is known yet; what matters is asked when it matters.",
        "import-hint": "Choose the file that was saved here, in this or another browser.",
        "which-game": "Which game is it?",
        "file": "File",
    }
)
