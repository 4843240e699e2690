"""changed.toml: what came out otherwise on purpose, each with its reason."""

from __future__ import annotations

from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

import msgspec
from msgspec import UNSET, Struct

from tests.kept.compare import Difference


class Named(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Cases of some files that differ in some place for a reason."""

    files: tuple[str, ...]
    cases: str | tuple[str, ...]
    differs: str | tuple[str, ...]
    reason: str
    was: Any = UNSET
    now: Any = UNSET

    def __post_init__(self) -> None:
        if "*" in _each(self.differs):
            raise ValueError(f"{self.cases}: name the places that came out otherwise, not all of them")
        if (
            self.was is UNSET
            and self.now is UNSET
            and "*" in "".join((*_each(self.cases), *_each(self.differs)))
        ):
            raise ValueError(f"{self.cases} {self.differs}: list them, or name what was or what is now")

    def meets(self, case: str, difference: Difference) -> bool:
        """Whether this difference is the one that is named."""
        return (
            any(fnmatchcase(case, pattern) for pattern in _each(self.cases))
            and any(fnmatchcase(difference.place, pattern) for pattern in _each(self.differs))
            and _is(self.was, difference.was)
            and _is(self.now, difference.now)
        )


def _is(meant: Any, found: Any) -> bool:
    """Is it the value that is named, if one is? TOML has lists only."""
    return meant is UNSET or meant == (list(found) if isinstance(found, tuple) else found)


def _each(patterns: str | tuple[str, ...]) -> tuple[str, ...]:
    return (patterns,) if isinstance(patterns, str) else patterns


class _File(Struct, frozen=True, forbid_unknown_fields=True):
    changed: tuple[Named, ...] = ()


def named(path: Path) -> tuple[Named, ...]:
    """All exceptions of a file."""
    return msgspec.toml.decode(path.read_bytes(), type=_File).changed


class Report:
    """The differences of one kept file, without those that are named; each name has to be needed."""

    def __init__(self, file: str, exceptions: tuple[Named, ...]) -> None:
        self.named = [one for one in exceptions if file in one.files]
        self.needed: set[int] = set()
        self.wrong: list[str] = []

    def add(self, case: str, found: list[Difference]) -> None:
        """What came out otherwise in a case."""
        left = [one for one in found if not self._is_named(case, one)]
        if left:
            self.wrong.append("\n".join([f"{case}:", *map(str, left)]))

    def _is_named(self, case: str, difference: Difference) -> bool:
        meant = {number for number, one in enumerate(self.named) if one.meets(case, difference)}
        self.needed |= meant
        return bool(meant)

    def lines(self) -> list[str]:
        """All that is wrong, readable."""
        idle = [one for number, one in enumerate(self.named) if number not in self.needed]
        return [*self.wrong, *(f"changed.toml: nothing needs {one.cases} {one.differs}" for one in idle)]
