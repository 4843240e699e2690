"""The games the service serves."""

from engine import julian, navajo_wars
from engine.game import Game

GAMES: dict[str, Game] = {game.name: game for game in (navajo_wars.GAME, julian.GAME)}
