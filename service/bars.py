"""A small picture of chances: one bar for each outcome, readable on a phone and without colour."""

from __future__ import annotations

from html import escape
from unicodedata import east_asian_width

from msgspec import Struct

WIDTH = 390  # of a phone, in pixels
MARGIN, LINE, BAR, GAP = 12, 18, 14, 14
BAR_WIDTH = 270
PERCENT_AT = MARGIN + BAR_WIDTH + 8
COLUMNS = 52  # as many narrow letters fit a line
FONTS = "'Noto Sans', 'Noto Sans JP', 'Noto Sans CJK JP', 'Hiragino Sans', 'Yu Gothic', sans-serif"
MOST_BARS = 40
NOT_FIRST = "。、，．）」』】！？：)"  # never at the beginning of a line


class Bar(Struct, frozen=True):
    """One outcome: its words, its percentage in words, and its share."""

    text: str
    percent: str
    share: float


def svg(groups: list[tuple[str, list[Bar]]], lang: str) -> str:
    """Groups of bars under their titles, one below the other."""
    parts: list[str] = []
    below = MARGIN
    left = MOST_BARS
    for title, bars in groups:
        if title:
            below = _lines(parts, title, below, bold=True)
        for bar in bars[: max(0, left)]:
            below = _bar(parts, bar, below)
        left -= len(bars)
    height = below + MARGIN
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" role="img" lang="{lang}" width="{WIDTH}" height="{height}" '
        f'viewBox="0 0 {WIDTH} {height}" font-family="{FONTS}" font-size="14">'
    )
    ground = f'<rect width="{WIDTH}" height="{height}" fill="#fff"/>'
    return f"{head}<title>{escape(_told(groups))}</title>{ground}{''.join(parts)}</svg>"


def _told(groups: list[tuple[str, list[Bar]]]) -> str:
    """The picture in words, for whoever does not see it."""
    return " ".join(f"{title} {bar.text} {bar.percent}".strip() for title, bars in groups for bar in bars)


def _bar(parts: list[str], bar: Bar, below: int) -> int:
    below = _lines(parts, bar.text, below)
    filled = round(BAR_WIDTH * bar.share, 1)
    frame = f'x="{MARGIN}" y="{below}" height="{BAR}"'
    parts.append(f'<rect {frame} width="{filled}" fill="#333"/>')
    parts.append(f'<rect {frame} width="{BAR_WIDTH}" fill="none" stroke="#333"/>')
    parts.append(
        f'<text x="{PERCENT_AT}" y="{below + BAR - 2}" font-weight="bold">{escape(bar.percent)}</text>'
    )
    return below + BAR + GAP


def _lines(parts: list[str], text: str, below: int, *, bold: bool = False) -> int:
    """Words set in as many lines as they need."""
    weight = ' font-weight="bold"' if bold else ""
    for line in wrapped(text):
        parts.append(f'<text x="{MARGIN}" y="{below + 14}"{weight}>{escape(line)}</text>')
        below += LINE
    return below + 2


def wrapped(text: str, columns: int = COLUMNS) -> list[str]:
    """A text in lines; a script without spaces breaks anywhere, a word that is too long for a line too.

    >>> wrapped("one two three", 8)
    ['one two', 'three']
    """
    lines, line = [], ""
    for word in _words(text):
        if line and _width(line + word.rstrip()) > columns:
            lines.append(line.rstrip())
            line = ""
        line += word
    return [*lines, line.rstrip()]


def _words(text: str) -> list[str]:
    """What may not be broken: words with the space after them, signs of wide scripts with what closes after them."""
    found = [""]
    for sign in text:
        if sign in NOT_FIRST and len(found) > 1 and not found[-1]:
            found[-2] += sign
        elif _width(sign) > 1:
            found += [sign, ""]
        else:
            found[-1] += sign
            if sign == " " or len(found[-1]) >= COLUMNS:
                found.append("")
    return [one for one in found if one]


def _width(text: str) -> int:
    return sum(2 if east_asian_width(sign) in "WF" else 1 for sign in text)
