"""A player at the terminal companion who has forgotten facts of his table: he types what he is asked for.

Whatever he forgot, his answer is given in the end or refused in words, as on the whole table; the game he has kept
replays, and what he takes back leads to where it was.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from functools import cached_property
from pathlib import Path
from random import Random
from typing import Any

import msgspec
from msgspec import UNSET

from engine.game import Continue, check, prepare
from engine.options import options
from engine.verdict import ILLEGAL
from ruleglot import Engine
from ruleglot.companion import Companion
from ruleglot.session import Saved, State
from ruleglot.talking import Talk
from ruleglot.typed_answers import NONE, Choice, _choices
from service import forms
from service.forms import Question
from tests.games.asked_player import CannotTell, FaceDown
from tests.games.forgetting import Fault, Moment, Went, came_otherwise, must_be_words, stands_at, told
from tests.pages.tapping import bare

MOST_LINES = 400
PUT_OFF = 0.15


class Enough(Exception):
    """The player has seen what he wanted to see."""


class Watched(Companion):
    """A companion of which the player knows what it asks."""

    player: Player

    def _answered(self, question: Any, *, optional: bool = False) -> Any:
        self.player.asked(question, optional=optional)
        return super()._answered(question, optional=optional)

    def _chosen(self, kinds: list[Choice], found: Any) -> Any:
        self.player.at_menu(kinds)
        return super()._chosen(kinds, found)

    def _way(self, kind: Any) -> Any:
        self.player.at_ways(kind)
        return super()._way(kind)


class Player:
    """One game with the companion, at a table of which facts were forgotten."""

    def __init__(self, moment: Moment, gone: list[str], random: Random, lang: Any, file: Path) -> None:
        self.moment, self.random, self.lang = moment, random, lang
        self.went = Went()
        self.lines: list[str] = []  # to be typed
        self.heard: list[str] = []
        self.log = [f"{lang}: {moment}", f"without {gone}"]
        self.put_off: set[str] = set()
        self.last: Any = None
        self.given = False
        self.parameters: list[str] = []
        table = moment.table
        position = moment.without(*gone)
        start = plain(table.position if position is None else position)
        state = State(start, start, components=plain(table.components))
        self.file = file
        self.talk = Talk(lang, self.types, self.hears)
        self.asks = Engine(lang=lang)
        self.companion = Watched(self.asks, self.talk, file, lambda *_: "")
        self.companion.player = self
        self.saved = Saved(table.game.name, lang, state)

    @property
    def state(self) -> State:
        return self.companion._state

    # -- hearing and typing ------------------------------------------------------------------------

    def hears(self, text: str) -> None:
        self.heard.append(text)
        self.log.append(f"    | {text}")
        must_be_words(self.moment, text.replace(str(self.file), ""), self.lang)

    def types(self, _prompt: str) -> str:
        self.went.steps += 1
        if self.went.steps > MOST_LINES:
            raise Fault("no end")
        if not self.lines:
            raise Fault(f"nothing to type after: {self.heard[-12:]}")
        line = self.lines.pop(0)
        self.log.append(f"  > {line}")
        return line

    # -- what is asked -----------------------------------------------------------------------------

    def asked(self, question: Any, *, optional: bool) -> None:
        """A question, and the lines that answer it."""
        if self.lines:
            raise Fault(f"typed too much: {self.lines} is left at {question['text']}")
        form = question.get("form") or {"type": "json"}
        if "input" in question:
            self.at_pending(question, form)
            return
        pointer = question["pointer"]
        about = (pointer, tuple(question.get("pointers") or ()))
        if about == self.last and not self.put_off:
            raise Fault(f"asked twice: {about}")
        self.last = about
        self.went.asked += 1
        if self.began_action(pointer):
            self.lines = [*lines(form, self.action()[pointer.rpartition("/")[2]], self.talk)]
            return
        if optional and str(about) not in self.put_off and self.random.random() < PUT_OFF:
            self.put_off.add(str(about))
            self.lines = [""]
            return
        asked = as_question(question)
        try:
            value = told(self.as_it_stands(), asked)
        except (CannotTell, FaceDown) as cannot:
            self.went.given_up = f"cannot tell {pointer}: {cannot}"
            raise Enough from None
        self.log.append(f"  {pointer} := {value}")
        self.lines = [*lines(form, value, self.talk, optional=optional)]

    def began_action(self, pointer: str) -> bool:
        return pointer.startswith("/action/") and self.action().get(pointer.rpartition("/")[2]) is not None

    def action(self) -> Any:
        return plain(self.moment.do) if self.moment.do is not None else {}

    def at_pending(self, question: Any, form: Any) -> None:
        """The question under way: the player's answer, once."""
        if self.given or self.moment.given is None:
            raise Enough
        key, value = self.moment.given
        if question["name"] != self.waits_with and self.moment.passes(self.position):
            raise Enough  # what would be declined is not offered at all
        if question["input"] != key:
            raise Fault(f"asks for {question['input']} instead of {key}")
        value = plain(value)
        options = form.get("options")
        if options is not None and isinstance(value, dict) and "kind" in value:
            value = next((one["value"] for one in options if bare(one["value"]) == bare(value)), value)
            if not any(one["value"] == value for one in options):
                open_one = {"kind": value["kind"]}
                if any(one["value"] == open_one for one in options):
                    self.went.given_up = "stands for many"
                    raise Enough
                if self.whole.verdict.ruling == "illegal":
                    raise Enough
                raise Fault(f"{value} is not offered: {[one['value'] for one in options]}")
        self.given = True
        self.last = None
        self.lines = [*lines(form, value, self.talk)]

    def at_menu(self, kinds: list[Choice]) -> None:
        """What is done: the action's kind."""
        if self.moment.do is None or self.given:
            raise Enough
        kind = self.action()["kind"]
        found = next((one for one in kinds if one.value["kind"] == kind), None)
        if found is None:
            if self.whole.verdict.ruling != "illegal" and self.is_open(kind):
                raise Fault(f"{kind} is not offered")
            raise Enough
        self.given = True
        self.lines = [found.mark]

    def is_open(self, kind: str) -> bool:
        """Is this kind of action offered on the whole table? Some may be done that are not the next."""
        table = self.moment.table
        return any(
            one.action.name == kind and one.ruling != ILLEGAL for one in options(table.game, table.at())
        )

    def at_ways(self, kind: Any) -> None:
        ways, action = kind["actions"], self.action()
        if kind["complete"] and len(ways) == 1:
            if bare(ways[0]["action"]) != bare(action):
                raise Enough
            return
        if not ways:
            self.in_detail(kind["kind"])
            return
        found = [number for number, one in enumerate(ways, start=1) if bare(one["action"]) == bare(action)]
        if found:
            self.lines = [str(found[0])]
        elif kind["complete"]:
            if self.whole.verdict.ruling != "illegal":
                raise Fault(f"{action} is not offered")
            raise Enough
        else:
            self.lines = [str(len(ways) + 1)]
            self.in_detail(kind["kind"])

    def in_detail(self, kind: str) -> None:
        """Parameter by parameter; what the action does not say is left out."""
        known = next(
            one
            for one in self.asks.actions(self.moment.table.game.name, lang=self.lang)["actions"]
            if one["kind"] == kind
        )
        self.parameters = [one["pointer"] for one in known["asks"]]

    # -- the whole table ---------------------------------------------------------------------------

    @property
    def whole(self) -> Any:
        return self.moment.on(self.moment.table.position)

    @cached_property
    def waits_with(self) -> str:
        """The question that is answered."""
        table = self.moment.table
        pending = check(
            table.game, prepare(table.game, table.position, {}, table.components), Continue()
        ).pending
        return "" if pending is None else pending.name

    def as_it_stands(self) -> Moment:
        position = self.position
        table = self.moment.table
        if not self.given or not position.agenda:
            return self.moment
        now = [one for one in self.moment.rows(table.position) if stands_at(one) == stands_at(position)]
        same = [one for one in now if not came_otherwise(position, one)]
        return self.moment._replace(table=table._replace(position=(*same, *now, table.position)[0]))

    @property
    def position(self) -> Any:
        return prepare(self.moment.table.game, self.state.position, {}, self.moment.table.components).position

    # -- the end -----------------------------------------------------------------------------------

    def run(self) -> Went:
        """The answer, with everything that it needs; then what was kept is played again and taken back."""
        with suppress(Enough):
            self.companion.play(self.saved)
        if not self.went.given_up and self.given:
            self.went.answers += 1
            self.compare()
        self.replay()
        return self.went

    def compare(self) -> None:
        whole = self.whole
        if whole.verdict.ruling == "illegal":
            answers = self.moment.do is None  # of an action a caution said what was taken for granted
            if answers and any(self.is_said(one) for one in self.state.moves):
                raise Fault("taken, though on the whole table it is refused")
            return
        if not any(self.is_said(one) for one in self.state.moves):
            raise Fault("the answer was lost")
        if whole.verdict.unknowns:
            return
        position = self.position
        other = came_otherwise(position, whole.position)
        if other and not self.moment.passes(position):  # where the whole table settles what is asked here
            raise Fault(f"is otherwise afterwards: {other}")

    def is_said(self, move: Any) -> bool:
        if self.moment.do is not None:
            return bool(bare(plain(move["action"])) == bare(self.action()))
        key, value = self.moment.given  # type: ignore[misc]
        said = [one.get(key) for one in move["inputs"]]
        return any(bare(one) == bare(plain(value)) or (not value and one == "none") for one in said)

    def replay(self) -> None:
        """What was kept comes to the same again."""
        state = self.state
        if not state.moves:
            return
        kept = state.transcript()
        came = self.asks.replay(
            self.moment.table.game.name, kept["position"], kept["moves"], components=kept.get("components")
        )
        if came["diverged"] is not None:
            raise Fault(f"does not replay: {came['diverged']}")
        led = self.companion._led_here()
        if len(led) != len(state.moves):
            raise Fault(f"{len(led)} of {len(state.moves)} moves can be taken back")
        for before, move in zip(led, state.moves, strict=True):
            laid = {**before.position, **move.get("position", {})}
            again = self.asks.check(
                self.moment.table.game.name,
                laid,
                move["action"],
                move["inputs"],
                components=state.components or None,
            )
            if again["ruling"] != "legal":
                raise Fault(f"a move that was made is {again['ruling']} when it is made again")
        if not state.told and _other(plain(state.position), again["position"]):
            raise Fault(
                f"played again, it stands otherwise: {_other(plain(state.position), again['position'])}"
            )


