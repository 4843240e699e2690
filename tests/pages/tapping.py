"""Answering by what the pads offer, and by nothing else: from an answer to the taps that give it."""

from __future__ import annotations

import json
from typing import Any, Protocol

from tests.pages.screen import Button, Form

MOST_TAPS = 40  # for one answer


def bare(value: Any) -> Any:
    """An answer without what is left out, none or zero: such an action is the same."""
    if isinstance(value, dict):
        return {
            key: bare(one) for key, one in value.items() if one is not None and one != 0 and one is not False
        }
    return value


class Taps(Protocol):
    """Whatever shows the question of a play and can be tapped."""

    @property
    def address(self) -> str: ...
    @property
    def screen(self) -> Any: ...
    def answer(self, value: Any) -> Any: ...
    def tap(self, button: Button, *fields: tuple[str, str]) -> Any: ...


def give(browser: Taps, value: Any) -> None:
    """Tap through the pads to this answer; it is given when no step of an answer is open any more."""
    if isinstance(value, dict) and "kind" not in value:
        _give_fields(browser, value)
        return
    for _ in range(MOST_TAPS):
        _tap(browser, value)
        assert browser.screen.status == 200, browser.screen.words
        if "step=" not in browser.address:
            return
    raise AssertionError(f"{value} takes too many taps")


def _give_fields(browser: Taps, value: dict[str, Any]) -> None:
    """Tell an object field by field, and that this is all."""
    browser.answer({"open": True})
    for one in value.values():
        _tap(browser, one)
    if "step=" in browser.address:
        browser.answer({"done": True})
    assert "step=" not in browser.address


def _tap(browser: Taps, value: Any) -> None:
    ask = browser.screen.ask
    button = _exactly(ask, value) or _towards(ask, value)
    if button is not None:
        browser.tap(button)
        return
    if isinstance(value, list):
        browser.tap(_done(ask), *_held(ask, value))
        return
    number = [one for one in ask.controls if one.get("name") == "number"]
    assert number, (value, ask.offers(), browser.screen.words)
    browser.tap(_done(ask), ("number", str(value)))


def _exactly(ask: Form, value: Any) -> Button | None:
    for one in ask.buttons:
        if one.name == "answer" and _same(json.loads(one.value), value):
            return one
    return None


def _same(one: Any, other: Any) -> bool:
    return type(one) is type(other) and bare(one) == bare(other)


def _towards(ask: Form, value: Any) -> Button | None:
    """The button that opens the group of an action, or that says the part of it which is asked now."""
    if not isinstance(value, dict):
        return None
    parts = {str(one) for one in value.values()}
    for one in ask.buttons:
        if one.name != "answer":
            continue
        says = json.loads(one.value)
        if isinstance(says, dict) and says.keys() == {"open"} and str(says["open"]) in parts:
            return one
    kind = _exactly(ask, {"kind": value.get("kind")})
    if kind is not None:
        return kind
    plain = [
        one for one in ask.buttons if one.name == "answer" and not isinstance(json.loads(one.value), dict)
    ]
    return next((one for one in plain if json.loads(one.value) in value.values()), None)


def _done(ask: Form) -> Button:
    return next(one for one in ask.buttons if one.name is None)


def _held(ask: Form, values: list[Any]) -> list[tuple[str, str]]:
    """The controls of a pad, set to these values: dice by their faces, boxes by what is ticked."""
    names = [one.get("name") or "" for one in ask.controls]
    if any(name.startswith("die-") for name in names):
        return [(f"die-{place}", str(face)) for place, face in enumerate(values)]
    boxes = {one.get("value") or "" for one in ask.controls if one.get("name") == "some"}
    ticked = [one for one in boxes if json.loads(one) in values]
    assert len(ticked) == len(values), (values, boxes)
    return [("some", one) for one in ticked]
