"""`make load`: a real server beside a bare echo under the same settings, with 1, 8, 64 and 256 connections.

Every answer is compared byte by byte with the first. The figures that count are ratios between the two in the same
rounds; then memory, and an honest client beside four who send the dearest requests from other addresses.
"""

from __future__ import annotations

import os
import shutil
import socket
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path
from typing import NamedTuple

import orjson
import psutil

from tests.bench import ECHO, body
from tests.service.sent import AMBUSH, CHECK
from tests.service.server import ROOT, Server, serving
from tests.service.test_prices import AGAIN, RAID

CONNECTIONS = (1, 8, 64, 256)
SECONDS = float(os.environ.get("SECONDS_EACH", "4"))
ROUNDS = int(os.environ.get("ROUNDS", "2"))
ROUNDS_AT_8 = int(os.environ.get("ROUNDS_AT_8", "5"))
REPLAY = "/v1/games/navajo-wars/replay"
LUA = """
local file = io.open(os.getenv("LOAD_BODY"), "rb"); wrk.body = file:read("*a"); file:close()
wrk.method = "POST"
wrk.headers["Content-Type"] = "application/json"
local expected
wrong, right = 0, 0
threads = {}
function setup(thread) table.insert(threads, thread) end
function response(status, headers, body)
  if expected == nil then expected = body end
  if status ~= 200 or body ~= expected then wrong = wrong + 1 else right = right + 1 end
end
function done(summary, latency, requests)
  local ok, bad = 0, 0
  for _, thread in ipairs(threads) do ok = ok + thread:get("right"); bad = bad + thread:get("wrong") end
  local e = summary.errors
  print(string.format("LOAD %d %d %d %f %f %f", ok, bad, e.connect + e.read + e.write + e.timeout,
    latency:percentile(50) / 1000, latency:percentile(99) / 1000, summary.duration / 1000000))
end
"""


class Seen(NamedTuple):
    """What one round came to."""

    right: int
    wrong: int
    lost: int
    p50: float  # milliseconds
    p99: float
    seconds: float

    @property
    def rate(self) -> float:
        """Requests in a second."""
        return self.right / self.seconds


def load(server: Server, connections: int, folder: Path) -> Seen:
    """One round of wrk."""
    script = folder / "load.lua"
    script.write_text(LUA)
    (folder / "body.json").write_bytes(body())
    threads = min(2, connections)
    command = ["wrk", "-c", str(connections), "-t", str(threads), "-d", f"{SECONDS:g}s", "--timeout", "10s"]
    done = subprocess.run(
        [*command, "-s", str(script), server.address + CHECK],
        env={**os.environ, "LOAD_BODY": str(folder / "body.json")},
        capture_output=True,
        text=True,
        check=True,
    )
    line = next(line for line in done.stdout.splitlines() if line.startswith("LOAD"))
    right, wrong, lost, p50, p99, seconds = line.split()[1:]
    return Seen(int(right), int(wrong), int(lost), float(p50), float(p99), float(seconds))


def memory(server: Server) -> float:
    """Megabytes of master and workers together, each shared page counted once."""
    master = psutil.Process(server.process.pid)
    return sum(one.memory_full_info().pss for one in (master, *master.children())) / 2**20


def rounds(
    service: Server, echo: Server, connections: int, count: int, folder: Path
) -> list[tuple[Seen, Seen]]:
    """Both in turn, so that whatever else the machine does meets both."""
    return [(load(service, connections, folder), load(echo, connections, folder)) for _ in range(count)]


def table(service: Server, echo: Server, folder: Path) -> bool:
    """The figures by connections; whether nothing was wrong or lost, and the tail is the echo's."""
    good = True
    print("connections | service: right wrong lost | p50 p99 ms | echo: right | p50 p99 ms | rate / echo's")
    for connections in CONNECTIONS:
        seen = rounds(service, echo, connections, ROUNDS_AT_8 if connections == 8 else ROUNDS, folder)
        ours, theirs = ([pair[number] for pair in seen] for number in (0, 1))
        wrong, lost = sum(one.wrong for one in ours), sum(one.lost for one in ours)
        middle = [statistics.median(value) for value in zip(*((o.p50, o.p99) for o in ours), strict=True)]
        other = [statistics.median(value) for value in zip(*((o.p50, o.p99) for o in theirs), strict=True)]
        ratio = statistics.median(one.rate / two.rate for one, two in seen)
        print(
            f"{connections:11} | {sum(o.right for o in ours):8} {wrong} {lost} | {middle[0]:.2f} {middle[1]:.2f} | "
            f"{sum(o.right for o in theirs):8} | {other[0]:.2f} {other[1]:.2f} | {ratio:.2f}",
            flush=True,
        )
        good = good and not wrong and not lost
        if connections == 8:
            tails = statistics.median((a.p99 / a.p50) / (b.p99 / b.p50) for a, b in seen)
            print(f"{'':11} | p99/p50 at 8 connections: {tails:.2f} of the echo's (at most 1.5)")
            good = good and tails <= 1.5
        print(f"{'':11} | memory {memory(service):.1f} MB", flush=True)
    return good


