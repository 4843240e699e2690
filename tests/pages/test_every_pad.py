"""Every question of every example and golden game has a pad, and whatever is tapped on it leads to an answer."""

from __future__ import annotations

import json
from random import Random
from types import SimpleNamespace
from typing import Any

import pytest
from flask import Flask, render_template_string
from werkzeug.datastructures import MultiDict

from service.pages import pads, walks, words
from service.pages.walks import Given, Pad
from tests.pages.browser import Browser
from tests.pages.screen import Form, Screen
from tests.service.test_every_question import NOT_TAKEN, everything_asked, waiting

PAD = '{% import "pads.html" as pads with context %}<form>{{ pads.pad(pad) }}</form>'
MOST_TAPS = 200
KINDS = {
    "die",
    "dice",
    "draw",
    "yes_no",
    "number",
    "stepper",
    "name",
    "one",
    "groups",
    "places",
    "some",
    "fields",
    "tell",
    "more",
    "changes",
    "by",
    "facts",
}


def shown(pad: Pad, lang: Any = "en") -> Form:
    """A pad as a browser sees it."""
    say = words.sayer(lang)
    text = render_template_string(PAD, pad=pad, say=say, **pads.helpers(lang, say))
    return Screen(SimpleNamespace(status_code=200, get_data=lambda as_text: text)).forms[0]


def tapped(form: Form, pad: Pad, random: Random) -> MultiDict[str, str]:
    """Something that somebody could tap and set on a pad."""
    submits = [one for one in form.buttons if one.kind == "submit"]
    assert submits, pad.kind
    for one in submits:
        assert one.words.strip() or one.label, (pad.kind, "a button without words")
    ends = [one for one in submits if one.value == '{"done":true}']
    button = ends[0] if ends else random.choice(submits)
    if button.name:
        return MultiDict([(button.name, button.value)])
    sent: list[tuple[str, str]] = []
    for control in form.controls:
        name, value = control.get("name") or "", control.get("value") or ""
        if control.get("type") == "radio":
            sent = [*(one for one in sent if one[0] != name), (name, str(random.randint(1, 6)))]
        elif control.get("type") == "checkbox":
            ticked = len([one for one in sent if one[0] == name])
            if name != "some" or ticked < max(pad.form.least, 1):
                sent.append((name, value))
        elif control.get("type") == "number":
            sent.append((name, value or "1"))
        else:
            sent.append((name, "a name"))
    return MultiDict(sent)


def walked(question: Any, random: Random, seen: set[str]) -> Any:
    """An answer to a question, tap by tap."""
    steps: list[Any] = []
    while len(steps) < MOST_TAPS:
        pad = walks.walk(question.form, steps)
        if isinstance(pad, Given):
            return pad.value
        seen.add(pad.kind)
        form = shown(pad)
        steps.append(json.loads(walks.said(walks.step_of(pad, tapped(form, pad, random)))))
    raise AssertionError(f"{question.name}: no end after {steps}")


@pytest.mark.parametrize("lang", ["en", "fr", "it", "ja"])
def test_every_question_begins_with_a_pad(app: Flask, lang: str) -> None:
    with app.test_request_context():
        for question in everything_asked():
            pad = walks.walk(question.form, ())  # type: ignore[arg-type]  # each has one
            assert isinstance(pad, Pad)
            assert shown(pad, lang).buttons, question.name


def test_whatever_is_tapped_leads_to_an_answer(app: Flask) -> None:
    seen: set[str] = set()
    with app.test_request_context():
        for number, question in enumerate(everything_asked()):
            for again in range(3):
                walked(question, Random(number * 10 + again), seen)
    assert seen == KINDS


def test_what_the_pads_give_is_taken(app: Flask) -> None:
    tried = 0
    with app.test_request_context():
        for number, (pause, question) in enumerate(waiting()):
            if pause.answer.refused:
                continue
            value = walked(question, Random(number), set())
            found = pause.answered(question, value)
            refused = {reason.requirement.name for reason in found.verdict.reasons}
            assert not refused & (NOT_TAKEN - {"wrong-number-chosen"}), (pause.where, question.name, value)
            tried += 1
    assert tried > 500


def test_no_pad_has_too_many_buttons(app: Flask) -> None:
    """More than twelve are asked for group by group, unless they are as small as numbers and places."""
    close = {"places", "number", "stepper", "facts"}
    with app.test_request_context():
        for question in everything_asked():
            pad = walks.walk(question.form, ())  # type: ignore[arg-type]  # each has one
            assert isinstance(pad, Pad)
            buttons = [one for one in shown(pad).buttons if one.name == "answer"]
            few = len(buttons) <= walks.MOST_BUTTONS + 1 or pads.is_dense(pad.options)
            assert few or pad.kind in close, (question.name, pad.kind, len(buttons))


@pytest.mark.parametrize(
    ("game", "scenario"), [("navajo-wars", "14.1"), ("navajo-wars", "14.5"), ("julian", "")]
)
@pytest.mark.parametrize("seed", [1, 2])
def test_random_play_through_the_pads_meets_no_5xx(app: Flask, game: str, scenario: str, seed: int) -> None:
    random = Random(seed)
    browser = Browser(app.test_client(), random.choice(["en", "fr", "it", "ja"]))
    browser.begin(game, scenario)
    play = browser.play
    for _ in range(60):
        screen = browser.screen
        assert screen.status < 500, screen.words
        forms = [one for one in screen.forms if one.id == "ask"]
        if screen.status not in (200, 409, 422) or not forms or random.random() < 0.1:
            browser.open(
                f"/play/{play}?mode={random.choice(['', 'do', 'set-up'])}&skip={random.randint(0, 9)}"
            )
            continue
        submits = [one for one in forms[0].buttons if one.kind == "submit"]
        if not submits:
            browser.open(f"/play/{play}")
            continue
        button = random.choice(submits)
        own = [] if button.name else list(_set(forms[0], random))
        browser.tap(button, *own)


def _set(form: Form, random: Random) -> Any:
    dice: dict[str, str] = {}
    for control in form.controls:
        name, value = control.get("name") or "", control.get("value") or ""
        if control.get("type") == "radio":
            dice[name] = str(random.randint(1, 6))
        elif control.get("type") == "checkbox":
            if random.random() < 0.5:
                yield name, value
        elif control.get("type") == "number":
            yield name, str(random.randint(0, 9))
        else:
            yield name, "a name"
    yield from dice.items()
