"""Section 3.2.6: Raid on an Outpost or Fort. Cubes are drawn until it is destroyed, a Battle is forced or the Raid ends."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Any, Literal

from msgspec import UNSET, Meta, Struct, UnsetType

from engine.actions import Action
from engine.exceptions import Refused
from engine.messages import Term, message, requirement
from engine.navajo_wars.activation import can_go_on, can_pay, may_act, note, spend_mp, under_way
from engine.navajo_wars.board import Board, Family
from engine.navajo_wars.components import SHIPPED, Changes
from engine.navajo_wars.consequences import change_track
from engine.navajo_wars.cubes import CUBE_TERM, shift_cubes
from engine.navajo_wars.map import PlaceRef, number_of, territory_of
from engine.navajo_wars.outposts import OUTPOST_TERM
from engine.navajo_wars.points import gain
from engine.navajo_wars.position import AreaId, FamilyLetter
from engine.navajo_wars.printed import apply_printed
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
    take_back_cube,
    take_cube,
)
from engine.navajo_wars.truces import break_peace, truce
from engine.questions import Choose, Option, Question, Read, ask, known
from engine.tables import Where, automatic, call, chance, decision, procedure, reading
from engine.verdict import Caution, Check, Truth, Unknown, must_know, needs

Target = Literal["mission", "rancho", "fort"]
TARGET_TERM = {**OUTPOST_TERM, "fort": Term("nw.fort")}


class RaidOutpost(Struct, frozen=True, forbid_unknown_fields=True, tag_field="kind", tag="raid-outpost"):
    """The activated Family raids an Outpost or a Fort."""

    family: FamilyLetter
    area: AreaId
    target: Target


# -- whom it can reach, and what it costs ------------------------------------------------------------

NO_TARGET = requirement(
    "raid-target-not-there",
    "There is nothing of this kind (%(target)s) in Area %(area)s to be raided.",
    met="The target (%(target)s) is in Area %(area)s.",
)
OUT_OF_REACH = requirement(
    "raid-out-of-reach",
    "Family %(family)s cannot reach the target (%(target)s) in Area %(area)s: it must be in the same Area or in one with a "
    "lower Area Value in the same Territory.",
    met="Family %(family)s can reach the target (%(target)s) in Area %(area)s.",
)
RAID_OUTPOST_TOO_DEAR = requirement(
    "raid-outpost-too-dear",
    "Area Value of the Family's Area (%(value)s) = %(total)s MP; you have %(have)s.",
    met="Area Value of the Family's Area (%(value)s) = %(total)s MP; you have %(have)s.",
)
RAIDS_OUTPOST = message(
    "raids-outpost", "Family %(family)s raids an Outpost or Fort (%(target)s) in Area %(area)s."
)


def may_raid_outpost(at: Board, do: RaidOutpost) -> Iterator[Check | Caution]:
    """Everything that decides whether this Family may raid it, in rulebook order."""
    letter, family, area = do.family, at.family(do.family), PlaceRef(do.area)
    yield from may_act(at, letter)
    if not can_go_on(at, letter):
        return
    yield from may_raid(at, family, "nw:3.2.6.pre")
    shown = {"target": TARGET_TERM[do.target], "area": area}
    yield needs(
        stands_there(at, area, do.target),
        NO_TARGET,
        "nw:3.2.6.target",
        pointer=f"/areas/{area}/{do.target}",
        **shown,
    )
    yield needs(
        in_reach(at, family, area, do.target),
        OUT_OF_REACH,
        "nw:3.2.6.pre",
        "nw:3.2.6.target",
        pointer=f"{family.pointer}/at",
        family=letter,
        **shown,
    )
    value = at.value(family.at)
    yield can_pay(at, value, RAID_OUTPOST_TOO_DEAR, "nw:3.2.6.cost", "nw:1.7.2.area-value", value=value)


def stands_there(at: Board, area: str, target: str) -> Truth:
    """Is the target in this Area?"""
    there = at.counters(area, target)
    return there if isinstance(there, Unknown) else bool(there)


def in_reach(at: Board, family: Family, area: str, target: str) -> Truth:
    """The same Area or a lower one of the same Territory; for a Fort only Outposts are named there (C56)."""
    here = family.at
    if isinstance(here, Unknown):
        return here
    if territory_of(here) != territory_of(area) or number_of(here) > number_of(area):
        return False
    if target == "fort" and here != area:
        return at.choice("fort-raid-position") == "same-or-lower"
    return True


class OutpostRaidMemory(RaidMemory, frozen=True):
    """Which counter is raided where, the damage done so far, and what the last cube printed."""

    area: AreaId | UnsetType = UNSET
    counter: Target | UnsetType = UNSET
    hits: Annotated[int, Meta(ge=0, le=99)] = 0
    hit: Annotated[int, Meta(ge=0, le=9)] = 0
    battle: bool = False
    ends: bool = False
    needed: Annotated[int, Meta(ge=1, le=20)] | UnsetType = UNSET


def begin_raid(at: Board, do: RaidOutpost) -> tuple[Board, Where]:
    """Pay; Peace, if it holds, ends at once."""
    at = spend_mp(at, must_know(at.value(at.family(do.family).at)), "nw:3.2.6.cost")
    broken = ("nw:3.2.6.ends-peace",) if truce(at) == "peace" else ()
    shown = {"family": do.family, "target": TARGET_TERM[do.target], "area": PlaceRef(do.area)}
    at = break_peace(at.tell(RAIDS_OUTPOST, "nw:3.2.6.pre", *broken, **shown))
    return at, call(RAID_OUTPOST, family=do.family, area=do.area, counter=do.target)


# -- one cube after the other ------------------------------------------------------------------------

PUT_BACK = message(
    "raid-put-back",
    "Manuelito's Family may put one cube back in each activation: keep this one (%(cube)s), or return it to the Raid Pool and "
    "draw again?",
)
KEEP_CUBE = message("raid-keep-cube", "Keep the cube")
RETURN_CUBE = message("raid-return-cube", "Return it and draw again")
CUBE_RETURNED = message(
    "raid-cube-returned", "Manuelito's Family returns the cube (%(cube)s) to the Raid Pool and draws again."
)
ENDS_BY_TABLE = message("raid-ends-by-table", "The Raid Table says that the Raid ends.")


def draw(at: Board, colour: str) -> tuple[Board, Where]:
    """The next cube."""
    if colour == NO_CUBE:
        return at.tell(RAID_POOL_EMPTY, "nw:1.9.bag-empty"), "over"
    return take_cube(at, colour, "nw:3.2.6.draw-loop"), "manuelito"


def ask_put_back(at: Board) -> Question:
    """Asked of Manuelito's Family, once in an activation."""
    family, colour = at.family(at.recall("family")), must_know(at.recall("colour"))
    if not may_put_back(at, family):
        return known("keep")
    options = (Option("keep", KEEP_CUBE), Option("return", RETURN_CUBE))
    return ask(PUT_BACK, Choose(options), cube=CUBE_TERM[colour])


