"""Questions: what a step asks, and the answers it takes: dice, a draw, a choice, or something read off."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from typing import Any

import msgspec
from msgspec import Struct

from engine.chance import Dice, Die, Draw, Impossible, Settled
from engine.exceptions import Refused
from engine.messages import Message, message, requirement
from engine.verdict import Check, Fact

NOT_OFFERED = requirement(
    "choice-not-offered",
    "Only the options listed can be chosen here.",
    met="The answer is one of the options.",
)
WRONG_COUNT = requirement(
    "wrong-number-chosen",
    "From %(least)s to %(most)s can be chosen here; chosen: %(have)s.",
    met="The right number was chosen.",
)
CHOSEN_TWICE = requirement(
    "chosen-twice",
    "The same thing was chosen twice. Each can be chosen once.",
    met="Each was chosen once.",
)
NOT_READABLE_HERE = requirement(
    "reading-not-possible",
    "Look at your copy again, and answer what the question asks.",
    met="The reading fits the question.",
)


class Option(Struct, frozen=True):
    """One answer a decision offers."""

    value: Any
    message: Message
    params: dict[str, Any] = {}


def one_that_says(options: Iterable[Option], value: Any) -> Option | None:
    """The first option with this value; 1 and true are two values."""
    for option in options:
        if option.value == value and type(option.value) is type(value):
            return option
    return None


class Choose:
    """One of several options, worked out as far as somebody looks; closed ones are refused with their own reasons."""

    __slots__ = ("_rest", "_seen", "closed")

    key = "choose"

    def __init__(self, options: Iterable[Option], closed: Iterable[tuple[Any, Check]] = ()) -> None:
        self._seen: list[Option] = []
        self._rest = iter(options)
        self.closed = closed

    def __iter__(self) -> Iterator[Option]:
        yield from self._seen
        for option in self._rest:
            self._seen.append(option)
            yield option

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Choose) and self.options == other.options

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"Choose({self.options!r})"

    @property
    def options(self) -> tuple[Option, ...]:
        """Every option there is."""
        return tuple(self)

    def settled(self) -> Settled | None:
        """The only option, if there is no other."""
        first = list(islice(self, 2))
        return Settled(first[0].value, first[0]) if len(first) == 1 else None

    def listed(self, value: Any) -> Option | None:
        """The option that says this, if one does."""
        return one_that_says(self, value)

    def accept(self, given: Any) -> Any:
        """The option the player chose."""
        chosen = one_that_says(self, given)
        if chosen is not None:
            return chosen.value
        barred = [check for value, check in self.closed if value == given]
        if barred:
            raise Refused(*barred)
        raise Impossible(NOT_OFFERED, given=_shown(given))


class ChooseSome(Struct, frozen=True):
    """Several options at once."""

    options: tuple[Option, ...]
    least: int
    most: int
    sum: tuple[str, int] | None = None  # the parameter of the options that counts, and what it must come to

    key = "choose"

    def settled(self) -> Settled | None:
        """All of them or none, where there is no choice."""
        forced = self.least == self.most == len(self.options) or self.most == 0
        return Settled([option.value for option in self.options[: self.most]]) if forced else None

    def accept(self, given: Any) -> list[Any]:
        """The options the player chose."""
        chosen = [] if given == "none" else given if isinstance(given, list) else [given]
        values = [option.value for option in self.options]
        for one in chosen:
            if one not in values:
                raise Impossible(NOT_OFFERED, given=_shown(one))
        counted = {"least": self.least, "most": self.most, "have": len(chosen)}
        if not self.least <= len(chosen) <= self.most:  # a list that is too long is not compared with itself
            raise Impossible(WRONG_COUNT, **counted)
        if any(one in chosen[:number] for number, one in enumerate(chosen)):
            raise Impossible(CHOSEN_TWICE, **counted)
        return chosen


class Read(Struct, frozen=True):
    """Something the player reads off his own copy, in a stated form."""

    form: Any
    options: tuple[Option, ...] = ()
    likely: tuple[Any, ...] = ()  # values to be shown first
    place: str = ""  # of the components, where it is printed once and for all
    also: tuple[str, ...] = ()  # further places, where it says the same of each
    states: Callable[[Any], Any] | None = (
        None  # what the components state then; None where it may be otherwise
    )

    key = "read"

    def settled(self) -> None:
        """Only the player's copy can tell."""

    def accept(self, given: Any) -> Any:
        """What was read, once its form is right."""
        try:
            return msgspec.convert(given, self.form)
        except msgspec.ValidationError:
            raise Impossible(NOT_READABLE_HERE) from None

    def printed(self, given: Any) -> dict[str, Any]:
        """What is known of the copy from now on, by its pointer; nothing where it may be otherwise the next time."""
        read = self.accept(given)
        stated = read if self.states is None else self.states(read)
        places = (self.place, *self.also) if self.place and stated is not None else ()
        return {place: msgspec.to_builtins(stated) for place in places}


class Known(Struct, frozen=True):
    """An answer that need not be asked for: there is only one, or the components state it."""

    value: Any

    key = ""

    def settled(self) -> Settled:
        """The one answer."""
        return Settled(self.value)

    def accept(self, given: Any) -> Any:
        """Nothing is asked, so nothing can be answered."""
        raise Impossible(NOT_OFFERED, given=_shown(given))


class Told(Struct, frozen=True):
    """A fact of the position, the components or the readings, told under its pointer."""

    fact: Fact

    key = "tell"

    def settled(self) -> None:
        """Only the players' table can tell."""

    def accept(self, given: Any) -> Any:
        """A fact is told, not answered: it stays whatever comes of it."""
        raise Impossible(NOT_OFFERED, given=_shown(given))


Answers = Die | Dice | Draw | Choose | ChooseSome | Read | Known | Told
ACTIONS = Choose(())  # those the row takes: the table says which


def option_of(answers: Answers, value: Any) -> Option | None:
    """How a question lists this answer, if it does."""
    if isinstance(answers, Choose):
        return answers.listed(value)
    return one_that_says(getattr(answers, "options", ()), value)


class Question(Struct, frozen=True):
    """What a step asks, and which answers it takes; the actions its row takes where none are named."""

    message: Message
    answers: Answers = ACTIONS
    params: dict[str, Any] = {}


def ask(said: Message, answers: Answers = ACTIONS, **params: Any) -> Question:
    """A question with the answers it takes; without them it is answered by the actions its row takes."""
    return Question(said, answers, params)


def known(value: Any) -> Question:
    """No question: this is the answer."""
    return Question(SETTLED, Known(value))


SETTLED = message("settled", "Already settled.")


def _shown(given: Any) -> str:
    """What was sent, short enough to be repeated in a sentence."""
    text = given if isinstance(given, str) else msgspec.json.encode(given).decode()
    return text if len(text) <= 60 else f"{text[:57]}…"
