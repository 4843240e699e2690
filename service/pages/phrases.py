"""Where a line of Japanese may break: between phrases, and never inside a term, a word of one script or a number.

A browser breaks Japanese between any two characters, or nowhere at all (`word-break: keep-all`); only some know phrases.
So `<wbr>` stands between them, hidden from who has the page read to him: what is read out, searched for or copied is
the same with and without.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache, lru_cache
from html import unescape

import budoux
from markupsafe import escape

from service import terms

MARK = '<wbr aria-hidden="true">'
_INSIDE = "a|b|i|mark|small|span"  # elements in the middle of a sentence
# A sentence with the elements in it, from the first text that is not all ASCII; not in <text>, <textarea> or <title>.
_SENTENCE = re.compile(
    rf">((?=[\x00-;=-\x7f]*+[^\x00-\x7f])[^<]++(?:</?(?:{_INSIDE})\b[^>]*+>[^<]++)*+)(?!</t(?:ext|itle))"
)
_TAG = re.compile(r"(<[^>]*>)")
_KANA = "\u3041-\u309f"
_KATAKANA = "\u30a1-\u30ff"
_KANJI = "\u3005\u4e00-\u9fff"
_PHRASED = re.compile(rf"[{_KANA}{_KATAKANA}]")  # what has phrases has kana
# Between these two characters no line ends, whatever stands around them.
_TOGETHER = re.compile(
    rf"[{_KATAKANA}][{_KATAKANA}]|[!-~][!-~]|[{_KATAKANA}{_KANJI}][!-~]|[0-9A-Za-z][{_KATAKANA}{_KANJI}]"
    r"|に(?=[よお対関]|つい)|と[しい]|(?<=分)の[0-9]|[(\[「『（\s].|.[\s)\]」』）、。，．・：；！？ー々ぁぃぅぇぉっゃゅょ]"
)
_NUMBERED = re.compile(rf"[{_KATAKANA}]+#[0-9]+")  # a browser ends a line before the sign


def marked(page: str) -> str:
    """A page with the places marked where its Japanese may break."""
    return _SENTENCE.sub(lambda found: f">{_marked(found[1])}", page)


@lru_cache(maxsize=2_000)
def _marked(sentence: str) -> str:
    if _PHRASED.search(sentence) is None:
        return sentence
    pieces = _TAG.split(sentence)
    words = [unescape(one) for one in pieces[::2]]
    found, here = "", 0
    places = breaks("".join(words))
    for number, text in enumerate(words):
        inside = [place - here for place in places if here < place <= here + len(text)]
        found += _with_marks(text, inside) + (pieces[2 * number + 1] if 2 * number + 1 < len(pieces) else "")
        here += len(text)
    return found


def _with_marks(text: str, places: list[int]) -> str:
    """A text as it is written, marked at these places."""
    ends = [*places, len(text)]
    phrases = (str(escape(text[start:end])) for start, end in zip([0, *places], ends, strict=True))
    return _NUMBERED.sub(r'<span class="whole">\g<0></span>', MARK.join(phrases))


def breaks(text: str) -> tuple[int, ...]:
    """The places at which a line of this text may break, beside its spaces."""
    return tuple(place for place in _between_phrases(text) if not _belongs_together(text, place))


def _between_phrases(text: str) -> Iterator[int]:
    place = 0
    for phrase in _parser().parse(text)[:-1]:
        place += len(phrase)
        yield place


def _belongs_together(text: str, place: int) -> bool:
    return _TOGETHER.match(text, place - 1) is not None or any(
        text.startswith(term, place - before)
        for before, term in _across().get(text[place - 1 : place + 1], ())
        if before <= place
    )


@cache
def _parser() -> budoux.Parser:
    return budoux.load_default_japanese_parser()


@cache
def _across() -> dict[str, list[tuple[int, str]]]:
    """The terms in katakana and kanji by each two characters that stand beside each other in them, and where."""
    found: dict[str, list[tuple[int, str]]] = {}
    forms = {form for concept in terms.load().values() for form in concept.wording("ja").accepted}
    for term in sorted(forms):
        if not term.isascii() and not re.search(rf"[{_KANA}\s]", term):
            for place in range(1, len(term)):
                found.setdefault(term[place - 1 : place + 1], []).append((place, term))
    return found


def warm() -> None:
    """Load what knows the phrases; it may be done before workers are forked."""
    _parser()
    _across()
