"""The command `ruleglot`: the companion, every question, and the server."""

from __future__ import annotations

import json
import shutil
import sys
from codecs import BOM_UTF8
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import cached_property
from pathlib import Path
from typing import Any, NoReturn

import click
import msgspec

from engine import testing
from engine.exceptions import Unreadable
from ruleglot import serving, session
from ruleglot.asking import Asking
from ruleglot.client import Client
from ruleglot.companion import Companion
from ruleglot.errors import NotFound, Problem, RuleglotError, Unreachable
from ruleglot.in_process import Engine
from ruleglot.lines import fitted
from ruleglot.locale_language import language_here
from ruleglot.plays_command import Here, There, of_this_computer
from ruleglot.printing import (
    print_answer,
    print_chart,
    print_hits,
    print_odds,
    print_options,
    print_reasons,
    print_replay,
    print_rule,
    print_scenario,
)
from ruleglot.talking import Talk
from ruleglot.words import HELP, OPTIONS, SAID, rule_words, speaker
from service import asked_directly, components
from service.answers import encode
from service.games import GAMES, prefix
from service.languages import ALL, Reader
from service.plain_json import from_json
from service.problems import Problem as UnreadableFile
from service.problems import placed, told, unreadable
from service.rules import section
from service.store import Store
from service.terms import LANGUAGES, Language

LEGAL, ILLEGAL, BAD, OPEN = 0, 1, 2, 3
RULINGS = {"legal": LEGAL, "illegal": ILLEGAL, "undetermined": OPEN}
GAME_FILE = "ruleglot-game.json"
Json = dict[str, Any]

_HERE = speaker(language_here(sys.argv))  # who words the help


def _said(message: Any) -> str:
    return _HERE.say(message, {})


class Words(click.Command):
    """A command whose own words are in the reader's language."""

    def get_help_option(self, ctx: click.Context) -> click.Option | None:
        option = super().get_help_option(ctx)
        if option is not None:
            option.help = _said(OPTIONS["help"])
        return option


class Commands(Words, click.Group):
    """The group of all commands."""

    command_class = Words


@click.group(cls=Commands, help=_said(HELP["ruleglot"]))
@click.version_option(package_name="ruleglot", help=_said(OPTIONS["version"]))
def main() -> None:
    """The commands; what they print is UTF-8 on any console."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(encoding="utf-8", errors="replace")


# -- what all commands have in common ----------------------------------------------------------------


class Asked:
    """Whom a command asks, in which language, about which game, and how it prints."""

    def __init__(
        self, game: str, lang: str | None, url: str | None, file: Path | None, *, as_json: bool
    ) -> None:
        self.game = game
        self.chosen = lang  # on the command line
        self.lang: Language = lang if lang in LANGUAGES else language_here([])
        self.file = file
        self.as_json = as_json
        self.url = url

    @cached_property
    def asks(self) -> Asking:
        """Who answers: a server, or the engine with what the player's own copy prints."""
        if self.url:
            return Client(self.url)
        return Engine(components=_readable(self.file, self.game, self.lang))

    def spoken(self, told: Json) -> str:
        """The language of an answer: the one asked for, that of the request, or that of this computer.

        Nobody reads all languages at once: people are answered in one, programs as they ask.
        """
        asked = told.get("lang")
        named = asked if self.as_json or asked != ALL else None
        return self.chosen or str(named or self.lang)

    def fail(self, said: str, problem: Mapping[str, Any]) -> NoReturn:
        """Say what is wrong, for programs also as the problem that a server answers."""
        if self.as_json:
            click.echo(json.dumps(problem, ensure_ascii=False, indent=2))
        _fail(said)

    def show(self, answer: Any, printed: Callable[[Any, Callable[[str], None]], None]) -> None:
        """Print an answer, for programs or for people."""
        if self.as_json:
            click.echo(json.dumps(answer, ensure_ascii=False, indent=2))
        else:
            printed(answer, click.echo)


def _readable(file: Path | None, game: str, lang: Language) -> Path | None:
    """A components file that can be read."""
    try:
        components.load(file, GAMES[game])
    except Unreadable as error:
        raise _problem(unreadable(error), lang) from None
    except (OSError, ValueError, RecursionError) as error:
        raise _wrong("unreadable-file", 422, f"{file}: {error}", lang) from None
    return file


def _problem(problem: UnreadableFile, lang: Language) -> Problem:
    """What is wrong with a file, as a server would answer it."""
    body = json.loads(encode(told(problem, speaker(lang))))
    return Problem.of(body["status"], body)


