"""What came of a request, as names and plain values; words are left out, they may always be improved."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec
from msgspec import UNSET, Struct

from engine import codec
from engine.at import Event
from engine.flow import Pending
from engine.game import Answer, Game, check, prepare
from engine.messages import Message, Requirement
from engine.transcript import Asked, Played
from engine.verdict import Caution, Check, Unknown

Plain = dict[str, Any]

CONTINUE = {"kind": "continue"}


def ask(
    game: Game, position: Any, choices: Mapping[str, str], components: Any, action: Any, inputs: list[Any]
) -> Answer:
    """Put one request of plain JSON values, like a stranger's."""
    at = prepare(game, position, choices, components)
    do = codec.read(action, game.action_types, "/action")
    return check(game, at, do, codec.read_inputs(inputs))


def came_of(answer: Answer) -> Plain:
    """Everything in an answer that is promised: by name and value, with the position after it."""
    waits = answer.pending is not None and answer.pending.fact is None  # a fact is among the unknowns
    pending = asked(answer.pending) if answer.pending and waits else None
    return dict(through_json({**_said(answer), "pending": pending, "position": codec.write(answer.position)}))


def came_of_move(played: Played) -> Plain:
    """What a replay says of a move, as a whole and question by question; what was listed is kept with the pauses."""
    said = {**_said(played.answer), "asked": [_answered(one) for one in played.asked]}
    return dict(through_json(said))


def _answered(one: Asked) -> Plain:
    return {"pending": _where(one.pending), "events": _events(one.events)}


def _said(answer: Answer) -> Plain:
    verdict = answer.verdict
    return {
        "ruling": verdict.ruling,
        "reasons": [_reason(one) for one in verdict.reasons],
        "unknowns": sorted(fact.pointer for fact in verdict.unknowns),
        "cautions": [_caution(one) for one in verdict.cautions],
        "events": _events(answer.events),
        "issues": dict(answer.issues),
    }


def _reason(one: Check) -> Plain:
    """A failed demand."""
    return {"name": one.requirement.name, "pointer": one.pointer, "params": plain(one.params)}


def _caution(one: Caution) -> Plain:
    """A caution."""
    return {"name": one.message.name, "pointer": one.pointer, "params": plain(one.params)}


def _events(happened: Sequence[Event]) -> list[Plain]:
    """What happened, in order."""
    return [{"name": one.message.name, "params": plain(one.params)} for one in happened]


def asked(pending: Pending) -> Plain:
    """Where a procedure waits, with what, and which answers it lists."""
    answers = pending.question.answers
    told = {**_where(pending), "input": answers.key, "options": _options(answers)}
    for name in ("count", "least", "most", "bag"):
        if hasattr(answers, name) and not callable(getattr(answers, name)):
            told[name] = plain(getattr(answers, name))
    return told


def _where(pending: Pending) -> Plain:
    """The procedure and its row, whose names together are that of the question."""
    row = pending.step.name
    return {"procedure": pending.name.removesuffix(f"-{row}"), "step": row, "name": pending.name}


def _options(answers: Any) -> list[Any]:
    """The values a question lists."""
    return [plain(option.value) for option in getattr(answers, "options", ())]


def through_json(value: Any) -> Any:
    """A value as a file gives it back."""
    return msgspec.json.decode(msgspec.json.encode(value))


def plain(value: Any) -> Any:
    """Any parameter as a JSON value: a thing of the game as its id, a sentence as its name."""
    if isinstance(value, Message | Requirement):
        return value.name
    if isinstance(value, Unknown):
        return {"not told": sorted({fact.pointer for fact in value.facts})}
    if isinstance(value, str):
        return str(value)  # a Ref, which is worded for its reader
    if isinstance(value, Mapping):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, set | frozenset):
        return sorted(map(plain, value), key=repr)
    if isinstance(value, list | tuple):
        return [plain(item) for item in value]
    if isinstance(value, Struct):
        return plain(msgspec.to_builtins(value))
    return None if value is UNSET else value
