"""A real terminal for a test: a command on a pseudo-terminal, talked to line by line."""

from __future__ import annotations

import os
import pty
import select
import signal
import subprocess
import sys
import time
from pathlib import Path
from types import TracebackType

SECONDS = 60
COMMAND = str(Path(sys.executable).with_name("ruleglot"))


class Terminal:
    """A command that thinks it talks to a person."""

    def __init__(self, *arguments: str, cwd: Path, **env: str) -> None:
        self._ours, theirs = pty.openpty()
        self._process = subprocess.Popen(
            [COMMAND, *arguments],
            stdin=theirs,
            stdout=theirs,
            stderr=theirs,
            cwd=cwd,
            env={**os.environ, "TERM": "xterm", "COLUMNS": "1000", **env},  # so that no line is broken
            start_new_session=True,
        )
        os.close(theirs)
        self.said = ""

    def __enter__(self) -> Terminal:
        return self

    def __exit__(
        self, _kind: type[BaseException] | None, _error: object, _where: TracebackType | None
    ) -> None:
        self._end(signal.SIGTERM)
        os.close(self._ours)

    def hears(self, words: str) -> str:
        """Everything up to and with these words, said after what was heard before."""
        until = time.monotonic() + SECONDS
        while words not in self.said:
            assert time.monotonic() < until, f"“{words}” was not said, but: {self.said[-2000:]}"
            ready, _, _ = select.select([self._ours], [], [], 1)
            if ready:
                self.said += self._read()
        heard, _, self.said = self.said.partition(words)
        return heard + words

    def _read(self) -> str:
        try:
            return os.read(self._ours, 65536).decode("utf-8", "replace")
        except OSError as ended:  # so Linux says that the other side has hung up
            raise AssertionError(f"the command has ended: {self.said[-2000:]}") from ended

    def types(self, line: str) -> None:
        """A line and Enter, once it is asked for."""
        self.hears("> ")
        os.write(self._ours, f"{line}\n".encode())

    def kill(self) -> None:
        """End it as a power cut would."""
        self._end(signal.SIGKILL)

    def _end(self, how: signal.Signals) -> None:
        if self._process.poll() is None:
            os.killpg(self._process.pid, how)
        self._process.wait(SECONDS)
