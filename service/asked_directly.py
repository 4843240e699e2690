"""The operations without HTTP: what `ruleglot.Engine` and the command line ask, answered by the service's functions."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from typing import Any

import msgspec
import orjson

from engine import transcript
from engine.exceptions import Unreadable
from engine.game import Game
from service import (
    asking,
    audits,
    batches,
    charts,
    checks,
    components,
    general,
    looked_up,
    odds,
    options,
    rules,
    search,
    transcripts,
)
from service import report as report_of
from service.answers import encode
from service.games import GAMES
from service.languages import negotiate, reader, voice
from service.plain_json import from_json
from service.problems import PROBLEMS, Problem, told, unreadable
from service.queries import ChartQuery, LanguageQuery, SearchQuery, TermQuery, loaded
from service.requests import (
    AskedReplay,
    AuditReader,
    BatchReader,
    CheckReader,
    OddsReader,
    OptionsReader,
    ReplayReader,
    RequestReader,
)
from service.store import Store
from service.terms import LANGUAGES

OK = 200
Answers = Callable[[Game, Any, str], Any]
Query = Mapping[str, Any]


def answer(
    name: str, path: Mapping[str, str], query: Query, body: Mapping[str, Any] | None, file: Path | None
) -> tuple[int, Any]:
    """The status and the answer that a server would give; `file` is a components file."""
    try:
        found = _asked(name, path, query, body, file)
    except (Problem, Unreadable) as error:
        problem = unreadable(error) if isinstance(error, Unreadable) else error
        lang = str((body or query).get("lang", ""))
        said = told(problem, reader(lang if lang in LANGUAGES else negotiate("")))
        return PROBLEMS[problem.code][0], orjson.loads(encode(said))
    return OK, found


def _asked(
    name: str, path: Mapping[str, str], query: Query, body: Mapping[str, Any] | None, file: Path | None
) -> Any:
    if name == "health":
        return orjson.loads(encode(general.health()))
    if name == "ready":
        search.warm()
        return orjson.loads(encode(general.ready(Store())))
    if name == "games":
        return orjson.loads(encode(general.games(voice(_language(loaded(LanguageQuery(), query))))))
    game = GAMES.get(path["game"])
    if game is None:
        raise Problem("unknown-game")
    if body is not None:
        return _about_a_position(
            name, game, json.dumps(body, default=str).encode(), file
        )  # orjson writes NaN as null
    found = _LOOKED_UP[name](game, path, query)
    return (
        found
        if isinstance(found, str)
        else orjson.loads(found if isinstance(found, bytes) else encode(found))
    )


# -- about a position --------------------------------------------------------------------------------


def _replayed(game: Game, request: AskedReplay, lang: str) -> Any:
    """In one's own process a game may be as long as it likes."""
    went = transcripts.replay(game, request, transcript.MOST)
    body = transcripts.worded(game, went, lang)
    return (
        msgspec.structs.replace(body, transcript=transcripts.recorded(game, went, request))
        if request.record
        else body
    )


_READERS: dict[str, tuple[type[RequestReader[Any]], Answers]] = {
    "check": (CheckReader, checks.answer),
    "check_batch": (BatchReader, batches.answer),
    "options": (OptionsReader, options.answer),
    "odds": (OddsReader, odds.answer),
    "audit": (AuditReader, audits.answer),
    "replay": (ReplayReader, _replayed),
}


def _about_a_position(name: str, game: Game, text: bytes, file: Path | None) -> Any:
    from_json(text)  # what is too deep is said as a server says it
    reads, answers = _reader(name, game.name, file), _READERS[name][1]
    return reads.answer(text, lambda asked: orjson.loads(encode(answers(game, asked, asked.lang or "en"))))


@cache
def _reader(name: str, game_name: str, file: Path | None) -> RequestReader[Any]:
    kind: Any = _READERS[name][0]
    found: RequestReader[Any] = kind(GAMES[game_name], components.load(file, GAMES[game_name]))
    return found


def report(game_name: str, text: bytes, lang: str, file: Path | None) -> str:
    """A game as the report of its session."""
    game = GAMES[game_name]
    reads = _reader("replay", game_name, file)
    went = reads.answer(text, lambda asked: transcripts.replay(game, asked, transcript.MOST))
    return report_of.as_text(report_of.session(game, went, lang))


# -- what can be looked up ---------------------------------------------------------------------------


def _language(query: Query) -> str:
    return query.get("lang") or "en"


def _worded(
    view: Callable[[Game, Mapping[str, str], Any], Any],
) -> Callable[[Game, Mapping[str, str], Query], Any]:
    """What takes no more than a language."""
    return lambda game, path, query: view(game, path, voice(_language(loaded(LanguageQuery(), query))))


def _rules(game: Game, _path: Mapping[str, str], query: Query) -> Any:
    asked = loaded(SearchQuery(), query)
    return rules.find(game, asked["q"], voice(_language(asked)), asked["limit"])


def _chart(game: Game, path: Mapping[str, str], query: Query) -> Any:
    asked = loaded(ChartQuery(), query)
    return charts.answer(game, path["procedure"], asked["at"], asked["done"], voice(_language(asked)))


_LOOKED_UP: dict[str, Callable[[Game, Mapping[str, str], Query], Any]] = {
    "actions": _worded(lambda game, _, speaks: asking.actions(game, speaks)),
    "rules": _rules,
    "rule": _worded(lambda game, path, speaks: looked_up.rule(game, path["rule_id"], speaks)),
    "issues": _worded(lambda game, _, speaks: looked_up.issues(game, None, speaks)),
    "issue": _worded(lambda game, path, speaks: looked_up.issues(game, path["issue_id"], speaks)),
    "terms": lambda game, _, query: looked_up.terms(game, loaded(TermQuery(), query)["q"]),
    "term": lambda game, path, _: looked_up.term(game, path["term_id"]),
    "terms_csv": lambda game, _path, _query: rules.terms_csv(game),
    "terms_tbx": lambda game, _path, _query: rules.terms_tbx(game).decode(),
    "scenarios": _worded(lambda game, _, speaks: looked_up.all_scenarios(game, speaks)),
    "scenario": _worded(lambda game, path, speaks: looked_up.scenario(game, path["scenario_id"], speaks)),
    "charts": _worded(lambda game, _, speaks: charts.listed(game, speaks)),
    "chart": _chart,
    "sources": _worded(lambda game, _, speaks: looked_up.sources(game, speaks)),
    "everything": lambda game, _path, _query: looked_up.everything(game.name),
}
