"""What can be said before an action is named in full: which answers allow it, which are refused, what matters with any.

Each answer to the last parameter that is missing is checked as if it were given, by the check that rules in the end.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from msgspec import UNSET, Struct

from engine import codec
from engine.actions import Action
from engine.exceptions import Unreadable
from engine.game import Game, check
from engine.verdict import ILLEGAL, LEGAL, Fact, Verdict
from service import forms
from service.forms import Question
from service.several import of_facts

Told = dict[str, Any]
PLACES = "/areas/"  # what lies there is told all together
MOST = 60  # answers that are checked; a map has 39 Areas


class Way(Struct, frozen=True):
    """An answer, and the action that it makes whole."""

    value: Any
    do: Any


class Outlook(Struct, frozen=True):
    """What comes of each answer."""

    left: tuple[Way, ...]  # those that nothing refuses as yet; of none, all
    refused: tuple[Any, ...]  # answers
    against: frozenset[tuple[str, str]] = frozenset()  # what speaks against all of them: names and pointers
    matters: frozenset[tuple[str, tuple[str, ...]]] = frozenset()  # facts that all of the others need
    issues: Mapping[str, str] = {}  # disputed points that this rests on, and how each is read

    def needs(self, question: Question) -> bool:
        """Is this asked whatever the answer is?"""
        return (str(question.pointer), tuple(question.pointers or ())) in self.matters


def ways(action: Action, about: Told, question: Question) -> list[Way]:
    """Each answer to a parameter that makes an action whole; none where there are too many, or others are missing."""
    form = question.form
    if not about or not isinstance(form, forms.One) or len(form.options) > MOST:
        return []
    return list(_whole(action, about, str(question.pointer).rpartition("/")[2], form))


def _whole(action: Action, about: Told, key: str, form: forms.One) -> Iterator[Way]:
    for one in form.options:
        try:
            do = codec.read({"kind": action.name, **about, key: one.value}, action.kind, "/action")
        except Unreadable:
            continue
        yield Way(one.value, do)


def look(game: Game, at: Any, possible: Sequence[Way]) -> Outlook:
    """Check each way."""
    found = [(way, check(game, at, way.do)) for way in possible]
    issues = {name: read for _, answer in found for name, read in answer.issues.items()}
    refused = tuple(way.value for way, answer in found if answer.verdict.ruling == ILLEGAL)
    if len(refused) == len(found):
        common = frozenset.intersection(*(_reasons(answer.verdict) for _, answer in found))
        return Outlook(tuple(possible), refused, against=common, issues=issues)
    left = [(way, answer.verdict) for way, answer in found if answer.verdict.ruling != ILLEGAL]
    needed = frozenset.intersection(*(_facts(verdict) for _, verdict in left))
    return Outlook(tuple(way for way, _ in left), refused, matters=needed, issues=issues)


def allowed(game: Game, table: Callable[[Told], Any], possible: Sequence[Way], lang: str) -> tuple[Any, ...]:
    """The answers that are allowed where nothing else lies on the table, which is the position with more told of it."""
    at = table({})
    found = ((way, check(game, at, way.do).verdict) for way in possible)
    return tuple(way.value for way, verdict in found if _is_allowed(game, table, way, verdict, lang))


def _is_allowed(game: Game, table: Callable[[Told], Any], way: Way, verdict: Verdict, lang: str) -> bool:
    """Is this allowed as soon as it is told that nothing lies where something could?"""
    told: Told = {}
    while verdict.unknowns and all(one.pointers for one in verdict.unknowns):
        more = {key: none for one in verdict.unknowns for key, none in _nothing(game, one, lang).items()}
        if more.keys() <= told.keys():
            return False
        told |= more
        verdict = check(game, table(told), way.do).verdict
    return verdict.ruling == LEGAL


def _nothing(game: Game, fact: Fact, lang: str) -> Told:
    """What is told of several places where nothing is."""
    return of_facts(game.name, fact.pointers, lang).otherwise or {}


def _reasons(verdict: Verdict) -> frozenset[tuple[str, str]]:
    return frozenset((one.requirement.name, one.pointer) for one in verdict.reasons)


def _facts(verdict: Verdict) -> frozenset[tuple[str, tuple[str, ...]]]:
    return frozenset((one.pointer, one.pointers) for one in verdict.unknowns)


def granted(question: Any, names: Sequence[Any], *, names_somebody: bool) -> Any:
    """What goes without saying: that nothing else lies there, and that what was named is there; UNSET where nothing does.

    Who asks about nobody in particular says nothing of the others either: only on the map there may be nothing.
    """
    form = question.form
    if isinstance(form, forms.Some) and form.otherwise:
        on_map = all(pointer.startswith(PLACES) for pointer in form.otherwise)
        return [] if names_somebody or on_map else UNSET
    if isinstance(form, forms.One) and form.decline is None:
        return None
    path = str(question.pointer).split("/")[2:]
    is_named = len(path) > 1 and all(part in names for part in path)
    return True if is_named and isinstance(form, forms.YesNo) else UNSET
