"""Tables of which any part is told: what is assumed, asked and kept holds whatever the part.

RANDOM_CASES=100000 looks at so many (`make fuzz`), FIRST=… at others; CASE=… at a single one, named by a failure.
"""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Iterable, Iterator
from functools import cache
from random import Random
from typing import Any, NamedTuple

import pytest
from msgspec import UNSET, Struct, structs

from engine import codec
from engine.exceptions import Unreadable
from engine.game import Answer, Continue, Game, check, prepare
from engine.pointers import escape, parts
from engine.telling import Table as Told
from engine.telling import tell
from engine.verdict import Check
from service.games import GAMES
from service.headlines import headline
from service.languages import voice
from tests.games.asked_player import CannotTell, FaceDown, seen, told_or_left_out
from tests.games.julian_turns import an_answer
from tests.games.player import Player, Unanswered
from tests.games.tables import Case, cases, julian, navajo_wars
from tests.properties.playing import through_json

RANDOM_CASES = int(os.environ.get("RANDOM_CASES", "2000"))  # for each property
FIRST = int(os.environ.get("FIRST", "0"))
FEW = RANDOM_CASES < 100 or "CASE" in os.environ  # so that what must be met may not be
PARTS = 4  # in which they are looked at side by side
SHARES = (0.0, 0.1, 0.3, 0.6, 0.9, 1.0)  # how much of a table is told
MOST_ANSWERS = 5
SAID_OF_THE_BOARD = ("/agenda", "/format", "/partial")


# -- tables, and what is told of them ----------------------------------------------------------------


@cache
def asked_about() -> tuple[Case, ...]:
    """What somebody may ask at the tables of both games."""
    found = cases(navajo_wars(6, FIRST, 2), FIRST)
    return (*found, *cases(julian(12, FIRST, 5), FIRST))


@cache
def values() -> dict[str, list[Any]]:
    """What stands at each place of some table."""
    found: dict[str, list[Any]] = defaultdict(list)
    for case in asked_about():
        for pointer, value in facts_of(case):
            if value not in found[pointer]:
                found[pointer].append(value)
    return found


_FACTS: dict[int, list[tuple[str, Any]]] = {}  # by the table, which stays as long as the cases do


def facts_of(case: Case) -> list[tuple[str, Any]]:
    """Every single fact of a case's table, looked at once."""
    table = id(case.table)
    if table not in _FACTS:
        _FACTS[table] = list(facts(case.table.position))
    return _FACTS[table]


def facts(seen_there: Any, pointer: str = "") -> Iterator[tuple[str, Any]]:
    """Every single fact of a whole table, by its pointer; that nothing is at a place it names is one, too."""
    for name, field in zip(seen_there.__struct_encode_fields__, seen_there.__struct_fields__, strict=True):
        place, value = f"{pointer}/{name}", told_or_left_out(seen_there, field)
        if value is UNSET or place.startswith(SAID_OF_THE_BOARD):
            continue
        if isinstance(value, Struct) and place not in WHOLE:
            yield from facts(value, place)
        elif isinstance(value, dict) and value:
            for key, one in value.items():
                yield from facts(one, f"{place}/{escape(key)}")
        else:
            yield place, through_json(value)


def leaves(plain: Any, pointer: str = "") -> Iterator[tuple[str, Any]]:
    """Every single fact that a position tells, by its pointer; a list is told as a whole."""
    for key, value in plain.items():
        place = f"{pointer}/{escape(key)}"
        if isinstance(value, dict) and value and place not in WHOLE:
            yield from leaves(value, place)
        elif not place.startswith(SAID_OF_THE_BOARD):
            yield place, value


WHOLE = ("/outcome", "/last_play", "/combat", "/raided_box/counter")  # objects that are told at once


