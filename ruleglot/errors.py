"""What can go wrong: each kind of problem that a server or the engine answers with has a type of its own."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple


class RuleglotError(Exception):
    """Anything that keeps a question from being answered."""


class Unreachable(RuleglotError):
    """No server answered in time at this address."""


class NotRuleglot(RuleglotError):
    """Something answered that does not speak as Ruleglot does."""


class Place(NamedTuple):
    """One place of a request that could not be read, and why."""

    pointer: str
    code: str
    detail: str


class Problem(RuleglotError):
    """A problem (RFC 9457): `code` is stable, `detail` is a sentence in the reader's language.

    >>> Problem.of(404, {"code": "unknown-rule", "detail": "There is no rule “x”."})
    NotFound('There is no rule “x”.')
    """

    def __init__(self, detail: str) -> None:
        super().__init__(detail)
        self.detail = detail
        self.status = 0
        self.code = ""
        self.title = ""
        self.lang = ""
        self.errors: tuple[Place, ...] = ()
        self.retry_after: float | None = None  # seconds
        self.sent_again = False  # an earlier answer was lost, and what was asked may have been done then
        self.body: Mapping[
            str, Any
        ] = {}  # everything that was answered, such as the newest version of a play

    @staticmethod
    def of(
        status: int, body: Mapping[str, Any], retry_after: float | None = None, *, sent_again: bool = False
    ) -> Problem:
        """The problem that an answer tells, as its own type."""
        kind = _KINDS.get(status) or (ServerError if status >= _SERVER else Unreadable)
        found = kind(str(body.get("detail", "")))
        found.status = status
        found.code = str(body.get("code", ""))
        found.title = str(body.get("title", ""))
        found.lang = str(body.get("lang", ""))
        found.errors = tuple(
            Place(one["pointer"], one["code"], one["detail"]) for one in body.get("errors", ())
        )
        found.retry_after = retry_after
        found.sent_again = sent_again
        found.body = body
        return found


class Unreadable(Problem):
    """The request could not be read; `errors` says where and why."""


class NotFound(Problem):
    """There is no such game, rule, term, scenario, chart or play."""


class NoKey(Problem):
    """This needs the key of the play, or another one."""


class Changed(Problem):
    """The play was changed by somebody else: refresh it, look again, and then send what still fits."""


class NotPossible(Problem):
    """The play as it stands does not allow this, and will not when it is asked again; `code` says why."""


class TooManyRequests(Problem):
    """Too much was asked in too short a time; `retry_after` says how long to wait."""


class ServerError(Problem):
    """Something went wrong on the server."""


_SERVER = 500
_KINDS: dict[int, type[Problem]] = {
    401: NoKey,
    403: NoKey,
    404: NotFound,
    409: NotPossible,
    412: Changed,
    429: TooManyRequests,
}
