"""Games that a server keeps: a play by its id, the key that changes it, and the version that is meant."""

from __future__ import annotations

import uuid
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Protocol, cast

from ruleglot.asking import IN_GAME, Json, Operation, said
from ruleglot.errors import NotFound
from ruleglot.types import Action, Input, MoveAnswer, MovePage, OddsAnswer, OptionsAnswer, PlayState

ONE = "/v1/plays/{play}"
UNKNOWN_PLAY = "unknown-play"  # the code of the problem
# Each by the name of the method that asks it; the first three are the client's, the others a play's own.
PLAY_OPERATIONS = {
    "start_play": Operation("post", f"{IN_GAME}/plays"),
    "join_play": Operation("post", "/v1/plays/join"),
    "open_play": Operation("get", ONE),
    "move": Operation("post", f"{ONE}/moves"),
    "moves": Operation("get", f"{ONE}/moves"),
    "correct": Operation("post", f"{ONE}/corrections"),
    "read_otherwise": Operation("post", f"{ONE}/readings"),
    "undo": Operation("post", f"{ONE}/undo"),
    "redo": Operation("post", f"{ONE}/redo"),
    "options": Operation("post", f"{ONE}/options"),
    "odds": Operation("post", f"{ONE}/odds"),
    "report": Operation("get", f"{ONE}/report"),
    "report_file": Operation("get", f"{ONE}/report.{{ending}}"),
    "transcript": Operation("get", f"{ONE}/transcript"),
    "components": Operation("get", f"{ONE}/components"),
    "verify": Operation("post", f"{ONE}/verify"),
    "make_code": Operation("post", f"{ONE}/codes"),
    "keys": Operation("get", f"{ONE}/keys"),
    "end_key": Operation("delete", f"{ONE}/keys/{{number}}"),
    "rename": Operation("patch", ONE),
    "delete": Operation("delete", ONE),
}


class Sends(Protocol):
    """Whoever can put a request to a server."""

    lang: str | None

    def send(
        self,
        operation: Operation,
        path: Mapping[str, str],
        query: Mapping[str, Any],
        body: Mapping[str, Any] | None,
        headers: Mapping[str, str],
    ) -> Any:
        """The answer."""

    def parts(self, operation: Operation, path: Mapping[str, str], query: Mapping[str, Any]) -> Iterator[Any]:
        """An answer that may be too long for one request."""


def once() -> dict[str, str]:
    """The header of a request that is carried out once, however often it has to be sent."""
    return {"Idempotency-Key": str(uuid.uuid4())}