class Partly(NamedTuple):
    """A table of which a part is told, and what is asked there."""

    case: Case
    position: Any
    random: Random

    @property
    def game(self) -> Game:
        """The game that is played."""
        return self.case.table.game

    def ask(self, *inputs: Any, do: Any = None, position: Any = None, copy: Any = None) -> Answer:
        """One request."""
        choices = self.case.table.choices
        at = prepare(self.game, self.position if position is None else position, choices, copy or {})
        return check(self.game, at, do or self.case.action, codec.read_inputs(list(inputs)))


def partly(number: int) -> Partly:
    """One case, always the same for its number."""
    random = Random(number)
    case = random.choice(asked_about())
    share = random.choice(SHARES)
    told = [one for one in facts_of(case) if random.random() < share]
    game = case.table.game
    empty = prepare(game, {}, {}, {}).position
    return Partly(case, tell(game, Told(empty, {}, {}), told).position, random)


def each(part: int) -> Iterator[tuple[int, Partly]]:
    """The cases of a part."""
    return ((number, partly(number)) for number in _numbers(part))


def _numbers(part: int) -> Iterable[int]:
    only = os.environ.get("CASE")
    return [int(only)] if only else range(FIRST + part, FIRST + RANDOM_CASES, PARTS)


in_parts = pytest.mark.parametrize("part", range(PARTS))


# -- what is assumed ---------------------------------------------------------------------------------


def said(game: Game, do: Any, answer: Answer) -> Any:
    """What telling a fact as it was assumed must leave alone."""
    verdict = answer.verdict
    return {
        "ruling": verdict.ruling,
        "reasons": [one.requirement.name for one in verdict.reasons],
        "unknowns": [one.pointer for one in verdict.unknowns],
        "pending": answer.pending and answer.pending.name,
        "events": [one.message.name for one in answer.events],
        "headline": headline(game, do, answer, voice("en")),
    }


@in_parts
def test_told_as_it_was_assumed_nothing_else_changes(part: int) -> None:
    seen_so = 0
    for number, one in each(part):
        answer = one.ask()
        if not answer.verdict.assumed:
            continue
        taken = one.random.choice(answer.verdict.assumed)
        seen_so += 1
        as_assumed = one.ask({"tell": {taken.pointer: codec.write(taken.takes)}})
        do = one.case.action
        assert said(one.game, do, as_assumed) == said(one.game, do, answer), (
            number,
            str(one.case),
            taken.pointer,
        )
        assert _name(taken) not in map(_name, as_assumed.verdict.assumed), (
            number,
            str(one.case),
            taken.pointer,
        )
    assert seen_so or FEW


@in_parts
def test_told_otherwise_it_gives_that_reason(part: int) -> None:
    refused = set()
    for number, one in each(part):
        answer = one.ask()
        if answer.verdict.ruling != "legal" or not answer.verdict.assumed:
            continue
        taken = one.random.choice(answer.verdict.assumed)
        same = [other for other in answer.verdict.assumed if other.pointer == taken.pointer]
        for value in _others(taken):
            told = one.ask({"tell": {taken.pointer: value}})
            reasons = {reason.requirement.name for reason in told.verdict.reasons}
            where = (number, str(one.case), taken.pointer, value, reasons)
            about = {reason.pointer for reason in told.verdict.reasons}  # another fault of what is told there
            names = {other.requirement.name for other in same}
            elsewhere = [pointer for pointer in about if not pointer.startswith(taken.pointer)]
            assert not elsewhere or reasons & names, where
            refused |= reasons
    assert len(refused) >= 3 or FEW, "hardly anything is told otherwise"


def _name(taken: Check) -> tuple[str, str]:
    return taken.requirement.name, taken.pointer


def _others(taken: Check) -> list[Any]:
    """What stands at this place on some table, other than what was taken."""
    found = values().get(taken.pointer, [])
    return [value for value in found if value != codec.write(taken.takes)]


# -- what the board tells ----------------------------------------------------------------------------


