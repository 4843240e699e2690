"""POST …/check, …/check/batch, …/options, …/replay, …/audit and GET …/actions: what is asked about a position of one game."""

from __future__ import annotations

from typing import Any

from flask import Response

from engine import schemas
from engine.game import Game
from service import audits, batches, checks, examples, odds, options, prices, transcripts, worked_examples
from service.answers import ActionEntry, ActionsAnswer
from service.bodies import schema_prefix
from service.config import MOST_REPLAY_BYTES
from service.languages import Voice, voice
from service.operations import Operation, Reply, language, language_of, link, reply
from service.queries import LanguageQuery
from service.questions import parameters
from service.requests import (
    AskedAudit,
    AskedBatch,
    AskedCheck,
    AskedOdds,
    AskedOptions,
    AskedReplay,
    AuditReader,
    BatchReader,
    CheckReader,
    OddsReader,
    OptionsReader,
    ReplayReader,
    body_of,
    body_of_request,
)
from service.typed_forms import NAMED


class Asking:
    """What is asked about one game; `printed` is what the server's components file tells of it."""

    def __init__(self, game: Game, printed: Any) -> None:
        self._game = game
        self._checks = CheckReader(game, printed)
        self._odds = OddsReader(game, printed)
        self._batches = BatchReader(game, printed)
        self._options = OptionsReader(game, printed)
        self._replays = ReplayReader(game, printed, prices.spent)
        self._audits = AuditReader(game, printed)

    def operations(self) -> list[Operation]:
        """Every operation that asks about a position."""
        game = self._game
        at, own, tag = f"/v1/games/{game.name}", schema_prefix(game), game.title.text
        name = own[0].lower() + own[1:]
        return [
            Operation(
                id=f"{name}Check",
                path=f"{at}/check",
                tag=tag,
                method="post",
                summary="Check an action on a position",
                description="May this be done here, why or why not, and what does it lead to? An action that is not "
                "allowed is an answer like any other. A fact that is left out is not told, and is asked for where "
                "it decides; null says that there is none; a collection that is given is complete.",
                view=self.check,
                at_once=self.check_at_once,
                body=self._checks.body,
                examples=lambda: examples.of_checks(game),
                answer=f"{own}CheckAnswer",
                links={
                    "goOn": link(
                        f"{name}Check",
                        "Go on: send `position` of this answer with the action `continue`, and the answer to "
                        "`pending` in `inputs`.",
                    ),
                    "options": link(
                        f"{name}Options",
                        "What may be done next: send `position` of this answer.",
                    ),
                },
            ),
            Operation(
                id=f"{name}CheckBatch",
                path=f"{at}/check/batch",
                tag=tag,
                method="post",
                summary="Check several actions on one position",
                description="Each by itself on the position that was sent, which is read once; the answers come in "
                "the order of the actions.",
                view=self.batch,
                body=self._batches.body,
                examples=lambda: examples.of_batches(game),
                answer=f"{own}BatchAnswer",
            ),
            Operation(
                id=f"{name}Options",
                path=f"{at}/options",
                tag=tag,
                method="post",
                summary="Say what may be done on a position",
                description="Every action kind: allowed ones with each action and what it costs, the others with "
                "their reasons, or with the facts that decide. Inside a procedure, what the waiting step takes.",
                view=self.options,
                body=self._options.body,
                examples=lambda: examples.of_options(game),
                answer="OptionsAnswer",
                links={
                    "check": link(
                        f"{name}Check",
                        "Carry one out: send the same position with an `action` that is listed.",
                    )
                },
            ),
            Operation(
                id=f"{name}Odds",
                path=f"{at}/odds",
                tag=tag,
                method="post",
                summary="Say how likely an action comes to what",
                description="Every die and every draw is followed through the rules themselves, exactly as far as the "
                "work of one request goes, and sampled beyond. Decisions inside follow the policy; without one the "
                "answers to the first are listed apart.",
                view=self.odds,
                body=self._odds.body,
                budget="dear",
                examples=lambda: examples.of_odds(game),
                answer="OddsAnswer",
            ),
            Operation(
                id=f"{name}Replay",
                path=f"{at}/replay",
                tag=tag,
                method="post",
                summary="Replay a game from its moves",
                description="Up to the first move that comes out otherwise than recorded, with the report of the "
                "session.",
                view=self.replay,
                body=self._replays.body,
                budget="dear",
                examples=lambda: examples.of_replays(game),
                answer=f"{own}ReplayAnswer",
                links={
                    "goOn": link(
                        f"{name}Check",
                        "Go on: send `position` of this answer with the action `continue`.",
                    )
                },
            ),
            Operation(
                id=f"{name}Audit",
                path=f"{at}/audit",
                tag=tag,
                method="post",
                summary="Say whether a position is possible",
                description="Everything that speaks against it, as far as it is told. A number out of its range, or "
                "an agenda that names no step, is a finding and no error.",
                view=self.audit,
                body=self._audits.body,
                examples=lambda: examples.of_audits(game),
                answer="AuditAnswer",
            ),
            Operation(
                id=f"{name}Actions",
                path=f"{at}/actions",
                tag=tag,
                summary="List every action kind",
                description="Each with its rule, a sentence, the schema of its parameters and an example request.",
                view=self.actions,
                query=LanguageQuery(),
                answer="ActionsAnswer",
            ),
        ]

    def check(self) -> Response:
        """May this be done here?"""
        return self._checks.answer(
            body_of_request(), lambda asked: self._checked(asked, language(asked.lang))
        )

    def check_at_once(self, environ: Any) -> Reply:
        """The same of a request that names no language in its address."""
        return self._checks.answer(
            body_of(environ), lambda asked: self._checked(asked, asked.lang or language_of(environ))
        )

    def _checked(self, asked: AskedCheck, lang: str) -> Reply:
        return reply(checks.answer(self._game, asked, lang), lang)

    def batch(self) -> Response:
        """May each of these be done here?"""
        return self._batches.answer(body_of_request(), self._batch_checked)

    def _batch_checked(self, asked: AskedBatch) -> Response:
        lang = language(asked.lang)
        return reply(batches.answer(self._game, asked, lang), lang)

    def options(self) -> Response:
        """What may be done here?"""
        return self._options.answer(body_of_request(), self._listed)

    def _listed(self, asked: AskedOptions) -> Response:
        lang = language(asked.lang)
        return reply(options.answer(self._game, asked, lang), lang)

    def odds(self) -> Response:
        """What are the chances?"""
        return self._odds.answer(body_of_request(), self._with_odds)

    def _with_odds(self, asked: AskedOdds) -> Response:
        lang = language(asked.lang)
        return reply(odds.answer(self._game, asked, lang), lang)

    def replay(self) -> Response:
        """How did this game go?"""
        return self._replays.answer(body_of_request(MOST_REPLAY_BYTES), self._replayed)

    def _replayed(self, asked: AskedReplay) -> Response:
        lang = language(asked.lang)
        return reply(transcripts.answer(self._game, asked, lang), lang)

    def audit(self) -> Response:
        """Is this position possible?"""
        return self._audits.answer(body_of_request(), self._audited)

    def _audited(self, asked: AskedAudit) -> Response:
        lang = language(asked.lang)
        return reply(audits.answer(self._game, asked, lang), lang)

    def actions(self, query: dict[str, Any]) -> Response:
        """What can be asked about at all?"""
        lang = language(query.get("lang"))
        return reply(actions(self._game, voice(lang)), lang)


