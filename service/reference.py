"""GET …/rules, …/issues, …/terms, …/scenarios, …/sources: what can be looked up, with addresses that last."""

from __future__ import annotations

import hashlib
from functools import cache
from typing import Any

import marshmallow as ma
from flask import Response, redirect, request, url_for
from flask.typing import ResponseReturnValue
from flask_smorest import Blueprint
from marshmallow import fields

from engine.game import Game
from service import checks, rules, scenarios, schemas
from service.games import GAMES
from service.languages import LANGUAGES, negotiate, voice
from service.problems import Problem
from service.search import MOST_CHARACTERS

DEFAULT_HITS = 10


class SearchQuery(schemas.LanguageQuery):
    """?q=&limit=&lang="""

    q = fields.String(
        required=True,
        validate=[
            ma.validate.Length(max=MOST_CHARACTERS, error="too-long"),
            ma.validate.Regexp(r"[\s\S]*\S", error="no-question"),
        ],
        error_messages={"invalid": "wrong-type", "required": "no-question"},
        metadata={
            "description": "A question in any of the four languages, or a section number",
            "error_params": {"limit": MOST_CHARACTERS, "allowed": "str"},
        },
    )
    limit = fields.Integer(
        load_default=DEFAULT_HITS,
        validate=ma.validate.Range(min=1, max=rules.MOST_HITS, error="out-of-range"),
        error_messages={"invalid": "wrong-type"},
        metadata={
            "description": "At most so many rules",
            "error_params": {"allowed": f"1 – {rules.MOST_HITS}"},
        },
    )


class TermQuery(schemas.Strict):
    """?q="""

    q = fields.String(
        load_default="",
        validate=ma.validate.Length(max=MOST_CHARACTERS, error="too-long"),
        error_messages={"invalid": "wrong-type"},
        metadata={
            "description": "A word in any of the four languages, misprints included",
            "error_params": {"limit": MOST_CHARACTERS, "allowed": "str"},
        },
    )


class RuleEntry(ma.Schema):
    """A rule in our own words, with where it stands and what touches it."""

    id = fields.String(required=True)
    section = fields.String(required=True)
    title = schemas.Text(required=True)
    text = schemas.Text(required=True)
    status = fields.String(required=True, validate=ma.validate.OneOf(["enforced", "asked", "explained"]))
    reading = fields.String(required=True, allow_none=True)
    sources = fields.List(fields.String(), required=True)
    parts = fields.List(fields.String(), required=True)
    related = fields.List(fields.String(), required=True)
    issues = fields.List(fields.String(), required=True)
    actions = fields.List(fields.String(), required=True)
    example = fields.Dict(required=True, allow_none=True)


class RuleHit(RuleEntry):
    """A rule that may answer the question."""

    snippet = fields.String(required=True)
    score = fields.Float(required=True)


class RuleHits(ma.Schema):
    """The rules found, best first; where none was, what was searched and the nearest terms."""

    game = fields.String(required=True)
    lang = fields.String(required=True)
    question = fields.String(required=True)
    hits = fields.List(fields.Nested(RuleHit), required=True)
    text = schemas.Text()
    suggestions = fields.List(fields.String())


class DisputeEntry(ma.Schema):
    """A point where the documents disagree."""

    id = fields.String(required=True)
    name = fields.String(required=True)
    text = schemas.Text(required=True)
    preferred = fields.String(required=True)
    confidence = fields.String(required=True)
    choices = fields.List(fields.Nested(schemas.OptionEntry), required=True)
    rules = fields.List(fields.String(), required=True)


class Issues(ma.Schema):
    """All points where the documents disagree."""

    game = fields.String(required=True)
    lang = fields.String(required=True)
    issues = fields.List(fields.Nested(DisputeEntry), required=True)


class Terms(ma.Schema):
    """Concepts in the four languages."""

    game = fields.String(required=True)
    terms = fields.List(fields.Dict(), required=True)


class Sources(ma.Schema):
    """The documents everything rests on."""

    game = fields.String(required=True)
    lang = fields.String(required=True)
    sources = fields.List(fields.Dict(), required=True)


def _lasting(content: bytes, content_type: str, lang: str | None) -> ResponseReturnValue:
    """An answer that changes only with a new version: it can be kept, and asked for again cheaply."""
    response = Response(content, content_type=content_type)
    if lang is not None:
        response.headers["Content-Language"] = ", ".join(LANGUAGES) if lang == "all" else lang
        response.headers["Vary"] = "Accept-Language"
    response.headers["Cache-Control"] = "public, max-age=3600"
    response.set_etag(hashlib.sha256(content).hexdigest()[:32])
    asked = {name: value for name, value in request.environ.items() if name != "HTTP_IF_MATCH"}
    return response.make_conditional(
        asked
    )  # nothing can be changed here, so nobody needs to ask for If-Match


def _json(body: dict[str, Any], lang: str | None) -> ResponseReturnValue:
    return _lasting(checks.encode(body), "application/json", lang)


@cache
def _everything(game_name: str) -> bytes:
    """The whole document, put together once."""
    return checks.encode(rules.everything(GAMES[game_name]))


def _language(query: dict[str, Any]) -> str:
    return query.get("lang") or negotiate(request.headers.get("Accept-Language", ""))


def blueprint(game: Game, parser: type[Blueprint]) -> Blueprint:
    """What can be looked up about one game."""
    pages = parser(
        f"{game.name}-reference",
        __name__,
        url_prefix=f"/v1/games/{game.name}",
        description=f"{game.title.text}: rules, disputed points, terms and sources",
    )
    _rules(pages, game)
    _issues(pages, game)
    _terms(pages, game)
    _scenarios(pages, game)
    _whole(pages, game)
    return pages


