"""Positions that cannot be, each beside one that differs in one thing and can be."""

from __future__ import annotations

from typing import Any, NamedTuple

NAVAJO, JULIAN = "navajo-wars", "julian"
AS_DUX_LEADER = {"by": "roman", "marker": "imperium", "as": "dux", "use": "leader"}
CANCELS_AGENTES = {"by": "barbarian", "marker": "agentes", "use": "cancel-agentes"}
DUX_FOR_ORIENS = {"by": "roman", "marker": "dux", "use": "activate", "command": "Oriens"}
Tables = dict[str, Any]


class Case(NamedTuple):
    """A finding, a position with it alone, where it points, and a position without it."""

    finding: str
    impossible: Tables
    pointer: str
    possible: Tables
    game: str = NAVAJO
    components: Tables | None = None
    choices: Tables | None = None

    def __str__(self) -> str:
        return self.finding


def family(**facts: Any) -> Tables:
    return {"C": {"at": "shiprock-4", "man": True, "woman": True, "child": True, **facts}}


def columns(active: int, standby: int, inactive: int, name: str = "expand") -> Tables:
    counters = {"active": active, "standby": standby, "inactive": inactive}
    return {column: [{"name": name}] * count + [None] * (6 - count) for column, count in counters.items()}


def counter(letter: str, face: str, back: str) -> Tables:
    return {"letter": letter, "face": {"name": face}, "back": {"name": back}}


def stays(name: str, combat: int, role: str = "attacker") -> Tables:
    return {"id": name, "role": role, "combat": combat}


def lost(name: str, combat: int, role: str = "attacker") -> Tables:
    return {**stays(name, combat, role), "eliminated": True}


def development(group: str, *levels: int) -> list[Tables]:
    return [{"set": group, "level": level} for level in levels]


def addressing(tribe: str) -> list[Tables]:
    return [{"procedure": "tribal-warfare", "step": "battle", "memory": {"family": "C", "tribe": tribe}}]


NO_ADULT = family(man=False, woman=False)
MANUELITO = {"period": "american", "manuelito": "C"}
JUST_DRAWN = {"procedure": "draw-card", "step": "card-type", "memory": {"card": 7}}
DRAWN = {"current": 3, "removed": [], "discarded": [1, 2]}

