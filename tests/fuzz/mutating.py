"""Where requests come from: the worked examples and what earlier runs kept, changed in every way that somebody might."""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterator
from functools import cache
from random import Random
from typing import Any

from engine.testing import merge, plain
from service.games import GAMES
from tests.fuzz.asking import Case
from tests.shown import all_shown, components

Pools = dict[str, list[Any]]

# Strings made to look like something else: error texts, paths, markup, formats, other writing systems, nothing.
HOSTILE = (
    "",
    " ",
    "a - at `$.x[...]`",
    "Object contains unknown field `x` - at `$.position`",
    "%(name)s%s%n{0}{name}",
    "<script>alert(1)</script>",
    "'; DROP TABLE plays; --",
    "../../etc/passwd",
    "__proto__",
    "/families/A/at",
    "~0~1~2",
    "\u0000",
    "\u202eשלום",
    "日本語" * 50,
    "ﷺ" * 40,
    "e\u0301" * 60,
    "\ud83d\ude00".encode("utf-16", "surrogatepass").decode("utf-16"),
    "NaN",
    "null",
    "-0",
    "1e999",
    "A" * 2_000,
)
NUMBERS = (-1, 0, 1, 2, 3, 6, 7, 19, 20, 99, -(2**31), 2**31, 2**63 - 1, 2**63, 10**30, 0.5, 2.0, -0.0, 1e308)
VALUES = (None, True, False, [], {}, [[]], {"": ""}, "none", "by-hand", "hidden", "all")


@cache
def seeds() -> tuple[Case, ...]:
    """Every request of every worked example and playthrough."""
    return tuple(_of_examples())


def _of_examples() -> Iterator[Case]:
    for one in all_shown():
        example = one.example
        printed = merge(
            components(example.components_file) if example.components_file else {}, example.components
        )
        position: dict[str, Any] = {}
        for expected in (example, *example.steps):
            position = merge(position, expected.position)
            body = {
                "position": plain(position),
                "action": plain(expected.action),
                "inputs": plain(expected.inputs),
                "choices": example.choices,
                "components": plain(printed),
            }
            yield Case(
                one.game,
                "check",
                {key: value for key, value in body.items() if value != {}} | {"position": body["position"]},
            )


@cache
def pools(game: str) -> Pools:
    """What stands under each name in any of the requests: whatever is swapped comes from here."""
    found: Pools = {}
    for case in seeds():
        if case.game == game:
            _gather(case.body, "", found)
    return {name: values[:400] for name, values in found.items()}


def _gather(value: Any, name: str, found: Pools) -> None:
    found.setdefault(name, []).append(value)
    if isinstance(value, dict):
        for key, inner in value.items():
            _gather(inner, key, found)
    elif isinstance(value, list):
        for inner in value:
            _gather(inner, f"{name}[]", found)


def made(random: Random, kept: list[Case]) -> Case:
    """Some request: one that is there, changed a few times."""
    start = random.choice(kept) if kept and random.random() < 0.4 else random.choice(seeds())
    body = copy.deepcopy(start.body)
    for _ in range(random.choice((0, 1, 1, 1, 2, 3, 5))):
        random.choice(CHANGES)(random, start.game, body)
    return Case(start.game, start.operation, body)


# -- single changes ----------------------------------------------------------------------------------


def _places(value: Any, found: list[tuple[Any, Any]]) -> list[tuple[Any, Any]]:
    """Every container and key below this."""
    inside = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, inner in inside:
        found.append((value, key))
        _places(inner, found)
    return found


def _somewhere(random: Random, body: Any) -> tuple[Any, Any]:
    places = _places(body, [])
    return random.choice(places) if places else ({}, "")


def leave_out(random: Random, _game: str, body: Any) -> None:
    """A fact is not told."""
    inside, key = _somewhere(random, body.get("position", {}))
    if isinstance(inside, dict):
        inside.pop(key, None)
    elif key < len(inside):
        del inside[key]


def other_value(random: Random, game: str, body: Any) -> None:
    """What stands under the same name elsewhere."""
    inside, key = _somewhere(random, body)
    name = key if isinstance(key, str) else "[]"
    others = pools(game).get(name)
    if others:
        inside[key] = copy.deepcopy(random.choice(others))


def other_number(random: Random, _game: str, body: Any) -> None:
    """A number a little or much different."""
    numbers = [
        (inside, key)
        for inside, key in _places(body, [])
        if isinstance(inside[key], int | float) and not isinstance(inside[key], bool)
    ]
    if numbers:
        inside, key = random.choice(numbers)
        inside[key] = (
            inside[key] + random.choice((-1, 1)) if random.random() < 0.7 else random.choice(NUMBERS)
        )


def told_too(random: Random, game: str, body: Any) -> None:
    """A part of another position."""
    name, value = random.choice(list(random.choice(pools(game)["position"]).items()) or [("", 0)])
    if name and isinstance(body.get("position"), dict):
        body["position"][name] = copy.deepcopy(value)


def forged(random: Random, game: str, body: Any) -> None:
    """An agenda that nobody ever had."""
    procedures = GAMES[game].procedures
    frames = []
    for _ in range(random.choice((1, 1, 1, 2, 3, 24))):
        name = random.choice(list(procedures))
        step = random.choice(list(procedures[name].steps))
        memory = random.choice(pools(game).get("memory", [{}]))
        frames.append({"procedure": name, "step": step, "memory": copy.deepcopy(memory)})
    if isinstance(body.get("position"), dict):
        body["position"]["agenda"] = frames
        if random.random() < 0.7:
            body["action"] = {"kind": "continue"}


def other_action(random: Random, game: str, body: Any) -> None:
    """Another action, on the same table."""
    body["action"] = copy.deepcopy(random.choice(pools(game)["action"]))


def other_inputs(random: Random, game: str, body: Any) -> None:
    """Answers to something else, fewer or more."""
    inputs = body.get("inputs")
    mine = list(inputs) if isinstance(inputs, list) else []
    theirs = random.choice(pools(game).get("inputs", [[]]))
    body["inputs"] = copy.deepcopy(
        random.choice((mine[:-1], [*mine, *theirs], theirs, [*mine, {"die": random.randint(0, 7)}]))
    )


def hostile(random: Random, _game: str, body: Any) -> None:
    """A string or a name that is meant to break something."""
    inside, key = _somewhere(random, body)
    if isinstance(inside, dict) and random.random() < 0.5:
        inside[random.choice(HOSTILE)] = inside.get(key)
    else:
        inside[key] = random.choice(HOSTILE)


def odd(random: Random, _game: str, body: Any) -> None:
    """A value of another kind."""
    inside, key = _somewhere(random, body)
    inside[key] = copy.deepcopy(random.choice(VALUES))


Change = Callable[[Random, str, Any], None]
CHANGES: tuple[Change, ...] = (
    leave_out,
    leave_out,
    other_value,
    other_value,
    other_number,
    other_number,
    told_too,
    forged,
    other_action,
    other_inputs,
    hostile,
    odd,
)
