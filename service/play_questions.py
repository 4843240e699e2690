"""What may be done in a play, and with what chances: the questions of a position, put to where the play stands."""

from __future__ import annotations

from functools import cache
from typing import Any

import msgspec
import orjson
from msgspec import Raw, structs

from service import odds, options
from service.answers import OddsAnswer, OptionsAnswer
from service.games import GAMES
from service.plain_json import from_json
from service.play_kept import Play
from service.requests import OddsReader, OptionsReader

# What is asked beside the play's own position, readings and copy.
OF_OPTIONS = ("kinds", "illegal", "assume")
OF_ODDS = ("action", "inputs", "policy", "vary", "image", "assume")


def may_be_done(play: Play, sent: bytes, lang: str) -> OptionsAnswer:
    """Everything that may be done now, with what it costs, and why the rest may not."""
    return _option_reader(play.game.name).answer(
        _about_its_position(play, sent, OF_OPTIONS),
        lambda asked: options.answer(play.game, structs.replace(asked, **_read_so(play)), lang),
    )


def chances(play: Play, sent: bytes, lang: str) -> OddsAnswer:
    """How likely an action comes to what."""
    return _odds_reader(play.game.name).answer(
        _about_its_position(play, sent, OF_ODDS),
        lambda asked: odds.answer(play.game, structs.replace(asked, **_read_so(play)), lang),
    )


@cache
def _option_reader(game: str) -> OptionsReader:
    return OptionsReader(GAMES[game])


@cache
def _odds_reader(game: str) -> OddsReader:
    return OddsReader(GAMES[game])


def _read_so(play: Play) -> dict[str, Any]:
    """How this play reads the rules, and from which copy."""
    return {"choices": dict(play.reading.choices), "components": play.reading.components}


def _about_its_position(play: Play, sent: bytes, fields: tuple[str, ...]) -> bytes:
    """What is asked of a play as it is asked of a position."""
    asked = from_json(sent)
    told = {name: Raw(orjson.dumps(asked[name])) for name in fields if name in asked}
    return msgspec.json.encode({**told, "position": Raw(play.written)})
