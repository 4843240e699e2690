"""A real Chromium that is tapped as the browser without script is: whoever gives answers to one gives them to both."""

from __future__ import annotations

import json
from types import SimpleNamespace
from typing import Any

from playwright.sync_api import Page

from tests.pages.screen import Button, Form

SEEN = """() => {
  const form = document.querySelector('#ask'), fields = (one) => Object.fromEntries(
    ['name', 'value', 'type', 'aria-label'].map((name) => [name, one.getAttribute(name)]));
  return {
    refused: !!document.querySelector('.said.illegal'),
    words: document.querySelector('#main').innerText,
    buttons: form ? [...form.querySelectorAll('button')].map(fields) : [],
    controls: form ? [...form.querySelectorAll('input:not([type=hidden])')].map(fields) : [],
  };
}"""
NOW = "() => [document.querySelector('input[name=after]')?.value, location.href]"
GONE_ON = """([version, address]) => location.href !== address
  || document.querySelector('input[name=after]')?.value !== version
  || !!document.querySelector('.said.illegal')"""


class Tapped:
    """A page of a play in a real browser: what its question offers, and taps on it; nothing is typed."""

    def __init__(self, page: Page, *, scripted: bool) -> None:
        self.page = page
        self.scripted = scripted
        self.taps = 0

    @property
    def address(self) -> str:
        """Where it stands."""
        return str(self.page.url)

    @property
    def screen(self) -> Any:
        """What is seen of the question."""
        self.page.wait_for_load_state("domcontentloaded")  # without script a new page comes piece by piece
        seen = self.page.evaluate(SEEN)
        form = Form({"id": "ask", "method": "post"})
        form.controls = seen["controls"]
        form.buttons = [Button(form, one, disabled=False) for one in seen["buttons"]]
        return SimpleNamespace(ask=form, status=422 if seen["refused"] else 200, words=seen["words"])

    def answer(self, value: Any) -> None:
        """Tap the answer that says this."""
        for one in self.screen.ask.buttons:
            if one.name == "answer" and json.loads(one.value) == value:
                self.tap(one)
                return
        raise AssertionError(f"{value} is not offered")

    def tap(self, button: Button, *fields: tuple[str, str]) -> None:
        """Set what a pad holds, then tap a button; dice are sent by their last face."""
        before = self.page.evaluate(NOW)
        for name, value in fields:
            self._set(name, value)
        by_itself = self.scripted and any(name.startswith("die-") for name, _ in fields)
        if not by_itself:
            place = button.form.buttons.index(button)
            self._tap(self.page.locator("#ask button").nth(place))
        self.page.wait_for_function(GONE_ON, arg=before)

    def do_something(self) -> None:
        """Turn to what may be done besides what is asked."""
        link = self.page.locator("a[href='?mode=do']")
        if link.count():
            before = self.page.evaluate(NOW)
            self._tap(link)
            self.page.wait_for_function(GONE_ON, arg=before)

    def _set(self, name: str, value: str) -> None:
        if name == "number":
            self._count_to(int(value))
            return
        control = self.page.locator(f"#ask input[name='{name}'][value='{value}']")
        self._unfold(control)
        self._tap(control.locator("xpath=ancestor::label"))

    def _count_to(self, number: int) -> None:
        """Tap plus and minus until the number is there."""
        control = self.page.locator("#ask input[name=number]")
        self._unfold(control)
        while (left := number - int(control.input_value())) != 0:
            step = 5 if abs(left) >= 5 else 1
            self._tap(self.page.locator(f"#ask .stepper [data-by='{step if left > 0 else -step}']"))

    def _unfold(self, control: Any) -> None:
        """Open what a control is folded into."""
        folded = control.locator("xpath=ancestor::details[not(@open)]/summary")
        if folded.count():
            self._tap(folded)

    def _tap(self, what: Any) -> None:
        what.click()
        self.taps += 1
