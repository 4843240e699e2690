"""Section 3.2 as one Operation: Families are activated one after the other, each carries out its Actions."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from msgspec import UNSET, Struct, structs

from engine.actions import Action
from engine.memory import Memory
from engine.messages import Message, message
from engine.navajo_wars import (
    activation,
    canyon,
    corn,
    fort_trade,
    movement,
    raid_new_mexico,
    raid_outpost,
    tribal_council,
    water_holes,
)
from engine.navajo_wars.activation import Activate, EndActivation
from engine.navajo_wars.board import ASK_ACTIVATION, Board
from engine.navajo_wars.canyon import MoveFromCanyon, MoveToCanyon
from engine.navajo_wars.corn import HarvestCorn, PlantCorn
from engine.navajo_wars.fort_trade import TradeAtFort
from engine.navajo_wars.map import AREAS, CANYON_AREAS, PlaceRef, is_area, territory_of, track
from engine.navajo_wars.movement import Move
from engine.navajo_wars.operation import begin_operation
from engine.navajo_wars.position import LETTERS, Activation
from engine.navajo_wars.raid_new_mexico import RaidNewMexico
from engine.navajo_wars.raid_outpost import TARGET_TERM, RaidOutpost
from engine.navajo_wars.tribal_council import TribalCouncil
from engine.navajo_wars.water_holes import FindWater
from engine.questions import Choose, Option, Question, ask
from engine.tables import Where, automatic, decision, end, procedure
from engine.verdict import ILLEGAL, Unknown, evaluate, must_know, unknown

DONE = "none"
MOST_GOODS = 9  # Trade Goods that are offered at once; more can be named in the action

WHO_ACTS = message(
    "take-actions-who",
    "Take Actions: which Family is activated? Choose a Family, or finish the Operation.",
)
WHICH_ACTION = message(
    "take-actions-which",
    "Family %(family)s is activated, MP left: %(mp)s. Choose its next Action, or end its activation.",
)
FINISHED = message("take-actions-finished", "No more; the Operation is finished.")
OPERATION_OVER = message("take-actions-over", "Take Actions is finished.")
OFFERED: dict[type[Struct], Message] = {
    Activate: message("take-actions.activate", "Activate Family %(family)s."),
    EndActivation: message("take-actions.end-activation", "End the activation."),
    FindWater: message("take-actions.find-water", "Find a new water hole."),
    Move: message("take-actions.move", "Move to Area %(to)s."),
    MoveToCanyon: message("take-actions.move-to-canyon", "Move to Area %(to)s with all MP."),
    MoveFromCanyon: message("take-actions.move-from-canyon", "Leave for Area %(to)s with all MP."),
    PlantCorn: message("take-actions.plant-corn", "Plant corn."),
    HarvestCorn: message("take-actions.harvest-corn", "Harvest the corn."),
    RaidNewMexico: message("take-actions.raid-new-mexico", "Raid New Mexico."),
    RaidOutpost: message("take-actions.raid-outpost", "Raid the counter (%(target)s) in Area %(area)s."),
    TradeAtFort: message(
        "take-actions.trade-at-fort", "Trade at the Fort. Trade Goods taken: %(trade_goods)s."
    ),
    TribalCouncil: message("take-actions.tribal-council", "Hold a Tribal Council."),
}
LONG_RANGE = message("take-actions.long-range", "Raid New Mexico at long range, with all MP.")
ACTIONS: dict[type[Struct], Action] = {
    action.kind: action
    for action in (
        activation.ACTION,
        activation.END_ACTION,
        water_holes.ACTION,
        movement.ACTION,
        canyon.TO_ACTION,
        canyon.FROM_ACTION,
        corn.PLANT_ACTION,
        corn.HARVEST_ACTION,
        raid_new_mexico.ACTION,
        raid_outpost.ACTION,
        fort_trade.ACTION,
        tribal_council.ACTION,
    )
}


class TakeActionsMemory(Memory, frozen=True):
    """Nothing: who has acted stands in the position's operation, who is acting in its activation."""


def begin_actions(at: Board) -> tuple[Board, Where]:
    """Nobody has been activated yet."""
    at = begin_operation(at, "take-actions")
    operation: Any = at.position.operation
    return at.change(operation=structs.replace(operation, activated=()), activation=None), "action"


