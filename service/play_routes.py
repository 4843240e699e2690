"""The addresses of plays: requests put to the functions of plays.py, and what they give as answers."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Any, NamedTuple, TypeVar

import orjson
from flask import Blueprint, Flask, Response, current_app, request
from flask.typing import ResponseReturnValue
from msgspec import structs
from sqlalchemy.engine import Connection

from engine import transcript
from engine.exceptions import Unreadable
from service import (
    play_access,
    play_kept,
    play_keys,
    play_questions,
    play_records,
    play_repeats,
    play_standing,
    play_starts,
    plays,
    prices,
    problems,
)
from service.answers import encode
from service.config import MOST_BYTES, MOST_COPY_BYTES, MOST_REPLAY_BYTES
from service.games import GAMES
from service.languages import ALL
from service.limits import address_of
from service.play_fields import action, inputs_list, readings, text, value, whole_number
from service.play_kept import Bounds, Play
from service.play_keys import Entered
from service.play_problems import Damaged, OtherVersion, Problem
from service.play_repeats import Repeatable, repeatable
from service.play_requests import Body, BodyWithTranscript, bearer_key, language, means, names, query_number
from service.play_starts import LONGEST_NAME
from service.plays import Sent
from service.store import Store
from service.terms import LANGUAGES

LONGEST_NOTE = 1_000
LONGEST_CODE = 40  # with whatever people write between its letters
MOST_STEPS = 1_000  # undone at once
LARGEST = 10**9 - 1  # number of a move that a query may name

EXTENSION = "ruleglot-plays"  # under which an application keeps what it serves plays from
SHOWN_OF_ID = 8  # characters of the id of a damaged play in the log
LOG = logging.getLogger("ruleglot.plays")
NO_STORE = {"Cache-Control": "no-store"}  # an answer with a secret
LOOKS = 5  # at a play that changes all the time
Seen = TypeVar("Seen")
Work = Callable[[Play, Repeatable | None], dict[str, Any]]

blueprint = Blueprint("plays", __name__)


class Served(NamedTuple):
    """Where plays are kept, how much of them, and what the server's components file tells of each game."""

    store: Store
    bounds: Bounds
    printed: Mapping[str, Any]


def register(app: Flask, printed: Mapping[str, Any]) -> None:
    """Serve plays."""
    bounds = Bounds(app.config["PLAYS_PER_ADDRESS"], app.config["PLAY_MOVES"], app.config["PLAY_BYTES"])
    app.extensions[EXTENSION] = Served(Store(app.config["STORE"]), bounds, printed)
    app.register_error_handler(OtherVersion, _other_version)
    app.register_error_handler(Damaged, _damaged)
    app.register_blueprint(blueprint)


def served() -> Served:
    """What this application serves plays from."""
    found: Served = current_app.extensions[EXTENSION]
    return found


# -- answers -----------------------------------------------------------------------------------------


def _reply(body: Any, lang: str, headers: Mapping[str, str] | None = None, status: int = 200) -> Response:
    said = ", ".join(LANGUAGES) if lang == ALL else lang
    made = {"Content-Type": "application/json", "Content-Language": said, "Vary": "Accept-Language"}
    return Response(encode(body), status, {**made, **(headers or {})})


def _as_it_stands(play: str, lang: str) -> Response:
    found = play_kept.find(served().store, play)
    return _reply(play_standing.state(found, lang), lang, _etag(found.version))


def _etag(version: int) -> dict[str, str]:
    return {"ETag": f'"{version}"', "Cache-Control": "no-cache"}


def _damaged(problem: Damaged) -> Response:
    """The problem, and a line for whoever keeps the database; a whole id would let its readers in."""
    play = (request.view_args or {}).get("play", "")
    LOG.error("the play whose id begins with %s is damaged: it cannot be read", play[:SHOWN_OF_ID])
    return problems.answer(problem, problems.asked_language())


def _other_version(problem: OtherVersion) -> Response:
    """The problem, with the newest version in it."""
    response = problems.answer(problem, problems.asked_language())
    response.set_data(encode({**orjson.loads(response.get_data()), "version": problem.version}))
    response.headers["ETag"] = f'"{problem.version}"'
    return response


@blueprint.after_request
def _with_headers(response: Response) -> Response:
    """What some statuses have to say in a header."""
    if response.status_code == 401:
        response.headers["WWW-Authenticate"] = "Bearer"
    if response.status_code == 503:
        response.headers["Retry-After"] = "5"
    return response


# -- starting, and joining ---------------------------------------------------------------------------


