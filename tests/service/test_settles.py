"""A single fact that decides: what each answer would lead to; and facts that will be told later are asked for last."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

import pytest
from msgspec import Raw

from engine import codec
from engine.game import Game, check, prepare
from engine.settling import MOST_VALUES
from service import checks, settling
from service.games import GAMES
from service.languages import voice
from service.worked_examples import as_request, by_kind
from tests.service.sent import AMBUSH, CHECK, EVADE, LANGUAGES

Ask = Callable[..., dict[str, Any]]
JULIAN = "/v1/games/julian/check"


def without(request: dict[str, Any], *path: str) -> dict[str, Any]:
    """The same request with a fact not told."""
    less = copy.deepcopy(request)
    inner = less["position"]
    for step in path[:-1]:
        inner = inner[step]
    del inner[path[-1]]
    return less


def test_a_number_is_settled_by_ranges(ask: Ask) -> None:
    answer = ask(without(AMBUSH, "tracks", "military"))
    (question,) = answer["unknowns"]
    assert answer["ruling"] == "undetermined"
    assert [(one["when"], one["when_text"], one["ruling"]) for one in question["settles"]] == [
        ({"from": 0, "to": 0}, "0", "illegal"),
        ({"from": 1, "to": 19}, "at least 1", "legal"),
    ]
    assert question["settles"][0]["text"] == (
        "An Ambush needs at least 1 Military Point; your Military Points are at 0."
    )
    assert question["settles"][1]["text"] == "Ambush (5.2.1) is allowed."


def test_numbers_of_which_the_same_is_said_are_one(ask: Ask) -> None:
    """A price of 2 AP: 0 and 1 are refused in one sentence, which names both."""
    for example in by_kind("navajo-wars")["preempt"]:
        request = as_request(example)
        if example.ruling == "legal" and "ap" in request["position"].get("tracks", {}):
            break
    (question,) = ask(without(request, "tracks", "ap"))["unknowns"]
    refused, *_ = question["settles"]
    assert refused["when"] == {"from": 0, "to": 1}
    assert refused["when_text"] == "at most 1"
    assert refused["text"] == "Preempting costs 2 AP, all at once; you have 0–1."


@pytest.mark.parametrize(
    ("one", "other", "both"), [(0, 0, 0), (0, 1, "0:1"), (2, 0, "0:2"), ("a", "b", None), (1, "1", None)]
)
def test_what_two_sentences_say(one: Any, other: Any, both: Any) -> None:
    """Numbers become a span; what else differs keeps two sentences apart."""
    found = settling._spanned(one, other)
    assert (None if found is settling.UNSET else found) == both
    if isinstance(found, settling.Span):
        assert settling._spanned(found, 5) == "0:5"


def test_yes_or_no_and_one_of_few(ask: Ask) -> None:
    dux = {"kind": "play-stratagem", "by": "roman", "marker": "dux", "use": "activate", "command": "Severus"}
    chit = ask({"position": {"commands": [{"name": "Severus", "side": "roman"}]}, "action": dux}, JULIAN)
    (question,) = chit["unknowns"]
    assert [(one["when"], one["ruling"]) for one in question["settles"]] == [
        (True, "legal"),
        (False, "illegal"),
    ]
    assert (
        question["settles"][0]["text"]
        == "The command Severus is activated as well: at once, and together with the active command."
    )
    side = ask({"position": {"commands": [{"name": "Severus", "drawn": True}]}, "action": dux}, JULIAN)
    (question,) = side["unknowns"]
    assert [(one["when"], one["ruling"]) for one in question["settles"]] == [
        ("roman", "legal"),
        ("barbarian", "illegal"),
    ]


@pytest.mark.parametrize("lang", LANGUAGES)
def test_in_each_language_and_in_all(ask: Ask, lang: str) -> None:
    request = without(AMBUSH, "tracks", "military")
    (one,) = ask({**request, "lang": lang})["unknowns"]
    (every,) = ask({**request, "lang": "all"})["unknowns"]
    assert [way["text"] for way in one["settles"]] == [way["text"][lang] for way in every["settles"]]
    assert [way["when_text"] for way in one["settles"]] == [
        way["when_text"][lang] for way in every["settles"]
    ]


def test_not_where_several_facts_are_missing_or_there_are_many_answers(ask: Ask) -> None:
    two = ask(without(without(AMBUSH, "tracks", "military"), "tracks", "ap"))
    assert len(two["unknowns"]) == 2
    assert not any("settles" in one for one in two["unknowns"])
    place = ask(without(EVADE, "families", "A", "at"))
    assert all("settles" not in one for one in place["unknowns"] if one["pointer"] == "/families/A/at")


def test_who_tells_enough_pays_nothing(ask: Ask, monkeypatch: pytest.MonkeyPatch) -> None:
    looked: list[str] = []
    monkeypatch.setattr(settling, "settled", lambda *asked: looked.append(asked[4]) or iter(()))
    assert ask(AMBUSH)["ruling"] == "illegal"
    assert ask(EVADE)["ruling"] == "legal"
    assert not looked
    ask(without(AMBUSH, "tracks", "military"))
    assert looked == ["/tracks/military"]


@pytest.mark.parametrize("game", GAMES.values(), ids=lambda game: game.name)
def test_each_answer_leads_to_what_was_said(game: Game) -> None:
    """Of every example that a single fact leaves open: tell each answer, and look."""
    counted = 0
    for examples in by_kind(game.name).values():
        for example in examples:
            request = as_request(example)
            at = prepare(game, request["position"], request.get("choices", {}), request.get("components", {}))
            do = codec.read(request["action"], game.action_types, "/action")
            inputs = codec.read_inputs(request.get("inputs", []))
            found = check(game, at, do, inputs)
            if found.verdict.ruling != "undetermined" or len(found.verdict.unknowns) != 1:
                continue
            answer = checks.ruling_on(game, at, lambda: Raw(b"{}"), do, inputs, voice("en"))
            (question,) = answer.unknowns
            if not isinstance(question.settles, list):
                continue
            for way in question.settles:
                counted += 1
                for value in values_of(way.when):
                    told = check(game, at, do, (*inputs, ("tell", {question.pointer: value})))
                    assert told.verdict.ruling == way.ruling, (request, value)
    assert counted > 20


def values_of(when: Any) -> list[Any]:
    if isinstance(when, settling.Range):
        assert when.to - when.first < MOST_VALUES
        return list(range(when.first, when.to + 1))
    return [when]


# -- told later --------------------------------------------------------------------------------------


def test_what_will_be_told_later_is_asked_for_last(ask: Ask) -> None:
    request = without(without(AMBUSH, "tracks", "military"), "tracks", "ap")
    asked = [one["pointer"] for one in ask(request)["unknowns"]]
    assert asked == ["/tracks/military", "/tracks/ap"]
    for one in ask(request)["unknowns"]:
        assert one["later"]["value"] == "unknown"
        assert one["later"]["text"]
    later = ask({**request, "inputs": [{"tell": {"/tracks/military": "unknown"}}]})
    assert later["ruling"] == "undetermined"
    assert [one["pointer"] for one in later["unknowns"]] == ["/tracks/ap", "/tracks/military"]
    assert later["changes"] == []
    assert "How many AP" in later["headline"]
    both = [{"tell": {"/tracks/military": "unknown"}}, {"tell": {"/tracks/ap": "unknown"}}]
    last = ask({**request, "inputs": both})
    assert [one["pointer"] for one in last["unknowns"]] == ["/tracks/military", "/tracks/ap"]
    told = ask({**request, "inputs": [*both, {"tell": {"/tracks/military": 0}}]})
    assert told["ruling"] == "illegal"


def test_a_fact_on_the_way_may_be_told_later(ask: Ask) -> None:
    """The die is kept, and the other fact becomes the question that waits."""
    request = {
        "position": {"families": {"A": {"at": "shiprock-3"}}, "areas": {"shiprock-3": {"raid": 1}}},
        "action": {"kind": "evade", "family": "A"},
        "inputs": [{"die": 4}],
    }
    first = ask(request)
    facts = [one["pointer"] for one in first["unknowns"]]
    assert first["pending"]["kind"] == "fact"
    assert first["pending"]["pointer"] == facts[0]
    later = ask({**request, "inputs": [{"die": 4}, {"tell": {facts[0]: "unknown"}}]})
    assert later["pending"]["kind"] == "fact"
    assert [one["pointer"] for one in later["unknowns"]] == [*facts[1:], facts[0]]
    assert later["pending"]["pointer"] == [*facts[1:], facts[0]][0]


@pytest.mark.parametrize("path", [CHECK, JULIAN])
def test_nothing_is_told_by_it(ask: Ask, path: str) -> None:
    action = {"kind": "passage-of-time"} if path == CHECK else {"kind": "next-phase"}
    plain = ask({"position": {}, "action": action, "assume": False}, path)
    assert plain["unknowns"]
    for one in plain["unknowns"]:
        said = {"position": {}, "action": action, "assume": False}
        later = ask({**said, "inputs": [{"tell": {one["pointer"]: one["later"]["value"]}}]}, path)
        assert later["ruling"] == plain["ruling"]
        assert later["position"] == {"format": 1} or later["position"] == {}
        assert sorted(each["pointer"] for each in later["unknowns"]) == sorted(
            each["pointer"] for each in plain["unknowns"]
        )