def _wrong(code: str, status: int, said: str, lang: Language) -> Problem:
    """What goes wrong on this computer, in the form of what a server answers."""
    return Problem.of(status, of_this_computer(code, status, said, lang))


def _fail(said: str) -> NoReturn:
    click.echo(said, err=True)
    sys.exit(BAD)


def _asks(command: Callable[..., Any]) -> Callable[..., Any]:
    """The options of every command that asks something."""

    def asked(
        *arguments: Any,
        game: str,
        lang: str | None,
        url: str | None,
        printed: Path | None,
        as_json: bool,
        **rest: Any,
    ) -> Any:
        who = Asked(game, lang, url, printed, as_json=as_json)
        with _failures(who):
            return command(who, *arguments, **rest)

    asked.__name__ = command.__name__
    asked.__doc__ = command.__doc__
    asked.__click_params__ = getattr(command, "__click_params__", [])  # type: ignore[attr-defined]  # click's own
    for option in (
        click.option("--json", "as_json", is_flag=True, help=_said(OPTIONS["json"])),
        click.option("--url", envvar="RULEGLOT_URL", help=_said(OPTIONS["url"])),
        click.option(
            "--components",
            "printed",
            type=click.Path(exists=True, dir_okay=False, path_type=Path),
            help=_said(OPTIONS["components"]),
        ),
        click.option("--lang", type=click.Choice(LANGUAGES), help=_said(OPTIONS["lang"])),
        click.option(
            "--game",
            type=click.Choice(sorted(GAMES)),
            default=next(iter(GAMES)),
            show_default=True,
            help=_said(OPTIONS["game"]),
        ),
    ):
        asked = option(asked)
    return asked


@contextmanager
def _failures(who: Asked) -> Iterator[None]:
    """What cannot be read or reached, said in the reader's language, a line for each place."""
    try:
        yield
    except Problem as problem:
        places = [f"{one.pointer}: {one.detail}" if one.pointer else one.detail for one in problem.errors]
        who.fail("\n".join(places) or problem.detail, problem.body)
    except Unreachable:
        said = speaker(who.lang).say(SAID["no-answer"], {"url": who.url})
        who.fail(said, of_this_computer("server-away", 503, said, who.lang))
    except RuleglotError as error:
        who.fail(str(error), of_this_computer("not-ruleglot", 502, str(error), who.lang))


def _told(file: Any, lang: Language) -> Json:
    """What a JSON or TOML file tells; some editors put a byte order mark before it, and TOML says "null" for none."""
    text: bytes = file.read().removeprefix(BOM_UTF8)
    try:
        if file.name.endswith(".toml"):
            text = json.dumps(testing.plain(msgspec.toml.decode(text)), default=str).encode()
        read = from_json(text)
    except UnreadableFile as problem:
        raise _problem(problem, lang) from None
    except (ValueError, RecursionError) as error:
        raise _wrong("unreadable-file", 422, f"{file.name}: {error}", lang) from None
    return read if isinstance(read, dict) else {"position": read}


def _request(told: Json, *fields: str) -> Json:
    """The parts of a request; a position on its own, or an answer that was saved, is a request for its position."""
    if "position" not in told:
        told = {"position": told}
    if "headline" in told:  # an answer
        told = {"position": told["position"]}
    return {name: told[name] for name in ("position", "choices", "components", *fields) if name in told}


_FILE = click.argument("request", type=click.File("rb"))


# -- about a position --------------------------------------------------------------------------------


@main.command(help=f"{_said(HELP['check'])} {_said(HELP['file'])}")
@_FILE
@_asks
def check(who: Asked, request: Any) -> None:
    """May this be done?"""
    told = _told(request, who.lang)
    lang = who.spoken(told)
    answer = who.asks.ask("check", {"game": who.game}, {}, {**told, "lang": lang})
    who.show(answer, print_answer)
    sys.exit(RULINGS[answer["ruling"]])


@main.command(help=f"{_said(HELP['options'])} {_said(HELP['file'])}")
@_FILE
@_asks
@click.option("--kind", "kinds", multiple=True, help=_said(OPTIONS["kind"]))
def options(who: Asked, request: Any, kinds: tuple[str, ...]) -> None:
    """What may be done?"""
    told = _told(request, who.lang)
    body = _request(told, "kinds", "illegal") | ({"kinds": list(kinds)} if kinds else {})
    answer = who.asks.ask("options", {"game": who.game}, {}, {**body, "lang": who.spoken(told)})
    who.show(answer, print_options)


