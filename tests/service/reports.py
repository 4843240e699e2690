"""Reports of the sessions that tests play."""

from __future__ import annotations

from engine.transcript import replay
from service.report import Line, Session, as_text, session
from tests.service import sessions
from tests.shown import game


def report_of(name: str, lang: str = "en") -> Session:
    """The report of an example."""
    played = game(sessions.shown(name).game)
    return session(played, replay(played, sessions.session(name)), lang)


def told_as(name: str, lang: str = "en") -> str:
    """The report of an example as plain text."""
    return as_text(report_of(name, lang))


def lines(told: Session) -> list[Line]:
    """Everything that a report tells."""
    return [line for chapter in told.chapters for line in chapter.lines]
