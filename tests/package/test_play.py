"""`ruleglot play` in a real terminal: an Enemy Raid in Japanese and in French, killed in the middle and resumed."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from ruleglot import Engine
from ruleglot.lines import columns_of
from ruleglot.session import Draft, State
from ruleglot.words import PLAY, rule_words, speaker
from service.app import create_app
from service.terms import Language
from tests.package.serving import running
from tests.package.terminal import Terminal

# Invented for this test.
TABLE = {
    "period": "mexican",
    "tracks": {"ap": 3, "military": 2, "culture": 6, "enemy_morale": 3, "enemy_ferocity": 2, "enemy_ap": 6},
    "families": {"C": {"at": "shiprock-3", "ferocity": 1, "man": True, "woman": True, "child": True}},
    "areas": {},
    "santa_fe": {"raid": 0},
    "manuelito": None,
}
RAID = [{"read": "shiprock-3"}, {"choose": {"kind": "evade", "family": "C"}}, {"die": 4}]


def said(lang: str, event: str) -> str:
    """What the engine says of an event of this raid."""
    answer = Engine(lang=lang).check("navajo-wars", TABLE, {"kind": "enemy-raid", "ap": 1}, RAID)
    return next(one["text"] for one in answer["events"] if one["name"] == event)


def table(folder: Path) -> Path:
    file = folder / "raid.json"
    file.write_text(json.dumps(TABLE))
    return file


def kept(file: Path) -> Any:
    return json.loads(file.read_text(encoding="utf-8"))


@pytest.mark.parametrize("lang", ["fr", "ja"])
def test_a_raid_killed_in_the_middle_and_resumed_with_nothing_lost(tmp_path: Path, lang: Language) -> None:
    file = table(tmp_path)
    with Terminal("play", "raid.json", "--lang", lang, cwd=tmp_path) as terminal:
        terminal.types("enemy-raid")
        terminal.types("2")  # one Enemy AP
        terminal.types("shiprock-3")
        terminal.hears(said(lang, "raid-family-found"))
        terminal.hears("> ")  # asked for a Reaction
        before = kept(file)
        terminal.kill()
    assert kept(file) == before
    with Terminal(
        "play", "raid.json", cwd=tmp_path, LANG="en_GB.UTF-8"
    ) as terminal:  # goes on in its language
        terminal.types("evade")
        terminal.types("4")
        terminal.hears(said(lang, "evade-succeeded"))
        terminal.types("undo")
        terminal.types("undo")
        terminal.types("why")
        terminal.hears(rule_words("nw:enemy-raid.one-reaction", lang))
        terminal.types("evade")
        terminal.types("４")  # full-width, as a Japanese keyboard types it
        terminal.hears(said(lang, "evade-succeeded"))
        terminal.types("report")
        heard = terminal.hears("> ")
        terminal.kill()
    moves = kept(file)["moves"]
    assert [move["inputs"] for move in moves[1:4]] == [
        [{"read": "shiprock-3"}],
        [{"choose": {"kind": "evade", "family": "C"}}],
        [{"die": 4}],
    ]
    replayed = Engine(lang=lang).replay("navajo-wars", kept(file)["position"], moves)
    assert replayed["diverged"] is None
    assert replayed["position"] == kept(file)["now"]["position"]
    assert said(lang, "evade-succeeded") in heard


def test_the_language_is_changed_in_the_middle(tmp_path: Path) -> None:
    table(tmp_path)
    with Terminal("play", "raid.json", "--lang", "en", cwd=tmp_path) as terminal:
        terminal.hears("What is done now?")
        terminal.types("lang xx")
        terminal.hears("en, fr, it, ja")
        terminal.types("enemy-raid")
        terminal.types("lang it")
        terminal.types("enemy-raid")
        terminal.types("2")
        terminal.types("lang ja")
        terminal.hears("エリア")


def test_what_is_no_answer_is_said_and_asked_again(tmp_path: Path) -> None:
    table(tmp_path)
    with Terminal("play", "raid.json", "--lang", "en", cwd=tmp_path) as terminal:
        terminal.types("sing a song")
        terminal.hears("“sing a song” is no answer to this")
        terminal.types("enemy-raid")
        terminal.types("2")
        terminal.types("?")
        terminal.hears("the number before an answer")
        terminal.types("shiprock #3")
        terminal.types("evade")
        terminal.types("9")
        terminal.hears("does not fit")
        terminal.types("6")
        terminal.hears("> ")


def test_a_game_from_a_set_up_is_begun(tmp_path: Path) -> None:
    with Terminal("play", "--lang", "en", cwd=tmp_path) as terminal:
        terminal.types("1")
        terminal.types("1")
        terminal.hears("Family A begin?")
        terminal.types("3")
        terminal.hears("At which Ferocity")
        terminal.types("")  # left open for now
        terminal.hears("Family B begin?")
        terminal.types("quit")
        terminal.hears("ruleglot play")
    saved = kept(tmp_path / "ruleglot-game.json")
    assert saved["position"]["families"]["A"]["at"] == "shiprock-3"
    assert "ferocity" not in saved["position"]["families"]["A"]


def test_an_action_just_chosen_is_taken_back_alone(tmp_path: Path) -> None:
    file = table(tmp_path)
    with Terminal("play", "raid.json", "--lang", "en", cwd=tmp_path) as terminal:
        terminal.types("enemy-raid")
        terminal.types("undo")
        terminal.hears("Enemy Raid (4.2.8)")
        terminal.types("undo")
        terminal.hears("There is nothing to take back.")
    assert "moves" not in kept(file) or kept(file)["moves"] == []


def test_an_empty_line_leaves_a_card_of_the_set_up_open(tmp_path: Path) -> None:
    with Terminal("play", "--lang", "en", cwd=tmp_path) as terminal:
        terminal.types("")  # no answer: what can be answered is listed again
        terminal.hears("1  Navajo Wars")
        terminal.types("1")
        terminal.types("1")
        for _ in range(6):  # where Families begin and how ferocious they are
            terminal.types("")
        terminal.hears("level 1")
        terminal.hears("1  Say it in detail")
        terminal.types("")
        terminal.hears("Trade Goods")


@pytest.mark.parametrize("lang", ["fr", "ja"])
def test_no_line_is_broken_in_a_word_or_too_long(tmp_path: Path, lang: str) -> None:
    table(tmp_path)
    with Terminal("play", "raid.json", "--lang", lang, cwd=tmp_path, COLUMNS="50") as terminal:
        lines = terminal.hears("> ").splitlines()
    assert len(lines) > 5
    assert max(map(columns_of, lines)) <= 50
    whole = speaker(lang).say(PLAY["welcome"], {})
    joined = "".join(line.strip() for line in lines).replace(" ", "")
    assert whole.replace(" ", "") in joined
    assert not any(line.endswith("répons") for line in lines)


def test_facts_are_asked_for_one_by_one_and_kept(tmp_path: Path) -> None:
    (tmp_path / "empty.json").write_text("{}")
    with Terminal("play", "empty.json", "--lang", "en", cwd=tmp_path) as terminal:
        terminal.types("plant-corn")
        terminal.hears("Which Family")
        terminal.types("B")
        asked = terminal.hears("?")
        terminal.hears("> ")
        terminal.kill()
    assert kept(tmp_path / "empty.json")["now"]["draft"]["action"] == {"kind": "plant-corn", "family": "B"}
    with Terminal("play", "empty.json", "--lang", "en", cwd=tmp_path) as terminal:
        terminal.hears(asked.splitlines()[-1])


def test_that_there_is_none_of_something_is_kept_with_the_move() -> None:
    made = {"action": {"kind": "continue"}, "inputs": []}
    now = State({}, {}, moves=(made,)).told_of_table("navajo-wars", {"/manuelito": None})
    assert now.position["manuelito"] is None
    assert "manuelito" in now.moved(Draft({"kind": "continue"}), {}).moves[-1]["position"]


def test_it_plays_against_a_server_too(tmp_path: Path) -> None:
    file = table(tmp_path)
    with (
        running(create_app()) as address,
        Terminal("play", "raid.json", "--lang", "it", "--url", address, cwd=tmp_path) as terminal,
    ):
        terminal.types("enemy-raid")
        terminal.types("2")
        terminal.types("shiprock-3")
        terminal.types("report")
        terminal.hears("1. ")
        terminal.types("none")
        terminal.hears("> ")
    assert len(kept(file)["moves"]) == 3


def test_the_end_of_the_input_is_the_end_of_the_game(tmp_path: Path) -> None:
    table(tmp_path)
    with Terminal("play", "raid.json", "--lang", "en", cwd=tmp_path) as terminal:
        terminal.types("\x04")
        terminal.hears("ruleglot play raid.json")
