"""What a play asks now, and what an answer to it sends: the step under way, a fact, the set-up, or an action."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from functools import cached_property
from typing import Any, Literal

from msgspec import UNSET, Struct, inspect, structs

from engine import codec
from engine import options as engine_options
from engine.actions import Action
from engine.exceptions import Unreadable, Untold
from engine.game import Continue, check
from engine.options import Options
from engine.shapes import shape
from engine.telling import LATER
from engine.transcript import Move
from engine.verdict import ILLEGAL, UNDETERMINED, Caution, Verdict
from service import checks, forms, offered, play_standing, transcripts, wordings
from service.forms import ClosedOption, FactField, Form, FormOption, Group, Question
from service.languages import Voice, capital, reader, voice
from service.pages import foresight, walks, words
from service.pages.walks import Given, Pad, Walk
from service.play_kept import Play
from service.play_records import last_move
from service.play_routes import served
from service.play_set_up import value_at
from service.plays import Sent
from service.questions import parameters
from service.sentences import entry, refusals
from service.several import tells

# What the player turns to: whatever is asked, something else that may be done, or what the set-up left open.
ASKED, DO, SET_UP = "", "do", "set-up"
MODES = (ASKED, DO, SET_UP)
FIRST = "first "  # and the answer that needs another fact first
NOTED = ("/agenda", "/partial")  # by a chart, and of what was told
WHOLE = "/action"  # where a reason points that speaks of no single parameter
LONGEST_MODE = 1_000  # characters; it stands in an address


class Turn(Struct, frozen=True, kw_only=True, dict=True):
    """What is asked: the question, the way its answer is found, and what came before."""

    play: Play
    state: dict[str, Any]
    question: Any  # a Question, or the words of the page's own
    form: Any
    asks: Literal["pending", "set-up", "action", ""]
    mode: str = ASKED
    closed: Sequence[ClosedOption] = ()
    closed_ways: int = 0

    def follow(self, steps: Sequence[Any]) -> Pad | Given:
        """Where steps lead: to the next pad, or to the answer."""
        if self.form is UNSET or self.form is None:
            return Pad(kind="nothing")
        return walks.follow(
            _acting(self) if isinstance(self.form, forms.One) else walks.ask(self.form), steps
        )

    @cached_property
    def last(self) -> dict[str, Any] | None:
        """The last move in words."""
        return last_move(served().store, self.play, self.state["lang"])

    def is_chancy(self, value: Any) -> bool:
        """Does chance decide next what comes of an answer that is an action?"""
        return self._is_open and isinstance(value, dict) and self._chancy(value)

    def _chancy(self, value: Any) -> bool:
        """The same for every way of an action kind, so that it is looked at once."""
        kind = value.get("kind") if isinstance(value, dict) else walks.said(value)
        if kind not in self._looked_at:
            given = codec.read_inputs([{self.question.input: value}])
            found = check(self.play.game, self.play.at(), Continue(), given)
            self._looked_at[kind] = found.pending is not None and found.pending.kind == "chance"
        return self._looked_at[kind]

    def refused(self, pad: Pad | Given) -> list[Any]:
        """The places on a pad that would be refused as an answer; of an action, those that are refused are left out."""
        if not isinstance(pad, Pad) or pad.kind != "places" or self.is_fact or self.asks != "pending":
            return []
        if isinstance(self.form, forms.One) and any(isinstance(one.value, dict) for one in self.form.options):
            return []
        key, at = self.question.input, self.play.at()
        given = {one.value: codec.read_inputs([{key: one.value}]) for one in pad.options}
        found = ((value, check(self.play.game, at, Continue(), said)) for value, said in given.items())
        return [value for value, answer in found if answer.refused == "answer"]

    def forgets(self, value: Any) -> str:
        """The facts that an answer to a reading leaves untold, because pieces are moved by hand, in words."""
        if not isinstance(self.question, forms.PendingQuestion) or self.question.kind != "reading":
            return ""
        given = codec.read_inputs([{self.question.input: value}])
        after = check(self.play.game, self.play.at(), Continue(), given).position
        changed = codec.changes(self.play.position, after)
        gone = [pointer for pointer, was, now in changed if now is UNSET and was is not UNSET]
        speaks = reader(self.state["lang"])
        named = (wordings.named(speaks, self.play.game, one) for one in gone if not one.startswith(NOTED))
        return speaks.listed(dict.fromkeys(named))

    @cached_property
    def _looked_at(self) -> dict[Any, bool]:
        return {}

    @property
    def set_up(self) -> tuple[int, int]:
        """How much of the set-up is told, and of how much."""
        scenario = next((one for one in self.play.game.scenarios if one.id == self.play.scenario), None)
        whole = len(scenario.choices) if scenario else 0
        return whole - len(self.state["unknowns"]), whole

    @property
    def known(self) -> Mapping[str, Any]:
        """What is told already of the fact that is asked for."""
        pointer = self.question.pointer if self.is_fact else ""
        found = value_at(codec.write(self.play.position), pointer) if pointer else None
        return found if isinstance(found, dict) else {}

    @property
    def asked_for(self) -> str:
        """The action that waits for a fact, in words."""
        if self.play.asked is None:
            return ""
        do = codec.read(self.play.asked.action, self.play.game.action_types, "/action")
        return str(transcripts.headline(self.play.game, Move(do), voice(self.state["lang"])))

    @property
    def waiting(self) -> str:
        """The answer that waits for a fact, in words."""
        found = _waiting(self.state["pending"], self.mode)
        return "" if found is None else str(found.short or found.text)

    @property
    def may_wait(self) -> bool:
        """Can this fact be told later, because something else can be asked or done meanwhile?"""
        if self.mode.startswith(FIRST):
            return False
        return self.asks == "set-up" or (self.is_fact and len(self.state["unknowns"]) > 1)

    @property
    def is_fact(self) -> bool:
        """Is this a question for a fact, and not the one that a step waits with?"""
        return self.asks in ("pending", "set-up") and not isinstance(self.question, forms.PendingQuestion)

    @property
    def _is_open(self) -> bool:
        """Is this a question of a procedure that chance or the player answers?"""
        kinds = ("decision", "chance")
        return isinstance(self.question, forms.PendingQuestion) and self.question.kind in kinds

    @cached_property
    def has_chances(self) -> bool:
        """Does chance decide now or next, so that there is something to be said about it?"""
        if not self._is_open or self.question.kind == "chance":
            return self._is_open
        found = self.form.options if isinstance(self.form, forms.One) else ()
        return any(self._chancy(one.value) for one in found[: walks.MOST_BUTTONS])

    def put_off(self) -> Sent:
        """That this fact will be told later."""
        return Sent(None, ({"tell": {self.question.pointer: LATER}},))

    def sent(self, value: Any) -> Sent:
        """An answer as a move."""
        if self.asks == "action":
            return Sent(codec.read(value, self.play.game.action_types, "/action"))
        if isinstance(self.question, forms.PendingQuestion) and self.question.input != "tell":
            return Sent(None, ({self.question.input: value},))
        return Sent(None, ({"tell": tells(self.question, value)},))


class Ask(Struct, frozen=True):
    """A question of the page itself."""

    text: str
    lead: str = ""
    hint: str = ""
    rules: tuple[str, ...] = ()
    kind: str = "decision"
    frames: tuple[Any, ...] = ()


def turn(play: Play, lang: str, mode: str = ASKED, *, closed: bool = True) -> Turn:
    """What a play asks now, or what may be done besides; what is not open, only where it is `closed`."""
    state = play_standing.state(play, lang, closed=closed)
    pending = state["pending"]
    needed = _needed(play, lang, mode) if _waiting(pending, mode) is not None else None
    mode = ASKED if needed is None and mode.startswith(FIRST) else mode
    known: dict[str, Any] = {"play": play, "state": state, "mode": mode}
    if state["outcome"] is not None and mode != DO:
        return Turn(**known, question=None, form=None, asks="")
    if needed is not None:
        return Turn(**known, question=needed, form=needed.form, asks="pending")
    if pending is not None and mode != DO:
        form = pending.form
        others = getattr(form, "closed", None) or ()
        ways = getattr(form, "closed_ways", None) or 0
        return Turn(**known, question=pending, form=form, asks="pending", closed=others, closed_ways=ways)
    question = _of_set_up(play, state, mode)
    if question is not None:
        return Turn(**known, question=question, form=question.form, asks="set-up")
    return _what_to_do(known, play, lang)


def is_mode(text: str) -> bool:
    """Is this something that a player can turn to?"""
    return text in MODES or (text.startswith(FIRST) and len(text) <= LONGEST_MODE)


def first_of(sent: Sent) -> str:
    """What to turn to when an answer needs another fact first."""
    mode = f"{FIRST}{walks.said(sent.inputs[0])}" if len(sent.inputs) == 1 else ASKED
    return mode if is_mode(mode) else ASKED


def waited(asked: Turn, now: Turn) -> Sent | None:
    """The answer that waited for a fact, as a move; None where its question is not asked any more."""
    before, pending = asked.state["pending"], now.state["pending"]
    if not isinstance(pending, forms.PendingQuestion):
        return None
    is_same = (pending.procedure, pending.step, pending.name) == (before.procedure, before.step, before.name)
    return Sent(None, (walks.heard(asked.mode.removeprefix(FIRST)),)) if is_same else None


def _waiting(pending: Any, mode: str) -> FormOption | None:
    """The option of the present question that waits for a fact; None where it is not offered any more."""
    form = getattr(pending, "form", None)
    if not mode.startswith(FIRST) or not isinstance(form, forms.One):
        return None
    try:
        answer = walks.heard(mode.removeprefix(FIRST))
    except Unreadable:
        return None
    value = answer.get(getattr(pending, "input", ""), UNSET) if isinstance(answer, dict) else UNSET
    options = [value, {"kind": value["kind"]}] if isinstance(value, dict) and "kind" in value else [value]
    found = (one for said in options for one in form.options if walks.same(one.value, said))
    return next(found, None) if value is not UNSET else None


def _needed(play: Play, lang: str, mode: str) -> Question | None:
    """The fact without which nothing can be said about an answer; None where nothing is missing any more."""
    try:
        given = codec.read_inputs([walks.heard(mode.removeprefix(FIRST))])
        found = check(play.game, play.at(), Continue(), given)
    except Unreadable:
        return None
    missing = found.verdict.unknowns if found.verdict.ruling == UNDETERMINED and found.refused is None else ()
    return checks.unknown(play.game, missing[0], found, Continue(), voice(lang)) if missing else None


def _of_set_up(play: Play, state: dict[str, Any], mode: str) -> Question | None:
    """What the set-up leaves open and was not put off, until something is done; all of it for who turns to it."""
    if mode == DO or state["pending"] is not None:
        return None
    left: list[Question] = state["unknowns"]
    if left and mode != SET_UP:
        last = last_move(served().store, play, state["lang"])
        over = last is not None and last["kind"] == "move"
        left = [] if over else [one for one in left if one.pointer not in play.waits.later]
    return left[0] if left else None


# -- actions ------------------------------------------------------------------------------------------


def _what_to_do(known: dict[str, Any], play: Play, lang: str) -> Turn:
    speaks = voice(lang)
    found = list(engine_options.options(play.game, play.at()))
    offers = [one for kind in found if kind.ruling != ILLEGAL for one in _offers(play, kind, speaks)]
    closed = [_closed(kind, speaks) for kind in found if kind.ruling == ILLEGAL]
    first = [one for one in offers if one.value["kind"] == play.game.opens]
    others = [one for one in offers if one.value["kind"] != play.game.opens]
    say = words.sayer(lang)
    question = Ask(say("what-now") if offers else say("nothing-to-do"))
    return Turn(
        **known,
        question=question,
        form=forms.One(options=[*first, *others], of="action", likely=[one.value for one in first]),
        asks="action",
        closed=closed,
    )


def _offers(play: Play, kind: Options, speaks: Voice) -> Iterator[FormOption]:
    """Each way of an action kind; one that depends on what was not told, by its kind."""
    action = kind.action
    term = _term(action, speaks)
    if len(kind.ways) <= 1 and not kind.unknowns:
        yield FormOption(value=kind.ways[0].action if kind.ways else {"kind": action.name}, text=term)
        return
    group = Group(key=action.name, text=term)
    for way in kind.ways:
        short, groups = offered.described(play.game, action, way.action, speaks)
        inner = [one for one in groups or () if one.key != action.name]
        text = (
            speaks.say(action.says, {}) if way.said is None else speaks.say(way.said.message, way.said.params)
        )
        yield FormOption(value=way.action, text=text, short=short, groups=[group, *inner])
    if kind.unknowns:
        other = words.sayer(speaks.lang)("other-ways") if kind.ways else term
        groups = [group] if kind.ways else UNSET
        yield FormOption(value={"kind": action.name}, text=other, groups=groups)


def _term(action: Action, speaks: Voice) -> str:
    """An action kind by its name, as it opens a line."""
    return str(speaks.each(lambda reader: capital(wordings.thing(reader, action.term))))


def _closed(kind: Options, speaks: Voice) -> ClosedOption:
    """An action kind that may not be done now, with its reasons."""
    reasons = [
        entry(one.message.name, one.message, one, speaks)
        if isinstance(one, Caution)
        else refusals((one,), speaks)[0]
        for one in kind.reasons
    ]
    return ClosedOption(value={"kind": kind.action.name}, text=_term(kind.action, speaks), reasons=reasons)


def _acting(turn: Turn) -> Walk:
    """One answer; of an action then whatever of it was not listed, so that only facts of this one way are asked for."""
    chosen = yield from walks.ask(turn.form)
    action = turn.play.game.actions.get(chosen.get("kind", "")) if isinstance(chosen, dict) else None
    if action is None:
        return chosen
    told = dict(chosen)
    missing = list(_missing(turn, action, told))
    if any(field.key == action.subject for field in missing):
        told |= _about_whom(turn, action)
        missing = [field for field in missing if field.key not in told]
    for number, field in enumerate(missing, 1):
        form = _not_refused(turn, told, field) if number == len(missing) else field.form
        told[field.key] = yield from walks.ask(form, (str(field.text),))
    if missing or chosen.keys() == {"kind"}:
        told |= yield from _whole(turn, action, told)
    return told


def _whole(turn: Turn, action: Action, told: dict[str, Any]) -> Walk:
    """What else is said of an action that is refused because it does not say enough; one part may do for another."""
    more: dict[str, Any] = {}
    left = list(_unsaid(turn, action, told))
    for number, field in enumerate(left, 1):
        if not _is_incomplete(turn, {**told, **more}):
            break
        value = yield from walks.ask(field.form, (str(field.text),), may_skip=number < len(left))
        if not walks.same(value, {walks.SKIP: True}):
            more[field.key] = value
    return more


def _about_whom(turn: Turn, action: Action) -> dict[str, Any]:
    """The only one an action can be about, so that nobody is asked who it is: the Family that is acting."""
    with suppress(Untold):
        subjects = list(action.subjects(turn.play.at().apart()))
        return action.about(subjects[0]) if len(subjects) == 1 else {}
    return {}


def _not_refused(turn: Turn, told: dict[str, Any], field: FactField) -> Form:
    """What is left of an action, apart from the answers that are refused; all of them where each is."""
    form, at = field.form, turn.play.at()
    if not isinstance(form, forms.One) or len(form.options) > foresight.MOST:
        return form
    shut = [one for one in form.options if _is_refused(turn, at, {**told, field.key: one.value})]
    left = [one for one in form.options if one not in shut]
    closed = [ClosedOption(value=one.value, text=one.text, reasons=[]) for one in shut]
    return structs.replace(form, options=left, closed=closed) if left else form


def _is_refused(turn: Turn, at: Any, action: dict[str, Any]) -> bool:
    """Is this action refused, here or as an answer to the question under way, whatever else is said of it?"""
    found = _weighed(turn, at, action)
    return found.ruling == ILLEGAL and not any(one.pointer == WHOLE for one in found.reasons)


def _is_incomplete(turn: Turn, action: dict[str, Any]) -> bool:
    """Is this action refused because it does not say enough?"""
    return any(one.pointer == WHOLE for one in _weighed(turn, turn.play.at(), action).reasons)


def _weighed(turn: Turn, at: Any, action: dict[str, Any]) -> Verdict:
    """What is ruled of an action, here or as an answer to the question under way."""
    try:
        if turn.asks == "pending":
            given = codec.read_inputs([{turn.question.input: action}])
            return check(turn.play.game, at, Continue(), given).verdict
        do = codec.read(action, turn.play.game.action_types, WHOLE)
        return check(turn.play.game, at, do).verdict
    except Unreadable:
        return Verdict(UNDETERMINED)


def _missing(turn: Turn, action: Action, told: dict[str, Any]) -> Iterator[FactField]:
    """The parameters that an action cannot do without; where nothing is told of it, also whom it is about, if anybody."""
    found = shape(action.kind)
    assert isinstance(found, inspect.StructType)  # noqa: S101  an action is one
    needed: set[Any] = {field.encode_name for field in found.fields if field.required}
    needed |= {action.subject} if told.keys() == {"kind"} else set()
    return (field for field in _unsaid(turn, action, told) if field.key in needed)


def _unsaid(turn: Turn, action: Action, told: dict[str, Any]) -> Iterator[FactField]:
    """The parameters of which nothing is told."""
    for asked in parameters(turn.play.game, action, voice(turn.state["lang"])):
        key = str(asked.pointer).removeprefix(f"{WHOLE}/")
        if key not in told and asked.form is not UNSET:
            yield FactField(key=key, text=asked.text, form=asked.form)


def question_words(question: Question | Ask) -> dict[str, Any]:
    """Lead, question and hint of whatever is asked; what is not there is empty."""
    return {name: getattr(question, name) or "" for name in ("lead", "text", "hint")}


words.sentences(
    {
        "what-now": "What do you do?",
        "nothing-to-do": "Nothing can be done now.",
        "other-ways": "In another way",
    }
)
