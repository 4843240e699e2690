"""What the macros of pads.html ask of Python: how options stand in groups, and how each is called there."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from types import MappingProxyType
from typing import Any

from msgspec import UNSET, structs

from service import forms
from service.forms import ClosedOption, FormOption, Group
from service.languages import capital, manners
from service.lettering import width
from service.pages import draw, words
from service.pages.table import Board, Spot
from service.pages.walks import MOST_BUTTONS, Change, Given, Pad, closed, said, same
from service.pages.words import Say
from service.terms import Language
from service.wordings import signed

Inside = list[tuple[str, list[FormOption]]]
MOST_LIKELY = 3  # steps up or down that get a button each
TWO_LINES = 250  # pixels; what is no longer has room on a button of half a phone's width


def helpers(
    lang: Language,
    say: Say,
    board: Callable[[], Board] = list,
    odds_at: Callable[[Any], str] = lambda _: "",
    refused: Sequence[Any] = (),
    allowed: Sequence[Any] = (),
    held: Mapping[str, Sequence[str]] = MappingProxyType({}),
    forgets: Callable[[Any], str] = lambda _: "",
) -> dict[str, Callable[..., Any]]:
    """What pads need, by its name in the templates.

    What stands on the `board` is written into its places; `odds_at` says where the chances of an answer are shown.
    Of some answers it is known already that they are `refused` or `allowed`; controls show what they `held` before
    somebody looked elsewhere. What an answer `forgets` is said beside it.
    """
    known = cache(board)
    return {
        "said": said,
        "grouped": grouped,
        "label": label,
        "is_short": lambda options, outer: all(width(label(one, outer), 16) <= TWO_LINES for one in options),
        "is_dense": is_dense,
        "is_decline": is_decline,
        "declines": lambda form: getattr(form, "decline", UNSET) not in (UNSET, None),
        "is_likely": lambda form, one: is_likely(form, one) or _is_among(allowed, one),
        "is_refused": lambda one: _is_among(refused, one),
        "refused": lambda options: [one for one in options if _is_among(refused, one)],
        "how_many": lambda form: how_many(form, say),
        "on_map": lambda pad: on_map(pad, known()),
        "in_places": lambda options: in_places(options, known),
        "single": lambda form: single(form, known),
        "stands_at": lambda one: stands_at(one, known),
        "standing": draw.standing,
        "forgets": lambda pad, one: "" if pad.about else forgets(one.value),
        "held": lambda name: held.get(name, ()),
        "held_fields": lambda pad: held_fields(pad, held),
        "odds_at": lambda one: odds_at(one.value),
        "amounts": amounts,
        "signed": signed,
        "change_words": lambda change: change_words(change, say),
        "letters": lambda text: letters(str(text), lang),
    }


def grouped(options: Sequence[FormOption], form: Any, depth: int = 0) -> list[tuple[str, Inside]]:
    """Options under their two outermost groups that are left, in their order; declining stands elsewhere."""
    open_ones = [one for one in options if not is_decline(form, one)]
    outer: dict[str, dict[str, list[FormOption]]] = {}
    for one in open_ones:
        names = [str(group.text) for group in one.groups or ()][depth:]
        names = [*names, "", ""]
        outer.setdefault(names[0], {}).setdefault(names[1], []).append(one)
    inner = {name for inside in outer.values() for name in inside}
    if len(inner) == 1:  # what all have in common is said once, beside whom it concerns
        outer = {_beside(name, *inner): {"": next(iter(inside.values()))} for name, inside in outer.items()}
    if len(outer) == 1 and form.of == "place":  # they say themselves where they are
        outer = {"": next(iter(outer.values()))}
    alone = {name: _alone(inside) for name, inside in outer.items()}
    if all(one and capital(label(one, name)) == capital(name) for name, one in alone.items()):
        named = [structs.replace(one, text=label(one, name)) for name, one in alone.items() if one]
        outer = {"": {"": named}}  # no heading over a button of the same words
    return [(capital(name), list(inside.items())) for name, inside in outer.items()]


def _alone(inside: dict[str, list[FormOption]]) -> FormOption | None:
    """The option that stands alone in a group."""
    found = [one for options in inside.values() for one in options]
    return found[0] if len(found) == 1 else None


def _beside(outer: str, inner: str) -> str:
    return f"{outer} · {inner}" if outer and inner else outer or inner


def label(one: FormOption, outer: str) -> str:
    """How an option is called where its group is said."""
    text = str(one.short) if outer and one.short else str(one.text)
    return text.replace(" · ", "\u00a0· ")  # no line begins with a dot


def is_dense(options: Sequence[FormOption]) -> bool:
    """Are there so many short options, as the numbers of cards, that they stand close together?"""
    short = [one for one in options if one.short and not one.groups]
    return len(options) > MOST_BUTTONS and len(short) >= len(options) - 1


def is_decline(form: Any, one: FormOption) -> bool:
    """Is this the option that declines?"""
    declines = getattr(form, "decline", UNSET)
    return declines is not UNSET and same(one.value, declines)


def is_likely(form: Any, one: FormOption) -> bool:
    """Is this one of the likely options?"""
    return _is_among(getattr(form, "likely", None) or (), one)


def _is_among(values: Sequence[Any], one: FormOption) -> bool:
    return any(same(one.value, value) for value in values)


def how_many(form: forms.Some, say: Say) -> str:
    """How many are to be chosen, or what they must come to."""
    if form.sum:
        return say("at-least-in-all", least=form.sum.least)
    if not form.least and form.most >= len(form.options):
        return say("choose-any")
    if form.least == form.most:
        return say("choose-exactly", count=form.least)
    return say("choose-between", least=form.least, most=form.most)


HOLDING = ("dice", "some", "stepper", "by", "name", "fields")


def holds(pad: Pad | Given) -> bool:
    """Has this pad controls that hold something before it is sent?"""
    return isinstance(pad, Pad) and pad.kind in HOLDING


def held_fields(pad: Pad, held: Mapping[str, Sequence[str]]) -> dict[str, Any]:
    """What the controls of an object's fields held."""
    given = [(field, held.get(f"is-{field.key}", ())) for field in pad.fields]
    return {
        field.key: True if isinstance(field.form, forms.YesNo) else values[0]
        for field, values in given
        if values
    }


