"""The settings of a server: one table of environment variables, what each may be, and what holds without it.

docs/operation.md shows the same table. A value that cannot be stops the start with a sentence that says so.
"""

from __future__ import annotations

import os
import re
import tomllib
from collections.abc import Callable, Mapping
from functools import cache
from importlib import metadata
from pathlib import Path
from typing import Any, NamedTuple

MOST_BYTES = 64 * 1024  # a whole position with all its memory is below 12 KB
MOST_COPY_BYTES = 256 * 1024  # a whole copy with every card
MOST_REPLAY_BYTES = 4 * 1024 * 1024  # a whole game, each move with what came of it
ON, OFF = "on", "off"


@cache
def version() -> str:
    """The installed version, looked up once."""
    try:
        return metadata.version("ruleglot")
    except metadata.PackageNotFoundError:
        return "0"


class WrongSetting(ValueError):
    """A setting with a value that it cannot have."""


class Setting(NamedTuple):
    """One environment variable: what it sets, what it may be, how it is read, and what holds without it."""

    variable: str
    does: str
    allowed: str
    read: Callable[[str], Any]
    default: str = ""
    shown: str = ""  # in the document, where the default itself would say nothing


# -- how values are read: each function gives the value, or raises ValueError ----------------------------


def _whole(least: int, most: int) -> Callable[[str], int]:
    def read(text: str) -> int:
        if not re.fullmatch(r"[0-9]{1,12}", text) or not least <= int(text) <= most:
            raise ValueError(text)
        return int(text)

    return read


def _matching(pattern: str) -> Callable[[str], str]:
    def read(text: str) -> str:
        if not re.fullmatch(pattern, text):
            raise ValueError(text)
        return text

    return read


def _amount(text: str) -> str:
    from limits import parse  # noqa: PLC0415  a command that serves nothing need not load it

    if text != OFF:
        parse(text)
    return text


def _file(text: str) -> str:
    if text and not Path(text).is_file():
        raise ValueError(text)
    return text


def _keys(text: str) -> str:
    if _file(text):
        told = tomllib.loads(Path(text).read_text(encoding="utf-8"))
        if not all(_is_key(one) for one in told.values()):
            raise ValueError(text)
    return text


def _is_key(told: Any) -> bool:
    return (
        isinstance(told, dict)
        and set(told) == {"sha256", "times"}
        and re.fullmatch(r"[0-9A-Fa-f]{64}", str(told["sha256"])) is not None
        and isinstance(told["times"], int)
        and told["times"] >= 1
    )


def _hosts(text: str) -> list[str] | None:
    names = text.split()
    if not all(re.fullmatch(r"\.?[A-Za-z0-9.-]+|\[[0-9A-Fa-f:.]+\]", name) for name in names):
        raise ValueError(text)
    return names or None


AMOUNT = "an amount such as “100 per minute”, or “off”"

