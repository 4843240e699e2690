"""How wide a text is and where it may be broken, for pictures that are drawn without a browser.

Latin letters are as wide as in Helvetica, with an allowance for fonts that are wider; Japanese characters fill a square.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator

# Widths in thousandths of the size, as the metrics of Helvetica state them.
_BY_WIDTH = {
    191: "'",
    222: "ijl",
    278: " !,./:;I[\\]ft\N{NO-BREAK SPACE}",
    333: "()-`r",
    355: '"',
    389: "*",
    500: "Jcksvxyz",
    556: "#$0123456789?L_abdeghnopqu«»–",
    584: "+<=>~",
    611: "FTZ",
    667: "&ABEKPSVXY",
    722: "CDHNRUw",
    778: "GOQ",
    833: "Mm",
    889: "%",
    944: "W",
    1000: "—…",
    1015: "@",
}
_WIDTH = {letter: width for width, letters in _BY_WIDTH.items() for letter in letters}
_ANY_OTHER = 620
_ALLOWANCE = 1.14  # Verdana and DejaVu Sans are wider
_BOLD = 1.08
_NOT_FIRST = "、。，．・：；？！）」』】〕ーっゃゅょッャュョ々％"
_NOT_LAST = "（「『【〔"


def width(text: str, size: float, *, bold: bool = False) -> float:
    """How much room a text takes at most."""
    return sum(map(_width, text)) * size / 1000 * (_BOLD if bold else 1)


def _width(letter: str) -> float:
    if _is_square(letter):
        return 1000
    plain = unicodedata.normalize("NFD", letter)[:1]
    return _WIDTH.get(plain, _ANY_OTHER) * _ALLOWANCE


def _is_square(letter: str) -> bool:
    return unicodedata.east_asian_width(letter) in "WF"


def wrapped(text: str, size: float, room: float, *, bold: bool = False) -> list[str]:
    """A text in as few lines as it needs, about equally long, so that no last word stands alone."""
    lines = _filled(text, size, room, bold=bold)
    widest = max((width(piece.strip(" "), size, bold=bold) for piece in pieces(text)), default=0)
    while len(lines) > 1 and room - size / 2 >= widest:
        room -= size / 2
        evener = _filled(text, size, room, bold=bold)
        if len(evener) > len(lines):
            break
        lines = evener
    return lines


def _filled(text: str, size: float, room: float, *, bold: bool) -> list[str]:
    """A text in lines that fit; a single word that is too long is broken anywhere."""
    lines, line = [], ""
    for piece in pieces(text):
        if width((line + piece).rstrip(" "), size, bold=bold) <= room:
            line += piece
            continue
        if line:
            lines.append(line.rstrip(" "))
        *whole, line = _broken(piece.lstrip(" "), size, room, bold=bold)
        lines += whole
    return [*lines, line.rstrip(" ")] if line.strip(" ") else lines


def pieces(text: str) -> Iterator[str]:
    """What stays together: a word with the spaces before it, a Japanese character with what may not part from it."""
    piece = ""
    for letter in text:
        if piece and _may_part(piece, letter):
            yield piece
            piece = ""
        piece += letter
    if piece:
        yield piece


def _may_part(piece: str, letter: str) -> bool:
    if letter in _NOT_FIRST or piece[-1] in _NOT_LAST:
        return False
    if letter == " " or piece[-1] == " ":
        return letter == " " and piece[-1] != " "
    if _is_katakana(letter) and _is_katakana(piece[-1]):
        return False
    return _is_square(letter) or _is_square(piece[-1])


def _is_katakana(letter: str) -> bool:
    """Such letters are a word together, like カウンター."""
    return "ァ" <= letter <= "ヿ"


def _broken(piece: str, size: float, room: float, *, bold: bool) -> list[str]:
    parts = [""]
    for letter in piece:
        if parts[-1] and width(parts[-1] + letter, size, bold=bold) > room:
            parts.append("")
        parts[-1] += letter
    return parts
