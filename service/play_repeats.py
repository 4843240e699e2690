"""Requests that are sent again under the same Idempotency-Key are answered again, and carried out once."""

from __future__ import annotations

import time
from collections.abc import Callable
from hashlib import sha256
from typing import Any, TypeVar

import orjson
import sqlalchemy as sa
from msgspec import Struct
from sqlalchemy.engine import Connection
from sqlalchemy.exc import IntegrityError

from service.play_keys import hashed
from service.play_problems import OtherVersion, Problem
from service.store import Store, packed, repeats, unpacked

SECONDS = 24 * 60 * 60
Opened = TypeVar("Opened")


class Taken(Exception):
    """The same request is being carried out at the same moment."""


class Repeatable(Struct, frozen=True):
    """A request that may come again: whose it is, its Idempotency-Key, and what it says."""

    scope: str
    key: str
    body: str

    def note(self, connection: Connection, play: str, answer: dict[str, Any]) -> None:
        """Keep the answer, in the transaction that carries the request out."""
        connection.execute(sa.delete(repeats).where(repeats.c.made < time.time() - SECONDS))
        made = {"scope": self.scope, "key": self.key, "body": self.body, "play": play, "made": time.time()}
        try:
            connection.execute(sa.insert(repeats).values(**made, answer=packed(orjson.dumps(answer))))
        except IntegrityError:
            raise Taken from None

    def change(self, connection: Connection, answer: dict[str, Any]) -> None:
        """Keep another answer in its place."""
        this = sa.and_(repeats.c.scope == self.scope, repeats.c.key == self.key)
        connection.execute(sa.update(repeats).where(this).values(answer=packed(orjson.dumps(answer))))

    def answered(self, connection: Connection) -> dict[str, Any] | None:
        """What was answered before, if this came before."""
        this = sa.and_(repeats.c.scope == self.scope, repeats.c.key == self.key)
        found = connection.execute(
            sa.select(repeats.c.body, repeats.c.answer, repeats.c.made).where(this)
        ).first()
        if found is None or found.made < time.time() - SECONDS:
            return None
        if found.body != self.body:
            raise Problem("idempotency-key-reused")
        answer: dict[str, Any] = orjson.loads(unpacked(found.answer))
        return answer


def repeatable(scope: str, key: str | None, path: str, body: bytes) -> Repeatable | None:
    """A request with an Idempotency-Key."""
    if not key:
        return None
    return Repeatable(scope, hashed(key), sha256(path.encode() + b"\n" + body).hexdigest())


def once(
    store: Store,
    repeat: Repeatable | None,
    opened: Callable[[Connection], Opened],
    meant: Callable[[Opened], None],
    work: Callable[[Opened], dict[str, Any]],
) -> tuple[dict[str, Any], bool]:
    """What a request is answered with, and whether it came before; only the first is carried out.

    `opened` finds what it is about, for those who may; `meant` says whether it is still what they mean.
    """
    try:
        with store.reading() as connection:
            found = opened(connection)
            before = None if repeat is None else repeat.answered(connection)
        if before is not None:
            return before, True
        meant(found)
        return work(found), False
    except (OtherVersion, Taken):
        if repeat is None:
            raise
        with store.reading() as connection:  # the same request, sent at the same moment, may have been faster
            before = repeat.answered(connection)
        if before is None:
            raise
        return before, True
