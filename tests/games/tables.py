"""Whole tables out of the golden games and of games by chance, and what somebody may ask there.

Nothing is under way at such a table: what a chart has noted is not on it, and its counters are where the chart left
them, but for those that wait in Santa Fé and the Tribal Raid Box.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from functools import cache
from random import Random
from typing import Any, NamedTuple, get_args

import msgspec
from msgspec import UNSET, inspect, structs

from engine import codec
from engine.actions import Action
from engine.game import Continue, Game, check, prepare
from engine.julian import GAME as JULIAN
from engine.julian.position import Result
from engine.navajo_wars import GAME as NAVAJO_WARS
from engine.navajo_wars.board import NEVER_IN
from engine.navajo_wars.map import AREAS, is_area, territory_of, track
from engine.navajo_wars.position import Activation, AreaState, Operation, SantaFe
from engine.options import options
from engine.transcript import Transcript
from tests.games import golden, julian_turns
from tests.games.playing import COPY, play
from tests.shown import components

SCENARIOS = ("14.1", "14.2", "14.3", "14.4", "14.5", "14.6")
KINDS = 14  # so many action kinds are asked about at one table of Navajo Wars
ANY_SORT = 0.4  # how often something of any sort is asked, too; most of that is refused at once
MOST_NUMBER = 20  # a number in an action that has no bound


class Table(NamedTuple):
    """Everything that can be seen on one table, the printed components included."""

    game: Game
    name: str
    position: Any
    choices: dict[str, str]
    components: Any

    def at(self, *, assume: bool = True) -> Any:
        """The whole of it, told."""
        return prepare(self.game, self.position, self.choices, self.components, assume=assume)


class Case(NamedTuple):
    """An action that somebody asks about at his table."""

    table: Table
    action: Any

    @property
    def kind(self) -> str:
        """The action kind."""
        return str(self.action.__struct_config__.tag)

    def __str__(self) -> str:
        return f"{self.table.name}: {msgspec.json.encode(self.action).decode()}"


# -- tables ------------------------------------------------------------------------------------------


@cache
def navajo_wars(games: int, first: int, each: int) -> tuple[Table, ...]:
    """Up to `each` tables for every row of every chart that the golden games and so many others came to."""
    copy = _read(NAVAJO_WARS, components(COPY))
    copy = structs.replace(
        copy, counter_limits={}
    )  # nobody is asked for them: public sources count the counters
    random = Random(first)
    left = [
        (name, structs.replace(position, agenda=(), santa_fe=SantaFe(0), tribal_raid_box=0))
        for name, position in _of_every_row(games, first, each, random)
    ]
    altered = [
        (f"{name}, altered", _altered(position, random)) for name, position in left if position.families
    ]
    return tuple(
        Table(NAVAJO_WARS, name, position, {}, copy)
        for name, position in (*left, *altered)
        if all(family.man or family.woman for family in position.families.values())  # else a chart takes it
    )


def _of_every_row(games: int, first: int, each: int, random: Random) -> list[tuple[str, Any]]:
    """Positions of so many games, up to `each` that stand at the same row."""
    rows: dict[Any, list[tuple[str, Any]]] = defaultdict(list)
    for name, position in (*_of_golden_games(), *_of_random_games(games, first)):
        top = position.agenda[-1] if position.agenda else None
        rows[top and (top.procedure, top.step)].append((name, position))
    return [one for row in rows.values() for one in random.sample(row, min(each, len(row)))]


@cache
def navajo_wars_under_way(games: int, first: int, each: int) -> tuple[Table, ...]:
    """The same with everything that is under way there, and with all that is printed on its copy."""
    copy, random = _read(NAVAJO_WARS, components(COPY)), Random(first)
    found = _of_every_row(games, first, each, random)
    return tuple(Table(NAVAJO_WARS, name, position, {}, copy) for name, position in found if position.agenda)


def _altered(position: Any, random: Random) -> Any:
    """The same table in the middle of a Family's activation, with enough of everything, so that much is allowed."""
    letter = random.choice(sorted(position.families))
    family = position.families[letter]
    where = family.at if is_area(family.at) else random.choice(AREAS)
    man, horse = random.random() < 0.8, random.random() < 0.5
    moved = structs.replace(family, at=where, man=man, woman=family.woman or not man, horse=horse)
    near = random.choice(track(territory_of(where)))
    placed = {
        kind: what
        for kind, what in random.choice(ALTERED).items()
        if position.period not in NEVER_IN.get(kind, ())
    }
    counters = structs.replace(position.areas.get(near, AreaState()), **placed)
    acting = Activation(
        family=letter, mp=random.randint(0, 9), spent=random.random() < 0.3, began_with_fort=False
    )
    done = () if random.random() < 0.7 else (letter,)
    operation = Operation(
        kind=random.choice(("take-actions", "take-actions", "planning")),
        activated=(letter,),
        elder_ferocity=done,
        traded=done,
        tribal=done,
    )
    tracks = structs.replace(position.tracks, ap=random.randint(0, 6), military=random.randint(0, 6))
    goods = structs.replace(position.resources, trade_goods=random.randint(0, 3), sheep=random.randint(0, 4))
    return structs.replace(
        position,
        families={**position.families, letter: moved},
        areas={**position.areas, near: counters},
        activation=acting,
        operation=operation,
        tracks=tracks,
        resources=goods,
    )


