"""Every command of the command line: what it prints for people and for programs, here and by a server, and how it ends."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import requests
from click.testing import CliRunner, Result

from ruleglot import Client
from ruleglot.cli import main
from ruleglot.locale_language import language_here
from service.app import create_app
from tests.package.serving import running
from tests.package.terminal import COMMAND
from tests.service.sent import AMBUSH, EVADE, LANGUAGES
from tests.service.server import serving

LEGAL, ILLEGAL, BAD, OPEN = 0, 1, 2, 3


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    with running(create_app()) as address:
        yield address


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Files that the commands read."""
    files = {
        "ambush.json": AMBUSH,
        "evade.json": {**EVADE, "inputs": [{"die": 4}]},
        "odds.json": EVADE,
        "open.json": {"position": {}, "action": {"kind": "evade", "family": "A"}},
        "possible.json": {},
        "impossible.json": {"tracks": {"ap": 40}},
        "game.json": {
            "position": EVADE["position"],
            "moves": [{"action": EVADE["action"], "inputs": [{"die": 4}]}],
        },
        "other.json": {
            "position": EVADE["position"],
            "moves": [{"action": EVADE["action"], "inputs": [{"die": 4}], "expected": {"events": ["won"]}}],
        },
        "wrong.json": {**AMBUSH, "spam": 1},
    }
    for name, content in files.items():
        (tmp_path / name).write_text(json.dumps(content))
    (tmp_path / "broken.json").write_text('{"position": ')
    return tmp_path


def run(folder: Path, *arguments: str) -> Result:
    named = [str(folder / one) if one.endswith(".json") else one for one in arguments]
    return CliRunner().invoke(main, named)


def test_a_check_says_what_each_answer_would_lead_to(folder: Path) -> None:
    tracks = {name: told for name, told in AMBUSH["position"]["tracks"].items() if name != "military"}
    asked = {**AMBUSH, "position": {**AMBUSH["position"], "tracks": tracks}}
    (folder / "settles.json").write_text(json.dumps(asked))
    done = run(folder, "check", "settles.json", "--lang", "en")
    assert done.exit_code == OPEN
    assert "✗ 0: An Ambush needs at least 1 Military Point; your Military Points are at 0.\n" in done.output
    assert "✓ at least 1: Ambush (5.2.1) is allowed.\n" in done.output


# What a command is asked, and how it ends.
COMMANDS: list[tuple[tuple[str, ...], int]] = [
    (("check", "evade.json"), LEGAL),
    (("check", "ambush.json"), ILLEGAL),
    (("check", "open.json"), OPEN),
    (("check", "wrong.json"), BAD),
    (("check", "broken.json"), BAD),
    (("check", "nothing.json"), BAD),
    (("options", "evade.json", "--kind", "evade"), LEGAL),
    (("options", "possible.json"), LEGAL),
    (("odds", "odds.json"), LEGAL),
    (("odds", "ambush.json"), ILLEGAL),
    (("audit", "possible.json"), LEGAL),
    (("audit", "impossible.json"), ILLEGAL),
    (("replay", "game.json"), LEGAL),
    (("replay", "other.json"), ILLEGAL),
    (("ask", "combien", "coûte", "une", "embuscade", "?"), LEGAL),
    (("ask", "xyzzy plugh qwrtz"), ILLEGAL),
    (("rule", "5.2.4"), LEGAL),
    (("rule", "nw:5.2.4"), LEGAL),
    (("rule", "99"), BAD),
    (("term", "待ち伏せ"), LEGAL),
    (("term", "xyzzy"), ILLEGAL),
    (("scenario",), LEGAL),
    (("scenario", "14.1"), LEGAL),
    (("scenario", "1"), BAD),
    (("chart",), LEGAL),
    (("chart", "enemy-raid", "--at", "placement"), LEGAL),
    (("chart", "enemy-raid", "--at", "nowhere"), BAD),
    (("chart", "stratagem", "--game", "julian"), LEGAL),
    (("scenario", "--game", "julian"), LEGAL),
]


@pytest.mark.parametrize(
    ("arguments", "code"), COMMANDS, ids=lambda value: " ".join(value) if isinstance(value, tuple) else ""
)
@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_command_in_every_language(
    folder: Path, arguments: tuple[str, ...], code: int, lang: str
) -> None:
    done = run(folder, *arguments, "--lang", lang)
    assert done.exit_code == code, done.output
    assert done.output.strip()
    assert "Traceback" not in done.output


