"""Section 3.2.2: Move to an Adjacent Area, and how to get away from a Fort."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from msgspec import Struct

from engine.actions import Action, Said, say
from engine.chance import Die
from engine.memory import NOT_NOTED, Memory, Noted
from engine.messages import Message, Term, message, question, requirement
from engine.navajo_wars.activation import (
    NOBODY_ACTIVATED,
    began_with_fort,
    can_pay,
    has_spent,
    may_act,
    mp,
    note,
    spend_mp,
    the_acting_family,
)
from engine.navajo_wars.board import Board, Family
from engine.navajo_wars.components import Place
from engine.navajo_wars.consequences import move_family, still_in_play
from engine.navajo_wars.intruders import meet_intruders
from engine.navajo_wars.map import AREAS, PlaceRef, number_of, territory_of, track
from engine.navajo_wars.position import AreaId, FamilyLetter
from engine.questions import Question, ask
from engine.tables import Where, automatic, call, chance, procedure
from engine.verdict import (
    Caution,
    Check,
    Truth,
    Unknown,
    as_number,
    certain,
    denied,
    is_told,
    must_know,
    needs,
    no_less_than,
    refuted,
    total,
    warns,
    weigh,
)

SANTA_FE = "santa-fe"


class Move(Struct, frozen=True, forbid_unknown_fields=True, tag_field="kind", tag="move"):
    """The activated Family moves to an adjacent Area."""

    family: FamilyLetter
    to: Place


# -- where to ----------------------------------------------------------------------------------------

NOT_SANTA_FE = requirement(
    "santa-fe-closed",
    "Families can never enter Santa Fé.",
    met="The Family does not enter Santa Fé.",
)
NOT_ADJACENT = requirement(
    "area-not-adjacent",
    "Area %(area)s is not adjacent to the Area of Family %(family)s.",
    met="Area %(area)s is adjacent to the Area of Family %(family)s.",
)
NEIGHBOURS_ASSUMED = message(
    "adjacency-assumed",
    "Areas next to each other on an Area Track were taken to be adjacent; if the connections on your map differ, name them.",
)
WOULD_DISBAND = message(
    "move-to-fort",
    "There is a Fort in Area %(area)s: Family %(family)s, with the Ferocity it has, must disband if it ends its "
    "activation there.",
)


def may_move(at: Board, do: Move) -> Iterator[Check | Caution]:
    """Everything that decides whether this Family may move there, in rulebook order."""
    acts = yield from may_act(at, do.family)
    yield outside_santa_fe(do.to)
    if do.to != SANTA_FE and acts:
        yield from may_go_there(at, do)


def may_go_there(at: Board, do: Move) -> Iterator[Check | Caution]:
    """Adjacent, and the Family can get away and pay."""
    family, area = at.family(do.family), PlaceRef(do.to)
    adjacent = at.adjacent(family.at, area)
    yield needs(
        adjacent,
        NOT_ADJACENT,
        "nw:3.2.2.move",
        "nw:13.adjacent.area",
        pointer="/action/to",
        area=area,
        family=do.family,
    )
    if certain(adjacent) and not at.knows_the_map:
        yield warns(NEIGHBOURS_ASSUMED, "nw:13.adjacent.area", pointer="/components/connections")
    if certain(at.has_fort(area)) and certain(family.ferocity > 1):
        yield warns(WOULD_DISBAND, "nw:3.2.2.fort-disband", pointer="/action/to", area=area, family=do.family)
    yield from can_set_out(at, family, area)


def can_set_out(at: Board, family: Family, area: PlaceRef) -> Iterator[Check]:
    """No Fort keeps the Family, and its MP are enough."""
    if leaves_by_roll(at, family):
        yield from may_leave_fort(at, family, area)
        return
    yield from no_longer_held(at, family)
    yield payable(at, family, area)


def outside_santa_fe(to: str) -> Check:
    """Santa Fé is an Area that no Family enters."""
    return needs(to != SANTA_FE, NOT_SANTA_FE, "nw:13.santa-fe", pointer="/action/to")


# -- what it costs -----------------------------------------------------------------------------------

MOVE_TOO_DEAR = requirement(
    "move-too-dear",
    "The move costs %(total)s MP: Area %(area)s (%(value)s)%(terms)s. You have %(have)s.",
    met="The move costs %(total)s MP: Area %(area)s (%(value)s)%(terms)s. You have %(have)s.",
    terms={
        "outpost": "Outpost on its Area Track (%(outpost)s)",
        "fort": "Fort in the Territory (%(fort)s)",
    },
)


def payable(at: Board, family: Family, area: PlaceRef) -> Check:
    """The value of the Area and 1 for each surcharge, shown as a sum."""
    parts = move_cost(at, family, area)
    cost = total(parts.values())
    return can_pay(at, cost, MOVE_TOO_DEAR, *cost_rules(family, parts), area=area, **parts)


def move_cost(at: Board, family: Family, area: PlaceRef) -> dict[str, int | Unknown]:
    """The parts of the cost by name: the value of the destination, an Outpost ahead, a Fort in the Territory."""
    outpost, fort = as_number(outpost_ahead(at, area)), as_number(fort_in_territory(at, area))
    if certain(outpost == 1) and certain(fort == 1) and at.choice("move-surcharges") == "one-at-most":
        fort = 0
    return {"value": value_for(at, family, area), "outpost": outpost, "fort": fort}


def cost_rules(family: Family, parts: dict[str, int | Unknown]) -> tuple[str, ...]:
    """The rules that made up a cost."""
    surcharges = [f"nw:3.2.2.{name}-surcharge" for name in ("outpost", "fort") if certain(parts[name] != 0)]
    return ("nw:3.2.2.move", *on_horseback(family), *surcharges)


def on_horseback(family: Family) -> tuple[str, ...]:
    """The rule of the parenthesized Area Values, for a Family with a horse."""
    return ("nw:1.7.2.paren-value",) if certain(family.horse) else ()


def value_for(at: Board, family: Family, area: str) -> int | Unknown:
    """The value of an Area for a Family that travels: the parenthesized one if it has a horse."""
    horse = family.horse
    if isinstance(horse, Unknown):
        return no_less_than(0, horse)
    return at.bracketed_value(area) if horse else at.value(area)


def outpost_ahead(at: Board, area: str) -> Truth:
    """Is an Outpost on the destination's track in an Area of at least its value (C54)?"""
    areas, here = track(territory_of(area)), number_of(area)
    above = at.on_one_of(areas[here - 1 :], "mission", "rancho")
    below = at.on_one_of(areas[:here], "mission", "rancho")
    if isinstance(above, Unknown) or above == below:
        return above
    return above if at.choice("outpost-surcharge") == "at-or-above" else below


