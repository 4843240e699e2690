"""Procedures as tables: a chart or a numbered list of the rules, one row for each thing that can be asked or happen.

    automatic("culture", RULE, lose_culture, then="caught", title="Culture Points are lost")

A row's function is handed the position and what the procedure has noted, and an answer where the row asks for one.
It gives the position after it, and where to go if the table does not say it:

    return at                            the row named by `then`, or the one below
    return at, "resolution"              another row of this procedure
    return at, call(BATTLE, family="C")  another procedure; when it ends, `then` or the row below follows
    return at, end(result="FV")          the end; the caller's memory takes what is handed back
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, Literal

import msgspec
from msgspec import Struct

from engine.actions import Action
from engine.memory import Frame, Memory
from engine.messages import Message, message
from engine.questions import Option, Question
from engine.verdict import Caution, Check

END = "end"  # as a row to go to: the procedure is over
OVER = "over"  # as a row to go to: the game is over, whatever was under way

Rules = str | tuple[str, ...]
Kind = Literal["automatic", "chance", "decision", "reading"]


class Call(Struct, frozen=True):
    """Go through another procedure, then on with the row the table names."""

    procedure: str
    facts: dict[str, Any]
    step: str = ""


class End(Struct, frozen=True):
    """The procedure is over; the caller's memory takes what is handed back."""

    facts: dict[str, Any]


Where = str | Call | End
Asks = Callable[[Any, Any], Question]
Matters = Callable[[Any, Frame], Memory]  # a frame's memory without what none of its later rows can read
Does = Callable[..., Any]  # a position, or a position and where to go


class Instead(Struct, frozen=True):
    """What may be said instead of doing one of the actions a decision takes, and the row that follows then."""

    option: Option
    goes: str
    when: Callable[[Any, Any], bool] | None = None  # where it cannot be said always
    beside: bool = False  # it comes after the actions, and nobody is asked where none of them can be done

    @property
    def comes_first(self) -> bool:
        """Is it “none”? That is offered first, unless it stands beside the actions; anything else comes after them."""
        return bool(self.option.value == "none") and not self.beside


def instead(
    said: Message,
    goes: str,
    value: str = "none",
    when: Callable[[Any, Any], bool] | None = None,
    *,
    beside: bool = False,
) -> Instead:
    """Decline with these words, or say what else may be done, and go on with that row; only where `when` holds, if it is named."""
    return Instead(Option(value, said), goes, when, beside)


class Step(Struct, frozen=True):
    """One row of a procedure's table."""

    name: str
    kind: Kind
    rules: tuple[str, ...]
    do: Does | None
    asks: Asks | None = None
    takes: tuple[Action, ...] = ()
    or_else: Instead | None = None
    reads: Callable[[Any, Any, Any], Any] | None = (
        None  # answers as they were written before they were actions
    )
    demands: Callable[[Any, Any, Any], Iterable[Check | Caution]] | None = (
        None  # of an action, besides its own checks
    )
    notes: Callable[[Any, Any, Any], Any] | None = (
        None  # what is noted of the answer before it is carried out
    )
    then: str = ""  # in a table: the row named, or the one below
    goes: tuple[str, ...] = ()  # the rows it can lead to
    title: Message | str = ""
    part: Message | None = None

    def action_of(self, do: Any) -> Action | None:
        """The action this row takes such an answer as, None if it does not take it."""
        for action in self.takes:
            if action.kind is type(do):
                return action
        return None


class Part(Struct, frozen=True):
    """A heading of the chart."""

    name: str
    title: str


class Procedure(Struct, frozen=True):
    """A chart or a numbered list of the rules as a table of steps."""

    name: str
    memory: type[Memory]
    steps: dict[str, Step]
    title: Message | None = None
    renamed: dict[str, str] = {}  # rows of positions saved earlier: what they are called now
    renamed_fields: dict[str, str] = {}
    matters: Matters | None = None

    def after(self, step: str) -> str:
        """The row that follows a call, and a row that names none."""
        return self.steps[step].then


def procedure(
    name: str,
    memory: type[Memory],
    *rows: Step | Part,
    title: str = "",
    renamed: Mapping[str, str] | None = None,
    renamed_fields: Mapping[str, str] | None = None,
    matters: Matters | None = None,
) -> Procedure:
    """A table of rows in the order of the printed chart; a row or a field that does not exist is an error here.

    Chances follow two branches as one where they differ only in what no longer `matters`.
    """
    steps = {step.name: step for step in _titled(name, rows)}
    table = Procedure(
        name,
        memory,
        steps,
        message(f"chart.{name}", title) if title else None,
        dict(renamed or {}),
        dict(renamed_fields or {}),
        matters,
    )
    below = dict(zip(steps, [*list(steps)[1:], END], strict=True))
    for step in list(steps.values()):
        _check_row(table, step)
        then = step.then or below[step.name]
        steps[step.name] = msgspec.structs.replace(step, then=then, goes=step.goes or _follows(then, step))
    return table