@blueprint.post("/v1/games/<name>/plays")
def play_create(name: str) -> ResponseReturnValue:
    """Start a play: from a scenario, a position, a transcript, or nothing."""
    if name not in GAMES:
        raise Problem("unknown-game")
    store, bounds, printed = served()
    store.upgrade()  # the first play of all makes the tables, and is not charged for them
    spent = prices.spent(prices.MOST_BROUGHT_IN)
    body = BodyWithTranscript(MOST_REPLAY_BYTES, *play_starts.FIELDS)
    start = play_starts.read_start(GAMES[name], body, printed[name], spent)
    whose = _owner()
    repeat = _repeatable(f"owner:{whose}", body)
    return _entered(repeat, body, 201, lambda: play_starts.create(store, start, whose, bounds, repeat))


@blueprint.post("/v1/plays/join")
def play_join() -> ResponseReturnValue:
    """Get a key of one's own for a play, by a code that somebody who has one asked for."""
    body = Body(MOST_BYTES, "code")
    body.need("code")
    code = body.get("code", text(LONGEST_CODE), "")
    body.done()
    repeat = _repeatable(f"owner:{_owner()}", body) if "Idempotency-Key" in request.headers else None
    return _entered(repeat, body, 200, lambda: play_access.join(served().store, code, repeat))


def _owner() -> str:
    """Who starts or joins plays, as it is kept."""
    return play_starts.owner(served().store, address_of(request.remote_addr or ""))


def _repeatable(scope: str, body: Body | None = None) -> Repeatable | None:
    """A request that may come again, if it says so."""
    sent = b"" if body is None else body.bytes
    return repeatable(scope, request.headers.get("Idempotency-Key"), request.full_path, sent)


def _entered(repeat: Repeatable | None, body: Body, status: int, enter: Callable[[], Entered]) -> Response:
    """A play with a key that is shown only now."""
    store, lang = served().store, language(body.lang)

    def work(_: None) -> dict[str, Any]:
        return structs.asdict(enter())

    made, again = play_repeats.once(store, repeat, lambda _: None, lambda _: None, work)
    if again and repeat is not None:
        made = structs.asdict(play_access.enter_again(store, repeat, made))
    play = play_kept.find(store, made["id"])
    headers = {**_etag(play.version), "Location": f"/v1/plays/{play.id}", **NO_STORE}
    told = {"key": made["key"], "key_number": made["number"]}
    return _reply({**play_standing.state(play, lang), **told}, lang, headers, status)


# -- looking at one ----------------------------------------------------------------------------------


def _read_whole(play: str, look: Callable[[Play], Seen]) -> tuple[Play, Seen]:
    """A play and what its moves show; where somebody moves meanwhile, both are read again."""
    for _ in range(LOOKS):
        found = play_kept.find(served().store, play)
        with suppress(OtherVersion):
            return found, look(found)
    raise Problem("store-busy")


@blueprint.get("/v1/plays/<play>")
def play_state(play: str) -> ResponseReturnValue:
    """How a play stands."""
    lang, found = language(), play_kept.find(served().store, play)
    if names(request.headers.get("If-None-Match", ""), found.version):
        return Response(status=304, headers={**_etag(found.version), "Vary": "Accept-Language"})
    return _reply(play_standing.state(found, lang), lang, _etag(found.version))


@blueprint.get("/v1/plays/<play>/moves")
def play_moves(play: str) -> ResponseReturnValue:
    """What was done, answered and happened, page by page."""
    lang, store = language(), served().store
    after = query_number("after", 0, 0, LARGEST) or 0
    limit = query_number("limit", 20, 1, play_records.MOST_ON_A_PAGE) or 20
    found, page = _read_whole(play, lambda one: play_records.page(store, one, after, limit, lang))
    return _reply(page, lang, _etag(found.version))


@blueprint.get("/v1/plays/<play>/report")
def play_report(play: str) -> ResponseReturnValue:
    """The session report, in the form that the reader prefers."""
    offered = list(play_records.REPORTS)
    media = request.accept_mimetypes.best_match(offered) if request.accept_mimetypes else offered[0]
    return _report(play, media)


@blueprint.get("/v1/plays/<play>/report.<ending>")
def play_report_file(play: str, ending: str) -> ResponseReturnValue:
    """The session report, in the form that the address names."""
    if ending not in play_records.ENDINGS:
        raise Problem("not-found")
    return _report(play, play_records.ENDINGS[ending])


