"""Pictures of the table: a Territory as a strip of cells, each with what lies there.

Nothing here knows a rule or a language: whoever draws brings words and numbers. Colours are the style sheet's; kinds of
counters are told apart by their form, so that they differ in grey, too.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Literal
from xml.etree import ElementTree as ET  # it writes here, and reads nothing

from markupsafe import Markup
from msgspec import Struct

from service.lettering import width

Sign = Literal["raid", "tribal_raid", "intruders", "fort", "rancho", "mission", "corn", "harass"]
Mark = Literal["answer", "here", "changed"]

WIDTH, HEIGHT = 366, 82
STEP, CELL_WIDTH, CELL_HEIGHT, TOP = 46, 44, 58, 23  # TOP: where the cells begin, below the heading
SIGN_WIDTH, SIGN_HEIGHT = 18, 16
TEXT = 12  # no letter is smaller
MOST_WITH_FAMILY, MOST_ALONE = 2, 4  # counters that a cell has room for
MOST_DROUGHT = 2
PIPS = {  # where the eyes of a die are, in thirds
    1: ((1, 1),),
    2: ((0, 0), (2, 2)),
    3: ((0, 0), (1, 1), (2, 2)),
    4: ((0, 0), (2, 0), (0, 2), (2, 2)),
    5: ((0, 0), (2, 0), (1, 1), (0, 2), (2, 2)),
    6: ((0, 0), (2, 0), (0, 1), (2, 1), (0, 2), (2, 2)),
}


class Counter(Struct, frozen=True):
    """A counter in a cell: its sign, and the number or letter in it."""

    sign: Sign
    text: str = ""


class Cell(Struct, frozen=True, kw_only=True):
    """An Area or a box: its short label, where it leads, its whole sentence, and what lies in it."""

    label: str
    href: str
    name: str
    families: str = ""  # their letters
    ferocity: str = ""  # of the one that is there alone
    counters: tuple[Counter, ...] = ()
    untold: bool = False  # something that may lie here was not told
    box: bool = False
    marks: frozenset[Mark] = frozenset()

    @property
    def shown(self) -> tuple[Counter, ...]:
        """The counters there is room for."""
        return self.counters[: MOST_WITH_FAMILY if self.families else MOST_ALONE]

    @property
    def left_out(self) -> int:
        """How many counters there is no room for."""
        return len(self.counters) - len(self.shown)


class Start(Struct, frozen=True):
    """Where a Raid comes from, and how many of its counters wait there."""

    title: str
    href: str
    name: str
    counters: str
    marks: frozenset[Mark] = frozenset()


class Strip(Struct, frozen=True, kw_only=True):
    """A Territory: its die, its name, its droughts, its Areas and its two boxes."""

    title: str
    name: str
    areas: tuple[Cell, ...]
    boxes: tuple[Cell, ...]
    die: int | None = None
    drought: Drought | None = None
    start: Start | None = None


class Drought(Struct, frozen=True):
    """The droughts of a Territory in words and as a number; None where it was not told."""

    text: str
    count: int | None
    href: str
    name: str


def strip(one: Strip) -> Markup:
    """A Territory as one picture, 366 by 82."""
    svg = ET.Element(
        "svg",
        {
            "class": "strip",
            "viewBox": f"0 0 {WIDTH} {HEIGHT}",
            "role": "group",
            "aria-label": one.name,
        },
    )
    _heading(svg, one)
    for number, cell in enumerate(one.areas):
        _cell(svg, cell, number * STEP)
    if one.start is not None:
        _start(svg, one.start, len(one.areas) * STEP + 6)
    for number, cell in enumerate(one.boxes, start=6):
        _cell(svg, cell, number * STEP)
    return _markup(svg)


def _markup(drawn: ET.Element) -> Markup:
    return Markup(ET.tostring(drawn, encoding="unicode"))  # noqa: S704  ElementTree has escaped every text


def _put(into: ET.Element, kind: str, look: str = "", words: str = "", **attributes: Any) -> ET.Element:
    named = {
        key.replace("_", "-"): f"{value:g}" if isinstance(value, float) else str(value)
        for key, value in attributes.items()
    }
    made = ET.SubElement(into, kind, {**({"class": look} if look else {}), **named})
    made.text = words or None
    return made


# -- the heading -------------------------------------------------------------------------------------


def _heading(svg: ET.Element, one: Strip) -> None:
    if one.die is None:
        _put(svg, "path", "line", d="M1 3 h4 l5 12 l5 -12 h4", fill="none")
    else:
        _die(svg, one.die, 0, 1, 16)
    _put(svg, "text", "title", one.title, x=22, y=15)
    if one.drought is not None:
        _drought(svg, one.drought)


def _die(into: ET.Element, eyes: int, x: float, y: float, size: float) -> None:
    """A die with its eyes."""
    _put(into, "rect", "die-face", x=x + 0.75, y=y + 0.75, width=size - 1.5, height=size - 1.5, rx=size / 5)
    for across, down in PIPS[eyes]:
        eye: dict[str, Any] = {"cx": x + size * (0.25 + 0.25 * across), "cy": y + size * (0.25 + 0.25 * down)}
        _put(into, "circle", "die-eye", r=size / 12, **eye)


def _drought(svg: ET.Element, told: Drought) -> None:
    """Two places for suns at the right, the told ones filled, and the number in words before them."""
    link = _put(svg, "a", "drought", href=told.href, aria_label=told.name)
    _put(link, "rect", "touch", x=WIDTH - 150, y=0, width=150, height=TOP - 1)
    _put(link, "text", "quiet end", told.text, x=WIDTH - 46, y=15)
    for place in range(MOST_DROUGHT):
        x = WIDTH - 33.0 + 22 * place
        if told.count is not None and place < told.count:
            _put(link, "circle", "sun", cx=x, cy=11, r=4)
            rays = " ".join(f"M{x:g} 11 m{dx} {dy} l{mx} {my}" for dx, dy, mx, my in _RAYS)
            _put(link, "path", "ray", d=rays)
        else:
            _put(link, "circle", "no-sun", cx=x, cy=11, r=6)


_RAYS = (
    (6, 0, 3, 0),
    (-6, 0, -3, 0),
    (0, 6, 0, 3),
    (0, -6, 0, -3),
    (4, 4, 2, 2),
    (-4, 4, -2, 2),
    (4, -4, 2, -2),
    (-4, -4, -2, -2),
)

# -- a cell ------------------------------------------------------------------------------------------


def _cell(svg: ET.Element, cell: Cell, x: int) -> None:
    look = " ".join(["cell", *(["box"] if cell.box else []), *sorted(cell.marks)])
    link = _put(svg, "a", look, href=cell.href, aria_label=cell.name)
    _put(link, "rect", "touch", x=x, y=TOP, width=CELL_WIDTH, height=CELL_HEIGHT)
    inset = 1.5 if {"answer", "here"} & cell.marks else 0.75
    _put(
        link,
        "rect",
        "frame",
        x=x + inset,
        y=TOP + inset,
        width=CELL_WIDTH - 2 * inset,
        height=CELL_HEIGHT - 2 * inset,
        rx=6,
    )
    _put(link, "text", "quiet", cell.label, x=x + 4, y=TOP + 14, **_squeezed(cell.label))
    changed = "changed" in cell.marks
    if changed:
        _put(link, "path", "flag", d=f"M{x + CELL_WIDTH - 13} {TOP + 1} h12 v12 z")
    if cell.left_out:
        at = x + CELL_WIDTH - (14 if changed else 4)
        _put(link, "text", "more end", f"+{cell.left_out}", x=at, y=TOP + 14)
    below = TOP + 18
    if cell.families:
        _pill(link, cell, x + 3, below)
        below += 21
    for number, counter in enumerate(cell.shown):
        down, across = divmod(number, 2)
        _SIGNS[counter.sign](link, counter, x + 3 + across * 20, below + down * 19)
    if cell.untold:
        alone = not cell.families and not cell.counters
        place: dict[str, Any] = (
            {"x": x + CELL_WIDTH / 2, "y": TOP + 42} if alone else {"x": x + 37, "y": TOP + 54}
        )
        _put(link, "text", "untold middle", "?", **place)


def _squeezed(label: str, room: int = CELL_WIDTH - 8, size: int = TEXT) -> dict[str, Any]:
    """Room for a label whose letters may be wider than its cell."""
    if width(label, size, bold=size > TEXT) <= room:
        return {}
    return {"textLength": room, "lengthAdjust": "spacingAndGlyphs"}


def _pill(link: ET.Element, cell: Cell, x: float, y: float) -> None:
    """The Families of a cell; one that is there alone with its Ferocity."""
    _put(link, "rect", "pill", x=x, y=y, width=CELL_WIDTH - 6, height=18, rx=8)
    if not cell.ferocity:
        middle: dict[str, Any] = {"x": x + (CELL_WIDTH - 6) / 2, "y": y + 13.5}
        _put(
            link,
            "text",
            "on middle strong",
            cell.families,
            **middle,
            **_squeezed(cell.families, CELL_WIDTH - 10, 13),
        )
        return
    _put(link, "text", "on strong", cell.families, x=x + 7, y=y + 13.5)
    _put(link, "path", "on-line", d=f"M{x + 20:g} {y + 4:g} v10")
    _put(link, "text", "on", cell.ferocity, x=x + 24, y=y + 13.5)


def _start(svg: ET.Element, one: Start, x: int) -> None:
    """Where the Raid comes from: an arrow pointing at the map."""
    link = _put(svg, "a", " ".join(["cell", "start", *sorted(one.marks)]), href=one.href, aria_label=one.name)
    right, middle, low = 6 * STEP - 8, TOP + CELL_HEIGHT / 2, TOP + CELL_HEIGHT - 1
    _put(
        link,
        "path",
        "frame theirs",
        d=f"M{x} {TOP + 1} H{right - 22} L{right} {middle:g} L{right - 22} {low} H{x} Z",
    )
    _put(link, "text", "strong", one.title, x=x + 8, y=TOP + 17)
    _raid(link, Counter("raid", one.counters), x + 9, TOP + 27)


# -- counters ----------------------------------------------------------------------------------------


def _raid(into: ET.Element, counter: Counter, x: float, y: float) -> None:
    """A pennant, filled."""
    _put(into, "path", "theirs-filled", d=f"M{x:g} {y:g} h12 l6 8 l-6 8 h-12 z")
    _put(into, "text", "on middle strong", counter.text, x=x + 7, y=y + 12.5)


def _tribal_raid(into: ET.Element, counter: Counter, x: float, y: float) -> None:
    """A diamond, open."""
    _put(into, "path", "theirs-open", d=f"M{x + 9:g} {y - 1:g} l9 9 l-9 9 l-9 -9 z")
    _put(into, "text", "theirs-text middle strong", counter.text, x=x + 9, y=y + 12.5)


def _intruders(into: ET.Element, counter: Counter, x: float, y: float) -> None:
    """A dashed square."""
    _put(into, "rect", "theirs-dashed", x=x + 1, y=y, width=16, height=16)
    _put(into, "text", "theirs-text middle strong", counter.text, x=x + 9, y=y + 12.5)


def _fort(into: ET.Element, counter: Counter, x: float, y: float) -> None:
    """A battlement with the Fort's letter."""
    wall = "v16 h18 v-16 h-4 v3 h-3 v-3 h-4 v3 h-3 v-3 z"
    _put(into, "path", "theirs-filled", d=f"M{x:g} {y:g} {wall}")
    _put(into, "text", "on middle strong", counter.text, x=x + 9, y=y + 14)


