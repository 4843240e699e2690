"""A real gunicorn with the project's own settings, for tests that need one."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

import requests

ROOT = Path(__file__).parents[2]
SECONDS = 20  # for one answer, and for an end
PATIENCE = 300  # seconds until a server has started


class Server(NamedTuple):
    """Where a server answers, its process, and what it says."""

    address: str
    port: int
    process: subprocess.Popen[bytes]
    log: Path


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


@contextmanager
def serving(
    log: Path, command: tuple[str, ...] = (), cwd: Path = ROOT, **environment: str
) -> Iterator[Server]:
    """A server for a while; without a command the one that `make run` starts."""
    server = start(log, free_port(), command, cwd, **environment)
    try:
        wait_for(server)
        yield server
    finally:
        server.process.terminate()
        try:
            server.process.wait(SECONDS)
        except subprocess.TimeoutExpired:
            server.process.kill()
            server.process.wait(SECONDS)


def start(
    log: Path, port: int, command: tuple[str, ...] = (), cwd: Path = ROOT, **environment: str
) -> Server:
    """A server that begins to start."""
    made = command or (sys.executable, "-m", "gunicorn", "--config", "python:service.gunicorn_conf")
    settings = {"HOST": "127.0.0.1", "PORT": str(port), "WEB_CONCURRENCY": "2", "RULEGLOT_LIMITS": "off"}
    with log.open("ab") as output:
        process = subprocess.Popen(
            made, cwd=cwd, env={**os.environ, **settings, **environment}, stdout=output, stderr=output
        )
    return Server(f"http://127.0.0.1:{port}", port, process, log)


def wait_for(server: Server) -> None:
    """Until it answers; a machine with much else to do takes its time to load everything."""
    late = time.monotonic() + PATIENCE
    while time.monotonic() < late:
        assert server.process.poll() is None, server.log.read_text()
        try:
            requests.get(f"{server.address}/healthz", timeout=SECONDS)
        except (requests.ConnectionError, requests.Timeout):
            time.sleep(0.05)
        else:
            return
    raise AssertionError(f"no answer after {PATIENCE} s: {server.log.read_text()}")