def ask_action(at: Board) -> Question:
    """Whom to activate, or what the activated Family does next."""
    acting = who_is_acting(at)
    if acting is None:
        offered = map(option_for, not_refused(at, map(Activate, LETTERS)))
        return ask(WHO_ACTS, Choose((Option(DONE, FINISHED), *offered)))
    actions = list(not_refused(at, of_family(at, acting)))
    if len(actions) == 1:  # its end: not the only one as long as the map may lead to another track
        actions += not_refused(at, across(at, acting))
    options = tuple(map(option_for, actions))
    return ask(WHICH_ACTION, Choose(options), family=acting.family, mp=activation.mp(at))


def who_is_acting(at: Board) -> Activation | None:
    """The activation under way; as long as nobody has been activated there is none."""
    acting, done = at.position.activation, activation.activated(at)
    if acting is not UNSET:
        return acting
    nobody_yet = not isinstance(done, Unknown) and not done
    return None if nobody_yet else must_know(unknown("/activation", ASK_ACTIVATION))


def not_refused(at: Board, actions: Iterable[Any]) -> Iterator[Any]:
    """Those of these Actions that are not refused, as far as was told."""
    apart = at.apart()
    return (do for do in actions if evaluate(ACTIONS[type(do)].may(apart, do)).ruling != ILLEGAL)


def of_family(at: Board, acting: Activation) -> Iterator[Any]:
    """What the activated Family might do, its end first."""
    letter: Any = acting.family
    yield EndActivation()
    here = at.family(letter).at
    if isinstance(here, str) and not is_area(here):
        return
    for plain in (FindWater, PlantCorn, HarvestCorn, TribalCouncil):
        yield plain(letter)
    yield RaidNewMexico(letter)
    yield RaidNewMexico(letter, long_range=True)
    in_canyon = at.in_canyon(here)
    for area in AREAS:
        if at.adjacent(here, area) is True:
            yield Move(letter, area)
    for refuge in CANYON_AREAS if in_canyon is not True else ():
        yield MoveToCanyon(letter, refuge)  # type: ignore[arg-type]
    for area in AREAS if in_canyon is not False else ():
        yield MoveFromCanyon(letter, area)
    yield from at_outposts(at, letter, here)


def across(at: Board, acting: Activation) -> Iterator[Move]:
    """Moves to Areas of which it was not told whether they are adjacent."""
    letter: Any = acting.family
    for area in AREAS:
        if isinstance(at.adjacent(at.family(letter).at, area), Unknown):
            yield Move(letter, area)


def at_outposts(at: Board, letter: Any, here: Any) -> Iterator[Any]:
    """Raids on what stands on the Family's own track, and trade at a Fort."""
    if not isinstance(here, str):
        return
    for area in track(territory_of(here)):
        for target in TARGET_TERM:
            if at.counters(area, target):
                yield RaidOutpost(letter, area, target)  # type: ignore[arg-type]
    if at.has_fort(here) is True:
        for goods in range(MOST_GOODS + 1):
            yield TradeAtFort(letter, goods)


def option_for(do: Any) -> Option:
    """An Action as an answer, named for the reader."""
    fields = structs.asdict(do)
    said = LONG_RANGE if fields.get("long_range") else OFFERED[type(do)]
    shown = {name: PlaceRef(value) if name in ("to", "area") else value for name, value in fields.items()}
    if "target" in shown:
        shown["target"] = TARGET_TERM[shown["target"]]
    return Option({"kind": ACTIONS[type(do)].name, **fields}, said, shown)


def carry_out(at: Board, do: Any) -> tuple[Board, Where]:
    """One Action; the Operation is over when the player says so or nobody is left to be activated."""
    if do == DONE:
        return at.tell(OPERATION_OVER, "nw:3.2"), end()
    after, where = ACTIONS[type(do)].begin(at, do)
    return after, where or "action"


def next_action(at: Board) -> tuple[Board, Where]:
    """An Action with dice or cubes is over: the next one."""
    return at, "action"


TAKE_ACTIONS = procedure(
    "take-actions",
    TakeActionsMemory,
    automatic("begin", "nw:3.2.once-each", begin_actions),
    decision(
        "action",
        ("nw:3.2.activation-count", "nw:3.2.one-at-a-time", "nw:3.2.any-mix"),
        ask_action,
        carry_out,
        takes=tuple(ACTIONS.values()),
    ),
    automatic("next-action", "nw:3.2.any-mix", next_action),
)