@main.command(help=f"{_said(HELP['odds'])} {_said(HELP['file'])}")
@_FILE
@_asks
def odds(who: Asked, request: Any) -> None:
    """How likely is what?"""
    told = _told(request, who.lang)
    answer = who.asks.ask("odds", {"game": who.game}, {}, {**told, "lang": who.spoken(told)})
    who.show(answer, print_odds)
    sys.exit(RULINGS[answer["ruling"]])


@main.command(help=f"{_said(HELP['audit'])} {_said(HELP['file'])}")
@_FILE
@_asks
def audit(who: Asked, request: Any) -> None:
    """Is this possible?"""
    told = _told(request, who.lang)
    answer = who.asks.ask("audit", {"game": who.game}, {}, {**_request(told), "lang": who.spoken(told)})

    def printed(answer: Json, write: Callable[[str], None]) -> None:
        write(answer["headline"])
        print_reasons("✗", answer["findings"], write, answer["lang"])
        print_reasons("!", answer["cautions"], write, answer["lang"])

    who.show(answer, printed)
    sys.exit(LEGAL if answer["possible"] else ILLEGAL)


@main.command(help=f"{_said(HELP['replay'])} {_said(HELP['file'])}")
@_FILE
@_asks
@click.option("--record", type=click.File("w", encoding="utf-8"), help=_said(OPTIONS["record"]))
def replay(who: Asked, request: Any, record: Any) -> None:
    """How did it go?"""
    told = _told(request, who.lang)
    body = {name: part for name, part in told.items() if name not in ("game", "lang", "now")}
    lang = who.spoken(told)
    if record is not None:
        body["record"] = True
    answer = _replayed(who, told.get("game", who.game), {**body, "lang": lang})
    if record is not None:
        json.dump(answer.get("transcript"), record, ensure_ascii=False, indent=2)
    if who.as_json or who.url:
        who.show(answer, print_replay)
    else:
        click.echo(_report(who)(told.get("game", who.game), body, lang))
    sys.exit(LEGAL if answer["diverged"] is None else ILLEGAL)


def _replayed(who: Asked, game: str, body: Json) -> Json:
    """A whole game, also where a server plays it in pages: each goes on from the position that the one before reached."""
    found: Json = who.asks.ask("replay", {"game": game}, {}, body)
    while (begins := found.get("next")) is not None:
        moves = list(body["moves"])
        moves[begins - 1] = {**moves[begins - 1], "position_after": found["position"]}
        page = who.asks.ask("replay", {"game": game}, {}, {**body, "moves": moves, "from": begins})
        found = _joined(found, page)
    return found


def _joined(before: Json, page: Json) -> Json:
    """A page with those before it."""
    joined = {**page, "moves": [*before["moves"], *page["moves"]]}
    joined["issues"] = list({one["id"]: one for one in (*before["issues"], *page["issues"])}.values())
    if "transcript" in page:
        recorded = [*before["transcript"]["moves"], *page["transcript"]["moves"]]
        joined["transcript"] = {**before["transcript"], "moves": recorded}
    return joined


def _report(who: Asked) -> Callable[[str, Json, str], str]:
    """What words the report of a session: the service itself, or what a server answers."""

    def here(game: str, transcript: Json, lang: str) -> str:
        body = {name: part for name, part in transcript.items() if name != "record"}
        return asked_directly.report(game, json.dumps(body).encode(), lang, who.file)

    def there(game: str, transcript: Json, lang: str) -> str:
        lines: list[str] = []
        body = {name: part for name, part in transcript.items() if name != "format"}
        print_replay(_replayed(who, game, {**body, "lang": lang}), lines.append)
        return "\n".join(lines)

    return there if who.url else here


# -- what can be looked up ---------------------------------------------------------------------------


@main.command(help=_said(HELP["ask"]))
@click.argument("question", nargs=-1, required=True)
@_asks
@click.option("--limit", default=3, show_default=True, help=_said(OPTIONS["limit"]))
def ask(who: Asked, question: tuple[str, ...], limit: int) -> None:
    """Which rules answer this?"""
    found = who.asks.rules(who.game, " ".join(question), limit=limit, lang=who.lang)
    who.show(found, print_hits)
    sys.exit(LEGAL if found["hits"] else ILLEGAL)


