"""The kernel knows no game: a toy with a door, a die and a cup of coins runs on it.

One goes in through an open door for a coin. Inside, one rolls; on a 6 one leaves. Otherwise one picks
the left or the right table, reads the sign above it, draws a coin from the cup, and rolls again.
"""

from __future__ import annotations

import operator
import re
from collections.abc import Iterator
from typing import Annotated, Any, Literal

import msgspec
import pytest
from msgspec import UNSET, Meta, Struct, UnsetType

from engine import codec, messages
from engine.actions import Action
from engine.at import At
from engine.catalogue import Catalogue, Issue, Rule, Ruleset, read_choices
from engine.chance import Dice, Die, Draw, Impossible
from engine.exceptions import Refused, Unreadable, Untold
from engine.game import Answer, Game, check, prepare
from engine.memory import NOT_NOTED, Frame, Memory, Noted
from engine.messages import Message, Requirement, Term
from engine.questions import Choose, ChooseSome, Option, Question, Read, ask, known
from engine.saved import Format
from engine.tables import Where, automatic, call, chance, decision, end, procedure, reading
from engine.verdict import (
    Caution,
    Check,
    Unknown,
    as_number,
    denied,
    evaluate,
    every,
    must_know,
    needs,
    once,
    some,
    total,
    unknown,
    warns,
)

# Built by hand, not registered: the toy's sentences need no translation.


def said(name: str) -> Message:
    return Message(name, f"{name}.")


def demand(name: str) -> Requirement:
    return Requirement(name, said(name), said(f"{name}.met"))


DOOR_SHUT, NO_COIN, TABLE_TAKEN, BET_TOO_HIGH = map(
    demand, ("toy-door-shut", "toy-no-coin", "toy-table-taken", "toy-bet-too-high")
)
ASK_COINS, ASK_DOOR, ASK_CUP = map(said, ("ask-coins", "ask-door", "ask-cup"))

Coin = Literal["gold", "silver"]
Small = Annotated[int, Meta(ge=0, le=9)]


