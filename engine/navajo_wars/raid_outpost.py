"""Section 3.2.6: Raid on an Outpost or Fort. Cubes are drawn until it is destroyed, a Battle is forced or the Raid ends."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Any, ClassVar, Literal

from msgspec import Meta, Struct

from engine.actions import Action, Said, say
from engine.exceptions import Refused
from engine.memory import NOT_NOTED, Noted
from engine.messages import Message, Term, message, requirement
from engine.navajo_wars.activation import (
    NOBODY_ACTIVATED,
    can_pay,
    may_act,
    note,
    spend_mp,
    the_acting_family,
    under_way,
)
from engine.navajo_wars.board import Board, Family
from engine.navajo_wars.components import SHIPPED, Changes
from engine.navajo_wars.consequences import change_track
from engine.navajo_wars.cubes import CUBE_TERM, shift_cubes
from engine.navajo_wars.map import PlaceRef, number_of, territory_of, track
from engine.navajo_wars.outposts import OUTPOST_TERM
from engine.navajo_wars.points import gain
from engine.navajo_wars.position import AreaId, Colour, FamilyLetter
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
from engine.verdict import Caution, Check, Truth, Unknown, must_know, needs, refuted

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
    "There is no %(target)s in Area %(area)s to raid.",
    met="There is a %(target)s in Area %(area)s to raid.",
)
OUT_OF_REACH = requirement(
    "raid-out-of-reach",
    "The %(target)s in Area %(area)s can be raided only from there or from a lower Area of the same Territory; Family %(family)s is elsewhere.",
    met="Family %(family)s can reach the %(target)s in Area %(area)s.",
)
FORT_OUT_OF_REACH = requirement(
    "raid-fort-out-of-reach",
    "By the reading chosen here, a Fort can be raided only from its own Area (%(area)s); Family %(family)s is elsewhere.",
    met="Family %(family)s can reach the Fort in Area %(area)s.",
)
RAID_OUTPOST_TOO_DEAR = requirement(
    "raid-outpost-too-dear",
    "The Raid costs the Area Value of the Family's Area: %(total)s MP; you have %(have)s.",
    met="The Raid costs the Area Value of the Family's Area: %(total)s MP; you have %(have)s.",
)
RAIDS_OUTPOST = message("raids-outpost", "Family %(family)s raids the %(target)s in Area %(area)s.")


def may_raid_outpost(at: Board, do: RaidOutpost) -> Iterator[Check | Caution]:
    """Everything that decides whether this Family may raid it, in rulebook order."""
    if (yield from may_act(at, do.family)):
        yield from may_raid(at, at.family(do.family), "nw:3.2.6.pre")
        yield from may_raid_target(at, do)
        yield payable(at, do.family)


def may_raid_outpost_at_all(at: Board, letter: str) -> Iterator[Check | Caution]:
    """What concerns the Family alone, whatever it wants to raid."""
    if (yield from may_act(at, letter)):
        yield from may_raid(at, at.family(letter), "nw:3.2.6.pre")
        yield payable(at, letter)


def may_raid_target(at: Board, do: RaidOutpost) -> Iterator[Check]:
    """The target is there, and the Family can reach it."""
    family, area = at.family(do.family), PlaceRef(do.area)
    shown = {"target": TARGET_TERM[do.target], "area": area}
    yield needs(
        stands_there(at, area, do.target),
        NO_TARGET,
        "nw:3.2.6.target",
        pointer=f"/areas/{area}/{do.target}",
        **shown,
    )
    only_there = do.target == "fort" and at.choice("fort-raid-position") == "same-area"
    yield needs(
        in_reach(at, family, area, do.target),
        FORT_OUT_OF_REACH if only_there else OUT_OF_REACH,
        "nw:3.2.6.pre",
        "nw:3.2.6.target",
        pointer=f"{family.pointer}/at",
        family=do.family,
        **shown,
    )


def payable(at: Board, letter: str) -> Check:
    """The plain value of the Family's own Area."""
    value = at.value(at.family(letter).at)
    return can_pay(at, value, RAID_OUTPOST_TOO_DEAR, "nw:3.2.6.cost", "nw:1.7.2.area-value", value=value)


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


