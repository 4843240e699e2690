"""A chart as a picture for a phone: its rows from top to bottom, told apart by form and words, not by colour."""

from __future__ import annotations

from typing import Any
from xml.etree import ElementTree as ET  # it writes here, and reads nothing

from engine.messages import message
from engine.tables import END, OVER
from service.answers import ChartAnswer, RowEntry
from service.languages import Reader
from service.lettering import wrapped

YOU_ARE_HERE = message("chart.you-are-here", "You are here")
LEGEND = message(
    "chart.legend",
    "Square: you are asked. Round: happens by itself. Tick: done. An arrow names a row where it can go on.",
)
KIND = {
    "decision": message("chart.kind-decision", "you choose"),
    "chance": message("chart.kind-chance", "dice or a draw"),
    "reading": message("chart.kind-reading", "read it off your copy"),
    "automatic": message("chart.kind-automatic", "by itself"),
}
TIMES = message("chart.times", "done %(count)s times", one=("count", "done %(count)s time"))
ENDS = {
    END: message("chart.ends", "then the chart is done"),
    OVER: message("chart.over", "or the game is over"),
}

WIDTH, MARGIN, INDENT = 390, 14, 56  # INDENT: where the words begin, right of the signs
ROOM = WIDTH - MARGIN - INDENT - 4
TITLE, HEADING, ROW, SMALL = 20, 17, 16, 14
INK, FAINT, PAPER, MARK = "#1b1f27", "#4c5462", "#ffffff", "#fdeab0"
FONTS = "Helvetica, Arial, Noto Sans, Noto Sans JP, Noto Sans CJK JP, Hiragino Sans, Yu Gothic, Meiryo, sans-serif"


def picture(chart: ChartAnswer, speaks: Reader) -> bytes:
    """The chart as SVG, 390 wide and as high as it needs."""
    sheet = _Sheet(speaks)
    sheet.heading(str(chart.title), TITLE)
    sheet.text(wrapped(speaks.say(LEGEND, {}), SMALL, WIDTH - 2 * MARGIN), MARGIN, SMALL, FAINT)
    sheet.down(6)
    part = None
    numbers = {row.name: row.number for row in chart.rows}
    for row in chart.rows:
        if row.part != part and row.part:
            sheet.down(8)
            sheet.heading(str(row.part), HEADING)
        part = row.part
        sheet.row(row, _under(row, numbers, speaks))
    return sheet.drawn(chart)


def _under(row: RowEntry, numbers: dict[str, int], speaks: Reader) -> str:
    """The small line below a row's title: what it is, how often it was done, and where else it can lead."""
    said = [speaks.say(KIND[row.kind], {})]
    if row.done > 1:
        said.append(speaks.say(TIMES, {"count": row.done}))
    jumps = [numbers[name] for name in row.goes if name in numbers and numbers[name] != row.number + 1]
    said += [f"{'↑' if to <= row.number else '↓'}\N{NO-BREAK SPACE}{to}" for to in jumps]
    said += [speaks.say(words, {}) for name, words in ENDS.items() if name in row.goes]
    return "\N{NO-BREAK SPACE}· ".join(said)


