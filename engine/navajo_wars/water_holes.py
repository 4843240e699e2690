"""Section 3.2.1: Find New Water Hole."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from engine.actions import Action, say
from engine.messages import Term, message, requirement
from engine.navajo_wars.activation import NOBODY_ACTIVATED, can_pay, may_act, spend_mp, the_acting_family
from engine.navajo_wars.board import Board, Family
from engine.navajo_wars.map import TerritoryRef, territory_of
from engine.navajo_wars.position import FamilyLetter
from engine.verdict import Caution, Check, Unknown, certain, must_know, needs


class FindWater(Struct, frozen=True, forbid_unknown_fields=True, tag_field="kind", tag="find-water"):
    """The activated Family finds a new water hole."""

    family: FamilyLetter


NO_DROUGHT = requirement(
    "no-drought-here",
    "There is no Drought counter in the Territory %(territory)s that a new water hole could remove.",
    met="There is a Drought counter in the Territory %(territory)s.",
)
WATER_TOO_DEAR = requirement(
    "water-hole-too-dear",
    "A new water hole costs 9 - Area Value (%(value)s) = %(total)s MP; you have %(have)s.",
    met="A new water hole costs 9 - Area Value (%(value)s) = %(total)s MP; you have %(have)s.",
)
WATER_FOUND = message(
    "water-hole-found",
    "Family %(family)s finds a new water hole: a Drought counter leaves the Territory %(territory)s.",
    outcome=True,
)


def may_find_water(at: Board, do: FindWater) -> Iterator[Check | Caution]:
    """A Drought counter in the Territory, and 9 MP less the value of the Family's Area."""
    if not (yield from may_act(at, do.family)):
        return
    family = at.family(do.family)
    territory = territory_of(must_know(family.at))
    yield needs(
        at.drought(territory) > 0,
        NO_DROUGHT,
        "nw:3.2.1.find-water",
        pointer=f"/territories/{territory}/drought",
        territory=TerritoryRef(territory),
    )
    value = water_value(at, family)
    yield can_pay(at, 9 - value, WATER_TOO_DEAR, *water_rules(family), value=value)


def water_rules(family: Family) -> tuple[str, ...]:
    """The rules that made up the cost."""
    mounted = ("nw:3.2.1.horse-value", "nw:1.7.2.paren-value") if certain(family.horse) else ()
    return ("nw:3.2.1.find-water", *mounted)


def water_value(at: Board, family: Family) -> int | Unknown:
    """With a horse the parenthesized value, though it makes the Action dearer (C53)."""
    horse = family.horse
    if isinstance(horse, Unknown):
        return horse
    plain = at.value(family.at)
    if not horse:
        return plain
    bracketed = at.bracketed_value(family.at)
    if at.choice("water-hole-horse") == "may" and not isinstance(plain, Unknown):
        return bracketed if isinstance(bracketed, Unknown) else max(plain, bracketed)
    return bracketed


def find_water(at: Board, do: FindWater) -> tuple[Board, None]:
    """One Drought counter goes."""
    family = at.family(do.family)
    territory = territory_of(family.at)
    at = spend_mp(at, 9 - must_know(water_value(at, family)), *water_rules(family))
    at = at.set_drought(territory, must_know(at.drought(territory)) - 1)
    return at.tell(
        WATER_FOUND, "nw:3.2.1.find-water", family=do.family, territory=TerritoryRef(territory)
    ), None


OFFER = message("take-actions.find-water", "Find a new water hole.")

ACTION = Action(
    FindWater,
    "nw:3.2.1",
    Term("nw.action.find_water_hole"),
    message(
        "action.find-water", "The activated Family finds a new water hole and removes a Drought counter."
    ),
    may_find_water,
    find_water,
    offer=lambda _, __: say(OFFER),
    ways=lambda _, letter: (FindWater(letter),),
    subjects=the_acting_family,
    if_nobody=NOBODY_ACTIVATED,
    subject="family",
)
