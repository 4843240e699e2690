"""GET /v1/games and /healthz: what is not about one game."""

from __future__ import annotations

from collections import Counter
from typing import Any

from flask import Response

from engine.catalogue import Issue
from engine.game import Game
from service.answers import DisputedRule, GameEntry, GamesAnswer, Health, encode
from service.config import version
from service.games import GAMES
from service.languages import Voice, voice
from service.operations import JSON, Operation, language, reply
from service.queries import LanguageQuery
from service.terms import LANGUAGES

TAG = "general"


def operations() -> list[Operation]:
    """What can be asked of the service itself."""
    alive = encode(Health(status="ok", version=version()))
    return [
        Operation(
            id="games",
            path="/v1/games",
            tag=TAG,
            summary="List the games",
            description="Each with its action kinds, its disputed rules and how many rules are known.",
            view=_games,
            query=LanguageQuery(),
            answer="GamesAnswer",
        ),
        Operation(
            id="health",
            path="/healthz",
            tag=TAG,
            summary="Say that the service answers",
            description="For whoever watches over it; it costs next to nothing.",
            view=lambda: Response(alive, content_type=JSON),
            answer="Health",
            worded=False,
        ),
    ]


def _games(query: dict[str, Any]) -> Response:
    lang = language(query.get("lang"))
    speaks = voice(lang)
    return reply(GamesAnswer(games=[_entry(game, speaks) for game in GAMES.values()]), lang)


def _entry(game: Game, speaks: Voice) -> GameEntry:
    return GameEntry(
        name=game.name,
        title=speaks.say(game.title, {}),
        languages=LANGUAGES,
        actions=[*game.actions, "continue"],
        rules=Counter(rule.status for rule in game.catalogue.rules.values()),
        issues=[_disputed(issue, speaks) for issue in game.catalogue.issues.values()],
    )


def _disputed(issue: Issue, speaks: Voice) -> DisputedRule:
    return DisputedRule(
        id=issue.id,
        name=issue.name,
        preferred=issue.preferred,
        text=speaks.say(issue.text, {}),
        choices={key: speaks.say(said, {}) for key, said in issue.choices.items()},
    )