@main.command(help=_said(HELP["rule"]))
@click.argument("number", nargs=-1, required=True)
@_asks
def rule(who: Asked, number: tuple[str, ...]) -> None:
    """What does this rule say?"""
    given = " ".join(number)
    try:
        found = [who.asks.rule(who.game, one, lang=who.lang) for one in _named_or_numbered(who.game, given)]
    except NotFound as problem:
        who.fail(speaker(who.lang).say(SAID["no-rule"], {"given": given}), problem.body)

    def printed(_: Any, write: Callable[[str], None]) -> None:
        for one in found:
            print_rule(one, write, who.lang)
            for part in one["parts"]:
                print_rule(who.asks.rule(who.game, part, lang=who.lang), write, who.lang)

    who.show(found[0] if len(found) == 1 else {"rules": found}, printed)


def _named_or_numbered(game: str, given: str) -> list[str]:
    """The rule of an id, in part or whole, or those under a number as it is printed: 3.1 step 3."""
    known = GAMES[game].catalogue.rules
    named = given if ":" in given else f"{prefix(game)}:{given}"
    if named in known or not given[:1].isdigit():
        return [named]
    under = [one for one in known if given in (rule_words(one, lang) for lang in LANGUAGES)]
    own = [one for one in under if one == f"{prefix(game)}:{section(one)}"]
    return own or under or [named]


@main.command(help=_said(HELP["term"]))
@click.argument("word")
@_asks
def term(who: Asked, word: str) -> None:
    """What is this called elsewhere?"""
    found = who.asks.terms(who.game, word)

    def printed(answer: Any, write: Callable[[str], None]) -> None:
        for one in answer["terms"]:
            write(one["id"])
            for lang in LANGUAGES:
                own = f" ({_said(SAID['our-words'])})" if one[lang]["translated_by_us"] else ""
                write(f"  {lang}  {one[lang]['term']}{own}")

    who.show(found, printed)
    if not found["terms"]:
        click.echo(speaker(who.lang).say(SAID["no-term"], {"given": word}), err=True)
        sys.exit(ILLEGAL)


@main.command(help=_said(HELP["scenario"]))
@click.argument("number", required=False)
@_asks
def scenario(who: Asked, number: str | None) -> None:
    """How is it set up?"""
    if number is not None:
        who.show(who.asks.scenario(who.game, number, lang=who.lang), print_scenario)
        return
    found = who.asks.scenarios(who.game, lang=who.lang)

    def printed(answer: Any, write: Callable[[str], None]) -> None:
        for one in answer["scenarios"]:
            write(f"{one['id']}  {one['title']}")
        if not answer["scenarios"]:
            write(speaker(who.lang).say(SAID["no-scenarios"], {}))

    who.show(found, printed)


@main.command(help=_said(HELP["chart"]))
@click.argument("procedure", required=False)
@_asks
@click.option("--at", default="", help=_said(OPTIONS["at"]))
def chart(who: Asked, procedure: str | None, at: str) -> None:
    """Which rows does it have?"""
    if procedure is not None:
        who.show(who.asks.chart(who.game, procedure, at=at, lang=who.lang), print_chart)
        return

    def printed(answer: Any, write: Callable[[str], None]) -> None:
        for one in answer["charts"]:
            write(f"{one['procedure']}: {one['title']}")

    who.show(who.asks.charts(who.game, lang=who.lang), printed)


# -- plays -------------------------------------------------------------------------------------------


@main.group(cls=Commands, help=_said(HELP["plays"]))
def plays() -> None:
    """The games that are kept."""


_ANY_ID = {"ignore_unknown_options": True}  # the id of a play may begin with a dash


def _kept(who: Asked) -> Here | There:
    return There(Client(who.url, lang=who.lang), who.lang) if who.url else Here(who.lang)


@plays.command("list", help=_said(HELP["plays-list"]))
@_asks
def plays_list(who: Asked) -> None:
    """Which are there?"""

    def printed(found: Any, write: Callable[[str], None]) -> None:
        for one in found["plays"]:
            write(f"{one['id']}  {one['game']}  {one['moves']:>4}  {one['changed']}  {one['name']}")

    who.show({"plays": _kept(who).listed()}, printed)


@plays.command("show", context_settings=_ANY_ID, help=_said(HELP["plays-show"]))
@click.argument("play")
@_asks
def plays_show(who: Asked, play: str) -> None:
    """How does it stand?"""
    state, report = _kept(who).shown(play)
    who.show(state, lambda _, write: write(report))


@plays.command("export", context_settings=_ANY_ID, help=_said(HELP["plays-export"]))
@click.argument("play")
@click.argument("out", type=click.File("w", encoding="utf-8"), default="-", metavar="[FILE]")
@_asks
def plays_export(who: Asked, play: str, out: Any) -> None:
    """Take it along."""
    json.dump(_kept(who).exported(play), out, ensure_ascii=False, indent=2)
    out.write("\n")