def _rules(pages: Blueprint, game: Game) -> None:
    @pages.route("/rules")
    @pages.arguments(SearchQuery(), location="query")
    @pages.response(200, RuleHits)
    def find(query: dict[str, Any]) -> ResponseReturnValue:
        """Find the rules that answer a question asked in any of the four languages."""
        lang = _language(query)
        return _json(rules.find(game, query["q"], voice(lang), query["limit"]), lang)

    @pages.route("/rules/<string:rule_id>")
    @pages.arguments(schemas.LanguageQuery(), location="query")
    @pages.response(200, RuleEntry)
    def rule(query: dict[str, Any], rule_id: str) -> ResponseReturnValue:
        """One rule; a rule that was renamed answers with its new address."""
        known = game.catalogue
        if rule_id in known.renamed:
            there = url_for(request.endpoint or "", rule_id=known.renamed[rule_id], **request.args)
            return redirect(there, 308)
        if rule_id not in known.texts:
            raise Problem("unknown-rule", given=rule_id)
        lang = _language(query)
        return _json(rules.rule_entry(game, rule_id, voice(lang)), lang)


def _issues(pages: Blueprint, game: Game) -> None:
    @pages.route("/issues")
    @pages.arguments(schemas.LanguageQuery(), location="query")
    @pages.response(200, Issues)
    def all_issues(query: dict[str, Any]) -> ResponseReturnValue:
        """Every point where the documents disagree, and how it is read."""
        lang = _language(query)
        found = [rules.issue_entry(issue, voice(lang)) for issue in rules.issues(game)]
        return _json({"game": game.name, "lang": lang, "issues": found}, lang)

    @pages.route("/issues/<string:issue_id>")
    @pages.arguments(schemas.LanguageQuery(), location="query")
    @pages.response(200, Issues)
    def some_issues(query: dict[str, Any], issue_id: str) -> ResponseReturnValue:
        """The points under one number (C14) or name (evade-on-6)."""
        lang = _language(query)
        found = [rules.issue_entry(issue, voice(lang)) for issue in rules.issues(game, issue_id)]
        if not found:
            raise Problem("unknown-dispute", given=issue_id)
        return _json({"game": game.name, "lang": lang, "issues": found}, lang)


def _terms(pages: Blueprint, game: Game) -> None:
    @pages.route("/terms")
    @pages.arguments(TermQuery(), location="query")
    @pages.response(200, Terms)
    def find_terms(query: dict[str, Any]) -> ResponseReturnValue:
        """Concepts in the four languages, all or those a word belongs to."""
        found = [rules.term_entry(concept, game) for concept in rules.concepts_of(game, query["q"])]
        return _json({"game": game.name, "terms": found}, "all")

    @pages.route("/terms/<string:term_id>")
    @pages.response(200, Terms)
    def term(term_id: str) -> ResponseReturnValue:
        """One concept in the four languages."""
        found = [rules.term_entry(one, game) for one in rules.concepts_of(game) if one.id == term_id]
        if not found:
            raise Problem("unknown-term", given=term_id)
        return _json({"game": game.name, "terms": found}, "all")

    @pages.route("/terms.csv")
    @pages.response(200, content_type="text/csv", description="The termbase as CSV")
    def as_csv() -> ResponseReturnValue:
        """The termbase as CSV."""
        return _lasting(rules.terms_csv(game).encode(), "text/csv; charset=utf-8", None)

    @pages.route("/terms.tbx")
    @pages.response(200, content_type="application/x-tbx+xml", description="The termbase as TBX")
    def as_tbx() -> ResponseReturnValue:
        """The termbase as TBX-Basic."""
        return _lasting(rules.terms_tbx(game), "application/x-tbx+xml", None)


def _scenarios(pages: Blueprint, game: Game) -> None:
    schema = scenarios.scenario_schema(game)

    @pages.route("/scenarios")
    @pages.arguments(schemas.LanguageQuery(), location="query")
    @pages.response(200, scenarios.scenarios_schema(game, schema))
    def all_scenarios(query: dict[str, Any]) -> ResponseReturnValue:
        """Every set-up as a position, with what the player still chooses."""
        lang = _language(query)
        found = [scenarios.entry(one, voice(lang)) for one in game.scenarios]
        return _json({"game": game.name, "lang": lang, "scenarios": found}, lang)

    @pages.route("/scenarios/<string:scenario_id>")
    @pages.arguments(schemas.LanguageQuery(), location="query")
    @pages.response(200, schema)
    def scenario(query: dict[str, Any], scenario_id: str) -> ResponseReturnValue:
        """One set-up by its number."""
        found = next((one for one in game.scenarios if one.id == scenario_id), None)
        if found is None:
            raise Problem("unknown-scenario", given=scenario_id)
        lang = _language(query)
        return _json(scenarios.entry(found, voice(lang)), lang)


def _whole(pages: Blueprint, game: Game) -> None:
    @pages.route("/sources")
    @pages.arguments(schemas.LanguageQuery(), location="query")
    @pages.response(200, Sources)
    def sources(query: dict[str, Any]) -> ResponseReturnValue:
        """The documents everything rests on, and what each covers."""
        lang = _language(query)
        return _json({"game": game.name, "lang": lang, "sources": rules.source_entries(voice(lang))}, lang)

    @pages.route("/everything.json")
    @pages.response(200, content_type="application/json", description="All rules, issues and terms")
    def everything() -> ResponseReturnValue:
        """All rules, disputed points and terms in four languages, in one document."""
        return _lasting(_everything(game.name), "application/json", "all")
