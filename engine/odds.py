"""The chances of an action: every die and every draw it can meet, followed through its own procedures.

The procedures are run row by row, as a check runs them. A row that waits for chance is answered with everything that
can come, by integer weights; all branches of one layer share a denominator, so that equal ones are merged by adding.
Beyond the budget what is left is sampled, and the answer says so.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from functools import partial
from itertools import islice
from math import lcm
from typing import Any, Literal, Protocol

import msgspec
from msgspec import UNSET, Struct

from engine import codec
from engine.actions import written
from engine.ahead import CHANCE, MOST_CHOICES, Ahead
from engine.at import At, Event
from engine.chance import Draw
from engine.exceptions import Refused, Unreadable, Untold
from engine.flow import NO_INPUTS, Inputs, Pending, Run, answered, is_action, run
from engine.game import Game, action_of, extra, read_action, ruled, set_out
from engine.memory import Frame
from engine.messages import Message, message
from engine.policy import Policy, possible, preferred
from engine.questions import Choose, ChooseSome, Question
from engine.tables import Step
from engine.tally import Before, Both, End, Line, Outcome, Tally, places
from engine.telling import told_action, told_by_input
from engine.verdict import ILLEGAL, LEGAL, UNDETERMINED, Fact, Verdict, must_know, once

MOST_NODES = 10_000  # positions looked at in one request
MOST_SECONDS = 1.5  # for what is followed; samples get as much again
MOST_RUNS = 2_000  # samples of each line of play
MOST_ROWS = 50  # of a table
SEED = 1

DONE = message("outcome.done", "It is carried out to its end.")
NOT_FOLLOWED = message(
    "outcome.not-followed", "There were too many ways to go on from here to follow them all."
)
LOST = "not-followed"
UNFINISHED = {LOST, "decision-open", "reading-needed", "fact-needed"}  # nobody knows what these serve
MAIN = "main"  # the line of play of whoever does not choose by himself
DECISION = (Choose, ChooseSome)
_encode = msgspec.msgpack.Encoder(order="deterministic").encode


class Luck(Protocol):
    """What draws samples: Python's own `random.Random`, or what plays it."""

    def choices(self, population: Sequence[Any], weights: Sequence[float]) -> list[Any]:
        """One of these, by their weights."""


