"""The command line: `ruleglot serve`, and `ruleglot check`, `replay` and `audit` with a file."""

from __future__ import annotations

import json
import os
import sys
from codecs import BOM_UTF8
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import click
import msgspec
import orjson
from msgspec import structs

from engine import testing, transcript
from engine.exceptions import Unreadable
from service import audits, checks, components, transcripts
from service.answers import CheckAnswer, encode
from service.forms import Question
from service.games import GAMES
from service.languages import ALL, reader
from service.problems import Problem, placed, unreadable
from service.requests import Asked, AuditReader, CheckReader, ReplayReader
from service.sentences import EventEntry, Reason
from service.terms import LANGUAGES

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


def _asks(command: Callable[..., None]) -> Callable[..., None]:
    """The options of every command that asks about a game."""
    for option in (
        click.option("--json", "as_json", is_flag=True, help="Print the whole answer as JSON."),
        click.option(
            "--components",
            "file",
            type=click.Path(exists=True, dir_okay=False, path_type=Path),
            help="Your components file.",
        ),
        click.option(
            "--lang", type=click.Choice(LANGUAGES), help="The language; otherwise the request's, or English."
        ),
        click.option(
            "--game", type=click.Choice(sorted(GAMES)), default=next(iter(GAMES)), show_default=True
        ),
    ):
        command = option(command)
    return command


@main.command(help="Check a request (a JSON file, or - for standard input) and print the answer.")
@click.argument("request", type=click.File("rb"))
@_asks
def check(request: Any, game: str, lang: str | None, file: Path | None, *, as_json: bool) -> None:
    """Say whether a move is allowed, and why."""
    with _worded_failures(lang):
        reads = CheckReader(GAMES[game], _printed(file, game))
        answer = reads.answer(
            _text(request), lambda asked: checks.answer(GAMES[game], asked, _language(lang, asked))
        )
    if as_json:
        click.echo(_indented(answer))
    else:
        _print(answer)


@main.command(help="Replay a game (a JSON or TOML file, or - for standard input) and print its report.")
@click.argument("request", type=click.File("rb"))
@_asks
@click.option(
    "--record",
    type=click.File("w", encoding="utf-8"),
    help="Write the game here, each move with what came of it, as JSON.",
)
def replay(
    request: Any, game: str, lang: str | None, file: Path | None, record: Any, *, as_json: bool
) -> None:
    """Tell a whole session, and end with 1 where it comes out otherwise than recorded."""
    with _worded_failures(lang):
        reads = ReplayReader(GAMES[game], _printed(file, game))
        asked, went = reads.answer(
            _as_json(request), lambda asked: (asked, transcripts.replay(GAMES[game], asked, transcript.MOST))
        )
    chosen = _language(lang, asked)
    if as_json:
        click.echo(_indented(transcripts.worded(GAMES[game], went, chosen)))
    else:
        click.echo(transcripts.report(GAMES[game], went, chosen))
    if record is not None:
        record.write(_indented(transcripts.recorded(went, asked)) + "\n")
    if went.diverged is not None:
        sys.exit(1)


@main.command(help="Say whether a position (a JSON or TOML file, or - for standard input) is possible.")
@click.argument("position", type=click.File("rb"))
@_asks
def audit(position: Any, game: str, lang: str | None, file: Path | None, *, as_json: bool) -> None:
    """Say what makes a position impossible, and end with 1 where something does."""
    with _worded_failures(lang):
        reads = AuditReader(GAMES[game], _printed(file, game))
        answer = reads.answer(
            _as_request(_as_json(position), reads),
            lambda asked: audits.answer(GAMES[game], asked, _language(lang, asked)),
        )
    if as_json:
        click.echo(_indented(answer))
    else:
        click.echo(answer.headline)
        _print_all("✗", answer.findings)
    if not answer.possible:
        sys.exit(1)


def _as_request(text: bytes, reads: AuditReader) -> bytes:
    """A request holds a position; a position on its own, or a whole answer that was saved, is put into one."""
    try:
        sent = orjson.loads(text)
    except orjson.JSONDecodeError:
        return text
    known = {field.name for field in structs.fields(reads.body)}
    asks = isinstance(sent, dict) and "position" in sent and sent.keys() <= known
    return text if asks else b'{"position":' + text + b"}"


@contextmanager
def _worded_failures(lang: str | None) -> Iterator[None]:
    """What cannot be read, said in the reader's language."""
    try:
        yield
    except (Unreadable, Problem) as error:
        problem = unreadable(error) if isinstance(error, Unreadable) else error
        raise click.ClickException(placed(problem, reader(lang or "en"))) from None


def _language(lang: str | None, asked: Asked) -> str:
    chosen = lang or asked.lang or "en"
    return "en" if chosen == ALL else chosen


def _printed(file: Path | None, game: str) -> Any:
    """What the components file tells; one that is neither TOML nor JSON is named."""
    try:
        return components.load(file, GAMES[game])
    except (OSError, ValueError, RecursionError) as error:
        raise click.ClickException(f"{file}: {error}") from None


def _text(file: Any) -> bytes:
    """What a file holds; some editors put a byte order mark before it."""
    text: bytes = file.read()
    return text.removeprefix(BOM_UTF8)


def _as_json(file: Any) -> bytes:
    """What a file holds as JSON; a TOML file says "null" for none."""
    text = _text(file)
    if not file.name.endswith(".toml"):
        return text
    try:
        told = testing.plain(msgspec.toml.decode(text))
    except (ValueError, RecursionError) as error:
        raise click.ClickException(f"{file.name}: {error}") from None
    return json.dumps(told, default=str).encode()  # a NaN stays one, to be refused like any other


def _indented(answer: Any) -> str:
    return msgspec.json.format(encode(answer), indent=2).decode()


def _print(answer: CheckAnswer[Any]) -> None:
    """The answer as a person reads it: the headline, then every reason, event and question."""
    click.echo(answer.headline)
    _print_all("✗", answer.reasons)
    _print_all("?", answer.unknowns)
    _print_all("!", answer.cautions)
    _print_all("→", answer.events)
    _print_all("✓", answer.passed)
    if answer.pending:
        said = (answer.pending.lead, answer.pending.text, answer.pending.hint)
        click.echo("  … " + " ".join(str(one) for one in said if one))
        for option in answer.pending.options:
            click.echo(f"      {option.value}: {option.text}")


def _print_all(mark: str, entries: Iterable[Reason | EventEntry | Question]) -> None:
    """Each sentence with the rules it rests on."""
    for one in entries:
        rules = ", ".join(rule.partition(":")[2] for rule in one.rules or ())
        click.echo(f"  {mark} {one.text}" + (f" [{rules}]" if rules else ""))


if __name__ == "__main__":
    main()
