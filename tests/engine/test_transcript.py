"""A game is replayed from its moves, and the first move that comes out otherwise is found."""

from __future__ import annotations

import json
from typing import Any

import pytest

from engine import codec, navajo_wars
from engine.at import Event
from engine.exceptions import Unreadable
from engine.game import Continue, check, prepare
from engine.navajo_wars.hunger import SPENT_AT_ONCE
from engine.navajo_wars.passage_food import SHEEP_SPENT
from engine.testing import merge, plain
from engine.transcript import (
    MOST,
    Change,
    Expected,
    Move,
    Replay,
    Transcript,
    go_on,
    is_recorded_as,
    play,
    read,
    recorded,
    replay,
    undo,
    write,
)
from tests.service.sessions import RAID, RETURN, readable, session, shown, table, written
from tests.shown import Shown, components, game

GAME = navajo_wars.GAME
GAMES = [one for one in readable() if one.example.steps]
ANSWERED = [one for one in readable() if one.example.inputs]
TOLD = ("tell", "untell")  # a fact told ahead answers no question
# Family A flees from the Raid in its Area.
FLIGHT: dict[str, Any] = {
    "position": {
        "period": "spanish",
        "families": {"A": {"at": "shiprock-3", "ferocity": 1}},
        "areas": {"shiprock-3": {"raid": 1}},
    },
    "moves": [{"action": {"kind": "evade", "family": "A"}}, {"inputs": [{"die": 4}]}],
}


def replayed(given: dict[str, Any]) -> Replay:
    return replay(GAME, read(GAME, given))


def raid() -> dict[str, Any]:
    """The Raid that Family A drives away, each move with what came of it."""
    return write(recorded(replay(GAME, session(RAID, expecting=False))))


# -- playing -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("one", GAMES, ids=str)
def test_every_playthrough_replays_as_its_file_says(one: Shown) -> None:
    went = replay(game(one.game), read(game(one.game), written(one)))
    assert went.diverged is None, (went.diverged.number, went.diverged.differs)
    assert len(went.played) == 1 + len(one.example.steps)


@pytest.mark.parametrize("one", ANSWERED, ids=str)
def test_answer_by_answer_is_the_same_as_all_at_once(one: Shown) -> None:
    example, rules = one.example, game(one.game)
    file = example.components_file
    printed = plain(merge(components(file) if file else {}, example.components))
    do = codec.read(plain(example.action), rules.action_types, "/action")
    inputs = codec.read_inputs(plain(example.inputs))
    whole = check(rules, prepare(rules, plain(example.position), example.choices, printed), do, inputs)
    at = prepare(rules, plain(example.position), example.choices, printed)
    played = play(rules, at, Move(do, tuple(inputs)))
    assert repr(played.answer.verdict) == repr(whole.verdict)  # what is unknown equals nothing
    assert repr(played.answer.pending) == repr(whole.pending)
    assert played.answer.events == whole.events
    assert table(played.answer.position) == table(whole.position)
    assert dict(played.answer.issues) == dict(whole.issues)
    assert (*played.begins, *(event for one in played.asked for event in one.events)) == whole.events
    if whole.verdict.ruling == "legal":
        assert [one.given for one in played.asked if one.given[0] not in TOLD] == [
            given for given in inputs if given[0] not in TOLD
        ]


def test_each_answer_stands_beside_its_question() -> None:
    went = replay(GAME, session(RAID))
    questions = [(one.pending.name, one.given) for played in went.played for one in played.asked]
    ambush = {"kind": "ambush", "family": "A", "horse": True, "firearms": True}
    assert questions == [
        ("enemy-raid-player-reaction", ("choose", "none")),
        ("enemy-raid-player-reaction", ("choose", ambush)),
        ("battle-dine-roll", ("die", 5)),
        ("battle-enemy-roll", ("die", 2)),
    ]


def test_issues_belong_to_the_move_that_rests_on_them() -> None:
    went = replay(GAME, session(RAID))
    assert "ambush-ap-cost" not in went.played[0].answer.issues
    assert "ambush-ap-cost" in went.played[2].answer.issues


# -- recording and taking back -----------------------------------------------------------------------


def test_what_was_recorded_comes_out_again() -> None:
    for name in (RAID, RETURN):
        first = recorded(replay(GAME, session(name, expecting=False)))
        went = replay(GAME, first)
        assert went.diverged is None
        assert recorded(went) == first


def test_a_record_says_what_came_of_each_move() -> None:
    moves = recorded(replayed(FLIGHT)).moves
    assert moves[0].expected == Expected(events=(), pending="evade-roll", changes=())
    assert moves[1].expected == Expected(
        events=("evade-rolled", "evade-succeeded", "raid-goes-on"),
        pending=None,
        changes=(Change("/families/A/at", "shiprock-3", "shiprock-5"),),
    )


