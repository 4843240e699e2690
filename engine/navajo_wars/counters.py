"""The counter mix (1.6.1): how many counters of a kind there are, how many are in play, whether one is left."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, Literal

from engine.messages import Term, message, question, requirement
from engine.navajo_wars.board import Board, Family
from engine.navajo_wars.components import SHIPPED
from engine.navajo_wars.position import SetAside
from engine.verdict import (
    Caution,
    Check,
    Unknown,
    must_know,
    needs,
    no_less_than,
    refuted,
    total,
    unknowns,
    warns,
)

Member = Literal["man", "woman", "child"]

MEMBERS: tuple[Member, ...] = ("man", "woman", "child")  # of a Family: who has a space in its box
POPULATION = (*MEMBERS, "elder")
ADULTS = ("man", "woman")
ANIMALS = ("horse", "sheep")
COUNTER_TERM = {
    kind: Term(f"nw.{kind}")
    for kind in ("man", "woman", "child", "elder", "horse", "sheep", "trade_goods", "firearms")
}
GOODS = ("trade_goods", "firearms")

ASK_BOX = question(
    "ask-family-box",
    "Who and what is in the Family Box of Family %(family)s?",
    hint="Only this matters here: %(counters)s.",
)
ASK_BOXES = question(
    "ask-family-boxes", "Who and what is in the Family Boxes?", hint="Only this matters here: %(counters)s."
)
ASK_PASSAGE_BOX = question(
    "ask-passage-box",
    "How many counters of each kind are in the Passage of Time Box?",
    hint="Only this matters here: %(counters)s.",
)

NONE_LEFT = requirement(
    "counter-not-available",
    "All %(counter)s counters (%(limit)s) are in play: none can be taken.",
    met="One more %(counter)s counter is available.",
)
NONE_TAKEN = message(
    "counter-none-taken",
    "All %(counter)s counters (%(limit)s) are in play: there is none left to take.",
    tells="detail",
)
PERHAPS_NONE_LEFT = message(
    "counter-perhaps-none-left",
    "According to public sources there are %(limit)s %(counter)s counters in all. After this, more than that would be in play or set aside: make sure that there are enough.",
)


def in_play(at: Board, kind: str) -> int | Unknown:
    """How many counters of a kind are in play, wherever they can be."""
    return total(in_each_place(at, kind))


def in_each_place(at: Board, kind: str) -> list[int | Unknown]:
    """How many are in each of the places where they can be."""
    places: list[int | Unknown] = []
    if kind not in GOODS:
        places.append(at.in_passage(kind))
    if kind in ("man", "woman", "child", "horse"):
        places += in_family_boxes(at, kind)
    if kind in (*ANIMALS, *GOODS):
        places.append(at.resource(kind))
    if kind == "elder":
        elders = at.elders
        places.append(elders if isinstance(elders, Unknown) else sum(elders))
    return places


def in_family_boxes(at: Board, *kinds: str) -> list[int | Unknown]:
    """Who or what is in the Family Boxes of the Families in play; what was not told of them is asked for at once."""
    everybody = at.all_families
    if isinstance(everybody, Unknown):
        return [no_less_than(0, everybody)]
    return in_boxes_of(at.families(), *kinds)


def in_boxes_of(families: Iterable[Family], *kinds: str) -> list[int | Unknown]:
    """Who or what is in the Family Boxes of these Families, with one question for all that was not told."""
    found, missing = [], []
    for family in families:
        for kind in kinds:
            there = getattr(family, kind)
            if isinstance(there, Unknown):
                missing.append((family, kind, there))
            else:
                found.append(int(there))
    if len(missing) < 2:
        return [*found, *(no_less_than(0, there) for _, _, there in missing)]
    asked = {family.letter for family, _, _ in missing}
    shown = {"counters": [COUNTER_TERM[kind] for kind in dict.fromkeys(kind for _, kind, _ in missing)]}
    pointers = [f"{family.pointer}/{kind}" for family, kind, _ in missing]
    if len(asked) == 1:
        return [*found, unknowns(pointers, ASK_BOX, at_least=0, family=asked.pop(), **shown)]
    return [*found, unknowns(pointers, ASK_BOXES, at_least=0, **shown)]


def in_passage_box(at: Board, *kinds: str) -> list[int | Unknown]:
    """How many counters are in the Passage of Time Box, with one question for all kinds that were not told."""
    numbers = {kind: at.in_passage(kind) for kind in kinds}
    missing = [kind for kind, number in numbers.items() if isinstance(number, Unknown)]
    if len(missing) < 2:
        return list(numbers.values())
    counters = [COUNTER_TERM[kind] for kind in missing]
    pointers = [f"/passage_of_time/{kind}" for kind in missing]
    untold = unknowns(pointers, ASK_PASSAGE_BOX, at_least=0, counters=counters)
    return [*(number for kind, number in numbers.items() if kind not in missing), untold]


def stated(at: Board, kind: str) -> int | None:
    """How many the player says there are."""
    limit: int | None = at.components.counter_limits.get(kind)
    return limit


def published(kind: str) -> int | None:
    """How many public sources count."""
    sourced = SHIPPED.counters.get(kind)
    return None if sourced is None else sourced.value


def available(at: Board, kind: str, *rules: str) -> Iterator[Check | Caution]:
    """A counter must be left: refused by the player's own count, only doubted by public sources."""
    params: dict[str, Any] = {"counter": COUNTER_TERM[kind]}
    limit = stated(at, kind)
    if limit is not None:
        rules = ("nw:1.6.1.counter-limit", "nw:13.in-play.other", *rules)
        yield needs(
            in_play(at, kind) < limit, NONE_LEFT, *rules, pointer=f"/resources/{kind}", limit=limit, **params
        )
        return
    yield from perhaps_none_left(at, kind, 1)


def perhaps_none_left(at: Board, kind: str, wanted: int) -> Iterator[Caution]:
    """A caution where public sources count fewer than would be out of their box then."""
    limit, pointer = published(kind), f"/resources/{kind}"
    told = sum(count for count in in_each_place(at, kind) if not isinstance(count, Unknown))
    if limit is not None and told + set_aside(at, kind) + wanted > limit:
        shown = {"limit": limit, "counter": COUNTER_TERM[kind]}
        yield warns(PERHAPS_NONE_LEFT, "nw:1.6.1.counter-limit", pointer=pointer, **shown)


def set_aside(at: Board, kind: str) -> int:
    """Those that wait for a card; a player may leave them out when he counts his own."""
    return int(getattr(at.part("set_aside", SetAside), kind, 0))


def is_left(at: Board, kind: str) -> bool:
    """Where a rule takes a counter by itself: is one left, by the player's count or else by public sources?"""
    limit = stated(at, kind)
    if limit is not None:
        return must_know(in_play(at, kind)) < limit
    limit = published(kind)
    return limit is None or not refuted(in_play(at, kind) < limit)


def left(at: Board, kind: str) -> int | None:
    """How many counters of a kind are not in play; None where that is not known."""
    limit = stated(at, kind)
    limit = published(kind) if limit is None else limit
    found = in_play(at, kind)
    return None if limit is None or isinstance(found, Unknown) else max(0, limit - found)


def tell_none_left(at: Board, kind: str, rule: str) -> Board:
    """Say that the counter mix is exhausted."""
    limit = stated(at, kind)
    limit = published(kind) if limit is None else limit
    return at.tell(NONE_TAKEN, "nw:1.6.1.counter-limit", rule, counter=COUNTER_TERM[kind], limit=limit)
