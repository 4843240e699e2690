"""The way from a form to its answer: one pad after another, each answered by one step.

A walk is the same whoever takes it, a play, a scenario's set-up, “May I …?” or a correction: the form and the
steps so far lead to the next pad, or to the answer. Steps are plain values, so they can stand in an address.
"""

from __future__ import annotations

from collections.abc import Generator, Mapping, Sequence
from typing import Any, Literal

import orjson
from msgspec import UNSET, Struct
from werkzeug.datastructures import MultiDict

from engine.exceptions import Unreadable
from service import forms
from service.answers import encode
from service.forms import ClosedOption, FactField, Form, FormOption, Group, OptionEntry

MOST_BUTTONS = 12  # more of them are asked for group by group
MOST_IN_GRID = 20  # numbers that get a button each
MOST_STEPS = 400
MOST_CHARACTERS = 4_000  # of one step

# What a step says that is no value of the form.
OPEN, SKIP, MORE, DONE = "open", "skip", "more", "done"


PLAIN: dict[Any, str] = {
    forms.YesNo: "yes_no",
    forms.Die: "die",
    forms.Dice: "dice",
    forms.Draw: "draw",
    forms.Number: "number",
    forms.Name: "name",
}


class Change(Struct, frozen=True):
    """Something that was told to have changed: what it is called, and by how much or to what."""

    label: str
    form: Any
    value: Any
    writes: Literal["by", "to"] = "to"


class Pad(Struct, frozen=True, kw_only=True):
    """What is asked next: the macro that shows it, the form behind it, and what it is about."""

    kind: str
    form: Any = None
    options: Sequence[FormOption] = ()  # what can be said, or said instead
    groups: Sequence[Group] = ()  # what can be opened
    fields: Sequence[FactField] = ()
    about: tuple[str, ...] = ()  # the way here, in words
    count: int = 0  # how many are told already
    changes: tuple[Change, ...] = ()  # those that are told already
    may_skip: bool = False  # this may be left out
    may_end: bool = False  # and everything behind it

    @property
    def least(self) -> int:
        """The smallest number."""
        return self.form.least if self.form.least is not UNSET else 0

    @property
    def most(self) -> int | None:
        """The largest number, if there is one."""
        return None if self.form.most is UNSET else self.form.most


class Given(Struct, frozen=True):
    """The answer at the end of a walk."""

    value: Any


Walk = Generator[Pad, Any, Any]


def walk(form: Form, steps: Sequence[Any]) -> Pad | Given:
    """Where these steps lead in a form: to the next pad, or to the answer."""
    return follow(ask(form), steps)


def follow(asking: Walk, steps: Sequence[Any]) -> Pad | Given:
    """Where these steps lead: to the next pad, or to the answer."""
    if len(steps) > MOST_STEPS:
        raise unreadable()
    pad = next(asking)
    for number, step in enumerate(steps, start=1):
        try:
            pad = asking.send(step)
        except StopIteration as end:
            if number != len(steps):
                raise unreadable() from None
            return Given(end.value)
    return pad


def said(step: Any) -> str:
    """A step as a text that a button or an address holds."""
    return encode(step).decode()


def heard(text: str) -> Any:
    """A step from such a text."""
    try:
        return orjson.loads(text) if len(text) <= MOST_CHARACTERS else _refuse()
    except (orjson.JSONDecodeError, UnicodeEncodeError):
        raise unreadable() from None


def unreadable() -> Unreadable:
    """A step that leads nowhere."""
    return Unreadable("unknown-value", "/inputs", given="…")


def _refuse() -> Any:
    raise unreadable()


# -- from pad to pad ----------------------------------------------------------------------------------


def ask(form: Form, about: tuple[str, ...] = (), *, may_skip: bool = False, may_end: bool = False) -> Walk:
    """Ask for what a form wants; whether it may be left out, or ends what is told, its pad says."""
    more = {"about": about, "may_skip": may_skip, "may_end": may_end}
    if isinstance(form, forms.One):
        return (yield from _one(form, more))
    if isinstance(form, forms.Some):
        return (yield from _some(form, more))
    if isinstance(form, forms.Changes):
        return (yield from _changes(form, more))
    if isinstance(form, forms.Counters | forms.Record):
        return (yield from _fields(form, more))
    if isinstance(form, forms.Several):
        return (yield from _several(form, more))
    return (yield from _plain(form, more))


