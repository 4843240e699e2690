"""A fact of the table as it can be looked at and put right: what it is called, what is told of it, and each other value.

A correction is a button: its value is what is told by it, a pointer and what stands there.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Literal

import msgspec
from msgspec import UNSET, Struct

from engine.game import Game
from engine.messages import message
from engine.pointers import parts
from service import forms, wordings
from service.forms import FormOption
from service.languages import Reader, capital
from service.pages import pads
from service.typed_forms import NAMED, NO, YES, of_fact

NOT_TOLD = message("page.fact.not-told", "not told")
TAKE_AWAY = message("page.fact.take-away", "Take away: %(thing)s")
ADD = message("page.fact.add", "Add: %(thing)s")
NOTHING_THERE = message("page.fact.nothing", "Nothing lies there")

FEW = 20  # numbers that are all listed
LISTED = 10  # of more than these, so many are listed, and those about the present one
ABOUT = 3
LONGEST = 20_000  # characters that a button tells

Layout = Literal["words", "numbers", "places"]


class Choice(Struct, frozen=True):
    """One value that can be told: how it is called, and what is told by it."""

    text: str
    tell: str
    now: bool = False
    whole: str = ""  # its whole name, where the text is short


class Group(Struct, frozen=True):
    """Values that belong together, under what they have in common."""

    title: str
    choices: list[Choice]


class Typed(Struct, frozen=True):
    """What can be typed: a number, or the name of something new with what else is told of it."""

    pointer: str
    label: str
    kind: Literal["number", "name"]
    least: int = 0
    most: int = 99
    key: str = ""  # of the name
    choices: list[Choice] = []


class Row(Struct, frozen=True, kw_only=True):
    """A fact, what is told of it, and what can be told instead."""

    pointer: str
    label: str
    value: str  # of a thing with parts what they do not say
    told: bool
    layout: Layout = "words"
    groups: list[Group] = []
    typed: Typed | None = None
    rows: list[Row] = []  # its parts


def row(game: Game, pointer: str, told: Any, reader: Reader, label: str = "") -> Row:
    """The fact at a pointer; UNSET where it was not told."""
    path = tuple(parts(pointer))
    form = of_fact(game.name, game.position, path, reader.lang)
    kind = wordings.type_at(game.name, path)
    value = reader.say(NOT_TOLD, {}) if told is UNSET else wordings.value(reader, game, kind, told)
    plain = Row(
        pointer=pointer, label=label or _label(game, path, reader), value=value, told=told is not UNSET
    )
    return _filled(game, plain, form, told, reader)


def _label(game: Game, path: tuple[str, ...], reader: Reader) -> str:
    said = wordings.fact(game.name, path)
    return path[-1] if said is None else reader.say(said.message, said.params)


def _filled(game: Game, plain: Row, form: Any, told: Any, reader: Reader) -> Row:
    """The same with what can be told instead."""
    if isinstance(form, forms.YesNo):
        both = [
            _choice(plain, reader.say(words, {}), value, told) for words, value in ((YES, True), (NO, False))
        ]
        return _with(plain, "words", [Group("", both)])
    if isinstance(form, forms.Number):
        return _number(plain, form, told)
    if isinstance(form, forms.One):
        return _with(plain, "places" if form.of == "place" else "words", _grouped(plain, form.options, told))
    if isinstance(form, forms.Some):
        return _some(plain, form, told, reader)
    if isinstance(form, forms.Several):
        return _several(game, plain, form, told, reader)
    if isinstance(form, forms.Record | forms.Counters):
        return _record(game, plain, form, told, reader)
    return plain


def _with(plain: Row, layout: Layout, groups: list[Group]) -> Row:
    return msgspec.structs.replace(plain, layout=layout, groups=groups)


def _choice(plain: Row, text: Any, value: Any, told: Any, whole: str = "") -> Choice:
    same = told is not UNSET and type(told) is type(value) and told == value
    return Choice(str(text), written({plain.pointer: value}), same, whole)


def written(told: dict[str, Any]) -> str:
    """What a button tells, as its value."""
    return msgspec.json.encode(told).decode()


def heard(text: str) -> dict[str, Any] | None:
    """What a button has told, from its value; None where it cannot be read."""
    try:
        told = msgspec.json.decode(text.encode(), type=dict[str, Any]) if len(text) <= LONGEST else None
    except (msgspec.MsgspecError, UnicodeEncodeError):
        return None
    return told


def _grouped(plain: Row, options: list[FormOption], told: Any) -> list[Group]:
    """The options under their outermost group, short where it is said already."""
    found: dict[str, Group] = {}
    for one in options:
        title = str(one.groups[0].text) if one.groups else ""
        group = found.setdefault(title, Group(title, []))
        short = pads.on_pad(one) if title and one.short is not UNSET else one.text
        group.choices.append(_choice(plain, short, one.value, told, str(one.text)))
    return list(found.values())


def _number(plain: Row, form: forms.Number, told: Any) -> Row:
    """Every number where there are few; else the first ones, those about the present one, and a place to type."""
    least, most = form.least or 0, form.most if form.most is not UNSET else 99
    numbers: Iterable[int]
    if most - least < FEW:
        numbers, typed = range(least, most + 1), None
    else:
        near = range(told - ABOUT, told + ABOUT + 1) if isinstance(told, int) else range(0)
        few = {*range(least, least + LISTED), *(one for one in near if least <= one <= most)}
        numbers, typed = sorted(few), Typed(plain.pointer, plain.label, "number", least, min(most, 10**6))
    instead = form.options or []
    choices = [_choice(plain, one.text, one.value, told) for one in instead]
    choices += [_choice(plain, number, number, told) for number in numbers]
    return msgspec.structs.replace(plain, layout="numbers", groups=[Group("", choices)], typed=typed)


def _some(plain: Row, form: forms.Some, told: Any, reader: Reader) -> Row:
    """Each value that is there to be taken away, each other one to be added."""
    have = [] if told is UNSET else list(told)
    there = [one for one in form.options if one.value in have]
    away = [
        Choice(
            reader.say(TAKE_AWAY, {"thing": str(one.text)}),
            written({plain.pointer: [item for item in have if item != one.value]}),
        )
        for one in there
    ]
    more = [
        Choice(str(one.text), written({plain.pointer: [*have, one.value]}))
        for one in form.options
        if one.value not in have
    ]
    groups = [
        *_nothing(plain, told, reader),
        Group("", away),
        Group(reader.say(ADD, {"thing": plain.label}), more),
    ]
    return _with(plain, "words", [group for group in groups if group.choices])


def _nothing(plain: Row, told: Any, reader: Reader) -> list[Group]:
    """That nothing is there, where that is not told yet."""
    if told is not UNSET:
        return []
    return [Group("", [Choice(reader.say(NOTHING_THERE, {}), written({plain.pointer: []}))])]


def _several(game: Game, plain: Row, form: forms.Several, told: Any, reader: Reader) -> Row:
    """A list: of a fixed length place by place, any other with what can be taken away and added."""
    fixed = form.least is not UNSET and form.least == form.most
    if fixed:
        return _places(game, plain, form, told, reader)
    have = [] if told is UNSET else msgspec.to_builtins(list(told))
    named = _name_of(form.of)
    kind = wordings.type_at(game.name, tuple(parts(f"{plain.pointer}/0")))
    called = [
        str(getattr(item, named)) if named else wordings.value(reader, game, kind, item)
        for item in ([] if told is UNSET else told)
    ]
    if named and called:
        plain = msgspec.structs.replace(plain, value=reader.listed(called))
    away = [
        Choice(
            reader.say(TAKE_AWAY, {"thing": thing}),
            written({plain.pointer: [*have[:place], *have[place + 1 :]]}),
        )
        for place, thing in enumerate(called)
    ]
    groups, typed = [*_nothing(plain, told, reader), Group("", away)], None
    if isinstance(form.of, forms.Number):
        numbers = range(form.of.least or 0, (form.of.most or FEW) + 1)
        more = [Choice(str(number), written({plain.pointer: [*have, number]})) for number in numbers]
        groups.append(Group(reader.say(ADD, {"thing": plain.label}), more))
    elif isinstance(form.of, forms.Record):
        typed = _new_one(plain, form.of, reader)
    layout: Layout = "numbers" if isinstance(form.of, forms.Number) else "words"
    filled = _with(plain, layout, [group for group in groups if group.choices])
    return msgspec.structs.replace(filled, typed=typed)


def _name_of(form: Any) -> str:
    """The field that holds the name of an entry, where it is told apart by that; what else is told of it stands below."""
    if not isinstance(form, forms.Record):
        return ""
    first, *others = form.fields
    numbered = any(isinstance(one.form, forms.Number) for one in others)  # a part of what it is called
    return first.key if isinstance(first.form, forms.Name) and not numbered else ""


def _new_one(plain: Row, form: forms.Record, reader: Reader) -> Typed | None:
    """Something new with a name that is typed, and one more thing that is chosen."""
    named, *others = form.fields
    if not isinstance(named.form, forms.Name) or not others:
        return None
    second = others[0]
    choices = []
    if isinstance(second.form, forms.One):
        choices = [Choice(str(one.text), written({second.key: one.value})) for one in second.form.options]
    if isinstance(second.form, forms.Number):
        numbers = range(second.form.least or 0, (second.form.most or 0) + 1)
        called = {number: {"label": second.text, "value": number} for number in numbers}
        choices = [
            Choice(capital(reader.say(wordings.OF_FIELD, said)), written({second.key: number}))
            for number, said in called.items()
        ]
    label = reader.say(ADD, {"thing": str(named.text)})
    return Typed(plain.pointer, label, "name", key=named.key, choices=choices) if choices else None


def _places(game: Game, plain: Row, form: forms.Several, told: Any, reader: Reader) -> Row:
    """A list of a fixed length; while nothing of it is told, that all its places are empty can be said."""
    length = form.least or 0
    if told is UNSET:
        empty = 0 if isinstance(form.of, forms.Number) else None
        none = Choice(reader.say(NOTHING_THERE, {}), written({plain.pointer: [empty] * length}))
        return _with(plain, "words", [Group("", [none])])
    rows = [
        row(game, f"{plain.pointer}/{place}", item, reader, _place(game, plain, place, reader))
        for place, item in enumerate(told)
    ]
    return msgspec.structs.replace(plain, value="", rows=rows)


def _place(game: Game, plain: Row, place: int, reader: Reader) -> str:
    """What a place of a list is called: by its own name, else by its number."""
    named = capital(_label(game, tuple(parts(f"{plain.pointer}/{place}")), reader))
    return f"{place + 1}" if named == plain.label else named


def _record(game: Game, plain: Row, form: forms.Record | forms.Counters, told: Any, reader: Reader) -> Row:
    """A thing with parts: that there is none, which one it is, and each part of the one that is there."""
    none = [_choice(plain, one.text, one.value, told) for one in form.options or []]
    first = form.fields[0]
    if isinstance(told, Struct):
        apart = [
            one for one in form.fields if not isinstance(one.form, forms.YesNo | forms.Number | forms.One)
        ]
        rows = [
            row(
                game,
                f"{plain.pointer}/{field.key}",
                getattr(told, field.key, UNSET),
                reader,
                capital(str(field.text)),
            )
            for field in form.fields
            if field not in apart
        ]
        return msgspec.structs.replace(
            plain,
            value=_without_rows(
                game, told, [one.key for one in apart if not isinstance(one.form, forms.Name)], reader
            ),
            groups=[Group("", none)] if none else [],
            rows=rows,
        )
    made = []
    if isinstance(first.form, forms.One):
        made = [_choice(plain, one.text, {first.key: one.value}, told) for one in first.form.options]
    return _with(plain, "words", [Group("", [*none, *made])] if none or made else [])


def _without_rows(game: Game, told: Struct, fields: list[str], reader: Reader) -> str:
    """What is told of a thing with parts in those that have no row of their own; the others are not said twice."""
    values = {field: getattr(told, field, UNSET) for field in fields}
    said = (
        wordings.with_label(reader, game, type(told), field, value)
        for field, value in values.items()
        if value is not UNSET and value is not None and value != ()
    )
    return capital(reader.manners.semicolon.join(one for one in said if one))


def thing(reader: Reader, words: Any) -> str:
    """A thing of the game by its name."""
    return reader.say(NAMED, {"value": words})