def fort_in_territory(at: Board, area: str) -> Truth:
    """Is a Fort anywhere on the destination's track?"""
    return at.on_one_of(track(territory_of(area)), "fort")


# -- getting away from a Fort ------------------------------------------------------------------------

LEAVE_FIRST = requirement(
    "leave-fort-first",
    "Family %(family)s began its activation in the same Area as the Fort and has spent MP there: by the reading chosen here, it may no longer leave that Area in this activation.",
    met="No Fort keeps Family %(family)s from leaving.",
)
LEFT_IN_VAIN = requirement(
    "leave-fort-once",
    "Family %(family)s has attempted to leave the Fort in this activation already and could not pay; there is no second "
    "attempt.",
    met="Family %(family)s has not attempted to leave the Fort in this activation.",
)
LEAVE_TOO_DEAR = requirement(
    "leave-fort-too-dear",
    "Leaving the Fort costs at least %(total)s MP: the die roll (at least 1), Area %(area)s (%(value)s)%(terms)s. You have %(have)s.",
    met="Leaving the Fort costs at least %(total)s MP: the die roll (at least 1), Area %(area)s (%(value)s)%(terms)s. You have %(have)s.",
    terms={
        "outpost": "Outpost on its Area Track (%(outpost)s)",
        "fort": "Fort in the Territory (%(fort)s)",
    },
)
LEAVE_ROLL = question(
    "leave-fort-roll",
    "Roll a die to leave the Fort: its number is added to the cost of moving to Area %(area)s.",
    hint="Cost without the die: %(cost)s; MP available: %(have)s.",
)
GETS_OUT = message("outcome.leave-fort-left", "Family %(family)s leaves the Fort.")
STAYS_IN = message("outcome.leave-fort-failed", "Family %(family)s stays at the Fort.")
LEFT = message(
    "leave-fort-left",
    "Family %(family)s leaves the Fort for %(total)s MP: die roll %(die)s, Area %(area)s (%(value)s)%(terms)s.",
    outcome=GETS_OUT,
    terms={
        "outpost": "Outpost on its Area Track (%(outpost)s)",
        "fort": "Fort in the Territory (%(fort)s)",
    },
)
NOT_LEFT = message(
    "leave-fort-failed",
    "Family %(family)s stays in the Area of the Fort and spends no MP, because leaving costs %(total)s MP and it has %(have)s: die roll (%(die)s), Area %(area)s (%(value)s)%(terms)s.",
    outcome=STAYS_IN,
    terms={
        "outpost": "Outpost on its Area Track (%(outpost)s)",
        "fort": "Fort in the Territory (%(fort)s)",
    },
)


