"""What each answer to a single open fact would lead to, in words: “at least 1: Ambush (5.2.1) is allowed.”"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from msgspec import UNSET, Struct, structs

from engine.at import At
from engine.game import Answer, Game
from engine.messages import Message, Ref, message
from engine.settling import MOST_VALUES, is_settled_by_one, settled
from engine.telling import Given
from engine.verdict import ILLEGAL, LEGAL, UNDETERMINED
from service import forms
from service.forms import FormOption, Question, Range, Settles
from service.headlines import outcomes, plainly_allowed
from service.languages import Text, Voice
from service.typed_forms import NO, YES

EXACTLY = message("settles.exactly", "%(number)s")
AT_LEAST = message("settles.at-least", "at least %(number)s")
AT_MOST = message("settles.at-most", "at most %(number)s")
BETWEEN = message("settles.between", "%(first)s to %(last)s")
SPAN = message("settles.span", "%(first)s–%(last)s")


class Span(Ref):
    """A number of a sentence that is said of several answers at once: "0:2"."""

    __slots__ = ()

    def phrase(self) -> tuple[Message, dict[str, Any]]:
        """From the smallest to the largest."""
        first, last = self.split(":")
        return SPAN, {"first": first, "last": last}


class Led(Struct, frozen=True):
    """What a value, or each number up to another, would lead to."""

    value: Any
    last: Any
    found: Answer
    said: (
        Message | None
    )  # the first reason, the outcome or what is asked then; None where it is plainly allowed
    params: dict[str, Any] = {}


def with_settles(
    game: Game,
    at: At[Any],
    do: Any,
    inputs: Sequence[Given],
    found: Answer,
    unknowns: list[Question],
    speaks: Voice,
) -> list[Question]:
    """The questions of an answer; a single one with few answers says what each of them would lead to."""
    if not is_settled_by_one(found):
        return unknowns
    (question,) = unknowns
    values = few(question.form)
    if not values:
        return unknowns
    tried = settled(game, at, do, inputs, str(question.pointer), values)
    ways = list(merged(led(value, one) for value, one in tried))
    if all(way.found.verdict.ruling == UNDETERMINED for way in ways):
        return unknowns
    said = [_worded(game, do, way, question.form, speaks) for way in ways]
    return [structs.replace(question, settles=said)]


def few(form: Any) -> list[Any]:
    """All answers that a form takes, in order; none where they are many or no list has them all."""
    instead = [one.value for one in _options(form)]
    if isinstance(form, forms.YesNo):
        return [True, False]
    if isinstance(form, forms.One):
        return instead if len(instead) <= MOST_VALUES else []
    if (
        not isinstance(form, forms.Number)
        or not isinstance(form.least, int)
        or not isinstance(form.most, int)
    ):
        return []
    numbers = range(form.least, form.most + 1)
    return [*numbers, *instead] if len(numbers) + len(instead) <= MOST_VALUES else []


def _options(form: Any) -> list[FormOption]:
    found = getattr(form, "options", UNSET)
    return [] if found is UNSET else found


# -- what it would lead to ---------------------------------------------------------------------------


def led(value: Any, found: Answer) -> Led:
    """What is found with a value, and what is said of it first."""
    verdict = found.verdict
    if verdict.ruling == ILLEGAL:
        return Led(value, value, found, verdict.reasons[0].requirement.refusal, verdict.reasons[0].params)
    if verdict.ruling == UNDETERMINED:
        return Led(value, value, found, verdict.unknowns[0].question, verdict.unknowns[0].params)
    came = outcomes(found)
    return (
        Led(value, value, found, came[0].message, came[0].params) if came else Led(value, value, found, None)
    )


def merged(ways: Iterator[Led]) -> Iterator[Led]:
    """Neighbouring numbers of which the same is said as one."""
    before: Led | None = None
    for way in ways:
        both = None if before is None else _together(before, way)
        if before is not None and both is None:
            yield before
        before = both or way
    if before is not None:
        yield before


def _together(one: Led, next_one: Led) -> Led | None:
    """Two neighbouring numbers as one; None where they are none, or something else is said of each."""
    if type(one.last) is not int or type(next_one.value) is not int or next_one.value != one.last + 1:
        return None
    same = one.found.verdict.ruling == next_one.found.verdict.ruling and one.said == next_one.said
    if not same or one.params.keys() != next_one.params.keys():
        return None
    params = {name: _spanned(said, next_one.params[name]) for name, said in one.params.items()}
    if UNSET in params.values():
        return None
    return structs.replace(one, last=next_one.last, params=params)


def _spanned(one: Any, other: Any) -> Any:
    """What two sentences say of the same thing: the same, or two numbers from the smaller to the larger."""
    if type(one) is type(other) and one == other:
        return one
    numbers = [*map(int, one.split(":"))] if isinstance(one, Span) else [one]
    if type(other) is not int or not all(type(number) is int for number in numbers):
        return UNSET
    return Span(f"{min(*numbers, other)}:{max(*numbers, other)}")


# -- in words ----------------------------------------------------------------------------------------


def _worded(game: Game, do: Any, way: Led, form: Any, speaks: Voice) -> Settles:
    ruling = way.found.verdict.ruling
    plain = way.said is None or (
        ruling == LEGAL and any(isinstance(one, Span) for one in way.params.values())
    )
    return Settles(
        when=Range(way.value, way.last) if type(way.value) is int else way.value,
        when_text=_when(way, form, speaks),
        ruling=ruling,  # type: ignore[arg-type]  # the kernel calls it a text
        text=plainly_allowed(game, do, way.found, speaks) if plain else speaks.tell(way.said, way.params),  # type: ignore[arg-type]
    )


def _when(way: Led, form: Any, speaks: Voice) -> Text:
    """An answer, or several numbers, in words."""
    if isinstance(way.value, bool) and isinstance(form, forms.YesNo):
        return speaks.say(YES if way.value else NO, {})
    named = [
        one.text for one in _options(form) if one.value == way.value and type(one.value) is type(way.value)
    ]
    if named:
        return named[0]
    if way.value == way.last:
        return speaks.say(EXACTLY, {"number": way.value})
    if way.last == form.most:
        return speaks.say(AT_LEAST, {"number": way.value})
    if way.value == form.least:
        return speaks.say(AT_MOST, {"number": way.last})
    return speaks.say(BETWEEN, {"first": way.value, "last": way.last})