@pytest.mark.parametrize(
    ("arguments", "code"), COMMANDS, ids=lambda value: " ".join(value) if isinstance(value, tuple) else ""
)
def test_a_server_is_asked_the_same(
    folder: Path, address: str, arguments: tuple[str, ...], code: int
) -> None:
    here = run(folder, *arguments, "--json", "--lang", "fr")
    there = run(folder, *arguments, "--json", "--lang", "fr", "--url", address)
    assert there.exit_code == here.exit_code == code
    assert there.output == here.output
    plain = run(folder, *arguments, "--lang", "fr", "--url", address)
    assert plain.exit_code == code


@pytest.mark.parametrize(
    ("command", "sent"), [("check", AMBUSH), ("odds", EVADE), ("audit", {"position": {"tracks": {"ap": 40}}})]
)
def test_people_are_answered_in_one_language_although_the_request_names_all(
    folder: Path, command: str, sent: dict[str, Any]
) -> None:
    (folder / "all.json").write_text(json.dumps({**sent, "lang": "all"}))
    done = run(folder, command, "all.json")
    assert done.exit_code in (LEGAL, ILLEGAL), done.output
    assert "{'" not in done.output
    assert json.loads(run(folder, command, "all.json", "--json").stdout)["lang"] == "all"


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (("check", "wrong.json"), "unreadable"),
        (("check", "broken.json"), "not-json"),
        (("check", "broken.toml"), "unreadable-file"),
        (("rule", "99"), "unknown-rule"),
        (("scenario", "1"), "unknown-scenario"),
        (("check", "evade.json", "--components", "broken.json"), "unreadable-file"),
        (("check", "evade.json", "--url", "http://127.0.0.1:1"), "server-away"),
        (("plays", "delete", "nope"), "unknown-play"),
        (("plays", "delete", "nope", "--url", "http://127.0.0.1:1"), "no-key"),
    ],
    ids=str,
)
def test_programs_get_a_problem_as_a_server_gives_it(
    folder: Path, data: Path, arguments: tuple[str, ...], code: str
) -> None:
    assert not data.exists()
    (folder / "broken.toml").write_text("position = ")
    done = run(folder, *(str(folder / one) if one == "broken.toml" else one for one in arguments), "--json")
    assert done.exit_code == BAD
    told = json.loads(done.stdout)
    assert list(told) == ["type", "title", "status", "detail", "code", "errors", "lang"]
    assert told["code"] == code
    assert done.stderr.strip()


def test_a_search_that_finds_nothing_is_an_answer_for_programs(folder: Path) -> None:
    done = run(folder, "term", "xyzzy", "--json")
    assert done.exit_code == ILLEGAL
    assert json.loads(done.stdout)["terms"] == []


def test_who_has_no_key_of_a_play_is_told_what_to_do(folder: Path, data: Path) -> None:
    assert not data.exists()
    done = run(folder, "plays", "delete", "nope", "--url", "http://127.0.0.1:1", "--lang", "en")
    assert done.stderr == (
        "This computer has no key for the play “nope”. Those it has a key for: "
        "ruleglot plays list --url http://127.0.0.1:1\n"
    )


def test_what_is_offered_can_be_pasted_back(folder: Path) -> None:
    paused = run(folder, "options", "evade.json", "--kind", "evade", "--lang", "en")
    line = next(line for line in paused.output.splitlines() if line.lstrip().startswith("{"))
    action = json.JSONDecoder().raw_decode(line.strip())[0]
    assert action == EVADE["action"]
    (folder / "six.json").write_text(json.dumps({**EVADE, "inputs": [{"die": 6}]}))
    asked = run(folder, "check", "six.json", "--lang", "en")
    answers = [line.strip() for line in asked.output.splitlines() if line.lstrip().startswith('{"choose"')]
    chosen = json.JSONDecoder().raw_decode(answers[-1])[0]
    (folder / "chosen.json").write_text(json.dumps({**EVADE, "inputs": [{"die": 6}, chosen]}))
    assert run(folder, "check", "chosen.json").exit_code == LEGAL


def test_a_saved_answer_is_a_position(folder: Path) -> None:
    answer = json.loads(run(folder, "check", "evade.json", "--json").output)
    (folder / "answer.json").write_text(json.dumps(answer))
    assert run(folder, "audit", "answer.json").exit_code == LEGAL
    assert run(folder, "options", "answer.json").exit_code == LEGAL


def test_a_replay_is_recorded(folder: Path) -> None:
    done = run(folder, "replay", "game.json", "--record", "kept.json")
    assert done.exit_code == LEGAL
    kept = json.loads((folder / "kept.json").read_text(encoding="utf-8"))
    assert kept["moves"][0]["expected"]["events"]
    assert run(folder, "replay", "kept.json").exit_code == LEGAL


