"""How a game names its values and its facts: for forms that ask for them, and for the list of what changed."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Literal

from msgspec import Struct

from engine.actions import Said
from engine.messages import Message, Ref


class Group(Struct, frozen=True):
    """What several values have in common."""

    key: str
    words: Ref


class Kind(Struct, frozen=True):
    """Values of one sort, in the order they are listed; whole numbers between these bounds may be such values."""

    of: str
    words: Mapping[Any, Ref]
    short: Mapping[Any, Ref] = {}
    groups: Mapping[Any, tuple[Group, ...]] = {}  # outermost first
    numbers: tuple[int, int] | None = None


class Given(Struct, frozen=True):
    """Names that the player has given to things of one sort."""

    of: str
    names: tuple[str, ...]


class Changeable(Struct, frozen=True):
    """A fact that a printed result may change: `by` an amount or `to` a value; {} stands for one of `among`."""

    key: str
    words: Ref
    writes: Literal["by", "to"]
    values: Any
    among: Any = None


class Names(Struct, frozen=True):
    """The words of a game: its values, the fields of its types, its facts by pointer, and an action's parameters."""

    kinds: tuple[Kind, ...] = ()
    labels: Mapping[str, Ref] = {}  # by field, or by type and field where a name means two things
    parameters: Mapping[str, Message] = {}  # by parameter, or by action and parameter
    fact: Callable[[list[str]], Said | None] = lambda _: None
    changeable: tuple[Changeable, ...] = ()
    none: Mapping[str, Ref] = {}  # how it is said that there is none, by the field, where “none” would not do
    given: Callable[[Any, list[str]], Given | None] = lambda _, __: (
        None
    )  # names told before that a fact can be
    keys: Mapping[str, str] = {}  # the sort that the numbered entries of a printed list are of, by the list
    unsaid: tuple[str, ...] = ()  # lists whose entries say by themselves what they are
    always: tuple[str, ...] = ()  # what there is one of: by its pointer, or by the question that asks for it

    def kind_of(self, values: Iterable[Any]) -> Kind | None:
        """The sort that all these values are of; the smallest where they could be of several."""
        wanted = set(values)
        fits = [kind for kind in self.kinds if wanted and wanted <= kind.words.keys()]
        return min(fits, key=lambda kind: len(kind.words), default=None)

    def numbered(self, least: int | None, most: int | None) -> Kind | None:
        """The sort whose values are the whole numbers between these bounds."""
        return next((kind for kind in self.kinds if kind.numbers == (least, most)), None)

    def label(self, owner: str, field: str) -> Ref | None:
        """What a field of a type is called."""
        return self.labels.get(f"{owner}.{field}") or self.labels.get(field)

    def parameter(self, action: str, field: str) -> Message | None:
        """How an action's parameter is asked for."""
        return self.parameters.get(f"{action}.{field}") or self.parameters.get(field)