class Budget(Struct, frozen=True):
    """How much may be looked at. The engine has no clock and no luck of its own: without them nothing is sampled."""

    nodes: int = MOST_NODES
    seconds: float = MOST_SECONDS
    runs: int = MOST_RUNS
    seed: int = SEED
    clock: Callable[[], float] = lambda: 0.0
    luck: Callable[[int], Luck] | None = None  # by its seed

    def shared(self, by: int) -> Budget:
        """As much for each of several."""
        nodes, runs = max(1, self.nodes // by), max(1, self.runs // by)
        return msgspec.structs.replace(self, nodes=nodes, seconds=self.seconds / by, runs=runs)


class Choice(Struct, frozen=True):
    """The line of play of one answer to the first open decision."""

    value: Any
    said: tuple[tuple[Message, dict[str, Any]], ...]  # each option it takes
    line: Line
    best: bool | None  # None where no aim was named


class Odds(Struct, frozen=True):
    """The chances of an action; nothing but the verdict where it may not be done."""

    verdict: Verdict
    line: Line = Line([], {})
    choices: tuple[Choice, ...] = ()
    decision: Pending | None = None  # the first open one, that of the choices
    complete: bool = True  # all its answers are among the choices
    exact: bool = True
    refused: Literal["answer", "action"] | None = None  # what the reasons speak against
    compared: bool = True  # an aim was named, and can tell the choices apart; or none was
    checks: int = 0  # positions looked at
    issues: dict[str, str] = {}


class Row(Struct, frozen=True):
    """One row of a table: an action and its chances."""

    action: Any
    values: dict[str, Any]  # of the parameters that make it another row
    odds: Odds
    best: bool | None = None  # None where no aim was named


# -- asking ------------------------------------------------------------------------------------------


def odds(
    game: Game,
    at: At[Any],
    do: Any,
    inputs: Sequence[tuple[str, Any]] = (),
    policy: Policy | None = None,
    budget: Budget | None = None,
) -> Odds:
    """How likely does this come to what? An action is followed to its own end, `continue` to that of its procedure."""
    do = told_action(game, do, inputs)
    action, asked = action_of(game, do), Inputs(inputs, partial(told_by_input, game))
    at, verdict = ruled(game, at.apart(), do, asked)
    if verdict.ruling != LEGAL:
        barred = bool(verdict.reasons)
        return Odds(verdict, refused="action" if barred else None, issues=_read_by(at, at.issues))
    depth = len(at.agenda) + (action is not None)
    try:
        begun = set_out(game, at, action, do, asked)
        went = run(begun, asked, game.procedures, partial(read_action, game), depth)
        if went.used < len(inputs):
            raise extra(game, action, went)
        walk = _Walk(game, at, depth, policy or Policy(), budget or Budget())
        return walk.odds(verdict, went)
    except Refused as error:
        stopped = msgspec.structs.replace(verdict, ruling=ILLEGAL, reasons=tuple(error.reasons))
        issues = _read_by(at, (*at.issues, *error.issues))
        return Odds(stopped, refused="action" if error.accepted is None else "answer", issues=issues)
    except Untold as error:
        facts = once(error.unknown.facts)
        stopped = msgspec.structs.replace(verdict, ruling=UNDETERMINED, unknowns=facts)
        return Odds(stopped, issues=_read_by(at, (*at.issues, *error.issues)))


def table(
    game: Game,
    at: At[Any],
    do: Any,
    vary: dict[str, list[Any]],
    inputs: Sequence[tuple[str, Any]] = (),
    policy: Policy | None = None,
    budget: Budget | None = None,
) -> list[Row]:
    """The chances of an action for each value of some of its parameters; all rows share the budget."""
    actions = list(islice(_varied(game, do, vary), MOST_ROWS + 1))
    if len(actions) > MOST_ROWS:
        raise Unreadable("too-many", "/vary", limit=MOST_ROWS)
    each = (budget or Budget()).shared(len(actions) or 1)
    found = [odds(game, at, one, inputs, policy, each) for one, _ in actions]
    compared = all(one.compared for one in found)
    best = _best([one.line for one in found if one.line.outcomes]) if compared else None
    return [
        Row(do, values, one, None if best is None or one.line.worth is None else one.line.worth == best)
        for (do, values), one in zip(actions, found, strict=True)
    ]


def _varied(game: Game, do: Any, vary: dict[str, list[Any]]) -> Iterator[tuple[Any, dict[str, Any]]]:
    """The action with each value of the first parameter, and for each of these with each value of the next."""
    if not vary:
        yield do, {}
        return
    (name, values), *rest = vary.items()
    for number, value in enumerate(values):
        pointer = f"/vary/{codec.escape(name)}"
        if name not in do.__struct_encode_fields__:
            allowed = sorted(do.__struct_encode_fields__)
            raise Unreadable("unknown-field", pointer, field=name, allowed=allowed)
        try:
            varied = codec.read({**written(do), name: value}, game.action_types, "")
        except Unreadable as error:
            error.pointer = f"{pointer}/{number}"
            raise
        for one, others in _varied(game, varied, dict(rest)):
            yield one, {name: value, **others}


def _read_by(at: At[Any], issues: Sequence[str]) -> dict[str, str]:
    return {issue: at.rules.reading(issue) for issue in issues}


# -- walking -----------------------------------------------------------------------------------------


class Chosen(Struct, frozen=True):
    """Which lines of play a branch belongs to once the first open decision is made: that of one answer, or all but some.

    Where an answer is not offered, its line goes on as that of whoever does not choose by himself.
    """

    answer: str = ""  # as text
    but: frozenset[str] = frozenset()

    def is_in(self, line: str) -> bool:
        """Does the branch belong to this line of play?"""
        return line == self.answer if self.answer else line not in self.but


class Node(Struct, frozen=True):
    """Where a branch stands: what it came to so far, and what it waits for or has ended in."""

    at: Any
    came: Outcome | None
    chosen: Chosen | None  # None before the first open decision
    pending: Pending | None
    ended: Outcome | None
    wanted: tuple[Any] | None = None  # the answer that the policy gives

    @property
    def answers(self) -> Any:
        """What it waits for."""
        return self.pending.question.answers  # type: ignore[union-attr]  # one that has ended is not asked

    def is_in(self, line: str) -> bool:
        """Does it belong to this line of play? Before the first open decision it belongs to all."""
        return self.chosen is None or self.chosen.is_in(line)

    def end(self, outcome: Outcome, chosen: Chosen | None) -> Node:
        """The same branch, ended here."""
        return Node(self.at, self.came, chosen, None, outcome)


Layer = list[tuple[Node, int]]  # with their weights


class _Walk:
    """One walk through all that can come of an action."""

    def __init__(self, game: Game, at: At[Any], depth: int, policy: Policy, budget: Budget) -> None:
        self._game = game
        self._before = Before(at.position)
        self._first = msgspec.structs.astuple(at.position)
        self._places = at.position.__struct_fields__
        self._depth = depth
        self._policy = policy
        self._aim = game.aims.get(policy.aim)
        self._budget = budget
        self._clock = budget.clock
        self._until = self._clock() + budget.seconds
        self._reads = partial(read_action, game)
        self._issues: dict[str, None] = dict.fromkeys(at.issues)
        self._nodes = 0
        self._whole = 1  # the denominator of the layer
        self._ends: list[tuple[End, Node, int, int]] = []  # with weight and denominator
        self._decision: Pending | None = None  # the first open one
        self._choices: dict[str, tuple[Any, Any]] = {}  # its answers, with the options they take
        self._complete = True
        self._ahead = Ahead(
            lambda node, value: self._after(node, value, node.chosen or Chosen()),
            self._judged,
            lambda node: self._signature(node.at),
            self._spent,
            lambda node: node.ended.name in UNFINISHED,
        )

    def odds(self, verdict: Verdict, went: Run) -> Odds:
        """Everything that can come, from where the answers given have led."""
        if self._aim:
            must_know(self._aim(went.at))
        left = self._walk([(self._node(went, None, None), 1)])
        line = self._line(MAIN, left)
        apart = [(*one, self._line(key, left)) for key, one in list(self._choices.items())]
        best = None if self._ahead.blind else _best([line for *_, line in apart])
        choices = tuple(
            Choice(value, _said(options), line, None if best is None else line.worth == best)
            for value, options, line in apart
        )
        return Odds(
            verdict,
            line,
            choices,
            self._decision,
            complete=self._complete,
            exact=not left and not self._ahead.guessed,
            compared=self._aim is None or not apart or best is not None,
            checks=self._nodes,
            issues=_read_by(went.at, tuple(self._issues)),
        )

    # -- layer by layer

    def _walk(self, layer: Layer) -> Layer:
        """Follow every branch to its end; those that the budget leaves over are given back."""
        layer = self._without_ends(layer)
        while layer:
            common = lcm(*(_total(node) for node, _ in layer))
            found: dict[Any, tuple[Node, int]] = {}
            for node, weight in layer:
                if self._spent():  # the whole layer is left, also what was followed of it
                    return layer
                self._branch(node, weight * common // _total(node), found)
            self._whole *= common
            layer = self._without_ends(found.values())
        return []

    def _spent(self) -> bool:
        return self._nodes >= self._budget.nodes or self._clock() > self._until

    def _without_ends(self, layer: Any) -> Layer:
        """Put aside what has ended; the rest goes on."""
        self._ends += [
            (self._end(node), node, weight, self._whole) for node, weight in layer if node.ended is not None
        ]
        return [(node, weight) for node, weight in layer if node.ended is None]

    def _branch(self, node: Node, share: int, found: dict[Any, tuple[Node, int]]) -> None:
        """Every way on from a branch; those that come to the same are one."""
        for child, part in self._ways_on(node):
            came = child.ended or child.came
            key = (self._signature(child.at), came and came.key, child.chosen)
            known = found.get(key)
            found[key] = (child, share * part + (known[1] if known else 0))

    def _signature(self, at: At[Any]) -> bytes:
        """What makes branches equal: those parts of their positions that are not the ones it began with, as far as they matter."""
        now = zip(self._places, msgspec.structs.astuple(at.position), self._first, strict=True)
        changed: dict[str, Any] = {
            place: None if value is UNSET else (value,) for place, value, first in now if value is not first
        }
        changed["agenda"] = [self._that_matters(at, frame) for frame in at.agenda]
        return _encode(changed)

    def _that_matters(self, at: At[Any], frame: Frame) -> Frame:
        matters = self._game.procedures[frame.procedure].matters
        if matters is None:
            return frame
        return Frame(frame.procedure, frame.step, matters(at, frame), frame.answered)

    def _ways_on(self, node: Node) -> Iterator[tuple[Node, int]]:
        """Everything that can come next, with its weight."""
        if isinstance(node.answers, CHANCE):
            for value, weight in node.answers.outcomes():
                yield self._after(node, value, node.chosen), weight
        elif self._is_first_open(node):
            for chosen, answer in self._apart(node):
                yield self._chosen(node, chosen, answer), 1
        else:
            yield self._after(node, self._answer(node), node.chosen), 1

    def _after(self, node: Node, value: Any, chosen: Chosen | None) -> Node:
        """Where an answer leads; what the next step lacks, or refuses, ends the branch."""
        try:
            return self._node(self._go_on(node.at, node.pending.step, value), node.came, chosen)  # type: ignore[union-attr]  # it waits
        except Untold as stop:
            self._issues.update(dict.fromkeys(stop.issues))
            return node.end(_lacking(stop.unknown.facts, node.came), chosen)
        except Refused as stop:
            self._issues.update(dict.fromkeys(stop.issues))
            why = stop.reasons[0]
            refused = Outcome(
                why.requirement.name, why.requirement.refusal, why.params, why.pointer, node.came
            )
            return node.end(refused, chosen)

    def _go_on(self, at: At[Any], step: Step, value: Any) -> Run:
        """On to the next question; an action is held to its checks, anything else was offered as it is."""
        procedures = self._game.procedures
        if step.takes and is_action(at, step, value):
            return run(at, Inputs((("choose", value),)), procedures, self._reads, self._depth)
        return run(answered(at, step, value, procedures), NO_INPUTS, procedures, self._reads, self._depth)

    def _node(self, went: Run, came: Outcome | None, chosen: Chosen | None) -> Node:
        """Where a run has led; of what it told only the outcome is kept."""
        self._nodes += 1
        if went.at.issues:
            self._issues.update(dict.fromkeys(went.at.issues))
        if went.at.events:
            came = self._came(went.at.events) or came
        pending = went.pending
        wanted = self._preferred(pending) if pending is not None and self._policy.answers else None
        node = Node(went.at.apart(), came, chosen, pending, None, wanted)
        if went.missing:
            return node.end(_lacking(went.missing, came), chosen)
        if pending is None:
            return node.end(came or Outcome("done", DONE, {}), chosen)
        if isinstance(node.answers, Draw) and node.answers.untold is not None:
            return node.end(_lacking((node.answers.untold,), came), chosen)
        stops = self._stops(node)
        return node if not stops else node.end(_waiting(stops, node), chosen)

    def _came(self, events: tuple[Event, ...]) -> Outcome | None:
        """The last event that is an outcome of what was asked about, not of a procedure inside it."""
        for event in reversed(events):
            meant = event.message.amounts_to
            if meant is not None and event.depth <= self._depth:
                said = {place: event.params[place] for place in places(meant)}
                return Outcome(meant.name.removeprefix("outcome."), meant, said)
        return None

    # -- decisions

    def _stops(self, node: Node) -> str:
        """What a branch ends in, where nobody answers what it waits for."""
        if node.wanted is not None or isinstance(node.answers, CHANCE):
            return ""
        if not isinstance(node.answers, DECISION):
            return "reading-needed"
        return "" if self._is_first_open(node) or self._aim is not None else "decision-open"

    def _is_first_open(self, node: Node) -> bool:
        """Is this the first decision that no policy makes? Its answers are followed apart."""
        if node.chosen is not None or node.wanted is not None or isinstance(node.answers, CHANCE):
            return False
        if self._decision is None:
            self._decision = node.pending
        return self._decision.name == node.pending.name  # type: ignore[union-attr]  # it waits

    def _offered(self, node: Node) -> dict[str, tuple[Any, Any]]:
        """The answers to the first open decision, by their text."""
        found = list(islice(possible(node.answers), MOST_CHOICES + 1))
        self._complete = self._complete and len(found) <= MOST_CHOICES
        offered = {_as_text(value): (value, options) for value, options in found[:MOST_CHOICES]}
        for key, one in offered.items():
            self._choices.setdefault(key, one)
        return offered

    def _apart(self, node: Node) -> Iterator[tuple[Chosen, tuple[Any] | None]]:
        """Every line of play at the first open decision: who does not choose, or cannot choose so here, serves the aim."""
        offered = self._offered(node)
        served = "" if self._aim is None else _as_text(self._ahead.best(node))
        others = Chosen(but=frozenset(offered) - {served})
        for key, (value, _) in offered.items():
            yield others if key == served else Chosen(key), (value,)
        if not served:
            yield others, None

    def _chosen(self, node: Node, chosen: Chosen, answer: tuple[Any] | None) -> Node:
        """Where a line of play leads from the first open decision; without an answer it ends there."""
        if answer is None:
            return node.end(_waiting("decision-open", node), chosen)
        return self._after(node, answer[0], chosen)

    def _answer(self, node: Node) -> Any:
        """The answer that the policy gives, or that serves the aim."""
        return self._ahead.best(node) if node.wanted is None else node.wanted[0]

    def _preferred(self, pending: Pending) -> tuple[Any] | None:
        """The first answer of the policy that is offered."""
        wanted, answers = self._policy.answers.get(pending.name), pending.question.answers
        if not wanted or not isinstance(answers, DECISION):
            return None
        return preferred(wanted, lambda: islice(possible(answers), MOST_CHOICES), self._game.groups)

    def _judged(self, node: Node) -> int:
        """How a position serves the aim."""
        return must_know(self._aim(node.at)) if self._aim else 0

    # -- what it comes to

    def _line(self, chosen: str, left: Layer) -> Line:
        """One line of play: what was followed to its end, and samples of the rest."""
        followed, samples = Tally(), Tally()
        for end, node, weight, whole in self._ends:
            if node.is_in(chosen):
                followed.add(end, weight * (self._whole // whole))
        mine = [(node, weight) for node, weight in left if node.is_in(chosen)]
        if mine:
            self._sample(mine, chosen, samples)
        for node, weight in mine if not samples.count else ():
            followed.add(self._end(node.end(Outcome(LOST, NOT_FOLLOWED, {}), node.chosen)), weight)
        both = Both(followed, self._whole, samples, sum(weight for _, weight in mine), self._before)
        return both.line(judged=self._aim is not None)

    def _end(self, node: Node) -> End:
        return self._before.end(node.ended, node.at.position, self._judged(node))  # type: ignore[arg-type]  # it has ended

    def _sample(self, left: Layer, chosen: str, samples: Tally) -> None:
        """Play on from what is left as chance will have it, each time with the same seed."""
        if self._budget.luck is None:
            return
        luck = self._budget.luck(self._budget.seed)
        until = self._clock() + self._budget.seconds / (len(self._choices) + 1)
        weights = [weight / self._whole for _, weight in left]
        for _ in range(self._budget.runs):
            node = luck.choices(left, weights)[0][0]
            while node.ended is None:
                if self._clock() > until:
                    return
                node = self._onward(node, chosen, luck)
            samples.add(self._end(node), 1)

    def _onward(self, node: Node, chosen: str, luck: Luck) -> Node:
        """One step of a sample."""
        if isinstance(node.answers, CHANCE):
            values, weights = zip(*node.answers.outcomes(), strict=True)
            return self._after(node, luck.choices(values, weights)[0], node.chosen)
        if not self._is_first_open(node):
            return self._after(node, self._answer(node), node.chosen)
        mine = next(one for one in self._apart(node) if one[0].is_in(chosen))
        return self._chosen(node, *mine)


def _best(lines: list[Line]) -> Fraction | None:
    """The most that is to be expected of any line of play; None where no aim was named, or one was not seen to its end."""
    worths = [line.worth for line in lines if line.worth is not None]
    unfinished = any(outcome.name in UNFINISHED for line in lines for outcome, _ in line.outcomes)
    return max(worths) if worths and not unfinished else None


def _total(node: Node) -> int:
    """The weight of all that can come next."""
    answers = node.answers
    return sum(weight for _, weight in answers.outcomes()) if isinstance(answers, CHANCE) else 1


def _as_text(value: Any) -> str:
    return msgspec.json.encode(value).decode()


def _said(options: Any) -> tuple[tuple[Message, dict[str, Any]], ...]:
    return tuple((option.message, option.params) for option in options)


def _waiting(name: str, node: Node) -> Outcome:
    """A branch that ends in a question."""
    question: Question = node.pending.question  # type: ignore[union-attr]  # it waits
    return Outcome(name, question.message, question.params, so_far=node.came)


def _lacking(facts: Sequence[Fact], came: Outcome | None) -> Outcome:
    """A branch that ends where a fact was not told."""
    return Outcome("fact-needed", facts[0].question, facts[0].params, facts[0].pointer, came)
