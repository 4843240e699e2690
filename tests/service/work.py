"""Work that can be counted: calls of functions, the same on every machine and however busy it is."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any


class Work:
    """How many functions were called, as long as it is counted; a clock for whoever needs one."""

    def __init__(self) -> None:
        self.calls = 0

    def __call__(self) -> float:
        return self.calls

    def _one(self, _frame: Any, event: str, _given: Any) -> None:
        if event in ("call", "c_call"):
            self.calls += 1

    @contextmanager
    def counted(self) -> Iterator[None]:
        """Count what is called in here."""
        before = sys.getprofile()
        sys.setprofile(self._one)
        try:
            yield
        finally:
            sys.setprofile(before)

    def of(self, send: Callable[[], Any]) -> int:
        """The calls that something takes."""
        before = self.calls
        with self.counted():
            send()
        return self.calls - before
