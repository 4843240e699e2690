"""Drought counters: the Territory rolled gains or loses one, or else a neighbour (7.2.1, 7.2.2, 3.3 step 8)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Annotated, Any, ClassVar

from msgspec import Meta, Struct

from engine.exceptions import Refused
from engine.memory import NOT_NOTED, Memory, Noted
from engine.messages import Message, message
from engine.navajo_wars.board import Board
from engine.navajo_wars.components import DieTerritory
from engine.navajo_wars.map import TERRITORY_NAME, TerritoryRef, territory_of
from engine.navajo_wars.outposts import DIE_SYMBOL, territory_of_die
from engine.questions import NOT_READABLE_HERE, Option, Question, Read, ask, known
from engine.verdict import Truth, must_know, needs, refuted

DROUGHT_SPACES = 2  # of each Territory but Canyon de Chelly
SYMBOL_RULE = "nw:1.7.2.die-symbol"

ASK_ROLLED = message("ask-drought-roll", "Which number was rolled for the Territory?")


class RolledMemory(Memory, frozen=True):
    """The die that named a Territory."""

    questions: ClassVar[dict[str, Message]] = {"die": ASK_ROLLED}

    die: Noted[Annotated[int, Meta(ge=1, le=6)]] = NOT_NOTED


class Turn(Struct, frozen=True):
    """A Drought ends or begins: by how many counters, what is said of it, and which neighbour turns instead."""

    by: int
    done: Message
    nothing: Message
    asks: Message
    can: Callable[[Board, str, str], Truth]
    lowest_first: bool

    @property
    def first(self) -> str:
        """Which die symbol decides between the neighbours."""
        return "lowest" if self.lowest_first else "highest"


def turn(at: Board, way: Turn, territory: str, *rules: str) -> Board:
    """One Drought counter less, or one more."""
    at = at.set_drought(territory, must_know(at.drought(territory)) + way.by)
    return at.tell(way.done, *rules, territory=TerritoryRef(territory))


# -- a Drought ends ----------------------------------------------------------------------------------

RECOVERED = message(
    "drought-removed", "A Drought counter is removed from the Territory %(territory)s.", outcome=True
)
NO_DROUGHT = message("no-drought-there", "There is no Drought counter in the Territory %(territory)s.")
NOTHING_RECOVERS = message(
    "nothing-recovers",
    "No Drought counter is removed: the Territory rolled has none, and none may be taken from an adjacent Territory "
    "either.",
    outcome=True,
)
READ_LOWEST = message(
    "read-lowest-neighbour",
    "Which Territory adjacent to the Territory %(territory)s has the lowest die symbol?",
)


def end_drought(at: Board, die: int, rule: str) -> tuple[Board, bool]:
    """The Territory rolled loses a Drought counter, if it has one."""
    territory = territory_of_die(die)
    if must_know(at.drought(territory)):
        return turn(at, ENDS, territory, rule, SYMBOL_RULE), True
    return at.tell(NO_DROUGHT, rule, SYMBOL_RULE, territory=TerritoryRef(territory)), False


def can_lose(at: Board, here: str, neighbour: str) -> Truth:
    """A neighbour with a Drought counter can; as the other reading has it, only one below the roll (C63)."""
    drought = at.drought(neighbour) > 0
    higher = DIE_SYMBOL.index(neighbour) > DIE_SYMBOL.index(here)
    if not refuted(drought) and higher and at.choice("recovery-neighbour") == "lower-than-roll":
        return False
    return drought


ENDS = Turn(-1, RECOVERED, NOTHING_RECOVERS, READ_LOWEST, can_lose, lowest_first=True)


def ask_lowest_neighbour(at: Board, noted: RolledMemory) -> Question:
    """The adjacent Territory with the lowest die symbol, the one that loses a Drought counter instead."""
    return ask_neighbour(at, ENDS, rolled(noted))


def end_drought_instead(at: Board, here: str, neighbour: str | None, rule: str) -> Board:
    """The neighbour loses a Drought counter, if that is possible."""
    return turn_neighbour(at, ENDS, here, neighbour, rule)


# -- Drought -----------------------------------------------------------------------------------------

DRIES_OUT = message(
    "drought-placed", "A Drought counter is placed in the Territory %(territory)s.", outcome=True
)
NO_SPACE = message(
    "drought-spaces-full", "Both Drought spaces of the Territory %(territory)s hold a Drought counter."
)
NOTHING_DRIES_OUT = message(
    "nothing-dries-out",
    "No Drought counter is placed: both Drought spaces of the Territory rolled are full, and none may be "
    "placed in an adjacent Territory either.",
    outcome=True,
)
READ_HIGHEST = message(
    "read-highest-neighbour",
    "Which Territory adjacent to the Territory %(territory)s has the highest die symbol?",
)


def begin_drought(at: Board, die: int, rule: str) -> tuple[Board, bool]:
    """The Territory rolled gets a Drought counter, if one of its two Drought spaces is empty."""
    territory = territory_of_die(die)
    if must_know(at.drought(territory)) < DROUGHT_SPACES:
        return turn(at, BEGINS, territory, rule, SYMBOL_RULE), True
    rules = ("nw:13.drought-spaces", SYMBOL_RULE)
    return at.tell(NO_SPACE, *rules, territory=TerritoryRef(territory)), False


def can_gain(at: Board, here: str, neighbour: str) -> Truth:
    """A neighbour with an empty Drought space can; as the other reading has it, only one above the roll (C63)."""
    space = at.drought(neighbour) < DROUGHT_SPACES
    lower = DIE_SYMBOL.index(neighbour) < DIE_SYMBOL.index(here)
    if not refuted(space) and lower and at.choice("drought-neighbour") == "higher-than-roll":
        return False
    return space


BEGINS = Turn(+1, DRIES_OUT, NOTHING_DRIES_OUT, READ_HIGHEST, can_gain, lowest_first=False)


def ask_highest_neighbour(at: Board, noted: RolledMemory) -> Question:
    """The adjacent Territory with the highest die symbol, the one that gets the Drought counter instead."""
    return ask_neighbour(at, BEGINS, rolled(noted))


def begin_drought_instead(at: Board, here: str, neighbour: str | None, rule: str) -> Board:
    """The neighbour gets the Drought counter, if that is possible."""
    return turn_neighbour(at, BEGINS, here, neighbour, rule)


# -- the neighbours ----------------------------------------------------------------------------------

# All that the glossary says of the map: Shiprock touches Zuni Mountains and San Juan Valley, and no others.
GLOSSARY = {frozenset(("shiprock", "zuni-mountains")), frozenset(("shiprock", "san-juan-valley"))}


def rolled(noted: RolledMemory) -> str:
    """The Territory whose die symbol was rolled."""
    return territory_of_die(must_know(noted.die))


def ask_neighbour(at: Board, way: Turn, here: str) -> Question:
    """The first neighbour by die symbols; nothing is asked where none can be turned to, or the map names none."""
    others = perhaps_adjacent(at, here)
    in_order = others if way.lowest_first else others[::-1]
    first = first_adjacent(at, here, in_order) or read_before(at, way, here)
    if first is None and (at.knows_the_map or all(refuted(way.can(at, here, one)) for one in in_order)):
        return known(None)
    return ask_adjacent(way, here, first, others)


def turn_neighbour(at: Board, way: Turn, here: str, neighbour: str | None, rule: str) -> Board:
    """The neighbour changes instead, if that is possible."""
    if neighbour is None or not must_know(way.can(at, here, another(at, here, neighbour, rule))):
        return at.tell(way.nothing, rule)
    return turn(at, way, neighbour, rule)


def perhaps_adjacent(at: Board, here: str) -> list[str]:
    """The other Territories with a die symbol, the lowest first; Shiprock only where the glossary or the map joins it."""
    others = [one for one in DIE_SYMBOL if one != here]
    if at.knows_the_map:
        return others
    return [one for one in others if "shiprock" not in (here, one) or frozenset((here, one)) in GLOSSARY]


def first_adjacent(at: Board, here: str, others: Sequence[str]) -> str | None:
    """The first of these that is adjacent: by the connections named, or by the glossary where it is certain."""
    pairs: Any = at.components.connections or ()
    joined = GLOSSARY | {frozenset(map(territory_of, pair)) for pair in pairs if "santa-fe" not in pair}
    first = next((one for one in others if frozenset((here, one)) in joined), None)
    return first if first == others[0] or at.knows_the_map else None


def read_before(at: Board, way: Turn, here: str) -> str | None:
    """The neighbour that was read off the map when the same was asked before."""
    read: str | None = at.components.adjacent_territories.get(here, {}).get(way.first)
    return None if at.knows_the_map else read


def ask_adjacent(way: Turn, here: str, first: str | None, others: Sequence[str]) -> Question:
    """The neighbour that is known, or else the player's map."""
    if first is not None:
        return known(first)
    options = tuple(Option(one, TERRITORY_NAME, {"territory": TerritoryRef(one)}) for one in others)
    place = f"/components/adjacent_territories/{here}/{way.first}"
    return ask(way.asks, Read(DieTerritory, options, place=place), territory=TerritoryRef(here))


def another(at: Board, here: str, neighbour: str, rule: str) -> str:
    """A Territory is not adjacent to itself, nor to one that the glossary leaves out."""
    if neighbour not in perhaps_adjacent(at, here):
        raise Refused(needs(False, NOT_READABLE_HERE, rule, "nw:13.adjacent.territory", pointer="/inputs"))
    return neighbour
