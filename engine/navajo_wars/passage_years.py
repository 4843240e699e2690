"""Section 3.3, steps 7, 8 and 10: Elders die, a Territory recovers from Drought, and card #41."""

from __future__ import annotations

from typing import Any, Literal

from engine.chance import Die
from engine.flow import Where
from engine.messages import message
from engine.navajo_wars.board import Board
from engine.navajo_wars.consequences import change_track
from engine.navajo_wars.cubes import count, cubes_in
from engine.navajo_wars.elders import SPACES
from engine.navajo_wars.map import TERRITORY_NAME, TerritoryRef, territory_of
from engine.navajo_wars.outposts import DIE_SYMBOL, territory_of_die
from engine.questions import Option, Question, Read, ask, known
from engine.verdict import Truth, Unknown, every, must_know

# -- step 7: the Elder death check -------------------------------------------------------------------

DEATH_ROLL = message(
    "elder-death-roll",
    "Elder death check, space %(space)s of the Elder Display: roll a die; at %(level)s or less the Elder dies.",
)
ELDER_DIES = message(
    "elder-dies",
    "The Elder in space %(space)s rolls %(die)s against the Elder level %(level)s, dies and goes to the Out of Play Box.",
)
ELDER_LIVES = message(
    "elder-lives", "The Elder in space %(space)s rolls %(die)s against the Elder level %(level)s and stays."
)


def next_to_check(at: Board) -> int | None:
    """The next space with an Elder who has a level and has not been checked, from the left."""
    elders, checked = must_know(at.elders), at.recall("checked")
    waiting = (space for space in SPACES if elders[space - 1] > checked[space - 1])
    return next((space for space in waiting if at.elder_level(space)), None)


def ask_death_roll(at: Board) -> Question:
    """A die for each Elder with a level."""
    space = next_to_check(at)
    return known(None) if space is None else ask(DEATH_ROLL, Die(), space=space, level=at.elder_level(space))


def death_roll(at: Board, die: int | None) -> tuple[Board, Where]:
    """The Elder level or less is death."""
    space = next_to_check(at)
    if die is None or space is None:
        return at, "recovery-roll"
    rolled = {"space": space, "die": die, "level": at.elder_level(space)}
    if die <= at.elder_level(space):
        at = at.set_elders_in(space, must_know(at.elders_in(space)) - 1)
        return at.tell(ELDER_DIES, "nw:3.3.s7.elder-death", **rolled), "elder-death"
    checked: list[int] = list(at.recall("checked"))
    checked[space - 1] += 1
    at = at.remember(checked=tuple(checked))
    return at.tell(ELDER_LIVES, "nw:3.3.s7.elder-death", **rolled), "elder-death"


# -- step 8: a Territory recovers --------------------------------------------------------------------

RECOVERY_ROLL = message(
    "recovery-roll", "Passage of Time step 8: roll a die for the Territory that loses a Drought counter."
)
RECOVERED = message("drought-removed", "A Drought counter is removed from the Territory %(territory)s.")
NO_DROUGHT = message("no-drought-there", "There is no Drought counter in the Territory %(territory)s.")
NOTHING_RECOVERS = message(
    "nothing-recovers", "No adjacent Territory can lose a Drought counter instead: nothing happens."
)
READ_NEIGHBOUR = message(
    "read-lowest-neighbour",
    "Which Territory adjacent to the Territory %(territory)s has the lowest die symbol?",
)

Neighbour = Literal[
    "shiprock", "san-juan-valley", "zuni-mountains", "monument-valley", "hopi-land", "black-mesa"
]
# All that the glossary says of the map: Shiprock touches Zuni Mountains and San Juan Valley.
LOWEST_KNOWN = {
    "shiprock": "san-juan-valley",
    "san-juan-valley": "shiprock",
    "zuni-mountains": "shiprock",
}


def ask_recovery_roll(_: Board) -> Question:
    """The die that names the Territory."""
    return ask(RECOVERY_ROLL, Die())


def recovery_roll(at: Board, die: int) -> tuple[Board, Where]:
    """A Drought counter there is removed; if there is none, a neighbour's."""
    territory = territory_of_die(die)
    if must_know(at.drought(territory)):
        return remove_drought(at, territory, "nw:3.3.s8.recovery", "nw:1.7.2.die-symbol"), "return-corn"
    at = at.tell(NO_DROUGHT, "nw:3.3.s8.recovery", "nw:1.7.2.die-symbol", territory=TerritoryRef(territory))
    return at.remember(die=die), "recovery-neighbour"


def remove_drought(at: Board, territory: str, *rules: str) -> Board:
    """One Drought counter less."""
    at = at.set_drought(territory, must_know(at.drought(territory)) - 1)
    return at.tell(RECOVERED, *rules, territory=TerritoryRef(territory))


def ask_neighbour(at: Board) -> Question:
    """The adjacent Territory with the lowest die symbol: from the connections named, the glossary, or the map."""
    here = territory_of_die(must_know(at.recall("die")))
    lowest = lowest_neighbour(at, here)
    if lowest is not None:
        return known(lowest)
    options = tuple(
        Option(one, TERRITORY_NAME, {"territory": TerritoryRef(one)}) for one in DIE_SYMBOL if one != here
    )
    return ask(READ_NEIGHBOUR, Read(Neighbour, options), territory=TerritoryRef(here))


def lowest_neighbour(at: Board, here: str) -> str | None:
    """The adjacent Territory with the lowest die symbol, as far as it is known; the Canyon has no symbol."""
    pairs: Any = at.components.connections or ()
    joined = {frozenset(map(territory_of, pair)) for pair in pairs if "santa-fe" not in pair}
    known_ones = [LOWEST_KNOWN.get(here), *(one for one in DIE_SYMBOL if frozenset((here, one)) in joined)]
    return next((one for one in DIE_SYMBOL if one != here and one in known_ones), None)


def neighbour_recovers(at: Board, neighbour: str) -> tuple[Board, Where]:
    """That one loses a Drought counter, if it has one and the roll allows it (C63)."""
    here = territory_of_die(must_know(at.recall("die")))
    rule = "nw:3.3.s8.recovery-else"
    higher = DIE_SYMBOL.index(neighbour) > DIE_SYMBOL.index(here)
    closed = higher and at.choice("recovery-neighbour") == "lower-than-roll"
    if closed or not must_know(at.drought(neighbour)):
        return at.tell(NOTHING_RECOVERS, rule), "return-corn"
    return remove_drought(at, neighbour, rule), "return-corn"


# -- step 10: card #41 -------------------------------------------------------------------------------

CARD_41 = message(
    "card-41-morale",
    "Card #41 is removed from the game and fewer than 3 cubes are in the Subjugation of New Mexico Box: Enemy Morale "
    "falls by 1.",
)


def card_41(at: Board) -> tuple[Board, Where]:
    """Enemy Morale falls while card #41 is removed and New Mexico is not subjugated."""
    if must_know(every((at.is_removed(41), few_cubes(at)))):
        at = at.tell(CARD_41, "nw:3.3.s10.card41")
        at = change_track(at, "enemy_morale", -1, "nw:3.3.s10.card41")
    return at, "cube-reset"


def few_cubes(at: Board) -> Truth:
    """Fewer than 3 red cubes in the box; others count only if so chosen (C45)."""
    cubes = cubes_in(at, "subjugation")
    if isinstance(cubes, Unknown):
        return cubes
    if cubes.red < 3 <= count(cubes):
        return at.choice("card-41-cubes") == "red-cubes"
    return cubes.red < 3
