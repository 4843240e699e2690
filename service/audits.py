"""POST …/audit: a position in, everything out that makes it impossible."""

from __future__ import annotations

from typing import Any

from engine.audit import audit
from engine.game import Game
from engine.messages import message
from service import checks
from service.languages import Voice, voice

NOTHING_FOUND = message(
    "audit.possible", "Nothing speaks against this position; only what is told was looked at."
)
IMPOSSIBLE = message("audit.impossible", "This position is not possible.")


def answer(game: Game, request: dict[str, Any], lang: str) -> dict[str, Any]:
    """The whole answer to one audit request, worded in the reader's language."""
    found = audit(game, request["position"], request["choices"], request["components"])
    speaks = voice(lang)
    return {
        "game": game.name,
        "lang": speaks.lang,
        "possible": found.possible,
        "headline": headline(found.possible, speaks),
        "findings": [checks.reason_entry(one, one.requirement.refusal, speaks) for one in found.findings],
        "issues": checks.issue_entries(game.catalogue, found.issues.items(), speaks),
    }


def headline(possible: bool, speaks: Voice) -> Any:
    """One sentence for the whole."""
    return speaks.say(NOTHING_FOUND if possible else IMPOSSIBLE, {})
