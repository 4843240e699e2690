"""Section 3.2.5: Raid New Mexico, from near by or as a long-range Raid."""

from __future__ import annotations

from collections.abc import Generator, Iterator
from heapq import heappop, heappush

from msgspec import Struct

from engine.actions import Action, Said, say
from engine.messages import Term, message, question, requirement
from engine.navajo_wars.activation import (
    LONG_RANGE_TOO_LATE,
    NOBODY_ACTIVATED,
    can_pay,
    may_act,
    nothing_spent,
    spend_all_mp,
    spend_mp,
    the_acting_family,
)
from engine.navajo_wars.board import Board, Family
from engine.navajo_wars.map import neighbours
from engine.navajo_wars.movement import SANTA_FE, on_horseback, value_for
from engine.navajo_wars.position import FamilyLetter
from engine.navajo_wars.raid_table import (
    NO_CUBE,
    RAID_POOL_EMPTY,
    RaidMemory,
    ReadResult,
    apply_raid_result,
    ask_cube,
    ask_forced_battle,
    ask_raid_result,
    fight_forced_battle,
    may_raid,
    raid_over,
    take_cube,
)
from engine.navajo_wars.truces import break_peace, truce
from engine.questions import Question
from engine.tables import Where, automatic, call, chance, decision, procedure, reading
from engine.verdict import (
    Caution,
    Check,
    Truth,
    Unknown,
    denied,
    must_know,
    needs,
    no_less_than,
    total,
    unknown,
)


class RaidNewMexico(Struct, frozen=True, forbid_unknown_fields=True, tag_field="kind", tag="raid-new-mexico"):
    """The activated Family raids New Mexico."""

    family: FamilyLetter
    long_range: bool = False


RAID_FROM_FORT = requirement(
    "raid-barred-by-fort",
    "Family %(family)s is in the same Area as a Fort: from there it cannot raid New Mexico.",
    met="No Fort keeps Family %(family)s from raiding New Mexico.",
)
NO_WAY = requirement(
    "no-way-to-santa-fe",
    "There is no way along the connections from the Area of Family %(family)s to Santa Fé. Only a long-range Raid could reach it, and only if no MP have been spent in this activation.",
    met="There is a way along the connections from the Area of Family %(family)s to Santa Fé.",
)
RAID_TOO_DEAR = requirement(
    "raid-new-mexico-too-dear",
    "The Raid costs the Area Values on the way (%(areas)s) + Santa Fé (%(santa_fe)s) = %(total)s MP; you have %(have)s.",
    met="The Raid costs the Area Values on the way (%(areas)s) + Santa Fé (%(santa_fe)s) = %(total)s MP; you have %(have)s.",
)
RAIDS_NEW_MEXICO = message(
    "raids-new-mexico", "Family %(family)s raids New Mexico; its Family counter stays where it is."
)


def may_raid_new_mexico(at: Board, do: RaidNewMexico) -> Iterator[Check | Caution]:
    """Everything that decides whether this Family may raid New Mexico, in rulebook order."""
    if (yield from may_raid_new_mexico_at_all(at, do.family)):
        yield from can_get_there(at, do)


def may_raid_new_mexico_at_all(at: Board, letter: str) -> Generator[Check, None, Truth]:
    """What concerns the Family alone, from near by or at long range."""
    acts = yield from may_act(at, letter)
    if acts:
        rule, family = "nw:3.2.5.pre", at.family(letter)
        yield from may_raid(at, family, rule)
        held, pointer = at.has_fort(family.at), f"{family.pointer}/at"
        yield needs(denied(held), RAID_FROM_FORT, rule, pointer=pointer, family=letter)
    return acts


def can_get_there(at: Board, do: RaidNewMexico) -> Iterator[Check]:
    """All MP for a long-range Raid, or those of the way to Santa Fé."""
    if do.long_range:
        yield nothing_spent(at, do.family, "nw:3.2.5.long-range", demands=LONG_RANGE_TOO_LATE)
        return
    family = at.family(do.family)
    way = way_to_santa_fe(at, family)
    yield needs(
        way if isinstance(way, Unknown) else way is not None,
        NO_WAY,
        "nw:3.2.5.cost",
        pointer="/components/connections",
        family=do.family,
    )
    if way is None:
        return
    parts = {"santa_fe": santa_fe_value(at)}
    cost = total((no_less_than(0, way if isinstance(way, Unknown) else sum(way)), *parts.values()))
    shown = way if isinstance(way, Unknown) else " + ".join(map(str, way)) or "0"
    yield can_pay(at, cost, RAID_TOO_DEAR, "nw:3.2.5.cost", *on_horseback(family), areas=shown, **parts)


# -- the way to Santa Fé -----------------------------------------------------------------------------


ASK_WAY = question(
    "ask-way-to-santa-fe",
    "By the cheapest way on foot, how many MP do the Areas between Area %(area)s and Santa Fé cost, Santa Fé itself not included?",
    hint="The Area Values of the Areas in between, Santa Fé not included; 0 if it is adjacent.",
)
ASK_WAY_MOUNTED = question(
    "ask-way-to-santa-fe-mounted",
    "By the cheapest way with a horse, how many MP do the Areas between Area %(area)s and Santa Fé cost, Santa Fé itself not included?",
    hint="The parenthesized Area Values of the Areas in between, Santa Fé not included; 0 if it is adjacent.",
)


def santa_fe_value(at: Board) -> int:
    """Santa Fé's value is always 1; whether it counts is written in two ways (C55)."""
    return 1 if at.choice("santa-fe-counted") == "included" else 0


