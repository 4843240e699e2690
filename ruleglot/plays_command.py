"""`ruleglot plays`: the games that this computer keeps, or that a server keeps for it."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from platformdirs import user_data_path

from engine.exceptions import Unreadable
from ruleglot.client import Client
from ruleglot.errors import Problem
from ruleglot.words import SAID
from service import plays_here
from service.answers import encode
from service.languages import reader
from service.problems import Problem as ServiceProblem
from service.problems import told, unreadable
from service.store import Store
from service.terms import Language

Json = dict[str, Any]


def of_this_computer(code: str, status: int, said: str, lang: Language) -> Json:
    """What goes wrong before a server is asked, in the form of a problem."""
    kind = f"urn:ruleglot:problem:{code}"
    told = {"type": kind, "title": said, "status": status, "detail": said, "code": code}
    return {**told, "errors": [], "lang": lang}


class Here:
    """The plays in the database of this computer."""

    def __init__(self, lang: Any) -> None:
        self._store = Store()
        self._lang = lang

    def listed(self) -> list[Json]:
        """All of them."""
        found: list[Json] = self._asked(
            lambda: plays_here.listed(self._store) if self._store.exists() else []
        )
        return found

    def shown(self, play: str) -> tuple[Mapping[str, Any], str]:
        """How one stands, and its report."""
        state, report = self._asked(lambda: plays_here.shown(self._store, play, self._lang))
        return state, report

    def exported(self, play: str) -> Json:
        """One to be taken along."""
        found: Json = self._asked(lambda: plays_here.exported(self._store, play))
        return found

    def imported(self, game: str, transcript: Json, name: str) -> str:
        """A new one from a transcript."""
        return str(self._asked(lambda: plays_here.imported(self._store, game, transcript, name)))

    def deleted(self, play: str) -> None:
        """Forget one."""
        self._asked(lambda: plays_here.deleted(self._store, play))

    def _asked(self, ask: Callable[[], Any]) -> Any:
        """What is answered, as a server would."""
        try:
            return json.loads(encode(ask()))
        except (ServiceProblem, Unreadable) as error:
            problem = unreadable(error) if isinstance(error, Unreadable) else error
            body = json.loads(encode(told(problem, reader(self._lang))))
            raise Problem.of(body["status"], body) from None
        finally:
            self._store.close()


class There:
    """The plays that a server keeps; their keys are in a file of this computer that nobody else may read."""

    def __init__(self, client: Client, lang: Language) -> None:
        self._client = client
        self._lang = lang
        folder = os.environ.get("RULEGLOT_DATA")
        self._file = (Path(folder) if folder else user_data_path("ruleglot")) / "keys.json"

    def listed(self) -> list[Json]:
        """Those that this computer has a key of."""
        found = []
        for play, key in self._keys().items():
            state = self._client.open_play(play, key).state
            found.append({name: state[name] for name in ("id", "game", "name", "moves", "changed")})
        return found

    def shown(self, play: str) -> tuple[Mapping[str, Any], str]:
        """How one stands, and its report."""
        found = self._client.open_play(play)
        return found.state, found.report()

    def exported(self, play: str) -> Json:
        """One to be taken along."""
        return self._client.open_play(play).transcript()

    def imported(self, game: str, transcript: Json, name: str) -> str:
        """A new one from a transcript."""
        made = self._client.start_play(game, transcript=transcript, name=name or None)
        self._keep({**self._keys(), made.id: str(made.key)})
        return made.id

    def deleted(self, play: str) -> None:
        """Forget one."""
        keys = self._keys()
        if play not in keys:
            raise self._no_key(play)
        self._client.open_play(play, keys.pop(play)).delete()
        self._keep(keys)

    def _no_key(self, play: str) -> Problem:
        """That this computer may not change a play, and how to find those that it may."""
        said = reader(self._lang).say(SAID["no-key"], {"given": play, "url": self._client.url})
        return Problem.of(401, of_this_computer("no-key", 401, said, self._lang))

    def _all(self) -> dict[str, dict[str, str]]:
        told: dict[str, dict[str, str]] = (
            json.loads(self._file.read_text("utf-8")) if self._file.exists() else {}
        )
        return told

    def _keys(self) -> dict[str, str]:
        return dict(self._all().get(self._client.url, {}))

    def _keep(self, keys: dict[str, str]) -> None:
        self._file.parent.mkdir(parents=True, exist_ok=True)
        everything = json.dumps({**self._all(), self._client.url: keys}, indent=1)
        self._file.touch(mode=0o600)
        self._file.write_text(everything, "utf-8")