def _follows(then: str, step: Step) -> tuple[str, ...]:
    """Where a row leads that declares nothing: what the table says follows, and what follows a refusal to act."""
    ways = [then, *([step.or_else.goes] if step.or_else else [])]
    return tuple(dict.fromkeys(ways))


def _titled(name: str, rows: tuple[Step | Part, ...]) -> Iterator[Step]:
    """Each row with its title and the heading it stands under."""
    heading: Message | None = None
    for row in rows:
        if isinstance(row, Part):
            heading = message(f"chart.{name}.{row.name}", row.title)
            continue
        title = (
            message(f"row.{name}.{row.name}", row.title)
            if isinstance(row.title, str) and row.title
            else row.title
        )
        yield msgspec.structs.replace(row, title=title, part=heading)


def _check_row(table: Procedure, step: Step) -> None:
    """Every row it names exists, and its functions read this procedure's memory."""
    named = [*step.goes, *([step.then] if step.then else []), *([step.or_else.goes] if step.or_else else [])]
    lost = [row for row in named if row not in (END, OVER, *table.steps)]
    if lost:
        raise ValueError(f"{table.name}/{step.name} leads to rows that do not exist: {lost}")
    when = step.or_else.when if step.or_else else None
    for function in filter(callable, (step.do, step.asks, step.reads, step.demands, step.notes, when)):
        _check_memory(table, step, function)


def _check_memory(table: Procedure, step: Step, function: Callable[..., Any]) -> None:
    """A row's function must be handed the memory it was written for."""
    wanted: Any = list(inspect.signature(function).parameters.values())[1].annotation
    if isinstance(wanted, str):
        wanted = getattr(function, "__globals__", {}).get(wanted)
    if isinstance(wanted, type) and issubclass(wanted, Memory) and not issubclass(table.memory, wanted):
        raise TypeError(f"{table.name}/{step.name} notes {table.memory.__name__}, not {wanted.__name__}")


def part(name: str, title: str) -> Part:
    """A heading of the chart, for the rows below it."""
    return Part(name, title)


def automatic(
    name: str, rule: Rules, do: Does, *, then: str = "", goes: tuple[str, ...] = (), title: str | Message = ""
) -> Step:
    """A row that needs nobody."""
    return Step(name, "automatic", _rules(rule), do, then=then, goes=goes, title=title)


def chance(
    name: str,
    rule: Rules,
    asks: Asks,
    do: Does,
    *,
    then: str = "",
    goes: tuple[str, ...] = (),
    title: str | Message = "",
) -> Step:
    """A row that waits for dice or a draw."""
    return Step(name, "chance", _rules(rule), do, asks, then=then, goes=goes, title=title)


def decision(
    name: str,
    rule: Rules,
    asks: Asks | Message,
    do: Does | None = None,
    *,
    takes: tuple[Action, ...] = (),
    or_else: Instead | None = None,
    demands: Callable[[Any, Any, Any], Iterable[Check | Caution]] | None = None,
    notes: Callable[[Any, Any, Any], Any] | None = None,
    reads: Callable[[Any, Any, Any], Any] | None = None,
    then: str = "",
    goes: tuple[str, ...] = (),
    title: str | Message = "",
) -> Step:
    """A row that waits for the player's choice.

    One that `takes` actions offers their ways, as far as they also meet what the row itself `demands`. The action
    is what is done, after what the row `notes` of it, unless the row has a function of its own. `reads` reads
    answers of saved games that were not written as actions yet.
    """
    return Step(
        name,
        "decision",
        _rules(rule),
        do,
        _always(asks) if isinstance(asks, Message) else asks,
        takes,
        or_else,
        reads,
        demands,
        notes,
        then,
        goes,
        title,
    )


def once_written(known: Mapping[str, Any]) -> Callable[[Any, Any, Any], Any]:
    """How a row reads answers that were words before they were actions: each word, and what it says now."""
    return lambda _at, _noted, given: known.get(given)


def reading(
    name: str,
    rule: Rules,
    asks: Asks,
    do: Does,
    *,
    then: str = "",
    goes: tuple[str, ...] = (),
    title: str | Message = "",
) -> Step:
    """A row that waits for something the player reads off his own copy."""
    return Step(name, "reading", _rules(rule), do, asks, then=then, goes=goes, title=title)


def _always(said: Message) -> Asks:
    """The same question whatever the position."""
    return lambda _at, _noted: Question(said)


def _rules(rule: Rules) -> tuple[str, ...]:
    return (rule,) if isinstance(rule, str) else rule


def call(target: Procedure | str, step: str = "", **facts: Any) -> Call:
    """Go through another procedure now, from its first row or from the one named.

    Charts that call each other name the other one; the rest name the table itself.
    """
    return Call(target if isinstance(target, str) else target.name, facts, step)


def end(**facts: Any) -> End:
    """This procedure is over."""
    return End(facts)
