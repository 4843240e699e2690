"""The Flask application: routes to the engine, and nothing of the rules."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import orjson
from flask import Flask, Request, Response, redirect, request
from flask.sessions import NullSession, SessionInterface
from flask.typing import ResponseReturnValue
from flask_smorest import Api, Blueprint
from flask_swagger_ui import get_swaggerui_blueprint
from werkzeug.datastructures import Headers

from engine.game import Game
from service import audits, checks, components, openapi, problems, reference, schemas, transcripts
from service.config import MOST_REPLAY_BYTES, Config, version
from service.games import GAMES
from service.languages import LANGUAGES, Voice, negotiate, voice


class RuleglotApi(Api):
    """flask-smorest documents the API; failures are answered by problems.py."""

    ERROR_SCHEMA = schemas.ProblemBody

    def _register_error_handlers(self) -> None:
        """Leave the error handlers to problems.py."""


class Ruleglot(Flask):
    """A Flask application without coroutines."""

    def ensure_sync(self, func: Callable[..., Any]) -> Callable[..., Any]:
        """No view is a coroutine; Flask would look at each of them again with every request."""
        return func


class NoSessions(SessionInterface):
    """There are no sessions: what is under way is in the position."""

    _none = NullSession()

    def open_session(self, app: Flask, request: Request) -> NullSession:  # noqa: ARG002  Flask calls it so
        """The same nothing for every request."""
        return self._none


class GameBlueprint(Blueprint):
    """A blueprint whose arguments are read by our own parser."""

    ARGUMENTS_PARSER = schemas.Parser()


def create_app(settings: dict[str, Any] | None = None) -> Flask:
    """The application, ready to serve."""
    app = Ruleglot("ruleglot", static_folder=None)
    app.session_interface = NoSessions()
    app.config.from_object(Config)
    app.config.update(settings or {})
    problems.register(app)
    file = app.config["COMPONENTS"]
    api = RuleglotApi(app)
    openapi.describe(api)
    api.register_blueprint(_general())
    for game in GAMES.values():
        api.register_blueprint(_game(game, components.load(Path(file) if file else None, game)))
        api.register_blueprint(reference.blueprint(game, GameBlueprint))
    openapi.finish(api)
    at_home = {"app_name": "Ruleglot", "validatorUrl": None}  # or the page would ask validator.swagger.io
    app.register_blueprint(get_swaggerui_blueprint("/docs", "/openapi.json", at_home))
    app.add_url_rule("/", "home", lambda: redirect("/docs/"))
    app.after_request(_open_to_pages)
    for lang in LANGUAGES:
        voice(lang)  # catalogs are read before the workers are forked
    return app


def _open_to_pages(response: Response) -> Response:
    """Any web page may ask: there is nothing private here. (Flask-Cors costs a sixth of a whole check.)"""
    response.headers["Access-Control-Allow-Origin"] = "*"
    if request.method == "OPTIONS":
        response.headers["Access-Control-Allow-Methods"] = "GET, POST, OPTIONS"
        response.headers["Access-Control-Allow-Headers"] = "Content-Type, Accept-Language"
        response.headers["Access-Control-Max-Age"] = "86400"
    return response


def _language(asked: str | None) -> str:
    return asked or negotiate(request.headers.get("Accept-Language", ""))


class Reply(Response):
    """An answer whose headers are complete as they are."""

    def get_wsgi_headers(self, environ: dict[str, Any]) -> Headers:  # noqa: ARG002  werkzeug calls it so
        """What was set: there is no redirect or empty body to correct."""
        return self.headers


def _reply(body: dict[str, Any], lang: str) -> Response:
    """A JSON answer that says its language."""
    said = ", ".join(LANGUAGES) if lang == "all" else lang
    headers = [("Content-Type", "application/json"), ("Content-Language", said), ("Vary", "Accept-Language")]
    return Reply(checks.encode(body), headers=headers)


def _general() -> Blueprint:
    """What is not about one game."""
    blueprint = GameBlueprint("general", __name__, description="Which games are there?")

    @blueprint.route("/v1/games")
    @blueprint.arguments(schemas.LanguageQuery(), location="query")
    @blueprint.response(200, schemas.Games)
    def games(query: dict[str, Any]) -> ResponseReturnValue:
        """List the games, their action kinds, disputed rules and how many rules are known."""
        lang = _language(query.get("lang"))
        return _reply({"games": [_entry(game, voice(lang)) for game in GAMES.values()]}, lang)

    @blueprint.route("/healthz")
    @blueprint.response(200, schemas.Health)
    def health() -> ResponseReturnValue:
        """Say that the service answers."""
        return Response(orjson.dumps({"status": "ok", "version": version()}), content_type="application/json")

    return blueprint


def _entry(game: Game, speaks: Voice) -> dict[str, Any]:
    return {
        "name": game.name,
        "title": speaks.say(game.title, {}),
        "languages": LANGUAGES,
        "actions": [*game.actions, "continue"],
        "rules": Counter(rule.status for rule in game.catalogue.rules.values()),
        "issues": [
            {
                "id": issue.id,
                "name": issue.name,
                "preferred": issue.preferred,
                "text": speaks.say(issue.text, {}),
                "choices": {key: speaks.say(said, {}) for key, said in issue.choices.items()},
            }
            for issue in game.catalogue.issues.values()
        ],
    }


def _documented(*decorators: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """Document a view with flask-smorest, but call it directly: its wrappers cost a tenth of a whole check."""

    def decorate(view: Callable[[], ResponseReturnValue]) -> Callable[[], ResponseReturnValue]:
        described: Any = view
        for decorator in reversed(decorators):
            described = decorator(described)
        view._apidoc = described._apidoc  # type: ignore[attr-defined]
        return view

    return decorate


def _game(game: Game, printed: Any) -> Blueprint:
    """What is asked about one game; `printed` is what the server's components file tells of it."""
    blueprint = GameBlueprint(
        game.name, __name__, url_prefix=f"/v1/games/{game.name}", description=game.title.text
    )

    envelope = schemas.Envelope(game, printed)
    replays = schemas.ReplayEnvelope(game, printed)
    audited = schemas.PositionEnvelope(schemas.audit_request(game), game, printed)

    @blueprint.route("/check", methods=["POST"])
    @_documented(
        blueprint.arguments(
            envelope.schema, examples=openapi.request_examples(game), description="What to check"
        ),
        blueprint.response(200, schemas.check_answer(game)),
    )
    def check() -> ResponseReturnValue:
        """May this be done here, why or why not, and what does it lead to?"""
        body = envelope.read(schemas.body_of_request())
        lang = _language(body["lang"])
        return _reply(checks.answer(game, body, lang), lang)

    @blueprint.route("/replay", methods=["POST"])
    @_documented(
        blueprint.arguments(
            replays.schema, examples=openapi.replay_examples(game), description="The game to replay"
        ),
        blueprint.response(200, schemas.replay_answer(game)),
    )
    def replay() -> ResponseReturnValue:
        """Replay a game from its moves, up to the first that comes out otherwise than recorded."""
        body = replays.read(schemas.body_of_request(MOST_REPLAY_BYTES))
        lang = _language(body["lang"])
        return _reply(transcripts.answer(game, body, lang), lang)

    @blueprint.route("/audit", methods=["POST"])
    @_documented(
        blueprint.arguments(
            audited.schema, examples=openapi.audit_examples(game), description="The position to look at"
        ),
        blueprint.response(200, schemas.AuditAnswer),
    )
    def audit() -> ResponseReturnValue:
        """Is this position possible, as far as it is told?"""
        body = audited.read(schemas.body_of_request())
        lang = _language(body["lang"])
        return _reply(audits.answer(game, body, lang), lang)

    @blueprint.route("/actions")
    @blueprint.arguments(schemas.LanguageQuery(), location="query")
    @blueprint.response(200, schemas.Actions)
    def actions(query: dict[str, Any]) -> ResponseReturnValue:
        """List every action kind, its parameters and an example request."""
        lang = _language(query.get("lang"))
        body = {"game": game.name, "lang": lang, "actions": openapi.action_entries(game, voice(lang))}
        return _reply(body, lang)

    return blueprint
