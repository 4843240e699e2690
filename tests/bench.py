"""`make bench`: a full check beside a bare Flask echo of the same body, in one run.

Three applications run under the same gunicorn settings and take turns: an echo with Flask's own JSON, the
same echo with orjson, and the service checking a 5 KB position answered in French. Only ratios between
them mean something on a shared machine. Then the engine's own cost, without HTTP.
"""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from statistics import median
from typing import Any

import msgspec
import orjson

ROUNDS = int(os.environ.get("ROUNDS", "9"))
REQUESTS = int(os.environ.get("REQUESTS", "1500"))
CLIENTS = 4
ROOT = Path(__file__).parent.parent

ECHO = """
import json, orjson
from flask import Flask, Response, jsonify, request
def stdlib():
    app = Flask("echo")
    @app.post("/v1/games/navajo-wars/check")
    def echo():
        return jsonify(request.get_json())
    return app
def fast():
    app = Flask("echo")
    @app.post("/v1/games/navajo-wars/check")
    def echo():
        return Response(orjson.dumps(orjson.loads(request.get_data())), content_type="application/json")
    return app
def watched():
    from service import config, limits, watching
    app = stdlib()
    app.config.update(config.of_application())
    limits.register(app, [], {})
    watching.register(app)
    return app
"""
# Limits, numbers, a line for each request and JSON logs.
WATCHED = {
    "RULEGLOT_LIMITS": "on",
    "RULEGLOT_LIMIT": "100000000 per hour",
    "RULEGLOT_METRICS": "on",
    "RULEGLOT_ACCESS_LOG": "on",
    "RULEGLOT_LOG": "json",
}


def full_position() -> dict[str, Any]:
    """A whole table in the middle of a raid, about 5 KB of JSON."""
    letters = "ABCDEF"
    homes = (
        "shiprock-4",
        "san-juan-valley-2",
        "zuni-mountains-3",
        "hopi-land-1",
        "black-mesa-5",
        "canyon-de-chelly-2",
    )
    territories = (
        "shiprock",
        "san-juan-valley",
        "zuni-mountains",
        "monument-valley",
        "hopi-land",
        "black-mesa",
    )
    counter = {
        "name": "build",
        "cost": 2,
        "back": {"name": "raid", "cost": 3},
        "stripe": False,
        "ferocity": False,
    }
    areas = {
        f"{territory}-{number}": {
            "corn": number == 2,
            "mission": False,
            "rancho": False,
            "harass": False,
            "fort": None,
            "raid": int(territory == "shiprock" and number == 4),
            "tribal_raid": 0,
            "intruders": 0,
        }
        for territory in territories
        for number in range(1, 4 if territory != "shiprock" else 7)
    }
    return {
        "period": "mexican",
        "tracks": {
            "ap": 4,
            "culture": 9,
            "military": 5,
            "enemy_morale": 4,
            "enemy_ferocity": 3,
            "enemy_ap": 2,
        },
        "families": {
            letter: {
                "at": home,
                "ferocity": 2,
                "evasion": 0,
                "man": True,
                "woman": True,
                "child": False,
                "horse": True,
            }
            for letter, home in zip(letters, homes, strict=True)
        },
        "areas": areas,
        "territories": {territory: {"drought": 1} for territory in territories},
        "santa_fe": {"raid": 3},
        "tribal_raid_box": 0,
        "manuelito": None,
        "elders": [1, 1, 0, 1, 0, 0, 0],
        "resources": {"horse": 2, "sheep": 3, "corn": [2, 3], "trade_goods": 2, "firearms": 1},
        "passage_of_time": {"man": 1, "woman": 0, "child": 2, "elder": 0, "horse": 0, "sheep": 1},
        "raid_pool": {"black": 3, "brown": 3, "red": 2, "white": 3, "yellow": 2, "green": 1},
        "raided_cubes": {"white": 1},
        "recovery": {"brown": 1},
        "subjugation": {"red": 1},
        "raided_box": {"enemy_ap": 0, "instruction": None},
        "instructions": {column: [counter] * 3 + [None] * 3 for column in ("active", "standby", "inactive")},
        "activation": None,
        "cards": {"current": 12, "in_play": [41], "hand": [], "removed": [], "developments": []},
        "outcome": None,
    }


def body() -> bytes:
    """The request all three applications get."""
    return orjson.dumps(
        {"position": full_position(), "action": {"kind": "ambush", "family": "A"}, "lang": "fr"}
    )


