"""Navajo Wars."""

from __future__ import annotations

from engine import catalogue
from engine.game import Game
from engine.messages import Term, message
from engine.navajo_wars import ambush, battle, consequences, evade, harass, negotiate
from engine.navajo_wars.board import Board
from engine.navajo_wars.components import Components
from engine.navajo_wars.position import Position

_ACTIONS = (ambush.ACTION, negotiate.ACTION, harass.ACTION, evade.ACTION, battle.ACTION)
_PROCEDURES = (ambush.AMBUSH, negotiate.NEGOTIATE, evade.EVADE, battle.BATTLE, consequences.INTRUDERS)

GAME = Game(
    name="navajo-wars",
    title=message("game.navajo-wars", "Navajo Wars"),
    catalogue=catalogue.load(__name__, "rules.toml", "issues.toml"),
    position=Position,
    at=Board,
    components=Components,
    actions={action.name: action for action in _ACTIONS},
    procedures={procedure.name: procedure for procedure in _PROCEDURES},
    sequence_rule="nw:5.1.2",
    continues=Term("nw.continue_flowchart"),
)
