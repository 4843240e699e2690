"""What is kept can be missed: a case that was kept otherwise is reported, and only what may differ is let through."""

from __future__ import annotations

from copy import deepcopy
from types import SimpleNamespace
from typing import Any

import pytest
from msgspec import structs

from tests.kept import files
from tests.kept.compare import Difference, differences
from tests.kept.exceptions import Named, Report
from tests.kept.files import Given, Pause
from tests.kept.test_kept import otherwise, replayed_otherwise
from tests.shown import game

GAME = game("navajo-wars")


def kept(file: str, label: str, event: str) -> tuple[Pause, Given]:
    """The first case of a file that was answered so and in which this happened."""
    return next(
        (pause, given)
        for pause in files.pauses(file)
        for given in pause.given
        if given.label == label and event in {one["name"] for one in given.came["events"]}
    )


@pytest.fixture
def flight() -> tuple[Pause, Given]:
    """A die of 3 with which a Family flees."""
    return kept("navajo-wars.evade", "die-3", "evade-succeeded")


def places(found: list[Difference]) -> set[str]:
    """Where something differs."""
    return {one.place for one in found}


# -- what is seen ------------------------------------------------------------------------------------


def test_the_case_itself_comes_out_as_it_was_kept(flight: tuple[Pause, Given]) -> None:
    assert otherwise(*flight) == []


def test_another_die_is_seen(flight: tuple[Pause, Given]) -> None:
    pause, given = flight
    found = otherwise(pause, structs.replace(given, inputs=[{"die": 1}]))
    assert {"events", "issues/evade-natural-1", "position/families/A/at"} <= places(found)


def test_an_answer_that_is_no_longer_read_is_seen(flight: tuple[Pause, Given]) -> None:
    pause, given = flight
    found = otherwise(pause, structs.replace(given, action={"kind": "gone"}))
    assert places(found) == {"unreadable"}


def test_a_row_that_is_no_longer_known_is_seen(flight: tuple[Pause, Given]) -> None:
    pause, given = flight
    agenda = [{**pause.position["agenda"][0], "step": "gone"}]
    moved = structs.replace(pause, position={**pause.position, "agenda": agenda})
    assert [one.now for one in otherwise(moved, given)] == ["unknown-step at /position/agenda/0/step"]


ALTERED: list[tuple[str, Any, str]] = [
    ("ruling", "illegal", "ruling"),
    ("reasons", [{"name": "no-ap", "pointer": "", "params": {}}], "reasons"),
    ("unknowns", ["/tracks/ap"], "unknowns"),
    ("cautions", [{"name": "risky", "pointer": "", "params": {}}], "cautions"),
    ("events", [], "events"),
    ("issues", {"evade-natural-1": "by-total"}, "issues/evade-natural-1"),
    ("pending", {"procedure": "evade", "step": "roll", "name": "evade-roll", "options": []}, "pending"),
]


@pytest.mark.parametrize(("field", "value", "place"), ALTERED, ids=[field for field, _, _ in ALTERED])
def test_every_field_is_compared(field: str, value: Any, place: str, flight: tuple[Pause, Given]) -> None:
    pause, given = flight
    found = otherwise(pause, structs.replace(given, came={**given.came, field: value}))
    assert place in places(found)


def test_a_parameter_is_compared_and_the_difference_can_be_read(flight: tuple[Pause, Given]) -> None:
    pause, given = flight
    came = deepcopy(given.came)
    came["events"][0]["params"]["die"] = 4
    (found,) = otherwise(pause, structs.replace(given, came=came))
    assert str(found) == "  events/0/params/die\n    was 4\n    now 3"


def test_one_and_true_are_not_the_same() -> None:
    assert differences(GAME, answer(position={"horse": True}), answer(position={"horse": 1}), [])


def test_a_move_of_a_transcript_that_came_out_otherwise_is_seen() -> None:
    (session,) = files.sessions("golden.the-rope-thrower")
    whole = deepcopy(session.transcript)
    number, move = next((number, one) for number, one in enumerate(whole["moves"]) if one.get("inputs"))
    move["expected"]["events"] = ["nothing-like-it"]
    (found,) = replayed_otherwise(structs.replace(session, transcript=whole))
    assert (found.place, found.now) == (f"moves/{number}/diverged", ("events",))


def test_what_a_replay_said_of_a_move_is_compared() -> None:
    (session,) = files.sessions("golden.the-rope-thrower")
    moved = deepcopy(session.moved)
    number = next(number for number, one in enumerate(moved) if one["asked"])
    moved[number]["asked"][0]["pending"]["name"] = "another-question"
    moved[number]["asked"][0]["pending"]["step"] = "another-row"
    found = list(replayed_otherwise(structs.replace(session, moved=moved, position={})))
    assert f"moves/{number}/asked/0/pending/step" in places(found)
    assert any(one.place.startswith("position/") for one in found)


# -- what may differ ---------------------------------------------------------------------------------


