"""Is this position possible? Only what is told can be impossible; whatever is left out is no finding."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import chain
from typing import Any

from msgspec import Struct, structs

from engine import codec
from engine.exceptions import Unreadable
from engine.flow import read_agenda
from engine.game import Game, prepare, read_by
from engine.memory import Frame
from engine.messages import Requirement, message
from engine.verdict import Caution, Check, evaluate, needs, refuted, warns

POSSIBLE = message("position-possible", "This is possible.")


def finding(name: str, text: str) -> Requirement:
    """Register why a position cannot be; that something can be is always said in the same words."""
    return Requirement(name, message(name, text), POSSIBLE)


NO_SUCH_PROCEDURE = finding(
    "agenda-unknown-procedure",
    "Nothing that can be under way is called “%(given)s”. Send the step under way as the last answer gave it, or none.",
)
NO_SUCH_STEP = finding(
    "agenda-unknown-step",
    "What is under way has no step “%(given)s”. Send the step under way as the last answer gave it.",
)
NOT_ITS_MEMORY = finding(
    "agenda-unfit-memory",
    "What is noted here does not belong to the step under way. Send that step as the last answer gave it.",
)
_UNREADABLE = {"unknown-procedure": NO_SUCH_PROCEDURE, "unknown-step": NO_SUCH_STEP}


class Audit(Struct, frozen=True):
    """Everything that makes a position impossible or doubtful, and the disputed points this rests on."""

    findings: tuple[Check, ...]
    cautions: tuple[Caution, ...]
    issues: Mapping[str, str]

    @property
    def possible(self) -> bool:
        """Is there nothing that speaks against it?"""
        return not self.findings


def audit(game: Game, position: Any, choices: Mapping[str, str], components: Any) -> Audit:
    """Can this position be, as far as it is told?"""
    if not isinstance(position, game.position):
        position = codec.read(position, game.position, "/position")
    frames: tuple[Frame, ...] = position.agenda
    at = prepare(game, structs.replace(position, agenda=()), choices, components).with_agenda(frames)
    verdict = evaluate(chain(game.audit(at), agenda_stands(game, frames)))
    return Audit(verdict.reasons, verdict.cautions, read_by(at))


def only_doubted(checks: Iterable[Check]) -> Iterator[Caution]:
    """What fails of these rules nothing out: the player should look at his copy."""
    for check in checks:
        if refuted(check.holds):
            yield warns(check.requirement.refusal, *check.rules, pointer=check.pointer, **check.params)


def agenda_stands(game: Game, frames: Iterable[Frame]) -> Iterator[Check]:
    """Every frame of the agenda names a procedure, one of its steps, and what it can have noted."""
    for number, frame in enumerate(frames):
        try:
            read_agenda((frame,), game.procedures)
        except Unreadable as error:
            pointer = error.pointer.replace("/agenda/0", f"/agenda/{number}", 1)
            wrong = _UNREADABLE.get(error.code, NOT_ITS_MEMORY)
            given = {} if wrong is NOT_ITS_MEMORY else {"given": _short(error.params["given"])}
            yield needs(False, wrong, game.sequence_rule, pointer=pointer, **given)


def _short(given: str) -> str:
    """What was sent, short enough to be repeated in a sentence."""
    return given if len(given) <= 60 else f"{given[:57]}…"
