"""The settings of the Flask application."""

from __future__ import annotations

import os
from functools import cache
from importlib import metadata

MOST_BYTES = 64 * 1024  # a whole position with all its memory is below 12 KB
MOST_REPLAY_BYTES = 256 * 1024  # as many moves as a replay takes, each with what came of it


@cache
def version() -> str:
    """The installed version, looked up once."""
    try:
        return metadata.version("ruleglot")
    except metadata.PackageNotFoundError:
        return "0"


class Config:
    """The settings of the Flask application."""

    MAX_CONTENT_LENGTH = MOST_BYTES
    PROPAGATE_EXCEPTIONS = False
    COMPONENTS = os.environ.get("RULEGLOT_COMPONENTS", "")  # a components file, TOML or JSON
