"""A player at the page who has forgotten facts of his table: he taps what he is asked, and looks at every screen.

Whatever he forgot, his answer is in the end given or refused in words, as on the whole table; no question comes twice
with nothing learned, each can be answered by what is on the screen, and every undo leads to the screen that was there.
"""

from __future__ import annotations

import html
import json
import re
from collections.abc import Iterator
from contextlib import suppress
from random import Random
from typing import Any
from urllib.parse import parse_qsl

from flask import Flask
from msgspec import UNSET

from engine import codec
from engine.exceptions import Unreadable
from engine.game import Continue, check, prepare
from service import forms, play_kept, play_records, plays
from service.forms import PendingQuestion
from service.languages import voice
from service.pages import turns, walks
from service.pages.walks import Pad
from service.play_kept import Play, Reading
from service.play_starts import Start, create, owner
from service.questions import parameters
from tests.games.asked_player import CannotTell, FaceDown
from tests.games.forgetting import (
    Fault,
    Moment,
    Went,
    answers_at,
    came_otherwise,
    forgotten,
    must_be_words,
    stands_at,
    told,
)
from tests.pages.browser import Browser
from tests.pages.screen import Button, Form, Screen
from tests.pages.tapping import _exactly, bare

MOST_TAPS = 60  # for one answer, with all facts that it needs
MOST_ANSWERS = 4  # in a row
PUT_OFF = 0.15  # how often a fact is told later, where that is offered


