"""POST …/odds: a position and an action in, how likely it comes to what out."""

from __future__ import annotations

import random
import time
from decimal import Decimal
from fractions import Fraction
from functools import cache, reduce
from typing import Any

from babel import Locale
from babel.lists import format_list
from babel.numbers import format_percent
from msgspec import UNSET

from engine.actions import written
from engine.codec import LARGEST
from engine.game import Answer, Game, prepare
from engine.messages import Message, message
from engine.odds import LOST, SEED, Budget, Choice, Odds, Row, odds, table
from engine.tally import Line, Outcome, Probability
from service import bars, wordings
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
from service.checks import issue_entries
from service.headlines import headline
from service.languages import Reader, Text, Voice, beside, capital, voice
from service.questions import asked
from service.requests import AskedOdds
from service.sentences import assumptions, refusals

LIKELIEST = message("odds.likeliest", "Most likely, with %(percent)s: %(outcome)s")
CERTAIN = message("odds.certain", "This is certain: %(outcome)s")
WAITS = {
    "decision-open": message("odds.decision-open", "A decision follows (%(percent)s): %(outcome)s"),
    "reading-needed": message(
        "odds.reading-needed", "This has to be read off your copy first (%(percent)s): %(outcome)s"
    ),
    "fact-needed": message("odds.fact-needed", "This has to be known first (%(percent)s): %(outcome)s"),
}
EQUALLY_LIKELY = message(
    "odds.equally-likely", "All outcomes (%(count)s) are equally likely: each with %(percent)s."
)
LOST_PART = message(
    "odds.not-followed", "With %(percent)s, there were too many ways to go on from here to follow them all."
)
UNTIL_READ = message(
    "odds.until-read", "What comes then is printed on your copy. With %(percent)s: %(outcome)s"
)
SAMPLED = message("odds.sampled", "Part of this was sampled (runs: %(runs)s), so it is not exact.")
NOT_COMPARED = message(
    "odds.not-compared",
    "No choice is called the best: not everything that follows from these choices is known.",
)
NOTHING = message("odds.nothing-chosen", "None of them")
TITLE = message("odds.row", "%(action)s: %(values)s")


def answer(game: Game, request: AskedOdds, lang: str) -> OddsAnswer:
    """The whole answer to one request for odds, worded in the reader's language."""
    at = prepare(game, request.position, request.choices, request.components, assume=request.assume)
    budget = Budget(clock=time.monotonic, luck=random.Random)
    told = (request.inputs, request.policy, budget.shared(2) if request.vary else budget)
    speaks = voice(lang)
    rows = table(game, at, request.action, request.vary, *told) if request.vary else []
    found = odds(game, at, request.action, *told)
    issues = dict(pair for one in (found, *(row.odds for row in rows)) for pair in one.issues.items())
    return OddsAnswer(
        game=game.name,
        lang=speaks.lang,
        issues=issue_entries(game.catalogue, issues, at.rules.chosen, speaks),
        table=[_row(game, row, request.position, speaks) for row in rows] if request.vary else UNSET,
        svg=speaks.each(lambda reader: _picture(game, request, found, rows, reader))
        if request.image
        else UNSET,
        **_of_one(game, request.action, found, request.position, speaks),
    )


def _row(game: Game, row: Row, position: Any, speaks: Voice) -> OddsRow:
    best = UNSET if row.best is None else row.best
    told = _of_one(game, row.action, row.odds, position, speaks)
    return OddsRow(action={**written(row.action), **row.values}, best=best, **told)