def amounts(form: forms.Number) -> list[int]:
    """By how much a number mostly changes, down or up, within its bounds."""
    least = MOST_LIKELY if form.least is UNSET else -form.least
    most = MOST_LIKELY if form.most is UNSET else form.most
    return [by for by in range(-min(least, MOST_LIKELY), min(most, MOST_LIKELY) + 1) if by]


def change_words(change: Change, say: Say) -> str:
    """Something that was told to have changed, in words."""
    if change.writes == "by" and isinstance(change.value, int):
        return f"{change.label} {signed(change.value)}"
    if isinstance(change.value, bool):
        return f"{change.label} → {say('yes' if change.value else 'no')}"
    options = getattr(change.form, "options", UNSET) or ()
    found = (str(one.text) for one in options if same(one.value, change.value))
    return f"{change.label} → {next(found, str(change.value))}"


def letters(text: str, lang: Language) -> str:
    """The first letters of its colour, on a cube."""
    speaks = manners(lang)
    word = text.split()[-1 if speaks.cube_word == "last" else 0]
    return word[: speaks.cube_letters].capitalize()


def by_group(options: Sequence[FormOption]) -> dict[str, list[FormOption]]:
    """Options by what they belong to."""
    found: dict[str, list[FormOption]] = {}
    for one in options:
        if one.groups:
            found.setdefault(str(one.groups[0].text), []).append(one)
    return found


def on_map(pad: Pad, board: Board) -> list[tuple[str, list[tuple[Spot, FormOption | ClosedOption | None]]]]:
    """Every place of the map with what can be answered there, or why not; of the boxes none where none can be."""
    answers: dict[Any, FormOption | ClosedOption] = {one.value: one for one in closed(pad.form)}
    answers |= {one.value: one for one in pad.options}
    spots = {spot.place: spot for _, row in board for spot in row}
    if not all(one.value in spots for one in pad.options if one.groups):
        return [
            (row, [(_spot(one.value, on_pad(one), one.text), one) for one in inside])
            for row, inside in by_group(pad.options).items()
        ]
    boxes = any(spots[one.value].is_box for one in pad.options if one.groups)
    return [
        (title, [(spot, answers.get(spot.place)) for spot in row if boxes or not spot.is_box])
        for title, row in board
    ]