class Player:
    """One play through the page, at a table of which facts were forgotten."""

    def __init__(self, app: Flask, moment: Moment, gone: list[str], random: Random, lang: str) -> None:
        self.app, self.random, self.lang = app, random, lang
        self.moment = moment
        self.went = Went()
        self.put_off: set[str] = set()
        self.shown: dict[int, Any] = {}  # what was on the screen after so many moves
        self.lines: list[str] = [f"{lang}: {moment}", f"without {gone}"]
        served = app.extensions["ruleglot-plays"]
        self.store, self.bounds = served.store, served.bounds
        table = moment.table
        position = moment.without(*gone)
        start = Start(table.game, table.position if position is None else position, self._reading())
        made = create(self.store, start, owner(self.store, "tests"), self.bounds)
        self.browser = Browser(app.test_client(), lang)
        self.browser.client.set_cookie("plays", f"{made.id}.{made.key}")
        self.id = made.id

    def _reading(self) -> Reading:
        return Reading(self.moment.table.choices, self.moment.table.components)

    # -- looking -----------------------------------------------------------------------------------

    @property
    def play(self) -> Play:
        return play_kept.find(self.store, self.id)

    @property
    def turn(self) -> turns.Turn:
        """What the screen asks, as the page itself knows it."""
        mode = dict(self._query()).get("mode", "")
        with self.app.test_request_context():
            found = turns.turn(self.play, self.lang, mode)
            _ = found.last
        return found

    def _query(self) -> Iterator[tuple[str, str]]:
        yield from parse_qsl(self.browser.address.partition("?")[2])

    def open(self, mode: str = "") -> None:
        self.browser.open(f"/play/{self.id}{mode}")
        self.look()

    def look(self) -> None:
        """Every screen is whole, in words, and in the reader's language."""
        screen = self.browser.screen
        if screen.status not in (200, 422):
            raise Fault(f"{screen.status} at {self.browser.address}: {self.words(screen)}")
        must_be_words(self.moment, self.words(screen), self.lang)
        if screen.status == 200 and "?" not in self.browser.address:
            play = self.play
            now = self.on_screen(screen)
            self.shown[play.moves] = (now, play.waits.later)

    @staticmethod
    def words(screen: Screen) -> str:
        main = screen.text.partition("<main")[2].partition(">")[2].partition("</main>")[0]
        plain = re.sub(r"<(style|script|title|desc).*?</\1>", " ", main, flags=re.DOTALL)
        return " ".join(html.unescape(re.sub(r"<[^>]*>", " ", plain)).split())

    def on_screen(self, screen: Screen) -> Any:
        asked = re.search(r'<h2 id="q".*?</h2>', screen.text, re.DOTALL)
        buttons = [
            (one.name, one.value, one.words)
            for form in screen.forms
            if form.id == "ask"
            for one in form.buttons
        ]
        controls = [
            sorted(one.items(), key=str) for form in screen.forms if form.id == "ask" for one in form.controls
        ]
        tracks = re.search(r'<ul id="tracks".*?</ul>', screen.text, re.DOTALL)
        return (
            asked and asked[0],
            buttons,
            controls,
            tracks and re.sub(r' class="[^"]*"', "", tracks[0]),
        )

    # -- tapping -----------------------------------------------------------------------------------

    def tap(self, button: Button, *fields: tuple[str, str]) -> None:
        before = self.browser.address
        self.went.steps += 1
        self.lines.append(f"  tap {button.name}={button.value} {fields or ''} ({button.words.strip()})")
        self.browser.tap(button, *fields)
        if self.browser.screen.status == 422:
            self.browser.address = before.partition("?")[0]
        self.look()

    def ask(self) -> Form:
        found = next((one for one in self.browser.screen.forms if one.id == "ask"), None)
        if found is None or not found.buttons:
            raise Fault(f"no way forward: {self.words(self.browser.screen)}")
        return found

    def step(self, pad: Pad, step: Any) -> None:
        """One step of an answer, by a button or by what can be set."""
        ask = self.ask()
        for one in ask.buttons:
            if one.name == "answer" and walks.same(json.loads(one.value), step):
                self.tap(one)
                return
        done = next((one for one in ask.buttons if one.name is None), None)
        names = {one.get("name") or "" for one in ask.controls}
        fields = list(_held(pad, step, names, ask))
        if done is None or not (fields or pad.kind in ("some", "fields")):
            raise Fault(f"{step} is not on the screen of {pad.kind}: {ask.offers()[:20]}")
        self.tap(done, *fields)

    def steps(self, turn: turns.Turn, form: Any, value: Any) -> None:
        """All steps of what a form asks for."""
        for step in steps_to(form, value):
            with self.app.test_request_context():
                pad = turn.follow([json.loads(one) for name, one in self._query() if name == "step"])
            assert isinstance(pad, Pad)
            self.step(pad, step)

    # -- answering ---------------------------------------------------------------------------------

    def run(self) -> Went:
        """Give the answers of a few moments, one after the other, and take all of it back."""
        self.open()
        for number in range(MOST_ANSWERS):
            if number and not self.next_moment():
                break
            if not self.answered():
                break
            self.went.answers += 1
        self.take_back()
        return self.went

    def next_moment(self) -> bool:
        """The next question at the whole table, and facts that are forgotten before it."""
        right = self.moment.on(self.moment.table.position).position
        table = self.moment.table._replace(position=right)
        moment = answers_at(table, self.random)
        if moment is None:
            return False
        self.moment = moment
        known = forgotten(moment, self.random)
        play = self.play
        for one in known:
            with suppress(Unreadable):  # of what is not told there, nothing can be forgotten
                plays.correct(self.store, play, {one: UNSET}, "", self.bounds)
            play = self.play
        self.lines.append(f"then {moment} without {known}")
        self.open()
        return True

    def answered(self) -> bool:
        """Tell what is asked until the answer was given, and what comes of it is the same as on the whole table."""
        moment = self.moment
        whole = moment.on(moment.table.position)
        if whole.verdict.unknowns and whole.verdict.ruling != "illegal":
            return False
        begins, said, asked_last = self.play.moves, False, None
        for _ in range(MOST_TAPS):
            turn = self.turn
            given = any(map(self.is_given, self.inputs_since(begins)))
            if turn.is_fact:
                about = (turn.question.pointer, turn.question.pointers)
                if about == asked_last and not self.put_off:
                    raise Fault(f"asked twice: {about}")
                asked_last = about
                goes_on = self.tell(turn, whole, given=given)
            elif given:
                return self.compared(whole)
            else:
                asked_last = None
                goes_on = self.is_asked_for(turn, whole, said=said) and self.give(turn, whole)
                said = True
            if not goes_on:
                return False
            if self.browser.screen.status == 422:
                if whole.verdict.ruling == "illegal":
                    return False
                raise Fault(f"refused: {self.words(self.browser.screen)[:300]}")
        raise Fault("no end")

    def is_asked_for(self, turn: turns.Turn, whole: Any, *, said: bool) -> bool:
        """Is this what the answer answers? It must be, unless what would be declined is not offered at all."""
        waits_with = self.pending_of(self.moment.table.position)
        if isinstance(turn.question, PendingQuestion) and turn.question.name != waits_with:
            if not self.moment.passes(self.play.position):
                raise Fault(f"asks {turn.question.name} instead of {waits_with}")
            return False
        if said and not turn.mode:
            if whole.verdict.ruling == "illegal" or self.is_about_another:
                return False
            raise Fault(f"the answer was lost: {self.moment}")
        return True

    @property
    def is_about_another(self) -> bool:
        """Is it about another than the only one that such an action is offered for? The page asks of that one."""
        do, table = self.moment.do, self.moment.table
        if do is None:
            return False
        action = table.game.actions[codec.write(do)["kind"]]
        subjects = list(action.subjects(table.at().apart()))
        return len(subjects) == 1 and not action.about(subjects[0]).items() <= codec.write(do).items()

    def pending_of(self, position: Any) -> str | None:
        table = self.moment.table
        at = prepare(table.game, position, table.choices, table.components)
        pending = check(table.game, at, Continue()).pending if position.agenda else None
        return None if pending is None else pending.name

    def inputs_since(self, begins: int) -> list[Any]:
        with self.store.reading() as connection:
            rows = play_records._rows(connection, self.play, begins, self.play.moves)
        return [(row.move.action, one) for row in rows[1:] for one in (row.move.inputs or (None,))]

    def is_given(self, one: Any) -> bool:
        action, given = one
        if self.moment.do is not None:
            return bool(bare(codec.write(action)) == bare(codec.write(self.moment.do)))
        return (
            given is not None
            and self.moment.given is not None
            and (
                given[0] == self.moment.given[0]
                and bare(codec.write(given[1])) == bare(codec.write(self.moment.given[1]))
            )
        )

    def tell(self, turn: turns.Turn, whole: Any, *, given: bool) -> bool:
        """Answer a question for a fact from the whole table, or say that it is told later."""
        question = turn.question
        self.went.asked += 1
        later = [one for one in self.ask().buttons if one.name == "later"]
        name = str(question.pointer) + str(question.pointers or "")
        if later and name not in self.put_off and self.random.random() < PUT_OFF:
            self.put_off.add(name)
            self.tap(later[0])
            return True
        try:
            value = told(self.as_it_stands(given, whole), question)
        except (CannotTell, FaceDown) as cannot:
            self.went.given_up = f"cannot tell {question.pointer}: {cannot}"
            return False
        self.lines.append(f" {question.text} {question.pointer} {question.pointers or ''} := {value}")
        self.steps(turn, turn.form, value)
        return True

    def as_it_stands(self, given: bool, whole: Any) -> Moment:
        """The whole table as far as the answer has been used by now."""
        if not given:
            return self.moment
        position = self.play.position
        now = [
            one
            for one in self.moment.rows(self.moment.table.position)
            if stands_at(one) == stands_at(position)
        ]
        same = [one for one in now if not came_otherwise(position, one)]
        table = self.moment.table
        return self.moment._replace(table=table._replace(position=(*same, *now, table.position)[0]))

    def give(self, turn: turns.Turn, whole: Any) -> bool:
        """Give the answer, by what is on the screen; one that may not be given need not be offered."""
        moment = self.moment
        if moment.do is not None:
            self.open("?mode=do")
            turn = self.turn
            value = codec.write(moment.do)
        else:
            assert moment.given is not None
            value = codec.write(moment.given[1])
        before = self.play.version
        said = self.parts_of(value)
        listed = getattr(turn.form, "options", None) or ()
        kind = {"kind": value["kind"]} if said else None
        offered = [one.value for one in listed if bare(one.value) == bare(value) or one.value == kind]
        whole_way = next((one for one in offered if one != kind), next(iter(offered), None))
        said = said if whole_way != kind else said[1:]
        way = iter(
            [*_to_option(turn.form, whole_way)] if isinstance(turn.form, forms.One) and whole_way else []
        )
        for _ in range(MOST_TAPS):
            ask = self.ask()
            step = next(way, None)
            button = _exactly(ask, step) if step is not None else _exactly(ask, value) or _part(ask, said)
            if button is not None:
                self.tap(button)
            elif (part := next(filter(_has_parts, said), None)) is not None:
                said.remove(part)
                self.steps(turn, self.form_of(value, part), part)
            elif isinstance(value, dict) and "kind" in value:
                if whole.verdict.ruling == "illegal":
                    return False
                raise Fault(f"{value} is not offered: {ask.offers()}")
            else:
                self.steps(turn, turn.form, value)
            address = self.browser.address
            if self.browser.screen.status == 422 or "step=" not in address:
                return True
            if self.play.version != before:
                return True
        raise Fault(f"{value} takes too many taps")

    def parts_of(self, value: Any) -> list[Any]:
        """An action's kind and parameters, in the order in which they are asked for."""
        if not isinstance(value, dict) or "kind" not in value:
            return []
        game = self.moment.table.game
        asked = parameters(game, game.actions[value["kind"]], voice(self.lang))
        names = [str(one.pointer).removeprefix("/action/") for one in asked]
        return [{"kind": value["kind"]}, *(value.get(name) for name in names)]

    def form_of(self, action: Any, part: Any) -> Any:
        """The form of the parameter that is told so."""
        game = self.moment.table.game
        name = next(key for key, value in action.items() if value == part)
        asked = parameters(game, game.actions[action["kind"]], voice(self.lang))
        return next(one.form for one in asked if one.pointer == f"/action/{name}")

    # -- comparing ---------------------------------------------------------------------------------

    def compared(self, whole: Any) -> bool:
        play = self.play
        if whole.verdict.ruling == "illegal":
            if self.moment.do is not None:
                return False  # a caution said what was taken for granted
            reasons = [one.requirement.name for one in whole.verdict.reasons]
            raise Fault(f"taken, though on the whole table it is refused: {reasons}")
        now, then = (self.pending_of(one) for one in (play.position, whole.position))
        other = came_otherwise(play.position, whole.position)
        if other or now != then:
            if self.moment.passes(play.position):
                return False  # what the whole table settles is asked here
            raise Fault(f"is otherwise afterwards: {other}, and asks {now} instead of {then}")
        return True

    def take_back(self) -> None:
        """Undo everything, screen by screen."""
        for _ in range(200):
            play = self.play
            if not play.moves:
                return
            form = next((one for one in self.browser.screen.forms if one.action.endswith("/undo")), None)
            if form is None or not form.buttons:
                raise Fault("no undo")
            self.browser.tap(form.buttons[0])
            self.went.steps += 1
            if self.browser.screen.status != 200:
                raise Fault(f"undo: {self.browser.screen.status}")
            self.browser.open(f"/play/{self.id}")
            play = self.play
            if play.moves in self.shown:
                was, later = self.shown[play.moves]
                now = self.on_screen(self.browser.screen)
                if now != was and play.waits.later == later:
                    raise Fault(f"after undo to {play.moves}: {_difference(was, now)}")


