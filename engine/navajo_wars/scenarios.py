"""The scenarios 14.1 to 14.6: the position after the set-up, what the player still chooses, the deck, how it is won.

scenarios.toml holds what is known of them; a value that no source states is left out and listed as a choice.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import permutations
from typing import Literal, get_args

from msgspec import Struct

from engine.catalogue import read_toml
from engine.messages import message
from engine.navajo_wars.cards import FIRST_EVENT, PERIOD_TERM, period_of
from engine.navajo_wars.components import Sourced
from engine.navajo_wars.counters import COUNTER_TERM
from engine.navajo_wars.endings import LAST_CARD, RESULT_TERM, Result
from engine.navajo_wars.map import PlaceRef, TerritoryRef, track
from engine.navajo_wars.outposts import DIE_SYMBOL
from engine.navajo_wars.position import (
    AreaId,
    AreaState,
    Cards,
    Count,
    Cubes,
    FamilyLetter,
    FamilyState,
    FortName,
    Instructions,
    Operation,
    PassageBox,
    Period,
    Position,
    RaidedBox,
    Resources,
    SantaFe,
    ScenarioId,
    SetAside,
    Territory,
    TerritoryState,
    Tracks,
)
from engine.navajo_wars.raid_resolution import AT_FEROCITY, RETURN_HERE, THIS_FAMILY
from engine.questions import Option
from engine.scenarios import Doubt, OpenChoice, Said, Scenario
