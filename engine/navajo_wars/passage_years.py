"""Section 3.3, steps 7, 8 and 10: Elders die, a Territory recovers from Drought, and card #41."""

from __future__ import annotations

from engine.chance import Die
from engine.messages import message
from engine.navajo_wars.board import Board
from engine.navajo_wars.consequences import change_track
from engine.navajo_wars.cubes import count, cubes_in, cubes_of
from engine.navajo_wars.droughts import end_drought, end_drought_instead, rolled
from engine.navajo_wars.elders import SPACES
from engine.navajo_wars.passage_memory import PassageMemory
from engine.questions import Question, ask, known
from engine.tables import Where
from engine.verdict import Truth, Unknown, certain, every, must_know

# -- step 7: the Elder death check -------------------------------------------------------------------

DEATH_ROLL = message(
    "elder-death-roll",
    "Elder death check, space %(space)s of the Elder Display: roll a die; the Elder dies if the result is not greater than %(level)s.",
)
ELDER_DIES = message(
    "elder-dies",
    "The Elder in space %(space)s rolls %(die)s against Elder level %(level)s, dies and goes to the "
    "Out of Play Box.",
)
ELDER_LIVES = message(
    "elder-lives", "The Elder in space %(space)s rolls %(die)s against Elder level %(level)s and stays."
)


def next_to_check(at: Board, checked: tuple[int, ...]) -> int | None:
    """The next space with an Elder who has a level and has not been checked, from the left."""
    elders = must_know(at.elders)
    waiting = (space for space in SPACES if elders[space - 1] > checked[space - 1])
    return next((space for space in waiting if at.elder_level(space)), None)


def ask_death_roll(at: Board, noted: PassageMemory) -> Question:
    """A die for each Elder with a level."""
    space = next_to_check(at, noted.checked)
    return known(None) if space is None else ask(DEATH_ROLL, Die(), space=space, level=at.elder_level(space))


def death_roll(at: Board, noted: PassageMemory, die: int | None) -> tuple[Board, Where]:
    """The Elder level or less is death."""
    space = next_to_check(at, noted.checked)
    if die is None or space is None:
        return at, "recovery-roll"
    rolled = {"space": space, "die": die, "level": at.elder_level(space)}
    if die <= at.elder_level(space):
        at = at.set_elders_in(space, must_know(at.elders_in(space)) - 1)
        return at.tell(ELDER_DIES, "nw:3.3.s7.elder-death", **rolled), "elder-death"
    checked = list(noted.checked)
    checked[space - 1] += 1
    at = at.remember(checked=tuple(checked))
    return at.tell(ELDER_LIVES, "nw:3.3.s7.elder-death", **rolled), "elder-death"


# -- step 8: a Territory recovers --------------------------------------------------------------------

RECOVERY_ROLL = message(
    "recovery-roll", "Passage of Time step 8: roll a die for the Territory that loses a Drought counter."
)


def ask_recovery_roll(_: Board, _noted: PassageMemory) -> Question:
    """The die that names the Territory."""
    return ask(RECOVERY_ROLL, Die())


def recovery_roll(at: Board, _noted: PassageMemory, die: int) -> tuple[Board, Where]:
    """A Drought counter there is removed; if there is none, a neighbour's."""
    at, recovered = end_drought(at, die, "nw:3.3.s8.recovery")
    return (at, "return-corn") if recovered else (at.remember(die=die), "recovery-neighbour")


def neighbour_recovers(at: Board, noted: PassageMemory, neighbour: str | None) -> Board:
    """That one loses a Drought counter, if it has one and the roll allows it (C63)."""
    return end_drought_instead(at, rolled(noted), neighbour, "nw:3.3.s8.recovery-else")


# -- step 10: card #41 -------------------------------------------------------------------------------

CARD_41 = message(
    "card-41-morale",
    "Card #41 has been removed from the game, and there are fewer than 3 red cubes in the Subjugation of New Mexico Box.",
)


def card_41(at: Board, _noted: PassageMemory) -> Board:
    """Enemy Morale falls while card #41 is removed and New Mexico is not subjugated."""
    if must_know(every((at.is_removed(41), few_cubes(at)))):
        at = at.tell(CARD_41, "nw:3.3.s10.card41")
        at = change_track(at, "enemy_morale", -1, "nw:3.3.s10.card41")
    return at


def few_cubes(at: Board) -> Truth:
    """Fewer than 3 red cubes in the box; others count only if so chosen (C45)."""
    red = cubes_of(at, "subjugation", "red")
    if not certain(red < 3):
        return red < 3
    cubes = cubes_in(at, "subjugation")
    if isinstance(cubes, Unknown):
        return at.choice("card-41-cubes") == "red-cubes" or cubes
    return count(cubes) < 3 or at.choice("card-41-cubes") == "red-cubes"
