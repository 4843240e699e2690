"""Getting into a play: opening it with a key, a code for another device, and joining by that code; one call each."""

from __future__ import annotations

from typing import Any

from service import play_keys
from service.play_kept import Play, must_exist, open_for
from service.play_keys import Entered, hashed
from service.play_problems import Problem
from service.play_repeats import Repeatable
from service.store import Store


def opened(store: Store, play: str, key: str | None) -> Play:
    """A play as it stands, for somebody whose key may change it."""
    with store.reading() as connection:
        return open_for(connection, play, key)


def invite(store: Store, play: str, repeat: Repeatable | None = None) -> str:
    """A code that gives another device a key of its own, once, within ten minutes."""
    with store.writing() as connection:
        code = play_keys.add_code(connection, play)
        if repeat is not None:
            repeat.note(connection, play, {"code": hashed(code)})
    return code


def invite_again(store: Store, play: str, repeat: Repeatable, noted: dict[str, Any]) -> str:
    """Another code in place of one that got lost with its answer."""
    with store.writing() as connection:
        play_keys.hold(connection, play)
        last = repeat.answered(connection) or noted  # the same request may have come again meanwhile
        play_keys.end_code(connection, last["code"])
        code = play_keys.add_code(connection, play)
        repeat.change(connection, {"code": hashed(code)})
    return code


def join(store: Store, code: str, repeat: Repeatable | None = None) -> Entered:
    """A key of one's own, by a code that somebody who has one asked for."""
    with store.writing() as connection:
        entered = play_keys.enter(connection, play_keys.use_code(connection, code))
        if repeat is not None:
            repeat.note(connection, entered.id, entered.noted())
    return entered


def enter_again(store: Store, repeat: Repeatable, noted: dict[str, Any]) -> Entered:
    """The same play for a start or a joining that is sent again, with a new key in place of the one that got lost."""
    with store.writing() as connection:
        must_exist(connection, noted["id"])
        play_keys.hold(connection, noted["id"])
        last = repeat.answered(connection) or noted  # the same request may have come again meanwhile
        entered = play_keys.enter_again(connection, last)
        repeat.change(connection, entered.noted())
    return entered


def keys_of(store: Store, play: str, key: str | None) -> list[dict[str, Any]]:
    """The keys that open a play, by number."""
    with store.reading() as connection:
        open_for(connection, play, key)
        return play_keys.key_entries(connection, play)


def end_key(store: Store, play: str, key: str | None, number: int) -> None:
    """Let a key that was lost open nothing any more."""
    with store.writing() as connection:
        open_for(connection, play, key)
        play_keys.hold(connection, play)
        if not play_keys.end_key(connection, play, number):
            raise Problem("unknown-key")
        if not play_keys.can_be_entered(connection, play):  # nobody could change it any more, nor delete it
            raise Problem("last-key")