def may_put_back(at: Board, family: Family) -> bool:
    """Manuelito's Family, not yet in this activation; whether for a Fort too is open (C56)."""
    if not must_know(family.is_manuelitos) or under_way(at).redrawn:
        return False
    fort = must_know(at.recall("counter")) == "fort"
    return not fort or at.choice("manuelito-redraw-fort") == "both"


def put_back(at: Board, chosen: str) -> tuple[Board, Where]:
    """Keep the cube, or return it and draw again."""
    if chosen == "keep":
        return at, "result"
    rules = ("nw:3.2.6.manuelito", "nw:13.manuelito.ignore-cube", "nw:1.6.1.manuelito")
    at, colour = take_back_cube(at, rules[0])
    at = note(shift_cubes(at, "raid_pool", colour, +1), redrawn=True).remember(colour=UNSET)
    return at.tell(CUBE_RETURNED, *rules, cube=CUBE_TERM[colour]), "draw"


def ask_result(at: Board) -> Question:
    """What the column for Outposts and Forts prints for it."""
    return ask_raid_result(at, "outpost")


def result(at: Board, read: ReadResult) -> tuple[Board, Where]:
    """What the cube brings; damage is dealt with next."""
    at, printed = apply_raid_result(at, read, "nw:3.2.6.draw-loop")
    if printed is None:
        return at.change(areas=UNSET), "over"
    at = at.remember(hit=printed.hit, battle=printed.battle, ends=printed.ends)
    return (at, "damage") if printed.hit else after_cube(at, destroyed=False)


def after_cube(at: Board, *, destroyed: bool) -> tuple[Board, Where]:
    """A Battle, the end, or the next cube."""
    if at.recall("battle"):
        return at, "battle"
    if at.recall("ends"):
        return at.tell(ENDS_BY_TABLE, "nw:3.2.6.draw-loop"), "over"
    gone = at.family(at.recall("family")).in_play is False
    return at, ("over" if destroyed or gone else "draw")


# -- damage ------------------------------------------------------------------------------------------

READ_HITS = message(
    "raid-read-hits",
    "How much damage does your Raid Table say the target (%(target)s) must suffer to be destroyed? Send the number of hits.",
)
HIT = message("raid-hit", "Damage to the target (%(target)s): %(hits)s of %(needed)s hits.")
PUSHED_BACK = message(
    "raid-pushed-back", "A hit: the target (%(target)s) is moved back from Area %(start)s to Area %(area)s."
)
NO_ROOM = message(
    "raid-no-room",
    "A hit, but Area %(area)s holds a counter of the same kind (%(target)s) already: the target stays where it is.",
)
DESTROYED = message(
    "raid-destroyed",
    "The target (%(target)s) in Area %(area)s is destroyed: its counter goes to the Enemy Out of Play Box.",
)
KNOWN_END = message(
    "raid-known-end",
    "Public sources state what a destroyed Outpost or Fort does to the tracks; check it against your Raid Table.",
)

