"""What the engine asks, as the one shape of a question: worded, with the form of its answer."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from msgspec import UNSET, Struct, UnsetType, inspect, structs

from engine import chance, questions
from engine.actions import Action
from engine.flow import Pending, demanded
from engine.game import Answer, Game
from engine.memory import Agenda, Frame
from engine.messages import Message, Term, message
from engine.offers import Offer, closed
from engine.pointers import parts
from engine.scenarios import OpenChoice
from engine.shapes import shape
from engine.telling import LATER
from engine.verdict import Fact, Unknown
from service import forms, offered, terms, wordings
from service.forms import (
    DrawOption,
    Form,
    FormOption,
    FrameEntry,
    NotedEntry,
    OptionEntry,
    PendingQuestion,
    Question,
)
from service.games import GAMES, prefix
from service.languages import Reader, Text, Voice, voice
from service.sentences import refusals
from service.several import of_facts
from service.typed_forms import NAMED, of_fact, of_type

NOT_KNOWN_YET = message("answer.not-known-yet", "I don't know yet.")
_DRAWN_FROM = {"cube": "cube", "marker": "stratagem"}  # where the termbase names what is drawn


def words(said: Message, params: dict[str, Any], speaks: Voice) -> Any:
    """A question apart from what has happened before it and what helps to answer it."""
    return {
        "lead": _beside(said.lead, params, speaks),
        "text": speaks.say(said, params),
        "hint": _beside(said.hint, params, speaks),
    }


def _beside(said: Message | None, params: dict[str, Any], speaks: Voice) -> Text | UnsetType:
    """A sentence beside a question; one that would have to name what is not known is left out."""
    if said is None:
        return UNSET
    for name, value in params.items():
        if isinstance(value, Unknown) and f"%({name})s" in said.text:
            return UNSET
    return speaks.say(said, params)


# -- facts -------------------------------------------------------------------------------------------


def asked(
    game: Game, fact: Fact, position: Any, speaks: Voice, do: Any = None, rules: tuple[str, ...] = ()
) -> Question:
    """A fact that was needed and not told, as a question; `rules` are those it is asked by where no check says it."""
    return Question(
        name=fact.question.name,
        kind="fact",
        rules=fact.rules or rules or UNSET,
        params=fact.params,
        pointer=fact.pointer,
        pointers=list(fact.pointers) or UNSET,
        form=_among_given(
            game, fact, position, _form_of_fact(game, fact, position.agenda, speaks, do), speaks
        ),
        later=later(speaks),
        **words(fact.question, fact.params, speaks),
    )


def later(speaks: Voice) -> OptionEntry:
    """What is told where a fact is not known yet: its question goes to the end of the list."""
    return OptionEntry(value=LATER, text=speaks.say(NOT_KNOWN_YET, {}))


def _form_of_fact(game: Game, fact: Fact, agenda: Agenda, speaks: Voice, do: Any) -> Form | UnsetType:
    """The form of the type that a pointer leads to: in the position, the components, the action, or a memory."""
    if fact.pointers:
        return of_facts(game.name, fact.pointers, speaks.lang)
    path = tuple(parts(fact.pointer))
    if path[:1] == ("components",):
        return of_fact(game.name, game.components, path[1:], speaks.lang)
    if path[:1] == ("action",):
        kind: Any = do if isinstance(do, type) else type(do)
        return UNSET if do is None else of_fact(game.name, kind, path[1:], speaks.lang)
    if path[:1] == ("agenda",) and len(path) > 3:
        return of_fact(game.name, _memory(game, fact, agenda, path), path[3:], speaks.lang)
    return of_fact(game.name, game.position, path, speaks.lang)


def _among_given(
    game: Game, fact: Fact, position: Any, form: Form | UnsetType, speaks: Voice
) -> Form | UnsetType:
    """Where the position has the names already, one of them; not none of what there must be one; only what it can be."""
    if {fact.pointer, fact.question.name} & {*game.names.always}:
        form = _never_none(form)
    if isinstance(form, forms.One) and fact.among:
        return structs.replace(form, options=[one for one in form.options if one.value in fact.among])
    if isinstance(form, forms.Record) and fact.among:
        return structs.replace(form, fields=[one for one in form.fields if one.key in fact.among])
    if not isinstance(form, forms.Name):
        return form
    known = game.names.given(position, parts(fact.pointer))
    if known is None:
        return form
    named = [FormOption(value=name, text=speaks.say(NAMED, {"value": name})) for name in known.names]
    return forms.One(of=known.of, options=[*named, *(form.options or ())])


def _never_none(form: Form | UnsetType) -> Form | UnsetType:
    """The same form without that there is none."""
    if isinstance(form, forms.One):
        there = [one for one in form.options if one.value is not None]
        return structs.replace(form, options=there, decline=UNSET)
    if isinstance(form, forms.Name):
        others = [one for one in form.options or () if one.value is not None]
        return structs.replace(form, options=others or UNSET)
    return form


def _memory(game: Game, fact: Fact, agenda: Agenda, path: tuple[str, ...]) -> Any:
    """The memory that a fact belongs to; that of a procedure that was not begun is known by its question."""
    number, field = int(path[1]), path[3]
    if number < len(agenda):
        return game.procedures[agenda[number].procedure].memory
    memories = [table.memory for table in game.procedures.values() if field in table.memory.__struct_fields__]
    return next((one for one in memories if one.questions.get(field) == fact.question), memories[0])


def parameters(game: Game, action: Action, speaks: Voice) -> list[Question]:
    """What an action names, each as a question."""
    found = shape(action.kind)
    assert isinstance(found, inspect.StructType)  # noqa: S101  an action is one
    return [_parameter(game, action, field.encode_name, speaks) for field in found.fields]


def _parameter(game: Game, action: Action, field: str, speaks: Voice) -> Question:
    said = game.names.parameter(action.name, field)
    if said is None:
        raise KeyError(f"{action.name}: nothing asks for {field}")
    return Question(
        name=said.name,
        kind="fact",
        rules=(action.rule,),
        params={},
        pointer=f"/action/{field}",
        form=of_fact(game.name, action.kind, (field,), speaks.lang),
        **words(said, {}, speaks),
    )


def chosen(game: Game, choice: OpenChoice, speaks: Voice) -> Question:
    """What a scenario leaves to the player, as a question."""
    options = [offered.option(game, one, speaks) for one in choice.options]
    form: Any = of_fact(game.name, game.position, tuple(parts(choice.pointer)), speaks.lang)
    said = choice.says
    return Question(
        name=said.message.name,
        kind="fact",
        params=said.params,
        pointer=choice.pointer,
        rules=choice.rules or UNSET,
        form=_one(game, options) if options else form,
        later=later(speaks),
        **words(said.message, said.params, speaks),
    )


# -- the step under way ------------------------------------------------------------------------------


def pending_question(game: Game, found: Answer, speaks: Voice, at: Any = None) -> PendingQuestion | None:
    """What is asked next; procedure and step are those of the chart the player follows.

    `at` is the position at the question, where what is not open there is to be said, too.
    """
    pending = found.pending
    if pending is None:
        return None
    chart, question = pending.agenda[0], pending.question
    frames = [_frame(speaks.lang, game.name, frame) for frame in pending.agenda]
    if pending.fact is not None:
        there = structs.replace(found.position, agenda=pending.agenda)
        return _fact_pending(
            pending, asked(game, pending.fact, there, speaks, rules=pending.step.rules), frames
        )
    options = _options(game, found.position, pending, speaks)
    form = _form(game, question.answers, options, speaks)
    if at is not None and pending.step.takes and isinstance(form, forms.One):
        form = _with_closed(game, form, at, pending.step, speaks)
    return PendingQuestion(
        name=pending.name,
        kind=pending.step.kind,  # type: ignore[arg-type]  # an automatic step asks nothing
        input=question.answers.key,  # type: ignore[arg-type]  # the kernel calls it a text
        procedure=chart.procedure,
        step=chart.step,
        rules=pending.step.rules,
        params=question.params,
        options=options,
        meanwhile=[offered.option(game, one, speaks) for one in pending.meanwhile] or UNSET,
        form=form,
        frames=frames,
        **words(question.message, question.params, speaks),
    )


def _fact_pending(pending: Pending, question: Question, frames: list[FrameEntry]) -> PendingQuestion:
    """A fact that is missing on the way, told under its pointer."""
    chart = pending.agenda[0]
    return PendingQuestion(
        **structs.asdict(question),
        input="tell",
        procedure=chart.procedure,
        step=chart.step,
        options=[],
        frames=frames,
    )


def _options(game: Game, position: Any, pending: Pending, speaks: Voice) -> list[FormOption]:
    """What a question lists to be chosen from."""
    listed = getattr(pending.question.answers, "options", None)
    if listed is None:
        return []
    there = structs.replace(position, agenda=pending.agenda)
    return [_option(game, one, there, speaks) for one in listed]


def _option(game: Game, one: questions.Option, position: Any, speaks: Voice) -> FormOption:
    """An option; one that rests on facts not told carries their questions."""
    shown = offered.option(game, one, speaks)
    if not isinstance(one, Offer) or not one.missing:
        return shown
    unknowns = [asked(game, fact, position, speaks, one.do, (one.action.rule,)) for fact in one.missing]
    return structs.replace(shown, unknowns=unknowns)


def _with_closed(game: Game, form: forms.One, at: Any, step: Any, speaks: Voice) -> forms.One:
    """The same form with what is not open now, and why."""
    shut = closed(at, step.takes, demanded(at, step))
    barred = [
        offered.closed_option(game, one, refusals(one.reasons, speaks), speaks) for one in shut.subjects
    ]
    return structs.replace(form, closed=barred, closed_ways=shut.ways)


def drawn(game: Game, key: str, value: str) -> tuple[Message, dict[str, Any]]:
    """What was or can be drawn, by its term where the termbase has one."""
    term = f"{prefix(game.name)}.{_DRAWN_FROM[key]}.{value}"
    return NAMED, {"value": Term(term) if term in terms.load() else value}


def _form(
    game: Game, answers: questions.Answers, options: list[FormOption], speaks: Voice
) -> Form | UnsetType:
    """The form that an answer takes."""
    if isinstance(answers, chance.Die):
        return forms.Die()
    if isinstance(answers, chance.Dice):
        return forms.Dice(count=answers.count)
    if isinstance(answers, chance.Draw):
        return _draw(game, answers, speaks)
    if isinstance(answers, questions.Choose):
        return _one(game, options, actions=any(map(offered.is_act, answers)))
    if isinstance(answers, questions.ChooseSome):
        return _some(game, answers, options)
    if isinstance(answers, questions.Read):
        return _read(game, answers, options, speaks)
    return UNSET


def _some(game: Game, answers: questions.ChooseSome, options: list[FormOption]) -> forms.Some:
    """Several of these, that come to so much together where it is what they add up to that counts."""
    of = _sort(game, [one.value for one in options])
    none = "none" if answers.least == 0 else UNSET
    form = forms.Some(options=options, of=of, least=answers.least, most=answers.most, decline=none)
    if answers.sum is None:
        return form
    field, need = answers.sum
    counted = [
        structs.replace(option, counts={field: one.params[field]})
        for option, one in zip(options, answers.options, strict=True)
    ]
    return structs.replace(form, options=counted, sum=forms.Sum(field=field, least=need))


def _read(game: Game, answers: questions.Read, options: list[FormOption], speaks: Voice) -> Form:
    """What is read off the copy: by its type, with the options that the question lists."""
    form = of_type(game.name, answers.form, speaks.lang)
    if answers.likely and isinstance(form, forms.One):
        form = structs.replace(form, likely=list(answers.likely))
    if not options:
        return form
    if isinstance(form, forms.One):
        return _one(game, options)
    if isinstance(form, forms.Several):
        many = (form.least or 0, form.most or len(options))
        return forms.Some(options=options, least=many[0], most=many[1])
    if isinstance(form, forms.Changes | forms.Record):
        listed = [] if form.options is UNSET else form.options
        others = [one for one in listed if one.value not in [option.value for option in options]]
        return structs.replace(form, options=[*options, *others])
    return form


def _one(game: Game, options: list[FormOption], *, actions: bool = False) -> forms.One:
    """One of these; “none” declines."""
    values = [one.value for one in options]
    of = "action" if actions else _sort(game, values)
    return forms.One(options=options, of=of, decline="none" if "none" in values else UNSET)


def _sort(game: Game, values: list[Any]) -> str | UnsetType:
    """What these values are."""
    plain = [value for value in values if isinstance(value, str | int) and value != "none"]
    kind = game.names.kind_of(plain) if plain and len(plain) >= len(values) - 1 else None
    return UNSET if kind is None else kind.of


def _draw(game: Game, answers: chance.Draw, speaks: Voice) -> forms.Draw:
    left = [
        DrawOption(
            value=kind,
            text=speaks.say(*drawn(game, answers.key, kind)),
            left=count if answers.untold is None else UNSET,
        )
        for kind, count in answers.outcomes()
    ]
    if answers.unseen:
        left.append(
            DrawOption(value=answers.unseen, text=speaks.say(*drawn(game, answers.key, answers.unseen)))
        )
    return forms.Draw(of=answers.key, options=left)  # type: ignore[arg-type]  # the kernel calls it a text


# -- where we are ------------------------------------------------------------------------------------


@lru_cache(maxsize=4096)  # a chart stands at the same row again and again
def _frame(lang: str, game_name: str, frame: Frame) -> FrameEntry:
    """A procedure under way, with what it has noted."""
    game, speaks = GAMES[game_name], voice(lang)
    table = game.procedures[frame.procedure]
    row = table.steps[frame.step]
    return FrameEntry(
        procedure=table.name,
        title=_titled(table.title, table.name, speaks),
        row=row.name,
        row_title=_titled(row.title, row.name, speaks),
        noted=list(_noted(game, frame.memory, speaks)),
    )


def _titled(title: Any, name: str, speaks: Voice) -> Text:
    return speaks.say(title, {}) if isinstance(title, Message) else speaks.each(lambda _: name)


def _noted(game: Game, noted: Struct, speaks: Voice) -> Any:
    """What a chart has noted and has words for; what is not so, or not told, is left out."""
    for field in noted.__struct_fields__:
        told = getattr(noted, field)
        if told is UNSET or told is None or told is False or told == () or told == {}:
            continue
        if game.names.label(type(noted).__name__, field) is None:
            continue

        def said(reader: Reader, field: str = field, told: Any = told) -> str:
            return wordings.with_label(reader, game, type(noted), field, told) or ""

        yield NotedEntry(name=field, text=speaks.each(said))
