"""The report of a session, as a player would post it: one value, written as plain text, as Markdown or as HTML."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from functools import reduce
from typing import Any, Literal

from markupsafe import Markup
from msgspec import Struct, structs

from engine.at import Event
from engine.game import Continue, Game
from engine.messages import message
from engine.transcript import Asked, Divergence, Expected, Played, Replay
from engine.verdict import Verdict
from service.divergences import differences, stops
from service.games import prefix
from service.headlines import SectionRef
from service.languages import beside, capital, reader
from service.questions import drawn
from service.rules import section
from service.sentences import not_again
from service.transcripts import NOTHING, deed, given, last_move, told_lines

WITH_SCENARIO = message("report.title", "%(game)s: %(scenario)s (%(section)s)")
ENDING = message("report.ending", "How it ended")
STANDS = message("report.standing", "%(name)s %(value)s")
AT_THE_END = message("report.at-the-end", "At the end: %(standing)s.")
GOES_ON = message("report.goes-on", "The session stops here; the game is not over.")
FURTHER = message("report.further", "The report goes on after move %(number)s, in its next part.")
WAITS = message("report.waits-for", "Next comes: %(question)s")

# What a line tells: what a player did, what he was asked and answered, what he told by hand, what happened,
# why not, what is not known, and how the session ended.
Kind = Literal["deed", "answer", "told", "event", "refusal", "unknown", "end"]
SIGNS: dict[Kind, str] = {
    "deed": "",
    "answer": "  • ",
    "told": "  • ",
    "event": "    → ",
    "refusal": "    ✗ ",
    "unknown": "    ? ",
    "end": "",
}
NO_MORE = ("none", None)  # who has chosen something before says only that he goes on
LEFT_OUT = ("ritual", "next")  # the same each time, and what the next line shows anyway


class Line(Struct, frozen=True):
    """One thing that was done, answered or happened; `asked` is the question that the text answers."""

    kind: Kind
    text: str
    asked: str = ""
    rules: str = ""


class Chapter(Struct, frozen=True):
    """A part of the session under its heading, if it has one, with what the tracks showed when it began."""

    heading: str
    standing: str
    lines: tuple[Line, ...]


class Session(Struct, frozen=True):
    """A session in one language."""

    lang: str
    title: str
    chapters: tuple[Chapter, ...]


def session(game: Game, went: Replay, lang: str) -> Session:
    """A replay as the report of its session."""
    telling = Telling(game, went.start.position, lang)
    for played in went.played:
        telling.tell(played)
    return telling.ended(went)


# -- what is told ------------------------------------------------------------------------------------


class Telling:
    """Tells one session in one language, move by move, in chapters."""

    def __init__(self, game: Game, start: Any, lang: str) -> None:
        self._game = game
        self._lang, self._speaks = lang, reader(lang)
        self._before = start  # where the next move begins
        self._chapters: list[Chapter] = []
        self._open = Chapter("", self._standing(start), ())
        self._lines: list[Line] = []  # of the open chapter
        self._asked = ""  # the choice that was asked last in this chapter; it is not asked again and again

    def tell(self, played: Played) -> None:
        """One more move; each card or turn that it begins opens a chapter."""
        for piece in self._move(played, self._before):
            if isinstance(piece, Chapter):
                if self._lines:
                    self._close()
                self._open = piece
            else:
                self._lines.append(piece)
        self._before = played.answer.position

    def ended(self, went: Replay, further: int | None = None) -> Session:
        """The session, with how it ended; `further` is the move behind which the next part begins."""
        if went.diverged is not None:
            self.tell(went.diverged.played)
        if self._lines or not went.played:
            self._close()
        heading = "" if further is not None else self._speaks.say(ENDING, {})
        end = Chapter(heading, "", tuple(self._ending(went, further)))
        return Session(self._lang, self._title(went.position), (*self._chapters, end))

    def _close(self) -> None:
        self._chapters.append(structs.replace(self._open, lines=tuple(self._lines)))
        self._lines = []

    def _title(self, position: Any) -> str:
        """The game, and its scenario where one is played."""
        played = getattr(position, "scenario", None)
        name = self._speaks.say(self._game.title, {})
        for one in self._game.scenarios:
            if one.id == played:
                shown = {"game": name, "scenario": one.title, "section": one.id}
                return self._speaks.say(WITH_SCENARIO, shown)
        return name

    def _move(self, played: Played, before: Any) -> Iterator[Line | Chapter]:
        """What a move tells; where it opens a chapter at once, the heading says what was done."""
        opens = bool(played.begins) and played.begins[0].message.name in self._game.chapters
        if not isinstance(played.move.action, Continue) and not opens:
            self._asked = ""
            yield Line("deed", deed(self._speaks, self._game, played.move.action))
        for said in told_lines(self._speaks, self._game, played.move):
            yield Line("told", _one_line(capital(said)))
        yield from self._events(played.begins, self._standing(before))
        for one in played.asked:
            yield from self._answer(one)
            yield from self._events(one.events, "")
        yield from self._verdict(played.answer.verdict)

    def _events(self, events: Iterable[Event], standing: str) -> Iterator[Line | Chapter]:
        for event in not_again(tuple(events)):
            heading = self._game.chapters.get(event.message.name)
            if heading is not None:
                self._asked = ""
                yield Chapter(_one_line(capital(self._speaks.say(heading, event.params))), standing, ())
            elif event.message.tells not in LEFT_OUT:
                text = self._speaks.tell(event.message, event.params)
                yield Line("event", _one_line(text), rules=self._sections(event.rules))

    def _answer(self, one: Asked) -> Iterator[Line]:
        """An answer behind its question; a roll that the next sentence tells is not told before it."""
        if _is_told_by_events(self._game, one):
            return
        text = _one_line(self._answered(one))
        question = one.pending.question
        leads = (question.message.lead, question.message)
        asks = [self._speaks.say(said, question.params) for said in leads if said is not None]
        asked = self._in_a_row(asks)
        if asked != self._asked:
            yield Line("answer", text, asked=_one_line(asked))
        elif one.given[1] not in NO_MORE:
            yield Line("answer", capital(text))
        if one.given[0] == "choose":
            self._asked = asked

    def _answered(self, one: Asked) -> str:
        """An answer that stands behind its question: dice by their faces, the rest by its name."""
        key, value = one.given
        if key in ("cube", "marker"):
            return self._speaks.say(*drawn(self._game, key, value))
        if key == "dice":
            return self._speaks.listed(map(str, value))
        if key == "die" or (key == "read" and type(value) is int):
            return str(value)
        if key == "read" and value == "none" and not getattr(one.pending.question.answers, "options", ()):
            return self._speaks.say(*NOTHING.phrase())
        return given(self._speaks, self._game, one)

    def _verdict(self, verdict: Verdict) -> Iterator[Line]:
        for one in verdict.reasons:
            text = self._speaks.tell(one.requirement.refusal, one.params)
            yield Line("refusal", _one_line(text), rules=self._sections(one.rules))
        for fact in verdict.unknowns:
            yield Line("unknown", _one_line(self._speaks.tell(fact.question, fact.params)))

    def _sections(self, rules: Iterable[str]) -> str:
        """The sections that rules stand in, each once, as they are printed."""
        return self._speaks.listed(map(self._printed, dict.fromkeys(map(section, rules))))

    def _printed(self, number: str) -> str:
        """A section by its number; a chart, which has none, by the name that opens its title."""
        if number[0].isdigit():
            return self._speaks.say(*SectionRef(number).phrase())
        title, _ = self._game.catalogue.texts[f"{prefix(self._game.name)}:{number}"]
        return re.split(r"\s*[:：]", self._speaks.say(title, {}))[0]

    def _standing(self, position: Any) -> str:
        """What the tracks show."""
        shown = self._game.standing(position)
        return self._speaks.listed(
            self._speaks.say(STANDS, {"name": name, "value": value}) for name, value in shown
        )

    # -- how it ended --

    def _ending(self, went: Replay, further: int | None) -> Iterator[Line]:
        if went.diverged is not None:
            yield from self._stop(went.diverged)
        elif further is not None:
            yield Line("end", self._speaks.say(FURTHER, {"number": further}))
        else:
            yield Line("end", _one_line(self._outcome(went)))
        standing = self._standing(went.position)
        if standing:
            yield Line("end", self._speaks.say(AT_THE_END, {"standing": standing}))

    def _stop(self, stop: Divergence) -> Iterator[Line]:
        """Where and why the replay stops."""
        yield Line("end", self._speaks.say(*stops(stop)))
        if stop.played.move.expected != Expected() or "position" in stop.differs:
            yield from (
                Line("end", _one_line(said(self._speaks))) for _, said in differences(self._game, stop)
            )

    def _outcome(self, went: Replay) -> str:
        """The end of the game and what led to it, or as the players told it; else what it waits for."""
        last, over = last_move(went), self._game.over(went.position)
        if over is not None:
            news = [one for one in last.answer.events if one.message.tells == "news"] if last else []
            if not news or news[-1].message is not over.message:
                return self._speaks.say(over.message, over.params)
            told = [self._speaks.tell(one.message, one.params) for one in (*news[-1:], *news[-2:-1])]
        else:
            told = [self._speaks.say(GOES_ON, {})]
            if last is not None and last.answer.pending is not None:
                asks = last.answer.pending.question
                question = self._speaks.say(asks.message, asks.params)
                told.append(self._speaks.say(WAITS, {"question": question}))
        return self._in_a_row(told)

    def _in_a_row(self, sentences: list[str]) -> str:
        return reduce(lambda one, two: beside(one, two, self._speaks.lang), sentences) if sentences else ""


def _is_told_by_events(game: Game, one: Asked) -> bool:
    """Does what happened upon a roll or a draw name what came up?"""
    key, value = one.given
    if key == "die":
        return any(event.params.get("die") == value for event in one.events)
    if key == "cube":
        _, named = drawn(game, key, value)
        return any(event.params.get("cube") in named.values() for event in one.events)
    return False


def _one_line(text: str) -> str:
    """What players write may have lines of its own."""
    return re.sub(r"[\r\n\t\v\f\x85\u2028\u2029]+", " ", text)


# -- plain text --------------------------------------------------------------------------------------


def as_text(told: Session) -> str:
    """As plain text."""
    lines = [told.title]
    for chapter in told.chapters:
        lines += [""]
        lines += [f"=== {chapter.heading} ==="] if chapter.heading else []
        lines += [chapter.standing] if chapter.standing else []
        for line in chapter.lines:
            lines += ["", _text(line)] if line.kind in ("deed", "end") else [_text(line)]
    return re.sub(r"\n{3,}", "\n\n", "\n".join(lines))


def _text(line: Line) -> str:
    asked = f"{line.asked} – " if line.asked else ""
    rules = f" [{line.rules}]" if line.rules else ""
    return f"{SIGNS[line.kind]}{asked}{line.text}{rules}"


# -- Markdown ----------------------------------------------------------------------------------------

_MARKS = "\\`*_{}[]<>#|~!&@"  # the backslash first: it stands before the others then
_ADDRESSES = re.compile(r"(:(?=//)|(?<=www)\.)", re.IGNORECASE)  # they become links, too


def as_markdown(told: Session) -> str:
    """As Markdown."""
    lines = [f"# {_plain(told.title)}"]
    for chapter in told.chapters:
        lines += ["", f"## {_plain(chapter.heading)}", ""] if chapter.heading else [""]
        lines += [f"*{_plain(chapter.standing)}*", ""] if chapter.standing else []
        for line in chapter.lines:
            lines += _markdown(line)
    return re.sub(r"\n{3,}", "\n\n", "\n".join(lines)).rstrip()


def _markdown(line: Line) -> list[str]:
    text = _plain(line.text)
    if line.kind == "deed":
        return ["", f"**{text}**", ""]
    if line.kind == "end":
        return ["", text]
    if line.kind in ("answer", "told"):
        return [f"- {_plain(line.asked)} **{text}**" if line.asked else f"- **{text}**"]
    rules = f" *({_plain(line.rules)})*" if line.rules else ""
    return [f"- {SIGNS[line.kind].strip()} {text}{rules}"]


def _plain(text: str) -> str:
    """Text in which nothing is a mark."""
    for mark in _MARKS:  # five times as fast as translate where a note is long
        text = text.replace(mark, f"\\{mark}")
    return _ADDRESSES.sub(r"\\\1", text)


# -- HTML --------------------------------------------------------------------------------------------

_PAGE = Markup(
    '<!doctype html>\n<html lang="{lang}">\n<head>\n<meta charset="utf-8">\n'
    '<meta name="viewport" content="width=device-width, initial-scale=1">\n<title>{title}</title>\n</head>\n'
    "<body>\n<main>\n<h1>{title}</h1>\n{chapters}\n</main>\n</body>\n</html>"
)
_CHAPTER = Markup("<section>\n{heading}{standing}{body}\n</section>")
_TAGS: dict[Kind, Markup] = {
    "deed": Markup("<h3>{text}</h3>"),
    "answer": Markup("<li>{asked}<strong>{text}</strong></li>"),
    "told": Markup("<li><strong>{text}</strong></li>"),
    "event": Markup("<li>{text}{rules}</li>"),
    "refusal": Markup("<li>✗ {text}{rules}</li>"),
    "unknown": Markup("<li>? {text}</li>"),
    "end": Markup("<p>{text}</p>"),
}


def as_html(told: Session) -> str:
    """As an HTML document; what players wrote is text in it and nothing else."""
    chapters = Markup("\n").join(_chapter(one) for one in told.chapters)
    return str(_PAGE.format(lang=told.lang, title=told.title, chapters=chapters))


def _chapter(one: Chapter) -> Markup:
    heading = Markup("<h2>{}</h2>\n").format(one.heading) if one.heading else ""
    standing = Markup("<p>{}</p>\n").format(one.standing) if one.standing else ""
    body = Markup("\n").join(_html(one.lines))
    return _CHAPTER.format(heading=heading, standing=standing, body=body)


def _html(lines: Iterable[Line]) -> Iterator[Markup]:
    """Lines as tags; those that are no heading and no paragraph stand in a list."""
    in_list = False
    for line in lines:
        listed = line.kind not in ("deed", "end")
        if listed != in_list:
            yield Markup("<ul>") if listed else Markup("</ul>")
        in_list = listed
        asked = Markup("{} ").format(line.asked) if line.asked else ""
        rules = Markup(" <small>{}</small>").format(line.rules) if line.rules else ""
        yield _TAGS[line.kind].format(text=line.text, asked=asked, rules=rules)
    if in_list:
        yield Markup("</ul>")


# -- each by its media type --------------------------------------------------------------------------

WRITINGS: dict[str, Callable[[Session], str]] = {
    "text/plain": as_text,
    "text/markdown": as_markdown,
    "text/html": as_html,
}
