"""Telling single facts: a value put at a pointer of what a game stands on, and the whole of it read again.

A pointer starts at the position, unless it begins with `/components` or `/choices`. None stands where the game
knows "none", and otherwise takes the entry away; UNSET takes it away wherever it is.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import cache
from typing import TYPE_CHECKING, Any, get_args, get_type_hints

from msgspec import UNSET, Struct, structs

from engine import codec
from engine.at import AnAt
from engine.catalogue import issues_named, read_choices
from engine.exceptions import Unreadable
from engine.flow import read_agenda
from engine.pointers import escape, unescape
from engine.saved import FORMAT, Saved
from engine.shapes import leads_to, shape

if TYPE_CHECKING:
    from engine.game import Game

DEEPEST = 12  # parts of a pointer; no place of a position is as deep

ACTION, AGENDA = "/action/", "/agenda/"  # what pointers into them begin with

LATER = "unknown"  # told of a fact that will be told later: its question goes to the end of the list

Fact = tuple[str, Any]  # a pointer and what stands there
Given = tuple[str, Any]  # an input: its name and value


class Table(Struct, frozen=True):
    """What a game stands on: the position, how disputed rules are read, and the printed components."""

    position: Any
    choices: Mapping[str, str]
    components: Any


def tell(game: Game, table: Table, facts: Sequence[Fact], pointer: str = "/tell") -> Table:
    """The table with these facts told, each read as if it had been sent so; `pointer` is where a request has them."""
    if not facts:
        return table
    parts: dict[str, list[Fact]] = {"components": [], "choices": [], "": []}
    for place, value in facts:
        part = _part(place)
        parts[part].append((place.removeprefix(f"/{part}") if part else place, value))
    position, choices, components = table.position, table.choices, table.components
    try:
        if parts["choices"]:
            choices = _choices(game, choices, parts["choices"])
        if parts["components"]:
            components = _told(components, game.components, parts["components"], "/components")
        if parts[""]:
            position = _told(position, game.position, parts[""], "")
            agenda = read_agenda(position.agenda, game.procedures)
            position = structs.replace(position, agenda=agenda, format=FORMAT)
    except Unreadable as error:
        raise _as_sent(error, {place: pointer for place, _ in facts}) from None
    return Table(position, choices, components)


def told_at(game: Game, at: AnAt, facts: Sequence[Fact], pointer: str) -> AnAt:
    """The same, with these facts told: what has happened and was consulted so far stays."""
    rules = at.rules
    table = tell(game, Table(at.position, rules.chosen, rules.components), facts, pointer)
    if table.choices is rules.chosen and table.components is rules.components:
        return at.on(table.position)
    told = rules.told(dict(table.choices), table.components)
    return at.__class__(table.position, told, at.events, at.cautions, at.issues, at.assumed)


def told_action(game: Game, do: Any, inputs: Sequence[Given]) -> Any:
    """An action with what the inputs tell of the action itself."""
    if not inputs:
        return do
    plain, sent = codec.write(do), {}
    try:
        for number, given in enumerate(inputs):
            for place, value in _of_the_action(*given):
                sent[place] = f"/inputs/{number}/{given[0]}"
                plain = _told_of_action(plain, type(do), place.removeprefix("/action"), value)
        return codec.read(plain, game.action_types, "/action") if sent else do
    except Unreadable as error:
        raise _as_sent(error, sent) from None


def _of_the_action(key: str, value: Any) -> list[Fact]:
    """What an input tells or takes back of the action itself."""
    return [one for one in facts_of(key, value) if one[0].startswith(ACTION)] if key in codec.TELLS else []


def _told_of_action(plain: Any, kind: type[Struct], place: str, value: Any) -> Any:
    if value is UNSET:
        _must_be_a_place(plain, kind, place, "/action")
    return _put(plain, place, value, "/action")


def told_by_input(game: Game, at: AnAt, given: Given, number: int) -> AnAt:
    """A position with what an input tells; what it tells of the action is told already."""
    facts = [one for one in facts_of(*given) if not one[0].startswith(ACTION)]
    return told_at(game, at, facts, f"/inputs/{number}/{given[0]}") if facts else at


def all_told(game: Game, at: AnAt, inputs: Sequence[Given]) -> Any:
    """The position that was sent, with everything that inputs tell; of procedures, only of those under way there."""
    for number, (key, value) in enumerate(inputs):
        if key not in codec.TELLS:
            continue
        facts = [one for one in facts_of(key, value) if not one[0].startswith(ACTION)]
        on_table = [one for one in facts if not one[0].startswith(AGENDA)]
        at = told_at(game, at, on_table, f"/inputs/{number}/{key}") if on_table else at
        for one in facts:
            if one[0].startswith(AGENDA):
                with suppress(Unreadable):  # of a procedure that has not begun there
                    at = told_at(game, at, [one], f"/inputs/{number}/{key}")
    return at.position


def _tells(inputs: Iterable[Given]) -> Iterator[Given]:
    return (given for given in inputs if given[0] in codec.TELLS)


def facts_of(key: str, value: Any) -> list[Fact]:
    """What an input tells or takes back; what will be told later is not told."""
    return [(value, UNSET)] if key == "untell" else [one for one in value.items() if one[1] != LATER]


def put_off(inputs: Sequence[Given]) -> list[str]:
    """The places of the facts that will be told later, the last one last."""
    later: list[str] = []
    for place, value in (fact for key, told in _tells(inputs) if key == "tell" for fact in told.items()):
        later = [one for one in later if one != place]
        later += [place] if value == LATER else []
    return later


def told_elsewhere(inputs: Sequence[Given]) -> dict[str, Any]:
    """What inputs tell of the components and the readings, by pointer: no position keeps it."""
    facts = (fact for given in _tells(inputs) for fact in facts_of(*given))
    told: dict[str, Any] = {}
    for place, value in facts:
        told.pop(place, None)
        if _part(place) and value is not UNSET:
            told[place] = value
    return told


def _part(place: str) -> str:
    first = place.split("/")[1] if place.startswith("/") else ""
    return first if first in ("components", "choices") else ""


def _choices(game: Game, choices: Mapping[str, str], facts: list[Fact]) -> dict[str, str]:
    chosen = dict(choices)
    for place, value in facts:
        if value is None or value is UNSET:
            chosen = _read_as_preferred(game, chosen, unescape(place.removeprefix("/")))
        else:
            chosen = _put(chosen, place, value, "/choices")
    named = codec.read(chosen, dict[str, str], "/choices")
    return read_choices(game.catalogue, named)


def _read_as_preferred(game: Game, chosen: dict[str, str], name: str) -> dict[str, str]:
    """The readings without that of a disputed rule, by its name or its id."""
    known = {issue.name for issue in issues_named(game.catalogue, name)}
    return {key: value for key, value in chosen.items() if key not in known}


def _told(value: Any, kind: Any, facts: list[Fact], pointer: str) -> Any:
    """A value of the engine with these facts in their places."""
    plain = codec.write(value)
    for place, fact in facts:
        if fact is UNSET:
            _must_be_a_place(plain, kind, place, pointer)
        plain = _collection(plain, kind, place, fact)
    for place, fact in facts:
        if fact is not None:
            said = "?" if fact is UNSET and _is_place(plain, kind, place) else fact
            found, listed = _listed(plain, kind, place)
            if fact is not UNSET or found is plain:
                plain = _put(found, listed, said, pointer)
    read = codec.read(plain, kind, pointer)
    for place, fact in facts:
        if fact is None:
            plain, read = _none(plain, kind, place, pointer)
    return _whole(plain, kind, pointer) if "partial" in plain else read


# -- collections of which only a part is told --------------------------------------------------------


@cache
def _collections(kind: Any) -> dict[str, list[str]]:
    """What may be told in part, with the steps that lead there."""
    partial = (
        get_type_hints(kind).get("partial") if isinstance(kind, type) and issubclass(kind, Saved) else None
    )
    names = get_args(get_args(partial)[0]) if partial is not None else ()
    listed = [*names, *(name for name in getattr(kind, "places", {}) if name not in names)]
    return {name: name.split(".") for name in listed}


def _collection(plain: Any, kind: Any, place: str, fact: Any) -> Any:
    """Before a fact is told: one of a collection that was not told is told of a part; a whole one is told as a whole."""
    steps = _steps(place) if place.startswith("/") else []
    for name, way in _collections(kind).items():
        if steps[: len(way)] != way:
            continue
        if len(steps) == len(way):
            return _without(plain, name) if fact is not UNSET else plain
        held = _found(plain, way)
        if fact is not UNSET and held is None:
            return _begun(plain, kind, name, way)
        if fact is UNSET and isinstance(held, dict) and not plain.get("partial", {}).get(name):
            return _written_out(plain, kind, name, held, steps[len(way) :])
    return plain


def _written_out(plain: Any, kind: Any, name: str, held: Any, inner: list[str]) -> Any:
    """Before something of a whole collection is taken back: everything else of it, what is not there included."""
    everything = getattr(kind, "everything", {}).get(name)
    fields = name in getattr(kind, "with_fields", ())
    if everything is None or not (len(inner) == 1 or fields):
        return plain
    if not held.keys() <= everything.keys():
        # As how many lie face down: then nothing is said not to be there.
        return plain if inner[0] in everything else _begun(plain, kind, name, name.split("."))
    told = {
        key: none if key not in held else {**none, **held[key]} if fields else held[key]
        for key, none in everything.items()
    }
    written = put(plain, name.split("."), told)
    return {**written, "partial": {**plain.get("partial", {}), name: True}}


def _is_place(plain: Any, kind: Any, place: str) -> bool:
    """Is this one place of a fixed list that is told?"""
    fixed = getattr(kind, "places", {})
    return any(
        _steps(place)[:-1] == way and _found(plain, way) is not None
        for name, way in _collections(kind).items()
        if name in fixed
    )


def _begun(plain: Any, kind: Any, name: str, way: list[str]) -> Any:
    """The same with a collection of which nothing is told yet."""
    many = getattr(kind, "places", {}).get(name)
    started = put(plain, way, _nothing(kind, name) if many is None else ["?"] * many)
    if many is not None or name in getattr(kind, "by_field", ()):
        return started
    return {**started, "partial": {**started.get("partial", {}), name: True}}


def _nothing(kind: Any, name: str) -> Any:
    """A collection in which there is nothing."""
    return [] if name in getattr(kind, "lists", {}) else {}


def _without(plain: Any, name: str) -> Any:
    """The same with nothing said of a collection's being told in part."""
    left = {other: said for other, said in plain.get("partial", {}).items() if other != name}
    return {**plain, "partial": left} if "partial" in plain else plain


