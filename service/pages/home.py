"""Home: going on with a play, beginning one, and everything that needs none; and the choice of a language."""

from __future__ import annotations

import time
from typing import Any

from babel.dates import format_timedelta
from flask import request

from service import play_kept
from service.games import GAMES
from service.languages import reader
from service.pages import seats, shell, words
from service.pages.names import title
from service.play_problems import Problem
from service.play_routes import served
from service.terms import LANGUAGES, Language

screen = shell.screens("home")


@screen.get("/")
def home() -> Any:
    """Everything that can be begun or gone on with."""
    lang = shell.lang()
    games = [(name, reader(lang).say(game.title, {})) for name, game in GAMES.items()]
    return shell.page("home.html", opened=list(_opened(lang)), games=games)


def _opened(lang: Language) -> Any:
    """The plays that this browser has opened and that are still there."""
    with served().store.reading() as connection:
        for known in seats.kept():
            try:
                play = play_kept.read(connection, known)
            except Problem:
                continue
            seconds = max(1, int(time.time() - play.changed))  # what is just over is no time to come
            since = format_timedelta(-seconds, add_direction=True, locale=lang)
            game = reader(lang).say(play.game.title, {})
            yield {
                "id": play.id,
                "title": title(play, lang),
                "game": game,
                "since": since,
                "moves": play.moves,
            }


@screen.post("/language")
def language() -> Any:
    """Keep the language that was chosen, and go back to where one was."""
    response = shell.see(shell.local(request.form.get("back", "/")))
    chosen = request.form.get("lang")
    if chosen in LANGUAGES:
        shell.keep_language(response, chosen)
    return response


@screen.get("/keys")
def keys() -> Any:
    """Which keys do what, and whether they do it."""
    return shell.page("keys.html")


@screen.post("/keys")
def switch_keys() -> Any:
    """Switch the keys on or off."""
    response = shell.see(shell.local(request.form.get("back", "/")))
    wanted = "off" if request.form.get("keys") == "off" else "on"
    response.set_cookie(
        "keys", wanted, max_age=shell.YEAR, httponly=True, samesite="Lax", secure=request.is_secure
    )
    return response


words.sentences(
    {
        "what-is-it": "A rules assistant for the table: it asks, you answer, it says what follows and by which rule.",
        "go-on": "Go on",
        "moves-made": "Moves: %(count)s",
        "new-game": "New game",
        "may": "May I …?",
        "walk-in": "Walk in mid-game",
        "look-up": "Look up a rule",
        "join-play": "Join a game with a code",
        "import-play": "Go on from a saved file",
        "for-programs": "For programs",
        "keys": "Keys",
        "keys-answers": "the answers, from the top",
        "keys-list": "this list",
        "keys-off": "Switch the keys off",
        "keys-on": "Switch the keys on",
    }
)