def actions(game: Game, speaks: Voice) -> ActionsAnswer:
    """Every action kind of a game."""
    return ActionsAnswer(game=game.name, lang=speaks.lang, actions=_action_entries(game, speaks))


def _action_entries(game: Game, speaks: Voice) -> list[ActionEntry]:
    """Every action kind with its parameters and an example request."""
    shown = {name: worked_examples.by_kind(game.name).get(name) for name in game.actions}
    return [
        ActionEntry(
            kind=name,
            rule=action.rule,
            text=speaks.say(action.says, {}),
            title=speaks.say(NAMED, {"value": action.term}),
            parameters=_parameters(action.kind),
            asks=parameters(game, action, speaks),
            example=worked_examples.as_request(shown[name][0]) if shown[name] else None,  # type: ignore[index]  # it is one
        )
        for name, action in game.actions.items()
    ]


def _parameters(kind: Any) -> schemas.Schema:
    """The schema of an action by itself, with what it calls inside it."""
    whole = schemas.of(kind)
    inside = {name: schema for name, schema in whole["$defs"].items() if name != kind.__name__}
    own: schemas.Schema = whole["$defs"][kind.__name__]
    shown: schemas.Schema = _without_words({**own, "$defs": inside} if inside else own)
    return shown


def _without_words(schema: Any) -> Any:
    """A schema without its descriptions, which are English: the reader's words are in the questions beside it."""
    if isinstance(schema, dict):
        return {key: _without_words(value) for key, value in schema.items() if key != "description"}
    return [_without_words(one) for one in schema] if isinstance(schema, list) else schema
