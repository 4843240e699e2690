"""What is likely, and whether the table can be so: odds and audits in the reader's language."""

from __future__ import annotations

from typing import Any

import msgspec
import orjson
from flask import request
from msgspec import UNSET
from werkzeug.exceptions import BadRequest

from engine import codec
from engine.game import Continue, Game
from engine.policy import Policy
from service import audits, odds, play_standing
from service.languages import reader
from service.pages import seats, shell, words
from service.pages.lookup import game_of, titles
from service.pages.names import title
from service.pages.start import begun_from
from service.pages.tables import menu, table_of
from service.plain_json import from_json
from service.play_kept import Play, Reading
from service.play_problems import Problem
from service.play_routes import served
from service.play_starts import Start
from service.requests import AskedAudit, AskedOdds, AuditReader

screen = shell.screens("judging")
MOST_ACTION = 4_000  # characters of an action in an address

words.sentences(
    {
        "odds.title": "Chances",
        "odds.nothing": "Nothing is under way that could come out one way or another. Choose an action first.",
        "odds.of": "%(numerator)s of %(denominator)s",
        "odds.if": "If: %(choice)s",
        "odds.if-any": "If one of these:",
        "odds.outcome": "Outcome",
        "odds.chance": "Chance",
        "odds.sure": "That is certain.",
        "odds.asked-next": "This is asked next.",
        "odds.sampled": "Too much to follow to its end: partly tried out %(runs)s times.",
        "odds.needs": "To say how likely it is, something has to be known:",
        "odds.rest-needs": "For the rest, something has to be known: %(facts)s",
        "audit.title": "Is my table right?",
        "audit.put-right": "Put it right",
        "audit.which": "Which table is it?",
        "audit.lay-out": "Lay out my table",
        "audit.lay-out-hint": "An empty table opens; tap what lies on yours, then look again.",
        "audit.file": "A position saved as a file",
        "audit.look": "Look at it",
        "audit.known": "Games in this browser",
    }
)


# -- odds --------------------------------------------------------------------------------------------


@screen.get("/play/<play>/odds")
def chances(play: str) -> Any:
    """How likely what is under way, or an action that is named, comes out how."""
    found = seats.look(play)
    do = _action(found.game, request.args.get("action", ""))
    chosen = _chosen(request.args.get("choose", ""))
    waiting = bool(found.position.agenda)
    answer = odds_of(found, do, chosen) if do is not None or waiting else None
    return shell.page(
        "odds.html",
        play=play_standing.state(found, shell.lang()),
        game=found.game.name,
        title=title(found, shell.lang()),
        odds=answer,
        lines=lines(answer) if answer is not None else [],
        menu=menu(found),
    )


def _action(game: Game, written: str) -> Any:
    return codec.read(_object(written), game.action_types, "/action") if written else None


def _chosen(written: str) -> list[tuple[str, Any]]:
    """The answer to the present question whose chances are asked for."""
    return codec.read_inputs([{"choose": _object(written)}]) if written else []


def _object(written: str) -> dict[str, Any]:
    try:
        given = orjson.loads(written) if len(written) <= MOST_ACTION else None
    except orjson.JSONDecodeError:
        given = None
    if not isinstance(given, dict):
        raise BadRequest
    return given


def odds_of(play: Play, do: Any, inputs: list[tuple[str, Any]]) -> Any:
    """The odds of an action on a play's position, of going on where none is named."""
    return odds_on(play.game, play.position, play.reading, do, inputs)


def odds_on(game: Game, position: Any, reading: Reading, do: Any, inputs: list[tuple[str, Any]]) -> Any:
    """The odds of an action on a position."""
    asked = AskedOdds(
        position=position,
        choices=dict(reading.choices),
        components=reading.components,
        lang=None,
        action=Continue() if do is None else do,
        inputs=inputs,
        policy=Policy(),
        vary={},
        image=False,
    )
    return odds.answer(game, asked, shell.lang())


def lines(answer: Any) -> list[tuple[list[str], Any]]:
    """The outcomes: by choice where there is one to be made, otherwise all of them."""
    if answer.by_choice is UNSET:
        return [([], answer.outcomes)]
    alike: dict[Any, tuple[list[str], Any]] = {}  # choices that come to the same are said together
    for one in answer.by_choice:
        come_to = tuple((str(out.text), str(out.probability.percent)) for out in one.outcomes)
        alike.setdefault(come_to, ([], one.outcomes))[0].append(str(one.text).rstrip(".。"))
    return list(alike.values())


# -- audits ------------------------------------------------------------------------------------------


def audit_of(game: Game, position: Any, reading: Reading) -> Any:
    """What speaks against a position."""
    asked = AskedAudit(
        position=position,
        choices=dict(reading.choices),
        components=reading.components,
        lang=None,
        impossible=[],
    )
    return audits.answer(game, asked, shell.lang())


@screen.get("/play/<play>/audit")
def audit(play: str) -> Any:
    """Whether a play's table is possible, each finding with a way to put it right."""
    found = seats.look(play)
    table = table_of(found)
    answer = audit_of(found.game, found.position, found.reading)
    return shell.page(
        "audit.html",
        play=play_standing.state(found, shell.lang()),
        game=found.game.name,
        title=title(found, shell.lang()),
        answer=answer,
        address=table.address,
        menu=menu(found),
    )


@screen.get("/audit/<game>")
def which_table(game: str) -> Any:
    """A play of this browser, an empty table to lay out, or a file."""
    game_of(game)
    return _which(game)


def _which(game: str, answer: Any = None, status: int = 200) -> Any:
    return shell.page(
        "audit_which.html", status, game=game, games=titles(), known=_known(game), answer=answer
    )


def _known(game: str) -> list[tuple[str, str]]:
    """The plays of this browser, by id and title."""
    found = []
    for one in seats.kept():
        try:
            play = seats.look(one)
        except Problem:
            continue
        if play.game.name == game:
            found.append((one, title(play, shell.lang())))
    return found


@screen.post("/audit/<game>")
def lay_out(game: str) -> Any:
    """An empty table, or what a file says of one."""
    played = game_of(game)
    reading = Reading({}, served().printed[game])
    sent = request.files.get("file")
    if sent is None or not sent.filename:
        made = begun_from(Start(played, played.position(), reading))
        made.headers["Location"] = f"{made.headers['Location']}/table"
        return made
    told = from_json(sent.read(1_000_000))
    body = told if isinstance(told, dict) and "position" in told else {"position": told}
    asked = AuditReader(played, reading.components).read(msgspec.json.encode({"position": body["position"]}))
    return _which(game, audits.answer(played, asked, reader(shell.lang()).lang))
