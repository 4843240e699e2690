"""Golden games played through the page, by tapping what the pads offer; their reports are the golden ones."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest
from flask import Flask

from engine import codec, transcript
from engine.game import Continue
from engine.navajo_wars import GAME
from service.play_kept import Reading, find
from service.play_starts import Start, create, owner
from tests.games import golden
from tests.pages.browser import Browser
from tests.pages.tapping import give


def begun(app: Flask, position: Any, components: Any, lang: str = "en") -> Browser:
    """A browser with a play that starts here, from the copy of the tests."""
    served = app.extensions["ruleglot-plays"]
    start = Start(GAME, position, Reading({}, components))
    made = create(served.store, start, owner(served.store, "tests"), served.bounds)
    browser = Browser(app.test_client(), lang)
    browser.client.set_cookie("plays", f"{made.id}.{made.key}")
    browser.open(f"/play/{made.id}")
    return browser


def answers(name: str) -> Iterator[tuple[str, Any]]:
    """Everything that is done and answered in a golden game, one after another, as the questions list it."""
    for played in transcript.replay(GAME, golden.read(name)).played:
        if not isinstance(played.move.action, Continue):
            yield "do", codec.write(played.move.action)
        for one in played.asked:
            yield "answer", codec.write(one.listed[1])


def bare(report: str) -> list[str]:
    """What a report says, without how it is numbered and set: on the page every answer is a move of its own."""
    lines = [re.sub(r"^\s*(\d+\. |• )?", "", line) for line in report.split("\n")]
    return [line for line in lines if line]


def golden_report(name: str) -> str:
    """The report of a golden game, without the moves that only looked at what is asked: a page does that by itself."""
    text = golden.file(name, "en.txt").read_text(encoding="utf-8")
    went = transcript.replay(GAME, golden.read(name)).played
    looked = [
        number
        for number, one in enumerate(went, start=1)
        if isinstance(one.move.action, Continue) and not one.asked
    ]
    return "\n".join(
        line for line in text.split("\n") if not line.startswith(tuple(f"{one}. " for one in looked))
    )


@pytest.mark.usefixtures("unhurried")
@pytest.mark.parametrize("name", [one.name for one in golden.GAMES])
def test_a_golden_game_is_played_by_tapping_only(app: Flask, name: str) -> None:
    kept = golden.read(name)
    browser = begun(app, kept.position, kept.components)
    play = browser.play
    for how, value in answers(name):
        if how == "do":
            browser.open(f"/play/{play}?mode=do")
        give(browser, value)
    found = browser.client.get(f"/play/{play}/report.txt", headers={"Accept-Language": "en"})
    assert bare(found.get_data(as_text=True)) == bare(golden_report(name))
    store = app.extensions["ruleglot-plays"].store
    assert codec.write(find(store, play).position) == codec.write(transcript.replay(GAME, kept).position)