class _Sheet:
    """What is drawn so far, and how far down."""

    def __init__(self, speaks: Reader) -> None:
        self._speaks = speaks
        self._root = ET.Element("g")
        self._y = float(MARGIN)
        self._sign_before: float | None = None

    def down(self, by: float) -> None:
        """Leave some room."""
        self._y += by

    def heading(self, words: str, size: int) -> None:
        """A title, or the heading of a part; the line of the rows begins anew below it."""
        self.text(wrapped(words, size, WIDTH - 2 * MARGIN, bold=True), MARGIN, size, INK, bold=True)
        self._sign_before = None
        self.down(4)

    def text(self, lines: list[str], x: float, size: int, ink: str, *, bold: bool = False) -> None:
        """Lines of text, one below the other."""
        for line in lines:
            self._y += size * 1.35
            self._put(
                "text",
                line,
                x=x,
                y=self._y - size * 0.32,
                font_size=size,
                fill=ink,
                **({"font_weight": "bold"} if bold else {}),
            )

    def row(self, row: RowEntry, under: str) -> None:
        """A row: its sign, its title, and the small line; the present one is framed and says so."""
        words = wrapped(str(row.title), ROW, ROOM, bold=row.here)
        small = wrapped(under, SMALL, ROOM)
        here = wrapped(self._speaks.say(YOU_ARE_HERE, {}), SMALL, ROOM, bold=True) if row.here else []
        height = 12 + len(words) * ROW * 1.35 + (len(small) + len(here)) * SMALL * 1.35
        if row.here:
            frame: dict[str, Any] = {
                "x": 3,
                "y": self._y + 1,
                "width": WIDTH - 6,
                "height": height - 2,
                "rx": 8,
            }
            self._put("rect", fill=MARK, stroke=INK, stroke_width=3, **frame)
        top = self._y
        self._sign(row, top + 22)
        self._y += 6
        self.text(here, INDENT, SMALL, INK, bold=True)
        self.text(words, INDENT, ROW, INK, bold=row.here)
        self.text(small, INDENT, SMALL, FAINT)
        self._y = top + height

    def _sign(self, row: RowEntry, y: float) -> None:
        """Square where somebody is asked, round and dashed where not; filled with a tick once it is done."""
        x = MARGIN + 15.0
        if self._sign_before is not None:
            self._put("line", x1=x, y1=self._sign_before + 15, x2=x, y2=y - 15, stroke=FAINT, stroke_width=2)
        self._sign_before = y
        filled = row.here or row.done > 0
        look: dict[str, Any] = {
            "fill": INK if filled else PAPER,
            "stroke": INK if filled else FAINT,
            "stroke_width": 2,
        }
        if row.kind == "automatic":
            dashes = {} if filled else {"stroke_dasharray": "3 2"}
            self._put("circle", cx=x, cy=y, r=14, **look, **dashes)
        else:
            self._put("rect", x=x - 15, y=y - 15, width=30, height=30, rx=4, **look)
        if row.done and not row.here:
            tick = f"M{x - 7:g} {y:g} l5 6 l9 -12"
            self._put("path", d=tick, fill="none", stroke=PAPER, stroke_width=3)
            return
        number = str(row.number)
        self._put(
            "text",
            number,
            x=x,
            y=y + 5,
            font_size=SMALL,
            font_weight="bold",
            text_anchor="middle",
            fill=PAPER if filled else INK,
        )

    def _put(self, name: str, words: str = "", **attributes: Any) -> None:
        named = {
            key.replace("_", "-"): f"{value:g}" if isinstance(value, float) else str(value)
            for key, value in attributes.items()
        }
        ET.SubElement(self._root, name, named).text = words or None

    def drawn(self, chart: ChartAnswer) -> bytes:
        """The whole picture, with its title and its rows in words for those who do not see it."""
        height = f"{self._y + MARGIN:g}"
        svg = ET.Element(
            "svg",
            {
                "xmlns": "http://www.w3.org/2000/svg",
                "viewBox": f"0 0 {WIDTH} {height}",
                "width": str(WIDTH),
                "height": height,
                "role": "img",
                "aria-labelledby": "title rows",
                "xml:lang": self._speaks.lang,
                "lang": self._speaks.lang,
                "font-family": FONTS,
            },
        )
        ET.SubElement(svg, "title", {"id": "title"}).text = str(chart.title)
        ET.SubElement(svg, "desc", {"id": "rows"}).text = " ".join(self._said(row) for row in chart.rows)
        ET.SubElement(svg, "rect", {"width": str(WIDTH), "height": height, "fill": PAPER})
        svg.append(self._root)
        drawn: bytes = ET.tostring(svg, encoding="utf-8", xml_declaration=True)
        return drawn

    def _said(self, row: RowEntry) -> str:
        here = f" ({self._speaks.say(YOU_ARE_HERE, {})})" if row.here else ""
        return f"{row.number}. {row.title}{here}"