WHERE_IT_IS = message("raid-target-where", "In which Area is the Outpost or Fort that is raided?")
WHICH_COUNTER = message("raid-target-which", "Which counter is raided: a Mission, a Rancho or a Fort?")


class OutpostRaidMemory(RaidMemory, frozen=True):
    """Which counter is raided where, the damage done so far, and what the last cube printed."""

    questions: ClassVar[dict[str, Message]] = {
        **RaidMemory.questions,
        "area": WHERE_IT_IS,
        "counter": WHICH_COUNTER,
        "needed": message("ask-damage-needed", "How much damage does the raided counter bear?"),
    }

    area: Noted[AreaId] = NOT_NOTED
    counter: Noted[Target] = NOT_NOTED
    hits: Annotated[int, Meta(ge=0, le=99)] = 0
    hit: Annotated[int, Meta(ge=0, le=9)] = 0
    battle: bool = False
    ends: bool = False
    needed: Noted[Annotated[int, Meta(ge=1, le=20)]] = NOT_NOTED


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
    "Manuelito's Family may put one cube back in each activation: keep this %(cube)s, or return it to the "
    "Raid Pool and draw again?",
)
KEEP_CUBE = message("raid-keep-cube", "Keep the cube")
RETURN_CUBE = message("raid-return-cube", "Return it and draw again")
CUBE_RETURNED = message(
    "raid-cube-returned", "Manuelito's Family returns the %(cube)s to the Raid Pool and draws again."
)
ENDS_BY_TABLE = message("raid-ends-by-table", "The Raid Table says that the Raid ends.")


def draw(at: Board, noted: OutpostRaidMemory, colour: str) -> tuple[Board, Where]:
    """The next cube; Manuelito's Family may return it."""
    if colour == NO_CUBE:
        return at.tell(RAID_POOL_EMPTY, "nw:1.9.bag-empty"), "over"
    without_him = refuted(at.family(noted.family).is_manuelitos)
    return take_cube(at, colour, "nw:3.2.6.draw-loop"), "result" if without_him else "manuelito"


def ask_put_back(at: Board, noted: OutpostRaidMemory) -> Question:
    """Asked of Manuelito's Family, once in an activation."""
    family, colour = at.family(noted.family), must_know(noted.colour)
    if not may_put_back(at, family, noted):
        return known("keep")
    options = (Option("keep", KEEP_CUBE), Option("return", RETURN_CUBE))
    return ask(PUT_BACK, Choose(options), cube=CUBE_TERM[colour])


def may_put_back(at: Board, family: Family, noted: OutpostRaidMemory) -> bool:
    """Manuelito's Family, not yet in this activation; whether for a Fort too is open (C56)."""
    if not must_know(family.is_manuelitos) or under_way(at).redrawn:
        return False
    return must_know(noted.counter) != "fort" or at.choice("manuelito-redraw-fort") == "both"


def put_back(at: Board, noted: OutpostRaidMemory, chosen: str) -> tuple[Board, Where]:
    """Keep the cube, or return it and draw again."""
    if chosen == "keep":
        return at, "result"
    colour: Colour = must_know(noted.colour)
    rules = ("nw:3.2.6.manuelito", "nw:13.manuelito.ignore-cube", "nw:1.6.1.manuelito")
    at = shift_cubes(take_back_cube(at, colour, rules[0]), "raid_pool", colour, +1)
    at = note(at, redrawn=True).remember(colour=NOT_NOTED)
    return at.tell(CUBE_RETURNED, *rules, cube=CUBE_TERM[colour]), "draw"


def ask_result(at: Board, noted: OutpostRaidMemory) -> Question:
    """What the column for Outposts and Forts prints for it."""
    return ask_raid_result(at, noted, "outpost")


def result(at: Board, noted: OutpostRaidMemory, read: ReadResult) -> tuple[Board, Where]:
    """What the cube brings; damage is dealt with next."""
    at, printed = apply_raid_result(at, noted, read, "nw:3.2.6.draw-loop")
    if printed is None:
        return at.forget("areas"), "over"
    if printed.hit or printed.battle:
        at = at.remember(hit=printed.hit, battle=printed.battle, ends=printed.ends)
    if printed.hit:
        return at, "damage"
    return after_cube(at, must_know(noted.family), battle=printed.battle, ends=printed.ends)