SETTINGS = (
    Setting("HOST", "the address it listens on", "an address or a name", _matching(r"[^\s/]+"), "127.0.0.1"),
    Setting("PORT", "the port it listens on", "a whole number from 1 to 65535", _whole(1, 65_535), "8000"),
    Setting(
        "WEB_CONCURRENCY",
        "how many worker processes",
        "a whole number from 1 to 512",
        lambda text: _whole(1, 512)(text) if text else None,
        shown="one per core",
    ),
    Setting(
        "RULEGLOT_PROXIES", "how many proxies stand in front", "a whole number up to 9", _whole(0, 9), "0"
    ),
    Setting(
        "RULEGLOT_HOSTS",
        "the names it is asked by, with spaces between; whoever asks by another is refused. A dot in front takes "
        "every name below it",
        "names of hosts without ports, with spaces between",
        _hosts,
        shown="any name",
    ),
    Setting(
        "RULEGLOT_COMPONENTS",
        "a components file ([components.md](components.md))",
        "the path of a file that exists",
        _file,
        shown="none",
    ),
    Setting("RULEGLOT_LIMITS", "“off”: no limits at all", "“on” or “off”", _matching("on|off"), "on"),
    Setting("RULEGLOT_LIMIT", "what one address may ask", AMOUNT, _amount, "3000 per minute"),
    Setting(
        "RULEGLOT_LIMIT_DEAR",
        "of that, replays, odds, reports, transcripts and verifications",
        AMOUNT,
        _amount,
        "30 per minute",
    ),
    Setting("RULEGLOT_LIMIT_PLAYS", "new plays", AMOUNT, _amount, "60 per hour"),
    Setting("RULEGLOT_LIMIT_JOIN", "tries with a join code", AMOUNT, _amount, "5 per minute"),
    Setting(
        "RULEGLOT_LIMITS_STORE",
        "where they are counted; several servers, and several workers, share a Redis",
        "“memory://”, or the URL of a Redis: “redis://…”, “rediss://…” or “redis+unix://…”",
        _matching(r"memory://|(redis|rediss|redis\+unix)://\S+"),
        "memory://",
    ),
    Setting(
        "RULEGLOT_KEYS",
        "a file of keys that raise the limits ([below](#keys))",
        "the path of a TOML file with a table for each key: its `sha256`, 64 hexadecimal digits, and `times`, a whole "
        "number from 1",
        _keys,
        shown="none",
    ),
    Setting(
        "RULEGLOT_METRICS",
        "“on”: numbers for Prometheus at `/metrics`; keep that address from everybody else",
        "“on” or “off”",
        _matching("on|off"),
        OFF,
    ),
    Setting(
        "RULEGLOT_ACCESS_LOG",
        "“on”: a line of JSON on standard output for each request",
        "“on” or “off”",
        _matching("on|off"),
        OFF,
    ),
    Setting(
        "RULEGLOT_LOG",
        "how everything else is said on standard error",
        "“text” or “json”",
        _matching("text|json"),
        "text",
    ),
    Setting(
        "RULEGLOT_DATA",
        "the folder that plays are kept in",
        "the path of a folder",
        lambda text: text,
        shown="the user's data folder (`~/.local/share/ruleglot` on Linux)",
    ),
    Setting(
        "DATABASE_URL",
        "keep plays in PostgreSQL instead: `postgresql://user@host/name`",
        "a URL that begins with “postgresql://” or “sqlite:///”",
        _matching(r"((postgres(ql)?|sqlite)(\+\w+)?://\S*)?"),
        shown="a SQLite file in that folder",
    ),
    Setting(
        "RULEGLOT_PLAYS_PER_ADDRESS",
        "how many plays one address may keep",
        "a whole number from 1",
        _whole(1, 10**9),
        "500",
    ),
    Setting(
        "RULEGLOT_PLAY_MOVES",
        "how many moves a play may have",
        "a whole number from 1",
        _whole(1, 10**9),
        "5000",
    ),
    Setting(
        "RULEGLOT_PLAY_BYTES",
        "how many bytes a play may take",
        "a whole number from 1",
        _whole(1, 10**12),
        str(32 * 1024 * 1024),
    ),
)


def read(environ: Mapping[str, str]) -> dict[str, Any]:
    """The value of every variable; one that is empty counts as not set."""
    return {setting.variable: _value(setting, environ.get(setting.variable, "")) for setting in SETTINGS}


def _value(setting: Setting, told: str) -> Any:
    try:
        return setting.read(told.strip() or setting.default)
    except ValueError:
        raise WrongSetting(
            f"{setting.variable} is “{_shown(setting, told)}”, but has to be {setting.allowed}."
        ) from None


def _shown(setting: Setting, told: str) -> str:
    """The value as it may stand in a log: of a URL, what may be a password is left out."""
    return re.sub(r"//[^/]*@", "//…@", told) if "://" in told or "URL" in setting.variable else told


def of_application(environ: Mapping[str, str] = os.environ) -> dict[str, Any]:
    """The settings of the Flask application."""
    told = read(environ)
    limits = {
        "everything": told["RULEGLOT_LIMIT"],
        "dear": told["RULEGLOT_LIMIT_DEAR"],
        "plays": told["RULEGLOT_LIMIT_PLAYS"],
        "join": told["RULEGLOT_LIMIT_JOIN"],
    }
    return {
        "MAX_CONTENT_LENGTH": MOST_BYTES,
        "PROPAGATE_EXCEPTIONS": False,
        "TRUSTED_HOSTS": told["RULEGLOT_HOSTS"],
        "COMPONENTS": told["RULEGLOT_COMPONENTS"],
        "LIMITS": OFF if told["RULEGLOT_LIMITS"] == OFF else limits,
        "LIMITS_STORE": told["RULEGLOT_LIMITS_STORE"],
        "PROXIES": told["RULEGLOT_PROXIES"],
        "KEYS": told["RULEGLOT_KEYS"],
        "METRICS": told["RULEGLOT_METRICS"],
        "ACCESS_LOG": told["RULEGLOT_ACCESS_LOG"],
        "LOG": told["RULEGLOT_LOG"],
        "STORE": None,  # the URL of the database of plays; without it, as service/store.py says
        "PLAYS_PER_ADDRESS": told["RULEGLOT_PLAYS_PER_ADDRESS"],
        "PLAY_MOVES": told["RULEGLOT_PLAY_MOVES"],
        "PLAY_BYTES": told["RULEGLOT_PLAY_BYTES"],
    }


def as_table() -> str:
    """The table as docs/operation.md shows it."""
    rows = [
        f"| `{one.variable}` | {one.does} | {one.allowed} | {one.shown or f'`{one.default}`'} |"
        for one in SETTINGS
    ]
    return "\n".join(["| variable | what it does | may be | without it |", "|---|---|---|---|", *rows])
