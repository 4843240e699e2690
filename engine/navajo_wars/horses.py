"""Section 1.6.1: a horse goes from the Resources Box into a Family Box, at any time."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from engine.actions import Action, Said, say
from engine.messages import act, message, requirement
from engine.navajo_wars.battle import HORSE_PLACED, NO_HORSE, in_play
from engine.navajo_wars.board import Board
from engine.navajo_wars.operation import letters_in_play
from engine.navajo_wars.position import FamilyLetter
from engine.verdict import Check, denied, needs, refuted

HAS_HORSE = requirement(
    "family-has-horse",
    "There is a horse in the Family Box of Family %(family)s already; there is room for only one.",
    met="There is room for a horse in the Family Box of Family %(family)s.",
)
HORSE_TO = message("passage-horse-into-box", "A horse goes into the Family Box of Family %(family)s.")


class PlaceHorse(Struct, frozen=True, forbid_unknown_fields=True, tag_field="kind", tag="place-horse"):
    """A horse is put into a Family Box."""

    family: FamilyLetter


def may_place_horse(at: Board, do: PlaceHorse) -> Iterator[Check]:
    """Everything that decides whether a horse may be put into this Family Box."""
    yield from may_take_horse(at, do.family)


def may_take_horse(at: Board, letter: FamilyLetter) -> Iterator[Check]:
    """A horse in the Resources Box, and room for it in the Family Box."""
    rule, family = "nw:1.6.1.horse-place", at.family(letter)
    yield in_play(family)
    if refuted(family.in_play):
        return
    room = (rule, "nw:1.7.5.family-box")
    yield needs(denied(family.horse), HAS_HORSE, *room, pointer=f"{family.pointer}/horse", family=letter)
    yield needs(at.resource("horse") > 0, NO_HORSE, rule, pointer="/resources/horse", family=letter)


def placings(_: Board, letter: FamilyLetter) -> Iterator[PlaceHorse]:
    """The one horse a Family Box has room for."""
    yield PlaceHorse(letter)


def offer_placing(_: Board, do: PlaceHorse) -> Said:
    """How the offer of a horse reads."""
    return say(HORSE_TO, family=do.family)


def begin_placing(at: Board, do: PlaceHorse) -> tuple[Board, None]:
    """It stays there until the Passage of Time."""
    return put_horse(at, do.family, "nw:1.6.1.horse-place"), None


def put_horse(at: Board, letter: str, rule: str) -> Board:
    """A horse from the Resources Box; one that is already in the Family Box counts anyway."""
    if at.family(letter).horse:
        return at
    at = at.spend_resource("horse", 1).set_family(letter, horse=True)
    return at.tell(HORSE_PLACED, rule, family=letter)


ACTION = Action(
    PlaceHorse,
    "nw:1.6.1.horse-place",
    act("act.place-horse", "Placing a horse"),
    message("action.place-horse", "A horse is put from the Resources Box into a Family Box."),
    may_place_horse,
    begin_placing,
    any_time=True,
    offer=offer_placing,
    ways=placings,
    subjects=letters_in_play,
    may_at_all=may_take_horse,
    subject="family",
)
