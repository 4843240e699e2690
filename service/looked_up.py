"""What can be looked up about a game, as answers: asked for over HTTP and by the command line alike."""

from __future__ import annotations

from functools import cache
from typing import Any

from engine.game import Game
from service import rules, scenarios
from service.answers import IssuesAnswer, RuleEntry, ScenariosAnswer, SourcesAnswer, TermsAnswer, encode
from service.games import GAMES
from service.languages import Voice
from service.problems import Problem


def rule(game: Game, rule_id: str, speaks: Voice) -> RuleEntry:
    """One rule, also by the id it had earlier."""
    known = game.catalogue
    rule_id = known.renamed.get(rule_id, rule_id)
    if rule_id not in known.texts:
        raise Problem("unknown-rule", given=rule_id)
    return rules.rule_entry(game, rule_id, speaks)


def issues(game: Game, wanted: str | None, speaks: Voice) -> IssuesAnswer:
    """All disputed points, or those of one number or name."""
    found = [rules.issue_entry(issue, speaks) for issue in rules.issues(game, wanted)]
    if wanted is not None and not found:
        raise Problem("unknown-dispute", given=wanted)
    return IssuesAnswer(game=game.name, lang=speaks.lang, issues=found)


def terms(game: Game, word: str) -> TermsAnswer:
    """The concepts that a word belongs to."""
    found = [rules.term_entry(one, game) for one in rules.concepts_of(game, word)]
    return TermsAnswer(game=game.name, terms=found)


def term(game: Game, term_id: str) -> TermsAnswer:
    """One concept."""
    found = [rules.term_entry(one, game) for one in rules.concepts_of(game) if one.id == term_id]
    if not found:
        raise Problem("unknown-term", given=term_id)
    return TermsAnswer(game=game.name, terms=found)


def all_scenarios(game: Game, speaks: Voice) -> ScenariosAnswer[Any]:
    """Every set-up."""
    found = [scenarios.entry(game, one, speaks) for one in game.scenarios]
    return ScenariosAnswer(game=game.name, lang=speaks.lang, scenarios=found)


def scenario(game: Game, scenario_id: str, speaks: Voice) -> Any:
    """One set-up."""
    found = next((one for one in game.scenarios if one.id == scenario_id), None)
    if found is None:
        raise Problem("unknown-scenario", given=scenario_id)
    return scenarios.entry(game, found, speaks)


def sources(game: Game, speaks: Voice) -> SourcesAnswer:
    """The documents."""
    return SourcesAnswer(game=game.name, lang=speaks.lang, sources=rules.source_entries(game, speaks))


@cache
def everything(game_name: str) -> bytes:
    """The whole document, put together once."""
    return encode(rules.everything(GAMES[game_name]))