def _plain(form: Any, more: dict[str, Any]) -> Walk:
    """A pad that is answered at once."""
    kind = PLAIN[type(form)]
    options = getattr(form, "options", UNSET) or ()
    if kind == "number" and not _fits_grid(form):
        kind = "stepper"
    return (yield Pad(kind=kind, form=form, options=options, **more))


def _fits_grid(form: forms.Number) -> bool:
    least, most = form.least or 0, form.most
    return most is not UNSET and most - least < MOST_IN_GRID


def _one(form: forms.One, more: dict[str, Any]) -> Walk:
    """One of the options; many of them are asked for group by group, places on a pad of their own."""
    options, about, depth = form.options, more["about"], 0
    while len(options) > MOST_BUTTONS and not _on_a_pad(form):
        groups = _groups(options, depth)
        if not groups:
            break
        if len(groups) > 1 or any(len(one.groups or ()) <= depth for one in options):
            loose = [one for one in options if len(one.groups or ()) <= depth]
            opened = yield Pad(
                kind="groups", form=form, options=loose, groups=groups, **{**more, "about": about}
            )
            if not _says(opened, OPEN):
                return _among(opened, loose)
            group = next((one for one in groups if one.key == opened[OPEN]), None) or _refuse()
            options = [one for one in options if _in(one, depth, group.key)]
            about = (*about, str(group.text))
        depth += 1
    kind = "places" if _on_a_pad(form) else "one"
    chosen = yield Pad(kind=kind, form=form, options=options, count=depth, **{**more, "about": about})
    return _among(chosen, [*options, *closed(form)] if kind == "places" else options)


def closed(form: Any) -> list[ClosedOption]:
    """What may not be chosen now; a pad that shows it takes it as an answer, which is refused with its reasons."""
    return getattr(form, "closed", UNSET) or []


def _on_a_pad(form: forms.One) -> bool:
    """Are there so many options in rows of short ones that a pad shows them all at once, as the places of a map?"""
    rows = _groups(form.options, 0)
    inside = [one for one in form.options if one.groups and one.short]
    return form.of == "place" and len(form.options) > MOST_BUTTONS and len(inside) > 2 * len(rows)


def _groups(options: Sequence[FormOption], depth: int) -> list[Group]:
    found: dict[str, Group] = {}
    for one in options:
        if len(one.groups or ()) > depth:
            group = one.groups[depth]  # type: ignore[index]  # it has some
            found.setdefault(group.key, group)
    return list(found.values())


def _in(one: FormOption, depth: int, key: str) -> bool:
    return len(one.groups or ()) > depth and one.groups[depth].key == key  # type: ignore[index]  # it has some


def _among(chosen: Any, options: Sequence[OptionEntry]) -> Any:
    return chosen if any(same(one.value, chosen) for one in options) or _leaves_out(chosen) else _refuse()


def same(one: Any, other: Any) -> bool:
    """Are these the same answer? True is not 1."""
    return said(one) == said(other)


def _leaves_out(step: Any) -> bool:
    return _says(step, SKIP) or _says(step, DONE)


def _says(step: Any, word: str) -> bool:
    return isinstance(step, dict) and step.keys() == {word}


def _some(form: forms.Some, more: dict[str, Any]) -> Walk:
    """Several of the options."""
    chosen = yield Pad(kind="some", form=form, options=form.options, **more)
    if isinstance(chosen, list):
        return [_among(one, form.options) for one in chosen]
    declines = form.decline is not UNSET and same(chosen, form.decline)
    return chosen if declines or _leaves_out(chosen) else _refuse()


def _fields(form: forms.Counters | forms.Record, more: dict[str, Any]) -> Walk:
    """An object: on one pad where its fields are simple, otherwise field by field."""
    options = form.options or ()
    if all(isinstance(field.form, forms.YesNo | forms.Number) for field in form.fields):
        return (yield Pad(kind="fields", form=form, fields=form.fields, options=options, **more))
    if options or more["may_skip"]:
        first = yield Pad(kind="tell", options=options, **more)
        if not _says(first, OPEN):
            return _among(first, options)
    told: dict[str, Any] = {}
    needed = [field.key for field in form.fields if isinstance(form, forms.Record) and not field.optional]
    for field in form.fields:
        about = (*more["about"], str(field.text))
        enough = all(key in told for key in needed)
        value = yield from ask(field.form, about, may_skip=field.key not in needed, may_end=enough)
        if enough and _says(value, DONE):
            break
        if not _says(value, SKIP):
            told[field.key] = value
    return told