def after_cube(
    at: Board, letter: str, *, battle: bool, ends: bool, destroyed: bool = False
) -> tuple[Board, Where]:
    """A Battle, the end, or the next cube."""
    if battle:
        return at, "battle"
    if ends:
        return at.tell(ENDS_BY_TABLE, "nw:3.2.6.draw-loop"), "over"
    if destroyed or refuted(at.family(letter).in_play):
        return at, "over"
    return at.remember(colour=NOT_NOTED, hit=0), "draw"


# -- damage ------------------------------------------------------------------------------------------

READ_HITS = message(
    "raid-read-hits",
    "How many hits destroy a %(target)s, according to your Raid Table?",
)
HIT = message("raid-hit", "Hits on the %(target)s: %(hits)s of the %(needed)s that destroy it.", outcome=True)
PUSHED_BACK = message(
    "raid-pushed-back",
    "A hit: the %(target)s is moved back from Area %(start)s to Area %(area)s.",
    outcome=True,
)
NO_ROOM = message(
    "raid-no-room",
    "A hit, but there is a %(target)s in Area %(area)s already: the one that was hit stays where it is.",
    outcome=True,
)
DESTROYED = message(
    "raid-destroyed",
    "The %(target)s in Area %(area)s is destroyed: its counter goes to the Enemy Out of Play Box.",
    outcome=True,
)
KNOWN_END = message(
    "raid-known-end",
    "What a destroyed Outpost or Fort does to the tracks is taken from public sources here; check it against your Raid Table.",
    tells="detail",
)

PUSHES = 0  # no number of hits: each moves the target one Area back


def ask_needed(at: Board, noted: OutpostRaidMemory) -> Question:
    """The hits it can bear, where the player states or reads them; otherwise a hit pushes it back (C56)."""
    area, target = target_of(noted)
    name = target_name(at, area, target)
    printed = at.components.raid_table.hits.get(name)
    needed = noted.needed if printed is None else printed
    if not isinstance(needed, Unknown):
        return known(needed)
    if at.choice("outpost-hit") == "pushed-back":
        return known(PUSHES)
    place = "" if isinstance(name, Unknown) else f"/components/raid_table/hits/{name}"
    return ask(READ_HITS, Read(Annotated[int, Meta(ge=1, le=20)], place=place), target=TARGET_TERM[target])


def target_of(noted: OutpostRaidMemory) -> tuple[PlaceRef, Target]:
    """Where the target is, and what it is."""
    return PlaceRef(must_know(noted.area)), must_know(noted.counter)


def target_name(at: Board, area: PlaceRef, target: Target) -> Any:
    """Mission, Rancho or the Fort's own name; a Raid cannot go on without its target."""
    if not must_know(stands_there(at, area, target)):
        shown = {"target": TARGET_TERM[target], "area": area}
        raise Refused(needs(False, NO_TARGET, "nw:3.2.6.target", pointer=f"/areas/{area}/{target}", **shown))
    return at.counters(area, "fort") if target == "fort" else target


def damage(at: Board, noted: OutpostRaidMemory, needed: int) -> tuple[Board, Where]:
    """Count the hits, or push the target back."""
    letter, (area, target) = must_know(noted.family), target_of(noted)
    if needed == PUSHES:
        at, destroyed = push_back(at, letter, area, target, noted.hit)
    else:
        hits = min(99, noted.hits + noted.hit)
        at, destroyed = at.remember(hits=hits, needed=needed), hits >= needed
        shown = {"target": TARGET_TERM[target], "hits": min(hits, needed), "needed": needed}
        at = at.tell(HIT, "nw:3.2.6.draw-loop", **shown)
        at = destroy(at, letter, area, target) if destroyed else at
    return after_cube(at, letter, battle=noted.battle, ends=noted.ends, destroyed=destroyed)


def push_back(at: Board, letter: str, area: PlaceRef, target: Target, hits: int) -> tuple[Board, bool]:
    """Each hit moves it one Area towards #1; one that is in #1 already is destroyed."""
    for _ in range(hits):
        if number_of(area) == 1:
            return destroy(at, letter, area, target), True
        at, area = step_back(at, area, target)
    return at, False


