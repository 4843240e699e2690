"""The headline: what a reader wants to know first, in one or two sentences.

Before anything happened it says whether an action is allowed, and why not. Afterwards it says what came of it, the
end of the game before all, and then what comes next.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache, partial, reduce
from typing import Any

from msgspec import UNSET

from engine.actions import Action
from engine.at import Event
from engine.game import Answer, Continue, Game
from engine.messages import Message, Ref, message
from engine.verdict import ILLEGAL, LEGAL
from service.languages import Reader, Text, Voice, beside, capital
from service.languages import reader as reader_of
from service.rules import section
from service.terms import Language

ALLOWED = message("headline.allowed", "%(action)s (%(section)s) is allowed.")
REFUSED = message("headline.refused", "%(action)s (%(section)s) is not allowed.")
OPEN = message("headline.open", "%(action)s (%(section)s): it depends.")
# Julian's aid has no section numbers.
ALLOWED_PLAIN = message("headline.allowed-plain", "%(action)s: this is allowed.")
REFUSED_PLAIN = message("headline.refused-plain", "%(action)s: this is not allowed.")
REFUSED_BARE = message("headline.refused-bare", "This is not allowed.")
OPEN_PLAIN = message("headline.open-plain", "%(action)s: it depends.")
# Where the sentence that follows names the action itself.
ALLOWED_HERE = message("headline.allowed-here", "This is allowed (%(section)s).")
REFUSED_HERE = message("headline.refused-here", "This is not allowed (%(section)s).")
OPEN_HERE = message("headline.open-here", "It depends (%(section)s).")
OF_ACTION = message("headline.of", "%(action)s (%(section)s): %(said)s")
OF_ACTION_PLAIN = message("headline.of-plain", "%(action)s: %(said)s")
AT_CHART = message("headline.at", "%(chart)s: %(said)s")
DEPENDS = message("headline.depends", "Something has to be known first.")
NOTHING_MORE = message("headline.nothing-more", "Nothing is left to be done here.")
DOES_NOT_FIT = message("headline.answer-does-not-fit", "This answer does not fit.")
SECTION = message("section", "%(section)s")
STEP_OF = message("section.step", "%(section)s step %(step)s")
CHART = message("section.chart", "chart")

_SENTENCE = re.compile(r"(?<=\.) (?=[^\d(])|(?<=。)")  # between two sentences
_ASIDE = re.compile(r"\s?; ")  # before what is added to a sentence
_COLON = re.compile(r"\s?: ")  # before what explains it
_LEAD = re.compile(r"\s?[:：]")  # after what a question is about
_BRACKETS = {"(": ")", "[": "]", "«": "»", "“": "”", "「": "」"}
LONGEST = 160  # characters, unless the question that follows needs more

Phrase = tuple[Message, Any]
WITH_SECTION = {LEGAL: (ALLOWED, ALLOWED_HERE), ILLEGAL: (REFUSED, REFUSED_HERE)}
PLAIN = {LEGAL: (ALLOWED_PLAIN, ALLOWED_PLAIN), ILLEGAL: (REFUSED_PLAIN, REFUSED_BARE)}


class SectionRef(Ref):
    """A section number as it is printed: 5.2.4, or 3.1 step 3."""

    __slots__ = ()

    def phrase(self) -> tuple[Message, dict[str, Any]]:
        """The number, and the step if it is one."""
        number, _, step = str(self).partition(".s")
        return (STEP_OF, {"section": number, "step": step}) if step else (SECTION, {"section": number})


def printed_rule(rule: str, reader: Reader) -> str:
    """A rule by its section number, or as one of a chart."""
    return printed_section(section(rule), reader)


def printed_section(number: str, reader: Reader) -> str:
    """A section number as it is printed; a chart has none."""
    return reader.say(*(SectionRef(number).phrase() if number[0].isdigit() else (CHART, {})))


def headline(game: Game, do: Any, found: Answer, speaks: Voice) -> Text:
    """What a reader wants to know first of an answer."""
    verdict = found.verdict
    action = None if isinstance(do, Continue) else game.action_of(do)
    called = None if action is None else _called(action, do)
    if found.refused == "answer":
        why = found.verdict.reasons[0]
        return speaks.each(
            lambda reader: _within(
                reader, reader.say(DOES_NOT_FIT, {}), (why.requirement.refusal, why.params)
            )
        )
    if verdict.ruling == LEGAL and found.events:
        named = action is not None and action.called is not None
        return speaks.each(_Story(called, found, named=named).told)
    if called is not None:
        return speaks.each(lambda reader: _ruled(reader, verdict.ruling, called, _because(found)))
    if verdict.ruling == LEGAL:
        return speaks.each(lambda reader: _where_it_stands(game, found, reader))
    return speaks.each(lambda reader: _stopped(reader, found))


def ruled(action: Action, ruling: str, because: Phrase | None, speaks: Voice) -> Text:
    """Whether an action kind is open, and what decides."""
    return speaks.each(lambda reader: _ruled(reader, ruling, (action.term, action.rule), because))


def plainly_allowed(game: Game, do: Any, found: Answer, speaks: Voice) -> Text:
    """That an action is allowed and no more; of what is under way, what is asked next."""
    if isinstance(do, Continue):
        return speaks.each(lambda reader: _where_it_stands(game, found, reader))
    return speaks.each(lambda reader: _ruled(reader, LEGAL, _called(game.action_of(do), do), None))


def outcome_of(found: Answer) -> str | None:
    """The name of the event that is the outcome; None where nothing is decided yet."""
    told = outcomes(found)
    return told[0].message.name if told else None


# -- before anything happened ------------------------------------------------------------------------


def _called(action: Action, do: Any) -> tuple[Ref, str]:
    """What an action is called, and the rule it stands under."""
    return (action.term, action.rule) if action.called is None else action.called(do)


def _ruled(reader: Reader, ruling: str, called: tuple[Ref, str], because: Phrase | None) -> str:
    """The ruling on an action; a sentence that opens with its name need not be told it before."""
    name, printed, said, briefly = _ruling(reader.lang, ruling, *called)
    if because is None:
        return said
    why = reader.tell(*because)
    names_it = why.lower().startswith(name) or (ruling == LEGAL and name in _lead(why))
    if ruling == ILLEGAL and not printed[0].isdigit() and not names_it:  # only the name says what it is about
        return _fitting(
            _beside(reader, one, reason) for one in (said, briefly) for reason in _shorter(reader, because)
        )
    if names_it or len(said) + len(why) >= LONGEST:
        said = briefly
    return _beside(reader, said, why) if ruling != ILLEGAL else _within(reader, said, because)


def _lead(question: str) -> str:
    """What a question is about in small letters, where it begins with that."""
    lead, *asked = _LEAD.split(question, maxsplit=1)
    return lead.lower() if asked else ""


@lru_cache(maxsize=4096, typed=True)  # it opens nearly every answer, and each action has its own
def _ruling(lang: Language, ruling: str, term: Ref, rule: str) -> tuple[str, str, str, str]:
    """The name of an action in small letters, the section it stands under, and the ruling with and without its name."""
    speaks = reader_of(lang)
    name, printed = speaks.word(term), section(rule)
    full, here = WITH_SECTION.get(ruling, (OPEN, OPEN_HERE))
    if not printed[0].isdigit():
        full, here = PLAIN.get(ruling, (OPEN_PLAIN, OPEN_PLAIN))
    shown = {"action": capital(name), "section": SectionRef(printed)}
    return name.lower(), printed, speaks.say(full, shown), speaks.say(here, shown)


def _within(reader: Reader, first: str, why: Phrase) -> str:
    """The ruling and its reason, which is told in full further on: here as much of it as there is room for."""
    return _fitting(_beside(reader, first, said) for said in _shorter(reader, why))


def _fitting(ways: Iterable[str]) -> str:
    """The first way to say it that is short enough, else the last."""
    said = ""
    for said in ways:
        if len(said) <= LONGEST:
            break
    return said


def _shorter(reader: Reader, phrase: Phrase) -> Iterator[str]:
    """A sentence; without those that follow it; without what is added to it; unless it is whole, before its colon."""
    said = reader.tell(*phrase)
    yield said
    first = _before(_SENTENCE, said)
    yield first
    plain = _before(_ASIDE, first)
    yield plain if plain == first else f"{plain}."
    opening = _before(_COLON, plain)
    if opening != plain and not phrase[0].whole:
        yield f"{opening}."


def _before(cut: re.Pattern[str], said: str) -> str:
    """What stands before the first such place that is not inside a bracket."""
    for place in cut.finditer(said):
        before = said[: place.start()]
        if all(before.count(opens) == before.count(closes) for opens, closes in _BRACKETS.items()):
            return before
    return said


def _because(found: Answer) -> Phrase | None:
    """What decides, or what is asked next."""
    verdict = found.verdict
    if verdict.reasons:
        return verdict.reasons[0].requirement.refusal, verdict.reasons[0].params
    if verdict.unknowns:
        return verdict.unknowns[0].question, verdict.unknowns[0].params
    if found.pending is not None:
        return found.pending.question.message, found.pending.question.params
    return None


def _where_it_stands(game: Game, found: Answer, reader: Reader) -> str:
    """What is asked, under the name of its chart; what has come to its end without a word needs one."""
    asked = _because(found)
    if asked is None:
        return reader.say(NOTHING_MORE, {})
    if found.pending is None:
        return reader.tell(*asked)
    title = game.procedures[found.pending.agenda[0].procedure].title
    question = reader.tell(*asked)
    chart = "" if title is None else reader.say(title, {})
    if not chart or chart.lower() in question.lower():
        return question
    return reader.say(AT_CHART, {"chart": chart, "said": question})


def _stopped(reader: Reader, found: Answer) -> str:
    """Why nothing goes on: the reason, or what has to be known first."""
    if found.verdict.reasons:
        return _fitting(_shorter(reader, _because(found)))  # type: ignore[arg-type]  # there is one
    return _beside(reader, reader.say(DEPENDS, {}), reader.tell(*_because(found)))  # type: ignore[misc]


def _beside(reader: Reader, first: str, then: str | None = None) -> str:
    return first if then is None else beside(first, then, reader.lang)


# -- afterwards --------------------------------------------------------------------------------------


def _since(found: Answer) -> Sequence[Event]:
    """What happened upon the last answer, or since the beginning where none was given."""
    return found.events[found.taken[-1].before :] if found.taken else found.events


def outcomes(found: Answer) -> list[Event]:
    """The outcomes the last answer led to, else the last one before it; the end of the game alone."""
    decided = [one for one in _since(found) if one.message.outcome]
    decided = decided or [one for one in found.events if one.message.outcome][-1:]
    return decided[-1:] if _is_over(found) else decided


def _is_over(found: Answer) -> bool:
    return getattr(found.position, "outcome", None) not in (None, UNSET)


def _news(events: Sequence[Event]) -> list[Event]:
    return [one for one in events if one.message.tells == "news"]


class _Story:
    """What happened in one answer, told as fully as a headline can be."""

    def __init__(self, called: tuple[Ref, str] | None, found: Answer, *, named: bool) -> None:
        self._called = called
        self._named = named
        self._found = found
        self._outcomes = outcomes(found)
        self._speaks_for_itself = (
            bool(self._outcomes) and self._outcomes[0].message.outcome is True and not named
        )
        self._next = self._what_comes_next()
        self._news = _news(_since(found)) or _news(found.events)
        if not self._news and self._next is None:
            self._news = list(found.events)

    def told(self, reader: Reader) -> str:
        """The fullest way to tell it that is short enough, else the shortest."""
        return _fitting(self._ways(reader))

    def _what_comes_next(self) -> Phrase | None:
        """What is asked; else what the last event announces, unless something has happened since or the game is over."""
        asked = _because(self._found)
        if asked is not None or _is_over(self._found):
            return asked
        told = [one for one in self._found.events if one.message.tells in ("news", "next")]
        announced = told[-1:] if told and told[-1].message.tells == "next" else []
        return (announced[0].message, announced[0].params) if announced else None

    def _ways(self, reader: Reader) -> Iterator[str]:
        """Ways to tell it, each shorter than the one before."""
        follows = None if self._next is None else reader.tell(*self._next)
        told = False
        for happened in self._happened(reader):
            told = True
            if self._called is not None and not self._speaks_for_itself:
                yield _beside(reader, self._under_its_name(reader, happened), follows)
            if self._named:  # which marker, which result: that is never left out
                continue
            yield _beside(reader, happened, follows)
            if self._next is not None and self._next[0].tells == "next":  # what is not asked can be left out
                yield happened
        if self._outcomes or (told and self._next is None):
            return
        yield from self._only_next(reader, begun=told or bool(self._found.taken))

    def _happened(self, reader: Reader) -> Iterator[str]:
        """What came of it, in fewer and fewer words."""
        say: Callable[[Event], str] = lambda one: reader.tell(one.message, one.params)  # noqa: E731
        briefly: Callable[[Event], str] = lambda one: reader.tell(  # noqa: E731
            one.message.amounts_to or one.message, one.params
        )
        if _is_over(self._found):
            why = _news(self._found.events)[:-1]
            yield from (_beside(reader, say(self._outcomes[0]), say(one)) for one in why[-1:])
        for words in (say, briefly):
            told = dict.fromkeys(map(words, self._outcomes))
            if len(told) > 1:
                yield reduce(partial(_beside, reader), told)
        first, last = (self._outcomes[0], self._outcomes[-1]) if self._outcomes else (None, None)
        if first is not None and last is not None and say(last) != say(first):
            shorter = _shorter(reader, (last.message, last.params))
            yield from (_beside(reader, say(first), amounts) for amounts in shorter)
        for one in self._outcomes[:1] or self._news[-1:]:
            yield from _shorter(reader, (one.message, one.params))
            short = one.message.amounts_to
            if short is not None and short is not one.message:
                yield reader.tell(short, one.params)

    def _under_its_name(self, reader: Reader, happened: str) -> str:
        """What came of an action, after its name where the sentence does not say it."""
        term, rule = self._called  # type: ignore[misc]  # asked only where there is one
        name, printed = reader.word(term), section(rule)
        if name.lower() in happened.lower():
            return happened
        shown = {"action": capital(name), "section": SectionRef(printed), "said": happened}
        return reader.say(OF_ACTION if printed[0].isdigit() else OF_ACTION_PLAIN, shown)

    def _only_next(self, reader: Reader, *, begun: bool) -> Iterator[str]:
        """What it waits for: under its name where it is under way, else that it is allowed."""
        follows = reader.tell(*self._next)  # type: ignore[misc]  # else what happened is told
        if self._called is None:
            yield follows
        elif begun or self._next[0].tells == "next":  # type: ignore[index]
            yield self._under_its_name(reader, follows)
        else:
            yield _ruled(reader, LEGAL, self._called, self._next)
        if not self._named:
            yield follows
