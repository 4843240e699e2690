"""The games the service serves, and what of each it must be told by name until the game itself says it."""

from engine import julian, navajo_wars
from engine.game import Game
from engine.messages import Ref
from engine.navajo_wars.map import PLACES, TERRITORIES, PlaceRef, TerritoryRef

GAMES: dict[str, Game] = {game.name: game for game in (navajo_wars.GAME, julian.GAME)}

# What answers print where requests have an id; each id worded as it is in a sentence.
_NAMED: dict[str, tuple[Ref, ...]] = {
    navajo_wars.GAME.name: (*map(PlaceRef, PLACES), *map(TerritoryRef, TERRITORIES)),
}


def prefix(game_name: str) -> str:
    """What the ids of a game's rules and terms begin with: nw, jul."""
    return next(iter(GAMES[game_name].catalogue.rules)).partition(":")[0]


def named(game_name: str) -> tuple[Ref, ...]:
    """The places of a game that answers print by a name."""
    return _NAMED.get(game_name, ())
