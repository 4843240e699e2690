"""Chance: what a die or a draw can bring, with integer weights. Rule code never rolls by itself."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import islice, product
from typing import Any

from msgspec import Struct

from engine.messages import Requirement, requirement
from engine.verdict import Fact

NOT_ON_THE_DIE = requirement(
    "die-out-of-range",
    "A die shows 1 to 6; %(given)s is not possible. Name the number you rolled.",
    met="The die shows a possible number.",
)
WRONG_NUMBER_OF_DICE = requirement(
    "wrong-number-of-dice",
    "This roll uses %(need)s dice; named: %(have)s. Name one number for each die.",
    met="The right number of dice was rolled.",
)
NOT_IN_THE_BAG = requirement(
    "not-in-the-bag",
    "This cannot be drawn here: none is left to draw. Check what you drew, or correct the position.",
    met="What was drawn was there to be drawn.",
)


class Impossible(Exception):
    """An answer that the dice, the bag or the offered options cannot give."""

    def __init__(self, requirement: Requirement, **params: Any) -> None:
        super().__init__(requirement.name)
        self.requirement = requirement
        self.params = params


class Settled(Struct, frozen=True):
    """An answer that nobody has to give, because there is no other; `option` is how it would have been offered."""

    value: Any
    option: Any = None


class Die(Struct, frozen=True):
    """One six-sided die."""

    key = "die"

    def settled(self) -> None:
        """A die is always rolled."""

    def outcomes(self) -> list[tuple[int, int]]:
        """Every face with its weight."""
        return [(face, 1) for face in range(1, 7)]

    def accept(self, given: int) -> int:
        """The face the player rolled."""
        if not 1 <= given <= 6:
            raise Impossible(NOT_ON_THE_DIE, given=given)
        return given


def with_every_die(says: Callable[[int], bool]) -> bool | None:
    """What every die says; None where it depends on the die.

    >>> with_every_die(lambda die: die > 0), with_every_die(lambda die: die > 6), with_every_die(lambda die: die > 3)
    (True, False, None)
    """
    said = {says(face) for face, _ in Die().outcomes()}
    return said.pop() if len(said) == 1 else None


class Dice(Struct, frozen=True):
    """Several dice thrown together, told in the order the rule names them."""

    count: int

    key = "dice"

    def settled(self) -> None:
        """Dice are always rolled."""

    def outcomes(self) -> list[tuple[tuple[int, ...], int]]:
        """Every throw with its weight."""
        return [(throw, 1) for throw in product(range(1, 7), repeat=self.count)]

    def accept(self, given: list[int]) -> tuple[int, ...]:
        """The faces the player rolled."""
        if len(given) != self.count:
            raise Impossible(WRONG_NUMBER_OF_DICE, need=self.count, have=len(given))
        for face in given:
            if not 1 <= face <= 6:
                raise Impossible(NOT_ON_THE_DIE, given=face)
        return tuple(given)


class Draw(Struct, frozen=True):
    """One blind draw from a bag or a hand: of each kind as many as there are, or as there can be where that is hidden."""

    bag: Mapping[str, int]
    key: str  # "cube" or "marker"
    unseen: str = ""  # what is said of one that nobody names, where that is possible
    untold: Fact | None = None  # what is hidden: without it nobody knows how likely each kind is

    def settled(self) -> Settled | None:
        """The only kind there is to draw."""
        if self.unseen:
            return None
        kinds = list(islice((kind for kind, count in self.bag.items() if count > 0), 2))
        return Settled(kinds[0]) if len(kinds) == 1 else None

    def outcomes(self) -> list[tuple[str, int]]:
        """Every kind that can come out, weighted by how many there are."""
        return [(kind, count) for kind, count in self.bag.items() if count > 0]

    def accept(self, given: str) -> str:
        """The kind the player drew."""
        if self.unseen and given == self.unseen:
            return given
        if self.bag.get(given, 0) < 1:
            raise Impossible(NOT_IN_THE_BAG, given=given)
        return given