def way_to_santa_fe(at: Board, family: Family) -> tuple[int, ...] | Unknown | None:
    """The values of the Areas on the cheapest way, the Family's own left out; None if there is no way."""
    for fact in (family.at, family.horse):
        if isinstance(fact, Unknown):
            return fact
    if not at.knows_the_map:
        return _told_way(at, family)
    way = _cheapest(at, family, neighbours(must_know(at.connections)))
    if way is None:
        return None
    values = [value_for(at, family, area) for area in way]
    together = total(values)
    return together if isinstance(together, Unknown) else tuple(map(must_know, values))


def _told_way(at: Board, family: Family) -> tuple[int, ...] | Unknown:
    """What the way costs as the player has told it, since he has not named the connections of his map."""
    place, mounted = str(family.at), bool(family.horse)
    copy = "mounted_mp_to_santa_fe" if mounted else "mp_to_santa_fe"
    told: int | None = getattr(at.components, copy).get(place)
    if told is not None:
        return (told,)
    question = ASK_WAY_MOUNTED if mounted else ASK_WAY
    return unknown(f"/components/{copy}/{place}", question, at_least=0, area=family.at)


def _cheapest(at: Board, family: Family, touching: dict[str, set[str]]) -> tuple[str, ...] | None:
    """The Areas of the cheapest way; a value that is not known counts nothing, so that it is asked for."""
    reached: set[str] = set()
    paths: list[tuple[int, tuple[str, ...]]] = [(0, (str(family.at),))]
    while paths:
        cost, way = heappop(paths)
        if way[-1] == SANTA_FE:
            return way[1:-1]
        if way[-1] in reached:
            continue
        reached.add(way[-1])
        for area in sorted(touching.get(way[-1], set()) - reached):
            value = 0 if area == SANTA_FE else value_for(at, family, area)
            heappush(paths, (cost + value if isinstance(value, int) else cost, (*way, area)))
    return None


# -- what it does ------------------------------------------------------------------------------------


def begin_raid(at: Board, do: RaidNewMexico) -> tuple[Board, Where]:
    """Pay; Peace, if it holds, ends at once."""
    family = at.family(do.family)
    if do.long_range:
        at = spend_all_mp(at, "nw:3.2.5.long-range")
    else:
        way = must_know(way_to_santa_fe(at, family)) or ()
        at = spend_mp(at, sum(way) + santa_fe_value(at), "nw:3.2.5.cost")
    broken = ("nw:3.2.5.ends-peace",) if truce(at) == "peace" else ()
    at = at.tell(RAIDS_NEW_MEXICO, "nw:3.2.5.draw", *broken, family=do.family)
    return break_peace(at), call(RAID_NEW_MEXICO, family=do.family)


def draw(at: Board, _noted: RaidMemory, colour: str) -> tuple[Board, Where]:
    """One cube."""
    if colour == NO_CUBE:
        return at.tell(RAID_POOL_EMPTY, "nw:1.9.bag-empty"), "over"
    return take_cube(at, colour, "nw:3.2.5.draw"), "result"


def ask_result(at: Board, noted: RaidMemory) -> Question:
    """What the column New Mexico prints for it."""
    return ask_raid_result(at, noted, "new_mexico")


def result(at: Board, noted: RaidMemory, read: ReadResult) -> tuple[Board, Where]:
    """What the cube brings; it may force a Battle."""
    at, printed = apply_raid_result(at, noted, read, "nw:3.2.5.draw")
    return at, ("battle" if printed is not None and printed.battle else "over")


def finish_raid(at: Board, noted: RaidMemory) -> Board:
    """With MP left the Family may raid again: that is another Action, with its own cost and cube."""
    return raid_over(at, noted, "nw:3.2.5.repeat")


RAID_NEW_MEXICO = procedure(
    "raid-new-mexico",
    RaidMemory,
    chance(
        "draw",
        ("nw:3.2.5.draw", "nw:1.9.bag"),
        ask_cube,
        draw,
        goes=("result", "over"),
        title="Draw a cube from the Raid Pool",
    ),
    reading(
        "result",
        "nw:3.2.5.draw",
        ask_result,
        result,
        goes=("battle", "over"),
        title="Raid Table, column New Mexico",
    ),
    decision(
        "battle",
        "nw:11.1.forced-by-raid",
        ask_forced_battle,
        fight_forced_battle,
        title="The Battle the Raid forces",
    ),
    automatic("over", ("nw:3.2.dissolved", "nw:3.2.5.repeat"), finish_raid, title="The Raid is over"),
    title="Raid New Mexico",
)

# -- as an answer ------------------------------------------------------------------------------------

OFFER = message("take-actions.raid-new-mexico", "Raid New Mexico.")
OFFER_LONG_RANGE = message("take-actions.long-range", "Raid New Mexico at long range, with all MP.")


def ways(_: Board, letter: FamilyLetter) -> Iterator[RaidNewMexico]:
    """From near by, or at long range."""
    yield RaidNewMexico(letter)
    yield RaidNewMexico(letter, long_range=True)


def offer(_: Board, do: RaidNewMexico) -> Said:
    """From where."""
    return say(OFFER_LONG_RANGE if do.long_range else OFFER)


ACTION = Action(
    RaidNewMexico,
    "nw:3.2.5",
    Term("nw.action.raid_new_mexico"),
    message(
        "action.raid-new-mexico", "The activated Family raids New Mexico, from near by or at long range."
    ),
    may_raid_new_mexico,
    begin_raid,
    offer=offer,
    ways=ways,
    subjects=the_acting_family,
    if_nobody=NOBODY_ACTIVATED,
    may_at_all=may_raid_new_mexico_at_all,
    may_so=can_get_there,
    subject="family",
)