def leaves_by_roll(at: Board, family: Family) -> bool:
    """A Family that has spent no MP and is in a Fort's Area must roll; otherwise nothing is asked."""
    fort = at.has_fort(family.at)
    if refuted(fort) or certain(has_spent(at)):
        return False
    return bool(fort) and not has_spent(at)


def may_leave_fort(at: Board, family: Family, area: PlaceRef) -> Iterator[Check]:
    """One attempt in an activation, and only if the lowest roll could be paid."""
    acting = at.acting
    tried = acting is not None and acting.tried_to_leave
    yield needs(
        not tried,
        LEFT_IN_VAIN,
        "nw:3.2.2.leave-fort-short",
        pointer="/activation/tried_to_leave",
        family=family.letter,
    )
    parts = leaving_cost(at, family, area)
    least = cost_with_die(1, parts)
    rules = ("nw:3.2.2.leave-fort", *cost_rules(family, parts))
    yield can_pay(at, least, LEAVE_TOO_DEAR, *rules, area=area, **parts)


def leaving_cost(at: Board, family: Family, area: PlaceRef) -> dict[str, int | Unknown]:
    """The cost of the move itself, or the plain value of the Area (C50); the die comes on top."""
    if at.choice("leave-fort-cost") == "plain-value":
        return {"value": at.value(area), "outpost": 0, "fort": 0}
    return move_cost(at, family, area)


def cost_with_die(die: int, parts: dict[str, int | Unknown]) -> int | Unknown:
    """What leaving a Fort costs with this die."""
    return die + total(parts.values())


def no_longer_held(at: Board, family: Family) -> Iterator[Check]:
    """A Family that began with a Fort and has spent MP there stays; one that came later may go (C50)."""
    if refuted(at.has_fort(family.at)):
        return
    held = held_by_fort(at, family)
    if not refuted(held) and at.choice("leave-fort-later") == "normal-cost":
        return
    yield needs(
        denied(held),
        LEAVE_FIRST,
        "nw:3.2.2.leave-fort",
        pointer="/activation/began_with_fort",
        family=family.letter,
    )


def held_by_fort(at: Board, family: Family) -> Truth:
    """Has the Family been with this Fort since its activation began?"""
    fort = at.has_fort(family.at)
    return fort if isinstance(fort, Unknown) else began_with_fort(at)


# -- what it does ------------------------------------------------------------------------------------

MOVED = message("family-moved", "Family %(family)s moves from Area %(start)s to Area %(area)s.", outcome=True)
WHO_MOVES = message("move-who", "Which Family is moving?")
WHERE_TO = message("move-where-to", "To which Area does the Family move?")


class MoveMemory(Memory, frozen=True):
    """Who moves where."""

    questions: ClassVar[dict[str, Message]] = {"family": WHO_MOVES, "to": WHERE_TO}

    family: Noted[FamilyLetter] = NOT_NOTED
    to: Noted[AreaId] = NOT_NOTED


def begin_move(at: Board, do: Move) -> tuple[Board, Where]:
    """Pay and go; from a Fort the die comes first."""
    family, area = at.family(do.family), PlaceRef(do.to)
    if leaves_by_roll(at, family):
        return at, call(MOVE, family=do.family, to=do.to)
    parts = move_cost(at, family, area)
    at = spend_mp(at, must_know(total(parts.values())), *cost_rules(family, parts))
    return at, call(MOVE, "travel", family=do.family, to=do.to)


