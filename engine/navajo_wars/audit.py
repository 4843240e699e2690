"""Is this position possible? What the counter mix, the map, the cards and the displays rule out.

Only what is told can be impossible. What a card or an Intruder might bring about, whose texts are not in the
documents, is no finding.
"""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import UNSET

from engine.audit import finding, only_doubted
from engine.messages import Term
from engine.navajo_wars.audit_cards import activation, cards, developments, end_of_the_game, operation
from engine.navajo_wars.audit_counters import counter_mix, cubes, published_mix
from engine.navajo_wars.audit_display import addressed_tribe, instructions, raided_box
from engine.navajo_wars.audit_map import (
    droughts,
    families,
    forts,
    intruders,
    manuelito,
    outposts,
    tribal_raid_counters,
)
from engine.navajo_wars.board import Board
from engine.navajo_wars.cards import PERIOD_TERM
from engine.navajo_wars.endings import ScenarioRef
from engine.navajo_wars.position import Period
from engine.verdict import Caution, Check, needs


def audit(at: Board) -> Iterator[Check | Caution]:
    """Everything that can be seen to be impossible, in the order of the rulebook; a public count is only a doubt."""
    yield from scenario_fits(at)
    yield from counter_mix(at)
    yield from only_doubted(published_mix(at))
    yield from forts(at)
    yield from outposts(at)
    yield from droughts(at)
    yield from tribal_raid_counters(at)
    yield from intruders(at)
    yield from families(at)
    yield from manuelito(at)
    yield from cubes(at)
    yield from cards(at)
    yield from operation(at)
    yield from activation(at)
    yield from instructions(at)
    yield from addressed_tribe(at)
    yield from raided_box(at)
    yield from developments(at)
    yield from end_of_the_game(at)


SCENARIO_OF_ANOTHER_PERIOD = finding(
    "scenario-of-another-period",
    "The scenario %(scenario)s belongs to another Period from its set-up to its end: %(period)s.",
)
PERIOD_OF_SCENARIO: dict[str, Period] = {
    "14.1": "spanish",
    "14.2": "spanish",
    "14.3": "mexican",
    "14.4": "american",
    "14.5": "american",
}


def scenario_fits(at: Board) -> Iterator[Check]:
    """Every scenario stays in one Period; the campaign (14.6) goes through all three."""
    played, period = at.position.scenario, at.position.period
    if period is UNSET or played not in PERIOD_OF_SCENARIO:
        return
    its_own = PERIOD_OF_SCENARIO[played]
    its_name: Term = PERIOD_TERM[its_own]
    rules = ("nw:1.3", "nw:12.3.scenario")
    fits = period == its_own
    yield needs(
        fits,
        SCENARIO_OF_ANOTHER_PERIOD,
        *rules,
        pointer="/period",
        scenario=ScenarioRef(played),
        period=its_name,
    )