def _rancho(into: ET.Element, _: Counter, x: float, y: float) -> None:
    """A house with a door."""
    _put(into, "path", "theirs-open", d=f"M{x + 2:g} {y + 7:g} l7 -6 l7 6 v8 h-14 z")
    _put(into, "path", "theirs-filled", d=f"M{x + 7:g} {y + 15:g} v-5 h4 v5 z")


def _mission(into: ET.Element, _: Counter, x: float, y: float) -> None:
    """A church with its cross."""
    _put(into, "path", "theirs-filled", d=f"M{x + 3:g} {y + 16:g} v-6 l6 -4 l6 4 v6 z")
    _put(into, "path", "theirs-line", d=f"M{x + 9:g} {y + 7:g} v-7 m-3 2.5 h6")


def _corn(into: ET.Element, _: Counter, x: float, y: float) -> None:
    """An ear between two leaves."""
    _put(into, "ellipse", "ours-open", cx=x + 9, cy=y + 6.5, rx=4, ry=6)
    _put(
        into,
        "path",
        "ours-line",
        d=f"M{x + 9:g} {y + 1:g} v15 m-4 -12 h8 m-8 4 h8 M{x + 2:g} {y + 8:g} q1 7 7 8 q6 -1 7 -8",
    )


def _harass(into: ET.Element, _: Counter, x: float, y: float) -> None:
    """A circle, crossed."""
    _put(into, "circle", "ours-open", cx=x + 9, cy=y + 8, r=7)
    _put(
        into,
        "path",
        "ours-line",
        d=f"M{x + 4.5:g} {y + 3.5:g} l9 9 m0 -9 l-9 9",
    )