class Room(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """All there is."""

    coins: Small | UnsetType = UNSET
    door: Literal["open", "shut"] | UnsetType = UNSET
    cup: dict[Coin, Small] | UnsetType = UNSET
    tables: dict[Literal["left", "right"], dict[Coin, Small]] | UnsetType = UNSET
    row: tuple[Small, ...] | UnsetType = UNSET
    agenda: tuple[Frame, ...] = ()
    format: Format | UnsetType = UNSET


class Toy(At[Room]):
    """The toy's position under its rules."""

    def fact(self, name: str, question: Message) -> Any:
        value = getattr(self.position, name)
        return unknown(f"/{name}", question) if value is UNSET else value

    @property
    def coins(self) -> Any:
        return self.fact("coins", ASK_COINS)

    @property
    def door(self) -> Any:
        return self.fact("door", ASK_DOOR)

    @property
    def cup(self) -> Any:
        return self.fact("cup", ASK_CUP)


class Enter(Struct, frozen=True, forbid_unknown_fields=True, tag_field="kind", tag="enter"):
    """Go in."""


class Shout(Struct, frozen=True, forbid_unknown_fields=True, tag_field="kind", tag="shout"):
    """At any time."""


class Bet(Struct, frozen=True, forbid_unknown_fields=True, tag_field="kind", tag="bet"):
    """An action that answers the question which table."""

    coins: int


class Count(Struct, frozen=True, forbid_unknown_fields=True, tag_field="kind", tag="count"):
    """An action that leads to a roll whose outcome needs a fact."""


class Play(Struct, frozen=True, forbid_unknown_fields=True, tag_field="kind", tag="play"):
    """Two dice, then some of three cards."""

    most: int = 2


class VisitMemory(Memory, frozen=True):
    """The table, the sign, the coin."""

    table: Noted[str] = NOT_NOTED
    sign: Noted[int] = NOT_NOTED
    drawn: Noted[Coin] = NOT_NOTED


class CardMemory(Memory, frozen=True):
    """How many cards may be taken."""

    most: int = 2


def may_enter(at: Toy, do: Enter) -> Iterator[Check | Caution]:
    yield needs(at.door == "open", DOOR_SHUT, "toy:door", pointer="/door")
    yield needs(at.coins >= 1, NO_COIN, "toy:price", pointer="/coins", have=at.coins)
    if at.coins == 1:
        yield warns(said("toy-last-coin"), "toy:price", pointer="/coins")


def enter(at: Toy, do: Enter) -> tuple[Toy, Where]:
    return at.change(coins=at.coins - 1).tell(said("toy-entered"), "toy:price"), call(VISIT)


def greet(at: Toy, _noted: Any) -> tuple[Toy, Where]:
    return at.tell(said("toy-greeted"), "toy:door"), "roll"


def roll(at: Toy, _noted: Any, die: int) -> tuple[Toy, Where]:
    at = at.tell(said("toy-rolled"), "toy:roll", die=die)
    return at, (end() if die == 6 else "pick")


def which_table(at: Toy, _noted: Any) -> Question:
    taken = needs(False, TABLE_TAKEN, "toy:table", pointer="/inputs")
    if at.choice("one-table") == "left-only":
        return ask(said("toy-which"), Choose((Option("left", said("left")),), (("right", taken),)))
    options = tuple(Option(side, said(side)) for side in ("left", "right"))
    return ask(said("toy-which"), Choose(options, (("middle", taken),)))


def pick(at: Toy, _noted: Any, chosen: Any) -> tuple[Toy, Where]:
    if isinstance(chosen, Bet):
        return at.change(coins=at.coins - chosen.coins).remember(table="bet"), "sign"
    return at.remember(table=chosen), "sign"


def sign(at: Toy, _noted: Any) -> Question:
    printed = at.components.sign
    return ask(said("toy-sign"), Read(int)) if printed is UNSET else known(printed)


def read_sign(at: Toy, _noted: Any, number: int) -> tuple[Toy, Where]:
    return at.remember(sign=number).tell(said("toy-sign-read"), "toy:sign", number=number), "reach"


def reach(at: Toy, _noted: Any) -> tuple[Toy, Where]:
    return at, call(REACH)


def again(at: Toy, noted: VisitMemory) -> tuple[Toy, Where]:
    """Only what the caller's memory knows is handed back to it."""
    drawn, table = must_know(noted.drawn), must_know(noted.table)
    return at.tell(said("toy-got"), "toy:cup", drawn=drawn, table=table, sign=noted.sign), "roll"


def draw(at: Toy, _noted: Any) -> Question:
    return ask(said("toy-draw"), Draw(must_know(at.cup), "cube"))


def drawn(at: Toy, _noted: Any, kind: str) -> tuple[Toy, Where]:
    left = {**must_know(at.cup), kind: must_know(at.cup)[kind] - 1}
    return at.change(cup=left, coins=min(9, must_know(at.coins) + 1)), end(drawn=kind, nobody_knows=True)


def count(at: Toy, _noted: Any, die: int) -> Toy:
    if must_know(at.coins) > 2 * die:
        raise Refused(needs(False, BET_TOO_HIGH, "toy:bet", pointer="/inputs"))
    return at.tell(said("toy-counted"), "toy:roll", die=die, coins=at.coins)


def throw(at: Toy, _noted: Any, faces: tuple[int, ...]) -> tuple[Toy, Where]:
    return at.tell(said("toy-thrown"), "toy:roll", faces=faces), "cards"


def cards(_: Toy, noted: CardMemory) -> Question:
    options = tuple(Option(name, said(name)) for name in ("ace", "king", "jack"))
    return ask(said("toy-cards"), ChooseSome(options, min(1, noted.most), noted.most))


def take(at: Toy, _noted: Any, chosen: list[str]) -> tuple[Toy, Where]:
    return at.tell(said("toy-took"), "toy:table", cards=chosen), end()


def action(kind: type[Struct], may: Any, begin: Any, **more: Any) -> Action:
    return Action(kind, "toy:door", Term("toy"), said("toy"), may, begin, **more)


BET = action(
    Bet,
    lambda at, do: [needs(at.coins >= do.coins, BET_TOO_HIGH, "toy:bet", pointer="/coins")],
    lambda at, do: (at, None),
)
VISIT = procedure(
    "visit",
    VisitMemory,
    automatic("greet", "toy:door", greet),
    chance("roll", "toy:roll", lambda at, noted: ask(said("toy-roll"), Die()), roll),
    decision("pick", ("toy:table", "toy:bet"), which_table, pick, takes=(BET,)),
    reading("sign", "toy:sign", sign, read_sign),
    automatic("reach", "toy:cup", reach),
    automatic("again", "toy:cup", again),
)
REACH = procedure("reach", Memory, chance("draw", "toy:cup", draw, drawn))
CARDS = procedure(
    "cards",
    CardMemory,
    chance("throw", "toy:roll", lambda at, noted: ask(said("toy-throw"), Dice(2)), throw),
    decision("cards", "toy:table", cards, take),
)
COUNT = procedure(
    "count",
    Memory,
    chance(
        "roll", "toy:roll", lambda at, noted: ask(said("toy-roll"), Die()), count, then="roll", goes=("roll",)
    ),
)
ENDLESS = procedure("endless", Memory, automatic("round", "toy:door", lambda at, noted: (at, "round")))


class Printed(Struct, frozen=True, forbid_unknown_fields=True):
    """What the player reads off his own room."""

    sign: int | UnsetType = UNSET


RULES = ("toy:door", "toy:price", "toy:roll", "toy:table", "toy:bet", "toy:sign", "toy:cup")
ONE_TABLE = Issue(
    "T1",
    "one-table",
    ("toy:table",),
    "both",
    {"both": said("b"), "left-only": said("l")},
    said("t"),
    said("r"),
    "high",
)
GAME = Game(
    name="toy",
    title=said("toy"),
    catalogue=Catalogue(
        {rule: Rule(rule, "enforced", ("here",)) for rule in RULES}, {"one-table": ONE_TABLE}
    ),
    position=Room,
    at=Toy,
    components=Printed,
    actions={
        one.name: one
        for one in (
            action(Enter, may_enter, enter),
            action(
                Shout, lambda at, do: (), lambda at, do: (at.tell(said("toy-shout")), None), any_time=True
            ),
            BET,
            action(Count, lambda at, do: (), lambda at, do: (at, call(COUNT))),
            action(Play, lambda at, do: (), lambda at, do: (at, call(CARDS, most=do.most))),
        )
    },
    procedures={one.name: one for one in (VISIT, REACH, CARDS, COUNT, ENDLESS)},
    sequence_rule="toy:door",
)

OPEN = {"coins": 2, "door": "open", "cup": {"gold": 1, "silver": 2}}


def asked(
    position: Any,
    kind: Any = "enter",
    *inputs: Any,
    choices: dict[str, str] | None = None,
    printed: Any = None,
) -> Answer:
    """Put one request, from plain values."""
    at = prepare(GAME, position, choices or {}, printed or {})
    do = codec.read({"kind": kind} if isinstance(kind, str) else kind, GAME.action_types, "/action")
    return check(GAME, at, do, codec.read_inputs(list(inputs)))


def events(answer: Answer) -> list[str]:
    return [event.message.name for event in answer.events]


def reasons(answer: Answer) -> list[str]:
    return [one.requirement.name for one in answer.verdict.reasons]


def unknowns(answer: Answer) -> list[str]:
    return [fact.pointer for fact in answer.verdict.unknowns]


def through_json(position: Any) -> Any:
    """A position as a saved file gives it back."""
    return msgspec.json.decode(msgspec.json.encode(codec.write(position)))


def waits(answer: Answer) -> str | None:
    return answer.pending.name if answer.pending else None


# -- verdicts ----------------------------------------------------------------------------------------


def test_one_evaluation_gives_the_ruling_with_all_reasons_in_order() -> None:
    answer = asked({"coins": 0, "door": "shut"})
    assert answer.verdict.ruling == "illegal"
    assert reasons(answer) == ["toy-door-shut", "toy-no-coin"]
    first, second = answer.verdict.reasons
    assert (first.rules, first.pointer) == (("toy:door",), "/door")
    assert second.params == {"have": 0}
    assert answer.events == ()
    assert answer.pending is None


def test_what_was_met_is_said_too() -> None:
    answer = asked({"coins": 0, "door": "open"})
    assert [one.requirement.name for one in answer.verdict.passed] == ["toy-door-shut"]


def test_what_is_not_told_leaves_the_ruling_open() -> None:
    answer = asked({"coins": 1})
    assert (answer.verdict.ruling, unknowns(answer)) == ("undetermined", ["/door"])
    assert unknowns(asked({})) == ["/coins", "/door"], "a number is told more easily than one of several"
    assert asked({"coins": 1}).position == Room(coins=1, format=1)


def test_one_refusal_decides_although_something_is_not_told() -> None:
    answer = asked({"door": "shut"})
    assert answer.verdict.ruling == "illegal"
    assert reasons(answer) == ["toy-door-shut"]
    assert unknowns(answer) == ["/coins"]


def test_a_caution_does_not_forbid() -> None:
    answer = asked({**OPEN, "coins": 1})
    assert answer.verdict.ruling == "legal"
    assert [one.message.name for one in answer.verdict.cautions] == ["toy-last-coin"]
    assert asked(OPEN).verdict.cautions == ()


def test_a_rule_that_branches_on_what_is_not_told_stops_there() -> None:
    def checks() -> Iterator[Check]:
        yield needs(True, NO_COIN)
        if unknown("/door", ASK_DOOR):
            yield needs(False, DOOR_SHUT)

    verdict = evaluate(checks())
    assert verdict.ruling == "undetermined"
    assert [fact.pointer for fact in verdict.unknowns] == ["/door"]
    assert len(verdict.passed) == 1


# -- what is not told --------------------------------------------------------------------------------

A, B = unknown("/a", ASK_COINS), unknown("/b", ASK_DOOR)


def pointers(value: Any) -> list[str]:
    assert isinstance(value, Unknown)
    return [fact.pointer for fact in value.facts]


@pytest.mark.parametrize(
    "value",
    [
        A + 1,
        1 + A,
        A - 1,
        1 - A,
        A * 2,
        2 * A,
        -A,
        A < 1,
        A <= 1,
        A > 1,
        A >= 1,
        A == 1,
        A != 1,
        operator.lt(1, A),
        operator.eq(1, A),
    ],
)
def test_unknown_travels_through_sums_and_comparisons(value: Any) -> None:
    assert pointers(value) == ["/a"]


def test_two_unknowns_ask_for_both() -> None:
    assert pointers(A + B) == ["/a", "/b"]
    assert pointers(A == B) == ["/a", "/b"]
    assert pointers(total([1, A, 2, B])) == ["/a", "/b"]
    assert total([1, 2]) == 3
    assert total([]) == 0


@pytest.mark.parametrize("branch", [bool, list, range, must_know])
def test_unknown_cannot_be_branched_on(branch: Any) -> None:
    with pytest.raises(Untold) as stop:
        branch(A)
    assert pointers(stop.value.unknown) == ["/a"]


@pytest.mark.parametrize(
    ("truths", "and_", "or_"),
    [
        ([], True, False),
        ([True, True], True, True),
        ([True, False], False, True),
        ([False, False], False, False),
        ([True, A], A, True),
        ([A, True], A, True),
        ([False, A], False, A),
        ([A, False], False, A),
    ],
)
def test_kleene(truths: list[Any], and_: Any, or_: Any) -> None:
    assert every(iter(truths)) is and_
    assert some(iter(truths)) is or_


def test_kleene_collects_what_is_missing() -> None:
    assert pointers(every([A, True, B])) == ["/a", "/b"]
    assert pointers(some([A, False, B])) == ["/a", "/b"]


def test_denied_and_as_number() -> None:
    assert denied(True) is False
    assert denied(False) is True
    assert denied(A) is A
    assert (as_number(True), as_number(False)) == (1, 0)
    assert (as_number(A) >= 0) is True
    assert must_know(3) == 3


def test_facts_are_asked_for_once_in_the_order_of_first_need() -> None:
    assert [fact.pointer for fact in once([*A.facts, *B.facts, *A.facts])] == ["/a", "/b"]


# -- messages ----------------------------------------------------------------------------------------


def test_a_name_is_never_reused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(messages, "REGISTRY", {})
    first = messages.requirement("toy-name", "No.", met="Yes.")
    assert messages.requirement("toy-name", "No.", met="Yes.") == first
    assert set(messages.REGISTRY) == {"toy-name", "toy-name.met"}
    with pytest.raises(ValueError, match="taken"):
        messages.requirement("toy-name", "Not at all.", met="Yes.")
    with pytest.raises(ValueError, match="taken"):
        messages.requirement("toy-name", "No.", met="Of course.")
    with pytest.raises(ValueError, match="taken"):
        messages.message("toy-name.met", "Another sentence.")


# -- procedures --------------------------------------------------------------------------------------

ROUND = ({"die": 3}, {"choose": "left"}, {"read": 7}, {"cube": "silver"})


def test_each_kind_of_step_waits_for_its_answer() -> None:
    seen = [(waits(asked(OPEN, "enter", *ROUND[:count])), count) for count in range(5)]
    assert seen == [
        ("visit-roll", 0),
        ("visit-pick", 1),
        ("visit-sign", 2),
        ("reach-draw", 3),
        ("visit-roll", 4),
    ]
    kinds = [asked(OPEN, "enter", *ROUND[:count]).pending for count in range(4)]
    assert [pending.step.kind for pending in kinds if pending] == ["chance", "decision", "reading", "chance"]


def test_a_call_hands_back_to_the_row_below_what_the_caller_knows() -> None:
    answer = asked(OPEN, "enter", *ROUND, {"die": 6})
    assert answer.verdict.ruling == "legal"
    assert waits(answer) is None
    assert events(answer) == [
        "toy-entered",
        "toy-greeted",
        "toy-rolled",
        "toy-sign-read",
        "toy-got",
        "toy-rolled",
    ]
    assert answer.events[4].params == {"drawn": "silver", "table": "left", "sign": 7}
    assert answer.position == Room(coins=2, door="open", cup={"gold": 1, "silver": 1}, format=1)


def test_a_loop_goes_round_as_often_as_answers_come() -> None:
    again = ({"die": 1}, {"choose": "right"}, {"read": 0}, {"cube": "gold"})
    answer = asked(OPEN, "enter", *ROUND, *again, {"die": 6})
    assert [event.params["drawn"] for event in answer.events if event.message.name == "toy-got"] == [
        "silver",
        "gold",
    ]
    assert answer.position.cup == {"gold": 0, "silver": 1}


def test_what_has_one_outcome_only_is_not_asked_for() -> None:
    one_kind = {**OPEN, "cup": {"gold": 2}}
    answer = asked(one_kind, "enter", {"die": 3}, {"read": 7}, {"die": 6}, choices={"one-table": "left-only"})
    assert answer.verdict.ruling == "legal"
    assert answer.events[4].params == {"drawn": "gold", "table": "left", "sign": 7}


def test_what_the_components_state_is_not_asked_for() -> None:
    answer = asked(OPEN, "enter", {"die": 3}, {"choose": "left"}, printed={"sign": 4})
    assert waits(answer) == "reach-draw"
    assert answer.events[-1].params == {"number": 4}


@pytest.mark.parametrize(
    ("inputs", "reason", "number"),
    [
        ([{"die": 0}], "die-out-of-range", 0),
        ([{"die": 7}], "die-out-of-range", 0),
        ([{"cube": "gold"}], "answer-of-another-kind", 0),
        ([{"die": 1}, {"choose": "up"}], "choice-not-offered", 1),
        ([{"die": 1}, {"choose": ["left"]}], "choice-not-offered", 1),
        ([{"die": 1}, {"choose": 1}], "choice-not-offered", 1),
        ([{"die": 1}, {"choose": "left"}, {"read": "seven"}], "reading-not-possible", 2),
        ([{"die": 1}, {"choose": "left"}, {"read": 7}, {"cube": "copper"}], "not-in-the-bag", 3),
        ([{"die": 6}, {"die": 6}], "input-not-asked-for", 1),
    ],
)
def test_answers_that_cannot_be_are_refused_and_nothing_is_applied(
    inputs: list[Any], reason: str, number: int
) -> None:
    answer = asked(OPEN, "enter", *inputs)
    assert answer.verdict.ruling == "illegal"
    assert reasons(answer) == [reason]
    assert answer.verdict.reasons[0].pointer == f"/inputs/{number}"
    assert answer.verdict.reasons[0].rules
    assert answer.position == codec.read({**OPEN, "format": 1}, Room, "")
    assert answer.events == ()
    assert (answer.refused, answer.accepted) == ("answer", number)
    assert answer.pending == asked(OPEN, "enter", *inputs[:number]).pending


def test_only_an_answer_or_the_action_itself_is_refused() -> None:
    assert asked(OPEN, "enter", {"die": 1}).refused is None
    assert asked(OPEN, "enter", {"die": 1}).accepted == 1
    shut = asked({**OPEN, "door": "shut"}, "enter", {"die": 1})
    assert (shut.refused, shut.accepted, shut.pending) == ("action", 0, None)
    dear = asked(OPEN, "enter", {"die": 1}, {"choose": {"kind": "bet", "coins": 9}})
    assert (reasons(dear), dear.refused, dear.accepted) == (["toy-bet-too-high"], "answer", 1)
    assert waits(dear) == "visit-pick"


def test_an_empty_kind_in_the_cup_cannot_be_drawn() -> None:
    one_kind = {**OPEN, "cup": {"gold": 0, "silver": 2}}
    answer = asked(one_kind, "enter", *ROUND[:3])
    assert waits(answer) == "visit-roll"  # silver is all that can be drawn: it was
    assert answer.position.cup == {"gold": 0, "silver": 1}
    with pytest.raises(Impossible):
        Draw({"gold": 0}, "cube").accept("gold")


def test_a_closed_option_is_refused_with_its_own_reason() -> None:
    answer = asked(OPEN, "enter", {"die": 1}, {"choose": "middle"})
    assert reasons(answer) == ["toy-table-taken"]
    assert answer.verdict.reasons[0].rules == ("toy:table",)


def test_more_answers_than_questions_name_the_first_too_many() -> None:
    answer = asked(OPEN, "enter", {"die": 6}, {"die": 1}, {"die": 2})
    assert answer.verdict.reasons[0].params == {"number": 2}


def test_several_dice_and_several_choices() -> None:
    throw = {"dice": [3, 4]}
    answer = asked({}, "play", throw, {"choose": ["ace", "jack"]})
    assert [event.params for event in answer.events] == [{"faces": (3, 4)}, {"cards": ["ace", "jack"]}]
    assert asked({}, "play", throw, {"choose": "king"}).events[1].params == {"cards": ["king"]}
    refused = {
        "wrong-number-of-dice": ({"dice": [3]},),
        "die-out-of-range": ({"dice": [3, 7]},),
        "choice-not-offered": (throw, {"choose": ["queen"]}),
        "wrong-number-chosen": (throw, {"choose": []}),
    }
    for reason, inputs in refused.items():
        assert reasons(asked({}, "play", *inputs)) == [reason]
    assert reasons(asked({}, "play", throw, {"choose": ["ace", "ace"]})) == ["chosen-twice"]
    for too_many in (["ace", "king", "jack"], "none"):
        assert reasons(asked({}, "play", throw, {"choose": too_many})) == ["wrong-number-chosen"]


def test_where_nothing_can_be_chosen_nothing_is_asked() -> None:
    answer = asked({}, {"kind": "play", "most": 0}, {"dice": [1, 1]})
    assert waits(answer) is None
    assert answer.events[1].params == {"cards": []}


def test_weights() -> None:
    assert Die().outcomes() == [(face, 1) for face in range(1, 7)]
    assert len(Dice(2).outcomes()) == 36
    assert Draw({"gold": 2, "silver": 0}, "cube").outcomes() == [("gold", 2)]


def test_a_fact_that_is_missing_on_the_way_stops_there_and_keeps_what_was_answered() -> None:
    answer = asked({"coins": 2, "door": "open"}, "enter", *ROUND[:3])
    assert (answer.verdict.ruling, unknowns(answer)) == ("legal", ["/cup"])
    assert answer.pending is not None
    assert (answer.pending.kind, answer.pending.fact.pointer) == ("fact", "/cup")
    assert answer.position.agenda
    assert answer.events
    assert asked(answer.position, "continue").pending == answer.pending


def test_an_answer_whose_outcome_needs_a_fact_is_kept_until_it_is_told() -> None:
    started = asked({}, "count", {"die": 4})
    assert (started.verdict.ruling, unknowns(started), started.events) == ("legal", ["/coins"], ())
    assert started.position.agenda[-1].answered == {"die": 4}
    saved = through_json(started.position)
    went_on = asked({**saved, "coins": 3}, "continue")
    whole = asked({"coins": 3}, "count", {"die": 4})
    assert (went_on.events, went_on.pending) == (whole.events, whole.pending)
    assert went_on.position == whole.position
    assert events(whole) == ["toy-counted"]
    again = asked({**saved, "coins": 3}, "continue", {"die": 2})
    assert events(again) == ["toy-counted", "toy-counted"]


def test_a_kept_answer_that_does_not_fit_after_all_can_be_given_anew() -> None:
    saved = through_json(asked({}, "count", {"die": 4}).position)
    refused = asked({**saved, "coins": 9}, "continue")
    assert (reasons(refused), refused.refused, refused.accepted) == (["toy-bet-too-high"], "answer", 0)
    assert waits(refused) == "count-roll"
    assert events(asked({**saved, "coins": 9}, "continue", {"die": 6})) == ["toy-counted"]


# -- facts that are told -----------------------------------------------------------------------------


def test_facts_may_be_told_by_inputs_before_the_first_step() -> None:
    told = asked({"coins": 2}, "enter", {"tell": {"/door": "open"}}, *ROUND[:1])
    assert (told.events, told.pending) == (
        asked({"coins": 2, "door": "open"}, "enter", *ROUND[:1]).events,
        asked({"coins": 2, "door": "open"}, "enter", *ROUND[:1]).pending,
    )
    assert (told.table.door, told.accepted) == ("open", 2)


@pytest.mark.parametrize("place", range(4))
def test_a_fact_is_told_where_it_is_asked_for_or_wherever_else(place: int) -> None:
    inputs: list[Any] = [*ROUND[:3], {"cube": "gold"}]
    inputs.insert(place, {"tell": {"/cup": {"gold": 1, "silver": 2}}})
    whole = asked(OPEN, "enter", *ROUND[:3], {"cube": "gold"})
    told = asked({"coins": 2, "door": "open"}, "enter", *inputs)
    assert (told.events, told.pending, told.position) == (whole.events, whole.pending, whole.position)


def test_a_fact_told_after_the_answers_still_decides_whether_the_action_may_be_done() -> None:
    told = asked({"coins": 2}, "enter", {"die": 1}, {"tell": {"/door": "open"}})
    assert (told.verdict.ruling, waits(told)) == ("legal", "visit-pick")


def test_what_was_told_stays_whatever_the_ruling() -> None:
    shut = asked({"coins": 2}, "enter", {"tell": {"/door": "shut"}})
    assert (shut.verdict.ruling, shut.position.door, shut.refused) == ("illegal", "shut", "action")
    wrong = asked({"coins": 2}, "enter", {"tell": {"/door": "open"}}, {"die": 7})
    assert (wrong.refused, wrong.accepted, wrong.position.door) == ("answer", 1, "open")
    assert wrong.position.coins == 2
    still_open = asked({"coins": 2}, "enter", {"tell": {"/cup": {}}})
    assert (still_open.verdict.ruling, still_open.position.cup) == ("undetermined", {})


def test_a_kept_answer_goes_on_when_its_fact_is_told() -> None:
    whole = asked({"coins": 3}, "count", {"die": 4})
    at_once = asked({}, "count", {"die": 4}, {"tell": {"/coins": 3}})
    later = asked(asked({}, "count", {"die": 4}).position, "continue", {"tell": {"/coins": 3}})
    for told in (at_once, later):
        assert (told.events, told.pending, told.position) == (whole.events, whole.pending, whole.position)


def test_what_is_told_at_a_pause_is_how_it_is_then() -> None:
    """The table shows what is there now, not what was there when the action began."""
    inputs = [{"die": 6}, {"tell": {"/coins": 5}}]
    assert asked(OPEN, "enter", *inputs).position.coins == 5
    assert asked(OPEN, "enter", *reversed(inputs)).position.coins == 4


def test_facts_are_taken_back_and_none_takes_an_entry_away() -> None:
    assert unknowns(asked(OPEN, "enter", {"untell": "/door"})) == ["/door"]
    fewer = asked(OPEN, "enter", {"tell": {"/cup/gold": None}})
    assert fewer.position.cup == {"silver": 2}


def test_what_is_printed_and_how_rules_are_read_may_be_told() -> None:
    signed = asked(OPEN, "enter", *ROUND[:2], {"tell": {"/components/sign": 7}})
    assert waits(signed) == waits(asked(OPEN, "enter", *ROUND[:3])) == "reach-draw"
    left = asked(OPEN, "enter", {"tell": {"/choices/one-table": "left-only"}}, *ROUND[:1])
    assert waits(left) == "visit-sign"


def test_what_is_told_may_be_about_the_action() -> None:
    answer = asked({}, {"kind": "play", "most": 2}, {"tell": {"/action/most": 0}}, {"dice": [1, 1]})
    assert (waits(answer), answer.accepted) == (None, 2)


@pytest.mark.parametrize(
    ("told", "code", "pointer"),
    [
        ({"tell": {"/door": 4}}, "wrong-type", "/inputs/0/tell/~1door"),
        ({"tell": {"/dor": "open"}}, "unknown-field", "/inputs/0/tell/~1dor"),
        ({"tell": {"door": "open"}}, "not-a-pointer", "/inputs/0/tell/door"),
        ({"tell": {"/choices/one-table": "three"}}, "unknown-choice", "/inputs/0/tell/~1choices~1one-table"),
        ({"tell": {"/components/sign": "x"}}, "wrong-type", "/inputs/0/tell/~1components~1sign"),
        ({"tell": {"/agenda": [{"procedure": "x", "step": "y"}]}}, "unknown-procedure", "/inputs/0/tell/~1agenda/0/procedure"),
        ({"untell": "/cup/gold/x"}, "unknown-name", "/inputs/0/untell/~1cup~1gold~1x"),
    ],
)  # fmt: skip
def test_a_fact_that_cannot_be_is_named_with_its_place(told: Any, code: str, pointer: str) -> None:
    with pytest.raises(Unreadable) as error:
        asked(OPEN, "enter", told)
    assert (error.value.code, error.value.pointer) == (code, pointer)


@pytest.mark.parametrize(
    ("answered", "code", "place"),
    [
        ({}, "not-one-answer", ""),
        ({"die": 1, "cube": "gold"}, "not-one-answer", ""),
        ({"die": "four"}, "wrong-type", "/die"),
    ],
)
def test_a_kept_answer_is_read_like_any_other(answered: Any, code: str, place: str) -> None:
    frame = {"procedure": "count", "step": "roll", "answered": answered}
    with pytest.raises(Unreadable) as error:
        asked({"coins": 3, "agenda": [frame]}, "continue")
    assert (error.value.code, error.value.pointer) == (code, f"/position/agenda/0/answered{place}")


def test_a_fact_that_is_missing_before_any_answer_leaves_the_ruling_open() -> None:
    answer = asked({"coins": 2, "door": "open"}, "enter", *ROUND)
    assert (answer.verdict.ruling, unknowns(answer)) == ("undetermined", ["/cup"])
    assert answer.position == Room(coins=2, door="open", format=1)
    assert answer.events == ()


def test_a_table_that_never_ends_does_not_hold_the_request() -> None:
    with pytest.raises(RuntimeError, match="endless"):
        asked({"agenda": [{"procedure": "endless", "step": "round"}]}, "continue")


# -- an action as an answer --------------------------------------------------------------------------


def test_a_decision_takes_an_action_and_checks_it() -> None:
    answer = asked(OPEN, "enter", {"die": 1}, {"choose": {"kind": "bet", "coins": 1}})
    assert waits(answer) == "visit-sign"
    assert answer.position.coins == 0
    refused = asked(OPEN, "enter", {"die": 1}, {"choose": {"kind": "bet", "coins": 5}})
    assert reasons(refused) == ["toy-bet-too-high"]
    other = asked(OPEN, "enter", {"die": 1}, {"choose": {"kind": "shout"}})
    assert reasons(other) == ["something-under-way"]


def test_the_action_itself_may_be_sent_while_its_question_waits() -> None:
    waiting = codec.write(asked(OPEN, "enter", {"die": 1}).position)
    answer = asked(waiting, {"kind": "bet", "coins": 1})
    assert waits(answer) == "visit-sign"
    assert answer.position.coins == 0


def test_another_action_has_to_wait_but_some_are_possible_at_any_time() -> None:
    waiting = codec.write(asked(OPEN, "enter", {"die": 1}).position)
    assert reasons(asked(waiting, "enter")) == ["something-under-way"]
    shouted = asked(waiting, "shout")
    assert shouted.verdict.ruling == "legal"
    assert waits(shouted) == "visit-pick"


def test_continue_needs_something_under_way() -> None:
    answer = asked(OPEN, "continue")
    assert reasons(answer) == ["nothing-under-way"]
    assert answer.verdict.reasons[0].rules == ("toy:door",)


# -- the agenda --------------------------------------------------------------------------------------


@pytest.mark.parametrize("count", range(6))
def test_continuing_gives_what_sending_everything_again_gives(count: int) -> None:
    inputs = (*ROUND, {"die": 6})
    whole = asked(OPEN, "enter", *inputs)
    first = asked(OPEN, "enter", *inputs[:count])
    paused = msgspec.json.decode(msgspec.json.encode(codec.write(first.position)))
    if count == 5:
        assert paused == codec.write(whole.position)
        return
    rest = asked(paused, "continue", *inputs[count:])
    assert rest.position == whole.position
    assert events(first) + events(rest) == events(whole)


def test_the_agenda_says_where_a_procedure_stands() -> None:
    paused = codec.write(asked(OPEN, "enter", *ROUND[:3]).position)
    assert list(paused["agenda"]) == [
        {"procedure": "visit", "step": "reach", "memory": {"table": "left", "sign": 7}},
        {"procedure": "reach", "step": "draw", "memory": {}},
    ]


def test_a_player_can_walk_in_at_any_step() -> None:
    here = {**OPEN, "agenda": [{"procedure": "visit", "step": "sign"}]}
    assert waits(asked(here, "continue")) == "visit-sign"
    answer = asked(here, "continue", {"read": 3}, {"cube": "gold"})
    assert unknowns(answer) == ["/agenda/0/memory/table"]


@pytest.mark.parametrize(
    ("frame", "code", "pointer"),
    [
        ({"procedure": "visit", "step": "nowhere"}, "unknown-step", "/position/agenda/0/step"),
        ({"procedure": "party", "step": "roll"}, "unknown-procedure", "/position/agenda/0/procedure"),
        (
            {"procedure": "visit", "step": "roll", "memory": {"hat": 1}},
            "unknown-field",
            "/position/agenda/0/memory/hat",
        ),
        (
            {"procedure": "visit", "step": "roll", "memory": None},
            "wrong-type",
            "/position/agenda/0/memory",
        ),
        (
            {"procedure": "visit", "step": "roll", "memory": {"sign": "x"}},
            "wrong-type",
            "/position/agenda/0/memory/sign",
        ),
        ({"procedure": "visit"}, "missing-field", "/position/agenda/0/step"),
        ({"procedure": "visit", "step": "roll", "hat": 1}, "unknown-field", "/position/agenda/0/hat"),
    ],
)
def test_an_agenda_that_cannot_be_is_unreadable(frame: Any, code: str, pointer: str) -> None:
    with pytest.raises(Unreadable) as error:
        asked({**OPEN, "agenda": [frame]}, "continue")
    assert (error.value.code, error.value.pointer) == (code, pointer)


# -- issues ------------------------------------------------------------------------------------------


def test_an_answer_says_which_issues_it_consulted() -> None:
    assert asked(OPEN).issues == {}
    assert asked(OPEN, "enter", {"die": 1}).issues == {"one-table": "both"}
    assert asked(OPEN, "enter", {"die": 1}, choices={"one-table": "left-only"}).issues == {
        "one-table": "left-only"
    }


def test_an_issue_can_be_named_by_its_id() -> None:
    assert read_choices(GAME.catalogue, {"T1": "left-only"}) == {"one-table": "left-only"}
    assert Ruleset(GAME.catalogue, {"one-table": "left-only"}, None).reading("one-table") == "left-only"


@pytest.mark.parametrize(
    ("choices", "code", "pointer"),
    [
        ({"two-doors": "x"}, "unknown-issue", "/choices/two-doors"),
        ({"one-table": "none"}, "unknown-choice", "/choices/one-table"),
    ],
)
def test_choices_that_are_not_there_are_unreadable(choices: Any, code: str, pointer: str) -> None:
    with pytest.raises(Unreadable) as error:
        asked(OPEN, choices=choices)
    assert (error.value.code, error.value.pointer) == (code, pointer)


# -- the codec ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("position", "code", "pointer"),
    [
        ([], "wrong-type", "/position"),
        ("room", "wrong-type", "/position"),
        ({"window": 1}, "unknown-field", "/position/window"),
        ({"a/b~c": 1}, "unknown-field", "/position/a~1b~0c"),
        ({"coins": "2"}, "wrong-type", "/position/coins"),
        ({"coins": True}, "wrong-type", "/position/coins"),
        ({"coins": None}, "wrong-type", "/position/coins"),
        ({"coins": 2.7}, "wrong-type", "/position/coins"),
        ({"coins": 10}, "out-of-range", "/position/coins"),
        ({"coins": -1}, "out-of-range", "/position/coins"),
        ({"door": "ajar"}, "unknown-value", "/position/door"),
        ({"cup": {"copper": 1}}, "unknown-name", "/position/cup/copper"),
        ({"cup": {"gold": 1, "silver": "x"}}, "wrong-type", "/position/cup/silver"),
        ({"cup": {"gold": 99, "silver": 1}}, "out-of-range", "/position/cup/gold"),
        (
            {"tables": {"left": {"gold": 1}, "right": {"gold": 1, "silver": -3}}},
            "out-of-range",
            "/position/tables/right/silver",
        ),
        ({"tables": {"left": {"tin": 1}}}, "unknown-name", "/position/tables/left/tin"),
        ({"row": [1, 2, "x"]}, "wrong-type", "/position/row/2"),
        ({"row": 1}, "wrong-type", "/position/row"),
        ({"cup": {"gold": 2.0, "silver": 2.5}}, "wrong-type", "/position/cup/silver"),
        ({"coins": float("nan")}, "wrong-type", "/position/coins"),
        ({"coins": 10**30}, "out-of-range", "/position/coins"),
    ],
)
def test_what_is_wrong_is_named_with_its_place(position: Any, code: str, pointer: str) -> None:
    with pytest.raises(Unreadable) as error:
        asked(position)
    assert (error.value.code, error.value.pointer) == (code, pointer)
    assert re.fullmatch(r"[a-z-]+ at /.*", str(error.value))


