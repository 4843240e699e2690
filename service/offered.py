"""The options of a question: each worded, short where its group is said already, and in groups."""

from __future__ import annotations

from typing import Any, TypeGuard

from msgspec import UNSET, UnsetType

from engine.actions import Action
from engine.game import Game
from engine.messages import Ref, message
from engine.offers import Closed, Offer
from engine.questions import Option
from service import wordings
from service.forms import ClosedOption, FormOption, Group
from service.languages import Reader, Text, Voice
from service.sentences import Reason
from service.typed_forms import typed

SUBJECT_DOES = message("closed-option", "%(subject)s: %(action)s")


def option(game: Game, one: Option, speaks: Voice) -> FormOption:
    """An option of a question, as a form shows it."""
    text = speaks.say(one.message, one.params)
    short, groups = _offer(game, one, speaks) if is_act(one) else _plain(game, one, speaks)
    return FormOption(value=one.value, text=text, short=short, groups=groups)


def is_act(one: Option) -> TypeGuard[Offer]:
    """Is this an action that is written out, not one that a word stands for?"""
    return isinstance(one, Offer) and isinstance(one.value, dict)


Shown = tuple[Text | UnsetType, list[Group] | UnsetType]


def _plain(game: Game, one: Option, speaks: Voice) -> Shown:
    """A value that the game groups itself, or one that a sentence says of a Family and something else."""
    kind = wordings.kind_of(game, one.value) if isinstance(one.value, str) else None
    if kind is not None and one.value in kind.groups:
        same = typed(game.name, speaks.lang).option(one.value, kind)
        return same.short, same.groups
    rest = {name: value for name, value in one.params.items() if name != "family"}
    letter = one.params.get("family")
    if not isinstance(letter, str) or len(rest) != 1 or not isinstance(one.value, str):
        return UNSET, UNSET
    (value,) = rest.values()
    whose = wordings.kind_of(game, letter)
    if whose is None:
        return UNSET, UNSET
    group = Group(key=letter, text=speaks.each(lambda reader: wordings.thing(reader, whose.words[letter])))
    return speaks.each(lambda reader: _said(reader, value)), [group]


def _said(reader: Reader, value: Any) -> str:
    return wordings.thing(reader, value) if isinstance(value, Ref) else str(value)


def _offer(game: Game, one: Offer, speaks: Voice) -> Shown:
    """An action that is offered; one that is not told yet is named by its kind."""
    if one.do is None:
        term = speaks.each(lambda reader: wordings.thing(reader, one.action.term))
        return term, [Group(key=one.action.name, text=term)]
    return described(game, one.action, one.value, speaks)


def described(game: Game, action: Action, do: dict[str, Any], speaks: Voice) -> Shown:
    """An action: grouped by whom it concerns and what it is, short by what is left to say."""
    term = speaks.each(lambda reader: wordings.thing(reader, action.term))
    kind = Group(key=action.name, text=term)
    rest = {field: told for field, told in do.items() if field != "kind"}
    groups = []
    subject = action.subject if isinstance(action.subject, str) else action.subject[0]
    if subject in rest:
        who = rest.pop(subject)
        text = speaks.each(lambda reader: subject_words(reader, game, action.kind, subject, who))
        groups.append(Group(key=str(who), text=text))
    if not rest:
        return term, groups or UNSET
    owner = action.kind

    def left(reader: Reader) -> str:
        said: list[str] = []
        for field, told in rest.items():
            words = wordings.parameter(reader, game, owner, field, told)
            if words not in said or not isinstance(told, str):  # a marker and its only use have one name
                said.append(words)
        return " · ".join(said)

    return speaks.each(left), [*groups, kind]


def subject_words(reader: Reader, game: Game, owner: Any, field: str, who: Any) -> str:
    """Whom an action concerns."""
    return wordings.parameter(reader, game, owner, field, who)


def closed_option(game: Game, one: Closed, reasons: list[Reason], speaks: Voice) -> ClosedOption:
    """Whom an action is closed to, with all reasons."""
    action = one.action
    about = action.about(one.subject)
    value = {"kind": action.name, **about}
    if not about:
        text = speaks.each(lambda reader: wordings.thing(reader, action.term))
        return ClosedOption(value=value, text=text, reasons=reasons)

    def said(reader: Reader) -> str:
        who = " · ".join(
            subject_words(reader, game, action.kind, field, told) for field, told in about.items()
        )
        return reader.say(SUBJECT_DOES, {"subject": who, "action": action.term})

    return ClosedOption(value=value, text=speaks.each(said), reasons=reasons)