PUSHES = 0  # no number of hits: each moves the target one Area back


def target_name(at: Board) -> Any:
    """Mission, Rancho or the Fort's own name; a Raid cannot go on without its target."""
    area, target = PlaceRef(must_know(at.recall("area"))), must_know(at.recall("counter"))
    if not must_know(stands_there(at, area, target)):
        shown = {"target": TARGET_TERM[target], "area": area}
        raise Refused(needs(False, NO_TARGET, "nw:3.2.6.target", pointer=f"/areas/{area}/{target}", **shown))
    return at.counters(area, "fort") if target == "fort" else target


def ask_needed(at: Board) -> Question:
    """The hits it can bear, where the player states or reads them; otherwise a hit pushes it back (C56)."""
    printed = at.components.raid_table.hits.get(target_name(at))
    noted = at.recall("needed")
    if printed is not None or not isinstance(noted, Unknown):
        return known(noted if printed is None else printed)
    if at.choice("outpost-hit") == "pushed-back":
        return known(PUSHES)
    target = TARGET_TERM[at.recall("counter")]
    return ask(READ_HITS, Read(Annotated[int, Meta(ge=1, le=20)]), target=target)


def damage(at: Board, needed: int) -> tuple[Board, Where]:
    """Count the hits, or push the target back."""
    if needed == PUSHES:
        at, destroyed = push_back(at, at.recall("hit"))
        return after_cube(at, destroyed=destroyed)
    target, hits = TARGET_TERM[must_know(at.recall("counter"))], min(99, at.recall("hits") + at.recall("hit"))
    at = at.remember(hits=hits, needed=needed)
    at = at.tell(HIT, "nw:3.2.6.draw-loop", target=target, hits=min(hits, needed), needed=needed)
    if hits < needed:
        return after_cube(at, destroyed=False)
    return after_cube(destroy(at), destroyed=True)


def push_back(at: Board, hits: int) -> tuple[Board, bool]:
    """Each hit moves it one Area towards #1; one that is in #1 already is destroyed."""
    for _ in range(hits):
        start = PlaceRef(must_know(at.recall("area")))
        if number_of(start) == 1:
            return destroy(at), True
        at = step_back(at, start, must_know(at.recall("counter")))
    return at, False


def step_back(at: Board, start: PlaceRef, target: Target) -> Board:
    """One Area down, if there is room: an Area holds one counter of each kind (1.7.2)."""
    area = PlaceRef(f"{territory_of(start)}-{number_of(start) - 1}")
    shown = {"target": TARGET_TERM[target], "area": area}
    if must_know(stands_there(at, area, target)):
        return at.tell(NO_ROOM, "nw:3.2.6.success", "nw:1.7.2.stacking", **shown)
    counter = at.counters(start, target)
    at = at.set_area(area, **{target: counter}).set_area(
        start, **{target: None if target == "fort" else False}
    )
    return at.remember(area=str(area)).tell(PUSHED_BACK, "nw:3.2.6.success", start=start, **shown)


def destroy(at: Board) -> Board:
    """The counter leaves the map; what that brings is printed, or known from public sources."""
    name, target, area = target_name(at), at.recall("counter"), PlaceRef(at.recall("area"))
    at = at.set_area(area, **{target: None if target == "fort" else False})
    at = at.tell(DESTROYED, "nw:3.2.6.success", target=TARGET_TERM[target], area=area)
    printed = at.components.raid_table.destroyed.get(name)
    if printed is not None:
        return apply_printed(at, Changes(printed), "nw:3.2.6.success", must_know(at.recall("family")))
    effect = SHIPPED.destroyed["fort" if target == "fort" else "outpost"]
    at = at.tell(KNOWN_END, "nw:3.2.6.success")
    at = gain(at, "culture", effect.culture, "nw:3.2.6.success") if effect.culture else at
    if effect.enemy_morale:
        at = change_track(at, "enemy_morale", effect.enemy_morale, "nw:3.2.6.success")
    return at


RAID_OUTPOST = procedure(
    "raid-outpost",
    OutpostRaidMemory,
    chance("draw", ("nw:3.2.6.draw-loop", "nw:1.9.bag"), ask_cube, draw),
    decision("manuelito", ("nw:3.2.6.manuelito", "nw:13.manuelito.ignore-cube"), ask_put_back, put_back),
    reading("result", "nw:3.2.6.draw-loop", ask_result, result),
    reading("damage", ("nw:3.2.6.success", "nw:13.forts.fauntleroy"), ask_needed, damage),
    decision("battle", "nw:11.1.forced-by-raid", ask_forced_battle, fight_forced_battle),
    automatic("over", "nw:3.2.dissolved", raid_over),
)

ACTION = Action(
    RaidOutpost,
    "nw:3.2.6",
    Term("nw.action.raid_outpost"),
    message("action.raid-outpost", "The activated Family raids an Outpost or a Fort on its Area Track."),
    may_raid_outpost,
    begin_raid,
)