def ask_leave_roll(at: Board, noted: MoveMemory) -> Question:
    """Leaving the Fort waits for its die."""
    family, area = at.family(noted.family), PlaceRef(must_know(noted.to))
    cost = must_know(total(leaving_cost(at, family, area).values()))
    return ask(LEAVE_ROLL, Die(), area=area, cost=cost, have=must_know(mp(at)))


def leave_fort(at: Board, noted: MoveMemory, die: int) -> tuple[Board, Where]:
    """Pay the die and the move, or stay if that is too dear."""
    family, area = at.family(noted.family), PlaceRef(must_know(noted.to))
    parts = leaving_cost(at, family, area)
    cost, have = must_know(cost_with_die(die, parts)), must_know(mp(at))
    shown = {"family": family.letter, "area": area, "die": die, "total": cost, **parts}
    if cost > have:
        at = note(at, tried_to_leave=True)
        return at.tell(NOT_LEFT, "nw:3.2.2.leave-fort-short", have=have, **shown), "go-on"
    at = at.tell(LEFT, "nw:3.2.2.leave-fort", *cost_rules(family, parts), **shown)
    return spend_mp(at, cost, "nw:3.2.2.leave-fort"), "travel"


def travel(at: Board, noted: MoveMemory) -> Board:
    """The counter is moved."""
    return go_to(at, must_know(noted.family), PlaceRef(must_know(noted.to)), "nw:3.2.2.move")


def go_to(at: Board, letter: str, area: PlaceRef, *rules: str) -> Board:
    """Move the counter; corn is left behind, and so is a Fort."""
    start = must_know(at.family(letter).at)
    met = ("nw:3.2.2.intruder",) if at.counters(area, "intruders") else ()
    at = move_family(at, letter, area, "nw:3.2.2.corn-left")
    if at.acting is not None and not refuted(began_with_fort(at)):
        at = note(at, began_with_fort=False)
    return at.tell(MOVED, *rules, *met, family=letter, start=start, area=area)


def finish_move(at: Board, noted: MoveMemory) -> Board:
    """The Action is over; a Family that an Intruder has taken off the map acts no more."""
    return still_in_play(at, must_know(noted.family))


MOVE = procedure(
    "move",
    MoveMemory,
    chance(
        "leave-fort",
        "nw:3.2.2.leave-fort",
        ask_leave_roll,
        leave_fort,
        goes=("travel", "go-on"),
        title="Roll to leave the Fort",
    ),
    automatic("travel", "nw:3.2.2.move", travel, title="The Family moves"),
    automatic("arrive", "nw:3.2.2.intruder", meet_intruders, title="Intruders there are revealed"),
    automatic("go-on", "nw:3.2.dissolved", finish_move, title="The move is over"),
    title="Move to an Adjacent Area",
)

# -- as an answer ------------------------------------------------------------------------------------

OFFER = message("take-actions.move", "Move to Area %(to)s.")


def ways(at: Board, letter: FamilyLetter) -> Iterator[Move]:
    """To each adjacent Area; if others that could be paid may be adjacent, too, it must be told which are."""
    family = at.family(letter)
    here = must_know(family.at)
    for area in at.neighbours_of(here):
        yield Move(letter, area)  # type: ignore[arg-type]
    if at.knows_the_map:
        return
    others = (PlaceRef(area) for area in AREAS if not is_told(at.adjacent(here, area)))
    if any(not refuted(weigh(can_set_out(at, family, area))) for area in others):
        must_know(at.connections)


def offer(_: Board, do: Move) -> Said:
    """Where to."""
    return say(OFFER, to=PlaceRef(do.to))


ACTION = Action(
    Move,
    "nw:3.2.2",
    Term("nw.action.move_adjacent"),
    message("action.move", "The activated Family moves to an adjacent Area."),
    may_move,
    begin_move,
    offer=offer,
    ways=ways,
    subjects=the_acting_family,
    if_nobody=NOBODY_ACTIVATED,
    may_at_all=may_act,
    may_so=may_go_there,
    subject="family",
)
