"""Tries with a join code, counted where the codes are: one budget, however many workers and servers there are."""

from __future__ import annotations

import time
from collections.abc import Callable
from hashlib import sha256

import sqlalchemy as sa

from service.store import Store, one_at_a_time, tries


class Tries:
    """Counts as the limits do, in the database of plays."""

    def __init__(self, store: Callable[[], Store]) -> None:
        self._store = store

    def count(self, key: str, seconds: int, most: int) -> tuple[int, bool]:
        """One more; how many there are in this window. Of those above the most it may be, only one is kept."""
        store, now = self._store(), time.time()
        name = sha256(f"{store.salt()}{key}".encode()).hexdigest()
        this = tries.c.key == name
        with store.reading() as connection:
            made = connection.scalar(sa.select(tries.c.count).where(this)) or 0
        if made > most:
            return made, False
        with store.writing() as connection:
            one_at_a_time(connection, name)
            over = sa.select(tries.c.key).where(tries.c.expires < now).with_for_update(skip_locked=True)
            connection.execute(sa.delete(tries).where(tries.c.key.in_(over)))
            made = (connection.scalar(sa.select(tries.c.count).where(this)) or 0) + 1
            if made == 1:
                connection.execute(sa.insert(tries).values(key=name, count=1, expires=now + seconds))
            else:
                connection.execute(sa.update(tries).where(this).values(count=made))
        return made, False
