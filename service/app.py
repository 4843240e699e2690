"""The Flask application: every operation of the table, the document that describes them, and a page to try them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
from flask import Flask, Request, Response, redirect, request
from flask.sessions import NullSession, SessionInterface
from flask_swagger_ui import get_swaggerui_blueprint

from service import openapi, operations, problems, table
from service.config import Config
from service.languages import voice
from service.terms import LANGUAGES


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


def create_app(settings: dict[str, Any] | None = None) -> Flask:
    """The application, ready to serve."""
    app = Ruleglot("ruleglot", static_folder=None)
    app.session_interface = NoSessions()
    app.config.from_object(Config)
    app.config.update(settings or {})
    problems.register(app)
    file = app.config["COMPONENTS"]
    served = table.operations(Path(file) if file else None)
    operations.serve(app, served)
    described = msgspec.json.encode(openapi.document(served))
    app.add_url_rule("/openapi.json", "openapi", lambda: Response(described, content_type="application/json"))
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
