"""JSON pointers (RFC 6901): where in a request or a position something stands."""

from __future__ import annotations

from collections.abc import Iterable


def escape(key: str) -> str:
    """A key as one part of a JSON pointer."""
    return key.replace("~", "~0").replace("/", "~1")


def unescape(part: str) -> str:
    """The key that a part of a JSON pointer stands for."""
    return part.replace("~1", "/").replace("~0", "~")


def pointer_to(path: Iterable[str | int]) -> str:
    """A path of keys and places as a JSON pointer."""
    return "".join(f"/{escape(str(step))}" for step in path)


def parts(pointer: str) -> list[str]:
    """The keys and places that a JSON pointer leads through."""
    return [unescape(part) for part in pointer.split("/")[1:]]
