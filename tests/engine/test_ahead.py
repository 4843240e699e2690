"""Looking ahead for the answer that serves an aim: what it saw, and what nobody can say."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec import Struct

from engine.ahead import Ahead
from engine.chance import Die
from engine.messages import message
from engine.questions import Choose, Option

SAID = message("option.invented", "An answer invented for a test.")


class Branch(Struct, frozen=True):
    """An invented branch: where it leads by each answer, or what it has ended in and is worth."""

    name: str
    leads: dict[Any, Any] = {}
    ended: str | None = None
    worth: int = 0
    wanted: Any = None
    rolls: bool = False

    @property
    def answers(self) -> Any:
        return Die() if self.rolls else Choose(tuple(Option(value, SAID) for value in self.leads))


def ahead() -> Ahead:
    return Ahead(
        lambda branch, value: branch.leads[value],
        lambda branch: branch.worth,
        lambda branch: branch.name.encode(),
        lambda: False,
        lambda branch: branch.ended == "reading-needed",
    )


def end(name: str, worth: int, ended: str = "done") -> Branch:
    return Branch(name, ended=ended, worth=worth)


def test_the_answer_that_serves_best_is_found_and_nothing_was_blind() -> None:
    looks = ahead()
    assert looks.best(Branch("begins", {"worse": end("a", 1), "better": end("b", 2)})) == "better"
    assert (looks.guessed, looks.blind) == (False, False)


@pytest.mark.parametrize("further", [False, True])
def test_what_was_weighed_against_an_unread_table_is_known_to_be_so(further: bool) -> None:
    """The sure answer looks better than the other only because what has to be read counts as nothing."""
    unread = end("table", 0, "reading-needed")
    if further:
        unread = Branch(
            "die", {face: unread if face == 6 else end("f", 0) for face in range(1, 7)}, rolls=True
        )
    looks = ahead()
    assert looks.best(Branch("begins", {"fight": unread, "sure": end("s", 1)})) == "sure"
    assert (looks.guessed, looks.blind) == (False, True)
