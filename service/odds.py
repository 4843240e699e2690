"""POST …/odds: a position and an action in, how likely it comes to what out."""

from __future__ import annotations

import random
import time
from fractions import Fraction
from functools import cache
from typing import Any

from babel import Locale
from babel.lists import format_list
from babel.numbers import format_percent
from msgspec import UNSET

from engine.actions import written
from engine.codec import LARGEST
from engine.game import Answer, Game, prepare
from engine.messages import message
from engine.odds import SEED, Budget, Choice, Odds, Row, odds, table
from engine.tally import Line, Outcome, Probability
from service import bars
from service.answers import (
    ChoiceOdds,
    LikelyValue,
    OddsAnswer,
    OddsRow,
    OutcomeEntry,
    ProbabilityEntry,
    Sampled,
    Share,
    SoFar,
)
from service.checks import capital, headline, issue_entries
from service.languages import Reader, Text, Voice, beside, voice
from service.questions import asked
from service.requests import AskedOdds
from service.sentences import refusals

LIKELIEST = message("odds.likeliest", "Most likely, with %(percent)s: %(outcome)s")
NOTHING = message("odds.nothing-chosen", "None of them")
TITLE = message("odds.row", "%(action)s: %(values)s")
SMALLEST = Fraction(1, 2000)  # what is less would be shown as nothing


def answer(game: Game, request: AskedOdds, lang: str) -> OddsAnswer:
    """The whole answer to one request for odds, worded in the reader's language."""
    at = prepare(game, request.position, request.choices, request.components)
    budget = Budget(clock=time.monotonic, luck=random.Random)
    told = (request.inputs, request.policy, budget.shared(2) if request.vary else budget)
    speaks = voice(lang)
    rows = table(game, at, request.action, request.vary, *told) if request.vary else []
    found = odds(game, at, request.action, *told)
    issues = dict(pair for one in (found, *(row.odds for row in rows)) for pair in one.issues.items())
    return OddsAnswer(
        game=game.name,
        lang=speaks.lang,
        issues=issue_entries(game.catalogue, issues.items(), speaks),
        table=[_row(game, row, request.position, speaks) for row in rows] if request.vary else UNSET,
        svg=speaks.each(lambda reader: _picture(game, request, found, rows, reader))
        if request.image
        else UNSET,
        **_of_one(game, request.action, found, request.position, speaks),
    )


def _row(game: Game, row: Row, position: Any, speaks: Voice) -> OddsRow:
    return OddsRow(action=written(row.action), **_of_one(game, row.action, row.odds, position, speaks))


def _of_one(game: Game, do: Any, found: Odds, position: Any, speaks: Voice) -> dict[str, Any]:
    """What is said of one action."""
    runs = max((line.sampled for line in (found.line, *(one.line for one in found.choices))), default=0)
    apart = found.decision is not None and bool(found.choices)
    return {
        "ruling": found.verdict.ruling,
        "headline": _headline(game, do, found, speaks),
        "reasons": refusals(found.verdict.reasons, speaks),
        "unknowns": [asked(game, fact, position, speaks, do) for fact in found.verdict.unknowns],
        "exact": found.exact,
        "checks": found.checks,
        "sampled": Sampled(runs=runs, seed=SEED) if runs else UNSET,
        "by_choice": [_choice(found, one, speaks) for one in found.choices] if apart else UNSET,
        "complete": found.complete if apart else UNSET,
        **_chances(found.line, speaks),
    }


def _headline(game: Game, do: Any, found: Odds, speaks: Voice) -> Text:
    """The likeliest outcome; where it may not be done, why."""
    if not found.line.outcomes:
        return headline(game, do, Answer(found.verdict, (), None, None, {}), speaks)
    outcome, likely = found.line.outcomes[0]

    def said(reader: Reader) -> str:
        shown = {
            "percent": percent(likely.value, reader),
            "outcome": reader.say(outcome.message, outcome.params),
        }
        return reader.say(LIKELIEST, shown)

    return speaks.each(said)


def _chances(line: Line, speaks: Voice) -> dict[str, Any]:
    return {
        "outcomes": [_outcome(outcome, likely, speaks) for outcome, likely in line.outcomes],
        "changes": {
            pointer: [
                LikelyValue(to=value, probability=_probability(likely, speaks)) for value, likely in values
            ]
            for pointer, values in line.changes.items()
        },
    }


