"""GET …/scenarios: the set-ups as positions, with what the player still chooses, in the reader's language."""

from __future__ import annotations

from typing import Any

from msgspec import UNSET, structs

from engine.game import Game
from engine.scenarios import Doubt, OpenChoice, Said, Scenario
from service import answers
from service.answers import ChoiceEntry, DoubtEntry
from service.forms import OptionEntry
from service.languages import Text, Voice
from service.questions import chosen


def entry(game: Game, scenario: Scenario, speaks: Voice) -> answers.Scenario[Any]:
    """A scenario, worded in the reader's language; its title is printed the same in every language."""
    return answers.Scenario(
        id=scenario.id,
        title=speaks.each(lambda _: scenario.title),
        period=scenario.period,
        text=_worded(scenario.says, speaks),
        position=scenario.position,
        choices=[_choice(game, choice, speaks) for choice in scenario.choices],
        deck=[_worded(said, speaks) for said in scenario.deck],
        victory=[_worded(said, speaks) for said in scenario.victory],
        doubts=[_doubt(doubt, speaks) for doubt in scenario.doubts],
    )


def _worded(said: Said, speaks: Voice) -> Text:
    return speaks.say(said.message, said.params)


def _choice(game: Game, choice: OpenChoice, speaks: Voice) -> ChoiceEntry:
    options = [
        OptionEntry(value=one.value, text=speaks.say(one.message, one.params)) for one in choice.options
    ]
    question = structs.asdict(chosen(game, choice, speaks))
    return ChoiceEntry(**question, options=options or UNSET)


def _doubt(doubt: Doubt, speaks: Voice) -> DoubtEntry:
    return DoubtEntry(
        pointer=doubt.pointer,
        certainty=doubt.certainty,  # type: ignore[arg-type]  # the kernel calls it a text
        text=_worded(doubt.says, speaks),
    )