def answer(**came: Any) -> dict[str, Any]:
    """An answer in which nothing happened, but for what is said."""
    empty = {"ruling": "legal", "reasons": [], "unknowns": [], "cautions": [], "events": [], "issues": {}}
    return {**empty, "pending": None, "position": {}, **came}


def question(*options: Any, **more: Any) -> dict[str, Any]:
    """An answer that ends with a question."""
    where = {"procedure": "take-actions", "step": "action", "name": "take-actions-action"}
    return answer(pending={**where, "input": "choose", "options": list(options), **more})


def test_the_mark_of_the_format_may_be_there_and_no_other() -> None:
    assert not differences(GAME, answer(), answer(position={"format": 1}), [])
    assert differences(GAME, answer(), answer(position={"format": 2}), [])


def under_way(row: str, memory: dict[str, Any]) -> list[dict[str, Any]]:
    """An agenda of one procedure."""
    return [{"procedure": "enemy-raid", "step": row, "memory": memory}]


def paused(row: str, field: str) -> dict[str, Any]:
    """An answer that stops at a row because a noted fact is missing."""
    pending = {"procedure": "enemy-raid", "step": row, "name": f"enemy-raid-{row}", "options": []}
    agenda = under_way(row, {"at": "shiprock-2", field: "C"})
    return answer(pending=pending, position={"agenda": agenda}, unknowns=[f"/agenda/0/memory/{field}"])


def test_rows_and_fields_may_be_renamed() -> None:
    names = {"after-reaction": "resolution", "family": "who"}
    renaming: Any = SimpleNamespace(
        procedures={"enemy-raid": SimpleNamespace(renamed=names, renamed_fields={})}
    )
    was, now = paused("after-reaction", "family"), paused("resolution", "who")
    assert not differences(renaming, was, now, [])
    assert differences(GAME, was, now, [])
    assert differences(renaming, was, paused("direction", "who"), [])


def test_the_order_of_memory_fields_and_of_options_does_not_count() -> None:
    one, other = under_way("resolution", {"a": 1, "b": 2}), under_way("resolution", {"b": 2, "a": 1})
    assert not differences(GAME, answer(position={"agenda": one}), answer(position={"agenda": other}), [])
    assert not differences(GAME, question("a", "b"), question("b", "a"), [])


def test_an_option_that_is_gone_or_new_is_seen() -> None:
    assert [one.was for one in differences(GAME, question("a", "b"), question("a"), [])] == ["b"]
    assert [one.now for one in differences(GAME, question("a"), question("a", "b"), [])] == ["b"]


RAIDS = [{"kind": "raid", "family": "A", "long": long} for long in (False, True)]


def test_undetermined_options_of_a_kind_may_become_one_offer() -> None:
    was = question("none", *RAIDS, undetermined=[1, 2])
    offer = {"kind": "raid", "family": "A"}
    assert not differences(GAME, was, question("none", offer), [])
    assert differences(GAME, question("none", *RAIDS), question("none", offer), []), "these were legal"
    assert differences(GAME, was, question("none"), []), "nothing stands for them"
    assert differences(GAME, was, question("none", {"kind": "move"}), []), "this is of another kind"


# -- exceptions --------------------------------------------------------------------------------------

LESS = Named(files=("pauses/a",), cases="*:die-1", differs="issues/*", now="(nothing)", reason="a test")
FOUND = Difference("issues/evade-natural-1", "always-fails", "(nothing)")


def lines(case: str, found: Difference, file: str = "pauses/a") -> list[str]:
    """What is reported with one exception."""
    report = Report(file, (LESS,))
    report.add(case, [found])
    return report.lines()


def test_a_named_difference_is_let_through() -> None:
    assert lines("flight/1.0:die-1", FOUND) == []


@pytest.mark.parametrize(
    ("case", "found"),
    [
        ("flight/1.0:die-2", FOUND),
        ("flight/1.0:die-1", structs.replace(FOUND, place="ruling")),
        ("flight/1.0:die-1", structs.replace(FOUND, now="by-total")),
    ],
    ids=["case", "place", "value"],
)
def test_another_one_is_not_and_the_exception_is_called_idle(case: str, found: Difference) -> None:
    wrong, idle = lines(case, found)
    assert wrong.startswith(f"{case}:\n  {found.place}")
    assert idle == "changed.toml: nothing needs *:die-1 issues/*"


def test_an_exception_belongs_to_its_files() -> None:
    assert len(lines("flight/1.0:die-1", FOUND, "pauses/b")) == 1


@pytest.mark.parametrize("broad", [{"differs": "*"}, {"cases": "flight/*"}, {"differs": "moves/*/diverged"}])
def test_an_exception_names_what_it_lets_through(broad: dict[str, str]) -> None:
    narrow = {
        "files": ("pauses/a",),
        "cases": "flight/1.0:die-1",
        "differs": "moves/0/diverged",
        "reason": "a test",
    }
    assert Named(**narrow)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="name"):
        Named(**{**narrow, **broad})  # type: ignore[arg-type]
