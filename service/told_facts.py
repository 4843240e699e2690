"""Facts that were told, corrected or read otherwise, in words: a pointer and a value as a reader says them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from msgspec import UNSET, Struct

from engine.exceptions import Unreadable
from engine.game import Game
from engine.messages import act, message
from engine.pointers import parts
from engine.telling import Fact, Table, tell
from service import printed_words, wordings
from service.languages import Reader
from service.typed_forms import NONE
from service.wordings import OF_FIELD

ALL_TOLD = message("answer.all-told", "%(fact)s: there are no others")
PART_TOLD = message("answer.part-told", "%(fact)s: there may be others")
ALL_NAMED = message("answer.all-named", "%(fact)s: %(things)s; there are no others")
MOST_CELLS = 12  # of a printed table that are said one by one
TAKEN_BACK = act("answer.taken-back", "no longer told")


def listed(reader: Reader, game: Game, facts: Iterable[Fact]) -> str:
    """Facts one after the other; things of which only that they are there, beside that these are all."""
    told = dict(facts)
    said = [words for fact in told.items() for words in _in_words_among(reader, game, *fact, told)]
    return reader.manners.semicolon.join(said)


def value(reader: Reader, game: Game, pointer: str, told: Any) -> str:
    """What a place of the position holds."""
    typed, path = _typed(game, pointer, told), tuple(parts(pointer))
    return wordings.value(reader, game, wordings.type_at(game.name, path), typed)


def _in_words_among(
    reader: Reader, game: Game, pointer: str, value: Any, told: dict[str, Any]
) -> Iterator[str]:
    """A fact that is told beside others."""
    first, *rest = parts(pointer)
    if first == "partial" and value is False:
        collection = "/".join(("", *rest))
        things = [_fact(reader, game, tuple(parts(one))) for one in _only_there(game, collection, told)]
        shown = {"fact": _fact(reader, game, tuple(rest)), "things": things}
        yield reader.say(ALL_NAMED if things else ALL_TOLD, shown)
    elif pointer not in _only_there(game, f"/{first}", told) or told.get(f"/partial/{first}") is not False:
        yield from _in_words(reader, game, pointer, value)


def _only_there(game: Game, collection: str, told: dict[str, Any]) -> list[str]:
    """The things of a collection of which nothing is told but that they are there."""
    return [
        one
        for one, value in told.items()
        if one.rpartition("/")[0] == collection and value == {} and _is_there(_typed(game, one, value))
    ]


def _is_there(value: Any) -> bool:
    """Does a thing without any facts say that it is there, and not that nothing is?"""
    if not isinstance(value, Struct) or hasattr(value, "left_out"):
        return False
    return all(getattr(value, name) is UNSET for name in value.__struct_fields__)


def _in_words(reader: Reader, game: Game, pointer: str, value: Any) -> Iterator[str]:
    path = tuple(parts(pointer))
    if path[:1] == ("choices",):
        yield _reading(reader, game, path[-1], value)
    elif path[:1] == ("components",):
        yield from _of_copy(reader, game, path[1:], value)
    elif path[:1] == ("partial",) and isinstance(value, bool):
        shown = {"fact": _fact(reader, game, path[1:])}
        yield reader.say(PART_TOLD if value else ALL_TOLD, shown)
    elif value is UNSET or value is None:
        said = TAKEN_BACK.phrase() if value is UNSET else (NONE, {})
        yield _beside(reader, _fact(reader, game, path), reader.say(*said))
    else:
        yield from _on_table(reader, game, path, _typed(game, pointer, value))


def _beside(reader: Reader, label: str, value: str) -> str:
    return reader.say(OF_FIELD, {"label": label, "value": value}) if value else label


# -- the position ------------------------------------------------------------------------------------


def _on_table(reader: Reader, game: Game, path: tuple[str, ...], value: Any) -> Iterator[str]:
    """What stands at a place; a collection piece by piece."""
    if isinstance(value, dict) and value:
        for key, inner in value.items():
            yield from _on_table(reader, game, (*path, str(key)), inner)
        return
    if _is_there(value):
        yield _fact(reader, game, path)
        return
    kind = wordings.type_at(game.name, path) if path else None
    named = _by_name(reader, game, value) if kind is None and isinstance(value, str) else ""
    yield _beside(
        reader, _fact(reader, game, path), named or wordings.value(reader, game, kind, value)
    )  # what a chart has noted has no type


def _by_name(reader: Reader, game: Game, told: str) -> str:
    kind = wordings.kind_of(game, told)
    return "" if kind is None else wordings.thing(reader, kind.words[told])


def _typed(game: Game, pointer: str, value: Any) -> Any:
    """A value as the game reads it; where it can only be read beside others, as it was told."""
    try:
        told = tell(game, Table(game.position(), {}, None), ((pointer, value),)).position
    except Unreadable:
        return value
    for step in parts(pointer):
        if told is None or told is UNSET:
            return value
        told = _inside(told, step)
    return value if told is UNSET else told


def _inside(told: Any, step: str) -> Any:
    """What one step of a pointer leads to, if anything; entries of a list are told by their number or their name."""
    if isinstance(told, dict):
        return told.get(step, UNSET)
    if isinstance(told, tuple | list):
        called = (
            str(number) if step.isdecimal() else getattr(one, "name", None) for number, one in enumerate(told)
        )
        return next((one for one, name in zip(told, called, strict=True) if name == step), UNSET)
    written = getattr(told, "__struct_encode_fields__", ())  # a field may be written otherwise, like `as`
    return getattr(told, told.__struct_fields__[written.index(step)]) if step in written else UNSET


def _fact(reader: Reader, game: Game, path: tuple[str, ...]) -> str:
    said = wordings.fact(game.name, path)
    return reader.listed(path) if said is None else reader.say(said.message, said.params)


# -- how the rules are read --------------------------------------------------------------------------


def _reading(reader: Reader, game: Game, name: str, chosen: Any) -> str:
    """A disputed rule as it is read."""
    known = [one for one in game.catalogue.issues.values() if name in (one.name, one.id)]
    for issue in known:
        said = issue.choices.get(issue.preferred if chosen in (None, UNSET) else chosen)
        if said is not None:
            return reader.say(said, {})
    return name


def _of_copy(reader: Reader, game: Game, path: tuple[str, ...], value: Any) -> Iterator[str]:
    """What was told of the copy, cell by cell; of a whole table its name says enough."""
    cells = list(printed_words.cells(game, path, value))
    if len(cells) > MOST_CELLS:
        yield printed_words.named(reader, game, path)
        return
    for place, told in cells:
        taken_back = told is UNSET or told is None
        said = (
            reader.say(*TAKEN_BACK.phrase()) if taken_back else printed_words.value(reader, game, place, told)
        )
        yield _beside(reader, printed_words.named(reader, game, place), said)