def _whole(plain: Any, kind: Any, pointer: str) -> Any:
    """Read again, where it was told that there is no other: what was not told of such a collection is none."""
    said = plain["partial"]
    for name, way in _collections(kind).items():
        if isinstance(said, dict) and said.get(name) is False:
            held = _found(plain, way)
            if isinstance(held, list):
                held = [None if one == "?" else one for one in held]
            plain = put(_without(plain, name), way, _nothing(kind, name) if held is None else held)
    return codec.read(plain, kind, pointer)


def _found(plain: Any, way: list[str]) -> Any:
    for step in way:
        plain = plain.get(step) if isinstance(plain, dict) else None
    return plain


def _listed(plain: Any, kind: Any, place: str) -> tuple[Any, str]:
    """Where a list has entries that are told under their names: the entry, new if it is not there, and its place."""
    steps = _steps(place)
    name = steps[0]
    key = getattr(kind, "lists", {}).get(name)
    if key is None or len(steps) < 3 or steps[1].isdigit():
        return plain, place
    listed = plain.get(name, [])
    names = [one[key] for one in listed]
    number = names.index(steps[1]) if steps[1] in names else len(names)
    found = plain if number < len(names) else {**plain, name: [*listed, {key: steps[1]}]}
    return found, "/".join(["", name, str(number), *map(escape, steps[2:])])