ALTERED: tuple[dict[str, Any], ...] = (  # invented: what a player may find near a Family
    {"corn": True},
    {"mission": True},
    {"rancho": True, "corn": False},
    {"fort": "defiance"},
    {"raid": 1},
    {"raid": 2, "harass": True},
    {"tribal_raid": 1},
    {"intruders": 1},
    {},
)


def _of_golden_games() -> Iterator[tuple[str, Any]]:
    for one in golden.GAMES:
        for number, position in enumerate(pauses(golden.read(one.name))):
            yield f"{one.name} {number}", position


def pauses(game: Transcript) -> Iterator[Any]:
    """Every position of a recorded game at which something was asked."""
    position: Any = game.position
    for move in game.moves:
        do: Any = move.action
        for inputs in ([], *([one] for one in move.inputs)):
            at = prepare(NAVAJO_WARS, position, game.choices, game.components)
            position, do = check(NAVAJO_WARS, at, do, inputs).position, Continue()
            yield position


def _of_random_games(games: int, first: int) -> Iterator[tuple[str, Any]]:
    for seed in range(first, first + games):
        scenario = SCENARIOS[seed % len(SCENARIOS)]
        seen: list[Any] = []
        play(scenario, seed, watch=lambda position, _, seen=seen: seen.append(position))
        for number, position in enumerate(seen):
            yield f"{scenario}, seed {seed}, pause {number}", position


@cache
def julian(turns: int, first: int, each: int) -> tuple[Table, ...]:
    """Up to `each` tables of so many game turns; every third turn has hidden hands."""
    return tuple(_of_turns(turns, first, each, under_way=False))


@cache
def julian_under_way(turns: int, first: int, each: int) -> tuple[Table, ...]:
    """The same where something is under way."""
    return tuple(_of_turns(turns, first, each, under_way=True))


def _of_turns(turns: int, first: int, each: int, *, under_way: bool) -> Iterator[Table]:
    for seed in range(first, first + turns):
        seen: list[Any] = []
        table = julian_turns.play(seed, watch=seen.append)
        found = [number for number, one in enumerate(seen) if one.get("agenda") or not under_way]
        for number in Random(seed).sample(found, min(each, len(found))):
            plain = seen[number] if under_way else {**seen[number], "agenda": []}
            told = codec.read(plain, JULIAN.position, "/position")
            if under_way:
                told = prepare(JULIAN, told, {}, {}).position
            name = f"turn {seed}, pause {number}"
            yield Table(JULIAN, name, told, table.choices, _read(JULIAN, table.components))


def _read(game: Game, printed: Any) -> Any:
    return codec.read(printed, game.components, "/components")


# -- what is asked there -----------------------------------------------------------------------------


