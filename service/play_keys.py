"""Who may change a play: keys, and join codes that give another device a key of its own. Only hashes are kept."""

from __future__ import annotations

import hmac
import secrets
import time
from collections.abc import Iterable
from hashlib import sha256
from typing import Any

import sqlalchemy as sa
from msgspec import Struct
from sqlalchemy.engine import Connection

from service.play_problems import Problem
from service.store import codes, keys, plays

ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"  # Crockford's base 32: no letter looks like another sign
READ_AS = str.maketrans({"O": "0", "I": "1", "L": "1", "-": None, " ": None})
CODE_LENGTH = 10
CODE_SECONDS = 600
MOST_CODES = 20
MOST_KEYS = 40
ENDED = ""  # in place of the hash of a key that opens nothing any more


class Entered(Struct, frozen=True):
    """Somebody who may change a play: its id, and a key of his own with its number."""

    id: str
    key: str
    number: int

    def noted(self) -> dict[str, Any]:
        """What is noted of it for a request that comes again: never the key."""
        return {"id": self.id, "key_number": self.number}


def hashed(secret: str) -> str:
    """How a secret is kept; one of so many random bits needs no slow hash."""
    return sha256(secret.encode("utf-8", "surrogatepass")).hexdigest()


def demand(kept: Iterable[str], key: str | None) -> None:
    """A problem unless this key is one of those whose hashes were kept; all are compared, whichever fits."""
    if not key:
        raise Problem("no-key")
    given, fits = hashed(key), False
    for one in kept:
        fits |= hmac.compare_digest(one, given)
    if not fits:
        raise Problem("wrong-key")


def hold(connection: Connection, play: str) -> None:
    """Let nobody else change who may get into a play, nor delete it, before this transaction ends."""
    this = sa.select(plays.c.id).where(plays.c.id == play).with_for_update()
    if connection.scalar(this) is None:
        raise Problem("unknown-play")


def enter(connection: Connection, play: str) -> Entered:
    """A new key of a play; no other key of it ever has its number."""
    hold(connection, play)
    known = connection.execute(sa.select(keys.c.number, keys.c.hash).where(keys.c.play == play)).all()
    if sum(one.hash != ENDED for one in known) >= MOST_KEYS:
        raise Problem("too-many-keys", limit=MOST_KEYS)
    number, key = max((one.number for one in known), default=0) + 1, secrets.token_urlsafe(32)
    made = {"play": play, "number": number, "hash": hashed(key), "made": time.time()}
    connection.execute(sa.insert(keys).values(made))
    return Entered(play, key, number)


def enter_again(connection: Connection, noted: dict[str, Any]) -> Entered:
    """A new key in place of one that got lost with its answer."""
    end_key(connection, noted["id"], noted["key_number"])
    return enter(connection, noted["id"])


def end_key(connection: Connection, play: str, number: int) -> bool:
    """Let a key open nothing any more; whether there was one."""
    this = sa.and_(keys.c.play == play, keys.c.number == number, keys.c.hash != ENDED)
    return connection.execute(sa.update(keys).where(this).values(hash=ENDED)).rowcount == 1


def can_be_entered(connection: Connection, play: str) -> bool:
    """Is there a key that opens a play, or a join code that still gives one?"""
    opens = sa.select(keys.c.number).where(keys.c.play == play, keys.c.hash != ENDED)
    invites = sa.select(codes.c.hash).where(codes.c.play == play, codes.c.expires >= time.time())
    return any(connection.execute(one.limit(1)).first() is not None for one in (opens, invites))


def key_entries(connection: Connection, play: str) -> list[dict[str, Any]]:
    """The keys that open a play, by number."""
    these = sa.select(keys.c.number, keys.c.made).where(keys.c.play == play, keys.c.hash != ENDED)
    return [
        {"number": one.number, "made": one.made} for one in connection.execute(these.order_by(keys.c.number))
    ]


def add_code(connection: Connection, play: str) -> str:
    """A join code, good for once and for ten minutes."""
    hold(connection, play)
    over = sa.select(codes.c.hash).where(codes.c.expires < time.time()).with_for_update(skip_locked=True)
    connection.execute(sa.delete(codes).where(codes.c.hash.in_(over)))
    count = connection.scalar(sa.select(sa.func.count()).where(codes.c.play == play))
    if (count or 0) >= MOST_CODES:
        raise Problem("too-many-keys", limit=MOST_CODES)
    code = "".join(secrets.choice(ALPHABET) for _ in range(CODE_LENGTH))
    made = {"hash": hashed(code), "play": play, "expires": time.time() + CODE_SECONDS}
    connection.execute(sa.insert(codes).values(made))
    return code


def end_code(connection: Connection, code_hash: str) -> None:
    """Let a join code open nothing any more."""
    connection.execute(sa.delete(codes).where(codes.c.hash == code_hash))


def use_code(connection: Connection, sent: str) -> str:
    """The play that a join code opens; it does so only once."""
    this = codes.c.hash == hashed(sent.upper().translate(READ_AS))
    found = connection.execute(sa.select(codes.c.play, codes.c.expires).where(this)).first()
    if found is None or found.expires < time.time():
        raise Problem("unknown-code")
    if connection.execute(sa.delete(codes).where(this)).rowcount != 1:  # somebody was faster
        raise Problem("unknown-code")
    return str(found.play)
