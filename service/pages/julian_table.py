"""The table of Julian: the sequence of play, hands and pool, commands, what was played, and the combat."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, get_args

from msgspec import UNSET, Struct, structs

from engine.game import Game
from engine.julian.board import MARKER, PHASE, PLAYER, Board
from engine.julian.naming import LABELS
from engine.julian.position import MARKERS, Combat, OptionalPhase, Phase, Play, Subphase
from engine.messages import Ref
from engine.pointers import parts
from engine.verdict import Unknown, is_told
from service import wordings
from service.languages import Reader, capital
from service.pages import facts, words
from service.pages.facts import Row
from service.pages.table import UNTOLD, Box, BoxCell, Marks, To, known, shown
from service.pages.table import Board as Map

words.sentences(
    {
        "jul.now": "now",
        "jul.past": "past",
        "jul.to-come": "to come",
        "jul.not-in-use": "not in use",
        "jul.hidden": "hidden",
        "jul.options": "Phases of the optional rules",
        "jul.hand": "Hand: %(player)s",
        "jul.count": "How many in all",
        "jul.drawn": "drawn",
        "jul.not-drawn": "not drawn",
        "jul.active": "active",
        "jul.sequence": "Sequence of play",
        "jul.what-now": "What may I play now?",
    }
)

PHASES: tuple[Phase, ...] = get_args(Phase)
SUBPHASES: tuple[Subphase, ...] = get_args(Subphase)
OPTIONAL: tuple[OptionalPhase, ...] = get_args(OptionalPhase)
WHERE = ("turn", "phase", "active", "operations_phase", "subphase", "options")
SIDES = ("roman", "barbarian")
ALONE = ("treasury", "commands", "played", "last_play", "last_roll", "combat")
TRACKS = ("turn", "treasury")


class Place(Struct, frozen=True):
    """A place of the sequence of play: past, now, to come, or not in use."""

    label: str
    state: str
    said: str
    parts: list[Place] = []


class Table:
    """What a Julian table shows in one language; `to` leads to what is named there."""

    def __init__(self, game: Game, at: Any, reader: Reader, to: To, marks: Marks | None = None) -> None:
        self._game = game
        self._at: Board = at
        self._reader = reader
        self._say = words.sayer(reader.lang)
        self._to = to
        self._marks = marks or Marks()

    def board(self) -> Map:
        """No map is drawn here."""
        return []

    def _thing(self, ref: Ref) -> str:
        return facts.thing(self._reader, ref)

    # -- where the game stands --

    def sequence(self) -> list[Place]:
        """The phases of a turn, in their order."""
        now = self._at.position.phase
        return [self._place(phase, now) for phase in PHASES]

    def _place(self, phase: Phase, now: Any) -> Place:
        state = _state(PHASES, phase, now)
        if phase in OPTIONAL and state != "now" and self._unused(phase):
            state = "not-in-use"
        inner = self._subphases() if phase == "operations" and now == phase else []
        return Place(capital(self._thing(PHASE[phase])), state, self._said(state), inner)

    def _said(self, state: str) -> str:
        return self._say(f"jul.{state}") if state != "untold" else UNTOLD

    def _unused(self, phase: str) -> bool:
        options = self._at.position.options
        return options is not UNSET and phase not in options

    def _subphases(self) -> list[Place]:
        now = self._at.position.subphase
        found = []
        for one in SUBPHASES:
            kind = wordings.kind_of(self._game, *SUBPHASES)
            label = one if kind is None else self._thing(kind.words[one])
            state = _state(SUBPHASES, one, now if now is not None else UNSET)
            found.append(Place(capital(label), state, self._said(state)))
        return found

    # -- boxes --

    def boxes(self) -> list[Box]:
        """Everything on the table but the sequence."""
        return [
            self._facts("where", self.title_of("boxes", "where"), WHERE),
            *(self._markers(side) for side in SIDES),
            self._markers("pool"),
            self._commands(),
            *(self._alone(name) for name in ALONE if name != "commands"),
        ]

    def _label(self, name: str) -> str:
        return self._say("jul.options") if name == "options" else capital(self._thing(LABELS[name]))

    def _facts(self, name: str, title: str, fields: tuple[str, ...]) -> Box:
        cells = [self._cell(field) for field in fields]
        return Box(title, self._to(f"boxes/{name}"), cells, "lines")

    def _alone(self, name: str) -> Box:
        """What stands by itself; of plays and of the combat each part in a row of its own."""
        told = value_at(self._at, (name,))
        changed = any(one == f"/{name}" or one.startswith(f"/{name}/") for one in self._marks.changed)
        if isinstance(told, Combat):
            rows = self._combat(told)
        else:
            plays = told if isinstance(told, tuple) else (told,)
            rows = [self._play(one) for one in plays if isinstance(one, Play)]
        cells = [BoxCell(label, value, changed=changed) for label, value in rows if value]
        box = self._facts(name, self._label(name), (name,))
        return structs.replace(box, cells=cells) if cells else box

    def _play(self, one: Play) -> tuple[str, str]:
        """A marker that was played: by whom, and what is told of it."""
        player = UNTOLD if one.by is UNSET else capital(self._thing(PLAYER[one.by]))
        counted = isinstance(one.combat, str) and one.combat.isdecimal()  # no name that a player has given
        return player, self._together(structs.replace(one, combat=UNSET) if counted else one, but="by")

    def _combat(self, one: Combat) -> list[tuple[str, str]]:
        """A combat: its sides and what doubles them, and each of its units by its name."""
        units = () if one.units is UNSET else one.units
        return [
            *self._parts(one, but=("id", "units")),
            *((unit.id, self._together(unit, but="id")) for unit in units),
        ]

    def _together(self, one: Struct, but: str) -> str:
        """What is told of a thing beside its name, in one row."""
        kind = type(one)
        told = ((field, getattr(one, field)) for field in one.__struct_fields__ if field != but)
        said = (
            wordings.with_label(self._reader, self._game, kind, field.rstrip("_"), value)
            for field, value in told
            if not (value is UNSET or value is None or value is False or value == 0)
        )
        return " · ".join(one for one in said if one)

    def _parts(self, one: Struct, but: tuple[str, ...]) -> Iterator[tuple[str, str]]:
        """What is told of a thing, each fact with its label."""
        for field in one.__struct_fields__:
            value, label = getattr(one, field), self._game.names.label(type(one).__name__, field)
            if field not in but and label is not None and value is not UNSET and value != ():
                kind = wordings.type_in(type(one), field)
                yield capital(self._thing(label)), wordings.value(self._reader, self._game, kind, value)

    def _cell(self, field: str) -> BoxCell:
        value = value_at(self._at, (field,))
        kind = wordings.type_at(self._game.name, (field,))
        text = UNTOLD if value is UNSET else wordings.value(self._reader, self._game, kind, value)
        return BoxCell(self._label(field), text, value is not UNSET, f"/{field}" in self._marks.changed)

    def _markers(self, place: str) -> Box:
        """A hand or the pool: each marker, and how many lie face down."""
        found = self._at.markers(place)
        title = self.title_of("boxes", place)
        cells = []
        for marker in MARKERS:
            count = self._at.seen(place, marker)
            cells.append(BoxCell(self._thing(MARKER[marker]), shown(known(count)), is_told(count)))
        unseen = UNSET if isinstance(found, Unknown) else found.hidden
        if unseen is UNSET or unseen:
            cells.append(
                BoxCell(self._say("jul.hidden"), shown(unseen), unseen is not UNSET, look="face-down")
            )
        return Box(title, self._to(f"boxes/{place}"), cells)

    def _commands(self) -> Box:
        told = self._at.position.commands
        cells = [] if told is UNSET else [self._command(one) for one in told]
        if told is UNSET:
            cells = [BoxCell(self._label("commands"), UNTOLD, told=False)]
        return Box(self._label("commands"), self._to("boxes/commands"), cells, "lines")

    def _command(self, one: Any) -> BoxCell:
        side = UNTOLD if one.side is UNSET else self._thing(PLAYER[one.side])
        said = [side]
        if one.drawn is not UNSET:
            said.append(self._say("jul.drawn" if one.drawn else "jul.not-drawn"))
        if one.active is True:
            said.append(self._say("jul.active"))
        return BoxCell(one.name, " · ".join(said), look="active" if one.active is True else "")

    # -- facts to be put right --

    def rows(self, *pointers: str) -> list[Row]:
        """Facts to be looked at and put right."""
        return [
            facts.row(self._game, pointer, value_at(self._at, path), self._reader, self._short(path))
            for pointer in pointers
            for path in [tuple(parts(pointer))]
        ]

    def _short(self, path: tuple[str, ...]) -> str:
        """A fact by its field alone, where the page says whose it is; of a command with its name."""
        if path[-1] == "count":
            return self._say("jul.count")
        if path[0] == "commands" and len(path) > 1:
            name = self._at.position.commands[int(path[1])].name  # type: ignore[index]  # one of those listed
            return self._say("table.is", label=name, value=self._label(path[2]))
        return self._label(path[-1])

    def pointers_of(self, kind: str, name: str) -> list[str] | None:
        """The facts of a box or a track; None where there is no such thing."""
        if kind == "tracks" and name in TRACKS:
            return [f"/{name}"]
        if kind != "boxes":
            return None
        if name == "where":
            return [f"/{field}" for field in WHERE]
        if name in (*SIDES, "pool"):
            base = "/pool" if name == "pool" else f"/hands/{name}"
            return [f"{base}/{part}" for part in (*MARKERS, "count")]
        if name == "commands":
            told = self._at.position.commands
            many = 0 if told is UNSET else len(told)
            each = [
                f"/commands/{place}/{part}" for place in range(many) for part in ("side", "drawn", "active")
            ]
            return ["/commands", *each]
        return [f"/{name}"] if name in ALONE else None

    def address(self, pointer: str) -> str:
        """Where the fact at a pointer is put right."""
        first, *rest = [*parts(pointer), ""]
        box = rest[0] if first == "hands" else "where" if first in WHERE else first
        known = (*SIDES, "pool", "where", *ALONE)
        return self._to(f"boxes/{box}") if box in known else self._to("table")

    def title_of(self, kind: str, name: str) -> str:  # noqa: ARG002  every game's table is asked so
        """What a box or a track is called."""
        if name == "where":
            return self._say("tracks")
        return self._say("jul.hand", player=self._thing(PLAYER[name])) if name in SIDES else self._label(name)

    def also(self, kind: str, name: str) -> list[facts.Group]:  # noqa: ARG002  every game's table is asked so
        """Nothing but the facts themselves."""
        return []


def _state(order: tuple[str, ...], one: str, now: Any) -> str:
    """Where a place of a sequence lies, seen from now."""
    if now is UNSET or now not in order:
        return "untold"
    here, there = order.index(now), order.index(one)
    return "now" if here == there else "past" if there < here else "to-come"


def value_at(at: Board, path: tuple[str, ...]) -> Any:
    """What is told at a place of the position; UNSET where it is not."""
    if path[0] in ("hands", "pool") and path[-1] in MARKERS:
        return known(at.seen(path[-2], path[-1]))
    if path[0] in ("hands", "pool") and path[-1] == "count":
        return known(at.size(path[-2]))
    value: Any = at.position
    for part in path:
        if value is UNSET or value is None:
            return value
        value = value[int(part)] if isinstance(value, tuple) else getattr(value, part)
    return value
