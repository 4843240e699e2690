"""What must hold on the way of a whole game: nothing is lost, nothing is made, and the board stays possible."""

from __future__ import annotations

from collections import Counter
from typing import Any

from engine import codec
from engine.audit import audit
from engine.navajo_wars import GAME
from engine.navajo_wars.map import is_area
from tests.properties.counting import cubes
from tests.properties.playing import through_json

ROWS = ("in_play", "hand", "removed", "discarded")
COUNTERS = 12  # Instruction counters in a game


class Watch:
    """Looks at every pause of one game."""

    def __init__(self, components: Any) -> None:
        self.components = components
        self.period = ""
        self.cubes: dict[str, int] = {}
        self.cards: Counter[int] = Counter()

    def __call__(self, position: Any, deck: list[int]) -> None:
        """One pause; between two cards everything is counted."""
        looked_at = audit(GAME, position, {}, self.components)
        found = [(check.requirement.name, check.params) for check in looked_at.findings]
        doubts = [(caution.message.name, caution.params) for caution in looked_at.cautions]
        assert not found + doubts, f"audit: {found + doubts}"
        if position.period == self.period and not _changes_period(position):
            assert cubes(position) == self.cubes
        if not position.agenda and position.outcome is None:
            self.between_cards(position, deck)

    def between_cards(self, position: Any, deck: list[int]) -> None:
        """A card has been discarded and the next one is not drawn yet."""
        assert codec.read(through_json(position), GAME.position, "") == position
        assert instruction_counters(position) == COUNTERS
        assert not position.santa_fe.raid
        assert not position.tribal_raid_box
        for area in position.areas.values():
            assert not area.raid
            assert not area.tribal_raid
            assert not area.harass
        for letter, family in position.families.items():
            assert is_area(family.at), f"Family {letter} is left in {family.at}"
            assert family.man or family.woman, f"Family {letter} has no adult"
        if position.period != self.period:
            self.period, self.cubes, self.cards = position.period, cubes(position), Counter()
            return  # the new deck is made now
        assert cubes(position) == self.cubes
        self.cards = self.cards or all_cards(position, deck)
        assert all_cards(position, deck) == self.cards


def _changes_period(position: Any) -> bool:
    return any(frame.procedure == "transition" for frame in position.agenda)


def instruction_counters(position: Any) -> int:
    """Those in the three columns, and one that lies in the Raided Cubes Box."""
    columns = (position.instructions.active, position.instructions.standby, position.instructions.inactive)
    return sum(counter is not None for column in columns for counter in column) + bool(
        position.raided_box.instruction
    )


def all_cards(position: Any, deck: list[int]) -> Counter[int]:
    """Every card wherever it is; each is in one place."""
    cards = position.cards
    places = [*deck, *(number for row in ROWS for number in getattr(cards, row))]
    found = Counter(places if cards.current is None else [*places, cards.current])
    assert set(found.values()) <= {1}, f"in two places: {[card for card, n in found.items() if n > 1]}"
    return found
