"""How Navajo Wars names its values and facts, in the terms of the player aids."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from msgspec import Meta

from engine.actions import Said, say
from engine.messages import Message, Ref, Term, act, message
from engine.naming import Changeable, Group, Kind, Names
from engine.navajo_wars.audit_map import FORT_TERM
from engine.navajo_wars.battle import FOE_TERM, RESULT_NAME, RESULTS
from engine.navajo_wars.cards import (
    ASK_ENEMY_AP,
    ASK_ENEMY_AP_PREEMPTED,
    ASK_MINOR_EVENT,
    ASK_POPULATION,
    ASK_PREEMPT_COST,
    ASK_TYPE,
    ASK_VP,
    LAST_CARD,
    PERIOD_TERM,
    TYPE_TERM,
)
from engine.navajo_wars.components import DieTerritory
from engine.navajo_wars.counters import ANIMALS, COUNTER_TERM, POPULATION
from engine.navajo_wars.display import INSTRUCTION_TERM
from engine.navajo_wars.elders import ElderMemory
from engine.navajo_wars.endings import RESULT_TERM, ScenarioRef
from engine.navajo_wars.enemy import READ_PRINTED
from engine.navajo_wars.map import PLACES, TERRITORIES, TERRITORY_NAME, PlaceRef, TerritoryRef, territory_of
from engine.navajo_wars.minor_events import MINOR_EVENT_TERM
from engine.navajo_wars.movement import WHERE_TO
from engine.navajo_wars.position import LETTERS, AreaId, CardNumber, Colour, FamilyLetter, FortName
from engine.navajo_wars.printed import (
    BOX_TERM,
    CHANGED_TERM,
    COLOURS,
    FACT_OF_CARD,
    IN_AREA,
    IN_BOX,
    IN_ELDER_SPACE,
    IN_FAMILY,
    IN_TERRITORY,
    OF_FAMILY,
    CardRef,
)
from engine.navajo_wars.raid_outpost import TARGET_TERM

# -- values ------------------------------------------------------------------------------------------

SHORT_AREA = message("place.area-short", "#%(number)s")
SHORT_BOXES = {
    "caught": message("place.caught-short", "Caught"),
    "escape": message("place.escape-short", "Escape"),
}


class FamilyRef(Ref):
    """A Family by its letter."""

    __slots__ = ()

    def phrase(self) -> tuple[Message, dict[str, Any]]:
        """In words."""
        return OF_FAMILY, {"family": str(self)}


class ShortAreaRef(Ref):
    """An Area where its Territory is said already."""

    __slots__ = ()

    def phrase(self) -> tuple[Message, dict[str, Any]]:
        """Its number."""
        return SHORT_AREA, {"number": self.rpartition("-")[2]}


class ShortBoxRef(Ref):
    """A box where its Territory is said already, by one word."""

    __slots__ = ()

    def phrase(self) -> tuple[Message, dict[str, Any]]:
        """What it is for."""
        return SHORT_BOXES[self.rpartition("-")[2]], {}


class PrintedRef(Ref):
    """A sign that is printed the same in every language."""

    __slots__ = ()

    def phrase(self) -> tuple[Message, dict[str, Any]]:
        """As it is printed."""
        return RESULT_NAME, {"result": str(self)}


def _short_place(place: str) -> Ref:
    return ShortAreaRef(place) if place.rpartition("-")[2].isdigit() else ShortBoxRef(place)


_places = Kind(
    "place",
    {**{place: PlaceRef(place) for place in PLACES}, "santa-fe": Term("nw.santa_fe")},
    {place: _short_place(place) for place in PLACES},
    {place: (Group(territory_of(place), TerritoryRef(territory_of(place))),) for place in PLACES},
)
KINDS = (
    Kind("family", {letter: FamilyRef(letter) for letter in LETTERS}),
    _places,
    Kind("territory", {one: TerritoryRef(one) for one in TERRITORIES}),
    Kind("colour", {colour: Term(f"nw.cube.{colour}") for colour in COLOURS}),
    Kind(
        "card",
        {number: CardRef(number) for number in range(1, LAST_CARD + 1)},
        {number: PrintedRef(f"#{number}") for number in range(1, LAST_CARD + 1)},
        numbers=(1, 80),
    ),
    Kind("period", PERIOD_TERM),
    Kind("instruction", INSTRUCTION_TERM),
    Kind(
        "operation",
        {
            "planning": Term("nw.op.planning"),
            "take-actions": Term("nw.op.take_actions"),
            "passage-of-time": Term("nw.op.passage_of_time"),
        },
    ),
    Kind("tribe", {"comanche": Term("nw.tribe.comanche"), "ute": Term("nw.tribe.ute")}),
    Kind("foe", FOE_TERM),
    Kind("population", {kind: COUNTER_TERM[kind] for kind in POPULATION}),
    Kind("animal", {kind: COUNTER_TERM[kind] for kind in ANIMALS}),
    Kind("fort", FORT_TERM),
    Kind("target", {**TARGET_TERM, **FORT_TERM}),
    Kind("card-type", TYPE_TERM),
    Kind("event", MINOR_EVENT_TERM),
    Kind("result", {result: PrintedRef(result) for result in RESULTS}),
    Kind("outcome", RESULT_TERM),
    Kind("scenario", {f"14.{number}": ScenarioRef(f"14.{number}") for number in range(1, 7)}),
    Kind("change", {1: PrintedRef("+1"), -1: PrintedRef("-1")}),
    Kind(
        "elder-action",
        {
            "culture-to-military": act(
                "elder-choice.culture-to-military", "Culture Points to Military Points"
            ),
            "military-to-culture": act(
                "elder-choice.military-to-culture", "Military Points to Culture Points"
            ),
            "ferocity": act("elder-choice.ferocity", "change a Family's Ferocity"),
            "ap": act("elder-choice.ap", "gain 1 AP"),
        },
    ),
    Kind(
        "use",
        {
            "ap": act("trade-use.ap", "gain 1 AP"),
            "cancel-flip": act("trade-use.cancel-flip", "cancel the flip of an Instruction counter"),
            "animal": act("trade-use.animal", "get an Animal"),
            "reroll": act("trade-use.reroll", "roll again"),
            "redraw": act("trade-use.redraw", "draw another cube"),
            "cancel-minor-event": act("trade-use.cancel-minor-event", "cancel a Minor Event"),
            "cancel-enemy-way": act("trade-use.cancel-enemy-way", "cancel the effect “Enemy Way”"),
        },
    ),
    Kind(
        "box",
        {
            "raided_cubes": Term("nw.box.raided_cubes"),
            "recovery": Term("nw.box.recovery"),
            "subjugation": Term("nw.box.subjugation"),
            "out_of_play": Term("nw.out_of_play"),
        },
    ),
    Kind(
        "instead",
        {
            "none": act("printed.nothing", "nothing"),
            "by-hand": act("printed.by-hand", "done by hand"),
            "victory-check": Term("nw.victory_check"),
        },
    ),
    Kind("level", {level: PrintedRef(level) for level in ("1", "2", "3")}),
    Kind(
        "column",
        {**{value: PrintedRef(value) for value in "123456"}, "tribal": Term("nw.tribal_warfare")},
    ),
)

# -- fields ------------------------------------------------------------------------------------------

LABELS: dict[str, Ref] = {
    **CHANGED_TERM,
    **{name: Term(f"nw.{name}") for name in ("ap", "enemy_ap", "enemy_morale", "enemy_ferocity", "ferocity")},
    **{
        name: Term(f"nw.{name}") for name in ("family", "period", "scenario", "activation", "operation", "mp")
    },
    **{
        name: Term(f"nw.{name}")
        for name in ("vp", "tribe", "territory", "area", "die", "card", "row", "cost")
    },
    **BOX_TERM,
    "culture": Term("nw.culture_points"),
    "military": Term("nw.military_points"),
    "evasion": Term("nw.evasion_modifier"),
    "tracks": Term("nw.general_record_track"),
    "families": Term("nw.families_in_play"),
    "areas": Term("nw.map"),
    "territories": Term("nw.drought_counter"),
    "tribal_raid_box": Term("nw.box.tribal_raid"),
    "manuelito": Term("nw.manuelito_counter"),
    "elders": Term("nw.elder_display"),
    "raided_box": Term("nw.box.raided_cubes"),
    "instructions": Term("nw.enemy_instruction_display"),
    "active": Term("nw.column.active"),
    "standby": Term("nw.column.standby"),
    "inactive": Term("nw.column.inactive"),
    "cards": act("label.cards", "cards"),
    "outcome": act("label.outcome", "how the game ended"),
    "agenda": act("label.agenda", "the step under way"),
    "set_aside": act("label.set-aside", "set aside for now"),
    "long_range": Term("nw.action.long_range_raid"),
    "at": act("label.place", "Area or box"),
    "to": act("label.to", "where to"),
    # Enemy Instruction counters
    "name": Term("nw.instruction"),
    "back": Term("nw.instruction_counter.other_side"),
    "stripe": act("label.stripe", "stripe along the bottom"),
    "Instruction.ferocity": act("label.f", "the letter F"),
    "InstructionFace.ferocity": act("label.f", "the letter F"),
    "instruction": Term("nw.instruction_counter"),
    "counter": Term("nw.instruction_counter"),
    # an activation, and what a card has seen
    "spent": act("label.mp-spent", "MP already spent"),
    "began_with_fort": act("label.began-with-fort", "in the Area of a Fort from the beginning"),
    "tried_to_leave": act("label.tried-to-leave", "tried to leave the Fort in vain"),
    "redrawn": act("label.redrawn", "cube exchanged"),
    "kind": Term("nw.operation"),
    "activated": act("label.activated", "Families activated"),
    "elder_ferocity": act("label.elder-ferocity", "Families whose Ferocity Elders have changed"),
    "traded": act("label.traded", "Families that have bought already"),
    "tribal": act("label.tribal", "Families that have addressed a Tribe"),
    "limit": act("label.limit", "how many Families may be activated"),
    # cards
    "current": act("label.current-card", "card being resolved"),
    "in_play": act("label.cards-in-play", "cards in play"),
    "hand": act("label.cards-in-hand", "cards in the hand"),
    "removed": act("label.cards-removed", "cards removed from the game"),
    "is_removed": act("label.is-removed", "removed from the game"),
    "discarded": act("label.cards-discarded", "cards discarded"),
    "developments": Term("nw.card.cultural_development"),
    "set": act("label.development-set", "group"),
    "level": act("label.development-level", "level"),
    "type": act("label.card-type", "type of card"),
    "preempt_cost": act("label.preempt-cost", "AP for preempting"),
    "enemy_ap_preempted": act("label.enemy-ap-preempted", "Enemy APs after preempting"),
    "population": Term("nw.population_counter"),
    "minor_event": Term("nw.minor_event"),
    "event": Term("nw.minor_event"),
    "preempted": act("label.preempted", "preempted"),
    # what a printed result says besides changes
    "hit": act("label.hits", "damage"),
    "battle": Term("nw.battle"),
    "ends": Term("nw.raid_ends_result"),
    "cube": act("label.cube-goes-to", "where the cube goes"),
    "result": act("label.result", "result"),
    "rule": act("label.rule", "rule"),
    # what charts note
    "colour": Term("nw.cube"),
    "OutpostRaidMemory.counter": act("label.target", "target"),
    "dine": act("label.dine-total", "modified die roll of the Diné"),
    "foe": act("label.foe-total", "modified die roll of the opponent"),
    "total": Term("nw.roll.modified"),
    "reach": Term("nw.roll.modified"),
    "natural_6": Term("nw.roll.unmodified_6"),
    "enemy": act("label.foe", "opponent"),
    "ambush": Term("nw.reaction.ambush"),
    "tribal_warfare": Term("nw.tribal_warfare"),
    "placed": act("label.placed", "placed"),
    "printed_ap": Term("nw.enemy_ap"),
    "event_ap": act("label.event-ap", "Enemy APs of cards in play"),
    "became": act("label.became", "carried out in its place"),
    "left": act("label.left", "still to come"),
    "drawn": act("label.drawn", "cubes drawn"),
    "InstructionMemory.red": act("label.red-placed", "red cubes placed"),
    "resolved": act("label.resolved", "Families dealt with"),
    "empty": Term("nw.empty_population_space"),
    "candidates": act("label.candidates", "Areas the Raid can enter"),
    "entered": act("label.entered", "Area entered last"),
    "found_a_family": act("label.found-a-family", "the Raid has found a Family"),
    "turned_to_canyon": act("label.turned-to-canyon", "the Raid has turned to Canyon de Chelly"),
    "reacted": act("label.reacted", "a Family has reacted"),
    "ambusher": act("label.ambusher", "Family in ambush"),
    "evaded": act("label.evaded", "Families that have tried to evade"),
    "given_up": act("label.given-up", "counters removed for the modifier"),
    "choice": Term("nw.planning.elder_action"),
    "change": act("label.change", "change"),
    "hits": act("label.hits-so-far", "damage so far"),
    "needed": act("label.hits-needed", "damage needed"),
    "new_elders": act("label.new-elders", "new Elders"),
    "members": act("label.members", "members of the new Family"),
    "picked": act("label.picked", "corn being harvested"),
    "unfed": act("label.unfed", "population counters not fed"),
    "ferocity_set": act("label.ferocity-set", "Families whose Ferocity is set"),
    "leaving": act("label.leaving", "still to leave"),
    "raided": act("label.raided", "Territories raided"),
    "FamilyState.horse": Term("nw.horse"),
    "connections": act("label.connections", "connected Areas"),
    "holds": act("label.holds", "counters in the column"),
    # the player's copy
    "new_mexico": Term("nw.new_mexico"),
    "RaidTable.outpost": act("label.outpost-or-fort", "Outpost or Fort"),
    "RaidTable.hits": act("label.hits-needed", "damage needed"),
    "RaidTable.destroyed": act("label.when-destroyed", "when destroyed"),
    "major_event": Term("nw.major_event"),
    "in_play_ap": act("label.in-play-ap", "Enemy APs while in play"),
    "replaces_instructions": act("label.replaces-instructions", "orders another Instruction"),
    "by_hand": act("printed.by-hand", "done by hand"),
    "adjacent": act("label.adjacent", "adjacent Areas"),
    "adjacent_territories": act("label.adjacent-territories", "adjacent Territories"),
    "lowest": act("label.lowest-symbol", "lowest die symbol"),
    "highest": act("label.highest-symbol", "highest die symbol"),
    "areas_apart": act("label.areas-apart", "distance in Areas"),
    "mp_to_santa_fe": act("label.way-on-foot", "MP of the Areas before Santa Fé, on foot"),
    "mounted_mp_to_santa_fe": act("label.way-mounted", "MP of the Areas before Santa Fé, with a horse"),
    "area_values": Term("nw.area_value"),
    "bracketed_values": Term("nw.area_value_parenthesized"),
    "territory_vp": act("label.territory-vp", "VP of the Territories"),
    "elder_levels": Term("nw.elder_display"),
    "population_ranges": Term("nw.population_display"),
    "population_dice": Term("nw.population_display"),
    "battle_table": act("label.battle-table", "Battle Table"),
    "counter_limits": act("label.counter-limits", "how many counters there are"),
    "raid_table": Term("nw.raid_table"),
    "subjugation_table": Term("nw.subjugation_table"),
    "good_medicine": Term("nw.good_medicine_table"),
    "instruction_counters": Term("nw.instruction_counter"),
}

# -- parameters of actions ---------------------------------------------------------------------------

PARAMETERS: dict[str, Message] = {
    "family": message("param.family", "Which Family is it?"),
    "horse": message("param.horse", "Is a horse put into the Family Box first?"),
    "firearms": message("param.firearms", "Is a Firearms counter used?"),
    "trade_goods": message("param.trade-goods", "How many Trade Goods are spent?"),
    "trade-at-fort.trade_goods": message(
        "param.trade-goods-taken", "How many Trade Goods does the Family take?"
    ),
    "area": message("param.area", "Which Area is it?"),
    "enemy": message("param.foe", "Against whom is the Battle fought?"),
    "ambush": message("param.ambush", "Is the Battle part of an Ambush?"),
    "printed_ap": READ_PRINTED,
    "name": message("param.instruction", "Which Instruction is carried out?"),
    "ap": message("param.ap", "How many Enemy APs are spent?"),
    "back": message("param.other-side", "Which Instruction is on the other side of the counter?"),
    "tribe": message("param.tribe", "Which Tribe is it?"),
    "elder": ElderMemory.questions["elder"],
    "give-up-elder.elder": message(
        "param.elder-given-up", "Which space of the Elder Display is the Elder in who is not fed?"
    ),
    "choice": ElderMemory.questions["choice"],
    "elder-action.family": ElderMemory.questions["family"],
    "change": ElderMemory.questions["change"],
    "to": WHERE_TO,
    "long_range": message("param.long-range", "Is it a long-range Raid?"),
    "target": message("param.target", "Which counter is raided?"),
    "who": message("param.population", "Which population counter is it?"),
    "set-ferocity.value": message("param.ferocity", "Which Ferocity is set?"),
    "into": message("param.becomes", "What does it become?"),
    "event": message("param.minor-event", "Which Minor Event is it?"),
    "vp": ASK_VP,
    "card": message("param.card", "Which card is it?"),
    "animals": message("param.animals", "Which Animals are given?"),
    "corn": message("param.corn", "Which Corn counters are given?"),
    "use": message("param.use", "On what are the Trade Goods spent?"),
    "animal": message("param.animal", "Which Animal is taken?"),
    "row": message("param.row", "Which row of the Active column is it, counted from the top?"),
    "number": message("param.card-drawn", "Which card was drawn?"),
    "type": ASK_TYPE,
    "preempt_cost": ASK_PREEMPT_COST,
    "cost": ASK_PREEMPT_COST,
    "enemy_ap": ASK_ENEMY_AP,
    "enemy_ap_preempted": ASK_ENEMY_AP_PREEMPTED,
    "population": ASK_POPULATION,
    "minor_event": ASK_MINOR_EVENT,
}

# -- facts by their pointer --------------------------------------------------------------------------


def fact(path: list[str]) -> Said | None:
    """What stands at a pointer: whose it is or where, and which counter; None where only its field says it."""
    match path:
        case ["families", letter] | ["families", letter, "at"]:
            return say(OF_FAMILY, family=letter)
        case ["families", letter, kind]:
            return say(IN_FAMILY, family=letter, counter=LABELS[kind])
        case ["areas", area, kind]:
            return say(IN_AREA, area=PlaceRef(area), counter=LABELS[kind])
        case ["areas", area]:
            return say(TERRITORY_NAME, territory=PlaceRef(area))
        case ["territories", territory, *_]:
            return say(IN_TERRITORY, territory=TerritoryRef(territory), counter=LABELS["drought"])
        case ["elders", place] if place.isdecimal():  # spaces count from 1
            return say(IN_ELDER_SPACE, space=int(place) + 1)
        case ["cards", "is_removed", card]:
            return say(FACT_OF_CARD, card=card, fact=LABELS["is_removed"])
        case ["cards", _] | ["operation", "kind"]:
            return None  # these say by themselves what they are
        case [box, kind] if box in BOX_TERM or box in ("instructions", "operation", "activation"):
            return say(IN_BOX, box=LABELS[box], counter=LABELS[kind])
    return None


# -- what a printed result may change ----------------------------------------------------------------

Amount = Annotated[int, Meta(ge=-20, le=20)]
Space = Annotated[int, Meta(ge=1, le=7)]
_TRACKS = ("ap", "culture", "military", "enemy_morale", "enemy_ferocity", "enemy_ap")
_RESOURCES = ("horse", "sheep", "trade_goods", "firearms")
_PASSAGE = ("man", "woman", "child", "elder", "horse", "sheep")
_IN_BOX = ("raid_pool", "raided_cubes", "recovery", "subjugation")


class InBoxRef(Ref):
    """A counter in a box: "resources horse"."""

    __slots__ = ()

    def phrase(self) -> tuple[Message, dict[str, Any]]:
        """In words."""
        box, kind = self.split()
        return IN_BOX, {"box": LABELS[box], "counter": LABELS[kind]}


CHANGEABLE = (
    *(Changeable(f"/tracks/{name}", LABELS[name], "by", Amount) for name in _TRACKS),
    Changeable(
        "/families/{}/ferocity", LABELS["ferocity"], "by", Annotated[int, Meta(ge=-3, le=3)], FamilyLetter
    ),
    *(
        Changeable(f"/families/{{}}/{name}", LABELS[name], "to", bool, FamilyLetter)
        for name in ("man", "woman", "child", "horse")
    ),
    Changeable("/families/{}/at", LABELS["at"], "to", AreaId, FamilyLetter),
    *(Changeable(f"/resources/{name}", InBoxRef(f"resources {name}"), "by", Amount) for name in _RESOURCES),
    Changeable(
        "/resources/corn/{}", InBoxRef("resources corn"), "by", Amount, Annotated[int, Meta(ge=0, le=20)]
    ),
    *(
        Changeable(f"/passage_of_time/{name}", InBoxRef(f"passage_of_time {name}"), "by", Amount)
        for name in _PASSAGE
    ),
    Changeable("/santa_fe/raid", InBoxRef("santa_fe raid"), "by", Amount),
    *(
        Changeable(f"/areas/{{}}/{name}", LABELS[name], "by", Amount, AreaId)
        for name in ("raid", "tribal_raid", "intruders")
    ),
    *(
        Changeable(f"/areas/{{}}/{name}", LABELS[name], "to", bool, AreaId)
        for name in ("corn", "mission", "rancho", "harass")
    ),
    Changeable("/areas/{}/fort", LABELS["fort"], "to", FortName | Literal[False], AreaId),
    *(Changeable(f"/{box}/{{}}", LABELS[box], "by", Amount, Colour) for box in _IN_BOX),
    Changeable(
        "/territories/{}/drought", LABELS["drought"], "by", Annotated[int, Meta(ge=-2, le=2)], DieTerritory
    ),
    Changeable("/elders/{}", LABELS["elders"], "by", Amount, Space),
    Changeable("/manuelito", LABELS["manuelito"], "to", FamilyLetter),
    Changeable("/cards/in_play/{}", LABELS["in_play"], "to", bool, CardNumber),
    Changeable("/cards/hand/{}", LABELS["hand"], "to", bool, CardNumber),
    Changeable("/cards/removed/{}", LABELS["removed"], "to", Literal[True], CardNumber),
)

NONE = {"at": act("value.not-in-play", "not in play")}

_LISTS_OF_CARDS = ("cards", "good_medicine", "in_play_ap")
NAMES = Names(
    KINDS,
    LABELS,
    PARAMETERS,
    fact,
    CHANGEABLE,
    NONE,
    keys=dict.fromkeys(_LISTS_OF_CARDS, "card"),
    unsaid=("cards",),
)
