"""A browser without script: it keeps cookies, follows redirects, and sends only what a page offers."""

from __future__ import annotations

import json
from typing import Any
from urllib.parse import urlencode

from flask.testing import FlaskClient

from tests.pages.screen import Button, Form, Screen


class Browser:
    """One reader with one window."""

    def __init__(self, client: FlaskClient, lang: str = "en") -> None:
        self.client = client
        self.headers = {"Accept-Language": lang}
        self.address = "/"
        self.screen: Any = None
        self.taps = 0

    def open(self, address: str) -> Screen:
        """Look at an address."""
        response = self.client.get(address, headers=self.headers)
        while response.status_code == 303:
            address = response.headers["Location"]
            response = self.client.get(address, headers=self.headers)
        self.address = address
        self.screen = Screen(response)
        return self.screen

    def send(self, form: Form, *fields: tuple[str, str]) -> Screen:
        """Send a form with what its controls hold."""
        self.taps += 1
        data: dict[str, list[str]] = {}
        for name, value in (*form.hidden, *fields):
            data.setdefault(name, []).append(value)
        assert form.method == "post"
        response = self.client.post(form.action, data=data, headers=self.headers)
        if response.status_code == 303:
            return self.open(response.headers["Location"])
        self.screen = Screen(response)
        return self.screen

    def look(self, name: str, *fields: tuple[str, str]) -> Screen:
        """Look at another screen from the dock, with what the controls of the question hold."""
        for link in self.screen.links:
            if link.get("class") == f"go-{name}":
                return self.open(link["href"] or "")
        button = next(one for one in self.screen.looks if one.get("class") == f"go-{name}")
        form = self.screen.form(button["form"] or "")
        held = [*form.hidden, *fields, (button["name"] or "", button["value"] or "")]
        path, mark, part = (button["formaction"] or "").partition("#")
        return self.open(f"{path}?{urlencode(held)}{mark}{part}")

    def tap(self, button: Button, *fields: tuple[str, str]) -> Screen:
        """Tap a button."""
        assert not button.disabled
        own = [(button.name, button.value)] if button.name else []
        return self.send(button.form, *own, *fields)

    def answer(self, value: Any) -> Screen:
        """Tap the answer that says this."""
        for one in self.screen.ask.buttons:
            if one.name == "answer" and json.loads(one.value) == value:
                return self.tap(one)
        raise AssertionError(f"{value} is not offered: {self.screen.ask.offers()}")

    def begin(self, game: str = "navajo-wars", scenario: str = "") -> Screen:
        """Start a play."""
        new = self.open("/play/new")
        for form in new.forms:
            if ("game", game) in form.hidden:
                return self.tap(next(one for one in form.buttons if one.value == scenario))
        raise AssertionError(game)

    @property
    def play(self) -> str:
        """The id of the play that is looked at."""
        return self.address.removeprefix("/play/").partition("?")[0].partition("/")[0]