class Play:
    """A game that a server keeps. Whoever has its id may look; `key` is needed to change it.

    A change says which version it means: the last one that was seen. Where somebody else was faster, `Changed` is
    raised; call `refresh` and look again. What the play does not allow as it stands, such as undoing more than there
    is, raises `NotPossible`. A change that has to be sent twice is carried out once.
    """

    def __init__(self, server: Sends, state: Mapping[str, Any], key: str | None) -> None:
        self._server = server
        self.key = key
        self._id = str(state["id"])
        self._seen(cast(PlayState, dict(state)))

    @property
    def id(self) -> str:
        """What it is opened by."""
        return self._id

    @property
    def version(self) -> int:
        """The version that was last seen."""
        return self._version

    @property
    def state(self) -> PlayState:
        """How it stood when it was last seen; a move that changed it is seen in its answer, and the rest asked for here."""
        return self.refresh() if self._state is None else self._state

    def refresh(self) -> PlayState:
        """How it stands now."""
        return self._seen(self._get("open_play"))

    def _seen(self, state: PlayState) -> PlayState:
        self._state: PlayState | None = state
        self._version = int(state["version"])
        return state

    # -- changing it -------------------------------------------------------------------------------

    def move(
        self,
        action: Action | None = None,
        inputs: Sequence[Input] = (),
        *,
        closed: bool = False,
        assume: bool | None = None,
    ) -> MoveAnswer:
        """Make a move, or without an action answer what is asked; it is kept if it is legal.

        `closed` adds what is not open at the question that follows, with the reasons. Whether now is the time for it is
        taken for granted unless `assume` is False; an action that waits for facts keeps what was said of it.
        """
        told = (
            {} if assume is None else {"assume": assume}
        )  # True, too: the action that waits may say otherwise
        body = {**said(action=action, inputs=list(inputs), closed=closed), **told}
        answer: MoveAnswer = self._change("move", body)
        if answer["version"] != self._version:
            self._state, self._version = None, int(answer["version"])
        return answer

    def correct(self, tell: Mapping[str, Any], note: str | None = None) -> PlayState:
        """Say what the table shows instead, by pointer."""
        return self._changed("correct", said(tell=tell, note=note or None))

    def read_otherwise(
        self, *, choices: Mapping[str, str] | None = None, components: Mapping[str, Any] | None = None
    ) -> PlayState:
        """Read disputed rules otherwise from now on, or from another copy."""
        return self._changed("read_otherwise", said(choices=choices, components=components))

    def undo(self, moves: int = 1) -> PlayState:
        """Take moves back."""
        return self._changed("undo", {"moves": moves})

    def redo(self, moves: int = 1) -> PlayState:
        """Make undone moves again."""
        return self._changed("redo", {"moves": moves})

    def rename(self, name: str) -> PlayState:
        """Give it another name."""
        return self._changed("rename", {"name": name})

    def delete(self) -> None:
        """Forget it; one that is gone already is forgotten."""
        try:
            self._change("delete", None)
        except NotFound as problem:
            if problem.code != UNKNOWN_PLAY:
                raise

    # -- looking at it -----------------------------------------------------------------------------

    def moves(self, *, after: int = 0, limit: int | None = None) -> MovePage:
        """What was done, answered and happened, page by page."""
        return cast(MovePage, self._get("moves", after=after, limit=limit))

    def options(
        self, *, kinds: Sequence[str] = (), illegal: bool = True, assume: bool = True
    ) -> OptionsAnswer:
        """What may be done where it stands."""
        body = said(kinds=list(kinds), illegal=illegal, assume=assume)
        return cast(OptionsAnswer, self._asked("options", body))

    def odds(
        self,
        action: Action,
        inputs: Sequence[Input] = (),
        *,
        policy: Mapping[str, Any] | None = None,
        vary: Mapping[str, Any] | None = None,
        image: bool = False,
        assume: bool = True,
    ) -> OddsAnswer:
        """How likely an action comes to what, where it stands."""
        told = said(policy=policy, vary=vary, image=image, assume=assume)
        return cast(OddsAnswer, self._asked("odds", {**told, **said(action=action, inputs=list(inputs))}))

    def report(self, *, lang: str | None = None) -> str:
        """The session report, with all its parts."""
        return "\n".join(self._parts("report", lang))

    def report_file(self, ending: str, *, lang: str | None = None) -> str:
        """The session report in the form of a file that ends so: txt, md or html; with all its parts."""
        return "\n".join(self.report_parts(ending, lang=lang))

    def report_parts(self, ending: str = "txt", *, lang: str | None = None) -> Iterator[str]:
        """The parts of a long report, each in the form of a file of its own."""
        return self._parts("report_file", lang, ending=ending)

    def transcript(self) -> Json:
        """Everything, to be kept elsewhere or replayed."""
        return cast(Json, self._ask("transcript", {}, None, {}))

    def components(self) -> Json:
        """What it knows of the printed copy."""
        return cast(Json, self._ask("components", {}, None, {}))

    def verify(self, *, after: int | None = None) -> Json:
        """Play moves again, and say how far they follow from the start."""
        query = {} if after is None else {"from": after}
        found: Json = self._ask("verify", query, None, self._signed())
        return found

    def make_code(self) -> str:
        """A code that gives another device a key of its own, once."""
        return str(self._ask("make_code", {}, None, {**self._signed(), **once()})["code"])

    def keys(self) -> Json:
        """The keys that open it, by number."""
        found: Json = self._ask("keys", {}, None, self._signed())
        return found

    def end_key(self, number: int) -> None:
        """Let a lost key open nothing any more."""
        try:
            self._ask("end_key", {}, None, self._signed(), number=str(number))
        except NotFound as problem:
            if not problem.sent_again:  # else it was ended, and the answer was lost
                raise

    # -- asking ------------------------------------------------------------------------------------

    def _get(self, name: str, **query: Any) -> Any:
        return self._ask(name, said(lang=self._server.lang, **query), None, {})

    def _parts(self, name: str, lang: str | None, **path: str) -> Iterator[str]:
        query = said(lang=lang or self._server.lang)
        return self._server.parts(PLAY_OPERATIONS[name], {"play": self.id, **path}, query)

    def _asked(self, name: str, body: Json) -> Json:
        """A question about where it stands; nobody needs a key for it."""
        found: Json = self._ask(name, {}, {**body, **said(lang=self._server.lang)}, {})
        return found

    def _changed(self, name: str, body: Json) -> PlayState:
        return self._seen(self._change(name, body))

    def _change(self, name: str, body: Json | None) -> Any:
        """A change of the version that was last seen, under a key that makes it happen once."""
        meant = {"If-Match": f'"{self.version}"', **once()}
        told = None if body is None else {**body, **said(lang=self._server.lang)}
        return self._ask(name, {}, told, {**self._signed(), **meant})

    def _signed(self) -> dict[str, str]:
        return {"Authorization": f"Bearer {self.key}"} if self.key else {}

    def _ask(
        self, name: str, query: Mapping[str, Any], body: Json | None, headers: Mapping[str, str], **path: str
    ) -> Any:
        return self._server.send(PLAY_OPERATIONS[name], {"play": self.id, **path}, query, body, headers)
