"""GET …/scenarios: the set-ups as positions, with what the player still chooses, in the reader's language."""

from __future__ import annotations

from typing import Any

import marshmallow as ma
from marshmallow import Schema, fields

from engine.game import Game
from engine.scenarios import Doubt, OpenChoice, Said, Scenario
from service import schemas
from service.languages import Voice


class ChoiceEntry(Schema):
    """What the set-up leaves open: put a value at the pointer. Where no options are listed, your copy shows them."""

    pointer = fields.String(required=True, metadata={"description": "JSON pointer into the position"})
    text = schemas.Text(required=True)
    options = fields.List(fields.Nested(schemas.OptionEntry))


class DoubtEntry(Schema):
    """A value that rests on a source that may be wrong."""

    pointer = fields.String(required=True)
    certainty = fields.String(required=True, validate=ma.validate.OneOf(["high", "medium", "low"]))
    source = fields.String(required=True)
    text = schemas.Text(required=True)


def scenario_schema(game: Game) -> type[Schema]:
    """One scenario of a game."""
    prefix = schemas.schema_prefix(game)
    made = Schema.from_dict(
        {
            "id": fields.String(required=True),
            "title": fields.String(required=True),
            "period": fields.String(required=True),
            "text": schemas.Text(required=True),
            "position": schemas.EngineValue(f"{prefix}Position", game.position, required=True),
            "choices": fields.List(fields.Nested(ChoiceEntry), required=True),
            "deck": fields.List(schemas.Text(), required=True),
            "victory": fields.List(schemas.Text(), required=True),
            "doubts": fields.List(fields.Nested(DoubtEntry), required=True),
        },
        name=f"{prefix}Scenario",
    )
    made.__doc__ = "A set-up as a position, and what the player still chooses."
    return made


def scenarios_schema(game: Game, one: type[Schema]) -> type[Schema]:
    """All scenarios of a game."""
    made = Schema.from_dict(
        {
            "game": fields.String(required=True),
            "lang": fields.String(required=True),
            "scenarios": fields.List(fields.Nested(one), required=True),
        },
        name=f"{schemas.schema_prefix(game)}Scenarios",
    )
    made.__doc__ = "All set-ups of a game; a game of which none is known has an empty list."
    return made


def entry(scenario: Scenario, speaks: Voice) -> dict[str, Any]:
    """A scenario, worded in the reader's language."""
    return {
        "id": scenario.id,
        "title": scenario.title,
        "period": scenario.period,
        "text": _worded(scenario.says, speaks),
        "position": scenario.position,
        "choices": [_choice(choice, speaks) for choice in scenario.choices],
        "deck": [_worded(said, speaks) for said in scenario.deck],
        "victory": [_worded(said, speaks) for said in scenario.victory],
        "doubts": [_doubt(doubt, speaks) for doubt in scenario.doubts],
    }


def _worded(said: Said, speaks: Voice) -> Any:
    return speaks.say(said.message, said.params)


def _choice(choice: OpenChoice, speaks: Voice) -> dict[str, Any]:
    found = {"pointer": choice.pointer, "text": _worded(choice.says, speaks)}
    if not choice.options:
        return found
    options = [{"value": one.value, "text": speaks.say(one.message, one.params)} for one in choice.options]
    return {**found, "options": options}


def _doubt(doubt: Doubt, speaks: Voice) -> dict[str, Any]:
    return {
        "pointer": doubt.pointer,
        "certainty": doubt.certainty,
        "source": doubt.source,
        "text": _worded(doubt.says, speaks),
    }
