"""What the rules demand of an answer to a step: the same checks that decide an action."""

from __future__ import annotations

from collections.abc import Iterable

from engine.exceptions import Refused, Untold
from engine.verdict import Caution, Check, Unknown, evaluate, must_know, total


def demand(checks: Iterable[Check | Caution]) -> None:
    """Refuse the answer with every check that fails, or ask for the facts that leave one open."""
    verdict = evaluate(checks)
    if verdict.reasons:
        raise Refused(*verdict.reasons)
    if verdict.unknowns:
        raise Untold(Unknown(*verdict.unknowns))


def ask_at_once(facts: Iterable[object]) -> None:
    """Ask for all of these facts that were not told, instead of one after the other."""
    must_know(total(fact for fact in facts if isinstance(fact, Unknown)))
