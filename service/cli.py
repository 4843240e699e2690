"""The command line: `ruleglot serve`, `ruleglot check request.json --lang fr`."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Any

import click
import orjson

from engine.exceptions import Unreadable
from service import checks, components, schemas
from service.games import GAMES
from service.languages import ALL, LANGUAGES, reader
from service.problems import Problem, sentences

HOST, PORT = "127.0.0.1", "8000"


@click.group(help="Rules assistant and move validator for board wargames, in four languages.")
@click.version_option(package_name="ruleglot")
def main() -> None:
    """The commands."""


@main.command(help="Serve the API with gunicorn.")
@click.option("--host", default=HOST, show_default=True)
@click.option("--port", default=PORT, show_default=True)
def serve(host: str, port: str) -> None:
    """Replace this process by gunicorn, with one worker per core."""
    workers = str(len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1)
    options = ["--bind", f"{host}:{port}", "--workers", workers, "--preload", "service.app:create_app()"]
    os.execv(sys.executable, [sys.executable, "-m", "gunicorn", *options])  # noqa: S606  our own arguments


@main.command(help="Check a request (a JSON file, or - for standard input) and print the answer.")
@click.argument("request", type=click.File("rb"))
@click.option("--game", type=click.Choice(sorted(GAMES)), default="navajo-wars", show_default=True)
@click.option(
    "--lang", type=click.Choice(LANGUAGES), help="The language; otherwise the request's, or English."
)
@click.option(
    "--components", "file", type=click.Path(exists=True, path_type=Path), help="Your components file."
)
@click.option("--json", "as_json", is_flag=True, help="Print the whole answer as JSON.")
def check(request: Any, game: str, lang: str | None, file: Path | None, *, as_json: bool) -> None:
    """Say whether a move is allowed, and why."""
    try:
        body = schemas.Envelope(GAMES[game], components.load(file, GAMES[game])).read(request.read())
        chosen = lang or body["lang"] or "en"
        answer = checks.answer(GAMES[game], body, "en" if chosen == ALL else chosen)
    except Unreadable as error:
        raise click.ClickException(sentences(Problem("unreadable", (error,)), reader(lang or "en"))) from None  # type: ignore[arg-type]
    except Problem as problem:
        raise click.ClickException(sentences(problem, reader(lang or "en"))) from None  # type: ignore[arg-type]
    if as_json:
        click.echo(orjson.dumps(orjson.loads(checks.encode(answer)), option=orjson.OPT_INDENT_2).decode())
    else:
        _print(answer)


def _print(answer: dict[str, Any]) -> None:
    """The answer as a person reads it: the headline, then every reason, event and question."""
    click.echo(answer["headline"])
    for mark, part in (
        ("✗", "reasons"),
        ("?", "unknowns"),
        ("!", "cautions"),
        ("→", "events"),
        ("✓", "passed"),
    ):
        for one in answer[part]:
            rules = ", ".join(rule.partition(":")[2] for rule in one.get("rules", ()))
            click.echo(f"  {mark} {one['text']}" + (f" [{rules}]" if rules else ""))
    if answer["pending"]:
        click.echo(f"  … {answer['pending']['text']}")
        for option in answer["pending"]["options"]:
            click.echo(f"      {option['value']}: {option['text']}")


if __name__ == "__main__":
    main()
