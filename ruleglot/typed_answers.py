"""Answers as they are typed, for every form that a question can have: no form knows the game."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from itertools import groupby
from typing import Any

from ruleglot.lines import columns_of
from ruleglot.talking import Said, Talk
from ruleglot.words import HINTS, PLAY

Form = dict[str, Any]
LEFT_OUT = object()  # an optional fact that nobody told
ANOTHER = object()  # than the options: what the form itself asks for
NONE = "-"  # the mark before “none of these”
WIDTH = 78
MOST_ENTRIES = 100
MANY = 12  # options that are listed one to a line
SHORT = 16  # columns of an option that may stand beside others


class NotUnderstood(Exception):
    """What was typed is no answer; the sentence says what is."""


def answer(form: Form, talk: Talk, *, optional: bool = False) -> Any:
    """The answer to a form, asked for until it is one; `LEFT_OUT` where an empty line may say so."""
    return _ASKED.get(form["type"], _typed)(form, talk, optional)


def show(form: Form, talk: Talk) -> None:
    """Everything that can be answered."""
    for line in listed(_choices(form, talk)):
        talk.write(line)
    talk.write(f"  ({hint(form, talk)})")


# -- options with their numbers ----------------------------------------------------------------------


class Choice:
    """An answer in a list: the mark before it, what it is, and how it is called."""

    def __init__(
        self,
        mark: str,
        value: Any,
        text: str,
        short: str = "",
        groups: Sequence[str] = (),
        names: Sequence[str] = (),
    ) -> None:
        self.mark = mark
        self.value = value
        self.text = text
        self.short = short or text
        self.groups = tuple(groups)
        self.names = (mark, text, *names, *([value] if isinstance(value, str) else ()))

    def is_called(self, typed: str) -> bool:
        """By its mark, its id or its name, however it is written."""
        return _plain(typed) in map(_plain, self.names)


def _plain(text: str) -> str:
    return text.replace("\N{NO-BREAK SPACE}", " ").casefold()


def _choices(form: Form, talk: Talk) -> list[Choice]:
    """The options of a form; numbers are their own marks, so that nobody has to count."""
    if form["type"] == "yes-no":
        said = [(talk.words(PLAY["yes"]), True), (talk.words(PLAY["no"]), False)]
        return [
            Choice(str(place), value, text, names=(text.partition(",")[0], text[:1]))
            for place, (text, value) in enumerate(said, start=1)
        ]
    options = form.get("options") or ()
    numbers = all(type(one["value"]) is int for one in options)
    found = []
    for place, one in enumerate(options, start=1):
        text = str(one["text"])
        if "left" in one:
            text = talk.words(PLAY["left"], text=text, count=one["left"])
        mark = str(one["value"]) if numbers else str(place)
        groups = [str(group["text"]) for group in one.get("groups") or ()]
        action = [one["value"]["kind"]] if isinstance(one["value"], dict) and "kind" in one["value"] else []
        found.append(Choice(mark, one["value"], text, str(one.get("short") or ""), groups, action))
    return found


def listed(choices: list[Choice]) -> Iterable[str]:
    """The lines of a list: one to a line, or where there are many, in groups or side by side."""
    grouped = all(one.groups for one in choices)
    side_by_side = all(columns_of(one.text) <= SHORT for one in choices)
    if len(choices) <= MANY or not (grouped or side_by_side):
        yield from (f"  {one.mark:>3}  {one.text}" for one in choices)
        return
    for group, inside in groupby(choices, key=lambda one: one.groups if grouped else ()):
        line = f"  {' · '.join(group)}:" if grouped else "   "
        for one in inside:
            entry = f"  {one.mark} {one.short}"
            if columns_of(line + entry) > WIDTH:
                yield line
                line = "   "
            line += entry
        yield line


def pick(choices: list[Choice], typed: str, talk: Talk) -> Any:
    """The choice that was meant."""
    meant = [one for one in choices if one.is_called(typed)]
    if not meant:
        raise NotUnderstood(talk.words(PLAY["not-understood"], given=typed))
    by_mark = [one for one in meant if one.mark == typed]
    if not by_mark and len(meant) > 1:
        raise NotUnderstood(talk.words(PLAY["several"], given=typed))
    return (by_mark or meant)[0].value


def choose(choices: list[Choice], talk: Talk, *, optional: bool = False) -> Any:
    """One of these, listed and asked for; `LEFT_OUT` where an empty line may say so."""

    def lines() -> Iterable[str]:
        yield from listed(choices)
        if optional:
            yield f"  ({talk.words(HINTS['optional'])})"

    def read(typed: str) -> Any:
        return LEFT_OUT if optional and not typed else pick(choices, typed, talk)

    for line in lines():
        talk.write(line)
    return _until_understood(read, talk, lines)


# -- one line, one answer ----------------------------------------------------------------------------


def _until_understood(read: Callable[[str], Any], talk: Talk, help_lines: Callable[[], Iterable[str]]) -> Any:
    while True:
        typed = ""
        try:
            typed = talk.line()
            return read(typed)
        except NotUnderstood as error:
            if typed:
                talk.write(f"  {error}")
                continue
        except Said as said:
            if said.command != "?":
                raise
        for line in help_lines():
            talk.write(line)


def _typed(form: Form, talk: Talk, optional: bool) -> Any:
    """A form that one line answers."""
    choices = _choices(form, talk)
    if optional and form["type"] == "some" and not form["least"]:  # an empty line says something else here
        choices.append(Choice(NONE, ANOTHER, talk.words(PLAY["none-of-these"])))
    for line in listed(choices):
        talk.write(line)
    if optional:
        talk.write(f"  ({talk.words(HINTS['optional'])})")

    def read(typed: str) -> Any:
        if not typed and optional:
            return LEFT_OUT
        return _read(form, choices, typed, talk)

    def help_lines() -> Iterable[str]:
        yield from listed(choices)
        yield f"  ({hint(form, talk)})"

    return _until_understood(read, talk, help_lines)


def _read(form: Form, choices: list[Choice], typed: str, talk: Talk) -> Any:
    kind = form["type"]
    if kind == "some":
        return _some(form, choices, typed, talk)
    if choices and any(one.is_called(typed) for one in choices):
        return pick(choices, typed, talk)
    if kind == "number":
        return _number(typed, form.get("least"), form.get("most"), talk)
    if kind == "die":
        return _number(typed, None, None, talk)
    if kind == "dice":
        return [_number(one, None, None, talk) for one in _parts(typed)]
    if kind == "name" and typed:
        return typed
    if kind == "json":
        return _json(typed, talk)
    return pick(choices, typed, talk)


def _parts(typed: str) -> list[str]:
    return typed.replace(",", " ").replace("、", " ").split()


def _number(typed: str, least: int | None, most: int | None, talk: Talk) -> int:
    try:
        number = int(typed)
    except ValueError:
        raise NotUnderstood(talk.words(PLAY["no-number"])) from None
    if least is not None and most is not None and not least <= number <= most:
        raise NotUnderstood(talk.words(PLAY["number-between"], least=least, most=most))
    return number


def _some(form: Form, choices: list[Choice], typed: str, talk: Talk) -> Any:
    chosen = [pick(choices, one, talk) for one in _parts(typed)]
    if chosen == [ANOTHER]:
        return []
    if ANOTHER in chosen:
        raise NotUnderstood(talk.words(PLAY["not-understood"], given=typed))
    if not chosen and form.get("decline"):
        return form["decline"]
    if not form["least"] <= len(chosen) <= form["most"]:
        counts = {"least": form["least"], "most": form["most"], "given": len(chosen)}
        raise NotUnderstood(talk.words(PLAY["so-many"], **counts))
    return chosen


def _json(typed: str, talk: Talk) -> Any:
    try:
        return json.loads(typed)
    except ValueError:
        raise NotUnderstood(talk.words(PLAY["not-understood"], given=typed)) from None


def hint(form: Form, talk: Talk) -> str:
    """How a form is answered, in words."""
    kind = str(form["type"])
    if kind == "number" and "least" in form and "most" in form:
        return talk.words(HINTS["number-to"], least=form["least"], most=form["most"])
    named = {"counters": "record", "changes": "list"}.get(kind, kind)
    return talk.words(HINTS[named], count=form.get("count", ""))


# -- several lines, one answer -----------------------------------------------------------------------


def _instead(form: Form, talk: Talk, further: str, *, optional: bool = False) -> Any:
    """One of the options that a form offers instead of itself, or the form itself."""
    offered = _choices(form, talk)
    if not offered and not optional:
        return ANOTHER
    return choose([*offered, Choice(str(len(offered) + 1), ANOTHER, further)], talk, optional=optional)


def _record(form: Form, talk: Talk, optional: bool) -> Any:
    """Field by field."""
    further = PLAY["other-way"] if form.get("options") else PLAY["in-detail"]
    said = _instead(form, talk, talk.words(further), optional=optional)
    return _fields(form["fields"], talk) if said is ANOTHER else said


def _fields(fields: list[dict[str, Any]], talk: Talk) -> dict[str, Any]:
    told = {}
    for field in fields:
        talk.write(f"· {field['text']}")
        given = answer(field["form"], talk, optional=bool(field.get("optional")))
        if given is not LEFT_OUT:
            told[field["key"]] = given
    return told


def _several(form: Form, talk: Talk, optional: bool) -> Any:  # noqa: ARG001  a list may always be empty
    """Entry by entry, until an entry is left out; with names where the form has a key."""
    said = _instead(form, talk, talk.words(PLAY["one-more"]))
    if said is not ANOTHER:
        return said
    talk.write(f"  ({talk.words(HINTS['list'])})")
    entries: list[Any] = []
    names: dict[str, Any] = {}
    while len(entries) + len(names) < form.get("most", MOST_ENTRIES):
        if form.get("key"):
            talk.say(PLAY["under-which"])
            name = answer(form["key"], talk, optional=True)
            if name is LEFT_OUT:
                break
            names[str(name)] = answer(form["of"], talk)
            continue
        entry = answer(form["of"], talk, optional=True)
        if entry is LEFT_OUT:
            break
        entries.append(entry)
    return names if form.get("key") else entries


def _changes(form: Form, talk: Talk, optional: bool) -> Any:  # noqa: ARG001  nothing is one of its options
    """What a printed result changes: one of the options, or change by change."""
    said = _instead(form, talk, talk.words(PLAY["what-changes"]))
    if said is not ANOTHER:
        return said
    fields = [
        Choice(str(place), field, str(field["text"])) for place, field in enumerate(form["fields"], start=1)
    ]
    enough = Choice(str(len(fields) + 1), None, talk.words(PLAY["that-is-all"]))
    changes = []
    while True:
        talk.say(PLAY["what-changes"])
        field = choose([*fields, enough], talk)
        if field is None:
            break
        changes.append(_change(field, talk))
    also = _fields(form.get("also") or [], talk)
    return {"changes": changes, **also}


def _change(field: dict[str, Any], talk: Talk) -> dict[str, Any]:
    pointer = field["key"]
    if field.get("among"):
        pointer = pointer.replace("{}", str(answer(field["among"], talk)))
    talk.say(PLAY["by-how-much"] if field["writes"] == "by" else PLAY["to-what"])
    return {"pointer": pointer, field["writes"]: answer(field["form"], talk)}


_ASKED: dict[str, Callable[[Form, Talk, bool], Any]] = {
    "record": _record,
    "counters": _record,
    "list": _several,
    "changes": _changes,
}