_SIGNS: dict[Sign, Callable[[ET.Element, Counter, float, float], None]] = {
    "raid": _raid,
    "tribal_raid": _tribal_raid,
    "intruders": _intruders,
    "fort": _fort,
    "rancho": _rancho,
    "mission": _mission,
    "corn": _corn,
    "harass": _harass,
}
SIGNS: tuple[Sign, ...] = tuple(_SIGNS)


def sign(kind: Sign) -> Markup:
    """One sign by itself, for the key; what it is stands beside it."""
    svg = _small(22, 20)
    _SIGNS[kind](svg, Counter(kind), 2, 2)
    return _markup(svg)


def standing(counters: Sequence[Counter]) -> Markup:
    """The signs of the counters in a place side by side, and how many more there are; it is said in words beside them."""
    shown = counters[:MOST_WITH_FAMILY]
    more = len(counters) - len(shown)
    svg = _small(20 * len(shown) + (18 if more else 0), 18)
    for place, counter in enumerate(shown):
        _SIGNS[counter.sign](svg, counter, 1 + 20 * place, 1)
    if more:
        _put(svg, "text", "more", f"+{more}", x=20 * len(shown), y=13)
    return _markup(svg)


def die(eyes: int) -> Markup:
    """A die by itself; its number is said beside it."""
    svg = _small(18, 18)
    _die(svg, eyes, 1, 1, 16)
    return _markup(svg)


def _small(width: int, height: int) -> ET.Element:
    return ET.Element(
        "svg",
        {
            "class": "sign",
            "viewBox": f"0 0 {width} {height}",
            "width": str(width),
            "height": str(height),
            "aria-hidden": "true",
            "focusable": "false",
        },
    )