def _several(form: forms.Several, more: dict[str, Any]) -> Walk:
    """A list, item by item; with names for its items, an object."""
    least, most = form.least or 0, form.most
    told: list[Any] = []
    while most is UNSET or len(told) < most:
        if len(told) >= least:
            options = (form.options or ()) if not told else ()
            step = yield Pad(kind="more", options=options, count=len(told), **more)
            if _says(step, DONE):
                break
            if not _says(step, MORE):
                return _among(step, options)
        about = (*more["about"], f"#{len(told) + 1}")
        key = (yield from ask(form.key, about)) if form.key else None
        told.append((key, (yield from ask(form.of, about))))
    return {str(key): value for key, value in told} if form.key else [value for _, value in told]


def _changes(form: forms.Changes, more: dict[str, Any]) -> Walk:
    """What a printed result changes: nothing, one fact after another, or by hand."""
    fields: list[FactField] = [*form.fields, *(form.also or ())]
    changed: list[dict[str, Any]] = []
    told: dict[str, Any] = {}
    said: list[Change] = []
    while True:
        step = yield Pad(
            kind="changes",
            options=() if said else form.options,
            count=len(said),
            changes=tuple(said),
            **more,
        )
        if _says(step, DONE) and said:
            return {"changes": changed, **told}
        if not _says(step, OPEN):
            return _among(step, form.options if not said else ())
        picked = yield Pad(kind="facts", fields=fields, **more)
        field = next((one for one in fields if one.key == picked), None) or _refuse()
        about = (*more["about"], str(field.text))
        if isinstance(field, forms.ChangeField):
            change, one = yield from _change(field, about)
            changed.append(change)
            said.append(one)
        else:
            told[field.key] = yield from ask(field.form, about)
            said.append(Change(str(field.text), field.form, told[field.key]))


def _change(field: forms.ChangeField, about: tuple[str, ...]) -> Walk:
    """One fact that a printed result changes: whose it is, and by how much or to what."""
    key, label = field.key, str(field.text)
    if field.among:
        whose = yield from ask(field.among, about)
        key = key.replace("{}", str(whose))
        options = getattr(field.among, "options", UNSET) or ()
        owner = next((str(one.text) for one in options if same(one.value, whose)), str(whose))
        label, about = f"{owner} · {label}", (*about, owner)
    if field.writes == "by" and isinstance(field.form, forms.Number):
        value = yield Pad(kind="by", form=field.form, about=about)
    else:
        value = yield from ask(field.form, about)
    return {"pointer": key, field.writes: value}, Change(label, field.form, value, field.writes)


# -- what a pad sends ---------------------------------------------------------------------------------


def step_of(pad: Pad, sent: MultiDict[str, str]) -> Any:
    """The step that a pad has sent: what its button says, or what its controls hold."""
    if "answer" in sent:
        return heard(sent["answer"])
    if pad.kind == "dice":
        return [_number(sent.get(f"die-{place}")) for place in range(pad.form.count)]
    if pad.kind == "some":
        return [heard(one) for one in sent.getlist("some")]
    if pad.kind in ("number", "stepper", "by"):
        return _number(sent.get("number"))
    if pad.kind == "name":
        return sent.get("name", "").strip() or _refuse()
    if pad.kind == "fields":
        return dict(_told(pad, sent))
    return _refuse()


def _told(pad: Pad, sent: Mapping[str, str]) -> Any:
    for field in pad.fields:
        given = sent.get(f"is-{field.key}", "")
        if isinstance(field.form, forms.YesNo):
            yield field.key, given == "true"
        elif given or not field.optional:
            yield field.key, _number(given)


def _number(text: str | None) -> int:
    sign = -1 if text and text.startswith("-") else 1
    digits = (text or "").lstrip("-")
    if not (digits.isascii() and digits.isdigit() and len(digits) < 10):
        raise unreadable()
    return sign * int(digits)
