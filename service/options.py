"""POST …/options: everything that may be done on a position, with what it costs, and why the rest may not."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from msgspec import UNSET

from engine import options
from engine.actions import Action
from engine.game import Continue, Game, check, prepare
from engine.messages import Message, Ref, message
from engine.offers import Closed
from engine.options import Options, Way
from engine.verdict import ILLEGAL, LEGAL, Caution, Check
from service.answers import OptionsAnswer, OptionsEntry, WayEntry
from service.forms import ClosedOption
from service.headlines import ruled
from service.languages import Text, Voice, capital, voice
from service.questions import asked, pending_question
from service.requests import AskedOptions
from service.rules import section
from service.sentences import Reason, assumptions, entry, refusals

TERM = message("options.term", "%(term)s")


def answer(game: Game, request: AskedOptions, lang: str) -> OptionsAnswer:
    """Every action kind, or those that were asked for, worded in the reader's language."""
    at = prepare(game, request.position, request.choices, request.components, assume=request.assume)
    speaks = voice(lang)
    found = options.options(game, at, request.kinds)
    under_way = check(game, at, Continue()) if at.agenda else None
    return OptionsAnswer(
        game=game.name,
        lang=speaks.lang,
        options=[
            _entry(game, one, request.position, speaks)
            for one in found
            if request.illegal or one.ruling != ILLEGAL
        ],
        pending=pending_question(game, under_way, speaks) if under_way else None,
        unknowns=[asked(game, fact, request.position, speaks) for fact in under_way.verdict.unknowns]
        if under_way
        else [],
    )


def _entry(game: Game, found: Options, position: Any, speaks: Voice) -> OptionsEntry:
    action, rules = found.action, (found.action.rule,)
    return OptionsEntry(
        kind=action.name,
        term=_term(action, speaks),
        section=section(action.rule),
        ruling=found.ruling,  # type: ignore[arg-type]  # the kernel calls it a text
        headline=ruled(action, found.ruling, _because(found), speaks),
        actions=[_way(found, way, speaks) for way in found.ways],
        assumed=assumptions(found.assumed, speaks),
        reasons=[_reason(one, speaks) for one in found.reasons],
        unknowns=[asked(game, fact, position, speaks, action.kind, rules) for fact in found.unknowns],
        asks=[asked(game, fact, position, speaks, action.kind, rules) for fact in found.asks],
        closed=[_closed(game, one, speaks) for one in found.closed],
        closed_ways=found.closed_ways,
        complete=found.complete,
        left_out=found.left_out or UNSET,
    )


def _term(action: Action, speaks: Voice) -> Text:
    """The act by its name, as it opens a line."""
    return _named(action.term, speaks.lang)


@lru_cache(maxsize=1024, typed=True)  # every answer names them all
def _named(term: Ref, lang: str) -> Text:
    return voice(lang).each(lambda reader: capital(reader.say(TERM, {"term": term})))


def _because(found: Options) -> tuple[Message, Any] | None:
    """What decides: the first reason, or the first fact that is missing."""
    if found.reasons:
        first = found.reasons[0]
        said = first.message if isinstance(first, Caution) else first.requirement.refusal
        return said, first.params
    if found.ruling != LEGAL and found.unknowns:
        return found.unknowns[0].question, found.unknowns[0].params
    return None


def _way(found: Options, way: Way, speaks: Voice) -> WayEntry:
    said = way.said
    return WayEntry(
        action=way.action,
        ruling="legal",
        text=speaks.say(found.action.says, {}) if said is None else speaks.say(said.message, said.params),
        cost=way.cost,
        asks=[fact.pointer for fact in way.asks] or UNSET,
    )


def _reason(one: Check | Caution, speaks: Voice) -> Reason:
    if isinstance(one, Caution):
        return entry(one.message.name, one.message, one, speaks)
    return refusals((one,), speaks)[0]


def _closed(game: Game, one: Closed, speaks: Voice) -> ClosedOption:
    """Whom or what an action is about, or the action itself where it is about nobody."""
    action = one.action
    said = game.subjects(action.subject, one.subject)
    text = (
        _term(action, speaks)
        if said is None
        else speaks.each(lambda reader: capital(reader.say(said.message, said.params)))
    )
    value = one.subject if isinstance(action.subject, str) else action.about(one.subject)
    return ClosedOption(value=value, text=text, reasons=refusals(one.reasons, speaks))
