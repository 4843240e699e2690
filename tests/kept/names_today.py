"""Old names of rows, memory fields and options as they are called today: the one place that knows what was renamed.

Complete it where a later step renames more than `Procedure.renamed` can say.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engine.actions import written
from engine.game import Game
from engine.navajo_wars.discard import FEROCITY_KNOWN_AS
from engine.navajo_wars.hunger import KNOWN_AS
from engine.navajo_wars.minor_events import TO_CANCEL
from engine.navajo_wars.passage_families import GROWING_KNOWN_AS, JOINING_KNOWN_AS

Plain = dict[str, Any]

NAMED = {
    "trade-goods": TO_CANCEL,
    **KNOWN_AS,
    **FEROCITY_KNOWN_AS,
}  # texts that meant an action, besides those that are its kind


def renamed(game: Game, procedure: str) -> Mapping[str, str]:
    """Old row and field names of a procedure -> today's; a removed row -> the one it passed control to."""
    table = game.procedures.get(procedure)
    return {} if table is None else {**table.renamed, **table.renamed_fields}


def row_today(game: Game, procedure: str, row: str) -> str:
    """What a row is called today."""
    return renamed(game, procedure).get(row, row)


def frame_today(game: Game, frame: Plain) -> Plain:
    """A frame of the agenda, its row and what it remembers by today's names."""
    names = renamed(game, frame["procedure"])
    memory = {names.get(field, field): value for field, value in frame.get("memory", {}).items()}
    return {**frame, "step": row_today(game, frame["procedure"], frame["step"]), "memory": memory}


def position_today(game: Game, position: Plain) -> Plain:
    """A position with its agenda by today's names, and without the mark of the format, which came later."""
    told = {key: value for key, value in position.items() if (key, value) != ("format", 1)}
    if "areas" in told and not told.get("partial", {}).get("areas"):
        told["areas"] = {area: _there(counters) for area, counters in told["areas"].items()}
    if "agenda" in told:
        told["agenda"] = [frame_today(game, frame) for frame in told["agenda"]]
    return told


def _there(counters: Plain) -> Plain:
    """The counters of an Area of which all is told; that one is not there may be said or left out."""
    return {kind: count for kind, count in counters.items() if count}


def is_of(pointer: str, collection: str) -> bool:
    """Is this the fact that was asked for, one of a collection that was asked for as a whole, or what is left of it?"""
    return pointer == collection or pointer.startswith(f"{collection}/") or pointer == f"/partial{collection}"


def pending_today(game: Game, pending: Plain | None) -> Plain | None:
    """A question with today's name of its row."""
    if pending is None:
        return None
    row = row_today(game, pending["procedure"], pending["step"])
    return {**pending, "step": row, "name": f"{pending['procedure']}-{row}"}


def pointer_today(game: Game, pointer: str, agenda: list[Plain]) -> str:
    """A pointer, where it leads to what a procedure remembers with today's name of the field."""
    match pointer.split("/"):
        case ["", "agenda", number, "memory", field, *rest] if int(number) < len(agenda):
            name = renamed(game, agenda[int(number)]["procedure"]).get(field, field)
            return "/".join(["", "agenda", number, "memory", name, *rest])
    return pointer


def same_option(old: Any, new: Any) -> bool:
    """Whether an option listed today is the one listed before; answers that were texts may be actions later."""
    if isinstance(old, str) and isinstance(new, dict):
        read = GROWING_KNOWN_AS.get(old) or JOINING_KNOWN_AS.get(old) or NAMED.get(old)
        return bool(new == written(read)) if read is not None else bool(new["kind"] == old)
    return type(old) is type(new) and bool(old == new)


def is_open(offer: Any) -> bool:
    """Whether an offer names only its kind: it stands for undetermined ways, which were not always shown."""
    return isinstance(offer, dict) and set(offer) == {"kind"}


def stands_for(offer: Any, old: Any) -> bool:
    """Whether one offer of today stands for an undetermined option of before: it is an action of the same kind."""
    if not isinstance(offer, dict) or not isinstance(old, dict):
        return False
    return "kind" in old and offer.get("kind") == old["kind"]
