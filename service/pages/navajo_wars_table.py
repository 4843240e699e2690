"""The table of Navajo Wars: Territories as strips, Families, boxes, cubes, the Instruction Display and the cards."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from babel.lists import format_list
from msgspec import UNSET, Struct, structs

from engine.game import Game
from engine.messages import Ref, Term
from engine.navajo_wars.board import Board
from engine.navajo_wars.cubes import cubes_in
from engine.navajo_wars.map import CANYON, PLACES, TERRITORIES, PlaceRef, TerritoryRef, track
from engine.navajo_wars.naming import LABELS
from engine.navajo_wars.position import LETTERS, NOT_TOLD
from engine.navajo_wars.printed import COLOURS, CUBE_BOXES
from engine.pointers import parts
from engine.verdict import Unknown, certain, is_told, refuted
from service import wordings
from service.languages import Reader, capital
from service.pages import draw, facts, words
from service.pages.draw import Cell, Counter, Drought, Mark, Start, Strip
from service.pages.facts import Row
from service.pages.table import UNTOLD, Box, BoxCell, Marks, Spot, To, known, shown
from service.pages.table import Board as Map

words.sentences(
    {
        "table.cell": "%(place)s: %(things)s",
        "table.empty": "empty",
        "table.untold": "not everything is told",
        "table.with-ferocity": "%(family)s with Ferocity %(ferocity)s",
        "table.so-many": "%(thing)s × %(count)s",
        "table.drought": "Drought %(count)s",
        "table.caught": "Caught",
        "table.escape": "Escape",
        "table.answer-here": "an answer to the present question",
        "table.here": "the chart stands here",
        "table.changed": "changed by the last answer",
        "table.ferocity": "Ferocity %(ferocity)s",
        "table.not-in-play": "It is not in play",
        "table.families": "Families",
        "table.box-counters": "%(box)s: counters",
        "table.who-is-here": "Who is here?",
    }
)

COUNTED = ("raid", "tribal_raid", "intruders")
FIELDS: tuple[draw.Sign, ...] = (
    "raid",
    "tribal_raid",
    "intruders",
    "fort",
    "mission",
    "rancho",
    "corn",
    "harass",
)
MEMBERS = ("man", "woman", "child", "horse")
TRACKS = ("ap", "culture", "military", "enemy_morale", "enemy_ferocity", "enemy_ap")
RESOURCES = ("horse", "sheep", "corn", "trade_goods", "firearms")
PASSAGE = ("man", "woman", "child", "elder", "horse", "sheep")
COLUMNS = ("active", "standby", "inactive")
CARDS = ("current", "in_play", "hand", "discarded", "removed", "developments")
SANTA_FE = "santa_fe"
NO_BREAK = "\u00a0"
ALONE = ("period", "manuelito", "tribal_raid_box")  # facts that stand by themselves
BOXES = (
    "resources", "passage_of_time", "elders", *CUBE_BOXES, "raided_box", SANTA_FE, "cards", *COLUMNS, *ALONE,
)  # fmt: skip


class Member(Struct, frozen=True):
    """A man, woman, child or horse of a Family: there, not there, or not told."""

    label: str
    state: str  # there, absent, untold


class FamilyCard(Struct, frozen=True):
    """A Family at a glance."""

    letter: str
    href: str
    place: str
    ferocity: str
    manuelito: str
    members: list[Member]


class Table:
    """What a Navajo Wars table shows in one language; `to` leads to what is named there."""

    def __init__(self, game: Game, at: Any, reader: Reader, to: To, marks: Marks | None = None) -> None:
        self._game = game
        self._at: Board = at
        self._reader = reader
        self._say = words.sayer(reader.lang)
        self._to = to
        self._marks = marks or Marks()

    # -- the map --

    def strips(self) -> list[Strip]:
        """Every Territory, the Canyon last."""
        return [self._strip(territory) for territory in TERRITORIES]

    def _strip(self, territory: str) -> Strip:
        entry = TERRITORIES[territory]
        title = self._thing(TerritoryRef(territory))
        boxes = tuple(
            self._box_cell(f"{territory}-{box}", self._say(f"table.{box}")) for box in ("caught", "escape")
        )
        return Strip(
            title=title,
            name=title,
            die=None if entry.die is None else int(entry.die.value),
            drought=None if territory == CANYON else self._drought(territory),
            areas=tuple(self._area_cell(area) for area in track(territory)),
            boxes=boxes,
            start=self._start() if territory == CANYON else None,
        )

    def _thing(self, ref: Ref) -> str:
        return facts.thing(self._reader, ref)

    def _drought(self, territory: str) -> Drought:
        told = known(self._at.drought(territory))
        text = self._say("table.drought", count=shown(told))
        name = self._say("table.cell", place=self._thing(TerritoryRef(territory)), things=text)
        count = None if told is UNSET else told
        return Drought(text, count, self._to(f"boxes/{territory}"), name)

    def _area_cell(self, area: str) -> Cell:
        found = list(self._counters(area))
        untold = any(isinstance(value, Unknown) for value in map(self._in(area), FIELDS))
        letters = self._letters(area)
        marks = self._marks.of(area)
        return Cell(
            label=area.rpartition("-")[2],
            href=self._to(f"areas/{area}"),
            name=self._sentence(PlaceRef(area), letters, [said for _, said in found], untold, marks),
            families="".join(letters),
            ferocity=self._ferocity(letters),
            counters=tuple(counter for counter, _ in found),
            untold=untold,
            marks=marks,
        )

    def _box_cell(self, place: str, label: str) -> Cell:
        letters = self._letters(place)
        untold = self._at.position.families is UNSET
        marks = self._marks.of(place)
        return Cell(
            label=label,
            href=self._to(f"boxes/{place}"),
            name=self._sentence(PlaceRef(place), letters, [], untold, marks),
            families="".join(letters),
            ferocity=self._ferocity(letters),
            untold=untold,
            box=True,
            marks=marks,
        )

    def board(self) -> Map:
        """Every place of the map in its row, with what is known to stand there."""
        return [(self._thing(TerritoryRef(one)), list(self._spots(one))) for one in TERRITORIES]

    def _spots(self, territory: str) -> Iterator[Spot]:
        for area in track(territory):
            yield self._spot(
                area,
                area.rpartition("-")[2],
                self._to(f"areas/{area}"),
                self._counters(area),
            )
        for box in ("caught", "escape"):
            place = f"{territory}-{box}"
            spot = self._spot(place, self._say(f"table.{box}"), self._to(f"boxes/{place}"), ())
            yield structs.replace(spot, is_box=True)

    def _spot(self, place: str, label: str, href: str, counters: Iterable[tuple[Counter, str]]) -> Spot:
        letters, found = self._letters(place), list(counters)
        things = [*map(self._family_name, letters), *(said for _, said in found)]
        return Spot(
            place=place,
            label=label,
            name=self._thing(PlaceRef(place)),
            href=href,
            families="".join(letters),
            counters=tuple(counter for counter, _ in found),
            things=self._list(things) if things else "",
        )

    def _in(self, area: str) -> Any:
        return lambda field: self._at.counters(area, field)

    def _counters(self, area: str) -> Iterator[tuple[Counter, str]]:
        """The counters in an Area, each as its sign and in words."""
        for field in FIELDS:
            value = self._at.counters(area, field)
            if isinstance(value, Unknown) or not value:
                continue
            term = self._thing(LABELS[field])
            if field in COUNTED:
                yield Counter(field, str(value)), self._say("table.so-many", thing=term, count=value)
            elif field == "fort":
                yield Counter(field, value[0].upper()), self._thing(Term(f"nw.fort.{value}"))
            else:
                yield Counter(field), term

    def _letters(self, place: str) -> list[str]:
        families = self._at.position.families
        if families is UNSET:
            return []
        return [letter for letter in sorted(families) if certain(self._at.family(letter).at == place)]

    def _ferocity(self, letters: list[str]) -> str:
        return shown(self._at.family(letters[0]).ferocity) if len(letters) == 1 else ""

    def _sentence(
        self, place: Ref, letters: list[str], counters: list[str], untold: bool, marks: frozenset[Mark]
    ) -> str:
        """A cell as one sentence."""
        things = [self._family_said(letter) for letter in letters] + counters
        things += [self._say("table.untold")] if untold else []
        things = things or [self._say("table.empty")]
        said = {"answer": "table.answer-here", "here": "table.here", "changed": "table.changed"}
        things += [self._say(said[mark]) for mark in sorted(marks)]
        return self._say("table.cell", place=self._thing(place), things=self._list(things))

    def _family_said(self, letter: str) -> str:
        told = shown(self._at.family(letter).ferocity)
        return self._say("table.with-ferocity", family=self._family_name(letter), ferocity=told)

    def _family_name(self, letter: str) -> str:
        kind = wordings.kind_of(self._game, letter)
        return letter if kind is None else self._thing(kind.words[letter])

    def _list(self, things: list[str]) -> str:
        return format_list(things, style="unit", locale=self._reader.lang)

    def _start(self) -> Start:
        told = self._value((SANTA_FE, "raid"))
        count = self._say("table.so-many", thing=self._thing(LABELS["raid"]), count=shown(told))
        title = self._thing(Term("nw.santa_fe"))
        name = self._say("table.cell", place=title, things=count)
        marks = self._marks.of(SANTA_FE) | self._marks.of("santa-fe")
        return Start(title, self._to(f"boxes/{SANTA_FE}"), name, shown(told), marks)

    def key(self) -> list[tuple[Any, str]]:
        """What each sign means."""
        return [(draw.sign(sign), self._thing(LABELS[sign])) for sign in FIELDS]

    # -- below the map --

    def families(self) -> list[FamilyCard]:
        """Every Family that is in play, or of which it was not told."""
        return [self._family(letter) for letter in LETTERS if not refuted(self._at.family(letter).in_play)]

    def absent(self) -> list[tuple[str, str]]:
        """The Families that are not in play: their letter, and where that is put right."""
        gone = [letter for letter in LETTERS if refuted(self._at.family(letter).in_play)]
        return [(letter, self._to(f"families/{letter}")) for letter in gone]

    def _family(self, letter: str) -> FamilyCard:
        family = self._at.family(letter)
        place = family.at
        manuelito = family.is_manuelitos
        return FamilyCard(
            letter,
            self._to(f"families/{letter}"),
            UNTOLD if isinstance(place, Unknown) else self._thing(PlaceRef(place)),
            self._say("table.ferocity", ferocity=shown(family.ferocity)).replace(" ", NO_BREAK),
            self._thing(LABELS["manuelito"]) if certain(manuelito) else "",
            [Member(self._thing(LABELS[kind]), _state(getattr(family, kind))) for kind in MEMBERS],
        )

    def boxes(self) -> list[Box]:
        """Boxes with counters, and the cards."""
        box = self._box
        return [
            box("elders", [(str(space), ("elders", str(space - 1))) for space in range(1, 8)]),
            box("resources", [(self._resource(name), ("resources", name)) for name in RESOURCES]),
            box("passage_of_time", [(self._label(name), ("passage_of_time", name)) for name in PASSAGE]),
            *(self._cubes(name) for name in CUBE_BOXES),
            self._lines("raided_box", [("raided_box", name) for name in ("enemy_ap", "instruction")]),
            self._lines("cards", [("cards", name) for name in CARDS]),
            *(self._lines(name, [(name,)]) for name in ALONE),
        ]

    def display(self) -> list[Box]:
        """The columns of the Instruction Display."""
        return [self._column(name) for name in COLUMNS]

    def display_title(self) -> str:
        """What the columns are together."""
        return self._label("instructions")

    def _label(self, name: str) -> str:
        label = capital(self._thing(LABELS[name]))
        return self._say("table.box-counters", box=label) if name == "raided_box" else label

    def _resource(self, name: str) -> str:
        """A resource in its box, where the corn need not be called a counter, which fills a cell in every language."""
        return capital(self._thing(Term("nw.corn"))) if name == "corn" else self._label(name)

    def _lines(self, name: str, paths: list[tuple[str, ...]]) -> Box:
        cells = [self._cell(self._label(path[-1]), path) for path in paths]
        return Box(self._label(name), self._to(f"boxes/{name}"), cells, "lines")

    def _box(self, name: str, places: Iterable[tuple[str, tuple[str, ...]]]) -> Box:
        cells = [self._cell(label, path) for label, path in places]
        return Box(self._label(name), self._to(f"boxes/{name}"), cells)

    def _cell(self, label: str, path: tuple[str, ...], look: str = "") -> BoxCell:
        value = self._value(path)
        pointer = "/" + "/".join(path)
        changed = any(one == pointer or one.startswith(f"{pointer}/") for one in self._marks.changed)
        return BoxCell(label, self._said(path, value), value is not UNSET, changed, look)

    def _cubes(self, box: str) -> Box:
        cells = [
            self._cell(self._thing(Term(f"nw.cube.{one}")), (box, one), f"cube {one}") for one in COLOURS
        ]
        return Box(self._label(box), self._to(f"boxes/{box}"), cells)

    def _column(self, name: str) -> Box:
        places = [(str(place + 1), ("instructions", name, str(place))) for place in range(6)]
        return structs.replace(self._box(name, places), layout="column")

    def _said(self, path: tuple[str, ...], value: Any) -> str:
        if value in (UNSET, NOT_TOLD):
            return UNTOLD
        if isinstance(value, int) and not isinstance(value, bool) and path[0] != "cards":
            return str(value)
        if path[0] == "instructions" and value is not None:
            return self._instruction(value)
        return wordings.value(self._reader, self._game, wordings.type_at(self._game.name, path), value)

    def _instruction(self, counter: Any) -> str:
        kind = wordings.kind_of(self._game, counter.name)
        name = counter.name if kind is None else self._thing(kind.words[counter.name])
        return name if counter.cost is UNSET else f"{name} ({counter.cost})"

    # -- a value by its place --

    def _value(self, path: tuple[str, ...]) -> Any:
        """What is told at a place; UNSET where it is not."""
        return value_at(self._at, path)

    def rows(self, *pointers: str) -> list[Row]:
        """Facts to be looked at and put right."""
        found = [(pointer, tuple(parts(pointer))) for pointer in pointers]
        return [self._row(pointer, path) for pointer, path in found if not self._is_of_nobody(path)]

    def _is_of_nobody(self, path: tuple[str, ...]) -> bool:
        """Is this of a Family that is not in play, of which there is nothing to tell but where it is?"""
        return path[0] == "families" and path[-1] != "at" and refuted(self._at.family(path[1]).in_play)

    def _row(self, pointer: str, path: tuple[str, ...]) -> Row:
        row = facts.row(self._game, pointer, self._value(path), self._reader, self._short(path))
        return self._or_gone(path[1], row) if (path[0], path[-1]) == ("families", "at") else row

    def _or_gone(self, letter: str, row: Row) -> Row:
        """Where a Family is; of one that is not in play nothing else is told either."""
        gone = refuted(self._at.family(letter).in_play)
        told = facts.written({f"/families/{letter}": None})
        choice = facts.Choice(self._say("table.not-in-play"), told, gone)
        groups = [*(one for one in row.groups if one.title), facts.Group("", [choice])]
        value = self._say("table.absent") if gone else row.value
        return structs.replace(row, groups=groups, value=value, told=row.told or gone)

    def _short(self, path: tuple[str, ...]) -> str:
        """A fact by its field alone, where the page says whose it is."""
        if path[0] in CUBE_BOXES:
            return capital(self._thing(Term(f"nw.cube.{path[-1]}")))
        return self._label("drought" if path[0] == "territories" else path[-1])

    def pointers_of(self, kind: str, name: str) -> list[str] | None:
        """The facts of an Area, a Family, a box or a track; None where there is no such thing."""
        if kind == "areas" and name in PLACES and name[-1].isdigit():
            return [f"/areas/{name}/{field}" for field in FIELDS]
        if kind == "families" and name in LETTERS:
            return [f"/families/{name}/{field}" for field in ("at", "ferocity", *MEMBERS)]
        if kind == "tracks" and name in TRACKS:
            return [f"/tracks/{name}"]
        return self._of_box(name) if kind == "boxes" else None

    def _of_box(self, name: str) -> list[str] | None:
        if name in TERRITORIES and name != CANYON:
            return [f"/territories/{name}/drought"]
        if name in COLUMNS:
            return [f"/instructions/{name}"]
        parts_of = {
            "resources": RESOURCES,
            "passage_of_time": PASSAGE,
            "raided_box": ("enemy_ap", "instruction"),
            SANTA_FE: ("raid",),
            "cards": CARDS,
            **dict.fromkeys(CUBE_BOXES, COLOURS),
        }
        if name in parts_of:
            return [f"/{name}/{part}" for part in parts_of[name]]
        if name in (*ALONE, "elders"):
            return [f"/{name}"]
        return [] if name in PLACES and not name[-1].isdigit() else None

    def address(self, pointer: str) -> str:
        """Where the fact at a pointer is put right."""
        first, *rest = [*parts(pointer), ""]
        if first in ("areas", "families", "tracks") and rest[0]:
            return self._to(f"{first}/{rest[0]}")
        if first in ("territories", "instructions") and rest[0]:
            return self._to(f"boxes/{rest[0]}")
        return self._to(f"boxes/{first}") if first in BOXES else self._to("table")

    def title_of(self, kind: str, name: str) -> str:
        """What an Area, a Family, a box or a track is called."""
        if kind == "families":
            return self._family_name(name)
        if name in PLACES:
            return self._thing(PlaceRef(name))
        return self._thing(TerritoryRef(name)) if name in TERRITORIES else self._label(name)

    def also(self, kind: str, name: str) -> list[facts.Group]:
        """What else can be put right there: who is in a place."""
        if kind == "families" or name not in PLACES:
            return []
        here = self._letters(name)
        choices = [
            facts.Choice(
                self._family_name(letter), facts.written({f"/families/{letter}/at": name}), letter in here
            )
            for letter in LETTERS
        ]
        return [facts.Group(self._say("table.who-is-here"), choices)]

    def tracks(self) -> list[tuple[str, str, str, bool]]:
        """The six tracks: name, label, number, and whether it was changed."""
        return [
            (
                name,
                self._label(name),
                shown(self._value(("tracks", name))),
                f"/tracks/{name}" in self._marks.changed,
            )
            for name in TRACKS
        ]


def _state(truth: Any) -> str:
    return "untold" if not is_told(truth) else "there" if truth else "absent"


def value_at(at: Board, path: tuple[str, ...]) -> Any:
    """What is told at a place of the position; UNSET where it is not."""
    match path:
        case ("areas", area, field):
            return known(at.counters(area, field))
        case ("families", letter, field):
            return _of_family(at, letter, field)
        case ("territories", territory, "drought"):
            return known(at.drought(territory))
        case (box, colour) if box in CUBE_BOXES:
            cubes = cubes_in(at, box)
            return UNSET if isinstance(cubes, Unknown) else known(getattr(cubes, colour))
    value: Any = at.position
    for part in path:
        if value is UNSET or value is None:
            return value
        value = value[int(part)] if isinstance(value, tuple) else getattr(value, part)
    return value


def _of_family(at: Board, letter: str, field: str) -> Any:
    family = at.family(letter)
    told = known(family.at if field == "at" else getattr(family, field))
    return str(told) if field == "at" and told is not UNSET else told


def places_in(value: Any) -> Iterator[str]:
    """The places that an answer or a note names."""
    if isinstance(value, str):
        if value in PLACES or value == "santa-fe":
            yield value
    elif isinstance(value, dict):
        for one in value.values():
            yield from places_in(one)
    elif isinstance(value, list | tuple):
        for one in value:
            yield from places_in(one)
