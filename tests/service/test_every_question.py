"""Every question of every example and golden game has a form and words, and whatever its form offers is taken."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from functools import cache
from typing import Any, NamedTuple

import msgspec
import pytest

from engine import codec, telling, transcript
from engine.game import Answer, Continue, Game, check, prepare
from engine.messages import REGISTRY
from engine.navajo_wars import GAME as NAVAJO_WARS
from engine.telling import Table
from engine.testing import plain
from engine.transcript import merge
from service import forms, wordings
from service.answers import encode
from service.forms import Form, PendingQuestion, Question
from service.games import GAMES
from service.languages import reader, voice
from service.questions import asked, chosen, parameters, pending_question
from service.several import tells
from service.typed_forms import of_fact
from tests.games import golden
from tests.shown import all_shown, components, game, played

OFTEN = 2  # a question of the golden games is looked at so many times
MOST_TOLD = 40  # answers to one question for a fact
MACHINE_WORDS = re.compile(
    r"\bnull\b|\bcomponents\b|\bagenda\b|by-hand|\[\]|“none”|\bSend\b|answer with|\bJSON\b|\btrue\b|\bfalse\b"
)
NOT_TAKEN = {"choice-not-offered", "reading-not-possible", "answer-of-another-kind", "wrong-number-chosen"}


class Pause(NamedTuple):
    """A question that something waits with, and what is needed to answer it."""

    where: str
    game: Game
    answer: Answer
    choices: dict[str, str]
    printed: Any
    do: Any  # what was asked, and the inputs that were sent with it
    inputs: list[Any]

    def told(self, question: Question, value: Any) -> Answer:
        """What comes of the same request with a fact told."""
        sent = msgspec.json.decode(msgspec.json.encode(tells(question, value)))
        at = prepare(self.game, codec.write(self.answer.table), self.choices, self.printed)
        return check(self.game, at, self.do, [*self.inputs, ("tell", sent)])

    def answered(self, question: PendingQuestion, value: Any) -> Answer:
        """What comes of an answer."""
        key = question.input
        said = tells(question, value) if key == "tell" else value
        sent = msgspec.json.decode(msgspec.json.encode(said))
        at = prepare(self.game, codec.write(self.answer.position), self.choices, self.printed)
        return check(self.game, at, Continue(), [(key, sent)])


def _of_examples() -> Iterator[Pause]:
    for one in all_shown():
        example = one.example
        file = components(example.components_file) if example.components_file else {}
        for outcome in played(one):
            if outcome.answer is not None:
                printed = plain(merge(file, example.components))
                asked_so = outcome.expected
                do = codec.read(plain(asked_so.action), game(one.game).action_types, "/action")
                inputs = codec.read_inputs(plain(asked_so.inputs))
                choices = dict(example.choices)
                yield Pause(str(one), game(one.game), outcome.answer, choices, printed, do, inputs)


def _of_golden_games() -> Iterator[Pause]:
    for one in golden.GAMES:
        kept = golden.read(one.name)
        went = transcript.replay(NAVAJO_WARS, kept)
        seen: dict[str, int] = {}
        position = kept.position
        for number, move in enumerate(went.played):
            for count, question in enumerate(move.asked):
                name = question.pending.name
                seen[name] = seen.get(name, 0) + 1
                if seen[name] > OFTEN:
                    continue
                at = prepare(NAVAJO_WARS, position, kept.choices, kept.components)
                do, inputs = move.move.action, list(move.move.inputs[:count])
                answer = check(NAVAJO_WARS, at, do, inputs)
                where = f"{one.name}, move {number}"
                yield Pause(where, NAVAJO_WARS, answer, {}, kept.components, do, inputs)
            position = move.answer.position


@cache
def pauses() -> tuple[Pause, ...]:
    """Every answer of an example, and every question of a golden game."""
    return (*_of_examples(), *_of_golden_games())


@cache
def waiting() -> tuple[tuple[Pause, PendingQuestion], ...]:
    """Those that wait with a question."""
    found = []
    for pause in pauses():
        question = pending_question(pause.game, pause.answer, voice("en"))
        if question is not None:
            found.append((pause, question))
    return tuple(found)


@cache
def facts() -> tuple[tuple[Pause, Question], ...]:
    """The facts that were asked for."""
    return tuple(
        (pause, asked(pause.game, fact, pause.answer.position, voice("en")))
        for pause in pauses()
        for fact in pause.answer.verdict.unknowns
        if not fact.pointer.startswith("/action")
    )


def inside(form: Form) -> Iterator[Form]:
    """A form and every form in it."""
    yield form
    for field in getattr(form, "fields", ()):
        yield from inside(field.form)
        if getattr(field, "among", None):
            yield from inside(field.among)
    for field in getattr(form, "also", None) or ():
        yield from inside(field.form)
    if isinstance(form, forms.Several):
        yield from inside(form.of)
        if form.key:
            yield from inside(form.key)


def asked_beforehand() -> Iterator[Question]:
    """What is asked for without a position: parameters of actions, and choices of scenarios."""
    for one in GAMES.values():
        for action in one.actions.values():
            yield from parameters(one, action, voice("en"))
        for scenario in one.scenarios:
            yield from (chosen(one, choice, voice("en")) for choice in scenario.choices)


def everything_asked() -> Iterator[Question]:
    """Every question there is an example of."""
    yield from (question for _, question in waiting())
    yield from (question for _, question in facts())
    yield from asked_beforehand()


def test_every_question_has_a_form_and_none_is_left_to_json() -> None:
    seen = set()
    for question in everything_asked():
        assert question.form, question.name
        for form in inside(question.form):
            assert not isinstance(form, forms.Json), question.name
            seen.add(type(form))
    assert seen == {
        forms.YesNo,
        forms.Number,
        forms.Name,
        forms.One,
        forms.Some,
        forms.Die,
        forms.Dice,
        forms.Draw,
        forms.Counters,
        forms.Changes,
        forms.Record,
        forms.Several,
    }


@pytest.mark.parametrize("name", GAMES)
def test_whatever_a_chart_notes_has_a_form(name: str) -> None:
    for procedure in GAMES[name].procedures.values():
        for field in procedure.memory.__struct_fields__:
            form = of_fact(name, procedure.memory, (field,), "en")
            assert form, (procedure.name, field)
            assert not any(isinstance(one, forms.Json) for one in inside(form)), (procedure.name, field)


def test_every_question_is_asked_without_machine_words() -> None:
    for question in everything_asked():
        for said in (question.lead, question.text, question.hint):
            assert not said or not MACHINE_WORDS.search(str(said)), said


def test_a_question_stands_alone() -> None:
    """One sentence, or questions only; what happened before and what helps stand beside it."""
    together = set()
    for question in everything_asked():
        sentences = re.split(r"(?<=[.?!]) (?=[A-Z])", str(question.text))
        if len(sentences) > 1 and not all(one.endswith("?") for one in sentences):
            together.add(question.name)
    assert not together


def test_fields_and_values_have_words_of_the_game() -> None:
    for question in everything_asked():
        for form in inside(question.form):  # type: ignore[arg-type]  # every question has one
            for option in getattr(form, "options", None) or ():
                assert "_" not in str(option.text), (question.name, option)
            for field in getattr(form, "fields", ()):
                assert "_" not in str(field.text), (question.name, field.key)


def test_what_is_simply_so_has_a_name() -> None:
    """An action that says yes to something is listed by what that is, never by “True”."""
    for game_ in GAMES.values():
        for action in game_.actions.values():
            yes_or_no = [one for one in msgspec.structs.fields(action.kind) if one.type is bool]
            for one in yes_or_no:
                said = wordings.parameter(reader("en"), game_, action.kind, one.encode_name, True)
                assert said != "True", (action.name, one.name)


def test_every_option_is_taken() -> None:
    tried = 0
    for pause, question in waiting():
        if pause.answer.refused:  # the position is the one that was sent, and not that of the question
            continue
        for value in _answers(question.form):
            tried += 1
            found = pause.answered(question, value)
            refused = {reason.requirement.name for reason in found.verdict.reasons}
            assert not refused & NOT_TAKEN, (pause.where, question.name, value)
            if isinstance(question.form, forms.One) and question.input == "choose":
                assert not refused, (pause.where, question.name, value)
    assert tried > 1000


def _answers(form: Any) -> Iterator[Any]:
    """Answers that a form offers."""
    if isinstance(form, forms.Die):
        yield from range(1, 7)
    elif isinstance(form, forms.Dice):
        yield [1] * form.count
    elif isinstance(form, forms.YesNo):
        yield from (True, False)
    elif isinstance(form, forms.Number):
        yield from (form.least or 0, form.most or 99)
    elif isinstance(form, forms.Some):
        values = [one.value for one in form.options]
        yield values[: form.most]
        yield values[: form.least]
        if form.least <= 1 <= form.most:
            yield from ([value] for value in values)
        if form.decline:
            yield form.decline
    else:
        yield from (one.value for one in getattr(form, "options", None) or ())
        yield from _made(form)


def _made(form: Any) -> Iterator[Any]:
    """Answers to a form that is asked for piece by piece."""
    if isinstance(form, forms.Name):
        yield "Caesar"
    elif isinstance(form, forms.Changes):
        yield from ({"changes": [_change(field)]} for field in form.fields)
    elif isinstance(form, forms.Counters | forms.Record):
        needed = [field for field in form.fields if isinstance(form, forms.Record) and not field.optional]
        yield {field.key: next(_answers(field.form)) for field in needed}
        yield {field.key: next(_answers(field.form)) for field in form.fields}
    elif isinstance(form, forms.Several):
        once = next(_answers(form.of))
        if form.key:
            yield from ({}, {next(_answers(form.key)): once})
        else:
            least = form.least or 0
            yield from ([once] * many for many in (least, max(1, least)))


def _change(field: forms.ChangeField) -> dict[str, Any]:
    key = field.key
    if field.among:
        key = key.replace("{}", str(next(_answers(field.among))))
    return {"pointer": key, field.writes: next(_answers(field.form))}


def test_an_open_offer_asks_for_its_facts() -> None:
    tried = 0
    for pause, question in waiting():
        for option in getattr(question.form, "options", None) or ():
            if getattr(option, "unknowns", None):
                tried += 1
                wanted = {one.pointer for one in option.unknowns}
                found = pause.answered(question, option.value)
                assert {fact.pointer for fact in found.verdict.unknowns} <= wanted or found.pending, option
    assert tried


def test_what_the_form_of_a_fact_offers_is_taken_and_not_asked_for_again() -> None:
    tried: Counter[str] = Counter()
    again: dict[str, Any] = {}
    for pause, question in facts():
        if tried[question.name] > MOST_TOLD:
            continue
        for value in _some(_answers(question.form)):
            tried[question.name] += 1
            found = pause.told(question, value)
            asked_again = {fact.pointer for fact in found.verdict.unknowns}
            if question.pointer in asked_again and not (value == [] and question.name in NEVER_EMPTY):
                again[question.name] = (pause.where, value)
    assert not again
    assert len(tried) > 60
    assert sum(tried.values()) > 400


def _some(values: Iterable[Any]) -> list[Any]:
    """The first values, and the last."""
    listed = list(values)
    return listed[:4] + listed[4:][-2:]


NEVER_EMPTY = ("ask-combat-units",)  # without units there is no combat


@pytest.mark.parametrize("name", GAMES)
def test_what_the_form_of_a_scenarios_choice_offers_is_taken(name: str) -> None:
    one = GAMES[name]
    for scenario in one.scenarios:
        table = Table(codec.read(codec.write(scenario.position), one.position, "/position"), {}, None)
        for choice in scenario.choices:
            for value in _some(_answers(chosen(one, choice, voice("en")).form)):
                told = telling.tell(one, table, [(choice.pointer, plainly(value))])
                assert told.position != table.position or value in ([], {}, None), (choice.pointer, value)


@pytest.mark.parametrize("name", GAMES)
def test_what_the_form_of_a_parameter_offers_is_taken(name: str) -> None:
    one, tried = GAMES[name], 0
    for action in one.actions.values():
        asked_for = {
            str(question.pointer).removeprefix("/action/"): question.form
            for question in parameters(one, action, voice("en"))
        }
        usual = {key: plainly(next(_answers(form))) for key, form in asked_for.items()}
        for key, form in asked_for.items():
            for value in _answers(form):
                tried += 1
                codec.read(
                    {"kind": action.name, **usual, key: plainly(value)}, one.action_types, "/action"
                )  # or it raises
    assert tried > 50


@pytest.mark.parametrize("name", GAMES)
def test_what_the_form_of_a_note_offers_is_taken(name: str) -> None:
    """Whoever walks in at a row is asked for what its chart would have noted."""
    one, tried = GAMES[name], 0
    for procedure in one.procedures.values():
        row = next(iter(procedure.steps))
        for field in procedure.memory.__struct_encode_fields__:
            for value in _some(_answers(of_fact(name, procedure.memory, (field,), "en"))):
                tried += 1
                frame = {"procedure": procedure.name, "step": row, "memory": {field: plainly(value)}}
                prepare(one, {"agenda": [frame]}, {}, {})  # or it raises
    assert tried > 20


def plainly(value: Any) -> Any:
    """An answer as a request has it."""
    return msgspec.json.decode(msgspec.json.encode(value))


def test_options_of_actions_are_grouped_and_short() -> None:
    grouped = [
        option
        for _, question in waiting()
        if isinstance(question.form, forms.One) and question.form.of == "action"
        for option in question.form.options
        if isinstance(option.value, dict)
    ]
    assert grouped
    for option in grouped:
        assert option.short, option
        assert option.groups or set(option.value) == {"kind"}, option


def test_the_procedures_under_way_are_named_in_every_question() -> None:
    for pause, question in waiting():
        assert pause.answer.pending
        agenda = pause.answer.pending.agenda
        assert [frame.procedure for frame in question.frames] == [frame.procedure for frame in agenda]
        assert all(frame.title and frame.row_title for frame in question.frames)


def test_four_languages_word_every_question() -> None:
    for pause, _ in waiting()[::10]:
        whole = encode(pending_question(pause.game, pause.answer, voice("all")))
        assert msgspec.json.decode(whole)["text"].keys() == {"en", "fr", "it", "ja"}


def test_leads_and_hints_have_their_question() -> None:
    for name in REGISTRY:
        whole, _, part = name.rpartition(".")
        if part in ("lead", "hint") and whole in REGISTRY:
            assert getattr(REGISTRY[whole], part) is REGISTRY[name]
