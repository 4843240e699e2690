"""The pages made from the same data as the answers: `make docs`.

docs/how-we-read-the-rules.md lists every disputed point, docs/explained-only.md every rule that code neither
enforces nor asks for; docs/reasons/ has one page for each reason a move can be refused for. A test compares
them with the code.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec

from engine import testing
from engine.audit import POSSIBLE
from engine.game import Game
from engine.messages import REGISTRY
from engine.testing import Example, play
from service import worked_examples
from service.games import GAMES

ROOT = Path(__file__).parent.parent / "docs"
TESTS = Path(__file__).parent.parent / "tests"
MADE = "<!-- Made by `make docs` from the code; edit that instead. -->\n"
PREFACE = (
    "Where the documents disagree, or leave a gap, every answer says so. This is the whole list: what the "
    "documents say, how Ruleglot reads them, and what a request can choose instead with `choices`. The "
    "numbers (C07) are those of our register of conflicts.\n"
)
EXPLAINED = (
    "Code enforces the rules, or asks the player for what the documents do not contain. The rules listed here are "
    "only explained, each for the reason given. Sections that only head their parts are not listed: a section is "
    "enforced when all of its parts are enforced or asked for.\n"
)
_PLACEHOLDER = re.compile(r"%\((\w+)\)s")


def pages() -> dict[str, str]:
    """Every page by its path under docs/."""
    made = {"how-we-read-the-rules.md": disputes(), "explained-only.md": explained_only()}
    shown = {game.name: _refusals(game) for game in GAMES.values()}
    names = {name for found in shown.values() for name in found}
    for name in sorted(names):
        game = next(game for game in GAMES.values() if name in shown[game.name])
        made[f"reasons/{name}.md"] = reason(name, game, *shown[game.name][name])
    made["reasons/README.md"] = reasons_index(sorted(names))
    return made


def disputes() -> str:
    """All points where the documents disagree, and how they are read."""
    parts = [
        MADE,
        "# How we read the rules\n",
        PREFACE,
    ]
    for game in GAMES.values():
        parts.append(f"## {game.title.text}\n")
        for issue in sorted(game.catalogue.issues.values(), key=lambda issue: (issue.id, issue.name)):
            rules = ", ".join(f"`{rule}`" for rule in issue.rules)
            parts.append(f"### {issue.id} `{issue.name}`\n")
            parts.append(f"{issue.text.text} {issue.read.text}\n")
            parts += [
                f"- `{key}`{' (preferred)' if key == issue.preferred else ''}: {said.text}"
                for key, said in issue.choices.items()
            ]
            parts.append(f"\nRules: {rules}. Confidence: {issue.confidence}.\n")
    return "\n".join(parts)


def explained_only() -> str:
    """The rules that are only explained, and why."""
    parts = [MADE, "# Rules that are only explained\n", EXPLAINED]
    for game in GAMES.values():
        rules = [rule for rule in game.catalogue.rules.values() if rule.stated]
        listed = [rule for rule in rules if rule.status == "explained"]
        parts.append(f"## {game.title.text}\n")
        parts.append(f"{len(listed)} of {len(rules)} rules.\n")
        if listed:
            titles = {rule.id: game.catalogue.texts[rule.id][0].text for rule in listed}
            parts += ["| rule | what it says | why it is only explained |", "|---|---|---|"]
            parts += [f"| `{rule.id}` | {titles[rule.id]} | {rule.why} |" for rule in listed]
            parts.append("")
    return "\n".join(parts)


def _refusals(game: Game) -> dict[str, tuple[tuple[str, ...], Example]]:
    """For each reason, the rules it cites and the first example that is refused for it."""
    found: dict[str, tuple[tuple[str, ...], Example]] = {}
    for example in (*worked_examples.of_game(game.name), *_longer_examples(game)):
        for outcome in play(game, example, _invented(example)):
            for check in outcome.answer.verdict.reasons if outcome.answer else ():
                found.setdefault(check.requirement.name, (check.rules, example))
    return found


def _longer_examples(game: Game) -> Iterator[Example]:
    """The examples and playthroughs that go on over several requests or need tables invented for the tests."""
    for path in sorted((TESTS / "examples" / game.name).glob("*.toml")):
        yield from (one for one in testing.load(path) if one.steps or one.components_file)
    for path in sorted((TESTS / "playthroughs" / game.name).glob("*.toml")):
        yield from testing.load(path)


def _invented(example: Example) -> dict[str, Any]:
    if not example.components_file:
        return {}
    told: dict[str, Any] = msgspec.toml.decode((TESTS / "components" / example.components_file).read_bytes())
    return told


def reason(name: str, game: Game, rules: tuple[str, ...], example: Example) -> str:
    """What a reason means, the rules it rests on, and an example that triggers it."""
    refusal, met = REGISTRY[name], REGISTRY.get(f"{name}.met", POSSIBLE)  # findings share one
    texts = game.catalogue.texts
    cited = [f"- `{rule}` {texts[rule][0].text}. {texts[rule][1].text}" for rule in rules if rule in texts]
    return "\n".join(
        [
            MADE,
            f"# {name}\n",
            f"*{game.title.text}*\n",
            f"**Refused:** {_readable(refusal.text)}\n",
            f"**Met:** {_readable(met.text)}\n",
            "## The rules\n",
            *cited,
            "\n## An example\n",
            f"{example.name}: `POST /v1/games/{game.name}/check`\n",
            _as_shown(example),
        ]
    )


def _as_shown(example: Example) -> str:
    if example.steps or example.components_file:
        return "It takes several requests or printed tables: look for its name under `tests/`.\n"
    request = json.dumps(worked_examples.as_request(example), ensure_ascii=False, indent=2)
    return f"```json\n{request}\n```\n"


def _readable(text: str) -> str:
    return _PLACEHOLDER.sub(r"‹\1›", text)


def reasons_index(names: list[str]) -> str:
    """The list of all reasons."""
    lines = [f"- [{name}]({name}.md): {_readable(REGISTRY[name].text)}" for name in names]
    return "\n".join([MADE, "# Every reason a move can be refused for\n", *lines, ""])


def main() -> None:
    """Write every page, and remove those of reasons that are gone."""
    made = pages()
    (ROOT / "reasons").mkdir(parents=True, exist_ok=True)
    for old in (ROOT / "reasons").glob("*.md"):
        if f"reasons/{old.name}" not in made:
            old.unlink()
    for path, text in made.items():
        (ROOT / path).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