def _spot(place: Any, label: str, name: Any) -> Spot:
    return Spot(place=str(place), label=label, name=str(name), is_box=not label.isdigit())


DECLINING = "none"  # whatever is asked


def stands_at(one: FormOption, board: Callable[[], Board]) -> Spot | None:
    """What stands in the place that an option is, where it is one."""
    if not isinstance(one.value, str) or one.value == DECLINING:
        return None
    found = (spot for _, row in board() for spot in row if spot.place == one.value and spot.things)
    return next(found, None)


def in_places(
    options: Sequence[FormOption], board: Callable[[], Board]
) -> list[tuple[str, list[tuple[Spot, list[FormOption]]]]]:
    """Many options of several places: by rows, each place with its options; none where it is known what lies there.

    A question about more than one row is about the map.
    """
    places: dict[str, tuple[Group, list[FormOption]]] = {}
    for one in options if len(options) > MOST_BUTTONS else ():
        if one.groups:
            places.setdefault(one.groups[0].key.rpartition("/")[2], (one.groups[0], []))[1].append(one)
    if len(places) < 2:
        return []
    found = [(row, [spot for spot in spots if not spot.is_box]) for row, spots in board()]
    there = {spot.place for _, row in found for spot in row}
    if not places.keys() <= there:
        found = _rows_of({place: str(group.text) for place, (group, _) in places.items()})
    asked = [
        (row, [(spot, places[spot.place][1] if spot.place in places else []) for spot in spots])
        for row, spots in found
    ]
    inside = [(row, cells) for row, cells in asked if any(options for _, options in cells)]
    return inside if len(inside) == 1 else asked


def _rows_of(places: Mapping[str, str]) -> Board:
    """Places by what stands before their number."""
    found: dict[str, list[Spot]] = {}
    for place, name in places.items():
        row, _, number = name.rpartition("#")
        found.setdefault(row.strip(), []).append(_spot(place, number, name))
    return list(found.items())


def single(
    form: Any, board: Callable[[], Board]
) -> tuple[str, list[tuple[str, list[tuple[Spot, FormOption | None]]]]] | None:
    """What lies in many places is one thing: the thing, and by rows each place with the option that it lies there alone."""
    if not isinstance(form, forms.Some) or not form.otherwise:
        return None
    fields = {pointer.rpartition("/")[2] for one in form.options for pointer in one.value}
    found = in_places(form.options, board)
    if len(fields) != 1 or not found:
        return None
    rows = [(row, [(spot, next(iter(inside), None)) for spot, inside in cells]) for row, cells in found]
    return str(form.options[0].short), rows


def on_pad(one: FormOption) -> str:
    """How a place is called in its row: an Area by its number, a box by its word."""
    return str(one.short).rpartition("#")[2]


words.sentences(
    {
        "yes": "yes",
        "no": "no",
        "done": "Done",
        "number": "Number",
        "name": "Name",
        "nothing": "nothing",
        "leave-out": "Leave it out",
        "that-is-all": "That is all",
        "die-number": "Die %(number)s",
        "odds-of": "Chances: %(option)s",
        "none-left": "There is nothing left to draw.",
        "so-many-of": "%(count)s of %(all)s",
        "at-least-in-all": "Together at least %(least)s",
        "choose-any": "Tick what is there.",
        "choose-exactly": "Choose this many: %(count)s",
        "choose-between": "At least %(least)s, at most %(most)s",
        "tell-it": "Say what it is",
        "told-so-far": "Told so far: %(count)s",
        "add-one": "Add one",
        "add-another": "Add another",
        "nothing-there": "There is none",
        "something-changed": "Something changed",
        "by-how-much": "By how much?",
        "forgets": "All of this is then no longer known, and is asked anew where it matters: %(facts)s.",
        "changed-more": "Something else changed",
    }
)
