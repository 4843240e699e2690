"""What requests carry, game by game: each body is one type, by which it is decoded, documented and explained."""

from __future__ import annotations

from functools import cache
from typing import Annotated, Any, Literal

import msgspec
from msgspec import UNSET, Meta, Struct, UnsetType

from engine import policy, transcript
from engine.codec import Input
from engine.game import Game
from engine.saved import Format
from engine.transcript import Expected, Kind
from service.config import MOST_REPLAY_BYTES
from service.games import GAMES
from service.languages import Spoken

MOST_INPUTS = 400
# Moves and answers that a replay plays together. Each costs about a millisecond, and five where every Reaction is
# weighed: a replay takes half a second, four at the worst. A longer game is replayed page by page.
MOST_MOVES = 500
MOST_SENT = transcript.MOST  # of a whole game
MOST_CHECKS = 50  # of a batch

Asked = Annotated[
    Spoken, Meta(description="The language of the answer; without it, Accept-Language decides.")
]
Inputs = Annotated[list[Input], Meta(max_length=MOST_INPUTS)]
Illegal = Annotated[bool, Meta(description="Give the kinds that are not allowed, too, with their reasons")]
Vary = Annotated[
    dict[str, list[Any]], Meta(description="Parameters of the action, each with the values of a table's rows")
]
Image = Annotated[bool, Meta(description="Add a picture of the chances")]
Assume = Annotated[
    bool,
    Meta(
        description="Take for granted that now is the time for it, where nothing is told; false asks instead"
    ),
]
Remembered = Annotated[
    dict[str, Any],
    Meta(description="What was read off the copy with this move and is known after it, by JSON pointer"),
]
From = Annotated[
    int,
    Meta(
        ge=0,
        le=MOST_SENT,
        description="Begin behind this move. Moves before it are played again, unheard, from the last "
        "`position_after` among them; the position that a page reaches can be put there",
    ),
]
Limit = Annotated[int, Meta(ge=1, le=MOST_MOVES, description="At most so many moves")]
Record = Annotated[bool, Meta(description="Give the moves back with what came of each, to be kept")]
Closed = Annotated[bool, Meta(description="Say what is not open at the question, and why")]


OF_GAME = "The game it was recorded in; one that is of another game is refused at once"


class Bodies(Struct, frozen=True):
    """The types of the bodies of one game."""

    check: type[Struct]
    batch: type[Struct]
    options: type[Struct]
    odds: type[Struct]
    audit: type[Struct]
    replay: type[Struct]
    transcript: type[Struct]


def of_game(game: Game) -> Bodies:
    """The bodies of a game, made once."""
    return _of_game(game.name)