def named(answer: Answer) -> set[str]:
    """Every fact that an answer says it rests on without having been told."""
    verdict = answer.verdict
    asked = {answer.pending.fact.pointer} if answer.pending and answer.pending.fact else set()
    return asked | {one.pointer for one in (*verdict.assumed, *verdict.cautions, *verdict.unknowns)}


@in_parts
def test_a_fact_that_nothing_names_never_refuses_what_is_allowed(part: int) -> None:
    tried = 0
    for number, one in each(part):
        answer = one.ask()
        if answer.verdict.ruling != "legal":
            continue
        told = dict(leaves(through_json(one.position)))
        may_assume = prepare(one.game, {}, {}, {}).rules.may_assume
        settled = Covering({*told, *named(answer)})
        open_yet = [
            pointer
            for pointer in _places(one.game.name)
            if not may_assume(pointer) and not settled.covers(pointer)
        ]
        about = [pointer for pointer in open_yet if _is_about(pointer, one.case.action)]
        picked = [one.random.sample(places, min(2, len(places))) for places in (about, open_yet)]
        for pointer in (*picked[0], *picked[1]):
            value = one.random.choice(values()[pointer])
            try:
                ruling = one.ask({"tell": {pointer: value}}).verdict
            except Unreadable:
                continue
            tried += 1
            reasons = [reason.requirement.name for reason in ruling.reasons]
            assert ruling.ruling != "illegal", (number, str(one.case), pointer, value, reasons)
    assert tried or FEW


@in_parts
def test_a_fact_that_is_taken_back_never_refuses_what_is_allowed_without_it(part: int) -> None:
    """The same from the other end: of a whole table one or two facts are taken back that may matter."""
    tried = 0
    for number in _numbers(part):
        random = Random(number)
        case = random.choice(asked_about())
        one, copy = Partly(case, case.table.position, random), case.table.components
        may_assume = prepare(one.game, {}, {}, {}).rules.may_assume
        about = [
            place for place, _ in facts_of(case) if _is_about(place, case.action) and not may_assume(place)
        ]
        gone = random.sample(about, min(2, len(about)))
        taken_back = [{"untell": place} for place in gone]
        answer = one.ask(*taken_back, copy=copy)
        if answer.verdict.ruling != "legal":
            continue
        for place in gone:
            if Covering(named(answer)).covers(place):
                continue
            value = random.choice(values()[place])
            told = one.ask(*taken_back, {"tell": {place: value}}, copy=copy).verdict
            tried += 1
            reasons = [reason.requirement.name for reason in told.reasons]
            assert told.ruling != "illegal", (number, str(case), place, value, reasons)
    assert tried or FEW


@cache
def _places(game: str) -> list[str]:
    """Every place of this game's tables."""
    first = set(GAMES[game].position.__struct_fields__)
    return sorted(pointer for pointer in values() if pointer.split("/")[1] in first)


def _is_about(pointer: str, do: Any) -> bool:
    """Is this a fact of something that the action names, as its Family, or of what everybody pays with?"""
    named_there = {value for value in structs.asdict(do).values() if isinstance(value, str)}
    return bool(named_there & set(parts(pointer))) or pointer.startswith(("/tracks", "/resources"))


class Covering:
    """Places of which something is said."""

    def __init__(self, places: set[str]) -> None:
        self._places = places
        self._above = {higher for place in places for higher in _higher(place)}

    def covers(self, pointer: str) -> bool:
        """Is this place, one above it or one below it among them?"""
        known = self._places
        return pointer in known or pointer in self._above or any(one in known for one in _higher(pointer))


@cache
def _higher(pointer: str) -> tuple[str, ...]:
    """Every place above this one."""
    steps = pointer.split("/")
    return tuple("/".join(steps[:length]) for length in range(1, len(steps)))


# -- what is kept ------------------------------------------------------------------------------------


