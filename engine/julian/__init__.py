"""Julian: Triumph Before the Storm, as far as the French aid goes."""

from __future__ import annotations

from engine import catalogue
from engine.game import Game
from engine.julian import audit, combat, imperium, markers, naming, opening, sequence, session, stratagems
from engine.julian.board import Board
from engine.julian.components import Components
from engine.julian.position import Position, stock
from engine.messages import message
from engine.sources import FACTS, source

_ACTIONS = (stratagems.ACTION, sequence.ACTION, opening.ACTION, combat.ACTION)
_PROCEDURES = (
    stratagems.STRATAGEM,
    imperium.REROLL,
    markers.DRAW_MARKERS,
    opening.OPEN_COMBAT,
    *combat.RESULTS.values(),
)

GAME = Game(
    name="julian",
    title=message("game.julian", "Julian"),
    catalogue=catalogue.load(__name__, "rules.toml", "issues.toml"),
    position=Position,
    at=Board,
    components=Components,
    actions={action.name: action for action in _ACTIONS},
    procedures={procedure.name: procedure for procedure in _PROCEDURES},
    sequence_rule="jul:seq",
    opens="next-phase",
    audit=audit.audit,
    stock=stock,
    subjects=stratagems.named,
    names=naming.NAMES,
    chapters=session.CHAPTERS,
    standing=session.standing,
    sources=(
        source("003", "fr", "Player aid of Julian: stratagem markers, sequence of play, combat results."),
        FACTS,
    ),
    listed=2,
    assumes=(
        "/last_play",
        "/last_roll",
        "/combat",
        "/played",
        "/has_played/*",  # the same, marker by marker
        "/phase",
        "/subphase",
        "/active",
        "/commands/*/active",
        "/hands/*",  # whoever plays a marker holds it
    ),
)
