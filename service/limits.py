"""How much one address may ask in a while: a budget for everything, and smaller ones for what is dear.

The counting is done by the `limits` library, in memory or in a store that several servers share. Flask-Limiter,
which wraps it, costs four fifths of a whole check; these few lines cost a twentieth. Windows are those of the clock,
so that one step of the store says all there is to say in the headers.
"""

from __future__ import annotations

import hashlib
import logging
import time
import tomllib
from collections.abc import Mapping
from functools import lru_cache
from ipaddress import IPv6Address, ip_address, ip_network
from math import ceil
from pathlib import Path
from threading import BoundedSemaphore
from typing import Any, NamedTuple, Protocol

from flask import Flask, Response, request
from limits import RateLimitItem, parse
from limits.errors import StorageError
from limits.storage import Storage, storage_from_string

from service import problems
from service.config import OFF
from service.operations import RATE_LIMIT, Operation
from service.watching import ALONE

EVERYTHING = "everything"
KEY = "X-Api-Key"
STANDING = "ruleglot.standing"
WAIT = 0.25  # seconds for the shared store: whoever asks waits as long
PAUSE = 5  # seconds until a store that was away is tried again
MOMENT = 0.05  # seconds that whoever asks on without waiting is held
HELD = 8  # so many at once in each process, an eighth of its threads
LOG = logging.getLogger("ruleglot.limits")

# Which budget a view of plays draws on beside the one for everything.
OF_PLAYS = {
    "plays.play_report": "dear",
    "plays.play_report_file": "dear",
    "plays.play_transcript": "dear",
    "plays.play_verify": "dear",
    "plays.play_odds": "dear",
    "plays.play_create": "plays",
    "plays.play_join": "join",
    "page_reports.report": "dear",
    "page_reports.report_text": "dear",
    "page_reports.saved": "dear",
    "page_start.create": "plays",
    "page_start.bring_in": "plays",
    "page_share.join": "join",
}
FREE = {"health", "ready", "metrics"}


class Standing(NamedTuple):
    """How a budget stands after a request."""

    most: int
    left: int  # below 0: it was used up already
    seconds: int  # until it is whole again
    alone: bool  # counted by this process, because the shared store is away


class Counts(Protocol):
    """Whatever counts requests."""

    def count(self, key: str, seconds: int, most: int) -> tuple[int, bool]:
        """One more; how many there are in this window of so many seconds, and whether only this process knows."""


class Limits:
    """The budgets of everybody."""

    def __init__(
        self, allowed: dict[str, str], store: str, elsewhere: Mapping[str, Counts] | None = None
    ) -> None:
        self._allowed: dict[str, RateLimitItem] = {
            name: parse(amount) for name, amount in allowed.items() if amount != OFF
        }
        self._counter: Counts = Counter(store)
        self._elsewhere = elsewhere or {}  # what counts some of them instead

    def take(self, budgets: tuple[str, ...], who: str, times: int = 1) -> Standing | None:
        """Take one from each of these budgets, so many times as large; how the tightest of them stands."""
        tightest: Standing | None = None
        for name in budgets:
            allowed = self._allowed.get(name)
            if allowed is None:
                continue
            counts = self._elsewhere.get(name, self._counter)
            standing = _counted(counts, allowed, f"{name}/{who}", allowed.amount * times)
            if tightest is None or standing.left < tightest.left:
                tightest = standing
            if standing.left < 0:
                break
        return tightest


