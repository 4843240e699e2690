"""GET /v1/games, /healthz and /readyz: what is not about one game."""

from __future__ import annotations

from collections import Counter
from typing import Any

import sqlalchemy as sa
from flask import Response, current_app

from engine.catalogue import Issue
from engine.game import Game
from service import play_routes, search
from service.answers import DisputedRule, GameEntry, GamesAnswer, Health, encode
from service.config import version
from service.games import GAMES
from service.languages import Voice, voice
from service.operations import JSON, Operation, language, reply
from service.queries import LanguageQuery
from service.store import Store
from service.terms import LANGUAGES

TAG = "general"


def operations() -> list[Operation]:
    """What can be asked of the service itself."""
    alive = encode(health())
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
        Operation(
            id="ready",
            path="/readyz",
            tag=TAG,
            summary="Say that the service can answer everything",
            description="The catalogs and the search index are loaded, and the database of plays can be read, where "
            "there is one. For whoever decides which server gets requests.",
            view=_ready,
            answer="Health",
            worded=False,
            fails=(500, 503),
        ),
    ]


def _ready() -> Response:
    plays = current_app.extensions.get(play_routes.EXTENSION)  # an application may serve none
    return Response(encode(ready(plays.store if plays else None)), content_type=JSON)


def ready(store: Store | None) -> Health:
    """That it answers everything, or a problem that says what it cannot."""
    if not search.is_warm():
        search.warm()  # under gunicorn it is, before there are workers
    if store is not None and store.exists():  # otherwise it is made when the first play is
        with store.reading() as connection:
            connection.execute(sa.select(sa.literal(1))).scalar_one()
    return Health(status="ready", version=version())


def health() -> Health:
    """That it answers."""
    return Health(status="ok", version=version())


def _games(query: dict[str, Any]) -> Response:
    lang = language(query.get("lang"))
    return reply(games(voice(lang)), lang)


def games(speaks: Voice) -> GamesAnswer:
    """All games."""
    return GamesAnswer(games=[_entry(game, speaks) for game in GAMES.values()])


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
