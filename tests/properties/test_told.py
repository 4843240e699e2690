"""Facts left out of any Reaction's table and told when asked for: the same answers, however they are told."""

from __future__ import annotations

from typing import Any

from hypothesis import assume, given
from hypothesis import strategies as st

from engine.game import Answer
from engine.navajo_wars import GAME
from tests.properties.playing import CONTINUE, Rules, ask, looked_at, through_json
from tests.properties.test_reactions import HERE, LETTERS, areas, families

MOST_QUESTIONS = 12
FIELDS = ("ferocity", "man", "woman", "child", "horse", "at")


@st.composite
def evasions(draw: st.DrawFn) -> tuple[dict[str, Any], dict[str, Any]]:
    """A table, and what was told of it: a Family on the map with a Raid in its Area, some of its facts left out."""
    table: dict[str, Any] = {
        "period": (period := draw(st.sampled_from(["spanish", "mexican", "american"]))),
        "manuelito": draw(st.sampled_from([None, *LETTERS])) if period == "american" else None,
        "families": draw(families),
        "areas": draw(areas),
        "outcome": None,
        "cards": {"current": 12},
    }
    place = draw(st.sampled_from(HERE))
    table["families"]["A"] = {
        "ferocity": 1,
        "man": True,
        "woman": True,
        "child": False,
        "horse": False,
        "at": place,
    }
    table["areas"][place] = {**table["areas"].get(place, {}), "raid": 1}
    left_out = draw(st.sets(st.sampled_from(["manuelito", "period", *FIELDS])))
    told = {key: value for key, value in table.items() if key not in left_out}
    told["families"] = {
        letter: {key: value for key, value in family.items() if key not in left_out}
        for letter, family in table["families"].items()
    }
    return table, told


def wanted(answer: Answer) -> str | None:
    """The fact that is asked for."""
    return next((fact.pointer for fact in answer.verdict.unknowns), None)


def looked_up(table: Any, pointer: str) -> Any:
    for part in pointer.split("/")[1:]:
        table = table[part]
    return table


@looked_at(2_000)
@given(evasions(), st.integers(1, 6))
def test_telling_when_asked_comes_to_what_the_whole_table_comes_to(
    tables: tuple[dict[str, Any], dict[str, Any]], die: int
) -> None:
    table, told = tables
    rules, do = Rules(GAME), {"kind": "evade", "family": "A"}
    whole = ask(rules, table, do, [{"die": die}])
    assume(not whole.verdict.unknowns)
    inputs: list[Any] = [{"die": die}]
    answer = ask(rules, told, do, inputs)
    for _ in range(MOST_QUESTIONS):
        pointer = wanted(answer)
        if pointer is None:
            break
        tell = {"tell": {pointer: looked_up(table, pointer)}}
        went_on = (
            ask(rules, through_json(answer.position), CONTINUE, [tell]) if answer.position.agenda else None
        )
        before = answer.events
        inputs = [*inputs, tell]
        answer = ask(rules, told, do, inputs)
        if went_on is not None:
            assert (*before, *went_on.events) == answer.events
            assert went_on.position == answer.position
    assert answer.verdict.ruling == whole.verdict.ruling
    assert [one.message for one in answer.events] == [one.message for one in whole.events]
    for one, other in zip(
        answer.events, whole.events, strict=True
    ):  # what decides nothing was never asked for
        assert one.params.items() <= other.params.items()
    assert answer.position.families["A"].at == whole.position.families["A"].at
    assert answer.verdict.unknowns == ()
