"""The Enemy Raid Flowchart (4.2.8): every box of the two charts, from Raid Initiation to Raid Ends."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from msgspec import Struct, structs

from engine.actions import Action, Said, say
from engine.memory import NOT_NOTED, Frame
from engine.messages import Term, message, question, requirement
from engine.navajo_wars import ambush, evade, harass, negotiate
from engine.navajo_wars.battle import ACTION as BATTLE_ACTION
from engine.navajo_wars.board import ASK_PERIOD, MOST_COUNTERS, Board
from engine.navajo_wars.consequences import change_track
from engine.navajo_wars.display import costs_otherwise
from engine.navajo_wars.enemy_raid_end import (
    ask_outposts_left,
    end_build,
    end_clear,
    end_morale,
    end_outposts,
    end_return,
    end_subvert,
)
from engine.navajo_wars.enemy_raid_resolution import (
    adjust_morale,
    ask_affected,
    ask_caught,
    ask_morale_roll,
    ask_range,
    ask_resolution,
    battle_in_resolution,
    battle_once_written,
    note_morale_roll,
    step_1,
    step_2,
    step_3,
    turn_to,
)
from engine.navajo_wars.map import PlaceRef, is_area
from engine.navajo_wars.position import Count
from engine.navajo_wars.raid_memory import EnemyRaidMemory
from engine.navajo_wars.raid_placement import ask_area, ask_direction, heads_for, note_areas, visible_in
from engine.navajo_wars.raid_resolution import (
    RETURN_ROWS,
    SUFFER,
    ask_population,
    returning,
    told_why_not,
)
from engine.navajo_wars.santa_fe import as_many_as_left, in_santa_fe, raid_counters, told_in_santa_fe
from engine.questions import Question, ask, known
from engine.tables import Where, automatic, call, chance, decision, instead, part, procedure, reading
from engine.verdict import Caution, Check, Unknown, must_know, needs, warns


class EnemyRaid(Struct, frozen=True, forbid_unknown_fields=True, tag_field="kind", tag="enemy-raid"):
    """The Enemy raids with as many Raid counters as APs were spent."""

    ap: Count


# -- 4.2.8: the APs spent become Raid counters -------------------------------------------------------

RAID_NOT_PAID = requirement(
    "enemy-raid-not-paid",
    "This Raid cannot be paid for. APs to be spent: %(need)s; Enemy APs available: %(have)s.",
    met="APs to be spent: %(need)s; Enemy APs available: %(have)s.",
)
RAID_STARTS = message(
    "enemy-raid-starts",
    "The Enemy AP counters spent (%(ap)s) are flipped to their Raid side and placed in Santa Fé.",
)


ENEMY_AP_NOT_TOLD = message(
    "enemy-ap-not-told",
    "The position does not say how many Enemy APs are available: it is not checked whether they cover the cost. APs to be spent: %(ap)s.",
)


def enemy_ap_not_told(ap: int) -> Iterator[Caution]:
    """What is spent counts as available, and whoever asks is told so."""
    if ap:
        yield warns(ENEMY_AP_NOT_TOLD, "nw:4.1.2.cost", pointer="/tracks/enemy_ap", ap=ap)


def may_raid(at: Board, do: EnemyRaid) -> Iterator[Check | Caution]:
    """A Raid must be paid for, where it is told what the Enemy has."""
    yield from costs_otherwise(at, "raid", do.ap)
    available = at.track("enemy_ap")
    if isinstance(available, Unknown):
        yield from enemy_ap_not_told(do.ap)
        return
    yield needs(
        available >= do.ap,
        RAID_NOT_PAID,
        "nw:4.1.3.short",
        pointer="/tracks/enemy_ap",
        need=do.ap,
        have=available,
    )


def ways(at: Board, _: None) -> Iterator[EnemyRaid]:
    """As many APs as the Enemy can spend."""
    for ap in range(1, must_know(at.track("enemy_ap")) + 1):
        yield EnemyRaid(ap)


def variants(at: Board, _: None) -> Iterator[EnemyRaid]:
    """The same, and a Raid without any counter."""
    return (EnemyRaid(ap) for ap in range(must_know(at.track("enemy_ap")) + 1))


def offer(_: Board, do: EnemyRaid) -> Said:
    """An Enemy Raid as an answer."""
    return say(OFFER, ap=do.ap)


OFFER = message("enemy-raid-offer", "An Enemy Raid; APs spent: %(ap)s")


def begin_raid(at: Board, do: EnemyRaid) -> tuple[Board, Where]:
    """The APs leave the Enemy APs Available Box and start the Raid."""
    if do.ap and not isinstance(at.track("enemy_ap"), Unknown):
        at = change_track(at, "enemy_ap", -do.ap, "nw:4.1.2.cost")
    return start_raid(at, do.ap)


def start_raid(at: Board, ap: int) -> tuple[Board, Where]:
    """Put the counters that were spent in Santa Fé and follow the chart."""
    at = in_santa_fe(at, told_in_santa_fe(at) + ap).tell(RAID_STARTS, "nw:4.2.8.start", ap=ap)
    return at, call(ENEMY_RAID, entered=None, found_a_family=False)


# -- Raid Initiation ---------------------------------------------------------------------------------

BONUS_FEROCITY = message(
    "raid-bonus-ferocity",
    "Raid Initiation: Bonus Raid counters for the total Ferocity of the Families: %(count)s.",
    tells="detail",
)
BONUS_AMERICAN = message(
    "raid-bonus-american",
    "Raid Initiation: 2 more Bonus Raid counters in the American Period.",
    tells="detail",
)
FORT_FAMILY_LEFT_OUT = message(
    "raid-fort-family-left-out",
    "Family %(family)s is in the same Area as a Fort: for the whole Raid the Family is treated as if it did not exist.",
    tells="detail",
)
FORT_FAMILY_COUNTED = message(
    "raid-fort-family-counted",
    "Family %(family)s is in the same Area as a Fort: the Raid does not affect it, but by the reading chosen here its Ferocity counts for the Bonus Raid counters.",
    tells="detail",
    was="raid-fort-family-left-out",
)
BONUS_LIMITED = message(
    "raid-bonus-limited",
    "Bonus Raid counters left to be taken: %(count)s; all others are in play already.",
    tells="detail",
)


def add_bonus_counters(at: Board, _noted: EnemyRaidMemory) -> Board:
    """The total Ferocity of the Families the Raid sees, 2 more in the American Period, as far as counters last."""
    ferocity, period = 0, must_know(at.told("period", ask=ASK_PERIOD))
    families = list(at.families())
    must_know(
        at.on_one_of(sorted({must_know(family.at) for family in families}), "fort")
    )  # asked for at once
    for family in families:
        if is_area(must_know(family.at)) and at.has_fort(family.at):
            counted = at.choice("raid-bonus-fort-families") == "counted"
            said = FORT_FAMILY_COUNTED if counted else FORT_FAMILY_LEFT_OUT
            at = at.tell(said, "nw:enemy-raid.fort-invisible", family=family.letter)
            if not counted:
                continue
        ferocity += must_know(family.ferocity)
    at = at.tell(BONUS_FEROCITY, "nw:enemy-raid.bonus-ferocity", count=ferocity)
    bonus = ferocity
    if period == "american":
        at = at.tell(BONUS_AMERICAN, "nw:enemy-raid.bonus-american")
        bonus += 2
    at, bonus = as_many_as_left(at, bonus, "nw:enemy-raid.bonus-limit", BONUS_LIMITED)
    return in_santa_fe(at, raid_counters(at) + bonus)


# -- the loop of the chart (C25) ---------------------------------------------------------------------

SANTA_FE_EMPTY = message("raid-santa-fe-empty", "No Raid counter is left in Santa Fé: go to Raid Ends.")
NO_TARGET = message(
    "raid-no-target",
    "No Family is left for the Raid to head for: go to Raid Ends. Raid counters left in Santa Fé: %(count)s.",
)
CANYON_IS_TARGET = message(
    "raid-canyon-is-target",
    "No Family is left on the other Area Tracks: the Raid turns to the Families in Canyon de Chelly.",
)


def go_on_or_end(at: Board, noted: EnemyRaidMemory) -> tuple[Board, Where]:
    """Place again while Santa Fé holds Raid counters and a Family is there to head for."""
    left = raid_counters(at)
    if left == 0:
        return at.tell(SANTA_FE_EMPTY, "nw:enemy-raid.loop"), "end-outposts"
    heading_for = heads_for(at, noted)
    if not heading_for and at.choice("raid-without-target") == "raid-ends":
        return at.tell(NO_TARGET, "nw:enemy-raid.no-target", count=left), "end-outposts"
    turned = bool(heading_for) and all(at.in_canyon(family.at) for family in heading_for)
    if turned and not noted.turned_to_canyon:
        at = at.tell(CANYON_IS_TARGET, "nw:enemy-raid.canyon-last", "nw:13.canyon.enemy-raid-last")
    return at.remember(turned_to_canyon=turned), "placement"


# -- Number of counters ------------------------------------------------------------------------------

DIRECTION = message(
    "raid-direction",
    "Number of Areas possible for the Direction: %(count)s; the Raid enters Area %(area)s.",
    tells="detail",
)
ONE_PLACED = message("raid-one-placed", "1 Raid counter is placed in Area %(area)s.")
TWO_PLACED = message(
    "raid-two-placed",
    "2 Raid counters are placed in Area %(area)s, because the Raid is slowed down there (%(why)s).",
)
SHORT_OF_TWO = message(
    "raid-short-of-two",
    "Area %(area)s needs 2 Raid counters and only 1 is left: it is removed from Santa Fé and the Raid ends.",
)
SLOWS = {"corn": Term("nw.corn_counter"), "harass": Term("nw.harass_counter")}
FAMILY_FOUND = message("raid-family-found", "The Raid has entered the Area of Family %(family)s.")


def place_counters(at: Board, noted: EnemyRaidMemory, area: str) -> tuple[Board, Where]:
    """One Raid counter in the next Area, two where corn or Harass slows the Raid down."""
    place, left = PlaceRef(area), raid_counters(at)
    if not left:
        return at.tell(SANTA_FE_EMPTY, "nw:enemy-raid.loop"), "end-outposts"
    possible = must_know(noted.candidates)
    if len(possible) > 1:
        at = at.tell(DIRECTION, "nw:enemy-raid.direction", count=len(possible), area=place)
    slowed = must_know(at.counters(area, "corn")) or must_know(at.counters(area, "harass"))
    if slowed and left < 2:
        at = in_santa_fe(at, 0).tell(SHORT_OF_TWO, "nw:enemy-raid.short-of-two", area=place)
        return at, "end-outposts"
    count = 2 if slowed else 1
    there = min(MOST_COUNTERS, at.counters(area, "raid") + count)
    at = in_santa_fe(at, left - count).set_area(area, raid=there)
    said, rule = (
        (TWO_PLACED, "nw:enemy-raid.place-two-on-corn") if slowed else (ONE_PLACED, "nw:enemy-raid.place-one")
    )
    at = at.tell(said, rule, area=place, **({"why": slowed_by(at, area)} if slowed else {}))
    at = at.remember(entered=area, resolved=(), reacted=False, ambusher=None)
    for family in visible_in(at, area):
        at = at.remember(found_a_family=True).tell(
            FAMILY_FOUND, "nw:enemy-raid.place-area", family=family.letter
        )
    return at, "player-reaction"


def slowed_by(at: Board, area: str) -> tuple[Term, ...]:
    """The counters for which the Raid needs two of its own."""
    return tuple(term for kind, term in SLOWS.items() if at.counters(area, kind))


# -- Player Reaction ---------------------------------------------------------------------------------

REACT = question(
    "raid-react",
    "Which single Family, if any, reacts to the Raid that is now in Area %(area)s, and how?",
    lead="Player Reaction.",
    hint="Trade Goods may be spent to negotiate; Firearms and a horse may be used in the Battle of an Ambush.",
)
NO_REACTION = message("raid-no-reaction", "No Reaction")


def ask_reaction(_: Board, noted: EnemyRaidMemory) -> Question:
    """Does a Family react? Before the first placement there is nothing to react to."""
    entered = must_know(noted.entered)
    return known("none") if entered is None else ask(REACT, area=PlaceRef(entered))


def note_reaction(at: Board, _noted: EnemyRaidMemory, chosen: Any) -> Board:
    """Whether a Family has reacted, and who lay in ambush."""
    ambusher = chosen.family if isinstance(chosen, ambush.Ambush) else None
    return at.remember(reacted=chosen != "none", ambusher=ambusher)


def after_reaction(at: Board, noted: EnemyRaidMemory) -> tuple[Board, Where]:
    """One Reaction for each placement; another one only where the request reads it so (C06)."""
    if noted.reacted and at.choice("reactions-per-placement") == "no-limit":
        return at, "player-reaction"
    return at, "affected-family"


def still_matters(_: Board, frame: Frame) -> EnemyRaidMemory:
    """The Areas that can be entered only until one is, the die for Enemy Morale only where it is read, of the return who returns."""
    noted: EnemyRaidMemory = frame.memory
    if frame.step in RETURN_ROWS:
        return EnemyRaidMemory(family=noted.family)
    if frame.step == "direction":
        return structs.replace(noted, die=NOT_NOTED)
    if frame.step == "morale-range":
        return structs.replace(noted, candidates=NOT_NOTED)
    return structs.replace(noted, candidates=NOT_NOTED, die=NOT_NOTED)


ENEMY_RAID = procedure(
    "enemy-raid",
    EnemyRaidMemory,
    part("initiation", "Raid Initiation"),
    automatic(
        "initiation",
        ("nw:enemy-raid.bonus-ferocity", "nw:enemy-raid.bonus-american"),
        add_bonus_counters,
        title="Bonus Raid counters",
    ),
    part("placement", "Raid counter placement"),
    automatic(
        "next-placement",
        ("nw:enemy-raid.loop", "nw:enemy-raid.canyon-last"),
        go_on_or_end,
        goes=("placement", "end-outposts"),
        title="Are Raid counters left in Santa Fé?",
    ),
    reading(
        "placement",
        ("nw:enemy-raid.place-area", "nw:enemy-raid.direction", "nw:enemy-raid.map"),
        ask_area,
        note_areas,
        goes=("direction", "end-outposts"),
        title="The Areas the Raid can enter",
    ),
    decision(
        "direction",
        "nw:enemy-raid.direction",
        ask_direction,
        place_counters,
        goes=("player-reaction", "end-outposts"),
        title="Direction: one Area is entered",
    ),
    part("player-reaction", "Player Reaction"),
    decision(
        "player-reaction",
        ("nw:enemy-raid.one-reaction", "nw:5.1.2", "nw:5.1.2.one-per-placement"),
        ask_reaction,
        takes=(ambush.ACTION, negotiate.ACTION, harass.ACTION, evade.ACTION),
        or_else=instead(NO_REACTION, "after-reaction"),
        notes=note_reaction,
        then="after-reaction",
        title="Does one Family react?",
    ),
    automatic(
        "after-reaction",
        ("nw:enemy-raid.one-reaction", "nw:5.1.2.one-per-placement"),
        after_reaction,
        goes=("affected-family", "player-reaction"),
        title="One Reaction for each placement",
    ),
    part("resolution", "Raid Resolution"),
    decision(
        "affected-family",
        "nw:enemy-raid.each-family",
        ask_affected,
        turn_to,
        goes=("resolution", "next-placement"),
        title="The next Family affected",
    ),
    decision(
        "resolution",
        ("nw:enemy-raid.each-family", "nw:enemy-raid.option-battle"),
        ask_resolution,
        takes=(BATTLE_ACTION,),
        or_else=instead(SUFFER, "population", "suffer"),
        demands=battle_in_resolution,
        notes=told_why_not,
        reads=battle_once_written,
        then="affected-family",
        title="(A) a Battle or (B) the three steps",
    ),
    decision(
        "population",
        ("nw:enemy-raid.hit-step1", "nw:1.5.1.player-chooses"),
        ask_population,
        step_1,
        title="Step 1: a population counter is lost",
    ),
    automatic(
        "culture",
        ("nw:enemy-raid.hit-step2-culture", "nw:enemy-raid.hit-step2-ferocity"),
        step_2,
        title="Step 2: Culture Points and Enemy Ferocity",
    ),
    chance(
        "morale-roll",
        "nw:enemy-raid.hit-step2-morale",
        ask_morale_roll,
        note_morale_roll,
        title="Step 2: a die for Enemy Morale",
    ),
    reading(
        "morale-range",
        ("nw:enemy-raid.hit-step2-morale", "nw:enemy-raid.population-range"),
        ask_range,
        adjust_morale,
        title="Step 2: does Enemy Morale rise?",
    ),
    decision(
        "caught",
        ("nw:enemy-raid.hit-step3", "nw:enemy-raid.hit-canyon"),
        ask_caught,
        step_3,
        then="affected-family",
        title="Step 3: the Caught Box",
    ),
    part("end", "Raid Ends"),
    reading(
        "end-outposts",
        ("nw:enemy-raid.end1-outposts", "nw:4.2.1.outposts-left"),
        ask_outposts_left,
        end_outposts,
        title="Step 1: Outposts",
    ),
    automatic(
        "end-build", "nw:enemy-raid.end1-build", end_build, title="Step 1: Build, if the Raid found nobody"
    ),
    automatic("end-subvert", "nw:enemy-raid.end2-subvert", end_subvert, title="Step 2: Subvert"),
    automatic("end-clear", "nw:enemy-raid.end3-clear", end_clear, title="Step 3: counters leave the map"),
    automatic(
        "end-morale", "nw:enemy-raid.end4-morale", end_morale, then="return", title="Step 4: Enemy Morale"
    ),
    *returning("nw:enemy-raid.end5-return", "nw:enemy-raid.end5-ferocity", end_return),
    title="Enemy Raid Flowchart",
    renamed={"after-battle": "affected-family"},
    renamed_fields={"touched": "found_a_family"},
    matters=still_matters,
)

ACTION = Action(
    EnemyRaid,
    "nw:4.2.8",
    Term("nw.enemy_raid"),
    message("action.enemy-raid", "The Enemy raids: follow the Enemy Raid Flowchart."),
    may_raid,
    begin_raid,
    offer=offer,
    ways=ways,
    variants=variants,
)
