"""The games the service serves."""

from engine import julian, navajo_wars
from engine.game import Game

GAMES: dict[str, Game] = {game.name: game for game in (navajo_wars.GAME, julian.GAME)}


def prefix(game_name: str) -> str:
    """What the ids of a game's rules and terms begin with: nw, jul."""
    return next(iter(GAMES[game_name].catalogue.rules)).partition(":")[0]
