"""What is wrong at one place of a request, worded: what was found, what could be there, what to do."""

from __future__ import annotations

from difflib import get_close_matches
from typing import Any

from babel.lists import format_list

from engine.exceptions import Unreadable
from engine.messages import Message, message
from engine.pointers import parts
from service.languages import Reader, beside
from service.terms import LANGUAGES

FEW = 12  # as many possible values are listed; of more, only the nearest
MANY = 24  # as many are listed where none is near, such as the rows of a chart
LONGEST = 60  # what was sent is repeated up to here

# By its stable code.
ERRORS: dict[str, Message] = {
    code: message(f"error.{code}", text)
    for code, text in (
        (
            "not-json",
            "From line %(line)s, character %(column)s on this is not valid JSON. Check brackets, quotes and commas there.",
        ),
        ("missing-field", "The field “%(field)s” is missing. Add it."),
        ("unknown-field", "There is no field “%(field)s” here. Check its spelling or leave it out."),
        ("wrong-type", "This value has the wrong type. Expected: %(allowed)s."),
        ("unknown-value", "“%(given)s” is not possible here. Check it."),
        ("unknown-name", "“%(given)s” is not a name the game knows here. Check its spelling."),
        (
            "not-a-pointer",
            "“%(given)s” does not begin with “/”. A fact is named by its JSON pointer, such as /tracks/ap.",
        ),
        ("out-of-range", "This value is out of range. It must be: %(allowed)s."),
        (
            "unknown-language",
            "This language is not offered. Choose %(languages)s, or “all” for every one of them.",
        ),
        ("not-one-answer", "An input is one answer under exactly one of these names: %(allowed)s."),
        ("no-question", "Ask a question, or give a section number such as 5.2.4."),
        ("too-long", "This text is too long: at most %(limit)s characters are read."),
        ("too-many", "There are too many entries here; at most %(limit)s are read."),
        (
            "replay-too-long",
            "A replay plays at most %(limit)s moves and answers together. Send the rest with the position it reaches.",
        ),
        (
            "import-too-dear",
            "Only the first %(limit)s of these moves can be played in one request. Give the position after the last one, or send fewer.",
        ),
        (
            "import-too-long",
            "Only the first %(limit)s of these moves can be brought in by one request. Send fewer.",
        ),
        (
            "batch-too-dear",
            "These actions together are too much for one request. Send at most %(limit)s of them at once.",
        ),
        (
            "no-aims",
            "This game has no aims. Leave the aim out, and say what you answer to each question instead.",
        ),
        ("unknown-issue", "There is no disputed rule named “%(given)s”. They are listed at /v1/games."),
        (
            "unknown-choice",
            "“%(given)s” is not one of the readings of this rule. Choose one of: %(allowed)s.",
        ),
        (
            "other-game",
            "This is a game of “%(given)s”, and cannot be read as one of “%(game)s”. Choose the game it is of.",
        ),
        (
            "against-connections",
            "This does not fit the connections of the map that are named beside it. Correct one of the two.",
        ),
        (
            "unknown-procedure",
            "Nothing that can be under way is called “%(given)s”. Send the step under way as the last answer gave it.",
        ),
        (
            "unknown-step",
            "What is under way has no step “%(given)s”. Send the step under way as the last answer gave it.",
        ),
    )
}
# Where a value, a name or a field is not known, what is known is said too.
POSSIBLE = message("error.possible", "Possible here: %(allowed)s.")
NEAREST = message("error.nearest", "Did you mean %(nearest)s?")
_HINTED = (
    "unknown-field",
    "unknown-value",
    "unknown-name",
    "unknown-issue",
    "unknown-procedure",
    "unknown-step",
)

TYPES = {
    "int": message("type.int", "a whole number"),
    "number": message("type.number", "a number"),
    "str": message("type.str", "a text"),
    "bool": message("type.bool", "true or false"),
    "object": message("type.object", "an object {…}"),
    "array": message("type.array", "a list […]"),
    "null": message("type.null", "nothing"),
}
AT_LEAST = message("range.at-least", "at least %(least)s")
AT_MOST = message("range.at-most", "at most %(most)s")
BETWEEN = message("range.between", "between %(least)s and %(most)s")
COUNTED = {
    "str": message("range.characters", "%(kind)s, number of characters %(range)s"),
    "array": message("range.entries", "%(kind)s, number of entries %(range)s"),
    "object": message("range.entries", "%(kind)s, number of entries %(range)s"),
}


def detail(error: Unreadable, speaks: Reader) -> str:
    """One sentence or two in the reader's language."""
    params = {"field": _last(error.pointer), "languages": list(LANGUAGES), **error.params}
    if error.code == "wrong-type":
        params["allowed"] = [_type(kind, speaks) for kind in _listed(params.get("allowed"))]
    if error.code == "out-of-range":
        params["allowed"] = _range(params, speaks)
    said = speaks.say(ERRORS[error.code], _short(params, speaks))
    hint = _hint(params, speaks) if error.code in _HINTED else ""
    return beside(said, hint, speaks.lang) if hint else said


def _last(pointer: str) -> str:
    return parts(pointer)[-1] if pointer else ""


def _listed(allowed: Any) -> list[Any]:
    return allowed if isinstance(allowed, list) else [allowed]


def _type(kind: str, speaks: Reader) -> str:
    return speaks.say(TYPES[kind], {})


def _range(params: dict[str, Any], speaks: Reader) -> str:
    """at least 1; at most 5; a list, number of entries at most 7."""
    said = AT_MOST if "least" not in params else AT_LEAST if "most" not in params else BETWEEN
    words = speaks.say(said, params)
    kind = params.get("kind")
    return speaks.say(COUNTED[kind], {"kind": _type(kind, speaks), "range": words}) if kind else words


def _hint(params: dict[str, Any], speaks: Reader) -> str:
    """Every possible value where they are few, otherwise those that look most like what was sent, if any does."""
    allowed = [str(value) for value in _listed(params.get("allowed", []))]
    if 0 < len(allowed) <= FEW:
        return speaks.say(POSSIBLE, {"allowed": alternatives(allowed, speaks)})
    given = str(params.get("given", params["field"]))[:LONGEST].lower()
    nearest = get_close_matches(given, allowed)
    if nearest:
        return speaks.say(NEAREST, {"nearest": alternatives(nearest, speaks)})
    return (
        speaks.say(POSSIBLE, {"allowed": alternatives(allowed, speaks)}) if 0 < len(allowed) <= MANY else ""
    )


def alternatives(values: list[str], speaks: Reader) -> str:
    """a, b or c."""
    return format_list(values, style="or", locale=speaks.lang)


def _short(params: dict[str, Any], speaks: Reader) -> dict[str, Any]:
    """Parameters as a sentence takes them: lists as alternatives, what was sent short enough to be repeated."""
    return {
        name: alternatives(list(map(str, value)), speaks)
        if isinstance(value, list)
        else shortened(value, name)
        for name, value in params.items()
    }


def shortened(value: Any, name: str = "given") -> Any:
    """What was sent, short enough to be repeated."""
    sent = name in ("given", "field") and isinstance(value, str) and len(value) > LONGEST
    return f"{value[: LONGEST - 3]}…" if sent else value
