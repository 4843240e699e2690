"""POST …/audit: a position in, everything out that makes it impossible."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from engine.audit import audit
from engine.catalogue import read_choices
from engine.exceptions import Unreadable
from engine.game import Game
from engine.messages import Message, message
from service import checks, wordings
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
# By what of a value is counted, and which of its bounds it breaks.
BOUNDS: dict[tuple[str | None, str], Message] = {
    (None, "least"): message("audit.number-too-low", "%(fact)s: the number must be at least %(least)s."),
    (None, "most"): message("audit.number-too-high", "%(fact)s: the number must be at most %(most)s."),
    ("str", "least"): message("audit.left-empty", "%(fact)s: nothing is written here."),
    ("str", "most"): message(
        "audit.name-too-long", "%(fact)s: the name is too long; it can have at most %(most)s characters."
    ),
    ("array", "least"): message(
        "audit.too-few",
        "%(fact)s: something is left out; there must be at least %(least)s entries, empty ones included.",
    ),
    ("array", "most"): message(
        "audit.too-many", "%(fact)s: there are too many entries; at most %(most)s are possible."
    ),
}


def answer(game: Game, request: AskedAudit, lang: str) -> AuditAnswer:
    """The whole answer to one audit request, worded in the reader's language."""
    found = audit(game, request.position, request.choices, request.components)
    speaks = voice(lang)
    findings = [_out_of_range(game, error, speaks) for error in request.impossible]
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


def _out_of_range(game: Game, error: Unreadable, speaks: Voice) -> Reason:
    """A value that no table can have; which rule bounds it, its type does not tell."""
    pointer = error.pointer.removeprefix("/position")
    bounds = {name: bound for name, bound in error.params.items() if name in ("least", "most")}
    (broken,) = bounds
    said = BOUNDS[error.params.get("kind"), broken]
    text = speaks.each(
        lambda reader: reader.tell(said, {"fact": wordings.named(reader, game, pointer), **bounds})
    )
    return Reason(NO_SUCH_VALUE, text, (), bounds, pointer)