def test_a_game_of_several_pages_is_replayed_to_its_end(folder: Path, address: str) -> None:
    told = [
        {"kind": "told", "inputs": [{"tell": {"/tracks/ap": number % 9}}], "expected": {}}
        for number in range(300)
    ]
    lie = {**told[0], "position_after": {"tracks": {"ap": 9}}}
    for name, moves, exit_code in (("long.json", told, LEGAL), ("lies.json", [*told, lie], ILLEGAL)):
        (folder / name).write_text(json.dumps({"position": {}, "moves": moves}))
        done = run(folder, "replay", name, "--json", "--record", "kept.json", "--url", address)
        assert done.exit_code == exit_code
        assert [one["number"] for one in json.loads(done.output)["moves"]] == list(range(1, 301))
        assert len(json.loads((folder / "kept.json").read_text(encoding="utf-8"))["moves"]) == 300


def test_nobody_at_the_address(folder: Path) -> None:
    done = run(folder, "rule", "5.2.4", "--lang", "en", "--url", "http://127.0.0.1:9")
    assert done.exit_code == BAD
    assert "127.0.0.1:9" in done.output


# -- languages and consoles --------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("named", "lang"),
    [
        ("fr_CA.UTF-8", "fr"),
        ("ja_JP", "ja"),
        ("it", "it"),
        ("de_DE.UTF-8", "en"),
        ("C", "en"),
        ("Italian_Italy.1252", "it"),
    ],
)
def test_the_language_is_that_of_the_locale(monkeypatch: pytest.MonkeyPatch, named: str, lang: str) -> None:
    monkeypatch.setenv("LC_ALL", named)
    assert language_here([]) == lang
    assert language_here(["check", "--lang", "ja"]) == "ja"
    assert language_here(["check", "--lang=it"]) == "it"
    assert language_here(["check", "--lang", "xx", "--lang"]) == lang


def command(*arguments: str, cwd: Path, **env: str) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        [COMMAND, *arguments],
        cwd=cwd,
        env={**os.environ, **env},
        capture_output=True,
        timeout=60,
        check=False,
    )


def test_any_console_gets_utf_8(folder: Path) -> None:
    done = command("rule", "5.2.4", "--lang", "ja", cwd=folder, PYTHONIOENCODING="ascii", LC_ALL="C")
    assert done.returncode == LEGAL
    assert "回避" in done.stdout.decode("utf-8")


def test_the_help_lists_every_command(folder: Path) -> None:
    said = command("--help", cwd=folder, LC_ALL="C").stdout.decode()
    for name in main.commands:
        assert f"\n  {name} " in said


# -- from any folder ---------------------------------------------------------------------------------


@pytest.fixture
def strange(tmp_path: Path) -> Path:
    """A folder of somebody who has packages of these names."""
    for name in ("engine", "service"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "__init__.py").write_text("raise SystemExit('the wrong one was imported')")
    return tmp_path


def test_the_command_works_in_a_folder_with_its_own_engine_and_service(strange: Path) -> None:
    assert command("rule", "5.2.4", cwd=strange).returncode == LEGAL


