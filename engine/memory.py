"""What procedures under way have noted: the frames of the agenda, and how a row reads its own.

A field that was not told reads as unknown, with its place in the agenda and the question that asks
for it:

    class EvadeMemory(Memory, frozen=True):
        family: Noted[FamilyLetter] = NOT_NOTED
"""

from __future__ import annotations

from functools import cache
from operator import attrgetter
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, TypeAlias, TypeVar

import msgspec
from msgspec import UNSET, Meta, Struct, UnsetType

from engine.messages import Message, message
from engine.verdict import Unknown, unknown

MOST_FRAMES = 24  # procedures in each other; a Battle in a Raid in an Enemy turn is the fifth

MEMORY_FACT = message("memory-fact", "What has the step under way noted under “%(field)s”?")

T = TypeVar("T")
NOT_NOTED: Any = UNSET

# A row sees a value or an unknown; what is saved is the value, or nothing.
if TYPE_CHECKING:
    NotNoted: TypeAlias = Unknown
    Noted: TypeAlias = T | Unknown
else:
    NotNoted = UnsetType
    Noted = T | UnsetType


class Memory(Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """What a procedure has to remember between its steps; each field may be untold."""

    questions: ClassVar[dict[str, Message]] = {}  # how a field is asked for, where somebody walks in


M = TypeVar("M", bound=Memory)


class Frame(Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """One procedure under way: which, at which step, remembering what."""

    procedure: str
    step: str
    memory: Any = UNSET
    answered: dict[str, Any] | UnsetType = UNSET  # given already; a fact is asked for before it can be used

    def __hash__(self) -> int:
        return hash(msgspec.msgpack.encode(self, order="sorted"))


Agenda = Annotated[tuple[Frame, ...], Meta(max_length=MOST_FRAMES)]


class AsRead(Struct, frozen=True, gc=False):
    """A memory as its rows read it: each field is its value, or unknown where it was not told."""

    _memory: Memory
    _number: int


def _field(name: str) -> property:
    """A field of a memory as its rows read it."""
    noted = attrgetter(name)

    def told(seen: AsRead) -> Any:
        value = noted(seen._memory)
        if value is not UNSET:
            return value
        question = seen._memory.questions.get(name, MEMORY_FACT)
        return unknown(f"/agenda/{seen._number}/memory/{name}", question, field=name)

    return property(told)


@cache
def _as_read(kind: type[Memory]) -> type[AsRead]:
    """How rows read a memory of this type."""
    fields = {name: _field(name) for name in kind.__struct_fields__}
    seen: Any = msgspec.defstruct(f"{kind.__name__}AsRead", (), bases=(AsRead,), namespace=fields)
    return seen  # type: ignore[no-any-return]


def read(agenda: tuple[Frame, ...], number: int, _: type[M]) -> M:
    """What one of the procedures under way has noted, as its rows read it."""
    noted: Any = agenda[number].memory
    seen: Any = _as_read(noted.__class__)(noted, number)
    return seen  # type: ignore[no-any-return]
