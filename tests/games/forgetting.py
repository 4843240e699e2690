"""Whole tables at which somebody acts or answers, and the facts of them that matter and can be forgotten.

What comes of it on the whole table is what has to come of it in the end, once the facts are asked for and told.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from random import Random
from typing import Any, NamedTuple

import msgspec
import pytest
from msgspec import UNSET, Struct, structs

from engine import codec, flow
from engine.exceptions import Unreadable
from engine.game import Answer, Continue, check, prepare
from engine.julian.position import Markers
from engine.pointers import escape, parts
from engine.telling import Table as Told
from engine.telling import tell
from service import forms
from service.forms import Question
from tests.games.asked_player import (
    NOT_ON_THE_TABLE,
    CannotTell,
    chosen,
    fits,
    other_facts,
    seen,
    so_many,
    told_or_left_out,
)
from tests.games.julian_turns import an_answer
from tests.games.player import Player, Unanswered
from tests.games.tables import (
    Case,
    Table,
    cases,
    julian,
    julian_under_way,
    navajo_wars,
    navajo_wars_under_way,
)

ANSWERS = 0.7  # how many moments are answers to something under way
NEVER_ASKED = "kept"  # by charts: whether a flip was cancelled; where it is not told, none was
LOOKED_AT = 60  # facts, until one that matters is found
WHOLE = ("/outcome", "/last_play", "/combat", "/raided_box/counter")  # objects that are told at once
ASSUMED = (  # and the places above: taken for granted where they are not told
    "/operation", "/activation", "/outcome", "/cards/current", "/played", "/last_play", "/last_roll", "/combat",
    "/phase", "/subphase", "/active", "/commands",
)  # fmt: skip
NOT_ASKED = (
    *ASSUMED,
    *NOT_ON_THE_TABLE,
    "/scenario",
    "/set_aside",
    "/cards/in_play",
    "/cards/developments",
    "/cards/hand",
)  # what is left out of them counts as none, and a caution says so


class Moment(NamedTuple):
    """A whole table, and what somebody does or answers there."""

    table: Table
    do: Any = None  # what is done; None where something under way is gone on with
    given: tuple[str, Any] | None = None  # the answer

    def __str__(self) -> str:
        said = codec.write(self.do) if self.given is None else dict([self.given])
        return f"{self.table.name}: {msgspec.json.encode(said).decode()}"

    def on(self, position: Any) -> Answer:
        """What comes of it on a position of the same game."""
        table = self.table
        at = prepare(table.game, position, table.choices, table.components)
        return check(table.game, at, self.do or Continue(), [self.given] if self.given else [])

    def rows(self, position: Any) -> list[Any]:
        """Every position on the way, from row to row."""
        seen: list[Any] = [position]
        goes_on, row = flow._on, flow._row

        def on(*given: Any) -> Any:
            found = goes_on(*given)
            seen.append(found.position)
            return found

        def at_row(at: Any, *given: Any) -> Any:
            seen.append(at.position)
            return row(at, *given)

        with pytest.MonkeyPatch.context() as patched:
            patched.setattr(flow, "_on", on)
            patched.setattr(flow, "_row", at_row)
            self.on(position)
        return seen

    def passes(self, position: Any) -> bool:
        """Does this position stand as the whole table stood, at a row that it has passed?"""
        rows = [one for one in self.rows(self.table.position) if stands_at(one) == stands_at(position)]
        return any(not came_otherwise(position, one) for one in rows)

    def without(self, *pointers: str) -> Any:
        """The position of which these facts were forgotten; None where they cannot be."""
        table = self.table
        told = Told(table.position, table.choices, table.components)
        try:
            return tell(table.game, told, [(one, UNSET) for one in pointers]).position
        except Unreadable:
            return None


def answers_at(table: Table, random: Random) -> Moment | None:
    """What somebody answers to the question under way there; None where none can be found."""
    at = prepare(table.game, table.position, table.choices, table.components)
    found = check(table.game, at, Continue())
    pending = found.pending
    if pending is None or pending.fact is not None or found.verdict.ruling != "legal":
        return None
    try:
        given = _given(table, pending, random)
    except (Unanswered, IndexError):
        return None
    (value,) = given.values()
    if isinstance(value, dict) and "changes" in value:
        return None  # read off the copy in many ways
    options = getattr(pending.question.answers, "options", ())
    if any(one.value == given.get("choose") and getattr(one, "missing", ()) for one in options):
        return None  # it stands for all ways of a kind
    return Moment(table._replace(position=found.position), None, *codec.read_inputs([given]))


def _given(table: Table, pending: Any, random: Random) -> Any:
    if table.game.name == "julian":
        return an_answer(pending, random)
    player = Player(0)
    player.random = random
    return player.answer(pending)


@cache
def _under_way(first: int) -> tuple[Table, ...]:
    return (*navajo_wars_under_way(6, first, 2), *julian_under_way(12, first, 5))


@cache
def _asked_about(first: int) -> tuple[Case, ...]:
    return (*cases(navajo_wars(4, first, 1), first), *cases(julian(8, first, 3), first))


def moment(random: Random, first: int) -> Moment:
    """What somebody answers where something is under way, or does where nothing is."""
    while True:
        if random.random() < ANSWERS:
            found = answers_at(random.choice(_under_way(first)), random)
            if found is not None:
                return found
            continue
        case = random.choice(_asked_about(first))
        if getattr(case.table.position, "outcome", None) is None and _can_be_said(case):
            return Moment(case.table, case.action)


def _can_be_said(case: Case) -> bool:
    """Are only parameters named that everybody is asked for?"""
    action = case.table.game.actions[case.kind]
    required = {one.encode_name for one in structs.fields(action.kind) if one.required}
    named = {key for key, value in msgspec.to_builtins(case.action).items() if value is not None}
    return named <= {"kind", action.subject, *required}


# -- what is forgotten -------------------------------------------------------------------------------


def facts(value: Any, pointer: str = "") -> Iterator[str]:
    """Every single fact of a whole table by its pointer, what charts have noted included."""
    for name, field in zip(value.__struct_encode_fields__, value.__struct_fields__, strict=True):
        place, found = f"{pointer}/{name}", told_or_left_out(value, field)
        if found is UNSET or place.startswith(NOT_ASKED):
            continue
        if isinstance(found, Markers) and found.is_counted:
            continue  # one that is forgotten there lies face down, and is not asked for
        if isinstance(found, Struct) and place not in WHOLE:
            yield from facts(found, place)
        elif isinstance(found, dict) and found:
            for key, one in found.items():
                inner = f"{place}/{escape(str(key))}"
                yield from facts(one, inner) if isinstance(one, Struct) else (inner,)
        else:
            yield place
    for number, frame in enumerate(getattr(value, "agenda", ()) if not pointer else ()):
        if isinstance(frame.memory, Struct):
            fields = msgspec.structs.fields(type(frame.memory))
            asked = [
                one for one in fields if one.default is UNSET and getattr(frame.memory, one.name) is not UNSET
            ]
            yield from (
                f"/agenda/{number}/memory/{one.encode_name}" for one in asked if one.name != NEVER_ASKED
            )


def forgotten(moment: Moment, random: Random) -> list[str]:
    """What is forgotten: mostly a fact that matters, sometimes any, sometimes many."""
    there = [*facts(moment.table.position)]
    if not there:
        return []
    how = random.random()
    if how < 0.1:
        return random.sample(there, max(1, len(there) // 2))
    if how < 0.25:
        return random.sample(there, min(len(there), random.randint(1, 3)))
    found = [one for one in _tried(moment, there, random) if matters(moment, one)]
    if not found:
        return [random.choice(there)]
    return random.sample(found, min(len(found), 1 if how < 0.8 else 2))


def _tried(moment: Moment, there: list[str], random: Random) -> list[str]:
    named = {str(one) for one in (*_inside(codec.write(moment.do)), *_inside(moment.given))}
    near = [one for one in there if named & {*parts(one)} or one.startswith(("/agenda", "/tracks"))]
    others = [one for one in there if one not in near]
    random.shuffle(near)
    random.shuffle(others)
    return [*near[: LOOKED_AT // 2], *others][:LOOKED_AT]


def _inside(value: Any) -> Iterator[Any]:
    if isinstance(value, dict):
        for one in value.values():
            yield from _inside(one)
    elif isinstance(value, list | tuple):
        for one in value:
            yield from _inside(one)
    else:
        yield value


def matters(moment: Moment, pointer: str) -> bool:
    """Is this fact asked for, or does something else come of it without?"""
    position = moment.without(pointer)
    if position is None:
        return False
    try:
        found = moment.on(position)
    except Unreadable:
        return False
    asked = found.pending is not None and found.pending.fact is not None
    return asked or bool(found.verdict.unknowns)


# -- what is seen of it ------------------------------------------------------------------------------


class Fault(AssertionError):
    """Something that is shown or comes out is not as it has to be."""


class Went(Struct):
    """What a player did, and where he could not go on for reasons of his own."""

    steps: int = 0
    answers: int = 0
    asked: int = 0
    given_up: str = ""


def summed_up(went: list[Went]) -> str:
    """How much was played."""
    steps, answers, asked = (
        sum(getattr(one, name) for one in went) for name in ("steps", "answers", "asked")
    )
    left = sum(bool(one.given_up) for one in went)
    return f"{len(went)} plays, {steps} steps, {answers} answers, {asked} facts asked for, {left} given up"


# What no reader should see: ids, pointers, and what a program calls its values.
RAW = re.compile(
    r"UNSET|\bUnknown\b|NO_LONGER|NOT_NAMED|NOT_NOTED|\bnull\b|[{}]|object at 0x|%\(|"
    r"\bTrue\b|\bFalse\b|\b[a-z]+(?:-[a-z]+)+-\d\b|\b[a-z]+_[a-z]+\b|(?<![\w/])/[a-z]+/[a-z]|\b(?:nw|jul)\.[a-z]"
)
NONE = re.compile(r"\bNone\b")  # a word in English
ENGLISH = re.compile(
    r"\b(?:the|which|what|with|have|your|does|and|there|how many|is not|has|been)\b", re.IGNORECASE
)
AROUND = 60  # characters


def must_be_words(moment: Moment, said: str, lang: str) -> None:
    """Is this in words, and in the reader's language? The titles of scenarios are the same in all."""
    for one in moment.table.game.scenarios:
        said = said.replace(one.title, "")
    foreign = () if lang == "en" else (NONE, ENGLISH)
    for pattern in (RAW, *foreign):
        found = pattern.search(said)
        if found:
            shown = said[max(0, found.start() - AROUND) : found.end() + AROUND]
            raise Fault(f"“{found[0]}” in {lang}: …{shown}…")