@plays.command("import", help=f"{_said(HELP['plays-import'])} {_said(HELP['file'])}")
@_FILE
@_asks
@click.option("--name", default="", help=_said(OPTIONS["name"]))
def plays_import(who: Asked, request: Any, name: str) -> None:
    """Keep it."""
    told = _told(request, who.lang)
    transcript = {key: part for key, part in told.items() if key not in ("game", "lang", "now")}
    made = _kept(who).imported(str(told.get("game", who.game)), transcript, name)
    who.show({"id": made}, lambda found, write: write(found["id"]))


@plays.command("delete", context_settings=_ANY_ID, help=_said(HELP["plays-delete"]))
@click.argument("play")
@_asks
def plays_delete(who: Asked, play: str) -> None:
    """Forget it."""
    _kept(who).deleted(play)


@main.group(cls=Commands, help=_said(HELP["db"]))
def db() -> None:
    """The database that keeps plays."""


@db.command(help=_said(HELP["db-upgrade"]))
@click.option("--lang", type=click.Choice(LANGUAGES), help=_said(OPTIONS["lang"]))
def upgrade(lang: Language | None) -> None:
    """Bring the tables up to date, and say where they are."""
    store = Store()
    try:
        store.upgrade()
    except UnreadableFile as problem:
        _fail(placed(problem, speaker(lang or language_here([]))))
    click.echo(store.url.render_as_string(hide_password=True))


# -- playing and serving -----------------------------------------------------------------------------


@main.command(help=_said(HELP["play"]))
@click.argument("file", type=click.Path(dir_okay=False, path_type=Path), default=GAME_FILE, metavar="[FILE]")
@_asks
def play(who: Asked, file: Path) -> None:
    """Play with a companion."""
    saved = None
    if file.exists() and file.stat().st_size:
        with file.open("rb") as kept:
            saved = session.read(_told(kept, who.lang), who.game)
    talk = Talk(who.lang, _read_line, _write_lines)
    if saved and not who.chosen:
        talk.speak(saved.lang)
    Companion(who.asks, talk, file, _report(who)).play(saved)


def _write_lines(text: str) -> None:
    """Lines that are not broken in the middle of a word."""
    shown = fitted(text, shutil.get_terminal_size().columns) if sys.stdout.isatty() else [text]
    for line in shown:
        click.echo(line)


def _read_line(prompt: str) -> str:
    click.echo(prompt, nl=False)
    line = sys.stdin.buffer.readline()
    if not line:
        raise EOFError
    return line.decode("utf-8", "replace").rstrip("\r\n")


@main.command(help=_said(HELP["serve"]))
@click.option("--host", default="127.0.0.1", envvar="HOST", show_default=True, help=_said(OPTIONS["host"]))
@click.option("--port", default=8000, envvar="PORT", show_default=True, help=_said(OPTIONS["port"]))
@click.option("--lan", is_flag=True, help=_said(OPTIONS["lan"]))
@click.option("--server", type=click.Choice(serving.SERVERS), help=_said(OPTIONS["server"]))
@click.option("--lang", type=click.Choice(LANGUAGES), help=_said(OPTIONS["lang"]))
def serve(host: str, port: int, lang: Language | None, server: str | None, *, lan: bool) -> None:
    """Serve the page and the API."""
    speaks = speaker(lang or language_here([]))
    host = serving.EVERYWHERE[0] if lan else host
    if serving.taken(host, port):
        _fail(speaks.say(SAID["port-taken"], {"port": port, "other": serving.free_port(port)}))
    for line in _where(host, port, speaks):
        click.echo(line, err=True)
    serving.serve(host, port, server)


def _where(host: str, port: int, speaks: Reader) -> Iterator[str]:
    """Which address to open, here and on a phone in the same network, and what that means for safety."""
    if host not in serving.EVERYWHERE:
        yield speaks.say(SAID["open-page"], {"address": serving.page_address(host, port)})
        return
    yield speaks.say(SAID["open-page"], {"address": serving.page_address("127.0.0.1", port)})
    here = serving.address_here()
    if here is None:
        yield speaks.say(SAID["no-network"], {})
        return
    address = serving.page_address(here, port)
    yield speaks.say(SAID["open-on-phone"], {"address": address})
    yield serving.qr(address)
    yield speaks.say(SAID["network-safety"], {})


if __name__ == "__main__":
    main()
