"""POST …/check: a position and an action in, the verdict with its explanation out."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import msgspec
import orjson
from msgspec import UNSET

from engine import codec
from engine.catalogue import Catalogue
from engine.flow import Event, Pending
from engine.game import Action, Answer, Continue, Game, check, prepare
from engine.messages import Message, Ref, message
from engine.verdict import ILLEGAL, LEGAL, Caution, Check, Fact, Unknown
from service.languages import Voice, beside, voice
from service.rules import section

ALLOWED = message("headline.allowed", "%(action)s (%(section)s) is allowed.")
REFUSED = message("headline.refused", "%(action)s (%(section)s) is not allowed.")
OPEN = message("headline.open", "Whether %(action)s (%(section)s) is allowed depends on what was not told.")
# Julian's aid has no section numbers.
ALLOWED_PLAIN = message("headline.allowed-plain", "%(action)s: this is allowed.")
REFUSED_PLAIN = message("headline.refused-plain", "%(action)s: this is not allowed.")
OPEN_PLAIN = message(
    "headline.open-plain", "%(action)s: whether this is allowed depends on what was not told."
)
SECTION = message("section", "%(section)s")
STEP_OF = message("section.step", "%(section)s step %(step)s")
GOES_ON = message("headline.goes-on", "The procedure goes on.")
FINISHED = message("headline.finished", "The procedure is finished.")
STOPS = message("headline.stops", "The procedure cannot go on.")


def answer(game: Game, request: dict[str, Any], lang: str) -> dict[str, Any]:
    """The whole answer to one check request, worded in the reader's language."""
    at = prepare(game, request["position"], request["choices"], request["components"])
    do = request["action"]
    inputs = codec.read_inputs(request["inputs"])
    found = check(game, at, do, inputs)
    speaks = voice(lang)
    happened = found.verdict.ruling == LEGAL
    return {
        "game": game.name,
        "lang": speaks.lang,
        "ruling": found.verdict.ruling,
        "headline": _headline(game, do, found, speaks),
        "reasons": [reason_entry(one, one.requirement.refusal, speaks) for one in found.verdict.reasons],
        "unknowns": [unknown_entry(fact, speaks) for fact in found.verdict.unknowns],
        "cautions": [_caution(one, speaks) for one in found.verdict.cautions],
        "passed": [reason_entry(one, one.requirement.met, speaks) for one in found.verdict.passed],
        "events": [event_entry(event, speaks) for event in found.events],
        "pending": None if found.pending is None else pending_entry(found, found.pending, speaks),
        "position": raw(found.position) if happened else orjson.Fragment(request["sent"]),
        "changes": _changes(at.position, found.position) if happened else [],
        "issues": issue_entries(game.catalogue, found.issues.items(), speaks),
    }


def encode(body: Any) -> bytes:
    """An answer as JSON; what is not known has no value."""
    return orjson.dumps(body, default=_plain)


def _plain(value: Any) -> Any:
    if isinstance(value, Unknown):
        return None
    if isinstance(value, msgspec.Struct):
        return orjson.Fragment(msgspec.json.encode(value))
    raise TypeError(type(value))


def raw(value: Any) -> Any:
    """An engine value as the JSON it is written as."""
    return orjson.Fragment(msgspec.json.encode(value))


def _headline(game: Game, do: Any, found: Answer, speaks: Voice) -> Any:
    """One sentence: the ruling, and what matters most about it."""
    verdict = found.verdict
    if isinstance(do, Continue):
        said: tuple[Message, dict[str, Any]] = (_how_it_goes(found), {})
    else:
        action = game.action_of(do)
        said = _ruled(verdict.ruling, action)
    more: tuple[Message, Any] | None = None
    if verdict.reasons:
        more = (verdict.reasons[0].requirement.refusal, verdict.reasons[0].params)
    elif verdict.unknowns:
        more = (verdict.unknowns[0].question, verdict.unknowns[0].params)
    elif found.pending is not None:
        more = (found.pending.question.message, found.pending.question.params)
    return _joined(speaks, said, more)


def _how_it_goes(found: Answer) -> Message:
    """A procedure that was gone on with: further on, at its end, or not at all."""
    if found.verdict.ruling != LEGAL:
        return STOPS
    return GOES_ON if found.position.agenda else FINISHED