def _of_one(game: Game, do: Any, found: Odds, position: Any, speaks: Voice) -> dict[str, Any]:
    """What is said of one action."""
    runs = max((line.sampled for line in (found.line, *(one.line for one in found.choices))), default=0)
    apart = found.decision is not None and bool(found.choices)
    return {
        "ruling": found.verdict.ruling,
        "refused": found.refused,
        "headline": _headline(game, do, found, speaks),
        "reasons": refusals(found.verdict.reasons, speaks),
        "unknowns": [asked(game, fact, position, speaks, do) for fact in found.verdict.unknowns],
        "assumed": assumptions(found.verdict.assumed, speaks),
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
        return headline(game, do, Answer(found.verdict, (), None, None, {}, found.refused), speaks)
    return speaks.each(lambda reader: _summary(found, reader))


def _summary(found: Odds, reader: Reader) -> str:
    """What is likeliest, whether that was counted or sampled, and whether the aim can tell what is best."""
    said = _likeliest(found.line, reader)
    if found.line.sampled:
        said = beside(said, reader.say(SAMPLED, {"runs": found.line.sampled}), reader.lang)
    return said if found.compared else beside(said, reader.say(NOT_COMPARED, {}), reader.lang)


def _likeliest(line: Line, reader: Reader) -> str:
    outcome, likely = line.outcomes[0]
    shares = {one.value for _, one in line.outcomes}
    shown = {"percent": percent(likely.value, reader)}
    if line.at_least and outcome.message.at_least is not None:
        outcome, likely = _even(line)
        said = UNTIL_READ
    elif outcome.name == LOST:
        return reader.say(outcome.message if likely.value == 1 else LOST_PART, shown)
    elif len(shares) == 1 < len(line.outcomes) and not line.sampled:
        return reader.say(EQUALLY_LIKELY, {**shown, "count": len(line.outcomes)})
    elif outcome.name in WAITS and outcome.so_far is None:
        said = WAITS[outcome.name]
    else:
        said = CERTAIN if likely.value == 1 else LIKELIEST
    return reader.say(said, {"percent": percent(likely.value, reader), "outcome": _in_words(outcome, reader)})


def _even(line: Line) -> tuple[Outcome, Probability]:
    """The highest number that is more likely reached than not."""
    return next((one for one in line.at_least if 2 * one[1].value >= 1), line.at_least[-1])


def _in_words(outcome: Outcome, reader: Reader) -> str:
    """What had come of it before it waited, what it waits for, or what it has come to."""
    said = _with_lead(outcome, reader)
    return said if outcome.so_far is None else beside(_with_lead(outcome.so_far, reader), said, reader.lang)


def _with_lead(outcome: Outcome, reader: Reader) -> str:
    """A sentence with the one before it, without which a question does not say what it is about."""
    said = reader.say(outcome.message, outcome.params)
    lead = outcome.message.lead
    return said if lead is None else beside(reader.say(lead, outcome.params), said, reader.lang)


def _chances(line: Line, speaks: Voice) -> dict[str, Any]:
    return {
        "outcomes": [_outcome(outcome, likely, speaks) for outcome, likely in line.outcomes],
        "at_least": [_outcome(outcome, likely, speaks) for outcome, likely in line.at_least] or UNSET,
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
        text=speaks.each(lambda reader: _with_lead(outcome, reader)),
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
    said = [reader.say(*one) for one in choice.said]
    return reduce(lambda one, two: beside(one, two, reader.lang), said)


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
    tenths = round(value * 1000)
    if tenths == 0 < value:
        return f"< {_tenths(1, reader.lang)}"
    if tenths == 1000 and value < 1:
        return f"> {_tenths(999, reader.lang)}"
    return _tenths(tenths, reader.lang)


@cache
def _tenths(tenths: int, lang: str) -> str:
    """Tenths of a percent as the language writes them; there are no more than a thousand."""
    return format_percent(Decimal(tenths) / 1000, format=_pattern(lang), locale=lang)


@cache
def _pattern(lang: str) -> str:
    """How the language writes a percentage, with one decimal."""
    pattern: str = Locale.parse(lang).percent_formats[None].pattern
    return pattern.replace("0", "0.0", 1)


# -- the picture -------------------------------------------------------------------------------------


def _picture(game: Game, request: AskedOdds, found: Odds, rows: list[Row], reader: Reader) -> str:
    """Every outcome as a bar, row by row or choice by choice where there are several lines of play."""
    varied = [(_title(game, row, reader), row.odds.line) for row in rows]
    apart = [(_said(one, reader), one.line) for one in found.choices]
    drawn = varied or apart or [(_why_not(game, request.action, found, reader), found.line)]
    return bars.svg([(title, _bars(line, reader)) for title, line in drawn], reader.lang)


def _title(game: Game, row: Row, reader: Reader) -> str:
    """The action with the values that make a row another than the others, and why it has no bars if it has none."""
    kind = type(row.action)
    words = [wordings.parameter(reader, game, kind, name, value) for name, value in row.values.items()]
    values = format_list(words, locale=reader.lang)
    named = reader.say(TITLE, {"action": game.action_of(row.action).term, "values": values})
    return beside(capital(named), _why_not(game, row.action, row.odds, reader), reader.lang).strip()


def _why_not(game: Game, do: Any, found: Odds, reader: Reader) -> str:
    return "" if found.line.outcomes else str(_headline(game, do, found, reader))


def _bars(line: Line, reader: Reader) -> list[bars.Bar]:
    """A bar for each outcome; where a table has to be read, for each number or better instead of each number."""
    summed = {outcome.message for outcome, _ in line.at_least}
    shown = [one for one in line.outcomes if not _is_in(one[0], summed)]
    return [
        bars.Bar(_in_words(outcome, reader), percent(likely.value, reader), float(likely.value))
        for outcome, likely in (*line.at_least, *shown)
    ]


def _is_in(outcome: Outcome, summed: set[Message]) -> bool:
    at_least = outcome.message.at_least
    return at_least is not None and at_least[1] in summed