def step_back(at: Board, start: PlaceRef, target: Target) -> tuple[Board, PlaceRef]:
    """One Area down, if there is room: an Area holds one counter of each kind (1.7.2)."""
    area = PlaceRef(f"{territory_of(start)}-{number_of(start) - 1}")
    shown = {"target": TARGET_TERM[target], "area": area}
    if must_know(stands_there(at, area, target)):
        return at.tell(NO_ROOM, "nw:3.2.6.success", "nw:1.7.2.stacking", **shown), start
    counter = at.counters(start, target)
    at = without_target(at.set_area(area, **{target: counter}), start, target).remember(area=str(area))
    return at.tell(PUSHED_BACK, "nw:3.2.6.success", start=start, **shown), area


def without_target(at: Board, area: PlaceRef, target: Target) -> Board:
    """The counter is not in this Area any more."""
    return at.set_area(area, **{target: None if target == "fort" else False})


def destroy(at: Board, letter: str, area: PlaceRef, target: Target) -> Board:
    """The counter leaves the map; what that brings is printed, or known from public sources."""
    name, rule = target_name(at, area, target), "nw:3.2.6.success"
    at = without_target(at, area, target).tell(DESTROYED, rule, target=TARGET_TERM[target], area=area)
    printed = at.components.raid_table.destroyed.get(name)
    if printed is not None:
        return apply_printed(at, Changes(printed), rule, letter)
    effect = SHIPPED.destroyed["fort" if target == "fort" else "outpost"]
    at = at.tell(KNOWN_END, rule)
    at = gain(at, "culture", effect.culture, rule) if effect.culture else at
    return change_track(at, "enemy_morale", effect.enemy_morale, rule) if effect.enemy_morale else at


RAID_OUTPOST = procedure(
    "raid-outpost",
    OutpostRaidMemory,
    chance(
        "draw",
        ("nw:3.2.6.draw-loop", "nw:1.9.bag"),
        ask_cube,
        draw,
        goes=("manuelito", "result", "over"),
        title="Draw a cube from the Raid Pool",
    ),
    decision(
        "manuelito",
        ("nw:3.2.6.manuelito", "nw:13.manuelito.ignore-cube"),
        ask_put_back,
        put_back,
        goes=("result", "draw"),
        title="Manuelito's Family may return the cube",
    ),
    reading(
        "result",
        "nw:3.2.6.draw-loop",
        ask_result,
        result,
        goes=("damage", "battle", "draw", "over"),
        title="Raid Table, column Outpost or Fort",
    ),
    reading(
        "damage",
        ("nw:3.2.6.success", "nw:13.forts.fauntleroy"),
        ask_needed,
        damage,
        goes=("battle", "draw", "over"),
        title="Damage to the target",
    ),
    decision(
        "battle",
        "nw:11.1.forced-by-raid",
        ask_forced_battle,
        fight_forced_battle,
        title="The Battle the Raid forces",
    ),
    automatic("over", "nw:3.2.dissolved", raid_over, title="The Raid is over"),
    title="Raid on an Outpost or Fort",
)

# -- as an answer ------------------------------------------------------------------------------------

OFFER = message("take-actions.raid-outpost", "Raid the %(target)s in Area %(area)s.")


def ways(at: Board, letter: FamilyLetter) -> Iterator[RaidOutpost]:
    """On each counter that stands on the Family's own track."""
    for area in track(territory_of(must_know(at.family(letter).at))):
        for target in TARGET_TERM:
            if stands_there(at, area, target):
                yield RaidOutpost(letter, area, target)  # type: ignore[arg-type]


def offer(_: Board, do: RaidOutpost) -> Said:
    """Which counter, and where."""
    return say(OFFER, target=TARGET_TERM[do.target], area=PlaceRef(do.area))


ACTION = Action(
    RaidOutpost,
    "nw:3.2.6",
    Term("nw.action.raid_outpost"),
    message("action.raid-outpost", "The activated Family raids an Outpost or a Fort on its Area Track."),
    may_raid_outpost,
    begin_raid,
    offer=offer,
    ways=ways,
    subjects=the_acting_family,
    if_nobody=NOBODY_ACTIVATED,
    may_at_all=may_raid_outpost_at_all,
    may_so=may_raid_target,
    subject="family",
)