def _counted(counts: Counts, allowed: RateLimitItem, name: str, most: int) -> Standing:
    window, now = allowed.get_expiry(), time.time()
    number = int(now // window)
    count, alone = counts.count(f"ruleglot/{name}/{number}", window, most)
    return Standing(most, most - count, ceil((number + 1) * window - now), alone)


class Counter:
    """Counts in the store that all share; while that is away, by itself."""

    def __init__(self, store: str) -> None:
        waits = {} if store.startswith("memory") else {"socket_timeout": WAIT, "socket_connect_timeout": WAIT}
        self._shared: Storage = storage_from_string(store, wrap_exceptions=True, **waits)  # type: ignore[assignment]
        self._own: Storage = storage_from_string("memory://")  # type: ignore[assignment]
        self._again = 0.0

    def count(self, key: str, seconds: int, most: int) -> tuple[int, bool]:  # noqa: ARG002  others need it
        """One more; how many there are in this window, and whether only this process knows."""
        if time.monotonic() >= self._again:
            try:
                found = self._shared.incr(key, seconds)
            except StorageError as error:
                why = type(error.storage_error).__name__
                LOG.warning("limits are counted by each process alone for %s s: %s", PAUSE, why)
                self._again = time.monotonic() + PAUSE
            else:
                return found, False
        return self._own.incr(key, seconds), True


class Waiting:
    """Where whoever asks on although his budget is spent is held for a moment, so that others get their turn."""

    def __init__(self) -> None:
        self._places = BoundedSemaphore(HELD)

    def hold(self) -> None:
        """A server with a thread for each request can spare a few; one without answers at once."""
        if request.environ.get("wsgi.multithread") and self._places.acquire(blocking=False):
            try:
                time.sleep(MOMENT)
            finally:
                self._places.release()


# -- keys that raise the limits ----------------------------------------------------------------------


class Key(NamedTuple):
    """Whose key it is, and how many times the budget of an address it has."""

    name: str
    times: int


def keys(file: Path) -> dict[str, Key]:
    """The keys of a file, each by its hash."""
    told = tomllib.loads(file.read_text(encoding="utf-8"))
    return {one["sha256"].lower(): Key(name, one["times"]) for name, one in told.items()}


def register(app: Flask, operations: list[Operation], elsewhere: Mapping[str, Counts]) -> None:
    """Hold every request to the budgets of its address, or of its key; some are counted elsewhere."""
    if app.config["LIMITS"] == OFF:
        return
    budgets_of = {one.id: (EVERYTHING, one.budget) for one in operations if one.budget}
    budgets_of |= {view: (EVERYTHING, budget) for view, budget in OF_PLAYS.items()}
    limits = Limits(app.config["LIMITS"], app.config["LIMITS_STORE"], elsewhere)
    known = keys(Path(app.config["KEYS"])) if app.config["KEYS"] else {}
    held = Waiting()

    def within_limits() -> None:
        endpoint = request.endpoint or ""
        if endpoint in FREE or request.method == "OPTIONS":
            return
        sent = request.headers.get(KEY) if known else None
        key = None if sent is None else known.get(hashlib.sha256(sent.encode()).hexdigest())
        who, times = _who(key)
        standing = limits.take(budgets_of.get(endpoint, (EVERYTHING,)), who, times)
        if standing is not None:
            request.environ[STANDING] = standing
            if standing.alone:
                request.environ[ALONE] = True
            if standing.left < 0:
                held.hold()
                raise problems.Problem("too-many-requests", wait=problems.Wait(standing.seconds))
        if sent is not None and key is None:  # whoever tries keys spends his address's budget
            raise problems.Problem("unknown-api-key")

    app.before_request(within_limits)
    app.after_request(_told)


def _who(key: Key | None) -> tuple[str, int]:
    """Whose budget a request draws on, and how many times as large it is."""
    if key is None:
        return address_of(request.remote_addr or ""), 1
    return f"key {key.name}", key.times


def _told(response: Response) -> Response:
    """How much is left, in the answer's headers; how long to wait only where that is what has to be done."""
    standing: Any = request.environ.get(STANDING)
    if standing is not None:
        seconds = str(standing.seconds)
        told = (str(standing.most), str(max(0, standing.left)), seconds)
        response.headers.extend(zip(RATE_LIMIT, told, strict=True))
        if standing.left < 0:
            response.headers["Retry-After"] = seconds
    return response


@lru_cache(maxsize=4096)
def address_of(remote: str) -> str:
    """Who is asking: an address, or the network that one household has under IPv6."""
    try:
        address = ip_address(remote)
    except ValueError:
        return remote  # a unix socket has none
    if isinstance(address, IPv6Address):
        return str(ip_network((address, 64), strict=False))
    return remote
