"""Possible positions, 1.6.1 and 1.8: how many counters of a kind and cubes of a colour there can be."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import lru_cache
from operator import attrgetter
from typing import Any

from msgspec import UNSET, structs

from engine.audit import finding
from engine.messages import Term
from engine.navajo_wars.board import LAST_SPACE, Board
from engine.navajo_wars.components import SHIPPED
from engine.navajo_wars.counters import COUNTER_TERM, published, set_aside, stated
from engine.navajo_wars.cubes import COLOURS, CUBE_TERM
from engine.navajo_wars.outposts import OUTPOST_TERM
from engine.navajo_wars.position import AreaState
from engine.verdict import Check, needs

# -- what is told ------------------------------------------------------------------------------------


def areas_told(at: Board) -> dict[str, Any]:
    """The Areas that hold something, as far as they are told; asked for anew for each kind of counter."""
    return at.once(_areas_told)


def _areas_told(at: Board) -> dict[str, Any]:
    areas: Any = {} if at.position.areas is UNSET else at.position.areas
    return {area: _there(state) for area, state in areas.items()}


@lru_cache(maxsize=1024)  # most Areas look like others, and like themselves before
def _there(state: AreaState) -> AreaState:
    """What is in an Area, kind by kind; what was not told is none there as far as anybody knows."""
    told = zip(AreaState.left_out.values(), structs.astuple(state), strict=True)
    return AreaState(*(none if value is UNSET else value for none, value in told))


def families_told(at: Board) -> dict[str, Any]:
    """The Families in play, as far as they are told."""
    return at.once(_families_told)


def _families_told(at: Board) -> dict[str, Any]:
    families: Any = at.position.families
    told = {} if families is UNSET else dict(sorted(families.items()))
    return {letter: state for letter, state in told.items() if state.at is not None}


def told(box: Any, field: str) -> Any:
    """A fact of a box, UNSET where it or the whole box was not told."""
    return UNSET if box is UNSET else getattr(box, field)


def count_told(box: Any, field: str) -> int:
    """How many are told to be in a box."""
    count: Any = told(box, field)
    return 0 if count is UNSET else int(count)


# -- 1.6.1: the counter mix --------------------------------------------------------------------------

TOO_MANY_COUNTERS = finding(
    "too-many-counters",
    "Counters of this kind (%(counter)s) in play: %(have)s. Your copy has only %(limit)s.",
)
MORE_THAN_PUBLISHED = finding(
    "more-counters-than-published",
    "Counters of this kind (%(counter)s): %(have)s. Public sources count only %(limit)s; if your copy has more of them, say so.",
)


def counter_mix(at: Board) -> Iterator[Check]:
    """No more counters of a kind than the player has counted."""
    for kind, (pointer, in_play) in COUNTED.items():
        limit = stated(at, kind)
        if limit is not None:
            have = in_play(at)
            shown = {"counter": TERM[kind], "have": have, "limit": limit}
            yield needs(have <= limit, TOO_MANY_COUNTERS, "nw:1.6.1.counter-limit", pointer=pointer, **shown)


def published_mix(at: Board) -> Iterator[Check]:
    """Where he has counted none: no more than public sources count, those set aside included."""
    for kind, (pointer, in_play) in COUNTED.items():
        limit = published(kind) if stated(at, kind) is None else None
        if limit is not None:
            have = in_play(at) + set_aside(at, kind)
            shown = {"counter": TERM[kind], "have": have, "limit": limit}
            yield needs(
                have <= limit, MORE_THAN_PUBLISHED, "nw:1.6.1.counter-limit", pointer=pointer, **shown
            )


def people(kind: str) -> Callable[[Board], int]:
    """Those in Family Boxes and in the Passage of Time Box."""

    def count(at: Board) -> int:
        in_families = [getattr(state, kind) for state in families_told(at).values()]
        return in_families.count(True) + count_told(at.position.passage_of_time, kind)

    return count


def on_map(kind: str) -> Callable[[Board], int]:
    """Those in the Areas."""
    of_kind = attrgetter(kind)
    return lambda at: sum(map(of_kind, areas_told(at).values()))


def in_resources(kind: str) -> Callable[[Board], int]:
    """Those in the Resources Box."""
    return lambda at: count_told(at.position.resources, kind)


def elders(at: Board) -> int:
    """Those in the Elder Display and in the Passage of Time Box."""
    display = at.position.elders
    return count_told(at.position.passage_of_time, "elder") + (
        0 if display is UNSET else sum(one for one in display if isinstance(one, int))
    )


def horses(at: Board) -> int:
    """Those in Family Boxes, in the Passage of Time Box and in the Resources Box."""
    return people("horse")(at) + count_told(at.position.resources, "horse")


def sheep(at: Board) -> int:
    """Those in the Passage of Time Box and in the Resources Box."""
    return count_told(at.position.passage_of_time, "sheep") + count_told(at.position.resources, "sheep")


def corn_counters(at: Board) -> int:
    """Those in the Areas and in the Resources Box."""
    harvested = told(at.position.resources, "corn")
    return on_map("corn")(at) + (0 if harvested is UNSET else len(harvested))


def drought_counters(at: Board) -> int:
    """Those in the Drought spaces."""
    territories: Any = at.position.territories
    return 0 if territories is UNSET else sum(count_told(one, "drought") for one in territories.values())


def tribal_raid_counters(at: Board) -> int:
    """Those in the Areas and in the Tribal Raid Box."""
    box = at.position.tribal_raid_box
    return on_map("tribal_raid")(at) + (0 if box is UNSET else box)


def enemy_ap_counters(at: Board) -> int:
    """Raid counters are their backs; the APs available may be marked on the track instead, as far as it goes."""
    raid = on_map("raid")(at) + count_told(at.position.santa_fe, "raid")
    available = count_told(at.position.tracks, "enemy_ap")
    return (
        raid + count_told(at.position.raided_box, "enemy_ap") + (available if available > LAST_SPACE else 0)
    )


# Every kind of counter that can be limited: where it is told, and how many are in play as far as they are told.
COUNTED: dict[str, tuple[str, Callable[[Board], int]]] = {
    "man": ("/families", people("man")),
    "woman": ("/families", people("woman")),
    "child": ("/families", people("child")),
    "elder": ("/elders", elders),
    "horse": ("/resources/horse", horses),
    "sheep": ("/resources/sheep", sheep),
    "corn": ("/resources/corn", corn_counters),
    "trade_goods": ("/resources/trade_goods", in_resources("trade_goods")),
    "firearms": ("/resources/firearms", in_resources("firearms")),
    "drought": ("/territories", drought_counters),
    "mission": ("/areas", on_map("mission")),
    "rancho": ("/areas", on_map("rancho")),
    "harass": ("/areas", on_map("harass")),
    "intruders": ("/areas", on_map("intruders")),
    "tribal_raid": ("/areas", tribal_raid_counters),
    "enemy_ap": ("/areas", enemy_ap_counters),
}
TERM: dict[str, Term] = {
    **COUNTER_TERM,
    **OUTPOST_TERM,
    "corn": Term("nw.corn_counter"),
    "firearms": Term("nw.firearms"),
    "drought": Term("nw.drought_counter"),
    "harass": Term("nw.harass_counter"),
    "intruders": Term("nw.intruder"),
    "tribal_raid": Term("nw.tribal_raid_counter"),
    "enemy_ap": Term("nw.enemy_ap_counter"),
}


# -- 1.8: cubes --------------------------------------------------------------------------------------

TOO_MANY_CUBES = finding(
    "too-many-cubes",
    "Number of %(cube)ss in all the boxes together: %(have)s. There are only %(limit)s.",
)
CUBE_IN_SUBJUGATION = finding(
    "cube-in-subjugation-box",
    "A %(cube)s is in the Subjugation of New Mexico Box. Red cubes are placed there, black ones through Good Medicine, and no others.",
)
BOXES = ("raid_pool", "raided_cubes", "recovery", "subjugation")


def cubes(at: Board) -> Iterator[Check]:
    """No more of a colour than there are; fewer can be, since some may be out of the game."""
    for colour in COLOURS:
        holding = {box: count for box in BOXES if (count := count_told(getattr(at.position, box), colour))}
        if not holding:
            continue
        have, boxes = sum(holding.values()), list(holding)
        limit, cube = SHIPPED.cubes.value[colour], CUBE_TERM[colour]
        pointer, rule = f"/{boxes[0]}/{colour}", "nw:1.8.cubes"
        yield needs(have <= limit, TOO_MANY_CUBES, rule, pointer=pointer, cube=cube, have=have, limit=limit)
        if boxes[-1] == "subjugation":
            belongs, pointer = colour in ("red", "black"), f"/subjugation/{colour}"
            yield needs(belongs, CUBE_IN_SUBJUGATION, "nw:1.7.3.subj-box", pointer=pointer, cube=cube)
