"""A position under the rules in force: what every rule is asked about and what every step changes."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, ClassVar, Generic, Self, TypeVar

from msgspec import UNSET, Struct, UnsetType
from msgspec.structs import replace

from engine import memory
from engine.catalogue import Ruleset
from engine.memory import Frame, M
from engine.messages import Message, Requirement
from engine.verdict import Caution, Check, Truth, Unknown, joined, occasion, unknown

P = TypeVar("P", bound=Struct)
S = TypeVar("S", bound=Struct)
T = TypeVar("T")


class Event(Struct, frozen=True, gc=False):
    """Something that happened, and how many procedures were under way when it did."""

    message: Message
    rules: tuple[str, ...]
    params: dict[str, Any]
    depth: int = 0


class At(Struct, Generic[P], eq=False):
    """A position, the rules it is read by, and what has come of it so far.

    Whatever is derived from it carries on its events, its cautions and the issues it was asked about.
    """

    made_of: ClassVar[frozenset[str]] = frozenset()  # the facts that its things rest on

    position: P
    rules: Ruleset
    events: tuple[Event, ...] = ()
    cautions: tuple[Caution, ...] = ()
    issues: tuple[str, ...] = ()
    assumed: tuple[Check, ...] = ()
    found: dict[Any, Any] | None = None  # what was asked about this very position
    things: dict[Any, Any] | None = None  # on the table, as the rules ask about them, whatever is under way

    def on(self, position: P) -> Self:
        """The same rules, events, cautions and issues on another position."""
        return replace(self, position=position, found=None, things=None)

    def again(self) -> Self:
        """The very same; what is consulted on it from here on is noted here and nowhere else."""
        if self.things is None:
            self.things = {}
        return replace(self, found=None)

    def apart(self) -> Self:
        """The same position for looking at what might be done: nothing seen there is part of what is done."""
        if self.things is None:
            self.things = {}
        return self.__class__(self.position, self.rules, things=self.things)

    def change(self, **facts: Any) -> Self:
        """The position with these facts replaced; everything else is shared."""
        things = self.things if self.made_of.isdisjoint(facts) else None
        return replace(self, position=replace(self.position, **facts), found=None, things=things)

    def with_agenda(self, agenda: tuple[Frame, ...]) -> Self:
        """The same table with other procedures under way."""
        return replace(self, position=replace(self.position, agenda=agenda), found=None)

    def forget(self, *facts: str) -> Self:
        """The position without these facts: the player has changed them by hand, and has to tell them anew."""
        partial: dict[str, bool] = self.position.partial  # type: ignore[attr-defined]  # every game's has it
        left = {name: said for name, said in partial.items() if name.split(".")[0] not in facts}
        return self.change(**dict.fromkeys(facts, UNSET), **({} if left == partial else {"partial": left}))

    def tell(self, said: Message, *rules: str, **params: Any) -> Self:
        """Note that something happened."""
        depth = len(self.position.agenda)  # type: ignore[attr-defined]  # every game's has it
        return replace(self, events=(*self.events, Event(said, rules, params, depth)), found=None)

    def warn(self, said: Message, *rules: str, pointer: str = "", **params: Any) -> Self:
        """Note that an answer was legal but perhaps not what the player wanted."""
        return self.doubt((Caution(said, rules, pointer, params),))

    def doubt(self, cautions: Iterable[Caution]) -> Self:
        """Note cautions that checks have brought."""
        return replace(self, cautions=(*self.cautions, *cautions), found=None)

    def assume(self, taken: Iterable[Check]) -> Self:
        """Note what was taken for granted on the way."""
        return replace(self, assumed=joined(self.assumed, taken), found=None)

    def occasion(
        self, holds: Truth, requirement: Requirement, *rules: str, pointer: str, takes: Any, **params: Any
    ) -> Check:
        """A demand that only asks whether now is the time; what was not told of it may be taken for granted."""
        asked = Check(holds, requirement, rules, pointer, params)
        return occasion(asked, takes, self.rules.may_assume) if isinstance(holds, Unknown) else asked

    def once(self, ask: Callable[..., T], *about: Any) -> T:
        """What a question about this very position gives; whoever asks again is given the same."""
        if self.found is None:
            self.found = {}
        key = (ask, about)
        if key not in self.found:
            self.found[key] = ask(self, *about)
        return self.found[key]  # type: ignore[no-any-return]

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
            value = value.get(name, UNSET) if type(value) is dict else getattr(value, name)
            if value is UNSET:
                return unknown(f"/{'/'.join(path)}", ask, **params)
            if value is None:
                return None
        return value

    def part(self, name: str, kind: type[S]) -> S:
        """A part of the position to be changed: as it was told, or with nothing told of it."""
        told: S | UnsetType = getattr(self.position, name)
        return kind() if isinstance(told, UnsetType) else told

    def is_partial(self, collection: str) -> bool:
        """Is only a part of this collection told?"""
        partial: dict[str, bool] = self.position.partial  # type: ignore[attr-defined]  # every game's has it
        return partial.get(collection, False)

    def made_partial(self, collection: str) -> Self:
        """The same, with only a part of this collection told."""
        partial: dict[str, bool] = self.position.partial  # type: ignore[attr-defined]  # every game's has it
        if partial.get(collection):
            return self
        return self.change(partial={**partial, collection: True})

    def made_whole(self, collection: str) -> Self:
        """The same, with nothing of this collection left untold."""
        partial: dict[str, bool] = self.position.partial  # type: ignore[attr-defined]  # every game's has it
        if collection not in partial:
            return self
        return self.change(partial={name: True for name in partial if name != collection and partial[name]})

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
        frames = self.agenda
        for number in range(len(frames) - 1, -1, -1):
            if isinstance(frames[number].memory, kind):
                return memory.read(frames, number, kind)
        return None

    def remember(self, **facts: Any) -> Self:
        """Note facts for the later steps of the procedure under way."""
        frames = self.agenda
        top = frames[-1]
        noted = replace(top.memory, **facts)
        return self.with_agenda((*frames[:-1], Frame(top.procedure, top.step, noted)))


AnAt = TypeVar("AnAt", bound=At[Any])