def _has_parts(part: Any) -> bool:
    """Is this told field by field, or entry by entry?"""
    return isinstance(part, list) or (isinstance(part, dict) and "kind" not in part)


def _part(ask: Form, said: list[Any]) -> Button | None:
    """The button that says the next part of an action."""
    for part in said:
        if _has_parts(part):
            return None
        for one in ask.buttons:
            if one.name == "answer" and walks.same(json.loads(one.value), part):
                said.remove(part)
                return one
    return None


def _difference(was: Any, now: Any) -> Any:
    return next(
        (f"{one} before, {other} now" for one, other in zip(was, now, strict=True) if one != other), ""
    )


# -- from a value to the steps that tell it ----------------------------------------------------------


def steps_to(form: Any, value: Any, *, may_skip: bool = False) -> Iterator[Any]:
    """The steps that lead through the pads of a form to this answer."""
    if isinstance(form, forms.One):
        yield from _to_option(form, value)
    elif isinstance(form, forms.Counters | forms.Record):
        yield from _to_fields(form, value, may_skip=may_skip)
    elif isinstance(form, forms.Several):
        yield from _to_items(form, value)
    else:
        yield value


def _to_option(form: forms.One, value: Any) -> Iterator[Any]:
    taken: list[Any] = []
    while True:
        pad = walks.walk(form, taken)
        if (
            not isinstance(pad, Pad)
            or pad.kind != "groups"
            or any(walks.same(one.value, value) for one in pad.options)
        ):
            break
        mine = next(one for one in form.options if walks.same(one.value, value))
        keys = {group.key for group in mine.groups or ()}
        step = {"open": next(group.key for group in pad.groups if group.key in keys)}
        taken.append(step)
        yield step
    yield value


