"""What was read off the copy once and is printed the same for every game is known, and leads to the same."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import pytest
from msgspec import UNSET

from engine import codec, transcript
from engine.game import Answer, check, prepare
from engine.navajo_wars import GAME
from engine.navajo_wars.battle import of_every_battle
from engine.navajo_wars.components import BattleRow, BattleTable, Change, Changes, RaidResult
from engine.navajo_wars.enemy import EnemyMemory, added_beside, ask_events
from engine.navajo_wars.printed import always_so
from engine.navajo_wars.raid_table import cell
from engine.telling import Table, tell
from engine.testing import merge, plain
from tests.shown import all_shown, components, game


class Read(NamedTuple):
    """A request of an example in which something was read off the copy."""

    name: str
    game: Any
    at: Any
    do: Any
    inputs: list[Any]
    answer: Answer
    known: dict[str, Any]


def reads() -> Iterator[Read]:
    for one in all_shown():
        example, of = one.example, game(one.game)
        file = components(example.components_file) if example.components_file else {}
        printed, position = plain(merge(file, example.components)), {}
        for request in (example, *example.steps):
            position = merge(position, request.position)
            if request.unreadable is not UNSET:
                break
            at = prepare(of, plain(position), example.choices, printed)
            do = codec.read(plain(request.action), of.action_types, "/action")
            inputs = codec.read_inputs(plain(request.inputs))
            answer = check(of, at, do, inputs)
            known = transcript.read_off(answer)
            if known and not answer.verdict.unknowns:
                yield Read(str(one), of, at, do, inputs, answer, known)
            position = codec.write(answer.position)


def test_what_is_known_is_not_asked_and_leads_to_the_same() -> None:
    seen = set()
    for one in reads():
        rules = one.at.rules
        told = tell(one.game, Table(None, rules.chosen, rules.components), tuple(one.known.items()))
        at = prepare(one.game, one.at.position, rules.chosen, told.components)
        left = list(one.inputs)
        for taken in one.answer.taken:
            answers = taken.pending.question.answers
            if taken.given[0] == "read" and answers.printed(taken.given[1]):
                left.remove(taken.given)
        again = check(one.game, at, one.do, left)
        assert again.verdict.ruling == "legal", (one.name, one.known, again.verdict.reasons)
        changed, before = (
            {place: to for place, _, to in transcript.changed(one.at.position, came.position)}
            for came in (again, one.answer)
        )
        assert changed == before, (one.name, one.known)
        seen |= {place.split("/")[2] for place in one.known}
    assert {"battle_table", "raid_table", "cards", "subjugation_table", "good_medicine"} <= seen


TRACK = Change("/tracks/culture", by=-1)
FAMILY = Change("/families/C/ferocity", by=1)


@pytest.mark.parametrize(
    ("read", "stated"),
    [
        ("none", ()),
        ("by-hand", None),
        (Changes((TRACK,)), (TRACK,)),
        (Changes((TRACK, FAMILY)), None),
        (Changes((TRACK,), ("/resources",)), None),
    ],
)
def test_what_happened_to_be_there_is_no_print(read: Any, stated: Any) -> None:
    assert always_so(read) == stated


def test_a_cell_of_the_raid_table_is_kept_unless_it_was_done_by_hand() -> None:
    assert cell("none") == RaidResult()
    assert cell("by-hand") is None
    printed = RaidResult((TRACK,), hit=1)
    assert cell(printed) == printed
    assert cell(RaidResult((FAMILY,))) is None


def test_which_counters_a_family_lost_is_no_print() -> None:
    ferocity = Change("/family/ferocity", by=-1)
    assert of_every_battle("none") == ()
    assert of_every_battle(Changes((TRACK, ferocity))) == (TRACK, ferocity)
    assert of_every_battle(Changes((TRACK, Change("/family/man", to=False)))) is None
    assert of_every_battle("by-hand") is None


def test_what_cards_in_play_add_is_kept_with_the_card_or_with_all_that_are_blank() -> None:
    def place(copy: dict[str, Any], *in_play: int) -> str:
        told = {"cards": {"in_play": list(in_play)}}
        answers = ask_events(prepare(GAME, told, {}, {"cards": copy}), EnemyMemory()).answers
        return str(answers.place)  # type: ignore[union-attr]  # it is read off the cards

    assert place({}, 44) == "/components/cards/44/in_play_ap"
    assert place({"44": {"in_play_ap": 1}}, 44, 45) == "/components/cards/45/in_play_ap"
    assert place({}, 44, 45) == "/components/in_play_ap/44+45", "nobody knows which adds what"
    assert added_beside(1)(3) == 2


def test_a_row_of_the_battle_table_counts_before_a_single_cell() -> None:
    table = BattleTable(
        (BattleRow({"3": "FV"}, at_least=2),), cells={"2": {"3": "EV", "4": "MEV"}, "-1": {"1": "RGD"}}
    )
    assert [table.result(2, "3"), table.result(2, "4"), table.result(-1, "1")] == ["FV", "MEV", "RGD"]
    assert table.result(0, "1") is None
    assert GAME.components().battle_table.result(0, "1") is None
