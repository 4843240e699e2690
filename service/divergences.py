"""Where a game that is replayed came out otherwise than recorded, in words."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import zip_longest
from typing import Any, Literal

from msgspec import UNSET

from engine import transcript
from engine.game import Game
from engine.messages import Act, Message, act, message
from engine.pointers import parts
from engine.transcript import Change, Divergence, Expected, is_recorded_as
from engine.verdict import ILLEGAL, LEGAL, UNDETERMINED
from service import told_facts, wordings
from service.languages import Reader, capital

STOPS = {
    LEGAL: message(
        "replay.diverged", "The replay stops at move %(number)s: its outcome differs from the record."
    ),
    ILLEGAL: message("replay.refused", "The replay stops at move %(number)s: it is not allowed."),
    UNDETERMINED: message(
        "replay.open",
        "The replay stops at move %(number)s: something is not known, so it cannot be said whether it is allowed.",
    ),
}
RULING = {
    LEGAL: act("ruling.legal", "allowed"),
    ILLEGAL: act("ruling.illegal", "not allowed"),
    UNDETERMINED: act("ruling.undetermined", "undetermined"),
}
OTHER_RULING = message("replay.other-ruling", "Ruling: recorded %(recorded)s, now %(found)s.")
ANOTHER_EVENT = message("replay.another-event", "Event %(number)s differs from the record: %(found)s")
NO_EVENT = message("replay.no-event", "Event %(number)s was recorded, and does not happen.")
OTHER_QUESTION = message("replay.other-question", "Question: recorded “%(recorded)s”, now “%(found)s”.")
NO_QUESTION = act("replay.no-question", "no question")
ANOTHER_QUESTION = act("replay.another-question", "another question")
OTHER_CHANGE = message("replay.other-change", "%(fact)s: recorded %(recorded)s, now %(found)s.")
ANOTHER_PLACE = act("replay.another-place", "a place of the table that this version does not know")
UNCHANGED = act("replay.unchanged", "unchanged")
NOT_TOLD = act("replay.not-told", "not told")

Phrase = tuple[Message, dict[str, Any]]
Differs = Literal["ruling", "events", "pending", "position", "changes"]
Said = Callable[[Reader], str]


def stops(stop: Divergence) -> Phrase:
    """That the replay stops here: at a difference to what was recorded, or at a move nobody had tried."""
    untried = stop.played.move.expected == Expected()
    return STOPS[stop.played.found.ruling if untried else LEGAL], {"number": stop.number}


def differences(game: Game, stop: Divergence) -> Iterator[tuple[Differs, Said]]:
    """What was recorded beside what came out; under another ruling nothing else can be the same."""
    wanted, found = stop.played.move.expected, stop.played.found
    if "ruling" in stop.differs:
        sides = {"recorded": RULING[wanted.ruling], "found": RULING[found.ruling]}
        yield "ruling", lambda reader: reader.say(OTHER_RULING, sides)
        return
    if "events" in stop.differs:
        yield "events", lambda reader: _first_other(reader, stop)
    if "pending" in stop.differs:
        asked = {"recorded": _question(game, wanted.pending), "found": _question(game, found.pending)}
        yield "pending", lambda reader: reader.say(OTHER_QUESTION, asked)
    if "position" in stop.differs:
        after = stop.played.move.position_after
        for pointer, one, other in transcript.changed(after, stop.played.answer.position):
            yield "position", _sides(game, pointer, one, other)
    if "changes" in stop.differs:
        for pointer, recorded, now in transcript.other_changes(wanted, found):
            yield "changes", _sides(game, pointer, _to(recorded), _to(now))


def _first_other(reader: Reader, stop: Divergence) -> str:
    """The first event that differs; those behind it follow from it."""
    wanted, found = stop.played.move.expected.events, stop.played.answer.events
    pairs = enumerate(zip_longest(wanted, found), start=1)  # type: ignore[arg-type]  # else none would differ
    number, now = next(
        (number, now) for number, (name, now) in pairs if now is None or not is_recorded_as(now, name)
    )
    if now is None:
        return reader.say(NO_EVENT, {"number": number})
    return reader.say(ANOTHER_EVENT, {"number": number, "found": reader.tell(now.message, now.params)})


def _question(game: Game, name: Any) -> Act:
    """A question by the title of its row; a recorded name may be of a row that is no more."""
    if not name:
        return NO_QUESTION
    rows = ((table, step) for table in game.procedures.values() for step in table.steps.values())
    asked = (step.title for table, step in rows if f"{table.name}-{step.name}" == name)
    return next((Act(title.name) for title in asked if isinstance(title, Message)), ANOTHER_QUESTION)


def _to(change: Change | None) -> Any:
    """What a place changed to; itself a message where it did not change."""
    return UNCHANGED if change is None else change.to


def _sides(game: Game, pointer: str, recorded: Any, now: Any) -> Said:
    """A fact of the table as it was recorded and as it came out."""

    def said(reader: Reader) -> str:
        words = {"fact": _place(reader, game, pointer)}
        for side, value in (("recorded", recorded), ("found", now)):
            words[side] = _value(reader, game, pointer, value)
        return reader.tell(OTHER_CHANGE, words)

    return said


def _place(reader: Reader, game: Game, pointer: str) -> str:
    """What a record says has changed; it may be of a version that had other places, or of somebody's own making."""
    path = tuple(parts(pointer))
    if not path or wordings.type_at(game.name, path) is None:
        return capital(reader.say(*ANOTHER_PLACE.phrase()))
    return wordings.named(reader, game, pointer)


def _value(reader: Reader, game: Game, pointer: str, value: Any) -> str:
    if value is UNCHANGED or value is UNSET:
        return reader.say(*(NOT_TOLD if value is UNSET else UNCHANGED).phrase())
    return told_facts.value(reader, game, pointer, value)
