"""Section 9: Cultural Development cards, eight groups of three levels. They are bought in step 8 of a Victory Check or
in the set-up of a scenario and at no other time: there is no action for it, only those steps ask for one (9.1)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated

from msgspec import Meta, Struct, UnsetType

from engine.actions import NOT_NAMED, is_named
from engine.messages import message, question, requirement
from engine.navajo_wars.board import Board
from engine.navajo_wars.cards import set_cards
from engine.navajo_wars.components import DevelopmentCost
from engine.navajo_wars.consequences import change_track
from engine.navajo_wars.endings import without_points
from engine.navajo_wars.position import Count, Development
from engine.verdict import Check, Truth, Unknown, certain, demand, denied, every, must_know, needs, refuted

GROUPS = 8

ASK_DEVELOPMENTS = question(
    "ask-developments",
    "Which Cultural Development cards are in play?",
    hint="List the group and the level of each of them.",
)
OWNED_ALREADY = requirement(
    "development-in-play-already",
    "The Cultural Development card %(set)s, level %(level)s, is in play already; there is only one such card.",
    met="The Cultural Development card %(set)s, level %(level)s, is not in play yet.",
)
LOWER_LEVEL_MISSING = requirement(
    "development-lower-level-missing",
    "Level %(level)s of the group %(set)s needs every lower level of this group; not in play yet: level %(missing)s.",
    met="For level %(level)s of the group %(set)s no lower level is missing.",
)
NINTH_GROUP = requirement(
    "development-ninth-group",
    "There are only eight groups of Cultural Development cards, and the group %(set)s would be a ninth. Named before: %(groups)s. Check the spelling.",
    met="The group %(set)s can be one of the eight groups of Cultural Development cards.",
)
COST_NOT_TOLD = requirement(
    "development-cost-not-told",
    "Name the price of the Cultural Development card %(set)s, level %(level)s, in Culture Points, in Military Points or in both.",
    met="The price of the Cultural Development card is known.",
)
ANOTHER_COST = requirement(
    "development-cost-differs",
    "According to your copy, the Cultural Development card %(set)s, level %(level)s, has another cost: Culture Points %(culture)s, Military Points %(military)s.",
    met="The price of the Cultural Development card is the one known of your copy.",
)
TOO_LITTLE_CULTURE = requirement(
    "development-without-culture",
    "The Cultural Development card costs %(need)s Culture Points; you have %(have)s. Missing points cannot be made up with points of the other kind.",
    met="The Cultural Development card costs %(need)s Culture Points; you have %(have)s.",
    one=(
        "need",
        "The Cultural Development card costs %(need)s Culture Point; you have %(have)s. Missing points cannot be made up with points of the other kind.",
    ),
    met_one=("need", "The Cultural Development card costs %(need)s Culture Point; you have %(have)s."),
)
TOO_LITTLE_MILITARY = requirement(
    "development-without-military",
    "The Cultural Development card costs %(need)s Military Points; you have %(have)s. Missing points cannot be made up with points of the other kind.",
    met="The Cultural Development card costs %(need)s Military Points; you have %(have)s.",
    one=(
        "need",
        "The Cultural Development card costs %(need)s Military Point; you have %(have)s. Missing points cannot be made up with points of the other kind.",
    ),
    met_one=("need", "The Cultural Development card costs %(need)s Military Point; you have %(have)s."),
)
COMES_INTO_PLAY = message(
    "development-comes-into-play",
    "The Cultural Development card %(set)s, level %(level)s, comes into play: put it face up at the upper"
    " edge of the map.",
)
ONLY_THE_CARD_SAYS = message(
    "development-read-the-card",
    "Only the card %(set)s, level %(level)s, itself says whether it has a further requirement and what it does: make "
    "sure that the requirement is met, and apply the effect as long as the card is in play.",
)
NOTHING_LEFT = message(
    "development-leaves-nothing",
    "After this purchase Culture Points and Military Points are both at 0; if they still are in the Discard Phase, that "
    "is a Major Defeat.",
)


class Purchase(Struct, frozen=True, forbid_unknown_fields=True):
    """A Cultural Development card and its printed price; the price may be left out where the components state it."""

    set: Annotated[str, Meta(max_length=60, pattern=r"\S")]
    level: Annotated[int, Meta(ge=1, le=3)]
    culture: Count | UnsetType = NOT_NAMED
    military: Count | UnsetType = NOT_NAMED

    @property
    def group(self) -> str:
        """The name of its group."""
        return self.set.strip()


# -- 9.1.1: groups and levels ------------------------------------------------------------------------


def owned(at: Board) -> tuple[Development, ...] | Unknown:
    """The Cultural Development cards in play."""
    held: tuple[Development, ...] | Unknown = at.told("cards", "developments", ask=ASK_DEVELOPMENTS)
    return held


def same_group(one: str, other: str) -> bool:
    """Do two players' spellings mean the same group?"""
    return one.strip().casefold() == other.strip().casefold()


def is_owned(at: Board, group: str, level: int) -> Truth:
    """Is this card in play?"""
    held = owned(at)
    if isinstance(held, Unknown):
        return held
    return any(card.level == level and same_group(card.set, group) for card in held)