def test_a_whole_number_may_be_written_with_a_point() -> None:
    answer = asked({"coins": 2.0, "door": "open", "cup": {"gold": 1.0, "silver": 2}})
    assert answer.verdict.ruling == "legal"
    assert type(answer.position.coins) is int


@pytest.mark.parametrize(
    ("kind", "code", "pointer"),
    [
        ({"kind": "fly"}, "unknown-value", "/action/kind"),
        ({}, "missing-field", "/action/kind"),
        ({"kind": "bet"}, "missing-field", "/action/coins"),
        ({"kind": "bet", "coins": 1, "hat": 2}, "unknown-field", "/action/hat"),
    ],
)
def test_an_action_that_is_none_is_unreadable(kind: Any, code: str, pointer: str) -> None:
    with pytest.raises(Unreadable) as error:
        asked(OPEN, kind)
    assert (error.value.code, error.value.pointer) == (code, pointer)


@pytest.mark.parametrize(
    ("given", "code", "pointer"),
    [
        ([{}], "not-one-answer", "/inputs/0"),
        ([{"die": 1}, {"die": 1, "choose": "x"}], "not-one-answer", "/inputs/1"),
        ([{"die": "one"}], "wrong-type", "/inputs/0/die"),
        ([{"die": 2.7}], "wrong-type", "/inputs/0/die"),
        ([{"dice": [1, "x"]}], "wrong-type", "/inputs/0/dice/1"),
        ([{"coin": 1}], "unknown-field", "/inputs/0/coin"),
        ([4], "wrong-type", "/inputs/0"),
    ],
)
def test_inputs_that_are_none_are_unreadable(given: list[Any], code: str, pointer: str) -> None:
    with pytest.raises(Unreadable) as error:
        codec.read_inputs(given)
    assert (error.value.code, error.value.pointer) == (code, pointer)