def _report(play: str, media: str | None) -> Response:
    lang, store = language(), served().store
    if lang == ALL:
        raise problems.unreadable(Unreadable("no-all-languages", "/lang"))
    if media not in play_records.REPORTS:
        raise Problem("report-not-acceptable", formats=", ".join(play_records.REPORTS))
    after = query_number("after", 0, 0, LARGEST) or 0
    found, (told, further) = _read_whole(play, lambda one: play_records.part(store, one, lang, after))
    headers = {"Content-Language": lang, "Vary": "Accept-Language, Accept", **_etag(found.version)}
    if further is not None:
        headers["Link"] = f'<{request.path}?after={further}&lang={lang}>; rel="next"'
    said = play_records.REPORTS[media](told)
    return Response(said + "\n", headers=headers, content_type=f"{media}; charset=utf-8")


@blueprint.get("/v1/plays/<play>/transcript")
def play_transcript(play: str) -> ResponseReturnValue:
    """Everything, to take along."""
    found, taken = _read_whole(play, lambda one: play_records.exported(served().store, one))
    return _file(taken, found)


@blueprint.get("/v1/plays/<play>/components")
def play_components(play: str) -> ResponseReturnValue:
    """What this play knows of the printed copy, as a components file."""
    found = play_kept.find(served().store, play)
    return _file(transcript.told_components(found.reading.components), found)


@blueprint.post("/v1/plays/<play>/options")
def play_options(play: str) -> ResponseReturnValue:
    """What may be done now."""
    return _asked_of(play, play_questions.OF_OPTIONS, play_questions.may_be_done)


@blueprint.post("/v1/plays/<play>/odds")
def play_odds(play: str) -> ResponseReturnValue:
    """With what chances something may be done now."""
    return _asked_of(play, play_questions.OF_ODDS, play_questions.chances)


def _asked_of(play: str, fields: tuple[str, ...], asks: Callable[[Play, bytes, str], Any]) -> Response:
    """A question about where a play stands; it changes nothing, and needs no key."""
    body = Body(MOST_BYTES, *fields)
    body.done()
    lang, found = language(body.lang), play_kept.find(served().store, play)
    return _reply(asks(found, body.bytes, lang), lang, _etag(found.version))


def _file(body: Any, play: Play) -> Response:
    return Response(encode(body), headers=_etag(play.version), content_type="application/json")


# -- changing one ------------------------------------------------------------------------------------


def _carried_out(play: str, body: Body, work: Work) -> dict[str, Any]:
    """A change by somebody who may, of the version he means, and once."""
    repeat = _repeatable(play, body)
    answer, _ = play_repeats.once(
        served().store,
        repeat,
        _opened(play),
        _must_be_meant,
        lambda found: work(found, repeat),
    )
    return answer


def _opened(play: str) -> Callable[[Connection], Play]:
    """Finds a play for somebody who may change it."""
    return lambda connection: play_kept.open_for(connection, play, bearer_key())


def _must_be_meant(play: Play) -> None:
    """A problem unless the play is at the version that the request means."""
    if not means(play.version):
        raise OtherVersion(play.version)


@blueprint.post("/v1/plays/<play>/moves")
def play_move(play: str) -> ResponseReturnValue:
    """Try a move; keep it if it is legal."""
    body = Body(MOST_BYTES, "action", "inputs", "closed", "assume")
    lang = language(body.lang)
    store, bounds, _ = served()

    def work(found: Play, repeat: Repeatable | None) -> dict[str, Any]:
        done = body.together(("action",), action(found.game))
        inputs = body.get("inputs", inputs_list, [])
        closed = body.get("closed", value(bool), False)
        assume = body.get("assume", value(bool))
        body.done()
        sent = Sent(done, tuple(inputs), closed, assume)
        return {"body": plays.move(store, found, sent, lang, bounds, repeat)}

    answer = _carried_out(play, body, work)["body"]
    return _reply(answer, lang, _etag(answer["version"]))


@blueprint.post("/v1/plays/<play>/corrections")
def play_correct(play: str) -> ResponseReturnValue:
    """Say that the table shows something else."""
    body = Body(MOST_BYTES, "tell", "note")
    body.need("tell")
    facts = body.get("tell", value(dict[str, Any]), {})
    if facts == {} and "tell" in body:
        body.refuse(Unreadable("nothing-told", "/tell"))
    note = body.get("note", text(LONGEST_NOTE), "")
    store, bounds, _ = served()

    def work(found: Play, repeat: Repeatable | None) -> dict[str, Any]:
        body.done()
        plays.correct(store, found, facts, note, bounds, repeat)
        return {}

    lang = language(body.lang)  # a language that is not offered changes nothing
    _carried_out(play, body, work)
    return _as_it_stands(play, lang)