def test_a_game_is_recorded_move_by_move() -> None:
    whole = replay(GAME, session(RAID, expecting=False))
    went = replay(GAME, Transcript(whole.start.position, (), {}, whole.start.rules.components))
    for move in session(RAID, expecting=False).moves:
        went = go_on(GAME, went, move)
    assert recorded(went) == recorded(whole)


def test_taking_back_is_the_game_without_its_last_move() -> None:
    whole = session(RAID)
    before = replay(GAME, whole).played[-2].answer.position
    went = replay(GAME, undo(whole))
    assert len(went.played) == len(whole.moves) - 1
    assert table(went.position) == table(before) != table(replay(GAME, whole).position)
    start = Transcript(whole.position, (), whole.choices, whole.components)
    for _ in whole.moves:
        whole = undo(whole)
    assert whole == undo(whole) == start
    assert table(replay(GAME, whole).position) == {**table(whole.position), "format": 1}


# -- divergence --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("ruling", "illegal"),
        ("events", ["ap-changed"]),
        ("events", ["horse-placed", "ap-changed"]),
        ("pending", "battle-enemy-roll"),
        ("pending", None),
        ("changes", []),
        ("changes", [{"pointer": "/tracks/ap", "to": 0}]),
    ],
)
def test_a_move_that_comes_out_otherwise_is_named_and_nothing_behind_it_is_played(
    field: str, value: Any
) -> None:
    given = raid()
    given["moves"][2]["expected"][field] = value
    went = replayed(given)
    assert went.diverged is not None
    assert (went.diverged.number, went.diverged.differs) == (3, (field,))
    assert len(went.played) == 2
    assert table(went.position) == table(replayed(raid()).played[1].answer.position)


def test_an_event_is_known_by_the_name_it_was_recorded_under() -> None:
    now, before = Event(SPENT_AT_ONCE, (), {}), Event(SHEEP_SPENT, (), {"count": 1})
    assert is_recorded_as(now, "passage-sheep-spent-at-once")
    assert is_recorded_as(now, "passage-sheep-spent")
    assert not is_recorded_as(now, "passage-fed")
    assert not is_recorded_as(before, "passage-sheep-spent-at-once")


@pytest.mark.parametrize(
    ("place", "value"),
    [("pointer", "/tracks/culture"), ("to", 2), ("to", None)],
)
def test_where_and_to_what_it_changed_counts(place: str, value: Any) -> None:
    given = raid()
    changes = given["moves"][2]["expected"]["changes"]
    assert changes[2] == {"pointer": "/tracks/ap", "from": 1, "to": 0}
    changes[2][place] = value
    diverged = replayed(given).diverged
    assert diverged is not None
    assert (diverged.number, diverged.differs) == (3, ("changes",))


def test_a_fact_that_was_told_and_is_not_any_more_is_a_change_of_its_own() -> None:
    given = raid()
    del given["moves"][2]["expected"]["changes"][2]["to"]
    diverged = replayed(given).diverged
    assert diverged is not None
    assert diverged.differs == ("changes",)


def test_what_was_there_before_and_the_agenda_are_not_compared() -> None:
    given = raid()
    for move in given["moves"]:
        for change in move["expected"]["changes"]:
            change.pop("from", None)
        move["expected"]["changes"].append({"pointer": "/agenda", "to": []})
    assert replayed(given).diverged is None


def test_what_is_left_out_of_a_record_is_not_looked_at() -> None:
    given = raid()
    for move in given["moves"]:
        move["expected"] = {"events": move["expected"]["events"]}
    assert replayed(given).diverged is None
    given["moves"][3]["expected"]["events"][0] = "evade-rolled"
    assert (diverged := replayed(given).diverged) is not None
    assert (diverged.number, diverged.differs) == (4, ("events",))


def test_another_die_is_found_where_it_fell() -> None:
    given = raid()
    given["moves"][3]["inputs"][0] = {"die": 1}
    diverged = replayed(given).diverged
    assert diverged is not None
    assert (diverged.number, diverged.differs) == (4, ("events", "pending", "changes"))
    assert diverged.played.move.expected.pending is None
    assert diverged.played.found.pending == "enemy-raid-resolution"


def test_another_reading_of_a_rule_is_found_at_the_first_move_it_changes() -> None:
    diverged = replayed({**raid(), "choices": {"ambush-ap-cost": "free"}}).diverged
    assert diverged is not None
    assert (diverged.number, diverged.differs) == (3, ("events", "changes"))
    assert diverged.played.answer.issues["ambush-ap-cost"] == "free"


