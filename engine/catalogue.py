"""The rules as data: what each rule is, where it stands, and how the documents' disagreements are read."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from fnmatch import fnmatchcase
from functools import lru_cache
from importlib import resources
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Literal, TypeVar

import msgspec
from msgspec import Struct

from engine.codec import escape
from engine.exceptions import Unreadable
from engine.messages import Message, message, rule_text

if TYPE_CHECKING:
    from engine.actions import Action
    from engine.tables import Procedure

Status = Literal["enforced", "explained", "asked"]


class RuleEntry(Struct, frozen=True, forbid_unknown_fields=True):
    """A rule as the file states it; a section that only heads its parts states no status."""

    id: str
    sources: tuple[str, ...]
    status: Status | None = None
    reading: str = ""
    why: str = ""
    related: tuple[str, ...] = ()
    issues: tuple[str, ...] = ()


class Rule(Struct, frozen=True):
    """One rule: its id, where it is printed, and whether code enforces it or the player is asked.

    `why` says what keeps a rule from being more than explained. A section whose status is not `stated`
    has that of its parts.
    """

    id: str
    status: Status
    sources: tuple[str, ...]
    reading: str = ""
    why: str = ""
    related: tuple[str, ...] = ()
    issues: tuple[str, ...] = ()
    parts: tuple[str, ...] = ()
    stated: bool = True

    @property
    def section(self) -> str:
        """The number a player finds it under: 5.2.4 of nw:5.2.4.natural-1."""
        return self.id.partition(":")[2]


class IssueEntry(Struct, frozen=True, forbid_unknown_fields=True):
    """An issue as the file states it."""

    id: str
    name: str
    rules: tuple[str, ...]
    preferred: str
    choices: dict[str, str]
    text: str
    read: str
    confidence: Literal["high", "medium", "low"]


class Issue(Struct, frozen=True):
    """A point where the documents disagree: what they say, how it is read unless another choice is made, and why."""

    id: str
    name: str
    rules: tuple[str, ...]
    preferred: str
    choices: dict[str, Message]
    text: Message
    read: Message
    confidence: str

    def __hash__(self) -> int:
        return hash(self.name)


class RuleText(Struct, frozen=True, forbid_unknown_fields=True):
    """What a rule says, in our own words."""

    id: str
    title: str
    text: str


class Catalogue(Struct, frozen=True):
    """All rules and issues of a game."""

    rules: dict[str, Rule]
    issues: dict[str, Issue]
    texts: dict[str, tuple[Message, Message]] = {}
    renamed: dict[str, str] = {}


class _File(Struct, frozen=True, forbid_unknown_fields=True):
    rule: tuple[RuleEntry, ...] = ()
    issue: tuple[IssueEntry, ...] = ()
    renamed: dict[str, str] = {}


class _Texts(Struct, frozen=True, forbid_unknown_fields=True):
    rule: tuple[RuleText, ...] = ()


def read_toml(package: str, name: str, kind: Any = Any) -> Any:
    """One of a game's own data files."""
    return msgspec.toml.decode(resources.files(package).joinpath(name).read_bytes(), type=kind)


def load(package: str, *names: str) -> Catalogue:
    """The catalogue that the named files of a game hold together."""
    files = [read_toml(package, name, _File) for name in names]
    rules = _rules({entry.id: entry for file in files for entry in file.rule})
    issues = {entry.name: _issue(entry) for file in files for entry in file.issue}
    renamed = {old: new for file in files for old, new in file.renamed.items()}
    return Catalogue(rules, issues, _texts(package), renamed)


def _rules(entries: dict[str, RuleEntry]) -> dict[str, Rule]:
    parts: dict[str, list[str]] = {rule: [] for rule in entries}
    for rule in entries:
        for section in _sections_of(rule):
            if section in parts:
                parts[section].append(rule)
    return {rule: _rule(entry, [entries[part] for part in parts[rule]]) for rule, entry in entries.items()}


def _sections_of(rule: str) -> Iterator[str]:
    """What a rule can be a part of: nw:3.3.s1a.child-up of nw:3.3.s1a, nw:3.3.s1 and nw:3.3."""
    while rule:
        rule, _, last = rule.rpartition(".")
        lettered = _LETTERED_STEP.fullmatch(last)
        if lettered:
            yield f"{rule}.{lettered[1]}"
        yield rule


_LETTERED_STEP = re.compile(r"(s\d+)[a-z]")


