"""What every screen shares: its language, who is looking, its headers, and what is said when something goes wrong."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlencode, urlsplit

from flask import (
    Blueprint,
    Flask,
    Response,
    g,
    make_response,
    redirect,
    render_template,
    request,
)
from werkzeug.exceptions import HTTPException

from engine.exceptions import Unreadable
from service import compression, logs, problems, watching
from service.headlines import printed_rule
from service.languages import negotiate, reader
from service.pages import phrases, statics, words
from service.play_problems import OtherVersion, Problem
from service.terms import LANGUAGES, Language

PREFIX = "page_"  # of the name of every blueprint of the page
YEAR = 365 * 24 * 60 * 60
LEAST_COMPRESSED = 1024
LOOKS_ON = ("no-key", "wrong-key")  # problems of a browser that may not change a play
HEADERS = {
    "Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    "connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
    "Referrer-Policy": "same-origin",
    "X-Content-Type-Options": "nosniff",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}


def screens(name: str) -> Blueprint:
    """The blueprint of a group of screens, with everything that they share."""
    made = Blueprint(f"{PREFIX}{name}", __name__, template_folder="templates")
    made.before_request(_prepare)
    made.register_error_handler(Problem, _problem)
    made.register_error_handler(Unreadable, lambda error: _problem(problems.unreadable(error)))
    made.register_error_handler(HTTPException, _http)
    made.register_error_handler(Exception, _unexpected)
    return made


def register(app: Flask) -> None:
    """Write the page without empty lines, and say in its words where there is nothing."""
    app.jinja_env.trim_blocks = app.jinja_env.lstrip_blocks = True
    app.register_error_handler(404, _nowhere)


def is_page() -> bool:
    """Is this request one for the page?"""
    return (request.blueprint or "").startswith(PREFIX) or "is_page" in g


# -- the language -------------------------------------------------------------------------------------


def lang() -> Language:
    """The reader's language: that of the address, else of his cookie, else of his browser."""
    for told in (request.args.get("lang"), request.cookies.get("lang")):
        if told in LANGUAGES:
            return told
    return negotiate(request.headers.get("Accept-Language", ""))


def keep_language(response: Any, chosen: str) -> None:
    """Let the browser remember a language."""
    response.set_cookie("lang", chosen, max_age=YEAR, httponly=True, samesite="Lax", secure=request.is_secure)


# -- before and after ---------------------------------------------------------------------------------


def _prepare() -> None:
    """A form that another site sends is not carried out."""
    origin = request.headers.get("Origin")
    if request.method == "POST" and origin is not None and urlsplit(origin).netloc != request.host:
        raise ForeignForm


class ForeignForm(HTTPException):
    """A form that another site has sent."""

    code = 403


def with_headers(response: Response) -> Response:
    """An answer of the page with its headers; any other as it is."""
    if not is_page():
        return response
    for name, value in HEADERS.items():
        response.headers.setdefault(name, value)
    response.headers.setdefault("Cache-Control", "no-store")
    if request.args.get("lang") in LANGUAGES and request.cookies.get("lang") != request.args["lang"]:
        keep_language(response, request.args["lang"])
    return compression.compressed(response, LEAST_COMPRESSED)


# -- showing ------------------------------------------------------------------------------------------


PROSE = ("report.html",)  # as long as the game: its lines are broken as the browser breaks them


def page(template: str, status: int = 200, **shown: Any) -> Response:
    """A screen in the reader's language."""
    spoken = lang()
    text = render_template(
        template,
        lang=spoken,
        say=words.sayer(spoken),
        own_names=words.OWN_NAMES,
        static=statics.address,
        here=_here(),
        kept=kept,
        keys_on=request.cookies.get("keys") != "off",
        section=lambda rule: printed_rule(rule, reader(spoken)),
        once=lambda rules: {printed_rule(rule, reader(spoken)): rule for rule in reversed(rules)}.values(),
        **shown,
    )
    marks = _has_japanese(text, spoken) and template not in PROSE
    response = make_response(phrases.marked(text) if marks else text, status)
    response.headers["Content-Language"] = spoken
    response.headers["Vary"] = "Accept-Language, Cookie"
    return response


def _has_japanese(text: str, spoken: Language) -> bool:
    """Is there Japanese to read, beside the name of the language in the menu?"""
    return spoken == "ja" or text.count('lang="ja"') > 1


def _here() -> str:
    """The address of this screen, without the language it is asked for in; that of a form is where it was asked."""
    if request.method == "POST":
        back = urlsplit(request.referrer or "/")
        return local(f"{back.path}?{back.query}" if back.query else back.path)
    query = "&".join(
        part for part in request.query_string.decode().split("&") if not part.startswith("lang=")
    )
    return f"{request.path}?{query}" if query else request.path


UNSENT = ("mode", "after", "held", "step", "some", "number", "name")
HOLDS = ("die-", "is-")  # what the controls of a pad begin with


def unsent() -> list[tuple[str, str]]:
    """What was chosen of an answer and not sent yet, as the address of this screen has it."""
    return [
        (name, value)
        for name, value in request.args.items(multi=True)
        if name in UNSENT or name.startswith(HOLDS)
    ]


def kept(address: str) -> str:
    """An address within the same play, to which what was not sent yet is taken along."""
    told = unsent()
    if not told:
        return address
    path, mark, part = address.partition("#")
    return f"{path}?{urlencode(told)}{mark}{part}"


def local(address: str) -> str:
    """An address of this site; whatever leads elsewhere is the home page."""
    parts = urlsplit(address)
    inside = (
        not parts.scheme and not parts.netloc and address.startswith("/") and not address.startswith("//")
    )
    return address if inside and "\\" not in address else "/"


def see(address: str) -> Any:
    """Look at another address."""
    return redirect(address, 303)


# -- when something goes wrong ------------------------------------------------------------------------


def notice(sentence: str, status: int, back: str = "/", leads: str = "") -> Response:
    """One sentence, and a way out; it is called as what it `leads` to."""
    return page("notice.html", status, sentence=sentence, back=back, leads=leads)


def _problem(problem: Problem) -> Response:
    watching.note_problem(problem.code)
    if problem.code in LOOKS_ON:
        return notice(words.sayer(lang())("watching"), 401, "/join", "join")
    status, _ = problems.PROBLEMS[problem.code]
    status = 409 if isinstance(problem, OtherVersion) else status
    return notice(problems.sentences(problem, reader(lang())), status)


def _http(error: HTTPException) -> Any:
    if error.code is not None and error.code < 400:
        return error.get_response()
    say = words.sayer(lang())
    if isinstance(error, ForeignForm):
        return notice(say("from-elsewhere"), 403)
    return notice(say("not-found" if error.code == 404 else "not-read"), error.code or 400)


def _nowhere(error: HTTPException) -> Any:
    """An address that nothing is at, in words for a reader and as a problem for a program."""
    reader_asks = "text/html" in request.headers.get("Accept", "") and not request.path.startswith("/v1/")
    if not reader_asks:
        return problems.of_http(error)
    g.is_page = True
    return _http(error)


def _unexpected(error: Exception) -> Response:
    logs.unexpected(error)
    watching.note_problem("server-error")
    return notice(
        words.sayer(lang())("went-wrong"), 500, request.full_path if request.method == "GET" else "/"
    )
