"""A page as a browser sees it: its forms, what each button sends, its links and its words."""

from __future__ import annotations

from html.parser import HTMLParser
from typing import Any

VOID = {"meta", "link", "input", "br", "wbr", "img", "path", "circle", "rect", "hr"}


class Button:
    """A button: the fields that it sends, and its words."""

    def __init__(self, form: Form, fields: dict[str, str | None], disabled: bool) -> None:
        self.form = form
        self.name = fields.get("name")
        self.value = fields.get("value") or ""
        self.kind = fields.get("type") or "submit"
        self.label = fields.get("aria-label") or ""
        self.disabled = disabled
        self.words = ""


class Form:
    """A form: where it goes, its hidden fields, its controls and its buttons."""

    def __init__(self, fields: dict[str, str | None]) -> None:
        self.id = fields.get("id") or ""
        self.action = fields.get("action") or ""
        self.method = fields.get("method") or "get"
        self.hidden: list[tuple[str, str]] = []
        self.controls: list[dict[str, str | None]] = []
        self.buttons: list[Button] = []

    def offers(self) -> list[str]:
        """What the buttons that answer send."""
        return [one.value for one in self.buttons if one.name == "answer"]


class Screen(HTMLParser):
    """A page, parsed; a page whose elements are not closed in order is no page."""

    def __init__(self, response: Any) -> None:
        super().__init__()
        self.status: int = response.status_code
        self.text: str = response.get_data(as_text=True)
        self.forms: list[Form] = []
        self.links: list[dict[str, str | None]] = []
        self.looks: list[dict[str, str | None]] = []  # buttons outside their form, which look elsewhere
        self.ids: list[str] = []
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.words = ""
        self._open: list[str] = []
        self._form: Form | None = None
        self._button: Button | None = None
        self.feed(self.text)
        assert not self._open, self._open

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        fields = dict(attrs)
        self.tags.append((tag, fields))
        if "id" in fields:
            self.ids.append(fields["id"] or "")
        if tag not in VOID:
            self._open.append(tag)
        if tag == "form":
            assert self._form is None, "a form in a form"
            self._form = Form(fields)
            self.forms.append(self._form)
        elif tag == "button" and self._form is None and "form" in fields:
            self.looks.append(fields)
        elif tag == "button" and self._form is not None:
            self._button = Button(self._form, fields, "disabled" in fields)
            self._form.buttons.append(self._button)
        elif tag == "input" and self._form is not None:
            kept = self._form.hidden if fields.get("type") == "hidden" else None
            if kept is None:
                self._form.controls.append(fields)
            else:
                kept.append((fields.get("name") or "", fields.get("value") or ""))
        elif tag == "a":
            self.links.append(fields)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        assert self._open, f"</{tag}> closes nothing"
        assert self._open[-1] == tag, f"</{tag}> inside <{self._open[-1]}>"
        self._open.pop()
        if tag == "form":
            self._form = None
        if tag == "button":
            self._button = None

    def handle_data(self, data: str) -> None:
        self.words += data
        if self._button is not None:
            self._button.words += data

    def form(self, name: str) -> Form:
        """A form by its id or by how its address ends."""
        found = next((one for one in self.forms if one.id == name or one.action.endswith(name)), None)
        assert found is not None, self.words
        return found

    @property
    def ask(self) -> Form:
        """The form of the question."""
        return self.form("ask")
