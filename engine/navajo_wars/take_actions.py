"""Section 3.2 as one Operation: Families are activated one after the other, each carries out its Actions."""

from __future__ import annotations

from engine.memory import Memory
from engine.messages import message, question
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
from engine.navajo_wars.activation import who_is_acting
from engine.navajo_wars.board import Board
from engine.navajo_wars.operation import begin_operation
from engine.navajo_wars.position import Operation
from engine.questions import Question, ask
from engine.tables import automatic, decision, instead, procedure
from engine.verdict import must_know

WHO_ACTS = question(
    "take-actions-who",
    "Take Actions: which Family is activated?",
    hint="Choose a Family, or finish the Operation.",
)
WHICH_ACTION = question(
    "take-actions-which",
    "Choose the next Action of Family %(family)s, or end its activation.",
    lead="Family %(family)s is activated; MP left: %(mp)s.",
)
FINISHED = message("take-actions-finished", "No more; the Operation is finished.")
OPERATION_OVER = message("take-actions-over", "Take Actions is finished.", tells="ritual")

ACTIONS = (
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


class TakeActionsMemory(Memory, frozen=True):
    """Nothing: who has acted stands in the position's operation, who is acting in its activation."""


def begin_actions(at: Board, _noted: TakeActionsMemory) -> Board:
    """Nobody has been activated yet."""
    at = begin_operation(at, "take-actions")
    return at.alter("operation", Operation, activated=()).change(activation=None)


def ask_action(at: Board, _noted: TakeActionsMemory) -> Question:
    """Whom to activate, or what the activated Family does next."""
    acting = must_know(who_is_acting(at))
    if acting is None:
        return ask(WHO_ACTS)
    return ask(WHICH_ACTION, family=acting, mp=activation.mp(at))


def nobody_is_acting(at: Board, _noted: TakeActionsMemory) -> bool:
    """The Operation is finished between two activations; an activation under way has its own end."""
    return must_know(who_is_acting(at)) is None


def finish(at: Board, _noted: TakeActionsMemory) -> Board:
    """The player has said so, or nobody is left to be activated."""
    return at.tell(OPERATION_OVER, "nw:3.2")


TAKE_ACTIONS = procedure(
    "take-actions",
    TakeActionsMemory,
    automatic("begin", "nw:3.2.once-each", begin_actions, title="Take Actions begins"),
    decision(
        "action",
        ("nw:3.2.activation-count", "nw:3.2.one-at-a-time", "nw:3.2.any-mix"),
        ask_action,
        takes=ACTIONS,
        or_else=instead(FINISHED, "over", when=nobody_is_acting),
        then="action",
        title="Activate a Family, or carry out its Actions",
    ),
    automatic("over", "nw:3.2", finish, title="Take Actions is finished"),
    title="Take Actions",
    renamed={"next-action": "action"},
)
