"""POST …/audit: a position in, everything out that makes it impossible."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from engine.audit import audit
from engine.catalogue import read_choices
from engine.exceptions import Unreadable
from engine.game import Game
from engine.messages import Message, message
from service import checks, errors
from service.answers import AuditAnswer
from service.languages import Voice, voice
from service.requests import AskedAudit
from service.sentences import Reason, refusals, warnings

NOTHING_FOUND = message(
    "audit.possible", "Nothing contradicts this position; only what it says was looked at."
)
DOUBTFUL = message(
    "audit.doubtful",
    "No rule speaks against this position, but look at your copy; only what it says was looked at.",
)
IMPOSSIBLE = message("audit.impossible", "This position is not possible.")
NO_SUCH_VALUE = "value-out-of-range"


def answer(game: Game, request: AskedAudit, lang: str) -> AuditAnswer:
    """The whole answer to one audit request, worded in the reader's language."""
    found = audit(game, request.position, request.choices, request.components)
    speaks = voice(lang)
    findings = [_out_of_range(error, speaks) for error in request.impossible]
    findings += refusals(found.findings, speaks)
    return AuditAnswer(
        game=game.name,
        lang=speaks.lang,
        possible=not findings,
        headline=speaks.say(_headline(findings, found.cautions), {}),
        findings=findings,
        cautions=warnings(found.cautions, speaks),
        issues=checks.issue_entries(
            game.catalogue, found.issues, read_choices(game.catalogue, request.choices), speaks
        ),
    )


def _headline(findings: Sequence[Any], cautions: Sequence[Any]) -> Message:
    """One sentence for the whole."""
    if findings:
        return IMPOSSIBLE
    return DOUBTFUL if cautions else NOTHING_FOUND


def _out_of_range(error: Unreadable, speaks: Voice) -> Reason:
    """A value that no table can have; which rule bounds it, its type does not tell."""
    text = speaks.each(lambda reader: errors.detail(error, reader))
    bounds = {name: bound for name, bound in error.params.items() if name in ("least", "most")}
    return Reason(NO_SUCH_VALUE, text, (), bounds, error.pointer.removeprefix("/position"))
