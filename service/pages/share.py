"""A second phone: the address to look at, a code to play with, and joining by one."""

from __future__ import annotations

from typing import Any

import segno
from flask import request

from service import play_access, play_standing
from service.languages import reader
from service.pages import seats, shell, words
from service.pages.names import menu, title
from service.play_problems import Problem
from service.play_routes import LONGEST_CODE, served
from service.problems import sentences

screen = shell.screens("share")


@screen.get("/play/<play>/share")
def share(play: str) -> Any:
    """How another phone looks on or plays along."""
    return _shown(play, "")


@screen.post("/play/<play>/share")
def make_code(play: str) -> Any:
    """A new join code, for somebody who may play himself."""
    store = served().store
    play_access.opened(store, play, seats.kept().get(play))
    return _shown(play, play_access.invite(store, play))


def _shown(play: str, code: str) -> Any:
    found = seats.look(play)
    lang = shell.lang()
    here = request.host_url.rstrip("/")
    looking = f"{here}/play/{play}"
    joining = f"{here}/join?code={code}" if code else ""
    return shell.page(
        "share.html",
        play=play_standing.state(found, lang),
        title=title(found, lang),
        menu=menu(found, words.sayer(lang)),
        looking=looking,
        looking_qr=qr(looking),
        joining=joining,
        joining_qr=qr(joining) if joining else [],
        code=f"{code[:5]}-{code[5:]}",
        alone=request.host.partition(":")[0] in ("127.0.0.1", "localhost", "[::1]"),
    )


def qr(address: str) -> list[str]:
    """A QR code as rows of a picture: each is the path of its dark squares."""
    rows = segno.make(address, error="m", micro=False).matrix
    return ["".join(f"M{x} {y}h1v1h-1z" for x, dark in enumerate(row) if dark) for y, row in enumerate(rows)]


@screen.get("/join")
def ask_code() -> Any:
    """Which code? Looking at the address of one uses nothing up."""
    return shell.page("join.html", code=request.args.get("code", "")[:LONGEST_CODE], wrong="")


@screen.post("/join")
def join() -> Any:
    """Get a key of one's own, by a code."""
    code = request.form.get("code", "")[:LONGEST_CODE]
    try:
        made = play_access.join(served().store, code)
    except Problem as problem:
        wrong = sentences(problem, reader(shell.lang()))
        return shell.page("join.html", 404, code=code, wrong=wrong)
    response = shell.see(f"/play/{made.id}")
    seats.keep(response, made.id, made.key)
    return response


words.sentences(
    {
        "look-on": "Look on",
        "look-on-hint": "Whoever opens this address sees the game, in a language of their own, and can change nothing.",
        "play-along": "Play along",
        "play-along-hint": "A code lets one more device answer. It works once and for ten minutes.",
        "make-code": "Make a code",
        "only-here": "This address is known only to this device. To reach it from a phone, start the server for your network: ruleglot serve --lan (in a checkout: HOST=0.0.0.0 make run).",
        "code": "Code",
        "join-now": "Join",
        "join-hint": "Ask for a code on the device that plays: menu, Share.",
        "qr": "QR code of this address",
    }
)