def test_so_does_the_module(strange: Path) -> None:
    done: Any = subprocess.run(
        [sys.executable, "-m", "ruleglot", "rule", "5.2.4", "--lang", "en"],
        cwd=strange,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == LEGAL, done.stderr
    assert done.stdout.startswith("5.2.4  Evade")


# -- plays -------------------------------------------------------------------------------------------


@pytest.fixture
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("RULEGLOT_DATA", str(tmp_path / "data"))
    monkeypatch.delenv("DATABASE_URL", raising=False)
    return tmp_path / "data"


@pytest.fixture(params=["here", "by a server"])
def kept(request: pytest.FixtureRequest, data: Path) -> Iterator[tuple[str, ...]]:
    """How a command says who keeps the plays."""
    if request.param == "here":
        yield ()
        return
    store = f"sqlite:///{data.parent}/elsewhere.sqlite3"
    with running(create_app({"LIMITS": "off", "STORE": store})) as address:
        yield ("--url", address)


def test_a_game_is_kept_listed_shown_taken_along_and_forgotten(folder: Path, kept: tuple[str, ...]) -> None:
    assert run(folder, "plays", "list", *kept).output == ""
    made = run(folder, "plays", "import", "game.json", "--name", "火曜", *kept)
    assert made.exit_code == LEGAL, made.output
    play = made.output.strip()
    listed = json.loads(run(folder, "plays", "list", "--json", *kept).output)["plays"]
    assert [(one["id"], one["name"], one["moves"]) for one in listed] == [(play, "火曜", 1)]
    assert play in run(folder, "plays", "list", *kept).output
    for lang, word in (("en", "Evasion"), ("fr", "Évasion"), ("it", "Fuga"), ("ja", "回避")):
        assert word in run(folder, "plays", "show", play, "--lang", lang, *kept).output
    assert json.loads(run(folder, "plays", "show", play, "--json", *kept).output)["id"] == play
    assert run(folder, "plays", "export", play, str(folder / "out.json"), *kept).exit_code == LEGAL
    assert run(folder, "replay", "out.json").exit_code == LEGAL
    assert run(folder, "plays", "delete", play, *kept).exit_code == LEGAL
    assert run(folder, "plays", "list", *kept).output == ""
    for command in (("show", play), ("export", play), ("delete", play)):
        done = run(folder, "plays", *command, *kept, "--lang", "it")
        assert done.exit_code == BAD, done.output
        assert done.output.strip()


def test_what_is_taken_along_says_its_game(folder: Path, kept: tuple[str, ...]) -> None:
    (folder / "julian.json").write_text(json.dumps({"position": {"turn": 1}, "moves": []}))
    made = run(folder, "plays", "import", "julian.json", "--game", "julian", *kept)
    assert made.exit_code == LEGAL, made.output
    assert (
        run(folder, "plays", "export", made.output.strip(), str(folder / "out.json"), *kept).exit_code
        == LEGAL
    )
    again = run(folder, "plays", "import", "out.json", *kept)
    assert again.exit_code == LEGAL, again.output
    listed = json.loads(run(folder, "plays", "list", "--json", *kept).output)["plays"]
    assert [one["game"] for one in listed] == ["julian", "julian"]
    assert run(folder, "replay", "out.json", *kept).exit_code == LEGAL


def test_a_game_that_nobody_knows_is_not_kept(folder: Path, kept: tuple[str, ...]) -> None:
    (folder / "chess.json").write_text(json.dumps({"game": "chess", "position": {}, "moves": []}))
    done = run(folder, "plays", "import", "chess.json", *kept, "--lang", "en")
    assert done.exit_code == BAD
    assert "/v1/games" in done.output
    assert "Traceback" not in done.output


def test_an_id_that_begins_with_a_dash_is_no_option(folder: Path, kept: tuple[str, ...]) -> None:
    for what in ("show", "export", "delete"):
        done = run(folder, "plays", what, "-rVQ7KneG_pxEKFmN6Lwtw", "--lang", "en", *kept)
        assert done.exit_code == BAD
        assert "option" not in done.output
        assert "-rVQ7KneG_pxEKFmN6Lwtw" in done.output or "play" in done.output


def test_what_is_no_game_is_not_kept(folder: Path, kept: tuple[str, ...]) -> None:
    done = run(folder, "plays", "import", "wrong.json", *kept, "--lang", "fr")
    assert done.exit_code == BAD
    assert "Traceback" not in done.output
    assert run(folder, "plays", "list", *kept).output == ""


def test_keys_are_nobody_elses_to_read(folder: Path, data: Path) -> None:
    store = f"sqlite:///{folder}/elsewhere.sqlite3"
    with running(create_app({"LIMITS": "off", "STORE": store})) as address:
        run(folder, "plays", "import", "game.json", "--url", address)
    assert (data / "keys.json").stat().st_mode & 0o077 == 0


def test_the_tables_are_made(folder: Path, data: Path) -> None:
    done = run(folder, "db", "upgrade")
    assert done.exit_code == LEGAL
    assert str(data) in done.output


# -- serving -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("server_program", [(), ("--server", "waitress")])  # the latter is what Windows takes
def test_a_server_is_started_from_any_folder(strange: Path, server_program: tuple[str, ...]) -> None:
    log = strange / "log"
    with serving(
        log, (COMMAND, "serve", *server_program), cwd=strange, RULEGLOT_DATA=str(strange), WEB_CONCURRENCY="1"
    ) as server:
        assert Client(server.address).health()["status"] == "ok"
        assert Client(server.address).rule("navajo-wars", "nw:5.2.4")["section"] == "5.2.4"
        page = requests.get(server.address, timeout=20)
        assert page.headers["Server"] == ("waitress" if server_program else "gunicorn")
        assert page.headers["Content-Type"].startswith("text/html")
    assert "Traceback" not in log.read_text()


def test_a_port_that_is_taken_is_named_with_another(tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        done = command("serve", "--port", str(port), "--lang", "en", cwd=tmp_path)
    assert done.returncode == BAD
    said = done.stderr.decode()
    assert f"Port {port} is taken" in said
    other = int(said.rpartition("--port ")[2].split()[0])
    assert other > port