class SectionRef(Ref):
    """A section number as it is printed: 5.2.4, or 3.1 step 3."""

    __slots__ = ()

    def phrase(self) -> tuple[Message, dict[str, Any]]:
        """The number, and the step if it is one."""
        number, _, step = str(self).partition(".s")
        return (STEP_OF, {"section": number, "step": step}) if step else (SECTION, {"section": number})


def _ruled(ruling: str, action: Action) -> tuple[Message, dict[str, Any]]:
    printed = section(action.rule)
    if printed[0].isdigit():
        said = {LEGAL: ALLOWED, ILLEGAL: REFUSED}.get(ruling, OPEN)
        return said, {"action": action.term, "section": SectionRef(printed)}
    return {LEGAL: ALLOWED_PLAIN, ILLEGAL: REFUSED_PLAIN}.get(ruling, OPEN_PLAIN), {"action": action.term}


def capital(said: Any) -> Any:
    """A sentence opened by a term, with its first letter in upper case."""
    if isinstance(said, dict):
        return {lang: capital(text) for lang, text in said.items()}
    return said[:1].upper() + said[1:]


def _joined(speaks: Voice, first: tuple[Message, Any], then: tuple[Message, Any] | None) -> Any:
    one = capital(speaks.say(*first))
    if then is None:
        return one
    two = speaks.say(*then)
    if isinstance(one, dict):
        return {lang: beside(one[lang], two[lang], lang) for lang in one}
    return beside(one, two, speaks.lang)


def reason_entry(check: Check, said: Message, speaks: Voice) -> dict[str, Any]:
    """One check, worded as a refusal or as met."""
    return {
        "name": check.requirement.name,
        "text": speaks.say(said, check.params),
        "rules": check.rules,
        "params": check.params,
        "pointer": check.pointer,
    }


def _caution(caution: Caution, speaks: Voice) -> dict[str, Any]:
    return {
        "name": caution.message.name,
        "text": speaks.say(caution.message, caution.params),
        "rules": caution.rules,
        "params": caution.params,
        "pointer": caution.pointer,
    }


def unknown_entry(fact: Fact, speaks: Voice) -> dict[str, Any]:
    """A fact that was needed and not told, as a question."""
    return {
        "name": fact.question.name,
        "text": speaks.say(fact.question, fact.params),
        "params": fact.params,
        "pointer": fact.pointer,
    }


def event_entry(event: Event, speaks: Voice) -> dict[str, Any]:
    """Something that happened."""
    return {
        "name": event.message.name,
        "text": speaks.say(event.message, event.params),
        "rules": event.rules,
        "params": event.params,
    }


def pending_entry(found: Answer, pending: Pending, speaks: Voice) -> dict[str, Any]:
    """What is asked next; procedure and step are those of the chart the player follows."""
    chart = found.position.agenda[0]
    question = pending.question
    return {
        "kind": pending.step.kind,
        "name": pending.name,
        "text": speaks.say(question.message, question.params),
        "input": question.answers.key,
        "procedure": chart.procedure,
        "step": chart.step,
        "rules": pending.step.rules,
        "params": question.params,
        "options": [
            {"value": option.value, "text": speaks.say(option.message, option.params)}
            for option in getattr(question.answers, "options", ())
        ],
    }


def _changes(before: Any, after: Any) -> list[dict[str, Any]]:
    found = []
    for pointer, old, new in sorted(codec.changes(before, after), key=lambda change: change[0]):
        change: dict[str, Any] = {"pointer": pointer}
        if old is not UNSET:
            change["from"] = old
        if new is not UNSET:
            change["to"] = new
        found.append(change)
    return found


def issue_entries(
    catalogue: Catalogue, consulted: Iterable[tuple[str, str]], speaks: Voice
) -> list[dict[str, Any]]:
    """The disputed points that were consulted, and how they were read."""
    found = []
    for name, chosen in consulted:
        issue = catalogue.issues[name]
        found.append(
            {
                "id": issue.id,
                "name": issue.name,
                "chosen": chosen,
                "preferred": issue.preferred,
                "text": speaks.say(issue.text, {}),
            }
        )
    return found