def _outcome(outcome: Outcome, likely: Probability, speaks: Voice) -> OutcomeEntry:
    so_far = outcome.so_far
    return OutcomeEntry(
        name=outcome.name,
        text=speaks.say(outcome.message, outcome.params),
        params=outcome.params,
        probability=_probability(likely, speaks),
        pointer=outcome.pointer or UNSET,
        so_far=SoFar(name=so_far.name, text=speaks.say(so_far.message, so_far.params)) if so_far else UNSET,
    )


def _choice(found: Odds, choice: Choice, speaks: Voice) -> ChoiceOdds:
    return ChoiceOdds(
        name=found.decision.name,  # type: ignore[union-attr]  # where there are choices there is a decision
        choice=choice.value,
        text=speaks.each(lambda reader: _said(choice, reader)),
        best=UNSET if choice.best is None else choice.best,
        **_chances(choice.line, speaks),
    )


def _said(choice: Choice, reader: Reader) -> str:
    """An answer in words: its options, or that it takes none of them."""
    if not choice.said:
        return reader.say(NOTHING, {})
    return format_list([reader.say(*one) for one in choice.said], locale=reader.lang)


# -- numbers -----------------------------------------------------------------------------------------


def _probability(likely: Probability, speaks: Voice) -> ProbabilityEntry:
    whole = _share(likely.value, speaks)
    if likely.exact_part is None:
        return ProbabilityEntry(**whole)
    return ProbabilityEntry(
        **whole,
        low=likely.low,  # type: ignore[arg-type]  # what was sampled has bounds
        high=likely.high,  # type: ignore[arg-type]  # what was sampled has bounds
        exact_part=Share(**_share(likely.exact_part, speaks)),
        sampled_part=Share(**_share(likely.value - likely.exact_part, speaks)),
    )


def _share(value: Fraction, speaks: Voice) -> dict[str, Any]:
    return {
        "numerator": _whole(value.numerator),
        "denominator": _whole(value.denominator),
        "percent": speaks.each(lambda reader: percent(value, reader)),
    }


def _whole(number: int) -> int | str:
    """A number that JSON programs agree on, else its digits."""
    return number if number <= LARGEST else str(number)


def percent(value: Fraction, reader: Reader) -> str:
    """A share with one decimal as the language writes it; what is not nothing, or not everything, is not shown so."""
    if 0 < value < SMALLEST:
        return f"< {_percent(2 * SMALLEST, reader)}"
    if 1 - SMALLEST < value < 1:
        return f"> {_percent(1 - 2 * SMALLEST, reader)}"
    return _percent(value, reader)


def _percent(value: Fraction, reader: Reader) -> str:
    return format_percent(float(value), format=_pattern(reader.lang), locale=reader.lang)


@cache
def _pattern(lang: str) -> str:
    """How the language writes a percentage, with one decimal."""
    pattern: str = Locale.parse(lang).percent_formats[None].pattern
    return pattern.replace("0", "0.0", 1)


# -- the picture -------------------------------------------------------------------------------------


def _picture(game: Game, request: AskedOdds, found: Odds, rows: list[Row], reader: Reader) -> str:
    """Every outcome as a bar, row by row or choice by choice where there are several lines of play."""
    varied = [(_title(game, request, row, reader), row.odds.line) for row in rows]
    apart = [(_said(one, reader), one.line) for one in found.choices]
    drawn = varied or apart or [(_why_not(game, request.action, found, reader), found.line)]
    return bars.svg([(title, _bars(line, reader)) for title, line in drawn], reader.lang)


def _title(game: Game, request: AskedOdds, row: Row, reader: Reader) -> str:
    """The action with the values that make a row another than the others, and why it has no bars if it has none."""
    values = format_list([str(written(row.action).get(name, 0)) for name in request.vary], locale=reader.lang)
    named = reader.say(TITLE, {"action": game.action_of(row.action).term, "values": values})
    return beside(capital(named), _why_not(game, row.action, row.odds, reader), reader.lang).strip()


def _why_not(game: Game, do: Any, found: Odds, reader: Reader) -> str:
    return "" if found.line.outcomes else str(_headline(game, do, found, reader))


def _bars(line: Line, reader: Reader) -> list[bars.Bar]:
    return [
        bars.Bar(
            reader.say(outcome.message, outcome.params), percent(likely.value, reader), float(likely.value)
        )
        for outcome, likely in line.outcomes
    ]
