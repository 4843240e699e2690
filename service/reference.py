"""GET …/rules, …/issues, …/terms, …/scenarios, …/charts, …/sources: what can be looked up, with addresses that last."""

from __future__ import annotations

from functools import cache
from typing import Any

from flask import Response, redirect, request, url_for
from werkzeug.wrappers import Response as AnyResponse

from engine.exceptions import Unreadable
from engine.game import Game
from service import charts, rules, scenarios
from service.answers import IssuesAnswer, ScenariosAnswer, SourcesAnswer, TermsAnswer, encode
from service.bodies import schema_prefix
from service.chart_picture import picture
from service.games import GAMES
from service.languages import ALL, Reader, voice
from service.operations import JSON, Operation, language, lasting, lasting_reply
from service.problems import Problem, unreadable
from service.queries import ChartQuery, LanguageQuery, SearchQuery, TermQuery

Query = dict[str, Any]
SVG = "image/svg+xml"


class Reference:
    """What can be looked up about one game."""

    def __init__(self, game: Game) -> None:
        self._game = game

    def operations(self) -> list[Operation]:
        """Every operation that looks something up."""
        game = self._game
        at, own, tag = f"/v1/games/{game.name}", schema_prefix(game), game.title.text
        name = own[0].lower() + own[1:]
        return [
            Operation(
                id=f"{name}FindRules",
                path=f"{at}/rules",
                tag=tag,
                summary="Find the rules that answer a question",
                description="The question may be asked in any of the four languages; the best rules come first, in "
                "the reader's own. Where nothing is found, the answer says what was searched.",
                view=self.find,
                query=SearchQuery(),
                answer="RuleHits",
            ),
            Operation(
                id=f"{name}Rule",
                path=f"{at}/rules/{{rule_id}}",
                tag=tag,
                summary="Give one rule",
                description="Everything known of a rule: its text in our own words, its sources, what touches it and "
                "an example. A rule that was renamed answers with its new address.",
                view=self.rule,
                query=LanguageQuery(),
                answer="RuleEntry",
            ),
            Operation(
                id=f"{name}Issues",
                path=f"{at}/issues",
                tag=tag,
                summary="List every point where the documents disagree",
                description="What the documents say, how it is read, and what a request can choose instead.",
                view=self.all_issues,
                query=LanguageQuery(),
                answer="IssuesAnswer",
            ),
            Operation(
                id=f"{name}Issue",
                path=f"{at}/issues/{{issue_id}}",
                tag=tag,
                summary="Give the disputed points under one number or name",
                description="By number (C14) or by name (evade-on-6); several points may share a number.",
                view=self.some_issues,
                query=LanguageQuery(),
                answer="IssuesAnswer",
            ),
            Operation(
                id=f"{name}FindTerms",
                path=f"{at}/terms",
                tag=tag,
                summary="Find terms in the four languages",
                description="All concepts of the game, or those that a word belongs to, misprints included; each with "
                "the document it is printed in.",
                view=self.find_terms,
                query=TermQuery(),
                answer="TermsAnswer",
                worded=False,
            ),
            Operation(
                id=f"{name}Term",
                path=f"{at}/terms/{{term_id}}",
                tag=tag,
                summary="Give one term in the four languages",
                description="One concept with its wordings, their variants and sources.",
                view=self.term,
                answer="TermsAnswer",
                worded=False,
            ),
            Operation(
                id=f"{name}TermsCsv",
                path=f"{at}/terms.csv",
                tag=tag,
                summary="Give the termbase as CSV",
                description="One line for each concept, with its term and source in each language.",
                view=self.as_csv,
                media="text/csv",
                worded=False,
            ),
            Operation(
                id=f"{name}TermsTbx",
                path=f"{at}/terms.tbx",
                tag=tag,
                summary="Give the termbase as TBX",
                description="TBX-Basic (ISO 30042), for translation programs.",
                view=self.as_tbx,
                media="application/x-tbx+xml",
                worded=False,
            ),
            Operation(
                id=f"{name}Scenarios",
                path=f"{at}/scenarios",
                tag=tag,
                summary="List every set-up",
                description="Each as a position that can be sent, with what the player still chooses.",
                view=self.all_scenarios,
                query=LanguageQuery(),
                answer=f"{own}ScenariosAnswer",
            ),
            Operation(
                id=f"{name}Scenario",
                path=f"{at}/scenarios/{{scenario_id}}",
                tag=tag,
                summary="Give one set-up",
                description="By its number in the rulebook.",
                view=self.scenario,
                query=LanguageQuery(),
                answer=f"{own}Scenario",
            ),
            Operation(
                id=f"{name}Charts",
                path=f"{at}/charts",
                tag=tag,
                summary="List every chart",
                description="The procedures of the game; each is a chart with rows.",
                view=self.all_charts,
                query=LanguageQuery(),
                answer="ChartsAnswer",
            ),
            Operation(
                id=f"{name}Chart",
                path=f"{at}/charts/{{procedure}}",
                tag=tag,
                summary="Give one chart",
                description="Its rows in order: what each is called, whether it asks, its rules, and the rows it can "
                "lead to. With the header “Accept: image/svg+xml” as a picture that shows where you are; a picture "
                "is in one language.",
                view=self.chart,
                query=ChartQuery(),
                answer="ChartAnswer",
                picture=SVG,
            ),
            Operation(
                id=f"{name}Sources",
                path=f"{at}/sources",
                tag=tag,
                summary="List the documents everything rests on",
                description="Each with its language and what it covers.",
                view=self.sources,
                query=LanguageQuery(),
                answer="SourcesAnswer",
            ),
            Operation(
                id=f"{name}Everything",
                path=f"{at}/everything.json",
                tag=tag,
                summary="Give all rules, disputed points and terms",
                description="One document in four languages, to be kept.",
                view=self.everything,
                answer="Everything",
                worded=False,
            ),
        ]

    def find(self, query: Query) -> Response:
        """The rules that answer a question."""
        lang = language(query.get("lang"))
        return lasting_reply(rules.find(self._game, query["q"], voice(lang), query["limit"]), lang)

    def rule(self, query: Query, rule_id: str) -> AnyResponse:
        """One rule, or where it is now."""
        known = self._game.catalogue
        if rule_id in known.renamed:
            there = url_for(request.endpoint or "", rule_id=known.renamed[rule_id], **request.args)  # type: ignore[arg-type]  # any query
            return redirect(there, 308)
        if rule_id not in known.texts:
            raise Problem("unknown-rule", given=rule_id)
        lang = language(query.get("lang"))
        return lasting_reply(rules.rule_entry(self._game, rule_id, voice(lang)), lang)

    def all_issues(self, query: Query) -> Response:
        """All disputed points."""
        return self._issues(query, None)

    def some_issues(self, query: Query, issue_id: str) -> Response:
        """Those of one number or name."""
        return self._issues(query, issue_id)

    def _issues(self, query: Query, wanted: str | None) -> Response:
        speaks = voice(language(query.get("lang")))
        found = [rules.issue_entry(issue, speaks) for issue in rules.issues(self._game, wanted)]
        if wanted is not None and not found:
            raise Problem("unknown-dispute", given=wanted)
        return lasting_reply(IssuesAnswer(game=self._game.name, lang=speaks.lang, issues=found), speaks.lang)

    def find_terms(self, query: Query) -> Response:
        """The concepts that a word belongs to."""
        found = [rules.term_entry(one, self._game) for one in rules.concepts_of(self._game, query["q"])]
        return lasting_reply(TermsAnswer(game=self._game.name, terms=found), ALL)

    def term(self, term_id: str) -> Response:
        """One concept."""
        found = [
            rules.term_entry(one, self._game) for one in rules.concepts_of(self._game) if one.id == term_id
        ]
        if not found:
            raise Problem("unknown-term", given=term_id)
        return lasting_reply(TermsAnswer(game=self._game.name, terms=found), ALL)

    def as_csv(self) -> Response:
        """The termbase as CSV."""
        return lasting(rules.terms_csv(self._game).encode(), "text/csv; charset=utf-8", None)

    def as_tbx(self) -> Response:
        """The termbase as TBX-Basic."""
        return lasting(rules.terms_tbx(self._game), "application/x-tbx+xml", None)

    def all_scenarios(self, query: Query) -> Response:
        """Every set-up."""
        speaks = voice(language(query.get("lang")))
        found = [scenarios.entry(self._game, one, speaks) for one in self._game.scenarios]
        body = ScenariosAnswer(game=self._game.name, lang=speaks.lang, scenarios=found)
        return lasting_reply(body, speaks.lang)

    def scenario(self, query: Query, scenario_id: str) -> Response:
        """One set-up."""
        found = next((one for one in self._game.scenarios if one.id == scenario_id), None)
        if found is None:
            raise Problem("unknown-scenario", given=scenario_id)
        lang = language(query.get("lang"))
        return lasting_reply(scenarios.entry(self._game, found, voice(lang)), lang)

    def all_charts(self, query: Query) -> Response:
        """Every chart."""
        lang = language(query.get("lang"))
        return lasting_reply(charts.listed(self._game, voice(lang)), lang)

    def chart(self, query: Query, procedure: str) -> Response:
        """One chart, as data or as a picture."""
        lang = language(query.get("lang"))
        drawn = request.accept_mimetypes.best_match([JSON, SVG]) == SVG
        if drawn and lang == ALL:
            raise unreadable(Unreadable("unknown-language", "/lang"))
        speaks = voice(lang)
        found = charts.answer(self._game, procedure, query["at"], query["done"], speaks)
        if isinstance(speaks, Reader) and drawn:
            response = lasting(picture(found, speaks), SVG, lang)
        else:
            response = lasting_reply(found, lang)
        response.headers["Vary"] = "Accept, Accept-Language"
        return response

    def sources(self, query: Query) -> Response:
        """The documents."""
        speaks = voice(language(query.get("lang")))
        found = rules.source_entries(speaks)
        return lasting_reply(
            SourcesAnswer(game=self._game.name, lang=speaks.lang, sources=found), speaks.lang
        )

    def everything(self) -> Response:
        """The whole document."""
        return lasting(_everything(self._game.name), JSON, ALL)


@cache
def _everything(game_name: str) -> bytes:
    """The whole document, put together once."""
    return encode(rules.everything(GAMES[game_name]))