def _none(plain: Any, kind: Any, place: str, pointer: str) -> tuple[Any, Any]:
    """Nothing at a place: "none" where the game knows that, and otherwise no entry."""
    collection, *rest = _steps(place)
    if (
        len(rest) == 1
        and plain.get("partial", {}).get(collection)
        and collection in getattr(kind, "nothing", {})
    ):
        told = _put(plain, place, kind.nothing[collection], pointer)
        return told, codec.read(told, kind, pointer)
    without = _put(plain, place, None, pointer)
    try:
        return without, codec.read(without, kind, pointer)
    except Unreadable:
        without = _put(plain, place, UNSET, pointer)
        return without, codec.read(without, kind, pointer)


def _must_be_a_place(plain: Any, kind: Any, place: str, pointer: str) -> None:
    """What is taken back where nothing can stand is refused as what is told there."""
    if leads_to(shape(kind), tuple(_steps(place))) is None:
        begun, listed = _listed(_collection(plain, kind, place, None), kind, place)
        codec.read(_put(begun, listed, None, pointer), kind, pointer)


def _put(plain: Any, place: str, fact: Any, pointer: str) -> Any:
    try:
        return put(plain, _steps(place), fact)
    except Unreadable as error:
        error.pointer = f"{pointer}{place}"
        raise


