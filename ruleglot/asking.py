"""Everything that can be asked, the same of a server (`Client`) and in this process (`Engine`)."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple, cast

from ruleglot.types import (
    Action,
    AuditAnswer,
    BatchAnswer,
    CheckAnswer,
    Input,
    OddsAnswer,
    OptionsAnswer,
    Position,
    ReplayAnswer,
    RuleEntry,
    RuleHits,
)

Json = dict[str, Any]
Told = Mapping[str, Any] | None


class Operation(NamedTuple):
    """Where a question is asked of a server."""

    method: str
    path: str


IN_GAME = "/v1/games/{game}"
# Each by the name of the method that asks it.
OPERATIONS = {
    "games": Operation("get", "/v1/games"),
    "health": Operation("get", "/healthz"),
    "ready": Operation("get", "/readyz"),
    "check": Operation("post", f"{IN_GAME}/check"),
    "check_batch": Operation("post", f"{IN_GAME}/check/batch"),
    "options": Operation("post", f"{IN_GAME}/options"),
    "odds": Operation("post", f"{IN_GAME}/odds"),
    "replay": Operation("post", f"{IN_GAME}/replay"),
    "audit": Operation("post", f"{IN_GAME}/audit"),
    "actions": Operation("get", f"{IN_GAME}/actions"),
    "rules": Operation("get", f"{IN_GAME}/rules"),
    "rule": Operation("get", f"{IN_GAME}/rules/{{rule_id}}"),
    "issues": Operation("get", f"{IN_GAME}/issues"),
    "issue": Operation("get", f"{IN_GAME}/issues/{{issue_id}}"),
    "terms": Operation("get", f"{IN_GAME}/terms"),
    "term": Operation("get", f"{IN_GAME}/terms/{{term_id}}"),
    "terms_csv": Operation("get", f"{IN_GAME}/terms.csv"),
    "terms_tbx": Operation("get", f"{IN_GAME}/terms.tbx"),
    "scenarios": Operation("get", f"{IN_GAME}/scenarios"),
    "scenario": Operation("get", f"{IN_GAME}/scenarios/{{scenario_id}}"),
    "charts": Operation("get", f"{IN_GAME}/charts"),
    "chart": Operation("get", f"{IN_GAME}/charts/{{procedure}}"),
    "sources": Operation("get", f"{IN_GAME}/sources"),
    "everything": Operation("get", f"{IN_GAME}/everything.json"),
}


# What holds where a request does not say it: it need not be sent.
UNSAID: Json = {
    "inputs": [],
    "kinds": [],
    "closed": False,
    "assume": True,
    "illegal": True,
    "image": False,
    "record": False,
    "from": 0,
    "after": 0,
    "at": "",
    "done": "",
    "lang": "",
}


def said(**told: Any) -> Json:
    """What a request says: nothing that is not told, or that holds anyway."""
    return {name: part for name, part in told.items() if part is not None and part != UNSAID.get(name)}


class Asking(ABC):
    """Everything that can be asked; `lang` is en, fr, it, ja or all, and may be said once for all questions."""

    def __init__(self, lang: str | None = None) -> None:
        self.lang = lang

    @abstractmethod
    def ask(self, name: str, path: Mapping[str, str], query: Mapping[str, Any], body: Told) -> Any:
        """The answer to one operation; whoever calls it has filled in what it takes."""

    def _get(
        self, name: str, lang: str | None = None, path: Mapping[str, str] | None = None, **query: Any
    ) -> Any:
        return self.ask(name, path or {}, said(lang=lang or self.lang, **query), None)

    def _post(self, name: str, game: str, lang: str | None, **body: Any) -> Any:
        return self.ask(name, {"game": game}, {}, said(**body, lang=lang or self.lang))

    # -- about a position --------------------------------------------------------------------------

    def check(
        self,
        game: str,
        position: Position,
        action: Action,
        inputs: Sequence[Input] = (),
        *,
        choices: Mapping[str, str] | None = None,
        components: Told = None,
        closed: bool = False,
        assume: bool = True,
        lang: str | None = None,
    ) -> CheckAnswer:
        """May this be done here, why or why not, and what does it lead to?

        `closed` adds what is not open at the question that follows, with the reasons. Without `assume` nothing is taken
        for granted, neither here nor in the other questions that take it.
        """
        told = {"choices": choices, "components": components, "closed": closed, "assume": assume}
        answer = self._post(
            "check", game, lang, position=position, action=action, inputs=list(inputs), **told
        )
        return cast(CheckAnswer, answer)

    def check_batch(
        self,
        game: str,
        position: Position,
        actions: Sequence[Mapping[str, Any]],
        *,
        choices: Mapping[str, str] | None = None,
        components: Told = None,
        assume: bool = True,
        lang: str | None = None,
    ) -> BatchAnswer:
        """The same for several actions, each `{"action": …, "inputs": […]}`, on one position."""
        told = {"choices": choices, "components": components, "assume": assume}
        answer = self._post("check_batch", game, lang, position=position, actions=list(actions), **told)
        return cast(BatchAnswer, answer)

    def options(
        self,
        game: str,
        position: Position,
        *,
        kinds: Sequence[str] = (),
        illegal: bool = True,
        choices: Mapping[str, str] | None = None,
        components: Told = None,
        assume: bool = True,
        lang: str | None = None,
    ) -> OptionsAnswer:
        """What may be done on a position, kind by kind."""
        told = {"choices": choices, "components": components, "illegal": illegal, "assume": assume}
        answer = self._post("options", game, lang, position=position, kinds=list(kinds), **told)
        return cast(OptionsAnswer, answer)

    def odds(
        self,
        game: str,
        position: Position,
        action: Action,
        inputs: Sequence[Input] = (),
        *,
        policy: Told = None,
        vary: Told = None,
        image: bool = False,
        choices: Mapping[str, str] | None = None,
        components: Told = None,
        assume: bool = True,
        lang: str | None = None,
    ) -> OddsAnswer:
        """How likely an action comes to what."""
        read = {"choices": choices, "components": components, "assume": assume}
        told = {"policy": policy, "vary": vary, "image": image, **read}
        answer = self._post("odds", game, lang, position=position, action=action, inputs=list(inputs), **told)
        return cast(OddsAnswer, answer)

    def audit(
        self,
        game: str,
        position: Position,
        *,
        choices: Mapping[str, str] | None = None,
        components: Told = None,
        lang: str | None = None,
    ) -> AuditAnswer:
        """Is this position possible at all?"""
        told = {"choices": choices, "components": components}
        return cast(AuditAnswer, self._post("audit", game, lang, position=position, **told))

    def replay(
        self,
        game: str,
        position: Position,
        moves: Sequence[Mapping[str, Any]],
        *,
        record: bool = False,
        after: int = 0,
        limit: int | None = None,
        choices: Mapping[str, str] | None = None,
        components: Told = None,
        lang: str | None = None,
    ) -> ReplayAnswer:
        """A game played again from its moves, up to the first that comes out otherwise than recorded.

        A server plays a long one in pages: `next` is what `after` has to be for the following one, or None.
        """
        told = {"choices": choices, "components": components, "record": record, "from": after, "limit": limit}
        return cast(
            ReplayAnswer, self._post("replay", game, lang, position=position, moves=list(moves), **told)
        )

    # -- what can be looked up ---------------------------------------------------------------------

    def games(self, *, lang: str | None = None) -> Json:
        """The games, their action kinds and their disputed rules."""
        return cast(Json, self._get("games", lang))

    def health(self) -> Json:
        """That it answers, and in which version."""
        return cast(Json, self.ask("health", {}, {}, None))

    def ready(self) -> Json:
        """That it can answer everything: rules loaded, the database of plays there."""
        return cast(Json, self.ask("ready", {}, {}, None))

    def actions(self, game: str, *, lang: str | None = None) -> Json:
        """Every action kind with its parameters as questions."""
        return cast(Json, self._get("actions", lang, {"game": game}))

    def rules(self, game: str, question: str, *, limit: int = 10, lang: str | None = None) -> RuleHits:
        """The rules that answer a question, asked in any of the languages."""
        return cast(RuleHits, self._get("rules", lang, {"game": game}, q=question, limit=limit))

    def rule(self, game: str, rule_id: str, *, lang: str | None = None) -> RuleEntry:
        """One rule."""
        return cast(RuleEntry, self._get("rule", lang, {"game": game, "rule_id": rule_id}))

    def issues(self, game: str, *, lang: str | None = None) -> Json:
        """Every point where the documents disagree."""
        return cast(Json, self._get("issues", lang, {"game": game}))

    def issue(self, game: str, issue_id: str, *, lang: str | None = None) -> Json:
        """The disputed points of one number or name."""
        return cast(Json, self._get("issue", lang, {"game": game, "issue_id": issue_id}))

    def terms(self, game: str, word: str = "") -> Json:
        """The concepts that a word belongs to, in every language; without a word, all of them."""
        return cast(Json, self.ask("terms", {"game": game}, {"q": word} if word else {}, None))

    def term(self, game: str, term_id: str) -> Json:
        """One concept."""
        return cast(Json, self.ask("term", {"game": game, "term_id": term_id}, {}, None))

    def terms_csv(self, game: str) -> str:
        """The termbase as CSV."""
        return cast(str, self.ask("terms_csv", {"game": game}, {}, None))

    def terms_tbx(self, game: str) -> str:
        """The termbase as TBX."""
        return cast(str, self.ask("terms_tbx", {"game": game}, {}, None))

    def scenarios(self, game: str, *, lang: str | None = None) -> Json:
        """Every set-up as a position, with what the player still chooses."""
        return cast(Json, self._get("scenarios", lang, {"game": game}))

    def scenario(self, game: str, scenario_id: str, *, lang: str | None = None) -> Json:
        """One set-up."""
        return cast(Json, self._get("scenario", lang, {"game": game, "scenario_id": scenario_id}))

    def charts(self, game: str, *, lang: str | None = None) -> Json:
        """Every chart."""
        return cast(Json, self._get("charts", lang, {"game": game}))

    def chart(
        self, game: str, procedure: str, *, at: str = "", done: Sequence[str] = (), lang: str | None = None
    ) -> Json:
        """The rows of one chart; `at` is the row somebody stands at, `done` names the rows passed."""
        path = {"game": game, "procedure": procedure}
        return cast(Json, self._get("chart", lang, path, at=at, done=",".join(done)))

    def sources(self, game: str, *, lang: str | None = None) -> Json:
        """The documents everything rests on."""
        return cast(Json, self._get("sources", lang, {"game": game}))

    def everything(self, game: str) -> Json:
        """All rules, disputed points and terms in every language."""
        return cast(Json, self.ask("everything", {"game": game}, {}, None))
