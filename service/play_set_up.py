"""What a scenario leaves to the player: which of it is told, and whether the set-up offers it; no play, no HTTP."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from typing import Any

from msgspec import UNSET

from engine import codec
from engine.exceptions import Unreadable
from engine.game import Game
from engine.messages import Requirement, message, requirement
from engine.pointers import escape, unescape
from engine.scenarios import OpenChoice, Scenario
from engine.telling import LATER, Fact, Table, tell
from engine.verdict import Caution, Check, needs, warns

NOT_OFFERED = requirement(
    "scenario-choice-not-offered",
    "The set-up of this scenario does not offer this. Choose one of the answers that it offers.",
    met="The set-up of this scenario offers this.",
)
PERHAPS_NOT_OFFERED = message(
    "scenario-choice-otherwise",
    "The set-up of this scenario does not offer this: only go on if your table shows it.",
)


def is_open(choice: OpenChoice, now: Any, first: Any) -> bool:
    """Has this not been told yet? What the set-up put on the table and the game took off again is not asked for."""
    steps = choice.pointer.split("/")
    above = ["/".join(steps[:length]) for length in range(2, len(steps) + 1)]
    if any(value_at(first, one) is not UNSET and value_at(now, one) is UNSET for one in above):
        return False
    here, there = value_at(now, choice.pointer), value_at(first, choice.pointer)
    in_part = value_at(now, "/partial" + choice.pointer) is True
    if here is UNSET or (there is UNSET and not in_part):
        return here is UNSET
    if isinstance(here, dict) and choice.options:  # a part of it is chosen
        return not any(codec.write(option.value).keys() <= here.keys() for option in choice.options)
    return bool(here == there)


def value_at(plain: Any, pointer: str) -> Any:
    for step in pointer.split("/")[1:]:
        plain = plain.get(unescape(step), UNSET) if isinstance(plain, dict) else UNSET
    return plain


def not_offered(
    scenario: Scenario, choices: Iterable[OpenChoice], position: Any, told: Iterable[Fact]
) -> dict[str, OpenChoice]:
    """The choices that are told otherwise than the scenario offers them, each by the fact that tells it."""
    now, first, found = codec.write(position), codec.write(scenario.position), {}
    for choice in choices:
        tells = [pointer for pointer, _ in told if _touch(pointer, choice.pointer)]
        here = value_at(now, choice.pointer)
        if not tells or here is UNSET:
            continue
        if choice.limit is not None and not choice.limit.holds(position):
            found[tells[-1]] = choice
        if not choice.options:
            continue
        offered = [codec.write(option.value) for option in choice.options]
        fits = _is_part_of if is_open(choice, now, first) else _shows
        if not any(fits(here, one) for one in offered):
            found[tells[-1]] = choice
    return found


def _touch(one: str, other: str) -> bool:
    """Is one of these places the other, or within it?"""
    return f"{one}/".startswith(f"{other}/") or f"{other}/".startswith(f"{one}/")


def _shows(here: Any, offered: Any) -> bool:
    """Does what stands here have all that is offered?"""
    if isinstance(here, dict) and isinstance(offered, dict):
        return all(key in here and _shows(here[key], value) for key, value in offered.items())
    return bool(here == offered)


def _is_part_of(here: Any, offered: Any) -> bool:
    """Is what stands here a part of what is offered, as far as it is told?"""
    if isinstance(here, dict) and isinstance(offered, dict):
        return all(key not in here or _is_part_of(here[key], value) for key, value in offered.items())
    return bool(here == offered)


def is_as_set_up(scenario: Scenario, position: Any) -> bool:
    """Does the table stand as the scenario sets it up, but for what is chosen? Later it may show anything."""
    if position.agenda:
        return False
    now, first = codec.write(position), codec.write(scenario.position)
    now.pop("partial", None)  # a choice that is told in part
    for choice in scenario.choices:
        for plain in (now, first):
            *above, last = choice.pointer.split("/")
            box = value_at(plain, "/".join(above))
            if isinstance(box, dict):
                box.pop(last, None)
    return bool(now == first)


def refusals(strange: Mapping[str, OpenChoice], where: Mapping[str, str]) -> tuple[Check, ...]:
    """Why what the set-up does not offer is not taken, each at the place where it was told."""
    return tuple(
        needs(False, _not_offered(choice), *choice.rules, pointer=f"{where[pointer]}/{escape(pointer)}")
        for pointer, choice in strange.items()
    )


def _not_offered(choice: OpenChoice) -> Requirement:
    """What the set-up states of it, or that it offers something else."""
    return NOT_OFFERED if choice.limit is None else choice.limit.says


def doubts(strange: Mapping[str, OpenChoice], where: Mapping[str, str]) -> tuple[Caution, ...]:
    """That the set-up does not offer it, where the table may have come to show it."""
    return tuple(
        warns(PERHAPS_NOT_OFFERED, *choice.rules, pointer=f"{where[pointer]}/{escape(pointer)}")
        for pointer, choice in strange.items()
    )


def told_as_set_up(game: Game, scenario: Scenario | None, told: Iterable[Fact]) -> Iterator[str]:
    """The choices of a scenario that are told as its set-up has them already."""
    if scenario is None:
        return
    begun, choices = Table(scenario.position, {}, None), {one.pointer for one in scenario.choices}
    for pointer, value in told:
        if pointer in choices and value != LATER:
            with suppress(Unreadable):  # it is said where it is told
                if tell(game, begun, [(pointer, value)]).position == begun.position:
                    yield pointer
