"""An action kind: what decides whether it is allowed, how it begins, in which ways it can be done, how it is offered."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import cache
from typing import TYPE_CHECKING, Any, TypeGuard, TypeVar

from msgspec import NODEFAULT, UNSET, Struct, UnsetType
from msgspec.structs import astuple

from engine.messages import Message, Ref
from engine.verdict import Caution, Check

if TYPE_CHECKING:
    from engine.tables import Where


T = TypeVar("T")
NOT_NAMED: UnsetType = UNSET  # the default of a parameter that an action need not name


def is_named(parameter: T | UnsetType) -> TypeGuard[T]:
    """Does the action name this?"""
    return parameter is not NOT_NAMED


class Said(Struct, frozen=True):
    """A sentence and what stands in its places."""

    message: Message
    params: dict[str, Any]


def say(said: Message, **params: Any) -> Said:
    """A sentence with what stands in its places."""
    return Said(said, params)


def _everything(_: Any) -> Iterable[Any]:
    """One subject that is nobody: for actions that are about nobody in particular."""
    return (None,)


def _of_itself(_: Any, __: Any) -> Iterable[Check | Caution]:
    """Nothing that concerns the subject alone."""
    return ()


class Action(Struct, frozen=True):
    """An action kind.

    `may` decides whether one is allowed, `begin` carries it out. `ways` names each one worth weighing for a
    subject (a Family, an Elder, a marker); it is asked only where `may_at_all`, the part of `may` that concerns
    the subject alone, does not refuse. Where `may` is that part and then `may_so`, only the latter is weighed for
    each way. `offer` words an action as an answer.

    A procedure that pauses lists the `ways`; where these are the plain ones only, `variants` names all there are,
    for whoever asks what may be done. `asks` are the parameters that nobody can list: they are described, or read
    off the player's copy; where one of them, `instead`, is named, nothing of the table refuses the action any more.
    `if_nobody` says why nothing can be done where there is no subject at all.
    """

    kind: type[Struct]
    rule: str
    term: Ref  # names the act as a noun, for a headline
    says: Message
    may: Callable[[Any, Any], Iterable[Check | Caution]]
    begin: Callable[[Any, Any], tuple[Any, Where | None]]
    any_time: bool = False
    offer: Callable[[Any, Any], Said] | None = None
    ways: Callable[[Any, Any], Iterable[Any]] | None = None
    subjects: Callable[[Any], Iterable[Any]] = _everything
    may_at_all: Callable[[Any, Any], Iterable[Check | Caution]] = _of_itself
    may_so: Callable[[Any, Any], Iterable[Check | Caution]] | None = None
    subject: str | tuple[str, ...] = ""  # the parameter that names the subject, or those that do together
    variants: Callable[[Any, Any], Iterable[Any]] | None = None
    asks: Mapping[str, Message] = {}
    instead: str = ""
    if_nobody: Message | None = None
    word: Callable[[Any], str] | None = None  # one action as an answer, where a single word says it
    called: Callable[[Any], tuple[Ref, str]] | None = (
        None  # one action by its own name, with its rule: which Instruction, which marker
    )

    @property
    def name(self) -> str:
        """The kind as requests write it."""
        return str(self.kind.__struct_config__.tag)

    def about(self, subject: Any) -> dict[str, Any]:
        """A subject by the parameters that name it; nothing where the action is about nobody."""
        if subject is None or not self.subject:
            return {}
        if isinstance(self.subject, str):
            return {self.subject: subject}
        return dict(zip(self.subject, subject, strict=True))

    def answered_by(self, do: Any) -> Any:
        """What somebody says who answers with this action."""
        return written(do) if self.word is None else self.word(do)


def written(do: Struct) -> dict[str, Any]:
    """An action as a request writes it, without what is left out."""
    found: dict[str, Any] = {"kind": str(do.__struct_config__.tag)}
    for value, (name, left_out) in zip(astuple(do), _fields(type(do)), strict=True):
        if value != left_out:
            found[name] = value
    return found


@cache
def _fields(kind: type[Struct]) -> tuple[tuple[str, Any], ...]:
    """How each field of an action is written (one may be written otherwise, like `as`), and what it is if left out."""
    names, defaults = kind.__struct_encode_fields__, kind.__struct_defaults__
    must = len(names) - len(defaults)
    return tuple(zip(names, (*(NODEFAULT,) * must, *defaults), strict=True))


def is_whole(action: Action) -> bool:
    """Is such an action said by its kind alone?"""
    return len(action.kind.__struct_defaults__) == len(action.kind.__struct_fields__)