def _to_fields(form: Any, value: Any, *, may_skip: bool) -> Iterator[Any]:
    instead = any(walks.same(one.value, value) for one in form.options or ())
    if instead or all(isinstance(one.form, forms.YesNo | forms.Number) for one in form.fields):
        yield value
        return
    if form.options or may_skip:
        yield {"open": True}
    needed = [one.key for one in form.fields if isinstance(form, forms.Record) and not one.optional]
    for one in form.fields:
        if one.key in value:
            yield from steps_to(one.form, value[one.key], may_skip=one.key not in needed)
        else:
            yield {"skip": True}


def _to_items(form: forms.Several, value: Any) -> Iterator[Any]:
    if any(walks.same(one.value, value) for one in form.options or ()):
        yield value
        return
    least, most = form.least or 0, form.most
    items = list(value.items()) if isinstance(value, dict) else [(None, one) for one in value]
    for number, (key, one) in enumerate(items):
        if number >= least:
            yield {"more": True}
        if form.key:
            yield from steps_to(form.key, key)
        yield from steps_to(form.of, one)
    if most is UNSET or len(items) < most:
        yield {"done": True}


def _held(pad: Pad, step: Any, names: set[str], ask: Form) -> Iterator[tuple[str, str]]:
    """What the controls of a pad are set to, so that it says this."""
    if pad.kind == "dice":
        yield from ((f"die-{place}", str(face)) for place, face in enumerate(step))
    elif pad.kind == "some":
        boxes = {
            walks.said(json.loads(one.get("value") or "")): one.get("value") or "" for one in _boxes(ask)
        }
        yield from (("some", boxes[walks.said(one)]) for one in step)
    elif pad.kind == "fields":
        yield from _set(pad, step, names)
    else:
        yield from ((name, str(step)) for name in ("number", "name") if name in names)


def _boxes(ask: Form) -> list[dict[str, str | None]]:
    return [one for one in ask.controls if one.get("name") == "some"]


def _set(pad: Pad, step: Any, names: set[str]) -> Iterator[tuple[str, str]]:
    for one in pad.fields:
        name, value = f"is-{one.key}", step.get(one.key)
        if name not in names:
            raise Fault(f"{one.key} cannot be set")
        if isinstance(one.form, forms.Number):
            yield name, str(value) if value is not None else "" if one.optional else "0"
        elif value:
            yield name, "true"