CASES = (
    # -- 1.3, 1.6.1, 1.8: Periods and pieces --
    Case(
        "scenario-of-another-period",
        {"scenario": "14.3", "period": "american"},
        "/period",
        {"scenario": "14.6", "period": "american"},
    ),
    Case(
        "too-many-counters",
        {"families": family(), "passage_of_time": {"man": 2}},
        "/families",
        {"families": family(), "passage_of_time": {"man": 1}},
        components={"counter_limits": {"man": 2}},
    ),
    Case(
        "too-many-cubes",
        {"raid_pool": {"red": 2}, "subjugation": {"red": 2}},
        "/raid_pool/red",
        {"raid_pool": {"red": 1}, "raided_cubes": {}, "recovery": {}, "subjugation": {"red": 1}},
    ),
    Case(
        "cube-in-subjugation-box",
        {"subjugation": {"red": 2, "green": 1}},
        "/subjugation/green",
        {"subjugation": {"red": 2, "black": 1}},
    ),
    # -- the map --
    Case(
        "fort-twice",
        {"areas": {"hopi-land-1": {"fort": "defiance"}, "zuni-mountains-1": {"fort": "defiance"}}},
        "/areas/zuni-mountains-1/fort",
        {"areas": {"hopi-land-1": {"fort": "defiance"}, "zuni-mountains-1": {"fort": "fauntleroy"}}},
    ),
    Case(
        "fort-outside-american-period",
        {"period": "mexican", "areas": {"hopi-land-1": {"fort": "defiance"}}},
        "/areas/hopi-land-1/fort",
        {"period": "american", "areas": {"hopi-land-1": {"fort": "defiance", "mission": True}}},
    ),
    Case(
        "rancho-in-spanish-period",
        {"period": "spanish", "areas": {"hopi-land-1": {"rancho": True}}},
        "/areas/hopi-land-1/rancho",
        {"period": "mexican", "areas": {"hopi-land-1": {"rancho": True, "mission": True}}},
    ),
    Case(
        "drought-in-canyon",
        {"territories": {"canyon-de-chelly": {"drought": 1}}},
        "/territories/canyon-de-chelly/drought",
        {"territories": {"canyon-de-chelly": {"drought": 0}, "hopi-land": {"drought": 2}}},
    ),
    Case(
        "more-tribal-raid-counters-than-families",
        {"areas": {"hopi-land-1": {"tribal_raid": 1}}, "tribal_raid_box": 6},
        "/tribal_raid_box",
        {"areas": {"hopi-land-1": {"tribal_raid": 1}}, "tribal_raid_box": 5},
    ),
    Case(
        "tribal-raid-in-canyon",
        {"areas": {"canyon-de-chelly-1": {"tribal_raid": 1}}},
        "/areas/canyon-de-chelly-1/tribal_raid",
        {"areas": {"canyon-de-chelly-1": {"raid": 1}}},
    ),
    Case(
        "intruder-not-revealed",
        {"families": family(), "areas": {"shiprock-4": {"intruders": 1}}},
        "/areas/shiprock-4/intruders",
        {
            "families": family(),
            "areas": {"shiprock-4": {"intruders": 1}},
            "agenda": [{"procedure": "intruders", "step": "reveal", "memory": {"family": "C"}}],
        },
    ),
    Case(
        "family-without-adult",
        {"families": NO_ADULT, "areas": {}},
        "/families/C",
        {"families": NO_ADULT, "areas": {"shiprock-4": {"raid": 1}}},
    ),
    Case(
        "ferocity-kept-without-man",
        {"families": family(man=False, ferocity=2), "agenda": [JUST_DRAWN]},
        "/families/C/ferocity",
        {"families": family(man=False, ferocity=2), "cards": {"current": None}},
    ),
    Case(
        "manuelito-outside-american-period",
        {"period": "mexican", "manuelito": "C"},
        "/manuelito",
        {"period": "mexican", "manuelito": None},
    ),
    Case(
        "manuelito-before-card",
        {**MANUELITO, "cards": {**DRAWN, "in_play": [50]}},
        "/manuelito",
        {**MANUELITO, "cards": {**DRAWN, "in_play": [50, 53]}},
    ),
    Case(
        "manuelito-without-family",
        {**MANUELITO, "families": {}},
        "/manuelito",
        {**MANUELITO, "families": family()},
    ),
    # -- cards --
    Case(
        "card-in-two-places",
        {"cards": {"in_play": [41], "removed": [41]}},
        "/cards/removed/0",
        {"cards": {"current": 41, "in_play": [41], "removed": []}},
    ),
    Case(
        "card-never-drawn",
        {"cards": {"discarded": [5, 56]}},
        "/cards/discarded/1",
        {"cards": {"removed": [56]}},
    ),
    Case("hand-of-other-cards", {"cards": {"hand": [3, 41]}}, "/cards/hand/1", {"cards": {"hand": [3, 40]}}),
    Case(
        "card-of-later-period",
        {"period": "spanish", "cards": {"in_play": [46]}},
        "/cards/in_play/0",
        {"period": "mexican", "cards": {"in_play": [45, 46]}},
    ),
    Case(
        "card-of-earlier-period",
        {"period": "american", "cards": {"current": 47}},
        "/cards/current",
        {"period": "american", "cards": {"current": 50}},
    ),
    Case(
        "family-noted-twice",
        {"operation": {"kind": "planning", "traded": ["A", "B", "A"]}},
        "/operation/traded",
        {"operation": {"kind": "planning", "traded": ["A", "B"], "tribal": ["A"]}},
    ),
    Case(
        "more-families-activated",
        {"operation": {"kind": "take-actions", "activated": ["A", "B", "C"], "limit": 2}},
        "/operation/activated",
        {"operation": {"kind": "take-actions", "activated": ["A", "B"], "limit": 2}},
    ),
    Case(
        "acting-before-operation",
        {"operation": {"kind": None}, "families": family(), "activation": {"family": "C"}},
        "/activation/family",
        {"operation": {"kind": "take-actions"}, "families": family(), "activation": {"family": "C"}},
    ),
    Case(
        "acting-family-not-noted",
        {"operation": {"activated": ["A"]}, "families": family(), "activation": {"family": "C"}},
        "/operation/activated",
        {"operation": {"activated": ["A", "C"]}, "families": family(), "activation": {"family": "C"}},
    ),
    Case(
        "acting-family-not-in-play",
        {"families": family(), "activation": {"family": "A"}},
        "/activation/family",
        {"families": family(), "activation": {"family": "C"}},
    ),
    Case(
        "addressed-tribe-not-active",
        {"agenda": addressing("ute"), "instructions": {"active": [{"name": "raid"}, *[None] * 5]}},
        "/agenda/0/memory/tribe",
        {"agenda": addressing("ute"), "instructions": {"active": [{"name": "utes"}, *[None] * 5]}},
    ),
    Case(
        "development-twice",
        {"cards": {"developments": development("Weaving", 1, 2, 2)}},
        "/cards/developments",
        {"cards": {"developments": development("Weaving", 1, 2, 3)}},
    ),
    Case(
        "development-without-lower-level",
        {"cards": {"developments": development("Religion", 1, 3)}},
        "/cards/developments",
        {"cards": {"developments": [*development("Religion", 1), *development("Weaving", 2, 1)]}},
    ),
    Case(
        "too-many-development-groups",
        {"cards": {"developments": [one for group in "abcdefghi" for one in development(group, 1)]}},
        "/cards/developments",
        {"cards": {"developments": [one for group in "abcdefgh" for one in development(group, 1)]}},
    ),
    # -- the Enemy Instruction Display --
    Case(
        "too-many-instruction-counters",
        {"instructions": columns(6, 6, 2), "raided_box": {"instruction": "peace"}},
        "/instructions",
        {"instructions": columns(6, 6, 1), "raided_box": {"instruction": "peace"}},
    ),
    Case(
        "instruction-face-too-often",
        {"period": "spanish", "instructions": columns(2, 0, 0, "raid")},
        "/instructions",
        {"period": "mexican", "instructions": columns(2, 0, 0, "raid")},
        components={
            "instruction_counters": {
                "spanish": [counter("A", "raid", "build"), counter("B", "expand", "slaves")],
                "mexican": [counter("A", "raid", "build"), counter("B", "expand", "raid")],
            }
        },
    ),
    Case(
        "enemy-ap-without-instruction",
        {"raided_box": {"enemy_ap": 2, "instruction": None}},
        "/raided_box/enemy_ap",
        {"raided_box": {"enemy_ap": 2, "instruction": "defend"}},
    ),
    # -- the agenda --
    Case(
        "agenda-after-the-end",
        {
            "outcome": {"result": "major-victory", "rule": "nw:12.2"},
            "agenda": [{"procedure": "evade", "step": "roll"}],
        },
        "/agenda",
        {"outcome": {"result": "major-victory", "rule": "nw:12.2"}},
    ),
    Case(
        "agenda-unknown-procedure",
        {"agenda": [{"procedure": "picnic", "step": "roll"}]},
        "/agenda/0/procedure",
        {"agenda": [{"procedure": "evade", "step": "roll"}]},
    ),
    Case(
        "agenda-unknown-step",
        {"agenda": [{"procedure": "enemy-raid", "step": "resolution"}, {"procedure": "battle", "step": "x"}]},
        "/agenda/1/step",
        {"agenda": [{"procedure": "enemy-raid", "step": "resolution"}]},
    ),
    Case(
        "agenda-unfit-memory",
        {"agenda": [{"procedure": "evade", "step": "roll", "memory": {"family": "Z"}}]},
        "/agenda/0/memory/family",
        {"agenda": [{"procedure": "evade", "step": "roll", "memory": {"family": "C"}}]},
    ),
    # -- Julian --
    Case(
        "too-many-markers",
        {"hands": {"roman": {"dux": 2}, "barbarian": {"dux": 1}}, "pool": {"dux": 1}},
        "/pool",
        {"hands": {"roman": {"dux": 2}, "barbarian": {"dux": 1}}, "pool": {"credo": 1}},
        JULIAN,
        {"julian": {"marker_counts": {"dux": 3}}},
    ),
    Case(
        "use-of-another-marker",
        {"played": [{"by": "roman", "marker": "dux", "use": "march"}]},
        "/played/0/use",
        {"played": [{"by": "roman", "marker": "imperium", "as": "military", "use": "march"}]},
        JULIAN,
    ),
    Case(
        "leader-brought-by-barbarian",
        {"last_play": {"by": "barbarian", "marker": "dux", "use": "leader"}},
        "/last_play/use",
        {"last_play": {"by": "roman", "marker": "dux", "use": "leader"}},
        JULIAN,
    ),
    Case(
        "imperium-played-twice",
        {"played": [{"by": "roman", "marker": "imperium"}] * 2},
        "/played",
        {"played": [{"by": "roman", "marker": "imperium"}, {"by": "barbarian", "marker": "imperium"}]},
        JULIAN,
    ),
    Case(
        "federate-played-twice",
        {"played": [{"by": "roman", "marker": "federate"}, {"by": "barbarian", "marker": "federate"}]},
        "/played",
        {"played": [{"by": "roman", "marker": "federate"}]},
        JULIAN,
        choices={"federate-limit": "both-together"},
    ),
    Case(
        "not-outside-operations",
        {"phase": "taxation", "subphase": "movement"},
        "/subphase",
        {"phase": "operations", "subphase": "movement"},
        JULIAN,
    ),
    Case(
        "command-listed-twice",
        {"commands": [{"name": "Gallia"}, {"name": "Gallia"}]},
        "/commands",
        {"commands": [{"name": "Gallia"}, {"name": "Oriens"}]},
        JULIAN,
    ),
    Case(
        "too-many-commands-active",
        {"commands": [{"name": "Gallia", "active": True}, {"name": "Oriens", "active": True}], "played": []},
        "/commands",
        {
            "commands": [{"name": "Gallia", "active": True}, {"name": "Oriens", "active": True}],
            "played": [{"by": "roman", "marker": "dux", "use": "activate"}],
        },
        JULIAN,
    ),
    Case(
        "combat-with-itself",
        {"combat": {"attacker": "roman", "defender": "roman"}},
        "/combat/defender",
        {"combat": {"attacker": "roman", "defender": "barbarian"}},
        JULIAN,
    ),
    Case(
        "leader-dux-played-twice",
        {"played": [{"by": "roman", "marker": "dux", "use": "leader"}, AS_DUX_LEADER]},
        "/played",
        {"played": [{"by": "roman", "marker": "dux", "use": "activate", "command": "Oriens"}, AS_DUX_LEADER]},
        JULIAN,
    ),
    Case(
        "military-twice-for-one-stack",
        {"played": [{"by": "roman", "marker": "military", "use": "march", "stack": "east"}] * 2},
        "/played",
        {
            "played": [
                {"by": "roman", "marker": "military", "use": "march", "stack": s} for s in ("east", "west")
            ]
        },
        JULIAN,
    ),
    Case(
        "military-twice-in-one-combat",
        {"played": [{"by": "roman", "marker": "military", "use": "fight", "combat": "Nisibis"}] * 2},
        "/played",
        {
            "played": [
                {"by": side, "marker": "military", "use": "fight", "combat": "Nisibis"}
                for side in ("roman", "barbarian")
            ]
        },
        JULIAN,
    ),
    Case(
        "command-activated-twice",
        {"played": [{"by": "roman", "marker": "dux", "use": "activate", "command": "Oriens"}] * 2},
        "/played",
        {
            "played": [
                {"by": "roman", "marker": "dux", "use": "activate", "command": c}
                for c in ("Oriens", "Caesar")
            ]
        },
        JULIAN,
    ),
    Case(
        "played-in-the-wrong-phase",
        {"phase": "operations", "played": [{"by": "roman", "marker": "credo", "use": "draw"}]},
        "/played/0/use",
        {"phase": "stratagem", "played": [{"by": "roman", "marker": "credo", "use": "draw"}]},
        JULIAN,
    ),
    Case(
        "played-in-the-opponents-phase",
        {
            "phase": "operations",
            "active": "barbarian",
            "played": [{"by": "roman", "marker": "agentes", "use": "look"}],
        },
        "/played/0/use",
        {
            "phase": "operations",
            "active": "roman",
            "played": [{"by": "roman", "marker": "agentes", "use": "look"}],
        },
        JULIAN,
    ),
    Case(
        "played-before-its-sub-phase",
        {
            "phase": "operations",
            "subphase": "start",
            "played": [{"by": "roman", "marker": "dux", "use": "leader"}],
        },
        "/played/0/use",
        {
            "phase": "operations",
            "subphase": "combat",
            "played": [{"by": "roman", "marker": "dux", "use": "leader"}],
        },
        JULIAN,
    ),
    Case(
        "federate-played-twice",
        {
            "played": [
                {"by": "roman", "marker": "federate"},
                {"by": "roman", "marker": "imperium", "as": "federate"},
            ]
        },
        "/played",
        {
            "played": [
                {"by": "roman", "marker": "federate"},
                {"by": "barbarian", "marker": "imperium", "as": "federate"},
            ]
        },
        JULIAN,
    ),
    Case(
        "chits-drawn-before-operations",
        {"phase": "stratagem", "commands": [{"name": "Gallia", "drawn": True}]},
        "/commands",
        {"phase": "operations", "commands": [{"name": "Gallia", "drawn": True}]},
        JULIAN,
    ),
    Case(
        "chits-drawn-in-first-phase",
        {
            "operations_phase": 1,
            "commands": [{"name": "Gallia", "drawn": True}, {"name": "Oriens", "drawn": True}],
        },
        "/commands",
        {
            "operations_phase": 2,
            "commands": [{"name": "Gallia", "drawn": True}, {"name": "Oriens", "drawn": True}],
        },
        JULIAN,
    ),
    Case(
        "dux-for-other-side",
        {
            "commands": [{"name": "Goths", "side": "barbarian"}],
            "played": [{"by": "roman", "marker": "dux", "use": "activate", "command": "Goths"}],
        },
        "/played/0/command",
        {
            "commands": [{"name": "Goths", "side": "barbarian"}],
            "played": [{"by": "barbarian", "marker": "dux", "use": "activate", "command": "Goths"}],
        },
        JULIAN,
    ),
    Case(
        "attacker-not-active",
        {"active": "barbarian", "combat": {"attacker": "roman", "defender": "barbarian"}},
        "/combat/attacker",
        {"active": "roman", "combat": {"attacker": "roman", "defender": "barbarian"}},
        JULIAN,
    ),
    # -- what each sentence of Julian's aid rules out --
    Case(
        "last-play-not-played",
        {"played": [DUX_FOR_ORIENS], "last_play": {"by": "roman", "marker": "agentes", "use": "look"}},
        "/last_play",
        {"played": [DUX_FOR_ORIENS], "last_play": DUX_FOR_ORIENS},
        JULIAN,
    ),
    Case(
        "cancels-no-marker-before-it",
        {"played": [{"by": "roman", "marker": "dux", "use": "leader"}, CANCELS_AGENTES]},
        "/played/1/use",
        {"played": [{"by": "roman", "marker": "agentes", "use": "look"}, CANCELS_AGENTES]},
        JULIAN,
    ),
    Case(
        "credo-played-twice",
        {"played": [{"by": "roman", "marker": "credo", "use": "draw"}] * 2},
        "/played",
        {"played": [{"by": side, "marker": "credo", "use": "draw"} for side in ("roman", "barbarian")]},
        JULIAN,
        choices={"credo-limit": "one-per-phase"},
    ),
    Case(
        "declared-to-be-no-other-marker",
        {"played": [{"by": "roman", "marker": "dux", "as": "agentes"}]},
        "/played/0/as",
        {"played": [{"by": "roman", "marker": "imperium", "as": "agentes"}]},
        JULIAN,
    ),
    Case(
        "optional-phase-not-in-use",
        {"phase": "supply", "options": ["crisis"]},
        "/phase",
        {"phase": "supply", "options": ["supply"]},
        JULIAN,
    ),
    Case(
        "dux-for-no-command",
        {"commands": [{"name": "Gallia"}], "played": [DUX_FOR_ORIENS]},
        "/played/0/command",
        {"commands": [{"name": "Oriens"}], "played": [DUX_FOR_ORIENS]},
        JULIAN,
    ),
    Case(
        "dux-for-undrawn-chit",
        {"commands": [{"name": "Oriens", "drawn": False}], "played": [DUX_FOR_ORIENS]},
        "/played/0/command",
        {"commands": [{"name": "Oriens", "drawn": True}], "played": [DUX_FOR_ORIENS]},
        JULIAN,
    ),
    Case(
        "dux-without-effect",
        {"commands": [{"name": "Oriens", "active": False}], "played": [DUX_FOR_ORIENS]},
        "/played/0/command",
        {"commands": [{"name": "Oriens", "active": True}], "played": [DUX_FOR_ORIENS]},
        JULIAN,
    ),
    Case(
        "dux-in-first-phase",
        {"operations_phase": 1, "commands": [{"name": "Oriens"}], "played": [DUX_FOR_ORIENS]},
        "/operations_phase",
        {"operations_phase": 2, "commands": [{"name": "Oriens"}], "played": [DUX_FOR_ORIENS]},
        JULIAN,
    ),
    Case(
        "military-noted-twice",
        {"combat": {"doubled_by_military": ["roman", "roman"]}},
        "/combat/doubled_by_military",
        {"combat": {"doubled_by_military": ["roman", "barbarian"]}},
        JULIAN,
    ),
    Case(
        "unit-beyond-its-result",
        {"combat": {"result": "AD", "units": [{"id": "a", "role": "attacker", "retreats": 2}]}},
        "/combat/units/0",
        {"combat": {"result": "AD", "units": [{"id": "a", "role": "attacker", "retreats": 1}]}},
        JULIAN,
    ),
    Case(  # AD 1 to 4: nothing there eliminates a defending unit
        "unit-beyond-its-result",
        {"combat": {"result": "AD", "units": [{"id": "d", "role": "defender", "eliminated": True}]}},
        "/combat/units/0",
        {"combat": {"result": "BB", "units": [{"id": "d", "role": "defender", "eliminated": True}]}},
        JULIAN,
    ),
    Case(  # AD 1: half of the strength points, rounded up
        "losses-below-the-result",
        {"combat": {"result": "AD", "units": [lost("a", 4), stays("b", 5)]}},
        "/combat/units",
        {"combat": {"result": "AD", "units": [stays("a", 4), lost("b", 5)]}},
        JULIAN,
    ),
    Case(  # BB 2: at least as much as the other side had
        "losses-below-the-result",
        {"combat": {"result": "BB", "units": [lost("a", 3), stays("b", 5), lost("d", 4, "defender")]}},
        "/combat/units",
        {"combat": {"result": "BB", "units": [stays("a", 3), lost("b", 5), lost("d", 4, "defender")]}},
        JULIAN,
    ),
    Case(  # Dux: at the start of an Operations Phase
        "dux-after-the-start",
        {"played": [{"by": "roman", "marker": "military", "use": "march", "stack": "s"}, DUX_FOR_ORIENS]},
        "/played/1/use",
        {"played": [DUX_FOR_ORIENS, {"by": "roman", "marker": "military", "use": "march", "stack": "s"}]},
        JULIAN,
    ),
    Case(
        "more-markers-named-than-counted",
        {"hands": {"roman": {"dux": 2, "count": 1}}},
        "/hands/roman/count",
        {"hands": {"roman": {"dux": 1, "count": 2}}},
        JULIAN,
    ),
)

# What rules nothing out: the player's copy decides.
DOUBTS = (
    Case(
        "more-counters-than-published",
        {"families": family(horse=True), "resources": {"horse": 8}},
        "/resources/horse",
        {"families": family(horse=True), "resources": {"horse": 7}},
    ),
)
