"""A session's report reads like one that a player would post, in three writings of one value."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from itertools import pairwise
from typing import Any

import pytest
from msgspec import structs

from engine.transcript import Move, Transcript, read, replay
from service.report import Chapter, Line, Session, as_html, as_markdown, as_text, session
from tests.games.golden import GAMES, Golden
from tests.games.golden import read as golden_game
from tests.service.reports import lines, report_of, told_as
from tests.service.sent import LANGUAGES
from tests.service.sessions import RAID, RETURN, readable, written
from tests.service.sessions import session as transcript_of
from tests.shown import Shown, game

ELDERS = "Each Elder attempts one Elder Action"
NAVAJO_WARS = game("navajo-wars")


def golden(one: Golden, lang: str = "en") -> Session:
    return session(NAVAJO_WARS, replay(NAVAJO_WARS, golden_game(one.name)), lang)


def answers(told: Session) -> list[Line]:
    return [line for line in lines(told) if line.kind == "answer"]


# -- what it tells -----------------------------------------------------------------------------------


def test_a_report_reads_like_a_session() -> None:
    told = told_as(RAID).splitlines()
    assert told[0] == "Navajo Wars"
    assert told[2].startswith("Action Points ")
    assert told[4:6] == ["Enemy Raid (4.2.8), AP: 1", "    → Enemy APs 4 → 3 (-1). [4.1.2]"]
    assert [
        line for line in told if line.endswith("? – Ambush (5.2.1), Family A, with a horse, with Firearms")
    ]
    assert "    → Enemy Morale 4 → 3 (-1). [Enemy Raid Flowchart]" in told


@pytest.mark.parametrize("one", GAMES, ids=lambda one: one.name)
def test_each_card_has_a_heading_with_the_tracks_before_it(one: Golden) -> None:
    went = replay(NAVAJO_WARS, golden_game(one.name))
    drawn = [
        event.params["card"] for move in went.played for event in move.begins if "draw" in event.message.name
    ]
    told = golden(one)
    assert [chapter.heading for chapter in told.chapters[:-1]] == [f"Card #{card}" for card in drawn]
    assert len(drawn) > 5
    for chapter in told.chapters[:-1]:
        assert re.fullmatch(r"Action Points \d+, .*, Enemy APs \d+", chapter.standing)


def test_a_game_turn_and_an_operations_phase_have_headings() -> None:
    told = report_of("A whole game turn")
    assert [one.heading for one in told.chapters if one.heading.startswith("Operations Phase: ")]
    assert told.chapters[0].standing.startswith("treasury points ")


def test_a_question_stands_before_its_answer_and_is_not_asked_twice_in_a_row() -> None:
    told = answers(golden(GAMES[0]))
    assert told[0].asked == "Do the Diné preempt, for 3 AP?"
    assert told[0].text == "Do not preempt: the Enemy operates first."
    assert {line.text for line in told if line.asked.startswith("By how many MP ")} == {"0", "1"}
    for before, after in pairwise(told):
        assert not after.asked or before.asked != after.asked or "MP" in after.asked


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("one", GAMES, ids=lambda one: one.name)
def test_no_line_is_the_same_each_time_or_says_plus_nothing(one: Golden, lang: str) -> None:
    told = golden(one, lang)
    went = replay(NAVAJO_WARS, golden_game(one.name))
    rites = {
        line.message.name: line
        for move in went.played
        for line in move.answer.events
        if line.message.tells == "ritual"
    }
    assert rites
    said = as_text(told)
    assert not re.search(r"[+-]0\b", said)
    assert "%(" not in said
    counted = sum(
        event.message.tells not in ("ritual", "next") for move in went.played for event in move.answer.events
    )
    cards = sum(event.message.name == "card-drawn" for move in went.played for event in move.answer.events)
    assert sum(line.kind == "event" for line in lines(told)) == counted - cards


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("one", GAMES, ids=lambda one: one.name)
def test_the_last_paragraph_says_how_it_ended_and_why(one: Golden, lang: str) -> None:
    told = golden(one, lang)
    *_, why, over = [
        line for line in lines(told) if line.kind == "event" and line.text in told.chapters[-1].lines[0].text
    ]
    closing = told.chapters[-1].lines
    assert closing[0].text.startswith(over.text)
    assert closing[0].text.endswith(why.text)
    assert len(closing) == 2  # and where the tracks stand


def test_a_session_that_goes_on_ends_with_what_it_waits_for() -> None:
    closing = report_of(ELDERS).chapters[-1].lines
    assert closing[0].text.startswith(
        "The session stops here; the game is not over. Next comes: Planning step 4: "
    )


def test_a_refusal_that_was_recorded_is_told_with_its_reason() -> None:
    told = lines(report_of(ELDERS))
    refused = next(place for place, line in enumerate(told) if line.text.endswith(", Elder in space 2"))
    assert told[refused + 1].kind == "refusal"
    assert told[refused + 1].text.startswith("Every Elder in space 2 ")


def test_a_choice_is_told_by_its_text_and_not_by_its_value() -> None:
    told = told_as(RETURN, "it")
    assert " – Famiglia A: Fuga\n" in told
    assert "Area Shiprock\N{NO-BREAK SPACE}#6" in told
    assert "shiprock-6" not in told


def test_what_is_drawn_is_told_in_the_words_of_the_language() -> None:
    assert "white cube" in told_as("Take Actions with three Families")
    assert "cubetto bianco" in told_as("Take Actions with three Families", "it")
    assert " – Military\n" in told_as("A whole game turn")


def test_several_chosen_at_once_and_dice_thrown_together() -> None:
    assert " – man, woman\n" in told_as("A Passage of Time with a new Family, hunger, a death and a recovery")
    assert " – 5, 6\n" in told_as("Defend holds while the Diné raid, and ends when they stop")


def test_what_was_told_by_hand_is_told_in_words() -> None:
    told = told_as("Defend holds while the Diné raid, and ends when they stop")
    assert "• Told by hand: Raided Cubes Box, brown cube: 2; Raid Pool, brown cube: 0\n" in told


@pytest.mark.parametrize("one", [one for one in readable() if one.example.steps], ids=str)
def test_every_playthrough_can_be_told(one: Shown) -> None:
    went = replay(game(one.game), read(game(one.game), written(one)))
    for lang in LANGUAGES:
        told = session(game(one.game), went, lang)
        assert told == session(game(one.game), went, lang)
        for said in (as_text(told), as_markdown(told), as_html(told)):
            assert "%(" not in said
        assert told.chapters[-1].lines


# -- its writings ------------------------------------------------------------------------------------


class Reading(HTMLParser):
    """The tags and the text of a page."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.open: list[str] = []
        self.text = ""

    def handle_starttag(self, tag: str, attrs: Any) -> None:
        self.tags.append(tag)
        if tag != "meta":
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text += data