@blueprint.post("/v1/plays/<play>/readings")
def play_read(play: str) -> ResponseReturnValue:
    """Read the rules otherwise from now on, or from another copy."""
    body = Body(MOST_COPY_BYTES, "choices", "components")
    store, bounds, _ = served()

    def work(found: Play, repeat: Repeatable | None) -> dict[str, Any]:
        choices, copy = body.together(("choices", "components"), readings(found.game)) or ({}, {})
        body.done()
        if not choices and not copy:
            raise problems.unreadable(Unreadable("nothing-told", ""))
        plays.read_otherwise(store, found, choices, copy, bounds, repeat)
        return {}

    lang = language(body.lang)  # a language that is not offered changes nothing
    _carried_out(play, body, work)
    return _as_it_stands(play, lang)


@blueprint.post("/v1/plays/<play>/undo")
def play_undo(play: str) -> ResponseReturnValue:
    """Take moves back."""
    return _steps(play, plays.undo)


@blueprint.post("/v1/plays/<play>/redo")
def play_redo(play: str) -> ResponseReturnValue:
    """Make moves again that were undone."""
    return _steps(play, plays.redo)


def _steps(play: str, go: Callable[..., None]) -> Response:
    body = Body(MOST_BYTES, "moves")
    count = body.get("moves", whole_number(1, MOST_STEPS), 1)

    def work(found: Play, repeat: Repeatable | None) -> dict[str, Any]:
        body.done()
        go(served().store, found, count, repeat)
        return {}

    lang = language(body.lang)  # a language that is not offered changes nothing
    _carried_out(play, body, work)
    return _as_it_stands(play, lang)


@blueprint.post("/v1/plays/<play>/verify")
def play_verify(play: str) -> ResponseReturnValue:
    """Play moves again, at most a hundred, and say how far they hold."""
    lang, after = language(), query_number("from", None, 0, LARGEST)
    repeat, store = _repeatable(play), served().store

    def work(found: Play) -> dict[str, Any]:
        return {"body": play_records.verify(store, found, after, lang, repeat)}

    answer, _ = play_repeats.once(store, repeat, _opened(play), lambda _: None, work)
    return _reply(answer["body"], lang, _etag(answer["body"]["version"]))


@blueprint.patch("/v1/plays/<play>")
def play_rename(play: str) -> ResponseReturnValue:
    """Give a play another name."""
    body = Body(MOST_BYTES, "name")
    body.need("name")
    name = body.get("name", text(LONGEST_NAME), "")

    def work(found: Play, repeat: Repeatable | None) -> dict[str, Any]:
        body.done()
        plays.rename(served().store, found, name, repeat)
        return {}

    lang = language(body.lang)  # a language that is not offered changes nothing
    _carried_out(play, body, work)
    return _as_it_stands(play, lang)


@blueprint.delete("/v1/plays/<play>")
def play_delete(play: str) -> ResponseReturnValue:
    """Forget a play."""
    store = served().store
    found = play_access.opened(store, play, bearer_key())
    _must_be_meant(found)
    plays.delete(store, found)
    return Response(status=204)


# -- keys --------------------------------------------------------------------------------------------


@blueprint.post("/v1/plays/<play>/codes")
def play_code(play: str) -> ResponseReturnValue:
    """A code that gives another device a key of its own, once, within ten minutes."""
    lang, store = language(), served().store
    repeat = _repeatable(play)

    def work(_: Play) -> dict[str, Any]:
        return {"code": play_access.invite(store, play, repeat)}

    made, again = play_repeats.once(store, repeat, _opened(play), lambda _: None, work)
    if again and repeat is not None:
        made = {"code": play_access.invite_again(store, play, repeat, made)}
    return _reply({**made, "seconds": play_keys.CODE_SECONDS}, lang, NO_STORE, 201)


@blueprint.get("/v1/plays/<play>/keys")
def play_key_list(play: str) -> ResponseReturnValue:
    """The keys that open a play, by number."""
    entries = play_access.keys_of(served().store, play, bearer_key())
    return _reply(
        {"keys": [{**one, "made": play_standing.moment(one["made"])} for one in entries]}, language()
    )


@blueprint.delete("/v1/plays/<play>/keys/<int(max=2147483647):number>")
def play_end_key(play: str, number: int) -> ResponseReturnValue:
    """Let a key that was lost open nothing any more."""
    play_access.end_key(served().store, play, bearer_key(), number)
    return Response(status=204)
