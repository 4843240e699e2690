"""What may be done here: offers are weighed as far as somebody looks, and looking leaves no trace.

A toy: at a table for three one may take a hat by its colour, or sit down. Invented for these tests.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from msgspec import UNSET, Struct, UnsetType

from engine.actions import Action, Said, say, written
from engine.at import At
from engine.catalogue import Catalogue, Issue, Ruleset
from engine.memory import NOT_NOTED, Frame, Memory, Noted
from engine.messages import Message, Requirement, Term
from engine.offers import Offered, closed, offers
from engine.questions import Choose, Option
from engine.tables import END, automatic, decision, instead, procedure
from engine.verdict import Check, Unknown, certain, every, needs, refuted, unknown

ASK = Message("ask", "?")
NO_SEAT, NO_HAT, TOO_YOUNG = (Requirement(name, ASK, ASK) for name in ("no-seat", "no-hat", "too-young"))
COLOURS = ("black", "red", "white")


class Room(Struct, frozen=True):
    hats: dict[str, int] | UnsetType = UNSET
    ages: dict[str, int] = {}
    agenda: tuple[Frame, ...] = ()


class Hat(Struct, frozen=True, tag_field="kind", tag="hat"):
    who: str
    colour: str
    brim: bool = False


class Sit(Struct, frozen=True, tag_field="kind", tag="sit"):
    pass


looked: list[Any] = []


@pytest.fixture(autouse=True)
def forget() -> None:
    looked.clear()


def old_enough(at: At[Room], who: str) -> Iterator[Check]:
    yield needs(at.position.ages[who] >= 18, TOO_YOUNG, "toy:age", who=who)


def is_there(at: At[Room], do: Hat) -> Iterator[Check]:
    looked.append((do.who, do.colour))
    at.choice("hats")
    hats = at.told("hats", ask=ASK)
    left = hats if isinstance(hats, Unknown) else hats.get(do.colour, 0)
    yield needs(left > 0, NO_HAT, "toy:hat")


def may_take(at: At[Room], do: Hat) -> Iterator[Check]:
    yield from old_enough(at, do.who)
    yield from is_there(at, do)


def offer(_: At[Room], do: Hat) -> Said:
    return say(ASK, who=do.who)


HAT = Action(
    Hat,
    "toy:hat",
    Term("toy"),
    ASK,
    may_take,
    lambda at, do: (at, None),
    offer=offer,
    ways=lambda _, who: (Hat(who, colour) for colour in COLOURS),
    subjects=lambda at: at.position.ages,
    may_at_all=old_enough,
    may_so=is_there,
    subject="who",
)
SIT = Action(
    Sit, "toy:sit", Term("toy"), ASK, lambda at, do: (), lambda at, do: (at, None), ways=lambda _, __: [Sit()]
)
HATS = Issue("T1", "hats", ("toy:hat",), "any", {"any": ASK}, ASK, ASK, "high")


def at(**told: Any) -> At[Room]:
    return At(Room(**told), Ruleset(Catalogue({}, {"hats": HATS}), {}, None))


def test_legal_ways_are_offered_one_by_one_and_illegal_ones_are_not() -> None:
    found = list(offers(at(hats={"red": 1, "white": 2}, ages={"ann": 30, "bob": 7}), (HAT, SIT)))
    assert [one.value for one in found] == [
        {"kind": "hat", "who": "ann", "colour": "red"},
        {"kind": "hat", "who": "ann", "colour": "white"},
        {"kind": "sit"},
    ]
    assert not any(one.missing for one in found)


def test_undetermined_ways_of_a_kind_are_one_offer_with_the_facts_that_are_missing() -> None:
    (hat, sit) = offers(at(ages={"ann": 30, "cid": 40}), (HAT, SIT))
    assert (hat.value, hat.do, [fact.pointer for fact in hat.missing]) == ({"kind": "hat"}, None, ["/hats"])
    assert sit.do == Sit()


def test_a_subject_that_may_not_at_all_is_not_asked_for_its_ways() -> None:
    list(offers(at(hats={"red": 1}, ages={"ann": 30, "bob": 7}), (HAT,)))
    assert {who for who, _ in looked} == {"ann"}


def test_nothing_is_weighed_before_somebody_looks() -> None:
    ages = dict.fromkeys(("ann", "bob", "cid"), 20)
    choose = Choose(offers(at(hats={"black": 1, "red": 1, "white": 1}, ages=ages), (HAT,)))
    assert looked == []
    assert choose.settled() is None
    assert len(looked) == 2
    assert len(choose.options) == 9
    assert len(looked) == 9
    assert len(choose.options) == 9
    assert len(looked) == 9, "what was seen is not worked out again"


def test_an_answer_is_worded_without_weighing_what_else_may_be_done() -> None:
    here = at(hats={"black": 1, "red": 1, "white": 1}, ages=dict.fromkeys(("ann", "bob", "cid"), 20))
    other = Option("none", ASK)
    offered = Offered(here, (HAT, SIT), other=other, other_first=True)
    last = {"kind": "hat", "who": "cid", "colour": "white"}
    found = offered.listed(last)
    assert found is not None
    assert (found.value, found.params, looked) == (last, {"who": "cid"}, [])
    assert [offered.listed(one.value) for one in offered] == [other, *offers(here, (HAT, SIT))]
    for never_offered in ("some", {"kind": "hat"}, {"kind": "coat"}, {**last, "brim": True}):
        assert offered.listed(never_offered) is None


def test_looking_leaves_no_trace() -> None:
    here = at(hats={"red": 1}, ages={"ann": 30})
    assert list(offers(here, (HAT,)))
    assert here.issues == ()
    list(HAT.may(here, Hat("ann", "red")))
    assert here.issues == ("hats",), "what is done is noted"


def test_what_derives_from_a_position_carries_its_issues_on() -> None:
    here = at()
    before = here.change(ages={"ann": 3})
    here.choice("hats")
    assert here.change(ages={}).issues == here.tell(ASK).issues == here.warn(ASK).issues == ("hats",)
    assert before.issues == here.apart().issues == ()


def test_closed_names_who_may_not_at_all_and_counts_the_ways_that_are_refused() -> None:
    shut = closed(at(hats={"red": 1}, ages={"ann": 30, "bob": 7}), (HAT,))
    assert [(one.subject, [check.requirement.name for check in one.reasons]) for one in shut.subjects] == [
        ("bob", ["too-young"])
    ]
    assert shut.ways == 2


def test_an_action_is_written_without_what_is_left_out() -> None:
    assert written(Hat("ann", "red")) == {"kind": "hat", "who": "ann", "colour": "red"}
    assert written(Hat("ann", "red", brim=True)) == {
        "kind": "hat",
        "who": "ann",
        "colour": "red",
        "brim": True,
    }


# -- unknown numbers with bounds ---------------------------------------------------------------------


def test_bounds_decide_where_they_can() -> None:
    price = unknown("/price", ASK, at_least=1, at_most=4)
    assert certain(price > 0)
    assert refuted(price > 4)
    assert isinstance(price > 2, Unknown)
    assert certain(price <= 4)
    assert refuted(price < 1)
    assert isinstance(price >= 2, Unknown)
    assert refuted(price == 0)
    assert refuted(price == 5)
    assert isinstance(price == 3, Unknown)
    assert certain(price != 0)
    assert isinstance(price != 3, Unknown)
    assert refuted(price <= 0)
    assert certain(price < 5)
    assert isinstance(price < 2, Unknown)


def test_bounds_go_through_sums() -> None:
    price = unknown("/price", ASK, at_least=1)
    assert certain(price + 2 >= 3)
    assert certain(2 + price > 2)
    assert refuted(0 - price >= 0)
    assert certain(3 - price <= 2)
    assert isinstance(3 - price >= 0, Unknown)
    both = price + unknown("/tax", ASK, at_least=2)
    assert certain(both >= 3)
    assert [fact.pointer for fact in both.facts] == ["/price", "/tax"]
    assert isinstance(price + unknown("/tip", ASK) >= 1, Unknown)
    assert isinstance(every((price > 0, price > 1)), Unknown)


# -- tables are checked when they are made -----------------------------------------------------------


class Mind(Memory, frozen=True):
    who: Noted[str] = NOT_NOTED


class Other(Memory, frozen=True):
    pass


def goes(at: Any, _noted: Mind) -> Any:
    return at


def other(at: Any, _noted: Other) -> Any:
    return at


@pytest.mark.parametrize("where", [{"then": "nowhere"}, {"goes": ("nowhere",)}])
def test_a_row_that_does_not_exist_is_an_error_when_the_table_is_made(where: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="nowhere"):
        procedure("toy", Mind, automatic("one", "toy:one", goes, **where))
    with pytest.raises(ValueError, match="nowhere"):
        procedure("toy", Mind, decision("one", "toy:one", ASK, takes=(SIT,), or_else=instead(ASK, "nowhere")))


def test_a_row_written_for_another_memory_is_an_error_when_the_table_is_made() -> None:
    with pytest.raises(TypeError, match="notes Mind, not Other"):
        procedure("toy", Mind, automatic("one", "toy:one", other))


def test_a_row_leads_to_the_one_below_unless_the_table_says_otherwise() -> None:
    table = procedure(
        "toy",
        Mind,
        automatic("one", "toy:one", goes),
        automatic("two", "toy:two", goes, then="one"),
        decision("three", "toy:three", ASK, takes=(SIT,), or_else=instead(ASK, "one")),
    )
    assert {name: step.goes for name, step in table.steps.items()} == {
        "one": ("two",),
        "two": ("one",),
        "three": (END, "one"),
    }


def test_two_options_are_a_choice_and_one_is_none() -> None:
    one = Option("a", ASK)
    assert Choose([one]).settled() is not None
    assert Choose([one, Option("b", ASK)]).settled() is None
    assert Choose([]).settled() is None
