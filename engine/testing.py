"""Worked examples: read from TOML, played through check, and held against what they expect.

A file holds [[example]]s. What is put in: `position`, `action`, `inputs`, `choices`, and `components`
or `components_file`. What must come out, each only if stated: the fields of `Expected`.
`rules` names the rules an example shows: each must be cited in what comes out. `without` names the
rules it is the counterexample of: none of them may have happened or count as a reason.

`like = "name"` takes over what another example of the file puts in, table by table, never what it
expects. TOML has no null: "null" says that there is none, "not told" leaves a field out, both in what
is put in and in `changes`. `steps` go on from the position reached, each with an action (`continue`
if left out), inputs, expectations, and `position` for what the players changed by hand meanwhile.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

import msgspec
from msgspec import UNSET, Struct, UnsetType

from engine import codec
from engine.at import Event
from engine.exceptions import Unreadable
from engine.game import Answer, Game, check, prepare
from engine.transcript import changed, merge
from engine.verdict import Caution, Check, Unknown

NULL, NOT_TOLD = "null", "not told"

Tables = dict[str, Any]


class Expected(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """What must come out; what is left out is not looked at."""

    ruling: str | UnsetType = UNSET
    reasons: list[str] | UnsetType = UNSET  # names, all, in order
    unknowns: list[str] | UnsetType = UNSET  # pointers, all, in any order
    cautions: list[str] | UnsetType = UNSET  # names, all, in order
    passed: list[str] | UnsetType = UNSET  # names, at least these
    assumed: list[str] | UnsetType = UNSET  # names, all, in order
    events: list[str] | UnsetType = UNSET  # names, all, in order
    changes: Tables | UnsetType = UNSET  # pointer -> new value, all; the agenda is left out
    pending: str | UnsetType = UNSET  # the name of the question, "null" for none
    options: list[Any] | UnsetType = UNSET  # the values offered, all, in order
    meanwhile: list[Any] | UnsetType = UNSET  # what is offered beside the question, all, in order
    issues: dict[str, str] | UnsetType = UNSET  # name -> chosen, at least these; "null": not listed
    params: Tables | UnsetType = UNSET  # of reasons and events by name, at least these
    pointers: dict[str, str] | UnsetType = UNSET  # of reasons and cautions by name, at least these
    cites: dict[str, list[str]] | UnsetType = UNSET  # rules of reasons and events by name, each all, in order
    unreadable: str | UnsetType = UNSET  # "code at /pointer", for what is not even a request


class Request(Expected, frozen=True, kw_only=True):
    """One request: what is put in, and which rules it shows; a step goes on from the position reached."""

    action: Tables = msgspec.field(default_factory=lambda: {"kind": "continue"})
    inputs: list[Tables] = []
    position: Tables = {}
    rules: list[str] = []
    without: list[str] = []


class Example(Request, frozen=True, kw_only=True):
    """One worked example, as its file states it."""

    name: str
    game: str = ""
    like: str = ""
    choices: dict[str, str] = {}
    components: Tables = {}
    components_file: str = ""
    steps: list[Request] = []


PUT_IN = ("position", "action", "inputs", "choices", "components", "components_file", "game")


def load(path: Path) -> list[Example]:
    """The examples of a file, each with what it takes over from another."""
    written = msgspec.toml.decode(path.read_bytes())["example"]
    by_name = {one["name"]: one for one in written}
    if len(by_name) != len(written):
        raise ValueError(f"{path}: two examples have the same name")
    return [msgspec.convert(_whole(one, by_name), Example) for one in written]


def _whole(one: Tables, by_name: Mapping[str, Tables]) -> Tables:
    if "like" not in one:
        return one
    other = _whole(by_name[one["like"]], by_name)
    return merge({part: other[part] for part in PUT_IN if part in other}, one)


def plain(value: Any) -> Any:
    """TOML values as JSON values: "null" for none, "not told" for a field left out."""
    if isinstance(value, dict):
        return {key: plain(item) for key, item in value.items() if item != NOT_TOLD}
    if isinstance(value, list):
        return [plain(item) for item in value]
    return None if value == NULL else value


class Outcome(Struct, frozen=True):
    """What one request of an example came to: an answer, or why it could not be read."""

    expected: Request
    answer: Answer | None
    changes: Tables
    unreadable: str = ""


def play(game: Game, example: Example, components: Tables | None = None) -> Iterator[Outcome]:
    """Put an example's requests one after the other, each position through JSON like a stranger's."""
    printed = merge(components or {}, example.components)
    position: Tables = {}
    requests: list[Request] = [example, *example.steps]
    for request in requests:
        position = merge(position, request.position)
        outcome = _ask(game, request, position, example.choices, printed)
        yield outcome
        if outcome.answer is not None:
            position = codec.write(outcome.answer.position)


def _ask(
    game: Game, request: Request, position: Tables, choices: Mapping[str, str], printed: Tables
) -> Outcome:
    try:
        at = prepare(game, plain(position), choices, plain(printed))
        do = codec.read(plain(request.action), game.action_types, "/action")
        answer = check(game, at, do, codec.read_inputs(plain(request.inputs)))
    except Unreadable as error:
        return Outcome(request, None, {}, f"{error.code} at {error.pointer}")
    return Outcome(request, answer, dict(_changes(at.position, answer.position)))


def _changes(before: Any, after: Any) -> Iterator[tuple[str, Any]]:
    for pointer, _, value in changed(before, after):
        yield pointer, _worded(value)


def _worded(value: Any) -> Any:
    if value is UNSET:
        return NOT_TOLD
    return _with_nulls(msgspec.json.decode(msgspec.json.encode(value)))  # lists, as the file writes them


def _with_nulls(value: Any) -> Any:
    """JSON values as TOML can write them, the way back of `plain`."""
    if isinstance(value, dict):
        return {key: _with_nulls(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_with_nulls(item) for item in value]
    return NULL if value is None else value


def cited(answer: Answer) -> set[str]:
    """Every rule an answer names."""
    verdict = answer.verdict
    named: list[Any] = [
        *verdict.reasons,
        *verdict.passed,
        *verdict.assumed,
        *verdict.cautions,
        *answer.events,
    ]
    steps = [answer.pending.step] if answer.pending else []
    return {rule for one in [*named, *steps] for rule in one.rules}


def differences(outcome: Outcome) -> list[str]:
    """What came out otherwise than expected, one line each; nothing where all is well."""
    expected, answer = outcome.expected, outcome.answer
    if answer is None:
        wanted = "" if expected.unreadable is UNSET else expected.unreadable
        return [] if wanted == outcome.unreadable else [f"not readable: {outcome.unreadable}"]
    found = _found(outcome, answer)
    lines = [] if expected.unreadable is UNSET else [f"readable, but expected: {expected.unreadable}"]
    for name in found:
        wanted = getattr(expected, name)
        if wanted is not UNSET and not _as_wanted(name, wanted, found[name]):
            lines.append(f"{name}: expected {wanted!r}\n{' ' * len(name)}  came out {found[name]!r}")
    lines += _rule_differences(expected, answer)
    return lines


def _found(outcome: Outcome, answer: Answer) -> dict[str, Any]:
    verdict, pending = answer.verdict, answer.pending
    options = getattr(pending.question.answers, "options", ()) if pending else ()
    return {
        "ruling": verdict.ruling,
        "reasons": [check.requirement.name for check in verdict.reasons],
        "unknowns": [fact.pointer for fact in verdict.unknowns],
        "cautions": [caution.message.name for caution in verdict.cautions],
        "passed": [check.requirement.name for check in verdict.passed],
        "assumed": [check.requirement.name for check in verdict.assumed],
        "events": [event.message.name for event in answer.events],
        "changes": outcome.changes,
        "pending": pending.name if pending else NULL,
        "options": [option.value for option in options],
        "meanwhile": [offer.value for offer in pending.meanwhile] if pending else [],
        "issues": dict(answer.issues),
        "params": _params(answer),
        "pointers": {name: one.pointer for name, one in _named(verdict.reasons, verdict.cautions)},
        "cites": {
            name: list(one.rules) for name, one in _named(verdict.reasons, verdict.cautions, answer.events)
        },
    }


def _named(*groups: Iterable[Check | Caution | Event]) -> Iterator[tuple[str, Any]]:
    for one in (one for group in groups for one in group):
        yield (one.requirement.name if isinstance(one, Check) else one.message.name), one


def _params(answer: Answer) -> dict[str, Any]:
    """The parameters of every reason and event, and of the question, by name."""
    named: dict[str, dict[str, Any]] = {
        check.requirement.name: check.params for check in answer.verdict.reasons
    }
    for event in answer.events:
        named[event.message.name] = event.params
    if answer.pending:
        named[answer.pending.name] = answer.pending.question.params
    return {name: {key: _known(value) for key, value in params.items()} for name, params in named.items()}


def _known(value: Any) -> Any:
    if isinstance(value, tuple):
        return list(value)  # as the file writes it
    return NOT_TOLD if isinstance(value, Unknown) else value


def _as_wanted(name: str, wanted: Any, found: Any) -> bool:
    if name == "passed":
        return set(wanted) <= set(found)
    if name == "unknowns":
        return sorted(wanted) == sorted(found)
    if name == "issues":
        return all(found.get(issue, NULL) == chosen for issue, chosen in wanted.items())
    if name in ("params", "pointers", "cites"):
        return _within(wanted, found)
    return bool(wanted == found)


def _within(wanted: Any, found: Any) -> bool:
    if isinstance(wanted, dict) and isinstance(found, dict):
        return all(key in found and _within(value, found[key]) for key, value in wanted.items())
    return bool(wanted == found)


def _rule_differences(expected: Request, answer: Answer) -> Iterable[str]:
    shown = cited(answer)
    reasons = {rule for check in answer.verdict.reasons for rule in check.rules}
    happened = {rule for event in answer.events for rule in event.rules}
    for rule in expected.rules:
        if rule not in shown:
            yield f"rules: {rule} is cited nowhere in the answer, which cites {sorted(shown)}"
    for rule in expected.without:
        if rule in reasons | happened:
            yield f"without: {rule} took effect, though the example says that it does not apply"
