"""GET …/rules, …/issues, …/terms, …/scenarios, …/charts, …/sources: what can be looked up, with addresses that last."""

from __future__ import annotations

from typing import Any

from flask import Response, redirect, request, url_for
from msgspec import structs
from werkzeug.wrappers import Response as AnyResponse

from engine.exceptions import Unreadable
from engine.game import Game
from service import charts, looked_up, rules
from service.bodies import schema_prefix
from service.chart_picture import picture
from service.constants import kept
from service.games import prefix
from service.headers import sent
from service.languages import ALL, Reader, voice
from service.operations import JSON, RATE_LIMIT, Operation, language, lasting, lasting_reply, link
from service.problems import unreadable
from service.queries import ChartQuery, LanguageQuery, SearchQuery, TermQuery

Query = dict[str, Any]
SVG = "image/svg+xml"
MOVED = {
    "308": {
        "description": "A section number, or a rule that was renamed: where it is.",
        "headers": sent("Location", *RATE_LIMIT),
    }
}


class Reference:
    """What can be looked up about one game."""

    def __init__(self, game: Game) -> None:
        self._game = game
        at = f"/v1/games/{game.name}"
        csv, tbx = "text/csv; charset=utf-8", "application/x-tbx+xml"
        self.as_csv = kept(f"{at}/terms.csv", lambda: rules.terms_csv(game).encode(), csv)
        self.as_tbx = kept(f"{at}/terms.tbx", lambda: rules.terms_tbx(game), tbx)
        self.everything = kept(f"{at}/everything.json", lambda: looked_up.everything(game.name), JSON, ALL)

    def operations(self) -> list[Operation]:
        """Every operation that looks something up; its answer changes only with a new version."""
        return [structs.replace(one, lasting=True) for one in self._operations()]

    def _operations(self) -> list[Operation]:
        game = self._game
        at, own, tag = f"/v1/games/{game.name}", schema_prefix(game), game.title.text
        name = own[0].lower() + own[1:]
        act = next(iter(game.actions.values()))  # what examples ask about
        issue = next((one.name for one in game.catalogue.issues.values()), "none")
        return [
            Operation(
                id=f"{name}FindRules",
                path=f"{at}/rules",
                tag=tag,
                summary="Find the rules that answer a question",
                description="The question may be asked in any language; the best rules come first, in "
                "the reader's own. Where nothing is found, the answer says what was searched.",
                view=self.find,
                query=SearchQuery(),
                shown=f"{at}/rules?q={rules.section(act.rule)}&limit=1",
                answer="RuleHits",
                links={
                    "rule": link(f"{name}Rule", "The best rule.", rule_id="$response.body#/hits/0/id"),
                },
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
                shown=f"{at}/rules/{act.rule}",
                answer="RuleEntry",
                elsewhere=MOVED,
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
                links={
                    "issue": link(
                        f"{name}Issue", "The first point.", issue_id="$response.body#/issues/0/name"
                    ),
                },
            ),
            Operation(
                id=f"{name}Issue",
                path=f"{at}/issues/{{issue_id}}",
                tag=tag,
                summary="Give the disputed points under one number or name",
                description="By number (C14) or by name (evade-on-6); several points may share a number.",
                view=self.some_issues,
                query=LanguageQuery(),
                shown=f"{at}/issues/{issue}",
                answer="IssuesAnswer",
            ),
            Operation(
                id=f"{name}FindTerms",
                path=f"{at}/terms",
                tag=tag,
                summary="Find terms in every language",
                description="All concepts of the game, or those that a word belongs to, misprints included; each with "
                "the document it is printed in.",
                view=self.find_terms,
                query=TermQuery(),
                answer="TermsAnswer",
                links={
                    "term": link(f"{name}Term", "The first concept.", term_id="$response.body#/terms/0/id"),
                },
                worded=False,
            ),
            Operation(
                id=f"{name}Term",
                path=f"{at}/terms/{{term_id}}",
                tag=tag,
                summary="Give one term in every language",
                description="One concept with its wordings, their variants and sources.",
                view=self.term,
                shown=f"{at}/terms/{act.term}",
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
                links={
                    "scenario": link(
                        f"{name}Scenario", "The first set-up.", scenario_id="$response.body#/scenarios/0/id"
                    ),
                },
            ),
            Operation(
                id=f"{name}Scenario",
                path=f"{at}/scenarios/{{scenario_id}}",
                tag=tag,
                summary="Give one set-up",
                description="By its number in the rulebook.",
                view=self.scenario,
                query=LanguageQuery(),
                shown=f"{at}/scenarios/{game.scenarios[0].id if game.scenarios else 'none'}",
                answer=f"{own}Scenario",
                links={
                    "options": link(
                        f"{name}Options", "What may be done first: send `position` of this answer."
                    ),
                },
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
                links={
                    "chart": link(
                        f"{name}Chart", "The first chart.", procedure="$response.body#/charts/0/procedure"
                    ),
                },
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
                shown=f"{at}/charts/{next(iter(game.procedures), 'none')}",
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
                description="One document in every language, to be kept.",
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
        """One rule, or where it is now; 5.2.4, as it is printed, is sent on to its id."""
        numbered = f"{prefix(self._game.name)}:{rule_id}"
        meant = self._game.catalogue.renamed.get(
            rule_id, numbered if numbered in self._game.catalogue.rules else rule_id
        )
        if meant != rule_id:
            there = url_for(request.endpoint or "", rule_id=meant, **request.args)  # type: ignore[arg-type]  # any query
            return redirect(there, 308)
        lang = language(query.get("lang"))
        return lasting_reply(looked_up.rule(self._game, rule_id, voice(lang)), lang)

    def all_issues(self, query: Query) -> Response:
        """All disputed points."""
        return self._issues(query, None)

    def some_issues(self, query: Query, issue_id: str) -> Response:
        """Those of one number or name."""
        return self._issues(query, issue_id)

    def _issues(self, query: Query, wanted: str | None) -> Response:
        lang = language(query.get("lang"))
        return lasting_reply(looked_up.issues(self._game, wanted, voice(lang)), lang)

    def find_terms(self, query: Query) -> Response:
        """The concepts that a word belongs to."""
        return lasting_reply(looked_up.terms(self._game, query["q"]), ALL)

    def term(self, term_id: str) -> Response:
        """One concept."""
        return lasting_reply(looked_up.term(self._game, term_id), ALL)

    def all_scenarios(self, query: Query) -> Response:
        """Every set-up."""
        lang = language(query.get("lang"))
        return lasting_reply(looked_up.all_scenarios(self._game, voice(lang)), lang)

    def scenario(self, query: Query, scenario_id: str) -> Response:
        """One set-up."""
        lang = language(query.get("lang"))
        return lasting_reply(looked_up.scenario(self._game, scenario_id, voice(lang)), lang)

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
        lang = language(query.get("lang"))
        return lasting_reply(looked_up.sources(self._game, voice(lang)), lang)