def parsed(page: str) -> Reading:
    reading = Reading()
    reading.feed(page)
    assert not reading.open
    return reading


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_page_says_what_the_text_says(lang: str) -> None:
    told = golden(GAMES[0], lang)
    page = parsed(as_html(told))
    assert page.tags.count("h2") == len(told.chapters)
    for line in lines(told):
        assert line.text in page.text
        assert line.asked in page.text
    assert f'<html lang="{lang}">' in as_html(told)


@pytest.mark.parametrize("lang", LANGUAGES)
def test_markdown_says_what_the_text_says(lang: str) -> None:
    told = golden(GAMES[0], lang)
    plain = re.sub(r"\\(.)", r"\1", as_markdown(told))
    assert plain.count("\n## ") == len(told.chapters)
    for line in lines(told):
        assert line.text in plain
        assert line.asked in plain


HOSTILE = '<script>alert(1)</script> & "x" *bold* [a](javascript:b)\n# heading\r\u2028<b>'


def noted(text: str) -> Session:
    start = transcript_of(RAID)
    kept = Transcript(start.position, (Move(kind="told", note=text),), start.choices, start.components)
    return session(NAVAJO_WARS, replay(NAVAJO_WARS, kept), "en")


def test_what_a_player_wrote_is_text_and_nothing_else() -> None:
    told = noted(HOSTILE)
    one_line = '<script>alert(1)</script> & "x" *bold* [a](javascript:b) # heading <b>'
    assert f"  • Note: {one_line}" in as_text(told).split("\n")
    page = parsed(as_html(told))
    assert one_line in page.text
    assert not {"script", "b", "a"} & set(page.tags)
    marked = as_markdown(told)
    assert "\\<script\\>" in marked
    assert "\\*bold\\* \\[a\\]" in marked
    assert "\n# heading" not in marked


def test_a_heading_and_a_title_are_text_too() -> None:
    told = Session(
        "en", "<i>", (Chapter("<i>", "<i>", (Line("event", "<i>", rules="<i>"), Line("end", "<i>"))),)
    )
    assert "i" not in parsed(as_html(told)).tags
    assert "<i>" not in as_html(told)
    assert as_markdown(told).count("\\<i\\>") == 6
    asked = structs.replace(
        told, chapters=(Chapter("", "", (Line("answer", "<i>", asked="<i>"), Line("deed", "<i>"))),)
    )
    assert "<i>" not in as_html(asked)
