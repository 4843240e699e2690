"""Section 12.3 and the scenarios: when the game is over, and with which result."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Literal

from engine.catalogue import read_toml
from engine.messages import Message, Ref, Term, message, question, requirement
from engine.navajo_wars.board import Board
from engine.navajo_wars.consequences import change_track, signed
from engine.navajo_wars.cubes import cubes_of
from engine.navajo_wars.position import Outcome, ScenarioId
from engine.questions import Choose, Option, Question, ask, known
from engine.verdict import Check, Truth, Unknown, every, is_told, must_know, needs

Result = Literal["major-victory", "minor-victory", "minor-defeat", "major-defeat"]

RESULT_TERM: dict[str, Term] = {
    "major-victory": Term("nw.major_victory"),
    "minor-victory": Term("nw.minor_victory"),
    "minor-defeat": Term("nw.minor_defeat"),
    "major-defeat": Term("nw.major_defeat"),
}
GAME_OVER = message("game-over", "The game is over: %(result)s.", outcome=True)
GAME_IS_OVER = requirement(
    "game-is-over",
    "The game is over, with the result: %(result)s. For another game, begin with a new position.",
    met="The game is not over.",
)
NOT_OVER = Check(True, GAME_IS_OVER, ("nw:2.loop",), "/outcome", {}, takes=None)  # as long as nothing is told


def game_over(at: Board, result: Result, *rules: str) -> Board:
    """The game ends here and now, whatever is under way."""
    at = at.change(outcome=Outcome(result, rules[0]), agenda=())
    return at.tell(GAME_OVER, *rules, result=RESULT_TERM[result])


def without_points(at: Board) -> Truth:
    """Are Culture Points and Military Points both at 0, as Automatic Defeat (12.1) asks?"""
    return every((at.culture == 0, at.military == 0))


def game_goes_on(at: Board) -> Iterator[Check]:
    """Nothing is done after the end; that a game without an outcome goes on is taken for granted."""
    outcome = at.outcome
    if outcome is None:
        return
    if not isinstance(outcome, Unknown):
        yield needs(False, GAME_IS_OVER, "nw:2.loop", pointer="/outcome", result=RESULT_TERM[outcome.result])
    elif at.rules.may_assume("/outcome"):
        yield NOT_OVER
    else:
        yield needs(outcome, GAME_IS_OVER, "nw:2.loop", pointer="/outcome")


# -- the end of a scenario ---------------------------------------------------------------------------

ASK_SCENARIO = message("ask-scenario", "Which scenario is being played?")
BLACK_CUBES = message(
    "scenario-black-cubes",
    "End of the scenario: each black cube in the Subjugation of New Mexico Box raises Enemy Morale by 1.",
    tells="detail",
)
SCENARIO_ENDS = message(
    "scenario-ends",
    "The scenario %(scenario)s ends with card #%(card)s. Military Points %(military)s, Enemy Morale %(morale)s: "
    "difference %(difference)s.",
)
SCENARIO_TABLE = message(
    "scenario-table",
    "For comparison: with Military Points %(military)s and Enemy Morale %(morale)s, black cubes included, the victory table of the scenario gives the result %(result)s.",
    tells="detail",
)

SCENARIO = message("value.scenario", "%(title)s (%(scenario)s)")
TITLE: dict[str, str] = {
    one["id"]: one["title"] for one in read_toml("engine.navajo_wars", "scenarios.toml")["scenario"]
}


class ScenarioRef(Ref):
    """A scenario by its section."""

    __slots__ = ()

    def phrase(self) -> tuple[Message, dict[str, Any]]:
        """By its title, which is printed the same in every language."""
        return SCENARIO, {"title": TITLE[self], "scenario": str(self)}


LAST_CARD: dict[ScenarioId, int] = {
    "14.1": 42,
    "14.2": 45,
    "14.3": 50,
    "14.4": 55,
    "14.5": 55,
    "14.6": 55,
}


def scenario(at: Board) -> ScenarioId | Unknown | None:
    """The scenario that is being played, None for a game of one's own."""
    played: ScenarioId | Unknown | None = at.told("scenario", ask=ASK_SCENARIO)
    return played


WHETHER_IT_ENDS = question(
    "scenario-does-it-end",
    "Does the game end with card #%(card)s?",
    lead="The scenario %(scenario)s ends with card #%(card)s; any other game goes on.",
)
IT_ENDS = message("scenario-it-ends", "The scenario %(scenario)s is being played: the game ends here.")
IT_GOES_ON = message("scenario-it-goes-on", "That scenario is not being played: the game goes on.")
ENDS, GOES_ON = "ends", "goes-on"


def ask_whether_it_ends(at: Board, card: int, *, is_this: Truth = True) -> Question:
    """Does this card end the scenario? A player who has not told his scenario is asked no more than that."""
    ending: ScenarioId = next(one for one, last in LAST_CARD.items() if last == card)
    ends = every((scenario(at) == ending, is_this))
    if is_told(ends):
        return known(ENDS if ends else GOES_ON)
    named = {"scenario": ScenarioRef(ending), "card": card}
    options = (Option(ENDS, IT_ENDS, {"scenario": ScenarioRef(ending)}), Option(GOES_ON, IT_GOES_ON))
    return ask(WHETHER_IT_ENDS, Choose(options), **named)


def end_scenario(at: Board, card: int) -> Board:
    """The scenario's own conditions decide (12.3): Military Points against Enemy Morale."""
    rule = "nw:12.3.scenario"
    if not is_told(scenario(at)):
        at = at.change(scenario=next(one for one, last in LAST_CARD.items() if last == card))
    at = count_black_cubes(at, rule)
    military, morale = must_know(at.military), must_know(at.track("enemy_morale"))
    at = at.tell(
        SCENARIO_ENDS,
        rule,
        scenario=ScenarioRef(must_know(scenario(at))),
        card=card,
        military=military,
        morale=morale,
        difference=signed(military - morale) if military != morale else "0",
    )
    return game_over(at, result_of(military - morale), rule)


def count_black_cubes(at: Board, rule: str) -> Board:
    """Black cubes in the Subjugation of New Mexico Box count for the Enemy at the end (C45)."""
    black = must_know(cubes_of(at, "subjugation", "black"))
    return change_track(at.tell(BLACK_CUBES, rule), "enemy_morale", black, rule) if black else at


def result_of(difference: int) -> Result:
    """The victory table of the scenarios 14.1 to 14.3, by Military Points less Enemy Morale."""
    if difference > 0:
        return "major-victory" if difference >= 3 else "minor-victory"
    return "minor-defeat" if difference > -3 else "major-defeat"


def result_of_american_scenario(military: int, morale: int) -> Result:
    """The victory table of the scenarios 14.4 to 14.6."""
    if military > morale:
        return "major-victory"
    if not military:
        return "major-defeat" if morale else "minor-defeat"
    return "minor-victory" if military == morale else "minor-defeat"


def show_scenario_table(at: Board) -> Board:
    """What the scenario's table would say, beside what 6.2.3 says (C60); for a comparison nothing is asked."""
    scenario = at.told("scenario", ask=ASK_SCENARIO)
    if isinstance(scenario, Unknown) or scenario not in ("14.4", "14.5", "14.6"):
        return at
    military, morale, black = at.military, at.track("enemy_morale"), cubes_of(at, "subjugation", "black")
    if isinstance(military, Unknown) or isinstance(morale, Unknown) or isinstance(black, Unknown):
        return at
    morale += black
    result = RESULT_TERM[result_of_american_scenario(military, morale)]
    return at.tell(SCENARIO_TABLE, "nw:12.3.scenario", military=military, morale=morale, result=result)
