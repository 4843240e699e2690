"""What a language's style page forbids stands in no sentence: the tables of docs/style-*.md are read by machine."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from babel.messages.pofile import read_po

from service import catalogs

DOCS = Path(__file__).parents[2] / "docs"
TRANSLATIONS = ("fr", "it", "ja")
ROW = re.compile(r"^\| (?P<wrong>(?:\\\||[^|])+?) \| (?P<instead>.*) \|$")
HEADS = ("Pattern", "Wrong", "---")


def table(lang: str) -> list[str]:
    """The rows of the table on a language's page."""
    page = (DOCS / f"style-{lang}.md").read_text(encoding="utf-8")
    part = page[page.index("## Words that must not appear") :].partition("\n\n## ")[0]
    rows = [line for line in part.splitlines() if line.startswith("|")]
    return [row for row in rows if not row.strip("| ").startswith(HEADS)]


def forbidden(lang: str) -> list[tuple[re.Pattern[str], str]]:
    """What a page forbids: a pattern between backquotes, in which a bar has a backslash; else whole words."""
    found = []
    for row in filter(None, map(ROW.match, table(lang))):
        wrong = row["wrong"]
        marked = wrong.startswith("`")
        pattern = wrong.strip("`").replace(r"\|", "|") if marked else rf"\b{re.escape(wrong)}\b"
        found.append((re.compile(pattern, re.MULTILINE), row["instead"]))
    return found


def sentences(lang: str) -> Iterator[tuple[str, str]]:
    """Every translated sentence by its name, no-break spaces read as spaces."""
    for domain in catalogs.DOMAINS:
        with catalogs.path(lang, domain).open("rb") as lines:
            for entry in read_po(lines, locale=lang):
                said = (entry.string,) if isinstance(entry.string, str) else tuple(entry.string or ())
                yield from ((str(entry.context), one.replace("\N{NO-BREAK SPACE}", " ")) for one in said)


@pytest.mark.parametrize("lang", TRANSLATIONS)
def test_no_sentence_has_what_the_style_page_forbids(lang: str) -> None:
    found = [
        f"{name}: {pattern.pattern} (instead: {instead}): {said}"
        for name, said in sentences(lang)
        for pattern, instead in forbidden(lang)
        if pattern.search(said)
    ]
    assert not found, f"{len(found)} found:\n" + "\n".join(found[:40])


@pytest.mark.parametrize("lang", TRANSLATIONS)
def test_every_row_of_the_table_is_read(lang: str) -> None:
    assert len(forbidden(lang)) == len(table(lang)) > 9


def test_what_is_forbidden_is_found() -> None:
    french = [pattern for pattern, _ in forbidden("fr")]
    assert any(pattern.search("Les Outposts devant la Famille") for pattern in french)
    assert not any(pattern.search("Un Outpost à la même hauteur") for pattern in french)
    assert any(pattern.search("サイコロを振る") for pattern, _ in forbidden("ja"))
    assert any(pattern.search("le roccaforti dei Diné") for pattern, _ in forbidden("it"))
