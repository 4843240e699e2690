"""Who sits at this browser: the plays it has opened, and the keys it was given, in one cookie that no script reads."""

from __future__ import annotations

from typing import Any

from flask import request

from service import play_access, play_kept
from service.pages.shell import YEAR
from service.play_kept import Play
from service.play_problems import OtherVersion
from service.play_routes import served

COOKIE = "plays"
MOST = 20  # plays that a browser remembers
BETWEEN, BEFORE_KEY = "~", "."  # no id and no key has such a sign


def kept() -> dict[str, str]:
    """The plays this browser knows, the last first, each with its key; one without a key is only read."""
    found = {}
    for entry in request.cookies.get(COOKIE, "").split(BETWEEN)[:MOST]:
        play, _, key = entry.partition(BEFORE_KEY)
        if play_kept.ID.fullmatch(play):
            found[play] = key
    return found


def keep(response: Any, play: str, key: str = "") -> None:
    """Let the browser remember a play, and its key if it was given one now."""
    known = kept()
    first = {play: key or known.pop(play, "")}
    _write(response, {**first, **{one: its for one, its in known.items() if one != play}})


def forget(response: Any, play: str) -> None:
    """Let the browser forget a play."""
    _write(response, {one: key for one, key in kept().items() if one != play})


def _write(response: Any, known: dict[str, str]) -> None:
    entries = [f"{play}{BEFORE_KEY}{key}" for play, key in list(known.items())[:MOST]]
    value = BETWEEN.join(entries)
    if value != request.cookies.get(COOKIE):
        response.set_cookie(
            COOKIE, value, max_age=YEAR, httponly=True, samesite="Lax", secure=request.is_secure
        )


def may_change(play: str) -> bool:
    """Has this browser a key of the play?"""
    return bool(kept().get(play))


def look(play: str) -> Play:
    """A play as it stands, for anybody who has its address."""
    return play_kept.find(served().store, play)


def opened(play: str, after: str | None) -> Play:
    """A play that this browser may change, if it is still at the version that was looked at."""
    found = play_access.opened(served().store, play, kept().get(play))
    if after != str(found.version):
        raise OtherVersion(found.version)
    return found
