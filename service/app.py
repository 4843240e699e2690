"""The Flask application: every operation of the table, the document that describes them, and a page to try them."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from flask import Flask, Request, Response, redirect, request
from flask.sessions import NullSession, SessionInterface
from flask.typing import ResponseReturnValue
from flask_swagger_ui import get_swaggerui_blueprint
from werkzeug.exceptions import HTTPException
from werkzeug.middleware.proxy_fix import ProxyFix
from werkzeug.routing import Map, MapAdapter, RequestRedirect, Rule

from service import (
    at_once,
    components,
    compression,
    config,
    hardening,
    limits,
    openapi,
    operations,
    pages,
    play_routes,
    problems,
    table,
    watching,
)
from service.constants import kept
from service.games import GAMES
from service.languages import voice
from service.operations import OPEN_TO_PAGES, Reply
from service.play_tries import Tries
from service.terms import LANGUAGES, wordings

VIEWPORT = b'<meta name="viewport" content="width=device-width, initial-scale=1">'


class Straight(MapAdapter):
    """Addresses without a variable part are led straight to their rule, as each of them has but one."""

    map: Addresses

    def match(self, *asked: Any, **more: Any) -> Any:
        """The rule of the address that was asked for, and its variable parts."""
        ours = not asked and more == {"return_rule": True}  # as Flask asks it
        rule = self.map.straight.get((self.path_info, self.default_method)) if ours else None
        return super().match(*asked, **more) if rule is None else (rule, {})


class Addresses(Map):
    """All addresses."""

    @cached_property
    def straight(self) -> dict[tuple[str, str], Rule]:
        """Those without a variable part, by path and method."""
        return {
            (rule.rule, method): rule
            for rule in self.iter_rules()
            if not rule.arguments
            for method in rule.methods or ()
        }


class Ruleglot(Flask):
    """A Flask application without coroutines, and with nothing left to do behind an answer."""

    url_map_class = Addresses

    def ensure_sync(self, func: Callable[..., Any]) -> Callable[..., Any]:
        """No view is a coroutine; Flask would look at each of them again with every request."""
        return func

    def do_teardown_request(self, exc: Any = None) -> None:
        """Nobody waits for the end of a request."""

    def do_teardown_appcontext(self, exc: Any = None) -> None:
        """Nor for that of its context."""

    def create_url_adapter(self, request: Request | None) -> MapAdapter | None:
        """Addresses are told apart by their paths: nothing is looked up again that the request says already."""
        if request is None:
            return None
        host = ""
        if (trusted := self.config["TRUSTED_HOSTS"]) is not None:
            request.trusted_hosts = trusted
            host = request.host  # which is refused here if it is not one of them
        asked = request.query_string.decode(errors="replace")
        return Straight(
            self.url_map,
            host,
            request.root_path,
            "",
            request.scheme,
            request.path,
            request.method,
            asked,
        )

    def handle_http_exception(self, e: HTTPException) -> HTTPException | ResponseReturnValue:
        """A redirect to the same address with a slash names the path only, not the host that was asked for."""
        if isinstance(e, RequestRedirect):
            there = urlsplit(e.new_url)
            path = f"/{there.path.lstrip('/')}"
            return redirect(f"{path}?{there.query}" if there.query else path, e.code)
        return super().handle_http_exception(e)


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
    app.config.from_mapping(config.of_application())
    app.config.update(settings or {})
    if app.config["PROXIES"]:
        app.wsgi_app = ProxyFix(app.wsgi_app, x_for=app.config["PROXIES"])  # type: ignore[method-assign]
    problems.register(app)
    file = Path(app.config["COMPONENTS"]) if app.config["COMPONENTS"] else None
    served = table.operations(file)
    limits.register(app, served, {"join": Tries(lambda: play_routes.served().store)})
    app.after_request(_completed)
    operations.serve(app, served)
    play_routes.register(app, {name: components.load(file, game) for name, game in GAMES.items()})
    described = kept("/openapi.json", openapi.as_json, operations.JSON)
    app.add_url_rule("/openapi.json", "openapi", described)
    at_home = {
        "app_name": "Ruleglot",
        "validatorUrl": None,  # or the page would ask validator.swagger.io
        "oauth2RedirectUrl": "/docs/oauth2-redirect.html",  # or it would repeat the name that the server was asked by
    }
    docs = get_swaggerui_blueprint("/docs", "/openapi.json", at_home)
    docs.after_request(_fit_phones)
    app.register_blueprint(hardening.guard_docs(docs))
    pages.register(app)
    watching.register(app)
    at_once.register(app, served)
    for lang in LANGUAGES:  # catalogs and terms are read before the workers are forked
        voice(lang)
        wordings(lang)
    return app


def _fit_phones(response: Response) -> Response:
    """The list of operations in letters that can be read on a phone, which its own page forgets to ask for."""
    if response.mimetype == "text/html" and not response.direct_passthrough:
        response.set_data(response.get_data().replace(b"<head>", b"<head>" + VIEWPORT, 1))
    return response


def _completed(response: Response) -> Response:
    """An answer with every header that it lacks; a reply lacks none, and only its length is looked at."""
    if isinstance(response, Reply):
        return compression.compressed(response)
    for complete in (pages.shell.with_headers, hardening.guarded, _open_to_pages, compression.compressed):
        response = complete(response)
    return response


def _open_to_pages(response: Response) -> Response:
    """Any web page may ask and read what is answered, but for our own page: there a browser sends keys of itself."""
    if pages.shell.is_page():
        return response
    response.headers.extend(OPEN_TO_PAGES)
    if request.method == "OPTIONS":
        response.headers["Access-Control-Allow-Methods"] = "GET, POST, PATCH, DELETE, OPTIONS"
        response.headers["Access-Control-Allow-Headers"] = (
            "Content-Type, Accept-Language, Authorization, If-Match, Idempotency-Key, X-Api-Key, X-Request-Id"
        )
        response.headers["Access-Control-Max-Age"] = "86400"
    return response
