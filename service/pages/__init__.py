"""The page at the table: what a player opens on a phone beside the board.

Each module holds the screens of one group as a blueprint; `shell.py` is what all of them share, `words.py` the
sentences of the page itself, `walks.py` the way from a form to its answer, pad by pad.
"""

from __future__ import annotations

from flask import Flask

from service.pages import (
    conversation,
    copies,
    here,
    home,
    judging,
    lookup,
    may,
    phrases,
    reports,
    seats,
    share,
    shell,
    start,
    statics,
    tables,
)

SCREENS = (
    statics.screen,
    home.screen,
    start.screen,
    conversation.screen,
    share.screen,
    reports.screen,
    tables.screen,
    lookup.screen,
    may.screen,
    here.screen,
    judging.screen,
    copies.screen,
)


def register(app: Flask) -> None:
    """Serve every screen."""
    for one in SCREENS:
        app.register_blueprint(one)
    shell.register(app)
    app.jinja_env.globals["may_change"] = seats.may_change


def warm(app: Flask) -> None:
    """Compile every template and load what knows the phrases, so that nobody has to wait and the workers share them."""
    phrases.warm()
    for name in app.jinja_env.list_templates():
        app.jinja_env.get_template(name)