# -- attackers -----------------------------------------------------------------------------------------


def asked(port: int, address: str, request: bytes) -> tuple[int, float]:
    """The status of one answer and how long it took, from one of this machine's addresses."""
    began = time.perf_counter()
    with socket.create_connection(("127.0.0.1", port), 20, (address, 0)) as connection:
        connection.sendall(request)
        answer = b""
        while part := connection.recv(65_536):
            answer += part
    return int(answer.split(None, 2)[1]), time.perf_counter() - began


def written(path: str, told: object) -> bytes:
    """A request as it goes over the wire."""
    content = orjson.dumps(told)
    head = (
        f"POST {path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nConnection: close\r\n"
    )
    return f"{head}Content-Length: {len(content)}\r\n\r\n".encode() + content


class Attacker(threading.Thread):
    """Sends the dearest request again and again, also when he is refused."""

    def __init__(self, port: int, address: str) -> None:
        super().__init__(daemon=True)
        self.port, self.address, self.done = port, address, threading.Event()
        self.answers: list[int] = []

    def run(self) -> None:
        """Until told to stop."""
        dear = written(REPLAY, {"position": RAID, "moves": [AGAIN] * 500})
        while not self.done.is_set():
            self.answers.append(asked(self.port, self.address, dear)[0])


def honest(port: int, count: int = 300) -> float:
    """The median of what an honest client waits, in milliseconds."""
    check = written(CHECK, AMBUSH)
    return statistics.median(asked(port, "127.0.0.1", check)[1] for _ in range(count)) * 1000


def attacked(folder: Path) -> bool:
    """An honest client alone, then beside four attackers whose budgets are spent."""
    # As many as by default; by the hour, so that what is spent stays spent while this looks.
    limits = {
        "RULEGLOT_LIMITS": "on",
        "RULEGLOT_LIMIT": "1000000 per hour",
        "RULEGLOT_LIMIT_DEAR": "30 per hour",
    }
    with serving(folder / "attacked", RULEGLOT_DATA=str(folder), **limits) as server:
        honest(server.port)
        alone = honest(server.port)
        attackers = [Attacker(server.port, f"127.0.0.{number}") for number in range(2, 6)]
        for one in attackers:
            one.start()
        late = time.monotonic() + 100
        while not all(one.answers[-5:] == [429] * 5 for one in attackers) and time.monotonic() < late:
            time.sleep(0.05)
        beside = honest(server.port)
        for one in attackers:
            one.done.set()
        for one in attackers:
            one.join(20)
    sent = sum(len(one.answers) for one in attackers)
    print(
        f"honest p50 alone {alone:.2f} ms, beside four attackers {beside:.2f} ms: {beside / alone:.2f} times (at most 3); "
        f"they sent {sent} requests, {sum(one.answers.count(429) for one in attackers)} refused"
    )
    return beside <= 3 * alone


def main() -> None:
    """All of it; ends with 1 where something was wrong, lost, or too slow."""
    if shutil.which("wrk") is None:
        sys.exit("make load needs wrk: apt install wrk")
    parts = sys.argv[1:] or ["table", "attacked"]
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "ruleglot_bench_echo.py").write_text(ECHO)
        gunicorn = (
            sys.executable,
            "-m",
            "gunicorn",
            "--config",
            "python:service.gunicorn_conf",
            "ruleglot_bench_echo:stdlib()",
        )
        good = True
        if "table" in parts:
            with (
                serving(folder / "service", RULEGLOT_DATA=name) as service,
                serving(folder / "echo", gunicorn, ROOT, PYTHONPATH=name) as echo,
            ):
                for connections in (8, 256, 8, 256):  # until every thread has had its first answer
                    load(service, connections, folder)
                first = memory(service)
                good = table(service, echo, folder)
                last = memory(service)
                print(
                    f"memory {first:.1f} MB when warm, {last:.1f} MB at the end: {last / first - 1:+.1%} (at most 5 %)"
                )
                good = good and last <= first * 1.05
        if "attacked" in parts:
            good = attacked(folder) and good
    sys.exit(not good)


if __name__ == "__main__":
    main()
