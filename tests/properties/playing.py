"""Playing a game through check alone, and what must hold of every answer and every pause.

RULEGLOT_EXPLORE=1 looks at other cases each time; otherwise they are always the same.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from types import MappingProxyType
from typing import Any, NamedTuple

import msgspec
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st

from engine import codec
from engine.at import Event
from engine.chance import Dice, Die, Draw
from engine.flow import Pending
from engine.game import Answer, Game, check, prepare
from engine.questions import ChooseSome
from engine.verdict import Unknown

EXPLORE = bool(os.environ.get("RULEGLOT_EXPLORE"))
CONTINUE = {"kind": "continue"}


def looked_at(count: int) -> settings:
    """So many cases, always the same ones unless one explores."""
    return settings(
        max_examples=count * 20 if EXPLORE else count,
        derandomize=not EXPLORE,
        database=None,
        deadline=None,
        suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
    )


# -- asking ------------------------------------------------------------------------------------------


class Rules(NamedTuple):
    """What every request of a case is asked under."""

    game: Game
    chosen: Mapping[str, str] = MappingProxyType({})  # how the disputed points are read
    printed: Any = MappingProxyType({})  # what is known of the player's copy


def ask(rules: Rules, position: Any, do: Any, inputs: Sequence[Any] = ()) -> Answer:
    """One request, from plain values."""
    at = prepare(rules.game, position, rules.chosen, rules.printed)
    action = codec.read(do, rules.game.action_types, "/action")
    return check(rules.game, at, action, codec.read_inputs(list(inputs)))


def through_json(position: Any) -> Any:
    """A position as a stranger would get it: the plain values that its JSON holds."""
    return msgspec.json.decode(msgspec.json.encode(codec.write(position)))


# -- answering ---------------------------------------------------------------------------------------

Reply = Callable[[Answer], Any]


def outcomes(pending: Pending) -> list[dict[str, Any]]:
    """Every answer to a question that lists its answers."""
    answers = pending.question.answers
    values = [one.value for one in getattr(answers, "options", ())]
    if isinstance(answers, ChooseSome):
        values = [[], values]
    if isinstance(answers, Die | Dice | Draw):
        values = [value for value, _ in answers.outcomes()]
    if isinstance(answers, Draw) and answers.unseen:
        values.append(answers.unseen)
    return [{answers.key: value} for value in values]


def possible(pending: Pending, readings: Iterable[Any] = ()) -> st.SearchStrategy[Any]:
    """Any answer that the question takes; where it lists no readings, one of those given here."""
    answers = pending.question.answers
    if isinstance(answers, Dice):
        faces = st.lists(st.integers(1, 6), min_size=answers.count, max_size=answers.count)
        return faces.map(lambda thrown: {"dice": thrown})
    if isinstance(answers, ChooseSome):
        values = st.sampled_from([option.value for option in answers.options])
        some = st.lists(values, min_size=answers.least, max_size=answers.most, unique=True)
        return some.map(lambda chosen: {"choose": chosen})
    return st.sampled_from(outcomes(pending) or [{"read": reading} for reading in readings])


def drawn(data: st.DataObject, answers: Callable[[Pending], st.SearchStrategy[Any]]) -> Reply:
    """Replies that Hypothesis picks."""
    return lambda answer: data.draw(answers(answer.pending))


# -- playing -----------------------------------------------------------------------------------------

Pause = tuple[list[Any], Answer]  # every answer given so far, and what came of them


def is_over(answer: Answer) -> bool:
    """Is there no question left that the position alone can answer?"""
    return answer.pending is None or answer.refused is not None or answer.pending.kind == "fact"


def walk(rules: Rules, position: Any, do: Any, reply: Reply, *, most: int) -> Iterator[Pause]:
    """Every pause on the way of an action to its end, everything sent again each time."""
    inputs: list[Any] = []
    for _ in range(most):
        answer = ask(rules, position, do, inputs)
        yield inputs, answer
        if is_over(answer):
            return
        inputs = [*inputs, reply(answer)]
    raise AssertionError(f"{do['kind']} does not come to an end")


def go_on(rules: Rules, position: Any, do: Any, reply: Reply, *, most: int) -> Iterator[Pause]:
    """Every pause on the way of an action to its end, each gone on with from the JSON of the one before."""
    inputs: list[Any] = []
    answer = ask(rules, position, do)
    for _ in range(most):
        yield inputs, answer
        if is_over(answer):
            return
        inputs = [*inputs, reply(answer)]
        answer = ask(rules, through_json(answer.position), CONTINUE, inputs[-1:])
    raise AssertionError(f"{do['kind']} does not come to an end")


# -- what must hold ----------------------------------------------------------------------------------


def is_sound(rules: Rules, before: Any, answer: Answer) -> None:
    """What holds of every answer."""
    verdict = answer.verdict
    assert verdict.ruling in ("legal", "illegal", "undetermined")
    assert bool(verdict.reasons) == (verdict.ruling == "illegal")
    if verdict.ruling == "undetermined":
        assert verdict.unknowns
    if verdict.ruling != "legal":
        assert answer.events == ()
        asks_fact = answer.pending is not None and answer.pending.kind == "fact"
        assert answer.pending is None or answer.refused == "answer" or asks_fact
        assert answer.position == prepare(rules.game, before, {}, {}).position
    assert all(check.holds is True for check in verdict.passed)
    for reason in verdict.reasons:
        assert reason.holds is False
        assert reason.rules, f"{reason.requirement.name} cites no rule"
    for one in (*verdict.reasons, *verdict.passed, *verdict.cautions, *answer.events):
        assert not set(one.rules) - rules.game.catalogue.rules.keys()
        assert not [value for value in one.params.values() if isinstance(value, Unknown)]


def survives_json(rules: Rules, position: Any) -> None:
    """A position that was saved and read again is the same position."""
    saved = through_json(position)
    assert through_json(codec.read(saved, rules.game.position, "")) == saved
    assert through_json(prepare(rules.game, saved, rules.chosen, rules.printed).position) == saved


def goes_on_the_same(rules: Rules, before: Any, trail: Sequence[Pause]) -> None:
    """Every pause of a walk is sound, and going on from its JSON equals sending everything again."""
    for _, answer in trail:
        is_sound(rules, before, answer)
        survives_json(rules, answer.position)
    for (_, paused), (inputs, resent) in pairwise(trail):
        went_on = ask(rules, through_json(paused.position), CONTINUE, inputs[-1:])
        comes_to_the_same(paused.events, went_on, resent)


def comes_to_the_same(told: Sequence[Event], went_on: Answer, resent: Answer) -> None:
    """Going on, after what had been told already, came to what sending everything again came to."""
    assert went_on.verdict.ruling == resent.verdict.ruling
    assert went_on.verdict.reasons == resent.verdict.reasons
    assert went_on.pending == resent.pending
    if resent.verdict.ruling == "legal":
        assert went_on.position == resent.position
        assert (*told, *went_on.events) == resent.events


def never_flips(with_less: Answer, answer: Answer) -> None:
    """With fewer facts told the ruling is the same or open, or it says what it takes for granted or warns of it."""
    less, ruling, reasons = with_less.verdict, answer.verdict.ruling, answer.verdict.reasons
    if (less.ruling, ruling) == ("legal", "illegal"):
        named = {one.requirement.name for one in less.assumed}
        warned = {one.pointer for one in less.cautions}
        assert named & {one.requirement.name for one in reasons} or warned & {one.pointer for one in reasons}
    else:
        assert less.ruling in ("undetermined", ruling)


# -- what to play ------------------------------------------------------------------------------------


def chosen_among(game: Game, issues: Iterable[str]) -> st.SearchStrategy[dict[str, str]]:
    """Any reading of any of these issues."""
    every = {name: st.sampled_from(sorted(game.catalogue.issues[name].choices)) for name in issues}
    return st.fixed_dictionaries({}, optional=every)


@st.composite
def partly_told(draw: st.DrawFn, position: Any, tables: Iterable[str], *, most: int) -> Any:
    """The position with facts left out, also up to so many of each table; each Family that is told stays."""
    told = draw(without_some(position, 4))
    for key in tables:
        if key == "families" and key in told:
            told[key] = {name: draw(without_some(state, most)) for name, state in told[key].items()}
        elif key in told:
            told[key] = draw(without_some(told[key], most))
    return told


def without_some(table: Mapping[str, Any], most: int) -> st.SearchStrategy[dict[str, Any]]:
    """The table without some of its entries, at most so many."""
    return st.sets(st.sampled_from(sorted(table)), max_size=most).map(
        lambda dropped: {key: value for key, value in table.items() if key not in dropped}
    )


@st.composite
def frames(draw: st.DrawFn, game: Game, procedures: Sequence[str], memories: Any) -> Any:
    """One of these procedures under way at any of its steps, with any part of its memory."""
    table = game.procedures[draw(st.sampled_from(procedures))]
    memory = {name: value for name, value in draw(memories).items() if name in table.memory.__struct_fields__}
    return {"procedure": table.name, "step": draw(st.sampled_from(sorted(table.steps))), "memory": memory}
