"""What the engine asks, as the one shape of a question: worded, with the form of its answer."""

from __future__ import annotations

from functools import cache
from typing import Any

from msgspec import UNSET, UnsetType, inspect

from engine import chance, questions, schemas
from engine.flow import Pending
from engine.game import Answer, Game
from engine.messages import Message, Term, message
from engine.verdict import Fact
from service import forms, terms
from service.forms import DrawOption, Form, FormOption, PendingQuestion, Question
from service.games import prefix
from service.languages import Voice

NAMED = message("answer.named", "%(value)s")
_DRAWN_FROM = {"cube": "cube", "marker": "stratagem"}  # where the termbase names what is drawn


def asked(fact: Fact, speaks: Voice) -> Question:
    """A fact that was needed and not told, as a question."""
    return Question(
        name=fact.question.name,
        kind="fact",
        text=speaks.say(fact.question, fact.params),
        params=fact.params,
        pointer=fact.pointer,
    )


def pending_question(game: Game, found: Answer, speaks: Voice) -> PendingQuestion | None:
    """What is asked next; procedure and step are those of the chart the player follows."""
    pending = found.pending
    if pending is None:
        return None
    chart, question = pending.agenda[0], pending.question
    options = _options(pending, speaks)
    return PendingQuestion(
        name=pending.name,
        kind=pending.step.kind,  # type: ignore[arg-type]  # an automatic step asks nothing
        text=speaks.say(question.message, question.params),
        input=question.answers.key,
        procedure=chart.procedure,
        step=chart.step,
        rules=pending.step.rules,
        params=question.params,
        options=[*options],
        form=_form(game, question.answers, options, speaks),
    )


def _options(pending: Pending, speaks: Voice) -> list[FormOption]:
    """The answers that a question lists."""
    return [
        FormOption(value=one.value, text=speaks.say(one.message, one.params))
        for one in getattr(pending.question.answers, "options", ())
    ]


def drawn(game: Game, key: str, value: str) -> tuple[Message, dict[str, Any]]:
    """What was or can be drawn, by its term where the termbase has one."""
    term = f"{prefix(game.name)}.{_DRAWN_FROM[key]}.{value}"
    return NAMED, {"value": Term(term) if term in terms.load() else value}


def _form(
    game: Game, answers: questions.Answers, options: list[FormOption], speaks: Voice
) -> Form | UnsetType:
    """The form that an answer takes, as far as the engine tells it."""
    if isinstance(answers, chance.Die):
        return forms.Die()
    if isinstance(answers, chance.Dice):
        return forms.Dice(count=answers.count)
    if isinstance(answers, chance.Draw):
        return _draw(game, answers, speaks)
    if isinstance(answers, questions.Choose):
        return forms.One(options=options, decline=_decline(answers))
    if isinstance(answers, questions.ChooseSome):
        return forms.Some(options=options, least=answers.least, most=answers.most, decline=_decline(answers))
    if isinstance(answers, questions.Read):
        return forms.One(options=options) if len(options) > 1 else _typed(answers.form)
    return UNSET


def _draw(game: Game, answers: chance.Draw, speaks: Voice) -> forms.Draw:
    left = [
        DrawOption(value=kind, text=speaks.say(*drawn(game, answers.key, kind)), left=count)
        for kind, count in answers.bag.items()
        if count > 0
    ]
    return forms.Draw(of=answers.key, options=left)  # type: ignore[arg-type]  # the kernel calls it a text


def _decline(answers: questions.Choose | questions.ChooseSome) -> Any:
    """The value that declines: an option, or where several are chosen, as many as none."""
    several = isinstance(answers, questions.ChooseSome) and answers.least == 0
    return "none" if several or any(one.value == "none" for one in answers.options) else UNSET


@cache
def _typed(kind: Any) -> Form:
    """The form of a type: true or false, a number, or anything else by its schema."""
    told = inspect.type_info(kind)
    if isinstance(told, inspect.BoolType):
        return forms.YesNo()
    if isinstance(told, inspect.IntType):
        return forms.Number(
            least=UNSET if told.ge is None else told.ge, most=UNSET if told.le is None else told.le
        )
    return forms.Json(schema=schemas.of(kind))
