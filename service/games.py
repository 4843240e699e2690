"""The games the service serves: every folder of the engine that holds one."""

import pkgutil
from importlib import import_module

import engine
from engine.game import Game
from engine.messages import Ref


def _found() -> list[Game]:
    folders = [folder.name for folder in pkgutil.iter_modules(engine.__path__) if folder.ispkg]
    games: list[Game] = [import_module(f"engine.{name}").GAME for name in folders]
    return sorted(games, key=lambda game: (game.listed, game.name))


GAMES: dict[str, Game] = {game.name: game for game in _found()}


def prefix(game_name: str) -> str:
    """What the ids of a game's rules and terms begin with: nw, jul."""
    return next(iter(GAMES[game_name].catalogue.rules)).partition(":")[0]


def named(game_name: str) -> tuple[Ref, ...]:
    """The places of a game that answers print by a name."""
    return GAMES[game_name].places