def cases(tables: tuple[Table, ...], seed: int = 0) -> list[Case]:
    """At each table, of several action kinds: one that is allowed, one that is allowed elsewhere, one of any sort."""
    random = Random(seed)
    elsewhere: dict[str, list[Any]] = defaultdict(list)
    found: list[Case] = []
    for one in tables:
        kinds = sorted(one.game.actions)
        for kind in random.sample(kinds, min(KINDS, len(kinds))):
            action = one.game.actions[kind]
            table = _raided_by_nobody(one) if kind in BEGIN_RAIDS else one
            allowed = list(_allowed(table, kind))
            asked = [*random.sample(allowed, min(1, len(allowed)))]
            asked += random.sample(elsewhere[kind], min(1, len(elsewhere[kind])))
            elsewhere[kind] += asked[: len(allowed[:1])]
            if random.random() < ANY_SORT:
                asked += [do for do in [any_action(action, table.position, random)] if do not in asked]
            found += [Case(table, do) for do in asked]
    return found


BEGIN_RAIDS = ("enemy-raid", "tribal-raid", "instruction", "enemy-operations")


def _raided_by_nobody(table: Table) -> Table:
    """The same table without the counters of a Raid under way: another one does not begin before it has ended."""
    cleared = {
        name: structs.replace(state, raid=UNSET, tribal_raid=UNSET, harass=UNSET)
        for name, state in table.position.areas.items()
    }
    return table._replace(position=structs.replace(table.position, areas=cleared))


def _allowed(table: Table, kind: str) -> Iterator[Any]:
    for one in options(table.game, table.at(), [kind]):
        for way in one.ways:
            if not way.asks:
                yield codec.read(way.action, table.game.action_types, "/action")


def any_action(action: Action, position: Any, random: Random) -> Any:
    """Some action of a kind, by the types of its parameters alone."""
    if action.name in DESCRIBED:
        return codec.read(DESCRIBED[action.name](random), action.kind, "/action")
    info: Any = inspect.type_info(action.kind)
    told = {}
    for field in reversed(info.fields):
        if not field.required and random.random() < 0.5 and field.name != "cost":
            continue
        values = list(_values(field.type, position))
        if values and not (field.name == "vp" and told):  # the copy says what the card's are
            told[field.encode_name] = random.choice(values)
    return codec.read({"kind": action.name, **codec.write(told)}, action.kind, "/action")


def _a_combat(random: Random) -> Any:
    return julian_turns.a_combat(random)


def _a_result(random: Random) -> Any:
    forces = julian_turns.a_combat(random)
    told = {key: forces[key] for key in ("attackers", "defenders")}
    return {"kind": "combat-result", "result": random.choice(get_args(Result)), **told}


def _a_barter(random: Random) -> Any:
    horses = random.randint(0, 3)
    if random.random() < 0.5:
        return {"kind": "barter", "animals": {"horse": horses, "sheep": 3 - horses}}
    return {"kind": "barter", "corn": [random.randint(1, 3) for _ in range(3)]}


DESCRIBED = {"open-combat": _a_combat, "combat-result": _a_result, "barter": _a_barter}


def _values(kind: Any, position: Any) -> Iterator[Any]:
    """Values of a type; a name is that of a command."""
    if isinstance(kind, inspect.Metadata):
        yield from _values(kind.type, position)
    elif isinstance(kind, inspect.LiteralType):
        yield from kind.values
    elif isinstance(kind, inspect.BoolType):
        yield from (False, True)
    elif isinstance(kind, inspect.IntType):
        yield from range(kind.ge or 0, (MOST_NUMBER if kind.le is None else kind.le) + 1)
    elif isinstance(kind, inspect.NoneType):
        yield None
    elif isinstance(kind, inspect.UnionType):
        for one in kind.types:
            yield from _values(one, position)
    elif isinstance(kind, inspect.VarTupleType):
        yield ()
        yield from ((one,) for one in _values(kind.item_type, position))
    elif isinstance(kind, inspect.StrType):
        commands = getattr(position, "commands", UNSET)
        yield from () if commands is UNSET else (command.name for command in commands)