# -- what is told of it ------------------------------------------------------------------------------


class NotTaken(Fault):
    """What lies on the table does not fit the form of the question for it."""


def told(moment: Moment, question: Question) -> Any:
    """What answers a question for a fact at this table, or for what else there is to say of the action."""
    form: Any = question.form
    table = moment.table
    if form is UNSET or isinstance(form, forms.Json):
        raise NotTaken(f"{question.name} has no form")
    if question.pointers:
        try:
            return so_many(table, question) if isinstance(form, forms.Counters) else chosen(table, question)
        except CannotTell as error:
            raise error if "nothing on the table" in str(error) else NotTaken(str(error)) from None
    about = parts(str(question.pointer))
    value = _of_action(moment.do, about[1]) if about[0] == "action" else seen(table, str(question.pointer))
    if not fits(form, value):
        raise NotTaken(f"{question.pointer}: {type(form).__name__} does not take {value!r}")
    return value


def _of_action(do: Any, name: str) -> Any:
    said = msgspec.json.decode(msgspec.json.encode(do))
    if said.get(name) is None:
        raise CannotTell(f"nothing is said of /action/{name}")
    return said[name]


def stands_at(position: Any) -> list[tuple[str, str]]:
    """The rows that a position stands at."""
    return [(one.procedure, one.step) for one in position.agenda]


def came_otherwise(position: Any, right: Any) -> list[str]:
    """Where a position that is told by and by differs from what it is on the whole table."""
    return [*other_facts(position, right)]