def _rule(entry: RuleEntry, parts: list[RuleEntry]) -> Rule:
    if entry.status is None and not parts:
        raise ValueError(f"rule {entry.id} states no status and has no parts to take it from")
    return Rule(
        entry.id,
        entry.status or _status_of(parts),
        entry.sources,
        entry.reading,
        entry.why,
        entry.related,
        entry.issues,
        tuple(part.id for part in parts),
        entry.status is not None,
    )


def _status_of(parts: list[RuleEntry]) -> Status:
    """A section is enforced when every rule in it is enforced or asked for."""
    return "explained" if any(part.status == "explained" for part in parts) else "enforced"


def _texts(package: str) -> dict[str, tuple[Message, Message]]:
    folder = resources.files(package).joinpath("texts")
    names = sorted(file.name for file in folder.iterdir()) if folder.is_dir() else []
    found = {}
    for name in names:
        for entry in read_toml(package, f"texts/{name}", _Texts).rule:
            title = rule_text(f"{entry.id}.title", entry.title)
            found[entry.id] = (title, rule_text(f"{entry.id}.text", entry.text))
    return found


def _issue(entry: IssueEntry) -> Issue:
    if entry.preferred not in entry.choices:
        raise ValueError(f"issue {entry.id} prefers a choice it does not have")
    return Issue(
        entry.id,
        entry.name,
        entry.rules,
        entry.preferred,
        {key: message(f"issue.{entry.name}.{key}", text) for key, text in entry.choices.items()},
        message(f"issue.{entry.name}", entry.text),
        message(f"issue.{entry.name}.read", entry.read),
        entry.confidence,
    )


T = TypeVar("T")


@lru_cache(maxsize=1024)  # the same places are asked about in every request
def _covers(patterns: tuple[str, ...], pointer: str) -> bool:
    return any(fnmatchcase(pointer, pattern) for pattern in patterns)


class Ruleset:
    """The rules as one request reads them: chosen readings, the player's components, the game's procedures."""

    __slots__ = ("_found", "assumes", "catalogue", "chosen", "components", "meanwhile", "procedures")

    def __init__(
        self,
        catalogue: Catalogue,
        chosen: dict[str, str],
        components: Any,
        procedures: Mapping[str, Procedure] = MappingProxyType({}),
        meanwhile: tuple[Action, ...] = (),
        assumes: tuple[str, ...] = (),
    ) -> None:
        self.catalogue = catalogue
        self.chosen = chosen
        self.components = components
        self.procedures = procedures
        self.meanwhile = meanwhile
        self.assumes = assumes
        self._found: dict[Any, Any] = {}  # what was asked about the player's copy

    def told(self, chosen: dict[str, str], components: Any) -> Ruleset:
        """The same rules read in other ways, or off another copy."""
        return Ruleset(self.catalogue, chosen, components, self.procedures, self.meanwhile, self.assumes)

    def may_assume(self, pointer: str) -> bool:
        """Is this a fact that counts as it should be for an occasion, unless it is told?"""
        return _covers(self.assumes, pointer)

    def once(self, ask: Callable[..., T], *about: Any) -> T:
        """What a question about the player's components gives; whoever asks again is given the same."""
        key = (ask, about)
        if key in self._found:
            return self._found[key]  # type: ignore[no-any-return]
        found = self._found[key] = ask(self.components, *about)
        return found

    def reading(self, issue: str) -> str:
        """How this request reads an issue."""
        return self.chosen.get(issue) or self.catalogue.issues[issue].preferred


def issues_named(catalogue: Catalogue, key: str) -> list[Issue]:
    """The disputed rules of this name, or with this id."""
    named = [issue for issue in catalogue.issues.values() if key in (issue.name, issue.id)]
    if not named:
        raise Unreadable("unknown-issue", f"/choices/{escape(key)}", given=key)
    return named


def read_choices(catalogue: Catalogue, given: dict[str, str]) -> dict[str, str]:
    """The request's choices by issue name; an issue may be named by its id (C07) or its name."""
    if not given:
        return given
    chosen = {}
    for key, value in given.items():
        named = issues_named(catalogue, key)
        meant = [issue.name for issue in named if value in issue.choices]
        if not meant:
            allowed = sorted({choice for issue in named for choice in issue.choices})
            raise Unreadable("unknown-choice", f"/choices/{escape(key)}", given=value, allowed=allowed)
        chosen.update(dict.fromkeys(meant, value))
    return chosen