def put(value: Any, steps: list[str], fact: Any) -> Any:
    """A plain value with a fact at the end of these steps; what is not there on the way is made to tell, not to take back."""
    if not steps:
        return fact
    first, *rest = steps
    if isinstance(value, list | tuple):
        return _put_into_list(list(value), first, rest, fact)
    if not isinstance(value, dict):
        raise Unreadable("unknown-name", "", given=first)
    held = value.get(first)
    if held is None and rest and fact is UNSET:
        return value
    inner = put({} if held is None else held, rest, fact) if rest else fact
    if inner is UNSET:
        return {key: kept for key, kept in value.items() if key != first}
    return {**value, first: inner}


def _put_into_list(value: list[Any], first: str, rest: list[str], fact: Any) -> list[Any]:
    if not first.isascii() or not first.isdigit() or len(first) > 3 or int(first) >= len(value):
        raise Unreadable("unknown-name", "", given=first)
    place = int(first)
    inner = put(value[place] if rest else None, rest, fact)
    return [*value[:place], *([] if inner is UNSET else [inner]), *value[place + 1 :]]


def _steps(place: str) -> list[str]:
    """The keys of a pointer."""
    steps = place.split("/")
    if steps[0]:
        raise Unreadable("not-a-pointer", place, given=place)
    if not 1 < len(steps) <= DEEPEST + 1:
        raise Unreadable("unknown-name", place, given=place)
    return [unescape(step) for step in steps[1:]]


def _as_sent(error: Unreadable, sent: Mapping[str, str]) -> Unreadable:
    """What is wrong, at the fact that was sent; `sent` says where a request has the facts of these places."""
    found = error.pointer.removeprefix("/position") or error.pointer
    near = (
        [place for place in sent if found.startswith(place)]
        or [place for place in sent if found and place.startswith(found)]
        or [
            place for place in sent if place.split("/")[:2] == found.split("/")[:2]
        ]  # an entry told by its name
    )
    place = max(near, key=len, default=next(iter(sent)))
    pointer = sent[place]
    behind = found.removeprefix(place) if found.startswith(place) else ""
    params = {"field": unescape((found if near else place).rpartition("/")[2]), **error.params}
    at = f"{pointer}/{escape(place)}" if pointer else place
    return Unreadable(error.code, f"{at}{behind}", **params)
