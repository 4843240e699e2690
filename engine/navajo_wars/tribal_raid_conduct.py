"""The Tribal Raid Flowchart, box Conduct a Raid: the roll that says how far the Raid reaches."""

from __future__ import annotations

from engine.chance import Die
from engine.messages import Term, message, question
from engine.navajo_wars.board import Board
from engine.navajo_wars.consequences import signed
from engine.navajo_wars.map import track
from engine.navajo_wars.outposts import on_map
from engine.navajo_wars.raid_memory import TribalRaidMemory
from engine.questions import Choose, Option, Question, ask
from engine.tables import Where
from engine.verdict import Unknown, must_know, refuted

GIVE_UP = question(
    "tribal-raid-give-up",
    "Conduct a Raid: remove a counter from the Resources Box for a modifier of -1?",
    hint="Counters removed so far: %(count)s.",
)
NO_MORE = message("tribal-raid-no-more", "Nothing more")
GIVE_UP_THIS = message("tribal-raid-give-up-this", "One counter: %(counter)s")
GIVE_UP_CORN = message("tribal-raid-give-up-corn", "One Corn counter worth %(value)s")
GIVEN_UP = message(
    "tribal-raid-given-up",
    "Removed from the Resources Box, for -1 to the Conduct a Raid roll: %(counter)s.",
)
CONDUCT_ROLL = question(
    "tribal-raid-conduct-roll",
    "Conduct a Raid: roll a die.",
    hint="Modifier of the Tribal Raid: %(modifier)s.",
)
CONDUCTED = message(
    "tribal-raid-conducted",
    "Conduct a Raid: die roll %(die)s%(terms)s; modified die roll %(total)s.",
    tells="detail",
    terms={
        "given_up": "removed counters %(given_up)s",
        "comanche": "Comanche %(comanche)s",
        "depth": "highest Area with a Tribal Raid counter (its Area Value minus 1) %(depth)s",
    },
)
CONDUCTED_CARSON = message(
    "tribal-raid-conducted-carson",
    "Conduct a Raid: die roll %(die)s%(terms)s; modified die roll %(total)s.",
    tells="detail",
    terms={
        "given_up": "removed counters %(given_up)s",
        "campaign": "Kit Carson Campaign %(campaign)s",
        "fort": "Fort %(fort)s",
        "outposts": "Area Values of Outposts %(outposts)s",
    },
)
COUNTER_TERM = {
    "horse": Term("nw.horse"),
    "sheep": Term("nw.sheep"),
    "trade_goods": Term("nw.trade_goods"),
    "firearms": Term("nw.firearms"),
    "corn": Term("nw.corn_counter"),
}
COUNTED = ("horse", "sheep", "trade_goods", "firearms")  # each alike; Corn counters differ in value


def ask_give_up(at: Board, noted: TribalRaidMemory) -> Question:
    """Counters of any kind from the Resources Box, one after the other, each for -1."""
    held = [name for name in COUNTED if not refuted(at.resource(name) > 0)]
    options = [Option("none", NO_MORE)]
    options += [Option(name, GIVE_UP_THIS, {"counter": COUNTER_TERM[name]}) for name in held]
    corn = at.resource("corn")
    if isinstance(corn, Unknown):
        options.append(Option("corn", GIVE_UP_THIS, {"counter": COUNTER_TERM["corn"]}))
    else:
        options += [Option(f"corn-{value}", GIVE_UP_CORN, {"value": value}) for value in sorted(set(corn))]
    return ask(GIVE_UP, Choose(options), count=noted.given_up)


def give_up(at: Board, noted: TribalRaidMemory, chosen: str) -> tuple[Board, Where]:
    """The counter leaves the Resources Box; corn goes back to its Draw Cup."""
    if chosen == "none":
        return at, "conduct"
    name, _, value = chosen.partition("-")
    must_know(at.resource(name))
    if name == "corn":
        corn = list(at.resource("corn"))
        corn.remove(int(value))
        at = at.set_corn(tuple(corn))
    else:
        at = at.spend_resource(name, 1)
    at = at.remember(given_up=noted.given_up + 1)
    return at.tell(GIVEN_UP, "nw:tribal-raid.discard", counter=COUNTER_TERM[name]), "give-up"


def modifiers(at: Board, noted: TribalRaidMemory) -> dict[str, int]:
    """Every modifier of the Conduct roll by its name (C29, C30)."""
    given_up = {"given_up": -noted.given_up}
    if at.kit_carson_campaign:
        return {**given_up, **carson_modifiers(at, must_know(noted.territory))}
    comanche = must_know(noted.tribe) == "comanche"
    return {**given_up, "comanche": 1 if comanche else 0, "depth": depth(at, must_know(noted.territory))}


def depth(at: Board, territory: str) -> int:
    """The highest Area with a Tribal Raid counter in the Target Territory, less 1."""
    here = [must_know(at.value(area)) for area in track(territory) if at.counters(area, "tribal_raid")]
    everywhere = [must_know(at.value(area)) for area in at.areas_with("tribal_raid")]
    highest, highest_anywhere = max(here, default=1), max(everywhere, default=1)
    if highest_anywhere > highest and at.choice("tribal-raid-depth") == "whole-map":
        highest = highest_anywhere
    return highest - 1


CARSON_RULES = {
    "campaign": "nw:6.2.3.s4.drm-3",
    "fort": "nw:6.2.3.s4.drm-fort-2",
    "outposts": "nw:6.2.3.s4.outpost-drm",
    "given_up": "nw:6.2.3.s4.buy-off",
}


def carson_modifiers(at: Board, territory: str) -> dict[str, int]:
    """+3, +2 with a Fort in the Territory, and the Area Value of each Outpost there."""
    areas = track(territory)
    fort = any(at.has_fort(area) for area in areas)
    built = [area for kind in ("mission", "rancho") for area in on_map(at, kind) if area in areas]
    values = sum(must_know(at.value(area)) for area in built)
    if values and at.choice("kit-carson-outposts") == "not-added":
        values = 0
    return {"campaign": 3, "fort": 2 if fort else 0, "outposts": values}


def ask_conduct(at: Board, noted: TribalRaidMemory) -> Question:
    """The die that says how far the Raid reaches."""
    return ask(CONDUCT_ROLL, Die(), modifier=signed(sum(modifiers(at, noted).values())))


def conduct(at: Board, noted: TribalRaidMemory, die: int) -> Board:
    """The modified roll reaches every Area of at most that value."""
    parts = modifiers(at, noted)
    reach = die + sum(parts.values())
    carson = "campaign" in parts
    shown = {"die": die, "total": reach, **{name: signed(part) for name, part in parts.items()}}
    at = at.remember(reach=reach)
    if not carson:
        return at.tell(CONDUCTED, "nw:tribal-raid.conduct-drm", **shown)
    rules = [rule for name, rule in CARSON_RULES.items() if parts[name]]
    return at.tell(CONDUCTED_CARSON, "nw:tribal-raid.conduct-drm-carson", *rules, **shown)
