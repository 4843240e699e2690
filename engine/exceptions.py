"""What the engine raises: one exception for each way a question cannot be answered."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from engine.verdict import Check, Unknown


class Unreadable(Exception):
    """The request is not a position, an action or an input of this game."""

    def __init__(self, code: str, pointer: str, **params: Any) -> None:
        super().__init__(f"{code} at {pointer or '/'}")
        self.code = code
        self.pointer = pointer
        self.params = params


class Untold(Exception):
    """A rule had to branch on a fact that was not told."""

    def __init__(self, unknown: Unknown) -> None:
        super().__init__(", ".join(fact.pointer for fact in unknown.facts))
        self.unknown = unknown
        self.issues: tuple[str, ...] = ()  # consulted up to there
        self.accepted = 0  # how many inputs were good
        self.pending: Any = None  # the question for the fact, where a procedure needs it
        self.keeps: Any = None  # the position with the answer whose outcome needs the fact, and that answer
        self.doubts = False  # it decides whether an answer that was given is possible


class Refused(Exception):
    """An answer to a procedure's question is not possible."""

    def __init__(self, *reasons: Check) -> None:
        super().__init__(", ".join(reason.requirement.name for reason in reasons))
        self.reasons = reasons
        self.issues: tuple[str, ...] = ()  # consulted up to there
        self.accepted: int | None = None  # how many inputs were good, where it is an input that does not fit
        self.pending: Any = None  # the question it should have answered