@cache
def _of_game(name: str) -> Bodies:
    game = GAMES[name]
    prefix = schema_prefix(game)
    lang = ("lang", Asked | UnsetType, UNSET)
    common: list[Any] = [
        ("choices", _choices(game), {}),
        ("components", game.components, game.components()),
        lang,
    ]
    move = _body(
        f"{prefix}GameMove",
        "An action with the answers to its questions; without an action, `continue`. What was told or changed by "
        "hand before it is `position`, laid over the position reached. Of another kind than `move`, nothing is checked: "
        "facts were told or corrected, or rules are read otherwise from here on.",
        ("action", game.action_types | UnsetType, UNSET),
        ("kind", Kind, "move"),
        ("inputs", Annotated[list[Input], Meta(max_length=MOST_MOVES - 1)], []),
        ("position", game.position | UnsetType, UNSET),
        ("choices", _choices(game), {}),
        ("components", game.components, game.components()),
        ("remembered", Remembered, {}),
        ("note", str, ""),
        ("expected", Expected, Expected()),
        ("position_after", game.position | UnsetType, UNSET),
    )
    own = ("game", Annotated[Literal[name], Meta(description=OF_GAME)] | UnsetType, UNSET)
    one = _body(
        f"{prefix}OneCheck",
        "An action, and the answers to its questions as far as they are known.",
        ("action", game.action_types),
        ("inputs", Inputs, []),
    )
    moves = Annotated[list[move], Meta(max_length=MOST_SENT)]  # type: ignore[valid-type]  # made above
    return Bodies(
        check=_body(
            f"{prefix}CheckRequest",
            "A position, whole or in part, an action, and the answers to its questions as far as they are known.",
            ("position", game.position),
            ("action", game.action_types),
            ("inputs", Inputs, []),
            ("closed", Closed, False),
            ("assume", Assume, True),
            *common,
        ),
        batch=_body(
            f"{prefix}BatchRequest",
            f"A position, whole or in part, and at most {MOST_CHECKS} actions, each checked on that position by itself.",
            ("position", game.position),
            ("actions", Annotated[list[one], Meta(max_length=MOST_CHECKS)]),  # type: ignore[valid-type]  # made above
            ("assume", Assume, True),
            *common,
        ),
        options=_body(
            f"{prefix}OptionsRequest",
            "A position, whole or in part; what may be done there is asked of all action kinds, or of those named.",
            ("position", game.position),
            ("kinds", list[Literal[tuple(game.actions)]], []),  # type: ignore[misc]  # the game's own
            ("illegal", Illegal, True),
            ("assume", Assume, True),
            *common,
        ),
        odds=_body(
            f"{prefix}OddsRequest",
            "A position, an action, and who decides inside it; answers that are known already come first.",
            ("position", game.position),
            ("action", game.action_types),
            ("inputs", Inputs, []),
            ("policy", _policy(game), {}),
            ("vary", Vary, {}),
            ("image", Image, False),
            ("assume", Assume, True),
            *common,
        ),
        audit=_body(
            f"{prefix}AuditRequest",
            "A position, whole or in part, that may be impossible: a number out of its range, or an agenda that names "
            "no step, is a finding and no error.",
            ("position", game.position),
            *common,
        ),
        replay=_body(
            f"{prefix}ReplayRequest",
            f"A game from a set-up: its moves in order, at most {MOST_SENT} moves and answers together, in at most "
            f"{MOST_REPLAY_BYTES} bytes. One request plays at most {MOST_MOVES} of them; `next` says where the next "
            "page begins.",
            ("position", game.position),
            ("moves", moves),
            *common,
            ("record", Record, False),
            ("from", From, 0),
            ("limit", Limit, MOST_MOVES),
            own,
            ("format", Format | UnsetType, UNSET),
        ),
        transcript=_body(
            f"{prefix}Transcript",
            "The moves that were replayed, each with what came of it: a request of its own.",
            ("position", game.position),
            ("moves", moves),
            *common[:2],
            own,
            ("format", Format | UnsetType, UNSET),
        ),
    )


def _body(name: str, said: str, *fields: Any) -> type[Struct]:
    return msgspec.defstruct(
        name,
        fields,
        namespace={"__doc__": said},
        module=__name__,
        frozen=True,
        kw_only=True,
        forbid_unknown_fields=True,
    )


def _choices(game: Game) -> Any:
    """The disputed rules by name and by id, each with its readings; several rules may share an id."""
    readings: dict[str, list[str]] = {}
    for issue in game.catalogue.issues.values():
        for key in (issue.name, issue.id):
            known = readings.setdefault(key, [])
            known += [choice for choice in issue.choices if choice not in known]
    said = "Readings of rules that the documents dispute, by name or id; the others are read as preferred."
    schema = {
        "description": said,
        "properties": {key: {"enum": choices} for key, choices in readings.items()},
        "additionalProperties": False,
    }
    return Annotated[dict[str, str], Meta(extra_json_schema=schema)]


def _policy(game: Game) -> Any:
    """Answers by the name of their question; the aim among those the game knows."""
    words = ", ".join(f"`{word}`" for word in ("none", *game.groups))
    said = (
        "Who decides inside: by the name of a question the answers in order of preference, the first that is offered "
        f"counts ({words} are understood too, and an action by a part of it)"
    )
    answers: dict[str, Any] = {name: {"type": "array"} for name in sorted(policy.questions(game.procedures))}
    aims = {policy.AIM: {"type": "string", "enum": list(game.aims)}} if game.aims else {}
    schema = {
        "description": f"{said}{'; every other decision serves the aim' if aims else ''}.",
        "properties": aims | answers,
        "additionalProperties": False,
    }
    return Annotated[dict[str, Any], Meta(extra_json_schema=schema)]


def schema_prefix(game: Game) -> str:
    """navajo-wars as NavajoWars: what the names of a game's own schemas begin with."""
    return game.name.title().replace("-", "")
