"""A game being played with a companion: where it stands, what led there, and the file it is kept in."""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from engine import codec
from engine.telling import Table, tell
from service.games import GAMES

Json = dict[str, Any]
FORMAT = 1


@dataclass(frozen=True)
class Draft:
    """An action that has not happened yet, because a fact was not told."""

    action: Json
    inputs: tuple[Json, ...] = ()


@dataclass(frozen=True)
class State:
    """Where a game stands, and the moves that led there; nothing of it is ever changed, only replaced."""

    start: Json
    position: Json
    moves: tuple[Json, ...] = ()
    told: Json = field(default_factory=dict)  # by hand, since the last move
    components: Json = field(default_factory=dict)
    open: tuple[Json, ...] = ()  # questions of the set-up that are still to be asked
    draft: Draft | None = None

    def tell(self, pointer: str, value: Any) -> State:
        """The same with one more fact: of the components, of the action that waits, or of the position."""
        path = [part.replace("~1", "/").replace("~0", "~") for part in pointer.split("/")[1:]]
        if path[0] == "components":
            return replace(self, components=put(self.components, path[1:], value))
        if path[0] == "action" and self.draft:
            action = put(self.draft.action, path[1:], value)
            return replace(self, draft=replace(self.draft, action=action))
        return self._standing(put(self.position, path, value))

    def told_of_table(self, game: str, facts: Mapping[str, Any]) -> State:
        """The same with facts of the table told, as a server takes them: of what was not told, only these are known."""
        rules = GAMES[game]
        table = Table(codec.read(self.position, rules.position, "/position"), {}, rules.components())
        return self._standing(codec.write(tell(rules, table, list(facts.items())).position))

    def _standing(self, position: Json) -> State:
        if not self.moves:
            return replace(self, start=position, position=position)
        now = self.position
        changed = {key: value for key, value in position.items() if key not in now or value != now[key]}
        told = {**self.told, **changed}
        in_part = position.get("partial", {})
        whole = [name for name in self.position.get("partial", {}) if name not in in_part]
        if whole:  # left out, it would go on being told in part when the move is laid over what was there
            told["partial"] = {**told.get("partial", {}), **in_part, **dict.fromkeys(whole, False)}
        return replace(self, position=position, told=told)

    def moved(self, draft: Draft, position: Json) -> State:
        """The same after a move."""
        move: Json = {"action": draft.action, "inputs": list(draft.inputs)}
        if self.told:
            move["position"] = self.told
        return replace(self, position=position, moves=(*self.moves, move), told={}, draft=None)

    def transcript(self) -> Json:
        """The game as it can be replayed."""
        told = {"components": self.components} if self.components else {}
        return {"format": FORMAT, "position": self.start, "moves": list(self.moves), **told}


def put(under: Any, path: list[str], value: Any) -> Any:
    """A value with one place of it changed; what lies on the way is made where it is not there."""
    if not path:
        return value
    first, *rest = path
    if isinstance(under, list):
        place = int(first)
        longer = [*under, *[None] * (place + 1 - len(under))]
        return [*longer[:place], put(longer[place], rest, value), *longer[place + 1 :]]
    table = under if isinstance(under, dict) else {}
    return {**table, first: put(table.get(first), rest, value)}


# -- the file ----------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Saved:
    """What a file holds."""

    game: str
    lang: str
    state: State


def written(game: str, lang: str, state: State) -> Json:
    """A game as a file: a transcript that can be replayed, and where it stands now."""
    draft = state.draft and {"action": state.draft.action, "inputs": list(state.draft.inputs)}
    now = {"position": state.position, "told": state.told, "open": list(state.open), "draft": draft}
    return {"game": game, "lang": lang, **state.transcript(), "now": now}


def save(file: Path, game: str, lang: str, state: State) -> None:
    """Write a game so that a crash at any moment leaves the old file or the new one."""
    file.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.NamedTemporaryFile(
        "w", encoding="utf-8", dir=file.parent, prefix=f".{file.name}.", delete=False
    ) as new:
        json.dump(written(game, lang, state), new, ensure_ascii=False, indent=1)
        new.flush()
        os.fsync(new.fileno())
    Path(new.name).replace(file)


def read(told: Mapping[str, Any], game: str) -> Saved:
    """A game from its file; an answer or a position that was saved is the start of one."""
    start = dict(told.get("position", told) if isinstance(told.get("position", told), dict) else {})
    now = told.get("now") or {}
    draft = now.get("draft")
    state = State(
        start=start,
        position=now.get("position", start),
        moves=tuple(told.get("moves", ())) if now or "moves" in told else (),
        told=now.get("told", {}),
        components=told.get("components", {}) if isinstance(told.get("components", {}), dict) else {},
        open=tuple(now.get("open", ())),
        draft=draft and Draft(draft["action"], tuple(draft["inputs"])),
    )
    return Saved(str(told.get("game", game)), str(told.get("lang", "")), state)