class Server:
    """One application under gunicorn, with the project's own settings."""

    def __init__(self, name: str, wsgi: str, folder: Path, **settings: str) -> None:
        self.name = name
        self.port = _free_port()
        environment = {**os.environ, "PORT": str(self.port), "HOST": "127.0.0.1", "PYTHONPATH": str(folder)}
        environment |= {"RULEGLOT_LIMITS": "off", **settings}
        command = [sys.executable, "-m", "gunicorn", "--config", "python:service.gunicorn_conf", wsgi]
        self.process = subprocess.Popen(
            command, env=environment, cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        _wait_for(self.port)

    def ask(self, request: bytes) -> bytes:
        """One request on a connection of its own, so that all of them are alike."""
        with socket.create_connection(("127.0.0.1", self.port), timeout=10) as connection:
            connection.sendall(request)
            answer = bytearray()
            while part := connection.recv(65536):
                answer += part
        return bytes(answer)

    def cpu_seconds(self) -> float:
        """The processor time of all its processes so far."""
        ticks = sum(_ticks(child) for child in _family(self.process.pid))
        return ticks / os.sysconf("SC_CLK_TCK")

    def stop(self) -> None:
        """End it."""
        self.process.terminate()
        self.process.wait(10)


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def _wait_for(port: int) -> None:
    for _ in range(1_200):
        try:
            socket.create_connection(("127.0.0.1", port), timeout=1).close()
        except OSError:
            time.sleep(0.05)
        else:
            return
    raise RuntimeError("the server did not start")


def _family(pid: int) -> list[int]:
    children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    return [pid, *(one for child in children for one in _family(int(child)))]


def _ticks(pid: int) -> int:
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return int(fields[11]) + int(fields[12])


def measure(server: Server, request: bytes) -> tuple[float, float]:
    """Requests per second, and microseconds of processor time per request."""
    cpu, start = server.cpu_seconds(), time.perf_counter()
    with ThreadPoolExecutor(CLIENTS) as clients:
        for answer in clients.map(server.ask, [request] * REQUESTS):
            if b" 200 " not in answer[:20]:
                raise RuntimeError(f"{server.name} answered {answer[:200]!r}")
    seconds = time.perf_counter() - start
    return REQUESTS / seconds, (server.cpu_seconds() - cpu) / REQUESTS * 1e6


def http() -> None:
    """The three applications in turns."""
    folder = ROOT / "build" / "bench"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "ruleglot_bench_echo.py").write_text(ECHO)
    sent = body()
    head = (
        "POST /v1/games/navajo-wars/check HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
        f"Content-Length: {len(sent)}\r\nConnection: close\r\n\r\n"
    )
    request = head.encode() + sent
    servers = [
        Server("echo, Flask's JSON", "ruleglot_bench_echo:stdlib()", folder),
        Server("echo, orjson", "ruleglot_bench_echo:fast()", folder),
        Server("check in French", "service.app:create_app()", folder),
        Server("echo, watched", "ruleglot_bench_echo:watched()", folder, **WATCHED),
        Server("check, watched", "service.app:create_app()", folder, **WATCHED),
    ]
    figures: dict[str, list[tuple[float, float]]] = {server.name: [] for server in servers}
    try:
        for server in servers:
            measure(server, request)  # warm
        for number in range(ROUNDS):
            print(f"round {number + 1} of {ROUNDS}", end="\r", flush=True)
            for server in servers:
                figures[server.name].append(measure(server, request))
    finally:
        for server in servers:
            server.stop()
    _table(figures, len(sent))


def _table(figures: dict[str, list[tuple[float, float]]], size: int) -> None:
    bare, fast, *_ = figures
    print(
        f"A position of {size} bytes, {ROUNDS} rounds of {REQUESTS} requests, ratios round by round (median)"
    )
    print(
        f"{'':22} {'req/s':>8} {'of bare':>8} {'of orjson':>9} {'CPU µs':>8} {'of bare':>8} {'of orjson':>9}"
    )
    for name, rounds in figures.items():
        rate, cpu = (median(one[part] for one in rounds) for part in (0, 1))
        ratios = [
            median(mine[part] / other[part] for mine, other in zip(rounds, figures[than], strict=True))
            for part in (0, 1)
            for than in (bare, fast)
        ]
        print(
            f"{name:22} {rate:8.0f} {ratios[0]:8.2f} {ratios[1]:9.2f} {cpu:8.0f} {ratios[2]:8.2f} {ratios[3]:9.2f}"
        )
    both = zip(figures["check, watched"], figures["echo, watched"], strict=True)
    print(
        f"check of an echo with limits, metrics and logs on: {median(mine[0] / echo[0] for mine, echo in both):.2f}"
    )


def _microseconds(work: Callable[[], object], times: int = 2_000) -> float:
    work()
    runs = []
    for _ in range(5):
        start = time.perf_counter()
        for _ in range(times):
            work()
        runs.append((time.perf_counter() - start) / times * 1e6)
    return min(runs)


def engine() -> None:
    """The engine alone, and JSON in to JSON out without HTTP."""
    from engine import codec
    from engine.game import check, prepare
    from engine.navajo_wars import GAME
    from service import checks
    from service.answers import encode
    from service.requests import CheckReader

    reads = CheckReader(GAME)
    sent = body()
    asked = orjson.loads(sent)
    at = prepare(GAME, asked["position"], {}, {})
    do = codec.read(asked["action"], GAME.action_types, "/action")

    def whole() -> bytes:
        return encode(reads.answer(sent, lambda asked: checks.answer(GAME, asked, "fr")))

    print(f"engine, check of an Ambush:       {_microseconds(lambda: check(GAME, at, do)):6.1f} µs")
    print(
        f"reading the position:             {_microseconds(lambda: codec.read(asked['position'], GAME.position, '')):6.1f} µs"
    )
    print(f"JSON in to JSON out, in French:   {_microseconds(whole):6.1f} µs")
    print(
        f"(msgspec encoding the position:   {_microseconds(lambda: msgspec.json.encode(at.position)):6.1f} µs)"
    )


if __name__ == "__main__":
    engine()
    http()
