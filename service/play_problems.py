"""What can be wrong with a request about a play, or with the database that keeps it."""

from __future__ import annotations

from engine.messages import message
from service.errors import ERRORS
from service.problems import PROBLEMS
from service.problems import Problem as Problem  # noqa: PLC0414  what the modules of plays raise

PROBLEMS |= {
    code: (status, message(f"problem.{code}", text))
    for code, status, text in (
        ("no-key", 401, "Changing this play needs its key. Send it in the header “Authorization: Bearer …”."),
        ("wrong-key", 401, "This key does not open this play. Use the key you were given when it was made."),
        ("unknown-play", 404, "There is no such play; it may have been deleted or have expired."),
        ("unknown-code", 404, "This join code is not valid or has expired. Ask for a new one."),
        ("unknown-key", 404, "This play has no key with this number."),
        (
            "report-not-acceptable",
            406,
            "A report is plain text, Markdown or HTML. Send the header “Accept” with one of these: %(formats)s.",
        ),
        (
            "last-key",
            409,
            "This is the only key that opens this play. Make a join code for another device first, or delete the play.",
        ),
        (
            "nothing-to-undo",
            409,
            "That is further back than the play goes. Moves that can be undone: %(moves)s.",
        ),
        (
            "nothing-to-redo",
            409,
            "That is further on than the play went. Moves that can be made again: %(moves)s.",
        ),
        (
            "not-verified",
            409,
            "This move was imported and has not been played again yet. Verify the play up to it first.",
        ),
        (
            "other-version",
            412,
            "The play has changed meanwhile: it is at version %(version)s. Look at it and send your move again.",
        ),
        (
            "play-too-long",
            413,
            "This play is full: at most %(limit)s moves are kept. Start a new one from its position.",
        ),
        (
            "play-too-large",
            413,
            "This play is full: at most %(limit)s bytes are kept. Start a new one from its position.",
        ),
        ("too-many-keys", 413, "This play has as many keys or open join codes as it may have: %(limit)s."),
        (
            "idempotency-key-reused",
            422,
            "This Idempotency-Key was used for another request. Use a new key for a new request.",
        ),
        (
            "version-missing",
            428,
            "Say which version of the play you mean: send its ETag in the header “If-Match”.",
        ),
        (
            "too-many-plays",
            429,
            "This address keeps as many plays as it may: %(limit)s. Delete one that is no longer needed.",
        ),
        (
            "store-damaged",
            500,
            "What was kept of this play is damaged and cannot be read. Nothing was changed. Restore it from a backup.",
        ),
        (
            "store-away",
            503,
            "The database of plays does not answer. Look at the play again later: what it shows then was kept.",
        ),
        (
            "store-refused",
            503,
            "The disk refuses the file that plays are kept in. See that it has room and may be written to, then look again.",
        ),
        (
            "store-busy",
            503,
            "The database is busy. Nothing was changed. Send the request again in a few seconds.",
        ),
        (
            "store-gone",
            503,
            "The database file is gone. Nothing was changed. Put it back, or restart the server to begin anew.",
        ),
        (
            "store-newer",
            503,
            "The database was made by a newer version of Ruleglot. Nothing was changed. Install that version.",
        ),
        (
            "store-full",
            507,
            "There is no room left where plays are kept. Nothing was changed. Delete plays or make room.",
        ),
    )
}
ERRORS |= {
    code: message(f"error.{code}", text)
    for code, text in (
        ("one-start", "A play starts from a scenario, a position or a transcript: send only one of them."),
        ("no-such-scenario", "There is no scenario “%(given)s”. The numbers are in the list of scenarios."),
        ("not-legal", "This move is not allowed where the transcript makes it, or something is not known."),
        ("outcome-differs", "This move turns out otherwise than the transcript records it."),
        ("after-differs", "After this move the transcript has another position than the one it leads to."),
        ("nothing-told", "Nothing is said here. Name at least one thing that is to be different."),
        ("no-all-languages", "This is given in one language: %(languages)s."),
    )
}


class Damaged(Problem):
    """What was kept of a play cannot be read any more."""

    def __init__(self) -> None:
        super().__init__("store-damaged")


class OtherVersion(Problem):
    """Somebody else changed the play; the newest version goes with the problem."""

    def __init__(self, version: int) -> None:
        super().__init__("other-version", version=version)
        self.version = version