def test_inputs_are_read_in_order() -> None:
    given = [{"die": 2.0}, {"choose": None}, {"read": {"x": [1]}}, {"dice": [1, 2]}, {"marker": "m"}]
    assert codec.read_inputs(given) == [
        ("die", 2),
        ("choose", None),
        ("read", {"x": [1]}),
        ("dice", [1, 2]),
        ("marker", "m"),
    ]


def test_changes_name_every_place_that_differs_and_no_other() -> None:
    before = Room(coins=1, door="open", cup={"gold": 1, "silver": 2}, row=(1, 2))
    after = Room(coins=2, cup={"gold": 1, "silver": 0}, tables={"left": {}}, row=(1, 2))
    assert sorted(codec.changes(before, after), key=lambda change: change[0]) == [
        ("/coins", 1, 2),
        ("/cup/silver", 2, 0),
        ("/door", "open", UNSET),
        ("/tables", UNSET, {"left": {}}),
    ]
    assert list(codec.changes(before, before)) == []
    assert (
        list(codec.changes(before, Room(coins=1, door="open", cup={"silver": 2, "gold": 1}, row=(1, 2))))
        == []
    )


def test_changes_tell_true_from_1_and_see_keys_come_and_go() -> None:
    assert list(codec.changes({"a": 1}, {"a": True})) == [("/a", 1, True)]
    assert sorted(codec.changes({"a": 1, "b/c": 2}, {"d": 3}), key=lambda change: change[0]) == [
        ("/a", 1, UNSET),
        ("/b~1c", 2, UNSET),
        ("/d", UNSET, 3),
    ]


def test_what_is_not_told_is_not_written() -> None:
    assert codec.write(Room(coins=0)) == {"coins": 0}