def test_the_choices_of_a_record_are_kept() -> None:
    free = {**raid(), "choices": {"ambush-ap-cost": "free"}}
    for move in free["moves"]:
        del move["expected"]
    kept = write(recorded(replayed(free)))
    assert kept["choices"] == {"ambush-ap-cost": "free"}
    assert replayed(kept).diverged is None


def test_a_move_that_is_not_allowed_stops_the_game_with_its_verdict() -> None:
    given = raid()
    given["moves"][1:] = [{"action": {"kind": "ambush", "family": "B"}}, *given["moves"][2:]]
    went = replayed(given)
    assert went.diverged is not None
    assert (went.diverged.number, went.diverged.differs) == (2, ("ruling",))
    verdict = went.diverged.played.answer.verdict
    assert verdict.ruling == "illegal"
    assert "family-not-in-play" in {reason.requirement.name for reason in verdict.reasons}
    assert table(went.position) == table(replayed(raid()).played[0].answer.position)


def test_an_answer_that_is_not_possible_takes_back_its_whole_move() -> None:
    given = {**FLIGHT, "moves": [{**FLIGHT["moves"][0], "inputs": [{"die": 6}, {"choose": "hopi-land-1"}]}]}
    went = replayed(given)
    assert went.diverged is not None
    (reason,) = went.diverged.played.answer.verdict.reasons
    assert (reason.requirement.name, reason.pointer) == ("choice-not-offered", "/inputs/1")
    assert table(went.position) == {**table(read(GAME, FLIGHT).position), "format": 1}


def test_one_answer_too_many_stops_the_game() -> None:
    given = {**FLIGHT, "moves": [{**FLIGHT["moves"][0], "inputs": [{"die": 4}, {"die": 4}]}]}
    diverged = replayed(given).diverged
    assert diverged is not None
    (reason,) = diverged.played.answer.verdict.reasons
    assert (reason.requirement.name, reason.params["number"]) == ("input-not-asked-for", 2)


def test_a_fact_that_was_not_told_stops_the_game_until_it_is_told_by_hand() -> None:
    untold = {**FLIGHT, "position": {"period": "spanish", "families": {"A": {"ferocity": 1}}}}
    diverged = replayed(untold).diverged
    assert diverged is not None
    assert (diverged.number, diverged.played.found.ruling) == (1, "undetermined")
    first = {
        **FLIGHT["moves"][0],
        "position": {**FLIGHT["position"], "families": {"A": {"at": "shiprock-3"}}},
    }
    went = replayed({**untold, "moves": [first, FLIGHT["moves"][1]]})
    assert went.diverged is None
    assert table(went.position) == table(replayed(FLIGHT).position)
    assert went.played[0].found.changes == ()


def test_a_recorded_refusal_is_part_of_the_game() -> None:
    refused = {"action": {"kind": "ambush", "family": "B"}, "expected": {"ruling": "illegal"}}
    given = raid()
    given["moves"].insert(1, refused)
    went = replayed(given)
    assert went.diverged is None
    assert table(went.position) == table(replayed(raid()).position)
    given["moves"][1] = {**refused, "expected": {"ruling": "undetermined"}}
    assert (diverged := replayed(given).diverged) is not None
    assert (diverged.number, diverged.differs) == (2, ("ruling",))


def test_after_a_move_that_is_not_allowed_the_game_goes_on_from_the_one_before() -> None:
    went = replayed({**FLIGHT, "moves": FLIGHT["moves"][:1]})
    refused = go_on(GAME, went, Move(Continue(), (("die", 7),)))
    assert refused.diverged is not None
    assert refused.position == went.position
    after = go_on(GAME, refused, Move(Continue(), (("die", 4),)))
    assert after.diverged is None
    assert table(after.position) == table(replayed(FLIGHT).position)


# -- reading and writing -----------------------------------------------------------------------------


@pytest.mark.parametrize("one", GAMES, ids=str)
def test_a_game_that_was_saved_and_read_again_is_the_same_game(one: Shown) -> None:
    rules = game(one.game)
    given = read(rules, written(one))
    saved = json.loads(json.dumps(write(given)))
    again = read(rules, saved)
    assert again.moves == given.moves
    assert table(again.position) == table(given.position)
    assert (again.choices, again.components) == (given.choices, given.components)
    assert json.loads(json.dumps(write(again))) == saved


def test_what_goes_without_saying_is_not_written() -> None:
    assert write(read(GAME, FLIGHT))["moves"] == FLIGHT["moves"]


MOVE = FLIGHT["moves"][0]


