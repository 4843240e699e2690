"""Section 3.2.3: Move to and from Canyon de Chelly."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct, structs

from engine.actions import Action, Said, say
from engine.messages import act, message, requirement
from engine.navajo_wars.activation import (
    NOBODY_ACTIVATED,
    may_act,
    nothing_spent,
    something_left,
    spend_all_mp,
    the_acting_family,
)
from engine.navajo_wars.board import Board
from engine.navajo_wars.components import Place
from engine.navajo_wars.map import AREAS, CANYON, CANYON_AREAS, PlaceRef, territory_of
from engine.navajo_wars.movement import MOVE, SANTA_FE, go_to, outside_santa_fe
from engine.navajo_wars.position import AreaId, FamilyLetter
from engine.tables import Where, call
from engine.verdict import Caution, Check, certain, denied, needs, some


class MoveToCanyon(Struct, frozen=True, forbid_unknown_fields=True, tag_field="kind", tag="move-to-canyon"):
    """The activated Family withdraws to Canyon de Chelly."""

    family: FamilyLetter
    to: AreaId


class MoveFromCanyon(
    Struct, frozen=True, forbid_unknown_fields=True, tag_field="kind", tag="move-from-canyon"
):
    """The activated Family leaves Canyon de Chelly for any other Area."""

    family: FamilyLetter
    to: Place


IN_CANYON_ALREADY = requirement(
    "already-in-canyon",
    "Family %(family)s is in Canyon de Chelly already.",
    met="Family %(family)s is not in Canyon de Chelly yet.",
)
NOT_TO_CANYON = requirement(
    "destination-not-in-canyon",
    "Area %(area)s is not in Canyon de Chelly; this Action leads to an Area there.",
    met="Area %(area)s is in Canyon de Chelly.",
)
FORT_KEEPS = requirement(
    "canyon-barred-by-fort",
    "Family %(family)s is in the same Area as a Fort: from there it cannot move to Canyon de Chelly.",
    met="No Fort keeps Family %(family)s from moving to Canyon de Chelly.",
)
NOT_IN_CANYON = requirement(
    "not-in-canyon",
    "Family %(family)s is not in Canyon de Chelly; only from there does this Action lead to any other Area.",
    met="Family %(family)s is in Canyon de Chelly.",
)
STILL_IN_CANYON = requirement(
    "destination-in-canyon",
    "Area %(area)s is in Canyon de Chelly; this Action leads to an Area elsewhere on the map.",
    met="Area %(area)s is not in Canyon de Chelly.",
)


TO_RULES = ("nw:3.2.3.to-canyon", "nw:13.canyon.travel")
FROM_RULES = ("nw:3.2.3.from-canyon", "nw:13.canyon.travel")


def may_move_to_canyon(at: Board, do: MoveToCanyon) -> Iterator[Check | Caution]:
    """From any Area without a Fort, with all MP."""
    acts = yield from may_act(at, do.family)
    yield from leads_to_canyon(at, do)
    if acts:
        yield from may_withdraw(at, do.family)


def may_move_to_canyon_at_all(at: Board, letter: str) -> Iterator[Check | Caution]:
    """What concerns the Family alone, wherever in the Canyon it wants to go."""
    if (yield from may_act(at, letter)):
        yield from may_withdraw(at, letter)


def leads_to_canyon(_: Board, do: MoveToCanyon) -> Iterator[Check]:
    """The Area it wants to go to."""
    area = PlaceRef(do.to)
    yield needs(territory_of(area) == CANYON, NOT_TO_CANYON, *TO_RULES, pointer="/action/to", area=area)


def may_withdraw(at: Board, letter: str) -> Iterator[Check]:
    """Not there yet, kept by no Fort, with all MP."""
    family = at.family(letter)
    pointer, there = f"{family.pointer}/at", at.in_canyon(family.at)
    yield needs(denied(there), IN_CANYON_ALREADY, *TO_RULES, pointer=pointer, family=letter)
    yield needs(denied(at.has_fort(family.at)), FORT_KEEPS, TO_RULES[0], pointer=pointer, family=letter)
    yield with_all_mp(at, letter)


def may_move_from_canyon(at: Board, do: MoveFromCanyon) -> Iterator[Check | Caution]:
    """From the Canyon to any Area elsewhere but Santa Fé, with all MP."""
    acts = yield from may_act(at, do.family)
    yield from leads_out_of_canyon(at, do)
    if acts:
        yield from may_leave(at, do.family)


def may_move_from_canyon_at_all(at: Board, letter: str) -> Iterator[Check | Caution]:
    """What concerns the Family alone, wherever it wants to go."""
    if (yield from may_act(at, letter)):
        yield from may_leave(at, letter)


def leads_out_of_canyon(_: Board, do: MoveFromCanyon) -> Iterator[Check]:
    """The Area it wants to go to."""
    yield outside_santa_fe(do.to)
    if do.to != SANTA_FE:
        elsewhere = territory_of(do.to) != CANYON
        yield needs(elsewhere, STILL_IN_CANYON, *FROM_RULES, pointer="/action/to", area=PlaceRef(do.to))


def may_leave(at: Board, letter: str) -> Iterator[Check]:
    """It is there, with all MP."""
    family = at.family(letter)
    pointer, there = f"{family.pointer}/at", at.in_canyon(family.at)
    yield needs(there, NOT_IN_CANYON, *FROM_RULES, pointer=pointer, family=letter)
    yield with_all_mp(at, letter)


def with_all_mp(at: Board, letter: str) -> Check:
    """All MP: nothing may have been spent before, or all that is left, as chosen (C54)."""
    nothing = nothing_spent(at, letter, "nw:3.2.3.cost")
    if certain(nothing.holds) or at.choice("canyon-move-mp") != "all-left":
        return nothing
    left = something_left(at, letter, "nw:3.2.3.cost")
    return structs.replace(left, holds=some((nothing.holds, left.holds)))


def begin_to_canyon(at: Board, do: MoveToCanyon) -> tuple[Board, Where]:
    """Pay everything and go."""
    return journey(at, do.family, do.to, "nw:3.2.3.to-canyon")


def begin_from_canyon(at: Board, do: MoveFromCanyon) -> tuple[Board, Where]:
    """Pay everything and go."""
    return journey(at, do.family, do.to, "nw:3.2.3.from-canyon")


def journey(at: Board, letter: str, to: str, rule: str) -> tuple[Board, Where]:
    """No matter how far it is; Intruders there are met as after any move."""
    at = spend_all_mp(at, "nw:3.2.3.cost")
    return go_to(at, letter, PlaceRef(to), rule), call(MOVE, "arrive", family=letter)


# -- as answers --------------------------------------------------------------------------------------

OFFER_TO = message("take-actions.move-to-canyon", "Move to Area %(to)s with all MP.")
OFFER_FROM = message("take-actions.move-from-canyon", "Leave for Area %(to)s with all MP.")


def ways_there(_: Board, letter: FamilyLetter) -> Iterator[MoveToCanyon]:
    """To each Area of the Canyon."""
    return (MoveToCanyon(letter, area) for area in CANYON_AREAS)  # type: ignore[arg-type]


def ways_out(_: Board, letter: FamilyLetter) -> Iterator[MoveFromCanyon]:
    """To each Area elsewhere."""
    return (MoveFromCanyon(letter, area) for area in AREAS if area not in CANYON_AREAS)


def offer_there(_: Board, do: MoveToCanyon) -> Said:
    """Where to."""
    return say(OFFER_TO, to=PlaceRef(do.to))


def offer_out(_: Board, do: MoveFromCanyon) -> Said:
    """Where to."""
    return say(OFFER_FROM, to=PlaceRef(do.to))


TO_ACTION = Action(
    MoveToCanyon,
    "nw:3.2.3",
    act("act.move-to-canyon", "Moving to Canyon de Chelly"),
    message("action.move-to-canyon", "The activated Family moves from any Area to Canyon de Chelly."),
    may_move_to_canyon,
    begin_to_canyon,
    offer=offer_there,
    ways=ways_there,
    subjects=the_acting_family,
    if_nobody=NOBODY_ACTIVATED,
    may_at_all=may_move_to_canyon_at_all,
    may_so=leads_to_canyon,
    subject="family",
)
FROM_ACTION = Action(
    MoveFromCanyon,
    "nw:3.2.3",
    act("act.move-from-canyon", "Moving from Canyon de Chelly"),
    message("action.move-from-canyon", "The activated Family moves from Canyon de Chelly to any Area."),
    may_move_from_canyon,
    begin_from_canyon,
    offer=offer_out,
    ways=ways_out,
    subjects=the_acting_family,
    if_nobody=NOBODY_ACTIVATED,
    may_at_all=may_move_from_canyon_at_all,
    may_so=leads_out_of_canyon,
    subject="family",
)
