"""A position under the rules in force: what every rule is asked about and what every step changes."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, Generic, Self, TypeVar

import msgspec
from msgspec import UNSET, Struct

from engine import memory
from engine.catalogue import Ruleset
from engine.memory import Frame, M
from engine.messages import Message
from engine.verdict import Caution, unknown

P = TypeVar("P", bound=Struct)
T = TypeVar("T")


class Event(Struct, frozen=True):
    """Something that happened."""

    message: Message
    rules: tuple[str, ...]
    params: dict[str, Any]


class At(Generic[P]):
    """A position, the rules it is read by, and what has come of it so far.

    Whatever is derived from it carries on its events, its cautions and the issues it was asked about.
    """

    __slots__ = ("_found", "cautions", "events", "issues", "position", "rules")

    def __init__(
        self,
        position: P,
        rules: Ruleset,
        events: tuple[Event, ...] = (),
        cautions: tuple[Caution, ...] = (),
        issues: tuple[str, ...] = (),
    ) -> None:
        self.position = position
        self.rules = rules
        self.events = events
        self.cautions = cautions
        self.issues = issues

    def on(self, position: P) -> Self:
        """The same rules, events, cautions and issues on another position."""
        return self.__class__(position, self.rules, self.events, self.cautions, self.issues)

    def apart(self) -> Self:
        """The same position for looking at what might be done: nothing seen there is part of what is done."""
        return self.__class__(self.position, self.rules)

    def change(self, **facts: Any) -> Self:
        """The position with these facts replaced; everything else is shared."""
        return self.on(msgspec.structs.replace(self.position, **facts))

    def forget(self, *facts: str) -> Self:
        """The position without these facts: the player has changed them by hand, and has to tell them anew."""
        return self.change(**dict.fromkeys(facts, UNSET))

    def tell(self, said: Message, *rules: str, **params: Any) -> Self:
        """Note that something happened."""
        events = (*self.events, Event(said, rules, params))
        return self.__class__(self.position, self.rules, events, self.cautions, self.issues)

    def warn(self, said: Message, *rules: str, pointer: str = "", **params: Any) -> Self:
        """Note that an answer was legal but perhaps not what the player wanted."""
        return self.doubt((Caution(said, rules, pointer, params),))

    def doubt(self, cautions: Iterable[Caution]) -> Self:
        """Note cautions that checks have brought."""
        doubts = (*self.cautions, *cautions)
        return self.__class__(self.position, self.rules, self.events, doubts, self.issues)

    def once(self, ask: Callable[..., T], *about: Any) -> T:
        """What a question about this very position gives; whoever asks again is given the same."""
        key = (ask, about)
        try:
            return self._found[key]  # type: ignore[no-any-return]
        except AttributeError:
            self._found: dict[Any, Any] = {}
        except KeyError:
            pass
        found = self._found[key] = ask(self, *about)
        return found

    def choice(self, issue: str) -> str:
        """How this request reads a point on which the documents disagree; that it was asked is noted here."""
        if issue not in self.issues:
            self.issues = (*self.issues, issue)
        return self.rules.reading(issue)

    def told(self, *path: str, ask: Message, **params: Any) -> Any:
        """A fact of the position by its path; where it was not told, unknown with that path as its pointer.

        What there is none of (null) has no parts: they are none, too.
        """
        value: Any = self.position
        for name in path:
            value = value.get(name, UNSET) if isinstance(value, dict) else getattr(value, name)
            if value is UNSET:
                return unknown(f"/{'/'.join(path)}", ask, **params)
            if value is None:
                return None
        return value

    @property
    def components(self) -> Any:
        """What is known of the printed tables and the map."""
        return self.rules.components

    @property
    def agenda(self) -> tuple[Frame, ...]:
        """The procedures under way, outermost first."""
        frames: tuple[Frame, ...] = self.position.agenda  # type: ignore[attr-defined]
        return frames

    def noted(self, kind: type[M]) -> M | None:
        """What the innermost procedure with such a memory has noted; None where none is under way."""
        for number in range(len(self.agenda) - 1, -1, -1):
            if isinstance(self.agenda[number].memory, kind):
                return memory.read(self.agenda, number, kind)
        return None

    def remember(self, **facts: Any) -> Self:
        """Note facts for the later steps of the procedure under way."""
        *outer, top = self.agenda
        noted = msgspec.structs.replace(top.memory, **facts)
        return self.change(agenda=(*outer, Frame(top.procedure, top.step, noted)))


AnAt = TypeVar("AnAt", bound=At[Any])