@pytest.mark.parametrize(
    ("moves", "code", "pointer"),
    [
        ([3], "wrong-type", "/moves/0"),
        ([MOVE, {"actions": {}}], "unknown-field", "/moves/1/actions"),
        ([MOVE, {"action": None}], "wrong-type", "/moves/1/action"),
        ([MOVE, {"action": {"kind": "fly"}}], "unknown-value", "/moves/1/action/kind"),
        ([{"action": {"kind": "evade", "family": "Z"}}], "unknown-value", "/moves/0/action/family"),
        ([MOVE, {"inputs": {"die": 4}}], "wrong-type", "/moves/1/inputs"),
        ([MOVE, {"inputs": [{"die": 4}, {"die": "4"}]}], "wrong-type", "/moves/1/inputs/1/die"),
        ([MOVE, {"inputs": [{}]}], "not-one-answer", "/moves/1/inputs/0"),
        ([MOVE, {"position": []}], "wrong-type", "/moves/1/position"),
        ([MOVE, {"position": {"tracks": {"ap": -1}}}], "out-of-range", "/moves/1/position/tracks/ap"),
        ([MOVE, {"position": {"spam": 1}}], "unknown-field", "/moves/1/position/spam"),
        ([MOVE, {"position": {"manuelito": {"mp": 3}}}], "wrong-type", "/moves/1/position/manuelito"),
        ([{"action": {"kind": "planning"}}, {"position": {"spam": 1}}], "unknown-field", "/moves/1/position/spam"),
        (
            [MOVE, {"position": {"agenda": [{"procedure": "evade", "step": "spam"}]}}],
            "unknown-step",
            "/moves/1/position/agenda/0/step",
        ),
        ([{**MOVE, "expected": {"ruling": "fine"}}], "unknown-value", "/moves/0/expected/ruling"),
        ([{**MOVE, "expected": {"events": "none"}}], "wrong-type", "/moves/0/expected/events"),
        ([{**MOVE, "expected": {"changes": [{"to": 1}]}}], "missing-field", "/moves/0/expected/changes/0/pointer"),
        ([{**MOVE, "expected": {"position": {}}}], "unknown-field", "/moves/0/expected/position"),
    ],
)  # fmt: skip
def test_what_cannot_be_read_is_named_with_its_place(moves: Any, code: str, pointer: str) -> None:
    with pytest.raises(Unreadable) as found:
        replayed({**FLIGHT, "moves": moves})
    assert (found.value.code, found.value.pointer) == (code, pointer)


@pytest.mark.parametrize(
    ("given", "code", "pointer"),
    [
        ({"moves": []}, "missing-field", "/position"),
        ({"position": {}}, "missing-field", "/moves"),
        ({**FLIGHT, "spam": 1}, "unknown-field", "/spam"),
        ({**FLIGHT, "moves": {}}, "wrong-type", "/moves"),
        ({**FLIGHT, "position": {"period": "roman"}}, "unknown-value", "/position/period"),
        ({**FLIGHT, "components": {"spam": 1}}, "unknown-field", "/components/spam"),
        ({**FLIGHT, "choices": {"spam": "x"}}, "unknown-issue", "/choices/spam"),
        ({**FLIGHT, "choices": {"ambush-ap-cost": "x"}}, "unknown-choice", "/choices/ambush-ap-cost"),
    ],
)
def test_what_is_no_transcript(given: Any, code: str, pointer: str) -> None:
    with pytest.raises(Unreadable) as found:
        replayed(given)
    assert (found.value.code, found.value.pointer) == (code, pointer)


def test_an_action_given_as_an_answer_that_is_none_is_named_with_its_place() -> None:
    given = written(shown(RAID), expecting=False)
    given["moves"][1]["inputs"] = [{"choose": {"kind": "ambush", "family": "Z"}}]
    with pytest.raises(Unreadable) as found:
        replayed(given)
    assert found.value.pointer == "/moves/1/inputs/0/choose/family"


def test_a_game_has_an_end() -> None:
    start = read(GAME, {**FLIGHT, "moves": []})
    waits = Move(Continue(), (), {}, Expected(ruling="illegal"))
    longest = Transcript(start.position, (waits,) * MOST)
    assert len(replay(GAME, longest).played) == MOST
    for longer in ((waits,) * (MOST + 1), (*(waits,) * (MOST - 1), Move(Continue(), (("die", 4),)))):
        with pytest.raises(Unreadable) as found:
            replay(GAME, Transcript(start.position, longer))
        assert (found.value.code, found.value.pointer) == ("replay-too-long", "/moves")
        assert found.value.params == {"limit": MOST}
    with pytest.raises(Unreadable):
        replay(GAME, Transcript(start.position, (waits, waits)), most=1)
