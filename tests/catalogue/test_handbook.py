"""The pages in docs/ are what the code would write."""

from __future__ import annotations

import pytest

from service.handbook import ROOT, pages

PAGES = pages()


def test_there_is_a_page_for_each_reason_and_no_other() -> None:
    kept = {f"reasons/{path.name}" for path in (ROOT / "reasons").glob("*.md")}
    assert kept == {path for path in PAGES if path.startswith("reasons/")}, "run `make docs`"


@pytest.mark.parametrize("path", PAGES)
def test_a_page_is_what_the_code_would_write(path: str) -> None:
    assert (ROOT / path).read_text(encoding="utf-8") == PAGES[path], "run `make docs`"