@in_parts
def test_what_was_told_is_not_asked_for_again(part: int) -> None:
    for number, one in each(part):
        answer = one.ask()
        if answer.verdict.ruling != "legal":
            continue
        sent_back = through_json(answer.position)
        assert through_json(prepare(one.game, sent_back, {}, {}).position) == sent_back
        told, there = (dict(leaves(each)) for each in (through_json(one.position), sent_back))
        do = Continue() if sent_back.get("agenda") else one.random.choice(_same_game(one)).action
        again = one.ask(do=do, position=sent_back)
        part_only = tuple(
            f"/{name.replace('.', '/')}" for name, is_so in answer.position.partial.items() if is_so
        )
        asked = {
            fact.pointer for fact in again.verdict.unknowns if fact.pointer not in (*part_only, *SAY_NOTHING)
        }
        assert not asked & {*told, *there}, (number, str(one.case), asked & {*told, *there})


SAY_NOTHING = ("/active", "/subphase")  # null, where the phase is nobody's


@cache
def _of_game(name: str) -> tuple[Case, ...]:
    return tuple(case for case in asked_about() if case.table.game.name == name)


def _same_game(one: Partly) -> tuple[Case, ...]:
    return _of_game(one.game.name)


@in_parts
def test_going_on_with_what_came_back_equals_sending_everything_again(part: int) -> None:
    went = 0
    for number, one in each(part):
        inputs: list[Any] = []
        answer = one.ask()
        for _ in range(MOST_ANSWERS):
            given = _given(one, answer)
            if given is None:
                break
            inputs.append(given)
            resent = one.ask(*inputs)
            if answer.verdict.ruling == "legal" and answer.position.agenda:
                copy = _copied(one.game, answer.told)
                on = one.ask(given, do=Continue(), position=through_json(answer.position), copy=copy)
                assert _gist(on, answer) == _gist(resent), (number, str(one.case), inputs)
                went += 1
            answer = resent
    assert went or FEW


def _gist(answer: Answer, before: Answer | None = None) -> Any:
    """What must come to the same, after what had happened before."""
    earlier = () if before is None or answer.verdict.ruling != "legal" else before.events
    return {
        "ruling": answer.verdict.ruling,
        "reasons": [one.requirement.name for one in answer.verdict.reasons],
        "unknowns": [one.pointer for one in answer.verdict.unknowns],
        "pending": answer.pending and answer.pending.name,
        "events": [one.message.name for one in (*earlier, *answer.events)],
        "position": through_json(answer.position) if answer.verdict.ruling == "legal" else None,
    }


def _copied(game: Game, told: dict[str, Any]) -> Any:
    """The components that were told, as a request has them."""
    blank = prepare(game, {}, {}, {})
    table = tell(game, Told(blank.position, {}, blank.components), list(told.items()))
    return table.components


def _given(one: Partly, answer: Answer) -> Any:
    """Some answer: a fact from the table, or whatever the question takes."""
    if answer.refused or answer.verdict.ruling == "illegal":
        return None
    fact = answer.pending.fact if answer.pending else next(iter(answer.verdict.unknowns), None)
    try:
        if fact is not None:
            return {"tell": {fact.pointer: seen(one.case.table, fact.pointer)}}
        return None if answer.pending is None else _answer(one, answer)
    except (CannotTell, FaceDown, Unanswered):
        return None


def _answer(one: Partly, answer: Answer) -> Any:
    if one.game.name == "julian":
        return an_answer(answer.pending, one.random)
    player = Player(0)
    player.random = one.random
    given = player.answer(answer.pending)  # type: ignore[arg-type]  # there is one
    return None if _is_open(answer, given) else given


def _is_open(answer: Answer, given: Any) -> bool:
    """Does this stand for all ways of a kind, of which nobody knows yet whether there is one?"""
    options = getattr(answer.pending.question.answers, "options", ())  # type: ignore[union-attr]
    return any(one.value == given.get("choose") and getattr(one, "missing", ()) for one in options)