def may_take(at: Board, group: str, level: int) -> Iterator[Check]:
    """What a Cultural Development card needs, bought or chosen in a set-up: its group, its lower levels."""
    pointer, shown = "/cards/developments", {"set": group, "level": level}
    yield needs(
        denied(is_owned(at, group, level)), OWNED_ALREADY, "nw:9.1.2.in-play", pointer=pointer, **shown
    )
    yield _lower_levels(at, group, level)
    yield _one_of_eight(at, group)


def _lower_levels(at: Board, group: str, level: int) -> Check:
    """Level 2 needs level 1, level 3 both of them."""
    in_play = {lower: is_owned(at, group, lower) for lower in range(1, level)}
    missing = [str(lower) for lower, truth in in_play.items() if refuted(truth)]
    return needs(
        every(in_play.values()),
        LOWER_LEVEL_MISSING,
        "nw:9.1.1.prerequisite",
        pointer="/cards/developments",
        set=group,
        level=level,
        missing=tuple(missing),
    )


def _one_of_eight(at: Board, group: str) -> Check:
    """A group that is named for the first time must not be the ninth."""
    held = owned(at)
    named = [*at.components.developments, *(() if isinstance(held, Unknown) else (one.set for one in held))]
    groups = {name.strip().casefold(): name.strip() for name in named}
    there = any(same_group(group, name) for name in groups)
    open_to_it: Truth = there or len(groups) < GROUPS
    if isinstance(held, Unknown) and open_to_it and not there:
        open_to_it = held
    return needs(
        open_to_it,
        NINTH_GROUP,
        "nw:9.1.1.prerequisite",
        pointer="/cards/developments",
        set=group,
        groups=tuple(sorted(groups.values())),
    )


def take(at: Board, group: str, level: int) -> Board:
    """The card lies at the upper edge of the map from now on."""
    held = must_know(owned(at))
    name = next((card.set for card in held if same_group(card.set, group)), group)
    at = set_cards(at, developments=(*held, Development(name, level)))
    return at.tell(COMES_INTO_PLAY, "nw:9.1.2.in-play", "nw:9.1.1.prerequisite", set=name, level=level)


# -- 9.1.1: the price --------------------------------------------------------------------------------


def printed_cost(at: Board, group: str, level: int) -> DevelopmentCost | None:
    """The price on the card, if the player has filled it in."""
    for name, levels in at.components.developments.items():
        if same_group(name, group):
            found: DevelopmentCost | None = levels.get(str(level))
            return found
    return None


def cost_of(at: Board, do: Purchase) -> DevelopmentCost:
    """The price: as the components state it, or as the player read it."""
    on_file = printed_cost(at, do.group, do.level)
    if on_file is not None:
        return on_file
    culture, military = (points if is_named(points) else 0 for points in (do.culture, do.military))
    return DevelopmentCost(culture, military)


def may_buy(at: Board, do: Purchase) -> Iterator[Check]:
    """Its group and levels, a price that is known, and the points to pay it."""
    yield from may_take(at, do.group, do.level)
    on_file, shown = printed_cost(at, do.group, do.level), {"set": do.group, "level": do.level}
    if on_file is None:
        told = is_named(do.culture) or is_named(do.military)
        yield needs(told, COST_NOT_TOLD, "nw:9.1.1.cost", pointer="/inputs", **shown)
    else:
        same = do.culture in (NOT_NAMED, on_file.culture) and do.military in (NOT_NAMED, on_file.military)
        price = {"culture": on_file.culture, "military": on_file.military}
        yield needs(same, ANOTHER_COST, "nw:9.1.1.cost", pointer="/inputs", **shown, **price)
    yield from can_pay(at, cost_of(at, do))


def can_pay(at: Board, cost: DevelopmentCost) -> Iterator[Check]:
    """Points that are spent must be there: a purchase never converts one kind into the other (C61)."""
    for name, need, have, too_little in (
        ("culture", cost.culture, at.culture, TOO_LITTLE_CULTURE),
        ("military", cost.military, at.military, TOO_LITTLE_MILITARY),
    ):
        if need:
            rules = ("nw:9.1.1.cost", "nw:8.2.s8.buy-one")
            yield needs(have >= need, too_little, *rules, pointer=f"/tracks/{name}", need=need, have=have)


def buy(at: Board, do: Purchase) -> Board:
    """Pay the price and put the card into play."""
    demand(may_buy(at, do))
    cost = cost_of(at, do)
    for name, points in (("culture", cost.culture), ("military", cost.military)):
        at = change_track(at, name, -points, "nw:9.1.1.cost", "nw:8.2.s8.buy-one") if points else at
    at = take(at, do.group, do.level)
    if (cost.culture or cost.military) and certain(without_points(at)):
        at = at.warn(NOTHING_LEFT, "nw:12.1.when", pointer="/tracks/culture")
    rules = ("nw:9.1.1.extra-requirement", "nw:9.1.3.duration")
    return at.warn(ONLY_THE_CARD_SAYS, *rules, pointer="/cards/developments", set=do.group, level=do.level)