def _other(one: Any, again: Any) -> dict[str, Any]:
    """What stands otherwise, by its first name; what is not told in part may be said so or not."""
    one, again = (
        {**each, "partial": [key for key, is_so in each.get("partial", {}).items() if is_so]}
        for each in (one, again)
    )
    return {
        name: (one.get(name), again.get(name)) for name in {*one, *again} if one.get(name) != again.get(name)
    }


def plain(value: Any) -> Any:
    return msgspec.json.decode(msgspec.json.encode(value))


def as_question(question: Any) -> Question:
    """A question as the functions of the asked player take it."""
    form = msgspec.convert(question["form"], forms.Form) if question.get("form") else UNSET
    pointers = question.get("pointers") or UNSET
    return Question(
        name=str(question["name"]),
        kind="fact",
        text=question["text"],
        params={},
        pointer=question["pointer"],
        pointers=pointers,
        form=form,
    )


# -- from a value to the lines that say it -----------------------------------------------------------


def lines(form: Any, value: Any, talk: Talk, *, optional: bool = False) -> Iterator[str]:
    """What is typed to say this."""
    kind = form["type"]
    options = _choices(form, talk)
    found = next((one.mark for one in options if type(one.value) is type(value) and one.value == value), None)
    if kind == "some":
        marks = [next(one.mark for one in options if one.value == each) for each in value]
        yield NONE if optional and not marks else " ".join(marks)
    elif found is not None:
        yield found
    elif kind in ("record", "counters", "list"):
        if options or (optional and kind != "list"):
            yield str(len(options) + 1)
        yield from (_listed if kind == "list" else _by_fields)(form, value, talk)
    elif kind == "dice":
        yield " ".join(map(str, value))
    else:
        yield str(value)


def _by_fields(form: Any, value: Any, talk: Talk) -> Iterator[str]:
    for one in form["fields"]:
        optional = bool(one.get("optional"))
        if one["key"] in value:
            yield from lines(one["form"], value[one["key"]], talk, optional=optional)
        else:
            yield "" if optional else "0"


def _listed(form: Any, value: Any, talk: Talk) -> Iterator[str]:
    items = value.items() if isinstance(value, dict) else ((None, one) for one in value)
    for key, one in items:
        if form.get("key"):
            yield from lines(form["key"], key, talk, optional=True)
            yield from lines(form["of"], one, talk)
        else:
            yield from lines(form["of"], one, talk, optional=True)
    if len(value) < form.get("most", 100):
        yield ""
